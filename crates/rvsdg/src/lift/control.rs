//! Branches and loops: what a `switch` and a `loop` become in the draft.
//!
//! Only outputs that are needed get a variable. The regions are entered, not lifted at once: they are put
//! on the stack of the lifter, which goes on with them.

use std::rc::Rc;

use planish_ir::Const;
use planish_ir::draft::{End, Node, Operand, Variable};
use planish_ops::Int;

use super::{Lifted, Lifter, Then};
use crate::terms::{Kind, Term};
use crate::view::{needed_variables, tested};

impl Lifter<'_> {
    pub(super) fn switch(&mut self, term: Term, cases: u32, outputs: u32) -> Result<(), String> {
        let terms = self.terms;
        let (node, _) = self.last();
        let needed = self.top().needed.remove(&term).unwrap_or_else(|| vec![true; outputs as usize]);
        let word = self.word();
        let variables: Vec<Option<Variable>> =
            needed.iter().map(|&needed| needed.then(|| self.draft.variable("", word))).collect();
        let inputs: Vec<Lifted> = terms.outer(term)[1..].iter().map(|&input| self.value(input).0).collect();
        let join = self.draft.node("");
        let (tested, swapped) = tested(terms, terms.operands(term)[0], cases == 2);
        let predicate = self.operand(tested)?.0;
        let known = match predicate {
            Operand::Const(Const::Int(int)) if swapped => Some(u64::from(!int.is_true())),
            Operand::Const(Const::Int(int)) => Some(int.unsigned()),
            _ => (cases == 1).then_some(0),
        };
        let mut nodes = Vec::with_capacity(cases as usize);
        let mut arms = Vec::with_capacity(cases as usize);
        let width = self.options.width.into();
        for (case, region) in (0u64..).zip(terms.regions(term)) {
            // No value counts more cases than words have.
            let never = Int::new(width, case).unsigned() != case;
            if never || known.is_some_and(|known| known != case) {
                continue;
            }
            let arm = if known.is_some() { node } else { self.draft.node("") };
            nodes.push(arm);
            arms.push((arm, region.results));
        }
        let end = match (known, nodes.as_slice()) {
            // The arm goes on in this node, or there is none.
            (Some(_), [_]) => None,
            (Some(_), _) => Some(End::Goto(self.nowhere())),
            (None, &[zero, one]) if swapped => {
                Some(End::Branch { condition: predicate, then: zero, other: one })
            }
            (None, nodes) => {
                let cases = nodes.iter().zip(0..).map(|(&arm, key)| (Int::new(width, key), arm)).collect();
                Some(End::Switch { on: predicate, cases, default: self.nowhere() })
            }
        };
        if let Some(end) = end {
            self.draft.nodes[node].end = end;
        }
        let parts = variables.iter().map(|variable| match variable {
            Some(variable) => Lifted::Word((*variable).into()),
            // Nothing asks for it.
            None => Lifted::Word(self.number(0)),
        });
        let parts: Rc<[Lifted]> = parts.collect();
        let top = self.top();
        top.segments.push(join);
        let segment = top.segments.len() as u32 - 1;
        self.set(term, Lifted::Tuple(parts), segment);
        let targets: Vec<Variable> = variables.iter().copied().flatten().collect();
        for (arm, results) in arms.into_iter().rev() {
            let results =
                results.iter().zip(&needed).filter(|(_, needed)| **needed).map(|(&r, _)| r).collect();
            self.enter(results, inputs.clone(), arm, Then::Join(join, targets.clone()));
        }
        Ok(())
    }

    fn nowhere(&mut self) -> Node {
        let draft = &mut self.draft;
        *self.nowhere.get_or_insert_with(|| draft.node(""))
    }

    pub(super) fn repeat(&mut self, term: Term) -> Result<(), String> {
        let terms = self.terms;
        let (node, _) = self.last();
        let inputs = terms.outer(term);
        let Some(body) = terms.regions(term).next() else { return Err("a loop has a body".into()) };
        let (&predicate, results) = body.results.split_last().ok_or("a loop has a predicate")?;
        let (tested, swapped) = tested(terms, predicate, true);
        let asked = self.top().needed.remove(&term).unwrap_or_else(|| vec![true; inputs.len()]);
        let needed = needed_variables(terms, results, tested, asked);
        let word = self.word();
        let (mut variables, mut parts, mut arguments) = (Vec::new(), Vec::new(), Vec::new());
        let (mut initial, mut kept) = (Vec::new(), Vec::with_capacity(inputs.len() + 1));
        for ((i, &input), &needed) in (0..).zip(inputs).zip(&needed) {
            let value = match self.value(input).0 {
                // A function goes around a loop as it is, if it stays the same.
                value @ (Lifted::Function(..) | Lifted::Tuple(_))
                    if terms.kind(results[i as usize]) == Kind::Argument(i) =>
                {
                    value
                }
                value if needed => {
                    let operand = self.operand_of(&value, self.last().1)?;
                    let variable = self.draft.variable("", word);
                    variables.push(variable);
                    initial.push((variable, operand));
                    kept.push(results[i as usize]);
                    Lifted::Word(variable.into())
                }
                _ => Lifted::Word(self.number(0)),
            };
            arguments.push(value.clone());
            parts.push(value);
        }
        kept.push(tested);
        for (variable, operand) in initial {
            self.draft.assign(node, variable, operand);
            self.came_from(node, term);
        }
        let (head, exit) = (self.draft.node(""), self.draft.node(""));
        self.draft.nodes[node].end = End::Goto(head);
        let top = self.top();
        top.segments.push(exit);
        let segment = top.segments.len() as u32 - 1;
        self.set(term, Lifted::Tuple(parts.into()), segment);
        self.enter(kept, arguments, head, Then::Repeat { head, exit, variables, swapped });
        Ok(())
    }
}
