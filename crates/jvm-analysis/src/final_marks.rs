//! The outcome of final marking: which classes and fields are to be final.

use planish_base::Id;
use planish_jvm_model::program::{Class, Field};

/// What is to be final.
#[derive(Default)]
pub struct FinalMarks {
    /// By class, whether it is to be final that is not.
    pub classes: Vec<bool>,
    /// The same by field.
    pub fields: Vec<bool>,
}

impl FinalMarks {
    /// Whether a class is to be final that is not.
    pub fn has_class(&self, class: Class) -> bool {
        self.classes.get(class.index()).is_some_and(|&is_final| is_final)
    }

    /// Whether a field is to be final that is not.
    pub fn has_field(&self, field: Field) -> bool {
        self.fields.get(field.index()).is_some_and(|&is_final| is_final)
    }

    /// How many classes and fields there are.
    pub fn len(&self) -> u64 {
        self.classes.iter().chain(&self.fields).filter(|&&is_final| is_final).count() as u64
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
