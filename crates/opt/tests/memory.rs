//! Memory along a straight line, through `.ssa` text of traces.

use planish_ir::{Form, text, verify};
use planish_ops::world::Fresh;
use planish_opt::{Optimizer, Options, Pipeline, Record};

const DECLARED: &str = "\
location @value: i64 signed class 1
location @next: ref class 2
location @item: i64 signed class 3
location @fixed: i64 signed immutable class 4
location @quasi: i64 signed quasi class 5
class @node
class @array
callee @any forces raises invalidates reads * writes *
callee @writes_next reads () writes (2)
callee @reads_value reads (1) writes ()
callee @pure elidable raises reads () writes ()
";

/// The body of a trace behind the pipeline, declarations and header apart.
fn optimized(params: &str, results: &str, body: &str, passes: &str) -> String {
    let lines: String = body.lines().map(|line| format!("    {}\n", line.trim())).collect();
    let arrow = if results.is_empty() { String::new() } else { format!(" -> {results}") };
    let source = format!("{DECLARED}\nfunc t({params}){arrow} {{\nentry:\n{lines}}}\n");
    let (mut module, diagnostics) = text::read(&source);
    assert!(diagnostics.is_empty(), "{diagnostics:?}\n{source}");
    for name in ["node", "array"] {
        let descr = module.descriptors.lookup(name).unwrap();
        module.descriptors.set_fresh(descr, Fresh { class: None, cleared: true });
    }
    let planish_ir::Module { functions, descriptors, .. } = &mut module;
    let pipeline = Pipeline::parse(passes, Form::Trace).unwrap();
    for function in functions.values_mut() {
        let options = Options::QUIET;
        Optimizer::new().run(&pipeline, function, descriptors, &mut Record::new(), options, &mut ());
    }
    assert_eq!(verify::verify_module(&module, Form::Trace), Vec::<String>::new());
    let written = text::write(&module, text::Options::default());
    let (_, body) = written.split_once("entry:\n").unwrap();
    body.trim_end_matches("}\n").lines().map(|line| format!("{}\n", line.trim())).collect()
}

#[track_caller]
fn becomes(params: &str, results: &str, body: &str, expected: &str) {
    assert_eq!(optimized(params, results, body, Pipeline::TRACE), expected);
}

#[test]
fn a_load_finds_the_store_and_the_load_before_it() {
    becomes(
        "v0: ref, v1: i64",
        "i64, i64, i64",
        "set_field(v0, v1) @value\nv2 = get_field(v0) @value\nv3: i64 = get_field(v0) @fixed\nv4: i64 = get_field(v0) @fixed\nreturn v2, v3, v4",
        "v2 = get_field(v0) @fixed\nset_field(v0, v1) @value\nreturn v1, v2, v2\n",
    );
}

/// A load that may leave stays although its value is known; it reads what was stored, so the store comes first.
#[test]
fn a_load_that_stays_does_not_pass_a_store_to_the_same_object() {
    becomes(
        "v0: ref, v1: i64",
        "i64",
        "set_field(v0, v1) @value\nv2 = get_field(v0) @value else leave 1\nreturn v2",
        "set_field(v0, v1) @value\nv2 = get_field(v0) @value else leave 1\nreturn v2\n",
    );
    // Nor one that could wait because what it stores could be made on the way out.
    becomes(
        "v0: ref",
        "",
        "v1 = new() @node\nset_field(v0, v1) @next\nv2: ref = get_field(v0) @next else leave 6\n\
         set_field(v2, 7) @value\nreturn",
        "v1 = new() @node\nset_field(v0, v1) @next\nv2: ref = get_field(v0) @next else leave 6\n\
         set_field(v2, 7) @value\nreturn\n",
    );
}

#[test]
fn a_store_is_overwritten_before_anything_looks() {
    becomes(
        "v0: ref, v1: i64, v2: i64",
        "",
        "set_field(v0, v1) @value\nset_field(v0, v2) @value\nreturn",
        "set_field(v0, v2) @value\nreturn\n",
    );
}

#[test]
fn a_store_of_what_is_there_goes() {
    becomes(
        "v0: ref",
        "",
        "v1 = get_field(v0) @value\nset_field(v0, 7) @value\nset_field(v0, v1) @value\nreturn",
        "return\n",
    );
}

/// Another object of the same class of locations may be the same object.
#[test]
fn a_store_to_another_object_may_be_to_this_one() {
    becomes(
        "v0: ref, v1: ref, v2: i64",
        "i64, i64",
        "v3 = get_field(v0) @value\nset_field(v1, v2) @value\nv4 = get_field(v0) @value\nreturn v3, v4",
        "v3 = get_field(v0) @value\nset_field(v1, v2) @value\nv4 = get_field(v0) @value\nreturn v3, v4\n",
    );
    // A different location never is.
    becomes(
        "v0: ref, v1: ref",
        "i64, i64",
        "v3 = get_field(v0) @value\nset_field(v1, v0) @next\nv4 = get_field(v0) @value\nreturn v3, v4",
        "v2 = get_field(v0) @value\nset_field(v1, v0) @next\nreturn v2, v2\n",
    );
}

#[test]
fn guards_see_the_stores_before_them() {
    becomes(
        "v0: ref, v1: i64, v2: i64",
        "",
        "set_field(v0, v1) @value\nguard_true(v2) else leave 0 (v0)\nset_field(v0, v2) @value\nreturn",
        "set_field(v0, v1) @value\nguard_true(v2) else leave 0(v0)\nset_field(v0, v2) @value\nreturn\n",
    );
}

/// S4.15
#[test]
fn a_call_reads_and_writes_what_its_descriptor_says() {
    becomes(
        "v0: ref, v1: i64",
        "i64, ref",
        "set_field(v0, v1) @value\nv2: ref = get_field(v0) @next\ncall() @writes_next\nv3 = get_field(v0) @value\nv4: ref = get_field(v0) @next\nset_field(v0, 9) @value\nreturn v3, v4",
        "call() @writes_next\nv2: ref = get_field(v0) @next\nset_field(v0, 9) @value\nreturn v1, v2\n",
    );
    becomes(
        "v0: ref, v1: i64",
        "i64",
        "set_field(v0, v1) @value\ncall() @reads_value\nv2 = get_field(v0) @value\nreturn v2",
        "set_field(v0, v1) @value\ncall() @reads_value\nreturn v1\n",
    );
    becomes(
        "v0: ref, v1: i64",
        "i64",
        "set_field(v0, v1) @value\ncall() @any\nv2 = get_field(v0) @value\nreturn v2",
        "set_field(v0, v1) @value\ncall() @any\nv2 = get_field(v0) @value\nreturn v2\n",
    );
}

#[test]
fn an_object_that_nothing_needs_is_never_made() {
    becomes(
        "v0: i64",
        "i64, i64, ref",
        "v1 = new() @node\nset_field(v1, v0) @value\nv2 = new() @node\nset_field(v1, v2) @next\nv3: ref = get_field(v1) @next\nv4: i64 = ref_eq(v3, v2)\nv5 = get_field(v1) @value\nv6: ref = get_field(v2) @next\nguard_nonnull(v3) else leave 0\nreturn v4, v5, v6",
        "return 1, v0, null\n",
    );
}

/// Objects that hold each other are made once each.
#[test]
fn an_object_is_made_where_it_is_needed() {
    becomes(
        "v0: i64",
        "",
        "v1 = new() @node\nv2 = new() @node\nset_field(v1, v2) @next\nset_field(v2, v1) @next\nset_field(v1, v0) @value\nset_field(v2, 0) @value\ncall(v1) @any\nreturn",
        "v1 = new() @node\nv2 = new() @node\nset_field(v1, v0) @value\nset_field(v1, v2) @next\nset_field(v2, v1) @next\nset_field(v2, 0) @value\ncall(v1) @any\nreturn\n",
    );
}

#[test]
fn arrays_are_kept_back_and_their_bounds_respected() {
    becomes(
        "v0: i64",
        "i64, i64, i64",
        "v1 = new_array(3) @array\nset_item(v1, 1, v0) @item\nv2 = get_item(v1, 1) @item\nv3 = get_item(v1, 2) @item\nv4: i64 = array_len(v1) @array\nreturn v2, v3, v4",
        "return v0, 0, 3\n",
    );
    // An index that is not known needs the array.
    becomes(
        "v0: i64",
        "i64",
        "v1 = new_array(3) @array\nset_item(v1, 1, v0) @item\nv2 = get_item(v1, v0) @item\nreturn v2",
        "v1 = new_array(3) @array\nset_item(v1, 1, v0) @item\nv2 = get_item(v1, v0) @item\nreturn v2\n",
    );
}

#[test]
fn items_at_unknown_indices_may_be_any_item() {
    becomes(
        "v0: ref, v1: i64, v2: i64",
        "i64, i64, i64",
        "v3 = get_item(v0, 0) @item\nset_item(v0, v1, v2) @item\nv4 = get_item(v0, v1) @item\nv5 = get_item(v0, 0) @item\nreturn v3, v4, v5",
        "v3 = get_item(v0, 0) @item\nset_item(v0, v1, v2) @item\nv4 = get_item(v0, 0) @item\nreturn v3, v2, v4\n",
    );
}

#[test]
fn a_guard_names_the_objects_that_the_other_side_needs() {
    becomes(
        "v0: i64",
        "",
        "v1 = new() @node\nset_field(v1, v0) @value\nguard_true(v0) else leave 0 (v1)\nreturn",
        "guard_true(v0) else leave 0(v0) with [made0 = new() @node, set_field(made0, arg0) @value] as (made0)\nreturn\n",
    );
}

/// A store of an object that is not made waits across a guard, which makes both.
#[test]
fn a_store_of_an_object_that_is_not_made_is_done_on_the_exit() {
    becomes(
        "v0: i64, v1: ref",
        "",
        "v2 = new() @node\nset_field(v2, v0) @value\nset_field(v1, v2) @next\nguard_true(v0) else leave 0 (v0)\nset_field(v1, null) @next\nreturn",
        "guard_true(v0) else leave 0(v0, v1) with [made0 = new() @node, set_field(arg1, made0) @next, set_field(made0, arg0) @value] as (arg0)\nset_field(v1, null) @next\nreturn\n",
    );
}

/// Objects on an exit may refer to each other, and one that is named twice is one.
#[test]
fn objects_that_lead_in_circles_are_made_on_the_exit() {
    becomes(
        "v0: i64",
        "",
        "v1 = new() @node\nv2 = new() @node\nset_field(v1, v2) @next\nset_field(v2, v1) @next\nguard_true(v0) else leave 0 (v1, v2, v1)\nreturn",
        "guard_true(v0) else leave 0 with [made0 = new() @node, made1 = new() @node, set_field(made1, made0) @next, set_field(made0, made1) @next] as (made0, made1, made0)\nreturn\n",
    );
}

/// An exit that makes something already makes what its arguments are made of as well.
#[test]
fn a_recipe_is_built_upon() {
    becomes(
        "v0: i64",
        "",
        "v1 = new() @node\nset_field(v1, v0) @value\nguard_true(v0) else leave 0 (v1) with [made0 = new() @node, set_field(made0, arg0) @next] as (made0, arg0)\nreturn",
        "guard_true(v0) else leave 0(v0) with [made0 = new() @node, set_field(made0, arg0) @value, made2 = new() @node, set_field(made2, made0) @next] as (made2, made0)\nreturn\n",
    );
}

/// A quasi-immutable field is known behind a call only when a guard has looked.
#[test]
fn quasi_immutable_fields_are_known_behind_the_guard_that_says_so() {
    becomes(
        "v0: ref",
        "i64, i64, i64",
        "v1 = get_field(v0) @quasi\nguard_not_invalidated() else leave 0\ncall() @any\nv2 = get_field(v0) @quasi\nguard_not_invalidated() else leave 1\nguard_not_invalidated() else leave 2\nv3 = get_field(v0) @quasi\nreturn v1, v2, v3",
        "v1 = get_field(v0) @quasi\nguard_not_invalidated() else leave 0\ncall() @any\nv2 = get_field(v0) @quasi\nguard_not_invalidated() else leave 1\nreturn v1, v2, v2\n",
    );
}

/// S4.15: what only computes is done once; a load is done again where memory may have changed.
#[test]
fn what_computes_is_done_once_and_what_loads_again() {
    becomes(
        "v0: ref, v1: i64",
        "i64, i64, i64, i64",
        "v2 = mul(v1, v1)\nv3 = get_field(v0) @value\ncall() @any\nv4 = mul(v1, v1)\nv5 = get_field(v0) @value\nreturn v2, v3, v4, v5",
        "v2 = mul(v1, v1)\nv3 = get_field(v0) @value\ncall() @any\nv4 = get_field(v0) @value\nreturn v2, v3, v2, v4\n",
    );
}

/// S4.16: a call that is marked as computing only is made once, and the guard about one that is not made goes with it.
#[test]
fn an_equal_elidable_call_is_made_once() {
    becomes(
        "v0: i64",
        "i64, i64",
        "v1: i64 = call(v0) @pure\nguard_no_exception() else leave 0\nv2: i64 = call(v0) @pure\nguard_no_exception() else leave 1\nreturn v1, v2",
        "v1: i64 = call(v0) @pure\nguard_no_exception() else leave 0\nreturn v1, v1\n",
    );
}

/// Each part of the stage can be asked for alone.
/// S4.8
#[test]
fn the_parts_have_names_in_pipelines() {
    let body = "v1 = new() @node\nset_field(v1, v0) @value\nset_field(v1, 3) @value\nv2 = get_field(v1) @value\nreturn v2";
    assert_eq!(optimized("v0: i64", "i64", body, "virtualize"), "return 3\n");
    assert_eq!(
        optimized("v0: i64", "i64", body, "heap"),
        "v1 = new() @node\nset_field(v1, 3) @value\nreturn 3\n"
    );
}

/// A later guard on the same reference makes the earlier one stronger, at its place and with its exit.
#[test]
fn guards_on_one_reference_become_one() {
    becomes(
        "v0: ref, v1: i64",
        "",
        "guard_nonnull(v0) else leave 0(v1)\nguard_class(v0, 77) else leave 1\nguard_nonnull(v0) else leave 2\nguard_class(v0, 77) else leave 3\nreturn",
        "guard_nonnull_class(v0, 77) else leave 0(v1)\nreturn\n",
    );
    becomes(
        "v0: ref",
        "ref",
        "guard_nonnull(v0) else leave 0\nguard_value(v0, &x: ref) else leave 1\nreturn v0",
        "guard_value(v0, &x) else leave 0\nreturn &x\n",
    );
}

/// Two names may be of one object, so a guard on a constant teaches nothing about it; asked once is enough all the same.
#[test]
fn a_guard_on_a_constant_is_not_repeated() {
    let twice = "guard_value(&x: ref, &y: ref) else leave 0\nguard_value(&x: ref, &y: ref) else leave 1\n\
                 guard_class(&x: ref, 77) else leave 2\nguard_class(&x: ref, 77) else leave 3\nreturn";
    let after = optimized("v0: ref", "", twice, Pipeline::TRACE);
    let leaves: Vec<bool> = (0..4).map(|exit| after.contains(&format!("leave {exit}"))).collect();
    assert_eq!(leaves, [true, false, true, false], "{after}");
}

/// An access would be undefined on null.
#[test]
fn an_access_says_that_its_object_is_there() {
    becomes(
        "v0: ref",
        "i64, i64",
        "v1 = get_field(v0) @value\nguard_nonnull(v0) else leave 0\nguard_nonnull_class(v0, 77) else leave 1\nv2: i64 = ref_eq(v0, null)\nreturn v1, v2",
        "v1 = get_field(v0) @value\nguard_class(v0, 77) else leave 1\nreturn v1, 0\n",
    );
}

/// Addresses that are numbers tell classes apart, symbols do not.
#[test]
fn objects_of_different_classes_are_different() {
    becomes(
        "v0: ref, v1: ref",
        "i64",
        "guard_class(v0, 77) else leave 0\nguard_class(v1, 78) else leave 1\nv2: i64 = ref_eq(v0, v1)\nreturn v2",
        "guard_class(v0, 77) else leave 0\nguard_class(v1, 78) else leave 1\nreturn 0\n",
    );
    let symbols = "guard_class(v0, &a: i64) else leave 0\nguard_class(v1, &b: i64) else leave 1\nv2: i64 = ref_eq(v0, v1)\nreturn v2";
    assert!(optimized("v0: ref, v1: ref", "i64", symbols, Pipeline::TRACE).contains("ref_eq(v0, v1)"));
}

#[test]
fn a_field_of_an_item_is_stored_as_one_when_its_array_is_made() {
    becomes(
        "v0: i64",
        "",
        "v1 = new_array(2) @array\nset_interior(v1, 1, v0) @item\ncall(v1) @any\nreturn",
        "v1 = new_array(2) @array\nset_interior(v1, 1, v0) @item\ncall(v1) @any\nreturn\n",
    );
}

/// Any operation with an exit may leave, not only a guard: what waits is made, and so is what the exit
/// keeps.
#[test]
fn every_exit_sees_the_stores_before_it() {
    let trace =
        "v2 = new() @node\nset_field(v0, v1) @value\nv3 = get_field(v0) @value else leave 3 (v2)\nreturn v3";
    let after = optimized("v0: ref, v1: i64", "i64", trace, Pipeline::TRACE);
    let place = |what: &str| after.find(what).unwrap_or_else(|| panic!("no {what} in\n{after}"));
    assert!(place("set_field") < place("else leave 3"), "{after}");
    assert!(after.contains("else leave 3 with [made0 = new() @node] as (made0)"), "{after}");
    let division = "set_field(v0, v1) @value\nv2 = sdiv(7, v1) else leave 4\nreturn v2";
    becomes("v0: ref, v1: i64", "i64", division, &format!("{division}\n"));
}

/// Objects have no items and arrays have; what is confused is left alone.
#[test]
fn an_object_that_is_used_as_an_array_is_made() {
    let trace =
        "v0 = new() @node\nv1 = get_item(v0, 0) @item else leave 5\nv2 = array_len(v0) @array\nreturn v1, v2";
    becomes("", "i64, i64", trace, &format!("{trace}\n"));
}

/// The same callee may be asked for results of two types.
/// S4.16
#[test]
fn equal_calls_have_results_of_one_type() {
    let trace = "v0: i32 = call() @pure else leave 6\nv1: i64 = call() @pure else leave 7\nreturn v0, v1";
    becomes("", "i32, i64", trace, &format!("{trace}\n"));
}

/// Whoever resumes from an exit that leaves does the rest again; one that unwinds is another place.
#[test]
fn only_a_guard_that_leaves_takes_over_what_a_later_one_asks() {
    let leaves = "guard_nonnull(v0) else leave 8\nguard_class(v0, v1) else leave 9\nreturn";
    let fixed = |guards: &str| guards.replace("v1", "77");
    let stronger = "guard_nonnull_class(v0, 77) else leave 8\nreturn\n";
    becomes("v0: ref", "", &fixed(leaves), stronger);
    let unwinds = fixed(&leaves.replace(" else leave 8", ""));
    becomes("v0: ref", "", &unwinds, &format!("{unwinds}\n"));
}

/// S4.22: passes may be named in any order; neighbours are one walk.
#[test]
fn neighbours_in_a_pipeline_are_one_walk_in_any_order() {
    let body = "v1 = new() @node\nv2 = mul(v0, 8)\nset_field(v1, v2) @value\nv3 = get_field(v1) @value\nv4 = sub(v3, v2)\nreturn v4";
    let orders = [
        "heap:virtualize:pure:rewrite:dead",
        "rewrite:pure:dead:heap:virtualize",
        "pure:virtualize:rewrite:heap:dead",
    ];
    for order in orders {
        assert_eq!(optimized("v0: i64", "i64", body, order), "return 0\n", "{order}");
    }
}
