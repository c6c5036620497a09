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

use hashbrown::HashMap;
use planish_base::Id;
use planish_classfile::{Flags, Opcode};
use planish_domain::{Class as Bound, Mark, RefFact};
use planish_ir::{Block, BlockCall, Exit, ExitTarget, Function, Inst, Value};
use planish_ops::world::Descr;
use planish_ops::{Int, Op};
use rustc_hash::FxBuildHasher;

use crate::dispatch::Dispatch;
use crate::infer::Analysis;
use crate::infer::evaluate::Evaluation;
use crate::infer::fact::{Fact, class as class_of, descr};
use crate::infer::sites::Site;
use planish_jvm_model::hierarchy::{ClassId, Hierarchy};
use planish_jvm_model::program::{Field, Method, Program};

/// A set of exceptions.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Thrown(u128);

impl Thrown {
    /// Any exception.
    pub const ANY: Thrown = Thrown(1);
    /// Any exception whose class is not one of the program.
    pub const FOREIGN: Thrown = Thrown(2);

    /// Those of both.
    pub const fn and(self, other: Thrown) -> Thrown {
        Thrown(self.0 | other.0)
    }

    /// Those that are in both.
    const fn common(self, other: Thrown) -> Thrown {
        Thrown(self.0 & other.0)
    }

    /// Those that are not in the other one.
    const fn without(self, other: Thrown) -> Thrown {
        Thrown(self.0 & !other.0)
    }

    /// Whether there is none.
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Adds others. `true` if they were not all there.
    pub fn grow(&mut self, other: Thrown) -> bool {
        let before = std::mem::replace(self, self.and(other));
        *self != before
    }
}

/// How many bits of a set mean something else than a class.
const FIXED: usize = 2;

/// What a handler does to a set.
#[derive(Clone, Copy, Default)]
struct Takes {
    /// What it may take.
    may: Thrown,
    /// What it takes for sure.
    surely: Thrown,
    /// How many bits were looked at.
    known: usize,
}

/// The bits of sets.
pub(super) struct Exceptions {
    /// By bit, from [`FIXED`] on, the class.
    bounds: Vec<Bound>,
    bits: HashMap<Bound, usize, FxBuildHasher>,
    /// By class of a handler.
    takes: HashMap<Option<ClassId>, Takes, FxBuildHasher>,
    /// What instructions throw.
    by_jvm: ByJvm,
}

/// The exceptions of the JVM itself.
#[derive(Clone, Copy, Default)]
struct ByJvm {
    arithmetic: Thrown,
    null: Thrown,
    bounds: Thrown,
    length: Thrown,
    store: Thrown,
    cast: Thrown,
    /// Whatever is no exception but an error.
    error: Thrown,
}

impl Exceptions {
    /// Nothing was thrown so far.
    pub fn new(hierarchy: &Hierarchy) -> Self {
        let mut exceptions = Exceptions {
            bounds: Vec::new(),
            bits: HashMap::default(),
            takes: HashMap::default(),
            by_jvm: ByJvm::default(),
        };
        // Without a JDK nobody knows what is above them.
        let mut named = |name: &[u8], bound: fn(Descr) -> Bound| match hierarchy.lookup(name) {
            Some(class) => exceptions.of_class(bound(descr(class))),
            None => Thrown::FOREIGN,
        };
        exceptions.by_jvm = ByJvm {
            arithmetic: named(b"java/lang/ArithmeticException", Bound::Exactly),
            null: named(b"java/lang/NullPointerException", Bound::Exactly),
            bounds: named(b"java/lang/ArrayIndexOutOfBoundsException", Bound::Exactly),
            length: named(b"java/lang/NegativeArraySizeException", Bound::Exactly),
            store: named(b"java/lang/ArrayStoreException", Bound::Exactly),
            cast: named(b"java/lang/ClassCastException", Bound::Exactly),
            error: named(b"java/lang/Error", Bound::AtMost),
        };
        exceptions
    }

    /// The objects of a class, or of one and what is below.
    fn of_class(&mut self, bound: Bound) -> Thrown {
        let next = self.bounds.len();
        let bit = *self.bits.entry(bound).or_insert(next);
        if bit == next {
            if next + FIXED >= 128 {
                self.bits.remove(&bound);
                return Thrown::ANY;
            }
            self.bounds.push(bound);
        }
        Thrown(1 << (bit + FIXED))
    }

    /// What `throw` of a reference throws.
    fn of_fact(&mut self, fact: Fact) -> Thrown {
        let Fact::Ref(known) = fact else { return Thrown::ANY };
        let object = match known.object() {
            None => Thrown::default(),
            Some(Bound::Any) => Thrown::ANY,
            Some(bound) => self.of_class(bound),
        };
        if known.may_be_null() { object.and(self.by_jvm.null) } else { object }
    }

    /// What a handler for a class may take, and what it surely takes.
    fn takes(
        &mut self,
        class: Option<ClassId>,
        program: &Program<'_>,
        dispatch: &Dispatch<'_, '_, '_>,
    ) -> Takes {
        let hierarchy = program.hierarchy;
        let takes = self.takes.entry(class).or_default();
        let Some(class) = class else {
            return Takes { may: Thrown(u128::MAX), surely: Thrown(u128::MAX), known: 0 };
        };
        if takes.known == 0 {
            // Those that are anything, if there can be one of the class.
            let own = program.class(class);
            let may_be = own.is_none_or(|own| dispatch.may_have_objects(own));
            takes.may = match (may_be, own) {
                (false, _) => Thrown::default(),
                (true, Some(_)) => Thrown::ANY,
                (true, None) => Thrown::ANY.and(Thrown::FOREIGN),
            };
            takes.known = FIXED;
        }
        while let Some(&bound) = self.bounds.get(takes.known - FIXED) {
            let (below, exact) = match bound {
                Bound::Exactly(below) => (class_of(below), true),
                Bound::AtMost(most) => (class_of(most), false),
                Bound::Any => unreachable!("it has no bit"),
            };
            let bit = Thrown(1 << takes.known);
            match hierarchy.is_subtype(below, class) {
                Some(true) => (takes.may, takes.surely) = (takes.may.and(bit), takes.surely.and(bit)),
                None => takes.may = takes.may.and(bit),
                // What implements an interface may be of any class.
                Some(false)
                    if !exact
                        && (hierarchy.is_interface(below) != Some(false)
                            || hierarchy.is_subtype(class, below) != Some(false)) =>
                {
                    takes.may = takes.may.and(bit);
                }
                Some(false) => {}
            }
            takes.known += 1;
        }
        *takes
    }
}

/// Which sets the values are that handlers of a body were given, and blocks to which they handed them on.
pub(super) type Caught = HashMap<Value, Thrown, FxBuildHasher>;

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
            (Op::Call, Some(Site::New(_) | Site::Test(_))) => by_jvm.error,
            (Op::Call, Some(Site::Cast(_) | Site::Same)) => by_jvm.cast.and(by_jvm.error),
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
