//! `--explain` and `--remarks`: what is told of each rewrite, as lines on standard error and as objects in a file.
//!
//! Of a log it is told while the log is optimized, a piece at a time, so that no rewrite has to be kept.

use std::io::Write;

use planish_driver::explain::{self, Names, Record};
use planish_driver::missed_patterns::MissedPatterns;
use planish_rules::RuleSet;

use crate::args::Opt;
use crate::failure::Failure;
use crate::io;

/// How many pairs of operations that remain together are shown behind the explanation of traces.
const MISSED: usize = 20;

/// Whether all rewrites are explained, and not those of one function.
pub fn explains_all(args: &Opt) -> bool {
    args.explain.as_deref() == Some("")
}

/// Tells what the arguments ask for.
pub struct Told<'a> {
    args: &'a Opt,
    rules: Option<&'a RuleSet>,
    remarks: Option<io::Writer<'a>>,
    /// The number of the next remark in the file.
    next: usize,
    /// Whether anything was said of what is explained.
    any: bool,
}

impl<'a> Told<'a> {
    /// Begins the file that the arguments name, if they name one; it appears in the end.
    pub fn begin(args: &'a Opt, rules: Option<&'a RuleSet>) -> Result<Self, Failure> {
        let remarks = args.remarks.as_deref().map(|path| io::Writer::begin(Some(path))).transpose()?;
        Ok(Told { args, rules, remarks, next: 1, any: false })
    }

    /// Tells of the rewrites of a record.
    pub fn add(&mut self, record: &Record, names: &Names) -> Result<(), Failure> {
        let info = |number: u32| explain::rule_info(self.rules, number);
        if let Some(function) = &self.args.explain {
            let remarks = explain::remarks(record, names)
                .filter(|remark| function.is_empty() || remark.function == *function);
            let text = explain::lines(remarks, &info) + &explain::left(record, names, function);
            self.any |= !text.is_empty();
            io::say(format_args!("{text}"));
        }
        if let Some(file) = &mut self.remarks {
            let lines = explain::json_lines(self.next, explain::remarks(record, names), &info);
            self.next += record.entries().len();
            file.write_all(lines.as_bytes()).map_err(Failure::rejected)?;
        }
        Ok(())
    }

    /// Ends what is told: with the pairs of operations that remain in traces, where everything is explained.
    pub fn finish(self, remains: Option<&MissedPatterns>) -> Result<(), Failure> {
        if let Some(function) =
            self.args.explain.as_ref().filter(|function| !function.is_empty() && !self.any)
        {
            io::say(format_args!("nothing was done to a function called {function}\n"));
        }
        if let Some(remains) = remains.filter(|_| explains_all(self.args)) {
            io::say(format_args!("{}", remains.table(MISSED)));
        }
        self.remarks.map_or(Ok(()), io::Writer::finish)
    }
}
