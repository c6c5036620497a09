//! Loads go in front of a loop if nothing in it can change what they give and nobody sees that they moved.

use planish_classfile::builder::CodeBuilder;
use planish_classfile::{ClassFile, Code, ConstantPool, Flags, Opcode};

use crate::rewritten::{OBJECT, rewritten_by};
use planish_ir::Function;
use planish_jvm::bodies::Optimizer;
use planish_jvm_ir::naming::Names;
use planish_opt::passes::loop_invariant_loads::{NONNULL, PASS, has_loads};
use planish_pass::{Analyses, PassCx, Record, Target, apply};

/// What only moves loads in front of loops.
#[derive(Default)]
struct Hoists {
    record: Record,
}

impl Optimizer for Hoists {
    fn record(&mut self) -> &mut Record {
        &mut self.record
    }

    fn optimize(&mut self, _: &mut Function, _: &Names) -> Result<(), String> {
        Ok(())
    }

    fn may_hoist(&self, f: &Function) -> bool {
        has_loads(f)
    }

    fn hoist(&mut self, f: &mut Function, names: &Names, receiver: bool) -> u64 {
        let (before, mut analyses) = (self.record.total(), Analyses::new());
        let cx = PassCx::new(&PASS.info, names.world(), &mut self.record, Target::STACK, &mut analyses);
        apply(&PASS, f, cx.with_options(&[(NONNULL.name, u64::from(receiver))]));
        self.record.total() - before
    }
}

type Build = fn(&mut CodeBuilder, &mut ConstantPool<'static>);

/// A method `int m(int k, Test o)` after it was read and written. The class has fields `n`, `other` and the volatile
/// `shared`, all numbers.
fn written(build: impl Fn(&mut CodeBuilder, &mut ConstantPool<'static>)) -> Code {
    // So old a class needs no frames.
    let mut class = ClassFile::new(49, Flags::PUBLIC | Flags::SUPER, b"Test", Some(OBJECT)).unwrap();
    class.add_field(Flags::PRIVATE, b"n", b"I").unwrap();
    class.add_field(Flags::PRIVATE, b"other", b"I").unwrap();
    class.add_field(Flags::PRIVATE | Flags::VOLATILE, b"shared", b"I").unwrap();
    // The name that bodies with frames bring along shall not count.
    class.pool.add_utf8(b"StackMapTable").unwrap();
    let mut code = CodeBuilder::new();
    build(&mut code, &mut class.pool);
    let code = code.finish(3, &mut class.pool).unwrap();
    class.add_method(Flags::PUBLIC, b"m", b"(ILTest;)I", Some(&code)).unwrap();
    rewritten_by(&class, &mut Hoists::default())
}

/// How many loads of fields a body has in front of its loop, and in it.
fn loads(code: &Code) -> (usize, usize) {
    let jumps_back = |(at, instruction): (u32, &planish_classfile::Insn)| {
        instruction.targets().find(|&to| to <= at).map(|to| to as usize)
    };
    let start = (0..).zip(&code.instructions).find_map(jumps_back).expect("a loop");
    let loads = |part: &[planish_classfile::Insn]| {
        part.iter().filter(|instruction| instruction.op == Opcode::Getfield).count()
    };
    (loads(&code.instructions[..start]), loads(&code.instructions[start..]))
}

fn field(code: &mut CodeBuilder, pool: &mut ConstantPool<'static>, op: Opcode, name: &'static str) {
    code.field(op, [b"Test", name.as_bytes(), b"I"], pool).unwrap();
}

/// Pushes the product of three loads of a field of the object in a local.
fn cube(code: &mut CodeBuilder, pool: &mut ConstantPool<'static>, local: u16) {
    for _ in 0..3 {
        code.local(Opcode::Aload, local);
        field(code, pool, Opcode::Getfield, "n");
    }
    code.op(Opcode::Imul).op(Opcode::Imul);
}

/// `for (i = k; i > 0; i--) { BODY }; return s`, with `i` in local 3 and `s` in local 4.
fn counted(body: Build) -> (usize, usize) {
    loads(&written(|code, pool| {
        let [top, end] = [(); 2].map(|()| code.label());
        code.op(Opcode::Iconst0).local(Opcode::Istore, 4).local(Opcode::Iload, 1).local(Opcode::Istore, 3);
        code.bind(top).local(Opcode::Iload, 3).jump(Opcode::Ifle, end);
        body(code, pool);
        code.local(Opcode::Iload, 3).op(Opcode::IconstM1).op(Opcode::Iadd).local(Opcode::Istore, 3);
        code.jump(Opcode::Goto, top).bind(end).local(Opcode::Iload, 4).op(Opcode::Ireturn);
    }))
}

fn sums(code: &mut CodeBuilder, pool: &mut ConstantPool<'static>, local: u16) {
    cube(code, pool, local);
    code.local(Opcode::Iload, 4).op(Opcode::Iadd).local(Opcode::Istore, 4);
}

/// what does not change in a loop is done in front of it.
#[test]
fn fields_of_the_receiver_are_loaded_in_front() {
    assert_eq!(counted(|code, pool| sums(code, pool, 0)), (1, 0));
}

#[test]
fn a_store_to_the_field_keeps_its_loads_and_one_to_another_does_not() {
    assert_eq!(
        counted(|code, pool| {
            sums(code, pool, 0);
            code.local(Opcode::Aload, 2).local(Opcode::Iload, 3);
            field(code, pool, Opcode::Putfield, "n");
        }),
        (0, 3)
    );
    assert_eq!(
        counted(|code, pool| {
            sums(code, pool, 0);
            code.local(Opcode::Aload, 2).local(Opcode::Iload, 3);
            field(code, pool, Opcode::Putfield, "other");
        }),
        (1, 0)
    );
}

#[test]
fn calls_monitors_and_volatile_fields_keep_loads_where_they_are() {
    assert_eq!(
        counted(|code, pool| {
            sums(code, pool, 0);
            code.call(Opcode::Invokestatic, [b"Test", b"any", b"()V"], pool).unwrap();
        }),
        (0, 3)
    );
    assert_eq!(
        counted(|code, pool| {
            sums(code, pool, 0);
            code.local(Opcode::Aload, 0)
                .op(Opcode::Monitorenter)
                .local(Opcode::Aload, 0)
                .op(Opcode::Monitorexit);
        }),
        (0, 3)
    );
    assert_eq!(
        counted(|code, pool| {
            sums(code, pool, 0);
            code.local(Opcode::Aload, 0);
            field(code, pool, Opcode::Getfield, "shared");
            code.op(Opcode::Pop);
        }),
        (0, 4)
    );
}

#[test]
fn what_may_throw_stays_behind_a_test_that_may_leave_the_loop_at_once() {
    assert_eq!(counted(|code, pool| sums(code, pool, 2)), (0, 3));
}

#[test]
fn what_was_accessed_in_front_of_the_loop_cannot_throw() {
    let code = written(|code, pool| {
        let [top, end] = [(); 2].map(|()| code.label());
        code.local(Opcode::Aload, 2);
        field(code, pool, Opcode::Getfield, "other");
        code.local(Opcode::Istore, 4).local(Opcode::Iload, 1).local(Opcode::Istore, 3);
        code.bind(top).local(Opcode::Iload, 3).jump(Opcode::Ifle, end);
        sums(code, pool, 2);
        code.local(Opcode::Iload, 3).op(Opcode::IconstM1).op(Opcode::Iadd).local(Opcode::Istore, 3);
        code.jump(Opcode::Goto, top).bind(end).local(Opcode::Iload, 4).op(Opcode::Ireturn);
    });
    assert_eq!(loads(&code), (2, 0));
}

#[test]
fn what_a_loop_does_first_may_throw_in_front_of_it_unless_something_else_came_first() {
    let code = |first: bool| {
        written(move |code, pool| {
            let [top, end] = [(); 2].map(|()| code.label());
            code.local(Opcode::Iload, 1).local(Opcode::Istore, 3);
            code.bind(top);
            if !first {
                // Dividing by nothing is what is seen then.
                code.local(Opcode::Iload, 3)
                    .local(Opcode::Iload, 1)
                    .op(Opcode::Idiv)
                    .local(Opcode::Istore, 3);
            }
            cube(code, pool, 2);
            code.local(Opcode::Iload, 3).jump(Opcode::IfIcmple, end);
            code.local(Opcode::Iload, 3).op(Opcode::IconstM1).op(Opcode::Iadd).local(Opcode::Istore, 3);
            code.jump(Opcode::Goto, top).bind(end).local(Opcode::Iload, 3).op(Opcode::Ireturn);
        })
    };
    assert_eq!(loads(&code(true)), (1, 0));
    assert_eq!(loads(&code(false)), (0, 3));
}

#[test]
fn a_loop_that_waits_looks_again() {
    let code = written(|code, pool| {
        let top = code.label();
        code.bind(top).local(Opcode::Iload, 1).op(Opcode::Iconst1).op(Opcode::Iadd).local(Opcode::Istore, 1);
        cube(code, pool, 0);
        code.jump(Opcode::Ifeq, top).local(Opcode::Iload, 1).op(Opcode::Ireturn);
    });
    assert_eq!(loads(&code), (0, 3));
}

#[test]
fn loads_that_a_handler_guards_stay() {
    let code = written(|code, pool| {
        let [top, end, start, stop, handler] = [(); 5].map(|()| code.label());
        code.op(Opcode::Iconst0).local(Opcode::Istore, 4).local(Opcode::Iload, 1).local(Opcode::Istore, 3);
        code.bind(top).local(Opcode::Iload, 3).jump(Opcode::Ifle, end).bind(start);
        sums(code, pool, 2);
        code.bind(stop);
        code.local(Opcode::Iload, 3).op(Opcode::IconstM1).op(Opcode::Iadd).local(Opcode::Istore, 3);
        code.jump(Opcode::Goto, top).bind(end).local(Opcode::Iload, 4).op(Opcode::Ireturn);
        code.bind(handler).op(Opcode::Pop).op(Opcode::IconstM1).op(Opcode::Ireturn);
        code.handler(start, stop, handler, 0);
    });
    assert_eq!(loads(&code), (0, 3));
}

/// a loop is tested at its end, so that a round takes one jump.
#[test]
fn a_round_takes_one_jump() {
    let code = written(|code, pool| {
        let [top, end] = [(); 2].map(|()| code.label());
        code.bind(top).local(Opcode::Iload, 1).jump(Opcode::Ifle, end);
        code.call(Opcode::Invokestatic, [b"Test", b"any", b"()V"], pool).unwrap();
        code.local(Opcode::Iload, 1).op(Opcode::IconstM1).op(Opcode::Iadd).local(Opcode::Istore, 1);
        code.jump(Opcode::Goto, top).bind(end).local(Opcode::Iload, 1).op(Opcode::Ireturn);
    });
    let ops: Vec<Opcode> = code.instructions.iter().map(|instruction| instruction.op).collect();
    let round = [Opcode::Invokestatic, Opcode::Iinc, Opcode::Iload1, Opcode::Ifgt];
    assert_eq!(ops, [&[Opcode::Goto][..], &round, &[Opcode::Iload1, Opcode::Ireturn]].concat());
}
