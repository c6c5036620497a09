//! Properties of random functions: they verify, their text reads back, optimizing keeps what they do.
//!
//! The campaign at full length is `cargo run --release -p planish-filetest --example campaign`.

use std::collections::BTreeSet;

use planish_book as book;
use planish_driver::{Session, Settings};
use planish_filetest::bridges;
use planish_filetest::generate::trace::{self, Shape};
use planish_filetest::generate::{Options, Source, bytes, from_seed, pattern};
use planish_filetest::property::{
    Effort, How, optimized_does_the_same, optimized_trace_does_the_same, trace_ways,
};
use planish_interp::{End, Limits, Program, Scenario, Subject, Validation, run, validate};
use planish_ir::{Form, Module, text, verify_module};

fn show(module: &Module) -> String {
    text::write(module, text::Options::default())
}

fn read(source: &str) -> Module {
    let (module, diagnostics) = text::read(source);
    assert!(!diagnostics.has_errors(), "{diagnostics:?}\n{source}");
    module
}

#[test]
fn random_functions_verify() {
    for (kind, options) in Options::KINDS {
        for seed in 0..300 {
            let module = from_seed(seed, options);
            let found = verify_module(&module, Form::Cfg);
            assert!(found.is_empty(), "{kind} {seed}: {}\n{}", found.join("\n"), show(&module));
        }
    }
}

#[test]
fn the_text_of_a_random_function_reads_back() {
    for (kind, options) in Options::KINDS {
        for seed in 0..300 {
            let module = from_seed(seed, options);
            let written = show(&module);
            let again = read(&written);
            assert_eq!(show(&again), written, "{kind} {seed}");
            assert!(verify_module(&again, Form::Cfg).is_empty(), "{kind} {seed}");
            let straight = text::Options { straight: true, ..text::Options::default() };
            let line = text::write(&module, straight);
            assert_eq!(text::write(&read(&line), straight), line, "{kind} {seed}");
        }
    }
}

#[test]
fn random_functions_reach_every_kind_of_end() {
    let mut ends = [0; 6];
    for seed in 0..400 {
        let module = from_seed(seed, Options::FULL);
        let (program, f) = (Program::of(&module), module.functions.values().next().unwrap());
        let scenario = Scenario::new(seed);
        let types: Vec<_> = f.params().iter().map(|&param| f.ty(param)).collect();
        let limits = Limits { fuel: 2000, ..Limits::default() };
        let end = run(&program, f, &scenario.arguments(&types), &scenario, limits).end;
        ends[match end {
            End::Return(_) => 0,
            End::Leave(..) => 1,
            End::Throw(..) => 2,
            End::Trap(_) => 3,
            End::Undefined(_) => 4,
            End::OutOfFuel => 5,
        }] += 1;
    }
    assert!(ends.iter().all(|&count| count >= 5), "{ends:?}");
    assert!(ends[0] >= 40, "{ends:?}");
}

/// A nest goes round its loops and ends.
#[test]
fn nests_end() {
    let (mut ended, mut went_round) = (0, 0);
    for seed in 0..400 {
        let module = from_seed(seed, Options::NEST);
        let (program, f) = (Program::of(&module), module.functions.values().next().unwrap());
        let scenario = Scenario::new(seed);
        let types: Vec<_> = f.params().iter().map(|&param| f.ty(param)).collect();
        let limits = Limits { fuel: 5000, ..Limits::default() };
        let run = run(&program, f, &scenario.arguments(&types), &scenario, limits);
        ended += u32::from(run.end != End::OutOfFuel);
        went_round += u32::from(run.counts.total() > 2 * f.live_insts().count() as u64);
    }
    assert!(ended > 350 && went_round > 20, "{ended} {went_round}");
}

#[test]
fn a_function_refines_itself() {
    for seed in 0..300 {
        let module = from_seed(seed, Options::FULL);
        let again = read(&show(&module));
        compare(seed, &module, &again);
    }
}

#[test]
fn an_optimized_random_function_does_what_it_did() {
    let effort = Effort { tries: 12, fuel: 1000 };
    for how in [How::LINEAR, How::EGRAPH] {
        for (kind, options) in Options::KINDS {
            let mut compared = 0;
            for seed in 0..150 {
                let module = from_seed(seed, options);
                match optimized_does_the_same(&module, &how, seed, effort) {
                    Ok(held) => compared += held.compared,
                    Err(why) => panic!("{how:?} {kind} seed {seed}: {why}"),
                }
            }
            // A generator whose functions never end, or never mean anything, would test nothing.
            assert!(compared > 600, "{kind}: {compared}");
        }
    }
}

/// Stopping after any number of rewrites leaves a function that does the same: objects go whole or not at all.
#[test]
fn objects_go_whole_under_any_fuel() {
    let mut stopped_at_objects = 0;
    for seed in 0..24 {
        let before = from_seed(seed, Options::BOXES);
        let run = |fuel: Option<u64>| {
            let mut session = Session::of_module(before.clone(), Form::Cfg);
            let outcome =
                session.optimize(&Settings { fuel, ..Settings::default() }).expect("it is optimized");
            let objects = outcome.record.stages().any(|(name, count)| name == "sroa" && count > 0);
            (session.module().expect("a module").clone(), outcome.record.total(), objects)
        };
        let (_, total, _) = run(None);
        for fuel in (0..total.min(90)).step_by(2) {
            let (after, spent, objects) = run(Some(fuel));
            assert_eq!(spent, fuel, "seed {seed}");
            stopped_at_objects += u32::from(objects);
            compare(seed, &before, &after);
        }
    }
    assert!(stopped_at_objects > 50, "{stopped_at_objects}");
}

/// Traces that exits make objects for among them.
#[test]
fn an_optimized_random_trace_does_what_it_did() {
    let effort = Effort { tries: 6, fuel: 1000 };
    for (kind, options) in Options::TRACES {
        let (mut compared, mut recipes) = (0, 0);
        for seed in 0..200 {
            let module = from_seed(seed, options);
            match optimized_does_the_same(&module, &How::TRACE, seed, effort) {
                Ok(held) => {
                    compared += held.compared;
                    let f = held.after.functions.values().next().expect("a function");
                    let exits = f.live_insts().filter_map(|(_, inst)| f.inst(inst).exit);
                    recipes += exits.filter(|&exit| f.recipe(exit).is_some()).count();
                }
                Err(why) => panic!("{kind} seed {seed}: {why}"),
            }
        }
        assert!(compared > 300, "{kind}: {compared}");
        assert!(kind != "objects" || recipes > 100, "{kind}: {recipes} recipes");
    }
}

/// Traces as text: lines, loops that are peeled, loops with bridges, each read, optimized, written and read again.
#[test]
fn an_optimized_random_text_does_what_it_did() {
    let effort = Effort { tries: 6, fuel: 1000 };
    for (way, settings) in trace_ways() {
        for (kind, shape) in Shape::ALL {
            let mut compared = 0;
            for seed in 0..150 {
                match optimized_trace_does_the_same(&trace::from_seed(seed, shape), &settings, seed, effort) {
                    Ok(held) => compared += held.compared,
                    Err(why) => panic!("{way} {kind} seed {seed}: {why}"),
                }
            }
            assert!(compared > 200, "{kind}: {compared}");
        }
    }
}

/// What random traces hold passes against must be what passes are about.
#[test]
fn random_texts_have_every_kind_of_operation() {
    let texts: String = (0..2_000).map(|seed| trace::from_seed(seed, Shape::Line)).collect();
    for operation in [
        "newstr(",
        "newunicode(",
        "copystrcontent(",
        "copyunicodecontent(",
        "descr=str_concat)",
        "descr=uni_slice)",
        "descr=str_equal)",
        "descr=widen)",
        "descr=malloc)",
        "descr=free)",
        "raw_load_i(",
        "setarrayitem_raw(",
        "setinteriorfield_gc(",
        "getinteriorfield_gc_f(",
        "descr=copy)",
        "descr=lookup)",
        "descr=move)",
        "virtual_ref(",
        "virtual_ref_finish(",
        "call_may_force_i(",
        "call_loopinvariant_i(",
        "cond_call(",
        "cond_call_value_i(",
        "record_known_result(",
        "record_exact_class(",
        "quasiimmut_field(",
        "call_pure_i(900, 3, ",
        "int_mul_ovf(",
        "guard_overflow(",
    ] {
        assert!(texts.contains(operation), "{operation}");
    }
}

/// The patterns of the book, built and optimized; nearly all of them make something fire.
#[test]
fn what_rules_match_does_what_it_did() {
    let effort = Effort { tries: 8, fuel: 100 };
    let mut silent = BTreeSet::new();
    for rule in book::set().rules.values().filter(|rule| !rule.marks.explore) {
        let mut rewrites = 0;
        for seed in 0..12 {
            let bytes = bytes(seed, 400);
            let Some(module) = pattern::module(&mut Source::new(&bytes), rule).unwrap() else { continue };
            for how in [How::LINEAR, How::EGRAPH] {
                match optimized_does_the_same(&module, &how, seed, effort) {
                    Ok(held) => rewrites += held.rewrites,
                    Err(why) => panic!("{}, seed {seed}: {why}", rule.name),
                }
            }
        }
        if rewrites == 0 {
            silent.insert(rule.name.as_str());
        }
    }
    assert!(silent.len() < 20, "{silent:?}");
}

fn compare(seed: u64, before: &Module, after: &Module) {
    let (old, new) = (Program::of(before), Program::of(after));
    let (f, g) = (before.functions.values().next().unwrap(), after.functions.values().next().unwrap());
    let limits = Limits { fuel: 1000, ..Limits::default() };
    let (source, target) = (Subject { program: &old, function: f }, Subject { program: &new, function: g });
    match validate(source, target, seed, 12, limits) {
        Validation::Tested { .. } => {}
        Validation::Signature => panic!("{seed}: the parameters changed"),
        Validation::Different(found) => {
            panic!(
                "seed {seed}: {}\n{}\nBUT\n{}\n{}\nbecame\n{}",
                found.difference,
                found.source,
                found.target,
                show(before),
                show(after)
            )
        }
    }
}

/// What random functions hold passes against must be what passes change.
#[test]
fn every_pass_does_something_on_random_functions() {
    let mut did = BTreeSet::new();
    for (_, options) in Options::KINDS {
        for seed in 0..400 {
            let mut session = Session::of_module(from_seed(seed, options), Form::Cfg);
            let outcome = session.optimize(&Settings::default()).expect("the default pipeline");
            did.extend(outcome.record.stages().map(|(name, _)| name));
        }
    }
    let passes = [
        "if-conversion",
        "gvn",
        "code-hoisting",
        "pre",
        "load-elimination",
        "loop-deletion",
        "loop-rotate",
        "gcm",
        "loop-peel",
        "strength-reduction",
        "jump-threading",
        "loop-unroll",
        "loop-unswitch",
    ];
    for pass in passes {
        assert!(did.contains(pass), "{pass} did nothing; {did:?}");
    }
}

#[test]
fn bridges_are_told_the_truth() {
    let (mut told, mut failed, mut reached) = (0, 0, 0);
    for seed in 0..1500 {
        let data = bytes(seed, 3000);
        let held = bridges::held(&mut arbitrary::Unstructured::new(&data), seed).expect("enough data");
        let tried = held.unwrap_or_else(|wrong| panic!("seed {seed}: {wrong}"));
        told += tried.told;
        failed += tried.failed;
        reached += u64::from(tried.told > 0 && tried.failed > 0);
    }
    assert!(
        told > 5_000 && failed > 1_000 && reached > 300,
        "{told} told, {failed} failed, {reached} reached"
    );
}
