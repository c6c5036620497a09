//! The transfer function of a method body: what its values are, where it goes, what it calls with what.

use std::rc::Rc;

use planish_base::Id;
use planish_classfile::descriptor::Type as JavaType;
use planish_classfile::{Flags, Opcode};
use planish_domain::{IntFact, Mark, RefFact, Truth, forward, transfer};
use planish_ir::{Block, BlockCall, Const, Inst, Terminator, Value};
use planish_jvm_ir::surroundings::Number;
use planish_jvm_model::program::{Class, Field, Method};
use planish_ops::{Int, Op, Type};

use crate::infer::evaluation::Evaluation;
use crate::infer::fact::{Classes, Fact, descr};
use crate::infer::state::array_use::ArrayUse;
use crate::infer::state::sets::FEW;
use crate::infer::state::sites::{Callee, Site};
use crate::infer::state::thrown::Thrown;
use crate::infer::state::{Analysis, Body};
use crate::jdk_methods::Computes;

/// Whether control goes on behind an instruction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goes {
    On,
    Nowhere,
}

impl Analysis<'_, '_, '_> {
    /// Evaluates a method until nothing about its own values grows any more.
    pub(super) fn evaluate(&mut self, method: Method) {
        let Some(body) = self.bodies[method.index()].take() else { return };
        let Body { function, reads, class, .. } = &body;
        let sites = Rc::clone(&self.sites[class.index()]);
        let progress = std::mem::take(&mut self.progress[method.index()]);
        let mut e = Evaluation { method, f: function, reads, sites: &sites, progress, changed: true };
        e.progress.runs[function.entry().index()] = true;
        while std::mem::replace(&mut e.changed, false) {
            for (place, &param) in function.params().iter().enumerate() {
                let fact = self.methods[method.index()].parameters[place];
                self.raise(&mut e, param, fact);
            }
            for &block in function.blocks() {
                if e.progress.runs[block.index()] && e.progress.looks.begins(block, reads, self.clock) {
                    self.block(&mut e, block);
                }
            }
        }
        self.progress[method.index()] = e.progress;
        self.bodies[method.index()] = Some(body);
    }

    pub(super) fn raise(&self, e: &mut Evaluation<'_>, value: Value, fact: Fact) {
        let fact = Self::typed(fact, e.f.ty(value));
        let place = value.index();
        let (known, grown) = (&mut e.progress.values[place], &mut e.progress.grown[place]);
        if known.grow(fact, grown, &self.classes) {
            e.grew(value);
        }
    }

    fn block(&mut self, e: &mut Evaluation<'_>, block: Block) {
        for &inst in e.f.block_insts(block) {
            if self.inst(e, inst) == Goes::Nowhere {
                return;
            }
        }
        match e.f.terminator(block) {
            Terminator::Jump(call) => self.go(e, *call),
            Terminator::Branch { condition, then, other } => {
                let truth = match e.fact(*condition) {
                    Fact::None => return,
                    Fact::Int(known) => known.truthiness(),
                    _ => Truth { always: false, never: false },
                };
                if !truth.never {
                    self.go(e, *then);
                }
                if !truth.always {
                    self.go(e, *other);
                }
            }
            Terminator::Switch { on, cases, default } => {
                let known = match e.fact(*on) {
                    Fact::None => return,
                    Fact::Int(known) => known,
                    _ => IntFact::top(e.f.ty(*on).int_width().unwrap_or(32)),
                };
                for (_, call) in cases.iter().filter(|(key, _)| known.contains(*key)) {
                    self.go(e, *call);
                }
                let taken = known.as_constant().is_some_and(|on| cases.iter().any(|(key, _)| *key == on));
                if !taken {
                    self.go(e, *default);
                }
            }
            Terminator::Return(results) => {
                let result = e.f.list(*results).first().map_or(Fact::Any, |&result| e.fact(result));
                self.returns(e.method, result);
            }
            Terminator::Throw(value, exit) => {
                let thrown = self.of_value(e, *value);
                self.leaves(e, *exit, thrown);
            }
            Terminator::Unreachable => {}
        }
    }

    fn go(&mut self, e: &mut Evaluation<'_>, call: BlockCall) {
        e.runs(call.block);
        self.hands_on(e, call);
        for (&param, &arg) in e.f.block_params(call.block).iter().zip(e.f.list(call.args)) {
            let fact = e.fact(arg);
            self.raise(e, param, fact);
        }
    }

    /// A method returned with a result.
    fn returns(&mut self, method: Method, result: Fact) {
        let ty = self.program.descriptor(self.program.methods[method].selector);
        let ty = planish_classfile::descriptor::MethodType::parse(ty).and_then(|ty| ty.result());
        let result = ty.map_or(Fact::Any, |ty| result.stored(ty, self.program.hierarchy));
        let summary = &mut self.methods[method.index()];
        let mut changed = !std::mem::replace(&mut summary.returns, true);
        changed |= summary.result.grow(result, &mut summary.result_grown, &self.classes);
        if changed {
            self.clock += 1;
            for &caller in self.callers.of(method) {
                self.methods[caller.index()].enqueue(caller, &mut self.queue);
            }
            self.sets.gives(method, &mut self.methods, &mut self.queue, &self.classes);
        }
    }

    fn inst(&mut self, e: &mut Evaluation<'_>, inst: Inst) -> Goes {
        let mut args = std::mem::take(&mut self.operands);
        args.clear();
        args.extend(e.f.args(inst).iter().map(|&arg| e.fact(arg)));
        let goes = match args.iter().any(|arg| matches!(arg, Fact::None)) {
            true => Goes::Nowhere,
            false => self.inst_on(e, inst, &args),
        };
        self.operands = args;
        goes
    }

    /// An instruction on operands of which this is known.
    fn inst_on(&mut self, e: &mut Evaluation<'_>, inst: Inst, args: &[Fact]) -> Goes {
        let data = e.f.inst(inst);
        let sites = e.sites;
        let site = data.descr.map(|named| &sites[named.index()]);
        self.thrown = self.arises(e, inst, site, args);
        let goes = self.does(e, inst, site, args);
        let thrown = self.thrown;
        if !thrown.is_none() {
            self.leaves(e, data.exit, thrown);
        }
        goes
    }

    /// What it does where it does not throw.
    fn does(&mut self, e: &mut Evaluation<'_>, inst: Inst, site: Option<&Site>, args: &[Fact]) -> Goes {
        let data = e.f.inst(inst);
        let result = match (data.op, site) {
            (Op::GetField | Op::GetStatic, Some(Site::Field(field))) => self.read(e, inst, *field),
            (Op::SetField, Some(Site::Field(field))) => self.write(*field, args[1]),
            (Op::SetStatic, Some(Site::Field(field))) => self.write(*field, args[0]),
            (Op::GetItem, Some(Site::Items(items))) => {
                let is_news = e.progress.said.is_news(inst, None);
                self.item(e, e.f.args(inst)[0], *items, is_news)
            }
            (Op::SetItem, Some(Site::Items(items))) => {
                self.store_item(e, e.f.args(inst)[0], *items, args[2]);
                Fact::Any
            }
            (Op::NewArray, _) => Fact::Ref(match args {
                [Fact::Int(length)] => {
                    length_mark(*length).map_or(RefFact::NONNULL, |mark| RefFact::NONNULL.marked(mark))
                }
                _ => RefFact::NONNULL,
            }),
            (Op::ArrayLen, _) => match args {
                [Fact::Ref(known)] => length_of(*known),
                _ => Fact::Int(IntFact::interval(32, 0, i32::MAX.into())),
            },
            (Op::Call, Some(site)) => match self.call(e, inst, site, args) {
                Some(result) => result,
                None => return Goes::Nowhere,
            },
            (op, _) => {
                self.computes(e, inst, op, args);
                return Goes::On;
            }
        };
        if let Some(value) = e.f.results(inst).next() {
            self.raise(e, value, result);
        }
        Goes::On
    }

    /// An operation of the table, without memory or calls.
    fn computes(&self, e: &mut Evaluation<'_>, inst: Inst, op: Op, args: &[Fact]) {
        let mut results = e.f.results(inst);
        let Some(first) = results.next() else { return };
        let ty = e.f.ty(first);
        let of = |truth: Truth<bool>| match ty.int_width() {
            Some(width) => Fact::Int(IntFact::truth(width, truth)),
            None => Fact::Any,
        };
        let integers = || -> Option<Vec<IntFact>> {
            let int = |fact: &Fact| match fact {
                Fact::Int(known) => Some(*known),
                _ => None,
            };
            args.iter().map(int).collect()
        };
        let fact = match (op, args) {
            (Op::IsNull, [Fact::Ref(x)]) => of(x.is_null()),
            (Op::IsNonnull, [Fact::Ref(x)]) => of(x.is_null().negated()),
            (Op::RefEq, [Fact::Ref(x), Fact::Ref(y)]) => of(x.is_same(*y, &self.classes)),
            (Op::RefNe, [Fact::Ref(x), Fact::Ref(y)]) => of(x.is_same(*y, &self.classes).negated()),
            _ if forward::shape(op).is_some() && matches!(ty, Type::Int(_)) => match integers() {
                Some(known) => {
                    let (fact, flag) = transfer(op, &known, ty);
                    if let (Some(second), Some(flag)) = (results.next(), flag) {
                        self.raise(e, second, Fact::Int(flag));
                    }
                    Fact::Int(fact)
                }
                None => Fact::top(ty),
            },
            _ => Fact::top(ty),
        };
        let fact = match fact {
            // Nothing comes out of it: it throws.
            Fact::Int(known) if known.is_bottom() => Fact::top(ty),
            fact => fact,
        };
        self.raise(e, first, fact);
        for other in results {
            self.raise(e, other, Fact::top(e.f.ty(other)));
        }
    }

    fn read(&mut self, e: &mut Evaluation<'_>, inst: Inst, field: Field) -> Fact {
        let summary = &self.fields[field.index()];
        if !summary.is_open && e.progress.said.is_news(inst, None) {
            self.readers.add(field, e.method);
        }
        summary.fact
    }

    fn write(&mut self, field: Field, fact: Fact) -> Fact {
        let ty = JavaType::parse(self.program.descriptor(self.program.fields[field].selector));
        let summary = &mut self.fields[field.index()];
        if let Some(ty) = ty
            && !summary.is_open
            && summary.fact.grow(fact.stored(ty, self.program.hierarchy), &mut summary.grown, &self.classes)
        {
            self.clock += 1;
            for &reader in self.readers.of(field) {
                self.methods[reader.index()].enqueue(reader, &mut self.queue);
            }
        }
        Fact::Any
    }

    /// What a call or another instruction of the class file gives; nothing if it does not return.
    fn call(&mut self, e: &mut Evaluation<'_>, inst: Inst, site: &Site, args: &[Fact]) -> Option<Fact> {
        Some(match site {
            Site::Field(field) => match (e.f.results(inst).len(), args) {
                (0, [.., value]) => self.write(*field, *value),
                _ => self.read(e, inst, *field),
            },
            Site::OtherField { fact, .. } | Site::Gives(fact) => *fact,
            Site::Caught(_) => Fact::Any,
            Site::Nested(_) => Fact::Ref(RefFact::NONNULL),
            Site::CastToMissing(class) => match args {
                [Fact::Ref(known)] => Fact::Ref(self.classes.through_missing(*known, *class)),
                _ => Fact::Ref(RefFact::TOP),
            },
            Site::CastToArray => match args {
                [Fact::Ref(known)] => {
                    let cast = self.classes.arrays_of(*known);
                    // It throws always.
                    if cast.is_bottom() {
                        return None;
                    }
                    Fact::Ref(cast)
                }
                _ => Fact::Ref(RefFact::TOP),
            },
            Site::TestForArray => match args {
                [Fact::Ref(known)] if self.classes.arrays_of(*known).object().is_none() => {
                    Fact::Int(IntFact::constant(Int::new(32, 0)))
                }
                _ => Fact::declared(JavaType::Boolean, self.program.hierarchy),
            },
            Site::Items(_) => Fact::Any,
            Site::New(fact) => match (fact, self.ones.made(e.method, inst)) {
                (Fact::Ref(known), Some(mark)) => Fact::Ref(known.marked(mark)),
                _ => *fact,
            },
            Site::Cast(class) => match args {
                [Fact::Ref(known)] => {
                    let cast = known.meet(RefFact::at_most(descr(*class)).or_null(), &self.classes);
                    // It throws always.
                    if cast.is_bottom() {
                        return None;
                    }
                    Fact::Ref(cast)
                }
                _ => Fact::Ref(RefFact::TOP),
            },
            Site::Test(class) => match args {
                [Fact::Ref(known)] => {
                    Fact::Int(IntFact::truth(32, known.is_instance(descr(*class), &self.classes)))
                }
                _ => Fact::declared(JavaType::Boolean, self.program.hierarchy),
            },
            Site::Call(callee) => return self.calls(e, inst, callee, args),
        })
    }

    fn calls(&mut self, e: &mut Evaluation<'_>, inst: Inst, callee: &Callee, args: &[Fact]) -> Option<Fact> {
        let receiver = match (callee.op, args.first()) {
            (Opcode::Invokestatic | Opcode::Invokedynamic, _) => RefFact::NONNULL,
            (_, Some(Fact::Ref(known))) => *known,
            _ => RefFact::TOP,
        };
        if let (ArrayUse::Fills(items), [.., stored]) = (callee.array_use, args) {
            self.store_item(e, e.f.args(inst)[0], items, *stored);
        }
        let targets = self.leads(callee, receiver);
        let classes = Classes(self.program.hierarchy);
        let mut result = targets.outside.then_some(callee.result);
        if targets.outside {
            self.thrown.grow(callee.throws);
        }
        let mut may_give = |gives: Fact| {
            result = Some(result.unwrap_or(Fact::None).join(gives, &classes));
        };
        let is_news = e.progress.said.is_news(inst, targets.set);
        match targets.set {
            Some(set) if targets.methods.len() > FEW => {
                if is_news {
                    self.sets.add_caller(set, e.method);
                }
                self.calls_together(e, callee, (set, &targets), receiver, args)
                    .into_iter()
                    .for_each(may_give);
            }
            _ => {
                for &method in &targets.methods {
                    if is_news {
                        self.callers.add(method, e.method);
                    }
                    self.calls_method(e, callee, method, receiver, args).into_iter().for_each(&mut may_give);
                }
            }
        }
        if let Some(known) = callee.pure.and_then(|method| self.ahead_of_time(method, args)) {
            return Some(known);
        }
        if let Some(known) =
            callee.part.and_then(|part| self.ones.part(part, receiver, self.program.hierarchy))
        {
            return Some(known);
        }
        if let Some(known) = callee.computes.and_then(|computes| computed(computes, args)) {
            return Some(known);
        }
        result.map(|result| if callee.is_void { Fact::Any } else { self.within(result, callee.result) })
    }

    /// What a method that only computes gives for arguments that are all constants.
    fn ahead_of_time(&mut self, method: Method, args: &[Fact]) -> Option<Fact> {
        let numbers = numbers(args.iter().copied())?;
        let pure = self.pure;
        let known = self.results.entry((method, numbers));
        let result = *known.or_insert_with_key(|(method, numbers)| pure.result(*method, numbers));
        Some(Fact::Int(IntFact::constant(result?.int())))
    }

    /// A call reaches one method. Gives its result, if it is known to return so far.
    pub(super) fn calls_method(
        &mut self,
        e: &Evaluation<'_>,
        callee: &Callee,
        method: Method,
        receiver: RefFact,
        args: &[Fact],
    ) -> Option<Fact> {
        let info = &self.program.methods[method];
        let is_static = info.flags.has(Flags::STATIC);
        // The JVM throws where one is called as the other.
        if is_static != (callee.op == Opcode::Invokestatic) {
            return Some(callee.result);
        }
        let mut first = args.first().copied();
        if !is_static {
            let own = RefFact::at_most(descr(self.program.classes[info.class].id));
            let met = receiver.meet(RefFact::NONNULL, &self.classes);
            let met = if self.is_class(info.class) { met.meet(own, &self.classes) } else { met };
            if met.is_bottom() {
                return None;
            }
            first = Some(Fact::Ref(met));
        }
        self.call_with(method, first, args);
        let better = first.into_iter().chain(args.iter().copied().skip(usize::from(first.is_some())));
        self.teach_variants(method, better);
        let body = self.bodies[method.index()].as_ref();
        if body.is_none() && method != e.method {
            self.thrown.grow(Thrown::ANY);
            return Some(callee.result);
        }
        let summary = &self.methods[method.index()];
        self.thrown.grow(summary.throws);
        let given =
            body.and_then(|body| body.gives).map(|place| if place == 0 { first } else { Some(args[place]) });
        let result = match (summary.result, given.flatten()) {
            // What it was given by this call is better known than what it is given by any.
            (Fact::Ref(any), Some(Fact::Ref(own))) => Fact::Ref(any.meet(own, &self.classes)),
            (result, _) => result,
        };
        summary.returns.then_some(result)
    }

    fn is_class(&self, class: Class) -> bool {
        !self.program.classes[class].file.flags.has(Flags::INTERFACE)
    }

    /// A result as its declared type bounds it.
    fn within(&self, fact: Fact, declared: Fact) -> Fact {
        match (fact, declared) {
            (Fact::Ref(a), Fact::Ref(b)) => Fact::Ref(a.meet(b, &self.classes)),
            (Fact::Int(a), Fact::Int(b)) if a.width() == b.width() && b.implies(a) => declared,
            (Fact::Any, _) => declared,
            _ => fact,
        }
    }
}

/// What tells an array apart that is made of a length.
fn length_mark(length: IntFact) -> Option<Mark> {
    let length = length.as_constant()?.signed();
    u32::try_from(length).ok().map(Mark::Length)
}

/// The length of an array.
fn length_of(array: RefFact) -> Fact {
    Fact::Int(match array.mark() {
        Some(Mark::Length(length)) => IntFact::constant(Int::new(32, length.into())),
        _ => IntFact::interval(32, 0, i32::MAX.into()),
    })
}

/// What a method of the JDK gives for arguments of which this is known.
fn computed(computes: Computes, args: &[Fact]) -> Option<Fact> {
    let result = numbers(args.iter().copied()).and_then(|numbers| computes.evaluate(&numbers));
    if let Some(result) = result {
        return Some(Fact::Int(IntFact::constant(result.int())));
    }
    let int = |fact: &Fact| match fact {
        Fact::Int(known) => Some(*known),
        _ => None,
    };
    let known: Option<Vec<IntFact>> = args.iter().map(int).collect();
    computes.bounds(&known?).map(Fact::Int)
}

/// What is known of arguments, if all of them are constants that pure methods take.
pub(super) fn numbers(args: impl Iterator<Item = Fact>) -> Option<Vec<Number>> {
    let number = |fact: Fact| match fact.constant()? {
        Const::Int(int) if int.width() == 32 => Some(Number::Int(int.signed() as i32)),
        Const::Int(int) if int.width() == 64 => Some(Number::Long(int.signed())),
        _ => None,
    };
    args.map(number).collect()
}
