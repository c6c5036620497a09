//! Machine code from a trace, by Cranelift: what [`backend`](crate::backend) interprets is executed here.
//!
//! A value of the trace is a value of the code, so there is nothing to place: parameters of the loop are those of its
//! block. Objects are allocated and looked into by functions of the heap. A guard that fails writes what is kept
//! for its exit into a buffer and returns the number of the exit.

#![allow(unsafe_code, reason = "machine code is called, and calls back with pointers")]

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AbiParam, Block, FuncRef, Function, InstBuilder, MemFlagsData, Signature, UserFuncName, Value as Word,
    types,
};
use cranelift_codegen::isa::TargetFrontendConfig;
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Linkage, Module, default_libcall_names};
use planish_trace::{Const, Op, Operand, Step, Trace, Type, Value};

use crate::backend::{Exit, Run, Unsupported};
use crate::bytecode::{Heap, INT, Reference};

/// What is called: inputs, the heap, a buffer; the number of the exit.
type Entry = unsafe extern "C" fn(*const i64, *mut Heap, *mut i64) -> i64;

/// Machine code.
struct Native {
    entry: Entry,
    exits: Vec<Exit>,
    /// How many words an exit or a collection needs at most.
    room: usize,
    /// What holds the code; it is given back when nobody can run it any more.
    module: Option<JITModule>,
}

impl Drop for Native {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: only `run` enters the code, and this is the last that is heard of it.
            unsafe { module.free_memory() };
        }
    }
}

extern "C" fn allocate(heap: &mut Heap) -> i64 {
    heap.allocate(INT) as i64
}

extern "C" fn class(heap: &Heap, object: i64) -> i64 {
    i64::from(heap.get(object as Reference).class)
}

extern "C" fn get(heap: &Heap, object: i64) -> i64 {
    heap.get(object as Reference).value
}

extern "C" fn set(heap: &mut Heap, object: i64, value: i64) {
    heap.set(object as Reference, value);
}

/// Cleans the heap if it is full; `roots` are all references that may be used again.
extern "C" fn collect(heap: &mut Heap, roots: *mut i64, count: i64) {
    // SAFETY: the code passes on the buffer of `run`, which has room for the roots.
    let roots = unsafe { std::slice::from_raw_parts_mut(roots, count as usize) };
    if heap.is_full() {
        let mut references: Vec<Reference> = roots.iter().map(|&root| root as Reference).collect();
        heap.collect(references.iter_mut());
        roots.iter_mut().zip(references).for_each(|(root, reference)| *root = reference as i64);
    }
}

/// The functions of the heap with the numbers of their parameters and results.
const HEAP: [(&str, *const u8, usize, usize); 5] = [
    ("allocate", allocate as *const u8, 1, 1),
    ("class", class as *const u8, 2, 1),
    ("get", get as *const u8, 2, 1),
    ("set", set as *const u8, 3, 0),
    ("collect", collect as *const u8, 3, 0),
];

/// Machine code as a back end of the JIT, if it knows all that is in a trace.
pub fn backend(trace: &Trace) -> Option<Box<dyn Run>> {
    Some(Box::new(compile(trace).ok()?))
}

/// Compiles a trace.
fn compile(trace: &Trace) -> Result<Native, Unsupported> {
    let mut flags = settings::builder();
    flags.set("opt_level", "speed").map_err(|_| Unsupported)?;
    let isa = cranelift_native::builder().map_err(|_| Unsupported)?;
    let isa = isa.finish(settings::Flags::new(flags)).map_err(|_| Unsupported)?;
    let mut builder = JITBuilder::with_isa(isa, default_libcall_names());
    builder.symbols(HEAP.map(|(name, address, ..)| (name, address)));
    let mut module = JITModule::new(builder);
    let mut context = module.make_context();
    context.func = Function::with_name_signature(UserFuncName::default(), signature(&module, 3, 1));
    let mut helpers = Vec::new();
    for (name, _, params, results) in HEAP {
        let signature = signature(&module, params, results);
        let id = module.declare_function(name, Linkage::Import, &signature).map_err(|_| Unsupported)?;
        helpers.push(module.declare_func_in_func(id, &mut context.func));
    }
    let mut scratch = FunctionBuilderContext::new();
    let builder = FunctionBuilder::new(&mut context.func, &mut scratch);
    let (exits, room) = Writer::new(trace, builder, helpers).write(module.target_config())?;
    let own = signature(&module, 3, 1);
    let id: FuncId = module.declare_function("trace", Linkage::Local, &own).map_err(|_| Unsupported)?;
    module.define_function(id, &mut context).map_err(|_| Unsupported)?;
    module.clear_context(&mut context);
    module.finalize_definitions().map_err(|_| Unsupported)?;
    // SAFETY: the code was made with this signature.
    let entry = unsafe { std::mem::transmute::<*const u8, Entry>(module.get_finalized_function(id)) };
    Ok(Native { entry, exits, room, module: Some(module) })
}

/// A function of words.
fn signature(module: &JITModule, params: usize, results: usize) -> Signature {
    let mut signature = module.make_signature();
    signature.params = vec![AbiParam::new(types::I64); params];
    signature.returns = vec![AbiParam::new(types::I64); results];
    signature
}

impl Run for Native {
    fn run(&self, inputs: &[Reference], heap: &mut Heap) -> (usize, Vec<i64>) {
        let inputs: Vec<i64> = inputs.iter().map(|&input| input as i64).collect();
        let mut kept = vec![0; self.room];
        // SAFETY: the code reads as many inputs as the trace has and writes at most `room` words.
        let exit = unsafe { (self.entry)(inputs.as_ptr(), heap, kept.as_mut_ptr()) };
        self.exits[exit as usize].leave(kept, heap)
    }
}

/// Writes the code of a trace.
struct Writer<'t, 'f> {
    trace: &'t Trace,
    code: FunctionBuilder<'f>,
    /// The functions of the heap, as they are in `HEAP`.
    helpers: Vec<FuncRef>,
    /// What stands for each value of the trace.
    words: Vec<Option<Word>>,
    heap: Word,
    buffer: Word,
    exits: Vec<Exit>,
    room: usize,
}

impl<'t, 'f> Writer<'t, 'f> {
    fn new(trace: &'t Trace, mut code: FunctionBuilder<'f>, helpers: Vec<FuncRef>) -> Self {
        let entry = code.create_block();
        code.append_block_params_for_function_params(entry);
        code.switch_to_block(entry);
        let [inputs, heap, buffer] = [0, 1, 2].map(|position| code.block_params(entry)[position]);
        let mut words = vec![None; trace.value_count()];
        for (&input, position) in trace.inputs().iter().zip(0..) {
            let word = code.ins().load(types::I64, MemFlagsData::trusted(), inputs, 8 * position);
            words[trace.number(input)] = Some(word);
        }
        Writer { trace, code, helpers, words, heap, buffer, exits: Vec::new(), room: 0 }
    }

    fn write(mut self, target: TargetFrontendConfig) -> Result<(Vec<Exit>, usize), Unsupported> {
        let mut head: Option<(Block, Vec<Value>)> = None;
        // What an input refers to may be used in every iteration, so it moves along.
        let references: Vec<Value> =
            self.trace.inputs().iter().copied().filter(|&value| self.trace.ty(value) == Type::Ref).collect();
        for step in self.trace.steps() {
            match step {
                Step::Loop { params, state } => {
                    let block = self.code.create_block();
                    let state = self.all(state.iter().chain(&references))?;
                    self.go(block, &state);
                    self.code.switch_to_block(block);
                    let params: Vec<Value> = params.iter().chain(&references).copied().collect();
                    for &param in &params {
                        let word = self.code.append_block_param(block, types::I64);
                        self.words[self.trace.number(param)] = Some(word);
                    }
                    head = Some((block, params));
                }
                Step::Jump(state) => {
                    let (block, params) = head.take().ok_or(Unsupported)?;
                    let state = self.all(state.iter().chain(&references))?;
                    let state = self.collected(&params, state);
                    self.go(block, &state);
                }
                Step::Finish(_) | Step::Enter { .. } => return Err(Unsupported),
                Step::Operation(operation) => {
                    let operands = self.all(operation.operands)?;
                    let results = self.trace.results(&operation);
                    let failed = self.operation(operation.op, &operands, results)?;
                    if let (Some(failed), Some(leave)) = (failed, &operation.leave) {
                        let kept = self.all(leave.live)?;
                        let number = self.exits.len() as i64;
                        self.exits.push(Exit::new(self.trace, leave)?);
                        self.leave(failed, &kept, number);
                    }
                }
            }
        }
        self.code.seal_all_blocks();
        self.code.finalize(target);
        Ok((self.exits, self.room))
    }

    fn all<'v>(&mut self, values: impl IntoIterator<Item = &'v Value>) -> Result<Vec<Word>, Unsupported> {
        values.into_iter().map(|&value| self.word(value)).collect()
    }

    fn word(&mut self, value: Value) -> Result<Word, Unsupported> {
        let constant = match self.trace.operand(value) {
            Operand::Value(value) => return self.words[self.trace.number(value)].ok_or(Unsupported),
            Operand::Const(Const::Int(int)) => int.signed(),
            // There is one class.
            Operand::Const(Const::Symbol(..)) => i64::from(INT),
            Operand::Const(_) => return Err(Unsupported),
        };
        Ok(self.code.ins().iconst(types::I64, constant))
    }

    fn go(&mut self, block: Block, state: &[Word]) {
        let state: Vec<_> = state.iter().map(|&word| word.into()).collect();
        self.code.ins().jump(block, &state);
    }

    /// Calls the function of the heap at a position of `HEAP`.
    fn call(&mut self, function: usize, operands: &[Word]) -> Option<Word> {
        let operands: Vec<Word> = std::iter::once(self.heap).chain(operands.iter().copied()).collect();
        let call = self.code.ins().call(self.helpers[function], &operands);
        self.code.inst_results(call).first().copied()
    }

    /// The state of the next iteration behind a collection, if one is due.
    fn collected(&mut self, params: &[Value], mut state: Vec<Word>) -> Vec<Word> {
        let places: Vec<usize> =
            (0..params.len()).filter(|&at| self.trace.ty(params[at]) == Type::Ref).collect();
        self.room = self.room.max(places.len());
        for (&place, slot) in places.iter().zip(0..) {
            self.code.ins().store(MemFlagsData::trusted(), state[place], self.buffer, 8 * slot);
        }
        let count = self.code.ins().iconst(types::I64, places.len() as i64);
        self.call(4, &[self.buffer, count]);
        for (&place, slot) in places.iter().zip(0..) {
            state[place] = self.code.ins().load(types::I64, MemFlagsData::trusted(), self.buffer, 8 * slot);
        }
        state
    }

    /// An operation; what tells that its guard failed, if it is one.
    fn operation(
        &mut self,
        op: Op,
        operands: &[Word],
        mut results: impl Iterator<Item = Value>,
    ) -> Result<Option<Word>, Unsupported> {
        let (result, overflows) = match (op, operands) {
            (Op::GuardTrue, &[holds]) => {
                return Ok(Some(self.code.ins().icmp_imm_s(IntCC::Equal, holds, 0)));
            }
            (Op::GuardFalse, &[fails]) => return Ok(Some(fails)),
            (Op::GuardNonnullClass | Op::GuardClass, &[object, _]) => {
                let class = self.call(1, &[object]).ok_or(Unsupported)?;
                return Ok(Some(self.code.ins().icmp_imm_s(IntCC::NotEqual, class, i64::from(INT))));
            }
            (Op::New, []) => (self.call(0, &[]), None),
            (Op::GetField, &[object]) => (self.call(2, &[object]), None),
            (Op::SetField, &[object, value]) => (self.call(3, &[object, value]), None),
            (Op::AddOvf | Op::SubOvf | Op::MulOvf, &[a, b]) => {
                let ins = self.code.ins();
                let (value, over) = match op {
                    Op::AddOvf => ins.sadd_overflow(a, b),
                    Op::SubOvf => ins.ssub_overflow(a, b),
                    _ => ins.smul_overflow(a, b),
                };
                (Some(value), Some(self.code.ins().uextend(types::I64, over)))
            }
            (op, &[a, b]) => (Some(self.plain(op, a, b)?), None),
            _ => return Err(Unsupported),
        };
        for word in [result, overflows].into_iter().flatten() {
            if let Some(value) = results.next() {
                self.words[self.trace.number(value)] = Some(word);
            }
        }
        Ok(None)
    }

    fn plain(&mut self, op: Op, a: Word, b: Word) -> Result<Word, Unsupported> {
        let ins = self.code.ins();
        let compare = match op {
            Op::Add => return Ok(ins.iadd(a, b)),
            Op::Sub => return Ok(ins.isub(a, b)),
            Op::Mul => return Ok(ins.imul(a, b)),
            Op::And => return Ok(ins.band(a, b)),
            Op::Or => return Ok(ins.bor(a, b)),
            Op::Xor => return Ok(ins.bxor(a, b)),
            Op::Lshift => return Ok(ins.ishl(a, b)),
            Op::Rshift => return Ok(ins.sshr(a, b)),
            Op::Lt => IntCC::SignedLessThan,
            Op::Le => IntCC::SignedLessThanOrEqual,
            Op::Gt => IntCC::SignedGreaterThan,
            Op::Ge => IntCC::SignedGreaterThanOrEqual,
            Op::Eq => IntCC::Equal,
            Op::Ne => IntCC::NotEqual,
            _ => return Err(Unsupported),
        };
        let truth = ins.icmp(compare, a, b);
        Ok(self.code.ins().uextend(types::I64, truth))
    }

    /// Leaves if a guard failed: what is kept goes into the buffer.
    fn leave(&mut self, failed: Word, kept: &[Word], number: i64) {
        self.room = self.room.max(kept.len());
        let (out, on) = (self.code.create_block(), self.code.create_block());
        self.code.set_cold_block(out);
        self.code.ins().brif(failed, out, &[], on, &[]);
        self.code.switch_to_block(out);
        for (&word, slot) in kept.iter().zip(0..) {
            self.code.ins().store(MemFlagsData::trusted(), word, self.buffer, 8 * slot);
        }
        let number = self.code.ins().iconst(types::I64, number);
        self.code.ins().return_(&[number]);
        self.code.switch_to_block(on);
    }
}
