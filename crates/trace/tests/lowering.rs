//! Lifting and lowering: nothing is lost on the way there and back, and what traces lack is made of what
//! they have.

use planish_base::{Diagnostics, Id, SourceText};
use planish_ir::module::Descriptor;
use planish_ir::{Builder, ExitTarget, Function, Module, Terminator, Value};
use planish_ops::{Datum, Fold, Int, Machine, Op, Type, fold};
use planish_trace_dialect::descr::Vocabulary;
use planish_trace_dialect::lift::{Lifted, Lifter, Options, Origin};
use planish_trace_dialect::lower::{self, lower};
use planish_trace_dialect::text::Texts;
use planish_trace_dialect::{read, write};

/// A text as a function, ready to be changed.
struct There {
    lifted: Lifted,
    module: Module,
    texts: Texts,
}

fn there(text: &str, log: bool) -> There {
    let source = SourceText::new("t", text);
    let (file, diagnostics) = read::read(&source);
    assert!(!diagnostics.has_errors(), "{}", diagnostics.render(&source));
    let (mut module, mut words, mut errors) = (Module::new(), Vocabulary::new(), Diagnostics::new());
    let mut lifter = Lifter::new(
        &mut module,
        &file.texts,
        &mut words,
        Options { log, expand_virtual_refs: false, ..Options::default() },
    );
    let lifted = lifter.lift("t", &file.sections[0].trace, &mut errors);
    let lifted = lifted.unwrap_or_else(|| panic!("{}", errors.render(&source)));
    There { lifted, module, texts: file.texts }
}

fn back(mut there: There, options: lower::Options<'_>) -> Result<String, lower::Illegal> {
    let Lifted { function, origin } = &there.lifted;
    let trace = lower(function, &there.module, origin, options, &mut there.texts)?;
    let mut out = String::new();
    write::trace(&trace, &there.texts, &mut out);
    Ok(out)
}

#[track_caller]
fn comes_back(text: &str) {
    assert_eq!(back(there(text, true), lower::Options::default()).unwrap(), text);
}

/// A function built by hand, as a trace.
fn written(function: &Function) -> Result<String, lower::Illegal> {
    let mut texts = Texts::new();
    let trace = lower(function, &Module::new(), &Origin::default(), lower::Options::default(), &mut texts)?;
    let mut out = String::new();
    write::trace(&trace, &texts, &mut out);
    Ok(out)
}

/// `op` on the inputs, as a function that returns its first result.
fn one_operation(op: Op, inputs: &[Type], result: Type) -> Function {
    let mut b = Builder::new("f", &[result]);
    let entry = b.block("entry");
    let params: Vec<Value> = inputs.iter().map(|&ty| b.param(entry, ty)).collect();
    b.at(entry);
    let value = b.op_as(op, &params, result);
    b.ret(&[value]);
    b.finish()
}

/// S4.1
#[test]
fn a_loop_comes_back_as_it_was() {
    comes_back(
        "[p0, i0, i1]\ni2 = getarrayitem_gc_i(p0, i0, descr=<ArrayS 8>)\ni3 = int_add(i1, i2)\n\
         i4 = int_add(i0, 1)\ni5 = int_lt(i4, 100)\nguard_true(i5) [p0, i4, None, i3]\n\
         jump(p0, i4, i3, descr=<Loop-1>)\n",
    );
}

#[test]
fn every_family_of_operations_comes_back() {
    comes_back(
        "# Traced loop or bridge with 9 ops\n[p0, i1, f2]\n\
         i3 = int_mul_ovf(i1, 7)\nguard_no_overflow()\n\
         i4 = int_sub_ovf(i1, i3)\nguard_overflow(descr=<Guard0x1>) [i1, i4]\n\
         i5 = int_lshift(i1, i3)\ni6 = int_signext(i5, 2)\ni7 = uint_mul_high(i5, i6)\n\
         guard_class(p0, ConstClass(W_IntObject))\nguard_subclass(p0, 140512112723280)\n\
         i8 = instance_ptr_eq(p0, ConstPtr(ptr9))\ni10 = ptr_ne(p0, ConstPtr(null))\n\
         f11 = float_add(f2, 0.250000)\nf12 = cast_int_to_float(i5)\n\
         p13 = new_with_vtable(descr=<SizeDescr 16>)\np14 = new(descr=<SizeDescr 24>)\n\
         p15 = new_array_clear(3, descr=<ArrayP 8>)\np16 = new_array(i3, descr=<ArrayU 1>)\n\
         setfield_gc(p13, f11, descr=<FieldF W_FloatObject.inst_floatval 8 pure>)\n\
         p17 = getinteriorfield_gc_r(p15, i3, descr=<InteriorFieldDescr <FieldP odictentry.value 8>>)\n\
         i18 = getarrayitem_gc_pure_i(p16, 0, descr=<ArrayU 1>)\ni19 = arraylen_gc(p15, descr=<ArrayP 8>)\n\
         i20 = getfield_raw_i(139984059813216, descr=<FieldS pypysig_long_struct.c_value 0>)\n\
         setfield_raw(139984059813216, i20, descr=<FieldS pypysig_long_struct.c_value 0>)\n\
         i21 = getarrayitem_raw_i(i20, i1, descr=<ArrayS 2>)\nsetarrayitem_raw(i20, i1, i21, descr=<ArrayS 2>)\n\
         p22 = newstr(i3)\nstrsetitem(p22, 0, 65)\ni23 = strgetitem(p22, 0)\ni24 = unicodelen(p22)\n\
         copystrcontent(p22, p22, 0, 1, 2)\ni25 = strhash(p22)\n\
         debug_merge_point(0, 0, 'f;a.py:1-2~#4 LOAD_FAST (x) = [y]')\nenter_portal_frame(14, 5064)\n\
         i26 = call_pure_i(ConstClass(f), i1, descr=<Calli 8 i EF=0>)\n\
         call_may_force_n(ConstClass(g), p0, descr=<Callv 0 r EF=7>)\nguard_not_forced()\nguard_no_exception()\n\
         cond_call(i10, 140498305417808, p0, descr=<Callv 0 r EF=2 OS=121>)\n\
         p27 = force_token()\np28 = virtual_ref(p0, 0)\nvirtual_ref_finish(p28, ConstPtr(null))\n\
         quasiimmut_field(ConstPtr(ptr29), descr=<QuasiImmutDescr object at 0x7f7b3578c1a0>)\nguard_not_invalidated()\n\
         finish(i26, descr=<DoneWithThisFrameDescrInt object at 0x7fbb0d13d6c0>)\n",
    );
}

#[test]
fn labels_bridges_and_jumps_elsewhere_come_back() {
    comes_back(
        "[p0, i1]\ni2 = getfield_gc_i(p0, descr=<FieldS list.length 8>)\nlabel(p0, i1, i2, descr=TargetToken(1))\n\
         i3 = int_add(i1, i2)\nlabel(p0, i3, i2, descr=TargetToken(2))\ni4 = int_add(i3, 1)\n\
         jump(p0, i4, i2, descr=TargetToken(2))\n",
    );
    comes_back("[i0]\ni1 = int_add(i0, 1)\njump(i1, 7, descr=<Loop3>)\n");
    comes_back("[]\nlabel(p1, i2)\nguard_nonnull(p1)\njump(i2)\n");
    comes_back("[i0]\nguard_always_fails() [i0]\n");
}

#[test]
fn an_unknown_operation_stays_as_it_was() {
    comes_back("[i0]\ni1 = frobnicate(i0, descr=<X 1>)\nhibernate()\nfinish(i1)\n");
}

#[test]
fn copies_are_what_they_copy() {
    let out = back(
        there("[i0]\ni1 = same_as_i(i0)\ni2 = int_neg(i1)\njump(i1)\n", true),
        lower::Options::default(),
    );
    assert_eq!(out.unwrap(), "[i0]\ni2 = int_neg(i0)\njump(i0)\n");
}

/// Six decimals are not the number, so two equal texts are two unknown numbers.
#[test]
fn floats_of_a_log_are_not_the_numbers_that_they_print() {
    let text = "[f0]\nf1 = float_add(f0, 0.000000)\nf2 = float_add(f0, 0.000000)\njump(f2)\n";
    let operands = |log: bool| -> Vec<Value> {
        let there = there(text, log);
        let f = &there.lifted.function;
        f.live_insts().map(|(_, inst)| f.args(inst)[1]).collect()
    };
    let (log, alone) = (operands(true), operands(false));
    assert_ne!(log[0], log[1]);
    assert_eq!(alone[0], alone[1]);
    comes_back(text);
}

/// Equal names are equal objects, and nothing is known of different ones.
#[test]
fn a_pointer_constant_is_its_name() {
    let there = there(
        "[p0]\ni1 = ptr_eq(ConstPtr(ptr1), ConstPtr(ptr2))\ni2 = ptr_eq(p0, ConstPtr(ptr1))\njump(p0)\n",
        true,
    );
    let f = &there.lifted.function;
    let args: Vec<&[Value]> = f.live_insts().map(|(_, inst)| f.args(inst)).collect();
    assert_ne!(args[0][0], args[0][1]);
    assert_eq!(args[0][0], args[1][1]);
}

#[test]
fn calls_are_written_plain_behind_the_optimizer() {
    let text = "[i0]\ni1 = call_pure_i(7, i0, descr=d)\ni2 = call_loopinvariant_i(8, descr=d)\njump(i2)\n";
    let options = lower::Options { behind_optimizer: true, ..lower::Options::default() };
    assert_eq!(
        back(there(text, false), options).unwrap(),
        "[i0]\ni1 = call_i(7, i0, descr=d)\ni2 = call_i(8, descr=d)\njump(i2)\n"
    );
}

/// The table masks shift amounts, PyPy does not define them: what the source does not vouch for is masked.
#[test]
fn an_amount_that_may_be_too_large_is_masked_again() {
    let out = written(&one_operation(Op::Lshift, &[Type::I64, Type::I64], Type::I64)).unwrap();
    assert_eq!(out, "[i0, i1]\ni2 = int_and(i1, 63)\ni3 = int_lshift(i0, i2)\nfinish(i3)\n");
    comes_back("[i0, i1]\ni2 = int_lshift(i0, i1)\njump(i0, i2)\n");
    let mut there = there("[i0, i1]\ni2 = int_lshift(i0, i1)\njump(i0, i2)\n", true);
    let known = lower::Options { amount_fits: &|_| true, ..lower::Options::default() };
    there.lifted.origin.amounts.clear();
    let copy = There {
        lifted: Lifted { function: there.lifted.function.clone(), origin: there.lifted.origin.clone() },
        module: there.module.clone(),
        texts: there.texts.clone(),
    };
    assert!(back(copy, lower::Options::default()).unwrap().contains("int_and(i1, 63)"));
    assert!(!back(there, known).unwrap().contains("int_and"));
}

/// What stands between an overflow operation and its guard does not part them in the text.
#[test]
fn an_overflow_operation_stands_before_its_guard_again() {
    let mut b = Builder::new("f", &[Type::I64]);
    let entry = b.block("entry");
    let (x, y) = (b.param(entry, Type::I64), b.param(entry, Type::I64));
    b.at(entry);
    let sum = b.inst(Op::AddOvf, &[x, y], &[], None, None);
    let (value, bit) = {
        let mut results = b.function().results(sum);
        (results.next().unwrap(), results.next().unwrap())
    };
    let more = b.op(Op::Neg, &[value]);
    let exit = b.exit(ExitTarget::Leave(0), &[x]);
    b.inst(Op::GuardFalse, &[bit], &[], None, Some(exit));
    b.ret(&[more]);
    assert_eq!(
        written(&b.finish()).unwrap(),
        "[i0, i1]\ni2 = int_add(i0, i1)\ni3 = int_neg(i2)\ni4 = int_add_ovf(i0, i1)\nguard_no_overflow() [i0]\nfinish(i3)\n"
    );
}

#[test]
fn operations_that_traces_lack_are_made_of_others() {
    let two = [Type::I64, Type::I64];
    let out = |op| written(&one_operation(op, &two, Type::I64)).unwrap();
    assert_eq!(
        out(Op::Min),
        "[i0, i1]\ni2 = int_lt(i0, i1)\ni3 = int_xor(i0, i1)\ni4 = int_neg(i2)\ni5 = int_and(i3, i4)\n\
         i6 = int_xor(i1, i5)\nfinish(i6)\n"
    );
    assert!(out(Op::Rotl).contains("uint_rshift"));
    assert!(out(Op::Smulh).contains("uint_mul_high"));
    let null = written(&one_operation(Op::IsNull, &[Type::Ref], Type::I64)).unwrap();
    assert_eq!(null, "[p0]\ni1 = ptr_eq(p0, NULL)\nfinish(i1)\n");
}

#[test]
fn what_a_trace_cannot_say_is_refused() {
    let division = written(&one_operation(Op::Sdiv, &[Type::I64, Type::I64], Type::I64)).unwrap_err();
    assert_eq!(
        division.message,
        "`sdiv` cannot stand in a trace: a trace divides by calling a function, whose address is not known here"
    );
    let narrow = written(&one_operation(Op::Add, &[Type::I32, Type::I32], Type::I32)).unwrap_err();
    assert_eq!(narrow.message, "a trace has no values of type i32");
    let mut b = Builder::new("f", &[]);
    let (entry, then, other) = (b.block("entry"), b.block("then"), b.block("other"));
    let x = b.param(entry, Type::I64);
    b.at(entry);
    b.branch(x, then, other);
    let branches = written(&b.finish()).unwrap_err();
    assert_eq!(branches.message, "a trace is one straight line, and this function branches");
}

/// A function uses any value that dominates; a trace passes it through every label on the way.
#[test]
fn a_value_used_behind_a_label_becomes_an_argument_of_it() {
    let mut b = Builder::new("f", &[]);
    let (entry, head) = (b.block("entry"), b.block("loop"));
    let x = b.param(entry, Type::I64);
    b.at(entry);
    let twice = b.op(Op::Add, &[x, x]);
    b.jump(head, &[x]);
    let i = b.param(head, Type::I64);
    b.at(head);
    let next = b.op(Op::Add, &[i, twice]);
    b.jump(head, &[next]);
    assert_eq!(
        written(&b.finish()).unwrap(),
        "[i0]\ni1 = int_add(i0, i0)\nlabel(i0, i1)\ni2 = int_add(i0, i1)\njump(i2, i1)\n"
    );
}

/// What is handed to a label has one name there: constants and repetitions are copied.
#[test]
fn a_label_renames_constants_and_repetitions() {
    let mut b = Builder::new("f", &[]);
    let (entry, head) = (b.block("entry"), b.block("loop"));
    let x = b.param(entry, Type::I64);
    b.at(entry);
    let seven = b.int(Type::I64, 7);
    b.jump(head, &[x, x, seven]);
    let params: Vec<Value> = (0..3).map(|_| b.param(head, Type::I64)).collect();
    b.at(head);
    b.jump(head, &params);
    assert_eq!(
        written(&b.finish()).unwrap(),
        "[i0]\ni1 = same_as_i(i0)\ni2 = same_as_i(7)\nlabel(i0, i1, i2)\njump(i0, i1, i2)\n"
    );
}

/// An input that the loop hands on unchanged need not be a parameter of the function's loop.
#[test]
fn an_input_that_the_loop_uses_as_it_is_keeps_its_place() {
    let mut b = Builder::new("f", &[]);
    let (entry, head) = (b.block("entry"), b.block("loop"));
    let (x, y) = (b.param(entry, Type::I64), b.param(entry, Type::I64));
    b.at(entry);
    b.jump(head, &[y]);
    let i = b.param(head, Type::I64);
    b.at(head);
    let next = b.op(Op::Add, &[i, x]);
    b.jump(head, &[next]);
    assert_eq!(written(&b.finish()).unwrap(), "[i0, i1]\ni2 = int_add(i1, i0)\njump(i0, i2)\n");
}

/// A parameter that always is what was handed over at first is that value, under one name.
#[test]
fn a_value_that_is_carried_around_unchanged_has_one_name() {
    let mut b = Builder::new("f", &[]);
    let (entry, head) = (b.block("entry"), b.block("loop"));
    let (x, y) = (b.param(entry, Type::I64), b.param(entry, Type::I64));
    b.at(entry);
    b.jump(head, &[x, y]);
    let (_, i) = (b.param(head, Type::I64), b.param(head, Type::I64));
    b.at(head);
    let next = b.op(Op::Add, &[i, x]);
    b.jump(head, &[x, next]);
    assert_eq!(written(&b.finish()).unwrap(), "[i0, i1]\ni2 = int_add(i1, i0)\njump(i0, i2)\n");
}

#[test]
fn vectors_are_refused_with_the_line() {
    let source = SourceText::new("t", "[p0, i1]\nv2[4xi32] = vec_load_i(p0, i1, 4, 0)\njump(p0, i1)\n");
    let (file, _) = read::read(&source);
    let (mut module, mut words, mut errors) = (Module::new(), Vocabulary::new(), Diagnostics::new());
    let mut lifter = Lifter::new(
        &mut module,
        &file.texts,
        &mut words,
        Options { log: false, expand_virtual_refs: false, ..Options::default() },
    );
    assert!(lifter.lift("t", &file.sections[0].trace, &mut errors).is_none());
    let error = errors.iter().next().unwrap();
    assert!(error.headline(&source).starts_with("t:2:1: error: operations on vectors"));
}

/// A descriptor says what it can of its location.
#[test]
fn descriptors_carry_what_the_text_says() {
    let there = there(
        "[p0]\ni1 = getfield_gc_i(p0, descr=<FieldS a.b 8>)\ni2 = getarrayitem_gc_i(p0, 0, descr=<ArrayU 2>)\njump(p0)\n",
        true,
    );
    let sizes: Vec<Option<u8>> = there
        .module
        .descriptors
        .iter()
        .filter_map(|(_, _, descriptor)| match descriptor {
            Descriptor::Location(location) => Some(location.stored_bits),
            _ => None,
        })
        .collect();
    assert_eq!(sizes, [None, Some(16)]);
}

/// What an expansion computes is what the operation means, at the edges and at random.
#[test]
fn expansions_mean_the_operation() {
    let word = |value: i64| Datum::<Machine>::Word(Int::new(64, value as u64));
    let mut samples = vec![0, 1, -1, 2, 63, 64, 65, i64::MIN, i64::MAX, i64::MIN + 1, 0x1234_5678_9abc_def0];
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    samples.extend(
        std::iter::repeat_with(|| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state as i64
        })
        .take(9),
    );
    for op in [Op::Min, Op::Max, Op::Umin, Op::Umax, Op::Smulh, Op::Rotl, Op::Rotr, Op::Abs, Op::Select] {
        let inputs = vec![Type::I64; op.row().operands.len()];
        let text = written(&one_operation(op, &inputs, Type::I64)).unwrap();
        let expanded = there(&text, false).lifted.function;
        for &x in &samples {
            for &y in &samples {
                let args = [word(x), word(y), word(x ^ 5)];
                let meant = fold(op, &args[..inputs.len()], &[Type::I64]);
                assert_eq!(evaluate(&expanded, &args), meant, "{op}({x}, {y})");
            }
        }
    }
    // The overflow bit, used as a number.
    for op in [Op::AddOvf, Op::SubOvf, Op::MulOvf] {
        let mut b = Builder::new("f", &[Type::I64]);
        let entry = b.block("entry");
        let (x, y) = (b.param(entry, Type::I64), b.param(entry, Type::I64));
        b.at(entry);
        let inst = b.inst(op, &[x, y], &[], None, None);
        let bit = b.function().results(inst).nth(1).unwrap();
        let wide = b.op_as(Op::Zext, &[bit], Type::I64);
        b.ret(&[wide]);
        let expanded = there(&written(&b.finish()).unwrap(), false).lifted.function;
        for &x in &samples {
            for &y in &samples {
                let args = [word(x), word(y)];
                let Some(Fold::Pair(_, flag)) = fold(op, &args, &[Type::I64, Type::I1]) else { panic!() };
                assert_eq!(
                    evaluate(&expanded, &args),
                    Some(Fold::Int(Int::new(64, flag.unsigned()))),
                    "{op}({x}, {y})"
                );
            }
        }
    }
}

/// Runs a straight line of pure operations on words; the result of its `finish`.
fn evaluate(function: &Function, inputs: &[Datum<Machine>]) -> Option<Fold> {
    let mut values: Vec<Option<Datum<Machine>>> = vec![None; function.value_count()];
    for (&param, &input) in function.params().iter().zip(inputs) {
        values[param.index()] = Some(input);
    }
    let get = |values: &[Option<Datum<Machine>>], value: Value| match function.int_constant(value) {
        Some(int) => Datum::Word(int),
        None => values[value.index()].expect("defined before"),
    };
    for &inst in function.block_insts(function.entry()) {
        if function.inst(inst).op == Op::Marker {
            continue;
        }
        let args: Vec<Datum<Machine>> = function.args(inst).iter().map(|&arg| get(&values, arg)).collect();
        match fold(function.inst(inst).op, &args, &[Type::I64]) {
            Some(Fold::Int(int)) => values[function.result(inst).index()] = Some(Datum::Word(int)),
            other => panic!("{other:?}"),
        }
    }
    let Terminator::Return(results) = function.terminator(function.entry()) else { panic!() };
    match get(&values, function.list(*results)[0]) {
        Datum::Word(int) => Some(Fold::Int(int)),
        Datum::Float(_) => None,
    }
}

/// What PyPy makes of a virtual reference: an object with the frame's token and no referent yet.
#[test]
fn virtual_references_are_objects_when_they_are_to_be_optimized() {
    let source = SourceText::new(
        "t",
        "[p0]\np1 = virtual_ref(p0, 0)\nescape_n(p1)\nvirtual_ref_finish(p1, p0)\njump(p0)\n",
    );
    let (mut file, _) = read::read(&source);
    let (mut module, mut words, mut errors) = (Module::new(), Vocabulary::new(), Diagnostics::new());
    let options = Options { log: true, expand_virtual_refs: true, ..Options::default() };
    let lifted = Lifter::new(&mut module, &file.texts, &mut words, options).lift(
        "t",
        &file.sections[0].trace,
        &mut errors,
    );
    let Lifted { function, origin } = lifted.unwrap();
    let trace = lower(&function, &module, &origin, lower::Options::default(), &mut file.texts).unwrap();
    let mut out = String::new();
    write::trace(&trace, &file.texts, &mut out);
    assert_eq!(
        out,
        "[p0]\np2 = force_token()\np1 = new_with_vtable(descr=<SizeDescr 24>)\n\
         setfield_gc(p1, p2, descr=<FieldP JitVirtualRef.virtual_token 8>)\n\
         setfield_gc(p1, ConstPtr(null), descr=<FieldP JitVirtualRef.forced 16>)\nescape_n(p1)\n\
         setfield_gc(p1, p0, descr=<FieldP JitVirtualRef.forced 16>)\n\
         setfield_gc(p1, ConstPtr(null), descr=<FieldP JitVirtualRef.virtual_token 8>)\njump(p0)\n"
    );
}
