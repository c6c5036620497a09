//! What a guard hands over: fail arguments, and how the state behind it is made of them.
//!
//! PyPy prints the values that a guard keeps alive, each once and constants left out. How objects that are not made
//! are made of them is in resume data that no text shows. Here it stands behind the guard as operations and
//! the state itself, in a comment for PyPy's parser:
//!
//! ```text
//! guard_true(i3) [i1]  #! resume p4 = new_with_vtable(descr=nodesize); setfield_gc(p4, i1, descr=valuedescr); [p4, 7]
//! ```

use hashbrown::HashSet;
use planish_base::Span;
use planish_ir::{Exit, Recipe, Slot};
use planish_ops::Op;
use planish_ops::world::World;
use rustc_hash::FxBuildHasher;

use crate::descr::split;
use crate::emit::of_characters;
use crate::lower::{Illegal, Lowering};
use crate::opcode::{Kind, Lift, Opcode};
use crate::text::{Arg, OpData, Resume, ResumeId};

/// Whether an operation can be done where a guard fails.
pub(crate) fn is_step(opcode: Opcode) -> bool {
    match opcode.row().lift {
        // Of calls those that allocate outside the heap, of stores there those by bytes.
        Lift::Call => opcode.name() == "call_i",
        Lift::Named(Op::RawStore) => opcode.name() == "raw_store",
        Lift::Named(op) | Lift::Access(op) | Lift::Str(op, _) | Lift::Same(op) => Recipe::admits(op),
        _ => false,
    }
}

impl Lowering<'_> {
    /// The fail arguments of an exit, and what is made of them unless that is just themselves.
    pub(crate) fn fail_arguments(&mut self, exit: Exit) -> Result<(Vec<Arg>, Option<ResumeId>), Illegal> {
        let function = self.function;
        let all = self.args(function.exit_args(exit))?;
        let constant = |arg: &Arg| !matches!(arg, Arg::Var(_) | Arg::Hole);
        let recipe = function.recipe(exit);
        if recipe.is_none() && !(self.behind_optimizer && all.iter().any(constant)) {
            return Ok((all, None));
        }
        let mut seen: HashSet<Arg, FxBuildHasher> = HashSet::default();
        let listed = all.iter().copied().filter(|arg| !constant(arg) && seen.insert(*arg)).collect();
        let mut plain = Recipe::default();
        plain.state.extend((0..all.len() as u32).map(Slot::Arg));
        let resume = self.resume(recipe.unwrap_or(&plain), &all);
        Ok((listed, Some(self.trace.resumes.push(resume))))
    }

    /// The operations of a recipe and the state that they give.
    fn resume(&mut self, recipe: &Recipe, args: &[Arg]) -> Resume {
        let mut made: Vec<Arg> = Vec::with_capacity(recipe.steps.len());
        let mut steps = Vec::with_capacity(recipe.steps.len());
        let value = |slot: Slot, made: &[Arg]| match slot {
            Slot::Arg(position) => args[position as usize],
            Slot::Made(step) => made[step as usize],
        };
        for step in &recipe.steps {
            let full = step.descr.map_or("", |descr| self.module.descriptors.name(descr));
            let (first, text) = split(full);
            let (name, text) = match step.op {
                Op::New => (if first == "new" { "new" } else { "new_with_vtable" }, text),
                Op::NewArray if first == "new_array" => ("new_array", text),
                Op::NewArray => ("new_array_clear", text),
                Op::SetField => ("setfield_gc", text),
                Op::SetItem => ("setarrayitem_gc", text),
                Op::SetInterior => ("setinteriorfield_gc", text),
                Op::NewStr => (of_characters(full, "newstr", "newunicode"), ""),
                Op::StrSet => (of_characters(full, "strsetitem", "unicodesetitem"), ""),
                Op::StrCopy => (of_characters(full, "copystrcontent", "copyunicodecontent"), ""),
                Op::StrLen => (of_characters(full, "strlen", "unicodelen"), ""),
                Op::Call => ("call_i", text),
                Op::RawStore => ("raw_store", text),
                Op::Sub => ("int_sub", ""),
                _ => ("int_add", ""),
            };
            let kind = match step.op {
                Op::New | Op::NewArray | Op::NewStr => Some(Kind::Ref),
                Op::StrLen | Op::Call | Op::Add | Op::Sub => Some(Kind::Int),
                _ => None,
            };
            let result = kind.map(|kind| self.fresh(kind));
            let operands: Vec<Arg> = recipe.operands(step).iter().map(|&slot| value(slot, &made)).collect();
            steps.push(OpData {
                opcode: Opcode::from_name(name),
                name: None,
                result,
                args: self.trace.lists.push(&operands),
                descr: (!text.is_empty()).then(|| self.texts.intern_str(text)),
                fail: None,
                resume: None,
                offset: None,
                span: Span::default(),
            });
            made.push(result.map_or(Arg::Hole, Arg::Var));
        }
        let state: Vec<Arg> = recipe.state.iter().map(|&slot| value(slot, &made)).collect();
        Resume { steps, state: self.trace.lists.push(&state) }
    }
}
