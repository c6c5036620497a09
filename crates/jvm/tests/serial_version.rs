//! Versions of serialization, beside those that a JDK computes (`serialver`).

use planish_classfile::attribute::InnerClass;
use planish_classfile::{Attribute, Body, ClassFile, Flags};
use planish_jvm::shrink::serial_version::{computed_version, stated_version, with_version};

/// What `serialver` says of the two classes below.
const OUTER: i64 = 186422414817660063;
const INNER: i64 = -9005974503780514759;

/// A class that implements interfaces, with fields and methods without bodies.
fn class(
    flags: Flags,
    name: &str,
    interfaces: &[&str],
    fields: &[(Flags, &str, &str)],
    methods: &[(Flags, &str, &str)],
) -> ClassFile<'static> {
    let mut file =
        ClassFile::new(61, flags | Flags::SUPER, name.as_bytes(), Some(b"java/lang/Object")).unwrap();
    for interface in interfaces {
        let index = file.pool.add_class(interface.as_bytes()).unwrap();
        file.interfaces.push(index);
    }
    for &(flags, name, descriptor) in fields {
        file.add_field(flags, name.as_bytes(), descriptor.as_bytes()).unwrap();
    }
    for &(flags, name, descriptor) in methods {
        file.add_method(flags, name.as_bytes(), descriptor.as_bytes(), None).unwrap();
    }
    file
}

/// ```java
/// package p;
/// public class S implements java.io.Serializable, Comparable {
///   int a; private static int b; private transient int c; private String d; static int e = 1; static { e++; }
///   S(int k) {} private S() {}
///   protected synchronized String m(int[] x) { return null; } private void n() {}
///   public int compareTo(Object o) { return 0; }
/// }
/// ```
fn outer() -> ClassFile<'static> {
    class(
        Flags::PUBLIC,
        "p/S",
        &["java/io/Serializable", "java/lang/Comparable"],
        &[
            (Flags::default(), "a", "I"),
            (Flags::PRIVATE | Flags::STATIC, "b", "I"),
            (Flags::PRIVATE | Flags::TRANSIENT, "c", "I"),
            (Flags::PRIVATE, "d", "Ljava/lang/String;"),
            (Flags::STATIC, "e", "I"),
        ],
        &[
            (Flags::default(), "<init>", "(I)V"),
            (Flags::PRIVATE, "<init>", "()V"),
            (Flags::PROTECTED | Flags::SYNCHRONIZED, "m", "([I)Ljava/lang/String;"),
            (Flags::PRIVATE, "n", "()V"),
            (Flags::PUBLIC, "compareTo", "(Ljava/lang/Object;)I"),
            (Flags::STATIC, "<clinit>", "()V"),
        ],
    )
}

#[test]
fn a_version_is_that_of_the_jdk() {
    assert_eq!(computed_version(&outer()).unwrap(), Some(OUTER));
    // `protected static class In implements java.io.Serializable { long q; }` in it, which a JVM takes for public.
    let mut inner = class(
        Flags::PUBLIC,
        "p/S$In",
        &["java/io/Serializable"],
        &[(Flags::default(), "q", "J")],
        &[(Flags::PROTECTED, "<init>", "()V")],
    );
    let [class, outer, name] = [
        inner.pool.add_class(b"p/S$In").unwrap(),
        inner.pool.add_class(b"p/S").unwrap(),
        inner.pool.add_utf8(b"In").unwrap(),
    ];
    let list = vec![InnerClass { class, outer, name, flags: Flags::PROTECTED | Flags::STATIC }];
    let attribute = Attribute::new(&mut inner.pool, &Body::InnerClasses(list)).unwrap();
    inner.attributes.push(attribute);
    assert_eq!(computed_version(&inner).unwrap(), Some(INNER));
}

#[test]
fn members_that_are_not_private_count() {
    let mut less = outer();
    less.methods.retain(|method| !method.flags.has(Flags::PRIVATE));
    less.fields.retain(|field| !field.flags.has(Flags::PRIVATE | Flags::STATIC));
    assert_eq!(computed_version(&less).unwrap(), Some(OUTER));
    less.fields.pop();
    assert_ne!(computed_version(&less).unwrap(), Some(OUTER));
}

#[test]
fn what_says_its_version_has_no_other() {
    let mut file = outer();
    with_version(&mut file, -5).unwrap();
    let bytes = file.to_bytes().unwrap();
    let file = ClassFile::read(&bytes).unwrap();
    assert_eq!(computed_version(&file).unwrap(), None);
    assert_eq!((stated_version(&file), stated_version(&outer())), (Ok(Some(-5)), Ok(None)));
    let field = file.field(b"serialVersionUID", b"J").unwrap();
    let value = field.attributes[0].decode(&file.pool).unwrap();
    let Some(Body::ConstantValue(index)) = value else { panic!("no value") };
    assert_eq!(file.pool.get(index), Ok(planish_classfile::Constant::Long(-5)));
}
