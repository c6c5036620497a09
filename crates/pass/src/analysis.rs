//! Analyses of a function, each computed when a pass first asks and kept until a pass changes what it looks at.
//!
//! The anchor is LLVM's analysis manager, with one simplification: what an analysis looks at is either the control flow
//! alone or everything ([`Analysis::LOOKS_AT`]), and a pass says what it changed in the same words ([`Change`]). So there
//! are no lists of what each pass preserves that could be wrong in pairs.

use std::any::{Any, TypeId};
use std::sync::Arc;

use planish_ir::dominators::Dominators;
use planish_ir::liveness::Liveness;
use planish_ir::{Cfg, Function};

use crate::info::Change;
use crate::loop_info::LoopInfo;

/// Something that is found out about a function.
pub trait Analysis: Any + Send + Sync + Sized {
    /// The name in the registry.
    const NAME: &'static str;
    /// What it looks at, [`Change::Operations`] or [`Change::Flow`]: it stays valid while less than that is changed.
    const LOOKS_AT: Change;

    /// Finds it out. Others that it needs come from `analyses`.
    fn of(f: &Function, analyses: &mut Analyses) -> Self;
}

/// The analyses of one function that are known now.
#[derive(Default)]
pub struct Analyses {
    known: Vec<Known>,
}

struct Known {
    id: TypeId,
    looks_at: Change,
    what: Arc<dyn Any + Send + Sync>,
}

impl Analyses {
    /// Nothing is known yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// An analysis, computed if it is not known.
    pub fn get<A: Analysis>(&mut self, f: &Function) -> Arc<A> {
        let id = TypeId::of::<A>();
        if let Some(known) = self.known.iter().find(|known| known.id == id) {
            return Arc::clone(&known.what).downcast().expect("it is kept under its type");
        }
        let what = Arc::new(A::of(f, self));
        self.known.push(Known { id, looks_at: A::LOOKS_AT, what: Arc::clone(&what) as _ });
        what
    }

    /// Forgets what looks at something that was changed.
    pub fn changed(&mut self, change: Change) {
        if change != Change::Nothing {
            self.known.retain(|known| known.looks_at > change);
        }
    }

    /// Forgets everything: what comes next is another function.
    pub fn clear(&mut self) {
        self.known.clear();
    }
}

impl Analysis for Cfg {
    const NAME: &'static str = "edges";
    const LOOKS_AT: Change = Change::Flow;

    fn of(f: &Function, _: &mut Analyses) -> Self {
        Cfg::new(f)
    }
}

impl Analysis for Dominators {
    const NAME: &'static str = "dominators";
    const LOOKS_AT: Change = Change::Flow;

    fn of(f: &Function, analyses: &mut Analyses) -> Self {
        analyses.get::<Cfg>(f).dominators()
    }
}

impl Analysis for LoopInfo {
    const NAME: &'static str = "loops";
    const LOOKS_AT: Change = Change::Flow;

    fn of(f: &Function, analyses: &mut Analyses) -> Self {
        LoopInfo::new(&analyses.get::<Cfg>(f))
    }
}

impl Analysis for Liveness {
    const NAME: &'static str = "liveness";
    const LOOKS_AT: Change = Change::Operations;

    fn of(f: &Function, analyses: &mut Analyses) -> Self {
        Liveness::new(f, &analyses.get::<Cfg>(f))
    }
}

#[cfg(test)]
mod tests {
    use planish_ir::text;

    use super::*;

    #[test]
    fn what_looks_at_the_flow_alone_outlives_changes_of_operations() {
        let (module, _) = text::read("func f(v0: i64) -> i64 {\na:\n    jump b\nb:\n    return v0\n}\n");
        let f = module.functions.values().next().expect("a function");
        let mut analyses = Analyses::new();
        let (edges, live) = (analyses.get::<Cfg>(f), analyses.get::<Liveness>(f));
        analyses.changed(Change::Nothing);
        assert!(Arc::ptr_eq(&live, &analyses.get::<Liveness>(f)));
        analyses.changed(Change::Operations);
        assert!(Arc::ptr_eq(&edges, &analyses.get::<Cfg>(f)));
        assert!(!Arc::ptr_eq(&live, &analyses.get::<Liveness>(f)));
        analyses.changed(Change::Flow);
        assert!(!Arc::ptr_eq(&edges, &analyses.get::<Cfg>(f)));
    }
}
