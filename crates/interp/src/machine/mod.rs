//! Running a function.
//!
//! Frames are a list, so a program may call as deeply as its limit allows. Pure operations are folded by
//! the table's own meaning; `memory` executes what has to do with memory and guards, `calls` what leaves the
//! function downwards, `control` where it goes on. `program` is what a function needs besides itself.

mod calls;
mod control;
mod look_ups;
mod program;

use hashbrown::{HashMap, HashSet};
use planish_base::Id;
use planish_ir::{Block, Const, ExitTarget, Function, Inst, Symbol, Value};
use planish_ops::meaning::Datum;
use planish_ops::world::Descr;
use planish_ops::{Effect, Fold, Int, Machine, Op, Type, fold};
use rustc_hash::FxBuildHasher;

pub use self::program::Program;
pub(crate) use self::program::measures;
use crate::behaviour::{Counts, End, Event, Run};
use crate::cells::CellMemory;
use crate::heap::{Heap, is_symbol};
use crate::scenario::Scenario;
use crate::value::{Fault, Reference, Val};

/// Who answers calls that leave the program.
pub trait Host {
    /// The results of a call, of the types asked for; `None` lets the scenario answer.
    fn call(&mut self, callee: &str, args: &[Val], results: &[Type]) -> Option<Vec<Val>>;
}

/// Lets the scenario answer every call.
pub struct NoHost;

impl Host for NoHost {
    fn call(&mut self, _: &str, _: &[Val], _: &[Type]) -> Option<Vec<Val>> {
        None
    }
}

/// When a run is given up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Operations and terminators that may be executed.
    pub fuel: u64,
    /// Calls that may be open at once.
    pub frames: usize,
    /// Whether an access that cannot be made or a call that raises, and that nothing in the function answers for,
    /// has no meaning, as in a trace; else it leaves the function as an exception, as on the JVM.
    pub wild_accesses: bool,
    /// Guards, by the numbers of their exits, that fail without need when they are executed for the n-th
    /// time, n from 1.
    pub fails_at: [Option<(u32, u64)>; 2],
    /// Which guards may do so.
    pub may_fail: MayFail,
}

/// Guards at which it is right to leave though they would pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MayFail {
    /// Marks that ask nothing and say where guards may leave.
    Marks,
    /// These, and guards on null or on a class from which no bridge goes on: whoever resumes there asks again.
    #[default]
    AskedAgain,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            fuel: 1_000_000,
            frames: 1000,
            wild_accesses: false,
            fails_at: [None; 2],
            may_fail: MayFail::default(),
        }
    }
}

/// Runs a function on arguments of its parameters' types, the scenario answering all calls.
pub fn run(
    program: &Program<'_>,
    function: &Function,
    args: &[Val],
    scenario: &Scenario,
    limits: Limits,
) -> Run {
    run_with(program, function, args, scenario, limits, &mut NoHost)
}

/// Runs a function with a host. Panics when the arguments are not of the parameters' types.
pub fn run_with(
    program: &Program<'_>,
    function: &Function,
    args: &[Val],
    scenario: &Scenario,
    limits: Limits,
    host: &mut dyn Host,
) -> Run {
    let types = function.params().iter().map(|&param| Some(function.ty(param)));
    let given = args.iter().map(|arg| arg.ty());
    assert!(types.eq(given), "the arguments of `{}` are of its parameters' types", function.name);
    let mut runner = Runner {
        program,
        scenario,
        host,
        heap: Heap::new(),
        cells: CellMemory::default(),
        frames: Vec::new(),
        fuel: limits.fuel,
        max_frames: limits.frames,
        wild_accesses: limits.wild_accesses,
        fails_at: limits.fails_at,
        may_fail: limits.may_fail,
        counts: Counts::default(),
        events: Vec::new(),
        went_over: Vec::new(),
        left_by: None,
        names: HashMap::default(),
        referred: None,
        initialised: HashSet::default(),
        forced: false,
        invalidated: false,
        symbols: HashMap::default(),
        addresses: HashMap::default(),
        promised: Vec::new(),
        given: HashMap::default(),
        look_ups: LookedUp::default(),
        scratch: Vec::new(),
    };
    for unicode in [false, true] {
        runner.heap.key(program.world, program.world.characters(unicode));
    }
    for (_, name) in &scenario.named {
        let symbol = program.symbols.and_then(|symbols| symbols.lookup_str(name));
        symbol.map(|symbol| runner.constant(Const::Symbol(symbol, Type::Ref)));
    }
    for arg in args {
        if let Val::Ref(Reference::Outside(object)) = *arg
            && is_symbol(object)
            && let Some(function) = runner.referred(object)
        {
            runner.names.insert(object, function.name.clone());
        }
    }
    runner.enter(function, function.entry(), args);
    let end = loop {
        if let Err(end) = runner.step() {
            break end;
        }
    };
    let written = runner.heap.take_written();
    Run {
        events: runner.events,
        went_over: runner.went_over,
        left_by: runner.left_by,
        end,
        written,
        counts: runner.counts,
        fresh: runner.heap.fresh,
        texts: runner.heap.texts,
        fields: runner.heap.fields,
        names: runner.names,
        open_rows: runner.cells.open(),
    }
}

/// One open call.
pub(crate) struct Frame<'a> {
    pub(crate) f: &'a Function,
    block: Block,
    position: usize,
    values: Vec<Val>,
    /// Whether exceptions of calls wait for guards.
    pends: bool,
    pub(crate) pending: Option<Reference>,
    /// Whether the function asks for types.
    pub(crate) typed: bool,
    /// Whether lengths of arrays are asked for.
    pub(crate) measures: bool,
}

/// `Err` ends the run.
pub(crate) type Step<T = ()> = Result<T, End>;

/// What an operation does: it yields, or it leaves.
pub(crate) enum Outcome {
    /// Its results.
    Yield(Results),
    /// It leaves with what is thrown.
    Leave(Reference),
    /// It went into a function of the program.
    Entered,
}

/// The results of an operation.
pub(crate) enum Results {
    None,
    One(Val),
    Two(Val, Val),
    Many(Vec<Val>),
}

/// What look-ups for reading gave since anything was written that they mind, with the callee, by what tells apart the
/// function, the dictionary and the key.
type LookedUp = HashMap<[u64; 3], (Descr, Val), FxBuildHasher>;

/// A run under way.
pub(crate) struct Runner<'a, 'h> {
    pub(crate) program: &'h Program<'a>,
    pub(crate) scenario: &'h Scenario,
    host: &'h mut dyn Host,
    pub(crate) heap: Heap,
    cells: CellMemory,
    frames: Vec<Frame<'h>>,
    pub(crate) fuel: u64,
    max_frames: usize,
    pub(crate) wild_accesses: bool,
    fails_at: [Option<(u32, u64)>; 2],
    may_fail: MayFail,
    pub(crate) counts: Counts,
    events: Vec<Event>,
    /// The exits at which a bridge took over.
    went_over: Vec<u32>,
    /// The last operation that left.
    left_by: Option<Op>,
    names: HashMap<u64, String, FxBuildHasher>,
    /// The functions of the program by the objects that references to them are, once one is asked for.
    referred: Option<HashMap<u64, &'h Function, FxBuildHasher>>,
    initialised: HashSet<u64, FxBuildHasher>,
    pub(crate) forced: bool,
    pub(crate) invalidated: bool,
    /// The symbols that are constants of the functions, by object and by address.
    pub(crate) symbols: HashMap<u64, Symbol, FxBuildHasher>,
    pub(crate) addresses: HashMap<u64, Symbol, FxBuildHasher>,
    /// Results of calls that remarks promised, with the operands.
    pub(crate) promised: Vec<(Vec<Val>, Val)>,
    /// What calls that only compute gave if they did not raise, by what tells their operands apart.
    pub(crate) given: HashMap<Vec<u64>, Option<Val>, FxBuildHasher>,
    /// Look-ups in dictionaries.
    look_ups: LookedUp,
    scratch: Vec<Val>,
}

impl<'a, 'h> Runner<'a, 'h> {
    /// Goes into a function at a block.
    fn enter(&mut self, f: &'h Function, block: Block, args: &[Val]) {
        let mut values = vec![Val::Undefined; f.value_count()];
        for (index, slot) in values.iter_mut().enumerate() {
            if let Some(constant) = f.constant(Value::from_index(index)) {
                *slot = self.constant(constant);
            }
        }
        for (&param, &arg) in f.block_params(block).iter().zip(args) {
            values[param.index()] = arg;
        }
        let pends =
            f.live_insts().any(|(_, i)| matches!(f.inst(i).op, Op::GuardNoException | Op::GuardException));
        let typed = self.program.asks_for_types(f);
        let measures = self.scenario.measured || measures(f);
        let (position, pending) = (0, None);
        self.frames.push(Frame { f, block, position, values, pends, pending, typed, measures });
    }

    pub(crate) fn constant(&mut self, constant: Const) -> Val {
        match constant {
            Const::Int(int) => Val::Int(int),
            Const::Real(number) => Val::Real(number.0),
            Const::Null => Val::Ref(Reference::Null),
            Const::Hole => Val::State,
            Const::Symbol(symbol, ty) => {
                let (object, name) = self.program.symbol(symbol);
                self.names.entry(object).or_insert(name);
                self.symbols.insert(object, symbol);
                let number = symbol.index() as u32;
                if let Some(text) = self.program.text(number) {
                    self.heap.texts.entry(object).or_insert_with(|| text.clone());
                }
                if let Some(length) = self.program.world.length_of(number) {
                    self.heap.lengths.insert(object, length);
                }
                if let Some(class) = self.program.world.class_of(number) {
                    let (class, _) = self.program.symbol(Symbol::from_index(class as usize));
                    let address = self.heap.address(Reference::Outside(class));
                    self.heap.classes_of.insert(object, address);
                }
                let object = Reference::Outside(object);
                match ty.int_width() {
                    Some(width) => {
                        let address = self.heap.address(object);
                        self.addresses.insert(address, symbol);
                        Val::Int(Int::new(width, address))
                    }
                    None => Val::Ref(object),
                }
            }
        }
    }

    #[inline]
    pub(crate) fn frame(&self) -> &Frame<'h> {
        self.frames.last().expect("a run has a frame until it ends")
    }

    #[inline]
    pub(crate) fn frame_mut(&mut self) -> &mut Frame<'h> {
        self.frames.last_mut().expect("a run has a frame until it ends")
    }

    #[inline]
    pub(crate) fn get(&self, value: Value) -> Val {
        self.frame().values[value.index()]
    }

    fn gather(&self, values: &[Value]) -> Vec<Val> {
        values.iter().map(|&value| self.get(value)).collect()
    }

    /// Pays for so many steps: one an instruction, one a character that is copied.
    pub(crate) fn burn(&mut self, steps: u64) -> Step {
        self.fuel = self.fuel.checked_sub(steps).ok_or(End::OutOfFuel)?;
        Ok(())
    }

    /// Executes one instruction or terminator.
    fn step(&mut self) -> Step {
        self.burn(1)?;
        let frame = self.frame();
        let f = frame.f;
        let Some(&inst) = f.block_insts(frame.block).get(frame.position) else {
            return self.terminator(f.terminator(frame.block));
        };
        self.counts.add(f.inst(inst).op);
        if f.row(inst).effect == Effect::Guard
            && let Some(exit) = f.inst(inst).exit
            && self.has_to_fail(f, inst, &f.exit(exit).target)
        {
            return self.leave(Some(exit), Reference::Thrown(Fault::Guard));
        }
        match self.execute(f, inst)? {
            Outcome::Yield(results) => {
                self.assign(f, inst, results);
                self.frame_mut().position += 1;
                Ok(())
            }
            Outcome::Leave(thrown) => {
                self.left_by = Some(f.inst(inst).op);
                self.leave(f.inst(inst).exit, thrown)
            }
            Outcome::Entered => Ok(()),
        }
    }

    /// Whether a guard that leaves somewhere has to fail now, whatever it asks.
    fn has_to_fail(&mut self, f: &Function, inst: Inst, target: &ExitTarget) -> bool {
        let ExitTarget::Leave(exit) = target else { return false };
        if self.fails_at[0].is_none() || !self.may_fail(f, inst, *exit) {
            return false;
        }
        let mut fails = false;
        for (number, times) in self.fails_at.iter_mut().flatten() {
            if number == exit && *times > 0 {
                *times -= 1;
                fails |= *times == 0;
            }
        }
        fails
    }

    /// Whether it is right to leave at a guard though it would pass.
    fn may_fail(&self, f: &Function, inst: Inst, exit: u32) -> bool {
        let data = f.inst(inst);
        match data.op {
            Op::GuardOther => data.descr.is_some_and(|descr| self.program.world.only_marks(descr)),
            Op::GuardNonnull | Op::GuardClass | Op::GuardNonnullClass => {
                self.may_fail == MayFail::AskedAgain && !self.program.has_bridge(exit)
            }
            _ => false,
        }
    }

    fn assign(&mut self, f: &Function, inst: Inst, results: Results) {
        let mut slots = f.results(inst).map(Id::index);
        let extension = self.result_extension(f, inst);
        let values = &mut self.frame_mut().values;
        let mut set = |value| {
            if let Some(slot) = slots.next() {
                values[slot] = match (value, extension) {
                    (Val::Int(word), Some(extension)) => Val::Int(extension.apply(word)),
                    _ => value,
                };
            }
        };
        match results {
            Results::None => {}
            Results::One(value) => set(value),
            Results::Two(first, second) => {
                set(first);
                set(second);
            }
            Results::Many(list) => list.into_iter().for_each(set),
        }
    }

    fn execute(&mut self, f: &'h Function, inst: Inst) -> Step<Outcome> {
        let op = f.inst(inst).op;
        let args = f.args(inst);
        match op {
            Op::Call => self.call(f, inst),
            Op::CallRef => self.call_reference(f, inst),
            Op::Select => Ok(Outcome::Yield(Results::One(match self.get(args[0]) {
                Val::Int(int) => self.get(args[if int.is_true() { 1 } else { 2 }]),
                _ => Val::Undefined,
            }))),
            _ => match self.pure(f, inst, op, args) {
                Some(outcome) => Ok(outcome),
                None => self.memory(f, inst),
            },
        }
    }

    /// An operation whose meaning the table holds.
    fn pure(&mut self, f: &Function, inst: Inst, op: Op, args: &[Value]) -> Option<Outcome> {
        let mut data = [Datum::Word(Int::bit(false)); 4];
        let mut undefined = false;
        for (slot, &arg) in data.iter_mut().zip(args) {
            match self.get(arg) {
                Val::Int(int) => *slot = Datum::<Machine>::Word(int),
                Val::Real(real) => *slot = Datum::Float(real),
                Val::Ref(_) | Val::State | Val::Vector(_) => return None,
                Val::Undefined => undefined = true,
            }
        }
        let row = op.row();
        let mut types = [Type::State; 2];
        for (slot, result) in types.iter_mut().zip(f.results(inst)) {
            *slot = f.ty(result);
        }
        if undefined {
            let ours = row.effect == Effect::Pure && args.len() <= 4 && !row.variadic;
            // A division by something undefined may leave or not: `memory` says what becomes of it.
            return (ours && row.exits == planish_ops::Exits::Never)
                .then_some(Outcome::Yield(Results::Two(Val::Undefined, Val::Undefined)));
        }
        if args.len() > data.len() {
            return None;
        }
        let result = fold(op, &data[..args.len()], &types[..f.results(inst).len().min(2)])?;
        Some(Outcome::Yield(match result {
            Fold::Int(int) => Results::One(Val::Int(int)),
            Fold::Real(real) => Results::One(Val::Real(real)),
            Fold::Pair(int, flag) => Results::Two(Val::Int(int), Val::Int(flag)),
            Fold::Undefined if row.exits == planish_ops::Exits::Never => Results::One(Val::Undefined),
            Fold::Undefined => return Some(Outcome::Leave(Reference::Thrown(Fault::Division))),
        }))
    }

    /// Whether the initialisation of a class has not run yet; it has from now on.
    pub(crate) fn first_initialisation(&mut self, class: u64) -> bool {
        self.initialised.insert(class)
    }
}
