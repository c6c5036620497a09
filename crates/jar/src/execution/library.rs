//! Methods of the JDK that a run knows by itself, and what becomes of the others.
//!
//! Of classes in `java.lang` and `java.util` nobody outside hears, so a method of theirs that is not known here, and whose
//! body is not there to be run, ends what can be compared. What is left talks to the outside: it is observed, and the world
//! answers.

use planish_classfile::Flags;
use planish_classfile::descriptor::{MethodType, Type};

use super::machine::{Machine, Step, Stop, shown};
use super::values::{Inner, Member, Name, Ref, Val};
use super::{numbers, strings, texts};
use crate::execution::values::Known;

/// The number that every object has as its hash: which one it is, no program may rely on.
const HASH: i32 = 42;

/// Classes of `java.lang` that talk to the outside.
const OUTSIDE: [&[u8]; 7] = [
    b"java/lang/System",
    b"java/lang/Runtime",
    b"java/lang/Thread",
    b"java/lang/Process",
    b"java/lang/ProcessBuilder",
    b"java/lang/ClassLoader",
    b"java/lang/Module",
];

/// Packages of which nobody outside hears.
const INSIDE: [&[u8]; 5] = [b"java/lang/", b"java/util/", b"java/security/", b"sun/", b"jdk/"];

/// Classes with which the JDK asks for properties, of which none is set.
const PROPERTIES: &[u8] = b"sun/security/action/";

/// A call of a method that no class which is followed has. The receiver is the first argument.
pub fn call(
    machine: &mut Machine<'_, '_>,
    member: &Member,
    args: Vec<Val>,
    is_static: bool,
) -> Step<Option<Val>> {
    let receiver = match args.first() {
        Some(&Val::Ref(Some(receiver))) if !is_static => Some(receiver),
        _ => None,
    };
    if starts_a_thread(machine, member)? {
        return Err(Stop::Unknown("other threads are not run".to_owned()));
    }
    if let Some(object) = receiver {
        if matches!(machine.heap.get(object).inner, Inner::Foreign) {
            if member.class.starts_with(PROPERTIES) && &*member.name == b"<init>" {
                return Ok(None);
            }
            return observed(machine, member, args, is_static);
        }
        if let Some(known) = of_object(machine, member, object, &args)? {
            return Ok(known);
        }
    } else if let Some(known) = of_nobody(machine, member, &args)? {
        return Ok(known);
    }
    match is_observed(&member.class) {
        true => observed(machine, member, args, is_static),
        false => Err(Stop::Unknown(format!("{member} is not known"))),
    }
}

/// Whether a call runs code of the program on another thread.
fn starts_a_thread(machine: &mut Machine<'_, '_>, member: &Member) -> Step<bool> {
    Ok(match &member.name[..] {
        b"start" => machine.is_subtype(&member.class, b"java/lang/Thread")?,
        b"addShutdownHook" => member.class[..] == *b"java/lang/Runtime",
        _ => false,
    })
}

/// Whether calls of a class are heard of outside.
pub fn is_observed(class: &[u8]) -> bool {
    let is_inside = INSIDE.iter().any(|package| class.starts_with(package)) || class.starts_with(b"[");
    !is_inside || OUTSIDE.contains(&class)
}

/// A call that the outside hears of.
fn observed(
    machine: &mut Machine<'_, '_>,
    member: &Member,
    args: Vec<Val>,
    is_static: bool,
) -> Step<Option<Val>> {
    let ty = MethodType::parse(&member.descriptor)
        .ok_or_else(|| Stop::Unknown("a malformed descriptor".to_owned()))?;
    // Who prints an object asks it for its string.
    if member.name.starts_with(b"print")
        && let (&[receiver, Val::Ref(Some(object))], Some(Type::Object(_))) =
            (&args[..], ty.parameters().next())
    {
        let text = texts::of_object(machine, object)?;
        let text = machine.text(text)?;
        machine.observe(member, &[receiver, text], is_static)?;
    } else {
        machine.observe(member, &args, is_static)?;
    }
    machine.change(member, &args)?;
    if machine.world.throws(machine.events.len()) {
        return Err(machine.thrown("java/lang/RuntimeException"));
    }
    match ty.result() {
        None => Ok(None),
        Some(result) => {
            let mut descriptor = Vec::new();
            result.write(&mut descriptor);
            machine.answer(&descriptor, &member.to_string()).map(Some)
        }
    }
}

/// What a fresh object of a class is whose body is not followed.
pub fn fresh(machine: &mut Machine<'_, '_>, class: &Name) -> Step<Inner> {
    Ok(match &**class {
        b"java/lang/Object" => Inner::Plain,
        b"java/lang/String" => Inner::Text([].into()),
        b"java/lang/StringBuilder" | b"java/lang/StringBuffer" => Inner::Builder(Vec::new()),
        name if numbers::letter(name).is_some() => Inner::Boxed(Val::Int(0)),
        name if machine.is_subtype(name, b"java/lang/Throwable")? => {
            Inner::Thrown { message: None, cause: None }
        }
        name if is_observed(name) || name.starts_with(PROPERTIES) => Inner::Foreign,
        name => return Err(Stop::Unknown(format!("objects of class {} are not known", shown(name)))),
    })
}

/// A method of an object.
fn of_object(machine: &mut Machine<'_, '_>, member: &Member, object: Ref, args: &[Val]) -> Step<Known> {
    let known = match &machine.heap.get(object).inner {
        Inner::Text(_) => strings::of_text(machine, member, object, args)?,
        Inner::Builder(_) => strings::of_builder(machine, member, object, args)?,
        Inner::Boxed(_) => numbers::of_box(machine, member, object, args)?,
        Inner::Thrown { .. } => of_exception(machine, member, object, args)?,
        Inner::Constant { .. } => of_constant(machine, member, object, args)?,
        Inner::Class(_) => of_class(machine, member, object)?,
        Inner::Array(elements) if &*member.name == b"clone" => {
            let (class, copied) = (machine.heap.get(object).class.clone(), elements.clone());
            machine.room(copied.len())?;
            Some(Some(Val::Ref(Some(machine.heap.make(class, Inner::Array(copied))))))
        }
        _ => None,
    };
    match known {
        Some(known) => Ok(Some(known)),
        None => of_any(machine, member, object, args),
    }
}

/// What every object has of `java.lang.Object`, and of records.
fn of_any(machine: &mut Machine<'_, '_>, member: &Member, object: Ref, args: &[Val]) -> Step<Known> {
    Ok(Some(match (&*member.name, &*member.descriptor) {
        (b"<init>", b"()V")
            if matches!(&*member.class, b"java/lang/Object" | b"java/lang/Record" | b"java/lang/Number") =>
        {
            None
        }
        (b"getClass", b"()Ljava/lang/Class;") => {
            let class = machine.heap.get(object).class.clone();
            Some(machine.class_object(&class))
        }
        (b"hashCode", b"()I") => Some(Val::Int(HASH)),
        (b"equals", b"(Ljava/lang/Object;)Z") => Some(Val::Int(i32::from(args.get(1) == args.first()))),
        (b"toString", b"()Ljava/lang/String;") => {
            let class = shown(&machine.heap.get(object).class);
            Some(machine.text(texts::units(&format!("{class}@{HASH:x}")))?)
        }
        (b"notify" | b"notifyAll", b"()V") => None,
        (b"clone", b"()Ljava/lang/Object;") if &*member.class == b"java/lang/Object" => {
            if !machine.is_instance(object, b"java/lang/Cloneable")? {
                return Err(machine.thrown("java/lang/CloneNotSupportedException"));
            }
            let copied = machine.heap.get(object).clone();
            let made = machine.heap.make(copied.class, copied.inner);
            machine.heap.get_mut(made).fields = copied.fields;
            Some(Val::Ref(Some(made)))
        }
        _ => return Ok(None),
    }))
}

/// A method of an exception.
fn of_exception(machine: &mut Machine<'_, '_>, member: &Member, object: Ref, args: &[Val]) -> Step<Known> {
    let Inner::Thrown { message, cause } = machine.heap.get(object).inner else { return Ok(None) };
    let reference = |at: usize| match args.get(at) {
        Some(&Val::Ref(value)) => value,
        _ => None,
    };
    let mut set = |message, cause| machine.heap.get_mut(object).inner = Inner::Thrown { message, cause };
    Ok(Some(match (&*member.name, &*member.descriptor) {
        (b"<init>", b"()V") => None,
        (b"<init>", b"(Ljava/lang/String;)V") => {
            set(reference(1), None);
            None
        }
        (b"<init>", b"(Ljava/lang/Object;)V") => {
            let text = match reference(1) {
                Some(object) => texts::of_object(machine, object)?,
                None => texts::units("null"),
            };
            let Val::Ref(message) = machine.text(text)? else { return Ok(None) };
            machine.heap.get_mut(object).inner = Inner::Thrown { message, cause: None };
            None
        }
        (b"<init>", b"(Ljava/lang/Throwable;)V") => {
            let message = match reference(1) {
                Some(cause) => {
                    let text = texts::of_object(machine, cause)?;
                    match machine.text(text)? {
                        Val::Ref(text) => text,
                        _ => None,
                    }
                }
                None => None,
            };
            machine.heap.get_mut(object).inner = Inner::Thrown { message, cause: reference(1) };
            None
        }
        (b"<init>", descriptor) if descriptor.starts_with(b"(Ljava/lang/String;Ljava/lang/Throwable;") => {
            set(reference(1), reference(2));
            None
        }
        (b"getMessage" | b"getLocalizedMessage", _) => Some(Val::Ref(message)),
        (b"getCause", _) => Some(Val::Ref(cause)),
        (b"initCause", _) => {
            set(message, reference(1));
            Some(Val::Ref(Some(object)))
        }
        (b"fillInStackTrace", _) => Some(Val::Ref(Some(object))),
        (b"addSuppressed" | b"setStackTrace", _) => None,
        (b"toString", _) => {
            let mut text = texts::units(&shown(&machine.heap.get(object).class));
            if let Some(message) = message.and_then(|message| machine.heap.text(message)) {
                text.extend(texts::units(": "));
                text.extend(message);
            }
            Some(machine.text(text)?)
        }
        (b"printStackTrace", b"()V") => {
            machine.observe(member, args, false)?;
            None
        }
        _ => return Ok(None),
    }))
}

/// A method of a constant of an enumeration.
fn of_constant(machine: &mut Machine<'_, '_>, member: &Member, object: Ref, args: &[Val]) -> Step<Known> {
    let Inner::Constant { name, ordinal } = machine.heap.get(object).inner else { return Ok(None) };
    Ok(Some(match (&*member.name, args) {
        (b"<init>", &[_, Val::Ref(name), Val::Int(ordinal)]) => {
            machine.heap.get_mut(object).inner = Inner::Constant { name, ordinal };
            None
        }
        (b"name" | b"toString", _) => Some(Val::Ref(name)),
        (b"ordinal", _) => Some(Val::Int(ordinal)),
        (b"compareTo", &[_, Val::Ref(Some(other))]) => match machine.heap.get(other).inner {
            Inner::Constant { ordinal: other, .. } => Some(Val::Int(ordinal.wrapping_sub(other))),
            _ => return Ok(None),
        },
        (b"getDeclaringClass", _) => {
            // A constant with a body is of a class below.
            let class = machine.heap.get(object).class.clone();
            let (chain, _) = machine.classes.chain(&class);
            let Some(&declaring) = chain.last() else { return Ok(None) };
            let name = machine.classes.get(declaring).name.clone();
            Some(machine.class_object(&name))
        }
        _ => return Ok(None),
    }))
}

/// A method of the object of a class.
fn of_class(machine: &mut Machine<'_, '_>, member: &Member, object: Ref) -> Step<Known> {
    let Inner::Class(name) = machine.heap.get(object).inner.clone() else { return Ok(None) };
    Ok(Some(Some(match &*member.name {
        b"getName" | b"getTypeName" if name[0] != b'[' => machine.text(texts::units(&shown(&name)))?,
        b"desiredAssertionStatus" => Val::Int(0),
        b"isArray" => Val::Int(i32::from(name[0] == b'[')),
        b"isInterface" | b"isEnum" => match machine.classes.find(&name) {
            Some(id) => {
                let flag = if &*member.name == b"isEnum" { Flags::ENUM } else { Flags::INTERFACE };
                Val::Int(i32::from(machine.classes.get(id).flags.has(flag)))
            }
            None => return Ok(None),
        },
        b"getComponentType" if name[0] == b'[' => match Type::parse(&name[1..]) {
            Some(Type::Object(element) | Type::Array(element)) => {
                let element = machine.classes.name(element);
                machine.class_object(&element)
            }
            _ => return Ok(None),
        },
        b"hashCode" => Val::Int(HASH),
        _ => return Ok(None),
    })))
}

/// A static method.
fn of_nobody(machine: &mut Machine<'_, '_>, member: &Member, args: &[Val]) -> Step<Known> {
    match (&*member.class, &*member.name) {
        (b"java/lang/System", b"arraycopy") => copy(machine, args).map(|()| Some(None)),
        (b"java/lang/System", b"identityHashCode") => Ok(Some(Some(Val::Int(HASH)))),
        (b"java/lang/System", b"exit") | (b"java/lang/Runtime", b"exit" | b"halt") => {
            machine.observe(member, args, true)?;
            Err(Stop::Exited)
        }
        (b"java/security/AccessController", b"doPrivileged") => match args.first() {
            Some(&Val::Ref(Some(action)))
                if &*machine.heap.get(action).class == b"sun/security/action/GetBooleanAction" =>
            {
                Ok(Some(Some(machine.boxed(b"java/lang/Boolean", Val::Int(0)))))
            }
            _ => Ok(None),
        },
        (class, b"privilegedGetProperty") if class.starts_with(PROPERTIES) => Ok(Some(Some(Val::Ref(None)))),
        (b"java/lang/Object" | b"java/lang/Class", b"registerNatives") => Ok(Some(None)),
        (b"java/lang/reflect/Array", b"newInstance") => match args {
            &[Val::Ref(Some(class)), Val::Int(length)] => {
                let Inner::Class(name) = machine.heap.get(class).inner.clone() else { return Ok(None) };
                machine.array(&super::values::array_of(&name), length).map(|array| Some(Some(array)))
            }
            _ => Ok(None),
        },
        (b"java/util/Objects", b"requireNonNull") => match args {
            [Val::Ref(None)] => Err(machine.thrown("java/lang/NullPointerException")),
            &[Val::Ref(None), Val::Ref(message)] => {
                let class = machine.classes.name(b"java/lang/NullPointerException");
                Err(Stop::Thrown(machine.heap.make(class, Inner::Thrown { message, cause: None })))
            }
            [value, ..] => Ok(Some(Some(*value))),
            [] => Ok(None),
        },
        (b"java/lang/String", _) => strings::of_nobody(machine, member, args),
        _ => numbers::of_nobody(machine, member, args),
    }
}

/// `System.arraycopy`.
fn copy(machine: &mut Machine<'_, '_>, args: &[Val]) -> Step {
    let &[Val::Ref(from), Val::Int(at), Val::Ref(to), Val::Int(there), Val::Int(count)] = args else {
        return Err(Stop::Unknown("a malformed call".to_owned()));
    };
    let (Some(from), Some(to)) = (from, to) else {
        return Err(machine.thrown("java/lang/NullPointerException"));
    };
    let class = machine.heap.get(to).class.clone();
    let primitive = |class: &[u8]| class.len() == 2;
    let (Some(source), own) = (machine.heap.elements(from).cloned(), machine.heap.get(from).class.clone())
    else {
        return Err(machine.thrown("java/lang/ArrayStoreException"));
    };
    let Some(target) = machine.heap.elements(to) else {
        return Err(machine.thrown("java/lang/ArrayStoreException"));
    };
    let length = target.len();
    if own != class && (primitive(&own) || primitive(&class)) {
        return Err(machine.thrown("java/lang/ArrayStoreException"));
    }
    let range = |at: i32, length: usize| {
        let (at, count) = (usize::try_from(at).ok()?, usize::try_from(count).ok()?);
        (at + count <= length).then_some(at..at + count)
    };
    let (Some(source_range), Some(target_range)) = (range(at, source.len()), range(there, length)) else {
        return Err(machine.thrown("java/lang/ArrayIndexOutOfBoundsException"));
    };
    machine.burn(source_range.len() / 8)?;
    let copied = &source[source_range];
    if !primitive(&class) && own != class {
        let of = if class[1] == b'L' { &class[2..class.len() - 1] } else { &class[1..] };
        for value in copied {
            if let Val::Ref(Some(object)) = value
                && !machine.is_instance(*object, of)?
            {
                return Err(machine.thrown("java/lang/ArrayStoreException"));
            }
        }
    }
    if let Some(target) = machine.heap.elements(to) {
        target[target_range].copy_from_slice(copied);
    }
    Ok(())
}
