//! The code of one function: its blocks, how they end, and how control leaves.
//!
//! A block is a block and a parameter a parameter. Every function returns how it ended and its first result. An
//! operation that may leave compares and branches; where it goes is known when the code is made, for it is known what
//! it throws. What a call threw goes through the exit of the call in the same way.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    Block as Label, BlockArg, FuncRef, InstBuilder, MemFlagsData, Value as Register, types,
};
use cranelift_frontend::{FunctionBuilder, Switch};
use cranelift_module::Module as _;
use hashbrown::HashMap;
use planish_base::{Id, SideTable};
use planish_interp::value::Fault;
use planish_ir::{
    Block, BlockCall, Cfg, Const, Exit, ExitTarget, Function, Handler, Location, Terminator, Value,
};
use planish_ops::world::World;
use planish_ops::{Bits, Floats, Lane, Op, Type};
use rustc_hash::FxBuildHasher;

use crate::code::{Site, place, status};
use crate::refused::Refused;
use crate::unit::{Unit, machine_type};
use crate::words::{Emit, Number, Word};

/// What holds a value.
#[derive(Clone, Copy)]
pub(crate) enum Held {
    Word(Word),
    Number(Number),
    /// A reference: null is 0, and what an operation throws is the number of the fault.
    Reference(Register),
    /// A vector of such lanes.
    Vector(Register, Lane),
}

impl Held {
    /// The register.
    pub fn register(self) -> Register {
        match self {
            Held::Word(word) => word.value,
            Held::Number(number) => number.value,
            Held::Reference(register) | Held::Vector(register, _) => register,
        }
    }
}

/// What is thrown.
#[derive(Clone, Copy)]
pub(crate) enum Thrown {
    /// A fault that is known.
    Fault(Fault),
    /// Whatever a register says.
    Any(Register),
}

/// Writes the code of a function.
pub(crate) struct Writer<'u, 'm, 'f> {
    pub unit: &'u mut Unit<'m>,
    pub f: &'m Function,
    pub emit: Emit<'f>,
    /// The context.
    pub context: Register,
    held: Vec<Option<Held>>,
    labels: SideTable<Block, Option<Label>>,
    callees: HashMap<cranelift_module::FuncId, FuncRef, FxBuildHasher>,
    /// Where the operation that is being written stands.
    pub location: Location,
}

impl<'u, 'm, 'f> Writer<'u, 'm, 'f> {
    pub fn new(unit: &'u mut Unit<'m>, f: &'m Function, mut code: FunctionBuilder<'f>) -> Self {
        let entry = code.create_block();
        code.append_block_params_for_function_params(entry);
        code.switch_to_block(entry);
        let context = code.block_params(entry)[0];
        let remainders = unit.helpers.remainders.map(|id| unit.jit.declare_func_in_func(id, code.func));
        let emit = Emit { code, remainders, nonzero: None };
        let (held, labels) = (vec![None; f.value_count()], SideTable::new());
        let location = Location::default();
        Writer { unit, f, emit, context, held, labels, callees: HashMap::default(), location }
    }

    pub fn write(mut self) -> Result<(), Refused> {
        let cfg = Cfg::new(self.f);
        for &block in cfg.order() {
            self.label(block)?;
        }
        self.enter()?;
        for (&block, number) in cfg.order().iter().zip(0..) {
            let label = self.labels[block].expect("every block that can be reached has a label");
            self.emit.code.switch_to_block(label);
            if cfg.preds().of(number).iter().any(|&from| from >= number) {
                self.burn();
            }
            for &inst in self.f.block_insts(block) {
                self.location = self.f.inst(inst).location;
                self.operation(inst)?;
            }
            self.terminator(self.f.terminator(block))?;
        }
        self.emit.code.seal_all_blocks();
        self.emit.code.finalize(self.unit.jit.target_config());
        Ok(())
    }

    pub fn refuse<T>(&self, why: impl Into<String>) -> Result<T, Refused> {
        Err(Refused { function: self.f.name.clone(), location: self.location, why: why.into() })
    }

    /// Makes the label of a block, with its parameters.
    fn label(&mut self, block: Block) -> Result<(), Refused> {
        let label = self.emit.code.create_block();
        for &param in self.f.block_params(block) {
            let ty = self.f.ty(param);
            let Some(machine) = machine_type(ty) else {
                return self.refuse(format!("it has a value of type {ty}"));
            };
            let register = self.emit.code.append_block_param(label, machine);
            self.set(param, held(register, ty));
        }
        self.labels[block] = Some(label);
        Ok(())
    }

    /// What happens before the first block: a call needs room on the stack, and fuel.
    fn enter(&mut self) -> Result<(), Refused> {
        let entry = self.emit.code.current_block().expect("the first block");
        let args: Vec<BlockArg> =
            self.emit.code.block_params(entry)[1..].iter().map(|&param| param.into()).collect();
        if self.f.live_insts().any(|(_, inst)| self.f.inst(inst).op == Op::Call) {
            let here = self.emit.code.ins().get_stack_pointer(types::I64);
            let limit = self.load(place::STACK);
            let full = self.emit.compare(IntCC::UnsignedLessThan, here, limit);
            self.end_if(full, status::OUT);
            self.burn();
        }
        let first = self.labels[self.f.entry()].expect("the entry can be reached");
        self.emit.code.ins().jump(first, &args);
        Ok(())
    }

    /// Pays for a pass of a loop or a call.
    fn burn(&mut self) {
        if self.unit.options.metered {
            let fuel = self.load(place::FUEL);
            let zero = self.emit.code.ins().iconst(types::I64, 0);
            let empty = self.emit.compare(IntCC::Equal, fuel, zero);
            self.end_if(empty, status::OUT);
            let one = self.emit.code.ins().iconst(types::I64, 1);
            let less = self.emit.code.ins().isub(fuel, one);
            self.store(place::FUEL, less);
        }
    }

    /// Reads from the context.
    pub fn load(&mut self, place: i32) -> Register {
        self.emit.code.ins().load(types::I64, MemFlagsData::trusted(), self.context, place)
    }

    fn store(&mut self, place: i32, value: Register) {
        self.emit.code.ins().store(MemFlagsData::trusted(), value, self.context, place);
    }

    pub fn set(&mut self, value: Value, held: Held) {
        self.held[value.index()] = Some(held);
    }

    /// What holds a value.
    pub fn get(&mut self, value: Value) -> Result<Held, Refused> {
        match self.f.constant(value) {
            Some(Const::Int(int)) => Ok(Held::Word(self.emit.word(int.width(), int.unsigned()))),
            Some(Const::Real(real)) => Ok(Held::Number(self.emit.float(real.0.format(), real.0.to_bits()))),
            Some(Const::Null) => Ok(Held::Reference(self.emit.code.ins().iconst(types::I64, 0))),
            Some(Const::Symbol(symbol, _)) => {
                let name = self.unit.module.symbols.get(symbol);
                self.refuse(format!("`&{name}` has no address"))
            }
            Some(Const::Hole) => self.refuse("a value is left out"),
            None => match self.held[value.index()] {
                Some(held) => Ok(held),
                // The result of a call that threw.
                None => self.zero(self.f.ty(value)),
            },
        }
    }

    fn zero(&mut self, ty: Type) -> Result<Held, Refused> {
        Ok(match ty {
            Type::Int(width) => Held::Word(self.emit.word(u32::from(width), 0)),
            Type::Float(format) => Held::Number(self.emit.float(format, 0)),
            Type::Ref => Held::Reference(self.emit.code.ins().iconst(types::I64, 0)),
            Type::State => return self.refuse("it has a value of type state"),
            Type::Vector(lane) => {
                let zeros = self.emit.code.ins().iconst(types::I64, 0);
                let zeros = self.emit.code.ins().splat(types::I64X2, zeros);
                Held::Vector(self.emit.as_lanes(zeros, lane), lane)
            }
        })
    }

    pub fn word(&mut self, value: Value) -> Result<Word, Refused> {
        match self.get(value)? {
            Held::Word(word) => Ok(word),
            _ => self.refuse("an integer is expected"),
        }
    }

    pub fn register(&mut self, value: Value) -> Result<Register, Refused> {
        self.get(value).map(Held::register)
    }

    pub fn registers(&mut self, values: &[Value]) -> Result<Vec<Register>, Refused> {
        values.iter().map(|&value| self.register(value)).collect()
    }

    /// The function that stands for a compiled one in this one's code.
    pub fn callee(&mut self, id: cranelift_module::FuncId) -> FuncRef {
        let (jit, code) = (&mut self.unit.jit, &mut self.emit.code);
        *self.callees.entry(id).or_insert_with(|| jit.declare_func_in_func(id, code.func))
    }

    fn terminator(&mut self, terminator: &'m Terminator) -> Result<(), Refused> {
        match terminator {
            Terminator::Jump(call) => {
                let (label, args) = self.call(*call)?;
                self.emit.code.ins().jump(label, &args);
            }
            Terminator::Branch { condition, then, other } => {
                let condition = self.word(*condition)?.value;
                let (then, other) = (self.call(*then)?, self.call(*other)?);
                self.emit.code.ins().brif(condition, then.0, &then.1, other.0, &other.1);
            }
            Terminator::Switch { on, cases, default } => self.switch(*on, cases, *default)?,
            Terminator::Return(results) => {
                let results = self.registers(self.f.list(*results))?;
                if results.len() > 1 {
                    self.keep(&results, 1)?;
                }
                let fine = self.emit.code.ins().iconst(types::I64, 0);
                let returned: Vec<Register> = std::iter::once(fine).chain(results.first().copied()).collect();
                self.emit.code.ins().return_(&returned);
            }
            Terminator::Throw(value, exit) => {
                let thrown = self.register(*value)?;
                let null = self.emit.code.ins().iconst(types::I64, status::of(Fault::Null) as i64);
                let thrown = self.emit.code.ins().select(thrown, thrown, null);
                self.leave(*exit, Thrown::Any(thrown))?;
            }
            Terminator::Unreachable => self.end(status::UNREACHABLE),
        }
        Ok(())
    }

    /// Where a block goes on, with what it passes.
    fn call(&mut self, call: BlockCall) -> Result<(Label, Vec<BlockArg>), Refused> {
        let label = self.labels[call.block].expect("a successor can be reached");
        let args = self.registers(self.f.list(call.args))?;
        Ok((label, args.into_iter().map(BlockArg::from).collect()))
    }

    fn switch(
        &mut self,
        on: Value,
        cases: &[(planish_ops::Int, BlockCall)],
        default: BlockCall,
    ) -> Result<(), Refused> {
        let on = self.word(on)?.value;
        let (mut switch, mut ways) = (Switch::new(), Vec::new());
        let mut way = |writer: &mut Self, call: BlockCall| {
            let (label, args) = writer.call(call)?;
            if args.is_empty() {
                return Ok(label);
            }
            let between = writer.emit.code.create_block();
            ways.push((between, label, args));
            Ok(between)
        };
        for (key, call) in cases {
            switch.set_entry(u128::from(key.unsigned()), way(self, *call)?);
        }
        let otherwise = way(self, default)?;
        switch.emit(&mut self.emit.code, on, otherwise);
        for (between, label, args) in ways {
            self.emit.code.switch_to_block(between);
            self.emit.code.ins().jump(label, &args);
        }
        Ok(())
    }

    /// Ends the function otherwise than by returning.
    fn end(&mut self, status: u64) {
        let status = self.emit.code.ins().iconst(types::I64, status as i64);
        self.end_with(status);
    }

    fn end_with(&mut self, status: Register) {
        let mut returned = vec![status];
        if let Some(&ty) = self.f.result_types().first()
            && let Ok(zero) = self.zero(ty)
        {
            returned.push(zero.register());
        }
        self.emit.code.ins().return_(&returned);
    }

    /// Ends the function where a condition holds, and goes on where it does not.
    pub fn end_if(&mut self, condition: Register, status: u64) {
        let on = self.aside(condition);
        self.end(status);
        self.emit.code.switch_to_block(on);
    }

    /// Ends the function if that is how a call ended.
    pub fn end_with_if(&mut self, ended: Register) {
        let on = self.aside(ended);
        self.end_with(ended);
        self.emit.code.switch_to_block(on);
    }

    /// Leaves where a condition holds, and goes on where it does not.
    pub fn leave_if(
        &mut self,
        condition: Register,
        exit: Option<Exit>,
        thrown: Thrown,
    ) -> Result<(), Refused> {
        let on = self.aside(condition);
        self.leave(exit, thrown)?;
        self.emit.code.switch_to_block(on);
        Ok(())
    }

    /// Begins what is done where a condition holds; the label of where it does not.
    fn aside(&mut self, condition: Register) -> Label {
        let (aside, on) = (self.emit.code.create_block(), self.emit.code.create_block());
        self.emit.code.set_cold_block(aside);
        self.emit.code.ins().brif(condition, aside, &[], on, &[]);
        self.emit.code.switch_to_block(aside);
        on
    }

    /// Goes on with what a call threw, behind one that did not return; the label of where it did.
    pub fn after_call(&mut self, ended: Register, exit: Option<Exit>) -> Result<(), Refused> {
        let on = self.aside(ended);
        let last = self.emit.code.ins().iconst(types::I64, status::FAULTS.len() as i64);
        let is_over = self.emit.compare(IntCC::UnsignedGreaterThan, ended, last);
        let thrown = self.aside(is_over);
        self.end_with(ended);
        self.emit.code.switch_to_block(thrown);
        self.leave(exit, Thrown::Any(ended))?;
        self.emit.code.switch_to_block(on);
        Ok(())
    }

    /// Leaves through an exit.
    fn leave(&mut self, exit: Option<Exit>, thrown: Thrown) -> Result<(), Refused> {
        let token = match thrown {
            Thrown::Fault(fault) => self.emit.code.ins().iconst(types::I64, status::of(fault) as i64),
            Thrown::Any(token) => token,
        };
        let mut kept = 0;
        if let Some(exit) = exit {
            let args = self.f.exit_args(exit);
            match &self.f.exit(exit).target {
                ExitTarget::Leave(_) if self.f.recipe(exit).is_some() => {
                    return self.refuse("an exit makes objects");
                }
                ExitTarget::Leave(number) => {
                    let site = self.site(Some(*number), args)?;
                    let site = self.emit.code.ins().iconst(types::I64, site);
                    self.store(place::LEFT, site);
                    self.end(status::LEFT);
                    return Ok(());
                }
                ExitTarget::Unwind if !args.is_empty() => kept = self.site(None, args)?,
                ExitTarget::Unwind => {}
                ExitTarget::To(handlers) => {
                    if let Some(handler) = self.taken(handlers, thrown)? {
                        let label = self.labels[handler].expect("a handler can be reached");
                        let args = self.registers(args)?;
                        let args: Vec<BlockArg> =
                            std::iter::once(token).chain(args).map(BlockArg::from).collect();
                        self.emit.code.ins().jump(label, &args);
                        return Ok(());
                    }
                }
            }
        }
        let kept = self.emit.code.ins().iconst(types::I64, kept);
        self.store(place::KEPT, kept);
        self.end_with(token);
        Ok(())
    }

    /// The handler that takes what is thrown, if there is any: the first, or it is not known which.
    fn taken(&mut self, handlers: &[Handler], thrown: Thrown) -> Result<Option<Block>, Refused> {
        let Some(handler) = handlers.first() else { return Ok(None) };
        let Some(class) = handler.class else { return Ok(Some(handler.block)) };
        let name = self.unit.module.descriptors.name(class);
        match thrown {
            Thrown::Fault(fault) if fault.name() == name => Ok(Some(handler.block)),
            _ => self.refuse(format!("a handler of `{name}` asks for the class of what is thrown")),
        }
    }

    /// Stores what an exit keeps, and gives the exit a number from 1 on.
    fn site(&mut self, number: Option<u32>, args: &[Value]) -> Result<i64, Refused> {
        let registers = self.registers(args)?;
        self.keep(&registers, 0)?;
        let types = args.iter().map(|&arg| self.f.ty(arg)).collect();
        self.unit.sites.push(Site { number, types });
        Ok(self.unit.sites.len() as i64)
    }

    /// Stores values, those from a position on, a word each.
    pub fn keep(&mut self, registers: &[Register], from: usize) -> Result<(), Refused> {
        for &register in &registers[from..] {
            self.fits_a_word(register)?;
        }
        self.unit.room = self.unit.room.max(registers.len());
        let words = self.load(place::WORDS);
        for (&register, position) in registers.iter().zip(0..).skip(from) {
            self.emit.code.ins().store(MemFlagsData::trusted(), register, words, 8 * position);
        }
        Ok(())
    }

    /// Refuses a vector where a value is kept in a word of memory.
    pub fn fits_a_word(&self, register: Register) -> Result<(), Refused> {
        match self.emit.code.func.dfg.value_type(register).is_vector() {
            true => self.refuse("a vector leaves the function"),
            false => Ok(()),
        }
    }
}

/// What a register holds of a type.
pub(crate) fn held(register: Register, ty: Type) -> Held {
    match ty {
        Type::Int(width) => Held::Word(Word::unknown(register, u32::from(width))),
        Type::Float(format) => Held::Number(Number { value: register, format }),
        Type::Ref | Type::State => Held::Reference(register),
        Type::Vector(lane) => Held::Vector(register, lane),
    }
}
