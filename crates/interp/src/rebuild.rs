//! Recipes of exits carried out: what is made when control leaves.
//!
//! Objects are allocated and stores made here as by operations of the function, so whoever compares two runs
//! finds them in the memory of both. Nothing in a recipe can leave: what would has no meaning.

use planish_ir::{Recipe, RecipeStep, Slot};
use planish_ops::meaning::Datum;
use planish_ops::{Fold, Machine, Op, Type, fold};

use crate::behaviour::End;
use crate::heap::Place;
use crate::machine::{Runner, Step};
use crate::value::{Reference, Val};

const UNDEFINED: End = End::Undefined("what is made on an exit depends on an undefined value");
const NO_ACCESS: End = End::Undefined("an access on an exit cannot be made");

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
            let operands: Vec<Val> = step.operands.iter().map(|&slot| value_of(slot, &args, &made)).collect();
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
                    self.heap.store(Place { owner: Some(object), field, index: Place::WHOLE }, value);
                    Ok(Val::Undefined)
                }
            },
            (Op::SetItem | Op::SetInterior | Op::StrSet, &[object, index, value]) => {
                let place = self.item(reference(object)?, word(index)?, field)?;
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
            (op @ (Op::Add | Op::Sub), &[Val::Int(x), Val::Int(y)]) => {
                match fold(op, &[Datum::<Machine>::Word(x), Datum::Word(y)], &[x.ty()]) {
                    Some(Fold::Int(sum)) => Ok(Val::Int(sum)),
                    _ => Err(UNDEFINED),
                }
            }
            _ => Err(UNDEFINED),
        }
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
