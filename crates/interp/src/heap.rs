//! Memory: objects, arrays, strings, static fields, raw bytes.
//!
//! A [`Place`] is an owner, a field and an index; its field is named by the descriptor's *name*, so that
//! two modules that name alike mean the same memory. An item of an array has the array's descriptor and
//! its index; a field has [`Place::WHOLE`]; static fields belong to an owner of their own; a byte of raw
//! memory has no owner. Only what was written is kept. Everything else is asked of the [`Scenario`], or
//! zero in a fresh object.
//!
//! A call that writes makes all escaped memory of the alias classes it names unknown: a place whose last
//! write is older than the last such call holds what the scenario says for that call. Immutable places
//! do not change behind anybody's back.

use hashbrown::{HashMap, HashSet};
use planish_base::SideTable;
use planish_ops::world::{Characters, Descr, Location, Mutability, World};
use planish_ops::{Int, Type};
use rustc_hash::FxBuildHasher;

use crate::aliasing::Accesses;
use crate::behaviour::{End, FreshObject, Written};
use crate::place::{Field, Place};
use crate::scenario::{Scenario, initial, name_key};
use crate::value::{Reference, Val};

/// A number is stored where it does not fit, by whoever must not do that.
pub(crate) const NO_ROOM: End = End::undefined("a number is stored that its place has no room for");

/// One value in memory and when it came there.
#[derive(Clone, Copy, Debug)]
struct Slot {
    value: Val,
    /// How many events had happened.
    since: u64,
}

/// The memory of a run.
pub struct Heap {
    slots: HashMap<Place, Slot, FxBuildHasher>,
    /// Places written since the last event, in order of first write.
    dirty: Vec<Place>,
    is_dirty: HashSet<Place, FxBuildHasher>,
    /// Places of each fresh object that were written.
    places: Vec<Vec<Place>>,
    /// Objects that the run made, and whether somebody outside may know them.
    pub(crate) fresh: Vec<FreshObject>,
    /// How many events had happened when somebody outside got to know a fresh object; `PRIVATE` until then.
    escaped: Vec<u64>,
    /// Places that somebody outside can reach and that nobody could read since they were written.
    unread: Vec<Place>,
    /// Fresh objects whose address was asked for, in that order.
    addressed: Vec<u32>,
    keys: SideTable<Descr, u64>,
    /// The addresses of classes of which the world says what they are, by the key of the allocation.
    classes: HashMap<u64, u64, FxBuildHasher>,
    pub(crate) fields: HashMap<u64, Field, FxBuildHasher>,
    /// Outside objects of which the world knows the class, with its address.
    pub(crate) classes_of: HashMap<u64, u64, FxBuildHasher>,
    /// Pieces of memory outside the heap that were freed.
    pub(crate) freed: HashSet<u32, FxBuildHasher>,
    /// Outside objects that are strings of known characters.
    pub(crate) texts: HashMap<u64, Characters, FxBuildHasher>,
    /// Outside objects that are arrays of known length.
    pub(crate) lengths: HashMap<u64, u64, FxBuildHasher>,
    /// Through which classes raw memory was accessed.
    pub(crate) accesses: Accesses,
    /// The last call that may have written any memory, and that named an alias class, by number.
    wrote_anything: u64,
    wrote_class: HashMap<u32, u64, FxBuildHasher>,
    /// The last call that may have written something.
    wrote: u64,
    /// The last call that changed what guards watch.
    invalidated: u64,
    events: u64,
}

/// No event: nobody outside knows the object.
const PRIVATE: u64 = u64::MAX;
/// Where fresh objects have their addresses.
const FRESH_BASE: u64 = 0x7000_0000_0000;
/// Where numbered outside objects have theirs.
const OUTSIDE_BASE: u64 = 0x10000;

impl Heap {
    pub(crate) fn new() -> Self {
        // Bytes outside the heap are in no alias class.
        let byte = Location {
            ty: Type::Int(8),
            stored_bits: None,
            signed: false,
            mutability: Mutability::Mutable,
            alias_class: u32::MAX,
            raw: true,
        };
        let bytes = Field { name: "raw memory".to_owned(), location: Some(byte), characters: false };
        Heap {
            slots: HashMap::default(),
            dirty: Vec::new(),
            is_dirty: HashSet::default(),
            places: Vec::new(),
            fresh: Vec::new(),
            escaped: Vec::new(),
            unread: Vec::new(),
            addressed: Vec::new(),
            keys: SideTable::new(),
            classes: HashMap::default(),
            fields: HashMap::from_iter([(bytes_key(), bytes)]),
            classes_of: HashMap::default(),
            freed: HashSet::default(),
            texts: HashMap::default(),
            lengths: HashMap::default(),
            accesses: Accesses::default(),
            wrote_anything: 0,
            wrote_class: HashMap::default(),
            wrote: 0,
            invalidated: 0,
            events: 0,
        }
    }

    /// The key of a descriptor.
    pub(crate) fn key(&mut self, world: &dyn World, descr: Option<Descr>) -> u64 {
        let Some(descr) = descr else { return 0 };
        if self.keys[descr] == 0 {
            let key = name_key(world.name(descr)).max(1);
            self.keys[descr] = key;
            // Nobody changes a string that somebody else has.
            let characters = [false, true].iter().any(|&unicode| world.characters(unicode) == Some(descr));
            let location = world.location(descr).map(|location| match characters {
                true => Location { mutability: Mutability::Immutable, ..location },
                false => location,
            });
            let name = || world.name(descr).to_owned();
            self.fields.entry(key).or_insert_with(|| Field { name: name(), location, characters });
        }
        self.keys[descr]
    }

    /// The key of a descriptor that was asked for before; else 0.
    pub(crate) fn known_key(&self, descr: Descr) -> u64 {
        self.keys[descr]
    }

    /// Makes an object.
    pub(crate) fn allocate(&mut self, class: u64, length: Option<u64>) -> Reference {
        let id = self.fresh.len() as u32;
        self.fresh.push(FreshObject { class, length });
        self.escaped.push(PRIVATE);
        self.places.push(Vec::new());
        Reference::Fresh(id)
    }

    /// What is allocated as `class` has a class at this address.
    pub(crate) fn place_class(&mut self, class: u64, address: u64) {
        self.classes.insert(class, address);
    }

    /// The length of an array or string.
    pub(crate) fn length(&self, scenario: &Scenario, object: Reference) -> u64 {
        match object {
            Reference::Outside(n) => {
                let text = self.texts.get(&n).map(|text| text.codes.len() as u64);
                text.or(self.lengths.get(&n).copied()).unwrap_or_else(|| scenario.length(n))
            }
            Reference::Fresh(n) => self.fresh[n as usize].length.unwrap_or(0),
            Reference::Null | Reference::Thrown(_) => 0,
        }
    }

    /// The address of the class of an object.
    pub(crate) fn class(&self, scenario: &Scenario, object: Reference) -> u64 {
        match object {
            Reference::Outside(n) => self.classes_of.get(&n).copied().unwrap_or_else(|| scenario.class(n)),
            Reference::Fresh(n) => {
                let class = self.fresh[n as usize].class;
                self.classes.get(&class).copied().unwrap_or(class >> 24 | 1 << 40)
            }
            Reference::Thrown(fault) => name_key(fault.name()) >> 24 | 1 << 40,
            Reference::Null => 0,
        }
    }

    /// What a place holds, as a value of a type.
    pub(crate) fn load(&self, scenario: &Scenario, place: Place, ty: Type) -> Val {
        let field = &self.fields[&place.field];
        if field.characters
            && let Some(Reference::Outside(n)) = place.owner
            && let Some(text) = self.texts.get(&n)
            && let Some(&code) = text.codes.get(place.index as usize)
        {
            return Val::int(ty, i64::from(code));
        }
        let slot = self.slots.get(&place);
        if self.is_private(place.owner) {
            return slot.map_or(Val::zero(ty), |slot| fit(slot.value, ty));
        }
        let known = match place.owner {
            Some(Reference::Fresh(n)) => self.escaped[n as usize],
            _ => 0,
        };
        let since = slot.map_or(0, |slot| slot.since).max(known);
        match self.changed(field) {
            when if when > since => field.narrow(initial(scenario, place, when, ty)),
            _ => match slot {
                Some(slot) => fit(slot.value, ty),
                None => match place.owner {
                    Some(Reference::Fresh(_)) => Val::zero(ty),
                    _ => field.narrow(initial(scenario, place, 0, ty)),
                },
            },
        }
    }

    /// The last call that may have changed places of a field, by number; 0 if none.
    fn changed(&self, field: &Field) -> u64 {
        match field.location {
            None => self.wrote,
            Some(location) if location.mutability == Mutability::Immutable => 0,
            // Whoever changes such a place says so to the guards that watch it.
            Some(location) if location.mutability == Mutability::QuasiImmutable => self.invalidated,
            Some(location) => {
                let named = self.wrote_class.get(&location.alias_class).copied();
                self.wrote_anything.max(named.unwrap_or(0))
            }
        }
    }

    /// Writes a place.
    pub(crate) fn store(&mut self, place: Place, value: Val) {
        let value = self.fields.get(&place.field).map_or(value, |field| field.narrow(value));
        if self.slots.insert(place, Slot { value, since: self.events }).is_none()
            && let Some(Reference::Fresh(n)) = place.owner
        {
            self.places[n as usize].push(place);
        }
        if self.is_dirty.insert(place) {
            self.dirty.push(place);
        }
    }

    /// Refuses a number that a place has no room for, if it is one of the characters of strings or where `all` are held to that.
    /// The front end's type of characters has no others, so nobody cuts one: PyPy's interpreter of traces makes a character of the
    /// number, which fails, and its machine code stores a part.
    pub(crate) fn has_room(&self, place: Place, value: Val, all: bool) -> Result<(), End> {
        let has = |field: &Field| !(all || field.characters) || field.narrow(value) == value;
        if self.fields.get(&place.field).is_none_or(has) { Ok(()) } else { Err(NO_ROOM) }
    }

    /// Reads a byte of raw memory.
    pub(crate) fn load_byte(&self, scenario: &Scenario, place: Place) -> u8 {
        if place.owner.is_some() {
            return match self.load(scenario, place, Type::Int(8)) {
                Val::Int(int) => int.unsigned() as u8,
                _ => 0,
            };
        }
        let slot = self.slots.get(&place);
        let since = slot.map_or(0, |slot| slot.since);
        // Whether a call writes raw memory cannot be said by an alias class; only one that may write
        // anything does.
        let value = match self.wrote_anything {
            when if when > since => initial(scenario, place, when, Type::Int(8)),
            _ => slot.map_or_else(|| initial(scenario, place, 0, Type::Int(8)), |slot| slot.value),
        };
        match value {
            Val::Int(int) => int.unsigned() as u8,
            _ => 0,
        }
    }

    /// Writes a byte of raw memory.
    pub(crate) fn store_byte(&mut self, place: Place, byte: u8) {
        self.store(place, Val::Int(Int::new(8, u64::from(byte))));
    }

    /// Whether nobody outside knows an object that the run made.
    pub(crate) fn is_private(&self, owner: Option<Reference>) -> bool {
        matches!(owner, Some(Reference::Fresh(n)) if self.escaped[n as usize] == PRIVATE)
    }

    /// Somebody outside gets to know a value and all that can be reached from it.
    pub(crate) fn escape(&mut self, value: Val) {
        self.escape_to(None, value);
    }

    /// The same where it can read places of some alias classes only: what stands elsewhere is found by who can read that.
    fn escape_to(&mut self, reads: Option<&[u32]>, value: Val) {
        let mut work = vec![value];
        while let Some(value) = work.pop() {
            let Some(n) = self.secret(value) else { continue };
            self.escaped[n as usize] = self.events;
            for place in &self.places[n as usize] {
                let value = self.slots[place].value;
                match self.can_read(reads, place) {
                    true => work.push(value),
                    false if self.secret(value).is_some() => self.unread.push(*place),
                    false => {}
                }
            }
        }
    }

    /// The object that a value is or has the address of, if nobody outside knows it.
    fn secret(&self, value: Val) -> Option<u32> {
        // Whoever knows an address may look at the memory there.
        let made = match value {
            Val::Ref(Reference::Fresh(n)) => Some(n),
            Val::Int(int) => self.piece(int.unsigned()).map(|(n, _)| n),
            _ => None,
        };
        made.filter(|&n| self.escaped[n as usize] == PRIVATE)
    }

    /// Whether somebody who reads places of some alias classes can read this one.
    fn can_read(&self, reads: Option<&[u32]>, place: &Place) -> bool {
        let Some(classes) = reads else { return true };
        match self.fields.get(&place.field).and_then(|field| field.location) {
            Some(location) => classes.contains(&location.alias_class),
            None => !classes.is_empty(),
        }
    }

    /// An event happens: who is called gets to know the arguments and what can be read from there; what was written until
    /// now, and what it makes unknown.
    pub(crate) fn event(&mut self, args: &[Val], reads: Option<&[u32]>, writes: Option<&[u32]>) -> Written {
        for &arg in args {
            self.escape_to(reads, arg);
        }
        // A fresh object that a store made public may have been overwritten there before anybody looked.
        let waited = std::mem::take(&mut self.unread);
        for index in 0..waited.len() + self.dirty.len() {
            let place = waited.get(index).copied().unwrap_or_else(|| self.dirty[index - waited.len()]);
            if self.is_private(place.owner) {
                continue;
            }
            let value = self.slots[&place].value;
            match self.can_read(reads, &place) {
                true => self.escape_to(reads, value),
                false if self.secret(value).is_some() => self.unread.push(place),
                false => {}
            }
        }
        let written = self.take_written();
        self.events += 1;
        match writes {
            None => (self.wrote_anything, self.wrote) = (self.events, self.events),
            Some(&[]) => {}
            Some(classes) => {
                self.wrote = self.events;
                classes.iter().for_each(|&class| {
                    self.wrote_class.insert(class, self.events);
                });
            }
        }
        written
    }

    /// The call that was the last event changed what guards watch.
    pub(crate) fn invalidate(&mut self) {
        self.invalidated = self.events;
    }

    /// The last call that may have written any memory, by number; 0 if none.
    pub(crate) fn wrote_anything(&self) -> u64 {
        self.wrote_anything
    }

    /// How many events there were.
    pub(crate) fn events(&self) -> u64 {
        self.events
    }

    /// What was written since the last event.
    pub(crate) fn take_written(&mut self) -> Written {
        self.is_dirty.clear();
        let dirty = std::mem::take(&mut self.dirty);
        dirty.into_iter().map(|place| (place, self.slots[&place].value)).collect()
    }

    /// The address of an object.
    pub(crate) fn address(&mut self, object: Reference) -> u64 {
        match object {
            Reference::Null => 0,
            Reference::Outside(n) if n < 1 << 32 => OUTSIDE_BASE + 16 * n,
            Reference::Outside(n) => n & ((1 << 60) - 1),
            Reference::Thrown(fault) => name_key(fault.name()) >> 24 | 1 << 40,
            Reference::Fresh(n) => {
                self.escape(Val::Ref(object));
                let position = self.addressed.iter().position(|&other| other == n).unwrap_or_else(|| {
                    self.addressed.push(n);
                    self.addressed.len() - 1
                });
                FRESH_BASE + 16 * position as u64
            }
        }
    }

    /// The object at an address.
    pub(crate) fn at_address(&self, address: u64) -> Reference {
        let numbered = address.wrapping_sub(OUTSIDE_BASE);
        let fresh = address.wrapping_sub(FRESH_BASE);
        if address == 0 {
            Reference::Null
        } else if let (Some(&n), 0) = (self.addressed.get((fresh / 16) as usize), fresh % 16) {
            Reference::Fresh(n)
        } else if numbered < 16 << 32 && numbered.is_multiple_of(16) {
            Reference::Outside(numbered / 16)
        } else {
            Reference::Outside(1 << 62 | address)
        }
    }
}

/// The key of the bytes of a piece of memory outside the heap.
pub(crate) fn bytes_key() -> u64 {
    name_key("raw memory").max(1)
}

/// The number of the outside object that a symbol names; also its address.
pub(crate) fn symbol_object(name: &str) -> u64 {
    1 << 62 | name_key(name) >> 24 << 4 | 1 << 44
}

/// Whether the number of an outside object comes from the name of a symbol.
pub(crate) fn is_symbol(object: u64) -> bool {
    object & (1 << 62) != 0
}

/// A value read at a type: memory that was written at another one means nothing.
fn fit(value: Val, ty: Type) -> Val {
    match value.ty() {
        Some(known) if known != ty => Val::Undefined,
        _ => value,
    }
}

impl Heap {
    /// The type of the value that was last written to a place.
    pub(crate) fn type_at(&self, place: Place) -> Option<Type> {
        self.slots.get(&place).and_then(|slot| slot.value.ty())
    }

    /// The places of a fresh object that were written.
    pub(crate) fn places_of(&self, object: u32) -> &[Place] {
        &self.places[object as usize]
    }
}
