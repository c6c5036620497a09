//! What random bodies do besides arithmetic and memory: switches over texts, monitors, code that runs at the end of other
//! code, branches between an object and its constructor, methods of interfaces.

use arbitrary::{Result, Unstructured};
use planish_classfile::builder::CodeBuilder;
use planish_classfile::{ClassFile, Constant, Flags, Opcode};
use planish_jvm_model::hierarchy::Hierarchy;

use super::assemble::{Pool, add, new_interface};
use super::body::Body;
use super::exceptions;
use super::names::Names;
use super::signature::Ty;

/// The method of the interface, which classes may override: it may ignore an argument.
pub(super) const D: (&str, &str) = ("d", "(II)I");

/// Texts by which switches decide. Some have one hash code.
const TEXTS: [&str; 6] = ["Aa", "BB", "", "C#", "text", "other"];

/// Adds a body of the method of the interface to an interface or class.
pub(super) fn method_of_interface(
    u: &mut Unstructured<'_>,
    class: &mut ClassFile<'static>,
    hierarchy: &Hierarchy,
) -> Result<()> {
    use Opcode::*;
    let mut code = CodeBuilder::new();
    code.local(Iload, 1).int(i32::from(u.int_in_range(0..=3i8)?), &mut class.pool).expect("room");
    code.op(*u.choose(&[Iadd, Isub, Imul, Ixor])?);
    if u.arbitrary()? {
        code.local(Iload, 2).op(Iadd);
    }
    code.op(Ireturn);
    let code = code.finish(3, &mut class.pool).expect("labels are bound");
    add(class, Flags::PUBLIC, D, code, hierarchy);
    Ok(())
}

impl Body<'_> {
    /// Calls the method of the interface, through it or through the class that implements it.
    pub(super) fn call_of_interface(
        &mut self,
        u: &mut Unstructured<'_>,
        depth: u32,
        pool: &mut Pool,
    ) -> Result<()> {
        let Names { a, i, .. } = self.names;
        self.code.local(Opcode::Aload, if u.ratio(2, 3)? { self.object } else { self.other });
        self.expression(u, Ty::Int, depth, pool)?;
        self.expression(u, Ty::Int, depth.min(1), pool)?;
        let (op, class) =
            if u.arbitrary()? { (Opcode::Invokeinterface, i) } else { (Opcode::Invokevirtual, a) };
        self.code.call(op, [class, D.0.as_bytes(), D.1.as_bytes()], pool).expect("room");
        Ok(())
    }

    /// Branches on a number, does something, and makes an object with a branch on the same number before its constructor.
    pub(super) fn object_by_flag(
        &mut self,
        u: &mut Unstructured<'_>,
        depth: u32,
        pool: &mut Pool,
    ) -> Result<()> {
        use Opcode::*;
        let flag = self.local(u, Ty::Int)?;
        let [other, end, zero, made] = [(); 4].map(|()| self.code.label());
        self.code.local(Iload, flag).jump(Ifeq, other);
        self.statement(u, depth, pool)?;
        self.code.jump(Goto, end).bind(other);
        self.statement(u, depth, pool)?;
        let class = if u.arbitrary()? { &self.names.a } else { &self.names.b };
        self.code.bind(end).class(New, class, pool).expect("room").op(Dup);
        self.code.local(Iload, flag).jump(Ifeq, zero);
        self.expression(u, Ty::Int, 1, pool)?;
        self.code.jump(Goto, made).bind(zero);
        self.expression(u, Ty::Int, 1, pool)?;
        self.code.bind(made).call(Invokespecial, [class, b"<init>", b"(I)V"], pool).expect("room");
        self.code.local(Astore, if u.arbitrary()? { self.object } else { self.other });
        Ok(())
    }

    /// A switch over one of two texts, as compilers write it: over its hash code, then `equals`.
    pub(super) fn text_switch(
        &mut self,
        u: &mut Unstructured<'_>,
        depth: u32,
        pool: &mut Pool,
    ) -> Result<()> {
        use Opcode::*;
        const STRING: &[u8] = b"java/lang/String";
        let (text, found) = (self.slot(1), self.slot(1));
        let [other, chosen, decided, default, end] = [(); 5].map(|()| self.code.label());
        let load = |body: &mut Self, text: &str, pool: &mut Pool| {
            let index = pool.add_utf8(text.as_bytes()).expect("room");
            body.code.load(Constant::String(index), pool).expect("room");
        };
        self.unless(u, 1, other, pool)?;
        load(self, u.choose(&TEXTS)?, pool);
        self.code.jump(Goto, chosen).bind(other);
        load(self, u.choose(&TEXTS)?, pool);
        self.code.bind(chosen).local(Astore, text).int(-1, pool).expect("room").local(Istore, found);
        self.code.local(Aload, text).call(Invokevirtual, [STRING, b"hashCode", b"()I"], pool).expect("room");
        let hash =
            |text: &str| text.bytes().fold(0i32, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
        let mut cases: Vec<(i32, Vec<usize>)> = Vec::new();
        for (number, text) in TEXTS.iter().enumerate().take(u.int_in_range(2..=TEXTS.len())?) {
            match cases.iter_mut().find(|(key, _)| *key == hash(text)) {
                Some((_, texts)) => texts.push(number),
                None => cases.push((hash(text), vec![number])),
            }
        }
        cases.sort_unstable();
        let labels: Vec<_> = cases.iter().map(|(key, _)| (*key, self.code.label())).collect();
        self.code.switch(decided, &labels);
        for ((_, texts), (_, label)) in cases.iter().zip(&labels) {
            self.code.bind(*label);
            for &number in texts {
                let next = self.code.label();
                self.code.local(Aload, text);
                load(self, TEXTS[number], pool);
                let equals = [STRING, b"equals", b"(Ljava/lang/Object;)Z"];
                self.code.call(Invokevirtual, equals, pool).expect("room").jump(Ifeq, next);
                self.code.int(number as i32, pool).expect("room").local(Istore, found).jump(Goto, decided);
                self.code.bind(next);
            }
            self.code.jump(Goto, decided);
        }
        let ways: Vec<_> =
            (0..u.int_in_range(1..=TEXTS.len() as i32)?).map(|number| (number, self.code.label())).collect();
        self.code.bind(decided).local(Iload, found).switch(default, &ways);
        for (number, (_, label)) in ways.iter().enumerate() {
            self.code.bind(*label);
            if number < 3 {
                self.statement(u, depth, pool)?;
            }
            if u.ratio(3, 4)? {
                self.code.jump(Goto, end);
            }
        }
        self.code.bind(default);
        self.statement(u, depth, pool)?;
        self.code.bind(end);
        Ok(())
    }

    /// A statement behind which something runs on every way: the exit of a monitor, or another statement.
    pub(super) fn at_the_end(&mut self, u: &mut Unstructured<'_>, depth: u32, pool: &mut Pool) -> Result<()> {
        use Opcode::*;
        let (monitor, thrown) = (self.slot(1), self.slot(1));
        let is_monitor = u.arbitrary()?;
        if is_monitor {
            self.code.local(Aload, if u.ratio(3, 4)? { self.object } else { self.other });
            self.code.op(Dup).local(Astore, monitor).op(Monitorenter);
        }
        let [start, stop, handler, end] = [(); 4].map(|()| self.code.label());
        self.code.bind(start).op(Nop);
        self.statement(u, depth, pool)?;
        if is_monitor {
            self.code.local(Aload, monitor).op(Monitorexit).bind(stop).jump(Goto, end).bind(handler);
            self.code.local(Astore, thrown).local(Aload, monitor).op(Monitorexit);
        } else {
            self.code.bind(stop);
            self.statement(u, depth, pool)?;
            self.code.jump(Goto, end).bind(handler).local(Astore, thrown);
            self.statement(u, depth, pool)?;
        }
        self.code.local(Aload, thrown).op(Athrow).bind(end).handler(start, stop, handler, 0);
        Ok(())
    }
}

/// The interface: one method with a body.
pub(super) fn interface(
    u: &mut Unstructured<'_>,
    name: &[u8],
    hierarchy: &Hierarchy,
) -> Result<ClassFile<'static>> {
    let mut class = new_interface(name);
    method_of_interface(u, &mut class, hierarchy)?;
    exceptions::abstract_method(&mut class);
    Ok(class)
}
