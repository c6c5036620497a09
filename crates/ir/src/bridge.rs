//! What a bridge is told of its parent: the kinds of facts by names, each of which can be left out, and how what was told goes
//! again.
//!
//! A bridge is a trace that goes on where a guard of another one fails (PyPy's term). What holds there is put in front of it as
//! operations without a location and remarks that promise something of their results, before it is optimized.

use planish_base::SideTable;
use planish_ops::Effect;
use planish_ops::world::World;

use crate::function::{Function, Inst, Location, Value};
use crate::liveness::for_each_use;

/// A kind of facts about the place that a bridge begins at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FactKind {
    /// Classes of references, and that they are not null.
    Classes,
    /// Values that are constants, comparisons that came out one way.
    Conditions,
    /// What fields and items hold.
    Heap,
    /// Lengths of arrays and strings.
    Lengths,
    /// Results of calls that give the same for the whole loop.
    Calls,
    /// That what is handed over was computed from something else that is.
    Computed,
    /// The least and the greatest number that an integer can be.
    Ranges,
    /// Bits of integers that are known.
    Bits,
}

impl FactKind {
    /// All of them, with their names.
    pub const ALL: [(&'static str, FactKind); 8] = [
        ("classes", FactKind::Classes),
        ("conditions", FactKind::Conditions),
        ("heap", FactKind::Heap),
        ("lengths", FactKind::Lengths),
        ("calls", FactKind::Calls),
        ("computed", FactKind::Computed),
        ("ranges", FactKind::Ranges),
        ("bits", FactKind::Bits),
    ];
}

/// What bridges are told: facts of every kind but those that are left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FactKinds {
    left_out: u16,
}

impl FactKinds {
    /// All but those of a list of names, divided by commas; none but `all`. The error is the name that is none.
    pub fn without(names: &str) -> Result<FactKinds, &str> {
        let mut kinds = FactKinds::default();
        for name in names.split(',').map(str::trim) {
            match FactKind::ALL.iter().find(|(known, _)| *known == name) {
                Some(&(_, kind)) => kinds = kinds.but(kind),
                None if name == "all" => kinds.left_out = u16::MAX,
                None => return Err(name),
            }
        }
        Ok(kinds)
    }

    /// The same without one kind.
    pub fn but(self, kind: FactKind) -> FactKinds {
        FactKinds { left_out: self.left_out | 1 << kind as u16 }
    }

    /// Whether facts of a kind are told.
    pub fn has(self, kind: FactKind) -> bool {
        self.left_out & 1 << kind as u16 == 0
    }
}

/// How many facts of each kind were told, in the order of [`FactKind::ALL`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FactCounts(pub [u32; FactKind::ALL.len()]);

impl FactCounts {
    /// Counts one fact.
    pub fn count(&mut self, kind: FactKind) {
        self.0[kind as usize] += 1;
    }

    /// Counts those of another bridge, too.
    pub fn add(&mut self, other: &FactCounts) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, count)| *sum += count);
    }

    /// The kinds of which there are any, by name.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, u32)> {
        FactKind::ALL
            .iter()
            .zip(self.0)
            .map(|(&(name, _), count)| (name, count))
            .filter(|&(_, count)| count > 0)
    }
}

/// Takes out of an optimized bridge what was promised, and what was put in front of it and nothing uses: an optimizer may have
/// left it. Neither has a place in the source. O(length).
pub fn forget(function: &mut Function, world: &dyn World) {
    let mut uses: SideTable<Value, u32> = SideTable::new();
    let ahead = |function: &Function, inst: Inst| function.inst(inst).location == Location::default();
    let entry = function.entry();
    let promises = |function: &Function, inst: Inst| {
        function.inst(inst).descr.is_some_and(|descr| world.remark(descr).is_some())
    };
    for block in function.blocks().to_vec() {
        let insts: Vec<Inst> = (function.block_insts(block).iter().copied())
            .filter(|&inst| !(ahead(function, inst) && promises(function, inst)))
            .collect();
        function.replace_insts(block, insts);
    }
    let insts = function.block_insts(entry).to_vec();
    for &block in function.blocks() {
        for_each_use(function, block, |_, value| uses[value] += 1);
    }
    let mut kept: Vec<Inst> = Vec::with_capacity(insts.len());
    for &inst in insts.iter().rev() {
        let only_computes = matches!(function.row(inst).effect, Effect::Pure | Effect::Load);
        if ahead(function, inst) && only_computes && function.results(inst).all(|result| uses[result] == 0) {
            function.args(inst).iter().for_each(|&arg| uses[arg] -= 1);
        } else {
            kept.push(inst);
        }
    }
    kept.reverse();
    function.replace_insts(entry, kept);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_left_out_by_name() {
        let left = |kinds: FactKinds| -> Vec<&str> {
            let left_out = FactKind::ALL.iter().filter(|(_, kind)| !kinds.has(*kind));
            left_out.map(|&(name, _)| name).collect()
        };
        assert_eq!(left(FactKinds::default()), [""; 0]);
        assert_eq!(FactKinds::without("bits, heap").map(left), Ok(vec!["heap", "bits"]));
        assert_eq!(FactKinds::without("all").map(left), Ok(FactKind::ALL.map(|(name, _)| name).to_vec()));
        assert_eq!(FactKinds::without("heap,,"), Err(""));
        assert_eq!(FactKinds::without("Heap"), Err("Heap"));
    }
}
