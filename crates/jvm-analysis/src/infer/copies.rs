//! Clones of earlier rounds in the analysis: variants that exist, and the calls that may yet come to lead to them.
//!
//! A call that leads to a method today may lead to a variant of it tomorrow: its argument is found to be the constant
//! then, or it was copied into another method by inlining. But the body of the variant is rewritten by what is known of the
//! calls that lead to it now. So what is found out about a variant has to hold for the calls of the method, too: it gets
//! their arguments, as far as these may be what the variant is for, and what it gives matters if what the method gives
//! does. A variant of a variant that went counts as one of the method of that: the one between may be made again, of what
//! the method is now, and its calls lead to the one that is there.

use std::rc::Rc;

use hashbrown::HashMap;
use planish_classfile::Flags;
use planish_domain::RefFact;
use rustc_hash::FxBuildHasher;

use crate::infer::Analysis;
use crate::infer::fact::{Fact, descr};
use crate::variant::{Part, Variant};
use crate::wanted::Made;
use planish_jvm_model::program::{Method, Program};

/// The variants of a method that are there.
pub(super) type Copied = Rc<[(Method, Variant)]>;

/// Those of all methods.
#[derive(Default)]
pub(super) struct Copies(HashMap<Method, Copied, FxBuildHasher>);

impl Copies {
    /// Those of a program, of what was made for it. O(variants).
    pub fn of(program: &Program<'_>, made: &Made) -> Self {
        let mut copies: HashMap<Method, Vec<(Method, Variant)>, FxBuildHasher> = HashMap::default();
        for (full_name, variant) in made.all() {
            let Some(class) = program.class_named(&variant.class) else { continue };
            let declared = |text: &[u8]| program.declared_method(class, program.selector(text)?);
            let Some(copy) = declared(&full_name[variant.class.len() + 1..]) else { continue };
            let mut variant = variant.clone();
            loop {
                let of = [&variant.of[..], &variant.of_descriptor].concat();
                if let Some(of) = declared(&of) {
                    copies.entry(of).or_default().push((copy, variant));
                    break;
                }
                match made.variant(&variant.class, &of) {
                    Some(between) => variant = through(between, &variant),
                    None => break,
                }
            }
        }
        let sorted = |(of, mut list): (Method, Vec<(Method, Variant)>)| {
            list.sort_unstable_by_key(|(copy, _)| *copy);
            (of, list.into())
        };
        Copies(copies.into_iter().map(sorted).collect())
    }

    /// Those of one method.
    pub fn of_method(&self, method: Method) -> Option<Copied> {
        self.0.get(&method).cloned()
    }

    /// Shows the variants of a method, and those of these.
    pub fn each(&self, method: Method, see: &mut impl FnMut(Method)) {
        for (copy, _) in self.0.get(&method).into_iter().flat_map(|list| list.iter()) {
            see(*copy);
            self.each(*copy, see);
        }
    }
}

/// What a variant of a variant is, as one of the method of that.
fn through(between: &Variant, variant: &Variant) -> Variant {
    let mut left = variant.parts.iter();
    let parts = between.parts.iter().map(|part| match part {
        Part::Drop | Part::Is(_) => part.clone(),
        Part::Keep => left.next().cloned().unwrap_or(Part::Keep),
        Part::Of(_) => match left.next() {
            Some(Part::Keep) | None => part.clone(),
            Some(other) => other.clone(),
        },
    });
    Variant {
        class: between.class.clone(),
        of: between.of.clone(),
        of_descriptor: between.of_descriptor.clone(),
        drops_receiver: between.drops_receiver || variant.drops_receiver,
        parts: parts.collect(),
        drops_result: between.drops_result || variant.drops_result,
    }
}

impl Analysis<'_, '_, '_> {
    /// A method is called with these arguments, and so may its variants be some day.
    pub(super) fn teach_variants(&mut self, method: Method, facts: impl Iterator<Item = Fact> + Clone) {
        let Some(copied) = self.copies.of_method(method) else { return };
        let is_static = self.program.methods[method].flags.has(Flags::STATIC);
        for (copy, variant) in copied.iter() {
            let mut facts = facts.clone();
            let receiver = if is_static { None } else { facts.next() };
            let mut taught: Vec<Fact> = receiver.filter(|_| !variant.drops_receiver).into_iter().collect();
            let fits = facts.zip(&variant.parts).all(|(fact, part)| match part {
                Part::Keep => {
                    taught.push(fact);
                    true
                }
                Part::Drop => true,
                Part::Is(constant) => fact.constant().is_none_or(|known| known == *constant),
                Part::Of(class) => match (fact, self.program.hierarchy.lookup(class)) {
                    (Fact::Ref(known), Some(class)) => {
                        let met = known.meet(RefFact::at_most(descr(class)).or_null(), &self.classes);
                        taught.push(Fact::Ref(met));
                        !met.is_bottom()
                    }
                    _ => {
                        taught.push(fact);
                        true
                    }
                },
            });
            if fits {
                self.call_with(*copy, None, &taught);
                self.teach_variants(*copy, taught.iter().copied());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Part, Variant, through};
    use planish_ir::Const;
    use planish_ops::Int;

    fn variant(of: &[u8], descriptor: &[u8], parts: Vec<Part>) -> Variant {
        let (class, of, of_descriptor) = (b"A"[..].into(), of.into(), descriptor.into());
        Variant { class, of, of_descriptor, drops_receiver: false, parts, drops_result: false }
    }

    #[test]
    fn a_variant_of_a_variant_is_one_of_its_method() {
        let three = Part::Is(Const::Int(Int::new(32, 3)));
        let between =
            variant(b"f", b"(IJLA;I)V", vec![Part::Drop, Part::Keep, Part::Of(b"B"[..].into()), Part::Keep]);
        let last = variant(b"f__x_k_B_k", b"(JLB;I)V", vec![Part::Keep, Part::Keep, three.clone()]);
        let both = through(&between, &last);
        assert_eq!(both.parts, [Part::Drop, Part::Keep, Part::Of(b"B"[..].into()), three]);
        assert_eq!((&both.of[..], &both.of_descriptor[..]), (&b"f"[..], &b"(IJLA;I)V"[..]));
    }
}
