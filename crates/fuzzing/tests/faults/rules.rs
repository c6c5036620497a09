//! Wrong rules: refuted by the prover, which needs no installed solver for any of them; and found by
//! running functions that hold their patterns.

use std::num::NonZeroUsize;
use std::sync::Arc;

use planish_base::SourceText;
use planish_filetest::generate::{Source, bytes, pattern};
use planish_filetest::property::{Effort, How, optimized_does_the_same};
use planish_prove::prover::prove_one;
use planish_prove::rule::Verdict;
use planish_prove::{Engine, Options};
use planish_rules::{Rule, RuleSet};

use crate::table::{Behind, Line, Row, functions};

/// How many functions with the pattern of a rule may be run.
const FUNCTIONS: u64 = 2_000;

const TEXT: &str = include_str!("wrong.rules");

fn read(text: &str) -> RuleSet {
    let (set, findings) = RuleSet::read(vec![SourceText::new("wrong.rules", text)]);
    assert!(findings.is_empty(), "{}", set.render(&findings));
    set
}

/// One row a rule.
pub fn campaign() -> Vec<Row> {
    read(TEXT).rules.values().map(row).collect()
}

fn row(rule: &Rule) -> Row {
    let options = Options { threads: NonZeroUsize::MIN, ..Options::new(Engine::builtin()) };
    let refuted = match prove_one(rule, &options).verdict {
        Verdict::Refuted(story) => Some(story.case.clone()),
        _ => None,
    };
    Row {
        name: format!("`{}`", rule.name),
        first: Line {
            by: "the prover, with the built-in solver".to_owned(),
            budget: format!("{} seconds", options.limit.as_secs()),
            found: refuted,
        },
        second: Some(Line {
            by: "functions that hold the pattern, run beside what becomes of them".to_owned(),
            budget: format!("{FUNCTIONS} functions"),
            found: ran_wrong(rule).map(|count| format!("function {count}")),
        }),
    }
}

/// The number of the first function that the rule makes wrong.
fn ran_wrong(rule: &Rule) -> Option<u64> {
    // The rule alone: others of the file would be found in its place.
    let alone = Arc::new(read(&rule.text));
    let how = How { rules: Some(alone), ..How::LINEAR };
    let effort = Effort { tries: 6, fuel: 100 };
    functions(&format!("`{}`", rule.name), Behind::Second, FUNCTIONS).find_map(|count| {
        let seed = count - 1;
        let bytes = bytes(seed, 400);
        let module =
            pattern::module(&mut Source::new(&bytes), rule).expect("bytes that run out read as zero")?;
        optimized_does_the_same(&module, &how, seed, effort).is_err().then_some(count)
    })
}
