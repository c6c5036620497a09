//! Class files and archives: no panic, and what is read is written as it was.

use planish_base::Budget;
use planish_classfile::zip::{DosTime, Entry, Method};
use planish_classfile::{ClassFile, zip};
use planish_driver::Settings;
use planish_driver::classes::add_classes;
use planish_driver::inputs::Classpath;
use planish_driver::programs::Roots;
use planish_driver::rounds::{Surroundings, optimize_program};
use planish_jvm::hierarchy::{Hierarchy, Origin};

use crate::classes::platform;

/// A class file: read, everything in it decoded, written again to the same bytes.
pub fn class(bytes: &[u8]) {
    // The hierarchy reads the heads of classes by itself.
    let _ = Hierarchy::new().add(bytes, Origin::Program);
    let Ok(class) = ClassFile::read(bytes) else { return };
    let written = class.to_bytes().expect("what was read fits its format");
    assert_eq!(written, bytes);
    // Attributes may be wrong inside; decoding them must say so and no more.
    let _ = class.check();
}

/// An archive: read and inflated within a budget, written again and read again.
pub fn archive(bytes: &[u8]) {
    let Ok(archive) = zip::Archive::read(bytes.to_vec()) else { return };
    let mut budget = Budget::new("inflated bytes", 1 << 20);
    for entry in &archive.entries {
        let _ = entry.content(&mut budget);
    }
    let mut written = Vec::new();
    if archive.write(&mut written).is_ok() {
        let again = zip::Archive::read(written).expect("what was written is read");
        assert_eq!(again.entries.len(), archive.entries.len());
    }
}

/// A class file as a program of its own, optimized as a library: an answer or an error, whatever is in it.
pub fn optimized_class(bytes: &[u8]) {
    let entry = Entry::new(b"C.class", DosTime::EPOCH, bytes, Method::Stored);
    optimize(zip::Archive { entries: vec![entry], ..zip::Archive::default() });
}

/// An archive, optimized as a library.
pub fn optimized_archive(bytes: &[u8]) {
    if let Ok(archive) = zip::Archive::read(bytes.to_vec()) {
        optimize(archive);
    }
}

fn optimize(mut archive: zip::Archive) {
    let mut hierarchy = platform();
    let mut budget = Budget::new("inflated bytes", 1 << 24);
    let mut warnings = Vec::new();
    let added = add_classes(&mut hierarchy, &archive, Origin::Program, &mut budget, &mut warnings);
    if added.is_err() {
        return;
    }
    let (classpath, roots) = (Classpath::default(), Roots { library: true, ..Roots::default() });
    let around = Surroundings::quiet(&hierarchy, &classpath, &roots);
    let _ = optimize_program(&mut archive, around, &Settings::default());
}
