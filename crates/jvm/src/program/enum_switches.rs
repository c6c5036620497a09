//! Switches over enums: the tables that compilers make for them, and switches without them.
//!
//! `switch (e)` becomes `switch (Outer$1.$SwitchMap$pkg$Enum[e.ordinal()])`, since who compiles it does not know in which
//! order the constants will be when the program runs. Who has the whole program knows: the ordinals stand in the
//! initializer of the enum, the numbers in that of the class with the table (javac's `$SwitchMap$`, Kotlin's
//! `$EnumSwitchMapping$`), and the switch can be on the ordinal itself. The table is not read any more, and its class
//! goes.
//!
//! That leaves out the initialization of two classes, the one with the table and the enum. So both have to be as
//! compilers write them, and do nothing but fill the table and make the constants: each constructor of the enum
//! stores what it gets and calls nothing else. Then nothing of the program can run, or switch, while the constants are made.
//! The compilers' names are their own: a synthetic field of such a name is written nowhere else.

use std::collections::BTreeMap;

use hashbrown::HashMap;
use planish_base::Id;
use planish_classfile::descriptor::MethodType;
use planish_classfile::limits::effect;
use planish_classfile::{Code, ConstantPool, Flags, Insn, MemberRef, Opcode, Operand};
use planish_ir::liveness::for_each_use;
use planish_ir::{Const, Function, Inst, Terminator, Value};
use planish_ops::{Int, Op};
use rustc_hash::FxBuildHasher;

use crate::naming::Names;
use crate::program::constructors::{Literal, literal, loaded};
use crate::program::inline::candidate::body;
use crate::program::needless::Marked;
use crate::program::reach::Reach;
use crate::program::{Class, Method, Program};

/// How compilers call the tables: javac, Kotlin.
const NAMES: [&[u8]; 2] = [b"$SwitchMap$", b"$EnumSwitchMapping$"];

/// The class that all enums extend.
const ENUM: &[u8] = b"java/lang/Enum";

/// How deep constructors of an enum may call each other.
const DEEPEST: u32 = 4;

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
            let is_table = |&field: &crate::program::Field| {
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
            for (name, of, filled) in tables(program, class).unwrap_or_default() {
                if !names.contains(&&name[..]) {
                    continue;
                }
                let Some(of_class) = program.class_named(&of) else { continue };
                let known = ordinals.entry(of_class).or_insert_with(|| Ordinals::of(program, of_class));
                let Some(numbers) = known.as_ref().and_then(|known| known.numbers(&filled)) else { continue };
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

/// The `int` that an instruction pushes.
fn number(instruction: &Insn, pool: &ConstantPool<'_>) -> Option<i32> {
    let known = match instruction.operand {
        Operand::Constant(index) if matches!(instruction.op, Opcode::Ldc | Opcode::LdcW) => {
            loaded(pool, index)
        }
        _ if (Opcode::IconstM1..=Opcode::Sipush).contains(&instruction.op) => literal(instruction),
        _ => None,
    };
    match known? {
        Literal::Int(number) => Some(number),
        _ => None,
    }
}

fn initializer(program: &Program<'_>, class: Class) -> Option<Code> {
    let selector = program.selector(b"<clinit>()V")?;
    body(program, program.declared_method(class, selector)?)
}

/// Whether a method is `values` of an enum.
fn is_values(member: &MemberRef<'_>) -> bool {
    member.name == b"values" && member.descriptor == [b"()[L", member.class, b";"].concat()
}

fn is_ordinal(member: &MemberRef<'_>) -> bool {
    member.name == b"ordinal" && member.descriptor == b"()I"
}

/// Whether a field is of the class that has it, as constants of enums are.
fn is_of_own_type(member: &MemberRef<'_>) -> bool {
    member.descriptor == [b"L", member.class, b";"].concat()
}

/// The ordinals of an enum by the names of its constants.
struct Ordinals(BTreeMap<Vec<u8>, usize>);

/// What a slot of the stack holds while constants are made.
#[derive(Clone, Copy)]
enum Made {
    /// The constant of this number, in the order in which they are made.
    Object(usize),
    Number(i32),
    Other,
}

/// The initializer of an enum, as far as it was followed.
struct Initializer<'p, 'a> {
    program: &'p Program<'a>,
    class: Class,
    stack: Vec<Made>,
    /// The ordinals of the constants.
    objects: Vec<Option<i32>>,
    /// The names of the constants.
    named: BTreeMap<Vec<u8>, usize>,
    /// The lengths of arrays of constants.
    arrays: Vec<i32>,
}

impl Ordinals {
    /// Those of an enum that is as compilers write it and whose initializer only makes its constants.
    fn of(program: &Program<'_>, class: Class) -> Option<Ordinals> {
        let own = &program.classes[class];
        if !own.file.flags.has(Flags::ENUM) || own.file.super_name() != Ok(Some(ENUM)) {
            return None;
        }
        let code = initializer(program, class)?;
        let mut run = Initializer {
            program,
            class,
            stack: Vec::new(),
            objects: Vec::new(),
            named: BTreeMap::new(),
            arrays: Vec::new(),
        };
        run.follow(&code, 0)?;
        // Other methods make no constants, and `values` gives all of them.
        for &method in &own.methods {
            let name = program.text(program.methods[method].selector);
            let Some(code) = body(program, method) else { continue };
            let makes = |insn: &Insn| insn.op == Opcode::New && run.made_by(insn);
            if name != b"<clinit>()V" && code.instructions.iter().any(makes) {
                return None;
            }
            let copies = |insn: &Insn| {
                use Opcode::*;
                matches!(insn.op, Getstatic | Invokevirtual | Checkcast | Areturn)
            };
            if name.starts_with(b"values()") && !code.instructions.iter().all(copies) {
                return None;
            }
        }
        let count = run.objects.len();
        let mut ordinals = BTreeMap::new();
        for (name, object) in run.named {
            ordinals.insert(name, usize::try_from(run.objects[object]?).ok()?);
        }
        let mut all: Vec<usize> = ordinals.values().copied().collect();
        all.sort_unstable();
        (all.into_iter().eq(0..count) && run.arrays == [count as i32]).then_some(Ordinals(ordinals))
    }

    /// The numbers by ordinal.
    fn numbers(&self, filled: &[(Vec<u8>, i32)]) -> Option<Vec<i32>> {
        let mut numbers = vec![0; self.0.len()];
        for (name, number) in filled {
            numbers[*self.0.get(name)?] = *number;
        }
        Some(numbers)
    }
}

impl Initializer<'_, '_> {
    fn pool(&self) -> &ConstantPool<'_> {
        &self.program.classes[self.class].file.pool
    }

    /// Whether an instruction names the enum or a class below: that of a constant with a body.
    fn made_by(&self, instruction: &Insn) -> bool {
        let Operand::Constant(index) = instruction.operand else { return false };
        let named = self.pool().class(index).ok().and_then(|name| self.program.class_named(name));
        named.is_some_and(|named| {
            let id = self.program.classes[self.class].id;
            self.program.classes[named].supertypes.contains(&id)
        })
    }

    /// Follows instructions, one after the other. Nothing if one may do something else than make constants.
    fn follow(&mut self, code: &Code, depth: u32) -> Option<()> {
        use Opcode::*;
        if !code.handlers.is_empty() || depth > 1 {
            return None;
        }
        let own = self.program.name(self.class);
        for instruction in &code.instructions {
            let pool = &self.program.classes[self.class].file.pool;
            let member = match instruction.operand {
                Operand::Constant(index) => pool.member(index).ok(),
                _ => None,
            };
            match (instruction.op, member) {
                (New, _) if self.made_by(instruction) => {
                    self.stack.push(Made::Object(self.objects.len()));
                    self.objects.push(None);
                }
                (Dup, _) => self.stack.push(*self.stack.last()?),
                (Invokespecial, Some(member)) if member.name == b"<init>" => self.construct(&member)?,
                (Putstatic, Some(member)) if member.class == own => {
                    if let Made::Object(object) = self.stack.pop()?
                        && is_of_own_type(&member)
                    {
                        self.named.insert(member.name.to_vec(), object);
                    }
                }
                (Getstatic, Some(member)) if member.class == own => {
                    let object = self.named.get(member.name).filter(|_| is_of_own_type(&member));
                    self.stack.push(object.map_or(Made::Other, |&object| Made::Object(object)));
                }
                (Anewarray, _) => {
                    let length = self.stack.pop()?;
                    let Operand::Constant(index) = instruction.operand else { return None };
                    if pool.class(index) == Ok(own) {
                        let Made::Number(length) = length else { return None };
                        self.arrays.push(length);
                    }
                    self.stack.push(Made::Other);
                }
                (Newarray, _) => {
                    self.stack.pop()?;
                    self.stack.push(Made::Other);
                }
                (op, _) if (Iastore..=Sastore).contains(&op) => {
                    for _ in 0..3 {
                        self.stack.pop()?;
                    }
                }
                // Newer compilers fill the array in a method of its own.
                (Invokestatic, Some(member)) if member.class == own && member.name == b"$values" => {
                    let selector = self.program.selector(&[member.name, member.descriptor].concat())?;
                    let method = self.program.declared_method(self.class, selector)?;
                    let taken = MethodType::parse(member.descriptor)?.parameters().next();
                    taken.is_none().then_some(())?;
                    self.follow(&body(self.program, method)?, depth + 1)?;
                }
                // Kotlin's list of constants calls nothing of the program.
                (Invokestatic, Some(member)) if member.class == b"kotlin/enums/EnumEntriesKt" => {
                    self.stack.pop()?;
                    self.stack.push(Made::Other);
                }
                (Areturn, _) if depth > 0 => return Some(()),
                (Return, _) if depth == 0 => return Some(()),
                (op, _) if (AconstNull..=Sipush).contains(&op) => {
                    let number = number(instruction, pool);
                    self.stack.push(number.map_or(Made::Other, Made::Number));
                }
                (Ldc | LdcW | Ldc2W, _) => {
                    let Operand::Constant(index) = instruction.operand else { return None };
                    self.stack.push(match loaded(pool, index)? {
                        Literal::Int(number) => Made::Number(number),
                        _ => Made::Other,
                    });
                }
                _ => return None,
            }
        }
        None
    }

    /// Follows the call of a constructor: its second argument is the ordinal.
    fn construct(&mut self, member: &MemberRef<'_>) -> Option<()> {
        let count = MethodType::parse(member.descriptor)?.parameters().count();
        let arguments = self.stack.split_off(self.stack.len().checked_sub(count)?);
        let Made::Object(object) = self.stack.pop()? else { return None };
        let &[_, Made::Number(ordinal), ..] = &arguments[..] else { return None };
        passes_on(self.program, constructor(self.program, member)?, DEEPEST)?;
        let known = self.objects.get_mut(object)?;
        known.replace(ordinal).is_none().then_some(())
    }
}

/// A constructor of a class of the program that takes a name and an ordinal first.
fn constructor(program: &Program<'_>, member: &MemberRef<'_>) -> Option<Method> {
    let class = program.class_named(member.class)?;
    let selector = program.selector(&[member.name, member.descriptor].concat())?;
    let takes = member.descriptor.starts_with(b"(Ljava/lang/String;I");
    program.declared_method(class, selector).filter(|_| takes)
}

/// Whether a constructor hands on its first two arguments to that of `Enum`, and apart from that only stores
/// constants and arguments.
fn passes_on(program: &Program<'_>, method: Method, depth: u32) -> Option<()> {
    use Opcode::*;
    /// What a slot of the stack holds: what a local held at first, or anything else.
    type Slot = Option<u16>;
    let info = &program.methods[method];
    let pool = &program.classes[info.class].file.pool;
    let code = body(program, method)?;
    if !code.handlers.is_empty() {
        return None;
    }
    let mut stack: Vec<Slot> = Vec::new();
    let mut passed = false;
    for instruction in &code.instructions {
        let op = instruction.op;
        let (pops, pushes) = effect(instruction, pool).ok()?;
        let below = stack.len().checked_sub(usize::from(pops))?;
        let mut made = None;
        match (op, &instruction.operand) {
            (Return, _) => return passed.then_some(()),
            (Putfield, _) if stack[below] == Some(0) => {}
            (Invokespecial, &Operand::Constant(index)) => {
                let member = pool.member(index).ok()?;
                if passed
                    || member.name != b"<init>"
                    || !stack[below..].starts_with(&[Some(0), Some(1), Some(2)])
                {
                    return None;
                }
                if member.class != ENUM {
                    passes_on(program, constructor(program, &member)?, depth.checked_sub(1)?)?;
                }
                passed = true;
            }
            (Ldc | LdcW | Ldc2W, &Operand::Constant(index)) => drop(loaded(pool, index)?),
            _ if (AconstNull..=Sipush).contains(&op) => {}
            _ if (Iload..=Aload).contains(&op) || (Iload0..=Aload3).contains(&op) => {
                made = Some(instruction.slot()?);
            }
            _ => return None,
        }
        stack.truncate(below);
        stack.resize(below + usize::from(pushes), None);
        if pushes > 0 {
            stack[below] = made;
        }
    }
    None
}

/// Makes switches on what tables of enums give switches on the ordinal. Gives their number. O(size of the body).
pub fn switch_by_ordinal(
    f: &mut Function,
    switches: &EnumSwitches,
    names: &Names,
    pool: &ConstantPool<'_>,
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
