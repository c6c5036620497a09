//! Method bodies as text, for people to read and compare.
//!
//! An instruction a line, as the specification names it, with what its constants mean in their place; a target of
//! jumps has a label and a line of its own. Neither offsets nor indices of constants are shown: both change with
//! every edit, and the texts of a body before and after a change should differ only where the code does.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::code::{Code, CodeBytes};
use crate::constant::Constant;
use crate::error::Result;
use crate::instruction::{Operand, Switch};
use crate::mutf8;
use crate::opcode::Opcode;
use crate::pool::ConstantPool;

/// The longest text constant that is shown whole, in characters.
const LONGEST_TEXT: usize = 80;

/// The lines of a body: labels at the margin, instructions indented, handlers at the end in the order in which they
/// are tried. The error is that of a malformed body. O(instructions).
pub fn listing(bytes: &CodeBytes<'_>, pool: &ConstantPool<'_>) -> Result<Vec<String>> {
    let code = Code::read(bytes, pool)?;
    let labels = labels(&code);
    let mut lines = Vec::with_capacity(code.instructions.len() + labels.len() + code.handlers.len());
    for (at, instruction) in (0u32..).zip(&code.instructions) {
        lines.extend(labels.get(&at).map(|label| format!("{label}:")));
        let mut line = format!("    {}", instruction.op);
        operand(&mut line, instruction.op, &instruction.operand, &labels, pool);
        lines.push(line);
    }
    let end = code.instructions.len() as u32;
    lines.extend(labels.get(&end).map(|label| format!("{label}:")));
    for handler in &code.handlers {
        let [start, end, target] = [handler.start, handler.end, handler.target].map(|at| &labels[&at]);
        let class = match handler.class {
            0 => "anything".to_owned(),
            class => text(pool.class(class).unwrap_or_default()),
        };
        lines.push(format!("    from {start} to {end} catch {class} at {target}"));
    }
    Ok(lines)
}

/// The names of the positions that jumps and handlers speak of, in order.
fn labels(code: &Code) -> BTreeMap<u32, String> {
    let targets = code.instructions.iter().flat_map(|instruction| instruction.targets());
    let ranges = code.handlers.iter().flat_map(|handler| [handler.start, handler.end, handler.target]);
    let mut labels: BTreeMap<u32, String> = targets.chain(ranges).map(|at| (at, String::new())).collect();
    for (number, label) in (1..).zip(labels.values_mut()) {
        *label = format!("L{number}");
    }
    labels
}

/// Appends the operand of an instruction.
fn operand(
    line: &mut String,
    op: Opcode,
    operand: &Operand<Box<Switch>>,
    labels: &BTreeMap<u32, String>,
    pool: &ConstantPool<'_>,
) {
    let written = match operand {
        Operand::None => Ok(()),
        // `newarray` names its element type by a number.
        Operand::Immediate(number) if op == Opcode::Newarray => write!(line, " {}", element(*number)),
        Operand::Immediate(number) => write!(line, " {number}"),
        Operand::Local { slot, .. } => write!(line, " {slot}"),
        Operand::Increment { slot, by, .. } => write!(line, " {slot} by {by}"),
        Operand::Constant(index) => write!(line, " {}", constant(*index, pool)),
        Operand::Interface { method, .. } => write!(line, " {}", constant(*method, pool)),
        Operand::Dimensions { class, count } => {
            write!(line, " {} dimensions {count}", constant(*class, pool))
        }
        Operand::Target(at) => write!(line, " {}", labels[at]),
        Operand::Switch(switch) => {
            for (key, at) in &switch.cases {
                let _ = write!(line, " {key}: {}", labels[at]);
            }
            write!(line, " default: {}", labels[&switch.default])
        }
    };
    written.expect("writing to a string does not fail");
}

/// The element type of `newarray`.
fn element(number: i16) -> &'static str {
    let names = ["boolean", "char", "float", "double", "byte", "short", "int", "long"];
    usize::try_from(number - 4).ok().and_then(|place| names.get(place)).copied().unwrap_or("?")
}

/// A constant as it is meant. What the pool says wrongly is shown as a question mark: a listing is no judge.
fn constant(index: u16, pool: &ConstantPool<'_>) -> String {
    let shown = pool.get(index).map(|constant| match constant {
        Constant::Utf8(bytes) => quoted(bytes),
        Constant::Integer(number) => number.to_string(),
        Constant::Float(bits) => format!("{:?}f", f32::from_bits(bits)),
        Constant::Long(number) => format!("{number}L"),
        Constant::Double(bits) => format!("{:?}", f64::from_bits(bits)),
        Constant::String(text) => pool.utf8(text).map_or_else(|_| "?".into(), quoted),
        Constant::Class(name)
        | Constant::MethodType(name)
        | Constant::Module(name)
        | Constant::Package(name) => pool.utf8(name).map_or_else(|_| "?".into(), text),
        Constant::Field(..) | Constant::Method(..) | Constant::InterfaceMethod(..) => member(index, pool),
        Constant::MethodHandle(_, of) => format!("handle of {}", member(of, pool)),
        Constant::NameAndType(..) => {
            pool.name_and_type(index).map_or_else(|_| "?".into(), |(name, ty)| typed(name, ty))
        }
        Constant::Dynamic(..) | Constant::InvokeDynamic(..) => pool
            .dynamic(index)
            .map_or_else(|_| "?".into(), |(number, name, ty)| format!("{} by #{number}", typed(name, ty))),
    });
    shown.unwrap_or_else(|_| "?".into())
}

/// A member as `a/B.run()V` or `a/B.size:I`.
fn member(index: u16, pool: &ConstantPool<'_>) -> String {
    match pool.member(index) {
        Ok(member) => format!("{}.{}", text(member.class), typed(member.name, member.descriptor)),
        Err(_) => "?".into(),
    }
}

/// A name with its descriptor: a method's follows, a field's stands behind a colon.
fn typed(name: &[u8], descriptor: &[u8]) -> String {
    let divider = if descriptor.first() == Some(&b'(') { "" } else { ":" };
    format!("{}{divider}{}", text(name), text(descriptor))
}

fn text(bytes: &[u8]) -> String {
    mutf8::to_str(bytes).map_or_else(|| String::from_utf8_lossy(bytes).into_owned(), String::from)
}

/// A text in quotes, cut where it is long.
fn quoted(bytes: &[u8]) -> String {
    let text = text(bytes);
    match text.char_indices().nth(LONGEST_TEXT) {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_have_labels_and_constants_their_meaning() {
        let mut pool = ConstantPool::new();
        let text = pool.add_string("a \"b\"".as_bytes()).expect("room");
        // aload_0; ifnull +6; ldc; areturn; aconst_null; areturn
        let code = [0x2a, 0xc6, 0, 6, 0x12, text as u8, 0xb0, 0x01, 0xb0];
        let handlers = vec![crate::code::Handler { start: 4, end: 7, target: 7, class: 0 }];
        let bytes = CodeBytes {
            max_stack: 1,
            max_locals: 1,
            code: &code,
            offset: 0,
            handlers,
            attributes: Vec::new(),
        };
        let lines = listing(&bytes, &pool).expect("well-formed");
        assert_eq!(
            lines,
            [
                "    aload_0",
                "    ifnull L2",
                "L1:",
                "    ldc \"a \\\"b\\\"\"",
                "    areturn",
                "L2:",
                "    aconst_null",
                "    areturn",
                "    from L1 to L2 catch anything at L2",
            ]
        );
    }
}
