use planish_ir::{Block, Form, Function, text, verify};
use planish_pass::Target;

use super::PASS;
use crate::passes::testing::changed;

const DECLARED: &str = "callee @use\ncallee @raise raises\ncallee @pure elidable reads () writes ()\n\
                        callee @fails elidable raises reads () writes ()\nlocation @b: i64 class 1\n";

/// A function in which a loop `h` hashes `v0` to `v5`, and what it goes on with at `e`.
fn hashing(behind: &str) -> (u64, Function) {
    hashed("    v4 = mul(v3, 31)\n", "lt(v6, 1000)", behind)
}

/// The same with another line in the loop, and another test.
fn hashed(line: &str, test: &str, behind: &str) -> (u64, Function) {
    sunk(&format!(
        "d:\n    jump h(0, v0)\nh(v2: i64, v3: i64):\n{line}    v5 = xor(v4, v2)\n    v6 = add(v2, 1)\n    \
         v7: i1 = {test}\n    branch v7, h(v6, v5), e\ne:\n{behind}"
    ))
}

/// What becomes of a function of two numbers.
fn sunk(blocks: &str) -> (u64, Function) {
    let source = format!("{DECLARED}func f(v0: i64, v1: i64) -> i64 {{\n{blocks}}}\n");
    let (count, module) = changed(&PASS, &source, Target::MACHINE);
    (count, module.functions.into_values().next().expect("a function"))
}

fn named(f: &Function, name: &str) -> Block {
    *f.blocks().iter().find(|&&block| f.block_name(block) == Some(name)).expect("the block")
}

/// Whether every way to a block leads through the other one.
fn is_behind(f: &Function, block: &str, other: &str) -> bool {
    let cfg = planish_ir::Cfg::new(f);
    let number = |name| cfg.number(named(f, name)).expect("it can be reached");
    cfg.dominators().dominates(number(other), number(block))
}

/// The names of the blocks that control comes to first, up to one where it has a choice; blocks without a name are left out.
fn way(f: &Function) -> Vec<&str> {
    let (mut at, mut way) = (f.entry(), Vec::new());
    loop {
        way.extend(f.block_name(at));
        let mut calls = f.block_calls(at);
        match (calls.next(), calls.next()) {
            (Some(call), None) => at = call.block,
            _ => return way,
        }
    }
}

#[test]
fn a_loop_goes_into_the_arm_that_uses_what_it_makes() {
    let (count, f) = hashing("    branch v1, s, t\ns:\n    return v5\nt:\n    return v0\n");
    assert_eq!((count, way(&f)), (1, vec!["d"]), "no loop in front of the branch");
    assert!(is_behind(&f, "s", "h") && !is_behind(&f, "t", "h"));
    // Behind what is done there, and through arms in arms.
    let (count, f) = hashing(
        "    call(v1) @use\n    branch v1, a, t\na:\n    call(v0) @use\n    v8: i1 = lt(v1, 9)\n    branch v8, s, u\ns:\n    return v5\n\
         t:\n    return v0\nu:\n    return v1\n",
    );
    assert_eq!((count, way(&f)), (1, vec!["d"]));
    assert!(is_behind(&f, "h", "a") && is_behind(&f, "s", "h") && !is_behind(&f, "u", "h"));
}

#[test]
fn what_two_ways_or_the_branch_itself_use_stays() {
    for behind in [
        "    branch v1, s, t\ns:\n    return v5\nt:\n    return v6\n",
        "    branch v5, s, t\ns:\n    return v5\nt:\n    return v0\n",
        "    branch v1, s, t\ns:\n    jump j\nt:\n    jump j\nj:\n    return v5\n",
        "    call(v5) @use\n    branch v1, s, t\ns:\n    return v5\nt:\n    return v0\n",
        "    call(v1) @raise else to() [*: t]\n    branch v1, s, u\ns:\n    return v5\nu:\n    return v0\nt(v9: ref):\n    return v6\n",
        "    call(v1) @raise else to(v5) [*: t]\n    branch v1, s, u\ns:\n    return v5\nu:\n    return v0\nt(v9: ref, v10: i64):\n    return v10\n",
        "    return v5\n",
    ] {
        assert_eq!(hashing(behind).0, 0, "{behind}");
    }
}

#[test]
fn an_edge_to_a_join_is_an_arm() {
    let (count, f) = hashing("    branch v1, j(v5), j(v0)\nj(v8: i64):\n    return v8\n");
    assert_eq!((count, way(&f)), (1, vec!["d"]));
    assert_eq!(hashing("    branch v1, j(v5), j(v6)\nj(v8: i64):\n    return v8\n").0, 0);
    // One that goes back is none.
    let back = "d:\n    jump o(v0)\no(v9: i64):\n    jump h(0, v9)\nh(v2: i64, v3: i64):\n    v5 = xor(v3, v2)\n    v6 = add(v2, 1)\n    \
                v7: i1 = lt(v6, 100)\n    branch v7, h(v6, v5), e\ne:\n    v8: i1 = lt(v9, v1)\n    branch v8, o(v5), x\nx:\n    return v9\n";
    assert_eq!(sunk(back).0, 0);
}

#[test]
fn what_is_seen_or_may_not_end_stays() {
    let behind = "    branch v1, s, t\ns:\n    return v5\nt:\n    return v0\n";
    for (line, moves) in [
        ("v4: i64 = call(v3) @pure", true),
        ("v4 = sdiv(v3, 7)", true),
        ("v4 = sdiv(v3, v1)", false),
        ("v4: i64 = call(v3) @fails", false),
        ("v4: i64 = call(v3) @use", false),
        ("v4: i64 = raw_load(v3, 0) @b", false),
        ("v4 = add(v3, 1)\n    raw_store(v0, 0, v3) @b", false),
    ] {
        let (count, _) = hashed(&format!("    {line}\n"), "lt(v6, 1000)", behind);
        assert_eq!(count > 0, moves, "{line}");
    }
    assert_eq!(hashed("    v4 = add(v3, 1)\n", "ne(v5, v1)", behind).0, 0);
    let (count, _) =
        hashed("    jump b\nb:\n    call(v3) @use\n    v4 = add(v3, 1)\n", "lt(v6, 1000)", behind);
    assert_eq!(count, 0, "the header only computes, but the loop does more");
}

#[test]
fn a_branch_with_its_arms_goes_and_takes_along_what_it_asks() {
    let blocks = "d:\n    call(v0) @use\n    v2 = mul(v0, v1)\n    branch v2, a, b\na:\n    v3: i64 = call(v0) @pure\n    jump e(v3)\n\
                  b:\n    jump e(v1)\ne(v4: i64):\n    call(v1) @use\n    branch v1, s, t\ns:\n    return v4\nt:\n    return v0\n";
    let (count, f) = sunk(blocks);
    assert_eq!((count, f.block_insts(named(&f, "d")).len()), (1, 1), "the product, too");
    assert!(is_behind(&f, "s", "e") && !is_behind(&f, "t", "e") && !is_behind(&f, "t", "a"));
    assert_eq!(sunk(&blocks.replace("v3: i64 = call(v0) @pure", "v3: i64 = call(v0) @use")).0, 0);
    let (count, f) = sunk(&blocks.replace("return v0", "return v2"));
    assert_eq!((count, f.block_insts(named(&f, "d")).len()), (1, 2), "another way uses the product");
}

#[test]
fn two_loops_one_after_the_other_go_together() {
    let (count, f) = hashing(
        "    v8 = add(v5, 1)\n    jump k(v8, v0)\nk(v9: i64, v10: i64):\n    v11 = mul(v10, v9)\n    v12 = add(v9, 1)\n    \
         v13: i1 = ult(v12, v1)\n    branch v13, k(v12, v11), x\nx:\n    call(v0) @use\n    branch v1, s, t\ns:\n    return v11\n\
         t:\n    return v0\n",
    );
    assert_eq!((count, way(&f)), (2, vec!["d"]));
    assert!(is_behind(&f, "k", "h") && is_behind(&f, "s", "k") && !is_behind(&f, "t", "h"));
    let (count, f) = hashing(
        "    jump k(0)\nk(v9: i64):\n    call(v9) @use\n    v12 = add(v9, 1)\n    v13: i1 = ult(v12, v1)\n    branch v13, k(v12), x\nx:\n    \
         branch v1, s, t\ns:\n    return v5\nt:\n    return v0\n",
    );
    assert_eq!(count, 1, "behind a loop that is seen");
    assert!(is_behind(&f, "h", "k") && is_behind(&f, "s", "h") && !is_behind(&f, "t", "h"));
}

#[test]
fn a_loop_goes_in_front_of_the_one_that_needs_it() {
    let (count, f) = hashing(
        "    branch v1, k(0, v0), t\nk(v9: i64, v10: i64):\n    v11 = mul(v10, v5)\n    v12 = add(v9, 1)\n    \
         v13: i1 = ult(v12, v1)\n    branch v13, k(v12, v11), s\ns:\n    return v11\nt:\n    return v0\n",
    );
    assert_eq!((count, way(&f)), (1, vec!["d"]));
    assert!(is_behind(&f, "k", "h") && !is_behind(&f, "t", "h"));
}

#[test]
fn a_loop_leaves_the_loop_around_it_and_goes_into_no_other() {
    // What the last round of the loop around it made is used behind.
    let outer = |inside: &str, behind: &str| {
        sunk(&format!(
            "d:\n    jump o(0)\no(v9: i64):\n    jump h(0, v9)\nh(v2: i64, v3: i64):\n    v5 = xor(v3, v2)\n    v6 = add(v2, 1)\n    \
             v7: i1 = lt(v6, 100)\n    branch v7, h(v6, v5), e\ne:\n    call(v9) @use\n    v10 = add(v9, 1)\n    {inside}\n    \
             v11: i1 = lt(v10, v1)\n    branch v11, o(v10), x\nx:\n{behind}"
        ))
    };
    let (count, f) = outer("v12 = add(v9, 1)", "    return v5\n");
    let cfg = planish_ir::Cfg::new(&f);
    let loops = planish_pass::LoopInfo::new(&cfg);
    let depth = |name| loops.depth(cfg.number(named(&f, name)).expect("it can be reached"));
    assert_eq!((count, depth("o"), depth("h")), (1, 1, 1), "neither lies in the other");
    assert_eq!(outer("call(v5) @use", "    return v5\n").0, 0);
    let into = "    jump k(0)\nk(v9: i64):\n    call(v9) @use\n    branch v9, a, b\na:\n    call(v5) @use\n    jump b\nb:\n    v12 = add(v9, 1)\n    \
                v13: i1 = ult(v12, v1)\n    branch v13, k(v12), x\nx:\n    return v0\n";
    assert_eq!(hashing(into).0, 0, "it would run in every round");
}

#[test]
fn a_loop_that_is_entered_from_two_places_gets_what_each_passes() {
    let (count, f) = sunk(
        "d:\n    branch v0, a, b\na:\n    call(v0) @use\n    jump h(0, v0)\nb:\n    call(v1) @use\n    jump h(0, v1)\nh(v2: i64, v3: i64):\n    \
         v5 = mul(v3, 31)\n    v6 = add(v2, 1)\n    v7: i1 = lt(v6, 1000)\n    branch v7, h(v6, v5), e\ne:\n    branch v1, s, t\ns:\n    \
         return v5\nt:\n    return v0\n",
    );
    assert_eq!((count, verify(&f, Form::Cfg)), (1, vec![]));
    assert!(is_behind(&f, "s", "h") && !is_behind(&f, "t", "h"));
}

#[test]
fn many_loops_in_a_row_are_looked_at_once() {
    let mut source = format!("{DECLARED}func f(v0: i64, v1: i64) -> i64 {{\nd0:\n");
    for number in 0..3000 {
        source += &format!(
            "    jump h{number}(0)\nh{number}(i{number}: i64):\n    n{number} = add(i{number}, 1)\n    t{number}: i1 = lt(n{number}, 9)\n    \
             branch t{number}, h{number}(n{number}), d{next}\nd{next}:\n    branch v1, a{number}, b{number}\na{number}:\n    \
             call(n{number}) @use\n    jump b{number}\nb{number}:\n",
            next = number + 1
        );
    }
    source += "    return v0\n}\n";
    let (module, diagnostics) = text::read(&source);
    assert!(!diagnostics.has_errors() && module.functions.len() == 1);
    assert_eq!(changed(&PASS, &source, Target::MACHINE).0, 3000);
}

/// An inner loop of which the last round alone counts leaves the loop around it. That does not take it along into an arm.
#[test]
fn a_region_on_an_edge_stays_there_where_the_one_in_front_moves() {
    let (count, f) = sunk(
        "d:\n    jump l(0, 0)\nl(v2: i64, v3: i64):\n    jump m(v1, 0)\nm(v4: i64, v5: i64):\n    v6 = urshift(v4, 1)\n    \
         branch v6, m(v6, 5), n\nn:\n    v7 = add(v2, 1)\n    v8: i1 = lt(v7, 9)\n    branch v8, l(v7, v7), q\nq:\n    \
         v9: i1 = gt(v5, 0)\n    branch v9, r, s\nr:\n    return v0\ns:\n    return v3\n",
    );
    assert_eq!((count, verify(&f, Form::Cfg)), (2, vec![]));
    assert!(is_behind(&f, "q", "m") && !is_behind(&f, "q", "l") && is_behind(&f, "s", "l"));
}

/// Of two loops one behind the other, the first goes into the arm though its exit is the edge into the second.
#[test]
fn a_loop_goes_behind_the_next_one() {
    let (count, f) = sunk(
        "d:\n    jump h(0, v0)\nh(v2: i64, v3: i64):\n    v4 = mul(v3, 31)\n    v5 = xor(v4, v2)\n    v6 = add(v2, 1)\n    \
         v7: i1 = lt(v6, 1000)\n    branch v7, h(v6, v5), k(0)\nk(v10: i64):\n    v11 = add(v10, 1)\n    \
         raw_store(v0, 0, v11) @b\n    v12: i1 = lt(v11, v0)\n    branch v12, k(v11), g\ng:\n    branch v1, s, t\n\
         s:\n    return v5\nt:\n    return v0\n",
    );
    assert_eq!((count, verify(&f, Form::Cfg)), (1, vec![]));
    assert!(is_behind(&f, "s", "h") && !is_behind(&f, "k", "h"));
}
