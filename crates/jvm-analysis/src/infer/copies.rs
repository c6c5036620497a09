//! Clones of earlier rounds in the analysis: variants that exist, and the calls that may yet come to lead to them.
//!
//! A call that leads to a method today may lead to a variant of it tomorrow: its argument is found to be the constant
//! then, or it was copied into another method by inlining. But the body of the variant is rewritten by what is known of the
//! calls that lead to it now. So what is found out about a variant has to hold for the calls of the method, too: it gets
//! their arguments, as far as these may be what the variant is for, and what it gives matters if what the method gives
//! does. A variant of a variant that went counts as one of the method of that: the one between may be made again, of what
//! the method is now, and its calls lead to the one that is there.

use planish_classfile::Flags;
use planish_domain::RefFact;
use planish_jvm_model::program::Method;

use crate::infer::fact::{Fact, descr};
use crate::infer::state::Analysis;
use crate::variant::Part;

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
