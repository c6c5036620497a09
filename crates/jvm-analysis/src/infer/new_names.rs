//! Names of clones that neither override nor are overridden where they are inherited.
//!
//! Variants of two methods of one name may get one name and one descriptor, when they differ in the parameters that went:
//! of `f(int, long)` and `f(int, int)` both leave `f__k_x(int)`. In classes of which one extends the other, the one would
//! override the other. So would a method of the program that has such a name already. Only the first one gets the name then.

use hashbrown::HashMap;
use planish_classfile::Flags;
use planish_jvm_model::program::{Class, Method, Program};
use rustc_hash::FxBuildHasher;

use crate::variant::Variant;
use crate::wanted::Made;

/// The names that variants get in a round.
pub(super) struct NewNames<'n, 'p, 'a> {
    program: &'p Program<'a>,
    made: &'n Made,
    /// By name and descriptor: who has a variant of that, each method once.
    wanted: HashMap<Box<[u8]>, Vec<(Class, Variant)>, FxBuildHasher>,
    known: HashMap<Variant, bool, FxBuildHasher>,
}

impl<'n, 'p, 'a> NewNames<'n, 'p, 'a> {
    /// Nobody wants a name but the variants that are there.
    pub fn new(program: &'p Program<'a>, made: &'n Made) -> Self {
        NewNames { program, made, wanted: HashMap::default(), known: HashMap::default() }
    }

    /// Whether the names of these variants, all of which are wanted or none, mean nothing else; then they are theirs.
    pub fn admit(&mut self, variants: &[Variant]) -> bool {
        let class_of = |variant: &Variant| self.program.class_named(&variant.class);
        let classes: Option<Vec<Class>> = variants.iter().map(class_of).collect();
        let Some(classes) = classes else { return false };
        let is_new = |(variant, class): (&Variant, &Class)| match self.known.get(variant) {
            Some(known) => *known,
            None => self.is_new(variant, *class),
        };
        let are_new = variants.iter().zip(&classes).all(is_new);
        for (variant, class) in variants.iter().zip(classes) {
            if self.known.insert(variant.clone(), are_new).is_none() && are_new {
                let text = [variant.name(), variant.descriptor()].concat();
                self.wanted.entry(text.into()).or_default().push((class, variant.clone()));
            }
        }
        are_new
    }

    fn is_new(&self, variant: &Variant, class: Class) -> bool {
        // Constructors are not inherited, and their class sees to it that each has parameters of its own.
        if *variant.of == *b"<init>" {
            return true;
        }
        let program = self.program;
        let text = [variant.name(), variant.descriptor()].concat();
        let clashes = |other: Class, of: Option<&Variant>| {
            !of.is_some_and(|of| of.is_like(variant)) && self.meet(class, other)
        };
        let wanted = self.wanted.get(&text[..]).map_or(&[][..], Vec::as_slice);
        if wanted.iter().any(|(other, of)| clashes(*other, Some(of))) {
            return false;
        }
        let Some(selector) = program.selector(&text) else { return true };
        let original = program.selector(&[&variant.of[..], &variant.of_descriptor].concat());
        let is_private = |method: Option<Method>| {
            method.is_some_and(|method| program.methods[method].flags.has(Flags::PRIVATE))
        };
        // Where the method is inherited, a private one must not be in its way.
        let is_inherited =
            !is_private(original.and_then(|original| program.declared_method(class, original)));
        let hides = |other: Class| {
            other != class && is_inherited && is_private(program.declared_method(other, selector))
        };
        let has_it = |&other: &Class| program.declared_method(other, selector).is_some();
        let mut others = program.classes.ids().filter(has_it);
        !others.any(|other| {
            let of = self.made.variant(program.name(other), &text);
            clashes(other, of.filter(|_| !hides(other)))
        })
    }

    /// Whether some class is, extends or implements both.
    fn meet(&self, one: Class, other: Class) -> bool {
        let program = self.program;
        let id = program.classes[other].id;
        let below = program.subtypes(program.classes[one].id);
        below.iter().any(|&class| program.classes[class].supertypes.contains(&id))
    }
}
