//! Lifting: a trace as a function of the IR.
//!
//! Integers and addresses are i64, pointers are references, floats f64; a comparison yields 0 or 1 in
//! i64. An overflow operation and its guard become arithmetic with an overflow bit and a guard on that
//! bit. Guards leave through `Leave(n)`, numbered in order, with their fail arguments; `None` is a hole.
//! Everything else that has no row in the table of operations is an opaque call or a marker whose
//! descriptor names it, so nothing is lost.
//!
//! The inputs are the parameters of the entry. A trace that jumps to its own start gets a block `loop`
//! behind the entry; each `label` begins a block whose parameters are its arguments. A jump to another
//! trace and `finish` are returns behind a marker that says which; a label that other traces jump to is an entrance.
//!
//! A guard of a stand-alone trace without a list of fail arguments says nothing of what is needed where it fails. What
//! the trace carries there, its inputs or what the last label lists, is then kept for it; `[]` means nothing.
//!
//! What the text does not say is not assumed: each pointer constant is a symbol of which only its name
//! is known, and a float in a log, printed with six decimals, is an unknown number of its own at every
//! place. PyPy's shifts are defined for amounts below 64 only; the table's mask. Values that a shift of
//! the source uses as its amount are remembered in [`Origin`], so that lowering need not mask them again.

mod calls;
mod exits;
mod flow;
mod shown;

use planish_base::{Diagnostic, Diagnostics, Id, SideTable};
use planish_ir::module::Module;
use planish_ir::{
    Block, Builder, Const, Def, Exit, ExitData, ExitTarget, Function, Inst, Location, Terminator, Value,
};
use planish_ops::world::Descr;
use planish_ops::{FloatFormat, Op, Real, Type};

use crate::declare;
use crate::descr::{Use, Vocabulary, word};
use crate::opcode::{Kind, Lift, Opcode};
use crate::recorded::Recorded;
use crate::text::{Arg, Name, OpData, Text, Texts, Trace, Var};
use crate::tokens::{Shared, jumps_without_token, leading_label, leads, loops_to_start};

/// What the text of an exit says besides its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ExitOrigin {
    /// The descriptor of the guard.
    pub descr: Option<Text>,
    /// Whether a list of fail arguments stood there, even an empty one.
    pub listed: bool,
    /// If none did, the block at whose beginning the text lists what is kept.
    pub behind: Option<Block>,
}

/// What a function remembers of the text from which it was lifted.
#[derive(Clone, Default)]
pub struct Origin {
    /// What values were called.
    pub names: SideTable<Value, Option<Name>>,
    /// The guards, by the number of their exit.
    pub exits: Vec<ExitOrigin>,
    /// The number of the first guard: guards are numbered through a file.
    pub first_exit: u32,
    /// A number behind those of all names in the text, those of what exits make included.
    pub next_name: u32,
    /// Whether a block begins with a label, and the label's descriptor.
    pub labels: SideTable<Block, Option<Option<Text>>>,
    /// The parameters that stand for what the text lists at the beginning of a block: a label's arguments, or the inputs.
    pub listed: SideTable<Block, Vec<Value>>,
    /// The descriptor of the jump at the end.
    pub jump: Option<Text>,
    /// Values that a shift of the source uses as its amount, and which therefore are below 64.
    pub amounts: SideTable<Value, bool>,
    /// Where the source compares references that it says are instances, in order. What is a copy of such a comparison
    /// has its place.
    pub instances: Vec<Location>,
    /// The comment lines above the inputs.
    pub comments: Vec<Text>,
    /// Whether the text is a log, which spells null differently.
    pub log: bool,
    /// Whether the inputs are those of the label that is the first operation, as in a short preamble.
    pub inputs_at_label: bool,
    /// Whether the text ends without a jump or `finish`.
    pub open_ended: bool,
}

impl Origin {
    /// What the text says of the guard that leaves by an exit.
    pub fn exit(&self, number: u32) -> Option<&ExitOrigin> {
        self.exits.get(number.checked_sub(self.first_exit)? as usize)
    }

    /// For the exit of a guard that lists nothing: the block at whose beginning the text lists what is kept.
    pub fn behind(&self, exit: &ExitData) -> Option<Block> {
        match exit.target {
            ExitTarget::Leave(number) => self.exit(number)?.behind,
            _ => None,
        }
    }
}

/// A lifted trace.
#[derive(Clone)]
pub struct Lifted {
    /// The function.
    pub function: Function,
    /// What the text said besides.
    pub origin: Origin,
}

/// What to know of the text that is lifted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The text is a log: its floats have lost digits.
    pub log: bool,
    /// Virtual references become the objects that PyPy makes of them, so that they can be optimized.
    pub expand_virtual_refs: bool,
    /// How many operations at the beginning say what is known and are not in the source: they have no number.
    pub ahead: usize,
    /// A jump to the beginning is an end like any other: the trace is no loop that could be peeled.
    pub straight: bool,
    /// The number of the first guard.
    pub first_exit: u32,
    /// A bridge of the file goes to the beginning of the trace.
    pub begins_for_others: bool,
}

/// Lifts traces of one file into one module.
pub struct Lifter<'a> {
    module: &'a mut Module,
    texts: &'a Texts,
    vocabulary: &'a mut Vocabulary,
    options: Options,
    recorded: Option<&'a Recorded>,
    shared: Option<&'a Shared>,
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
        Lifter { module, texts, vocabulary, options, recorded: None, shared: None, unknown_floats: 0 }
    }

    /// The trace is a recording that shows something of its constants.
    pub fn knowing(self, recorded: &'a Recorded) -> Self {
        Lifter { recorded: Some(recorded), ..self }
    }

    /// Other traces jump to the labels of some tokens.
    pub fn entered(self, shared: &'a Shared) -> Self {
        Lifter { shared: Some(shared), ..self }
    }

    /// Lifts a trace that was read without errors. What cannot be lifted is an error at its line.
    pub fn lift(&mut self, name: &str, trace: &Trace, diagnostics: &mut Diagnostics) -> Option<Lifted> {
        if let Some(refused) = refused(trace) {
            diagnostics.push(refused);
            return None;
        }
        let unrolled = self.vocabulary.header().mode.as_deref() == Some("unroll");
        // A bridge ends where loops began, not where it began itself.
        let bridge = self.vocabulary.header().mode.as_deref() == Some("bridge") && name == "bridge";
        let loops = !bridge && !self.options.straight && loops_to_start(trace, self.texts, unrolled);
        let (log, first_exit) = (self.options.log, self.options.first_exit);
        let work = Work {
            lifter: self,
            trace,
            builder: Builder::new(name, &[]),
            origin: Origin {
                comments: trace.comments.clone(),
                log,
                first_exit,
                next_name: behind_all_names(trace),
                ..Origin::default()
            },
            values: vec![None; trace.vars.len()],
            args: Vec::new(),
            overflow: None,
            start: None,
            labels: Vec::new(),
            carried: Vec::new(),
            carried_at: None,
            unrolled,
        };
        work.function(loops)
    }
}

/// A number behind those of all names of a trace.
fn behind_all_names(trace: &Trace) -> u32 {
    let numbers = trace.vars.values().filter_map(|var| match var.name {
        Name::Numbered(_, number) => Some(number + 1),
        Name::Other(_) => None,
    });
    numbers.max().unwrap_or(0)
}

/// Why a trace that was read cannot be lifted, if that is so.
pub fn refused(trace: &Trace) -> Option<Diagnostic> {
    let op = trace.ops.iter().find(|op| uses_vectors(trace, op))?;
    Some(Diagnostic::error(op.span, "operations on vectors are read and written, but not lifted"))
}

fn uses_vectors(trace: &Trace, op: &OpData) -> bool {
    let vector = |arg: &Arg| matches!(arg, Arg::Var(var) if trace.vars[*var].kind == Kind::Vector);
    op.result.is_some_and(|var| trace.vars[var].kind == Kind::Vector) || trace.args(op).iter().any(vector)
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
    labels: Vec<(Block, Option<Text>)>,
    /// What the trace carries at this point: its inputs, or what the last label lists.
    carried: Vec<Arg>,
    /// At the beginning of which block that is listed.
    carried_at: Option<Block>,
    /// Whether labels without a token are nothing that a jump goes to.
    unrolled: bool,
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
        if self.lifter.options.begins_for_others && leading_label(trace).is_none() {
            self.open_to_others(entry, None);
        }
        if loops {
            self.start = Some(self.begin_block("loop", inputs));
        }
        self.carried = inputs.to_vec();
        self.carried_at = self.start.or(Some(entry));
        self.classes_of_constants();
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

    fn same(&mut self, table: Op, op: &OpData) {
        let inst = self.inst(table, op, None, None);
        if op.opcode.is_some_and(|opcode| opcode.name().starts_with("instance_")) {
            let place = self.builder.function().inst(inst).location;
            if place != Location::default() {
                self.origin.instances.push(place);
            }
        }
    }

    fn shift(&mut self, table: Op, op: &OpData) {
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

    fn sign_extension(&mut self, op: &OpData) {
        // The table counts bits.
        let bytes = self.args[1];
        let eight = self.builder.int(Type::I64, 8);
        self.args[1] = match self.builder.function().int_constant(bytes) {
            Some(int) if (1..=8).contains(&int.signed()) => self.builder.int(Type::I64, int.signed() * 8),
            _ => self.builder.op(Op::Mul, &[bytes, eight]),
        };
        self.inst(Op::Signext, op, None, None);
    }

    fn overflow_guard(&mut self, leaves_without: bool, op: &OpData) {
        if let Some(bit) = self.overflow.take() {
            self.args.clear();
            self.args.push(bit);
            let guard = if leaves_without { Op::GuardTrue } else { Op::GuardFalse };
            let exit = self.exit(op);
            self.inst(guard, op, None, Some(exit));
        }
    }

    fn guard(&mut self, table: Op, op: &OpData) {
        self.object_at_address(table);
        if !self.guard_on_constants(table) {
            let exit = self.exit(op);
            self.inst(table, op, None, Some(exit));
        }
    }

    fn raw_item(&mut self, table: Op, op: &OpData) {
        let items = name_of(op).contains("arrayitem");
        let word = if items { word::RAW_ITEM } else { word::RAW_BYTES };
        self.raw(table, word, op);
    }

    fn raw_field(&mut self, table: Op, op: &OpData) {
        let zero = self.builder.int(Type::I64, 0);
        if self.is_int(0) {
            self.args.insert(1, zero);
        }
        self.raw(table, word::RAW_FIELD, op);
    }

    /// Lifts an operation. Returns whether it ends the trace.
    fn operation(&mut self, op: &OpData) -> bool {
        let lift = op.opcode.map_or(Lift::Opaque, |opcode| opcode.row().lift);
        if !matches!(lift, Lift::Label | Lift::Jump) {
            self.arguments(op);
        }
        match lift {
            Lift::Same(table) => self.same(table, op),
            Lift::Shift(table) => self.shift(table, op),
            Lift::Signext => self.sign_extension(op),
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
            Lift::OverflowGuard(leaves_without) => self.overflow_guard(leaves_without, op),
            Lift::Guard(table) => self.guard(table, op),
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
            Lift::Named(table @ (Op::RawLoad | Op::RawStore)) => self.raw_item(table, op),
            Lift::Named(table) => {
                let descr = self.allocation(op);
                self.inst(table, op, Some(descr), None);
            }
            Lift::RawField(table) => self.raw_field(table, op),
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
            Lift::Label if op.descr.is_none() && self.nothing_goes_to(op) => {
                if !self.says_the_inputs(op) {
                    self.arguments(op);
                    self.marker(op);
                }
            }
            Lift::Label => self.label(op),
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

    /// Whether nothing goes to a label without a token: the trace goes back to its start, or it is one about unrolling that
    /// goes to a token. One that says what the inputs are is the start.
    fn nothing_goes_to(&self, label: &OpData) -> bool {
        let is_input = |arg: &Arg| matches!(arg, Arg::Var(var) if self.values[var.index()].is_none());
        self.start.is_some()
            || self.unrolled
                && !jumps_without_token(self.trace)
                && !self.trace.args(label).iter().any(is_input)
    }

    /// Whether a label is the first operation and lists the inputs as they are, so that it says nothing.
    fn says_the_inputs(&self, label: &OpData) -> bool {
        let inputs = self.trace.lists.get(self.trace.inputs);
        leads(self.trace, label) && self.trace.args(label) == inputs
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
                    let symbol = self.lifter.recorded.map_or(symbol, |recorded| recorded.name(symbol));
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
