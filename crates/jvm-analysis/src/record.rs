//! The rewrites of whole programs (LLVM's `OptBisect` and debug counters): counted, limited by fuel, and told in words.
//!
//! Nothing of a program goes or changes before [`ProgramRecord::rewrite`] allowed it. A run with fuel for N rewrites makes
//! the first N of any longer run, those of bodies between them, so bisection finds the one that breaks a program.

use planish_pass::{Became, Kind, PassInfo, Record, Site};

/// One rewrite of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramRewrite {
    /// The pass that made it.
    pub pass: &'static str,
    /// What it was, as people say it: `class a.B goes`.
    pub what: String,
}

/// The rewrites of a program so far, and the fuel for more.
#[derive(Default)]
pub struct ProgramRecord {
    record: Record,
    /// Whether rewrites are put in words.
    tells: bool,
    last: Option<ProgramRewrite>,
}

impl ProgramRecord {
    /// A record without limit. With `tells`, the last rewrite is known in words.
    pub fn new(tells: bool) -> Self {
        ProgramRecord { tells, ..ProgramRecord::default() }
    }

    /// From here on so many rewrites may happen; `None`: any number.
    pub fn refuel(&mut self, limit: Option<u64>) {
        self.record.refuel(limit);
    }

    /// Whether one more rewrite may happen. Nothing is recorded.
    pub fn has_fuel(&self) -> bool {
        self.record.has_fuel()
    }

    /// Asks for a rewrite and records it. `false`: it must not happen.
    #[must_use]
    pub fn rewrite(&mut self, pass: &'static PassInfo, what: impl FnOnce() -> String) -> bool {
        let may = self.record.rewrite(Kind::Pass(pass.name), Site::NONE, Became::Changed);
        if may && self.tells {
            self.last = Some(ProgramRewrite { pass: pass.name, what: what() });
        }
        may
    }

    /// The last rewrite since this was asked the last time, if rewrites are put in words.
    pub fn take_last(&mut self) -> Option<ProgramRewrite> {
        self.last.take()
    }

    /// The counts.
    pub fn counts(&self) -> &Record {
        &self.record
    }
}
