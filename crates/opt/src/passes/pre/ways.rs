//! The ways into blocks, and what a value of a block is on each.

use planish_base::{List, SideTable};
use planish_ir::{BlockCall, Cfg, Def, Function, Value};
use smallvec::SmallVec;

/// Through how many edges a block may be entered.
pub const WAYS: usize = 32;

/// An edge into a block: where it comes from, and which of the calls there it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// The number of the block that it comes from.
    pub pred: u32,
    /// Its place among the calls of that.
    pub call: usize,
    /// What it passes.
    pub args: List<Value>,
}

/// The ways into all blocks, and where values are defined.
pub(super) struct Ways {
    into: Vec<SmallVec<[Way; 2]>>,
    /// The blocks that values are defined in, by their numbers and 1; 0 for constants.
    homes: SideTable<Value, u32>,
}

impl Ways {
    /// Whether a function has operations where ways meet.
    pub fn meet(f: &Function, cfg: &Cfg) -> bool {
        let is_join = |number: u32| {
            let ways = cfg.preds().of(number).len();
            (2..=WAYS).contains(&ways) && !f.block_insts(cfg.block(number)).is_empty()
        };
        (1..cfg.order().len() as u32).any(is_join)
    }

    /// Finds all ways. O(function).
    pub fn of(f: &Function, cfg: &Cfg) -> Ways {
        let mut ways = Ways { into: vec![SmallVec::new(); cfg.order().len()], homes: SideTable::new() };
        for (number, &block) in (0..).zip(cfg.order()) {
            f.block_params(block).iter().for_each(|&param| ways.define(param, number));
            for &inst in f.block_insts(block) {
                f.results(inst).for_each(|result| ways.define(result, number));
            }
            for (call, BlockCall { block, args }) in f.block_calls(block).enumerate() {
                let to = cfg.number(block).expect("what a reached block goes to is reached");
                ways.into[to as usize].push(Way { pred: number, call, args });
            }
        }
        for (number, into) in (0..).zip(&mut ways.into) {
            // Exits lead there, too, or there are many.
            if into.len() < cfg.preds().of(number).len() || into.len() > WAYS || number == 0 {
                into.clear();
            }
        }
        // A block that nothing reaches would have to pass what it does not have.
        for &block in f.blocks().iter().filter(|&&block| !cfg.is_reachable(block)) {
            f.block_calls(block).filter_map(|call| cfg.number(call.block)).for_each(|to| {
                ways.into[to as usize].clear();
            });
        }
        ways
    }

    /// The ways into the block of a number; none if it can be entered otherwise.
    pub fn to(&self, number: u32) -> &[Way] {
        &self.into[number as usize]
    }

    /// Whether a value is defined in the block of a number.
    pub fn is_home(&self, number: u32, value: Value) -> bool {
        self.homes[value] == number + 1
    }

    /// Notes where a value is defined.
    pub fn define(&mut self, value: Value, number: u32) {
        self.homes[value] = number + 1;
    }

    /// What a value is on a way into the block of a number: what it is anyway, or what is passed for a parameter.
    pub fn on_way(&self, f: &Function, number: u32, way: Way, value: Value) -> Option<Value> {
        if !self.is_home(number, value) {
            return Some(value);
        }
        match f.def(value) {
            Def::Param(_, position) => f.list(way.args).get(position as usize).copied(),
            _ => None,
        }
    }
}
