//! Prints for each log how many operations its raw traces have and what PyPy left of them, beside the
//! same traces lifted and lowered without an optimizer.
//!
//! `cargo run --release -p planish-trace-dialect --example log_stats -- FILE...`

use planish_base::{Diagnostics, SourceText};
use planish_trace_dialect::pypylog;
use planish_trace_dialect::relog::{Options, Total, Verdict, optimize};
use planish_trace_dialect::stats::Counts;

fn main() {
    let mut sum = Total::default();
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path).expect("the file is there");
        let text = String::from_utf8(pypylog::unfold(bytes, None).expect("whole")).expect("UTF-8");
        let (mut log, _) = pypylog::read(SourceText::new(path.clone(), text));
        let mut diagnostics = Diagnostics::new();
        let options = Options::default();
        let outcome = optimize(&mut log, options, &mut diagnostics, &mut |_, _, _| Verdict::Done);
        print!("{}", diagnostics.render(&log.source));
        let total = outcome.total();
        row(&path, &total);
        sum.traces += total.traces;
        sum.compared += total.compared;
        sum.before.add(&total.before);
        sum.after.add(&total.after);
        sum.pypy.add(&total.pypy);
    }
    row("all", &sum);
    for ((name, before), ((_, after), (_, pypy))) in
        sum.before.fields().iter().zip(sum.after.fields().iter().zip(sum.pypy.fields()))
    {
        println!("{name:14} {before:8} {after:8} {pypy:8}");
    }
}

fn row(name: &str, total: &Total) {
    let pair = |counts: &Counts| format!("{:7} hard {:6} guards", counts.hard, counts.guards);
    let name = name.rsplit('/').next().unwrap_or(name);
    println!(
        "{name:26} {:4} traces {:4} compared | before {} | after {} | PyPy {}",
        total.traces,
        total.compared,
        pair(&total.before),
        pair(&total.after),
        pair(&total.pypy)
    );
}
