//! The instructions of the JVM by number, name and format.
//!
//! The table says of each opcode how many slots it takes from the stack and puts on it, and how its
//! operands are laid out; what they mean is in [`crate::instruction`]. `wide` is a prefix: it never stands for an instruction of its own.

/// How the operands of an instruction are laid out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// No operands.
    Plain,
    /// A signed byte, or the element type of a new array.
    Byte,
    /// A signed number of two bytes.
    Short,
    /// The index of a constant in one byte.
    Constant1,
    /// The index of a constant in two bytes.
    Constant2,
    /// A local variable in one byte, or in two after `wide`.
    Local,
    /// A local variable and a signed number, in one byte each, or in two after `wide`.
    Increment,
    /// A distance in two bytes.
    Branch2,
    /// A distance in four bytes.
    Branch4,
    /// Padding, default, lowest key, highest key, a distance for each key.
    TableSwitch,
    /// Padding, default, pairs of key and distance in ascending order of keys.
    LookupSwitch,
    /// The index of a method, the number of argument slots, zero.
    Interface,
    /// The index of a call site, two zeros.
    Dynamic,
    /// The index of an array class, a number of dimensions.
    Dimensions,
    /// The prefix that widens the operands of the next instruction.
    Wide,
}

/// The groups into which chapter 7 of the specification sorts the instructions, in the order of their numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// `nop`, and what pushes a constant.
    Constants,
    /// Reads of locals and of the elements of arrays.
    Loads,
    /// Writes of locals and of the elements of arrays.
    Stores,
    /// What moves entries of the stack.
    Stack,
    /// Arithmetic, bits and `iinc`.
    Math,
    /// Conversions between kinds of numbers.
    Conversions,
    /// Comparisons, and the branches that compare.
    Comparisons,
    /// Jumps, subroutines, switches and returns.
    Control,
    /// Fields, calls, objects, arrays, exceptions and monitors.
    References,
    /// What came later: `wide`, arrays of arrays, tests for null, long jumps.
    Extended,
}

macro_rules! opcodes {
    ($($code:literal $name:ident $text:literal $pops:literal $pushes:literal $format:ident;)*) => {
        /// The number of an instruction.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        pub enum Opcode {
            $(#[doc = concat!("`", $text, "`")] $name = $code,)*
        }

        /// Opcodes by their number.
        const OPCODES: [Option<Opcode>; 256] = {
            let mut table = [None; 256];
            $(table[$code] = Some(Opcode::$name);)*
            table
        };

        /// Formats by number of the opcode.
        const FORMATS: [Format; 256] = {
            let mut table = [Format::Plain; 256];
            $(table[$code] = Format::$format;)*
            table
        };

        /// Slots taken from and put on the stack, by number of the opcode.
        const EFFECTS: [(u8, u8); 256] = {
            let mut table = [(0, 0); 256];
            $(table[$code] = ($pops, $pushes);)*
            table
        };

        impl Opcode {
            /// Every opcode, in order.
            pub const ALL: &'static [Opcode] = &[$(Opcode::$name,)*];

            /// The name in the specification.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Opcode::$name => $text,)*
                }
            }
        }
    };
}

opcodes! {
    0x00 Nop "nop" 0 0 Plain;
    0x01 AconstNull "aconst_null" 0 1 Plain;
    0x02 IconstM1 "iconst_m1" 0 1 Plain;
    0x03 Iconst0 "iconst_0" 0 1 Plain;
    0x04 Iconst1 "iconst_1" 0 1 Plain;
    0x05 Iconst2 "iconst_2" 0 1 Plain;
    0x06 Iconst3 "iconst_3" 0 1 Plain;
    0x07 Iconst4 "iconst_4" 0 1 Plain;
    0x08 Iconst5 "iconst_5" 0 1 Plain;
    0x09 Lconst0 "lconst_0" 0 2 Plain;
    0x0a Lconst1 "lconst_1" 0 2 Plain;
    0x0b Fconst0 "fconst_0" 0 1 Plain;
    0x0c Fconst1 "fconst_1" 0 1 Plain;
    0x0d Fconst2 "fconst_2" 0 1 Plain;
    0x0e Dconst0 "dconst_0" 0 2 Plain;
    0x0f Dconst1 "dconst_1" 0 2 Plain;
    0x10 Bipush "bipush" 0 1 Byte;
    0x11 Sipush "sipush" 0 1 Short;
    0x12 Ldc "ldc" 0 1 Constant1;
    0x13 LdcW "ldc_w" 0 1 Constant2;
    0x14 Ldc2W "ldc2_w" 0 2 Constant2;
    0x15 Iload "iload" 0 1 Local;
    0x16 Lload "lload" 0 2 Local;
    0x17 Fload "fload" 0 1 Local;
    0x18 Dload "dload" 0 2 Local;
    0x19 Aload "aload" 0 1 Local;
    0x1a Iload0 "iload_0" 0 1 Plain;
    0x1b Iload1 "iload_1" 0 1 Plain;
    0x1c Iload2 "iload_2" 0 1 Plain;
    0x1d Iload3 "iload_3" 0 1 Plain;
    0x1e Lload0 "lload_0" 0 2 Plain;
    0x1f Lload1 "lload_1" 0 2 Plain;
    0x20 Lload2 "lload_2" 0 2 Plain;
    0x21 Lload3 "lload_3" 0 2 Plain;
    0x22 Fload0 "fload_0" 0 1 Plain;
    0x23 Fload1 "fload_1" 0 1 Plain;
    0x24 Fload2 "fload_2" 0 1 Plain;
    0x25 Fload3 "fload_3" 0 1 Plain;
    0x26 Dload0 "dload_0" 0 2 Plain;
    0x27 Dload1 "dload_1" 0 2 Plain;
    0x28 Dload2 "dload_2" 0 2 Plain;
    0x29 Dload3 "dload_3" 0 2 Plain;
    0x2a Aload0 "aload_0" 0 1 Plain;
    0x2b Aload1 "aload_1" 0 1 Plain;
    0x2c Aload2 "aload_2" 0 1 Plain;
    0x2d Aload3 "aload_3" 0 1 Plain;
    0x2e Iaload "iaload" 2 1 Plain;
    0x2f Laload "laload" 2 2 Plain;
    0x30 Faload "faload" 2 1 Plain;
    0x31 Daload "daload" 2 2 Plain;
    0x32 Aaload "aaload" 2 1 Plain;
    0x33 Baload "baload" 2 1 Plain;
    0x34 Caload "caload" 2 1 Plain;
    0x35 Saload "saload" 2 1 Plain;
    0x36 Istore "istore" 1 0 Local;
    0x37 Lstore "lstore" 2 0 Local;
    0x38 Fstore "fstore" 1 0 Local;
    0x39 Dstore "dstore" 2 0 Local;
    0x3a Astore "astore" 1 0 Local;
    0x3b Istore0 "istore_0" 1 0 Plain;
    0x3c Istore1 "istore_1" 1 0 Plain;
    0x3d Istore2 "istore_2" 1 0 Plain;
    0x3e Istore3 "istore_3" 1 0 Plain;
    0x3f Lstore0 "lstore_0" 2 0 Plain;
    0x40 Lstore1 "lstore_1" 2 0 Plain;
    0x41 Lstore2 "lstore_2" 2 0 Plain;
    0x42 Lstore3 "lstore_3" 2 0 Plain;
    0x43 Fstore0 "fstore_0" 1 0 Plain;
    0x44 Fstore1 "fstore_1" 1 0 Plain;
    0x45 Fstore2 "fstore_2" 1 0 Plain;
    0x46 Fstore3 "fstore_3" 1 0 Plain;
    0x47 Dstore0 "dstore_0" 2 0 Plain;
    0x48 Dstore1 "dstore_1" 2 0 Plain;
    0x49 Dstore2 "dstore_2" 2 0 Plain;
    0x4a Dstore3 "dstore_3" 2 0 Plain;
    0x4b Astore0 "astore_0" 1 0 Plain;
    0x4c Astore1 "astore_1" 1 0 Plain;
    0x4d Astore2 "astore_2" 1 0 Plain;
    0x4e Astore3 "astore_3" 1 0 Plain;
    0x4f Iastore "iastore" 3 0 Plain;
    0x50 Lastore "lastore" 4 0 Plain;
    0x51 Fastore "fastore" 3 0 Plain;
    0x52 Dastore "dastore" 4 0 Plain;
    0x53 Aastore "aastore" 3 0 Plain;
    0x54 Bastore "bastore" 3 0 Plain;
    0x55 Castore "castore" 3 0 Plain;
    0x56 Sastore "sastore" 3 0 Plain;
    0x57 Pop "pop" 1 0 Plain;
    0x58 Pop2 "pop2" 2 0 Plain;
    0x59 Dup "dup" 1 2 Plain;
    0x5a DupX1 "dup_x1" 2 3 Plain;
    0x5b DupX2 "dup_x2" 3 4 Plain;
    0x5c Dup2 "dup2" 2 4 Plain;
    0x5d Dup2X1 "dup2_x1" 3 5 Plain;
    0x5e Dup2X2 "dup2_x2" 4 6 Plain;
    0x5f Swap "swap" 2 2 Plain;
    0x60 Iadd "iadd" 2 1 Plain;
    0x61 Ladd "ladd" 4 2 Plain;
    0x62 Fadd "fadd" 2 1 Plain;
    0x63 Dadd "dadd" 4 2 Plain;
    0x64 Isub "isub" 2 1 Plain;
    0x65 Lsub "lsub" 4 2 Plain;
    0x66 Fsub "fsub" 2 1 Plain;
    0x67 Dsub "dsub" 4 2 Plain;
    0x68 Imul "imul" 2 1 Plain;
    0x69 Lmul "lmul" 4 2 Plain;
    0x6a Fmul "fmul" 2 1 Plain;
    0x6b Dmul "dmul" 4 2 Plain;
    0x6c Idiv "idiv" 2 1 Plain;
    0x6d Ldiv "ldiv" 4 2 Plain;
    0x6e Fdiv "fdiv" 2 1 Plain;
    0x6f Ddiv "ddiv" 4 2 Plain;
    0x70 Irem "irem" 2 1 Plain;
    0x71 Lrem "lrem" 4 2 Plain;
    0x72 Frem "frem" 2 1 Plain;
    0x73 Drem "drem" 4 2 Plain;
    0x74 Ineg "ineg" 1 1 Plain;
    0x75 Lneg "lneg" 2 2 Plain;
    0x76 Fneg "fneg" 1 1 Plain;
    0x77 Dneg "dneg" 2 2 Plain;
    0x78 Ishl "ishl" 2 1 Plain;
    0x79 Lshl "lshl" 3 2 Plain;
    0x7a Ishr "ishr" 2 1 Plain;
    0x7b Lshr "lshr" 3 2 Plain;
    0x7c Iushr "iushr" 2 1 Plain;
    0x7d Lushr "lushr" 3 2 Plain;
    0x7e Iand "iand" 2 1 Plain;
    0x7f Land "land" 4 2 Plain;
    0x80 Ior "ior" 2 1 Plain;
    0x81 Lor "lor" 4 2 Plain;
    0x82 Ixor "ixor" 2 1 Plain;
    0x83 Lxor "lxor" 4 2 Plain;
    0x84 Iinc "iinc" 0 0 Increment;
    0x85 I2l "i2l" 1 2 Plain;
    0x86 I2f "i2f" 1 1 Plain;
    0x87 I2d "i2d" 1 2 Plain;
    0x88 L2i "l2i" 2 1 Plain;
    0x89 L2f "l2f" 2 1 Plain;
    0x8a L2d "l2d" 2 2 Plain;
    0x8b F2i "f2i" 1 1 Plain;
    0x8c F2l "f2l" 1 2 Plain;
    0x8d F2d "f2d" 1 2 Plain;
    0x8e D2i "d2i" 2 1 Plain;
    0x8f D2l "d2l" 2 2 Plain;
    0x90 D2f "d2f" 2 1 Plain;
    0x91 I2b "i2b" 1 1 Plain;
    0x92 I2c "i2c" 1 1 Plain;
    0x93 I2s "i2s" 1 1 Plain;
    0x94 Lcmp "lcmp" 4 1 Plain;
    0x95 Fcmpl "fcmpl" 2 1 Plain;
    0x96 Fcmpg "fcmpg" 2 1 Plain;
    0x97 Dcmpl "dcmpl" 4 1 Plain;
    0x98 Dcmpg "dcmpg" 4 1 Plain;
    0x99 Ifeq "ifeq" 1 0 Branch2;
    0x9a Ifne "ifne" 1 0 Branch2;
    0x9b Iflt "iflt" 1 0 Branch2;
    0x9c Ifge "ifge" 1 0 Branch2;
    0x9d Ifgt "ifgt" 1 0 Branch2;
    0x9e Ifle "ifle" 1 0 Branch2;
    0x9f IfIcmpeq "if_icmpeq" 2 0 Branch2;
    0xa0 IfIcmpne "if_icmpne" 2 0 Branch2;
    0xa1 IfIcmplt "if_icmplt" 2 0 Branch2;
    0xa2 IfIcmpge "if_icmpge" 2 0 Branch2;
    0xa3 IfIcmpgt "if_icmpgt" 2 0 Branch2;
    0xa4 IfIcmple "if_icmple" 2 0 Branch2;
    0xa5 IfAcmpeq "if_acmpeq" 2 0 Branch2;
    0xa6 IfAcmpne "if_acmpne" 2 0 Branch2;
    0xa7 Goto "goto" 0 0 Branch2;
    0xa8 Jsr "jsr" 0 1 Branch2;
    0xa9 Ret "ret" 0 0 Local;
    0xaa Tableswitch "tableswitch" 1 0 TableSwitch;
    0xab Lookupswitch "lookupswitch" 1 0 LookupSwitch;
    0xac Ireturn "ireturn" 1 0 Plain;
    0xad Lreturn "lreturn" 2 0 Plain;
    0xae Freturn "freturn" 1 0 Plain;
    0xaf Dreturn "dreturn" 2 0 Plain;
    0xb0 Areturn "areturn" 1 0 Plain;
    0xb1 Return "return" 0 0 Plain;
    0xb2 Getstatic "getstatic" 0 0 Constant2;
    0xb3 Putstatic "putstatic" 0 0 Constant2;
    0xb4 Getfield "getfield" 0 0 Constant2;
    0xb5 Putfield "putfield" 0 0 Constant2;
    0xb6 Invokevirtual "invokevirtual" 0 0 Constant2;
    0xb7 Invokespecial "invokespecial" 0 0 Constant2;
    0xb8 Invokestatic "invokestatic" 0 0 Constant2;
    0xb9 Invokeinterface "invokeinterface" 0 0 Interface;
    0xba Invokedynamic "invokedynamic" 0 0 Dynamic;
    0xbb New "new" 0 1 Constant2;
    0xbc Newarray "newarray" 1 1 Byte;
    0xbd Anewarray "anewarray" 1 1 Constant2;
    0xbe Arraylength "arraylength" 1 1 Plain;
    0xbf Athrow "athrow" 1 0 Plain;
    0xc0 Checkcast "checkcast" 1 1 Constant2;
    0xc1 Instanceof "instanceof" 1 1 Constant2;
    0xc2 Monitorenter "monitorenter" 1 0 Plain;
    0xc3 Monitorexit "monitorexit" 1 0 Plain;
    0xc4 Wide "wide" 0 0 Wide;
    0xc5 Multianewarray "multianewarray" 0 0 Dimensions;
    0xc6 Ifnull "ifnull" 1 0 Branch2;
    0xc7 Ifnonnull "ifnonnull" 1 0 Branch2;
    0xc8 GotoW "goto_w" 0 0 Branch4;
    0xc9 JsrW "jsr_w" 0 1 Branch4;
}

impl Opcode {
    /// The opcode with this number.
    #[inline]
    pub const fn from_byte(byte: u8) -> Option<Opcode> {
        OPCODES[byte as usize]
    }

    /// The group to which it belongs.
    pub const fn group(self) -> Group {
        match self as u8 {
            0x00..=0x14 => Group::Constants,
            0x15..=0x35 => Group::Loads,
            0x36..=0x56 => Group::Stores,
            0x57..=0x5f => Group::Stack,
            0x60..=0x84 => Group::Math,
            0x85..=0x93 => Group::Conversions,
            0x94..=0xa6 => Group::Comparisons,
            0xa7..=0xb1 => Group::Control,
            0xb2..=0xc3 => Group::References,
            _ => Group::Extended,
        }
    }

    /// How its operands are laid out.
    #[inline]
    pub const fn format(self) -> Format {
        FORMATS[self as usize]
    }

    /// The slots that it takes from the stack and puts on it. Zeros for field accesses, calls and
    /// `multianewarray`, which [`crate::limits::effect`] knows from their constants.
    #[inline]
    pub const fn stack_effect(self) -> (u8, u8) {
        EFFECTS[self as usize]
    }

    /// Whether control never goes on to the next instruction: jumps, switches, returns, `athrow`,
    /// `ret`.
    pub const fn ends_flow(self) -> bool {
        matches!(
            self,
            Opcode::Goto
                | Opcode::GotoW
                | Opcode::Ret
                | Opcode::Tableswitch
                | Opcode::Lookupswitch
                | Opcode::Ireturn
                | Opcode::Lreturn
                | Opcode::Freturn
                | Opcode::Dreturn
                | Opcode::Areturn
                | Opcode::Return
                | Opcode::Athrow
        )
    }

    /// The conditional branch that is taken when this one is not.
    pub const fn inverted(self) -> Option<Opcode> {
        Some(match self {
            Opcode::Ifeq => Opcode::Ifne,
            Opcode::Ifne => Opcode::Ifeq,
            Opcode::Iflt => Opcode::Ifge,
            Opcode::Ifge => Opcode::Iflt,
            Opcode::Ifgt => Opcode::Ifle,
            Opcode::Ifle => Opcode::Ifgt,
            Opcode::IfIcmpeq => Opcode::IfIcmpne,
            Opcode::IfIcmpne => Opcode::IfIcmpeq,
            Opcode::IfIcmplt => Opcode::IfIcmpge,
            Opcode::IfIcmpge => Opcode::IfIcmplt,
            Opcode::IfIcmpgt => Opcode::IfIcmple,
            Opcode::IfIcmple => Opcode::IfIcmpgt,
            Opcode::IfAcmpeq => Opcode::IfAcmpne,
            Opcode::IfAcmpne => Opcode::IfAcmpeq,
            Opcode::Ifnull => Opcode::Ifnonnull,
            Opcode::Ifnonnull => Opcode::Ifnull,
            _ => return None,
        })
    }

    /// The slot in names such as `iload_2`.
    pub const fn implied_slot(self) -> Option<u16> {
        let first = match self as u8 {
            byte @ 0x1a..=0x2d => byte - 0x1a,
            byte @ 0x3b..=0x4e => byte - 0x3b,
            _ => return None,
        };
        Some(first as u16 % 4)
    }

    /// The opcode after this one: of a pair such as `iand`, `land` the second. Panics at the last.
    pub fn next(self) -> Opcode {
        self.offset(1)
    }

    /// The opcode `distance` numbers away. Families of instructions (`iload`, `lload`, ...;
    /// `iload_0`, `iload_1`, ...) have consecutive numbers.
    pub(crate) fn offset(self, distance: i32) -> Opcode {
        Opcode::from_byte((self as i32 + distance) as u8).expect("families of opcodes have no gaps")
    }
}

impl std::fmt::Display for Opcode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_202_opcodes_without_gaps() {
        assert_eq!(Opcode::ALL.len(), 202);
        for (number, &opcode) in Opcode::ALL.iter().enumerate() {
            assert_eq!(opcode as usize, number);
            assert_eq!(Opcode::from_byte(number as u8), Some(opcode));
        }
        assert!((202..=255).all(|number| Opcode::from_byte(number).is_none()));
    }

    #[test]
    fn groups_begin_where_the_specification_says() {
        let groups: Vec<Group> = Opcode::ALL.iter().map(|opcode| opcode.group()).collect();
        let firsts = (1..groups.len()).filter(|&at| groups[at] != groups[at - 1]);
        let names: Vec<&str> = firsts.map(|at| Opcode::ALL[at].name()).collect();
        let expected = ["iload", "istore", "pop", "iadd", "i2l", "lcmp", "goto", "getstatic", "wide"];
        assert_eq!(names, expected);
    }

    #[test]
    fn inverting_a_branch_twice_gives_it_back() {
        let branches: Vec<_> = Opcode::ALL.iter().filter_map(|op| Some((*op, op.inverted()?))).collect();
        assert_eq!(branches.len(), 16);
        assert!(branches.iter().all(|(op, inverse)| inverse.inverted() == Some(*op) && inverse != op));
    }
}
