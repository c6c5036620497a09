//! What a program looks for by names at run time, so that these names must stay as they are.

use std::collections::BTreeSet;

/// What of a program is looked for by its name, as far as reflection analysis sees it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Sought {
    /// Classes of whose names parts are known, as in `a/B`.
    pub classes: BTreeSet<Box<[u8]>>,
    /// Classes by their whole names, which may be strings of the program.
    pub whole: BTreeSet<Box<[u8]>>,
    /// Whether any class may be.
    pub any_class: bool,
    /// Whether fields of classes are looked through, and nobody says which.
    pub fields: bool,
    /// Whether methods are.
    pub methods: bool,
    /// Whether objects are written or read.
    pub serialized: bool,
}

impl Sought {
    /// What this or another look at the program saw.
    pub fn or(mut self, other: Sought) -> Sought {
        self.classes.extend(other.classes);
        self.whole.extend(other.whole);
        Sought {
            classes: self.classes,
            whole: self.whole,
            any_class: self.any_class || other.any_class,
            fields: self.fields || other.fields,
            methods: self.methods || other.methods,
            serialized: self.serialized || other.serialized,
        }
    }
}
