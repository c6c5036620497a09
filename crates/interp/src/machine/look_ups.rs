//! Look-ups in dictionaries: one that an equal one comes before gives the same, and nobody outside notices it.
//!
//! What counts as written is what calls write. A store of the program itself is none: an optimizer may leave one out, and then
//! the next look-up would be noticed on one side alone.

use planish_ops::world::{Descr, LookUp};

use super::{LookedUp, Runner, Step};
use crate::value::Val;

impl Runner<'_, '_> {
    /// What a look-up gives that nobody notices, since an equal one came before it.
    pub(super) fn looked_up(&self, callee: Option<Descr>, args: &[Val]) -> Step<Option<Val>> {
        let Some((asked, purpose)) = self.asked(callee, args)? else { return Ok(None) };
        let Some(&(_, found)) = self.look_ups.get(&asked) else { return Ok(None) };
        let there = matches!(found, Val::Int(entry) if entry.signed() >= 0);
        Ok((purpose == LookUp::READ || purpose == LookUp::STORE && there).then_some(found))
    }

    /// The look-ups that a call leaves alone, whatever its effect is: those by the same function. One for another purpose than
    /// reading or storing leaves none.
    pub(super) fn left_alone(&mut self, callee: Option<Descr>, args: &[Val]) -> Step<LookedUp> {
        Ok(match self.asked(callee, args)? {
            Some(([function, ..], LookUp::READ | LookUp::STORE)) => {
                self.look_ups.extract_if(|made, _| made[0] == function).collect()
            }
            Some(_) => {
                self.look_ups.clear();
                LookedUp::default()
            }
            None => LookedUp::default(),
        })
    }

    /// A call found something.
    pub(super) fn remember_look_up(&mut self, callee: Descr, args: &[Val], found: Val) -> Step<()> {
        if let Some((asked, LookUp::READ)) = self.asked(Some(callee), args)? {
            self.look_ups.insert(asked, (callee, found));
        }
        Ok(())
    }

    /// Memory of these alias classes was written, or any.
    pub(super) fn forget_look_ups(&mut self, written: Option<&[u32]>) {
        let world = self.program.world;
        let minds = |callee| world.look_up(callee).is_none_or(|look_up| look_up.minds(written));
        self.look_ups.retain(|_, (callee, _)| !minds(*callee));
    }

    /// What a look-up asks, and what for. Equal strings are one key.
    fn asked(&self, callee: Option<Descr>, args: &[Val]) -> Step<Option<([u64; 3], i64)>> {
        let (Some(callee), &[function, dictionary, key, _, Val::Int(purpose)]) = (callee, args) else {
            return Ok(None);
        };
        let undefined = [function, dictionary, key].contains(&Val::Undefined);
        if undefined || self.program.world.look_up(callee).is_none() {
            return Ok(None);
        }
        let asked = [self.question(function)?, self.question(dictionary)?, self.question(key)?];
        Ok(Some((asked, purpose.signed())))
    }
}
