//! How fast the e-graph grows and what extraction costs: `cargo run --release -p planish-opt --example egraph_speed`.
//!
//! A line a program: operations, ids of the graph (nodes and unions), ids a second over the whole run, and the share
//! of its time that choosing members takes. Best of five runs.

#[path = "../tests/common"]
mod common {
    pub mod rng;
    pub mod shapes;
}

use std::time::Instant;

use common::shapes;
use planish_ir::Function;
use planish_opt::Record;
use planish_opt::egraph::bodies::Bodies;
use planish_opt::egraph::{self, Rules, Source, Summary};

/// The fastest of five runs: what it did, and its seconds.
fn fastest(f: &Function) -> (Summary, f64) {
    let (price, bodies) = (&planish_opt::machine_price, &Bodies::default());
    let rules = Rules { source: Source::Book, first: 0, disabled: None, price, bodies, chaos: None };
    let run = |_| {
        let mut f = f.clone();
        let begin = Instant::now();
        let summary = egraph::run(&mut f, rules, &mut Record::new(), None);
        (summary, begin.elapsed().as_secs_f64())
    };
    (0..5).map(run).min_by(|x, y| x.1.total_cmp(&y.1)).expect("five runs")
}

fn main() {
    println!("| shape | operations | ids | ids a second | extraction |\n|---|---|---|---|---|");
    for count in [100, 1_000, 10_000, 100_000] {
        let programs = [
            ("one block", shapes::straight(count)),
            ("diamonds", shapes::diamonds(count)),
            ("loops in loops", shapes::nested(count, true)),
        ];
        for (name, f) in &programs {
            let (summary, seconds) = fastest(f);
            let share = 100.0 * summary.extracting.as_secs_f64() / seconds;
            println!(
                "| {name} | {} | {} | {:.0} | {share:.0} % |",
                f.live_insts().count(),
                summary.ids,
                summary.ids as f64 / seconds,
            );
        }
    }
}
