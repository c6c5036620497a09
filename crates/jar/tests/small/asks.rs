//! A body that says which way a test went, for tests of what is known.

use planish_classfile::Opcode;
use planish_classfile::builder::CodeBuilder;
use planish_classfile::frame::Form;

use crate::small::{Build, Pool};

/// 2 where a test of what `value` pushes fails, else 3.
pub fn asks<'b>(value: Build<'b>, test: Opcode) -> impl Fn(&mut CodeBuilder, &mut Pool) + 'b {
    move |code, pool| {
        let no = code.label();
        value(code, pool);
        code.jump(test, no).op(Opcode::Iconst2).op(Opcode::Ireturn);
        code.bind(no).frame(Form::Same).op(Opcode::Iconst3).op(Opcode::Ireturn);
    }
}
