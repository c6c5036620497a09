//! Declarations of descriptors: classes, locations, callees.

use planish_base::Diagnostics;
use planish_ops::world::{self, CallEffect, Made, Mutability};

use crate::module::{Descriptor, Module};
use crate::text::syntax::{self, Declared};

/// Adds what a declaration says to the module.
pub(super) fn declare(
    module: &mut Module,
    declaration: &syntax::Declaration<'_>,
    diagnostics: &mut Diagnostics,
) {
    let name = declaration.name;
    if module.descriptors.lookup(name.text).is_some() {
        diagnostics.error(name.span, format!("descriptor `{}` is declared twice", name.text));
        return;
    }
    let data = match &declaration.what {
        Declared::Class => Descriptor::Class,
        Declared::Other => Descriptor::Other,
        Declared::Location { ty, words } => {
            let mut location = world::Location {
                ty: *ty,
                stored_bits: None,
                signed: false,
                mutability: Mutability::Mutable,
                alias_class: 0,
                raw: false,
            };
            for (word, number) in words {
                match (word.text, number) {
                    ("signed", _) => location.signed = true,
                    ("immutable", _) => location.mutability = Mutability::Immutable,
                    ("quasi", _) => location.mutability = Mutability::QuasiImmutable,
                    ("raw", _) => location.raw = true,
                    ("bits", Some(bits @ 1..=64)) => location.stored_bits = Some(*bits as u8),
                    ("class", Some(class)) => location.alias_class = *class as u32,
                    _ => diagnostics.error(word.span, "a location has 1 to 64 bits"),
                }
            }
            Descriptor::Location(location)
        }
        Declared::Callee { words, result, reads, writes } => {
            let has = |word: &str| words.iter().any(|w| w.text == word);
            let sorted = |set: &Option<Vec<u32>>| {
                set.clone().map(|mut set| {
                    set.sort_unstable();
                    set
                })
            };
            let made = match (has("unless_zero"), has("if_zero")) {
                (true, _) => Made::UnlessZero,
                (false, true) => Made::IfZero,
                (false, false) => Made::Always,
            };
            Descriptor::Callee(CallEffect {
                made,
                elidable: has("elidable"),
                loop_invariant: has("invariant"),
                raises: has("raises"),
                raises_lack_of_memory: false,
                result: *result,
                forces_virtuals: has("forces"),
                invalidates: has("invalidates"),
                reads: sorted(reads),
                writes: sorted(writes),
            })
        }
    };
    module.descriptors.intern(name.text, || data);
}

/// What a descriptor is that no call can name.
pub(super) fn not_callable(descriptor: &Descriptor) -> Option<&'static str> {
    match descriptor {
        Descriptor::Class => Some("a class"),
        Descriptor::Location(_) => Some("a location"),
        _ => None,
    }
}
