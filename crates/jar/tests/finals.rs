//! Static fields that only the initializer of their class sets become final, and so do classes that nothing extends.

use crate::small::listing::{listing, read};
use crate::small::{Build, Pool, call, class, class_below, optimized, optimized_by};
use planish_classfile::builder::CodeBuilder;
use planish_classfile::{ClassFile, Flags, Opcode};

const STATIC: Flags = Flags(Flags::PUBLIC.0 | Flags::STATIC.0);
const KEEP: &str = "-keep class T { *** main*(...); }";

/// Sets the field `x` of `A` to what the machine says.
fn set(code: &mut CodeBuilder, pool: &mut Pool) {
    call(code, pool, Opcode::Invokestatic, "java/lang/System", "nanoTime", "()J");
    code.op(Opcode::L2i).field(Opcode::Putstatic, [b"A", b"x", b"I"], pool).unwrap();
    code.op(Opcode::Return);
}

fn get(code: &mut CodeBuilder, pool: &mut Pool) {
    code.field(Opcode::Getstatic, [b"A", b"x", b"I"], pool).unwrap().op(Opcode::Ireturn);
}

fn init(above: &'static str) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code, pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokespecial, above, "<init>", "()V");
        code.op(Opcode::Return);
    }
}

/// Whether the field `x` of `A`, which its initializer sets, is final in the end. It has these flags besides; `T` has other
/// methods, too.
fn is_final_field(rules: &str, flags: Flags, others: &[(Flags, &str, &str, Build<'_>)]) -> bool {
    let mut methods: Vec<(Flags, &str, &str, Build<'_>)> = vec![(STATIC, "mainGet", "()I", &get)];
    methods.extend(others);
    let bytes = class("A", &[("x", "I")], &[(Flags::STATIC, "<clinit>", "()V", &set)]);
    let mut a = ClassFile::read(&bytes).unwrap();
    a.fields[0].flags = Flags::STATIC.with(flags);
    let files = [("T", class("T", &[], &methods)), ("A", a.to_bytes().unwrap())];
    let archive = optimized_by(&files, &format!("{KEEP}\n{rules}"), false);
    assert_eq!(listing(&archive, "T", "mainGet"), "getstatic A.x\nireturn\n");
    let strict = optimized(&files, "main*", true);
    assert!(!ClassFile::read(&read(&strict, "A")).unwrap().fields[0].flags.has(Flags::FINAL));
    let bytes = read(&archive, "A");
    ClassFile::read(&bytes).unwrap().fields[0].flags.has(Flags::FINAL)
}

#[test]
fn what_only_an_initializer_sets_is_final() {
    assert!(is_final_field("", Flags(0), &[]));
    assert!(!is_final_field("", Flags(0), &[(STATIC, "mainSet", "()V", &set)]), "it is set later");
    assert!(!is_final_field("", Flags::VOLATILE, &[]), "it cannot be both");
    assert!(!is_final_field("-keep class A { int x; }", Flags(0), &[]), "reflection may set it");
    assert!(!is_final_field("-optimizations !field/marking/*", Flags(0), &[]), "it is not wanted");
}

/// `B` is below `A`, and objects of both are made. A JVM may load what extends a class that a rule keeps.
#[test]
fn what_nothing_extends_is_final() {
    let make = |name: &'static str| {
        move |code: &mut CodeBuilder, pool: &mut Pool| {
            code.class(Opcode::New, name.as_bytes(), pool).unwrap().op(Opcode::Dup);
            call(code, pool, Opcode::Invokespecial, name, "<init>", "()V");
            code.op(Opcode::Areturn);
        }
    };
    let (object, a) = (init("java/lang/Object"), init("A"));
    let (make_a, make_b) = (make("A"), make("B"));
    let methods: [(Flags, &str, &str, Build<'_>); 2] = [
        (STATIC, "mainA", "()Ljava/lang/Object;", &make_a),
        (STATIC, "mainB", "()Ljava/lang/Object;", &make_b),
    ];
    let finals = |rules: &str, methods: &[(Flags, &str, &str, Build<'_>)]| {
        let files = [
            ("T", class("T", &[], methods)),
            ("A", class("A", &[], &[(Flags::PUBLIC, "<init>", "()V", &object)])),
            ("B", class_below(b"A", "B", &[], &[(Flags::PUBLIC, "<init>", "()V", &a)])),
        ];
        let archive = optimized_by(&files, &format!("{KEEP}\n{rules}"), false);
        let is_final = |class: &&str| {
            let name = format!("{class}.class");
            archive.find(name.as_bytes()).is_some()
                && ClassFile::read(&read(&archive, class)).unwrap().flags.has(Flags::FINAL)
        };
        ["T", "A", "B"].into_iter().filter(is_final).collect::<String>()
    };
    assert_eq!(finals("", &methods), "B");
    assert_eq!(finals("", &methods[..1]), "A");
    assert_eq!(finals("-keep class B", &methods), "");
    assert_eq!(finals("-optimizations !class/marking/final", &methods), "");
}
