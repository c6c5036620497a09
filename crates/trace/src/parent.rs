//! What holds where a bridge begins, read from the trace that it leaves.
//!
//! A log names the guard that a bridge comes from, and lists what that guard hands over: those values are the inputs of
//! the bridge, in order. Everything that the trace established before the guard still holds when the guard fails:
//! classes and references that are not null, comparisons that other guards decided (and the one that the failing guard
//! decided the other way), fields that were read or written and not changed since, lengths, results of calls that are
//! the same for the whole loop. What can be said in terms of the handed-over values is put in front of the bridge as
//! remarks, the words that PyPy itself has for promises; so the interpreter holds the optimized bridge against its
//! source under the same promises, and no pass knows that there was a parent. Objects that the parent did not make
//! need nothing of this: the recorded bridge begins with their making. Neither do stores of such objects that waited at the
//! guard: PyPy carries them out when it resumes and records them as the first operations of the bridge. So what the text
//! of the parent says of a field is what memory holds in front of those.
//!
//! PyPy does the same from memory for classes, fields and loop-invariant calls (`bridgeopt`). At a label only what is
//! known of the references that come around is kept: PyPy's loops assume these of their parameters, and whoever jumps
//! there has shown them.

use hashbrown::HashMap;
use planish_base::{Arena, SideTable};
use planish_ir::liveness::for_each_use;
use planish_ir::{Function, Inst, Location, Value};
use planish_ops::Effect;
use planish_ops::world::World;
use rustc_hash::FxBuildHasher;

use crate::descr::FORCES_FRAME;
use crate::opcode::{Kind, Lift, Opcode};
use crate::pypylog::{Log, Section, SectionId, SectionKind};
use crate::read::kind_of;
use crate::text::{Arg, Name, OpData, Text, Texts, Trace, Var, VarData};

/// What the name of a constant object begins with that only the parent has.
pub(crate) const FOREIGN: &str = "parent_";

/// The guards of the optimized traces of a log, by what they are called.
pub struct Guards {
    /// For each descriptor where it stands, in the order of the log: PyPy may use a name again.
    places: HashMap<Text, Vec<(SectionId, usize)>, FxBuildHasher>,
}

impl Guards {
    /// All guards of a log. O(length).
    pub fn of(log: &Log) -> Guards {
        let mut places: HashMap<Text, Vec<(SectionId, usize)>, FxBuildHasher> = HashMap::default();
        for (id, section) in log.sections.iter() {
            let optimized = matches!(section.kind, SectionKind::OptLoop | SectionKind::OptBridge);
            let Some(trace) = section.trace.as_ref().filter(|_| optimized) else { continue };
            for (index, op) in trace.ops.iter().enumerate() {
                if let Some(descr) = op.descr.filter(|_| is_guard(op)) {
                    places.entry(descr).or_default().push((id, index));
                }
            }
        }
        Guards { places }
    }

    /// The guard that an optimized bridge leaves from: the section that has it, and its position there.
    pub fn left_by(&self, log: &Log, bridge: SectionId) -> Option<(SectionId, usize)> {
        let guard = guard_left(log.sections[bridge].trace.as_ref()?, &log.texts)?;
        let places = self.places.get(&log.texts.lookup_str(&guard)?)?;
        places.iter().rfind(|(section, _)| *section < bridge).copied()
    }

    /// Puts in front of a raw bridge what holds at the guard that it leaves from; how many operations those are. `None`
    /// when the log does not tell of that guard, or tells of another one. O(length of the parent).
    pub(crate) fn seed(&self, log: &mut Log, bridge: SectionId, raw: &mut Trace) -> Option<usize> {
        let (section, index) = self.left_by(log, bridge)?;
        let Log { sections, texts, .. } = log;
        let parent = sections[section].trace.as_ref()?;
        let handed: Vec<Var> = (parent.fail(&parent.ops[index]).iter())
            .filter_map(|arg| match arg {
                Arg::Var(var) => Some(*var),
                _ => None,
            })
            .collect();
        let inputs = raw.lists.get(raw.inputs).to_vec();
        let kind = |input: &Arg| match input {
            Arg::Var(var) => Some(raw.vars[*var].kind),
            _ => None,
        };
        let fits = handed.len() == inputs.len()
            && handed.iter().zip(&inputs).all(|(var, input)| kind(input) == Some(parent.vars[*var].kind));
        if !fits {
            return None;
        }
        let mut held = Held::new(parent);
        let body = parent.ops.iter().rposition(|op| name(op) == "label");
        for (position, op) in parent.ops[..index].iter().enumerate() {
            held.passed(op, texts);
            if Some(position) == body
                && let Some((_, short)) = short_preamble(sections, section)
                && let Some(inside) = entering(short, parent, parent.args(op))
            {
                let mut before = Held::new(short);
                short.ops.iter().for_each(|op| before.passed(op, texts));
                held.adopt(&before, &inside, texts);
            }
        }
        held.failed(&parent.ops[index]);
        let mut inside = SideTable::new();
        handed.iter().zip(inputs).for_each(|(&var, input)| inside[var] = Some(input));
        Some(Remarks::new(raw, inside, texts).write(&held, &handed))
    }
}

/// What the guard is called that an optimized bridge says to leave from.
pub(crate) fn guard_left(optimized: &Trace, texts: &Texts) -> Option<String> {
    let line = texts.get(*optimized.comments.first()?);
    let (_, rest) = line.split_once("bridge out of Guard ")?;
    Some(format!("<Guard{}>", rest.split(' ').next()?))
}

/// The text of an optimized trace that a bridge may leave, in an attempt of its own with what others do before they enter
/// its body.
pub(crate) fn alone(log: &Log, section: SectionId) -> String {
    let text = |id: SectionId| {
        let Section { open, close, .. } = log.sections[id];
        let text = log.source.text()[open..close].trim_end_matches('\n');
        // A section that was never closed would take in what follows.
        match log.sections[id].end {
            Some(_) => format!("{text}\n"),
            None => format!("{text}\n[0] {}}}\n", log.name(id)),
        }
    };
    let short = short_preamble(&log.sections, section);
    format!(
        "[0] {{jit-tracing\n{}{}[0] jit-tracing}}\n",
        short.map_or(String::new(), |(id, _)| text(id)),
        text(section)
    )
}

/// What other traces do before they enter the body of the loop of a section, if the log says so.
fn short_preamble(sections: &Arena<SectionId, Section>, section: SectionId) -> Option<(SectionId, &Trace)> {
    let attempt = sections[section].parent;
    let before = (sections.iter()).take_while(|(id, _)| *id < section);
    let (id, last) = before.filter(|(_, other)| other.parent == attempt && other.trace.is_some()).last()?;
    let trace = last.trace.as_ref().filter(|_| last.kind == SectionKind::ShortPreamble)?;
    Some((id, trace))
}

/// The values of a body that values of the short preamble are. The body is given leaves of the values that come around, then
/// what the short preamble hands on; the short preamble is given the leaves, then objects that are not made.
fn entering(short: &Trace, body: &Trace, label: &[Arg]) -> Option<SideTable<Var, Option<Var>>> {
    let (first, last) = (short.ops.first()?, short.ops.last()?);
    if name(first) != "label" || name(last) != "jump" {
        return None;
    }
    let (given, handed_on) = (short.args(first), short.args(last));
    let leaves = label.len().checked_sub(handed_on.len()).filter(|&leaves| leaves <= given.len())?;
    let mut inside = SideTable::new();
    for (from, to) in given[..leaves].iter().chain(handed_on).zip(label) {
        match (from, to) {
            (&Arg::Var(from), &Arg::Var(to)) if short.vars[from].kind == body.vars[to].kind => {
                inside[from] = Some(to);
            }
            _ => return None,
        }
    }
    let unmade = |arg: &Arg| matches!(arg, Arg::Var(var) if short.vars[*var].kind == Kind::Ref);
    given[leaves..].iter().all(unmade).then_some(inside)
}

/// Takes out of an optimized trace what was promised, and what was put in front of it and nothing uses: an optimizer may have
/// left it. Neither has a place in the source. O(length).
pub(crate) fn forget(function: &mut Function, world: &dyn World) {
    let mut uses: SideTable<Value, u32> = SideTable::new();
    let ahead = |function: &Function, inst: Inst| function.inst(inst).location == Location::default();
    let entry = function.entry();
    let promises = |function: &Function, inst: Inst| {
        function.inst(inst).descr.is_some_and(|descr| world.remark(descr).is_some())
    };
    for block in function.blocks().to_vec() {
        let insts: Vec<Inst> = (function.block_insts(block).iter().copied())
            .filter(|&inst| !(ahead(function, inst) && promises(function, inst)))
            .collect();
        function.replace_insts(block, insts);
    }
    let insts = function.block_insts(entry).to_vec();
    for &block in function.blocks() {
        for_each_use(function, block, |_, value| uses[value] += 1);
    }
    let mut kept: Vec<Inst> = Vec::with_capacity(insts.len());
    for &inst in insts.iter().rev() {
        let only_computes = matches!(function.row(inst).effect, Effect::Pure | Effect::Load);
        if ahead(function, inst) && only_computes && function.results(inst).all(|result| uses[result] == 0) {
            function.args(inst).iter().for_each(|&arg| uses[arg] -= 1);
        } else {
            kept.push(inst);
        }
    }
    kept.reverse();
    function.replace_insts(entry, kept);
}

fn is_guard(op: &OpData) -> bool {
    op.opcode.is_some_and(Opcode::is_guard)
}

fn name(op: &OpData) -> &'static str {
    op.opcode.map_or("", Opcode::name)
}

/// A place of an object and what it holds.
#[derive(Clone, Copy)]
struct Load {
    /// What reads it.
    opcode: Opcode,
    descr: Option<Text>,
    base: Arg,
    index: Option<Arg>,
    value: Arg,
}

/// A comparison and how it came out.
#[derive(Clone, Copy)]
struct Truth {
    opcode: Opcode,
    operands: [Arg; 2],
    truth: bool,
}

/// A call that gives the same for the whole loop.
#[derive(Clone)]
struct Invariant {
    descr: Option<Text>,
    args: Vec<Arg>,
    result: Arg,
}

/// What holds at a place of a trace.
struct Held<'a> {
    trace: &'a Trace,
    nonnull: SideTable<Var, bool>,
    classes: SideTable<Var, Option<Arg>>,
    /// The constants that values are.
    constants: SideTable<Var, Option<Arg>>,
    /// The operation that made a value, by its place.
    made: SideTable<Var, Option<OpData>>,
    truths: Vec<Truth>,
    /// What places of the heap hold, by descriptor.
    fields: HashMap<Text, Vec<Load>, FxBuildHasher>,
    /// What never changes: lengths.
    lengths: Vec<Load>,
    /// Calls that give the same for the whole loop.
    invariant: Vec<Invariant>,
}

impl<'a> Held<'a> {
    fn new(trace: &'a Trace) -> Held<'a> {
        Held {
            trace,
            nonnull: SideTable::new(),
            classes: SideTable::new(),
            constants: SideTable::new(),
            made: SideTable::new(),
            truths: Vec::new(),
            fields: HashMap::default(),
            lengths: Vec::new(),
            invariant: Vec::new(),
        }
    }

    /// Control came past an operation.
    fn passed(&mut self, op: &OpData, texts: &Texts) {
        let args = self.trace.args(op);
        let (Some(opcode), result) = (op.opcode, op.result) else {
            self.fields.clear();
            return;
        };
        if let Some(result) = result {
            self.made[result] = Some(*op);
        }
        match (opcode.name(), args) {
            ("label", _) => {
                self.constants.clear();
                self.truths.clear();
                self.fields.clear();
                self.lengths.clear();
                self.invariant.clear();
            }
            ("guard_class" | "guard_nonnull_class", &[Arg::Var(object), class]) => {
                self.nonnull[object] = true;
                self.classes[object] = Some(class);
            }
            ("guard_nonnull", &[Arg::Var(object)]) => self.nonnull[object] = true,
            ("guard_value", &[Arg::Var(value), constant]) => self.is_constant(value, constant),
            ("guard_isnull", &[Arg::Var(object)]) => {
                self.constants[object] = Some(Arg::Null { short: false });
            }
            ("guard_true" | "guard_false", &[condition]) => {
                let truth = opcode.name() == "guard_true";
                match condition {
                    Arg::Var(condition) if !truth => self.is_constant(condition, Arg::Int(0)),
                    condition => self.decided(condition, truth),
                }
            }
            ("arraylen_gc" | "strlen" | "unicodelen", &[base]) => {
                self.dereferenced(base);
                if let Some(value) = result.map(Arg::Var) {
                    let load = Load { opcode, descr: op.descr, base, index: None, value };
                    self.lengths.push(load);
                }
            }
            _ => self.memory(opcode, op, texts),
        }
    }

    /// A value is a constant.
    fn is_constant(&mut self, value: Var, constant: Arg) {
        self.constants[value] = Some(constant);
        if let Arg::Int(truth @ (0 | 1)) = constant {
            self.decided(Arg::Var(value), truth == 1);
        }
    }

    /// What holds at the end of a short preamble holds where it leads to.
    fn adopt(&mut self, short: &Held<'_>, inside: &SideTable<Var, Option<Var>>, texts: &mut Texts) {
        let mut arg = |arg: Arg| {
            let constant = match arg {
                Arg::Var(var) => short.constants[var],
                _ => None,
            };
            match constant.unwrap_or(arg) {
                Arg::Var(var) => inside[var].map(Arg::Var),
                // The same name is another object's in the trace.
                Arg::Ptr(name) => {
                    let name = format!("label_{}", texts.get(name));
                    Some(Arg::Ptr(texts.intern(name)))
                }
                constant => Some(constant),
            }
        };
        for var in short.trace.vars.ids() {
            let Some(to) = inside[var] else { continue };
            self.nonnull[to] |= short.nonnull[var];
            self.classes[to] = self.classes[to].or(short.classes[var]);
        }
        let mut load = |load: &Load| {
            let index = match load.index {
                Some(index) => Some(arg(index)?),
                None => None,
            };
            Some(Load { base: arg(load.base)?, index, value: arg(load.value)?, ..*load })
        };
        for (&descr, loads) in &short.fields {
            self.fields.entry(descr).or_default().extend(loads.iter().filter_map(&mut load));
        }
        self.lengths.extend(short.lengths.iter().filter_map(load));
        self.truths.extend(short.truths.iter().filter_map(|truth| {
            let [x, y] = truth.operands;
            Some(Truth { operands: [arg(x)?, arg(y)?], ..*truth })
        }));
        self.invariant.extend(short.invariant.iter().filter_map(|call| {
            let args: Option<Vec<Arg>> = call.args.iter().map(|&operand| arg(operand)).collect();
            Some(Invariant { descr: call.descr, args: args?, result: arg(call.result)? })
        }));
    }

    /// What an operation reads and writes.
    fn memory(&mut self, opcode: Opcode, op: &OpData, texts: &Texts) {
        let args = self.trace.args(op);
        let (word, descr) = (opcode.name(), op.descr);
        let Some(descr) = descr.filter(|_| word.contains("field_gc") || word.contains("arrayitem_gc")) else {
            let text = descr.map_or("", |descr| texts.get(descr).as_str());
            let harmless = |effect: &str| text.contains(effect);
            match opcode.row().lift {
                Lift::Call if harmless(" EF=1") => {
                    let invariant =
                        |result| Invariant { descr, args: args.to_vec(), result: Arg::Var(result) };
                    self.invariant.extend(op.result.map(invariant));
                }
                Lift::Call
                    if [" EF=0", " EF=3", " EF=4", FORCES_FRAME].iter().any(|effect| harmless(effect)) => {}
                Lift::Call | Lift::Opaque | Lift::Outside => self.forget_what_changes(texts),
                _ => {}
            }
            return;
        };
        let items = word.contains("arrayitem");
        let (index, stored) = match (items, args) {
            (true, &[_, index, ..]) => (Some(index), args.get(2)),
            _ => (None, args.get(1)),
        };
        let Some(&base) = args.first().filter(|_| !word.contains("interior")) else { return };
        self.dereferenced(base);
        let loads = self.fields.entry(descr).or_default();
        if let (true, Some(value)) = (word.starts_with("get"), op.result) {
            loads.push(Load { opcode, descr: Some(descr), base, index, value: Arg::Var(value) });
        } else if let (true, Some(&value)) = (word.starts_with("set"), stored) {
            // Another object may be the same one, and another index the same item.
            loads.clear();
            // A narrow place keeps the low bits of a number, and a log does not say how wide places are.
            let read = format!("{}_r", word.replacen("set", "get", 1));
            if let (Some(Kind::Ref), Some(opcode)) = (kind_of(&value, self.trace), Opcode::from_name(&read)) {
                loads.push(Load { opcode, descr: Some(descr), base, index, value });
            }
        }
    }

    /// Anything may have been written. What is printed as `pure` never changes, or not without a word: whoever reads it
    /// behind a call guards that nothing was invalidated, and the bridge has that guard too.
    fn forget_what_changes(&mut self, texts: &Texts) {
        let unchanging = |descr: &Text, loads: &Vec<Load>| {
            texts.get(*descr).ends_with(" pure>")
                || loads.iter().any(|load| load.opcode.name().contains("_pure_"))
        };
        self.fields.retain(|descr, loads| unchanging(descr, loads));
    }

    /// An object was looked into, so it is one.
    fn dereferenced(&mut self, base: Arg) {
        if let Arg::Var(object) = base {
            self.nonnull[object] = true;
        }
    }

    /// A condition came out one way.
    fn decided(&mut self, condition: Arg, truth: bool) {
        let Arg::Var(condition) = condition else { return };
        let Some(made) = self.made[condition] else { return };
        let compares = matches!(
            name(&made),
            "int_lt"
                | "int_le"
                | "int_gt"
                | "int_ge"
                | "int_eq"
                | "int_ne"
                | "uint_lt"
                | "uint_le"
                | "uint_gt"
                | "uint_ge"
                | "ptr_eq"
                | "ptr_ne"
                | "instance_ptr_eq"
                | "instance_ptr_ne"
        );
        if let (true, Some(opcode), &[x, y]) = (compares, made.opcode, self.trace.args(&made)) {
            self.truths.push(Truth { opcode, operands: [x, y], truth });
        }
        match (name(&made), self.trace.args(&made), truth) {
            ("int_is_true", &[Arg::Var(x)], false) | ("int_is_zero", &[Arg::Var(x)], true) => {
                self.constants[x] = Some(Arg::Int(0));
            }
            ("int_eq", &[Arg::Var(x), y @ Arg::Int(_)], true)
            | ("int_ne", &[Arg::Var(x), y @ Arg::Int(_)], false) => {
                self.constants[x] = Some(y);
            }
            _ => {}
        }
    }

    /// Control did not come past a guard.
    fn failed(&mut self, guard: &OpData) {
        match (name(guard), self.trace.args(guard)) {
            ("guard_true", &[condition]) => self.decided(condition, false),
            ("guard_false", &[condition]) => self.decided(condition, true),
            ("guard_isnull", &[Arg::Var(object)]) => self.nonnull[object] = true,
            _ => {}
        }
    }
}

/// Writes remarks at the beginning of a raw trace.
struct Remarks<'a> {
    raw: &'a mut Trace,
    /// What values of the parent are in the bridge.
    inside: SideTable<Var, Option<Arg>>,
    texts: &'a mut Texts,
    ops: Vec<OpData>,
    next: u32,
}

impl<'a> Remarks<'a> {
    fn new(raw: &'a mut Trace, inside: SideTable<Var, Option<Arg>>, texts: &'a mut Texts) -> Remarks<'a> {
        let numbers = raw.vars.values().map(|var| match var.name {
            Name::Numbered(_, number) => number + 1,
            Name::Other(_) => 0,
        });
        let next = numbers.max().unwrap_or(0);
        Remarks { raw, inside, texts, ops: Vec::new(), next }
    }

    /// How many operations were written.
    fn write(mut self, held: &Held<'_>, handed: &[Var]) -> usize {
        for &var in handed {
            let Some(object) = self.inside[var] else { continue };
            match held.classes[var].and_then(|class| self.arg(class)) {
                Some(class) => self.push("record_exact_class", None, &[object, class], None),
                None if held.nonnull[var] => self.push("assert_not_none", None, &[object], None),
                None => {}
            }
        }
        let mut descrs: Vec<Text> = held.fields.keys().copied().collect();
        // By their names: the numbers of texts depend on the traces before.
        descrs.sort_unstable_by(|x, y| self.texts.get(*x).cmp(self.texts.get(*y)));
        let fields = descrs.iter().flat_map(|descr| &held.fields[descr]);
        fields.chain(&held.lengths).for_each(|load| self.load(load, held));
        for Truth { opcode, operands: [x, y], truth } in &held.truths {
            if let (Some(x), Some(y)) = (self.arg(*x), self.arg(*y)) {
                self.exactly(*opcode, &[x, y], None, Arg::Int(i64::from(*truth)), Kind::Int);
            }
        }
        for call in &held.invariant {
            let args: Option<Vec<Arg>> = call.args.iter().map(|&arg| self.arg(arg)).collect();
            if let (Some(args), Some(result)) = (args, self.arg(call.result)) {
                let args: Vec<Arg> = std::iter::once(result).chain(args).collect();
                self.push("record_known_result", None, &args, call.descr);
            }
        }
        let written = self.ops.len();
        self.raw.ops.splice(..0, self.ops);
        written
    }

    fn load(&mut self, load: &Load, held: &Held<'_>) {
        let kind = match load.opcode.row().result {
            Some(kind @ (Kind::Int | Kind::Ref)) => kind,
            // No remark is about floats.
            _ => return,
        };
        let (Some(base), Some(value)) = (self.arg(load.base), self.value(load.value, held)) else { return };
        let args = match load.index.map(|index| self.arg(index)) {
            None => vec![base],
            Some(Some(index)) => vec![base, index],
            Some(None) => return,
        };
        self.exactly(load.opcode, &args, load.descr, value, kind);
    }

    /// Says what an operation gives.
    fn exactly(&mut self, opcode: Opcode, args: &[Arg], descr: Option<Text>, value: Arg, kind: Kind) {
        let number = Name::Numbered(if kind == Kind::Int { b'i' } else { b'p' }, self.next);
        self.next += 1;
        let result = self.raw.vars.push(VarData { name: number, kind });
        self.push(opcode.name(), Some(result), args, descr);
        let remark = if kind == Kind::Int { "record_exact_value_i" } else { "record_exact_value_r" };
        self.push(remark, None, &[Arg::Var(result), value], None);
    }

    fn push(&mut self, word: &str, result: Option<Var>, args: &[Arg], descr: Option<Text>) {
        let span = self.raw.ops.first().map(|op| op.span).unwrap_or_default();
        self.ops.push(OpData {
            opcode: Opcode::from_name(word),
            name: None,
            result,
            args: self.raw.lists.push(args),
            descr,
            fail: None,
            resume: None,
            offset: None,
            span,
        });
    }

    /// The same, also where it is a constant object: what the parent calls by a name gets one that the bridge does not
    /// have.
    fn value(&mut self, arg: Arg, held: &Held<'_>) -> Option<Arg> {
        let constant = match arg {
            Arg::Var(var) => held.constants[var],
            _ => None,
        };
        match constant.unwrap_or(arg) {
            Arg::Ptr(name) => {
                let name = format!("{FOREIGN}{}", self.texts.get(name));
                Some(Arg::Ptr(self.texts.intern(name)))
            }
            arg => self.arg(arg),
        }
    }

    /// An argument of the parent in the bridge. Constant objects have names that mean something in one trace only, and
    /// floats have lost digits.
    fn arg(&self, arg: Arg) -> Option<Arg> {
        match arg {
            Arg::Var(var) => self.inside[var],
            Arg::Int(_) | Arg::Class(_) | Arg::Null { .. } => Some(arg),
            _ => None,
        }
    }
}
