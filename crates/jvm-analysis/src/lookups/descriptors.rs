//! Reflection sites, nominal descriptors (JEP 334, `java.lang.constant`): the names of classes that a call makes one of.
//!
//! A `ClassDesc` is a name until it is resolved, and most are resolved where nobody sees which. So its classes are taken for
//! loaded where it is made.

use planish_classfile::MemberRef;
use planish_ir::{Inst, Value};

use super::text::{Text, joined};
use super::values::Values;
use crate::reflection::looks::{joins_names, names_classes};

const CLASS: &[u8] = b"java/lang/constant/ClassDesc";

/// Whether a call is given a descriptor.
fn is_described(member: &MemberRef<'_>) -> bool {
    names_classes(member) && !matches!(member.name, b"of" | b"nested" | b"ofInternalName")
}

impl Values<'_, '_> {
    /// The parameter of the method that the name is, if it is one, which a call is given at a place among its arguments.
    pub fn parameter_given(&self, inst: Inst, place: usize) -> Option<usize> {
        let is_whole = self.called(inst).is_none_or(|(_, member)| !joins_names(&member));
        self.parameter(*self.args(inst).get(place).filter(|_| is_whole)?)
    }

    /// The names of the classes that a call is given, whose text stands at a place among its arguments.
    pub fn names_given(&self, inst: Inst, place: usize) -> Vec<Text> {
        self.names_within(inst, place, self.begin())
    }

    fn names_within(&self, inst: Inst, place: usize, depth: u32) -> Vec<Text> {
        let args = self.args(inst);
        let Some((_, member)) = self.called(inst) else { return vec![Text::any()] };
        let texts = |place: usize| match args.get(place) {
            Some(&value) => self.texts_within(value, depth),
            None => vec![Text::any()],
        };
        let with = |mark: &[u8], before: &[Text], after: &[Text]| {
            joined(&joined(before, &[Text(mark.to_vec())]), after)
        };
        match (member.class, member.name, args) {
            (CLASS, b"of", &[_, _]) => with(b".", &texts(0), &texts(1)),
            (CLASS, b"nested", &[outer, _]) => with(b"$", &self.described(outer, depth), &texts(1)),
            // Behind the first name there may be more of them.
            (CLASS, b"nested", &[outer, ..]) => {
                let names = with(b"$", &self.described(outer, depth), &texts(1));
                joined(&names, &[Text::any()])
            }
            _ if is_described(&member) => texts(place).iter().flat_map(Text::classes_described).collect(),
            _ => texts(place),
        }
    }

    /// The names of the classes of which a value is the nominal descriptor.
    pub fn described(&self, descriptor: Value, depth: u32) -> Vec<Text> {
        let unknown = || vec![Text::any()];
        let Some(depth) = self.step(depth) else { return unknown() };
        let Some((inst, ..)) = self.made(descriptor) else { return unknown() };
        let Some((_, member)) = self.called(inst) else { return unknown() };
        match member.class == CLASS && names_classes(&member) {
            true => self.names_within(inst, 0, depth),
            false => unknown(),
        }
    }
}
