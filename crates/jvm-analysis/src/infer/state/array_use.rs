//! Models of JDK methods for arrays: those that neither keep an array nor write what nobody knows.
//!
//! Only static methods and those of final classes count, and only what the specification says of them. Where a method
//! hands the items of an array to methods of a program, as `equals` and `compareTo` are called, arrays among the items
//! get to wherever that leads.

use planish_classfile::{MemberRef, Opcode};

use crate::infer::state::arrays::Items;

/// What a method does with the arrays that it gets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::infer) enum ArrayUse {
    /// Anything.
    Unknown,
    /// It reads them, or moves items within one of primitive types.
    Reads,
    /// The same, and shows the items to anybody.
    ShowsItems,
    /// It writes its last argument into the first.
    Fills(Items),
    /// It copies items of the first argument into the third.
    Copies,
    /// It gives the first argument, or an array with the same items.
    Gives,
    /// It gives an array with items of the first, and may add zeros or nulls.
    Pads(Items),
}

impl ArrayUse {
    /// What a method outside of the program does.
    pub fn of(op: Opcode, member: &MemberRef<'_>) -> ArrayUse {
        let MemberRef { class, name, descriptor, .. } = *member;
        if class.first() == Some(&b'[') {
            return if name == b"clone" { ArrayUse::Gives } else { ArrayUse::Unknown };
        }
        match (op, class, name) {
            (Opcode::Invokestatic, b"java/util/Arrays", _) => of_arrays(name, descriptor),
            (Opcode::Invokestatic, b"java/lang/System", b"arraycopy") => ArrayUse::Copies,
            (Opcode::Invokestatic, b"java/lang/System", b"identityHashCode") => ArrayUse::Reads,
            (Opcode::Invokestatic, b"java/util/Objects", b"requireNonNull") => ArrayUse::Gives,
            (Opcode::Invokestatic, b"java/util/Objects", b"hash") => ArrayUse::ShowsItems,
            (Opcode::Invokestatic, b"java/lang/String", b"valueOf" | b"copyValueOf") => ArrayUse::Reads,
            (Opcode::Invokestatic, b"java/lang/String", b"format" | b"join") => ArrayUse::ShowsItems,
            (Opcode::Invokespecial, b"java/lang/String", b"<init>") => match descriptor {
                // A set of characters that reads bytes may be one of the program.
                b"([C)V" | b"([CII)V" => ArrayUse::Reads,
                _ => ArrayUse::Unknown,
            },
            (Opcode::Invokevirtual, b"java/lang/String", b"equals") => ArrayUse::Reads,
            (
                Opcode::Invokevirtual,
                b"java/lang/StringBuilder" | b"java/lang/StringBuffer",
                b"append" | b"insert",
            ) => ArrayUse::Reads,
            (Opcode::Invokevirtual, b"java/lang/Class", b"isInstance") => ArrayUse::Reads,
            _ => ArrayUse::Unknown,
        }
    }
}

/// What a method of `Arrays` does.
fn of_arrays(name: &[u8], descriptor: &[u8]) -> ArrayUse {
    let Some(items) = descriptor.strip_prefix(b"([").and_then(|rest| Items::of(*rest.first()?)) else {
        return ArrayUse::Unknown;
    };
    let shows = match items {
        Items::Reference => ArrayUse::ShowsItems,
        _ => ArrayUse::Reads,
    };
    match name {
        b"equals" | b"hashCode" | b"toString" | b"deepEquals" | b"deepHashCode" | b"deepToString"
        | b"sort" | b"binarySearch" => shows,
        b"fill" => ArrayUse::Fills(items),
        // With a class besides, an array of another type is made: that is left to reflection.
        b"copyOf" | b"copyOfRange" if !names_class(descriptor) => ArrayUse::Pads(items),
        _ => ArrayUse::Unknown,
    }
}

fn names_class(descriptor: &[u8]) -> bool {
    let class = b"Ljava/lang/Class;";
    descriptor.windows(class.len()).any(|part| part == class)
}
