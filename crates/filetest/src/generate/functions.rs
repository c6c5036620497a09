//! Functions that a random function refers to, and the signatures of calls through references.

use arbitrary::{Result, Unstructured};
use planish_ir::module::Descriptor;
use planish_ir::references::signature;
use planish_ir::{Builder, Const, Module, Value};
use planish_ops::world::{CallEffect, Descr};
use planish_ops::{Op, Type};

use super::constant;

/// The names of the functions.
pub(super) const NAMES: [&str; 4] = ["g0", "g1", "g2", "g3"];

/// What a call through a reference is asked for: words for a word, now and then what no function takes.
pub(super) fn operands(u: &mut Unstructured<'_>, types: &[Type]) -> Result<Vec<Type>> {
    Ok(if u.ratio(7, 8)? { vec![types[0]] } else { vec![*u.choose(types)?; 2] })
}

/// The descriptor of calls of a signature. What they call computes, and may trap.
pub(super) fn descriptor(module: &mut Module, operands: &[Type], results: &[Type]) -> Descr {
    let name = signature(operands.iter().copied(), results.iter().copied());
    let effect = CallEffect { raises: true, ..CallEffect::pure() };
    module.descriptors.intern(name, || Descriptor::Callee(effect))
}

/// Adds the functions, each from a word to words: one may trap, and the last calls through a reference.
pub(super) fn add(u: &mut Unstructured<'_>, module: &mut Module, word: Type) -> Result<()> {
    for (number, name) in NAMES.into_iter().enumerate() {
        let more = u.ratio(1, 4)?;
        let results = if more { vec![word; 2] } else { vec![word] };
        let mut b = Builder::new(name, &results);
        let entry = b.block("e");
        let x = b.param(entry, word);
        b.at(entry);
        let constant = constant::of(u, word)?;
        let constant = b.constant(constant);
        let y: Value = match number {
            0 | 1 => b.op(*u.choose(&[Op::Add, Op::Mul, Op::Xor, Op::Sub])?, &[x, constant]),
            2 => b.op(Op::Sdiv, &[constant, x]),
            _ => {
                let callee = module.symbol(u.choose(&NAMES[..3])?);
                let callee = b.constant(Const::Symbol(callee, Type::Ref));
                let descr = descriptor(module, &[word], &[word]);
                let call = b.inst(Op::CallRef, &[callee, x], &[word], Some(descr), None);
                b.function().result(call)
            }
        };
        b.ret(&[y, x][..results.len()]);
        module.functions.push(b.finish());
    }
    Ok(())
}
