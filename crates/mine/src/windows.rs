//! Windows: what stands in a function, a root and some operations above it at a time.
//!
//! A window is a connected part of the graph of pure integer operations, divisions by numbers among them, with one root. Of each root all are taken that have no
//! more than a stated number of operations, and few values. What is not taken in is a value or a number.
//!
//! Where values are known to be small, a window is taken twice: for any values, and for such.

use planish_base::Id;
use planish_driver::witness::FactOf;
use planish_ir::loops::Loops;
use planish_ir::{Cfg, Function, Inst, Terminator, Value};

use crate::term::{Canonical, Kind, Node, Term, divides, is_usual};

/// How many values and numbers a window has at most.
const VALUES: usize = 4;
const NUMBERS: usize = 3;

/// How many windows one root may have.
const PER_ROOT: usize = 100;

/// A window where it stands.
pub struct Window {
    /// What it computes.
    pub canonical: Canonical,
    /// Whether everything in it but the root is used in it alone.
    pub is_alone: bool,
    /// How often it is executed.
    pub weight: u64,
}

/// In how many bits values are told to be, the fewest that suffice; and in all but the sign.
const BITS: [u32; 4] = [1, 8, 16, 32];

/// Hands the windows of a function that have at most so many operations to `found`. `frequency` says how often an operation is
/// executed that so many loops are around.
pub fn windows(
    f: &Function,
    fact_of: FactOf<'_>,
    size: usize,
    frequency: &dyn Fn(u32) -> u64,
    found: &mut dyn FnMut(Window),
) {
    let uses = uses(f);
    let cfg = Cfg::new(f);
    let loops = Loops::new(cfg.succs());
    for &block in cfg.order() {
        let depth = cfg.number(block).map_or(0, |number| loops.depth(number));
        let weight = frequency(depth);
        for &inst in f.block_insts(block).iter().filter(|&&inst| is_taken(f, inst)) {
            let mut cut = Cut { f, fact_of, size, uses: &uses, weight, left: PER_ROOT, found };
            cut.grow(&mut vec![inst], &mut f.args(inst).to_vec(), 0);
        }
    }
}

/// The lowest bits of a value beyond which all are known to be zero, if these are fewer than it has; 0 for a value of which that is not
/// known.
fn bits(f: &Function, value: Value, fact_of: FactOf<'_>) -> u8 {
    let (Some(width), Some(fact)) = (f.ty(value).int_width(), fact_of(value)) else { return 0 };
    if fact.lo() < 0 {
        return 0;
    }
    let needed = i64::BITS - fact.hi().leading_zeros();
    let known = BITS.into_iter().chain([width - 1]).find(|&bits| bits >= needed && bits < width);
    known.map_or(0, |bits| bits as u8)
}

/// Whether an operation may stand in a window.
fn is_taken(f: &Function, inst: Inst) -> bool {
    let is_word = |value: Value| f.ty(value).int_width().is_some();
    let op = f.inst(inst).op;
    // Rules are about a division that is surely defined.
    let divisor = f.row(inst).divisor.and_then(|divisor| f.int_constant(f.args(inst)[usize::from(divisor)]));
    let is_one = is_usual(op) || divides(op) && divisor.is_some_and(|divisor| divisor.is_true());
    is_one && is_word(f.result(inst)) && f.args(inst).iter().all(|&arg| is_word(arg))
}

/// How often each value is used.
pub(crate) fn uses(f: &Function) -> Vec<u32> {
    let mut uses = vec![0; f.value_count()];
    let mut add = |values: &[Value]| values.iter().for_each(|value| uses[value.index()] += 1);
    for (_, inst) in f.live_insts() {
        add(f.args(inst));
        f.inst(inst).exit.into_iter().for_each(|exit| add(f.exit_args(exit)));
    }
    for &block in f.blocks() {
        let terminator = f.terminator(block);
        terminator.calls().for_each(|call| add(f.list(call.args)));
        add(terminator.condition().as_slice());
        match terminator {
            Terminator::Return(results) => add(f.list(*results)),
            Terminator::Throw(_, Some(exit)) => add(f.exit_args(*exit)),
            _ => {}
        }
    }
    uses
}

/// The windows of one root.
struct Cut<'a> {
    f: &'a Function,
    fact_of: FactOf<'a>,
    size: usize,
    uses: &'a [u32],
    weight: u64,
    /// How many more may be found.
    left: usize,
    found: &'a mut dyn FnMut(Window),
}

impl Cut<'_> {
    /// Decides of each open operand, from a place on, whether what makes it is taken in.
    fn grow(&mut self, taken: &mut Vec<Inst>, open: &mut Vec<Value>, at: usize) {
        if self.left == 0 {
            return;
        }
        let Some(&value) = open.get(at) else { return self.finish(taken) };
        self.grow(taken, open, at + 1);
        let made = self.f.def_inst(value).filter(|&made| is_taken(self.f, made));
        let Some(made) = made.filter(|_| taken.len() < self.size && !open[..at].contains(&value)) else {
            return;
        };
        if taken.contains(&made) {
            return;
        }
        let before = open.len();
        taken.push(made);
        open.extend_from_slice(self.f.args(made));
        self.grow(taken, open, at + 1);
        open.truncate(before);
        taken.pop();
    }

    fn finish(&mut self, taken: &[Inst]) {
        let Some((term, leaves)) = Writing::of(self.f, taken) else { return };
        self.left -= 1;
        let is_alone = taken[1..].iter().all(|&inst| {
            let value = self.f.result(inst);
            let here = taken.iter().flat_map(|&user| self.f.args(user)).filter(|&&arg| arg == value).count();
            here == self.uses[value.index()] as usize
        });
        let bits: Vec<u8> = leaves.iter().map(|&leaf| bits(self.f, leaf, self.fact_of)).collect();
        let narrow = bits.iter().any(|&bits| bits > 0).then(|| Term { bits, ..term.clone() });
        for term in std::iter::once(term).chain(narrow) {
            (self.found)(Window { canonical: term.canonical(), is_alone, weight: self.weight });
        }
    }
}

/// A window as a term.
struct Writing<'a> {
    f: &'a Function,
    taken: &'a [Inst],
    nodes: Vec<Node>,
    made: Vec<(Value, u8)>,
    /// The values that are not made in it, in the order of their numbers.
    values: Vec<Value>,
    numbers: usize,
}

impl Writing<'_> {
    /// The term and its values; nothing where there are too many leaves.
    fn of(f: &Function, taken: &[Inst]) -> Option<(Term, Vec<Value>)> {
        let (nodes, made, values) = (Vec::new(), Vec::new(), Vec::new());
        let mut writing = Writing { f, taken, nodes, made, values, numbers: 0 };
        writing.value(f.result(taken[0]));
        let is_small = writing.values.len() <= VALUES && writing.numbers <= NUMBERS;
        is_small.then_some((Term { nodes: writing.nodes, bits: Vec::new() }, writing.values))
    }

    fn value(&mut self, value: Value) -> u8 {
        if let Some((_, node)) = self.made.iter().find(|(made, _)| *made == value) {
            return *node;
        }
        let f = self.f;
        let kind = match (f.def_inst(value).filter(|inst| self.taken.contains(inst)), f.int_constant(value)) {
            (Some(inst), _) => {
                Kind::Op(f.inst(inst).op, f.args(inst).iter().map(|&arg| self.value(arg)).collect())
            }
            (None, Some(number)) => {
                self.numbers += 1;
                Kind::Literal(number.signed())
            }
            (None, None) => {
                self.values.push(value);
                Kind::Value(self.values.len() as u8 - 1)
            }
        };
        self.nodes.push(Node { kind, ty: f.ty(value) });
        let node = self.nodes.len() as u8 - 1;
        self.made.push((value, node));
        node
    }
}
