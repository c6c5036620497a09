//! New names: programs as a few lines of text ([`written`]), and who is called what in the end.

use planish_base::{Budget, Diagnostics, SourceText};
use planish_classfile::zip::{DosTime, Entry};
use planish_classfile::{ClassFile, Flags};
use planish_driver::Settings;
use planish_jar::classes::{Archive, Hierarchy, Method, Origin, add_classes};
use planish_jar::inputs::{Classpath, Platform};
use planish_jar::outcome::ClassOutcome;
use planish_jar::programs::around::Surroundings;
use planish_jar::programs::outcome::ShrinkOutcome;
use planish_jar::programs::roots::Roots;
use planish_jar::renaming::given::NameFiles;
use planish_jar::retrace::mapping::Mapping;
use planish_jar::retrace::retrace;
use planish_jar::rounds::rename_program;

use crate::written::{assert_text, class, dumped, program};

/// What became of a program: its classes as text, other entries, and what was said.
struct Result {
    text: String,
    mapping: String,
    outcome: ShrinkOutcome,
    archive: Archive,
}

fn renamed_with(archive: &Archive, rules: &str, files: &[(&str, &str)], fuel: Option<u64>) -> Result {
    let mut hierarchy = Hierarchy::new();
    let unknown = ClassFile::new(52, Flags::PUBLIC, b"outside/Unknown", Some(b"java/lang/Object")).unwrap();
    hierarchy.add(&unknown.to_bytes().unwrap(), Origin::Library).unwrap();
    let mut budget = Budget::new("bytes", 1 << 20);
    add_classes(&mut hierarchy, archive, Origin::Program, &mut budget, &mut Vec::new()).unwrap();
    let mut names = NameFiles::default();
    files.iter().for_each(|(option, text)| names.read(option, text).unwrap());
    let mut roots = Roots { rules_given: true, names: Some(names), ..Roots::default() };
    let rules = SourceText::new("keep.pro".to_owned(), format!("{rules}\n-printmapping"));
    let mut diagnostics = Diagnostics::new();
    planish_keep::read::read(&rules, &mut roots.rules, &mut diagnostics);
    assert!(diagnostics.is_empty());
    let classpath = Classpath { platform: Platform::heads(), ..Classpath::default() };
    classpath.platform.add_to(&mut hierarchy, 1, &mut Vec::new()).unwrap();
    let around = Surroundings::quiet(&hierarchy, &classpath, &roots);
    let mut archive = archive.clone();
    let settings = Settings { fuel, ..Settings::default() };
    let mut outcome = rename_program(&mut archive, around, &settings, &ClassOutcome::default()).unwrap();
    let mapping = outcome.mapping.take().unwrap();
    let header = "# {\"id\":\"com.android.tools.r8.mapping\",\"version\":\"2.2\"}\n";
    let mapping = mapping.strip_prefix(header).expect("R8's version").to_owned();
    Result { text: dumped(&archive), mapping, outcome, archive }
}

fn renamed(text: &str, rules: &str) -> Result {
    renamed_with(&program(text, &[]), rules, &[], None)
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

/// What was called like something that keeps its name now, in the program or in a library, gets another one.
#[test]
fn earlier_names_that_others_keep_are_said() {
    let mapping = "p.A -> p.A:\n    void run() -> stay\n    java.lang.String say() -> toString\n    \
                   int size() -> hash\n    int count -> held\np.B -> p.B:\n    void go() -> stay\n    void up(int) -> toString\n";
    let text = "class p/A
           field count:I
           field held:I
           method run()V
           method say()Ljava/lang/String;
           method size()I
         class p/B : p/A
           method go()V
           method up(I)V
         class p/C : p/A
           method stay()V";
    let rules = "-keepnames class ** \n-keep,allowobfuscation class ** { *; }\n\
                 -keepnames class p.C { void stay(); }\n-keepclassmembers class p.A { int held; }";
    let found = renamed_with(&program(text, &[]), rules, &[("applymapping", mapping)], None);
    let mut said = found.outcome.warnings.clone();
    said.sort();
    assert_eq!(said.len(), 3, "{said:?}");
    for (said, names) in said.iter().zip([
        ["p.A.count:I", "p.A.held:I, which it meets, is called held"],
        ["p.A.run()V", "p.C.stay()V, which it meets, is called stay"],
        ["p.A.say()", "java.lang.Object.toString()Ljava/lang/String; of a library, which it meets"],
    ]) {
        assert!(names.iter().all(|name| said.contains(name)), "{said}");
    }
    for kept in ["int size() -> hash", "void go() -> stay", "void up(int) -> toString"] {
        assert!(found.mapping.contains(kept), "{}", found.mapping);
    }
}

/// A field of the program does not hide one that it inherits of a library.
#[test]
fn earlier_names_of_fields_that_libraries_have_are_said() {
    let mapping = "p.A -> p.A:\n    java.io.InputStream own -> in\n    int size -> out\n    int skip -> skip\n\
                   p.B -> p.B:\n    int more -> in\np.C -> p.C:\n    int other -> in\n";
    let text = "class p/A : java/io/FilterInputStream
           field own:Ljava/io/InputStream;
           field size:I
           field skip:I
         class p/B : p/A
           field more:I
         class p/C
           field other:I";
    let rules = "-keepnames class ** \n-keep,allowobfuscation class ** { *; }";
    let found = renamed_with(&program(text, &[]), rules, &[("applymapping", mapping)], None);
    let mut said = found.outcome.warnings.clone();
    said.sort();
    assert_eq!(said.len(), 2, "{said:?}");
    for (said, field) in said.iter().zip(["p.A.own:Ljava/io/InputStream; gets", "p.B.more:I gets"]) {
        let holder =
            "java.io.FilterInputStream.in:Ljava/io/InputStream; of a library, which it meets, is called in";
        assert!(said.contains(field) && said.contains(holder), "{said}");
    }
    for kept in ["int size -> out", "int skip -> skip", "int other -> in"] {
        assert!(found.mapping.contains(kept), "{}", found.mapping);
    }
}

/// Stack traces tell methods of one name apart by their lines.
#[test]
fn methods_that_share_a_line_do_not_share_a_name() {
    let text = "class p/A
           method one()V
             line 4
           method two(I)V
             line 4
           method three(J)V
             line 5
             line 7
           method four(F)V
             line 6
           method five(D)V
             line 9";
    let found = renamed(text, "-keep,allowobfuscation class ** { *; }").mapping;
    for (method, name) in
        [("one()", "a"), ("two(int)", "b"), ("three(long)", "a"), ("four(float)", "b"), ("five(double)", "a")]
    {
        assert!(
            found.lines().any(|line| line.contains(method) && line.ends_with(&format!(" -> {name}"))),
            "{found}"
        );
    }
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
    let said = renamed(text, rules).outcome.warnings.join("\n");
    assert!(
        said.contains("the package p stays") && said.contains("q stays") && !said.contains("r stays"),
        "{said}"
    );
    // Below another package each is one of its own.
    let rules = "-keep,allowobfuscation class ** { *; }\n-flattenpackagehierarchy x";
    let found = renamed(text, rules).mapping;
    for class in ["p.A -> x.a.a:", "q.B -> x.b.a:", "r.C -> x.c.a:"] {
        assert!(found.contains(class), "{found}");
    }
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

/// A constructor is called as the JVM calls it, so that its frames are found again.
#[test]
fn frames_with_new_names_are_turned_back() {
    let text = "class p/A
           method <init>()V
           method run(I)V
         class p/Failed : java/lang/Object";
    let found = renamed(text, "-keep,allowobfuscation class ** { *; }");
    assert!(
        found.mapping.contains("    void <init>() -> <init>\n    void run(int) -> a\n"),
        "{}",
        found.mapping
    );
    let mapping = Mapping::parse(&found.mapping).unwrap();
    assert_eq!(
        retrace(&mapping, "a.b: why\n\tat a.a.a(Unknown Source)\n\tat a.a.<init>(Unknown Source)\n"),
        "p.Failed: why\n\tat p.A.run(A.java)\n\tat p.A.<init>(A.java)\n"
    );
}

/// Objects are written with the names of their classes and fields, which older data has.
#[test]
fn what_is_written_to_streams_keeps_its_names_where_there_are_streams() {
    let text = |stream: &str| {
        format!(
            "class p/Saved : java/lang/Object java/io/Serializable
               static field serialVersionUID:J
               field state:I
               field more:I
               method readResolve()Ljava/lang/Object;
               method other()V
             class p/T
               static method keep()V
                 {stream}"
        )
    };
    let rules = "-keep class p.T { static void keep(); }";
    let said = renamed(&text("says nothing"), rules).mapping;
    assert!(
        said.contains("p.Saved -> p.a:\n    long serialVersionUID -> serialVersionUID\n    int state -> a\n"),
        "{said}"
    );
    assert!(said.contains("readResolve() -> readResolve\n    void other() -> a\n"), "{said}");
    let said =
        renamed(&text("sends java/io/ObjectOutputStream.writeObject(Ljava/lang/Object;)V"), rules).mapping;
    assert!(said.contains("p.Saved -> p.Saved:\n") && said.contains("int state -> state\n"), "{said}");
}
