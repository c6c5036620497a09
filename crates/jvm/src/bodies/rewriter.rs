//! The state of rewriting the bodies of one class.

use std::collections::BTreeSet;

use planish_classfile::{ClassFile, Code, PoolMark};
use planish_jvm_ir::lower::{Target, Unwritten};
use planish_jvm_ir::naming::Names;
use planish_jvm_model::bootstraps::Bootstraps;
use planish_jvm_model::hierarchy::{ClassId, Hierarchy};
use planish_jvm_model::vtype::TypeContext;

use crate::bodies::imprint::Imprints;
use crate::bodies::known::Known;
use crate::bodies::optimizer::Optimizer;
use crate::bodies::record::Report;
use crate::bodies::settled::Holds;
use crate::transform::inline::origins::ClassOrigins;

/// A class whose bodies are rewritten.
pub(super) struct Rewriter<'r, 'a> {
    pub(super) class: ClassFile<'a>,
    pub(super) names: Names,
    pub(super) context: TypeContext<'r>,
    pub(super) imprints: Imprints,
    pub(super) bootstraps: Bootstraps,
    pub(super) hierarchy: &'r Hierarchy,
    /// Where lines of inlined code are from, if somebody wants to know.
    pub(super) origins: Option<ClassOrigins>,
    pub(super) known: &'r Known,
    pub(super) optimizer: &'r mut dyn Optimizer,
    pub(super) report: &'r mut Report,
    /// Whether short loops are to be written out; behind an attempt, whether any was.
    pub(super) writes_out: bool,
    /// The classes that may be missing and are loaded to verify the class, once somebody asked.
    pub(super) loaded: Option<BTreeSet<ClassId>>,
}

/// A place among what a class has besides bodies.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    pub(super) pool: PoolMark,
    pub(super) bootstraps: usize,
}

/// A body as it is.
pub(super) struct Before<'m> {
    pub(super) target: Target<'m>,
    pub(super) full_name: &'m [u8],
    pub(super) shown: &'m str,
    pub(super) code: Code,
    pub(super) instructions: u64,
    pub(super) bytes: u64,
    /// Bytes of the attribute without tables of variables.
    pub(super) content: u64,
    /// Where the attribute is.
    pub(super) place: usize,
    /// The constant that is its name.
    pub(super) attribute: u16,
    /// Alone it does not get better; how far that holds, if it was tried before.
    pub(super) alone: Option<Holds>,
}

/// What became of a body.
pub(super) enum Fate {
    /// A new one was not better; how far that holds, and how far that the body alone does not get better.
    AsGood(Holds, Holds),
    /// A new one was.
    Improved,
    /// It cannot be read into SSA form or written from it; why.
    Copied(String),
    /// An attempt broke it.
    Pinned,
}

/// Why there is no new body.
pub(super) enum Failure {
    /// It cannot be made.
    Cannot(String),
    /// It has more instructions than the one before, and more than it may have for what goes elsewhere.
    Longer,
    /// It is the one before.
    Same,
    /// What was made is wrong, and the step that made it, if that is known.
    Wrong(Option<&'static str>, String),
}

impl From<Unwritten> for Failure {
    fn from(why: Unwritten) -> Self {
        match why {
            Unwritten::Cannot(why) => Failure::Cannot(why),
            Unwritten::Wrong(why) => Failure::Wrong(None, why),
        }
    }
}
