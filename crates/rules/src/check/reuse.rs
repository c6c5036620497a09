//! Values of the pattern that the target uses again.

use crate::rule::{NodeKind, Rule, Target, TermId};

/// Where the target repeats an operation of the pattern on the same operands and of the same type, the
/// value exists: nothing is built.
pub(super) fn reuse(rule: &mut Rule) {
    let inner: Vec<TermId> = rule.preorder(rule.pattern).into_iter().skip(1).collect();
    // Operands before operations, so that equal operands are already the same term's reuse.
    let mut targets = rule.target_terms();
    targets.reverse();
    for target in targets {
        let found = inner
            .iter()
            .copied()
            .find(|&term| matches!(rule.terms[term].kind, NodeKind::Op(..)) && same(rule, term, target));
        if let Some(term) = found {
            rule.terms[target].kind = NodeKind::Reuse(term);
        }
    }
    if let Target::Pair(first, second) = rule.target {
        debug_assert_ne!(first, second);
    }
}

/// Whether a term of the target computes what a term of the pattern does.
fn same(rule: &Rule, pattern: TermId, target: TermId) -> bool {
    let (p, t) = (&rule.terms[pattern], &rule.terms[target]);
    if p.ty != t.ty {
        return false;
    }
    match (&p.kind, &t.kind) {
        (_, NodeKind::Reuse(term)) => *term == pattern,
        (NodeKind::Op(a, xs), NodeKind::Op(b, ys)) if a == b => {
            let straight = xs.iter().zip(ys).all(|(&x, &y)| same(rule, x, y));
            let crossed = a.row().algebra.commutative && same(rule, xs[0], ys[1]) && same(rule, xs[1], ys[0]);
            straight || crossed
        }
        (a, b) => a == b,
    }
}
