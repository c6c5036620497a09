//! Look-ups in constant tables as terms: a tree of choices by the bits of the index (multiplexers).

use planish_ops::{Bits, Items};
use planish_smt::{Pool, Term};

/// The most items that a question has of one look-up.
const MOST: usize = 1 << 12;

/// The item that an index reads; `None` if the items are no integers, or too many.
pub(crate) fn item(pool: &mut Pool, items: &Items, index: Term) -> Option<Term> {
    let (width, words) = (items.ty().int_width()?, items.words());
    if words.len() > MOST {
        return None;
    }
    let bits = words.len().next_power_of_two().trailing_zeros();
    let room = pool.width(index);
    let mut index = index;
    if bits < room {
        // What is behind all items reads the last one, which stands at every number up to a power of two.
        let (behind, last) = (pool.word(room, 1 << bits), pool.word(room, (1 << bits) - 1));
        let within = pool.ult(index, behind);
        index = pool.select(within, index, last);
    }
    // An index of fewer bits reads no more.
    let mut level: Vec<Term> =
        (0..1_u64 << bits.min(room)).map(|at| pool.word(width, words[items.clamp(at)])).collect();
    for bit in 0..bits.min(room) {
        let mask = pool.word(room, 1 << bit);
        let set = pool.and(index, mask);
        let set = pool.is_nonzero(set);
        level = level
            .chunks(2)
            .map(|pair| if pair[0] == pair[1] { pair[0] } else { pool.select(set, pair[1], pair[0]) })
            .collect();
    }
    level.first().copied()
}
