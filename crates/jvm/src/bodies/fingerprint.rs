//! Fingerprints of what is known: all that decides what becomes of the bodies of a class, hashed.
//!
//! An *imprint* (`imprint.rs`) says of a body that another attempt is of no use, and an error leaves it as it was. Whoever takes
//! what became of a class in another run for what would become of it in this one needs more: everything that
//! [`rewrite_class`](super::rewrite_class) looks at is hashed here but for the class file itself, the [hierarchy](
//! planish_jvm_model::hierarchy::Hierarchy::fingerprint), and what the names of the class [ask](super::asked) of the program.
//! The rest is of two kinds: what is known of the program as a whole, and what the maps of [`Known`] have under the name of
//! the class, of its members, and of what it calls. The hasher has to be one without collisions.

use std::hash::{Hash, Hasher};

use planish_classfile::{ClassFile, Opcode, Result};

use crate::bodies::known::Known;

/// The instructions that call a method by its name.
const CALLS: [Opcode; 4] =
    [Opcode::Invokevirtual, Opcode::Invokespecial, Opcode::Invokestatic, Opcode::Invokeinterface];

impl Known {
    /// Hashes what is known of the program as a whole. Lines of inlined code are not part of it: where
    /// [somebody wants them](Known::origins), classes have to be rewritten.
    pub fn fingerprint(&self, hasher: &mut impl Hasher) {
        let Known {
            constructors,
            enum_switches,
            facts,
            joins_texts,
            frames_vanish,
            keeps_messages,
            makes_loops,
            loops,
            last,
            drops_lines,
            drops_variables,
            drops_initializers,
            // What follows is asked for by names: of members, or of the class.
            pure: _,
            plan: _,
            variants: _,
            pinned: _,
            settled: _,
            origins: _,
        } = self;
        constructors.fingerprint(hasher);
        enum_switches.fingerprint(hasher);
        let mut unread: Vec<&[u8]> = facts.unread.iter().map(|field| &**field).collect();
        unread.sort_unstable();
        unread.hash(hasher);
        [joins_texts, frames_vanish, keeps_messages, makes_loops, loops].hash(hasher);
        [last, drops_lines, drops_variables, drops_initializers].hash(hasher);
    }

    /// Hashes what is known of one class by its name, the names of its members, and of what it calls.
    pub fn fingerprint_of(&self, class: &ClassFile<'_>, hasher: &mut impl Hasher) -> Result<()> {
        let (name, pool) = (class.name()?, &class.pool);
        self.plan.widens_class(name).hash(hasher);
        for member in class.fields.iter().chain(&class.methods) {
            self.plan.widens(name, pool.utf8(member.name)?, pool.utf8(member.descriptor)?).hash(hasher);
        }
        for method in &class.methods {
            let (own, descriptor) = (pool.utf8(method.name)?, pool.utf8(method.descriptor)?);
            let full_name = [name, b".", own, descriptor].concat();
            self.facts.of(name, own, descriptor).hash(hasher);
            self.facts.precise.of(&full_name).hash(hasher);
            self.variants.of(&full_name).hash(hasher);
            (self.plan.singles(&full_name), self.plan.trial(&full_name)).hash(hasher);
            self.pinned.contains(&full_name[..]).hash(hasher);
            self.settled.of(&full_name).hash(hasher);
        }
        for index in pool.indices().filter(|&index| pool.is_member(index)) {
            let member = pool.member(index)?;
            for op in CALLS {
                self.plan.inlinee(name, op, &member).hash(hasher);
            }
        }
        Ok(())
    }
}
