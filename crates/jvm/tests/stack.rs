//! What stays on the operand stack, and what a counter costs, when a body is written.

use planish_classfile::builder::CodeBuilder;
use planish_classfile::{Body, ClassFile, Code, ConstantPool, Flags, Kind, Opcode};
use planish_ir::Function;
use planish_jvm::bodies::{Known, Report, rewrite_class};
use planish_jvm::{Hierarchy, Origin};
use planish_ops::world::World;

const OBJECT: &[u8] = b"java/lang/Object";

type Build = fn(&mut CodeBuilder, &mut ConstantPool<'static>);

fn nothing(_: &mut Function, _: &dyn World) {}

/// The operations of a static method `(II)I` with this body after it was read and written.
fn written(build: Build) -> Vec<Opcode> {
    let mut class = ClassFile::new(52, Flags::PUBLIC | Flags::SUPER, b"Test", Some(OBJECT)).unwrap();
    let mut code = CodeBuilder::new();
    build(&mut code, &mut class.pool);
    let code = code.finish(2, &mut class.pool).unwrap();
    class.add_method(Flags::STATIC, b"m", b"(II)I", Some(&code)).unwrap();
    let mut hierarchy = Hierarchy::new();
    let object = ClassFile::new(52, Flags::PUBLIC, OBJECT, None).unwrap().to_bytes().unwrap();
    hierarchy.add(&object, Origin::Platform).unwrap();
    let file = class.to_bytes().unwrap();
    let mut report = Report::default();
    let changed = rewrite_class(&file, &hierarchy, &Known::default(), &mut nothing, &mut report).unwrap();
    assert!(
        report.refused.is_empty() && report.broken.is_empty(),
        "{:?} {:?}",
        report.refused,
        report.broken
    );
    let changed = changed.unwrap_or(file);
    let class = ClassFile::read(&changed).unwrap();
    let attribute = class.methods[0].attribute(&class.pool, Kind::Code).unwrap();
    let Ok(Some(Body::Code(bytes))) = attribute.decode(&class.pool) else { panic!("there is a body") };
    let code = Code::read(&bytes, &class.pool).unwrap();
    code.instructions.iter().map(|instruction| instruction.op).collect()
}

fn call<'c>(
    code: &'c mut CodeBuilder,
    pool: &mut ConstantPool<'static>,
    name: &'static str,
    descriptor: &'static str,
) -> &'c mut CodeBuilder {
    code.call(Opcode::Invokestatic, [b"Test", name.as_bytes(), descriptor.as_bytes()], pool).unwrap()
}

#[test]
fn a_sum_of_calls_needs_no_local() {
    // x = a() + b(); y = c(); return x + y
    let ops = written(|code, pool| {
        call(code, pool, "a", "()I");
        call(code, pool, "b", "()I").op(Opcode::Iadd).local(Opcode::Istore, 0);
        call(code, pool, "c", "()I").local(Opcode::Istore, 1);
        code.local(Opcode::Iload, 0).local(Opcode::Iload, 1).op(Opcode::Iadd).op(Opcode::Ireturn);
    });
    assert_eq!(
        ops,
        [
            Opcode::Invokestatic,
            Opcode::Invokestatic,
            Opcode::Iadd,
            Opcode::Invokestatic,
            Opcode::Iadd,
            Opcode::Ireturn
        ]
    );
}

#[test]
fn a_character_is_cut_and_widened_at_once() {
    // x = (char) a(); return x + b()
    let ops = written(|code, pool| {
        call(code, pool, "a", "()I").op(Opcode::I2c).local(Opcode::Istore, 0);
        call(code, pool, "b", "()I").local(Opcode::Istore, 1);
        code.local(Opcode::Iload, 0).local(Opcode::Iload, 1).op(Opcode::Iadd).op(Opcode::Ireturn);
    });
    assert!(!ops.contains(&Opcode::I2s), "{ops:?}");
}

#[test]
fn what_lies_above_a_value_that_is_loaded_stays_on_the_stack() {
    // x = a(); f(x); y = a(); return g(y, x)
    let ops = written(|code, pool| {
        call(code, pool, "a", "()I").local(Opcode::Istore, 0);
        call(code.local(Opcode::Iload, 0), pool, "f", "(I)V");
        call(code, pool, "a", "()I").local(Opcode::Istore, 1);
        code.local(Opcode::Iload, 1).local(Opcode::Iload, 0);
        call(code, pool, "g", "(II)I").op(Opcode::Ireturn);
    });
    assert_eq!(
        ops,
        [
            Opcode::Invokestatic,
            Opcode::Dup,
            Opcode::Istore0,
            Opcode::Invokestatic,
            Opcode::Invokestatic,
            Opcode::Iload0,
            Opcode::Invokestatic,
            Opcode::Ireturn
        ]
    );
}

#[test]
fn a_counter_is_counted_behind_the_last_use_of_what_it_was() {
    // j = i + 1; f(i); return g(j) + j
    let ops = written(|code, pool| {
        code.local(Opcode::Iload, 0).op(Opcode::Iconst1).op(Opcode::Iadd).local(Opcode::Istore, 1);
        call(code.local(Opcode::Iload, 0), pool, "f", "(I)V");
        call(code.local(Opcode::Iload, 1), pool, "g", "(I)I");
        code.local(Opcode::Iload, 1).op(Opcode::Iadd).op(Opcode::Ireturn);
    });
    assert_eq!(
        ops,
        [
            Opcode::Iload0,
            Opcode::Invokestatic,
            Opcode::Iinc,
            Opcode::Iload0,
            Opcode::Invokestatic,
            Opcode::Iload0,
            Opcode::Iadd,
            Opcode::Ireturn
        ]
    );
}

#[test]
fn a_counter_that_is_needed_together_with_what_it_was_is_another_value() {
    // j = i + 1; return g(i, j) + j + i
    let ops = written(|code, pool| {
        code.local(Opcode::Iload, 0).op(Opcode::Iconst1).op(Opcode::Iadd).local(Opcode::Istore, 1);
        code.local(Opcode::Iload, 0).local(Opcode::Iload, 1);
        call(code, pool, "g", "(II)I").local(Opcode::Iload, 1).op(Opcode::Iadd);
        code.local(Opcode::Iload, 0).op(Opcode::Iadd).op(Opcode::Ireturn);
    });
    assert!(!ops.contains(&Opcode::Iinc), "{ops:?}");
}
