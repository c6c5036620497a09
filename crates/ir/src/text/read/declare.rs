//! Declarations of descriptors: classes, locations, callees.

use std::sync::Arc;

use planish_base::{Diagnostic, Diagnostics, Span};
use planish_ops::world::{self, CallEffect, Made, Mutability};
use planish_ops::{Items, Type};

use crate::constant::{Const, Number};
use crate::module::{Descriptor, Module};
use crate::text::read::literal::number;
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
        Declared::Table { ty, items, span } => match table(*ty, items, *span) {
            Ok(items) => Descriptor::Table(Arc::new(items)),
            Err(errors) => {
                errors.into_iter().for_each(|error| diagnostics.push(error));
                return;
            }
        },
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

/// A constant table of literals.
fn table(ty: Type, literals: &[syntax::Operand<'_>], span: Span) -> Result<Items, Vec<Diagnostic>> {
    if !matches!(ty, Type::Int(_) | Type::Float(_)) {
        return Err(vec![Diagnostic::error(span, format!("a table has integers or floats, not {ty}"))]);
    }
    let (mut words, mut errors) = (Vec::with_capacity(literals.len()), Vec::new());
    for literal in literals {
        let number = match literal.ty.filter(|&other| other != ty) {
            Some(other) => Err(format!("this item is of type {other}, the table of {ty}")),
            None => number(&literal.kind, ty),
        };
        match number {
            Ok(Const::Int(int)) => words.push(int.unsigned()),
            Ok(Const::Real(Number(real))) => words.push(real.to_bits()),
            Ok(_) => errors.push(Diagnostic::error(literal.span, "expected a number")),
            Err(message) => errors.push(Diagnostic::error(literal.span, message)),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    Items::new(ty, words.into())
        .ok_or_else(|| vec![Diagnostic::error(span, format!("a table has from 1 to {} items", Items::MOST))])
}
