//! What constructors do before they call another one: a frame there is one of an object under construction only if a
//! local is that object, even where the path throws and nobody needs it any more.

use planish_classfile::builder::CodeBuilder;
use planish_classfile::constant::Constant;
use planish_classfile::{ClassFile, Code, ConstantPool, Flags, Opcode};

use crate::rewritten::{OBJECT, rewritten};

const THROWABLE: &[u8] = b"java/lang/Throwable";

type Build = fn(&mut CodeBuilder, &mut ConstantPool<'static>);

/// A constructor `(I)V` that throws an exception with one of two texts if its argument is 1 or 2, and else does what is said,
/// after it was read and written, which verifies it.
fn written(otherwise: Build) -> Code {
    let mut class = ClassFile::new(52, Flags::PUBLIC | Flags::SUPER, b"Test", Some(OBJECT)).unwrap();
    let (mut code, pool) = (CodeBuilder::new(), &mut class.pool);
    let [other, throw, silently, well] = [(); 4].map(|()| code.label());
    code.local(Opcode::Iload, 1).op(Opcode::Iconst1).jump(Opcode::IfIcmpne, other);
    text(&mut code, pool, b"one");
    code.local(Opcode::Astore, 2).jump(Opcode::Goto, throw);
    code.bind(other).local(Opcode::Iload, 1).op(Opcode::Iconst2).jump(Opcode::IfIcmpne, well);
    text(&mut code, pool, b"two");
    code.local(Opcode::Astore, 2).bind(throw);
    // A frame follows at which the text is in a local.
    code.local(Opcode::Iload, 1).jump(Opcode::Ifeq, silently);
    code.call(Opcode::Invokestatic, [b"Test", b"log", b"()V"], pool).unwrap().bind(silently);
    code.class(Opcode::New, THROWABLE, pool).unwrap().op(Opcode::Dup).local(Opcode::Aload, 2);
    code.call(Opcode::Invokespecial, [THROWABLE, b"<init>", b"(Ljava/lang/String;)V"], pool).unwrap();
    code.op(Opcode::Athrow).bind(well);
    // What goes is why the body is written anew.
    for _ in 0..9 {
        code.local(Opcode::Iload, 1).op(Opcode::Pop);
    }
    otherwise(&mut code, pool);
    let code = code.finish(2, pool).unwrap();
    let before = code.instructions.len();
    class.add_method(Flags::PUBLIC, b"<init>", b"(I)V", Some(&code)).unwrap();
    let code = rewritten(&class);
    assert!(code.instructions.len() < before);
    code
}

fn text(code: &mut CodeBuilder, pool: &mut ConstantPool<'static>, text: &'static [u8]) {
    let text = pool.add_utf8(text).unwrap();
    code.load(Constant::String(text), pool).unwrap();
}

/// Whether anything is stored in the first slot.
fn overwrites_the_object(code: &Code) -> bool {
    code.instructions
        .iter()
        .any(|instruction| instruction.op != Opcode::Aload0 && instruction.slot() == Some(0))
}

#[test]
fn the_object_keeps_its_slot_on_paths_that_throw() {
    let code = written(|code, pool| {
        code.local(Opcode::Aload, 0);
        code.call(Opcode::Invokespecial, [OBJECT, b"<init>", b"()V"], pool).unwrap().op(Opcode::Return);
    });
    assert!(!overwrites_the_object(&code));
}

#[test]
fn it_keeps_its_slot_where_no_other_constructor_is_ever_called() {
    let code = written(|code, _| {
        code.op(Opcode::AconstNull).op(Opcode::Athrow);
    });
    assert!(!overwrites_the_object(&code));
}
