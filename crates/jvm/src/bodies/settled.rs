//! Attempt cache: bodies that one round could not improve are not tried again in the next.
//!
//! What becomes of a body depends on its bytes, on what its constants mean, and on what is known of the program at
//! each of these: the facts of the method, bodies that stand in the place of its calls, variants that they lead to,
//! fields that nothing reads. All of that is hashed into one number, the *imprint*. If an attempt did not make a body
//! better, and the imprint is the same in a later round, another attempt would end in the same way.
//!
//! What is known of calls matters to attempts that put something in their place. One at the body alone is not made again
//! where only that changed: it has an imprint of its own.
//!
//! A few attempts fail only for what else the class has: a constant that is there already costs nothing. Those are
//! valid while the constants of the class are the same.
//!
//! Two imprints that are equal by accident leave a body as it was, which is never wrong.

use hashbrown::HashMap;
use planish_classfile::{Code, Opcode};
use rustc_hash::FxBuildHasher;

use crate::transform::inline::portable::constant_of;

/// A body that did not get better.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SettledBody {
    /// Of everything that was tried.
    pub(super) whole: Outcome,
    /// Of the attempt at the body alone.
    pub(super) alone: Outcome,
    /// Its instructions.
    pub instructions: u64,
    /// Its bytes of code.
    pub bytes: u64,
}

impl SettledBody {
    /// What is known, as numbers to be kept.
    pub fn to_words(self) -> [u64; 8] {
        let [whole, alone] = [self.whole, self.alone].map(|Outcome { imprint, constants }| {
            [imprint, u64::from(constants.is_some()), constants.unwrap_or_default()]
        });
        let ([a, b, c], [d, e, f]) = (whole, alone);
        [a, b, c, d, e, f, self.instructions, self.bytes]
    }

    /// What such numbers say.
    pub fn from_words([a, b, c, d, e, f, instructions, bytes]: [u64; 8]) -> Self {
        let outcome = |imprint, has_constants, constants| Outcome {
            imprint,
            constants: (has_constants != 0).then_some(constants),
        };
        SettledBody { whole: outcome(a, b, c), alone: outcome(d, e, f), instructions, bytes }
    }
}

/// When an attempt would end as it did.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Outcome {
    pub(super) imprint: u64,
    /// The constants of the class, if the outcome depends on what else is among them.
    pub(super) constants: Option<u64>,
}

/// The bodies of a program that did not get better when they were tried last, by class, name and descriptor.
#[derive(Clone, Default, Debug)]
pub struct Settled(pub(super) HashMap<Box<[u8]>, SettledBody, FxBuildHasher>);

impl Settled {
    /// Remembers bodies; a later one of a method takes the place of an earlier one.
    pub fn extend(&mut self, bodies: impl IntoIterator<Item = (Box<[u8]>, SettledBody)>) {
        self.0.extend(bodies);
    }

    /// Whether the body of a method, by class, name and descriptor, did not get better when it was tried last.
    pub fn has(&self, method: &[u8]) -> bool {
        self.0.contains_key(method)
    }

    /// What is known of the body of a method.
    pub(super) fn of(&self, method: &[u8]) -> Option<&SettledBody> {
        self.0.get(method)
    }

    /// The number of bodies.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nothing is known yet.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// How far it holds that a body does not get better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Holds {
    /// As long as its imprint is the same.
    Everywhere,
    /// As long as the constants of the class are the same, too.
    Here,
}

impl Outcome {
    /// That of an attempt; nothing if it holds only beside constants that bodies before this one added.
    pub(super) fn of(imprint: u64, holds: Holds, constants: Option<u64>) -> Option<Outcome> {
        let constants = match holds {
            Holds::Everywhere => None,
            Holds::Here => Some(constants?),
        };
        Some(Outcome { imprint, constants })
    }

    /// Whether an attempt with this imprint, beside these constants, would end so.
    pub(super) fn is_that_of(self, imprint: u64, constants: Option<u64>) -> bool {
        self.imprint == imprint && (self.constants.is_none() || self.constants == constants)
    }
}

/// Whether two bodies load the same constants: then the one is as much longer than the other as long as none of these
/// gets a number of another size.
pub(crate) fn loads_the_same(one: &Code, other: &Code) -> bool {
    let loads = |code: &Code| {
        let is_load = |op| matches!(op, Opcode::Ldc | Opcode::LdcW);
        let insns = code.instructions.iter().filter(|insn| is_load(insn.op));
        let mut loads: Vec<u16> = insns.filter_map(constant_of).collect();
        loads.sort_unstable();
        loads
    };
    loads(one) == loads(other)
}
