//! Random loops in lanes beside themselves, and as machine code; `PLANISH_FULL=1` for minutes.

use arbitrary::Unstructured;
use planish_filetest::generate::bytes;
use planish_fuzzing::vector_loops;
use planish_ir::Module;

fn full() -> bool {
    std::env::var("PLANISH_FULL").is_ok_and(|full| full == "1")
}

/// Whether a function has vectors.
fn has_vectors(module: &Module) -> bool {
    let has = |f: &planish_ir::Function| {
        f.live_insts().any(|(_, inst)| f.results(inst).any(|v| f.ty(v).lane().is_some()))
    };
    module.functions.values().any(has)
}

#[test]
fn loops_in_lanes_do_what_they_did() {
    let first =
        std::env::var("PLANISH_SEED").map_or(0, |seed| seed.parse().expect("PLANISH_SEED is a number"));
    let count = if full() { 200_000 } else { 3_000 };
    let (mut compared, mut vectors) = (0, 0);
    for seed in first..first + count {
        let ran = std::panic::catch_unwind(|| {
            vector_loops::does_the_same(&mut Unstructured::new(&bytes(seed, 400)))
        });
        let (_, held) =
            ran.unwrap_or_else(|_| panic!("with seed {seed}")).expect("bytes that run out read as zero");
        compared += held.compared;
        vectors += u64::from(has_vectors(&held.after));
    }
    // Most loops are done in lanes and end, or this says little.
    assert!(
        compared > 5 * count && 3 * vectors > count,
        "{vectors} of {count} have vectors, {compared} compared"
    );
}

#[cfg(feature = "native")]
#[test]
fn loops_in_lanes_are_the_same_as_machine_code() {
    use planish_interp::{Limits, Program, Scenario, run};
    use planish_native::{Options, agrees, compile};
    use planish_ops::Type;

    let count = if full() { 2_000 } else { 60 };
    let mut vectors = 0;
    for seed in 0..count {
        let made = vector_loops::does_the_same(&mut Unstructured::new(&bytes(seed, 400)));
        let (_, held) = made.expect("bytes that run out read as zero");
        let module = &held.after;
        if !has_vectors(module) {
            continue;
        }
        vectors += 1;
        let id = module.find("f").expect("the function");
        let code = compile(module, id, Options { metered: true, ..Options::default() });
        let code = code.unwrap_or_else(|refused| panic!("{refused}"));
        let (program, function) = (Program::of(module), &module.functions[id]);
        let types: Vec<Type> = function.params().iter().map(|&param| function.ty(param)).collect();
        for world in 0..3 {
            let scenario = Scenario::new(seed + world);
            let args = scenario.arguments(&types);
            let expected = run(&program, function, &args, &scenario, Limits::default()).end;
            let found = code.run(&args, &scenario, 5_000);
            let text = || planish_ir::text::write(module, Default::default());
            assert!(agrees(&expected, &found), "seed {seed}, {args:?}\n{expected:?}\n{found:?}\n{}", text());
        }
    }
    assert!(3 * vectors > count, "{vectors} of {count}");
}
