use super::PASS;
use crate::passes::testing::after;

const DECLARED: &str = "location @b: i8 class 1\nlocation @h: i16 class 1\nlocation @w: i32 class 1\nlocation @l: i64 class 1\n\
    location @part: i32 bits 24 class 1\nlocation @d: f64 class 1\nlocation @other: i32 class 2\nlocation @any: i8 raw\n";

/// A function of two addresses, a number and a value, in which a loop counts from 0 to below the number and does these.
fn counting(body: &str) -> (u64, String) {
    in_loop("0", "ult(i, n)", &format!("{body}    j = add(i, 1)\n"))
}

/// The same with another start and test.
fn in_loop(start: &str, test: &str, body: &str) -> (u64, String) {
    let source = format!(
        "{DECLARED}func f(p: i64, q: i64, n: i64, v: i32) {{\ne:\n    jump h({start})\nh(i: i64):\n    c: i1 = {test}\n    \
         branch c, b, x\nb:\n{body}    jump h(j)\nx:\n    return\n}}\n"
    );
    after(&PASS, &source)
}

#[test]
fn a_loop_that_stores_one_value_into_cells_side_by_side_is_a_fill() {
    let (count, text) = counting("    raw_store(p, i, 7) @b\n");
    assert!(count == 1 && text.contains("raw_fill(v0, 0, v4, 7) @b"), "{text}");
    let (count, text) = counting("    a = lshift(i, 2)\n    s = add(p, a)\n    raw_store(s, 12, v) @w\n");
    assert!(count == 1 && text.contains("raw_fill(v0, 12, v4, v3) @w"), "{text}");
}

#[test]
fn a_loop_that_is_tested_at_its_end_makes_one_round_more_than_it_goes_back() {
    let source = format!(
        "{DECLARED}func f(p: i64, n: i64) {{\ne:\n    jump h(0)\nh(i: i64):\n    raw_store(p, i, 7) @b\n    j = add(i, 1)\n    \
         c: i1 = ne(j, n)\n    branch c, h(j), x\nx:\n    return\n}}\n"
    );
    let (count, text) = after(&PASS, &source);
    assert_eq!(count, 1, "{text}");
    assert!(text.contains("raw_fill(v0, 0, v1, 7) @b") || text.contains("= add("), "{text}");
}

#[test]
fn a_pointer_goes_to_another_one() {
    let source = format!(
        "{DECLARED}func f(p: i64, n: i64) {{\ne:\n    m = lshift(n, 1)\n    end = add(p, m)\n    jump h(p)\nh(i: i64):\n    \
         c: i1 = ne(i, end)\n    branch c, b, x\nb:\n    raw_store(i, 0, 7) @h\n    j = add(i, 2)\n    jump h(j)\nx:\n    return\n}}\n"
    );
    let (count, text) = after(&PASS, &source);
    assert!(count == 1 && text.contains("raw_fill(v0, 0, "), "{text}");
    assert_eq!(after(&PASS, &source.replace("lshift(n, 1)", "mul(n, 3)")).0, 0, "it may miss the end");
}

#[test]
fn a_loop_that_falls_begins_at_its_last_cell() {
    let (count, text) =
        in_loop("n", "ne(i, 0)", "    j = sub(i, 1)\n    a = lshift(j, 1)\n    raw_store(p, a, 7) @h\n");
    assert!(count == 1 && text.contains("raw_fill(v0, 0, v2, 7) @h"), "{text}");
}

#[test]
fn what_is_loaded_side_by_side_and_stored_side_by_side_is_copied() {
    let copy = |distance: &str, more: &str| {
        counting(&format!(
            "    a = lshift(i, 2)\n    s = add(p, {distance})\n    y: i32 = raw_load(p, a) @w\n{more}    raw_store(s, a, y) @w\n"
        ))
    };
    let (count, text) = copy("-4", "");
    assert!(count == 1 && text.contains("raw_copy(v"), "{text}");
    assert_eq!(copy("4", "").0, 0, "a later round loads what this one stores");
    assert_eq!(
        copy("-4", "    t: i32 = raw_load(p, a) @w\n    z = add(t, y)\n").0,
        0,
        "it is loaded once more"
    );
    assert_eq!(copy("-4", "    t: i32 = raw_load(q, a) @other\n").0, 1);
}

#[test]
fn a_copy_that_falls_may_store_behind_what_it_loads() {
    let copy = |distance: &str| {
        in_loop(
            "n",
            "ne(i, 0)",
            &format!(
                "    j = sub(i, 1)\n    s = add(p, {distance})\n    y: i8 = raw_load(p, j) @b\n    raw_store(s, j, y) @b\n"
            ),
        )
    };
    assert_eq!((copy("1").0, copy("-1").0), (1, 0));
}

#[test]
fn cells_apart_are_copied_in_any_order() {
    let copy = |rounds: &str| {
        in_loop(
            "0",
            &format!("ult(i, {rounds})"),
            "    y: i8 = raw_load(4096, i) @b\n    raw_store(4128, i, y) @b\n    j = add(i, 1)\n",
        )
    };
    assert_eq!((copy("32").0, copy("33").0, copy("n").0), (1, 0, 0));
}

#[test]
fn a_fill_in_each_round_is_one_fill() {
    let source = format!(
        "{DECLARED}func f(p: i64, n: i64) {{\ne:\n    jump o(0)\no(i: i64):\n    r = mul(i, 40)\n    s = add(p, r)\n    jump h(0)\n\
         h(k: i64):\n    a = lshift(k, 2)\n    raw_store(s, a, 5: i32) @w\n    k1 = add(k, 1)\n    c: i1 = ult(k1, 10)\n    \
         branch c, h(k1), l\nl:\n    j = add(i, 1)\n    d: i1 = ult(j, n)\n    branch d, o(j), x\nx:\n    return\n}}\n"
    );
    let (count, text) = after(&PASS, &source);
    assert!(
        count == 2 && text.matches("raw_fill(").count() == 1 && text.contains("raw_fill(v0, 0, "),
        "{text}"
    );
    assert_eq!(after(&PASS, &source.replace("mul(i, 40)", "mul(i, 44)")).0, 1, "rows with gaps are rows");
}

#[test]
fn what_is_no_fill_stays() {
    for body in [
        "    a = lshift(i, 3)\n    raw_store(p, a, v) @w\n",
        "    raw_store(p, i, v) @w\n",
        "    raw_store(p, i, 7) @any\n",
        "    y: i8 = trunc(i)\n    raw_store(p, i, y) @b\n",
        "    t: i32 = raw_load(q, 0) @w\n    raw_store(p, i, 7) @b\n",
        "    raw_store(p, i, 7) @b\n    raw_store(q, i, 7) @b\n",
        "    raw_store(p, i, 7) @b\n    guard_true(v)\n",
        "    raw_store(p, i, 7) @b\n    z = sdiv(n, i)\n",
        "    a = lshift(i, 3)\n    y = raw_load(q, a) @l\n    raw_store(p, a, y) @l\n",
        "    a = lshift(i, 3)\n    y: f64 = raw_load(p, a) @d\n    raw_store(p, a, y) @d\n",
        "    a = lshift(i, 2)\n    y: i32 = raw_load(p, a) @part\n    raw_store(p, a, y) @part\n",
    ] {
        let (count, text) = counting(body);
        assert_eq!(count, 0, "{body}{text}");
    }
    assert_eq!(
        in_loop("0", "ult(i, 8)", "    raw_store(p, i, 7) @b\n    j = add(i, 1)\n").0,
        0,
        "they are few"
    );
    assert_eq!(in_loop("0", "ult(i, 9)", "    raw_store(p, i, 7) @b\n    j = add(i, 1)\n").0, 1);
}
