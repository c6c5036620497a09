//! Methods of strings and of builders of strings.

use planish_classfile::descriptor::{MethodType, Type};

use super::machine::{Machine, Step, Stop};
use super::texts::{self, find, find_last, is_plain};
use super::values::{Inner, Known, Member, Ref, Val, array_of};

/// The characters of an argument that is a string.
fn text(machine: &Machine<'_, '_>, args: &[Val], at: usize) -> Option<Vec<u16>> {
    match args.get(at) {
        Some(&Val::Ref(Some(object))) => machine.heap.text(object).map(<[u16]>::to_vec),
        _ => None,
    }
}

fn int(args: &[Val], at: usize) -> Option<i32> {
    match args.get(at) {
        Some(&Val::Int(value)) => Some(value),
        _ => None,
    }
}

fn truth(value: bool) -> Val {
    Val::Int(i32::from(value))
}

/// A place as `indexOf` gives it.
fn place(found: Option<usize>) -> Val {
    Val::Int(found.map_or(-1, |at| at as i32))
}

fn out_of_bounds(machine: &mut Machine<'_, '_>) -> Stop {
    machine.thrown("java/lang/StringIndexOutOfBoundsException")
}

/// The part of a text between two places.
fn part(machine: &mut Machine<'_, '_>, text: &[u16], from: i32, to: i32) -> Step<Vec<u16>> {
    match (usize::try_from(from), usize::try_from(to)) {
        (Ok(from), Ok(to)) if from <= to && to <= text.len() => Ok(text[from..to].to_vec()),
        _ => Err(out_of_bounds(machine)),
    }
}

/// Whether it is a space at an end for `trim`.
fn is_space(unit: &u16) -> bool {
    *unit <= 32
}

fn trimmed(text: &[u16]) -> Vec<u16> {
    let from = text.iter().take_while(|unit| is_space(unit)).count();
    let to = text.len() - text[from..].iter().rev().take_while(|unit| is_space(unit)).count();
    text[from..to].to_vec()
}

fn mapped(text: &[u16], map: impl Fn(u8) -> u8) -> Vec<u16> {
    text.iter().map(|&unit| u16::from(map(unit as u8))).collect()
}

fn replaced(text: &[u16], old: &[u16], new: &[u16]) -> Vec<u16> {
    let (mut made, mut at) = (Vec::new(), 0);
    while let Some(found) = find(text, old, at) {
        made.extend(&text[at..found]);
        made.extend(new);
        at = found + old.len();
    }
    made.extend(&text[at..]);
    made
}

/// A method of a string.
pub fn of_text(machine: &mut Machine<'_, '_>, member: &Member, object: Ref, args: &[Val]) -> Step<Known> {
    let Some(own) = machine.heap.text(object).map(<[u16]>::to_vec) else { return Ok(None) };
    machine.burn(own.len() / 8)?;
    if &*member.name == b"<init>" {
        return made(machine, member, object, args);
    }
    if let Some(known) = characters(machine, member, &own, args)? {
        return Ok(Some(Some(known)));
    }
    let other = text(machine, args, 1);
    if other.is_none()
        && matches!(args.get(1), Some(Val::Ref(None)))
        && !matches!(&*member.name, b"equals" | b"equalsIgnoreCase")
    {
        return Err(machine.thrown("java/lang/NullPointerException"));
    }
    let from = int(args, 2).map_or(0, |from| from.max(0) as usize);
    let plain = |other: &[u16]| is_plain(&own) && is_plain(other);
    let gives = match (&*member.name, other) {
        (b"equals", other) => truth(other.is_some_and(|other| other == own && is_text(machine, args[1]))),
        (b"equalsIgnoreCase", None) => truth(false),
        (b"equalsIgnoreCase", Some(other)) if plain(&other) => {
            truth(mapped(&own, |c| c.to_ascii_lowercase()) == mapped(&other, |c| c.to_ascii_lowercase()))
        }
        (b"compareTo", Some(other)) => Val::Int(compared(&own, &other)),
        (b"concat", Some(other)) => machine.text([own, other].concat())?,
        (b"contains", Some(other)) => truth(find(&own, &other, 0).is_some()),
        (b"startsWith", Some(other)) => truth(match int(args, 2) {
            None => own.starts_with(&other),
            Some(at) => {
                usize::try_from(at).is_ok_and(|at| own.get(at..).is_some_and(|rest| rest.starts_with(&other)))
            }
        }),
        (b"endsWith", Some(other)) => truth(own.ends_with(&other)),
        (b"contentEquals", Some(other)) => truth(own == other),
        (b"indexOf", Some(other)) => place(find(&own, &other, from.min(own.len()))),
        (b"lastIndexOf", Some(other)) if int(args, 2).is_none() => place(find_last(&own, &other, own.len())),
        (b"split", Some(by)) if args.len() == 2 && is_literal(&by) => split(machine, &own, by[0])?,
        (b"replace", Some(old)) if !old.is_empty() => match text(machine, args, 2) {
            Some(new) => machine.text(replaced(&own, &old, &new))?,
            None => return Ok(None),
        },
        _ => return Ok(None),
    };
    Ok(Some(Some(gives)))
}

/// Whether a pattern is one character that stands for itself.
fn is_literal(pattern: &[u16]) -> bool {
    const SPECIAL: &[u8] = b".$|()[{^?*+\\";
    matches!(pattern, [unit] if *unit < 128 && !SPECIAL.contains(&(*unit as u8)))
}

/// `String.split`: empty parts at the end are left out, and a string without any part is its only one.
fn split(machine: &mut Machine<'_, '_>, own: &[u16], by: u16) -> Step<Val> {
    let mut parts: Vec<&[u16]> = own.split(|unit| *unit == by).collect();
    if parts.len() > 1 {
        parts.truncate(parts.iter().rposition(|part| !part.is_empty()).map_or(0, |last| last + 1));
    }
    let array = machine.array(&array_of(b"java/lang/String"), parts.len() as i32)?;
    for (at, part) in parts.into_iter().enumerate() {
        let text = machine.text(part)?;
        if let Val::Ref(Some(array)) = array
            && let Some(elements) = machine.heap.elements(array)
        {
            elements[at] = text;
        }
    }
    Ok(array)
}

fn is_text(machine: &Machine<'_, '_>, value: Val) -> bool {
    matches!(value, Val::Ref(Some(object)) if matches!(machine.heap.get(object).inner, Inner::Text(_)))
}

fn compared(own: &[u16], other: &[u16]) -> i32 {
    match own.iter().zip(other).find(|(a, b)| a != b) {
        Some((a, b)) => i32::from(*a) - i32::from(*b),
        None => own.len() as i32 - other.len() as i32,
    }
}

/// A method of a string that takes numbers, or nothing.
fn characters(
    machine: &mut Machine<'_, '_>,
    member: &Member,
    own: &[u16],
    args: &[Val],
) -> Step<Option<Val>> {
    let (first, second) = (int(args, 1), int(args, 2));
    let length = own.len() as i32;
    Ok(Some(match (&*member.name, first, second) {
        (b"length", None, None) => Val::Int(length),
        (b"isEmpty", None, None) => truth(own.is_empty()),
        (b"isBlank", None, None) if is_plain(own) => truth(own.iter().all(is_space)),
        (b"hashCode", None, None) => Val::Int(texts::hash(own)),
        (b"toString", None, None) => args[0],
        (b"intern", None, None) => machine.interned(own.into()),
        (b"charAt", Some(at), None) => match usize::try_from(at).ok().and_then(|at| own.get(at)) {
            Some(unit) => Val::Int(i32::from(*unit)),
            None => return Err(out_of_bounds(machine)),
        },
        (b"substring" | b"subSequence", Some(from), to) => {
            let made = part(machine, own, from, to.unwrap_or(length))?;
            machine.text(made)?
        }
        (b"trim" | b"strip", None, None) if is_plain(own) => machine.text(trimmed(own))?,
        (b"toLowerCase", None, None) if is_plain(own) => {
            machine.text(mapped(own, |c| c.to_ascii_lowercase()))?
        }
        (b"toUpperCase", None, None) if is_plain(own) => {
            machine.text(mapped(own, |c| c.to_ascii_uppercase()))?
        }
        (b"indexOf", Some(unit), from) => {
            let from = from.unwrap_or(0).max(0) as usize;
            let found = own.iter().enumerate().skip(from).find(|(_, own)| i32::from(**own) == unit);
            place(found.map(|found| found.0))
        }
        (b"lastIndexOf", Some(unit), None) => place(own.iter().rposition(|own| i32::from(*own) == unit)),
        (b"replace", Some(old), Some(new)) => {
            let map = |unit: &u16| if i32::from(*unit) == old { new as u16 } else { *unit };
            machine.text(own.iter().map(map).collect::<Vec<_>>())?
        }
        (b"repeat", Some(count), None) => match usize::try_from(count) {
            Ok(count) => {
                machine.room(own.len().saturating_mul(count))?;
                machine.text(own.repeat(count))?
            }
            Err(_) => return Err(machine.thrown("java/lang/IllegalArgumentException")),
        },
        (b"toCharArray", None, None) => {
            let array = machine.array(b"[C", length)?;
            if let Val::Ref(Some(array)) = array
                && let Some(elements) = machine.heap.elements(array)
            {
                elements.iter_mut().zip(own).for_each(|(to, unit)| *to = Val::Int(i32::from(*unit)));
            }
            array
        }
        _ => return Ok(None),
    }))
}

/// A constructor of a string.
fn made(machine: &mut Machine<'_, '_>, member: &Member, object: Ref, args: &[Val]) -> Step<Known> {
    let made = match &*member.descriptor {
        b"()V" => Vec::new(),
        b"([C)V" | b"([CII)V" => {
            let Some(&Val::Ref(Some(array))) = args.get(1) else {
                return Err(machine.thrown("java/lang/NullPointerException"));
            };
            let Some(all) = units_of(machine, array) else { return Ok(None) };
            match (int(args, 2), int(args, 3)) {
                (Some(from), Some(count)) => part(machine, &all, from, from.saturating_add(count))?,
                _ => all,
            }
        }
        b"(Ljava/lang/String;)V" | b"(Ljava/lang/StringBuilder;)V" => match text(machine, args, 1) {
            Some(text) => text,
            None => return Err(machine.thrown("java/lang/NullPointerException")),
        },
        _ => return Ok(None),
    };
    machine.heap.get_mut(object).inner = Inner::Text(made.into());
    Ok(Some(None))
}

/// The characters of an array.
fn units_of(machine: &mut Machine<'_, '_>, array: Ref) -> Option<Vec<u16>> {
    let elements = machine.heap.elements(array)?;
    elements.iter().map(|value| if let Val::Int(unit) = value { Some(*unit as u16) } else { None }).collect()
}

/// A method of a builder.
pub fn of_builder(machine: &mut Machine<'_, '_>, member: &Member, object: Ref, args: &[Val]) -> Step<Known> {
    let ty = MethodType::parse(&member.descriptor);
    let first = ty.and_then(|ty| ty.parameters().next());
    match (&*member.name, args.get(1), first) {
        (b"<init>", Some(Val::Int(_)) | None, _) => return Ok(Some(None)),
        (b"append", Some(&Val::Ref(Some(array))), _) if machine.heap.elements(array).is_some() => {
            if args.len() > 2 {
                return Ok(None);
            }
            let Some(units) = units_of(machine, array) else { return Ok(None) };
            return appended(machine, object, &units);
        }
        (b"<init>" | b"append", Some(&value), Some(ty)) if args.len() == 2 => {
            if &*member.name == b"<init>" && value == Val::Ref(None) {
                return Err(machine.thrown("java/lang/NullPointerException"));
            }
            let text = texts::of(machine, value, ty)?;
            let known = appended(machine, object, &text)?;
            return Ok(if &*member.name == b"<init>" { Some(None) } else { known });
        }
        _ => {}
    }
    let Some(own) = machine.heap.text(object).map(<[u16]>::to_vec) else { return Ok(None) };
    machine.burn(own.len() / 8)?;
    match &*member.name {
        b"toString" if args.len() == 1 => machine.text(own).map(|text| Some(Some(text))),
        b"insert" => inserted(machine, member, object, (own, args)),
        b"reverse" | b"setLength" | b"setCharAt" | b"deleteCharAt" | b"delete" => {
            changed(machine, member, object, (own, args))
        }
        b"length" | b"charAt" | b"substring" | b"subSequence" | b"isEmpty" | b"indexOf" => {
            of_text_methods(machine, member, &own, args)
        }
        _ => Ok(None),
    }
}

/// A place in a text of this length.
fn bounded(at: i32, length: usize) -> Option<usize> {
    usize::try_from(at).ok().filter(|&at| at < length)
}

/// A builder gets another text.
fn set_text(machine: &mut Machine<'_, '_>, builder: Ref, text: Vec<u16>) {
    machine.heap.get_mut(builder).inner = Inner::Builder(text);
}

/// A method that changes the text of a builder, which it has to itself here.
fn changed(
    machine: &mut Machine<'_, '_>,
    member: &Member,
    object: Ref,
    (mut own, args): (Vec<u16>, &[Val]),
) -> Step<Known> {
    let gives = match (&*member.name, int(args, 1), int(args, 2)) {
        (b"reverse", None, None) if is_plain(&own) => {
            own.reverse();
            Some(args[0])
        }
        (b"setLength", Some(length), None) => {
            let Ok(length) = usize::try_from(length) else { return Err(out_of_bounds(machine)) };
            machine.room(length)?;
            own.resize(length, 0);
            None
        }
        (b"setCharAt", Some(at), Some(unit)) => {
            let Some(at) = bounded(at, own.len()) else { return Err(out_of_bounds(machine)) };
            own[at] = unit as u16;
            None
        }
        (b"deleteCharAt", Some(at), None) => {
            let Some(at) = bounded(at, own.len()) else { return Err(out_of_bounds(machine)) };
            own.remove(at);
            Some(args[0])
        }
        (b"delete", Some(from), Some(to)) => {
            let to = to.min(own.len() as i32);
            part(machine, &own, from, to)?;
            own.drain(from as usize..to as usize);
            Some(args[0])
        }
        _ => return Ok(None),
    };
    set_text(machine, object, own);
    Ok(Some(gives))
}

/// Inserts a value as a text.
fn inserted(
    machine: &mut Machine<'_, '_>,
    member: &Member,
    object: Ref,
    (mut own, args): (Vec<u16>, &[Val]),
) -> Step<Known> {
    let ty = MethodType::parse(&member.descriptor).and_then(|ty| ty.parameters().nth(1));
    let (Some(at), Some(&value), Some(ty)) = (int(args, 1), args.get(2), ty) else { return Ok(None) };
    if ty.element().is_some() {
        return Ok(None);
    }
    let text = texts::of(machine, value, ty)?;
    let Some(at) = bounded(at, own.len() + 1) else { return Err(out_of_bounds(machine)) };
    machine.room(text.len())?;
    own.splice(at..at, text);
    set_text(machine, object, own);
    Ok(Some(Some(args[0])))
}

/// Methods that builders have in common with strings.
fn of_text_methods(machine: &mut Machine<'_, '_>, member: &Member, own: &[u16], args: &[Val]) -> Step<Known> {
    match text(machine, args, 1) {
        Some(other) => Ok(Some(Some(place(find(own, &other, 0))))),
        None => characters(machine, member, own, args).map(|known| known.map(Some)),
    }
}

fn appended(machine: &mut Machine<'_, '_>, object: Ref, text: &[u16]) -> Step<Known> {
    machine.room(text.len())?;
    if let Inner::Builder(own) = &mut machine.heap.get_mut(object).inner {
        own.extend(text);
    }
    Ok(Some(Some(Val::Ref(Some(object)))))
}

/// A static method of `String`.
pub fn of_nobody(machine: &mut Machine<'_, '_>, member: &Member, args: &[Val]) -> Step<Known> {
    let ty = MethodType::parse(&member.descriptor);
    let first = ty.and_then(|ty| ty.parameters().next());
    match (&*member.name, args, first) {
        (b"valueOf" | b"copyValueOf", &[Val::Ref(Some(array))], Some(ty)) if ty.element().is_some() => {
            match units_of(machine, array) {
                Some(units) => machine.text(units).map(|text| Some(Some(text))),
                None => Ok(None),
            }
        }
        (
            b"format",
            &[Val::Ref(Some(format)), Val::Ref(Some(items))],
            Some(Type::Object(b"java/lang/String")),
        ) => formatted(machine, format, items),
        (b"valueOf", &[value], Some(ty)) if ty.element().is_none() => {
            let text = texts::of(machine, value, ty)?;
            machine.text(text).map(|text| Some(Some(text)))
        }
        _ => Ok(None),
    }
}

/// `String.format`: some text of the format and of what is put there, the same one for both programs.
fn formatted(machine: &mut Machine<'_, '_>, format: Ref, items: Ref) -> Step<Known> {
    let Some(mut text) = machine.heap.text(format).map(<[u16]>::to_vec) else { return Ok(None) };
    let Some(items) = machine.heap.elements(items).cloned() else { return Ok(None) };
    for item in items {
        text.extend(texts::units(", "));
        text.extend(texts::of(machine, item, Type::Object(b"java/lang/Object"))?);
    }
    machine.text(text).map(|text| Some(Some(text)))
}
