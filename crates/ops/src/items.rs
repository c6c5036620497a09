//! Constant tables (lookup tables, LLVM's constant arrays): numbers that are there before a program runs and never change.
//!
//! An index is a number without sign, and one behind the last item gives the last item. So a look-up means something for
//! every index, as a shift does for every amount: it may be moved, hoisted and made where nobody asks for its result,
//! without a question about its index. A machine pays a minimum where it does not know that the index is in range.

use crate::machine::{Int, Real};
use crate::types::Type;

/// A constant table: items of one integer or floating-point type, at least one.
#[derive(Clone, Debug)]
pub struct Items {
    ty: Type,
    /// The encodings, cut to the width of the type.
    words: Box<[u64]>,
    /// What all items have in common, if they are integers.
    common: Common,
}

/// What integers have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Common {
    /// The least of them, signed.
    pub least: i64,
    /// The greatest of them, signed.
    pub greatest: i64,
    /// The bits that are set in all of them.
    pub ones: u64,
    /// The bits that are set in none of them.
    pub zeros: u64,
}

/// One item of a table.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Item {
    /// An integer.
    Int(Int),
    /// A float.
    Real(Real),
}

impl Items {
    /// The most items that a table has.
    pub const MOST: usize = 1 << 24;

    /// A table of items, by their encodings. `None` where there are none or too many, or the type is not one of numbers.
    pub fn new(ty: Type, mut words: Box<[u64]>) -> Option<Items> {
        let width = ty.int_width().or_else(|| ty.float_format().map(|format| format.bits()))?;
        if words.is_empty() || words.len() > Items::MOST {
            return None;
        }
        let mask = u64::MAX >> (64 - width);
        words.iter_mut().for_each(|word| *word &= mask);
        let common = common(width, &words);
        Some(Items { ty, words, common })
    }

    /// The type of the items.
    pub fn ty(&self) -> Type {
        self.ty
    }

    /// The encodings of the items, zeros above their width.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The number of the item that an index reads.
    pub fn clamp(&self, index: u64) -> usize {
        usize::try_from(index).unwrap_or(usize::MAX).min(self.words.len() - 1)
    }

    /// The item that an index reads.
    pub fn item(&self, index: Int) -> Item {
        self.decoded(self.words[self.clamp(index.unsigned())])
    }

    /// All items in order.
    pub fn iter(&self) -> impl Iterator<Item = Item> + '_ {
        self.words.iter().map(|&word| self.decoded(word))
    }

    fn decoded(&self, word: u64) -> Item {
        match self.ty.float_format() {
            Some(format) => Item::Real(Real::from_bits(format, word)),
            None => Item::Int(Int::new(self.ty.int_width().unwrap_or(64), word)),
        }
    }

    /// What the items that indices from `first` to `last`, without sign, read have in common. `None` unless they are integers.
    /// O(items among them), or O(1) where there are so many that it would not pay.
    pub fn common(&self, first: u64, last: u64) -> Option<Common> {
        const MOST_ASKED: usize = 1024;
        let width = self.ty.int_width()?;
        let asked = &self.words[self.clamp(first)..=self.clamp(last.max(first))];
        Some(if asked.len() > MOST_ASKED { self.common } else { common(width, asked) })
    }
}

/// What words of a width have in common. O(number of words).
fn common(width: u32, words: &[u64]) -> Common {
    let nothing = Common { least: i64::MAX, greatest: i64::MIN, ones: u64::MAX, zeros: u64::MAX };
    words.iter().fold(nothing, |all, &word| {
        let signed = Int::new(width, word).signed();
        Common {
            least: all.least.min(signed),
            greatest: all.greatest.max(signed),
            ones: all.ones & word,
            zeros: all.zeros & !word,
        }
    })
}

impl PartialEq for Items {
    fn eq(&self, other: &Items) -> bool {
        self.ty == other.ty && self.words == other.words
    }
}

impl Eq for Items {}

impl std::hash::Hash for Items {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.ty.hash(state);
        self.words.hash(state);
    }
}

#[cfg(test)]
mod tests {
    use super::{Item, Items};
    use crate::{Int, Type};

    fn bytes(words: &[u64]) -> Items {
        Items::new(Type::Int(8), words.into()).expect("there are items")
    }

    #[test]
    fn an_index_has_no_sign_and_behind_the_last_item_is_the_last_item() {
        let items = bytes(&[5, 250, 7]);
        let at = |index: u64| match items.item(Int::new(8, index)) {
            Item::Int(int) => int.signed(),
            Item::Real(_) => panic!("these are integers"),
        };
        assert_eq!([at(0), at(1), at(2), at(3), at(255)], [5, -6, 7, 7, 7]);
    }

    #[test]
    fn what_items_have_in_common_holds_for_each_that_can_be_read() {
        let items = bytes(&[0b1100, 0b1101, 0x80]);
        let common = items.common(0, 1).expect("integers");
        assert_eq!((common.least, common.greatest, common.ones, common.zeros & 0xff), (12, 13, 0b1100, 0xf2));
        assert_eq!(items.common(1, 9).expect("integers").least, -128);
        assert_eq!(items.common(7, 9).expect("integers").greatest, -128);
    }

    #[test]
    fn there_is_no_table_without_items_and_none_of_references() {
        assert!(Items::new(Type::I32, [].into()).is_none());
        assert!(Items::new(Type::Ref, [0].into()).is_none());
        assert!(Items::new(Type::F32, [0].into()).is_some());
    }
}
