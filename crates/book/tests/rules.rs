//! Every rule of the book: tried at small widths, fired through the generated matcher, compared with
//! the tree in memory, and its result evaluated.

use planish_base::Id;
use planish_book::{RULES, set, simplify};
use planish_domain::IntFact;
use planish_ops::{FloatFormat, Int, Op, Real, Type};
use planish_rules::exhaust::{SMALL_WIDTHS, Tally, exhaust};
use planish_rules::graph::{Graph, Val};
use planish_rules::matching::{Const, Flow, Operand, Outcome, Rewrite, Root};
use planish_rules::rule::{Literal, NodeKind, Rule, TermId, VarKind};
use planish_rules::sample::sample;
use planish_rules::speaks::{WIDTHS, choices};
use planish_rules::{RuleId, eval};

/// Cases for each type assignment and reading of shifts; more are sampled.
const LIMIT: u64 = 6_000;

/// S5.41
#[test]
fn every_rule_holds_on_all_inputs_of_small_widths() {
    for rule in set().rules.values() {
        let mut tally = exhaust(rule, &SMALL_WIDTHS, LIMIT);
        if tally.applied == 0 {
            // Encodings of floats, and multipliers that narrow words do not need.
            tally = exhaust(rule, &[8, 32, 64], LIMIT);
        }
        assert!(tally.wrong.is_none(), "{} is wrong: {:?}", rule.name, tally.wrong);
        assert!(tally.applied > 0, "{} never applies", rule.name);
    }
}

/// Every dividend and every divisor of 8 bits, with the constants that are guessed for it.
#[test]
fn certified_rules_hold_on_all_inputs_of_8_bits() {
    let mut applied = 0;
    for rule in set().rules.values().filter(|rule| rule.marks.certified) {
        let tally = exhaust(rule, &[8], 1 << 16);
        assert!(tally.wrong.is_none(), "{} is wrong: {:?}", rule.name, tally.wrong);
        assert!(!tally.sampled && tally.applied > 0, "{} never applies", rule.name);
        applied += tally.applied;
    }
    assert!(applied > 100_000);
}

/// At widths that no program has, rules are applied whose proof is one at every width, and no others.
#[test]
fn rules_that_scale_hold_at_every_width_and_others_are_applied_at_some() {
    let (mut scaling, mut numbers) = (0, Numbers(0x1234_5678_9abc_def1));
    for (id, rule) in set().rules.iter() {
        let mut tally = Tally::default();
        let mut applied = false;
        for width in (1..=64).filter(|width| !WIDTHS.contains(width)) {
            for types in choices(&rule.kinds(), &[width]).filter(|types| rule.admits(types)) {
                if rule.scales {
                    sample(rule, &types, 10, &|| true, &mut tally);
                }
                if rule.bounded_types().next().is_none() || rule.marks.explore || width % 8 != 4 {
                    continue;
                }
                for _ in 0..20 {
                    let mut made = instance(&mut numbers, rule, &types);
                    let pattern = made.term(rule, &types, rule.pattern);
                    let root = made.graph.root(pattern).expect("patterns are operations");
                    applied |= simplify(&made.graph, &root).is_some_and(|rewrite| rewrite.rule == id);
                }
            }
        }
        assert!(tally.wrong.is_none(), "{} is wrong: {:?}", rule.name, tally.wrong);
        assert!(!applied, "{} is applied at a width at which nobody proved it", rule.name);
        scaling += u32::from(rule.scales && tally.applied > 0);
    }
    assert!(scaling >= 20, "{scaling} rules scale");
}

/// S4.12: every rule is among those that were compiled.
#[test]
fn numbers_and_names_of_the_generated_list_are_those_of_the_book() {
    assert_eq!(RULES.len(), set().rules.len());
    for (id, rule) in set().rules.iter() {
        let info = RULES[id.index()];
        assert_eq!((info.name, info.line as usize, info.root), (rule.name.as_str(), rule.line, rule.root()));
    }
}

/// A small, fixed stream of numbers.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 11) as usize % n
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// A value that rules like to see, or any.
fn value(numbers: &mut Numbers, ty: Type) -> Const {
    match ty {
        Type::Float(format) => {
            let edges = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 3.25, 1e300, f64::INFINITY, f64::NAN];
            let value = numbers.pick(&edges);
            Const::Real(match format {
                FloatFormat::F32 => Real::F32(value as f32),
                FloatFormat::F64 => Real::F64(value),
            })
        }
        _ => {
            let width = ty.int_width().expect("rules speak of integers and floats");
            let w = u64::from(width);
            let edges =
                [0, 1, 2, 3, 5, 7, 10, 16, w - 1, w, w / 2, u64::MAX, u64::MAX << (w / 2), 1 << (w - 1)];
            let bits = match numbers.below(8) {
                0 => numbers.next(),
                1 => numbers.next() % (w + 1),
                2 => (1 << (w - 1)) - 1,
                _ => numbers.pick(&edges),
            };
            Const::Int(Int::new(width, bits))
        }
    }
}

/// A fact that holds of a word.
fn fact(numbers: &mut Numbers, word: Int) -> IntFact {
    let (width, signed, bits) = (word.width(), word.signed(), word.unsigned());
    match numbers.below(6) {
        0 => IntFact::constant(word),
        1 => IntFact::interval(width, signed.min(0), signed.max(3)),
        2 => IntFact::bits(width, bits & 0xff, !bits & 0xff),
        3 => IntFact::bits(width, bits & !0xff, !bits & !0xff),
        4 if bits <= 1 => IntFact::boolean(width),
        _ => IntFact::top(width),
    }
}

/// The pattern of a rule as a program, with values for its parameters.
struct Instance {
    graph: Graph,
    params: Vec<Const>,
    values: Vec<Option<Val>>,
}

fn instance(numbers: &mut Numbers, rule: &Rule, types: &[Type]) -> Instance {
    let mut made = Instance { graph: Graph::new(), params: Vec::new(), values: vec![None; rule.vars.len()] };
    for (var, variable) in rule.vars.iter() {
        let ty = eval::concrete(variable.ty, types);
        let constant = match variable.kind {
            VarKind::Value | VarKind::Constant => value(numbers, ty),
            _ => continue,
        };
        let made_value = if variable.kind == VarKind::Constant {
            made.graph.constant_value(constant)
        } else {
            let param = made.graph.param(ty);
            made.params.push(constant);
            if let Const::Int(word) = constant {
                let known = fact(numbers, word);
                made.graph.know(param, known);
            }
            param
        };
        made.values[var.index()] = Some(made_value);
    }
    made
}

impl Instance {
    fn term(&mut self, rule: &Rule, types: &[Type], term: TermId) -> Val {
        let node = &rule.terms[term];
        let ty = eval::concrete(node.ty, types);
        match &node.kind {
            NodeKind::Var(var) => {
                self.values[var.index()].expect("patterns are made of values and constants")
            }
            NodeKind::Literal(Literal::Float(value)) => {
                let format = ty.float_format().expect("a float");
                self.graph
                    .constant_value(Const::Real(Real::from_bits(format, eval::float_literal(*value, format))))
            }
            NodeKind::Literal(literal) => {
                let width = ty.int_width().expect("an integer");
                let bits = eval::integer_literal(*literal, width).expect("the rule admits these types");
                self.graph.constant_value(Const::Int(Int::new(width, bits)))
            }
            NodeKind::Op(op, args) => {
                let args: Vec<Val> = args.iter().map(|&arg| self.term(rule, types, arg)).collect();
                self.graph.apply(*op, &args, ty)
            }
            NodeKind::Reuse(_) => unreachable!("patterns reuse nothing"),
        }
    }
}

/// A rewrite as it can be compared; of constants, the text, for NaN is not equal to itself.
fn shown(rewrite: &Rewrite<Val>) -> String {
    let plan: Vec<(Op, Vec<Operand<Val>>, Type)> =
        rewrite.plan.iter().map(|b| (b.op, b.operands().collect(), b.ty)).collect();
    format!("{} {:?} {plan:?}", planish_book::name(rewrite.rule), rewrite.outcome)
}

/// S5.21, S5.31: the generated code does what the rule says, read by the slow and plain matcher; a rule that nothing makes fire as the first one fails here.
#[test]
fn every_rule_fires_first_somewhere_and_computes_what_its_pattern_does() {
    let set = set();
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let mut fired = vec![0u64; set.rules.len()];
    for (id, rule) in set.rules.iter() {
        let explore = rule.marks.explore;
        let admitted: Vec<Vec<Type>> =
            choices(&rule.kinds(), &[64, 32, 8, 1]).filter(|types| rule.admits(types)).collect();
        for round in 0..60_000 {
            if fired[id.index()] >= 3 {
                break;
            }
            let types = &admitted[round % admitted.len()];
            let mut made = instance(&mut numbers, rule, types);
            let pattern = made.term(rule, types, rule.pattern);
            let root = made.graph.root(pattern).expect("patterns are operations");
            let found = if explore { explored(&made.graph, &root, id) } else { simplify(&made.graph, &root) };
            if !explore {
                let in_memory = set.simplify(&made.graph, &root);
                assert_eq!(found.as_ref().map(shown), in_memory.as_ref().map(shown), "for {}", rule.name);
            }
            let Some(rewrite) = found else { continue };
            fired[rewrite.rule.index()] += 1;
            evaluate(&mut made, pattern, &rewrite, rule);
        }
    }
    let never: Vec<&str> =
        set.rules.iter().filter(|(id, _)| fired[id.index()] == 0).map(|(_, r)| r.name.as_str()).collect();
    assert!(never.is_empty(), "rules that never fired: {never:?}");
}

/// The rewrite of one rule among those for the e-graph engine.
fn explored(graph: &Graph, root: &Root<'_, Val>, wanted: RuleId) -> Option<Rewrite<Val>> {
    let mut found = None;
    let _ = planish_book::explore(graph, root, &mut |rewrite| {
        if rewrite.rule == wanted {
            found = Some(rewrite);
            return Flow::Break(());
        }
        Flow::Continue(())
    });
    found
}

/// What the rewrite builds computes what the pattern does, on the values that the facts hold of.
fn evaluate(made: &mut Instance, pattern: Val, rewrite: &Rewrite<Val>, rule: &Rule) {
    let root = made.graph.root(pattern).expect("patterns are operations");
    let op = root.op;
    if matches!(rewrite.outcome, Outcome::Guard | Outcome::Pass | Outcome::Fail) {
        return;
    }
    let Some(source) = made.graph.eval_all(pattern, &made.params) else { return };
    let (value, flag) = made.graph.build(rewrite, op.row().results.len() == 2).expect("no guard");
    let target = made.graph.eval(value, &made.params);
    assert_eq!(target, Some(source.0), "{} for {} on {:?}", shown(rewrite), rule.name, made.params);
    if let (Some(flag), Some(wanted)) = (flag, source.1) {
        assert_eq!(
            made.graph.eval(flag, &made.params),
            Some(wanted),
            "{} on {:?}",
            shown(rewrite),
            made.params
        );
    }
}
