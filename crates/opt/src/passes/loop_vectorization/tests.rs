use super::PASS;
use crate::passes::testing::{after, changed};
use planish_ir::text;
use planish_pass::Target;

const DECLARED: &str = "location @b: i8 class 1\nlocation @w: i32 class 1\nlocation @l: i64 class 1\nlocation @d: f64 class 1\n\
    location @part: i32 bits 24 class 1\nlocation @other: i32 class 2\nlocation @any: i32 raw\n";

/// A loop over `n` items of so many bytes, `i` being how far it is, with a sum that is returned.
fn over(size: u32, ty: &str, body: &str) -> String {
    let (header, shift) = ("func f(p: i64, q: i64, n: i64, v: ", size.trailing_zeros());
    format!(
        "{DECLARED}{header}{ty}) -> {ty} {{\ne:\n    jump h(0, v)\nh(k: i64, s: {ty}):\n    i = lshift(k, {shift})\n{body}    \
         j = add(k, 1)\n    c: i1 = ult(j, n)\n    branch c, h(j, t), x\nx:\n    return t\n}}\n"
    )
}

fn words(body: &str) -> (u64, String) {
    after(&PASS, &over(4, "i32", body))
}

#[test]
fn a_sum_of_items_is_a_sum_of_vectors() {
    let (count, text) = words("    x: i32 = raw_load(p, i) @w\n    t = add(s, x)\n");
    assert_eq!(count, 1, "{text}");
    for part in ["= vload(v0, ", "= vadd(", "= reduce_add(", "= splat(0: i32)"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(text.contains("raw_load(v0"), "what is left is done as before: {text}");
}

/// A second run finds the loop that does what is left, and leaves it alone.
#[test]
fn what_is_left_stays_a_loop_of_scalars() {
    let (_, once) = words("    x: i32 = raw_load(p, i) @w\n    t = add(s, x)\n");
    let (count, twice) = after(&PASS, &once);
    assert_eq!((count, twice), (0, once));
}

#[test]
fn a_sum_that_may_take_a_value_twice_begins_with_it() {
    let (count, text) = words("    x: i32 = raw_load(p, i) @w\n    t = max(s, x)\n");
    assert!(count == 1 && text.contains("= splat(v3)") && text.contains("= reduce_max("), "{text}");
}

#[test]
fn comparisons_count_and_choose() {
    let body = "    x: i32 = raw_load(p, i) @w\n    g: i1 = gt(x, 7)\n    z: i32 = zext(g)\n    y = select(g, x, 7)\n    \
                raw_store(p, i, y) @w\n    t = add(s, z)\n";
    let (count, text) = words(body);
    assert_eq!(count, 1, "{text}");
    for part in ["= vlt(", "= vselect(", "vstore("] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // What a round does not choose may be undefined there, and a vector would be so as a whole.
    assert_eq!(words(&body.replace("select(g, x, 7)", "select(g, x, v)")).0, 0);
    assert_eq!(words(&body.replace("gt(x, 7)", "gt(x, v)")).0, 0);
    assert_eq!(words(&body.replace("gt(x, 7)", "gt(x, v)").replace("select(g, x, 7)", "mul(x, z)")).0, 1);
}

#[test]
fn accesses_that_may_overlap_are_compared_in_front() {
    let copy = |from: &str, to: &str| {
        let body = format!(
            "    x: i32 = raw_load({from}) @w\n    y = xor(x, v)\n    raw_store({to}, y) @w\n    t = add(s, y)\n"
        );
        words(&body)
    };
    let (count, text) = copy("p, i", "q, i");
    assert!(count == 1 && text.matches("uge(").count() == 2, "{text}");
    let (count, text) = copy("p, i", "p, i");
    assert!(count == 1 && !text.contains("uge("), "{text}");
}

#[test]
fn the_order_of_lanes_is_that_of_rounds_or_nothing_is_done() {
    let apart = |load: i64, store: i64, first: bool| {
        let (l, m) = (format!("    a = add(p, {load})\n"), format!("    b = add(p, {store})\n"));
        let (load, store) = ("    x: i32 = raw_load(a, i) @w\n", "    raw_store(b, i, v) @w\n");
        let (one, other) = if first { (load, store) } else { (store, load) };
        words(&format!("{l}{m}{one}{other}    t = add(s, x)\n")).0
    };
    // A load and then a store: what a later round loads must not be stored by an earlier one of the same vector.
    assert_eq!([0, 4, 8, 12, 2].map(|store| apart(0, store, true)), [1, 0, 0, 0, 0]);
    assert_eq!([16, 20, -4, -2].map(|store| apart(0, store, true)), [1; 4]);
    // A store and then a load of what a later round stores.
    assert_eq!([4, 8, 12, 1].map(|load| apart(load, 0, false)), [0; 4]);
    assert_eq!([0, -4, 16].map(|load| apart(load, 0, false)), [1; 3]);
}

#[test]
fn other_memory_needs_no_question() {
    let (count, text) =
        words("    x: i32 = raw_load(q, i) @other\n    raw_store(p, i, x) @w\n    t = add(s, x)\n");
    assert!(count == 1 && !text.contains("uge("), "{text}");
}

#[test]
fn what_lanes_cannot_do_stays() {
    for (why, body) in [
        ("narrow items", "    x: i32 = raw_load(p, i) @part\n    t = add(s, x)\n"),
        ("memory that changes", "    x: i32 = raw_load(p, i) @any\n    t = add(s, x)\n"),
        ("divisions", "    x: i32 = raw_load(p, i) @w\n    d = udiv(x, 3)\n    t = add(s, d)\n"),
        ("another width", "    x: i8 = raw_load(p, i) @b\n    z: i32 = zext(x)\n    t = add(s, z)\n"),
        ("steps of two items", "    a = add(i, i)\n    x: i32 = raw_load(p, a) @w\n    t = add(s, x)\n"),
        ("one place", "    x: i32 = raw_load(p, 8) @w\n    t = add(s, x)\n"),
        (
            "a sum that is looked at",
            "    x: i32 = raw_load(p, i) @w\n    raw_store(q, i, s) @w\n    t = add(s, x)\n",
        ),
        ("no sum", "    x: i32 = raw_load(p, i) @w\n    t = sub(x, s)\n"),
        ("a counter as an item", "    x: i32 = trunc(i)\n    raw_store(p, i, x) @w\n    t = add(s, x)\n"),
        ("any shift", "    x: i32 = raw_load(p, i) @w\n    y = lshift(v, x)\n    t = add(s, y)\n"),
    ] {
        let (count, text) = words(body);
        assert_eq!(count, 0, "{why}: {text}");
    }
}

#[test]
fn floats_are_computed_in_lanes_and_not_summed_up() {
    let body = "    x: f64 = raw_load(p, i) @d\n    y = fmul(x, v)\n    raw_store(p, i, y) @d\n";
    let (count, text) = after(&PASS, &over(8, "f64", &format!("{body}    t = fmul(s, v)\n")));
    assert_eq!(count, 0, "a product of rounds: {text}");
    let source = format!(
        "{DECLARED}func f(p: i64, n: i64, v: f64) {{\ne:\n    jump h(0)\nh(k: i64):\n    i = lshift(k, 3)\n{body}    j = add(k, 1)\n    \
         c: i1 = ult(j, n)\n    branch c, h(j), x\nx:\n    return\n}}\n"
    );
    let (count, text) = after(&PASS, &source);
    assert!(count == 1 && text.contains("= vfmul("), "{text}");
}

#[test]
fn few_rounds_and_targets_without_vectors_stay() {
    let body = "    x: i32 = raw_load(p, i) @w\n    t = add(s, x)\n";
    let source = over(4, "i32", body);
    assert_eq!(changed(&PASS, &source, Target::STACK).0, 0);
    let items = |count: u32| after(&PASS, &source.replace("ult(j, n)", &format!("ult(j, {count})"))).0;
    assert_eq!([1, 8, 9, 100].map(items), [0, 0, 1, 1]);
}

/// The names of values that were in the loop stay, and so does all that is used behind it.
#[test]
fn what_is_used_behind_the_loop_is_there() {
    let source = over(4, "i32", "    x: i32 = raw_load(p, i) @w\n    t = add(s, x)\n")
        .replace("return t", "y = mul(x, t)\n    return y");
    let (count, module) = changed(&PASS, &source, Target::MACHINE);
    assert_eq!(count, 1, "{}", text::write(&module, text::Options::default()));
}
