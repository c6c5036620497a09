//! The summary that is committed: whole, closed under "extends", and what programs ask of it.

use std::collections::BTreeMap;

use planish_base::Budget;
use planish_classfile::{ClassFile, Flags};
use planish_jdk::archive;

/// Class files by name.
fn classes() -> BTreeMap<Vec<u8>, Vec<u8>> {
    let mut budget = Budget::new("bytes", 1 << 26);
    let content = |entry: &planish_classfile::zip::Entry| {
        let name = entry.name.strip_suffix(b".class").expect("it has classes only").to_vec();
        (name, entry.content(&mut budget).expect("it is whole").into_owned())
    };
    archive().entries.iter().map(content).collect()
}

#[test]
fn every_class_can_be_read_and_those_above_it_are_there() {
    let classes = classes();
    assert!(classes.len() > 4_000, "{}", classes.len());
    for (name, bytes) in &classes {
        let file = ClassFile::read(bytes).unwrap();
        assert_eq!(file.name().unwrap(), &name[..]);
        let above = file.interface_names().map(Result::unwrap).chain(file.super_name().unwrap());
        for above in above {
            assert!(classes.contains_key(above), "{}", String::from_utf8_lossy(above));
        }
    }
}

#[test]
fn hidden_classes_between_public_ones_are_there() {
    let classes = classes();
    let builder = ClassFile::read(&classes[&b"java/lang/StringBuilder"[..]]).unwrap();
    assert_eq!(builder.super_name().unwrap(), Some(&b"java/lang/AbstractStringBuilder"[..]));
    let hidden = ClassFile::read(&classes[&b"java/lang/AbstractStringBuilder"[..]]).unwrap();
    assert!(!hidden.flags.has(Flags::PUBLIC));
}

#[test]
fn methods_that_may_be_overridden_are_there_and_bodies_are_not() {
    let classes = classes();
    let reader = ClassFile::read(&classes[&b"java/io/Reader"[..]]).unwrap();
    let read = reader.method(b"read", b"([CII)I").unwrap();
    assert!(read.flags.has(Flags::ABSTRACT) && read.attributes.is_empty());
    let list = ClassFile::read(&classes[&b"java/util/ArrayList"[..]]).unwrap();
    assert!(list.method(b"add", b"(Ljava/lang/Object;)Z").is_some());
    assert!(list.methods.iter().all(|method| !method.flags.has(Flags::PRIVATE)));
}
