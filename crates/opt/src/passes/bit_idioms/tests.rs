//! What is one operation, and what stays several.

use super::PASS;
use crate::passes::testing::after;

const WORLD: &str = "location @b: i8 class 1\nlocation @h: i16 class 1\nlocation @w: i32 class 1\nlocation @other: i8 class 2\n\
    location @s: i32 bits 8 signed class 1\ncallee @any\n";

fn word(body: &str) -> (u64, String) {
    after(&PASS, &format!("{WORLD}func f(v0: i32, v1: i32) -> i32 {{\ne:\n{body}    return v20\n}}\n"))
}

fn loaded(body: &str) -> (u64, String) {
    after(&PASS, &format!("{WORLD}func f(v0: i64, v1: i64) -> i32 {{\ne:\n{body}    return v20\n}}\n"))
}

#[test]
fn bytes_in_the_opposite_order_are_swapped() {
    let (count, text) = word(
        "    v2 = urshift(v0, 24)\n    v3 = urshift(v0, 8)\n    v4 = and(v3, 65280)\n    v5 = or(v2, v4)\n    v6 = lshift(v0, 8)\n    \
         v7 = and(v6, 16711680)\n    v8 = or(v5, v7)\n    v9 = lshift(v0, 24)\n    v20 = or(v8, v9)\n",
    );
    assert!(count == 1 && text.contains("bswap(v0)"), "{text}");
    let (count, text) = word(
        "    v2 = and(v0, 16711935)\n    v3 = lshift(v2, 8)\n    v4 = urshift(v0, 8)\n    v5 = and(v4, 16711935)\n    \
         v6 = add(v3, v5)\n    v20 = rotl(v6, 16)\n",
    );
    assert!(count == 1 && text.contains("bswap(v0)"), "{text}");
}

#[test]
fn a_byte_that_is_missing_or_there_twice_is_no_swap() {
    for last in ["and(v0, 255)", "lshift(v0, 16)"] {
        let (count, text) = word(&format!(
            "    v2 = urshift(v0, 24)\n    v3 = urshift(v0, 8)\n    v4 = and(v3, 65280)\n    v5 = or(v2, v4)\n    \
             v9 = {last}\n    v20 = or(v5, v9)\n"
        ));
        assert_eq!(count, 0, "{text}");
    }
}

#[test]
fn a_rotation_in_pieces_is_one() {
    let (count, text) = word(
        "    v2 = lshift(v0, 12)\n    v3 = and(v2, -65536)\n    v4 = and(v2, 65535)\n    v5 = urshift(v0, 20)\n    \
         v6 = or(v3, v5)\n    v20 = or(v6, v4)\n",
    );
    assert!(count == 1 && text.contains("rotl(v0, 12)"), "{text}");
}

/// The bytes at these offsets, the first one the lowest.
fn bytes(offsets: [i64; 4], between: &str) -> String {
    let mut body = String::new();
    for (number, offset) in (2..).zip(offsets) {
        body += &format!("    v{number}: i8 = raw_load(v0, {offset}) @b\n");
        body += if number == 3 { between } else { "" };
    }
    body + "    v6: i32 = zext(v2)\n    v7: i32 = zext(v3)\n    v8: i32 = zext(v4)\n    v9: i32 = zext(v5)\n    \
        v10 = lshift(v7, 8)\n    v11 = lshift(v8, 16)\n    v12 = lshift(v9, 24)\n    v13 = or(v6, v10)\n    \
        v14 = or(v11, v12)\n    v20 = or(v13, v14)\n"
}

#[test]
fn bytes_in_a_row_are_a_word() {
    let (count, text) = loaded(&bytes([0, 1, 2, 3], ""));
    assert!(count == 1 && text.contains("i32 = raw_load(v0, 0) @w") && !text.contains("bswap"), "{text}");
    let (count, text) = loaded(&bytes([-1, -2, -3, -4], ""));
    assert!(count == 1 && text.contains("raw_load(v0, -4) @w") && text.contains("bswap"), "{text}");
    for wrong in [[0, 1, 2, 4], [0, 2, 1, 3], [0, 0, 1, 2], [1, 2, 3, 0]] {
        let (_, text) = loaded(&bytes(wrong, ""));
        assert!(!text.contains(") @w\n"), "{wrong:?}: {text}");
    }
}

#[test]
fn a_store_between_the_loads_keeps_them_apart() {
    for store in
        ["    raw_store(v1, 0, 7: i8) @b\n", "    raw_store(v0, 3, 7: i8) @b\n", "    call(v0) @any\n"]
    {
        let (_, text) = loaded(&bytes([0, 1, 2, 3], store));
        assert!(!text.contains(") @w\n"), "{store}: {text}");
    }
    for store in ["    raw_store(v0, 4, 7: i8) @b\n", "    raw_store(v1, 0, 7: i8) @other\n"] {
        let (_, text) = loaded(&bytes([0, 1, 2, 3], store));
        assert!(text.contains(") @w\n"), "{store}: {text}");
    }
}

#[test]
fn two_bytes_are_half_a_word_and_signs_are_none() {
    let two = |load: &str| {
        loaded(&format!(
            "    v2: i8 = raw_load(v0, 0) @b\n{load}    v4: i32 = zext(v2)\n    v6 = lshift(v5, 8)\n    v20 = or(v4, v6)\n"
        ))
    };
    let (count, text) = two("    v3: i8 = raw_load(v0, 1) @b\n    v5: i32 = zext(v3)\n");
    assert!(count == 1 && text.contains("raw_load(v0, 0) @h") && text.contains("zext("), "{text}");
    assert_eq!(
        two("    v3: i8 = raw_load(v0, 1) @b\n    v5: i32 = sext(v3)\n").0,
        0,
        "the sign goes further"
    );
    assert_eq!(two("    v5: i32 = raw_load(v0, 1) @s\n").0, 0, "the sign is not in memory");
}

#[test]
fn loads_that_others_need_stay() {
    let (count, text) = loaded(&format!(
        "{}    v21: i32 = zext(v2)\n    v22 = add(v21, v6)\n    raw_store(v1, 0, v22) @w\n    raw_store(v1, 4, v7) @w\n",
        bytes([0, 1, 2, 3], "")
    ));
    assert!(count == 1 && text.contains("@w"), "fewer are left all the same: {text}");
}

/// The number of one bits of `v0`.
fn counted(mask: &str, multiplier: &str, by: u32) -> (u64, String) {
    word(&format!(
        "    v2 = urshift(v0, 1)\n    v3 = and(v2, 1431655765)\n    v4 = sub(v0, v3)\n    v5 = and(v4, 858993459)\n    \
         v6 = urshift(v4, 2)\n    v7 = and(v6, {mask})\n    v8 = add(v5, v7)\n    v9 = urshift(v8, 4)\n    v10 = add(v8, v9)\n    \
         v11 = and(v10, 252645135)\n    v12 = mul(v11, {multiplier})\n    v20 = urshift(v12, {by})\n"
    ))
}

#[test]
fn bits_that_are_added_up_are_counted() {
    let (count, text) = counted("858993459", "16843009", 24);
    assert!(count == 1 && text.contains("popcount(v0)"), "{text}");
    assert_eq!(counted("858993458", "16843009", 24).0, 0);
    assert_eq!(counted("858993459", "16843010", 24).0, 0);
    assert_eq!(counted("858993459", "16843009", 23).0, 0);
}

/// An `or` of `v0` shifted up by `v1` and down by what the lines say.
fn rotated(down: &str, put_together: &str) -> (u64, String) {
    word(&format!(
        "    v2 = and(v1, 31)\n    v3 = lshift(v0, v2)\n{down}    v6 = urshift(v0, v5)\n    v20 = {put_together}(v3, v6)\n"
    ))
}

#[test]
fn shifts_by_what_is_the_width_together_are_a_rotation() {
    for down in [
        "    v4 = sub(32, v1)\n    v5 = and(v4, 31)\n",
        "    v5 = sub(32, v2)\n",
        "    v4 = neg(v1)\n    v5 = and(v4, 63)\n",
        "    v4 = sub(64, v1)\n    v5 = add(v4, 32)\n",
    ] {
        let (count, text) = rotated(down, "or");
        assert!(count == 1 && text.contains("rotl(v0, v1)"), "{text}");
    }
    let (count, text) = word(
        "    v2 = sub(0, v1)\n    v3 = lshift(v0, v2)\n    v4 = urshift(v0, v1)\n    v20 = or(v4, v3)\n",
    );
    assert!(count == 1 && text.contains("rotr(v0, v1)"), "{text}");
}

#[test]
fn shifts_by_other_amounts_are_no_rotation() {
    for (down, put_together) in [
        ("    v5 = sub(31, v1)\n", "or"),
        ("    v4 = sub(32, v1)\n    v5 = and(v4, 15)\n", "or"),
        ("    v5 = add(v1, 32)\n", "or"),
        ("    v5 = sub(v1, 32)\n", "or"),
        // Both are the word itself where it is shifted by nothing.
        ("    v5 = sub(32, v1)\n", "add"),
        ("    v5 = sub(32, v1)\n", "xor"),
    ] {
        let (count, text) = rotated(down, put_together);
        assert_eq!(count, 0, "{text}");
    }
}
