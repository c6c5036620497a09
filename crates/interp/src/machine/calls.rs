//! Calls: of functions of the program, of functions whose meaning is known, of the outside; by name, and through references.
//!
//! In a function that has `guard_no_exception` or `guard_exception` a call without an exit does not unwind: the
//! exception stays pending for those guards.

use planish_ir::references::fits;
use planish_ir::{Function, Inst};
use planish_ops::world::{CallEffect, Extension, Made};
use planish_ops::{Op, Type};

use super::{Outcome, Results, Runner, Step};
use crate::behaviour::{End, Event};
use crate::scenario::name_key;
use crate::value::{Fault, Reference, Val};

impl<'h> Runner<'_, 'h> {
    pub(super) fn call(&mut self, f: &'h Function, inst: Inst) -> Step<Outcome> {
        self.was_looked_at()?;
        let mut args = self.gather(f.args(inst));
        let mut descr = f.inst(inst).descr;
        let conditional = descr.and_then(|descr| self.program.world.unconditional(descr));
        if let Some(call) = conditional {
            let made = descr.map_or(Made::Always, |descr| self.program.world.call_effect(descr).made);
            if let Some(results) = Self::not_made(made, &args)? {
                self.frame_mut().pending = None;
                if let (Results::One(value), Some(operands)) = (&results, args.get(1..)) {
                    self.is_what_a_call_gives(call, operands, Some(*value))?;
                }
                return Ok(Outcome::Yield(results));
            }
            args.remove(0);
            descr = Some(call);
        }
        let name = descr.map_or("?", |descr| self.program.world.name(descr));
        if let Some(&callee) = self.program.functions.get(name) {
            if self.frames.len() >= self.max_frames {
                return Err(End::OutOfFuel);
            }
            self.enter(callee, callee.entry(), &args);
            return Ok(Outcome::Entered);
        }
        let types: Vec<Type> = f.results(inst).map(|result| f.ty(result)).collect();
        if let Some(what) = descr.and_then(|descr| self.program.world.cells(descr)) {
            self.frame_mut().pending = None;
            let answer = self.cells.call(what, &args, types.first().copied()).map_err(End::undefined)?;
            return Ok(Outcome::Yield(answer.map_or(Results::None, Results::One)));
        }
        let effect = match descr {
            Some(descr) => self.program.world.call_effect(descr).clone(),
            None => CallEffect::unknown(),
        };
        if let Some(results) = Self::not_made(effect.made, &args)? {
            self.frame_mut().pending = None;
            return Ok(Outcome::Yield(results));
        }
        if let Some(results) = self.raw_call(f, inst, &args)? {
            self.frame_mut().pending = None;
            return Ok(Outcome::Yield(results));
        }
        if let Some(results) = self.meant_call(f, inst, descr, &args)? {
            self.frame_mut().pending = None;
            return Ok(Outcome::Yield(results));
        }
        let elidable = effect.elidable || descr.is_some_and(|descr| self.program.world.made_once(descr));
        if (elidable || effect.loop_invariant)
            && let Some(result) = self.known_result(&args, &types)
        {
            self.frame_mut().pending = None;
            return Ok(Outcome::Yield(Results::One(result)));
        }
        if let Some(found) = self.looked_up(descr, &args)? {
            self.frame_mut().pending = None;
            return Ok(Outcome::Yield(Results::One(found)));
        }
        let effect = CallEffect { elidable, ..effect };
        // However it is written that a function is called, it gives the same.
        let called = descr.map_or(name, |descr| self.program.world.called(descr));
        let others = self.left_alone(descr, &args)?;
        let answer = self.outside(called, effect, &args, &types)?;
        self.look_ups.extend(others);
        if let (Some(descr), Ok(&[found])) = (descr, answer.as_deref()) {
            self.remember_look_up(descr, &args, found)?;
        }
        if let Some(callee) = descr.filter(|&descr| self.program.world.made_once(descr)) {
            self.is_what_a_call_gives(
                callee,
                &args,
                answer.as_ref().ok().and_then(|given| given.first().copied()),
            )?;
        }
        Ok(self.answered(f, inst, answer))
    }

    /// A call through a reference: of the function of the program that it refers to if the call fits it, of the outside if
    /// it refers to something else that was there before the run.
    pub(super) fn call_reference(&mut self, f: &'h Function, inst: Inst) -> Step<Outcome> {
        self.was_looked_at()?;
        let args = self.gather(f.args(inst));
        let (object, reference) = match args[0] {
            Val::Ref(reference @ Reference::Outside(object)) => (object, reference),
            Val::Ref(Reference::Null) => return Ok(Outcome::Leave(Reference::Thrown(Fault::Null))),
            Val::Undefined => return Err(End::undefined("what is called is undefined")),
            _ => return Ok(Outcome::Leave(Reference::Thrown(Fault::Cast))),
        };
        if let Some(callee) = self.referred(object) {
            if !fits(f, inst, callee) {
                return Ok(Outcome::Leave(Reference::Thrown(Fault::Cast)));
            }
            if self.frames.len() >= self.max_frames {
                return Err(End::OutOfFuel);
            }
            self.enter(callee, callee.entry(), &args[1..]);
            return Ok(Outcome::Entered);
        }
        let effect = match f.inst(inst).descr {
            Some(descr) => self.program.world.call_effect(descr).clone(),
            None => CallEffect::unknown(),
        };
        let name = self.names.get(&object).cloned().unwrap_or_else(|| reference.to_string());
        let types: Vec<Type> = f.results(inst).map(|result| f.ty(result)).collect();
        let answer = self.outside(&name, effect, &args[1..], &types)?;
        Ok(self.answered(f, inst, answer))
    }

    /// How the result of a call is made of fewer bits, whoever is called.
    pub(super) fn result_extension(&self, f: &Function, inst: Inst) -> Option<Extension> {
        let data = f.inst(inst);
        let callee = data.descr.filter(|_| matches!(data.op, Op::Call | Op::CallRef))?;
        self.program.world.call_effect(callee).result
    }

    /// The function of the program that an object is.
    pub(super) fn referred(&mut self, object: u64) -> Option<&'h Function> {
        let program = self.program;
        let functions = self.referred.get_or_insert_with(|| program.referred());
        functions.get(&object).copied()
    }

    /// What becomes of what the outside answered: results, or an exception that leaves or waits for a guard.
    fn answered(&mut self, f: &Function, inst: Inst, answer: Result<Vec<Val>, Reference>) -> Outcome {
        let results = match answer {
            Ok(results) => results,
            Err(thrown) => {
                let pends = self.frame().pends;
                if f.inst(inst).exit.is_some() || !pends {
                    self.frame_mut().pending = None;
                    return Outcome::Leave(thrown);
                }
                self.frame_mut().pending = Some(thrown);
                let zeros = f.results(inst).map(|result| Val::zero(f.ty(result))).collect();
                return Outcome::Yield(Results::Many(zeros));
            }
        };
        self.frame_mut().pending = None;
        Outcome::Yield(Results::Many(results))
    }

    /// A call of a function that is not of the program: its results, or what it throws.
    pub(crate) fn outside(
        &mut self,
        name: &str,
        effect: CallEffect,
        args: &[Val],
        types: &[Type],
    ) -> Step<Result<Vec<Val>, Reference>> {
        let mut question = vec![name_key("call"), name_key(name)];
        if effect.loop_invariant {
            question.push(1);
        } else if effect.elidable {
            if args.contains(&Val::Undefined) && effect.raises {
                return Err(End::undefined("whether a call raises depends on an undefined value"));
            }
            if args.contains(&Val::Undefined) {
                return Ok(Ok(vec![Val::Undefined; types.len()]));
            }
            for &arg in args {
                question.push(self.question(arg)?);
            }
        } else {
            self.event(name.to_owned(), args.to_vec(), effect.reads, effect.writes);
            let now = self.heap.events();
            question.extend([2, now]);
            let chance =
                |what: &str, one_in: u64| self.scenario.ask(&[name_key(what), now]).is_multiple_of(one_in);
            let forced = effect.forces_virtuals && chance("forced", 16);
            let invalidated = effect.invalidates && chance("invalidated", 16);
            self.forced = forced;
            if invalidated {
                self.invalidated = true;
                self.heap.invalidate();
            }
        }
        let answer = self.host.call(name, args, types);
        let throws = effect.raises && answer.is_none() && self.scenario.ask(&question).is_multiple_of(8);
        if throws {
            question.push(3);
            return Ok(Err(Reference::Outside((1 << 50) | (self.scenario.ask(&question) % 4))));
        }
        Ok(Ok(answer.unwrap_or_else(|| {
            let result = |(&ty, i): (&Type, u64)| {
                question.push(4 + i);
                let value = self.scenario.value(&question, ty);
                question.pop();
                value
            };
            types.iter().zip(0..).map(result).collect()
        })))
    }

    /// What a call yields that is not made because of its first argument.
    fn not_made(made: Made, args: &[Val]) -> Step<Option<Results>> {
        let Some(&first) = args.first().filter(|_| made != Made::Always) else { return Ok(None) };
        let zero = match first {
            Val::Int(int) => !int.is_true(),
            Val::Ref(reference) => reference == Reference::Null,
            Val::Real(_) | Val::State | Val::Vector(_) => return Ok(None),
            Val::Undefined => {
                return Err(End::undefined("whether a call is made depends on an undefined value"));
            }
        };
        Ok(match made {
            Made::UnlessZero if zero => Some(Results::None),
            Made::IfZero if !zero => Some(Results::One(first)),
            _ => None,
        })
    }

    /// Something that the outside notices.
    pub(crate) fn event(
        &mut self,
        what: String,
        args: Vec<Val>,
        reads: Option<Vec<u32>>,
        writes: Option<Vec<u32>>,
    ) {
        let written = self.heap.event(&args, reads.as_deref(), writes.as_deref());
        self.forget_look_ups(writes.as_deref());
        self.events.push(Event { what, args, written, reads, writes });
    }
}
