//! Stores that become one, and those that stay several.

use super::PASS;
use crate::passes::testing::after;

const WORLD: &str = "location @b: i8 class 1\nlocation @h: i16 class 1\nlocation @w: i32 class 1\nlocation @d: i64 class 1\n\
    location @s: i32 bits 8 signed class 1\nlocation @other: i8 class 2\ncallee @any\n";

fn stored(body: &str) -> (u64, String) {
    after(&PASS, &format!("{WORLD}func f(v0: i64, v1: i32, v2: i64) {{\ne:\n{body}    return\n}}\n"))
}

/// The bytes of `v1` from the lowest on, stored at these offsets; `between` stands in front of the third one.
fn bytes(offsets: [i64; 4], between: &str) -> String {
    let mut body = String::new();
    for (number, offset) in (0..).zip(offsets) {
        body += if number == 2 { between } else { "" };
        body += &format!(
            "    s{number} = urshift(v1, {})\n    b{number}: i8 = trunc(s{number})\n    raw_store(v0, {offset}, b{number}) @b\n",
            8 * number
        );
    }
    body
}

#[test]
fn bytes_of_a_word_are_stored_at_once() {
    let (count, text) = stored(&bytes([0, 1, 2, 3], ""));
    assert!(
        count == 1 && text.contains("raw_store(v0, 0, v1) @w") && text.matches("raw_store").count() == 1,
        "{text}"
    );
    let (count, text) = stored(&bytes([7, 6, 5, 4], ""));
    assert!(count == 1 && text.contains("bswap(v1)") && text.contains("raw_store(v0, 4, "), "{text}");
}

#[test]
fn bytes_in_another_order_or_with_a_gap_stay() {
    for offsets in [[0, 2, 1, 3], [0, 1, 3, 4], [0, 1, 1, 2]] {
        let (_, text) = stored(&bytes(offsets, ""));
        assert!(!text.contains(") @w"), "{text}");
    }
}

#[test]
fn halves_of_a_word_are_stored_at_once() {
    let (count, text) = stored(
        "    v3: i32 = trunc(v2)\n    v4 = urshift(v2, 32)\n    v5: i32 = trunc(v4)\n    raw_store(v0, 12, v5) @w\n    \
         raw_store(v0, 8, v3) @w\n",
    );
    assert!(count == 1 && text.contains("raw_store(v0, 8, v2) @d"), "{text}");
}

#[test]
fn numbers_side_by_side_are_one() {
    let (count, text) = stored(
        "    raw_store(v0, 0, 1) @w\n    raw_store(v0, 4, -1: i8) @b\n    raw_store(v0, 5, 2: i8) @b\n    \
         raw_store(v0, 6, 3: i16) @h\n",
    );
    assert!(count == 1 && text.contains("raw_store(v0, 0, 847719170048001) @d"), "{text}");
    // Of an extension only the low byte is stored.
    let (count, text) = stored("    raw_store(v0, 0, -2) @s\n    raw_store(v0, 1, 3) @s\n");
    assert!(count == 1 && text.contains("raw_store(v0, 0, 1022) @h"), "{text}");
}

#[test]
fn a_byte_and_zeros_are_an_extension() {
    let (count, text) =
        stored("    v3: i8 = trunc(v1)\n    raw_store(v0, 0, v3) @b\n    raw_store(v0, 1, 0: i8) @b\n");
    assert!(count == 1 && text.contains("raw_store(v0, 0, ") && text.contains("@h"), "{text}");
}

#[test]
fn what_is_copied_byte_by_byte_is_copied_at_once() {
    let loads = (0..4).map(|at| format!("    l{at}: i8 = raw_load(v2, {at}) @b\n")).collect::<String>();
    let stores = (0..4).map(|at| format!("    raw_store(v0, {at}, l{at}) @b\n")).collect::<String>();
    let (count, text) = stored(&(loads + &stores));
    assert!(count == 1 && text.contains("raw_load(v2, 0) @w") && text.contains("@w\n    return"), "{text}");
    // In turns the first store may change what is loaded next.
    let turns = (0..4)
        .map(|at| format!("    l{at}: i8 = raw_load(v2, {at}) @b\n    raw_store(v0, {at}, l{at}) @b\n"))
        .collect::<String>();
    assert_eq!(stored(&turns).0, 0);
}

#[test]
fn whoever_may_look_in_between_keeps_them_apart() {
    for between in [
        "    x: i8 = raw_load(v0, 0) @b\n",
        "    x: i8 = raw_load(v2, 0) @b\n",
        "    raw_store(v2, 0, 5: i8) @b\n",
        "    raw_store(v0, 1, 5: i8) @b\n",
        "    call() @any\n",
    ] {
        let (_, text) = stored(&bytes([0, 1, 2, 3], between));
        assert!(!text.contains(") @w"), "{text}");
    }
    for between in [
        "    x: i8 = raw_load(v0, 9) @b\n",
        "    raw_store(v2, 0, 5: i8) @other\n",
        "    raw_store(v0, -1, 5: i8) @b\n",
    ] {
        let (_, text) = stored(&bytes([0, 1, 2, 3], between));
        assert!(text.contains("raw_store(v0, 0, v1) @w"), "{text}");
    }
}
