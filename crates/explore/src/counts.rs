//! What a program executes: one run by the interpreter, as `planish run --count` makes it.

use planish_base::shown;
use planish_driver::{Session, execute};
use planish_interp::{Program, Val};
use planish_ir::{Function, Module};
use planish_ops::Type;
use serde_json::{Value, json};

/// So many operations are executed at most: a loop without an end ends.
const FUEL: u64 = 1_000_000;

/// So many bytes are shown of what is printed.
const MOST_PRINTED: usize = 10_000;

/// So many calls that leave the program are shown.
const MOST_EVENTS: usize = 100;

/// Which function is run, and on what.
pub(crate) struct Wanted<'a> {
    pub(crate) function: Option<&'a str>,
    /// What suits the parameters if there are none.
    pub(crate) arguments: &'a [String],
}

/// What a run did; the error says why there is none.
pub(crate) fn counted(session: &Session, wanted: &Wanted<'_>) -> Result<Value, String> {
    let Some(module) = session.module() else {
        return Err(format!("a {} is no program to run", session.dialect()));
    };
    let function = execute::function(session, module, wanted.function)?;
    execute::all_functions_are_there("program", module)?;
    let is_assumed = wanted.arguments.is_empty() && !function.params().is_empty();
    let assumed: Vec<String> = if is_assumed { suitable(function) } else { Vec::new() };
    let texts = if is_assumed { &assumed } else { wanted.arguments };
    let (ran, arguments) = run(session, module, function, texts)?;
    let counts = &ran.run.counts;
    let by: Vec<Value> = counts.iter().map(|(op, count)| json!([op.name(), count])).collect();
    let (results, ended) = match ran.results() {
        Ok(results) => (results, String::new()),
        Err(ended) => (String::new(), ended),
    };
    let shown_arguments: Vec<String> = arguments.iter().map(|&value| ran.run.show(value)).collect();
    let events: Vec<String> =
        ran.events().take(MOST_EVENTS).map(|event| shown(&event).into_owned()).collect();
    Ok(json!({
        "function": shown(&function.name), "arguments": shown_arguments, "assumed": is_assumed,
        "operations": counts.total(), "branches": counts.branches, "jumps": counts.jumps, "by": by,
        "results": results, "ended": ended, "events": events,
        "printed": shown(&ran.printed[..ran.printed.floor_char_boundary(MOST_PRINTED)]),
    }))
}

fn run(
    session: &Session,
    module: &Module,
    function: &Function,
    texts: &[String],
) -> Result<(execute::Execution, Vec<Val>), String> {
    let program = Program::of(module);
    let arguments = execute::arguments(&program, function, texts).map_err(|error| {
        let types: Vec<String> =
            function.params().iter().map(|&param| function.ty(param).to_string()).collect();
        format!("{error}; its parameters are ({})", types.join(", "))
    })?;
    Ok((execute::execute(session, &program, function, &arguments, FUEL), arguments))
}

/// A small argument for each parameter.
fn suitable(function: &Function) -> Vec<String> {
    let text = |ty| match ty {
        Type::Int(width) if width < 5 => "0",
        Type::Int(_) => "10",
        Type::Float(_) => "1.5",
        Type::Ref => "null",
        Type::State => "none",
        Type::Vector(_) => "",
    };
    function.params().iter().map(|&param| text(function.ty(param)).to_owned()).collect()
}
