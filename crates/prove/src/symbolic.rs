//! Running a function on unknown inputs: all its ends, each with its condition.
//!
//! Blocks are visited as copies (k, b): block b after k back edges, in that order, which every edge
//! respects. Where paths meet, a value becomes a choice between what it was on each, so the work grows
//! with the number of copies and not with that of paths. After `bound` back edges a path is *unfinished*,
//! which is an end of its own: what was proved then holds up to that bound and says so.
//!
//! Pure operations mean what the table says, over terms. Guards and divisions leave through their exits
//! with the exit's arguments. A value without meaning (a C-like conversion out of range) is *undefined* as
//! in the interpreter: harmless until something depends on it. A look-up is a choice by the bits of its index. Memory, calls and handlers of exceptions
//! are not treated; a function that has them is refused, so that nobody takes silence for a proof.

use std::collections::BTreeMap;

use planish_base::Id;
use planish_ir::constant::Number;
use planish_ir::{BlockCall, Cfg, Const, Exit, ExitTarget, Function, Inst, Terminator, Value};
use planish_ops::world::World;
use planish_ops::{Bits, Datum, Effect, Exits, Op, Type};
use planish_rules::semantics::guard_passes;
use planish_smt::{Pool, Sort, Term, Value as Constant};

use crate::lanes::{self, Lanes, Part};
use crate::tables;

/// A value on unknown inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sym {
    /// A word, a float, or a reference as an opaque word.
    Value {
        /// What it is.
        term: Term,
        /// Where it has a meaning; `None` is everywhere.
        defined: Option<Term>,
    },
    /// A vector. It stays within its function.
    Lanes {
        /// What is in its lanes.
        lanes: Lanes,
        /// Where it has a meaning; `None` is everywhere.
        defined: Option<Term>,
    },
    /// No value at all: a hole in the arguments of an exit.
    Hole,
}

/// What an exit keeps at a place: a value of a sort, or a hole. Exits that end alike and keep other sorts are
/// different ends, for their values are never equal and cannot be chosen between.
pub type Kept = Option<Sort>;

/// How a function ends.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// With results.
    Return,
    /// Through an exit that leaves, with such arguments.
    Leave(u32, Vec<Kept>),
    /// A fault that nothing catches; with such values that its exit keeps.
    Fault(&'static str, Vec<Kept>),
    /// With something that has no meaning.
    Undefined,
    /// Not within the bound.
    Unfinished,
}

/// An end: its condition and its values.
#[derive(Clone, Debug)]
pub struct End {
    /// When it is reached.
    pub condition: Term,
    /// The results, or what the exit keeps.
    pub values: Vec<Sym>,
}

/// Why a function is not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported(pub String);

/// The number of block copies after which a function is refused.
const COPIES: usize = 4000;

/// All ends of a function on the inputs `params`, by kind.
pub fn run(
    pool: &mut Pool,
    (function, world): (&Function, &dyn World),
    params: &[Sym],
    bound: u32,
) -> Result<BTreeMap<Kind, End>, Unsupported> {
    let always = pool.truth(true);
    let mut values = vec![None; function.value_count()];
    for (&param, &sym) in function.params().iter().zip(params) {
        values[param.index()] = Some(sym);
    }
    let mut run = Run {
        cfg: Cfg::new(function),
        pool,
        function,
        world,
        bound,
        open: BTreeMap::from([((0, 0), State { path: always, values })]),
        ends: BTreeMap::new(),
    };
    let mut copies = 0;
    while let Some(((turn, block), state)) = run.open.pop_first() {
        copies += 1;
        if copies > COPIES {
            return Err(Unsupported(format!("more than {COPIES} copies of blocks")));
        }
        run.block(turn, block, state)?;
    }
    Ok(run.ends)
}

/// An input of a type; references are opaque words.
pub fn input(pool: &mut Pool, name: &str, ty: Type) -> Result<Sym, Unsupported> {
    let sort = sort(ty)?;
    Ok(Sym::Value { term: pool.variable(name, sort), defined: None })
}

fn sort(ty: Type) -> Result<Sort, Unsupported> {
    match ty {
        Type::Ref => Ok(Sort::Bits(64)),
        _ => Sort::of(ty).ok_or_else(|| Unsupported(format!("values of type {ty}"))),
    }
}

#[derive(Clone)]
struct State {
    /// When this copy is reached.
    path: Term,
    /// What is known of each value of the function.
    values: Vec<Option<Sym>>,
}

struct Run<'a> {
    cfg: Cfg,
    pool: &'a mut Pool,
    function: &'a Function,
    world: &'a dyn World,
    bound: u32,
    /// Copies that are still to be visited, with what arrives there.
    open: BTreeMap<(u32, u32), State>,
    ends: BTreeMap<Kind, End>,
}

type Step<T = ()> = Result<T, Unsupported>;

impl Run<'_> {
    fn block(&mut self, turn: u32, number: u32, mut state: State) -> Step {
        let function = self.function;
        let block = self.cfg.block(number);
        for &inst in function.block_insts(block) {
            self.inst(inst, &mut state)?;
            if self.is_never(state.path) {
                return Ok(());
            }
        }
        match function.terminator(block) {
            Terminator::Jump(call) => self.go(turn, number, state.path, *call, &state),
            Terminator::Branch { condition, then, other } => {
                let word = self.used(*condition, &mut state)?;
                let holds = self.pool.is_nonzero(word);
                let not = self.pool.negate(holds);
                let (yes, no) = (self.pool.both(state.path, holds), self.pool.both(state.path, not));
                self.go(turn, number, yes, *then, &state)?;
                self.go(turn, number, no, *other, &state)
            }
            Terminator::Switch { on, cases, default } => {
                let word = self.used(*on, &mut state)?;
                let mut rest = state.path;
                for (key, call) in cases {
                    let key = self.pool.constant((*key).into());
                    let equal = self.pool.eq(word, key);
                    let taken = self.pool.both(rest, equal);
                    self.go(turn, number, taken, *call, &state)?;
                    let not = self.pool.negate(equal);
                    rest = self.pool.both(rest, not);
                }
                self.go(turn, number, rest, *default, &state)
            }
            Terminator::Return(list) => {
                let values = self.gather(function.list(*list), &state)?;
                self.end(Kind::Return, state.path, values)
            }
            Terminator::Throw(..) => Err(Unsupported("throw".to_owned())),
            Terminator::Unreachable => self.end(Kind::Undefined, state.path, Vec::new()),
        }
    }

    fn is_never(&self, condition: Term) -> bool {
        self.pool.value(condition) == Some(Constant::Truth(false))
    }

    /// Follows an edge.
    fn go(&mut self, turn: u32, from: u32, path: Term, call: BlockCall, state: &State) -> Step {
        if self.is_never(path) {
            return Ok(());
        }
        let function = self.function;
        let to = self.cfg.number(call.block).expect("a successor of what is reached is reached");
        let turn = if to <= from { turn + 1 } else { turn };
        if turn > self.bound {
            return self.end(Kind::Unfinished, path, Vec::new());
        }
        let args = self.gather(function.list(call.args), state)?;
        let mut arriving = State { path, values: state.values.clone() };
        for (&param, sym) in function.block_params(call.block).iter().zip(args) {
            arriving.values[param.index()] = Some(sym);
        }
        let merged = match self.open.remove(&(turn, to)) {
            Some(there) => self.merge(arriving, there)?,
            None => arriving,
        };
        self.open.insert((turn, to), merged);
        Ok(())
    }

    /// What arrives on either of two paths that exclude each other.
    fn merge(&mut self, new: State, old: State) -> Step<State> {
        let values = (new.values.iter().zip(&old.values))
            .map(|(&a, &b)| match (a, b) {
                (Some(a), Some(b)) => self.choose(new.path, a, b).map(Some),
                // Dominance keeps a value that only one path has from being used.
                _ => Ok(None),
            })
            .collect::<Step<Vec<Option<Sym>>>>()?;
        Ok(State { path: self.pool.either(new.path, old.path), values })
    }

    fn choose(&mut self, condition: Term, a: Sym, b: Sym) -> Step<Sym> {
        Ok(match (a, b) {
            (Sym::Value { term: x, defined: dx }, Sym::Value { term: y, defined: dy }) => {
                let term = self.pool.choose(condition, x, y);
                Sym::Value { term, defined: self.choose_defined(condition, dx, dy) }
            }
            (Sym::Lanes { lanes: x, defined: dx }, Sym::Lanes { lanes: y, defined: dy }) => {
                let lanes = Lanes::choose(self.pool, condition, x, y);
                Sym::Lanes { lanes, defined: self.choose_defined(condition, dx, dy) }
            }
            (Sym::Hole, Sym::Hole) => Sym::Hole,
            _ => return Err(Unsupported("a hole on one of two paths".to_owned())),
        })
    }

    fn choose_defined(&mut self, condition: Term, a: Option<Term>, b: Option<Term>) -> Option<Term> {
        (a.is_some() || b.is_some()).then(|| {
            let always = self.pool.truth(true);
            self.pool.choose(condition, a.unwrap_or(always), b.unwrap_or(always))
        })
    }

    /// Notes an end. Ends of one kind are one end, whose values are chosen by the condition.
    fn end(&mut self, kind: Kind, condition: Term, values: Vec<Sym>) -> Step {
        if self.is_never(condition) {
            return Ok(());
        }
        if values.iter().any(|sym| matches!(sym, Sym::Lanes { .. })) {
            return Err(Unsupported("a vector that leaves its function".to_owned()));
        }
        let end = match self.ends.remove(&kind) {
            None => End { condition, values },
            Some(old) => {
                let pairs = values.iter().zip(&old.values);
                let values =
                    pairs.map(|(&a, &b)| self.choose(condition, a, b)).collect::<Step<Vec<Sym>>>()?;
                End { condition: self.pool.either(condition, old.condition), values }
            }
        };
        self.ends.insert(kind, end);
        Ok(())
    }

    fn gather(&mut self, values: &[Value], state: &State) -> Step<Vec<Sym>> {
        values.iter().map(|&value| self.get(value, state)).collect()
    }

    fn get(&mut self, value: Value, state: &State) -> Step<Sym> {
        if let Some(constant) = self.function.constant(value) {
            let term = match constant {
                Const::Int(int) => self.pool.constant(int.into()),
                Const::Real(Number(real)) => self.pool.constant(real.into()),
                Const::Null => self.pool.word(64, 0),
                Const::Hole => return Ok(Sym::Hole),
                Const::Symbol(..) => return Err(Unsupported("addresses of symbols".to_owned())),
            };
            return Ok(Sym::Value { term, defined: None });
        }
        Ok(state.values[value.index()].expect("the verifier has seen that definitions dominate uses"))
    }

    /// A value on which control depends: where it has no meaning, the function has none.
    fn used(&mut self, value: Value, state: &mut State) -> Step<Term> {
        let Sym::Value { term, defined } = self.get(value, state)? else {
            return Err(Unsupported("a hole or a vector as an operand".to_owned()));
        };
        if let Some(defined) = defined {
            self.require(defined, state)?;
        }
        Ok(term)
    }

    /// Where `condition` does not hold, what the function does is up to nobody.
    fn require(&mut self, condition: Term, state: &mut State) -> Step {
        let not = self.pool.negate(condition);
        let wrong = self.pool.both(state.path, not);
        self.end(Kind::Undefined, wrong, Vec::new())?;
        state.path = self.pool.both(state.path, condition);
        Ok(())
    }

    fn inst(&mut self, inst: Inst, state: &mut State) -> Step {
        let data = self.function.inst(inst);
        let (op, row) = (data.op, data.op.row());
        match row.effect {
            Effect::Marker => Ok(()),
            Effect::Guard => self.guard(inst, state),
            Effect::Pure => self.pure(inst, state),
            _ => Err(Unsupported(format!("the operation {op}"))),
        }
    }

    /// An operation on vectors that touches no memory.
    fn in_lanes(&mut self, inst: Inst, state: &mut State) -> Step {
        let (function, op) = (self.function, self.function.inst(inst).op);
        let (args, result) = (function.args(inst), function.result(inst));
        let (mut parts, mut all_defined) = (Vec::with_capacity(args.len()), None);
        for &arg in args {
            let (part, defined) = match self.get(arg, state)? {
                Sym::Value { term, defined } => (Part::One(term), defined),
                Sym::Lanes { lanes, defined } => (Part::Lanes(lanes), defined),
                Sym::Hole => return Err(Unsupported("a hole as an operand".to_owned())),
            };
            parts.push(part);
            all_defined = self.conjunction(all_defined, defined);
        }
        let types = args.iter().chain([&result]).map(|&value| function.ty(value));
        let computed = lanes::computed(self.pool, op, &parts, types);
        let defined = all_defined;
        state.values[result.index()] = Some(match computed {
            Some(Part::One(term)) => Sym::Value { term, defined },
            Some(Part::Lanes(lanes)) => Sym::Lanes { lanes, defined },
            None => return Err(Unsupported(format!("the operation {op}"))),
        });
        Ok(())
    }

    fn pure(&mut self, inst: Inst, state: &mut State) -> Step {
        if self.function.row(inst).lanewise.is_some() {
            return self.in_lanes(inst, state);
        }
        let function = self.function;
        let (data, args) = (function.inst(inst), function.args(inst));
        let op = data.op;
        let partial = op.row().exits != Exits::Never;
        let mut operands = Vec::with_capacity(args.len());
        let mut all_defined: Option<Term> = None;
        for (index, &arg) in args.iter().enumerate() {
            // Whether an operation leaves depends on its operands, and so does which arm is selected.
            let term = if partial || (op == Op::Select && index == 0) {
                self.used(arg, state)?
            } else {
                let Sym::Value { term, defined } = self.get(arg, state)? else {
                    return Err(Unsupported("a hole or a vector as an operand".to_owned()));
                };
                if op != Op::Select {
                    all_defined = self.conjunction(all_defined, defined);
                }
                term
            };
            operands.push(term);
        }
        let results: Vec<Value> = function.results(inst).collect();
        if op == Op::Select {
            let (then, other) = (self.get(args[1], state)?, self.get(args[2], state)?);
            let condition = self.pool.is_nonzero(operands[0]);
            state.values[results[0].index()] = Some(self.choose(condition, then, other)?);
            return Ok(());
        }
        let types: Vec<Type> = results.iter().map(|&result| function.ty(result)).collect();
        if let Some(term) = self.reference(op, &operands, &types) {
            state.values[results[0].index()] = Some(Sym::Value { term, defined: all_defined });
            return Ok(());
        }
        if op == Op::Lookup {
            let items = data.descr.and_then(|descr| self.world.table(descr));
            let term = items.and_then(|items| tables::item(self.pool, items, operands[0]));
            let term = term.ok_or_else(|| Unsupported("a large table or one of floats".to_owned()))?;
            state.values[results[0].index()] = Some(Sym::Value { term, defined: all_defined });
            return Ok(());
        }
        if args.iter().any(|&arg| function.ty(arg) == Type::Ref) {
            return Err(Unsupported(format!("the operation {op} on references")));
        }
        let data_of = |term: &Term| match self.pool.sort(*term) {
            Sort::Float(_) => Datum::Float(*term),
            _ => Datum::Word(*term),
        };
        let data_args: Vec<Datum<Pool>> = operands.iter().map(data_of).collect();
        let meaning = op.meaning(self.pool, &data_args, &types);
        let meaning = meaning.ok_or_else(|| Unsupported(format!("the operation {op}")))?;
        let mut defined = all_defined;
        match meaning.defined {
            Some(condition) if partial => self.leave_unless(condition, "division", data.exit, state)?,
            condition => defined = self.conjunction(defined, condition),
        }
        let (Datum::Word(term) | Datum::Float(term)) = meaning.value;
        state.values[results[0].index()] = Some(Sym::Value { term, defined });
        if let (Some(flag), Some(second)) = (meaning.flag, results.get(1)) {
            state.values[second.index()] = Some(Sym::Value { term: flag, defined });
        }
        Ok(())
    }

    /// Questions about references that are opaque words.
    fn reference(&mut self, op: Op, operands: &[Term], types: &[Type]) -> Option<Term> {
        let zero = || Constant::bits(64, 0);
        let holds = match (op, operands) {
            (Op::IsNull | Op::IsNonnull, &[x]) => {
                let null = self.pool.constant(zero());
                self.pool.eq(x, null)
            }
            (Op::RefEq | Op::RefNe, &[x, y]) => self.pool.eq(x, y),
            _ => return None,
        };
        let holds = if matches!(op, Op::IsNonnull | Op::RefNe) { self.pool.negate(holds) } else { holds };
        Some(self.pool.bool_word(types[0].int_width()?, holds))
    }

    fn conjunction(&mut self, a: Option<Term>, b: Option<Term>) -> Option<Term> {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.pool.both(a, b)),
            (one, None) | (None, one) => one,
        }
    }

    fn guard(&mut self, inst: Inst, state: &mut State) -> Step {
        let function = self.function;
        let data = function.inst(inst);
        let mut operands = Vec::new();
        for &arg in function.args(inst) {
            let term = self.used(arg, state)?;
            operands.push(match self.pool.sort(term) {
                Sort::Float(_) => Datum::Float(term),
                _ => Datum::Word(term),
            });
        }
        let passes = match (data.op, operands.as_slice()) {
            (Op::GuardTrue | Op::GuardFalse | Op::GuardValue | Op::BoundsCheck, _) => {
                guard_passes(self.pool, data.op, &operands)
            }
            (Op::GuardNonnull | Op::NullCheck, &[Datum::Word(x)]) => self.pool.is_nonzero(x),
            (Op::GuardIsnull, &[Datum::Word(x)]) => {
                let nonzero = self.pool.is_nonzero(x);
                self.pool.negate(nonzero)
            }
            (op, _) => return Err(Unsupported(format!("the operation {op}"))),
        };
        let fault = match data.op {
            Op::NullCheck => "null",
            Op::BoundsCheck => "bounds",
            _ => "guard",
        };
        self.leave_unless(passes, fault, data.exit, state)?;
        if let (Some(result), Datum::Word(term)) = (function.results(inst).next(), operands[0]) {
            state.values[result.index()] = Some(Sym::Value { term, defined: None });
        }
        Ok(())
    }

    fn kept(&self, sym: Sym) -> Kept {
        match sym {
            Sym::Value { term, .. } => Some(self.pool.sort(term)),
            Sym::Lanes { .. } | Sym::Hole => None,
        }
    }

    /// Where `condition` does not hold, the function leaves through an exit.
    fn leave_unless(
        &mut self,
        condition: Term,
        fault: &'static str,
        exit: Option<Exit>,
        state: &mut State,
    ) -> Step {
        let not = self.pool.negate(condition);
        let leaving = self.pool.both(state.path, not);
        if !self.is_never(leaving) {
            let kept = match exit {
                Some(exit) if self.function.recipe(exit).is_some() => {
                    return Err(Unsupported("objects that are made where control leaves".to_owned()));
                }
                Some(exit) => self.gather(self.function.exit_args(exit), state)?,
                None => Vec::new(),
            };
            let sorts = kept.iter().map(|&sym| self.kept(sym)).collect();
            let kind = match exit.map(|exit| &self.function.exit(exit).target) {
                Some(ExitTarget::Leave(number)) => Kind::Leave(*number, sorts),
                Some(ExitTarget::To(_)) => return Err(Unsupported("handlers of exceptions".to_owned())),
                Some(ExitTarget::Unwind) | None => Kind::Fault(fault, sorts),
            };
            self.end(kind, leaving, kept)?;
        }
        state.path = self.pool.both(state.path, condition);
        Ok(())
    }
}
