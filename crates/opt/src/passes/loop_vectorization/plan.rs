//! What of a loop is done in lanes, and what has to hold for it.

use planish_base::fault;
use planish_ir::{Block, Const, Def, Function, Inst, Value};
use planish_ops::row::{EqualOperands, Shape};
use planish_ops::world::World;
use planish_ops::{Effect, Lane, Op, Type};
use smallvec::SmallVec;

use crate::analysis::alias::Alias;
use crate::analysis::evolution::Evolution;
use crate::analysis::expressions::{Expr, Expressions};
use crate::analysis::scalar_evolution::ScalarEvolution;
use crate::passes::own_loop::Own;

/// At most so many accesses of a loop are looked at.
const ACCESSES: usize = 12;
/// At most so many times it is asked whether two accesses are apart.
const CHECKS: usize = 6;
/// How many bytes a vector has.
pub(super) const BYTES: i64 = 16;

/// How a loop is done in lanes.
pub(super) struct Plan {
    pub lane: Lane,
    /// How often the loop goes back to its header, in 64 bits.
    pub rounds: Expr,
    /// The parameters of the header, in order.
    pub variables: Vec<Variable>,
    /// What is done in lanes, in order.
    pub steps: Vec<(Inst, Step)>,
    /// How far from each other accesses begin that must be apart.
    pub apart: Vec<Expr>,
}

/// A parameter of the header.
#[derive(Clone, Copy)]
pub(super) enum Variable {
    /// What it is first and what each round adds.
    Counter(Expr, Expr),
    /// An operation puts what a lane has to it.
    Reduction(Op, Inst),
}

/// What becomes of an operation.
#[derive(Clone, Copy)]
pub(super) enum Step {
    /// An access, by its first address.
    Load(Expr),
    Store(Expr),
    /// The operation of this name in lanes, with its operands swapped or not.
    Lanes(Op, bool),
    /// What is 0 or 1 in a lane already.
    Same,
    /// The sum of a variable, by the position of its parameter: of it and this value.
    Reduce(usize, Value),
}

impl Plan {
    /// What is computed in front.
    pub fn expressions(&self) -> impl Iterator<Item = Expr> + '_ {
        let starts = self.steps.iter().filter_map(|(_, step)| match *step {
            Step::Load(start) | Step::Store(start) => Some(start),
            _ => None,
        });
        let counters = self.variables.iter().flat_map(|variable| match *variable {
            Variable::Counter(start, step) => vec![start, step],
            Variable::Reduction(..) => Vec::new(),
        });
        starts.chain(counters).chain(self.apart.iter().copied()).chain([self.rounds])
    }
}

/// A loop of one block that may be done in lanes.
pub(super) struct Search<'a> {
    f: &'a Function,
    world: &'a dyn World,
    own: &'a Own<'a>,
    homes: &'a ScalarEvolution,
    evolved: &'a Evolution,
    expressions: &'a mut Expressions,
    /// What the latch passes to the header.
    passed: &'a [Value],
    /// How often the loop goes back to its header.
    rounds: Expr,
}

/// An access in the loop: its class, and its address in the first round.
struct Access {
    class: u32,
    start: Expr,
    is_store: bool,
}

impl<'a> Search<'a> {
    /// A loop that is left in a round that is known.
    pub fn new(
        f: &'a Function,
        world: &'a dyn World,
        own: &'a Own<'a>,
        (homes, evolved): (&'a ScalarEvolution, &'a Evolution),
        expressions: &'a mut Expressions,
    ) -> Option<Search<'a>> {
        let [exit] = &*evolved.exits else { return None };
        let mut back = f.block_calls(own.header).filter(|call| call.block == own.header);
        let (Some(back), None) = (back.next(), back.next()) else { return None };
        let rounds = expressions.unsigned_to(exit.count?.rounds, 64);
        let passed = f.list(back.args);
        Some(Search { f, world, own, homes, evolved, expressions, passed, rounds })
    }

    /// How the loop is done in lanes, if it is worth it and nobody sees the difference.
    pub fn plan(mut self) -> Option<Plan> {
        let variables = self.variables()?;
        let lane = self.lane(&variables)?;
        let few = 2 * u64::from(lane.count());
        if self.expressions.as_constant(self.rounds).is_some_and(|rounds| rounds.unsigned() < few) {
            return None;
        }
        let wanted = self.wanted(&variables, lane)?;
        let (mut steps, mut accesses) = (Vec::new(), Vec::new());
        for &inst in self.f.block_insts(self.own.header) {
            if !wanted.contains(&inst) {
                continue;
            }
            let step = match self.f.inst(inst).op {
                Op::RawLoad | Op::RawStore => {
                    let access = self.access(inst, lane)?;
                    let (start, is_store) = (access.start, access.is_store);
                    accesses.push(access);
                    if is_store { Step::Store(start) } else { Step::Load(start) }
                }
                Op::Zext => Step::Same,
                op => match self.reduced(&variables, inst) {
                    Some((position, value)) => Step::Reduce(position, value),
                    None => in_lanes(op, lane).map(|(op, swapped)| Step::Lanes(op, swapped))?,
                },
            };
            steps.push((inst, step));
        }
        let apart = self.apart(&accesses)?;
        let rounds = self.rounds;
        let is_worth_it = (1..=ACCESSES).contains(&accesses.len());
        is_worth_it.then_some(Plan { lane, rounds, variables, steps, apart })
    }

    fn block(&self) -> Block {
        self.own.header
    }

    /// Whether a value is made in the loop.
    fn varies(&self, value: Value) -> bool {
        let own = self.own;
        self.homes.home(value).is_some_and(|home| own.loops.contains(own.index, home))
    }

    /// The parameters of the header: counters and sums, or nothing.
    fn variables(&mut self) -> Option<Vec<Variable>> {
        let (f, passed) = (self.f, self.passed);
        let params = f.block_params(self.block()).iter().zip(passed);
        params
            .map(|(&param, &next)| match self.evolved.values.get(&param) {
                Some(chain) => match (chain.as_invariant(), chain.as_linear()) {
                    (Some(start), _) => {
                        let zero = self.expressions.number(self.expressions.width(start), 0);
                        Some(Variable::Counter(start, zero))
                    }
                    (None, Some((start, step))) => Some(Variable::Counter(start, step)),
                    (None, None) => None,
                },
                None => self.reduction(param, next),
            })
            .collect()
    }

    /// A parameter to which each round puts something, and which nothing else in the loop looks at.
    fn reduction(&self, param: Value, next: Value) -> Option<Variable> {
        let f = self.f;
        let inst = f.def_inst(next).filter(|_| self.varies(next))?;
        let op = f.inst(inst).op;
        let uses = |value: Value| {
            let args = f.block_insts(self.block()).iter().flat_map(|&inst| f.args(inst));
            args.filter(|&&arg| arg == value).count()
        };
        // Every lane begins with what changes nothing, or with the start where that may be put to it twice.
        let algebra = op.row().algebra;
        let begins = algebra.identity.is_some() || matches!(algebra.equal, Some(EqualOperands::Operand));
        let is_sum = begins && op.across_lanes().is_some() && f.args(inst).contains(&param);
        (is_sum && uses(param) == 1 && uses(next) == 0).then_some(Variable::Reduction(op, inst))
    }

    /// The sum that an operation makes, by the position of its variable, and what is put to it.
    fn reduced(&self, variables: &[Variable], inst: Inst) -> Option<(usize, Value)> {
        let is_it = |variable: &Variable| matches!(variable, Variable::Reduction(_, by) if *by == inst);
        let position = variables.iter().position(is_it)?;
        let param = self.f.block_params(self.block())[position];
        let other = self.f.args(inst).iter().copied().find(|&arg| arg != param)?;
        Some((position, other))
    }

    /// What lanes hold: what is stored and summed up, if all of that is of one type.
    fn lane(&self, variables: &[Variable]) -> Option<Lane> {
        let f = self.f;
        let sums = variables.iter().filter_map(|variable| match variable {
            Variable::Reduction(_, inst) => Some(f.ty(f.result(*inst))),
            Variable::Counter(..) => None,
        });
        let stores = f.block_insts(self.block()).iter().filter(|&&inst| f.inst(inst).op == Op::RawStore);
        let mut types = sums.chain(stores.map(|&inst| f.ty(f.args(inst)[2])));
        let first = types.next()?;
        Lane::of(first).filter(|_| types.all(|ty| ty == first))
    }

    /// The operations that are done in lanes: stores, sums, and what they need. `None` if one of them cannot be, or
    /// something else in the loop has an effect.
    fn wanted(&self, variables: &[Variable], lane: Lane) -> Option<Vec<Inst>> {
        let f = self.f;
        let (mut wanted, mut open) = (Vec::new(), Vec::new());
        let (mut chooses, mut takes) = (false, false);
        for &inst in f.block_insts(self.block()) {
            match (f.inst(inst).op, f.row(inst).effect) {
                (Op::RawStore, _) => {
                    wanted.push(inst);
                    open.push(f.args(inst)[2]);
                }
                (Op::RawLoad, _) => {}
                (_, Effect::Pure) => {
                    if let Some((_, value)) = self.reduced(variables, inst) {
                        wanted.push(inst);
                        open.push(value);
                        let ty = Type::Vector(lane);
                        let op = f.inst(inst).op.across_lanes()?;
                        (op.row().operands[0].admits(ty) && !is_slow(f.inst(inst).op, lane)).then_some(())?;
                    }
                }
                _ => return None,
            }
        }
        while let Some(value) = open.pop() {
            let is_truth = f.ty(value) == Type::I1;
            if !is_truth && f.ty(value) != lane.ty() {
                return None;
            }
            if !self.varies(value) {
                // A truth is 0 or 1 in a lane, which only a constant is by itself.
                (!is_truth || matches!(f.constant(value), Some(Const::Int(_)))).then_some(())?;
                takes |= f.constant(value).is_none();
                continue;
            }
            let Def::Result(inst, _) = f.def(value) else { return None };
            if wanted.contains(&inst) {
                continue;
            }
            open.extend(self.needed(inst, is_truth, lane)?);
            chooses |= f.inst(inst).op == Op::Select;
            wanted.push(inst);
        }
        // A choice does not look at what it leaves out, but a vector is undefined as a whole: what comes from outside and may be
        // undefined is in none of a loop that chooses.
        (!(chooses && takes)).then_some(wanted)
    }

    /// What an operation needs in lanes, if it can be done there.
    fn needed(&self, inst: Inst, is_truth: bool, lane: Lane) -> Option<SmallVec<[Value; 3]>> {
        let (f, op) = (self.f, self.f.inst(inst).op);
        let args = f.args(inst);
        let of_items = |args: &[Value]| args.iter().all(|&arg| f.ty(arg) == lane.ty());
        let of_truths = |args: &[Value]| args.iter().all(|&arg| f.ty(arg) == Type::I1);
        let fits = match op {
            Op::RawLoad => return (!is_truth).then(SmallVec::new),
            Op::Zext => return (!is_truth && of_truths(args)).then(|| args.into()),
            // What was computed of truths otherwise is no truth in a lane.
            Op::And | Op::Or | Op::Xor if is_truth => of_truths(args),
            Op::Select if is_truth => of_truths(args),
            Op::Select => of_items(&args[1..]) && (of_items(&args[..1]) || of_truths(&args[..1])),
            _ if f.row(inst).truth => of_items(args),
            Op::Lshift | Op::Rshift | Op::Urshift => !is_truth && of_items(args) && !self.varies(args[1]),
            _ => !is_truth && of_items(args),
        };
        (fits && in_lanes(op, lane).is_some()).then(|| args.into())
    }

    /// An access that goes from one item to the next, and moves it as it is.
    fn access(&mut self, inst: Inst, lane: Lane) -> Option<Access> {
        let f = self.f;
        let location = Alias { f, world: self.world }.location(inst)?;
        let descr = f.inst(inst).descr?;
        let is_plain = self.world.raw_access(descr).is_none_or(|access| access.scale == 1)
            && location.ty == lane.ty()
            && location.stored_bits.is_none_or(|bits| u32::from(bits) == lane.bits());
        let &[base, offset, ..] = f.args(inst) else { return None };
        if !is_plain || f.ty(base) != Type::I64 || f.ty(offset) != Type::I64 {
            return None;
        }
        let ((base, one), (offset, other)) = (self.linear(base)?, self.linear(offset)?);
        let (start, step) = (self.expressions.add(base, offset), self.expressions.add(one, other));
        let is_next = self.expressions.as_constant(step)?.signed() == i64::from(lane.bits() / 8);
        let is_store = f.inst(inst).op == Op::RawStore;
        is_next.then_some(Access { class: location.alias_class, start, is_store })
    }

    /// What a word of 64 bits is first, and what each round adds to it.
    fn linear(&mut self, value: Value) -> Option<(Expr, Expr)> {
        let zero = self.expressions.number(64, 0);
        match self.evolved.values.get(&value) {
            Some(chain) => chain.as_linear().or(chain.as_invariant().map(|start| (start, zero))),
            None if self.varies(value) => None,
            None => self.expressions.value(self.f, value).map(|start| (start, zero)),
        }
    }

    /// How far those accesses begin from each other of which it has to be asked whether they are apart. `None` if lanes would be done
    /// in another order than rounds, or too much is to be asked.
    fn apart(&mut self, accesses: &[Access]) -> Option<Vec<Expr>> {
        let mut asked = Vec::new();
        for (position, second) in accesses.iter().enumerate() {
            for first in &accesses[..position] {
                if first.class != second.class || !(first.is_store || second.is_store) {
                    continue;
                }
                let distance = self.expressions.sum(&[(second.start, 1), (first.start, -1)]);
                match self.expressions.as_constant(distance).map(|distance| distance.signed()) {
                    Some(distance) => {
                        keeps_order(distance).then_some(())?;
                    }
                    None if asked.contains(&distance) => {}
                    None if fault!("loop-vectorize: accesses of other bases are apart") => {}
                    None => asked.push(distance),
                }
            }
        }
        (asked.len() <= CHECKS).then_some(asked)
    }
}

/// Whether all lanes of an access may be done before those of another one that begins so many bytes behind it. In the memory that
/// a later lane of the first and an earlier one of the second share, their order would be the other one: what is less than a vector
/// behind. Further behind, they are of different vectors, whose order stays.
fn keeps_order(distance: i64) -> bool {
    distance <= 0 || distance >= BYTES || fault!("loop-vectorize: lanes are done in the order of rounds")
}

/// The operation that does in lanes what an operation does, perhaps with its operands swapped.
fn in_lanes(op: Op, lane: Lane) -> Option<(Op, bool)> {
    let takes = |vector: &Op| {
        vector.row().operands.iter().all(|shape| match shape {
            Shape::Vector(_) => shape.admits(Type::Vector(lane)),
            _ => false,
        })
    };
    if is_slow(op, lane) {
        return None;
    }
    let plain = op.in_each_lane().filter(takes).map(|vector| (vector, false));
    plain.or_else(|| op.swapped()?.in_each_lane().filter(takes).map(|vector| (vector, true)))
}

/// Whether no machine does an operation in lanes at once: products of bytes.
fn is_slow(op: Op, lane: Lane) -> bool {
    op == Op::Mul && lane == Lane::I8
}
