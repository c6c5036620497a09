//! Keep rules: what conditions, inherited members and `includecode` keep, and names that nothing has.

mod libraries;

use crate::small::fields::{field, with_fields};
use crate::small::listing::{listing, read};
use crate::small::outcome::outcome_of;
use crate::small::{Build, add_rules, call, class, class_below, optimized, optimized_by, read_in};
use planish_classfile::{ClassFile, Constant, Flags, Member, Opcode};
use planish_driver::Settings;
use planish_jar::classes::Archive;
use planish_jar::inputs::{Classpath, Platform};
use planish_jar::programs::around::Surroundings;
use planish_jar::programs::assumptions::Assumptions;
use planish_jar::programs::roots::Roots;
use planish_jar::rounds::{optimize_program, shrink_program};

const MAIN: &str = "-keep class shop.Till { *** main(...); }\n";

fn program() -> Vec<(&'static str, Vec<u8>)> {
    let nothing: Build<'_> = &|code, _| {
        code.op(Opcode::Return);
    };
    let refunds: Build<'_> = &|code, pool| {
        code.op(Opcode::AconstNull).op(Opcode::Iconst0);
        call(code, pool, Opcode::Invokevirtual, "shop/Till", "refund", "(I)V");
        code.op(Opcode::Return);
    };
    let methods: [(Flags, &str, &str, Build<'_>); 3] = [
        (Flags::PUBLIC | Flags::STATIC, "main", "()V", refunds),
        (Flags::PUBLIC, "refund", "(I)V", nothing),
        (Flags::PUBLIC, "fresh_total", "(I)V", nothing),
    ];
    vec![
        ("shop/Till", class("shop/Till", &[("total", "I")], &methods)),
        ("shop/goods/Apple", class_below(b"shop/Till", "shop/goods/Apple", &[], &[])),
    ]
}

fn said(rules: &str) -> Vec<String> {
    let roots = Roots { rules_given: true, ..Roots::default() };
    outcome_of(&program(), &format!("{MAIN}{rules}"), roots).warnings
}

#[test]
fn a_name_that_nothing_has_is_said_with_its_neighbour() {
    for (rule, wanted) in [
        ("-keep class shop.Tll { *; }", "there is no class `shop.Tll`; did you mean `shop.Till`?"),
        (
            "-keepnames class shop.goods.Appel",
            "there is no class `shop.goods.Appel`; did you mean `shop.goods.Apple`?",
        ),
        ("-keep class * extends shop.Tilll", "there is no class `shop.Tilll`; did you mean `shop.Till`?"),
        (
            "-keep class shop.godos.** { *; }",
            "no class of the program is called `shop.godos.**`; did you mean `shop.goods`?",
        ),
        ("-keep class shop.goods.*Pear", "no class of the program is called `shop.goods.*Pear`"),
        (
            "-keepclassmembers class shop.Till { int totl; }",
            "shop.Till has no field `totl`; did you mean `total`?",
        ),
        (
            "-keep class shop.Till { void refnd(int); }",
            "shop.Till has no method `refnd`; did you mean `refund`?",
        ),
        (
            "-keep class shop.Till { void refund(long); }",
            "no method `refund` of shop.Till has the type, flags and annotation that the rule says",
        ),
        ("-keep class shop.Till { <init>(int); }", "no constructor of shop.Till is as the rule says"),
        (
            "-keep class shop.Till { void refund(int, String[]); }",
            "no method `refund` of shop.Till has the type, flags and annotation that the rule says; types are written \
             with their packages: `java.lang.String[]`",
        ),
        (
            "-keep class shop.Till { <init>(Number); }",
            "no constructor of shop.Till is as the rule says; types are written with their packages: `java.lang.Number`",
        ),
        ("-keep class frog", "there is no class `frog`"),
        (
            "-convertchecknotnull class shop.Tll { void *(...); }",
            "there is no class `shop.Tll`; did you mean `shop.Till`?",
        ),
        (
            "-convertchecknotnull class shop.Till { void refnd(int); }",
            "shop.Till has no method `refnd`; did you mean `refund`?",
        ),
        ("-assumenosideeffects class shop.Log { *; }", "there is no class `shop.Log`"),
        ("-nevermerge class shop.Tll", "there is no class `shop.Tll`; did you mean `shop.Till`?"),
        ("-processkotlinnullchecks remove_message", "there is no class `kotlin.jvm.internal.Intrinsics`"),
        ("-processkotlinnullchecks remove", "there is no class `kotlin.jvm.internal.Intrinsics`"),
    ] {
        assert_eq!(said(rule), [format!("keep.pro:2:1: {wanted}")], "{rule}");
    }
}

#[test]
fn rules_that_may_match_nothing_are_not_said() {
    for rule in [
        "-keepclassmembers enum * { public static **[] values(); }",
        "-keepclasseswithmembernames class * { native <methods>; }",
        "-keep class * implements java.io.Serializable { <fields>; }",
        "-keep class java.lang.String",
        "-keep class !shop.Nothing,shop.** { *; }",
        "-if class shop.Nothing -keep class shop.Nothing { *; }",
        "-keep class **.Nothing { int x; }",
        "-keep class shop.Tll\n-dontnote shop.Tll",
        "-keep class shop.Till { *; }",
        "-nevermerge class shop.Till",
        "-convertchecknotnull class shop.Till { void refnd(int); void refund(int); }",
        "-assumenosideeffects class shop.Tll { *; }\n-dontnote shop.Tll",
        "-processkotlinnullchecks keep",
    ] {
        assert_eq!(said(rule), [""; 0], "{rule}");
    }
}

/// What a class inherits is found by the name of the class that inherits it; other members of the class above go.
#[test]
fn a_member_that_is_inherited_is_kept() {
    let mut files = program();
    files.push(("T", class_below(b"shop/Till", "T", &[], &[])));
    let archive = optimized(&files, "refund", false);
    assert_eq!(listing(&archive, "shop/Till", "refund"), "return\n");
    let till = read(&archive, "shop/Till");
    let file = ClassFile::read(&till).unwrap();
    assert!(!file.methods.iter().any(|method| file.pool.utf8(method.name) == Ok(b"main")));
}

/// Which methods of `shop.Till` there are.
fn methods_of_till(archive: &Archive) -> Vec<String> {
    let till = read(archive, "shop/Till");
    let file = ClassFile::read(&till).unwrap();
    let name =
        |method: &Member<'_>| String::from_utf8_lossy(file.pool.utf8(method.name).unwrap()).into_owned();
    file.methods.iter().map(name).collect()
}

/// Wildcards are counted through the whole condition, its members included, and referred to in members as well. What a
/// condition names has to be there.
#[test]
fn a_rule_refers_to_what_members_of_its_condition_matched() {
    let total = "-keepclassmembers class shop.Till { int total; }\n";
    let keeps = |rules: &str| methods_of_till(&optimized_by(&program(), &format!("{MAIN}{rules}"), true));
    let plain = keeps(total);
    assert!(!plain.contains(&"fresh_total".to_owned()), "{plain:?}");
    for (rules, wanted) in [
        ("-if class shop.* { int *; } -keep class shop.<1> { void fresh_<2>(int); }", true),
        ("-if class **.Till { int *; } -keepclassmembers class <1>.Till { *** fresh_<2>(...); }", true),
        ("-if class shop.Till { *** refund(%); } -keep class shop.Till { void fresh_total(<2>); }", false),
        ("-if class shop.* { long *; } -keep class shop.<1> { void fresh_<2>(int); }", false),
        ("-if class shop.goods.* -keep class shop.Till { void fresh_total(int); }", false),
    ] {
        let found = keeps(&format!("{total}{rules}"));
        assert_eq!(found.contains(&"fresh_total".to_owned()), wanted, "{rules}: {found:?}");
    }
    let without = "-if class shop.* { int *; } -keep class shop.<1> { void fresh_<2>(int); }";
    assert!(!keeps(without).contains(&"fresh_total".to_owned()), "the field goes, so the rule does not hold");
    // A rule may make the condition of one before it hold.
    let chain = "-if class shop.goods.Apple -keep class shop.Till { void fresh_total(int); }\n\
                 -if class shop.Till -keep class shop.goods.Apple";
    assert!(keeps(chain).contains(&"fresh_total".to_owned()));
}

/// A condition that was met stays so, although what met it stands somewhere else then.
#[test]
fn a_condition_holds_when_what_met_it_is_inlined() {
    let five: Build<'_> = &|code, _| {
        code.op(Opcode::Iconst5).op(Opcode::Ireturn);
    };
    let calls: Build<'_> = &|code, pool| {
        call(code, pool, Opcode::Invokestatic, "shop/Rate", "five", "()I");
        code.op(Opcode::Ireturn);
    };
    let files = [
        ("T", class("T", &[], &[(Flags::PUBLIC | Flags::STATIC, "main", "()I", calls)])),
        ("shop/Rate", class("shop/Rate", &[], &[(Flags::PUBLIC | Flags::STATIC, "five", "()I", five)])),
        ("shop/Found", class("shop/Found", &[], &[])),
    ];
    let rules =
        "-keep class T { *** main(...); }\n-if class shop.Rate { *** five(); } -keep class shop.Found";
    let archive = optimized_by(&files, rules, false);
    assert!(archive.find(b"shop/Rate.class").is_none() && archive.find(b"shop/Found.class").is_some());
}

/// A method with `includecode` keeps its bytes.
#[test]
fn code_that_a_rule_includes_stays() {
    let five: Build<'_> = &|code, _| {
        code.op(Opcode::Iconst2).op(Opcode::Iconst3).op(Opcode::Iadd).op(Opcode::Ireturn);
    };
    let files = [("T", class("T", &[], &[(Flags::PUBLIC | Flags::STATIC, "main", "()I", five)]))];
    let body = |archive: &Archive| listing(archive, "T", "main");
    assert_eq!(body(&optimized(&files, "main", false)), "iconst_5\nireturn\n");
    let rules = "-keep,includecode class T { *** main(...); }";
    assert_eq!(body(&optimized_by(&files, rules, false)), "iconst_2\niconst_3\niadd\nireturn\n");
}

#[test]
fn why_a_method_stays_is_asked_with_its_class() {
    let rules = format!(
        "{MAIN}-whyareyoukeeping class shop.Till {{ *** refund(...); }}\n-whyareyoukeeping class shop.No"
    );
    let roots = Roots { rules_given: true, assumes: Assumptions::NONE, ..Roots::default() };
    let said = outcome_of(&program(), &rules, roots).explanations;
    assert!(
        said.iter().any(|line| line.starts_with("shop.Till.refund(I)V: by shop.Till.main()V")),
        "{said:?}"
    );
    assert!(said.contains(&"shop.No is no class of the program".to_owned()), "{said:?}");
}

/// What a run says of rules that name what must not be left.
fn checked(rules: &str) -> Result<(), String> {
    let (mut archive, hierarchy) = read_in(&program());
    let mut roots = Roots { rules_given: true, ..Roots::default() };
    add_rules(&format!("{MAIN}{rules}"), &mut roots);
    let classpath = Classpath::default();
    let around = Surroundings::quiet(&hierarchy, &classpath, &roots);
    optimize_program(&mut archive, around, &Settings::default()).map(drop)
}

#[test]
fn what_must_not_be_left_is_an_error_with_the_rule() {
    let gone =
        "-checkdiscard class shop.goods.*\n-checkdiscard class shop.Till { *** fresh*(...); int total; }";
    assert_eq!(checked(gone), Ok(()));
    assert_eq!(checked("-checkdiscard class no.Such"), Ok(()));
    assert_eq!(
        checked("-keep class shop.goods.Apple\n-checkdiscard class * extends shop.Till"),
        Err("keep.pro:3:1: -checkdiscard: shop.goods.Apple is still there".to_owned())
    );
    let error = checked(
        "-keepclassmembers class shop.Till { *** fresh*(...); int total; }\n\
         -checkdiscard class shop.Till { *** fresh*(...); int total; }",
    );
    assert_eq!(
        error.unwrap_err(),
        "keep.pro:3:1: -checkdiscard: shop.Till.fresh_total(I)V is still there\n\
         keep.pro:3:1: -checkdiscard: shop.Till.total:I is still there"
    );
}

/// Who finds a static field finds what its class puts there, although nothing of the program initializes the class.
#[test]
fn a_static_field_that_a_rule_keeps_has_its_value() {
    let puts: Build<'_> = &|code, pool| {
        code.op(Opcode::Iconst5);
        field(code, pool, Opcode::Putstatic, ["shop/Rate", "five", "I"]);
        code.op(Opcode::Return);
    };
    let names: Build<'_> = &|code, pool| {
        let rate = pool.add_utf8(b"shop/Rate").unwrap();
        code.load(Constant::Class(rate), pool).unwrap().op(Opcode::Areturn);
    };
    let rate = class("shop/Rate", &[], &[(Flags::STATIC, "<clinit>", "()V", puts)]);
    let main = (Flags::PUBLIC | Flags::STATIC, "main", "()Ljava/lang/Class;", names);
    let files =
        [("T", class("T", &[], &[main])), ("shop/Rate", with_fields(&rate, &[(Flags::STATIC, "five", "I")]))];
    let initializers = |rules: &str| {
        let archive = optimized_by(&files, &format!("-keep class T {{ *** main(...); }}\n{rules}"), false);
        let rate = read(&archive, "shop/Rate");
        let file = ClassFile::read(&rate).unwrap();
        file.methods.iter().filter(|method| file.pool.utf8(method.name) == Ok(b"<clinit>")).count()
    };
    assert_eq!(initializers(""), 0, "nobody sees it");
    assert_eq!(initializers("-keepclassmembers class shop.Rate { int five; }"), 1);
    assert_eq!(initializers("-keepclassmembers class shop.* { <fields>; }"), 1);
}

/// A call through an interface finds `clone()` only where an interface declares it: that of `Object` is not public.
#[test]
fn a_call_through_an_interface_does_not_find_what_object_hides() {
    let interface = |name: &str, above: Option<&str>, declares: bool| {
        let flags = Flags::PUBLIC | Flags::INTERFACE | Flags::ABSTRACT;
        let mut file = ClassFile::new(52, flags, name.as_bytes(), Some(b"java/lang/Object")).unwrap();
        let above = above.map(|above| file.pool.add_class(above.as_bytes()).unwrap());
        file.interfaces.extend(above);
        if declares {
            let flags = Flags::PUBLIC | Flags::ABSTRACT;
            for (method, ty) in [(&b"clone"[..], &b"()Ljava/lang/Object;"[..]), (b"hashCode", b"()I")] {
                file.add_method(flags, method, ty, None).unwrap();
            }
        }
        file.to_bytes().unwrap()
    };
    let clones: Build<'_> = &|code, pool| {
        for (method, ty) in [("hashCode", "()I"), ("clone", "()Ljava/lang/Object;")] {
            code.local(Opcode::Aload, 0);
            call(code, pool, Opcode::Invokeinterface, "shop/Order", method, ty);
            code.op(Opcode::Pop);
        }
        code.op(Opcode::Return);
    };
    let files = [
        ("T", class("T", &[], &[(Flags::PUBLIC | Flags::STATIC, "main", "(Lshop/Order;)V", clones)])),
        ("shop/Copied", interface("shop/Copied", None, true)),
        ("shop/Order", interface("shop/Order", Some("shop/Copied"), false)),
    ];
    let (mut archive, hierarchy) = read_in(&files);
    let mut roots = Roots { rules_given: true, ..Roots::default() };
    add_rules("-keep class T { *** main(...); }\n-keep class shop.Order\n-dontoptimize", &mut roots);
    let classpath = Classpath { platform: Platform::heads(), ..Classpath::default() };
    let around = Surroundings::quiet(&hierarchy, &classpath, &roots);
    shrink_program(&mut archive, around, &Settings::default()).unwrap();
    let copied = read(&archive, "shop/Copied");
    let file = ClassFile::read(&copied).unwrap();
    let names: Vec<_> = file.methods.iter().map(|method| file.pool.utf8(method.name).unwrap()).collect();
    assert_eq!(names, [b"clone"], "`hashCode()` is that of `Object`");
}
