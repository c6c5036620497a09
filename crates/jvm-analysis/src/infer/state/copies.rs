//! Copies of methods that earlier rounds made, and what they are copies of.

use std::rc::Rc;

use hashbrown::HashMap;
use planish_jvm_model::program::{Method, Program};
use rustc_hash::FxBuildHasher;

use crate::variant::{Part, Variant};
use crate::wanted::Made;

/// The variants of a method that are there.
pub(in crate::infer) type Copied = Rc<[(Method, Variant)]>;

/// Those of all methods.
#[derive(Default)]
pub(in crate::infer) struct Copies(pub(in crate::infer) HashMap<Method, Copied, FxBuildHasher>);

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
pub(in crate::infer) fn through(between: &Variant, variant: &Variant) -> Variant {
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

#[cfg(test)]
mod tests {
    use super::through;
    use crate::variant::{Part, Variant};
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
