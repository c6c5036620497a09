//! Programs that bring along classes which the JDK has as well.

use planish_base::Budget;
use planish_classfile::builder::CodeBuilder;
use planish_classfile::zip::{DosTime, Entry};
use planish_classfile::{ClassFile, ConstantPool, Flags, Opcode};
use planish_driver::Settings;
use planish_jar::classes::{Archive, Hierarchy, Method, Origin, add_classes};
use planish_jar::inputs::{Classpath, Platform};
use planish_jar::programs::around::Surroundings;
use planish_jar::programs::roots::Roots;
use planish_jar::rounds::optimize_program;

const OBJECT: &str = "java/lang/Object";
const FACTORY: &str = "javax/a/Factory";

/// Writes a body.
type Build<'b> = &'b dyn Fn(&mut CodeBuilder, &mut ConstantPool<'static>);

/// A class with these methods: name, descriptor, body. `main` is static.
fn class(name: &str, above: &str, methods: &[(&str, &str, Build<'_>)]) -> Vec<u8> {
    let flags = Flags::PUBLIC | Flags::SUPER;
    let mut class = ClassFile::new(52, flags, name.as_bytes(), Some(above.as_bytes())).unwrap();
    for (method, descriptor, build) in methods {
        let mut code = CodeBuilder::new();
        build(&mut code, &mut class.pool);
        let code = code.finish(2, &mut class.pool).unwrap();
        let flags = if *method == "main" { Flags::PUBLIC | Flags::STATIC } else { Flags::PUBLIC };
        class.add_method(flags, method.as_bytes(), descriptor.as_bytes(), Some(&code)).unwrap();
    }
    class.to_bytes().unwrap()
}

fn call(code: &mut CodeBuilder, pool: &mut ConstantPool<'_>, op: Opcode, method: [&str; 3]) {
    code.call(op, method.map(str::as_bytes), pool).unwrap();
}

/// The class of the JDK, or a version of it, whose methods do nothing with the number that they get.
fn factory(methods: &[&str]) -> Vec<u8> {
    let nothing = |code: &mut CodeBuilder, _: &mut ConstantPool<'static>| {
        code.op(Opcode::Return);
    };
    let methods: Vec<(&str, &str, Build<'_>)> =
        methods.iter().map(|name| (*name, "(I)V", &nothing as Build<'_>)).collect();
    class(FACTORY, OBJECT, &methods)
}

fn archive(entries: &[(&str, &[u8])]) -> Archive {
    let entry = |&(name, content): &(&str, &[u8])| {
        Entry::new(format!("{name}.class").as_bytes(), DosTime::EPOCH, content, Method::Deflated)
    };
    Archive { entries: entries.iter().map(entry).collect(), ..Archive::default() }
}

/// A JDK with the class.
fn jdk() -> Classpath {
    let heads = archive(&[(FACTORY, &factory(&["<init>", "set", "newer"]))]);
    Classpath { platform: Platform::Heads(heads), ..Classpath::default() }
}

fn content(archive: &Archive, name: &str) -> Vec<u8> {
    let entry = archive.find(format!("{name}.class").as_bytes()).unwrap();
    entry.content(&mut Budget::new("bytes", 1 << 20)).unwrap().into_owned()
}

/// A class below it, and calls of its methods.
#[test]
fn of_a_class_that_the_jdk_has_as_well_the_jdks_is_what_runs() {
    let own = factory(&["<init>", "set"]);
    let below = class(
        "a/Below",
        FACTORY,
        &[
            ("<init>", "()V", &|code, pool| {
                code.local(Opcode::Aload, 0);
                code.int(1, pool).unwrap();
                call(code, pool, Opcode::Invokespecial, [FACTORY, "<init>", "(I)V"]);
                code.op(Opcode::Return);
            }),
            ("newer", "(I)V", &|code, pool| {
                call(code, pool, Opcode::Invokestatic, ["java/lang/System", "gc", "()V"]);
                code.op(Opcode::Return);
            }),
        ],
    );
    let main = class(
        "a/Main",
        OBJECT,
        &[("main", "([Ljava/lang/String;)V", &|code, pool| {
            code.class(Opcode::New, b"a/Below", pool).unwrap();
            code.op(Opcode::Dup);
            call(code, pool, Opcode::Invokespecial, ["a/Below", "<init>", "()V"]);
            code.int(1, pool).unwrap();
            call(code, pool, Opcode::Invokevirtual, [FACTORY, "set", "(I)V"]);
            code.op(Opcode::Return);
        })],
    );
    let mut jar = archive(&[(FACTORY, &own), ("a/Below", &below), ("a/Main", &main)]);
    let mut classpath = jdk();
    let roots = Roots { main: vec!["a.Main".into()], rules_given: true, ..Roots::default() };
    let warning = classpath.set_aside(&mut jar, &roots.main).unwrap();
    assert!(warning.is_some_and(|text| text.starts_with("javax.a.Factory is in the JDK")), "it is named");
    let mut hierarchy = Hierarchy::new();
    let object = ClassFile::new(52, Flags::PUBLIC, OBJECT.as_bytes(), None).unwrap().to_bytes().unwrap();
    hierarchy.add(&object, Origin::Platform).unwrap();
    let mut budget = Budget::new("bytes", 1 << 20);
    add_classes(&mut hierarchy, &jar, Origin::Program, &mut budget, &mut Vec::new()).unwrap();
    classpath.platform.add_to(&mut hierarchy, 1, &mut Vec::new()).unwrap();
    let around = Surroundings::quiet(&hierarchy, &classpath, &roots);
    optimize_program(&mut jar, around, &Settings::default()).unwrap();
    classpath.put_back(&mut jar);
    assert_eq!(content(&jar, FACTORY), own);
    let main = content(&jar, "a/Main");
    let main = ClassFile::read(&main).unwrap();
    let is_set = |index| {
        main.pool.member(index).is_ok_and(|called| called.name == b"set" && called.descriptor == b"(I)V")
    };
    assert!(main.pool.indices().any(is_set), "the JDK's method has its parameter");
    let below = content(&jar, "a/Below");
    let below = ClassFile::read(&below).unwrap();
    let names: Vec<&[u8]> =
        below.methods.iter().map(|method| below.pool.utf8(method.name).unwrap()).collect();
    assert!(names.contains(&&b"newer"[..]), "the JDK may call what overrides a method of its own");
}

#[test]
fn a_library_does_not_take_the_place_of_a_class_of_the_jdk() {
    let mut classpath = jdk();
    classpath.libraries.push(archive(&[(FACTORY, &factory(&["<init>"])), ("b/Other", &factory(&[]))]));
    let mut jar = archive(&[("a/Main", &class("a/Main", OBJECT, &[]))]);
    assert_eq!(classpath.set_aside(&mut jar, &[]).unwrap(), None);
    assert_eq!(classpath.libraries[0].entries.len(), 1);
}

/// As whoever optimizes a module of the JDK wants it.
#[test]
fn a_part_of_the_jdk_takes_its_place() {
    let whole = || archive(&[(FACTORY, &factory(&["<init>"]))]);
    let mut jar = whole();
    let mut classpath = jdk();
    assert_eq!(classpath.set_aside(&mut jar, &[]).unwrap(), None);
    assert_eq!(jar.entries.len(), 1);
    jar.entries.extend(archive(&[("a/More", &class("a/More", OBJECT, &[]))]).entries);
    assert_eq!(classpath.set_aside(&mut jar, &["javax.a.Factory".into()]).unwrap(), None);
    assert_eq!(jar.entries.len(), 2);
    assert!(classpath.set_aside(&mut jar, &["a.More".into()]).unwrap().is_some());
    assert_eq!(jar.entries.len(), 1);
}
