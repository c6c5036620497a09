//! Rules as people read them: terms as text.

use planish_rules::rule::{NodeKind, Rule, TermId};

/// A term of a rule as it would be written.
pub fn term(rule: &Rule, term: TermId) -> String {
    match &rule.terms[term].kind {
        NodeKind::Var(var) => rule.vars[*var].name.clone(),
        NodeKind::Literal(literal) => literal.to_string(),
        NodeKind::Reuse(of) => self::term(rule, *of),
        NodeKind::Op(op, args) => {
            let args: Vec<String> = args.iter().map(|&arg| self::term(rule, arg)).collect();
            format!("{op}({})", args.join(", "))
        }
    }
}
