//! Class files in the making: a class, an interface, a method with its frames.

use planish_classfile::{ClassFile, Code, ConstantPool, Flags};
use planish_jvm_model::frames;
use planish_jvm_model::hierarchy::Hierarchy;
use planish_jvm_model::transfer::MethodInfo;
use planish_jvm_model::vtype::TypeContext;

use super::platform::OBJECT;

/// The constants of a class in the making.
pub(super) type Pool = ConstantPool<'static>;

/// A class without members.
pub(super) fn new_class(name: &[u8], above: &[u8]) -> ClassFile<'static> {
    ClassFile::new(52, Flags::PUBLIC | Flags::SUPER, name, Some(above)).expect("a name fits")
}

/// Adds a method with its frames.
pub(super) fn add(
    class: &mut ClassFile<'static>,
    flags: Flags,
    (name, descriptor): (&str, &str),
    mut code: Code,
    hierarchy: &Hierarchy,
) {
    let mut context = TypeContext::new(hierarchy);
    let own = class.name().expect("it has one").to_vec();
    let above = class.super_name().expect("it has one").map(<[u8]>::to_vec);
    let info = MethodInfo {
        class: &own,
        super_class: above.as_deref(),
        name: name.as_bytes(),
        descriptor: descriptor.as_bytes(),
        is_static: flags.has(Flags::STATIC),
        pool: &class.pool,
    };
    let targets = frames::infer(&code, &info, &mut context)
        .unwrap_or_else(|error| panic!("the generator made a body that does not verify: {error:?}"));
    let frames = targets.frames(&context, &mut class.pool).expect("room for classes");
    code.set_frames(frames, &mut class.pool).expect("room for a name");
    class.add_method(flags, name.as_bytes(), descriptor.as_bytes(), Some(&code)).expect("room for a method");
}

/// An interface without methods.
pub(super) fn new_interface(name: &[u8]) -> ClassFile<'static> {
    let flags = Flags::PUBLIC | Flags::INTERFACE | Flags::ABSTRACT;
    ClassFile::new(52, flags, name, Some(OBJECT)).expect("a name fits")
}
