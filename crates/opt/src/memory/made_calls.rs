//! Calls that were made and only compute, and what they gave.

use std::hash::BuildHasher;

use hashbrown::{HashMap, HashTable, hash_table};
use planish_base::{List, ListPool};
use planish_ir::Value;
use planish_ops::world::Descr;
use rustc_hash::FxBuildHasher;

use super::made_look_ups::LookUps;

/// What tells calls apart whose result may be used again.
#[derive(Clone, Copy)]
pub(super) struct Key {
    pub descr: Descr,
    pub operands: List<Value>,
    pub hash: u64,
}

/// A call that was made.
pub(super) struct Done {
    pub key: Key,
    pub result: Value,
}

/// What is known of calls.
#[derive(Default)]
pub(crate) struct Calls {
    /// Results of calls that only compute.
    pub(super) done: HashTable<Done>,
    /// The operands of these calls, and of those that were looked for.
    pub(super) operands: ListPool<Value>,
    /// Results that the source promises, by operands.
    pub(super) promised: HashMap<Vec<Value>, Value, FxBuildHasher>,
    /// Look-ups in dictionaries.
    pub(super) look_ups: LookUps,
    /// Whether the operation before was a call that was not made.
    pub(super) just_removed: bool,
    /// The result of the call before that counts for equal ones.
    pub(super) last: Option<Value>,
}

impl Calls {
    /// The call at hand is not made: guards behind it have nothing to look at.
    pub fn was_removed(&mut self) {
        self.just_removed = true;
    }

    /// The source promises the result of calls on operands.
    pub fn promise(&mut self, operands: Vec<Value>, result: Value) {
        self.promised.insert(operands, result);
    }

    pub(super) fn key(&mut self, descr: Descr, operands: &[Value]) -> Key {
        let hash = FxBuildHasher.hash_one((descr, operands));
        Key { descr, operands: self.operands.push(operands), hash }
    }

    /// What an equal call gave.
    pub(super) fn find(&self, key: Key) -> Option<Value> {
        let operands = |key: Key| self.operands.get(key.operands);
        let equal = |done: &Done| done.key.descr == key.descr && operands(done.key) == operands(key);
        self.done.find(key.hash, equal).map(|done| done.result)
    }

    /// The call before raised an exception, so it gave nothing.
    pub(super) fn raised(&mut self) {
        if let Some(result) = self.last.take() {
            self.done.retain(|done| done.result != result);
            self.look_ups.made.retain(|&(_, found)| found != result);
        }
    }

    /// Says what a call gives; what an equal one gave counts no more.
    pub(super) fn insert(&mut self, key: Key, result: Value) {
        let operands = |key: Key| self.operands.get(key.operands);
        let equal = |done: &Done| done.key.descr == key.descr && operands(done.key) == operands(key);
        match self.done.entry(key.hash, equal, |done| done.key.hash) {
            hash_table::Entry::Occupied(mut place) => place.get_mut().result = result,
            hash_table::Entry::Vacant(place) => {
                place.insert(Done { key, result });
            }
        }
    }

    /// Forgets every result.
    pub fn forget(&mut self) {
        self.done.clear();
        self.operands.clear();
        self.promised.clear();
        self.look_ups.forget();
        self.just_removed = false;
        self.last = None;
    }
}
