//! Unboxing: boxed numbers (`Integer.valueOf`, `intValue`) as objects with one field.
//!
//! `Integer.valueOf(x)` gives an object that holds `x` and never changes; `intValue()` gives it back. Which object
//! it is depends on the number, so what compares boxes by identity needs the box itself.

use planish_classfile::pool::MemberKind;
use planish_classfile::{ConstantPool, Insn, MemberRef, Opcode, Result};

/// A class of boxes.
pub struct Boxed {
    /// The class.
    pub class: &'static [u8],
    /// What it holds, as descriptors write it.
    pub descriptor: &'static [u8],
    /// The method that gives it back.
    unbox: &'static [u8],
}

const BOXES: [Boxed; 8] = [
    Boxed { class: b"java/lang/Boolean", descriptor: b"Z", unbox: b"booleanValue" },
    Boxed { class: b"java/lang/Byte", descriptor: b"B", unbox: b"byteValue" },
    Boxed { class: b"java/lang/Character", descriptor: b"C", unbox: b"charValue" },
    Boxed { class: b"java/lang/Double", descriptor: b"D", unbox: b"doubleValue" },
    Boxed { class: b"java/lang/Float", descriptor: b"F", unbox: b"floatValue" },
    Boxed { class: b"java/lang/Integer", descriptor: b"I", unbox: b"intValue" },
    Boxed { class: b"java/lang/Long", descriptor: b"J", unbox: b"longValue" },
    Boxed { class: b"java/lang/Short", descriptor: b"S", unbox: b"shortValue" },
];

/// What is made of a number to get another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conversion {
    /// The number itself.
    Same,
    /// An `int` becomes a `long`.
    Widen,
    /// A `long` becomes an `int`.
    Shorten,
}

impl Boxed {
    /// All of them.
    pub const ALL: &[Boxed] = &BOXES;

    /// Its position among all.
    pub fn position(&self) -> usize {
        BOXES.iter().position(|boxed| boxed.class == self.class).expect("it is one of them")
    }

    /// Whether a class is one of boxes.
    pub fn is_box(class: &[u8]) -> bool {
        BOXES.iter().any(|boxed| boxed.class == class)
    }

    /// The class of this name, if its boxes hold numbers of a type.
    pub fn of(class: &[u8], number: &[u8]) -> Option<&'static Boxed> {
        BOXES.iter().find(|boxed| boxed.class == class && boxed.descriptor == number)
    }

    /// The instruction that makes a box of a number.
    pub fn boxing(&self, pool: &mut ConstantPool<'_>) -> Result<Insn> {
        let descriptor = [b"(", self.descriptor, b")L", self.class, b";"].concat();
        self.call(Opcode::Invokestatic, b"valueOf", &descriptor, pool)
    }

    /// The instruction that gives the number back.
    pub fn unboxing(&self, pool: &mut ConstantPool<'_>) -> Result<Insn> {
        self.call(Opcode::Invokevirtual, self.unbox, &[b"()", self.descriptor].concat(), pool)
    }

    fn call(&self, op: Opcode, name: &[u8], descriptor: &[u8], pool: &mut ConstantPool<'_>) -> Result<Insn> {
        let member = MemberRef { kind: MemberKind::Method, class: self.class, name, descriptor };
        Ok(Insn::constant(op, pool.add_member(member)?))
    }

    /// The class whose boxes a static call makes.
    pub fn made_by(op: Opcode, member: &MemberRef<'_>) -> Option<&'static Boxed> {
        let found = BOXES.iter().find(|boxed| boxed.class == member.class)?;
        let result = [b"(", found.descriptor, b")L", found.class, b";"].concat();
        let fits = op == Opcode::Invokestatic && member.name == b"valueOf" && member.descriptor == result;
        fits.then_some(found)
    }

    /// What a call of a method of a box gives of what it holds.
    pub fn gives(&self, op: Opcode, member: &MemberRef<'_>) -> Option<Conversion> {
        let of_numbers = member.class == b"java/lang/Number";
        if op != Opcode::Invokevirtual || member.class != self.class && !of_numbers {
            return None;
        }
        let (takes, result) = member.descriptor.split_at_checked(2)?;
        let asks = |name: &[u8], descriptor: &[u8]| member.name == name && result == descriptor;
        (takes == b"()").then_some(())?;
        match self.descriptor {
            held if asks(self.unbox, held) => Some(Conversion::Same),
            b"I" | b"S" | b"B" if asks(b"intValue", b"I") => Some(Conversion::Same),
            b"I" | b"S" | b"B" if asks(b"longValue", b"J") => Some(Conversion::Widen),
            b"J" if asks(b"intValue", b"I") => Some(Conversion::Shorten),
            _ => None,
        }
    }
}
