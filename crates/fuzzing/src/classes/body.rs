//! A body of a method in the making: its locals, its statements, and what numbers are computed of.

use arbitrary::{Result, Unstructured};
use planish_classfile::builder::CodeBuilder;
use planish_classfile::{Code, Constant, Opcode};

use super::assemble::Pool;
use super::names::Names;
use super::signature::{Signature, Ty};
use super::sites::Rows;

/// How many statements and operations a body has at most.
const FUEL: u32 = 90;

/// A body in the making.
pub(super) struct Body<'p> {
    pub names: &'p Names,
    pub callable: &'p [Signature],
    /// How the call sites of the class are linked.
    pub rows: &'p mut Rows,
    pub code: CodeBuilder,
    pub fuel: u32,
    /// Numbers that may be read and written.
    pub locals: Vec<(Ty, u16)>,
    /// An `int[]`, an `A`, and an `A` that may be the same or null.
    pub array: u16,
    pub object: u16,
    pub other: u16,
    pub receiver: Option<u16>,
    /// Whether the body may never look at some of its parameters.
    pub may_ignore: bool,
    /// Whether the array and the object are parameters.
    pub shares: bool,
    pub next_slot: u16,
    pub loops: u32,
}

impl<'p> Body<'p> {
    pub fn new(names: &'p Names, callable: &'p [Signature], rows: &'p mut Rows) -> Self {
        Body {
            names,
            callable,
            rows,
            code: CodeBuilder::new(),
            fuel: FUEL,
            locals: Vec::new(),
            array: 0,
            object: 0,
            other: 0,
            receiver: None,
            may_ignore: false,
            shares: false,
            next_slot: 0,
            loops: 0,
        }
    }

    pub fn slot(&mut self, slots: u16) -> u16 {
        self.next_slot += slots;
        self.next_slot - slots
    }

    /// The whole body: locals, statements, a result.
    pub fn write(
        mut self,
        u: &mut Unstructured<'_>,
        params: &[Ty],
        result: Ty,
        pool: &mut Pool,
    ) -> Result<Code> {
        for &ty in params {
            let slot = self.slot(ty.slots());
            if !self.may_ignore || u.arbitrary()? {
                self.locals.push((ty, slot));
            }
        }
        let parameters = self.next_slot;
        for ty in Ty::ALL {
            let slot = self.slot(ty.slots());
            self.constant(u, ty, pool)?;
            self.code.local(ty.of(Opcode::Istore), slot);
            self.locals.push((ty, slot));
        }
        if !self.shares {
            self.array = self.slot(1);
            self.code.op(Opcode::Iconst4).new_array(10).local(Opcode::Astore, self.array);
            self.object = self.slot(1);
            self.new_object(u, pool)?;
            self.code.local(Opcode::Astore, self.object);
        }
        self.other = self.slot(1);
        self.code.local(Opcode::Aload, self.object).local(Opcode::Astore, self.other);
        for _ in 0..u.int_in_range(1..=6)? {
            self.statement(u, 3, pool)?;
        }
        self.expression(u, result, 3, pool)?;
        self.code.op(result.of(Opcode::Ireturn));
        Ok(self.code.finish(parameters, pool).expect("labels are bound"))
    }

    /// Puts the array and the object on the stack, if a method gets them.
    pub fn shared(&mut self, callee: &Signature) {
        if callee.shares {
            self.code.local(Opcode::Aload, self.array).local(Opcode::Aload, self.object);
        }
    }

    /// Whether there is something left to make things of.
    pub fn burn(&mut self) -> bool {
        self.fuel = self.fuel.saturating_sub(1);
        self.fuel > 0
    }

    pub fn constant(&mut self, u: &mut Unstructured<'_>, ty: Ty, pool: &mut Pool) -> Result<()> {
        const WORDS: [i64; 16] =
            [0, 1, -1, 2, 3, 5, 7, 8, 31, 32, 63, 255, 65_535, i32::MAX as i64, i32::MIN as i64, i64::MIN];
        const REALS: [f64; 10] =
            [0.0, -0.0, 1.0, -1.0, 0.5, 3.25, 1e10, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
        let constant = match ty {
            Ty::Int => {
                self.code.int(*u.choose(&WORDS)? as i32, pool).expect("room");
                return Ok(());
            }
            Ty::Long => {
                self.code.long(*u.choose(&WORDS)?, pool).expect("room");
                return Ok(());
            }
            Ty::Float => Constant::Float((*u.choose(&REALS)? as f32).to_bits()),
            Ty::Double => Constant::Double(u.choose(&REALS)?.to_bits()),
        };
        self.code.load(constant, pool).expect("room");
        Ok(())
    }

    pub fn local(&mut self, u: &mut Unstructured<'_>, ty: Ty) -> Result<u16> {
        let of: Vec<u16> = self.locals.iter().filter(|(of, _)| *of == ty).map(|(_, slot)| *slot).collect();
        u.choose(&of).copied()
    }

    pub fn new_object(&mut self, u: &mut Unstructured<'_>, pool: &mut Pool) -> Result<()> {
        let class = if u.arbitrary()? { &self.names.a } else { &self.names.b };
        self.code.class(Opcode::New, class, pool).expect("room").op(Opcode::Dup);
        self.code.int(i32::from(u.arbitrary::<i8>()?), pool).expect("room");
        self.code.call(Opcode::Invokespecial, [class, b"<init>", b"(I)V"], pool).expect("room");
        Ok(())
    }

    /// Puts a number on the stack.
    pub fn expression(
        &mut self,
        u: &mut Unstructured<'_>,
        ty: Ty,
        depth: u32,
        pool: &mut Pool,
    ) -> Result<()> {
        use Opcode::*;
        if depth == 0 || !self.burn() || u.ratio(1, 4)? {
            if u.ratio(1, 3)? {
                return self.constant(u, ty, pool);
            }
            let slot = self.local(u, ty)?;
            self.code.local(ty.of(Iload), slot);
            return Ok(());
        }
        let depth = depth - 1;
        match u.int_in_range(0..=11)? {
            0..=3 => self.operation(u, ty, depth, pool)?,
            4 => {
                self.expression(u, ty, depth, pool)?;
                self.code.op(ty.of(Ineg));
            }
            5 => self.conversion(u, ty, depth, pool)?,
            6 => self.choice(u, ty, depth, pool)?,
            7 if !self.callable.is_empty() => self.call(u, ty, depth, pool)?,
            8 if u.ratio(1, 2)? && self.receiver.is_none() => {
                self.call_of_interface(u, depth, pool)?;
                self.convert(Ty::Int, ty);
            }
            9 if u.arbitrary()? => {
                self.call_of_receiver(u, depth, pool)?;
                self.convert(Ty::Int, ty);
            }
            10 if u.arbitrary()? => {
                self.int_that_may_fail(u, pool)?;
                self.convert(Ty::Int, ty);
            }
            11 if u.ratio(2, 3)? => {
                self.int_of_lambda(u, pool)?;
                self.convert(Ty::Int, ty);
            }
            _ => {
                self.int_of_memory(u, depth, pool)?;
                self.convert(Ty::Int, ty);
            }
        }
        Ok(())
    }

    /// Arithmetic, or an operation on bits.
    fn operation(&mut self, u: &mut Unstructured<'_>, ty: Ty, depth: u32, pool: &mut Pool) -> Result<()> {
        use Opcode::*;
        let families = [Iadd, Isub, Imul, Idiv, Irem];
        let words = [Iand, Ior, Ixor, Ishl, Ishr, Iushr];
        let is_word = matches!(ty, Ty::Int | Ty::Long);
        if is_word && u.arbitrary()? {
            let first = *u.choose(&words)?;
            let shifts = matches!(first, Ishl | Ishr | Iushr);
            self.expression(u, ty, depth, pool)?;
            self.expression(u, if shifts { Ty::Int } else { ty }, depth, pool)?;
            self.code.op(ty.of(first));
        } else {
            let first = *u.choose(&families)?;
            self.expression(u, ty, depth, pool)?;
            self.expression(u, ty, depth, pool)?;
            self.code.op(ty.of(first));
        }
        Ok(())
    }

    /// One number or another, by a condition.
    fn choice(&mut self, u: &mut Unstructured<'_>, ty: Ty, depth: u32, pool: &mut Pool) -> Result<()> {
        let [other, end] = [(); 2].map(|()| self.code.label());
        self.unless(u, depth, other, pool)?;
        self.expression(u, ty, depth, pool)?;
        self.code.jump(Opcode::Goto, end).bind(other);
        self.expression(u, ty, depth, pool)?;
        self.code.bind(end);
        Ok(())
    }

    /// What a method of `T` gives.
    fn call(&mut self, u: &mut Unstructured<'_>, ty: Ty, depth: u32, pool: &mut Pool) -> Result<()> {
        let callee = u.choose(self.callable)?;
        self.shared(callee);
        for &param in &callee.params {
            self.expression(u, param, depth.min(1), pool)?;
        }
        let descriptor = callee.descriptor(self.names);
        let member = [&self.names.t[..], callee.name.as_bytes(), descriptor.as_bytes()];
        self.code.call(Opcode::Invokestatic, member, pool).expect("room");
        self.convert(callee.result, ty);
        Ok(())
    }

    /// Changes the type of the number on the stack.
    pub fn convert(&mut self, from: Ty, to: Ty) {
        use Opcode::*;
        let op = match (from, to) {
            (Ty::Int, Ty::Long) => I2l,
            (Ty::Int, Ty::Float) => I2f,
            (Ty::Int, Ty::Double) => I2d,
            (Ty::Long, Ty::Int) => L2i,
            (Ty::Long, Ty::Float) => L2f,
            (Ty::Long, Ty::Double) => L2d,
            (Ty::Float, Ty::Int) => F2i,
            (Ty::Float, Ty::Long) => F2l,
            (Ty::Float, Ty::Double) => F2d,
            (Ty::Double, Ty::Int) => D2i,
            (Ty::Double, Ty::Long) => D2l,
            (Ty::Double, Ty::Float) => D2f,
            _ => return,
        };
        self.code.op(op);
    }

    pub fn conversion(
        &mut self,
        u: &mut Unstructured<'_>,
        ty: Ty,
        depth: u32,
        pool: &mut Pool,
    ) -> Result<()> {
        use Opcode::*;
        let from = *u.choose(&Ty::ALL)?;
        self.expression(u, from, depth, pool)?;
        if ty == Ty::Int && from != Ty::Int && u.arbitrary()? {
            self.expression(u, from, depth, pool)?;
            let op = match from {
                Ty::Float => *u.choose(&[Fcmpl, Fcmpg])?,
                Ty::Double => *u.choose(&[Dcmpl, Dcmpg])?,
                _ => Lcmp,
            };
            self.code.op(op);
            return Ok(());
        }
        self.convert(from, ty);
        if ty == Ty::Int {
            self.code.op(*u.choose(&[I2b, I2c, I2s])?);
        }
        Ok(())
    }
}
