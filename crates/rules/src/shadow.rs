//! Rules that no input reaches, since a more general one is tried before them.
//!
//! The tree knows rows that apply wherever their operations and constants stand. Here a rule may also demand that values
//! are equal, ask for types, have literals that narrow types do not have room for, compute and check, as long as the rule that
//! it shadows demands as much: `umulh(x, C) => 3` applies wherever `umulh(x, 5)` does, also under `check C > 3`. A rule that is
//! tried before a more general one is reached, and of no use where both yield constants.
//!
//! Whether checks follow from others only by arithmetic (`C > 10` says that `C > 5`) is asked of whoever has a solver.

use planish_base::Arena;
use planish_ops::Type;

use crate::eval::concrete;
use crate::implied::{Ordered, Types, steps_succeed};
use crate::rows::{Matrix, OccId, Row, RowId};
use crate::rule::{Class, Literal, NodeKind, Rule, RuleId, Target, TermId, Ty, TypeTest, VarId};

/// A rule whose pattern takes in that of another, at all its types; whether its steps succeed wherever the other applies is
/// to be decided.
pub struct Overlap<'a> {
    /// The more general rule.
    pub general: &'a Rule,
    /// The more special one.
    pub special: &'a Rule,
    rows: [&'a Row; 2],
    /// The types at which the special rule applies: for the general one, and for the special one.
    pub types: &'a [Types],
}

/// What the special rule has where the general one has a variable.
#[derive(Clone, Copy, Debug)]
pub enum Stands {
    /// A variable of its own.
    Var(VarId),
    /// A constant.
    Literal(Literal, Ty),
    /// An operation.
    Operation,
}

impl Overlap<'_> {
    /// What stands in the place of a variable of the general rule; nothing in that of one that is computed or guessed.
    pub fn stands(&self, var: VarId) -> Option<Stands> {
        let [general, special] = self.rows;
        let place = general.var_place(self.general, var)?;
        let term = special.places.iter().find(|p| p.1 == place)?.0;
        let node = &self.special.terms[term];
        Some(match node.kind {
            NodeKind::Var(var) => Stands::Var(var),
            NodeKind::Literal(literal) => Stands::Literal(literal, node.ty),
            _ => Stands::Operation,
        })
    }
}

/// Decides whether the steps of the general rule succeed wherever the special one applies. No is no answer, too.
pub type Decide<'a> = dyn FnMut(&Overlap<'_>) -> bool + 'a;

/// What is wrong with a rule beside another.
pub(crate) enum Shadow {
    /// The other is tried before it and applies wherever it would.
    Dead(RuleId),
    /// The other gives a constant wherever it does: the same, so that it adds nothing, or one of both is wrong.
    Idle(RuleId),
}

/// Finds what shadows rules.
pub(crate) struct Shadows<'a, 'd> {
    pub rules: &'a Arena<RuleId, Rule>,
    pub decide: &'d mut Decide<'d>,
}

impl Shadows<'_, '_> {
    /// What is wrong with a rule that stands in a matrix.
    pub(crate) fn of(&mut self, matrix: &Matrix, id: RuleId) -> Option<Shadow> {
        if let Some(general) = self.first_cover(matrix, id, |row, other| other < row) {
            return Some(Shadow::Dead(general));
        }
        let rule = &self.rules[id];
        let is_constant = |other: RuleId| self.rules[other].class() == Class::Constant;
        if !is_constant(id) {
            return None;
        }
        // Where only the rules of a tag are used, one without it is not there.
        let constants: Vec<RuleId> = (self.rules.ids())
            .filter(|&other| {
                is_constant(other)
                    && rule.marks.tags.iter().all(|tag| self.rules[other].marks.tags.contains(tag))
            })
            .collect();
        let general = self.first_cover(matrix, id, |row, other| {
            other > row && constants.binary_search(&matrix.rows[other].rule).is_ok()
        })?;
        Some(Shadow::Idle(general))
    }

    /// The first rule that applies in each order of another one's operands, by rows that `counts` accepts beside it.
    fn first_cover(
        &mut self,
        matrix: &Matrix,
        id: RuleId,
        counts: impl Fn(RowId, RowId) -> bool,
    ) -> Option<RuleId> {
        let mut found = None;
        for (at, row) in matrix.rows.iter().filter(|(_, row)| row.rule == id) {
            let mut others = matrix.rows.iter().filter(|&(other, data)| data.rule != id && counts(at, other));
            let (_, general) = others.find(|(_, other)| self.covers(other, row))?;
            found.get_or_insert(general.rule);
        }
        found
    }

    /// Whether a row applies wherever another does.
    fn covers(&mut self, general: &Row, special: &Row) -> bool {
        let (a, b) = (&self.rules[general.rule], &self.rules[special.rule]);
        let has_its_pattern = !a.marks.pays
            && (a.scales || !b.scales)
            && general
                .demands
                .iter()
                .all(|g| special.demands.iter().any(|d| d.at == g.at && d.head.is_a(g.head)))
            && general.equal.iter().all(|&(x, y)| are_equal(b, special, x, y))
            && has_its_constants(a, general, b, special)
            && a.type_tests.iter().all(|&test| asks(b, special, placed(general, test)));
        if !has_its_pattern {
            return false;
        }
        all_types(a, general, b, special).is_some_and(|types| {
            let (one, other) = (Ordered { rule: a, row: general }, Ordered { rule: b, row: special });
            let overlap = Overlap { general: a, special: b, rows: [general, special], types: &types };
            steps_succeed(one, other, &types) || (self.decide)(&overlap)
        })
    }
}

/// The constant that a rule yields, where it is written.
pub(crate) fn written_result(rule: &Rule) -> Option<Literal> {
    match rule.target {
        Target::Value(term) => match rule.terms[term].kind {
            NodeKind::Literal(literal) => Some(literal),
            _ => None,
        },
        _ => None,
    }
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
