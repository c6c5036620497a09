//! Scalar replacement across exception handlers: objects that change where exceptions are caught.
//!
//! ```java
//! Cell c = new Cell(x);
//! try { c.value = Integer.parseInt(text); } catch (NumberFormatException e) { c.value = -1; }
//! return c.value;
//! ```
//!
//! A field that changes becomes a variable, and where definitions of a variable meet, it becomes a parameter. What an
//! exit passes to its handler is no edge on which definitions could meet: a handler is entered from the middle of blocks,
//! between stores. So such an object may go only if no handler needs what its changing fields held when it was entered:
//! on each way from the handler, whatever loads such a field finds a store behind the handler first, as here.
//!
//! This is liveness of each field at the start of handlers, found backwards from loads: O(size of the body), and O(blocks) for each
//! field that changes.

use std::collections::BTreeMap;

use planish_ir::{Cfg, Function};

use super::Objects;
use super::deeds::Deed;

/// What a block does with a field.
#[derive(Clone, Copy, Default)]
struct Deeds {
    /// It loads the field before it defines it.
    needs: bool,
    /// It makes the object, or stores to the field.
    defines: bool,
}

impl Objects {
    /// Lets objects escape of which a handler needs what a changing field holds.
    pub(super) fn escape_to_handlers(&mut self, f: &Function) {
        if !self.list.iter().any(|object| object.changes && !object.escapes) || !f.has_handlers() {
            return;
        }
        let cfg = Cfg::new(f);
        let mut is_handler = vec![false; cfg.order().len()];
        for &block in cfg.order() {
            for (_, handler) in f.handlers(block) {
                is_handler[cfg.number(handler.block).expect("it is reached") as usize] = true;
            }
        }
        let mut fields: BTreeMap<(usize, &[u8]), Vec<Deeds>> = BTreeMap::new();
        for (_, inst) in f.live_insts() {
            if let Some(Deed::Store(field)) = &self.deeds[inst]
                && let Some(object) = self.number(f.args(inst)[0])
            {
                fields.entry((object, field)).or_insert_with(|| vec![Deeds::default(); cfg.order().len()]);
            }
        }
        for (place, &block) in cfg.order().iter().enumerate() {
            for &inst in f.block_insts(block) {
                let made = f.first_result(inst).and_then(|result| self.number(result));
                let asked = || self.number(*f.args(inst).first()?);
                let Some(object) = made.or_else(asked) else { continue };
                if self.list[object].constructed == Some(inst) {
                    let all = fields.range_mut((object, &[][..])..(object + 1, &[][..]));
                    all.for_each(|(_, deeds)| deeds[place].defines = true);
                }
                match &self.deeds[inst] {
                    Some(Deed::Load(field)) => {
                        if let Some(deeds) = fields.get_mut(&(object, &**field)) {
                            deeds[place].needs |= !deeds[place].defines;
                        }
                    }
                    Some(Deed::Store(field)) => {
                        if let Some(deeds) = fields.get_mut(&(object, &**field)) {
                            deeds[place].defines = true;
                        }
                    }
                    _ => {}
                }
            }
        }
        let needed = fields.iter().filter(|(_, deeds)| is_needed(&cfg, deeds, &is_handler));
        let seen: Vec<usize> = needed.map(|((object, _), _)| *object).collect();
        seen.into_iter().for_each(|object| self.list[object].escapes = true);
    }
}

/// Whether a handler needs a field.
fn is_needed(cfg: &Cfg, deeds: &[Deeds], is_handler: &[bool]) -> bool {
    let mut needs: Vec<bool> = deeds.iter().map(|deeds| deeds.needs).collect();
    let mut waiting: Vec<u32> =
        (0..).zip(&needs).filter(|(_, needs)| **needs).map(|(block, _)| block).collect();
    while let Some(block) = waiting.pop() {
        if is_handler[block as usize] {
            return true;
        }
        for &before in cfg.preds().of(block) {
            let place = before as usize;
            if !deeds[place].defines && !std::mem::replace(&mut needs[place], true) {
                waiting.push(before);
            }
        }
    }
    false
}
