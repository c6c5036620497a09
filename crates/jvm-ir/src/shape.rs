//! CFG construction from bytecode: leaders, blocks, handlers and live locals of a method body before it is lifted.
//!
//! A *leader* is the first instruction of a block: the first of the method, a target of a jump, a
//! handler, what follows a branch, or where a guarded range begins between statements. Instructions
//! that may throw do not end blocks; each knows the handlers that guard it as the number of a *list*,
//! and lists with equal handlers are one. A local is live where some path reads it before it is
//! written, paths to handlers included: only live locals become parameters of blocks.

use hashbrown::HashMap;
use planish_classfile::limits::effect;
use planish_classfile::{Code, ConstantPool, Handler, Insn, Opcode};
use planish_jvm_model::verify::ActiveHandlers;
use planish_ops::Op;
use rustc_hash::FxBuildHasher;

/// No list of handlers.
pub const UNGUARDED: u32 = u32::MAX;

/// Blocks, handlers and live locals of a body.
pub struct Shape {
    /// The first instructions of blocks, in ascending order.
    pub leaders: Vec<u32>,
    /// For each instruction whether some jump or fall from another block than the one before it, or a
    /// handler, leads there.
    pub is_join: Vec<bool>,
    /// For each instruction whether control comes there from an instruction, not only as a handler.
    pub has_normal_entry: Vec<bool>,
    /// For each instruction the list of handlers that guard it; [`UNGUARDED`] if it cannot throw.
    pub guard: Vec<u32>,
    /// The lists: handlers in the order in which they are tried.
    pub lists: Vec<Vec<Handler>>,
    /// Live slots at each leader.
    live: Vec<Bits>,
}

#[derive(Clone, PartialEq, Eq)]
struct Bits(Vec<u64>);

impl Bits {
    fn set(&mut self, index: u16, value: bool) {
        let (word, bit) = (usize::from(index) / 64, 1u64 << (index % 64));
        if value {
            self.0[word] |= bit;
        } else {
            self.0[word] &= !bit;
        }
    }

    fn add(&mut self, other: &Bits) {
        self.0.iter_mut().zip(&other.0).for_each(|(mine, theirs)| *mine |= theirs);
    }

    fn iter(&self) -> impl Iterator<Item = u16> + '_ {
        self.0.iter().enumerate().flat_map(|(word, &bits)| {
            (0..64).filter(move |bit| bits >> bit & 1 != 0).map(move |bit| (word * 64 + bit) as u16)
        })
    }
}

/// Whether an instruction may leave by an exception that a program can observe. Loads of numbers and
/// strings run out of memory at worst.
pub fn may_throw(op: Opcode) -> bool {
    use Opcode::*;
    let arrays = (Iaload..=Saload).contains(&op) || (Iastore..=Sastore).contains(&op);
    let members = (Getstatic..=Checkcast).contains(&op);
    arrays
        || members
        || matches!(op, Idiv | Ldiv | Irem | Lrem | Ldc | LdcW | Ldc2W | Instanceof)
        || matches!(op, Monitorenter | Monitorexit | Multianewarray)
}

impl Shape {
    /// Finds the shape. Every instruction has to be reachable.
    pub fn new(code: &Code, pool: &ConstantPool<'_>) -> Self {
        let count = code.instructions.len();
        let mut is_leader = vec![false; count];
        let mut is_join = vec![false; count];
        let mut has_normal_entry = vec![false; count];
        is_leader[0] = true;
        for (at, instruction) in code.instructions.iter().enumerate() {
            let mut jumps = false;
            for target in instruction.targets() {
                jumps = true;
                is_leader[target as usize] = true;
                is_join[target as usize] = true;
                has_normal_entry[target as usize] = true;
            }
            let ends = instruction.op.ends_flow();
            if (jumps || ends) && at + 1 < count {
                is_leader[at + 1] = true;
            }
            if !ends && at + 1 < count {
                has_normal_entry[at + 1] = true;
            }
        }
        for handler in &code.handlers {
            is_leader[handler.target as usize] = true;
            is_join[handler.target as usize] = true;
        }
        if !code.handlers.is_empty() {
            // What is made before a range is seen by its handlers if the range begins a block.
            let depths = depths(code, pool);
            for handler in &code.handlers {
                is_leader[handler.start as usize] |= depths[handler.start as usize] == Some(0);
            }
        }
        let leaders: Vec<u32> = (0..count as u32).filter(|&at| is_leader[at as usize]).collect();

        let mut guard = vec![UNGUARDED; count];
        let mut lists: Vec<Vec<Handler>> = Vec::new();
        let mut numbers = HashMap::<Vec<(u32, u16)>, u32, FxBuildHasher>::default();
        let mut active = ActiveHandlers::new(&code.handlers);
        let is_guarded = |op| !code.handlers.is_empty() && may_throw(op);
        for (at, _) in code.instructions.iter().enumerate().filter(|(_, insn)| is_guarded(insn.op)) {
            let mut handlers: Vec<Handler> = active.at(at as u32).copied().collect();
            if handlers.is_empty() {
                continue;
            }
            // What comes after one that takes everything is never asked.
            if let Some(last) = handlers.iter().position(|handler| handler.class == 0) {
                handlers.truncate(last + 1);
            }
            let key = handlers.iter().map(|handler| (handler.target, handler.class)).collect();
            guard[at] = *numbers.entry(key).or_insert_with(|| {
                lists.push(handlers);
                lists.len() as u32 - 1
            });
        }
        let mut shape = Shape { leaders, is_join, has_normal_entry, guard, lists, live: Vec::new() };
        shape.find_live(code);
        shape
    }

    /// The number of the block that begins at a leader.
    pub fn block(&self, leader: u32) -> usize {
        self.leaders.binary_search(&leader).expect("targets and handlers are leaders")
    }

    /// The instructions of a block.
    pub fn range(&self, block: usize, code: &Code) -> std::ops::Range<usize> {
        let end = self.leaders.get(block + 1).map_or(code.instructions.len(), |&at| at as usize);
        self.leaders[block] as usize..end
    }

    /// The slots that are live where a block begins, in ascending order.
    pub fn live_in(&self, block: usize) -> impl Iterator<Item = u16> + '_ {
        self.live[block].iter()
    }

    fn find_live(&mut self, code: &Code) {
        let words = usize::from(code.max_locals).div_ceil(64);
        self.live = vec![Bits(vec![0; words]); self.leaders.len()];
        let mut live = Bits(vec![0; words]);
        let mut changed = true;
        while changed {
            changed = false;
            for block in (0..self.leaders.len()).rev() {
                let range = self.range(block, code);
                live.0.fill(0);
                let last = &code.instructions[range.end - 1];
                if !last.op.ends_flow() && block + 1 < self.leaders.len() {
                    live.add(&self.live[block + 1]);
                }
                for target in last.targets() {
                    live.add(&self.live[self.block(target)]);
                }
                for at in range.rev() {
                    let instruction = &code.instructions[at];
                    step_back(instruction, &mut live);
                    if self.guard[at] != UNGUARDED {
                        for handler in &self.lists[self.guard[at] as usize] {
                            live.add(&self.live[self.block(handler.target)]);
                        }
                    }
                }
                if live != self.live[block] {
                    std::mem::swap(&mut self.live[block], &mut live);
                    changed = true;
                }
            }
        }
    }
}

/// Live slots before an instruction, from those after it.
fn step_back(instruction: &Insn, live: &mut Bits) {
    let Some(slot) = instruction.slot() else { return };
    let op = instruction.op;
    let stores = (Opcode::Istore..=Opcode::Astore3).contains(&op);
    if stores {
        live.set(slot, false);
        let wide = matches!(op, Opcode::Lstore | Opcode::Dstore)
            || (Opcode::Lstore0..=Opcode::Lstore3).contains(&op)
            || (Opcode::Dstore0..=Opcode::Dstore3).contains(&op);
        if wide {
            live.set(slot + 1, false);
        }
    } else {
        live.set(slot, true);
    }
}

/// The depth of the stack before each instruction; nothing where control does not come.
pub fn depths(code: &Code, pool: &ConstantPool<'_>) -> Vec<Option<u16>> {
    let mut depths: Vec<Option<u16>> = vec![None; code.instructions.len()];
    let mut work = vec![(0usize, 0u16)];
    work.extend(code.handlers.iter().map(|handler| (handler.target as usize, 1)));
    while let Some((at, depth)) = work.pop() {
        match depths.get_mut(at) {
            Some(known @ None) => *known = Some(depth),
            _ => continue,
        }
        let instruction = &code.instructions[at];
        let Ok((pops, pushes)) = effect(instruction, pool) else { continue };
        let Some(after) = depth.checked_sub(pops).map(|left| left + pushes) else { continue };
        work.extend(instruction.targets().map(|target| (target as usize, after)));
        if !instruction.op.ends_flow() {
            work.push((at + 1, after));
        }
    }
    depths
}

/// The comparison with zero that a branch makes.
pub(crate) fn comparison_with_zero(op: Opcode) -> Option<Op> {
    Some(match op {
        Opcode::Ifeq => Op::Eq,
        Opcode::Ifne => Op::Ne,
        Opcode::Iflt => Op::Lt,
        Opcode::Ifge => Op::Ge,
        Opcode::Ifgt => Op::Gt,
        Opcode::Ifle => Op::Le,
        _ => return None,
    })
}
