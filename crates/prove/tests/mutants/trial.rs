//! Trying a rule that is proved: on more inputs than the prover tries, with facts of more kinds, in two readings.

use planish_base::Id;
use planish_domain::{FactOf, IntFact};
use planish_ops::{Datum, FloatFormat, Int, Machine, Real, Type};
use planish_rules::apply::{asked, unpack};
use planish_rules::eval::concrete;
use planish_rules::exhaust::Case;
use planish_rules::rule::{ExprKind, Literal, NodeKind, Rule, VarId, VarKind};
use planish_rules::semantics::{Inputs, Reading, expressions};
use planish_rules::speaks::choices;

use crate::mutate::Draw;
use crate::reading;

/// How many inputs are tried of a rule, at small widths and at those of programs.
const INPUTS: usize = 60_000;

/// What is wrong with a rule, if inputs are found that refute it.
pub fn wrong(rule: &Rule) -> Option<String> {
    wrong_on(rule, INPUTS)
}

/// The same with about so many inputs.
pub fn wrong_on(rule: &Rule, inputs: usize) -> Option<String> {
    let is_small = |types: &Vec<Type>| rule.admits(types) && rule.target_is_legal(types);
    let small: Vec<Vec<Type>> = choices(&rule.kinds(), &[1, 2, 3, 4, 5]).filter(is_small).collect();
    let wide: Vec<Vec<Type>> = rule.assignments().filter(|types| rule.target_is_legal(types)).collect();
    let mut draw = Draw(0x2545_f491_4f6c_dd1d);
    for (all, is_small) in [(small, true), (wide, false)] {
        let each = (inputs / all.len().max(1)).max(8);
        for types in &all {
            let words = |var: VarId| words(rule, concrete(rule.vars[var].ty, types), is_small, &mut Draw(1));
            let of: Vec<(VarId, Vec<Datum<Machine>>)> =
                inputs_of(rule).map(|var| (var, words(var))).collect();
            let total = of.iter().map(|(_, values)| values.len()).fold(1usize, usize::saturating_mul);
            for number in 0..each.min(total.saturating_mul(4)) {
                let at = if total <= each { number % total } else { draw.below(total) };
                let case = case(rule, &of, at, &mut draw);
                for reading in Reading::ALL {
                    if let Some(why) = refutes(rule, types, reading, &case) {
                        return Some(why);
                    }
                }
            }
        }
    }
    None
}

fn inputs_of(rule: &Rule) -> impl Iterator<Item = VarId> + '_ {
    let is_input = |kind: VarKind| matches!(kind, VarKind::Value | VarKind::Constant);
    rule.vars.iter().filter(move |(_, v)| is_input(v.kind)).map(|(id, _)| id)
}

/// The numbers that a rule names.
fn named(rule: &Rule) -> Vec<i128> {
    let of_literal = |literal: &Literal| match literal {
        Literal::Integer(value) => Some(*value),
        _ => None,
    };
    let of_terms = rule.terms.values().filter_map(|node| match &node.kind {
        NodeKind::Literal(literal) => of_literal(literal),
        _ => None,
    });
    let of_steps = expressions(rule).into_iter().filter_map(|expr| match &expr.kind {
        ExprKind::Literal(literal) => of_literal(literal),
        ExprKind::Size(size) => Some(i128::from(*size)),
        _ => None,
    });
    of_terms.chain(of_steps).collect()
}

/// All words of a small width, or those where things change, and floats of all kinds.
fn words(rule: &Rule, ty: Type, is_small: bool, draw: &mut Draw) -> Vec<Datum<Machine>> {
    let width = match ty {
        Type::Int(width) => u32::from(width),
        Type::Float(format) => return floats(format, draw),
        Type::Ref | Type::State | Type::Vector(_) => unreachable!("rules are about integers and floats"),
    };
    if is_small && width <= 8 {
        return (0..1u64 << width).map(|bits| Datum::Word(Int::new(width, bits))).collect();
    }
    let mut bits: Vec<u64> = (0..=8).chain((1..=8u64).map(u64::wrapping_neg)).collect();
    bits.extend([
        width.into(),
        u64::from(width) - 1,
        u64::from(width) + 1,
        0x5555_5555_5555_5555,
        u64::MAX / 3,
    ]);
    for shift in [1, width / 2, width - 1] {
        let power = 1u64 << shift;
        bits.extend([power, power.wrapping_sub(1), power.wrapping_add(1), power.wrapping_neg()]);
    }
    for value in named(rule) {
        let value = value as u64;
        bits.extend([value, value.wrapping_add(1), value.wrapping_sub(1), value.wrapping_neg()]);
    }
    bits.extend((0..8).map(|_| draw.next()));
    bits.extend((0..8).map(|_| draw.next() >> draw.below(64)));
    let mut words: Vec<Int> = bits.into_iter().map(|bits| Int::new(width, bits)).collect();
    words.sort_unstable_by_key(|word| word.unsigned());
    words.dedup();
    words.into_iter().map(Datum::Word).collect()
}

fn floats(format: FloatFormat, draw: &mut Draw) -> Vec<Datum<Machine>> {
    let edges =
        [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 0.1, 1e-310, 1e-40, 1e-45, 1e30, 1e300, 16_777_217.0, f64::MAX];
    let other =
        [f64::MIN_POSITIVE, f64::from(f32::MAX), f64::from(f32::MIN_POSITIVE), f64::INFINITY, f64::NAN];
    let both = edges.iter().chain(&other).flat_map(|&edge| [edge, -edge]);
    let of = |value: f64| match format {
        FloatFormat::F32 => Real::F32(value as f32),
        FloatFormat::F64 => Real::F64(value),
    };
    let mut all: Vec<Real> = both.map(of).collect();
    let any = (0..24).map(|_| Real::from_bits(format, draw.next() >> (64 - format.bits())));
    all.extend(any.filter(|real| !real.is_nan()));
    all.into_iter().map(Datum::Float).collect()
}

/// Something that is known of a word: where it lies, signed or unsigned, and some of its bits.
fn fact(word: Int, draw: &mut Draw) -> FactOf<Machine> {
    let (width, value, bits) = (word.width(), word.signed(), word.unsigned());
    let mut far = || draw.next() >> draw.below(64);
    let (below, above, mask) = (far(), far(), far() | far());
    let signed = |a: u64| i64::try_from(a).unwrap_or(i64::MAX);
    let interval =
        IntFact::interval(width, value.saturating_sub(signed(below)), value.saturating_add(signed(above)));
    let unsigned = IntFact::unsigned_interval(width, bits.saturating_sub(below), bits.saturating_add(above));
    let known = IntFact::bits(width, bits & mask, !bits & mask);
    unpack(match draw.below(8) {
        0 => IntFact::top(width),
        1 => IntFact::constant(word),
        2 => interval,
        3 => unsigned,
        4 => known,
        5 => interval.meet(known),
        6 => unsigned.meet(known),
        _ if value >= 0 => IntFact::interval(width, 0, value),
        _ => IntFact::interval(width, value, -1),
    })
}

fn case(rule: &Rule, of: &[(VarId, Vec<Datum<Machine>>)], mut number: usize, draw: &mut Draw) -> Case {
    let (count, asked) = (rule.vars.len(), asked(rule));
    let mut case = Case { data: vec![None; count], known: vec![None; count], defined: vec![None; count] };
    for (var, values) in of {
        let (datum, at) = (values[number % values.len()], var.index());
        number /= values.len();
        let is_value = rule.vars[*var].kind == VarKind::Value;
        case.data[at] = Some(datum);
        if let (Datum::Word(word), true) = (datum, is_value && asked[at]) {
            case.known[at] = Some(fact(word, draw));
        }
        case.defined[at] = Some(!(is_value && rule.chooses() && draw.below(5) == 0));
    }
    case
}

/// What a case says against a rule, if anything.
fn refutes(rule: &Rule, types: &[Type], reading: Reading, case: &Case) -> Option<String> {
    let told = || format!("{types:?}, {reading:?}, {:?}, defined {:?}", case.data, case.defined);
    if case.outcome(rule, reading, types) == Some(false) {
        return Some(format!("it is wrong at {}", told()));
    }
    let holds = second_reading(rule, types, reading, case);
    (holds == Some(false)).then(|| format!("in the second reading it is wrong at {}", told()))
}

/// Whether the claim of a rule holds in a case in the second reading; nothing where it does not apply or is not read.
pub fn second_reading(rule: &Rule, types: &[Type], reading: Reading, case: &Case) -> Option<bool> {
    let given = Inputs { values: &case.data, facts: &case.known, defined: &case.defined };
    let is_guess = |var: VarId| rule.vars[var].kind == VarKind::Guessed && case.data[var.index()].is_none();
    if rule.vars.ids().any(is_guess) {
        return None;
    }
    let semantics = rule.semantics(&mut Machine, reading, types, given);
    if !semantics.applies {
        return None;
    }
    let mut values = case.data.clone();
    for &(var, datum) in &semantics.computed {
        values[var.index()] = Some(datum);
    }
    reading::holds(&reading::Inputs { rule, types, reading, values: &values, defined: &case.defined })
}
