//! Memory outside the heap that is kept back: buffers, addresses in them, and what was stored there.

use planish_base::SideTable;
use planish_ir::{Inst, Value};
use planish_ops::Type;
use planish_ops::world::Descr;

/// A value that was stored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stored {
    pub offset: i64,
    pub value: Value,
    /// The location, with an offset in bytes.
    pub descr: Descr,
    pub(super) bytes: i64,
    /// What a load must agree in: type and sign.
    pub(super) like: (Type, bool),
}

impl Stored {
    pub(super) fn end(&self) -> i64 {
        self.offset + self.bytes
    }
}

/// A buffer.
pub(super) struct Buffer {
    /// The call that would allocate it, and its result.
    pub inst: Inst,
    pub start: Value,
    pub made: bool,
    /// By offset; they do not overlap.
    pub stores: Vec<Stored>,
}

/// An address in a buffer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Address {
    pub buffer: usize,
    pub offset: i64,
    /// Whether the value is computed by now.
    pub made: bool,
}

/// All buffers of which something is known.
#[derive(Default)]
pub(crate) struct Raw {
    pub(super) of: SideTable<Value, Option<Address>>,
    pub(super) values: Vec<Value>,
    pub(super) buffers: Vec<Buffer>,
}

impl Raw {
    /// Whether anything may be kept back.
    #[inline]
    pub fn any(&self) -> bool {
        !self.buffers.is_empty()
    }

    /// Whether a value is an address that is not computed.
    #[inline]
    pub fn is(&self, value: Value) -> bool {
        self.any() && self.of[value].is_some_and(|address| !address.made)
    }

    pub(super) fn add(&mut self, value: Value, buffer: usize, offset: i64) {
        self.of[value] = Some(Address { buffer, offset, made: false });
        self.values.push(value);
    }

    /// The buffer that a value is an address in, while it is not made, and how far behind its start.
    pub(super) fn inside(&self, value: Value) -> Option<(usize, i64)> {
        let address = self.of[value].filter(|_| self.any())?;
        (!self.buffers[address.buffer].made).then_some((address.buffer, address.offset))
    }

    /// Whether a value is the start of a buffer that was or would be made here.
    pub(super) fn starts(&self, value: Value) -> bool {
        self.any() && self.of[value].is_some_and(|address| self.buffers[address.buffer].start == value)
    }

    /// The call that would allocate the buffer whose start a value is.
    pub fn allocation(&self, value: Value) -> Option<Inst> {
        let (buffer, _) = self.inside(value)?;
        (self.buffers[buffer].start == value).then_some(self.buffers[buffer].inst)
    }

    /// What was stored in a buffer that is not made, by the value of its start.
    pub fn stores(&self, value: Value) -> &[Stored] {
        match self.inside(value) {
            Some((buffer, _)) => &self.buffers[buffer].stores,
            None => &[],
        }
    }

    /// Forgets everything.
    pub fn forget(&mut self) {
        for value in self.values.drain(..) {
            self.of[value] = None;
        }
        self.buffers.clear();
    }
}

/// Where among the stores one belongs that takes the place from `offset` to `end`: at an equal one, or between two;
/// nothing if it overlaps.
pub(super) fn place(stores: &[Stored], offset: i64, end: i64) -> Option<Result<usize, usize>> {
    let at = stores.partition_point(|stored| stored.end() <= offset);
    match stores.get(at) {
        Some(stored) if (stored.offset, stored.end()) == (offset, end) => Some(Ok(at)),
        Some(stored) if stored.offset < end => None,
        _ => Some(Err(at)),
    }
}
