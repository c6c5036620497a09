//! Descriptors and effects, the alias oracle: what a field, array, class or callee is, asked through one trait.
//!
//! A descriptor is a number on an instruction. What it stands for is the business of the dialect: a
//! PyPy trace has `descr=<FieldS list.length 8>`, a class file a constant-pool entry. Passes ask
//! [`World`], so heap forwarding, allocation removal and purity are written once.

use crate::items::Items;
pub use crate::look_up::LookUp;
use crate::machine::Int;
use crate::types::Type;

planish_base::define_id!(
    /// A field, array type, class, callee or other thing that an instruction names.
    Descr, "d"
);

/// Whether a location may change after its object was made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mutability {
    /// It may change at any time.
    Mutable,
    /// It does not change unless a guard that says so fails.
    QuasiImmutable,
    /// It never changes once initialised.
    Immutable,
}

/// A location of an object, or an item of an array.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Location {
    /// The type of the value in an instruction.
    pub ty: Type,
    /// The bits that are stored, at most those of `ty`; `None` when unknown.
    pub stored_bits: Option<u8>,
    /// Whether a load of a narrow location extends its sign.
    pub signed: bool,
    /// Whether it may change.
    pub mutability: Mutability,
    /// Locations of different alias classes are different memory.
    pub alias_class: u32,
    /// Whether the memory is outside the heap of objects and may change behind our back.
    pub raw: bool,
}

impl Location {
    /// How what a load gives is made of what is stored, where that has fewer bits than the type.
    pub fn extension(&self) -> Option<Extension> {
        let bits = self.stored_bits.filter(|&bits| bits > 0)?;
        Some(Extension { bits, signed: self.signed }).filter(|it| it.narrows(self.ty))
    }
}

/// How a word is made of fewer bits (LLVM's `zeroext` and `signext`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Extension {
    /// How many there are, from 1.
    pub bits: u8,
    /// Whether the highest of them is the sign.
    pub signed: bool,
}

impl Extension {
    /// Whether words of a type have more bits than that.
    pub fn narrows(self, ty: Type) -> bool {
        ty.int_width().is_some_and(|width| u32::from(self.bits) < width)
    }

    /// A word made of the low bits of another one.
    pub fn apply(self, word: Int) -> Int {
        let bits = u32::from(self.bits);
        if bits >= word.width() {
            return word;
        }
        let low = Int::new(bits, word.unsigned());
        Int::new(word.width(), if self.signed { low.signed() as u64 } else { low.unsigned() })
    }

    /// The least and the greatest number that there is, of a type that it [narrows](Self::narrows).
    pub fn range(self) -> (i64, i64) {
        match self.signed {
            true => (i64::MIN >> (64 - self.bits), i64::MAX >> (64 - self.bits)),
            false => (0, i64::MAX >> (63 - self.bits)),
        }
    }

    /// Whether it is 0 or 1.
    pub fn is_bool(self) -> bool {
        self.bits == 1 && !self.signed
    }
}

/// Whether a call is made at all, which its first argument may tell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Made {
    /// It is.
    #[default]
    Always,
    /// Only where the first argument is not zero; else nothing happens and results mean nothing.
    UnlessZero,
    /// Only where the first argument is zero or null; else nothing happens and that is the result.
    IfZero,
}

/// What a call may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallEffect {
    /// Whether it is made at all.
    pub made: Made,
    /// It only computes: it returns, unless it raises; nothing that it writes can be seen; and once it could be called
    /// with some arguments, it gives the same for equal ones from then on, whatever is written in between.
    ///
    /// So a call whose result is not used need not be made if it does not raise, one that an equal one dominates gives
    /// what that gave, and one that does not raise may be made later. It may be made *earlier* only where nothing that
    /// it [`reads`](Self::reads) is written between the two places: its arguments may not be complete yet.
    pub elidable: bool,
    /// The same result throughout one run of a loop.
    pub loop_invariant: bool,
    /// May leave by raising an exception.
    pub raises: bool,
    /// All that it raises is that memory lacks.
    pub raises_lack_of_memory: bool,
    /// How its result is made of fewer bits than its type has.
    pub result: Option<Extension>,
    /// May look at, and so force, objects that the optimizer keeps virtual.
    pub forces_virtuals: bool,
    /// May make quasi-immutable fields change.
    pub invalidates: bool,
    /// Alias classes that it may read, sorted; `None` is all of them.
    pub reads: Option<Vec<u32>>,
    /// Alias classes that it may write, sorted; `None` is all of them.
    pub writes: Option<Vec<u32>>,
}

impl CallEffect {
    /// The effect of a callee of which nothing is known.
    pub const fn unknown() -> Self {
        CallEffect {
            made: Made::Always,
            elidable: false,
            loop_invariant: false,
            raises: true,
            raises_lack_of_memory: false,
            result: None,
            forces_virtuals: true,
            invalidates: true,
            reads: None,
            writes: None,
        }
    }

    /// The effect of a function that computes from its arguments and does nothing else.
    pub fn pure() -> Self {
        CallEffect {
            made: Made::Always,
            elidable: true,
            loop_invariant: false,
            raises: false,
            raises_lack_of_memory: false,
            result: None,
            forces_virtuals: false,
            invalidates: false,
            reads: Some(Vec::new()),
            writes: Some(Vec::new()),
        }
    }
}

/// What an allocation makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Fresh {
    /// The address of its class as an integer constant: the constant's symbol, or a number.
    pub class: Option<Content>,
    /// Whether references in it are null before the first store, and everything else zero or undefined.
    pub cleared: bool,
}

/// A constant, or what memory that never changes holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Content {
    /// An integer, sign-extended.
    Int(i64),
    /// The bits of a float.
    Float(u64),
    /// The null reference.
    Null,
    /// A symbol, by number.
    Symbol(u32),
}

/// The characters of a constant string.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Characters {
    /// Whether it is one of Unicode characters, not of bytes.
    pub unicode: bool,
    /// The characters.
    pub codes: Box<[u32]>,
}

/// What a remark promises.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Remark {
    /// The operand is not null.
    Nonnull,
    /// The first operand is of exactly the class that the second is.
    ExactClass,
    /// The first operand is the second.
    ExactValue,
    /// The first operand is what a call on the others gives, which the descriptor names.
    KnownResult,
    /// Nothing: whoever runs the program keeps the operand.
    Kept,
}

/// A function whose meaning is known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Meaning {
    /// concat(x, y)
    Concat,
    /// slice(x, start, stop)
    Slice,
    /// equal(x, y), where either may be null
    Equal,
    /// slice(x, start, start + length) equals y, which may be null
    EqualSliceOrNull,
    /// The same where y is not null.
    EqualSlice,
    /// slice(x, start, start + length) is one character
    EqualSliceCharacter,
    /// equal(x, y), neither null
    EqualThere,
    /// x is one character, and not null
    EqualCharacter,
    /// x is one character, or null
    EqualCharacterOrNull,
    /// equal(x, y), neither null and both of one length
    EqualOfLength,
    /// compare(x, y): below 0, 0 or above; of single characters their difference
    Order,
    /// shrink(x, length): a string that nobody else has, cut off
    Shrink,
    /// The Unicode string of the same characters, which must be ASCII.
    ToUnicode,
    /// x / y rounded down
    FloorDiv,
    /// x - y * floor(x / y)
    FloorMod,
    /// x / y without signs
    UnsignedDiv,
    /// copy(from, to, start in from, start in to, length): items of arrays, of which one is perhaps the other
    ArrayCopy,
    /// move(array, from, to, length): items of one array
    ArrayMove,
    /// Allocates so many bytes outside the heap.
    RawMalloc,
    /// Frees such bytes.
    RawFree,
    /// Leaves if an allocation outside the heap failed. It is no function, and its operand is the first.
    MemoryCheck,
}

/// What a guard asks of the type of a reference that is not null, other than its exact class.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TypeGuard {
    /// It is an object with a class.
    Object,
    /// Its class is the second operand or derives from it.
    Derives,
    /// It has the layout that the second operand names.
    Layout,
}

impl TypeGuard {
    /// Every question.
    pub const ALL: [TypeGuard; 3] = [TypeGuard::Object, TypeGuard::Derives, TypeGuard::Layout];
}

/// What a number in a program names the layout of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Layout {
    /// Arrays of these items.
    Array(Descr),
    /// Objects of exactly the class at the address that a symbol is.
    Object(u32),
}

/// How memory outside the heap is accessed through a descriptor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RawAccess {
    /// How many bytes an offset of one is.
    pub scale: i64,
    /// The descriptor of the same location for offsets in bytes.
    pub by_bytes: Descr,
}

impl Meaning {
    /// The functions that compare strings.
    pub const COMPARING: [Meaning; 8] = [
        Meaning::Equal,
        Meaning::EqualSliceOrNull,
        Meaning::EqualSlice,
        Meaning::EqualSliceCharacter,
        Meaning::EqualThere,
        Meaning::EqualCharacter,
        Meaning::EqualCharacterOrNull,
        Meaning::EqualOfLength,
    ];
}

/// What a callee does with memory of cells, which only such calls touch. Its operands are those of the call.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cells {
    /// allocate(n): a pointer to the first of n new cells that hold nothing
    Allocate,
    /// free(p): the end of an allocation, to whose first cell p points
    Free,
    /// load(p): what the cell holds
    Load,
    /// store(p, x)
    Store,
    /// move(p, n): a pointer to the cell that is n further on
    Move,
}

/// What descriptors stand for. Every question has a conservative answer, which is the default.
pub trait World {
    /// How the descriptor is written in `.ssa` text.
    fn name(&self, descr: Descr) -> &str;

    /// The field or item that a load or store names; `None` when it must be taken for any memory.
    fn location(&self, descr: Descr) -> Option<Location>;

    /// The location of raw memory in the alias class of another one that holds a whole word of so many bits, if there is one.
    fn raw_word(&self, like: Descr, bits: u8) -> Option<Descr> {
        let _ = (like, bits);
        None
    }

    /// The constant table that a look-up names.
    fn table(&self, descr: Descr) -> Option<&Items> {
        let _ = descr;
        None
    }

    /// The descriptor of a constant table of these items, which is made if there is none. `None` where no table can be made.
    fn make_table(&self, items: Items) -> Option<Descr> {
        let _ = items;
        None
    }

    /// What a call through this descriptor may do.
    fn call_effect(&self, descr: Descr) -> &CallEffect {
        static UNKNOWN: CallEffect = CallEffect::unknown();
        let _ = descr;
        &UNKNOWN
    }

    /// Whether a reference has a type of its own that whoever runs the program checks: then one that is found equal to
    /// another in some place cannot stand for it there.
    fn references_are_typed(&self) -> bool {
        false
    }

    /// Whether a call does nothing but make visible the object that its last argument names, and so
    /// nothing at all while that object is not even made.
    fn only_forces(&self, descr: Descr) -> bool {
        let _ = descr;
        false
    }

    /// The descriptor of the same call without the operand that tells whether it is made, if there is one.
    fn unconditional(&self, descr: Descr) -> Option<Descr> {
        let _ = descr;
        None
    }

    /// Whether what a call gives is an object that has no content yet, as `new` gives it in a class file: until something
    /// fills it in, no two of them may meet in one parameter.
    fn unfinished(&self, descr: Descr) -> bool {
        let _ = descr;
        false
    }

    /// Whether a call gives the item of its first operand, of which a length is asked as of an array, at the place that is its
    /// second, and does nothing else: it raises where that operand is null, or there is no such place.
    fn gives_item(&self, callee: Descr) -> bool {
        let _ = callee;
        false
    }

    /// Whether the source says that a call is made once for equal operands.
    fn made_once(&self, descr: Descr) -> bool {
        let _ = descr;
        false
    }

    /// What a call looks into, if it looks a key up in a dictionary.
    fn look_up(&self, callee: Descr) -> Option<&LookUp> {
        let _ = callee;
        None
    }

    /// What a remark says of its operands.
    fn remark(&self, descr: Descr) -> Option<Remark> {
        let _ = descr;
        None
    }

    /// Whether the object that a symbol is has a place: a field of its structure, an item within its length.
    fn has_place(&self, symbol: u32, descr: Descr, index: i64) -> Option<bool> {
        let _ = (symbol, descr, index);
        None
    }

    /// Whether a guard never fails: it marks a place at which others may leave.
    fn only_marks(&self, descr: Descr) -> bool {
        let _ = descr;
        false
    }

    /// What an allocation through this descriptor makes.
    fn fresh(&self, descr: Descr) -> Fresh {
        let _ = descr;
        Fresh::default()
    }

    /// Stores that wait are made in this order, those of one rank in the order of descriptors. It has no
    /// meaning but to be the same everywhere.
    fn rank(&self, descr: Descr) -> u32 {
        let _ = descr;
        0
    }

    /// Where a field stands among those of its object. An object that is made gets its fields in this
    /// order, those of one position in the order in which they were set.
    fn position(&self, descr: Descr) -> u32 {
        let _ = descr;
        0
    }

    /// Whether two symbols, by number, surely are different addresses or objects.
    fn differ(&self, a: u32, b: u32) -> bool {
        let _ = (a, b);
        false
    }

    /// The class of the object that a symbol is, by the number of the symbol of its address.
    fn class_of(&self, symbol: u32) -> Option<u32> {
        let _ = symbol;
        None
    }

    /// Whether the class that a symbol is derives from another, or is it.
    fn derives(&self, class: u32, from: u32) -> Option<bool> {
        let _ = (class, from);
        None
    }

    /// What a guard asks, if it is one about types.
    fn type_guard(&self, descr: Descr) -> Option<TypeGuard> {
        let _ = descr;
        None
    }

    /// The descriptor of guards that ask something of types.
    fn type_guard_of(&self, asks: TypeGuard) -> Option<Descr> {
        let _ = asks;
        None
    }

    /// The number of the symbol that names the layout of arrays of items, or of objects with a field.
    fn layout_of(&self, descr: Descr) -> Option<u32> {
        let _ = descr;
        None
    }

    /// The class, by the number of the symbol of its address, from which all objects with a field derive.
    fn owner(&self, field: Descr) -> Option<u32> {
        let _ = field;
        None
    }

    /// The layout that a symbol names.
    fn layout(&self, symbol: u32) -> Option<Layout> {
        let _ = symbol;
        None
    }

    /// What a field of the object that a symbol is holds, or an item of it. Of use only where the
    /// location never changes, or a guard watches it.
    fn content(&self, symbol: u32, descr: Descr, index: i64) -> Option<Content> {
        let _ = (symbol, descr, index);
        None
    }

    /// A constant, by the number of its symbol, that stands for every object which an allocation makes with such fields
    /// and which never changes. A field without content holds a constant object that has no name.
    fn standing_for(&self, allocation: Descr, fields: &[(Descr, Option<Content>)]) -> Option<u32> {
        let _ = (allocation, fields);
        None
    }

    /// The length of the array that a symbol is.
    fn length_of(&self, symbol: u32) -> Option<u64> {
        let _ = symbol;
        None
    }

    /// What a callee does, where that is known, and whether with strings of Unicode characters. Its
    /// operands are those of the call behind the function.
    fn meaning(&self, descr: Descr) -> Option<(Meaning, bool)> {
        let _ = descr;
        None
    }

    /// The name of the function that a callee is, if a function is what it is.
    fn called(&self, callee: Descr) -> &str {
        self.name(callee)
    }

    /// What a callee does with memory of cells.
    fn cells(&self, descr: Descr) -> Option<Cells> {
        let _ = descr;
        None
    }

    /// The items that a callee copies or moves between arrays.
    fn copied(&self, callee: Descr) -> Option<Descr> {
        let _ = callee;
        None
    }

    /// How memory outside the heap is accessed, where the size is known.
    fn raw_access(&self, descr: Descr) -> Option<RawAccess> {
        let _ = descr;
        None
    }

    /// A function of this meaning: its descriptor and its address.
    fn function(&self, meaning: Meaning, unicode: bool) -> Option<(Descr, i64)> {
        let _ = (meaning, unicode);
        None
    }

    /// The descriptor of the characters of strings.
    fn characters(&self, unicode: bool) -> Option<Descr> {
        let _ = unicode;
        None
    }

    /// The string that a symbol is.
    fn text(&self, symbol: u32) -> Option<&Characters> {
        let _ = symbol;
        None
    }

    /// The symbol that is a string, when there is one.
    fn text_symbol(&self, text: &Characters) -> Option<u32> {
        let _ = text;
        None
    }

    /// The number that the next new symbol will have, where new strings can be made.
    fn next_symbol(&self) -> Option<u32> {
        None
    }

    /// Whether a string that no symbol is yet can become a constant: a dialect may have no way to spell it.
    fn can_spell(&self, text: &Characters) -> bool {
        let _ = text;
        true
    }

    /// The result of a call that only computes, on these operands.
    fn known_result(&self, operands: &[Content]) -> Option<Content> {
        let _ = operands;
        None
    }
}

#[cfg(test)]
mod tests {
    use super::Extension;
    use crate::{Int, Type};

    #[test]
    fn the_ends_of_what_is_stored_in_so_many_bits_are_in_its_range_and_nothing_beyond() {
        for bits in 1..64 {
            for signed in [false, true] {
                let extension = Extension { bits, signed };
                assert!(extension.narrows(Type::I64));
                let (least, greatest) = extension.range();
                let apply = |number: i64| extension.apply(Int::new(64, number as u64)).signed();
                assert_eq!([apply(least), apply(greatest)], [least, greatest], "{bits} {signed}");
                assert_eq!(apply(greatest.wrapping_add(1)), least, "{bits} {signed}");
            }
        }
    }
}
