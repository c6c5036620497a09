//! What can be done with the program of a test.
//!
//! | `# test:` | what comes out | further directives |
//! |---|---|---|
//! | `read` | the program as it is written; reading that gives the same again | |
//! | `errors` | what the reader says is wrong or odd, and else the verifier | `form` |
//! | `run` | for each `args`, what running the first function shows | `args`, `world`, `fuel` |
//! | `count` | the same, and how often each operation was executed | `args`, `world`, `fuel` |
//! | `opt` | the optimized program, after it was run beside its source; for each `args`, what both execute | `passes`, `fuel`, `chaos`, `args`, `extended`, `expand`, `compat`, `engine`, `assume`, `facts`, `without` |
//! | `convert` | the program in another dialect, after it was run beside its source | `to`, `extended` |
//!
//! `undef` is `zero` where unassigned variables may be read, `width` the bits of a word, `extended` is `yes`
//! or `no`: whether operations outside of a published language may be written (`opt` may, `convert` may not,
//! unless said otherwise).
//!
//! A file of rules has `errors` only: what is said of its rules. So has a class file, which is written as
//! bytes in hexadecimal, in a file whose name ends in `.class.hex`.
//!
//! `prefix` is what stands in front of the numbers of values in `.ssa` text.
//!
//! `assume` is `constants`: what a log lacks of them.
//!
//! `facts` is what is known of a function, or `none` where nothing is known of any.
//!
//! `without` are the kinds of facts of which bridges of a log are told nothing.
//!
//! `chaos` is the seed by which heuristics decide.
//!
//! `form` is `cfg`, `trace` or `structured`; `world` is the number of the scenario that answers calls.

use std::sync::Arc;

use planish_base::SourceText;
use planish_classfile::ClassFile;
use planish_driver::bril::{Output, leak};
use planish_driver::validate::{Checked, INPUTS, functions, modules_in};
use planish_driver::{Compat, Dialect, EngineChoice, FactKinds, Facts, Reading, Session, Settings, Writing};
use planish_interp::{Limits, NoHost, Program, Reference, Run, Scenario, Val, run, run_with};
use planish_ir::{Form, Module, verify_module};
use planish_ops::{FloatFormat, Int, Real, Type};
use planish_rules::RuleSet;
use planish_rules::set::Strictness;

use crate::case::Case;

/// Does what a test asks for; what comes out, or why it could not be done.
pub fn perform(name: &str, dialect: Dialect, case: &Case) -> Result<String, String> {
    match case.directive("test") {
        Some("read") => read(name, dialect, case),
        Some("errors") => errors(name, dialect, case),
        Some("run") => runs(name, dialect, case, false),
        Some("count") => runs(name, dialect, case, true),
        Some("opt") => opt(name, dialect, case),
        Some("convert") => convert(name, dialect, case),
        Some(other) => Err(format!("there is no test `{other}`")),
        None => Err("the file has no directive `# test: ...`".to_owned()),
    }
}

fn open(name: &str, dialect: Dialect, case: &Case) -> Result<Session, String> {
    open_text(name, dialect, case, &case.program)
}

fn open_text(name: &str, dialect: Dialect, case: &Case, text: &str) -> Result<Session, String> {
    let width = case.directive("width").map_or(Ok(64), str::parse);
    let reading = Reading {
        width: width.map_err(|_| "the width is no number".to_owned())?,
        unassigned_is_zero: case.directive("undef") == Some("zero"),
        ..Reading::default()
    };
    Session::open(name, text.as_bytes().to_vec(), dialect, reading)
}

/// Whether operations outside of the published languages may be written: unless said otherwise they may.
fn extended(case: &Case) -> bool {
    case.directive("extended") != Some("no")
}

fn write(session: &Session, dialect: Dialect, case: &Case) -> Result<String, String> {
    let writing = Writing { extended: extended(case), prefix: case.directive("prefix") };
    let bytes = session.write(dialect, writing)?;
    String::from_utf8(bytes).map_err(|error| error.to_string())
}

fn module(session: &Session) -> Result<&Module, String> {
    session.module().ok_or_else(|| format!("a {} has no functions to look at", session.dialect()))
}

fn read(name: &str, dialect: Dialect, case: &Case) -> Result<String, String> {
    let written = write(&open(name, dialect, case)?, dialect, case)?;
    let again = write(&open_text(name, dialect, case, &written)?, dialect, case)?;
    if again != written {
        return Err(format!(
            "what is written reads back otherwise:\n{}",
            crate::diff::diff(&written, &again)
        ));
    }
    Ok(written)
}

fn form(case: &Case) -> Result<Form, String> {
    match case.directive("form") {
        None | Some("cfg") => Ok(Form::Cfg),
        Some("trace") => Ok(Form::Trace),
        Some("structured") => Ok(Form::Structured),
        Some(other) => Err(format!("there is no form `{other}`")),
    }
}

fn errors(name: &str, dialect: Dialect, case: &Case) -> Result<String, String> {
    let found = match open(name, dialect, case) {
        Err(message) => message,
        Ok(session) if !session.warnings().is_empty() => session.warnings().to_owned(),
        Ok(session) => verify_module(module(&session)?, form(case)?).join("\n"),
    };
    wrong(found)
}

fn wrong(found: String) -> Result<String, String> {
    if found.is_empty() { Err("nothing is wrong with the program".to_owned()) } else { Ok(found + "\n") }
}

/// What is said of a file of rules.
pub fn rules(name: &str, case: &Case) -> Result<String, String> {
    let (set, mut findings) = RuleSet::read(vec![SourceText::new(name, case.program.as_str())]);
    findings.extend(set.judge(Strictness::File));
    wrong(set.render(&findings))
}

/// What is said of a class file that is written in hexadecimal.
pub fn class(case: &Case) -> Result<String, String> {
    let bytes: Result<Vec<u8>, String> = case
        .program
        .split_whitespace()
        .map(|byte| u8::from_str_radix(byte, 16).map_err(|_| format!("`{byte}` is no byte")))
        .collect();
    let bytes = bytes?;
    match ClassFile::read(&bytes).and_then(|class| class.check()) {
        Err(error) => Ok(format!("{error}\n")),
        Ok(_) => Err("nothing is wrong with the class file".to_owned()),
    }
}

fn limits(case: &Case) -> Result<Limits, String> {
    let fuel = case.directive("fuel").map(|fuel| fuel.parse().map_err(|_| format!("`{fuel}` is no fuel")));
    Ok(match fuel.transpose()? {
        Some(fuel) => Limits { fuel, ..Limits::default() },
        None => Limits::default(),
    })
}

fn runs(name: &str, dialect: Dialect, case: &Case, counted: bool) -> Result<String, String> {
    let session = open(name, dialect, case)?;
    let module = module(&session)?;
    let found = verify_module(module, form(case)?);
    if !found.is_empty() {
        return Err(found.join("\n"));
    }
    let function = module.functions.values().next().ok_or("the program has no function")?;
    let world = case.directive("world").unwrap_or("0");
    let seed = world.parse().map_err(|_| format!("`{world}` is no number of a world"))?;
    let program = Program::of(module);
    let scenario = Scenario { seed, ..program.world_of(function) };
    let types: Vec<Type> = function.params().iter().map(|&param| function.ty(param)).collect();
    let mut lists: Vec<Vec<Val>> = Vec::new();
    for args in case.all("args") {
        lists.push(arguments(args, &types, &program)?);
    }
    if lists.is_empty() {
        lists.push(scenario.arguments(&types));
    }
    let mut output = String::new();
    for args in lists {
        let shown: Vec<String> = args.iter().map(Val::to_string).collect();
        let run = run(&program, function, &args, &scenario, limits(case)?);
        output.push_str(&format!("({}):\n{run}\n", shown.join(", ")));
        if counted {
            for (op, count) in run.counts.iter() {
                output.push_str(&format!("  {count} {op}\n"));
            }
            let counts = &run.counts;
            let total = counts.total();
            output.push_str(&format!(
                "  {total} in all, {} branches, {} jumps\n",
                counts.branches, counts.jumps
            ));
        }
    }
    Ok(output)
}

/// Values of types, divided by commas.
fn arguments(text: &str, types: &[Type], program: &Program<'_>) -> Result<Vec<Val>, String> {
    let words: Vec<&str> = text.split(',').map(str::trim).filter(|word| !word.is_empty()).collect();
    if words.len() != types.len() {
        return Err(format!("the function takes {} arguments, found {}", types.len(), words.len()));
    }
    words.iter().zip(types).map(|(word, &ty)| argument(word, ty, program)).collect()
}

fn argument(word: &str, ty: Type, program: &Program<'_>) -> Result<Val, String> {
    let value = match ty {
        Type::Int(width) => {
            word.parse::<i128>().ok().map(|value| Val::Int(Int::new(u32::from(width), value as u64)))
        }
        Type::Float(FloatFormat::F32) => word.parse().ok().map(|value| Val::Real(Real::F32(value))),
        Type::Float(FloatFormat::F64) => word.parse().ok().map(|value| Val::Real(Real::F64(value))),
        Type::Ref if word == "null" => Some(Val::Ref(Reference::Null)),
        Type::Ref if let Some(name) = word.strip_prefix('&') => program.reference(name),
        Type::Ref => {
            word.strip_prefix("object").and_then(|n| n.parse().ok()).map(|n| Val::Ref(Reference::Outside(n)))
        }
        Type::State => Some(Val::State),
        // Words are told apart by blanks, so a vector has none.
        Type::Vector(_) => planish_driver::execute::argument(ty, word),
    };
    value.ok_or_else(|| format!("`{word}` is no value of type {ty}"))
}

/// What a test says of functions besides, or that nothing is known of them.
fn facts(case: &Case) -> Result<Option<Arc<Facts>>, String> {
    Ok(match case.directive("facts") {
        None => None,
        Some("none") => Some(Arc::default()),
        Some(line) => {
            let source = SourceText::new("facts", line);
            let (facts, diagnostics) = Facts::read(&source);
            if diagnostics.has_errors() {
                return Err(diagnostics.render(&source));
            }
            Some(Arc::new(facts))
        }
    })
}

fn opt(name: &str, dialect: Dialect, case: &Case) -> Result<String, String> {
    let source = open(name, dialect, case)?;
    let mut target = open(name, dialect, case)?;
    let number = |key: &str| {
        let text = case.directive(key);
        text.map(|text| text.parse().map_err(|_| format!("`{text}` is no number for `{key}`"))).transpose()
    };
    let settings = Settings {
        passes: case.directive("passes").map(str::to_owned),
        fuel: number("fuel")?,
        chaos: number("chaos")?,
        extended: extended(case),
        expand: case.directive("expand").is_some(),
        compat: match case.directive("compat") {
            None => None,
            Some("pypy") => Some(Compat::Pypy),
            Some(other) => return Err(format!("`{other}` is nobody to conform to")),
        },
        engine: match case.directive("engine") {
            None => EngineChoice::Linear,
            Some("egraph") => EngineChoice::Egraph,
            Some(other) => return Err(format!("`{other}` is no engine")),
        },
        assume_constants: match case.directive("assume") {
            None => false,
            Some("constants") => true,
            Some(other) => return Err(format!("`{other}` is nothing to assume")),
        },
        facts: facts(case)?,
        without_shown_effects: match case.directive("shown-effects") {
            None => false,
            Some("none") => true,
            Some(other) => return Err(format!("`{other}` is no effects that are shown")),
        },
        bridge_facts: match case.directive("without") {
            None => FactKinds::default(),
            Some(kinds) => {
                FactKinds::without(kinds).map_err(|name| format!("`{name}` is no kind of facts"))?
            }
        },
        ..Settings::default()
    };
    let outcome = target.optimize(&settings)?;
    if let (Some(before), Some(after)) = (source.module(), target.module()) {
        let found = verify_module(after, Form::Cfg);
        if !found.is_empty() {
            return Err(format!("the optimized program is broken:\n{}", found.join("\n")));
        }
        // A test says why if what its header declares cannot be believed where it is run.
        if case.directive("unrun").is_none()
            && let Checked::Different(found) =
                modules_in(before, &source.entries(), after, INPUTS, source.form(), settings.compat.is_some())
        {
            return Err(found);
        }
    }
    let written = match write(&target, dialect, case) {
        // That a loop cannot be one of vectors is an answer.
        Err(message) if message.starts_with("error: not vectorizeable: ") => return Ok(message),
        written => written?,
    };
    // What is said of traces that stay as they are.
    let said = if dialect == Dialect::Trace { outcome.warnings } else { String::new() };
    let mut output = said + &written;
    for args in case.all("args") {
        output.push_str(&gain(&source, &target, args, case)?);
    }
    Ok(output)
}

/// What two programs execute on the same arguments: they show the same.
fn gain(source: &Session, target: &Session, args: &str, case: &Case) -> Result<String, String> {
    let (before, printed) = execute(source, args, case)?;
    let (after, printed_after) = execute(target, args, case)?;
    if before.end != after.end || printed != printed_after {
        return Err(format!("({args}): {before}\n{printed}became {after}\n{printed_after}"));
    }
    let end = before.to_string().lines().last().unwrap_or_default().to_owned();
    let (old, new) = (&before.counts, &after.counts);
    let shown: String = printed.lines().map(|line| format!("  {line}\n")).collect();
    Ok(format!(
        "({args}): {end}\n{shown}  {} operations and {} branches before, {} and {} after\n",
        old.total(),
        old.branches,
        new.total(),
        new.branches
    ))
}

/// Runs the first function, or Bril's `main`; also what it prints.
fn execute(session: &Session, args: &str, case: &Case) -> Result<(Run, String), String> {
    let module = module(session)?;
    let bril = matches!(session.dialect(), Dialect::Bril | Dialect::BrilJson);
    let function = match bril {
        true => module.find("main").map(|id| &module.functions[id]),
        false => module.functions.values().next(),
    };
    let function = function.ok_or("the program has no function to run")?;
    let types: Vec<Type> = function.params().iter().map(|&param| function.ty(param)).collect();
    let program = Program::of(module);
    let (args, scenario) = (arguments(args, &types, &program)?, Scenario::new(0));
    let mut output = Output::default();
    let host: &mut dyn planish_interp::Host = if bril { &mut output } else { &mut NoHost };
    let run = run_with(&program, function, &args, &scenario, limits(case)?, host);
    match leak(&run) {
        Some(fault) => Err(fault),
        None => Ok((run, output.printed().to_owned())),
    }
}

fn convert(name: &str, dialect: Dialect, case: &Case) -> Result<String, String> {
    let source = open(name, dialect, case)?;
    let to: Dialect = case.directive("to").ok_or("`convert` wants `# to: DIALECT`")?.parse()?;
    let bytes =
        source.write(to, Writing { extended: case.directive("extended").is_some(), ..Writing::default() });
    // A program that a dialect cannot say is an answer as well.
    let written = match bytes {
        Ok(bytes) => String::from_utf8(bytes).map_err(|error| error.to_string())?,
        Err(message) => return Ok(message + "\n"),
    };
    let again = open_text(name, to, case, &written)?;
    if let (Some(before), Some(after)) = (source.module(), again.module())
        && let Some(f) = before.functions.values().next()
        && let Some(g) = after.find(&f.name).map(|id| &after.functions[id])
    {
        let (old, new) = (Program::of(before), Program::of(after));
        if let Checked::Different(found) = functions((&old, f), (&new, g), INPUTS, source.form()) {
            return Err(found);
        }
    }
    Ok(written)
}
