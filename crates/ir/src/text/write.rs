//! Writing the `.ssa` text.
//!
//! Values are numbered by position, inputs included, whatever their ids are: `v0`, `v1`, ..., unless names of the source are
//! kept. A function
//! without a control structure of its own can be written as a straight line.

use std::fmt::{self, Write};

use hashbrown::{HashMap, HashSet};
use planish_base::{Id, SideTable};
use planish_ops::world::{Descr, Extension, Made, Mutability, World};
use planish_ops::{Item, Items, Real, Shape, Type};
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use super::lex::is_word;
use super::{DUMMY, declared_type, stores};
use crate::builder::result_types;
use crate::constant::{Const, Number};
use crate::function::{Block, BlockCall, Exit, ExitTarget, Function, Inst, Terminator, Value};
use crate::module::{Descriptor, Module, Tables};
use crate::recipe::{Recipe, Slot};

/// How a text is written.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// What stands in front of the number of a value.
    pub prefix: &'a str,
    /// A module of one function of one block that only returns is written as a straight line.
    pub straight: bool,
    /// The names that values keep; the others are numbered.
    pub names: Option<&'a NamesOfFunctions>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options { prefix: "v", straight: false, names: None }
    }
}

/// A module: the descriptors that it declares, then its functions.
pub fn write(module: &Module, options: Options<'_>) -> String {
    let mut out = String::new();
    let options = Options { straight: options.straight && module.functions.len() == 1, ..options };
    let functions: HashSet<&str, FxBuildHasher> =
        module.functions.values().map(|function| function.name.as_str()).collect();
    let straight = module.functions.values().all(|function| is_straight(function, options));
    for (descr, name, descriptor) in module.descriptors.iter() {
        // What the source did not have to declare it does not have to now.
        let known = functions.contains(name) || (straight && name == DUMMY);
        if !(known && module.descriptors.is_implied(descr)) {
            write_declaration(&mut out, name, descriptor).expect(NEVER);
        }
    }
    for (position, function) in module.functions.values().enumerate() {
        if position > 0 || !out.is_empty() {
            out.push('\n');
        }
        out.push_str(&write_function(module, function, options));
    }
    out
}

const NEVER: &str = "writing to a string does not fail";

/// One function, its descriptors undeclared.
pub fn write_function(module: &Module, function: &Function, options: Options<'_>) -> String {
    write_function_with(module.tables(), function, options)
}

/// The same, of a function whose module is taken apart.
pub fn write_function_with(tables: Tables<'_>, function: &Function, options: Options<'_>) -> String {
    let mut writer = Writer::new(tables, function, options);
    if is_straight(function, options) { writer.straight() } else { writer.function() }.expect(NEVER);
    writer.out
}

/// Whether a function is written as a straight line.
fn is_straight(function: &Function, options: Options<'_>) -> bool {
    options.straight
        && function.blocks().len() == 1
        && matches!(function.terminator(function.entry()), Terminator::Return(_))
}

/// One instruction, for messages.
pub fn write_inst(module: &Module, function: &Function, inst: Inst) -> String {
    let mut writer = Writer::new(module.tables(), function, Options::default());
    writer.inst(inst).expect(NEVER);
    writer.out
}

/// One value, for messages.
pub fn write_value(module: &Module, function: &Function, value: Value) -> String {
    let mut writer = Writer::new(module.tables(), function, Options::default());
    writer.operand(value, None).expect(NEVER);
    writer.out
}

/// A line of a function's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// The line, without its end.
    pub text: String,
    /// The instruction that it shows; `None` for headers, blocks and terminators.
    pub inst: Option<Inst>,
}

/// The names of the values of a function, by whoever knows better names than positions.
pub type ValueNames = SideTable<Value, Option<Box<str>>>;

/// The same for functions, by their names.
pub type NamesOfFunctions = HashMap<String, ValueNames, FxBuildHasher>;

/// The text of a function line by line, for people who compare its states: a value goes by its name among
/// `names` or else by its id (`new7`), so it has the same name in every state.
pub fn listing(tables: Tables<'_>, function: &Function, names: &ValueNames) -> Vec<Listed> {
    let mut writer = Writer::new(tables, function, Options::default());
    writer.names = Some(names);
    writer.function().expect(NEVER);
    let Writer { out, starts, .. } = writer;
    let mut starts = starts.into_iter().peekable();
    let mut begin = 0;
    let mut lines = Vec::new();
    for line in out.split_inclusive('\n') {
        let end = begin + line.len();
        let inst = starts.next_if(|&(start, _)| start < end).map(|(_, inst)| inst);
        lines.push(Listed { text: line.trim_end_matches('\n').to_owned(), inst });
        begin = end;
    }
    lines
}

struct Writer<'a> {
    module: Tables<'a>,
    f: &'a Function,
    options: Options<'a>,
    numbers: SideTable<Value, Option<u32>>,
    next: u32,
    /// What blocks are called that cannot have their own name, or have none.
    blocks: SideTable<Block, Option<Box<str>>>,
    /// Names that go before positions.
    names: Option<&'a ValueNames>,
    /// Names of the source.
    kept: Option<&'a ValueNames>,
    /// Where the text of each instruction begins.
    starts: Vec<(usize, Inst)>,
    out: String,
}

impl<'a> Writer<'a> {
    fn new(module: Tables<'a>, f: &'a Function, options: Options<'a>) -> Self {
        let mut writer = Writer {
            module,
            f,
            options,
            numbers: SideTable::new(),
            next: 0,
            blocks: block_names(f),
            names: None,
            kept: options.names.and_then(|names| names.get(&f.name)),
            starts: Vec::new(),
            out: String::new(),
        };
        for &block in f.blocks() {
            for &param in f.block_params(block) {
                writer.number(param);
            }
            for &inst in f.block_insts(block) {
                for result in f.results(inst) {
                    writer.number(result);
                }
            }
        }
        writer
    }

    fn number(&mut self, value: Value) {
        self.numbers[value] = Some(self.next);
        self.next += 1;
    }

    fn straight(&mut self) -> fmt::Result {
        let entry = self.f.entry();
        for (i, &param) in self.f.params().iter().enumerate() {
            self.name(param)?;
            if self.f.ty(param) != Type::I64 {
                write!(self.out, ": {}", self.f.ty(param))?;
            }
            writeln!(self.out, " = getarg({i})")?;
        }
        let mut used = SideTable::<Value, bool>::new();
        let mut unused = Vec::new();
        for &inst in self.f.block_insts(entry) {
            self.inst(inst)?;
            self.out.push('\n');
            let exit = self.f.inst(inst).exit.map_or(&[][..], |exit| self.f.exit_args(exit));
            for &arg in self.f.args(inst).iter().chain(exit) {
                used[arg] = true;
            }
            unused.extend(self.f.results(inst));
        }
        unused.retain(|&value| !used[value]);
        let Terminator::Return(results) = self.f.terminator(entry) else { unreachable!("the caller looked") };
        if self.f.list(*results) != unused {
            self.terminator(entry)?;
            self.out.push('\n');
        }
        Ok(())
    }

    fn function(&mut self) -> fmt::Result {
        write!(self.out, "func {}(", Quoted(&self.f.name))?;
        self.params(self.f.entry())?;
        self.out.push(')');
        for (i, ty) in self.f.result_types().iter().enumerate() {
            write!(self.out, "{}{ty}", if i == 0 { " -> " } else { ", " })?;
        }
        self.out.push_str(" {\n");
        for (position, &block) in self.f.blocks().iter().enumerate() {
            self.block_name(block)?;
            if position > 0 && !self.f.block_params(block).is_empty() {
                self.out.push('(');
                self.params(block)?;
                self.out.push(')');
            }
            self.out.push_str(":\n");
            for &inst in self.f.block_insts(block) {
                self.out.push_str("    ");
                self.inst(inst)?;
                self.out.push('\n');
            }
            self.out.push_str("    ");
            self.terminator(block)?;
            self.out.push('\n');
        }
        self.out.push_str("}\n");
        Ok(())
    }

    fn params(&mut self, block: Block) -> fmt::Result {
        for (i, &param) in self.f.block_params(block).iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            self.name(param)?;
            write!(self.out, ": {}", self.f.ty(param))?;
        }
        Ok(())
    }

    fn block_name(&mut self, block: Block) -> fmt::Result {
        match self.blocks[block].as_deref().or(self.f.block_name(block)) {
            Some(name) => write!(self.out, "{}", Quoted(name)),
            None => write!(self.out, "{block}"),
        }
    }

    fn name(&mut self, value: Value) -> fmt::Result {
        if let Some(names) = self.names {
            return match &names[value] {
                Some(name) => self.out.write_str(name),
                None => write!(self.out, "new{}", value.index()),
            };
        }
        if let Some(name) = self.kept.and_then(|kept| kept[value].as_deref()) {
            return write!(self.out, "{}", Quoted(name));
        }
        match self.numbers[value] {
            Some(number) => {
                self.out.push_str(self.options.prefix);
                write_number(&mut self.out, number);
                Ok(())
            }
            // Only in broken functions, which messages must still be able to show.
            None => write!(self.out, "undefined{}", value.index()),
        }
    }

    fn inst(&mut self, inst: Inst) -> fmt::Result {
        self.starts.push((self.out.len(), inst));
        let data = self.f.inst(inst);
        let row = data.op.row();
        let dummy = data.descr.is_some_and(|descr| self.is_dummy(descr));
        let operands: SmallVec<[Type; 4]> = self.f.args(inst).iter().map(|&arg| self.f.ty(arg)).collect();
        // Results have their type written unless reading without it gives the same.
        let default = result_types(data.op, &operands, &[Type::I64; 2]);
        let declared = data.descr.and_then(|descr| declared_type(self.module.descriptors, data.op, descr));
        let is_usual = declared.is_none_or(|ty| ty == Type::I64);
        for (i, result) in self.f.results(inst).enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            self.name(result)?;
            let ty = self.f.ty(result);
            let implied = is_usual && default.as_ref().and_then(|types| types.get(i)) == Some(&ty);
            if !implied
                || (row.free_results && !(dummy && ty == Type::I64))
                || matches!(row.results.get(i), Some(Shape::Float(_))) && ty != Type::F64
            {
                write!(self.out, ": {ty}")?;
            }
        }
        if self.f.results(inst).len() > 0 {
            self.out.push_str(" = ");
        }
        self.out.push_str(if dummy { DUMMY } else { data.op.name() });
        self.out.push('(');
        for (i, &arg) in self.f.args(inst).iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            let expected = self.expected(inst, i);
            self.operand(arg, expected)?;
        }
        self.out.push(')');
        if let Some(descr) = data.descr.filter(|_| !dummy) {
            write!(self.out, " @{}", Quoted(self.module.descriptors.name(descr)))?;
        }
        if let Some(exit) = data.exit {
            self.out.push_str(" else ");
            self.exit(exit)?;
        }
        Ok(())
    }

    /// Whether a straight line has an operation of its own for a call.
    fn is_dummy(&self, descr: Descr) -> bool {
        let descriptors = self.module.descriptors;
        is_straight(self.f, self.options) && descriptors.is_implied(descr) && descriptors.name(descr) == DUMMY
    }

    /// The type that a reader gives to an untyped literal at this place.
    fn expected(&self, inst: Inst, position: usize) -> Option<Type> {
        let row = self.f.row(inst);
        let shape = *row.operands.get(position)?;
        match shape {
            Shape::Bit => return Some(Type::I1),
            Shape::Ref => return Some(Type::Ref),
            _ => {}
        }
        if position + 1 == row.operands.len() && stores(self.f.inst(inst).op) {
            let is_number = |constant: &Const| !matches!(constant, Const::Null | Const::Hole);
            let stored = self.f.constant(self.f.args(inst)[position]).filter(is_number);
            let location = self.f.inst(inst).descr.and_then(|descr| self.module.descriptors.location(descr));
            return stored.and(location).map(|location| location.ty);
        }
        let variable = shape.variable()?;
        let typed = |value: Value| self.f.constant(value).is_none();
        let shapes = row.operands.iter().zip(self.f.args(inst));
        shapes
            .filter(|(other, value)| other.variable() == Some(variable) && typed(**value))
            .map(|(other, value)| shape.bound(other.binds(self.f.ty(*value))))
            .next()
    }

    /// A value; a literal with its type unless it is `expected`, or the default where nothing is.
    fn operand(&mut self, value: Value, expected: Option<Type>) -> fmt::Result {
        let Some(constant) = self.f.constant(value) else { return self.name(value) };
        let default = match constant {
            Const::Int(_) => Type::I64,
            Const::Real(_) => Type::F64,
            Const::Null | Const::Symbol(..) => Type::Ref,
            Const::Hole => Type::State,
        };
        match constant {
            Const::Int(int) => write!(self.out, "{int}")?,
            Const::Real(Number(real)) => write_real(&mut self.out, real)?,
            Const::Null => self.out.push_str("null"),
            Const::Hole => self.out.push_str("none"),
            Const::Symbol(symbol, _) => write!(self.out, "&{}", Quoted(self.module.symbols.get(symbol)))?,
        }
        if constant.ty() != expected.unwrap_or(default) {
            write!(self.out, ": {}", constant.ty())?;
        }
        Ok(())
    }

    fn operands(&mut self, values: &[Value], expected: impl Fn(usize) -> Option<Type>) -> fmt::Result {
        for (i, &value) in values.iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            self.operand(value, expected(i))?;
        }
        Ok(())
    }

    fn call(&mut self, call: BlockCall) -> fmt::Result {
        self.block_name(call.block)?;
        let args = self.f.list(call.args);
        if !args.is_empty() {
            let params = self.f.block_params(call.block);
            self.out.push('(');
            self.operands(args, |i| params.get(i).map(|&p| self.f.ty(p)))?;
            self.out.push(')');
        }
        Ok(())
    }

    fn exit(&mut self, exit: Exit) -> fmt::Result {
        let data = self.f.exit(exit);
        match &data.target {
            ExitTarget::Leave(number) => write!(self.out, "leave {number}")?,
            ExitTarget::Unwind => self.out.push_str("unwind"),
            ExitTarget::To(_) => self.out.push_str("to"),
        }
        let args = self.f.exit_args(exit);
        if !args.is_empty() {
            self.out.push('(');
            self.operands(args, |_| None)?;
            self.out.push(')');
        }
        if let ExitTarget::To(handlers) = &data.target {
            self.out.push_str(" [");
            for (i, handler) in handlers.iter().enumerate() {
                self.out.push_str(if i > 0 { ", " } else { "" });
                match handler.class {
                    Some(class) => write!(self.out, "@{}: ", Quoted(self.module.descriptors.name(class)))?,
                    None => self.out.push_str("*: "),
                }
                self.block_name(handler.block)?;
            }
            self.out.push(']');
        }
        match self.f.recipe(exit) {
            Some(recipe) => self.recipe(recipe),
            None => Ok(()),
        }
    }

    fn recipe(&mut self, recipe: &Recipe) -> fmt::Result {
        self.out.push_str(" with [");
        for (number, step) in recipe.steps.iter().enumerate() {
            self.out.push_str(if number > 0 { ", " } else { "" });
            if !step.op.row().results.is_empty() {
                write!(self.out, "{} = ", Slot::Made(number as u32))?;
            }
            write!(self.out, "{}(", step.op)?;
            self.slots(recipe.operands(step))?;
            if let Some(descr) = step.descr {
                write!(self.out, " @{}", Quoted(self.module.descriptors.name(descr)))?;
            }
        }
        self.out.push_str("] as (");
        self.slots(&recipe.state)
    }

    /// Values of a recipe, up to the closing parenthesis.
    fn slots(&mut self, slots: &[Slot]) -> fmt::Result {
        for (i, slot) in slots.iter().enumerate() {
            write!(self.out, "{}{slot}", if i > 0 { ", " } else { "" })?;
        }
        self.out.push(')');
        Ok(())
    }

    fn terminator(&mut self, block: Block) -> fmt::Result {
        match self.f.terminator(block) {
            Terminator::Jump(call) => {
                self.out.push_str("jump ");
                self.call(*call)
            }
            Terminator::Branch { condition, then, other } => {
                self.out.push_str("branch ");
                self.operand(*condition, Some(Type::I1))?;
                self.out.push_str(", ");
                self.call(*then)?;
                self.out.push_str(", ");
                self.call(*other)
            }
            Terminator::Switch { on, cases, default } => {
                self.out.push_str("switch ");
                self.operand(*on, None)?;
                self.out.push_str(" [");
                for (i, (key, call)) in cases.iter().enumerate() {
                    write!(self.out, "{}{key}: ", if i > 0 { ", " } else { "" })?;
                    self.call(*call)?;
                }
                self.out.push_str("], ");
                self.call(*default)
            }
            Terminator::Return(results) => {
                self.out.push_str("return");
                let results = self.f.list(*results);
                if !results.is_empty() {
                    self.out.push(' ');
                }
                let types = self.f.result_types();
                let straight = self.options.straight && self.f.blocks().len() == 1;
                self.operands(results, |i| if straight { None } else { types.get(i).copied() })
            }
            Terminator::Throw(value, exit) => {
                self.out.push_str("throw ");
                self.operand(*value, Some(Type::Ref))?;
                if let Some(exit) = exit {
                    self.out.push_str(" else ");
                    self.exit(*exit)?;
                }
                Ok(())
            }
            Terminator::Unreachable => {
                self.out.push_str("unreachable");
                Ok(())
            }
        }
    }
}

/// A number of a value, of which a text has more than of anything else.
fn write_number(out: &mut String, number: u32) {
    let mut digits = [0; 10];
    let (mut first, mut left) = (digits.len(), number);
    loop {
        first -= 1;
        digits[first] = b'0' + (left % 10) as u8;
        left /= 10;
        if left == 0 {
            break;
        }
    }
    out.extend(digits[first..].iter().map(|&digit| char::from(digit)));
}

/// A float so that the reader takes it for one and gets the same bits.
fn write_real(out: &mut String, real: Real) -> fmt::Result {
    match real {
        _ if real.is_nan() => out.write_str("nan"),
        Real::F32(value) => write!(out, "{value:?}"),
        Real::F64(value) => write!(out, "{value:?}"),
    }
}

fn write_declaration(out: &mut String, name: &str, descriptor: &Descriptor) -> fmt::Result {
    let name = Quoted(name);
    match descriptor {
        Descriptor::Class => writeln!(out, "class @{name}"),
        Descriptor::Other => writeln!(out, "other @{name}"),
        Descriptor::Table(items) => write_table(out, name, items),
        Descriptor::Location(location) => {
            write!(out, "location @{name}: {}", location.ty)?;
            if let Some(bits) = location.stored_bits {
                write!(out, " bits {bits}")?;
            }
            if location.signed {
                out.push_str(" signed");
            }
            match location.mutability {
                Mutability::Mutable => {}
                Mutability::QuasiImmutable => out.push_str(" quasi"),
                Mutability::Immutable => out.push_str(" immutable"),
            }
            if location.raw {
                out.push_str(" raw");
            }
            if location.alias_class != 0 {
                write!(out, " class {}", location.alias_class)?;
            }
            out.push('\n');
            Ok(())
        }
        Descriptor::Callee(effect) => {
            write!(out, "callee @{name}")?;
            for (holds, word) in [
                (effect.made == Made::UnlessZero, "unless_zero"),
                (effect.made == Made::IfZero, "if_zero"),
                (effect.elidable, "elidable"),
                (effect.loop_invariant, "invariant"),
                (effect.raises, "raises"),
                (effect.forces_virtuals, "forces"),
                (effect.invalidates, "invalidates"),
            ] {
                if holds {
                    write!(out, " {word}")?;
                }
            }
            if let Some(Extension { bits, signed }) = effect.result {
                write!(out, " {} {bits}", if signed { "signext" } else { "zeroext" })?;
            }
            for (word, set) in [("reads", &effect.reads), ("writes", &effect.writes)] {
                match set {
                    None => write!(out, " {word} *")?,
                    Some(set) => {
                        let items: Vec<String> = set.iter().map(u32::to_string).collect();
                        write!(out, " {word} ({})", items.join(", "))?;
                    }
                }
            }
            out.push('\n');
            Ok(())
        }
    }
}

/// A table, in lines of a width that people read.
fn write_table(out: &mut String, name: Quoted<'_>, items: &Items) -> fmt::Result {
    const WIDTH: usize = 100;
    write!(out, "table @{name}: {} = [", items.ty())?;
    let mut begin = out.rfind('\n').map_or(0, |end| end + 1);
    for (position, item) in items.iter().enumerate() {
        out.push_str(if position > 0 { "," } else { "" });
        let before = out.len();
        out.push_str(if position > 0 { " " } else { "" });
        match item {
            Item::Int(int) => write!(out, "{int}")?,
            Item::Real(real) => write_real(out, real)?,
        }
        if out.len() - begin > WIDTH && position > 0 {
            out.replace_range(before..=before, "\n    ");
            begin = before + 1;
        }
    }
    out.push_str("]\n");
    Ok(())
}

/// A name, in quotes where the reader would take it for something else.
struct Quoted<'a>(&'a str);

/// Names for blocks whose own is that of a block before, and for those without one whose number is the name of another: no
/// two blocks of a text have one name.
fn block_names(f: &Function) -> SideTable<Block, Option<Box<str>>> {
    let mut names = SideTable::new();
    let mut taken = HashSet::<&str, FxBuildHasher>::default();
    let mut left = Vec::new();
    for &block in f.blocks() {
        match f.block_name(block) {
            Some(name) if taken.insert(name) => {}
            Some(name) => left.push((block, name.to_owned())),
            None => left.push((block, block.to_string())),
        }
    }
    let mut made = HashSet::<String, FxBuildHasher>::default();
    // Which number was tried last behind a name, so that many of one name take no longer than as many of different ones.
    let mut numbers = HashMap::<String, u32, FxBuildHasher>::default();
    for (block, name) in left {
        let is_free = |name: &str| !taken.contains(name) && !made.contains(name);
        if f.block_name(block).is_none() && is_free(&name) {
            made.insert(name);
            continue;
        }
        let number = numbers.entry(name.clone()).or_default();
        let other = loop {
            *number += 1;
            let other = format!("{name}_{number}");
            if is_free(&other) {
                break other;
            }
        };
        names[block] = Some(other.as_str().into());
        made.insert(other);
    }
    names
}

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const KEYWORDS: [&str; 12] = [
            "func",
            "jump",
            "branch",
            "switch",
            "return",
            "throw",
            "unreachable",
            "else",
            "null",
            "none",
            "inf",
            "nan",
        ];
        let plain = self.0.starts_with(|c: char| is_word(c) && !c.is_ascii_digit())
            && self.0.chars().all(is_word)
            && self.0.parse::<Type>().is_err()
            && !KEYWORDS.contains(&self.0);
        if plain { f.write_str(self.0) } else { write!(f, "\"{}\"", self.0.replace(['"', '\n'], "'")) }
    }
}
