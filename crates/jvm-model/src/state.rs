//! Verification state (frame): the types of locals and stack at one place of a method.

use crate::vtype::{TypeContext, VType};

/// Why a method does not verify: the instruction, and what is wrong there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyError {
    /// The index of the instruction.
    pub at: u32,
    /// What is wrong: a lower-case phrase.
    pub message: String,
}

impl std::fmt::Display for VerifyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "instruction {}: {}", self.at, self.message)
    }
}

impl std::error::Error for VerifyError {}

/// The types of locals and stack.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct State {
    /// The locals by slot; the second slot of a wide value is `Top`.
    pub locals: Vec<VType>,
    /// The stack from the bottom; a wide value is one entry.
    pub stack: Vec<VType>,
    /// Whether the object under construction was not yet handed to another constructor.
    pub this_uninitialized: bool,
}

impl State {
    /// The slots that the stack takes.
    pub fn depth(&self) -> usize {
        self.stack.iter().map(|ty| 1 + usize::from(ty.is_wide())).sum()
    }

    /// The type in a slot.
    pub fn local(&self, slot: u16) -> VType {
        self.locals.get(usize::from(slot)).copied().unwrap_or(VType::Top)
    }

    /// Sets the type in a slot. Half a wide value that is overwritten makes the other half unusable.
    /// `false` if there is no such slot.
    #[must_use]
    pub fn set_local(&mut self, slot: u16, ty: VType) -> bool {
        let slot = usize::from(slot);
        let end = slot + 1 + usize::from(ty.is_wide());
        if end > self.locals.len() {
            return false;
        }
        if slot > 0 && self.locals[slot - 1].is_wide() {
            self.locals[slot - 1] = VType::Top;
        }
        self.locals[slot] = ty;
        if ty.is_wide() {
            self.locals[slot + 1] = VType::Top;
        }
        true
    }

    /// Replaces a type wherever it is.
    pub fn replace(&mut self, old: VType, new: VType) {
        for ty in self.locals.iter_mut().chain(&mut self.stack) {
            if *ty == old {
                *ty = new;
            }
        }
    }

    /// Whether control may go from here to a place that expects `target`; the error says why not.
    pub fn check_assignable(&self, target: &State, context: &TypeContext<'_>) -> Result<(), String> {
        if self.stack.len() != target.stack.len() {
            return Err(format!(
                "a stack of {} values meets a frame of {}",
                self.stack.len(),
                target.stack.len()
            ));
        }
        if self.this_uninitialized && !target.this_uninitialized {
            return Err("the frame says that another constructor was called".into());
        }
        let tops = std::iter::repeat(VType::Top);
        let locals =
            self.locals.iter().copied().chain(tops).zip(&target.locals).map(|(a, b)| ("local", a, b));
        let stack = self.stack.iter().zip(&target.stack).map(|(a, b)| ("stack entry", *a, b));
        for (index, (place, from, &to)) in locals.enumerate().chain(stack.enumerate()) {
            match context.is_assignable(from, to) {
                Some(true) => {}
                known => {
                    let (from, to) = (context.show(from), context.show(to));
                    let why = if known.is_none() { " (a class is missing)" } else { "" };
                    return Err(format!("{place} {index} is {from}, the frame says {to}{why}"));
                }
            }
        }
        Ok(())
    }

    /// Makes this state general enough for `other`, too. `Ok(true)` if it changed.
    pub fn merge(&mut self, other: &State, context: &mut TypeContext<'_>) -> Result<bool, String> {
        if self.stack.len() != other.stack.len() {
            return Err(format!("stacks of {} and {} values meet", self.stack.len(), other.stack.len()));
        }
        if self.this_uninitialized != other.this_uninitialized {
            return Err("paths with and without a constructor call meet".into());
        }
        let mut changed = false;
        let missing = |a, b, context: &TypeContext<'_>| {
            let (a, b) = (context.show(a), context.show(b));
            format!("{a} and {b} meet, and a super class is missing")
        };
        for (slot, mine) in self.locals.iter_mut().enumerate() {
            let theirs = other.locals.get(slot).copied().unwrap_or(VType::Top);
            // What is missing may be unusable afterwards; most such slots are dead.
            let merged = context.merge(*mine, theirs).unwrap_or(VType::Top);
            changed |= merged != *mine;
            *mine = merged;
        }
        for (mine, &theirs) in self.stack.iter_mut().zip(&other.stack) {
            let Some(merged) = context.merge(*mine, theirs) else {
                return Err(missing(*mine, theirs, context));
            };
            if merged == VType::Top {
                let (a, b) = (context.show(*mine), context.show(theirs));
                return Err(format!("{a} and {b} meet on the stack"));
            }
            changed |= merged != *mine;
            *mine = merged;
        }
        Ok(changed)
    }
}
