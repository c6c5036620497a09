//! Places in memory, but for the object: by alias class and index, by number, and as descriptors name them.

use planish_ops::world::Location;

/// One place in memory, but for the object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Key {
    /// The alias class of the location.
    pub class: u32,
    /// The constant index of an item; 0 for a field.
    pub index: i64,
}

planish_base::define_id!(
    /// A place in memory, but for the object.
    Cell, "cell"
);

planish_base::define_id!(
    /// An alias class that was met.
    Class, "class"
);

/// What is known of a descriptor of a location.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub location: Location,
    pub class: Class,
    /// The place of a field.
    pub field: Option<Cell>,
    /// The function in which that was looked at last: the next one may be of another world.
    pub function: u32,
}
