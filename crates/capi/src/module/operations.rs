//! Operations of the function at hand.

use planish::ir::builder::result_types;
use planish::ir::module::Descriptor;
use planish::ir::verify::{Invariant, check_signature, moved};
use planish::ir::{Exit, ExitTarget, Handler};
use planish::ops::Exits;
use planish::ops::catalogue::signature;
use planish::ops::world::World;
use planish::{CallEffect, Descr, Module, Op, Type, Value};

use super::functions::number;
use super::handle::{Begun, PlanishModule};
use crate::border::{Failed, Out, Status, array, place, refused, room, with};
use crate::names::{NONE, any_type, op_of};

/// An operation to be built.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct PlanishOperation {
    pub op: u32,
    pub word: u32,
    pub operands: *const u32,
    pub operand_count: usize,
    pub types: *const u32,
    pub type_count: usize,
    pub exit: *const PlanishExit,
}

/// Where an operation goes when it leaves.
#[repr(C)]
pub struct PlanishExit {
    pub kind: u32,
    pub number: u32,
    pub live: *const u32,
    pub live_count: usize,
    pub handlers: *const PlanishHandler,
    pub handler_count: usize,
}

/// Who takes an exception.
#[repr(C)]
pub struct PlanishHandler {
    pub word: u32,
    pub block: u32,
}

/// An exit that was looked at, and is not made yet.
pub struct Leaving {
    target: ExitTarget,
    live: Vec<Value>,
}

impl PlanishModule {
    /// What an exit of the caller's says.
    pub fn leaving(&mut self, exit: *const PlanishExit) -> Result<Option<Leaving>, Failed> {
        if exit.is_null() {
            return Ok(None);
        }
        let [exit] = array(exit, 1, "exit")? else { return Ok(None) };
        let live = array(exit.live, exit.live_count, "live")?;
        let handlers = array(exit.handlers, exit.handler_count, "handlers")?;
        let words: Vec<Option<Descr>> = handlers
            .iter()
            .map(|handler| (handler.word != NONE).then(|| self.word(handler.word)).transpose())
            .collect::<Result<_, _>>()?;
        let (begun, _) = self.building()?;
        let live = begun.values(live)?;
        let target = match exit.kind {
            0 => ExitTarget::Leave(exit.number),
            1 => ExitTarget::Unwind,
            2 => {
                let handler = |(handler, class): (&PlanishHandler, Option<Descr>)| {
                    Ok(Handler { class, block: begun.block(handler.block)? })
                };
                ExitTarget::To(handlers.iter().zip(words).map(handler).collect::<Result<_, Failed>>()?)
            }
            kind => return refused(format!("there is no kind {kind} of exits")),
        };
        Ok(Some(Leaving { target, live }))
    }

    /// Builds an operation of which everything is looked at before.
    fn build(
        &mut self,
        op: Op,
        operands: &[u32],
        types: &[Type],
        descr: Option<Descr>,
        leaving: Option<Leaving>,
        room: &mut [std::mem::MaybeUninit<u32>],
    ) -> Result<(), Failed> {
        let (begun, module) = self.building()?;
        begun.is_open()?;
        let operands = begun.values(operands)?;
        if op.row().descriptor.is_some() && descr.is_none() {
            return refused(format!("`{op}` names a word"));
        }
        if op.row().descriptor.is_none() && descr.is_some() {
            return refused(format!("`{op}` names no word"));
        }
        if let Some(descr) = descr.filter(|&descr| op != Op::Call && module.descriptors.is_implied(descr)) {
            return refused(format!(
                "`{}` is a function, which `{op}` does not call",
                module.descriptors.name(descr)
            ));
        }
        if let (Some(wanted), Some(descr)) = (op.row().descriptor, descr) {
            let kind = module.descriptors.get(descr).kind();
            if !wanted.admits(kind) {
                let name = module.descriptors.name(descr);
                return refused(format!("`{op}` names {wanted}, and `{name}` is {kind}"));
            }
        }
        if leaving.is_some() && op.row().exits == Exits::Never {
            return refused(format!("`{op}` never leaves"));
        }
        let types = begun.results(module, op, &operands, types, descr)?;
        if types.len() != room.len() {
            return refused(format!("`{op}` has {} results here, not {}", types.len(), room.len()));
        }
        let exit = leaving.map(|leaving| begun.leave(leaving));
        let inst = begun.builder.inst(op, &operands, &types, descr, exit);
        for (place, value) in room.iter_mut().zip(begun.builder.function().results(inst)) {
            place.write(number(value));
        }
        Ok(())
    }
}

impl Begun {
    /// Makes an exit.
    pub fn leave(&mut self, leaving: Leaving) -> Exit {
        self.builder.exit(leaving.target, &leaving.live)
    }

    /// The types of the results of an operation, whose operands and results fit its row. `given` are those of all results,
    /// or none.
    fn results(
        &self,
        module: &Module,
        op: Op,
        operands: &[Value],
        given: &[Type],
        descr: Option<Descr>,
    ) -> Result<Vec<Type>, Failed> {
        let f = self.builder.function();
        let row = op.row();
        let told: Vec<Type> = operands.iter().map(|&value| f.ty(value)).collect();
        let table = descr.and_then(|descr| module.descriptors.table(descr));
        if table.is_some() != (op == Op::Lookup) {
            let how = if op == Op::Lookup { "has to" } else { "cannot" };
            return refused(format!("`{op}` {how} name a constant table"));
        }
        let loaded = match descr.map(|descr| module.descriptors.get(descr)) {
            Some(Descriptor::Location(location)) if matches!(row.results, &[result] if !row.determines(result)) => {
                Some(location.ty)
            }
            Some(Descriptor::Table(items)) => Some(items.ty()),
            // Whether something is true is a word of 64 bits unless another type is named.
            _ if row.truth || matches!(op, Op::Fcmpl | Op::Fcmpg) => Some(Type::I64),
            _ => None,
        };
        let named = if given.is_empty() { loaded.as_slice() } else { given };
        fits(op, &told, None)?;
        let Some(types) = result_types(op, &told, named) else {
            return refused(format!(
                "the operands of `{op}` do not tell the type of its result, for it is {}: it has to be named",
                signature(row)
            ));
        };
        fits(op, &told, Some(&types))?;
        if let Some(items) = table.filter(|items| types.first() != Some(&items.ty())) {
            return refused(format!("`{op}` gives ({}), not ({})", items.ty(), list(&types)));
        }
        if !given.is_empty() && *given != *types {
            return refused(format!("`{op}` gives ({}), not ({})", list(&types), list(given)));
        }
        if let Some(Descriptor::Location(location)) = descr.map(|descr| module.descriptors.get(descr))
            && let Some(ty) =
                moved(op, told.iter().copied(), types.iter().copied()).filter(|&ty| ty != location.ty)
        {
            return refused(format!("`{op}` names a location of type {}, not {ty}", location.ty));
        }
        Ok(types.to_vec())
    }
}

/// Refuses operands that do not fit the row of an operation, and results that do not, once they are known.
fn fits(op: Op, operands: &[Type], results: Option<&[Type]>) -> Result<(), Failed> {
    let mut wrong = None;
    let given = results.unwrap_or_default().iter().copied();
    check_signature(op, operands.iter().copied(), given, |invariant, message| {
        if invariant == Invariant::Operands || results.is_some() {
            wrong.get_or_insert(message);
        }
    });
    wrong.map_or(Ok(()), |wrong| refused(format!("`{op}`: {wrong}")))
}

/// Types, as a message lists them.
pub fn list(types: &[Type]) -> String {
    types.iter().map(Type::to_string).collect::<Vec<_>>().join(", ")
}

/// Builds any operation.
#[unsafe(no_mangle)]
pub extern "C" fn planish_build(
    module: Option<&mut PlanishModule>,
    operation: Option<&PlanishOperation>,
    results: *mut u32,
    count: usize,
) -> Status {
    with(module, |m| {
        let operation = operation.ok_or(Failed::Null("operation"))?;
        let operands = array(operation.operands, operation.operand_count, "operands")?;
        let types = array(operation.types, operation.type_count, "types")?;
        let results = room(results, count, "results")?;
        let op = op_of(operation.op)?;
        let types: Vec<Type> = types.iter().map(|&ty| any_type(ty)).collect::<Result<_, _>>()?;
        let descr = (operation.word != NONE).then(|| m.word(operation.word)).transpose()?;
        let leaving = m.leaving(operation.exit)?;
        m.build(op, operands, &types, descr, leaving, results)
    })
}

/// Builds an operation with one result whose type its operands tell.
#[unsafe(no_mangle)]
pub extern "C" fn planish_build_op(
    module: Option<&mut PlanishModule>,
    op: u32,
    operands: *const u32,
    count: usize,
    value: Out<'_, u32>,
) -> Status {
    with(module, |m| {
        let (operands, value) = (array(operands, count, "operands")?, place(value, "value")?);
        m.build(op_of(op)?, operands, &[], None, None, std::slice::from_mut(value))
    })
}

/// Builds an operation with one result of a type that is named.
#[unsafe(no_mangle)]
pub extern "C" fn planish_build_typed(
    module: Option<&mut PlanishModule>,
    op: u32,
    operands: *const u32,
    count: usize,
    ty: u32,
    value: Out<'_, u32>,
) -> Status {
    with(module, |m| {
        let (operands, value) = (array(operands, count, "operands")?, place(value, "value")?);
        m.build(op_of(op)?, operands, &[any_type(ty)?], None, None, std::slice::from_mut(value))
    })
}

/// Builds a call of a function of the module, finished or not.
#[unsafe(no_mangle)]
pub extern "C" fn planish_build_call(
    module: Option<&mut PlanishModule>,
    function: u32,
    arguments: *const u32,
    count: usize,
    results: *mut u32,
    result_count: usize,
) -> Status {
    with(module, |m| {
        let arguments = array(arguments, count, "arguments")?;
        let results = room(results, result_count, "results")?;
        let callee = m.any_function(function)?;
        let (name, gives) = (callee.name.clone(), callee.result_types().to_vec());
        let takes: Vec<Type> = callee.params().iter().map(|&param| callee.ty(param)).collect();
        let (begun, module) = m.building()?;
        begun.is_open()?;
        let f = begun.builder.function();
        let given: Vec<Type> = begun.values(arguments)?.iter().map(|&value| f.ty(value)).collect();
        if given != takes {
            return refused(format!("`{name}` takes ({}), not ({})", list(&takes), list(&given)));
        }
        if gives.len() != results.len() {
            return refused(format!("`{name}` has {} results, not {}", gives.len(), results.len()));
        }
        let known = module.descriptors.lookup(&name);
        let descr = known.unwrap_or_else(|| {
            let descr = module.descriptors.intern(name, || Descriptor::Callee(CallEffect::unknown()));
            module.descriptors.set_implied(descr);
            descr
        });
        m.keep(descr);
        m.build(Op::Call, arguments, &gives, Some(descr), None, results)
    })
}
