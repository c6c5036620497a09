//! Scalar replacement through phis: objects that flow through joins.
//!
//! ```java
//! Point p = new Point(0, 0);
//! for (int i = 0; i < n; i++) p = new Point(p.x + 1, p.y + i);
//! return p.x + p.y;
//! ```
//!
//! Both objects here are only asked for their fields, but by a parameter of a block, which is one or the other. Such a
//! parameter becomes one parameter for each field that is loaded through it. The loads move to the ends of the blocks
//! that go there, where it is known which object they ask, and then objects go nowhere ([`super`] makes them their
//! fields). It is the same with boxes of numbers, and with both ways of `c ? new Point(1, 2) : new Point(3, 4)`.
//!
//! Objects and parameters that are passed for each other form a *group*. All of it goes or nothing does: where one
//! parameter has to stay, all that is passed for it has to be made, and what is made somewhere is not loaded from
//! anywhere else. So the groups are the sets of a union-find, and what excludes one of them excludes its group: that is
//! the largest fixpoint, without an iteration. A group stays
//!
//! - that gets anything but fresh objects of one class, null included;
//! - whose fields are stored to when they are made, for loads move over that;
//! - that is compared, locked, returned, stored, passed to a call, or seen by a handler;
//! - one of whose objects is not made yet where it is passed on.
//!
//! No object is made where none was, and what is loaded is there already, so nothing throws that did not. This is the
//! simple half of Stadler, Würthinger and Mössenböck, "Partial Escape Analysis and Scalar Replacement for Java" (CGO
//! 2014), whose merges of virtual objects are these groups; the other half makes objects late, where they escape. Linear
//! but for the search in what a group loads, which is short.

use std::sync::Arc;

use hashbrown::HashMap;
use planish_base::{SideTable, UnionFind};
use planish_classfile::Operand;
use planish_ir::{Block, Cfg, Function, Inst, Stands, Terminator, Value};
use planish_jvm_analysis::boxes::Conversion;
use planish_jvm_analysis::constructors::{Fields, Source};
use planish_ops::{Op, Type};
use planish_pass::{Became, Leave};
use rustc_hash::FxBuildHasher;

use super::deeds::{Deed, HELD, Kind, Surroundings, converted};

/// How much a group may load: each part is a parameter, and may become a local variable, for each of its parameters.
const MOST_PARTS: usize = 16;

/// Makes parameters that are fresh objects parameters for their fields.
pub(super) fn separate(f: &mut Function, around: &Surroundings<'_, '_>, leave: &mut Leave<'_>) {
    if f.blocks().iter().all(|&block| block == f.entry() || f.block_params(block).is_empty()) {
        return;
    }
    let Some(mut groups) = Groups::find(f, around) else { return };
    groups.check_edges(f);
    groups.check_deeds(f, around);
    groups.check_objects(f);
    let params = f.blocks().iter().flat_map(|&block| f.block_params(block));
    let going = params.filter(|&&param| groups.goes(param)).count();
    if leave.rewrite_together(going, Became::Changed) {
        groups.replace(f, around);
    }
}

/// A fresh object.
struct Fresh<'s> {
    value: Value,
    kind: Kind,
    class: &'s [u8],
    /// Where it is ready, and what its fields hold then.
    ready: Option<(Block, Arc<Fields>)>,
}

/// What is passed for each other.
#[derive(Default)]
struct Group<'s> {
    /// What its objects are.
    kind: Option<(Kind, &'s [u8])>,
    /// Whether it stays as it is.
    stays: bool,
    /// What is loaded through its parameters, each with one such load.
    parts: Vec<(Deed, Inst)>,
}

/// All objects and parameters that may be objects.
struct Groups<'s> {
    fresh: Vec<Fresh<'s>>,
    /// Whether a value is a fresh object (its number in the list, from 1).
    fresh_of: SideTable<Value, u32>,
    /// Whether a value is a parameter that may be one.
    is_param: SideTable<Value, bool>,
    sets: UnionFind<Value>,
    /// By the value that stands for its set.
    groups: HashMap<Value, Group<'s>, FxBuildHasher>,
}

impl<'s> Groups<'s> {
    /// Finds objects and parameters; nothing, if there are no objects.
    fn find(f: &Function, around: &Surroundings<'s, '_>) -> Option<Groups<'s>> {
        let mut groups = Groups {
            fresh: Vec::new(),
            fresh_of: SideTable::new(),
            is_param: SideTable::new(),
            sets: UnionFind::new(),
            groups: HashMap::default(),
        };
        for (block, inst) in f.live_insts() {
            let (kind, class, ready) = match around.made(f, inst) {
                Some(Kind::Object) => match around.names.instruction_of(f, inst)?.operand {
                    Operand::Constant(index) => (Kind::Object, around.pool.class(index).ok()?, None),
                    _ => continue,
                },
                Some(kind @ Kind::Box(boxed)) => {
                    let fields = vec![(HELD.into(), Source::Argument(0))];
                    (kind, boxed.class, Some((block, fields.into())))
                }
                Some(Kind::Array(..)) | None => continue,
            };
            let value = f.result(inst);
            groups.fresh.push(Fresh { value, kind, class, ready });
            groups.fresh_of[value] = groups.fresh.len() as u32;
        }
        if groups.fresh.is_empty() {
            return None;
        }
        for &block in f.blocks().iter().filter(|&&block| block != f.entry()) {
            for &param in f.block_params(block).iter().filter(|&&param| f.ty(param) == Type::Ref) {
                groups.is_param[param] = true;
            }
        }
        Some(groups)
    }

    fn is_member(&self, value: Value) -> bool {
        self.is_param[value] || self.fresh_of[value] > 0
    }

    /// The group of a value, if it may be an object.
    fn group(&mut self, value: Value) -> Option<&mut Group<'s>> {
        self.is_member(value).then(|| self.groups.entry(self.sets.find(value)).or_default())
    }

    /// Lets a value stay as it is; what a check for null gave is the object itself.
    fn stay(&mut self, f: &Function, value: Value) {
        let check = f.def_inst(value).filter(|&inst| f.inst(inst).op == Op::NullCheck);
        let value = check.map_or(value, |inst| f.args(inst)[0]);
        if let Some(group) = self.group(value) {
            group.stays = true;
        }
    }

    /// Whether a value is a parameter that goes.
    fn goes(&mut self, value: Value) -> bool {
        self.is_param[value] && self.group(value).is_some_and(|group| !group.stays)
    }

    /// Joins what is passed to what gets it, and then lets stay what the ends of blocks and handlers see.
    fn check_edges(&mut self, f: &Function) {
        let mut stay: Vec<Value> = Vec::new();
        for &block in f.blocks() {
            for call in f.block_calls(block) {
                for (&param, &arg) in f.block_params(call.block).iter().zip(f.list(call.args)) {
                    match self.is_param[param] && self.is_member(arg) {
                        true => {
                            self.sets.forward(arg, param);
                        }
                        false => stay.extend([param, arg]),
                    }
                }
            }
            for (_, handler) in f.handlers(block) {
                stay.extend(f.block_params(handler.block));
            }
            let terminator = f.terminator(block);
            stay.extend(terminator.condition());
            match terminator {
                Terminator::Return(results) => stay.extend(f.list(*results)),
                Terminator::Throw(thrown, exit) => {
                    stay.push(*thrown);
                    stay.extend(exit.iter().flat_map(|exit| f.exit_args(*exit)));
                }
                _ => {}
            }
        }
        for (_, inst) in f.live_insts() {
            stay.extend(f.inst(inst).exit.into_iter().flat_map(|exit| f.exit_args(exit)));
        }
        stay.into_iter().for_each(|value| self.stay(f, value));
        for at in 0..self.fresh.len() {
            let Fresh { value, kind, class, .. } = self.fresh[at];
            let group = self.group(value).expect("it is an object");
            let (_, first) = *group.kind.get_or_insert((kind, class));
            group.stays |= first != class;
        }
    }

    /// Looks at what instructions do with objects.
    fn check_deeds(&mut self, f: &Function, around: &Surroundings<'_, '_>) {
        for (block, inst) in f.live_insts() {
            let Some((&first, others)) = f.args(inst).split_first() else { continue };
            others.iter().for_each(|&arg| self.stay(f, arg));
            let (is_param, number) = (self.is_param[first], self.fresh_of[first] as usize);
            let Some(group) = self.group(first) else {
                self.stay(f, first);
                continue;
            };
            let deed = group.kind.and_then(|(kind, _)| around.deed(f, inst, kind));
            match deed {
                Some(Deed::AskNull(_) | Deed::Nothing) => {}
                Some(deed @ (Deed::Load(_) | Deed::Unbox(_))) => {
                    if is_param && group.parts.iter().all(|(part, _)| *part != deed) {
                        group.stays |= group.parts.len() == MOST_PARTS;
                        if !group.stays {
                            group.parts.push((deed, inst));
                        }
                    }
                }
                Some(Deed::Construct(fields)) if number > 0 => {
                    let again = self.fresh[number - 1].ready.replace((block, fields));
                    if again.is_some() {
                        self.stay(f, first);
                    }
                }
                _ => group.stays = true,
            }
        }
    }

    /// Looks at whether objects have the fields that are loaded, and are ready where they are passed on.
    fn check_objects(&mut self, f: &Function) {
        for at in 0..self.fresh.len() {
            let fields = self.fresh[at].ready.as_ref().map(|(_, fields)| fields.clone());
            let group = self.group(self.fresh[at].value).expect("it is an object");
            let has = |part: &Deed| match (part, &fields) {
                (Deed::Load(field), Some(fields)) => fields.iter().any(|(known, _)| known == field),
                (_, fields) => fields.is_some(),
            };
            group.stays |= fields.is_none() || !group.parts.iter().all(|(part, _)| has(part));
        }
        for group in self.groups.values_mut() {
            // A group without objects is of nothing that is known.
            group.stays |= group.kind.is_none();
            let number = Deed::Unbox(Conversion::Same);
            if group.parts.iter().any(|(part, _)| *part == number) {
                group.parts.retain(|(part, _)| *part == number);
            }
        }
        if self.groups.values().all(|group| group.stays) {
            return;
        }
        let cfg = Cfg::new(f);
        let dominators = cfg.dominators();
        for &block in f.blocks() {
            for call in f.block_calls(block) {
                for &arg in f.list(call.args) {
                    let Some(number) = self.fresh_of[arg].checked_sub(1) else { continue };
                    let Some(&(home, _)) = self.fresh[number as usize].ready.as_ref() else { continue };
                    // A handler may be reached from the middle of a block, before the object is ready.
                    let to_end = home == block || f.handlers(home).next().is_none();
                    let numbers = cfg.number(home).zip(cfg.number(block)).filter(|_| to_end);
                    if !numbers.is_some_and(|(home, here)| dominators.dominates(home, here)) {
                        self.stay(f, arg);
                    }
                }
            }
        }
    }

    /// Puts parameters for fields in the place of those for objects.
    fn replace(&mut self, f: &mut Function, around: &Surroundings<'_, '_>) {
        let mut parts: SideTable<Value, Vec<Value>> = SideTable::new();
        let blocks = f.blocks().to_vec();
        let mut any = false;
        for &block in &blocks {
            for param in f.block_params(block).to_vec() {
                if self.goes(param) {
                    let part = |load: Inst| f.add_param(block, f.ty(f.result(load)));
                    parts[param] = self.loads(param).into_iter().map(part).collect();
                    any = true;
                }
            }
        }
        if !any {
            return;
        }
        for &block in &blocks {
            self.pass_parts(f, block, &parts);
        }
        let mut stands = Stands::default();
        for &block in &blocks {
            if f.block_params(block).iter().any(|&param| self.goes(param)) {
                f.retain_params(block, |param| !self.goes(param));
            }
            let mut kept = Vec::new();
            for inst in f.replace_insts(block, Vec::new()) {
                let Some(&object) = f.args(inst).first().filter(|&&first| self.goes(first)) else {
                    kept.push(inst);
                    continue;
                };
                let group = self.group(object).expect("it goes");
                let deed = group.kind.and_then(|(kind, _)| around.deed(f, inst, kind));
                let place = group.parts.iter().position(|(part, _)| deed.as_ref() == Some(part));
                if let Some(result) = f.results(inst).next() {
                    let is = match (place, deed) {
                        (Some(place), _) => parts[object][place],
                        // All that a box is asked is made of the number itself, where that is asked for, too.
                        (None, Some(Deed::Unbox(conversion))) => {
                            converted(f, parts[object][0], conversion, inst, &mut kept)
                        }
                        (None, Some(Deed::AskNull(null))) => f.make_int(f.ty(result), i64::from(!null)),
                        // Nobody looks at what a check for null gave.
                        (None, _) => continue,
                    };
                    stands.put(is, result);
                }
            }
            f.replace_insts(block, kept);
        }
        stands.write(f);
    }

    /// One load for each part of the group of a value.
    fn loads(&mut self, value: Value) -> Vec<Inst> {
        self.group(value).into_iter().flat_map(|group| group.parts.iter().map(|&(_, load)| load)).collect()
    }

    /// Lets the end of a block pass parts where it passed objects.
    fn pass_parts(&mut self, f: &mut Function, block: Block, parts: &SideTable<Value, Vec<Value>>) {
        let mut loaded: HashMap<Value, Vec<Value>, FxBuildHasher> = HashMap::default();
        let mut terminator = f.take_terminator(block);
        for call in terminator.calls_mut() {
            let params = f.block_params(call.block).to_vec();
            if !params.iter().any(|&param| self.goes(param)) {
                continue;
            }
            let (mut args, mut behind) = (Vec::new(), Vec::new());
            for (&param, arg) in params.iter().zip(f.list(call.args).to_vec()) {
                if !self.goes(param) {
                    args.push(arg);
                } else if self.is_param[arg] {
                    behind.extend(&parts[arg]);
                } else {
                    let values = loaded.entry(arg).or_insert_with(|| {
                        let load = |load: Inst| {
                            let copy = f.copy_inst(load);
                            f.set_exit(copy, None);
                            f.args_mut(copy)[0] = arg;
                            f.append_inst(block, copy);
                            f.result(copy)
                        };
                        self.loads(arg).into_iter().map(load).collect()
                    });
                    behind.extend(&*values);
                }
            }
            args.append(&mut behind);
            call.args = f.make_list(&args);
        }
        f.set_terminator(block, terminator);
    }
}
