//! Random programs of regions whose functions call one another: whatever the engine makes of calls and bodies, they do the
//! same.
//!
//! Some functions are expressions, of which the e-graph engine holds calls and bodies as equal forms; some choose, go round
//! or may trap. They are called in a line, in the cases of a choice and in loops, with operands that are constants often
//! enough for bodies to fold.

use arbitrary::{Result, Unstructured};
use planish_driver::validate::{Checked, functions};
use planish_driver::{Dialect, EngineChoice, Reading, Session, Settings, Writing};
use planish_interp::Program;
use planish_ir::Form;

/// How many inputs each program is tried on.
const INPUTS: u64 = 12;

/// What a term may use where it stands.
#[derive(Clone, Copy)]
struct Scope<'a> {
    /// The number of arguments of the region.
    arguments: u32,
    /// The functions that may be called: their inputs and outputs.
    functions: &'a [(u32, u32)],
    /// Whether there may be choices, loops and quotients.
    is_plain: bool,
}

fn term(u: &mut Unstructured<'_>, scope: Scope<'_>, depth: u32) -> Result<String> {
    if depth == 0 || u.ratio(1, 6)? {
        return Ok(match u.int_in_range(0..=2)? {
            0 => u.int_in_range(-3..=9)?.to_string(),
            _ => format!("get-{}", u.int_in_range(0..=scope.arguments - 1)?),
        });
    }
    let mut below = |scope| term(u, scope, depth - 1);
    let (x, y) = (below(scope)?, below(scope)?);
    Ok(match u.int_in_range(0..=if scope.is_plain { 8 } else { 11 })? {
        0..=3 if !scope.functions.is_empty() => {
            let function = u.choose_index(scope.functions.len())?;
            let (inputs, outputs) = scope.functions[function];
            let third = term(u, scope, 0)?;
            let given = [x, y, third][..inputs as usize].join(" ");
            format!("(get-{} (call ?f{function} {given}))", u.int_in_range(0..=outputs - 1)?)
        }
        9 => {
            let inside = Scope { arguments: 2, ..scope };
            let (one, other) = (term(u, inside, depth - 1)?, term(u, inside, depth - 1)?);
            format!("(get-0 (switch-2-cases-1-outputs (& {x} 1) {x} {y} {one} {other}))")
        }
        10 => {
            let inside = Scope { arguments: 3, ..scope };
            let (one, other) = (term(u, inside, depth - 1)?, term(u, inside, depth - 1)?);
            let output = u.int_in_range(0..=1)?;
            format!("(get-{output} (loop {x} {y} (& {x} 7) {one} {other} (+ get-2 -1) (> get-2 0)))")
        }
        11 => format!("(/ {x} (+ (& {y} 3) {}))", u.int_in_range(0..=1)?),
        op => format!("({} {x} {y})", ["+", "*", "&", "<<", ">>", ">>s", "=", ">", "+"][op as usize]),
    })
}

/// A random program.
pub(crate) fn program(u: &mut Unstructured<'_>) -> Result<String> {
    let (mut known, mut text) = (Vec::new(), String::new());
    for function in 0..u.int_in_range(1..=5)? {
        let (inputs, outputs) = (u.int_in_range(1..=3)?, u.int_in_range(1..=2)?);
        let scope = Scope { arguments: inputs, functions: &known, is_plain: u.ratio(3, 4)? };
        let depth = u.int_in_range(1..=3)?;
        text += &format!("(?f{function} (func-{inputs}-inputs-{outputs}-outputs");
        for _ in 0..outputs {
            text += &format!(" {}", term(u, scope, depth)?);
        }
        text += ")\n";
        known.push((inputs, outputs));
    }
    let scope = Scope { arguments: 2, functions: &known, is_plain: u.ratio(1, 2)? };
    let (one, other) = (term(u, scope, 5)?, term(u, scope, 5)?);
    Ok(format!("{text}(func-2-inputs-2-outputs {one} {other}){}\n", ")".repeat(known.len())))
}

fn read(text: &str) -> Session {
    let session = Session::open("p.rvsdg", text.into(), Dialect::Rvsdg, Reading::default());
    session.unwrap_or_else(|why| panic!("{why}\n{text}"))
}

/// Makes a program from the data and optimizes it.
pub fn stay_or_go(u: &mut Unstructured<'_>) -> Result<()> {
    let engine = if u.ratio(3, 4)? { EngineChoice::Egraph } else { EngineChoice::Linear };
    let extended = u.ratio(1, 4)?;
    let text = program(u)?;
    let (source, mut session) = (read(&text), read(&text));
    let settings = Settings { engine, extended, ..Settings::default() };
    session.optimize(&settings).unwrap_or_else(|why| panic!("{why}\n{text}"));
    let written = session.write(Dialect::Rvsdg, Writing { extended, ..Writing::default() });
    let written = written.unwrap_or_else(|why| panic!("{why}\n{text}"));
    let written = String::from_utf8(written).expect("text is UTF-8");
    let again = read(&written);
    let modules = [&source, &session, &again].map(|session| session.module().expect("regions are a module"));
    let [main, optimized, other] =
        modules.map(|module| &module.functions[module.find("main").expect("it stays")]);
    for (module, function) in [(modules[1], optimized), (modules[2], other)] {
        let (old, new) = (Program::of(modules[0]), Program::of(module));
        if let Checked::Different(why) = functions((&old, main), (&new, function), INPUTS, Form::Cfg) {
            panic!("{why}\n{text}\nbecame\n{written}");
        }
    }
    Ok(())
}
