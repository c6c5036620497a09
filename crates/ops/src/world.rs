//! What a field, array, class or callee is, asked through one trait.
//!
//! A descriptor is a number on an instruction. What it stands for is the business of the dialect: a
//! PyPy trace has `descr=<FieldS list.length 8>`, a class file a constant-pool entry. Passes ask
//! [`World`], so heap forwarding, allocation removal and purity are written once.

use crate::types::Type;

planish_base::define_id!(
    /// A field, array type, class, callee or other thing that an instruction names.
    Descr, "d"
);

/// Whether a location may change after its object was made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mutability {
    /// It may change at any time.
    Mutable,
    /// It does not change unless a guard that says so fails.
    QuasiImmutable,
    /// It never changes once initialised.
    Immutable,
}

/// A location of an object, or an item of an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Location {
    /// The type of the value in an instruction.
    pub ty: Type,
    /// The bits that are stored, at most those of `ty`; `None` when unknown.
    pub stored_bits: Option<u8>,
    /// Whether a load of a narrow location extends its sign.
    pub signed: bool,
    /// Whether it may change.
    pub mutability: Mutability,
    /// Locations of different alias classes are different memory.
    pub alias_class: u32,
    /// Whether the memory is outside the heap of objects and may change behind our back.
    pub raw: bool,
}

/// Whether a call is made at all, which its first argument may tell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Made {
    /// It is.
    #[default]
    Always,
    /// Only where the first argument is not zero; else nothing happens and results mean nothing.
    UnlessZero,
    /// Only where the first argument is zero or null; else nothing happens and that is the result.
    IfZero,
}

/// What a call may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallEffect {
    /// Whether it is made at all.
    pub made: Made,
    /// No visible writes, and equal arguments give equal results.
    pub elidable: bool,
    /// The same result throughout one run of a loop.
    pub loop_invariant: bool,
    /// May leave by raising an exception.
    pub raises: bool,
    /// May look at, and so force, objects that the optimizer keeps virtual.
    pub forces_virtuals: bool,
    /// May make quasi-immutable fields change.
    pub invalidates: bool,
    /// Alias classes that it may read, sorted; `None` is all of them.
    pub reads: Option<Vec<u32>>,
    /// Alias classes that it may write, sorted; `None` is all of them.
    pub writes: Option<Vec<u32>>,
}

impl CallEffect {
    /// The effect of a callee of which nothing is known.
    pub const fn unknown() -> Self {
        CallEffect {
            made: Made::Always,
            elidable: false,
            loop_invariant: false,
            raises: true,
            forces_virtuals: true,
            invalidates: true,
            reads: None,
            writes: None,
        }
    }

    /// The effect of a function that computes from its arguments and does nothing else.
    pub fn pure() -> Self {
        CallEffect {
            made: Made::Always,
            elidable: true,
            loop_invariant: false,
            raises: false,
            forces_virtuals: false,
            invalidates: false,
            reads: Some(Vec::new()),
            writes: Some(Vec::new()),
        }
    }
}

/// What an allocation makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Fresh {
    /// The address of its class as an integer constant, by the number of the constant's symbol.
    pub class: Option<u32>,
    /// Whether references in it are null before the first store, and everything else zero or undefined.
    pub cleared: bool,
}

/// What descriptors stand for. Every question has a conservative answer, which is the default.
pub trait World {
    /// How the descriptor is written in `.ssa` text.
    fn name(&self, descr: Descr) -> &str;

    /// The field or item that a load or store names; `None` when it must be taken for any memory.
    fn location(&self, descr: Descr) -> Option<Location>;

    /// What a call through this descriptor may do.
    fn call_effect(&self, descr: Descr) -> &CallEffect {
        static UNKNOWN: CallEffect = CallEffect::unknown();
        let _ = descr;
        &UNKNOWN
    }

    /// Whether a call does nothing but make visible the object that its last argument names, and so
    /// nothing at all while that object is not even made.
    fn only_forces(&self, descr: Descr) -> bool {
        let _ = descr;
        false
    }

    /// What an allocation through this descriptor makes.
    fn fresh(&self, descr: Descr) -> Fresh {
        let _ = descr;
        Fresh::default()
    }

    /// Stores that wait are made in this order, those of one rank in the order of descriptors. It has no
    /// meaning but to be the same everywhere.
    fn rank(&self, descr: Descr) -> u32 {
        let _ = descr;
        0
    }
}
