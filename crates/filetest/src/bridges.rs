//! What bridges are told of their parents, held against runs of the parents.
//!
//! A random trace is put into a log as what an optimizer left, with a bridge out of one of its guards that is handed some
//! values. Each line that the bridge is told becomes a guard behind the place where the parent leaves; none of those may fail.

use arbitrary::{Result, Unstructured};
use planish_base::SourceText;
use planish_driver::{Dialect, Reading, Session, logs};
use planish_interp::{End, Limits, Program, Scenario, run};

use crate::generate::trace::{self, Shape};
use crate::property::Wrong;

/// In how many worlds the parent runs.
const WORLDS: u64 = 12;

/// What became of a trace of a bridge.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tried {
    /// How many things the bridge was told.
    pub told: usize,
    /// In how many worlds the parent came to the guard, and failed there.
    pub failed: u64,
}

/// Makes a trace and a bridge from the data, and holds what that is told against runs.
pub fn held(u: &mut Unstructured<'_>, seed: u64) -> Result<std::result::Result<Tried, Wrong>> {
    let text = trace::text(u, Shape::Line)?;
    let (header, lines): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.starts_with("#!"));
    let guards: Vec<usize> = (0..lines.len()).filter(|&at| opposite(lines[at]).is_some()).collect();
    if guards.is_empty() {
        return Ok(Ok(Tried::default()));
    }
    let left = *u.choose(&guards)?;
    let handed = some_names(u, &lines[..left])?;
    let log = log(&lines, left, &handed);
    let told = logs::told_to_bridges(SourceText::new("random.log", log)).pop().unwrap_or_default();
    let mut parent: Vec<String> = lines[..left].iter().map(|&line| line.to_owned()).collect();
    parent.extend(opposite(lines[left]).unwrap_or_default());
    let before = parent.iter().filter(|line| is_guard(line)).count() as u32;
    for line in told.lines() {
        asked(&inside(line, &handed), &mut parent);
    }
    parent.push("finish()".to_owned());
    let checked = format!("{}\n{}\n", header.join("\n"), parent.join("\n"));
    Ok(never_leaves_behind(&checked, before, seed).map(|failed| Tried { told: told.lines().count(), failed }))
}

/// Runs a trace: in how many worlds it came past so many guards. It must not leave by one of those behind.
fn never_leaves_behind(text: &str, guards: u32, seed: u64) -> std::result::Result<u64, Wrong> {
    let session = Session::open("told", text.as_bytes().to_vec(), Dialect::Trace, Reading::default())
        .map_err(|message| Wrong::Broken(format!("{message}\n{text}")))?;
    let module = session.module().expect("a trace is a module");
    let program = Program::of(module);
    let Some(function) = module.functions.values().next() else { return Ok(0) };
    let world = program.world_of(function);
    let types: Vec<_> = function.params().iter().map(|&param| function.ty(param)).collect();
    let limits = Limits { fuel: 2_000, wild_accesses: true, ..Limits::default() };
    let mut came = 0;
    for number in 0..WORLDS {
        let scenario = Scenario { seed: seed.wrapping_add(number), ..world.clone() };
        match run(&program, function, &scenario.arguments(&types), &scenario, limits).end {
            End::Leave(exit, _) if exit >= guards => {
                let wrong = format!("in world {number} guard {exit} behind {guards} fails\n{text}");
                return Err(Wrong::Different(wrong));
            }
            End::Return(_) => came += 1,
            _ => {}
        }
    }
    Ok(came)
}

fn is_guard(line: &str) -> bool {
    line.starts_with("guard_")
}

/// The operation and the operands of a line without a result.
fn split(line: &str) -> Option<(&str, &str)> {
    let (word, rest) = line.split_once('(')?;
    Some((word, rest.rsplit_once(')')?.0))
}

/// What passes where a guard fails.
fn opposite(line: &str) -> Option<Vec<String>> {
    let (word, operands) = split(line)?;
    let guard = |word: &str| Some(vec![format!("{word}({operands}) []")]);
    match word {
        "guard_true" => guard("guard_false"),
        "guard_false" => guard("guard_true"),
        "guard_nonnull" => guard("guard_isnull"),
        "guard_isnull" => guard("guard_nonnull"),
        "guard_value" if operands.starts_with('i') => {
            Some(vec![format!("i8000 = int_ne({operands})"), "guard_true(i8000) []".to_owned()])
        }
        _ => None,
    }
}

/// Some of the names that some lines give, each once.
fn some_names(u: &mut Unstructured<'_>, lines: &[&str]) -> Result<Vec<String>> {
    let mut names: Vec<&str> =
        lines[0].trim_matches(['[', ']']).split(", ").filter(|n| !n.is_empty()).collect();
    names.extend(lines.iter().filter_map(|line| Some(line.split_once(" = ")?.0)));
    let mut chosen = Vec::new();
    for name in names.iter().rev() {
        if u.ratio(2, 3)? {
            chosen.push((*name).to_owned());
        }
    }
    Ok(chosen)
}

/// What the n-th value is called in the bridge that the parent hands over.
fn called(number: usize, name: &str) -> String {
    format!("{}{}", &name[..1], 9000 + number)
}

/// A line that a bridge is told, in the words of its parent.
fn inside(line: &str, handed: &[String]) -> String {
    let names = handed.iter().enumerate().map(|(number, name)| (called(number, name), name));
    names.fold(
        line.replace("ConstPtr(parent_", "ConstPtr(").replace("ConstPtr(null)", "NULL"),
        |line, (called, name)| line.replace(&called, name),
    )
}

/// A line that a bridge is told, as lines that leave where it is not true.
fn asked(line: &str, lines: &mut Vec<String>) {
    let number = 20_000 + lines.len();
    match split(line) {
        Some((word @ ("record_exact_value_i" | "record_exact_value_r"), operands)) => {
            let compare = if word.ends_with('i') { "int_eq" } else { "ptr_eq" };
            lines.push(format!("i{number} = {compare}({operands})"));
            lines.push(format!("guard_true(i{number}) []"));
        }
        Some(("record_exact_class", operands)) => lines.push(format!("guard_class({operands}) []")),
        Some(("assert_not_none", operands)) => lines.push(format!("guard_nonnull({operands}) []")),
        // It is about calls to come.
        Some(("record_known_result", _)) => {}
        _ => lines.push(line.to_owned()),
    }
}

/// A log with a trace and a bridge out of one of its guards.
fn log(lines: &[&str], left: usize, handed: &[String]) -> String {
    let mut parent: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
    let (word, operands) = split(lines[left]).expect("a guard");
    parent[left] = format!("{word}({operands}, descr=<Guard0x1>) [{}]", handed.join(", "));
    let inputs: Vec<String> = handed.iter().enumerate().map(|(number, name)| called(number, name)).collect();
    let bridge = format!("[{}]\nfinish()", inputs.join(", "));
    let traces = [
        (format!("{}\nfinish()", lines[0]), "loop", "# Loop 0 (f) : loop with 1 ops", parent.join("\n")),
        (bridge.clone(), "bridge", "# bridge out of Guard 0x1 with 1 ops", bridge),
    ];
    let mut log = String::new();
    for (raw, kind, comment, optimized) in traces {
        log.push_str(&format!(
            "[1] {{jit-tracing\n[2] {{jit-log-noopt\n# x\n{raw}\n[3] jit-log-noopt}}\n[4] {{jit-log-opt-{kind}\n\
             {comment}\n{optimized}\n[5] jit-log-opt-{kind}}}\n[6] jit-tracing}}\n"
        ));
    }
    log
}
