//! Moving the members of one class into another.
//!
//! What a member names by numbers of constants it names by those of the other class from then on: the constants are
//! added there, and so are the rows of its bootstrap methods. Numbers keep their widths, so content is patched where it
//! stands; only bodies that load a constant by one byte whose number got too large are written anew.

use crate::attribute::{Body, BootstrapMethod, Kind};
use crate::class::{Attribute, ClassFile};
use crate::code::{Code, CodeBytes};
use crate::constant::Constant;
use crate::error::{Error, Result};
use crate::indices::{each_index, read_index, write_index};
use crate::instruction::Operand;
use crate::opcode::Opcode;
use crate::pool::ConstantPool;

/// Adds the fields and methods of a class to another one. The attributes of the class itself stay behind. `false`, and the
/// other class is as it was, if a member has an attribute of which nobody knows what it holds. An error leaves constants
/// behind that nothing names. O(size of both).
pub fn graft<'a>(into: &mut ClassFile<'a>, mut from: ClassFile<'a>) -> Result<bool> {
    let old = std::mem::take(&mut from.pool);
    let rows_from = rows(&from, &old)?;
    from.attributes.clear();
    from.interfaces.clear();
    let (mut opaque, mut seen) = (false, Vec::new());
    each_index(&mut from, &old, &mut opaque, &mut |place| seen.push((read_index(place), place.len() == 1)))?;
    if opaque {
        return Ok(false);
    }
    let rows_into = rows(into, &into.pool)?;
    let mut moved = Moved {
        old: &old,
        rows_from,
        had: rows_into.len(),
        rows: rows_into,
        numbers: vec![None; old.len()],
        depth: 0,
        pool: &mut into.pool,
    };
    // Those that one byte names come first.
    seen.sort_by_key(|&(_, is_near)| !is_near);
    for &(index, _) in &seen {
        moved.number(index)?;
    }
    let (numbers, rows, is_longer) = (moved.numbers, moved.rows, moved.had);
    let number = |index: u16| numbers.get(usize::from(index)).copied().flatten().unwrap_or(0);
    if seen.iter().any(|&(index, is_near)| is_near && number(index) > 0xff) {
        from.methods
            .iter_mut()
            .flat_map(|method| &mut method.attributes)
            .try_for_each(|attribute| widen(attribute, &old, &number))?;
    }
    each_index(&mut from, &old, &mut opaque, &mut |place| write_index(place, number(read_index(place))))?;
    if rows.len() > is_longer {
        set_rows(into, rows)?;
    }
    into.fields.append(&mut from.fields);
    into.methods.append(&mut from.methods);
    Ok(true)
}

/// The table of bootstrap methods of a class with these constants.
fn rows(class: &ClassFile<'_>, pool: &ConstantPool<'_>) -> Result<Vec<BootstrapMethod>> {
    for attribute in &class.attributes {
        if attribute.kind(pool)? == Some(Kind::BootstrapMethods)
            && let Some(Body::BootstrapMethods(rows)) = attribute.decode(pool)?
        {
            return Ok(rows);
        }
    }
    Ok(Vec::new())
}

fn set_rows(class: &mut ClassFile<'_>, rows: Vec<BootstrapMethod>) -> Result<()> {
    let (pool, body) = (&mut class.pool, Body::BootstrapMethods(rows));
    for attribute in &mut class.attributes {
        if attribute.kind(pool)? == Some(Kind::BootstrapMethods) {
            return attribute.replace(&body);
        }
    }
    let table = Attribute::new(pool, &body)?;
    class.attributes.push(table);
    Ok(())
}

/// How deep constants may speak of others: those of damaged classes may speak of themselves.
const DEEPEST: u32 = 50;

/// Constants on their way from one pool to another.
struct Moved<'m, 'o, 'a> {
    old: &'m ConstantPool<'o>,
    rows_from: Vec<BootstrapMethod>,
    /// How many rows the other class had.
    had: usize,
    rows: Vec<BootstrapMethod>,
    numbers: Vec<Option<u16>>,
    depth: u32,
    pool: &'m mut ConstantPool<'a>,
}

impl Moved<'_, '_, '_> {
    /// The number of a constant in the other pool, to which it is added.
    fn number(&mut self, index: u16) -> Result<u16> {
        if index == 0 {
            return Ok(0);
        }
        if let Some(&Some(number)) = self.numbers.get(usize::from(index)) {
            return Ok(number);
        }
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Error::at(self.old.offset(index), "a constant that does not speak of itself"));
        }
        let constant = match self.old.get(index)? {
            Constant::Class(name) => Constant::Class(self.number(name)?),
            Constant::String(text) => Constant::String(self.number(text)?),
            Constant::MethodType(ty) => Constant::MethodType(self.number(ty)?),
            Constant::Module(name) => Constant::Module(self.number(name)?),
            Constant::Package(name) => Constant::Package(self.number(name)?),
            Constant::Field(class, member) => Constant::Field(self.number(class)?, self.number(member)?),
            Constant::Method(class, member) => Constant::Method(self.number(class)?, self.number(member)?),
            Constant::InterfaceMethod(class, member) => {
                Constant::InterfaceMethod(self.number(class)?, self.number(member)?)
            }
            Constant::NameAndType(name, ty) => Constant::NameAndType(self.number(name)?, self.number(ty)?),
            Constant::MethodHandle(kind, member) => Constant::MethodHandle(kind, self.number(member)?),
            Constant::Dynamic(row, member) => Constant::Dynamic(self.row(row)?, self.number(member)?),
            Constant::InvokeDynamic(row, member) => {
                Constant::InvokeDynamic(self.row(row)?, self.number(member)?)
            }
            plain => plain,
        };
        self.depth -= 1;
        let number = self.pool.add(constant)?;
        self.numbers[usize::from(index)] = Some(number);
        Ok(number)
    }

    /// The number of a row in the table of the other class, to which it is added.
    fn row(&mut self, row: u16) -> Result<u16> {
        let Some(method) = self.rows_from.get(usize::from(row)) else {
            return Err(Error::unwritable(format!("a bootstrap method of number {row}")));
        };
        let (handle, arguments) = (method.handle, method.arguments.clone());
        let handle = self.number(handle)?;
        let arguments = arguments.into_iter().map(|index| self.number(index)).collect::<Result<_>>()?;
        let method = BootstrapMethod { handle, arguments };
        let known = self.rows.iter().position(|known| *known == method);
        let number = known.unwrap_or(self.rows.len());
        if known.is_none() {
            self.rows.push(method);
        }
        u16::try_from(number)
            .map_err(|_| Error::unwritable("a table of bootstrap methods with room for more"))
    }
}

/// Lets a body load those constants by two bytes whose new numbers do not fit into one.
fn widen(attribute: &mut Attribute<'_>, pool: &ConstantPool<'_>, number: &dyn Fn(u16) -> u16) -> Result<()> {
    if attribute.kind(pool)? != Some(Kind::Code) {
        return Ok(());
    }
    let bytes = CodeBytes::read(&mut attribute.cursor())?;
    let mut code = Code::read(&bytes, pool)?;
    let mut is_wider = false;
    for insn in &mut code.instructions {
        if insn.op == Opcode::Ldc && matches!(insn.operand, Operand::Constant(index) if number(index) > 0xff)
        {
            insn.op = Opcode::LdcW;
            is_wider = true;
        }
    }
    if is_wider {
        code.lengthen_branches()?;
        let mut content = Vec::new();
        code.write(&mut content)?;
        attribute.content = content.into();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::CodeBuilder;
    use crate::flags::Flags;

    fn saying(name: &[u8], texts: u32) -> ClassFile<'static> {
        let mut class = ClassFile::new(52, Flags::PUBLIC, name, Some(b"java/lang/Object")).unwrap();
        let mut code = CodeBuilder::new();
        for number in 0..texts {
            let text = class.pool.add_utf8(format!("{number} of {}", name[0]).as_bytes()).unwrap();
            code.load(Constant::String(text), &mut class.pool).unwrap().op(Opcode::Pop);
        }
        code.op(Opcode::Return);
        let code = code.finish(0, &mut class.pool).unwrap();
        class.add_method(Flags::STATIC, name, b"()V", Some(&code)).unwrap();
        class
    }

    fn said(class: &ClassFile<'_>, name: &[u8]) -> Vec<String> {
        let attribute = class.method(name, b"()V").unwrap().attribute(&class.pool, Kind::Code).unwrap();
        let code = CodeBytes::read(&mut attribute.cursor()).unwrap();
        let loaded = code.instructions().filter_map(|item| match item.unwrap().1.operand {
            Operand::Constant(index) => Some(class.pool.string(index).unwrap().to_vec()),
            _ => None,
        });
        loaded.map(|text| String::from_utf8(text).unwrap()).collect()
    }

    #[test]
    fn members_name_what_they_named_however_many_constants_there_are() {
        for texts in [2, 200] {
            let (mut into, from) = (saying(b"a", texts), saying(b"b", texts));
            let wanted = [said(&into, b"a"), said(&from, b"b")];
            assert_eq!(graft(&mut into, from), Ok(true));
            let bytes = into.to_bytes().unwrap();
            let class = ClassFile::read(&bytes).unwrap();
            class.check().unwrap();
            assert_eq!([said(&class, b"a"), said(&class, b"b")], wanted);
        }
    }

    #[test]
    fn rows_of_bootstrap_methods_come_along_once() {
        let with_site = |name: &[u8]| {
            let mut class = saying(name, 1);
            let text = class.pool.add_string(b"text").unwrap();
            let row = BootstrapMethod { handle: text, arguments: vec![text] };
            let table = Attribute::new(&mut class.pool, &Body::BootstrapMethods(vec![row])).unwrap();
            class.attributes.push(table);
            let member = class.pool.add_name_and_type(name, b"()V").unwrap();
            let site = class.pool.add(Constant::InvokeDynamic(0, member)).unwrap();
            let [high, low] = site.to_be_bytes();
            let code =
                [0, 1, 0, 0, 0, 0, 0, 6, Opcode::Invokedynamic as u8, high, low, 0, 0, Opcode::Return as u8];
            class.methods[0].attributes[0].content = [&code[..], &[0, 0, 0, 0]].concat().into();
            class
        };
        let mut into = with_site(b"a");
        assert_eq!(graft(&mut into, with_site(b"b")), Ok(true));
        let bytes = into.to_bytes().unwrap();
        let class = ClassFile::read(&bytes).unwrap();
        assert_eq!(rows(&class, &class.pool).unwrap().len(), 1);
        let sites = class.pool.indices().filter_map(|index| class.pool.dynamic(index).ok());
        assert_eq!(sites.map(|(row, name, _)| (row, name)).collect::<Vec<_>>(), [(0, &b"a"[..]), (0, b"b")]);
    }

    #[test]
    fn a_class_with_a_member_that_nobody_understands_is_left_alone() {
        let (mut into, mut from) = (saying(b"a", 1), saying(b"b", 1));
        let name = from.pool.add_utf8(b"Unheard").unwrap();
        from.methods[0].attributes.push(Attribute { name, offset: 0, content: vec![0, 1].into() });
        let before = into.to_bytes().unwrap();
        assert_eq!(graft(&mut into, from), Ok(false));
        assert_eq!(into.to_bytes().unwrap(), before);
    }
}
