//! `planish opt`: reads, optimizes, writes.
//!
//! The result is written last: when anything before fails, no file is touched.

use planish_driver::{Settings, Writing, explain};

use crate::args::{Format, Opt};
use crate::failure::Failure;
use crate::io;

/// Optimizes a program.
pub fn run(args: &Opt) -> Result<(), Failure> {
    let mut session = super::open(&args.input)?;
    let settings = Settings {
        passes: args.passes.clone(),
        fuel: args.fuel,
        log: args.explain || args.remarks.is_some(),
    };
    let outcome = session.optimize(&settings).map_err(Failure::Rejected)?;
    let to = args.to.unwrap_or(session.dialect());
    let writing = Writing { extended: args.output.extended };
    let bytes = session.write(to, writing).map_err(Failure::Rejected)?;
    let rule = |_| (String::new(), String::new());
    if args.explain {
        eprint!("{}", explain::lines(&outcome.record, &outcome.names, &rule));
    }
    if let Some(path) = &args.remarks {
        let lines = explain::json_lines(&outcome.record, &outcome.names, &rule);
        io::write(Some(path), lines.as_bytes())?;
    }
    match args.stats {
        Some(Format::Text) => eprint!("{}", outcome.statistics.text(&outcome.record, &[], false)),
        Some(Format::Json) => eprint!("{}", outcome.statistics.json(&outcome.record, &[])),
        None => {}
    }
    io::write(args.output.output.as_deref(), &bytes)
}
