//! A plan of inlining: which bodies stand in the place of which calls, and what has to be visible for that.

use std::sync::Arc;

use hashbrown::HashMap;
use planish_classfile::pool::MemberKind;
use planish_classfile::{ConstantPool, Insn, MemberRef, Opcode, Operand};
use planish_pass::Chaos;
use rustc_hash::FxBuildHasher;

use crate::transform::inline::access::{Visible, Widened};
use crate::transform::inline::portable::PortableCode;

/// A body that may stand in the place of calls.
#[derive(Clone, Hash, Debug)]
pub struct Inlinee {
    /// The method: class, name and descriptor.
    pub method: Box<[u8]>,
    /// The body.
    pub code: PortableCode,
    /// What stores the arguments, receiver first, and in which slots.
    pub parameters: Vec<(Opcode, u16)>,
    /// Whether the receiver is to be checked for null.
    pub checks_receiver: bool,
    /// The class to which the receiver is to be cast, since a verifier does not see that it is one.
    pub cast: Option<Box<[u8]>>,
    /// Instructions that narrow the result as its declared type says.
    pub narrows: Vec<Opcode>,
    /// Whether this is the only call of the method, which then goes.
    pub only: bool,
    /// Whether the method is a variant.
    pub is_variant: bool,
}

/// Which bodies may stand in the place of calls.
#[derive(Clone, Copy, Debug)]
pub struct Inlining {
    /// Whether classes and members may become public for that.
    pub anywhere: bool,
    /// Small ones.
    pub small: bool,
    /// Those that are called once.
    pub unique: bool,
    /// How many instructions more than it has parameters a variant may have that only computes, where it is small enough for
    /// every call.
    pub small_variants: usize,
    /// Whether lines come along.
    pub lines: bool,
    /// What is asked instead of heuristics, if anything.
    pub chaos: Option<Chaos>,
}

impl Inlining {
    /// A bound on what pays: the usual one, unless there is [`Chaos`].
    pub(super) fn bound(self, name: &str, usual: usize) -> usize {
        self.chaos.map_or(usual, |chaos| chaos.about(name).limit(usual as u64) as usize)
    }

    /// Whether a body that may stand in the place of a method's calls is to.
    pub(super) fn decides(self, method: &[u8]) -> bool {
        self.chaos.is_none_or(|chaos| chaos.about(method).below(2) == 0)
    }
}

/// What identifies calls.
pub(super) type Keys = Vec<Box<[u8]>>;

/// The calls of a program that are to be replaced.
#[derive(Default)]
pub struct Plan {
    /// By the calling class and what the call says.
    pub(super) calls: HashMap<Box<[u8]>, Arc<Inlinee>, FxBuildHasher>,
    /// By the method that makes them: positions of calls in ascending order, of which more is known than they say.
    pub(super) singles: HashMap<Box<[u8]>, Vec<(u32, Inlinee)>, FxBuildHasher>,
    /// By the method that makes the calls: bodies that are tried.
    pub(super) trials: HashMap<Box<[u8]>, Trial, FxBuildHasher>,
    /// By the method that makes it: calls that no other method makes, in whose place bodies are to stand.
    pub(super) only: HashMap<Box<[u8]>, Keys, FxBuildHasher>,
    /// Classes by their names, and members by class, name and descriptor, that have to be visible.
    pub(super) widened: HashMap<Box<[u8]>, Visible, FxBuildHasher>,
    /// Calls that may begin to initialize a class outside of the program.
    pub(super) initializing: Vec<Initializing>,
}

/// A call that may begin to initialize a class.
pub(super) struct Initializing {
    pub(super) key: Box<[u8]>,
    pub(super) inlinee: Arc<Inlinee>,
    /// What is to be visible for it.
    pub(super) widened: Vec<Widened>,
}

/// What identifies a call: the class that makes it, the instruction, the method.
pub(super) fn key(caller: &[u8], op: Opcode, member: &MemberRef<'_>) -> Box<[u8]> {
    let kind = [op as u8, u8::from(member.kind == MemberKind::InterfaceMethod)];
    [caller, b"|", &kind[..], member.class, b".", member.name, member.descriptor].concat().into()
}

/// The method that a call names.
pub(super) fn called<'p>(instruction: &Insn, pool: &'p ConstantPool<'_>) -> Option<MemberRef<'p>> {
    pool.member(named(instruction)?).ok()
}

/// The constant that a call names.
pub(super) fn named(instruction: &Insn) -> Option<u16> {
    match (instruction.op, &instruction.operand) {
        (Opcode::Invokevirtual | Opcode::Invokespecial | Opcode::Invokestatic, &Operand::Constant(index)) => {
            Some(index)
        }
        (Opcode::Invokeinterface, &Operand::Interface { method, .. }) => Some(method),
        _ => None,
    }
}

/// What one method tries.
#[derive(Default, Hash, Debug)]
pub(crate) struct Trial {
    /// How many objects are to vanish.
    pub objects: u64,
    /// Positions of calls in ascending order, and the bodies.
    pub calls: Vec<(u32, Inlinee)>,
}
