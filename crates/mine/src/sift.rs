//! What the optimizer leaves of a term: with the book and the rules that were found before, and with one more rule.
//!
//! A rule that follows from those that there are leaves nothing less, whether what is inside of its pattern dies or not.

use std::sync::Arc;

use planish_driver::{Session, Settings};
use planish_ir::module::Descriptor;
use planish_ir::{Builder, Form, Function, Module, Value};
use planish_ops::world::{Location, Mutability};
use planish_ops::{Int, Op, Type};
use planish_rules::RuleSet;

use crate::pattern;
use crate::term::{Kind, Term};

/// What is left of a term where it stands alone, and where each of its operations is used elsewhere, too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Remains {
    /// Where it stands alone.
    pub alone: u64,
    /// Where all operations are used.
    pub shared: u64,
}

impl Remains {
    /// Whether less is left than otherwise, in one place or the other, and nowhere more.
    pub fn is_better_than(self, other: Remains) -> bool {
        self != other && self.alone <= other.alone && self.shared <= other.shared
    }
}

/// Optimizes a term, its constants being these numbers, with rules besides those of the settings. Nothing where the engine refuses it.
pub fn remains(
    term: &Term,
    numbers: &[Int],
    settings: &Settings,
    rules: Option<&Arc<RuleSet>>,
) -> Option<Remains> {
    let term = term.with_numbers(numbers);
    let left = |shared: bool| -> Option<u64> {
        let mut module = Module::new();
        let function = function(&mut module, &term, shared);
        module.functions.push(function);
        let mut session = Session::of_module(module, Form::Cfg);
        session.optimize(&Settings { rules: rules.cloned(), ..settings.clone() }).ok()?;
        let functions = session.module()?.functions.values();
        Some(functions.flat_map(|f| f.live_insts().map(|(_, inst)| u64::from(f.row(inst).cost))).sum())
    };
    Some(Remains { alone: left(false)?, shared: left(true)? })
}

/// A term as a function of its values, which yields it; or all of its operations. Values of which few bits are known to be set are
/// read where no more are stored.
fn function(module: &mut Module, term: &Term, shared: bool) -> Function {
    let mut builder = Builder::new("term", &[]);
    let entry = builder.block("entry");
    let mut values: Vec<Value> = Vec::new();
    for (number, ty) in (0..).zip(term.value_types()) {
        values.push(match term.bits_of(number) {
            None => builder.param(entry, ty),
            Some(bits) => {
                builder.at(entry);
                let stored = || Descriptor::Location(narrow(ty, bits, number));
                let descr = module.descriptors.intern(pattern::value(number), stored);
                let load = builder.inst(Op::GetStatic, &[], &[ty], Some(descr), None);
                builder.function().result(load)
            }
        });
    }
    builder.at(entry);
    let mut made: Vec<Value> = Vec::new();
    for node in &term.nodes {
        let value = match &node.kind {
            Kind::Value(number) => values[*number as usize],
            Kind::Literal(number) => builder.int(node.ty, *number),
            Kind::Constant(_) => unreachable!("constants have numbers"),
            Kind::Op(op, args) => {
                let args: Vec<Value> = args.iter().map(|&arg| made[arg as usize]).collect();
                builder.op_as(*op, &args, node.ty)
            }
        };
        made.push(value);
    }
    let last = term.nodes.len() - 1;
    let is_result = |at: &usize| *at == last || shared && matches!(term.nodes[*at].kind, Kind::Op(..));
    let results: Vec<usize> = (0..term.nodes.len()).filter(is_result).collect();
    let types: Vec<_> = results.iter().map(|&at| term.nodes[at].ty).collect();
    builder.set_result_types(&types);
    let results: Vec<Value> = results.iter().map(|&at| made[at]).collect();
    builder.ret(&results);
    builder.finish()
}

/// Where a value of so many bits is stored, apart from others.
fn narrow(ty: Type, bits: u8, number: u8) -> Location {
    Location {
        ty,
        stored_bits: Some(bits),
        signed: false,
        mutability: Mutability::Mutable,
        alias_class: u32::from(number),
        raw: false,
    }
}
