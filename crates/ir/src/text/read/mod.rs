//! From the structure of the `.ssa` text to a module: names, types of literals, blocks.
//!
//! Blocks are read in reverse postorder, so that a value is known before its uses whatever the order of
//! the text; what cannot be reached comes last. Types of literals follow from the other operands.

mod control;
mod declare;
mod descriptor;
mod literal;
mod operation;
mod straight;

use hashbrown::HashMap;
use planish_base::{Diagnostics, Span};
use planish_ops::Type;
use rustc_hash::FxBuildHasher;

use super::write::{NamesOfFunctions, ValueNames};
use super::{parse, syntax};
use crate::builder::Builder;
use crate::function::{self, Block, Location, Value};
use crate::module::Module;

type Map<'t, V> = HashMap<&'t str, V, FxBuildHasher>;

/// Reads a text. The module holds what could be read; it is whole when no diagnostic is an error.
pub fn read(text: &str) -> (Module, Diagnostics) {
    let (module, diagnostics, _) = read_named(text);
    (module, diagnostics)
}

/// The same, with the names of values that are more than a number.
pub fn read_named(text: &str) -> (Module, Diagnostics, NamesOfFunctions) {
    let mut names = NamesOfFunctions::default();
    let mut diagnostics = Diagnostics::new();
    let file = parse::parse(text, &mut diagnostics);
    let mut module = Module::new();
    for declaration in &file.declarations {
        declare::declare(&mut module, declaration, &mut diagnostics);
    }
    let is_straight = file.straight.is_some();
    let mut source =
        Source { lines: Lines::new(text), all: &file.functions, functions: Map::default(), is_straight };
    for function in &file.functions {
        if source.functions.insert(function.name.text, function).is_some() {
            let message = format!("function `{}` is defined twice", function.name.text);
            diagnostics.error(function.name.span, message);
        }
    }
    for function in &file.functions {
        let reader =
            Reader::new(&mut module, &mut diagnostics, &source, function.name.text, &function.results);
        let (function, named) = reader.function(function);
        names.insert(function.name.clone(), named);
        module.functions.push(function);
    }
    if let Some((operations, end)) = &file.straight {
        let reader = Reader::new(&mut module, &mut diagnostics, &source, "main", &[]);
        let (function, named) = reader.straight(operations, end.as_ref());
        names.insert(function.name.clone(), named);
        module.functions.push(function);
    }
    (module, diagnostics, names)
}

/// Line numbers of bytes.
pub(super) struct Lines(Vec<u32>);

impl Lines {
    pub(super) fn new(text: &str) -> Self {
        Lines(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32).collect())
    }

    pub(super) fn of(&self, span: Span) -> Location {
        Location(self.0.partition_point(|&end| end < span.start) as u32 + 1)
    }
}

/// What is known of a text before its functions are read.
struct Source<'t, 'f> {
    lines: Lines,
    all: &'f [syntax::Function<'t>],
    /// Its functions by name: they may be called before they are read.
    functions: Map<'t, &'f syntax::Function<'t>>,
    /// Whether it is a straight line.
    is_straight: bool,
}

struct Reader<'t, 'm> {
    module: &'m mut Module,
    diagnostics: &'m mut Diagnostics,
    source: &'m Source<'t, 'm>,
    builder: Builder,
    values: Map<'t, Value>,
    /// The names of values that a writer would not make anew.
    names: ValueNames,
    blocks: Map<'t, Block>,
    result_types: Vec<Type>,
}

impl<'t, 'm> Reader<'t, 'm> {
    fn new(
        module: &'m mut Module,
        diagnostics: &'m mut Diagnostics,
        source: &'m Source<'t, 'm>,
        name: &str,
        results: &[Type],
    ) -> Self {
        Reader {
            module,
            diagnostics,
            source,
            builder: Builder::new(name, results),
            values: Map::default(),
            names: ValueNames::new(),
            blocks: Map::default(),
            result_types: results.to_vec(),
        }
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.error(span, message);
    }

    fn define(&mut self, name: syntax::Name<'t>, value: Value) {
        if self.values.insert(name.text, value).is_some() {
            self.error(name.span, format!("`{}` is defined twice", name.text));
        }
        // Those that are printed of values without a name: `v` alone and `v01` are names.
        let digits = name.text.strip_prefix('v').filter(|digits| *digits == "0" || !digits.starts_with('0'));
        let is_number = digits.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
        if !is_number {
            self.names[value].get_or_insert_with(|| name.text.into());
        }
    }

    fn function(mut self, source: &syntax::Function<'t>) -> (function::Function, ValueNames) {
        for (position, block) in source.blocks.iter().enumerate() {
            let id = self.builder.block(block.name.text);
            if self.blocks.insert(block.name.text, id).is_some() {
                self.error(block.name.span, format!("block `{}` is defined twice", block.name.text));
            }
            if position == 0 && !block.params.is_empty() {
                self.error(block.name.span, "the parameters of the first block are those of the function");
            }
            let params = if position == 0 { &source.params } else { &block.params };
            for &(name, ty) in params {
                let value = self.builder.param(id, ty);
                self.define(name, value);
            }
        }
        for position in self.order(source) {
            let block = &source.blocks[position];
            let id = self.builder.function().blocks()[position];
            self.builder.at(id);
            for operation in &block.operations {
                self.operation(operation);
            }
            match &block.terminator {
                Some(terminator) => self.terminator(terminator),
                None => self.error(block.name.span, format!("block `{}` has no terminator", block.name.text)),
            }
        }
        (self.builder.finish(), self.names)
    }

    /// Positions of blocks in reverse postorder, then those that cannot be reached.
    fn order(&self, source: &syntax::Function<'t>) -> Vec<usize> {
        let position: Map<'t, usize> =
            source.blocks.iter().enumerate().rev().map(|(i, b)| (b.name.text, i)).collect();
        let successors = |block: &syntax::Block<'t>| -> Vec<usize> {
            use syntax::Terminator as T;
            let mut names = Vec::new();
            match &block.terminator {
                Some(T::Jump(call)) => names.push(call.block.text),
                Some(T::Branch(_, then, other)) => names.extend([then.block.text, other.block.text]),
                Some(T::Switch(_, cases, default)) => {
                    names.extend(cases.iter().map(|(_, call)| call.block.text).chain([default.block.text]));
                }
                Some(T::Return(..) | T::Throw(..) | T::Unreachable) | None => {}
            }
            let thrown = match &block.terminator {
                Some(T::Throw(_, exit)) => exit.as_ref(),
                _ => None,
            };
            for exit in block.operations.iter().filter_map(|o| o.exit.as_ref()).chain(thrown) {
                if let syntax::ExitTarget::To(handlers) = &exit.target {
                    names.extend(handlers.iter().map(|(_, block)| block.text));
                }
            }
            names.into_iter().filter_map(|name| position.get(name).copied()).collect()
        };
        let count = source.blocks.len();
        let (mut seen, mut order) = (vec![false; count], Vec::with_capacity(count));
        for root in 0..count {
            // Only the entry is a root of what can be reached; the rest follows in the order of the text.
            if std::mem::replace(&mut seen[root], true) {
                continue;
            }
            let from = order.len();
            let mut stack = vec![(root, successors(&source.blocks[root]))];
            while let Some((block, next)) = stack.last_mut() {
                match next.pop() {
                    Some(to) if !std::mem::replace(&mut seen[to], true) => {
                        stack.push((to, successors(&source.blocks[to])));
                    }
                    Some(_) => {}
                    None => {
                        order.push(*block);
                        stack.pop();
                    }
                }
            }
            order[from..].reverse();
        }
        order
    }
}
