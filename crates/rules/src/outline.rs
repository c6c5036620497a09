//! A decision tree as text, for people who want to see what the matcher does.
//!
//! Equal sub-trees are one node, so the text is a list of numbered nodes, the first one first:
//!
//! ```text
//! sub: 2 rules, at most 1 looks
//!   t2: look at x0
//!         add -> t1
//!         else -> t0
//!   t1: try sub_add
//!   t0: nothing
//! ```
//!
//! `x0` is the first operand of the root, `x0.1` the second operand of the operation that it is.

use std::fmt::Write;

use planish_base::Arena;

use crate::rows::{OccId, Place};
use crate::rule::{Rule, RuleId};
use crate::tree::{Decision, Tree, TreeId};

/// The text of a tree. Its size is that of the tree.
pub fn outline(decision: &Decision, rules: &Arena<RuleId, Rule>) -> String {
    let mut out = String::new();
    write_outline(&mut out, decision, rules).expect("writing to a string does not fail");
    out
}

fn write_outline(out: &mut String, decision: &Decision, rules: &Arena<RuleId, Rule>) -> std::fmt::Result {
    let (matrix, count) = (&decision.matrix, decision.reachable().len());
    writeln!(out, "{}: {count} rules, at most {} looks", matrix.op, decision.depth())?;
    // Children come before parents in the arena: the start is shown first.
    let mut ids: Vec<TreeId> = decision.trees.ids().collect();
    ids.reverse();
    for id in ids {
        match &decision.trees[id] {
            Tree::Leaf(rows) if rows.is_empty() => writeln!(out, "  {id}: nothing")?,
            Tree::Leaf(rows) => {
                let mut names: Vec<&str> =
                    rows.iter().map(|&row| rules[matrix.rows[row].rule].name.as_str()).collect();
                names.dedup();
                writeln!(out, "  {id}: try {}", names.join(", "))?;
            }
            Tree::Switch { at, integers, constant, ops, other } => {
                writeln!(out, "  {id}: look at {}", path(decision, *at))?;
                for (integer, to) in integers {
                    writeln!(out, "        {integer} -> {to}")?;
                }
                for (op, to) in ops {
                    writeln!(out, "        {op} -> {to}")?;
                }
                if constant != other {
                    writeln!(out, "        constant -> {constant}")?;
                }
                writeln!(out, "        else -> {other}")?;
            }
        }
    }
    Ok(())
}

/// An occurrence by the operands that lead to it.
fn path(decision: &Decision, at: OccId) -> String {
    match decision.matrix.places[at] {
        Place::Root(operand) => format!("x{operand}"),
        Place::Below(above, _, operand) => format!("{}.{operand}", path(decision, above)),
    }
}

#[cfg(test)]
mod tests {
    use planish_base::SourceText;
    use planish_ops::Op;

    use super::*;
    use crate::set::RuleSet;

    #[test]
    fn a_tree_shows_what_is_looked_at_and_what_is_tried() {
        let text = "sub_add: sub(add(x, y), y) => x\nneg_sub: sub(0, x) => neg(x)\n";
        let (set, findings) = RuleSet::read(vec![SourceText::new("t.rules", text)]);
        assert!(findings.is_empty());
        let decision = set.decision(Op::Sub, false).expect("rules for sub");
        let shown = outline(decision, &set.rules);
        assert!(shown.starts_with("sub: 2 rules, at most 1 looks\n"), "{shown}");
        for part in ["look at x0", "add -> ", "0 -> ", "try sub_add", "try neg_sub", ": nothing"] {
            assert!(shown.contains(part), "{part} in\n{shown}");
        }
    }
}
