//! A language whose values are words: its published operators, and which operations may be written in it.
//!
//! Such a language has a few operators of its own. Its extension adds every other pure operation of
//! the table whose operands and single result can be words, under its name in the table. A reader takes
//! both; a writer keeps to the published ones unless told otherwise.

use planish_ops::{Effect, Op, Shape};

use crate::expand;

/// The operators of a published language, and what they mean at the width of a word. One operator may mean
/// several operations, told apart by the number of operands.
#[derive(Clone, Copy, Debug)]
pub struct Operators(pub &'static [(&'static str, Op)]);

impl Operators {
    /// What an operator or the name of an operation means, what is published first.
    pub fn meanings(self, text: &str) -> impl Iterator<Item = Op> {
        let named = Op::from_name(text).filter(|&op| is_word_operation(op) && op != Op::Use);
        let published = self.0.iter().filter(move |(operator, _)| *operator == text).map(|(_, op)| *op);
        published.chain(named)
    }

    /// How an operation is written.
    pub fn spelling(self, op: Op) -> &'static str {
        match self.0.iter().find(|(_, published)| *published == op) {
            Some((text, _)) => text,
            None => op.name(),
        }
    }

    /// Whether the published language has an operation.
    pub fn has(self, op: Op) -> bool {
        self.0.iter().any(|(_, published)| *published == op)
    }

    /// Whether an operation may be written as it is, in the published language or in the extended one.
    pub fn may_write(self, op: Op, extended: bool) -> bool {
        self.has(op) || (extended && is_word_operation(op))
    }

    /// How many operators of the published language an operation takes; `None` when it has no form there. A
    /// choice is never cheaper than the branch that it could be.
    pub fn price(self, op: Op) -> Option<u32> {
        match op {
            Op::Select => Some(3),
            _ => expand::price(op, &|op| self.has(op)),
        }
    }
}

/// Whether an operation is pure and can have words as operands and as its only result.
pub fn is_word_operation(op: Op) -> bool {
    let row = op.row();
    let word = |shape: &Shape| matches!(shape, Shape::Int(_) | Shape::Any(_));
    let changes_width = matches!(op, Op::Sext | Op::Zext | Op::Trunc);
    (row.effect == Effect::Pure && row.descriptor.is_none() && !changes_width)
        && (op == Op::Use || (!row.operands.is_empty() && row.operands.iter().all(word)))
        && row.results.len() == 1
        && row.results.iter().all(word)
}
