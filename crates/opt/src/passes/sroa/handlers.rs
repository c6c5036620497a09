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
//! field of a name that changes.

use std::collections::BTreeMap;

use planish_base::Worklist;
use planish_ir::{Block, Cfg, Function, Inst, Value};
use planish_pass::aggregates::Deed;

use super::webs::Webs;

/// What a block does with a field of a name.
#[derive(Clone, Copy, Default)]
struct Uses {
    /// It needs what the field held where the block begins.
    needs: bool,
    /// It defines what the field holds.
    defines: bool,
}

/// What blocks do with the fields of names that change.
type Changing = BTreeMap<(Value, usize), Vec<Uses>>;

impl Webs {
    /// Lets objects stay of which a handler needs what a changing field holds.
    pub(super) fn spoil_needed_by_handlers(&mut self, f: &Function, cfg: &Cfg) {
        if !f.has_handlers() || !self.all.iter().any(|web| web.goes()) {
            return;
        }
        let mut changing = self.changing(cfg.order().len());
        if changing.is_empty() {
            return;
        }
        let mut is_handler = vec![false; cfg.order().len()];
        for (place, &block) in cfg.order().iter().enumerate() {
            for (_, handler) in f.handlers(block) {
                is_handler[cfg.number(handler.block).expect("it is reached") as usize] = true;
            }
            self.block(f, block, place, &mut changing);
        }
        for ((name, _), uses) in &changing {
            if is_needed(cfg, uses, &is_handler)
                && let Some((_, web)) = self.name(*name)
            {
                self.all[web].is_spoilt = true;
            }
        }
    }

    /// The fields of names that go, and change.
    fn changing(&self, blocks: usize) -> Changing {
        let mut changing = Changing::new();
        for (number, web) in self.all.iter().enumerate().filter(|(_, web)| web.goes()) {
            for &name in &web.names {
                for at in (0..web.fields.len()).filter(|&at| !self.is_single(name, number, at)) {
                    changing.insert((name, at), vec![Uses::default(); blocks]);
                }
            }
        }
        changing
    }

    /// Notes what a block does with them.
    fn block(&self, f: &Function, block: Block, place: usize, changing: &mut Changing) {
        for &param in f.block_params(block) {
            define(changing, param, place);
        }
        for &inst in f.block_insts(block) {
            self.inst(f, inst, place, changing);
        }
        for call in f.block_calls(block) {
            for &arg in f.list(call.args) {
                let Some((name, _)) = self.name(arg) else { continue };
                for (_, uses) in changing.range_mut((name, 0)..=(name, usize::MAX)) {
                    uses[place].needs |= !uses[place].defines;
                }
            }
        }
    }

    fn inst(&self, f: &Function, inst: Inst, place: usize, changing: &mut Changing) {
        let object = f.args(inst).first().copied().or_else(|| f.first_result(inst));
        for value in object.into_iter().chain(f.first_result(inst)) {
            let Some((name, _)) = self.name(value) else { continue };
            if self.readies(inst, name) {
                define(changing, name, place);
            }
        }
        let (Some((deed, at)), Some((name, _))) =
            (self.deed(inst), f.args(inst).first().and_then(|&first| self.name(first)))
        else {
            return;
        };
        if let Some(uses) = changing.get_mut(&(name, at)) {
            match deed {
                Deed::Load(..) => uses[place].needs |= !uses[place].defines,
                Deed::Store(_) => uses[place].defines = true,
                _ => {}
            }
        }
    }
}

/// All fields of a name are defined in a block.
fn define(changing: &mut Changing, name: Value, place: usize) {
    for (_, uses) in changing.range_mut((name, 0)..=(name, usize::MAX)) {
        uses[place].defines = true;
    }
}

/// Whether a handler needs a field.
fn is_needed(cfg: &Cfg, uses: &[Uses], is_handler: &[bool]) -> bool {
    let mut needs: Vec<bool> = uses.iter().map(|uses| uses.needs).collect();
    let mut waiting: Worklist<u32> =
        (0..).zip(&needs).filter(|(_, needs)| **needs).map(|(block, _)| block).collect();
    while let Some(block) = waiting.pop() {
        if is_handler[block as usize] {
            return true;
        }
        for &before in cfg.preds().of(block) {
            let place = before as usize;
            if !uses[place].defines && !std::mem::replace(&mut needs[place], true) {
                waiting.push(before);
            }
        }
    }
    false
}
