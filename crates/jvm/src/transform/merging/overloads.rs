//! Members that nothing but a type tells apart, where two types become one.
//!
//! `f(A)` and `f(B)` are two methods, and one once `A` is a part of `B`. Where a class has both, or one above or below it has
//! the other, neither the calls nor what overrides what would stay the same. So `A` stays, unless no class can have both.

use std::collections::BTreeMap;

use hashbrown::HashMap;
use planish_base::Id;
use planish_classfile::rename::{NewNames, new_descriptor};
use planish_classfile::{ClassFile, Flags, MemberRef};
use planish_jvm_model::program::{Class, Program, Selector, classes_in};
use rustc_hash::FxBuildHasher;

use super::reason::Reason;

/// The new names of classes.
pub(super) struct ClassNames<'n, 'a> {
    pub program: &'n Program<'a>,
    pub into: &'n [Option<Class>],
}

impl NewNames for ClassNames<'_, '_> {
    fn class(&self, name: &[u8]) -> Option<&[u8]> {
        let class = self.program.class(self.program.hierarchy.lookup(name)?)?;
        self.into[class.index()].map(|target| self.program.name(target))
    }

    fn member(&self, _: &MemberRef<'_>) -> Option<&[u8]> {
        None
    }

    fn site(&self, _: &ClassFile<'_>, _: u16, _: &[u8], _: &[u8]) -> Option<&[u8]> {
        None
    }

    fn string(&self, _: &[u8]) -> Option<Vec<u8>> {
        None
    }
}

impl ClassNames<'_, '_> {
    /// A name and a type with new names of classes; nothing if it has none.
    pub fn selector(&self, selector: Selector) -> Option<Vec<u8>> {
        let (text, ty) = (self.program.text(selector), self.program.descriptor(selector));
        Some([&text[..text.len() - ty.len()], &new_descriptor(ty, self)?].concat())
    }
}

/// The classes whose types make members the same that were not. O(members).
pub(super) fn ambiguous(program: &Program<'_>, into: &[Option<Class>]) -> BTreeMap<Class, Reason> {
    let names = ClassNames { program, into };
    let mut wrong = BTreeMap::new();
    // By what a name and a type become, the members that have them, of which one at least has another one now.
    let mut alike: BTreeMap<Vec<u8>, Vec<(Selector, Class)>> = BTreeMap::new();
    let mut changed: HashMap<Selector, Vec<u8>, FxBuildHasher> = HashMap::default();
    let members = || program.methods.values().chain(program.fields.values());
    for info in members() {
        if let Some(new) = names.selector(info.selector) {
            changed.insert(info.selector, new);
        }
    }
    for new in changed.values() {
        alike.insert(new.clone(), Vec::new());
    }
    for info in members() {
        let text = changed.get(&info.selector).map_or(program.text(info.selector), |new| new);
        if let Some(with) = alike.get_mut(text) {
            with.push((info.selector, info.class));
        }
    }
    for (text, with) in &alike {
        let is_constructor = text.starts_with(b"<init>");
        let last = |class: Class| into[class.index()].unwrap_or(class);
        let are_two = |a: &(Selector, Class), b: &(Selector, Class)| {
            let may_meet = || last(a.1) == last(b.1) || may_meet(program, a.1, b.1);
            a.0 != b.0 && (a.1 == b.1 || !is_constructor && may_meet())
        };
        let is_one = with.iter().all(|(selector, _)| *selector == with[0].0);
        if is_one || !with.iter().any(|one| with.iter().any(|other| are_two(one, other))) {
            continue;
        }
        for (selector, _) in with {
            for name in classes_in(program.descriptor(*selector)) {
                if let Some(class) = program.class_named(name).filter(|class| into[class.index()].is_some()) {
                    wrong.insert(class, Reason::Overloads);
                }
            }
        }
    }
    wrong
}

/// Whether an object may have the members of two classes.
fn may_meet(program: &Program<'_>, a: Class, b: Class) -> bool {
    let [first, second] = [a, b].map(|class| &program.classes[class]);
    let is_interface = |class: Class| program.classes[class].file.flags.has(Flags::INTERFACE);
    first.supertypes.contains(&second.id)
        || second.supertypes.contains(&first.id)
        || is_interface(a)
        || is_interface(b)
}
