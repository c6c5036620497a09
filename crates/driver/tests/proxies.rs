//! What stays of an interface of which objects are made at run time.

mod small;

use planish_classfile::builder::CodeBuilder;
use planish_classfile::{ClassFile, Constant, Flags, Opcode};
use small::listing::listing;
use small::{Build, Pool, call, class, optimized};

const STATIC: Flags = Flags(Flags::PUBLIC.0 | Flags::STATIC.0);

/// What a proxy does when it is called may run the body that the interface has.
#[test]
fn a_body_of_an_interface_stays_that_has_proxies() {
    let main: Build<'_> = &|code: &mut CodeBuilder, pool: &mut Pool| {
        let name = pool.add_utf8(b"I").unwrap();
        code.load(Constant::Class(name), pool).unwrap();
        call(
            code,
            pool,
            Opcode::Invokestatic,
            "java/lang/reflect/Proxy",
            "newProxyInstance",
            "(Ljava/lang/Class;)Ljava/lang/Object;",
        );
        code.class(Opcode::Checkcast, b"I", pool).unwrap();
        code.int(42, pool).unwrap();
        call(code, pool, Opcode::Invokeinterface, "I", "answer", "(I)I");
        code.op(Opcode::Ireturn);
    };
    let t = class("T", &[], &[(STATIC, "main", "()I", main)]);
    let flags = Flags::PUBLIC | Flags::INTERFACE | Flags::ABSTRACT;
    let mut i = ClassFile::new(52, flags, b"I", Some(b"java/lang/Object")).unwrap();
    let mut code = CodeBuilder::new();
    code.local(Opcode::Iload, 1).op(Opcode::Ireturn);
    let code = code.finish(2, &mut i.pool).unwrap();
    i.add_method(Flags::PUBLIC, b"answer", b"(I)I", Some(&code)).unwrap();
    let archive = optimized(&[("T", t), ("I", i.to_bytes().unwrap())], "main", false);
    assert_eq!(listing(&archive, "I", "answer"), "iload_1\nireturn\n", "with any arguments");
}
