//! Leaving out the constants that nothing uses.
//!
//! A class whose members were removed still holds their names, types and texts. Here the constants
//! that are left are numbered anew, in the order they had, so that every number only gets smaller: an
//! instruction whose operand is one byte still finds room. Nothing but numbers of constants changes,
//! and each of them keeps its width, so content is patched where it stands. Bootstrap methods that no
//! constant names go as well.
//!
//! An attribute that no specification knows may hold numbers of constants; a class with one keeps its
//! pool as it is.

use crate::attribute::{Body, BootstrapMethod, Kind};
use crate::class::{Attribute, ClassFile};
use crate::constant::Constant;
use crate::error::{Error, Result};
use crate::instruction::{Instructions, Operand};
use crate::opcode::Format;
use crate::pool::ConstantPool;

/// How deep annotations may nest.
const DEEPEST: u32 = 200;

/// Attributes of other languages that hold no numbers of constants.
const PLAIN: &[&[u8]] = &[b"ScalaSig", b"Scala", b"TASTY"];

/// Removes unused constants and bootstrap methods. Returns whether the pool could be changed; a class
/// with attributes that nobody knows is left as it was. O(size of the class).
pub fn compact(class: &mut ClassFile<'_>) -> Result<bool> {
    let bootstraps = match class.attribute(Kind::BootstrapMethods) {
        Some(attribute) => match attribute.decode(&class.pool)? {
            Some(Body::BootstrapMethods(methods)) => methods,
            _ => Vec::new(),
        },
        None => Vec::new(),
    };
    let pool = std::mem::take(&mut class.pool);
    let result = compacted(class, &pool, bootstraps);
    match result {
        Ok(Some(new)) => {
            class.pool = new;
            Ok(true)
        }
        Ok(None) => {
            class.pool = pool;
            Ok(false)
        }
        Err(error) => {
            class.pool = pool;
            Err(error)
        }
    }
}

/// The new pool, to which every number in the class was changed; `None` if the class has unknown
/// attributes.
fn compacted(
    class: &mut ClassFile<'_>,
    pool: &ConstantPool<'_>,
    mut bootstraps: Vec<BootstrapMethod>,
) -> Result<Option<ConstantPool<'static>>> {
    let mut marks = Marks::new(pool, bootstraps.len());
    let mut opaque = false;
    let mut seen = Vec::new();
    each_index(class, pool, &mut opaque, &mut |place| seen.push(read_index(place)))?;
    if opaque {
        return Ok(None);
    }
    seen.into_iter().for_each(|index| marks.mark(index));
    marks.follow(pool, &bootstraps)?;
    if let Some(index) = marks.beyond {
        return Err(Error::unwritable(format!("a constant among {}, found {index}", pool.len())));
    }

    let mut bootstrap_number = vec![0; bootstraps.len()];
    let mut next = 0;
    for (number, &used) in marks.bootstraps.iter().enumerate() {
        bootstrap_number[number] = next;
        next += u16::from(used);
    }
    let mut number = vec![0u16; pool.len()];
    let mut next = 1u16;
    for index in pool.indices().filter(|&index| marks.used[usize::from(index)]) {
        number[usize::from(index)] = next;
        next += if matches!(pool.get(index)?, Constant::Long(_) | Constant::Double(_)) { 2 } else { 1 };
    }
    let map = |index: u16| number[usize::from(index)];
    let mut new = ConstantPool::new();
    for index in pool.indices().filter(|&index| marks.used[usize::from(index)]) {
        new.append(match pool.get(index)? {
            Constant::Class(name) => Constant::Class(map(name)),
            Constant::String(text) => Constant::String(map(text)),
            Constant::MethodType(ty) => Constant::MethodType(map(ty)),
            Constant::Module(name) => Constant::Module(map(name)),
            Constant::Package(name) => Constant::Package(map(name)),
            Constant::Field(class, member) => Constant::Field(map(class), map(member)),
            Constant::Method(class, member) => Constant::Method(map(class), map(member)),
            Constant::InterfaceMethod(class, member) => Constant::InterfaceMethod(map(class), map(member)),
            Constant::NameAndType(name, ty) => Constant::NameAndType(map(name), map(ty)),
            Constant::MethodHandle(kind, member) => Constant::MethodHandle(kind, map(member)),
            Constant::Dynamic(bootstrap, member) => {
                Constant::Dynamic(bootstrap_number[usize::from(bootstrap)], map(member))
            }
            Constant::InvokeDynamic(bootstrap, member) => {
                Constant::InvokeDynamic(bootstrap_number[usize::from(bootstrap)], map(member))
            }
            plain @ (Constant::Utf8(_)
            | Constant::Integer(_)
            | Constant::Float(_)
            | Constant::Long(_)
            | Constant::Double(_)) => plain,
        })?;
    }

    // The table of bootstrap methods is made anew; everything else is patched.
    let used = marks.bootstraps;
    let mut position = 0;
    bootstraps.retain(|_| {
        position += 1;
        used[position - 1]
    });
    for method in &mut bootstraps {
        method.handle = map(method.handle);
        method.arguments.iter_mut().for_each(|argument| *argument = map(*argument));
    }
    each_index(class, pool, &mut opaque, &mut |place| write_index(place, map(read_index(place))))?;
    let is_table = |attribute: &Attribute<'_>| attribute.kind(&new) == Ok(Some(Kind::BootstrapMethods));
    if let Some(place) = class.attributes.iter().position(is_table) {
        if bootstraps.is_empty() {
            class.attributes.remove(place);
        } else {
            class.attributes[place].replace(&Body::BootstrapMethods(bootstraps))?;
        }
    }
    Ok(Some(new))
}

/// What is used.
struct Marks {
    used: Vec<bool>,
    bootstraps: Vec<bool>,
    queue: Vec<u16>,
    /// A number that no constant has.
    beyond: Option<u16>,
}

impl Marks {
    fn new(pool: &ConstantPool<'_>, bootstraps: usize) -> Self {
        Marks {
            used: vec![false; pool.len()],
            bootstraps: vec![false; bootstraps],
            queue: Vec::new(),
            beyond: None,
        }
    }

    fn mark(&mut self, index: u16) {
        match self.used.get_mut(usize::from(index)) {
            None => self.beyond = Some(index),
            Some(used) if index != 0 && !*used => {
                *used = true;
                self.queue.push(index);
            }
            Some(_) => {}
        }
    }

    /// Marks what marked constants speak of.
    fn follow(&mut self, pool: &ConstantPool<'_>, bootstraps: &[BootstrapMethod]) -> Result<()> {
        while let Some(index) = self.queue.pop() {
            match pool.get(index)? {
                Constant::Utf8(_)
                | Constant::Integer(_)
                | Constant::Float(_)
                | Constant::Long(_)
                | Constant::Double(_) => {}
                Constant::Class(one)
                | Constant::String(one)
                | Constant::MethodType(one)
                | Constant::Module(one)
                | Constant::Package(one)
                | Constant::MethodHandle(_, one) => self.mark(one),
                Constant::Field(one, two)
                | Constant::Method(one, two)
                | Constant::InterfaceMethod(one, two)
                | Constant::NameAndType(one, two) => {
                    self.mark(one);
                    self.mark(two);
                }
                Constant::Dynamic(number, member) | Constant::InvokeDynamic(number, member) => {
                    self.mark(member);
                    let Some(method) = bootstraps.get(usize::from(number)) else {
                        return Err(Error::at(pool.offset(index), format!("bootstrap method {number}")));
                    };
                    if !std::mem::replace(&mut self.bootstraps[usize::from(number)], true) {
                        self.mark(method.handle);
                        method.arguments.iter().for_each(|&argument| self.mark(argument));
                    }
                }
            }
        }
        Ok(())
    }
}

fn read_index(place: &[u8]) -> u16 {
    match place {
        [low] => u16::from(*low),
        [high, low] => u16::from_be_bytes([*high, *low]),
        _ => 0,
    }
}

fn write_index(place: &mut [u8], index: u16) {
    let bytes = index.to_be_bytes();
    match place {
        // Numbers get smaller only.
        [low] => *low = bytes[1],
        [high, low] => [*high, *low] = bytes,
        _ => {}
    }
}

/// What is done at each place of a number of a constant, which is one or two bytes.
type Visit<'v> = dyn FnMut(&mut [u8]) + 'v;

/// Visits every number of a constant in a class but those in the pool and in the table of bootstrap
/// methods. `opaque` is set if there is an attribute of which nobody knows what it holds.
fn each_index(
    class: &mut ClassFile<'_>,
    pool: &ConstantPool<'_>,
    opaque: &mut bool,
    visit: &mut Visit<'_>,
) -> Result<()> {
    let mut one = |index: &mut u16| {
        let mut bytes = index.to_be_bytes();
        visit(&mut bytes);
        *index = u16::from_be_bytes(bytes);
    };
    one(&mut class.this_class);
    one(&mut class.super_class);
    class.interfaces.iter_mut().for_each(&mut one);
    for member in class.fields.iter_mut().chain(&mut class.methods) {
        one(&mut member.name);
        one(&mut member.descriptor);
    }
    let members = class.fields.iter_mut().chain(&mut class.methods);
    let lists = members.map(|member| &mut member.attributes).chain([&mut class.attributes]);
    for attribute in lists.flatten() {
        attribute_indices(attribute, pool, opaque, visit)?;
    }
    Ok(())
}

fn attribute_indices(
    attribute: &mut Attribute<'_>,
    pool: &ConstantPool<'_>,
    opaque: &mut bool,
    visit: &mut Visit<'_>,
) -> Result<()> {
    let old = attribute.name;
    let mut name = old.to_be_bytes();
    visit(&mut name);
    attribute.name = u16::from_be_bytes(name);
    let text = pool.utf8(old)?;
    let Some(kind) = Kind::of_name(text) else {
        *opaque |= !attribute.content.is_empty() && !PLAIN.contains(&text);
        return Ok(());
    };
    if matches!(kind, Kind::BootstrapMethods | Kind::LineNumberTable) {
        return Ok(());
    }
    let base = attribute.offset as usize;
    let mut walk = Walk { bytes: attribute.content.to_mut(), at: 0, base, pool, opaque, visit };
    walk.content(kind)
}

/// A walk over the content of an attribute.
struct Walk<'w, 'p, 'v> {
    bytes: &'w mut [u8],
    at: usize,
    base: usize,
    pool: &'w ConstantPool<'p>,
    opaque: &'w mut bool,
    visit: &'w mut Visit<'v>,
}

impl Walk<'_, '_, '_> {
    fn take(&mut self, len: usize) -> Result<&mut [u8]> {
        let start = self.at;
        match start.checked_add(len).filter(|&end| end <= self.bytes.len()) {
            Some(end) => {
                self.at = end;
                Ok(&mut self.bytes[start..end])
            }
            None => Err(Error::at(self.base + start, format!("{len} more bytes"))),
        }
    }

    fn u8(&mut self) -> Result<u8> {
        self.take(1).map(|bytes| bytes[0])
    }

    fn u16(&mut self) -> Result<u16> {
        self.take(2).map(|bytes| read_index(bytes))
    }

    /// A number of a constant.
    fn index(&mut self) -> Result<()> {
        let start = self.at;
        self.take(2)?;
        (self.visit)(&mut self.bytes[start..start + 2]);
        Ok(())
    }

    fn list(&mut self, mut item: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        let count = self.u16()?;
        (0..count).try_for_each(|_| item(self))
    }

    fn skip(&mut self, len: usize) -> Result<()> {
        self.take(len).map(|_| ())
    }

    fn content(&mut self, kind: Kind) -> Result<()> {
        match kind {
            Kind::Code => self.code(),
            Kind::LineNumberTable
            | Kind::Synthetic
            | Kind::Deprecated
            | Kind::SourceDebugExtension
            | Kind::BootstrapMethods => Ok(()),
            Kind::StackMapTable => self.list(Self::frame),
            Kind::LocalVariableTable | Kind::LocalVariableTypeTable => self.list(|w| {
                w.skip(4)?;
                w.index()?;
                w.index()?;
                w.skip(2)
            }),
            Kind::Signature
            | Kind::ConstantValue
            | Kind::SourceFile
            | Kind::ModuleMainClass
            | Kind::NestHost => self.index(),
            Kind::Exceptions | Kind::ModulePackages | Kind::NestMembers | Kind::PermittedSubclasses => {
                self.list(Self::index)
            }
            Kind::InnerClasses => self.list(|w| {
                (0..3).try_for_each(|_| w.index())?;
                w.skip(2)
            }),
            Kind::EnclosingMethod => {
                self.index()?;
                self.index()
            }
            Kind::RuntimeVisibleAnnotations | Kind::RuntimeInvisibleAnnotations => {
                self.list(|w| w.annotation(0))
            }
            Kind::RuntimeVisibleParameterAnnotations | Kind::RuntimeInvisibleParameterAnnotations => {
                let count = self.u8()?;
                (0..count).try_for_each(|_| self.list(|w| w.annotation(0)))
            }
            Kind::RuntimeVisibleTypeAnnotations | Kind::RuntimeInvisibleTypeAnnotations => {
                self.list(Self::type_annotation)
            }
            Kind::AnnotationDefault => self.element(0),
            Kind::MethodParameters => {
                let count = self.u8()?;
                (0..count).try_for_each(|_| {
                    self.index()?;
                    self.skip(2)
                })
            }
            Kind::Module => self.module(),
            Kind::Record => self.list(|w| {
                w.index()?;
                w.index()?;
                w.attributes()
            }),
        }
    }

    /// A table of attributes inside of another.
    fn attributes(&mut self) -> Result<()> {
        self.list(|w| {
            let name = w.u16()?;
            w.at -= 2;
            w.index()?;
            let length = w.take(4)?;
            let length = u32::from_be_bytes([length[0], length[1], length[2], length[3]]) as usize;
            let end = w.at.checked_add(length).filter(|&end| end <= w.bytes.len());
            let Some(end) = end else { return Err(Error::at(w.base + w.at, "the rest of an attribute")) };
            match Kind::of_name(w.pool.utf8(name)?) {
                Some(kind) => w.content(kind)?,
                None => *w.opaque |= length > 0,
            }
            w.at = end;
            Ok(())
        })
    }

    fn code(&mut self) -> Result<()> {
        self.skip(4)?;
        let length = self.take(4)?;
        let length = u32::from_be_bytes([length[0], length[1], length[2], length[3]]) as usize;
        let start = self.at;
        self.skip(length)?;
        let mut places = Vec::new();
        for item in Instructions::new(&self.bytes[start..start + length], self.base + start) {
            let (at, instruction) = item?;
            let width = if instruction.op.format() == Format::Constant1 { 1 } else { 2 };
            match instruction.operand {
                Operand::Constant(_) | Operand::Interface { .. } | Operand::Dimensions { .. } => {
                    places.push((start + at as usize + 1, width));
                }
                _ => {}
            }
        }
        for (place, width) in places {
            (self.visit)(&mut self.bytes[place..place + width]);
        }
        self.list(|w| {
            w.skip(6)?;
            w.index()
        })?;
        self.attributes()
    }

    fn frame(&mut self) -> Result<()> {
        match self.u8()? {
            0..=63 => Ok(()),
            64..=127 => self.frame_type(),
            247 => {
                self.skip(2)?;
                self.frame_type()
            }
            248..=251 => self.skip(2),
            tag @ 252..=254 => {
                self.skip(2)?;
                (251..tag).try_for_each(|_| self.frame_type())
            }
            255 => {
                self.skip(2)?;
                self.list(Self::frame_type)?;
                self.list(Self::frame_type)
            }
            tag => Err(Error::at(self.base + self.at - 1, format!("the tag of a frame, found {tag}"))),
        }
    }

    fn frame_type(&mut self) -> Result<()> {
        match self.u8()? {
            7 => self.index(),
            8 => self.skip(2),
            _ => Ok(()),
        }
    }

    fn annotation(&mut self, depth: u32) -> Result<()> {
        self.index()?;
        self.list(|w| {
            w.index()?;
            w.element(depth)
        })
    }

    fn element(&mut self, depth: u32) -> Result<()> {
        if depth > DEEPEST {
            return Err(Error::at(self.base + self.at, format!("values nested at most {DEEPEST} deep")));
        }
        match self.u8()? {
            b'e' => {
                self.index()?;
                self.index()
            }
            b'@' => self.annotation(depth + 1),
            b'[' => self.list(|w| w.element(depth + 1)),
            _ => self.index(),
        }
    }

    fn type_annotation(&mut self) -> Result<()> {
        match self.u8()? {
            0x00 | 0x01 | 0x16 => self.skip(1)?,
            0x10 | 0x11 | 0x12 | 0x17 | 0x42..=0x46 => self.skip(2)?,
            0x13..=0x15 => {}
            0x40 | 0x41 => self.list(|w| w.skip(6))?,
            _ => self.skip(3)?,
        }
        let steps = self.u8()?;
        self.skip(usize::from(steps) * 2)?;
        self.annotation(0)
    }

    fn module(&mut self) -> Result<()> {
        self.index()?;
        self.skip(2)?;
        self.index()?;
        self.list(|w| {
            w.index()?;
            w.skip(2)?;
            w.index()
        })?;
        for _ in 0..2 {
            self.list(|w| {
                w.index()?;
                w.skip(2)?;
                w.list(Self::index)
            })?;
        }
        self.list(Self::index)?;
        self.list(|w| {
            w.index()?;
            w.list(Self::index)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::CodeBuilder;
    use crate::{Flags, Opcode};

    fn sample() -> ClassFile<'static> {
        let object = b"java/lang/Object";
        let mut class = ClassFile::new(52, Flags::PUBLIC | Flags::SUPER, b"a/B", Some(object)).unwrap();
        for (name, text) in [("first", "one"), ("second", "two")] {
            let mut code = CodeBuilder::new();
            let text = class.pool.add_string(text.as_bytes()).unwrap();
            code.load(Constant::Long(7), &mut class.pool).unwrap().op(Opcode::Pop2);
            code.load(class.pool.get(text).map(|_| Constant::Integer(100_000)).unwrap(), &mut class.pool)
                .unwrap();
            let code = code.op(Opcode::Ireturn);
            let code = std::mem::take(code).finish(0, &mut class.pool).unwrap();
            class.add_method(Flags::STATIC, name.as_bytes(), b"()I", Some(&code)).unwrap();
        }
        class
    }

    #[test]
    fn constants_of_a_removed_method_go_and_the_others_are_found() {
        let mut class = sample();
        class.methods.remove(0);
        let before = class.pool.len();
        assert_eq!(compact(&mut class), Ok(true));
        assert!(class.pool.len() < before);
        let bytes = class.to_bytes().unwrap();
        let class = ClassFile::read(&bytes).unwrap();
        class.check().unwrap();
        assert_eq!(class.name(), Ok(&b"a/B"[..]));
        let names: Vec<&[u8]> =
            class.pool.indices().filter_map(|index| class.pool.utf8(index).ok()).collect();
        assert!(names.contains(&&b"second"[..]) && !names.contains(&&b"first"[..]));
        let before = class.pool.len();
        let mut again = class.clone();
        compact(&mut again).unwrap();
        assert_eq!(again.pool.len(), before, "a second time finds nothing");
    }

    #[test]
    fn a_class_with_an_unknown_attribute_keeps_its_pool() {
        let mut class = sample();
        let name = class.pool.add_utf8(b"Unheard").unwrap();
        class.attributes.push(Attribute { name, offset: 0, content: vec![0, 1].into() });
        class.methods.clear();
        let before = class.to_bytes().unwrap();
        assert_eq!(compact(&mut class), Ok(false));
        assert_eq!(class.to_bytes().unwrap(), before);
    }

    #[test]
    fn bootstrap_methods_that_no_constant_names_go() {
        let mut class = sample();
        let member = class.pool.add_name_and_type(b"x", b"()V").unwrap();
        let mut handles = Vec::new();
        for name in [&b"p"[..], b"q"] {
            let text = class.pool.add_string(name).unwrap();
            handles.push(BootstrapMethod { handle: text, arguments: vec![] });
        }
        let attribute = Attribute::new(&mut class.pool, &Body::BootstrapMethods(handles)).unwrap();
        class.attributes.push(attribute);
        class.pool.add(Constant::InvokeDynamic(0, member)).unwrap();
        let call = class.pool.add(Constant::InvokeDynamic(1, member)).unwrap();
        let mut code = vec![0, 0, 0, 0, 0, 0, 0, 6, Opcode::Invokedynamic as u8];
        code.extend(call.to_be_bytes());
        code.extend([0, 0, Opcode::Return as u8, 0, 0, 0, 0]);
        class.methods[0].attributes[0].content = code.into();
        assert_eq!(compact(&mut class), Ok(true));
        let attribute = class.attribute(Kind::BootstrapMethods).unwrap();
        let Ok(Some(Body::BootstrapMethods(left))) = attribute.decode(&class.pool) else { panic!() };
        assert_eq!(left.len(), 1);
        assert_eq!(class.pool.string(left[0].handle), Ok(&b"q"[..]));
        let call = class.pool.indices().find_map(|index| class.pool.dynamic(index).ok()).unwrap();
        assert_eq!(call.0, 0);
    }
}
