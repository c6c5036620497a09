//! The type-checking verifier of *The Java Virtual Machine Specification*, section 4.10.1.
//!
//! One pass over the instructions: the frames of the method say the types at branch targets, so no
//! fixed point is needed. A method that passes here is one that a JVM's verifier accepts, as far as
//! types go (see [`crate::transfer`] for what is not asked); what a missing class hides is an error
//! here, even where a JVM that has the class would accept. Bodies with subroutines (`jsr`) are refused.

use planish_classfile::frame::{Form, VerificationType};
use planish_classfile::{Code, Handler, Insn};

use crate::state::{State, VerifyError};
use crate::transfer::{Machine, MethodInfo, changes_locals};
use crate::vtype::{TypeContext, VType};

/// Checks that a method keeps to the types that its frames state.
pub fn verify(
    code: &Code,
    method: &MethodInfo<'_>,
    context: &mut TypeContext<'_>,
) -> Result<(), VerifyError> {
    let fail = |at: u32, message: String| Err(VerifyError { at, message });
    let entry = match method.entry(code.max_locals, context) {
        Ok(entry) => entry,
        Err(message) => return fail(0, message),
    };
    let frames = stated_frames(code, &entry, method, context)?;
    let frame_at = |at: u32| frames.binary_search_by_key(&at, |(at, _)| *at).ok().map(|i| &frames[i].1);
    let mut active = ActiveHandlers::new(&code.handlers);
    let mut flow = Some(entry);
    // Handlers get locals only, so they are asked again when these changed.
    let mut has_new_locals = true;
    for (at, instruction) in code.instructions.iter().enumerate() {
        let at = at as u32;
        if let Some(frame) = frame_at(at) {
            if let Some(state) = &flow
                && let Err(message) = state.check_assignable(frame, context)
            {
                return fail(at, message);
            }
            flow = Some(frame.clone());
            has_new_locals = true;
        }
        let Some(state) = flow.take() else {
            return fail(at, "nothing leads here, and there is no frame".into());
        };
        let has_new_handlers = active.go_to(at);
        let asked = if has_new_locals || has_new_handlers { active.current() } else { &[] };
        for &&handler in asked {
            let caught =
                caught_state(&state, handler, method, context).map_err(|m| VerifyError { at, message: m })?;
            let Some(frame) = frame_at(handler.target) else {
                return fail(handler.target, "a handler has no frame".into());
            };
            if let Err(message) = caught.check_assignable(frame, context) {
                return fail(at, format!("{message}, at the handler {}", handler.target));
            }
        }
        let mut machine = Machine { context, method, state };
        if let Err(message) = machine.execute(instruction, at) {
            return fail(at, message);
        }
        has_new_locals = changes_locals(instruction.op);
        let state = machine.state;
        if state.depth() > usize::from(code.max_stack) {
            return fail(at, format!("the stack is {} deep", state.depth()));
        }
        for target in instruction.targets() {
            let Some(frame) = frame_at(target) else {
                return fail(target, "a target of a jump has no frame".into());
            };
            if let Err(message) = state.check_assignable(frame, context) {
                return fail(at, format!("{message}, at the target {target}"));
            }
        }
        flow = (!instruction.op.ends_flow()).then_some(state);
    }
    match flow {
        Some(_) => fail(code.instructions.len() as u32, "control runs off the end".into()),
        None => Ok(()),
    }
}

/// The state in which a handler begins when an instruction throws in `state`.
pub fn caught_state(
    state: &State,
    handler: Handler,
    method: &MethodInfo<'_>,
    context: &mut TypeContext<'_>,
) -> Result<State, String> {
    let class = method.pool.optional_class(handler.class).map_err(|error| error.to_string())?;
    let thrown = context.object(class.unwrap_or(b"java/lang/Throwable"));
    let throwable = context.object(b"java/lang/Throwable");
    if context.is_assignable(thrown, throwable) != Some(true) {
        return Err(format!("{} is not known to be a Throwable", context.show(thrown)));
    }
    Ok(State {
        locals: state.locals.clone(),
        stack: vec![thrown],
        this_uninitialized: state.this_uninitialized,
    })
}

/// The handlers that guard an instruction, for instructions in ascending order.
pub struct ActiveHandlers<'a> {
    handlers: &'a [Handler],
    /// Handlers in ascending order of their start, and how many of them began.
    by_start: Vec<u32>,
    begun: usize,
    active: Vec<u32>,
    current: Vec<&'a Handler>,
    /// The first instruction at which other handlers may be active.
    changes_at: u32,
}

impl<'a> ActiveHandlers<'a> {
    /// None are active yet, of these.
    pub fn new(handlers: &'a [Handler]) -> Self {
        let mut by_start: Vec<u32> = (0..handlers.len() as u32).collect();
        by_start.sort_by_key(|&index| handlers[index as usize].start);
        let (active, current) = (Vec::new(), Vec::new());
        ActiveHandlers { handlers, by_start, begun: 0, active, current, changes_at: 0 }
    }

    /// The handlers that guard the instruction `at`, in the order in which they are tried. `at` may not be
    /// before the last one asked for.
    pub fn at(&mut self, at: u32) -> impl Iterator<Item = &'a Handler> + '_ {
        self.go_to(at);
        self.current.iter().copied()
    }

    /// The handlers that guard the instruction asked for last, in the order in which they are tried.
    pub fn current(&self) -> &[&'a Handler] {
        &self.current
    }

    /// Goes on to the instruction `at`, which may not be before the last one. Whether other handlers guard it.
    pub fn go_to(&mut self, at: u32) -> bool {
        if at < self.changes_at {
            return false;
        }
        let before = self.active.len();
        self.active.retain(|&index| self.handlers[index as usize].end > at);
        let mut changed = self.active.len() != before;
        while let Some(&index) = self.by_start.get(self.begun)
            && self.handlers[index as usize].start <= at
        {
            self.begun += 1;
            if self.handlers[index as usize].end > at {
                self.active.push(index);
                changed = true;
            }
        }
        let ends = self.active.iter().map(|&index| self.handlers[index as usize].end);
        let next = self.by_start.get(self.begun).map(|&index| self.handlers[index as usize].start);
        self.changes_at = ends.chain(next).min().unwrap_or(u32::MAX);
        if changed {
            // The order of the table decides which handler is tried first, wherever ranges begin.
            self.active.sort_unstable();
            self.current.clear();
            self.current.extend(self.active.iter().map(|&index| &self.handlers[index as usize]));
        }
        changed
    }
}

/// The states that the frames of a method state, with their positions, in ascending order.
fn stated_frames(
    code: &Code,
    entry: &State,
    method: &MethodInfo<'_>,
    context: &mut TypeContext<'_>,
) -> Result<Vec<(u32, State)>, VerifyError> {
    let mut locals = entry_locals(entry);
    let mut states: Vec<(u32, State)> = Vec::new();
    for frame in code.frames().unwrap_or_default() {
        let error = |message: String| VerifyError { at: frame.at, message };
        if states.last().is_some_and(|(last, _)| *last >= frame.at) {
            return Err(error("frames are not in ascending order".into()));
        }
        let mut read = |list: &[VerificationType]| {
            let types = list.iter().map(|&ty| context.of_frame(ty, method.pool));
            types.collect::<Result<Vec<_>, _>>().map_err(|e| error(e.to_string()))
        };
        let mut stack = Vec::new();
        match &frame.form {
            Form::Same | Form::SameExtended => {}
            Form::Stack1(ty) | Form::Stack1Extended(ty) => stack = read(&[*ty])?,
            Form::Chop(count) => match locals.len().checked_sub(usize::from(*count)) {
                Some(left) => locals.truncate(left),
                None => return Err(error("a frame takes away more locals than there are".into())),
            },
            Form::Append(more) => locals.extend(read(more)?),
            Form::Full { locals: all, stack: whole } => {
                locals = read(all)?;
                stack = read(whole)?;
            }
        }
        let mut state = State {
            locals: vec![VType::Top; usize::from(code.max_locals)],
            stack,
            this_uninitialized: false,
        };
        let mut slot = 0u16;
        for &ty in &locals {
            if !state.set_local(slot, ty) {
                return Err(error("a frame has more locals than the method".into()));
            }
            slot += 1 + u16::from(ty.is_wide());
        }
        state.this_uninitialized = locals.contains(&VType::UninitializedThis);
        for ty in locals.iter().chain(&state.stack) {
            if let VType::Uninitialized(at) = *ty
                && !matches!(
                    code.instructions.get(at as usize),
                    Some(Insn { op: planish_classfile::Opcode::New, .. })
                )
            {
                return Err(error(format!("there is no new at {at}")));
            }
        }
        states.push((frame.at, state));
    }
    Ok(states)
}

/// The locals as a frame lists them: a wide one is one entry, and unusable ones at the end are left out.
pub fn entry_locals(state: &State) -> Vec<VType> {
    let used = state.locals.iter().rposition(|ty| *ty != VType::Top).map_or(0, |last| last + 1);
    let mut entries = Vec::with_capacity(used);
    let mut slot = 0;
    while slot < used {
        entries.push(state.locals[slot]);
        slot += 1 + usize::from(state.locals[slot].is_wide());
    }
    entries
}
