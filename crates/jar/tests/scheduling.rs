//! Whatever thread takes which class at which time, and whatever work lists hand out first, a program of classes becomes the
//! same bytes.

use std::path::Path;

use planish_base::worklist::Shuffled;
use planish_base::{Budget, share};
use planish_classfile::{ClassFile, Flags};
use planish_driver::Settings;
use planish_jar::classes::{Archive, Hierarchy, Origin, Source, add_classes};
use planish_jar::inputs::Classpath;
use planish_jar::programs::around::Surroundings;
use planish_jar::programs::roots::Roots;
use planish_jar::rounds::optimize_program;

/// The classes of the JDK that the examples name most, without their methods.
const PLATFORM: [&[u8]; 6] = [
    b"java/lang/Object",
    b"java/lang/String",
    b"java/lang/StringBuilder",
    b"java/lang/Integer",
    b"java/lang/System",
    b"java/io/PrintStream",
];

/// What the entries of a jar are called, and what is in them.
type Bytes = Vec<(Vec<u8>, Vec<u8>)>;

fn optimized(archive: &Archive, hierarchy: &Hierarchy, threads: usize) -> Bytes {
    let (mut archive, classpath, roots) =
        (archive.clone(), Classpath::default(), Roots { library: true, ..Roots::default() });
    let around = Surroundings { threads, ..Surroundings::quiet(hierarchy, &classpath, &roots) };
    optimize_program(&mut archive, around, &Settings::default()).expect("it is optimized");
    let mut budget = Budget::new("bytes", 1 << 24);
    let mut content = |entry: &planish_classfile::zip::Entry| {
        (entry.name.to_vec(), entry.content(&mut budget).expect("it was stored").into_owned())
    };
    archive.entries.iter().map(&mut content).collect()
}

/// Holds that examples become the same bytes whoever does what when, with so many threads each time.
fn become_the_same(
    threads: impl IntoIterator<Item = usize> + Clone,
    at: impl Fn(&dyn Fn() -> Bytes, u64) -> Bytes,
) {
    for example in ["harbour", "strawman", "patterns"] {
        let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples")).join(example);
        let archive = Source::read(&path).expect("an example").archive;
        let mut hierarchy = Hierarchy::new();
        for name in PLATFORM {
            let above = Some(PLATFORM[0]).filter(|object| *object != name);
            let file = ClassFile::new(55, Flags::PUBLIC, name, above).expect("a class").to_bytes();
            hierarchy.add(&file.expect("it is small"), Origin::Platform).expect("it is new");
        }
        let mut budget = Budget::new("bytes", 1 << 24);
        add_classes(&mut hierarchy, &archive, Origin::Program, &mut budget, &mut Vec::new())
            .expect("classes");
        let expected = optimized(&archive, &hierarchy, 1);
        for (seed, threads) in (0..).zip(threads.clone()) {
            let found = at(&|| optimized(&archive, &hierarchy, threads), seed);
            assert!(found == expected, "{example} with {threads} threads, seed {seed}");
        }
    }
}

#[test]
fn any_order_of_the_work_gives_the_same_bytes() {
    become_the_same([1, 2, 8, 1, 3, 8], |optimize, seed| {
        share::schedule(Some(seed));
        let found = optimize();
        share::schedule(None);
        found
    });
}

#[test]
fn whatever_analyses_look_at_first_the_bytes_are_the_same() {
    become_the_same([1, 1, 2, 1, 8, 1, 1, 3], |optimize, seed| {
        let _order = Shuffled::by(seed);
        optimize()
    });
}
