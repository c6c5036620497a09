//! Equivalence of code ends, by value numbering of instructions: which places of a body do the same from there on.
//!
//! Two instructions are alike if they say the same, stand in the same guarded ranges and in the ranges of the same local
//! variables, and what follows them is alike; a jump is alike to where it goes. If they may throw, they are of the same
//! line, so that stack traces stay what they are, unless nobody sees lines. What nobody knows yet is taken to be different, so everything that is found is
//! so at any time; loops are never alike.
//!
//! Where ways meet, a verifier wants types to meet. So what instructions take from the stack and from locals has to be of the
//! same type, or of classes: two of them have one above both that is known, and what fits both of them fits that. An object
//! that is not initialized is told by the instruction that made it. It may be on the stack in the middle of a run, where
//! no way comes in, but not where a run begins.

use hashbrown::HashMap;
use planish_base::{Id, Interner};
use planish_classfile::code::CodeBody;
use planish_classfile::{Code, Insn, Opcode};
use planish_jvm_model::frames::Targets;
use planish_jvm_model::state::State;
use planish_jvm_model::transfer::MethodInfo;
use planish_jvm_model::verify::ActiveHandlers;
use planish_jvm_model::vtype::{TypeContext, VType};
use rustc_hash::FxBuildHasher;

use crate::lower::lines;
use crate::shape::may_throw;

/// How often all places are looked at, at most. Each time is right as far as it goes.
const PASSES: u32 = 3;

planish_base::define_id!(
    /// What an instruction has to have in common with another one, its targets apart.
    Key, "key"
);
planish_base::define_id!(
    /// The ranges in which an instruction stands.
    Around, "around"
);

/// Which places are alike.
pub(super) struct Alike {
    /// For each position another one that is alike, or itself.
    of: Vec<u32>,
    /// For each position what is to be the same; nothing if it is like no other.
    keys: Vec<Option<Key>>,
    /// Where an object that is not initialized is on the stack; empty until types are known.
    has_new: Vec<bool>,
}

/// Whether an instruction only goes somewhere else.
pub(super) fn is_jump(insn: &Insn) -> bool {
    matches!(insn.op, Opcode::Goto | Opcode::GotoW)
}

impl Alike {
    /// What is alike if types do not matter. O(instructions).
    pub fn by_instructions(code: &Code, by_lines: bool) -> Alike {
        let around = around(code);
        let lines = if by_lines { lines(code) } else { Vec::new() };
        let mut known: Interner<Key, (Insn, Around, Option<u16>)> = Interner::new();
        let key = |(at, insn): (usize, &Insn)| {
            // Locks are left where they were taken, as compilers expect.
            if matches!(insn.op, Opcode::Monitorenter | Opcode::Monitorexit) {
                return None;
            }
            let mut same = insn.clone();
            same.targets_mut().for_each(|target| *target = 0);
            let throws = may_throw(insn.op) || insn.op == Opcode::Athrow;
            let line = lines.get(at + 1).copied().flatten().filter(|_| throws);
            Some(known.intern((same, around[at], line)))
        };
        let keys = code.instructions.iter().enumerate().map(key).collect();
        let mut alike = Alike { of: Vec::new(), keys, has_new: Vec::new() };
        alike.number(code);
        alike
    }

    /// The position that stands for all that are alike.
    pub fn find(&self, at: u32) -> u32 {
        let mut at = at;
        while self.of[at as usize] != at {
            at = self.of[at as usize];
        }
        at
    }

    /// Whether an object that is not initialized is on the stack.
    pub fn has_new(&self, at: usize) -> bool {
        self.has_new.get(at) == Some(&true)
    }

    fn number(&mut self, code: &Code) {
        self.of = (0..code.instructions.len() as u32).collect();
        for _ in 0..PASSES {
            let mut known: HashMap<(Key, u32, Vec<u32>), u32, FxBuildHasher> = HashMap::default();
            let mut changed = false;
            for (at, insn) in code.instructions.iter().enumerate().rev() {
                if self.of[at] as usize != at {
                    continue;
                }
                let mut targets = insn.targets().map(|target| self.find(target));
                let like = match (is_jump(insn), self.keys[at]) {
                    (true, _) => targets.next(),
                    (false, None) => None,
                    (false, Some(key)) => {
                        let next = match insn.op.ends_flow() {
                            true => u32::MAX,
                            false => self.find(at as u32 + 1),
                        };
                        Some(*known.entry((key, next, targets.collect())).or_insert(at as u32))
                    }
                };
                if let Some(like) = like.filter(|&like| like as usize != at) {
                    self.of[at] = like;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
    }

    /// Takes apart what is alike but for types. Whether these are known.
    pub fn tell_types_apart(
        &mut self,
        code: &Code,
        targets: &Targets,
        method: &MethodInfo<'_>,
        context: &mut TypeContext<'_>,
    ) -> bool {
        let mut is_shared = vec![false; code.instructions.len()];
        for at in 0..code.instructions.len() as u32 {
            let class = self.find(at);
            if class != at {
                is_shared[class as usize] = true;
                is_shared[at as usize] = true;
            }
        }
        let mut is_target = vec![false; code.instructions.len()];
        targets.states().iter().for_each(|(at, _)| is_target[*at as usize] = true);
        let mut known: Interner<Key, (Key, Types)> = Interner::new();
        let mut keys = vec![None; self.keys.len()];
        let mut has_new = vec![false; self.keys.len()];
        let all = targets.each(code, method, context, |at, insn, state, context| {
            let place = at as usize;
            has_new[place] = state.stack.iter().any(|ty| matches!(ty, VType::Uninitialized(_)));
            let key = self.keys[place].filter(|_| is_shared[place] && !(has_new[place] && is_target[place]));
            let types = key.and_then(|key| Some((key, Types::of(at, insn, state, context)?)));
            keys[place] = types.map(|types| known.intern(types));
        });
        self.keys = keys;
        self.has_new = has_new;
        self.number(code);
        all.is_ok()
    }
}

/// What types an instruction finds.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Types {
    stack: Vec<Part>,
    /// The local that it reads.
    local: Option<Part>,
    this_uninitialized: bool,
}

/// A type, as far as it has to be the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    /// This one.
    Exactly(VType),
    /// A class of which all above is known.
    Class,
    /// What was made so many instructions before, and is not initialized.
    New(u32),
}

impl Types {
    fn of(at: u32, insn: &Insn, state: &State, context: &TypeContext<'_>) -> Option<Types> {
        let part = |ty: VType| match ty {
            VType::Uninitialized(made) => at.checked_sub(made).map(Part::New),
            VType::Object(name) if context.is_known_class(name) => Some(Part::Class),
            ty => Some(Part::Exactly(ty)),
        };
        let stores = (Opcode::Istore..=Opcode::Astore3).contains(&insn.op);
        let local = insn.slot().filter(|_| !stores).map(|slot| state.local(slot));
        if matches!(local, Some(VType::Uninitialized(_))) {
            return None;
        }
        Some(Types {
            stack: state.stack.iter().map(|&ty| part(ty)).collect::<Option<_>>()?,
            local: match local {
                Some(ty) => Some(part(ty)?),
                None => None,
            },
            this_uninitialized: state.this_uninitialized,
        })
    }
}

/// The guarded ranges of an instruction, by handler and class, and its local variables, by slot, name and descriptor.
type Ranges = (Vec<(u32, u16)>, Vec<(u16, u16, u16)>);

/// For each instruction the guarded ranges and the ranges of local variables in which it stands.
fn around(code: &Code) -> Vec<Around> {
    let mut known: Interner<Around, Ranges> = Interner::new();
    let mut bounds = vec![false; code.instructions.len() + 1];
    let variables = || {
        code.attributes.iter().filter_map(|attribute| match &attribute.body {
            CodeBody::Locals(list, _) => Some(list),
            _ => None,
        })
    };
    for handler in &code.handlers {
        bounds[handler.start as usize] = true;
        bounds[handler.end as usize] = true;
    }
    for variable in variables().flatten() {
        bounds[variable.start as usize] = true;
        bounds[variable.end as usize] = true;
    }
    bounds[0] = true;
    let mut handlers = ActiveHandlers::new(&code.handlers);
    let mut here = Around::from_index(0);
    let mut all = Vec::with_capacity(code.instructions.len());
    for at in 0..code.instructions.len() as u32 {
        if bounds[at as usize] {
            let guards = handlers.at(at).map(|handler| (handler.target, handler.class)).collect();
            let live = variables().flatten().filter(|variable| (variable.start..variable.end).contains(&at));
            let live = live.map(|variable| (variable.slot, variable.name, variable.descriptor)).collect();
            here = known.intern((guards, live));
        }
        all.push(here);
    }
    all
}
