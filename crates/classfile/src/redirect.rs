//! Calls and accesses that lead to another member than before.
//!
//! The numbers of constants are patched where they stand: a member is always named by two bytes, so no code moves.

use crate::class::ClassFile;
use crate::error::Result;
use crate::indices::{each_index, read_index, write_index};
use crate::pool::{ConstantPool, MemberRef};

/// A member by class, name and descriptor.
pub type MemberName = [Box<[u8]>; 3];

/// Makes a class speak of other members: of those that `instead` gives for the ones that it names, in any instruction
/// or attribute. Method handles stay as they are. Returns whether something changed; a class with an attribute that nobody
/// knows is left as it was. The numbers of constants are [checked](ClassFile::check_indices) before. O(size of the class).
pub fn redirect(
    class: &mut ClassFile<'_>,
    instead: &mut dyn FnMut(&MemberRef<'_>) -> Option<MemberName>,
) -> Result<bool> {
    let mut wanted = Vec::new();
    for index in class.pool.indices().filter(|&index| class.pool.is_member(index)) {
        let member = class.pool.member(index)?;
        wanted.extend(instead(&member).map(|to| (index, member.kind, to)));
    }
    if wanted.is_empty() {
        return Ok(false);
    }
    let mut opaque = false;
    let unchanged = std::mem::replace(&mut class.pool, ConstantPool::new());
    let seen = each_index(class, &unchanged, &mut opaque, &mut |_| {});
    class.pool = unchanged;
    seen?;
    if opaque {
        return Ok(false);
    }
    let mut number: Vec<u16> = (0..class.pool.len() as u16).collect();
    for (index, kind, [class_name, name, descriptor]) in &wanted {
        let to = MemberRef { kind: *kind, class: class_name, name, descriptor };
        number[usize::from(*index)] = class.pool.add_member(to)?;
    }
    let pool = std::mem::replace(&mut class.pool, ConstantPool::new());
    let patched = each_index(class, &pool, &mut opaque, &mut |place| {
        write_index(place, number[usize::from(read_index(place))]);
    });
    class.pool = pool;
    patched.map(|()| true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::CodeBuilder;
    use crate::code::{Code, CodeBytes};
    use crate::flags::Flags;
    use crate::opcode::Opcode;
    use crate::pool::MemberKind;
    use crate::{Kind, Operand};

    #[test]
    fn calls_lead_elsewhere_and_everything_else_stays() {
        let mut class = ClassFile::new(52, Flags::PUBLIC, b"A", Some(b"java/lang/Object")).unwrap();
        let mut code = CodeBuilder::new();
        for name in ["a", "b", "a"] {
            code.call(Opcode::Invokestatic, [b"A", name.as_bytes(), b"()V"], &mut class.pool).unwrap();
        }
        code.op(Opcode::Return);
        let code = code.finish(0, &mut class.pool).unwrap();
        class.add_method(Flags::STATIC, b"run", b"()V", Some(&code)).unwrap();
        let mut instead =
            |member: &MemberRef<'_>| (member.name == b"a").then(|| [&b"B"[..], b"c", b"()V"].map(Box::from));
        assert!(redirect(&mut class, &mut instead).unwrap());
        let bytes = class.to_bytes().unwrap();
        let class = ClassFile::read(&bytes).unwrap();
        let attribute = class.methods[0].attribute(&class.pool, Kind::Code).unwrap();
        let code = Code::read(&CodeBytes::read(&mut attribute.cursor()).unwrap(), &class.pool).unwrap();
        let called = code.instructions.iter().filter_map(|insn| match insn.operand {
            Operand::Constant(index) => Some(class.pool.member(index).unwrap()),
            _ => None,
        });
        let called: Vec<_> = called.map(|member| (member.kind, member.class, member.name)).collect();
        let (b, c) = (&b"b"[..], &b"c"[..]);
        let kind = MemberKind::Method;
        assert_eq!(called, [(kind, &b"B"[..], c), (kind, b"A", b), (kind, b"B", c)]);
    }

    #[test]
    fn a_class_that_names_none_of_them_stays() {
        let mut class = ClassFile::new(52, Flags::PUBLIC, b"A", Some(b"java/lang/Object")).unwrap();
        let before = class.to_bytes().unwrap();
        assert!(!redirect(&mut class, &mut |_| None).unwrap());
        assert_eq!(class.to_bytes().unwrap(), before);
    }
}
