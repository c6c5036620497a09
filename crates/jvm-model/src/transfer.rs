//! Type transfer functions of the verifier: what each instruction does to the types of locals and stack.
//!
//! These are the rules of *The Java Virtual Machine Specification*, section 4.10.1.9, one for each
//! instruction. Two readers use them: the verifier, which knows the types at every branch target, and
//! the generator of frames, which finds them. Not checked here: access to members (section 4.10.1.8 asks
//! more of protected ones), and that constants are of the class-file version at hand.

use std::rc::Rc;

use planish_classfile::code::Insn;
use planish_classfile::descriptor::{MethodType, Type};
use planish_classfile::{Constant, ConstantPool, MemberRef, Opcode, Operand};

use crate::state::State;
use crate::vtype::{Signature, TypeContext, VType};

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

impl<'c> Machine<'c, '_, '_> {
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

    fn store(&mut self, slot: Option<u16>, wanted: VType) -> Outcome {
        let found = self.pop(wanted)?;
        set(&mut self.state, slot.ok_or("a store names a local")?, found)
    }

    fn array_load(&mut self, arrays: &[&[u8]], gives: VType) -> Outcome {
        self.pop(VType::Int)?;
        self.pop_array(arrays)?;
        self.push(gives);
        Ok(())
    }

    fn array_store(&mut self, arrays: &[&[u8]], takes: VType) -> Outcome {
        self.pop(takes)?;
        self.pop(VType::Int)?;
        self.pop_array(arrays)
    }

    fn pop_array(&mut self, arrays: &[&[u8]]) -> Outcome {
        let found = self.pop_any()?;
        let fits = match found {
            VType::Null => true,
            VType::Object(name) => arrays.contains(&self.context.text(name)),
            _ => false,
        };
        if fits { Ok(()) } else { Err(format!("{} is not an array of that kind", self.context.show(found))) }
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
        use Opcode::*;
        let op = instruction.op;
        match op {
            Nop | Goto | GotoW => {}
            AconstNull => self.push(VType::Null),
            IconstM1 | Iconst0 | Iconst1 | Iconst2 | Iconst3 | Iconst4 | Iconst5 | Bipush | Sipush => {
                self.push(VType::Int);
            }
            Lconst0 | Lconst1 => self.push(VType::Long),
            Fconst0 | Fconst1 | Fconst2 => self.push(VType::Float),
            Dconst0 | Dconst1 => self.push(VType::Double),
            Ldc | LdcW | Ldc2W => {
                let Operand::Constant(index) = instruction.operand else { return Err(misfit(op)) };
                let ty = self.constant(index)?;
                if ty.is_wide() != (op == Ldc2W) {
                    return Err(format!("{op} loads a constant of another size"));
                }
                self.push(ty);
            }
            Iload | Iload0 | Iload1 | Iload2 | Iload3 => self.load(instruction.slot(), VType::Int)?,
            Lload | Lload0 | Lload1 | Lload2 | Lload3 => self.load(instruction.slot(), VType::Long)?,
            Fload | Fload0 | Fload1 | Fload2 | Fload3 => self.load(instruction.slot(), VType::Float)?,
            Dload | Dload0 | Dload1 | Dload2 | Dload3 => self.load(instruction.slot(), VType::Double)?,
            Aload | Aload0 | Aload1 | Aload2 | Aload3 => {
                let slot = instruction.slot().ok_or("a load names a local")?;
                let found = self.state.local(slot);
                if !matches!(
                    found,
                    VType::Null | VType::Object(_) | VType::UninitializedThis | VType::Uninitialized(_)
                ) {
                    return Err(format!(
                        "local {slot} is {} instead of a reference",
                        self.context.show(found)
                    ));
                }
                self.push(found);
            }
            Istore | Istore0 | Istore1 | Istore2 | Istore3 => self.store(instruction.slot(), VType::Int)?,
            Lstore | Lstore0 | Lstore1 | Lstore2 | Lstore3 => self.store(instruction.slot(), VType::Long)?,
            Fstore | Fstore0 | Fstore1 | Fstore2 | Fstore3 => self.store(instruction.slot(), VType::Float)?,
            Dstore | Dstore0 | Dstore1 | Dstore2 | Dstore3 => {
                self.store(instruction.slot(), VType::Double)?
            }
            Astore | Astore0 | Astore1 | Astore2 | Astore3 => {
                let found = self.pop_any()?;
                if matches!(found, VType::Top | VType::Int | VType::Float) || found.is_wide() {
                    return Err(format!("{} on the stack instead of a reference", self.context.show(found)));
                }
                set(&mut self.state, instruction.slot().ok_or("a store names a local")?, found)?;
            }
            Iinc => {
                let slot = instruction.slot().ok_or("iinc names a local")?;
                if self.state.local(slot) != VType::Int {
                    return Err(format!("local {slot} is not an int"));
                }
            }
            Iaload => self.array_load(&[b"[I"], VType::Int)?,
            Laload => self.array_load(&[b"[J"], VType::Long)?,
            Faload => self.array_load(&[b"[F"], VType::Float)?,
            Daload => self.array_load(&[b"[D"], VType::Double)?,
            Baload => self.array_load(&[b"[B", b"[Z"], VType::Int)?,
            Caload => self.array_load(&[b"[C"], VType::Int)?,
            Saload => self.array_load(&[b"[S"], VType::Int)?,
            Iastore => self.array_store(&[b"[I"], VType::Int)?,
            Lastore => self.array_store(&[b"[J"], VType::Long)?,
            Fastore => self.array_store(&[b"[F"], VType::Float)?,
            Dastore => self.array_store(&[b"[D"], VType::Double)?,
            Bastore => self.array_store(&[b"[B", b"[Z"], VType::Int)?,
            Castore => self.array_store(&[b"[C"], VType::Int)?,
            Sastore => self.array_store(&[b"[S"], VType::Int)?,
            Aaload => {
                self.pop(VType::Int)?;
                let array = self.pop_reference()?;
                let Some(element) = self.context.element(array) else {
                    return Err(format!("{} is not an array of references", self.context.show(array)));
                };
                self.push(element);
            }
            Aastore => {
                self.pop_reference()?;
                self.pop(VType::Int)?;
                let array = self.pop_reference()?;
                if self.context.element(array).is_none() {
                    return Err(format!("{} is not an array of references", self.context.show(array)));
                }
            }
            Pop => self.pop_slots(1).map(drop)?,
            Pop2 => self.pop_slots(2).map(drop)?,
            Dup => self.duplicate(1, 0)?,
            DupX1 => self.duplicate(1, 1)?,
            DupX2 => self.duplicate(1, 2)?,
            Dup2 => self.duplicate(2, 0)?,
            Dup2X1 => self.duplicate(2, 1)?,
            Dup2X2 => self.duplicate(2, 2)?,
            Swap => {
                let ((a, _), (b, _)) = (self.pop_slots(1)?, self.pop_slots(1)?);
                self.push(a[0]);
                self.push(b[0]);
            }
            Iadd | Isub | Imul | Idiv | Irem | Ishl | Ishr | Iushr | Iand | Ior | Ixor => {
                self.simple("ii>i")?
            }
            Ladd | Lsub | Lmul | Ldiv | Lrem | Land | Lor | Lxor => self.simple("ll>l")?,
            Lshl | Lshr | Lushr => self.simple("li>l")?,
            Fadd | Fsub | Fmul | Fdiv | Frem => self.simple("ff>f")?,
            Dadd | Dsub | Dmul | Ddiv | Drem => self.simple("dd>d")?,
            Ineg | I2b | I2c | I2s => self.simple("i>i")?,
            Lneg => self.simple("l>l")?,
            Fneg => self.simple("f>f")?,
            Dneg => self.simple("d>d")?,
            I2l => self.simple("i>l")?,
            I2f => self.simple("i>f")?,
            I2d => self.simple("i>d")?,
            L2i => self.simple("l>i")?,
            L2f => self.simple("l>f")?,
            L2d => self.simple("l>d")?,
            F2i => self.simple("f>i")?,
            F2l => self.simple("f>l")?,
            F2d => self.simple("f>d")?,
            D2i => self.simple("d>i")?,
            D2l => self.simple("d>l")?,
            D2f => self.simple("d>f")?,
            Lcmp => self.simple("ll>i")?,
            Fcmpl | Fcmpg => self.simple("ff>i")?,
            Dcmpl | Dcmpg => self.simple("dd>i")?,
            Ifeq | Ifne | Iflt | Ifge | Ifgt | Ifle | Tableswitch | Lookupswitch => self.simple("i>")?,
            IfIcmpeq | IfIcmpne | IfIcmplt | IfIcmpge | IfIcmpgt | IfIcmple => self.simple("ii>")?,
            IfAcmpeq | IfAcmpne => {
                self.pop_reference()?;
                self.pop_reference()?;
            }
            Ifnull | Ifnonnull | Monitorenter | Monitorexit => drop(self.pop_reference()?),
            Ireturn => self.returns(Some(VType::Int))?,
            Lreturn => self.returns(Some(VType::Long))?,
            Freturn => self.returns(Some(VType::Float))?,
            Dreturn => self.returns(Some(VType::Double))?,
            // Null stands for any reference here.
            Areturn => self.returns(Some(VType::Null))?,
            Return => self.returns(None)?,
            Getstatic | Putstatic | Getfield | Putfield => self.field(instruction)?,
            Invokevirtual | Invokespecial | Invokestatic | Invokeinterface | Invokedynamic => {
                self.call(instruction)?;
            }
            New => {
                let fresh = VType::Uninitialized(at);
                if self.state.stack.contains(&fresh) {
                    return Err("an object of an earlier round is still uninitialized".into());
                }
                if self.class_constant(instruction)?.starts_with(b"[") {
                    return Err("new makes no arrays".into());
                }
                self.state.replace(fresh, VType::Top);
                self.push(fresh);
            }
            Newarray => {
                let Operand::Immediate(number) = instruction.operand else { return Err(misfit(op)) };
                let name = usize::try_from(number - 4).ok().and_then(|index| {
                    [&b"[Z"[..], b"[C", b"[F", b"[D", b"[B", b"[S", b"[I", b"[J"].get(index).copied()
                });
                self.pop(VType::Int)?;
                let array = self.context.object(name.ok_or("newarray names no element type")?);
                self.push(array);
            }
            Anewarray => {
                self.pop(VType::Int)?;
                let element = self.class_constant(instruction)?;
                let mut name = b"[".to_vec();
                Type::of_class(element).ok_or("a malformed array class")?.write(&mut name);
                let array = self.context.object(&name);
                self.push(array);
            }
            Multianewarray => {
                let Operand::Dimensions { count, .. } = instruction.operand else { return Err(misfit(op)) };
                let name = self.class_constant(instruction)?;
                let dimensions = name.iter().take_while(|byte| **byte == b'[').count();
                if count == 0 || usize::from(count) > dimensions {
                    return Err("an array has fewer dimensions than are made".into());
                }
                (0..count).try_for_each(|_| self.pop(VType::Int).map(drop))?;
                let array = self.context.object(name);
                self.push(array);
            }
            Arraylength => {
                let array = self.pop_reference()?;
                let is_array = match array {
                    VType::Object(name) => self.context.text(name).starts_with(b"["),
                    _ => true,
                };
                if !is_array {
                    return Err(format!("{} is not an array", self.context.show(array)));
                }
                self.push(VType::Int);
            }
            Athrow => {
                let throwable = self.context.object(b"java/lang/Throwable");
                self.pop(throwable)?;
            }
            Checkcast => {
                self.pop_reference()?;
                let class = self.class_constant(instruction)?;
                let class = self.context.object(class);
                self.push(class);
            }
            Instanceof => {
                self.class_constant(instruction)?;
                self.pop_reference()?;
                self.push(VType::Int);
            }
            Jsr | JsrW | Ret => return Err("subroutines are not verified by types".into()),
            Wide => return Err(misfit(op)),
        }
        Ok(())
    }

    fn class_constant(&self, instruction: &Insn) -> Outcome<&'c [u8]> {
        let (Operand::Constant(index) | Operand::Dimensions { class: index, .. }) = instruction.operand
        else {
            return Err(misfit(instruction.op));
        };
        self.method.pool.class(index).map_err(|error| error.to_string())
    }

    fn constant(&mut self, index: u16) -> Outcome<VType> {
        let pool = self.method.pool;
        Ok(match pool.get(index).map_err(|error| error.to_string())? {
            Constant::Integer(_) => VType::Int,
            Constant::Float(_) => VType::Float,
            Constant::Long(_) => VType::Long,
            Constant::Double(_) => VType::Double,
            Constant::String(_) => self.context.object(b"java/lang/String"),
            Constant::Class(_) => self.context.object(b"java/lang/Class"),
            Constant::MethodType(_) => self.context.object(b"java/lang/invoke/MethodType"),
            Constant::MethodHandle(..) => self.context.object(b"java/lang/invoke/MethodHandle"),
            Constant::Dynamic(..) => {
                let (_, _, descriptor) = pool.dynamic(index).map_err(|error| error.to_string())?;
                let ty = Type::parse(descriptor).ok_or("a malformed descriptor of a constant")?;
                self.context.of_descriptor(ty)
            }
            other => return Err(format!("a {} cannot be loaded", other.tag().1)),
        })
    }

    /// What a field, method or dynamic call is made of.
    fn signature(&mut self, index: u16, is_field: bool, is_dynamic: bool) -> Outcome<Rc<Signature>> {
        if let Some(known) = self.context.known_signature(index)
            && known.is_field == is_field
            && known.is_dynamic == is_dynamic
        {
            return Ok(Rc::clone(known));
        }
        let pool = self.method.pool;
        let (owner, descriptor) = match is_dynamic {
            true => {
                let (_, _, descriptor) = pool.dynamic(index).map_err(|error| error.to_string())?;
                (VType::Top, descriptor)
            }
            false => {
                let member = pool.member(index).map_err(|error| error.to_string())?;
                (self.context.object(member.class), member.descriptor)
            }
        };
        let (parameters, result) = match is_field {
            true => {
                let ty = Type::parse(descriptor).ok_or("a malformed descriptor of a field")?;
                (Box::default(), Some(self.context.of_descriptor(ty)))
            }
            false => {
                let ty = MethodType::parse(descriptor).ok_or("a malformed descriptor of a method")?;
                let parameters = ty.parameters().map(|ty| self.context.of_descriptor(ty)).collect();
                (parameters, ty.result().map(|ty| self.context.of_descriptor(ty)))
            }
        };
        let signature = Rc::new(Signature { is_field, is_dynamic, owner, parameters, result });
        self.context.keep_signature(index, &signature);
        Ok(signature)
    }

    fn field(&mut self, instruction: &Insn) -> Outcome {
        let Operand::Constant(index) = instruction.operand else { return Err(misfit(instruction.op)) };
        let signature = self.signature(index, true, false)?;
        let (owner, ty) = (signature.owner, signature.result.ok_or("a field has a type")?);
        match instruction.op {
            Opcode::Getstatic => self.push(ty),
            Opcode::Putstatic => drop(self.pop(ty)?),
            Opcode::Getfield => {
                self.pop(owner)?;
                self.push(ty);
            }
            _ => {
                self.pop(ty)?;
                let MemberRef { class, name, .. } =
                    self.method.pool.member(index).map_err(|error| error.to_string())?;
                // A constructor may set fields of its own class before it calls another constructor.
                let own =
                    self.state.stack.last() == Some(&VType::UninitializedThis) && class == self.method.class;
                if own {
                    self.pop_any()?;
                } else {
                    self.pop(owner).map_err(|error| format!("{error}, to set its field {}", lossy(name)))?;
                }
            }
        }
        Ok(())
    }

    fn call(&mut self, instruction: &Insn) -> Outcome {
        let pool = self.method.pool;
        let op = instruction.op;
        let (Operand::Constant(index) | Operand::Interface { method: index, .. }) = instruction.operand
        else {
            return Err(misfit(op));
        };
        let is_dynamic = op == Opcode::Invokedynamic && matches!(instruction.operand, Operand::Constant(_));
        let signature = self.signature(index, false, is_dynamic)?;
        let (class, name) = match is_dynamic {
            true => (&b""[..], pool.dynamic(index).map_err(|error| error.to_string())?.1),
            false => {
                pool.member(index).map(|member| (member.class, member.name)).map_err(|e| e.to_string())?
            }
        };
        let in_callee = |error: String| format!("{error}, to call {}", lossy(name));
        for &parameter in signature.parameters.iter().rev() {
            self.pop(parameter).map_err(in_callee)?;
        }
        match op {
            Opcode::Invokestatic | Opcode::Invokedynamic => {}
            Opcode::Invokespecial if name == b"<init>" => self.construct(class)?,
            _ if name.starts_with(b"<") => return Err(format!("{op} calls {}", lossy(name))),
            Opcode::Invokespecial => {
                // The receiver is of the calling class, whatever class the method is found in.
                let this = self.context.object(self.method.class);
                self.pop(this).map_err(in_callee)?;
            }
            _ => drop(self.pop(signature.owner).map_err(in_callee)?),
        }
        if let Some(result) = signature.result {
            self.push(result);
        }
        Ok(())
    }

    /// A call of a constructor of `class` turns its receiver into an object everywhere.
    fn construct(&mut self, class: &[u8]) -> Outcome {
        let receiver = self.pop_any()?;
        let made = match receiver {
            VType::UninitializedThis => {
                if class != self.method.class && Some(class) != self.method.super_class {
                    return Err("a constructor of neither this class nor its super class".into());
                }
                self.state.this_uninitialized = false;
                self.context.object(self.method.class)
            }
            VType::Uninitialized(_) => self.context.object(class),
            other => return Err(format!("{} is constructed", self.context.show(other))),
        };
        self.state.replace(receiver, made);
        Ok(())
    }
}

/// Whether an instruction may change what is known of locals.
pub fn changes_locals(op: Opcode) -> bool {
    // An object that is made, or made ready, is so wherever it is.
    (Opcode::Istore..=Opcode::Astore3).contains(&op) || matches!(op, Opcode::New | Opcode::Invokespecial)
}

fn misfit(op: Opcode) -> String {
    format!("{op} has an operand of another instruction")
}

fn lossy(name: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(name)
}
