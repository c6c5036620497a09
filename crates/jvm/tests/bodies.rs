//! Bodies go to SSA and come back, verified, and only better ones are taken.

use planish_classfile::builder::CodeBuilder;
use planish_classfile::code::{CodeAttribute, CodeBody};
use planish_classfile::debug::LocalVariable;
use planish_classfile::frame::{Form, VerificationType};
use planish_classfile::{Body, ClassFile, Code, ConstantPool, Flags, Insn, Kind, Opcode};
use planish_ir::Function;
use planish_ir::text::{Options, write_function};
use planish_jvm::bodies::known::Known;
use planish_jvm::bodies::{Optimizer, Plain, Report, rewrite_class};
use planish_jvm_ir::lift;
use planish_jvm_ir::lower::Target;
use planish_jvm_ir::naming::Names;
use planish_jvm_model::hierarchy::{Hierarchy, Origin};
use planish_jvm_model::vtype::TypeContext;
use planish_ops::world::World;
use planish_pass::Record;

const OBJECT: &[u8] = b"java/lang/Object";

fn nothing(_: &mut Function, _: &dyn World) {}

type Build = fn(&mut CodeBuilder, &mut ConstantPool<'static>);

/// A class of static methods with these descriptors and bodies.
fn class(methods: &[(&str, Build)]) -> Vec<u8> {
    let mut class = ClassFile::new(52, Flags::PUBLIC | Flags::SUPER, b"Test", Some(OBJECT)).unwrap();
    class.add_field(Flags::PRIVATE | Flags::STATIC, b"total", b"J").unwrap();
    for (index, (descriptor, build)) in methods.iter().enumerate() {
        let mut code = CodeBuilder::new();
        build(&mut code, &mut class.pool);
        let ty = planish_classfile::descriptor::MethodType::parse(descriptor.as_bytes()).unwrap();
        let code = code.finish(ty.parameter_slots(), &mut class.pool).unwrap();
        let name = format!("m{index}");
        class.add_method(Flags::STATIC, name.as_bytes(), descriptor.as_bytes(), Some(&code)).unwrap();
    }
    class.to_bytes().unwrap()
}

fn hierarchy() -> Hierarchy {
    let mut hierarchy = Hierarchy::new();
    for (name, extends) in [
        (OBJECT, None),
        (b"java/lang/Throwable", Some(OBJECT)),
        (b"java/lang/ArithmeticException", Some(b"java/lang/Throwable")),
        (b"java/lang/String", Some(OBJECT)),
    ] {
        let file = ClassFile::new(52, Flags::PUBLIC, name, extends).unwrap().to_bytes().unwrap();
        hierarchy.add(&file, Origin::Platform).unwrap();
    }
    hierarchy
}

fn code_of(file: &[u8], index: usize) -> Code {
    let class = ClassFile::read(file).unwrap();
    let attribute = class.methods[index].attribute(&class.pool, Kind::Code).unwrap();
    let Ok(Some(Body::Code(bytes))) = attribute.decode(&class.pool) else { panic!("there is a body") };
    Code::read(&bytes, &class.pool).unwrap()
}

fn ops(code: &Code) -> Vec<Opcode> {
    code.instructions.iter().map(|instruction| instruction.op).collect()
}

/// The lifted form of the only method of a class.
fn lifted(descriptor: &str, build: Build) -> String {
    let file = class(&[(descriptor, build)]);
    let class = ClassFile::read(&file).unwrap();
    let mut names = Names::new(&class);
    let hierarchy = hierarchy();
    let mut context = TypeContext::new(&hierarchy);
    let target = Target {
        class: b"Test",
        super_class: Some(OBJECT),
        name: b"m",
        descriptor: descriptor.as_bytes(),
        is_static: true,
    };
    let code = code_of(&file, 0);
    let function = lift::lift(&code, &target.info(&class.pool), &mut names, &mut context).unwrap();
    write_function(&names.module, &function, Options::default())
}

fn power(code: &mut CodeBuilder, _: &mut ConstantPool<'static>) {
    let [top, even, end] = [(); 3].map(|()| code.label());
    code.op(Opcode::Iconst1).local(Opcode::Istore, 2);
    code.bind(top).frame(Form::Append(vec![VerificationType::Integer]));
    code.local(Opcode::Iload, 1).jump(Opcode::Ifle, end);
    code.local(Opcode::Iload, 1).op(Opcode::Iconst1).op(Opcode::Iand).jump(Opcode::Ifeq, even);
    code.local(Opcode::Iload, 2).local(Opcode::Iload, 0).op(Opcode::Imul).local(Opcode::Istore, 2);
    code.bind(even).frame(Form::Same);
    code.local(Opcode::Iload, 0).local(Opcode::Iload, 0).op(Opcode::Imul).local(Opcode::Istore, 0);
    code.local(Opcode::Iload, 1).op(Opcode::Iconst1).op(Opcode::Ishr).local(Opcode::Istore, 1);
    code.jump(Opcode::Goto, top);
    code.bind(end).frame(Form::Same).local(Opcode::Iload, 2).op(Opcode::Ireturn);
}

fn divide_or_minus_one(code: &mut CodeBuilder, pool: &mut ConstantPool<'static>) {
    let [start, end, handler] = [(); 3].map(|()| code.label());
    let class = pool.add_class(b"java/lang/ArithmeticException").unwrap();
    code.op(Opcode::IconstM1).local(Opcode::Istore, 2);
    code.bind(start).local(Opcode::Iload, 0).local(Opcode::Iload, 1).op(Opcode::Idiv);
    code.local(Opcode::Istore, 2).local(Opcode::Iload, 2).local(Opcode::Iload, 0).op(Opcode::Irem);
    code.bind(end).op(Opcode::Ireturn);
    let thrown = VerificationType::Object(class);
    code.bind(handler).frame(Form::Full { locals: vec![VerificationType::Integer; 3], stack: vec![thrown] });
    code.op(Opcode::Pop).local(Opcode::Iload, 2).op(Opcode::Ireturn);
    code.handler(start, end, handler, class);
}

const SAMPLES: &[(&str, Build)] = &[
    ("(II)I", power),
    ("(II)I", divide_or_minus_one),
    ("(JJ)J", |code, pool| {
        // total += a < b ? a << 3 : b; return total
        let [other, end] = [(); 2].map(|()| code.label());
        let field: [&[u8]; 3] = [b"Test", b"total", b"J"];
        code.field(Opcode::Getstatic, field, pool).unwrap();
        code.local(Opcode::Lload, 0).local(Opcode::Lload, 2).op(Opcode::Lcmp).jump(Opcode::Ifge, other);
        code.local(Opcode::Lload, 0).op(Opcode::Iconst3).op(Opcode::Lshl).jump(Opcode::Goto, end);
        code.bind(other).frame(Form::Stack1(VerificationType::Long)).local(Opcode::Lload, 2);
        let long = VerificationType::Long;
        code.bind(end).frame(Form::Full { locals: vec![long; 2], stack: vec![long; 2] });
        code.op(Opcode::Ladd).field(Opcode::Putstatic, field, pool).unwrap();
        code.field(Opcode::Getstatic, field, pool).unwrap().op(Opcode::Lreturn);
    }),
    ("(I)I", |code, _| {
        let [one, two, other] = [(); 3].map(|()| code.label());
        code.local(Opcode::Iload, 0).switch(other, &[(1, one), (2, two), (1000, one)]);
        code.bind(one).frame(Form::Same).op(Opcode::Iconst1).op(Opcode::Ireturn);
        code.bind(two).frame(Form::Same).local(Opcode::Iload, 0).op(Opcode::I2b).op(Opcode::Ireturn);
        code.bind(other).frame(Form::Same).local(Opcode::Iload, 0).op(Opcode::I2c).op(Opcode::Ireturn);
    }),
    ("(FFD)I", |code, _| {
        let no = code.label();
        code.local(Opcode::Fload, 0).local(Opcode::Fload, 1).op(Opcode::Fcmpg).jump(Opcode::Ifge, no);
        code.local(Opcode::Dload, 2).op(Opcode::D2i).op(Opcode::Ireturn);
        code.bind(no).frame(Form::Same).local(Opcode::Fload, 1).op(Opcode::F2l).op(Opcode::L2i);
        code.op(Opcode::Ireturn);
    }),
    ("([II)V", |code, _| {
        // a[i]++ by dup2
        code.local(Opcode::Aload, 0).local(Opcode::Iload, 1).op(Opcode::Dup2).op(Opcode::Iaload);
        code.op(Opcode::Iconst1).op(Opcode::Iadd).op(Opcode::Iastore).op(Opcode::Return);
    }),
    ("(I)Ljava/lang/Object;", |code, pool| {
        let throw = code.label();
        code.local(Opcode::Iload, 0).jump(Opcode::Ifne, throw);
        code.class(Opcode::New, OBJECT, pool).unwrap().op(Opcode::Dup);
        code.call(Opcode::Invokespecial, [OBJECT, b"<init>", b"()V"], pool).unwrap().op(Opcode::Areturn);
        code.bind(throw).frame(Form::Same);
        let class: &[u8] = b"java/lang/ArithmeticException";
        code.class(Opcode::New, class, pool).unwrap().op(Opcode::Dup);
        code.call(Opcode::Invokespecial, [class, b"<init>", b"()V"], pool).unwrap().op(Opcode::Athrow);
    }),
];

/// S3.37: the graph becomes bytecode again, which verifies.
#[test]
fn every_sample_comes_back_and_none_gets_worse() {
    let file = class(SAMPLES);
    let mut report = Report::default();
    rewrite_class(&file, &hierarchy(), &Known::default(), &mut Plain::new(nothing), &mut report).unwrap();
    assert!(report.refused.is_empty(), "{:?}", report.refused);
    assert_eq!(report.improved + report.kept, SAMPLES.len() as u64);
    assert!(report.instructions.1 <= report.instructions.0);
}

/// S3.18, S3.20: locals and stack become values, with edges from each to its uses.
#[test]
fn a_loop_is_lifted_to_block_parameters() {
    let text = lifted("(II)I", power);
    for operation in ["le(", "and(", "mul(", "rshift("] {
        assert!(text.contains(operation), "{text}");
    }
    assert!(!text.contains("call"), "{text}");
}

/// S3.46: exceptions and their handlers.
/// S3.18, S3.20
#[test]
fn a_guarded_division_owns_an_exit_with_what_the_handler_reads() {
    let text = lifted("(II)I", divide_or_minus_one);
    let exits: Vec<&str> = text.lines().filter(|line| line.contains(" else to")).collect();
    assert_eq!(exits.len(), 2, "{text}");
    assert!(exits[0].contains("sdiv") && exits[0].contains("to(-1"), "{text}");
    assert!(exits[1].contains("srem"), "{text}");
}

#[test]
fn what_was_made_before_a_guarded_range_is_not_passed_to_its_handlers() {
    let text = lifted("(II)I", |code, pool| {
        let [start, end, handler] = [(); 3].map(|()| code.label());
        let class = pool.add_class(b"java/lang/ArithmeticException").unwrap();
        code.local(Opcode::Iload, 0).local(Opcode::Iload, 0).op(Opcode::Imul).local(Opcode::Istore, 2);
        code.bind(start).local(Opcode::Iload, 0).local(Opcode::Iload, 1).op(Opcode::Idiv).op(Opcode::Ireturn);
        code.bind(end).bind(handler);
        let stack = vec![VerificationType::Object(class)];
        code.frame(Form::Full { locals: vec![VerificationType::Integer; 3], stack });
        code.op(Opcode::Pop).local(Opcode::Iload, 2).op(Opcode::Ireturn);
        code.handler(start, end, handler, class);
    });
    let exit = text.lines().find(|line| line.contains("sdiv")).unwrap();
    assert!(exit.contains(" else to [") && text.contains("(v4: ref):"), "{text}");
}

#[test]
fn a_choice_comes_on_the_stack() {
    let file = class(&[("(I)I", |code, _| {
        let [other, end] = [(); 2].map(|()| code.label());
        code.local(Opcode::Iload, 0).jump(Opcode::Ifeq, other);
        code.op(Opcode::Iconst1).local(Opcode::Istore, 1).jump(Opcode::Goto, end);
        code.bind(other).frame(Form::Same).op(Opcode::Iconst2).local(Opcode::Istore, 1);
        code.bind(end).frame(Form::Append(vec![VerificationType::Integer]));
        code.local(Opcode::Iload, 1).op(Opcode::Ireturn);
    })]);
    let mut report = Report::default();
    let changed =
        rewrite_class(&file, &hierarchy(), &Known::default(), &mut Plain::new(nothing), &mut report)
            .unwrap()
            .unwrap();
    let arms = [Opcode::Iconst1, Opcode::Ireturn, Opcode::Iconst2, Opcode::Ireturn];
    assert_eq!(ops(&code_of(&changed, 0)), [&[Opcode::Iload0, Opcode::Ifeq][..], &arms].concat());
}

#[test]
fn a_null_check_leaves_nothing_on_the_stack() {
    let file = class(&[("(Ljava/lang/Object;)I", |code, pool| {
        code.local(Opcode::Aload, 0).local(Opcode::Astore, 1).local(Opcode::Aload, 1);
        code.call(Opcode::Invokevirtual, [OBJECT, b"getClass", b"()Ljava/lang/Class;"], pool).unwrap();
        code.op(Opcode::Pop).op(Opcode::Iconst1).op(Opcode::Ireturn);
    })]);
    let mut report = Report::default();
    let changed =
        rewrite_class(&file, &hierarchy(), &Known::default(), &mut Plain::new(nothing), &mut report)
            .unwrap()
            .unwrap();
    let check = [Opcode::Aload0, Opcode::Invokevirtual, Opcode::Pop, Opcode::Iconst1, Opcode::Ireturn];
    assert_eq!(ops(&code_of(&changed, 0)), check);
}

/// HotSpot refuses a switch without cases that ends a method, as one of a loop may.
#[test]
fn a_switch_without_cases_is_a_jump() {
    let file = class(&[("(I)I", |code, _| {
        let after = code.label();
        code.local(Opcode::Iload, 0).local(Opcode::Istore, 1).local(Opcode::Iload, 1).switch(after, &[]);
        code.bind(after).frame(Form::Append(vec![VerificationType::Integer]));
        code.local(Opcode::Iload, 1).op(Opcode::Ireturn);
    })]);
    let mut report = Report::default();
    let changed =
        rewrite_class(&file, &hierarchy(), &Known::default(), &mut Plain::new(nothing), &mut report)
            .unwrap()
            .unwrap();
    assert!(!ops(&code_of(&changed, 0)).contains(&Opcode::Lookupswitch));
}

/// Holds what is written against what it was written of, by the operations.
struct Reads(Record);

impl Optimizer for Reads {
    fn record(&mut self) -> &mut Record {
        &mut self.0
    }

    fn optimize(&mut self, _: &mut Function, _: &Names) -> Result<(), String> {
        Ok(())
    }

    fn compares(&self) -> bool {
        true
    }

    fn compare(&mut self, before: &Function, after: &Function, _: &Names, _: bool) -> Result<(), String> {
        let ops = |f: &Function| f.live_insts().map(|(_, inst)| f.inst(inst).op).collect::<Vec<_>>();
        if ops(before) == ops(after) { Ok(()) } else { Err(format!("{:?}, {:?}", ops(before), ops(after))) }
    }
}

#[test]
fn a_class_that_nobody_wants_is_read_again_as_the_check_that_was_written() {
    let file = class(&[("(Ljava/lang/Object;)I", |code, pool| {
        code.local(Opcode::Aload, 0);
        code.call(Opcode::Invokevirtual, [OBJECT, b"getClass", b"()Ljava/lang/Class;"], pool).unwrap();
        code.local(Opcode::Astore, 1).op(Opcode::Iconst1).local(Opcode::Istore, 2);
        code.local(Opcode::Iload, 2).op(Opcode::Ireturn);
    })]);
    let mut report = Report::default();
    let changed =
        rewrite_class(&file, &hierarchy(), &Known::default(), &mut Reads(Record::new()), &mut report)
            .unwrap();
    assert!(report.broken.is_empty(), "{:?}", report.broken);
    let check = [Opcode::Aload0, Opcode::Invokevirtual, Opcode::Pop, Opcode::Iconst1, Opcode::Ireturn];
    assert_eq!(ops(&code_of(&changed.unwrap(), 0)), check);
}

#[test]
fn a_copy_is_made_below_what_a_store_takes_with_it() {
    // y = g(x); f(x, y); return y
    let file = class(&[("(I)J", |code, pool| {
        let [g, f]: [[&[u8]; 3]; 2] = [[b"Test", b"g", b"(I)J"], [b"Test", b"f", b"(IJ)V"]];
        code.local(Opcode::Iload, 0).call(Opcode::Invokestatic, g, pool).unwrap().local(Opcode::Lstore, 1);
        code.local(Opcode::Iload, 0).local(Opcode::Lload, 1).call(Opcode::Invokestatic, f, pool).unwrap();
        code.local(Opcode::Lload, 1).op(Opcode::Lreturn);
    })]);
    let mut report = Report::default();
    let changed =
        rewrite_class(&file, &hierarchy(), &Known::default(), &mut Plain::new(nothing), &mut report)
            .unwrap()
            .unwrap();
    let calls = [Opcode::Iload0, Opcode::Iload0, Opcode::Invokestatic, Opcode::Dup2X1, Opcode::Invokestatic];
    assert_eq!(ops(&code_of(&changed, 0)), [&calls[..], &[Opcode::Lreturn]].concat());
}

#[test]
fn what_handlers_need_is_stored_once() {
    // Both arms call with the same flag for the handler.
    let file = class(&[("(II)I", |code, pool| {
        let [start, other, end, handler] = [(); 4].map(|()| code.label());
        let g: [&[u8]; 3] = [b"Test", b"g", b"()I"];
        let class = pool.add_class(b"java/lang/ArithmeticException").unwrap();
        code.bind(start).local(Opcode::Iload, 0).local(Opcode::Iload, 1).op(Opcode::Idiv);
        code.local(Opcode::Istore, 2).local(Opcode::Iload, 2).jump(Opcode::Ifeq, other);
        code.call(Opcode::Invokestatic, g, pool).unwrap().op(Opcode::Ireturn);
        let ints = |count| vec![VerificationType::Integer; count];
        code.bind(other).frame(Form::Full { locals: ints(3), stack: vec![] });
        code.call(Opcode::Invokestatic, g, pool).unwrap().op(Opcode::Pop);
        code.call(Opcode::Invokestatic, g, pool).unwrap().op(Opcode::Ireturn);
        let stack = vec![VerificationType::Object(class)];
        code.bind(end).bind(handler).frame(Form::Full { locals: ints(2), stack });
        code.op(Opcode::Pop).local(Opcode::Iload, 1).op(Opcode::Ireturn);
        code.handler(start, end, handler, class);
    })]);
    let mut report = Report::default();
    let changed =
        rewrite_class(&file, &hierarchy(), &Known::default(), &mut Plain::new(nothing), &mut report);
    let code = code_of(&changed.unwrap().unwrap_or(file), 0);
    assert!(report.refused.is_empty(), "{:?}", report.refused);
    let stores = ops(&code).iter().filter(|op| (Opcode::Istore0..=Opcode::Istore3).contains(op)).count();
    assert_eq!(stores, 0, "{:?}", ops(&code));
}

#[test]
fn copies_vanish_and_the_shorter_body_is_taken() {
    let file = class(&[("(I)I", |code, _| {
        code.local(Opcode::Iload, 0).local(Opcode::Istore, 1).local(Opcode::Iload, 1);
        code.local(Opcode::Istore, 2).local(Opcode::Iload, 2).op(Opcode::Ireturn);
    })]);
    let mut report = Report::default();
    let changed =
        rewrite_class(&file, &hierarchy(), &Known::default(), &mut Plain::new(nothing), &mut report)
            .unwrap()
            .unwrap();
    assert_eq!(ops(&code_of(&changed, 0)), [Opcode::Iload0, Opcode::Ireturn]);
    assert_eq!((report.instructions, report.improved), ((6, 2), 1));
}

#[test]
fn a_body_that_does_not_get_better_keeps_its_bytes_and_the_pool() {
    let file = class(&SAMPLES[3..4]);
    let mut report = Report::default();
    assert_eq!(
        rewrite_class(&file, &hierarchy(), &Known::default(), &mut Plain::new(nothing), &mut report).unwrap(),
        None
    );
    assert_eq!(report.kept, 1);
}

#[test]
fn what_cannot_be_lifted_is_named_with_an_example() {
    let file = class(&[("(F)I", |code, _| {
        code.local(Opcode::Iload, 0).op(Opcode::Ireturn);
    })]);
    let mut report = Report::default();
    assert_eq!(
        rewrite_class(&file, &hierarchy(), &Known::default(), &mut Plain::new(nothing), &mut report).unwrap(),
        None
    );
    let (reason, (count, example)) = report.refused.iter().next().unwrap();
    assert_eq!((reason.as_str(), *count), ("local 0 is float instead of int", 1));
    assert_eq!(example, "Test.m0(F)I");
}

#[test]
fn operands_of_calls_are_pushed_below_the_results_of_others() {
    // f(x, g(y)): x has to lie below what g gives.
    let file = class(&[("(II)I", |code, pool| {
        let g: [&[u8]; 3] = [b"Test", b"g", b"(I)I"];
        code.local(Opcode::Iload, 1).call(Opcode::Invokestatic, g, pool).unwrap().local(Opcode::Istore, 2);
        code.local(Opcode::Iload, 0).local(Opcode::Iload, 2);
        let f: [&[u8]; 3] = [b"Test", b"f", b"(II)I"];
        code.call(Opcode::Invokestatic, f, pool).unwrap().op(Opcode::Ireturn);
    })]);
    let mut report = Report::default();
    let changed =
        rewrite_class(&file, &hierarchy(), &Known::default(), &mut Plain::new(nothing), &mut report)
            .unwrap()
            .unwrap();
    let code = code_of(&changed, 0);
    let calls = [Opcode::Iload0, Opcode::Iload1, Opcode::Invokestatic, Opcode::Invokestatic, Opcode::Ireturn];
    assert_eq!(ops(&code), calls);
    assert_eq!(code.instructions[0], Insn::plain(Opcode::Iload0));
}

#[test]
fn the_inner_handler_is_tried_first_though_the_outer_range_begins_earlier() {
    let nested: Build = |code, pool| {
        let [outer, inner, end, catch, other] = [(); 5].map(|()| code.label());
        let class = pool.add_class(b"java/lang/ArithmeticException").unwrap();
        code.bind(outer).local(Opcode::Iload, 0).local(Opcode::Iload, 1).op(Opcode::Idiv);
        code.local(Opcode::Istore, 1);
        code.bind(inner).local(Opcode::Iload, 0).local(Opcode::Iload, 1).op(Opcode::Irem);
        code.bind(end).op(Opcode::Ireturn);
        code.bind(catch).op(Opcode::Pop).op(Opcode::Iconst1).op(Opcode::Ireturn);
        code.bind(other).op(Opcode::Pop).op(Opcode::Iconst2).op(Opcode::Ireturn);
        code.handler(inner, end, catch, class).handler(outer, end, other, 0);
    };
    let text = lifted("(II)I", nested);
    let remainder = text.lines().find(|line| line.contains("srem")).unwrap();
    let (first, second) = (remainder.find("ArithmeticException"), remainder.find("*:"));
    assert!(first.is_some() && first < second, "{text}");
}

/// Returns null where an int is to be returned: no verifier takes that.
fn breaks(f: &mut Function, _: &dyn World) {
    let null = f.make_constant(planish_ir::Const::Null);
    for block in f.blocks().to_vec() {
        if let planish_ir::Terminator::Return(_) = f.terminator(block) {
            let results = f.make_list(&[null]);
            f.set_terminator(block, planish_ir::Terminator::Return(results));
        }
    }
}

#[test]
fn a_body_that_does_not_verify_keeps_its_bytes_and_the_step_is_named() {
    let file = class(&SAMPLES[..1]);
    let mut report = Report { stories: Some(Vec::new()), ..Report::default() };
    let changed =
        rewrite_class(&file, &hierarchy(), &Known::default(), &mut Plain::new(breaks), &mut report).unwrap();
    assert_eq!(changed, None);
    let [broken] = &report.broken[..] else { panic!("{:?}", report.broken) };
    assert_eq!((&*broken.method, broken.step), (&b"Test.m0(II)I"[..], "pipeline"));
    let [story] = report.stories.as_deref().unwrap() else { panic!("one story") };
    assert_eq!(
        (story.method.as_str(), story.refused.as_deref()),
        ("Test.m0(II)I", Some("a change of it was wrong"))
    );

    // Pinned, it is not even tried.
    let known = Known { pinned: [Box::from(&b"Test.m0(II)I"[..])].into(), ..Known::default() };
    let mut report = Report::default();
    assert_eq!(
        rewrite_class(&file, &hierarchy(), &known, &mut Plain::new(breaks), &mut report).unwrap(),
        None
    );
    assert!(report.broken.is_empty());
}

/// What the table of local variables of a method says: name, slot, first position and one past the last.
fn variables(file: &[u8], index: usize) -> Vec<(String, u16, u32, u32)> {
    let class = ClassFile::read(file).unwrap();
    let code = code_of(file, index);
    let tables = code.attributes.iter().filter_map(|attribute| match &attribute.body {
        CodeBody::Locals(list, false) => Some(list),
        _ => None,
    });
    let name = |index| String::from_utf8(class.pool.utf8(index).unwrap().to_vec()).unwrap();
    tables.flatten().map(|local| (name(local.name), local.slot, local.start, local.end)).collect()
}

#[test]
fn local_variables_keep_their_names_where_they_are_kept() {
    // copy = x; sum = x + y; return sum * sum, where copy is never needed.
    let body: Build = |code, _| {
        code.local(Opcode::Iload, 0).local(Opcode::Istore, 2);
        code.local(Opcode::Iload, 0).local(Opcode::Iload, 1).op(Opcode::Iadd).local(Opcode::Istore, 3);
        code.local(Opcode::Iload, 3).local(Opcode::Iload, 3).op(Opcode::Imul).local(Opcode::Iload, 3);
        code.op(Opcode::Iadd).op(Opcode::Ireturn);
    };
    let file = class(&[("(II)I", body)]);
    let mut class = ClassFile::read(&file).unwrap();
    let mut code = code_of(&file, 0);
    let end = code.instructions.len() as u32;
    let descriptor = class.pool.add_utf8(b"I").unwrap();
    let rows = [("x", 0, 0), ("y", 1, 0), ("copy", 2, 2), ("sum", 3, 6)].map(|(name, slot, start)| {
        LocalVariable { start, end, name: class.pool.add_utf8(name.as_bytes()).unwrap(), descriptor, slot }
    });
    let name = class.pool.add_utf8(b"LocalVariableTable").unwrap();
    code.attributes.push(CodeAttribute { name, body: CodeBody::Locals(rows.to_vec(), false) });
    let mut content = Vec::new();
    code.write(&mut content).unwrap();
    class.methods[0].attributes[0].content = content.into();
    let file = class.to_bytes().unwrap();

    let mut report = Report::default();
    let changed =
        rewrite_class(&file, &hierarchy(), &Known::default(), &mut Plain::new(nothing), &mut report);
    let changed = changed.unwrap().unwrap();
    let end = code_of(&changed, 0).instructions.len() as u32;
    let found = variables(&changed, 0);
    let row = |name: &str| found.iter().find(|row| row.0 == name).cloned();
    // What nothing else is stored over stays where it came; what went has no row.
    assert_eq!(row("copy"), None, "{found:?}");
    for (name, slot) in [("x", 0), ("y", 1)] {
        let stays = row(name).is_some_and(|row| row == (name.to_owned(), slot, 0, end));
        let is_written = found.iter().any(|row| row.0 == "sum" && row.1 == slot);
        assert!(stays || is_written, "{found:?}");
    }
    for (_, _, start, last) in &found {
        assert!(start < last && *last <= end);
    }
}
