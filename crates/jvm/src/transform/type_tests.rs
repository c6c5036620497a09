//! Redundant check elimination for types: `instanceof` and casts of objects whose class an earlier check decided.
//!
//! What an object is never changes, so what one look at it found holds wherever that look is behind: where `o instanceof
//! A` was true, `o` is not null and every test for `A` or what is above it is true; where it was false, every test for
//! `A` or what is below it is; a cast that let `o` through is not made again, and neither is
//! `Objects.requireNonNull(o)`, behind which `o` is not null. Of a value that a verifier sees to be of the
//! class, a test asks only whether it is null, and one for a class that no object of that class can have is false.
//!
//! A cast after a test stays where it tells the verifier what the test does not: only casts to interfaces, of which
//! it believes anything, go. One walk over the blocks in reverse postorder carries what is known down the dominator tree
//! (`walk`); nothing is changed before it ends.

use std::collections::BTreeMap;

use planish_classfile::Opcode;
use planish_ir::{Block, Cfg, Function, Inst, Stands, Terminator, Value};
use planish_jvm_model::hierarchy::ClassId;
use planish_ops::Op;
use planish_pass::{Became, Leave};

use crate::transform::marked::Marked;
use crate::transform::seen::Seen;

/// How many facts are looked through for one that answers a question.
const FARTHEST: usize = 64;

/// What is known of an object in a part of a body.
#[derive(Clone, Copy)]
enum Fact {
    /// It is not null.
    There,
    /// It is of this class, or null.
    Is(ClassId),
    /// It is not of this class, or null.
    IsNot(ClassId),
    /// A test for a class gave this.
    Tested(ClassId, Value),
    /// A cast to a class let it through as this value.
    Cast(ClassId, Value),
}

/// A fact, and those that were known before.
struct Link {
    object: Value,
    fact: Fact,
    before: Facts,
}

/// A list of facts, by its last link.
type Facts = Option<u32>;

/// What was decided about instructions.
struct Decisions<'s, 'p, 'f> {
    seen: &'s Seen<'s, 'p>,
    f: &'f Function,
    links: Vec<Link>,
    /// Results that are constants.
    constants: Vec<(Inst, Value, bool)>,
    /// Results that other values stand for.
    same: Vec<(Inst, Value, Value)>,
    /// Tests that ask only whether this is null.
    null_tests: Vec<(Inst, Value)>,
    /// Calls of methods that only compute, on objects that are there.
    computing: Vec<Inst>,
}

/// The calls of methods that only compute, on objects that are there: nothing but the method says what they do. O(body).
pub(super) fn computing(f: &Function, seen: &Seen<'_, '_>) -> Vec<Inst> {
    if !f.live_insts().any(|(_, inst)| seen.computes_on(f, inst).is_some()) {
        return Vec::new();
    }
    let mut decisions = Decisions::new(f, seen);
    decisions.walk();
    decisions.computing
}

/// Decides what can be decided. Gives the number of instructions that went or became simpler. O(body), times a constant.
pub(super) fn decide(f: &mut Function, seen: &Seen<'_, '_>, leave: &mut Leave<'_>) -> u64 {
    let looks = |inst: Inst| seen.look(f, inst).is_some() || seen.requires(f, inst).is_some();
    if !f.live_insts().any(|(_, inst)| looks(inst)) {
        return 0;
    }
    let mut decisions = Decisions::new(f, seen);
    decisions.walk();
    let Decisions { constants, same, null_tests, .. } = decisions;
    let mut stands = Stands::default();
    let mut needless = Marked::new(f);
    for (inst, value, truth) in constants {
        if !leave.rewrite(f, inst, Became::Nothing) {
            continue;
        }
        let constant = f.make_int(f.ty(value), truth.into());
        stands.put(constant, value);
        needless.add(inst);
    }
    for (inst, value, other) in same {
        if !leave.rewrite(f, inst, Became::Value { of: value, is: other }) {
            continue;
        }
        stands.put(other, value);
        needless.add(inst);
    }
    let asked = ask_for_null(f, &null_tests, leave);
    let count = needless.remove(f) + asked;
    stands.write(f);
    count
}

/// Lets comparisons with zero of what tests give ask whether the object is null. Gives their number.
fn ask_for_null(f: &mut Function, tests: &[(Inst, Value)], leave: &mut Leave<'_>) -> u64 {
    if tests.is_empty() {
        return 0;
    }
    let objects: BTreeMap<Inst, Value> = tests.iter().copied().collect();
    let object_of = |value: Value| objects.get(&f.def_inst(value)?).copied();
    let mut asked = Vec::new();
    for (_, inst) in f.live_insts() {
        let op = match f.inst(inst).op {
            Op::Ne => Op::IsNonnull,
            Op::Eq => Op::IsNull,
            _ => continue,
        };
        if let &[tested, zero] = f.args(inst)
            && f.int_constant(zero).is_some_and(|zero| zero.signed() == 0)
            && let Some(object) = object_of(tested)
            && leave.rewrite(f, inst, Became::Op(op))
        {
            asked.push((inst, op, object));
        }
    }
    for &(inst, op, object) in &asked {
        f.rewrite_inst(inst, op, &[object]);
    }
    asked.len() as u64
}

impl<'s, 'p, 'f> Decisions<'s, 'p, 'f> {
    fn new(f: &'f Function, seen: &'s Seen<'s, 'p>) -> Self {
        let (constants, same, null_tests) = (Vec::new(), Vec::new(), Vec::new());
        Decisions { seen, f, links: Vec::new(), constants, same, null_tests, computing: Vec::new() }
    }

    fn walk(&mut self) {
        let cfg = Cfg::new(self.f);
        let dominators = cfg.dominators();
        // What is known where a block begins, and where it ends.
        let mut known: Vec<(Facts, Facts)> = Vec::with_capacity(cfg.order().len());
        for (number, &block) in (0u32..).zip(cfg.order()) {
            let mut facts = None;
            if number > 0 {
                let above = dominators.idom(number);
                let (begin, end) = known[above as usize];
                let from = cfg.block(above);
                let is_handler = self.f.handlers(from).any(|(_, handler)| handler.block == block);
                let is_arm = *cfg.preds().of(number) == [above] && !is_handler;
                // An instruction that throws may come before what the block finds out.
                let may_leave = self.f.handlers(from).next().is_some();
                facts = if may_leave && !is_arm { begin } else { end };
                if is_arm {
                    self.arm(&mut facts, from, block);
                }
            }
            let begin = facts;
            for &inst in self.f.block_insts(block) {
                self.inst(&mut facts, inst);
            }
            known.push((begin, facts));
        }
    }

    /// What a branch says about the arm to which nothing else leads.
    fn arm(&mut self, facts: &mut Facts, from: Block, arm: Block) {
        let &Terminator::Branch { condition, then, other } = self.f.terminator(from) else { return };
        if then.block == other.block {
            return;
        }
        let mut truth = then.block == arm;
        let mut tested = condition;
        while let Some(inst) = self.f.def_inst(tested) {
            match (self.f.inst(inst).op, self.f.args(inst)) {
                (op @ (Op::Eq | Op::Ne), &[x, zero])
                    if self.f.int_constant(zero).is_some_and(|zero| zero.signed() == 0) =>
                {
                    truth ^= op == Op::Eq;
                    tested = x;
                }
                (op @ (Op::IsNull | Op::IsNonnull), &[object]) => {
                    if truth == (op == Op::IsNonnull) {
                        self.add(facts, object, Fact::There);
                    }
                    return;
                }
                _ => {
                    if let Some((Opcode::Instanceof, object, class)) = self.seen.look(self.f, inst) {
                        if truth {
                            self.add(facts, object, Fact::There);
                            self.add(facts, object, Fact::Is(class));
                        } else {
                            self.add(facts, object, Fact::IsNot(class));
                        }
                    }
                    return;
                }
            }
        }
    }

    /// Decides about one instruction, and adds what it finds out.
    fn inst(&mut self, facts: &mut Facts, inst: Inst) {
        let f = self.f;
        if let (op @ (Op::IsNull | Op::IsNonnull), &[object]) = (f.inst(inst).op, f.args(inst)) {
            if self.is_there(*facts, object) {
                self.constants.push((inst, f.result(inst), op == Op::IsNonnull));
            }
            return;
        }
        if let Some(object) = self.seen.requires(f, inst) {
            match self.is_there(*facts, object) {
                true => self.same.push((inst, f.result(inst), object)),
                false => self.add(facts, object, Fact::There),
            }
            return;
        }
        if let Some(object) = self.seen.computes_on(f, inst) {
            if self.is_there(*facts, object) {
                self.computing.push(inst);
            }
            return;
        }
        let Some((look, object, class)) = self.seen.look(f, inst) else { return };
        let result = f.result(inst);
        if look == Opcode::Instanceof {
            match self.test(*facts, object, class) {
                Some(Test::Gives(truth)) => self.constants.push((inst, result, truth)),
                Some(Test::AsksForNull) => self.null_tests.push((inst, object)),
                Some(Test::Same(other)) => self.same.push((inst, result, other)),
                None => self.add(facts, object, Fact::Tested(class, result)),
            }
            return;
        }
        let is_below = |below| self.seen.hierarchy.is_subtype(below, class) == Some(true);
        let is_interface = self.seen.hierarchy.is_interface(class) == Some(true);
        let stands = self.find(*facts, object, |fact| match fact {
            Fact::Cast(to, value) if is_below(to) => Some(value),
            Fact::Is(of) if is_interface && is_below(of) => Some(object),
            _ => None,
        });
        match stands {
            Some(value) => self.same.push((inst, result, value)),
            None => {
                self.add(facts, object, Fact::Cast(class, result));
                self.add(facts, object, Fact::Is(class));
            }
        }
    }

    /// What a test gives.
    fn test(&self, facts: Facts, object: Value, class: ClassId) -> Option<Test> {
        let hierarchy = self.seen.hierarchy;
        let is_below = |below| hierarchy.is_subtype(below, class) == Some(true);
        // Before it says no, a test finds its class.
        let is_known = hierarchy.get(class).is_some();
        let never = |of: ClassId| {
            let are_classes = [of, class].iter().all(|&class| hierarchy.is_interface(class) == Some(false));
            are_classes
                && hierarchy.extends(of, class) == Some(false)
                && hierarchy.extends(class, of) == Some(false)
        };
        let declared = self.seen.class(self.f, self.root(object));
        let found = self.find(facts, object, |fact| match fact {
            Fact::Is(of) if is_below(of) => Some(Test::AsksForNull),
            Fact::Is(of) if is_known && never(of) => Some(Test::Gives(false)),
            Fact::IsNot(of) if is_known && hierarchy.is_subtype(class, of) == Some(true) => {
                Some(Test::Gives(false))
            }
            Fact::Tested(of, value) if of == class => Some(Test::Same(value)),
            _ => None,
        });
        let found = found.or_else(|| match declared {
            Some(of) if is_below(of) => Some(Test::AsksForNull),
            Some(of) if is_known && never(of) => Some(Test::Gives(false)),
            _ => None,
        });
        match found {
            Some(Test::AsksForNull) if self.is_there(facts, object) => Some(Test::Gives(true)),
            found => found,
        }
    }

    fn is_there(&self, facts: Facts, object: Value) -> bool {
        self.seen.object(self.f, self.root(object)).is_some()
            || self.find(facts, object, |fact| matches!(fact, Fact::There).then_some(())).is_some()
    }

    fn root(&self, object: Value) -> Value {
        self.seen.root(self.f, object)
    }

    fn add(&mut self, facts: &mut Facts, object: Value, fact: Fact) {
        let link = Link { object: self.root(object), fact, before: *facts };
        *facts = Some(self.links.len() as u32);
        self.links.push(link);
    }

    /// The last fact about an object that answers a question.
    fn find<T>(&self, facts: Facts, object: Value, answer: impl Fn(Fact) -> Option<T>) -> Option<T> {
        let object = self.root(object);
        let mut next = facts;
        for _ in 0..FARTHEST {
            let link = &self.links[next? as usize];
            if link.object == object
                && let Some(found) = answer(link.fact)
            {
                return Some(found);
            }
            next = link.before;
        }
        None
    }
}

/// What is known of a test.
enum Test {
    /// It gives this.
    Gives(bool),
    /// It asks only whether the object is null.
    AsksForNull,
    /// It gives what another one gave.
    Same(Value),
}
