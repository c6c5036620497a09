//! What an operation names besides its operands: a declared descriptor, or a function of the text.

use planish_base::Diagnostic;
use planish_base::spelling::closest;
use planish_ops::world::{CallEffect, Descr, Made, World};
use planish_ops::{Named, Op, Type};

use super::Reader;
use crate::module::Descriptor;
use crate::text::DUMMY;
use crate::text::syntax::{self, OperandKind};

impl<'t, 'm> Reader<'t, 'm> {
    /// The operation of a name.
    pub(super) fn op(&self, name: &str) -> Option<Op> {
        let dummy = (self.source.is_straight && name == DUMMY).then_some(Op::Call);
        Op::from_name(name).or_else(|| Op::from_pypy_name(name)).or(dummy)
    }

    /// The function of the text that an operation calls with its operands as they are.
    pub(super) fn callee(&self, op: Op, source: &syntax::Operation<'t>) -> Option<&'m syntax::Function<'t>> {
        let name = source.descr.filter(|_| op == Op::Call)?.text;
        let descriptors = &self.module.descriptors;
        let declared = descriptors.lookup(name).map(|descr| descriptors.call_effect(descr).made);
        let function = self.source.functions.get(name).copied();
        function.filter(|_| declared.is_none_or(|made| made == Made::Always))
    }

    /// What an operation names.
    pub(super) fn descriptor(&mut self, op: Op, source: &syntax::Operation<'t>) -> Option<Descr> {
        match source.descr {
            Some(name) => self.named(op, name),
            None if op == Op::Call && source.op.text == DUMMY => Some(self.implied(DUMMY, Descriptor::Other)),
            None => {
                let wanted = op.row().descriptor?;
                self.error(source.op.span, format!("`{op}` names {wanted}, as in `{op}(...) @name`"));
                None
            }
        }
    }

    /// The descriptor of a name: a declared one, or that of a function that is called.
    pub(super) fn named(&mut self, op: Op, name: syntax::Name<'t>) -> Option<Descr> {
        let Some(wanted) = op.row().descriptor else {
            self.error(name.span, format!("`{op}` names no descriptor, found `{}`", name.text));
            return None;
        };
        if let Some(known) = self.module.descriptors.lookup(name.text) {
            return self.is_of_kind(known, name, wanted, &format!("`{op}`")).then_some(known);
        }
        if op == Op::Call && self.source.functions.contains_key(name.text) {
            return Some(self.implied(name.text, Descriptor::Callee(CallEffect::unknown())));
        }
        self.undeclared(name, Some(op), wanted);
        None
    }

    /// The class of the exceptions that a handler takes.
    pub(super) fn handled(&mut self, name: syntax::Name<'t>) -> Option<Descr> {
        let Some(known) = self.module.descriptors.lookup(name.text) else {
            self.undeclared(name, None, Named::Class);
            return None;
        };
        self.is_of_kind(known, name, Named::Class, "a handler").then_some(known)
    }

    /// Whether a descriptor is of the kind that `who` names; reports if it is not.
    fn is_of_kind(&mut self, known: Descr, name: syntax::Name<'t>, wanted: Named, who: &str) -> bool {
        let kind = self.module.descriptors.get(known).kind();
        let fits = wanted.admits(kind);
        if !fits {
            let message = format!("{who} names {wanted}, and `{}` is {kind}", name.text);
            let note = match self.module.descriptors.is_implied(known) {
                true => format!("`{}` is a function that is called elsewhere", name.text),
                false => format!("it is declared as `{} @{}`", kind.word(), name.text),
            };
            self.diagnostics.push(Diagnostic::error(name.span, message).note(note));
        }
        fits
    }

    /// Says that a name is not declared, and how it would be; `op` is what names it, if not a handler.
    fn undeclared(&mut self, name: syntax::Name<'t>, op: Option<Op>, wanted: Named) {
        let mut diagnostic =
            Diagnostic::error(name.span, format!("descriptor `{}` is not declared", name.text));
        let declared = self.module.descriptors.iter().map(|(_, name, _)| name);
        let callable = if op == Some(Op::Call) { self.source.all } else { &[] };
        let names = declared.chain(callable.iter().map(|function| function.name.text));
        let note = match closest(name.text, names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                let (how, ty) = match wanted {
                    Named::Table => (wanted, ": i64 = [0, 1]"),
                    Named::Location | Named::Array => (Named::Location, ": i64"),
                    Named::Class | Named::Callee | Named::Other => (wanted, ""),
                };
                let how = how.word();
                let function = if op == Some(Op::Call) { ", or define the function" } else { "" };
                format!("declare it in front of the functions, as in `{how} @{}{ty}`{function}", name.text)
            }
        };
        diagnostic = diagnostic.note(note);
        self.diagnostics.push(diagnostic);
    }

    /// Warns of a call through a reference to a function that is not in the text: it may be elsewhere.
    pub(super) fn unknown_function(&mut self, operand: &syntax::Operand<'t>) {
        let OperandKind::Symbol(name) = operand.kind else { return };
        if self.source.functions.contains_key(name) || self.module.descriptors.lookup(name).is_some() {
            return;
        }
        let mut warning = Diagnostic::warning(operand.span, format!("there is no function `{name}` here"));
        if let Some(near) = closest(name, self.source.all.iter().map(|function| function.name.text)) {
            warning = warning.note(format!("did you mean `&{near}`?"));
        }
        self.diagnostics.push(warning);
    }

    fn implied(&mut self, name: &str, what: Descriptor) -> Descr {
        let known = self.module.descriptors.lookup(name);
        known.unwrap_or_else(|| {
            let descr = self.module.descriptors.intern(name, || what);
            self.module.descriptors.set_implied(descr);
            descr
        })
    }

    /// Whether a call has as many operands and results as the function that it calls.
    pub(super) fn fits_callee(
        &mut self,
        callee: &syntax::Function<'t>,
        source: &syntax::Operation<'t>,
    ) -> bool {
        for (what, wanted, found) in [
            ("takes", callee.params.len(), source.args.len()),
            ("gives", callee.results.len(), source.results.len()),
        ] {
            if found != wanted && !(what == "gives" && found == 0) {
                let name = callee.name.text;
                let values = if wanted == 1 { "value" } else { "values" };
                let message = format!("`{name}` {what} {wanted} {values}, found {found}");
                self.diagnostics.push(Diagnostic::error(source.op.span, message).note(header(callee)));
                return false;
            }
        }
        true
    }
}

/// What a function takes and gives, for people.
pub(super) fn header(function: &syntax::Function<'_>) -> String {
    let list =
        |types: &mut dyn Iterator<Item = Type>| types.map(|ty| ty.to_string()).collect::<Vec<_>>().join(", ");
    let params = list(&mut function.params.iter().map(|&(_, ty)| ty));
    let results = list(&mut function.results.iter().copied());
    let arrow = if results.is_empty() { "" } else { " -> " };
    format!("func {}({params}){arrow}{results}", function.name.text)
}
