//! Class files of a program some of whose classes became one.
//!
//! Every class file gets new names for what it speaks of, as in renaming. Before that, calls that lead to the class above are
//! made to lead elsewhere, and lists of classes lose those that went. Then the members of classes that became one are moved
//! together, and the whole is verified.

use std::collections::BTreeMap;

use planish_base::Id;
use planish_classfile::compact::compact;
use planish_classfile::graft::graft;
use planish_classfile::pool::MemberKind;
use planish_classfile::rename::{NewNames, rename};
use planish_classfile::{Attribute, Body, ClassFile, Code, Error, Flags, Kind, MemberRef, Result};
use planish_jvm_ir::lower::Target;
use planish_jvm_model::hierarchy::Hierarchy;
use planish_jvm_model::program::{Class, Found, Program};
use planish_jvm_model::verify::verify;
use planish_jvm_model::vtype::TypeContext;

use super::calls::prepared;
use super::lines::Lines;
use super::members::Members;
use super::overloads::ClassNames;

/// By class that gets others those, the one at the top first.
type Groups = BTreeMap<Class, Vec<Class>>;

/// Frames are there for sure from this version on.
const FRAMES_SINCE: u16 = 51;

/// The bytes of a class that does not go, which becomes public perhaps; nothing if they stay what they are. O(size of it, and of
/// what becomes a part of it).
pub(super) fn written(
    program: &Program<'_>,
    class: Class,
    (into, groups, members, lines): (&[Option<Class>], &Groups, &Members, &Lines),
    becomes_public: bool,
) -> Result<Option<Vec<u8>>> {
    let names = Called { names: ClassNames { program, into }, members };
    let mut file = match groups.get(&class) {
        Some(sources) => united(program, (&names, lines), class, sources)?,
        None => {
            let mut file = program.classes[class].file.clone();
            let is_shorter = without_sources(&mut file, &names)?;
            if !rename(&mut file, &names)? && !is_shorter {
                return Ok(None);
            }
            file
        }
    };
    if becomes_public {
        file.flags = file.flags.with(Flags::PUBLIC);
    }
    compact(&mut file)?;
    file.to_bytes().map(Some)
}

/// The classes that would become a part of one which cannot be written, or does not verify. O(size of the groups).
pub(super) fn unwritten(
    program: &Program<'_>,
    into: &[Option<Class>],
    groups: &Groups,
    members: &Members,
) -> Vec<Class> {
    let names = Called { names: ClassNames { program, into }, members };
    let lines = Lines::default();
    let is_wrong = |(target, sources): &(&Class, &Vec<Class>)| {
        let made = united(program, (&names, &lines), **target, sources).and_then(|mut file| {
            compact(&mut file)?;
            let bytes = file.to_bytes()?;
            verified(&ClassFile::read(&bytes)?, program.hierarchy)
        });
        made.is_err()
    };
    groups.iter().filter(is_wrong).flat_map(|(_, sources)| sources.iter().copied()).collect()
}

/// What classes and members are called.
struct Called<'n, 'a> {
    names: ClassNames<'n, 'a>,
    members: &'n Members,
}

impl NewNames for Called<'_, '_> {
    fn class(&self, name: &[u8]) -> Option<&[u8]> {
        self.names.class(name)
    }

    fn member(&self, member: &MemberRef<'_>) -> Option<&[u8]> {
        let program = self.names.program;
        let id = program.hierarchy.lookup(member.class)?;
        let text: &[&[u8]] = match member.kind {
            MemberKind::Field => &[member.name, b":", member.descriptor],
            _ => &[member.name, member.descriptor],
        };
        let selector = program.selector(&text.concat())?;
        match member.kind {
            MemberKind::Field => match program.resolve_field(id, selector) {
                Found::Program(field) => self.members.fields[field.index()].as_deref(),
                _ => None,
            },
            _ => match program.resolve_method(id, selector) {
                Found::Program(method) => self.members.methods[method.index()].as_deref(),
                _ => None,
            },
        }
    }

    fn site(&self, _: &ClassFile<'_>, _: u16, _: &[u8], _: &[u8]) -> Option<&[u8]> {
        None
    }

    fn string(&self, _: &[u8]) -> Option<Vec<u8>> {
        None
    }
}

/// The class that others become a part of.
fn united<'a>(
    program: &Program<'a>,
    (names, lines): (&Called<'_, '_>, &Lines),
    target: Class,
    sources: &[Class],
) -> Result<ClassFile<'a>> {
    let group: Vec<Class> = sources.iter().copied().chain([target]).collect();
    let above = program.classes[group[0]].file.super_name()?.map(<[u8]>::to_vec);
    let is_above = |source: &Class| program.classes[target].supertypes.contains(&program.classes[*source].id);
    let is_vertical = sources.iter().any(is_above);
    let mut parts = Vec::with_capacity(group.len());
    for &class in &group {
        let mut file = prepared(program, class, &group, (names.members, lines))?;
        without_sources(&mut file, names)?;
        rename(&mut file, names)?;
        parts.push(file);
    }
    let mut file = parts.pop().ok_or_else(|| Error::unwritable("a class"))?;
    if is_vertical {
        let mut interfaces: Vec<Vec<u8>> = Vec::new();
        for part in parts.iter().chain([&file]) {
            for name in part.interface_names() {
                let name = name?.to_vec();
                if !interfaces.contains(&name) {
                    interfaces.push(name);
                }
            }
        }
        file.super_class = above.map_or(Ok(0), |above| file.pool.add_class(&above))?;
        file.interfaces = interfaces.iter().map(|name| file.pool.add_class(name)).collect::<Result<_>>()?;
        let pool = &file.pool;
        // It says what the class extends, by a type that it does not extend any more.
        file.attributes.retain(|attribute| attribute.kind(pool) != Ok(Some(Kind::Signature)));
    }
    for part in parts {
        take_lists(&mut file, &part)?;
        if !graft(&mut file, part)? {
            return Err(Error::unwritable("members without attributes that nobody knows"));
        }
    }
    Ok(file)
}

/// Takes over what a class says of the classes in it, and of its nest if it is the host.
fn take_lists(file: &mut ClassFile<'_>, part: &ClassFile<'_>) -> Result<()> {
    let own = file.name()?.to_vec();
    for attribute in &part.attributes {
        match attribute.decode(&part.pool)? {
            Some(Body::InnerClasses(rows)) => {
                let mut list = match file.attribute(Kind::InnerClasses) {
                    Some(list) => match list.decode(&file.pool)? {
                        Some(Body::InnerClasses(list)) => list,
                        _ => Vec::new(),
                    },
                    None => Vec::new(),
                };
                for mut row in rows {
                    let class = part.pool.class(row.class)?;
                    if list.iter().any(|known| file.pool.class(known.class) == Ok(class)) {
                        continue;
                    }
                    row.class = file.pool.add_class(class)?;
                    if row.outer != 0 {
                        row.outer = file.pool.add_class(part.pool.class(row.outer)?)?;
                    }
                    if row.name != 0 {
                        row.name = file.pool.add_utf8(part.pool.utf8(row.name)?)?;
                    }
                    list.push(row);
                }
                set(file, Kind::InnerClasses, &Body::InnerClasses(list))?;
            }
            Some(Body::NestMembers(members)) => {
                let mut left = Vec::with_capacity(members.len());
                for member in members {
                    let class = part.pool.class(member)?;
                    if class != own {
                        left.push(file.pool.add_class(class)?);
                    }
                }
                let pool = &file.pool;
                file.attributes.retain(|attribute| attribute.kind(pool) != Ok(Some(Kind::NestHost)));
                if !left.is_empty() {
                    set(file, Kind::NestMembers, &Body::NestMembers(left))?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Gives a class an attribute, in the place of the one that it has of this kind.
fn set(file: &mut ClassFile<'_>, kind: Kind, body: &Body<'_>) -> Result<()> {
    let pool = &mut file.pool;
    for attribute in &mut file.attributes {
        if attribute.kind(pool)? == Some(kind) {
            return attribute.replace(body);
        }
    }
    let attribute = Attribute::new(pool, body)?;
    file.attributes.push(attribute);
    Ok(())
}

/// Takes classes that become a part of others out of the lists of a class. Whether there were any.
fn without_sources(file: &mut ClassFile<'_>, names: &Called<'_, '_>) -> Result<bool> {
    let pool = &file.pool;
    let new = |index: u16| pool.class(index).ok().and_then(|name| names.class(name));
    let last = |index: u16| new(index).or(pool.class(index).ok());
    let own = names.class(file.name()?).unwrap_or(file.name()?).to_vec();
    let (mut is_changed, mut removed) = (false, Vec::new());
    for (at, attribute) in file.attributes.iter_mut().enumerate() {
        let Some(kind) = attribute.kind(pool)? else { continue };
        let lists = [Kind::InnerClasses, Kind::NestMembers, Kind::PermittedSubclasses, Kind::EnclosingMethod];
        if !lists.contains(&kind) {
            continue;
        }
        let Some(mut body) = attribute.decode(pool)? else { continue };
        let (before, left) = match &mut body {
            Body::InnerClasses(list) => {
                let before = list.len();
                list.retain(|row| {
                    new(row.class).is_none() && (row.outer == 0 || last(row.class) != last(row.outer))
                });
                (before, list.len())
            }
            Body::NestMembers(list) => {
                let before = list.len();
                list.retain(|&index| new(index).is_none());
                (before, list.len())
            }
            Body::PermittedSubclasses(list) => {
                let before = list.len();
                let all = list.clone();
                let is_there = |index: u16| all.iter().any(|&other| pool.class(other).ok() == new(index));
                list.retain(|&index| new(index).is_none() || !is_there(index));
                (before, list.len())
            }
            Body::EnclosingMethod { class, .. } => (1, usize::from(last(*class) != Some(&own[..]))),
            _ => continue,
        };
        if left == before {
            continue;
        }
        is_changed = true;
        match left {
            0 => removed.push(at),
            _ => {
                let mut content = Vec::new();
                body.write(&mut content)?;
                attribute.content = content.into();
            }
        }
    }
    for at in removed.into_iter().rev() {
        file.attributes.remove(at);
    }
    Ok(is_changed)
}

/// Asks the verifier about all methods of a class that says the types at branch targets.
fn verified(file: &ClassFile<'_>, hierarchy: &Hierarchy) -> Result<()> {
    if file.major < FRAMES_SINCE {
        return Ok(());
    }
    let mut context = TypeContext::new(hierarchy);
    context.begin_class(&file.pool);
    let (class, super_class) = (file.name()?, file.super_name()?);
    for method in &file.methods {
        let Some(attribute) = method.attribute(&file.pool, Kind::Code) else { continue };
        let Some(Body::Code(bytes)) = attribute.decode(&file.pool)? else { continue };
        let code = Code::read(&bytes, &file.pool)?;
        let (name, descriptor) = (file.pool.utf8(method.name)?, file.pool.utf8(method.descriptor)?);
        let is_static = method.flags.has(Flags::STATIC);
        let target = Target { class, super_class, name, descriptor, is_static };
        verify(&code, &target.info(&file.pool), &mut context)
            .map_err(|error| Error::unwritable(format!("a body that verifies: {}", error.message)))?;
    }
    Ok(())
}
