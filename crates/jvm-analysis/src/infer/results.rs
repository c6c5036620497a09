//! Dead return value elimination (LLVM's `DeadArgumentElimination`): results that nobody needs.
//!
//! A method whose result no caller needs returns a constant, so that what was computed for the result alone goes. Where
//! the descriptor stays, callers drop what they get: what a call left on the stack, or what the method was given, is as
//! cheap to return as a constant, and stays. A variant of the method returns nothing (`specialize`), and neither does one
//! of a method that always gives the same constant, since whoever calls it knows that.

use planish_base::{Id, Worklist};
use planish_classfile::descriptor::MethodType;
use planish_ir::constant::Number;
use planish_ir::{Const, Def, Function, Inst, Terminator, Value};
use planish_jvm_model::program::Method;
use planish_ops::{Effect, Exits, FloatFormat, Op, Real, Type};

use crate::infer::live::{LiveParts, Liveness};
use crate::infer::state::sites::Site;
use crate::infer::state::{Analysis, Body};
use crate::infer::survey::Survey;

/// What becomes of the result of methods, in a variant of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ResultPart {
    /// Somebody needs it.
    Keep,
    /// Nobody needs it.
    Drop,
    /// Who needs it knows that it is this.
    Is(Const),
}

/// Whether a constant is used for more than branches, what is constant by it, and, if that counts, being returned.
fn is_handed_on(f: &Function, constant: Value, is_known: impl Fn(Value) -> bool, may_return: bool) -> bool {
    let goes = |inst: Inst| {
        let row = f.row(inst);
        row.effect == Effect::Pure && row.exits == Exits::Never && f.results(inst).all(&is_known)
    };
    let is_operand = |inst: Inst| f.args(inst).contains(&constant) && !goes(inst);
    f.live_insts().any(|(_, inst)| is_operand(inst))
        || f.blocks().iter().any(|&block| match f.terminator(block) {
            Terminator::Return(results) => !may_return && f.list(*results).contains(&constant),
            terminator => terminator.calls().any(|call| f.list(call.args).contains(&constant)),
        })
}

impl ResultPart {
    /// What it is for those who need it.
    pub fn constant(self) -> Option<Const> {
        match self {
            ResultPart::Is(constant) => Some(constant),
            ResultPart::Keep | ResultPart::Drop => None,
        }
    }
}

/// By method whether some call of it hands its constant result on: it would have to be put there instead, and a call with
/// its result is shorter than both.
pub(super) struct Operands(Vec<bool>);

impl Analysis<'_, '_, '_> {
    /// Whose constant results are handed on.
    pub(super) fn operands(&self, survey: &Survey) -> Operands {
        let mut operands = Operands(vec![false; self.bodies.len()]);
        for caller in self.program.methods.ids() {
            let Some(Body { function: f, .. }) = &self.bodies[caller.index()] else { continue };
            let values = &self.progress[caller.index()].values;
            let is_known = |value: Value| values[value.index()].constant().is_some();
            for call in survey.of(caller) {
                let result = f.first_result(call.inst).filter(|&value| is_known(value));
                let (Some(callee), Some(result)) = (call.leads_to().or(call.named), result) else { continue };
                // What a recursion returns is what it is about.
                if !operands.0[callee.index()] && is_handed_on(f, result, is_known, caller == callee) {
                    operands.0[callee.index()] = true;
                }
            }
        }
        operands
    }

    /// What becomes of the result of methods of one descriptor, to any of which a call may lead.
    pub(super) fn result_part(
        &self,
        methods: &[Method],
        live: &LiveParts,
        operands: &Operands,
    ) -> ResultPart {
        let descriptor = methods.first().map(|&method| self.program.methods[method].selector);
        let ty = descriptor.and_then(|selector| MethodType::parse(self.program.descriptor(selector)));
        if ty.is_none_or(|ty| ty.result().is_none()) {
            return ResultPart::Keep;
        }
        let mut part = ResultPart::Drop;
        for &method in methods.iter().filter(|&&method| live.is_result_live(method)) {
            let constant = self.methods[method.index()].result.constant();
            let is_plain = |constant: &Const| !matches!(constant, Const::Symbol(..) | Const::Hole);
            let constant = constant.filter(is_plain).filter(|_| !operands.0[method.index()]);
            part = match (part, constant) {
                (ResultPart::Drop, Some(constant)) => ResultPart::Is(constant),
                (ResultPart::Is(known), Some(constant)) if known == constant => part,
                _ => return ResultPart::Keep,
            };
        }
        part
    }
}

/// What a function returns that is computed for nothing else, if its result does not matter. O(body) if it returns such.
pub(super) fn needless_results(f: &Function, sites: &[Site]) -> Vec<Value> {
    let mut edges = None;
    let mut found = Vec::new();
    for &block in f.blocks() {
        let Terminator::Return(results) = f.terminator(block) else { continue };
        for &result in f.list(*results) {
            let goes = match f.def(result) {
                Def::Const(_) => false,
                Def::Param(block, _) if block == f.entry() => false,
                Def::Result(..) => goes(f, result, sites),
                Def::Param(..) => {
                    merges_nothing(f, result, sites, edges.get_or_insert_with(|| Liveness::none(f)))
                }
            };
            if goes {
                found.push(result);
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether the instruction that gives a value goes if nobody uses that.
fn goes(f: &Function, value: Value, sites: &[Site]) -> bool {
    let Def::Result(inst, _) = f.def(value) else { return true };
    let row = f.row(inst);
    let is_fresh = f.inst(inst).descr.is_some_and(|descr| matches!(sites[descr.index()], Site::New(_)));
    let is_computed = matches!(row.effect, Effect::Pure | Effect::Allocate | Effect::Load);
    is_computed && (row.exits == Exits::Never || f.inst(inst).op == Op::NewArray) || is_fresh
}

/// Whether what merges in a parameter of a block is nowhere left over from an instruction that stays.
fn merges_nothing(f: &Function, merged: Value, sites: &[Site], edges: &Liveness) -> bool {
    let mut is_seen = vec![false; f.value_count()];
    let mut work = Worklist::from(vec![merged]);
    while let Some(value) = work.pop() {
        if std::mem::replace(&mut is_seen[value.index()], true) {
            continue;
        }
        match f.def(value) {
            Def::Param(block, place) if block != f.entry() => work.extend(edges.incoming(f, block, place)),
            _ if goes(f, value, sites) => {}
            _ => return false,
        }
    }
    true
}

/// Returns constants where these values were returned. Gives how often.
pub(super) fn return_nothing(f: &mut Function, returned: &[Value]) -> u64 {
    if returned.is_empty() {
        return 0;
    }
    let mut count = 0;
    for block in f.blocks().to_vec() {
        let Terminator::Return(results) = *f.terminator(block) else { continue };
        let &[result] = f.list(results) else { continue };
        if returned.binary_search(&result).is_ok()
            && let Some(nothing) = nothing(f.ty(result))
        {
            let nothing = f.make_constant(nothing);
            let results = f.make_list(&[nothing]);
            f.set_terminator(block, Terminator::Return(results));
            count += 1;
        }
    }
    count
}

/// A constant of a type.
pub fn nothing(ty: Type) -> Option<Const> {
    Some(match ty {
        Type::Int(_) => Const::Int(planish_ops::Int::new(ty.int_width()?, 0)),
        Type::Float(FloatFormat::F32) => Const::Real(Number(Real::F32(0.0))),
        Type::Float(FloatFormat::F64) => Const::Real(Number(Real::F64(0.0))),
        Type::Ref => Const::Null,
        _ => return None,
    })
}
