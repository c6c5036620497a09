//! A Bril program as it is written: functions of labels and instructions over named variables.
//!
//! Nothing is checked here but shape. Names have no sigil (`main`, not `@main`; `loop`, not `.loop`).

use planish_base::Span;

/// A program.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Program {
    /// Its functions, in order.
    pub functions: Vec<Function>,
}

/// A function.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its parameters.
    pub params: Vec<(String, Type)>,
    /// The type of its result, if it has one.
    pub result: Option<Type>,
    /// Labels and instructions, in order.
    pub body: Vec<Item>,
    /// Where its name stands; empty when it was read from JSON.
    pub span: Span,
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// 64-bit integers.
    Int,
    /// Truth values.
    Bool,
    /// binary64
    Float,
    /// A Unicode character.
    Char,
    /// A pointer to memory that holds values of one type.
    Ptr(Box<Type>),
}

impl std::fmt::Display for Type {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Type::Int => f.write_str("int"),
            Type::Bool => f.write_str("bool"),
            Type::Float => f.write_str("float"),
            Type::Char => f.write_str("char"),
            Type::Ptr(to) => write!(f, "ptr<{to}>"),
        }
    }
}

/// A label or an instruction.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A place that jumps name.
    Label(String, Span),
    /// An instruction.
    Instruction(Instruction),
}

/// An instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Instruction {
    /// The operation's name.
    pub op: String,
    /// The variable that gets the result, and its type.
    pub dest: Option<(String, Type)>,
    /// Variables.
    pub args: Vec<String>,
    /// Functions.
    pub funcs: Vec<String>,
    /// Labels.
    pub labels: Vec<String>,
    /// The value of a `const`.
    pub value: Option<Literal>,
    /// Where it stands; empty when it was read from JSON.
    pub span: Span,
}

/// A constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Literal {
    /// An integer.
    Int(i64),
    /// A truth value.
    Bool(bool),
    /// A float.
    Float(f64),
    /// A character.
    Char(char),
}
