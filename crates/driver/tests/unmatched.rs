//! Keep rules with names that nothing has are said, with what may have been meant.

#[path = "small/outcome.rs"]
mod outcome;
mod small;

use outcome::outcome_of;
use planish_classfile::{ClassFile, Flags, Opcode};
use planish_driver::programs::Roots;
use small::listing::{listing, read};
use small::{Build, class, class_below, optimized};

const MAIN: &str = "-keep class shop.Till { *** main(...); }\n";

fn program() -> Vec<(&'static str, Vec<u8>)> {
    let nothing: Build<'_> = &|code, _| {
        code.op(Opcode::Return);
    };
    let methods: [(Flags, &str, &str, Build<'_>); 2] =
        [(Flags::PUBLIC | Flags::STATIC, "main", "()V", nothing), (Flags::PUBLIC, "refund", "(I)V", nothing)];
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
        ("-keep class frog", "there is no class `frog`"),
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
