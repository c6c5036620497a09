//! Objects that are made by reflection of a class that is a constant, or whose name is one, where rules say what else is found:
//! what they need stays.

use crate::small::listing::{listing, read};
use crate::small::{Build, call, class, optimized};
use planish_classfile::{ClassFile, Constant, Flags, Opcode};
use planish_jar::classes::Archive;

const STATIC: Flags = Flags(Flags::PUBLIC.0 | Flags::STATIC.0);

/// What puts the class `A` on the stack.
const CONSTANT: Build<'static> = &|code, pool| {
    let name = pool.add_utf8(b"A").unwrap();
    code.load(Constant::Class(name), pool).unwrap();
};
const BY_NAME: Build<'static> = &|code, pool| {
    let name = pool.add_utf8(b"A").unwrap();
    code.load(Constant::String(name), pool).unwrap();
    let gives = "(Ljava/lang/String;)Ljava/lang/Class;";
    call(code, pool, Opcode::Invokestatic, "java/lang/Class", "forName", gives);
};

/// `T.main` hands the class `A` to a method of the JDK, and asks what it gives for its field.
fn left(the_class: Build<'_>, of_jdk: [&str; 3]) -> Archive {
    let main: Build<'_> = &|code, pool| {
        the_class(code, pool);
        let [owner, name, descriptor] = of_jdk;
        call(code, pool, Opcode::Invokestatic, owner, name, descriptor);
        code.class(Opcode::Checkcast, b"A", pool).unwrap();
        call(code, pool, Opcode::Invokevirtual, "A", "get", "()I");
        code.op(Opcode::Ireturn);
    };
    let get: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0).field(Opcode::Getfield, [b"A", b"x", b"I"], pool).unwrap();
        code.op(Opcode::Ireturn);
    };
    let init: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokespecial, "java/lang/Object", "<init>", "()V");
        code.local(Opcode::Aload, 0).local(Opcode::Iload, 1);
        code.field(Opcode::Putfield, [b"A", b"x", b"I"], pool).unwrap().op(Opcode::Return);
    };
    let a = class(
        "A",
        &[("x", "I")],
        &[(Flags::PUBLIC, "<init>", "(I)V", init), (Flags::PUBLIC, "get", "()I", get)],
    );
    let t = class("T", &[], &[(STATIC, "main", "()I", main)]);
    optimized(&[("T", t), ("A", a)], "main", false)
}

#[test]
fn an_object_that_is_made_without_a_constructor_holds_what_whoever_made_it_stores() {
    let of_unsafe = ["sun/misc/Unsafe", "allocateInstance", "(Ljava/lang/Class;)Ljava/lang/Object;"];
    let reads = "aload_0\ngetfield A.x\nireturn\n";
    assert_eq!(listing(&left(CONSTANT, of_unsafe), "A", "get"), reads);
    let other = ["sun/misc/Unsafe", "ensureClassInitialized", "(Ljava/lang/Class;)Ljava/lang/Object;"];
    assert_ne!(listing(&left(CONSTANT, other), "A", "get"), reads, "nobody makes one");
}

#[test]
fn a_constructor_that_is_looked_up_stays() {
    let gives = "(Ljava/lang/Class;)Ljava/lang/Object;";
    for the_class in [CONSTANT, BY_NAME] {
        let archive = left(the_class, ["java/lang/Class", "getDeclaredConstructor", gives]);
        assert!(listing(&archive, "A", "<init>").contains("putfield A.x"), "it may be run");
        let main = listing(&archive, "T", "main");
        assert!(main.ends_with("getfield A.x\nireturn\n"), "{main}");
    }
}

#[test]
fn an_object_of_a_class_with_a_name_may_be_made_without_a_constructor() {
    let of_unsafe = ["sun/misc/Unsafe", "allocateInstance", "(Ljava/lang/Class;)Ljava/lang/Object;"];
    assert_eq!(listing(&left(BY_NAME, of_unsafe), "A", "get"), "aload_0\ngetfield A.x\nireturn\n");
}

/// What it takes can be asked, and that it makes no object is said by the call that should make one.
#[test]
fn a_constructor_of_an_abstract_class_that_is_looked_up_stays() {
    let main: Build<'_> = &|code, pool| {
        CONSTANT(code, pool);
        let gives = "([Ljava/lang/Class;)Ljava/lang/reflect/Constructor;";
        code.op(Opcode::AconstNull);
        call(code, pool, Opcode::Invokevirtual, "java/lang/Class", "getDeclaredConstructor", gives);
        code.op(Opcode::Areturn);
    };
    let init: Build<'_> = &|code, pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokespecial, "java/lang/Object", "<init>", "()V");
        code.op(Opcode::Return);
    };
    let a = class("A", &[], &[(Flags::PUBLIC, "<init>", "(I)V", init)]);
    let mut a = ClassFile::read(&a).unwrap();
    a.flags = a.flags | Flags::ABSTRACT;
    let t = class("T", &[], &[(STATIC, "main", "()Ljava/lang/reflect/Constructor;", main)]);
    let archive = optimized(&[("T", t), ("A", a.to_bytes().unwrap())], "main", false);
    assert_eq!(constructors(&archive, "A"), ["(I)V"]);
}

/// The descriptors of the constructors of a class.
fn constructors(archive: &Archive, class: &str) -> Vec<String> {
    let bytes = read(archive, class);
    let file = ClassFile::read(&bytes).unwrap();
    let text = |index| String::from_utf8_lossy(file.pool.utf8(index).unwrap()).into_owned();
    let made = file.methods.iter().filter(|method| text(method.name) == "<init>");
    made.map(|method| text(method.descriptor)).collect()
}
