//! Writes the loop on vectors in front of the loop that does what is left.

use hashbrown::HashMap;
use planish_base::fault;
use planish_ir::{Block, Const, Function, Location, Terminator, Value};
use planish_ops::row::EqualOperands;
use planish_ops::world::Descr;
use planish_ops::{Int, Lane, Op, Type};
use rustc_hash::FxBuildHasher;

use super::plan::{BYTES, Plan, Step, Variable};
use crate::analysis::expressions::{Expr, Expressions, Writer};
use crate::passes::own_loop::Own;

/// More vectors than there is memory for: below, no number of bytes wraps.
const MOST: i64 = 1 << 58;

/// Values in lanes by what they are in the loop, and where those are made that do not change.
struct Lanes {
    lane: Lane,
    front: Block,
    values: HashMap<Value, Value, FxBuildHasher>,
}

impl Lanes {
    /// A value in lanes: the vector that was made for it, or one that holds it in every lane.
    fn of(&mut self, f: &mut Function, value: Value) -> Value {
        if let Some(&vector) = self.values.get(&value) {
            return vector;
        }
        let one = match f.constant(value) {
            // A truth is 0 or 1 in a lane of any width.
            Some(Const::Int(int)) if int.ty() != self.lane.ty() => {
                f.make_constant(Int::new(self.lane.bits(), int.unsigned()))
            }
            _ => value,
        };
        let vector = make(f, self.front, Op::Splat, &[one], &[], None);
        self.values.insert(value, vector);
        vector
    }
}

/// An operation with one result at the end of a block.
fn make(
    f: &mut Function,
    block: Block,
    op: Op,
    args: &[Value],
    named: &[Type],
    descr: Option<Descr>,
) -> Value {
    let inst = f.make_inst(op, args, named, descr, None, Location::default());
    f.append_inst(block, inst);
    f.result(inst)
}

/// Lets as many rounds of a loop as there are lanes be done at once, as long as one more is left.
pub(super) fn write(f: &mut Function, own: &Own<'_>, plan: &Plan, expressions: &mut Expressions) {
    let Terminator::Jump(enters) = f.take_terminator(own.front) else {
        unreachable!("the block in front goes to the loop alone")
    };
    let begins = f.list(enters.args).to_vec();
    let [setup, body, rest] = [f.make_block(), f.make_block(), f.make_block()];
    let shift = expressions.number(64, i64::from(plan.lane.count().trailing_zeros()));
    let full = expressions.binary(Op::Urshift, plan.rounds, shift);
    let bytes = expressions.times(full, BYTES);
    let written = in_front(f, own.front, plan, (full, bytes), expressions);
    let then = f.make_call(setup, &[]);
    f.set_terminator(own.front, Terminator::Branch { condition: written.condition, then, other: enters });

    let mut lanes = Lanes { lane: plan.lane, front: setup, values: HashMap::default() };
    let at = f.add_param(body, Type::I64);
    let sums: Vec<Option<Value>> = (plan.variables.iter())
        .map(|variable| match variable {
            Variable::Reduction(..) => Some(f.add_param(body, Type::Vector(plan.lane))),
            Variable::Counter(..) => None,
        })
        .collect();
    let more = steps(f, (body, at), plan, &written.starts, &sums, &mut lanes);
    let step = f.make_constant(Int::new(64, BYTES as u64));
    let next = make(f, body, Op::Add, &[at, step], &[], None);
    let goes_on = make(f, body, Op::Ult, &[next, written.bytes], &[Type::I1], None);
    let zero = f.make_constant(Int::new(64, 0));
    let (mut first, mut again) = (vec![zero], vec![next]);
    for (position, variable) in plan.variables.iter().enumerate() {
        if let (Variable::Reduction(op, _), Some(sum)) = (variable, more[position]) {
            let begin = begin(f, *op, begins[position]);
            first.push(make(f, setup, Op::Splat, &[begin], &[], None));
            again.push(sum);
        }
    }
    let first = f.make_call(body, &first);
    f.set_terminator(setup, Terminator::Jump(first));
    let (then, other) = (f.make_call(body, &again), f.make_call(rest, &[]));
    f.set_terminator(body, Terminator::Branch { condition: goes_on, then, other });

    let done = written.full;
    let values = what_is_left(f, rest, plan, (done, &begins), &more, expressions);
    let back = f.make_call(own.header, &values);
    f.set_terminator(rest, Terminator::Jump(back));
}

/// What is computed in front of the loop.
struct Written {
    /// Whether vectors are used at all.
    condition: Value,
    /// How many.
    full: Value,
    /// And how many bytes that are.
    bytes: Value,
    /// The first address of each step that accesses memory.
    starts: Vec<Option<Value>>,
}

fn in_front(
    f: &mut Function,
    front: Block,
    plan: &Plan,
    (full, bytes): (Expr, Expr),
    expressions: &mut Expressions,
) -> Written {
    let less = {
        let one = expressions.number(64, 1);
        expressions.sub(full, one)
    };
    let ways: Vec<[Expr; 2]> =
        plan.apart.iter().map(|&distance| [distance, expressions.times(distance, -1)]).collect();
    let mut writer = Writer::new(expressions, front);
    let [full, bytes, less] = [full, bytes, less].map(|expr| writer.write(f, expr));
    let starts = plan.steps.iter().map(|(_, step)| match *step {
        Step::Load(start) | Step::Store(start) => Some(writer.write(f, start)),
        _ => None,
    });
    let starts: Vec<Option<Value>> = starts.collect();
    let ways: Vec<Value> = ways.iter().flatten().map(|&way| writer.write(f, way)).collect();
    let most = f.make_constant(Int::new(64, MOST as u64));
    let mut condition = make(f, front, Op::Ult, &[less, most], &[Type::I1], None);
    for way in ways {
        // On the circle of addresses neither begins in what the other goes over.
        let apart = make(f, front, Op::Uge, &[way, bytes], &[Type::I1], None);
        condition = make(f, front, Op::And, &[condition, apart], &[], None);
    }
    Written { condition, full, bytes, starts }
}

/// What is done in lanes; what sums are behind it.
fn steps(
    f: &mut Function,
    (body, at): (Block, Value),
    plan: &Plan,
    starts: &[Option<Value>],
    sums: &[Option<Value>],
    lanes: &mut Lanes,
) -> Vec<Option<Value>> {
    let mut more = sums.to_vec();
    for (&(inst, step), start) in plan.steps.iter().zip(starts) {
        let (args, descr) = (f.args(inst).to_vec(), f.inst(inst).descr);
        let vector = match (step, *start) {
            (Step::Load(_), Some(start)) => {
                make(f, body, Op::Vload, &[start, at], &[Type::Vector(plan.lane)], descr)
            }
            (Step::Store(_), Some(start)) => {
                let value = lanes.of(f, args[2]);
                let stored =
                    f.make_inst(Op::Vstore, &[start, at, value], &[], descr, None, Location::default());
                f.append_inst(body, stored);
                continue;
            }
            (Step::Reduce(position, value), _) => {
                let (Variable::Reduction(op, _), Some(sum)) = (plan.variables[position], sums[position])
                else {
                    unreachable!("a sum has a vector")
                };
                let value = lanes.of(f, value);
                let op = op.in_each_lane().expect("what joins lanes is done in each, too");
                more[position] = Some(make(f, body, op, &[sum, value], &[], None));
                continue;
            }
            (Step::Lanes(op, swapped), _) => {
                let mut operands: Vec<Value> = args.iter().map(|&arg| lanes.of(f, arg)).collect();
                if swapped {
                    operands.reverse();
                }
                make(f, body, op, &operands, &[], None)
            }
            (Step::Same, _) => lanes.of(f, args[0]),
            (Step::Load(_) | Step::Store(_), None) => unreachable!("an access has an address"),
        };
        lanes.values.insert(f.result(inst), vector);
    }
    more
}

/// What every lane of a sum begins with: what changes nothing, or what the sum begins with where that may be put to it twice.
fn begin(f: &mut Function, op: Op, start: Value) -> Value {
    match (op.row().algebra.equal, op.row().algebra.identity) {
        (Some(EqualOperands::Operand), _) | (_, None) => start,
        _ if fault!("loop-vectorize: every lane of a sum begins with what it is") => start,
        (_, Some(identity)) => {
            let width = f.ty(start).int_width().expect("sums are of integers");
            f.make_constant(Int::new(width, identity as u64))
        }
    }
}

/// What the variables of the loop are behind so many vectors.
fn what_is_left(
    f: &mut Function,
    rest: Block,
    plan: &Plan,
    (full, begins): (Value, &[Value]),
    sums: &[Option<Value>],
    expressions: &mut Expressions,
) -> Vec<Value> {
    let count = expressions.unknown(full, 64);
    let done = expressions.times(count, i64::from(plan.lane.count()));
    let counters: Vec<Option<Expr>> = (plan.variables.iter())
        .map(|variable| match *variable {
            Variable::Counter(start, step) => {
                let done = expressions.unsigned_to(done, expressions.width(start));
                let way = expressions.mul(step, done);
                Some(expressions.add(start, way))
            }
            Variable::Reduction(..) => None,
        })
        .collect();
    let mut writer = Writer::new(expressions, rest);
    let mut values = Vec::with_capacity(counters.len());
    for (position, counter) in counters.into_iter().enumerate() {
        let value = match (counter, plan.variables[position], sums[position]) {
            (Some(counter), ..) => writer.write(f, counter),
            (None, Variable::Reduction(op, _), Some(sum)) => {
                let across = op.across_lanes().expect("lanes are joined by it");
                let joined = make(f, rest, across, &[sum], &[], None);
                let start = f.int_constant(begins[position]).map(Int::signed);
                match (op.row().algebra.equal, op.row().algebra.identity) {
                    (Some(EqualOperands::Operand), _) => joined,
                    (_, Some(identity)) if start == Some(identity) => joined,
                    _ => make(f, rest, op, &[begins[position], joined], &[], None),
                }
            }
            _ => unreachable!("a variable counts or is a sum"),
        };
        values.push(value);
    }
    values
}
