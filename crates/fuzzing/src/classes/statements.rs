//! Statements of random bodies: what they store, where they branch and loop, what they leave for everybody to see.

use arbitrary::{Result, Unstructured};
use planish_classfile::Opcode;
use planish_classfile::builder::Label;

use super::assemble::Pool;
use super::body::Body;
use super::names::a_descriptor;
use super::platform::{ARITHMETIC, RUNTIME};
use super::signature::Ty;

impl Body<'_> {
    /// Jumps unless a condition holds.
    pub(super) fn unless(
        &mut self,
        u: &mut Unstructured<'_>,
        depth: u32,
        to: Label,
        pool: &mut Pool,
    ) -> Result<()> {
        use Opcode::*;
        if u.ratio(1, 8)? {
            self.code.local(Aload, self.object).jump(*u.choose(&[Ifnull, Ifnonnull])?, to);
            return Ok(());
        }
        let ty = *u.choose(&Ty::ALL)?;
        self.expression(u, ty, depth, pool)?;
        if ty == Ty::Int && u.arbitrary()? {
            self.code.jump(*u.choose(&[Ifeq, Ifne, Iflt, Ifge, Ifgt, Ifle])?, to);
            return Ok(());
        }
        self.expression(u, ty, depth, pool)?;
        let compare = match ty {
            Ty::Int => {
                let tests = [IfIcmpeq, IfIcmpne, IfIcmplt, IfIcmpge, IfIcmpgt, IfIcmple];
                self.code.jump(*u.choose(&tests)?, to);
                return Ok(());
            }
            Ty::Long => Lcmp,
            Ty::Float => *u.choose(&[Fcmpl, Fcmpg])?,
            Ty::Double => *u.choose(&[Dcmpl, Dcmpg])?,
        };
        self.code.op(compare).jump(*u.choose(&[Ifeq, Ifne, Iflt, Ifge, Ifgt, Ifle])?, to);
        Ok(())
    }

    pub(super) fn statement(&mut self, u: &mut Unstructured<'_>, depth: u32, pool: &mut Pool) -> Result<()> {
        use Opcode::*;
        if !self.burn() {
            return Ok(());
        }
        let deep = if depth > 0 { 29 } else { 6 };
        match u.int_in_range(0..=deep)? {
            0..=2 => {
                let ty = *u.choose(&Ty::ALL)?;
                self.expression(u, ty, 3, pool)?;
                let slot = self.local(u, ty)?;
                self.code.local(ty.of(Istore), slot);
            }
            3 => {
                let slot = self.local(u, Ty::Int)?;
                self.code.increment(slot, i16::from(u.arbitrary::<i8>()?));
            }
            4 => {
                self.code.local(Aload, self.array);
                self.index(u, 2, pool)?;
                self.expression(u, Ty::Int, 2, pool)?;
                self.code.op(Iastore);
            }
            5 => {
                self.expression(u, Ty::Int, 2, pool)?;
                self.field(u, Putfield, pool)?;
            }
            6 => self.trace(u, pool)?,
            7 | 8 => self.branch(u, depth - 1, pool)?,
            9 if self.loops < 2 => self.loop_of_few_rounds(u, depth - 1, pool)?,
            10 => self.switch(u, depth - 1, pool)?,
            11 => self.guarded(u, depth - 1, pool)?,
            13 => {
                // Two stores, of which the first may be in vain.
                for _ in 0..2 {
                    self.expression(u, Ty::Int, 1, pool)?;
                    self.field(u, Putfield, pool)?;
                }
            }
            14 => self.share_object(u)?,
            15 => self.link(pool),
            16 => self.other_object(u, pool)?,
            17 => self.object_by_flag(u, depth - 1, pool)?,
            18 => self.text_switch(u, depth - 1, pool)?,
            19 => self.at_the_end(u, depth - 1, pool)?,
            20 => self.joined(u, depth - 1, pool)?,
            21 => self.call_of_recursion(u, pool)?,
            22 | 23 => self.arrays(u, pool)?,
            24..=26 => self.handlers(u, depth - 1, pool)?,
            27..=29 => self.lambdas(u, depth - 1, pool)?,
            _ => {
                self.new_object(u, pool)?;
                self.code.local(Astore, self.object);
            }
        }
        Ok(())
    }

    /// The two variables of objects hold the same one from here on.
    fn share_object(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        use Opcode::*;
        let (from, to) = if u.arbitrary()? { (self.object, self.other) } else { (self.other, self.object) };
        self.code.local(Aload, from).local(Astore, to);
        Ok(())
    }

    /// Makes a list of the two objects. It may have a loop, but nobody follows it far.
    fn link(&mut self, pool: &mut Pool) {
        use Opcode::*;
        let descriptor = a_descriptor(&self.names.a);
        self.code.local(Aload, self.object).local(Aload, self.other);
        let next = [&self.names.a[..], b"next", descriptor.as_bytes()];
        self.code.field(Putfield, next, pool).expect("room");
    }

    /// Another object for the second variable, or null.
    fn other_object(&mut self, u: &mut Unstructured<'_>, pool: &mut Pool) -> Result<()> {
        use Opcode::*;
        if u.ratio(1, 6)? {
            self.code.op(AconstNull);
        } else {
            self.new_object(u, pool)?;
        }
        self.code.local(Astore, self.other);
        Ok(())
    }

    fn branch(&mut self, u: &mut Unstructured<'_>, depth: u32, pool: &mut Pool) -> Result<()> {
        let [other, end] = [(); 2].map(|()| self.code.label());
        self.unless(u, 2, other, pool)?;
        self.statement(u, depth, pool)?;
        self.code.jump(Opcode::Goto, end).bind(other);
        self.statement(u, depth, pool)?;
        self.code.bind(end);
        Ok(())
    }

    fn loop_of_few_rounds(&mut self, u: &mut Unstructured<'_>, depth: u32, pool: &mut Pool) -> Result<()> {
        use Opcode::*;
        self.loops += 1;
        let counter = self.slot(1);
        let end = self.code.label();
        self.code.op(Iconst0).local(Istore, counter);
        let top = self.code.here();
        self.code.local(Iload, counter).int(u.int_in_range(0..=9)?, pool).expect("room");
        self.code.jump(IfIcmpge, end);
        self.statement(u, depth, pool)?;
        self.statement(u, depth, pool)?;
        // What reads the counter may not write it.
        self.code.local(Iload, counter);
        let sum = self.local(u, Ty::Int)?;
        self.code.local(Iload, sum).op(Iadd).local(Istore, sum);
        self.code.increment(counter, 1).jump(Goto, top).bind(end);
        self.loops -= 1;
        Ok(())
    }

    fn switch(&mut self, u: &mut Unstructured<'_>, depth: u32, pool: &mut Pool) -> Result<()> {
        self.expression(u, Ty::Int, 2, pool)?;
        let mut keys: Vec<i32> = Vec::new();
        for _ in 0..u.int_in_range(1..=4)? {
            keys.push(i32::from(u.int_in_range(-3..=9i8)?));
        }
        keys.sort_unstable();
        keys.dedup();
        let [default, end] = [(); 2].map(|()| self.code.label());
        let cases: Vec<(i32, Label)> = keys.into_iter().map(|key| (key, self.code.label())).collect();
        self.code.switch(default, &cases);
        for &(_, label) in &cases {
            self.code.bind(label);
            self.statement(u, depth, pool)?;
            if u.ratio(3, 4)? {
                self.code.jump(Opcode::Goto, end);
            }
        }
        self.code.bind(default);
        self.statement(u, depth, pool)?;
        self.code.bind(end);
        Ok(())
    }

    /// A statement under a handler for all exceptions or for some.
    fn guarded(&mut self, u: &mut Unstructured<'_>, depth: u32, pool: &mut Pool) -> Result<()> {
        use Opcode::*;
        let [start, stop, handler, end] = [(); 4].map(|()| self.code.label());
        self.code.bind(start).op(Nop);
        self.statement(u, depth, pool)?;
        self.code.bind(stop).jump(Goto, end).bind(handler).op(Pop);
        self.statement(u, depth, pool)?;
        self.code.bind(end);
        let class = match u.int_in_range(0..=2)? {
            0 => 0,
            1 => pool.add_class(RUNTIME).expect("room"),
            _ => pool.add_class(ARITHMETIC).expect("room"),
        };
        self.code.handler(start, stop, handler, class);
        Ok(())
    }

    /// Mixes a number into the public field.
    pub(super) fn trace(&mut self, u: &mut Unstructured<'_>, pool: &mut Pool) -> Result<()> {
        let field = [&self.names.t[..], b"trace", b"J"];
        self.code.field(Opcode::Getstatic, field, pool).expect("room");
        self.code.long(31, pool).expect("room").op(Opcode::Lmul);
        self.expression(u, Ty::Long, 2, pool)?;
        self.code.op(Opcode::Ladd).field(Opcode::Putstatic, field, pool).expect("room");
        Ok(())
    }
}
