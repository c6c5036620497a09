//! Objects that are not made yet.
//!
//! An object is known by the value of its allocation, which stands nowhere. While it is kept back, its
//! fields are values here; loads and stores go to them. When something needs the object, it is made
//! there, with the fields that it has then.

use hashbrown::HashMap;
use planish_base::{Arena, Id, SideTable};
use planish_ir::{Inst, Symbol, Value};
use planish_ops::world::{Descr, Fresh};
use rustc_hash::FxBuildHasher;

use super::Key;

/// The longest array that is kept back, in items. PyPy's limit.
pub(crate) const LONGEST: i64 = 150_000;

planish_base::define_id!(
    /// An allocation that was kept back.
    Object, "object"
);

/// A field of an object that is not made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    pub key: Key,
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
    made: bool,
    /// In the order of the first stores.
    fields: Vec<Field>,
    positions: HashMap<Key, usize, FxBuildHasher>,
}

/// All objects that are not made, and those that were.
#[derive(Default)]
pub(crate) struct Virtuals {
    objects: Arena<Object, Data>,
    of: SideTable<Value, Option<Object>>,
    values: Vec<Value>,
}

impl Virtuals {
    fn data(&self, value: Value) -> Option<&Data> {
        self.of[value].map(|object| &self.objects[object]).filter(|data| !data.made)
    }

    /// Whether a value is an object that is not made.
    pub fn is(&self, value: Value) -> bool {
        self.data(value).is_some()
    }

    /// Keeps an allocation back.
    pub fn keep_back(&mut self, value: Value, inst: Inst, length: Option<i64>, fresh: Fresh) {
        let data =
            Data { inst, length, fresh, made: false, fields: Vec::new(), positions: HashMap::default() };
        let object = self.objects.push(data);
        self.of[value] = Some(object);
        self.values.push(value);
    }

    /// The length of an array that is not made.
    pub fn length(&self, value: Value) -> Option<i64> {
        self.data(value)?.length
    }

    /// The class of an object that is not made.
    pub fn class(&self, value: Value) -> Option<Symbol> {
        self.data(value)?.fresh.class.map(|symbol| Symbol::from_index(symbol as usize))
    }

    /// Whether an object that is not made has the place.
    pub fn in_range(&self, value: Value, key: Key) -> bool {
        match self.data(value).and_then(|data| data.length) {
            Some(length) => (0..length).contains(&key.index),
            None => true,
        }
    }

    /// What a place of an object that is not made was set to.
    pub fn get(&self, value: Value, key: Key) -> Option<Value> {
        let data = self.data(value)?;
        data.positions.get(&key).map(|&position| data.fields[position].value)
    }

    /// Sets a place of an object that is not made.
    pub fn set(&mut self, object: Value, key: Key, descr: Descr, index: Option<Value>, value: Value) {
        let Some(id) = self.of[object] else { return };
        let data = &mut self.objects[id];
        match data.positions.get(&key) {
            Some(&position) => data.fields[position].value = value,
            None => {
                data.positions.insert(key, data.fields.len());
                data.fields.push(Field { key, descr, index, interior: false, value });
            }
        }
    }

    /// Says that an object is made now, and how; nothing for any other value.
    pub fn make(&mut self, value: Value) -> Option<Made> {
        let id = self.of[value]?;
        let data = &mut self.objects[id];
        if std::mem::replace(&mut data.made, true) {
            return None;
        }
        let mut fields = std::mem::take(&mut data.fields);
        if data.length.is_some() {
            fields.sort_by_key(|field| field.key.index);
        }
        Some(Made { inst: data.inst, fields, cleared: data.fresh.cleared, array: data.length.is_some() })
    }

    /// Whether two values are surely different objects: both were allocated here.
    pub fn distinct(&self, a: Value, b: Value) -> bool {
        a != b && self.of[a].is_some() && self.of[b].is_some()
    }

    /// All objects that are not made, in order.
    pub fn all(&self) -> impl Iterator<Item = Value> + '_ {
        self.values.iter().copied().filter(|&value| self.is(value))
    }

    /// Forgets everything.
    pub fn forget(&mut self) {
        self.objects.clear();
        self.of.clear();
        self.values.clear();
    }
}
