//! Whether the two programs of a critical pair become one.
//!
//! A [`Peak`] is a program that two rules of the book rewrite. Both results are made functions and optimized as any
//! other function is, by the whole engine: rules, algebra, folding, chains, facts. The pair *joins* if the engine leaves
//! the same text of both. What is known of a parameter becomes branches in front, which the engine learns from.
//!
//! The engine rewrites in one order, operands first, so a pair that does not join makes no result depend on chance. What it
//! may cost is quality: so of each such program it is asked as well what the engine makes of it by itself, and whether that
//! is as cheap as the better of the two ([`Apart::loss`]); and if not, whether the e-graph engine finds that.

use planish_domain::IntFact;
use planish_ir::{Block, Builder, Form, Function, Module, Value};
use planish_ops::{Op, Real, Type};
use planish_rules::RuleSet;
use planish_rules::critical::{Overlap, Peak, peaks};
use planish_rules::graph::{Val, View};
use planish_rules::matching::{Const, Subject};

use crate::dialect::Dialect;
use crate::reading::Writing;
use crate::session::Session;
use crate::settings::{EngineChoice, Settings};

/// How many programs of an overlap are tried.
const PEAKS: usize = 3;

/// What became of an overlap.
pub enum Joined {
    /// No program was found in which both rules fire.
    NoProgram,
    /// Every program that was tried becomes one, whichever rule begins.
    Yes,
    /// Of this one two are left.
    No(Box<Apart>),
}

/// A program that becomes one of two.
pub struct Apart {
    /// The program.
    pub peak: String,
    /// What is known of its parameters.
    pub given: Vec<String>,
    /// What the outer and the inner rule make of it.
    pub made: [String; 2],
    /// What the engine makes of these.
    pub left: [String; 2],
    /// What that costs.
    pub costs: [u64; 2],
    /// The cost of what the engine makes of the program by itself.
    pub taken: u64,
    /// The cost of what the e-graph engine makes of it.
    pub found: u64,
}

impl Apart {
    /// By how much the engine's own way is dearer than the better of the two.
    pub fn loss(&self) -> u64 {
        self.taken.saturating_sub(self.costs[0].min(self.costs[1]))
    }

    /// Whether the e-graph engine, which keeps all forms of a value, comes to what is as cheap as the better of the two.
    pub fn is_found(&self) -> bool {
        self.found <= self.costs[0].min(self.costs[1])
    }
}

/// Tries to join an overlap of two rules of a set. The error is the message of an engine that refuses a program.
pub fn join(set: &RuleSet, overlap: Overlap) -> Result<Joined, String> {
    let found = peaks(set, overlap, PEAKS);
    if found.is_empty() {
        return Ok(Joined::NoProgram);
    }
    // Of several programs that stay apart the one that loses most is shown.
    let (mut worst, plain): (Option<Apart>, _) = (None, EngineChoice::Linear);
    for peak in found {
        let [(first, first_cost), (second, second_cost)] =
            [optimized(&peak, peak.left, plain)?, optimized(&peak, peak.right, plain)?];
        if first != second {
            let name = |value: Val| peak.names[value].clone().unwrap_or_default();
            let apart = Apart {
                peak: peak.show((peak.peak.0, None)),
                given: peak.given.iter().map(|(value, fact)| format!("{}: {fact}", name(*value))).collect(),
                made: [peak.show(peak.left), peak.show(peak.right)],
                left: [first, second],
                costs: [first_cost, second_cost],
                taken: optimized(&peak, peak.peak, plain)?.1,
                found: optimized(&peak, peak.peak, EngineChoice::Egraph)?.1,
            };
            if worst.as_ref().is_none_or(|worst| apart.loss() > worst.loss()) {
                worst = Some(apart);
            }
        }
    }
    Ok(worst.map_or(Joined::Yes, |apart| Joined::No(Box::new(apart))))
}

/// What the engine leaves of a program, and what that costs by the table.
fn optimized(peak: &Peak, result: (Val, Option<Val>), engine: EngineChoice) -> Result<(String, u64), String> {
    let mut module = Module::new();
    let function = Translation::new(peak).function(result);
    module.functions.push(function);
    let mut session = Session::of_module(module, Form::Cfg);
    session.optimize(&Settings { engine, ..Settings::default() })?;
    let functions = session.module().into_iter().flat_map(|module| module.functions.values());
    let cost = functions
        .flat_map(|f| {
            f.live_insts().map(|(_, inst)| u64::from(f.inst(inst).op.row().cost)).collect::<Vec<_>>()
        })
        .sum();
    let bytes = session.write(Dialect::Ssa, Writing::default())?;
    Ok((String::from_utf8(bytes).map_err(|error| error.to_string())?, cost))
}

/// A program of a peak as a function.
struct Translation<'p> {
    peak: &'p Peak,
    builder: Builder,
    params: Vec<Value>,
    made: Vec<(Val, Value)>,
}

impl<'p> Translation<'p> {
    fn new(peak: &'p Peak) -> Self {
        let mut builder = Builder::new("pair", &[]);
        let entry = builder.block("entry");
        let params = peak.graph.param_types().into_iter().map(|ty| builder.param(entry, ty)).collect();
        builder.at(entry);
        Translation { peak, builder, params, made: Vec::new() }
    }

    fn function(mut self, (value, flag): (Val, Option<Val>)) -> Function {
        let results: Vec<Val> = std::iter::once(value).chain(flag).collect();
        let types: Vec<Type> = results.iter().map(|&value| self.peak.graph.ty(value)).collect();
        self.builder.set_result_types(&types);
        let other = self.builder.block("other");
        for (param, fact) in &self.peak.given {
            self.assume(*param, *fact, other);
        }
        let values: Vec<Value> = results.iter().map(|&value| self.value(value)).collect();
        self.builder.ret(&values);
        self.builder.at(other);
        let nothing: Vec<Value> = types.iter().map(|&ty| zero(&mut self.builder, ty)).collect();
        self.builder.ret(&nothing);
        self.builder.finish()
    }

    /// Goes on only where a parameter is what it is known to be.
    fn assume(&mut self, param: Val, fact: IntFact, other: Block) {
        let value = self.value(param);
        let ty = self.peak.graph.ty(param);
        for (op, bound) in [(Op::Ge, fact.lo()), (Op::Le, fact.hi())] {
            let bound = self.builder.int(ty, bound);
            let holds = self.builder.op_as(op, &[value, bound], Type::I1);
            self.go_on(holds, other);
        }
        if IntFact::interval(fact.width(), fact.lo(), fact.hi()) == fact {
            return;
        }
        let words = fact.to_words();
        for (mask, bits) in [(words.zeros, 0), (words.ones, words.ones.signed())] {
            let mask = self.builder.constant(mask);
            let masked = self.builder.op(Op::And, &[value, mask]);
            let bits = self.builder.int(ty, bits);
            let holds = self.builder.op_as(Op::Eq, &[masked, bits], Type::I1);
            self.go_on(holds, other);
        }
    }

    fn go_on(&mut self, holds: Value, other: Block) {
        let next = self.builder.block("known");
        self.builder.branch(holds, next, other);
        self.builder.at(next);
    }

    fn value(&mut self, of: Val) -> Value {
        if let Some((_, value)) = self.made.iter().find(|(made, _)| *made == of) {
            return *value;
        }
        let value = match self.peak.graph.view(of) {
            View::Param(number) => self.params[number],
            View::Const(Const::Int(int)) => self.builder.constant(int),
            View::Const(Const::Real(real)) => self.builder.real(real),
            View::Op(op, args) => {
                let args: Vec<Value> = args.iter().map(|&arg| self.value(arg)).collect();
                self.builder.op_as(op, &args, self.peak.graph.ty(of))
            }
            View::Flag(of) => {
                let first = self.value(of);
                let function = self.builder.function();
                let inst = function.def_inst(first).expect("an operation has two results");
                function.results(inst).nth(1).expect("an operation has two results")
            }
        };
        self.made.push((of, value));
        value
    }
}

fn zero(builder: &mut Builder, ty: Type) -> Value {
    match ty {
        Type::Float(format) => builder.real(Real::from_bits(format, 0)),
        ty => builder.int(ty, 0),
    }
}
