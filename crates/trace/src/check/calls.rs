//! Calls, held against what a header declares of the callee: kinds of arguments and of the result.
//!
//! PyPy's tests declare the same signature for every function, whatever it is called with; a file that says that it is one of
//! them (`#! trace 1`) is believed.

use crate::declare::signature_of;
use crate::header::{Header, Signature};
use crate::opcode::{Kind, Opcode};
use crate::read::kind_of;
use crate::text::{OpData, Trace};

/// What is wrong with a call of a declared callee.
pub(super) fn misfit(
    op: &OpData,
    opcode: Opcode,
    trace: &Trace,
    name: &str,
    header: &Header,
) -> Option<String> {
    let callee = header.calls.get(name).filter(|_| !header.is_of_pypys_tests)?;
    let signature = &callee.signature;
    // What is made of a call by its meaning has the kinds of that.
    if let Some(word) = &callee.oopspec
        && let Some(meant) = signature_of(word).filter(|&meant| meant != spelled(signature))
    {
        return Some(format!(
            "`{name}` is declared as `{}`, and a callee of oopspec `{word}` is `{meant}`",
            spelled(signature)
        ));
    }
    let args = trace.args(op);
    let called = args.get(ahead(opcode)..).unwrap_or_default();
    let kinds: Vec<Option<Kind>> = called.iter().map(|arg| kind_of(arg, trace)).collect();
    let result = match opcode.name() {
        "record_known_result" => args.first().and_then(|arg| kind_of(arg, trace)),
        _ => opcode.row().result,
    };
    let fits = |(&wanted, &given): (&Kind, &Option<Kind>)| given.is_none_or(|given| given == wanted);
    let is_called_so = kinds.len() == signature.args.len()
        && signature.args.iter().zip(&kinds).all(fits)
        // What a call gives may be dropped.
        && result.is_none_or(|result| signature.result == Some(result));
    if is_called_so {
        return None;
    }
    let given = Signature { args: kinds.iter().map(|kind| kind.unwrap_or(Kind::Int)).collect(), result };
    Some(format!("`{name}` is declared as `{}`, and called as `{}`", spelled(signature), spelled(&given)))
}

/// How many operands stand in front of what a callee takes: the callee, and what says whether it is called.
pub(super) fn ahead(opcode: Opcode) -> usize {
    let name = opcode.name();
    let two = ["cond_call", "call_release_gil", "record_known_result"];
    if two.iter().any(|begin| name.starts_with(begin)) { 2 } else { 1 }
}

/// A signature as a header spells it.
fn spelled(signature: &Signature) -> String {
    let letter = |kind: Kind| if kind == Kind::Ref { 'r' } else { kind.letter() };
    let args: String = signature.args.iter().map(|&kind| letter(kind)).collect();
    format!("({args}){}", signature.result.map_or('v', letter))
}
