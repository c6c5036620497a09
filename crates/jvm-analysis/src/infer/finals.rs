//! Initialization analysis of final fields (JLS 17.5): final fields that are set before anybody can see the object.
//!
//! A constructor that hands its object to nobody, and calls above it only such constructors, is the only one to see the
//! object until it is done. What it stores in a final field every thread sees, however it came by the object (The Java
//! Language Specification, 17.5); of other fields a thread that came by it without care may see what was there before. So a final
//! field that each constructor sets on all ways to its end holds null or zero for nobody. Where a constructor throws, nobody
//! has the object, but a finalizer: classes with one, or below which others may be, are left out.

use hashbrown::{HashMap, HashSet};
use planish_base::{Id, Worklist};
use planish_classfile::{Flags, Opcode};
use planish_ir::{Function, Inst, Terminator, Value};
use planish_jvm_model::hierarchy::ClassId;
use planish_jvm_model::program::{Class, Field, Found, Method};
use planish_ops::Op;
use rustc_hash::FxBuildHasher;

use crate::infer::state::sites::{Callee, Site};
use crate::infer::state::{Analysis, Body};
use crate::jdk_methods::QUIET;

/// How deep constructors may call each other.
const DEEPEST: u32 = 20;

/// The fields that a constructor sets on all ways; nothing if it hands its object to somebody.
type Sets = Option<Vec<Field>>;

impl Analysis<'_, '_, '_> {
    /// The final fields that nobody sees before they are set. O(constructors).
    pub(super) fn set_by_constructors(&self) -> Vec<Field> {
        let program = self.program;
        let finalized = self.finalized();
        let mut known = HashMap::default();
        let mut found = Vec::new();
        for class in program.classes.ids() {
            let own = &program.classes[class];
            let is_candidate = |&field: &Field| {
                let flags = program.fields[field].flags;
                flags.has(Flags::FINAL) && !flags.has(Flags::STATIC) && !self.fields[field.index()].is_open
            };
            if finalized.contains(&class) || !own.fields.iter().any(is_candidate) {
                continue;
            }
            let mut common: Option<Vec<Field>> = None;
            for &method in &own.methods {
                let is_constructor = program.member_name(program.methods[method].selector) == b"<init>";
                if !is_constructor || !self.reach.is_live(method) {
                    continue;
                }
                let set = self.sets(method, &mut known, DEEPEST).unwrap_or_default();
                common = Some(match common {
                    None => set,
                    Some(before) => before.into_iter().filter(|field| set.contains(field)).collect(),
                });
            }
            found.extend(common.unwrap_or_default().into_iter().filter(is_candidate));
        }
        found
    }

    /// The classes of whose objects a finalizer may see one that is not done.
    fn finalized(&self) -> HashSet<Class, FxBuildHasher> {
        let program = self.program;
        let finalize = program.selector(b"finalize()V");
        let mut finalized = HashSet::default();
        for class in program.classes.ids() {
            let has = finalize.is_some_and(|finalize| program.declared_method(class, finalize).is_some());
            // Who extends a class calls a constructor of it.
            let mut constructors =
                program.classes[class].methods.iter().filter(|&&method| self.is_constructor(method));
            let may_extend = constructors.any(|&method| self.reach.is_open(method));
            if has || self.reach.is_extended(class) || self.reach.is_kept(class) && may_extend {
                finalized.extend(
                    program.classes[class].supertypes.iter().filter_map(|&above| program.class(above)),
                );
            }
            // What a library class does with its objects nobody knows.
            let above = program.classes[class].supertypes.iter();
            let is_strange = |&above: &ClassId| {
                let name = program.hierarchy.name(above);
                program.class(above).is_none()
                    && program.hierarchy.is_interface(above) != Some(true)
                    && above != program.hierarchy.object()
                    && name != b"java/lang/Enum"
                    && !QUIET.contains(&name)
            };
            if above.clone().any(is_strange) {
                finalized.insert(class);
            }
        }
        finalized
    }

    /// The fields that a constructor sets.
    fn sets(&self, method: Method, known: &mut HashMap<Method, Sets, FxBuildHasher>, depth: u32) -> Sets {
        if let Some(sets) = known.get(&method) {
            return sets.clone();
        }
        let sets = match (&self.bodies[method.index()], depth.checked_sub(1)) {
            (Some(body), Some(depth)) => self.sets_in(body, known, depth),
            _ => None,
        };
        known.insert(method, sets.clone());
        sets
    }

    fn sets_in(&self, body: &Body, known: &mut HashMap<Method, Sets, FxBuildHasher>, depth: u32) -> Sets {
        let (program, f) = (self.program, &body.function);
        let &this = f.params().first()?;
        if is_passed_on(f, this) {
            return None;
        }
        let sites = &self.sites[body.class.index()];
        // What is set by each instruction.
        let mut stores: HashMap<Inst, Vec<Field>, FxBuildHasher> = HashMap::default();
        let mut read = Vec::new();
        for (_, inst) in f.live_insts() {
            let data = f.inst(inst);
            let args = f.args(inst);
            if !args.contains(&this) {
                continue;
            }
            let is_receiver = args[0] == this && !args[1..].contains(&this);
            match (data.op, data.descr.map(|descr| &sites[descr.index()])) {
                (Op::SetField, Some(Site::Field(field))) if is_receiver => {
                    drop(stores.insert(inst, vec![*field]))
                }
                (Op::GetField, Some(Site::Field(field))) if is_receiver => read.push(*field),
                (Op::GetField | Op::SetField, Some(Site::OtherField { .. })) if is_receiver => {}
                // A static field that it gets shows the object to all.
                (Op::Call, Some(Site::Field(field)))
                    if is_receiver && !program.fields[*field].flags.has(Flags::STATIC) =>
                {
                    match f.results(inst).len() {
                        0 => drop(stores.insert(inst, vec![*field])),
                        _ => read.push(*field),
                    }
                }
                (Op::Call, Some(Site::Call(callee))) if is_receiver && callee.op == Opcode::Invokespecial => {
                    let sets = match callee {
                        Callee { found: Some(Found::Program(above)), .. } if self.is_constructor(*above) => {
                            self.sets(*above, known, depth)?
                        }
                        Callee { is_closed: true, .. } => Vec::new(),
                        _ => return None,
                    };
                    stores.insert(inst, sets);
                }
                (Op::IsNull | Op::IsNonnull | Op::NullCheck, _) => {}
                _ => return None,
            }
        }
        let mut set = set_on_all_ways(f, &stores);
        // What it reads of its own object may be what was there before.
        set.retain(|field| !read.contains(field));
        Some(set)
    }
}

/// Whether a value is passed to a block, returned or thrown.
fn is_passed_on(f: &Function, value: Value) -> bool {
    f.blocks().iter().any(|&block| {
        let passes = f.block_calls(block).any(|call| f.list(call.args).contains(&value));
        let ends = match f.terminator(block) {
            Terminator::Return(results) => f.list(*results).contains(&value),
            Terminator::Throw(thrown, _) => *thrown == value,
            _ => false,
        };
        let leaves = f.handlers(block).any(|(exit, _)| f.exit_args(exit).contains(&value));
        passes || ends || leaves
    })
}

/// The fields that are set by some of these instructions on each way to a return.
fn set_on_all_ways(f: &Function, stores: &HashMap<Inst, Vec<Field>, FxBuildHasher>) -> Vec<Field> {
    let mut fields: Vec<Field> = stores.values().flatten().copied().collect();
    fields.sort_unstable();
    fields.dedup();
    fields.retain(|&field| {
        // Whether a return can be reached around all stores of it.
        let sets = |inst: &Inst| stores.get(inst).is_some_and(|set| set.contains(&field));
        let mut seen = vec![false; f.block_count()];
        let mut work = Worklist::from(vec![f.entry()]);
        while let Some(block) = work.pop() {
            if std::mem::replace(&mut seen[block.index()], true) {
                continue;
            }
            // A handler may be reached from before the store.
            work.extend(f.handlers(block).map(|(_, handler)| handler.block));
            if f.block_insts(block).iter().any(sets) {
                continue;
            }
            if let Terminator::Return(_) = f.terminator(block) {
                return false;
            }
            work.extend(f.block_calls(block).map(|call| call.block));
        }
        true
    });
    fields
}
