//! How blocks of the function at hand end.

use planish::base::Id;
use planish::ops::Int;
use planish::{Block, Terminator, Type, Value};

use super::datum::fits;
use super::handle::{Begun, PlanishModule};
use super::operations::{PlanishExit, list};
use crate::border::{Failed, Status, array, refused, with};

/// A block with arguments for its parameters.
#[repr(C)]
pub struct PlanishTarget {
    pub block: u32,
    pub arguments: *const u32,
    pub count: usize,
}

/// A target that was looked at.
type Target = (Block, Vec<Value>);

impl Begun {
    /// A target of the caller's, whose arguments are those of the block's parameters.
    fn target(&self, target: &PlanishTarget) -> Result<Target, Failed> {
        let arguments = array(target.arguments, target.count, "arguments")?;
        let (f, block, arguments) =
            (self.builder.function(), self.block(target.block)?, self.values(arguments)?);
        if block == f.entry() {
            return refused("nothing goes to the entry of a function");
        }
        let types = |values: &[Value]| values.iter().map(|&value| f.ty(value)).collect::<Vec<_>>();
        let (takes, given) = (types(f.block_params(block)), types(&arguments));
        match takes == given {
            true => Ok((block, arguments)),
            false => {
                refused(format!("{} takes ({}), not ({})", self.called(block), list(&takes), list(&given)))
            }
        }
    }

    /// A value that decides where to go on, and its type.
    fn condition(&self, value: u32) -> Result<(Value, Type), Failed> {
        let value = self.value(value)?;
        let ty = self.builder.function().ty(value);
        match ty.int_width() {
            Some(_) => Ok((value, ty)),
            None => refused(format!("what decides where to go on is of type {ty}, and is no integer")),
        }
    }

    /// Ends the block at hand.
    fn end(&mut self, terminator: Terminator) {
        self.builder.terminate(terminator);
        self.ended[self.block.index()] = true;
    }
}

/// Does something with the open block at hand.
fn ending(
    module: Option<&mut PlanishModule>,
    act: impl FnOnce(&mut Begun) -> Result<Terminator, Failed>,
) -> Status {
    with(module, |m| {
        let (begun, _) = m.building()?;
        begun.is_open()?;
        let terminator = act(begun)?;
        begun.end(terminator);
        Ok(())
    })
}

/// Ends the block with a jump.
#[unsafe(no_mangle)]
pub extern "C" fn planish_build_jump(
    module: Option<&mut PlanishModule>,
    block: u32,
    arguments: *const u32,
    count: usize,
) -> Status {
    ending(module, |begun| {
        let (block, arguments) = begun.target(&PlanishTarget { block, arguments, count })?;
        Ok(Terminator::Jump(begun.builder.call(block, &arguments)))
    })
}

/// Ends the block with a branch.
#[unsafe(no_mangle)]
pub extern "C" fn planish_build_branch(
    module: Option<&mut PlanishModule>,
    condition: u32,
    then: Option<&PlanishTarget>,
    other: Option<&PlanishTarget>,
) -> Status {
    ending(module, |begun| {
        let (then, other) = (then.ok_or(Failed::Null("then"))?, other.ok_or(Failed::Null("other"))?);
        let (condition, _) = begun.condition(condition)?;
        let (then, other) = (begun.target(then)?, begun.target(other)?);
        let then = begun.builder.call(then.0, &then.1);
        let other = begun.builder.call(other.0, &other.1);
        Ok(Terminator::Branch { condition, then, other })
    })
}

/// Ends the block with a switch.
#[unsafe(no_mangle)]
pub extern "C" fn planish_build_switch(
    module: Option<&mut PlanishModule>,
    on: u32,
    keys: *const i64,
    targets: *const PlanishTarget,
    count: usize,
    other: Option<&PlanishTarget>,
) -> Status {
    ending(module, |begun| {
        let (keys, targets) = (array(keys, count, "keys")?, array(targets, count, "targets")?);
        let other = other.ok_or(Failed::Null("other"))?;
        let (on, ty) = begun.condition(on)?;
        let width = ty.int_width().unwrap_or(64);
        if let Some(key) = keys.iter().find(|&&key| !fits(ty, key)) {
            return refused(format!("{key} does not fit in {ty}"));
        }
        let keys: Vec<Int> = keys.iter().map(|&key| Int::new(width, key as u64)).collect();
        let mut sorted: Vec<u64> = keys.iter().map(|key| key.unsigned()).collect();
        sorted.sort_unstable();
        if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return refused(format!("the key {} stands twice", Int::new(width, twice[0])));
        }
        let targets: Vec<Target> =
            targets.iter().map(|target| begun.target(target)).collect::<Result<_, _>>()?;
        let other = begun.target(other)?;
        let calls = targets.iter().map(|(block, arguments)| begun.builder.call(*block, arguments));
        let cases = keys.into_iter().zip(calls).collect();
        let default = begun.builder.call(other.0, &other.1);
        Ok(Terminator::Switch { on, cases, default })
    })
}

/// Ends the block with a return.
#[unsafe(no_mangle)]
pub extern "C" fn planish_build_return(
    module: Option<&mut PlanishModule>,
    results: *const u32,
    count: usize,
) -> Status {
    with(module, |m| {
        let results = array(results, count, "results")?;
        let (begun, _) = m.building()?;
        begun.is_open()?;
        let results = begun.values(results)?;
        let f = begun.builder.function();
        let given: Vec<Type> = results.iter().map(|&value| f.ty(value)).collect();
        if given != f.result_types() {
            let gives = list(f.result_types());
            return refused(format!("`{}` gives ({gives}), not ({})", f.name, list(&given)));
        }
        begun.builder.ret(&results);
        begun.ended[begun.block.index()] = true;
        Ok(())
    })
}

/// Ends the block by throwing an exception.
#[unsafe(no_mangle)]
pub extern "C" fn planish_build_throw(
    module: Option<&mut PlanishModule>,
    value: u32,
    exit: *const PlanishExit,
) -> Status {
    with(module, |m| {
        let leaving = m.leaving(exit)?;
        let (begun, _) = m.building()?;
        begun.is_open()?;
        let value = begun.value(value)?;
        let ty = begun.builder.function().ty(value);
        if ty != Type::Ref {
            return refused(format!("what is thrown is of type {ty}, and is no reference"));
        }
        let exit = leaving.map(|leaving| begun.leave(leaving));
        begun.end(Terminator::Throw(value, exit));
        Ok(())
    })
}

/// Ends the block where control never comes.
#[unsafe(no_mangle)]
pub extern "C" fn planish_build_unreachable(module: Option<&mut PlanishModule>) -> Status {
    ending(module, |_| Ok(Terminator::Unreachable))
}
