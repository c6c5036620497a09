//! What stays on the operand stack, and what a counter costs, when a body is written.

use planish_classfile::builder::CodeBuilder;
use planish_classfile::{ClassFile, ConstantPool, Flags, Opcode};

use crate::rewritten::{OBJECT, rewritten};

type Build = fn(&mut CodeBuilder, &mut ConstantPool<'static>);

/// The operations of a static method `(II)I` with this body after it was read and written.
fn written(build: Build) -> Vec<Opcode> {
    let mut class = ClassFile::new(52, Flags::PUBLIC | Flags::SUPER, b"Test", Some(OBJECT)).unwrap();
    let mut code = CodeBuilder::new();
    build(&mut code, &mut class.pool);
    let code = code.finish(2, &mut class.pool).unwrap();
    class.add_method(Flags::STATIC, b"m", b"(II)I", Some(&code)).unwrap();
    rewritten(&class).instructions.iter().map(|instruction| instruction.op).collect()
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
