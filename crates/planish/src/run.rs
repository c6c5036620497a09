//! Reading, printing, running and compiling.

use planish_base::SourceText;
use planish_interp::{End, Host, Limits, NoHost, Program, Run, Scenario, Val, run_with};
use planish_ir::{Form, Function, Module, text, verify_module};
use planish_ops::Type;

use crate::Error;

/// Reads a module from `.ssa` text; `name` is the file of which messages speak. O(length).
///
/// # Errors
///
/// [`Error::Text`] with every error of the text and its place, [`Error::Invalid`] where an invariant does not hold.
pub fn read(name: &str, text: &str) -> Result<Module, Error> {
    let (module, diagnostics) = text::read(text);
    if diagnostics.has_errors() {
        return Err(Error::Text(diagnostics.render(&SourceText::new(name, text))));
    }
    let found = verify_module(&module, Form::Cfg);
    if found.is_empty() { Ok(module) } else { Err(Error::Invalid(found)) }
}

/// A module of functions, in order.
///
/// # Errors
///
/// [`Error::Invalid`] where an invariant does not hold: two functions of one name, a value that is used where it is not
/// defined, an operand of a wrong type.
pub fn module(functions: impl IntoIterator<Item = Function>) -> Result<Module, Error> {
    let mut module = Module::new();
    for function in functions {
        module.functions.push(function);
    }
    let found = verify_module(&module, Form::Cfg);
    if found.is_empty() { Ok(module) } else { Err(Error::Invalid(found)) }
}

/// A module as `.ssa` text, which reads back as the same module. O(size).
pub fn print(module: &Module) -> String {
    text::write(module, text::Options::default())
}

/// The value of an integer of 64 bits; those of other types are [`Val::int`].
pub fn int(value: i64) -> Val {
    Val::int(Type::I64, value)
}

/// Runs a function of a module in the interpreter, which defines what operations mean. Calls of functions that the module
/// does not have get results that depend on the arguments alone; it ends with [`End::OutOfFuel`] after a million operations.
/// [`interp`](crate::interp) has other limits, other worlds, and what the outside noticed.
///
/// # Errors
///
/// [`Error::NoFunction`], [`Error::Arguments`].
pub fn run(module: &Module, function: &str, args: &[Val]) -> Result<End, Error> {
    run_with_host(module, function, args, &mut NoHost)
}

/// The same with a host, which computes operations of one's own and answers calls of functions outside.
///
/// # Errors
///
/// Those of [`run`].
pub fn run_with_host(
    module: &Module,
    function: &str,
    args: &[Val],
    host: &mut dyn Host,
) -> Result<End, Error> {
    Ok(run_within(module, function, args, Limits::default(), host)?.end)
}

/// The same within limits of one's own. The run says how often each operation was executed, too.
///
/// # Errors
///
/// Those of [`run`].
pub fn run_within(
    module: &Module,
    function: &str,
    args: &[Val],
    limits: Limits,
    host: &mut dyn Host,
) -> Result<Run, Error> {
    let f = &module.functions[find(module, function)?];
    let params: Vec<Type> = f.params().iter().map(|&param| f.ty(param)).collect();
    if !params.iter().map(|&ty| Some(ty)).eq(args.iter().map(|arg| arg.ty())) {
        let given: Vec<String> =
            args.iter().map(|arg| arg.ty().map_or("undefined".to_owned(), |ty| ty.to_string())).collect();
        let (of, takes) = (function.to_owned(), types(&params));
        return Err(Error::Arguments { of, takes, given: given.join(", ") });
    }
    Ok(run_with(&Program::of(module), f, args, &Scenario::new(0), limits, host))
}

/// Compiles a function and all that it calls to machine code, which [runs](planish_native::Code::run) on arguments any
/// number of times. About linear in the size of the functions.
///
/// # Errors
///
/// [`Error::NoFunction`]; [`Error::NoCode`] for what has no machine code, such as objects and calls of functions that the
/// module does not have, and on machines for which there is no code generator.
#[cfg(feature = "native")]
pub fn compile(module: &Module, function: &str) -> Result<planish_native::Code, Error> {
    let id = find(module, function)?;
    planish_native::compile(module, id, planish_native::Options::default())
        .map_err(|refused| Error::NoCode(refused.to_string()))
}

fn find(module: &Module, function: &str) -> Result<planish_ir::FuncId, Error> {
    module.find(function).ok_or_else(|| Error::NoFunction(function.to_owned()))
}

/// Types, as a message lists them.
pub(crate) fn types(types: &[Type]) -> String {
    types.iter().map(Type::to_string).collect::<Vec<_>>().join(", ")
}
