//! Fresh objects and boxes that flow through joins: both ways of a branch make one, or each round of a loop makes the
//! next of the last. Most are only asked for what they hold; some are stored to, compared or kept.

use arbitrary::{Result, Unstructured};
use planish_classfile::Opcode;

use super::assemble::Pool;
use super::body::Body;
use super::memory::FIELDS;
use super::platform::INTEGER;
use super::signature::Ty;

impl Body<'_> {
    /// A variable of its own that holds what joins give, and what is asked of it.
    pub(super) fn joined(&mut self, u: &mut Unstructured<'_>, depth: u32, pool: &mut Pool) -> Result<()> {
        use Opcode::*;
        let is_box = u.ratio(1, 3)?;
        let variable = self.slot(1);
        if self.loops < 2 && u.ratio(2, 3)? {
            self.loops += 1;
            self.make(u, is_box, None, pool)?;
            let counter = self.slot(1);
            let end = self.code.label();
            self.code.local(Astore, variable).op(Iconst0).local(Istore, counter);
            let top = self.code.here();
            self.code.local(Iload, counter).int(u.int_in_range(0..=9)?, pool).expect("room");
            self.code.jump(IfIcmpge, end);
            if u.ratio(1, 4)? {
                self.statement(u, depth, pool)?;
            }
            self.make(u, is_box, Some(variable), pool)?;
            self.code.local(Astore, variable).increment(counter, 1).jump(Goto, top).bind(end);
            self.loops -= 1;
        } else {
            let [other, end] = [(); 2].map(|()| self.code.label());
            self.unless(u, 2, other, pool)?;
            self.make(u, is_box, None, pool)?;
            self.code.local(Astore, variable).jump(Goto, end).bind(other);
            if u.ratio(1, 8)? {
                self.code.op(AconstNull);
            } else {
                self.make(u, is_box, None, pool)?;
            }
            self.code.local(Astore, variable).bind(end);
        }
        if u.ratio(1, 4)? {
            self.statement(u, depth, pool)?;
        }
        match u.int_in_range(0..=9)? {
            0 if !is_box => {
                self.code.local(Aload, variable).local(Astore, self.other);
            }
            1 if !is_box => {
                self.code.local(Aload, variable);
                self.expression(u, Ty::Int, 1, pool)?;
                self.code.field(Putfield, [&self.names.a[..], b"f", b"I"], pool).expect("room");
            }
            2 if !is_box => {
                let same = self.code.label();
                self.code.local(Aload, variable).local(Aload, self.object).jump(IfAcmpeq, same);
                self.statement(u, depth, pool)?;
                self.code.bind(same);
            }
            3 => {
                let null = self.code.label();
                self.code.local(Aload, variable).jump(Ifnull, null);
                self.statement(u, depth, pool)?;
                self.code.bind(null);
            }
            _ => {}
        }
        self.held(u, is_box, variable, pool)?;
        let slot = self.local(u, Ty::Int)?;
        self.code.local(Istore, slot);
        Ok(())
    }

    /// Makes an object or box, of what another one holds if there is one.
    fn make(
        &mut self,
        u: &mut Unstructured<'_>,
        is_box: bool,
        from: Option<u16>,
        pool: &mut Pool,
    ) -> Result<()> {
        let class = if u.ratio(1, 8)? { &self.names.b } else { &self.names.a };
        if !is_box {
            self.code.class(Opcode::New, class, pool).expect("room").op(Opcode::Dup);
        }
        self.expression(u, Ty::Int, 1, pool)?;
        if let Some(from) = from {
            self.held(u, is_box, from, pool)?;
            self.code.op(*u.choose(&[Opcode::Iadd, Opcode::Ixor, Opcode::Isub])?);
        }
        let (op, member): (_, [&[u8]; 3]) = match is_box {
            true => (Opcode::Invokestatic, [INTEGER, b"valueOf", b"(I)Ljava/lang/Integer;"]),
            false => (Opcode::Invokespecial, [class, b"<init>", b"(I)V"]),
        };
        self.code.call(op, member, pool).expect("room");
        Ok(())
    }

    /// Puts on the stack what a variable's object or box holds.
    fn held(&mut self, u: &mut Unstructured<'_>, is_box: bool, variable: u16, pool: &mut Pool) -> Result<()> {
        self.code.local(Opcode::Aload, variable);
        if is_box {
            self.code.call(Opcode::Invokevirtual, [INTEGER, b"intValue", b"()I"], pool).expect("room");
        } else {
            let (name, descriptor, _) = u.choose(&FIELDS)?;
            let field = [&self.names.a[..], name, descriptor];
            self.code.field(Opcode::Getfield, field, pool).expect("room");
        }
        Ok(())
    }
}
