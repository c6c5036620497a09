//! A rule file as written: names are text, nothing is resolved.
//!
//! ```text
//! # Why it holds.
//! sub_const [java]: sub(x, C1)
//!     C = -C1
//!     check C1 != MININT
//!     => add(x, C)
//! ```

use planish_base::Span;

/// A name and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ident {
    /// The name.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// A rule file.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// The rules, in the order of the file.
    pub rules: Vec<RuleText>,
}

/// One rule as written.
#[derive(Clone, Debug)]
pub struct RuleText {
    /// Its name.
    pub name: Ident,
    /// What stands in brackets after the name: `explore`, `pays`, `certified`, or a tag of a profile.
    pub marks: Vec<Ident>,
    /// The comment lines above and inside the rule, joined with line breaks.
    pub doc: String,
    /// What is matched.
    pub pattern: Term,
    /// Conditions and computed values, in order.
    pub elements: Vec<Element>,
    /// What the pattern becomes.
    pub target: TargetText,
    /// A request not to prove the rule.
    pub sorry: Option<Sorry>,
    /// The whole rule.
    pub span: Span,
}

/// `SORRY_Z3: reason`
#[derive(Clone, Debug)]
pub struct Sorry {
    /// Why no proof is asked for; empty as PyPy writes it.
    pub reason: String,
    /// Where it stands.
    pub span: Span,
}

/// What is matched or built: an operation over operations, variables and constants.
#[derive(Clone, Debug)]
pub struct Term {
    /// What it is.
    pub kind: TermKind,
    /// The type written after it: `x: i32`, `x: a`.
    pub ty: Option<Ident>,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of [`Term`].
#[derive(Clone, Debug)]
pub enum TermKind {
    /// A variable, a constant `C...`, or one of MININT, MAXINT, LONG_BIT.
    Name(String),
    /// An integer.
    Integer(i128),
    /// A float.
    Float(f64),
    /// An operation on operands.
    Apply(Ident, Vec<Term>),
}

/// What a rule's pattern becomes.
#[derive(Clone, Debug)]
pub enum TargetText {
    /// One value. `pass` and `fail` are names here and become guard outcomes when the pattern is a guard.
    One(Term),
    /// Both results of an operation with two: `(value, overflow)`.
    Two(Term, Term),
}

/// A line between pattern and target.
#[derive(Clone, Debug)]
pub enum Element {
    /// `check expression`
    Check(Expr),
    /// `name = expression`
    Compute(Ident, Expr),
}

/// An expression of a check or a computed constant.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of [`Expr`].
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A name.
    Name(String),
    /// An integer without sign.
    Integer(i128),
    /// A float without sign.
    Float(f64),
    /// `-a`, `~a`
    Unary(Unary, Box<Expr>),
    /// `a + b`
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `a < b`
    Compare(Compare, Box<Expr>, Box<Expr>),
    /// `not a`
    Not(Box<Expr>),
    /// `a and b`
    And(Box<Expr>, Box<Expr>),
    /// `a or b`
    Or(Box<Expr>, Box<Expr>),
    /// `f(a, b)`
    Call(Ident, Vec<Expr>),
    /// `x.method(a)`; `x.attribute` has no list.
    Member(Box<Expr>, Ident, Option<Vec<Expr>>),
}

/// Prefix operators on words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unary {
    /// `-`
    Neg,
    /// `~`
    Not,
}

/// Infix operators on words. `Div` and `Mod` round down, as in Python. Sums, differences, products and `Ratio` are of
/// floats, too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binary {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `//`
    Div,
    /// `%`
    Mod,
    /// `//u`
    UDiv,
    /// `%u`
    UMod,
    /// `/`, of floats alone
    Ratio,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `>>u`
    UShr,
}

/// Comparisons of words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compare {
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `<u`
    Ult,
    /// `<=u`
    Ule,
    /// `>u`
    Ugt,
    /// `>=u`
    Uge,
}

impl Unary {
    /// As written.
    pub fn symbol(self) -> &'static str {
        match self {
            Unary::Neg => "-",
            Unary::Not => "~",
        }
    }
}

impl Binary {
    /// As written, with how tightly it binds.
    pub const ALL: [(Binary, &'static str, u8); 14] = [
        (Binary::Or, "|", 4),
        (Binary::Xor, "^", 5),
        (Binary::And, "&", 6),
        (Binary::Shl, "<<", 7),
        (Binary::Shr, ">>", 7),
        (Binary::UShr, ">>u", 7),
        (Binary::Add, "+", 8),
        (Binary::Sub, "-", 8),
        (Binary::Mul, "*", 9),
        (Binary::Div, "//", 9),
        (Binary::Mod, "%", 9),
        (Binary::UDiv, "//u", 9),
        (Binary::UMod, "%u", 9),
        (Binary::Ratio, "/", 9),
    ];

    /// As written.
    pub fn symbol(self) -> &'static str {
        Self::ALL.iter().find(|row| row.0 == self).expect("every operator is in the list").1
    }
}

impl Compare {
    /// As written.
    pub const ALL: [(Compare, &'static str); 10] = [
        (Compare::Eq, "=="),
        (Compare::Ne, "!="),
        (Compare::Lt, "<"),
        (Compare::Le, "<="),
        (Compare::Gt, ">"),
        (Compare::Ge, ">="),
        (Compare::Ult, "<u"),
        (Compare::Ule, "<=u"),
        (Compare::Ugt, ">u"),
        (Compare::Uge, ">=u"),
    ];

    /// As written.
    pub fn symbol(self) -> &'static str {
        Self::ALL.iter().find(|row| row.0 == self).expect("every comparison is in the list").1
    }
}
