//! Where constants of enums and nulls go in a body.
//!
//! The types at targets of jumps, as the verifier sees them, say where a constant is. They do not say of a null whether it is one
//! of the enum: it is if it gets where one is expected. So nulls are followed. Each that is made, and each place at a target where
//! values join, is a node; a use asks of a node that it be a number or an object, and so of all that join there. A join of a
//! constant with another object is harmless unless somebody uses it: compilers leave such in locals that are over.

use planish_classfile::limits::effect;
use planish_classfile::{Code, Insn, Opcode};
use planish_jvm_ir::lower::lines;
use planish_jvm_model::frames::infer;
use planish_jvm_model::program::Class;
use planish_jvm_model::state::State;
use planish_jvm_model::transfer::{Machine, MethodInfo, changes_locals};
use planish_jvm_model::verify::ActiveHandlers;
use planish_jvm_model::vtype::{TypeContext, VType};

use super::candidates::Candidates;
use super::nodes::{Boxed, Cell, Here, Node, Nodes, Types};
use super::reason::Reason;
use super::uses::{Change, Uses};

/// What becomes of a body.
pub(super) struct Found {
    /// By instruction what takes its place.
    pub changes: Vec<Change>,
    /// Enums that have to stay what they are for it, and the lines for which they do.
    pub refused: Vec<(Class, Reason, Option<u16>)>,
}

/// A target of jumps: its place, the types there, and the nodes.
struct Join {
    at: u32,
    state: State,
    locals: Vec<Option<Node>>,
    stack: Vec<Option<Node>>,
}

/// Follows constants and nulls through a body; nothing if its types are not known. O(instructions x locals).
pub(super) fn follow(
    enums: &Candidates<'_, '_>,
    code: &Code,
    method: &MethodInfo<'_>,
    (context, types): (&mut TypeContext<'_>, &mut Types),
) -> Option<Found> {
    let targets = infer(code, method, context).ok()?;
    let mut uses = Uses::new(enums, code, method, types);
    let joins: Vec<Join> =
        targets.states().iter().map(|(at, state)| join(*at, state, &mut uses.nodes)).collect();
    let join_at = |at: u32| joins.binary_search_by_key(&at, |join| join.at).ok().map(|place| &joins[place]);
    let entry = method.entry(code.max_locals, context).ok()?;
    let mut flow = Some(Here { locals: vec![None; entry.locals.len()], stack: Vec::new(), state: entry });
    let mut active = ActiveHandlers::new(&code.handlers);
    let mut has_new_locals = true;
    for (at, insn) in (0u32..).zip(&code.instructions) {
        if let Some(join) = join_at(at) {
            if let Some(here) = &flow {
                uses.joins(here, join, context);
            }
            flow = Some(Here {
                state: join.state.clone(),
                locals: join.locals.clone(),
                stack: join.stack.clone(),
            });
            has_new_locals = true;
        }
        let mut here = flow.take()?;
        if active.go_to(at) || has_new_locals {
            for handler in active.current() {
                uses.joins_locals(&here, join_at(handler.target)?, context);
            }
        }
        uses.see(at, insn, &here, context);
        let before = std::mem::take(&mut here.state);
        let mut machine = Machine { context: &mut *context, method, state: before.clone() };
        machine.execute(insn, at).ok()?;
        here.state = machine.state;
        moved(insn, (&before, &mut here), uses.made.take(), method)?;
        has_new_locals = changes_locals(insn.op);
        for target in insn.targets() {
            uses.joins(&here, join_at(target)?, context);
        }
        flow = (!insn.op.ends_flow()).then_some(here);
    }
    Some(uses.finish(code))
}

fn join(at: u32, state: &State, nodes: &mut Nodes) -> Join {
    let mut node = |ty: &VType| ty.is_reference().then(|| nodes.make());
    let locals = state.locals.iter().map(&mut node).collect();
    let stack = state.stack.iter().map(node).collect();
    Join { at, state: state.clone(), locals, stack }
}

impl Uses<'_, '_, '_, '_> {
    /// Control gets to a target.
    fn joins(&mut self, here: &Here, join: &Join, context: &TypeContext<'_>) {
        self.joins_locals(here, join, context);
        for (place, &node) in join.stack.iter().enumerate() {
            let from = (here.state.stack[place], here.stack[place]);
            self.joins_value(from, (join.state.stack[place], node), context);
        }
    }

    /// The locals get to a target.
    fn joins_locals(&mut self, here: &Here, join: &Join, context: &TypeContext<'_>) {
        for (slot, &node) in join.locals.iter().enumerate() {
            let from = here.local(slot as u16);
            self.joins_value(from, (join.state.locals[slot], node), context);
        }
    }

    fn joins_value(&mut self, from: Cell, to: Cell, context: &TypeContext<'_>) {
        let Some(node) = to.1 else { return };
        let enumeration = self.boxed(from.0, context).filter(|_| from.0 != to.0);
        self.nodes.joins(node, from.1, enumeration.map(Boxed::class));
    }

    /// What becomes of the body.
    fn finish(mut self, code: &Code) -> Found {
        self.nodes.solve();
        for change in &mut self.changes {
            if let Change::If(node, op) = change {
                *change = match (self.nodes.is_number(*node), op) {
                    (true, insn) => Change::Becomes(insn.clone()),
                    (false, _) => Change::None,
                };
            }
        }
        let table = if self.nodes.refused.is_empty() { Vec::new() } else { lines(code) };
        let line = |(class, reason, at): (Class, Reason, u32)| {
            (class, reason, table.get(at as usize + 1).copied().flatten())
        };
        Found { changes: self.changes, refused: self.nodes.refused.into_iter().map(line).collect() }
    }
}

/// Moves nodes as an instruction moves values. `made` is the node of the null that it makes.
fn moved(
    insn: &Insn,
    (before, here): (&State, &mut Here),
    made: Option<Node>,
    method: &MethodInfo<'_>,
) -> Option<()> {
    use Opcode::*;
    let op = insn.op;
    match op {
        _ if op == Aload || (Aload0..=Aload3).contains(&op) => {
            here.stack.push(here.locals.get(usize::from(insn.slot()?)).copied()?);
        }
        _ if (Istore..=Astore).contains(&op) || (Istore0..=Astore3).contains(&op) => {
            let node = here.stack.pop()?;
            let slot = usize::from(insn.slot()?);
            *here.locals.get_mut(slot)? = node;
            if before.stack.last()?.is_wide() {
                *here.locals.get_mut(slot + 1)? = None;
            }
        }
        Dup | DupX1 | DupX2 | Dup2 | Dup2X1 | Dup2X2 | Swap => {
            let mut cells: Vec<(usize, Option<Node>)> = before
                .stack
                .iter()
                .zip(&here.stack)
                .map(|(ty, node)| (1 + usize::from(ty.is_wide()), *node))
                .collect();
            match op {
                Dup => duplicate(&mut cells, 1, 0)?,
                DupX1 => duplicate(&mut cells, 1, 1)?,
                DupX2 => duplicate(&mut cells, 1, 2)?,
                Dup2 => duplicate(&mut cells, 2, 0)?,
                Dup2X1 => duplicate(&mut cells, 2, 1)?,
                Dup2X2 => duplicate(&mut cells, 2, 2)?,
                _ => {
                    let last = cells.len().checked_sub(2)?;
                    cells.swap(last, last + 1);
                }
            }
            here.stack = cells.into_iter().map(|(_, node)| node).collect();
        }
        _ => {
            let (pops, _) = effect(insn, method.pool).ok()?;
            let mut left = usize::from(pops);
            for ty in before.stack.iter().rev() {
                if left == 0 {
                    break;
                }
                left = left.checked_sub(1 + usize::from(ty.is_wide()))?;
                here.stack.pop()?;
            }
            here.stack.resize(here.state.stack.len(), None);
            if op == AconstNull {
                *here.stack.last_mut()? = made;
            }
        }
    }
    (here.stack.len() == here.state.stack.len()).then_some(())
}

/// Copies the top `count` slots below `skip` more. Each value has the number of its slots.
fn duplicate(cells: &mut Vec<(usize, Option<Node>)>, count: usize, skip: usize) -> Option<()> {
    let values = |slots: usize, end: usize, cells: &[(usize, Option<Node>)]| {
        let (mut left, mut start) = (slots, end);
        while left > 0 {
            start = start.checked_sub(1)?;
            left = left.checked_sub(cells[start].0)?;
        }
        Some(start)
    };
    let top = values(count, cells.len(), cells)?;
    let below = values(skip, top, cells)?;
    let copied: Vec<_> = cells[top..].to_vec();
    cells.splice(below..below, copied);
    Some(())
}
