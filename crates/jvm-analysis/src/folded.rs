//! The outcome of identical code folding: which method stays in the place of which.

use std::collections::BTreeMap;

use planish_classfile::redirect::{MemberName, redirect};
use planish_classfile::{ClassFile, Flags, MemberRef};
use planish_jvm_model::program::{Found, Method, Program};

/// The methods that go, each with the one in its place.
#[derive(Default)]
pub struct Identical {
    instead: BTreeMap<Method, Method>,
    /// Private methods that other classes of their package call now.
    widened: Vec<Method>,
}

impl Identical {
    /// A method goes, and another one stays in its place.
    pub fn put(&mut self, goes: Method, stays: Method) {
        self.instead.insert(goes, stays);
    }

    /// What stays in the place of a method that goes.
    pub fn in_place_of(&self, method: Method) -> Option<Method> {
        self.instead.get(&method).copied()
    }

    /// Only those pairs of a method that goes and one that stays are left for which this holds.
    pub fn retain(&mut self, mut keeps: impl FnMut(Method, Method) -> bool) {
        self.instead.retain(|&goes, stays| keeps(goes, *stays));
    }

    /// A private method is called by other classes of its package.
    pub fn widen(&mut self, method: Method) {
        self.widened.push(method);
    }

    /// The methods that go.
    pub fn gone(&self) -> impl Iterator<Item = Method> + '_ {
        self.instead.keys().copied()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.instead.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.instead.is_empty()
    }

    /// What stands in the place of a method that goes stays itself.
    pub fn follow(&mut self) {
        let last = |mut method: Method| {
            while let Some(&next) = self.instead.get(&method) {
                method = next;
            }
            method
        };
        self.instead = self.instead.iter().map(|(&goes, &stays)| (goes, last(stays))).collect();
    }

    /// Whether a method has to be visible in its package, which it was not.
    pub fn is_widened(&self, method: Method) -> bool {
        self.widened.contains(&method)
    }

    /// Makes the calls of a class lead to what stayed. Gives whether one of them led elsewhere.
    pub fn redirect_calls(
        &self,
        program: &Program<'_>,
        file: &mut ClassFile<'_>,
    ) -> planish_classfile::Result<bool> {
        if self.is_empty() {
            return Ok(false);
        }
        let mut instead = |member: &MemberRef<'_>| self.instead_of(program, member);
        redirect(file, &mut instead)
    }

    /// What is named in the place of a method.
    fn instead_of(&self, program: &Program<'_>, member: &MemberRef<'_>) -> Option<MemberName> {
        let method = resolved(program, member)?;
        let stays = &program.methods[*self.instead.get(&method)?];
        let own = &program.methods[method];
        // What is inherited is found by the same name.
        if stays.selector == own.selector && stays.class != own.class && !own.flags.has(Flags::STATIC) {
            return None;
        }
        let class = if stays.class == own.class { member.class } else { program.name(stays.class) };
        let (name, descriptor) = (program.member_name(stays.selector), program.descriptor(stays.selector));
        Some([class, name, descriptor].map(Box::from))
    }
}

/// The method of the program that a reference leads to.
pub fn resolved(program: &Program<'_>, member: &MemberRef<'_>) -> Option<Method> {
    if member.class.first() == Some(&b'[') {
        return None;
    }
    let id = program.hierarchy.lookup(member.class)?;
    let selector = program.selector(&[member.name, member.descriptor].concat())?;
    match program.resolve_method(id, selector) {
        Found::Program(method) => Some(method),
        _ => None,
    }
}
