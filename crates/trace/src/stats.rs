//! Counting: how many operations of which kind a trace has, and what PyPy left of the same trace.
//!
//! Hard operations are what costs machine code: all but merge points, portal markers, `keepalive`,
//! labels, the final jump or `finish`, and the hints that PyPy always drops.
//!
//! An optimized section belongs to the last raw one before it, in the same attempt to trace where the log shows attempts
//! ([`pairs`]); where the merge points of both do not agree, they are not compared. PyPy's loop has three
//! parts: reads of the interpreter's frame, which are not in the raw trace; the preamble, optimized
//! with no knowledge about its inputs; and the body, optimized again knowing what the preamble
//! established. A fair comparison of one pass over a raw trace is with the preamble, or with a bridge, or
//! with an entry bridge less its frame reads.

use std::sync::OnceLock;

use hashbrown::HashMap;
use planish_base::SideTable;
use rustc_hash::FxBuildHasher;

use crate::opcode::Opcode;
use crate::pypylog::{Log, SectionId, SectionKind};
use crate::text::{Arg, OpData, Texts, Trace};

/// What an operation counts as.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Class {
    /// A merge point.
    MergePoint,
    /// A portal marker or `keepalive`.
    Marker,
    /// A hint for the optimizer.
    Hint,
    /// A label, the final jump, `finish`.
    Flow,
    /// A guard.
    Guard,
    /// An allocation.
    Allocation,
    /// A call.
    Call,
    /// A load.
    Load,
    /// A store.
    Store,
    /// Arithmetic on floats.
    Float,
    /// Arithmetic on integers.
    Int,
    /// A comparison or conversion of references, or a copy.
    Pointer,
    /// Anything else that is hard.
    Other,
}

impl Class {
    /// What an operation of a name counts as.
    pub fn of_name(name: &str) -> Class {
        let begins = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
        match name {
            "debug_merge_point" => Class::MergePoint,
            "jit_debug" | "enter_portal_frame" | "leave_portal_frame" | "keepalive" => Class::Marker,
            "assert_not_none"
            | "record_exact_class"
            | "record_exact_value_r"
            | "record_exact_value_i"
            | "record_known_result"
            | "quasiimmut_field"
            | "guard_future_condition" => Class::Hint,
            "label" | "jump" | "finish" => Class::Flow,
            "new" | "new_with_vtable" | "new_array" | "new_array_clear" | "newstr" | "newunicode"
            | "virtual_ref" => Class::Allocation,
            _ if begins(&["guard_"]) => Class::Guard,
            _ if begins(&["call", "cond_call"]) => Class::Call,
            _ if begins(&["getfield", "getarrayitem", "getinteriorfield", "gc_load", "raw_load"]) => {
                Class::Load
            }
            _ if begins(&["strgetitem", "unicodegetitem", "arraylen", "strlen", "unicodelen"]) => Class::Load,
            _ if begins(&["strhash", "unicodehash"]) => Class::Load,
            _ if begins(&["setfield", "setarrayitem", "setinteriorfield", "gc_store", "raw_store"]) => {
                Class::Store
            }
            _ if begins(&["strsetitem", "unicodesetitem", "copystr", "copyunicode", "zero_array"]) => {
                Class::Store
            }
            _ if begins(&["float_", "cast_int_to_float", "cast_float", "convert_"]) => Class::Float,
            _ if begins(&["int_", "uint_", "nursery_"]) => Class::Int,
            _ if begins(&["ptr_", "instance_ptr_", "same_as", "cast_"]) => Class::Pointer,
            _ => Class::Other,
        }
    }

    /// What an operation of a trace counts as.
    pub fn of(op: &OpData, trace: &Trace, texts: &Texts) -> Class {
        static KNOWN: OnceLock<Vec<Class>> = OnceLock::new();
        match op.opcode {
            Some(opcode) => {
                let known = KNOWN.get_or_init(|| Opcode::all().map(|o| Class::of_name(o.name())).collect());
                known[opcode.index()]
            }
            None => Class::of_name(trace.op_name(op, texts)),
        }
    }
}

macro_rules! counts {
    ($($(#[doc = $doc:literal])+ $field:ident: $($class:ident)|+),* $(,)?) => {
        /// How many operations there are.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        pub struct Counts {
            /// All that cost machine code.
            pub hard: u64,
            $($(#[doc = $doc])+ pub $field: u64,)*
        }

        impl Counts {
            /// Counts one operation.
            pub fn add_one(&mut self, class: Class) {
                match class {
                    $($(Class::$class)|+ => self.$field += 1,)*
                    Class::Flow => {}
                }
                let soft = matches!(class, Class::MergePoint | Class::Marker | Class::Hint | Class::Flow);
                self.hard += u64::from(!soft);
            }

            /// Adds other counts.
            pub fn add(&mut self, other: &Counts) {
                self.hard += other.hard;
                $(self.$field += other.$field;)*
            }

            /// Takes other counts away. What would be negative is zero.
            pub fn subtract(&mut self, other: &Counts) {
                self.hard = self.hard.saturating_sub(other.hard);
                $(self.$field = self.$field.saturating_sub(other.$field);)*
            }

            /// All counts with their names, for printing.
            pub fn fields(&self) -> Vec<(&'static str, u64)> {
                vec![("hard", self.hard), $((stringify!($field), self.$field)),*]
            }
        }
    };
}

counts! {
    /// Guards.
    guards: Guard,
    /// Allocations.
    allocations: Allocation,
    /// Calls.
    calls: Call,
    /// Loads.
    loads: Load,
    /// Stores.
    stores: Store,
    /// Arithmetic on integers.
    integers: Int,
    /// Arithmetic on floats.
    floats: Float,
    /// Comparisons and conversions of references, and copies.
    pointers: Pointer,
    /// Other hard operations.
    others: Other,
    /// Hints for the optimizer, which are not hard.
    hints: Hint,
    /// Merge points, which are not hard.
    merge_points: MergePoint,
    /// Portal markers and the like, which are not hard.
    markers: Marker,
}

/// The counts of a trace, divided at its labels.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Parts {
    /// What stands before the first label, between labels, and behind the last; one part without labels.
    pub parts: Vec<Counts>,
}

impl Parts {
    /// Counts a trace.
    pub fn of(trace: &Trace, texts: &Texts) -> Parts {
        let mut parts = vec![Counts::default()];
        for op in &trace.ops {
            if op.opcode.is_some_and(|opcode| opcode.name() == "label") {
                parts.push(Counts::default());
            } else if let Some(part) = parts.last_mut() {
                part.add_one(Class::of(op, trace, texts));
            }
        }
        Parts { parts }
    }

    /// The number of labels.
    pub fn labels(&self) -> usize {
        self.parts.len().saturating_sub(1)
    }

    /// All parts together.
    pub fn total(&self) -> Counts {
        let mut total = Counts::default();
        for part in &self.parts {
            total.add(part);
        }
        total
    }

    /// What stands behind the last label.
    pub fn last(&self) -> Counts {
        self.parts.last().copied().unwrap_or_default()
    }
}

/// What PyPy made of a raw trace.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// A preamble and a peeled loop.
    Loop,
    /// A loop without a preamble.
    Simple,
    /// A straight line that enters existing code, from the interpreter.
    Entry,
    /// A straight line out of a guard.
    Bridge,
    /// A second version of a loop: the raw trace of its second half was not logged.
    Retrace,
}

impl Shape {
    /// The shape in a word.
    pub fn word(self) -> &'static str {
        match self {
            Shape::Loop => "loop",
            Shape::Simple => "simple",
            Shape::Entry => "entry",
            Shape::Bridge => "bridge",
            Shape::Retrace => "retrace",
        }
    }
}

/// What PyPy left of a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pypy {
    /// Its section.
    pub section: SectionId,
    /// What it made.
    pub shape: Shape,
    /// One pass over the trace with no knowledge about its inputs: a preamble, a bridge, an entry bridge
    /// less its frame reads, a loop that was not peeled.
    pub straight: Counts,
    /// The loop body behind the preamble.
    pub body: Option<Counts>,
}

/// For each raw section the optimized section that belongs to it: the next in the same attempt to trace, or the next at all in
/// a log that does not show attempts, if their merge points agree.
pub fn pairs(log: &Log) -> SideTable<SectionId, Option<SectionId>> {
    let mut pairs: SideTable<SectionId, Option<SectionId>> = SideTable::new();
    // The last raw section of each attempt; attempts nest. A log need not have them: then the last one of all.
    let mut last: HashMap<Option<SectionId>, SectionId, FxBuildHasher> = HashMap::default();
    for (id, section) in log.sections.iter() {
        match section.kind {
            SectionKind::NoOpt => _ = last.insert(section.parent, id),
            // What a log that ends in the middle of it has of it is not what was left.
            SectionKind::OptLoop | SectionKind::OptBridge if section.end.is_some() => {
                let Some(raw) = last.remove(&section.parent) else { continue };
                let traces = log.sections[raw].trace.as_ref().zip(section.trace.as_ref());
                if traces.is_some_and(|(raw, optimized)| merge_points_agree(raw, optimized)) {
                    pairs[raw] = Some(id);
                }
            }
            _ => {}
        }
    }
    pairs
}

/// Whether the merge points of the optimized trace are those of the raw one, twice for a peeled loop.
fn merge_points_agree(raw: &Trace, optimized: &Trace) -> bool {
    let points = |trace: &Trace| -> Vec<Arg> {
        trace
            .ops
            .iter()
            .filter_map(|op| match trace.args(op) {
                [point @ Arg::Raw(_)] => Some(*point),
                _ => None,
            })
            .collect()
    };
    let (raw, optimized) = (points(raw), points(optimized));
    optimized == raw
        || (optimized.len() == 2 * raw.len() && optimized.chunks(raw.len().max(1)).all(|c| c == raw))
}

/// What PyPy left of the trace of an optimized section.
pub fn pypy(log: &Log, section: SectionId) -> Option<Pypy> {
    let trace = log.sections[section].trace.as_ref()?;
    let parts = Parts::of(trace, &log.texts);
    let entry =
        trace.comments.first().is_some_and(|&line| log.texts.get(line).contains(": entry bridge with"));
    let shape = match (log.sections[section].kind, parts.labels()) {
        (SectionKind::OptBridge, 0) => Shape::Bridge,
        (SectionKind::OptBridge, _) => Shape::Retrace,
        (_, 0) if entry => Shape::Entry,
        (_, _) if entry => Shape::Retrace,
        (_, 0 | 1) => Shape::Simple,
        _ => Shape::Loop,
    };
    let (straight, body) = match shape {
        Shape::Loop => (parts.parts[1], Some(parts.last())),
        Shape::Simple => (parts.last(), None),
        Shape::Entry => {
            let mut counts = parts.total();
            counts.subtract(&frame_reads(trace, &log.texts));
            (counts, None)
        }
        Shape::Bridge | Shape::Retrace => (parts.total(), None),
    };
    Some(Pypy { section, shape, straight, body })
}

/// The reads of the interpreter's frame with which an entry bridge begins: fields of its first input, then
/// items of the array of locals among them.
fn frame_reads(trace: &Trace, texts: &Texts) -> Counts {
    let mut counts = Counts::default();
    let frame = trace.lists.get(trace.inputs).first().copied();
    let mut locals = None;
    for op in &trace.ops {
        let name = trace.op_name(op, texts);
        let base = trace.args(op).first().copied();
        let of_frame = name.starts_with("getfield_gc_") && base == frame && locals.is_none();
        let of_locals = name == "getarrayitem_gc_r" && base.is_some() && base == locals;
        let descr = op.descr.map_or("", |descr| texts.get(descr).as_str());
        if of_frame && descr.contains(" pypy.interpreter.pyframe.PyFrame.inst_") {
            if descr.contains("inst_locals_cells_stack_w") {
                locals = op.result.map(Arg::Var);
            }
        } else if !of_locals {
            break;
        }
        counts.add_one(Class::Load);
    }
    counts
}
