//! What a program needs is kept, the rest goes. Programs are written as text, and so is what is left.
//!
//! A line `[abstract|interface|enum|package] class NAME [extends X] [implements Y,Z] [in X]` begins a class, a line
//! `[flags] name(descriptor): steps` declares a method, `[flags] name:type` a field. Steps say what a
//! body does; every class has a constructor without arguments unless it is an interface.

use planish_base::{Diagnostics, SourceText};
use planish_classfile::attribute::{InnerClass, RecordComponent};
use planish_classfile::builder::CodeBuilder;
use planish_classfile::descriptor::MethodType;
use planish_classfile::{Attribute, Body, ClassFile, Code, Constant, ConstantPool, Flags, Kind, Opcode};
use planish_jvm::shrink::classes::shrink_class;
use planish_jvm_analysis::reach::{Reach, Service};
use planish_jvm_analysis::roots::Active;
use planish_jvm_model::hierarchy::{Hierarchy, Origin};
use planish_jvm_model::library::Library;
use planish_jvm_model::program::Program;
use planish_keep::Configuration;
use planish_keep::read::read;

const OBJECT: &str = "java/lang/Object";

/// `a.B.name(descriptor)` or `a.B.name:type`.
fn member(text: &str) -> [&[u8]; 3] {
    let end = text.find(['(', ':']).expect("a descriptor");
    let dot = text[..end].rfind('.').expect("a class");
    let descriptor = text[end..].strip_prefix(':').unwrap_or(&text[end..]);
    [&text.as_bytes()[..dot], &text.as_bytes()[dot + 1..end], descriptor.as_bytes()]
}

/// The body that steps describe: operands are nulls, results are dropped, at the end it throws null.
fn body(steps: &str, pool: &mut ConstantPool<'_>) -> Code {
    let mut code = CodeBuilder::new();
    for step in steps.split("; ").map(str::trim).filter(|step| !step.is_empty()) {
        let (what, rest) = step.split_once(' ').expect("a step and its operand");
        let call = |code: &mut CodeBuilder, op, pool: &mut ConstantPool<'_>| {
            let member = member(rest);
            let ty = MethodType::parse(member[2]).expect("a descriptor");
            for _ in ty.parameters() {
                code.op(Opcode::AconstNull);
            }
            code.call(op, member, pool).unwrap();
            if ty.result().is_some() {
                code.op(Opcode::Pop);
            }
        };
        match what {
            "new" => {
                code.class(Opcode::New, rest.as_bytes(), pool).unwrap().op(Opcode::Dup);
                code.call(Opcode::Invokespecial, [rest.as_bytes(), b"<init>", b"()V"], pool).unwrap();
                code.op(Opcode::Pop);
            }
            "static" => call(&mut code, Opcode::Invokestatic, pool),
            "virtual" => call(code.op(Opcode::AconstNull), Opcode::Invokevirtual, pool),
            "interface" => call(code.op(Opcode::AconstNull), Opcode::Invokeinterface, pool),
            "get" => {
                code.field(Opcode::Getstatic, member(rest), pool).unwrap().op(Opcode::Pop);
            }
            "cast" => {
                code.op(Opcode::AconstNull).class(Opcode::Checkcast, rest.as_bytes(), pool).unwrap();
                code.op(Opcode::Pop);
            }
            "class" => {
                let name = pool.add_utf8(rest.as_bytes()).unwrap();
                code.load(Constant::Class(name), pool).unwrap();
                code.op(Opcode::Pop);
            }
            // By a name that `main` is given.
            "forName" => {
                code.local(Opcode::Aload, 0).int(0, pool).unwrap();
                code.op(Opcode::Aaload);
                code.call(Opcode::Invokestatic, member(rest), pool).unwrap();
                code.op(Opcode::Pop);
            }
            // forName of a constant, or nothing of it but the constant.
            "load" | "string" => {
                let text = pool.add_utf8(rest.as_bytes()).unwrap();
                code.load(Constant::String(text), pool).unwrap();
                if what == "load" {
                    let name = "java/lang/Class.forName(Ljava/lang/String;)Ljava/lang/Class;";
                    code.call(Opcode::Invokestatic, member(name), pool).unwrap();
                }
                code.op(Opcode::Pop);
            }
            other => panic!("no step {other}"),
        }
    }
    code.op(Opcode::AconstNull).op(Opcode::Athrow);
    code.finish(4, pool).unwrap()
}

fn flags(words: &[&str]) -> Flags {
    words.iter().fold(Flags(0), |flags, word| {
        flags
            | match *word {
                "static" => Flags::STATIC,
                "private" => Flags::PRIVATE,
                "protected" => Flags::PROTECTED,
                "package" => Flags(0),
                "abstract" => Flags::ABSTRACT,
                "interface" => Flags::INTERFACE | Flags::ABSTRACT,
                "enum" => Flags::ENUM,
                "record" => Flags(0),
                other => panic!("no flag {other}"),
            }
    })
}

/// The class files of a text.
fn classes(text: &str) -> Vec<Vec<u8>> {
    let mut files: Vec<ClassFile<'_>> = Vec::new();
    let mut inner: Vec<[&str; 2]> = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (head, steps) = line.split_once(": ").unwrap_or((line.trim_end_matches(": "), ""));
        let words: Vec<&str> = head.split(' ').collect();
        if let Some(at) = words.iter().position(|word| *word == "class") {
            let mut set = flags(&words[..at]) | Flags::SUPER;
            if !words[..at].contains(&"package") {
                set = set | Flags::PUBLIC;
            }
            let after = |word: &str| words.iter().position(|w| *w == word).map(|at| words[at + 1]);
            let above = after("extends").unwrap_or(OBJECT);
            let mut file = ClassFile::new(52, set, words[at + 1].as_bytes(), Some(above.as_bytes())).unwrap();
            for name in after("implements").into_iter().flat_map(|names| names.split(',')) {
                let index = file.pool.add_class(name.as_bytes()).unwrap();
                file.interfaces.push(index);
            }
            if !set.has(Flags::INTERFACE) {
                let code = body("", &mut file.pool);
                file.add_method(Flags::PUBLIC, b"<init>", b"()V", Some(&code)).unwrap();
            }
            inner.extend(after("in").map(|outer| [words[at + 1], outer]));
            files.push(file);
            continue;
        }
        let file = files.last_mut().expect("a class first");
        let mut set = flags(&words[..words.len() - 1]);
        if !set.any(Flags::PRIVATE | Flags::PROTECTED) && words[0] != "package" {
            set = set | Flags::PUBLIC;
        }
        let text = words[words.len() - 1];
        let end = text.find(['(', ':']).expect("a descriptor");
        if text.as_bytes()[end] == b':' {
            file.add_field(set, &text.as_bytes()[..end], &text.as_bytes()[end + 1..]).unwrap();
            if words[0] == "record" {
                let name = file.pool.add_utf8(&text.as_bytes()[..end]).unwrap();
                let descriptor = file.pool.add_utf8(&text.as_bytes()[end + 1..]).unwrap();
                let component = RecordComponent { name, descriptor, attributes: Vec::new() };
                let attribute = Attribute::new(&mut file.pool, &Body::Record(vec![component])).unwrap();
                file.attributes.push(attribute);
            }
        } else {
            let code = (!set.has(Flags::ABSTRACT)).then(|| body(steps, &mut file.pool));
            file.add_method(set, &text.as_bytes()[..end], &text.as_bytes()[end..], code.as_ref()).unwrap();
        }
    }
    for file in &mut files {
        let own = String::from_utf8(file.name().unwrap().to_vec()).unwrap();
        let rows: Vec<_> = inner.iter().filter(|names| names.contains(&&own[..])).collect();
        if rows.is_empty() {
            continue;
        }
        let mut list = Vec::new();
        for names in rows {
            let [class, outer] = names.map(|name| file.pool.add_class(name.as_bytes()).unwrap());
            let name = file.pool.add_utf8(b"In").unwrap();
            list.push(InnerClass { class, outer, name, flags: Flags::STATIC });
        }
        let attribute = Attribute::new(&mut file.pool, &Body::InnerClasses(list)).unwrap();
        file.attributes.push(attribute);
    }
    files.iter().map(|file| file.to_bytes().unwrap()).collect()
}

const LIBRARY: &str = "
    class java/lang/Object
    toString()Ljava/lang/String;
    interface class java/io/Serializable
    class lib/Base
    abstract hook()V
    helper()V";

/// What is left of a program after its roots were set: one line a class, with the members that are
/// left. Methods that are there but cannot run have an asterisk.
fn left(text: &str, services: Vec<Service>, enumerated: bool, roots: impl Fn(&mut Reach<'_, '_>)) -> String {
    let (files, outside) = (classes(text), classes(LIBRARY));
    let mut hierarchy = Hierarchy::new();
    let object = ClassFile::new(52, Flags::PUBLIC, OBJECT.as_bytes(), None).unwrap().to_bytes().unwrap();
    hierarchy.add(&object, Origin::Platform).unwrap();
    for file in &files {
        hierarchy.add(file, Origin::Program).unwrap();
    }
    for file in &outside[1..] {
        hierarchy.add(file, Origin::Library).unwrap();
    }
    let library = Library::new(Box::new(|name| {
        let found = outside.iter().find(|bytes| ClassFile::read(bytes).unwrap().name() == Ok(name));
        found.map(|bytes| bytes.as_slice().into())
    }));
    let mut program = Program::new(&hierarchy, library);
    for file in &files {
        program.add(file).unwrap();
    }
    let mut reach = Reach::new(&program, services, enumerated);
    roots(&mut reach);
    reach.finish();
    assert!(reach.notes.is_empty(), "{:?}", reach.notes);
    let mut lines = String::new();
    for class in program.classes.ids().filter(|&class| reach.is_needed(class)) {
        let bytes = shrink_class(&reach, class).unwrap().0;
        let file = ClassFile::read(&bytes).unwrap();
        file.check().unwrap();
        let mut line = program.show_class(class);
        for member in file.fields.iter().chain(&file.methods) {
            line += " ";
            line += std::str::from_utf8(file.pool.utf8(member.name).unwrap()).unwrap();
        }
        for &method in &program.classes[class].methods {
            if reach.is_declared(method) && !reach.is_live(method) {
                let name = program.member_name(program.methods[method].selector);
                line = line.replacen(
                    &format!(" {}", std::str::from_utf8(name).unwrap()),
                    &format!(" {}*", std::str::from_utf8(name).unwrap()),
                    1,
                );
            }
        }
        lines += &line;
        lines += "\n";
    }
    lines
}

fn from_main(text: &str) -> String {
    left(text, Vec::new(), false, |reach| assert!(reach.main(b"Main")))
}

fn with_rules(text: &str, rules: &str) -> String {
    let source = SourceText::new("app.pro", rules);
    let (mut configuration, mut diagnostics) = (Configuration::default(), Diagnostics::new());
    read(&source, &mut configuration, &mut diagnostics);
    assert!(diagnostics.is_empty(), "{}", diagnostics.render(&source));
    left(text, Vec::new(), false, |reach| {
        let mut active = Active::new();
        reach.keep(&configuration, &active);
        reach.finish();
        while reach.meet_conditions(&configuration, &mut active) {
            reach.finish();
        }
    })
}

const ANIMALS: &str = "
    interface class Animal
      abstract speak()V
      abstract eat()V
    class Dog implements Animal
      speak()V: static Util.bark()V
      eat()V: static Util.chew()V
      toString()Ljava/lang/String;
    class Cat implements Animal
      speak()V: static Util.meow()V
      eat()V
    class Util
      static bark()V
      static meow()V
      static chew()V
      static dead()V: new Cat
      static count:I
      static unused:I";

#[test]
fn a_call_reaches_the_classes_with_instances_and_no_other() {
    let program = format!(
        "class Main
           static main([Ljava/lang/String;)V: interface Animal.speak()V; new Dog; get Util.count:I
         {ANIMALS}"
    );
    // `toString` overrides a method of the library, which may call it.
    assert_eq!(from_main(&program), "Main main\nAnimal speak*\nDog <init> speak toString\nUtil count bark\n");
}

#[test]
fn a_type_that_is_only_tested_keeps_its_name_and_nothing_else() {
    let program = format!("class Main\n static main([Ljava/lang/String;)V: cast Cat\n{ANIMALS}");
    assert_eq!(from_main(&program), "Main main\nAnimal\nCat\n");
}

#[test]
fn a_method_that_is_named_but_cannot_run_throws_null() {
    let program = "
        class Main
          static main([Ljava/lang/String;)V: virtual A.f()V
        class A
          f()V: static Main.other()V; static Main.other()V";
    assert_eq!(from_main(program), "Main main\nA f*\n");
}

#[test]
fn what_overrides_a_library_method_is_reached_and_so_is_everything_of_a_class_above_which_one_is_missing() {
    let program = "
        class Main
          static main([Ljava/lang/String;)V: new Sub; new Lost
        class Sub extends lib/Base
          hook()V
          helper()V
          own()V
        class Lost extends gone/Away
          own()V
          static other()V";
    assert_eq!(from_main(program), "Main main\nSub <init> hook helper\nLost <init> own\n");
}

#[test]
fn a_class_initializer_runs_with_the_first_use_and_not_with_a_mention() {
    let program = "
        class Main
          static main([Ljava/lang/String;)V: get A.x:I; cast B
        class A
          static x:I
          static <clinit>()V
        class B
          static <clinit>()V";
    assert_eq!(from_main(program), "Main main\nA x <clinit>\nB\n");
}

#[test]
fn a_class_that_is_loaded_by_a_constant_name_is_kept_with_its_constructor() {
    let program = "
        class Main
          static main([Ljava/lang/String;)V: load a.B; static Main.other()V
          static other()V: string a.C
        class a/B
          <init>(I)V
        class a/C";
    assert_eq!(from_main(program), "Main main other\na.B <init>\n");
}

#[test]
fn a_computed_name_may_be_any_class_unless_rules_say_so() {
    let program = "
        class Main
          static main([Ljava/lang/String;)V: forName java/lang/Class.forName(Ljava/lang/String;)Ljava/lang/Class;
        class a/C
          f()V";
    assert_eq!(from_main(program), "Main main\n");
    assert_eq!(
        left(program, Vec::new(), true, |reach| assert!(reach.main(b"Main"))),
        "Main <init> main\na.C <init>\n"
    );
}

#[test]
fn a_bundle_of_resources_is_kept_for_every_locale() {
    let ask = "static java/util/ResourceBundle.getBundle(Ljava/lang/String;)Ljava/util/ResourceBundle;";
    let program = |step: &str| {
        format!(
            "class Main
               static main([Ljava/lang/String;)V: {step}; static Main.other()V
               static other()V: string a.Texts
             class a/Texts extends java/util/ResourceBundle
             class a/Texts_de extends java/util/ResourceBundle
             class a/Texts2 extends java/util/ResourceBundle
             class a/Texts_no"
        )
    };
    assert_eq!(from_main(&program("string b")), "Main main other\n");
    assert_eq!(from_main(&program(ask)), "Main main other\na.Texts <init>\na.Texts_de <init>\n");
    // Without rules nobody says which names are computed.
    let all = left(&program(ask), Vec::new(), true, |reach| assert!(reach.main(b"Main")));
    assert_eq!(all, "Main main other\na.Texts <init>\na.Texts_de <init>\na.Texts2 <init>\n");
}

#[test]
fn class_files_that_are_read_as_resources_are_there() {
    let ask = "virtual java/lang/Class.getResourceAsStream(Ljava/lang/String;)Ljava/io/InputStream;";
    let program = |name: &str| {
        format!(
            "class Main
               static main([Ljava/lang/String;)V: {ask}; string {name}
             class a/B
               f()V
             class a/C"
        )
    };
    for name in ["/a/B.class", "a/B.class", "B.class"] {
        assert_eq!(from_main(&program(name)), "Main main\na.B\n", "{name}");
    }
    assert_eq!(from_main(&program(".class")), "Main main\n");
    let all = |name: &str| left(&program(name), Vec::new(), true, |reach| assert!(reach.main(b"Main")));
    assert_eq!(all("B.class"), "Main main\na.B <init> f\n");
    assert_eq!(all("B.clas"), "Main main\n");
    assert_eq!(all(".class"), "Main main\na.B\na.C\n");
}

#[test]
fn members_that_are_looked_up_by_name_are_those_whose_names_are_strings() {
    let look =
        "virtual java/lang/Class.getMethod(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;";
    let program = format!(
        "class Main
           static main([Ljava/lang/String;)V: {look}; new A; string size
         class A
           size()I
           size:I
           other()V"
    );
    assert_eq!(from_main(&program), "Main main\nA <init> size\n");
    let all = left(&program, Vec::new(), true, |reach| assert!(reach.main(b"Main")));
    assert_eq!(all, "Main main\nA <init> size other\n");
}

/// As other members, for those that look through classes. `B` is not there, so nobody finds what it declares.
#[test]
fn classes_that_are_looked_up_in_others_are_there() {
    let program = "class Main
           static main([Ljava/lang/String;)V: virtual java/lang/Class.getDeclaredClasses()[Ljava/lang/Class;; new A
         class A
         class A$In in A
         class A$In$Deep in A$In
         class B
         class B$In in B";
    assert_eq!(from_main(program), "Main main\nA <init>\n", "the rules say what is found");
    let all = left(program, Vec::new(), true, |reach| assert!(reach.main(b"Main")));
    assert_eq!(all, "Main main\nA <init>\nA$In\nA$In$Deep\n");
}

/// Those of an abstract class are listed like others, though nothing runs them.
#[test]
fn constructors_that_are_looked_through_are_there() {
    let program = "class Main
           static main([Ljava/lang/String;)V: virtual java/lang/Class.getConstructors()[Ljava/lang/reflect/Constructor;; static A.of()V
         abstract class A
           static of()V";
    let all = left(program, Vec::new(), true, |reach| assert!(reach.main(b"Main")));
    assert_eq!(all, "Main <init> main\nA <init>* of\n");
    assert_eq!(from_main(program), "Main main\nA of\n", "the rules say what is found");
}

#[test]
fn annotations_of_packages_are_there_if_somebody_asks_for_them() {
    let program = |asks: &str| {
        format!(
            "class Main
               static main([Ljava/lang/String;)V: virtual java/lang/Package.{asks}
             interface class a/package-info"
        )
    };
    let asked = program("getAnnotations()[Ljava/lang/annotation/Annotation;");
    assert_eq!(from_main(&asked), "Main main\na.package-info\n");
    assert_eq!(from_main(&program("getName()Ljava/lang/String;")), "Main main\n");
}

/// What is registered with an `MBeanServer` is asked for by the names of its methods, as it is elsewhere by the caller's.
#[test]
fn methods_of_beans_are_there() {
    for asks in [
        "interface javax/management/MBeanServer.registerMBean(Ljava/lang/Object;)V",
        "static java/beans/EventHandler.create(Ljava/lang/Object;)V",
    ] {
        let program = format!(
            "class Main
               static main([Ljava/lang/String;)V: new A; {asks}
             interface class AMBean
               abstract getCount()I
             class A implements AMBean
               getCount()I"
        );
        let all = left(&program, Vec::new(), true, |reach| assert!(reach.main(b"Main")));
        assert!(all.contains("A <init> getCount\n") && all.contains("AMBean getCount\n"), "{all}");
    }
}

/// A constant that is read from a stream is found by its name.
#[test]
fn constants_of_enums_come_out_of_streams() {
    let program = "class Main
           static main([Ljava/lang/String;)V: virtual java/io/ObjectInputStream.readObject()Ljava/lang/Object;; cast E
         enum class E
           static <clinit>()V: new E$1
           static values()[LE;
         class E$1";
    let all = left(program, Vec::new(), true, |reach| assert!(reach.main(b"Main")));
    assert!(all.contains("E <clinit> values\n"), "{all}");
}

/// The JDK gets at the constants of an enum by its class: `EnumSet.allOf(E.class)`.
#[test]
fn the_class_of_an_enum_leads_to_its_constants() {
    let program = "class Main
           static main([Ljava/lang/String;)V: class E; class C
         enum class E
           static <clinit>()V: new E$1
           static values()[LE;
           static other()V
         class E$1
         class C
           static <clinit>()V
           static values()V";
    assert_eq!(from_main(program), "Main main\nE <clinit> values\nE$1 <init>\nC\n");
}

#[test]
fn providers_of_a_service_are_kept_if_the_service_is_used() {
    let text = |steps: &str| {
        format!(
            "class Main
               static main([Ljava/lang/String;)V: {steps}
             interface class Svc
             class Provider implements Svc"
        )
    };
    let services = || vec![Service { name: b"Svc".to_vec(), providers: vec![b"Provider".to_vec()] }];
    let run = |steps| left(&text(steps), services(), false, |reach| assert!(reach.main(b"Main")));
    assert_eq!(run("cast Svc"), "Main main\nSvc\nProvider <init>\n");
    assert_eq!(run("string nothing"), "Main main\n");
}

#[test]
fn serialization_keeps_what_the_jdk_finds_by_name() {
    let text = |steps: &str| {
        format!(
            "class Main
               static main([Ljava/lang/String;)V: new Data; {steps}
             class Above
             class Data extends Above implements java/io/Serializable
               x:I
               private readResolve()Ljava/lang/Object;
               static cache:I"
        )
    };
    assert_eq!(from_main(&text("string a")), "Main main\nAbove\nData <init>\n");
    for class in ["ObjectOutputStream", "ObjectStreamClass"] {
        let write = format!("static java/io/{class}.x()V");
        assert_eq!(from_main(&text(&write)), "Main main\nAbove <init>\nData x <init> readResolve\n");
    }
}

/// A record is read by its canonical constructor; its field stands for the component here.
#[test]
fn serialization_keeps_the_canonical_constructor_of_a_record() {
    let text = |steps: &str| {
        format!(
            "class Main
               static main([Ljava/lang/String;)V: new Point; {steps}
             class Point implements java/io/Serializable
               record x:J
               <init>(J)V
               <init>(I)V"
        )
    };
    assert_eq!(from_main(&text("string a")), "Main main\nPoint x <init>\n");
    let read = "virtual java/io/ObjectInputStream.readObject()Ljava/lang/Object;";
    assert_eq!(
        from_main(&text(read)),
        "Main main\nPoint x <init> <init>\n",
        "the one of a J beside the one that is called"
    );
}

#[test]
fn a_library_keeps_what_its_users_can_touch() {
    let program = "
        class Api
          f()V: new Impl
          private g()V
          package h()V
          protected static p:I
        package class Impl extends Shared
          run()V
        package class Shared
          over()V
        class Open extends Shared";
    let kept = left(program, Vec::new(), false, |reach| reach.library_api());
    assert_eq!(kept, "Api p <init> f\nImpl <init>\nShared <init> over\nOpen <init>\n");
}

#[test]
fn keep_rules_keep_classes_members_and_members_of_classes_that_are_needed() {
    let program = "
        class a/Main
          main()V: cast a/Used
        class a/Used
          getX()I
          x:I
        class a/Unused
          getX()I
        class b/Plugin implements java/io/Serializable
          start()V";
    assert_eq!(
        with_rules(
            program,
            "-keep class a.Main { void main(); } -keepclassmembers class a.* { int get*(); }"
        ),
        "a.Main main\na.Used <init> getX\n".replace("<init> ", "")
    );
    assert_eq!(
        with_rules(program, "-keep class * implements java.io.Serializable { <init>(); }"),
        "b.Plugin <init>\n"
    );
    assert_eq!(with_rules(program, "-keepclasseswithmembers class * { int x; }"), "a.Used x\n");
    assert_eq!(with_rules(program, "-keep,allowshrinking class b.Plugin { *; }"), "");
    assert_eq!(
        with_rules(program, "-if class a.Un* -keep class a.<1>sed"),
        "",
        "the wildcard is `used`, and no class has that name"
    );
    let plugin = "-if class *.Plug* -keep class <1>.Plug<2> { *; }";
    assert_eq!(with_rules(program, &format!("-keep class b.Plugin {plugin}")), "b.Plugin <init> start\n");
    assert_eq!(with_rules(program, plugin), "", "nothing else needs the class");
}

#[test]
fn the_reason_for_a_class_leads_to_a_root() {
    let program = format!(
        "class Main
           static main([Ljava/lang/String;)V: new Dog; interface Animal.eat()V
         {ANIMALS}"
    );
    let told = std::cell::RefCell::new(Vec::new());
    left(&program, Vec::new(), false, |reach| {
        assert!(reach.main(b"Main"));
        reach.finish();
        let util = reach.program.class_named(b"Util").unwrap();
        *told.borrow_mut() = reach.explain(util);
        let cat = reach.program.class_named(b"Cat").unwrap();
        told.borrow_mut().extend(reach.explain(cat));
    });
    assert_eq!(
        told.into_inner(),
        [
            "Util is kept",
            "  by Dog.eat()V",
            "  by class Dog",
            "  by Main.main([Ljava/lang/String;)V",
            "  for main class Main",
            "Cat is not kept",
        ]
    );
}

#[test]
fn lists_of_classes_lose_those_that_went() {
    let mut file =
        ClassFile::new(52, Flags::PUBLIC | Flags::SUPER, b"Main", Some(OBJECT.as_bytes())).unwrap();
    let code = body("", &mut file.pool);
    file.add_method(Flags::STATIC, b"main", b"()V", Some(&code)).unwrap();
    let mut inner = Vec::new();
    for name in [&b"Main$A"[..], b"java/util/Map$Entry"] {
        let class = file.pool.add_class(name).unwrap();
        inner.push(InnerClass { class, outer: 0, name: 0, flags: Flags::STATIC });
    }
    let attribute = Attribute::new(&mut file.pool, &Body::InnerClasses(inner)).unwrap();
    file.attributes.push(attribute);
    let files = [file.to_bytes().unwrap(), classes("class Main$A").pop().unwrap()];
    let mut hierarchy = Hierarchy::new();
    for file in &files {
        hierarchy.add(file, Origin::Program).unwrap();
    }
    let mut program = Program::new(&hierarchy, Library::new(Box::new(|_| None)));
    let main = program.add(&files[0]).unwrap().unwrap();
    program.add(&files[1]).unwrap();
    let mut reach = Reach::new(&program, Vec::new(), false);
    reach.main(b"Main");
    reach.finish();
    let bytes = shrink_class(&reach, main).unwrap().0;
    let file = ClassFile::read(&bytes).unwrap();
    let Some(Body::InnerClasses(list)) =
        file.attribute(Kind::InnerClasses).unwrap().decode(&file.pool).unwrap()
    else {
        panic!("the attribute is there")
    };
    assert_eq!(list.len(), 1);
    assert_eq!(file.pool.class(list[0].class), Ok(&b"java/util/Map$Entry"[..]));
}

/// Everything that the bytes of a pinned method mention is there, and somebody can be told what that is.
#[test]
fn what_a_pinned_method_holds_is_known() {
    let program = "
        class Main
          static main([Ljava/lang/String;)V: static Main.pinned()V
          static pinned()V: new Data; static Main.other()V
          static other()V
          static gone()V
        class Data
          f()V";
    left(program, Vec::new(), false, |reach| {
        assert!(reach.held().is_empty());
        reach.pin(b"Main.pinned()V");
        let held = reach.held();
        let names: Vec<_> = held[&b"Main.pinned()V"[..]].iter().map(String::as_str).collect();
        assert_eq!(names, ["Main", "Main.other()V", "Data", "Data.<init>()V"]);
    });
}
