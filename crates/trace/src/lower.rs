//! Lowering: a function as a trace.
//!
//! The function must be a trace in shape: blocks in a row, each jumping to the next, the last jumping
//! back, leaving or returning. The first block's parameters are the inputs; a block that the last one
//! jumps back to, or that was a label, becomes a `label`, unless its parameters are just the inputs. In
//! a trace a value behind a label is one of the label's arguments, while a function may use any
//! dominating value; so values that are used across a label are listed there too, and handed over by the
//! jumps to it. Where several labels stand, each has a token, and the jump says to which it goes.
//!
//! Operations are written as [`legal`](crate::legal) says. Values keep the names they had in the source;
//! new ones are numbered behind them.

use hashbrown::HashSet;
use planish_base::{Arena, List, SideTable};
use planish_ir::module::Module;
use planish_ir::{Block, BlockCall, Const, Def, Exit, Function, Inst, Terminator, Value};
use planish_ops::{FloatFormat, Op, Type};
use rustc_hash::FxBuildHasher;

use crate::label_lists::{LabelList, Listed, label_lists, used_inputs};
use crate::legal::Amounts;
use crate::lift::Origin;
use crate::opcode::{Kind, Opcode};
use crate::text::{Arg, Name, OpData, Text, Texts, Trace, Var, VarData};

/// Why a function is no trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Illegal {
    /// The instruction that cannot be written, if it is one.
    pub inst: Option<Inst>,
    /// What is wrong.
    pub message: String,
}

impl std::fmt::Display for Illegal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Illegal {}

/// How to lower.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// As PyPy writes behind its optimizer: elidable and loop-invariant calls as plain ones, and no hints.
    pub behind_optimizer: bool,
    /// Behind an optimizer, whether a call stays what it is where its descriptor does not say the same of the callee: so that the
    /// text means what the function does.
    pub keeps_effects: bool,
    /// Whether a value is known to be from 0 to 63.
    pub amount_fits: &'a dyn Fn(Value) -> bool,
    /// Whether labels and jumps get tokens where a trace has several places to jump to.
    pub tokens: bool,
    /// Whether one place to jump to has a token, too: where the text is divided at its label, or has others to which nothing
    /// goes.
    pub name_all: bool,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            behind_optimizer: false,
            keeps_effects: false,
            amount_fits: &|_| false,
            tokens: true,
            name_all: false,
        }
    }
}

/// Lowers a function to a trace whose strings are in `texts`.
pub fn lower(
    function: &Function,
    module: &Module,
    origin: &Origin,
    options: Options<'_>,
    texts: &mut Texts,
) -> Result<Trace, Illegal> {
    let chain = chain(function)?;
    let mut lowering = Lowering {
        function,
        module,
        origin,
        behind_optimizer: options.behind_optimizer,
        keeps_effects: options.keeps_effects,
        amounts: Amounts { source: &origin.amounts, known: options.amount_fits, guarded: SideTable::new() },
        texts,
        trace: Trace { comments: origin.comments.clone(), ..Trace::default() },
        vars: SideTable::new(),
        used: HashSet::default(),
        next: origin.next_name,
        lists: label_lists(function, &chain, origin),
        tokens: SideTable::new(),
        carried: (function.entry(), List::default()),
        bits: SideTable::new(),
    };
    let start = lowering.start(&chain, options);
    lowering.count_bits();
    lowering.whole(&chain, start)?;
    Ok(lowering.trace)
}

/// The blocks of a function in the order in which they run; an error when they branch.
fn chain(function: &Function) -> Result<Vec<Block>, Illegal> {
    let mut chain = vec![function.entry()];
    let mut seen: SideTable<Block, bool> = SideTable::new();
    seen[function.entry()] = true;
    loop {
        let block = chain[chain.len() - 1];
        match function.terminator(block) {
            Terminator::Jump(call) if !seen[call.block] => {
                seen[call.block] = true;
                chain.push(call.block);
            }
            Terminator::Jump(_) | Terminator::Return(_) | Terminator::Unreachable => return Ok(chain),
            Terminator::Branch { .. } | Terminator::Switch { .. } | Terminator::Throw(..) => {
                let message = "a trace is one straight line, and this function branches".to_owned();
                return Err(Illegal { inst: None, message });
            }
        }
    }
}

/// A function being lowered.
pub(crate) struct Lowering<'a> {
    pub(crate) function: &'a Function,
    pub(crate) module: &'a Module,
    pub(crate) origin: &'a Origin,
    pub(crate) behind_optimizer: bool,
    pub(crate) keeps_effects: bool,
    pub(crate) amounts: Amounts<'a>,
    pub(crate) texts: &'a mut Texts,
    pub(crate) trace: Trace,
    vars: SideTable<Value, Option<Var>>,
    used: HashSet<Name, FxBuildHasher>,
    next: u32,
    lists: SideTable<Block, LabelList>,
    /// What the text carries at this point: what was listed last, at the beginning of which block.
    pub(crate) carried: (Block, List<Arg>),
    /// The tokens of labels that had none.
    tokens: SideTable<Block, Option<Text>>,
    /// For each overflow bit the number of its uses that are no guard, plus one.
    pub(crate) bits: SideTable<Value, u32>,
}

impl<'a> Lowering<'a> {
    fn whole(&mut self, chain: &[Block], start: Option<Block>) -> Result<(), Illegal> {
        let entry = chain[0];
        let inputs: Vec<Arg> =
            self.function.params().iter().map(|&param| self.define(param)).collect::<Result<Vec<_>, _>>()?;
        if !self.origin.inputs_at_label {
            self.trace.inputs = self.trace.lists.push(&inputs);
            self.carried.1 = self.trace.inputs;
        }
        for (index, &block) in chain.iter().enumerate() {
            if index > 0 {
                let Terminator::Jump(call) = self.function.terminator(chain[index - 1]) else { continue };
                if start == Some(block) {
                    self.enter_start(*call);
                } else {
                    self.label(block, *call)?;
                }
            }
            self.block(block)?;
        }
        let last = chain[chain.len() - 1];
        match self.function.terminator(last) {
            Terminator::Jump(call) if start == Some(call.block) => {
                self.jump_to_start(entry, *call, chain.len() > 2)
            }
            Terminator::Jump(call) => {
                let values = self.function.list(call.args);
                let listed: Vec<Value> = self.lists[call.block].values(values).collect();
                let args = self.args(&listed)?;
                let descr = self.token(call.block).or_else(|| match self.origin.labels[call.block] {
                    Some(_) => None,
                    // The label that the source went to may be another one.
                    None => self.origin.jump.filter(|&token| !self.is_label(token)),
                });
                self.push_named("jump", &args, descr);
                Ok(())
            }
            Terminator::Return(results) => {
                let results = *results;
                self.leave(last, self.function.list(results))
            }
            _ => Ok(()),
        }
    }

    /// The block that is the beginning of the trace without a label, if there is one. Where labels stand between which a
    /// jump could not be told to choose, all get tokens.
    fn start(&mut self, chain: &[Block], options: Options<'_>) -> Option<Block> {
        let Options { tokens, name_all, .. } = options;
        // Beside a label that has one in the source, one without would not be found.
        let tokens = tokens || chain.iter().any(|&block| self.token(block).is_some());
        let start = chain.get(1).copied().filter(|&block| self.is_start(chain[0], block));
        let goes_back = |block: Block| match self.function.terminator(chain[chain.len() - 1]) {
            Terminator::Jump(call) => call.block == block,
            _ => false,
        };
        let unnamed = start.filter(|&start| !(tokens && chain.len() > 2 && goes_back(start)));
        let labels = &chain[1 + usize::from(unnamed.is_some())..];
        // Who comes from elsewhere without a token comes to the beginning, or to the label that stands there.
        let several = labels.len() > 1 || self.function.is_entrance(chain[0]);
        if tokens && (name_all || several && labels.iter().any(|&block| goes_back(block))) {
            let mut number = 1;
            let origin = self.origin;
            let unnamed =
                |block: Block| origin.labels[block].flatten().is_none() && !self.function.is_entrance(block);
            for block in labels.iter().copied().filter(|&block| unnamed(block)).collect::<Vec<_>>() {
                self.name_label(block, &mut number);
            }
        }
        unnamed
    }

    /// Gives the label of a block a token that nothing has, the first one from a number on.
    fn name_label(&mut self, block: Block, number: &mut u32) {
        let name = |number: u32| format!("TargetToken({number})");
        while self.texts.lookup_str(&name(*number)).is_some() {
            *number += 1;
        }
        self.tokens[block] = Some(self.texts.intern(name(*number)));
    }

    /// Whether a label would be taken for the beginning, to which others come without a token: it has none, and what stood
    /// in front of it went.
    fn passes_for_the_beginning(&self, block: Block) -> bool {
        self.trace.ops.is_empty()
            && self.token(block).is_none()
            && self.function.is_entrance(self.function.entry())
    }

    /// The token of the label that a block begins with.
    fn token(&self, block: Block) -> Option<Text> {
        self.origin.labels[block].flatten().or(self.tokens[block])
    }

    /// Whether a label of the trace has this token.
    fn is_label(&self, token: Text) -> bool {
        self.function.blocks().iter().any(|&block| self.token(block) == Some(token))
    }

    /// Whether a block can be the beginning of the trace without a label: the entry does nothing, and
    /// hands over inputs, each once.
    fn is_start(&self, entry: Block, block: Block) -> bool {
        let Terminator::Jump(call) = self.function.terminator(entry) else { return false };
        let mut seen: HashSet<Value, FxBuildHasher> = HashSet::default();
        let args = self.function.list(call.args);
        self.origin.labels[block].is_none()
            && self.function.block_insts(entry).is_empty()
            && args.iter().all(|&arg| {
                matches!(self.function.def(arg), Def::Param(b, _) if b == entry) && seen.insert(arg)
            })
            && !self.lists[block]
                .args
                .iter()
                .any(|listed| matches!(listed, Listed::Value(value) if seen.contains(value)))
    }

    fn enter_start(&mut self, call: BlockCall) {
        for (&param, &arg) in self.function.block_params(call.block).iter().zip(self.function.list(call.args))
        {
            self.vars[param] = self.vars[arg];
        }
        self.carried.0 = call.block;
        // The inputs are listed whatever became of the parameters.
        self.lists[call.block].whole = true;
    }

    /// The jump back to the beginning: each input gets what the parameter made of it gets; an input that
    /// the loop uses as it is gets itself, and one that it does not use nothing: a label between may not carry it.
    fn jump_to_start(&mut self, entry: Block, back: BlockCall, over_labels: bool) -> Result<(), Illegal> {
        let Terminator::Jump(first) = self.function.terminator(entry) else { return Ok(()) };
        let mut next: SideTable<Value, Option<Value>> = SideTable::new();
        for (&input, &value) in self.function.list(first.args).iter().zip(self.function.list(back.args)) {
            next[input] = Some(value);
        }
        let is_used = used_inputs(self.function);
        let args = self.function.params().iter().map(|&input| match next[input] {
            Some(value) => self.arg(value),
            None if over_labels && !is_used[input] => Ok(self.nothing(self.function.ty(input))),
            None => self.arg(input),
        });
        let args: Vec<Arg> = args.collect::<Result<_, _>>()?;
        self.push_named("jump", &args, self.origin.jump);
        Ok(())
    }

    /// What is handed over where nothing is wanted.
    fn nothing(&mut self, ty: Type) -> Arg {
        match ty {
            Type::Ref => Arg::Null { short: !self.origin.log },
            Type::F64 => Arg::Float(self.texts.intern_str("0.0")),
            _ => Arg::Int(0),
        }
    }

    /// A label: what it lists is called what is handed to it. What has no name of its own there, a
    /// constant or a value that is handed over twice, is copied before.
    fn label(&mut self, block: Block, call: BlockCall) -> Result<(), Illegal> {
        let list = std::mem::take(&mut self.lists[block]);
        // Values from before keep their names, whatever parameters there are of them.
        let mut taken: HashSet<Var, FxBuildHasher> = HashSet::default();
        let from_before = |listed: &Listed| match *listed {
            Listed::Value(value) => self.vars[value],
            Listed::Param(_) => None,
        };
        let mut free: HashSet<Var, FxBuildHasher> = list.args.iter().filter_map(from_before).collect();
        let (params, handed) = (self.function.block_params(block), self.function.list(call.args));
        let mut args = Vec::with_capacity(list.args.len());
        for (position, &listed) in list.args.iter().enumerate() {
            let (value, named) = match listed {
                Listed::Param(param) => (handed[param], params[param]),
                Listed::Value(value) => (value, list.source.get(position).copied().unwrap_or(value)),
            };
            let arg = match (listed, self.arg(value)?) {
                (Listed::Param(param), Arg::Var(var)) if !free.contains(&var) && taken.insert(var) => {
                    self.vars[params[param]] = Some(var);
                    Arg::Var(var)
                }
                (Listed::Value(_), Arg::Var(var)) if free.remove(&var) && taken.insert(var) => Arg::Var(var),
                (_, other) => self.copy(named, other)?,
            };
            args.push(arg);
        }
        self.lists[block] = list;
        if self.passes_for_the_beginning(block) {
            self.name_label(block, &mut 1);
        }
        self.trace.loop_label = Some(self.trace.ops.len());
        self.push_named("label", &args, self.token(block));
        self.carried = (block, self.trace.ops[self.trace.ops.len() - 1].args);
        Ok(())
    }

    /// A copy of an argument, which is called as a value.
    fn copy(&mut self, named: Value, arg: Arg) -> Result<Arg, Illegal> {
        let name = match self.function.ty(named) {
            Type::Ref => "same_as_r",
            Type::F64 => "same_as_f",
            _ => "same_as_i",
        };
        let copy = self.define(named)?;
        self.push_op(Opcode::from_name(name), None, Some(copy), &[arg], None, None);
        Ok(copy)
    }

    /// Whether what the text carries here is what a guard that lists nothing keeps.
    pub(crate) fn carries(&mut self, exit: Exit, behind: Option<Block>) -> Result<bool, Illegal> {
        let (block, listed) = self.carried;
        if behind == Some(block) && self.lists[block].whole {
            return Ok(true);
        }
        if self.function.recipe(exit).is_some() {
            return Ok(false);
        }
        let kept = self.args(self.function.exit_args(exit))?;
        Ok(kept == self.trace.lists.get(listed))
    }

    /// The end of a trace that leaves: `finish`, or a jump to another trace, as the marker before says.
    fn leave(&mut self, block: Block, results: &[Value]) -> Result<(), Illegal> {
        let marker = self.function.block_insts(block).iter().rev().find_map(|&inst| self.ending(inst));
        let args = self.args(results)?;
        match marker {
            Some((word, text)) => {
                let descr = (!text.is_empty()).then(|| self.texts.intern_str(text));
                self.push_named(word, &args, descr);
            }
            None if self.origin.open_ended && results.is_empty() => {}
            None => self.push_named("finish", &args, None),
        }
        Ok(())
    }

    /// The word and the descriptor of a marker that says how the trace ends.
    pub(crate) fn ending(&self, inst: Inst) -> Option<(&'static str, &'a str)> {
        let (data, module) = (self.function.inst(inst), self.module);
        let descr = data.descr.filter(|_| data.op == Op::Marker)?;
        let name = planish_ops::world::World::name(&module.descriptors, descr);
        ["jump", "finish"].into_iter().find_map(|word| match name.strip_prefix(word)? {
            "" => Some((word, "")),
            rest => Some((word, rest.strip_prefix(' ')?)),
        })
    }

    // ---- Names and operands ----------------------------------------------------------------------

    /// Names a value for the first time.
    pub(crate) fn define(&mut self, value: Value) -> Result<Arg, Illegal> {
        let kind = match self.function.ty(value) {
            Type::I64 | Type::I1 => Kind::Int,
            Type::Ref => Kind::Ref,
            Type::F64 => Kind::Float,
            ty => {
                let message = format!("a trace has no values of type {ty}");
                return Err(Illegal { inst: self.function.def_inst(value), message });
            }
        };
        let wanted = self.origin.names[value].filter(|name| !self.used.contains(name));
        let var = match wanted {
            Some(name) => {
                self.used.insert(name);
                self.trace.vars.push(VarData { name, kind })
            }
            None => self.fresh(kind),
        };
        self.vars[value] = Some(var);
        Ok(Arg::Var(var))
    }

    /// A new name.
    pub(crate) fn fresh(&mut self, kind: Kind) -> Var {
        let letter = match kind {
            Kind::Ref => b'p',
            Kind::Int => b'i',
            Kind::Float => b'f',
            Kind::Vector => b'v',
        };
        let name = Name::Numbered(letter, self.next);
        self.next += 1;
        self.used.insert(name);
        self.trace.vars.push(VarData { name, kind })
    }

    /// Lets a value be called what another argument is called. Constants cannot be.
    pub(crate) fn call_same(&mut self, value: Value, arg: Arg) {
        if let Arg::Var(var) = arg {
            self.vars[value] = Some(var);
        }
    }

    pub(crate) fn args(&mut self, values: &[Value]) -> Result<Vec<Arg>, Illegal> {
        values.iter().map(|&value| self.arg(value)).collect()
    }

    /// How a value is written.
    pub(crate) fn arg(&mut self, value: Value) -> Result<Arg, Illegal> {
        let Some(constant) = self.function.constant(value) else {
            return match self.vars[value] {
                Some(var) => Ok(Arg::Var(var)),
                None => Err(Illegal { inst: None, message: format!("{value} is used before it is made") }),
            };
        };
        Ok(match constant {
            Const::Int(int) if int.ty() == Type::I1 => Arg::Int(i64::from(int.signed() != 0)),
            Const::Int(int) if int.ty() == Type::I64 => Arg::Int(int.signed()),
            Const::Real(number) if number.0.format() == FloatFormat::F64 => {
                let number = number.0.to_f64();
                // The shortest text that reads back as the same number.
                let text = if number.is_nan() { "nan".to_owned() } else { format!("{number:?}") };
                Arg::Float(self.texts.intern_str(&text))
            }
            Const::Null => Arg::Null { short: !self.origin.log },
            Const::Hole => Arg::Hole,
            Const::Symbol(symbol, ty) => {
                let name = self.module.symbols.get(symbol).as_str();
                let unprefixed = name.strip_prefix(['s', 'u']).unwrap_or(name);
                let inner = name.strip_prefix("ConstInt(").and_then(|rest| rest.strip_suffix(')'));
                match (ty, inner) {
                    (Type::F64, _) => {
                        Arg::Float(self.texts.intern_str(name.split(' ').next().unwrap_or(name)))
                    }
                    (Type::Ref, _) if unprefixed.starts_with(['"', '\'']) => {
                        Arg::Str(self.texts.intern_str(name))
                    }
                    (Type::Ref, _) => Arg::Ptr(self.texts.intern_str(name)),
                    (_, Some(inner)) => Arg::Named(self.texts.intern_str(inner)),
                    (_, None) => Arg::Class(self.texts.intern_str(name)),
                }
            }
            Const::Int(_) | Const::Real(_) => {
                let message = format!("a trace has no constants of type {}", constant.ty());
                return Err(Illegal { inst: None, message });
            }
        })
    }

    // ---- Operations ------------------------------------------------------------------------------

    /// Appends an operation.
    pub(crate) fn push_op(
        &mut self,
        opcode: Option<Opcode>,
        name: Option<Text>,
        result: Option<Arg>,
        args: &[Arg],
        descr: Option<Text>,
        fail: Option<&[Arg]>,
    ) {
        let result = match result {
            Some(Arg::Var(var)) => Some(var),
            _ => None,
        };
        let args = self.trace.lists.push(args);
        let fail = fail.map(|fail| self.trace.lists.push(fail));
        let span = planish_base::Span::default();
        let (offset, resume) = (None, None);
        self.trace.ops.push(OpData { opcode, name, result, args, descr, fail, resume, offset, span });
    }

    fn push_named(&mut self, name: &'static str, args: &[Arg], descr: Option<Text>) {
        self.push_op(Opcode::from_name(name), None, None, args, descr, None);
    }

    /// Appends an operation of this name on words, and returns its result.
    pub(crate) fn word(&mut self, name: &'static str, args: &[Arg]) -> Arg {
        let result = Arg::Var(self.fresh(Kind::Int));
        self.push_op(Opcode::from_name(name), None, Some(result), args, None, None);
        result
    }

    /// Lets `value` be the result of an operation of this name on words.
    pub(crate) fn word_as(&mut self, value: Value, name: &'static str, args: &[Arg]) -> Result<(), Illegal> {
        let result = self.define(value)?;
        self.push_op(Opcode::from_name(name), None, Some(result), args, None, None);
        Ok(())
    }

    /// Counts the uses of overflow bits that are no guard.
    fn count_bits(&mut self) {
        let mut counted: Arena<Value, u32> = (0..self.function.value_count()).map(|_| 0).collect();
        for (_, inst) in self.function.live_insts() {
            let guard = matches!(self.function.inst(inst).op, Op::GuardTrue | Op::GuardFalse);
            for &arg in self.function.args(inst) {
                counted[arg] += u32::from(!guard);
            }
            if let Some(exit) = self.function.inst(inst).exit {
                for &arg in self.function.exit_args(exit) {
                    counted[arg] += 1;
                }
            }
        }
        for &block in self.function.blocks() {
            let lists = match self.function.terminator(block) {
                Terminator::Jump(call) => Some(call.args),
                Terminator::Return(results) => Some(*results),
                _ => None,
            };
            for &value in lists.map_or(&[][..], |list| self.function.list(list)) {
                counted[value] += 1;
            }
        }
        for (value, &count) in counted.iter() {
            if count > 0 && self.function.ty(value) == Type::I1 {
                self.bits[value] = count;
            }
        }
    }
}
