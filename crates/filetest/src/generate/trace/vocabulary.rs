//! The declarations that random traces stand under, and the words of operations by kind.

use super::draft::Kind;

/// A callee that writes reads everything: the interpreter lets it reach what only fields lead to that it does not read.
///
/// What every random trace declares: two classes of which one derives from the other, a structure without a class,
/// arrays, memory outside of the heap, functions of known meaning and calls of every effect.
pub(super) const HEADER: &str = "\
#! class node_vtable range=0..1
#! class leaf_vtable range=1..1
#! class jit_virtual_ref_vtable range=2..2
#! struct NODE(object) vtable=node_vtable { value:i8s, small:i1u, real:f8, next:r, text:r, items:r, fixed:i8s!, watched:i8s? }
#! struct LEAF(NODE) vtable=leaf_vtable { value:i8s, small:i1u, real:f8, next:r, text:r, items:r, fixed:i8s!, watched:i8s?, more:i8s }
#! struct JitVirtualRef(object) vtable=jit_virtual_ref_vtable { virtual_token:r, forced:r }
#! size node NODE
#! size leaf LEAF
#! size vref JitVirtualRef
#! field value NODE.value rank=1
#! field small NODE.small rank=2
#! field real NODE.real rank=3
#! field next NODE.next rank=4
#! field text NODE.text rank=5
#! field items NODE.items rank=6
#! field fixed NODE.fixed rank=7
#! field watched NODE.watched rank=8
#! field token JitVirtualRef.virtual_token rank=9
#! field forced JitVirtualRef.forced rank=10
#! array ints i8s
#! array refs r
#! array pairs { left:i8s, right:f8 }
#! interior left pairs.left
#! interior right pairs.right
#! array words i8s raw nolen
#! array halves i4s raw nolen
#! array bytes i1u raw nolen
#! array doubles f8 raw nolen
#! ptr here NODE vtable=node_vtable { value=5, fixed=7, watched=3 }
#! ptr there LEAF vtable=leaf_vtable { fixed=-1, watched=4 }
#! call reads (i)i effect=cannot_raise reads=value,ints
#! call writes (i)i effect=can_raise reads=* writes=value,small,ints,left
#! call forces (i)i effect=forces_virtual_or_virtualizable reads=* writes=value invalidates
#! call random (i)i effect=random_effects
#! call computes (i)i effect=elidable_cannot_raise
#! call lacks (i)i effect=elidable_or_memoryerror
#! call fails (i)i effect=elidable_can_raise
#! call invariant (i)i effect=loopinvariant
#! call lookup (rrii)i effect=can_raise reads=value,left writes=real oopspec=dict_lookup
#! call divide (ii)i effect=elidable_cannot_raise oopspec=int_py_div
#! call modulo (ii)i effect=elidable_cannot_raise oopspec=int_py_mod
#! call malloc (i)i effect=can_raise oopspec=raw_malloc_varsize_char
#! call free (i) effect=cannot_raise oopspec=raw_free
#! call copy (rriii) effect=cannot_raise reads=ints writes=ints oopspec=arraycopy
#! call move (riii) effect=cannot_raise reads=ints writes=ints oopspec=arraymove
#! call str_concat (rr)r effect=elidable_or_memoryerror oopspec=str_concat
#! call str_slice (rii)r effect=elidable_or_memoryerror oopspec=str_slice
#! call str_equal (rr)i effect=elidable_cannot_raise oopspec=str_equal
#! call str_slice_checknull (riir)i effect=elidable_cannot_raise oopspec=streq_slice_checknull
#! call str_slice_nonnull (riir)i effect=elidable_cannot_raise oopspec=streq_slice_nonnull
#! call str_slice_char (riii)i effect=elidable_cannot_raise oopspec=streq_slice_char
#! call str_nonnull (rr)i effect=elidable_cannot_raise oopspec=streq_nonnull
#! call str_nonnull_char (ri)i effect=elidable_cannot_raise oopspec=streq_nonnull_char
#! call str_checknull_char (ri)i effect=elidable_cannot_raise oopspec=streq_checknull_char
#! call str_lengthok (rr)i effect=elidable_cannot_raise oopspec=streq_lengthok
#! call uni_concat (rr)r effect=elidable_or_memoryerror oopspec=uni_concat
#! call uni_slice (rii)r effect=elidable_or_memoryerror oopspec=uni_slice
#! call uni_equal (rr)i effect=elidable_cannot_raise oopspec=uni_equal
#! call uni_slice_checknull (riir)i effect=elidable_cannot_raise oopspec=unieq_slice_checknull
#! call uni_slice_nonnull (riir)i effect=elidable_cannot_raise oopspec=unieq_slice_nonnull
#! call uni_slice_char (riii)i effect=elidable_cannot_raise oopspec=unieq_slice_char
#! call uni_nonnull (rr)i effect=elidable_cannot_raise oopspec=unieq_nonnull
#! call uni_nonnull_char (ri)i effect=elidable_cannot_raise oopspec=unieq_nonnull_char
#! call uni_checknull_char (ri)i effect=elidable_cannot_raise oopspec=unieq_checknull_char
#! call uni_lengthok (rr)i effect=elidable_cannot_raise oopspec=unieq_lengthok
#! call widen (r)r effect=elidable_or_memoryerror oopspec=str2unicode
#! pure call(900, 3)=42
#! pure call(901, 3)=-1
";

/// Fields with the kind of what they hold. The last one never changes: it is set before anybody reads it.
pub(super) const FIELDS: [(&str, Kind); 7] = [
    ("value", Kind::Int),
    ("small", Kind::Int),
    ("real", Kind::Float),
    ("next", Kind::Node),
    ("text", Kind::Bytes),
    ("items", Kind::Ints),
    ("fixed", Kind::Int),
];

/// The names of operations on one kind of strings.
pub(super) struct StringWords {
    pub kind: Kind,
    pub new: &'static str,
    pub length: &'static str,
    pub get: &'static str,
    pub set: &'static str,
    pub copy: &'static str,
    /// What descriptors of functions on them begin with.
    pub functions: &'static str,
    /// What constants begin with.
    pub quote: &'static str,
}

/// Strings of bytes.
pub(super) const BYTES: StringWords = StringWords {
    kind: Kind::Bytes,
    new: "newstr",
    length: "strlen",
    get: "strgetitem",
    set: "strsetitem",
    copy: "copystrcontent",
    functions: "str",
    quote: "s",
};

/// Strings of Unicode characters.
pub(super) const CODES: StringWords = StringWords {
    kind: Kind::Codes,
    new: "newunicode",
    length: "unicodelen",
    get: "unicodegetitem",
    set: "unicodesetitem",
    copy: "copyunicodecontent",
    functions: "uni",
    quote: "u",
};
