//! Instances: functions by use, where one type for all uses does not fit.
//!
//! A function that only hands something on may be given words in one place and functions in another. It has a type in each
//! (let-polymorphism, Milner 1978): each use gets a copy of it, which is inferred by itself; functions that call one another
//! in a circle are copied together, and use the copies among themselves. So are variables, by what reads them
//! ([`split`](super::split)). Copies that turn out equal are one function again.
//!
//! How many copies there are is not what decides how many types there are: of a tower of functions that call one another twice
//! there are too many. So first only those uses get copies that stand in functions which nothing else uses ([`Depth::Tops`]), and what
//! one of these needs below is shared, which is enough for any tower. Where it is not, every use gets some, as long as there is room.

use std::fmt::Write;

use hashbrown::{HashMap, HashSet};
use planish_base::{Budget, Components, Interner};
use planish_ops::world::{CallEffect, Descr};
use planish_ops::{Op, Type};
use rustc_hash::FxBuildHasher;

use super::split::split;
use crate::constant::{Const, Symbol};
use crate::draft::{Draft, Operand, Step};
use crate::module::{Descriptor, Descriptors};

/// How many times as many steps as they have, and how many in any case, drafts may have by copies.
const GROWTH: u64 = 8;
const FEW: u64 = 20_000;

/// The names of functions.
#[derive(Clone)]
pub(super) struct Names {
    pub symbols: Interner<Symbol, String>,
    pub descriptors: Descriptors,
}

impl Names {
    fn name(&mut self, name: &str) -> (Symbol, Descr) {
        let effect = || Descriptor::Callee(CallEffect::pure());
        (self.symbols.intern_str(name), self.descriptors.intern(name, effect))
    }

    fn has(&self, name: &str) -> bool {
        self.symbols.lookup_str(name).is_some() || self.descriptors.lookup(name).is_some()
    }
}

/// Functions by what calls and references name.
#[derive(Default)]
struct ByName {
    symbols: HashMap<Symbol, usize, FxBuildHasher>,
    descrs: HashMap<Descr, usize, FxBuildHasher>,
}

impl ByName {
    fn insert(&mut self, (symbol, descr): (Symbol, Descr), index: usize) {
        self.symbols.insert(symbol, index);
        self.descrs.insert(descr, index);
    }

    fn of(&self, operand: Operand) -> Option<usize> {
        match operand {
            Operand::Const(Const::Symbol(symbol, _)) => self.symbols.get(&symbol).copied(),
            _ => None,
        }
    }

    fn called(&self, step: &Step) -> Option<usize> {
        match step {
            Step::Op { op: Op::Call, descr: Some(descr), .. } => self.descrs.get(descr).copied(),
            _ => None,
        }
    }

    /// The functions that a draft uses.
    fn used(&self, draft: &Draft) -> Vec<u32> {
        let mut used = Vec::new();
        for node in draft.nodes.values() {
            for step in &node.steps {
                used.extend(draft.step_reads(step).iter().filter_map(|&operand| self.of(operand)));
                used.extend(self.called(step));
            }
            used.extend(node.end.operands().filter_map(|operand| self.of(operand)));
        }
        let values = draft.closures.iter().flat_map(|closure| &closure.values);
        used.extend(values.filter_map(|&operand| self.of(operand)));
        used.into_iter().map(|index| index as u32).collect()
    }

    /// Lets a draft use other functions in the places of those that it uses.
    fn rename(&self, draft: &mut Draft, mut other: impl FnMut(usize) -> (Symbol, Descr)) {
        draft.map_reads(|operand| {
            if let Some(index) = self.of(*operand) {
                *operand = Operand::Const(Const::Symbol(other(index).0, Type::Ref));
            }
        });
        for step in draft.nodes.values_mut().flat_map(|node| &mut node.steps) {
            let called = self.called(step);
            if let (Step::Op { descr, .. }, Some(index)) = (step, called) {
                *descr = Some(other(index).1);
            }
        }
    }
}

/// A copy of a draft.
struct Instance {
    origin: usize,
    /// Those that are copied together have one group.
    group: usize,
    /// The use in a function at the top that it stands below of; 0 for none.
    below: usize,
    name: (Symbol, Descr),
    is_named: bool,
}

/// Copies of drafts, by use.
pub(super) struct Instances {
    pub drafts: Vec<Draft>,
    /// Names while copies are inferred.
    pub names: Names,
    all: Vec<Instance>,
    members: HashMap<(usize, usize), usize, FxBuildHasher>,
    groups: usize,
}

/// Which uses get copies of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Depth {
    /// Those in functions that nothing else uses.
    Tops,
    /// All.
    All,
}

/// Copies drafts for each use, beginning with those that a run may begin with.
pub(super) fn instances(drafts: &[Draft], names: Names, depth: Depth) -> Instances {
    let mut by_name = ByName::default();
    let mut made =
        Instances { drafts: Vec::new(), names, all: Vec::new(), members: HashMap::default(), groups: 0 };
    for (index, draft) in drafts.iter().enumerate() {
        by_name.insert(made.names.name(&draft.name), index);
    }
    let uses: Vec<Vec<u32>> = drafts.iter().map(|draft| by_name.used(draft)).collect();
    let everyone: Vec<u32> = (0..drafts.len() as u32).collect();
    let mut circles = vec![0; drafts.len()];
    let components = Components::new(drafts.len()).of(&everyone, |draft| &uses[draft as usize]);
    for (number, circle) in components.iter().enumerate() {
        circle.iter().for_each(|&member| circles[member as usize] = number);
    }
    let steps: u64 = drafts.iter().map(size).sum();
    let mut room = Budget::new("copies of functions by type", (GROWTH * steps).max(FEW));
    let some_exported = drafts.iter().any(|draft| draft.is_exported);
    let mut is_used = vec![false; drafts.len()];
    for (user, used) in uses.iter().enumerate() {
        let others = used.iter().filter(|&&used| circles[used as usize] != circles[user]);
        others.for_each(|&used| is_used[used as usize] = true);
    }
    // What uses share, by what they stand below of, and by circle. Below of nothing are the functions that keep their names.
    let mut shared: HashMap<(usize, usize), usize, FxBuildHasher> = HashMap::default();
    for (index, draft) in drafts.iter().enumerate() {
        if draft.is_exported || !some_exported {
            let group = *shared.entry((0, circles[index])).or_insert_with(|| made.group());
            made.copy(draft, index, (group, 0), true, &mut room);
        }
    }
    let (mut next, mut below) = (0, 0);
    while next < made.drafts.len() {
        let mut draft = std::mem::replace(&mut made.drafts[next], Draft::new("", &[]));
        let Instance { origin, group, is_named, .. } = made.all[next];
        let is_top = is_named && (some_exported || !is_used[origin]);
        by_name.rename(&mut draft, |used| {
            let circle = circles[used];
            let has_room = room.hits() == 0;
            let mut within = if has_room { made.all[next].below } else { 0 };
            if is_top && has_room {
                below += 1;
                within = below;
            }
            let group = match depth {
                _ if circle == circles[origin] => group,
                Depth::All if has_room => made.group(),
                _ => *shared.entry((within, circle)).or_insert_with(|| made.group()),
            };
            let index = match made.members.get(&(group, used)) {
                Some(&index) => index,
                None => made.copy(&drafts[used], used, (group, within), false, &mut room),
            };
            made.all[index].name
        });
        made.drafts[next] = draft;
        next += 1;
    }
    made
}

fn size(draft: &Draft) -> u64 {
    draft.nodes.values().map(|node| 1 + node.steps.len() as u64).sum()
}

impl Instances {
    fn group(&mut self) -> usize {
        self.groups += 1;
        self.groups - 1
    }

    fn copy(
        &mut self,
        draft: &Draft,
        origin: usize,
        (group, below): (usize, usize),
        is_named: bool,
        room: &mut Budget,
    ) -> usize {
        room.take(size(draft));
        let (index, mut draft) = (self.drafts.len(), draft.clone());
        if !is_named {
            // No name in a text has such a character.
            draft.name = format!("{}\0{index}", draft.name);
            draft.is_exported = false;
        }
        split(&mut draft, room);
        let name = self.names.name(&draft.name);
        self.drafts.push(draft);
        self.all.push(Instance { origin, group, below, name, is_named });
        self.members.insert((group, origin), index);
        index
    }

    /// The copies that differ, with names in the tables, and the positions of what they are copies of.
    pub(super) fn merge(mut self, drafts: &[Draft], names: &mut Names) -> (Vec<Draft>, Vec<usize>) {
        let mut by_name = ByName::default();
        for (index, instance) in self.all.iter().enumerate() {
            by_name.insert(instance.name, index);
        }
        let kept = self.kept(&by_name);
        let mut taken: HashSet<String, FxBuildHasher> = HashSet::default();
        taken.extend(
            self.all.iter().zip(&self.drafts).filter(|(i, _)| i.is_named).map(|(_, d)| d.name.clone()),
        );
        let mut final_names = Vec::with_capacity(self.all.len());
        for (index, instance) in self.all.iter().enumerate() {
            let stays = instance.is_named || kept[index] == index;
            let own = &drafts[instance.origin].name;
            let numbered = (2..).map(|number| format!("{own}_{number}")).find(|name| !names.has(name));
            let name = match stays && !instance.is_named {
                true if taken.insert(own.clone()) => own.clone(),
                true => numbered.expect("numbers do not end"),
                false => own.clone(),
            };
            final_names.push(names.name(&name));
            if stays {
                self.drafts[index].name = name;
            }
        }
        let (mut left, mut origins) = (Vec::new(), Vec::new());
        for (index, mut draft) in self.drafts.into_iter().enumerate() {
            let Instance { origin, is_named, .. } = self.all[index];
            if is_named || kept[index] == index {
                by_name.rename(&mut draft, |used| final_names[kept[used]]);
                left.push(draft);
                origins.push(origin);
            }
        }
        (left, origins)
    }

    /// By copy: the first that is equal.
    fn kept(&self, by_name: &ByName) -> Vec<usize> {
        let mut groups: Vec<Vec<usize>> = vec![Vec::new(); self.groups];
        for (index, instance) in self.all.iter().enumerate() {
            groups[instance.group].push(index);
        }
        let mut uses: Vec<Vec<u32>> = vec![Vec::new(); groups.len()];
        for (draft, instance) in self.drafts.iter().zip(&self.all) {
            let used = by_name.used(draft).into_iter().map(|used| self.all[used as usize].group as u32);
            uses[instance.group].extend(used);
        }
        let everyone: Vec<u32> = (0..groups.len() as u32).collect();
        // What a group uses comes first.
        let order = Components::new(groups.len()).of(&everyone, |group| &uses[group as usize]).concat();
        let mut classes: HashMap<String, usize, FxBuildHasher> = HashMap::default();
        let mut class_of = vec![0; groups.len()];
        for group in order.into_iter().map(|group| group as usize) {
            let mut members = groups[group].clone();
            members.sort_unstable_by_key(|&index| self.all[index].origin);
            let mut text = String::new();
            for index in members {
                let used = |used: usize| {
                    let Instance { origin, group: other, .. } = self.all[used];
                    match other == group {
                        true => format!("{origin}"),
                        false => format!("{origin} as {}", class_of[other]),
                    }
                };
                _ = write!(text, "{} ", self.all[index].origin);
                describe(&self.drafts[index], by_name, used, &mut text);
            }
            let next = classes.len();
            class_of[group] = *classes.entry(text).or_insert(next);
        }
        let mut first = vec![usize::MAX; classes.len()];
        for (group, &class) in class_of.iter().enumerate().rev() {
            first[class] = group;
        }
        let kept = self.all.iter().map(|i| self.members[&(first[class_of[i.group]], i.origin)]);
        kept.collect()
    }
}

/// All of a draft but names, as a text.
fn describe(draft: &Draft, by_name: &ByName, used: impl Fn(usize) -> String, text: &mut String) {
    let types: Vec<Type> = draft.variables.values().map(|variable| variable.ty).collect();
    _ = write!(text, "{:?} {types:?} {:?}", draft.params, draft.result_types);
    let operand = |operand: Operand, text: &mut String| match by_name.of(operand) {
        Some(index) => _ = write!(text, " &{}", used(index)),
        None => _ = write!(text, " {operand:?}"),
    };
    for node in draft.nodes.values() {
        for step in &node.steps {
            if let Step::Op { op, .. } = step {
                _ = write!(text, "\n{op:?}");
            }
            draft.step_reads(step).iter().for_each(|&read| operand(read, text));
            _ = write!(text, " {:?}", draft.step_writes(step));
            if let Some(index) = by_name.called(step) {
                _ = write!(text, " @{}", used(index));
            }
        }
        let targets: Vec<_> = node.end.targets().collect();
        _ = write!(text, "\n{targets:?}");
        node.end.operands().for_each(|read| operand(read, text));
    }
}
