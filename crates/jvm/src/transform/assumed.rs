//! Removal of calls that rules declare free of side effects, and conversion of checks for null: `-assumenosideeffects` of ProGuard
//! and R8, and `-convertchecknotnull` of R8.
//!
//! `-assumenosideeffects` of ProGuard's language: whoever writes it says that a call of these methods does nothing
//! but give its result, and throws nothing. Where the result is dropped at once, the call is replaced by dropping the
//! arguments; what computes them for nothing else goes later, as anything that is not used does. Calls of a method
//! that a class inherits or overrides count as calls of it. Constructors stay, and so do all calls of a method that would
//! become too long: dropping arguments may take more bytes than the call.
//!
//! A static method that `-convertchecknotnull` names throws if its first argument is null, and gives nothing or that argument.
//! A call of it becomes `getClass()` of the argument, which throws as well, without the text that says what was null. The
//! texts, and what puts them together, go if nothing else needs them.

use std::collections::BTreeSet;

use hashbrown::{HashMap, HashSet};
use planish_classfile::descriptor::MethodType;
use planish_classfile::pool::MemberKind;
use planish_classfile::{Body, Code, ConstantPool, Insn, Kind, MemberRef, Opcode, Operand, Result};
use planish_jvm_analysis::assumed_values::patterns_for;
use planish_jvm_analysis::passes::{ASSUMED_CALLS, NULL_CHECKS};
use planish_jvm_analysis::record::ProgramRecord;
use planish_jvm_model::program::{Class, Program};
use planish_keep::{AssumeRule, Configuration};
use rustc_hash::FxBuildHasher;

use crate::transform::compiled::stays_compiled;

/// What rules say of a method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Said {
    /// That a call does nothing.
    NoEffects,
    /// That a call checks its first argument for null.
    ChecksNull,
}

/// What is said by an option.
fn said_by(option: &str) -> Option<Said> {
    match option {
        "assumenosideeffects" => Some(Said::NoEffects),
        "convertchecknotnull" => Some(Said::ChecksNull),
        _ => None,
    }
}

/// Whether rules say of any method that its calls may go, or become checks for null.
pub fn assumes_of_calls(rules: &Configuration) -> bool {
    rules.assume.iter().any(|rule| said_by(&rule.option).is_some())
}

/// What became of calls.
#[derive(Clone, Copy, Default, Debug)]
pub struct Forgotten {
    /// How many went, or became checks.
    pub calls: u64,
    /// By how many instructions the program has become shorter; below 0 if it is longer.
    pub instructions: i64,
    /// By how many bytes its classes have.
    pub bytes: i64,
}

/// The calls of a program that rules say something of.
pub struct Assumed<'r, 'p, 'a> {
    program: &'p Program<'a>,
    without_effects: Vec<&'r AssumeRule>,
    null_checks: Vec<&'r AssumeRule>,
    /// By class, name and descriptor as instructions name them.
    known: HashMap<Box<[u8]>, Option<Said>, FxBuildHasher>,
}

impl<'r, 'p, 'a> Assumed<'r, 'p, 'a> {
    /// What rules say of a program.
    pub fn new(program: &'p Program<'a>, rules: &'r Configuration) -> Self {
        let that_say = |said| rules.assume.iter().filter(move |rule| said_by(&rule.option) == Some(said));
        Assumed {
            program,
            without_effects: that_say(Said::NoEffects).collect(),
            null_checks: that_say(Said::ChecksNull).collect(),
            known: HashMap::default(),
        }
    }

    /// A class without the calls that do nothing and whose results are dropped, and with checks for null in place of those that
    /// make such; nothing if there is none. The methods in `pinned`, by class, name and descriptor, stay as they are, and so do calls that the record does not allow to
    /// go.
    pub fn without_calls(
        &mut self,
        class: Class,
        pinned: &BTreeSet<Box<[u8]>>,
        record: &mut ProgramRecord,
        forgotten: &mut Forgotten,
    ) -> Result<Option<Vec<u8>>> {
        let program = self.program;
        let mut file = program.classes[class].file.clone();
        let before = forgotten.calls;
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
            let mut calls = self.calls(&code, &file.pool);
            calls.retain(|call| match call.said {
                Said::NoEffects => record
                    .rewrite(&ASSUMED_CALLS, || format!("a call in {} goes", program.show_method(method))),
                Said::ChecksNull => record.rewrite(&NULL_CHECKS, || {
                    format!("a call in {} is a check for null", program.show_method(method))
                }),
            });
            if calls.is_empty() {
                continue;
            }
            let (old, instructions) = (code.byte_len(), code.instructions.len());
            replace(&mut code, &calls, &mut file.pool)?;
            let mut content = Vec::new();
            // What is too long, or what a branch cannot reach any more, cannot be written.
            if code.write(&mut content).is_err() || !stays_compiled(old, code.byte_len()) {
                continue;
            }
            forgotten.calls += calls.len() as u64;
            forgotten.instructions += instructions as i64 - code.instructions.len() as i64;
            file.methods[place].attributes[at].content = content.into();
        }
        if forgotten.calls == before { Ok(None) } else { file.to_bytes().map(Some) }
    }

    /// The calls of a body that go, or become checks: their places in ascending order, and what they are given and give.
    fn calls(&mut self, code: &Code, pool: &ConstantPool<'_>) -> Vec<Call> {
        // Where something begins or ends, an instruction stays.
        let mut borders: HashSet<u32, FxBuildHasher> =
            code.instructions.iter().flat_map(Insn::targets).collect();
        borders.extend(code.handlers.iter().flat_map(|handler| [handler.start, handler.end, handler.target]));
        borders.extend(code.frames().unwrap_or_default().iter().map(|frame| frame.at));
        let mut calls = Vec::new();
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
            let gives = match (result, next) {
                (None, _) => Gives::Nothing,
                (Some(1), Some(Opcode::Pop)) | (Some(2), Some(Opcode::Pop2))
                    if !borders.contains(&(at as u32 + 1)) =>
                {
                    Gives::Dropped
                }
                _ => Gives::Needed,
            };
            let Some(said) = self.said(&member) else { continue };
            let is_possible = match said {
                Said::NoEffects => gives != Gives::Needed,
                Said::ChecksNull => instruction.op == Opcode::Invokestatic && gives_back_what_it_checks(&ty),
            };
            if is_possible {
                let mut pops: Vec<Opcode> = ty.parameters().map(|ty| pop(ty.slots())).collect();
                pops.reverse();
                if instruction.op != Opcode::Invokestatic {
                    pops.push(Opcode::Pop);
                }
                calls.push(Call { at, said, gives, pops });
            }
        }
        calls
    }

    fn said(&mut self, member: &MemberRef<'_>) -> Option<Said> {
        let key = [member.class, b".", member.name, member.descriptor].concat();
        if let Some(&known) = self.known.get(&key[..]) {
            return known;
        }
        let is_named = |rules: &[&'r AssumeRule]| {
            member.name.first() != Some(&b'<') && !patterns_for(self.program, rules, member, false).is_empty()
        };
        let found = match () {
            () if is_named(&self.without_effects) => Some(Said::NoEffects),
            () if is_named(&self.null_checks) => Some(Said::ChecksNull),
            () => None,
        };
        self.known.insert(key.into(), found);
        found
    }
}

/// Whether a method may check its first argument, a reference, and give nothing or that back.
fn gives_back_what_it_checks(ty: &MethodType<'_>) -> bool {
    let first = ty.parameters().next().filter(|first| first.is_reference());
    first.is_some_and(|first| ty.result().is_none_or(|result| result == first))
}

/// Whether a call has a result, and what becomes of that.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Gives {
    Nothing,
    /// The next instruction drops it.
    Dropped,
    Needed,
}

/// A call that goes, or becomes a check.
struct Call {
    at: usize,
    said: Said,
    gives: Gives,
    /// What drops its arguments, the last one first.
    pops: Vec<Opcode>,
}

fn pop(slots: u16) -> Opcode {
    if slots == 2 { Opcode::Pop2 } else { Opcode::Pop }
}

/// Drops the arguments of calls in their place, or checks the first.
fn replace(code: &mut Code, calls: &[Call], pool: &mut ConstantPool<'_>) -> Result<()> {
    let old = std::mem::take(&mut code.instructions);
    let mut moved = Vec::with_capacity(old.len() + 1);
    let mut new = Vec::with_capacity(old.len());
    let mut waiting = calls.iter().peekable();
    let mut is_dropped = false;
    // A check of the only argument holds it twice.
    let is_held_twice =
        |call: &Call| call.said == Said::ChecksNull && call.gives == Gives::Needed && call.pops.len() == 1;
    code.max_stack = code.max_stack.saturating_add(u16::from(calls.iter().any(is_held_twice)));
    for (at, instruction) in old.into_iter().enumerate() {
        moved.push(new.len() as u32);
        if std::mem::take(&mut is_dropped) {
            continue;
        }
        let Some(call) = waiting.next_if(|call| call.at == at) else {
            new.push(instruction);
            continue;
        };
        let checked = usize::from(call.said == Said::ChecksNull);
        new.extend(call.pops[..call.pops.len() - checked].iter().map(|&op| Insn::plain(op)));
        if call.said == Said::ChecksNull {
            if call.gives == Gives::Needed {
                new.push(Insn::plain(Opcode::Dup));
            }
            new.push(get_class(pool)?);
            new.push(Insn::plain(Opcode::Pop));
        }
        is_dropped = call.gives == Gives::Dropped;
        // Something may jump here, and ranges begin here.
        if new.len() as u32 == moved[at] {
            new.push(Insn::plain(Opcode::Nop));
        }
    }
    moved.push(new.len() as u32);
    code.instructions = new;
    code.remap(|position| moved.get(position as usize).copied())
}

/// `getClass()`, which throws where there is no object.
fn get_class(pool: &mut ConstantPool<'_>) -> Result<Insn> {
    let member = MemberRef {
        kind: MemberKind::Method,
        class: b"java/lang/Object",
        name: b"getClass",
        descriptor: b"()Ljava/lang/Class;",
    };
    let index = pool.add_member(member)?;
    Ok(Insn { op: Opcode::Invokevirtual, operand: Operand::Constant(index) })
}
