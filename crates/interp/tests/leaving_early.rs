//! Where a trace may leave though its source goes on, and runs of which one ends and the other does not.

use planish_interp::{Limits, Program, Subject, Validation, validate};
use planish_ir::Module;
use planish_ir::text::read;

fn parse(text: &str) -> Module {
    let (module, diagnostics) = read(text);
    assert!(!diagnostics.has_errors(), "{diagnostics:?}\n{text}");
    module
}

/// Runs the first functions of two modules side by side, as traces or as functions of programs.
fn held([source, target]: [&Module; 2], traces: bool) -> Validation {
    let [old, new] = [source, target].map(Program::of);
    let [f, g] = [source, target].map(|module| module.functions.values().next().expect("a function"));
    let limits = Limits { fuel: 2_000, wild_accesses: traces, ..Limits::default() };
    validate(Subject { program: &old, function: f }, Subject { program: &new, function: g }, 0, 100, limits)
}

/// In how many tries two traces do the same, the target left early, and neither ended; `None` where they differ.
fn counted(source: &str, target: &str, bridge: bool) -> Option<[u64; 3]> {
    let rest = "func rest(v0: ref) -> i64 {\nblock0:\n    return 99\n}\n";
    let modules = [source, target].map(|body| {
        let mut module = parse(&format!("func main(v0: ref, v1: i64) -> i64 {{\nblock0:\n{body}}}\n{rest}"));
        if bridge {
            module.bridges.push((1, module.find("rest").expect("it is there")));
        }
        module
    });
    match held([&modules[0], &modules[1]], true) {
        Validation::Tested { compared, early, undefined, tries, .. } => {
            Some([compared, early, tries - compared - early - undefined])
        }
        Validation::Signature => panic!("they take the same"),
        Validation::Different(_) => None,
    }
}

const TWO: &str = "    guard_nonnull(v0) else leave 1(v0)\n    v2 = add(v1, 1)\n    guard_class(v0, 77) else leave 2(v2)\n    return v2\n";
const ONE: &str = "    guard_nonnull_class(v0, 77) else leave 1(v0)\n    v2 = add(v1, 1)\n    return v2\n";

/// Whoever resumes at a guard against null asks again what the object is: so the guard may ask for the class. What it leaves behind is
/// counted apart.
#[test]
fn a_guard_on_null_may_ask_for_the_class_too() {
    let [same, early, _] = counted(TWO, ONE, false).expect("it is stronger");
    assert!(same > 0 && early > 0, "{same} {early}");
}

/// A bridge goes on where the guard failed as it was, and asks nothing.
#[test]
fn a_guard_with_a_bridge_leaves_where_it_did() {
    assert_eq!(counted(TWO, ONE, true), None);
}

/// A guard that is stronger than any that the source has leaves for nothing.
#[test]
fn a_guard_asks_for_nothing_that_its_source_does_not() {
    let weak = TWO.replace("    guard_class(v0, 77) else leave 2(v2)\n", "");
    assert_eq!(counted(&weak, ONE, false), None);
}

/// A guard on a truth failed: that is all that whoever resumes knows, so none may fail that passes in the source, whatever is asked
/// in its place, and though the source fails later.
#[test]
fn a_guard_on_a_truth_fails_where_it_did() {
    let source = "    v2: i1 = lt(v1, 5)\n    guard_true(v2) else leave 1(v0)\n    guard_nonnull_class(v0, 77) else leave 2(v1)\n    return v1\n";
    let never = source.replace("lt(v1, 5)", "lt(v1, v1)");
    let sooner = source.replace("lt(v1, 5)", "lt(v1, 3)");
    let other = source.replace("guard_true(v2) else", "guard_nonnull_class(v0, 77) else");
    assert_eq!(counted(source, source, false), Some([100, 0, 0]));
    for target in [never, sooner, other] {
        assert_eq!(counted(source, &target, false), None, "{target}");
    }
}

/// A loop that counts up to a limit.
fn counting(step: i64, limit: i64) -> String {
    format!(
        "    jump block1(0)\nblock1(v2: i64):\n    v3: i1 = lt(v2, {limit})\n    guard_true(v3) else leave 1(v0)\n    v4 = add(v2, {step})\n    jump block1(v4)\n"
    )
}

/// That one side ends and the other does not is a difference, either way. Where neither does, nothing was seen.
#[test]
fn a_trace_ends_where_its_source_does() {
    assert_eq!(counted(&counting(1, 10), &counting(1, 10), false), Some([100, 0, 0]));
    assert_eq!(counted(&counting(1, 10), &counting(0, 10), false), None);
    assert_eq!(counted(&counting(0, 10), &counting(1, 10), false), None);
    assert_eq!(counted(&counting(0, 10), &counting(0, 10), false), Some([0, 0, 100]));
    // Fuel alone does not tell: what takes a while ends all the same.
    assert_eq!(counted(&counting(1, 600), &counting(2, 600), false), Some([100, 0, 0]));
    assert_eq!(counted(&counting(2, 600), &counting(1, 600), false), Some([100, 0, 0]));
}

/// A program may compute at once what a loop does; but neither are calls left out, nor a loop made that has no end.
#[test]
fn a_function_may_end_where_its_source_does_nothing_for_ever() {
    let declared = "callee @f reads () writes ()\n";
    let counts = |body: &str, step: i64| {
        let text = format!(
            "{declared}func main(v0: i64) -> i64 {{\nblock0:\n    jump block1(0)\nblock1(v1: i64):\n{body}    v2 = add(v1, {step})\n    v3: i1 = lt(v2, 10)\n    \
             branch v3, block1(v2), block2\nblock2:\n    return 7\n}}\n"
        );
        parse(&text)
    };
    let at_once = parse(&format!("{declared}func main(v0: i64) -> i64 {{\nblock0:\n    return 7\n}}\n"));
    let differ =
        |source: &Module, target: &Module| matches!(held([source, target], false), Validation::Different(_));
    assert!(!differ(&counts("", 1), &at_once) && !differ(&counts("", 0), &at_once));
    assert!(differ(&counts("    call() @f\n", 0), &at_once));
    assert!(differ(&at_once, &counts("", 0)) && differ(&counts("", 1), &counts("", 0)));
}

/// Constants of a text are among the inputs: a test for one of them is passed and failed.
#[test]
fn what_a_test_waits_for_is_given() {
    for number in ["10", "1000", "12345", "4294967296", "-77777"] {
        let text = |then: &str| {
            format!(
                "func f(v0: i64, v1: i64) -> i64 {{\ne:\n    v2: i1 = eq(v0, {number})\n    branch v2, a, b\na:\n    \
                 return {then}\nb:\n    return v0\n}}\n"
            )
        };
        let [source, wrong, beside] =
            [text("v1"), text("v0"), text("v1").replace("eq(", "le(")].map(|text| parse(&text));
        assert!(matches!(held([&source, &source], false), Validation::Tested { .. }));
        assert!(matches!(held([&source, &wrong], false), Validation::Different(_)), "{number}");
        assert!(matches!(held([&source, &beside], false), Validation::Different(_)), "{number}");
    }
}

/// So are floats, with their neighbours and opposites: of two tests that differ at one float, or beside it, one is seen to be wrong.
#[test]
fn floats_that_a_test_waits_for_are_given() {
    for (ty, number, near) in [
        ("f64", "1234.5", "1234.5000000000002"),
        ("f64", "0.1", "0.10000000000000002"),
        ("f32", "77.25", "77.25001"),
        ("f64", "-1e300", "-1.0000000000000002e300"),
    ] {
        let text = |test: &str, number: &str| {
            format!(
                "func f(v0: {ty}, v1: {ty}) -> {ty} {{\ne:\n    v2: i1 = {test}(v0, {number})\n    branch v2, a, b\na:\n    \
                 return v1\nb:\n    return v0\n}}\n"
            )
        };
        for [right, wrong] in [["feq", "flt"], ["flt", "fle"], ["fle", "flt"], ["fgt", "fge"]] {
            let [source, other, beside] =
                [text(right, number), text(wrong, number), text(right, near)].map(|text| parse(&text));
            assert!(matches!(held([&source, &source], false), Validation::Tested { .. }));
            assert!(matches!(held([&source, &other], false), Validation::Different(_)), "{right} {number}");
            assert!(matches!(held([&source, &beside], false), Validation::Different(_)), "{right} {number}");
        }
    }
}

/// A number that is converted is compared with one of the other kind.
#[test]
fn numbers_behind_a_conversion_are_given() {
    for (from, converted) in [
        ("i64", "v3: f64 = signed_to_float(v0)\n    v2: i1 = feq(v3, 40001.0)"),
        ("f64", "v3: i64 = float_to_signed(v0)\n    v2: i1 = eq(v3, 40001)"),
    ] {
        let text = |then: &str| {
            format!(
                "func f(v0: {from}, v1: {from}) -> {from} {{\ne:\n    {converted}\n    branch v2, a, b\na:\n    return {then}\n\
                 b:\n    return v0\n}}\n"
            )
        };
        let [source, wrong] = [text("v1"), text("v0")].map(|text| parse(&text));
        assert!(matches!(held([&source, &wrong], false), Validation::Different(_)), "{converted}");
    }
}
