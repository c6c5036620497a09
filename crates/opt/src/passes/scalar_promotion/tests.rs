//! What is kept in variables of loops, and what stays in memory.

use super::PASS;
use crate::passes::testing::after;

const WORLD: &str = "location @w: i32 class 1\nlocation @b: i8 class 1\nlocation @other: i32 class 2\nlocation @f: i64 class 3\n\
    location @volatile: i32 class 1\nlocation @refs: ref class 5\ncallee @any\ncallee @quiet elidable reads () writes ()\ncallee @traps reads () writes ()\ncallee @raises raises reads () writes ()\n";

/// How often the pass rewrites a function of two addresses and a number, and what its loop has then.
fn looped(body: &str) -> (u64, String, String) {
    let source = format!("{WORLD}func f(v0: i64, v1: i64, v2: i64, v3: ref) -> i64 {{\n{body}}}\n");
    let (count, text) = after(&PASS, &source);
    let h = text.split("\nh(").nth(1).expect("a loop").to_owned();
    let end = h.find("branch").expect("a test");
    (count, h[..end].to_owned(), text)
}

/// A loop that is tested at its end.
fn around(body: &str) -> (u64, String, String) {
    looped(&format!(
        "e:\n    jump h(0)\nh(v4: i64):\n{body}    v8 = add(v4, 4)\n    v9: i1 = lt(v8, v2)\n    branch v9, h(v8), x\nx:\n    \
         return 0\n"
    ))
}

#[test]
fn a_sum_in_memory_is_a_variable() {
    let (count, h, text) =
        around("    v5: i32 = raw_load(v0, 0) @w\n    v6 = add(v5, 3)\n    raw_store(v0, 0, v6) @w\n");
    assert!(count == 1 && !h.contains("raw_"), "{text}");
    assert_eq!((text.matches("raw_load").count(), text.matches("raw_store").count()), (1, 1), "{text}");
}

#[test]
fn what_may_be_the_same_memory_stays_there() {
    let sum = "    v5: i32 = raw_load(v0, 0) @w\n    v6 = add(v5, 3)\n    raw_store(v0, 0, v6) @w\n";
    for other in [
        "    raw_store(v1, 0, 7: i32) @w\n",
        "    v7: i32 = raw_load(v1, 0) @w\n",
        "    v7: i8 = raw_load(v0, 3) @b\n",
        "    v7: i32 = raw_load(v0, v4) @w\n",
        "    call(v0) @any\n",
        "    call(v0) @raises\n",
        "    call(v0) @traps\n",
        "    v7 = sdiv(v4, v2)\n",
    ] {
        assert_eq!(around(&format!("{sum}{other}")).0, 0, "{other}");
    }
    for other in [
        "    raw_store(v0, 4, 7: i32) @w\n",
        "    v7: i32 = raw_load(v1, 0) @other\n",
        "    call(v0) @quiet\n",
        "    v7 = sdiv(v4, 3)\n",
    ] {
        let (count, h, text) = around(&format!("{sum}{other}"));
        assert!(count >= 1 && !h.contains("raw_load(v0, 0)"), "{other}: {text}");
    }
}

#[test]
fn an_address_that_moves_is_no_variable() {
    assert_eq!(around("    raw_store(v0, v4, 7: i32) @w\n").0, 0);
}

#[test]
fn a_store_that_may_not_happen_is_not_made_behind_the_loop() {
    let sometimes = |before: &str| {
        format!(
            "e:\n{before}    jump h(0)\nh(v4: i64):\n    v5 = and(v4, 8)\n    branch v5, s, l\ns:\n    \
             raw_store(v0, 0, 5: i32) @w\n    jump l\nl:\n    v8 = add(v4, 4)\n    v9: i1 = lt(v8, v2)\n    \
             branch v9, h(v8), x\nx:\n    return 0\n"
        )
    };
    assert_eq!(looped(&sometimes("")).0, 0, "the memory may be nobody's to write");
    assert_eq!(looped(&sometimes("    v6: i32 = raw_load(v0, 0) @w\n")).0, 0, "it may be there to be read");
    assert_eq!(looped(&sometimes("    raw_store(v0, 0, 1: i32) @w\n")).0, 1);
    let told = sometimes("    raw_store(v0, 0, 1: i32) @w\n    call(v0) @quiet\n");
    assert_eq!(looped(&told).0, 0, "another thread may know that it is its turn");
}

#[test]
fn what_is_tested_first_is_not_touched_in_front() {
    let first = "e:\n    jump h(0)\nh(v4: i64):\n    v9: i1 = lt(v4, v2)\n    branch v9, b, x\nb:\n    \
        v5: i32 = raw_load(v0, 0) @w\n    v6 = add(v5, 3)\n    raw_store(v0, 0, v6) @w\n    v8 = add(v4, 4)\n    jump h(v8)\n\
        x:\n    return 0\n";
    assert_eq!(looped(first).0, 0);
}

#[test]
fn a_field_is_touched_in_front_only_if_the_object_is_there() {
    let sum = "    v5 = get_field(v3) @f\n    v6 = add(v5, 3)\n    set_field(v3, v6) @f\n";
    assert_eq!(around(sum).0, 0, "null leaves in the first round, behind what is before");
    let (count, h, text) = looped(&format!(
        "e:\n    v7 = get_field(v3) @f\n    jump h(0)\nh(v4: i64):\n{sum}    v8 = add(v4, 4)\n    v9: i1 = lt(v8, v2)\n    \
         branch v9, h(v8), x\nx:\n    return v7\n"
    ));
    assert!(count == 1 && !h.contains("_field"), "{text}");
}

#[test]
fn an_array_that_may_refuse_what_is_stored_is_asked_each_round() {
    let (count, _, text) = looped(
        "e:\n    v7: ref = get_item(v3, 0) @refs\n    jump h(0)\nh(v4: i64):\n    v5: ref = get_item(v3, 0) @refs\n    \
         set_item(v3, 0, v5) @refs\n    v8 = add(v4, 4)\n    v9: i1 = lt(v8, v2)\n    branch v9, h(v8), x\nx:\n    return 0\n",
    );
    assert_eq!(count, 0, "{text}");
}

#[test]
fn a_loop_that_only_looks_may_wait_for_another_thread() {
    let waits = "e:\n    jump h(0)\nh(v4: i64):\n    v5: i32 = raw_load(v0, 0) @w\n    branch v5, x, h(v4)\nx:\n    return 0\n";
    let source = format!("{WORLD}func f(v0: i64, v1: i64, v2: i64, v3: ref) -> i64 {{\n{waits}}}\n");
    assert_eq!(after(&PASS, &source).0, 0);
    let (count, h, text) = looped(
        "e:\n    jump h(0)\nh(v4: i64):\n    v5: i32 = raw_load(v0, 0) @w\n    raw_store(v1, v4, v5) @other\n    \
         v8 = add(v4, 1)\n    v9: i1 = lt(v8, v2)\n    branch v9, h(v8), x\nx:\n    return 0\n",
    );
    assert!(count == 1 && !h.contains("raw_load"), "one that ends does not: {text}");
}

#[test]
fn a_place_goes_out_of_a_nest() {
    let (count, _, text) = looped(
        "e:\n    jump h(0)\nh(v4: i64):\n    jump i(0)\ni(v5: i64):\n    v6: i32 = raw_load(v0, 0) @w\n    v7 = add(v6, 3)\n    \
         raw_store(v0, 0, v7) @w\n    v8 = add(v5, 1)\n    v9: i1 = lt(v8, v1)\n    branch v9, i(v8), l\nl:\n    \
         v10 = add(v4, 1)\n    v11: i1 = lt(v10, v2)\n    branch v11, h(v10), x\nx:\n    return 0\n",
    );
    assert_eq!(count, 2, "{text}");
    let first = text.find("\nh(").expect("a loop");
    assert!(text[..first].contains("raw_load") && !text[first..].contains("raw_load"), "{text}");
}

#[test]
fn the_item_of_the_round_before_is_not_loaded_again() {
    let (count, h, text) = around(
        "    v5 = add(v4, 4)\n    v6: i32 = raw_load(v0, v5) @w\n    v7: i32 = raw_load(v0, v4) @w\n    v10 = sub(v6, v7)\n    \
         raw_store(v1, v4, v10) @other\n",
    );
    assert!(count == 1 && h.matches("raw_load").count() == 1, "{text}");
    let (count, h, text) = around(
        "    v5 = add(v4, 4)\n    v6: i32 = raw_load(v0, v5) @w\n    v7: i32 = raw_load(v0, v4) @w\n    v10 = add(v6, v7)\n    \
         raw_store(v0, v5, v10) @w\n",
    );
    assert!(count == 1 && h.matches("raw_load").count() == 1, "the sum of the round before: {text}");
}

#[test]
fn what_is_written_in_between_is_loaded_again() {
    let two = "    v5 = add(v4, 4)\n    v6: i32 = raw_load(v0, v5) @w\n    v7: i32 = raw_load(v0, v4) @w\n    \
        v10 = sub(v6, v7)\n    raw_store(v1, v4, v10) @other\n";
    for other in [
        "    raw_store(v1, 0, v6) @w\n",
        "    raw_store(v0, v4, 7: i32) @w\n",
        "    v11 = add(v4, 6)\n    raw_store(v0, v11, 7: i8) @b\n",
        "    call(v0) @any\n",
    ] {
        assert_eq!(around(&format!("{two}{other}")).0, 0, "{other}");
    }
    let apart = "    v11 = add(v4, 8)\n    raw_store(v0, v11, 7: i32) @w\n";
    assert_eq!(around(&format!("{two}{apart}")).0, 2, "two rounds ahead, and so what the next round loads");
    let last = "    raw_store(v0, v5, 7: i32) @w\n";
    let (count, _, text) = around(&format!("{two}{last}"));
    assert!(count == 1 && text.contains(", 7), x"), "what was stored last is carried on: {text}");
}

#[test]
fn a_load_two_rounds_behind_is_not_the_one_of_the_round_before() {
    let (count, ..) = around(
        "    v5 = add(v4, 8)\n    v6: i32 = raw_load(v0, v5) @w\n    v7: i32 = raw_load(v0, v4) @w\n    v10 = sub(v6, v7)\n    \
         raw_store(v1, v4, v10) @other\n",
    );
    assert_eq!(count, 0);
}
