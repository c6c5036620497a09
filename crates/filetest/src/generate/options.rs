//! What random functions may have, and the kinds of them that tests and campaigns are about.

/// What a random function may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// At most this many blocks.
    pub blocks: usize,
    /// At most this many operations in a block.
    pub operations: usize,
    /// Whether control may go back.
    pub loops: bool,
    /// Whether there are objects, arrays, static fields and calls.
    pub memory: bool,
    /// Whether there are floats.
    pub floats: bool,
    /// Whether operations may leave through exits.
    pub exits: bool,
    /// Whether each function has a few operations and constants only, at any widths.
    pub swarm: bool,
    /// Whether control is nested branches and counted loops, and not any edges.
    pub nested: bool,
    /// Whether it is about objects that are made here, and about exits that look at them.
    pub objects: bool,
    /// Whether there are other functions, references to them, and calls through those.
    pub functions: bool,
    /// Whether there are vectors.
    pub vectors: bool,
    /// The widths of integers; any in a swarm.
    pub widths: &'static [u8],
}

/// The usual widths, and two small ones.
const WIDTHS: &[u8] = &[64, 32, 8, 5];

impl Options {
    /// One block of pure operations on integers.
    pub const STRAIGHT: Options = Options {
        blocks: 1,
        operations: 20,
        loops: false,
        memory: false,
        floats: false,
        exits: false,
        swarm: false,
        nested: false,
        objects: false,
        functions: false,
        vectors: false,
        widths: WIDTHS,
    };
    /// Control flow without loops, with guards.
    pub const ACYCLIC: Options =
        Options { blocks: 8, operations: 8, floats: true, exits: true, ..Options::STRAIGHT };
    /// Everything.
    pub const FULL: Options =
        Options { blocks: 10, operations: 8, loops: true, memory: true, ..Options::ACYCLIC };
    /// A line of few operations at odd widths, with guards.
    pub const SWARM: Options =
        Options { operations: 30, floats: true, exits: true, swarm: true, ..Options::STRAIGHT };
    /// Any control flow over few operations at odd widths.
    pub const TANGLE: Options =
        Options { blocks: 8, operations: 6, loops: true, swarm: true, ..Options::ACYCLIC };
    /// Any control flow over memory, references and exceptions.
    pub const HEAP: Options = Options { memory: true, ..Options::TANGLE };
    /// Nested branches and counted loops over few operations on memory, so that places are met again.
    pub const PLACES: Options = Options { blocks: 6, operations: 10, memory: true, ..Options::NEST_SWARM };
    /// Nested branches and counted loops.
    pub const NEST: Options =
        Options { blocks: 12, operations: 5, nested: true, loops: true, ..Options::ACYCLIC };
    /// Nested branches and counted loops over few operations.
    pub const NEST_SWARM: Options = Options { swarm: true, ..Options::NEST };
    /// Nested branches and counted loops over objects that are made in them, stored to in arms, and passed round.
    pub const BOXES: Options = Options {
        operations: 6,
        memory: true,
        objects: true,
        exits: false,
        floats: false,
        ..Options::NEST_SWARM
    };

    /// Any control flow over references to a few functions, and calls through them.
    pub const FUNCTIONS: Options =
        Options { blocks: 8, operations: 6, loops: true, functions: true, ..Options::STRAIGHT };

    /// Any control flow over operations on vectors and on what is in their lanes.
    pub const VECTORS: Options = Options {
        blocks: 5,
        operations: 12,
        loops: true,
        exits: false,
        vectors: true,
        widths: &[8, 16, 32, 64],
        ..Options::ACYCLIC
    };

    /// A line of few operations on memory, with guards: a trace.
    pub const TRACE: Options = Options { operations: 40, memory: true, ..Options::SWARM };

    /// A trace of objects that are made, filled in, linked and overwritten, with exits that look at several of them
    /// and few calls: most of it can be left to the exits.
    pub const OBJECTS: Options = Options { operations: 60, objects: true, floats: false, ..Options::TRACE };

    /// Every kind of trace with its name.
    pub const TRACES: [(&'static str, Options); 3] =
        [("swarm", Options::SWARM), ("memory", Options::TRACE), ("objects", Options::OBJECTS)];

    /// Whether it is a trace with memory.
    pub(super) fn is_trace(self) -> bool {
        self.blocks == 1 && self.memory
    }

    /// Whether it is a line with exits, as a trace is, which has no constant tables.
    pub(super) fn may_be_a_trace(self) -> bool {
        self.blocks == 1 && self.exits
    }

    /// Every kind of control-flow graph with its name.
    pub const KINDS: [(&'static str, Options); 12] = [
        ("straight", Options::STRAIGHT),
        ("acyclic", Options::ACYCLIC),
        ("full", Options::FULL),
        ("swarm", Options::SWARM),
        ("tangle", Options::TANGLE),
        ("heap", Options::HEAP),
        ("nest", Options::NEST),
        ("nest swarm", Options::NEST_SWARM),
        ("places", Options::PLACES),
        ("boxes", Options::BOXES),
        ("functions", Options::FUNCTIONS),
        ("vectors", Options::VECTORS),
    ];
}
