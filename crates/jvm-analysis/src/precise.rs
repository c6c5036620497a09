//! Receiver type refinement (devirtualization, Dean, Grove and Chambers 1995): calls name a more precise class than
//! they did.
//!
//! A call says on which class its method is looked up, and that class is what the compiler knew of the receiver. The
//! inference knows more: of `Shape s = new Circle()`, `s.area()` is `Circle.area()`. Such a call is *precise* if it names
//! a class below which there is one method only: then the next round sees one, too, and inlining, copies without
//! arguments, and the removal of what nobody calls follow. What the call does is the same. Where no class can be named, as a
//! verifier does not see what the inference knows, or some object elsewhere has another method, the call still leads to one
//! body, which may stand in its place.

use hashbrown::HashMap;
use planish_classfile::pool::MemberKind;
use planish_classfile::{ConstantPool, Insn, MemberRef, Opcode};
use planish_jvm_model::program::Method;
use rustc_hash::FxBuildHasher;

/// What a call is to name.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PreciseCall {
    /// The class, no interface.
    pub class: Box<[u8]>,
    /// The method, as it was.
    pub name: Box<[u8]>,
    /// Its descriptor, as it was.
    pub descriptor: Box<[u8]>,
}

impl PreciseCall {
    /// The instruction.
    pub fn instruction(&self, pool: &mut ConstantPool<'_>) -> planish_classfile::Result<Insn> {
        let index = pool.add_member(MemberRef {
            kind: MemberKind::Method,
            class: &self.class,
            name: &self.name,
            descriptor: &self.descriptor,
        })?;
        Ok(Insn::constant(Opcode::Invokevirtual, index))
    }

    /// The class, name and descriptor.
    pub fn full_name(&self) -> Box<[u8]> {
        [&self.class[..], b".", &self.name, &self.descriptor].concat().into()
    }
}

/// A call that leads to one method, by what is known of its receiver, while what it names does not say so.
#[derive(Clone, Copy, Debug)]
pub struct SingleCall {
    /// The method that makes it.
    pub caller: Method,
    /// Its place among the instructions of that.
    pub at: u32,
    /// The method to which it leads.
    pub target: Method,
    /// Whether a verifier sees that the receiver is of the class of that.
    pub is_seen: bool,
}

/// The calls of a program that are to name more precise classes.
#[derive(Default)]
pub struct PreciseCalls {
    /// By class, name and descriptor of the caller: the position of each call, in ascending order, and what it names then.
    calls: HashMap<Box<[u8]>, Vec<(u32, PreciseCall)>, FxBuildHasher>,
}

impl PreciseCalls {
    /// Those of a caller.
    pub fn add(&mut self, caller: Box<[u8]>, mut calls: Vec<(u32, PreciseCall)>) {
        calls.sort_unstable_by_key(|(at, _)| *at);
        self.calls.insert(caller, calls);
    }

    /// The calls of a method, in ascending order.
    pub fn of(&self, method: &[u8]) -> &[(u32, PreciseCall)] {
        self.calls.get(method).map_or(&[], Vec::as_slice)
    }
}
