//! What passes over memory assume, as lemmas: which loads give what is known, and which stores nobody sees.
//!
//! Memory is an array of bytes by address, and so is what a store stores, by position. A byte that is read behind stores is that
//! of the last one that wrote there, or what was there before: that is the theory of arrays. Of a byte at an address nothing is
//! assumed but that it is the same where the address is. So a lemma speaks of accesses of any number of bytes, around the end
//! of memory, too.
//!
//! Objects are memory of their own: a field or an item is one unit, and units of other objects, fields or indices are apart.
//!
//! That nothing else writes or looks in between is what a pass has to find out; that it finds the bytes apart, it asks [`apart`],
//! which the lemmas are about. [`Lemma::name`] stands in the record of each rewrite.

use planish_base::fault;
use planish_ops::Bits;

use crate::calc::calc;

/// Whether two accesses of so many bytes at these addresses touch no byte in common.
pub fn apart<B: Bits>(b: &mut B, x: B::Word, bytes: B::Word, y: B::Word, others: B::Word) -> B::Bool {
    let behind = calc!(b; ule(bytes, sub(y, x)));
    let before = calc!(b; ule(others, sub(x, y)));
    if fault!("memory lemma: one end is enough") { behind } else { b.both(behind, before) }
}

/// A lemma about memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lemma {
    /// A load gives what was stored, stores elsewhere in between or not.
    LoadAfterStore,
    /// A load gives what an equal one gave before stores elsewhere.
    LoadAfterLoad,
    /// A store is not seen if the next one to its bytes comes before anybody looks, stores elsewhere in between or not.
    StoreOverStore,
    /// A store of what is there changes nothing.
    StoreOfWhatIsThere,
    /// Stores to bytes apart may change places.
    StorePastStore,
    /// A store behind the bytes of another one is a store of both, as one word, to the address of that.
    StoreBesideStore,
}

/// Every lemma.
pub const LEMMAS: [Lemma; 6] = [
    Lemma::LoadAfterStore,
    Lemma::LoadAfterLoad,
    Lemma::StoreOverStore,
    Lemma::StoreOfWhatIsThere,
    Lemma::StorePastStore,
    Lemma::StoreBesideStore,
];

/// An array: what is read of it by index, and the words that are still free for that.
struct Array<W> {
    read: Vec<(W, W)>,
    free: Vec<W>,
}

impl<W: Copy> Array<W> {
    fn new(free: &[W]) -> Self {
        Array { read: Vec::new(), free: free.to_vec() }
    }

    /// What stands at an index.
    fn at(&mut self, index: W) -> W {
        let value = self.free.pop().expect("a word for each read");
        self.read.push((index, value));
        value
    }

    /// That what stands at equal indices is equal.
    fn is_function<B: Bits<Word = W>>(&self, b: &mut B) -> B::Bool {
        let mut all = b.truth(true);
        for (number, &(i, x)) in self.read.iter().enumerate() {
            for &(j, y) in &self.read[..number] {
                let same = calc!(b; implies(eq(i, j), eq(x, y)));
                all = b.both(all, same);
            }
        }
        all
    }
}

/// The byte at an address behind a store of so many bytes, of which the one at that position is `stored`.
fn behind<B: Bits>(
    b: &mut B,
    address: B::Word,
    [at, bytes]: [B::Word; 2],
    stored: B::Word,
    before: B::Word,
) -> B::Word {
    let written = calc!(b; ult(sub(address, at), bytes));
    b.select(written, stored, before)
}

impl Lemma {
    /// The name in the ledger and in records.
    pub const fn name(self) -> &'static str {
        match self {
            Lemma::LoadAfterStore => "load after store",
            Lemma::LoadAfterLoad => "load after load",
            Lemma::StoreOverStore => "store over store",
            Lemma::StoreOfWhatIsThere => "store of what is there",
            Lemma::StorePastStore => "store past store",
            Lemma::StoreBesideStore => "store beside store",
        }
    }

    /// The widths of the words that it takes: addresses and numbers, then bytes. Small widths are for trying every value, and
    /// between those and the ones for solvers it says nothing.
    pub fn widths(self, width: u32) -> Option<Vec<u32>> {
        let byte = match width {
            ..=3 => 1,
            8.. => 8,
            _ => return None,
        };
        Some([[width; 5].as_slice(), [byte; 4].as_slice()].concat())
    }

    /// What is given and what follows, of two accesses, each an address and a number of bytes, an address or position, and bytes.
    pub fn claim<B: Bits>(self, b: &mut B, words: &[B::Word]) -> (B::Bool, B::Bool) {
        let (&[x, n, y, m, at], bytes) = words.split_first_chunk().expect("five words");
        let (one, other) = ([x, n], [y, m]);
        let is_apart = apart(b, x, n, y, m);
        match self {
            Lemma::LoadAfterStore => {
                let (mut stored, elsewhere, before) = (Array::new(&bytes[..2]), bytes[2], bytes[3]);
                let address = b.add(x, at);
                let position = b.sub(address, x);
                let first = stored.at(position);
                let first = behind(b, address, one, first, before);
                let loaded = behind(b, address, other, elsewhere, first);
                let expected = stored.at(at);
                let function = stored.is_function(b);
                let given = calc!(b; both(function, both(is_apart, ult(at, n))));
                (given, b.eq(loaded, expected))
            }
            Lemma::LoadAfterLoad => {
                let (elsewhere, before) = (bytes[0], bytes[1]);
                let address = b.add(x, at);
                let loaded = behind(b, address, other, elsewhere, before);
                (calc!(b; both(is_apart, ult(at, n))), b.eq(loaded, before))
            }
            Lemma::StoreOverStore => {
                let (old, elsewhere, new, before) = (bytes[0], bytes[1], bytes[2], bytes[3]);
                let first = behind(b, at, one, old, before);
                let [with, without] = [first, before].map(|memory| {
                    let memory = behind(b, at, other, elsewhere, memory);
                    behind(b, at, one, new, memory)
                });
                (is_apart, b.eq(with, without))
            }
            Lemma::StoreOfWhatIsThere => {
                let mut memory = Array::new(bytes);
                let was = memory.at(at);
                let position = b.sub(at, x);
                let address = b.add(x, position);
                let stored = memory.at(address);
                let is = behind(b, at, one, stored, was);
                (memory.is_function(b), b.eq(is, was))
            }
            Lemma::StorePastStore => {
                let (stored, elsewhere, before) = (bytes[0], bytes[1], bytes[2]);
                let first = behind(b, at, one, stored, before);
                let there = behind(b, at, other, elsewhere, first);
                let second = behind(b, at, other, elsewhere, before);
                let back = behind(b, at, one, stored, second);
                (is_apart, b.eq(there, back))
            }
            Lemma::StoreBesideStore => {
                let (stored, before) = (bytes[0], bytes[1]);
                // The byte for an address is at one position of the word, and of its upper part, so it is one byte.
                let behind_it = b.add(x, n);
                let position = calc!(b; eq(sub(at, x), add(n, sub(at, behind_it))));
                let first = behind(b, at, one, stored, before);
                let both = behind(b, at, [behind_it, m], stored, first);
                let sum = b.add(n, m);
                let whole = behind(b, at, [x, sum], stored, before);
                (b.ule(n, sum), calc!(b; both(position, eq(both, whole))))
            }
        }
    }
}
