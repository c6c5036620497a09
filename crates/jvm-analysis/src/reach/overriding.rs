//! Transitive overriding (JVMS 5.4.5): methods that never run, and yet decide which of two others does, or whether an
//! interface is initialized.
//!
//! What only a package sees is overridden by its neighbours. A class of another package overrides it only through one of
//! them, whose method everybody may override: overriding is transitive (JVMS 5.4.5). If `p.A.f` is seen by its package,
//! `p.B.f` below it is public, and `q.C.f` is below that, then `q.C.f` overrides `p.A.f` as long as `p.B.f` is there, whether that
//! runs or not. Without it a call of `p.A.f` on a `q.C` would run `p.A.f`.

use planish_classfile::Flags;
use planish_jvm_model::names::package;
use planish_jvm_model::program::{Class, Method, Selector};

use super::{Cause, Reach};

impl Reach<'_, '_> {
    /// Methods through which alone others that are called override what only a package sees must be there.
    /// O(receivers of methods that only a package sees * depth of the hierarchy).
    pub(super) fn stay_overridden(&mut self) {
        let program = self.program;
        for method in program.methods.ids() {
            let info = &program.methods[method];
            let is_seen_near = !info.flags.any(SEEN | Flags::PRIVATE | Flags::STATIC);
            if !is_seen_near || !self.is_declared(method) {
                continue;
            }
            let own = program.classes[info.class].id;
            let receivers = self.receivers.get(&own).map_or(&[][..], Vec::as_slice);
            let links: Vec<Method> =
                receivers.iter().filter_map(|&receiver| self.missing_link(receiver, method)).collect();
            for link in links {
                self.declare(link, Cause::Method(method));
            }
        }
    }

    /// An interface is initialized with the classes that implement it only if it has a method that is neither abstract
    /// nor static. So one that does something then keeps such a method, and its place in what they implement.
    pub(super) fn stay_initialized(&mut self) {
        let program = self.program;
        let Some(initializer) = program.selector(b"<clinit>()V") else { return };
        for class in program.classes.ids() {
            let own = &program.classes[class];
            let is_initialized = own.file.flags.has(Flags::INTERFACE) && self.is_initialized(class);
            if !is_initialized || program.declared_method(class, initializer).is_none() {
                continue;
            }
            let has_body =
                |&&method: &&Method| !program.methods[method].flags.any(Flags::ABSTRACT | Flags::STATIC);
            let Some(&first) = own.methods.iter().find(has_body) else { continue };
            self.mention(class, Cause::Class(class));
            if !own.methods.iter().filter(has_body).any(|&method| self.is_declared(method)) {
                self.declare(first, Cause::Class(class));
            }
        }
    }

    /// A call of a method on objects of a class leads nowhere, and throws. An abstract method that is the reason must be there:
    /// without it, the call would lead to one above.
    pub(super) fn stay_abstract(&mut self, receiver: Class, selector: Selector) {
        let program = self.program;
        let above = program.hierarchy.ancestors(program.classes[receiver].id);
        let mut declared = above
            .map_while(|id| program.class(id))
            .filter_map(|class| program.declared_method(class, selector))
            .filter(|&method| !program.methods[method].flags.any(Flags::STATIC | Flags::PRIVATE));
        if let Some(method) = declared.next()
            && program.methods[method].flags.has(Flags::ABSTRACT)
        {
            self.declare(method, Cause::Class(receiver));
        }
    }

    /// The method through which what an object of a class selects for a method that only a package sees overrides that,
    /// unless one is there.
    fn missing_link(&self, receiver: Class, overridden: Method) -> Option<Method> {
        let program = self.program;
        let info = &program.methods[overridden];
        let home = package(program.name(info.class));
        let between = program.hierarchy.ancestors(program.classes[receiver].id);
        let between = between.map_while(|id| program.class(id)).take_while(|&class| class != info.class);
        let declared = between.filter_map(|class| program.declared_method(class, info.selector));
        let below: Vec<Method> = declared
            .filter(|&method| !program.methods[method].flags.any(Flags::STATIC | Flags::PRIVATE))
            .collect();
        let is_near = |method: Method| package(program.name(program.methods[method].class)) == home;
        let is_link = |method: Method| is_near(method) && program.methods[method].flags.any(SEEN);
        // From below to above, up to the first that overrides it.
        let links_above = |place: usize| below[place + 1..].iter().copied().filter(|&link| is_link(link));
        let selected =
            (0..below.len()).find(|&place| is_near(below[place]) || links_above(place).next().is_some())?;
        if is_near(below[selected])
            || !self.is_declared(below[selected])
            || links_above(selected).any(|link| self.is_declared(link))
        {
            return None;
        }
        // The uppermost one does for all that is below it.
        links_above(selected).next_back()
    }
}

/// Seen from other packages, by what may override it at least.
const SEEN: Flags = Flags(Flags::PUBLIC.0 | Flags::PROTECTED.0);
