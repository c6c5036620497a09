//! What a function needs besides itself, and what world it should be run in.

use std::collections::BTreeSet;

use hashbrown::HashMap;
use planish_base::{Id, Interner};
use planish_ir::{Block, Const, ExitTarget, Function, Module, Symbol, Terminator, Value};
use planish_ops::world::{Characters, Descr, World};
use planish_ops::{Op, Type};
use rustc_hash::FxBuildHasher;

use crate::heap::symbol_object;
use crate::scenario::Scenario;
use crate::value::{Reference, Val};

/// At most so many numbers of a function are given to it.
const NUMBERS: usize = 64;

/// What a function needs besides itself: descriptors, names of symbols, other functions.
pub struct Program<'a> {
    pub(crate) world: &'a dyn World,
    pub(super) symbols: Option<&'a Interner<Symbol, String>>,
    pub(super) functions: HashMap<&'a str, &'a Function, FxBuildHasher>,
    /// Where control goes on when a function returns behind a marker with a descriptor.
    entrances: HashMap<Descr, (&'a Function, Block), FxBuildHasher>,
    /// Who takes over where an exit of a number leaves.
    bridges: HashMap<u32, &'a Function, FxBuildHasher>,
    /// Strings that the world does not know yet, and the number of the first's symbol.
    texts: (u32, &'a [Characters]),
    /// Whether functions are called on their first argument, which is then never null.
    receiver: bool,
    /// Whether programs keep to the types that RPython gives numbers.
    pub(crate) rpython_types: bool,
}

impl<'a> Program<'a> {
    /// The functions of a module.
    pub fn of(module: &'a Module) -> Self {
        let functions = module.functions.values().map(|f| (f.name.as_str(), f)).collect();
        let entered = |f: &'a Function| f.entrances().iter().map(move |e| (e.descr, (f, e.block)));
        Program {
            world: &module.descriptors,
            symbols: Some(&module.symbols),
            functions,
            entrances: module.functions.values().flat_map(entered).collect(),
            bridges: module.bridges.iter().map(|&(exit, id)| (exit, &module.functions[id])).collect(),
            texts: (0, &[]),
            receiver: false,
            rpython_types: false,
        }
    }

    /// No other functions, and symbols without names.
    pub fn bare(world: &'a dyn World) -> Self {
        Program {
            world,
            symbols: None,
            functions: HashMap::default(),
            entrances: HashMap::default(),
            bridges: HashMap::default(),
            texts: (0, &[]),
            receiver: false,
            rpython_types: false,
        }
    }

    /// Lets calls of a name go to another function.
    pub fn define(&mut self, name: &'a str, function: &'a Function) {
        self.functions.insert(name, function);
    }

    /// A reference to the function of a name.
    pub fn reference(&self, name: &str) -> Option<Val> {
        self.functions.contains_key(name).then(|| Val::Ref(Reference::Outside(symbol_object(name))))
    }

    /// The functions by the objects that references to them are. O(functions).
    pub(crate) fn referred(&self) -> HashMap<u64, &'a Function, FxBuildHasher> {
        self.functions.iter().map(|(name, &function)| (symbol_object(name), function)).collect()
    }

    /// Where a run goes on that returns at a block with results of some types; nowhere, and it ends, if no function has
    /// such an entrance.
    pub(super) fn goes_on(&self, f: &Function, block: Block) -> Option<(&'a Function, Block)> {
        if self.entrances.is_empty() {
            return None;
        }
        let &(target, entrance) = self.entrances.get(&f.goes_on_at(block)?)?;
        let params = target.block_params(entrance).iter().map(|&param| target.ty(param));
        params.eq(f.result_types().iter().copied()).then_some((target, entrance))
    }

    /// Who takes over where an exit of a number leaves with values of some types; nobody, and the run ends there, if no function
    /// does that takes these.
    pub(super) fn taken_over(
        &self,
        exit: u32,
        types: impl Iterator<Item = Option<Type>>,
    ) -> Option<&'a Function> {
        let &bridge = self.bridges.get(&exit)?;
        let mut params = bridge.params().iter().map(|&param| bridge.ty(param));
        // What is undefined is of any type.
        let mut types = types.fuse();
        let fits = params.all(|param| types.next().is_some_and(|ty| ty.is_none_or(|ty| ty == param)));
        (fits && types.next().is_none()).then_some(bridge)
    }

    /// Whether a function takes over where an exit of a number leaves.
    pub(super) fn has_bridge(&self, exit: u32) -> bool {
        self.bridges.contains_key(&exit)
    }

    /// The functions that take over where a function is left.
    fn bridges_of(&self, f: &Function) -> Vec<&'a Function> {
        if self.bridges.is_empty() {
            return Vec::new();
        }
        let left = f.live_insts().filter_map(|(_, inst)| match f.exit(f.inst(inst).exit?).target {
            ExitTarget::Leave(number) => self.bridges.get(&number).copied(),
            _ => None,
        });
        left.collect()
    }

    /// The functions of a run that begins with a function: itself, and those to which it may go on.
    fn reached<'f>(&'f self, function: &'f Function) -> Vec<&'f Function> {
        let mut reached = vec![function];
        let mut at = 0;
        while let Some(&f) = reached.get(at) {
            let next = f.blocks().iter().filter_map(|&block| Some(self.goes_on(f, block)?.0));
            for target in next.chain(self.bridges_of(f)) {
                if !reached.iter().any(|known| std::ptr::eq(*known, target)) {
                    reached.push(target);
                }
            }
            at += 1;
        }
        reached
    }

    /// Says whether functions are methods of objects: their first argument is then never null.
    pub fn with_receiver(self, receiver: bool) -> Self {
        Program { receiver, ..self }
    }

    /// Says whether programs keep to the types that RPython gives numbers, as PyPy's optimizer takes for granted: a place holds what is
    /// stored there, which it does not cut, and truths are 0 and 1. A program that does not means nothing.
    pub fn with_rpython_types(self, rpython_types: bool) -> Self {
        Program { rpython_types, ..self }
    }

    /// Says what strings the symbols from a number on are, of which the world does not know yet.
    pub fn define_texts(&mut self, first: u32, texts: &'a [Characters]) {
        self.texts = (first, texts);
    }

    /// The string that a symbol is.
    pub(super) fn text(&self, symbol: u32) -> Option<&Characters> {
        let (first, new) = self.texts;
        let new = symbol.checked_sub(first).and_then(|position| new.get(position as usize));
        new.or_else(|| self.world.text(symbol))
    }

    /// The outside object that a symbol names.
    pub(crate) fn symbol(&self, symbol: Symbol) -> (u64, String) {
        let name = self.symbols.map_or_else(|| symbol.to_string(), |names| names.get(symbol).clone());
        (symbol_object(&name), name)
    }

    /// What a world should have in which a function is run: classes, arrays and objects that it knows of.
    pub fn world_of(&self, function: &Function) -> Scenario {
        let mut world = Scenario { receiver: self.receiver, ..Scenario::default() };
        for f in self.reached(function) {
            world.classes.extend(self.classes(f));
            world.layouts.extend(self.layouts(f));
            world.named.extend(self.named(f));
            world.measured |= measures(f);
        }
        world
    }

    /// The numbers that stand in the functions that a run can reach which begins with a function: what they test for, so worth
    /// being given to them. Each once, in order, at most [`NUMBERS`] of a function and a kind.
    pub(crate) fn numbers(&self, function: &Function) -> Numbers {
        let mut numbers = Numbers::default();
        for f in self.reached(function) {
            let (mut integers, mut floats) = (integers(f), floats(f));
            let (widened, cut) = conversions(f);
            // What a converted number is compared with is a number of the other kind, too.
            let from_floats: Vec<i64> =
                if widened { floats.iter().map(|&f| f as i64).collect() } else { Vec::new() };
            if cut {
                floats.extend(integers.iter().map(|&number| number as f64));
            }
            integers.extend(from_floats);
            // Such small numbers come by themselves.
            let rare =
                integers.into_iter().map(|number| number as u64).filter(|number| number.wrapping_add(8) > 16);
            numbers.integers.extend(rare.take(NUMBERS));
            numbers.floats.extend(floats.into_iter().map(f64::to_bits).take(NUMBERS));
        }
        numbers
    }

    /// How many operations and terminators the functions have that a run can reach which begins with a function.
    pub(crate) fn size(&self, function: &Function) -> u64 {
        let of = |f: &Function| f.live_inst_count() + f.blocks().len();
        self.reached(function).into_iter().map(of).sum::<usize>() as u64
    }

    /// Whether a run that begins with a function may ask for lengths of arrays.
    pub(crate) fn measures(&self, function: &Function) -> bool {
        self.reached(function).into_iter().any(measures)
    }

    /// Addresses of classes that the guards of a function name: worth giving to outside objects.
    pub fn classes(&self, function: &Function) -> Vec<u64> {
        let mut classes = Vec::new();
        for (_, inst) in function.live_insts() {
            let class = match function.inst(inst).op {
                Op::GuardClass | Op::GuardNonnullClass => function.args(inst)[1],
                Op::GuardException => function.args(inst)[0],
                _ => continue,
            };
            let address = match function.constant(class) {
                Some(Const::Int(int)) => int.unsigned(),
                Some(Const::Symbol(symbol, _)) => self.symbol(symbol).0 & ((1 << 60) - 1),
                _ => continue,
            };
            if !classes.contains(&address) && classes.len() < 16 {
                classes.push(address);
            }
        }
        for symbol in self.classes_asked_for(function) {
            let address = self.symbol(symbol).0 & ((1 << 60) - 1);
            if !classes.contains(&address) && classes.len() < 16 {
                classes.push(address);
            }
        }
        classes
    }

    /// Objects that a function names and of which something is known, functions too: worth being given to it.
    pub fn named(&self, function: &Function) -> Vec<(u64, String)> {
        let mut named = Vec::new();
        for value in (0..function.value_count()).map(Value::from_index) {
            let Some(Const::Symbol(symbol, Type::Ref)) = function.constant(value) else { continue };
            let number = symbol.index() as u32;
            let is_known = self.world.class_of(number).is_some() || self.world.length_of(number).is_some();
            if is_known || self.functions.contains_key(self.symbol(symbol).1.as_str()) {
                named.push(self.symbol(symbol));
            }
        }
        named
    }
}

/// Numbers that stand in functions.
#[derive(Default)]
pub(crate) struct Numbers {
    /// Integers, extended by their signs.
    pub integers: BTreeSet<u64>,
    /// Floats, by their encodings in binary64.
    pub floats: BTreeSet<u64>,
}

impl Numbers {
    /// Adds those of other functions.
    pub fn extend(&mut self, other: Numbers) {
        self.integers.extend(other.integers);
        self.floats.extend(other.floats);
    }
}

/// The integers that stand in a function, labels of switches too.
fn integers(function: &Function) -> Vec<i64> {
    let args = function.live_insts().flat_map(|(_, inst)| function.args(inst));
    let args = args.filter_map(|&arg| function.int_constant(arg));
    let keys = function.blocks().iter().flat_map(|&block| match function.terminator(block) {
        Terminator::Switch { cases, .. } => &cases[..],
        _ => &[],
    });
    args.chain(keys.map(|&(key, _)| key)).map(|number| number.signed()).collect()
}

/// The floats that stand in a function, but for those that are no numbers.
fn floats(function: &Function) -> Vec<f64> {
    let args = function.live_insts().flat_map(|(_, inst)| function.args(inst));
    let floats = args.filter_map(|&arg| match function.constant(arg)? {
        Const::Real(number) => Some(number.0.to_f64()),
        _ => None,
    });
    floats.filter(|float| !float.is_nan()).collect()
}

/// Whether a function makes floats of integers, and integers of floats. A comparison of floats makes a truth, which is neither.
fn conversions(function: &Function) -> (bool, bool) {
    let (mut widened, mut cut) = (false, false);
    for (_, inst) in function.live_insts() {
        let takes = |is: fn(Type) -> bool| function.args(inst).iter().any(|&arg| is(function.ty(arg)));
        for result in function.results(inst) {
            match function.ty(result) {
                Type::Float(_) => widened |= takes(|ty| matches!(ty, Type::Int(_))),
                Type::Int(width) if width > 1 => cut |= takes(|ty| matches!(ty, Type::Float(_))),
                _ => {}
            }
        }
    }
    (widened, cut)
}

/// Whether a function asks for lengths of arrays.
pub(crate) fn measures(function: &Function) -> bool {
    function.live_insts().any(|(_, inst)| function.inst(inst).op == Op::ArrayLen)
}
