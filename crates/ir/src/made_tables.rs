//! Constant tables that passes make: descriptors that come while others are read.
//!
//! A pass sees one function and the world that it names, which others see too. So a table that it makes is added behind a
//! shared reference; equal tables are one, whether declared or made.

use std::sync::{Mutex, PoisonError};

use hashbrown::HashTable;
use planish_base::Appended;
use planish_ops::Items;
use planish_ops::world::Descr;
use rustc_hash::FxBuildHasher;

/// Tables made since the descriptors were last changed, as what `D` is, and where all tables are found by what they hold.
pub(crate) struct MadeTables<D> {
    /// Name and descriptor, numbered behind those that were there before.
    pub list: Appended<(String, D)>,
    /// Descriptors of tables by the hash of their items; asked, never iterated.
    known: Mutex<HashTable<(u64, Descr)>>,
}

impl<D> MadeTables<D> {
    /// Notes a table that is declared. Of equal ones the first is found.
    pub fn declare(&mut self, items: &Items, descr: Descr) {
        let known = self.known.get_mut().unwrap_or_else(PoisonError::into_inner);
        let hash = hash(items);
        known.insert_unique(hash, (hash, descr), |&(hash, _)| hash);
    }

    /// The table of some items, made by `make` if there is none: `is` tells whether a descriptor is that table.
    pub fn find_or_make(
        &self,
        items: Items,
        is: impl Fn(Descr, &Items) -> bool,
        make: impl FnOnce(Items) -> Descr,
    ) -> Descr {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let hash = hash(&items);
        if let Some(&(_, descr)) = known.find(hash, |&(other, descr)| other == hash && is(descr, &items)) {
            return descr;
        }
        let descr = make(items);
        known.insert_unique(hash, (hash, descr), |&(hash, _)| hash);
        descr
    }
}

fn hash(items: &Items) -> u64 {
    std::hash::BuildHasher::hash_one(&FxBuildHasher, items)
}

impl<D> Default for MadeTables<D> {
    fn default() -> Self {
        MadeTables { list: Appended::default(), known: Mutex::default() }
    }
}

impl<D: Clone> Clone for MadeTables<D> {
    fn clone(&self) -> Self {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        MadeTables { list: self.list.clone(), known: Mutex::new(known.clone()) }
    }
}
