//! Facts in terms of what a guard hands over.
//!
//! A term is an input of the bridge, a constant, or an operation on terms that the bridge can do again: a computation, or a load
//! from a place that still holds what was found there. Terms are interned (hash-consed) for all places that a bridge comes from,
//! so what holds in several of them is what is equal.

use hashbrown::HashSet;
use planish_base::{Interner, SideTable};
use planish_ir::bridge::{FactKind, FactKinds};
use planish_ir::{Const, Inst, Value};
use planish_ops::world::Descr;
use planish_ops::{Int, Op, Type};
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use super::held::Held;
use super::places::{Holds, Place};

planish_base::define_id!(
    /// A term.
    Term, "term"
);

/// What a term is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum TermData {
    /// An input of the bridge.
    Input(u32),
    /// A constant.
    Const(Const),
    /// The result of an operation.
    Op {
        op: Op,
        descr: Option<Descr>,
        /// The type of the result.
        ty: Type,
        args: SmallVec<[Term; 3]>,
    },
}

/// The terms of a bridge.
pub(super) type Terms = Interner<Term, TermData>;

/// Something that holds.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Fact {
    /// A reference is not null.
    Nonnull(Term),
    /// An object is of exactly the class at an address.
    Class(Term, Term),
    /// Two terms are the same value.
    Is(Term, Term),
    /// A call on terms gives something.
    Gives(SmallVec<[Term; 4]>, Term),
}

/// A fact and its kind.
pub(super) type Told = (FactKind, Fact);

/// What is in both lists, in the order of the first. Expected O(length).
pub(super) fn in_both(mut facts: Vec<Told>, others: &[Told]) -> Vec<Told> {
    let others: HashSet<&Fact, FxBuildHasher> = others.iter().map(|(_, fact)| fact).collect();
    facts.retain(|(_, fact)| others.contains(fact));
    facts
}

/// A value that is not handed over is made again by so many operations on one another at most.
const DEEPEST: usize = 16;

/// Of so many places that hold a value some are tried.
const MOST_PLACES: usize = 4;

/// Says what holds in terms of what is handed over.
pub(super) struct Gather<'h, 'a> {
    held: &'h Held<'a>,
    terms: &'h mut Terms,
    kinds: FactKinds,
    /// The terms of values.
    inside: SideTable<Value, Option<Term>>,
    /// Values that have none.
    outside: SideTable<Value, bool>,
    /// Places that hold a value.
    places: SideTable<Value, SmallVec<[Place; MOST_PLACES]>>,
    facts: Vec<Told>,
}

impl<'h, 'a> Gather<'h, 'a> {
    pub(super) fn new(held: &'h Held<'a>, terms: &'h mut Terms, kinds: FactKinds) -> Gather<'h, 'a> {
        let mut places: SideTable<Value, SmallVec<[Place; MOST_PLACES]>> = SideTable::new();
        let heap = held.places.iter().filter(|_| kinds.has(FactKind::Heap));
        let heap = heap.map(|Holds { place, value, .. }| (place, value));
        let lengths = held.lengths.iter().filter(|_| kinds.has(FactKind::Lengths));
        let lengths = lengths.map(|(place, value)| (place, value));
        for (&place, &value) in heap.chain(lengths) {
            if held.constant(value).is_none() && places[value].len() < MOST_PLACES {
                places[value].push(place);
            }
        }
        let (inside, outside) = (SideTable::new(), SideTable::new());
        Gather { held, terms, kinds, inside, outside, places, facts: Vec::new() }
    }

    /// Everything that can be said, of the kinds that are wanted.
    pub(super) fn facts(mut self) -> Vec<Told> {
        let held = self.held;
        let state = held.site.state();
        for (number, &slot) in state.iter().enumerate() {
            let Some(value) = held.handed(slot) else { continue };
            let input = self.terms.intern(TermData::Input(number as u32));
            match (held.constant(value), self.inside[value]) {
                (Some(constant), _) => self.is_constant(input, constant),
                (None, Some(same)) => self.says(FactKind::Computed, Fact::Is(input, same)),
                (None, None) => self.inside[value] = Some(input),
            }
        }
        held.references.iter().for_each(|&object| self.reference(object));
        held.places.iter().for_each(|holds| self.holds(FactKind::Heap, &holds.place, holds.value, holds.ty));
        held.lengths
            .iter()
            .for_each(|(place, value)| self.holds(FactKind::Lengths, place, *value, Type::I64));
        state.iter().filter_map(|&slot| held.handed(slot)).for_each(|value| self.made_of(value));
        self.conditions();
        held.calls.iter().for_each(|&call| self.gives(call));
        self.facts
    }

    fn says(&mut self, kind: FactKind, fact: Fact) {
        if self.kinds.has(kind) {
            self.facts.push((kind, fact));
        }
    }

    /// What is handed over is a constant.
    fn is_constant(&mut self, input: Term, constant: Const) {
        if matches!(constant, Const::Int(_) | Const::Null | Const::Symbol(..)) {
            let constant = self.terms.intern(TermData::Const(constant));
            self.says(FactKind::Conditions, Fact::Is(input, constant));
        }
    }

    /// A reference is not null, and perhaps of a class. That it is not null is no reason to read it.
    fn reference(&mut self, object: Value) {
        let held = self.held;
        if held.constant(object).is_some() {
            return;
        }
        let fact = match held.classes[object] {
            Some(class) => {
                let Some(object) = self.term(object, DEEPEST) else { return };
                Fact::Class(object, self.terms.intern(TermData::Const(class)))
            }
            None => {
                let Some(object) = self.inside[object] else { return };
                Fact::Nonnull(object)
            }
        };
        self.says(FactKind::Classes, fact);
    }

    /// A place holds a value.
    fn holds(&mut self, kind: FactKind, place: &Place, value: Value, ty: Type) {
        if !self.kinds.has(kind) || !matches!(ty, Type::Int(_) | Type::Ref) {
            return;
        }
        let (Some(value), Some(read)) = (self.term(value, DEEPEST), self.read(place, ty, DEEPEST)) else {
            return;
        };
        // Where a value was read again, this says nothing new.
        if value != read {
            self.says(kind, Fact::Is(read, value));
        }
    }

    /// What is handed over was computed from something else that is.
    fn made_of(&mut self, value: Value) {
        if let (Some(input), None) = (self.inside[value], self.held.constant(value))
            && matches!(self.held.ty(value), Some(Type::Int(_) | Type::Ref))
            && self.kinds.has(FactKind::Computed)
            && let Some(computed) = self.computed(value, DEEPEST)
        {
            self.says(FactKind::Computed, Fact::Is(computed, input));
        }
    }

    /// What came out one way.
    fn conditions(&mut self) {
        let held = self.held;
        if !self.kinds.has(FactKind::Conditions) {
            return;
        }
        for &(value, constant) in &held.outcomes {
            if let Some(computed) = self.computed(value, DEEPEST)
                && matches!(constant, Const::Int(_) | Const::Null | Const::Symbol(..))
            {
                let constant = self.terms.intern(TermData::Const(constant));
                self.says(FactKind::Conditions, Fact::Is(computed, constant));
            }
        }
        let yes = self.terms.intern(TermData::Const(Const::Int(Int::new(64, 1))));
        for &value in &held.nonzero {
            if let Some(term) = self.term(value, DEEPEST) {
                let is_true = self.truth(Op::IsTrue, &[term]);
                self.says(FactKind::Conditions, Fact::Is(is_true, yes));
            }
        }
        for &(value, constant) in &held.others {
            let op = if held.ty(value) == Some(Type::Ref) { Op::RefNe } else { Op::Ne };
            if let Some(term) = self.term(value, DEEPEST) {
                let constant = self.terms.intern(TermData::Const(constant));
                let differs = self.truth(op, &[term, constant]);
                self.says(FactKind::Conditions, Fact::Is(differs, yes));
            }
        }
    }

    fn truth(&mut self, op: Op, args: &[Term]) -> Term {
        let args = SmallVec::from_slice(args);
        self.terms.intern(TermData::Op { op, descr: None, ty: Type::I64, args })
    }

    /// A call gave something.
    fn gives(&mut self, call: Inst) {
        let f = self.held.f;
        if !self.kinds.has(FactKind::Calls) {
            return;
        }
        let args: Option<SmallVec<[Term; 4]>> =
            f.args(call).iter().map(|&arg| self.term(arg, DEEPEST)).collect();
        if let (Some(args), Some(result)) = (args, self.term(f.result(call), DEEPEST)) {
            self.says(FactKind::Calls, Fact::Gives(args, result));
        }
    }

    /// A value of the parent in the bridge.
    fn term(&mut self, value: Value, depth: usize) -> Option<Term> {
        let value = self.held.same_as(value);
        if let Some(constant) = self.held.constant(value) {
            return (constant != Const::Hole).then(|| self.terms.intern(TermData::Const(constant)));
        }
        if self.inside[value].is_some() {
            return self.inside[value];
        }
        if self.outside[value] || depth == 0 {
            return None;
        }
        // What is made of itself, over a place, is not made.
        self.outside[value] = true;
        let ty = self.held.ty(value)?;
        let places = std::mem::take(&mut self.places[value]);
        let read = places.iter().find_map(|place| self.read(place, ty, depth - 1));
        let term = read.or_else(|| {
            let wanted = self.kinds.has(FactKind::Computed);
            if wanted { self.computed(value, depth - 1) } else { None }
        })?;
        self.outside[value] = false;
        self.inside[value] = Some(term);
        Some(term)
    }

    /// What reads a place, if the bridge has the object and the index.
    fn read(&mut self, place: &Place, ty: Type, depth: usize) -> Option<Term> {
        let base = self.term(place.base, depth)?;
        let mut args: SmallVec<[Term; 3]> = SmallVec::from_slice(&[base]);
        if let Some(index) = place.index {
            args.push(self.term(index, depth)?);
        }
        let (op, descr) = (place.load, Some(place.descr));
        Some(self.terms.intern(TermData::Op { op, descr, ty, args }))
    }

    /// The operation that gives a value, on terms.
    fn computed(&mut self, value: Value, depth: usize) -> Option<Term> {
        let f = self.held.f;
        let inst = self.held.def_inst(value).filter(|&inst| self.held.computes(inst))?;
        let args: Option<SmallVec<[Term; 3]>> =
            f.args(inst).iter().map(|&arg| self.term(arg, depth)).collect();
        let args = args?;
        // What constants alone give is no news.
        if !args.iter().any(|&arg| !matches!(self.terms.get(arg), TermData::Const(_))) {
            return None;
        }
        let (data, row) = (f.inst(inst), f.row(inst));
        // An overflow bit is nothing without the guard behind it.
        if f.first_result(inst) != Some(value) {
            return None;
        }
        // Without the check: what it gives is the same.
        let op = row.wrapping.unwrap_or(data.op);
        let ty = f.ty(value);
        Some(self.terms.intern(TermData::Op { op, descr: data.descr, ty, args }))
    }
}
