//! A program, and what is around it while it is optimized.

use planish_jvm_model::hierarchy::Hierarchy;

use crate::cache::ClassCache;
use crate::inputs::Classpath;
use crate::programs::roots::Roots;

/// A program and what is around it.
#[derive(Clone, Copy)]
pub struct Surroundings<'s> {
    /// Which class extends which.
    pub hierarchy: &'s Hierarchy,
    /// Classes outside.
    pub classpath: &'s Classpath,
    /// Where the program begins.
    pub roots: &'s Roots,
    /// On how many threads bodies are optimized.
    pub threads: usize,
    /// Told what begins.
    pub progress: &'s dyn Fn(&str),
    /// What became of classes in other runs, if that is kept.
    pub cache: Option<&'s ClassCache>,
}

impl<'s> Surroundings<'s> {
    /// One thread, and nobody who is told.
    pub fn quiet(hierarchy: &'s Hierarchy, classpath: &'s Classpath, roots: &'s Roots) -> Self {
        Surroundings { hierarchy, classpath, roots, threads: 1, progress: &|_| {}, cache: None }
    }
}
