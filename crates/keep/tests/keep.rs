//! Configuration files as users write them.

use planish_base::{Diagnostics, SourceText};
use planish_classfile::Flags;
use planish_keep::options::{Form, OPTIONS, Support};
use planish_keep::read::read;
use planish_keep::{Configuration, Keeps, MemberShape};

fn parse(text: &str) -> (Configuration, Vec<String>) {
    let source = SourceText::new("app.pro", text);
    let (mut configuration, mut diagnostics) = (Configuration::default(), Diagnostics::new());
    read(&source, &mut configuration, &mut diagnostics);
    let messages = diagnostics.iter().map(|diagnostic| diagnostic.headline(&source)).collect();
    (configuration, messages)
}

fn accepted(text: &str) -> Configuration {
    let (configuration, messages) = parse(text);
    assert!(messages.is_empty(), "{messages:?}");
    configuration
}

#[test]
fn the_usual_rules_are_read() {
    let configuration = accepted(
        "
        # The rules that most projects have.
        -keep public class com.acme.Main { public static void main(java.lang.String[]); }
        -keepclassmembers enum * { public static **[] values(); public static ** valueOf(java.lang.String); }
        -keepclassmembers class * implements java.io.Serializable {
            static final long serialVersionUID;
            private static final java.io.ObjectStreamField[] serialPersistentFields;
            private void writeObject(java.io.ObjectOutputStream);
            java.lang.Object readResolve();
        }
        -keepclasseswithmembernames,includedescriptorclasses class * { native <methods>; }
        -keep,allowshrinking,allowoptimization class com.google.gson.reflect.TypeToken
        -keep class * extends com.google.gson.TypeAdapter { <init>(...); }
        -keep @com.acme.Keep class ** { *; }
        -keepclassmembers class ** { @com.acme.Inject <init>(...); @com.acme.Inject !static <fields>; }
        -keep class a.B, a.C$*, !a.D { public protected *; %[] x; *** get*(int, %); }
        ",
    );
    assert_eq!(configuration.keep.len(), 9);
}

/// The JVM gives nobody else packages of `java`, and a name has parts.
#[test]
fn a_package_for_classes_is_one_that_they_may_have() {
    for (text, said) in [
        (
            "-keep class X\n-repackageclasses java.x",
            "app.pro:2:19: error: the JVM lets nobody put a class into `java.x`",
        ),
        (
            "  -flattenpackagehierarchy 'java'",
            "app.pro:1:28: error: the JVM lets nobody put a class into `java`",
        ),
        ("-defaultpackage a..b", "app.pro:1:17: error: `a..b` is no name of a package"),
        ("-repackageclasses a;b", "app.pro:1:19: error: `a;b` is no name of a package"),
    ] {
        let messages = parse(text).1;
        assert!(messages.len() == 1 && messages[0].starts_with(said), "{messages:?}");
    }
    for text in [
        "-repackageclasses",
        "-repackageclasses ''",
        "-repackageclasses javax.x",
        "-flattenpackagehierarchy a.java",
    ] {
        accepted(text);
    }
}

#[test]
fn members_match_by_flags_name_and_type() {
    let configuration = accepted(
        "-keepclassmembers class X { public static **[] values(); !static int count; <init>(int,a.*); private *; }",
    );
    let rule = &configuration.keep[0];
    assert_eq!(rule.keeps, Keeps::Members);
    let [values, count, init, any] = &rule.classes.members[..] else { panic!("four members") };
    let public_static = Flags::PUBLIC | Flags::STATIC;
    assert!(values.matches_method(public_static, b"values", b"()[La/Color;", &mut Vec::new()));
    assert!(!values.matches_method(Flags::STATIC, b"values", b"()[La/Color;", &mut Vec::new()));
    assert!(!values.matches_method(public_static, b"values", b"()La/Color;", &mut Vec::new()));
    assert!(!values.matches_field(public_static, b"values", b"[La/Color;", &mut Vec::new()));
    assert!(count.matches_field(Flags(0), b"count", b"I", &mut Vec::new()));
    assert!(!count.matches_field(Flags::STATIC, b"count", b"I", &mut Vec::new()));
    assert!(init.matches_method(Flags::PUBLIC, b"<init>", b"(ILa/B;)V", &mut Vec::new()));
    assert!(!init.matches_method(Flags::PUBLIC, b"<init>", b"(ILa/b/C;)V", &mut Vec::new()));
    assert!(!init.matches_method(Flags::PUBLIC, b"<init>", b"(I)V", &mut Vec::new()));
    assert_eq!(any.kind, MemberShape::Any);
    assert!(
        any.matches_field(Flags::PRIVATE, b"x", b"J", &mut Vec::new())
            && any.matches_method(Flags::PRIVATE, b"x", b"()V", &mut Vec::new())
    );
    assert!(!any.matches_field(Flags::PUBLIC, b"x", b"J", &mut Vec::new()));
}

#[test]
fn the_first_name_that_matches_decides() {
    let configuration = accepted("-keep class !a.b.**, a.** -keepattributes !Code,* -dontwarn");
    let classes = &configuration.keep[0].classes;
    let matches = |name: &str| classes.matches_name(name.as_bytes(), &mut Vec::new());
    assert!(matches("a/X") && !matches("a/b/X") && !matches("c/X"));
    assert_eq!(configuration.attributes.len(), 2);
    assert_eq!(configuration.dont_warn.len(), 1);
}

#[test]
fn a_condition_goes_with_the_next_rule_and_its_wildcards_are_referred_to() {
    let configuration = accepted("-if class **.*Service { @a.Get *; } -keep class <1>.<2>Impl { <init>(); }");
    let rule = &configuration.keep[0];
    let mut captures = Vec::new();
    assert!(rule.condition.as_ref().unwrap().matches_name(b"a/b/FooService", &mut captures));
    assert!(rule.classes.matches_name(b"a/b/FooImpl", &mut captures));
    assert!(!rule.classes.matches_name(b"a/b/BarImpl", &mut captures));
}

#[test]
fn options_paths_and_includes_are_kept_in_order() {
    let source = SourceText::new(
        "app.pro",
        "-injars in.jar(!**.txt;a/**) -outjars 'my out.jar'\n-libraryjars <java.home>/jmods\n\
         -basedirectory sub -include common.pro @more.pro\n-dontobfuscate -optimizationpasses 3\n\
         -printmapping out.map -whyareyoukeeping class a.B",
    );
    let (mut configuration, mut diagnostics) = (Configuration::default(), Diagnostics::new());
    let includes = read(&source, &mut configuration, &mut diagnostics);
    assert!(diagnostics.is_empty(), "{}", diagnostics.render(&source));
    let jars: Vec<_> = configuration.jars.iter().map(|(option, path)| format!("{option} {path}")).collect();
    assert_eq!(jars, ["injars in.jar(!**.txt;a/**)", "outjars my out.jar", "libraryjars <java.home>/jmods"]);
    let paths: Vec<_> = includes.iter().map(|include| include.path.as_str()).collect();
    assert_eq!(paths, ["common.pro", "more.pro"]);
    assert_eq!(includes[0].base.as_deref(), Some("sub"));
    assert!(configuration.has("dontobfuscate"));
    assert_eq!(configuration.settings[0], ("optimizationpasses".into(), "3".into()));
    assert_eq!(configuration.why.len(), 1);
}

#[test]
fn assumptions_carry_their_values() {
    let configuration = accepted(
        "-assumenosideeffects class a.Log { public static *** d(...); }\n\
         -assumevalues class a.V { static final int SDK return 21..30; static boolean D = false; }",
    );
    assert_eq!(configuration.assume.len(), 2);
    let members = &configuration.assume[1].classes.members;
    assert_eq!(members[0].value.as_deref(), Some("21..30"));
    assert_eq!(members[1].value.as_deref(), Some("false"));
}

#[test]
fn what_becomes_of_the_null_checks_of_kotlin_is_rules_of_other_options() {
    let option = |what: &str| {
        let configuration = accepted(&format!("-processkotlinnullchecks {what}"));
        configuration.assume.first().map(|rule| {
            assert!(rule.classes.matches_name(b"kotlin/jvm/internal/Intrinsics", &mut Vec::new()));
            assert_eq!(rule.classes.members.len(), 10);
            format!("{} {}", rule.place.0, rule.option)
        })
    };
    assert_eq!(option("keep"), None);
    assert_eq!(option("remove").as_deref(), Some("app.pro:1:1 assumenosideeffects"));
    assert_eq!(option("remove_message").as_deref(), Some("app.pro:1:1 convertchecknotnull"));
    let (_, messages) = parse("-processkotlinnullchecks drop");
    let message = "app.pro:1:26: error: `keep`, `remove_message` or `remove` is expected, not `drop`";
    assert_eq!(messages, [message]);
}

#[test]
fn every_error_of_a_text_is_reported_with_its_place() {
    let (configuration, messages) = parse(
        "-keep class\n-keep,allowall class a.B\n-keep clas a.B\n-keepfoo class a.B\n-frobnicate x y\n\
         -keep class a.C { void f( }\n-keep class a.D { int x }\n-kep class a.E\n-dontshrnk\n\
         -frobnicate class a.F\n-keep class a.E",
    );
    assert_eq!(configuration.keep.len(), 1, "the last rule is read in spite of the errors");
    let starts = [
        "app.pro:2:1: error: the name of a class",
        "app.pro:2:7: error: `allowall` is no modifier",
        "app.pro:3:7: error: `class` is expected here, found `clas`",
        "app.pro:4:1: error: `-keepfoo` is not known, and may have kept something",
        "app.pro:5:1: warning: `-frobnicate` is ignored",
        "app.pro:6:27: error",
        "app.pro:7:25: error: `;` is expected",
        "app.pro:8:1: error: `-kep` is not known, and may have kept something; did you mean `-keep`?",
        "app.pro:9:1: error: `-dontshrnk` is not known, and may have kept something; did you mean `-dontshrink`?",
        "app.pro:10:1: error: `-frobnicate` is not known, and may have kept something",
    ];
    assert_eq!(messages.len(), starts.len(), "{messages:#?}");
    for (message, start) in messages.iter().zip(starts) {
        assert!(message.starts_with(start), "{message} against {start}");
    }
}

/// Every option of the table is read with what stands behind it, and says something exactly if it is refused.
#[test]
fn the_reader_knows_every_option_of_the_table() {
    for known in &OPTIONS {
        let argument = match (known.name, known.form) {
            ("if", _) => "class a.B -keep class a.C",
            ("optimizationpasses", _) => "3",
            ("optimizations", _) => "!code/merging",
            ("keepattributes", _) => "Signature",
            ("processkotlinnullchecks", _) => "remove",
            (_, Form::Keep | Form::Classes) => "class a.B { int x; }",
            (_, Form::Flag) => "",
            (_, Form::Names) => "a.**,!b.C",
            (_, Form::Setting | Form::Written) => "some/path",
            (_, Form::Path) => "in.jar",
        };
        let (configuration, messages) = parse(&format!("-{} {argument}\n-keep class z.End", known.name));
        let last = configuration.keep.last().map(|rule| rule.classes.names[0].1.to_string());
        assert_eq!(last.as_deref(), Some("z.End"), "-{}: what follows is read", known.name);
        match known.support {
            Support::Refused => {
                let [message] = &messages[..] else { panic!("-{}: {messages:?}", known.name) };
                let start = format!("app.pro:1:1: warning: `-{}` does nothing: ", known.name);
                assert!(message.starts_with(&start), "{message}");
            }
            _ => assert!(messages.is_empty(), "-{}: {messages:?}", known.name),
        }
    }
    let (_, messages) = parse("-dontobfuscat");
    assert_eq!(
        messages,
        ["app.pro:1:1: warning: `-dontobfuscat` is ignored; did you mean `-dontobfuscate`?"]
    );
}

#[test]
fn names_that_mean_nothing_are_doubted_where_they_stand() {
    let (configuration, messages) = parse(
        "-keepattributes Signatur,!Exceptions,*Annotation*\n-optimizations !code/mergin,!field/*\n-keepattributes",
    );
    assert_eq!((configuration.attributes.len(), configuration.settings.len()), (4, 1));
    assert_eq!(
        messages,
        [
            "app.pro:1:17: warning: `Signatur` is no attribute of class files that is known; did you mean `Signature`?",
            "app.pro:2:17: warning: `code/mergin` is no optimization, so it changes nothing; did you mean `code/merging`?",
        ]
    );
    for passes in ["many", "", "-1", "99999999999"] {
        let (_, messages) = parse(&format!("-optimizationpasses {passes}"));
        assert!(messages.iter().any(|said| said.contains("a number of passes")), "{passes}: {messages:?}");
    }
}

#[test]
fn no_text_makes_the_reader_panic() {
    let text =
        "-if @a.B !public class a.**,!b extends @c d.e { !static <1>[] f(%,...) = 3; } -keep class 'x' @f";
    for end in 0..=text.len() {
        parse(&text[..end]);
        for piece in ["{", "}", "(", ";", "!", "@", "<", "'", "-keep", "\u{e9}"] {
            parse(&format!("{}{piece}{}", &text[..end], &text[end..]));
        }
    }
}
