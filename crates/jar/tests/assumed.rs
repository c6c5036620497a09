//! Calls that rules say have no effects, or check for null.

use crate::small::listing::listing;
use crate::small::{Build, add_rules, call, class, class_below, optimized, optimized_by, read_in};
use planish_classfile::{Flags, Opcode};
use planish_driver::Settings;
use planish_jar::inputs::Classpath;
use planish_jar::programs::around::Surroundings;
use planish_jar::programs::roots::Roots;
use planish_jar::rounds::optimize_program;

const STATIC: Flags = Flags(Flags::PUBLIC.0 | Flags::STATIC.0);

const KEEP: &str = "-keep class T { *** main*(...); }\n";

/// `T.main` calls `Log.d(null, 5L)` and forgets the result, `Sub.e(receiver)`, which overrides `Log.e`, and `Log.d` again
/// for its result. Each counts the calls in a field that `T.mainCount` reads.
fn program() -> Vec<(&'static str, Vec<u8>)> {
    let main: Build<'_> = &|code, pool| {
        code.op(Opcode::AconstNull).long(5, pool).unwrap();
        call(code, pool, Opcode::Invokestatic, "Log", "d", "(Ljava/lang/Object;J)I");
        code.op(Opcode::Pop).local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokevirtual, "Sub", "e", "()V");
        code.op(Opcode::AconstNull).long(6, pool).unwrap();
        call(code, pool, Opcode::Invokestatic, "Log", "d", "(Ljava/lang/Object;J)I");
        code.op(Opcode::Ireturn);
    };
    let count: Build<'_> = &|code, pool| {
        code.field(Opcode::Getstatic, [b"Log", b"count", b"I"], pool).unwrap().op(Opcode::Ireturn);
    };
    let counts = |code: &mut planish_classfile::builder::CodeBuilder, pool: &mut crate::small::Pool| {
        code.field(Opcode::Getstatic, [b"Log", b"count", b"I"], pool).unwrap().op(Opcode::Iconst1);
        code.op(Opcode::Iadd).field(Opcode::Putstatic, [b"Log", b"count", b"I"], pool).unwrap();
    };
    let d: Build<'_> = &|code, pool| {
        counts(code, pool);
        code.local(Opcode::Lload, 1).op(Opcode::L2i).op(Opcode::Ireturn);
    };
    let e: Build<'_> = &|code, pool| {
        counts(code, pool);
        code.op(Opcode::Return);
    };
    let construct = |above: &'static str| {
        move |code: &mut planish_classfile::builder::CodeBuilder, pool: &mut crate::small::Pool| {
            code.local(Opcode::Aload, 0);
            call(code, pool, Opcode::Invokespecial, above, "<init>", "()V");
            code.op(Opcode::Return);
        }
    };
    let (of_log, of_sub) = (construct("java/lang/Object"), construct("Log"));
    let make: Build<'_> = &|code, pool| {
        code.class(Opcode::New, b"Sub", pool).unwrap().op(Opcode::Dup);
        call(code, pool, Opcode::Invokespecial, "Sub", "<init>", "()V");
        code.op(Opcode::Areturn);
    };
    let log = class(
        "Log",
        &[],
        &[
            (Flags::PUBLIC, "<init>", "()V", &of_log),
            (STATIC, "d", "(Ljava/lang/Object;J)I", d),
            (Flags::PUBLIC, "e", "()V", e),
        ],
    );
    let mut log = planish_classfile::ClassFile::read(&log).unwrap();
    log.add_field(STATIC, b"count", b"I").unwrap();
    let t = [
        (STATIC, "main", "(LSub;)I", main),
        (STATIC, "mainCount", "()I", count),
        (STATIC, "mainMake", "()LSub;", make),
    ];
    let sub = [(Flags::PUBLIC, "<init>", "()V", &of_sub as Build<'_>), (Flags::PUBLIC, "e", "()V", e)];
    vec![
        ("T", class("T", &[], &t)),
        ("Log", log.to_bytes().unwrap()),
        ("Sub", class_below(b"Log", "Sub", &[], &sub)),
    ]
}

fn calls(rules: &str) -> usize {
    let archive =
        optimized_by(&program(), &format!("{KEEP}{rules}\n-optimizations !method/inlining/*"), false);
    listing(&archive, "T", "main").matches("invoke").count()
}

/// What the call was given goes, too; a call whose result is used stays, and so do calls of other methods.
#[test]
fn calls_that_rules_say_have_no_effects_go_where_nobody_needs_their_result() {
    assert_eq!(calls(""), 3);
    assert_eq!(calls("-assumenosideeffects class Log { static int d(...); }"), 2);
    assert_eq!(calls("-assumenosideeffects class Log { *; }"), 1);
    assert_eq!(calls("-assumenosideeffects class Log { void d(...); static void e(); }"), 3);
    assert_eq!(calls("-assumenosideeffects class Sub { void e(); }"), 2);
    assert_eq!(calls("-assumenosideeffects class * extends Log { *; }"), 2);
}

/// `T.main` gives 1 where `Build.LEVEL`, which something else sets, is less than 21, and 2 where `Build.debug()` is true.
#[test]
fn branches_on_values_that_rules_say_are_decided() {
    let main: Build<'_> = &|code, pool| {
        let [newer, quiet] = [code.label(), code.label()];
        code.field(Opcode::Getstatic, [b"Build", b"LEVEL", b"I"], pool).unwrap().int(21, pool).unwrap();
        code.jump(Opcode::IfIcmpge, newer).op(Opcode::Iconst1).op(Opcode::Ireturn);
        code.bind(newer).frame(planish_classfile::frame::Form::Same);
        call(code, pool, Opcode::Invokestatic, "Build", "debug", "()Z");
        code.jump(Opcode::Ifeq, quiet).op(Opcode::Iconst2).op(Opcode::Ireturn);
        code.bind(quiet).frame(planish_classfile::frame::Form::Same).op(Opcode::Iconst3).op(Opcode::Ireturn);
    };
    let set: Build<'_> = &|code, pool| {
        code.local(Opcode::Iload, 0).field(Opcode::Putstatic, [b"Build", b"LEVEL", b"I"], pool).unwrap();
        code.op(Opcode::Return);
    };
    let debug: Build<'_> = &|code, pool| {
        code.field(Opcode::Getstatic, [b"Build", b"LEVEL", b"I"], pool).unwrap().op(Opcode::Iconst1);
        code.op(Opcode::Iand).op(Opcode::Ireturn);
    };
    let t = [(STATIC, "main", "()I", main), (STATIC, "mainSet", "(I)V", set)];
    let build = class("Build", &[], &[(STATIC, "debug", "()Z", debug)]);
    let mut build = planish_classfile::ClassFile::read(&build).unwrap();
    build.add_field(STATIC, b"LEVEL", b"I").unwrap();
    let files = [("T", class("T", &[], &t)), ("Build", build.to_bytes().unwrap())];
    let text = |rules: &str| listing(&optimized_by(&files, &format!("{KEEP}{rules}"), false), "T", "main");
    let returns = |text: &str| text.matches("ireturn").count() + text.matches("goto").count();
    let plain = text("");
    assert!(plain.contains("bipush 21") && returns(&plain) >= 3, "{plain}");
    let level = text("-assumevalues class Build { static int LEVEL return 21..99; }");
    assert!(!level.contains("bipush 21") && level.contains("iconst_2"), "{level}");
    let both =
        text("-assumevalues class Build { static int LEVEL = 30; static boolean debug() return false; }");
    assert!(!both.contains("bipush 21") && !both.contains("iconst_2"), "{both}");
}

/// Where a call was, something else may begin.
#[test]
fn a_call_of_nothing_leaves_a_place() {
    let main: Build<'_> = &|code, pool| {
        let top = code.here();
        code.frame(planish_classfile::frame::Form::Same);
        call(code, pool, Opcode::Invokestatic, "T", "log", "()V");
        code.increment(0, -1).local(Opcode::Iload, 0).jump(Opcode::Ifgt, top);
        code.local(Opcode::Iload, 0).op(Opcode::Ireturn);
    };
    let log: Build<'_> = &|code, pool| {
        call(code, pool, Opcode::Invokestatic, "java/lang/Class", "unknown", "()V");
        code.op(Opcode::Return);
    };
    let files = [("T", class("T", &[], &[(STATIC, "main", "(I)I", main), (STATIC, "log", "()V", log)]))];
    assert!(listing(&optimized(&files, "main", false), "T", "main").contains("invoke"));
    let rules = format!("{KEEP}-assumenosideeffects class T {{ static void log(); }}");
    let archive = optimized_by(&files, &rules, false);
    assert!(!listing(&archive, "T", "main").contains("invoke"));
}

/// Dropping arguments may take more bytes than the call: a method that JVMs would not compile any more, or not even load, stays
/// as it is.
#[test]
fn calls_stay_where_dropping_their_arguments_makes_a_method_too_long() {
    let taken = format!("({})V", "J".repeat(120));
    let left = |calls: usize| {
        let main: Build<'_> = &|code, pool| {
            for _ in 0..calls {
                for _ in 0..120 {
                    code.op(Opcode::Lconst1);
                }
                call(code, pool, Opcode::Invokestatic, "T", "log", &taken);
            }
            code.op(Opcode::Return);
        };
        let log: Build<'_> = &|code, pool| {
            call(code, pool, Opcode::Invokestatic, "java/lang/Class", "unknown", "()V");
            code.op(Opcode::Return);
        };
        let files = [("T", class("T", &[], &[(STATIC, "main", "()V", main), (STATIC, "log", &taken, log)]))];
        let rules = format!(
            "{KEEP}-keep class T {{ *** log(...); }}\n-optimizations !method/inlining/*\n\
            -assumenosideeffects class T {{ static void log(...); }}"
        );
        listing(&optimized_by(&files, &rules, false), "T", "main").matches("invokestatic").count()
    };
    assert_eq!([3, 50, 500].map(left), [0, 50, 500]);
}

/// `T.main(x)` gives `Check.both(Check.one(x), "x is null")`, and asks `Check.none(x, "x")` and `Check.number(1)`.
fn with_checks(rules: &str) -> String {
    const ONE: &str = "(Ljava/lang/Object;)Ljava/lang/Object;";
    const BOTH: &str = "(Ljava/lang/Object;Ljava/lang/String;)Ljava/lang/Object;";
    const NONE: &str = "(Ljava/lang/Object;Ljava/lang/String;)V";
    let text =
        |code: &mut planish_classfile::builder::CodeBuilder, pool: &mut crate::small::Pool, text: &[u8]| {
            let text = pool.add_utf8(text).unwrap();
            code.load(planish_classfile::Constant::String(text), pool).unwrap();
        };
    let main: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0);
        text(code, pool, b"x");
        call(code, pool, Opcode::Invokestatic, "Check", "none", NONE);
        code.op(Opcode::Iconst1);
        call(code, pool, Opcode::Invokestatic, "Check", "number", "(I)V");
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokestatic, "Check", "one", ONE);
        text(code, pool, b"x is null");
        call(code, pool, Opcode::Invokestatic, "Check", "both", BOTH);
        code.op(Opcode::Areturn);
    };
    let t = [(STATIC, "main", "(Ljava/lang/Object;)Ljava/lang/Object;", main)];
    let native = Flags(STATIC.0 | Flags::NATIVE.0);
    let check = class("Check", &[], &[]);
    let mut check = planish_classfile::ClassFile::read(&check).unwrap();
    for (name, descriptor) in [("one", ONE), ("both", BOTH), ("none", NONE), ("number", "(I)V")] {
        check.add_method(native, name.as_bytes(), descriptor.as_bytes(), None).unwrap();
    }
    let files = [("T", class("T", &[], &t)), ("Check", check.to_bytes().unwrap())];
    listing(&optimized_by(&files, &format!("{KEEP}-keep class Check {{ *; }}\n{rules}"), false), "T", "main")
}

/// What gives its argument back gives it still; the text goes. A number cannot be null.
#[test]
fn calls_that_rules_say_check_for_null_do_so_without_a_message() {
    let calls = |rules: &str| {
        let text = with_checks(rules);
        let count = |what: &str| text.matches(what).count();
        (count("Check"), count("getClass"), count("ldc"))
    };
    assert_eq!(calls(""), (4, 0, 2));
    assert_eq!(calls("-convertchecknotnull class Check { void *(...); }"), (3, 1, 1));
    assert_eq!(calls("-convertchecknotnull class Check { *; }"), (1, 1, 0), "the others are known to pass");
    assert_eq!(calls("-convertchecknotnull class Other { *; }"), (4, 0, 2));
}

/// What goes before the first round was there, and is counted.
#[test]
fn the_summary_begins_with_the_program_as_it_was() {
    let before = |rules: &str| {
        let mut roots = Roots { rules_given: true, ..Roots::default() };
        add_rules(&format!("{KEEP}{rules}"), &mut roots);
        let (mut archive, hierarchy) = read_in(&program());
        let classpath = Classpath::default();
        let around = Surroundings::quiet(&hierarchy, &classpath, &roots);
        let (shrunk, _) = optimize_program(&mut archive, around, &Settings::default()).unwrap();
        (shrunk.instructions.0, shrunk.bytes.0)
    };
    assert_eq!(before(""), before("-assumenosideeffects class Log { *; }"));
    assert_eq!(before(""), before("-assumenosideeffects class Log { static int d(...); }"));
}
