//! Stack map frames (`StackMapTable`) by type inference: the types at branch targets of code that was made.
//!
//! A forward analysis over the instructions (Kildall, *A unified approach to global program
//! optimization*, 1973) with the rules that the verifier uses. States are kept at targets only;
//! between them instructions run straight on. Types at a target are merged to the nearest common
//! class, in the order in which targets stand, so that the result does not depend on anything else.
//! A local whose types do not merge becomes unusable, a stack entry is an error. Instructions that
//! nothing reaches are an error, too: a frame for them would have to be invented.

use std::collections::BTreeSet;

use planish_classfile::frame::{Frame, Types};
use planish_classfile::{Code, ConstantPool, Insn};

use crate::state::{State, VerifyError};
use crate::transfer::{Machine, MethodInfo, changes_locals};
use crate::verify::{ActiveHandlers, caught_state, entry_locals};
use crate::vtype::TypeContext;

/// The types at the targets of a method, in ascending order of positions.
pub struct Targets {
    entry: State,
    states: Vec<(u32, State)>,
}

/// Finds the types at every target of a jump and at every handler.
pub fn infer(
    code: &Code,
    method: &MethodInfo<'_>,
    context: &mut TypeContext<'_>,
) -> Result<Targets, VerifyError> {
    let count = code.instructions.len();
    let error = |at: u32, message: String| VerifyError { at, message };
    let entry = method.entry(code.max_locals, context).map_err(|message| error(0, message))?;
    let mut is_target = vec![false; count];
    let jumps = code.instructions.iter().flat_map(|instruction| instruction.targets());
    for target in jumps.chain(code.handlers.iter().map(|handler| handler.target)) {
        match is_target.get_mut(target as usize) {
            Some(place) => *place = true,
            None => return Err(error(target, "a target after the last instruction".into())),
        }
    }
    let targets: Vec<u32> = (0..count as u32).filter(|&at| is_target[at as usize]).collect();
    let place = |at: u32| targets.binary_search(&at).expect("every target is in the list");
    let mut states: Vec<Option<State>> = vec![None; targets.len()];
    let mut reached = vec![false; count];

    let mut work = BTreeSet::from([0]);
    let mut first = true;
    while let Some(start) = work.pop_first() {
        let mut state = match (first, is_target.get(start as usize)) {
            (true, _) => entry.clone(),
            (_, Some(true)) => states[place(start)].clone().expect("what is in the list has a state"),
            _ => return Err(error(start, "control runs off the end".into())),
        };
        let mut merge =
            |target: u32, state: &State, context: &mut TypeContext<'_>| -> Result<bool, VerifyError> {
                let known = &mut states[place(target)];
                let changed = match known {
                    Some(known) => known.merge(state, context).map_err(|message| error(target, message))?,
                    None => {
                        *known = Some(state.clone());
                        true
                    }
                };
                if changed {
                    work.insert(target);
                }
                Ok(changed)
            };
        let mut active = ActiveHandlers::new(&code.handlers);
        let mut at = start;
        if first && is_target.first() == Some(&true) {
            merge(0, &state, context)?;
            first = false;
            continue;
        }
        first = false;
        // Handlers get locals only, so they are asked again when these changed.
        let mut has_new_locals = true;
        loop {
            let Some(instruction) = code.instructions.get(at as usize) else {
                return Err(error(at, "control runs off the end".into()));
            };
            reached[at as usize] = true;
            let has_new_handlers = active.go_to(at);
            let asked = if has_new_locals || has_new_handlers { active.current() } else { &[] };
            for &&handler in asked {
                let caught = caught_state(&state, handler, method, context).map_err(|m| error(at, m))?;
                merge(handler.target, &caught, context)?;
            }
            let mut machine = Machine { context, method, state };
            machine.execute(instruction, at).map_err(|message| error(at, message))?;
            state = machine.state;
            has_new_locals = changes_locals(instruction.op);
            for target in instruction.targets() {
                merge(target, &state, context)?;
            }
            if instruction.op.ends_flow() {
                break;
            }
            at += 1;
            if is_target.get(at as usize) == Some(&true) {
                merge(at, &state, context)?;
                break;
            }
        }
    }
    if let Some(at) = reached.iter().position(|reached| !reached) {
        return Err(error(at as u32, "nothing leads here".into()));
    }
    let states = targets.into_iter().zip(states).filter_map(|(at, state)| Some((at, state?))).collect();
    Ok(Targets { entry, states })
}

impl Targets {
    /// The positions and types.
    pub fn states(&self) -> &[(u32, State)] {
        &self.states
    }

    /// The types before each instruction, in their order, of the code of which these are the targets.
    pub fn each<'h>(
        &self,
        code: &Code,
        method: &MethodInfo<'_>,
        context: &mut TypeContext<'h>,
        mut see: impl FnMut(u32, &Insn, &State, &TypeContext<'h>),
    ) -> Result<(), VerifyError> {
        let mut targets = self.states.iter().peekable();
        let mut flow = Some(self.entry.clone());
        for (at, instruction) in (0..).zip(&code.instructions) {
            if let Some((_, state)) = targets.next_if(|(target, _)| *target == at) {
                flow = Some(state.clone());
            }
            let Some(state) = flow.take() else {
                return Err(VerifyError { at, message: "nothing leads here".into() });
            };
            see(at, instruction, &state, context);
            let mut machine = Machine { context: &mut *context, method, state };
            machine.execute(instruction, at).map_err(|message| VerifyError { at, message })?;
            flow = (!instruction.op.ends_flow()).then_some(machine.state);
        }
        Ok(())
    }

    /// The frames, each in its shortest form. Classes that they name are added to the pool.
    pub fn frames(
        &self,
        context: &TypeContext<'_>,
        pool: &mut ConstantPool<'_>,
    ) -> planish_classfile::Result<Vec<Frame>> {
        let mut types = |state: &State| -> planish_classfile::Result<Types> {
            let locals = entry_locals(state);
            Ok(Types {
                locals: locals.iter().map(|&ty| context.to_frame(ty, pool)).collect::<Result<_, _>>()?,
                stack: state.stack.iter().map(|&ty| context.to_frame(ty, pool)).collect::<Result<_, _>>()?,
            })
        };
        let mut before = types(&self.entry)?;
        let mut frames = Vec::with_capacity(self.states.len());
        for (at, state) in &self.states {
            let here = types(state)?;
            frames.push(Frame { at: *at, form: here.difference(&before) });
            before = here;
        }
        Ok(frames)
    }
}
