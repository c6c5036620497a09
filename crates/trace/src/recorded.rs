//! What a recording shows of its constants.
//!
//! A raw trace is the record of a run: every guard in it passed, once. What constants alone decide is decided the same way
//! whenever the trace runs, so a guard that asks about nothing but constants passes always, and says something of them for
//! good. A log gives a constant object a new name at each place and keeps the class of an allocation to itself; guards that
//! the optimizer finds to be about such constants tell that two names are of one object, that an object is of a class, or
//! that whatever is allocated at a place is of a class.
//!
//! That needs an optimizer: most of these guards are about fields of objects that are not made, and what they hold is known
//! behind a walk. So a trace is optimized, looked at, and lifted again with what was learned, until nothing new is found.
//! What is learned goes into the source itself, where names are replaced and allocations say their class; so the interpreter
//! holds what comes out against a source that means the same. Only what was recorded counts: the body of a loop that was
//! peeled is an iteration more, of which nobody has seen that its guards pass, unless PyPy has (`second`). Whoever asks for it
//! may have the same assumed of every body, and that constant objects which were found to differ from objects of a class are of another one:
//! that is what a log lacks of constants and fresh objects, and what PyPy sees in memory. Each such fact is said.

use hashbrown::{HashMap, HashSet};
use planish_base::{Id, SideTable};
use planish_ir::{Block, Const, Function, Inst, Location, Module, Symbol, Value};
use planish_ops::world::{Content, Mutability, World};
use planish_ops::{Effect, Op, Type};
use rustc_hash::FxBuildHasher;

use crate::parent::FOREIGN;
use crate::second::Asked;
use crate::spared::{Alone, Spared};
use crate::text::OpData;

/// What a recording shows of its constants.
#[derive(Default)]
pub struct Recorded {
    /// For a name of a constant object another one of the same object.
    names: HashMap<Symbol, Symbol, FxBuildHasher>,
    /// The classes of constant objects, in the order in which they were learned.
    classes: Vec<(Symbol, Const)>,
    /// The classes of what is allocated, by the place of the operation.
    allocated: HashMap<Location, Content, FxBuildHasher>,
    /// Guards that constants alone decide, by their place.
    decided: HashSet<Location, FxBuildHasher>,
    /// What was not recorded but assumed, in words; nothing where only what was recorded counts.
    assumed: Option<Vec<String>>,
    /// What the body of PyPy's loop asks while it runs, if PyPy peeled it.
    second: Option<Asked>,
    /// What calls leave alone, by PyPy's result.
    spared: Spared,
    /// How many facts PyPy's body shows.
    shown: usize,
}

impl Recorded {
    /// Nothing yet, of a loop that PyPy may have peeled, and whose calls leave alone what PyPy's result shows.
    pub(crate) fn beside(second: Option<Asked>, spared: Spared) -> Recorded {
        Recorded { second, spared, ..Recorded::default() }
    }

    /// What a call is known to leave alone.
    pub(crate) fn spared(&self, call: &OpData) -> Option<&Alone> {
        self.spared.get(&call.span.start)
    }

    /// How many facts PyPy's body shows.
    pub(crate) fn shown(&self) -> usize {
        self.shown
    }

    /// The name that stands for all names of a constant object.
    pub(crate) fn name(&self, mut symbol: Symbol) -> Symbol {
        while let Some(&other) = self.names.get(&symbol) {
            symbol = other;
        }
        symbol
    }

    /// The classes of constant objects, by the name that stands for all names.
    pub(crate) fn classes(&self) -> impl Iterator<Item = (Symbol, Const)> {
        self.classes.iter().map(|&(symbol, class)| (self.name(symbol), class))
    }

    /// The class of what an operation allocates.
    pub(crate) fn allocated(&self, at: Location) -> Option<Content> {
        self.allocated.get(&at).copied()
    }

    /// Whether constants alone decide the guard at a place.
    pub(crate) fn decides(&self, at: Location) -> bool {
        self.decided.contains(&at)
    }

    /// From here on more is assumed than was recorded. Whether that is new.
    pub(crate) fn assume(&mut self) -> bool {
        let new = self.assumed.is_none();
        self.assumed.get_or_insert_default();
        new
    }

    /// What was not recorded but assumed, in words.
    pub(crate) fn into_assumed(self) -> Vec<String> {
        self.assumed.unwrap_or_default()
    }

    /// Learns from what became of the trace that `self` went into; `recorded` is how many blocks it had. Whether anything
    /// is new. O(length).
    pub(crate) fn learn(&mut self, f: &Function, recorded: usize, module: &Module) -> bool {
        let (asked, fixed) = (SideTable::new(), SideTable::new());
        let mut learning = Learning { known: self, f, module, asked, fixed, in_body: false, new: false };
        let assumes = learning.known.assumed.is_some();
        let counts = |block: &Block| block.index() < recorded;
        for block in f.blocks().iter().copied().filter(|block| assumes || counts(block)) {
            f.block_insts(block).iter().for_each(|&inst| learning.passed(inst));
        }
        if !assumes && let Some(second) = learning.known.second.take() {
            learning.in_body = true;
            for block in f.blocks().iter().copied().filter(|block| !counts(block)) {
                f.block_insts(block).iter().for_each(|&inst| learning.seen_by_pypy(inst, &second));
            }
            learning.known.second = Some(second);
        }
        learning.new
    }
}

/// A look at an optimized recording.
struct Learning<'a> {
    known: &'a mut Recorded,
    f: &'a Function,
    module: &'a Module,
    /// The classes that guards asked references for.
    asked: SideTable<Value, Option<Value>>,
    /// Results that are made of nothing but constants.
    fixed: SideTable<Value, bool>,
    /// Whether this is the body, of which PyPy's shows something.
    in_body: bool,
    new: bool,
}

impl Learning<'_> {
    /// Control came past an operation.
    fn passed(&mut self, inst: Inst) {
        let f = self.f;
        if self.computes(inst) {
            f.results(inst).for_each(|result| self.fixed[result] = true);
        }
        match (f.inst(inst).op, f.args(inst)) {
            (Op::GuardValue, &[x, y]) => match (self.object(x), self.object(y), self.asked[x]) {
                (Some(x), Some(y), _) => self.same(x, y),
                (None, Some(object), Some(class)) => self.object_is_of(object, class),
                _ => self.decided(inst),
            },
            (Op::GuardClass | Op::GuardNonnullClass, &[x, class]) => {
                self.asked[x] = Some(class);
                match self.object(x) {
                    Some(object) => self.object_is_of(object, class),
                    None => self.allocates(x, class),
                }
            }
            (op @ (Op::GuardTrue | Op::GuardFalse), &[condition]) => {
                self.comparison(inst, condition, op == Op::GuardTrue);
                self.decided(inst);
            }
            (Op::GuardNonnull | Op::GuardIsnull, _) => self.decided(inst),
            _ => {}
        }
    }

    /// An operation of the body is one that PyPy looked at too.
    fn seen_by_pypy(&mut self, inst: Inst, second: &Asked) {
        let (f, at) = (self.f, self.f.inst(inst).location);
        match (f.inst(inst).op, f.args(inst)) {
            (Op::GuardValue, &[x, y]) if second.decides_value(at) => {
                if let (Some(x), Some(y)) = (self.object(x), self.object(y)) {
                    self.same(x, y);
                }
            }
            (Op::GuardClass | Op::GuardNonnullClass, &[x, class]) => {
                let asks = f.constant(class).map(|class| word(class, self.module));
                if asks.is_some_and(|asks| second.decides_class(at, &asks)) {
                    match self.object(x) {
                        Some(object) => self.object_is_of(object, class),
                        None => self.allocates(x, class),
                    }
                }
            }
            (op @ (Op::GuardTrue | Op::GuardFalse), &[condition]) if second.decides_comparisons() => {
                self.equal_objects(condition, op == Op::GuardTrue);
            }
            _ => {}
        }
    }

    /// The constant object that a value is.
    fn object(&self, value: Value) -> Option<Symbol> {
        match self.f.constant(value) {
            Some(Const::Symbol(symbol, Type::Ref)) => Some(self.known.name(symbol)),
            _ => None,
        }
    }

    /// Two names are of one object.
    fn same(&mut self, x: Symbol, y: Symbol) {
        if x != y {
            // A name that the trace has itself stands for one that it knows from its parent.
            let (name, other) = if self.module.symbols.get(x).starts_with(FOREIGN) { (y, x) } else { (x, y) };
            self.known.names.insert(other, name);
            self.found(|module| format!("{} is {}", module.symbols.get(other), module.symbols.get(name)));
        }
    }

    /// A constant object is of a class.
    fn object_is_of(&mut self, object: Symbol, class: Value) {
        if let Some(class) = self.f.constant(class)
            && !self.known.classes().any(|(known, _)| known == object)
        {
            self.known.classes.push((object, class));
            self.found(|module| {
                format!("{} is of class {}", module.symbols.get(object), word(class, module))
            });
        }
    }

    /// What is allocated where a value is made is of a class.
    fn allocates(&mut self, value: Value, class: Value) {
        let Some(made) = self.f.def_inst(value).filter(|&made| self.f.inst(made).op == Op::New) else {
            return;
        };
        let address = match self.f.constant(class) {
            Some(Const::Int(number)) => Content::Int(number.signed()),
            Some(Const::Symbol(symbol, _)) => Content::Symbol(symbol.index() as u32),
            _ => return,
        };
        let (at, class) = (self.f.inst(made).location, self.f.constant(class));
        if self.known.allocated.insert(at, address).is_none() {
            self.found(|module| {
                let class = class.map_or(String::new(), |class| word(class, module));
                format!("what operation {} allocates is of class {class}", at.0)
            });
        }
    }

    /// A condition came out one way at a guard: two names may be of one object.
    fn comparison(&mut self, guard: Inst, condition: Value, truth: bool) {
        let Some((op, [x, y])) = self.equal_objects(condition, truth) else { return };
        let objects = [x, y].map(|value| self.object(value).is_some());
        let other = if objects[0] { y } else { x };
        let unequal = if truth { Op::RefNe } else { Op::RefEq };
        if self.known.assumed.is_some()
            && op == unequal
            && objects[0] != objects[1]
            && self.asked[other].is_some()
        {
            self.passes(guard);
        }
    }

    /// A comparison of two objects came out one way at a guard: their names may be of one. What it compares, and how.
    fn equal_objects(&mut self, condition: Value, truth: bool) -> Option<(Op, [Value; 2])> {
        let f = self.f;
        let made = f.def_inst(condition)?;
        let (op, &[x, y]) = (f.inst(made).op, f.args(made)) else { return None };
        let equal = if truth { Op::RefEq } else { Op::RefNe };
        if let (Some(x), Some(y)) = (self.object(x), self.object(y))
            && op == equal
        {
            self.same(x, y);
        }
        Some((op, [x, y]))
    }

    /// Whether a value is a constant or made of nothing but constants.
    fn is_fixed(&self, value: Value) -> bool {
        self.f.constant(value).is_some() || self.fixed[value]
    }

    /// Whether an operation makes the same of nothing but constants whenever it runs. Constant strings do not change; a
    /// field that is watched may.
    fn computes(&self, inst: Inst) -> bool {
        let (op, descr) = (self.f.inst(inst).op, self.f.inst(inst).descr);
        let always = match op {
            Op::StrLen | Op::StrGet | Op::ArrayLen => true,
            Op::GetItem | Op::GetField => {
                let location = descr.and_then(|descr| self.module.descriptors.location(descr));
                location.is_some_and(|location| location.mutability == Mutability::Immutable)
            }
            Op::Call => descr.is_some_and(|descr| self.module.descriptors.call_effect(descr).elidable),
            _ => self.f.row(inst).effect == Effect::Pure,
        };
        always && self.f.args(inst).iter().all(|&arg| self.is_fixed(arg))
    }

    /// Whatever a guard asks, it may ask constants only.
    fn decided(&mut self, guard: Inst) {
        if self.f.args(guard).iter().all(|&arg| self.is_fixed(arg)) {
            self.passes(guard);
        }
    }

    /// A guard always passes.
    fn passes(&mut self, guard: Inst) {
        let at = self.f.inst(guard).location;
        if self.known.decided.insert(at) {
            self.found(|_| format!("the guard at operation {} passes", at.0));
        }
    }

    /// Something is new.
    fn found(&mut self, words: impl FnOnce(&Module) -> String) {
        self.new = true;
        self.known.shown += usize::from(self.in_body);
        if let Some(assumed) = &mut self.known.assumed {
            assumed.push(words(self.module));
        }
    }
}

/// A class as a log prints it.
fn word(class: Const, module: &Module) -> String {
    match class {
        Const::Symbol(symbol, _) => module.symbols.get(symbol).clone(),
        Const::Int(number) => number.signed().to_string(),
        _ => String::new(),
    }
}
