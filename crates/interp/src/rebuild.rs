//! Recipes of exits carried out: what is made when control leaves.
//!
//! Objects are allocated and stores made here as by operations of the function, so whoever compares two runs
//! finds them in the memory of both. Nothing in a recipe can leave: what would has no meaning.

use planish_ir::{Recipe, RecipeStep, Slot};
use planish_ops::meaning::Datum;
use planish_ops::world::{CallEffect, Meaning};
use planish_ops::{Fold, Machine, Op, Type, fold};

use crate::behaviour::End;
use crate::machine::{Runner, Step};
use crate::place::Place;
use crate::value::{Reference, Val};

const UNDEFINED: End = End::undefined("what is made on an exit depends on an undefined value");
const THROWS: End = End::undefined("a call on an exit throws");
const NO_ACCESS: End = End::undefined("an access on an exit cannot be made");

fn reference(value: Val) -> Step<Reference> {
    match value {
        Val::Ref(reference) => Ok(reference),
        _ => Err(UNDEFINED),
    }
}

fn word(value: Val) -> Step<i64> {
    match value {
        Val::Int(int) => Ok(int.signed()),
        _ => Err(UNDEFINED),
    }
}

impl Runner<'_, '_> {
    /// Makes what a recipe says of the arguments of its exit; the values that the other side gets. O(size of
    /// the recipe and of the strings that it copies).
    pub(crate) fn rebuild(&mut self, recipe: &Recipe, args: Vec<Val>) -> Step<Vec<Val>> {
        let mut made: Vec<Val> = Vec::with_capacity(recipe.steps.len());
        for step in &recipe.steps {
            let operands: Vec<Val> =
                recipe.operands(step).iter().map(|&slot| value_of(slot, &args, &made)).collect();
            made.push(self.recipe_step(step, &operands)?);
        }
        Ok(recipe.state.iter().map(|&slot| value_of(slot, &args, &made)).collect())
    }

    /// The result of a step; undefined for one without.
    fn recipe_step(&mut self, step: &RecipeStep, operands: &[Val]) -> Step<Val> {
        let field = self.heap.key(self.program.world, step.descr);
        match (step.op, operands) {
            (Op::New, _) => {
                self.place_class(step.descr, field);
                Ok(Val::Ref(self.heap.allocate(field, None)))
            }
            (Op::NewArray | Op::NewStr, &[length]) => {
                let length = u64::try_from(word(length)?).map_err(|_| NO_ACCESS)?;
                Ok(Val::Ref(self.heap.allocate(field, Some(length))))
            }
            (Op::SetField, &[object, value]) => match reference(object)? {
                Reference::Null => Err(NO_ACCESS),
                object => {
                    let place = Place { owner: Some(object), field, index: Place::WHOLE };
                    if self.program.rpython_types {
                        self.heap.has_room(place, value, self.program.rpython_types)?;
                    }
                    self.heap.store(place, value);
                    Ok(Val::Undefined)
                }
            },
            (Op::SetItem | Op::SetInterior | Op::StrSet, &[object, index, value]) => {
                let place = self.item(reference(object)?, word(index)?, field)?;
                if step.op == Op::StrSet || self.program.rpython_types {
                    self.heap.has_room(place, value, self.program.rpython_types)?;
                }
                self.heap.store(place, value);
                Ok(Val::Undefined)
            }
            (Op::StrCopy, &[from, to, start, offset, length]) => {
                let (from, to) = (reference(from)?, reference(to)?);
                let (start, offset, length) = (word(start)?, word(offset)?, word(length)?);
                let ty = self.heap.fields[&field].location.map_or(Type::I64, |location| location.ty);
                self.burn(u64::try_from(length).map_err(|_| NO_ACCESS)?)?;
                for at in 0..length {
                    let source = self.item(from, start.saturating_add(at), field)?;
                    let target = self.item(to, offset.saturating_add(at), field)?;
                    let character = self.heap.load(self.scenario, source, ty);
                    self.heap.store(target, character);
                }
                Ok(Val::Undefined)
            }
            (Op::StrLen, &[string]) => match reference(string)? {
                Reference::Null => Err(NO_ACCESS),
                string => Ok(Val::int(Type::I64, self.heap.length(self.scenario, string) as i64)),
            },
            (Op::RawStore, &[address, offset, value]) => {
                let access = step.descr.and_then(|descr| self.program.world.raw_access(descr));
                let distance = word(offset)?.wrapping_mul(access.map_or(1, |access| access.scale));
                let address = (word(address)? as u64).wrapping_add(distance as u64);
                self.store_raw(address, value, step.descr)?;
                Ok(Val::Undefined)
            }
            (Op::Call, &[_, size]) if self.allocates(step) => self.allocate_raw(size),
            (Op::Call, args) => {
                let name = step.descr.map_or("?", |descr| self.program.world.name(descr));
                let effect = step
                    .descr
                    .map_or_else(CallEffect::unknown, |descr| self.program.world.call_effect(descr).clone());
                match self.outside(name, effect, args, &[Type::I64])? {
                    Ok(results) => Ok(results[0]),
                    Err(_) => Err(THROWS),
                }
            }
            (op @ (Op::Add | Op::Sub), &[Val::Int(x), Val::Int(y)]) => {
                match fold(op, &[Datum::<Machine>::Word(x), Datum::Word(y)], &[x.ty()]) {
                    Some(Fold::Int(sum)) => Ok(Val::Int(sum)),
                    _ => Err(UNDEFINED),
                }
            }
            _ => Err(UNDEFINED),
        }
    }

    /// Whether a step allocates memory outside the heap.
    fn allocates(&self, step: &RecipeStep) -> bool {
        let meaning = step.descr.and_then(|descr| self.program.world.meaning(descr));
        matches!(meaning, Some((Meaning::RawMalloc, _)))
    }

    /// The place of an item. That an index is within an outside array, whoever wrote the access saw to, as in
    /// one without an exit.
    fn item(&self, object: Reference, index: i64, field: u64) -> Step<Place> {
        let within = match object {
            Reference::Null => false,
            Reference::Outside(_) => true,
            _ => (0..self.heap.length(self.scenario, object) as i64).contains(&index),
        };
        match within {
            true => Ok(Place { owner: Some(object), field, index: index as u64 }),
            false => Err(NO_ACCESS),
        }
    }
}

fn value_of(slot: Slot, args: &[Val], made: &[Val]) -> Val {
    let found = match slot {
        Slot::Arg(position) => args.get(position as usize),
        Slot::Made(step) => made.get(step as usize),
    };
    found.copied().unwrap_or(Val::Undefined)
}

#[cfg(test)]
mod tests {
    use planish_ir::text;

    use crate::{Limits, Program, Scenario, run};

    /// Memory outside the heap that an exit allocates and fills in is what it would be if it were made before.
    #[test]
    fn what_an_exit_does_to_raw_memory_is_done() {
        let parts = |exit: &str, body: &str| {
            format!(
                "location @byte: i64 bits 8 raw class 1\nlocation @word: i64 raw class 1\ncallee @malloc reads () writes ()\n\n\
                 func f(v0: i64, v1: i64) -> i64 {{\nentry:\n{body}    guard_false(1) else {exit}\n    return v0\n}}\n"
            )
        };
        let at_exit = parts(
            "leave 0(v0, v1, 16, 8, 3) with [made0 = call(arg2) @malloc, raw_store(made0, arg3, arg1) @word, \
             raw_store(made0, arg4, arg0) @byte] as (made0)",
            "",
        );
        let before = parts(
            "leave 0(v2)",
            "    v2: i64 = call(16) @malloc\n    raw_store(v2, 8, v1) @word\n    raw_store(v2, 3, v0) @byte\n",
        );
        let behaviour = |source: &str| {
            let (module, diagnostics) = text::read(source);
            assert!(diagnostics.is_empty(), "{diagnostics:?}\n{source}");
            let f = module.functions.values().next().expect("a function");
            let (program, scenario) = (Program::of(&module), Scenario::new(7));
            let types: Vec<_> = f.params().iter().map(|&param| f.ty(param)).collect();
            run(&program, f, &scenario.arguments(&types), &scenario, Limits::default()).to_string()
        };
        let shown = behaviour(&at_exit);
        assert!(shown.contains("malloc(16)") && shown.contains("leave 0"), "{shown}");
        assert_eq!(shown, behaviour(&before));
    }
}
