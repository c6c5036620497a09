//! The graph under construction: the pure operations of a function, each with the class that it is in.

use std::cell::RefCell;

use planish_base::{Budget, SideTable};
use planish_domain::IntFact;
use planish_ir::{Const, Function, Inst, Terminator, Value};
use planish_ops::world::Descr;
use planish_ops::{Op, Type};
use planish_pass::record::{Record, Site};

use super::bodies::{Bodies, is_node};
use super::graph::{Class, Graph};
use super::rules::Rules;

/// The graph under construction.
pub(super) struct Lift<'r> {
    pub graph: Graph<'r>,
    /// The class of values that are nodes.
    pub classes: SideTable<Value, Option<Class>>,
    /// The number of the block that defines a leaf; constants are available at the entry.
    pub homes: SideTable<Value, u32>,
    pub rules: Rules<'r>,
    pub depth: Budget,
    pub members: Budget,
    pub made: Budget,
    pub made_in_all: Budget,
    pub in_bodies: Budget,
    pub on_constants: Budget,
    pub bodies: &'r Bodies,
    pub looks: RefCell<Budget>,
    pub rewrites: u64,
}

impl Lift<'_> {
    /// The class of a value.
    pub fn class(&mut self, function: &Function, value: Value) -> Class {
        if let Some(class) = self.classes[value] {
            return self.graph.find(class);
        }
        let fact = match (function.constant(value), function.ty(value)) {
            (Some(Const::Int(int)), _) => Some(IntFact::constant(int)),
            (_, Type::Int(width)) => Some(IntFact::top(u32::from(width))),
            _ => None,
        };
        let class = self.graph.leaf(value, function.ty(value), self.homes[value], fact);
        self.graph.find(class)
    }

    /// Makes a node of an instruction, with all that rules make of it.
    pub fn node(&mut self, function: &mut Function, inst: Inst, record: &mut Record) {
        let args = self.operands(function, inst);
        let (op, result) = (function.inst(inst).op, function.result(inst));
        let ty = function.ty(result);
        let site = Site { inst: Some(inst), op: Some(op), location: function.inst(inst).location };
        self.made.refill();
        self.looks.get_mut().refill();
        let class =
            self.add(function, op, &args, ty, Origin { site, depth: 0, calls: 0, rule: None }, record);
        self.classes[result] = Some(class);
    }

    /// Makes a node of a call of an expression, with its body.
    pub fn call_node(&mut self, function: &mut Function, inst: Inst, callee: Descr, record: &mut Record) {
        let args = self.operands(function, inst);
        let site = Site { inst: Some(inst), op: Some(Op::Call), location: function.inst(inst).location };
        let parts =
            self.call(function, callee, &args, Origin { site, depth: 0, calls: 0, rule: None }, record);
        for (result, part) in function.results(inst).zip(parts) {
            self.classes[result] = Some(part);
        }
    }

    pub fn operands(&mut self, function: &Function, inst: Inst) -> Vec<Class> {
        function.args(inst).iter().map(|&arg| self.class(function, arg)).collect()
    }

    /// Whether an instruction is a node, and not of the skeleton.
    pub fn floats(&self, function: &Function, inst: Inst) -> bool {
        is_node(function, inst) || self.bodies.called(function, inst).is_some()
    }

    /// The classes that the skeleton uses.
    pub fn roots(&self, function: &Function) -> Vec<Class> {
        let mut used: Vec<Value> = Vec::new();
        for &block in function.blocks() {
            for &inst in function.block_insts(block) {
                if !self.floats(function, inst) {
                    used.extend_from_slice(function.args(inst));
                }
                if let Some(exit) = function.inst(inst).exit {
                    used.extend_from_slice(function.exit_args(exit));
                }
            }
            let terminator = function.terminator(block);
            used.extend(terminator.condition());
            terminator.calls().for_each(|call| used.extend_from_slice(function.list(call.args)));
            match terminator {
                Terminator::Return(results) => used.extend_from_slice(function.list(*results)),
                Terminator::Throw(_, Some(exit)) => used.extend_from_slice(function.exit_args(*exit)),
                _ => {}
            }
        }
        let classes = used.into_iter().filter_map(|value| self.classes[value]);
        let mut roots: Vec<Class> = classes.map(|class| self.graph.newest(class)).collect();
        roots.sort_unstable();
        roots.dedup();
        roots
    }
}

/// An operation to make: where it comes from and how many rules led to it.
#[derive(Clone, Copy)]
pub(super) struct Origin {
    /// The instruction of the program that it is made for.
    pub site: Site,
    /// How many rules led to it, or 1 in a body.
    pub depth: u32,
    /// In how many bodies of calls it is.
    pub calls: u32,
    /// The number of the last of those rules.
    pub rule: Option<u32>,
}
