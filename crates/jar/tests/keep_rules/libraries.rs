//! Keep rules for libraries: what those for Gson keep of a bean, and which notes they leave.

use planish_classfile::annotation::Annotation;
use planish_classfile::{Attribute, Body, ClassFile, Constant, Flags, Opcode};
use planish_driver::Settings;
use planish_jar::inputs::Classpath;
use planish_jar::library_rules::{Taken, Wanted, take};
use planish_jar::programs::around::Surroundings;
use planish_jar::programs::outcome::ShrinkOutcome;
use planish_jar::programs::roots::Roots;
use planish_jar::rounds::optimize_program;

use crate::small::fields::with_fields;
use crate::small::listing::read;
use crate::small::{Build, add_rules, call, class, read_in};

const STATIC: Flags = Flags(Flags::PUBLIC.0 | Flags::STATIC.0);

/// `T.main` gives `shop.Bean` to Gson, of which the fields `named` and `other` are read, and no class to `shop.Idle`. Both
/// have a field that an annotation of Gson names.
fn program() -> Vec<(&'static str, Vec<u8>)> {
    let main: Build<'_> = &|code, pool| {
        let bean = pool.add_utf8(b"shop/Bean").unwrap();
        code.load(Constant::Class(bean), pool).unwrap();
        call(code, pool, Opcode::Invokestatic, "com/google/gson/Gson", "read", "(Ljava/lang/Class;)V");
        code.op(Opcode::Return);
    };
    let looks: Build<'_> = &|code, pool| {
        code.op(Opcode::Aload0);
        let fields = "()[Ljava/lang/reflect/Field;";
        call(code, pool, Opcode::Invokevirtual, "java/lang/Class", "getDeclaredFields", fields);
        code.op(Opcode::Pop).op(Opcode::Return);
    };
    let gson = class("com/google/gson/Gson", &[], &[(STATIC, "read", "(Ljava/lang/Class;)V", looks)]);
    vec![
        ("T", class("T", &[], &[(STATIC, "main", "()V", main)])),
        ("shop/Bean", bean("shop/Bean")),
        ("shop/Idle", bean("shop/Idle")),
        ("com/google/gson/Gson", gson),
    ]
}

fn bean(name: &str) -> Vec<u8> {
    let fields = [(Flags::PRIVATE, "named", "I"), (Flags::PRIVATE, "other", "I"), (STATIC, "shared", "I")];
    let bytes = with_fields(&class(name, &[], &[]), &fields);
    let mut file = ClassFile::read(&bytes).unwrap();
    let descriptor = file.pool.add_utf8(b"Lcom/google/gson/annotations/SerializedName;").unwrap();
    let annotations = vec![Annotation { descriptor, elements: Vec::new() }];
    let attribute = Attribute::new(&mut file.pool, &Body::RuntimeVisibleAnnotations(annotations)).unwrap();
    file.fields[0].attributes.push(attribute);
    file.to_bytes().unwrap()
}

/// What becomes of the fields of the bean, whether the other bean is there, and what is told.
fn run(wanted: &Wanted, own: &str) -> (Vec<String>, bool, ShrinkOutcome, Taken, Vec<String>) {
    let (mut archive, hierarchy) = read_in(&program());
    let mut roots = Roots { rules_given: true, ..Roots::default() };
    add_rules(&format!("-keep class T {{ *** main(...); }}\n{own}"), &mut roots);
    roots.own_rules = Some(roots.rules.keep.len());
    let mut warnings = Vec::new();
    let taken = take(wanted, std::iter::once(&archive), (&mut roots.rules, &mut warnings));
    let classpath = Classpath::default();
    roots.why = vec!["shop.Bean".to_owned()];
    let around = Surroundings::quiet(&hierarchy, &classpath, &roots);
    let (outcome, _) = optimize_program(&mut archive, around, &Settings::default()).unwrap();
    let bean = read(&archive, "shop/Bean");
    let file = ClassFile::read(&bean).unwrap();
    let name = |index| String::from_utf8_lossy(file.pool.utf8(index).unwrap()).into_owned();
    let fields = file.fields.iter().map(|field| name(field.name)).collect();
    (fields, archive.find(b"shop/Idle.class").is_some(), outcome, taken, warnings)
}

#[test]
fn fields_that_are_looked_for_stay_by_the_rules_for_the_library() {
    let (fields, idle, outcome, ..) = run(&Wanted::None, "");
    assert!(fields.is_empty() && !idle, "{fields:?}");
    assert_eq!(outcome.missed.len(), 1, "it may miss them");
    let (fields, idle, outcome, taken, _) = run(&Wanted::Recognized, "");
    assert_eq!(fields, ["named", "other"]);
    assert!(!idle, "what nobody gives to the library goes");
    assert_eq!(taken.summary(), "rules for gson: --library-rules off leaves them out\n");
    let details = taken.details(&outcome.kept_by_rules);
    let counted = "library-rules/gson.pro (Gson, tried with 2.10): 2 of 10 rules keep something: classes: 1, members: 2\n";
    assert_eq!(details, counted);
    let of_idle = "shop.Idle";
    assert!(
        outcome.seeds.contains("shop.Bean: int other") && outcome.seeds.contains(of_idle),
        "{}",
        outcome.seeds
    );
}

/// Notes are about what went: where that is kept by rules, there is none.
#[test]
fn a_note_goes_when_the_rules_keep_what_is_meant() {
    let idle = "-keep class shop.** { *; }";
    assert_eq!(run(&Wanted::Recognized, idle).2.missed.len(), 0);
    assert_eq!(run(&Wanted::None, idle).2.missed.len(), 0);
}

/// What stands in rules that come along is not said to be missing, and which rules are asked for by name is.
#[test]
fn nothing_is_said_of_classes_that_the_rules_name() {
    let named = Wanted::Named(["jna", "gson", "jna"].map(str::to_owned).to_vec());
    let (fields, _, outcome, taken, warnings) = run(&named, "");
    assert_eq!(fields, ["named", "other"]);
    assert_eq!(outcome.warnings, [""; 0]);
    let wanted = "--library-rules jna: neither the program nor a --library has classes of com.sun.jna";
    assert_eq!(warnings, [wanted]);
    assert!(taken.summary().starts_with("rules for gson, jna: "));
}
