//! What is shown of a run between its passes, under the names that users of LLVM know: `--print-before`,
//! `--print-after`, `--print-changed`, `--time-passes`, `--verify-each`.

use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use planish_ir::Function;
use planish_ir::module::Tables;
use planish_ir::text::{Options, write_function_with};
use planish_opt::Change;
use planish_opt::manager::{Observer, Step};

use crate::about::About;

/// Behind or before which passes functions are shown.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Around {
    /// None.
    #[default]
    None,
    /// Every pass.
    Every,
    /// Those with one of these names. A walk has those of all its parts.
    Named(Vec<String>),
}

impl Around {
    /// The passes of a list of names divided by commas; every pass if it is empty.
    pub fn parse(names: &str) -> Result<Around, String> {
        if names.is_empty() {
            return Ok(Around::Every);
        }
        let known = |name: &str| planish_opt::manager::registry::find(name).map(|info| info.name.to_owned());
        let name = |name: &str| {
            known(name)
                .ok_or_else(|| format!("error: there is no pass `{name}`; `planish passes` lists them"))
        };
        names.split(',').map(|text| name(text.trim())).collect::<Result<_, _>>().map(Around::Named)
    }

    fn has(&self, step: &str) -> bool {
        match self {
            Around::None => false,
            Around::Every => true,
            Around::Named(names) => step.split('+').any(|part| names.iter().any(|name| name == part)),
        }
    }
}

/// Where texts go as they come.
#[derive(Clone)]
pub struct Sink(Arc<dyn Fn(&str) + Send + Sync>);

impl Sink {
    /// A sink that hands texts to a function.
    pub fn new(takes: impl Fn(&str) + Send + Sync + 'static) -> Sink {
        Sink(Arc::new(takes))
    }
}

impl std::fmt::Debug for Sink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Sink")
    }
}

/// What is shown of a run between its passes.
#[derive(Clone, Debug, Default)]
pub struct Instrument {
    /// Functions are shown before these passes.
    pub before: Around,
    /// Functions are shown behind these.
    pub after: Around,
    /// Functions are shown behind each pass that changed them.
    pub changed: bool,
    /// Of which functions or methods.
    pub about: About,
    /// Whether the time of each pass is measured.
    pub time: bool,
    /// Whether functions are verified behind each pass, in release builds, too.
    pub verify: bool,
    /// Where texts go; nothing is shown without it.
    pub sink: Option<Sink>,
}

impl Instrument {
    /// Whether functions are shown.
    pub fn shows(&self) -> bool {
        self.sink.is_some() && (self.changed || self.before != Around::None || self.after != Around::None)
    }

    /// What shows a function of this name between passes, with the names of its module.
    pub(crate) fn watch<'a>(&'a self, name: &str, tables: Tables<'a>) -> Option<Shown<'a>> {
        let sink = self.sink.as_ref().filter(|_| self.shows() && self.about.has(name))?;
        Some(Shown { instrument: self, sink, name: name.to_owned(), tables, before: String::new() })
    }
}

/// Shows one function.
pub(crate) struct Shown<'a> {
    instrument: &'a Instrument,
    sink: &'a Sink,
    name: String,
    tables: Tables<'a>,
    /// The text before the step at hand, where only changes are shown.
    before: String,
}

impl Shown<'_> {
    fn text(&self, f: &Function) -> String {
        write_function_with(self.tables, f, Options::default())
    }

    fn show(&self, when: &str, text: &str) {
        (self.sink.0)(&format!("# {when}: {}\n{text}\n", self.name));
    }
}

impl Observer for Shown<'_> {
    fn before(&mut self, step: &Step, f: &Function) {
        if self.instrument.before.has(&step.name) {
            self.show(&format!("before {}", step.name), &self.text(f));
        }
        if self.instrument.changed {
            self.before = self.text(f);
        }
    }

    fn after(&mut self, step: &Step, f: &Function, change: Change) {
        let is_asked = self.instrument.after.has(&step.name);
        if !is_asked && (!self.instrument.changed || change == Change::Nothing) {
            return;
        }
        let text = self.text(f);
        // A walk that says it may have changed something may have changed nothing.
        let has_changed = match self.instrument.changed {
            true => text != self.before,
            false => change != Change::Nothing,
        };
        if is_asked || has_changed {
            let unchanged = if has_changed { "" } else { ", which changed nothing" };
            self.show(&format!("after {}{unchanged}", step.name), &text);
        }
    }
}

/// How long passes took, over all functions.
#[derive(Clone, Debug, Default)]
pub struct PassTimes {
    /// By name, in the order in which they first ran: how often each ran, and how long together.
    rows: Vec<(String, u64, Duration)>,
}

impl PassTimes {
    /// A pass ran once more.
    pub(crate) fn add(&mut self, name: &str, time: Duration) {
        self.add_all(name, 1, time);
    }

    fn add_all(&mut self, name: &str, runs: u64, time: Duration) {
        match self.rows.iter_mut().find(|(known, ..)| known == name) {
            Some((_, all, sum)) => (*all, *sum) = (*all + runs, *sum + time),
            None => self.rows.push((name.to_owned(), runs, time)),
        }
    }

    /// Adds the times of other functions.
    pub fn merge(&mut self, other: &PassTimes) {
        other.rows.iter().for_each(|(name, runs, time)| self.add_all(name, *runs, *time));
    }

    /// A table, the longest first: milliseconds, share, runs, name.
    pub fn table(&self) -> String {
        let total: Duration = self.rows.iter().map(|row| row.2).sum();
        let mut rows = self.rows.clone();
        rows.sort_by_key(|row| std::cmp::Reverse(row.2));
        let mut out = format!("{:>10} ms  share      runs  pass\n", milliseconds(total));
        for (name, runs, time) in rows {
            let share = 100.0 * time.as_secs_f64() / total.as_secs_f64().max(f64::MIN_POSITIVE);
            let _ = writeln!(out, "{:>10} ms  {share:>4.1}%  {runs:>8}  {name}", milliseconds(time));
        }
        out
    }
}

fn milliseconds(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64() * 1e3)
}
