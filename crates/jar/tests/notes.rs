//! Notes about places that may look in vain for what went, and the rules that keep it.

use crate::small::listing::{listing, read};
use crate::small::outcome::outcome_of;
use crate::small::{Build, Pool, call, class, class_below, optimized};
use planish_classfile::builder::CodeBuilder;
use planish_classfile::{Constant, Flags, Opcode};
use planish_jar::programs::roots::Roots;

const STATIC: Flags = Flags(Flags::PUBLIC.0 | Flags::STATIC.0);

const MAIN: &str = "-keep class app.Main { *** main(...); }\n";

/// A constructor that calls the one of the class above.
fn constructor(above: &'static str) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code, pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokespecial, above, "<init>", "()V");
        code.op(Opcode::Return);
    }
}

/// `app.Main` with a method `main`, and plugins that nothing names: `app.plugin.Red` and `app.plugin.Blue`, which extend
/// `app.Plugin` and have a field `size` and a method `run`, and `app.Other`.
fn program(main: Build<'_>, descriptor: &str) -> Vec<(&'static str, Vec<u8>)> {
    let run: Build<'_> = &|code, _| {
        code.op(Opcode::Return);
    };
    let of_object = constructor("java/lang/Object");
    let of_plugin = constructor("app/Plugin");
    let plugin = |name: &str| {
        let methods: [(Flags, &str, &str, Build<'_>); 2] =
            [(Flags::PUBLIC, "<init>", "()V", &of_plugin), (Flags::PUBLIC, "run", "()V", run)];
        class_below(b"app/Plugin", name, &[("size", "I")], &methods)
    };
    let alone = |name: &str| class(name, &[("kept", "I")], &[(Flags::PUBLIC, "<init>", "()V", &of_object)]);
    vec![
        ("app/Main", class("app/Main", &[], &[(STATIC, "main", descriptor, main)])),
        ("app/Plugin", alone("app/Plugin")),
        ("app/plugin/Red", plugin("app/plugin/Red")),
        ("app/plugin/Blue", plugin("app/plugin/Blue")),
        ("app/Other", alone("app/Other")),
    ]
}

fn string(code: &mut CodeBuilder, pool: &mut Pool, text: &str) {
    let text = pool.add_utf8(text.as_bytes()).unwrap();
    code.load(Constant::String(text), pool).unwrap();
}

fn class_constant(code: &mut CodeBuilder, pool: &mut Pool, name: &str) {
    let name = pool.add_utf8(name.as_bytes()).unwrap();
    code.load(Constant::Class(name), pool).unwrap();
}

/// What is noted of a program, all of it.
fn noted(files: &[(&str, Vec<u8>)], rules: &str) -> String {
    outcome_of(files, rules, Roots { rules_given: true, ..Roots::default() }).missed.to_string()
}

/// What is noted of a program, which is what rules are for: with them nothing is noted any more.
fn noted_once(files: &[(&str, Vec<u8>)], rules: &str) -> String {
    let said = noted(files, rules);
    assert_eq!(noted(files, &format!("{rules}{said}")), "", "with the rules of\n{said}");
    said
}

/// `(app.Plugin) Class.forName("app" + name).newInstance()`, in the way of Java 8.
fn loads_a_plugin(code: &mut CodeBuilder, pool: &mut Pool) {
    let builder = "java/lang/StringBuilder";
    let append = "(Ljava/lang/String;)Ljava/lang/StringBuilder;";
    code.line(7);
    code.class(Opcode::New, builder.as_bytes(), pool).unwrap().op(Opcode::Dup);
    call(code, pool, Opcode::Invokespecial, builder, "<init>", "()V");
    string(code, pool, "app");
    call(code, pool, Opcode::Invokevirtual, builder, "append", append);
    code.local(Opcode::Aload, 0);
    call(code, pool, Opcode::Invokevirtual, builder, "append", append);
    call(code, pool, Opcode::Invokevirtual, builder, "toString", "()Ljava/lang/String;");
    code.line(8);
    let descriptor = "(Ljava/lang/String;)Ljava/lang/Class;";
    call(code, pool, Opcode::Invokestatic, "java/lang/Class", "forName", descriptor);
    call(code, pool, Opcode::Invokevirtual, "java/lang/Class", "newInstance", "()Ljava/lang/Object;");
    code.class(Opcode::Checkcast, b"app/Plugin", pool).unwrap();
    code.op(Opcode::Areturn);
}

#[test]
fn a_class_of_which_parts_of_the_name_and_what_it_is_are_known() {
    let files = program(&loads_a_plugin, "(Ljava/lang/String;)Lapp/Plugin;");
    assert_eq!(
        noted_once(&files, MAIN),
        "\
# app loads classes by names that are computed
#   app.Main.main(java.lang.String) (line 8): Class.forName for app**, which is a app.Plugin; 3 that it may mean \
went, such as app.plugin.Blue
-keep class app** extends app.Plugin { <init>(...); }

"
    );
    // Whatever keeps what is meant is as good.
    assert_eq!(noted(&files, &format!("{MAIN}-keep class app.plugin.* {{ <init>(); }}")), "");
    // One of both is noted still.
    let said = noted(&files, &format!("{MAIN}-keep class app.plugin.Blue {{ <init>(); }}"));
    assert!(said.contains("; app.plugin.Red went\n"), "{said}");
}

#[test]
fn rules_say_about_which_classes_there_are_no_notes() {
    let files = program(&loads_a_plugin, "(Ljava/lang/String;)Lapp/Plugin;");
    for silent in ["-dontnote", "-dontnote app.Main", "-dontnote !app.Other,app.**"] {
        assert_eq!(noted(&files, &format!("{MAIN}{silent}\n")), "", "{silent}");
    }
    assert!(!noted(&files, &format!("{MAIN}-dontnote app.Other\n")).is_empty());
}

#[test]
fn a_class_whose_name_is_a_constant_is_found() {
    let main: Build<'_> = &|code, pool| {
        string(code, pool, "app.plugin.Red");
        let descriptor = "(Ljava/lang/String;)Ljava/lang/Class;";
        call(code, pool, Opcode::Invokestatic, "java/lang/Class", "forName", descriptor);
        call(code, pool, Opcode::Invokevirtual, "java/lang/Class", "newInstance", "()Ljava/lang/Object;");
        code.op(Opcode::Areturn);
    };
    let mut files = program(main, "()Ljava/lang/Object;");
    assert_eq!(noted(&files, MAIN), "");
    files.push(("T", class("T", &[], &[(STATIC, "main", "()Ljava/lang/Object;", main)])));
    let archive = optimized(&files, "main", false);
    assert!(!read(&archive, "app/plugin/Red").is_empty());
    assert!(listing(&archive, "app/plugin/Red", "<init>").ends_with("return\n"));
}

#[test]
fn fields_of_an_object_whose_class_is_declared() {
    let main: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokevirtual, "java/lang/Object", "getClass", "()Ljava/lang/Class;");
        let descriptor = "()[Ljava/lang/reflect/Field;";
        call(code, pool, Opcode::Invokevirtual, "java/lang/Class", "getDeclaredFields", descriptor);
        code.op(Opcode::Areturn);
    };
    let files = program(main, "(Lapp/Plugin;)[Ljava/lang/reflect/Field;");
    let rules = format!("{MAIN}-keep class app.plugin.Red {{ <init>(); }}\n-keep class app.Other\n");
    assert_eq!(
        noted_once(&files, &rules),
        "\
# app looks through the members of classes
#   app.Main.main(app.Plugin): Class.getDeclaredFields for what is a app.Plugin; 2 that it may mean went, such as \
app.plugin.Red.size
-keepclassmembers class * extends app.Plugin { <fields>; }
-keepclassmembers class app.Plugin { <fields>; }

"
    );
}

#[test]
fn a_method_of_a_class_by_a_name_that_is_computed() {
    let main: Build<'_> = &|code, pool| {
        class_constant(code, pool, "app/plugin/Red");
        string(code, pool, "r");
        code.local(Opcode::Aload, 0);
        let concat = "(Ljava/lang/String;)Ljava/lang/String;";
        call(code, pool, Opcode::Invokevirtual, "java/lang/String", "concat", concat);
        code.op(Opcode::AconstNull);
        let descriptor = "(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;";
        call(code, pool, Opcode::Invokevirtual, "java/lang/Class", "getMethod", descriptor);
        code.op(Opcode::Areturn);
    };
    let files = program(main, "(Ljava/lang/String;)Ljava/lang/reflect/Method;");
    assert_eq!(
        noted_once(&files, MAIN),
        "\
# app looks up members by names that are computed
#   app.Main.main(java.lang.String): Class.getMethod for r* of app.plugin.Red; app.plugin.Red.run went
-keepclassmembers class app.plugin.Red { *** r*(...); }

"
    );
}

#[test]
fn a_native_method_may_use_what_its_class_is_made_of() {
    let main: Build<'_> = &|code, pool| {
        call(code, pool, Opcode::Invokestatic, "app/Native", "run", "()V");
        code.op(Opcode::Return);
    };
    let mut files = program(main, "()V");
    let mut native =
        planish_classfile::ClassFile::new(52, Flags::PUBLIC, b"app/Native", Some(b"java/lang/Object"))
            .unwrap();
    native.add_method(STATIC | Flags::NATIVE, b"run", b"()V", None).unwrap();
    native.add_field(Flags::PRIVATE | Flags::STATIC, b"handle", b"J").unwrap();
    files.push(("app/Native", native.to_bytes().unwrap()));
    assert_eq!(
        noted_once(&files, MAIN),
        "\
# app has native methods
#   app.Native.run(): native, and may use app.Native; app.Native.handle went
-keep class app.Native { *; }

"
    );
}

/// On a terminal there are ten lines at most, and where all of them are.
#[test]
fn of_many_notes_some_are_shown() {
    let main: Build<'_> = &|code, pool| {
        for number in 0..12 {
            call(code, pool, Opcode::Invokestatic, &format!("lib{number}/Loads"), "load", "()V");
        }
        code.op(Opcode::Return);
    };
    let mut files = program(main, "()V");
    let load: Build<'_> = &|code, pool| {
        call(code, pool, Opcode::Invokestatic, "java/lang/System", "lineSeparator", "()Ljava/lang/String;");
        let descriptor = "(Ljava/lang/String;)Ljava/lang/Class;";
        call(code, pool, Opcode::Invokestatic, "java/lang/Class", "forName", descriptor);
        code.op(Opcode::Pop).op(Opcode::Return);
    };
    let names: Vec<String> = (0..12).map(|number| format!("lib{number}/Loads")).collect();
    for name in &names {
        files.push((name, class(name, &[], &[(STATIC, "load", "()V", load)])));
    }
    let missed = outcome_of(&files, MAIN, Roots { rules_given: true, ..Roots::default() }).missed;
    let lines: Vec<String> = missed.brief(None).lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 10);
    assert_eq!(
        lines[0],
        "note: lib0 loads classes by names that are computed: lib0.Loads.load; 4 that it may mean went, such as \
         app.Other; -keep class **"
    );
    assert_eq!(lines[9], "note: 3 more places; --notes FILE writes all 12");
    assert!(missed.brief(Some("all.pro")).ends_with("note: 3 more places; all.pro has all 12\n"));
}

/// `Class.forName(prefix + args[0])`, or without a prefix.
fn loads(prefix: &'static str) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code, pool| {
        code.line(5);
        string(code, pool, prefix);
        code.local(Opcode::Aload, 0).op(Opcode::Iconst0).op(Opcode::Aaload);
        let concat = "(Ljava/lang/String;)Ljava/lang/String;";
        call(code, pool, Opcode::Invokevirtual, "java/lang/String", "concat", concat);
        let descriptor = "(Ljava/lang/String;)Ljava/lang/Class;";
        call(code, pool, Opcode::Invokestatic, "java/lang/Class", "forName", descriptor);
        code.op(Opcode::Pop).op(Opcode::Return);
    }
}

/// Without rules whatever is meant stays, and the summary says what that costs.
#[test]
fn what_holds_a_program_open_without_rules() {
    let main = loads("");
    let files = program(&main, "([Ljava/lang/String;)V");
    let roots = || Roots { main: vec!["app.Main".to_owned()], ..Roots::default() };
    let outcome = outcome_of(&files, "", roots());
    assert_eq!(outcome.classes, (5, 5));
    assert_eq!(
        outcome.open.summary(),
        "\
4 classes stay only since reflection may find them; --keep FILE closes what holds them, even if it is empty (--notes FILE \
writes one to begin with)
  held by app loads classes by names that are computed: app.Main.main (line 5); 4 that it may mean stay, such as \
app.Other; -keep class **
"
    );
    // With the rule all of them stay, without any they go.
    let rules = outcome.open.places.to_string();
    for (rules, left) in [(&rules[..], 5), ("", 1)] {
        let closed = outcome_of(&files, rules, Roots { rules_given: true, ..roots() });
        assert_eq!(closed.classes, (5, left), "{rules}");
        assert_eq!(closed.missed.len(), usize::from(left == 1), "{rules}");
    }
}

/// Where parts of a name are known, the classes that have them stay, with rules and without, and the others go.
#[test]
fn a_name_whose_package_is_known_means_its_classes() {
    let main = loads("app.plugin.");
    let files = program(&main, "([Ljava/lang/String;)V");
    for rules_given in [true, false] {
        let outcome = outcome_of(
            &files,
            "",
            Roots { main: vec!["app.Main".to_owned()], rules_given, ..Roots::default() },
        );
        assert!(!outcome.removed.to_string().contains("app.plugin.Blue\n"), "{}", outcome.removed);
        assert_eq!((outcome.classes, outcome.missed.len(), outcome.open.classes), ((5, 4), 0, 0));
    }
}

/// `Class.forName(args[0] or "app.plugin.Red")` by a helper that another helper calls.
fn with_helpers(given: Build<'_>) -> Vec<(&'static str, Vec<u8>)> {
    let loads: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0);
        let descriptor = "(Ljava/lang/String;)Ljava/lang/Class;";
        call(code, pool, Opcode::Invokestatic, "java/lang/Class", "forName", descriptor);
        call(code, pool, Opcode::Invokevirtual, "java/lang/Class", "newInstance", "()Ljava/lang/Object;");
        code.op(Opcode::Areturn);
    };
    let hands_on: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0);
        call(
            code,
            pool,
            Opcode::Invokestatic,
            "app/Loader",
            "load",
            "(Ljava/lang/String;)Ljava/lang/Object;",
        );
        code.op(Opcode::Areturn);
    };
    let main: Build<'_> = &|code, pool| {
        given(code, pool);
        call(
            code,
            pool,
            Opcode::Invokestatic,
            "app/Loader",
            "make",
            "(Ljava/lang/String;)Ljava/lang/Object;",
        );
        code.op(Opcode::Pop).op(Opcode::Return);
    };
    let mut files = program(main, "([Ljava/lang/String;)V");
    let ty = "(Ljava/lang/String;)Ljava/lang/Object;";
    files.push((
        "app/Loader",
        class("app/Loader", &[], &[(STATIC, "load", ty, loads), (STATIC, "make", ty, hands_on)]),
    ));
    files
}

/// A name that is known is followed through calls, with rules and without.
#[test]
fn a_name_is_followed_through_calls() {
    let known: Build<'_> = &|code, pool| {
        let [red, end] = [(); 2].map(|()| code.label());
        code.local(Opcode::Aload, 0).op(Opcode::Arraylength).jump(Opcode::Ifeq, red);
        string(code, pool, "app.plugin.Blue");
        code.jump(Opcode::Goto, end).bind(red).frame(planish_classfile::frame::Form::Same);
        string(code, pool, "app.plugin.Red");
        let text = pool.add_class(b"java/lang/String").unwrap();
        let on_stack = planish_classfile::frame::VerificationType::Object(text);
        code.bind(end).frame(planish_classfile::frame::Form::Stack1(on_stack));
    };
    let files = with_helpers(known);
    let by_rules = outcome_of(&files, MAIN, Roots { rules_given: true, ..Roots::default() });
    assert_eq!(by_rules.missed.to_string(), "");
    let without = outcome_of(&files, "", Roots { main: vec!["app.Main".to_owned()], ..Roots::default() });
    assert_eq!(without.open.summary(), "", "it is closed");
    for outcome in [by_rules, without] {
        let removed = outcome.removed.to_string();
        assert!(removed.contains("app.Other") && !removed.contains("app.plugin.Red\n"), "{removed}");
        assert!(!removed.contains("Plugin()"), "{removed}");
    }
}

/// Whatever comes from outside may be any name: where it is loaded is noted, or holds the program open.
#[test]
fn a_name_from_outside_is_followed_to_where_it_is_loaded() {
    let unknown: Build<'_> = &|code, _| {
        code.local(Opcode::Aload, 0).op(Opcode::Iconst0).op(Opcode::Aaload);
    };
    let files = with_helpers(unknown);
    let said = noted(&files, MAIN);
    assert!(said.contains("app.Loader.load(java.lang.String): Class.forName for any class"), "{said}");
    let without = outcome_of(&files, "", Roots { main: vec!["app.Main".to_owned()], ..Roots::default() });
    assert_eq!(without.classes, (6, 6));
}

/// A program whose `main` is this, of which the attributes that say where code is from go.
fn with_source(main: Build<'_>, descriptor: &str) -> Vec<(&'static str, Vec<u8>)> {
    let mut files = program(main, descriptor);
    let mut class = planish_classfile::ClassFile::read(&files[0].1).unwrap();
    let name = class.pool.add_utf8(b"Main.java").unwrap();
    let source = planish_classfile::Body::SourceFile(name);
    let attribute = planish_classfile::class::Attribute::new(&mut class.pool, &source).unwrap();
    class.attributes.push(attribute);
    files[0].1 = class.to_bytes().unwrap();
    files
}

const TRACE: &str = "()[Ljava/lang/StackTraceElement;";

/// Who prints an element of a stack trace prints its file and line.
#[test]
fn a_stack_trace_that_is_handed_on_says_lines() {
    let main: Build<'_> = &|code, pool| {
        code.line(3);
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokevirtual, "java/lang/Throwable", "getStackTrace", TRACE);
        code.op(Opcode::Areturn);
    };
    let said = noted_once(&with_source(main, "(Ljava/lang/Throwable;)[Ljava/lang/StackTraceElement;"), MAIN);
    assert!(said.contains("Throwable.getStackTrace reads SourceFile and LineNumberTable"), "{said}");
    let shows: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0);
        let element = "java/lang/StackTraceElement";
        call(code, pool, Opcode::Invokevirtual, element, "toString", "()Ljava/lang/String;");
        code.op(Opcode::Areturn);
    };
    let said = noted_once(&with_source(shows, "(Ljava/lang/StackTraceElement;)Ljava/lang/String;"), MAIN);
    assert!(said.contains("StackTraceElement.toString reads SourceFile"), "{said}");
}

/// Who asks elements for names only loses nothing.
#[test]
fn a_stack_trace_that_is_taken_apart_says_what_is_asked() {
    let main: Build<'_> = &|code, pool| {
        code.line(3);
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokevirtual, "java/lang/Throwable", "getStackTrace", TRACE);
        code.op(Opcode::Iconst0).op(Opcode::Aaload);
        let element = "java/lang/StackTraceElement";
        call(code, pool, Opcode::Invokevirtual, element, "getMethodName", "()Ljava/lang/String;");
        code.op(Opcode::Areturn);
    };
    assert_eq!(noted(&with_source(main, "(Ljava/lang/Throwable;)Ljava/lang/String;"), MAIN), "");
}

/// Calls that take the descriptor of a type, or parts of the name of a class, and load what it names.
fn describes_red(code: &mut CodeBuilder, pool: &mut Pool, how: &str) {
    let (desc, of) = ("java/lang/constant/ClassDesc", Opcode::Invokestatic);
    let (class, name, descriptor) = match how {
        "type" => {
            string(code, pool, "([Lapp/plugin/Red;)V");
            code.op(Opcode::AconstNull);
            let descriptor = "(Ljava/lang/String;Ljava/lang/ClassLoader;)Ljava/lang/invoke/MethodType;";
            ("java/lang/invoke/MethodType", "fromMethodDescriptorString", descriptor)
        }
        "nominal type" => {
            string(code, pool, "(I)Lapp/plugin/Red;");
            let descriptor = "(Ljava/lang/String;)Ljava/lang/constant/MethodTypeDesc;";
            ("java/lang/constant/MethodTypeDesc", "ofDescriptor", descriptor)
        }
        "parts" => {
            string(code, pool, "app.plugin");
            string(code, pool, "Red");
            (desc, "of", "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/constant/ClassDesc;")
        }
        _ => {
            string(code, pool, "app.plugin.Red");
            (desc, "of", "(Ljava/lang/String;)Ljava/lang/constant/ClassDesc;")
        }
    };
    call(code, pool, of, class, name, descriptor);
    code.op(Opcode::Pop).op(Opcode::Return);
}

/// A nominal descriptor may be resolved anywhere, so the classes in it are those that are loaded.
#[test]
fn classes_in_descriptors_are_found() {
    for how in ["type", "nominal type", "parts", "whole"] {
        let main: Build<'_> = &|code, pool| describes_red(code, pool, how);
        let files = program(main, "([Ljava/lang/String;)V");
        for rules_given in [true, false] {
            let main = vec!["app.Main".to_owned()];
            let outcome = outcome_of(&files, "", Roots { main, rules_given, ..Roots::default() });
            let removed = outcome.removed.to_string();
            assert!(!removed.contains("app.plugin.Red\n"), "{how}, {rules_given}: {removed}");
            assert!(removed.contains("app.plugin.Blue\n"), "{how}, {rules_given}: {removed}");
            assert_eq!((outcome.missed.len(), outcome.open.classes), (0, 0), "{how}");
        }
    }
}

/// A static field by its name.
#[test]
fn what_bootstrap_methods_find_is_found() {
    let main: Build<'_> = &|code, pool| {
        code.op(Opcode::AconstNull);
        string(code, pool, "limit");
        class_constant(code, pool, "java/lang/Object");
        class_constant(code, pool, "app/Limits");
        let lookup = "Ljava/lang/invoke/MethodHandles$Lookup;";
        let descriptor =
            format!("({lookup}Ljava/lang/String;Ljava/lang/Class;Ljava/lang/Class;)Ljava/lang/Object;");
        let bootstraps = "java/lang/invoke/ConstantBootstraps";
        call(code, pool, Opcode::Invokestatic, bootstraps, "getStaticFinal", &descriptor);
        code.op(Opcode::Pop).op(Opcode::Return);
    };
    let mut files = program(main, "([Ljava/lang/String;)V");
    files.push(("app/Limits", class("app/Limits", &[("limit", "I"), ("other", "I")], &[])));
    let outcome = outcome_of(&files, MAIN, Roots { rules_given: true, ..Roots::default() });
    let removed = outcome.removed.to_string();
    assert!(removed.contains("other") && !removed.contains("limit"), "{removed}");
}

/// `app.Plugin`, sealed, with `app.plugin.Red` and `app.plugin.Blue` as the classes that may extend it.
fn sealed(main: Build<'_>, descriptor: &str) -> Vec<(&'static str, Vec<u8>)> {
    let mut files = program(main, descriptor);
    let mut class = planish_classfile::ClassFile::read(&files[1].1).unwrap();
    let permitted = ["app/plugin/Red", "app/plugin/Blue"];
    let permitted = permitted.map(|name| class.pool.add_class(name.as_bytes()).unwrap());
    let body = planish_classfile::Body::PermittedSubclasses(permitted.to_vec());
    let attribute = planish_classfile::class::Attribute::new(&mut class.pool, &body).unwrap();
    class.attributes.push(attribute);
    files[1].1 = class.to_bytes().unwrap();
    files
}

const PERMITTED: &str = "()[Ljava/lang/Class;";

/// Those of a class that is a constant are found; of another one they are noted.
#[test]
fn the_classes_that_may_extend_a_sealed_one() {
    let known: Build<'_> = &|code, pool| {
        class_constant(code, pool, "app/Plugin");
        call(code, pool, Opcode::Invokevirtual, "java/lang/Class", "getPermittedSubclasses", PERMITTED);
        code.op(Opcode::Areturn);
    };
    let files = sealed(known, "()[Ljava/lang/Class;");
    let outcome = outcome_of(&files, MAIN, Roots { rules_given: true, ..Roots::default() });
    assert_eq!((outcome.classes, outcome.missed.len()), ((5, 4), 0), "{}", outcome.removed);
    let given: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokevirtual, "java/lang/Class", "getPermittedSubclasses", PERMITTED);
        code.op(Opcode::Areturn);
    };
    let files = sealed(given, "(Ljava/lang/Class;)[Ljava/lang/Class;");
    let rules = format!("{MAIN}-keep class app.Plugin\n");
    assert_eq!(
        noted_once(&files, &rules),
        "\
# app looks through the members of classes
#   app.Main.main(java.lang.Class): Class.getPermittedSubclasses for any class; 2 that it may mean went, such as \
app.plugin.Blue
-keep class * extends app.Plugin { *; }

"
    );
}
