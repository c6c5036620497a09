//! Closures in type inference: what functions bring along, by their kind.
//!
//! A value that is brought along may be a function that brings along values itself; those follow it. So what a function brings
//! along is a list of words and addresses, whose length is known, or the program is refused.

use hashbrown::HashMap;
use planish_base::Id;
use planish_ops::{Op, Type};
use rustc_hash::FxBuildHasher;

use super::{Inference, Kind, Known, Mismatch, Own, Place};
use crate::carry::Carried;
use crate::draft::{Draft, Operand, Step, Variable};

/// By kind of functions: the types of what they bring along; none while that is being found.
type Brought = HashMap<Kind, Option<Vec<Type>>, FxBuildHasher>;

/// How deep functions with values may be in one another.
const DEPTH: usize = 64;

/// How many values a function may bring along, with what those do.
const MOST: usize = 1_000;

const TOO_MUCH: &str = "functions with constant inputs that are known only at run time are in one another, and bring too much along";

impl Inference {
    /// What is carried with the values of each draft.
    pub(super) fn carried(&mut self, drafts: &[Draft]) -> Result<Vec<Carried>, Mismatch> {
        let brings = self.brought(drafts)?;
        let mut all = Vec::with_capacity(drafts.len());
        for (index, draft) in drafts.iter().enumerate() {
            let Own { shape, captured, kind } = self.functions[index].clone();
            let mut each =
                |kinds: Vec<Kind>| kinds.into_iter().map(|kind| self.types_of(&brings, kind)).collect();
            let mut carried = Carried {
                params: each(shape.operands),
                results: each(shape.results),
                captured: each(captured),
                own: each(vec![kind]).concat(),
                ..Carried::default()
            };
            for closure in &draft.closures {
                let kinds = self.captured(self.variable(index, closure.variable));
                let values = kinds.into_iter().map(|kind| self.types_of(&brings, kind));
                carried.closures.push(values.take(closure.values.len()).collect());
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

    /// By kind of functions: the types of what those bring along, each with what it brings along itself.
    fn brought(&mut self, drafts: &[Draft]) -> Result<Brought, Mismatch> {
        let mut types: HashMap<Kind, (Vec<Type>, usize), FxBuildHasher> = HashMap::default();
        for (index, draft) in drafts.iter().enumerate() {
            let own = draft.params[draft.params.len() - draft.captured..].iter();
            let root = self.find(self.functions[index].kind);
            let (known, made) = types.entry(root).or_insert((Vec::new(), index));
            let more: Vec<Type> = own.map(|&param| draft.variables[param].ty).skip(known.len()).collect();
            if !more.is_empty() {
                *made = index;
            }
            known.extend(more);
        }
        let mut roots: Vec<Kind> = types.keys().copied().collect();
        roots.sort_unstable();
        let mut brings = Brought::default();
        for &root in &roots {
            self.bring(root, &types, &mut brings, 0)
                .map_err(|message| closure_of(drafts, types[&root].1, message))?;
        }
        for root in roots {
            self.can_be_told_apart(root, &brings)
                .map_err(|message| closure_of(drafts, types[&root].1, message))?;
        }
        Ok(brings)
    }

    /// Finds what functions of a kind bring along.
    fn bring(
        &mut self,
        root: Kind,
        own: &HashMap<Kind, (Vec<Type>, usize), FxBuildHasher>,
        brings: &mut Brought,
        depth: usize,
    ) -> Result<(), &'static str> {
        match brings.get(&root) {
            Some(Some(_)) => return Ok(()),
            Some(None) => {
                return Err(
                    "a function has constant inputs that are known only at run time, and may be such an input itself",
                );
            }
            None if depth > DEPTH => return Err(TOO_MUCH),
            None => _ = brings.insert(root, None),
        }
        let mut all = Vec::new();
        let types = own.get(&root).map_or(&[][..], |(types, _)| types);
        for (&ty, kind) in types.iter().zip(self.captured(root)) {
            all.push(ty);
            let inner = self.find(kind);
            if matches!(self.known[inner.index()], Known::Function(_)) {
                self.bring(inner, own, brings, depth + 1)?;
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
        let shapes: Vec<Vec<Kind>> = signature.shapes.values().map(|shape| shape.operands.clone()).collect();
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
        let shapes: Vec<Vec<Kind>> = signature.shapes.values().map(|shape| shape.operands.clone()).collect();
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
