//! The smallest subject: expressions in an arena.
//!
//! Tests of rules, of matchers against each other, and examples in documents need programs without an
//! engine. A [`Graph`] is a list of values, each a parameter, a constant or an operation on values
//! before it; facts of parameters are given, those of operations are not computed.

use planish_base::{Arena, SideTable, define_id};
use planish_domain::IntFact;
use planish_ops::{Datum, Fold, Int, Machine, Op, Real, Type, fold};

use crate::matching::{Build, Const, Operand, Outcome, Rewrite, Root, Subject};

define_id!(
    /// A value of a graph.
    Val,
    "g"
);

/// What defines a value.
#[derive(Clone, Debug)]
enum Def {
    Param(usize),
    Const(Const),
    Op(Op, Vec<Val>),
    /// The second result of an operation.
    Flag(Val),
}

/// What a value of a graph is, for those who translate it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum View<'g> {
    /// A parameter, by its number.
    Param(usize),
    /// A constant.
    Const(Const),
    /// The first result of an operation on values.
    Op(Op, &'g [Val]),
    /// The second result of the operation with this first one.
    Flag(Val),
}

#[derive(Clone, Debug)]
struct Entry {
    def: Def,
    ty: Type,
    fact: Option<IntFact>,
    uses: u32,
}

/// Expressions in an arena.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    entries: Arena<Val, Entry>,
    params: usize,
}

impl Graph {
    /// A graph without values.
    pub fn new() -> Self {
        Self::default()
    }

    fn push(&mut self, def: Def, ty: Type) -> Val {
        self.entries.push(Entry { def, ty, fact: None, uses: 0 })
    }

    /// A value of which nothing is known but its type.
    pub fn param(&mut self, ty: Type) -> Val {
        self.params += 1;
        self.push(Def::Param(self.params - 1), ty)
    }

    /// A constant.
    pub fn constant_value(&mut self, value: Const) -> Val {
        self.push(Def::Const(value), value.ty())
    }

    /// An integer.
    pub fn int(&mut self, width: u32, value: i64) -> Val {
        self.constant_value(Const::Int(Int::new(width, value as u64)))
    }

    /// An operation.
    pub fn apply(&mut self, op: Op, args: &[Val], ty: Type) -> Val {
        for &arg in args {
            self.entries[arg].uses += 1;
        }
        self.push(Def::Op(op, args.to_vec()), ty)
    }

    /// States what is known of a value.
    pub fn know(&mut self, value: Val, fact: IntFact) {
        self.entries[value].fact = Some(fact);
    }

    /// The overflow bit of an operation with two results.
    pub fn flag(&mut self, of: Val) -> Val {
        self.push(Def::Flag(of), Type::I1)
    }

    /// What a value is.
    pub fn view(&self, value: Val) -> View<'_> {
        match &self.entries[value].def {
            Def::Param(index) => View::Param(*index),
            Def::Const(constant) => View::Const(*constant),
            Def::Op(op, args) => View::Op(*op, args),
            Def::Flag(of) => View::Flag(*of),
        }
    }

    /// The number of parameters.
    pub fn params(&self) -> usize {
        self.params
    }

    /// The types of the parameters, in order.
    pub fn param_types(&self) -> Vec<Type> {
        self.entries.values().filter(|e| matches!(e.def, Def::Param(_))).map(|e| e.ty).collect()
    }

    /// Builds what a rewrite asks for and returns the value that takes the place of the root, and that of
    /// its overflow bit. Of guards, nothing.
    pub fn build(&mut self, rewrite: &Rewrite<Val>, overflow: bool) -> Option<(Val, Option<Val>)> {
        let built = self.planned(rewrite);
        match rewrite.outcome {
            Outcome::Value(operand) => {
                let value = self.resolve(operand, &built);
                let two = matches!(operand, Operand::Built(_))
                    && matches!(&self.entries[value].def, Def::Op(op, _) if op.row().results.len() == 2);
                let flag = match (overflow, two) {
                    (false, _) => None,
                    (true, true) => Some(self.flag(value)),
                    (true, false) => Some(self.int(1, 0)),
                };
                Some((value, flag))
            }
            Outcome::Pair(first, second) => {
                let (first, second) = (self.resolve(first, &built), self.resolve(second, &built));
                Some((first, Some(second)))
            }
            Outcome::Guard | Outcome::Pass | Outcome::Fail => None,
        }
    }

    /// The operations of a rewrite, a guard apart.
    fn planned(&mut self, rewrite: &Rewrite<Val>) -> Vec<Val> {
        let mut built = Vec::new();
        for build in rewrite.plan.iter().filter(|build| build.ty != Type::State) {
            let args: Vec<Val> = build.operands().map(|o| self.resolve(o, &built)).collect();
            built.push(self.apply(build.op, &args, build.ty));
        }
        built
    }

    /// Builds what a rewrite of a guard asks for, and the guard.
    pub fn build_guard(&mut self, rewrite: &Rewrite<Val>, guard: &Build<Val>) -> Val {
        let built = self.planned(rewrite);
        let args: Vec<Val> = guard.operands().map(|o| self.resolve(o, &built)).collect();
        self.apply(guard.op, &args, guard.ty)
    }

    /// A value as an expression; parameters by the names given.
    pub fn show(&self, value: Val, names: &SideTable<Val, Option<String>>) -> String {
        match &self.entries[value].def {
            Def::Param(index) => names[value].clone().unwrap_or_else(|| format!("p{index}")),
            Def::Const(Const::Int(int)) => int.to_string(),
            Def::Const(Const::Real(real)) => format!("{real:?}"),
            Def::Op(op, args) => {
                let args: Vec<String> = args.iter().map(|&arg| self.show(arg, names)).collect();
                format!("{op}({})", args.join(", "))
            }
            Def::Flag(of) => format!("the bit of {}", self.show(*of, names)),
        }
    }

    fn resolve(&mut self, operand: Operand<Val>, built: &[Val]) -> Val {
        match operand {
            Operand::Value(value) => value,
            Operand::Const(constant) => self.constant_value(constant),
            Operand::Built(index) => built[usize::from(index)],
        }
    }

    /// The root that a value is, if it is an operation.
    pub fn root(&self, value: Val) -> Option<Root<'_, Val>> {
        match &self.entries[value].def {
            Def::Op(op, args) => Some(Root { op: *op, args, ty: self.entries[value].ty }),
            _ => None,
        }
    }

    /// The value computed from given parameters; `None` where an operation on the way is undefined.
    pub fn eval(&self, value: Val, params: &[Const]) -> Option<Const> {
        self.eval_all(value, params).map(|r| r.0)
    }

    /// All results of the operation that a value is the first result of.
    pub fn eval_all(&self, value: Val, params: &[Const]) -> Option<(Const, Option<Const>)> {
        let entry = &self.entries[value];
        match &entry.def {
            Def::Param(index) => Some((params[*index], None)),
            Def::Const(constant) => Some((*constant, None)),
            Def::Flag(of) => Some((self.eval_all(*of, params)?.1?, None)),
            Def::Op(op, args) => {
                let args: Option<Vec<Datum<Machine>>> =
                    args.iter().map(|&a| self.eval(a, params).map(datum)).collect();
                let to = [entry.ty, Type::I1];
                match fold(*op, &args?, &to[..op.row().results.len()])? {
                    Fold::Int(int) => Some((Const::Int(int), None)),
                    Fold::Pair(int, flag) => Some((Const::Int(int), Some(Const::Int(flag)))),
                    Fold::Real(real) => Some((Const::Real(real), None)),
                    Fold::Undefined => None,
                }
            }
        }
    }
}

fn datum(constant: Const) -> Datum<Machine> {
    match constant {
        Const::Int(int) => Datum::Word(int),
        Const::Real(real) => Datum::Float(real),
    }
}

/// A float.
pub fn real(value: f64) -> Const {
    Const::Real(Real::F64(value))
}

impl Subject for Graph {
    type Value = Val;
    type Node = Val;

    fn first_node(&self, value: Val) -> Option<Val> {
        matches!(self.entries[value].def, Def::Op(..)).then_some(value)
    }

    fn op(&self, node: Val) -> Op {
        match &self.entries[node].def {
            Def::Op(op, _) => *op,
            _ => unreachable!("nodes are operations"),
        }
    }

    fn operand(&self, node: Val, index: usize) -> Val {
        match &self.entries[node].def {
            Def::Op(_, args) => args[index],
            _ => unreachable!("nodes are operations"),
        }
    }

    fn constant(&self, value: Val) -> Option<Const> {
        match self.entries[value].def {
            Def::Const(constant) => Some(constant),
            _ => None,
        }
    }

    fn fact(&self, value: Val) -> IntFact {
        let entry = &self.entries[value];
        match (&entry.def, entry.fact) {
            (Def::Const(Const::Int(int)), _) => IntFact::constant(*int),
            (_, Some(fact)) => fact,
            _ => {
                let width = entry.ty.int_width().expect("facts are asked of integers");
                IntFact::top(width)
            }
        }
    }

    fn ty(&self, value: Val) -> Type {
        self.entries[value].ty
    }

    fn used_once(&self, value: Val) -> bool {
        self.entries[value].uses <= 1
    }
}
