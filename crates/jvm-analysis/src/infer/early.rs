//! Initialization analysis of synthetic fields: fields (`this$0`, `val$x`) that are set before anybody can see the
//! object.
//!
//! An object whose fields nobody set yet holds null and zero in them, and a method that a constructor calls may see
//! that. But compilers set some fields before they call the constructor above, while nothing else can have the object:
//! the outer object of an inner one (`this$0`), and what a local class took of the variables around it (`val$x`). Of
//! such a field only what is stored can be read, if it is final: of others a thread that came by the object without care
//! may see what was there before (The Java Language Specification, 17.5).

use planish_classfile::{Flags, Insn, Opcode, Operand};
use planish_jvm_ir::code::bare_body;
use planish_jvm_model::program::{Class, Field, Method, Program};

/// The fields of a class that each of its constructors sets before it calls the one above. O(instructions of
/// constructors up to that call).
pub(super) fn set_early(program: &Program<'_>, class: Class) -> Vec<Field> {
    let mut common: Option<Vec<Field>> = None;
    for &method in &program.classes[class].methods {
        if program.member_name(program.methods[method].selector) != b"<init>" {
            continue;
        }
        // Another one of its class sets what one sets that calls it.
        let Some(set) = set_by(program, class, method) else { continue };
        common = Some(match common {
            None => set,
            Some(before) => before.into_iter().filter(|field| set.contains(field)).collect(),
        });
    }
    common.unwrap_or_default()
}

/// The fields that one constructor sets, before the first jump and the first object that it makes; nothing if it calls
/// another one of its class.
fn set_by(program: &Program<'_>, class: Class, method: Method) -> Option<Vec<Field>> {
    let own = program.name(class);
    let pool = &program.classes[class].file.pool;
    let mut set = Vec::new();
    let Some(code) = bare_body(program, method) else { return Some(set) };
    let mut before = [None, None];
    for instruction in &code.instructions {
        let op = instruction.op;
        let member = match instruction.operand {
            Operand::Constant(index) => pool.member(index).ok(),
            _ => None,
        };
        match (op, member) {
            (Opcode::Invokespecial, Some(member)) if member.name == b"<init>" && member.class == own => {
                return None;
            }
            (Opcode::Putfield, Some(member)) if member.class == own => {
                let selector = program.selector(&[member.name, b":", member.descriptor].concat());
                let field = selector.and_then(|selector| program.declared_field(class, selector));
                if let [Some(Push::This), Some(Push::Other)] = before {
                    set.extend(field.filter(|&field| program.fields[field].flags.has(Flags::FINAL)));
                }
            }
            (Opcode::Invokespecial | Opcode::New, _) => break,
            _ if instruction.targets().next().is_some() || is_store_of_this(instruction) => break,
            _ => {}
        }
        before = [before[1], push(instruction)];
    }
    Some(set)
}

/// What an instruction pushes that does nothing else.
#[derive(Clone, Copy)]
enum Push {
    This,
    Other,
}

fn push(instruction: &Insn) -> Option<Push> {
    let op = instruction.op;
    let is_load =
        (Opcode::Iload..=Opcode::Aload).contains(&op) || (Opcode::Iload0..=Opcode::Aload3).contains(&op);
    match instruction.slot() {
        Some(0) if is_load => Some(Push::This),
        Some(_) if is_load => Some(Push::Other),
        _ => (Opcode::AconstNull..=Opcode::Ldc2W).contains(&op).then_some(Push::Other),
    }
}

fn is_store_of_this(instruction: &Insn) -> bool {
    matches!(instruction.op, Opcode::Astore | Opcode::Astore0) && instruction.slot() == Some(0)
}
