//! What became of the bodies of an archive: sums for a summary, and a story of each method.

use std::fmt::Write;

use planish_driver::explain::Remark;
use planish_driver::instrument::PassTimes;
use planish_jvm::bodies::record::{Report, Story};
use planish_jvm_model::names::show;
use planish_opt::Record;

/// What became of a program of classes.
#[derive(Default)]
pub struct ClassOutcome {
    /// Class files.
    pub classes: u64,
    /// Class files that changed.
    pub changed: u64,
    /// Bytes of class files before and after.
    pub bytes: (u64, u64),
    /// What became of methods.
    pub methods: Report,
    /// Rewrites.
    pub rewrites: u64,
    /// Rewrites by kind and rule.
    pub record: Record,
    /// What became of each body and why, by class and method, if remarks are wanted.
    pub stories: Vec<MethodStory>,
    /// What the user should know: one message each.
    pub warnings: Vec<String>,
    /// If a log was asked for: the last rewrite of all, if it was one of a body.
    pub last: Option<Remark>,
    /// How long passes took, when it was asked for.
    pub times: PassTimes,
}

/// What became of a body, and the rewrites that made it.
pub struct MethodStory {
    /// What became of it.
    pub story: Story,
    /// The rewrites in order.
    pub remarks: Vec<Remark>,
    /// The body in text, after what was said to have been done; empty unless one method was asked for.
    pub texts: Vec<(String, String)>,
}

/// How many reasons for which methods are copied the summary lists: those of most methods.
pub(crate) const REASONS: usize = 10;

/// How much of what a pinned method keeps the summary lists.
pub(crate) const HELD: usize = 6;

impl ClassOutcome {
    /// What this and a later round did together.
    pub(crate) fn then(self, later: ClassOutcome) -> ClassOutcome {
        let mut stories = self.stories;
        stories.extend(later.stories);
        let mut record = self.record;
        record.add(&later.record);
        let mut times = self.times;
        times.merge(&later.times);
        ClassOutcome {
            times,
            classes: self.classes,
            changed: self.changed.max(later.changed),
            bytes: (self.bytes.0, later.bytes.1),
            methods: self.methods.then(later.methods),
            rewrites: self.rewrites + later.rewrites,
            record,
            stories,
            warnings: self.warnings,
            last: later.last.or(self.last),
        }
    }

    /// What this and giving bodies their last form did together.
    pub(crate) fn finished(self, last: ClassOutcome) -> ClassOutcome {
        let mut stories = self.stories;
        stories.extend(last.stories);
        let mut record = self.record;
        record.add(&last.record);
        ClassOutcome {
            rewrites: self.rewrites + last.rewrites,
            record,
            last: last.last.or(self.last),
            changed: self.changed.max(last.changed),
            bytes: (self.bytes.0, last.bytes.1),
            methods: self.methods.finished(last.methods),
            stories,
            ..self
        }
    }

    /// The sizes of all bodies and classes, one a line. Of rounds, bodies that came and went in between count.
    pub fn sizes(&self) -> String {
        let Report { instructions, bytes, .. } = self.methods;
        let rows =
            [("instructions", instructions), ("bytes of code", bytes), ("bytes of class files", self.bytes)];
        rows.map(|(name, sizes)| change(name, sizes)).concat()
    }

    /// How many methods are as they were since they could not be read into the optimizer.
    pub fn copied(&self) -> u64 {
        self.methods.refused.values().map(|(count, _)| count).sum()
    }

    /// What was done to bodies: one line for each kind of thing.
    pub fn details(&self) -> String {
        let Report { methods, improved, ref refused, .. } = self.methods;
        let mut text = format!(
            "{} classes, {} changed; {methods} methods left; a body got better {improved} times; {} rewrites\n",
            self.classes, self.changed, self.rewrites
        );
        let report = &self.methods;
        for (what, count) in [
            ("values that are constants by what the whole program says", report.did.constants),
            ("calls in whose place a body was put", report.inlined),
            ("calls of copies with fewer parameters", report.redirected),
            (
                "virtual calls that lead to one method since the class of the receiver is known",
                report.precise,
            ),
            ("stores that nobody reads and objects that nobody uses", report.did.unused),
            ("calls of lambdas that call what the lambda calls", report.did.direct),
            ("methods that called themselves in the end and are loops now", report.did.loops),
            ("switches over enums that are on the ordinal now", report.did.ordinals),
            ("concatenations that have constants in their recipes now", report.did.concatenated),
            ("objects that became their fields", report.did.replaced),
            ("calls made only where their result is used", report.did.moved),
            ("instructions that equal ends of code share", report.did.shared),
        ] {
            if count > 0 {
                let _ = writeln!(text, "{what}: {count}");
            }
        }
        let mut reasons: Vec<_> = refused.iter().collect();
        reasons.sort_by_key(|(reason, (count, _))| (std::cmp::Reverse(*count), reason.as_str()));
        let (most, others) = reasons.split_at(reasons.len().min(REASONS));
        for (reason, (count, example)) in most {
            let _ = writeln!(text, "{count} methods copied: {reason} ({example})");
        }
        if !others.is_empty() {
            let count: u64 = others.iter().map(|(_, (count, _))| count).sum();
            let _ = writeln!(
                text,
                "{count} methods copied for {} other reasons, which --explain=METHOD says",
                others.len()
            );
        }
        text
    }

    /// The methods that are as they were since a step broke them: what it did, and what stays with them.
    pub fn broken(&self) -> String {
        let mut text = String::new();
        for broken in &self.methods.broken {
            let why = broken.why.lines().next().unwrap_or_default();
            let _ = writeln!(
                text,
                "kept as it was, since {} broke it: {} ({why})",
                broken.step,
                show(&broken.method)
            );
            // Of most that a method names the name says enough.
            let (first, more) = broken.holds.split_at(broken.holds.len().min(HELD));
            if !first.is_empty() {
                let more = match more.len() {
                    0 => String::new(),
                    count => format!(
                        " and {count} more (--explain={})",
                        show(&broken.method).split('(').next().unwrap_or_default()
                    ),
                };
                let _ = writeln!(text, "  its bytes name, and so keep: {}{more}", first.join(", "));
            }
        }
        text
    }
}

/// A line of a summary: how much there was of something, and how much is left.
pub(crate) fn change(name: &str, (before, after): (u64, u64)) -> String {
    let percent = match before {
        0 => 0.0,
        _ => (after as f64 - before as f64) * 100.0 / before as f64,
    };
    format!("{name}: {before} before, {after} after ({percent:+.2} %)\n")
}
