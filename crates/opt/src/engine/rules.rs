//! Rewrite rules in the linear engine: the generated matchers (as ISLE's in Cranelift) see the function through a view,
//! and their plans are built.
//!
//! [`View`] is the program as a matcher sees it: representatives, the operations that make them, the
//! facts in force, how often a value is used. In the body of a peeled loop a result from before the loop is seen as what
//! made it, of values that the loop has too. A matcher answers with a plan; the engine builds it with
//! [`Cx::build`], so what a rule makes is simplified like everything else.

use planish_base::Id;
use planish_domain::IntFact;
use planish_ir::{Const, Function, Inst, Value};
use planish_ops::{Effect, Int, Op, Type};
use planish_pass::record::{Became, Kind, Site};
use planish_pass::{IMPOSSIBLE, Price};
use planish_rules::RuleId;
use planish_rules::chain::{self, Combined};
use planish_rules::matching::{self, Build, Flow, Operand, Outcome, Rewrite, Root, Subject};
use planish_rules::set::RuleSet;
use planish_rules::trial::trials;
use smallvec::SmallVec;

use crate::engine::facts::Facts;
use crate::engine::imports::Imports;
use crate::engine::numbering::{Key, Known, Numbering};
use crate::engine::replacement::Forwarding;
use crate::engine::stage;
use crate::engine::state::Cx;
use crate::engine::uses::Uses;

/// The program at the place where the walk is.
struct View<'a> {
    f: &'a Function,
    forwarding: &'a Forwarding,
    facts: &'a Facts,
    uses: &'a Uses,
    price: Price<'a>,
    /// Answers that branches gave; nothing where PyPy is followed, which takes none from them.
    numbering: Option<&'a Numbering>,
    /// Results from before a loop; nothing where PyPy is followed, which looks at operations of the loop only.
    imports: Option<&'a Imports>,
}

impl View<'_> {
    /// What made a parameter of the body of a peeled loop. Whoever got hold of it made the loop compute it again.
    #[cold]
    fn import(&self, value: Value) -> Option<Inst> {
        let imports = self.imports?;
        let import = &imports.all[imports.get(value)?];
        import.constant.is_none().then_some(import.inst)
    }
}

/// What the operations of a plan gave: for each its value and its overflow bit. Few plans have more.
type Built = SmallVec<[(Value, Option<Value>); 6]>;

/// A rewrite with the number of its rule in records: rules read at run time come after the book's.
struct Matched {
    number: u32,
    rewrite: Rewrite<Value>,
}

impl Subject for View<'_> {
    type Value = Value;
    type Node = Inst;

    fn first_node(&self, value: Value) -> Option<Inst> {
        let (inst, first) = match self.f.def_inst(value) {
            Some(inst) => (inst, self.f.result(inst) == value),
            None => (self.import(value)?, true),
        };
        let row = self.f.row(inst);
        (row.effect == Effect::Pure && row.descriptor.is_none() && first).then_some(inst)
    }

    fn op(&self, node: Inst) -> Op {
        self.f.inst(node).op
    }

    fn operand(&self, node: Inst, index: usize) -> Value {
        self.forwarding.peek(self.f.args(node)[index])
    }

    fn constant(&self, value: Value) -> Option<matching::Const> {
        match self.f.constant(value)? {
            Const::Int(int) => Some(matching::Const::Int(int)),
            Const::Real(number) => Some(matching::Const::Real(number.0)),
            Const::Null | Const::Symbol(..) | Const::Hole => None,
        }
    }

    fn fact(&self, value: Value) -> IntFact {
        self.facts.of(self.f, value)
    }

    fn is_told_nonzero(&self, value: Value) -> bool {
        let question = Key::short(Op::IsTrue, &[value], Some(self.f.ty(value)));
        let answer = self.numbering.and_then(|numbering| numbering.find(self.f, &question));
        match answer {
            Some(Known::Value(answer)) => self.f.int_constant(answer).is_some_and(Int::is_true),
            _ => false,
        }
    }

    fn ty(&self, value: Value) -> Type {
        self.f.ty(value)
    }

    fn used_once(&self, value: Value) -> bool {
        self.uses.once(value)
    }

    fn price(&self, op: Op) -> u32 {
        (self.price)(op).unwrap_or(IMPOSSIBLE)
    }
}

impl Cx<'_> {
    fn view(&self) -> View<'_> {
        let engine = &*self.engine;
        View {
            f: self.f,
            forwarding: &engine.forwarding,
            facts: &engine.facts,
            uses: &engine.uses,
            price: self.config.target.price,
            numbering: (!self.features.plain).then_some(&engine.numbering),
            imports: (!self.features.plain && !engine.imports.all.is_empty()).then_some(&engine.imports),
        }
    }

    fn root(&self, inst: Inst) -> Root<'_, Value> {
        let ty = self.f.results(inst).next().map_or(Type::State, |result| self.f.ty(result));
        Root { op: self.f.inst(inst).op, args: self.f.args(inst), ty }
    }

    /// Finds the first rewrite that a rule in force makes of an instruction: one read at run time, or one
    /// of the book. A rewrite is large and seldom there, so it is written where the caller wants it.
    fn matched(&self, inst: Inst, found: &mut Option<Matched>) {
        let (view, root) = (self.view(), self.root(inst));
        if let Some(extra) = self.config.extra
            && let Some(rewrite) = extra.simplify(&view, &root)
        {
            let number = (planish_book::RULES.len() + rewrite.rule.index()) as u32;
            *found = Some(Matched { number, rewrite });
            return;
        }
        let _ = planish_book::search(&view, &root, &mut |rewrite| {
            let number = rewrite.rule.index();
            if self.config.disabled.is_some_and(|disabled| disabled[number])
                || !self.may_write(rewrite.plan.iter())
            {
                return Flow::Continue(());
            }
            *found = Some(Matched { number: number as u32, rewrite });
            Flow::Break(())
        });
    }

    /// Whether all operations of a plan can be written where the program goes.
    fn may_write<'p>(&self, plan: impl Iterator<Item = &'p Build<Value>>) -> bool {
        let Some(writes) = self.config.target.writes else { return true };
        let mut types = SmallVec::<[Type; 6]>::new();
        for build in plan {
            let known = |operand| match operand {
                Operand::Value(value) => (self.f.ty(value), self.f.constant(value)),
                Operand::Const(matching::Const::Int(int)) => (int.ty(), Some(int.into())),
                Operand::Const(matching::Const::Real(real)) => {
                    (Type::Float(real.format()), Some(real.into()))
                }
                Operand::Built(index) => (types[usize::from(index)], None),
            };
            let operands: SmallVec<[(Type, Option<Const>); 3]> = build.operands().map(known).collect();
            if build.ty != Type::State && !writes(build.op, &operands, build.ty) {
                return false;
            }
            types.push(build.ty);
        }
        true
    }

    /// Keeps in the record how far the rule that is watched gets at an instruction.
    fn watch(&mut self, inst: Inst, set: &RuleSet, rule: RuleId) {
        let data = self.f.inst(inst);
        if set.rules[rule].root() != data.op {
            return;
        }
        let site = Site { inst: Some(inst), op: Some(data.op), location: data.location };
        for trial in trials(&self.view(), set, rule, &self.root(inst)) {
            self.record.tried(site, trial);
        }
    }

    /// Lets a rule rewrite an operation without effects; where no rule does, the normal form of the chain
    /// that ends here, if it costs less.
    pub(crate) fn rule(&mut self, inst: Inst) -> bool {
        if let Some((set, rule)) = self.config.watched {
            self.watch(inst, set, rule);
        }
        let mut found = None;
        self.matched(inst, &mut found);
        match &found {
            Some(matched) => self.apply(inst, matched),
            None => self.chain(inst),
        }
    }

    /// Lets a rewrite take the place of an operation without effects.
    #[inline(never)]
    fn apply(&mut self, inst: Inst, Matched { number, rewrite }: &Matched) -> bool {
        // A rule is right wherever the operation gives a result: where it may leave, it has to stay.
        if self.may_leave(inst) {
            return false;
        }
        let became = self.became(inst, rewrite.plan.iter().last(), rewrite.outcome);
        if !self.made.take(rewrite.plan.len() as u64) {
            self.record.deny(&self.made, *number, self.f, Site::of(self.f, inst));
            return false;
        }
        if !self.rewrite(Kind::Rule(*number), inst, became) {
            return false;
        }
        let results: SmallVec<[Value; 2]> = self.f.results(inst).collect();
        let built = self.build_plan(inst, rewrite.plan.iter(), Some(*number));
        match rewrite.outcome {
            Outcome::Value(operand) => {
                let value = self.operand(operand, &built);
                self.replace(results[0], value);
                if let Some(&flag) = results.get(1) {
                    // The bit is that of the operation that was built last, if it has one, else 0.
                    let by = match built.last() {
                        Some(&(of, Some(bit))) if of == value => bit,
                        _ => self.f.make_int(Type::I1, 0),
                    };
                    self.replace(flag, by);
                }
            }
            Outcome::Pair(first, second) => {
                for (&result, operand) in results.iter().zip([first, second]) {
                    let value = self.operand(operand, &built);
                    self.replace(result, value);
                }
            }
            Outcome::Guard | Outcome::Pass | Outcome::Fail => {
                unreachable!("a rule for an operation without effects gives values")
            }
        }
        true
    }

    /// Lets a rule say otherwise whether a word is not zero, which a branch asks: what that may branch on instead. As a branch asks
    /// for nothing, only a rule counts for which enough goes.
    pub(crate) fn asked(&mut self, condition: Value) -> Option<Value> {
        let inst = self.f.def_inst(condition).filter(|_| self.features.rules && !self.features.plain)?;
        let mut found = None;
        let (view, args) = (self.view(), [condition]);
        let root = Root { op: Op::IsTrue, args: &args, ty: Type::I1 };
        let _ = planish_book::search(&view, &root, &mut |rewrite| {
            let number = rewrite.rule.index();
            if !planish_book::RULES[number].pays
                || self.config.disabled.is_some_and(|disabled| disabled[number])
                || rewrite.plan.iter().any(|build| build.op == self.f.inst(inst).op && build.ty == Type::I1)
                || !self.may_write(rewrite.plan.iter())
            {
                return Flow::Continue(());
            }
            found = Some(Matched { number: number as u32, rewrite });
            Flow::Break(())
        });
        let Matched { number, rewrite } = found?;
        let Outcome::Value(operand) = rewrite.outcome else { return None };
        let became = self.became(inst, rewrite.plan.iter().last(), rewrite.outcome);
        if !self.made.take(rewrite.plan.len() as u64) || !self.rewrite(Kind::Rule(number), inst, became) {
            return None;
        }
        let built = self.build_plan(inst, rewrite.plan.iter(), Some(number));
        Some(self.operand(operand, &built))
    }

    /// Puts the sum, product or bitwise chain that ends here together anew, if that costs less.
    fn chain(&mut self, inst: Inst) -> bool {
        if self.features.plain {
            return false;
        }
        match chain::combine(&self.view(), &self.root(inst)) {
            Some(combined) if self.may_write(combined.plan.iter()) => self.put_together(inst, &combined),
            Some(_) | None => false,
        }
    }

    /// Lets a chain that was put together anew take the place of its end.
    #[cold]
    fn put_together(&mut self, inst: Inst, combined: &Combined<Value>) -> bool {
        let &Combined { ref plan, outcome, form } = combined;
        let became = self.became(inst, plan.last(), outcome);
        if !self.rewrite(Kind::Chain(form), inst, became) {
            return false;
        }
        let built = self.build_plan(inst, plan.iter(), None);
        let Outcome::Value(operand) = outcome else { unreachable!("a chain gives one value") };
        let (result, value) = (self.f.result(inst), self.operand(operand, &built));
        self.replace(result, value);
        true
    }

    /// What a record says that an instruction becomes.
    fn became(&self, inst: Inst, last: Option<&Build<Value>>, outcome: Outcome<Value>) -> Became {
        match (outcome, last) {
            (_, Some(build)) => Became::Op(build.op),
            (Outcome::Value(Operand::Value(is)), None) => Became::Value { of: self.f.result(inst), is },
            _ => Became::Changed,
        }
    }

    /// Lets a rule decide a guard, or make it another guard: what became of it, and the number of the rule.
    pub(crate) fn guard_rule(&mut self, inst: Inst) -> Option<(stage::Outcome, u32)> {
        if let Some((set, rule)) = self.config.watched {
            self.watch(inst, set, rule);
        }
        let mut found = None;
        self.matched(inst, &mut found);
        let Matched { number, rewrite } = found.as_ref()?;
        let kind = Kind::Rule(*number);
        let outcome = match rewrite.outcome {
            Outcome::Pass => self.rewrite(kind, inst, Became::Nothing).then_some(stage::Outcome::Gone),
            Outcome::Fail => self.rewrite(kind, inst, Became::Changed).then_some(stage::Outcome::Last),
            Outcome::Guard => {
                let last = *rewrite.plan.iter().last().expect("a guard was planned");
                if !self.rewrite(kind, inst, Became::Op(last.op)) {
                    return None;
                }
                let built = self.build_plan(inst, rewrite.plan.iter(), Some(*number));
                let args: SmallVec<[Value; 3]> =
                    last.operands().map(|operand| self.operand(operand, &built)).collect();
                self.f.rewrite_inst(inst, last.op, &args);
                Some(stage::Outcome::Keep)
            }
            Outcome::Value(_) | Outcome::Pair(..) => unreachable!("a rule for a guard gives a guard"),
        };
        Some((outcome?, *number))
    }

    /// Builds the operations of a plan, a guard apart: for each its value and its overflow bit. The plan is that of a rule,
    /// by number, or of none.
    fn build_plan<'p>(
        &mut self,
        inst: Inst,
        plan: impl Iterator<Item = &'p Build<Value>>,
        rule: Option<u32>,
    ) -> Built {
        let location = self.f.inst(inst).location;
        let mut built = Built::new();
        for build in plan.filter(|build| build.ty != Type::State) {
            let results = self.build_one(build, &built, location, rule);
            built.push(results);
        }
        built
    }

    fn build_one(
        &mut self,
        build: &Build<Value>,
        built: &[(Value, Option<Value>)],
        location: planish_ir::Location,
        rule: Option<u32>,
    ) -> (Value, Option<Value>) {
        let mut args = [None; 3];
        for (slot, operand) in args.iter_mut().zip(build.operands()) {
            *slot = Some(self.operand(operand, built));
        }
        match args {
            [Some(x), None, _] => self.build_results(build.op, &[x], &[build.ty], location, rule),
            [Some(x), Some(y), None] => self.build_results(build.op, &[x, y], &[build.ty], location, rule),
            [Some(x), Some(y), Some(z)] => {
                self.build_results(build.op, &[x, y, z], &[build.ty], location, rule)
            }
            _ => unreachable!("an operation of a rule has operands"),
        }
    }

    fn operand(&mut self, operand: Operand<Value>, built: &[(Value, Option<Value>)]) -> Value {
        let value = match operand {
            Operand::Value(value) => value,
            Operand::Const(matching::Const::Int(int)) => self.f.make_constant(int),
            Operand::Const(matching::Const::Real(real)) => self.f.make_constant(real),
            Operand::Built(index) => built[usize::from(index)].0,
        };
        self.resolve(value)
    }
}
