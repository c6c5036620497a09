//! Recording a bridge: a trace that goes on where a guard of another one, its parent, fails.
//!
//! The parent is optimized, and what holds where its guard fails is told to the bridge ([`planish_opt::bridge`]): operations on its
//! inputs, and remarks about what they give. An optimizing recorder has used them when the next operation comes; another one keeps
//! them for the [`Optimizer`](crate::Optimizer). What nothing uses goes in the end, and the remarks with it.

use planish_ir::bridge::FactKinds;
use planish_ir::{Slot, Value};
use planish_ops::{Op, Type};
use planish_opt::bridge::{Parent, Taken, handed_over, is_left, left_to_make, tell};

use crate::record::Recorder;
use crate::refused::Refused;
use crate::trace::Trace;

impl Recorder {
    /// Begins a bridge: a trace that goes on where `parent` leaves through an exit. Its inputs, which are given back, are the values
    /// that the guard was recorded with, in order, holes left out. What the optimized parent knows there the bridge knows too: classes,
    /// ranges and bits, what memory holds, and how the condition of the guard came out. Refused is an exit that no guard of the parent
    /// has: then that never fails. A trace at hand is given up. O(length of the parent).
    pub fn begin_bridge(&mut self, name: &str, parent: &Trace, exit: u32) -> Result<&[Value], Refused> {
        self.tell(name, parent, exit, Taken::State)?;
        Ok(self.function.block_params(self.blocks().0))
    }

    /// The same where whoever runs the traces hands over what the guard *keeps*, [`Leave::live`](crate::Leave), and does not carry
    /// out its recipe: the inputs of the bridge are those values, holes left out. Given back are the values that the guard was
    /// recorded with, all the same. Objects that only the guard needs are made by the bridge, where it needs them: mostly never.
    /// The steps of the recipe count among the recorded operations. Refused are guards that keep different things for one exit, as
    /// those of a loop that was peeled may.
    pub fn begin_bridge_unmade(
        &mut self,
        name: &str,
        parent: &Trace,
        exit: u32,
    ) -> Result<&[Value], Refused> {
        let leaving = Parent { function: &parent.function, exit };
        let left = left_to_make(leaving);
        let hands = |taken| handed_over(leaving, taken);
        if left.is_none() && is_left(leaving) && hands(Taken::State) != hands(Taken::Kept) {
            return Err(Refused::Differently(exit));
        }
        self.tell(name, parent, exit, Taken::Kept)?;
        let Some((recipe, holes)) = left else {
            return Ok(self.function.block_params(self.blocks().0));
        };
        let mut inputs = self.function.block_params(self.blocks().0).to_vec().into_iter();
        let kept: Vec<Option<Value>> =
            holes.iter().map(|&hole| if hole { None } else { inputs.next() }).collect();
        let mut made: Vec<Option<Value>> = Vec::with_capacity(recipe.steps.len());
        for step in &recipe.steps {
            let operands: Option<Vec<Value>> =
                recipe.operands(step).iter().map(|&slot| value_of(slot, &kept, &made)).collect();
            let named: &[Type] = if step.op == Op::StrLen { &[Type::I64] } else { &[] };
            let operands = operands.ok_or(Refused::Differently(exit))?;
            let result = self.add(step.op, &operands, named, step.descr, None)?.next();
            made.push(result);
        }
        self.bridge.state.clear();
        self.bridge.state.extend(recipe.state.iter().filter_map(|&slot| value_of(slot, &kept, &made)));
        Ok(&self.bridge.state)
    }

    /// Begins a trace with what holds where a parent leaves.
    fn tell(&mut self, name: &str, parent: &Trace, exit: u32, taken: Taken) -> Result<(), Refused> {
        let leaving = Parent { function: &parent.function, exit };
        let refused = if is_left(leaving) { Refused::Differently(exit) } else { Refused::NoExit(exit) };
        let types = handed_over(leaving, taken).ok_or(refused)?;
        self.begin(name, &types)?;
        let engine = self.bridge.engine.get_or_insert_with(Box::default);
        let promises = (self.words.promises(), FactKinds::default());
        let world = &self.words.descriptors;
        let told = tell(engine, (&[leaving], taken), &mut self.function, world, promises);
        self.bridge.told = told.is_some();
        let entry = self.blocks().0;
        let ahead = self.function.block_insts(entry).to_vec();
        if self.streaming(|_, _| ()).is_some() {
            self.function.replace_insts(entry, Vec::new());
            for inst in ahead {
                self.streaming(|stream, tape| stream.record(tape, inst));
            }
        }
        Ok(())
    }
}

/// The value of a slot of a recipe.
fn value_of(slot: Slot, kept: &[Option<Value>], made: &[Option<Value>]) -> Option<Value> {
    match slot {
        Slot::Arg(position) => kept.get(position as usize).copied().flatten(),
        Slot::Made(step) => made.get(step as usize).copied().flatten(),
    }
}
