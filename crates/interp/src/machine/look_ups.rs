//! Look-ups in dictionaries: one that an equal one comes before gives the same, and nobody outside notices it.
//!
//! What counts as written is what calls write. A store of the program itself is none: an optimizer may leave one out, and then
//! the next look-up would be noticed on one side alone.

use hashbrown::HashMap;
use planish_ops::world::{Descr, LookUp};
use rustc_hash::FxBuildHasher;

use super::Runner;
use crate::value::Val;

/// What look-ups for reading gave since anything was written that they mind, with the callee, by what tells apart the
/// function, the dictionary and the key.
pub(super) type Made = HashMap<[u64; 3], (Descr, Val), FxBuildHasher>;

impl Runner<'_, '_> {
    /// What a look-up gives that nobody notices, since an equal one came before it.
    pub(super) fn looked_up(&self, callee: Option<Descr>, args: &[Val]) -> Option<Val> {
        let (asked, purpose) = self.asked(callee?, args)?;
        let &(_, found) = self.look_ups.get(&asked)?;
        let there = matches!(found, Val::Int(entry) if entry.signed() >= 0);
        (purpose == LookUp::READ || purpose == LookUp::STORE && there).then_some(found)
    }

    /// The look-ups that a call leaves alone, whatever its effect is: those by the same function. One for another purpose than
    /// reading or storing leaves none.
    pub(super) fn left_alone(&mut self, callee: Option<Descr>, args: &[Val]) -> Made {
        let asked = callee.and_then(|callee| self.asked(callee, args));
        match asked {
            Some(([function, ..], LookUp::READ | LookUp::STORE)) => {
                self.look_ups.extract_if(|made, _| made[0] == function).collect()
            }
            Some(_) => {
                self.look_ups.clear();
                Made::default()
            }
            None => Made::default(),
        }
    }

    /// A call found something.
    pub(super) fn remember_look_up(&mut self, callee: Descr, args: &[Val], found: Val) {
        if let Some((asked, LookUp::READ)) = self.asked(callee, args) {
            self.look_ups.insert(asked, (callee, found));
        }
    }

    /// Memory of these alias classes was written, or any.
    pub(super) fn forget_look_ups(&mut self, written: Option<&[u32]>) {
        let world = self.program.world;
        let minds = |callee| world.look_up(callee).is_none_or(|look_up| look_up.minds(written));
        self.look_ups.retain(|_, (callee, _)| !minds(*callee));
    }

    /// What a look-up asks, and what for. Equal strings are one key.
    fn asked(&self, callee: Descr, args: &[Val]) -> Option<([u64; 3], i64)> {
        self.program.world.look_up(callee)?;
        let &[function, dictionary, key, _, Val::Int(purpose)] = args else { return None };
        let asked = [function, dictionary, key];
        let defined = !asked.contains(&Val::Undefined);
        defined.then(|| (asked.map(|value| self.question(value)), purpose.signed()))
    }
}
