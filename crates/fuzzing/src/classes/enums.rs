//! Enums that may become numbers: state machines over constants and null.
//!
//! Constants go through locals, joins, fields, arrays, parameters, results, recursions and switches; they are compared, asked
//! for their number and name, and so is null now and then, which throws. One of two enums may get where an object is wanted, as a value of `Object`,
//! by a cast or a hash, and has to stay one.

use arbitrary::{Result, Unstructured};
use planish_classfile::builder::CodeBuilder;
use planish_classfile::{ClassFile, Constant, Flags, Opcode};
use planish_jvm_model::hierarchy::{Hierarchy, Origin};

use super::assemble::{Pool, add, new_class};
use super::platform::{ENUM, OBJECT};

/// The enums of a program, and the class that uses them.
pub(super) struct Enums {
    t: Vec<u8>,
    all: [Enumeration; 2],
}

struct Enumeration {
    name: String,
    constants: usize,
}

impl Enumeration {
    fn class(&self) -> &[u8] {
        self.name.as_bytes()
    }

    fn ty(&self) -> String {
        format!("L{};", self.name)
    }
}

/// Class files by their names.
type Files = Vec<(String, ClassFile<'static>)>;

const STATIC: Flags = Flags(Flags::PUBLIC.0 | Flags::STATIC.0);

/// The enums of a package.
pub(super) fn files(
    u: &mut Unstructured<'_>,
    package: &str,
    hierarchy: &mut Hierarchy,
) -> Result<(Enums, Files)> {
    let mut one = |name: &str| -> Result<Enumeration> {
        Ok(Enumeration { name: format!("{package}/{name}"), constants: u.int_in_range(1..=4)? })
    };
    let enums = Enums { t: format!("{package}/T").into_bytes(), all: [one("E")?, one("G")?] };
    for of in &enums.all {
        let class = new_class(of.class(), ENUM).to_bytes().expect("it fits");
        hierarchy.add(&class, Origin::Program).expect("it is well-formed");
    }
    let mut files = Vec::new();
    for of in &enums.all {
        files.push((of.name.clone(), enumeration(u, of, hierarchy)?));
    }
    Ok((enums, files))
}

fn constant(number: usize) -> String {
    format!("K{number}")
}

fn read(code: &mut CodeBuilder, of: &Enumeration, number: usize, pool: &mut Pool) {
    let field = [of.class(), constant(number).as_bytes(), of.ty().as_bytes()].map(<[u8]>::to_vec);
    code.field(Opcode::Getstatic, [&field[0], &field[1], &field[2]], pool).expect("room");
}

/// One enum, as compilers write them, with methods of its constants.
fn enumeration(
    u: &mut Unstructured<'_>,
    of: &Enumeration,
    hierarchy: &Hierarchy,
) -> Result<ClassFile<'static>> {
    use Opcode::*;
    let (own, ty) = (of.class(), of.ty());
    let all = format!("[{ty}");
    let mut class = new_class(own, ENUM);
    class.flags = class.flags.with(Flags::ENUM | Flags::FINAL);
    for number in 0..of.constants {
        let flags = STATIC.with(Flags::FINAL | Flags::ENUM);
        class.add_field(flags, constant(number).as_bytes(), ty.as_bytes()).expect("room for a field");
    }
    let hidden = Flags::PRIVATE | Flags::STATIC | Flags::FINAL | Flags::SYNTHETIC;
    class.add_field(hidden, b"$VALUES", all.as_bytes()).expect("room for a field");
    let values = [own, b"$VALUES", all.as_bytes()];
    let init = "(Ljava/lang/String;I)V";

    let mut code = CodeBuilder::new();
    code.local(Aload, 0).local(Aload, 1).local(Iload, 2);
    code.call(Invokespecial, [ENUM, b"<init>", init.as_bytes()], &mut class.pool).expect("room").op(Return);
    let made = code.finish(3, &mut class.pool).expect("labels are bound");
    add(&mut class, Flags::PRIVATE, ("<init>", init), made, hierarchy);

    let mut code = CodeBuilder::new();
    let pool = &mut class.pool;
    for number in 0..of.constants {
        code.class(New, own, pool).expect("room").op(Dup);
        let text = pool.add_utf8(constant(number).as_bytes()).expect("room");
        code.load(Constant::String(text), pool).expect("room").int(number as i32, pool).expect("room");
        code.call(Invokespecial, [own, b"<init>", init.as_bytes()], pool).expect("room");
        code.field(Putstatic, [own, constant(number).as_bytes(), ty.as_bytes()], pool).expect("room");
    }
    code.int(of.constants as i32, pool).expect("room").class(Anewarray, own, pool).expect("room");
    for number in 0..of.constants {
        code.op(Dup).int(number as i32, pool).expect("room");
        read(&mut code, of, number, pool);
        code.op(Aastore);
    }
    code.field(Putstatic, values, pool).expect("room").op(Return);
    let made = code.finish(0, pool).expect("labels are bound");
    add(&mut class, Flags::STATIC, ("<clinit>", "()V"), made, hierarchy);

    let mut code = CodeBuilder::new();
    let pool = &mut class.pool;
    code.field(Getstatic, values, pool).expect("room");
    code.call(Invokevirtual, [all.as_bytes(), b"clone", b"()Ljava/lang/Object;"], pool).expect("room");
    code.class(Checkcast, all.as_bytes(), pool).expect("room").op(Areturn);
    let made = code.finish(0, pool).expect("labels are bound");
    add(&mut class, STATIC, ("values", &format!("(){all}")), made, hierarchy);

    next(u, of, &mut class, hierarchy)?;
    Ok(class)
}

/// A method of constants that gives the one that follows, perhaps null.
fn next(
    u: &mut Unstructured<'_>,
    of: &Enumeration,
    class: &mut ClassFile<'static>,
    hierarchy: &Hierarchy,
) -> Result<()> {
    use Opcode::*;
    let pool = &mut class.pool;
    let mut code = CodeBuilder::new();
    let default = code.label();
    let cases: Vec<(i32, _)> = (0..of.constants).map(|number| (number as i32, code.label())).collect();
    code.local(Aload, 0).call(Invokevirtual, [of.class(), b"ordinal", b"()I"], pool).expect("room");
    code.local(Iload, 1).op(Iadd).switch(default, &cases);
    for (_, label) in cases {
        code.bind(label);
        match u.ratio(1, 6)? {
            true => drop(code.op(AconstNull)),
            false => read(&mut code, of, u.int_in_range(0..=of.constants - 1)?, pool),
        }
        code.op(Areturn);
    }
    code.bind(default).local(Aload, 0).op(Areturn);
    let made = code.finish(2, pool).expect("labels are bound");
    let flags = if u.arbitrary()? { Flags(0) } else { Flags::PUBLIC };
    add(class, flags, ("next", &format!("(I){}", of.ty())), made, hierarchy);
    Ok(())
}

/// Adds the methods of `T`: a loop over each enum, and a recursion that takes and gives constants.
pub(super) fn users(
    u: &mut Unstructured<'_>,
    enums: &Enums,
    main: &mut ClassFile<'static>,
    hierarchy: &Hierarchy,
) -> Result<()> {
    for (place, of) in enums.all.iter().enumerate() {
        recursion(u, (enums, of), main, hierarchy)?;
        let field = format!("state{place}");
        main.add_field(Flags::STATIC, field.as_bytes(), of.ty().as_bytes()).expect("room for a field");
        machine(u, (enums, of, place), main, hierarchy)?;
    }
    Ok(())
}

/// `pick(E, int)`, and a method of that name that takes two numbers.
fn recursion(
    u: &mut Unstructured<'_>,
    (enums, of): (&Enums, &Enumeration),
    main: &mut ClassFile<'static>,
    hierarchy: &Hierarchy,
) -> Result<()> {
    use Opcode::*;
    let descriptor = format!("({0}I){0}", of.ty());
    let pool = &mut main.pool;
    let mut code = CodeBuilder::new();
    let (end, other) = (code.label(), code.label());
    code.local(Iload, 1).jump(Ifle, end).local(Aload, 0);
    read(&mut code, of, u.int_in_range(0..=of.constants - 1)?, pool);
    code.jump(*u.choose(&[IfAcmpeq, IfAcmpne])?, other);
    code.local(Aload, 0).local(Iload, 1).op(Iconst1).op(Isub);
    code.call(Invokestatic, [&enums.t, b"pick", descriptor.as_bytes()], pool).expect("room").op(Areturn);
    code.bind(other);
    match u.arbitrary()? {
        true => drop(code.op(AconstNull)),
        false => read(&mut code, of, u.int_in_range(0..=of.constants - 1)?, pool),
    }
    code.local(Iload, 1).op(Iconst2).op(Isub);
    code.call(Invokestatic, [&enums.t, b"pick", descriptor.as_bytes()], pool).expect("room").op(Areturn);
    code.bind(end).local(Aload, 0).op(Areturn);
    let made = code.finish(2, pool).expect("labels are bound");
    add(main, Flags::STATIC, ("pick", &descriptor), made, hierarchy);
    Ok(())
}

const STATE: u16 = 1;
const ARRAY: u16 = 2;
const SUM: u16 = 3;
const TURN: u16 = 4;

/// A method of `T` that goes from constant to constant as often as its argument says.
fn machine(
    u: &mut Unstructured<'_>,
    (enums, of, place): (&Enums, &Enumeration, usize),
    main: &mut ClassFile<'static>,
    hierarchy: &Hierarchy,
) -> Result<()> {
    use Opcode::*;
    let pool = &mut main.pool;
    let mut code = CodeBuilder::new();
    code.op(AconstNull).local(Astore, STATE).op(Iconst4).class(Anewarray, of.class(), pool).expect("room");
    code.local(Astore, ARRAY).op(Iconst0).local(Istore, SUM);
    code.local(Iload, 0).int(7, pool).expect("room").op(Iand).local(Istore, TURN);
    let (head, end) = (code.here(), code.label());
    code.local(Iload, TURN).jump(Iflt, end);
    for _ in 0..u.int_in_range(4..=12)? {
        step(u, &mut code, (enums, of, place), pool)?;
    }
    code.increment(TURN, -1).jump(Goto, head);
    code.bind(end).local(Iload, SUM).op(Ireturn);
    let made = code.finish(5, pool).expect("labels are bound");
    add(main, STATIC, (&format!("m{}", place + 7), "(I)I"), made, hierarchy);
    Ok(())
}

/// Adds the number on the stack to the sum.
fn summed(code: &mut CodeBuilder, pool: &mut Pool) {
    use Opcode::*;
    code.local(Iload, SUM).int(31, pool).expect("room").op(Imul).op(Iadd).local(Istore, SUM);
}

/// One step of a machine.
fn step(
    u: &mut Unstructured<'_>,
    code: &mut CodeBuilder,
    (enums, of, place): (&Enums, &Enumeration, usize),
    pool: &mut Pool,
) -> Result<()> {
    use Opcode::*;
    let (own, ty) = (of.class(), of.ty());
    let name = format!("state{place}");
    let field = [&enums.t[..], name.as_bytes(), ty.as_bytes()];
    let over = code.label();
    // Null is asked now and then.
    let is_careful = u.ratio(7, 8)?;
    let state = |code: &mut CodeBuilder| {
        if is_careful {
            code.local(Aload, STATE).jump(Ifnull, over);
        }
        code.local(Aload, STATE);
    };
    match u.int_in_range(0..=14)? {
        0 | 1 => {
            read(code, of, u.int_in_range(0..=of.constants - 1)?, pool);
            code.local(Astore, STATE);
        }
        2 => {
            code.local(Aload, ARRAY).local(Iload, TURN).op(Iconst3).op(Iand).op(Aaload).local(Astore, STATE);
        }
        3 | 4 => {
            code.local(Aload, ARRAY).local(Iload, SUM).op(Iconst3).op(Iand).local(Aload, STATE).op(Aastore);
        }
        5 => drop(code.field(Getstatic, field, pool).expect("room").local(Astore, STATE)),
        6 => drop(code.local(Aload, STATE).field(Putstatic, field, pool).expect("room")),
        7 | 8 => {
            state(code);
            code.local(Iload, TURN);
            code.call(Invokevirtual, [own, b"next", format!("(I){ty}").as_bytes()], pool).expect("room");
            code.local(Astore, STATE);
        }
        9 => {
            state(code);
            code.call(Invokevirtual, [own, b"ordinal", b"()I"], pool).expect("room");
            summed(code, pool);
        }
        10 => {
            state(code);
            read(code, of, u.int_in_range(0..=of.constants - 1)?, pool);
            code.call(Invokevirtual, [own, b"compareTo", b"(Ljava/lang/Enum;)I"], pool).expect("room");
            summed(code, pool);
        }
        11 => {
            let name: &[u8] = if u.arbitrary()? { b"name" } else { b"toString" };
            state(code);
            code.call(Invokevirtual, [own, name, b"()Ljava/lang/String;"], pool).expect("room");
            code.call(Invokevirtual, [b"java/lang/String", b"hashCode", b"()I"], pool).expect("room");
            summed(code, pool);
        }
        12 => joined(u, code, (enums, of), pool)?,
        13 => {
            let values = format!("()[{ty}");
            code.call(Invokestatic, [own, b"values", values.as_bytes()], pool).expect("room").op(Dup);
            code.op(Arraylength).local(Iload, TURN).op(Swap).op(Irem).op(Aaload).local(Astore, STATE);
        }
        _ => as_object(u, code, (of, place), pool)?,
    }
    code.bind(over);
    Ok(())
}

/// The state becomes what `pick` makes of one of two constants, or null, where paths meet.
fn joined(
    u: &mut Unstructured<'_>,
    code: &mut CodeBuilder,
    (enums, of): (&Enums, &Enumeration),
    pool: &mut Pool,
) -> Result<()> {
    use Opcode::*;
    let (no, both) = (code.label(), code.label());
    code.local(Iload, SUM).op(Iconst1).op(Iand).jump(Ifeq, no);
    read(code, of, u.int_in_range(0..=of.constants - 1)?, pool);
    code.jump(Goto, both).bind(no);
    match u.arbitrary()? {
        true => drop(code.op(AconstNull)),
        false => drop(code.local(Aload, STATE)),
    }
    code.bind(both).local(Iload, TURN);
    let descriptor = format!("({0}I){0}", of.ty());
    code.call(Invokestatic, [&enums.t, b"pick", descriptor.as_bytes()], pool).expect("room");
    code.local(Astore, STATE);
    Ok(())
}

/// Uses the second enum as an object.
fn as_object(
    u: &mut Unstructured<'_>,
    code: &mut CodeBuilder,
    (of, place): (&Enumeration, usize),
    pool: &mut Pool,
) -> Result<()> {
    use Opcode::*;
    let over = code.label();
    if place == 0 || u.arbitrary()? {
        // One null that is asked whether it is one, and is the state then.
        code.op(AconstNull).op(Dup).local(Astore, STATE).jump(Ifnonnull, over);
    } else if u.arbitrary()? {
        code.local(Aload, STATE).class(Checkcast, OBJECT, pool).expect("room");
        code.class(Checkcast, of.class(), pool).expect("room").local(Astore, STATE);
    } else {
        code.local(Aload, STATE).class(Instanceof, of.class(), pool).expect("room");
        summed(code, pool);
    }
    code.bind(over);
    Ok(())
}
