//! Programs that are written as they were, since what they became has no form in their language.
//!
//! Rules ask what can be written, by operation and type ([`rule_filter`](crate::rule_filter)). The e-graph engine has forms
//! beside each other before it is known which is taken, and passes ask where they choose between forms, so a program may become
//! what cannot be written all the same. The program was, so it is, as it came.

use planish_ir::Module;

use crate::content::Content;
use crate::dialect::Dialect;
use crate::reading::Writing;
use crate::run::Outcome;
use crate::session::Session;
use crate::settings::Settings;

impl Session {
    /// The program before it is optimized, where that may be needed again.
    pub(crate) fn kept(&self) -> Option<Module> {
        let is_bril = matches!(self.dialect(), Dialect::Bril | Dialect::BrilJson);
        self.module().filter(|_| is_bril).cloned()
    }

    /// Puts a program back if what became of it cannot be written, and what it was can; a warning says so.
    pub(crate) fn keep(&mut self, before: Module, settings: &Settings, outcome: &mut Outcome) {
        let writing = Writing { extended: settings.extended, ..Writing::default() };
        let written = |module: &Module| self.write_module(module, self.dialect(), writing);
        let Some(Err(why)) = self.module().map(written) else { return };
        if written(&before).is_err() {
            return;
        }
        if let Content::Module { module, .. } = &mut self.content {
            **module = before;
        }
        for row in &mut outcome.statistics.rows {
            row.after = None;
        }
        let why = why.trim_end().trim_start_matches("error: ");
        outcome.warnings += &format!("warning: the program is written as it was: {why}\n");
    }
}
