//! Equal ends of code become one, as far as lines, handlers, variables and types allow.

use planish_classfile::builder::CodeBuilder;
use planish_classfile::code::{CodeAttribute, CodeBody};
use planish_classfile::debug::LocalVariable;
use planish_classfile::descriptor::MethodType;
use planish_classfile::{Body, ClassFile, Code, ConstantPool, Flags, Kind, Opcode};
use planish_ir::Function;
use planish_jvm::bodies::known::Known;
use planish_jvm::bodies::{Plain, Report, rewrite_class};
use planish_jvm_ir::lower::{Target, complete};
use planish_jvm_model::hierarchy::{Hierarchy, Origin};
use planish_jvm_model::verify::verify;
use planish_jvm_model::vtype::TypeContext;
use planish_ops::world::World;

const OBJECT: &[u8] = b"java/lang/Object";
const THROWABLE: &[u8] = b"java/lang/Throwable";

type Pool = ConstantPool<'static>;

fn nothing(_: &mut Function, _: &dyn World) {}

fn hierarchy() -> Hierarchy {
    let mut hierarchy = Hierarchy::new();
    let classes = [
        (OBJECT, None),
        (THROWABLE, Some(OBJECT)),
        (b"A", Some(OBJECT)),
        (b"B", Some(b"A")),
        (b"C", Some(b"A")),
        (b"Torn", Some(b"Missing")),
    ];
    for (name, extends) in classes {
        let file = ClassFile::new(52, Flags::PUBLIC, name, extends).unwrap().to_bytes().unwrap();
        hierarchy.add(&file, Origin::Platform).unwrap();
    }
    hierarchy
}

/// The method of tests.
fn target(descriptor: &[u8]) -> Target<'_> {
    Target { class: b"Test", super_class: Some(OBJECT), name: b"m", descriptor, is_static: true }
}

/// Gives a body the frames that it has in a class file.
fn add_frames(code: &mut Code, target: &Target<'_>, pool: &mut Pool) {
    let hierarchy = hierarchy();
    complete(code, target, pool, &mut TypeContext::new(&hierarchy)).unwrap();
}

/// The instructions of a static method before and after it got its last form.
fn finished(
    descriptor: &str,
    build: impl FnOnce(&mut CodeBuilder, &mut Pool) -> Vec<LocalVariable>,
) -> [Code; 2] {
    let mut class = ClassFile::new(52, Flags::PUBLIC | Flags::SUPER, b"Test", Some(OBJECT)).unwrap();
    let mut code = CodeBuilder::new();
    let variables = build(&mut code, &mut class.pool);
    let ty = MethodType::parse(descriptor.as_bytes()).unwrap();
    let mut code = code.finish(ty.parameter_slots(), &mut class.pool).unwrap();
    add_frames(&mut code, &target(descriptor.as_bytes()), &mut class.pool);
    if !variables.is_empty() {
        let name = class.pool.add_utf8(b"LocalVariableTable").unwrap();
        code.attributes.push(CodeAttribute { name, body: CodeBody::Locals(variables, false) });
    }
    class.add_method(Flags::STATIC, b"m", descriptor.as_bytes(), Some(&code)).unwrap();
    let file = class.to_bytes().unwrap();
    let (known, mut report) = (Known { last: true, ..Known::default() }, Report::default());
    let changed = rewrite_class(&file, &hierarchy(), &known, &mut Plain::new(nothing), &mut report).unwrap();
    assert!(report.broken.is_empty(), "{:?}", report.broken);
    let Some(changed) = changed else { return [code.clone(), code] };
    let class = ClassFile::read(&changed).unwrap();
    let attribute = class.methods[0].attribute(&class.pool, Kind::Code).unwrap();
    let Ok(Some(Body::Code(bytes))) = attribute.decode(&class.pool) else { panic!("there is a body") };
    let after = Code::read(&bytes, &class.pool).unwrap();
    let (hierarchy, target) = (hierarchy(), target(descriptor.as_bytes()));
    verify(&after, &target.info(&class.pool), &mut TypeContext::new(&hierarchy)).unwrap();
    [code, after]
}

/// How many instructions go.
fn gone(descriptor: &str, build: impl FnOnce(&mut CodeBuilder, &mut Pool)) -> usize {
    let [before, after] = finished(descriptor, |code, pool| {
        build(code, pool);
        Vec::new()
    });
    before.instructions.len() - after.instructions.len()
}

/// Calls `Test.f(int)` twice with the number of the first local.
fn calls(code: &mut CodeBuilder, pool: &mut Pool) {
    for _ in 0..2 {
        code.local(Opcode::Iload, 0);
        code.call(Opcode::Invokestatic, [b"Test", b"f", b"(I)V"], pool).unwrap();
    }
}

#[test]
fn equal_ends_become_one() {
    // Two ways that return, four instructions and the return.
    let [before, after] = finished("(I)V", |code, pool| {
        let other = code.label();
        code.local(Opcode::Iload, 0).jump(Opcode::Ifeq, other);
        code.increment(0, 1);
        calls(code, pool);
        code.op(Opcode::Return);
        code.bind(other);
        code.increment(0, 2);
        calls(code, pool);
        code.op(Opcode::Return);
        Vec::new()
    });
    assert_eq!(before.instructions.len() - after.instructions.len(), 4, "a jump stands for five");
    assert_eq!(after.instructions.iter().filter(|insn| insn.op == Opcode::Goto).count(), 1);
    assert_eq!(after.instructions.iter().filter(|insn| insn.op == Opcode::Invokestatic).count(), 2);
}

#[test]
fn what_only_jumps_reach_goes_without_a_jump() {
    let gone = gone("(I)V", |code, pool| {
        let [one, two] = [(); 2].map(|()| code.label());
        code.local(Opcode::Iload, 0).switch(two, &[(1, one), (2, two)]);
        for label in [one, two] {
            code.bind(label);
            calls(code, pool);
            code.op(Opcode::Return);
        }
    });
    assert_eq!(gone, 5);
}

#[test]
fn ends_before_one_place_are_one() {
    // In a loop: both arms do the same before they go on.
    let gone = gone("(I)V", |code, pool| {
        let [top, other] = [(); 2].map(|()| code.label());
        code.bind(top).local(Opcode::Iload, 0).jump(Opcode::Ifeq, other);
        code.increment(0, 1);
        calls(code, pool);
        code.jump(Opcode::Goto, top);
        code.bind(other).increment(0, 2);
        calls(code, pool);
        code.jump(Opcode::Goto, top);
    });
    assert_eq!(gone, 4);
}

/// Two ways that do the same on lines of their own.
fn on_lines(first: u16, second: u16) -> usize {
    gone("(I)V", |code, pool| {
        let other = code.label();
        code.line(1).local(Opcode::Iload, 0).jump(Opcode::Ifeq, other);
        code.increment(0, 1).line(first);
        calls(code, pool);
        code.op(Opcode::Return);
        code.bind(other).line(1).increment(0, 2).line(second);
        calls(code, pool);
        code.op(Opcode::Return);
    })
}

#[test]
fn calls_of_other_lines_stay() {
    assert_eq!(on_lines(5, 5), 4);
    assert_eq!(on_lines(5, 6), 0, "a stack trace would name another line");
}

#[test]
fn what_cannot_throw_has_no_line() {
    let gone = gone("(I)I", |code, _| {
        let other = code.label();
        code.line(1).local(Opcode::Iload, 0).jump(Opcode::Ifeq, other);
        for line in [2, 3] {
            code.line(line).increment(0, line as i16);
            code.local(Opcode::Iload, 0).local(Opcode::Iload, 0).op(Opcode::Imul);
            code.local(Opcode::Iload, 0).op(Opcode::Ishl).local(Opcode::Iload, 0).op(Opcode::Ixor);
            code.op(Opcode::Ireturn);
            if line == 2 {
                code.bind(other);
            }
        }
    });
    assert_eq!(gone, 7);
}

/// Two ways that do the same, one or both of them guarded.
fn guarded(both: bool) -> usize {
    gone("(I)V", |code, pool| {
        let [start, end, other, last, handler] = [(); 5].map(|()| code.label());
        code.local(Opcode::Iload, 0).jump(Opcode::Ifeq, other);
        code.increment(0, 1).bind(start);
        calls(code, pool);
        code.op(Opcode::Return).bind(end);
        code.bind(other).increment(0, 2);
        let second = code.here();
        calls(code, pool);
        code.op(Opcode::Return).bind(last);
        code.bind(handler).op(Opcode::Pop).op(Opcode::Return);
        code.handler(start, end, handler, 0);
        if both {
            code.handler(second, last, handler, 0);
        }
    })
}

#[test]
fn ends_with_other_handlers_stay() {
    assert_eq!(guarded(true), 4);
    assert_eq!(guarded(false), 0);
}

#[test]
fn ends_with_other_variables_stay() {
    for (other_name, wanted) in [(&b"x"[..], 4), (b"y", 0)] {
        let [before, after] = finished("(I)V", |code, pool| {
            let other = code.label();
            code.local(Opcode::Iload, 0).jump(Opcode::Ifeq, other);
            code.increment(0, 1);
            calls(code, pool);
            code.op(Opcode::Return);
            code.bind(other).increment(0, 2);
            calls(code, pool);
            code.op(Opcode::Return);
            let descriptor = pool.add_utf8(b"I").unwrap();
            let [first, second] = [b"x", other_name].map(|name| pool.add_utf8(name).unwrap());
            let row = |start, end, name| LocalVariable { start, end, name, descriptor, slot: 0 };
            vec![row(2, 8, first), row(8, 14, second)]
        });
        assert_eq!(before.instructions.len() - after.instructions.len(), wanted);
    }
}

/// Two ways that load an object of one class or the other, and end alike.
fn with_types(types: [&str; 2], end: impl Fn(&mut CodeBuilder, &mut Pool)) -> usize {
    gone(&format!("(I{}{})I", types[0], types[1]), |code, pool| {
        let other = code.label();
        code.local(Opcode::Iload, 0).jump(Opcode::Ifeq, other);
        for slot in [1, 2] {
            code.local(Opcode::Aload, slot).local(Opcode::Astore, 3);
            end(code, pool);
            if slot == 1 {
                code.bind(other);
            }
        }
    })
}

#[test]
fn types_have_to_meet() {
    let length = |code: &mut CodeBuilder, _: &mut Pool| {
        for _ in 0..4 {
            code.local(Opcode::Aload, 3).op(Opcode::Arraylength).local(Opcode::Istore, 4);
        }
        code.local(Opcode::Iload, 4).op(Opcode::Ireturn);
    };
    assert_eq!(with_types(["[I", "[I"], length), 14);
    assert_eq!(with_types(["[I", "[J"], length), 0, "nothing that has a length is above both");
    let call = |code: &mut CodeBuilder, pool: &mut Pool| {
        for _ in 0..3 {
            code.local(Opcode::Aload, 3);
            code.call(Opcode::Invokevirtual, [b"A", b"f", b"()I"], pool).unwrap().local(Opcode::Istore, 4);
        }
        code.local(Opcode::Iload, 4).op(Opcode::Ireturn);
    };
    assert_eq!(with_types(["LB;", "LC;"], call), 11, "A is above both");
    assert_eq!(with_types(["LTorn;", "LB;"], hash), 0, "what is above is not known");
}

/// Asks an object for its hash code.
fn hash(code: &mut CodeBuilder, pool: &mut Pool) {
    for _ in 0..3 {
        code.local(Opcode::Aload, 3);
        code.call(Opcode::Invokevirtual, [OBJECT, b"hashCode", b"()I"], pool).unwrap();
        code.local(Opcode::Istore, 4);
    }
    code.local(Opcode::Iload, 4).op(Opcode::Ireturn);
}

/// Two ways that make an object and throw it, or pass it on; the first with another number before it is made, or before
/// its constructor runs.
fn makes(inside: bool) -> usize {
    gone("(I)Ljava/lang/Object;", |code, pool| {
        let other = code.label();
        code.local(Opcode::Iload, 0).jump(Opcode::Ifeq, other);
        for number in [1, 2] {
            if !inside {
                code.increment(0, number);
            }
            code.class(Opcode::New, b"A", pool).unwrap().op(Opcode::Dup);
            if inside {
                code.increment(0, number);
            }
            code.local(Opcode::Iload, 0).local(Opcode::Iload, 0).op(Opcode::Imul);
            code.call(Opcode::Invokespecial, [b"A", b"<init>", b"(I)V"], pool).unwrap();
            code.op(Opcode::Areturn);
            if number == 1 {
                code.bind(other);
            }
        }
    })
}

#[test]
fn an_object_that_is_not_initialized_is_told_by_where_it_was_made() {
    assert_eq!(makes(false), 6, "all of it is shared");
    assert_eq!(makes(true), 0, "what was made elsewhere does not come in");
}

#[test]
fn locks_stay_where_they_are() {
    let gone = gone("(ILjava/lang/Object;)V", |code, pool| {
        let other = code.label();
        code.local(Opcode::Iload, 0).jump(Opcode::Ifeq, other);
        for number in [1, 2] {
            code.increment(0, number).local(Opcode::Aload, 1).op(Opcode::Monitorenter);
            code.local(Opcode::Aload, 1).op(Opcode::Monitorexit).op(Opcode::Return);
            if number == 1 {
                code.bind(other);
            }
        }
        let _ = pool;
    });
    assert_eq!(gone, 0);
}

#[test]
fn a_pinned_method_keeps_its_ends() {
    let mut class = ClassFile::new(52, Flags::PUBLIC | Flags::SUPER, b"Test", Some(OBJECT)).unwrap();
    let mut code = CodeBuilder::new();
    let [one, two] = [(); 2].map(|()| code.label());
    code.local(Opcode::Iload, 0).switch(two, &[(1, one), (2, two)]);
    for label in [one, two] {
        code.bind(label);
        calls(&mut code, &mut class.pool);
        code.op(Opcode::Return);
    }
    let mut code = code.finish(1, &mut class.pool).unwrap();
    add_frames(&mut code, &target(b"(I)V"), &mut class.pool);
    class.add_method(Flags::STATIC, b"m", b"(I)V", Some(&code)).unwrap();
    let file = class.to_bytes().unwrap();
    for (pinned, changes) in [(&b"Test.m(I)V"[..], false), (b"Test.n(I)V", true)] {
        let known = Known { last: true, pinned: [pinned.into()].into(), ..Known::default() };
        let mut report = Report::default();
        let changed =
            rewrite_class(&file, &hierarchy(), &known, &mut Plain::new(nothing), &mut report).unwrap();
        assert_eq!(changed.is_some(), changes);
        assert_eq!(report.did.shared, if changes { 5 } else { 0 });
    }
}

/// Whoever looks at what follows an instruction finds nothing there; the class file may be damaged.
#[test]
fn a_body_that_goes_on_behind_its_end_keeps_its_bytes() {
    let mut class = ClassFile::new(52, Flags::PUBLIC | Flags::SUPER, b"Test", Some(OBJECT)).unwrap();
    let mut code = CodeBuilder::new();
    code.op(Opcode::Iconst0).op(Opcode::Pop).op(Opcode::Return);
    let mut code = code.finish(0, &mut class.pool).unwrap();
    code.instructions.pop();
    class.add_method(Flags::STATIC, b"m", b"()V", Some(&code)).unwrap();
    let (known, mut report) = (Known { last: true, ..Known::default() }, Report::default());
    let file = class.to_bytes().unwrap();
    let changed = rewrite_class(&file, &hierarchy(), &known, &mut Plain::new(nothing), &mut report).unwrap();
    assert_eq!(changed, None);
}
