//! What a function consists of.
//!
//! Four arenas: values, instructions, blocks, exits. Operand lists are ranges of one pool. What a
//! value *is* ([`Def`]) and where an instruction *stands* (the list in its block) are apart, as in
//! Cranelift's `dfg` and `layout`; an instruction that stands nowhere is dead and costs nothing.
//!
//! Reading is here; everything that changes a function is in [`builder`](crate::builder) and
//! [`edit`](crate::edit).

use planish_base::{Arena, Interner, List, ListPool, SideTable};
use planish_ops::world::Descr;
use planish_ops::{Int, Op, Row, Type};

use crate::constant::Const;
use crate::heirs::Heirs;
use crate::recipe::{Recipe, RecipeId};

planish_base::define_id!(
    /// A value: the result of an instruction, a block parameter, or a constant.
    Value, "v"
);
planish_base::define_id!(
    /// An instruction: an operation at a place.
    Inst, "inst"
);
planish_base::define_id!(
    /// A basic block.
    Block, "block"
);
planish_base::define_id!(
    /// A side exit.
    Exit, "exit"
);
planish_base::define_id!(
    /// A constant in a function's pool.
    ConstId, "const"
);

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Def {
    /// The n-th result of an instruction.
    Result(Inst, u32),
    /// The n-th parameter of a block.
    Param(Block, u32),
    /// A constant.
    Const(ConstId),
}

/// A place in the source: a line, an offset in bytecode, the number of an operation. 0 is unknown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Location(pub u32);

#[derive(Clone, Copy, Debug)]
pub(crate) struct ValueData {
    pub ty: Type,
    pub def: Def,
}

/// An operation with its operands and results.
#[derive(Clone, Copy, Debug)]
pub struct InstData {
    /// The operation.
    pub op: Op,
    /// The number of results; they are consecutive values.
    pub(crate) results: u32,
    /// The first result.
    pub(crate) first_result: Option<Value>,
    /// The operands.
    pub args: List<Value>,
    /// The field, class, callee ... that the operation names.
    pub descr: Option<Descr>,
    /// Where it goes when it leaves. `None` for an operation that may throw means that it unwinds and
    /// nothing is kept for it.
    pub exit: Option<Exit>,
    /// Where it stood in the source.
    pub location: Location,
}

/// A block with arguments for its parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BlockCall {
    /// The block.
    pub block: Block,
    /// One value for each of its parameters.
    pub args: List<Value>,
}

/// How a block ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Terminator {
    /// Goes on at a block.
    Jump(BlockCall),
    /// Goes on at `then` where the condition (an integer) is not zero, else at `other`.
    Branch {
        /// The condition: any integer.
        condition: Value,
        /// Where to go on when it is not zero.
        then: BlockCall,
        /// Where to go on when it is zero.
        other: BlockCall,
    },
    /// Goes on at the case whose key the value equals, else at the default.
    Switch {
        /// The value that is compared.
        on: Value,
        /// Keys, all different, of the type of the value.
        cases: Box<[(Int, BlockCall)]>,
        /// Where to go on when no key is equal.
        default: BlockCall,
    },
    /// Leaves the function with its results.
    Return(List<Value>),
    /// Throws an exception, to the handlers of the exit or out of the function.
    Throw(Value, Option<Exit>),
    /// Cannot be reached.
    Unreachable,
}

/// A block to which control comes from other functions of the module as well: from one that returns behind a marker
/// with the descriptor of the entrance. Its parameters are a contract with those functions, so they keep number, order
/// and types; and nothing that is known before the block holds in it, for whoever comes from elsewhere did not pass
/// there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entrance {
    /// The block.
    pub block: Block,
    /// What functions that go there name.
    pub descr: Descr,
}

/// A basic block.
#[derive(Clone, Debug)]
pub(crate) struct BlockData {
    pub params: List<Value>,
    pub insts: Vec<Inst>,
    pub terminator: Terminator,
}

/// One handler of an exit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handler {
    /// The class of exceptions that it takes; `None` takes all.
    pub class: Option<Descr>,
    /// The block, whose first parameter is the exception; the others are the exit's arguments.
    pub block: Block,
}

/// Where control goes when an operation leaves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExitTarget {
    /// Out of the function, to whoever resumes: a failing guard. The number names the exit for the
    /// dialect (a guard's descriptor, the position of the guard).
    Leave(u32),
    /// Out of the function, as an exception.
    Unwind,
    /// To the first handler that takes the exception; none of them: out of the function.
    To(Box<[Handler]>),
}

/// A side exit: where it goes, and what the other side needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExitData {
    /// Where control goes.
    pub target: ExitTarget,
    /// The values that the other side needs: fail arguments, the locals of a handler. An instruction's
    /// own results may stand here only when the operation leaves after its effect.
    pub args: List<Value>,
    /// What is made of the arguments when control leaves, if the other side does not just get them; only where
    /// the exit leaves the function.
    pub recipe: Option<RecipeId>,
    /// Whether the source does not say what the other side needs. The arguments are then all that the function carries,
    /// and nobody will carry out a recipe that does more than make them.
    pub open: bool,
}

/// A promise about a function, checked by the verifier. A pass says which it takes and leaves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Form {
    /// One straight line, or two with the peeled loop: every block has one predecessor, the last may
    /// jump back. Guards leave.
    Trace,
    /// Any control-flow graph.
    Cfg,
    /// Only properly nested single-entry single-exit regions: the shape of an RVSDG.
    Structured,
}

/// A function.
#[derive(Clone)]
pub struct Function {
    /// The name, without sigil.
    pub name: String,
    pub(crate) result_types: Vec<Type>,
    pub(crate) values: Arena<Value, ValueData>,
    pub(crate) insts: Arena<Inst, InstData>,
    pub(crate) blocks: Arena<Block, BlockData>,
    pub(crate) exits: Arena<Exit, ExitData>,
    pub(crate) recipes: Arena<RecipeId, Recipe>,
    pub(crate) lists: ListPool<Value>,
    pub(crate) constants: Interner<ConstId, Const>,
    pub(crate) constant_values: Arena<ConstId, Value>,
    /// Blocks in order; the first is the entry. A block that is not here does not exist.
    pub(crate) layout: Vec<Block>,
    /// Whether an exit was ever made that goes to a handler.
    pub(crate) any_handlers: bool,
    /// Whether something was ever taken out: then there are lists that belong to nothing.
    pub(crate) pruned: bool,
    /// Lists of instructions of blocks that were, empty.
    pub(crate) spare: Vec<Vec<Inst>>,
    /// Recipes that were, empty.
    pub(crate) spare_recipes: Vec<Recipe>,
    pub(crate) block_names: SideTable<Block, Option<Box<str>>>,
    pub(crate) entrances: Vec<Entrance>,
    pub(crate) heirs: Heirs<Value>,
}

impl Function {
    /// The types of the results.
    pub fn result_types(&self) -> &[Type] {
        &self.result_types
    }

    /// The blocks in order.
    pub fn blocks(&self) -> &[Block] {
        &self.layout
    }

    /// The block where the function begins. Its parameters are the function's.
    pub fn entry(&self) -> Block {
        self.layout[0]
    }

    /// The parameters of the function: those of its entry.
    pub fn params(&self) -> &[Value] {
        self.block_params(self.entry())
    }

    /// The parameters of a block.
    #[inline]
    pub fn block_params(&self, block: Block) -> &[Value] {
        self.lists.get(self.blocks[block].params)
    }

    /// The instructions of a block in order, its terminator apart.
    #[inline]
    pub fn block_insts(&self, block: Block) -> &[Inst] {
        &self.blocks[block].insts
    }

    /// How a block ends.
    #[inline]
    pub fn terminator(&self, block: Block) -> &Terminator {
        &self.blocks[block].terminator
    }

    /// The name that a block had in the source.
    pub fn block_name(&self, block: Block) -> Option<&str> {
        self.block_names[block].as_deref()
    }

    /// An instruction.
    #[inline]
    pub fn inst(&self, inst: Inst) -> &InstData {
        &self.insts[inst]
    }

    /// The operands of an instruction.
    #[inline]
    pub fn args(&self, inst: Inst) -> &[Value] {
        self.lists.get(self.insts[inst].args)
    }

    /// What the table says of an instruction's operation.
    #[inline]
    pub fn row(&self, inst: Inst) -> &'static Row {
        self.insts[inst].op.row()
    }

    /// The results of an instruction.
    #[inline]
    pub fn results(
        &self,
        inst: Inst,
    ) -> impl ExactSizeIterator<Item = Value> + DoubleEndedIterator + Clone + use<> {
        use planish_base::Id;
        let data = &self.insts[inst];
        let first = data.first_result.map_or(0, Id::index);
        (first..first + data.results as usize).map(Value::from_index)
    }

    /// The first result of an instruction. Panics when it has none.
    #[inline]
    pub fn result(&self, inst: Inst) -> Value {
        self.insts[inst].first_result.expect("the instruction has a result")
    }

    /// The first result of an instruction, if it has one.
    #[inline]
    pub fn first_result(&self, inst: Inst) -> Option<Value> {
        self.insts[inst].first_result
    }

    /// The values of a list of this function.
    #[inline]
    pub fn list(&self, list: List<Value>) -> &[Value] {
        self.lists.get(list)
    }

    /// The values of all lists, one behind the other: operands, arguments, results of the function, parameters. Lists
    /// that are shared are here once. `None` when something was taken out of the function since it was made: then
    /// not all that is here belongs to it.
    pub fn all_lists(&self) -> Option<&[Value]> {
        (!self.pruned).then(|| self.lists.items())
    }

    /// A side exit.
    #[inline]
    pub fn exit(&self, exit: Exit) -> &ExitData {
        &self.exits[exit]
    }

    /// The arguments of a side exit.
    #[inline]
    pub fn exit_args(&self, exit: Exit) -> &[Value] {
        self.lists.get(self.exits[exit].args)
    }

    /// What a side exit makes of its arguments.
    pub fn recipe(&self, exit: Exit) -> Option<&Recipe> {
        self.exits[exit].recipe.map(|recipe| &self.recipes[recipe])
    }

    /// The type of a value.
    #[inline]
    pub fn ty(&self, value: Value) -> Type {
        self.values[value].ty
    }

    /// Where a value comes from.
    #[inline]
    pub fn def(&self, value: Value) -> Def {
        self.values[value].def
    }

    /// The instruction that makes a value, if one does.
    #[inline]
    pub fn def_inst(&self, value: Value) -> Option<Inst> {
        match self.values[value].def {
            Def::Result(inst, _) => Some(inst),
            Def::Param(..) | Def::Const(_) => None,
        }
    }

    /// The constant that a value is.
    #[inline]
    pub fn constant(&self, value: Value) -> Option<Const> {
        match self.values[value].def {
            Def::Const(id) => Some(*self.constants.get(id)),
            Def::Result(..) | Def::Param(..) => None,
        }
    }

    /// The integer constant that a value is.
    #[inline]
    pub fn int_constant(&self, value: Value) -> Option<Int> {
        let Def::Const(id) = self.values[value].def else { return None };
        match *self.constants.get(id) {
            Const::Int(int) => Some(int),
            _ => None,
        }
    }

    /// How many values there have ever been: the length of a side table of all.
    pub fn value_count(&self) -> usize {
        self.values.len()
    }

    /// How many instructions there have ever been.
    pub fn inst_count(&self) -> usize {
        self.insts.len()
    }

    /// How many blocks there have ever been.
    pub fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// All instructions that stand in a block, in the order of blocks.
    pub fn live_insts(&self) -> impl Iterator<Item = (Block, Inst)> + '_ {
        self.layout.iter().flat_map(|&block| self.blocks[block].insts.iter().map(move |&inst| (block, inst)))
    }

    /// How many instructions stand in a block. O(blocks).
    pub fn live_inst_count(&self) -> usize {
        self.layout.iter().map(|&block| self.blocks[block].insts.len()).sum()
    }

    /// The blocks to which a block may go through its terminator, with arguments, in order; handlers of
    /// exits apart (see [`handlers`](Self::handlers)).
    pub fn block_calls(&self, block: Block) -> impl Iterator<Item = BlockCall> + '_ {
        self.blocks[block].terminator.calls()
    }

    /// The handlers that exits of a block's instructions (and of a throw) may reach, with repetitions.
    pub fn handlers(&self, block: Block) -> impl Iterator<Item = (Exit, Handler)> + '_ {
        let data = &self.blocks[block];
        let thrown = match data.terminator {
            Terminator::Throw(_, exit) => exit,
            _ => None,
        };
        // Most functions have none: their instructions need not be looked at.
        let insts: &[Inst] = if self.any_handlers { &data.insts } else { &[] };
        insts.iter().filter_map(|&inst| self.insts[inst].exit).chain(thrown).flat_map(|exit| {
            let handlers: &[Handler] = match &self.exits[exit].target {
                ExitTarget::To(handlers) => handlers,
                ExitTarget::Leave(_) | ExitTarget::Unwind => &[],
            };
            handlers.iter().map(move |&handler| (exit, handler))
        })
    }

    /// The blocks to which control comes from other functions as well.
    pub fn entrances(&self) -> &[Entrance] {
        &self.entrances
    }

    /// Whether control comes to a block from other functions as well. O(entrances).
    pub fn is_entrance(&self, block: Block) -> bool {
        self.entrances.iter().any(|entrance| entrance.block == block)
    }

    /// The descriptor of the last marker of a block that returns, which may say to which entrance of another function
    /// control goes on. O(instructions of the block).
    pub fn goes_on_at(&self, block: Block) -> Option<Descr> {
        let is_marker = |&&inst: &&Inst| self.insts[inst].op == Op::Marker;
        let returns = matches!(self.terminator(block), Terminator::Return(_));
        let last = self.block_insts(block).iter().rev().find(is_marker).filter(|_| returns)?;
        self.insts[*last].descr
    }

    /// What the function gives behind a call of a block that does nothing but to return; `None` if the block does anything else.
    pub fn returned(&self, call: BlockCall) -> Option<Vec<Value>> {
        let Terminator::Return(results) = *self.terminator(call.block) else { return None };
        let given = |&value: &Value| {
            let place = self.block_params(call.block).iter().position(|&param| param == value);
            place.map_or(value, |place| self.list(call.args)[place])
        };
        self.block_insts(call.block).is_empty().then(|| self.list(results).iter().map(given).collect())
    }

    /// Whether any exit goes to a handler. O(instructions) where an exit once did, else O(blocks).
    pub fn has_handlers(&self) -> bool {
        self.blocks().iter().any(|&block| self.handlers(block).next().is_some())
    }
}

impl Terminator {
    /// The blocks to which it may go, with arguments: `then` before `other`, cases before the default.
    pub fn calls(&self) -> impl Iterator<Item = BlockCall> + '_ {
        let (one, two, cases) = match self {
            Terminator::Jump(call) => (Some(*call), None, [].as_slice()),
            Terminator::Branch { then, other, .. } => (Some(*then), Some(*other), [].as_slice()),
            Terminator::Switch { cases, default, .. } => (None, Some(*default), &**cases),
            Terminator::Return(_) | Terminator::Throw(..) | Terminator::Unreachable => {
                (None, None, [].as_slice())
            }
        };
        one.into_iter().chain(cases.iter().map(|(_, call)| *call)).chain(two)
    }

    /// The same calls in the same order, to change in place.
    pub fn calls_mut(&mut self) -> impl Iterator<Item = &mut BlockCall> {
        let (one, two, cases) = match self {
            Terminator::Jump(call) => (Some(call), None, [].as_mut_slice()),
            Terminator::Branch { then, other, .. } => (Some(then), Some(other), [].as_mut_slice()),
            Terminator::Switch { cases, default, .. } => (None, Some(default), &mut **cases),
            Terminator::Return(_) | Terminator::Throw(..) | Terminator::Unreachable => {
                (None, None, [].as_mut_slice())
            }
        };
        one.into_iter().chain(cases.iter_mut().map(|(_, call)| call)).chain(two)
    }

    /// The value that it looks at itself, arguments of blocks and results apart.
    pub fn condition(&self) -> Option<Value> {
        match self {
            Terminator::Branch { condition, .. } => Some(*condition),
            Terminator::Switch { on, .. } => Some(*on),
            Terminator::Throw(value, _) => Some(*value),
            Terminator::Jump(_) | Terminator::Return(_) | Terminator::Unreachable => None,
        }
    }
}
