//! Configuration of a walk: which parts take part, with which rules, within which limits.

use planish_base::Budget;
use planish_pass::{Chaos, Target};
use planish_rules::RuleId;
use planish_rules::set::RuleSet;

/// What the engine does in a walk.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Features {
    /// Operations on constants are computed.
    pub fold: bool,
    /// The algebra columns of the table are applied.
    pub algebra: bool,
    /// Ranges and known bits are kept, and decide results, guards and branches.
    pub facts: bool,
    /// Rules of the book are applied.
    pub rules: bool,
    /// Equal operations are made once.
    pub number: bool,
    /// Guards, branches and block parameters are decided.
    pub control: bool,
    /// Operations that nothing uses, and their parameters, go.
    pub dead: bool,
    /// Allocations are kept back until an object is needed: a stage, see [`memory`](crate::memory).
    pub virtualize: bool,
    /// Loads are forwarded and stores wait: the same stage.
    pub heap: bool,
    /// Strings are kept back until they are needed: the same stage.
    pub strings: bool,
    /// Loops are optimized with what their first iteration has found out: the same stage.
    pub peel: bool,
    /// Only what PyPy's optimizer does: nothing is found out about loops before the walk, and guards stay
    /// as they are.
    pub plain: bool,
}

impl Features {
    /// Everything that the engine does itself.
    pub const ALL: Features = Features {
        fold: true,
        algebra: true,
        facts: true,
        rules: true,
        number: true,
        control: true,
        dead: true,
        virtualize: false,
        heap: false,
        strings: false,
        peel: false,
        plain: false,
    };
    /// Nothing.
    pub const NONE: Features = Features {
        fold: false,
        algebra: false,
        facts: false,
        rules: false,
        number: false,
        control: false,
        dead: false,
        virtualize: false,
        heap: false,
        strings: false,
        peel: false,
        plain: false,
    };

    /// What either does.
    pub const fn with(self, other: Features) -> Features {
        Features {
            fold: self.fold || other.fold,
            algebra: self.algebra || other.algebra,
            facts: self.facts || other.facts,
            rules: self.rules || other.rules,
            number: self.number || other.number,
            control: self.control || other.control,
            dead: self.dead || other.dead,
            virtualize: self.virtualize || other.virtualize,
            heap: self.heap || other.heap,
            strings: self.strings || other.strings,
            peel: self.peel || other.peel,
            plain: self.plain || other.plain,
        }
    }
}

/// How the engine runs.
#[derive(Clone, Copy, Debug)]
pub struct Config<'a> {
    /// What it does.
    pub features: Features,
    /// Rules read at run time, tried before those of the book.
    pub extra: Option<&'a RuleSet>,
    /// For each rule of the book whether it is not used; without it all are.
    pub disabled: Option<&'a [bool]>,
    /// How many operations rules may make.
    pub most_made: u64,
    /// How many operations are looked at; those behind are emitted as they are.
    pub work: u64,
    /// What the program is written for.
    pub target: Target<'a>,
    /// A rule of which the record keeps where it was tried and what it missed.
    pub watched: Option<(&'a RuleSet, RuleId)>,
    /// Budgets at random, for tests.
    pub chaos: Option<Chaos>,
}

impl Config<'_> {
    /// Everything that the engine can do by itself.
    pub const FULL: Config<'static> = Config {
        features: Features::ALL,
        extra: None,
        disabled: None,
        most_made: u64::MAX,
        work: u64::MAX,
        target: Target::MACHINE,
        watched: None,
        chaos: None,
    };

    /// A budget: the usual one, unless there is [`Chaos`].
    pub(super) fn budget(&self, name: &'static str, usual: u64) -> Budget {
        Budget::new(name, self.chaos.map_or(usual, |chaos| chaos.about(name).limit(usual)))
    }
}
