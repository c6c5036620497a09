//! What guards, branches and loops teach.

use crate::common::check::check;

#[test]
fn a_branch_decides_a_weaker_comparison_behind_it() {
    check(
        "func f(v0: i64) -> i64 {
entry:
    v1: i1 = lt(v0, 10)
    branch v1, small, large
small:
    v2: i1 = lt(v0, 20)
    branch v2, yes, no
yes:
    return 1
no:
    return 2
large:
    return 3
}",
        "func f(v0: i64) -> i64 {
entry:
    v1: i1 = lt(v0, 10)
    branch v1, yes, large
yes:
    return 1
large:
    return 3
}",
    );
}

/// Of two variables no fact says which is less, but one comparison answers others.
#[test]
fn who_is_less_is_not_equal_and_not_greater() {
    let asks = |first: &str, then: &str| {
        format!(
            "func f(v0: i64, v1: i64) -> i64 {{
entry:
    v2: i1 = {first}
    branch v2, yes, no
yes:
    v3: i1 = {then}
    branch v3, one, two
one:
    return 1
two:
    return 2
no:
    return 3
}}"
        )
    };
    let decided = |first: &str, answer: u32| {
        let (label, first) = (["", "one", "two"][answer as usize], first);
        format!(
            "func f(v0: i64, v1: i64) -> i64 {{
entry:
    v2: i1 = {first}
    branch v2, {label}, no
{label}:
    return {answer}
no:
    return 3
}}"
        )
    };
    for (then, answer) in [
        ("eq(v0, v1)", 2),
        ("ne(v1, v0)", 1),
        ("le(v0, v1)", 1),
        ("gt(v0, v1)", 2),
        ("lt(v1, v0)", 2),
        ("ge(v1, v0)", 1),
    ] {
        check(&asks("lt(v0, v1)", then), &decided("lt(v0, v1)", answer));
    }
    check(&asks("ult(v0, v1)", "ule(v0, v1)"), &decided("ult(v0, v1)", 1));
    check(&asks("le(v0, v1)", "gt(v0, v1)"), &decided("le(v0, v1)", 2));
    // Who is at most as great may be equal, and signs matter.
    for (first, then) in
        [("le(v0, v1)", "eq(v0, v1)"), ("le(v0, v1)", "lt(v0, v1)"), ("lt(v0, v1)", "ult(v0, v1)")]
    {
        check(&asks(first, then), &asks(first, then));
    }
}

#[test]
fn what_a_branch_teaches_is_forgotten_behind_the_join() {
    let unchanged = "func f(v0: i64, v1: i64) -> i64 {
entry:
    v2: i1 = lt(v0, 10)
    branch v2, small, join
small:
    v3 = mul(v1, v1)
    jump join
join:
    v4: i1 = lt(v0, 20)
    branch v4, yes, no
yes:
    return 1
no:
    return 2
}";
    check(
        unchanged,
        "func f(v0: i64, v1: i64) -> i64 {
entry:
    v2: i1 = lt(v0, 20)
    branch v2, yes, no
yes:
    return 1
no:
    return 2
}",
    );
}

#[test]
fn a_loop_that_always_multiplies_by_zero_gives_zero() {
    check(
        "func f(v0: i64) -> i64 {
entry:
    jump loop(v0, 0)
loop(v1: i64, v2: i64):
    v3: i1 = gt(v1, 0)
    branch v3, body, done
body:
    v4 = mul(v2, v1)
    v5 = sub(v1, 1)
    jump loop(v5, v4)
done:
    return v2
}",
        "func f(v0: i64) -> i64 {
entry:
    jump loop(v0)
loop(v1: i64):
    v2: i1 = gt(v1, 0)
    branch v2, body, done
body:
    v3 = add(v1, -1)
    jump loop(v3)
done:
    return 0
}",
    );
}

#[test]
fn a_counter_stays_in_the_range_of_its_loop() {
    check(
        "func f() -> i64 {
entry:
    jump loop(0)
loop(v0: i64):
    v1: i1 = lt(v0, 10)
    branch v1, body, done
body:
    v2: i1 = ge(v0, 0)
    branch v2, fine, bad
fine:
    v3, v4 = add_ovf(v0, 1)
    guard_false(v4) else leave 0
    jump loop(v3)
bad:
    return 7
done:
    return v0
}",
        "func f() -> i64 {
entry:
    jump loop(0)
loop(v0: i64):
    v1: i1 = lt(v0, 10)
    branch v1, fine, done
fine:
    v2 = add(v0, 1)
    jump loop(v2)
done:
    return 10
}",
    );
}

/// Each loop leaves a bound on `v0` to the next, so one after the other comes to rest: too many for that many walks.
#[test]
fn of_many_loops_in_a_row_the_last_knows_its_counter_too() {
    let many = 2_000;
    let mut text = "func f(v0: i64) -> i64 {\nentry:\n    jump loop0(0)\n".to_owned();
    let mut next = 2;
    for index in 0..many {
        let (counter, more) = (next, next + 1);
        next += 4;
        text += &format!(
            "loop{index}(v{counter}: i64):\n    v{more}: i1 = lt(v{counter}, v0)\n    \
             branch v{more}, body{index}, loop{}(0)\nbody{index}:\n    v{} = add(v{counter}, 1)\n    \
             v{}: i1 = lt(v{counter}, 0)\n    branch v{}, bad, loop{index}(v{})\n",
            index + 1,
            more + 1,
            more + 2,
            more + 2,
            more + 1,
        );
    }
    text += &format!("loop{many}(v{next}: i64):\n    return v{next}\nbad:\n    return 7\n}}\n");
    let (result, _) = crate::common::ssa::optimize_with(&text, planish_opt::Pipeline::CFG, None);
    assert!(!result.contains("return 7"), "some counter may be negative");
    assert_eq!(result.matches("lt(").count(), many);
}

#[test]
fn behind_an_equality_both_values_are_one() {
    check(
        "v0 = getarg(0)\nv1 = getarg(1)\nv2: i64 = eq(v0, v1)\nguard_true(v2) else leave 0(v0)\n\
         v3 = sub(v0, v1)\nv4 = add(v3, v1)\nreturn v4, v0, v2",
        "v0 = getarg(0)\nv1 = getarg(1)\nv2 = eq(v0, v1)\nguard_true(v2) else leave 0(v0)\nreturn v0, v0, 1",
    );
}

#[test]
fn behind_a_guard_against_overflow_the_sum_is_the_true_one() {
    check(
        "v0 = getarg(0)\nv1, v2 = add_ovf(v0, 5)\nguard_false(v2) else leave 0\nv3: i64 = gt(v1, v0)\n\
         v4: i64 = ge(v1, -9223372036854775803)\nreturn v1, v4",
        "v0 = getarg(0)\nv1, v2 = add_ovf(v0, 5)\nguard_false(v2) else leave 0\nreturn v1, 1",
    );
}

#[test]
fn a_guard_that_is_implied_goes() {
    check(
        "v0 = getarg(0)\nv1: i64 = lt(v0, 10)\nguard_true(v1) else leave 0\nv2: i64 = lt(v0, 20)\n\
         guard_true(v2) else leave 1\nreturn v0",
        "v0 = getarg(0)\nv1 = lt(v0, 10)\nguard_true(v1) else leave 0\nreturn v0",
    );
}

#[test]
fn a_bounds_check_teaches_its_index() {
    check(
        "v0 = getarg(0)\nv1 = getarg(1)\nbounds_check(v0, v1) else leave 0\nbounds_check(v0, v1) else leave 1\n\
         v2: i64 = ge(v0, 0)\nv3: i64 = gt(v1, 0)\nreturn v2, v3",
        "v0 = getarg(0)\nv1 = getarg(1)\nbounds_check(v0, v1) else leave 0\nreturn 1, 1",
    );
}

#[test]
fn a_division_by_what_cannot_be_zero_loses_its_exit_and_may_go() {
    check(
        "v0 = getarg(0)\nv1 = getarg(1)\nv2 = or(v1, 1)\nv3 = sdiv(v0, v2) else leave 0\nreturn v0",
        "v0 = getarg(0)\nv1 = getarg(1)\nreturn v0",
    );
    let kept = "v0 = getarg(0)\nv1 = getarg(1)\nv2 = sdiv(v0, v1) else leave 0\nreturn v0";
    check(kept, kept);
}

#[test]
fn behind_a_guard_that_contradicts_what_is_known_nothing_is_reached() {
    check(
        "v0 = getarg(0)\nv1: i64 = lt(v0, 10)\nguard_true(v1) else leave 0\nv2: i64 = gt(v0, 20)\n\
         guard_true(v2) else leave 1 (v0)\nreturn v0",
        "func main(v0: i64) -> i64 {
block0:
    v1 = lt(v0, 10)
    guard_true(v1) else leave 0
    guard_true(0) else leave 1(v0)
    unreachable
}",
    );
}

#[test]
fn what_was_read_from_or_made_is_not_null() {
    check(
        "location @x: i64
class @C
func f(v0: ref) -> i64, i64, i64 {
entry:
    v1: i64 = get_field(v0) @x
    v2: i64 = is_null(v0)
    guard_nonnull(v0) else leave 0
    v3 = new() @C
    v4: i64 = is_nonnull(v3)
    return v1, v2, v4
}",
        "location @x: i64
class @C

v0: ref = getarg(0)
v1 = get_field(v0) @x
return v1, 0, 1",
    );
}

#[test]
fn a_guard_on_the_class_decides_weaker_guards() {
    check(
        "func f(v0: ref) {
entry:
    guard_nonnull(v0) else leave 0
    guard_nonnull_class(v0, 4096) else leave 1
    guard_nonnull(v0) else leave 2
    guard_class(v0, 4096) else leave 3
    guard_nonnull_class(v0, 4096) else leave 4
    return
}",
        "v0: ref = getarg(0)\nguard_nonnull(v0) else leave 0\nguard_class(v0, 4096) else leave 1",
    );
}

#[test]
fn a_null_test_teaches_each_of_its_branches() {
    check(
        "func f(v0: ref) -> i64 {
entry:
    v1: i1 = is_null(v0)
    branch v1, none, some
none:
    v2: i1 = ref_eq(v0, null)
    branch v2, one, two
some:
    v3: i1 = ref_eq(v0, null)
    branch v3, one, two
one:
    return 1
two:
    return 2
}",
        "func f(v0: ref) -> i64 {
entry:
    v1: i1 = is_null(v0)
    branch v1, one, two
one:
    return 1
two:
    return 2
}",
    );
}

#[test]
fn a_reference_that_is_not_null_on_any_edge_is_not_null_behind_the_join() {
    check(
        "class @C
func f(v0: ref, v1: i1) -> i64 {
entry:
    branch v1, read, make
read:
    guard_nonnull(v0) else leave 0
    jump join(v0)
make:
    v2 = new() @C
    jump join(v2)
join(v3: ref):
    v4: i64 = is_null(v3)
    return v4
}",
        "class @C

func f(v0: ref, v1: i1) -> i64 {
entry:
    branch v1, read, join
read:
    guard_nonnull(v0) else leave 0
    jump join
join:
    return 0
}",
    );
}
