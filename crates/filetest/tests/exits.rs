//! Exits by name: results of random files with bridges are held against their sources as texts, and a fault that is put into such
//! a text is found.

use planish_driver::validate::{Checked, modules};
use planish_driver::{Dialect, Reading, Session, Settings, Writing};
use planish_filetest::generate::trace::{self, Shape};
use planish_interp::{End, Limits, Program, Reference, Run, Scenario, Val, run};
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

/// Two texts as modules in which the same exits have the same names, and where the first is entered.
struct Pair {
    entries: Vec<FuncId>,
    old: Module,
    new: Module,
}

impl Pair {
    fn of(source: &str, result: &str) -> Pair {
        let (mut before, mut after) = (open(source), open(result));
        Session::set_side_by_side([&mut before, &mut after]);
        let [old, new] =
            [&before, &after].map(|session| session.module().expect("traces are a module").clone());
        Pair { entries: before.entries(), old, new }
    }

    /// What holding them against each other says.
    fn held(&self) -> Checked {
        modules(&self.old, &self.entries, &self.new, WORLDS, Form::Trace)
    }
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

/// A run of a result in a world in which its source means something and ends.
struct Sound {
    name: String,
    world: Scenario,
    args: Vec<Val>,
    run: Run,
}

/// Runs a function of a module, if there is one of that name.
fn run_of(module: &Module, name: &str, args: &[Val], world: &Scenario) -> Option<Run> {
    let limits = Limits { fuel: 20_000, wild_accesses: true, ..Limits::default() };
    let function = &module.functions[module.find(name)?];
    Some(run(&Program::of(module), function, args, world, limits))
}

/// The runs that mean something in a source and what became of it.
fn sound_runs(pair: &Pair) -> Vec<Sound> {
    let program = Program::of(&pair.old);
    let ends = |run: &Run| matches!(run.end, End::Return(_) | End::Leave(..));
    let of_entry = |&id: &FuncId| {
        let function = &pair.old.functions[id];
        let types: Vec<_> = function.params().iter().map(|&param| function.ty(param)).collect();
        let given = program.world_of(function);
        let of_world = move |seed| {
            let (name, world) = (function.name.clone(), Scenario { seed, ..given.clone() });
            let args = world.arguments(&types);
            run_of(&pair.old, &name, &args, &world).filter(ends)?;
            let run = run_of(&pair.new, &name, &args, &world).filter(ends)?;
            Some(Sound { name, world, args, run })
        };
        (0..WORLDS).filter_map(of_world)
    };
    pair.entries.iter().flat_map(of_entry).collect()
}

/// How many runs show otherwise in another result what is written, called or handed over, up to two.
fn shows(runs: &[Sound], other: &Module) -> usize {
    let differs = |&Sound { name, world, args, run }: &&Sound| {
        run_of(other, name, args, world).is_none_or(|wrong| {
            run.end != wrong.end || run.events != wrong.events || outside(run) != outside(&wrong)
        })
    };
    runs.iter().filter(differs).take(2).count()
}

/// No result is taken for another program than its source, whether guards have names or not.
#[test]
fn results_with_bridges_are_what_their_sources_are() {
    let mut agree = 0;
    for seed in 0..SEEDS {
        let source = trace::from_seed(seed, Shape::Left);
        for source in [with_names(&source), source] {
            let result = optimized(&source);
            match Pair::of(&source, &result).held() {
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
        let sound = sound_runs(&Pair::of(&source, &result));
        for ((name, fault), seen) in faults.iter().zip(&mut seen) {
            let Some(wrong) = fault(&result) else { continue };
            let pair = Pair::of(&source, &wrong);
            let shown = shows(&sound, &pair.new);
            if shown == 0 {
                continue;
            }
            let is_found = matches!(pair.held(), Checked::Different(_));
            // Worlds of a validation have numbers of the texts in them: a single one of these need not be among them.
            assert!(is_found || shown < 2, "{name}, seed {seed} is not found:\n{source}\nbecame\n{wrong}");
            *seen += u64::from(is_found);
        }
    }
    assert!(seen.iter().all(|&seen| seen >= 4), "{seen:?}");
}
