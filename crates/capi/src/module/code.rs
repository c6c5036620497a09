//! Machine code of functions. Without the feature `native` there is none, and whoever asks is told so.

use std::ffi::c_char;

#[cfg(feature = "native")]
use planish::interp::Scenario;
#[cfg(feature = "native")]
use planish::{Type, native};

#[cfg(feature = "native")]
use super::datum::Ended;
use super::datum::{PlanishDatum, PlanishOutcome};
use super::handle::PlanishModule;
use super::run::values;
#[cfg(feature = "native")]
use super::{operations::list, run::failed};
#[cfg(feature = "native")]
use crate::border::refused;
use crate::border::{Failed, Handle, Out, Said, Status, error, free, place, with};

/// A function as machine code.
pub struct PlanishCode {
    said: Said,
    #[cfg(feature = "native")]
    code: native::Code,
    #[cfg(feature = "native")]
    params: Vec<Type>,
    #[cfg(feature = "native")]
    ended: Ended,
}

impl Handle for PlanishCode {
    fn said(&mut self) -> &mut Said {
        &mut self.said
    }
}

#[cfg(not(feature = "native"))]
fn none<T>() -> Result<T, Failed> {
    let why = "this library was built without machine code (feature `native`)";
    Err(Failed::Said(Status::Unsupported, why.to_owned()))
}

#[cfg(feature = "native")]
fn compile(m: &PlanishModule, function: u32) -> Result<PlanishCode, Failed> {
    let id = m.function(function)?;
    let options = native::Options { metered: true, ..native::Options::default() };
    let code = native::compile(&m.module, id, options)
        .map_err(|refused| failed(planish::Error::NoCode(refused.to_string())))?;
    let f = &m.module.functions[id];
    let params = f.params().iter().map(|&param| f.ty(param)).collect();
    Ok(PlanishCode { said: Said::default(), code, params, ended: Ended::default() })
}

#[cfg(not(feature = "native"))]
fn compile(m: &PlanishModule, function: u32) -> Result<PlanishCode, Failed> {
    m.function(function)?;
    none()
}

impl PlanishCode {
    #[cfg(feature = "native")]
    fn run(&mut self, values: &[planish::Val], fuel: u64) -> Result<PlanishOutcome, Failed> {
        let given: Vec<Type> = values.iter().filter_map(|value| value.ty()).collect();
        if given != self.params {
            return refused(format!("the code takes ({}), not ({})", list(&self.params), list(&given)));
        }
        let end = self.code.run(values, &Scenario::new(0), fuel);
        Ok(self.ended.show(&end, None, 0))
    }

    #[cfg(not(feature = "native"))]
    fn run(&mut self, _: &[planish::Val], _: u64) -> Result<PlanishOutcome, Failed> {
        none()
    }

    #[cfg(feature = "native")]
    fn size(&self) -> usize {
        self.code.size()
    }

    #[cfg(not(feature = "native"))]
    fn size(&self) -> usize {
        0
    }
}

/// Compiles a function, and all that it calls.
#[unsafe(no_mangle)]
pub extern "C" fn planish_compile(
    module: Option<&mut PlanishModule>,
    function: u32,
    code: Out<'_, Option<Box<PlanishCode>>>,
) -> Status {
    with(module, |m| {
        let code = place(code, "code")?;
        m.is_whole()?;
        code.write(Some(Box::new(compile(m, function)?)));
        Ok(())
    })
}

/// Runs machine code.
#[unsafe(no_mangle)]
pub extern "C" fn planish_code_run(
    code: Option<&mut PlanishCode>,
    arguments: *const PlanishDatum,
    count: usize,
    fuel: u64,
    outcome: Out<'_, PlanishOutcome>,
) -> Status {
    with(code, |code| {
        let outcome = place(outcome, "outcome")?;
        outcome.write(code.run(&values(arguments, count)?, fuel)?);
        Ok(())
    })
}

/// How many bytes of machine code there are.
#[unsafe(no_mangle)]
pub extern "C" fn planish_code_size(code: Option<&mut PlanishCode>, bytes: Out<'_, usize>) -> Status {
    with(code, |code| {
        place(bytes, "bytes")?.write(code.size());
        Ok(())
    })
}

/// Why a function that was given the code did not do what it was asked for, the last time.
#[unsafe(no_mangle)]
pub extern "C" fn planish_code_error(code: Option<&PlanishCode>) -> *const c_char {
    error(code.map(|code| &code.said))
}

/// Gives machine code back.
#[unsafe(no_mangle)]
pub extern "C" fn planish_code_free(code: Option<Box<PlanishCode>>) {
    free(code);
}
