//! Dead code elimination of builders: a text that nobody needs is not built.
//!
//! A fresh builder that goes nowhere, gets nothing but numbers and texts, and is asked for nothing that anybody needs might
//! as well not be there, whether it begins empty, with a text that is surely one, or with room for so many. What `append` gives is the
//! builder again. Whatever else is done with either keeps it. Nobody else waits for the lock of a `StringBuffer` that goes nowhere,
//! and a `String` that is made anew is as much as a builder that begins with a text.

use planish_base::SideTable;
use planish_classfile::{ConstantPool, MemberRef, Opcode, Operand};
use planish_ir::liveness::for_each_use;
use planish_ir::{Function, Inst, Value};
use planish_jvm_analysis::jdk_methods::throws_nothing;
use planish_jvm_analysis::string_methods::is_builder;
use planish_jvm_ir::naming::Names;
use planish_pass::{Became, Leave};

use crate::transform::contents::{called, is_text};
use crate::transform::filled::{LONGEST, int};
use crate::transform::marked::Marked;

/// Removes builders that nobody needs, and what is done with them. Gives their number. O(size of the body) for each level of
/// builders whose texts go into others.
pub fn forget_builders(
    f: &mut Function,
    names: &Names,
    pool: &ConstantPool<'_>,
    leave: &mut Leave<'_>,
) -> u64 {
    let mut count = 0;
    loop {
        let builders = Builders::of(f, names, pool);
        let mut removed = Marked::new(f);
        let mut gone = 0;
        for deeds in builders.idle(f) {
            if leave.rewrite_together(deeds.len(), Became::Nothing) {
                deeds.into_iter().for_each(|inst| removed.add(inst));
                gone += 1;
            }
        }
        removed.remove(f);
        count += gone;
        if gone == 0 {
            return count;
        }
    }
}

/// The builders of a body.
#[derive(Default)]
struct Builders {
    /// The number of the builder that a value is, from 1.
    of: SideTable<Value, u32>,
    /// What is done with each, making it included, where that is nothing else that is seen.
    deeds: Vec<Vec<Inst>>,
}

impl Builders {
    fn of(f: &Function, names: &Names, pool: &ConstantPool<'_>) -> Self {
        let mut builders = Builders::default();
        let mut calls: Vec<Inst> = Vec::new();
        for (_, inst) in f.live_insts() {
            if is_made(f, inst, names, pool) {
                builders.deeds.push(vec![inst]);
                builders.of[f.result(inst)] = builders.deeds.len() as u32;
            } else if is_deed(f, inst, names, pool) {
                calls.push(inst);
            }
        }
        // A call may stand in front of what gives its receiver.
        while !builders.deeds.is_empty() {
            let before = calls.len();
            calls.retain(|&inst| {
                let number = builders.of[f.args(inst)[0]];
                if number == 0 {
                    return true;
                }
                builders.deeds[number as usize - 1].push(inst);
                let appends =
                    called(f, inst, names, pool).is_some_and(|(_, member)| member.name == b"append");
                f.first_result(inst).filter(|_| appends).into_iter().for_each(|it| builders.of[it] = number);
                false
            });
            if calls.len() == before {
                break;
            }
        }
        builders
    }

    /// What is done with each builder that nobody needs.
    fn idle(self, f: &Function) -> Vec<Vec<Inst>> {
        let mut uses: SideTable<Value, u32> = SideTable::new();
        if !self.deeds.is_empty() {
            for &block in f.blocks() {
                for_each_use(f, block, |_, value| uses[value] += 1);
            }
        }
        let of = self.of;
        let is_idle = |(number, deeds): &(u32, Vec<Inst>)| {
            let is_builder = |value: Value| of[value] == *number;
            let results = || deeds.iter().filter_map(|&inst| f.first_result(inst));
            // All uses are these calls, each of which has the builder once.
            let used: u32 = results().filter(|&value| is_builder(value)).map(|value| uses[value]).sum();
            used as usize == deeds.len() - 1 && results().all(|value| is_builder(value) || uses[value] == 0)
        };
        (1..).zip(self.deeds).filter(is_idle).map(|(_, deeds)| deeds).collect()
    }
}

/// Whether an instruction makes a builder.
fn is_made(f: &Function, inst: Inst, names: &Names, pool: &ConstantPool<'_>) -> bool {
    names.instruction_of(f, inst).is_some_and(|made| {
        let class = match made.operand {
            Operand::Constant(index) => pool.class(index).ok(),
            _ => None,
        };
        made.op == Opcode::New && class.is_some_and(holds_text)
    })
}

/// Whether objects of a class hold a text.
fn holds_text(class: &[u8]) -> bool {
    is_builder(class) || class == b"java/lang/String"
}

/// Whether a call does nothing but fill in a builder or ask it something.
fn is_deed(f: &Function, inst: Inst, names: &Names, pool: &ConstantPool<'_>) -> bool {
    let Some((op, member)) = called(f, inst, names, pool) else { return false };
    // What one of these classes has in common with another does the same.
    let as_builder = MemberRef { class: b"java/lang/StringBuilder", ..member };
    holds_text(member.class) && (throws_nothing(op, &as_builder) || begins(f, inst, &member, names, pool))
}

/// Whether a call begins a builder with a text, or with room for a text.
fn begins(f: &Function, inst: Inst, member: &MemberRef<'_>, names: &Names, pool: &ConstantPool<'_>) -> bool {
    let &[_, with] = f.args(inst) else { return false };
    match (member.name, member.descriptor) {
        (b"<init>", b"(Ljava/lang/String;)V") => is_text(f, with, names, pool),
        (b"<init>", b"(I)V") if is_builder(member.class) => {
            int(f, with).is_some_and(|room| (0..=LONGEST).contains(&room))
        }
        _ => false,
    }
}
