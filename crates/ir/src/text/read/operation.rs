//! Operations: operands whose types fit the row, results, literals of the types that are wanted.

use planish_base::Diagnostic;
use planish_ops::row::Lanes;
use planish_ops::spelling::suggestion;
use planish_ops::world::{Location, World};
use planish_ops::{Op, Shape, Type};
use smallvec::SmallVec;

use super::Reader;
use super::descriptor::header;
use super::literal::number;
use crate::builder::result_types;
use crate::constant::Const;
use crate::function::Value;
use crate::text::syntax::{self, OperandKind};
use crate::text::{declared_type, stores};

impl<'t> Reader<'t, '_> {
    pub(super) fn operation(&mut self, source: &syntax::Operation<'t>) {
        let location = self.source.lines.of(source.op.span);
        self.builder.locate(location);
        let found = self.op(source.op.text);
        let (Some(op), true) = (found, source.op.text != "getarg") else {
            let mut diagnostic = match source.op.text {
                "getarg" => Diagnostic::error(source.op.span, "inputs of a function stand in its header"),
                name => Diagnostic::error(source.op.span, format!("unknown operation `{name}`")),
            };
            if let Some(hint) = suggestion(source.op.text) {
                diagnostic = diagnostic.note(hint);
            }
            self.diagnostics.push(diagnostic);
            return self.define_broken(source);
        };
        let row = op.row();
        let fits = if row.variadic {
            row.operands.len() <= source.args.len()
        } else {
            row.operands.len() == source.args.len()
        };
        if !fits {
            let message =
                format!("`{op}` takes {} operands, found {}", row.operands.len(), source.args.len());
            let signature = planish_ops::catalogue::signature(row);
            self.diagnostics.push(Diagnostic::error(source.op.span, message).note(signature));
            return self.define_broken(source);
        }
        let callee = self.callee(op, source);
        if callee.is_some_and(|callee| !self.fits_callee(callee, source)) {
            return self.define_broken(source);
        }
        let Some(args) =
            self.operands(op, callee, source).filter(|args| self.fits_location(op, args, source))
        else {
            return self.define_broken(source);
        };
        let types: SmallVec<[Type; 4]> = args.iter().map(|&arg| self.builder.function().ty(arg)).collect();
        let Some(results) = self.results(op, &types, callee, source) else {
            return self.define_broken(source);
        };
        if op == Op::CallRef {
            self.unknown_function(&source.args[0]);
        }
        let descr = self.descriptor(op, source);
        let exit = match &source.exit {
            Some(exit) => self.exit(exit),
            None => None,
        };
        let inst = self.builder.inst(op, &args, &results, descr, exit);
        let made: SmallVec<[Value; 2]> = self.builder.function().results(inst).collect();
        for (&(name, _), value) in source.results.iter().zip(made) {
            self.define(name, value);
        }
    }

    /// Lets the results of a wrong operation be known, so that one mistake is one message.
    fn define_broken(&mut self, source: &syntax::Operation<'t>) {
        for &(name, ty) in &source.results {
            let inst = {
                let operand = self.builder.int(Type::I64, 0);
                self.builder.inst(Op::Use, &[operand], &[ty.unwrap_or(Type::I64)], None, None)
            };
            let value = self.builder.function().result(inst);
            self.define(name, value);
        }
    }

    /// The operands of an operation, literals typed by the other operands and by named results.
    fn operands(
        &mut self,
        op: Op,
        callee: Option<&syntax::Function<'t>>,
        source: &syntax::Operation<'t>,
    ) -> Option<SmallVec<[Value; 4]>> {
        let row = op.row();
        let shapes = row.operands.iter().copied().chain(std::iter::repeat(Shape::Free));
        let mut known: SmallVec<[(u8, Type); 2]> = SmallVec::new();
        let mut bind = |shape: Shape, ty: Type| {
            let variable = shape.variable().filter(|v| !known.iter().any(|(k, _)| k == v));
            if let Some(variable) = variable.filter(|_| shape.admits(ty)) {
                known.push((variable, shape.binds(ty)));
            }
        };
        for (operand, shape) in source.args.iter().zip(shapes.clone()) {
            match operand.kind {
                OperandKind::Value(name) => {
                    if let Some(&value) = self.values.get(name) {
                        bind(shape, self.builder.function().ty(value));
                    }
                }
                _ => {
                    if let Some(ty) = operand.ty {
                        bind(shape, ty);
                    }
                }
            }
        }
        for (&(_, ty), shape) in source.results.iter().zip(row.results) {
            if let Some(ty) = ty {
                bind(*shape, ty);
            }
        }
        // A literal that is stored has the type of its location.
        let is_number = |kind: &OperandKind<'t>| {
            matches!(kind, OperandKind::Integer(_) | OperandKind::Float(_) | OperandKind::Symbol(_))
        };
        let is_untyped = |operand: &syntax::Operand<'t>| operand.ty.is_none() && is_number(&operand.kind);
        let location =
            self.location(source).filter(|_| stores(op) && source.args.last().is_some_and(is_untyped));
        let mut args = SmallVec::with_capacity(source.args.len());
        let mut whole = true;
        for ((operand, shape), position) in source.args.iter().zip(shapes).zip(0..) {
            let stored = location.filter(|_| position + 1 == source.args.len());
            let expected = match shape {
                _ if let Some(location) = stored => Some(location.ty),
                Shape::Free => callee.map(|callee| callee.params[position].1),
                Shape::Bit => Some(Type::I1),
                Shape::Ref => Some(Type::Ref),
                _ => {
                    let known = shape.variable().and_then(|v| known.iter().find(|(k, _)| *k == v));
                    known.map(|(_, ty)| shape.bound(*ty))
                }
            };
            let Some(value) = self.operand(operand, expected) else {
                whole = false;
                continue;
            };
            let ty = self.builder.function().ty(value);
            if !shape.admits(ty) || expected.is_some_and(|expected| expected != ty) {
                let expected = expected.filter(|&expected| shape.admits(expected));
                let wanted = expected.map_or_else(|| describe(shape).to_owned(), |ty| ty.to_string());
                let message = format!("expected {wanted}, found a value of type {ty}");
                let note = callee.map_or_else(|| planish_ops::catalogue::signature(row), header);
                self.diagnostics.push(Diagnostic::error(operand.span, message).note(note));
                whole = false;
            }
            args.push(value);
        }
        whole.then_some(args)
    }

    /// The types of results that the operands do not determine, after checking those that are written.
    fn results(
        &mut self,
        op: Op,
        operands: &[Type],
        callee: Option<&syntax::Function<'t>>,
        source: &syntax::Operation<'t>,
    ) -> Option<SmallVec<[Type; 2]>> {
        let row = op.row();
        if let Some(callee) = callee {
            for (&(name, written), &ty) in source.results.iter().zip(&callee.results) {
                if written.is_some_and(|written| written != ty) {
                    self.error(name.span, format!("this result of `{}` is of type {ty}", callee.name.text));
                    return None;
                }
            }
            // Results that get no name are there all the same.
            return Some(callee.results.as_slice().into());
        }
        let written: SmallVec<[Type; 2]> =
            source.results.iter().map(|(_, ty)| ty.unwrap_or(Type::I64)).collect();
        if row.free_results {
            return Some(written);
        }
        if written.len() != row.results.len() {
            let message = format!("`{op}` has {} results, found {}", row.results.len(), written.len());
            let signature = planish_ops::catalogue::signature(row);
            self.diagnostics.push(Diagnostic::error(source.op.span, message).note(signature));
            return None;
        }
        if op == Op::Lookup
            && let (Some(&(name, Some(ty))), Some(actual)) =
                (source.results.first(), self.declared(op, source))
            && ty != actual
        {
            self.error(name.span, format!("this result of `{op}` is of type {actual}, as the items are"));
            return None;
        }
        // A type is determined when giving another for it changes nothing.
        let named: SmallVec<[Type; 2]> = row
            .results
            .iter()
            .zip(&source.results)
            .filter(|(shape, _)| !row.determines(**shape))
            .map(|(shape, (_, ty))| {
                let usual = if matches!(shape, Shape::Float(_)) { Type::F64 } else { Type::I64 };
                ty.or_else(|| self.declared(op, source)).unwrap_or(usual)
            })
            .collect();
        let types = result_types(op, operands, &named)?;
        for ((&(name, ty), &actual), shape) in source.results.iter().zip(&types).zip(row.results) {
            if ty.is_some_and(|ty| ty != actual) || !shape.admits(actual) {
                self.error(name.span, format!("this result of `{op}` is of type {actual}"));
                return None;
            }
        }
        Some(named)
    }

    /// The type of what a load or a look-up gives, as the declaration of the location or table says.
    fn declared(&self, op: Op, source: &syntax::Operation<'t>) -> Option<Type> {
        let descr = self.module.descriptors.lookup(source.descr?.text)?;
        declared_type(&self.module.descriptors, op, descr)
    }

    /// The location that an operation names.
    fn location(&self, source: &syntax::Operation<'t>) -> Option<Location> {
        let descr = self.module.descriptors.lookup(source.descr?.text)?;
        self.module.descriptors.location(descr)
    }

    /// Whether what an operation stores or loads is of the type of its location; reports if it is not.
    fn fits_location(&mut self, op: Op, args: &[Value], source: &syntax::Operation<'t>) -> bool {
        let Some(location) = self.location(source) else { return true };
        let (span, ty, expected) = match (&source.args[..], args, &source.results[..]) {
            ([.., operand], &[.., stored], _) if stores(op) => {
                (operand.span, self.builder.function().ty(stored), location.ty)
            }
            (_, _, &[(name, Some(ty))]) if let Some(declared) = self.declared(op, source) => {
                (name.span, ty, declared)
            }
            _ => return true,
        };
        if ty != expected {
            let message = format!("expected a value of type {expected}, found one of type {ty}");
            let name = source.descr.map_or("", |name| name.text);
            let note = format!("`{name}` is declared as a location of type {}", location.ty);
            self.diagnostics.push(Diagnostic::error(span, message).note(note));
        }
        ty == expected
    }

    /// A value, a literal in the type `expected` where it has none of its own.
    pub(super) fn operand(&mut self, operand: &syntax::Operand<'t>, expected: Option<Type>) -> Option<Value> {
        let constant: Const = match operand.kind {
            OperandKind::Value(name) => {
                let Some(&value) = self.values.get(name) else {
                    self.error(operand.span, format!("`{name}` is not defined here"));
                    return None;
                };
                return Some(value);
            }
            OperandKind::Null => Const::Null,
            OperandKind::None => Const::Hole,
            OperandKind::Symbol(name) => {
                let ty = operand.ty.or(expected).unwrap_or(Type::Ref);
                if !matches!(ty, Type::Ref | Type::Int(_)) {
                    self.error(operand.span, "a symbol is a reference or an integer");
                    return None;
                }
                Const::Symbol(self.module.symbol(name), ty)
            }
            OperandKind::Integer(_) | OperandKind::Float(_) => {
                let usual =
                    if matches!(operand.kind, OperandKind::Integer(_)) { Type::I64 } else { Type::F64 };
                match number(&operand.kind, operand.ty.or(expected).unwrap_or(usual)) {
                    Ok(constant) => constant,
                    Err(message) => {
                        self.error(operand.span, message);
                        return None;
                    }
                }
            }
        };
        Some(self.builder.constant(constant))
    }

    pub(super) fn integer(&mut self, operand: &syntax::Operand<'t>, literal: Type) -> Option<Value> {
        let expected = matches!(operand.kind, OperandKind::Integer(_)).then_some(literal);
        let value = self.operand(operand, expected)?;
        let ty = self.builder.function().ty(value);
        if ty.int_width().is_none() {
            self.error(operand.span, format!("expected an integer, found a value of type {ty}"));
            return None;
        }
        Some(value)
    }
}

fn describe(shape: Shape) -> &'static str {
    match shape {
        Shape::Int(_) => "an integer",
        Shape::Bit => "i1",
        Shape::Float(_) => "a float",
        Shape::Ref => "a reference",
        Shape::Any(_) | Shape::Free => "a value",
        Shape::Vector(Lanes::Ints) => "a vector of integers",
        Shape::Vector(Lanes::Floats) => "a vector of floats",
        Shape::Vector(Lanes::Any) => "a vector",
        Shape::Lane => "what is in a lane of a vector",
    }
}
