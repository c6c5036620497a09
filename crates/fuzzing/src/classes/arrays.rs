//! What random bodies do with arrays that others have as well: static fields, arguments and results, variables of
//! type `Object`, arrays in arrays, clones, and methods of the JDK that read, fill, sort, copy and keep them.
//!
//! Each program does only some of all this, and may store one number alone, so that something is known of what its
//! arrays hold, and not of those of another program.

use arbitrary::{Result, Unstructured};
use planish_classfile::builder::CodeBuilder;
use planish_classfile::{ClassFile, Flags, Opcode};
use planish_jvm_model::hierarchy::Hierarchy;

use super::assemble::{Pool, add, new_class};
use super::body::Body;
use super::names::{Arrays, KINDS, Names};
use super::platform::OBJECT;
use super::signature::Ty;
use super::sites::Rows;

const LIBRARY: &[u8] = b"java/util/Arrays";
const INTS: &[u8] = b"[I";

/// The class that has the arrays, and what its initializer makes of them.
pub(super) fn class(
    u: &mut Unstructured<'_>,
    names: &Names,
    hierarchy: &Hierarchy,
) -> Result<ClassFile<'static>> {
    use Opcode::*;
    let own = &names.arrays.class[..];
    let mut class = new_class(own, OBJECT);
    let objects = Arrays::objects(names);
    let fields: [(&[u8], &[u8]); 7] = [
        (b"ints", INTS),
        (b"filled", INTS),
        (b"bytes", b"[B"),
        (b"truths", b"[Z"),
        (b"rows", b"[[I"),
        (b"objects", objects.as_bytes()),
        (b"any", b"Ljava/lang/Object;"),
    ];
    for (name, descriptor) in fields {
        class.add_field(Flags::STATIC, name, descriptor).expect("room for a field");
    }
    let mut rows = Rows::new();
    let mut body = Body::new(names, &[], &mut rows);
    let pool = &mut class.pool;
    for (name, descriptor) in fields {
        match name {
            b"filled" => body.literal(u, 4, pool)?,
            b"rows" if u.arbitrary()? => {
                body.code.op(Iconst4).int(u.int_in_range(1..=4)?, pool).expect("room");
                body.code.new_arrays(b"[[I", 2, pool).expect("room");
            }
            b"rows" => {
                body.code.op(Iconst4).class(Anewarray, INTS, pool).expect("room");
            }
            b"objects" => {
                body.code.op(Iconst4).class(Anewarray, &names.a, pool).expect("room");
            }
            b"bytes" => {
                body.code.op(Iconst4).new_array(8);
            }
            b"truths" => {
                body.code.op(Iconst4).new_array(4);
            }
            _ => {
                body.code.op(Iconst4).new_array(10);
            }
        }
        body.code.field(Putstatic, [own, name, descriptor], pool).expect("room");
    }
    body.code.op(Return);
    let made = body.code.finish(0, pool).expect("labels are bound");
    add(&mut class, Flags::STATIC, ("<clinit>", "()V"), made, hierarchy);
    let mut code = CodeBuilder::new();
    touch(&mut code, 0, names.arrays.touches[2], &mut class.pool);
    code.local(Aload, if u.arbitrary()? { 0 } else { 1 })
        .class(Checkcast, INTS, &mut class.pool)
        .expect("room");
    code.op(Areturn);
    let made = code.finish(2, &mut class.pool).expect("labels are bound");
    add(&mut class, Flags::STATIC, ("pass", PASS), made, hierarchy);
    Ok(class)
}

/// The method of `Tables` that gets two arrays and gives one of them.
const PASS: &str = "([ILjava/lang/Object;)[I";

/// Stores a number into the first item of an array, if there is one to store.
fn touch(code: &mut CodeBuilder, slot: u16, number: Option<i8>, pool: &mut Pool) {
    if let Some(number) = number {
        code.local(Opcode::Aload, slot).op(Opcode::Iconst0).int(number.into(), pool).expect("room");
        code.op(Opcode::Iastore);
    }
}

/// Adds the method of `A` or `B` that gets an array.
pub(super) fn method(names: &Names, class: &mut ClassFile<'static>, is_base: bool, hierarchy: &Hierarchy) {
    let mut code = CodeBuilder::new();
    touch(&mut code, 1, names.arrays.touches[usize::from(is_base)], &mut class.pool);
    code.op(Opcode::Return);
    let made = code.finish(2, &mut class.pool).expect("labels are bound");
    add(class, Flags::PUBLIC, ("touch", "([I)V"), made, hierarchy);
}

impl Body<'_> {
    /// Reads or writes a static field that holds arrays.
    fn table(&mut self, op: Opcode, name: &[u8], pool: &mut Pool) {
        let objects = Arrays::objects(self.names);
        let descriptor: &[u8] = match name {
            b"bytes" => b"[B",
            b"truths" => b"[Z",
            b"rows" => b"[[I",
            b"objects" => objects.as_bytes(),
            b"any" => b"Ljava/lang/Object;",
            _ => INTS,
        };
        self.code.field(op, [&self.names.arrays.class[..], name, descriptor], pool).expect("room");
    }

    /// Puts a number on the stack that is stored into an array.
    fn stored(&mut self, u: &mut Unstructured<'_>, pool: &mut Pool) -> Result<()> {
        match self.names.arrays.stores {
            Some(number) => {
                self.code.int(number.into(), pool).expect("room");
            }
            None if self.locals.is_empty() => self.constant(u, Ty::Int, pool)?,
            None => self.expression(u, Ty::Int, 1, pool)?,
        }
        Ok(())
    }

    /// Puts an array on the stack that is filled where it is made, or nearly.
    fn literal(&mut self, u: &mut Unstructured<'_>, length: i32, pool: &mut Pool) -> Result<()> {
        self.code.int(length, pool).expect("room").new_array(10);
        let left_out = if u.ratio(1, 4)? { u.int_in_range(0..=length - 1)? } else { length };
        for place in (0..length).filter(|&place| place != left_out) {
            self.code.op(Opcode::Dup).int(place, pool).expect("room");
            self.stored(u, pool)?;
            self.code.op(Opcode::Iastore);
        }
        Ok(())
    }

    /// Puts an array of numbers on the stack, or null.
    fn ints(&mut self, u: &mut Unstructured<'_>, depth: u32, pool: &mut Pool) -> Result<()> {
        use Opcode::*;
        let does = &self.names.arrays.does;
        match u.int_in_range(0..=if depth > 0 { 10 } else { 6 })? {
            0 => {
                self.code.local(Aload, self.array);
            }
            1 | 2 => self.table(Getstatic, b"ints", pool),
            3 => {
                self.code.int(u.int_in_range(2..=4)?, pool).expect("room").new_array(10);
            }
            4 => {
                let length = u.int_in_range(1..=4)?;
                self.literal(u, length, pool)?;
            }
            5 => {
                self.table(Getstatic, b"rows", pool);
                self.index(u, 0, pool)?;
                self.code.op(Aaload);
            }
            6 if does[0] => {
                self.table(Getstatic, b"any", pool);
                self.code.class(Checkcast, INTS, pool).expect("room");
            }
            7 => {
                self.ints(u, depth - 1, pool)?;
                self.code.call(Invokevirtual, [INTS, b"clone", b"()Ljava/lang/Object;"], pool).expect("room");
                self.code.class(Checkcast, INTS, pool).expect("room");
            }
            8 => {
                self.ints(u, depth - 1, pool)?;
                self.code.int(u.int_in_range(1..=5)?, pool).expect("room");
                self.code.call(Invokestatic, [LIBRARY, b"copyOf", b"([II)[I"], pool).expect("room");
            }
            9 | 10 if does[1] => {
                self.ints(u, depth - 1, pool)?;
                self.ints(u, depth - 1, pool)?;
                let pass = [&self.names.arrays.class[..], b"pass", PASS.as_bytes()];
                self.code.call(Invokestatic, pass, pool).expect("room");
            }
            _ => self.table(Getstatic, b"filled", pool),
        }
        Ok(())
    }

    /// A statement that stores into arrays, or has others get them.
    pub(super) fn arrays(&mut self, u: &mut Unstructured<'_>, pool: &mut Pool) -> Result<()> {
        use Opcode::*;
        let kind = u.int_in_range(0..=KINDS - 1)?;
        if kind > 1 && !self.names.arrays.does[kind] {
            return Ok(());
        }
        match kind {
            0..=2 => {
                self.ints(u, 1, pool)?;
                self.index(u, 0, pool)?;
                self.stored(u, pool)?;
                self.code.op(Iastore);
            }
            3..=6 => self.keep_array(u, kind, pool)?,
            7..=10 => self.pass_to_library(u, kind, pool)?,
            11..=13 => self.objects(u, kind, pool)?,
            14 => {
                self.table(Getstatic, if u.arbitrary()? { b"bytes" } else { b"truths" }, pool);
                self.index(u, 0, pool)?;
                self.stored(u, pool)?;
                self.code.op(Bastore);
            }
            _ => {
                if self.receiver.is_none() {
                    self.code.local(Aload, self.object);
                    self.ints(u, 1, pool)?;
                    self.code
                        .call(Invokevirtual, [&self.names.a[..], b"touch", b"([I)V"], pool)
                        .expect("room");
                }
            }
        }
        Ok(())
    }

    /// Puts an array where others find it.
    fn keep_array(&mut self, u: &mut Unstructured<'_>, kind: usize, pool: &mut Pool) -> Result<()> {
        use Opcode::*;
        match kind {
            3 => {
                self.ints(u, 2, pool)?;
                self.table(Putstatic, b"ints", pool);
            }
            4 => {
                self.ints(u, 1, pool)?;
                self.table(Putstatic, b"any", pool);
            }
            5 => {
                self.table(Getstatic, b"rows", pool);
                self.index(u, 0, pool)?;
                self.ints(u, 1, pool)?;
                self.code.op(Aastore);
            }
            _ => {
                self.code.int(u.int_in_range(2..=4)?, pool).expect("room");
                self.code.class(Anewarray, INTS, pool).expect("room");
                self.table(Putstatic, b"rows", pool);
            }
        }
        Ok(())
    }

    /// Hands an array to a method of the JDK that stores into it.
    fn pass_to_library(&mut self, u: &mut Unstructured<'_>, kind: usize, pool: &mut Pool) -> Result<()> {
        use Opcode::*;
        match kind {
            7 => {
                self.ints(u, 1, pool)?;
                self.stored(u, pool)?;
                self.code.call(Invokestatic, [LIBRARY, b"fill", b"([II)V"], pool).expect("room");
            }
            8 => {
                self.ints(u, 1, pool)?;
                self.code.call(Invokestatic, [LIBRARY, b"sort", b"([I)V"], pool).expect("room");
            }
            9 => {
                self.ints(u, 1, pool)?;
                self.code.int(u.int_in_range(0..=1)?, pool).expect("room");
                self.ints(u, 1, pool)?;
                self.code.int(u.int_in_range(0..=1)?, pool).expect("room").op(Iconst1);
                let descriptor = b"(Ljava/lang/Object;ILjava/lang/Object;II)V";
                let copy = [b"java/lang/System", &b"arraycopy"[..], descriptor];
                self.code.call(Invokestatic, copy, pool).expect("room");
            }
            _ => {
                // What knows the type of an array alone may store anything into it.
                self.ints(u, 1, pool)?;
                self.index(u, 0, pool)?;
                self.code.int(9, pool).expect("room");
                let set = [b"java/lang/reflect/Array", &b"setInt"[..], b"(Ljava/lang/Object;II)V"];
                self.code.call(Invokestatic, set, pool).expect("room");
            }
        }
        Ok(())
    }

    /// Makes the array of objects, or stores into it.
    fn objects(&mut self, u: &mut Unstructured<'_>, kind: usize, pool: &mut Pool) -> Result<()> {
        use Opcode::*;
        match kind {
            11 => {
                let class = if u.ratio(1, 4)? { &self.names.b } else { &self.names.a };
                self.code.op(Iconst2).class(Anewarray, class, pool).expect("room");
                for place in [Iconst0, Iconst1] {
                    self.code.op(Dup).op(place);
                    self.new_object(u, pool)?;
                    self.code.op(Aastore);
                }
                self.table(Putstatic, b"objects", pool);
            }
            12 => {
                self.table(Getstatic, b"objects", pool);
                self.index(u, 0, pool)?;
                match u.ratio(1, 6)? {
                    true => {
                        self.code.op(AconstNull);
                    }
                    false => {
                        self.code.local(Aload, self.other);
                    }
                }
                self.code.op(Aastore);
            }
            _ => {
                self.table(Getstatic, b"objects", pool);
                let as_list = [LIBRARY, b"asList", b"([Ljava/lang/Object;)Ljava/util/List;"];
                self.code.call(Invokestatic, as_list, pool).expect("room");
                self.code.op(Iconst0).local(Aload, self.other);
                let set = [b"java/util/List", &b"set"[..], b"(ILjava/lang/Object;)Ljava/lang/Object;"];
                self.code.call(Invokeinterface, set, pool).expect("room").op(Pop);
            }
        }
        Ok(())
    }

    /// Puts a number on the stack that comes from an array.
    pub(super) fn int_of_arrays(&mut self, u: &mut Unstructured<'_>, pool: &mut Pool) -> Result<()> {
        use Opcode::*;
        match u.int_in_range(0..=7)? {
            0..=2 => {
                self.ints(u, 2, pool)?;
                self.index(u, 0, pool)?;
                self.code.op(Iaload);
            }
            3 => {
                self.table(Getstatic, if u.arbitrary()? { b"bytes" } else { b"truths" }, pool);
                self.index(u, 0, pool)?;
                self.code.op(Baload);
            }
            4 => {
                self.ints(u, 1, pool)?;
                self.code.call(Invokestatic, [LIBRARY, b"hashCode", b"([I)I"], pool).expect("room");
            }
            place => {
                self.table(Getstatic, b"objects", pool);
                self.index(u, 0, pool)?;
                self.code.op(Aaload);
                match place {
                    5 => {
                        self.code.field(Getfield, [&self.names.a[..], b"f", b"I"], pool).expect("room");
                    }
                    6 => {
                        self.code.class(Instanceof, &self.names.b, pool).expect("room");
                    }
                    _ => {
                        let [null, end] = [(); 2].map(|()| self.code.label());
                        self.code
                            .jump(Ifnull, null)
                            .op(Iconst1)
                            .jump(Goto, end)
                            .bind(null)
                            .op(Iconst0)
                            .bind(end);
                    }
                }
            }
        }
        Ok(())
    }
}
