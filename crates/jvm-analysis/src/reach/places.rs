//! Resources of which a program asks where they are.

/// The resources of which somebody asks where they are, and so may find directories.
#[derive(Clone, Default)]
pub struct Places {
    /// Whether a name is computed.
    pub(crate) any: bool,
    /// The names that are constants.
    pub(crate) named: Vec<Box<[u8]>>,
}

impl Places {
    /// Whether somebody may ask for a directory of this name, from the root or from the package of a class.
    pub fn may_be(&self, directory: &[u8]) -> bool {
        let directory = directory.strip_suffix(b"/").unwrap_or(directory);
        let ends = |name: &[u8]| match directory.strip_suffix(name) {
            Some(before) => name.is_empty() || before.is_empty() || before.ends_with(b"/"),
            None => false,
        };
        let is_asked = |name: &[u8]| {
            let name = name.strip_prefix(b"/").unwrap_or(name);
            let name = name.strip_suffix(b"/").unwrap_or(name);
            // `..` and the like lead anywhere.
            let is_plain = name
                .split(|byte| *byte == b'/')
                .all(|part| !part.is_empty() && part != b"." && part != b"..");
            !is_plain || ends(name)
        };
        self.any || self.named.iter().any(|name| is_asked(name))
    }
}

/// A resource that has names of classes in it: its own name, and theirs as in `a/B`.
pub type Listing = (Box<[u8]>, Vec<Box<[u8]>>);
