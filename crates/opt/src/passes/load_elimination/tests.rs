//! What goes of loads and stores, and what stays.

use planish_ir::text;
use planish_pass::Target;

use super::PASS;
use crate::passes::testing::changed;

const WORLD: &str = "location @f: i64 class 1\nlocation @g: i64 class 2\nlocation @b: i32 bits 8 signed class 3\n\
    location @fixed: i64 immutable class 4\nlocation @items: i64 class 5\nlocation @p: ref class 6\n\
    callee @any raises reads * writes *\ncallee @writes_g raises reads () writes (2)\nclass @c\n";

/// How often the pass rewrites a function, and how many loads and stores it leaves, on a stack machine.
fn left(body: &str) -> (u64, usize, usize) {
    left_on(Target::STACK, body)
}

fn left_on(target: Target<'_>, body: &str) -> (u64, usize, usize) {
    let source = format!("{WORLD}func f(v0: ref, v1: ref, v2: i64) -> i64 {{\n{body}}}\n");
    let (count, module) = changed(&PASS, &source, target);
    let text = text::write(&module, text::Options::default());
    let ops = |op: &str| {
        text.matches(&format!("= get_{op}(")).count() + text.matches(&format!(" set_{op}(")).count()
    };
    let loads = text.matches("= get_").count();
    (count, loads, ops("field") + ops("item") - loads)
}

#[test]
fn where_values_are_in_registers_a_second_load_is_never_worth_it() {
    let body =
        "a:\n    v3 = get_field(v0) @f\n    v4 = get_field(v0) @f\n    v5 = add(v3, v4)\n    return v5\n";
    assert_eq!((left_on(Target::MACHINE, body).1, left(body).1), (1, 2));
}

#[test]
fn bytes_that_are_read_with_a_sign_are_not_those_without() {
    let world = "location @s: i32 bits 8 signed class 1\nlocation @u: i32 bits 8 class 1\n";
    let left = |first: &str| {
        let source = format!(
            "{world}func f(p: i64, x: i32) -> i32 {{\na:\n{first}    w: i32 = raw_load(p, 4) @u\n    \
             y = sub(v, w)\n    return y\n}}\n"
        );
        let (count, _) = changed(&PASS, &source, Target::MACHINE);
        count
    };
    assert_eq!(left("    v: i32 = raw_load(p, 4) @u\n"), 1);
    assert_eq!(left("    v: i32 = raw_load(p, 4) @s\n"), 0);
    assert_eq!(left("    raw_store(p, 4, 255: i32) @u\n    v = neg(x)\n"), 1);
    assert_eq!(left("    raw_store(p, 4, -1: i32) @s\n    v = neg(x)\n"), 0);
    assert_eq!(left("    raw_store(p, 4, 7: i32) @s\n    raw_store(p, 4, 7: i32) @u\n    v = neg(x)\n"), 2);
}

#[test]
fn what_was_stored_is_loaded_in_every_arm() {
    let body = "e:\n    set_field(v0, v2) @f\n    branch v2, a, b\na:\n    v3 = get_field(v0) @f\n    return v3\n\
        b:\n    v4 = get_field(v0) @f\n    jump c\nc:\n    return v4\n";
    assert_eq!(left(body), (2, 0, 1));
}

#[test]
fn a_value_that_must_be_kept_is_worth_two_loads() {
    let loads = |count: usize| {
        let mut body = "e:\n    v10 = get_field(v0) @f\n    v20 = add(v10, 1)\n".to_owned();
        for n in 1..=count {
            body += &format!(
                "    v{} = get_field(v0) @f\n    v{} = mul(v{}, v{})\n",
                n + 10,
                n + 20,
                n + 19,
                n + 10
            );
        }
        left(&(body + &format!("    return v{}\n", count + 20)))
    };
    assert_eq!((loads(1).0, loads(2).0, loads(3).0), (0, 2, 3));
}

#[test]
fn a_chain_of_loads_goes_as_one() {
    let body = "e:\n    v3: ref = get_field(v0) @p\n    v4 = get_field(v3) @f\n    v5: ref = get_field(v0) @p\n    \
        v6 = get_field(v5) @f\n    v7 = add(v4, v6)\n    return v7\n";
    assert_eq!(left(body), (2, 2, 0));
}

#[test]
fn ways_that_differ_know_only_what_they_share() {
    let body = "e:\n    branch v2, a, b\na:\n    set_field(v0, v2) @f\n    set_field(v0, v2) @g\n    jump c\n\
        b:\n    set_field(v0, v2) @f\n    set_field(v0, 1) @g\n    jump c\n\
        c:\n    v3 = get_field(v0) @f\n    v4 = get_field(v0) @g\n    v5 = add(v3, v4)\n    return v5\n";
    assert_eq!(left(body), (1, 1, 4));
}

#[test]
fn other_objects_and_calls_that_write_make_places_unknown() {
    let body = |between: &str| {
        left(&format!(
            "e:\n    set_field(v0, v2) @f\n    {between}\n    v4 = get_field(v0) @f\n    return v4\n"
        ))
        .0
    };
    assert_eq!(body("set_field(v1, 1) @g"), 1);
    assert_eq!(body("call() @writes_g"), 1);
    assert_eq!(body("call() @any"), 0);
    assert_eq!(body("set_field(v1, 1) @f"), 0, "the objects may be one");
}

#[test]
fn what_never_changes_is_known_behind_calls_and_in_loops() {
    let body = |field: &str| {
        format!(
            "e:\n    v3 = get_field(v0) @{field}\n    call(v3) @any\n    call(v3) @any\n    jump l(0)\nl(v4: i64):\n    \
             v5 = get_field(v0) @{field}\n    v6 = add(v4, v5)\n    call(v3) @any\n    branch v6, l(v6), o\no:\n    return v6\n"
        )
    };
    assert_eq!(left(&body("fixed")), (1, 1, 0));
    assert_eq!(left(&body("f")), (0, 2, 0));
    let stores = body("fixed").replace("e:\n", "e:\n    set_field(v0, v2) @fixed\n");
    assert_eq!(left(&stores), (1, 1, 1), "it is not fixed yet, but known");
}

#[test]
fn a_loop_looks_again_at_what_others_may_change() {
    let body = "e:\n    v3 = get_field(v0) @f\n    v4 = add(v3, v3)\n    jump l\nl:\n    v5 = get_field(v0) @f\n    \
        branch v5, l, o\no:\n    return v4\n";
    assert_eq!(left(body), (0, 2, 0));
}

#[test]
fn a_store_goes_that_is_overwritten_unless_somebody_may_look() {
    let body = |first: &str, between: &str| {
        left(&format!(
            "e:\n    {first}\n    set_field(v0, v2) @f\n    {between}\n    set_field(v0, 7) @f\n    return v2\n"
        ))
    };
    let known = "v9 = get_field(v0) @g";
    assert_eq!(body(known, "v4 = add(v2, 1)").2, 1);
    assert_eq!(
        body("v9 = add(v2, 1)", "v4 = add(v2, 1)").2,
        2,
        "the object may be null: that is told where it was"
    );
    assert_eq!(body(known, "v4 = get_field(v1) @f").2, 2, "it may be read, or the read may leave");
    assert_eq!(body(known, "set_field(v1, v2) @g").2, 3, "this may leave");
    assert_eq!(body(known, "call() @writes_g").2, 2);
}

#[test]
fn of_two_stores_in_a_row_one_is_left_even_if_the_object_is_null() {
    let body = |between: &str| {
        let body =
            format!("e:\n    set_field(v0, v2) @f\n    {between}\n    set_field(v0, 7) @f\n    return v2\n");
        left_on(Target::MACHINE, &body).2
    };
    assert_eq!(body("v4 = add(v2, 1)"), 1);
    assert_eq!(body("v4 = get_field(v1) @g"), 2, "this may leave");
    assert_eq!(body("set_field(v1, v2) @g"), 3, "this is seen where the first one would have left");
    let known = "e:\n    v9 = get_field(v1) @g\n    set_field(v0, v2) @f\n    set_field(v1, v2) @g\n    set_field(v0, 7) @f\n    \
        return v2\n";
    assert_eq!(left_on(Target::MACHINE, known).2, 3, "and so is this, which does not");
}

#[test]
fn what_a_store_that_goes_told_of_the_object_is_not_known() {
    let body = |first: &str, last: &str| {
        let store = "set_field(v0, v2) @f\n    set_field(v0, 3) @f\n    set_field(v0, 7) @f";
        left_on(Target::MACHINE, &format!("e:\n    {first}\n    {store}{last}\n    return v2\n")).2
    };
    assert_eq!(body("v9 = add(v2, 1)", ""), 1);
    assert_eq!(body("v9 = add(v2, 1)", " else leave 3"), 2, "the first two would leave elsewhere");
    assert_eq!(body("v9 = get_field(v0) @g", " else leave 3"), 1);
}

#[test]
fn a_store_of_what_is_there_goes() {
    let body = "e:\n    v3 = get_field(v0) @f\n    set_field(v0, v3) @f\n    return v3\n";
    assert_eq!(left(body), (1, 1, 0));
}

#[test]
fn narrow_places_keep_only_what_fits() {
    let body = |value: &str| {
        format!(
            "e:\n    v3: i32 = trunc(v2)\n    set_field(v0, {value}) @b\n    v4: i32 = get_field(v0) @b\n    \
            v5: i64 = sext(v4)\n    v8: i64 = sext(v3)\n    v9 = add(v5, v8)\n    return v9\n"
        )
    };
    assert_eq!(left(&body("-128: i32")).0, 1);
    assert_eq!(left(&body("128: i32")).0, 0);
    assert_eq!(left(&body("v3")).0, 0);
    let narrowed = body("v7")
        .replace("sext(v3)", "sext(v7)")
        .replace("    set_field", "    v6: i8 = trunc(v3)\n    v7: i32 = sext(v6)\n    set_field");
    assert_eq!(left(&narrowed).0, 1);
}

#[test]
fn items_at_constants_are_apart_and_others_are_not() {
    let body = |index: &str| {
        left(&format!(
            "e:\n    set_item(v0, 1, v2) @items\n    set_item(v1, {index}, 5) @items\n    \
             v4 = get_item(v0, 1) @items\n    return v4\n"
        ))
        .0
    };
    assert_eq!((body("2"), body("1"), body("v2")), (1, 0, 0));
    assert_eq!((body("2: i5"), body("1: i5")), (1, 0), "one index may have two widths");
}

/// The same on a machine, of memory outside of the heap: how many loads and stores are left.
fn raw(body: &str) -> (usize, usize) {
    let source = format!(
        "location @i: i32 class 1\nlocation @b: i8 class 1\nlocation @l: i64 class 1\nlocation @o: i32 class 2\n\
         location @volatile: i32 raw class 1\ncallee @any\ncallee @writes_o reads () writes (2)\n\
         func f(v0: i64, v1: i64, v2: i32, v3: i32) -> i32 {{\ne:\n{body}}}\n"
    );
    let (_, module) = changed(&PASS, &source, Target::MACHINE);
    let text = text::write(&module, text::Options::default());
    (text.matches("raw_load(").count(), text.matches("raw_store(").count())
}

#[test]
fn bytes_that_were_stored_are_loaded() {
    let body = |between: &str| {
        raw(&format!(
            "    v8 = add(v1, 4)\n    v7 = add(v1, 6)\n    raw_store(v0, v8, v2) @i\n    {between}\n    \
             v9: i32 = raw_load(v0, v8) @i\n    return v9\n"
        ))
    };
    assert_eq!(body(""), (0, 1));
    assert_eq!(body("raw_store(v0, v1, v3) @i"), (0, 2), "four bytes in front");
    assert_eq!(body("raw_store(v0, v1, 3: i64) @l"), (1, 2), "eight bytes reach over");
    assert_eq!(body("raw_store(v0, v7, 1: i8) @b"), (1, 2), "one byte of it");
    assert_eq!(
        body("raw_store(v1, v8, v3) @i"),
        (1, 2),
        "the base is another one, the address may be the same"
    );
    assert_eq!(body("raw_store(v1, v8, v3) @o"), (0, 2), "of another class");
    assert_eq!(body("raw_store(v0, 4, v3) @volatile"), (1, 2));
    assert_eq!(body("call() @writes_o"), (0, 1));
    assert_eq!(body("call() @any"), (1, 1));
}

#[test]
fn bytes_are_read_as_what_they_were_stored_as() {
    let body = "    raw_store(v0, 0, v2) @i\n    v4: i8 = raw_load(v0, 0) @b\n    v5: i32 = sext(v4)\n    return v5\n";
    assert_eq!(raw(body), (1, 1));
    let volatile = "    v4: i32 = raw_load(v0, 0) @volatile\n    v5: i32 = raw_load(v0, 0) @volatile\n    v6 = add(v4, v5)\n    return v6\n";
    assert_eq!(raw(volatile), (2, 0), "it may change behind our back");
    assert_eq!(raw(&volatile.replace("@volatile", "@i")), (1, 0));
}

#[test]
fn bytes_that_are_overwritten_before_anybody_looks_are_not_stored() {
    let body = |between: &str| {
        raw(&format!(
            "    raw_store(v0, 8, v2) @i\n    {between}\n    raw_store(v0, 8, v3) @i\n    return v2\n"
        ))
    };
    assert_eq!(body("v9 = add(v2, 1)").1, 1);
    assert_eq!(body("raw_store(v0, 12, v3) @i").1, 2, "another place");
    assert_eq!(body("v9: i32 = raw_load(v0, 12) @i").1, 1);
    assert_eq!(body("v9: i32 = raw_load(v1, 12) @i").1, 2, "it may be this one");
    assert_eq!(body("call() @any").1, 2);
    let between = "    raw_store(v0, 8, v2) @i\n    v9: i32 = raw_load(v0, 8) @i\n    v8 = add(v9, v3)\n    \
                   raw_store(v0, 8, v8) @i\n    return v2\n";
    assert_eq!(raw(between), (0, 1), "a load that goes sees nothing");
    let wider = "    raw_store(v0, 8, 1: i64) @l\n    raw_store(v0, 8, v3) @i\n    return v2\n";
    assert_eq!(raw(wider).1, 2, "half of it stays");
}

#[test]
fn an_item_that_was_not_checked_may_still_not_be_there() {
    let body = |first: &str, second: &str| {
        left(&format!(
            "e:\n    v3 = get_item(v0, v2) @items{first}\n    v4 = mul(v3, v3)\n    v5 = mul(v4, v3)\n    \
             v6 = get_item(v0, v2) @items{second}\n    v7 = mul(v5, v6)\n    return v7\n\
             h(v8: ref):\n    return 1\n"
        ))
        .0
    };
    let exit = " else to() [*: h]";
    assert_eq!((body(exit, exit), body(exit, ""), body("", exit)), (1, 1, 0));
}

#[test]
fn a_handler_knows_nothing() {
    let body = "e:\n    set_field(v0, v2) @f\n    call() @any else to() [*: h]\n    return v2\n\
        h(v5: ref):\n    v6 = get_field(v0) @f\n    return v6\n";
    assert_eq!(left(body), (0, 1, 1));
}
