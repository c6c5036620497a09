//! Lifting: a trace as a function of the IR.
//!
//! Integers and addresses are i64, pointers are references, floats f64; a comparison yields 0 or 1 in
//! i64. An overflow operation and its guard become arithmetic with an overflow bit and a guard on that
//! bit. Guards leave through `Leave(n)`, numbered in order, with their fail arguments; `None` is a hole.
//! Everything else that has no row in the table of operations is an opaque call or a marker whose
//! descriptor names it, so nothing is lost.
//!
//! The inputs are the parameters of the entry. A trace that jumps to its own start gets a block `loop`
//! behind the entry; each `label` begins a block whose parameters are its arguments.  A jump to another
//! trace and `finish` are returns behind a marker that says which.
//!
//! What the text does not say is not assumed: each pointer constant is a symbol of which only its name
//! is known, and a float in a log, printed with six decimals, is an unknown number of its own at every
//! place. PyPy's shifts are defined for amounts below 64 only; the table's mask. Values that a shift of
//! the source uses as its amount are remembered in [`Origin`], so that lowering need not mask them again.

use planish_base::{Diagnostics, Id, SideTable};
use planish_ir::module::{Descriptor, Module};
use planish_ir::{
    Block, Builder, Const, Def, Exit, ExitTarget, Function, Inst, Location, Recipe, Slot, Terminator, Value,
};
use planish_ops::world::Descr;
use planish_ops::{FloatFormat, Op, Real, Type};

use crate::declare;
use crate::descr::{Use, Vocabulary, word};
use crate::opcode::{Kind, Lift, Opcode};
use crate::read::kind_of;
use crate::text::{Arg, Name, OpData, ResumeId, Text, Texts, Trace, Var};

/// What the text of an exit says besides its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ExitOrigin {
    /// The descriptor of the guard.
    pub descr: Option<Text>,
    /// Whether a list of fail arguments stood there, even an empty one.
    pub listed: bool,
}

/// What a function remembers of the text from which it was lifted.
#[derive(Clone, Default)]
pub struct Origin {
    /// What values were called.
    pub names: SideTable<Value, Option<Name>>,
    /// The guards, by the number of their exit.
    pub exits: Vec<ExitOrigin>,
    /// Whether a block begins with a label, and the label's descriptor.
    pub labels: SideTable<Block, Option<Option<Text>>>,
    /// The descriptor of the jump at the end.
    pub jump: Option<Text>,
    /// Values that a shift of the source uses as its amount, and which therefore are below 64.
    pub amounts: SideTable<Value, bool>,
    /// Comparisons of references that the source says compare instances.
    pub instances: SideTable<Inst, bool>,
    /// The comment lines above the inputs.
    pub comments: Vec<Text>,
    /// Whether the text is a log, which spells null differently.
    pub log: bool,
    /// Whether the inputs are those of the label that is the first operation, as in a short preamble.
    pub inputs_at_label: bool,
    /// Whether the text ends without a jump or `finish`.
    pub open_ended: bool,
}

/// A lifted trace.
pub struct Lifted {
    /// The function.
    pub function: Function,
    /// What the text said besides.
    pub origin: Origin,
}

/// What to know of the text that is lifted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The text is a log: its floats have lost digits.
    pub log: bool,
    /// Virtual references become the objects that PyPy makes of them, so that they can be optimized.
    pub expand_virtual_refs: bool,
    /// How many operations at the beginning say what is known and are not in the source: they have no number.
    pub ahead: usize,
}

/// Lifts traces of one file into one module.
pub struct Lifter<'a> {
    module: &'a mut Module,
    texts: &'a Texts,
    vocabulary: &'a mut Vocabulary,
    options: Options,
    unknown_floats: u32,
}

impl<'a> Lifter<'a> {
    /// A lifter that adds descriptors and symbols to a module.
    pub fn new(
        module: &'a mut Module,
        texts: &'a Texts,
        vocabulary: &'a mut Vocabulary,
        options: Options,
    ) -> Self {
        Lifter { module, texts, vocabulary, options, unknown_floats: 0 }
    }

    /// Lifts a trace that was read without errors. What cannot be lifted is an error at its line.
    pub fn lift(&mut self, name: &str, trace: &Trace, diagnostics: &mut Diagnostics) -> Option<Lifted> {
        if let Some(op) = trace.ops.iter().find(|op| uses_vectors(trace, op)) {
            diagnostics.error(op.span, "operations on vectors are read and written, but not lifted");
            return None;
        }
        let unrolled = self.vocabulary.header().mode.as_deref() == Some("unroll");
        // A bridge ends where loops began, not where it began itself.
        let bridge = self.vocabulary.header().mode.as_deref() == Some("bridge") && name == "bridge";
        let loops = !bridge && loops_to_start(trace, self.texts, unrolled);
        let log = self.options.log;
        let work = Work {
            lifter: self,
            trace,
            builder: Builder::new(name, &[]),
            origin: Origin { comments: trace.comments.clone(), log, ..Origin::default() },
            values: vec![None; trace.vars.len()],
            args: Vec::new(),
            overflow: None,
            start: None,
            labels: Vec::new(),
        };
        work.function(loops)
    }
}

fn uses_vectors(trace: &Trace, op: &OpData) -> bool {
    let vector = |arg: &Arg| matches!(arg, Arg::Var(var) if trace.vars[*var].kind == Kind::Vector);
    op.result.is_some_and(|var| trace.vars[var].kind == Kind::Vector) || trace.args(op).iter().any(vector)
}

/// Whether the trace ends with a jump to its own beginning, which no label marks. In a file about unrolling, a
/// label without a name is nothing that a jump goes to.
fn loops_to_start(trace: &Trace, texts: &Texts, unrolled: bool) -> bool {
    let is = |op: &OpData, lift: Lift| op.opcode.is_some_and(|opcode| opcode.row().lift == lift);
    let Some(last) = trace.ops.last().filter(|op| is(op, Lift::Jump)) else { return false };
    let to_start = match last.descr {
        None => true,
        Some(descr) => texts.get(descr) == "<Loop-1>",
    };
    let (args, inputs) = (trace.args(last), trace.lists.get(trace.inputs));
    // PyPy's tests end some straight lines with a jump that does not fit the inputs.
    let fits = args.len() == inputs.len()
        && args.iter().zip(inputs).all(|(arg, input)| kind_of(arg, trace) == kind_of(input, trace));
    let marks = |op: &OpData| is(op, Lift::Label) && !(unrolled && op.descr.is_none());
    to_start && fits && !trace.ops.iter().any(marks)
}

/// One trace being lifted.
struct Work<'a, 'b> {
    lifter: &'a mut Lifter<'b>,
    trace: &'a Trace,
    builder: Builder,
    origin: Origin,
    /// The value of each name at this point.
    values: Vec<Option<Value>>,
    args: Vec<Value>,
    /// The overflow bit that the next guard looks at.
    overflow: Option<Value>,
    /// Where a jump without a label goes.
    start: Option<Block>,
    labels: Vec<(Block, Option<Text>, usize)>,
}

impl Work<'_, '_> {
    fn function(mut self, loops: bool) -> Option<Lifted> {
        let trace = self.trace;
        let entry = self.builder.block("entry");
        self.builder.at(entry);
        let inputs = trace.lists.get(trace.inputs);
        for input in inputs {
            if let Arg::Var(var) = input {
                let param = self.builder.param(entry, type_of(trace.vars[*var].kind));
                self.bind(*var, param);
            }
        }
        if loops {
            self.start = Some(self.begin_block("loop", inputs));
        }
        let mut ended = false;
        let ahead = self.lifter.options.ahead;
        for (index, op) in trace.ops.iter().enumerate() {
            self.builder.locate(Location((index + 1).saturating_sub(ahead) as u32));
            if ended {
                break;
            }
            ended = self.operation(op);
        }
        if !ended {
            self.origin.open_ended = true;
            self.builder.ret(&[]);
        }
        Some(Lifted { function: self.builder.finish(), origin: self.origin })
    }

    fn bind(&mut self, var: Var, value: Value) {
        self.values[var.index()] = Some(value);
        if self.origin.names[value].is_none() {
            self.origin.names[value] = Some(self.trace.vars[var].name);
        }
    }

    /// Goes on in a new block whose parameters are `args`, which keep their names.
    fn begin_block(&mut self, name: &str, args: &[Arg]) -> Block {
        let block = self.builder.block(name);
        let values: Vec<Value> = args.iter().map(|arg| self.value(arg)).collect();
        self.builder.jump(block, &values);
        for (arg, &value) in args.iter().zip(&values) {
            let ty = self.builder.function().ty(value);
            let param = self.builder.param(block, ty);
            if let Arg::Var(var) = arg {
                self.bind(*var, param);
            }
        }
        self.builder.at(block);
        block
    }

    /// Lifts an operation. Returns whether it ends the trace.
    fn operation(&mut self, op: &OpData) -> bool {
        let lift = op.opcode.map_or(Lift::Opaque, |opcode| opcode.row().lift);
        if !matches!(lift, Lift::Label | Lift::Jump) {
            self.arguments(op);
        }
        match lift {
            Lift::Same(table) => {
                let inst = self.inst(table, op, None, None);
                if op.opcode.is_some_and(|opcode| opcode.name().starts_with("instance_")) {
                    self.origin.instances[inst] = true;
                }
            }
            Lift::Shift(table) => {
                let amount = self.args[1];
                self.note_amount(amount);
                let by = self.builder.function().int_constant(amount).map_or(0, |by| by.signed());
                let out = by >= 64 && table != Op::Rshift;
                if !out || table == Op::Lshift {
                    self.inst(table, op, None, None);
                }
                if out && let Some(var) = op.result {
                    // Such a shift is undefined. It gives 0, as if every bit were shifted out.
                    self.values[var.index()] = Some(self.builder.int(Type::I64, 0));
                }
            }
            Lift::Signext => {
                // The table counts bits.
                let bytes = self.args[1];
                let eight = self.builder.int(Type::I64, 8);
                self.args[1] = match self.builder.function().int_constant(bytes) {
                    Some(int) if (1..=8).contains(&int.signed()) => {
                        self.builder.int(Type::I64, int.signed() * 8)
                    }
                    _ => self.builder.op(Op::Mul, &[bytes, eight]),
                };
                self.inst(Op::Signext, op, None, None);
            }
            Lift::Copy => {
                let value = self.args[0];
                if let Some(var) = op.result {
                    self.bind(var, value);
                }
            }
            Lift::Overflow(table) => {
                let inst = self.inst(table, op, None, None);
                self.overflow = self.builder.function().results(inst).nth(1);
            }
            Lift::OverflowGuard(leaves_without) => {
                if let Some(bit) = self.overflow.take() {
                    self.args.clear();
                    self.args.push(bit);
                    let guard = if leaves_without { Op::GuardTrue } else { Op::GuardFalse };
                    let exit = self.exit(op);
                    self.inst(guard, op, None, Some(exit));
                }
            }
            Lift::Guard(table) => {
                self.object_at_address(table);
                let exit = self.exit(op);
                self.inst(table, op, None, Some(exit));
            }
            Lift::OtherGuard => {
                let exit = self.exit(op);
                let descr = self.descr(name_of(op), None, Use::Remark);
                self.inst(Op::GuardOther, op, Some(descr), Some(exit));
            }
            Lift::Access(table) => {
                let descr = self.descr("", op.descr, Use::Heap);
                self.inst(table, op, Some(descr), None);
            }
            Lift::PureItem => {
                let descr = self.descr(word::PURE_ITEM, op.descr, Use::PureItem);
                self.inst(Op::GetItem, op, Some(descr), None);
            }
            Lift::Named(table @ (Op::RawLoad | Op::RawStore)) => {
                let items = name_of(op).contains("arrayitem");
                let word = if items { word::RAW_ITEM } else { word::RAW_BYTES };
                self.raw(table, word, op);
            }
            Lift::Named(table) => {
                let descr = self.descr(name_of(op), op.descr, Use::New);
                self.inst(table, op, Some(descr), None);
            }
            Lift::RawField(table) => {
                let zero = self.builder.int(Type::I64, 0);
                if self.is_int(0) {
                    self.args.insert(1, zero);
                }
                self.raw(table, word::RAW_FIELD, op);
            }
            Lift::Str(table, characters) => {
                let descr = self.descr(characters, None, Use::Chars);
                self.inst(table, op, Some(descr), None);
            }
            Lift::Opaque if self.lifter.options.expand_virtual_refs && name_of(op) == "virtual_ref" => {
                self.virtual_ref(op);
            }
            Lift::Opaque
                if self.lifter.options.expand_virtual_refs && name_of(op) == "virtual_ref_finish" =>
            {
                self.virtual_ref_finish();
            }
            Lift::Call => self.call(op, Use::Call),
            Lift::Reads => self.call(op, Use::Reads),
            Lift::Computes => self.call(op, Use::Computes),
            Lift::Outside => self.call(op, Use::Outside),
            Lift::Opaque => self.call(op, Use::Opaque),
            Lift::Marker => self.marker(op),
            Lift::Label if self.start.is_some() && op.descr.is_none() => {
                // Nothing jumps there: the trace goes back to its start.
                self.arguments(op);
                self.marker(op);
            }
            Lift::Label => {
                let args = self.trace.args(op);
                if args.iter().any(|arg| matches!(arg, Arg::Var(var) if self.values[var.index()].is_none())) {
                    // The first operation of a short preamble: its label says the inputs.
                    self.origin.inputs_at_label = true;
                    for arg in args {
                        if let Arg::Var(var) = arg {
                            let entry = self.builder.here();
                            let param = self.builder.param(entry, type_of(self.trace.vars[*var].kind));
                            self.bind(*var, param);
                        }
                    }
                }
                let block = self.begin_block("label", args);
                self.origin.labels[block] = Some(op.descr);
                self.labels.push((block, op.descr, args.len()));
            }
            Lift::Jump => {
                self.arguments(op);
                self.jump(op);
                return true;
            }
            Lift::Finish => {
                self.leave(op, "finish");
                return true;
            }
        }
        false
    }

    /// The operands of an operation, into `self.args`.
    fn arguments(&mut self, op: &OpData) {
        let mut args = std::mem::take(&mut self.args);
        args.clear();
        for arg in self.trace.args(op) {
            if !matches!(arg, Arg::Raw(_)) {
                args.push(self.value(arg));
            }
        }
        self.args = args;
    }

    fn is_int(&self, index: usize) -> bool {
        self.args.get(index).is_some_and(|&value| self.builder.function().ty(value) == Type::I64)
    }

    /// Notes that a shift takes a value as its amount. A parameter of the loop that never changes may give way to the
    /// input that it is.
    fn note_amount(&mut self, amount: Value) {
        self.origin.amounts[amount] = true;
        let function = self.builder.function();
        if let Def::Param(block, position) = function.def(amount)
            && self.start == Some(block)
            && let Terminator::Jump(call) = function.terminator(function.entry())
        {
            self.origin.amounts[function.list(call.args)[position as usize]] = true;
        }
    }

    /// A reference may be guarded to be the object at a number, which is some object without a name.
    fn object_at_address(&mut self, table: Op) {
        let function = self.builder.function();
        if let (Op::GuardValue, &[x, y]) = (table, &self.args[..])
            && function.ty(x) == Type::Ref
            && let Some(address) = function.int_constant(y)
        {
            self.args[1] = self.symbol(&address.signed().to_string(), Type::Ref);
        }
    }

    /// Appends an instruction on `self.args`, whose first result the operation names.
    fn inst(&mut self, table: Op, op: &OpData, descr: Option<Descr>, exit: Option<Exit>) -> Inst {
        let kind = match (op.opcode.and_then(|opcode| opcode.row().result), op.result) {
            (Some(kind), _) => Some(kind),
            (None, Some(var)) => Some(self.trace.vars[var].kind),
            (None, None) => None,
        };
        let ty = [type_of(kind.unwrap_or(Kind::Int))];
        let named: &[Type] = if kind.is_some() { &ty } else { &[] };
        let inst = self.builder.inst(table, &self.args, named, descr, exit);
        let value = self.builder.function().results(inst).next();
        if let (Some(var), Some(value)) = (op.result, value) {
            self.bind(var, value);
        }
        inst
    }

    fn descr(&mut self, word: &'static str, text: Option<Text>, use_: Use) -> Descr {
        self.lifter.vocabulary.descr(self.lifter.module, self.lifter.texts, word, text, use_)
    }

    fn exit(&mut self, op: &OpData) -> Exit {
        let number = self.origin.exits.len() as u32;
        self.origin.exits.push(ExitOrigin { descr: op.descr, listed: op.fail.is_some() });
        let mut args: Vec<Value> = self.trace.fail(op).iter().map(|arg| self.value(arg)).collect();
        let recipe = op.resume.map(|resume| self.recipe(resume, &mut args));
        let exit = self.builder.exit(ExitTarget::Leave(number), &args);
        if let Some(recipe) = recipe {
            self.builder.set_recipe(exit, recipe);
        }
        exit
    }

    /// The recipe of what is resumed; constants in it become arguments of the exit.
    fn recipe(&mut self, resume: ResumeId, args: &mut Vec<Value>) -> Recipe {
        let trace = self.trace;
        let resume = &trace.resumes[resume];
        let mut made: Vec<(Var, Slot)> = Vec::new();
        let mut slot = |lifting: &mut Self, arg: &Arg, made: &[(Var, Slot)]| {
            if let Arg::Var(var) = arg
                && let Some(&(_, slot)) = made.iter().find(|(known, _)| known == var)
            {
                return slot;
            }
            let value = lifting.value(arg);
            let position = args.iter().position(|&known| known == value).unwrap_or_else(|| {
                args.push(value);
                args.len() - 1
            });
            Slot::Arg(position as u32)
        };
        let mut recipe = Recipe::default();
        for (step, number) in resume.steps.iter().zip(0..) {
            let operands: Vec<Slot> = trace.args(step).iter().map(|arg| slot(self, arg, &made)).collect();
            let (op, descr) = match step.opcode.map_or(Lift::Opaque, |opcode| opcode.row().lift) {
                Lift::Call => (Op::Call, Some(self.descr(name_of(step), step.descr, Use::Call))),
                Lift::Named(op @ Op::RawStore) => {
                    (op, Some(self.descr(word::RAW_BYTES, step.descr, Use::Raw)))
                }
                Lift::Named(op) => (op, Some(self.descr(name_of(step), step.descr, Use::New))),
                Lift::Access(op) => (op, Some(self.descr("", step.descr, Use::Heap))),
                Lift::Str(op, characters) => (op, Some(self.descr(characters, None, Use::Chars))),
                Lift::Same(op) => (op, None),
                _ => unreachable!("the reader lets nothing else stand here"),
            };
            recipe.push(op, descr, &operands);
            made.extend(step.result.map(|result| (result, Slot::Made(number))));
        }
        recipe.state = trace.lists.get(resume.state).iter().map(|arg| slot(self, arg, &made)).collect();
        recipe
    }

    /// An access outside the heap. On a base that is no integer it is opaque.
    fn raw(&mut self, table: Op, word: &'static str, op: &OpData) {
        if self.is_int(0) && self.is_int(1) {
            let descr = self.descr(word, op.descr, Use::Raw);
            self.inst(table, op, Some(descr), None);
        } else {
            self.call(op, if table == Op::RawLoad { Use::Reads } else { Use::Opaque });
        }
    }

    fn call(&mut self, op: &OpData, use_: Use) {
        let descr = match op.opcode {
            Some(opcode) => self.descr(opcode.name(), op.descr, use_),
            None => {
                // A name without a row is not static; such operations are few.
                let texts = self.lifter.texts;
                let mut name = format!("{} {}", word::UNKNOWN, self.trace.op_name(op, texts));
                if let Some(descr) = op.descr {
                    name.push(' ');
                    name.push_str(texts.get(descr));
                }
                let unknown = || Descriptor::Callee(planish_ops::world::CallEffect::unknown());
                self.lifter.module.descriptors.intern(name, unknown)
            }
        };
        self.inst(Op::Call, op, Some(descr), None);
    }

    /// A virtual reference is an object with the frame's token and no referent yet. What it is about does
    /// not escape by it: the interpreter finds it through the guard behind a call.
    fn virtual_ref(&mut self, op: &OpData) {
        let [size, token, forced] = self.lifter.vocabulary.virtual_ref();
        let frame = self.named_descr("force_token", None, Use::Computes);
        let call = self.builder.inst(Op::Call, &[], &[Type::Ref], Some(frame), None);
        let frame = self.builder.function().result(call);
        let size = self.named_descr("new_with_vtable", Some(size), Use::New);
        let object = self.builder.inst(Op::New, &[], &[], Some(size), None);
        let object = self.builder.function().result(object);
        let null = self.builder.constant(Const::Null);
        for (field, value) in [(token, frame), (forced, null)] {
            let field = self.named_descr("", Some(field), Use::Heap);
            self.builder.inst(Op::SetField, &[object, value], &[], Some(field), None);
        }
        if let Some(var) = op.result {
            self.bind(var, object);
        }
    }

    /// The end of a virtual reference: it is not the frame's any more, and refers to what it is told.
    fn virtual_ref_finish(&mut self) {
        let [_, token, forced] = self.lifter.vocabulary.virtual_ref();
        let (object, referent) = (self.args[0], self.args[1]);
        let null = self.builder.constant(Const::Null);
        if referent != null {
            let forced = self.named_descr("", Some(forced), Use::Heap);
            self.builder.inst(Op::SetField, &[object, referent], &[], Some(forced), None);
        }
        let token = self.named_descr("", Some(token), Use::Heap);
        self.builder.inst(Op::SetField, &[object, null], &[], Some(token), None);
    }

    /// A descriptor whose text the file may not have.
    fn named_descr(&mut self, word: &'static str, text: Option<String>, use_: Use) -> Descr {
        self.lifter.vocabulary.descr_of(self.lifter.module, word, text.as_deref().unwrap_or(""), use_)
    }

    fn marker(&mut self, op: &OpData) {
        let texts = self.lifter.texts;
        let descr = match self.trace.args(op) {
            [Arg::Raw(raw)] => {
                let name = format!("{}({})", name_of(op), texts.get(*raw));
                self.lifter.module.descriptors.intern(name, || Descriptor::Other)
            }
            _ => self.descr(name_of(op), op.descr, Use::Remark),
        };
        self.inst(Op::Marker, op, Some(descr), None);
    }

    fn jump(&mut self, op: &OpData) {
        let count = self.args.len();
        let fits = |label: &&(Block, Option<Text>, usize)| label.1 == op.descr && label.2 == count;
        let target = match self.start {
            Some(start) => Some(start),
            None => self.labels.iter().rev().find(fits).map(|label| label.0),
        };
        match target {
            Some(block) => {
                self.origin.jump = op.descr;
                let call = self.builder.call(block, &self.args);
                self.builder.terminate(Terminator::Jump(call));
            }
            None => self.leave(op, "jump"),
        }
    }

    /// The end of the trace, with the operands as results.
    fn leave(&mut self, op: &OpData, word: &'static str) {
        let descr = self.descr(word, op.descr, Use::Remark);
        self.builder.inst(Op::Marker, &[], &[], Some(descr), None);
        let types: Vec<Type> = self.args.iter().map(|&value| self.builder.function().ty(value)).collect();
        self.builder.set_result_types(&types);
        self.builder.ret(&self.args);
    }

    /// The value of an argument at this point.
    fn value(&mut self, arg: &Arg) -> Value {
        let texts = self.lifter.texts;
        match *arg {
            Arg::Var(var) => match self.values[var.index()] {
                Some(value) => value,
                // The reader reported it.
                None => self.builder.constant(Const::Hole),
            },
            Arg::Int(int) => self.builder.int(Type::I64, int),
            Arg::Float(text) if self.lifter.options.log => {
                self.lifter.unknown_floats += 1;
                let name = format!("{} #{}", texts.get(text), self.lifter.unknown_floats);
                let symbol = self.lifter.module.symbols.intern(name);
                self.builder.constant(Const::Symbol(symbol, Type::F64))
            }
            Arg::Float(text) => {
                let number: f64 = texts.get(text).parse().unwrap_or(f64::NAN);
                self.builder.real(Real::from_bits(FloatFormat::F64, number.to_bits()))
            }
            Arg::Class(name) => self.symbol(texts.get(name), Type::I64),
            Arg::Named(name) => self.symbol(&format!("ConstInt({})", texts.get(name)), Type::I64),
            Arg::Ptr(name) => match self.lifter.vocabulary.header().object(texts.get(name)) {
                None => self.builder.constant(Const::Null),
                Some(name) => {
                    let symbol = self.lifter.module.symbols.intern_str(name);
                    self.builder.constant(Const::Symbol(symbol, Type::Ref))
                }
            },
            Arg::Str(text) => {
                let symbol = self.lifter.module.symbol(texts.get(text));
                if let Some(characters) = declare::characters(texts.get(text)) {
                    self.lifter.module.descriptors.set_text(symbol, characters);
                }
                self.builder.constant(Const::Symbol(symbol, Type::Ref))
            }
            Arg::Null { .. } => self.builder.constant(Const::Null),
            Arg::Hole | Arg::Raw(_) => self.builder.constant(Const::Hole),
        }
    }

    fn symbol(&mut self, name: &str, ty: Type) -> Value {
        let symbol = self.lifter.module.symbol(name);
        self.builder.constant(Const::Symbol(symbol, ty))
    }
}

fn name_of(op: &OpData) -> &'static str {
    op.opcode.map_or("", Opcode::name)
}

fn type_of(kind: Kind) -> Type {
    match kind {
        Kind::Int => Type::I64,
        Kind::Ref => Type::Ref,
        // Vectors are refused before.
        Kind::Float | Kind::Vector => Type::F64,
    }
}
