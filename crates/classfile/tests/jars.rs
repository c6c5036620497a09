//! Jars keep what they have, and tricks are refused.

use planish_base::Budget;
use planish_classfile::jar::Role;
use planish_classfile::source::{Form, Source, write_atomically};
use planish_classfile::zip::{Archive, Deflater, DosTime, Entry, INFLATED_LIMIT, Method};

fn budget() -> Budget {
    Budget::new("inflated bytes", INFLATED_LIMIT)
}

fn entry(name: &str, content: &str) -> Entry {
    Entry::new(name.as_bytes(), DosTime { date: 0x5555, time: 0x1234 }, content.as_bytes(), Method::Deflated)
}

fn archive(entries: &[(&str, &str)]) -> Archive {
    let entries = entries.iter().map(|(name, content)| entry(name, content)).collect();
    Archive { entries, ..Archive::default() }
}

fn bytes(archive: &Archive) -> Vec<u8> {
    let mut out = Vec::new();
    archive.write(&mut out).unwrap();
    out
}

/// What reading the entries gives.
fn listing(archive: &Archive) -> Vec<(String, String)> {
    let mut budget = budget();
    let show = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    archive.entries.iter().map(|e| (show(&e.name), show(&e.content(&mut budget).unwrap()))).collect()
}

#[test]
fn what_a_compressor_did_before_does_not_show() {
    let text = |seed: u32| (0..3000u32).map(|i| ((i * i * seed) >> 7) % 7).map(|n| n.to_string()).collect();
    let texts: Vec<String> = (1..5).map(text).collect();
    let mut deflater = Deflater::new(9);
    for text in texts.iter().chain([&texts[0], &"x".to_owned()]) {
        let (mut alone, mut after_others) = (entry("e", ""), entry("e", ""));
        alone.set_content(text.as_bytes(), Method::Deflated, 9);
        after_others.set_deflated(text.as_bytes(), &mut deflater);
        assert_eq!(alone.method(), after_others.method());
        let write = |entry: &Entry| bytes(&Archive { entries: vec![entry.clone()], ..Archive::default() });
        assert_eq!(write(&alone), write(&after_others));
        assert_eq!(after_others.content(&mut budget()).unwrap(), text.as_bytes());
    }
}

#[test]
fn order_times_duplicates_and_extra_fields_are_kept() {
    let long = "to be deflated ".repeat(100);
    let mut jar = archive(&[("META-INF/", ""), ("b", "1"), ("a", &long), ("b", "2"), ("\u{e9}", "3")]);
    jar.prefix = b"#!/bin/sh\nexec java -jar $0\n".to_vec();
    jar.comment = b"PK\x05\x06 is no end record".to_vec();
    jar.entries[0].local_extra = vec![0xfe, 0xca, 0, 0];
    jar.entries[1].extra = vec![9, 9, 2, 0, 1, 2];
    jar.entries[2].comment = b"about a".to_vec();
    let first = bytes(&jar);
    let again = Archive::read(first.clone()).unwrap();
    assert_eq!(listing(&again), listing(&jar));
    assert_eq!(bytes(&again), first, "writing again gives the same bytes");
    assert_eq!(again.prefix, jar.prefix);
    assert_eq!(again.entries[2].method(), Some(Method::Deflated));
    assert_eq!(again.entries[3].modified, DosTime { date: 0x5555, time: 0x1234 });
    assert_eq!(again.duplicates(), [b"b"]);
    assert_eq!(&*again.find(b"b").unwrap().content(&mut budget()).unwrap(), b"2", "a JVM finds the last one");
}

#[test]
fn offsets_that_do_not_count_the_prefix_are_understood() {
    let plain = bytes(&archive(&[("a", "1"), ("b", "2")]));
    let prefixed = [&b"#!/bin/sh\n"[..], &plain].concat();
    let jar = Archive::read(prefixed).unwrap();
    assert_eq!(jar.prefix, b"#!/bin/sh\n");
    assert_eq!(listing(&jar), listing(&archive(&[("a", "1"), ("b", "2")])));
}

#[test]
fn more_entries_than_16_bits_count_survive() {
    let names: Vec<_> = (0..70_000).map(|i| format!("f{i}")).collect();
    let entries: Vec<_> = names.iter().map(|name| (name.as_str(), "x")).collect();
    let jar = Archive::read(bytes(&archive(&entries))).unwrap();
    assert_eq!(jar.entries.len(), 70_000);
    assert_eq!(jar.entries[69_999].name, b"f69999");
}

#[test]
fn names_that_lead_out_are_refused() {
    for name in ["../x", "a/../../x", "/etc/passwd", "C:/x", "a\\b", "a//b", "./a", "a/..", "", "a\0b"] {
        let error = Archive::read(bytes(&archive(&[(name, "1")]))).err().map(|error| error.to_string());
        assert!(error.is_some_and(|e| e.contains("stays in its directory")), "{name:?}");
    }
    for name in ["a..b", "...", "a/.b/c", "a/"] {
        assert!(Archive::read(bytes(&archive(&[(name, "")]))).is_ok(), "{name:?}");
    }
}

/// Overwrites bytes at `at`.
fn patch(bytes: &mut [u8], at: usize, with: &[u8]) {
    bytes[at..at + with.len()].copy_from_slice(with);
}

/// Where the directory begins, from the end record.
fn directory(bytes: &[u8]) -> usize {
    let end = bytes.len() - 22;
    u32::from_le_bytes(bytes[end + 16..end + 20].try_into().unwrap()) as usize
}

#[test]
fn a_bomb_that_inflates_beyond_its_budget_is_refused() {
    let zeros = "\0".repeat(1 << 20);
    let jar = Archive::read(bytes(&archive(&[("a", &zeros), ("b", &zeros)]))).unwrap();
    let mut budget = Budget::new("inflated bytes", 1_500_000);
    jar.entries[0].content(&mut budget).unwrap();
    let error = jar.entries[1].content(&mut budget).unwrap_err().to_string();
    assert!(error.contains("inflate to at most 1500000 bytes"), "{error}");
}

#[test]
fn a_size_that_deflate_cannot_reach_is_refused_before_memory_is_reserved() {
    let mut file = bytes(&archive(&[("a", &"x".repeat(1000))]));
    let at = directory(&file);
    patch(&mut file, at + 24, &0xffff_fff0u32.to_le_bytes());
    assert!(Archive::read(file).err().unwrap().expected().contains("can inflate to"));
}

#[test]
fn entries_that_share_bytes_are_refused() {
    let mut file = bytes(&archive(&[("a", "1"), ("a", "2")]));
    let second = directory(&file) + 46 + 1;
    patch(&mut file, second + 42, &[0; 4]);
    assert!(Archive::read(file).err().unwrap().expected().contains("do not overlap"));
}

#[test]
fn a_header_that_names_another_entry_is_refused() {
    let mut file = bytes(&archive(&[("a", "1")]));
    file[30] = b'b';
    assert!(Archive::read(file).err().unwrap().expected().contains("named b as in its header"));
}

#[test]
fn encryption_and_wrong_checksums_are_refused() {
    let file = bytes(&archive(&[("a", "content")]));
    let at = directory(&file);
    let mut encrypted = file.clone();
    encrypted[at + 8] |= 1;
    assert!(Archive::read(encrypted).is_err());
    let mut changed = file.clone();
    changed[31] ^= 1;
    let error = Archive::read(changed).unwrap().entries[0].content(&mut budget()).unwrap_err();
    assert!(error.expected().contains("CRC"), "{error}");
}

#[test]
fn broken_archives_give_an_error() {
    let long = "to be deflated ".repeat(20);
    let file = bytes(&archive(&[("META-INF/MANIFEST.MF", "A: b\n"), ("a", &long), ("c/d", "2")]));
    let exercise = |bytes: Vec<u8>| {
        let Ok(jar) = Archive::read(bytes) else { return };
        let mut budget = Budget::new("inflated bytes", 1 << 20);
        for entry in &jar.entries {
            let _ = entry.content(&mut budget);
        }
        let _ = jar.manifest(&mut budget);
        jar.write(&mut Vec::new()).unwrap();
    };
    for len in 0..file.len() {
        assert!(Archive::read(file[..len].to_vec()).is_err(), "{len} bytes");
    }
    for at in 0..file.len() {
        for value in [0, 1, 0x7f, 0x80, 0xff, file[at] ^ 1] {
            let mut bytes = file.clone();
            bytes[at] = value;
            exercise(bytes);
        }
    }
}

#[test]
fn a_signature_is_removed_with_its_digests() {
    let manifest = "Manifest-Version: 1.0\r\n\r\nName: A.class\r\nSHA-256-Digest: x\r\n\r\n";
    let mut jar = archive(&[
        ("META-INF/MANIFEST.MF", manifest),
        ("META-INF/K.SF", "s"),
        ("META-INF/K.RSA", "r"),
        ("A.class", ""),
    ]);
    assert!(jar.is_signed());
    let removed = jar.remove_signatures(&mut budget(), 6).unwrap();
    assert_eq!(removed, [&b"META-INF/K.SF"[..], b"META-INF/K.RSA"]);
    assert!(!jar.is_signed());
    assert_eq!(listing(&jar)[0].1, "Manifest-Version: 1.0\r\n\r\n");
    assert_eq!(jar.entries.len(), 2);
}

#[test]
fn a_multi_release_jar_says_so_in_its_manifest() {
    let jar =
        archive(&[("META-INF/MANIFEST.MF", "Multi-Release: TRUE\n"), ("META-INF/versions/9/A.class", "")]);
    assert!(jar.is_multi_release(&mut budget()).unwrap());
    assert_eq!(Role::of(&jar.entries[1].name), Role::Class { name: b"A", release: Some(9) });
    assert!(!archive(&[("A.class", "")]).is_multi_release(&mut budget()).unwrap());
}

#[test]
fn times_are_those_of_the_calendar() {
    for (seconds, date, time) in [
        (0, DosTime::EPOCH.date, 0),
        (315_532_800, 1 << 5 | 1, 0),
        // 2000-02-29 12:34:56
        (951_827_696, 20 << 9 | 2 << 5 | 29, 12 << 11 | 34 << 5 | 28),
        // 2026-12-31 23:59:59
        (1_798_761_599, 46 << 9 | 12 << 5 | 31, 23 << 11 | 59 << 5 | 29),
        (i64::from(u32::MAX) * 2, 127 << 9 | 12 << 5 | 31, 23 << 11 | 59 << 5 | 29),
    ] {
        assert_eq!(DosTime::from_unix(seconds), DosTime { date, time }, "{seconds}");
    }
}

#[test]
fn a_directory_is_read_in_order_and_files_are_replaced_whole() {
    let directory = std::env::temp_dir().join(format!("planish-classfile-{}", std::process::id()));
    std::fs::create_dir_all(directory.join("b/c")).unwrap();
    std::fs::write(directory.join("b/c/D.class"), "d").unwrap();
    std::fs::write(directory.join("a.txt"), "old").unwrap();
    write_atomically(&directory.join("a.txt"), b"new").unwrap();
    let source = Source::read(&directory).unwrap();
    assert_eq!(source.form, Form::Directory);
    let wanted = [("a.txt", "new"), ("b/c/D.class", "d")].map(|(n, c)| (n.to_owned(), c.to_owned()));
    assert_eq!(listing(&source.archive), wanted);
    let jar = directory.join("x.jar");
    write_atomically(&jar, &bytes(&source.archive)).unwrap();
    let source = Source::read(&jar).unwrap();
    assert_eq!((source.form, listing(&source.archive)), (Form::Jar, wanted.to_vec()));
    assert!(write_atomically(&directory.join("none/x"), b"").is_err());
    let files = std::fs::read_dir(&directory).unwrap().count();
    assert_eq!(files, 3, "no temporary file is left");
    std::fs::remove_dir_all(&directory).unwrap();
    assert!(Source::read(&directory).is_err());
}
