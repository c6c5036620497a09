//! What was found out about a program, and about the values of each method body.

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use planish_ir::{Block, Const, Value};
use planish_jvm_model::program::Method;
use rustc_hash::FxBuildHasher;

use crate::fields::PlainFields;
use crate::infer::vanishing::VanishingObject;
use crate::precise::{PreciseCalls, SingleCall};
use crate::wanted::Wanted;

/// What was found out about the values of one method body.
#[derive(Clone, Hash, Debug, Default)]
pub struct MethodFacts {
    /// How many values the lifted body has: a body that has another number is another one.
    pub(in crate::infer) values: usize,
    /// Values that are one constant.
    pub(in crate::infer) constants: Vec<(Value, Const)>,
    /// References that are one constant text.
    pub(in crate::infer) texts: Vec<(Value, Box<[u8]>)>,
    /// References that are not null.
    pub(in crate::infer) nonnull: Vec<Value>,
    /// What calls of pure methods give that were made ahead of time: they return, and need not be made again.
    pub(in crate::infer) ahead: Vec<Value>,
    /// What is returned although nobody needs it, and is computed for that alone.
    pub(in crate::infer) returned: Vec<Value>,
    /// Handlers for exceptions that cannot arise.
    pub(in crate::infer) idle: Vec<Block>,
}

impl MethodFacts {
    /// Whether a call of the method was made ahead of time.
    pub fn calls_ahead(&self) -> bool {
        !self.ahead.is_empty()
    }
}

/// What was found out about a program.
#[derive(Default)]
pub struct Facts {
    /// By class, name and descriptor.
    pub(in crate::infer) methods: HashMap<Box<[u8]>, MethodFacts, FxBuildHasher>,
    /// Fields that nothing reads but to store it there again, as instructions name them: class, name and descriptor.
    pub unread: HashSet<Box<[u8]>, FxBuildHasher>,
    /// Fields that are places in memory and nothing else.
    pub fields: Arc<PlainFields>,
    /// Static methods that nothing outside calls and that always get an object of their class, by class, name and
    /// descriptor: calling one does not begin to initialize the class.
    pub on_instances: HashSet<Box<[u8]>, FxBuildHasher>,
    /// Calls that want variants of what they call.
    pub wanted: Wanted,
    /// Calls that are to name more precise classes.
    pub precise: PreciseCalls,
    /// Calls that lead to one method, while no class that they may name says so.
    pub singles: Vec<SingleCall>,
    /// Objects that would be their fields, if bodies stood in the place of these calls.
    pub vanishing: Vec<VanishingObject>,
    /// Pure methods that are called with constants for which they do not return soon.
    pub unbounded: Vec<Method>,
    /// How much of what there is.
    pub counts: Counts,
}

/// What was found out, in numbers.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Methods that nothing outside calls with an argument that is always the same.
    pub constant_parameters: u64,
    /// Methods with a result that is always the same.
    pub constant_results: u64,
    /// Fields that always hold the same.
    pub constant_fields: u64,
    /// Methods that look reachable and never run.
    pub unreached: u64,
    /// Calls of methods that only compute, with constants, which were not made ahead of time: they take too long, or throw.
    pub unmade: u64,
    /// Methods that need no receiver and keep theirs, since it may be null at too many calls.
    pub checked_receivers: u64,
}

impl Facts {
    /// Nothing is known of values any more.
    pub fn forget_values(&mut self) {
        self.methods.clear();
    }

    /// What was found out about a method.
    pub fn of(&self, class: &[u8], name: &[u8], descriptor: &[u8]) -> Option<&MethodFacts> {
        self.methods.get(&[class, b".", name, descriptor].concat()[..])
    }
}
