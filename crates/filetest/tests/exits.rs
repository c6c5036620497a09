//! Exits by name: results of random files with bridges are held against their sources as texts, and a fault that is put into such
//! a text is found.

use planish_driver::validate::{Checked, modules};
use planish_driver::{Dialect, Reading, Session, Settings, Writing};
use planish_filetest::generate::trace::{self, Shape};
use planish_interp::{End, Limits, Program, Reference, Run, Scenario, run};
use planish_ir::{Form, FuncId, Module};

/// How many random files.
const SEEDS: u64 = 150;
/// In how many worlds each trace is run.
const WORLDS: u64 = 16;
/// What no trace computes.
const WRONG: i64 = 987_654_321;

fn open(text: &str) -> Session {
    let read = Session::open("exits", text.as_bytes().to_vec(), Dialect::Trace, Reading::default());
    read.unwrap_or_else(|message| panic!("{message}\n{text}"))
}

/// Gives every guard of a source a name that has none.
fn with_names(source: &str) -> String {
    let mut number = 0;
    let named = source.lines().map(|line| {
        if !line.starts_with("guard_") || line.contains("descr=") {
            return format!("{line}\n");
        }
        number += 1;
        let close = line.find(") [").unwrap_or(line.len() - 1);
        let comma = if line[..close].ends_with('(') { "" } else { ", " };
        format!("{}{comma}descr=<Named{number}>{}\n", &line[..close], &line[close..])
    });
    named.collect()
}

/// What optimizing makes of a text.
fn optimized(source: &str) -> String {
    let mut session = open(source);
    session.optimize(&Settings::default()).expect("the pipeline suits every trace");
    String::from_utf8(session.write(Dialect::Trace, Writing::default()).expect("a text"))
        .expect("traces are text")
}

/// What holding two texts against each other says, and the modules that were run.
fn held(source: &str, result: &str) -> (Checked, [Module; 2]) {
    let (mut before, mut after) = (open(source), open(result));
    Session::set_side_by_side([&mut before, &mut after]);
    let [old, new] = [&before, &after].map(|session| session.module().expect("traces are a module").clone());
    (modules(&old, &before.entries(), &new, WORLDS, Form::Trace), [old, new])
}

/// The lines of a text, and for each whether it is in a bridge.
fn lines(text: &str) -> Vec<(&str, bool)> {
    let mut bridge = false;
    let lines = text.lines().map(|line| {
        bridge = line.starts_with("#! out of ") || bridge && !line.starts_with("#! section");
        (line, bridge)
    });
    lines.collect()
}

/// A text with one line replaced, or left out.
fn replaced(text: &str, at: usize, by: Option<String>) -> String {
    let lines = text.lines().enumerate().filter_map(|(number, line)| match number == at {
        true => by.clone(),
        false => Some(line.to_owned()),
    });
    lines.map(|line| line + "\n").collect()
}

/// A bridge ends with another number.
fn wrong_end(text: &str) -> Option<String> {
    let at = lines(text).iter().position(|(line, bridge)| *bridge && line.starts_with("finish("))?;
    Some(replaced(text, at, Some(format!("finish({WRONG})"))))
}

/// A guard hands two integers over to its bridge in the other's place.
fn wrong_hand_over(text: &str) -> Option<String> {
    let left = |line: &str| line.starts_with("guard_") && line.contains("descr=<Guard");
    text.lines().enumerate().filter(|(_, line)| left(line)).find_map(|(at, line)| {
        let (head, rest) = line.split_once(") [")?;
        let (list, behind) = rest.split_once(']')?;
        let mut names: Vec<&str> = list.split(", ").collect();
        let mut ints = (0..names.len()).filter(|&index| names[index].starts_with('i'));
        let (first, second) = (ints.next()?, ints.next()?);
        names.swap(first, second);
        Some(replaced(text, at, Some(format!("{head}) [{}]{behind}", names.join(", ")))))
    })
}

/// A store is lost in front of a guard that has a bridge.
fn lost_store(text: &str) -> Option<String> {
    let guard = text.lines().position(|line| line.starts_with("guard_") && line.contains("descr=<Guard"))?;
    let is_store = |line: &&str| line.starts_with("setfield_gc(") || line.starts_with("setarrayitem_gc(");
    let before: Vec<&str> = text.lines().take(guard).collect();
    let at = before.iter().rposition(is_store)?;
    Some(replaced(text, at, None))
}

/// What a run wrote at last to objects that it did not make.
fn outside(run: &Run) -> Vec<String> {
    let written = run.written.iter().filter(|(place, _)| matches!(place.owner, Some(Reference::Outside(_))));
    written.map(|(place, value)| format!("{} = {}", run.show_place(*place), run.show(*value))).collect()
}

/// How many runs that mean something in the source show otherwise what is written, called or handed over in one of two results.
fn shows([old, right, wrong]: [&Module; 3], entries: &[FuncId]) -> usize {
    let programs = [old, right, wrong].map(Program::of);
    let limits = Limits { fuel: 20_000, wild_accesses: true, ..Limits::default() };
    let of_entry = |&id: &FuncId| {
        let name = &old.functions[id].name;
        let of = |module: &Module| module.find(name).map(|id| module.functions[id].clone());
        let [Some(old), Some(right), Some(wrong)] = [old, right, wrong].map(of) else { return 1 };
        let types: Vec<_> = old.params().iter().map(|&param| old.ty(param)).collect();
        let world = programs[0].world_of(&old);
        let shown = (0..WORLDS).filter(|&seed| {
            let scenario = Scenario { seed, ..world.clone() };
            let args = scenario.arguments(&types);
            let [old, right, wrong] = [(&programs[0], &old), (&programs[1], &right), (&programs[2], &wrong)]
                .map(|(program, function)| run(program, function, &args, &scenario, limits));
            let ends = |run: &Run| matches!(run.end, End::Return(_) | End::Leave(..));
            ends(&old)
                && ends(&right)
                && (right.end != wrong.end
                    || right.events != wrong.events
                    || outside(&right) != outside(&wrong))
        });
        shown.count()
    };
    entries.iter().map(of_entry).sum()
}

/// No result is taken for another program than its source, whether guards have names or not.
#[test]
fn results_with_bridges_are_what_their_sources_are() {
    let mut agree = 0;
    for seed in 0..SEEDS {
        let source = trace::from_seed(seed, Shape::Left);
        for source in [with_names(&source), source] {
            let result = optimized(&source);
            match held(&source, &result).0 {
                Checked::Tested { agreed, .. } => agree += agreed,
                Checked::Different(why) => panic!("seed {seed}: {why}\n{source}\nbecame\n{result}"),
            }
        }
    }
    assert!(agree > SEEDS * WORLDS, "{agree}");
}

/// Every fault is found that some run shows.
#[test]
fn faults_in_texts_with_bridges_are_found() {
    type Fault = fn(&str) -> Option<String>;
    let faults: [(&str, Fault); 3] =
        [("end", wrong_end), ("hand over", wrong_hand_over), ("store", lost_store)];
    let mut seen = [0; 3];
    for seed in 0..SEEDS {
        let source = with_names(&trace::from_seed(seed, Shape::Left));
        let result = optimized(&source);
        let entries = open(&source).entries();
        let (_, [old, right]) = held(&source, &result);
        for ((name, fault), seen) in faults.iter().zip(&mut seen) {
            let Some(wrong) = fault(&result) else { continue };
            let (checked, [_, module]) = held(&source, &wrong);
            let is_found = matches!(checked, Checked::Different(_));
            // Worlds of a validation have numbers of the texts in them: a single one of these need not be among them.
            let shown = shows([&old, &right, &module], &entries);
            assert!(is_found || shown < 2, "{name}, seed {seed} is not found:\n{source}\nbecame\n{wrong}");
            *seen += u64::from(is_found && shown > 0);
        }
    }
    assert!(seen.iter().all(|&seen| seen >= 4), "{seen:?}");
}
