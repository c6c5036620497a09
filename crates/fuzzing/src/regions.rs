//! Random programs of statements: to regions and back, and optimized in between, they do the same.
//!
//! Blocks go anywhere, so most graphs are irreducible; a counter ends every program. Divisors may be zero and
//! quotients unneeded: a trap is behaviour as a result is. Some programs hold functions in variables, and call those.

use std::fmt::Write;

use arbitrary::{Result, Unstructured};
use planish_base::{Diagnostics, SourceText};
use planish_driver::validate::{Checked, functions};
use planish_driver::{EngineChoice, Session, Settings};
use planish_interp::Program;
use planish_ir::{Form, Module};

const VARIABLES: [&str; 5] = ["a", "b", "c", "d", "e"];

/// How many inputs each stage is tried on.
const INPUTS: u64 = 12;

/// What variables may hold, besides words. A call may trap.
const FUNCTIONS: &str = "function next -> x\n  + x 1 -> y\n  return y\nfunction square -> x\n  * x x -> y\n  return y\n\
    function quotient -> x\n  / 60 x -> y\n  return y\nfunction again -> x\n  mov square -> f\n  call f x -> y\n  \
    call f y -> y\n  return y\n";

/// A statement about variables that hold functions.
fn with_functions(u: &mut Unstructured<'_>) -> Result<String> {
    let (x, y) = (*u.choose(&VARIABLES)?, *u.choose(&VARIABLES)?);
    let (f, g) = *u.choose(&[("f", "g"), ("g", "f")])?;
    Ok(match u.int_in_range(0..=5)? {
        0 => format!("  mov {} -> {f}\n", u.choose(&["next", "square", "quotient", "again"])?),
        1 => format!("  mov {f} -> h\n  mov {g} -> {f}\n  mov h -> {g}\n"),
        2 => format!("  call {} {x} -> {y}\n", u.choose(&["next", "again"])?),
        _ => format!("  call {f} {x} -> {y}\n"),
    })
}

/// A random program.
pub(crate) fn program(u: &mut Unstructured<'_>) -> Result<String> {
    let blocks = u.int_in_range(1..=8)?;
    let has_functions = u.ratio(1, 3)?;
    let mut text = String::from("function main -> a b c d\n  mov 12 -> fuel\n  mov 5 -> e\n");
    if has_functions {
        text += "  mov next -> f\n  mov square -> g\n";
    }
    for block in 0..blocks {
        writeln!(text, "label L{block}").expect("writing to a string does not fail");
        for _ in 0..u.int_in_range(0..=3)? {
            if has_functions && u.ratio(1, 2)? {
                text += &with_functions(u)?;
                continue;
            }
            let op = *u.choose(&["+", "*", "&", "-", "=", ">", ">>s", "<<", "!=", "/", "%"])?;
            let x = *u.choose(&VARIABLES)?;
            let y = match u.int_in_range(0..=2)? {
                0 => u.int_in_range(-4..=8)?.to_string(),
                _ => (*u.choose(&VARIABLES)?).to_owned(),
            };
            writeln!(text, "  {op} {x} {y} -> {}", u.choose(&VARIABLES)?).expect("as above");
        }
        text += &format!("  + fuel -1 -> fuel\n  > fuel 0 -> t\n  switch t out G{block}\nlabel G{block}\n");
        let target = |u: &mut Unstructured<'_>| -> Result<String> {
            Ok(if u.ratio(1, 6)? {
                "out".to_owned()
            } else {
                format!("L{}", u.int_in_range(0..=blocks - 1)?)
            })
        };
        match u.int_in_range(0..=3)? {
            0 => text += &format!("  goto {}\n", target(u)?),
            1 => {
                text += &format!("  & {} 3 -> t\n  switch t", u.choose(&VARIABLES)?);
                for _ in 0..4 {
                    text += &format!(" {}", target(u)?);
                }
                text += "\n";
            }
            _ => {
                let (x, y) = (*u.choose(&VARIABLES)?, *u.choose(&VARIABLES)?);
                text += &format!("  > {x} {y} -> t\n  switch t {} {}\n", target(u)?, target(u)?);
            }
        }
    }
    Ok(text + "label out\n  return a c\n" + if has_functions { FUNCTIONS } else { "" })
}

/// The module of a text that is right.
fn statements(text: &str) -> Module {
    let source = SourceText::new("p.tac", text);
    let mut diagnostics = Diagnostics::new();
    let program = planish_tac::read(&source, &mut diagnostics);
    let module = planish_tac::lift(&program, planish_tac::lift::Options::default(), &mut diagnostics);
    assert!(!diagnostics.has_errors(), "{}\n{text}", diagnostics.render(&source));
    module
}

/// The text of a module in regions.
fn to_regions(module: &Module, extended: bool) -> String {
    let options = planish_rvsdg::lower::Options { width: 64, extended };
    match planish_rvsdg::lower::lower_named(module, &["main".to_owned()], options) {
        Ok(lowered) => planish_rvsdg::write(&lowered.program),
        Err(errors) => panic!("{}", errors.join("\n")),
    }
}

fn regions(text: &str) -> Module {
    let source = SourceText::new("p.rvsdg", text);
    let mut diagnostics = Diagnostics::new();
    let program = planish_rvsdg::read(&source, &mut diagnostics);
    let Some(program) = program else { panic!("{}\n{text}", diagnostics.render(&source)) };
    let options = planish_rvsdg::lift::Options::default();
    let forms = planish_rvsdg::lift::lift_forms(&program, options);
    forms.unwrap_or_else(|error| panic!("{error}\n{text}")).module
}

/// Makes a program from the data and takes it to regions, back to statements, and the same optimized.
pub fn there_and_back(u: &mut Unstructured<'_>) -> Result<()> {
    let engine = if u.ratio(1, 3)? { EngineChoice::Egraph } else { EngineChoice::Linear };
    let text = program(u)?;
    let before = statements(&text);
    // Functions have no names in regions, so the first one is compared.
    let held = |after: &Module, what: &str| {
        let [main, other] =
            [&before, after].map(|module| &module.functions[module.find("main").expect("it stays")]);
        let (old, new) = (Program::of(&before), Program::of(after));
        if let Checked::Different(why) = functions((&old, main), (&new, other), INPUTS, Form::Cfg) {
            panic!("{why}\n{text}\nbecame\n{what}");
        }
    };
    let between = to_regions(&before, false);
    let converted = regions(&between);
    held(&converted, &between);
    let mut session = Session::of_module(converted, Form::Cfg);
    let settings = Settings { engine, ..Settings::default() };
    session.optimize(&settings).unwrap_or_else(|why| panic!("{why}\n{text}"));
    let optimized = session.module().expect("a session over a module has one");
    // Optimized as for a machine, it may have operations of which only the extension has a name.
    let between = to_regions(optimized, true);
    held(&regions(&between), &between);
    let options = planish_tac::lower::Options { width: 64, extended: true, ..Default::default() };
    let back =
        planish_tac::lower::lower(optimized, options).unwrap_or_else(|why| panic!("{}", why.join("\n")));
    let back = planish_tac::write::write(&back);
    held(&statements(&back), &back);
    Ok(())
}
