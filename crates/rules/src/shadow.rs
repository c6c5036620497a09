//! Rules that no input reaches, since a more general one is tried before them.
//!
//! The tree knows rows that apply wherever their operations and constants stand. Here a rule may also demand that values
//! are equal, ask for types, have literals that narrow types do not have room for, compute and check, as long as the rule that
//! it shadows demands as much: `umulh(x, C) => 3` applies wherever `umulh(x, 5)` does, also under `check C > 3`.

use planish_base::Arena;
use planish_ops::Type;

use crate::eval::concrete;
use crate::implied::{Ordered, Types, steps_succeed};
use crate::rows::{Matrix, OccId, Row};
use crate::rule::{Literal, NodeKind, Rule, RuleId, TermId, TypeTest};

/// The first rule that is tried before each order of another one's operands and applies there.
pub(crate) fn shadow_of(rules: &Arena<RuleId, Rule>, matrix: &Matrix, id: RuleId) -> Option<RuleId> {
    let rows: Vec<&Row> = matrix.rows.values().collect();
    let mut found = None;
    for (at, row) in rows.iter().enumerate().filter(|(_, row)| row.rule == id) {
        let earlier = rows[..at].iter().filter(|other| other.rule != id);
        let general = earlier.into_iter().find(|other| covers(rules, other, row))?;
        found.get_or_insert(general.rule);
    }
    found
}

/// Whether a row applies wherever another does.
fn covers(rules: &Arena<RuleId, Rule>, general: &Row, special: &Row) -> bool {
    let (a, b) = (&rules[general.rule], &rules[special.rule]);
    !a.marks.pays
        && (a.scales || !b.scales)
        && general.demands.iter().all(|g| special.demands.iter().any(|d| d.at == g.at && d.head.is_a(g.head)))
        && general.equal.iter().all(|&(x, y)| are_equal(b, special, x, y))
        && has_its_constants(a, general, b, special)
        && a.type_tests.iter().all(|&test| asks(b, special, placed(general, test)))
        && all_types(a, general, b, special).is_some_and(|types| {
            let (a, b) = (Ordered { rule: a, row: general }, Ordered { rule: b, row: special });
            steps_succeed(a, b, &types)
        })
}

/// Whether two occurrences are one value wherever a row applies.
fn are_equal(rule: &Rule, row: &Row, x: OccId, y: OccId) -> bool {
    let at = |place: OccId| row.places.iter().find(|p| p.1 == place).map(|p| &rule.terms[p.0].kind);
    match (at(x), at(y)) {
        (Some(NodeKind::Var(x)), Some(NodeKind::Var(y))) => x == y,
        (Some(NodeKind::Literal(x)), Some(NodeKind::Literal(y))) => x == y,
        _ => false,
    }
}

/// Whether constants that the tree does not tell apart are the same.
fn has_its_constants(a: &Rule, general: &Row, b: &Rule, special: &Row) -> bool {
    general.places.iter().all(|&(term, place)| match &a.terms[term].kind {
        NodeKind::Literal(literal) if !matches!(literal, Literal::Integer(_)) => special
            .places
            .iter()
            .any(|&(other, at)| at == place && b.terms[other].kind == NodeKind::Literal(*literal)),
        _ => true,
    })
}

/// A question about types, about places instead of terms; no place is the root.
#[derive(PartialEq)]
enum Asked {
    Same(Option<OccId>, Option<OccId>),
    Is(Option<OccId>, Type),
    Kind(Option<OccId>, crate::rule::TyKind),
}

fn placed(row: &Row, test: TypeTest) -> Asked {
    let at = |term: TermId| row.place(term);
    match test {
        TypeTest::Same(x, y) => Asked::Same(at(x), at(y)),
        TypeTest::Is(x, ty) => Asked::Is(at(x), ty),
        TypeTest::Kind(x, kind) => Asked::Kind(at(x), kind),
    }
}

fn asks(rule: &Rule, row: &Row, asked: Asked) -> bool {
    rule.type_tests.iter().any(|&test| placed(row, test) == asked)
}

/// The types at which the special rule applies, for both rules; none if the general one does not admit them all.
fn all_types(a: &Rule, general: &Row, b: &Rule, special: &Row) -> Option<Vec<Types>> {
    let type_at = |term: TermId, types: &[Type]| match general.place(term) {
        None => Some(concrete(b.terms[b.pattern].ty, types)),
        Some(place) => {
            let other = special.places.iter().find(|p| p.1 == place)?.0;
            Some(concrete(b.terms[other].ty, types))
        }
    };
    let both = b.assignments().map(|types| {
        let of_a: Option<Vec<Type>> = a.types.values().map(|var| type_at(var.witness, &types)).collect();
        of_a.filter(|of_a| a.admits(of_a)).map(|of_a| (of_a, types))
    });
    both.collect()
}
