//! Which static methods only compute, and what they give.

use planish_classfile::builder::CodeBuilder;
use planish_classfile::{ClassFile, ConstantPool, Flags, MemberKind, MemberRef, Opcode};
use planish_jvm_analysis::precision::Precision;
use planish_jvm_analysis::pure::PureMethods;
use planish_jvm_ir::surroundings::{Argument, Number};
use planish_jvm_model::hierarchy::{Hierarchy, Origin};
use planish_jvm_model::library::Library;
use planish_jvm_model::program::Program;

const OBJECT: &[u8] = b"java/lang/Object";
const ACKERMANN: [&[u8]; 3] = [b"A", b"ackermann", b"(II)I"];

type Build = fn(&mut CodeBuilder, &mut ConstantPool<'static>);

fn class(name: &str, methods: &[(&str, Build)]) -> Vec<u8> {
    let mut class = ClassFile::new(50, Flags::PUBLIC | Flags::SUPER, name.as_bytes(), Some(OBJECT)).unwrap();
    for (text, build) in methods {
        let mut code = CodeBuilder::new();
        build(&mut code, &mut class.pool);
        let code = code.finish(4, &mut class.pool).unwrap();
        let (name, descriptor) = text.split_at(text.find('(').unwrap());
        class.add_method(Flags::STATIC, name.as_bytes(), descriptor.as_bytes(), Some(&code)).unwrap();
    }
    class.to_bytes().unwrap()
}

/// m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1))
fn ackermann(code: &mut CodeBuilder, pool: &mut ConstantPool<'static>) {
    let [first, second] = [(); 2].map(|()| code.label());
    code.local(Opcode::Iload, 0).jump(Opcode::Ifne, first);
    code.local(Opcode::Iload, 1).op(Opcode::Iconst1).op(Opcode::Iadd).op(Opcode::Ireturn);
    code.bind(first).local(Opcode::Iload, 1).jump(Opcode::Ifne, second);
    code.local(Opcode::Iload, 0).op(Opcode::Iconst1).op(Opcode::Isub).op(Opcode::Iconst1);
    code.call(Opcode::Invokestatic, ACKERMANN, pool).unwrap().op(Opcode::Ireturn);
    code.bind(second).local(Opcode::Iload, 0).op(Opcode::Iconst1).op(Opcode::Isub);
    code.local(Opcode::Iload, 0).local(Opcode::Iload, 1).op(Opcode::Iconst1).op(Opcode::Isub);
    code.call(Opcode::Invokestatic, ACKERMANN, pool).unwrap();
    code.call(Opcode::Invokestatic, ACKERMANN, pool).unwrap().op(Opcode::Ireturn);
}

fn pure(files: &[Vec<u8>]) -> PureMethods {
    let mut hierarchy = Hierarchy::new();
    let object = ClassFile::new(52, Flags::PUBLIC, OBJECT, None).unwrap().to_bytes().unwrap();
    hierarchy.add(&object, Origin::Platform).unwrap();
    for file in files {
        hierarchy.add(file, Origin::Program).unwrap();
    }
    let mut program = Program::new(&hierarchy, Library::new(Box::new(|_| None)));
    for file in files {
        program.add(file).unwrap();
    }
    PureMethods::of(&program, Precision::default())
}

fn method<'m>(class: &'m str, text: &'m str) -> MemberRef<'m> {
    let (name, descriptor) = text.split_at(text.find('(').unwrap());
    MemberRef {
        kind: MemberKind::Method,
        class: class.as_bytes(),
        name: name.as_bytes(),
        descriptor: descriptor.as_bytes(),
    }
}

/// S3.10, S3.32: recursion stands in the way of neither purity nor evaluation.
#[test]
fn a_recursive_method_is_run_with_known_arguments() {
    let pure = pure(&[class("A", &[("ackermann(II)I", ackermann)])]);
    let ackermann = method("A", "ackermann(II)I");
    assert_eq!(pure.raises(b"B", &ackermann), Some(false));
    let run = |m, n| pure.evaluate(b"B", &ackermann, &[Number::Int(m), Number::Int(n)]);
    assert_eq!(run(2, 2), Some(Number::Int(7)));
    assert_eq!(run(0, i32::MAX), Some(Number::Int(i32::MIN)));
    assert_eq!(run(3, 3), Some(Number::Int(61)));
    assert_eq!(run(4, 2), None, "it takes too long");
    assert_eq!(run(-1, 0), None, "it does not end");
}

/// S3.44
#[test]
fn a_method_that_a_program_calls_without_end_is_not_dropped() {
    let caller: Build = |code, pool| {
        code.local(Opcode::Iload, 0).local(Opcode::Iload, 1);
        code.call(Opcode::Invokestatic, ACKERMANN, pool).unwrap().op(Opcode::Ireturn);
    };
    let mut pure = pure(&[class("A", &[("ackermann(II)I", ackermann), ("of(II)I", caller)])]);
    let ackermann = method("A", "ackermann(II)I");
    pure.may_not_return(&[pure.find(b"A", &ackermann).unwrap()]);
    assert_eq!(pure.raises(b"B", &ackermann), Some(true));
    assert_eq!(pure.raises(b"B", &method("A", "of(II)I")), Some(true), "nor is what calls it");
}

#[test]
fn what_divides_may_throw_and_a_division_by_zero_is_left_to_the_program() {
    let divide: Build = |code, _| {
        code.local(Opcode::Iload, 0).local(Opcode::Iload, 1).op(Opcode::Idiv).op(Opcode::Ireturn);
    };
    let calls: Build = |code, pool| {
        code.local(Opcode::Iload, 0).op(Opcode::Iconst3);
        code.call(Opcode::Invokestatic, [b"A", b"divide", b"(II)I"], pool).unwrap().op(Opcode::Ireturn);
    };
    let pure = pure(&[class("A", &[("divide(II)I", divide), ("third(I)I", calls)])]);
    let divide = method("A", "divide(II)I");
    assert_eq!(pure.raises(b"A", &divide), Some(true));
    assert_eq!(pure.raises(b"A", &method("A", "third(I)I")), Some(true));
    let run = |x, y| pure.evaluate(b"A", &divide, &[Number::Int(x), Number::Int(y)]);
    assert_eq!(run(7, -2), Some(Number::Int(-3)));
    assert_eq!(run(i32::MIN, -1), Some(Number::Int(i32::MIN)));
    assert_eq!(run(7, 0), None);
}

#[test]
fn effects_and_what_calls_them_are_not_pure() {
    let effect: Build = |code, pool| {
        code.field(Opcode::Getstatic, [b"A", b"x", b"I"], pool).unwrap().op(Opcode::Ireturn);
    };
    let calls: Build = |code, pool| {
        code.call(Opcode::Invokestatic, [b"A", b"effect", b"()I"], pool).unwrap().op(Opcode::Ireturn);
    };
    let pure = pure(&[class("A", &[("effect()I", effect), ("calls()I", calls)])]);
    assert!(pure.is_empty());
    assert_eq!(pure.raises(b"A", &method("A", "calls()I")), None);
}

#[test]
fn a_class_with_an_initializer_is_pure_to_itself_only() {
    let seven: Build = |code, _| {
        code.local(Opcode::Lload, 0).op(Opcode::Iconst3).op(Opcode::Lshl).op(Opcode::Lreturn);
    };
    let nothing: Build = |code, _| {
        code.op(Opcode::Return);
    };
    let calls: Build = |code, pool| {
        code.op(Opcode::Lconst1);
        code.call(Opcode::Invokestatic, [b"A", b"shift", b"(J)J"], pool).unwrap().op(Opcode::Lreturn);
    };
    let pure = pure(&[
        class("A", &[("shift(J)J", seven), ("<clinit>()V", nothing)]),
        class("B", &[("calls()J", calls)]),
    ]);
    let shift = method("A", "shift(J)J");
    assert_eq!(pure.evaluate(b"A", &shift, &[Number::Long(5)]), Some(Number::Long(40)));
    assert_eq!(pure.evaluate(b"B", &shift, &[Number::Long(5)]), None);
    assert_eq!(pure.raises(b"B", &shift), None);
    assert_eq!(pure.raises(b"C", &method("B", "calls()J")), None);
}

#[test]
fn arithmetic_of_the_jdk_is_known() {
    let pure = PureMethods::default();
    assert_eq!(pure.raises(b"A", &method("java/lang/Math", "max(II)I")), Some(false));
    assert_eq!(pure.raises(b"A", &method("java/lang/Math", "addExact(II)I")), None);
    assert_eq!(pure.raises(b"A", &method("java/lang/Integer", "valueOf(I)Ljava/lang/Integer;")), None);
}

/// How often the character of a number is in a text.
fn count(code: &mut CodeBuilder, pool: &mut ConstantPool<'static>) {
    let [test, next, end] = [(); 3].map(|()| code.label());
    code.op(Opcode::Iconst0).local(Opcode::Istore, 2).op(Opcode::Iconst0).local(Opcode::Istore, 3);
    code.bind(test).local(Opcode::Iload, 2).local(Opcode::Aload, 0);
    code.call(Opcode::Invokevirtual, [b"java/lang/String", b"length", b"()I"], pool).unwrap();
    code.jump(Opcode::IfIcmpge, end).local(Opcode::Aload, 0).local(Opcode::Iload, 2);
    code.call(Opcode::Invokevirtual, [b"java/lang/String", b"charAt", b"(I)C"], pool).unwrap();
    code.local(Opcode::Iload, 1).jump(Opcode::IfIcmpne, next).increment(3, 1);
    code.bind(next).increment(2, 1).jump(Opcode::Goto, test);
    code.bind(end).local(Opcode::Iload, 3).op(Opcode::Ireturn);
}

/// Stores a number to an array of bytes of a length, and gives what an element holds.
fn element(code: &mut CodeBuilder, _: &mut ConstantPool<'static>) {
    code.local(Opcode::Iload, 0).new_array(8).local(Opcode::Astore, 3);
    code.local(Opcode::Aload, 3).op(Opcode::Iconst1).local(Opcode::Iload, 1).op(Opcode::Bastore);
    code.local(Opcode::Aload, 3).local(Opcode::Iload, 2).op(Opcode::Baload);
    code.local(Opcode::Aload, 3).op(Opcode::Arraylength).op(Opcode::Iadd).op(Opcode::Ireturn);
}

#[test]
fn methods_that_read_texts_are_run_though_they_are_not_pure() {
    let calls: Build = |code, pool| {
        let text = pool.add_utf8(b"banana").unwrap();
        code.load(planish_classfile::Constant::String(text), pool).unwrap().local(Opcode::Iload, 0);
        let called: [&[u8]; 3] = [b"A", b"count", b"(Ljava/lang/String;I)I"];
        code.call(Opcode::Invokestatic, called, pool).unwrap().op(Opcode::Ireturn);
    };
    let pure = pure(&[class("A", &[("count(Ljava/lang/String;I)I", count), ("calls(I)I", calls)])]);
    let (count, calls) = (method("A", "count(Ljava/lang/String;I)I"), method("A", "calls(I)I"));
    assert!(pure.is_empty() && pure.runs(b"B", &count) && pure.runs(b"B", &calls));
    assert_eq!([pure.raises(b"A", &count), pure.raises(b"A", &calls)], [None, None]);
    assert_eq!(pure.evaluate(b"A", &calls, &[Number::Int(97)]), None, "only pure methods are");
    let text = |text: &str| Argument::Text(text.encode_utf16().collect());
    let number = |number| Argument::Number(Number::Int(number));
    assert_eq!(pure.run_ahead(b"B", &count, &[text("banana"), number(97)]), Some(Number::Int(3)));
    assert_eq!(pure.run_ahead(b"B", &calls, &[number(110)]), Some(Number::Int(2)));
    let long = "x".repeat(60_000);
    assert_eq!(pure.run_ahead(b"B", &count, &[text(&long), number(97)]), None, "it takes too long");
}

#[test]
fn methods_that_fill_arrays_of_their_own_are_run() {
    let pure = pure(&[class("A", &[("element(III)I", element)])]);
    let element = method("A", "element(III)I");
    assert!(pure.is_empty() && pure.runs(b"B", &element));
    let run = |numbers: [i32; 3]| {
        pure.run_ahead(b"B", &element, &numbers.map(|number| Argument::Number(Number::Int(number))))
    };
    assert_eq!(run([2, 300, 1]), Some(Number::Int(46)), "a byte is cut off");
    assert_eq!(run([2, 300, 0]), Some(Number::Int(2)));
    assert_eq!(run([2, 300, 2]), None, "it throws");
    assert_eq!(run([2, 300, -1]), None, "it throws");
    assert_eq!(run([-1, 0, 0]), None, "it throws");
    assert_eq!(run([50_000, 0, 0]), None, "it is large");
}
