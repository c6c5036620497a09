//! Rewriting in the e-graph: making a node, and everything that is equal to it.
//!
//! A node is folded when its operands are constants, simplified by the algebra columns of the table, and
//! then matched: ordinary rules and those marked `explore` alike, all matches rather than the first. What
//! a rule builds is made in the same way, one level deeper. Cost decides in the end, so "only when the inner
//! operation has no other use" always holds here: the other form is kept as well.

use std::cell::RefCell;

use planish_base::{Budget, Id, fault};
use planish_domain::{IntFact, transfer};
use planish_ir::{Const, Function, Value};
use planish_ops::row::EqualOperands;
use planish_ops::world::Descr;
use planish_ops::{Datum, Fold, Int, Machine, Op, Type, fold};
use planish_pass::record::{Became, Column, Kind, Record};
use planish_rules::matching::{self, Flow, Operand, Outcome, Rewrite, Root, Subject};

use super::bodies::{Arg, Body, Step};
use super::graph::{Class, Graph, Node};
use super::lift::{Lift, Origin};
use super::rules::{CALLS_DEEP, REWRITES_OF_ONE_NODE, Source};

/// The name under which bodies for calls are recorded.
const INLINE: &str = crate::passes::inlining::PASS.info.name;

/// The graph as a matcher sees it: what lies below an operation, as far as there is budget for looking.
///
/// A class has several members, each of which has operands that are classes; a pattern three deep has
/// thousands of ways to be met. Each member that is looked at is paid for, and those that are not are as if
/// they were not there.
struct View<'a> {
    graph: &'a Graph<'a>,
    function: &'a Function,
    looks: &'a RefCell<Budget>,
}

impl View<'_> {
    fn looked(&self, node: Option<Class>) -> Option<Class> {
        node.filter(|_| self.looks.borrow_mut().take(1))
    }
}

/// The constant that a class is. Constants are free and available everywhere, so one is the best member.
fn constant(graph: &Graph<'_>, function: &Function, class: Class) -> Option<matching::Const> {
    let Node::Leaf(value) = graph.node(graph.best(class)) else { return None };
    match function.constant(value)? {
        Const::Int(int) => Some(matching::Const::Int(int)),
        Const::Real(number) => Some(matching::Const::Real(number.0)),
        Const::Null | Const::Symbol(..) | Const::Hole => None,
    }
}

impl Subject for View<'_> {
    type Value = Class;
    type Node = Class;

    fn first_node(&self, value: Class) -> Option<Class> {
        self.looked(self.graph.first_operation(value))
    }

    fn next_node(&self, node: Class) -> Option<Class> {
        self.looked(self.graph.next_operation(node))
    }

    fn op(&self, node: Class) -> Op {
        match self.graph.node(node) {
            Node::Op(op, _) => op,
            _ => unreachable!("nodes of the matcher are operations"),
        }
    }

    fn operand(&self, node: Class, index: usize) -> Class {
        match self.graph.node(node) {
            Node::Op(_, list) => self.graph.newest(self.graph.args(list)[index]),
            _ => unreachable!("nodes of the matcher are operations"),
        }
    }

    fn constant(&self, value: Class) -> Option<matching::Const> {
        constant(self.graph, self.function, value)
    }

    fn fact(&self, value: Class) -> IntFact {
        let width = || self.graph.ty(value).int_width().expect("facts are asked of integers");
        self.graph.fact(value).unwrap_or_else(|| IntFact::top(width()))
    }

    fn ty(&self, value: Class) -> Type {
        self.graph.ty(value)
    }

    fn used_once(&self, _: Class) -> bool {
        true
    }
}

impl Lift<'_> {
    /// The class of an operation, with all that is equal to it when it is new.
    pub(super) fn add(
        &mut self,
        function: &mut Function,
        op: Op,
        args: &[Class],
        ty: Type,
        origin: Origin,
        record: &mut Record,
    ) -> Class {
        if let Some(folded) = self.folded(function, op, args, ty)
            && record.rewrite(Kind::Fold, origin.site, Became::Changed)
        {
            return self.constant(function, folded);
        }
        let (mut class, new) = self.graph.operation(op, args, ty, |graph, args| fact(graph, op, args, ty));
        if origin.depth == 0 {
            self.graph.mark_original(class);
        }
        if !new {
            let _ = origin.depth == 0 && record.rewrite(Kind::Number, origin.site, Became::Changed);
            return self.graph.find(class);
        }
        if let Some(int) = self.graph.fact(class).and_then(IntFact::as_constant)
            && record.rewrite(Kind::Fact, origin.site, Became::Changed)
        {
            let known = self.constant(function, int.into());
            return self.unite(class, known);
        }
        if let Some((column, equal)) = self.algebra(function, op, args, ty)
            && record.rewrite(Kind::Algebra(column), origin.site, Became::Changed)
        {
            class = self.unite(class, equal);
        }
        self.depth.refill();
        let depth = u64::from(origin.depth) + 1;
        let asked = [(&mut self.depth, depth), (&mut self.made, 1), (&mut self.made_in_all, 1)];
        let is_made_by_rule = origin.depth > 0;
        let refused = (asked.into_iter().take(if is_made_by_rule { 3 } else { 1 }))
            .find_map(|(budget, units)| (!budget.take(units)).then_some(&*budget));
        if let Some(budget) = refused {
            if let Some(rule) = origin.rule {
                record.deny(budget, rule, function, origin.site);
            }
            return class;
        }
        for rewrite in self.matches(function, op, args, ty) {
            self.members.refill();
            if !self.members.take(u64::from(self.graph.members(self.graph.newest(class)))) {
                break;
            }
            class = self.apply(function, class, &rewrite, origin, record);
        }
        class
    }

    /// Every rewrite of an operation, up to the budget.
    fn matches(&self, function: &Function, op: Op, args: &[Class], ty: Type) -> Vec<Rewrite<Class>> {
        let view = View { graph: &self.graph, function, looks: &self.looks };
        let args: Vec<Class> = args.iter().map(|&arg| self.graph.newest(arg)).collect();
        let root = Root { op, args: &args, ty };
        let mut found = Vec::new();
        let mut take = |rewrite: Rewrite<Class>| {
            if self.rules.disabled.is_some_and(|disabled| disabled[rewrite.rule.index()]) {
                return Flow::Continue(());
            }
            found.push(rewrite);
            if found.len() < REWRITES_OF_ONE_NODE as usize { Flow::Continue(()) } else { Flow::Break(()) }
        };
        let searched = match self.rules.source {
            Source::Book => planish_book::search(&view, &root, &mut take),
            Source::Read(set) => set.search(&view, &root, &mut take),
        };
        if searched.is_continue() {
            let _ = match self.rules.source {
                Source::Book => planish_book::explore(&view, &root, &mut take),
                Source::Read(set) => set.explore(&view, &root, &mut take),
            };
        }
        found
    }

    /// Builds what a rule says and unites it with the class.
    fn apply(
        &mut self,
        function: &mut Function,
        class: Class,
        rewrite: &Rewrite<Class>,
        origin: Origin,
        record: &mut Record,
    ) -> Class {
        let Outcome::Value(outcome) = rewrite.outcome else { return class };
        // An operation with an overflow bit does not float.
        let floats = |op: Op| op.row().results.len() == 1 && !op.row().partial;
        if !rewrite.plan.iter().all(|build| floats(build.op)) {
            return class;
        }
        let number = self.rules.first + rewrite.rule.index() as u32;
        if !record.rewrite(Kind::Rule(number), origin.site, Became::Changed) {
            return class;
        }
        self.rewrites += 1;
        let mut built: Vec<Class> = Vec::with_capacity(rewrite.plan.len());
        for build in rewrite.plan.iter() {
            let args: Vec<Class> = build.operands().map(|o| self.operand(function, o, &built)).collect();
            let deeper = Origin { depth: origin.depth + 1, rule: Some(number), ..origin };
            built.push(self.add(function, build.op, &args, build.ty, deeper, record));
        }
        let equal = self.operand(function, outcome, &built);
        self.unite(class, equal)
    }

    fn operand(&mut self, function: &mut Function, operand: Operand<Class>, built: &[Class]) -> Class {
        match operand {
            Operand::Value(class) => self.graph.find(class),
            Operand::Const(matching::Const::Int(int)) => self.constant(function, int.into()),
            Operand::Const(matching::Const::Real(real)) => self.constant(function, real.into()),
            Operand::Built(index) => self.graph.find(built[usize::from(index)]),
        }
    }

    /// The classes of the results of a call of an expression, with its body when the call is new.
    pub(super) fn call(
        &mut self,
        function: &mut Function,
        callee: Descr,
        args: &[Class],
        origin: Origin,
        record: &mut Record,
    ) -> Vec<Class> {
        let bodies = self.bodies;
        let body = bodies.get(callee);
        let (call, new) = self.graph.call(callee, args);
        let parts = (0..).zip(&body.types).map(|(position, &ty)| self.graph.part(call, position, ty));
        let mut parts: Vec<Class> = parts.collect();
        if origin.depth == 0 {
            self.graph.mark_original(call);
            parts.iter().for_each(|&part| self.graph.mark_original(part));
        }
        if new
            && origin.calls < CALLS_DEEP
            && self.affords(function, callee, args, origin)
            && record.rewrite(Kind::Pass(INLINE), origin.site, Became::Changed)
        {
            let results = self.body(function, body, args, origin, record);
            for (part, result) in parts.iter_mut().zip(results) {
                *part = self.unite(*part, result);
            }
        }
        parts.iter().map(|&part| self.graph.find(part)).collect()
    }

    /// Whether a body may stand beside a call. That of the only call of a function makes no program longer, and one on
    /// constants is a constant.
    fn affords(&mut self, function: &Function, callee: Descr, args: &[Class], origin: Origin) -> bool {
        if origin.calls == 0 && self.bodies.is_called_once(callee) {
            return true;
        }
        let is_constant = |&arg: &Class| constant(&self.graph, function, self.graph.newest(arg)).is_some();
        let budget = match args.iter().all(is_constant) {
            true => &mut self.on_constants,
            false => &mut self.in_bodies,
        };
        budget.take(1 + self.bodies.get(callee).steps.len() as u64)
    }

    /// Makes what a body computes of operands.
    fn body(
        &mut self,
        function: &mut Function,
        body: &Body,
        params: &[Class],
        origin: Origin,
        record: &mut Record,
    ) -> Vec<Class> {
        // What it makes are no operations of the program.
        let inside = Origin { depth: 1, calls: origin.calls + 1, ..origin };
        let mut made: Vec<Vec<Class>> = Vec::with_capacity(body.steps.len());
        let operand = |lift: &mut Self, function: &mut Function, made: &[Vec<Class>], arg: Arg| match arg {
            Arg::Param(at) => lift.graph.find(params[at]),
            Arg::Const(constant) => lift.constant(function, constant),
            Arg::Made(step, result) => lift.graph.find(made[step][result]),
        };
        for step in &body.steps {
            let (Step::Op(_, args, _) | Step::Call(_, args)) = step;
            let args: Vec<Class> = args.iter().map(|&arg| operand(self, function, &made, arg)).collect();
            made.push(match *step {
                Step::Op(op, _, ty) => {
                    self.made.refill();
                    self.looks.get_mut().refill();
                    vec![self.add(function, op, &args, ty, inside, record)]
                }
                Step::Call(callee, _) => self.call(function, callee, &args, inside, record),
            });
        }
        body.results.iter().map(|&arg| operand(self, function, &made, arg)).collect()
    }

    /// Unites two classes where their homes allow it.
    fn unite(&mut self, class: Class, equal: Class) -> Class {
        self.graph.union(class, equal).unwrap_or(class)
    }

    fn constant(&mut self, function: &mut Function, constant: Const) -> Class {
        let value: Value = function.make_constant(constant);
        self.class(function, value)
    }

    /// The result of an operation on constants.
    fn folded(&self, function: &Function, op: Op, args: &[Class], ty: Type) -> Option<Const> {
        let mut data = smallvec::SmallVec::<[Datum<Machine>; 4]>::new();
        for &arg in args {
            data.push(match constant(&self.graph, function, self.graph.newest(arg))? {
                matching::Const::Int(int) => Datum::Word(int),
                matching::Const::Real(real) => Datum::Float(real),
            });
        }
        match fold(op, &data, &[ty])? {
            Fold::Int(int) => Some(int.into()),
            // As in the linear engine.
            Fold::Real(real) if real.is_nan() => None,
            Fold::Real(real) => Some(real.into()),
            Fold::Pair(..) | Fold::Undefined => None,
        }
    }

    /// What the algebra columns make of an operation.
    fn algebra(
        &mut self,
        function: &mut Function,
        op: Op,
        args: &[Class],
        ty: Type,
    ) -> Option<(Column, Class)> {
        let algebra = op.row().algebra;
        if let (true, &[x]) = (algebra.involution, args) {
            let inner = self.graph.first_operation(x).map(|node| self.graph.node(node));
            return match inner {
                Some(Node::Op(other, list)) if other == op => {
                    Some((Column::Involution, self.graph.newest(self.graph.args(list)[0])))
                }
                _ => None,
            };
        }
        let &[x, y] = args else { return None };
        let (Type::Int(width), Some(_)) = (ty, self.graph.ty(x).int_width()) else { return None };
        let number = |c: i64| Int::new(u32::from(width), c as u64);
        if self.graph.newest(x) == self.graph.newest(y) {
            let equal = match algebra.equal? {
                EqualOperands::Operand => x,
                EqualOperands::Constant(c) => self.constant(function, number(c).into()),
            };
            return Some((Column::Equal, equal));
        }
        let orders = [(x, y), (y, x)];
        let both = algebra.commutative || fault!("egraph: algebra holds on both sides");
        for &(x, y) in if both { &orders[..] } else { &orders[..1] } {
            let Some(matching::Const::Int(c)) = constant(&self.graph, function, self.graph.newest(y)) else {
                continue;
            };
            if algebra.identity.is_some_and(|e| Int::new(c.width(), e as u64) == c) {
                return Some((Column::Identity, x));
            }
            if algebra.absorbing.is_some_and(|a| Int::new(c.width(), a as u64) == c) {
                return Some((Column::Absorbing, y));
            }
        }
        None
    }
}

/// What facts about operands say of a result.
fn fact(graph: &Graph<'_>, op: Op, args: &[Class], ty: Type) -> Option<IntFact> {
    ty.int_width()?;
    let facts: Option<smallvec::SmallVec<[IntFact; 4]>> = args.iter().map(|&arg| graph.fact(arg)).collect();
    match facts {
        Some(facts) => Some(transfer(op, &facts, ty).0),
        None => ty.int_width().map(IntFact::top),
    }
}
