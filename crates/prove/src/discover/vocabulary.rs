//! What can be checked of the variables of a rule, as it is written: ranges, signs, powers of two and masks, orders and common
//! bits of two, overflow.

use planish_rules::Rule;
use planish_rules::rule::{Literal, NodeKind, Ty, TyKind, VarKind};

/// Of one constant `@`.
const OF_CONSTANT: [&str; 23] = [
    "@ == 0",
    "@ != 0",
    "@ == 1",
    "@ != 1",
    "@ == -1",
    "@ != -1",
    "@ == MININT",
    "@ != MININT",
    "@ == MAXINT",
    "@ > 0",
    "@ >= 0",
    "@ < 0",
    "@ <= 0",
    "@ > 1",
    "@ <u LONG_BIT",
    "@ <=u LONG_BIT",
    "is_pow2(@)",
    "is_pow2(-@)",
    "is_pow2(@ + 1)",
    "@ & 1 == 1",
    "@ & 1 == 0",
    "@ & (@ + 1) == 0",
    "@ & (@ - 1) == 0",
];

/// Of two constants `@` and `$` in any order.
const OF_CONSTANTS: [&str; 17] = [
    "@ == $",
    "@ != $",
    "@ + $ == 0",
    "@ & $ == 0",
    "@ | $ == -1",
    "@ ^ $ == -1",
    "@ * $ == 1",
    "umulh(@, $) == 0",
    "@ * $ != 0",
    "@ + $ >=u @",
    "(@ ^ (@ + $)) & ($ ^ (@ + $)) >= 0",
    "@ + $ <u LONG_BIT",
    "@ + $ == LONG_BIT",
    "@ + $ >=u LONG_BIT",
    // As amounts of two shifts, whose sum wraps nowhere.
    "@ <u LONG_BIT and $ <u LONG_BIT and @ + $ <u LONG_BIT",
    "@ <u LONG_BIT and $ <u LONG_BIT and @ + $ == LONG_BIT",
    "@ <u LONG_BIT and $ <u LONG_BIT and @ + $ >=u LONG_BIT",
];

/// Of two constants in this order.
const OF_ORDERED_CONSTANTS: [&str; 12] = [
    "@ < $",
    "@ <= $",
    "@ <u $",
    "@ <=u $",
    "@ & $ == @",
    "@ & ~$ == 0",
    "@ %u $ == 0",
    "@ % $ == 0",
    "(@ ^ $) & (@ ^ (@ - $)) >= 0",
    "@ << $ >>u $ == @",
    "@ << $ >> $ == @",
    "@ >>u $ << $ == @",
];

/// Of one value `@`.
const OF_VALUE: [&str; 10] = [
    "@.known_eq_const(0)",
    "@.known_nonnegative()",
    "@.known_nonzero()",
    "@.is_bool()",
    "@.known_lt_const(0)",
    "@.known_gt_const(0)",
    "@.known_ne_const(MININT)",
    "@.known_ne_const(-1)",
    "@.known_ne_const(1)",
    "@.known_unsigned_lt(LONG_BIT)",
];

/// Of two values, or a value and a constant, in any order.
const OF_VALUES: [&str; 5] = [
    "@.known_ne($)",
    "@.and_bound($).known_eq_const(0)",
    "@.or_bound($).known_eq_const(-1)",
    "@.add_bound_cannot_overflow($)",
    "@.mul_bound_cannot_overflow($)",
];

/// Of two values, or a value and a constant, in this order.
const OF_ORDERED_VALUES: [&str; 5] = [
    "@.known_lt($)",
    "@.known_le($)",
    "@.known_unsigned_lt($)",
    "@.known_unsigned_le($)",
    "@.sub_bound_cannot_overflow($)",
];

/// Of a value `@` and a constant `$`.
const OF_VALUE_AND_CONSTANT: [&str; 7] = [
    "@.and_bound($).known_eq_const($)",
    "@.and_bound(~$).known_eq_const(0)",
    "umulh(@.unsigned_upper, $) == 0",
    "@.unsigned_upper + $ >=u $",
    "@.lshift_bound_cannot_overflow($)",
    "@.and_bound(~(-1 << $)).known_eq_const(0)",
    "@.known_unsigned_lt(1 << $)",
];

/// What may be asked of the width of `@`, the most general first.
pub(super) const OF_WIDTH: [&str; 9] = [
    "width(@) > 1",
    "width(@) >= 8",
    "width(@) >= 16",
    "width(@) >= 32",
    "width(@) <= 32",
    "width(@) == 64",
    "width(@) <= 16",
    "width(@) == 32",
    "width(@) <= 8",
];

/// What conditions ask about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// Constants, and how wide values are.
    Constants,
    /// All, what is known of values included.
    All,
}

/// What can be checked of the integers of a rule. Not all of it is well-typed.
pub fn vocabulary(rule: &Rule, asked: Asked) -> Vec<String> {
    let is_integer = |ty: Ty| match ty {
        Ty::Known(ty) => ty.int_width().is_some(),
        Ty::Var(var) => rule.types[var].kind == TyKind::Int,
    };
    let of_kind = |kinds: &[VarKind]| -> Vec<String> {
        let vars = rule.vars.values().filter(|var| kinds.contains(&var.kind) && is_integer(var.ty));
        vars.map(|var| var.name.clone()).collect()
    };
    let (constants, values) = (of_kind(&[VarKind::Constant, VarKind::Computed]), of_kind(&[VarKind::Value]));
    let mut words = Words(Vec::new());
    for (index, c) in constants.iter().enumerate() {
        words.of(&OF_CONSTANT, c, "");
        for number in numbers(rule).iter().map(i128::to_string) {
            words.of(&["@ == $", "@ != $", "@ <u $", "@ >=u $", "@ < $", "@ >= $"], c, &number);
        }
        for d in &constants[index + 1..] {
            words.of(&OF_CONSTANTS, c, d);
            words.of(&OF_ORDERED_CONSTANTS, c, d);
            words.of(&OF_ORDERED_CONSTANTS, d, c);
        }
    }
    if let Some(x) = values.first() {
        words.of(&OF_WIDTH, x, "");
        for number in sizes(rule) {
            words.of(&["width(@) > $", "width(@) == $", "width(@) < $"], x, &number);
        }
    }
    if asked == Asked::Constants {
        return words.0;
    }
    for (index, x) in values.iter().enumerate() {
        words.of(&OF_VALUE, x, "");
        for y in &values[index + 1..] {
            words.of(&OF_VALUES, x, y);
            words.of(&OF_ORDERED_VALUES, x, y);
            words.of(&OF_ORDERED_VALUES, y, x);
        }
        let numbers: Vec<String> = of_pattern(rule).iter().map(i128::to_string).collect();
        for c in constants.iter().chain(&numbers) {
            words.of(&OF_VALUES, x, c);
            words.of(&OF_ORDERED_VALUES, x, c);
            words.of(&OF_ORDERED_VALUES, c, x);
            words.of(&OF_VALUE_AND_CONSTANT, x, c);
        }
    }
    words.0
}

/// The integers that a rule names, the powers of two and masks that they stand for as amounts of shifts and the other way round,
/// beyond those of the vocabulary.
pub(super) fn numbers(rule: &Rule) -> Vec<i128> {
    let around = |value: i128| {
        let power = u32::try_from(value).ok().filter(|amount| *amount < 64).map(|amount| 1i128 << amount);
        let amount = (value > 0 && value & (value - 1) == 0).then(|| i128::from(value.trailing_zeros()));
        [Some(value), power, power.map(|power| power - 1), amount].into_iter().flatten()
    };
    let mut numbers: Vec<i128> =
        literals(rule).flat_map(around).filter(|value| !(-1..=1).contains(value)).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// The integers of the pattern of a rule that are no 0.
pub(super) fn of_pattern(rule: &Rule) -> Vec<i128> {
    let mut numbers: Vec<i128> = (rule.preorder(rule.pattern).into_iter())
        .filter_map(|term| match rule.terms[term].kind {
            NodeKind::Literal(Literal::Integer(value)) if value != 0 => Some(value),
            _ => None,
        })
        .collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// The integers that may be compared with a width.
fn sizes(rule: &Rule) -> Vec<String> {
    let mut sizes: Vec<i128> = literals(rule).filter(|value| (1..64).contains(value)).collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes.iter().map(i128::to_string).collect()
}

fn literals(rule: &Rule) -> impl Iterator<Item = i128> + '_ {
    rule.terms.values().filter_map(|node| match node.kind {
        NodeKind::Literal(Literal::Integer(value)) => Some(value),
        _ => None,
    })
}

struct Words(Vec<String>);

impl Words {
    fn of(&mut self, patterns: &[&str], first: &str, second: &str) {
        self.0.extend(patterns.iter().map(|pattern| pattern.replace('@', first).replace('$', second)));
    }
}
