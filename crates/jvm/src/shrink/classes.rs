//! Shrinking, as ProGuard and R8 call it: a class file without the members, attributes and constants that are not
//! needed.
//!
//! A method that has to be there but cannot run keeps its name, since the JVM looks it up, and throws
//! null instead of what it did. Attributes that list classes lose those that went, and classes implement what is above
//! an interface that went; the constant pool is compacted at the end.

use planish_classfile::compact::compact;
use planish_classfile::{Body, ClassFile, Code, Flags, Insn, Kind, Opcode, Result};
use planish_jvm_analysis::reach::Reach;
use planish_jvm_model::program::{Class, Method};

/// How many members a class had and has.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Shrunk {
    /// Methods before and after.
    pub methods: (u64, u64),
    /// Fields before and after.
    pub fields: (u64, u64),
    /// Methods whose body went, since they cannot run.
    pub emptied: u64,
    /// Whether calls lead elsewhere than before, or somebody else may call what the class has: then it is written,
    /// even if it is not smaller.
    pub must_change: bool,
}

impl Shrunk {
    /// Adds what became of another class.
    pub fn add(&mut self, other: Shrunk) {
        for (pair, more) in [(&mut self.methods, other.methods), (&mut self.fields, other.fields)] {
            pair.0 += more.0;
            pair.1 += more.1;
        }
        self.emptied += other.emptied;
        self.must_change |= other.must_change;
    }

    /// A class keeps so many methods and fields.
    pub fn copies(&mut self, methods: u64, fields: u64) {
        for (pair, count) in [(&mut self.methods, methods), (&mut self.fields, fields)] {
            pair.0 += count;
            pair.1 += count;
        }
    }
}

/// The class without what nothing needs, and how many members it had and has. The class must be needed.
pub fn shrink_class(reach: &Reach<'_, '_>, class: Class) -> Result<(Vec<u8>, Shrunk)> {
    let mut counts = Shrunk::default();
    let own = &reach.program.classes[class];
    let mut file = own.file.clone();
    counts.methods.0 += own.methods.len() as u64;
    counts.fields.0 += own.fields.len() as u64;
    let mut place = 0;
    file.methods.retain(|_| {
        place += 1;
        reach.is_declared(own.methods[place - 1])
    });
    let mut place = 0;
    file.fields.retain(|_| {
        place += 1;
        reach.is_field_needed(own.fields[place - 1])
    });
    let kept = own.methods.iter().copied().filter(|&method| reach.is_declared(method));
    let kept: Vec<Method> = kept.collect();
    for (place, &method) in kept.iter().enumerate() {
        if !reach.is_live(method) && empty(&mut file, place)? {
            counts.emptied += 1;
        }
        without_classes(reach, &mut file, Place::Method(place))?;
        if reach.identical.is_widened(method) {
            file.methods[place].flags = file.methods[place].flags.without(Flags::PRIVATE);
            counts.must_change = true;
        }
    }
    let left = own.fields.iter().copied().filter(|&field| reach.is_field_needed(field));
    for (place, _) in left.enumerate().filter(|&(_, field)| reach.finals.has_field(field)) {
        file.fields[place].flags = file.fields[place].flags.with(Flags::FINAL);
        counts.must_change = true;
    }
    if reach.finals.has_class(class) {
        file.flags = file.flags.with(Flags::FINAL);
        counts.must_change = true;
    }
    counts.must_change |= reach.identical.redirect_calls(reach.program, &mut file)?;
    without_classes(reach, &mut file, Place::Class)?;
    without_interfaces(reach, &mut file)?;
    counts.methods.1 += file.methods.len() as u64;
    counts.fields.1 += file.fields.len() as u64;
    compact(&mut file)?;
    Ok((file.to_bytes()?, counts))
}

/// Whether a class implements an interface that is not needed: without it the class may be larger.
pub fn implements_what_went(reach: &Reach<'_, '_>, class: Class) -> bool {
    let program = reach.program;
    let is_gone = |name: &[u8]| program.class_named(name).is_some_and(|class| !reach.is_needed(class));
    program.classes[class].file.interface_names().any(|name| name.is_ok_and(is_gone))
}

/// Gives a method that cannot run the shortest body there is. `false` if it has none.
fn empty(file: &mut ClassFile<'_>, place: usize) -> Result<bool> {
    let method = &file.methods[place];
    if method.flags.any(Flags::ABSTRACT | Flags::NATIVE) {
        return Ok(false);
    }
    let is_code = |kind: Option<Kind>| kind == Some(Kind::Code);
    let Some(at) = method.attributes.iter().position(|a| a.kind(&file.pool).is_ok_and(is_code)) else {
        return Ok(false);
    };
    let Some(Body::Code(old)) = method.attributes[at].decode(&file.pool)? else { return Ok(false) };
    if old.code.len() <= 2 {
        return Ok(false);
    }
    let instructions = vec![Insn::plain(Opcode::AconstNull), Insn::plain(Opcode::Athrow)];
    let code = Code { max_stack: 1, max_locals: old.max_locals, instructions, ..Code::default() };
    let mut content = Vec::new();
    code.write(&mut content)?;
    file.methods[place].attributes[at].content = content.into();
    file.methods[place].flags = file.methods[place].flags.without(Flags::SYNCHRONIZED);
    Ok(true)
}

/// Puts the interfaces above those that are not needed in their place.
fn without_interfaces(reach: &Reach<'_, '_>, file: &mut ClassFile<'_>) -> Result<()> {
    let program = reach.program;
    let gone = |name: &[u8]| program.class_named(name).filter(|&class| !reach.is_needed(class));
    let names: Vec<Vec<u8>> =
        file.interface_names().map(|name| name.map(<[u8]>::to_vec)).collect::<Result<_>>()?;
    if !names.iter().any(|name| gone(name).is_some()) {
        return Ok(());
    }
    let mut left: Vec<Vec<u8>> = Vec::new();
    let mut work: Vec<Vec<u8>> = names.into_iter().rev().collect();
    while let Some(name) = work.pop() {
        match gone(&name) {
            Some(class) => {
                let above: Vec<&[u8]> =
                    program.classes[class].file.interface_names().collect::<Result<_>>()?;
                work.extend(above.into_iter().rev().map(<[u8]>::to_vec));
            }
            None if left.contains(&name) => {}
            None => left.push(name),
        }
    }
    file.interfaces = left.iter().map(|name| file.pool.add_class(name)).collect::<Result<_>>()?;
    Ok(())
}

/// Whose attributes are looked at.
enum Place {
    Class,
    Method(usize),
}

/// Takes classes that are not needed out of the attributes that list classes.
fn without_classes(reach: &Reach<'_, '_>, file: &mut ClassFile<'_>, place: Place) -> Result<()> {
    let pool = &file.pool;
    let is_gone = |index: u16| {
        pool.class(index).is_ok_and(|name| {
            name.first() != Some(&b'[')
                && reach.program.class_named(name).is_some_and(|class| !reach.is_needed(class))
        })
    };
    let attributes = match place {
        Place::Class => &mut file.attributes,
        Place::Method(place) => &mut file.methods[place].attributes,
    };
    let mut removed = Vec::new();
    for (at, attribute) in attributes.iter_mut().enumerate() {
        let kind = attribute.kind(pool)?;
        let lists = [
            Kind::Exceptions,
            Kind::InnerClasses,
            Kind::NestMembers,
            Kind::PermittedSubclasses,
            Kind::EnclosingMethod,
        ];
        if !kind.is_some_and(|kind| lists.contains(&kind)) {
            continue;
        }
        let Some(mut body) = attribute.decode(pool)? else { continue };
        let left = match &mut body {
            Body::Exceptions(list) | Body::NestMembers(list) | Body::PermittedSubclasses(list) => {
                let before = list.len();
                list.retain(|&index| !is_gone(index));
                (list.len() != before).then_some(list.len())
            }
            Body::InnerClasses(list) => {
                let before = list.len();
                list.retain(|item| !is_gone(item.class) && !is_gone(item.outer));
                (list.len() != before).then_some(list.len())
            }
            Body::EnclosingMethod { class, method } => {
                if is_gone(*class) {
                    Some(0)
                } else {
                    // Where the method went, reflection says that there is none.
                    let name = pool.class(*class)?;
                    let gone = *method != 0 && {
                        let (name_of, descriptor) = pool.name_and_type(*method)?;
                        let text = [name_of, descriptor].concat();
                        reach.program.class_named(name).is_some_and(|class| {
                            reach
                                .program
                                .selector(&text)
                                .and_then(|selector| reach.program.declared_method(class, selector))
                                .is_none_or(|method| !reach.is_declared(method))
                        })
                    };
                    if gone {
                        *method = 0;
                    }
                    gone.then_some(1)
                }
            }
            _ => None,
        };
        match left {
            None => {}
            Some(0) => removed.push(at),
            Some(_) => {
                let mut content = Vec::new();
                body.write(&mut content)?;
                attribute.content = content.into();
            }
        }
    }
    for at in removed.into_iter().rev() {
        attributes.remove(at);
    }
    Ok(())
}
