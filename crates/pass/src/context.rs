//! What a pass has besides its function.

use std::hash::Hash;
use std::sync::Arc;

use planish_ir::{Block, Cfg, Function, Inst};
use planish_ops::world::World;

use crate::analysis::{Analyses, Analysis};
use crate::chaos::Chaos;
use crate::info::{Change, PassInfo, PassOption};
use crate::record::{Became, Kind, Record, Site};
use crate::target::Target;

/// What a pass has besides its function.
pub struct PassCx<'a> {
    /// What descriptors stand for.
    pub world: &'a dyn World,
    /// Where rewrites are asked for.
    pub record: &'a mut Record,
    /// What the program is written for.
    pub target: Target<'a>,
    analyses: &'a mut Analyses,
    pass: &'static str,
    options: &'a [(&'static str, u64)],
    chaos: Option<Chaos>,
}

impl<'a> PassCx<'a> {
    /// For a pass, without options.
    pub fn new(
        pass: &PassInfo,
        world: &'a dyn World,
        record: &'a mut Record,
        target: Target<'a>,
        analyses: &'a mut Analyses,
    ) -> Self {
        PassCx { world, record, target, analyses, pass: pass.name, options: &[], chaos: None }
    }

    /// The same, with options that a pipeline sets.
    #[must_use]
    pub fn with_options(self, options: &'a [(&'static str, u64)]) -> Self {
        PassCx { options, ..self }
    }

    /// The same, with options at random: see [`Chaos`].
    #[must_use]
    pub fn in_chaos(self, chaos: Option<Chaos>) -> Self {
        PassCx { chaos, ..self }
    }

    /// An analysis of the function as it is now. Computed if nobody did since what it looks at was changed.
    pub fn get<A: Analysis>(&mut self, f: &Function) -> Arc<A> {
        self.analyses.get(f)
    }

    /// Says that the pass changed the function and goes on: what was computed of it is of the past.
    pub fn changed(&mut self, change: Change) {
        self.analyses.changed(change);
    }

    /// Takes out blocks that nothing reaches: no rewrite, since no run can tell. O(blocks and edges) after a change of flow.
    pub fn forget_unreachable(&mut self, f: &mut Function) {
        let cfg = self.get::<Cfg>(f);
        if cfg.order().len() < f.blocks().len() {
            f.retain_blocks(|block| cfg.is_reachable(block));
            self.changed(Change::Flow);
        }
    }

    /// What an option is.
    pub fn option(&self, option: &PassOption) -> u64 {
        let set = self.options.iter().find(|(name, _)| *name == option.name);
        self.limit(option.name, set.map_or(option.default, |&(_, value)| value))
    }

    /// A limit of the pass: the usual one, unless there is [`Chaos`].
    pub fn limit(&self, name: &'static str, usual: u64) -> u64 {
        self.chaos.map_or(usual, |chaos| chaos.about(name).limit(usual))
    }

    /// What an option is, as a number of things in memory.
    pub fn count(&self, option: &PassOption) -> usize {
        usize::try_from(self.option(option)).unwrap_or(usize::MAX)
    }

    /// Whether something is done that may as well be left: what a heuristic says, unless there is [`Chaos`]. `about` is
    /// what it is done to.
    pub fn decide(&self, about: impl Hash, heuristic: bool) -> bool {
        self.chaos.map_or(heuristic, |chaos| chaos.about(about).below(2) == 0)
    }

    /// The kind of rewrite that this pass makes.
    pub fn kind(&self) -> Kind {
        Kind::Pass(self.pass)
    }

    /// Asks for a rewrite of an instruction. `false`: it must not happen.
    #[must_use]
    pub fn rewrite(&mut self, f: &Function, inst: Inst, became: Became) -> bool {
        let kind = self.kind();
        self.record.rewrite_at(kind, || Site::of(f, inst), became)
    }

    /// The same, of one that rests on a lemma about memory, by its name.
    #[must_use]
    pub fn rewrite_by(&mut self, f: &Function, inst: Inst, became: Became, lemma: &'static str) -> bool {
        self.record.rewrite_at(Kind::Lemma(self.pass, lemma), || Site::of(f, inst), became)
    }

    /// Asks for a rewrite of something that is no instruction. `false`: it must not happen.
    #[must_use]
    pub fn rewrite_somewhere(&mut self, became: Became) -> bool {
        self.record.rewrite(self.kind(), Site::NONE, became)
    }

    /// Asks whether the flow of control at a block may change.
    #[must_use]
    pub fn may_change(&mut self, f: &Function, block: Block) -> bool {
        let kind = self.kind();
        self.record.rewrite_at(kind, || Site::of_block(f, block), Became::Changed)
    }
}
