//! What random bodies do with fields, arrays and texts.

use arbitrary::{Result, Unstructured};
use planish_classfile::{Constant, Flags, Opcode};

use super::assemble::Pool;
use super::body::Body;
use super::names::a_descriptor;
use super::platform::BUILDER;
use super::signature::{Ty, V};

/// The fields of `A` that hold an `int`, as instructions take it, and how they are declared. The constructor sets the
/// first two; nothing else sets the second.
pub(super) const FIELDS: [(&[u8], &[u8], Flags); 5] = [
    (b"f", b"I", Flags::PUBLIC),
    (b"set", b"I", Flags::PUBLIC),
    (b"g", b"I", Flags::PUBLIC),
    (b"small", b"B", Flags::PUBLIC),
    (b"seen", b"I", Flags::VOLATILE),
];

/// The static fields of `T` beside the trace.
pub(super) const STATICS: [(&[u8], Flags); 2] = [(b"s", Flags::STATIC), (b"vs", Flags::VOLATILE)];

impl Body<'_> {
    /// Puts an `int` on the stack that comes from an array, an object, a text.
    pub(super) fn int_of_memory(
        &mut self,
        u: &mut Unstructured<'_>,
        depth: u32,
        pool: &mut Pool,
    ) -> Result<()> {
        use Opcode::*;
        let a = &self.names.a;
        match u.int_in_range(0..=11)? {
            10 | 11 => self.int_of_arrays(u, pool)?,
            7 => self.field(u, Getfield, pool)?,
            8 => {
                // Twice the same, with something in between that may change it.
                self.field(u, Getfield, pool)?;
                self.expression(u, Ty::Int, depth.min(1), pool)?;
                self.code.op(Iadd);
                self.field(u, Getfield, pool)?;
                self.code.op(Ixor);
            }
            9 => self.elements(u, depth, pool)?,
            0 => {
                self.code.local(Aload, self.array);
                self.index(u, depth, pool)?;
                self.code.op(Iaload);
            }
            1 => {
                self.code.local(Aload, self.array).op(Arraylength);
            }
            2 => {
                self.code.local(Aload, self.object).field(Getfield, [a, b"f", b"I"], pool).expect("room");
            }
            3 => {
                self.code.local(Aload, self.object);
                let class = if u.arbitrary()? { a } else { &self.names.b };
                self.code.class(Instanceof, class, pool).expect("room");
            }
            4 => {
                // The methods of objects call nothing, so this ends.
                let object = if self.receiver.is_some() { None } else { Some(self.object) };
                match object {
                    Some(object) => {
                        self.code.local(Aload, object);
                        self.expression(u, Ty::Int, depth, pool)?;
                        self.expression(u, Ty::Long, depth.min(1), pool)?;
                        match u.arbitrary()? {
                            true => self.constant(u, Ty::Int, pool)?,
                            false => self.expression(u, Ty::Int, depth.min(1), pool)?,
                        }
                        let member = [&self.names.a[..], b"v", V.as_bytes()];
                        self.code.call(Invokevirtual, member, pool).expect("room");
                    }
                    None => {
                        self.code.local(Aload, 0).field(Getfield, [a, b"f", b"I"], pool).expect("room");
                    }
                }
            }
            _ => {
                self.code.class(New, BUILDER, pool).expect("room").op(Dup);
                self.code.call(Invokespecial, [BUILDER, b"<init>", b"()V"], pool).expect("room");
                if u.arbitrary()? {
                    let text = pool.add_utf8(u.choose(&["", "x", "size: "])?.as_bytes()).expect("room");
                    self.code.load(Constant::String(text), pool).expect("room");
                    let append = [BUILDER, b"append", b"(Ljava/lang/String;)Ljava/lang/StringBuilder;"];
                    self.code.call(Invokevirtual, append, pool).expect("room");
                }
                let ty = *u.choose(&[Ty::Int, Ty::Long])?;
                self.expression(u, ty, depth, pool)?;
                let descriptor = format!("({})Ljava/lang/StringBuilder;", ty.letter());
                let append = [BUILDER, b"append", descriptor.as_bytes()];
                self.code.call(Invokevirtual, append, pool).expect("room");
                self.code.call(Invokevirtual, [BUILDER, b"length", b"()I"], pool).expect("room");
            }
        }
        Ok(())
    }

    /// Reads or writes a field: of an object that is on its way to the stack, or static. What is written is on top.
    pub(super) fn field(&mut self, u: &mut Unstructured<'_>, op: Opcode, pool: &mut Pool) -> Result<()> {
        use Opcode::*;
        let writes = op == Putfield;
        if u.ratio(1, 5)? {
            let (name, _) = u.choose(&STATICS)?;
            let op = if writes { Putstatic } else { Getstatic };
            self.code.field(op, [&self.names.t[..], name, b"I"], pool).expect("room");
            return Ok(());
        }
        let holder = if u.ratio(2, 3)? { self.object } else { self.other };
        self.code.local(Aload, holder);
        let a = &self.names.a;
        if u.ratio(1, 6)? {
            let descriptor = a_descriptor(a);
            self.code.field(Getfield, [&a[..], b"next", descriptor.as_bytes()], pool).expect("room");
        }
        if writes {
            self.code.op(Swap);
        }
        // The field that only the constructor sets is not written.
        let place = match u.int_in_range(0..=FIELDS.len() - 1)? {
            1 if writes => 0,
            place => place,
        };
        let (name, descriptor, _) = FIELDS[place];
        let class = if holder == self.object && u.ratio(1, 8)? { &self.names.b } else { a };
        if class == &self.names.b {
            // The field is named through the class below, if the object is one.
            let [no, end] = [(); 2].map(|()| self.code.label());
            if writes {
                self.code.op(Swap);
            }
            self.code.op(Dup).class(Instanceof, class, pool).expect("room").jump(Ifeq, no);
            self.code.class(Checkcast, class, pool).expect("room");
            if writes {
                self.code.op(Swap);
            }
            self.code.field(op, [&class[..], name, descriptor], pool).expect("room").jump(Goto, end).bind(no);
            if writes {
                self.code.op(Swap);
            }
            self.code.field(op, [&a[..], name, descriptor], pool).expect("room").bind(end);
            return Ok(());
        }
        self.code.field(op, [&class[..], name, descriptor], pool).expect("room");
        Ok(())
    }

    /// Puts an element of a short array on the stack that was made for it.
    pub(super) fn elements(&mut self, u: &mut Unstructured<'_>, depth: u32, pool: &mut Pool) -> Result<()> {
        use Opcode::*;
        // Of bytes, characters, shorts, truths, numbers.
        let (code, store, load) = *u.choose(&[
            (8, Bastore, Baload),
            (5, Castore, Caload),
            (9, Sastore, Saload),
            (4, Bastore, Baload),
            (10, Iastore, Iaload),
        ])?;
        let array = self.slot(1);
        let length = u.int_in_range(1..=3)?;
        self.code.int(length, pool).expect("room").new_array(code).local(Astore, array);
        for _ in 0..u.int_in_range(1..=3)? {
            self.code.local(Aload, array);
            self.code.int(u.int_in_range(0..=length - 1)?, pool).expect("room");
            self.expression(u, Ty::Int, depth.min(1), pool)?;
            self.code.op(store);
        }
        self.code.local(Aload, array);
        // Sometimes outside.
        let outside = i32::from(u.ratio(1, 10)?);
        self.code.int(u.int_in_range(0..=length - 1 + outside)?, pool).expect("room").op(load);
        self.code.local(Aload, array).op(Arraylength).op(Iadd);
        Ok(())
    }

    /// Puts the index of an item on the stack, which is not always in range.
    pub(super) fn index(&mut self, u: &mut Unstructured<'_>, depth: u32, pool: &mut Pool) -> Result<()> {
        self.expression(u, Ty::Int, depth, pool)?;
        if u.ratio(9, 10)? {
            self.code.op(Opcode::Iconst3).op(Opcode::Iand);
        }
        Ok(())
    }
}
