//! In which order rules are tried, decided by what they are and not by where they stand.
//!
//! Rules whose result is a constant come before those whose result exists, before those that make
//! operations (PyPy's `split_by_result_type`). Within a class the more specific pattern comes first:
//! if every input of rule A is an input of rule B, then A comes before B. Among rules that are equally
//! special the cheaper target comes first, and then names decide, so moving a rule in a file changes
//! nothing.

use crate::cost::target_cost;
use crate::rule::{Class, NodeKind, Rule, TermId, VarKind};

/// A key that sorts rules as they are tried.
///
/// Each part grows, or does not change, when a pattern is made more general: fewer operations; among
/// equally many, fewer constants; among equally many, fewer repeated variables.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Priority {
    class: Class,
    operations: std::cmp::Reverse<usize>,
    constants: std::cmp::Reverse<usize>,
    repetitions: std::cmp::Reverse<usize>,
    unconditional: bool,
    cost: u32,
    name: String,
}

impl Priority {
    /// The key of a rule.
    pub fn of(rule: &Rule) -> Self {
        let terms = rule.preorder(rule.pattern);
        let count =
            |test: &dyn Fn(&NodeKind) -> bool| terms.iter().filter(|&&t| test(&rule.terms[t].kind)).count();
        let is_constant = |kind: &NodeKind| match kind {
            NodeKind::Var(var) => rule.vars[*var].kind == VarKind::Constant,
            _ => false,
        };
        let mut seen: Vec<&NodeKind> = Vec::new();
        let mut repetitions = 0;
        for &term in &terms {
            let kind = &rule.terms[term].kind;
            if matches!(kind, NodeKind::Var(_)) {
                if seen.contains(&kind) {
                    repetitions += 1;
                } else {
                    seen.push(kind);
                }
            }
        }
        Priority {
            class: rule.class(),
            operations: std::cmp::Reverse(count(&|k| matches!(k, NodeKind::Op(..)))),
            // A literal is more special than a constant, which is more special than a value.
            constants: std::cmp::Reverse(
                2 * count(&|k| matches!(k, NodeKind::Literal(_))) + count(&is_constant),
            ),
            repetitions: std::cmp::Reverse(repetitions),
            unconditional: is_unconditional(rule),
            cost: target_cost(rule),
            name: rule.name.clone(),
        }
    }
}

/// Whether a rule applies wherever its pattern matches: then no later rule with this pattern can.
pub fn is_unconditional(rule: &Rule) -> bool {
    rule.steps.is_empty() && rule.type_tests.is_empty() && !rule.marks.pays && literals_always_fit(rule)
}

/// Literals of the target could keep a rule from narrow types; 0 and the named ones fit everywhere.
fn literals_always_fit(rule: &Rule) -> bool {
    let fits = |&term: &TermId| match &rule.terms[term].kind {
        NodeKind::Literal(literal) => crate::eval::result_literal(*literal, 1).is_some(),
        _ => true,
    };
    rule.target_terms().iter().all(fits)
}
