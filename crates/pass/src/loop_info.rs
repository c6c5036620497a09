//! Loop info (LLVM's `LoopInfo`): the loops of a function with their blocks, latches and nesting.

use std::ops::Range;

use planish_base::Id;
use planish_ir::loops::Loops;
use planish_ir::{Block, Cfg, Function};

/// A loop.
pub struct Natural {
    /// The block through which it is entered.
    pub header: u32,
    /// The loop around it, as an index into [`LoopInfo::all`].
    pub parent: Option<u32>,
    /// Its blocks in reverse postorder, those of loops inside left out.
    pub own: Vec<u32>,
    /// The blocks that go back to the header, in order.
    pub latches: Vec<u32>,
    /// Whether no loop lies inside.
    pub innermost: bool,
    /// Whether it can be entered beside its header. No pass changes such a loop.
    pub irreducible: bool,
    /// Its place and those of the loops inside, in an order in which each stands before those inside.
    inside: Range<u32>,
}

/// A loop without others inside, entered at its header only, that may be copied.
pub struct Small {
    /// The loop, as an index into [`LoopInfo::all`].
    pub index: u32,
    /// Its blocks in reverse postorder.
    pub blocks: Vec<Block>,
    /// How many operations and blocks it has.
    pub size: usize,
}

/// The loops of a function.
pub struct LoopInfo {
    loops: Loops,
    all: Vec<Natural>,
    /// Loops by the place that [`Natural::inside`] begins with.
    placed: Vec<u32>,
}

impl LoopInfo {
    /// Finds the loops of a graph. O(edges).
    pub fn new(cfg: &Cfg) -> Self {
        let loops = Loops::new(cfg.succs());
        let natural = |id| Natural {
            header: loops.header(id),
            parent: loops.parent(id).map(|parent| parent.index() as u32),
            own: Vec::new(),
            latches: Vec::new(),
            innermost: true,
            irreducible: loops.is_irreducible(id),
            inside: 0..0,
        };
        let mut info = LoopInfo { all: loops.ids().map(natural).collect(), loops, placed: Vec::new() };
        info.number();
        for block in 0..cfg.order().len() as u32 {
            if let Some(index) = info.innermost(block) {
                info.all[index as usize].own.push(block);
            }
            for &to in cfg.succs().of(block) {
                // A header lies in its own loop, and in no other inside of that.
                if let Some(index) = info.innermost(to).filter(|&index| info.contains(index, block)) {
                    let l = &mut info.all[index as usize];
                    if l.header == to && l.latches.last() != Some(&block) {
                        l.latches.push(block);
                    }
                }
            }
        }
        info
    }

    /// Fills in [`Natural::inside`] and [`Natural::innermost`].
    fn number(&mut self) {
        let mut size = vec![1u32; self.all.len()];
        for index in (0..self.all.len()).rev() {
            if let Some(parent) = self.all[index].parent {
                size[parent as usize] += size[index];
                self.all[parent as usize].innermost = false;
            }
        }
        // Where the next loop directly inside a loop begins; of those that lie in none, last.
        let mut next = vec![0u32; self.all.len() + 1];
        for index in 0..self.all.len() {
            let around = self.all[index].parent.map_or(self.all.len(), |parent| parent as usize);
            let start = next[around];
            next[around] += size[index];
            next[index] = start + 1;
            self.all[index].inside = start..start + size[index];
        }
        self.placed = vec![0; self.all.len()];
        for (index, l) in (0..).zip(&self.all) {
            self.placed[l.inside.start as usize] = index;
        }
    }

    /// The loops, outer ones before those inside.
    pub fn all(&self) -> &[Natural] {
        &self.all
    }

    /// The innermost loops of at most so many operations and blocks, those left out that begin at the entry
    /// of the function.
    pub fn small(&self, f: &Function, cfg: &Cfg, most: usize) -> Vec<Small> {
        let copied = |l: &Natural| l.innermost && !l.irreducible && l.header != 0;
        let small = |(index, l): (u32, &Natural)| {
            let blocks: Vec<Block> = l.own.iter().map(|&number| cfg.block(number)).collect();
            let size = blocks.iter().map(|&block| f.block_insts(block).len() + 1).sum();
            Small { index, blocks, size }
        };
        let loops = (0..).zip(&self.all).filter(|(_, l)| copied(l));
        loops.map(small).filter(|small| small.size <= most).collect()
    }

    /// The innermost loop around a block.
    pub fn innermost(&self, block: u32) -> Option<u32> {
        self.loops.innermost(block).map(|id| id.index() as u32)
    }

    /// How many loops a block is in.
    pub fn depth(&self, block: u32) -> u32 {
        self.loops.depth(block)
    }

    /// Whether a block is in a loop, or in one inside of it. O(1).
    pub fn contains(&self, index: u32, block: u32) -> bool {
        let (this, inner) = (&self.all[index as usize].inside, self.innermost(block));
        inner.is_some_and(|inner| this.contains(&self.all[inner as usize].inside.start))
    }

    /// The blocks of a loop, those of loops inside behind its own.
    pub fn blocks(&self, index: u32) -> impl Iterator<Item = u32> + '_ {
        let inside = self.all[index as usize].inside.clone();
        inside.flat_map(|place| self.all[self.placed[place as usize] as usize].own.iter().copied())
    }

    /// The loops that an edge leaves, from the inside out.
    pub fn left_by(&self, from: u32, to: u32) -> impl Iterator<Item = u32> + '_ {
        let around = |&inner: &u32| self.all[inner as usize].parent;
        std::iter::successors(self.innermost(from), around)
            .take_while(move |&index| !self.contains(index, to))
    }
}

#[cfg(test)]
mod tests {
    use planish_ir::text;

    use super::*;

    #[test]
    fn loops_know_their_blocks_and_what_lies_in_what() {
        let source = "func f(v0: i64) -> i64 {\ne:\n    jump a\na:\n    branch v0, b, c\nb:\n    branch v0, b, a\n\
                      c:\n    branch v0, a, d\nd:\n    branch v0, d, x\nx:\n    return v0\n}\n";
        let (module, diagnostics) = text::read(source);
        assert!(!diagnostics.has_errors());
        let f = module.functions.values().next().expect("a function");
        let cfg = Cfg::new(f);
        let info = LoopInfo::new(&cfg);
        let name = |number: &u32| f.block_name(cfg.block(*number)).expect("a name");
        let names = |numbers: &[u32]| numbers.iter().map(name).collect::<Vec<_>>().join(" ");
        let mut shown: Vec<String> = Vec::new();
        for (index, l) in (0..).zip(info.all()) {
            let all: Vec<u32> = (0..6).filter(|&block| info.contains(index, block)).collect();
            let (header, own, latches) = (name(&l.header), names(&l.own), names(&l.latches));
            shown.push(format!("{header}: {own} / {} < {latches}, {}", names(&all), l.innermost));
        }
        shown.sort();
        assert_eq!(shown, ["a: a c / a c b < c b, false", "b: b / b < b, true", "d: d / d < d, true"]);
        let number = |name| (0..6).find(|&n| f.block_name(cfg.block(n)) == Some(name)).expect("a block");
        for index in 0..3 {
            let mut all: Vec<u32> = info.blocks(index).collect();
            all.sort_unstable();
            assert_eq!(all, (0..6).filter(|&block| info.contains(index, block)).collect::<Vec<_>>());
        }
        let left = |from, to| {
            let headers: Vec<u32> = info
                .left_by(number(from), number(to))
                .map(|index| info.all()[index as usize].header)
                .collect();
            names(&headers)
        };
        assert_eq!((left("b", "a"), left("c", "d"), left("b", "d")), ("b".into(), "a".into(), "b a".into()));
    }
}
