//! What a program and the outside give each other and both may change: arrays, builders of strings, collections.
//!
//! What is outside may write to what a call hands it, as a stream does that reads into a buffer. What a call from outside
//! was handed is looked at when it is done: a method that sorts an array returns nothing.

use planish_classfile::Opcode;
use planish_classfile::descriptor::Type;

use super::machine::{Machine, Step, Stop};
use super::observation::{DEEP, TEXTS};
use super::texts::{self, units};
use super::values::{Inner, Member, Ref, Val};
use super::world::mix;

/// What the names of methods begin with that only read what they are given, as streams and writers say.
const ONLY_READ: [&[u8]; 4] = [b"append", b"format", b"print", b"write"];

/// The classes of which collections are that parameters of a type get.
const COLLECTIONS: [(&[u8], &[&[u8]]); 5] = [
    (
        b"java/util/ArrayList",
        &[b"java/lang/Iterable", b"java/util/AbstractList", b"java/util/Collection", b"java/util/List"],
    ),
    (b"java/util/LinkedList", &[b"java/util/Deque", b"java/util/Queue"]),
    (b"java/util/HashSet", &[b"java/util/AbstractSet", b"java/util/Set"]),
    (b"java/util/HashMap", &[b"java/util/AbstractMap", b"java/util/Map"]),
    (b"java/util/LinkedHashMap", &[]),
];

impl Machine<'_, '_> {
    /// Lets the outside change arrays and builders that a call of it has among its arguments.
    pub fn change(&mut self, member: &Member, args: &[Val]) -> Step {
        if ONLY_READ.iter().any(|begin| member.name.starts_with(begin)) {
            return Ok(());
        }
        for (&arg, place) in args.iter().zip(0..) {
            let Val::Ref(Some(object)) = arg else { continue };
            let key = self.world.ask("changes", mix(self.events.len() as u64, place));
            // It need not.
            if !key.is_multiple_of(4) {
                self.change_one(object, key)?;
            }
        }
        Ok(())
    }

    fn change_one(&mut self, object: Ref, key: u64) -> Step {
        let found = self.heap.get(object);
        match &found.inner {
            Inner::Builder(_) => {
                let text = units(TEXTS[(key >> 8) as usize % TEXTS.len()]);
                self.room(text.len())?;
                if let Inner::Builder(own) = &mut self.heap.get_mut(object).inner {
                    own.extend(text);
                }
            }
            Inner::Array(elements) if !elements.is_empty() => {
                let (class, length) = (found.class.clone(), elements.len());
                let Some(ty) = Type::parse(&class[1..]).filter(|&ty| is_plain(ty)) else { return Ok(()) };
                for at in 0..1 + (key >> 4) % 3 {
                    let key = mix(key, at);
                    let value = self.drawn(ty, key)?;
                    if let Some(elements) = self.heap.elements(object) {
                        elements[(key >> 16) as usize % length] = value;
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// What is in the arrays, builders and collections among the arguments of a call; nothing if there are none.
    pub fn left_in(&mut self, args: &[Val]) -> Step<Option<String>> {
        let mut shown = Vec::new();
        for &arg in args {
            let Val::Ref(Some(object)) = arg else { continue };
            let found = self.heap.get(object);
            if matches!(found.inner, Inner::Array(_) | Inner::Builder(_)) {
                shown.push(self.described(arg, None, DEEP));
            } else if COLLECTIONS.iter().any(|(class, _)| **class == *found.class) {
                shown.push(format!("{:?}", String::from_utf16_lossy(&texts::of_object(self, object)?)));
            }
        }
        Ok((!shown.is_empty()).then(|| shown.join(", ")))
    }

    /// A collection with a few strings for a parameter of a type, where it is of one and bodies of the JDK are at hand.
    pub fn collection(&mut self, ty: &[u8], key: u64) -> Step<Option<Val>> {
        let of = COLLECTIONS.iter().find(|(class, above)| *class == ty || above.contains(&ty));
        let Some(&(class, _)) = of.filter(|_| self.classes.find(ty).is_some()) else { return Ok(None) };
        match self.filled(class, key) {
            // Of another JDK not all may be known that this takes.
            Err(Stop::Unknown(_)) => Ok(None),
            made => made.map(Some),
        }
    }

    fn filled(&mut self, class: &[u8], key: u64) -> Step<Val> {
        let class = self.classes.name(class);
        let made = self.fresh(&class)?;
        let mut member = |name: &[u8], descriptor: &[u8]| Member {
            class: class.clone(),
            name: self.classes.name(name),
            descriptor: self.classes.name(descriptor),
        };
        let construct = member(b"<init>", b"()V");
        let (add, count) = match class.ends_with(b"Map") {
            true => (member(b"put", b"(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;"), 2),
            false => (member(b"add", b"(Ljava/lang/Object;)Z"), 1),
        };
        self.call(Opcode::Invokespecial, &class, &construct, vec![made])?;
        for at in 0..(key >> 4) % 4 {
            let mut args = vec![made];
            for place in 0..count {
                let text = TEXTS[(mix(key, at * count + place) >> 8) as usize % TEXTS.len()];
                args.push(self.text(units(text))?);
            }
            self.call(Opcode::Invokevirtual, &class, &add, args)?;
        }
        Ok(made)
    }
}

/// Whether any value that is drawn for a type fits an array of it.
fn is_plain(ty: Type<'_>) -> bool {
    !ty.is_reference() || matches!(ty, Type::Object(b"java/lang/String" | b"java/lang/Object"))
}
