//! The structure of the `.ssa` text: statements, names not yet resolved.

use planish_base::Span;
use planish_ops::Type;
use planish_ops::world::Extension;
use smallvec::SmallVec;

/// A name and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Name<'t> {
    pub text: &'t str,
    pub span: Span,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum OperandKind<'t> {
    Value(&'t str),
    Integer(&'t str),
    Float(&'t str),
    Null,
    None,
    Symbol(&'t str),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Operand<'t> {
    pub kind: OperandKind<'t>,
    pub ty: Option<Type>,
    pub span: Span,
}

#[derive(Debug)]
pub(super) struct Call<'t> {
    pub block: Name<'t>,
    pub args: Vec<Operand<'t>>,
}

#[derive(Debug)]
pub(super) enum ExitTarget<'t> {
    Leave(u32),
    Unwind,
    To(Vec<(Option<Name<'t>>, Name<'t>)>),
}

#[derive(Debug)]
pub(super) struct Exit<'t> {
    pub target: ExitTarget<'t>,
    pub args: Vec<Operand<'t>>,
    pub recipe: Option<Recipe<'t>>,
}

#[derive(Debug)]
pub(super) struct Recipe<'t> {
    pub steps: Vec<RecipeStep<'t>>,
    pub state: Vec<Name<'t>>,
}

#[derive(Debug)]
pub(super) struct RecipeStep<'t> {
    pub result: Option<Name<'t>>,
    pub op: Name<'t>,
    pub operands: Vec<Name<'t>>,
    pub descr: Option<Name<'t>>,
}

#[derive(Debug)]
pub(super) struct Operation<'t> {
    pub results: SmallVec<[(Name<'t>, Option<Type>); 1]>,
    pub op: Name<'t>,
    pub args: SmallVec<[Operand<'t>; 2]>,
    pub descr: Option<Name<'t>>,
    pub exit: Option<Exit<'t>>,
}

#[derive(Debug)]
pub(super) enum Terminator<'t> {
    Jump(Call<'t>),
    Branch(Operand<'t>, Call<'t>, Call<'t>),
    Switch(Operand<'t>, Vec<(Operand<'t>, Call<'t>)>, Call<'t>),
    Return(Vec<Operand<'t>>, Span),
    Throw(Operand<'t>, Option<Exit<'t>>),
    Unreachable,
}

#[derive(Debug)]
pub(super) struct Block<'t> {
    pub name: Name<'t>,
    pub params: Vec<(Name<'t>, Type)>,
    pub operations: Vec<Operation<'t>>,
    pub terminator: Option<Terminator<'t>>,
}

#[derive(Debug)]
pub(super) struct Function<'t> {
    pub name: Name<'t>,
    pub params: Vec<(Name<'t>, Type)>,
    pub results: Vec<Type>,
    pub blocks: Vec<Block<'t>>,
}

#[derive(Debug)]
pub(super) enum Declared<'t> {
    Location {
        ty: Type,
        words: Vec<(Name<'t>, Option<u64>)>,
    },
    Class,
    Other,
    Table {
        ty: Type,
        items: Vec<Operand<'t>>,
        span: Span,
    },
    Callee {
        words: Vec<Name<'t>>,
        result: Option<Extension>,
        reads: Option<Vec<u32>>,
        writes: Option<Vec<u32>>,
    },
}

#[derive(Debug)]
pub(super) struct Declaration<'t> {
    pub name: Name<'t>,
    pub what: Declared<'t>,
}

/// A whole text.
#[derive(Debug, Default)]
pub(super) struct File<'t> {
    pub declarations: Vec<Declaration<'t>>,
    pub functions: Vec<Function<'t>>,
    /// The straight line, when there is no function: operations and the last return.
    pub straight: Option<(Vec<Operation<'t>>, Option<Terminator<'t>>)>,
}
