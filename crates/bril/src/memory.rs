//! Memory and output as calls with stated effects.
//!
//! Bril's memory is regions of values of one type, reached by pointers with an offset. A pointer is a
//! reference of which nothing is known, and each operation on it a call of a name of its own that says
//! the type: `bril.load.int`. Memory of different types is different memory; allocations are different
//! from each other and from everything. Output is a call that touches no memory and keeps its place.

use planish_ir::Module;
use planish_ir::module::Descriptor;
use planish_ops::world::{CallEffect, Cells, Descr};

use crate::ast::Type;

/// What begins the name of every operation here. No function may be named so.
pub const PREFIX: &str = "bril.";

/// An operation on memory, or output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// `alloc n`
    Allocate,
    /// `free p`
    Free,
    /// `load p`
    Load,
    /// `store p v`
    Store,
    /// `ptradd p i`
    Move,
    /// `print v ...`
    Print,
}

const NAMES: &[(&str, Action)] = &[
    ("alloc", Action::Allocate),
    ("free", Action::Free),
    ("load", Action::Load),
    ("store", Action::Store),
    ("ptradd", Action::Move),
    ("print", Action::Print),
];

impl Action {
    /// The action of an operation's name.
    pub fn named(name: &str) -> Option<Action> {
        NAMES.iter().find(|(text, _)| *text == name).map(|(_, action)| *action)
    }

    /// The operation's name.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(_, action)| *action == self).map_or("", |(text, _)| text)
    }

    /// The descriptor of an action on memory that holds values of a type.
    pub fn descriptor(self, module: &mut Module, held: Option<&Type>) -> Descr {
        let name = match held {
            Some(held) => format!("{PREFIX}{}.{}", self.name(), encode(held)),
            None => format!("{PREFIX}{}", self.name()),
        };
        let class = held.map_or(0, class);
        let descr = module.descriptors.intern(name, || Descriptor::Callee(self.effect(class)));
        let cells = match self {
            Action::Allocate => Cells::Allocate,
            Action::Free => Cells::Free,
            Action::Load => Cells::Load,
            Action::Store => Cells::Store,
            Action::Move => Cells::Move,
            Action::Print => return descr,
        };
        module.descriptors.set_cells(descr, cells);
        descr
    }

    /// The action that a descriptor's name says, and the type of the values held.
    pub fn decode(name: &str) -> Option<(Action, Option<Type>)> {
        let rest = name.strip_prefix(PREFIX)?;
        let (action, held) = match rest.split_once('.') {
            Some((action, held)) => (action, Some(decode(held)?)),
            None => (rest, None),
        };
        Some((Action::named(action)?, held))
    }

    fn effect(self, class: u32) -> CallEffect {
        let quiet = CallEffect { elidable: false, ..CallEffect::pure() };
        match self {
            Action::Move => CallEffect::pure(),
            Action::Allocate | Action::Print => quiet,
            Action::Load => CallEffect { reads: Some(vec![class]), ..quiet },
            Action::Store => CallEffect { writes: Some(vec![class]), ..quiet },
            // Whatever is read or written must come before.
            Action::Free => CallEffect { reads: None, writes: None, ..quiet },
        }
    }
}

/// The alias class of memory that holds values of a type.
fn class(held: &Type) -> u32 {
    match held {
        Type::Int => 1,
        Type::Bool => 2,
        Type::Float => 3,
        Type::Char => 4,
        Type::Ptr(_) => 5,
    }
}

fn encode(ty: &Type) -> String {
    match ty {
        Type::Ptr(to) => format!("ptr.{}", encode(to)),
        plain => plain.to_string(),
    }
}

fn decode(text: &str) -> Option<Type> {
    match text {
        "int" => Some(Type::Int),
        "bool" => Some(Type::Bool),
        "float" => Some(Type::Float),
        "char" => Some(Type::Char),
        _ => Some(Type::Ptr(Box::new(decode(text.strip_prefix("ptr.")?)?))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_the_action_and_the_type() {
        let held = Type::Ptr(Box::new(Type::Float));
        let mut module = Module::new();
        let descr = Action::Load.descriptor(&mut module, Some(&held));
        let name = planish_ops::world::World::name(&module.descriptors, descr).to_owned();
        assert_eq!(name, "bril.load.ptr.float");
        assert_eq!(Action::decode(&name), Some((Action::Load, Some(held))));
        assert_eq!(Action::decode("bril.print"), Some((Action::Print, None)));
        assert_eq!(Action::decode("main"), None);
        assert_eq!(Action::decode("bril.load.word"), None);
    }
}
