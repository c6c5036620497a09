//! Library call folding of string builders (R8's `StringBuilderAppendOptimizer`): texts that are appended one after the
//! other.
//!
//! What compilers write for `"size: " + size` makes an empty builder and appends the text. A builder that is made of
//! the text has the same content, and saves a call. Two constants that are appended one after the other are one text.
//! A builder may have another capacity by that, so nothing is done in a program that asks for one.

use planish_classfile::mutf8::from_utf16;
use planish_classfile::pool::MemberKind;
use planish_classfile::{ConstantPool, Insn, MemberRef, Opcode};
use planish_ir::{Const, Exit, Function, Inst, Stands, Value};
use planish_jvm_analysis::string_methods::is_builder;
use planish_jvm_ir::naming::Names;
use planish_jvm_model::program::Program;
use planish_ops::{Op, Type};
use planish_pass::{Became, Leave};

use crate::transform::contents::{called, content, text_of};

/// Whether no class of a program asks a builder for its capacity. O(constants).
pub fn nobody_asks_for_capacity(program: &Program<'_>) -> bool {
    program.classes.values().all(|class| {
        let pool = &class.file.pool;
        let mut members = pool.indices().filter(|&index| pool.is_member(index));
        members.all(|index| pool.member(index).map_or(true, |member| member.name != b"capacity"))
    })
}

/// A builder to which a text may be added where it was made, or appended to, last.
struct Last {
    builder: Value,
    /// What the instruction gives, if that is the builder again.
    again: Option<Value>,
    class: Vec<u8>,
    /// What is in the builder, or what was appended last.
    text: Vec<u8>,
}

/// What an instruction does with a builder, if it makes one of a text or of nothing, or appends a constant.
fn last(f: &Function, inst: Inst, names: &Names, pool: &ConstantPool<'_>) -> Option<Last> {
    let (op, member) = called(f, inst, names, pool)?;
    let class = member.class;
    is_builder(class).then_some(())?;
    let class = class.to_vec();
    let (&builder, args) = f.args(inst).split_first()?;
    match (op, member.name, args) {
        (Opcode::Invokespecial, b"<init>", []) => {
            Some(Last { builder, again: None, class, text: Vec::new() })
        }
        (Opcode::Invokespecial, b"<init>", &[text]) if member.descriptor == b"(Ljava/lang/String;)V" => {
            let text = from_utf16(content(f, text, names, pool)?);
            Some(Last { builder, again: None, class, text })
        }
        (Opcode::Invokevirtual, b"append", &[appended]) => {
            let end = member.descriptor.iter().position(|byte| *byte == b')')?;
            let (ty, result) = (&member.descriptor[1..end], &member.descriptor[end + 1..]);
            (result == [b"L", &class[..], b";"].concat()).then_some(())?;
            let text = text_of(f, appended, ty, names, pool)?;
            Some(Last { builder, again: f.results(inst).next(), class, text })
        }
        _ => None,
    }
}

/// Whether two exits go to the same places with the same values.
fn same_exit(f: &Function, a: Option<Exit>, b: Option<Exit>) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => f.exit(a).target == f.exit(b).target && f.exit_args(a) == f.exit_args(b),
        _ => false,
    }
}

/// Makes builders of the texts that are appended to them first, and one text of constants that are appended one after
/// the other. Gives the number of calls that went.
pub fn join_texts(
    f: &mut Function,
    names: &mut Names,
    pool: &mut ConstantPool<'_>,
    leave: &mut Leave<'_>,
) -> u64 {
    let mut count = 0;
    for block in f.blocks().to_vec() {
        let insts = f.block_insts(block).to_vec();
        let mut kept: Vec<Inst> = Vec::with_capacity(insts.len());
        let mut stands = Stands::default();
        for inst in insts.iter().copied() {
            let is = |value: Value| stands.of(value);
            match kept.last().and_then(|&before| joined(f, before, inst, is, names, pool)) {
                Some(new) if leave.rewrite(f, inst, Became::Nothing) => {
                    // The builder has one name: what the calls give is the builder, too.
                    let before = kept.pop().and_then(|before| f.results(before).next());
                    let is = f.results(new).next().unwrap_or(f.args(new)[0]);
                    for old in before.into_iter().chain(f.results(inst)) {
                        stands.put(is, old);
                    }
                    kept.push(new);
                    count += 1;
                }
                _ => kept.push(inst),
            }
        }
        if kept.len() < insts.len() {
            f.replace_insts(block, kept);
            stands.write(f);
        }
    }
    count
}

/// The longest text that is made.
const LONGEST: usize = 4_000;

/// The instruction that does what two do, if the second appends a constant to what the first made or appended to. `is`
/// says what stands for a value.
fn joined(
    f: &mut Function,
    first: Inst,
    second: Inst,
    is: impl Fn(Value) -> Value,
    names: &mut Names,
    pool: &mut ConstantPool<'_>,
) -> Option<Inst> {
    let (before, after) = (last(f, first, names, pool)?, last(f, second, names, pool)?);
    after.again?;
    let builder = is(after.builder);
    let is_same = builder == is(before.builder) || before.again == Some(builder);
    let fits = before.text.len() + after.text.len() <= LONGEST;
    let exits = same_exit(f, f.inst(first).exit, f.inst(second).exit);
    (is_same && before.class == after.class && fits && exits).then_some(())?;
    let text = [before.text, after.text].concat();
    let class = before.class;
    let (op, name, descriptor) = match before.again {
        None => (Opcode::Invokespecial, &b"<init>"[..], b"(Ljava/lang/String;)V".to_vec()),
        Some(_) => {
            (Opcode::Invokevirtual, &b"append"[..], [b"(Ljava/lang/String;)L", &class[..], b";"].concat())
        }
    };
    let member = MemberRef { kind: MemberKind::Method, class: &class, name, descriptor: &descriptor };
    let method = pool.add_member(member).ok()?;
    let string = pool.add_string(&text).ok()?;
    let symbol = names.string(string, pool);
    let text = f.make_constant(Const::Symbol(symbol, Type::Ref));
    let descr = names.instruction(&Insn::constant(op, method), pool);
    let data = *f.inst(first);
    let results: Vec<Type> = before.again.map(|_| Type::Ref).into_iter().collect();
    Some(f.make_inst(Op::Call, &[before.builder, text], &results, Some(descr), data.exit, data.location))
}
