//! Running functions in the interpreter.

use std::ffi::{c_char, c_void};

use planish::interp::{End, Host, Limits, NoHost};
use planish::{Type, Val};

use super::datum::{PlanishDatum, PlanishOutcome};
use super::handle::PlanishModule;
use crate::border::{Failed, Out, Status, array, for_c, place, with};
use crate::names::type_number;

/// Answers calls of functions that the module does not have.
pub type PlanishHost = Option<
    extern "C" fn(
        data: *mut c_void,
        callee: *const c_char,
        arguments: *const PlanishDatum,
        count: usize,
        results: *mut PlanishDatum,
        result_count: usize,
    ) -> bool,
>;

/// A host of the caller's.
struct Outside {
    answer: extern "C" fn(
        *mut c_void,
        *const c_char,
        *const PlanishDatum,
        usize,
        *mut PlanishDatum,
        usize,
    ) -> bool,
    data: *mut c_void,
}

impl Host for Outside {
    fn call(&mut self, callee: &str, args: &[Val], results: &[Type]) -> Option<Vec<Val>> {
        let name = for_c(callee);
        let args: Vec<PlanishDatum> = args.iter().map(|&arg| PlanishDatum::of(arg)).collect();
        let empty = |&ty: &Type| PlanishDatum { ty: type_number(ty), integer: 0, real: 0.0 };
        let mut answers: Vec<PlanishDatum> = results.iter().map(empty).collect();
        let (start, count) = (answers.as_mut_ptr(), answers.len());
        let answered = (self.answer)(self.data, name.as_ptr(), args.as_ptr(), args.len(), start, count);
        answered.then(|| answers.iter().zip(results).map(|(answer, &ty)| answer.read(ty)).collect())
    }
}

/// The values of the caller's arguments.
pub fn values(arguments: *const PlanishDatum, count: usize) -> Result<Vec<Val>, Failed> {
    array(arguments, count, "arguments")?.iter().map(|argument| argument.val()).collect()
}

/// What the library says of arguments and functions.
pub fn failed(error: planish::Error) -> Failed {
    use planish::Error;
    let status = match error {
        Error::Text(_) => Status::Unreadable,
        Error::Invalid(_) => Status::Invalid,
        Error::NoFunction(_) | Error::Passes(_) => Status::NoSuchName,
        Error::Unproved(_) => Status::Unproved,
        Error::NoCode(_) => Status::Unsupported,
        Error::Arguments { .. } | Error::Taken(_) => Status::Refused,
    };
    Failed::Said(status, error.to_string())
}

/// Runs a function in the interpreter.
#[unsafe(no_mangle)]
pub extern "C" fn planish_run(
    module: Option<&mut PlanishModule>,
    function: u32,
    arguments: *const PlanishDatum,
    count: usize,
    fuel: u64,
    host: PlanishHost,
    data: *mut c_void,
    outcome: Out<'_, PlanishOutcome>,
) -> Status {
    with(module, |m| {
        let outcome = place(outcome, "outcome")?;
        let values = values(arguments, count)?;
        m.is_whole()?;
        let name = &m.module.functions[m.function(function)?].name;
        let limits = Limits { fuel, ..Limits::default() };
        let mut outside = host.map(|answer| Outside { answer, data });
        let host: &mut dyn Host = match &mut outside {
            Some(host) => host,
            None => &mut NoHost,
        };
        let run = planish::run_within(&m.module, name, &values, limits, host).map_err(failed)?;
        let thrown = match run.end {
            End::Throw(thrown, _) => Some(run.show(Val::Ref(thrown))),
            _ => None,
        };
        outcome.write(m.ended.show(&run.end, thrown, run.counts.total()));
        Ok(())
    })
}
