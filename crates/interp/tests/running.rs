//! What functions do when they run.

use planish_interp::{End, Limits, Program, Scenario, Val, run};
use planish_ir::Module;
use planish_ir::text::read;
use planish_ops::world::Characters;
use planish_ops::{Op, Type};

fn parse(text: &str) -> Module {
    let (module, diagnostics) = read(text);
    assert!(!diagnostics.has_errors(), "{diagnostics:?}");
    module
}

/// Runs the first function of a text on integers.
fn show(text: &str, args: &[i64]) -> String {
    let module = parse(text);
    let f = module.functions.values().next().unwrap();
    let args: Vec<Val> = (f.params().iter().zip(args)).map(|(&p, &a)| Val::int(f.ty(p), a)).collect();
    run(&Program::of(&module), f, &args, &Scenario::new(1), Limits::default()).to_string()
}

const POWER: &str = "\
func power(v0: i64, v1: i64) -> i64 {
entry:
    jump loop(v0, v1, 1)
loop(v2: i64, v3: i64, v4: i64):
    v5 = and(v3, 1)
    branch v5, odd, even(v4)
odd:
    v6 = mul(v4, v2)
    jump even(v6)
even(v7: i64):
    v8 = mul(v2, v2)
    v9 = urshift(v3, 1)
    branch v9, loop(v8, v9, v7), done
done:
    return v7
}
";

#[test]
fn loops_run_and_operations_are_counted() {
    let module = parse(POWER);
    let f = module.functions.values().next().unwrap();
    let args = [Val::int(Type::I64, 3), Val::int(Type::I64, 13)];
    let run = run(&Program::of(&module), f, &args, &Scenario::new(0), Limits::default());
    assert_eq!(run.to_string(), "return 1594323");
    // Four bits, three of them set.
    let counts: Vec<(Op, u64)> = run.counts.iter().collect();
    assert_eq!(counts, [(Op::Mul, 7), (Op::And, 4), (Op::Urshift, 4)]);
    assert_eq!((run.counts.total(), run.counts.branches, run.counts.jumps), (15, 8, 4));
}

#[test]
fn fuel_ends_an_endless_loop() {
    let text = "func f() {\na:\n    jump b\nb:\n    jump b\n}\n";
    assert_eq!(show(text, &[]), "out of fuel");
    let text = "callee @f\nfunc f() {\na:\n    call() @f\n    return\n}\n";
    assert_eq!(show(text, &[]), "out of fuel");
}

#[test]
fn block_parameters_take_their_values_at_once() {
    let text = "\
func swap(v0: i64, v1: i64, v2: i64) -> i64, i64 {
entry:
    jump loop(v0, v1, v2)
loop(v3: i64, v4: i64, v5: i64):
    v6 = sub(v5, 1)
    branch v6, loop(v4, v3, v6), done
done:
    return v3, v4
}
";
    assert_eq!(show(text, &[7, 8, 2]), "return 8, 7");
}

/// S1.46: numbers wrap at their width.
#[test]
fn numbers_wrap_at_their_width() {
    assert_eq!(show("v0: i8 = getarg(0)\nv1 = add(v0, 100)\n", &[100]), "return -56: i8");
}

#[test]
fn a_division_by_zero_takes_its_exit_or_traps() {
    let text = "func f(v0: i64) -> i64 {\na:\n    v1 = sdiv(7, v0) EXIT\n    return v1\nh(v2: ref, v3: i64):\n    return v3\n}\n";
    let with = |exit: &str, arg| show(&text.replace("EXIT", exit), &[arg]);
    assert_eq!(with("", 2), "return 3");
    assert_eq!(with("", 0), "trap: division");
    assert_eq!(with("else leave 5(v0, 1.5)", 0), "leave 5(0, 1.5)");
    assert_eq!(with("else unwind(v0)", 0), "throw fault(division)(0)");
    assert_eq!(with("else to(42) [*: h]", 0), "return 42");
    assert_eq!(with("else to(42) [*: h]", 7), "return 1");
}

#[test]
fn an_exception_goes_to_the_handler_of_the_caller() {
    let text = "\
callee @g
func f(v0: i64) -> i64 {
a:
    v1: i64 = call(v0) @g else to(-1) [*: h]
    return v1
h(v2: ref, v3: i64):
    return v3
}
func g(v0: i64) -> i64 {
a:
    v1 = sdiv(100, v0)
    return v1
}
";
    assert_eq!(show(text, &[5]), "return 20");
    assert_eq!(show(text, &[0]), "return -1");
}

#[test]
fn guards_leave_with_their_exit() {
    let text = "v0 = getarg(0)\nguard_true(v0) else leave 1(v0)\nguard_value(v0, 3) else leave 2(none, 7)\nv1 = add(v0, 1)\n";
    assert_eq!(show(text, &[0]), "leave 1(0)");
    assert_eq!(show(text, &[2]), "leave 2(none, 7)");
    assert_eq!(show(text, &[3]), "return 4");
}

#[test]
fn a_conversion_out_of_range_is_undefined_only_where_it_matters() {
    let text = "\
func f(v0: i64) -> i64 {
a:
    v1 = bits_to_float(v0)
    v2: i64 = float_to_signed(v1)
    v3 = add(v2, 1)
    branch v0, b, c
b:
    return 5
c:
    branch v3, b, b
}
";
    let text = text.replace("bits_to_float(v0)", "bits_to_float(-1)");
    assert_eq!(show(&text, &[1]), "return 5");
    assert_eq!(show(&text, &[0]), "undefined: a branch on an undefined value");
}

#[test]
fn fresh_memory_is_zero_and_keeps_what_is_stored() {
    let text = "\
class @box
location @box.value: i32 bits 8 signed
location @array: i64
func f(v0: i32) -> i32, i32, i64, i64, i64 {
a:
    v1 = new() @box
    v2: i32 = get_field(v1) @box.value
    set_field(v1, v0) @box.value
    v3: i32 = get_field(v1) @box.value
    v4 = new_array(3) @array
    set_item(v4, 2, 9) @array
    v5 = get_item(v4, 1) @array
    v6 = get_item(v4, 2) @array
    v7 = array_len(v4) @array
    v8 = get_item(v4, 3) @array else leave 1(v2, v3, v5, v6, v7)
    return v2, v3, v5, v6, v8
}
";
    assert_eq!(
        show(text, &[200]),
        "  new0.box.value = -56: i32\n  new1.array[2] = 9\nleave 1(0: i32, -56: i32, 0, 9, 3)"
    );
}

#[test]
fn null_is_not_looked_into() {
    let text = "location @f: i64\nv0 = get_field(null) @f\n";
    assert_eq!(show(text, &[]), "trap: null");
    assert_eq!(show("v0 = null_check(null) else leave 3\n", &[]), "leave 3()");
}

#[test]
fn strings_copy() {
    let text = "\
location @str: i64 bits 8
v0 = new_str(2) @str
str_set(v0, 0, 104) @str
str_set(v0, 1, 361) @str
v1 = new_str(4) @str
str_copy(v0, v1, 0, 2, 2) @str
v2 = str_get(v1, 3) @str
v3 = str_len(v1) @str
v4 = str_get(v1, 1) @str
return v2, v3, v4
";
    assert!(show(text, &[]).ends_with("return 105, 4, 0"), "{}", show(text, &[]));
}

#[test]
fn fuel_pays_for_every_character_that_is_copied() {
    let text = "\
location @str: i64 bits 8
v0 = new_str(1099511627776) @str
v1 = new_str(1099511627776) @str
str_copy(v0, v1, 0, 0, 1099511627776) @str
return
";
    assert_eq!(show(text, &[]), "out of fuel");
}

#[test]
fn raw_memory_is_bytes() {
    let text = "\
location @int: i64 raw
location @short: i64 bits 16 signed raw
raw_store(4096, 8, 72623859790382856) @int
v0 = raw_load(4104, 2) @short
v1 = raw_load(4106, -2) @int
raw_store(4096, 15, -1) @short
v2 = raw_load(4096, 8) @int
return v0, v1, v2
";
    let shown = show(text, &[]);
    assert!(shown.ends_with("return 1286, 72623859790382856, -71491328285473016"), "{shown}");
}

#[test]
fn bits_that_do_not_fill_a_byte_are_stored_with_zeros_above() {
    let text = "\
location @whole: i16 class 1
location @part: i16 bits 12 signed class 1
raw_store(4096, 0, -1: i16) @whole
raw_store(4096, 0, -1: i16) @part
v0: i16 = raw_load(4096, 0) @whole
v1: i16 = raw_load(4096, 0) @part
return v0, v1
";
    assert!(show(text, &[]).ends_with("return 4095: i16, -1: i16"), "{}", show(text, &[]));
}

#[test]
fn fills_and_copies_write_one_cell_behind_the_other() {
    let text = "\
location @short: i16 class 1
location @long: i64 class 1
raw_fill(4096, 4, 5, 258: i16) @short
raw_store(4096, 6, 772: i16) @short
raw_copy(4096, 6, 4096, 4, 4) @short
v0 = raw_load(4096, 4) @long
v1: i16 = raw_load(4096, 12) @short
return v0, v1
";
    // All is read before any is written: the cell that is different comes once.
    assert!(show(text, &[]).ends_with("return 72623859723010306, 258: i16"), "{}", show(text, &[]));
    // Where there are no cells there is no memory either, and nothing is asked for.
    let none = "\
location @b: i8 class 1
undefined = float_to_signed(1e300)
raw_fill(undefined, 0, 0, 1: i8) @b
raw_copy(undefined, 0, undefined, 1, 0) @b
return 7
";
    assert_eq!(show(none, &[]), "return 7");
    let all = none.replace("(undefined, 0, 0,", "(0, 0, -1,");
    assert!(show(&all, &[]).contains("memory is accessed that is not there"), "{}", show(&all, &[]));
}

#[test]
fn bulk_operations_count_as_loops_over_words() {
    let module = parse(
        "location @b: i8 class 1\nraw_fill(4096, 0, 19, 1: i8) @b\nraw_copy(0, 0, 8, 0, 9) @b\nreturn 0\n",
    );
    let f = module.functions.values().next().unwrap();
    let counts = run(&Program::of(&module), f, &[], &Scenario::new(0), Limits::default()).counts;
    let of = |op| counts.of(op);
    assert_eq!([of(Op::RawFill), of(Op::RawCopy), of(Op::RawStore), of(Op::RawLoad)], [1, 1, 7, 2]);
    assert_eq!((of(Op::Add), of(Op::Ult), counts.branches), (7, 7, 7));
}

#[test]
fn calls_are_noticed_with_their_arguments_and_memory() {
    let text = "\
location @f: i64
callee @print reads * writes ()
callee @sqrt elidable reads () writes ()
func f(v0: ref) -> i64, i1 {
a:
    set_field(&cell, 1) @f
    set_field(&cell, 2) @f
    v1: i64 = call(&cell, 5) @print
    set_field(&cell, 3) @f
    v2: i64 = call(9) @sqrt
    v3: i64 = call(9) @sqrt
    v4: i1 = eq(v2, v3)
    return 0, v4
}
";
    let module = parse(text);
    let f = module.functions.values().next().unwrap();
    let scenario = Scenario::new(3);
    let args = scenario.arguments(&[Type::Ref]);
    let run = run(&Program::of(&module), f, &args, &scenario, Limits::default());
    assert_eq!(run.to_string(), "  &cell.f = 2\nprint(&cell, 5)\n  &cell.f = 3\nreturn 0, 1: i1");
}

#[test]
fn a_call_may_change_what_it_may_write_and_nothing_else() {
    let text = "\
location @mutable: i64 class 1
location @other: i64 class 2
location @fixed: i64 immutable class 1
callee @g reads () writes (1)
func f() -> i64, i64, i64, i64 {
a:
    v0 = new() @c
    set_field(v0, 5) @mutable
    set_field(&o, 6) @mutable
    set_field(&o, 7) @other
    set_field(&o, 8) @fixed
    call() @g
    v1 = get_field(v0) @mutable
    v2 = get_field(&o) @mutable
    v3 = get_field(&o) @other
    v4 = get_field(&o) @fixed
    return v1, v2, v3, v4
}
";
    let text = format!("class @c\n{text}");
    let module = parse(&text);
    let f = module.functions.values().next().unwrap();
    let mut changed = 0;
    for seed in 0..20 {
        let run = run(&Program::of(&module), f, &[], &Scenario::new(seed), Limits::default());
        let End::Return(results) = &run.end else { panic!("{run}") };
        let expected = [5, 6, 7, 8].map(|n| Val::int(Type::I64, n));
        assert_eq!((results[0], results[2], results[3]), (expected[0], expected[2], expected[3]));
        changed += usize::from(results[1] != expected[1]);
    }
    assert!(changed > 10, "{changed}");
}

/// Exceptions of calls wait for the guard of a trace behind them.
#[test]
fn a_trace_sees_the_exception_of_a_call_in_its_guard() {
    let text =
        "callee @g raises reads () writes ()\nv0: i64 = call() @g\nguard_no_exception() else leave 1(v0)\n";
    let module = parse(text);
    let f = module.functions.values().next().unwrap();
    let ends: Vec<String> = (0..40)
        .map(|seed| run(&Program::of(&module), f, &[], &Scenario::new(seed), Limits::default()).to_string())
        .collect();
    assert!(ends.iter().any(|end| end.starts_with("g()\nreturn")), "{ends:?}");
    assert!(ends.iter().any(|end| end == "g()\nleave 1(0)"), "{ends:?}");
}

#[test]
fn references_and_addresses_agree() {
    let text = "\
class @c
v0 = new() @c
v1: i64 = ref_to_int(v0)
v2 = int_to_ref(v1)
v3: i1 = ref_eq(v0, v2)
v4: i64 = ref_to_int(&name)
v5 = int_to_ref(v4)
v6: i1 = ref_eq(v5, &name)
v7: i1 = ref_eq(v5, v0)
v8: i1 = is_null(v5)
v9: i1 = eq(v4, &name: i64)
return v3, v6, v7, v8, v9
";
    assert_eq!(show(text, &[]), "return 1: i1, 1: i1, 0: i1, 0: i1, 1: i1");
}

/// A string has characters and nothing else: what somebody finds at an item of another kind is no character.
#[test]
fn an_item_of_a_string_that_is_no_character_is_of_its_own_type() {
    let mut module = parse(
        "location @chars: i64 bits 8 class 1\nlocation @refs: ref class 2\n\nfunc f() -> i64, ref {\nentry:\n    \
         v0: i64 = str_get(&s, 0) @chars\n    v1: ref = get_item(&s, 0) @refs\n    return v0, v1\n}\n",
    );
    let (symbol, chars) = (module.symbol("s"), module.descriptors.lookup("chars").expect("it is declared"));
    module.descriptors.set_characters(false, chars);
    module.descriptors.set_text(symbol, Characters { unicode: false, codes: Box::new([97]) });
    let f = module.functions.values().next().unwrap();
    let limits = Limits { wild_accesses: true, ..Limits::default() };
    let End::Return(results) = run(&Program::of(&module), f, &[], &Scenario::new(1), limits).end else {
        panic!("nothing leaves")
    };
    assert_eq!(results[0], Val::int(Type::I64, 97));
    assert_eq!(results[1].ty(), Some(Type::Ref));
}

/// A function that returns behind the marker of an entrance goes on there with its results.
#[test]
fn a_run_goes_on_at_an_entrance_of_another_function() {
    let run_first = |given: &str| {
        let mut module = parse(&format!(
            "other @there\n\nfunc side(v0: i64) -> i64, i64 {{\nentry:\n    v1 = add(v0, 1)\n    marker() @there\n    \
             return {given}\n}}\n\nfunc around(v0: i64) -> i64 {{\nentry:\n    jump loop(v0, v0)\nloop(v1: i64, v2: i64):\n    \
             v3 = sub(v2, 1)\n    v4 = add(v1, v2)\n    branch v3, loop(v4, v3), done\ndone:\n    return v4\n}}\n"
        ));
        let there = module.descriptors.lookup("there").expect("it is declared");
        let around = module.functions.values_mut().nth(1).expect("two functions");
        around.add_entrance(around.blocks()[1], there);
        let side = module.functions.values().next().expect("two functions");
        let args = [Val::int(Type::I64, 3)];
        run(&Program::of(&module), side, &args, &Scenario::new(1), Limits::default()).to_string()
    };
    assert_eq!(run_first("100, v1"), "return 110");
    assert_eq!(run_first("100, v0"), "return 106");
}
