//! How many of the bodies that may stand in the place of its calls a method takes.

use planish_classfile::builder::CodeBuilder;
use planish_classfile::{Body, ClassFile, Flags, Kind, Opcode};

use crate::small::listing::{listing, read};
use crate::small::{Build, Pool, call, class, optimized};

/// The names of the methods of `T`, and how many bytes of code `run` has.
fn left(methods: &[(Flags, &str, &str, Build<'_>)]) -> (Vec<String>, usize) {
    let archive = optimized(&[("T", class("T", &[], methods))], "run", false);
    let bytes = read(&archive, "T");
    let file = ClassFile::read(&bytes).unwrap();
    let (mut names, mut length) = (Vec::new(), 0);
    for method in &file.methods {
        let name = String::from_utf8_lossy(file.pool.utf8(method.name).unwrap()).into_owned();
        if name == "run" {
            let code = method.attribute(&file.pool, Kind::Code).unwrap().decode(&file.pool).unwrap();
            let Some(Body::Code(code)) = code else { panic!("it has a body") };
            length = code.code.len();
        }
        names.push(name);
    }
    (names, length)
}

/// Mixes a number so often; which way depends on `seed`. Six bytes each time.
fn mix(code: &mut CodeBuilder, pool: &mut Pool, seed: i32, times: i32) {
    code.local(Opcode::Iload, 0);
    for step in 0..times {
        code.int(7 + (seed + step) % 50 * 2, pool).unwrap().op(Opcode::Imul);
        code.int(10 + (seed + step * 3) % 90, pool).unwrap().op(Opcode::Ixor);
    }
    code.op(Opcode::Ireturn);
}

#[test]
fn a_method_takes_as_many_bodies_as_jvms_compile() {
    // Each is called once; all together have 12,000 bytes.
    let names: Vec<String> = (0..10).map(|number| format!("f{number}")).collect();
    let run = |code: &mut CodeBuilder, pool: &mut Pool| {
        code.local(Opcode::Iload, 0);
        names.iter().for_each(|name| call(code, pool, Opcode::Invokestatic, "T", name, "(I)I"));
        code.op(Opcode::Ireturn);
    };
    let bodies: Vec<_> = (0..10)
        .map(|seed| move |code: &mut CodeBuilder, pool: &mut Pool| mix(code, pool, seed, 200))
        .collect();
    let mut methods: Vec<(Flags, &str, &str, Build<'_>)> = vec![(Flags::STATIC, "run", "(I)I", &run)];
    for (name, body) in names.iter().zip(&bodies) {
        methods.push((Flags::STATIC | Flags::PRIVATE, name, "(I)I", body));
    }
    let (left, length) = left(&methods);
    assert!((3_000..=7_000).contains(&length), "{length} bytes");
    assert!((3..=8).contains(&left.len()), "{left:?}");
}

/// A parameter takes a byte wherever it is used, and the number that it always is takes three. So a method that JVMs
/// compile would become one that they do not.
#[test]
fn a_number_is_not_written_where_jvms_would_not_compile_the_method_any_more() {
    let all_of = |code: &mut CodeBuilder, pool: &mut Pool| {
        code.local(Opcode::Iload, 0);
        for step in 0..1_200 {
            code.local(Opcode::Iload, 1).op(Opcode::Imul);
            code.int(1_000 + step, pool).unwrap().op(Opcode::Ixor);
        }
        code.op(Opcode::Ireturn);
    };
    let run = |code: &mut CodeBuilder, pool: &mut Pool| {
        code.local(Opcode::Iload, 0);
        for _ in 0..2 {
            code.int(12_345, pool).unwrap();
            call(code, pool, Opcode::Invokestatic, "T", "all", "(II)I");
        }
        code.op(Opcode::Ireturn);
    };
    let methods: [(Flags, &str, &str, Build<'_>); 2] =
        [(Flags::STATIC, "run", "(I)I", &run), (Flags::STATIC | Flags::PRIVATE, "all", "(II)I", &all_of)];
    let archive = optimized(&[("T", class("T", &[], &methods))], "run", false);
    let bytes = read(&archive, "T");
    let file = ClassFile::read(&bytes).unwrap();
    let lengths: Vec<usize> = (file.methods.iter())
        .map(|method| {
            let code = method.attribute(&file.pool, Kind::Code).unwrap().decode(&file.pool).unwrap();
            let Some(Body::Code(code)) = code else { panic!("it has a body") };
            code.code.len()
        })
        .collect();
    assert!(lengths.iter().any(|&length| (7_000..8_000).contains(&length)), "{lengths:?}");
    assert!(lengths.iter().all(|&length| length < 8_000), "{lengths:?}");
}

/// What is left of the calls of a method that calls `often` so often, and `once` once.
fn calls(count: i32) -> [usize; 2] {
    let run = |code: &mut CodeBuilder, pool: &mut Pool| {
        code.local(Opcode::Iload, 0);
        (0..count).for_each(|_| call(code, pool, Opcode::Invokestatic, "T", "often", "(I)I"));
        call(code, pool, Opcode::Invokestatic, "T", "once", "(I)I");
        code.op(Opcode::Ireturn);
    };
    let once = |code: &mut CodeBuilder, pool: &mut Pool| mix(code, pool, 3, 5);
    let often = |code: &mut CodeBuilder, _: &mut Pool| {
        code.local(Opcode::Iload, 0).op(Opcode::Ineg).local(Opcode::Iload, 0).op(Opcode::Imul);
        code.op(Opcode::Ireturn);
    };
    let hidden = Flags::STATIC | Flags::PRIVATE;
    let methods: [(Flags, &str, &str, Build<'_>); 3] = [
        (Flags::STATIC, "run", "(I)I", &run),
        (hidden, "once", "(I)I", &once),
        (hidden, "often", "(I)I", &often),
    ];
    let archive = optimized(&[("T", class("T", &[], &methods))], "run", false);
    let text = listing(&archive, "T", "run");
    ["T.once", "T.often"].map(|name| text.matches(name).count())
}

#[test]
fn what_is_called_once_is_taken_alone_where_all_together_do_not_pay() {
    assert_eq!(calls(9), [0, 9], "nine bodies are longer than nine calls");
}
