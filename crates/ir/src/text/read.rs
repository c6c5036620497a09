//! From the structure of the `.ssa` text to a module: names, types of literals, blocks.
//!
//! Blocks are read in reverse postorder, so that a value is known before its uses whatever the order of
//! the text; what cannot be reached comes last. Types of literals follow from the other operands.

use hashbrown::HashMap;
use planish_base::spelling::closest;
use planish_base::{Diagnostic, Diagnostics, Span};
use planish_ops::world::{CallEffect, Made, Mutability};
use planish_ops::{FloatFormat, Int, Op, Real, Row, Shape, Type, world};
use rustc_hash::FxBuildHasher;

use super::syntax::{self, Declared, OperandKind};
use crate::builder::{Builder, result_types};
use crate::constant::Const;
use crate::function::{self, Block, ExitTarget, Handler, Location, Value};
use crate::module::{Descriptor, Module};
use crate::recipe::{Recipe, Slot};

type Map<'t, V> = HashMap<&'t str, V, FxBuildHasher>;

/// Reads a text. The module holds what could be read; it is whole when no diagnostic is an error.
pub fn read(text: &str) -> (Module, Diagnostics) {
    let mut diagnostics = Diagnostics::new();
    let file = syntax::parse(text, &mut diagnostics);
    let mut module = Module::new();
    for declaration in &file.declarations {
        declare(&mut module, declaration, &mut diagnostics);
    }
    let lines = Lines::new(text);
    let mut names = Map::<()>::default();
    for function in &file.functions {
        if names.insert(function.name.text, ()).is_some() {
            let message = format!("function `{}` is defined twice", function.name.text);
            diagnostics.error(function.name.span, message);
        }
        let reader =
            Reader::new(&mut module, &mut diagnostics, &lines, function.name.text, &function.results);
        let function = reader.function(function);
        module.functions.push(function);
    }
    if let Some((operations, end)) = &file.straight {
        let reader = Reader::new(&mut module, &mut diagnostics, &lines, "main", &[]);
        let function = reader.straight(operations, end.as_ref());
        module.functions.push(function);
    }
    (module, diagnostics)
}

/// Line numbers of bytes.
struct Lines(Vec<u32>);

impl Lines {
    fn new(text: &str) -> Self {
        Lines(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32).collect())
    }

    fn of(&self, span: Span) -> Location {
        Location(self.0.partition_point(|&end| end < span.start) as u32 + 1)
    }
}

fn declare(module: &mut Module, declaration: &syntax::Declaration<'_>, diagnostics: &mut Diagnostics) {
    let name = declaration.name;
    if module.descriptors.lookup(name.text).is_some() {
        diagnostics.error(name.span, format!("descriptor `{}` is declared twice", name.text));
        return;
    }
    let data = match &declaration.what {
        Declared::Class => Descriptor::Class,
        Declared::Other => Descriptor::Other,
        Declared::Location { ty, words } => {
            let mut location = world::Location {
                ty: *ty,
                stored_bits: None,
                signed: false,
                mutability: Mutability::Mutable,
                alias_class: 0,
                raw: false,
            };
            for (word, number) in words {
                match (word.text, number) {
                    ("signed", _) => location.signed = true,
                    ("immutable", _) => location.mutability = Mutability::Immutable,
                    ("quasi", _) => location.mutability = Mutability::QuasiImmutable,
                    ("raw", _) => location.raw = true,
                    ("bits", Some(bits @ 1..=64)) => location.stored_bits = Some(*bits as u8),
                    ("class", Some(class)) => location.alias_class = *class as u32,
                    _ => diagnostics.error(word.span, "a location has 1 to 64 bits"),
                }
            }
            Descriptor::Location(location)
        }
        Declared::Callee { words, reads, writes } => {
            let has = |word: &str| words.iter().any(|w| w.text == word);
            let sorted = |set: &Option<Vec<u32>>| {
                set.clone().map(|mut set| {
                    set.sort_unstable();
                    set
                })
            };
            let made = match (has("unless_zero"), has("if_zero")) {
                (true, _) => Made::UnlessZero,
                (false, true) => Made::IfZero,
                (false, false) => Made::Always,
            };
            Descriptor::Callee(CallEffect {
                made,
                elidable: has("elidable"),
                loop_invariant: has("invariant"),
                raises: has("raises"),
                raises_lack_of_memory: false,
                forces_virtuals: has("forces"),
                invalidates: has("invalidates"),
                reads: sorted(reads),
                writes: sorted(writes),
            })
        }
    };
    module.descriptors.intern(name.text, || data);
}

struct Reader<'t, 'm> {
    module: &'m mut Module,
    diagnostics: &'m mut Diagnostics,
    lines: &'m Lines,
    builder: Builder,
    values: Map<'t, Value>,
    blocks: Map<'t, Block>,
    result_types: Vec<Type>,
}

impl<'t, 'm> Reader<'t, 'm> {
    fn new(
        module: &'m mut Module,
        diagnostics: &'m mut Diagnostics,
        lines: &'m Lines,
        name: &str,
        results: &[Type],
    ) -> Self {
        Reader {
            module,
            diagnostics,
            lines,
            builder: Builder::new(name, results),
            values: Map::default(),
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
    }

    fn function(mut self, source: &syntax::Function<'t>) -> function::Function {
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
        self.builder.finish()
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

    fn straight(
        mut self,
        operations: &[syntax::Operation<'t>],
        end: Option<&syntax::Terminator<'t>>,
    ) -> function::Function {
        let entry = self.builder.block("");
        self.builder.at(entry);
        self.inputs(operations, entry);
        for operation in operations.iter().filter(|o| o.op.text != "getarg") {
            self.operation(operation);
        }
        match end {
            Some(syntax::Terminator::Return(results, _)) => {
                let results: Vec<Value> = results.iter().filter_map(|r| self.operand(r, None)).collect();
                self.finish_straight(&results);
            }
            _ => {
                let results = self.unused(entry);
                self.finish_straight(&results);
            }
        }
        self.builder.finish()
    }

    fn finish_straight(&mut self, results: &[Value]) {
        let types: Vec<Type> = results.iter().map(|&r| self.builder.function().ty(r)).collect();
        self.builder.set_result_types(&types);
        self.builder.ret(results);
    }

    /// Parameters for all `getarg(N)`; a number that is left out is an unused i64.
    fn inputs(&mut self, operations: &[syntax::Operation<'t>], entry: Block) {
        let mut inputs: Vec<Option<Type>> = Vec::new();
        let mut named = Vec::new();
        for operation in operations.iter().filter(|o| o.op.text == "getarg") {
            let (&[(name, ty)], [syntax::Operand { kind: OperandKind::Integer(number), .. }]) =
                (&operation.results[..], &operation.args[..])
            else {
                self.error(operation.op.span, "an input is written `v0 = getarg(0)`");
                continue;
            };
            let Ok(number @ 0..1_000_000) = number.parse::<usize>() else {
                self.error(operation.args[0].span, "inputs are numbered from 0 to 999999");
                continue;
            };
            if inputs.len() <= number {
                inputs.resize(number + 1, None);
            }
            let ty = ty.unwrap_or(Type::I64);
            if inputs[number].is_some_and(|known| known != ty) {
                self.error(name.span, format!("input {number} has another type above"));
            }
            inputs[number] = Some(ty);
            named.push((name, number));
        }
        let params: Vec<Value> =
            inputs.iter().map(|ty| self.builder.param(entry, ty.unwrap_or(Type::I64))).collect();
        for (name, number) in named {
            self.define(name, params[number]);
        }
    }

    /// Results that nothing uses, in order.
    fn unused(&self, entry: Block) -> Vec<Value> {
        let f = self.builder.function();
        let mut used = planish_base::SideTable::<Value, bool>::new();
        for &inst in f.block_insts(entry) {
            let exit = f.inst(inst).exit.map_or(&[][..], |exit| f.exit_args(exit));
            for &value in f.args(inst).iter().chain(exit) {
                used[value] = true;
            }
        }
        f.block_insts(entry).iter().flat_map(|&inst| f.results(inst)).filter(|&value| !used[value]).collect()
    }

    fn operation(&mut self, source: &syntax::Operation<'t>) {
        let location = self.lines.of(source.op.span);
        self.builder.locate(location);
        let found = Op::from_name(source.op.text).or_else(|| Op::from_pypy_name(source.op.text));
        let (Some(op), true) = (found, source.op.text != "getarg") else {
            let mut diagnostic = match source.op.text {
                "getarg" => Diagnostic::error(source.op.span, "inputs of a function stand in its header"),
                name => Diagnostic::error(source.op.span, format!("unknown operation `{name}`")),
            };
            if let Some(near) = closest(source.op.text, planish_ops::table::ALL.iter().map(|op| op.name())) {
                diagnostic = diagnostic.note(format!("did you mean `{near}`?"));
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
        let Some(args) = self.operands(row, source) else { return self.define_broken(source) };
        let types: Vec<Type> = args.iter().map(|&arg| self.builder.function().ty(arg)).collect();
        let Some(results) = self.results(op, &types, source) else { return self.define_broken(source) };
        let descr = match (source.descr, row.descriptor) {
            (Some(name), _) => match self.module.descriptors.lookup(name.text) {
                Some(descr) => Some(descr),
                None => {
                    let message = format!("descriptor `{}` is not declared", name.text);
                    self.error(name.span, message);
                    None
                }
            },
            (None, true) => {
                let message = format!("`{op}` names a descriptor, as in `{op}(...) @name`");
                self.error(source.op.span, message);
                None
            }
            (None, false) => None,
        };
        let exit = match &source.exit {
            Some(exit) => self.exit(exit),
            None => None,
        };
        let inst = self.builder.inst(op, &args, &results, descr, exit);
        let made: Vec<Value> = self.builder.function().results(inst).collect();
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
    fn operands(&mut self, row: &Row, source: &syntax::Operation<'t>) -> Option<Vec<Value>> {
        let shapes = row.operands.iter().copied().chain(std::iter::repeat(Shape::Free));
        let mut known: Vec<(u8, Type)> = Vec::new();
        let mut bind = |shape: Shape, ty: Type| {
            if let Some(variable) = shape.variable().filter(|v| !known.iter().any(|(k, _)| k == v)) {
                known.push((variable, ty));
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
        let mut args = Vec::with_capacity(source.args.len());
        let mut whole = true;
        for (operand, shape) in source.args.iter().zip(shapes) {
            let expected = match shape {
                Shape::Bit => Some(Type::I1),
                Shape::Ref => Some(Type::Ref),
                _ => shape.variable().and_then(|v| known.iter().find(|(k, _)| *k == v)).map(|(_, ty)| *ty),
            };
            let Some(value) = self.operand(operand, expected) else {
                whole = false;
                continue;
            };
            let ty = self.builder.function().ty(value);
            if !shape.admits(ty) || expected.is_some_and(|expected| expected != ty) {
                let wanted = expected.map_or_else(|| describe(shape).to_owned(), |ty| ty.to_string());
                let message = format!("expected {wanted}, found a value of type {ty}");
                self.diagnostics.push(
                    Diagnostic::error(operand.span, message).note(planish_ops::catalogue::signature(row)),
                );
                whole = false;
            }
            args.push(value);
        }
        whole.then_some(args)
    }

    /// The types of results that the operands do not determine, after checking those that are written.
    fn results(&mut self, op: Op, operands: &[Type], source: &syntax::Operation<'t>) -> Option<Vec<Type>> {
        let row = op.row();
        let written: Vec<Type> = source.results.iter().map(|(_, ty)| ty.unwrap_or(Type::I64)).collect();
        if row.free_results {
            return Some(written);
        }
        if written.len() != row.results.len() {
            let message = format!("`{op}` has {} results, found {}", row.results.len(), written.len());
            let signature = planish_ops::catalogue::signature(row);
            self.diagnostics.push(Diagnostic::error(source.op.span, message).note(signature));
            return None;
        }
        // A type is determined when giving another for it changes nothing.
        let named: Vec<Type> = row
            .results
            .iter()
            .zip(&source.results)
            .filter(|(shape, _)| {
                let fixed = matches!(shape, Shape::Bit | Shape::Ref);
                let bound =
                    row.operands.iter().any(|o| o.variable().is_some() && o.variable() == shape.variable());
                !fixed && !bound
            })
            .map(|(shape, (_, ty))| {
                ty.unwrap_or(if matches!(shape, Shape::Float(_)) { Type::F64 } else { Type::I64 })
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

    /// A value, a literal in the type `expected` where it has none of its own.
    fn operand(&mut self, operand: &syntax::Operand<'t>, expected: Option<Type>) -> Option<Value> {
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
            OperandKind::Integer(text) => {
                let ty = operand.ty.or(expected).unwrap_or(Type::I64);
                let Some(width) = ty.int_width() else {
                    self.error(
                        operand.span,
                        format!("expected a value of type {ty}, found the integer {text}"),
                    );
                    return None;
                };
                let Some(int) = integer(text, width) else {
                    self.error(operand.span, format!("{text} does not fit in {ty}"));
                    return None;
                };
                int.into()
            }
            OperandKind::Float(text) => {
                let ty = operand.ty.or(expected).unwrap_or(Type::F64);
                let Some(format) = ty.float_format() else {
                    self.error(
                        operand.span,
                        format!("expected a value of type {ty}, found the float {text}"),
                    );
                    return None;
                };
                // Rust reads every spelling that the lexer lets through.
                let real = match format {
                    FloatFormat::F32 => Real::F32(text.parse().ok()?),
                    FloatFormat::F64 => Real::F64(text.parse().ok()?),
                };
                real.into()
            }
        };
        Some(self.builder.constant(constant))
    }

    fn exit(&mut self, source: &syntax::Exit<'t>) -> Option<function::Exit> {
        let args: Vec<Value> = source.args.iter().filter_map(|a| self.operand(a, None)).collect();
        let target = match &source.target {
            syntax::ExitTarget::Leave(number) => ExitTarget::Leave(*number),
            syntax::ExitTarget::Unwind => ExitTarget::Unwind,
            syntax::ExitTarget::To(handlers) => {
                let mut list = Vec::new();
                for (class, block) in handlers {
                    let class = match class {
                        None => None,
                        Some(name) => match self.module.descriptors.lookup(name.text) {
                            Some(descr) => Some(descr),
                            None => {
                                self.error(name.span, format!("descriptor `{}` is not declared", name.text));
                                continue;
                            }
                        },
                    };
                    if let Some(block) = self.block(*block) {
                        list.push(Handler { class, block });
                    }
                }
                ExitTarget::To(list.into())
            }
        };
        let exit = self.builder.exit(target, &args);
        if let Some(recipe) = source.recipe.as_ref().and_then(|recipe| self.recipe(recipe)) {
            self.builder.set_recipe(exit, recipe);
        }
        Some(exit)
    }

    /// A recipe whose words are known; what they mean together is the verifier's to judge.
    fn recipe(&mut self, source: &syntax::Recipe<'t>) -> Option<Recipe> {
        let mut recipe = Recipe::default();
        recipe.state = self.slots(&source.state)?;
        for (number, step) in source.steps.iter().enumerate() {
            let operands = self.slots(&step.operands)?;
            let Some(op) = Op::from_name(step.op.text) else {
                self.error(step.op.span, format!("unknown operation `{}`", step.op.text));
                return None;
            };
            let own = Slot::Made(number as u32).to_string();
            if let Some(result) = step.result.filter(|result| result.text != own) {
                self.error(result.span, format!("this step of the exit makes `{own}`"));
            }
            let descr = match step.descr {
                None => None,
                Some(name) => {
                    let found = self.module.descriptors.lookup(name.text);
                    if found.is_none() {
                        self.error(name.span, format!("descriptor `{}` is not declared", name.text));
                    }
                    found
                }
            };
            recipe.push(op, descr, &operands);
        }
        Some(recipe)
    }

    fn slots(&mut self, names: &[syntax::Name<'t>]) -> Option<Vec<Slot>> {
        let mut slots = Vec::with_capacity(names.len());
        for name in names {
            let slot: Option<Slot> = name.text.parse().ok();
            if slot.is_none() {
                let message = format!("`{}` is no argument of the exit and no step of it", name.text);
                self.error(name.span, message);
            }
            slots.push(slot?);
        }
        Some(slots)
    }

    fn block(&mut self, name: syntax::Name<'t>) -> Option<Block> {
        let block = self.blocks.get(name.text).copied();
        if block.is_none() {
            self.error(name.span, format!("block `{}` is not defined", name.text));
        }
        block
    }

    fn call(&mut self, source: &syntax::Call<'t>) -> Option<function::BlockCall> {
        let block = self.block(source.block)?;
        let f = self.builder.function();
        let types: Vec<Type> = f.block_params(block).iter().map(|&p| f.ty(p)).collect();
        if types.len() != source.args.len() {
            let message = format!(
                "block `{}` has {} parameters, found {}",
                source.block.text,
                types.len(),
                source.args.len()
            );
            self.error(source.block.span, message);
            return None;
        }
        let args = self.typed(&source.args, &types)?;
        Some(self.builder.call(block, &args))
    }

    /// Operands that must have these types.
    fn typed(&mut self, operands: &[syntax::Operand<'t>], types: &[Type]) -> Option<Vec<Value>> {
        let mut values = Vec::with_capacity(operands.len());
        for (operand, &ty) in operands.iter().zip(types) {
            let value = self.operand(operand, Some(ty))?;
            let actual = self.builder.function().ty(value);
            if actual != ty {
                self.error(operand.span, format!("expected {ty}, found a value of type {actual}"));
                return None;
            }
            values.push(value);
        }
        Some(values)
    }

    fn terminator(&mut self, source: &syntax::Terminator<'t>) {
        if let Some(terminator) = self.read_terminator(source) {
            self.builder.terminate(terminator);
        }
    }

    fn read_terminator(&mut self, source: &syntax::Terminator<'t>) -> Option<function::Terminator> {
        use syntax::Terminator as T;
        Some(match source {
            T::Jump(call) => function::Terminator::Jump(self.call(call)?),
            T::Branch(condition, then, other) => {
                let value = self.integer(condition, Type::I1);
                let (then, other) = (self.call(then), self.call(other));
                function::Terminator::Branch { condition: value?, then: then?, other: other? }
            }
            T::Switch(on, cases, default) => {
                let on_value = self.integer(on, Type::I64)?;
                let width =
                    self.builder.function().ty(on_value).int_width().expect("checked to be an integer");
                let mut list: Vec<(Int, function::BlockCall)> = Vec::new();
                let mut seen = HashMap::<Int, (), FxBuildHasher>::default();
                for (key, call) in cases {
                    let int = match key.kind {
                        OperandKind::Integer(text) => integer(text, width),
                        _ => None,
                    };
                    let Some(int) = int else {
                        self.error(key.span, format!("a case is an integer of {width} bits"));
                        continue;
                    };
                    if seen.insert(int, ()).is_some() {
                        self.error(key.span, "this case stands twice");
                    }
                    list.push((int, self.call(call)?));
                }
                function::Terminator::Switch {
                    on: on_value,
                    cases: list.into(),
                    default: self.call(default)?,
                }
            }
            T::Return(results, span) => {
                let types = self.result_types.clone();
                if types.len() != results.len() {
                    let message =
                        format!("the function has {} results, found {}", types.len(), results.len());
                    self.error(*span, message);
                    return None;
                }
                let results = self.typed(results, &types)?;
                let call = self.builder.call(self.builder.here(), &results);
                function::Terminator::Return(call.args)
            }
            T::Throw(value, exit) => {
                let value = self.typed(std::slice::from_ref(value), &[Type::Ref])?;
                let exit = exit.as_ref().and_then(|exit| self.exit(exit));
                function::Terminator::Throw(value[0], exit)
            }
            T::Unreachable => function::Terminator::Unreachable,
        })
    }

    fn integer(&mut self, operand: &syntax::Operand<'t>, literal: Type) -> Option<Value> {
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

/// The integer of a width, if it fits as a signed or an unsigned number.
fn integer(text: &str, width: u32) -> Option<Int> {
    let value: i128 = text.parse().ok()?;
    let (min, max) = (-(1i128 << (width - 1)), (1i128 << width) - 1);
    (min..=max).contains(&value).then(|| Int::new(width, value as u64))
}

fn describe(shape: Shape) -> &'static str {
    match shape {
        Shape::Int(_) => "an integer",
        Shape::Bit => "i1",
        Shape::Float(_) => "a float",
        Shape::Ref => "a reference",
        Shape::Any(_) | Shape::Free => "a value",
    }
}
