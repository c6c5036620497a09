//! Classes of the JDK that programs name.

use planish_classfile::{ClassFile, Flags};
use planish_jvm_model::hierarchy::{Hierarchy, Origin};

pub(super) const OBJECT: &[u8] = b"java/lang/Object";
pub(super) const BUILDER: &[u8] = b"java/lang/StringBuilder";
pub(super) const RUNTIME: &[u8] = b"java/lang/RuntimeException";
pub(super) const ARITHMETIC: &[u8] = b"java/lang/ArithmeticException";
pub(super) const INTEGER: &[u8] = b"java/lang/Integer";

pub(super) const ENUM: &[u8] = b"java/lang/Enum";

pub(super) const THROWABLE: &[u8] = b"java/lang/Throwable";
pub(super) const EXCEPTION: &[u8] = b"java/lang/Exception";
pub(super) const ERROR: &[u8] = b"java/lang/Error";

/// What handlers may be for, beside the classes of the program.
pub(super) const OF_PLATFORM: [&[u8]; 10] = [
    THROWABLE,
    EXCEPTION,
    ERROR,
    RUNTIME,
    ARITHMETIC,
    b"java/lang/NullPointerException",
    b"java/lang/ArrayIndexOutOfBoundsException",
    b"java/lang/NegativeArraySizeException",
    b"java/lang/ClassCastException",
    b"java/lang/ArrayStoreException",
];

/// Classes of the JDK that programs name, with those above them.
const PLATFORM: [(&[u8], Option<&[u8]>); 17] = [
    (OBJECT, None),
    (b"java/lang/Throwable", Some(OBJECT)),
    (b"java/lang/Exception", Some(b"java/lang/Throwable")),
    (RUNTIME, Some(b"java/lang/Exception")),
    (ARITHMETIC, Some(RUNTIME)),
    (b"java/lang/Error", Some(b"java/lang/Throwable")),
    (b"java/lang/NullPointerException", Some(RUNTIME)),
    (b"java/lang/IndexOutOfBoundsException", Some(RUNTIME)),
    (b"java/lang/ArrayIndexOutOfBoundsException", Some(b"java/lang/IndexOutOfBoundsException")),
    (b"java/lang/NegativeArraySizeException", Some(RUNTIME)),
    (b"java/lang/ClassCastException", Some(RUNTIME)),
    (b"java/lang/ArrayStoreException", Some(RUNTIME)),
    (b"java/lang/String", Some(OBJECT)),
    (BUILDER, Some(OBJECT)),
    (ENUM, Some(OBJECT)),
    (b"java/lang/Number", Some(OBJECT)),
    (INTEGER, Some(b"java/lang/Number")),
];

/// The classes of the JDK that programs name, in a hierarchy of their own.
pub fn platform() -> Hierarchy {
    let mut hierarchy = Hierarchy::new();
    for (name, above) in PLATFORM {
        let file = ClassFile::new(52, Flags::PUBLIC, name, above).and_then(|class| class.to_bytes());
        hierarchy.add(&file.expect("a class without members"), Origin::Platform).expect("it is well-formed");
    }
    hierarchy
}
