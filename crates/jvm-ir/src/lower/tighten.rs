//! Peephole optimization of bytecode: shortening what is easier seen in instructions than in values.
//!
//! Jumps to jumps, to returns, around jumps, to what follows, code that nothing reaches, and sums that
//! `iinc` does. Each round looks at every instruction once; a few rounds are enough, since each leaves
//! less.

use hashbrown::HashSet;
use planish_base::Worklist;
use planish_classfile::code::CodeBody;
use planish_classfile::{Code, Insn, Opcode, Operand};
use rustc_hash::FxBuildHasher;

use crate::lower::select::Outcome;

/// How many rounds there are at most.
const ROUNDS: u32 = 8;

/// Shortens a body without frames.
pub fn tighten(code: &mut Code) -> Outcome {
    for _ in 0..ROUNDS {
        thread_jumps(code);
        let mut keep = reached(code);
        shorten(code, &mut keep);
        if keep.iter().all(|keep| *keep) {
            break;
        }
        remove(code, &keep)?;
    }
    Ok(())
}

/// Removes instructions that nothing reaches. Old compilers leave them behind.
pub fn remove_unreachable(code: &mut Code) -> Outcome {
    let keep = reached(code);
    if keep.iter().all(|keep| *keep) { Ok(()) } else { remove(code, &keep) }
}

/// Which instructions can be reached. A handler can if something that it guards can.
fn reached(code: &Code) -> Vec<bool> {
    let mut reached = vec![false; code.instructions.len()];
    let mut work = Worklist::from(vec![0u32]);
    let mut waiting: Vec<_> = code.handlers.iter().collect();
    loop {
        while let Some(start) = work.pop() {
            // From there on straight ahead.
            let rest = reached.iter_mut().zip(&code.instructions).skip(start as usize);
            for (reached, instruction) in rest {
                if std::mem::replace(reached, true) {
                    break;
                }
                work.extend(instruction.targets());
                if instruction.op.ends_flow() {
                    break;
                }
            }
        }
        waiting.retain(|handler| {
            let live = reached[handler.start as usize..handler.end as usize].contains(&true);
            if live {
                work.push(handler.target);
            }
            !live
        });
        if work.is_empty() {
            return reached;
        }
    }
}

/// Finds instructions that can go, and changes others in their place.
fn shorten(code: &mut Code, keep: &mut [bool]) {
    let mut is_target = vec![false; code.instructions.len() + 1];
    let jumps = code.instructions.iter().flat_map(|instruction| instruction.targets());
    let ranges = code.handlers.iter().flat_map(|handler| [handler.start, handler.end, handler.target]);
    jumps.chain(ranges).for_each(|at| is_target[at as usize] = true);
    let mut at = 0;
    while at < code.instructions.len() {
        if !keep[at] {
            at += 1;
            continue;
        }
        let rest = &code.instructions[at..];
        let free = |count: usize| (1..count).all(|i| !is_target[at + i] && keep[at + i]);
        match rest {
            // `x + c` back to the slot of x.
            [load, number, add, store, ..] if is_increment(load, number, add, store) && free(4) => {
                let by = small_number(number).map(|by| if add.op == Opcode::Isub { -by } else { by });
                if let (Some(slot), Some(by)) = (load.slot(), by.and_then(|by| i16::try_from(by).ok())) {
                    code.instructions[at] = Insn::increment(slot, by);
                    keep[at + 1..at + 4].fill(false);
                    at += 3;
                }
            }
            // A jump around a jump.
            [test, jump, ..]
                if jump.op == Opcode::Goto
                    && test.op.inverted().is_some()
                    && goes_to(test, at + 2)
                    && free(2) =>
            {
                let target = jump.targets().next();
                if let (Some(op), Some(target)) = (test.op.inverted(), target) {
                    code.instructions[at] = Insn::jump(op, target);
                    keep[at + 1] = false;
                    at += 1;
                }
            }
            [jump, ..] if jump.op == Opcode::Goto => {
                // What lies between is not reached.
                let next = (at + 1..keep.len()).find(|&next| keep[next]).unwrap_or(keep.len());
                keep[at] = !jump.targets().all(|to| (at + 1..=next).contains(&(to as usize)));
            }
            _ => {}
        }
        at += 1;
    }
}

fn goes_to(instruction: &Insn, at: usize) -> bool {
    matches!(instruction.operand, Operand::Target(to) if to as usize == at)
}

/// Removes instructions and moves everything that mentions positions.
fn remove(code: &mut Code, keep: &[bool]) -> Outcome {
    let mut moved = Vec::with_capacity(keep.len() + 1);
    let mut next = 0;
    for &keep in keep {
        moved.push(next);
        next += u32::from(keep);
    }
    moved.push(next);
    let mut kept = keep.iter();
    code.instructions.retain(|_| kept.next().is_none_or(|keep| *keep));
    code.remap(|position| moved.get(position as usize).copied()).map_err(|error| error.to_string())?;
    code.handlers.retain(|handler| handler.start < handler.end);
    for attribute in &mut code.attributes {
        if let CodeBody::Lines(lines) = &mut attribute.body {
            lines.retain(|line| line.start < next);
            // Of lines that came to one place the last is right.
            let starts: Vec<u32> = lines.iter().skip(1).map(|line| line.start).collect();
            let mut later = starts.into_iter();
            lines.retain(|line| later.next() != Some(line.start));
        }
        if let CodeBody::Locals(locals, _) = &mut attribute.body {
            // JVMs refuse two rows of one variable for one place, which rows become when what was between them goes.
            let mut seen = HashSet::<_, FxBuildHasher>::default();
            locals.retain(|local| {
                local.start < local.end && seen.insert((local.start, local.end, local.slot, local.name))
            });
        }
    }
    Ok(())
}

/// Lets jumps to `goto` go where that goes, and those to a `return` be one.
fn thread_jumps(code: &mut Code) {
    for at in 0..code.instructions.len() {
        if let (Opcode::Goto, &Operand::Target(to)) =
            (code.instructions[at].op, &code.instructions[at].operand)
            && (Opcode::Ireturn..=Opcode::Return).contains(&code.instructions[to as usize].op)
        {
            code.instructions[at] = code.instructions[to as usize].clone();
        }
    }
    let goes_to: Vec<Option<u32>> = code
        .instructions
        .iter()
        .map(|instruction| match (instruction.op, &instruction.operand) {
            (Opcode::Goto, Operand::Target(to)) => Some(*to),
            _ => None,
        })
        .collect();
    for instruction in &mut code.instructions {
        for target in instruction.targets_mut() {
            // A ring of jumps is an endless loop.
            for _ in 0..8 {
                match goes_to[*target as usize] {
                    Some(next) if next != *target => *target = next,
                    _ => break,
                }
            }
        }
    }
}

fn is_increment(load: &Insn, number: &Insn, add: &Insn, store: &Insn) -> bool {
    let loads = load.op == Opcode::Iload || (Opcode::Iload0..=Opcode::Iload3).contains(&load.op);
    let stores = store.op == Opcode::Istore || (Opcode::Istore0..=Opcode::Istore3).contains(&store.op);
    loads
        && stores
        && load.slot() == store.slot()
        && matches!(add.op, Opcode::Iadd | Opcode::Isub)
        && small_number(number).is_some()
}

/// The number that an instruction pushes without a constant.
fn small_number(instruction: &Insn) -> Option<i32> {
    match (instruction.op, &instruction.operand) {
        (Opcode::Bipush | Opcode::Sipush, Operand::Immediate(value)) => Some(i32::from(*value)),
        (op, _) if (Opcode::IconstM1..=Opcode::Iconst5).contains(&op) => {
            Some(op as i32 - Opcode::Iconst0 as i32)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use planish_classfile::code::CodeAttribute;
    use planish_classfile::debug::LocalVariable;

    use super::*;

    #[test]
    fn rows_that_become_one_are_one() {
        let insn = |op, operand| Insn { op, operand };
        let row = |start| LocalVariable { start, end: 4, name: 7, descriptor: 8, slot: 1 };
        let locals = CodeBody::Locals(vec![row(1), row(2)], false);
        let mut code = Code {
            instructions: vec![
                insn(Opcode::Nop, Operand::None),
                insn(Opcode::Goto, Operand::Target(2)),
                insn(Opcode::Nop, Operand::None),
                insn(Opcode::Return, Operand::None),
            ],
            attributes: vec![CodeAttribute { name: 1, body: locals }],
            ..Code::default()
        };
        tighten(&mut code).unwrap();
        assert_eq!(code.instructions.len(), 3);
        let CodeBody::Locals(left, _) = &code.attributes[0].body else { panic!("the table stays") };
        assert_eq!(left.len(), 1, "{left:?}");
    }
}
