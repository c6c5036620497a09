//! Writes random programs of classes as a jar: `random_classes SEED COUNT OUT.jar`.
//!
//! Program N of the packages `p0`, `p1`, ... is that of seed SEED + N. See `scripts/fuzz-jvm`.

use arbitrary::Unstructured;
use planish_classfile::zip::{Archive, DosTime, Entry, Method};
use planish_filetest::generate::bytes;
use planish_fuzzing::classes::program;

/// The most data of a program.
const DATA: usize = 3_000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [seed, count, out] = &arguments[..] else { panic!("usage: random_classes SEED COUNT OUT.jar") };
    let (seed, count): (u64, u64) =
        (seed.parse().expect("SEED is a number"), count.parse().expect("COUNT is a number"));
    let mut archive = Archive::default();
    for number in 0..count {
        let data = bytes(seed + number, DATA * (1 + number as usize % 8) / 8);
        let made = program(&mut Unstructured::new(&data), &format!("p{number}"));
        for (name, content) in made.expect("data that runs out reads as zero") {
            let name = format!("{name}.class");
            archive.entries.push(Entry::new(name.as_bytes(), DosTime::EPOCH, &content, Method::Stored));
        }
    }
    let mut written = Vec::new();
    archive.write(&mut written).expect("an archive of small files");
    std::fs::write(out, written).expect("a place to write to");
}
