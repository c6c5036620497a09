//! A rule as a formula, for the pages about the book: `x − C₁ → x + C where C = -C1`.
//!
//! Operations that mathematics has signs for are written with them, the others by name; every inner operation with a sign
//! is in parentheses, so that nobody has to know which binds tighter. Signs of unsigned operations have a `ᵤ`. Checks and
//! computed constants stand as they are written, since their language is that of the book.

use planish_ops::Op;

use crate::rule::{NodeKind, Rule, RuleId, Step, Target, TermId};
use crate::set::RuleSet;

/// The formula of a rule, on one line.
pub fn formula(set: &RuleSet, id: RuleId) -> String {
    let rule = &set.rules[id];
    let target = match rule.target {
        Target::Value(target) => outer(rule, target),
        Target::Pair(first, second) => format!("({}, {})", outer(rule, first), outer(rule, second)),
        Target::Pass => "always holds".to_owned(),
        Target::Fail => "never holds".to_owned(),
    };
    let mut text = format!("{} → {target}", outer(rule, rule.pattern));
    for (step, word) in [(true, "where"), (false, "if")] {
        let said: Vec<String> = rule.steps.iter().filter_map(|s| said(set, id, s, step)).collect();
        if !said.is_empty() {
            text += &format!(" {word} {}", said.join(if step { ", " } else { " and " }));
        }
    }
    text
}

/// A computed value, or a check, as it is written on one line.
fn said(set: &RuleSet, id: RuleId, step: &Step, computed: bool) -> Option<String> {
    let text = |span| set.text(id, span).split_whitespace().collect::<Vec<_>>().join(" ");
    match step {
        Step::Compute(var, expr) if computed => {
            Some(format!("{} = {}", name(&set.rules[id].vars[*var].name), text(expr.span)))
        }
        Step::Check(expr) if !computed => Some(text(expr.span)),
        _ => None,
    }
}

/// The sign that stands between two operands.
fn infix(op: Op) -> Option<&'static str> {
    Some(match op {
        Op::Add | Op::Fadd => "+",
        Op::Sub | Op::Fsub => "−",
        Op::Mul | Op::Fmul => "·",
        Op::Fdiv => "/",
        Op::Sdiv => "÷",
        Op::Udiv => "÷ᵤ",
        Op::Srem | Op::Frem => "rem",
        Op::Urem => "remᵤ",
        Op::FloorMod => "mod",
        Op::And => "&",
        Op::Or => "|",
        Op::Xor => "⊕",
        Op::Lshift => "≪",
        Op::Rshift => "≫",
        Op::Urshift => "≫ᵤ",
        Op::Eq | Op::Feq | Op::RefEq => "=",
        Op::Ne | Op::Fne | Op::RefNe => "≠",
        Op::Lt | Op::Flt => "<",
        Op::Le | Op::Fle => "≤",
        Op::Gt | Op::Fgt => ">",
        Op::Ge | Op::Fge => "≥",
        Op::Ult => "<ᵤ",
        Op::Ule => "≤ᵤ",
        Op::Ugt => ">ᵤ",
        Op::Uge => "≥ᵤ",
        _ => return None,
    })
}

/// A term, without parentheses around it.
fn outer(rule: &Rule, term: TermId) -> String {
    match &rule.terms[term].kind {
        NodeKind::Var(var) => name(&rule.vars[*var].name),
        NodeKind::Literal(literal) => literal.to_string(),
        NodeKind::Reuse(term) => outer(rule, *term),
        NodeKind::Op(op, args) => {
            let shown: Vec<String> = args.iter().map(|&arg| inner(rule, arg)).collect();
            match (*op, infix(*op), &shown[..]) {
                (_, Some(sign), [a, b]) => format!("{a} {sign} {b}"),
                (Op::Neg | Op::Fneg, _, [a]) => format!("−{a}"),
                (Op::Not, _, [a]) => format!("~{a}"),
                (Op::FloorDiv, _, [a, b]) => format!("⌊{a} / {b}⌋"),
                (Op::Select, _, [condition, a, b]) => format!("if {condition} then {a} else {b}"),
                _ => {
                    let plain: Vec<String> = args.iter().map(|&arg| outer(rule, arg)).collect();
                    format!("{}({})", op.name(), plain.join(", "))
                }
            }
        }
    }
}

/// A term as an operand of a sign.
fn inner(rule: &Rule, term: TermId) -> String {
    let text = outer(rule, term);
    let of = match &rule.terms[term].kind {
        NodeKind::Reuse(term) => *term,
        _ => term,
    };
    match &rule.terms[of].kind {
        NodeKind::Op(op, _) if infix(*op).is_some() || matches!(op, Op::Neg | Op::Fneg | Op::Select) => {
            format!("({text})")
        }
        _ => text,
    }
}

/// A name with the digits at its end below the line.
fn name(name: &str) -> String {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let below =
        name[stem.len()..].bytes().filter_map(|digit| char::from_u32(0x2080 + u32::from(digit - b'0')));
    stem.chars().chain(below).collect()
}

#[cfg(test)]
mod tests {
    use planish_base::SourceText;

    use super::*;

    fn shown(text: &str) -> String {
        let (set, findings) = RuleSet::read(vec![SourceText::new("a.rules", text)]);
        assert!(findings.is_empty(), "{}", set.render(&findings));
        formula(&set, set.named("a").expect("the rule"))
    }

    #[test]
    fn a_rule_reads_as_a_formula() {
        assert_eq!(
            shown("a: sub(add(x, C1), and(x, C2))\n    check C1 <u C2\n    C = -C1\n    => add(x, C)\n"),
            "(x + C₁) − (x & C₂) → x + C where C = -C1 if C1 <u C2"
        );
        assert_eq!(
            shown("a: select(ult(x, y), x, y)\n    => umin(x, y)\n"),
            "if (x <ᵤ y) then x else y → umin(x, y)"
        );
    }
}
