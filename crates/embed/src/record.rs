//! Recording: the operations of a trace as they happen, optimized on the way or afterwards.
//!
//! Every function answers for what it was told: operands that do not fit are refused, and the trace is as it
//! was before.

use planish_base::Id;
use planish_ir::function::{ExitTarget, Function, Terminator};
use planish_ir::{Block, Const, Exit, Location, Value, bridge};
use planish_ops::world::Descr;
use planish_ops::{Effect, Op, Real, Row, Shape, Type};
use planish_opt::{Pipeline, Record, Stream, Tape};

use crate::beginning::Beginning;
use crate::refused::{InvalidLoop, Refused};
use crate::trace::Trace;
use crate::words::{Array, Callee, Class, Entry, Field, Words, of_values};

/// Takes down traces, one after the other.
///
/// Operations go to the end of the trace that was begun. Operands must be constants, inputs or results of
/// operations before; after [`begin_loop`](Recorder::begin_loop) also what it gave. The place of an operation among
/// all is its number.
///
/// A recorder that is [`optimizing`](Recorder::optimizing) looks at each operation once, when it is recorded;
/// values stay good names for what they were, whatever became of the operation. Memory is used again from trace to
/// trace: one that is given back with [`recycle`](Recorder::recycle) makes the next without allocation.
pub struct Recorder {
    pub(crate) words: Words,
    pub(crate) function: Function,
    spare: Option<Function>,
    stage: Stage,
    operations: u32,
    /// Where others enter the loop at hand: the number of its first parameter. What came before is not known in it.
    sealed: Option<usize>,
    last_exit: Option<Exit>,
    stream: Option<Box<Optimizing>>,
    operands: Vec<Value>,
    types: Vec<Type>,
    pub(crate) bridge: Beginning,
}

/// What optimizes while it is recorded.
struct Optimizing {
    stream: Stream,
    record: Record,
    rewrites: Option<u64>,
}

/// Where a recorder is in a trace.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Between two traces.
    Idle,
    /// Before the loop, or in a trace that has none.
    Start,
    /// In the loop.
    Loop,
}

impl Recorder {
    /// A recorder that takes traces down as they are, for an [`Optimizer`](crate::Optimizer).
    pub fn new(words: Words) -> Recorder {
        Recorder {
            words,
            function: Function::default(),
            spare: None,
            stage: Stage::Idle,
            operations: 0,
            sealed: None,
            last_exit: None,
            stream: None,
            operands: Vec::new(),
            types: Vec::new(),
            bridge: Beginning::default(),
        }
    }

    /// A recorder that optimizes while it records, with the passes for traces by name, divided by colons, such as
    /// [`STREAMING`](Recorder::STREAMING). Refused are passes that need the whole trace.
    pub fn optimizing(words: Words, passes: &str) -> Result<Recorder, Refused> {
        let pipeline = Pipeline::parse(passes, planish_ir::Form::Trace).map_err(Refused::Pass)?;
        let stream = Stream::new(&pipeline).ok_or_else(|| Refused::NeedsWholeTrace(passes.to_owned()))?;
        let optimizing = Optimizing { stream, record: Record::new(), rewrites: None };
        Ok(Recorder { stream: Some(Box::new(optimizing)), ..Recorder::new(words) })
    }

    /// The passes for traces that need no whole trace.
    pub const STREAMING: &'static str = Pipeline::TRACE;

    /// The vocabulary.
    pub fn words(&self) -> &Words {
        &self.words
    }

    /// The vocabulary, to say more: at any time.
    pub fn words_mut(&mut self) -> &mut Words {
        &mut self.words
    }

    /// Lets an optimizing recorder look at so many operations of each trace; those behind are taken down as they
    /// are, and the trace is as good as before. Without a number it looks at all.
    pub fn limit_work(&mut self, operations: Option<u64>) {
        if let Some(optimizing) = &mut self.stream {
            optimizing.stream.limit_work(operations);
        }
    }

    /// Stops optimizing each trace after this many rewrites.
    pub fn limit_rewrites(&mut self, rewrites: Option<u64>) {
        if let Some(optimizing) = &mut self.stream {
            optimizing.rewrites = rewrites;
        }
    }

    /// How many rewrites were made in the trace at hand, or in the last one.
    pub fn rewrites(&self) -> u64 {
        self.stream.as_ref().map_or(0, |optimizing| optimizing.record.total())
    }

    /// How many operations the trace at hand has so far: recorded or, where it is optimized, left.
    pub fn len(&self) -> usize {
        match &self.stream {
            Some(optimizing) => optimizing.stream.len(&self.function),
            None => self.function.live_insts().count(),
        }
    }

    /// Whether the trace at hand has no operations yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Begins a trace with inputs of these types and gives the inputs. A trace at hand is given up.
    pub fn begin(&mut self, name: &str, inputs: &[Type]) -> Result<&[Value], Refused> {
        inputs.iter().try_for_each(|&ty| of_values(ty))?;
        let f = &mut self.function;
        f.reset(name);
        let (entry, _) = (f.make_block(), f.make_block());
        inputs.iter().for_each(|&ty| {
            f.add_param(entry, ty);
        });
        (self.stage, self.operations, self.last_exit, self.sealed) = (Stage::Start, 0, None, None);
        self.bridge.told = false;
        if let Some(optimizing) = &mut self.stream {
            optimizing.record.refuel(optimizing.rewrites);
        }
        self.streaming(|stream, tape| stream.begin(tape));
        Ok(self.function.block_params(entry))
    }

    /// The inputs of the trace at hand, or of the last one.
    pub fn inputs(&self) -> &[Value] {
        self.function.blocks().first().map_or(&[], |&entry| self.function.block_params(entry))
    }

    /// Whether a trace was begun and not ended.
    pub fn is_recording(&self) -> bool {
        self.stage != Stage::Idle
    }

    /// The head of the loop: `state` is what it begins with; the values given back stand for the state in every
    /// iteration. What was recorded before runs once. A trace has one loop.
    pub fn begin_loop(&mut self, state: &[Value]) -> Result<&[Value], Refused> {
        match self.stage {
            Stage::Idle => return Err(Refused::NotBegun),
            Stage::Loop => return Err(Refused::SecondLoop),
            Stage::Start => {}
        }
        self.are_values(state)?;
        let (entry, head) = self.blocks();
        for &value in state {
            self.function.add_param(head, self.function.ty(value));
        }
        if self.streaming(|stream, tape| stream.begin_loop(tape, state)).is_none() {
            let call = self.function.make_call(head, state);
            self.function.set_terminator(entry, Terminator::Jump(call));
        }
        (self.stage, self.last_exit) = (Stage::Loop, None);
        Ok(self.function.block_params(head))
    }

    /// The same for a loop that other traces may enter: `state` is what its entry takes, and the loop keeps all of it, in
    /// order. Nothing is known in the loop of what was before, so its operations may use what was given back and
    /// constants.
    pub fn begin_entered_loop(&mut self, entry: Entry, state: &[Value]) -> Result<&[Value], Refused> {
        match self.stage {
            Stage::Idle => return Err(Refused::NotBegun),
            Stage::Loop => return Err(Refused::SecondLoop),
            Stage::Start => {}
        }
        self.are_entered_with(entry, state)?;
        let (_, head) = self.blocks();
        self.function.add_entrance(head, entry.descr);
        let first = self.function.value_count();
        self.begin_loop(state)?;
        self.sealed = Some(first);
        Ok(self.function.block_params(head))
    }

    /// Ends the trace by going on at the head of another trace's loop: `state` is what its entry takes.
    pub fn enter(&mut self, entry: Entry, state: &[Value]) -> Result<Trace, Refused> {
        if self.stage == Stage::Idle {
            return Err(Refused::NotBegun);
        }
        self.are_entered_with(entry, state)?;
        self.add(Op::Marker, &[], &[], Some(entry.descr), None).map(drop)?;
        self.finish(state)
    }

    /// The value of a number that [`Trace::number`] gives, where the trace at hand has it.
    pub fn value(&self, number: usize) -> Option<Value> {
        (number < self.function.value_count()).then(|| Value::from_index(number))
    }

    /// An integer constant of 64 bits. Constants are values of the trace at hand, as others are.
    pub fn int(&mut self, value: i64) -> Value {
        self.function.make_int(Type::I64, value)
    }

    /// A float constant.
    pub fn real(&mut self, value: f64) -> Value {
        self.function.make_constant(Real::F64(value))
    }

    /// The null reference.
    pub fn null(&mut self) -> Value {
        self.function.make_constant(Const::Null)
    }

    /// The address of a class, as guards on classes take it.
    pub fn class(&mut self, class: Class) -> Value {
        self.function.make_constant(Const::Symbol(class.address, Type::I64))
    }

    /// An operation with one result whose type its operands tell; a comparison gives a word of 64 bits. A guard
    /// before keeps a divisor from being zero.
    pub fn op(&mut self, op: Op, operands: &[Value]) -> Result<Value, Refused> {
        let (row, result) = Self::single(op)?;
        let named = match row.determines(result) {
            true => None,
            false if row.truth || matches!(op, Op::Fcmpl | Op::Fcmpg) => Some(Type::I64),
            false => return Err(Refused::Untyped(op)),
        };
        self.add_one(op, operands, named, None)
    }

    /// The same for any operation with one result, whose type is named: a conversion, or a comparison of another
    /// width. Refused is a type that the result cannot have.
    pub fn op_typed(&mut self, op: Op, operands: &[Value], ty: Type) -> Result<Value, Refused> {
        let (row, result) = Self::single(op)?;
        of_values(ty)?;
        let refused = Err(Refused::Result { op, ty });
        if !row.determines(result) {
            return if result.admits(ty) { self.add_one(op, operands, Some(ty), None) } else { refused };
        }
        self.takes(op, operands)?;
        if self.told(row, result, operands) != Some(ty) {
            return refused;
        }
        self.add_one(op, operands, None, None)
    }

    /// An operation on integers that may overflow: the result, and a bit for a guard.
    pub fn overflowing(&mut self, op: Op, operands: &[Value]) -> Result<(Value, Value), Refused> {
        if Self::plain(op)?.results.len() != 2 {
            return Err(Refused::Kind(op));
        }
        let mut results = self.add(op, operands, &[], None, None)?;
        match (results.next(), results.next()) {
            (Some(result), Some(overflows)) => Ok((result, overflows)),
            _ => Err(Refused::Kind(op)),
        }
    }

    /// A guard: where it fails, the trace is left by the exit `number` with the values of `live`.
    pub fn guard(&mut self, op: Op, operands: &[Value], number: u32, live: &[Value]) -> Result<(), Refused> {
        let row = op.row();
        if row.effect != Effect::Guard || row.descriptor.is_some() || !row.results.is_empty() {
            return Err(Refused::Kind(op));
        }
        self.are_values(live)?;
        self.add(op, operands, &[], None, Some((number, live))).map(|_| ())
    }

    /// A fresh object.
    pub fn new_object(&mut self, class: Class) -> Result<Value, Refused> {
        self.add_one(Op::New, &[], None, Some(class.descr))
    }

    /// A fresh array of a length.
    pub fn new_array(&mut self, array: Array, length: Value) -> Result<Value, Refused> {
        self.add_one(Op::NewArray, &[length], None, Some(array.descr))
    }

    /// A field of an object that is not null and has it.
    pub fn get(&mut self, field: Field, object: Value) -> Result<Value, Refused> {
        self.add_one(Op::GetField, &[object], Some(field.ty), Some(field.descr))
    }

    /// Sets a field of an object that is not null and has it.
    pub fn set(&mut self, field: Field, object: Value, value: Value) -> Result<(), Refused> {
        self.is_of(value, field.ty, Op::SetField)?;
        self.add(Op::SetField, &[object, value], &[], Some(field.descr), None).map(|_| ())
    }

    /// An item of an array; the index is in bounds.
    pub fn get_item(&mut self, array: Array, object: Value, index: Value) -> Result<Value, Refused> {
        self.add_one(Op::GetItem, &[object, index], Some(array.ty), Some(array.descr))
    }

    /// Sets an item of an array; the index is in bounds.
    pub fn set_item(
        &mut self,
        array: Array,
        object: Value,
        index: Value,
        value: Value,
    ) -> Result<(), Refused> {
        self.is_of(value, array.ty, Op::SetItem)?;
        self.add(Op::SetItem, &[object, index, value], &[], Some(array.descr), None).map(|_| ())
    }

    /// The length of an array.
    pub fn array_len(&mut self, array: Array, object: Value) -> Result<Value, Refused> {
        self.add_one(Op::ArrayLen, &[object], Some(Type::I64), Some(array.descr))
    }

    /// A call, with a result unless it is of no type.
    pub fn call(
        &mut self,
        callee: Callee,
        arguments: &[Value],
        result: Option<Type>,
    ) -> Result<Option<Value>, Refused> {
        result.map_or(Ok(()), of_values)?;
        self.takes(Op::Call, arguments)?;
        let mut operands = std::mem::take(&mut self.operands);
        operands.clear();
        operands.push(self.function.make_constant(Const::Symbol(callee.address, Type::I64)));
        operands.extend(arguments);
        let results = self.add(Op::Call, &operands, result.as_slice(), Some(callee.descr), None);
        self.operands = operands;
        Ok(results?.next())
    }

    /// Ends the trace with a jump to the head of its loop. A loop in which some guard can never pass is refused, and
    /// is over.
    pub fn close_loop(&mut self, state: &[Value]) -> Result<Trace, Refused> {
        match self.stage {
            Stage::Idle => return Err(Refused::NotBegun),
            Stage::Start => return Err(Refused::NoLoop),
            Stage::Loop => {}
        }
        self.are_values(state)?;
        let (_, head) = self.blocks();
        let params = self.function.block_params(head);
        let (given, expected) = (state.len(), params.len());
        let fits = |(&param, &value): (&Value, &Value)| self.function.ty(param) == self.function.ty(value);
        if given != expected || !params.iter().zip(state).all(fits) {
            return Err(Refused::State { given, expected });
        }
        let call = self.function.make_call(head, state);
        self.end(Terminator::Jump(call))
    }

    /// Ends the trace: it is left with these results.
    pub fn finish(&mut self, results: &[Value]) -> Result<Trace, Refused> {
        if self.stage == Stage::Idle {
            return Err(Refused::NotBegun);
        }
        self.are_values(results)?;
        let mut types = std::mem::take(&mut self.types);
        types.clear();
        types.extend(results.iter().map(|&value| self.function.ty(value)));
        self.function.set_result_types(&types);
        self.types = types;
        let results = self.function.make_list(results);
        self.end(Terminator::Return(results))
    }

    /// Takes back a trace that is not needed any more: its memory is that of the next.
    pub fn recycle(&mut self, trace: Trace) {
        let mut function = trace.function;
        function.reset("");
        self.spare = Some(function);
    }

    fn end(&mut self, terminator: Terminator) -> Result<Trace, Refused> {
        let (entry, head) = self.blocks();
        let here = if self.stage == Stage::Loop { head } else { entry };
        let alone = self.stage == Stage::Start;
        self.stage = Stage::Idle;
        let fails = match self.stream {
            Some(_) => self.streaming(|stream, tape| stream.end(tape, terminator)).flatten(),
            None => {
                self.function.set_terminator(here, terminator);
                self.function.retain_blocks(|block| !alone || block == entry);
                None
            }
        };
        if let Some(inst) = fails {
            let data = self.function.inst(inst);
            let invalid = InvalidLoop { operation: data.location.0, name: data.op.name() };
            self.function.reset("");
            return Err(Refused::Invalid(invalid));
        }
        let mut told = self.bridge.told;
        if told && self.stream.is_some() {
            bridge::forget(&mut self.function, &self.words.descriptors);
            told = false;
        }
        let next = self.spare.take().unwrap_or_default();
        Ok(Trace::new(std::mem::replace(&mut self.function, next), told))
    }

    pub(crate) fn blocks(&self) -> (Block, Block) {
        (Block::from_index(0), Block::from_index(1))
    }

    /// Lets the stream do something, if there is one.
    pub(crate) fn streaming<T>(&mut self, act: impl FnOnce(&mut Stream, Tape<'_>) -> T) -> Option<T> {
        let Optimizing { stream, record, .. } = self.stream.as_deref_mut()?;
        let tape = Tape { f: &mut self.function, world: &self.words.descriptors, record };
        Some(act(stream, tape))
    }

    /// The row of an operation that only computes. Whoever records has no vectors.
    fn plain(op: Op) -> Result<&'static Row, Refused> {
        let row = op.row();
        let plain = row.effect == Effect::Pure && row.descriptor.is_none() && row.lanewise.is_none();
        if plain { Ok(row) } else { Err(Refused::Kind(op)) }
    }

    /// The row of an operation that only computes, and the shape of its one result.
    fn single(op: Op) -> Result<(&'static Row, Shape), Refused> {
        let row = Self::plain(op)?;
        match row.results {
            &[result] => Ok((row, result)),
            _ => Err(Refused::Kind(op)),
        }
    }

    fn add_one(
        &mut self,
        op: Op,
        operands: &[Value],
        named: Option<Type>,
        descr: Option<Descr>,
    ) -> Result<Value, Refused> {
        let mut results = self.add(op, operands, named.as_slice(), descr, None)?;
        results.next().ok_or(Refused::Kind(op))
    }

    /// Records an operation and gives its results.
    pub(crate) fn add(
        &mut self,
        op: Op,
        operands: &[Value],
        named: &[Type],
        descr: Option<Descr>,
        leave: Option<(u32, &[Value])>,
    ) -> Result<impl Iterator<Item = Value> + use<>, Refused> {
        self.takes(op, operands)?;
        if let (Some(&from), Some(&to)) = (operands.first(), named.first())
            && !op.converts(self.function.ty(from), to)
        {
            return Err(Refused::Result { op, ty: to });
        }
        let number = self.operations.checked_add(1).ok_or(Refused::TooLong)?;
        self.operations = number;
        let exit = leave.map(|(number, live)| {
            let exit = self.function.make_exit(ExitTarget::Leave(number), live, self.last_exit);
            self.last_exit = Some(exit);
            exit
        });
        let inst = self.function.make_inst(op, operands, named, descr, exit, Location(number));
        let results = self.function.results(inst);
        if self.streaming(|stream, tape| stream.record(tape, inst)).is_none() {
            let (entry, head) = self.blocks();
            self.function.append_inst(if self.stage == Stage::Loop { head } else { entry }, inst);
        }
        Ok(results)
    }

    /// Refuses operands that do not fit the row of an operation, and any where there is no trace.
    fn takes(&self, op: Op, operands: &[Value]) -> Result<(), Refused> {
        if self.stage == Stage::Idle {
            return Err(Refused::NotBegun);
        }
        self.are_values(operands)?;
        let row = op.row();
        let (given, expected) = (operands.len(), row.operands.len());
        if given < expected || given > expected && !row.variadic {
            return Err(Refused::Count { op, given, expected });
        }
        for (position, (&shape, &operand)) in row.operands.iter().zip(operands).enumerate() {
            let ty = self.function.ty(operand);
            if !shape.admits(ty) || self.told(row, shape, operands).is_some_and(|told| told != ty) {
                return Err(Refused::Operand { op, position, ty });
            }
        }
        Ok(())
    }

    /// The type that the operands tell of a shape of the row: that of the first with the same variable.
    fn told(&self, row: &Row, shape: Shape, operands: &[Value]) -> Option<Type> {
        match shape {
            Shape::Bit => Some(Type::I1),
            Shape::Ref => Some(Type::Ref),
            Shape::Free => None,
            // Operations on vectors are not recorded.
            Shape::Vector(_) | Shape::Lane => None,
            Shape::Int(_) | Shape::Float(_) | Shape::Any(_) => {
                let mut alike = row.operands.iter().zip(operands);
                let first = alike.find(|(other, _)| other.variable() == shape.variable());
                first.map(|(_, &operand)| self.function.ty(operand))
            }
        }
    }

    fn is_of(&self, value: Value, ty: Type, op: Op) -> Result<(), Refused> {
        self.are_values(&[value])?;
        let given = self.function.ty(value);
        let position = op.row().operands.len() - 1;
        if given == ty { Ok(()) } else { Err(Refused::Operand { op, position, ty: given }) }
    }

    fn are_values(&self, values: &[Value]) -> Result<(), Refused> {
        let count = self.function.value_count();
        if let Some(position) = values.iter().position(|value| value.index() >= count) {
            return Err(Refused::NoValue { position });
        }
        let outside = |value: &Value| {
            self.sealed.is_some_and(|first| value.index() < first) && self.function.constant(*value).is_none()
        };
        match values.iter().position(outside) {
            Some(position) => Err(Refused::Outside { position }),
            None => Ok(()),
        }
    }

    fn are_entered_with(&self, entry: Entry, state: &[Value]) -> Result<(), Refused> {
        self.are_values(state)?;
        let types = self.words.entered_with(entry);
        match state.iter().map(|&value| self.function.ty(value)).eq(types.iter().copied()) {
            true => Ok(()),
            false => Err(Refused::Entry { given: state.len(), expected: types.len() }),
        }
    }
}
