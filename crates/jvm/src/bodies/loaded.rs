//! Class loading by the verifier (JVMS 4.10.1): classes that a JVM loads to verify a body.
//!
//! Whether a value may stand where another type is expected a verifier sees by the classes, which it loads for that, the class
//! of the body not being linked before they are there. A program may be made so that this never happens where a library is
//! missing: what needs the library stands in a class of its own, which is used only where the library is found. So a body
//! with another one in the place of a call, or with a call that names a more precise class, must not have a class verified by
//! loading what it did not load before, unless that is surely there: a class of the program, or of the public part of the
//! JDK, and below nothing else.

use std::collections::BTreeSet;

use planish_classfile::{Body, Code, Flags, Kind, Result};
use planish_jvm_ir::lower::Target;
use planish_jvm_ir::lower::tighten::remove_unreachable;
use planish_jvm_model::frames;
use planish_jvm_model::hierarchy::ClassId;
use planish_jvm_model::verify::verify;

use super::rewriter::Rewriter;

impl Rewriter<'_, '_> {
    /// A verifier that is told the types at branch targets loads nothing to find them, as was just done.
    pub(super) fn forget_found_types(&mut self) {
        if self.has_frames() {
            self.context.take_loaded();
        }
    }

    /// Why a new body, which was just verified, must not take the place of the old one, if that is so: verifying it loaded
    /// a class that may be missing, and that the class did not load before.
    pub(super) fn loads_more(&mut self) -> Option<String> {
        let loaded = self.context.take_loaded();
        if loaded.is_empty() {
            return None;
        }
        if self.loaded.is_none() {
            let before = self.loaded_before().unwrap_or_default();
            self.loaded = Some(before);
        }
        let more =
            loaded.iter().find(|class| !self.loaded.as_ref().is_some_and(|old| old.contains(class)))?;
        let name = String::from_utf8_lossy(self.hierarchy.name(*more)).replace('/', ".");
        Some(format!("verifying it would load {name}, which may be missing where the program runs"))
    }

    /// The classes that may be missing and are loaded to verify the class as it is. O(class).
    fn loaded_before(&mut self) -> Result<BTreeSet<ClassId>> {
        let (pool, is_code) = (&self.class.pool, |kind: Option<Kind>| kind == Some(Kind::Code));
        let (class, super_class) =
            (self.class.name()?.to_vec(), self.class.super_name()?.map(<[u8]>::to_vec));
        for method in &self.class.methods {
            let Some(attribute) = method.attributes.iter().find(|a| a.kind(pool).is_ok_and(is_code)) else {
                continue;
            };
            let Some(Body::Code(bytes)) = attribute.decode(pool)? else { continue };
            let mut code = Code::read(&bytes, pool)?;
            let target = Target {
                class: &class,
                super_class: super_class.as_deref(),
                name: pool.utf8(method.name)?,
                descriptor: pool.utf8(method.descriptor)?,
                is_static: method.flags.has(Flags::STATIC),
            };
            let info = target.info(pool);
            // A body that does not verify loads what it comes to.
            if verify(&code, &info, &mut self.context).is_err() && remove_unreachable(&mut code).is_ok() {
                drop(frames::infer(&code, &info, &mut self.context));
            }
        }
        Ok(self.context.take_loaded())
    }
}
