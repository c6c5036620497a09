//! What the outside observes of a run, and what it answers.

use planish_classfile::descriptor::{MethodType, Type};

use super::machine::{Machine, Step, Stop, shown};
use super::texts::units;
use super::values::{Inner, Member, Ref, Val, array_of};
use super::world::{Event, mix};

/// Numbers as programs like them: small ones, edges, any.
fn number(key: u64) -> i64 {
    let rest = mix(key, 1);
    match key % 8 {
        0..=3 => (rest % 8) as i64 - 1,
        4 | 5 => (rest % 200) as i64 - 100,
        6 => [i64::from(i32::MAX), i64::from(i32::MIN), i64::MAX, i64::MIN, 65_535, -32_768, 128]
            [(rest % 7) as usize],
        _ => rest as i64,
    }
}

fn real(key: u64) -> f64 {
    let rest = mix(key, 1);
    match key % 4 {
        0 | 1 => (rest % 9) as f64 - 4.0,
        2 => (rest % 1000) as f64 / 8.0,
        _ => [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1e300][(rest % 6) as usize],
    }
}

/// Strings that programs may look for.
pub const TEXTS: [&str; 16] = [
    "",
    "a",
    "0",
    "12",
    "-7",
    "abc",
    "b",
    "key=value",
    "Hello, World",
    " x y ",
    "A1",
    "true",
    "3",
    "1000",
    "-1",
    "99",
];

impl Machine<'_, '_> {
    /// Writes down a call that the outside hears of.
    pub fn observe(&mut self, member: &Member, args: &[Val], is_static: bool) -> Step {
        let ty = MethodType::parse(&member.descriptor)
            .ok_or_else(|| Stop::Unknown("a malformed descriptor".to_owned()))?;
        let from = usize::from(!is_static);
        let mut text = match args.first() {
            Some(receiver) if !is_static => format!("{}.", self.described(*receiver, None, DEEP)),
            _ => format!("{}.", shown(&member.class)),
        };
        text += &String::from_utf8_lossy(&member.name);
        let shown: Vec<String> = args[from.min(args.len())..]
            .iter()
            .zip(ty.parameters())
            .map(|(arg, ty)| self.described(*arg, Some(ty), DEEP))
            .collect();
        self.note(format!("{text}({})", shown.join(", ")))
    }

    /// Writes something down.
    pub fn note(&mut self, text: String) -> Step {
        self.burn(text.len() / 16)?;
        if self.events.len() >= MOST_EVENTS {
            return Err(Stop::Exhausted);
        }
        self.events.push(Event(text));
        Ok(())
    }

    /// A value as the outside sees it.
    pub fn described(&mut self, value: Val, ty: Option<Type<'_>>, depth: u32) -> String {
        match (value, ty) {
            (Val::Int(value), Some(Type::Boolean)) => (value != 0).to_string(),
            (Val::Int(value), Some(Type::Char)) => format!("{:?}", String::from_utf16_lossy(&[value as u16])),
            (Val::Int(value), _) => value.to_string(),
            (Val::Long(value), _) => format!("{value}L"),
            (Val::Float(value), _) => format!("{value:?}f"),
            (Val::Double(value), _) => format!("{value:?}"),
            (Val::Ref(None), _) => "null".to_owned(),
            (Val::Ref(Some(object)), _) => self.described_object(object, depth),
        }
    }

    /// An object: what it is where that does not change, else which one it is.
    fn described_object(&mut self, object: Ref, depth: u32) -> String {
        let found = self.heap.get(object);
        let class = found.class.clone();
        match found.inner.clone() {
            Inner::Text(text) => format!("{:?}", String::from_utf16_lossy(&text)),
            Inner::Builder(text) => format!("builder {:?}", String::from_utf16_lossy(&text)),
            Inner::Boxed(value) => format!("{} {}", shown(&class), self.described(value, None, 0)),
            Inner::Class(name) => format!("class {}", shown(&name)),
            Inner::Array(elements) if depth > 0 => {
                let ty = Type::parse(&class[1..]);
                let mut shown: Vec<String> = elements
                    .iter()
                    .take(ELEMENTS)
                    .map(|element| self.described(*element, ty, depth - 1))
                    .collect();
                if elements.len() > ELEMENTS {
                    shown.push(format!("{} elements", elements.len()));
                }
                format!("{{{}}}", shown.join(", "))
            }
            Inner::Thrown { message, .. } => {
                let message = message.and_then(|message| self.heap.text(message));
                let message = message.map(|text| format!(": {:?}", String::from_utf16_lossy(text)));
                format!("{}{}", shown(&class), message.unwrap_or_default())
            }
            Inner::Constant { name, .. } => match name.and_then(|name| self.heap.text(name)) {
                Some(name) => format!("{}.{}", shown(&class), String::from_utf16_lossy(name)),
                None => shown(&class),
            },
            _ => {
                let next = self.seen.len() as u32;
                let number = *self.seen.entry(object).or_insert(next);
                format!("{}#{number}", shown(&class))
            }
        }
    }

    /// What the outside gives where a value of a type is asked for.
    pub fn answer(&mut self, descriptor: &[u8], question: &str) -> Step<Val> {
        let key = self.world.ask(question, self.events.len() as u64);
        let Some(ty) = Type::parse(descriptor) else {
            return Err(Stop::Unknown("a malformed descriptor".to_owned()));
        };
        match ty {
            Type::Object(b"java/lang/String") if key % 8 == 7 => Ok(Val::Ref(None)),
            Type::Object(name) if !is_made(name) => {
                // What a library gives of a class of the program is one of its objects, nobody knows which.
                let own = self.classes.find(name).is_some_and(|id| self.classes.get(id).is_ours);
                match own || name == b"java/lang/Object" {
                    true => Err(Stop::Unknown(format!("which object {question} gives"))),
                    false => Ok(Val::Ref(Some(self.foreign(name)))),
                }
            }
            _ => self.drawn(ty, key),
        }
    }

    /// The value of a type that a number stands for, if it is a number, a string, or made of those.
    pub fn drawn(&mut self, ty: Type<'_>, key: u64) -> Step<Val> {
        let number = number(key);
        Ok(match ty {
            Type::Boolean => Val::Int((key >> 8) as i32 & 1),
            Type::Char => Val::Int(i32::from(b"a0 Zb9"[(key >> 8) as usize % 6])),
            Type::Byte => Val::Int(i32::from(number as i8)),
            Type::Short => Val::Int(i32::from(number as i16)),
            Type::Int => Val::Int(number as i32),
            Type::Long => Val::Long(number),
            Type::Float => Val::Float(real(key) as f32),
            Type::Double => Val::Double(real(key)),
            Type::Array(descriptor) => {
                let length = (key >> 8) % 4;
                let array = self.array(descriptor, length as i32)?;
                for at in 0..length {
                    let Some(element) = Type::parse(&descriptor[1..]) else { break };
                    let value = self.drawn(element, mix(key, at + 2))?;
                    if let Val::Ref(Some(array)) = array
                        && let Some(elements) = self.heap.elements(array)
                    {
                        elements[at as usize] = value;
                    }
                }
                array
            }
            Type::Object(b"java/lang/String" | b"java/lang/CharSequence") => {
                self.text(units(TEXTS[(key >> 8) as usize % TEXTS.len()]))?
            }
            Type::Object(name @ (b"java/lang/StringBuilder" | b"java/lang/StringBuffer")) => {
                let text = units(TEXTS[(key >> 8) as usize % TEXTS.len()]);
                self.room(text.len())?;
                let class = self.classes.name(name);
                Val::Ref(Some(self.heap.make(class, Inner::Builder(text))))
            }
            Type::Object(b"java/lang/Object" | b"java/lang/Comparable") => match key % 3 {
                0 => Val::Ref(None),
                1 => self.text(units(TEXTS[(key >> 8) as usize % TEXTS.len()]))?,
                _ => self.boxed(b"java/lang/Integer", Val::Int(number as i32)),
            },
            Type::Object(name) => match super::numbers::letter(name) {
                Some(letter) => {
                    let Some(ty) = Type::parse(&[letter]).map(plain) else { return Ok(Val::Ref(None)) };
                    let value = self.drawn(ty, key)?;
                    self.boxed(name, value)
                }
                None => Val::Ref(None),
            },
        })
    }
}

/// A primitive type, which borrows nothing.
fn plain(ty: Type<'_>) -> Type<'static> {
    match ty {
        Type::Boolean => Type::Boolean,
        Type::Byte => Type::Byte,
        Type::Char => Type::Char,
        Type::Short => Type::Short,
        Type::Long => Type::Long,
        Type::Float => Type::Float,
        Type::Double => Type::Double,
        _ => Type::Int,
    }
}

/// Whether objects of a class are made of numbers and characters.
fn is_made(name: &[u8]) -> bool {
    matches!(name, b"java/lang/String" | b"java/lang/CharSequence") || super::numbers::letter(name).is_some()
}

/// The descriptor of arrays of strings.
pub fn strings() -> Vec<u8> {
    array_of(b"java/lang/String")
}

/// So many observations are compared at most.
const MOST_EVENTS: usize = 20_000;

/// Of an array so many elements are observed, and so deep.
const ELEMENTS: usize = 64;

pub const DEEP: u32 = 4;
