//! Sets of exceptions that an instruction, a block or a method may throw.

use hashbrown::HashMap;
use planish_domain::Class as Bound;
use planish_ir::Value;
use planish_jvm_model::hierarchy::{ClassId, Hierarchy};
use planish_jvm_model::program::Program;
use planish_ops::world::Descr;
use rustc_hash::FxBuildHasher;

use crate::dispatch::Dispatch;
use crate::infer::fact::{Fact, class as class_of, descr};

/// A set of exceptions.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(in crate::infer) struct Thrown(pub(in crate::infer) u128);

impl Thrown {
    /// Any exception.
    pub const ANY: Thrown = Thrown(1);
    /// Any exception whose class is not one of the program.
    pub const FOREIGN: Thrown = Thrown(2);

    /// Those of both.
    pub const fn and(self, other: Thrown) -> Thrown {
        Thrown(self.0 | other.0)
    }

    /// Those that are in both.
    pub(in crate::infer) const fn common(self, other: Thrown) -> Thrown {
        Thrown(self.0 & other.0)
    }

    /// Those that are not in the other one.
    pub(in crate::infer) const fn without(self, other: Thrown) -> Thrown {
        Thrown(self.0 & !other.0)
    }

    /// Whether there is none.
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Adds others. `true` if they were not all there.
    pub fn grow(&mut self, other: Thrown) -> bool {
        let before = std::mem::replace(self, self.and(other));
        *self != before
    }
}

/// How many bits of a set mean something else than a class.
pub(in crate::infer) const FIXED: usize = 2;

/// What a handler does to a set.
#[derive(Clone, Copy, Default)]
pub(in crate::infer) struct Takes {
    /// What it may take.
    pub(in crate::infer) may: Thrown,
    /// What it takes for sure.
    pub(in crate::infer) surely: Thrown,
    /// How many bits were looked at.
    pub(in crate::infer) known: usize,
}

/// The bits of sets.
pub(in crate::infer) struct Exceptions {
    /// By bit, from [`FIXED`] on, the class.
    pub(in crate::infer) bounds: Vec<Bound>,
    pub(in crate::infer) bits: HashMap<Bound, usize, FxBuildHasher>,
    /// By class of a handler.
    pub(in crate::infer) takes: HashMap<Option<ClassId>, Takes, FxBuildHasher>,
    /// What instructions throw.
    pub(in crate::infer) by_jvm: ByJvm,
}

/// The exceptions of the JVM itself.
#[derive(Clone, Copy, Default)]
pub(in crate::infer) struct ByJvm {
    pub(in crate::infer) arithmetic: Thrown,
    pub(in crate::infer) null: Thrown,
    pub(in crate::infer) bounds: Thrown,
    pub(in crate::infer) length: Thrown,
    pub(in crate::infer) store: Thrown,
    pub(in crate::infer) cast: Thrown,
    /// Whatever is no exception but an error.
    pub(in crate::infer) error: Thrown,
}

impl Exceptions {
    /// Nothing was thrown so far.
    pub fn new(hierarchy: &Hierarchy) -> Self {
        let mut exceptions = Exceptions {
            bounds: Vec::new(),
            bits: HashMap::default(),
            takes: HashMap::default(),
            by_jvm: ByJvm::default(),
        };
        // Without a JDK nobody knows what is above them.
        let mut named = |name: &[u8], bound: fn(Descr) -> Bound| match hierarchy.lookup(name) {
            Some(class) => exceptions.of_class(bound(descr(class))),
            None => Thrown::FOREIGN,
        };
        exceptions.by_jvm = ByJvm {
            arithmetic: named(b"java/lang/ArithmeticException", Bound::Exactly),
            null: named(b"java/lang/NullPointerException", Bound::Exactly),
            bounds: named(b"java/lang/ArrayIndexOutOfBoundsException", Bound::Exactly),
            length: named(b"java/lang/NegativeArraySizeException", Bound::Exactly),
            store: named(b"java/lang/ArrayStoreException", Bound::Exactly),
            cast: named(b"java/lang/ClassCastException", Bound::Exactly),
            error: named(b"java/lang/Error", Bound::AtMost),
        };
        exceptions
    }

    /// The objects of a class, or of one and what is below.
    pub(in crate::infer) fn of_class(&mut self, bound: Bound) -> Thrown {
        let next = self.bounds.len();
        let bit = *self.bits.entry(bound).or_insert(next);
        if bit == next {
            if next + FIXED >= 128 {
                self.bits.remove(&bound);
                return Thrown::ANY;
            }
            self.bounds.push(bound);
        }
        Thrown(1 << (bit + FIXED))
    }

    /// What `throw` of a reference throws.
    pub(in crate::infer) fn of_fact(&mut self, fact: Fact) -> Thrown {
        let Fact::Ref(known) = fact else { return Thrown::ANY };
        let object = match known.object() {
            None => Thrown::default(),
            Some(Bound::Any) => Thrown::ANY,
            Some(bound) => self.of_class(bound),
        };
        if known.may_be_null() { object.and(self.by_jvm.null) } else { object }
    }

    /// What a handler for a class may take, and what it surely takes.
    pub(in crate::infer) fn takes(
        &mut self,
        class: Option<ClassId>,
        program: &Program<'_>,
        dispatch: &Dispatch<'_, '_, '_>,
    ) -> Takes {
        let hierarchy = program.hierarchy;
        let takes = self.takes.entry(class).or_default();
        let Some(class) = class else {
            return Takes { may: Thrown(u128::MAX), surely: Thrown(u128::MAX), known: 0 };
        };
        if takes.known == 0 {
            // Those that are anything, if there can be one of the class.
            let own = program.class(class);
            let may_be = own.is_none_or(|own| dispatch.may_have_objects(own));
            takes.may = match (may_be, own) {
                (false, _) => Thrown::default(),
                (true, Some(_)) => Thrown::ANY,
                (true, None) => Thrown::ANY.and(Thrown::FOREIGN),
            };
            takes.known = FIXED;
        }
        while let Some(&bound) = self.bounds.get(takes.known - FIXED) {
            let (below, exact) = match bound {
                Bound::Exactly(below) => (class_of(below), true),
                Bound::AtMost(most) => (class_of(most), false),
                Bound::Any => unreachable!("it has no bit"),
            };
            let bit = Thrown(1 << takes.known);
            match hierarchy.is_subtype(below, class) {
                Some(true) => (takes.may, takes.surely) = (takes.may.and(bit), takes.surely.and(bit)),
                None => takes.may = takes.may.and(bit),
                // What implements an interface may be of any class.
                Some(false)
                    if !exact
                        && (hierarchy.is_interface(below) != Some(false)
                            || hierarchy.is_subtype(class, below) != Some(false)) =>
                {
                    takes.may = takes.may.and(bit);
                }
                Some(false) => {}
            }
            takes.known += 1;
        }
        *takes
    }
}

/// Which sets the values are that handlers of a body were given, and blocks to which they handed them on.
pub(in crate::infer) type Caught = HashMap<Value, Thrown, FxBuildHasher>;
