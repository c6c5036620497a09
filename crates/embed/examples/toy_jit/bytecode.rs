//! The toy language: registers that hold boxed integers, and an interpreter that counts how hot loops are.

use crate::recorder::Jit;

/// The number of a register.
pub type Register = usize;

/// One instruction.
#[derive(Clone, Copy, Debug)]
pub enum Instruction {
    /// A fresh box with a number.
    Constant(Register, i64),
    /// The first register gets the sum of the others, in a fresh box. A sum that overflows ends the program.
    Add(Register, Register, Register),
    /// The product.
    Multiply(Register, Register, Register),
    /// The common bits.
    And(Register, Register, Register),
    /// Goes on at another instruction where the first register holds the smaller number.
    JumpIfLess(Register, Register, usize),
    /// Ends the program with a number.
    Return(Register),
}

/// A program.
pub struct Program {
    /// How many registers it has.
    pub registers: usize,
    /// The instructions; it begins at the first.
    pub code: Vec<Instruction>,
}

impl Program {
    /// total = 0; i = 0; do { total = (total + i * i + zero) & mask; i += 1 } while i < n, whose sum overflows in the
    /// end where the mask lets it.
    pub fn squares(n: i64, mask: i64) -> Program {
        let [i, total, limit, mask_at, one, zero, square, sum] = [0, 1, 2, 3, 4, 5, 6, 7];
        let constants = [(i, 0), (total, 0), (limit, n), (mask_at, mask), (one, 1), (zero, 0)];
        let constants = constants.map(|(register, value)| Instruction::Constant(register, value));
        // The loop begins behind them.
        let body = [
            Instruction::Multiply(square, i, i),
            Instruction::Add(sum, total, square),
            Instruction::Add(sum, sum, zero),
            Instruction::And(total, sum, mask_at),
            Instruction::Add(i, i, one),
            Instruction::JumpIfLess(i, limit, constants.len()),
            Instruction::Return(total),
        ];
        Program { registers: 8, code: constants.into_iter().chain(body).collect() }
    }
}

/// The class of boxed integers, the only one there is. Real languages have more, and so check it everywhere.
pub const INT: u32 = 1;

/// A box.
#[derive(Clone, Copy)]
pub struct Object {
    pub class: u32,
    pub value: i64,
}

/// A reference: the number of an object.
pub type Reference = usize;

/// The heap, which copies what is alive when it is full.
pub struct Heap {
    objects: Vec<Object>,
}

/// How many objects there may be before the dead ones go.
const FULL: usize = 1 << 16;

impl Heap {
    pub fn new() -> Self {
        Heap { objects: Vec::with_capacity(FULL) }
    }

    pub fn allocate(&mut self, class: u32) -> Reference {
        self.objects.push(Object { class, value: 0 });
        self.objects.len() - 1
    }

    pub fn get(&self, reference: Reference) -> Object {
        self.objects[reference]
    }

    pub fn set(&mut self, reference: Reference, value: i64) {
        self.objects[reference].value = value;
    }

    /// A fresh box with a number in it.
    pub fn boxed(&mut self, value: i64) -> Reference {
        let object = self.allocate(INT);
        self.set(object, value);
        object
    }

    pub fn is_full(&self) -> bool {
        self.objects.len() >= FULL
    }

    /// Keeps the objects that the roots refer to, which then refer to the copies.
    pub fn collect<'a>(&mut self, roots: impl Iterator<Item = &'a mut Reference>) {
        let mut alive = Vec::with_capacity(FULL);
        for root in roots {
            alive.push(self.objects[*root]);
            *root = alive.len() - 1;
        }
        self.objects = alive;
    }
}

/// The state of a run.
pub struct Interpreter<'p> {
    pub program: &'p Program,
    pub registers: Vec<Reference>,
    pub at: usize,
}

impl<'p> Interpreter<'p> {
    pub fn new(program: &'p Program) -> Self {
        Interpreter { program, registers: vec![0; program.registers], at: 0 }
    }

    /// Runs to the end. `None` is an overflow.
    pub fn run(&mut self, heap: &mut Heap, jit: &mut Option<Jit>) -> Option<i64> {
        heap.allocate(INT);
        loop {
            let before = self.at;
            match self.program.code[before] {
                Instruction::Return(register) => return Some(self.number(heap, register)),
                _ => self.step(heap)?,
            }
            // A jump back is the head of a loop: that is where traces begin.
            if self.at <= before {
                if heap.is_full() {
                    heap.collect(self.registers.iter_mut());
                }
                if let Some(jit) = jit {
                    jit.loop_head(self, heap);
                }
            }
        }
    }

    /// Executes one instruction that is no return.
    pub fn step(&mut self, heap: &mut Heap) -> Option<()> {
        let instruction = self.program.code[self.at];
        self.at += 1;
        let (to, value) = match instruction {
            Instruction::Constant(to, value) => (to, value),
            Instruction::Add(to, a, b) => (to, self.number(heap, a).checked_add(self.number(heap, b))?),
            Instruction::Multiply(to, a, b) => (to, self.number(heap, a).checked_mul(self.number(heap, b))?),
            Instruction::And(to, a, b) => (to, self.number(heap, a) & self.number(heap, b)),
            Instruction::JumpIfLess(a, b, target) => {
                if self.number(heap, a) < self.number(heap, b) {
                    self.at = target;
                }
                return Some(());
            }
            Instruction::Return(_) => unreachable!("the caller ends the program"),
        };
        self.registers[to] = heap.boxed(value);
        Some(())
    }

    fn number(&self, heap: &Heap, register: Register) -> i64 {
        let object = heap.get(self.registers[register]);
        assert_eq!(object.class, INT, "there are no other objects");
        object.value
    }
}
