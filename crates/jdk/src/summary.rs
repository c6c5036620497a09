//! Making a summary of an image: which classes, and what of them.
//!
//! Programs may speak of the public and protected classes of packages that a module exports to all. Joins of types
//! lead to the classes above these, which may be hidden ones (`AbstractStringBuilder`), so they come along. Of a
//! class remain its flags, its name, what it extends, and the members that are not private: whoever overrides a
//! method that only its package sees has to be known as well.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use planish_classfile::jimage::{Image, Resource};
use planish_classfile::zip::{Archive, DosTime, Entry, Method};
use planish_classfile::{Body, ClassFile, Error, Flags, Kind, Result};

/// As many bytes as a summary may take in memory; that of JDK 17 takes 4 MB.
const MOST: u64 = 1 << 26;

/// A class file without bodies, private members and attributes.
pub fn head(file: &ClassFile<'_>) -> Result<Vec<u8>> {
    let mut head = ClassFile::new(file.major, file.flags, file.name()?, file.super_name()?)?;
    for interface in file.interface_names() {
        let interface = head.pool.add_class(interface?)?;
        head.interfaces.push(interface);
    }
    let is_seen = |flags: Flags| !flags.has(Flags::PRIVATE);
    for field in file.fields.iter().filter(|field| is_seen(field.flags)) {
        head.add_field(field.flags, file.pool.utf8(field.name)?, file.pool.utf8(field.descriptor)?)?;
    }
    for method in file.methods.iter().filter(|method| is_seen(method.flags)) {
        let (name, descriptor) = (file.pool.utf8(method.name)?, file.pool.utf8(method.descriptor)?);
        head.add_method(method.flags, name, descriptor, None)?;
    }
    head.to_bytes()
}

/// The summary of an image, for [`unpack`]. O(bytes of the image).
pub fn summarize(image: &Image) -> Result<Vec<u8>> {
    let exported = exported(image)?;
    let classes: BTreeMap<Vec<u8>, Resource<'_>> =
        image.classes()?.into_iter().filter_map(|class| Some((class.class_name()?, class))).collect();
    let mut heads = BTreeMap::new();
    let mut wanted = Vec::new();
    for (name, resource) in &classes {
        let is_exported = exported.contains(&(resource.module.to_vec(), resource.parent.to_vec()));
        if is_exported && ClassFile::read(image.content(resource)?)?.flags.has(Flags::PUBLIC) {
            wanted.push(name.clone());
        }
    }
    while let Some(name) = wanted.pop() {
        let Some(resource) = classes.get(&name).filter(|_| !heads.contains_key(&name)) else { continue };
        let file = ClassFile::read(image.content(resource)?)?;
        wanted.extend(file.super_name()?.map(<[u8]>::to_vec));
        for interface in file.interface_names() {
            wanted.push(interface?.to_vec());
        }
        heads.insert(name, head(&file)?);
    }
    let entry = |(name, head): (&Vec<u8>, &Vec<u8>)| {
        Entry::new(&[name, &b".class"[..]].concat(), DosTime::EPOCH, head, Method::Stored)
    };
    let archive = Archive { entries: heads.iter().map(entry).collect(), ..Archive::default() };
    let mut bytes = Vec::new();
    archive.write(&mut bytes)?;
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
    let written = packed.write_all(&bytes).and_then(|()| packed.finish());
    written.map_err(|error| Error::at(0, format!("room for a summary: {error}")))
}

/// The packages that modules export to all: module and package.
fn exported(image: &Image) -> Result<BTreeSet<(Vec<u8>, Vec<u8>)>> {
    let mut exported = BTreeSet::new();
    for resource in image.resources() {
        let resource = resource?;
        if resource.base != b"module-info" || resource.extension != b"class" {
            continue;
        }
        let file = ClassFile::read(image.content(&resource)?)?;
        let Some(attribute) = file.attribute(Kind::Module) else { continue };
        if let Some(Body::Module(module)) = attribute.decode(&file.pool)? {
            for access in module.exports.iter().filter(|access| access.to.is_empty()) {
                let package = file.pool.package(access.package)?.to_vec();
                exported.insert((resource.module.to_vec(), package));
            }
        }
    }
    Ok(exported)
}

/// The archive that a summary is.
pub fn unpack(summary: &[u8]) -> Result<Archive> {
    let mut bytes = Vec::new();
    let unpacked = ZlibDecoder::new(summary).take(MOST).read_to_end(&mut bytes);
    unpacked.map_err(|error| Error::at(0, format!("a summary: {error}")))?;
    Archive::read(bytes)
}
