//! What the stage knows between two operations, in the parts that do the work.

use planish_base::SideTable;
use planish_ir::{Block, Exit, Inst, Value};
use planish_ops::table::ALL;
use planish_ops::world::Descr;
use planish_ops::{Effect, Exits, Op, Shape};
use planish_pass::record::{Became, Kind, Part};

use super::buffers::Raw;
use super::draft::Draft;
use super::heap::{Heap, Held};
use super::made_calls::Calls;
use super::place::{Cell, Key, Place};
use super::references::{Accessed, Guards};
use super::shared::Shared;
use super::strings::parts::Strings;
use super::virtuals::Virtuals;
use crate::engine::Cx;
use crate::engine::stage::Outcome;
use crate::unroll::first::Peeled;
use crate::unroll::peeling::Peeling;
use crate::unroll::short::Short;
use crate::unroll::target::{Entered, Meets, Target};

/// What the stage does, in statistics and explanations: it carries out what several passes of a pipeline ask for.
pub(crate) const VIRTUALIZE: Kind = Kind::Part(Part::Virtualize);
pub(crate) const STRING: Kind = Kind::Part(Part::String);
pub(crate) const HEAP: Kind = Kind::Part(Part::Heap);
pub(crate) const PURE: Kind = Kind::Part(Part::Pure);
pub(crate) const REWRITE: Kind = Kind::Part(Part::Rewrite);

/// What the stage does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Allocations are kept back until an object is needed.
    pub virtualize: bool,
    /// Loads and stores are forwarded and delayed.
    pub heap: bool,
    /// Strings are kept back until they are needed, and calls of known meaning are looked into.
    pub strings: bool,
    /// Memory outside the heap is kept back.
    pub raw: bool,
    /// Guards on the types of references are decided.
    pub types: bool,
    /// An access without an exit cannot leave: it would be undefined, as in a trace, whose guards check
    /// before. Otherwise such an access may unwind.
    pub accesses_never_leave: bool,
}

impl Options {
    /// Everything, on a trace.
    pub const TRACE: Options = Options {
        virtualize: true,
        heap: true,
        strings: false,
        raw: false,
        types: false,
        accesses_never_leave: true,
    };
}

/// Whether what the stage does is about an operation.
fn concerns(options: Options, op: Op) -> bool {
    let row = op.row();
    let reference = |shape: &Shape| matches!(shape, Shape::Ref | Shape::Any(_) | Shape::Free);
    // Any operation on integers may use an address that is kept back.
    options.raw
        || row.effect != Effect::Pure
        || row.exits != Exits::Never
        || row.variadic
        || op == Op::IntToRef
        || row.operands.iter().any(reference)
}

/// The stage. Its memory is kept between functions.
#[derive(Default)]
pub struct Memory {
    pub(super) options: Options,
    /// For each operation whether the stage wants to see it.
    pub(super) wanted: Vec<bool>,
    pub(crate) heap: Heap,
    pub(crate) virtuals: Virtuals,
    pub(crate) calls: Calls,
    pub(super) guards: Guards,
    /// The numbers of the exits, in order, whose guards are not made stronger: bridges go on from them.
    pub(super) bridged: Vec<u32>,
    pub(crate) strings: Strings,
    pub(crate) raw: Raw,
    /// A reference that a guard has made a constant, as soon as control is behind the guard.
    pub(super) renamed: Option<(Value, Value)>,
    /// The lengths of arrays that were allocated.
    pub(crate) lengths: SideTable<Value, Option<Value>>,
    /// How long arrays at least are, by the accesses to them.
    pub(crate) shortest: SideTable<Value, i64>,
    /// What references were accessed as.
    pub(crate) accessed: Accessed,
    /// What descriptors of locations were found to be.
    pub(super) places: SideTable<Descr, Option<Place>>,
    /// The number of the function at hand, from 1 on.
    pub(super) function: u32,
    /// The peeled loop at work.
    pub(crate) peeling: Option<Peeling>,
    /// What the function at hand has to do with loops of others, and where it went.
    pub(crate) meets: Meets,
    pub(crate) entered: Option<Entered>,
    /// What another trace does before it enters the loop.
    pub(crate) short: Option<Short>,
    /// Loops that may be entered.
    pub(crate) targets: Vec<Target>,
    /// Where guards leave that are added at the end.
    pub(crate) future: Option<Exit>,
    /// Constants that values which come around once were.
    pub(crate) runtime: Vec<Option<Value>>,
    /// Imports that are what memory holds when the body begins.
    pub(crate) imported_places: Vec<(usize, Key, Held)>,
    /// Imports that are results of calls.
    pub(crate) imported_calls: Vec<usize>,
    /// The block at hand.
    pub(super) block: Option<Block>,
    /// The block whose end is the state at hand, if the next one goes on there.
    pub(super) goes_on: Option<Block>,
    /// The block at hand, behind those from which control came straight to it.
    pub(super) straight: Vec<Block>,
    pub(super) shared: Shared,
    /// A recipe of an exit in the making, but while it is made.
    pub(super) draft: Option<Box<Draft>>,
    /// Stores that an exit makes, as of a change of what waits.
    pub(super) pending: Vec<(u32, Key, Cell)>,
    pub(super) pending_since: u64,
    /// Whether the operation that was emitted last is held, so that what is made comes before it.
    pub(super) holds_last: bool,
    /// Cells whose stores are being made.
    pub(super) cells: Vec<(u32, Key, Cell)>,
    /// Values that are needed where a block ends.
    pub(super) needed: Vec<Value>,
}

impl Memory {
    /// A stage without memory yet.
    pub fn new(options: Options) -> Self {
        let mut memory = Self::default();
        memory.set_options(options);
        memory
    }

    /// Lets the stage do something else from the next function on.
    pub(crate) fn set_options(&mut self, options: Options) {
        if self.wanted.is_empty() || self.options != options {
            self.wanted.clear();
            self.wanted.extend(ALL.iter().map(|&op| concerns(options, op)));
        }
        self.options = options;
    }

    /// Says whether a loop was peeled for the next walk.
    pub(crate) fn peel(&mut self, peeled: Option<Peeled>, runtime: &[Option<Value>]) {
        self.peeling = peeled.map(Peeling::new);
        self.guards.late = false;
        self.runtime.clear();
        self.runtime.extend_from_slice(runtime);
    }

    /// Whether the last walk learned something at a guard that it would have used before.
    pub(crate) fn learned_late(&self) -> bool {
        self.guards.late
    }

    /// Whether bits are known of what comes around the loop that was peeled, which the last walk over its body did not know.
    pub(crate) fn shares_bits(&self) -> bool {
        self.peeling.as_ref().is_some_and(Peeling::shares_bits)
    }

    /// Says what the next function has to do with loops of others.
    pub(crate) fn meet(&mut self, meets: Meets) {
        if meets == Meets::Nobody {
            self.targets.clear();
        }
        (self.meets, self.entered, self.short) = (meets, None, None);
    }

    /// Says from which exits of the next function bridges go on.
    pub(crate) fn keep_guards(&mut self, bridged: &[u32]) {
        self.bridged.clear();
        self.bridged.extend_from_slice(bridged);
    }

    pub(super) fn never_leaves(&self, cx: &Cx<'_>, inst: Inst) -> bool {
        self.options.accesses_never_leave && cx.f.inst(inst).exit.is_none()
    }

    /// Control does not come past an operation.
    #[cold]
    pub(super) fn never_passes(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Outcome {
        match cx.rewrite(Kind::Fails, inst, Became::Changed) {
            true => Outcome::Last,
            false => Outcome::Keep,
        }
    }
}
