//! Programs of the three-address language as they are written: functions of statements with spans.
//!
//! Nothing is resolved here: labels and variables are names, and a name is a number in the program's
//! interner, so that comparing and looking up costs nothing.

use planish_base::{Interner, Span};
use planish_ops::Op;

planish_base::define_id!(
    /// The name of a variable, label or function.
    Name, "name"
);

/// What a statement reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    /// The value of a variable.
    Variable(Name),
    /// A number.
    Number(i64),
}

/// What a statement does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// `label L`: a place to go to.
    Label(Name),
    /// `goto L`
    Goto(Name),
    /// `switch v L0 L1 ...`: goes to the label that the value counts.
    Switch {
        /// The value.
        on: Operand,
        /// The labels.
        targets: Vec<Name>,
    },
    /// `return v ...`
    Return(Vec<Operand>),
    /// `mov x -> y`
    Move {
        /// What is copied.
        from: Operand,
        /// The variable that takes it.
        to: Name,
    },
    /// `op x ... -> y`; without a variable the result is lost.
    Op {
        /// The operation.
        op: Op,
        /// Its operands.
        args: Vec<Operand>,
        /// The variable that takes the result.
        result: Option<Name>,
    },
    /// `call f x ... -> y ...`
    Call {
        /// The function.
        callee: Name,
        /// The arguments.
        args: Vec<Operand>,
        /// The variables that take the results.
        results: Vec<Name>,
    },
    /// `use x y -> x y`: hands states on, each behind all of them.
    Use {
        /// The states.
        args: Vec<Operand>,
        /// The variables that take them.
        results: Vec<Name>,
    },
}

/// A statement and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// What it does.
    pub action: Action,
    /// Its tokens.
    pub span: Span,
}

/// A function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// The variables that hold its arguments.
    pub params: Vec<Name>,
    /// Its statements in order, of all blocks.
    pub statements: Vec<Statement>,
    /// Its header, or the first line where there is none.
    pub span: Span,
}

/// A program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The names of everything.
    pub names: Interner<Name, String>,
    /// The functions in order.
    pub functions: Vec<Function>,
}

impl Program {
    /// The text of a name.
    pub fn name(&self, name: Name) -> &str {
        self.names.get(name)
    }
}

impl Action {
    /// Whether the statement ends a block.
    pub fn ends_block(&self) -> bool {
        matches!(self, Action::Goto(_) | Action::Switch { .. } | Action::Return(_))
    }
}
