//! When a loop is hot, one iteration of it is recorded, optimized and compiled; from then on its head enters
//! the code.

use std::collections::HashMap;

use planish_trace::{Class, Field, Mutability, Op, Optimizer, Recorder, Refused, Trace, Type, Value, Words};

use crate::backend::{self, Run};
use crate::bytecode::{Heap, Instruction, Interpreter, Program, Reference, Register};

/// How often a loop's head is seen before the loop is recorded.
const HOT: u32 = 50;

/// What the objects of the language are, as Planish is told.
#[derive(Clone, Copy)]
pub struct Vocabulary {
    int: Class,
    value: Field,
}

impl Vocabulary {
    fn new(words: &mut Words) -> Result<Self, Refused> {
        let int = words.class("Int")?;
        let value = words.field("Int.value", Type::I64, Mutability::Immutable)?;
        Ok(Vocabulary { int, value })
    }
}

/// A back end: what runs a trace, if it knows all that is in it.
pub type Compile = fn(&Trace) -> Option<Box<dyn Run>>;

/// The compiler: counters, and code by loop head.
pub struct Jit {
    vocabulary: Vocabulary,
    recorder: Recorder,
    optimizer: Option<Optimizer>,
    compile: Compile,
    seen: HashMap<usize, u32>,
    code: HashMap<usize, Compiled>,
    operations: usize,
}

/// A loop that was compiled.
struct Compiled {
    code: Box<dyn Run>,
    /// For each exit where the interpreter goes on, and which registers the values are for.
    exits: Vec<Resume>,
}

/// Where the interpreter goes on when a guard fails, and the registers that it needs there.
struct Resume {
    at: usize,
    registers: Vec<Register>,
}

impl Jit {
    /// One that records traces with a recorder, and optimizes them afterwards if it is given an optimizer.
    pub fn new(mut recorder: Recorder, optimizer: Option<Optimizer>) -> Result<Self, Refused> {
        let vocabulary = Vocabulary::new(recorder.words_mut())?;
        let (seen, code) = (HashMap::new(), HashMap::new());
        let compile: Compile = |trace| Some(Box::new(backend::compile(trace).ok()?));
        Ok(Jit { vocabulary, recorder, optimizer, compile, seen, code, operations: 0 })
    }

    /// The same with another back end than that which interprets flat code.
    #[cfg(feature = "cranelift")]
    pub fn with_backend(self, compile: Compile) -> Self {
        Jit { compile, ..self }
    }

    /// The operations of all traces that were compiled.
    pub fn operations(&self) -> usize {
        self.operations
    }

    /// The interpreter is at the head of a loop: runs its code, or records it when it is hot.
    pub fn loop_head(&mut self, interpreter: &mut Interpreter<'_>, heap: &mut Heap) {
        let head = interpreter.at;
        if let Some(compiled) = self.code.get(&head) {
            let (exit, live) = compiled.code.run(&interpreter.registers, heap);
            let resume = &compiled.exits[exit];
            for (&register, value) in resume.registers.iter().zip(live) {
                interpreter.registers[register] = value as Reference;
            }
            interpreter.at = resume.at;
            return;
        }
        let seen = self.seen.entry(head).or_default();
        *seen += 1;
        if *seen == HOT
            && let Ok(Some((mut trace, exits))) = self.record(interpreter, heap)
        {
            if let Some(optimizer) = &mut self.optimizer
                && optimizer.optimize(&mut trace, self.recorder.words()).is_err()
            {
                // The loop leaves in every iteration: there is nothing to gain.
                return;
            }
            if std::env::var_os("SHOW").is_some() {
                print!("{}", trace.text(self.recorder.words()));
            }
            if let Some(code) = (self.compile)(&trace) {
                self.operations += trace.len();
                self.code.insert(head, Compiled { code, exits });
            }
            self.recorder.recycle(trace);
        }
    }

    /// Runs one iteration and takes it down; nothing when it does not come back to its head.
    fn record(
        &mut self,
        interpreter: &mut Interpreter<'_>,
        heap: &mut Heap,
    ) -> Result<Option<(Trace, Vec<Resume>)>, Refused> {
        let head = interpreter.at;
        let (vocabulary, recorder) = (self.vocabulary, &mut self.recorder);
        let inputs = recorder.begin("loop", &vec![Type::Ref; interpreter.registers.len()])?.to_vec();
        let registers = recorder.begin_loop(&inputs)?.to_vec();
        let mut taker = Taker { vocabulary, recorder, registers, exits: Vec::new() };
        loop {
            let at = interpreter.at;
            let instruction = interpreter.program.code[at];
            if matches!(instruction, Instruction::Return(_)) || interpreter.step(heap).is_none() {
                return Ok(None);
            }
            taker.take(interpreter.program, at, instruction, interpreter.at)?;
            match interpreter.at {
                back if back == head => break,
                inner if inner <= at => return Ok(None),
                _ => {}
            }
        }
        let Taker { recorder, registers, exits, .. } = taker;
        Ok(Some((recorder.close_loop(&registers)?, exits)))
    }
}

/// Takes down instructions: each register is a value of the trace.
struct Taker<'a> {
    vocabulary: Vocabulary,
    recorder: &'a mut Recorder,
    registers: Vec<Value>,
    exits: Vec<Resume>,
}

impl Taker<'_> {
    /// An instruction at a place, and where it led.
    fn take(
        &mut self,
        program: &Program,
        at: usize,
        instruction: Instruction,
        next: usize,
    ) -> Result<(), Refused> {
        match instruction {
            Instruction::Constant(to, value) => {
                let value = self.recorder.int(value);
                self.registers[to] = self.boxed(value)?;
            }
            Instruction::Add(to, a, b) => self.checked(program, at, Op::AddOvf, to, [a, b])?,
            Instruction::Multiply(to, a, b) => self.checked(program, at, Op::MulOvf, to, [a, b])?,
            Instruction::And(to, a, b) => {
                let operands = [self.number(program, at, a)?, self.number(program, at, b)?];
                let value = self.recorder.op(Op::And, &operands)?;
                self.registers[to] = self.boxed(value)?;
            }
            Instruction::JumpIfLess(a, b, target) => {
                let operands = [self.number(program, at, a)?, self.number(program, at, b)?];
                let less = self.recorder.op(Op::Lt, &operands)?;
                // Where the guard fails the other way is taken.
                let (guard, other) =
                    if next == target { (Op::GuardTrue, at + 1) } else { (Op::GuardFalse, target) };
                self.guard(program, guard, &[less], other)?;
            }
            Instruction::Return(_) => unreachable!("a trace ends before"),
        }
        Ok(())
    }

    /// An operation that may overflow; then the interpreter does the instruction again.
    fn checked(
        &mut self,
        program: &Program,
        at: usize,
        op: Op,
        to: Register,
        [a, b]: [Register; 2],
    ) -> Result<(), Refused> {
        let operands = [self.number(program, at, a)?, self.number(program, at, b)?];
        let (value, overflows) = self.recorder.overflowing(op, &operands)?;
        self.guard(program, Op::GuardFalse, &[overflows], at)?;
        self.registers[to] = self.boxed(value)?;
        Ok(())
    }

    /// The number in a register's box, whose class is checked.
    fn number(&mut self, program: &Program, at: usize, register: Register) -> Result<Value, Refused> {
        let class = self.recorder.class(self.vocabulary.int);
        let object = self.registers[register];
        self.guard(program, Op::GuardNonnullClass, &[object, class], at)?;
        self.recorder.get(self.vocabulary.value, object)
    }

    fn boxed(&mut self, number: Value) -> Result<Value, Refused> {
        let object = self.recorder.new_object(self.vocabulary.int)?;
        self.recorder.set(self.vocabulary.value, object, number)?;
        Ok(object)
    }

    /// A guard that leaves to an instruction, with the registers that are needed from there on. The boxes in them
    /// are named as they are: those that nothing else needs, the optimizer lets the exit make.
    fn guard(&mut self, program: &Program, op: Op, operands: &[Value], at: usize) -> Result<(), Refused> {
        let registers = live(program, at);
        let values: Vec<Value> = registers.iter().map(|&register| self.registers[register]).collect();
        let number = u32::try_from(self.exits.len()).expect("a trace has fewer than 2^32 guards");
        self.recorder.guard(op, operands, number, &values)?;
        self.exits.push(Resume { at, registers });
        Ok(())
    }
}

/// The registers that may be read from a place on before they are written: a walk over what can be reached.
fn live(program: &Program, at: usize) -> Vec<Register> {
    let mut needed = vec![false; program.registers];
    let mut seen = vec![Vec::new(); program.code.len()];
    let mut open = vec![(at, vec![false; program.registers])];
    while let Some((at, written)) = open.pop() {
        if seen[at].contains(&written) {
            continue;
        }
        seen[at].push(written.clone());
        let mut after = written.clone();
        let mut reads = |registers: &[Register]| {
            registers.iter().filter(|&&register| !written[register]).for_each(|&r| needed[r] = true);
        };
        match program.code[at] {
            Instruction::Constant(to, _) => after[to] = true,
            Instruction::Add(to, a, b) | Instruction::Multiply(to, a, b) | Instruction::And(to, a, b) => {
                reads(&[a, b]);
                after[to] = true;
            }
            Instruction::JumpIfLess(a, b, target) => {
                reads(&[a, b]);
                open.push((target, after.clone()));
            }
            Instruction::Return(register) => {
                reads(&[register]);
                continue;
            }
        }
        open.push((at + 1, after));
    }
    (0..program.registers).filter(|&register| needed[register]).collect()
}
