//! What a load gives at the end of a block, also where ways met on which it is different.

use planish_ir::{Cfg, Function, Inst, Stands, Value};
use planish_ops::Effect;
use planish_ops::world::World;
use planish_pass::Machine;

use super::ways::Ways;
use crate::analysis::alias::{Alias, Place, Reading};
use crate::passes::load_elimination::Ends;

/// Through how many blocks where ways meet a load is followed.
const DEEP: u32 = 4;

/// At how many ends of blocks it is asked for.
const ASKED: usize = 16;

/// A value at the end of a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum At {
    /// One that is there.
    Is(Value),
    /// What will be a parameter: the one of these that was taken up there.
    Meets(usize),
}

/// A parameter that is to be: what each way into a block passes for it.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Meet {
    /// The number of the block.
    pub number: u32,
    /// By way.
    pub values: Vec<At>,
}

/// Memory at the ends of blocks.
pub(super) struct Memory {
    ends: Ends,
    /// By block whether something in it may write.
    writes: Vec<bool>,
}

/// A load that is asked for at ends of blocks.
struct Search<'a> {
    alias: Alias<'a>,
    memory: &'a Memory,
    ways: &'a Ways,
    load: Inst,
    reading: Reading,
    asked: usize,
    meets: Vec<Meet>,
}

impl Memory {
    /// Looks through a function.
    pub fn of(f: &Function, cfg: &Cfg, world: &dyn World, machine: Machine) -> Memory {
        let writes = |inst: &Inst| matches!(f.row(*inst).effect, Effect::Store | Effect::Call);
        let writes = cfg.order().iter().map(|&block| f.block_insts(block).iter().any(writes)).collect();
        Memory { ends: Ends::of(f, cfg, world, machine), writes }
    }

    /// The values by whose names places are known.
    pub fn stands(&self) -> &Stands {
        &self.ends.stands
    }

    /// For each way into its block, of which values there are what `on_way` says, what a load gives there if that is known, and
    /// the parameters that must be made for that.
    pub fn load(
        &self,
        alias: Alias<'_>,
        ways: &Ways,
        number: u32,
        load: Inst,
        on_way: impl Fn(usize, Value) -> Option<Value>,
    ) -> Option<(Vec<Option<At>>, Vec<Meet>)> {
        let reading = Reading::of(&alias.location(load)?);
        let place = alias.place(load, self.stands())?;
        let mut search = Search { alias, memory: self, ways, load, reading, asked: 0, meets: Vec::new() };
        let found = ways.to(number).iter().enumerate().map(|(at, way)| {
            let place = alias.with_values(place, self.stands(), |value| on_way(at, value))?;
            search.at_end(way.pred, place, DEEP)
        });
        let found = found.collect();
        Some((found, search.meets))
    }
}

impl Search<'_> {
    /// What a place holds at the end of the block of a number.
    fn at_end(&mut self, number: u32, place: Place, deep: u32) -> Option<At> {
        let (f, memory) = (self.alias.f, self.memory);
        if let Some(value) = memory.ends.value(number, place, self.reading) {
            return (f.ty(value) == f.ty(f.result(self.load))).then_some(At::Is(value));
        }
        self.asked += 1;
        let ways = self.ways;
        let into = ways.to(number);
        if deep == 0 || self.asked > ASKED || memory.writes[number as usize] || into.is_empty() {
            return None;
        }
        let mut values = Vec::with_capacity(into.len());
        for &way in into {
            if way.pred >= number {
                return None;
            }
            let on_way = |value| ways.on_way(f, number, way, value);
            let place = self.alias.with_values(place, memory.stands(), on_way)?;
            values.push(self.at_end(way.pred, place, deep - 1)?);
        }
        if values.iter().all(|&value| value == values[0]) {
            return Some(values[0]);
        }
        let meet = Meet { number, values };
        let known = self.meets.iter().position(|other| *other == meet);
        Some(At::Meets(known.unwrap_or_else(|| {
            self.meets.push(meet);
            self.meets.len() - 1
        })))
    }
}
