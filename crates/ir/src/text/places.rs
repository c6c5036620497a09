//! Where the functions of a text and their values stand, for messages about what was read.
//!
//! A function keeps the lines of its operations. Whoever has to point at a value reads the structure of the text once more.

use planish_base::{Diagnostics, Span};

use super::parse::parse;
use super::read::Lines;
use super::syntax::{OperandKind, Operation};
use crate::function::Location;

/// The places of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionPlaces {
    /// The name of the function.
    pub name: String,
    /// Its name, or the first operation of a straight line.
    pub span: Span,
    /// The parameters, by number; a straight line may leave some out.
    pub params: Vec<Option<Span>>,
    /// The operations: the first result, or the name of one that has none.
    operations: Vec<(Location, Span)>,
}

impl FunctionPlaces {
    /// Where the operation of a location stands.
    pub fn operation(&self, location: Location) -> Option<Span> {
        self.operations.iter().find(|(known, _)| *known == location).map(|(_, span)| *span)
    }
}

/// The places of the functions of a text, in order.
pub fn places(text: &str) -> Vec<FunctionPlaces> {
    let file = parse(text, &mut Diagnostics::new());
    let lines = Lines::new(text);
    let place = |operation: &Operation<'_>| {
        let span = operation.results.first().map_or(operation.op.span, |(name, _)| name.span);
        (lines.of(operation.op.span), span)
    };
    let mut all = Vec::new();
    for function in &file.functions {
        let operations = function.blocks.iter().flat_map(|block| &block.operations).map(place).collect();
        let params = function.params.iter().map(|(name, _)| Some(name.span)).collect();
        all.push(FunctionPlaces {
            name: function.name.text.to_owned(),
            span: function.name.span,
            params,
            operations,
        });
    }
    if let Some((operations, _)) = &file.straight {
        let mut params = Vec::new();
        for operation in operations.iter().filter(|operation| operation.op.text == "getarg") {
            if let Some(OperandKind::Integer(number)) = operation.args.first().map(|arg| arg.kind)
                && let Ok(number @ 0..1_000_000) = number.parse::<usize>()
            {
                params.resize(params.len().max(number + 1), None);
                params[number] = Some(place(operation).1);
            }
        }
        let span = operations.first().map_or(Span::default(), |operation| place(operation).1);
        let operations = operations.iter().map(place).collect();
        all.push(FunctionPlaces { name: "main".to_owned(), span, params, operations });
    }
    all
}
