//! What is called from outside in one run: a main method, or a few public methods of a class in a row.

use std::fmt;

use planish_classfile::Flags;
use planish_classfile::descriptor::{MethodType, Type};
use planish_jvm_model::hierarchy::Hierarchy;
use planish_keep::show::{java_field, java_method};

use super::beginnings::Beginnings;
use super::classes::{Class, Classes, Field, Method};
use super::library;
use super::machine::{Machine, Step, Stop, shown};
use super::observation::strings;
use super::values::{Member, Name, Ref, Val};
use super::world::{Event, World};

/// How deep objects are made that constructors take.
const DEEP: u32 = 2;

/// What main methods take.
const MAIN: &[u8] = b"([Ljava/lang/String;)V";

/// A method that is called from outside.
#[derive(Clone)]
struct Called {
    name: Name,
    descriptor: Name,
    is_static: bool,
}

/// A place where a program begins. What it calls is there in both programs.
#[derive(Clone)]
pub struct Entry {
    class: Name,
    is_main: bool,
    constructors: Vec<Name>,
    methods: Vec<Called>,
    /// Public static fields that hold an object of the class.
    instances: Vec<Name>,
    /// Public static fields that may change, with their descriptors: others may look at them.
    statics: Vec<(Name, Name)>,
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = if self.is_main { "main of " } else { "class " };
        write!(f, "{what}{}", shown(&self.class))
    }
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ended {
    /// All calls from outside were made.
    Finished,
    /// Something is not known.
    Unknown(String),
    /// It was too much.
    Exhausted,
}

/// A run.
pub struct Ran {
    /// What was observed.
    pub events: Vec<Event>,
    /// How it ended.
    pub ended: Ended,
    /// Instructions that were executed.
    pub used: u64,
}

/// The places where both programs begin.
pub fn entries(beginnings: &Beginnings, old: &mut Classes<'_>, new: &mut Classes<'_>) -> Vec<Entry> {
    let mut entries = Vec::new();
    for (name, is_main) in
        beginnings.main.iter().map(|name| (name, true)).chain(beginnings.api.iter().map(|name| (name, false)))
    {
        if let (Some(before), Some(after)) = (old.find(name), new.find(name))
            && let Some(entry) = entry(&old.get(before), &new.get(after), beginnings, is_main)
        {
            entries.push(entry);
        }
    }
    entries
}

/// What of a class is called from outside; nothing if nothing is.
fn entry(before: &Class, after: &Class, beginnings: &Beginnings, is_main: bool) -> Option<Entry> {
    let mut entry = Entry {
        class: before.name.clone(),
        is_main,
        constructors: Vec::new(),
        methods: Vec::new(),
        instances: Vec::new(),
        statics: Vec::new(),
    };
    if is_main {
        after.method(b"main", MAIN)?;
        let main = &before.methods[before.method(b"main", MAIN)?];
        entry.methods.push(Called {
            name: main.name.clone(),
            descriptor: main.descriptor.clone(),
            is_static: true,
        });
        return Some(entry);
    }
    if !before.flags.has(Flags::PUBLIC) || !after.flags.has(Flags::PUBLIC) {
        return None;
    }
    let is_kept = |method: &Method| {
        let line = || {
            format!(
                "{}: {}",
                shown(&before.name),
                java_method(&before.name, &method.name, &method.descriptor)
            )
        };
        beginnings.kept.as_ref().is_none_or(|kept| kept.contains(&line()))
    };
    let is_kept_field = |field: &Field| {
        let line = || format!("{}: {}", shown(&before.name), java_field(&field.name, &field.descriptor));
        beginnings.kept.as_ref().is_none_or(|kept| kept.contains(&line()))
    };
    let can_be_made = !before.flags.any(Flags::ABSTRACT | Flags::INTERFACE | Flags::ENUM);
    for method in &before.methods {
        let place = after.method(&method.name, &method.descriptor);
        let is_there = place.is_some_and(|place| after.methods[place].flags.has(Flags::PUBLIC));
        let is_called =
            method.flags.has(Flags::PUBLIC) && !method.flags.any(Flags::SYNTHETIC | Flags::ABSTRACT);
        if !is_called || !is_there || !is_kept(method) {
            continue;
        }
        match &*method.name {
            b"<init>" if can_be_made => entry.constructors.push(method.descriptor.clone()),
            name if name.starts_with(b"<") => {}
            _ => entry.methods.push(Called {
                name: method.name.clone(),
                descriptor: method.descriptor.clone(),
                is_static: method.flags.has(Flags::STATIC),
            }),
        }
    }
    let own = [b"L", &before.name[..], b";"].concat();
    for field in before.fields.iter().filter(|field| is_public_static(field)) {
        let is_same = |other: &&Field| other.name == field.name && other.descriptor == field.descriptor;
        if !after.fields.iter().filter(is_same).any(is_public_static) || !is_kept_field(field) {
            continue;
        }
        if *field.descriptor == own[..] {
            entry.instances.push(field.name.clone());
        }
        if !field.flags.has(Flags::FINAL) {
            entry.statics.push((field.name.clone(), field.descriptor.clone()));
        }
    }
    (!entry.methods.is_empty()).then_some(entry)
}

fn is_public_static(field: &Field) -> bool {
    field.flags.has(Flags::PUBLIC) && field.flags.has(Flags::STATIC)
}

/// Runs a program from a place in the world of a number.
pub fn run(
    classes: &mut Classes<'_>,
    hierarchy: &Hierarchy,
    entries: &[Entry],
    entry: &Entry,
    seed: u64,
    fuel: u64,
) -> Ran {
    let mut machine = Machine::new(classes, hierarchy, World { seed }, fuel);
    let mut script = Script { machine: &mut machine, entries };
    let played = match script.play(entry) {
        Err(Stop::Thrown(thrown)) => script.note_thrown("what makes an argument", thrown),
        played => played,
    };
    let ended = match played {
        Ok(()) | Err(Stop::Exited | Stop::Thrown(_)) => Ended::Finished,
        Err(Stop::Unknown(why)) => Ended::Unknown(why),
        Err(Stop::Exhausted) => Ended::Exhausted,
    };
    let used = fuel - machine.fuel();
    Ran { events: machine.events, ended, used }
}

struct Script<'s, 'c, 'f> {
    machine: &'s mut Machine<'c, 'f>,
    entries: &'s [Entry],
}

impl Script<'_, '_, '_> {
    fn ask(&self, question: &str, number: u64) -> u64 {
        self.machine.world.ask(question, number)
    }

    fn play(&mut self, entry: &Entry) -> Step {
        if entry.is_main {
            let main = &entry.methods[0];
            let key = self.ask("main", 0);
            let args = self.machine.drawn(Type::Array(&strings()), key)?;
            return self.call(entry, main, vec![args]);
        }
        let receiver = match entry.methods.iter().any(|method| !method.is_static) {
            true => self.receiver(entry)?,
            false => None,
        };
        let usable = |method: &&Called| method.is_static || receiver.is_some();
        let methods: Vec<&Called> = entry.methods.iter().filter(usable).collect();
        if methods.is_empty() {
            return Ok(());
        }
        for step in 0..1 + self.ask("steps", 0) % 4 {
            let method = methods[(self.ask("method", step) % methods.len() as u64) as usize];
            let mut args: Vec<Val> = receiver.into_iter().filter(|_| !method.is_static).collect();
            args.extend(self.arguments(&method.descriptor, step + 1, 0)?);
            self.call(entry, method, args)?;
        }
        for (name, descriptor) in &entry.statics {
            let member =
                Member { class: entry.class.clone(), name: name.clone(), descriptor: descriptor.clone() };
            let value = self.machine.read_static(&member)?;
            let shown = self.machine.described(value, Type::parse(descriptor), 4);
            self.machine.note(format!("{} is {shown}", String::from_utf8_lossy(name)))?;
        }
        Ok(())
    }

    /// Calls a method from outside and writes down what comes of it.
    fn call(&mut self, entry: &Entry, method: &Called, args: Vec<Val>) -> Step {
        let member = Member {
            class: entry.class.clone(),
            name: method.name.clone(),
            descriptor: method.descriptor.clone(),
        };
        let op = match method.is_static {
            true => planish_classfile::Opcode::Invokestatic,
            false => planish_classfile::Opcode::Invokevirtual,
        };
        let name = String::from_utf8_lossy(&method.name).into_owned();
        self.machine.observe(&member, &args, method.is_static)?;
        let given = args.clone();
        match self.machine.call(op, &entry.class, &member, args) {
            Ok(value) => {
                let ty = MethodType::parse(&method.descriptor).and_then(|ty| ty.result());
                let shown = match (value, ty) {
                    (Some(value), Some(ty)) => {
                        let mut text = Vec::new();
                        ty.write(&mut text);
                        self.machine.described(value.narrowed(&text), Some(ty), 4)
                    }
                    _ => "nothing".to_owned(),
                };
                self.machine.note(format!("{name} returns {shown}"))?;
            }
            Err(Stop::Thrown(thrown)) => self.note_thrown(&name, thrown)?,
            Err(stop) => return Err(stop),
        }
        match self.machine.left_in(&given)? {
            Some(left) => self.machine.note(format!("{name} leaves {left}")),
            None => Ok(()),
        }
    }

    /// Writes down that something throws.
    fn note_thrown(&mut self, what: &str, thrown: Ref) -> Step {
        let shown = self.machine.described(Val::Ref(Some(thrown)), None, 4);
        self.machine.note(format!("{what} throws {shown}"))
    }

    /// An object of a class that is called from outside; none if its constructor throws.
    fn receiver(&mut self, entry: &Entry) -> Step<Option<Val>> {
        let key = self.ask("receiver", 0);
        match self.object(entry, key, 0) {
            Err(Stop::Thrown(thrown)) => {
                self.note_thrown("its constructor", thrown)?;
                Ok(None)
            }
            made => made,
        }
    }

    /// An object of a class, made by one of its constructors or found in one of its fields.
    fn object(&mut self, entry: &Entry, key: u64, depth: u32) -> Step<Option<Val>> {
        let ways = entry.constructors.len() + entry.instances.len();
        if ways == 0 || depth > DEEP {
            return Ok(None);
        }
        let way = (key % ways as u64) as usize;
        let Some(descriptor) = entry.constructors.get(way) else {
            let member = Member {
                class: entry.class.clone(),
                name: entry.instances[way - entry.constructors.len()].clone(),
                descriptor: self.machine.classes.name(&[b"L", &entry.class[..], b";"].concat()),
            };
            let found = self.machine.read_static(&member)?;
            return Ok(Some(found).filter(|value| *value != Val::Ref(None)));
        };
        let made = self.machine.fresh(&entry.class)?;
        let mut args = vec![made];
        args.extend(self.arguments(descriptor, key >> 8, depth + 1)?);
        let name = self.machine.classes.name(b"<init>");
        let member = Member { class: entry.class.clone(), name, descriptor: descriptor.clone() };
        self.machine.call(planish_classfile::Opcode::Invokespecial, &entry.class, &member, args)?;
        Ok(Some(made))
    }

    /// Arguments of a call from outside.
    fn arguments(&mut self, descriptor: &[u8], number: u64, depth: u32) -> Step<Vec<Val>> {
        let Some(ty) = MethodType::parse(descriptor) else { return Ok(Vec::new()) };
        let mut args = Vec::new();
        for (ty, place) in ty.parameters().zip(0..) {
            let key = self.ask("argument", number.wrapping_mul(31).wrapping_add(place));
            args.push(self.argument(ty, key, depth)?);
        }
        Ok(args)
    }

    fn argument(&mut self, ty: Type<'_>, key: u64, depth: u32) -> Step<Val> {
        if let Type::Object(name) = ty {
            let entries = self.entries;
            if let Some(entry) = entries.iter().find(|entry| *entry.class == *name && !entry.is_main) {
                return Ok(match key % 8 {
                    0 => Val::Ref(None),
                    _ => self.object(entry, key >> 8, depth)?.unwrap_or(Val::Ref(None)),
                });
            }
            if key.is_multiple_of(2)
                && let Some(made) = self.machine.collection(name, key >> 8)?
            {
                return Ok(made);
            }
            // Somebody outside may implement an interface, and has objects of its own classes.
            let own = self.machine.classes.find(name).map(|id| self.machine.classes.get(id).flags);
            let is_interface = match own {
                Some(flags) => flags.has(Flags::INTERFACE),
                None => {
                    let hierarchy = self.machine.hierarchy;
                    hierarchy.lookup(name).and_then(|id| hierarchy.is_interface(id)) == Some(true)
                }
            };
            let is_outside = own.is_none() && library::is_observed(name);
            if (is_interface || is_outside)
                && !matches!(name, b"java/lang/CharSequence" | b"java/lang/Comparable")
                && !key.is_multiple_of(8)
            {
                return Ok(Val::Ref(Some(self.machine.foreign(name))));
            }
        }
        self.machine.drawn(ty, key)
    }
}
