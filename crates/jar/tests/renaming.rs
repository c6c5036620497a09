//! New names: programs as a few lines of text, and who is called what in the end.
//!
//! A line is `class NAME [: SUPERTYPE...]` (the first one is the class above), `interface NAME [: INTERFACE...]`,
//! `field NAME:TYPE` or `method NAME(TYPES)TYPE`, with flags in front of the kind, or what the method above it does:
//! `calls C.m()V`, `sends C.m()V` (to an object), `reads C.f:I`, `says TEXT`. All other entries of the archive are resources.

use std::fmt::Write;

use planish_base::Budget;
use planish_classfile::builder::CodeBuilder;
use planish_classfile::descriptor::{MethodType, Type};
use planish_classfile::jar::Role;
use planish_classfile::zip::{DosTime, Entry};
use planish_classfile::{ClassFile, Constant, Flags, Opcode};
use planish_driver::Settings;
use planish_jar::classes::{Archive, Hierarchy, Method, Origin, add_classes};
use planish_jar::inputs::Classpath;
use planish_jar::outcome::ClassOutcome;
use planish_jar::programs::around::Surroundings;
use planish_jar::programs::outcome::ShrinkOutcome;
use planish_jar::programs::roots::Roots;
use planish_jar::renaming::given::NameFiles;
use planish_jar::rounds::rename_program;

/// Pushes something of a type.
fn push(code: &mut CodeBuilder, ty: Type<'_>) {
    code.op(match ty {
        Type::Long => Opcode::Lconst0,
        Type::Float => Opcode::Fconst0,
        Type::Double => Opcode::Dconst0,
        Type::Object(_) | Type::Array(_) => Opcode::AconstNull,
        _ => Opcode::Iconst0,
    });
}

fn pop(code: &mut CodeBuilder, ty: Option<Type<'_>>) {
    if let Some(ty) = ty {
        code.op(if ty.slots() == 2 { Opcode::Pop2 } else { Opcode::Pop });
    }
}

/// A line about what a method does.
fn does(code: &mut CodeBuilder, class: &mut ClassFile<'_>, line: &str) {
    let pool = &mut class.pool;
    let (what, of) = line.split_once(' ').unwrap();
    if what == "says" {
        let text = pool.add_utf8(of.as_bytes()).unwrap();
        code.load(Constant::String(text), pool).unwrap().op(Opcode::Pop);
        return;
    }
    let (owner, member) = of.split_once('.').unwrap();
    if what == "reads" {
        let (name, ty) = member.split_once(':').unwrap();
        code.field(Opcode::Getstatic, [owner, name, ty].map(str::as_bytes), pool).unwrap();
        return pop(code, Type::parse(ty.as_bytes()));
    }
    let (name, rest) = member.split_at(member.find('(').unwrap());
    let ty = MethodType::parse(rest.as_bytes()).unwrap();
    if what == "sends" {
        code.op(Opcode::AconstNull);
    }
    ty.parameters().for_each(|ty| push(code, ty));
    let op = if what == "sends" { Opcode::Invokevirtual } else { Opcode::Invokestatic };
    code.call(op, [owner, name, rest].map(str::as_bytes), pool).unwrap();
    pop(code, ty.result());
}

fn flags(words: &[&str]) -> Flags {
    words.iter().fold(Flags(0), |flags, word| {
        flags
            | match *word {
                "public" => Flags::PUBLIC,
                "private" => Flags::PRIVATE,
                "protected" => Flags::PROTECTED,
                "static" => Flags::STATIC,
                "final" => Flags::FINAL,
                "native" => Flags::NATIVE,
                "enum" => Flags::ENUM,
                "annotation" => Flags::ANNOTATION,
                other => panic!("{other} is no flag"),
            }
    })
}

/// One class of a text.
fn class(head: &str, lines: &[&str]) -> Vec<u8> {
    let (front, above) = head.split_once(" : ").unwrap_or((head, ""));
    let mut words: Vec<&str> = front.split_whitespace().collect();
    let name = words.pop().unwrap();
    let is_interface = words.pop() == Some("interface");
    let mut above = above.split_whitespace();
    let extends = if is_interface { None } else { above.next() }.unwrap_or("java/lang/Object");
    let kind = if is_interface { Flags::INTERFACE | Flags::ABSTRACT } else { Flags::SUPER };
    let mut class =
        ClassFile::new(52, flags(&words) | kind, name.as_bytes(), Some(extends.as_bytes())).unwrap();
    for interface in above {
        let interface = class.pool.add_class(interface.as_bytes()).unwrap();
        class.interfaces.push(interface);
    }
    let mut at = 0;
    while at < lines.len() {
        let mut words: Vec<&str> = lines[at].split_whitespace().collect();
        let member = words.pop().unwrap();
        let kind = words.pop().unwrap();
        let flags = flags(&words);
        at += 1;
        if kind == "field" {
            let (name, ty) = member.split_once(':').unwrap();
            class.add_field(flags, name.as_bytes(), ty.as_bytes()).unwrap();
            continue;
        }
        let (name, ty) = member.split_at(member.find('(').unwrap());
        let mut code = CodeBuilder::new();
        let is_done =
            |line: &str| ["calls", "sends", "reads", "says"].contains(&line.split(' ').next().unwrap());
        while at < lines.len() && is_done(lines[at]) {
            does(&mut code, &mut class, lines[at]);
            at += 1;
        }
        code.op(Opcode::AconstNull).op(Opcode::Athrow);
        let slots = MethodType::parse(ty.as_bytes()).unwrap().parameter_slots();
        let slots = slots + u16::from(!flags.has(Flags::STATIC));
        let code = code.finish(slots, &mut class.pool).unwrap();
        let has_body = !flags.has(Flags::NATIVE) && !is_interface;
        let flags = if is_interface { flags | Flags::PUBLIC | Flags::ABSTRACT } else { flags };
        class.add_method(flags, name.as_bytes(), ty.as_bytes(), has_body.then_some(&code)).unwrap();
    }
    class.to_bytes().unwrap()
}

/// The program of a text, with resources.
fn program(text: &str, resources: &[(&str, &str)]) -> Archive {
    let mut archive = Archive::default();
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let is_head = |line: &&str| {
        let front = line.split(" : ").next().unwrap();
        let mut words = front.split_whitespace().rev().skip(1);
        words.next().is_some_and(|word| matches!(word, "class" | "interface"))
    };
    let starts: Vec<usize> = (0..lines.len()).filter(|&at| is_head(&lines[at])).collect();
    for (number, &start) in starts.iter().enumerate() {
        let end = starts.get(number + 1).copied().unwrap_or(lines.len());
        let bytes = class(lines[start], &lines[start + 1..end]);
        let name = ClassFile::read(&bytes).unwrap().name().unwrap().to_vec();
        let name = [&name[..], b".class"].concat();
        archive.entries.push(Entry::new(&name, DosTime::EPOCH, &bytes, Method::Stored));
    }
    for (name, content) in resources {
        let entry = Entry::new(name.as_bytes(), DosTime::EPOCH, content.as_bytes(), Method::Stored);
        archive.entries.push(entry);
    }
    archive
}

/// What became of a program: its classes as text, other entries, and what was said.
struct Result {
    text: String,
    mapping: String,
    outcome: ShrinkOutcome,
    archive: Archive,
}

fn renamed_with(archive: &Archive, rules: &str, files: &[(&str, &str)], fuel: Option<u64>) -> Result {
    let mut hierarchy = Hierarchy::new();
    for (name, extends) in [
        ("java/lang/Object", None),
        ("java/lang/String", Some("java/lang/Object")),
        ("java/lang/Class", Some("java/lang/Object")),
        ("java/io/Serializable", Some("java/lang/Object")),
        ("outside/Unknown", Some("java/lang/Object")),
    ] {
        let bytes = ClassFile::new(52, Flags::PUBLIC, name.as_bytes(), extends.map(str::as_bytes)).unwrap();
        hierarchy.add(&bytes.to_bytes().unwrap(), Origin::Platform).unwrap();
    }
    let mut budget = Budget::new("bytes", 1 << 20);
    add_classes(&mut hierarchy, archive, Origin::Program, &mut budget, &mut Vec::new()).unwrap();
    let mut names = NameFiles::default();
    files.iter().for_each(|(option, text)| names.read(option, text).unwrap());
    let mut roots = Roots { rules_given: true, names: Some(names), ..Roots::default() };
    let rules = planish_base::SourceText::new("keep.pro".to_owned(), format!("{rules}\n-printmapping"));
    let mut diagnostics = planish_base::Diagnostics::new();
    planish_keep::read::read(&rules, &mut roots.rules, &mut diagnostics);
    assert!(diagnostics.is_empty());
    let classpath = Classpath::default();
    let around = Surroundings::quiet(&hierarchy, &classpath, &roots);
    let mut archive = archive.clone();
    let settings = Settings { fuel, ..Settings::default() };
    let mut outcome = rename_program(&mut archive, around, &settings, &ClassOutcome::default()).unwrap();
    let mapping = outcome.mapping.take().unwrap();
    Result { text: dumped(&archive), mapping, outcome, archive }
}

fn renamed(text: &str, rules: &str) -> Result {
    renamed_with(&program(text, &[]), rules, &[], None)
}

/// The classes of an archive, with what they name, and the names of other entries.
fn dumped(archive: &Archive) -> String {
    let mut text = String::new();
    let mut entries: Vec<&Entry> = archive.entries.iter().collect();
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    for entry in entries {
        let content = entry.content(&mut Budget::new("bytes", 1 << 20)).unwrap();
        let Role::Class { name, .. } = Role::of(&entry.name) else {
            let content = String::from_utf8_lossy(&content);
            let _ = writeln!(text, "{}: {}", String::from_utf8_lossy(&entry.name), content.trim());
            continue;
        };
        let file = ClassFile::read(&content).unwrap();
        file.pool.check().unwrap();
        let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert_eq!(file.name(), Ok(name), "an entry is called after its class");
        let above = file.super_name().unwrap().unwrap();
        let interfaces = file.interface_names().map(|name| shown(name.unwrap()));
        let above: Vec<String> = std::iter::once(shown(above)).chain(interfaces).collect();
        let _ = writeln!(text, "{} : {}", shown(name), above.join(" "));
        for member in file.fields.iter().chain(&file.methods) {
            let [name, ty] = [member.name, member.descriptor].map(|i| shown(file.pool.utf8(i).unwrap()));
            let divider = if ty.starts_with('(') { "" } else { ":" };
            let _ = writeln!(text, "  {name}{divider}{ty}");
        }
        for index in file.pool.indices() {
            if let Ok(member) = file.pool.member(index) {
                let [class, name, ty] = [member.class, member.name, member.descriptor].map(shown);
                let _ = writeln!(text, "  names {class}.{name} {ty}");
            } else if let Ok(string) = file.pool.string(index) {
                let _ = writeln!(text, "  says {}", shown(string));
            }
        }
    }
    text
}

/// Holds text against text, line by line, without what stands in front of lines.
fn assert_text(found: &str, expected: &str) {
    let lines = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
    };
    assert_eq!(lines(found).join("\n"), lines(expected).join("\n"));
}

#[test]
fn classes_and_members_get_short_names_and_rules_keep_theirs() {
    let found = renamed(
        "public class app/Main
           field size:I
           public static method main([Ljava/lang/String;)V
             calls app/Helper.help(Lapp/Helper;)Lapp/Main;
             reads app/Helper.count:I
         class app/Helper
           static field count:I
           static field other:J
           static method help(Lapp/Helper;)Lapp/Main;
           static method help(I)V
           static method more(I)V",
        "-keep class app.Main { public static void main(java.lang.String[]); }",
    );
    assert_text(
        &found.text,
        "app/Main : java/lang/Object
           a:I
           main([Ljava/lang/String;)V
           names app/a.a (Lapp/a;)Lapp/Main;
           names app/a.a I
         app/a : java/lang/Object
           a:I
           b:J
           a(Lapp/a;)Lapp/Main;
           a(I)V
           b(I)V",
    );
    assert_text(
        &found.mapping,
        "app.Main -> app.Main:
             int size -> a
             void main(java.lang.String[]) -> main
         app.Helper -> app.a:
             int count -> a
             long other -> b
             app.Main help(app.Helper) -> a
             void help(int) -> a
             void more(int) -> b",
    );
    assert_eq!(
        found.outcome.names.unwrap().summary(),
        "new names: 1 of 2 classes, 3 of 3 fields, 3 of 4 methods\n"
    );
}

#[test]
fn a_package_without_a_class_that_stays_is_renamed_as_a_whole() {
    let text = "public class app/Main
         public class app/util/deep/A
         class app/util/deep/B
         class lib/x/C
         class lib/D";
    let rules = "-keep class app.Main";
    let names = |rules: &str| {
        let found = renamed(text, rules).text;
        found.lines().map(|line| line.split(' ').next().unwrap().to_owned()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(names(rules), "a/a a/a/a app/Main app/a/a/a app/a/a/b");
    assert_eq!(
        names(&format!("{rules}\n-keeppackagenames")),
        "app/Main app/util/deep/a app/util/deep/b lib/a lib/x/a"
    );
    assert_eq!(
        names(&format!("{rules}\n-keeppackagenames lib.**")),
        "app/Main app/a/a/a app/a/a/b lib/a lib/x/a"
    );
    assert_eq!(names(&format!("{rules}\n-repackageclasses 'q.r'")), "app/Main q/r/a q/r/b q/r/c q/r/d");
    assert_eq!(names(&format!("{rules}\n-repackageclasses ''")), "a app/Main b c d");
    assert_eq!(names(&format!("{rules}\n-flattenpackagehierarchy q")), "app/Main q/a/a q/a/b q/b/a q/c/a");
}

/// `C` has the method of an interface from a class that knows nothing of it, and so has who implements both.
#[test]
fn methods_that_one_object_inherits_are_called_alike() {
    let found = renamed(
        "interface I
           method run()V
         interface J : I
         class Base
           public method run()V
           public method rest()V
         class C : Base J
         class Other
           method walk()V
           method run()V
         class T
           static method keep()V
             sends C.run()V
             sends Base.rest()V
             sends Other.walk()V",
        "-keep class T { static void keep(); }",
    );
    assert!(
        found.mapping.contains("Base -> a:\n    void run() -> a\n    void rest() -> b\n"),
        "{}",
        found.mapping
    );
    assert!(found.mapping.contains("I -> c:\n    void run() -> a\n"), "{}", found.mapping);
    assert!(
        found.mapping.contains("Other -> e:\n    void walk() -> a\n    void run() -> b\n"),
        "{}",
        found.mapping
    );
    assert!(
        found.text.contains("names b.a ()V\n") && found.text.contains("names a.b ()V\n"),
        "{}",
        found.text
    );
}

#[test]
fn what_libraries_know_keeps_its_name_and_so_does_what_it_overrides() {
    let text = "interface Shown
           method toString()Ljava/lang/String;
           method hashCode(I)I
         class A : java/lang/Object Shown
           public method toString()Ljava/lang/String;
           public method hashCode(I)I
         class Below : outside/Unknown
           public method run()V
           field size:I
         class Lost : outside/Missing
           public method run()V";
    let mapping = renamed(text, "-keep,allowobfuscation class ** { *; }").mapping;
    assert!(
        mapping.contains("java.lang.String toString() -> toString\n    int hashCode(int) -> a"),
        "{mapping}"
    );
    assert!(
        mapping.contains("int size -> size\n    void run() -> run\n"),
        "nobody knows what is above: {mapping}"
    );
    assert!(
        mapping.contains("Lost -> d:\n    void run() -> run\n")
            || mapping.contains("Lost -> c:\n    void run() -> run\n"),
        "{mapping}"
    );
}

/// A static method and a private one are nobody's relatives, but a reference to what is inherited must lead past them.
#[test]
fn no_member_hides_one_that_is_inherited() {
    let found = renamed(
        "class A
           static method first()V
           static field one:I
         class B : A
           private method second()V
           static method third()V
           static field two:J
         class T
           static method keep()V
             calls B.first()V
             reads B.one:I",
        "-keep class T { static void keep(); }",
    );
    assert!(found.mapping.contains("void second() -> b\n    void third() -> c\n"), "{}", found.mapping);
    assert!(found.mapping.contains("long two -> b\n"), "{}", found.mapping);
    assert!(found.text.contains("names b.a ()V") && found.text.contains("names b.a I"), "{}", found.text);
}

#[test]
fn rules_keep_names_of_classes_of_members_or_of_both() {
    let text = "class p/A
           field size:I
           method run()V
         class p/B : p/A
           method run()V
           native method call(Lp/C;)V
         class p/C";
    let mapping = |rules: &str| renamed(text, rules).mapping;
    let said = mapping("-keepclassmembernames class p.B { void run(); }");
    assert!(said.contains("p.A -> p.a:\n    int size -> a\n    void run() -> run\n"), "{said}");
    let said = mapping("-keepnames class p.A { *; }");
    assert!(said.contains("p.A -> p.A:\n    int size -> size\n    void run() -> run\n"), "{said}");
    let said = mapping("-keep class p.A\n-keep,allowobfuscation class p.B { *; }");
    assert!(said.contains("p.A -> p.A:\n    int size -> a\n    void run() -> a\n"), "{said}");
    // Who calls native methods finds them by name, and by the types that they take.
    assert!(said.contains("p.B -> p.B:\n") && said.contains("void call(p.C) -> call\n"), "{said}");
    assert!(said.contains("p.C -> p.C:\n"), "{said}");
    let said = mapping("-keepclasseswithmembernames class * { int size; }");
    assert!(said.contains("p.A -> p.A:\n    int size -> size\n    void run() -> a\n"), "{said}");
    let said =
        mapping("-if class p.A { int size; }\n-keepnames class p.<1>\n-if class *.A\n-keepnames class <1>.C");
    assert!(said.contains("p.C -> p.C:\n"), "{said}");
}

#[test]
fn names_in_strings_stay_or_change_with_what_they_mean() {
    let text = "class p/A
         class p/B
         class p/T
           static method keep()V
             says p.A
             says p.A is not p.B
             says [Lp.B;
             says p/A";
    let rules = "-keep class p.T { static void keep(); }";
    let found = renamed(text, rules);
    assert!(found.text.contains("p/A : ") && found.text.contains("says p.A\n"), "{}", found.text);
    assert!(found.mapping.contains("p.B -> p.B:"), "an array is looked for by its name: {}", found.mapping);
    let found = renamed(text, &format!("{rules}\n-adaptclassstrings p.T"));
    assert!(found.text.contains("says [Lp.b;\n"), "{}", found.text);
    assert!(found.text.contains("says p.a\n") && found.text.contains("says p/a\n"), "{}", found.text);
    assert!(found.text.contains("says p.A is not p.B\n"), "{}", found.text);
    let found = renamed(text, &format!("{rules}\n-adaptclassstrings !p.T,**"));
    assert!(found.text.contains("says p.A\n"), "{}", found.text);
}

#[test]
fn members_that_are_looked_up_by_a_string_stay() {
    let text = "class p/A
           field size:I
           field other:I
           method greet()V
         class p/T
           static method keep()V
             sends java/lang/Class.getMethod(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;
             says greet
             says size";
    let said = renamed(text, "-keep class p.T { static void keep(); }").mapping;
    assert!(
        said.contains("p.A -> p.a:\n    int size -> size\n    int other -> a\n    void greet() -> greet\n"),
        "{said}"
    );
}

#[test]
fn resources_follow_or_hold() {
    let text = "public class app/Main
           public static method main([Ljava/lang/String;)V
         class p/Service
         class p/First : p/Service
         class p/Listed
         class q/Texts
           method near()V
             sends java/lang/Class.getResourceAsStream(Ljava/lang/String;)Ljava/io/InputStream;";
    let resources = [
        ("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\r\nMain-Class: app.Main\r\n\r\n"),
        ("META-INF/services/p.Service", "p.First # one\n"),
        ("list.xml", "<a class=\"p.Listed\"/>"),
        ("q/Texts.properties", "a=b"),
    ];
    let archive = program(text, &resources);
    let rules = "-keep,allowobfuscation class **";
    let found = renamed_with(&archive, rules, &[], None);
    assert!(
        found.text.contains("app/Main : ") && found.text.contains("  main([Ljava/lang/String;)V"),
        "{}",
        found.text
    );
    assert!(found.text.contains("META-INF/services/p.b: p.a # one\n"), "{}", found.text);
    assert!(
        found.text.contains("list.xml: <a class=\"p.Listed\"/>\n") && found.text.contains("p/Listed : "),
        "{}",
        found.text
    );
    assert!(found.text.contains("q/Texts.properties: a=b\nq/a : "), "its directory stays: {}", found.text);
    let rules = format!("{rules}\n-adaptresourcefilenames **.properties\n-adaptresourcefilecontents **.xml");
    let found = renamed_with(&archive, &rules, &[], None);
    assert!(found.text.contains("b/a.properties: a=b\n"), "{}", found.text);
    let listed = found.mapping.lines().find_map(|line| line.strip_prefix("p.Listed -> ")).unwrap();
    let listed = listed.trim_end_matches(':');
    assert!(found.text.contains(&format!("list.xml: <a class=\"{listed}\"/>")), "{}", found.text);
    assert_ne!(listed, "p.Listed");
    let names = found.outcome.names.unwrap();
    assert_eq!(names.path(b"q/Texts.properties"), b"b/a.properties");
    assert_eq!(names.path(b"list.xml"), b"list.xml");
}

#[test]
fn names_come_from_dictionaries_and_from_earlier_runs() {
    let text = "class p/A
           field size:I
           method run()V
           method walk()V
         class p/B : p/A
           method more()V";
    let archive = program(text, &[]);
    let rules = "-keep,allowobfuscation class ** { *; }\n-dontusemixedcaseclassnames";
    let files = [
        ("obfuscationdictionary", "if do"),
        ("classobfuscationdictionary", "new"),
        ("packageobfuscationdictionary", "int"),
    ];
    let first = renamed_with(&archive, rules, &files, None);
    assert_text(
        &first.mapping,
        "p.A -> int.new:
         int size -> if
         void run() -> if
         void walk() -> do
         p.B -> int.a:
         void more() -> a",
    );
    // A newer program: what there was is called as before, and nothing new takes a name of it.
    let newer = "class p/A
           field size:I
           field more:I
           method first()V
           method walk()V
         class p/AA
         class p/B : p/A
           method run()V
           method more()V
         class p/Z";
    let second = renamed_with(&program(newer, &[]), rules, &[("applymapping", &first.mapping)], None);
    assert_text(
        &second.mapping,
        "p.A -> int.new:
         int size -> if
         int more -> b
         void first() -> b
         void walk() -> do
         p.AA -> int.b:
         p.B -> int.a:
         void run() -> c
         void more() -> a
         p.Z -> int.c:",
    );
    let third = renamed_with(&program(newer, &[]), rules, &[("applymapping", &second.mapping)], None);
    assert_eq!(third.mapping, second.mapping);
    assert!(third.outcome.warnings.is_empty(), "{:?}", third.outcome.warnings);
}

#[test]
fn earlier_names_that_do_not_fit_are_said() {
    let mapping = "p.A -> x.a:\n    void run() -> a\np.B -> y.a:\n    void walk() -> a\n";
    let text = "class p/A
           method run()V
         class p/B : p/A
           method walk()V";
    let archive = program(text, &[]);
    let found =
        renamed_with(&archive, "-keepnames class p.A { void run(); }", &[("applymapping", mapping)], None);
    let said = found.outcome.warnings.join("\n");
    assert!(said.contains("p.A keeps its name, and was called x.a"), "{said}");
    assert!(said.contains("p.A.run()V keeps its name, and was called a"), "{said}");
    assert!(said.contains("p.B gets a new name"), "it stays beside p.A: {said}");
    let found = renamed_with(&archive, "-keep,allowobfuscation class **", &[("applymapping", mapping)], None);
    let said = found.outcome.warnings.join("\n");
    assert!(said.contains("p.B.walk()V gets a new name"), "{said}");
}

#[test]
fn members_of_one_name_get_one_name_if_that_is_asked() {
    let text = "class A
           method run()V
           method walk()V
           field size:I
         class B
           method walk()V
           method stay()V
           field other:I
           field size:I";
    let rules = "-keep,allowobfuscation class ** { *; }\n-useuniqueclassmembernames";
    assert_text(
        &renamed(text, rules).mapping,
        "A -> a:
         int size -> a
         void run() -> a
         void walk() -> b
         B -> b:
         int other -> b
         int size -> a
         void walk() -> b
         void stay() -> c",
    );
}

/// What only a package sees is another method in each package, and may not meet the other one.
#[test]
fn packages_with_methods_that_must_not_meet_are_not_put_together() {
    let text = "public class p/A
           method near()V
         public class q/B : p/A
           method near()V
         class r/C";
    let rules = "-keep,allowobfuscation class ** { *; }\n-repackageclasses x";
    let found = renamed(text, rules).mapping;
    assert!(found.contains("p.A -> p.a:\n    void near() -> a\n"), "{found}");
    assert!(
        found.contains("q.B -> q.a:\n    void near() -> a\n") && found.contains("r.C -> x.a:"),
        "{found}"
    );
}

#[test]
fn fuel_ends_renaming_as_it_ends_all_else() {
    let text = "class p/A
           method run()V
         class p/B
           method walk()V";
    let archive = program(text, &[]);
    let rules = "-keep,allowobfuscation class ** { *; }";
    let mapping = |fuel| renamed_with(&archive, rules, &[], Some(fuel));
    let none = mapping(0);
    assert_eq!(none.outcome.rewrites, 0);
    assert_eq!(none.text, dumped(&archive));
    assert!(mapping(1).mapping.contains("p.A -> p.a:\n    void run() -> run\np.B -> p.B:"));
    assert!(mapping(3).mapping.contains("void run() -> a\n") && !mapping(3).mapping.contains("walk() -> a"));
    let all = mapping(9);
    assert_eq!(all.outcome.rewrites, 4);
    assert!(
        all.mapping.contains("p.A -> a.a:\n    void run() -> a\np.B -> a.b:\n    void walk() -> a\n"),
        "{}",
        all.mapping
    );
}

/// Versions for newer releases stay as they are, so what they speak of does.
#[test]
fn class_files_that_stay_hold_what_they_speak_of() {
    let text = "class p/A
           method run()V
         class p/B
           static method help()V
           static method other()V
         class p/C";
    let mut archive = program(text, &[]);
    let newer = class("class p/A", &["method run()V", "calls p/B.help()V"]);
    let entry = Entry::new(b"META-INF/versions/11/p/A.class", DosTime::EPOCH, &newer, Method::Stored);
    archive.entries.push(entry);
    let found = renamed_with(&archive, "-keep,allowobfuscation class ** { *; }", &[], None);
    assert_text(
        &found.mapping,
        "p.A -> p.A:
         void run() -> run
         p.B -> p.B:
         void help() -> help
         void other() -> a
         p.C -> p.a:",
    );
    let name = &b"META-INF/versions/11/p/A.class"[..];
    let content =
        found.archive.find(name).unwrap().content(&mut Budget::new("bytes", 1 << 20)).unwrap().into_owned();
    assert_eq!(content, newer);
}

#[test]
fn nothing_happens_where_the_configuration_forbids_it_or_nobody_asks() {
    let text = "class p/A\n method run()V";
    let found = renamed(text, "-keep,allowobfuscation class **\n-dontobfuscate");
    assert!(found.outcome.names.is_none());
    assert_eq!(found.text, dumped(&program(text, &[])));
    assert_eq!(found.mapping, "p.A -> p.A:\n    void run() -> run\n");
}
