//! Variants that do not do any more what their methods do.
//!
//! A call of a method may come to lead to a variant that an earlier round made. As long as both run, what is found out about
//! the variant holds for the calls of its method, too ([`infer`](crate::program::infer)). But a variant that overrides
//! another one, or is overridden, stays without a body where only that of another class runs, while calls of `super` still
//! run its method. No call may come to lead to such a variant.

use planish_classfile::Flags;

use crate::program::reach::Reach;
use crate::program::specialize::Made;

impl Made {
    /// Looks for those that are lost, before anything is concluded from the program. O(variants).
    pub fn find_lost(&mut self, reach: &Reach<'_, '_>) {
        let program = reach.program;
        let mut lost = Vec::new();
        for (full_name, variant) in self.all() {
            let Some(class) = program.class_named(&variant.class) else { continue };
            let declared = |text: &[u8]| program.declared_method(class, program.selector(text)?);
            let of = [&variant.of[..], &variant.of_descriptor].concat();
            if let (Some(copy), Some(of)) = (declared(&full_name[variant.class.len() + 1..]), declared(&of)) {
                let has_body = !program.methods[copy].flags.has(Flags::ABSTRACT);
                if has_body && reach.is_live(of) && !reach.is_live(copy) && reach.is_declared(copy) {
                    lost.push(full_name.into());
                }
            }
        }
        self.lost = lost.into_iter().collect();
    }
}
