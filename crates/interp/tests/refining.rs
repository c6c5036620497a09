//! Which runs may stand for which.

use planish_interp::{Limits, Program, Scenario, Subject, Validation, Verdict, refine, run, validate};
use planish_ir::text::read;

/// The declarations that all texts share.
const WORLD: &str = "\
class @c
location @x: i64 class 1
location @y: i64 class 2
location @p: ref class 3
location @watched: i64 quasi class 4
callee @see raises reads * writes *
callee @turns raises invalidates reads * writes *
callee @blind reads () writes ()
callee @sees_y reads (2) writes ()
callee @writes_x reads () writes (1)
callee @turns_x reads (3) writes (1)
callee @pure elidable reads () writes ()
";

/// Compares two straight-line texts in many worlds; the first difference.
fn compare(source: &str, target: &str) -> Option<String> {
    let parse = |text: &str| {
        let (module, diagnostics) = read(&format!("{WORLD}{text}"));
        assert!(!diagnostics.has_errors(), "{diagnostics:?}");
        module
    };
    let (old, new) = (parse(source), parse(target));
    for seed in 0..60 {
        let scenario = Scenario::new(seed);
        let (f, g) = (old.functions.values().next().unwrap(), new.functions.values().next().unwrap());
        let types: Vec<_> = f.params().iter().map(|&param| f.ty(param)).collect();
        let args = scenario.arguments(&types);
        let limits = Limits::default();
        let before = run(&Program::of(&old), f, &args, &scenario, limits);
        let after = run(&Program::of(&new), g, &args, &scenario, limits);
        match refine(&scenario, &before, &after) {
            Verdict::Refines => {}
            Verdict::Unknown => panic!("straight lines end"),
            Verdict::Differs(difference) => return Some(difference.to_string()),
        }
    }
    None
}

fn holds(source: &str, target: &str) {
    assert_eq!(compare(source, target), None);
}

fn fails(source: &str, target: &str, why: &str) {
    let found =
        compare(source, target).unwrap_or_else(|| panic!("no difference between\n{source}and\n{target}"));
    assert!(found.contains(why), "{found}");
}

const ARG: &str = "v0 = getarg(0)\n";

#[test]
fn results_are_compared_by_value() {
    holds(&format!("{ARG}v1 = mul(v0, 2)\n"), &format!("{ARG}v1 = add(v0, v0)\n"));
    fails(&format!("{ARG}v1 = mul(v0, 2)\n"), &format!("{ARG}v1 = mul(v0, 3)\n"), "value 0 of return");
}

#[test]
fn a_trap_is_neither_removed_nor_added() {
    let (with, without) = (format!("{ARG}v1 = udiv(1, v0)\nreturn 5\n"), format!("{ARG}return 5\n"));
    fails(&with, &without, "it ends with `return 5` instead of `trap: division`");
    fails(&without, &with, "it ends with `trap: division` instead of `return 5`");
}

#[test]
fn the_undefined_may_become_anything_and_nothing_may_become_undefined() {
    let undefined = "v1: i64 = float_to_signed(nan)\n";
    holds(undefined, "v1 = add(2, 3)\n");
    fails("v1 = add(2, 3)\n", undefined, "undefined instead of 5");
}

#[test]
fn stores_count_where_somebody_looks() {
    let twice = "set_field(&o, 1) @x\nset_field(&o, 2) @x\ncall() @see\nreturn\n";
    holds(twice, "set_field(&o, 2) @x\ncall() @see\nreturn\n");
    fails(twice, "set_field(&o, 1) @x\ncall() @see\nreturn\n", "&o.x: 1 instead of 2");
    fails("set_field(&o, 1) @x\nreturn\n", "return\n", "&o.x");
    // Storing what is there already changes nothing.
    holds("v0 = get_field(&o) @x\nset_field(&o, v0) @x\nreturn\n", "return\n");
}

#[test]
fn a_store_may_wait_for_the_first_who_can_see_it() {
    let early = "set_field(&o, 1) @x\ncall() @CALLEE\nreturn\n";
    let late = "call() @CALLEE\nset_field(&o, 1) @x\nreturn\n";
    for (callee, allowed) in [("blind", true), ("sees_y", true), ("see", false)] {
        let [early, late] = [early, late].map(|text| text.replace("CALLEE", callee));
        assert_eq!(compare(&early, &late).is_none(), allowed, "{callee}");
    }
}

#[test]
fn a_load_is_not_moved_over_a_call_that_writes() {
    let after = "call() @see\nv0 = get_field(&o) @x\nreturn v0\n";
    let before = "v0 = get_field(&o) @x\ncall() @see\nreturn v0\n";
    assert!(compare(after, before).is_some());
    holds(&after.replace("see", "blind"), &before.replace("see", "blind"));
}

#[test]
fn what_is_watched_changes_only_where_its_guards_are_told() {
    let guard = "guard_not_invalidated() else leave 1()\n";
    let after = |callee: &str, guard: &str| {
        format!("call() @{callee}\n{guard}v0 = get_field(&o) @watched\nreturn v0\n")
    };
    let before = |callee: &str, guard: &str| {
        format!("v0 = get_field(&o) @watched\ncall() @{callee}\n{guard}return v0\n")
    };
    holds(&after("turns", guard), &before("turns", guard));
    holds(&after("see", ""), &before("see", ""));
    // One call in sixteen changes it.
    let calls = "call() @turns\n".repeat(4);
    let [after, before] =
        [after("turns", ""), before("turns", "")].map(|text| text.replace("call() @turns\n", &calls));
    assert!(compare(&after, &before).is_some());
}

#[test]
fn calls_keep_their_number_order_and_arguments() {
    let both = "call(1) @blind\ncall(2) @blind\nreturn\n";
    fails(both, "call(2) @blind\ncall(1) @blind\nreturn\n", "value 0 of blind: 2 instead of 1");
    fails(both, "call(1) @blind\nreturn\n", "the call of blind is missing");
    fails("call(1) @blind\nreturn\n", both, "a call of blind was not there");
    fails(both, "call(1) @blind\ncall(2) @sees_y\nreturn\n", "sees_y is called instead of blind");
    let twice = "v0: i64 = call(3) @pure\nv1: i64 = call(3) @pure\nv2 = add(v0, v1)\n";
    holds(twice, "v0: i64 = call(3) @pure\nv1 = add(v0, v0)\n");
}

#[test]
fn an_object_that_nobody_sees_need_not_be() {
    holds("v0 = new() @c\nset_field(v0, 7) @x\nv1 = get_field(v0) @x\nreturn v1\n", "return 7\n");
}

#[test]
fn fresh_objects_are_compared_by_what_can_be_reached() {
    let two = "\
v0 = new() @c
v1 = new() @c
set_field(v0, v1) @p
set_field(v1, 3) @x
return v0
";
    // The other order of allocation.
    let turned = "v1 = new() @c\nv0 = new() @c\nset_field(v1, 3) @x\nset_field(v0, v1) @p\nreturn v0\n";
    holds(two, turned);
    fails(two, &turned.replace("(v1, 3)", "(v1, 4)"), "4 instead of 3");
    fails(two, &turned.replace("v0, v1) @p", "v0, v0) @p"), "instead of");
    // Identity: one object twice is not two objects.
    fails("v0 = new() @c\nreturn v0, v0\n", "v0 = new() @c\nv1 = new() @c\nreturn v0, v1\n", "new1");
    // Later writes to an object that is known outside count.
    let seen = "v0 = new() @c\ncall(v0) @blind\nset_field(v0, 1) @x\nreturn\n";
    fails(seen, "v0 = new() @c\ncall(v0) @blind\nreturn\n", "0 instead of 1");
    // What it holds when it becomes known may be written before or after, if the callee does not look.
    holds(
        "v0 = new() @c\nset_field(v0, 1) @x\ncall(v0) @blind\nreturn\n",
        "v0 = new() @c\ncall(v0) @blind\nset_field(v0, 1) @x\nreturn\n",
    );
}

#[test]
fn who_cannot_read_where_an_object_stands_does_not_reach_it() {
    let early = "v0 = new() @c\nset_field(v0, 5) @x\nset_field(&o, v0) @p\nCALLS\nreturn\n";
    let late = "v0 = new() @c\nset_field(v0, 5) @x\nCALLS\nset_field(&o, v0) @p\nreturn\n";
    let inside =
        "v0 = new() @c\nv1 = new() @c\nset_field(v1, 5) @x\nset_field(v0, v1) @p\nCALLS\nreturn v0\n";
    let fields_late =
        "v0 = new() @c\nv1 = new() @c\nCALLS\nset_field(v1, 5) @x\nset_field(v0, v1) @p\nreturn v0\n";
    for (calls, allowed) in [
        ("call(&o) @writes_x", true),
        ("call() @writes_x\ncall() @blind\ncall() @sees_y\ncall() @writes_x", true),
        ("call(&o) @turns_x", false),
        // Whoever read it once may have kept it.
        ("call() @blind\ncall() @turns_x\ncall() @writes_x", false),
        ("call() @see", false),
    ] {
        let [early, late] = [early, late].map(|text| text.replace("CALLS", calls));
        assert_eq!(compare(&early, &late).is_none(), allowed, "{calls}");
    }
    for (calls, allowed) in [
        ("call(v0) @writes_x", true),
        ("call(v0) @blind\ncall() @writes_x", true),
        ("call(v0) @turns_x", false),
    ] {
        let [early, late] = [inside, fields_late].map(|text| text.replace("CALLS", calls));
        assert_eq!(compare(&early, &late).is_none(), allowed, "{calls}");
    }
}

#[test]
fn exits_keep_their_number_and_arguments_and_holes_take_anything() {
    let source = format!("{ARG}guard_true(v0) else leave 1(v0, none)\nreturn\n");
    holds(&source, &format!("{ARG}guard_true(v0) else leave 1(0, 42)\nreturn\n"));
    fails(&source, &format!("{ARG}guard_true(v0) else leave 2(v0, none)\nreturn\n"), "leave 2");
    fails(&source, &format!("{ARG}guard_true(v0) else leave 1(7, none)\nreturn\n"), "7 instead of 0");
    fails(&source, &format!("{ARG}return\n"), "it ends with `return`");
}

/// An item that the source takes for granted: where the target asks for the length, the world has to agree for both.
#[test]
fn a_target_may_ask_for_a_length_that_the_source_takes_for_granted() {
    let parse = |text: &str| {
        let (module, diagnostics) = read(&format!(
            "location @items: i64 class 1\nv0: ref = getarg(0)\nv1: i64 = get_item(v0, 5) @items\n{text}return v1\n"
        ));
        assert!(!diagnostics.has_errors(), "{diagnostics:?}");
        module
    };
    let (old, new) = (parse(""), parse("v2: i64 = array_len(v0) @items\n"));
    let (before, after) = (Program::of(&old), Program::of(&new));
    let source = Subject { program: &before, function: old.functions.values().next().unwrap() };
    let target = Subject { program: &after, function: new.functions.values().next().unwrap() };
    let limits = Limits { wild_accesses: true, ..Limits::default() };
    let Validation::Tested { compared, tries, .. } = validate(source, target, 0, 60, limits) else {
        panic!("the target does nothing else")
    };
    assert!(0 < compared && compared < tries, "{compared} of {tries}");
}

/// A target that leaves early has to be in the state of the source there. That a guard of the source could fail without need is no
/// excuse for what is done otherwise, also where nothing means anything behind that guard.
#[test]
fn what_means_nothing_behind_a_guard_excuses_nothing_before_it() {
    let parse = |result: i64| {
        let (mut module, diagnostics) = read(&format!(
            "func main(v0: i64) -> i64 {{\nblock0:\n    guard_true(v0) else leave 1(1)\n    guard_false(v0) else leave 1(0)\n    return 7\n}}\n\
             func rest(v0: i64) -> i64 {{\nblock0:\n    branch v0, block1, block2\nblock1:\n    unreachable\nblock2:\n    return {result}\n}}\n"
        ));
        assert!(!diagnostics.has_errors(), "{diagnostics:?}");
        module.bridges.push((1, module.find("rest").expect("it is there")));
        module
    };
    let limits = Limits { wild_accesses: true, ..Limits::default() };
    for (result, agrees) in [(5, true), (6, false)] {
        let (old, new) = (parse(5), parse(result));
        let (before, after) = (Program::of(&old), Program::of(&new));
        let source = Subject { program: &before, function: old.functions.values().next().unwrap() };
        let target = Subject { program: &after, function: new.functions.values().next().unwrap() };
        let tested = matches!(validate(source, target, 0, 20, limits), Validation::Tested { .. });
        assert_eq!(tested, agrees, "{result}");
    }
}

/// Programs in which functions are values, under names that mean nothing.
mod function_values {
    use super::*;

    /// What comparing `main` of two programs says, if they differ.
    fn difference(source: &str, target: &str) -> Option<String> {
        let parse = |text: &str| {
            let (module, diagnostics) = read(text);
            assert!(!diagnostics.has_errors(), "{diagnostics:?}");
            module
        };
        let (old, new) = (parse(source), parse(target));
        let (before, after) = (Program::of(&old), Program::of(&new));
        let [f, g] = [&old, &new].map(|module| &module.functions[module.find("main").expect("it is there")]);
        let (source, target) =
            (Subject { program: &before, function: f }, Subject { program: &after, function: g });
        match validate(source, target, 0, 100, Limits::default()) {
            Validation::Tested { compared, .. } => {
                assert!(compared > 0);
                None
            }
            Validation::Signature => Some("other parameters".into()),
            Validation::Different(found) => Some(format!("{:?} {}", found.denoted, found.difference)),
        }
    }

    /// A program whose `main` returns one of two functions.
    fn choice(one: &str, other: &str, rest: &str) -> String {
        format!(
            "callee @{one} elidable reads () writes ()\ncallee @{other} elidable reads () writes ()\n\
             func main(v0: i1) -> ref {{\nblock0:\n    v1: ref = select(v0, &{one}, &{other})\n    return v1\n}}\n{rest}"
        )
    }

    fn adds(name: &str, number: i64) -> String {
        format!("func {name}(v0: i64) -> i64 {{\nblock0:\n    v1 = add(v0, {number})\n    return v1\n}}\n")
    }

    fn both(names: [&str; 2], numbers: [i64; 2]) -> String {
        let rest = adds(names[0], numbers[0]) + &adds(names[1], numbers[1]);
        choice(names[0], names[1], &rest)
    }

    #[test]
    fn what_they_do_decides_and_not_their_names() {
        let source = both(["p", "q"], [11, 12]);
        assert_eq!(difference(&source, &both(["q", "p"], [11, 12])), None);
        assert_eq!(difference(&source, &both(["x", "y"], [11, 12])), None);
        let found = difference(&source, &both(["x", "y"], [11, 13])).expect("12 is not 13");
        assert!(found.starts_with("Some([\"q\", \"y\"])"), "{found}");
        // Names that are alike prove nothing.
        assert!(difference(&source, &both(["p", "q"], [12, 11])).is_some());
        // One may stand for two that do the same.
        let once = choice("p", "p", &adds("p", 5)).replacen("callee @p elidable reads () writes ()\n", "", 1);
        assert_eq!(difference(&both(["p", "q"], [5, 5]), &once), None);
    }

    #[test]
    fn functions_that_return_themselves_or_each_other_are_no_circle() {
        let circle = |names: [&str; 2], results: [&str; 2]| {
            let returns = |name: &str, result: &str| {
                format!("func {name}() -> ref {{\nblock0:\n    return &{result}\n}}\n")
            };
            choice(names[0], names[1], &(returns(names[0], results[0]) + &returns(names[1], results[1])))
        };
        assert_eq!(difference(&circle(["p", "q"], ["p", "q"]), &circle(["x", "y"], ["y", "x"])), None);
        assert_eq!(difference(&circle(["p", "q"], ["q", "p"]), &circle(["x", "y"], ["x", "y"])), None);
    }

    #[test]
    fn one_that_is_given_is_called_by_the_name_it_has_there() {
        let program = |name: &str, number: i64| {
            format!(
                "callee @{name} elidable reads () writes ()\ncallee @i64_to_i64 elidable reads () writes ()\n\
                 func main(v0: ref, v1: i64) -> i64, i64 {{\nblock0:\n    v2 = ref_eq(v0, &{name})\n    branch v2, block1, block2\n\
                 block1:\n    v3: i64 = call_ref(v0, v1) @i64_to_i64\n    return v3, v2\nblock2:\n    return 0, v2\n}}\n{}",
                adds(name, number)
            )
        };
        assert_eq!(difference(&program("p", 3), &program("x", 3)), None);
        let other = program("x", 3).replace("return v3, v2", "return v1, v2");
        assert!(difference(&program("p", 3), &other).is_some());
    }
}
