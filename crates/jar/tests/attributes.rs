//! Attributes that rules keep, and those that go.

use crate::small::listing::{listing, read};
use crate::small::outcome::outcome_of;
use crate::small::{APART, Build, Pool, call, class, optimized, optimized_by, optimized_for};
use planish_base::Budget;
use planish_classfile::annotation::{Annotation, ElementValue};
use planish_classfile::attribute::InnerClass;
use planish_classfile::builder::CodeBuilder;
use planish_classfile::{Attribute, Body, ClassFile, CodeBytes, Constant, ConstantPool, Flags, Kind, Opcode};
use planish_jar::classes::Archive;
use planish_jar::programs::roots::Roots;

const STATIC: Flags = Flags(Flags::PUBLIC.0 | Flags::STATIC.0);

const MAIN: &str = "-keep class T { *** main(...); }\n";

/// An annotation, with a class as its value.
fn annotation(pool: &mut ConstantPool<'_>, name: &str, value: Option<&str>) -> Annotation {
    let mut text = |text: String| pool.add_utf8(text.as_bytes()).unwrap();
    let descriptor = text(format!("L{name};"));
    let element = |class| (text("value".to_owned()), ElementValue::Class(text(format!("L{class};"))));
    Annotation { descriptor, elements: value.map(element).into_iter().collect() }
}

/// The class with attributes besides.
fn with(bytes: &[u8], make: impl FnOnce(&mut ConstantPool<'_>) -> Vec<Body<'static>>) -> Vec<u8> {
    let mut file = ClassFile::read(bytes).unwrap();
    for body in make(&mut file.pool) {
        let attribute = Attribute::new(&mut file.pool, &body).unwrap();
        file.attributes.push(attribute);
    }
    file.to_bytes().unwrap()
}

/// An annotation type.
fn annotation_type(name: &str) -> Vec<u8> {
    let flags = Flags::PUBLIC | Flags::INTERFACE | Flags::ABSTRACT | Flags::ANNOTATION;
    ClassFile::new(52, flags, name.as_bytes(), Some(b"java/lang/Object")).unwrap().to_bytes().unwrap()
}

/// The names of the attributes of a class and of its bodies, and of its annotations.
fn attributes(archive: &Archive, class: &str) -> String {
    let bytes = read(archive, class);
    let file = ClassFile::read(&bytes).unwrap();
    let pool = &file.pool;
    let mut names = Vec::new();
    for attribute in &file.attributes {
        names.push(String::from_utf8_lossy(pool.utf8(attribute.name).unwrap()).into_owned());
        if let Ok(Some(Body::RuntimeVisibleAnnotations(list))) = attribute.decode(pool) {
            let ty =
                |item: &Annotation| String::from_utf8_lossy(pool.utf8(item.descriptor).unwrap()).into_owned();
            names.extend(list.iter().map(ty));
        }
    }
    for method in &file.methods {
        let Some(code) = method.attribute(pool, Kind::Code) else { continue };
        let body = CodeBytes::read(&mut code.cursor()).unwrap();
        let name =
            |inner: &Attribute<'_>| String::from_utf8_lossy(pool.utf8(inner.name).unwrap()).into_owned();
        names.extend(body.attributes.iter().map(name));
    }
    names.join(" ")
}

fn constant(code: &mut CodeBuilder, pool: &mut Pool, class: &str) {
    let name = pool.add_utf8(class.as_bytes()).unwrap();
    code.load(Constant::Class(name), pool).unwrap();
}

/// `T.main`, which does something with `T.class`; `T` has a generic type, a file of source, two annotations, and is static
/// inside of a class of which nothing else speaks.
fn program(main: Build<'_>, descriptor: &str) -> Vec<(&'static str, Vec<u8>)> {
    let t = class("T", &[], &[(STATIC, "main", descriptor, main)]);
    let t = with(&t, |pool| {
        let annotations = vec![annotation(pool, "A", Some("Value")), annotation(pool, "B", None)];
        let (own, outer) = (pool.add_class(b"T").unwrap(), pool.add_class(b"Outer").unwrap());
        let name = pool.add_utf8(b"T").unwrap();
        let flags = Flags::STATIC | Flags::PROTECTED;
        vec![
            Body::Signature(pool.add_utf8(b"Ljava/lang/Object;").unwrap()),
            Body::SourceFile(pool.add_utf8(b"T.java").unwrap()),
            Body::RuntimeVisibleAnnotations(annotations),
            Body::InnerClasses(vec![InnerClass { class: own, outer, name, flags }]),
        ]
    });
    let mut files = vec![("T", t)];
    files.extend(["A", "B"].map(|name| (name, annotation_type(name))));
    files.extend(["Value", "Outer"].map(|name| (name, class(name, &[], &[]))));
    files
}

fn says_nothing(code: &mut CodeBuilder, pool: &mut Pool) {
    code.line(3);
    call(code, pool, Opcode::Invokestatic, "java/lang/System", "gc", "()V");
    code.op(Opcode::Return);
}

fn has(archive: &Archive, class: &str) -> bool {
    archive.find(format!("{class}.class").as_bytes()).is_some()
}

#[test]
fn what_no_rule_keeps_goes_with_what_it_speaks_of() {
    let files = program(&says_nothing, "()V");
    let all = "Signature SourceFile RuntimeVisibleAnnotations LA; LB; InnerClasses LineNumberTable";
    for (rules, left) in [
        ("", ""),
        ("-keepattributes Signature", "Signature"),
        ("-keepattributes !Signature,S*,*Table", "SourceFile LineNumberTable"),
        ("-keepattributes *Annotation*", "RuntimeVisibleAnnotations LA; LB;"),
        ("-keepattributes InnerClasses\n-keepattributes LineNumberTable", "InnerClasses LineNumberTable"),
        ("-keepattributes", all),
        ("-dontobfuscate", all),
    ] {
        let archive = optimized_by(&files, &format!("{MAIN}{rules}\n{APART}"), false);
        assert_eq!(attributes(&archive, "T"), left, "{rules}");
        let kept = ["A", "B", "Value", "Outer"].map(|class| has(&archive, class));
        let annotated = left.contains("LA;");
        assert_eq!(kept, [annotated, annotated, annotated, left.contains("InnerClasses")], "{rules}");
    }
    assert_eq!(
        listing(&optimized(&files, "main", false), "T", "main"),
        "invokestatic java/lang/System.gc\nreturn\n"
    );
}

#[test]
fn without_rules_nothing_goes() {
    let main: Build<'_> = &|code, _| {
        code.line(3).op(Opcode::Return);
    };
    let files = program(main, "([Ljava/lang/String;)V");
    let archive = optimized_for(&files, "", Roots { main: vec!["T".to_owned()], ..Roots::default() });
    let all = "Signature SourceFile RuntimeVisibleAnnotations LA; LB; InnerClasses LineNumberTable";
    assert_eq!(attributes(&archive, "T"), all);
}

/// `T.class.getAnnotation(A.class)`
fn asks_for_a(code: &mut CodeBuilder, pool: &mut Pool) {
    constant(code, pool, "T");
    constant(code, pool, "A");
    let descriptor = "(Ljava/lang/Class;)Ljava/lang/annotation/Annotation;";
    call(code, pool, Opcode::Invokevirtual, "java/lang/Class", "getAnnotation", descriptor);
    code.op(Opcode::Areturn);
}

/// What is noted of a program, all of it.
fn noted(files: &[(&str, Vec<u8>)], rules: &str) -> String {
    outcome_of(files, rules, Roots { rules_given: true, ..Roots::default() }).missed.to_string()
}

#[test]
fn an_annotation_that_the_program_asks_for_stays() {
    let files = program(&asks_for_a, "()Ljava/lang/annotation/Annotation;");
    let archive = optimized_by(&files, MAIN, false);
    assert_eq!(attributes(&archive, "T"), "RuntimeVisibleAnnotations LA;");
    assert!(has(&archive, "A") && has(&archive, "Value"), "and what it speaks of");
    assert!(!has(&archive, "B"));
    assert_eq!(noted(&files, MAIN), "");
}

/// Where a type may be repeated, asking for it finds what holds several.
#[test]
fn what_holds_repeated_annotations_stays_with_them() {
    let mut files = program(&asks_for_a, "()Ljava/lang/annotation/Annotation;");
    let repeatable = with(&annotation_type("A"), |pool| {
        let list = vec![annotation(pool, "java/lang/annotation/Repeatable", Some("B"))];
        vec![Body::RuntimeVisibleAnnotations(list)]
    });
    files[1].1 = repeatable;
    let archive = optimized_by(&files, MAIN, false);
    assert_eq!(attributes(&archive, "T"), "RuntimeVisibleAnnotations LA; LB;");
    assert_eq!(attributes(&archive, "A"), "RuntimeVisibleAnnotations Ljava/lang/annotation/Repeatable;");
}

#[test]
fn reading_what_goes_is_noted_with_the_rule_that_keeps_it() {
    let reads = |name: &'static str, gives: &'static str| {
        move |code: &mut CodeBuilder, pool: &mut Pool| {
            constant(code, pool, "T");
            call(code, pool, Opcode::Invokevirtual, "java/lang/Class", name, &format!("(){gives}"));
            code.op(Opcode::Areturn);
        }
    };
    for (name, gives, said) in [
        ("getSimpleName", "Ljava/lang/String;", "InnerClasses"),
        ("getGenericSuperclass", "Ljava/lang/reflect/Type;", "Signature"),
        ("getAnnotations", "[Ljava/lang/annotation/Annotation;", "RuntimeVisibleAnnotations"),
    ] {
        let main = reads(name, gives);
        let files = program(&main, &format!("(){gives}"));
        let text = noted(&files, MAIN);
        assert_eq!(
            text,
            format!(
                "\
# the unnamed package reads attributes of class files
#   T.main(): Class.{name} reads {said}; {said} of T went
-keepattributes {said}

"
            )
        );
        assert_eq!(noted(&files, &format!("{MAIN}{text}")), "");
        assert_eq!(noted(&files, &format!("{MAIN}-dontnote T\n")), "");
    }
}

/// Rules name classes by annotations that go.
#[test]
fn a_rule_matches_by_an_annotation_that_goes() {
    let files = program(&says_nothing, "()V");
    let archive = optimized_by(&files, "-keep @A class * { *** main(...); }", false);
    assert_eq!(attributes(&archive, "T"), "");
    assert!(archive.entries.iter().all(|entry| entry.content(&mut Budget::new("bytes", 1 << 20)).is_ok()));
}

/// The version of a class counts its flags as a class inside of another, which go with what says them.
#[test]
fn a_class_of_which_the_flags_go_says_the_version_that_it_had() {
    let main: Build<'_> = &|code, pool| {
        code.class(Opcode::New, b"S", pool).unwrap().op(Opcode::Dup);
        call(code, pool, Opcode::Invokespecial, "S", "<init>", "()V");
        call(
            code,
            pool,
            Opcode::Invokestatic,
            "java/io/ObjectOutputStream",
            "writeObject",
            "(Ljava/lang/Object;)V",
        );
        code.op(Opcode::Return);
    };
    let init: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokespecial, "java/lang/Object", "<init>", "()V");
        code.op(Opcode::Return);
    };
    let s = class("S", &[], &[(Flags::PUBLIC, "<init>", "()V", init)]);
    let mut file = ClassFile::read(&s).unwrap();
    let serializable = file.pool.add_class(b"java/io/Serializable").unwrap();
    file.interfaces.push(serializable);
    let s = with(&file.to_bytes().unwrap(), |pool| {
        let (own, outer) = (pool.add_class(b"S").unwrap(), pool.add_class(b"Outer").unwrap());
        let inner = InnerClass { class: own, outer, name: 0, flags: Flags::STATIC };
        vec![Body::InnerClasses(vec![inner])]
    });
    let mut files = program(main, "()V");
    files.push(("S", s));
    let states = |rules: &str| {
        let bytes =
            read(&optimized_by(&files, &format!("{MAIN}-keep class S {{ *; }}\n{rules}"), false), "S");
        let file = ClassFile::read(&bytes).unwrap();
        file.fields.iter().any(|field| file.pool.utf8(field.name) == Ok(b"serialVersionUID"))
    };
    assert!(states(""));
    assert!(!states("-keepattributes InnerClasses"));
}

/// `-renamesourcefileattribute` says another name for what stays.
#[test]
fn source_files_get_the_name_that_the_configuration_says() {
    let main: Build<'_> = &says_nothing;
    let plain = class("T", &[], &[(STATIC, "main", "()V", main)]);
    let t = with(&plain, |pool| vec![Body::SourceFile(pool.add_utf8(b"Secret.java").unwrap())]);
    let files = [("T", t)];
    let source = |rules: &str| {
        let bytes = read(&optimized_by(&files, &format!("{MAIN}{rules}"), false), "T");
        let file = ClassFile::read(&bytes).unwrap();
        let Some(Ok(Some(Body::SourceFile(name)))) =
            file.attribute(Kind::SourceFile).map(|attribute| attribute.decode(&file.pool))
        else {
            return None;
        };
        assert!(!bytes.windows(6).any(|six| six == b"Secret") || !rules.contains("rename"));
        Some(String::from_utf8_lossy(file.pool.utf8(name).unwrap()).into_owned())
    };
    let kept = "-keepattributes SourceFile\n";
    assert_eq!(source(kept).as_deref(), Some("Secret.java"));
    assert_eq!(
        source(&format!("{kept}-renamesourcefileattribute SourceFile")).as_deref(),
        Some("SourceFile")
    );
    assert_eq!(source(&format!("{kept}-renamesourcefileattribute")).as_deref(), Some(""));
    assert_eq!(source("-dontobfuscate -renamesourcefileattribute X").as_deref(), Some("X"));
    assert_eq!(source("-renamesourcefileattribute X"), None, "it goes all the same");
}
