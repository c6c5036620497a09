//! Where control goes: terminators, and exits up to whoever takes what is thrown.
//!
//! An operation that leaves goes to its exit: `Leave` ends the run, a handler goes on in its block, and
//! `Unwind`, like no exit at all, throws out of the function to the exit of the call that entered it. A
//! fault that nobody catches is a trap. A function that was not called may go on at an entrance of another one, and where it
//! leaves a bridge may take over.

use planish_base::Id;
use planish_ir::{Block, BlockCall, Exit, ExitTarget, Function, Terminator, Value};

use super::{Results, Runner, Step};
use crate::behaviour::End;
use crate::scenario::{mix, name_key};
use crate::value::{Fault, Reference, Val};

impl<'h> Runner<'_, 'h> {
    pub(super) fn terminator(&mut self, terminator: &'h Terminator) -> Step {
        match terminator {
            Terminator::Jump(call) => {
                self.was_looked_at()?;
                self.counts.jumps += 1;
                self.go(*call);
                Ok(())
            }
            Terminator::Branch { condition, then, other } => {
                self.counts.branches += 1;
                let Val::Int(int) = self.get(*condition) else {
                    return Err(End::undefined("a branch on an undefined value"));
                };
                self.go(if int.is_true() { *then } else { *other });
                Ok(())
            }
            Terminator::Switch { on, cases, default } => {
                self.counts.branches += 1;
                let Val::Int(int) = self.get(*on) else {
                    return Err(End::undefined("a switch on an undefined value"));
                };
                let case = cases.iter().find(|(key, _)| *key == int);
                self.go(case.map_or(*default, |(_, call)| *call));
                Ok(())
            }
            Terminator::Return(results) => {
                self.was_looked_at()?;
                let f = self.frame().f;
                let results = self.gather(f.list(*results));
                let block = self.frame().block;
                self.frames.pop();
                if self.frames.is_empty() {
                    if let Some((target, entrance)) = self.program.goes_on(f, block) {
                        self.enter(target, entrance, &results);
                        return Ok(());
                    }
                    for &result in &results {
                        self.heap.escape(result);
                    }
                    return Err(End::Return(results));
                }
                let caller = self.frame();
                let (f, inst) = (caller.f, caller.f.block_insts(caller.block)[caller.position]);
                self.assign(f, inst, Results::Many(results));
                self.frame_mut().position += 1;
                Ok(())
            }
            Terminator::Throw(value, exit) => {
                let Val::Ref(thrown) = self.get(*value) else {
                    return Err(End::undefined("an undefined value is thrown"));
                };
                match thrown {
                    Reference::Null => self.leave(*exit, Reference::Thrown(Fault::Null)),
                    _ => self.leave(*exit, thrown),
                }
            }
            Terminator::Unreachable => Err(End::undefined("unreachable code is reached")),
        }
    }

    fn go(&mut self, call: BlockCall) {
        let f = self.frame().f;
        self.go_with(f, call.block, None, f.list(call.args));
    }

    /// Goes to a block; its parameters take their values at once.
    fn go_with(&mut self, f: &Function, block: Block, first: Option<Val>, args: &[Value]) {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        scratch.extend(first);
        scratch.extend(args.iter().map(|&arg| self.get(arg)));
        let frame = self.frame_mut();
        for (&param, &value) in f.block_params(block).iter().zip(&scratch) {
            frame.values[param.index()] = value;
        }
        (frame.block, frame.position) = (block, 0);
        self.scratch = scratch;
    }

    /// Leaves through an exit of the last frame, and through those of its callers where it unwinds.
    pub(super) fn leave(&mut self, exit: Option<Exit>, thrown: Reference) -> Step {
        let (mut exit, mut kept) = (exit, Vec::new());
        loop {
            let f = self.frame().f;
            if let Some(exit) = exit {
                let args = f.exit_args(exit);
                match &f.exit(exit).target {
                    ExitTarget::Leave(number) => {
                        self.was_looked_at()?;
                        let mut args = self.gather(args);
                        if let Some(recipe) = f.recipe(exit) {
                            args = self.rebuild(recipe, args)?;
                        }
                        // Holes are handed to nobody.
                        let handed = args.iter().copied().filter(|&arg| arg != Val::State);
                        if self.frames.len() == 1
                            && let Some(bridge) =
                                self.program.taken_over(*number, handed.clone().map(Val::ty))
                        {
                            let handed: Vec<Val> = handed.collect();
                            self.went_over.push(*number);
                            self.frames.pop();
                            self.enter(bridge, bridge.entry(), &handed);
                            return Ok(());
                        }
                        for &arg in &args {
                            self.heap.escape(arg);
                        }
                        return Err(End::Leave(*number, args));
                    }
                    ExitTarget::Unwind => kept = self.gather(args),
                    ExitTarget::To(handlers) => {
                        for handler in handlers {
                            let takes = match handler.class {
                                None => true,
                                Some(class) => {
                                    let key = self.heap.key(self.program.world, Some(class));
                                    self.is_instance(thrown, key)
                                }
                            };
                            if takes {
                                self.go_with(f, handler.block, Some(Val::Ref(thrown)), args);
                                return Ok(());
                            }
                        }
                    }
                }
            }
            self.frames.pop();
            let Some(caller) = self.frames.last() else {
                self.heap.escape(Val::Ref(thrown));
                return Err(match thrown {
                    Reference::Thrown(Fault::Null | Fault::Bounds | Fault::NegativeLength)
                        if self.wild_accesses && exit.is_none() =>
                    {
                        End::undefined("an access that cannot be made")
                    }
                    // A trace goes on behind a call that raised, until a guard looks.
                    Reference::Outside(_) if self.wild_accesses && exit.is_none() => {
                        End::undefined("an exception that no guard looks at")
                    }
                    Reference::Thrown(fault) if kept.is_empty() => End::Trap(fault),
                    _ => End::Throw(thrown, kept),
                });
            };
            exit = caller.f.inst(caller.f.block_insts(caller.block)[caller.position]).exit;
            kept.clear();
        }
    }

    /// Whether an object, not null, is of the class of a key or one below it.
    pub(crate) fn is_instance(&self, object: Reference, class: u64) -> bool {
        let own = match object {
            Reference::Null => return false,
            Reference::Outside(n) => mix(1, n),
            Reference::Fresh(n) => self.heap.fresh[n as usize].class,
            Reference::Thrown(fault) => name_key(fault.name()),
        };
        own == class || self.scenario.ask(&[name_key("instance"), own, class]).is_multiple_of(2)
    }

    /// A trace goes on behind a call that raised until a guard looks, and means nothing if none does.
    pub(super) fn was_looked_at(&self) -> Step {
        match self.frame().pending {
            Some(_) if self.wild_accesses => Err(End::undefined("an exception that no guard looks at")),
            _ => Ok(()),
        }
    }
}
