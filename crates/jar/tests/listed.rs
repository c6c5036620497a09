//! Classes that are loaded by names which went through fields, arrays and resources.

use crate::small::listing::{listing, read};
use crate::small::{Build, Pool, add_rules, call, class, optimized, read_in};
use planish_classfile::builder::CodeBuilder;
use planish_classfile::zip::{DosTime, Entry};
use planish_classfile::{Constant, Flags, Opcode};
use planish_driver::Settings;
use planish_jar::classes::Method;
use planish_jar::inputs::Classpath;
use planish_jar::programs::around::Surroundings;
use planish_jar::programs::roots::Roots;
use planish_jar::rounds::optimize_program;

const STATIC: Flags = Flags(Flags::PUBLIC.0 | Flags::STATIC.0);

const LOADS: &str = "(Ljava/lang/String;)Ljava/lang/Class;";

fn string(code: &mut CodeBuilder, pool: &mut Pool, text: &str) {
    let text = pool.add_utf8(text.as_bytes()).unwrap();
    code.load(Constant::String(text), pool).unwrap();
}

/// `Class.forName(System.lineSeparator())`: a name of which nothing is known.
fn load(code: &mut CodeBuilder, pool: &mut Pool) {
    call(code, pool, Opcode::Invokestatic, "java/lang/System", "lineSeparator", "()Ljava/lang/String;");
    call(code, pool, Opcode::Invokestatic, "java/lang/Class", "forName", LOADS);
    code.op(Opcode::Pop);
}

/// The classes that go of a program that begins at `app.Main.main`, with `app.Red`, `app.Blue` and a resource beside it.
fn gone_of(main: Vec<u8>, (name, text): (&str, &str)) -> String {
    let init: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokespecial, "java/lang/Object", "<init>", "()V");
        code.op(Opcode::Return);
    };
    let plain = |name: &str| class(name, &[], &[(Flags::PUBLIC, "<init>", "()V", init)]);
    let files = [("app/Main", main), ("app/Red", plain("app/Red")), ("app/Blue", plain("app/Blue"))];
    let (mut archive, hierarchy) = read_in(&files);
    archive.entries.push(Entry::new(name.as_bytes(), DosTime::EPOCH, text.as_bytes(), Method::Stored));
    let mut roots = Roots { rules_given: true, ..Roots::default() };
    add_rules("-keep class app.Main { *** main(...); }", &mut roots);
    let classpath = Classpath::default();
    let around = Surroundings::quiet(&hierarchy, &classpath, &roots);
    optimize_program(&mut archive, around, &Settings::default()).unwrap();
    let is_gone =
        |name: &&str| archive.find(format!("{}.class", name.replace('.', "/")).as_bytes()).is_none();
    ["app.Blue", "app.Red"].into_iter().filter(is_gone).collect::<Vec<_>>().join(" ")
}

/// The same for a method.
fn gone(main: Build<'_>, resource: (&str, &str)) -> String {
    gone_of(class("app/Main", &[], &[(STATIC, "main", "()V", main)]), resource)
}

fn asks_for(code: &mut CodeBuilder, pool: &mut Pool, resource: &str) {
    let class = pool.add_utf8(b"app/Main").unwrap();
    code.load(Constant::Class(class), pool).unwrap();
    string(code, pool, resource);
    let ty = "(Ljava/lang/String;)Ljava/io/InputStream;";
    call(code, pool, Opcode::Invokevirtual, "java/lang/Class", "getResourceAsStream", ty);
    code.op(Opcode::Pop);
}

#[test]
fn a_string_that_is_put_somewhere_may_be_loaded() {
    let somewhere: Build<'_> = &|code, pool| {
        string(code, pool, "app.Red");
        call(code, pool, Opcode::Invokestatic, "java/lang/System", "lineSeparator", "()Ljava/lang/String;");
        call(
            code,
            pool,
            Opcode::Invokevirtual,
            "java/lang/String",
            "concat",
            "(Ljava/lang/String;)Ljava/lang/String;",
        );
        code.op(Opcode::Pop);
        call(code, pool, Opcode::Invokestatic, "app/Main", "load", "()V");
        code.op(Opcode::Return);
    };
    // Somebody else loads, so the string is not one of a method that does.
    let none = ("app/none.txt", "");
    let files = |loads: bool| {
        let elsewhere: Build<'_> = &|code, pool| {
            if loads {
                load(code, pool);
            }
            code.op(Opcode::Return);
        };
        class("app/Main", &[], &[(STATIC, "main", "()V", somewhere), (STATIC, "load", "()V", elsewhere)])
    };
    for (loads, wanted) in [(true, "app.Blue"), (false, "app.Blue app.Red")] {
        assert_eq!(gone_of(files(loads), none), wanted, "loads: {loads}");
    }
}

#[test]
fn what_a_resource_names_that_is_asked_for_may_be_loaded() {
    let loads_by = |resource: &'static str| {
        move |code: &mut CodeBuilder, pool: &mut Pool| {
            asks_for(code, pool, resource);
            load(code, pool);
            code.op(Opcode::Return);
        }
    };
    let list = "# plugins\nred = app.Red\n";
    // From the package of the class, and from the root.
    assert_eq!(gone(&loads_by("list.properties"), ("app/list.properties", list)), "app.Blue");
    assert_eq!(gone(&loads_by("/app/list.properties"), ("app/list.properties", list)), "app.Blue");
    assert_eq!(gone(&loads_by("conf/list"), ("app/conf/list", "<a class='app/Blue'/>")), "app.Red");
    // Nobody asks for this one.
    assert_eq!(gone(&loads_by("other.properties"), ("app/list.properties", list)), "app.Blue app.Red");
    assert_eq!(gone(&loads_by("ist.properties"), ("app/list.properties", list)), "app.Blue app.Red");
    let bytes = ("app/list.properties", "\0app.Red");
    assert_eq!(gone(&loads_by("list.properties"), bytes), "app.Blue app.Red", "no text");
}

#[test]
fn what_a_resource_names_is_not_loaded_where_nothing_is() {
    let reads: Build<'_> = &|code, pool| {
        asks_for(code, pool, "list");
        code.op(Opcode::Return);
    };
    assert_eq!(gone(reads, ("app/list", "app.Red")), "app.Blue app.Red");
}

#[test]
fn a_bundle_is_read_by_its_base_name() {
    let reads = |base: &'static str| {
        move |code: &mut CodeBuilder, pool: &mut Pool| {
            string(code, pool, base);
            let ty = "(Ljava/lang/String;)Ljava/util/ResourceBundle;";
            call(code, pool, Opcode::Invokestatic, "java/util/ResourceBundle", "getBundle", ty);
            code.op(Opcode::Pop);
            load(code, pool);
            code.op(Opcode::Return);
        }
    };
    assert_eq!(gone(&reads("app.texts"), ("app/texts_de.properties", "x=app.Red")), "app.Blue");
    assert_eq!(gone(&reads("app.texts"), ("app/texts.properties", "x=app.Blue")), "app.Red");
    assert_eq!(gone(&reads("app.text"), ("app/texts.properties", "x=app.Blue")), "app.Blue app.Red");
}

/// A class file is asked for from the package of a class, through a folder.
#[test]
fn a_class_file_in_a_folder_beside_a_class_is_read() {
    let reads: Build<'_> = &|code, pool| {
        asks_for(code, pool, "sub/Deep.class");
        code.op(Opcode::Return);
    };
    let files = [
        ("T", class("T", &[], &[(STATIC, "main", "()V", reads)])),
        ("app/sub/Deep", class("app/sub/Deep", &[("kept", "I")], &[])),
    ];
    let archive = optimized(&files, "main", false);
    assert!(listing(&archive, "T", "main").contains("getResourceAsStream"));
    assert!(!read(&archive, "app/sub/Deep").is_empty());
}
