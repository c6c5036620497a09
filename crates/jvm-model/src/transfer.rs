//! Type transfer functions of the verifier: what each instruction does to the types of locals and stack.
//!
//! These are the rules of *The Java Virtual Machine Specification*, section 4.10.1.9, one for each
//! instruction. Two readers use them: the verifier, which knows the types at every branch target, and
//! the generator of frames, which finds them. Not checked here: access to members (section 4.10.1.8 asks
//! more of protected ones), and that constants are of the class-file version at hand.

mod references;

use planish_classfile::code::Insn;
use planish_classfile::descriptor::MethodType;
use planish_classfile::{ConstantPool, Group, Opcode, Operand};

use crate::state::State;
use crate::vtype::{TypeContext, VType};

/// The method whose instructions are looked at.
pub struct MethodInfo<'m> {
    /// The name of its class.
    pub class: &'m [u8],
    /// The name of the super class of its class.
    pub super_class: Option<&'m [u8]>,
    /// Its name.
    pub name: &'m [u8],
    /// Its descriptor.
    pub descriptor: &'m [u8],
    /// Whether it has no receiver.
    pub is_static: bool,
    /// The constants of its class.
    pub pool: &'m ConstantPool<'m>,
}

type Outcome<T = ()> = Result<T, String>;

impl MethodInfo<'_> {
    /// The types at the first instruction.
    pub fn entry(&self, max_locals: u16, context: &mut TypeContext<'_>) -> Outcome<State> {
        let ty = MethodType::parse(self.descriptor).ok_or("its descriptor is malformed")?;
        let mut state = State { locals: vec![VType::Top; usize::from(max_locals)], ..State::default() };
        let mut slot = 0;
        if !self.is_static {
            state.this_uninitialized = self.name == b"<init>" && self.class != b"java/lang/Object";
            let this = match state.this_uninitialized {
                true => VType::UninitializedThis,
                false => context.object(self.class),
            };
            set(&mut state, 0, this)?;
            slot = 1;
        }
        for parameter in ty.parameters() {
            let parameter = context.of_descriptor(parameter);
            set(&mut state, slot, parameter)?;
            slot += 1 + u16::from(parameter.is_wide());
        }
        Ok(state)
    }
}

fn set(state: &mut State, slot: u16, ty: VType) -> Outcome {
    if state.set_local(slot, ty) { Ok(()) } else { Err(format!("there is no local {slot}")) }
}

/// Executes instructions on types.
pub struct Machine<'c, 'h, 'm> {
    /// Names and hierarchy.
    pub context: &'c mut TypeContext<'h>,
    /// The method.
    pub method: &'c MethodInfo<'m>,
    /// The types before the instruction, then after it.
    pub state: State,
}

impl Machine<'_, '_, '_> {
    fn push(&mut self, ty: VType) {
        self.state.stack.push(ty);
    }

    fn pop_any(&mut self) -> Outcome<VType> {
        self.state.stack.pop().ok_or_else(|| "the stack is empty".to_owned())
    }

    /// Takes a value that can stand for `wanted`.
    fn pop(&mut self, wanted: VType) -> Outcome<VType> {
        let found = self.pop_any()?;
        match self.context.is_assignable(found, wanted) {
            Some(true) => Ok(found),
            known => {
                let why = if known.is_none() { " (a class is missing)" } else { "" };
                let (found, wanted) = (self.context.show(found), self.context.show(wanted));
                Err(format!("{found} on the stack instead of {wanted}{why}"))
            }
        }
    }

    /// Takes a reference to an initialized object, or null.
    fn pop_reference(&mut self) -> Outcome<VType> {
        let found = self.pop_any()?;
        if found.is_reference() {
            return Ok(found);
        }
        Err(format!("{} on the stack instead of a reference", self.context.show(found)))
    }

    /// Takes a value of one slot, or of two slots as one value, as `dup2` and its like do. Gives the values, and how
    /// many they are.
    fn pop_slots(&mut self, slots: usize) -> Outcome<([VType; 2], usize)> {
        let mut taken = [VType::Top; 2];
        let (mut left, mut count) = (slots, 0);
        while left > 0 {
            let ty = self.pop_any()?;
            let size = 1 + usize::from(ty.is_wide());
            if size > left || (size == 2 && left != slots) {
                return Err(format!("{} is cut in half", self.context.show(ty)));
            }
            left -= size;
            taken[count] = ty;
            count += 1;
        }
        taken[..count].reverse();
        Ok((taken, count))
    }

    /// Copies the top `count` slots below `skip` more.
    fn duplicate(&mut self, count: usize, skip: usize) -> Outcome {
        let (top, count) = self.pop_slots(count)?;
        let (below, skip) = self.pop_slots(skip)?;
        for ty in top[..count].iter().chain(&below[..skip]).chain(&top[..count]) {
            self.push(*ty);
        }
        Ok(())
    }

    /// Runs a rule: types to take from the left, the topmost last, and types to put.
    /// `i`, `f`, `l`, `d` are numbers.
    fn simple(&mut self, rule: &str) -> Outcome {
        let (takes, gives) = rule.split_once('>').expect("a rule has two sides");
        let number = |letter| match letter {
            b'i' => VType::Int,
            b'f' => VType::Float,
            b'l' => VType::Long,
            _ => VType::Double,
        };
        for letter in takes.bytes().rev() {
            self.pop(number(letter))?;
        }
        gives.bytes().for_each(|letter| self.push(number(letter)));
        Ok(())
    }

    fn load(&mut self, slot: Option<u16>, wanted: VType) -> Outcome {
        let slot = slot.ok_or("a load names a local")?;
        let found = self.state.local(slot);
        if found != wanted {
            let (found, wanted) = (self.context.show(found), self.context.show(wanted));
            return Err(format!("local {slot} is {found} instead of {wanted}"));
        }
        self.push(found);
        Ok(())
    }

    /// Loads a reference, also one to an object that no constructor made ready yet.
    fn load_reference(&mut self, slot: Option<u16>) -> Outcome {
        let slot = slot.ok_or("a load names a local")?;
        let found = self.state.local(slot);
        if !matches!(
            found,
            VType::Null | VType::Object(_) | VType::UninitializedThis | VType::Uninitialized(_)
        ) {
            return Err(format!("local {slot} is {} instead of a reference", self.context.show(found)));
        }
        self.push(found);
        Ok(())
    }

    fn store(&mut self, slot: Option<u16>, wanted: VType) -> Outcome {
        let found = self.pop(wanted)?;
        set(&mut self.state, slot.ok_or("a store names a local")?, found)
    }

    /// Stores a reference, also one to an object that no constructor made ready yet.
    fn store_reference(&mut self, slot: Option<u16>) -> Outcome {
        let found = self.pop_any()?;
        if matches!(found, VType::Top | VType::Int | VType::Float) || found.is_wide() {
            return Err(format!("{} on the stack instead of a reference", self.context.show(found)));
        }
        set(&mut self.state, slot.ok_or("a store names a local")?, found)
    }

    fn returns(&mut self, wanted: Option<VType>) -> Outcome {
        let method = MethodType::parse(self.method.descriptor).ok_or("its descriptor is malformed")?;
        let result = method.result().map(|ty| self.context.of_descriptor(ty));
        match (wanted, result) {
            (None, None) => {}
            (Some(VType::Null), Some(result @ VType::Object(_))) => {
                self.pop(result)?;
            }
            (Some(wanted), Some(result)) if wanted == result => {
                self.pop(result)?;
            }
            _ => return Err("the return does not fit the descriptor".into()),
        }
        if self.state.this_uninitialized {
            return Err("a constructor returns before it called another one".into());
        }
        Ok(())
    }

    /// Executes `instruction`, which stands at `at`.
    pub fn execute(&mut self, instruction: &Insn, at: u32) -> Outcome {
        let op = instruction.op;
        if let Some(rule) = rule_of_numbers(op) {
            return self.simple(rule);
        }
        match op.group() {
            Group::Constants => self.push_constant(instruction),
            Group::Loads => self.loads(instruction),
            Group::Stores => self.stores(instruction),
            Group::Stack => self.rearrange(op),
            Group::Math => self.increment(instruction),
            Group::References => self.references(instruction, at),
            Group::Extended if op == Opcode::Multianewarray => self.new_arrays(instruction),
            Group::Conversions | Group::Comparisons | Group::Control | Group::Extended => self.control(op),
        }
    }

    fn push_constant(&mut self, instruction: &Insn) -> Outcome {
        match (instruction.op, &instruction.operand) {
            (Opcode::Nop, _) => {}
            (Opcode::AconstNull, _) => self.push(VType::Null),
            (op, &Operand::Constant(index)) => {
                let ty = self.constant(index)?;
                if ty.is_wide() != (op == Opcode::Ldc2W) {
                    return Err(format!("{op} loads a constant of another size"));
                }
                self.push(ty);
            }
            (op, _) => return Err(misfit(op)),
        }
        Ok(())
    }

    /// Loads of locals and of elements.
    fn loads(&mut self, instruction: &Insn) -> Outcome {
        use Opcode::*;
        let slot = instruction.slot();
        match instruction.op {
            Iload | Iload0 | Iload1 | Iload2 | Iload3 => self.load(slot, VType::Int),
            Lload | Lload0 | Lload1 | Lload2 | Lload3 => self.load(slot, VType::Long),
            Fload | Fload0 | Fload1 | Fload2 | Fload3 => self.load(slot, VType::Float),
            Dload | Dload0 | Dload1 | Dload2 | Dload3 => self.load(slot, VType::Double),
            Aload | Aload0 | Aload1 | Aload2 | Aload3 => self.load_reference(slot),
            Iaload => self.array_load(&[b"[I"], VType::Int),
            Laload => self.array_load(&[b"[J"], VType::Long),
            Faload => self.array_load(&[b"[F"], VType::Float),
            Daload => self.array_load(&[b"[D"], VType::Double),
            Baload => self.array_load(&[b"[B", b"[Z"], VType::Int),
            Caload => self.array_load(&[b"[C"], VType::Int),
            Saload => self.array_load(&[b"[S"], VType::Int),
            Aaload => self.element_load(),
            op => unreachable!("{op} loads nothing"),
        }
    }

    /// Stores of locals and of elements.
    fn stores(&mut self, instruction: &Insn) -> Outcome {
        use Opcode::*;
        let slot = instruction.slot();
        match instruction.op {
            Istore | Istore0 | Istore1 | Istore2 | Istore3 => self.store(slot, VType::Int),
            Lstore | Lstore0 | Lstore1 | Lstore2 | Lstore3 => self.store(slot, VType::Long),
            Fstore | Fstore0 | Fstore1 | Fstore2 | Fstore3 => self.store(slot, VType::Float),
            Dstore | Dstore0 | Dstore1 | Dstore2 | Dstore3 => self.store(slot, VType::Double),
            Astore | Astore0 | Astore1 | Astore2 | Astore3 => self.store_reference(slot),
            Iastore => self.array_store(&[b"[I"], VType::Int),
            Lastore => self.array_store(&[b"[J"], VType::Long),
            Fastore => self.array_store(&[b"[F"], VType::Float),
            Dastore => self.array_store(&[b"[D"], VType::Double),
            Bastore => self.array_store(&[b"[B", b"[Z"], VType::Int),
            Castore => self.array_store(&[b"[C"], VType::Int),
            Sastore => self.array_store(&[b"[S"], VType::Int),
            Aastore => self.element_store(),
            op => unreachable!("{op} stores nothing"),
        }
    }

    /// What moves entries of the stack.
    fn rearrange(&mut self, op: Opcode) -> Outcome {
        use Opcode::*;
        match op {
            Pop => self.pop_slots(1).map(drop),
            Pop2 => self.pop_slots(2).map(drop),
            Dup => self.duplicate(1, 0),
            DupX1 => self.duplicate(1, 1),
            DupX2 => self.duplicate(1, 2),
            Dup2 => self.duplicate(2, 0),
            Dup2X1 => self.duplicate(2, 1),
            Dup2X2 => self.duplicate(2, 2),
            Swap => {
                let ((a, _), (b, _)) = (self.pop_slots(1)?, self.pop_slots(1)?);
                self.push(a[0]);
                self.push(b[0]);
                Ok(())
            }
            op => unreachable!("{op} does not move entries of the stack"),
        }
    }

    fn increment(&mut self, instruction: &Insn) -> Outcome {
        let slot = instruction.slot().ok_or("iinc names a local")?;
        if self.state.local(slot) != VType::Int {
            return Err(format!("local {slot} is not an int"));
        }
        Ok(())
    }

    /// Jumps, returns, and branches that look at references.
    fn control(&mut self, op: Opcode) -> Outcome {
        use Opcode::*;
        match op {
            Goto | GotoW => Ok(()),
            IfAcmpeq | IfAcmpne => {
                self.pop_reference()?;
                self.pop_reference().map(drop)
            }
            Ifnull | Ifnonnull => self.pop_reference().map(drop),
            Ireturn => self.returns(Some(VType::Int)),
            Lreturn => self.returns(Some(VType::Long)),
            Freturn => self.returns(Some(VType::Float)),
            Dreturn => self.returns(Some(VType::Double)),
            // Null stands for any reference here.
            Areturn => self.returns(Some(VType::Null)),
            Return => self.returns(None),
            Jsr | JsrW | Ret => Err("subroutines are not verified by types".into()),
            Wide => Err(misfit(op)),
            op => unreachable!("{op} leads nowhere"),
        }
    }
}

/// The rule of an instruction that takes and gives numbers only, as [`Machine::simple`] reads it.
fn rule_of_numbers(op: Opcode) -> Option<&'static str> {
    use Opcode::*;
    Some(match op {
        IconstM1 | Iconst0 | Iconst1 | Iconst2 | Iconst3 | Iconst4 | Iconst5 | Bipush | Sipush => ">i",
        Lconst0 | Lconst1 => ">l",
        Fconst0 | Fconst1 | Fconst2 => ">f",
        Dconst0 | Dconst1 => ">d",
        Iadd | Isub | Imul | Idiv | Irem | Ishl | Ishr | Iushr | Iand | Ior | Ixor => "ii>i",
        Ladd | Lsub | Lmul | Ldiv | Lrem | Land | Lor | Lxor => "ll>l",
        Lshl | Lshr | Lushr => "li>l",
        Fadd | Fsub | Fmul | Fdiv | Frem => "ff>f",
        Dadd | Dsub | Dmul | Ddiv | Drem => "dd>d",
        Ineg | I2b | I2c | I2s => "i>i",
        Lneg => "l>l",
        Fneg => "f>f",
        Dneg => "d>d",
        I2l => "i>l",
        I2f => "i>f",
        I2d => "i>d",
        L2i => "l>i",
        L2f => "l>f",
        L2d => "l>d",
        F2i => "f>i",
        F2l => "f>l",
        F2d => "f>d",
        D2i => "d>i",
        D2l => "d>l",
        D2f => "d>f",
        Lcmp => "ll>i",
        Fcmpl | Fcmpg => "ff>i",
        Dcmpl | Dcmpg => "dd>i",
        Ifeq | Ifne | Iflt | Ifge | Ifgt | Ifle | Tableswitch | Lookupswitch => "i>",
        IfIcmpeq | IfIcmpne | IfIcmplt | IfIcmpge | IfIcmpgt | IfIcmple => "ii>",
        _ => return None,
    })
}

/// Whether an instruction may change what is known of locals.
pub fn changes_locals(op: Opcode) -> bool {
    // An object that is made, or made ready, is so wherever it is.
    (Opcode::Istore..=Opcode::Astore3).contains(&op) || matches!(op, Opcode::New | Opcode::Invokespecial)
}

fn misfit(op: Opcode) -> String {
    format!("{op} has an operand of another instruction")
}
