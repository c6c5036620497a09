//! Call sites that a bootstrap method links: function objects, joined strings, methods of records.

use std::rc::Rc;

use planish_classfile::descriptor::{MethodType, Type};
use planish_classfile::mutf8::to_utf16;

use super::classes::{Class, Loadable};
use super::machine::{Machine, Step, Stop, shown};
use super::values::{Inner, Lambda, Member, Ref, Val};
use super::{numbers, texts};

/// What stands for an argument and for a constant in the recipe of a joined string.
const ARGUMENT: u16 = 1;
const CONSTANT: u16 = 2;

/// What a call site gives.
pub fn link(machine: &mut Machine<'_, '_>, class: &Rc<Class>, index: u16, args: Vec<Val>) -> Step<Val> {
    let constant = |index: u16| class.constants.get(usize::from(index));
    let unknown = || Stop::Unknown("a call site of another kind".to_owned());
    let Some(Loadable::Dynamic(place, name, descriptor)) = constant(index) else { return Err(unknown()) };
    let bootstrap = class.bootstraps.get(usize::from(*place)).ok_or_else(unknown)?;
    let Some(Loadable::Handle(_, method)) = constant(bootstrap.handle) else { return Err(unknown()) };
    match (&*method.class, &*method.name) {
        (b"java/lang/invoke/LambdaMetafactory", b"metafactory" | b"altMetafactory") => {
            let [takes, target, ..] = bootstrap.arguments[..] else { return Err(unknown()) };
            let (Some(Loadable::Type(takes)), Some(Loadable::Handle(kind, target))) =
                (constant(takes), constant(target))
            else {
                return Err(unknown());
            };
            let ty = MethodType::parse(descriptor).ok_or_else(unknown)?;
            let Some(Type::Object(interface)) = ty.result() else { return Err(unknown()) };
            let lambda = Lambda {
                method: name.clone(),
                descriptor: takes.clone(),
                kind: *kind,
                target: target.clone(),
                captured: args,
            };
            let interface = machine.classes.name(interface);
            Ok(Val::Ref(Some(machine.heap.make(interface, Inner::Lambda(Rc::new(lambda))))))
        }
        (b"java/lang/invoke/StringConcatFactory", b"makeConcat" | b"makeConcatWithConstants") => {
            let recipe = match bootstrap.arguments.first().and_then(|&index| constant(index)) {
                Some(Loadable::Text(text)) => to_utf16(text).ok_or_else(unknown)?,
                _ => vec![ARGUMENT; args.len()],
            };
            let ty = MethodType::parse(descriptor).ok_or_else(unknown)?;
            let mut args = args.into_iter().zip(ty.parameters());
            let mut constants = bootstrap.arguments.iter().skip(1);
            let mut joined = Vec::new();
            for unit in recipe {
                match unit {
                    ARGUMENT => {
                        let (value, ty) = args.next().ok_or_else(unknown)?;
                        joined.extend(texts::of(machine, value, ty)?);
                    }
                    CONSTANT => match constants.next().and_then(|&index| constant(index)) {
                        Some(Loadable::Text(text)) => joined.extend(to_utf16(text).ok_or_else(unknown)?),
                        _ => return Err(unknown()),
                    },
                    unit => joined.push(unit),
                }
            }
            machine.text(joined)
        }
        (b"java/lang/runtime/ObjectMethods", b"bootstrap") => {
            let component = |&index: &u16| match constant(index) {
                Some(Loadable::Handle(_, member)) => Some(member.clone()),
                _ => None,
            };
            let components: Option<Vec<_>> = bootstrap.arguments.iter().skip(2).map(component).collect();
            of_record(machine, name, &components.ok_or_else(unknown)?, &args)
        }
        _ => Err(Stop::Unknown(format!("call sites of {} are not known", shown(&method.class)))),
    }
}

/// `toString`, `hashCode` or `equals` of a record with these fields.
fn of_record(machine: &mut Machine<'_, '_>, name: &[u8], fields: &[Rc<Member>], args: &[Val]) -> Step<Val> {
    let unknown = || Stop::Unknown("a method of a record of another kind".to_owned());
    let Some(&Val::Ref(Some(own))) = args.first() else { return Err(unknown()) };
    let class = machine.heap.get(own).class.clone();
    let read = |machine: &mut Machine<'_, '_>, of: Ref, field: &Member| {
        let (_, id) = machine.classes.field(field).ok_or_else(unknown)?;
        let value = machine.heap.get(of).fields.get(&id).copied();
        Ok(value.unwrap_or_else(|| Val::zero(&field.descriptor)))
    };
    if name == b"equals" {
        let Some(&Val::Ref(other)) = args.get(1) else { return Err(unknown()) };
        let Some(other) = other.filter(|&other| machine.heap.get(other).class == class) else {
            return Ok(Val::Int(0));
        };
        for field in fields {
            let (left, right) = (read(machine, own, field)?, read(machine, other, field)?);
            if !numbers::equal(machine, left, right)? {
                return Ok(Val::Int(0));
            }
        }
        return Ok(Val::Int(1));
    }
    let mut hash = 0i32;
    let mut text = match class.iter().rposition(|byte| matches!(byte, b'/' | b'$')) {
        Some(at) => texts::units(&shown(&class[at + 1..])),
        None => texts::units(&shown(&class)),
    };
    text.extend(texts::units("["));
    for (place, field) in fields.iter().enumerate() {
        let value = read(machine, own, field)?;
        if name == b"hashCode" {
            hash = hash.wrapping_mul(31).wrapping_add(numbers::hash_of(machine, value, &field.descriptor)?);
            continue;
        }
        let comma = if place > 0 { ", " } else { "" };
        text.extend(texts::units(&format!("{comma}{}=", String::from_utf8_lossy(&field.name))));
        let ty = Type::parse(&field.descriptor).ok_or_else(unknown)?;
        text.extend(texts::of(machine, value, ty)?);
    }
    text.extend(texts::units("]"));
    match name {
        b"hashCode" => Ok(Val::Int(hash)),
        _ => machine.text(text),
    }
}
