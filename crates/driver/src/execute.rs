//! Running a function of a program: which one, on which arguments, and how that ended.
//!
//! Calls that leave the program and objects that come from outside are those of world 0 of the interpreter's scenarios; a
//! program without them depends on nothing but its arguments.

use planish_base::spelling::closest;
use planish_interp::{End, Limits, NoHost, Program, Run, Scenario, Val, run_with};
use planish_ir::{Const, Function, Module};
use planish_ops::{FloatFormat, Int, Op, Real, Type};

use crate::bril::{Output, leak};
use crate::dialect::Dialect;
use crate::session::Session;

/// A run that ended, and what it printed.
pub struct Execution {
    /// What the function did.
    pub run: Run,
    /// What a Bril program printed.
    pub printed: String,
    fuel: u64,
    is_bril: bool,
}

/// Whether a program prints what Bril prints.
fn is_bril(session: &Session) -> bool {
    matches!(session.dialect(), Dialect::Bril | Dialect::BrilJson)
}

/// The function of a name; without one, where a run of the program begins. The error says which name may be meant.
pub fn function<'m>(
    session: &Session,
    module: &'m Module,
    named: Option<&str>,
) -> Result<&'m Function, String> {
    let function = match named {
        Some(name) => module.find(name).map(|id| &module.functions[id]),
        None if is_bril(session) => module.find("main").map(|id| &module.functions[id]),
        None => module.functions.values().next(),
    };
    function.ok_or_else(|| {
        let Some(name) = named else {
            return match is_bril(session) {
                true => "a run of a Bril program begins with `main`, which is not there".to_owned(),
                false => "there is no function to run".to_owned(),
            };
        };
        let near = closest(name, module.functions.values().map(|function| function.name.as_str()));
        let hint = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        format!("there is no function `{name}`{hint}")
    })
}

/// Refuses a program that calls through a reference to a function that it has not: nobody could say what that gives.
pub fn all_functions_are_there(name: &str, module: &Module) -> Result<(), String> {
    for function in module.functions.values() {
        for (_, inst) in function.live_insts() {
            let callee = || function.constant(function.args(inst)[0]);
            let called = (function.inst(inst).op == Op::CallRef).then(callee).flatten();
            let Some(Const::Symbol(symbol, _)) = called else { continue };
            let called = module.symbols.get(symbol).as_str();
            if module.find(called).is_some() || module.descriptors.lookup(called).is_some() {
                continue;
            }
            let near = closest(called, module.functions.values().map(|function| function.name.as_str()));
            let hint = near.map_or_else(String::new, |near| format!("; did you mean `&{near}`?"));
            let line = function.inst(inst).location.0;
            return Err(format!(
                "{name}:{line}: `&{called}` is called, and there is no function `{called}`{hint}"
            ));
        }
    }
    Ok(())
}

/// Arguments in the types of the parameters; `&name` is a function of the program.
pub fn arguments(
    program: &Program<'_>,
    function: &Function,
    texts: &[impl AsRef<str>],
) -> Result<Vec<Val>, String> {
    let params = function.params();
    if params.len() != texts.len() {
        return Err(format!(
            "`{}` takes {} arguments, {} are given",
            function.name,
            params.len(),
            texts.len()
        ));
    }
    let argument = |(&param, text): (_, &_)| {
        let (ty, text): (Type, &str) = (function.ty(param), AsRef::as_ref(text));
        let named =
            || text.strip_prefix('&').filter(|_| ty == Type::Ref).and_then(|name| program.reference(name));
        argument(ty, text).or_else(named).ok_or_else(|| format!("`{text}` is not an argument of type {ty}"))
    };
    params.iter().zip(texts).map(argument).collect()
}

/// The value of a type that a text stands for.
pub fn argument(ty: Type, text: &str) -> Option<Val> {
    match ty {
        Type::Int(width) => {
            let value: i128 = match text {
                "true" if width == 1 => 1,
                "false" if width == 1 => 0,
                _ => text.parse().ok()?,
            };
            let (min, max) = (-(1i128 << (width - 1)), (1i128 << width) - 1);
            (min..=max).contains(&value).then(|| Val::Int(Int::new(u32::from(width), value as u64)))
        }
        Type::Float(FloatFormat::F32) => Some(Val::Real(Real::F32(text.parse().ok()?))),
        Type::Float(FloatFormat::F64) => Some(Val::Real(Real::F64(text.parse().ok()?))),
        Type::Ref => (text == "null").then_some(Val::zero(ty)),
        Type::State => (text == "none").then_some(Val::State),
        Type::Vector(lane) => {
            let inside = text.strip_prefix('[')?.strip_suffix(']')?;
            let lanes: Option<Vec<Val>> =
                inside.split(',').map(|text| argument(lane.ty(), text.trim())).collect();
            Val::vector(lane, &lanes?)
        }
    }
}

/// Runs a function of a program until so many operations were executed.
pub fn execute(
    session: &Session,
    program: &Program<'_>,
    function: &Function,
    arguments: &[Val],
    fuel: u64,
) -> Execution {
    let limits = Limits { fuel, ..Limits::default() };
    let (mut output, scenario, is_bril) = (Output::default(), Scenario::new(0), is_bril(session));
    let host: &mut dyn planish_interp::Host = if is_bril { &mut output } else { &mut NoHost };
    let run = run_with(program, function, arguments, &scenario, limits, host);
    Execution { run, printed: output.printed().to_owned(), fuel, is_bril }
}

impl Execution {
    /// What the outside noticed besides what was printed, a line each.
    pub fn events(&self) -> impl Iterator<Item = String> {
        let events = self.run.events.iter().filter(|_| !self.is_bril);
        events.map(|event| {
            let shown: Vec<String> = event.args.iter().map(|&arg| self.run.show(arg)).collect();
            format!("{}({})", event.what, shown.join(", "))
        })
    }

    /// The results, a line each; the error says how else it ended.
    pub fn results(&self) -> Result<String, String> {
        let show = |value| self.run.show(value);
        match leak(&self.run).filter(|_| matches!(self.run.end, End::Return(_))) {
            Some(fault) => Err(ended(&show, &format!("fails: {fault}"), &[])),
            None => {
                let endless =
                    format!("did not end within {} operations, or calls itself too deeply", self.fuel);
                results(&self.run.end, &show, &endless)
            }
        }
    }
}

/// The results of a run, a line each; the error says how else it ended.
pub fn results(end: &End, show: &dyn Fn(Val) -> String, endless: &str) -> Result<String, String> {
    match end {
        End::Return(results) => {
            Ok(results.iter().map(|&result| format!("{}\n", plain(show, result))).collect())
        }
        End::Leave(exit, values) => Err(ended(show, &format!("left through exit {exit}"), values)),
        End::Throw(thrown, values) => Err(ended(show, &format!("threw {}", show(Val::Ref(*thrown))), values)),
        End::Trap(fault) => Err(ended(show, &format!("trapped: {}", fault.name()), &[])),
        End::Undefined(what) => Err(ended(show, &format!("is undefined: {what}"), &[])),
        End::OutOfFuel => Err(ended(show, endless, &[])),
    }
}

/// How a run ended, with these values.
fn ended(show: &dyn Fn(Val) -> String, what: &str, values: &[Val]) -> String {
    let shown: Vec<String> = values.iter().map(|&value| show(value)).collect();
    let values = if shown.is_empty() { String::new() } else { format!(" with {}", shown.join(", ")) };
    format!("the program {what}{values}")
}

/// A result without its type.
fn plain(show: &dyn Fn(Val) -> String, value: Val) -> String {
    match value {
        Val::Int(int) => int.to_string(),
        Val::Real(Real::F32(value)) => format!("{value:?}"),
        Val::Real(Real::F64(value)) => format!("{value:?}"),
        _ => show(value),
    }
}
