//! Where in the text of a program that stands which another dialect cannot say.

use planish_base::{Diagnostic, Diagnostics, SourceText, Span};
use planish_bril::ast::{Item, Type as BrilType};
use planish_bril::legal::word;
use planish_ir::{Function, Module, Value, text};
use planish_ops::Type;

use crate::dialect::Dialect;

/// What could not be written of a module, with the place of the first value of each function that is of a type which the
/// target lacks, or of the function. `errors` begin with `function NAME: `.
pub(crate) fn placed(
    errors: &[String],
    module: &Module,
    (source, dialect): (Option<&SourceText>, Dialect),
    has: impl Fn(Type) -> bool,
) -> String {
    let plain = |error: &String| format!("error: {error}");
    let Some(source) = source else { return errors.iter().map(plain).collect::<Vec<_>>().join("\n") };
    let shown = errors.iter().map(|error| {
        let about = module.functions.values().find(|f| error.starts_with(&format!("function {}: ", f.name)));
        match about.and_then(|function| place(source, dialect, function, &has)) {
            Some(span) => Diagnostic::error(span, error.clone()).render(source),
            None => plain(error),
        }
    });
    shown.collect::<Vec<_>>().join("\n")
}

fn place(
    source: &SourceText,
    dialect: Dialect,
    function: &Function,
    has: &impl Fn(Type) -> bool,
) -> Option<Span> {
    match dialect {
        Dialect::Ssa => {
            let places =
                text::places(source.text()).into_iter().find(|places| places.name == function.name)?;
            let lacks = |value: Value| !has(function.ty(value));
            let param = function.params().iter().position(|&param| lacks(param));
            if let Some(Some(span)) = param.map(|number| places.params.get(number).copied().flatten()) {
                return Some(span);
            }
            let inst = function.live_insts().find(|&(_, inst)| function.results(inst).any(lacks));
            let span = inst.and_then(|(_, inst)| places.operation(function.inst(inst).location));
            Some(span.unwrap_or(places.span))
        }
        Dialect::Bril => {
            let (program, _) = planish_bril::text::read(source.text());
            let function = program.functions.into_iter().find(|other| other.name == function.name)?;
            let lacks = |ty: &BrilType| !has(word(ty));
            if function.params.iter().any(|(_, ty)| lacks(ty)) {
                return Some(function.span);
            }
            let instruction = function.body.iter().find_map(|item| match item {
                Item::Instruction(instruction) => {
                    let (_, ty) = instruction.dest.as_ref()?;
                    lacks(ty).then_some(instruction.span)
                }
                Item::Label(..) => None,
            });
            Some(instruction.unwrap_or(function.span))
        }
        Dialect::Tac => {
            let program = planish_tac::read::read(source, &mut Diagnostics::new());
            let is_it = |name: &str| name == function.name;
            let alone = program.functions.len() == 1;
            let named = |other: &&planish_tac::ast::Function| {
                alone || other.name.is_some_and(|name| is_it(program.names.get(name)))
            };
            program.functions.iter().find(named).map(|other| other.span)
        }
        Dialect::Rvsdg | Dialect::BrilJson | Dialect::Trace | Dialect::PypyLog => None,
    }
}
