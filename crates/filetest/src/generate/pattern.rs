//! Functions in which a given rule has something to match.
//!
//! Operations drawn at random hardly ever form the pattern of a rule, least of all with constants that
//! its checks like. So the pattern itself is built, at types that the rule is about, with parameters,
//! constants and values of which something is known for its variables. Whether the rule then applies is
//! up to its checks; what comes out must do the same in any case.

use arbitrary::{Result, Unstructured};
use planish_base::Id;
use planish_ir::{Block, Builder, Const, ExitTarget, Module, Value};
use planish_ops::{Exits, FloatFormat, Int, Op, Real, Type};
use planish_rules::Rule;
use planish_rules::eval::{concrete, integer_literal};
use planish_rules::rule::{Literal, NodeKind, TermId, TyKind, VarKind};

use super::constant;

/// How often types are drawn until the rule is about them.
const DRAWS: usize = 40;

/// A function that holds the pattern of a rule, or `None` when no types were found that the rule is about
/// or the pattern names what only a program has.
pub fn module(u: &mut Unstructured<'_>, rule: &Rule) -> Result<Option<Module>> {
    let needs_program = |&term: &TermId| matches!(&rule.terms[term].kind, NodeKind::Op(op, _) if op.row().descriptor.is_some());
    if rule.preorder(rule.pattern).iter().any(needs_program) {
        return Ok(None);
    }
    for _ in 0..DRAWS {
        let types = rule.types.values().map(|var| ty(u, var.kind)).collect::<Result<Vec<Type>>>()?;
        if rule.admits(&types) && rule.target_is_legal(&types) {
            return instance(u, rule, types).map(Some);
        }
    }
    Ok(None)
}

fn ty(u: &mut Unstructured<'_>, kind: TyKind) -> Result<Type> {
    let ints = [1, 4, 7, 8, 8, 16, 31, 32, 32, 33, 64, 64].map(Type::Int);
    let floats = [Type::F32, Type::F64];
    match kind {
        TyKind::Int => u.choose(&ints).copied(),
        TyKind::Float => u.choose(&floats).copied(),
        TyKind::Any if u.ratio(1, 3)? => u.choose(&floats).copied(),
        TyKind::Any => u.choose(&ints).copied(),
    }
}

fn instance(u: &mut Unstructured<'_>, rule: &Rule, types: Vec<Type>) -> Result<Module> {
    let mut b = Builder::new("instance", &[]);
    let entry = b.block("entry");
    b.at(entry);
    let mut made =
        Instance { u, rule, types, b, entry, bound: vec![None; rule.vars.len()], inner: Vec::new() };
    made.root()?;
    let mut module = Module::new();
    module.functions.push(made.b.finish());
    Ok(module)
}

struct Instance<'u, 'd, 'r> {
    u: &'u mut Unstructured<'d>,
    rule: &'r Rule,
    types: Vec<Type>,
    b: Builder,
    entry: Block,
    /// What stands for each variable of the rule.
    bound: Vec<Option<Value>>,
    /// Results of operations below the root.
    inner: Vec<Value>,
}

impl Instance<'_, '_, '_> {
    /// The pattern, and a return of what it gives; now and then also of what stands below its root.
    fn root(&mut self) -> Result<()> {
        let mut results = self.operation(self.rule.pattern)?;
        if self.u.ratio(1, 4)? {
            results.append(&mut self.inner);
        }
        if results.is_empty() {
            results = self.b.function().params().to_vec();
        }
        let types: Vec<Type> = results.iter().map(|&value| self.b.function().ty(value)).collect();
        self.b.set_result_types(&types);
        self.b.ret(&results);
        Ok(())
    }

    fn operation(&mut self, term: TermId) -> Result<Vec<Value>> {
        let rule = self.rule;
        let NodeKind::Op(op, terms) = &rule.terms[term].kind else { unreachable!("called on operations") };
        let mut args = terms.iter().map(|&arg| self.value(arg)).collect::<Result<Vec<Value>>>()?;
        if op.row().algebra.commutative && self.u.ratio(1, 2)? {
            args.reverse();
        }
        let ty = concrete(rule.terms[term].ty, &self.types);
        let exit = match op.row().exits {
            Exits::Before if self.u.ratio(2, 3)? => {
                let kept = self.b.function().params().to_vec();
                Some(self.b.exit(ExitTarget::Leave(1), &kept))
            }
            _ => None,
        };
        let inst = self.b.inst(*op, &args, &[ty], None, exit);
        Ok(self.b.function().results(inst).collect())
    }

    fn value(&mut self, term: TermId) -> Result<Value> {
        let rule = self.rule;
        let node = &rule.terms[term];
        let ty = concrete(node.ty, &self.types);
        match &node.kind {
            NodeKind::Op(..) => {
                let value = self.operation(term)?[0];
                self.inner.push(value);
                Ok(value)
            }
            NodeKind::Literal(literal) => Ok(self.literal(*literal, ty)),
            NodeKind::Var(var) => {
                if let Some(value) = self.bound[var.index()] {
                    return Ok(value);
                }
                let value = match rule.vars[*var].kind {
                    VarKind::Constant => self.constant(ty)?,
                    _ => self.leaf(ty)?,
                };
                self.bound[var.index()] = Some(value);
                Ok(value)
            }
            NodeKind::Reuse(_) => unreachable!("only targets name values of the pattern again"),
        }
    }

    fn literal(&mut self, literal: Literal, ty: Type) -> Value {
        let constant: Const = match (literal, ty) {
            (Literal::Float(value), Type::Float(FloatFormat::F32)) => Real::F32(value as f32).into(),
            (Literal::Float(value), _) => Real::F64(value).into(),
            (_, Type::Int(width)) => {
                let bits = integer_literal(literal, u32::from(width)).expect("the rule admits the types");
                Int::new(u32::from(width), bits).into()
            }
            _ => unreachable!("literals are numbers"),
        };
        self.b.constant(constant)
    }

    fn constant(&mut self, ty: Type) -> Result<Value> {
        let constant = constant::of(self.u, ty)?;
        Ok(self.b.constant(constant))
    }

    /// A value for a variable: as often one of which something is known as not.
    fn leaf(&mut self, ty: Type) -> Result<Value> {
        if self.u.ratio(1, 8)? && ty != Type::Ref {
            return self.constant(ty);
        }
        // Parameters are few, so that two variables are sometimes one value.
        let same: Vec<Value> = {
            let f = self.b.function();
            f.params().iter().copied().filter(|&param| f.ty(param) == ty).collect()
        };
        let param = match !same.is_empty() && self.u.ratio(1, 4)? {
            true => *self.u.choose(&same)?,
            false => self.b.param(self.entry, ty),
        };
        if ty.int_width().is_none() || self.u.ratio(1, 2)? {
            return Ok(param);
        }
        let op = *self.u.choose(&[
            Op::And,
            Op::And,
            Op::Or,
            Op::Urshift,
            Op::Rshift,
            Op::Lshift,
            Op::Min,
            Op::Max,
            Op::Umin,
        ])?;
        let by = self.constant(ty)?;
        Ok(self.b.op(op, &[param, by]))
    }
}
