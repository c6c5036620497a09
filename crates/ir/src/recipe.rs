//! Materialization recipes (deoptimization data; PyPy's resume data, Graal's virtual objects in a `FrameState`): what
//! an exit makes for whoever goes on behind it.
//!
//! An object that only exits look at need not be made where the function runs. The exit says how to make it
//! instead: a straight line of allocations and stores, which is carried out when control leaves there and
//! at no other time. A store that waits when control leaves can be made the same way. This is the resume data of
//! PyPy's traces (Bolz, Cuni, Fijałkowski, Leuschel, Pedroni, Rigo, "Runtime Feedback in a Meta-Tracing JIT for
//! Efficient Dynamic Languages", ICOOOLPS 2011) as plain data.
//!
//! A recipe speaks of the arguments of its exit by position. So the arguments are all that a recipe uses:
//! whatever follows, replaces or copies them need not know of recipes, and exits of one shape share a
//! recipe. Objects may lead in circles and be shared, since all are allocated before they are stored anywhere.
//!
//! ```text
//! guard_true(v3) else leave 2(v1, v2) with [made0 = new() @node, set_field(made0, arg0) @value] as (made0, arg1)
//! ```

use planish_base::{List, ListPool};
use planish_ops::world::Descr;
use planish_ops::{Op, Type};

planish_base::define_id!(
    /// A recipe of a function.
    RecipeId, "recipe"
);

/// A value that a recipe speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Slot {
    /// The n-th argument of the exit.
    Arg(u32),
    /// The result of the n-th step.
    Made(u32),
}

/// One operation of a recipe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecipeStep {
    /// What it does: one that [`Recipe::admits`].
    pub op: Op,
    /// The class, field, array ... that it names.
    pub descr: Option<Descr>,
    /// Its operands, among those of the recipe: see [`Recipe::operands`].
    operands: List<Slot>,
}

/// What is made when control leaves through an exit, and the values that the other side gets.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Recipe {
    /// What is done, in order.
    pub steps: Vec<RecipeStep>,
    /// The values that the other side gets, in the place of the arguments.
    pub state: Vec<Slot>,
    /// The operands of all steps.
    operands: ListPool<Slot>,
}

impl Recipe {
    /// Appends a step, whose result is what is given back.
    pub fn push(&mut self, op: Op, descr: Option<Descr>, operands: &[Slot]) -> Slot {
        let slot = Slot::Made(self.steps.len() as u32);
        let operands = self.operands.push(operands);
        self.steps.push(RecipeStep { op, descr, operands });
        slot
    }

    /// The operands of one of the steps.
    pub fn operands(&self, step: &RecipeStep) -> &[Slot] {
        self.operands.get(step.operands)
    }

    /// Forgets everything and keeps the memory.
    pub fn clear(&mut self) {
        self.steps.clear();
        self.state.clear();
        self.operands.clear();
    }

    /// Whether an operation may stand in a recipe: allocations, which outside the heap are calls, stores, and what
    /// lengths of strings need.
    pub fn admits(op: Op) -> bool {
        use Op::*;
        matches!(
            op,
            New | NewArray
                | NewStr
                | SetField
                | SetItem
                | SetInterior
                | StrSet
                | StrCopy
                | StrLen
                | Call
                | RawStore
                | Add
                | Sub
        )
    }

    /// The types of the results of all steps, for arguments of some types; `None` for a step without one. An
    /// error says what is wrong with the recipe. O(size of the recipe).
    pub fn check(&self, args: &[Type]) -> Result<Vec<Option<Type>>, String> {
        let mut made: Vec<Option<Type>> = Vec::with_capacity(self.steps.len());
        for (number, step) in self.steps.iter().enumerate() {
            let (op, row) = (step.op, step.op.row());
            if !Self::admits(op) {
                return Err(format!("step {number} of the recipe is `{op}`, which no exit can do"));
            }
            if row.descriptor.is_some() && step.descr.is_none() {
                return Err(format!("step {number} of the recipe names no descriptor"));
            }
            let operands = self.operands(step);
            if row.operands.len() != operands.len() && !row.variadic {
                return Err(format!("step {number} of the recipe has {} operands", operands.len()));
            }
            let mut known: Vec<(u8, Type)> = Vec::new();
            for (&shape, &slot) in row.operands.iter().zip(operands) {
                let ty = Self::type_of(slot, args, &made)
                    .ok_or_else(|| format!("step {number} of the recipe uses {slot}, which is no value"))?;
                let bound = shape.variable().map(|variable| {
                    let found = known.iter().find(|(v, _)| *v == variable).map(|(_, ty)| *ty);
                    known.push((variable, ty));
                    found.unwrap_or(ty)
                });
                if ty == Type::State || !shape.admits(ty) || bound.is_some_and(|bound| bound != ty) {
                    return Err(format!("step {number} of the recipe does not take {slot} of type {ty}"));
                }
            }
            made.push(match op {
                Op::New | Op::NewArray | Op::NewStr => Some(Type::Ref),
                Op::StrLen | Op::Call => Some(Type::I64),
                Op::Add | Op::Sub => known.first().map(|(_, ty)| *ty),
                _ => None,
            });
        }
        match self.state.iter().find(|&&slot| Self::type_of(slot, args, &made).is_none()) {
            Some(slot) => Err(format!("the recipe hands over {slot}, which is no value")),
            None => Ok(made),
        }
    }

    fn type_of(slot: Slot, args: &[Type], made: &[Option<Type>]) -> Option<Type> {
        match slot {
            Slot::Arg(position) => args.get(position as usize).copied(),
            Slot::Made(step) => made.get(step as usize).copied().flatten(),
        }
    }
}

impl std::fmt::Display for Slot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Slot::Arg(position) => write!(f, "arg{position}"),
            Slot::Made(step) => write!(f, "made{step}"),
        }
    }
}

impl std::str::FromStr for Slot {
    type Err = ();

    fn from_str(text: &str) -> Result<Slot, ()> {
        let number = |digits: &str| digits.parse().map_err(|_| ());
        match (text.strip_prefix("arg"), text.strip_prefix("made")) {
            (Some(digits), _) => number(digits).map(Slot::Arg),
            (_, Some(digits)) => number(digits).map(Slot::Made),
            _ => Err(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(text: &str) -> Vec<String> {
        let (module, diagnostics) = crate::text::read(text);
        assert!(diagnostics.is_empty(), "{text}");
        crate::verify_module(&module, crate::Form::Cfg)
    }

    fn with(exit: &str) -> String {
        format!(
            "location @next: ref\nlocation @value: i64\nlocation @item: ref\nclass @node\nclass @array\n\
             func f(v0: i64, v1: ref) -> i64 {{\nentry:\n    guard_true(v0) else {exit}\n    return v0\n}}\n"
        )
    }

    #[test]
    fn a_recipe_is_written_as_it_is_read() {
        let text = with(
            "leave 3(v0, v1, 2) with [made0 = new() @node, made1 = new_array(arg2) @array, \
             set_field(made0, arg0) @value, set_field(made0, made0) @next, set_item(made1, arg0, made0) @item, \
             set_field(arg1, made1) @next] as (made0, arg1, made1)",
        );
        let (module, diagnostics) = crate::text::read(&text);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let written = crate::text::write(&module, crate::text::Options::default());
        let (again, _) = crate::text::read(&written);
        let exit = |module: &crate::Module| {
            let f = module.functions.values().next().unwrap();
            let inst = f.live_insts().next().unwrap().1;
            f.recipe(f.inst(inst).exit.unwrap()).unwrap().clone()
        };
        assert_eq!(exit(&module), exit(&again));
        assert_eq!(exit(&module).state, [Slot::Made(0), Slot::Arg(1), Slot::Made(1)]);
        assert!(written.contains("set_field(arg1, made1) @next] as (made0, arg1, made1)"), "{written}");
        assert!(judge(&text).is_empty());
    }

    #[test]
    fn what_a_recipe_may_not_do_is_a_violation() {
        for (exit, wrong) in [
            ("leave 0(v0) with [use(arg0)] as (arg0)", "which no exit can do"),
            ("leave 0(v0) with [made0 = new() @node] as (made1)", "hands over made1, which is no value"),
            ("leave 0(v0) with [set_field(made1, arg0) @value] as ()", "uses made1, which is no value"),
            ("leave 0(v0) with [set_field(arg0, arg0) @value] as ()", "does not take arg0 of type i64"),
            ("leave 0(v1) with [made0 = new() @node, set_field(made0) @value] as ()", "has 1 operands"),
            ("leave 0(none, v1) with [set_field(arg1, arg0) @value] as ()", "does not take arg0"),
        ] {
            let found = judge(&with(exit)).concat();
            assert!(found.contains("V16") && found.contains(wrong), "{exit}: {found}");
        }
    }
}
