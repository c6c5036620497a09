//! Exception analysis (Leroy and Pessaux 2000; Sinha and Harrold 2000): which exceptions an instruction, a call or a
//! method can throw.
//!
//! A handler runs if something under it throws what it takes, and only then: one for an exception that no method which
//! is called here throws never runs, and the block goes (Sinha and Harrold, *Analysis and testing of programs with
//! exception handling constructs*, 2000; the sets are those of Leroy and Pessaux, *Type-based analysis of uncaught
//! exceptions*, 2000, without their rows). What is asked is a set of classes, each exact or at most, as `throw` and
//! the JVM say it:
//!
//! - an instruction throws what the JVM specification says of it, less what is known not to happen: a division by what is
//!   not zero, the field of what is not null;
//! - a call throws what the methods throw to which it may lead. One that leaves the program may throw anything; but not an
//!   exception of the program, if it runs nothing of the program;
//! - what the first handler surely takes does not get to the next, and what none takes leaves the method;
//! - what a handler throws again (`finally`, `synchronized`) is what it caught, not any `Throwable`.
//!
//! Errors of the JVM, whether a class is not found, memory runs out or the stack, count with every call and with whatever makes
//! an object or initializes a class. A class initializer turns what it throws into one. A static method that is running does not
//! begin to initialize its class, so that its own static fields throw nothing.
//!
//! A set is a word of bits, one for each class that anything was seen to throw; what does not fit is *anything*.

use planish_base::Id;
use planish_classfile::{Flags, Opcode};
use planish_domain::{Mark, RefFact};
use planish_ir::{Block, BlockCall, Exit, ExitTarget, Function, Inst, Value};
use planish_jvm_model::program::{Field, Method};
use planish_ops::{Int, Op};

use crate::infer::evaluation::Evaluation;
use crate::infer::fact::{Fact, descr};
use crate::infer::state::Analysis;
use crate::infer::state::sites::Site;
use crate::infer::state::thrown::{Takes, Thrown};

impl Analysis<'_, '_, '_> {
    /// Control leaves an instruction, or a `throw`, by these exceptions: handlers run, or the method ends.
    pub(super) fn leaves(&mut self, e: &mut Evaluation<'_>, exit: Option<Exit>, thrown: Thrown) {
        let mut left = thrown;
        if let Some(exit) = exit
            && let ExitTarget::To(handlers) = &e.f.exit(exit).target
        {
            for handler in handlers {
                let class = handler.class.map(|named| match e.sites[named.index()] {
                    Site::Caught(class) => class,
                    _ => None,
                });
                let takes = match class {
                    // Nobody knows the class.
                    Some(None) => Takes { may: left, ..Takes::default() },
                    class => self.exceptions.takes(class.flatten(), self.program, &self.dispatch),
                };
                let taken = left.common(takes.may);
                if taken.is_none() {
                    continue;
                }
                left = left.without(takes.surely);
                e.runs(handler.block);
                let Some((&caught, rest)) = e.f.block_params(handler.block).split_first() else { continue };
                let bound = class.flatten().map_or(RefFact::NONNULL, |class| RefFact::at_most(descr(class)));
                self.raise(e, caught, Fact::Ref(bound));
                if e.progress.caught.entry(caught).or_default().grow(taken) {
                    e.grew(caught);
                }
                for (&param, &arg) in rest.iter().zip(e.f.exit_args(exit)) {
                    let fact = e.fact(arg);
                    self.raise(e, param, fact);
                }
            }
        }
        self.throws(e.method, left);
    }

    /// A block is given what handlers were given.
    pub(super) fn hands_on(&mut self, e: &mut Evaluation<'_>, call: BlockCall) {
        if e.progress.caught.is_empty() {
            return;
        }
        for (&param, &arg) in e.f.block_params(call.block).iter().zip(e.f.list(call.args)) {
            let is_new = match (e.progress.caught.get(&arg), e.progress.caught.get(&param)) {
                (None, None) => continue,
                (_, known) => known.is_none(),
            };
            // What it was given so far was no such thing.
            let before = if is_new { self.of_value(e, param) } else { Thrown::default() };
            let thrown = self.of_value(e, arg).and(before);
            if e.progress.caught.entry(param).or_default().grow(thrown) {
                e.grew(param);
            }
        }
    }

    /// What `throw` of a value throws.
    pub(super) fn of_value(&mut self, e: &Evaluation<'_>, value: Value) -> Thrown {
        match (e.progress.caught.get(&value), e.fact(value)) {
            (Some(&caught), _) => caught,
            (None, Fact::None) => Thrown::default(),
            (None, fact) => self.exceptions.of_fact(fact),
        }
    }

    /// A method may end by these exceptions: so may its calls.
    fn throws(&mut self, method: Method, thrown: Thrown) {
        if !self.methods[method.index()].throws.grow(thrown) {
            return;
        }
        self.clock += 1;
        for &caller in self.callers.of(method) {
            self.methods[caller.index()].enqueue(caller, &mut self.queue);
        }
        self.sets.throws(method, &mut self.methods, &mut self.queue);
    }

    /// The handlers of a body that never run, while what they guard does. O(instructions).
    pub(super) fn idle_handlers(&self, method: Method, f: &Function) -> Vec<Block> {
        let runs = &self.progress[method.index()].runs;
        let running = f.blocks().iter().filter(|block| runs[block.index()]);
        let handlers = running.flat_map(|&block| f.handlers(block)).map(|(_, handler)| handler.block);
        let mut idle: Vec<Block> = handlers.filter(|handler| !runs[handler.index()]).collect();
        idle.sort_unstable();
        idle.dedup();
        idle
    }

    /// What an instruction throws by itself, without what it calls.
    pub(super) fn arises(
        &self,
        e: &Evaluation<'_>,
        inst: Inst,
        site: Option<&Site>,
        args: &[Fact],
    ) -> Thrown {
        let by_jvm = self.exceptions.by_jvm;
        let nothing = Thrown::default();
        let if_null = |object: Option<&Fact>| match object {
            Some(Fact::Ref(known)) if !known.may_be_null() => nothing,
            _ => by_jvm.null,
        };
        let data = e.f.inst(inst);
        match (data.op, site) {
            (Op::Sdiv | Op::Srem, _) => match args.get(1) {
                Some(Fact::Int(by)) if !by.contains(Int::new(by.width(), 0)) => nothing,
                _ => by_jvm.arithmetic,
            },
            (Op::NullCheck | Op::ArrayLen, _) => if_null(args.first()),
            (Op::GetField | Op::SetField, Some(Site::Field(_))) => if_null(args.first()),
            (Op::GetStatic | Op::SetStatic, Some(Site::Field(field)))
                if self.is_running(e.method, *field) =>
            {
                nothing
            }
            (Op::GetField | Op::SetField | Op::GetStatic | Op::SetStatic, _) => {
                if_null(args.first()).and(by_jvm.error)
            }
            (Op::GetItem, _) => if_null(args.first()).and(self.out_of_bounds(args)),
            (Op::SetItem, _) => {
                let is_ref = matches!(args.get(2), Some(Fact::Ref(known)) if *known != RefFact::NULL);
                let store = if is_ref { by_jvm.store } else { nothing };
                if_null(args.first()).and(self.out_of_bounds(args)).and(store)
            }
            (Op::NewArray, _) => match args {
                [Fact::Int(length)] if length.lo() >= 0 => by_jvm.error,
                _ => by_jvm.length.and(by_jvm.error),
            },
            (Op::Call, Some(Site::New(_) | Site::Test(_) | Site::TestForArray)) => by_jvm.error,
            (Op::Call, Some(Site::Cast(_) | Site::CastToArray | Site::CastToMissing(_))) => {
                by_jvm.cast.and(by_jvm.error)
            }
            (Op::Call, Some(Site::Nested(_))) => by_jvm.length.and(by_jvm.error),
            (Op::Call, Some(Site::Field(_) | Site::OtherField { .. })) => by_jvm.null.and(by_jvm.error),
            (Op::Call, Some(Site::Call(callee))) => match callee.op {
                Opcode::Invokestatic | Opcode::Invokedynamic => by_jvm.error,
                _ => if_null(args.first()).and(by_jvm.error),
            },
            (op, _) if data.exit.is_none() && !matches!(op, Op::Call) => nothing,
            _ => Thrown::ANY,
        }
    }

    /// What access to an element throws for its index.
    fn out_of_bounds(&self, args: &[Fact]) -> Thrown {
        let [Fact::Ref(array), Fact::Int(index), ..] = args else { return self.exceptions.by_jvm.bounds };
        match array.mark() {
            Some(Mark::Length(length)) if index.lo() >= 0 && index.hi() < i64::from(length) => {
                Thrown::default()
            }
            _ => self.exceptions.by_jvm.bounds,
        }
    }

    /// Whether the class of a static field was initialized, or is, when a static method runs.
    fn is_running(&self, method: Method, field: Field) -> bool {
        let (info, home) = (&self.program.methods[method], self.program.fields[field].class);
        let home = self.program.classes[home].id;
        info.flags.has(Flags::STATIC)
            && self.program.hierarchy.extends(self.program.classes[info.class].id, home) == Some(true)
    }
}
