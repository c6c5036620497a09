//! Single instructions: reading them from code, writing them to code.
//!
//! One type serves two uses. Read from a slice by [`Instructions`], which allocates nothing, an
//! instruction has byte offsets as targets and a borrowed switch table ([`SwitchBytes`]). In a
//! [`Code`](crate::code::Code) it has the indices of instructions as targets and an owned [`Switch`].
//! Both keep the form that was chosen (`wide`, `ldc_w`, `goto_w`), so that writing gives the same bytes.

use crate::bytes::Cursor;
use crate::error::{Error, Result};
use crate::opcode::{Format, Opcode};

/// An instruction; `S` is the form of switch tables.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Instruction<S> {
    /// What it does; never the prefix `wide`.
    pub op: Opcode,
    /// On what.
    pub operand: Operand<S>,
}

/// The operands of an instruction.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Operand<S> {
    /// None, or only the stack.
    None,
    /// The number of `bipush` and `sipush`; the element type of `newarray` (4 to 11).
    Immediate(i16),
    /// A local variable.
    Local {
        /// Its slot.
        slot: u16,
        /// Whether the form with prefix is used.
        wide: bool,
    },
    /// A local variable of type `int` and what is added to it.
    Increment {
        /// Its slot.
        slot: u16,
        /// The summand.
        by: i16,
        /// Whether the form with prefix is used.
        wide: bool,
    },
    /// A constant: what is loaded, or a class, field, method or call site.
    Constant(u16),
    /// A method of an interface.
    Interface {
        /// The method.
        method: u16,
        /// The number of slots of its arguments, receiver included.
        slots: u8,
    },
    /// An array class.
    Dimensions {
        /// The class.
        class: u16,
        /// The number of dimensions that are created.
        count: u8,
    },
    /// The position of the target of a jump.
    Target(u32),
    /// The table of a switch.
    Switch(S),
}

/// The table of a switch, owned.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Switch {
    /// The position for other values.
    pub default: u32,
    /// Keys in ascending order with their positions; the keys of `tableswitch` have no gaps.
    pub cases: Vec<(i32, u32)>,
}

/// The table of a switch in code. Targets are inside the code.
///
/// Small, since it makes up the size of an instruction that is read; numbers are decoded when asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SwitchBytes<'a> {
    /// From the default on, whole: its size was checked.
    operands: &'a [u8],
    /// The offset of the instruction.
    at: u16,
    /// Whether it is a `tableswitch`.
    table: bool,
}

impl<'a> SwitchBytes<'a> {
    fn word(&self, at: usize) -> i32 {
        self.operands[at..].first_chunk().map_or(0, |word| i32::from_be_bytes(*word))
    }

    fn target(&self, at: usize) -> u32 {
        u32::from(self.at).wrapping_add_signed(self.word(at))
    }

    /// The offset for other values.
    pub fn default_target(&self) -> u32 {
        self.target(0)
    }

    /// The number of cases.
    pub fn len(&self) -> usize {
        if self.table { (self.operands.len() - 12) / 4 } else { (self.operands.len() - 8) / 8 }
    }

    /// Whether there is only the default.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Keys and offsets, in ascending order of keys.
    pub fn cases(self) -> impl ExactSizeIterator<Item = (i32, u32)> + use<'a> {
        let low = if self.table { self.word(4) } else { 0 };
        (0..self.len()).map(move |i| match self.table {
            true => (low.wrapping_add(i as i32), self.target(12 + 4 * i)),
            false => (self.word(8 + 8 * i), self.target(12 + 8 * i)),
        })
    }

    /// The same table, owned; `target` maps offsets.
    pub fn to_switch(self, mut target: impl FnMut(u32) -> Result<u32>) -> Result<Switch> {
        let default = target(self.default_target())?;
        let cases = self.cases().map(|(key, to)| Ok((key, target(to)?))).collect::<Result<_>>()?;
        Ok(Switch { default, cases })
    }
}

/// Reads the instructions of a method body one after the other; ends after the first error.
#[derive(Clone, Debug)]
pub struct Instructions<'a> {
    code: &'a [u8],
    at: usize,
    base: usize,
}

impl<'a> Instructions<'a> {
    /// The instructions of `code`, which lies at `base` of its file.
    pub fn new(code: &'a [u8], base: usize) -> Self {
        Instructions { code, at: 0, base }
    }

    /// The target of a jump, if it lies inside the code.
    #[inline]
    fn target(&self, distance: i32) -> Result<u32> {
        let to = self.at as i64 + i64::from(distance);
        if (0..self.code.len() as i64).contains(&to) {
            return Ok(to as u32);
        }
        Err(Error::at(
            self.base + self.at,
            format!("a jump inside the {} bytes of code, found one to {to}", self.code.len()),
        ))
    }

    #[inline]
    fn step(&mut self) -> Result<Instruction<SwitchBytes<'a>>> {
        let mut cursor = Cursor::new(&self.code[self.at..], self.base + self.at);
        let c = &mut cursor;
        let op = opcode(c)?;
        let (op, operand) = match op.format() {
            Format::Plain => (op, Operand::None),
            Format::Byte => (op, Operand::Immediate(i16::from(c.i8()?))),
            Format::Short => (op, Operand::Immediate(c.i16()?)),
            Format::Constant1 => (op, Operand::Constant(u16::from(c.u8()?))),
            Format::Constant2 => (op, Operand::Constant(c.u16()?)),
            Format::Local => (op, Operand::Local { slot: u16::from(c.u8()?), wide: false }),
            Format::Increment => {
                let slot = u16::from(c.u8()?);
                (op, Operand::Increment { slot, by: i16::from(c.i8()?), wide: false })
            }
            Format::Branch2 => {
                let distance = i32::from(c.i16()?);
                (op, Operand::Target(self.target(distance)?))
            }
            Format::Branch4 => {
                let distance = c.i32()?;
                (op, Operand::Target(self.target(distance)?))
            }
            Format::TableSwitch | Format::LookupSwitch => (op, Operand::Switch(self.switch(op, c)?)),
            Format::Interface => {
                let operand = Operand::Interface { method: c.u16()?, slots: c.u8()? };
                zeros::<1>(c)?;
                (op, operand)
            }
            Format::Dynamic => {
                let operand = Operand::Constant(c.u16()?);
                zeros::<2>(c)?;
                (op, operand)
            }
            Format::Dimensions => (op, Operand::Dimensions { class: c.u16()?, count: c.u8()? }),
            Format::Wide => {
                let offset = c.offset();
                let op = opcode(c)?;
                let slot = c.u16()?;
                match op.format() {
                    Format::Local => (op, Operand::Local { slot, wide: true }),
                    Format::Increment => (op, Operand::Increment { slot, by: c.i16()?, wide: true }),
                    _ => {
                        return Err(Error::at(
                            offset,
                            format!("an instruction with a local variable after wide, found {op}"),
                        ));
                    }
                }
            }
        };
        self.at += cursor.position();
        Ok(Instruction { op, operand })
    }

    #[cold]
    fn switch(&self, op: Opcode, c: &mut Cursor<'a>) -> Result<SwitchBytes<'a>> {
        // Operands begin at a multiple of four bytes from the start of the code.
        c.take(padding(self.at))?;
        let mut whole = c.clone();
        self.target(c.i32()?)?;
        let offset = c.offset();
        let table = op == Opcode::Tableswitch;
        let size = if table {
            let (low, high) = (c.i32()?, c.i32()?);
            let count = i64::from(high) - i64::from(low) + 1;
            let Some(count) = usize::try_from(count).ok().filter(|&count| count > 0) else {
                return Err(Error::at(
                    offset,
                    format!("a lowest key up to the highest, {high}, found {low}"),
                ));
            };
            12 + 4 * c.table(count, 4)?
        } else {
            let count = c.i32()?;
            let Ok(count) = usize::try_from(count) else {
                return Err(Error::at(offset, format!("a number of cases, found {count}")));
            };
            8 + 8 * c.table(count, 8)?
        };
        *c = whole.clone();
        c.take(size)?;
        let at = u16::try_from(self.at)
            .map_err(|_| Error::at(self.base + self.at, "an instruction in the first 65536 bytes of code"))?;
        let switch = SwitchBytes { operands: whole.take(size)?, at, table };
        let mut last = None;
        for (key, to) in switch.cases() {
            if last.is_some_and(|last| last >= key) {
                return Err(Error::at(offset, format!("keys in ascending order, found {key}")));
            }
            last = Some(key);
            self.target((to as i32).wrapping_sub(self.at as i32))?;
        }
        Ok(switch)
    }
}

impl<'a> Iterator for Instructions<'a> {
    type Item = Result<(u32, Instruction<SwitchBytes<'a>>)>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.code.len() {
            return None;
        }
        let at = self.at as u32;
        match self.step() {
            Ok(instruction) => Some(Ok((at, instruction))),
            Err(error) => {
                self.at = self.code.len();
                Some(Err(error))
            }
        }
    }
}

/// The number of bytes between the opcode of a switch at `at` and its operands.
pub(crate) fn padding(at: usize) -> usize {
    3 - at % 4
}

#[inline]
fn opcode(c: &mut Cursor<'_>) -> Result<Opcode> {
    let offset = c.offset();
    let byte = c.u8()?;
    Opcode::from_byte(byte).ok_or_else(|| Error::at(offset, format!("an opcode, found {byte:#04x}")))
}

fn zeros<const N: usize>(c: &mut Cursor<'_>) -> Result<()> {
    let offset = c.offset();
    if c.take(N)?.iter().any(|byte| *byte != 0) {
        return Err(Error::at(offset, "a zero after the operand of a call"));
    }
    Ok(())
}

impl Instruction<Box<Switch>> {
    /// An instruction without operands.
    pub fn plain(op: Opcode) -> Self {
        Instruction { op, operand: Operand::None }
    }

    /// A load, store or `ret` of a slot in its shortest form. `op` is the form with an operand
    /// (`iload`, `astore`, ...).
    pub fn local(op: Opcode, slot: u16) -> Self {
        let first = match op {
            Opcode::Iload | Opcode::Lload | Opcode::Fload | Opcode::Dload | Opcode::Aload => {
                Some(Opcode::Iload0.offset((op as i32 - Opcode::Iload as i32) * 4))
            }
            Opcode::Istore | Opcode::Lstore | Opcode::Fstore | Opcode::Dstore | Opcode::Astore => {
                Some(Opcode::Istore0.offset((op as i32 - Opcode::Istore as i32) * 4))
            }
            _ => None,
        };
        match first {
            Some(first) if slot < 4 => Self::plain(first.offset(i32::from(slot))),
            _ => Instruction { op, operand: Operand::Local { slot, wide: slot > 0xff } },
        }
    }

    /// `iinc` in its shortest form.
    pub fn increment(slot: u16, by: i16) -> Self {
        let wide = slot > 0xff || i8::try_from(by).is_err();
        Instruction { op: Opcode::Iinc, operand: Operand::Increment { slot, by, wide } }
    }

    /// A number of type `int` without a constant, if it is small enough.
    pub fn small_int(value: i32) -> Option<Self> {
        Some(match value {
            -1..=5 => Self::plain(Opcode::Iconst0.offset(value)),
            -0x80..=0x7f => Instruction { op: Opcode::Bipush, operand: Operand::Immediate(value as i16) },
            -0x8000..=0x7fff => Instruction { op: Opcode::Sipush, operand: Operand::Immediate(value as i16) },
            _ => return None,
        })
    }

    /// Loads a constant of one slot, in its shortest form.
    pub fn load_constant(index: u16) -> Self {
        let op = if index > 0xff { Opcode::LdcW } else { Opcode::Ldc };
        Instruction { op, operand: Operand::Constant(index) }
    }

    /// An instruction that names a constant.
    pub fn constant(op: Opcode, index: u16) -> Self {
        Instruction { op, operand: Operand::Constant(index) }
    }

    /// A jump to the instruction `target`.
    pub fn jump(op: Opcode, target: u32) -> Self {
        Instruction { op, operand: Operand::Target(target) }
    }

    /// A switch, as a table if that takes fewer bytes. Keys are in ascending order.
    pub fn switch(default: u32, cases: Vec<(i32, u32)>) -> Self {
        let span = match (cases.first(), cases.last()) {
            (Some((low, _)), Some((high, _))) => i64::from(*high) - i64::from(*low) + 1,
            _ => i64::MAX,
        };
        // 12 + 4 * span bytes against 8 + 8 * cases, but a table also finds its case at once.
        if span <= 2 * cases.len() as i64 + 2 {
            let low = cases[0].0;
            let mut table: Vec<_> = (0..span as i32).map(|i| (low.wrapping_add(i), default)).collect();
            for &(key, target) in &cases {
                table[key.wrapping_sub(low) as usize].1 = target;
            }
            let switch = Switch { default, cases: table };
            return Instruction { op: Opcode::Tableswitch, operand: Operand::Switch(Box::new(switch)) };
        }
        let switch = Switch { default, cases };
        Instruction { op: Opcode::Lookupswitch, operand: Operand::Switch(Box::new(switch)) }
    }

    /// The slot of the local variable that it reads, writes or increments, in any form.
    pub fn slot(&self) -> Option<u16> {
        match self.operand {
            Operand::Local { slot, .. } | Operand::Increment { slot, .. } => Some(slot),
            Operand::None => self.op.implied_slot(),
            _ => None,
        }
    }

    /// Every position that it may jump to, to change.
    pub fn targets_mut(&mut self) -> impl Iterator<Item = &mut u32> {
        let (one, cases) = match &mut self.operand {
            Operand::Target(target) => (Some(target), None),
            Operand::Switch(switch) => (Some(&mut switch.default), Some(&mut switch.cases)),
            _ => (None, None),
        };
        one.into_iter().chain(cases.into_iter().flatten().map(|(_, target)| target))
    }

    /// Every position that it may jump to; the default of a switch is first.
    pub fn targets(&self) -> impl Iterator<Item = u32> + '_ {
        let (one, cases): (_, &[_]) = match &self.operand {
            Operand::Target(target) => (Some(*target), &[]),
            Operand::Switch(switch) => (Some(switch.default), &switch.cases),
            _ => (None, &[]),
        };
        one.into_iter().chain(cases.iter().map(|(_, target)| *target))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(code: &[u8]) -> Result<Vec<(u32, Instruction<SwitchBytes<'_>>)>> {
        Instructions::new(code, 0).collect()
    }

    #[test]
    fn an_instruction_that_is_read_is_small() {
        assert!(size_of::<Instruction<SwitchBytes<'_>>>() <= 32);
        assert!(size_of::<crate::code::Insn>() <= 24);
    }

    #[test]
    fn a_switch_is_aligned_to_the_start_of_the_code() {
        for before in 0..4 {
            let mut code = vec![0; before];
            code.push(Opcode::Tableswitch as u8);
            code.resize(code.len() + padding(before), 0);
            assert_eq!(code.len() % 4, 0);
            for number in [0, -1i32, 1, 0, 0, 0] {
                code.extend(number.to_be_bytes());
            }
            let (at, instruction) = read(&code).unwrap().pop().unwrap();
            let Operand::Switch(switch) = instruction.operand else { panic!() };
            let here = at;
            assert_eq!(switch.cases().collect::<Vec<_>>(), [(-1, here), (0, here), (1, here)]);
        }
    }

    #[test]
    fn a_switch_with_a_lying_size_is_refused() {
        let mut code = vec![Opcode::Tableswitch as u8, 0, 0, 0];
        for number in [0, i32::MIN, i32::MAX] {
            code.extend(number.to_be_bytes());
        }
        assert!(read(&code).unwrap_err().expected().starts_with("4294967296 entries"));
        let mut code = vec![Opcode::Lookupswitch as u8, 0, 0, 0];
        for number in [0, -1i32] {
            code.extend(number.to_be_bytes());
        }
        assert!(read(&code).unwrap_err().expected().starts_with("a number of cases"));
    }

    #[test]
    fn jumps_out_of_the_code_are_refused() {
        assert!(read(&[Opcode::Goto as u8, 0, 3]).is_err());
        assert!(read(&[Opcode::Goto as u8, 0xff, 0xff]).is_err());
        assert!(read(&[Opcode::GotoW as u8, 0x80, 0, 0, 0]).is_err());
        assert!(read(&[Opcode::Goto as u8, 0, 0]).is_ok());
    }

    #[test]
    fn wide_goes_with_local_variables_only() {
        assert!(read(&[Opcode::Wide as u8, Opcode::Iadd as u8, 0, 0]).is_err());
        let read = read(&[Opcode::Wide as u8, Opcode::Iinc as u8, 1, 0, 0xff, 0]).unwrap();
        assert_eq!(read[0].1.operand, Operand::Increment { slot: 256, by: -256, wide: true });
    }

    #[test]
    fn the_shortest_form_of_a_local_is_taken() {
        type Insn = Instruction<Box<Switch>>;
        assert_eq!(Insn::local(Opcode::Aload, 2).op, Opcode::Aload2);
        assert_eq!(Insn::local(Opcode::Dstore, 3).op, Opcode::Dstore3);
        assert_eq!(Insn::local(Opcode::Lload, 4).operand, Operand::Local { slot: 4, wide: false });
        assert_eq!(Insn::local(Opcode::Ret, 300).operand, Operand::Local { slot: 300, wide: true });
        for op in [Opcode::Iload, Opcode::Lload, Opcode::Fload, Opcode::Dload, Opcode::Aload, Opcode::Istore]
        {
            for slot in 0..300 {
                assert_eq!(Insn::local(op, slot).slot(), Some(slot));
            }
        }
    }

    #[test]
    fn small_numbers_need_no_constant() {
        type Insn = Instruction<Box<Switch>>;
        assert_eq!(Insn::small_int(-1).unwrap().op, Opcode::IconstM1);
        assert_eq!(Insn::small_int(5).unwrap().op, Opcode::Iconst5);
        assert_eq!(Insn::small_int(6).unwrap().op, Opcode::Bipush);
        assert_eq!(Insn::small_int(-129).unwrap().op, Opcode::Sipush);
        assert!(Insn::small_int(32768).is_none());
    }

    #[test]
    fn dense_keys_make_a_table() {
        type Insn = Instruction<Box<Switch>>;
        let dense = Insn::switch(9, vec![(1, 5), (2, 6), (4, 7)]);
        let Operand::Switch(table) = &dense.operand else { panic!() };
        assert_eq!(table.cases, [(1, 5), (2, 6), (3, 9), (4, 7)]);
        assert_eq!(Insn::switch(9, vec![(i32::MIN, 5), (i32::MAX, 6)]).op, Opcode::Lookupswitch);
        assert_eq!(Insn::switch(9, vec![]).op, Opcode::Lookupswitch);
    }
}
