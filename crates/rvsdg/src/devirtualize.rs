//! A call of a function that a `switch` chooses becomes a `switch` of calls.
//!
//! ```text
//! (call (get-0 (switch-2-cases-1-outputs p f g)) x)
//!     becomes  (switch-2-cases-1-outputs p x (get-0 (call f get-0)) (get-0 (call g get-0)))
//! ```
//!
//! Functions are values in the region language, but only a call whose function is known where it stands can be
//! inlined or named. In each case of the `switch` it is known. The inputs of the call become further inputs of
//! the `switch`, evaluated as before; where a case itself chooses, it is done again there. The `switch` of the
//! same predicate that chose other things besides stays for those.
//!
//! One walk over the terms in order, operands first: O(size + calls times cases).

use planish_base::{Id, SideTable, Span};

use crate::terms::{Kind, Program, Root, Term, Terms};

/// How deep choices in choices are followed.
const DEPTH: u32 = 64;

/// The program with its calls of chosen functions spread over the choices; `None` when it has none.
pub fn devirtualize(program: &Program) -> Option<Program> {
    let terms = &program.terms;
    let chosen = |term: Term| {
        matches!(terms.kind(term), Kind::Call) && choice(terms, terms.operands(term)[0]).is_some()
    };
    if !(0..terms.len()).map(Term::from_index).any(chosen) {
        return None;
    }
    let mut new = Terms::new();
    let mut map: SideTable<Term, Option<Term>> = SideTable::new();
    let mut places: SideTable<Term, Option<Span>> = SideTable::new();
    for term in (0..terms.len()).map(Term::from_index) {
        let operands: Vec<Term> =
            terms.operands(term).iter().map(|&operand| map[operand].expect("operands come first")).collect();
        let first = new.len();
        let made = match terms.kind(term) {
            Kind::Call => call(&mut new, &operands, DEPTH),
            kind => new.make(kind, &operands),
        };
        // All that a call is spread to comes from there.
        for term_made in (first..new.len()).map(Term::from_index) {
            places[term_made] = program.places[term];
        }
        map[term] = Some(made);
    }
    let moved =
        |root: &Root| Root { name: root.name.clone(), term: map[root.term].expect("every term is mapped") };
    Some(Program { roots: program.roots.iter().map(moved).collect(), terms: new, places })
}

/// The `switch` and the output that a term is, if it is one.
fn choice(terms: &Terms, term: Term) -> Option<(Term, u32)> {
    let Kind::Get(index) = terms.kind(term) else { return None };
    let switch = terms.operands(term)[0];
    matches!(terms.kind(switch), Kind::Switch { .. }).then_some((switch, index))
}

/// A call, spread over the choices of its function.
fn call(terms: &mut Terms, operands: &[Term], depth: u32) -> Term {
    let spread = || {
        let (switch, index) = choice(terms, operands[0])?;
        Some((switch, index, outputs_of(terms, operands[0], &[], depth)?))
    };
    let Some((switch, index, outputs)) = spread().filter(|_| depth > 0) else {
        return terms.make(Kind::Call, operands);
    };
    let mut all = terms.outer(switch).to_vec();
    let first = all.len() as u32 - 1;
    all.extend(&operands[1..]);
    let inputs: Vec<Term> = (first..).take(operands.len() - 1).map(|input| terms.argument(input)).collect();
    let chosen: Vec<Term> = terms.regions(switch).map(|case| case.results[index as usize]).collect();
    let cases = chosen.len() as u32;
    for function in chosen {
        let of_case: Vec<Term> = [function].into_iter().chain(inputs.iter().copied()).collect();
        let tuple = call(terms, &of_case, depth - 1);
        for output in 0..outputs {
            let result = terms.get(output, tuple);
            all.push(result);
        }
    }
    terms.make(Kind::Switch { cases, outputs }, &all)
}

/// How many outputs a function has, where that can be told; `around` are the terms that the arguments of its
/// region are, in the region around.
fn outputs_of(terms: &Terms, function: Term, around: &[Term], depth: u32) -> Option<u32> {
    let depth = depth.checked_sub(1)?;
    match terms.kind(function) {
        Kind::Function { outputs, .. } => Some(outputs),
        // What it is there needs no arguments to be told, or cannot be told.
        Kind::Argument(index) => outputs_of(terms, *around.get(index as usize)?, &[], depth),
        Kind::Get(index) => {
            let tuple = terms.operands(function)[0];
            let results = terms.regions(tuple).next()?.results;
            match terms.kind(tuple) {
                Kind::Phi { .. } => outputs_of(terms, results[index as usize], &[], depth),
                Kind::Switch { .. } => {
                    outputs_of(terms, results[index as usize], &terms.outer(tuple)[1..], depth)
                }
                _ => None,
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use planish_base::{Diagnostics, SourceText};

    use super::*;

    fn devirtualized(text: &str) -> Option<String> {
        let (source, mut diagnostics) = (SourceText::new("test", text), Diagnostics::new());
        let program = crate::read(&source, &mut diagnostics).expect("it reads");
        devirtualize(&program).map(|program| crate::write(&program))
    }

    #[test]
    fn a_call_of_a_chosen_function_is_a_choice_of_calls() {
        let text = devirtualized(
            "(func-2-inputs-1-outputs (get-0 (call (get-0 (switch-2-cases-1-outputs get-0 \
             (func-1-inputs-1-outputs (+ get-0 1)) (func-1-inputs-1-outputs (* get-0 3)))) get-1)))",
        );
        let text = text.expect("there is a choice");
        assert_eq!(text.matches("(call").count(), 2, "{text}");
        assert!(!text.contains("(call (get"), "{text}");
    }

    #[test]
    fn a_choice_in_a_choice_is_followed_and_other_calls_stay() {
        let text = devirtualized(
            "(?f (func-1-inputs-1-outputs (+ get-0 1)) (?g (func-1-inputs-1-outputs (* get-0 3)) \
             (func-2-inputs-1-outputs (get-0 (call (get-0 (switch-2-cases-1-outputs get-0 get-0 ?f \
             (get-0 (switch-2-cases-1-outputs get-0 ?g ?f)))) get-1)))))",
        );
        let text = text.expect("there is a choice");
        assert_eq!(text.matches("switch").count(), 2, "{text}");
        let known = "(func-1-inputs-1-outputs (get-0 (call (func-1-inputs-1-outputs get-0) get-0)))";
        assert_eq!(devirtualized(known), None);
    }
}
