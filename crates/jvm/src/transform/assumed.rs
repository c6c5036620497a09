//! Removal of calls that rules declare free of side effects: `-assumenosideeffects` of ProGuard and R8.
//!
//! `-assumenosideeffects` of ProGuard's language: whoever writes it says that a call of these methods does nothing
//! but give its result, and throws nothing. Where the result is dropped at once, the call is replaced by dropping the
//! arguments; what computes them for nothing else goes later, as anything that is not used does. Calls of a method
//! that a class inherits or overrides count as calls of it. Constructors stay, and so do all calls of a method that would
//! become too long: dropping arguments may take more bytes than the call.

use std::collections::BTreeSet;

use hashbrown::{HashMap, HashSet};
use planish_classfile::descriptor::MethodType;
use planish_classfile::{Body, Code, ConstantPool, Insn, Kind, MemberRef, Opcode, Operand, Result};
use planish_jvm_analysis::assumed_values::patterns_for;
use planish_jvm_analysis::passes::ASSUMED_CALLS;
use planish_jvm_analysis::record::ProgramRecord;
use planish_jvm_model::program::{Class, Program};
use planish_keep::{AssumeRule, Configuration};
use rustc_hash::FxBuildHasher;

use crate::transform::compiled::stays_compiled;

/// The option that says it.
const OPTION: &str = "assumenosideeffects";

/// Whether rules say of any method that it has no effects.
pub fn assumes_no_effects(rules: &Configuration) -> bool {
    rules.assume.iter().any(|rule| rule.option == OPTION)
}

/// The calls of a program that rules say have no effects.
pub struct Assumed<'r, 'p, 'a> {
    program: &'p Program<'a>,
    rules: Vec<&'r AssumeRule>,
    /// By class, name and descriptor as instructions name them.
    known: HashMap<Box<[u8]>, bool, FxBuildHasher>,
}

impl<'r, 'p, 'a> Assumed<'r, 'p, 'a> {
    /// What rules say of a program.
    pub fn new(program: &'p Program<'a>, rules: &'r Configuration) -> Self {
        let rules = rules.assume.iter().filter(|rule| rule.option == OPTION).collect();
        Assumed { program, rules, known: HashMap::default() }
    }

    /// A class without those calls whose results are dropped, and how many there were; nothing if there is none. The
    /// methods in `pinned`, by class, name and descriptor, stay as they are, and so do calls that the record does not allow to
    /// go.
    pub fn without_calls(
        &mut self,
        class: Class,
        pinned: &BTreeSet<Box<[u8]>>,
        record: &mut ProgramRecord,
    ) -> Result<Option<(Vec<u8>, u64)>> {
        let program = self.program;
        let mut file = program.classes[class].file.clone();
        let mut count = 0;
        for (place, &method) in program.classes[class].methods.iter().enumerate() {
            let name = [program.name(class), b".", program.text(program.methods[method].selector)].concat();
            let is_code = |kind: Option<Kind>| kind == Some(Kind::Code);
            let attributes = &file.methods[place].attributes;
            let Some(at) = attributes.iter().position(|a| a.kind(&file.pool).is_ok_and(is_code)) else {
                continue;
            };
            if pinned.contains(&name[..]) {
                continue;
            }
            let Some(Body::Code(bytes)) = attributes[at].decode(&file.pool)? else { continue };
            let mut code = Code::read(&bytes, &file.pool)?;
            let mut drops = self.drops(&code, &file.pool);
            let say = || format!("a call in {} goes", program.show_method(method));
            drops.retain(|_| record.rewrite(&ASSUMED_CALLS, say));
            if drops.is_empty() {
                continue;
            }
            let old = code.byte_len();
            replace(&mut code, &drops)?;
            let mut content = Vec::new();
            // What is too long, or what a branch cannot reach any more, cannot be written.
            if code.write(&mut content).is_err() || !stays_compiled(old, code.byte_len()) {
                continue;
            }
            count += drops.len() as u64;
            file.methods[place].attributes[at].content = content.into();
        }
        if count == 0 { Ok(None) } else { Ok(Some((file.to_bytes()?, count))) }
    }

    /// The calls of a body that go: their places in ascending order, and what they are given and give.
    fn drops(&mut self, code: &Code, pool: &ConstantPool<'_>) -> Vec<Drop> {
        // Where something begins or ends, an instruction stays.
        let mut borders: HashSet<u32, FxBuildHasher> =
            code.instructions.iter().flat_map(Insn::targets).collect();
        borders.extend(code.handlers.iter().flat_map(|handler| [handler.start, handler.end, handler.target]));
        borders.extend(code.frames().unwrap_or_default().iter().map(|frame| frame.at));
        let mut drops = Vec::new();
        for (at, instruction) in code.instructions.iter().enumerate() {
            let member = match (instruction.op, &instruction.operand) {
                (
                    Opcode::Invokevirtual | Opcode::Invokestatic | Opcode::Invokespecial,
                    &Operand::Constant(index),
                ) => pool.member(index),
                (Opcode::Invokeinterface, &Operand::Interface { method, .. }) => pool.member(method),
                _ => continue,
            };
            let Ok(member) = member else { continue };
            let Some(ty) = MethodType::parse(member.descriptor) else { continue };
            let result = ty.result().map(|ty| ty.slots());
            let next = code.instructions.get(at + 1).map(|next| next.op);
            let is_dropped = match (result, next) {
                (None, _) => true,
                (Some(1), Some(Opcode::Pop)) | (Some(2), Some(Opcode::Pop2)) => {
                    !borders.contains(&(at as u32 + 1))
                }
                _ => false,
            };
            if !is_dropped || !self.has_no_effects(&member) {
                continue;
            }
            let mut pops: Vec<Opcode> = ty.parameters().map(|ty| pop(ty.slots())).collect();
            pops.reverse();
            if instruction.op != Opcode::Invokestatic {
                pops.push(Opcode::Pop);
            }
            drops.push(Drop { at, gives: result.is_some(), pops });
        }
        drops
    }

    fn has_no_effects(&mut self, member: &MemberRef<'_>) -> bool {
        let key = [member.class, b".", member.name, member.descriptor].concat();
        if let Some(&known) = self.known.get(&key[..]) {
            return known;
        }
        let found = self.is_said(member);
        self.known.insert(key.into(), found);
        found
    }

    fn is_said(&self, member: &MemberRef<'_>) -> bool {
        member.name.first() != Some(&b'<')
            && !patterns_for(self.program, &self.rules, member, false).is_empty()
    }
}

/// A call that goes.
struct Drop {
    at: usize,
    /// Whether the next instruction drops its result.
    gives: bool,
    /// What drops its arguments.
    pops: Vec<Opcode>,
}

fn pop(slots: u16) -> Opcode {
    if slots == 2 { Opcode::Pop2 } else { Opcode::Pop }
}

/// Drops the arguments of calls in their place.
fn replace(code: &mut Code, drops: &[Drop]) -> Result<()> {
    let old = std::mem::take(&mut code.instructions);
    let mut moved = Vec::with_capacity(old.len() + 1);
    let mut new = Vec::with_capacity(old.len());
    let mut waiting = drops.iter().peekable();
    let mut is_dropped = false;
    for (at, instruction) in old.into_iter().enumerate() {
        moved.push(new.len() as u32);
        if std::mem::take(&mut is_dropped) {
            continue;
        }
        match waiting.next_if(|drop| drop.at == at) {
            Some(drop) => {
                new.extend(drop.pops.iter().map(|&op| Insn::plain(op)));
                is_dropped = drop.gives;
                // Something may jump here, and ranges begin here.
                if new.len() as u32 == moved[at] {
                    new.push(Insn::plain(Opcode::Nop));
                }
            }
            None => new.push(instruction),
        }
    }
    moved.push(new.len() as u32);
    code.instructions = new;
    code.remap(|position| moved.get(position as usize).copied())
}
