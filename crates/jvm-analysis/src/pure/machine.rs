//! The interpreter of compile-time evaluation: locals, stack and arrays of a method that is run ahead of time.
//!
//! Arrays are the method's own: it has no way to pass one on, so they end with it. What throws ends the evaluation without a
//! result, and so does what is not known here; the call is made then as it was.

use std::sync::Arc;

use planish_classfile::pool::MemberKind;
use planish_classfile::{Insn, MemberRef, Opcode, Operand};
use planish_jvm_ir::surroundings::Number;

use crate::string_methods::{Known, evaluate};

/// What a local or a place of the stack holds.
#[derive(Clone, Debug)]
pub(super) enum Datum {
    /// A number.
    Number(Number),
    /// A text, in code units.
    Text(Arc<[u16]>),
    /// An array, by its place among those of the method.
    Array(usize),
}

/// An array of numbers.
struct Array {
    /// The type of its elements, as the first byte of its descriptor.
    of: u8,
    elements: Vec<Number>,
}

/// How many elements arrays of one method may have together.
const MOST_ELEMENTS: usize = 10_000;

/// The state of a method that runs.
pub(super) struct Machine {
    locals: Vec<Option<Datum>>,
    stack: Vec<Datum>,
    arrays: Vec<Array>,
    /// How many elements these have.
    elements: usize,
}

impl Machine {
    /// A method with so many slots that gets these arguments.
    pub fn new(slots: usize, arguments: Vec<Datum>) -> Option<Machine> {
        let mut locals = vec![None; slots];
        let mut slot = 0;
        for argument in arguments {
            let takes = if matches!(argument, Datum::Number(Number::Long(_))) { 2 } else { 1 };
            *locals.get_mut(slot)? = Some(argument);
            slot += takes;
        }
        Some(Machine { locals, stack: Vec::new(), arrays: Vec::new(), elements: 0 })
    }

    /// The uppermost values of the stack, the lowest of them first.
    pub fn take(&mut self, count: usize) -> Option<Vec<Datum>> {
        Some(self.stack.split_off(self.stack.len().checked_sub(count)?))
    }

    /// The same of numbers.
    pub fn numbers(&mut self, count: usize) -> Option<Vec<Number>> {
        let number = |datum: Datum| if let Datum::Number(number) = datum { Some(number) } else { None };
        self.take(count)?.into_iter().map(number).collect()
    }

    pub fn push(&mut self, number: Number) {
        self.stack.push(Datum::Number(number));
    }

    /// Loads a constant.
    pub fn load(&mut self, constant: &Datum) {
        self.stack.push(constant.clone());
    }

    /// Calls a method of a text that gives a number. What looks at the whole text takes fuel.
    pub fn ask(&mut self, name: &[u8], descriptor: &[u8], count: usize, fuel: &mut u32) -> Option<()> {
        let known = |datum: Datum| match datum {
            Datum::Number(Number::Int(value)) => Some(Known::Number(value)),
            Datum::Text(text) => Some(Known::Text(text.to_vec())),
            _ => None,
        };
        let args: Vec<Known> = self.take(count)?.into_iter().map(known).collect::<Option<_>>()?;
        let Datum::Text(receiver) = self.stack.pop()? else { return None };
        let len = |arg: &Known| if let Known::Text(text) = arg { text.len() } else { 1 };
        let work = match name {
            b"length" | b"charAt" | b"isEmpty" => 0,
            _ => receiver.len() * (1 + args.iter().map(len).sum::<usize>()),
        };
        *fuel = fuel.checked_sub(u32::try_from(work).ok()?)?;
        let member = MemberRef { kind: MemberKind::Method, class: b"java/lang/String", name, descriptor };
        let result = evaluate(&member, &receiver, &args)?;
        self.push(Number::Int(result));
        Some(())
    }

    /// The array that is uppermost on the stack.
    fn array(&mut self) -> Option<&mut Array> {
        let Datum::Array(place) = self.stack.pop()? else { return None };
        self.arrays.get_mut(place)
    }

    /// Makes an array of zeros; each takes fuel.
    fn make_array(&mut self, of: i16, fuel: &mut u32) -> Option<()> {
        let length = usize::try_from(self.int()?).ok()?;
        self.elements += length;
        *fuel = fuel.checked_sub(u32::try_from(length).ok()?)?;
        (self.elements <= MOST_ELEMENTS).then_some(())?;
        // As the specification numbers types of elements.
        let of = *b"ZC__BSIJ".get(usize::try_from(of).ok()?.checked_sub(4)?)?;
        let zero = match of {
            b'_' => return None,
            b'J' => Number::Long(0),
            _ => Number::Int(0),
        };
        self.stack.push(Datum::Array(self.arrays.len()));
        self.arrays.push(Array { of, elements: vec![zero; length] });
        Some(())
    }

    fn load_element(&mut self) -> Option<()> {
        let index = usize::try_from(self.int()?).ok()?;
        let element = *self.array()?.elements.get(index)?;
        self.push(element);
        Some(())
    }

    fn store_element(&mut self) -> Option<()> {
        let Datum::Number(value) = self.stack.pop()? else { return None };
        let index = usize::try_from(self.int()?).ok()?;
        let array = self.array()?;
        let value = match value {
            Number::Int(value) => Number::Int(match array.of {
                b'Z' => value & 1,
                b'B' => i32::from(value as i8),
                b'S' => i32::from(value as i16),
                b'C' => i32::from(value as u16),
                _ => value,
            }),
            value => value,
        };
        *array.elements.get_mut(index)? = value;
        Some(())
    }

    pub fn int(&mut self) -> Option<i32> {
        match self.stack.pop()? {
            Datum::Number(Number::Int(value)) => Some(value),
            _ => None,
        }
    }

    pub fn long(&mut self) -> Option<i64> {
        match self.stack.pop()? {
            Datum::Number(Number::Long(value)) => Some(value),
            _ => None,
        }
    }

    /// Whether a conditional jump is taken.
    pub fn branches(&mut self, op: Opcode) -> Option<bool> {
        use Opcode::*;
        let right = match op {
            Ifeq | Ifne | Iflt | Ifge | Ifgt | Ifle => 0,
            _ => self.int()?,
        };
        let left = self.int()?;
        Some(match op {
            Ifeq | IfIcmpeq => left == right,
            Ifne | IfIcmpne => left != right,
            Iflt | IfIcmplt => left < right,
            Ifge | IfIcmpge => left >= right,
            Ifgt | IfIcmpgt => left > right,
            Ifle | IfIcmple => left <= right,
            _ => return None,
        })
    }

    /// Runs an instruction that does not jump. Nothing for floats, for a division by zero, and for the
    /// rarer ways to move values on the stack.
    pub fn step(&mut self, instruction: &Insn, fuel: &mut u32) -> Option<()> {
        use Opcode::*;
        let op = instruction.op;
        let is = |first: Opcode, last: Opcode| (first..=last).contains(&op);
        if is(Iload, Lload) || is(Iload0, Lload3) || op == Aload || is(Aload0, Aload3) {
            let value = self.locals.get(usize::from(instruction.slot()?))?.clone();
            self.stack.push(value?);
            return Some(());
        }
        if is(Istore, Lstore) || is(Istore0, Lstore3) || op == Astore || is(Astore0, Astore3) {
            let value = self.stack.pop()?;
            *self.locals.get_mut(usize::from(instruction.slot()?))? = Some(value);
            return Some(());
        }
        match (op, &instruction.operand) {
            (Nop, _) => {}
            (Iinc, &Operand::Increment { slot, by, .. }) => {
                let local = self.locals.get_mut(usize::from(slot))?;
                let &mut Some(Datum::Number(Number::Int(value))) = local else { return None };
                *local = Some(Datum::Number(Number::Int(value.wrapping_add(i32::from(by)))));
            }
            (Pop, _) => drop(self.stack.pop()?),
            (Dup, _) => {
                let value = self.stack.last()?.clone();
                self.stack.push(value);
            }
            (Newarray, &Operand::Immediate(of)) => self.make_array(of, fuel)?,
            (Iaload | Laload | Baload | Caload | Saload, _) => self.load_element()?,
            (Iastore | Lastore | Bastore | Castore | Sastore, _) => self.store_element()?,
            (Bipush | Sipush, &Operand::Immediate(value)) => self.push(Number::Int(i32::from(value))),
            (Lconst0 | Lconst1, _) => self.push(Number::Long(op as i64 - Lconst0 as i64)),
            _ if is(IconstM1, Iconst5) => self.push(Number::Int(op as i32 - Iconst0 as i32)),
            _ => {
                let made = self.compute(op)?;
                self.push(made);
            }
        }
        Some(())
    }

    /// What an instruction makes of the numbers on the stack.
    fn compute(&mut self, op: Opcode) -> Option<Number> {
        use Opcode::*;
        Some(match op {
            Arraylength => Number::Int(i32::try_from(self.array()?.elements.len()).ok()?),
            I2l => Number::Long(i64::from(self.int()?)),
            L2i => Number::Int(self.long()? as i32),
            I2b => Number::Int(i32::from(self.int()? as i8)),
            I2s => Number::Int(i32::from(self.int()? as i16)),
            I2c => Number::Int(i32::from(self.int()? as u16)),
            Ineg => Number::Int(self.int()?.wrapping_neg()),
            Lneg => Number::Long(self.long()?.wrapping_neg()),
            Lcmp => {
                let right = self.long()?;
                Number::Int(self.long()?.cmp(&right) as i32)
            }
            Lshl | Lshr | Lushr => {
                let by = self.int()? as u32;
                let value = self.long()?;
                Number::Long(match op {
                    Lshl => value.wrapping_shl(by),
                    Lshr => value.wrapping_shr(by),
                    _ => (value as u64).wrapping_shr(by) as i64,
                })
            }
            Iadd | Isub | Imul | Idiv | Irem | Ishl | Ishr | Iushr | Iand | Ior | Ixor => {
                let right = self.int()?;
                Number::Int(of_ints(op, self.int()?, right)?)
            }
            Ladd | Lsub | Lmul | Ldiv | Lrem | Land | Lor | Lxor => {
                let right = self.long()?;
                Number::Long(of_longs(op, self.long()?, right)?)
            }
            _ => return None,
        })
    }
}

/// Arithmetic of `int`; nothing where it throws.
pub fn of_ints(op: Opcode, left: i32, right: i32) -> Option<i32> {
    use Opcode::*;
    Some(match op {
        Iadd => left.wrapping_add(right),
        Isub => left.wrapping_sub(right),
        Imul => left.wrapping_mul(right),
        Idiv if right != 0 => left.wrapping_div(right),
        Irem if right != 0 => left.wrapping_rem(right),
        Ishl => left.wrapping_shl(right as u32),
        Ishr => left.wrapping_shr(right as u32),
        Iushr => (left as u32).wrapping_shr(right as u32) as i32,
        Iand => left & right,
        Ior => left | right,
        Ixor => left ^ right,
        _ => return None,
    })
}

/// Arithmetic of `long`, but for shifts; nothing where it throws.
fn of_longs(op: Opcode, left: i64, right: i64) -> Option<i64> {
    use Opcode::*;
    Some(match op {
        Ladd => left.wrapping_add(right),
        Lsub => left.wrapping_sub(right),
        Lmul => left.wrapping_mul(right),
        Ldiv if right != 0 => left.wrapping_div(right),
        Lrem if right != 0 => left.wrapping_rem(right),
        Land => left & right,
        Lor => left | right,
        Lxor => left ^ right,
        _ => return None,
    })
}
