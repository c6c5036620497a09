//! Which functions are expressions: of operations that cannot trap, and of calls of such functions that are known where they
//! stand. A call of one is a value like any other.

use hashbrown::HashMap;
use planish_base::{Id, SideTable};
use planish_ops::Op;
use rustc_hash::FxBuildHasher;

use crate::legal::may_trap;
use crate::terms::{Kind, Term, Terms};
use crate::view::region_order;

/// The functions that are expressions. O(size of all bodies).
pub(super) fn expressions(terms: &Terms) -> SideTable<Term, bool> {
    let mut found: SideTable<Term, bool> = SideTable::new();
    // Operands, and so functions that a body calls, come first.
    for term in (0..terms.len()).map(Term::from_index) {
        if matches!(terms.kind(term), Kind::Function { .. }) && terms.outer_count(term) == 0 {
            found[term] = is_expression(terms, term, &found);
        }
    }
    found
}

fn is_expression(terms: &Terms, function: Term, known: &SideTable<Term, bool>) -> bool {
    let Some(body) = terms.regions(function).next() else { return false };
    let ordered = region_order(terms, body.results);
    // A function is there to be called, with as many inputs as it has.
    let mut called: HashMap<Term, bool, FxBuildHasher> = HashMap::default();
    let words = ordered.order.iter().all(|&term| match terms.kind(term) {
        Kind::Number(_) | Kind::Argument(_) | Kind::Get(_) => true,
        Kind::Op(op) => op != Op::Use && !may_trap(op),
        Kind::Call => {
            let [callee, inputs @ ..] = terms.operands(term) else { return false };
            let Kind::Function { inputs: wanted, outputs } = terms.kind(*callee) else { return false };
            called.insert(*callee, true);
            let asked = ordered.called.get(&term).copied().unwrap_or(0);
            let is_word = |input: &Term| !matches!(terms.kind(*input), Kind::Function { .. } | Kind::Call);
            known[*callee]
                && inputs.len() == wanted as usize
                && asked <= outputs
                && inputs.iter().all(is_word)
        }
        Kind::Function { .. } => true,
        Kind::Switch { .. } | Kind::Loop | Kind::Phi { .. } => false,
    });
    let is_result = |term: &Term| matches!(terms.kind(*term), Kind::Function { .. } | Kind::Call);
    let functions = ordered.order.iter().filter(|term| matches!(terms.kind(**term), Kind::Function { .. }));
    words && !body.results.iter().any(is_result) && functions.into_iter().all(|f| called.contains_key(f))
}
