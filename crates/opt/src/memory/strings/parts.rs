//! Strings that are not made, by what they consist of.

use hashbrown::HashMap;
use planish_base::SideTable;
use planish_ir::{Location, Value};
use planish_ops::{Int, Op, Type};
use rustc_hash::FxBuildHasher;

use crate::engine::Cx;

/// What a string consists of.
#[derive(Clone, Debug)]
pub(super) enum Parts {
    Characters(Vec<Option<Value>>),
    Slice { of: Value, start: Value, length: Value },
    Concat { left: Value, right: Value },
}

/// A stretch of a string that is not made.
pub(in crate::memory) enum Piece {
    /// Characters, as far as they are set.
    Characters(Vec<Option<Value>>),
    /// Characters of a string that is made.
    Slice { of: Value, start: Value, length: Value },
    /// A string that is made.
    Whole(Value),
}

#[derive(Clone, Debug)]
pub(super) struct Data {
    pub parts: Parts,
    pub unicode: bool,
    pub made: bool,
}

/// All strings of which something is known.
#[derive(Default)]
pub(crate) struct Strings {
    pub(super) of: SideTable<Value, Option<usize>>,
    pub(super) all: Vec<Data>,
    pub(super) lengths: SideTable<Value, Option<Value>>,
    /// What operations on strings were made with.
    pub(super) known: SideTable<Value, bool>,
    /// Characters that were read, by string and index.
    pub(super) read: HashMap<(Value, Value), Value, FxBuildHasher>,
}

impl Strings {
    pub(super) fn data(&self, value: Value) -> Option<&Data> {
        self.of[value].map(|id| &self.all[id])
    }

    /// Whether there may be a string that is not made.
    #[inline]
    pub fn any(&self) -> bool {
        !self.all.is_empty()
    }

    /// Whether a value is a string that is not made.
    #[inline]
    pub fn is(&self, value: Value) -> bool {
        self.any() && self.data(value).is_some_and(|data| !data.made)
    }

    /// What a string that is not made consists of.
    pub(super) fn parts(&self, value: Value) -> Option<&Parts> {
        self.data(value).filter(|data| !data.made).map(|data| &data.parts)
    }

    /// Whether a string consists of unicode characters.
    pub fn is_unicode(&self, value: Value) -> bool {
        self.data(value).is_some_and(|data| data.unicode)
    }

    pub(super) fn keep_back(&mut self, value: Value, parts: Parts, unicode: bool) {
        self.of[value] = Some(self.all.len());
        self.all.push(Data { parts, unicode, made: false });
    }

    /// An operation on strings is made with a value.
    pub fn is_string(&mut self, value: Value) {
        self.known[value] = true;
    }

    /// Whether a value is known to be a string by what was done with it.
    pub fn is_known(&self, value: Value) -> bool {
        self.known[value]
    }

    /// The length of a string that is made, where it was asked for.
    pub fn asked_length(&self, string: Value) -> Option<Value> {
        self.lengths[string]
    }

    /// Whether a character of a string was read and nothing was stored since.
    pub fn is_read(&self, args: &[Value]) -> bool {
        matches!(*args, [string, index] if self.read.contains_key(&(string, index)))
    }

    /// Says that a character is at an index of a string.
    pub fn remember(&mut self, string: Value, index: Value, character: Value) {
        self.read.insert((string, index), character);
    }

    /// Forgets everything.
    pub fn forget(&mut self) {
        self.of.clear();
        self.all.clear();
        self.lengths.clear();
        self.known.clear();
        self.read.clear();
    }
}

pub(super) fn word(cx: &mut Cx<'_>, value: i64) -> Value {
    cx.f.make_int(Type::I64, value)
}

pub(super) fn arithmetic(cx: &mut Cx<'_>, op: Op, x: Value, y: Value) -> Value {
    cx.build(op, &[x, y], &[], Location::default())
}

pub(super) fn constant(cx: &mut Cx<'_>, value: Value) -> Option<i64> {
    cx.int(value).map(Int::signed)
}
