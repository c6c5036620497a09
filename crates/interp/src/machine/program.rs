//! What a function needs besides itself, and what world it should be run in.

use hashbrown::HashMap;
use planish_base::{Id, Interner};
use planish_ir::{Const, Function, Module, Symbol, Value};
use planish_ops::world::{Characters, World};
use planish_ops::{Op, Type};
use rustc_hash::FxBuildHasher;

use crate::heap::symbol_object;
use crate::scenario::Scenario;

/// What a function needs besides itself: descriptors, names of symbols, other functions.
pub struct Program<'a> {
    pub(crate) world: &'a dyn World,
    pub(super) symbols: Option<&'a Interner<Symbol, String>>,
    pub(super) functions: HashMap<&'a str, &'a Function, FxBuildHasher>,
    /// Strings that the world does not know yet, and the number of the first's symbol.
    texts: (u32, &'a [Characters]),
    /// Whether functions are called on their first argument, which is then never null.
    receiver: bool,
}

impl<'a> Program<'a> {
    /// The functions of a module.
    pub fn of(module: &'a Module) -> Self {
        let functions = module.functions.values().map(|f| (f.name.as_str(), f)).collect();
        Program {
            world: &module.descriptors,
            symbols: Some(&module.symbols),
            functions,
            texts: (0, &[]),
            receiver: false,
        }
    }

    /// No other functions, and symbols without names.
    pub fn bare(world: &'a dyn World) -> Self {
        Program { world, symbols: None, functions: HashMap::default(), texts: (0, &[]), receiver: false }
    }

    /// Lets calls of a name go to another function.
    pub fn define(&mut self, name: &'a str, function: &'a Function) {
        self.functions.insert(name, function);
    }

    /// Says whether functions are methods of objects: their first argument is then never null.
    pub fn with_receiver(self, receiver: bool) -> Self {
        Program { receiver, ..self }
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
        Scenario {
            seed: 0,
            classes: self.classes(function),
            layouts: self.layouts(function),
            measured: measures(function),
            named: self.named(function),
            receiver: self.receiver,
        }
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

    /// Objects that a function names and of which the world knows something: worth being given to it.
    pub fn named(&self, function: &Function) -> Vec<(u64, String)> {
        let mut named = Vec::new();
        for value in (0..function.value_count()).map(Value::from_index) {
            let Some(Const::Symbol(symbol, Type::Ref)) = function.constant(value) else { continue };
            let number = symbol.index() as u32;
            if self.world.class_of(number).is_some() || self.world.length_of(number).is_some() {
                named.push(self.symbol(symbol));
            }
        }
        named
    }
}

/// Whether a function asks for lengths of arrays.
pub(crate) fn measures(function: &Function) -> bool {
    function.live_insts().any(|(_, inst)| function.inst(inst).op == Op::ArrayLen)
}
