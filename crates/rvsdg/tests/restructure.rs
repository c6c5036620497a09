//! Control flow to regions and back: what comes out, and that it does the same.
//!
//! Programs marked README are from the README of optir (Jamey Sharp, 2022), section "CFG input language".

use planish_base::{Diagnostics, SourceText};
use planish_interp::{End, Limits, Program as Environment, Scenario, Val, run};
use planish_ir::Module;
use planish_ops::Type;
use planish_rvsdg::{lift, lower};

fn lifted(text: &str) -> Module {
    let source = SourceText::new("p.tac", text);
    let mut diagnostics = Diagnostics::new();
    let program = planish_tac::read(&source, &mut diagnostics);
    let options = planish_tac::lift::Options { unassigned_is_zero: true, ..Default::default() };
    let module = planish_tac::lift(&program, options, &mut diagnostics);
    assert!(!diagnostics.has_errors(), "{}\n{text}", diagnostics.render(&source));
    module
}

fn lowered(module: &Module, extended: bool) -> String {
    let options = lower::Options { width: 64, extended };
    match lower(module, options) {
        Ok(lowered) => planish_rvsdg::write(&lowered.program),
        Err(errors) => panic!("{}", errors.join("\n")),
    }
}

fn regions(text: &str) -> String {
    lowered(&lifted(text), false)
}

fn from_regions(text: &str, functions: bool) -> Module {
    let source = SourceText::new("p.rvsdg", text);
    let mut diagnostics = Diagnostics::new();
    let Some(program) = planish_rvsdg::read(&source, &mut diagnostics) else {
        panic!("{}\n{text}", diagnostics.render(&source))
    };
    lift(&program, lift::Options { functions, ..Default::default() }).expect("it can be lifted")
}

/// The end of a run and how many operations and branches were executed.
fn observe(module: &Module, args: &[i64]) -> (End, u64) {
    let function = module.functions.values().next().expect("a module has a function");
    let args: Vec<Val> =
        function.params().iter().zip(args).map(|(_, &arg)| Val::int(Type::I64, arg)).collect();
    let environment = Environment::of(module);
    let run =
        run(&environment, function, &args, &Scenario::new(1), Limits { fuel: 200_000, ..Limits::default() });
    (run.end, run.counts.total())
}

/// Whatever is defined before is the same afterwards, and what trapped traps.
fn assert_refines(before: &Module, after: &Module, inputs: &[Vec<i64>], what: &str) {
    for args in inputs {
        let (expected, _) = observe(before, args);
        if let End::Return(_) | End::Trap(_) = expected {
            assert_eq!(observe(after, args).0, expected, "{args:?}\n{what}");
        }
    }
}

fn inputs() -> Vec<Vec<i64>> {
    let mut inputs =
        vec![vec![0; 4], vec![1; 4], vec![-1, 2, 3, 7], vec![9, -4, 0, 5], vec![i64::MIN, i64::MAX, 3, -1]];
    inputs.extend((0..6).map(|i| vec![i, 6 - i, i * 7 % 5, 1 - i]));
    inputs
}

fn assert_round_trip(text: &str) {
    let before = lifted(text);
    let between = lowered(&before, false);
    let after = from_regions(&between, false);
    assert_refines(&before, &after, &inputs(), &format!("{text}\n{between}"));
    let options = planish_tac::lower::Options::default();
    let written = planish_tac::lower(&after, options).expect("it can be written");
    let again = lifted(&planish_tac::write(&written));
    assert_refines(&before, &again, &inputs(), text);
}

/// S2.38, S2.42: the README's example of a loop without end becomes exactly the regions it shows.
#[test]
fn a_state_around_an_endless_loop() {
    let text = "function -> state should-halt\n  switch should-halt forever done\nlabel forever\n  use state -> state\n  switch 1 done forever\nlabel done\n  return state\n";
    let shown = "(func-2-inputs-1-outputs (get-0 (switch-2-cases-1-outputs get-1 get-0 (get-0 (loop get-0 (use get-0) 1)) get-0)))";
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").replace("( ", "(");
    assert_eq!(words(&regions(text)), shown);
    assert_round_trip(text);
}

/// S2.41 lifted: a loop without a way out keeps going, with its state where there is one.
#[test]
fn a_loop_without_a_way_out_is_kept() {
    let state = "function -> s c\n  switch c forever done\nlabel forever\n  use s -> s\n  goto forever\nlabel done\n  return s\n";
    assert!(regions(state).contains("(loop get-0 (use get-0) 1)"), "{}", regions(state));
    let bare = "function -> x\nlabel forever\n  goto forever\n";
    assert_eq!(lower(&lifted(bare), Default::default()).expect("it is legal").endless, ["main"]);
    let after =
        "function -> x\n  switch x forever done\nlabel forever\n  goto forever\nlabel done\n  return x\n";
    let text = regions(after);
    assert!(text.contains("(loop 0 0 1)"), "{text}");
    assert_eq!(observe(&from_regions(&text, false), &[0]).0, End::OutOfFuel);
    assert_round_trip(after);
}

/// S2.49: the power program with its branches in order, and as it was published.
#[test]
fn powers() {
    let text = |last: &str| {
        format!(
            "function -> x n\n  mov 1 -> y\nlabel loop\n  & n 1 -> c\n  switch c even odd\nlabel odd\n  * y x -> y\nlabel even\n  * x x -> x\n  = n 0 -> c\n  >> n 1 -> n\n  switch c {last}\nlabel done\n  return y\n"
        )
    };
    let right = from_regions(&regions(&text("loop done")), false);
    assert_eq!(observe(&right, &[3, 5]).0, End::Return(vec![Val::int(Type::I64, 243)]));
    assert_round_trip(&text("loop done"));
    assert_round_trip(&text("done loop"));
}

/// S2.23, S2.60: the power program of the README in regions, whose predicate is the number itself.
#[test]
fn a_loop_repeats_while_its_predicate_is_not_zero() {
    let text = "(func-2-inputs-1-outputs (get-2 (loop get-0 get-1 1 (* get-0 get-0) (>> get-1 1) (get-0 (switch-2-cases-1-outputs (& get-1 1) get-0 get-2 get-1 (* get-1 get-0))) get-1)))";
    let module = from_regions(text, false);
    assert_eq!(observe(&module, &[3, 5]).0, End::Return(vec![Val::int(Type::I64, 243)]));
    assert_eq!(observe(&module, &[7, 0]).0, End::Return(vec![Val::int(Type::I64, 1)]));
}

/// S2.39: what nothing returns is not there.
#[test]
fn nothing_is_kept_that_no_result_needs() {
    assert_eq!(regions("function -> a\n  * a a -> b\n  return\n"), "func-1-inputs-0-outputs\n");
    let text = "function -> a n\nlabel loop\n  * a a -> a\n  + n -1 -> n\n  > n 0 -> c\n  switch c done loop\nlabel done\n  return n\n";
    assert!(!regions(text).contains('*'), "a variable that only itself needs is none: {}", regions(text));
}

/// S2.57: short circuits, arms that do nothing, ends of loops with several targets, entries from several
/// sides.
#[test]
fn shapes_that_are_hard_to_restructure() {
    let cases = [
        // Both arms do nothing.
        "function -> a b\n  switch a x y\nlabel x\n  goto e\nlabel y\nlabel e\n  return b\n",
        // Short circuit, once with one more block.
        "function -> a b x\n  > a 0 -> a\n  > b 0 -> b\n  switch a L2 L1\nlabel L1\n  switch b L4 L2\nlabel L2\n  + x 1 -> x\nlabel L3\n  * x 3 -> x\nlabel L4\n  return x\n",
        // The edge back is named twice; two exits from one switch.
        "function -> n x\n  & n 7 -> n\nlabel L\n  + x 1 -> x\n  + n -1 -> n\n  & n 3 -> c\n  % c 3 -> c\n  switch c A L L\nlabel A\n  + x 100 -> x\n  return x\n",
        "function -> n x\n  & n 7 -> n\nlabel L\n  + x 1 -> x\n  + n -1 -> n\n  & n 3 -> c\n  % c 3 -> c\n  switch c A L B\nlabel A\n  + x 100 -> x\nlabel B\n  return x\n",
        // A loop with two entries and two exits.
        "function -> n x\n  & n 7 -> n\n  & x 1 -> c\n  switch c A B\nlabel A\n  + x 3 -> x\n  + n -1 -> n\n  > n 0 -> c\n  switch c X B\nlabel B\n  * x 5 -> x\n  + n -1 -> n\n  > n 1 -> c\n  switch c Y A\nlabel X\n  + x 1000 -> x\nlabel Y\n  return x n\n",
        // A switch that falls through.
        "function -> n x\n  & n 3 -> n\n  switch n A B C D\nlabel A\n  + x 1 -> x\nlabel B\n  * x 3 -> x\nlabel C\n  + x 7 -> x\nlabel D\n  return x\n",
        // Returns in the middle of loops.
        "function -> n x\n  & n 15 -> n\nlabel L\n  + x n -> x\n  & x 3 -> c\n  switch c A B C L2\nlabel A\n  return x 1\nlabel B\n  + x 1 -> x\nlabel L2\n  + n -1 -> n\n  > n 0 -> c\n  switch c C L\nlabel C\n  return x 2\n",
    ];
    for text in cases {
        assert_round_trip(text);
    }
}

/// S2.58: more cases than a byte counts.
#[test]
fn a_switch_of_three_hundred_cases_that_fall_through() {
    let labels: Vec<String> = (0..300).map(|i| format!("L{i}")).collect();
    let mut text = format!("function -> n x\n  & n 255 -> n\n  switch n {}\n", labels.join(" "));
    for label in &labels {
        text += &format!("label {label}\n  + x 1 -> x\n");
    }
    text += "  return x\n";
    assert_round_trip(&text);
}

/// The order of traps, of outputs, of inputs and of loop variables is that of what is read, however SSA has them.
#[test]
fn what_was_written_is_written_so_again() {
    let programs = [
        "function -> a b\n  / a b -> q\n  % b a -> r\n  / 7 a -> s\n  return b\n",
        "function -> a b\n  / a b -> q\n  % b q -> r\n  / q a -> s\n  return r\n",
        "function -> a b\n  / a b -> q\n  switch a x y\nlabel y\n  % b a -> r\n  % a b -> r\nlabel x\n  return b a\n",
        "function -> a b\n  & b 1 -> t\n  mov 3 -> c\n  mov a -> d\n  switch t x y\nlabel x\n  mov b -> c\n  \
         mov 5 -> d\n  goto z\nlabel y\n  + d b -> d\nlabel z\n  * d c -> e\n  return e d c\n",
        "function -> a b\n  & a 7 -> n\n  mov 0 -> c\n  mov 1 -> d\nlabel l\n  mov c -> e\n  mov d -> c\n  + e b -> d\n  \
         + n -1 -> n\n  > n 0 -> m\n  switch m e l\nlabel e\n  return d e c\n",
        "function -> a b\n  = a b -> e\n  = e 0 -> n\n  mov 1 -> c\n  switch n x y\nlabel x\n  mov a -> c\nlabel y\n  \
         + c n -> c\n  return c\n",
    ];
    for text in programs {
        let written = regions(text);
        assert_eq!(lowered(&from_regions(&written, false), false), written, "{text}");
    }
}

/// A division by zero traps, whoever needs the quotient: straight on, in an arm, in a loop that nothing needs,
/// in a function that is called for nothing, and in one that returns nothing.
#[test]
fn a_division_that_nothing_needs_still_traps() {
    let plain = "function -> a b\n  / a b -> q\n  + a 1 -> r\n  return r\n";
    assert_eq!(
        regions(plain),
        "(func-2-inputs-1-outputs\n  (get-0 (switch-1-cases-1-outputs 0 (/ get-0 get-1) (+ get-0 1) get-1)))\n"
    );
    let programs = [
        plain,
        "function -> a b\n  switch a x y\nlabel y\n  % a b -> q\nlabel x\n  return b a\n",
        "function -> a b\n  & a 7 -> n\nlabel l\n  / a b -> q\n  + b -1 -> b\n  + n -1 -> n\n  > n 0 -> m\n  switch m e l\nlabel e\n  return a\n",
        "function -> a b\n  / a b -> q\n  return\n",
        "function -> a b\n  call f a b -> q\n  return a\nfunction f -> a b\n  / a b -> q\n  return q\n",
        "function -> a b\n  call f a b\n  call f b a\n  return a b\nfunction f -> a b\n  / a b -> q\n  return\n",
    ];
    for text in programs {
        let before = lifted(text);
        let mut traps = 0;
        for args in [[1, 0, 0, 0], [1, 1, 0, 0], [5, 3, 0, 0]] {
            let after = from_regions(&lowered(&before, false), false);
            let trapped = |module: &Module| matches!(observe(module, &args).0, End::Trap(_));
            assert_eq!(trapped(&before), trapped(&after), "{args:?}\n{text}\n{}", lowered(&before, false));
            traps += i32::from(trapped(&before));
        }
        assert!(traps > 0, "{text}");
    }
    // Among functions that call one another, which stay functions.
    let text = "function even -> n d\n  > n 0 -> c\n  switch c z m\nlabel z\n  / n d -> q\n  return 1\nlabel m\n  - n 1 -> n\n  call odd n d -> r\n  return n\nfunction odd -> n d\n  > n 0 -> c\n  switch c z m\nlabel z\n  return 0\nlabel m\n  - n 1 -> n\n  call even n d -> r\n  return r\n";
    let before = lifted(text);
    let after = from_regions(&lowered(&before, true), true);
    for (args, trapped) in [([4, 0], true), ([4, 1], false), ([3, 0], false)] {
        for module in [&before, &after] {
            assert_eq!(matches!(observe(module, &args).0, End::Trap(_)), trapped, "{args:?}");
        }
    }
}

/// Where a division always traps, nothing behind it is defined, but the trap is.
#[test]
fn a_trap_stays_where_nothing_can_follow() {
    let source = "func main(v0: i64, v1: i64) -> i64 {\na:\n    switch v1 [0: b, 1: c], d\nb:\n    v2 = sdiv(v0, 0)\n    \
                  unreachable\nc:\n    v3 = srem(v0, 0)\n    jump d\nd:\n    unreachable\n}\n";
    let (before, diagnostics) = planish_ir::text::read(source);
    assert!(!diagnostics.has_errors());
    let between = lowered(&before, false);
    let after = from_regions(&between, false);
    for args in [[4, 0], [4, 1]] {
        assert!(matches!(observe(&before, &args).0, End::Trap(_)));
        assert!(matches!(observe(&after, &args).0, End::Trap(_)), "{args:?}\n{between}");
    }
}

/// A division by a number that is not zero cannot trap, and a result that is needed needs no state.
#[test]
fn a_state_goes_only_where_it_must() {
    let text = "function -> a b\n  / a 3 -> q\n  % a b -> r\n  return r\n";
    assert_eq!(regions(text), "(func-2-inputs-1-outputs (% get-0 get-1))\n");
}

/// What returns nothing and may not return has a state for a result, also where it is called.
#[test]
fn a_function_without_a_return_keeps_its_loop() {
    let text = regions("function -> a\nlabel l\n  + a 1 -> a\n  goto l\n");
    assert_eq!(text, "(func-1-inputs-1-outputs (get-0 (loop 0 0 1)))\n");
    assert_eq!(observe(&from_regions(&text, false), &[0]).0, End::OutOfFuel);
    for text in [
        "function -> a\n  switch a x y\nlabel x\n  goto x\nlabel y\n  return\n",
        "function -> a\n  switch a x y\nlabel x\n  call f a -> b c\n  return c\nlabel y\n  return a\nfunction f -> a\nlabel l\n  goto l\n",
        "function -> a\n  switch a x y\nlabel x\n  call f a\nlabel y\n  return a\nfunction f -> a\nlabel l\n  goto l\n",
    ] {
        let after = from_regions(&regions(text), false);
        assert_eq!(observe(&after, &[0]).0, End::OutOfFuel, "{text}");
        assert!(matches!(observe(&after, &[1]).0, End::Return(_)), "{text}");
    }
}

/// A division stays where it was guarded.
#[test]
fn a_division_does_not_happen_before_its_branch() {
    let text = "function -> a b\n  = b 0 -> c\n  mov 0 -> q\n  switch c divide end\nlabel divide\n  / a b -> q\nlabel end\n  + q 1 -> q\n  return q\n";
    assert_round_trip(text);
    let after = from_regions(&regions(text), false);
    assert_eq!(observe(&after, &[7, 0]).0, End::Return(vec![Val::int(Type::I64, 1)]));
}

/// S2.9: recursion, which the published language lacks, is written in any case.
#[test]
fn functions_that_call_one_another_are_a_phi() {
    let text = "function even -> n\n  > n 0 -> c\n  switch c yes no\nlabel yes\n  return 1\nlabel no\n  + n -1 -> n\n  call odd n -> r\n  return r\n\nfunction odd -> n\n  > n 0 -> c\n  switch c yes no\nlabel yes\n  return 0\nlabel no\n  + n -1 -> n\n  call even n -> r\n  return r\n";
    let before = lifted(text);
    let between = lowered(&before, false);
    assert!(between.contains("phi-2-functions"), "{between}");
    let after = from_regions(&between, true);
    assert_refines(&before, &after, &[vec![0], vec![7], vec![12]], &between);
}

#[test]
fn a_call_of_another_function_is_shared_and_can_be_inlined() {
    // The first function is what others call from outside.
    let text = "function -> a b\n  call square a -> p a\n  call square b -> q b\n  + p q -> r\n  return r\n\nfunction square -> x\n  * x x -> y\n  return y x\n";
    let before = lifted(text);
    let between = lowered(&before, false);
    assert_eq!(between.matches("func-").count(), 2, "{between}");
    let inlined = from_regions(&between, false);
    assert_eq!(inlined.functions.len(), 1);
    assert_eq!(observe(&inlined, &[3, 4]).0, End::Return(vec![Val::int(Type::I64, 25)]));
    let kept = from_regions(&between, true);
    assert_eq!(kept.functions.len(), 2);
    assert_eq!(observe(&kept, &[3, 4]).0, End::Return(vec![Val::int(Type::I64, 25)]));
}

/// S2.59: inlining a tower of calls is stopped by its budget.
#[test]
fn inlining_has_a_budget() {
    let mut text = String::from("(?f0 (func-1-inputs-1-outputs (+ get-0 1))\n");
    for i in 1..40 {
        let before = i - 1;
        text += &format!(
            "(?f{i} (func-1-inputs-1-outputs (+ (get-0 (call ?f{before} get-0)) (get-0 (call ?f{before} (* get-0 2)))))\n"
        );
    }
    text += "?f39";
    text += &")".repeat(40);
    let source = SourceText::new("p.rvsdg", text);
    let program = planish_rvsdg::read(&source, &mut Diagnostics::new()).expect("it is well formed");
    let error = lift(&program, lift::Options { budget: 10_000, ..Default::default() }).err();
    assert!(error.expect("it is too large").message.contains("more than 10000 operations"));
    let module =
        lift(&program, lift::Options { functions: true, ..Default::default() }).expect("calls are kept");
    assert_eq!(module.functions.len(), 40);
}

/// A random program of blocks that go anywhere, with fuel so that it ends.
fn random_program(seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = move |bound: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) % bound
    };
    let blocks = 2 + next(9);
    let variables = ["a", "b", "c", "d", "e"];
    let mut text = String::from("function -> a b c d\n  mov 24 -> fuel\n  mov 5 -> e\n");
    for block in 0..blocks {
        text += &format!("label L{block}\n");
        for _ in 0..next(4) {
            let (x, y, z) =
                (variables[next(5) as usize], variables[next(5) as usize], variables[next(5) as usize]);
            let op = ["+", "*", "&", "-", "=", ">", ">>s", "!="][next(8) as usize];
            text += &match next(8) {
                0 => format!("  mov {x} -> {y}\n"),
                1 => format!("  {op} {x} {} -> {y}\n", next(9) as i64 - 4),
                2 => format!("  / {x} {y} -> {z}\n"),
                _ => format!("  {op} {x} {y} -> {z}\n"),
            };
        }
        text += &format!("  + fuel -1 -> fuel\n  > fuel 0 -> t\n  switch t out G{block}\nlabel G{block}\n");
        let target = |next: &mut dyn FnMut(u64) -> u64| {
            if next(6) == 0 { "out".to_owned() } else { format!("L{}", next(blocks)) }
        };
        match next(4) {
            0 => text += &format!("  goto {}\n", target(&mut next)),
            1 => {
                let (x, m) = (variables[next(5) as usize], 3);
                text += &format!("  & {x} {m} -> t\n  switch t");
                (0..4).for_each(|_| text += &format!(" {}", target(&mut next)));
                text += "\n";
            }
            _ => {
                let (x, y) = (variables[next(5) as usize], variables[next(5) as usize]);
                text +=
                    &format!("  > {x} {y} -> t\n  switch t {} {}\n", target(&mut next), target(&mut next));
            }
        }
        if next(10) == 0 {
            text += "  return a e\n";
        }
    }
    text += "label out\n  return a c\n";
    text
}

/// S2.13, S2.57: random graphs, most of them irreducible.
#[test]
fn random_graphs_mean_the_same_after_regions() {
    for seed in 0..150 {
        assert_round_trip(&random_program(seed));
    }
}

/// S2.56: equal inputs give equal texts.
#[test]
fn the_result_does_not_depend_on_anything_else() {
    for seed in 0..20 {
        let text = random_program(seed);
        assert_eq!(regions(&text), regions(&text));
    }
}

/// What restructuring took apart is put together: no operation or branch is executed that was not before.
#[test]
fn a_round_trip_of_an_irreducible_graph_executes_no_more() {
    for seed in 150..250 {
        let text = random_program(seed);
        let before = lifted(&text);
        let after = from_regions(&lowered(&before, false), false);
        for args in inputs() {
            let ((end, cost), (_, again)) = (observe(&before, &args), observe(&after, &args));
            if let End::Return(_) = end {
                assert!(again <= cost, "{args:?}: {cost} operations became {again}\n{text}");
            }
        }
    }
}
