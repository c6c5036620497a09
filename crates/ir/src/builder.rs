//! Making functions: blocks, parameters, instructions, in order.
//!
//! ```
//! use planish_ir::Builder;
//! use planish_ops::{Op, Type};
//!
//! let mut b = Builder::new("twice", &[Type::I64]);
//! let entry = b.block("entry");
//! let x = b.param(entry, Type::I64);
//! b.at(entry);
//! let sum = b.op(Op::Add, &[x, x]);
//! b.ret(&[sum]);
//! let function = b.finish();
//! assert_eq!(function.block_insts(function.entry()).len(), 1);
//! ```

use planish_base::{Arena, Interner, List, ListPool, SideTable};
use planish_ops::world::Descr;
use planish_ops::{Int, Op, Real, Row, Shape, Type};
use smallvec::SmallVec;

use crate::constant::Const;
use crate::function::{
    Block, BlockCall, Def, Exit, ExitData, ExitTarget, Function, Inst, Location, Terminator, Value, ValueData,
};
use crate::heirs::Heirs;
use crate::recipe::Recipe;

/// A function under construction and the block to which instructions are appended.
pub struct Builder {
    function: Function,
    block: Option<Block>,
    location: Location,
    last_exit_args: List<Value>,
}

impl Default for Function {
    /// A function without a name, results and blocks. It is not valid until it has a block.
    fn default() -> Self {
        Function::empty("", &[])
    }
}

impl Function {
    /// A function without blocks. It is not valid until it has one: use a [`Builder`].
    pub(crate) fn empty(name: &str, result_types: &[Type]) -> Self {
        Function {
            name: name.to_owned(),
            result_types: result_types.to_vec(),
            values: Arena::new(),
            insts: Arena::new(),
            blocks: Arena::new(),
            exits: Arena::new(),
            recipes: Arena::new(),
            lists: ListPool::new(),
            constants: Interner::new(),
            constant_values: Arena::new(),
            layout: Vec::new(),
            any_handlers: false,
            pruned: false,
            spare: Vec::new(),
            spare_recipes: Vec::new(),
            block_names: SideTable::new(),
            entrances: Vec::new(),
            heirs: Heirs::default(),
        }
    }

    /// The value of a constant, made when it is new.
    pub fn make_constant(&mut self, constant: impl Into<Const>) -> Value {
        let constant = constant.into();
        let id = self.constants.intern(constant);
        if let Some(&value) = self.constant_values.get(id) {
            return value;
        }
        let value = self.values.push(ValueData { ty: constant.ty(), def: Def::Const(id) });
        self.constant_values.push(value);
        value
    }

    /// The value of an integer constant of a type. Panics when the type is not an integer.
    pub fn make_int(&mut self, ty: Type, value: i64) -> Value {
        let width = ty.int_width().expect("an integer type");
        self.make_constant(Int::new(width, value as u64))
    }
}

/// The types of an operation's results, as far as its row and operands say them.
///
/// A type variable that occurs only among the results is taken from `named`, in order; `None` when one
/// is missing there. Operands that do not fit leave their variable to `named` too: the verifier says so.
pub fn result_types(op: Op, operands: &[Type], named: &[Type]) -> Option<SmallVec<[Type; 2]>> {
    let row = op.row();
    if row.free_results {
        return Some(named.into());
    }
    let mut named = named.iter().copied();
    row.results
        .iter()
        .map(|&shape| result_type(row, shape, |at| operands.get(at).copied(), &mut named))
        .collect()
}

/// The type of one result. The first operand of its type variable whose type is admitted says it, or else the next
/// that is named.
pub(crate) fn result_type(
    row: &Row,
    shape: Shape,
    operand: impl Fn(usize) -> Option<Type>,
    named: &mut impl Iterator<Item = Type>,
) -> Option<Type> {
    match shape {
        Shape::Bit => Some(Type::I1),
        Shape::Ref => Some(Type::Ref),
        Shape::Free => named.next(),
        Shape::Int(_) | Shape::Float(_) | Shape::Any(_) | Shape::Vector(_) | Shape::Lane => {
            let mut operands = row.operands.iter().enumerate();
            let said = operands.find_map(|(at, other)| {
                let same = other.variable() == shape.variable();
                let ty = operand(at).filter(|&ty| same && other.admits(ty))?;
                Some(shape.bound(other.binds(ty)))
            });
            said.or_else(|| named.next())
        }
    }
}

impl Builder {
    /// A function of a name and result types, without blocks. The first block made is the entry.
    pub fn new(name: &str, result_types: &[Type]) -> Self {
        Builder {
            function: Function::empty(name, result_types),
            block: None,
            location: Location::default(),
            last_exit_args: List::EMPTY,
        }
    }

    /// The function as it is so far.
    pub fn function(&self) -> &Function {
        &self.function
    }

    /// Appends a block; it ends as unreachable until told otherwise. An empty name is none.
    pub fn block(&mut self, name: &str) -> Block {
        let block = self.function.make_block();
        if !name.is_empty() {
            self.function.block_names[block] = Some(name.into());
        }
        block
    }

    /// Appends a parameter to a block.
    pub fn param(&mut self, block: Block, ty: Type) -> Value {
        self.function.add_param(block, ty)
    }

    /// Sets the result types, for readers that learn them last.
    pub fn set_result_types(&mut self, types: &[Type]) {
        self.function.result_types = types.to_vec();
    }

    /// Instructions go to the end of this block from here on.
    pub fn at(&mut self, block: Block) {
        self.block = Some(block);
    }

    /// The block to which instructions go. Panics before the first [`at`](Self::at).
    pub fn here(&self) -> Block {
        self.block.expect("a builder is told its block before instructions")
    }

    /// Instructions made from here on stood at this place of the source.
    pub fn locate(&mut self, location: Location) {
        self.location = location;
    }

    /// Where instructions made from here on stood.
    pub fn location(&self) -> Location {
        self.location
    }

    /// The value of a constant.
    pub fn constant(&mut self, constant: impl Into<Const>) -> Value {
        self.function.make_constant(constant)
    }

    /// The value of an integer constant.
    pub fn int(&mut self, ty: Type, value: i64) -> Value {
        self.function.make_int(ty, value)
    }

    /// The value of a float constant.
    pub fn real(&mut self, value: Real) -> Value {
        self.function.make_constant(value)
    }

    /// Appends an operation with one result whose type its operands determine.
    ///
    /// Panics when they do not; use [`inst`](Self::inst) then.
    pub fn op(&mut self, op: Op, args: &[Value]) -> Value {
        let inst = self.inst(op, args, &[], None, None);
        self.function.result(inst)
    }

    /// Appends an operation with one result of a type that the operands do not determine.
    pub fn op_as(&mut self, op: Op, args: &[Value], ty: Type) -> Value {
        let inst = self.inst(op, args, &[ty], None, None);
        self.function.result(inst)
    }

    /// Appends an instruction. `named` are the result types that the operands do not determine.
    ///
    /// Panics when a type is missing; whether operands fit is the verifier's to say.
    pub fn inst(
        &mut self,
        op: Op,
        args: &[Value],
        named: &[Type],
        descr: Option<Descr>,
        exit: Option<Exit>,
    ) -> Inst {
        let inst = self.function.make_inst(op, args, named, descr, exit, self.location);
        let block = self.here();
        self.function.blocks[block].insts.push(inst);
        inst
    }

    /// Makes a side exit. Neighbours with equal arguments share the list.
    pub fn exit(&mut self, target: ExitTarget, args: &[Value]) -> Exit {
        let args = self.function.lists.push_shared(args, self.last_exit_args);
        self.last_exit_args = args;
        self.function.any_handlers |= matches!(target, ExitTarget::To(_));
        self.function.exits.push(ExitData { target, args, recipe: None, open: false })
    }

    /// Makes a side exit out of the function of which the source does not say what the other side needs: `args` are all
    /// that is carried.
    pub fn open_exit(&mut self, number: u32, args: &[Value]) -> Exit {
        let exit = self.exit(ExitTarget::Leave(number), args);
        self.function.exits[exit].open = true;
        exit
    }

    /// Lets control come to a block from other functions too; see [`Entrance`](crate::function::Entrance).
    pub fn add_entrance(&mut self, block: Block, descr: Descr) {
        self.function.add_entrance(block, descr);
    }

    /// Lets an exit make something of its arguments.
    pub fn set_recipe(&mut self, exit: Exit, recipe: Recipe) {
        self.function.set_recipe(exit, recipe);
    }

    /// A block with arguments, for a terminator.
    pub fn call(&mut self, block: Block, args: &[Value]) -> BlockCall {
        BlockCall { block, args: self.function.lists.push(args) }
    }

    /// Ends the block.
    pub fn terminate(&mut self, terminator: Terminator) {
        let block = self.here();
        self.function.blocks[block].terminator = terminator;
    }

    /// Ends the block with a jump.
    pub fn jump(&mut self, block: Block, args: &[Value]) {
        let call = self.call(block, args);
        self.terminate(Terminator::Jump(call));
    }

    /// Ends the block with a branch between two blocks without arguments.
    pub fn branch(&mut self, condition: Value, then: Block, other: Block) {
        let (then, other) = (self.call(then, &[]), self.call(other, &[]));
        self.terminate(Terminator::Branch { condition, then, other });
    }

    /// Ends the block with a return.
    pub fn ret(&mut self, results: &[Value]) {
        let results = self.function.lists.push(results);
        self.terminate(Terminator::Return(results));
    }

    /// The function.
    pub fn finish(self) -> Function {
        self.function
    }
}
