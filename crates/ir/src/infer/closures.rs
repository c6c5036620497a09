//! Closures in type inference: what functions bring along, by their kind.
//!
//! A value that is brought along may be a function that brings along values itself; those follow it. So what a function brings
//! along is a list of words and addresses, whose length is known, or the program is refused.

use hashbrown::HashMap;
use planish_base::Id;
use planish_ops::{Op, Type};
use rustc_hash::FxBuildHasher;

use super::{Inference, Kind, Known, Mismatch, Own, Place};
use crate::carry::{Carried, Passed};
use crate::draft::{Draft, Operand, Step, Variable};

/// By kind of functions: the types of what they bring along; none while that is being found.
type Brought = HashMap<Kind, Option<Vec<Type>>, FxBuildHasher>;

/// A value that functions of a kind may bring along: a word, or a function of a kind.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Slot {
    ty: Type,
    function: Option<Kind>,
}

/// The values that functions of a kind bring along: as many of each sort as one of them has at most. So functions may meet
/// of which one brings along a number and the other a function.
#[derive(Default)]
struct Slots {
    all: Vec<Slot>,
    /// The last function that added to them.
    made_in: usize,
}

/// By kind of functions.
type OfKinds = HashMap<Kind, Slots, FxBuildHasher>;

/// How deep functions with values may be in one another.
const DEPTH: usize = 64;

/// How many values a function may bring along, with what those do.
const MOST: usize = 1_000;

const TOO_MUCH: &str = "functions with constant inputs that are known only at run time are in one another, and bring too much along";

impl Inference {
    /// What is carried with the values of each draft.
    pub(super) fn carried(&mut self, drafts: &[Draft]) -> Result<Vec<Carried>, Mismatch> {
        let (slots, places) = self.slots(drafts);
        let brings = self.brought(drafts, &slots)?;
        let mut all = Vec::with_capacity(drafts.len());
        for (index, draft) in drafts.iter().enumerate() {
            let Own { shape, captured, kind } = self.functions[index].clone();
            let mut each =
                |kinds: Vec<Kind>| kinds.into_iter().map(|kind| self.types_of(&brings, kind)).collect();
            let mut carried = Carried {
                params: each(shape.operands),
                results: each(shape.results),
                captured: each(captured),
                own: self.own(kind, &slots, &places[index], &brings),
                ..Carried::default()
            };
            for closure in &draft.closures {
                let made = self.made(draft, closure.variable);
                carried.closures.push(match made {
                    Some(made) => self.own(self.functions[made].kind, &slots, &places[made], &brings),
                    None => Vec::new(),
                });
            }
            for variable in draft.variables.ids() {
                carried.variables[variable] = self.types_of(&brings, self.variable(index, variable));
            }
            for variable in called(draft) {
                carried.called[variable] = self.operands_of(&brings, self.variable(index, variable));
            }
            let meets = carried.params.iter().chain(&carried.results).any(|types| !types.is_empty());
            if draft.is_exported && (meets || !carried.own.is_empty()) {
                let message = match meets {
                    true => {
                        "a function with constant inputs that are known only at run time is an input or output of the program"
                    }
                    false => {
                        "a function that the program exports may be called where one with constant inputs is that are known only at run time"
                    }
                };
                return Err(closure_of(drafts, index, message));
            }
            all.push(carried);
        }
        Ok(all)
    }

    /// The function that a closure is.
    fn made(&self, draft: &Draft, variable: Variable) -> Option<usize> {
        let steps = draft.nodes.values().flat_map(|node| &node.steps);
        let mut moved = steps.filter_map(|step| match step {
            Step::Move { to, from } if *to == variable => Some(*from),
            _ => None,
        });
        self.referred(moved.next()?)
    }

    /// By kind of functions: what those bring along; by function: which of these its values are.
    fn slots(&mut self, drafts: &[Draft]) -> (OfKinds, Vec<Vec<usize>>) {
        let mut slots = OfKinds::default();
        let mut places = Vec::with_capacity(drafts.len());
        for (index, draft) in drafts.iter().enumerate() {
            let Own { captured, kind, .. } = self.functions[index].clone();
            let params = draft.params[draft.params.len() - draft.captured..].iter();
            let root = self.find(kind);
            let mut own: Vec<usize> = Vec::with_capacity(captured.len());
            for (&param, kind) in params.zip(captured) {
                let slot = match self.is_function(kind) {
                    true => Slot { ty: Type::Ref, function: Some(self.find(kind)) },
                    false => Slot { ty: draft.variables[param].ty, function: None },
                };
                let Slots { all, made_in } = slots.entry(root).or_default();
                let free = (0..all.len()).find(|at| all[*at] == slot && !own.contains(at));
                own.push(free.unwrap_or_else(|| {
                    *made_in = index;
                    all.push(slot);
                    all.len() - 1
                }));
            }
            slots.entry(root).or_insert_with(|| Slots { all: Vec::new(), made_in: index });
            places.push(own);
        }
        (slots, places)
    }

    /// What a function of a kind is passed behind its inputs, as the places of its own values say.
    fn own(&mut self, kind: Kind, slots: &OfKinds, places: &[usize], brings: &Brought) -> Vec<Passed> {
        let root = self.find(kind);
        let Some(slots) = slots.get(&root) else { return Vec::new() };
        let mut all = Vec::with_capacity(slots.all.len());
        for (at, slot) in slots.all.iter().enumerate() {
            let beside = slot.function.map_or(Vec::new(), |kind| self.types_of(brings, kind));
            let value = places.iter().position(|&place| place == at);
            all.push(Passed { value, ty: slot.ty, beside });
        }
        all
    }

    /// By kind of functions: the types of what those bring along, each with what it brings along itself.
    fn brought(&mut self, drafts: &[Draft], slots: &OfKinds) -> Result<Brought, Mismatch> {
        let mut roots: Vec<Kind> = slots.keys().copied().collect();
        roots.sort_unstable();
        let mut brings = Brought::default();
        for &root in &roots {
            self.bring(root, slots, &mut brings, 0)
                .map_err(|message| closure_of(drafts, slots[&root].made_in, message))?;
        }
        for root in roots {
            self.can_be_told_apart(root, &brings)
                .map_err(|message| closure_of(drafts, slots[&root].made_in, message))?;
        }
        Ok(brings)
    }

    /// Finds what functions of a kind bring along.
    fn bring(
        &mut self,
        root: Kind,
        slots: &OfKinds,
        brings: &mut Brought,
        depth: usize,
    ) -> Result<(), &'static str> {
        match brings.get(&root) {
            Some(Some(_)) => return Ok(()),
            Some(None) => {
                return Err(
                    "a function has constant inputs that are known only at run time, and may be such an input itself, \
                     without end: carry words, and make it of them where it is called",
                );
            }
            None if depth > DEPTH => return Err(TOO_MUCH),
            None => _ = brings.insert(root, None),
        }
        let mut all = Vec::new();
        for slot in slots.get(&root).map_or(&[][..], |slots| &slots.all) {
            all.push(slot.ty);
            if let Some(inner) = slot.function {
                self.bring(inner, slots, brings, depth + 1)?;
                all.extend(self.types_of(brings, inner));
            }
            if all.len() > MOST {
                return Err(TOO_MUCH);
            }
        }
        brings.insert(root, Some(all));
        Ok(())
    }

    /// With what is carried, too, functions of different numbers of operands must take different numbers, since a call of one
    /// for the other is a fault.
    fn can_be_told_apart(&mut self, root: Kind, brings: &Brought) -> Result<(), &'static str> {
        let Known::Function(signature) = &self.known[root.index()] else { return Ok(()) };
        if signature.shapes.len() < 2 {
            return Ok(());
        }
        let shapes: Vec<Vec<Kind>> =
            signature.shapes.values().map(|met| met.shape.operands.clone()).collect();
        let passed =
            |kinds: Vec<Kind>| kinds.into_iter().map(|kind| 1 + self.types_of(brings, kind).len()).sum();
        let mut passed: Vec<usize> = shapes.into_iter().map(passed).collect();
        passed.sort_unstable();
        match passed.windows(2).any(|two| two[0] == two[1]) {
            true => Err(
                "functions of different numbers of inputs meet, of which one is given functions with constant inputs that are \
                 known only at run time",
            ),
            false => Ok(()),
        }
    }

    /// By the number of operands of functions of a kind: what is carried with each of them; nothing for other numbers.
    fn operands_of(&mut self, brings: &Brought, kind: Kind) -> Vec<Vec<Vec<Type>>> {
        let root = self.find(kind);
        let Known::Function(signature) = &self.known[root.index()] else { return Vec::new() };
        let shapes: Vec<Vec<Kind>> =
            signature.shapes.values().map(|met| met.shape.operands.clone()).collect();
        let mut all = Vec::new();
        for operands in shapes {
            all.resize(all.len().max(operands.len() + 1), Vec::new());
            let number = operands.len();
            all[number] = operands.into_iter().map(|kind| self.types_of(brings, kind)).collect();
        }
        all
    }

    /// The types of what is carried with a value of a kind.
    fn types_of(&mut self, brings: &Brought, kind: Kind) -> Vec<Type> {
        let root = self.find(kind);
        brings.get(&root).cloned().flatten().unwrap_or_default()
    }
}

/// The variables of a draft that are called.
fn called(draft: &Draft) -> Vec<Variable> {
    let steps = draft.nodes.iter().flat_map(|(_, node)| &node.steps);
    let called = steps.filter_map(|step| match step {
        Step::Op { op: Op::CallRef, args, .. } => match draft.args(*args)[0] {
            Operand::Var(variable) => Some(variable),
            Operand::Const(_) => None,
        },
        _ => None,
    });
    called.collect()
}

/// What is wrong with a closure: one that is made in a draft, if there is one, else the first.
fn closure_of(drafts: &[Draft], index: usize, message: &str) -> Mismatch {
    let made = |(index, draft): (usize, &Draft)| {
        let variable = draft.closures.first()?.variable;
        let is_it = |step: &Step| matches!(step, Step::Move { to, .. } if *to == variable);
        draft.nodes.iter().find_map(|(node, data)| {
            let step = data.steps.iter().position(is_it)?;
            Some(Place { draft: index, node, step })
        })
    };
    let place = made((index, &drafts[index])).or_else(|| drafts.iter().enumerate().find_map(made));
    let entry = Place { draft: index, node: drafts[index].entry(), step: 0 };
    Mismatch { place: place.unwrap_or(entry), message: message.to_owned() }
}
