//! Runs traces over words and objects of named fields, on in the loops that they enter.

use std::collections::HashMap;

use planish_ops::{Datum, Fold, Int, Machine, Op, Type, fold};
use planish_trace::{Const, Leave, Operand, Recipe, Slot, Step, Trace, Value};

/// A value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Val {
    Int(Int),
    Object(usize),
    Null,
}

/// What became of a run: the exit and what it hands over, objects as what they hold.
#[derive(PartialEq, Eq, Debug)]
pub struct Left {
    pub number: u32,
    pub values: Vec<String>,
}

/// Objects by their number: fields by the number of their word.
type Heap = Vec<HashMap<usize, Val>>;

/// No run goes round more often.
const ROUNDS: usize = 500;

/// Runs a trace from its beginning, and on in the first loop of `entered` where it goes there.
pub fn run(trace: &Trace, entered: &Trace, inputs: &[i64], object: i64, field: usize) -> Option<Left> {
    let mut heap: Heap = vec![HashMap::from([(field, word(object))])];
    let mut ints = inputs.iter().copied();
    let given = trace.inputs().iter().map(|&input| match trace.ty(input) {
        Type::Ref => Val::Object(0),
        _ => word(ints.next().expect("as many words as inputs")),
    });
    let given: Vec<Val> = given.collect();
    match go(trace, &mut heap, Start::Inputs, &given)? {
        End::Left(left) => Some(left),
        End::Entered(state) => match go(entered, &mut heap, Start::Loop, &state)? {
            End::Left(left) => Some(left),
            End::Entered(_) => unreachable!("a loop that goes round in itself"),
        },
    }
}

enum Start {
    Inputs,
    Loop,
}

enum End {
    Left(Left),
    Entered(Vec<Val>),
}

fn word(value: i64) -> Val {
    Val::Int(Int::new(64, value as u64))
}

/// Runs a trace; nothing where it goes round too often.
fn go(trace: &Trace, heap: &mut Heap, start: Start, given: &[Val]) -> Option<End> {
    let steps: Vec<Step<'_>> = trace.steps().collect();
    let is_loop = |step: &Step<'_>| matches!(step, Step::Loop { .. });
    let heads: Vec<usize> = (0..steps.len()).filter(|&at| is_loop(&steps[at])).collect();
    let mut values = vec![None; trace.value_count()];
    let mut at = match start {
        Start::Inputs => {
            set(&mut values, trace, trace.inputs(), given);
            0
        }
        Start::Loop => {
            let Step::Loop { params, .. } = steps[heads[0]] else { unreachable!("it is one") };
            set(&mut values, trace, params, given);
            heads[0] + 1
        }
    };
    let mut rounds = 0;
    loop {
        match steps[at] {
            Step::Loop { params, state } => {
                let state = get(&values, trace, state);
                set(&mut values, trace, params, &state);
            }
            Step::Jump(state) => {
                rounds += 1;
                if rounds > ROUNDS {
                    return None;
                }
                at = heads[trace.jumps_to().expect("a trace that jumps")];
                let Step::Loop { params, .. } = steps[at] else { unreachable!("it is one") };
                let state = get(&values, trace, state);
                set(&mut values, trace, params, &state);
            }
            Step::Finish(_) => unreachable!("none of these traces does"),
            Step::Enter { state, .. } => return Some(End::Entered(get(&values, trace, state))),
            Step::Operation(operation) => {
                let operands = get(&values, trace, operation.operands);
                if fails(operation.op, &operands) {
                    let leave = operation.leave.expect("a guard leaves");
                    return Some(End::Left(leaving(trace, &leave, &values, heap)));
                }
                let results: Vec<Value> = trace.results(&operation).collect();
                let descr = operation.descr.map(planish_base::Id::index);
                let types: Vec<Type> = results.iter().map(|&value| trace.ty(value)).collect();
                if let Some(value) = execute(operation.op, descr, &operands, &types, heap) {
                    set(&mut values, trace, &results, &[value]);
                }
            }
        }
        at += 1;
    }
}

fn fails(op: Op, operands: &[Val]) -> bool {
    let is_true = |value: Val| matches!(value, Val::Int(int) if int.is_true());
    match op {
        Op::GuardTrue => !is_true(operands[0]),
        Op::GuardFalse => is_true(operands[0]),
        Op::GuardNonnull => operands[0] == Val::Null,
        Op::GuardNonnullClass | Op::GuardClass => operands[0] == Val::Null,
        Op::GuardValue => operands[0] != operands[1],
        _ => false,
    }
}

/// Does an operation that is no guard.
fn execute(op: Op, descr: Option<usize>, operands: &[Val], to: &[Type], heap: &mut Heap) -> Option<Val> {
    let field = || descr.expect("a field");
    match (op, operands) {
        (Op::GuardTrue | Op::GuardFalse | Op::GuardNonnull | Op::GuardValue, _) => None,
        (Op::GuardNonnullClass | Op::GuardClass, _) => None,
        (Op::New, []) => {
            heap.push(HashMap::new());
            Some(Val::Object(heap.len() - 1))
        }
        (Op::GetField, &[Val::Object(object)]) => {
            Some(heap[object].get(&field()).copied().unwrap_or(Val::Null))
        }
        (Op::SetField, &[Val::Object(object), value]) => {
            heap[object].insert(field(), value);
            None
        }
        (Op::RefEq | Op::RefNe, &[a, b]) => Some(word(i64::from((a == b) == (op == Op::RefEq)))),
        _ => {
            let data = operands.iter().map(|operand| match operand {
                Val::Int(int) => Datum::<Machine>::Word(*int),
                other => panic!("{op} of {other:?}"),
            });
            match fold(op, &data.collect::<Vec<_>>(), to) {
                Some(Fold::Int(int)) => Some(Val::Int(int)),
                other => panic!("{op} gives {other:?}"),
            }
        }
    }
}

fn get(values: &[Option<Val>], trace: &Trace, wanted: &[Value]) -> Vec<Val> {
    let value = |&value: &Value| match trace.operand(value) {
        Operand::Const(Const::Int(int)) => Val::Int(int),
        Operand::Const(Const::Null) => Val::Null,
        // The class of a guard: all objects are of one.
        Operand::Const(_) => Val::Null,
        Operand::Value(value) => values[trace.number(value)].expect("what is used was made"),
    };
    wanted.iter().map(value).collect()
}

fn set(values: &mut [Option<Val>], trace: &Trace, params: &[Value], given: &[Val]) {
    assert_eq!(params.len(), given.len(), "as many values as are taken");
    for (&param, &value) in params.iter().zip(given) {
        let fits = match value {
            Val::Int(int) => trace.ty(param) == int.ty(),
            Val::Object(_) | Val::Null => trace.ty(param) == Type::Ref,
        };
        assert!(fits, "{value:?} is handed over for a value of type {}", trace.ty(param));
        values[trace.number(param)] = Some(value);
    }
}

fn leaving(trace: &Trace, leave: &Leave<'_>, values: &[Option<Val>], heap: &mut Heap) -> Left {
    let live = get(values, trace, leave.live);
    let state = match leave.recipe {
        Some(recipe) => made(recipe, &live, heap),
        None => live,
    };
    Left { number: leave.number, values: state.iter().map(|&value| shown(value, heap, 3)).collect() }
}

/// What a recipe hands over.
fn made(recipe: &Recipe, live: &[Val], heap: &mut Heap) -> Vec<Val> {
    let mut results: Vec<Option<Val>> = Vec::new();
    let value = |slot: Slot, results: &[Option<Val>]| match slot {
        Slot::Arg(position) => live[position as usize],
        Slot::Made(step) => results[step as usize].expect("a step with a result"),
    };
    for step in &recipe.steps {
        let operands: Vec<Val> = recipe.operands(step).iter().map(|&slot| value(slot, &results)).collect();
        results.push(execute(step.op, step.descr.map(planish_base::Id::index), &operands, &[], heap));
    }
    recipe.state.iter().map(|&slot| value(slot, &results)).collect()
}

/// A value, and what it holds to a depth.
fn shown(value: Val, heap: &Heap, depth: usize) -> String {
    match value {
        Val::Int(int) => int.signed().to_string(),
        Val::Null => "null".to_owned(),
        Val::Object(_) if depth == 0 => "...".to_owned(),
        Val::Object(object) => {
            let mut fields: Vec<_> = heap[object].iter().collect();
            fields.sort_by_key(|(field, _)| **field);
            let fields =
                fields.iter().map(|(field, value)| format!("{field}={}", shown(**value, heap, depth - 1)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(" "))
        }
    }
}
