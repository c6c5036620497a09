//! The examples of PyPy's post on a simple optimizer, and what that optimizer was known to miss.

use crate::common::check::check;
use crate::common::ssa::optimize_with;
use planish_opt::Kind;

/// S1.23, S1.24
#[test]
fn one_addition_of_constants_folds() {
    check("v0 = getarg(0)\nv1 = add(5, 4)\nv2 = add(v1, v0)", "v0 = getarg(0)\nv1 = add(9, v0)");
}

/// S1.16, S1.25, S1.26, S1.35
#[test]
fn a_chain_of_additions_of_constants_folds() {
    check(
        "v0 = getarg(0)\nv1 = add(5, 4)\nv2 = add(v1, 10)\nv3 = add(v2, v0)",
        "v0 = getarg(0)\nv1 = add(19, v0)",
    );
}

/// S1.28, S1.29
#[test]
fn the_running_example_keeps_five_operations() {
    check(
        "v0 = getarg(0)\nv1 = getarg(1)\nv2 = add(v1, 17)\nv3 = mul(v0, v2)\nv4 = add(v1, 17)\nv5 = add(v3, v4)",
        "v0 = getarg(0)\nv1 = getarg(1)\nv2 = add(v1, 17)\nv3 = mul(v0, v2)\nv4 = add(v3, v2)",
    );
}

/// S1.33
#[test]
fn x_plus_x_becomes_a_shift() {
    check("v0 = getarg(0)\nv1 = add(v0, v0)", "v0 = getarg(0)\nv1 = lshift(v0, 1)");
}

/// S1.34, S1.36
#[test]
fn the_sum_of_two_equal_chains_is_a_shift() {
    check(
        "v0 = getarg(0)\nv1 = getarg(1)\nv2 = add(v0, 17)\nv3 = mul(v2, v1)\nv4 = add(v0, 17)\n\
         v5 = mul(v4, v1)\nv6 = add(v3, v5)",
        "v0 = getarg(0)\nv1 = getarg(1)\nv2 = add(v0, 17)\nv3 = mul(v2, v1)\nv4 = lshift(v3, 1)",
    );
}

/// S1.37, S1.38
#[test]
fn a_simplification_enables_a_later_one_in_the_same_pass() {
    check(
        "v0 = getarg(0)\nv1 = add(16, -16)\nv2 = add(v0, v1)\nv3 = add(v1, v0)\nv4 = add(v2, v3)",
        "v0 = getarg(0)\nv1 = lshift(v0, 1)",
    );
}

/// S1.44
#[test]
fn operands_of_a_commutative_operation_are_equal_in_any_order() {
    check(
        "v0 = getarg(0)\nv1 = getarg(1)\nv2 = add(v0, v1)\nv3 = add(v1, v0)\nv4 = mul(v2, v3)",
        "v0 = getarg(0)\nv1 = getarg(1)\nv2 = add(v0, v1)\nv3 = mul(v2, v2)",
    );
}

/// S1.45
#[test]
fn what_an_operation_was_rewritten_to_is_found_for_an_equal_one() {
    let source = "v0 = getarg(0)\nv1 = add(v0, v0)\nv2 = add(v0, v0)\nv3 = mul(v1, v2)";
    let (got, record) = optimize_with(source, "intbounds:rewrite:pure:dead", None);
    assert_eq!(got, "v0 = getarg(0)\nv1 = lshift(v0, 1)\nv2 = mul(v1, v1)\n");
    assert_eq!((record.count(Kind::Number), record.rules().iter().sum::<u64>()), (1, 1));
}

/// S1.46
#[test]
fn folding_wraps_at_the_width() {
    check("v0 = add(9223372036854775807, 1)", "return -9223372036854775808");
}

/// S1.47
#[test]
fn optimizing_twice_is_optimizing_once() {
    let once = "v0 = getarg(0)\nv1 = add(v0, 6)";
    check("v0 = getarg(0)\nv1 = add(v0, 3)\nv2 = add(v1, 3)", once);
    check(once, once);
}

/// S1.48
#[test]
fn an_operation_that_nothing_uses_goes() {
    check("v0 = getarg(0)\nv1 = add(v0, v0)\nreturn v0", "v0 = getarg(0)\nreturn v0");
}
