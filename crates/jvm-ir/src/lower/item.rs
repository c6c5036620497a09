//! Bytecode with unlimited locals: what instruction selection makes and slot allocation takes.

use planish_classfile::{Insn, Opcode};
use planish_ops::Type;

planish_base::define_id!(
    /// A place in the code that is made.
    Label, "label"
);
planish_base::define_id!(
    /// A local before it has a slot.
    Register, "r"
);
planish_base::define_id!(
    /// The handlers of an instruction, in the order in which they are tried.
    Guard, "guard"
);

/// An instruction in the making.
#[derive(Clone, Debug)]
pub enum Item {
    /// The next instruction is a target.
    Label(Label),
    /// An instruction without local and without target.
    Insn(Insn),
    /// Puts a local on the stack.
    Load(Load),
    /// Takes a local from the stack.
    Store {
        /// The local.
        to: Register,
        /// The load that put the value there, if the register that was loaded still has it.
        from: Option<Load>,
    },
    /// A jump.
    Jump(Opcode, Label),
    /// A switch: default, then keys in ascending order.
    Switch(Label, Vec<(i32, Label)>),
}

/// A load of a register. The number tells it from other loads of the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Load {
    /// The local.
    pub register: Register,
    /// The number.
    pub number: u32,
}

/// An item and where it comes from.
#[derive(Clone, Debug)]
pub struct Made {
    /// What it is.
    pub item: Item,
    /// The location of the operation that it is of; 0 if unknown.
    pub location: u32,
    /// The handlers that guard it, if it may throw.
    pub guard: Option<Guard>,
}

/// A handler of a guard: the class that it catches, and where it begins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Catch {
    /// The constant; 0 for everything.
    pub class: u16,
    /// The handler.
    pub target: Label,
}

/// What a register holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// `int` and narrower.
    Int,
    /// `long`
    Long,
    /// `float`
    Float,
    /// `double`
    Double,
    /// A reference.
    Ref,
}

impl Kind {
    /// How values of a type are kept; `None` for types that the JVM lacks.
    pub fn of(ty: Type) -> Option<Kind> {
        Some(match ty {
            Type::Int(1..=32) => Kind::Int,
            Type::Int(64) => Kind::Long,
            Type::F32 => Kind::Float,
            Type::F64 => Kind::Double,
            Type::Ref => Kind::Ref,
            Type::Int(_) | Type::State | Type::Vector(_) => return None,
        })
    }

    /// The slots that a value takes.
    pub fn slots(self) -> u16 {
        if matches!(self, Kind::Long | Kind::Double) { 2 } else { 1 }
    }

    /// The place of the kind in families of opcodes: `iload`, `lload`, `fload`, `dload`, `aload`.
    fn family(self) -> u8 {
        match self {
            Kind::Int => 0,
            Kind::Long => 1,
            Kind::Float => 2,
            Kind::Double => 3,
            Kind::Ref => 4,
        }
    }

    /// The member of a family whose first member is that of `int`.
    pub fn member(self, first: Opcode) -> Opcode {
        Opcode::from_byte(first as u8 + self.family()).expect("families have a member for each kind")
    }
}
