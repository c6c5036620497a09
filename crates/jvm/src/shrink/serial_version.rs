//! Default `serialVersionUID` (Java Object Serialization Specification, 4.6): the version of a serializable class that
//! states none.
//!
//! Serialization takes a class that it reads for another one than that which was written if their versions differ. What
//! does not state `serialVersionUID` has the start of a SHA-1 of its name, its interfaces and its members that are not
//! private (*Java Object Serialization Specification*, 4.6). So a class of which members went, or that got variants,
//! would no longer read what was written before. It has the old version once it says so.

use std::borrow::Cow;

use planish_classfile::{Attribute, Body, ClassFile, Constant, Flags, Kind, Member, Result};
use sha1::{Digest, Sha1};

const NAME: &[u8] = b"serialVersionUID";

/// The modifiers that count, as in `java.lang.reflect.Modifier`.
const OF_CLASSES: u16 = Flags::PUBLIC.0 | Flags::FINAL.0 | Flags::INTERFACE.0 | Flags::ABSTRACT.0;
const OF_ALL: u16 =
    Flags::PUBLIC.0 | Flags::PRIVATE.0 | Flags::PROTECTED.0 | Flags::STATIC.0 | Flags::FINAL.0;
const OF_FIELDS: u16 = OF_ALL | Flags::VOLATILE.0 | Flags::TRANSIENT.0;
const OF_METHODS: u16 =
    OF_ALL | Flags::SYNCHRONIZED.0 | Flags::NATIVE.0 | Flags::ABSTRACT.0 | Flags::STRICT.0;

/// The version that is computed of a class that is serializable. Nothing if it says one, and for classes whose versions
/// nobody compares: interfaces, enums and records.
pub fn computed_version(file: &ClassFile<'_>) -> Result<Option<i64>> {
    let pool = &file.pool;
    let is_enum = file.flags.has(Flags::ENUM) || file.super_name()? == Some(b"java/lang/Enum");
    if is_enum || file.flags.has(Flags::INTERFACE) || file.attribute(Kind::Record).is_some() {
        return Ok(None);
    }
    for field in &file.fields {
        if pool.utf8(field.name)? == NAME && field.flags.has(Flags::STATIC | Flags::FINAL) {
            return Ok(None);
        }
    }
    let mut text = Text::default();
    text.utf(file.name()?);
    text.int(modifiers(file)? & OF_CLASSES);
    let mut interfaces: Vec<Vec<u8>> =
        file.interface_names().map(|name| name.map(dotted)).collect::<Result<_>>()?;
    interfaces.sort_unstable();
    interfaces.iter().for_each(|name| text.utf(name));

    let mut fields = members(file, &file.fields)?;
    fields.sort_by_key(|&(name, ..)| name);
    for (name, descriptor, flags) in fields {
        if !flags.has(Flags::PRIVATE) || !flags.any(Flags::STATIC | Flags::TRANSIENT) {
            text.utf_as_is(name);
            text.int(flags.0 & OF_FIELDS);
            text.utf_as_is(descriptor);
        }
    }
    let mut methods = members(file, &file.methods)?;
    // The initializer comes first, then constructors, then the rest.
    let rank = |name: &[u8]| match name {
        b"<clinit>" => 0,
        b"<init>" => 1,
        _ => 2,
    };
    methods.sort_by_key(|&(name, descriptor, _)| (rank(name), name, descriptor));
    for (name, descriptor, flags) in methods {
        if name == b"<clinit>" {
            text.utf_as_is(name);
            text.int(Flags::STATIC.0);
            text.utf_as_is(descriptor);
        } else if !flags.has(Flags::PRIVATE) {
            text.utf_as_is(name);
            text.int(flags.0 & OF_METHODS);
            text.utf(descriptor);
        }
    }
    let digest = Sha1::digest(&text.0);
    let start = digest.first_chunk::<8>().expect("a digest has 20 bytes");
    Ok(Some(i64::from_le_bytes(*start)))
}

/// The version that a class says, if that is a constant.
pub fn stated_version(file: &ClassFile<'_>) -> Result<Option<i64>> {
    for field in &file.fields {
        if file.pool.utf8(field.name)? != NAME || !field.flags.has(Flags::STATIC | Flags::FINAL) {
            continue;
        }
        let Some(value) = field.attribute(&file.pool, Kind::ConstantValue) else { continue };
        if let Some(Body::ConstantValue(index)) = value.decode(&file.pool)?
            && let Constant::Long(version) = file.pool.get(index)?
        {
            return Ok(Some(version));
        }
    }
    Ok(None)
}

/// A class that says this version.
pub fn with_version(file: &mut ClassFile<'_>, version: i64) -> Result<()> {
    let place = file.add_field(Flags::PRIVATE | Flags::STATIC | Flags::FINAL, NAME, b"J")?;
    let value = Body::ConstantValue(file.pool.add(Constant::Long(version))?);
    let attribute = Attribute::new(&mut file.pool, &value)?;
    file.fields[place].attributes.push(attribute);
    Ok(())
}

/// The modifiers of a class: those of an inner class stand in the list of inner classes.
fn modifiers(file: &ClassFile<'_>) -> Result<u16> {
    let own = file.name()?;
    if let Some(attribute) = file.attribute(Kind::InnerClasses)
        && let Some(Body::InnerClasses(list)) = attribute.decode(&file.pool)?
    {
        for item in list {
            if file.pool.class(item.class)? == own {
                return Ok(item.flags.0);
            }
        }
    }
    Ok(file.flags.0)
}

/// The name, descriptor and modifiers of a member.
type Parts<'f> = (&'f [u8], &'f [u8], Flags);

fn members<'f>(file: &'f ClassFile<'_>, members: &'f [Member<'_>]) -> Result<Vec<Parts<'f>>> {
    let parts = |member: &'f Member<'_>| {
        Ok((file.pool.utf8(member.name)?, file.pool.utf8(member.descriptor)?, member.flags))
    };
    members.iter().map(parts).collect()
}

/// A name as Java shows it.
fn dotted(name: &[u8]) -> Vec<u8> {
    name.iter().map(|&byte| if byte == b'/' { b'.' } else { byte }).collect()
}

/// What `DataOutputStream` writes.
#[derive(Default)]
struct Text(Vec<u8>);

impl Text {
    fn utf(&mut self, text: &[u8]) {
        let text: Cow<'_, [u8]> = if text.contains(&b'/') { dotted(text).into() } else { text.into() };
        self.utf_as_is(&text);
    }

    /// A text in the encoding that class files have as well.
    fn utf_as_is(&mut self, text: &[u8]) {
        self.0.extend((text.len() as u16).to_be_bytes());
        self.0.extend(text);
    }

    fn int(&mut self, value: u16) {
        self.0.extend(u32::from(value).to_be_bytes());
    }
}
