use planish_ir::text;
use planish_ops::world::Cells;
use planish_pass::{Analyses, PassCx, Target, apply};

use super::PASS;
use crate::passes::testing::{self, rewritten};

/// The lines of the first block of a function of these lines behind the pass, which happened so often.
fn after(lines: &[&str]) -> (u64, String) {
    let declared = ["alloc", "free", "load", "store"].map(|name| format!("callee @{name}\n")).concat();
    let source = format!(
        "{declared}callee @move elidable reads () writes ()\ncallee @unknown\n\
         func f(v0: i64, v1: ref, v2: ref) -> i64 {{\na:\n    {}\n}}\n",
        lines.join("\n    ")
    );
    let (count, module) = rewritten(&source, |module, record| {
        let named = [
            ("alloc", Cells::Allocate),
            ("free", Cells::Free),
            ("load", Cells::Load),
            ("store", Cells::Store),
            ("move", Cells::Move),
        ];
        for (name, cells) in named {
            if let Some(descr) = module.descriptors.lookup(name) {
                module.descriptors.set_cells(descr, cells);
            }
        }
        for f in module.functions.values_mut() {
            let mut analyses = Analyses::new();
            apply(
                &PASS,
                f,
                PassCx::new(&PASS.info, &module.descriptors, record, Target::MACHINE, &mut analyses),
            );
        }
    });
    let text = text::write(&module, text::Options::default());
    let body = text.lines().filter(|line| line.starts_with("    ")).map(str::trim);
    (count, body.collect::<Vec<_>>().join("; "))
}

#[test]
fn a_load_is_what_was_stored_unless_something_else_may_have_been() {
    let store = "call(v1, v0) @store";
    let load = "v3: i64 = call(v1) @load";
    assert_eq!(after(&[store, load, "return v3"]), (1, format!("{store}; return v0")));
    let other = "call(v2, 7) @store";
    assert_eq!(after(&[store, other, load, "return v3"]).0, 0);
    let distance = ["v4: ref = call(v1, 1) @move", "call(v4, 7) @store"];
    assert_eq!(after(&[store, distance[0], distance[1], load, "return v3"]).0, 1);
    assert_eq!(after(&[store, "call() @unknown", load, "return v3"]).0, 0);
    assert_eq!(after(&[load, "call(v1, v3) @store", "return v3"]).0, 1);
}

#[test]
fn a_store_that_nothing_looks_at_is_not_made() {
    let (first, second) = ("call(v1, 1) @store", "call(v1, 2) @store");
    assert_eq!(after(&[first, second, "return v0"]), (1, format!("{second}; return v0")));
    let looks = "v3: i64 = call(v2) @load";
    assert_eq!(after(&[first, looks, second, "return v3"]).0, 0);
    assert_eq!(after(&[first, "call(v1) @free", "return v0"]).0, 1);
}

#[test]
fn an_allocation_that_goes_nowhere_is_values_or_nothing() {
    let lines = |size: &str| {
        [
            format!("v3: ref = call({size}) @alloc"),
            "v4: ref = call(v3, 1) @move".to_owned(),
            "call(v4, v0) @store".to_owned(),
            "v5: i64 = call(v4) @load".to_owned(),
            "call(v3) @free".to_owned(),
            "return v5".to_owned(),
        ]
    };
    let (small, large) = (lines("2"), lines("v0"));
    let as_lines = |lines: &[String; 6]| after(&lines.each_ref().map(String::as_str));
    let (count, text) = as_lines(&small);
    assert!(count == 1 && !text.contains("call"), "{text}");
    let (_, text) = as_lines(&large);
    assert!(text.contains("alloc") && !text.contains("load"), "{text}");
    let unread = ["v3: ref = call(v0) @alloc", "call(v3, v0) @store", "return v0"];
    assert_eq!(after(&unread), (1, "return v0".to_owned()));
    let given = ["v3: ref = call(1) @alloc", "call(v3) @unknown", "return v0"];
    assert_eq!(after(&given).0, 0);
}

/// What the pass makes of a function that has an object `p` with a field, in so many rewrites.
fn of_object(body: &str) -> (u64, String) {
    let declared = "class @C\nlocation @C.x: i64 class 1\nlocation @C.y: i64 class 1\nlocation @C.r: ref class 1\ncallee @unknown\n";
    let source = format!("{declared}func f(v0: i64, v1: ref) -> i64 {{\na:\n    v2 = new() @C\n{body}}}\n");
    let (count, text) = testing::after(&PASS, &source);
    (count, text[text.find("func").expect("a function")..].to_owned())
}

#[test]
fn an_object_that_an_arm_stores_into_is_its_field() {
    let (count, text) = of_object(
        "    branch v0, b, c\nb:\n    set_field(v2, v0) @C.x\n    jump c\nc:\n    v3 = get_field(v2) @C.x\n    return v3\n",
    );
    assert_eq!(count, 1);
    assert!(!text.contains("new") && text.contains("jump c(v0)") && text.contains("c(0)"), "{text}");
}

#[test]
fn an_object_stays_where_anything_else_may_know_it() {
    let load = "    v3 = get_field(v2) @C.x\n    return v3\n";
    assert_eq!(of_object(load).0, 1);
    for shows in [
        "call(v2) @unknown",
        "set_field(v1, v2) @C.r",
        "guard_true(v0) else leave 3(v2)",
        "set_item(v2, -1, v0) @C.x",
        "set_field(v2, v0) @C.y",
    ] {
        assert_eq!(of_object(&format!("    {shows}\n{load}")).0, 0, "{shows}");
    }
    let meets_another =
        "    branch v0, b(v2), b(v1)\nb(v4: ref):\n    v3 = get_field(v4) @C.x\n    return v3\n";
    assert_eq!(of_object(meets_another).0, 0);
}

#[test]
fn an_object_that_has_two_names_is_stored_to_by_both() {
    let round = |store: &str| {
        format!(
            "    set_field(v2, 5) @C.x\n    jump b(v0, v2)\nb(v3: i64, v4: ref):\n    {store}\n    \
             v5 = get_field(v2) @C.x\n    v6 = get_field(v4) @C.x\n    v7 = sub(v3, v5)\n    \
             branch v7, b(v7, v4), c\nc:\n    return v6\n"
        )
    };
    for store in ["nop = add(v3, 1)", "set_field(v4, v3) @C.x", "nop: i1 = ref_eq(v2, v4)"] {
        let (count, text) = of_object(&round(store));
        assert!(count == 1 && !text.contains("new"), "{store}: {text}");
    }
}

#[test]
fn an_object_stays_where_another_of_its_allocation_lives_under_two_names() {
    // The first parameter may be the object of the second, into which the next one would move.
    let (count, _) = of_object(
        "    jump b(v0, v2, v2)\nb(v3: i64, v4: ref, v5: ref):\n    v6 = new() @C\n    \
         set_field(v4, v3) @C.x\n    v7 = get_field(v5) @C.x\n    v8 = sub(v3, v7)\n    \
         branch v8, d, e\nd:\n    v9: ref = select(v7, v4, v5)\n    jump b(v8, v9, v5)\n\
         e:\n    branch v3, b(v8, v4, v6), c\nc:\n    return v7\n",
    );
    assert_eq!(count, 0);
}

#[test]
fn a_name_that_may_be_null_says_so() {
    let round = |first: &str, asked: &str| {
        format!(
            "    jump b(v0, {first})\nb(v3: i64, v4: ref):\n    {asked}\nd(v6: i64):\n    v7 = new() @C\n    \
             set_field(v7, v3) @C.x\n    v8 = sub(v3, 1)\n    branch v8, b(v8, v7), c(v6)\n\
             c(v9: i64):\n    return v9\n"
        )
    };
    let tested =
        "v5: i1 = is_nonnull(v4)\n    branch v5, e, d(0)\ne:\n    v10 = get_field(v4) @C.x\n    jump d(v10)";
    let (count, text) = of_object(&round("null", tested));
    assert!(count == 2 && !text.contains("v4: ref") && !text.contains("new"), "{text}");
    // What leaves at null goes on leaving.
    let untested = "v10 = get_field(v4) @C.x\n    jump d(v10)";
    let (_, text) = of_object(&round("null", untested));
    assert!(text.contains("null_check(null)") && !text.contains("new"), "{text}");
    let (_, text) = of_object(&round("v2", untested));
    assert!(!text.contains("null") && !text.contains("new"), "{text}");
}

#[test]
fn a_choice_of_objects_is_one_of_fields() {
    let chosen = |one: &str, other: &str| {
        of_object(&format!(
            "    v3 = new() @C\n    set_field(v2, 3) @C.x\n    v4 = and(v0, 1)\n    v5: ref = select(v4, {one}, {other})\n    \
             set_field(v5, v0) @C.x\n    v6 = get_field(v2) @C.x\n    v7 = get_field(v3) @C.x\n    \
             v8 = sub(v6, v7)\n    return v8\n"
        ))
    };
    let (count, text) = chosen("v2", "v3");
    assert!(count == 1 && !text.contains("new") && text.matches("select").count() == 3, "{text}");
    let (_, text) = chosen("v2", "null");
    assert!(!text.contains("new") && text.contains("null_check(null)"), "{text}");
    // Nobody knows what else v1 is.
    assert!(chosen("v2", "v1").1.contains("v2 = new"));
}
