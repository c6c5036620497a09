//! Each invariant broken once, and functions that hold them all.

use planish_base::Id;
use planish_ops::world::{Descr, World};
use planish_ops::{Op, Type};

use super::{Invariant, verify, verify_module};
use crate::function::{Block, Form, Function, Inst, Location, Terminator, Value};
use crate::module::Module;
use crate::text::read;

fn parse(text: &str) -> Module {
    let (module, diagnostics) = read(text);
    assert!(!diagnostics.has_errors(), "{diagnostics:?}");
    module
}

/// What the verifier says of a text, as text.
fn judge(text: &str, form: Form) -> Vec<String> {
    verify_module(&parse(text), form)
}

/// The invariants that a changed function breaks.
fn broken(text: &str, change: impl FnOnce(&mut Function)) -> Vec<Invariant> {
    let mut module = parse(text);
    let function = module.functions.values_mut().next().expect("the text has a function");
    change(function);
    verify(function, Form::Cfg).iter().map(|violation| violation.invariant).collect()
}

const LOOP: &str = "\
func f(v0: i64, v1: i64) -> i64 {
entry:
    jump loop(v0, 0)
loop(v2: i64, v3: i64):
    v4 = add(v3, v2)
    v5 = sub(v2, 1)
    branch v5, loop(v5, v4), done
done:
    return v4
}
";

#[test]
fn a_right_function_has_no_violation() {
    assert!(judge(LOOP, Form::Cfg).is_empty());
    assert!(judge(LOOP, Form::Structured).is_empty());
}

#[test]
fn v1_blocks_stand_once_and_exist() {
    let twice = |f: &mut Function| f.set_layout([f.blocks(), &f.blocks()[1..2]].concat());
    assert_eq!(broken(LOOP, twice), [Invariant::Layout]);
    let gone = |f: &mut Function| f.set_layout(f.blocks()[..2].to_vec());
    assert_eq!(broken(LOOP, gone), [Invariant::Layout]);
    let strange = |f: &mut Function| f.set_layout(vec![f.entry(), Block::from_index(99)]);
    assert_eq!(broken(LOOP, strange), [Invariant::Layout]);
    assert_eq!(broken(LOOP, |f| f.set_layout(Vec::new())), [Invariant::Layout]);
}

#[test]
fn v2_instructions_stand_once_and_ids_are_known() {
    let twice = |f: &mut Function| {
        let (block, inst) = f.live_insts().next().unwrap();
        f.append_inst(block, inst);
    };
    assert_eq!(broken(LOOP, twice), [Invariant::Placement]);
    let strange = |f: &mut Function| f.append_inst(f.entry(), Inst::from_index(1000));
    assert_eq!(broken(LOOP, strange), [Invariant::Placement]);
    let value = |f: &mut Function| {
        let inst = f.live_insts().next().unwrap().1;
        f.args_mut(inst)[0] = Value::from_index(1000);
    };
    assert_eq!(broken(LOOP, value), [Invariant::Placement]);
}

#[test]
fn v3_definitions_know_where_they_are() {
    let confuse = |f: &mut Function| {
        let param = f.params()[0];
        let inst = f.live_insts().next().unwrap().1;
        let result = f.result(inst);
        f.values[param].def = f.def(result);
    };
    assert_eq!(broken(LOOP, confuse), [Invariant::Definition]);
}

#[test]
fn v4_operands_fit_the_row() {
    let narrow = |f: &mut Function| {
        let inst = f.live_insts().next().unwrap().1;
        let small = f.make_int(Type::I32, 1);
        f.args_mut(inst)[1] = small;
    };
    assert_eq!(broken(LOOP, narrow), [Invariant::Operands]);
    let fewer = |f: &mut Function| {
        let (inst, param) = (f.live_insts().next().unwrap().1, f.params()[0]);
        f.rewrite_inst(inst, Op::Add, &[param]);
    };
    assert_eq!(broken(LOOP, fewer), [Invariant::Operands]);
}

#[test]
fn v5_results_fit_the_row() {
    let text = "func f(v0: i32) -> i64 {\na:\n    v1: i64 = sext(v0)\n    return v1\n}\n";
    assert!(judge(text, Form::Cfg).is_empty());
    let narrowing = |f: &mut Function| {
        let inst = f.live_insts().next().unwrap().1;
        f.rewrite_inst(inst, Op::Trunc, &[f.params()[0]]);
    };
    assert_eq!(broken(text, narrowing), [Invariant::Results]);
    let other = |f: &mut Function| {
        let inst = f.live_insts().next().unwrap().1;
        f.rewrite_inst(inst, Op::Neg, &[f.params()[0]]);
    };
    assert_eq!(broken(text, other), [Invariant::Results]);
}

#[test]
fn v6_and_v7_descriptors_and_exits_are_where_the_row_says() {
    let undescribed = |f: &mut Function| {
        let inst = f.make_inst(Op::New, &[], &[], None, None, Location::default());
        f.append_inst(f.entry(), inst);
    };
    assert_eq!(broken(LOOP, undescribed), [Invariant::Descriptor]);
    let exiting = |f: &mut Function| {
        let inst = f.live_insts().next().unwrap().1;
        let exit = f.make_exit(crate::function::ExitTarget::Unwind, &[], None);
        f.set_exit(inst, Some(exit));
    };
    assert_eq!(broken(LOOP, exiting), [Invariant::ExitAllowed]);
    let own = |f: &mut Function| {
        let param = f.params()[0];
        let inst = f.make_inst(Op::Udiv, &[param, param], &[], None, None, Location::default());
        let exit = f.make_exit(crate::function::ExitTarget::Leave(0), &[f.result(inst)], None);
        f.set_exit(inst, Some(exit));
        f.append_inst(f.entry(), inst);
    };
    assert_eq!(broken(LOOP, own), [Invariant::ExitAllowed]);
}

#[test]
fn v8_arguments_fit_parameters() {
    let fewer = |f: &mut Function| {
        let call = f.make_call(f.blocks()[1], &[f.params()[0]]);
        f.set_terminator(f.entry(), Terminator::Jump(call));
    };
    assert_eq!(broken(LOOP, fewer), [Invariant::BlockArguments]);
    let other = |f: &mut Function| {
        let small = f.make_int(Type::I1, 1);
        let call = f.make_call(f.blocks()[1], &[f.params()[0], small]);
        f.set_terminator(f.entry(), Terminator::Jump(call));
    };
    assert_eq!(broken(LOOP, other), [Invariant::BlockArguments]);
}

#[test]
fn v9_terminators_take_what_they_say() {
    let results = |f: &mut Function| {
        let none = f.make_list(&[]);
        f.set_terminator(f.blocks()[2], Terminator::Return(none));
    };
    assert_eq!(broken(LOOP, results), [Invariant::Terminator]);
    let thrown = |f: &mut Function| f.set_terminator(f.blocks()[2], Terminator::Throw(f.params()[0], None));
    assert_eq!(broken(LOOP, thrown), [Invariant::Terminator]);
    let cases = |f: &mut Function| {
        let call = f.make_call(f.blocks()[2], &[]);
        let key = planish_ops::Int::new(64, 7);
        let (on, cases) = (f.params()[0], Box::new([(key, call), (key, call)]));
        f.set_terminator(f.blocks()[1], Terminator::Switch { on, cases, default: call });
    };
    assert_eq!(broken(LOOP, cases), [Invariant::Terminator]);
}

#[test]
fn v10_handlers_take_the_exception_and_the_arguments() {
    let text = "\
callee @g
func f(v0: i64) -> i64 {
a:
    call(v0) @g else to(v0) [*: h]
    return v0
h(v1: ref, v2: i32):
    return 0
}
";
    let found = judge(text, Form::Cfg);
    assert_eq!(
        found,
        ["V10 in `f`, block `a`, line 4: the arguments of the exit do not fit `h`\n    \
          call(v0) @g else to(v0) [*: h]"]
    );
    let bare = text.replace("h(v1: ref, v2: i32)", "h(v1: i64, v2: i64)");
    assert_eq!(judge(&bare, Form::Cfg).len(), 1);
}

#[test]
fn v11_nothing_goes_to_the_entry() {
    let found = judge("func f() {\na:\n    jump a\n}\n", Form::Cfg);
    assert_eq!(found, ["V11 in `f`, block `a`: this goes to the entry"]);
}

#[test]
fn v12_definitions_dominate_uses() {
    let text = "\
func f(v0: i64) -> i64 {
a:
    branch v0, b, c
b:
    v1 = neg(v0)
    jump c
c:
    v2 = add(v1, v0)
    return v2
}
";
    assert_eq!(
        judge(text, Form::Cfg),
        ["V12 in `f`, block `c`, line 8: v1 is made in `b` and is not known here\n    \
          v2 = add(v1, v0)"]
    );
    let reversed = |f: &mut Function| {
        let mut insts = f.block_insts(f.blocks()[1]).to_vec();
        insts.reverse();
        f.replace_insts(f.blocks()[1], insts);
    };
    let pair = LOOP.replace("sub(v2, 1)", "sub(v4, 1)");
    assert_eq!(broken(&pair, reversed), [Invariant::Dominance]);
    let nowhere = |f: &mut Function| {
        f.replace_insts(f.blocks()[1], Vec::new());
    };
    assert_eq!(broken(LOOP, nowhere).len(), 4);
}

#[test]
fn v12_a_handler_does_not_see_what_the_exiting_block_makes() {
    let text = "\
callee @g
func f(v0: i64) -> i64 {
a:
    v1 = neg(v0)
    call(v0) @g else to [*: h]
    jump b
b:
    return v1
h(v2: ref):
    return USED
}
";
    assert!(judge(&text.replace("USED", "v0"), Form::Cfg).is_empty());
    assert_eq!(
        judge(&text.replace("USED", "v1"), Form::Cfg),
        ["V12 in `f`, block `h`: v1 is made in `a` and is not known here"]
    );
}

#[test]
fn v13_holes_stand_in_exits_only() {
    let text = "func f(v0: i64) -> state {\na:\n    guard_true(v0) else leave 1(none)\n    return none\n}\n";
    assert_eq!(judge(text, Form::Cfg), ["V13 in `f`, block `a`: a hole stands where a value is needed"]);
}

#[test]
fn v14_a_trace_is_a_chain_that_may_jump_back() {
    let text = "\
func t(v0: i64) {
a:
    jump b(v0)
b(v1: i64):
    guard_true(v1) else leave 1(v1)
    jump c(v1)
c(v2: i64):
    v3 = sub(v2, 1)
    jump b(v3)
}
";
    assert!(judge(text, Form::Trace).is_empty());
    assert_eq!(judge(LOOP, Form::Trace).len(), 1);
    let skipping = text.replace("jump c(v1)", "jump b(v1)");
    assert_eq!(judge(&skipping, Form::Trace).len(), 1);
}

#[test]
fn v14_structured_control_flow_nests() {
    let nested = "\
func f(v0: i64) -> i64 {
a:
    switch v0 [0: b, 1: c, 2: d, 3: d], d
b:
    branch v0, b1, b2
b1:
    jump b2
b2:
    branch v0, b, d
c:
    jump d
d:
    branch v0, d, e
e:
    return v0
}
";
    assert!(judge(nested, Form::Structured).is_empty(), "{:?}", judge(nested, Form::Structured));
    for (from, to) in [
        // Into the middle of a loop, out of it at the head, a second return.
        ("2: d", "2: b1"),
        ("branch v0, b1, b2", "branch v0, b1, e"),
        ("c:\n    jump d", "c:\n    return v0"),
    ] {
        let text = nested.replace(from, to);
        assert_eq!(judge(&text, Form::Structured).len(), 1, "{to}");
    }
}

#[test]
fn v15_calls_fit_the_functions_of_the_module() {
    let text = "\
callee @g
func f(v0: i64) -> i64 {
a:
    v1: i64 = call(v0) @g
    return v1
}
func g(v0: i64) -> i64 {
a:
    return v0
}
";
    assert!(judge(text, Form::Cfg).is_empty());
    // The reader would say so itself.
    let mut module = parse(text);
    let narrow = parse("func g(v0: i32) -> i64 {\na:\n    return 1\n}\n");
    let called = module.find("g").expect("the function that is called");
    module.functions[called] = narrow.functions.values().next().expect("another").clone();
    assert_eq!(
        verify_module(&module, Form::Cfg),
        ["V15 in `f`, block `a`, line 4: the call does not fit the function `g`\n    v1: i64 = call(v0) @g"]
    );
    let twice = text.replace("func g(v0: i64)", "func f(v0: i64)");
    let (module, _) = read(&twice);
    assert_eq!(verify_module(&module, Form::Cfg)[0], "V15: there are two functions `f`");
}

#[test]
fn a_large_function_takes_linear_time() {
    let mut text = String::from("func f(v0: i64) -> i64 {\nb0:\n    jump b1\n");
    for i in 1..50_000 {
        text.push_str(&format!("b{i}:\n    branch v0, end, b{}\n", i + 1));
    }
    text.push_str("b50000:\n    jump end\nend:\n    return v0\n}\n");
    assert!(judge(&text, Form::Cfg).is_empty());
    assert_eq!(judge(&text, Form::Structured).len(), 0);
}

/// Rules about extensions are proved for wider types; an extension to its own type would be another thing.
#[test]
fn v5_conversions_change_the_width() {
    let judged = |body: &str| {
        judge(&format!("func f(v0: i32, v1: f32) {{\na:\n    {body}\n    return\n}}\n"), Form::Cfg)
    };
    for good in
        ["v2: i33 = zext(v0)", "v2: i64 = sext(v0)", "v2: i31 = trunc(v0)", "v2: f64 = float_convert(v1)"]
    {
        assert_eq!(judged(good), Vec::<String>::new(), "{good}");
    }
    for wrong in
        ["v2: i32 = zext(v0)", "v2: i32 = sext(v0)", "v2: i32 = trunc(v0)", "v2: f32 = float_convert(v1)"]
    {
        assert!(judged(wrong).concat().contains("V5"), "{wrong}");
    }
}

/// A block that is entered from elsewhere sees its parameters and constants.
#[test]
fn v12_an_entrance_sees_nothing_of_before() {
    let text = "\
func f(v0: i64) -> i64 {
a:
    v1 = neg(v0)
    jump b(v1)
b(v2: i64):
    v3 = add(v2, USED)
    return v3
}
";
    let entered = |f: &mut Function| f.add_entrance(f.blocks()[1], Descr::from_index(0));
    for (used, breaks) in [("v2", false), ("5", false), ("v0", true), ("v1", true)] {
        let text = text.replace("USED", used);
        assert!(judge(&text, Form::Cfg).is_empty());
        assert_eq!(broken(&text, entered), vec![Invariant::Dominance; usize::from(breaks)], "{used}");
    }
}

#[test]
fn v17_entrances_exist_once_and_are_given_what_they_take() {
    let nowhere = |f: &mut Function| f.add_entrance(Block::from_index(9), Descr::from_index(0));
    assert_eq!(broken(LOOP, nowhere), [Invariant::Entrance]);
    let text = "\
other @there
func f(v0: i64) {
a:
    jump b(v0, v0)
b(v1: i64, v2: i64):
    jump b(v2, v1)
}
func g(v0: i64, v1: ref) -> i64, TYPE {
a:
    marker() @there
    return v0, GIVEN
}
";
    let judge = |ty: &str, given: &str, twice: bool| {
        let mut module = parse(&text.replace("TYPE", ty).replace("GIVEN", given));
        let there = module.descriptors.lookup("there").expect("it was read");
        let f = module.functions.values_mut().next().expect("the first function");
        (0..=u8::from(twice)).for_each(|_| f.add_entrance(f.blocks()[1], there));
        verify_module(&module, Form::Cfg)
    };
    assert_eq!(judge("i64", "v0", false), Vec::<String>::new());
    assert_eq!(
        judge("ref", "v1", false),
        ["V17 in `g`, block `a`: what it goes on with at `there` does not fit the parameters there, in `f`"]
    );
    assert_eq!(judge("i64", "v0", true), ["V17: there are two entrances `there`"]);
}

#[test]
fn v18_calls_through_references_have_the_signature_that_they_name() {
    let judge = |operands: &str| {
        let text = format!(
            "callee @word_to_word\n\
             func f(v0: ref, v1: i64) -> i64 {{\na:\n    v2: i64 = call_ref(v0, v1) @word_to_word\n    \
             v3: i64 = call_ref(v0{operands}) @word_to_word\n    return v3\n}}\n"
        );
        verify_module(&parse(&text), Form::Cfg)
    };
    assert_eq!(judge(", v2"), Vec::<String>::new());
    let found = judge("");
    assert!(
        found[0].starts_with("V18 in `f`, block `a`, line 5: another call has the signature"),
        "{found:?}"
    );
}

#[test]
fn v19_look_ups_name_tables_whose_items_are_of_their_type() {
    let text = "table @t: i8 = [1, 2]\nclass @c\nfunc f(v0: i64) -> i8 {\na:\n    v1 = lookup(v0) @t\n    return v1\n}\n";
    let mut module = parse(text);
    assert_eq!(verify_module(&module, Form::Cfg), Vec::<String>::new());
    let table = module.descriptors.lookup("t").expect("it is declared");
    let wide = planish_ops::Items::new(Type::I64, [1].into()).expect("there is an item");
    module.descriptors.set(table, crate::module::Descriptor::Table(std::sync::Arc::new(wide)));
    let found = verify_module(&module, Form::Cfg);
    assert!(
        found[0].starts_with("V19 in `f`, block `a`, line 5: the items of `t` are of type i64"),
        "{found:?}"
    );
    module.descriptors.set(table, crate::module::Descriptor::Class);
    let found = verify_module(&module, Form::Cfg);
    assert!(found[0].contains("`t` is no constant table"), "{found:?}");
}

#[test]
fn v20_what_is_loaded_or_stored_is_of_the_type_of_its_location() {
    let text = "location @m: i8 class 1\nfunc f(v0: i64, v1: i8) -> i8 {\na:\n    raw_store(v0, 0, v1) @m\n    \
                raw_fill(v0, 0, 9, v1) @m\n    v2 = raw_load(v0, 0) @m\n    return v2\n}\n";
    let mut module = parse(text);
    assert_eq!(verify_module(&module, Form::Cfg), Vec::<String>::new());
    let descr = module.descriptors.lookup("m").expect("it is declared");
    let mut location = module.descriptors.location(descr).expect("a location");
    location.ty = Type::I64;
    module.descriptors.set(descr, crate::module::Descriptor::Location(location));
    let found = verify_module(&module, Form::Cfg);
    assert_eq!(found.len(), 3, "{found:?}");
    assert!(
        found[0].starts_with("V20 in `f`, block `a`, line 4: `m` is a location of type i64, not i8"),
        "{found:?}"
    );
}
