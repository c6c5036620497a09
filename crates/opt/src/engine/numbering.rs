//! Value numbering by hashing in dominator-tree scopes (Briggs, Cooper and Simpson 1997): equal operations get one
//! value.
//!
//! A key is an operation on *representatives*, in a canonical order: operands of a commutative
//! operation are sorted, and a comparison that has a mirror image (`gt` for `lt`) is one with it; both
//! facts are columns of the table of operations. Exits are no part of a key: of two equal operations the
//! dominated one cannot leave when the other did not.
//!
//! Entries are made in the scope of a block and removed when the walk leaves its dominator subtree
//! (Briggs, Cooper and Simpson 1997), so a hit is always a value that dominates. An entry outlives the
//! instruction it was made from: what `add(x, x)` was rewritten to is remembered under `add(x, x)`.

use hashbrown::HashTable;
use planish_base::{Id, fault};
use planish_ir::{Function, Inst, Value};
use planish_ops::{Op, Type};

/// What makes two operations equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Key {
    op: Op,
    /// The type of the first result, where there is one: `eq` may yield i1 or i64.
    ty: Option<Type>,
    first: Option<Value>,
    second: Option<Value>,
    /// The instruction that holds all operands and the descriptor, where the fields above do not.
    long: Option<Inst>,
    hash: u32,
}

impl Key {
    /// The key of an operation on at most two operands, without a descriptor.
    pub fn short(op: Op, args: &[Value], ty: Option<Type>) -> Key {
        let (mut op, mut first, mut second) = (op, args.first().copied(), args.get(1).copied());
        if let (Some(a), Some(b)) = (first, second) {
            let mirror = if fault!("number: every operation commutes") { Some(op) } else { op.swapped() };
            if let Some(swapped) = mirror
                && (swapped, b, a) < (op, a, b)
            {
                (op, first, second) = (swapped, Some(b), Some(a));
            }
        }
        Key::new(op, [first, second], ty)
    }

    /// The same for operands in their own order.
    pub fn in_order(op: Op, args: &[Value], ty: Option<Type>) -> Key {
        Key::new(op, [args.first().copied(), args.get(1).copied()], ty)
    }

    fn new(op: Op, [first, second]: [Option<Value>; 2], ty: Option<Type>) -> Key {
        let number = |value: Option<Value>| value.map_or(0, |value| value.index() as u64 + 1);
        let hash = fold(fold(u64::from(op as u16), number(first)), number(second));
        Key { op, ty, first, second, long: None, hash: (hash >> 32) as u32 }
    }

    /// The key of an instruction as it stands.
    pub fn of(f: &Function, inst: Inst) -> Key {
        let (data, args) = (f.inst(inst), f.args(inst));
        let ty = f.first_result(inst).map(|value| f.ty(value));
        let mut key = Key::short(data.op, args, ty);
        if args.len() > 2 || data.descr.is_some() {
            key.long = Some(inst);
            let mut hash = fold(u64::from(key.hash), data.descr.map_or(0, |descr| descr.index() as u64 + 1));
            for value in args {
                hash = fold(hash, value.index() as u64);
            }
            key.hash = (hash >> 32) as u32;
        }
        key
    }

    /// Whether the key is more than an operation on at most two operands.
    pub fn is_long(&self) -> bool {
        self.long.is_some()
    }

    fn equals(&self, other: &Key, f: &Function) -> bool {
        let short = self.hash == other.hash
            && self.op == other.op
            && (self.ty == other.ty || fault!("number: result types are ignored"))
            && self.first == other.first
            && self.second == other.second;
        short
            && match (self.long, other.long) {
                (None, None) => true,
                (Some(a), Some(b)) => f.inst(a).descr == f.inst(b).descr && f.args(a) == f.args(b),
                _ => false,
            }
    }
}

/// What an operation was found to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Known {
    /// Its first result is this value.
    Value(Value),
    /// Its results are those of this instruction.
    Inst(Inst),
    /// Its first result is this value, and it does not overflow.
    Checked(Value),
}

/// One step of a multiplicative hash.
fn fold(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[derive(Clone, Copy)]
struct Entry {
    key: Key,
    known: Known,
}

/// What the table holds of an entry: as little as tells others apart, for in a long block every look-up is a
/// miss of the cache.
#[derive(Clone, Copy)]
struct Slot {
    hash: u32,
    entry: u32,
}

/// For a table that looks at the upper bits and the lower ones.
fn spread(hash: u32) -> u64 {
    u64::from(hash) * 0x1_0000_0001
}

/// The operations that dominate the place where the walk is.
#[derive(Default)]
pub(crate) struct Numbering {
    table: HashTable<Slot>,
    /// Oldest first; what a scope made is the end of it.
    entries: Vec<Entry>,
}

impl Numbering {
    /// Forgets everything and keeps the memory. O(entries): a table that was large once is not swept for
    /// every small function after.
    pub fn clear(&mut self) {
        if self.entries.len() < self.table.capacity() / 16 {
            self.forget(0);
        } else {
            self.table.clear();
            self.entries.clear();
        }
    }

    /// What is known to equal the operation. Expected O(1).
    pub fn find(&self, f: &Function, key: &Key) -> Option<Known> {
        let equal = |slot: &Slot| slot.hash == key.hash && self.entry(slot).key.equals(key, f);
        self.table.find(spread(key.hash), equal).map(|slot| self.entry(slot).known)
    }

    /// The same of the last `most` operations of its kind, by what stands for their operands now.
    pub fn find_renamed(&self, key: &Key, most: usize, stands: impl Fn(Value) -> Value) -> Option<Known> {
        let alike = |entry: &&Entry| {
            entry.key.long.is_none()
                && entry.key.ty == key.ty
                && [Some(key.op), key.op.swapped()].contains(&Some(entry.key.op))
        };
        let now = |entry: &Entry| {
            let operands: Vec<Value> =
                [entry.key.first, entry.key.second].into_iter().flatten().map(&stands).collect();
            Key::short(entry.key.op, &operands, entry.key.ty)
        };
        let equal = |entry: &&Entry| {
            let now = now(entry);
            (now.op, now.first, now.second) == (key.op, key.first, key.second)
        };
        self.entries.iter().rev().filter(alike).take(most).find(equal).map(|entry| entry.known)
    }

    fn entry(&self, slot: &Slot) -> &Entry {
        &self.entries[slot.entry as usize]
    }

    /// Remembers what an operation is, unless something is known to equal it.
    pub fn insert(&mut self, f: &Function, key: Key, known: Known) {
        let equal =
            |slot: &Slot| slot.hash == key.hash && self.entries[slot.entry as usize].key.equals(&key, f);
        let rehash = |slot: &Slot| spread(slot.hash);
        if let hashbrown::hash_table::Entry::Vacant(place) = self.table.entry(spread(key.hash), equal, rehash)
        {
            place.insert(Slot { hash: key.hash, entry: self.entries.len() as u32 });
            self.entries.push(Entry { key, known });
        }
    }

    /// The state to which [`undo`](Self::undo) goes back.
    pub fn mark(&self) -> usize {
        self.entries.len()
    }

    /// Forgets what was remembered since `mark`. O(1) for each entry.
    pub fn undo(&mut self, mark: usize) {
        if !fault!("number: a scope is not left") {
            self.forget(mark);
        }
    }

    fn forget(&mut self, mark: usize) {
        for (number, entry) in self.entries.drain(mark..).enumerate() {
            let this = |slot: &Slot| slot.entry as usize == mark + number;
            if let Ok(slot) = self.table.find_entry(spread(entry.key.hash), this) {
                slot.remove();
            }
        }
    }
}
