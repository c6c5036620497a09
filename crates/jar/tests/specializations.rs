//! S3.10: copies of recursive methods for constant arguments, and copies of these, reach their end, wherever the method
//! stands and however many there are beside it.

mod small;

use planish_classfile::builder::CodeBuilder;
use planish_classfile::{Flags, Opcode};
use planish_driver::{Precision, Settings};
use planish_jar::inputs::Classpath;
use planish_jar::programs::around::Surroundings;
use planish_jar::programs::outcome::ShrinkOutcome;
use planish_jar::programs::roots::Roots;
use planish_jar::rounds::optimize_program;
use small::listing::listing;
use small::{Pool, call, class, optimized, read_in};

const STATIC: Flags = Flags(Flags::PUBLIC.0 | Flags::STATIC.0);
const PRIVATE: Flags = Flags(Flags::PRIVATE.0 | Flags::STATIC.0);

/// How many methods of each kind there are.
const MANY: usize = 4;

/// `e == 0 ? salt : b * power(b, e - 1)`
fn power(name: &'static str, salt: i32) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code, pool| {
        let more = code.label();
        code.local(Opcode::Iload, 1).jump(Opcode::Ifne, more);
        code.int(salt, pool).unwrap().op(Opcode::Ireturn);
        code.bind(more).frame(planish_classfile::frame::Form::Same);
        code.local(Opcode::Iload, 0).local(Opcode::Iload, 0).local(Opcode::Iload, 1);
        code.op(Opcode::Iconst1).op(Opcode::Isub);
        call(code, pool, Opcode::Invokestatic, "T", name, "(II)I");
        code.op(Opcode::Imul).op(Opcode::Ireturn);
    }
}

/// The paths in a grid: `m == 0 || n <= 0 ? salt : paths(m - 1, n) + paths(m, n - 1)`
fn paths(name: &'static str, salt: i32) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code, pool| {
        let (one, more) = (code.label(), code.label());
        code.local(Opcode::Iload, 0).jump(Opcode::Ifeq, one);
        code.local(Opcode::Iload, 1).jump(Opcode::Ifgt, more);
        code.bind(one).frame(planish_classfile::frame::Form::Same);
        code.int(salt, pool).unwrap().op(Opcode::Ireturn);
        code.bind(more).frame(planish_classfile::frame::Form::Same);
        for (m, n) in [(1, 0), (0, 1)] {
            for (slot, less) in [(0, m), (1, n)] {
                code.local(Opcode::Iload, slot).int(less, pool).unwrap().op(Opcode::Isub);
            }
            call(code, pool, Opcode::Invokestatic, "T", name, "(II)I");
        }
        code.op(Opcode::Iadd).op(Opcode::Ireturn);
    }
}

const POWERS: [&str; MANY] = ["power0", "power1", "power2", "power3"];
const PATHS: [&str; MANY] = ["paths0", "paths1", "paths2", "paths3"];

/// `main(x)` adds up `power(x, 3)` and `paths(2, x)` of every kind.
fn program() -> Vec<u8> {
    let main = |code: &mut CodeBuilder, pool: &mut Pool| {
        code.local(Opcode::Iload, 0);
        for name in POWERS {
            code.local(Opcode::Iload, 0).op(Opcode::Iconst3);
            call(code, pool, Opcode::Invokestatic, "T", name, "(II)I");
            code.op(Opcode::Iadd);
        }
        for name in PATHS {
            code.op(Opcode::Iconst2).local(Opcode::Iload, 0);
            call(code, pool, Opcode::Invokestatic, "T", name, "(II)I");
            code.op(Opcode::Iadd);
        }
        code.op(Opcode::Ireturn);
    };
    let salts = [3, 5, 7, 11];
    let powers: Vec<_> =
        POWERS.into_iter().zip(salts).map(|(name, salt)| (name, power(name, salt))).collect();
    let grids: Vec<_> = PATHS.into_iter().zip(salts).map(|(name, salt)| (name, paths(name, salt))).collect();
    let mut methods: Vec<(Flags, &str, &str, small::Build<'_>)> = vec![(STATIC, "main", "(I)I", &main)];
    methods.extend(powers.iter().map(|(name, build)| (PRIVATE, *name, "(II)I", build as small::Build<'_>)));
    methods.extend(grids.iter().map(|(name, build)| (PRIVATE, *name, "(II)I", build as small::Build<'_>)));
    class("T", &[], &methods)
}

#[test]
fn every_copy_reaches_the_end() {
    let archive = optimized(&[("T", program())], "main", false);
    let main = listing(&archive, "T", "main");
    assert!(!main.contains("power"), "{main}");
    for name in PATHS {
        let copy = listing(&archive, "T", &format!("{name}__2_k"));
        assert!(!copy.contains("(II)I"), "{name}:\n{copy}");
    }
}

/// What the summary says of a run at a level of precision, and how many instructions are left.
fn at_level(level: usize) -> ShrinkOutcome {
    let (mut archive, hierarchy) = read_in(&[("T", program())]);
    let mut roots = Roots { rules_given: true, ..Roots::default() };
    let source =
        planish_base::SourceText::new("keep.pro".to_owned(), "-keep class T { *** main(...); }".to_owned());
    let mut diagnostics = planish_base::Diagnostics::new();
    planish_keep::read::read(&source, &mut roots.rules, &mut diagnostics);
    let classpath = Classpath::default();
    let around = Surroundings::quiet(&hierarchy, &classpath, &roots);
    let settings = Settings { precision: Precision::LEVELS[level], ..Settings::default() };
    optimize_program(&mut archive, around, &settings).unwrap().0
}

/// S3.23: precision is a setting. What a coarse run leaves out is counted.
#[test]
fn what_a_run_may_not_copy_is_counted() {
    let (coarse, usual) = (at_level(1), at_level(2));
    assert!(coarse.cut > 0 && coarse.details().contains("--precision"), "{}", coarse.details());
    assert!(usual.cut == 0 && !usual.details().contains("--precision"), "{}", usual.details());
    let none = at_level(0);
    assert!(none.members.methods.1 <= 1 + 2 * MANY as u64, "{}", none.summary());
}
