//! Virtual objects (PyPy's virtuals, Graal's `VirtualObjectNode`): allocations that have not been made yet.
//!
//! An object is known by the value of its allocation, which stands nowhere. While it is kept back, its
//! fields are values here; loads and stores go to them. When something needs the object, it is made
//! there, with the fields that it has then.

use hashbrown::HashMap;
use planish_base::{Arena, Id, SideTable};
use planish_ir::{Function, Inst, Value};
use planish_ops::world::{Content, Descr, Fresh, World};
use rustc_hash::FxBuildHasher;

use super::place::Cell;

/// The longest array that is kept back, in items. PyPy's limit.
pub(crate) const LONGEST: i64 = 150_000;

/// How many fields are looked through one by one; where an object has more, they are found by hashing.
const FEW: usize = 16;

planish_base::define_id!(
    /// An allocation that was kept back.
    Object, "object"
);

/// A field of an object that is not made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    pub cell: Cell,
    /// The constant index of an item; 0 for a field.
    pub at: i64,
    pub descr: Descr,
    /// The index of an item.
    pub index: Option<Value>,
    /// Whether it is a field of an item.
    pub interior: bool,
    pub value: Value,
}

/// What is needed to make an object.
pub(crate) struct Made {
    pub inst: Inst,
    pub fields: Vec<Field>,
    pub cleared: bool,
    pub array: bool,
}

struct Data {
    inst: Inst,
    length: Option<i64>,
    fresh: Fresh,
    /// Bits of the places that were set, several places sharing one. For a place whose bit is not there nothing need
    /// be looked through.
    set: u64,
    /// In the order of the first stores.
    fields: Vec<Field>,
}

/// The bit that a place shares with some others.
#[inline]
fn bit(cell: Cell) -> u64 {
    1 << (cell.index() % 64)
}

fn sort(fields: &mut [Field], array: bool, world: &dyn World) {
    fields.sort_by_key(|field| match array {
        true => (field.at, world.position(field.descr)),
        false => (0, world.position(field.descr)),
    });
}

/// All objects that are not made, and those that were.
#[derive(Default)]
pub(crate) struct Virtuals {
    objects: Arena<Object, Data>,
    /// Those that are not made. Asked for most operands that there are, so this is all that it takes.
    of: SideTable<Value, Option<Object>>,
    /// The same, and those that were made.
    allocated: SideTable<Value, Option<Object>>,
    values: Vec<Value>,
    /// How many are not made.
    kept_back: usize,
    /// Where a place was among the fields of the object that was looked at last: objects of one kind are filled in
    /// alike.
    hints: SideTable<Cell, u32>,
    /// Where the fields of objects with more than a few are.
    positions: HashMap<(Object, Cell), u32, FxBuildHasher>,
    /// Memory for fields.
    spare: Vec<Vec<Field>>,
}

impl Virtuals {
    #[inline]
    fn data(&self, value: Value) -> Option<&Data> {
        self.of[value].map(|object| &self.objects[object])
    }

    /// Whether there is an object that is not made.
    #[inline]
    pub fn any(&self) -> bool {
        self.kept_back > 0
    }

    /// The object that a value is, if it is not made.
    #[inline]
    pub fn object(&self, value: Value) -> Option<Object> {
        self.of[value]
    }

    /// Whether a value is an object that is not made.
    #[inline]
    pub fn is(&self, value: Value) -> bool {
        self.object(value).is_some()
    }

    /// The length of an object that is not made, if it is an array.
    #[inline]
    pub fn length_of(&self, object: Object) -> Option<i64> {
        self.objects[object].length
    }

    /// Whether an object is an array.
    pub fn is_array(&self, object: Object) -> bool {
        self.objects[object].length.is_some()
    }

    /// Keeps an allocation back.
    pub fn keep_back(&mut self, value: Value, inst: Inst, length: Option<i64>, fresh: Fresh) {
        let fields = self.spare.pop().unwrap_or_default();
        let object = self.objects.push(Data { inst, length, fresh, set: 0, fields });
        (self.of[value], self.allocated[value]) = (Some(object), Some(object));
        self.values.push(value);
        self.kept_back += 1;
    }

    /// The allocation that would make an object which is not made.
    pub fn allocation(&self, value: Value) -> Option<Inst> {
        self.data(value).map(|data| data.inst)
    }

    /// Whether the fields of an object that is not made would be zero before they are set.
    pub fn is_cleared(&self, value: Value) -> bool {
        self.data(value).is_some_and(|data| data.fresh.cleared)
    }

    /// The length of an array that is not made.
    pub fn length(&self, value: Value) -> Option<i64> {
        self.data(value)?.length
    }

    /// Whether a value is an object that was kept back first and is made by now.
    pub fn was_made(&self, value: Value) -> bool {
        self.allocated[value].is_some() && self.of[value].is_none()
    }

    /// The class of an object that is not made.
    pub fn class(&self, value: Value) -> Option<Content> {
        self.data(value)?.fresh.class
    }

    /// Whether an object has an item at an index, or is no array.
    pub fn in_range(&self, object: Object, at: i64) -> bool {
        self.objects[object].length.is_none_or(|length| (0..length).contains(&at))
    }

    #[inline]
    fn position(&self, object: Object, cell: Cell) -> Option<usize> {
        let Data { set, fields, .. } = &self.objects[object];
        let hint = self.hints[cell] as usize;
        if set & bit(cell) == 0 {
            None
        } else if fields.get(hint).is_some_and(|field| field.cell == cell) {
            Some(hint)
        } else if fields.len() <= FEW {
            fields.iter().position(|field| field.cell == cell)
        } else {
            self.positions.get(&(object, cell)).map(|&position| position as usize)
        }
    }

    /// What a place of an object was set to.
    pub fn get(&self, object: Object, cell: Cell) -> Option<Value> {
        self.position(object, cell).map(|position| self.objects[object].fields[position].value)
    }

    /// The fields of an object that is not made, in the order of its structure, or by index.
    pub fn fields(&self, world: &dyn World, value: Value) -> Option<Vec<Field>> {
        let data = self.data(value)?;
        let mut fields = data.fields.clone();
        sort(&mut fields, data.length.is_some(), world);
        Some(fields)
    }

    /// The same in memory that is used again. Of anything else there are none.
    pub fn fields_into(&self, world: &dyn World, value: Value, into: &mut Vec<Field>) {
        into.clear();
        if let Some(data) = self.data(value) {
            into.extend_from_slice(&data.fields);
            sort(into, data.length.is_some(), world);
        }
    }

    /// Whether two objects, of which one may be made by now, are of one kind and size.
    pub fn alike(&self, f: &Function, a: Value, b: Value) -> bool {
        let (Some(a), Some(b)) = (self.allocated[a], self.allocated[b]) else { return false };
        let (a, b) = (&self.objects[a], &self.objects[b]);
        let (x, y) = (f.inst(a.inst), f.inst(b.inst));
        x.op == y.op && x.descr == y.descr && a.length == b.length && a.fresh == b.fresh
    }

    /// Sets a place of an object that is not made.
    #[inline]
    pub fn set(&mut self, object: Object, field: Field) {
        let data = &mut self.objects[object];
        let bit = bit(field.cell);
        if data.set & bit != 0 {
            let hint = self.hints[field.cell] as usize;
            if let Some(set) = data.fields.get_mut(hint).filter(|set| set.cell == field.cell) {
                set.value = field.value;
                return;
            }
            if let Some(position) = self.position(object, field.cell) {
                self.objects[object].fields[position].value = field.value;
                return;
            }
        }
        let data = &mut self.objects[object];
        data.set |= bit;
        data.fields.push(field);
        let last = data.fields.len() - 1;
        self.hints[field.cell] = last as u32;
        if last >= FEW {
            // The first few are not hashed until there are more.
            self.hash_fields(object, if last == FEW { 0 } else { last });
        }
    }

    /// Lets fields of an object be found by hashing, from one on.
    #[cold]
    fn hash_fields(&mut self, object: Object, from: usize) {
        let fields = &self.objects[object].fields[from..];
        let places = (from..).zip(fields).map(|(at, field)| ((object, field.cell), at as u32));
        self.positions.extend(places);
    }

    /// Says that an object is made now, and how; nothing for any other value.
    pub fn make(&mut self, world: &dyn World, value: Value) -> Option<Made> {
        let data = &mut self.objects[self.of[value].take()?];
        self.kept_back -= 1;
        let mut fields = std::mem::take(&mut data.fields);
        sort(&mut fields, data.length.is_some(), world);
        Some(Made { inst: data.inst, fields, cleared: data.fresh.cleared, array: data.length.is_some() })
    }

    /// Takes back the memory of fields.
    pub fn give_back(&mut self, mut fields: Vec<Field>) {
        fields.clear();
        self.spare.push(fields);
    }

    /// Whether two values are surely different objects: both were allocated here.
    pub fn distinct(&self, a: Value, b: Value) -> bool {
        a != b && self.allocated[a].is_some() && self.allocated[b].is_some()
    }

    /// Forgets everything. O(number of objects).
    pub fn forget(&mut self) {
        for value in self.values.drain(..) {
            self.allocated[value] = None;
            if let Some(object) = self.of[value].take() {
                let mut fields = std::mem::take(&mut self.objects[object].fields);
                fields.clear();
                self.spare.push(fields);
            }
        }
        self.objects.clear();
        self.positions.clear();
        self.kept_back = 0;
    }
}
