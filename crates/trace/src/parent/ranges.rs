//! What a parent does up to a guard, as a trace whose results are the integers that the guard hands over: what they can be
//! is found out by whoever knows of ranges.

use planish_base::fault;

use super::words::name;
use crate::opcode::{Kind, Opcode};
use crate::text::{Arg, OpData, Trace, Var};

/// What an integer can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// The least number.
    pub least: i64,
    /// The greatest number.
    pub greatest: i64,
    /// The bits that are known.
    pub known: u64,
    /// Those of them that are set.
    pub ones: u64,
}

/// The operations from the last label before a guard on, up to where the guard fails, and the integers among what it hands
/// over. Nothing without those. At the label anything may come in: others go there too.
pub(super) fn ending_at(parent: &Trace, guard: usize, handed: &[Var]) -> Option<(Trace, Vec<Var>)> {
    let integers: Vec<Var> =
        handed.iter().copied().filter(|&var| parent.vars[var].kind == Kind::Int).collect();
    if integers.is_empty() {
        return None;
    }
    let label = parent.ops[..guard].iter().rposition(|op| name(op) == "label");
    let mut trace = Trace {
        inputs: label.map_or(parent.inputs, |label| parent.ops[label].args),
        begins: parent.begins,
        lists: parent.lists.clone(),
        vars: parent.vars.clone(),
        resumes: parent.resumes.clone(),
        ..Trace::default()
    };
    trace.ops.extend_from_slice(&parent.ops[label.map_or(0, |label| label + 1)..guard]);
    let opposite = match name(&parent.ops[guard]) {
        "guard_true" if fault!("bridge: ranges are those behind the guard") => {
            Opcode::from_name("guard_true")
        }
        "guard_true" => Opcode::from_name("guard_false"),
        "guard_false" => Opcode::from_name("guard_true"),
        _ => None,
    };
    trace.ops.extend(opposite.map(|opcode| OpData { opcode: Some(opcode), ..parent.ops[guard] }));
    let results: Vec<Arg> = integers.iter().copied().map(Arg::Var).collect();
    let args = trace.lists.push(&results);
    trace.ops.push(OpData {
        opcode: Opcode::from_name("finish"),
        result: None,
        args,
        descr: None,
        fail: None,
        resume: None,
        ..parent.ops[guard]
    });
    Some((trace, integers))
}
