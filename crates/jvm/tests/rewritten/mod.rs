//! A method after it was read and written.

use planish_classfile::{Body, ClassFile, Code, Flags, Kind};
use planish_ir::Function;
use planish_jvm::bodies::known::Known;
use planish_jvm::bodies::{Optimizer, Plain, Report, rewrite_class};
use planish_jvm_model::hierarchy::{Hierarchy, Origin};
use planish_ops::world::World;

pub const OBJECT: &[u8] = b"java/lang/Object";

/// The body of the first method of a class after it was read and written. Panics if it could not be.
pub fn rewritten(class: &ClassFile<'_>) -> Code {
    rewritten_by(class, &mut Plain::new(|_: &mut Function, _: &dyn World| {}))
}

/// The same with an optimizer in between.
pub fn rewritten_by(class: &ClassFile<'_>, optimizer: &mut dyn Optimizer) -> Code {
    let mut hierarchy = Hierarchy::new();
    for (name, extends) in [(OBJECT, None), (b"java/lang/Throwable", Some(OBJECT))] {
        let file = ClassFile::new(52, Flags::PUBLIC, name, extends).unwrap().to_bytes().unwrap();
        hierarchy.add(&file, Origin::Platform).unwrap();
    }
    let file = class.to_bytes().unwrap();
    hierarchy.add(&file, Origin::Program).unwrap();
    let mut report = Report::default();
    let changed = rewrite_class(&file, &hierarchy, &Known::default(), optimizer, &mut report).unwrap();
    assert!(report.refused.is_empty(), "{:?}", report.refused);
    assert!(report.broken.is_empty(), "{:?}", report.broken);
    let changed = changed.unwrap_or(file);
    let class = ClassFile::read(&changed).unwrap();
    let attribute = class.methods[0].attribute(&class.pool, Kind::Code).unwrap();
    let Ok(Some(Body::Code(bytes))) = attribute.decode(&class.pool) else { panic!("there is a body") };
    Code::read(&bytes, &class.pool).unwrap()
}
