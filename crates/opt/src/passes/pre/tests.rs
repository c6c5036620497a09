//! What becomes a parameter, what is inserted where, and what stays.

use planish_ir::text;
use planish_pass::Target;

use super::PASS;
use crate::passes::testing::{after, changed};

const WORLD: &str = "location @f: i64 class 1\nlocation @g: i64 class 2\nlocation @b: i32 bits 8 class 3\n\
    location @s: i32 bits 8 signed class 3\nlocation @w: i64 class 3\ncallee @any reads * writes *\n\
    callee @sets_g reads () writes (2)\ncallee @pure elidable reads () writes ()\n";

/// How often the pass rewrites a function of these blocks, and the blocks that it leaves, by name.
fn pre(body: &str) -> (u64, String) {
    after(&PASS, &format!("{WORLD}func f(o: ref, x: i64, y: i64, p: i64) -> i64 {{\n{body}}}\n"))
}

/// The lines of a block.
fn block<'a>(text: &'a str, name: &str) -> &'a str {
    let at = text.find(&format!("\n{name}:")).or_else(|| text.find(&format!("\n{name}(")));
    let rest = &text[at.unwrap_or_else(|| panic!("no {name} in {text}")) + 1..];
    let end = rest[1..].lines().scan(1, |at, line| {
        let from = *at;
        *at += line.len() + 1;
        Some((from, line))
    });
    let end = end.skip(1).find(|(_, line)| !line.starts_with(' ')).map_or(rest.len(), |(at, _)| at);
    &rest[..end]
}

/// Two arms, of which each has lines, and a block behind them.
fn diamond(a: &str, b: &str, behind: &str) -> (u64, String) {
    pre(&format!("e:\n    branch x, a, b\na:\n{a}    jump j\nb:\n{b}    jump j\nj:\n{behind}    return r\n"))
}

#[test]
fn what_one_arm_computed_is_computed_in_the_other_one() {
    let (count, text) = diamond("    t = mul(x, y)\n    call(t) @any\n", "", "    r = mul(y, x)\n");
    assert_eq!(count, 1, "{text}");
    assert!(block(&text, "b").contains("mul"), "{text}");
    assert!(!block(&text, "j").contains("mul"), "{text}");
}

#[test]
fn what_both_arms_computed_is_a_parameter_and_what_follows_from_it_too() {
    let arm = |n: u32| {
        format!(
            "    t{n} = mul(x, y)\n    u{n} = sub(t{n}, {n})\n    v{n} = mul(u{n}, u{n})\n    call(v{n}) @any\n"
        )
    };
    let source = format!(
        "e:\n    branch x, a, b\na:\n{}    jump j(u1)\nb:\n{}    jump j(u2)\nj(u: i64):\n    t = mul(x, y)\n    \
         v = mul(u, u)\n    r = add(v, t)\n    return r\n",
        arm(1),
        arm(2)
    );
    let (count, text) = pre(&source);
    assert_eq!(count, 2, "{text}");
    assert_eq!(block(&text, "j").matches(" = ").count(), 1, "{text}");
}

#[test]
fn a_critical_edge_is_split() {
    let (count, text) = pre(
        "e:\n    branch x, a, j\na:\n    t = mul(x, y)\n    call(t) @any\n    jump j\nj:\n    r = mul(x, y)\n    return r\n",
    );
    assert_eq!((count, text.matches(" = mul").count()), (1, 2), "{text}");
    assert!(!block(&text, "e").contains("mul"), "{text}");
}

#[test]
fn numbers_fold_on_the_ways_that_know_them() {
    let (count, text) = pre(
        "e:\n    branch x, a, b\na:\n    jump j(3)\nb:\n    jump j(5)\nj(k: i64):\n    r = mul(k, 7)\n    return r\n",
    );
    assert_eq!((count, text.contains("mul")), (1, false), "{text}");
    assert!(text.contains("21") && text.contains("35"), "{text}");
    // One way that knows it is no reason to compute it on the other one.
    let one = "e:\n    branch x, a, b\na:\n    jump j(3)\nb:\n    jump j(y)\nj(k: i64):\n    r = mul(k, 7)\n    return r\n";
    assert_eq!(pre(one).0, 0);
}

#[test]
fn what_nothing_did_before_stays() {
    assert_eq!(diamond("", "", "    r = mul(x, y)\n").0, 0);
}

#[test]
fn a_division_goes_on_the_way_only_if_nothing_is_seen_before() {
    let arm = "    t = sdiv(x, y)\n    call(t) @any\n";
    let (count, text) = diamond(arm, "", "    r = sdiv(x, y)\n");
    assert_eq!(count, 1, "{text}");
    assert_eq!(diamond(arm, "", "    set_field(o, x) @f\n    r = sdiv(x, y)\n").0, 0);
    assert_eq!(
        diamond(
            arm,
            "    u = sdiv(x, y)\n    call(u) @any\n",
            "    set_field(o, x) @f\n    r = sdiv(x, y)\n"
        )
        .0,
        1
    );
}

#[test]
fn a_load_is_taken_from_what_each_way_knows_of_memory() {
    for (a, b) in [
        ("    t = get_field(o) @f\n    set_field(o, t) @g\n", ""),
        ("    set_field(o, y) @f\n", ""),
        ("    set_field(o, y) @f\n", "    set_field(o, x) @f\n"),
        ("    set_field(o, y) @f\n", "    t = get_field(o) @f\n    set_field(o, t) @g\n    call() @sets_g\n"),
    ] {
        let (count, text) = diamond(a, b, "    r = get_field(o) @f\n");
        assert_eq!(count, 1, "{text}");
        assert!(!block(&text, "j").contains("get_field"), "{text}");
    }
}

#[test]
fn a_load_stays_where_memory_may_have_been_written() {
    for (a, behind) in [
        ("    set_field(o, y) @f\n    call(x) @any\n", "    r = get_field(o) @f\n"),
        ("    set_field(o, y) @f\n", "    call(x) @any\n    r = get_field(o) @f\n"),
        // Who sees the store sees that it came before.
        ("    set_field(o, y) @f\n", "    set_field(o, y) @g\n    r = get_field(o) @f\n"),
        (
            "    t = get_field(o) @f\n",
            "    set_field(o, y) @f\n    u = get_field(o) @g\n    r = get_field(o) @f\n",
        ),
    ] {
        let (count, text) = diamond(a, "", behind);
        assert_eq!(count, 0, "{text}");
    }
}

#[test]
fn bytes_of_one_sign_are_not_those_of_the_other() {
    let load = |name: &str, at: &str| format!("    {name}: i32 = raw_load(p, 0) {at}\n");
    let behind = |at: &str| format!("{}    r = zext(n)\n", load("n", at));
    let arm = |at: &str| format!("{}    call(t) @any\n{}", load("t", at), load("u", at));
    assert_eq!(diamond(&arm("@b"), "", &behind("@b")).0, 1);
    assert_eq!(diamond(&arm("@b"), "", &behind("@s")).0, 0);
}

#[test]
fn an_item_is_found_behind_the_address_of_each_way() {
    let (count, text) = pre(
        "e:\n    branch x, a, b\na:\n    raw_store(p, 8, y) @w\n    jump j(8)\nb:\n    c = add(x, 16)\n    \
         raw_store(p, c, x) @w\n    d = add(x, 12)\n    raw_store(p, 3, 7) @b\n    jump j(c)\nj(i: i64):\n    \
         r = raw_load(p, i) @w\n    return r\n",
    );
    // The second way stored to what may be anywhere.
    assert_eq!(count, 1, "{text}");
    assert!(block(&text, "b").contains("raw_load"), "{text}");
}

#[test]
fn what_the_round_before_computed_is_a_variable_of_the_loop() {
    let (count, text) = pre(
        "e:\n    jump h(0, y)\nh(i: i64, s: i64):\n    a = mul(i, x)\n    j = add(i, 1)\n    b = mul(j, x)\n    \
         t = xor(a, b)\n    u = add(s, t)\n    on: i1 = lt(j, y)\n    branch on, h(j, u), out\nout:\n    return u\n",
    );
    assert_eq!(count, 1, "{text}");
    assert_eq!(
        (block(&text, "e").matches("mul").count(), block(&text, "h").matches("mul").count()),
        (0, 1),
        "{text}"
    );
}

#[test]
fn what_a_loop_only_makes_itself_is_not_put_on_its_way_back() {
    let (count, text) = pre(
        "e:\n    a = mul(x, x)\n    call(a) @any\n    jump h(x)\nh(i: i64):\n    b = mul(i, i)\n    j = sub(i, b)\n    \
         branch j, h(j), out\nout:\n    return j\n",
    );
    assert_eq!(count, 0, "{text}");
}

#[test]
fn a_loop_that_waits_looks_again() {
    let (count, text) =
        pre("e:\n    jump h\nh:\n    v = get_field(o) @f\n    branch v, out, h\nout:\n    return v\n");
    assert_eq!(count, 0, "{text}");
}

#[test]
fn pure_calls_go_and_others_stay() {
    let arm = |callee: &str| format!("    t = call(x) {callee}\n    set_field(o, t) @f\n");
    let behind = |callee: &str| format!("    r = call(x) {callee}\n");
    assert_eq!(diamond(&arm("@pure"), "", &behind("@pure")).0, 1);
    assert_eq!(diamond(&arm("@any"), "", &behind("@any")).0, 0);
}

#[test]
fn nothing_is_inserted_behind_what_may_leave() {
    let source = |before: &str| {
        format!(
            "e:\n    branch x, a, b\na:\n    t = mul(x, y)\n    call(t) @any\n    jump j\nb:\n    jump j\nj:\n{before}    \
             r = mul(x, y)\n    return r\n"
        )
    };
    assert_eq!(pre(&source("    call(x) @any\n")).0, 0);
    assert_eq!(pre(&source("    set_field(o, x) @f\n")).0, 1);
}

#[test]
fn more_than_one_copy_more_is_not_made() {
    let switch = |cases: u32| {
        let arms: String = (0..cases).map(|n| format!("c{n}:\n    call({n}) @any\n    jump j\n")).collect();
        let list: Vec<String> = (0..cases).map(|n| format!("{n}: c{n}")).collect();
        format!(
            "e:\n    switch x [{}], d\n{arms}d:\n    t = mul(x, y)\n    call(t) @any\n    jump j\nj:\n    \
             r = mul(x, y)\n    return r\n",
            list.join(", ")
        )
    };
    assert_eq!((pre(&switch(2)).0, pre(&switch(3)).0), (1, 0));
}

#[test]
fn on_a_stack_a_parameter_costs_more_than_a_sum() {
    let source = format!(
        "{WORLD}func f(x: i64, y: i64) -> i64 {{\ne:\n    branch x, a, b\na:\n    t = mul(x, y)\n    call(t) @any\n    \
         jump j\nb:\n    u = mul(x, y)\n    call(u) @any\n    jump j\nj:\n    r = mul(x, y)\n    return r\n}}\n"
    );
    let count = |target| changed(&PASS, &source, target).0;
    assert_eq!((count(Target::MACHINE), count(Target::STACK)), (1, 0));
    let (_, module) = changed(&PASS, &source, Target::MACHINE);
    assert_eq!(text::write(&module, text::Options::default()).matches(" = mul").count(), 2);
}

#[test]
fn what_is_different_above_is_a_parameter_there_too() {
    // The arms meet in `m`, where nothing is loaded, and again in `j`.
    let (count, text) = pre(
        "e:\n    branch x, a, j\na:\n    branch y, b, c\nb:\n    set_field(o, x) @f\n    jump m\nc:\n    \
         set_field(o, y) @f\n    jump m\nm:\n    jump j\nj:\n    r = get_field(o) @f\n    return r\n",
    );
    assert_eq!((count, text.matches("get_field").count()), (1, 1), "{text}");
    assert!(block(&text, "m").contains(": i64"), "{text}");
    assert!(!block(&text, "j").contains("get_field"), "{text}");
}

#[test]
fn what_a_loop_stores_in_an_arm_is_a_variable_of_it() {
    let (count, text) = pre(
        "e:\n    jump h(0)\nh(i: i64):\n    v = get_field(o) @f\n    on: i1 = lt(v, i)\n    branch on, s, l\ns:\n    \
         set_field(o, i) @f\n    jump l\nl:\n    j = add(i, 1)\n    more: i1 = lt(j, x)\n    branch more, h(j), out\n\
         out:\n    return j\n",
    );
    assert_eq!(count, 1, "{text}");
    assert!(block(&text, "e").contains("get_field") && !block(&text, "h").contains("get_field"), "{text}");
}

#[test]
fn a_remainder_of_equal_values_still_traps() {
    let (count, text) = pre(
        "e:\n    branch x, a, b\na:\n    t = srem(x, y)\n    call(t) @any\n    jump j(x)\nb:\n    jump j(y)\nj(k: i64):\n    \
         r = srem(k, y)\n    return r\n",
    );
    assert_eq!(count, 1, "{text}");
    assert!(block(&text, "b").contains("srem(v2, v2)"), "{text}");
}
