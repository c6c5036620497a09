//! Calls that are known by what they do, as PyPy is followed.

use planish_ir::{Form, Module, text, verify};
use planish_ops::world::Meaning;
use planish_opt::{Optimizer, Options, Pipeline, Record};

const DECLARED: &str = "\
location @item: i64 bits 64 signed class 1
class @array
callee @copying reads (1) writes (1)
callee @moving reads (1) writes (1)
callee @floordiv elidable reads () writes ()
callee @floormod elidable reads () writes ()
";

/// The body of a trace behind the passes that follow PyPy.
fn optimized(params: &str, results: usize, body: &str) -> String {
    let lines: String = body.lines().map(|line| format!("    {}\n", line.trim())).collect();
    let results = vec!["i64"; results].join(", ");
    let source = format!("{DECLARED}\nfunc t({params}) -> {results} {{\nentry:\n{lines}}}\n");
    let (mut module, diagnostics) = text::read(&source);
    assert!(diagnostics.is_empty(), "{diagnostics:?}\n{source}");
    let Module { functions, descriptors, .. } = &mut module;
    let meanings = [
        ("copying", Meaning::ArrayCopy),
        ("moving", Meaning::ArrayMove),
        ("floordiv", Meaning::FloorDiv),
        ("floormod", Meaning::FloorMod),
    ];
    let items = descriptors.lookup("item").unwrap();
    for (name, meaning) in meanings {
        let callee = descriptors.lookup(name).unwrap();
        descriptors.set_meaning(callee, meaning, false);
        descriptors.set_copied(callee, items);
        descriptors.set_made_once(callee);
    }
    let pipeline =
        Pipeline::parse("intbounds:rewrite:virtualize:string:pure:heap:plain", Form::Trace).unwrap();
    for function in functions.values_mut() {
        let options = Options::QUIET;
        Optimizer::new().run(&pipeline, function, descriptors, &mut Record::new(), options, &mut ());
    }
    assert_eq!(verify::verify_module(&module, Form::Trace), Vec::<String>::new());
    let written = text::write(&module, text::Options::default());
    let (_, body) = written.split_once("entry:\n").unwrap();
    body.trim_end_matches("}\n").lines().map(|line| format!("{}\n", line.trim())).collect()
}

/// S4.24: division is a call. By a constant it is a shift or a multiplication, and zero divided is zero.
#[test]
fn a_call_that_divides_by_a_constant_is_a_shift_or_a_product() {
    let body = "v1: i64 = call(0, v0, 8) @floordiv\nv2: i64 = call(0, v0, 8) @floormod\n\
                v3: i64 = call(0, 0, v0) @floordiv\nreturn v1, v2, v3";
    assert_eq!(optimized("v0: i64", 3, body), "v1 = rshift(v0, 3)\nv2 = and(v0, 7)\nreturn v1, v2, 0\n");
    let tenth = optimized("v0: i64", 1, "v1: i64 = call(0, v0, 10) @floordiv\nreturn v1");
    assert!(tenth.contains("umulh") && !tenth.contains("call"), "{tenth}");
}

#[test]
fn a_few_items_of_arrays_that_are_made_are_copied_one_by_one() {
    let copy = |length: usize| {
        optimized("v0: ref, v1: ref", 1, &format!("call(0, v0, v1, 5, 2, {length}) @copying\nreturn 0"))
    };
    assert_eq!(
        copy(2),
        "v2 = get_item(v0, 5) @item\nv3 = get_item(v0, 6) @item\nset_item(v1, 2, v2) @item\nset_item(v1, 3, v3) @item\nreturn 0\n"
    );
    assert_eq!(copy(0), "return 0\n");
    assert!(copy(9).starts_with("call("));
}

/// Copies and moves of arrays that are not made, against the same on a vector.
#[test]
fn copies_between_arrays_that_are_not_made_are_those_of_vectors() {
    const LENGTH: usize = 12;
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut below = |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 20) as usize % limit
    };
    for round in 0..300 {
        let mut body = String::new();
        let mut arrays: Vec<Vec<i64>> = Vec::new();
        for array in 0..2 {
            body.push_str(&format!("a{array} = new_array({LENGTH}) @array\n"));
            arrays.push((0..LENGTH as i64).map(|at| 100 * array + at + round).collect());
            for (at, item) in arrays[array as usize].iter().enumerate() {
                body.push_str(&format!("set_item(a{array}, {at}, {item}) @item\n"));
            }
        }
        for _ in 0..4 {
            let length = below(LENGTH + 1);
            let (start, offset) = (below(LENGTH - length + 1), below(LENGTH - length + 1));
            let (from, to) = (below(2), below(2));
            let items = arrays[from][start..start + length].to_vec();
            arrays[to][offset..offset + length].copy_from_slice(&items);
            body.push_str(&match from == to {
                true => format!("call(0, a{from}, {start}, {offset}, {length}) @moving\n"),
                false => format!("call(0, a{from}, a{to}, {start}, {offset}, {length}) @copying\n"),
            });
        }
        let mut returned = Vec::new();
        for array in 0..2 {
            for at in 0..LENGTH {
                body.push_str(&format!("r{array}_{at} = get_item(a{array}, {at}) @item\n"));
                returned.push(format!("r{array}_{at}"));
            }
        }
        body.push_str(&format!("return {}", returned.join(", ")));
        let expected: Vec<String> = arrays.concat().iter().map(i64::to_string).collect();
        assert_eq!(optimized("", 2 * LENGTH, &body), format!("return {}\n", expected.join(", ")), "{body}");
    }
}
