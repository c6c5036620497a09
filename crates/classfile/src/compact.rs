//! Numbering the constants of a class anew.
//!
//! A class whose members were removed still holds their names, types and texts. [`compact`] numbers the
//! constants that are left anew, in the order they had, so that every number only gets smaller: an
//! instruction whose operand is one byte still finds room. Nothing but numbers of constants changes,
//! and each of them keeps its width, so content is patched where it stands. Bootstrap methods that no
//! constant names go as well.
//!
//! [`sort`] puts them in an order that deflates to less: those that one byte names, then kind by kind, each by what
//! it says, read from its end. Behind a text come the tag and the length of the next one, and those of names and
//! descriptors are nearly always the same; so what two texts end with is repeated together with what follows, while
//! what they begin with is cut off by their lengths. Members of one class stand side by side, so that their numbers begin
//! alike. Long texts are data and no names: they stand together, those of about one length side by side, which often are
//! versions of one table. A compressor looks back 32 KB only.
//!
//! An attribute that no specification knows may hold numbers of constants; a class with one keeps its
//! pool as it is.

use crate::attribute::{Body, BootstrapMethod, Kind};
use crate::class::{Attribute, ClassFile};
use crate::constant::Constant;
use crate::error::{Error, Result};
use crate::indices::{each_index, read_index, write_index};
use crate::pool::ConstantPool;

/// Removes unused constants and bootstrap methods. Returns whether the pool could be changed; a class
/// with attributes that nobody knows is left as it was. O(size of the class).
pub fn compact(class: &mut ClassFile<'_>) -> Result<bool> {
    numbered(class, Order::Kept)
}

/// Removes unused constants and bootstrap methods, and sorts the rest. Returns whether the pool could be changed; a
/// class with attributes that nobody knows is left as it was. O(size of the class), and sorting.
pub fn sort(class: &mut ClassFile<'_>) -> Result<bool> {
    numbered(class, Order::Sorted)
}

/// In which order constants are numbered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    /// The one they have.
    Kept,
    /// By kind and content.
    Sorted,
}

fn numbered(class: &mut ClassFile<'_>, order: Order) -> Result<bool> {
    let bootstraps = match class.attribute(Kind::BootstrapMethods) {
        Some(attribute) => match attribute.decode(&class.pool)? {
            Some(Body::BootstrapMethods(methods)) => methods,
            _ => Vec::new(),
        },
        None => Vec::new(),
    };
    let pool = std::mem::take(&mut class.pool);
    let result = compacted(class, &pool, bootstraps, order);
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
    bootstraps: Vec<BootstrapMethod>,
    order: Order,
) -> Result<Option<ConstantPool<'static>>> {
    let mut marks = Marks::new(pool, bootstraps.len());
    let mut opaque = false;
    let mut seen = Vec::new();
    each_index(class, pool, &mut opaque, &mut |place| seen.push((read_index(place), place.len() == 1)))?;
    if opaque {
        return Ok(None);
    }
    seen.iter().for_each(|&(index, _)| marks.mark(index));
    marks.follow(pool, &bootstraps)?;
    if let Some(index) = marks.beyond {
        return Err(Error::unwritable(format!("a constant among {}, found {index}", pool.len())));
    }

    let mut left: Vec<u16> = pool.indices().filter(|&index| marks.used[usize::from(index)]).collect();
    if order == Order::Sorted {
        let mut is_near = vec![false; pool.len()];
        seen.iter().filter(|(_, near)| *near).for_each(|(index, _)| is_near[usize::from(*index)] = true);
        left.sort_by_cached_key(|&index| (!is_near[usize::from(index)], rank(pool, index)));
    }
    let numbers = Numbers::new(pool, &left, &marks)?;
    let mut new = ConstantPool::new();
    for &index in &left {
        new.append(numbers.renamed(pool.get(index)?))?;
    }

    // The table of bootstrap methods is made anew; everything else is patched.
    let bootstraps = numbers.kept(bootstraps, &marks);
    each_index(class, pool, &mut opaque, &mut |place| write_index(place, numbers.of(read_index(place))))?;
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

/// The new numbers of constants and bootstrap methods, by the old ones.
struct Numbers {
    constants: Vec<u16>,
    bootstraps: Vec<u16>,
}

impl Numbers {
    /// Numbers the constants that are `left` in this order, and bootstrap methods in theirs.
    fn new(pool: &ConstantPool<'_>, left: &[u16], marks: &Marks) -> Result<Self> {
        let mut bootstraps = Vec::with_capacity(marks.bootstraps.len());
        let mut next = 0;
        for &used in &marks.bootstraps {
            bootstraps.push(next);
            next += u16::from(used);
        }
        let mut constants = vec![0u16; pool.len()];
        let mut next = 1u16;
        for &index in left {
            constants[usize::from(index)] = next;
            next += if matches!(pool.get(index)?, Constant::Long(_) | Constant::Double(_)) { 2 } else { 1 };
        }
        Ok(Numbers { constants, bootstraps })
    }

    fn of(&self, index: u16) -> u16 {
        self.constants[usize::from(index)]
    }

    fn of_bootstrap(&self, number: u16) -> u16 {
        self.bootstraps[usize::from(number)]
    }

    /// A constant with the new numbers of what it speaks of.
    fn renamed<'p>(&self, constant: Constant<'p>) -> Constant<'p> {
        match constant {
            Constant::Class(name) => Constant::Class(self.of(name)),
            Constant::String(text) => Constant::String(self.of(text)),
            Constant::MethodType(ty) => Constant::MethodType(self.of(ty)),
            Constant::Module(name) => Constant::Module(self.of(name)),
            Constant::Package(name) => Constant::Package(self.of(name)),
            Constant::Field(class, member) => Constant::Field(self.of(class), self.of(member)),
            Constant::Method(class, member) => Constant::Method(self.of(class), self.of(member)),
            Constant::InterfaceMethod(class, member) => {
                Constant::InterfaceMethod(self.of(class), self.of(member))
            }
            Constant::NameAndType(name, ty) => Constant::NameAndType(self.of(name), self.of(ty)),
            Constant::MethodHandle(kind, member) => Constant::MethodHandle(kind, self.of(member)),
            Constant::Dynamic(bootstrap, member) => {
                Constant::Dynamic(self.of_bootstrap(bootstrap), self.of(member))
            }
            Constant::InvokeDynamic(bootstrap, member) => {
                Constant::InvokeDynamic(self.of_bootstrap(bootstrap), self.of(member))
            }
            plain @ (Constant::Utf8(_)
            | Constant::Integer(_)
            | Constant::Float(_)
            | Constant::Long(_)
            | Constant::Double(_)) => plain,
        }
    }

    /// The bootstrap methods that are used, with the new numbers of their constants.
    fn kept(&self, bootstraps: Vec<BootstrapMethod>, marks: &Marks) -> Vec<BootstrapMethod> {
        let used = bootstraps.into_iter().zip(&marks.bootstraps).filter(|(_, used)| **used);
        let mut kept: Vec<BootstrapMethod> = used.map(|(method, _)| method).collect();
        for method in &mut kept {
            method.handle = self.of(method.handle);
            method.arguments.iter_mut().for_each(|argument| *argument = self.of(*argument));
        }
        kept
    }
}

/// From how many bytes on a text counts as data.
const LONG: usize = 256;

/// Where a constant stands among others: its kind, and what it says, from its end. Damaged constants may speak of
/// themselves, so what they speak of is looked at by its kind only.
fn rank(pool: &ConstantPool<'_>, index: u16) -> (u8, Vec<u8>) {
    let from_end = |texts: &[&[u8]]| {
        let mut turned = Vec::with_capacity(texts.iter().map(|text| text.len() + 1).sum());
        for text in texts {
            turned.extend(text.iter().rev());
            turned.push(0);
        }
        turned
    };
    let named = |name: u16| from_end(&[pool.utf8(name).unwrap_or_default()]);
    let member = |index: u16| match pool.member(index) {
        Ok(member) => from_end(&[member.class, member.descriptor, member.name]),
        Err(_) => Vec::new(),
    };
    let named_and_typed = |index: u16| match pool.name_and_type(index) {
        Ok((name, ty)) => from_end(&[ty, name]),
        Err(_) => Vec::new(),
    };
    let Ok(constant) = pool.get(index) else { return (u8::MAX, Vec::new()) };
    match constant {
        Constant::Utf8(text) if text.len() < LONG => (0, from_end(&[text])),
        Constant::Integer(value) => (2, (value ^ i32::MIN).to_be_bytes().to_vec()),
        Constant::Float(bits) => (3, bits.to_be_bytes().to_vec()),
        Constant::Long(value) => (4, (value ^ i64::MIN).to_be_bytes().to_vec()),
        Constant::Double(bits) => (5, bits.to_be_bytes().to_vec()),
        Constant::String(text) => (6, named(text)),
        Constant::Class(name) => (7, named(name)),
        Constant::MethodType(ty) => (8, named(ty)),
        Constant::MethodHandle(kind, of) => (9, [&[kind], &member(of)[..]].concat()),
        Constant::Dynamic(bootstrap, of) | Constant::InvokeDynamic(bootstrap, of) => {
            (10, [&bootstrap.to_be_bytes(), &named_and_typed(of)[..]].concat())
        }
        Constant::Field(..) | Constant::Method(..) | Constant::InterfaceMethod(..) => {
            (11 + pool.tag(index), member(index))
        }
        Constant::NameAndType(..) => (100, named_and_typed(index)),
        Constant::Module(name) | Constant::Package(name) => (101, named(name)),
        Constant::Utf8(data) => (1, [&(data.len() as u16).to_be_bytes(), &from_end(&[data])[..]].concat()),
    }
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
    fn sorting_puts_near_constants_first_and_then_goes_by_kind_and_by_ends() {
        let mut class = sample();
        // A constant that one byte names, behind everything else, and many that two bytes name.
        for number in 0..300 {
            class.pool.add_string(format!("text {:03}", 299 - number).as_bytes()).unwrap();
        }
        for long in [&[b'a'; LONG + 1][..], &[b'c'; LONG], &[b'b'; LONG]] {
            class.pool.add_string(long).unwrap();
        }
        let texts: Vec<u16> =
            class.pool.indices().filter(|&index| class.pool.string(index).is_ok()).collect();
        let mut code = CodeBuilder::new();
        for &index in &texts {
            let constant = class.pool.get(index).unwrap();
            let Constant::String(text) = constant else { panic!() };
            code.load(Constant::String(text), &mut class.pool).unwrap().op(Opcode::Pop);
        }
        let code = std::mem::take(code.op(Opcode::Return)).finish(0, &mut class.pool).unwrap();
        class.add_method(Flags::STATIC, b"many", b"()V", Some(&code)).unwrap();
        let loads = |class: &ClassFile<'_>| -> Vec<Vec<u8>> {
            let method = class.method(b"many", b"()V").unwrap();
            let attribute = method.attribute(&class.pool, Kind::Code).unwrap();
            let Ok(Some(Body::Code(body))) = attribute.decode(&class.pool) else { panic!() };
            let named = body.instructions().filter_map(|item| match item.unwrap().1.operand {
                crate::Operand::Constant(index) => Some(class.pool.string(index).unwrap().to_vec()),
                _ => None,
            });
            named.collect()
        };
        let before = loads(&class);
        assert_eq!(before.len(), texts.len());
        let mut sorted = class.clone();
        assert_eq!(sort(&mut sorted), Ok(true));
        let bytes = sorted.to_bytes().unwrap();
        let sorted = ClassFile::read(&bytes).unwrap();
        sorted.check().unwrap();
        assert_eq!(loads(&sorted), before, "instructions name what they named");
        let pool = &sorted.pool;
        let turned = |text: &[u8]| text.iter().rev().copied().collect::<Vec<u8>>();
        let far = |index: &u16| *index > 255;
        let strings: Vec<_> =
            pool.indices().filter(far).filter_map(|i| pool.string(i).ok()).map(turned).collect();
        assert!(strings.len() > 10 && strings.is_sorted());
        let texts: Vec<&[u8]> = pool.indices().filter_map(|index| pool.utf8(index).ok()).collect();
        let (names, data) = texts.split_at(texts.len() - 3);
        assert!(names.iter().copied().map(turned).is_sorted());
        assert_eq!(data, [&[b'b'; LONG][..], &[b'c'; LONG], &[b'a'; LONG + 1]], "long ones by their lengths");
        let mut again = sorted.clone();
        sort(&mut again).unwrap();
        assert_eq!(again.to_bytes().unwrap(), bytes, "a second time changes nothing");
    }

    /// Constants that speak of themselves are no constants that a JVM would load, but jars hold such classes.
    #[test]
    fn constants_that_speak_of_themselves_are_sorted_all_the_same() {
        for of_itself in [
            |index| Constant::MethodHandle(6, index),
            |index| Constant::Method(index, index),
            |index| Constant::Dynamic(0, index),
        ] {
            let mut class = sample();
            let handle = BootstrapMethod { handle: class.this_class, arguments: vec![] };
            let table = Attribute::new(&mut class.pool, &Body::BootstrapMethods(vec![handle])).unwrap();
            class.attributes.push(table);
            let index = class.pool.add(Constant::Integer(77)).unwrap();
            let made = class.pool.add(of_itself(index + 1)).unwrap();
            assert_eq!(made, index + 1);
            let [high, low] = made.to_be_bytes();
            let code =
                [0, 1, 0, 0, 0, 0, 0, 4, Opcode::LdcW as u8, high, low, Opcode::Return as u8, 0, 0, 0, 0];
            class.methods[0].attributes[0].content = code.to_vec().into();
            assert_eq!(sort(&mut class), Ok(true));
        }
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
