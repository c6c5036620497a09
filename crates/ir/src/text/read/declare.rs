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
        Declared::Table { ty, items, span } => match table(*ty, items, *span, diagnostics) {
            Some(items) => Descriptor::Table(Arc::new(items)),
            None => return,
        },
        Declared::Location { ty, words } => {
            if ty.lane().is_some() {
                let message = format!("a location holds no vector: found the type {ty}");
                let note = "`vload` and `vstore` access as many items as a vector has lanes";
                diagnostics.push(Diagnostic::error(name.span, message).note(note));
                return;
            }
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

/// A constant table of literals; nothing where no table can have such a type.
///
/// What is wrong with its items is said once: the table is declared all the same, with 0 in the place of an item that is none,
/// so that each `lookup` in it is not an error of its own.
fn table(
    ty: Type,
    literals: &[syntax::Operand<'_>],
    span: Span,
    diagnostics: &mut Diagnostics,
) -> Option<Items> {
    if !matches!(ty, Type::Int(_) | Type::Float(_)) {
        diagnostics.error(span, format!("a table has integers or floats, not {ty}"));
        return None;
    }
    if literals.is_empty() || literals.len() > Items::MOST {
        diagnostics.error(span, format!("a table has from 1 to {} items", Items::MOST));
        return Items::new(ty, [0].into());
    }
    let item = |literal: &syntax::Operand<'_>| match literal.ty.filter(|&other| other != ty) {
        Some(other) => Err(format!("this item is of type {other}, the table of {ty}")),
        None => match number(&literal.kind, ty)? {
            Const::Int(int) => Ok(int.unsigned()),
            Const::Real(Number(real)) => Ok(real.to_bits()),
            _ => Err("expected a number".to_owned()),
        },
    };
    let words = literals.iter().map(|literal| {
        item(literal).unwrap_or_else(|message| {
            diagnostics.error(literal.span, message);
            0
        })
    });
    Items::new(ty, words.collect())
}
