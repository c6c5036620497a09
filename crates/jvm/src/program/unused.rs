//! Fields that nobody reads, objects that nobody uses.
//!
//! A store to a field that no instruction reads, and nothing outside sees, goes; what it stored is then
//! unused, too. So does an object whose constructor does nothing but fill it in, if nothing but that
//! constructor ever gets it. Null checks stay: a store through null throws.

use hashbrown::{HashMap, HashSet};
use planish_base::Id;
use planish_classfile::{ConstantPool, MemberRef, Opcode, Operand};
use planish_ir::{Function, Inst, Terminator, Value};
use planish_ops::Op;
use rustc_hash::FxBuildHasher;

use crate::naming::{Named, Names};
use crate::program::inline::body;
use crate::program::needless::Marked;
use crate::program::pure::{QUIET, initializes};
use crate::program::{Class, Found, Method, Program};

/// Constructors that fill in an object and do nothing else, by class, name and descriptor, and whether making an
/// object may initialize a class. It does not in methods of that class itself, which is initialized by then, or
/// about to be.
#[derive(Default)]
pub struct PlainConstructors(HashMap<Box<[u8]>, bool, FxBuildHasher>);

impl PlainConstructors {
    /// Those of a program. O(instructions of constructors), times the depth of the hierarchy.
    pub fn of(program: &Program<'_>) -> Self {
        let mut plain = PlainConstructors::default();
        let mut known: Vec<Option<bool>> = vec![None; program.counts()[1]];
        for method in program.methods.ids() {
            let info = &program.methods[method];
            if program.member_name(info.selector) == b"<init>" && is_plain(program, method, &mut known, 0) {
                let name = [program.name(info.class), b".", program.text(info.selector)].concat();
                plain.0.insert(name.into(), initializes(program, info.class));
            }
        }
        plain
    }

    /// Whether a method of the class `running` may leave out making an object by this constructor.
    pub(crate) fn contains(&self, member: &MemberRef<'_>, running: &[u8]) -> bool {
        let initializes = self.0.get(&[member.class, b".", member.name, member.descriptor].concat()[..]);
        initializes.is_some_and(|&initializes| !initializes || member.class == running)
    }
}

/// How deep constructors may call each other.
const DEEPEST: u32 = 30;

fn is_plain(program: &Program<'_>, method: Method, known: &mut [Option<bool>], depth: u32) -> bool {
    if let Some(known) = known[method.index()] {
        return known;
    }
    let plain = depth < DEEPEST && fills_in(program, method, known, depth).is_some();
    known[method.index()] = Some(plain);
    plain
}

/// Whether a constructor is one line of instructions that load, compute and store in the fresh object.
fn fills_in(program: &Program<'_>, method: Method, known: &mut [Option<bool>], depth: u32) -> Option<()> {
    let info = &program.methods[method];
    if has_finalizer(program, info.class) {
        return None;
    }
    let pool = &program.classes[info.class].file.pool;
    let code = body(program, method)?;
    if !code.handlers.is_empty() {
        return None;
    }
    // For each slot of the stack whether it is the object.
    let mut stack: Vec<bool> = Vec::new();
    for instruction in &code.instructions {
        use Opcode::*;
        let op = instruction.op;
        let (pops, pushes) = planish_classfile::limits::effect(instruction, pool).ok()?;
        let below = stack.len().checked_sub(usize::from(pops))?;
        let loads = (Iload..=Aload).contains(&op) || (Iload0..=Aload3).contains(&op);
        match (op, &instruction.operand) {
            (Return, _) => return Some(()),
            (Putfield, _) if stack.get(below) == Some(&true) => {}
            (Invokespecial, &Operand::Constant(index)) if stack.get(below) == Some(&true) => {
                let member = pool.member(index).ok()?;
                if member.name != b"<init>" || stack[below + 1..].contains(&true) {
                    return None;
                }
                let is_quiet = QUIET.contains(&member.class) && program.class_named(member.class).is_none();
                if member.class != b"java/lang/Object" && !is_quiet {
                    let id = program.hierarchy.lookup(member.class)?;
                    let selector = program.selector(&[member.name, member.descriptor].concat())?;
                    let Found::Program(above) = program.resolve_method(id, selector) else { return None };
                    is_plain(program, above, known, depth + 1).then_some(())?;
                }
            }
            (Ldc | LdcW | Ldc2W, &Operand::Constant(index)) => {
                use planish_classfile::Constant::{Double, Float, Integer, Long, String};
                let constant = pool.get(index).ok()?;
                matches!(constant, Integer(_) | Float(_) | Long(_) | Double(_) | String(_)).then_some(())?;
            }
            _ if loads || (AconstNull..=Sipush).contains(&op) => {}
            _ if (Iadd..=Lxor).contains(&op) && !matches!(op, Idiv | Ldiv | Irem | Lrem) => {}
            _ if (I2l..=I2s).contains(&op) => {}
            _ => return None,
        }
        stack.truncate(below);
        let is_object = loads && instruction.slot() == Some(0);
        stack.extend(vec![is_object; usize::from(pushes)]);
    }
    None
}

/// Whether something runs when an object of a class is forgotten, as far as that can be seen.
fn has_finalizer(program: &Program<'_>, class: Class) -> bool {
    let finalize = program.selector(b"finalize()V");
    program.hierarchy.ancestors(program.classes[class].id).any(|above| match program.class(above) {
        Some(above) => finalize.is_some_and(|finalize| program.declared_method(above, finalize).is_some()),
        None => above != program.hierarchy.object() && !QUIET.contains(&program.hierarchy.name(above)),
    })
}

/// The instruction of the class file that an operation is.
fn instruction_of<'n>(f: &Function, inst: Inst, names: &'n Names) -> Option<&'n planish_classfile::Insn> {
    let data = f.inst(inst);
    match (data.op, names.named(data.descr?)) {
        (Op::Call, Named::Instruction(instruction)) => Some(instruction),
        _ => None,
    }
}

/// Removes stores to fields that nothing reads. Gives their number.
pub fn remove_stores(
    f: &mut Function,
    unread: &HashSet<Box<[u8]>, FxBuildHasher>,
    names: &Names,
    pool: &ConstantPool<'_>,
    class: &[u8],
    is_static: bool,
) -> u64 {
    if unread.is_empty() {
        return 0;
    }
    let is_unread = |index: u16, of: Option<&[u8]>| {
        pool.member(index).is_ok_and(|member| {
            of.is_none_or(|of| member.class == of)
                && unread.contains(&[member.class, b".", member.name, b":", member.descriptor].concat()[..])
        })
    };
    let mut removed = 0;
    for block in f.blocks().to_vec() {
        let insts = f.block_insts(block).to_vec();
        let mut kept = Vec::with_capacity(insts.len());
        for &inst in &insts {
            let data = *f.inst(inst);
            let named = data.descr.map(|descr| names.named(descr));
            // A static store initializes a class, but not the one that is running.
            let (goes, object) = match (data.op, named) {
                (Op::SetStatic, Some(Named::Field(index))) => (is_unread(*index, Some(class)), None),
                (Op::SetField, Some(Named::Field(index))) => (is_unread(*index, None), Some(f.args(inst)[0])),
                (Op::Call, Some(Named::Instruction(instruction))) => {
                    match (instruction.op, &instruction.operand) {
                        (Opcode::Putstatic, Operand::Constant(index)) => {
                            (is_unread(*index, Some(class)), None)
                        }
                        (Opcode::Putfield, Operand::Constant(index)) => {
                            (is_unread(*index, None), Some(f.args(inst)[0]))
                        }
                        _ => (false, None),
                    }
                }
                _ => (false, None),
            };
            if !goes {
                kept.push(inst);
                continue;
            }
            removed += 1;
            if let Some(object) = object {
                let is_this = !is_static && f.params().first() == Some(&object);
                let made = f.def_inst(object).and_then(|made| instruction_of(f, made, names));
                let is_new = made.is_some_and(|made| made.op == Opcode::New);
                if !is_this && !is_new {
                    kept.push(f.make_inst(Op::NullCheck, &[object], &[], None, data.exit, data.location));
                }
            }
        }
        if kept != insts {
            f.replace_insts(block, kept);
        }
    }
    removed
}

/// Removes objects that only their constructor gets, in a method of `class`. Gives their number.
pub fn remove_objects(
    f: &mut Function,
    plain: &PlainConstructors,
    names: &Names,
    pool: &ConstantPool<'_>,
    class: &[u8],
) -> u64 {
    if plain.0.is_empty() {
        return 0;
    }
    let is_made_plainly = |inst: Inst| {
        instruction_of(f, inst, names).is_some_and(|instruction| {
            let Operand::Constant(index) = instruction.operand else { return false };
            instruction.op == Opcode::Invokespecial
                && pool.member(index).is_ok_and(|member| plain.contains(&member, class))
        })
    };
    // How often each object is used, and how often by plain constructors that make it.
    let mut uses = vec![(0u32, 0u32); f.value_count()];
    let see = |value: Value, uses: &mut Vec<(u32, u32)>| uses[value.index()].0 += 1;
    for (_, inst) in f.live_insts() {
        f.args(inst).iter().for_each(|&arg| see(arg, &mut uses));
        if let Some(exit) = f.inst(inst).exit {
            f.exit_args(exit).iter().for_each(|&arg| see(arg, &mut uses));
        }
        if is_made_plainly(inst) {
            uses[f.args(inst)[0].index()].1 += 1;
        }
    }
    for &block in f.blocks() {
        let terminator = f.terminator(block);
        terminator.condition().into_iter().for_each(|value| see(value, &mut uses));
        for call in terminator.calls() {
            f.list(call.args).iter().for_each(|&arg| see(arg, &mut uses));
        }
        match terminator {
            Terminator::Return(results) => f.list(*results).iter().for_each(|&v| see(v, &mut uses)),
            Terminator::Throw(_, Some(exit)) => f.exit_args(*exit).iter().for_each(|&v| see(v, &mut uses)),
            _ => {}
        }
    }
    let is_new = |value: Value| {
        f.def_inst(value)
            .and_then(|made| instruction_of(f, made, names))
            .is_some_and(|made| made.op == Opcode::New)
    };
    let goes = |value: Value| is_new(value) && uses[value.index()] == (1, 1);
    let mut removed = Marked::new(f);
    let mut count = 0;
    for (_, inst) in f.live_insts() {
        if is_made_plainly(inst) && goes(f.args(inst)[0]) {
            removed.add(inst);
            f.def_inst(f.args(inst)[0]).into_iter().for_each(|made| removed.add(made));
            count += 1;
        }
    }
    removed.remove(f);
    count
}
