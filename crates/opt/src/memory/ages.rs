//! Alias analysis by allocation order: a reference that existed before an object was allocated does not alias it.
//!
//! Nobody holds a reference to an object that is not made. So what the walk met as a reference before it made the object is
//! another one, wherever it came from. What memory holds of the older one stays when the new one is written to: loops that
//! make an object in each iteration would load everything else anew.

use planish_base::SideTable;
use planish_ir::Value;

/// When references were met and objects were made.
#[derive(Default)]
pub(super) struct Ages {
    /// How many objects had been made, and one, when a reference was first met; 0 before.
    met: SideTable<Value, u32>,
    /// Which of the objects made an object is, from 1; 0 for anything else.
    made: SideTable<Value, u32>,
    objects: u32,
}

impl Ages {
    /// Begins with a function of so many values in which nothing was met.
    pub fn start(&mut self, values: usize) {
        for table in [&mut self.met, &mut self.made] {
            table.clear();
            table.reserve(values);
        }
        self.objects = 0;
    }

    /// An object that nobody held is made.
    pub fn make(&mut self, object: Value) {
        self.objects += 1;
        self.made[object] = self.objects;
    }

    /// Something is known of what a reference refers to.
    pub fn meet(&mut self, reference: Value) {
        if self.met[reference] == 0 {
            self.met[reference] = self.objects + 1;
        }
    }

    /// Whether a reference was met before an object was made.
    pub fn is_older(&self, reference: Value, object: Value) -> bool {
        let met = self.met[reference];
        met != 0 && met <= self.made[object]
    }
}
