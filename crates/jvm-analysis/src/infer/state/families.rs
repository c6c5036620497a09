//! Families: methods that override each other, and can only change together.

use planish_base::Id;
use planish_jvm_model::program::Method;

planish_base::define_id!(
    /// A closed family.
    Family, "family"
);

/// The closed families.
pub(in crate::infer) struct Families {
    pub(in crate::infer) of: Vec<Option<Family>>,
    pub(in crate::infer) members: Vec<Vec<Method>>,
}

impl Families {
    /// The family of a method, if that is closed.
    pub fn of_method(&self, method: Method) -> Option<Family> {
        self.of[method.index()]
    }

    /// The methods of a family.
    pub fn members(&self, family: Family) -> &[Method] {
        &self.members[family.index()]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.members.len()
    }
}
