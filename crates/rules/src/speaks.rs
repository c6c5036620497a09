//! Of which types a rule speaks: where it is proved, and so where it may be applied.
//!
//! Widths are type variables, but a proof is of widths one by one. Programs have [`WIDTHS`], so a rule speaks of
//! every choice of these for its integer types, all orders of them included, and of no other: what is
//! `LONG_BIT - 1` has all bits set at 64 bits and not at 24. The matcher refuses the others.
//!
//! **Rules that scale.** Sums, differences, products, complements and bitwise operations have a property in common:
//! the low w bits of the result depend on the low w bits of the operands alone. Taking x modulo 2^w is a homomorphism for
//! all of them, so an equation between terms of such operations that holds for all words of 64 bits holds for all words of
//! w bits, for each w up to 64: extend the operands in any way, and take both sides modulo 2^w. What is not of
//! this kind are comparisons, shifts to the right, division, and constants that depend on the width. A
//! `select` only passes values on, and asks nothing of its condition but whether it is zero. A rule without checks that is made of
//! these alone [scales](Rule::scales) and is applied at every width.

use planish_base::{Diagnostic, Id};
use planish_ops::{FloatFormat, Op, Type};

use crate::rule::{
    Expr, ExprKind, ExprTy, Literal, NodeKind, Rule, Step, Target, TermId, Ty, TyKind, TyVar, VarKind,
};
use crate::syntax::Binary;

/// The widths of integers that a rule speaks of.
pub const WIDTHS: [u32; 5] = [1, 8, 16, 32, 64];

/// [`WIDTHS`] as a set: bit w is for width w - 1.
pub const WIDTH_SET: u64 = 1 | 1 << 7 | 1 << 15 | 1 << 31 | 1 << 63;

/// How many integer types a rule may have: each takes all widths, whatever the others are.
pub const TYPE_LIMIT: usize = 5;

/// Whether rules that do not scale are applied at a type.
#[inline]
pub fn is_spoken_of(ty: Type) -> bool {
    match ty {
        Type::Int(width) => WIDTH_SET >> (width - 1) & 1 == 1,
        _ => true,
    }
}

/// Every choice of types for type variables of these kinds, integers being of one of `widths`. A variable of any
/// type takes the formats of floats as well.
pub fn choices(kinds: &[TyKind], widths: &[u32]) -> impl Iterator<Item = Vec<Type>> + use<> {
    let floats = [Type::Float(FloatFormat::F32), Type::Float(FloatFormat::F64)];
    let words: Vec<Type> = widths.iter().map(|&w| Type::Int(w as u8)).collect();
    let of_kind: Vec<Vec<Type>> = (kinds.iter())
        .map(|kind| match kind {
            TyKind::Int => words.clone(),
            TyKind::Float => floats.to_vec(),
            TyKind::Any => words.iter().chain(&floats).copied().collect(),
        })
        .collect();
    let count = of_kind.iter().map(Vec::len).product::<usize>();
    (0..count).map(move |mut number| {
        let mut types: Vec<Type> = (of_kind.iter().rev())
            .map(|choices| {
                let ty = choices[number % choices.len()];
                number /= choices.len();
                ty
            })
            .collect();
        types.reverse();
        types
    })
}

impl Rule {
    /// The kinds of its type variables.
    pub fn kinds(&self) -> Vec<TyKind> {
        self.types.values().map(|var| var.kind).collect()
    }

    /// The type assignments that the rule speaks of, its scaling apart.
    pub fn assignments(&self) -> impl Iterator<Item = Vec<Type>> + '_ {
        choices(&self.kinds(), &WIDTHS).filter(|types| self.admits(types))
    }

    /// Whether the rule may be applied at this assignment, which it admits. What may be of any type is only passed on, so
    /// that it may be a reference, or a word of any width.
    pub fn speaks_of(&self, types: &[Type]) -> bool {
        self.scales
            || self.types.iter().all(|(id, var)| var.kind != TyKind::Int || is_spoken_of(types[id.index()]))
    }

    /// The integer type variables at which a matcher has to look before the rule is applied.
    pub fn bounded_types(&self) -> impl Iterator<Item = TyVar> + '_ {
        self.types.iter().filter(|(_, var)| var.kind == TyKind::Int && !self.scales).map(|(id, _)| id)
    }

    /// Why the types of the rule are wrong, if they are: it speaks of none, of too many at once, or its target is
    /// ill-typed for some.
    pub fn type_error(&self) -> Option<Diagnostic> {
        let integers = self.types.values().filter(|var| var.kind != TyKind::Float).count();
        if integers > TYPE_LIMIT {
            let message = format!(
                "rule `{}` speaks of {integers} types that may differ, at most {TYPE_LIMIT} are allowed",
                self.name
            );
            return Some(
                Diagnostic::error(self.name_span, message).note("write some of the types after a colon"),
            );
        }
        let converts = (self.target_terms().into_iter()).any(
            |term| matches!(&self.terms[term].kind, NodeKind::Op(op, _) if op.row().conversion.is_some()),
        );
        // The widest first, which most rules speak of.
        let widest_first: Vec<u32> = WIDTHS.into_iter().rev().collect();
        let mut admitted = choices(&self.kinds(), &widest_first).filter(|types| self.admits(types));
        let Some(first) = admitted.next() else {
            if let Some(misfit) = self.misfit() {
                return Some(misfit);
            }
            let message = format!("rule `{}` speaks of no types at all", self.name);
            return Some(Diagnostic::error(self.name_span, message).note(
                "its literals and checks of widths leave out every choice of i1, i8, i16, i32 and i64, or its \
                 operations do",
            ));
        };
        if !converts {
            return None;
        }
        let (types, term) = std::iter::once(first).chain(admitted).find_map(|types| {
            let ill = self.target_terms().into_iter().find(|&term| !self.term_is_legal(term, &types));
            ill.map(|term| (types, term))
        })?;
        Some(self.ill_typed(term, &types))
    }

    fn ill_typed(&self, term: TermId, types: &[Type]) -> Diagnostic {
        let NodeKind::Op(op, args) = &self.terms[term].kind else {
            unreachable!("literals of a target are part of what the rule admits")
        };
        let concrete = |ty: Ty| crate::eval::concrete(ty, types);
        let (from, to) = (concrete(self.terms[args[0]].ty), concrete(self.terms[term].ty));
        let named: Vec<String> = (self.vars.values())
            .filter(|var| matches!(var.kind, VarKind::Value | VarKind::Constant))
            .map(|var| format!("{}: {}", var.name, concrete(var.ty)))
            .collect();
        let root = concrete(self.terms[self.pattern].ty);
        Diagnostic::error(self.terms[term].span, format!("`{op}` does not go from {from} to {to}"))
            .note(format!("the pattern may have these types: {}, its result {root}", named.join(", ")))
            .note(
                "a check of widths, as in `check width(a) < width(b)`, or types after colons leave them out",
            )
    }

    /// Whether a proof at 64 bits is one at every width, by taking words modulo 2^w.
    pub(crate) fn finds_that_it_scales(&self) -> bool {
        let Target::Value(target) = self.target else { return false };
        let Scaling { rings, truths } = Scaling::of(self);
        let is_ring = |ty: Ty| matches!(ty, Ty::Var(var) if rings[var.index()]);
        let mut terms = self.preorder(self.pattern);
        terms.extend(self.preorder(target));
        let all_scale = terms.into_iter().all(|term| match &self.terms[term].kind {
            NodeKind::Op(op, _) => scales(*op) && is_ring(self.terms[term].ty),
            NodeKind::Literal(Literal::Integer(_)) => is_ring(self.terms[term].ty),
            NodeKind::Literal(_) => false,
            NodeKind::Var(_) | NodeKind::Reuse(_) => true,
        });
        let apart = rings.iter().zip(&truths).all(|(ring, truth)| !(*ring && *truth));
        let computed = self.steps.iter().all(|step| match step {
            Step::Check(_) => false,
            Step::Compute(_, expr) => expr_scales(expr, &is_ring),
        });
        all_scale && apart && computed
    }
}

/// How the type variables of a rule are used.
struct Scaling {
    /// By type variable: operations that keep to low bits yield values of it.
    rings: Vec<bool>,
    /// By type variable: a value of it is the condition of a choice.
    truths: Vec<bool>,
}

impl Scaling {
    fn of(rule: &Rule) -> Scaling {
        let count = rule.types.len();
        let (mut rings, mut truths) = (vec![false; count], vec![false; count]);
        for (_, node) in rule.terms.iter() {
            let NodeKind::Op(op, args) = &node.kind else { continue };
            let Ty::Var(ty) = node.ty else { continue };
            rings[ty.index()] |= scales(*op);
            if let (Op::Select, Ty::Var(condition)) = (op, rule.terms[args[0]].ty) {
                truths[condition.index()] = true;
            }
        }
        Scaling { rings, truths }
    }
}

/// Whether the low bits of the result depend on the same low bits of the operands alone.
fn scales(op: Op) -> bool {
    use Op::{Add, And, Mul, Neg, Not, Or, Select, Sub, Xor};
    matches!(op, Add | Sub | Mul | Neg | Not | And | Or | Xor | Select)
}

fn expr_scales(expr: &Expr, is_ring: &impl Fn(Ty) -> bool) -> bool {
    let ExprTy::Word(ty) = expr.ty else { return false };
    is_ring(ty)
        && match &expr.kind {
            ExprKind::Literal(Literal::Integer(_)) | ExprKind::Var(_) => true,
            ExprKind::Unary(_, a) => expr_scales(a, is_ring),
            ExprKind::Binary(operator, a, c) => {
                use Binary::{Add, And, Mul, Or, Sub, Xor};
                matches!(operator, Add | Sub | Mul | And | Or | Xor)
                    && expr_scales(a, is_ring)
                    && expr_scales(c, is_ring)
            }
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use planish_base::SourceText;

    use super::*;
    use crate::set::RuleSet;

    fn rule(text: &str) -> Rule {
        let (set, findings) = RuleSet::read(vec![SourceText::new("test.rules", text)]);
        assert!(findings.is_empty(), "{}", set.render(&findings));
        set.rules.values().next().expect("one rule").clone()
    }

    #[test]
    fn the_set_of_widths_is_the_list_of_widths() {
        let listed: Vec<u32> = (1..=64).filter(|&w| is_spoken_of(Type::Int(w as u8))).collect();
        assert_eq!(listed, WIDTHS);
        assert!(is_spoken_of(Type::F32) && is_spoken_of(Type::Ref));
    }

    #[test]
    fn equations_between_operations_on_low_bits_scale_and_no_others() {
        for good in [
            "a: sub(add(x, y), y) => x\n",
            "b: add(mul(x, C1), mul(x, C2))\n    C = C1 + C2\n    => mul(x, C)\n",
            "c: xor(not(x), -1) => x\n",
            "d: select(c, add(x, y), add(x, z)) => add(x, select(c, y, z))\n",
        ] {
            assert!(rule(good).scales, "{good}");
        }
        for bad in [
            "a: lt(x, x) => 0\n",
            "b: urshift(lshift(x, 1), 1) => and(x, MAXINT)\n",
            "c: and(x, MAXINT) => sub(x, and(x, MININT))\n",
            "d: add(x, C)\n    check C == 0\n    => x\n",
            "e: add(x, C1)\n    C = popcount(C1)\n    => add(x, add(C, sub(C1, C)))\n",
            "f: add(select(x, x, y), 0) => select(x, x, y)\n",
            "g: zext(and(x, y)) => and(zext(x), zext(y))\n",
            "h: add(x, LONG_BIT) => sub(x, sub(0, LONG_BIT))\n",
        ] {
            assert!(!rule(bad).scales, "{bad}");
        }
    }

    /// Held against trials of every input at every width of 1 to 5 in the tests of the book.
    #[test]
    fn every_order_of_widths_is_spoken_of() {
        let rule = rule("a: zext(zext(x)) => zext(x)\n");
        let chains: Vec<Vec<Type>> = rule.assignments().collect();
        assert_eq!(chains.len(), 10, "three of five widths, in order");
    }
}
