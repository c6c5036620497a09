//! Enum switch optimization (R8's `EnumValueOptimizer`): switches over enums without the tables that compilers make for
//! them.
//!
//! `switch (e)` becomes `switch (Outer$1.$SwitchMap$pkg$Enum[e.ordinal()])`, since who compiles it does not know in which
//! order the constants will be when the program runs. Who has the whole program knows: the ordinals stand in the
//! initializer of the enum, the numbers in that of the class with the table (javac's `$SwitchMap$`, Kotlin's
//! `$EnumSwitchMapping$`), and the switch can be on the ordinal itself. The table is not read any more, and its class
//! goes.
//!
//! That leaves out the initialization of the class with the table and of the enum, and of all enums of which that class has
//! tables. So all of them have to be as compilers write them, and do nothing but fill tables and make constants: each constructor
//! of an enum stores what it gets and calls nothing else. Then nothing of the program can run, or switch, while the constants are made.
//! The compilers' names are their own: a synthetic field of such a name is written nowhere else.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use hashbrown::HashMap;
use planish_base::Id;
use planish_classfile::{ConstantPool, Flags, Insn, MemberRef, Opcode, Operand};
use planish_ir::liveness::for_each_use;
use planish_ir::{Const, Function, Inst, Terminator, Value};
use planish_jvm_analysis::enum_ordinals::{Ordinals, initializer, is_of_own_type};
use planish_jvm_analysis::literal::number;
use planish_jvm_analysis::reach::Reach;
use planish_jvm_ir::naming::Names;
use planish_jvm_model::program::{Class, Program};
use planish_ops::{Int, Op};
use planish_pass::{Became, Leave};
use rustc_hash::FxBuildHasher;

use crate::transform::marked::Marked;

/// How compilers call the tables: javac, Kotlin.
const NAMES: [&[u8]; 2] = [b"$SwitchMap$", b"$EnumSwitchMapping$"];

/// The tables of a program, by class, name and descriptor.
#[derive(Clone, Default, Debug)]
pub struct EnumSwitches(HashMap<Box<[u8]>, EnumTable, FxBuildHasher>);

/// A table that gives a number for each constant of an enum.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct EnumTable {
    /// The enum.
    of: Box<[u8]>,
    /// By ordinal.
    numbers: Vec<i32>,
}

impl EnumSwitches {
    /// The tables of a program that nothing outside may touch. O(instructions of initializers).
    pub fn of(reach: &Reach<'_, '_>) -> EnumSwitches {
        let program = reach.program;
        let mut switches = EnumSwitches::default();
        let mut ordinals: BTreeMap<Class, Option<Ordinals>> = BTreeMap::new();
        for class in program.classes.ids() {
            let is_table = |&field: &planish_jvm_model::program::Field| {
                let info = &program.fields[field];
                let name = program.member_name(info.selector);
                info.flags.has(Flags::STATIC | Flags::SYNTHETIC)
                    && program.descriptor(info.selector) == b"[I"
                    && NAMES.iter().any(|start| name.starts_with(start))
                    && !reach.is_field_open(field)
            };
            let names: Vec<&[u8]> = (program.classes[class].fields.iter().copied())
                .filter(is_table)
                .map(|field| program.member_name(program.fields[field].selector))
                .collect();
            if names.is_empty() {
                continue;
            }
            let tables = tables(program, class).unwrap_or_default();
            // The class with the tables initializes the enums of all of them, also of those that nobody switches on here.
            let mut is_silent = |of: &[u8]| match program.class_named(of) {
                Some(of) => ordinals.entry(of).or_insert_with(|| Ordinals::of(program, of)).is_some(),
                // Nothing is seen of the JDK's enums when they are initialized.
                None => program.hierarchy.is_platform(of),
            };
            if !tables.iter().all(|(_, of, _)| is_silent(of)) {
                continue;
            }
            for (name, of, filled) in tables.into_iter().filter(|(name, ..)| names.contains(&&name[..])) {
                let known = program.class_named(&of).and_then(|of| ordinals.get(&of)?.as_ref());
                let Some(numbers) = known.and_then(|known| known.numbers(&filled)) else { continue };
                let key = [program.name(class), b".", &name, b":[I"].concat();
                switches.0.insert(key.into(), EnumTable { of: of.into(), numbers });
            }
        }
        switches
    }

    /// The same, and the tables that were known before: what they say holds as long as the program runs.
    pub fn join(mut self, before: EnumSwitches) -> EnumSwitches {
        self.0.extend(before.0);
        self
    }

    /// Hashes all tables.
    pub(crate) fn fingerprint(&self, hasher: &mut impl Hasher) {
        let mut all: Vec<_> = self.0.iter().collect();
        all.sort_unstable_by_key(|(name, _)| *name);
        all.hash(hasher);
    }

    /// The number of tables.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The table that a field holds.
    pub(crate) fn get(&self, member: &MemberRef<'_>) -> Option<&EnumTable> {
        match self.0.is_empty() {
            true => None,
            false => self.0.get(&[member.class, b".", member.name, b":", member.descriptor].concat()[..]),
        }
    }
}

/// What a table holds: its name, the enum, and the numbers by the names of constants.
type Filled = (Vec<u8>, Vec<u8>, Vec<(Vec<u8>, i32)>);

/// What a slot of the stack holds while tables are filled.
#[derive(Clone, Debug)]
enum Cell {
    /// All constants of an enum.
    Constants(Vec<u8>),
    /// Their number.
    Count(Vec<u8>),
    /// The table of this number.
    Table(usize),
    /// A constant, by enum and name.
    Constant(Vec<u8>, Vec<u8>),
    /// Its ordinal.
    Ordinal(Vec<u8>, Vec<u8>),
    /// A number.
    Number(i32),
}

/// The tables that the initializer of a class fills, if it does nothing else.
fn tables(program: &Program<'_>, class: Class) -> Option<Vec<Filled>> {
    use Opcode::*;
    let pool = &program.classes[class].file.pool;
    let code = initializer(program, class)?;
    let is_expected = |handler: &planish_classfile::Handler| {
        handler.class != 0 && pool.class(handler.class) == Ok(b"java/lang/NoSuchFieldError")
    };
    if !code.handlers.iter().all(is_expected) {
        return None;
    }
    let mut made: Vec<Filled> = Vec::new();
    let mut stack: Vec<Cell> = Vec::new();
    let mut locals: BTreeMap<u16, Cell> = BTreeMap::new();
    let mut at = 0;
    loop {
        let instruction = code.instructions.get(at)?;
        at += 1;
        let member = match instruction.operand {
            Operand::Constant(index) => pool.member(index).ok(),
            _ => None,
        };
        match (instruction.op, member) {
            (Invokestatic, Some(member)) if is_values(&member) => {
                stack.push(Cell::Constants(member.class.to_vec()));
            }
            (Arraylength, _) => match stack.pop()? {
                Cell::Constants(of) => stack.push(Cell::Count(of)),
                _ => return None,
            },
            (Newarray, _) => match (stack.pop()?, &instruction.operand) {
                (Cell::Count(of), Operand::Immediate(10)) => {
                    stack.push(Cell::Table(made.len()));
                    made.push((Vec::new(), of, Vec::new()));
                }
                _ => return None,
            },
            (Dup, _) => stack.push(stack.last()?.clone()),
            (Putstatic, Some(member)) if member.class == program.name(class) => match stack.pop()? {
                Cell::Table(number) if made[number].0.is_empty() => made[number].0 = member.name.to_vec(),
                _ => return None,
            },
            (Getstatic, Some(member)) if member.class == program.name(class) => {
                stack.push(Cell::Table(made.iter().position(|(name, ..)| name == member.name)?));
            }
            (Getstatic, Some(member)) if is_of_own_type(&member) => {
                stack.push(Cell::Constant(member.class.to_vec(), member.name.to_vec()));
            }
            (Invokevirtual, Some(member)) if is_ordinal(&member) => match stack.pop()? {
                Cell::Constant(of, name) => stack.push(Cell::Ordinal(of, name)),
                _ => return None,
            },
            (Iastore, _) => match (stack.pop()?, stack.pop()?, stack.pop()?) {
                (Cell::Number(value), Cell::Ordinal(of, name), Cell::Table(number))
                    if made[number].1 == of =>
                {
                    made[number].2.push((name, value));
                }
                _ => return None,
            },
            // A handler is jumped over; it never runs, since all constants are there.
            (Goto | GotoW, _) => {
                let target = instruction.targets().next()? as usize;
                if target < at {
                    return None;
                }
                at = target;
            }
            (Nop, _) => {}
            (Return, _) => return Some(made),
            (op, _) if op == Astore || (Astore0..=Astore3).contains(&op) => {
                locals.insert(instruction.slot()?, stack.pop()?);
            }
            (op, _) if op == Aload || (Aload0..=Aload3).contains(&op) => {
                stack.push(locals.get(&instruction.slot()?)?.clone());
            }
            _ => stack.push(Cell::Number(number(instruction, pool)?)),
        }
    }
}

/// Whether a method is `values` of an enum.
fn is_values(member: &MemberRef<'_>) -> bool {
    member.name == b"values" && member.descriptor == [b"()[L", member.class, b";"].concat()
}

fn is_ordinal(member: &MemberRef<'_>) -> bool {
    member.name == b"ordinal" && member.descriptor == b"()I"
}

/// Makes switches on what tables of enums give switches on the ordinal. Gives their number. O(size of the body).
pub fn switch_by_ordinal(
    f: &mut Function,
    switches: &EnumSwitches,
    names: &Names,
    pool: &ConstantPool<'_>,
    leave: &mut Leave<'_>,
) -> u64 {
    if switches.is_empty() {
        return 0;
    }
    let reads: Vec<Read<'_>> =
        f.live_insts().filter_map(|(_, inst)| read_of(f, inst, switches, names, pool)).collect();
    if reads.is_empty() {
        return 0;
    }
    let mut uses = vec![0u32; f.value_count()];
    for &block in f.blocks() {
        for_each_use(f, block, |_, value| uses[value.index()] += 1);
    }
    let mut removed = Marked::new(f);
    let mut count = 0;
    for read in reads {
        let number = f.result(read.inst);
        let Some(changes) = changes(f, &read, uses[number.index()]) else { continue };
        if !leave.rewrite(f, read.inst, Became::Nothing) {
            continue;
        }
        for change in changes {
            match change {
                Change::Switch(block, terminator) => f.set_terminator(block, terminator),
                Change::Compare(inst, ordinal) => {
                    let ordinal = f.make_constant(Const::Int(ordinal));
                    f.args_mut(inst).copy_from_slice(&[read.ordinal, ordinal]);
                }
            }
        }
        removed.add(read.inst);
        // Several switches may read one table.
        uses[f.result(read.table).index()] -= 1;
        if uses[f.result(read.table).index()] == 0 {
            removed.add(read.table);
        }
        count += 1;
    }
    removed.remove(f);
    count
}

/// A read of a table at the ordinal of a constant.
struct Read<'s> {
    inst: Inst,
    /// What gives the table.
    table: Inst,
    ordinal: Value,
    numbers: &'s [i32],
}

/// What becomes of a use of a number.
enum Change {
    Switch(planish_ir::Block, Terminator),
    /// Compares the ordinal with this.
    Compare(Inst, Int),
}

fn read_of<'s>(
    f: &Function,
    inst: Inst,
    switches: &'s EnumSwitches,
    names: &Names,
    pool: &ConstantPool<'_>,
) -> Option<Read<'s>> {
    let &[array, ordinal] = (f.inst(inst).op == Op::GetItem).then(|| f.args(inst))? else { return None };
    let member = |inst: Inst, op: Opcode| match names.instruction_of(f, inst)? {
        Insn { op: found, operand: Operand::Constant(index), .. } if *found == op => pool.member(*index).ok(),
        _ => None,
    };
    let table = f.def_inst(array)?;
    let known = switches.get(&member(table, Opcode::Getstatic)?)?;
    let asked = member(f.def_inst(ordinal)?, Opcode::Invokevirtual)?;
    let fits = is_ordinal(&asked) && *asked.class == *known.of;
    fits.then_some(Read { inst, table, ordinal, numbers: &known.numbers })
}

/// What becomes of the uses of a number; nothing if one is neither a switch nor a comparison with a constant, or if
/// several ordinals have one number.
fn changes(f: &Function, read: &Read<'_>, uses: u32) -> Option<Vec<Change>> {
    let number = f.result(read.inst);
    let mut ordinals: BTreeMap<i64, Vec<Int>> = BTreeMap::new();
    for (&number, ordinal) in read.numbers.iter().zip(0..) {
        ordinals.entry(number.into()).or_default().push(Int::new(32, ordinal));
    }
    let mut changes = Vec::new();
    for &block in f.blocks() {
        if let Terminator::Switch { on, cases, default } = f.terminator(block)
            && *on == number
        {
            let mut made = Vec::with_capacity(cases.len());
            for &(key, call) in cases {
                match ordinals.get(&key.signed()).map(Vec::as_slice) {
                    // No constant has this number.
                    None => {}
                    Some(&[ordinal]) => made.push((ordinal, call)),
                    Some(_) => return None,
                }
            }
            let terminator = Terminator::Switch { on: read.ordinal, cases: made.into(), default: *default };
            changes.push(Change::Switch(block, terminator));
        }
        for &inst in f.block_insts(block) {
            if !matches!(f.inst(inst).op, Op::Eq | Op::Ne) || f.args(inst)[0] != number {
                continue;
            }
            let Some(Const::Int(with)) = f.constant(f.args(inst)[1]) else { return None };
            let &[ordinal] = &ordinals.get(&with.signed())?[..] else { return None };
            changes.push(Change::Compare(inst, ordinal));
        }
    }
    (changes.len() as u32 == uses).then_some(changes)
}
