//! Class files and archives: no panic, and what is read is written as it was.

use planish_base::Budget;
use planish_classfile::{ClassFile, zip};
use planish_jvm::hierarchy::{Hierarchy, Origin};

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
