//! Wrong transfer functions: found by their theorems at every fact and value of up to three bits; and by
//! what an engine does with a wrong fact.

use planish_base::faults;
use planish_domain::enumerate::check;
use planish_domain::theorems::{Theorem, all};
use planish_filetest::generate::Options;
use planish_filetest::property::How;

use crate::passes::{of_kinds, ran_wrong};
use crate::table::{Behind, Line, Row};

/// How many random functions may be run.
const FUNCTIONS: u64 = 1_000;

/// One row a fault.
pub fn campaign() -> Vec<Row> {
    crate::names("domain").into_iter().map(row).collect()
}

fn row(name: &'static str) -> Row {
    let kinds = of_kinds(&[Options::SWARM, Options::NEST_SWARM]);
    let functions = ran_wrong(name, &How::LINEAR, &kinds, (Behind::Second, FUNCTIONS));
    Row {
        name: name.to_owned(),
        first: Line {
            by: "a theorem of the domain".to_owned(),
            budget: "every fact and value of 1 to 3 bits".to_owned(),
            found: refuted(name).map(|(theorem, width)| format!("`{}` at {width} bits", theorem.name())),
        },
        second: Some(Line {
            by: "random functions, run beside what becomes of them".to_owned(),
            budget: format!("{FUNCTIONS} functions"),
            found: functions.map(|(count, _)| format!("function {count}")),
        }),
    }
}

/// The first theorem, at the least width, that a fault makes wrong.
fn refuted(name: &'static str) -> Option<(Theorem, u32)> {
    (1..=3).find_map(|width| {
        let wrong = |theorem: &Theorem| {
            // A third fact, that of the result, makes too many cases at three bits.
            let tried = width < 3 || theorem.params(width).is_some_and(|p| p.facts.len() < 3);
            tried && faults::with(name, || check(*theorem, width)).is_err()
        };
        all().into_iter().find(wrong).map(|theorem| (theorem, width))
    })
}
