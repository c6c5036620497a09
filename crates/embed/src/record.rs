//! Recording: the operations of a trace as they happen.

use planish_ir::function::{ExitTarget, Function, Terminator};
use planish_ir::{Block, Builder, Const, Location, Value};
use planish_ops::world::Descr;
use planish_ops::{Effect, Op, Real, Type};

use crate::trace::Trace;
use crate::words::{Array, Callee, Class, Field};

/// A trace under construction.
///
/// Operations go to the end of it. Operands must be constants, inputs or results of operations before;
/// after [`begin_loop`](Recorder::begin_loop) also what it gave. The place of an operation among all is its
/// location.
pub struct Recorder {
    builder: Builder,
    head: Option<Block>,
    operations: u32,
}

impl Recorder {
    /// A trace with inputs of these types, and the inputs.
    pub fn new(name: &str, inputs: &[Type]) -> (Recorder, Vec<Value>) {
        let mut builder = Builder::new(name, &[]);
        let entry = builder.block("entry");
        let inputs = inputs.iter().map(|&ty| builder.param(entry, ty)).collect();
        builder.at(entry);
        (Recorder { builder, head: None, operations: 0 }, inputs)
    }

    /// The head of the loop: `state` is what it begins with; the values returned stand for the state in every
    /// iteration. What is recorded before runs once.
    ///
    /// Panics when the trace has a loop already.
    pub fn begin_loop(&mut self, state: &[Value]) -> Vec<Value> {
        assert!(self.head.is_none(), "a trace has one loop");
        let head = self.builder.block("loop");
        let types: Vec<Type> = state.iter().map(|&value| self.builder.function().ty(value)).collect();
        let params = types.into_iter().map(|ty| self.builder.param(head, ty)).collect();
        self.builder.jump(head, state);
        self.builder.at(head);
        self.head = Some(head);
        params
    }

    /// An integer constant of 64 bits.
    pub fn int(&mut self, value: i64) -> Value {
        self.builder.int(Type::I64, value)
    }

    /// A float constant.
    pub fn real(&mut self, value: f64) -> Value {
        self.builder.real(Real::F64(value))
    }

    /// The null reference.
    pub fn null(&mut self) -> Value {
        self.builder.constant(Const::Null)
    }

    /// The address of a class, as guards on classes take it.
    pub fn class(&mut self, class: Class) -> Value {
        self.builder.constant(Const::Symbol(class.address, Type::I64))
    }

    /// An operation with one result whose type its operands tell. A comparison of words gives a word of 64
    /// bits.
    ///
    /// Panics when the operation has another number of results or the operands do not fit its row.
    pub fn op(&mut self, op: Op, operands: &[Value]) -> Value {
        let [result] = self.add(op, operands, None)[..] else { panic!("{op} has one result") };
        result
    }

    /// An operation on integers that may overflow: the result, and a bit for a guard.
    ///
    /// Panics when the operation is none of that kind.
    pub fn overflowing(&mut self, op: Op, operands: &[Value]) -> (Value, Value) {
        let [result, overflows] = self.add(op, operands, None)[..] else { panic!("{op} has two results") };
        (result, overflows)
    }

    /// A guard: where it fails, the trace is left by the exit `number` with the values of `live`.
    ///
    /// Panics when the operation is no guard or the operands do not fit its row.
    pub fn guard(&mut self, op: Op, operands: &[Value], number: u32, live: &[Value]) {
        assert!(op.row().effect == Effect::Guard, "{op} is no guard");
        self.locate();
        let exit = self.builder.exit(ExitTarget::Leave(number), live);
        self.builder.inst(op, operands, &[], None, Some(exit));
    }

    /// A fresh object.
    pub fn new_object(&mut self, class: Class) -> Value {
        self.add_one(Op::New, &[], Type::Ref, class.descr)
    }

    /// A fresh array of a length.
    pub fn new_array(&mut self, array: Array, length: Value) -> Value {
        self.add_one(Op::NewArray, &[length], Type::Ref, array.descr)
    }

    /// A field of an object that is not null and has it.
    pub fn get(&mut self, field: Field, object: Value) -> Value {
        self.add_one(Op::GetField, &[object], field.ty, field.descr)
    }

    /// Sets a field of an object that is not null and has it.
    pub fn set(&mut self, field: Field, object: Value, value: Value) {
        self.add(Op::SetField, &[object, value], Some(field.descr));
    }

    /// An item of an array; the index is in bounds.
    pub fn get_item(&mut self, array: Array, object: Value, index: Value) -> Value {
        self.add_one(Op::GetItem, &[object, index], array.ty, array.descr)
    }

    /// Sets an item of an array; the index is in bounds.
    pub fn set_item(&mut self, array: Array, object: Value, index: Value, value: Value) {
        self.add(Op::SetItem, &[object, index, value], Some(array.descr));
    }

    /// The length of an array.
    pub fn array_len(&mut self, array: Array, object: Value) -> Value {
        self.add_one(Op::ArrayLen, &[object], Type::I64, array.descr)
    }

    /// A call, with a result unless it is of no type.
    pub fn call(&mut self, callee: Callee, arguments: &[Value], result: Option<Type>) -> Option<Value> {
        self.locate();
        let address = self.builder.constant(Const::Symbol(callee.address, Type::I64));
        let mut operands = vec![address];
        operands.extend(arguments);
        let types: Vec<Type> = result.into_iter().collect();
        let inst = self.builder.inst(Op::Call, &operands, &types, Some(callee.descr), None);
        self.builder.function().results(inst).next()
    }

    /// Ends the trace with a jump to the head of its loop.
    ///
    /// Panics when there is none, or the state does not have its types.
    pub fn close_loop(mut self, state: &[Value]) -> Trace {
        let head = self.head.expect("a loop was begun");
        self.builder.jump(head, state);
        Trace::new(checked(self.builder.finish()))
    }

    /// Ends the trace: it is left with these results.
    pub fn finish(mut self, results: &[Value]) -> Trace {
        let types: Vec<Type> = results.iter().map(|&value| self.builder.function().ty(value)).collect();
        self.builder.set_result_types(&types);
        self.builder.ret(results);
        Trace::new(checked(self.builder.finish()))
    }

    fn locate(&mut self) {
        self.operations += 1;
        self.builder.locate(Location(self.operations));
    }

    fn add(&mut self, op: Op, operands: &[Value], descr: Option<Descr>) -> Vec<Value> {
        self.locate();
        let inst = self.builder.inst(op, operands, &[Type::I64], descr, None);
        self.builder.function().results(inst).collect()
    }

    fn add_one(&mut self, op: Op, operands: &[Value], ty: Type, descr: Descr) -> Value {
        self.locate();
        let inst = self.builder.inst(op, operands, &[ty], Some(descr), None);
        self.builder.function().result(inst)
    }
}

/// The function, which keeps the invariants of a trace. Panics with all that it does not keep: the recorder
/// was told of operands that do not fit.
fn checked(function: Function) -> Function {
    debug_assert!(!matches!(function.terminator(function.entry()), Terminator::Unreachable));
    let found = planish_ir::verify::verify(&function, planish_ir::Form::Trace);
    assert!(found.is_empty(), "what was recorded is no trace: {found:#?}");
    function
}
