//! Malformed class files give an error with an offset: no panic, no hang, no large allocation.

mod common;

use std::time::{Duration, Instant};

use planish_classfile::compact::compact;
use planish_classfile::{Attribute, Body, ClassFile, Code, ConstantPool};

/// Decodes whatever can be decoded, going on after errors.
fn exercise(bytes: &[u8]) -> bool {
    let class = match ClassFile::read(bytes) {
        Ok(class) => class,
        Err(error) => {
            assert!(error.offset().is_some_and(|offset| offset <= bytes.len()), "{error}");
            return false;
        }
    };
    let mut well_formed = class.check().is_ok();
    // Numbers that no constant has are an error, too.
    let _ = compact(&mut class.clone());
    assert_eq!(class.to_bytes().unwrap(), bytes, "what is read is written with the same bytes");
    for member in class.fields.iter().chain(&class.methods) {
        well_formed &= attributes(&member.attributes, &class.pool, 0);
    }
    well_formed & attributes(&class.attributes, &class.pool, 0)
}

fn attributes(list: &[Attribute<'_>], pool: &ConstantPool<'_>, depth: u32) -> bool {
    let mut all = true;
    for attribute in list {
        let body = match attribute.decode(pool) {
            Ok(Some(body)) => body,
            Ok(None) => continue,
            Err(error) => {
                assert!(error.offset().is_some());
                all = false;
                continue;
            }
        };
        let mut out = Vec::new();
        body.write(&mut out).unwrap();
        assert_eq!(out, *attribute.content, "what is decoded is encoded with the same bytes");
        match &body {
            Body::Code(bytes) => {
                if let Ok(code) = Code::read(bytes, pool) {
                    code.clone().compute_limits(1, pool).ok();
                    code.write(&mut Vec::new()).unwrap();
                }
                if depth < 2 {
                    all &= attributes(&bytes.attributes, pool, depth + 1);
                }
            }
            Body::Record(components) if depth < 2 => {
                for component in components {
                    all &= attributes(&component.attributes, pool, depth + 1);
                }
            }
            _ => {}
        }
    }
    all
}

#[test]
fn every_truncation_is_refused() {
    for bytes in [common::ordinary(), common::every_attribute()] {
        exercise(&bytes);
        for len in 0..bytes.len() {
            assert!(ClassFile::read(&bytes[..len]).is_err(), "{len} bytes");
        }
        let longer = [&bytes[..], &[0]].concat();
        let error = ClassFile::read(&longer).unwrap_err();
        assert_eq!(error.offset(), Some(bytes.len()));
    }
}

#[test]
fn every_single_byte_can_be_wrong() {
    for bytes in [common::ordinary(), common::every_attribute()] {
        let mut refused = 0;
        for at in 0..bytes.len() {
            for change in [0x01, 0x80, 0xff] {
                let mut bytes = bytes.clone();
                bytes[at] ^= change;
                refused += u32::from(!exercise(&bytes));
            }
        }
        assert!(
            refused as usize > bytes.len() / 4,
            "{refused} changes of {} bytes were noticed",
            bytes.len()
        );
    }
}

/// Numbers from a fixed seed (xorshift, Marsaglia 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

#[test]
fn random_mutations_give_an_error_or_a_class() {
    let inputs = [common::ordinary(), common::every_attribute()];
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let start = Instant::now();
    let mut rounds = 0;
    while start.elapsed() < Duration::from_secs(1) {
        let mut bytes = inputs[random.below(inputs.len())].clone();
        for _ in 0..=random.below(6) {
            let at = random.below(bytes.len());
            match random.below(6) {
                0 => bytes.truncate(at + 1),
                1 => bytes.insert(at, random.below(256) as u8),
                2 => {
                    bytes.remove(at);
                    bytes.push(0);
                }
                3 => {
                    // A length or count that lies.
                    let lie = [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffffu32][random.below(5)];
                    for (place, byte) in bytes[at..].iter_mut().zip(lie.to_be_bytes()) {
                        *place = byte;
                    }
                }
                _ => bytes[at] = random.below(256) as u8,
            }
        }
        exercise(&bytes);
        rounds += 1;
    }
    assert!(rounds > 100, "only {rounds} mutations in a second");
}
