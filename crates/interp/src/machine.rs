//! Running a function.
//!
//! Frames are a list, so a program may call as deeply as its limit allows. Pure operations are folded by
//! the table's own meaning; memory and the outside are in `memory`; here are control, calls and exits.
//!
//! An operation that leaves goes to its exit: `Leave` ends the run, a handler goes on in its block, and
//! `Unwind`, like no exit at all, throws out of the function to the exit of the call that entered it. A
//! fault that nobody catches is a trap. In a function that has `guard_no_exception` or `guard_exception`
//! a call without an exit does not unwind: the exception stays pending for those guards.

use hashbrown::{HashMap, HashSet};
use planish_base::{Id, Interner};
use planish_ir::{
    Block, BlockCall, Const, Exit, ExitTarget, Function, Inst, Module, Symbol, Terminator, Value,
};
use planish_ops::meaning::Datum;
use planish_ops::world::{CallEffect, Characters, Made, World};
use planish_ops::{Effect, Fold, Int, Machine, Op, Type, fold};
use rustc_hash::FxBuildHasher;

use crate::behaviour::{Counts, End, Event, Run};
use crate::cells::CellMemory;
use crate::heap::{Heap, symbol_object};
use crate::scenario::{Scenario, mix, name_key};
use crate::value::{Fault, Reference, Val};

/// What a function needs besides itself: descriptors, names of symbols, other functions.
pub struct Program<'a> {
    pub(crate) world: &'a dyn World,
    symbols: Option<&'a Interner<Symbol, String>>,
    functions: HashMap<&'a str, &'a Function, FxBuildHasher>,
    /// Strings that the world does not know yet, and the number of the first's symbol.
    texts: (u32, &'a [Characters]),
}

impl<'a> Program<'a> {
    /// The functions of a module.
    pub fn of(module: &'a Module) -> Self {
        let functions = module.functions.values().map(|f| (f.name.as_str(), f)).collect();
        Program { world: &module.descriptors, symbols: Some(&module.symbols), functions, texts: (0, &[]) }
    }

    /// No other functions, and symbols without names.
    pub fn bare(world: &'a dyn World) -> Self {
        Program { world, symbols: None, functions: HashMap::default(), texts: (0, &[]) }
    }

    /// Lets calls of a name go to another function.
    pub fn define(&mut self, name: &'a str, function: &'a Function) {
        self.functions.insert(name, function);
    }

    /// Says what strings the symbols from a number on are, of which the world does not know yet.
    pub fn define_texts(&mut self, first: u32, texts: &'a [Characters]) {
        self.texts = (first, texts);
    }

    /// The string that a symbol is.
    fn text(&self, symbol: u32) -> Option<&Characters> {
        let (first, new) = self.texts;
        let new = symbol.checked_sub(first).and_then(|position| new.get(position as usize));
        new.or_else(|| self.world.text(symbol))
    }

    /// The outside object that a symbol names.
    pub(crate) fn symbol(&self, symbol: Symbol) -> (u64, String) {
        let name = self.symbols.map_or_else(|| symbol.to_string(), |names| names.get(symbol).clone());
        (symbol_object(&name), name)
    }

    /// What a world should have in which a function is run: classes, arrays and objects that it knows of.
    pub fn world_of(&self, function: &Function) -> Scenario {
        Scenario {
            seed: 0,
            classes: self.classes(function),
            layouts: self.layouts(function),
            named: self.named(function),
        }
    }

    /// Addresses of classes that the guards of a function name: worth giving to outside objects.
    pub fn classes(&self, function: &Function) -> Vec<u64> {
        let mut classes = Vec::new();
        for (_, inst) in function.live_insts() {
            let class = match function.inst(inst).op {
                Op::GuardClass | Op::GuardNonnullClass => function.args(inst)[1],
                Op::GuardException => function.args(inst)[0],
                _ => continue,
            };
            let address = match function.constant(class) {
                Some(Const::Int(int)) => int.unsigned(),
                Some(Const::Symbol(symbol, _)) => self.symbol(symbol).0 & ((1 << 60) - 1),
                _ => continue,
            };
            if !classes.contains(&address) && classes.len() < 16 {
                classes.push(address);
            }
        }
        for symbol in self.classes_asked_for(function) {
            let address = self.symbol(symbol).0 & ((1 << 60) - 1);
            if !classes.contains(&address) && classes.len() < 16 {
                classes.push(address);
            }
        }
        classes
    }

    /// Objects that a function names and of which the world knows something: worth being given to it.
    pub fn named(&self, function: &Function) -> Vec<(u64, String)> {
        let mut named = Vec::new();
        for value in (0..function.value_count()).map(Value::from_index) {
            let Some(Const::Symbol(symbol, Type::Ref)) = function.constant(value) else { continue };
            let number = symbol.index() as u32;
            if self.world.class_of(number).is_some() || self.world.length_of(number).is_some() {
                named.push(self.symbol(symbol));
            }
        }
        named
    }
}

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
    /// A guard, by the number of its exit, that fails without need when it is executed for the n-th
    /// time, n from 1.
    pub fails_at: Option<(u32, u64)>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { fuel: 1_000_000, frames: 1000, wild_accesses: false, fails_at: None }
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
        counts: Counts::default(),
        events: Vec::new(),
        names: HashMap::default(),
        initialised: HashSet::default(),
        forced: false,
        invalidated: false,
        symbols: HashMap::default(),
        addresses: HashMap::default(),
        promised: Vec::new(),
        scratch: Vec::new(),
    };
    for unicode in [false, true] {
        runner.heap.key(program.world, program.world.characters(unicode));
    }
    for (_, name) in &scenario.named {
        let symbol = program.symbols.and_then(|symbols| symbols.lookup_str(name));
        symbol.map(|symbol| runner.constant(Const::Symbol(symbol, Type::Ref)));
    }
    runner.enter(function, args);
    let end = loop {
        if let Err(end) = runner.step() {
            break end;
        }
    };
    let written = runner.heap.take_written();
    Run {
        events: runner.events,
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
    /// Whether the function asks for lengths of arrays.
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
    fails_at: Option<(u32, u64)>,
    counts: Counts,
    events: Vec<Event>,
    names: HashMap<u64, String, FxBuildHasher>,
    initialised: HashSet<u64, FxBuildHasher>,
    pub(crate) forced: bool,
    pub(crate) invalidated: bool,
    /// The symbols that are constants of the functions, by object and by address.
    pub(crate) symbols: HashMap<u64, Symbol, FxBuildHasher>,
    pub(crate) addresses: HashMap<u64, Symbol, FxBuildHasher>,
    /// Results of calls that remarks promised, with the operands.
    pub(crate) promised: Vec<(Vec<Val>, Val)>,
    scratch: Vec<Val>,
}

impl<'a, 'h> Runner<'a, 'h> {
    fn enter(&mut self, f: &'h Function, args: &[Val]) {
        let mut values = vec![Val::Undefined; f.value_count()];
        for (index, slot) in values.iter_mut().enumerate() {
            if let Some(constant) = f.constant(Value::from_index(index)) {
                *slot = self.constant(constant);
            }
        }
        for (&param, &arg) in f.params().iter().zip(args) {
            values[param.index()] = arg;
        }
        let pends =
            f.live_insts().any(|(_, i)| matches!(f.inst(i).op, Op::GuardNoException | Op::GuardException));
        let typed = self.program.asks_for_types(f);
        let measures = f.live_insts().any(|(_, i)| f.inst(i).op == Op::ArrayLen);
        let (block, position, pending) = (f.entry(), 0, None);
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
        if let Some((number, times)) = &mut self.fails_at
            && f.row(inst).effect == Effect::Guard
            && let Some(exit) = f.inst(inst).exit
            && f.exit(exit).target == ExitTarget::Leave(*number)
        {
            *times -= 1;
            if *times == 0 {
                return self.leave(Some(exit), Reference::Thrown(Fault::Guard));
            }
        }
        match self.execute(f, inst)? {
            Outcome::Yield(results) => {
                self.assign(f, inst, results);
                self.frame_mut().position += 1;
                Ok(())
            }
            Outcome::Leave(thrown) => self.leave(f.inst(inst).exit, thrown),
            Outcome::Entered => Ok(()),
        }
    }

    fn assign(&mut self, f: &Function, inst: Inst, results: Results) {
        let mut slots = f.results(inst).map(Id::index);
        let values = &mut self.frame_mut().values;
        let mut set = |value| {
            if let Some(slot) = slots.next() {
                values[slot] = value;
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
                Val::Ref(_) | Val::State => return None,
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

    fn terminator(&mut self, terminator: &'h Terminator) -> Step {
        match terminator {
            Terminator::Jump(call) => {
                self.was_looked_at()?;
                self.counts.jumps += 1;
                self.go(*call);
                Ok(())
            }
            Terminator::Branch { condition, then, other } => {
                self.counts.branches += 1;
                let Val::Int(int) = self.get(*condition) else {
                    return Err(End::Undefined("a branch on an undefined value"));
                };
                self.go(if int.is_true() { *then } else { *other });
                Ok(())
            }
            Terminator::Switch { on, cases, default } => {
                self.counts.branches += 1;
                let Val::Int(int) = self.get(*on) else {
                    return Err(End::Undefined("a switch on an undefined value"));
                };
                let case = cases.iter().find(|(key, _)| *key == int);
                self.go(case.map_or(*default, |(_, call)| *call));
                Ok(())
            }
            Terminator::Return(results) => {
                self.was_looked_at()?;
                let f = self.frame().f;
                let results = self.gather(f.list(*results));
                self.frames.pop();
                if self.frames.is_empty() {
                    for &result in &results {
                        self.heap.escape(result);
                    }
                    return Err(End::Return(results));
                }
                let caller = self.frame();
                let (f, inst) = (caller.f, caller.f.block_insts(caller.block)[caller.position]);
                self.assign(f, inst, Results::Many(results));
                self.frame_mut().position += 1;
                Ok(())
            }
            Terminator::Throw(value, exit) => {
                let Val::Ref(thrown) = self.get(*value) else {
                    return Err(End::Undefined("an undefined value is thrown"));
                };
                match thrown {
                    Reference::Null => self.leave(*exit, Reference::Thrown(Fault::Null)),
                    _ => self.leave(*exit, thrown),
                }
            }
            Terminator::Unreachable => Err(End::Undefined("unreachable code is reached")),
        }
    }

    fn go(&mut self, call: BlockCall) {
        let f = self.frame().f;
        self.go_with(f, call.block, None, f.list(call.args));
    }

    /// Goes to a block; its parameters take their values at once.
    fn go_with(&mut self, f: &Function, block: Block, first: Option<Val>, args: &[Value]) {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        scratch.extend(first);
        scratch.extend(args.iter().map(|&arg| self.get(arg)));
        let frame = self.frame_mut();
        for (&param, &value) in f.block_params(block).iter().zip(&scratch) {
            frame.values[param.index()] = value;
        }
        (frame.block, frame.position) = (block, 0);
        self.scratch = scratch;
    }

    /// Leaves through an exit of the last frame, and through those of its callers where it unwinds.
    fn leave(&mut self, exit: Option<Exit>, thrown: Reference) -> Step {
        let (mut exit, mut kept) = (exit, Vec::new());
        loop {
            let f = self.frame().f;
            if let Some(exit) = exit {
                let args = f.exit_args(exit);
                match &f.exit(exit).target {
                    ExitTarget::Leave(number) => {
                        self.was_looked_at()?;
                        let mut args = self.gather(args);
                        if let Some(recipe) = f.recipe(exit) {
                            args = self.rebuild(recipe, args)?;
                        }
                        for &arg in &args {
                            self.heap.escape(arg);
                        }
                        return Err(End::Leave(*number, args));
                    }
                    ExitTarget::Unwind => kept = self.gather(args),
                    ExitTarget::To(handlers) => {
                        for handler in handlers {
                            let takes = match handler.class {
                                None => true,
                                Some(class) => {
                                    let key = self.heap.key(self.program.world, Some(class));
                                    self.is_instance(thrown, key)
                                }
                            };
                            if takes {
                                self.go_with(f, handler.block, Some(Val::Ref(thrown)), args);
                                return Ok(());
                            }
                        }
                    }
                }
            }
            self.frames.pop();
            let Some(caller) = self.frames.last() else {
                self.heap.escape(Val::Ref(thrown));
                return Err(match thrown {
                    Reference::Thrown(Fault::Null | Fault::Bounds | Fault::NegativeLength)
                        if self.wild_accesses && exit.is_none() =>
                    {
                        End::Undefined("an access that cannot be made")
                    }
                    // A trace goes on behind a call that raised, until a guard looks.
                    Reference::Outside(_) if self.wild_accesses && exit.is_none() => {
                        End::Undefined("an exception that no guard looks at")
                    }
                    Reference::Thrown(fault) if kept.is_empty() => End::Trap(fault),
                    _ => End::Throw(thrown, kept),
                });
            };
            exit = caller.f.inst(caller.f.block_insts(caller.block)[caller.position]).exit;
            kept.clear();
        }
    }

    /// Whether an object, not null, is of the class of a key or one below it.
    pub(crate) fn is_instance(&self, object: Reference, class: u64) -> bool {
        let own = match object {
            Reference::Null => return false,
            Reference::Outside(n) => mix(1, n),
            Reference::Fresh(n) => self.heap.fresh[n as usize].class,
            Reference::Thrown(fault) => name_key(fault.name()),
        };
        own == class || self.scenario.ask(&[name_key("instance"), own, class]).is_multiple_of(2)
    }

    /// A trace goes on behind a call that raised until a guard looks, and means nothing if none does.
    fn was_looked_at(&self) -> Step {
        match self.frame().pending {
            Some(_) if self.wild_accesses => Err(End::Undefined("an exception that no guard looks at")),
            _ => Ok(()),
        }
    }

    fn call(&mut self, f: &'h Function, inst: Inst) -> Step<Outcome> {
        self.was_looked_at()?;
        let mut args = self.gather(f.args(inst));
        let mut descr = f.inst(inst).descr;
        let conditional = descr.and_then(|descr| self.program.world.unconditional(descr));
        if let Some(call) = conditional {
            let made = descr.map_or(Made::Always, |descr| self.program.world.call_effect(descr).made);
            if let Some(results) = Self::not_made(made, &args)? {
                self.frame_mut().pending = None;
                return Ok(Outcome::Yield(results));
            }
            args.remove(0);
            descr = Some(call);
        }
        let name = descr.map_or("?", |descr| self.program.world.name(descr));
        if let Some(&callee) = self.program.functions.get(name) {
            if self.frames.len() >= self.max_frames {
                return Err(End::OutOfFuel);
            }
            self.enter(callee, &args);
            return Ok(Outcome::Entered);
        }
        let types: Vec<Type> = f.results(inst).map(|result| f.ty(result)).collect();
        if let Some(what) = descr.and_then(|descr| self.program.world.cells(descr)) {
            self.frame_mut().pending = None;
            let answer = self.cells.call(what, &args, types.first().copied()).map_err(End::Undefined)?;
            return Ok(Outcome::Yield(answer.map_or(Results::None, Results::One)));
        }
        let effect = match descr {
            Some(descr) => self.program.world.call_effect(descr).clone(),
            None => CallEffect::unknown(),
        };
        if let Some(results) = Self::not_made(effect.made, &args)? {
            self.frame_mut().pending = None;
            return Ok(Outcome::Yield(results));
        }
        if let Some(results) = self.raw_call(f, inst, &args)? {
            self.frame_mut().pending = None;
            return Ok(Outcome::Yield(results));
        }
        if let Some(results) = self.meant_call(f, inst, descr, &args)? {
            self.frame_mut().pending = None;
            return Ok(Outcome::Yield(results));
        }
        let elidable = effect.elidable || descr.is_some_and(|descr| self.program.world.made_once(descr));
        if (elidable || effect.loop_invariant)
            && let Some(result) = self.known_result(&args, &types)
        {
            self.frame_mut().pending = None;
            return Ok(Outcome::Yield(Results::One(result)));
        }
        let effect = CallEffect { elidable, ..effect };
        let results = match self.outside(name, effect, &args, &types)? {
            Ok(results) => results,
            Err(thrown) => {
                let pends = self.frame().pends;
                if f.inst(inst).exit.is_some() || !pends {
                    self.frame_mut().pending = None;
                    return Ok(Outcome::Leave(thrown));
                }
                self.frame_mut().pending = Some(thrown);
                let zeros = types.iter().map(|&ty| Val::zero(ty)).collect();
                return Ok(Outcome::Yield(Results::Many(zeros)));
            }
        };
        self.frame_mut().pending = None;
        Ok(Outcome::Yield(Results::Many(results)))
    }

    /// A call of a function that is not of the program: its results, or what it throws.
    pub(crate) fn outside(
        &mut self,
        name: &str,
        effect: CallEffect,
        args: &[Val],
        types: &[Type],
    ) -> Step<Result<Vec<Val>, Reference>> {
        let mut question = vec![name_key("call"), name_key(name)];
        if effect.loop_invariant {
            question.push(1);
        } else if effect.elidable {
            if args.contains(&Val::Undefined) && effect.raises {
                return Err(End::Undefined("whether a call raises depends on an undefined value"));
            }
            if args.contains(&Val::Undefined) {
                return Ok(Ok(vec![Val::Undefined; types.len()]));
            }
            question.extend(args.iter().map(|&arg| self.question(arg)));
        } else {
            self.event(name.to_owned(), args.to_vec(), effect.reads, effect.writes);
            let now = self.heap.events();
            question.extend([2, now]);
            let chance =
                |what: &str, one_in: u64| self.scenario.ask(&[name_key(what), now]).is_multiple_of(one_in);
            let forced = effect.forces_virtuals && chance("forced", 16);
            let invalidated = effect.invalidates && chance("invalidated", 16);
            self.forced = forced;
            self.invalidated |= invalidated;
        }
        let answer = self.host.call(name, args, types);
        let throws = effect.raises && answer.is_none() && self.scenario.ask(&question).is_multiple_of(8);
        if throws {
            question.push(3);
            return Ok(Err(Reference::Outside((1 << 50) | (self.scenario.ask(&question) % 4))));
        }
        Ok(Ok(answer.unwrap_or_else(|| {
            let result = |(&ty, i): (&Type, u64)| {
                question.push(4 + i);
                let value = self.scenario.value(&question, ty);
                question.pop();
                value
            };
            types.iter().zip(0..).map(result).collect()
        })))
    }

    /// What a call yields that is not made because of its first argument.
    fn not_made(made: Made, args: &[Val]) -> Step<Option<Results>> {
        let Some(&first) = args.first().filter(|_| made != Made::Always) else { return Ok(None) };
        let zero = match first {
            Val::Int(int) => !int.is_true(),
            Val::Ref(reference) => reference == Reference::Null,
            Val::Real(_) | Val::State => return Ok(None),
            Val::Undefined => {
                return Err(End::Undefined("whether a call is made depends on an undefined value"));
            }
        };
        Ok(match made {
            Made::UnlessZero if zero => Some(Results::None),
            Made::IfZero if !zero => Some(Results::One(first)),
            _ => None,
        })
    }

    /// Something that the outside notices.
    pub(crate) fn event(
        &mut self,
        what: String,
        args: Vec<Val>,
        reads: Option<Vec<u32>>,
        writes: Option<Vec<u32>>,
    ) {
        for &arg in &args {
            self.heap.escape(arg);
        }
        let written = self.heap.event(writes.clone());
        self.events.push(Event { what, args, written, reads, writes });
    }

    /// Whether the initialisation of a class has not run yet; it has from now on.
    pub(crate) fn first_initialisation(&mut self, class: u64) -> bool {
        self.initialised.insert(class)
    }
}
