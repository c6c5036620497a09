//! Flat code from a trace: a slot for each value, one small instruction for each operation.

use planish_trace::{Const, Leave, Op, Operand, Recipe, Slot, Step, Trace, Type, Value};

use crate::bytecode::{Heap, INT, Reference};

/// What runs.
pub struct Code {
    slots: usize,
    /// Constants, by slot.
    constants: Vec<(usize, i64)>,
    inputs: Vec<usize>,
    instructions: Vec<Machine>,
    exits: Vec<Exit>,
}

/// What runs a trace, however it was compiled.
pub trait Run {
    /// Runs until a guard leaves: the number of its exit, and the values asked for there.
    fn run(&self, inputs: &[Reference], heap: &mut Heap) -> (usize, Vec<i64>);
}

/// A way out of the code.
pub struct Exit {
    number: usize,
    /// The slots that are kept for it.
    live: Vec<usize>,
    /// Boxes that are made only here: made of what is kept.
    recipe: Option<Recipe>,
}

/// Computes a number of two.
type Plain = fn(i64, i64) -> i64;

/// Computes a number of two, and tells whether it overflowed.
type Checked = fn(i64, i64) -> (i64, bool);

/// An instruction; numbers are slots.
enum Machine {
    Move {
        to: Vec<usize>,
        from: Vec<usize>,
    },
    Plain(Plain, usize, usize, usize),
    Checked(Checked, [usize; 2], usize, usize),
    GuardTrue(usize, usize),
    GuardFalse(usize, usize),
    GuardClass(usize, usize),
    New(usize),
    Get(usize, usize),
    Set(usize, usize),
    /// Back to an instruction; before the heap is cleaned, `references` are all that may be used again.
    Jump {
        to: Vec<usize>,
        from: Vec<usize>,
        target: usize,
        references: Vec<usize>,
    },
}

/// The trace has an operation that this back end does not know.
#[derive(Debug)]
pub struct Unsupported;

/// Compiles a trace.
pub fn compile(trace: &Trace) -> Result<Code, Unsupported> {
    let mut code = Code {
        slots: trace.value_count(),
        constants: Vec::new(),
        inputs: slots(trace, trace.inputs()),
        instructions: Vec::new(),
        exits: Vec::new(),
    };
    let mut head = (0, Vec::new(), Vec::new());
    for step in trace.steps() {
        let instruction = match step {
            Step::Loop { params, state } => {
                let (to, from) = (slots(trace, params), code.read(trace, state)?);
                // What lives in the next iteration too: what an input refers to may be used in all of them.
                let lasting = trace.inputs().iter().chain(params);
                let references = lasting.filter(|&&value| trace.ty(value) == Type::Ref);
                let references = references.map(|&value| trace.number(value)).collect();
                head = (code.instructions.len() + 1, to.clone(), references);
                Machine::Move { to, from }
            }
            Step::Jump(state) => {
                let from = code.read(trace, state)?;
                let (target, to, references) = head.clone();
                Machine::Jump { to, from, target, references }
            }
            Step::Finish(_) | Step::Enter { .. } => return Err(Unsupported),
            Step::Operation(operation) => {
                let operands = code.read(trace, operation.operands)?;
                let results: Vec<usize> =
                    trace.results(&operation).map(|value| trace.number(value)).collect();
                let exit = code.exits.len();
                if let Some(leave) = operation.leave {
                    code.read(trace, leave.live)?;
                    code.exits.push(Exit::new(trace, &leave)?);
                }
                match (operation.op, &operands[..], &results[..]) {
                    (Op::GuardTrue, &[c], _) => Machine::GuardTrue(c, exit),
                    (Op::GuardFalse, &[c], _) => Machine::GuardFalse(c, exit),
                    (Op::GuardNonnullClass | Op::GuardClass, &[object, _], _) => {
                        Machine::GuardClass(object, exit)
                    }
                    (Op::New, [], &[object]) => Machine::New(object),
                    (Op::GetField, &[object], &[value]) => Machine::Get(value, object),
                    (Op::SetField, &[object, value], _) => Machine::Set(object, value),
                    (op, &[a, b], &[result]) => Machine::Plain(plain(op)?, result, a, b),
                    (op, &[a, b], &[result, overflows]) => {
                        Machine::Checked(overflowing(op)?, [result, overflows], a, b)
                    }
                    _ => return Err(Unsupported),
                }
            }
        };
        code.instructions.push(instruction);
    }
    Ok(code)
}

fn slots(trace: &Trace, values: &[Value]) -> Vec<usize> {
    values.iter().map(|&value| trace.number(value)).collect()
}

fn plain(op: Op) -> Result<Plain, Unsupported> {
    Ok(match op {
        Op::Add => i64::wrapping_add,
        Op::Sub => i64::wrapping_sub,
        Op::Mul => i64::wrapping_mul,
        Op::And => |a, b| a & b,
        Op::Or => |a, b| a | b,
        Op::Xor => |a, b| a ^ b,
        Op::Lshift => |a, b| a.wrapping_shl(b as u32),
        Op::Rshift => |a, b| a.wrapping_shr(b as u32),
        Op::Lt => |a, b| i64::from(a < b),
        Op::Le => |a, b| i64::from(a <= b),
        Op::Gt => |a, b| i64::from(a > b),
        Op::Ge => |a, b| i64::from(a >= b),
        Op::Eq => |a, b| i64::from(a == b),
        Op::Ne => |a, b| i64::from(a != b),
        _ => return Err(Unsupported),
    })
}

fn overflowing(op: Op) -> Result<Checked, Unsupported> {
    Ok(match op {
        Op::AddOvf => i64::overflowing_add,
        Op::SubOvf => i64::overflowing_sub,
        Op::MulOvf => i64::overflowing_mul,
        _ => return Err(Unsupported),
    })
}

impl Code {
    /// The slots of operands; constants get theirs filled before the code runs.
    fn read(&mut self, trace: &Trace, values: &[Value]) -> Result<Vec<usize>, Unsupported> {
        for &value in values {
            if let Operand::Const(constant) = trace.operand(value) {
                let number = match constant {
                    Const::Int(int) => int.signed(),
                    // There is one class.
                    Const::Symbol(..) => i64::from(INT),
                    _ => return Err(Unsupported),
                };
                self.constants.push((trace.number(value), number));
            }
        }
        Ok(slots(trace, values))
    }
}

impl Run for Code {
    fn run(&self, inputs: &[Reference], heap: &mut Heap) -> (usize, Vec<i64>) {
        let mut slots = vec![0i64; self.slots];
        self.constants.iter().for_each(|&(slot, number)| slots[slot] = number);
        self.inputs.iter().zip(inputs).for_each(|(&slot, &input)| slots[slot] = input as i64);
        let mut buffer = Vec::new();
        let mut at = 0;
        loop {
            let failed = match &self.instructions[at] {
                Machine::Plain(compute, to, a, b) => {
                    slots[*to] = compute(slots[*a], slots[*b]);
                    None
                }
                Machine::Checked(compute, [to, overflows], a, b) => {
                    let (value, over) = compute(slots[*a], slots[*b]);
                    (slots[*to], slots[*overflows]) = (value, i64::from(over));
                    None
                }
                Machine::GuardTrue(condition, exit) => (slots[*condition] == 0).then_some(*exit),
                Machine::GuardFalse(condition, exit) => (slots[*condition] != 0).then_some(*exit),
                Machine::GuardClass(object, exit) => {
                    (heap.get(slots[*object] as Reference).class != INT).then_some(*exit)
                }
                Machine::New(to) => {
                    slots[*to] = heap.allocate(INT) as i64;
                    None
                }
                Machine::Get(to, object) => {
                    slots[*to] = heap.get(slots[*object] as Reference).value;
                    None
                }
                Machine::Set(object, value) => {
                    heap.set(slots[*object] as Reference, slots[*value]);
                    None
                }
                Machine::Move { to, from } => {
                    assign(&mut slots, to, from, &mut buffer);
                    None
                }
                Machine::Jump { to, from, target, references } => {
                    assign(&mut slots, to, from, &mut buffer);
                    if heap.is_full() {
                        let mut roots: Vec<Reference> =
                            references.iter().map(|&s| slots[s] as Reference).collect();
                        heap.collect(roots.iter_mut());
                        references.iter().zip(roots).for_each(|(&s, root)| slots[s] = root as i64);
                    }
                    at = *target;
                    continue;
                }
            };
            if let Some(exit) = failed {
                let exit = &self.exits[exit];
                let kept = exit.live.iter().map(|&slot| slots[slot]).collect();
                return exit.leave(kept, heap);
            }
            at += 1;
        }
    }
}

impl Exit {
    /// An exit, if its recipe makes boxes and nothing else.
    pub fn new(trace: &Trace, leave: &Leave<'_>) -> Result<Exit, Unsupported> {
        let steps = leave.recipe.map_or(&[][..], |recipe| &recipe.steps);
        if steps.iter().any(|step| !matches!(step.op, Op::New | Op::SetField)) {
            return Err(Unsupported);
        }
        let (number, live) = (leave.number as usize, slots(trace, leave.live));
        Ok(Exit { number, live, recipe: leave.recipe.cloned() })
    }

    /// The number of the exit, and what was asked for there, made of what was kept.
    pub fn leave(&self, mut kept: Vec<i64>, heap: &mut Heap) -> (usize, Vec<i64>) {
        kept.truncate(self.live.len());
        let state = match &self.recipe {
            Some(recipe) => rebuild(recipe, kept, heap),
            None => kept,
        };
        (self.number, state)
    }
}

/// Makes the boxes of a recipe.
fn rebuild(recipe: &Recipe, live: Vec<i64>, heap: &mut Heap) -> Vec<i64> {
    let mut made: Vec<i64> = Vec::new();
    let value = |slot: Slot, made: &[i64]| match slot {
        Slot::Arg(position) => live[position as usize],
        Slot::Made(step) => made[step as usize],
    };
    for step in &recipe.steps {
        let operands: Vec<i64> = recipe.operands(step).iter().map(|&slot| value(slot, &made)).collect();
        made.push(match operands[..] {
            [object, number] => {
                heap.set(object as Reference, number);
                0
            }
            _ => heap.allocate(INT) as i64,
        });
    }
    recipe.state.iter().map(|&slot| value(slot, &made)).collect()
}

/// Copies slots at once: what is written may be read by a later one of the same move.
fn assign(slots: &mut [i64], to: &[usize], from: &[usize], buffer: &mut Vec<i64>) {
    buffer.clear();
    buffer.extend(from.iter().map(|&slot| slots[slot]));
    to.iter().zip(buffer.iter()).for_each(|(&to, &value)| slots[to] = value);
}
