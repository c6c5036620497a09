//! Two programs of classes run side by side: what is compared, and what a call does.

use planish_classfile::Opcode::*;
use planish_classfile::builder::CodeBuilder;
use planish_classfile::descriptor::MethodType;
use planish_classfile::{ClassFile, Constant, ConstantPool, Flags, Opcode};
use planish_jar::classes::{Hierarchy, Origin};
use planish_jar::execution::{Beginnings, Held, Side, side_by_side};

type Pool = ConstantPool<'static>;
type Build<'b> = &'b dyn Fn(&mut CodeBuilder, &mut Pool);

const STATIC: Flags = Flags(Flags::PUBLIC.0 | Flags::STATIC.0);

/// A class below another one: its flags, and one method with its flags.
fn class_below(above: &str, name: &str, flags: Flags, method: (&str, &str), build: Build<'_>) -> Vec<u8> {
    let access = Flags::PUBLIC | Flags::SUPER;
    let mut class = ClassFile::new(52, access, name.as_bytes(), Some(above.as_bytes())).unwrap();
    let mut code = CodeBuilder::new();
    build(&mut code, &mut class.pool);
    let slots = MethodType::parse(method.1.as_bytes()).unwrap().parameter_slots();
    let code = code.finish(slots + u16::from(!flags.has(Flags::STATIC)), &mut class.pool).unwrap();
    class.add_method(flags, method.0.as_bytes(), method.1.as_bytes(), Some(&code)).unwrap();
    class.to_bytes().unwrap()
}

fn call(code: &mut CodeBuilder, pool: &mut Pool, op: Opcode, class: &str, name: &str, descriptor: &str) {
    code.call(op, [class.as_bytes(), name.as_bytes(), descriptor.as_bytes()], pool).unwrap();
}

/// A static method `T.m`, run beside another one, where there are these classes besides.
fn held_among(others: &[(&str, Vec<u8>)], descriptor: &str, before: Build<'_>, after: Build<'_>) -> Held {
    let [before, after] =
        [before, after].map(|body| class_below("java/lang/Object", "T", STATIC, ("m", descriptor), body));
    let mut hierarchy = Hierarchy::new();
    let object: &[u8] = b"java/lang/Object";
    for (name, above) in [(object, None), (b"java/lang/String", Some(object))] {
        let file = ClassFile::new(61, Flags::PUBLIC, name, above).unwrap().to_bytes().unwrap();
        hierarchy.add(&file, Origin::Platform).unwrap();
    }
    for file in others.iter().map(|(_, file)| file).chain([&before]) {
        hierarchy.add(file, Origin::Program).unwrap();
    }
    let find = |bytes: Vec<u8>| {
        move |name: &[u8]| {
            let other = others.iter().find(|(other, _)| other.as_bytes() == name);
            (name == b"T").then(|| bytes.clone()).or_else(|| other.map(|(_, file)| file.clone()))
        }
    };
    let (old, new, none) = (find(before), find(after), |_: &[u8]| None);
    let beginnings = Beginnings { api: vec![b"T".to_vec()], ..Beginnings::default() };
    side_by_side(
        Side { program: &old, library: &none, hierarchy: &hierarchy },
        Side { program: &new, library: &none, hierarchy: &hierarchy },
        &beginnings,
        40,
    )
}

fn held(descriptor: &str, before: Build<'_>, after: Build<'_>) -> Held {
    held_among(&[], descriptor, before, after)
}

/// A method whose constant is 1 agrees with itself, to the end of many runs, and differs from that with 2 in a line with a word.
fn compared(descriptor: &str, body: &dyn Fn(Opcode, &mut CodeBuilder, &mut Pool), word: &str) {
    let one: Build<'_> = &|code, pool| body(Iconst1, code, pool);
    let two: Build<'_> = &|code, pool| body(Iconst2, code, pool);
    let same = held(descriptor, one, one);
    assert!(same.different.is_none() && same.agreed > 10, "{descriptor}: {same}");
    let different = held(descriptor, one, two).different.unwrap_or_default();
    let line = different.lines().find(|line| line.starts_with("before: ")).unwrap_or_default();
    assert!(line.contains(word), "{descriptor}: {different:?}");
}

#[test]
fn what_is_left_in_an_array_is_compared() {
    let store = |op, code: &mut CodeBuilder, _: &mut Pool| {
        code.local(Aload, 0).op(Iconst0).op(op).op(Iastore).op(Return);
    };
    compared("([I)V", &store, "m leaves {1");
    // Also behind an exception: there is no third element, and no array.
    let leaves = |op, code: &mut CodeBuilder, _: &mut Pool| {
        code.local(Aload, 0).op(Iconst0).op(op).op(Iastore);
        code.local(Aload, 0).op(Iconst5).op(Iconst0).op(Iastore).op(Return);
    };
    compared("([I)V", &leaves, "m leaves {1");
    // And in an array of an array.
    let inner = |op, code: &mut CodeBuilder, _: &mut Pool| {
        code.local(Aload, 0).op(Iconst0).op(Aaload).op(Iconst0).op(op).op(Castore).op(Return);
    };
    compared("([[C)V", &inner, "m leaves {{\"\\u{1}\"");
}

#[test]
fn what_is_left_in_a_builder_is_compared() {
    for class in ["java/lang/StringBuilder", "java/lang/StringBuffer"] {
        let append = |op, code: &mut CodeBuilder, pool: &mut Pool| {
            code.local(Aload, 0).op(op);
            call(code, pool, Invokevirtual, class, "append", &format!("(I)L{class};"));
            code.op(Pop).op(Return);
        };
        compared(&format!("(L{class};)V"), &append, "m leaves builder");
    }
}

#[test]
fn what_a_library_does_to_an_array_or_a_builder_is_seen() {
    const BYTE: i8 = 8;
    let read = |code: &mut CodeBuilder, pool: &mut Pool, method: &str| {
        code.op(Iconst2).new_array(BYTE).local(Astore, 0).local(Aload, 0);
        call(code, pool, Invokestatic, "other/Source", method, "([B)V");
    };
    let item = |code: &mut CodeBuilder, pool: &mut Pool, method: &str| {
        read(code, pool, method);
        code.local(Aload, 0).op(Iconst0).op(Baload).op(Ireturn);
    };
    // An optimizer that takes the array for what it was.
    let nothing = |code: &mut CodeBuilder, pool: &mut Pool, method: &str| {
        read(code, pool, method);
        code.op(Iconst0).op(Ireturn);
    };
    let run = |method: &str| {
        held("()I", &|code, pool| item(code, pool, method), &|code, pool| nothing(code, pool, method))
    };
    assert!(run("read").different.is_some_and(|different| different.contains("after:  m returns 0")));
    // What writes an array to somewhere only reads it.
    let written = run("write");
    assert!(written.different.is_none() && written.agreed > 10, "{written}");
    let length = |code: &mut CodeBuilder, pool: &mut Pool, asks: bool| {
        code.class(New, b"java/lang/StringBuilder", pool).unwrap().op(Dup);
        call(code, pool, Invokespecial, "java/lang/StringBuilder", "<init>", "()V");
        code.local(Astore, 0).local(Aload, 0);
        call(code, pool, Invokestatic, "other/Source", "fill", "(Ljava/lang/StringBuilder;)V");
        match asks {
            true => {
                code.local(Aload, 0);
                call(code, pool, Invokevirtual, "java/lang/StringBuilder", "length", "()I");
            }
            false => _ = code.op(Iconst0),
        }
        code.op(Ireturn);
    };
    let held = held("()I", &|code, pool| length(code, pool, true), &|code, pool| length(code, pool, false));
    assert!(held.different.is_some(), "{held}");
}

#[test]
fn an_object_of_a_class_that_is_nowhere_is_given() {
    let read = |op, code: &mut CodeBuilder, pool: &mut Pool| {
        code.local(Aload, 0).op(op);
        call(code, pool, Invokevirtual, "other/Source", "skip", "(I)V");
        code.op(Return);
    };
    compared("(Lother/Source;)V", &read, "other.Source#0.skip(1)");
}

#[test]
fn numbers_with_a_point_are_read_computed_and_written() {
    const MATH: &str = "java/lang/Math";
    // Each leaves a double on the stack for one, which is in the local 0, and takes the constant into account.
    let real = |name: &'static str, class: &'static str, descriptor: &'static str| {
        move |op: Opcode, code: &mut CodeBuilder, pool: &mut Pool| {
            code.local(Dload, 0);
            if descriptor == "(DD)D" {
                code.op(op).op(I2d);
            }
            call(code, pool, Invokestatic, class, name, descriptor);
            code.op(op).op(I2d).op(Dadd).op(Dreturn);
        }
    };
    for name in ["sin", "log10", "toRadians", "rint"] {
        compared("(D)D", &real(name, MATH, "(D)D"), "m returns");
    }
    for name in ["pow", "hypot", "copySign", "atan2"] {
        compared("(D)D", &real(name, MATH, "(DD)D"), "m returns");
    }
    for (class, descriptor, convert) in [("java/lang/Double", "D", Dadd), ("java/lang/Float", "F", Fadd)] {
        let method = if descriptor == "D" { "parseDouble" } else { "parseFloat" };
        let parse = |op, code: &mut CodeBuilder, pool: &mut Pool| {
            code.local(Aload, 0);
            call(code, pool, Invokestatic, class, method, &format!("(Ljava/lang/String;){descriptor}"));
            code.op(op).op(if descriptor == "D" { I2d } else { I2f }).op(convert);
            code.op(if descriptor == "D" { Dreturn } else { Freturn });
        };
        compared(&format!("(Ljava/lang/String;){descriptor}"), &parse, "m returns");
    }
    // The text of a number, which a library is given.
    let text = |op, code: &mut CodeBuilder, pool: &mut Pool| {
        code.local(Dload, 0).op(op).op(I2d).op(Dmul);
        call(code, pool, Invokestatic, "java/lang/String", "valueOf", "(D)Ljava/lang/String;");
        call(code, pool, Invokestatic, "other/Source", "print", "(Ljava/lang/String;)V");
        code.op(Return);
    };
    compared("(D)V", &text, "other.Source.print(");
    let bits = |op, code: &mut CodeBuilder, pool: &mut Pool| {
        code.local(Dload, 0);
        call(code, pool, Invokestatic, "java/lang/Double", "doubleToRawLongBits", "(D)J");
        code.op(op).op(I2l).op(Lxor).op(Lreturn);
    };
    compared("(D)J", &bits, "m returns");
}

#[test]
fn a_format_gives_a_text_of_what_is_put_there() {
    let format = |op, code: &mut CodeBuilder, pool: &mut Pool| {
        let text = pool.add_utf8(b"%.2f").unwrap();
        code.load(Constant::String(text), pool).unwrap().op(Iconst1);
        code.class(Anewarray, b"java/lang/Object", pool).unwrap().op(Dup).op(Iconst0);
        code.local(Dload, 0).op(op).op(I2d).op(Dadd);
        call(code, pool, Invokestatic, "java/lang/Double", "valueOf", "(D)Ljava/lang/Double;");
        code.op(Aastore);
        let descriptor = "(Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/String;";
        call(code, pool, Invokestatic, "java/lang/String", "format", descriptor);
        code.op(Areturn);
    };
    compared("(D)Ljava/lang/String;", &format, "m returns \"%.2f, ");
}

/// JVM specification 5.4.5: `b.N.w` overrides the public `a.L.w`, and with that `a.K.w`, which only its package sees; `b.O.w` does not.
#[test]
fn what_overrides_a_method_that_was_opened_overrides_what_that_overrides() {
    const METHOD: (&str, &str) = ("w", "()I");
    let gives = |above: &str, name: &str, flags, number: Opcode| {
        let body: Build<'_> = &|code, _| _ = code.op(number).op(Ireturn);
        class_below(above, name, flags, METHOD, body)
    };
    let others = [
        ("a/K", gives("java/lang/Object", "a/K", Flags(0), Iconst1)),
        ("a/L", gives("a/K", "a/L", Flags::PUBLIC, Iconst2)),
        ("b/N", gives("a/L", "b/N", Flags::PUBLIC, Iconst3)),
        ("b/O", gives("a/K", "b/O", Flags::PUBLIC, Iconst4)),
    ];
    for (class, number, other) in
        [("b/N", Iconst3, Iconst2), ("a/L", Iconst2, Iconst1), ("b/O", Iconst1, Iconst4)]
    {
        let calls: Build<'_> = &|code, pool| {
            // Nothing of the object is looked at but its class.
            code.class(New, class.as_bytes(), pool).unwrap();
            call(code, pool, Invokevirtual, "a/K", "w", "()I");
            code.op(Ireturn);
        };
        let number: Build<'_> = &|code, _| _ = code.op(number).op(Ireturn);
        let other: Build<'_> = &|code, _| _ = code.op(other).op(Ireturn);
        let same = held_among(&others, "()I", calls, number);
        assert!(same.different.is_none() && same.agreed > 10, "{class}: {same}");
        assert!(held_among(&others, "()I", calls, other).different.is_some(), "{class}");
    }
}
