//! Whether one function may stand for another, by proof.
//!
//! Both run on the same unknown inputs ([`crate::symbolic`]), and a solver is asked for inputs on which
//! they part: the target ends in another way, or with other values, where the source is defined. This is
//! translation validation as Alive2 does it (Lopes and others, PLDI 2021), for functions on words and floats
//! without memory. Loops are followed for a number of back edges; unless no input goes on after these,
//! the verdict is *proved up to* that number, never *proved*.

use std::collections::BTreeMap;
use std::fmt;

use planish_ir::Function;
use planish_ops::world::World;
use planish_ops::{Bits, Floats};
use planish_smt::{Budget, Model, Pool, Query, Reason, Sort, Term, Value, Verdict};

use crate::engine::Engine;
use crate::symbolic::{End, Kind, Sym, Unsupported, input, run};

/// What is known of a function and what became of it.
#[derive(Clone, Debug, PartialEq)]
pub enum Validation {
    /// The target may stand for the source.
    Proved,
    /// It may for all inputs on which neither takes more back edges than this.
    ProvedUpTo(u32),
    /// It may not.
    Different(Box<Counterexample>),
    /// The functions do not take the same parameters.
    Signature,
    /// The solver has no answer.
    Unknown(Reason),
    /// Something in them is not treated.
    Unsupported(String),
}

/// Inputs on which two functions part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The arguments in order.
    pub arguments: Vec<String>,
    /// What the source does.
    pub source: String,
    /// What the target does.
    pub target: String,
}

impl fmt::Display for Counterexample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "arguments: {}", self.arguments.join(", "))?;
        writeln!(f, "the source {}", self.source)?;
        writeln!(f, "BUT")?;
        write!(f, "the target {}", self.target)
    }
}

/// The line that the command prints for a verdict.
impl fmt::Display for Validation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Validation::Proved => f.write_str("proved"),
            Validation::ProvedUpTo(1) => f.write_str("proved up to 1 iteration"),
            Validation::ProvedUpTo(bound) => write!(f, "proved up to {bound} iterations"),
            Validation::Different(counterexample) => write!(f, "different\n{counterexample}"),
            Validation::Signature => f.write_str("different parameters"),
            Validation::Unknown(reason) => write!(f, "unknown: {reason}"),
            Validation::Unsupported(what) => write!(f, "not treated: {what}"),
        }
    }
}

/// A function, and what its descriptors stand for.
pub type Subject<'a> = (&'a Function, &'a dyn World);

/// Whether `target` may stand for `source`, loops being followed for `bound` back edges; `budget` is
/// for each of two questions, its clock for both.
pub fn validate(
    source: Subject<'_>,
    target: Subject<'_>,
    bound: u32,
    engine: &Engine,
    budget: &Budget,
) -> Validation {
    let types = |f: &Function| f.params().iter().map(|&param| f.ty(param)).collect::<Vec<_>>();
    let params = types(source.0);
    if params != types(target.0) {
        return Validation::Signature;
    }
    match Comparison::new(source, target, &params, bound) {
        Ok(mut comparison) => comparison.decide(bound, engine, budget),
        Err(Unsupported(what)) => Validation::Unsupported(what),
    }
}

type Ends = BTreeMap<Kind, End>;

struct Comparison {
    pool: Pool,
    inputs: Vec<Sym>,
    source: Ends,
    target: Ends,
}

impl Comparison {
    fn new(
        source: Subject<'_>,
        target: Subject<'_>,
        params: &[planish_ops::Type],
        bound: u32,
    ) -> Result<Comparison, Unsupported> {
        let mut pool = Pool::new();
        let inputs = (params.iter().enumerate())
            .map(|(i, &ty)| input(&mut pool, &format!("arg{i}"), ty))
            .collect::<Result<Vec<Sym>, Unsupported>>()?;
        let source = run(&mut pool, source, &inputs, bound)?;
        let target = run(&mut pool, target, &inputs, bound)?;
        Ok(Comparison { pool, inputs, source, target })
    }

    fn decide(&mut self, bound: u32, engine: &Engine, budget: &Budget) -> Validation {
        let wrong = self.parting();
        let answer = engine.ask(&self.pool, &Query::new(vec![wrong]), &mut budget.clone());
        match answer.verdict {
            Verdict::Sat(model) => return Validation::Different(Box::new(self.tell(&model))),
            Verdict::Unknown(reason) => return Validation::Unknown(reason),
            Verdict::Unsat => {}
        }
        let unfinished: Vec<Term> = [&self.source, &self.target]
            .iter()
            .filter_map(|ends| Some(ends.get(&Kind::Unfinished)?.condition))
            .collect();
        let goes_on = unfinished.iter().fold(self.pool.truth(false), |any, &one| self.pool.either(any, one));
        match engine.ask(&self.pool, &Query::new(vec![goes_on]), &mut budget.clone()).verdict {
            Verdict::Unsat => Validation::Proved,
            // Not knowing whether all paths end is not knowing that they do.
            Verdict::Sat(_) | Verdict::Unknown(_) => Validation::ProvedUpTo(bound),
        }
    }

    /// That the ends on the same inputs do not agree, the source being defined and both finished.
    fn parting(&mut self) -> Term {
        let mut parting = self.pool.truth(false);
        let pairs: Vec<(Kind, End, Kind, End)> = (self.source.iter())
            .flat_map(|(i, a)| {
                self.target.iter().map(move |(j, b)| (i.clone(), a.clone(), j.clone(), b.clone()))
            })
            .collect();
        for (before, a, after, b) in pairs {
            let open = |kind: &Kind| *kind == Kind::Unfinished;
            if before == Kind::Undefined || open(&before) || open(&after) {
                continue;
            }
            let meet = self.pool.both(a.condition, b.condition);
            let differ = if before == after {
                self.values_differ(&a.values, &b.values)
            } else {
                self.pool.truth(true)
            };
            let wrong = self.pool.both(meet, differ);
            parting = self.pool.either(parting, wrong);
        }
        parting
    }

    /// Some value differs where that of the source has a meaning.
    fn values_differ(&mut self, source: &[Sym], target: &[Sym]) -> Term {
        if source.len() != target.len() {
            return self.pool.truth(true);
        }
        let mut differ = self.pool.truth(false);
        for (&a, &b) in source.iter().zip(target) {
            let this = match (a, b) {
                (Sym::Hole, Sym::Hole) => continue,
                // No end has a vector; if one had, nothing would be claimed of it.
                (Sym::Hole | Sym::Lanes { .. }, _) | (_, Sym::Hole | Sym::Lanes { .. }) => {
                    self.pool.truth(true)
                }
                (Sym::Value { term: x, defined: dx }, Sym::Value { term: y, defined: dy }) => {
                    if self.pool.sort(x) != self.pool.sort(y) {
                        return self.pool.truth(true);
                    }
                    let always = self.pool.truth(true);
                    let same = match self.pool.sort(x) {
                        Sort::Float(_) => self.pool.f_same(x, y),
                        _ => self.pool.eq(x, y),
                    };
                    let good = self.pool.both(dy.unwrap_or(always), same);
                    let bad = self.pool.negate(good);
                    self.pool.both(dx.unwrap_or(always), bad)
                }
            };
            differ = self.pool.either(differ, this);
        }
        differ
    }

    fn tell(&self, model: &Model) -> Counterexample {
        let arguments = self.inputs.iter().map(|&sym| self.show(sym, model)).collect();
        let (source, target) = (self.tell_end(&self.source, model), self.tell_end(&self.target, model));
        Counterexample { arguments, source, target }
    }

    fn show(&self, sym: Sym, model: &Model) -> String {
        let value = |term| model.evaluate(&self.pool, &[term])[0];
        match sym {
            Sym::Hole => "nothing".to_owned(),
            Sym::Lanes { .. } => "a vector".to_owned(),
            Sym::Value { defined: Some(defined), .. } if !value(defined).truth() => {
                "something undefined".to_owned()
            }
            Sym::Value { term, .. } => value(term).to_string(),
        }
    }

    /// What happens under a model: exactly one condition holds.
    fn tell_end(&self, ends: &Ends, model: &Model) -> String {
        let holds = |end: &End| model.evaluate(&self.pool, &[end.condition])[0] == Value::Truth(true);
        let Some((kind, end)) = ends.iter().find(|(_, end)| holds(end)) else {
            return "does nothing that is known".to_owned();
        };
        let values: Vec<String> = end.values.iter().map(|&sym| self.show(sym, model)).collect();
        let values = values.join(", ");
        match kind {
            Kind::Return if values.is_empty() => "returns".to_owned(),
            Kind::Return => format!("returns {values}"),
            Kind::Leave(exit, _) => format!("leaves through exit {exit} with ({values})"),
            Kind::Fault(fault, kept) if kept.is_empty() => format!("ends with the fault {fault}"),
            Kind::Fault(fault, _) => format!("ends with the fault {fault}, keeping ({values})"),
            Kind::Undefined => "is undefined".to_owned(),
            Kind::Unfinished => "goes on".to_owned(),
        }
    }
}
