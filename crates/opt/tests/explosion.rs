//! Groups of rules that made another compiler's e-graph explode, written in our language.
//!
//! Cranelift met them in production: two rules on differences took its e-graph from 0.15 s to 31 s on a fuzzer's
//! input (wasmtime issues 13068 and 13204), and De Morgan's laws made a hash function slower by a fifth (12086).
//! Here the first end within work that grows with the program, whatever the rules say, and of the second the checker
//! says that they cost more than they save.

use planish_base::SourceText;
use planish_ir::verify::verify;
use planish_ir::{Form, Function, Module, text};
use planish_opt::egraph::bodies::Bodies;
use planish_opt::{Optimizer, Options, Pipeline, Record, egraph};
use planish_rules::RuleSet;
use planish_rules::set::Strictness;

/// Differences of differences, in the three shapes that were blamed.
const DIFFERENCES: &str = "\
a: sub(add(x, y), add(x, z)) => sub(y, z)
b: sub(sub(x, z), sub(y, z)) => sub(x, y)
c: sub(sub(x, y), sub(x, z)) => sub(z, y)
assoc [explore]: sub(sub(x, y), z) => sub(x, add(y, z))
back [explore]: sub(x, add(y, z)) => sub(sub(x, y), z)
";

/// A line of `n` rounds in which each value is a difference of two differences of those before.
fn differences(n: usize) -> Function {
    let mut lines = String::from("v0 = getarg(0)\nv1 = getarg(1)\nv2 = getarg(2)\n");
    let mut next = 3;
    let mut op = |name: &str, x: usize, y: usize| {
        lines.push_str(&format!("v{next} = {name}(v{x}, v{y})\n"));
        next += 1;
        next - 1
    };
    let (mut x, mut y, mut z) = (0, 1, 2);
    for round in 0..n {
        let (left, right) = match round % 3 {
            0 => (op("sub", x, z), op("sub", y, z)),
            1 => (op("sub", x, y), op("sub", x, z)),
            _ => (op("add", x, y), op("add", x, z)),
        };
        (x, y, z) = (op("sub", left, right), left, right);
    }
    let (mut module, diagnostics) = text::read(&lines);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    module.functions.values_mut().next().expect("a function").clone()
}

/// How many rewrites both engines make of `n` rounds.
fn rewrites(set: &RuleSet, n: usize) -> u64 {
    let mut function = differences(n);
    let mut record = Record::new();
    let before = function.live_insts().count();
    let rules = egraph::Rules {
        source: egraph::Source::Read(set),
        first: 0,
        disabled: None,
        price: &planish_opt::machine_price,
        bodies: &Bodies::default(),
        chaos: None,
    };
    egraph::run(&mut function, rules, &mut record, None);
    let options = Options { extra: Some(set), ..Options::QUIET };
    let all = Pipeline::parse(Pipeline::CFG, Form::Cfg).expect("passes");
    let world = Module::new().descriptors;
    Optimizer::new().run(&all, &mut function, &world, &mut record, options, &mut ());
    assert!(verify(&function, Form::Cfg).is_empty());
    assert!(function.live_insts().count() <= before);
    record.total()
}

#[test]
fn rules_that_feed_each_other_work_in_proportion_to_the_program() {
    let (set, findings) = RuleSet::read(vec![SourceText::new("differences.rules", DIFFERENCES)]);
    assert!(findings.is_empty(), "{findings:?}");
    let (short, long) = (rewrites(&set, 100), rewrites(&set, 1000));
    assert!(short > 0, "the rules are about this program");
    assert!(long <= 20 * short, "{short} rewrites of 100 rounds, {long} of 1,000");
}

#[test]
fn de_morgans_laws_are_told_to_cost_more_than_they_save() {
    let laws = "and: not(and(x, y)) => or(not(x), not(y))\nor: not(or(x, y)) => and(not(x), not(y))\n";
    let (set, _) = RuleSet::read(vec![SourceText::new("laws.rules", laws)]);
    let findings = set.judge(Strictness::Book);
    for name in ["and", "or"] {
        let message = format!("rule `{name}` does not simplify");
        assert!(findings.iter().any(|(_, finding)| finding.message == message), "{findings:?}");
    }
}
