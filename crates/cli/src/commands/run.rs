//! `planish run`: evaluates a function.
//!
//! Calls that leave the program and objects that come from outside are those of world 0 of the
//! interpreter's scenarios; a program without them depends on nothing but its arguments. What a Bril program
//! prints goes to standard output.

use planish_base::spelling::closest;
use planish_driver::Dialect;
use planish_driver::bril::{Output, leak};
use planish_interp::{End, Limits, NoHost, Program, Scenario, Val, run_with};
use planish_ir::{Const, Function, Module};
use planish_ops::{FloatFormat, Int, Op, Real, Type};

use super::{endings, opening};
use crate::failure::Failure;
use crate::{args, io};

/// Evaluates a function and prints its results, a line each.
pub fn run(args: &args::Run) -> Result<(), Failure> {
    let session = opening::open(&args.input)?;
    let Some(module) = session.module() else {
        return Err(Failure::Usage(format!("a {} is no program to run", session.dialect())));
    };
    let bril = matches!(session.dialect(), Dialect::Bril | Dialect::BrilJson);
    let function = match &args.function {
        Some(name) => module.find(name).map(|id| &module.functions[id]),
        None if bril => module.find("main").map(|id| &module.functions[id]),
        None => module.functions.values().next(),
    };
    let Some(function) = function else {
        let name = args.function.as_deref().unwrap_or("any");
        let near = closest(name, module.functions.values().map(|function| function.name.as_str()));
        let hint = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        return Err(Failure::Usage(format!("there is no function `{name}`{hint}")));
    };
    all_functions_are_there(&io::display_name(&args.input.path), module)?;
    let program = Program::of(module);
    let arguments = arguments(&program, function, &args.arguments)?;
    if args.native {
        return super::native::run(args, module, function, &arguments);
    }
    let fuel = args.fuel.unwrap_or(FUEL);
    let limits = Limits { fuel, ..Limits::default() };
    let (mut output, scenario) = (Output::default(), Scenario::new(0));
    let host: &mut dyn planish_interp::Host = if bril { &mut output } else { &mut NoHost };
    let ran = run_with(&program, function, &arguments, &scenario, limits, host);
    if args.count {
        io::say(format_args!(
            "{} operations, {} branches, {} jumps\n",
            ran.counts.total(),
            ran.counts.branches,
            ran.counts.jumps
        ));
        for (op, count) in ran.counts.iter() {
            io::say(format_args!("{count:>10}  {op}\n"));
        }
    }
    io::write(None, output.printed().as_bytes())?;
    for event in ran.events.iter().filter(|_| !bril) {
        let shown: Vec<String> = event.args.iter().map(|&arg| ran.show(arg)).collect();
        io::say(format_args!("{}({})\n", event.what, shown.join(", ")));
    }
    let show = |value| ran.show(value);
    match leak(&ran).filter(|_| matches!(ran.end, End::Return(_))) {
        Some(fault) => Err(endings::ended(&show, &format!("fails: {fault}"), &[])),
        None => endings::finish(&ran.end, &show, &format!("did not end within {fuel} operations")),
    }
}

/// Refuses a program that calls through a reference to a function that it has not: nobody could say what that gives.
fn all_functions_are_there(name: &str, module: &Module) -> Result<(), Failure> {
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
            return Err(Failure::Rejected(format!(
                "{name}:{line}: `&{called}` is called, and there is no function `{called}`{hint}"
            )));
        }
    }
    Ok(())
}

/// How many operations are executed unless something else is said.
const FUEL: u64 = 100_000_000;

/// The arguments in the types of the parameters; `&name` is a function of the program.
fn arguments(program: &Program<'_>, function: &Function, texts: &[String]) -> Result<Vec<Val>, Failure> {
    let params = function.params();
    if params.len() != texts.len() {
        let message =
            format!("`{}` takes {} arguments, {} are given", function.name, params.len(), texts.len());
        return Err(Failure::Usage(message));
    }
    params
        .iter()
        .zip(texts)
        .map(|(&param, text)| {
            let ty = function.ty(param);
            let function = || {
                text.strip_prefix('&').filter(|_| ty == Type::Ref).and_then(|name| program.reference(name))
            };
            argument(ty, text)
                .or_else(function)
                .ok_or_else(|| Failure::Usage(format!("`{text}` is not an argument of type {ty}")))
        })
        .collect()
}

fn argument(ty: Type, text: &str) -> Option<Val> {
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
    }
}
