//! The operations of PyPy's traces, by name: their arguments, their result, and what they become.
//!
//! One row is one operation of the text. [`Lift`] says how the reader's operation becomes instructions
//! of the IR; `lower` reads the same column backwards. Arguments are written as letters: `i` integer,
//! `r` reference, `f` float, `x` any of them, `=` one like that before, of which an address may say a reference, a final
//! `*` any number of any. An operation that is not
//! here is not an error: it stays an opaque call, with a warning.
//!
//! The list follows PyPy's `rpython/jit/metainterp/resoperation.py`; operations that exist only behind
//! the optimizer (`gc_load`, vectors) are known by shape and stay opaque.

use std::sync::OnceLock;

use hashbrown::HashMap;
use planish_ops::Op;
use rustc_hash::FxBuildHasher;

/// The kind of a value in a trace.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// A 64-bit integer or an address outside the heap of objects.
    Int,
    /// A reference to an object.
    Ref,
    /// A 64-bit float.
    Float,
    /// A vector.
    Vector,
}

impl Kind {
    /// The kind that the first letter of a name says.
    pub fn of_letter(letter: u8) -> Option<Kind> {
        match letter {
            b'i' => Some(Kind::Int),
            b'p' | b'r' => Some(Kind::Ref),
            b'f' => Some(Kind::Float),
            b'v' => Some(Kind::Vector),
            _ => None,
        }
    }

    /// The letter with which names of this kind begin.
    pub fn letter(self) -> char {
        match self {
            Kind::Int => 'i',
            Kind::Ref => 'p',
            Kind::Float => 'f',
            Kind::Vector => 'v',
        }
    }

    /// What names of operations end with that have such a result.
    fn suffix(self) -> Option<&'static str> {
        match self {
            Kind::Int => Some("_i"),
            Kind::Ref => Some("_r"),
            Kind::Float => Some("_f"),
            Kind::Vector => None,
        }
    }

    /// The kind in words.
    pub fn words(self) -> &'static str {
        match self {
            Kind::Int => "an integer",
            Kind::Ref => "a reference",
            Kind::Float => "a float",
            Kind::Vector => "a vector",
        }
    }
}

/// How an operation of the text becomes instructions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lift {
    /// The same operation of the table on the same operands.
    Same(Op),
    /// A shift: defined for amounts from 0 to 63 only.
    Shift(Op),
    /// Sign extension of so many bytes.
    Signext,
    /// The result is the argument.
    Copy,
    /// Arithmetic that a guard looks at next.
    Overflow(Op),
    /// The guard after it: leaves when there was an overflow (or, with `true`, when there was none).
    OverflowGuard(bool),
    /// A guard of the table.
    Guard(Op),
    /// A guard that nothing looks into.
    OtherGuard,
    /// An access to the heap or a fresh object, with the descriptor.
    Access(Op),
    /// The same with a descriptor named after the operation, so that it can be told from its twin.
    Named(Op),
    /// An item of an array that never changes.
    PureItem,
    /// A field outside the heap: base, and 0 as the offset.
    RawField(Op),
    /// A string operation; the descriptor names the character type.
    Str(Op, &'static str),
    /// A call of the function that is its first argument.
    Call,
    /// Opaque, and neither writes nor raises.
    Reads,
    /// Opaque, and computes from its arguments alone.
    Computes,
    /// Opaque, and touches no object.
    Outside,
    /// Opaque.
    Opaque,
    /// A remark.
    Marker,
    /// A jump target.
    Label,
    /// The end: back to a label.
    Jump,
    /// The end: leaves.
    Finish,
}

/// A row: what is known of an operation of the text.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The name in the text.
    pub name: &'static str,
    /// The arguments, a letter each.
    pub args: &'static str,
    /// The kind of the result, if there is one.
    pub result: Option<Kind>,
    /// What it becomes.
    pub lift: Lift,
}

/// An operation of the text that has a row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Opcode(u16);

impl Opcode {
    /// The operation of a name that leaves out what its result is, as older texts do: the letter of the result's name says
    /// it.
    pub fn from_load(name: &str, result: u8) -> Option<Opcode> {
        let suffix = Kind::of_letter(result)?.suffix()?;
        let loads = ["getfield_", "getarrayitem_", "getinteriorfield_", "raw_load"];
        loads
            .iter()
            .any(|load| name.starts_with(load))
            .then(|| Opcode::from_name(&format!("{name}{suffix}")))?
    }

    /// Of operations that differ in what they give, as `call_i` and `call_r` do, the one with a result of this letter, or with
    /// none.
    pub fn of_result(one: &str, result: Option<u8>) -> Option<Opcode> {
        let forms = [Kind::Int, Kind::Ref, Kind::Float].map(Kind::suffix);
        let stem = forms.into_iter().flatten().chain(["_n"]).find_map(|form| one.strip_suffix(form))?;
        let form = match result {
            Some(letter) => Kind::of_letter(letter)?.suffix()?,
            None => "_n",
        };
        Opcode::from_name(&format!("{stem}{form}"))
    }

    /// The operation of a name.
    #[inline]
    pub fn from_name(name: &str) -> Option<Opcode> {
        static INDEX: OnceLock<HashMap<&'static str, Opcode, FxBuildHasher>> = OnceLock::new();
        let index = INDEX
            .get_or_init(|| ROWS.iter().enumerate().map(|(i, row)| (row.name, Opcode(i as u16))).collect());
        index.get(name).copied()
    }

    /// Its row.
    #[inline]
    pub fn row(self) -> &'static Row {
        &ROWS[usize::from(self.0)]
    }

    /// Its name.
    #[inline]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Every operation with a row.
    pub fn all() -> impl Iterator<Item = Opcode> {
        (0..ROWS.len()).map(|i| Opcode(i as u16))
    }

    /// Its position among all, for tables.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Whether fail arguments may follow it.
    #[inline]
    pub fn is_guard(self) -> bool {
        matches!(self.row().lift, Lift::Guard(_) | Lift::OtherGuard | Lift::OverflowGuard(_))
    }
}

const I: Option<Kind> = Some(Kind::Int);
const R: Option<Kind> = Some(Kind::Ref);
const F: Option<Kind> = Some(Kind::Float);
const V: Option<Kind> = Some(Kind::Vector);
const N: Option<Kind> = None;

const fn row(name: &'static str, args: &'static str, result: Option<Kind>, lift: Lift) -> Row {
    Row { name, args, result, lift }
}

const ROWS: &[Row] = &[
    row("int_add", "ii", I, Lift::Same(Op::Add)),
    row("int_sub", "ii", I, Lift::Same(Op::Sub)),
    row("int_mul", "ii", I, Lift::Same(Op::Mul)),
    row("uint_mul_high", "ii", I, Lift::Same(Op::Umulh)),
    row("int_and", "ii", I, Lift::Same(Op::And)),
    row("int_or", "ii", I, Lift::Same(Op::Or)),
    row("int_xor", "ii", I, Lift::Same(Op::Xor)),
    row("int_lshift", "ii", I, Lift::Shift(Op::Lshift)),
    row("int_rshift", "ii", I, Lift::Shift(Op::Rshift)),
    row("uint_rshift", "ii", I, Lift::Shift(Op::Urshift)),
    row("int_signext", "ii", I, Lift::Signext),
    row("int_neg", "i", I, Lift::Same(Op::Neg)),
    row("int_invert", "i", I, Lift::Same(Op::Not)),
    row("int_force_ge_zero", "i", I, Lift::Same(Op::ForceGeZero)),
    row("int_lt", "ii", I, Lift::Same(Op::Lt)),
    row("int_le", "ii", I, Lift::Same(Op::Le)),
    row("int_eq", "ii", I, Lift::Same(Op::Eq)),
    row("int_ne", "ii", I, Lift::Same(Op::Ne)),
    row("int_gt", "ii", I, Lift::Same(Op::Gt)),
    row("int_ge", "ii", I, Lift::Same(Op::Ge)),
    row("uint_lt", "ii", I, Lift::Same(Op::Ult)),
    row("uint_le", "ii", I, Lift::Same(Op::Ule)),
    row("uint_gt", "ii", I, Lift::Same(Op::Ugt)),
    row("uint_ge", "ii", I, Lift::Same(Op::Uge)),
    row("int_is_true", "i", I, Lift::Same(Op::IsTrue)),
    row("int_is_zero", "i", I, Lift::Same(Op::IsZero)),
    row("int_add_ovf", "ii", I, Lift::Overflow(Op::AddOvf)),
    row("int_sub_ovf", "ii", I, Lift::Overflow(Op::SubOvf)),
    row("int_mul_ovf", "ii", I, Lift::Overflow(Op::MulOvf)),
    row("float_add", "ff", F, Lift::Same(Op::Fadd)),
    row("float_sub", "ff", F, Lift::Same(Op::Fsub)),
    row("float_mul", "ff", F, Lift::Same(Op::Fmul)),
    row("float_truediv", "ff", F, Lift::Same(Op::Fdiv)),
    row("float_neg", "f", F, Lift::Same(Op::Fneg)),
    row("float_abs", "f", F, Lift::Same(Op::Fabs)),
    row("float_lt", "ff", I, Lift::Same(Op::Flt)),
    row("float_le", "ff", I, Lift::Same(Op::Fle)),
    row("float_eq", "ff", I, Lift::Same(Op::Feq)),
    row("float_ne", "ff", I, Lift::Same(Op::Fne)),
    row("float_gt", "ff", I, Lift::Same(Op::Fgt)),
    row("float_ge", "ff", I, Lift::Same(Op::Fge)),
    row("cast_int_to_float", "i", F, Lift::Same(Op::SignedToFloat)),
    row("cast_float_to_int", "f", I, Lift::Same(Op::FloatToSigned)),
    // A C float travels in an integer; its meaning is not the table's.
    row("cast_float_to_singlefloat", "f", I, Lift::Computes),
    row("cast_singlefloat_to_float", "i", F, Lift::Computes),
    row("convert_float_bytes_to_longlong", "f", I, Lift::Same(Op::FloatToRawBits)),
    row("convert_longlong_bytes_to_float", "i", F, Lift::Same(Op::BitsToFloat)),
    row("cast_ptr_to_int", "r", I, Lift::Same(Op::RefToInt)),
    row("cast_int_to_ptr", "i", R, Lift::Same(Op::IntToRef)),
    row("cast_opaque_ptr", "r", R, Lift::Copy),
    row("same_as_i", "i", I, Lift::Copy),
    row("same_as_r", "r", R, Lift::Copy),
    row("same_as_f", "f", F, Lift::Copy),
    row("ptr_eq", "rr", I, Lift::Same(Op::RefEq)),
    row("ptr_ne", "rr", I, Lift::Same(Op::RefNe)),
    row("instance_ptr_eq", "rr", I, Lift::Same(Op::RefEq)),
    row("instance_ptr_ne", "rr", I, Lift::Same(Op::RefNe)),
    row("nursery_ptr_increment", "ri", R, Lift::Computes),
    row("load_from_gc_table", "i", R, Lift::Reads),
    row("load_effective_address", "iiii", I, Lift::Computes),
    row("strlen", "r", I, Lift::Str(Op::StrLen, "str")),
    row("unicodelen", "r", I, Lift::Str(Op::StrLen, "unicode")),
    row("strgetitem", "ri", I, Lift::Str(Op::StrGet, "str")),
    row("unicodegetitem", "ri", I, Lift::Str(Op::StrGet, "unicode")),
    row("strsetitem", "rii", N, Lift::Str(Op::StrSet, "str")),
    row("unicodesetitem", "rii", N, Lift::Str(Op::StrSet, "unicode")),
    row("copystrcontent", "rriii", N, Lift::Str(Op::StrCopy, "str")),
    row("copyunicodecontent", "rriii", N, Lift::Str(Op::StrCopy, "unicode")),
    row("newstr", "i", R, Lift::Str(Op::NewStr, "str")),
    row("newunicode", "i", R, Lift::Str(Op::NewStr, "unicode")),
    // The cached hash changes once, from zero.
    row("strhash", "r", I, Lift::Reads),
    row("unicodehash", "r", I, Lift::Reads),
    row("new", "", R, Lift::Named(Op::New)),
    row("new_with_vtable", "", R, Lift::Named(Op::New)),
    row("new_array", "i", R, Lift::Named(Op::NewArray)),
    row("new_array_clear", "i", R, Lift::Named(Op::NewArray)),
    row("arraylen_gc", "r", I, Lift::Access(Op::ArrayLen)),
    row("getfield_gc_i", "r", I, Lift::Access(Op::GetField)),
    row("getfield_gc_r", "r", R, Lift::Access(Op::GetField)),
    row("getfield_gc_f", "r", F, Lift::Access(Op::GetField)),
    row("setfield_gc", "rx", N, Lift::Access(Op::SetField)),
    row("getarrayitem_gc_i", "ri", I, Lift::Access(Op::GetItem)),
    row("getarrayitem_gc_r", "ri", R, Lift::Access(Op::GetItem)),
    row("getarrayitem_gc_f", "ri", F, Lift::Access(Op::GetItem)),
    row("getarrayitem_gc_pure_i", "ri", I, Lift::PureItem),
    row("getarrayitem_gc_pure_r", "ri", R, Lift::PureItem),
    row("getarrayitem_gc_pure_f", "ri", F, Lift::PureItem),
    row("setarrayitem_gc", "rix", N, Lift::Access(Op::SetItem)),
    row("getinteriorfield_gc_i", "ri", I, Lift::Access(Op::GetInterior)),
    row("getinteriorfield_gc_r", "ri", R, Lift::Access(Op::GetInterior)),
    row("getinteriorfield_gc_f", "ri", F, Lift::Access(Op::GetInterior)),
    row("setinteriorfield_gc", "rix", N, Lift::Access(Op::SetInterior)),
    row("getfield_raw_i", "x", I, Lift::RawField(Op::RawLoad)),
    row("getfield_raw_r", "x", R, Lift::RawField(Op::RawLoad)),
    row("getfield_raw_f", "x", F, Lift::RawField(Op::RawLoad)),
    row("setfield_raw", "xx", N, Lift::RawField(Op::RawStore)),
    row("getarrayitem_raw_i", "xi", I, Lift::Named(Op::RawLoad)),
    row("getarrayitem_raw_f", "xi", F, Lift::Named(Op::RawLoad)),
    row("setarrayitem_raw", "xix", N, Lift::Named(Op::RawStore)),
    row("raw_load_i", "xi", I, Lift::Named(Op::RawLoad)),
    row("raw_load_f", "xi", F, Lift::Named(Op::RawLoad)),
    row("raw_store", "xix", N, Lift::Named(Op::RawStore)),
    row("getinteriorfield_raw_i", "xi", I, Lift::Outside),
    row("getinteriorfield_raw_f", "xi", F, Lift::Outside),
    row("setinteriorfield_raw", "xix", N, Lift::Outside),
    row("gc_load_i", "xii", I, Lift::Reads),
    row("gc_load_r", "xii", R, Lift::Reads),
    row("gc_load_f", "xii", F, Lift::Reads),
    row("gc_load_indexed_i", "xiiii", I, Lift::Reads),
    row("gc_load_indexed_r", "xiiii", R, Lift::Reads),
    row("gc_load_indexed_f", "xiiii", F, Lift::Reads),
    row("gc_store", "xixi", N, Lift::Opaque),
    row("gc_store_indexed", "xixiii", N, Lift::Opaque),
    row("zero_array", "riiii", N, Lift::Opaque),
    row("increment_debug_counter", "i", N, Lift::Opaque),
    // The frame of the machine code: one and the same throughout a trace.
    row("force_token", "", R, Lift::Computes),
    row("virtual_ref", "rx", R, Lift::Opaque),
    row("virtual_ref_finish", "rx", N, Lift::Opaque),
    row("check_memory_error", "i", N, Lift::Opaque),
    row("cond_call", "i*", N, Lift::Call),
    row("cond_call_value_i", "i*", I, Lift::Call),
    row("cond_call_value_r", "r*", R, Lift::Call),
    row("call_i", "*", I, Lift::Call),
    row("call_r", "*", R, Lift::Call),
    row("call_f", "*", F, Lift::Call),
    row("call_n", "*", N, Lift::Call),
    row("call_pure_i", "*", I, Lift::Call),
    row("call_pure_r", "*", R, Lift::Call),
    row("call_pure_f", "*", F, Lift::Call),
    row("call_pure_n", "*", N, Lift::Call),
    row("call_loopinvariant_i", "*", I, Lift::Call),
    row("call_loopinvariant_r", "*", R, Lift::Call),
    row("call_loopinvariant_f", "*", F, Lift::Call),
    row("call_loopinvariant_n", "*", N, Lift::Call),
    row("call_may_force_i", "*", I, Lift::Call),
    row("call_may_force_r", "*", R, Lift::Call),
    row("call_may_force_f", "*", F, Lift::Call),
    row("call_may_force_n", "*", N, Lift::Call),
    row("call_release_gil_i", "ii*", I, Lift::Call),
    row("call_release_gil_f", "ii*", F, Lift::Call),
    row("call_release_gil_n", "ii*", N, Lift::Call),
    row("call_assembler_i", "*", I, Lift::Call),
    row("call_assembler_r", "*", R, Lift::Call),
    row("call_assembler_f", "*", F, Lift::Call),
    row("call_assembler_n", "*", N, Lift::Call),
    row("call_malloc_nursery", "i", R, Lift::Opaque),
    row("call_malloc_nursery_varsize", "iii", R, Lift::Opaque),
    row("call_malloc_nursery_varsize_frame", "i", R, Lift::Opaque),
    row("guard_true", "i", N, Lift::Guard(Op::GuardTrue)),
    row("guard_false", "i", N, Lift::Guard(Op::GuardFalse)),
    row("guard_value", "x=", N, Lift::Guard(Op::GuardValue)),
    row("guard_nonnull", "r", N, Lift::Guard(Op::GuardNonnull)),
    row("guard_isnull", "r", N, Lift::Guard(Op::GuardIsnull)),
    row("guard_class", "ri", N, Lift::Guard(Op::GuardClass)),
    row("guard_nonnull_class", "ri", N, Lift::Guard(Op::GuardNonnullClass)),
    row("guard_no_exception", "", N, Lift::Guard(Op::GuardNoException)),
    row("guard_exception", "i", R, Lift::Guard(Op::GuardException)),
    row("guard_not_forced", "", N, Lift::Guard(Op::GuardNotForced)),
    row("guard_not_invalidated", "", N, Lift::Guard(Op::GuardNotInvalidated)),
    row("guard_no_overflow", "", N, Lift::OverflowGuard(false)),
    row("guard_overflow", "", N, Lift::OverflowGuard(true)),
    row("guard_not_forced_2", "", N, Lift::OtherGuard),
    row("guard_is_object", "r", N, Lift::OtherGuard),
    row("guard_subclass", "ri", N, Lift::OtherGuard),
    row("guard_gc_type", "ri", N, Lift::OtherGuard),
    row("guard_always_fails", "", N, Lift::OtherGuard),
    row("guard_future_condition", "", N, Lift::Marker),
    row("vec_guard_true", "x", N, Lift::OtherGuard),
    row("vec_guard_false", "x", N, Lift::OtherGuard),
    row("debug_merge_point", "*", N, Lift::Marker),
    row("jit_debug", "*", N, Lift::Marker),
    row("enter_portal_frame", "ii", N, Lift::Marker),
    row("leave_portal_frame", "i", N, Lift::Marker),
    row("keepalive", "r", N, Lift::Marker),
    row("assert_not_none", "r", N, Lift::Marker),
    row("record_exact_class", "ri", N, Lift::Marker),
    row("record_exact_value_r", "rr", N, Lift::Marker),
    row("record_exact_value_i", "ii", N, Lift::Marker),
    row("record_known_result", "x*", N, Lift::Marker),
    row("quasiimmut_field", "r", N, Lift::Marker),
    row("force_spill", "x", N, Lift::Marker),
    row("escape_i", "*", I, Lift::Opaque),
    row("escape_r", "*", R, Lift::Opaque),
    row("escape_f", "*", F, Lift::Opaque),
    row("escape_n", "*", N, Lift::Opaque),
    row("vec_int_add", "xx", V, Lift::Computes),
    row("vec_int_sub", "xx", V, Lift::Computes),
    row("vec_int_mul", "xx", V, Lift::Computes),
    row("vec_int_and", "xx", V, Lift::Computes),
    row("vec_int_or", "xx", V, Lift::Computes),
    row("vec_int_xor", "xx", V, Lift::Computes),
    row("vec_int_eq", "xx", V, Lift::Computes),
    row("vec_int_ne", "xx", V, Lift::Computes),
    row("vec_int_is_true", "x", V, Lift::Computes),
    row("vec_int_signext", "xi", V, Lift::Computes),
    row("vec_float_add", "xx", V, Lift::Computes),
    row("vec_float_sub", "xx", V, Lift::Computes),
    row("vec_float_mul", "xx", V, Lift::Computes),
    row("vec_float_truediv", "xx", V, Lift::Computes),
    row("vec_float_abs", "x", V, Lift::Computes),
    row("vec_float_neg", "x", V, Lift::Computes),
    row("vec_float_eq", "xx", V, Lift::Computes),
    row("vec_float_ne", "xx", V, Lift::Computes),
    row("vec_float_xor", "xx", V, Lift::Computes),
    row("vec_cast_float_to_int", "x", V, Lift::Computes),
    row("vec_cast_int_to_float", "x", V, Lift::Computes),
    row("vec_cast_float_to_singlefloat", "x", V, Lift::Computes),
    row("vec_cast_singlefloat_to_float", "x", V, Lift::Computes),
    row("vec_i", "", V, Lift::Computes),
    row("vec_f", "", V, Lift::Computes),
    row("vec_expand_i", "x", V, Lift::Computes),
    row("vec_expand_f", "x", V, Lift::Computes),
    row("vec_pack_i", "xxii", V, Lift::Computes),
    row("vec_pack_f", "xxii", V, Lift::Computes),
    row("vec_unpack_i", "xii", V, Lift::Computes),
    row("vec_unpack_f", "xii", V, Lift::Computes),
    row("vec_load_i", "xiii", V, Lift::Reads),
    row("vec_load_f", "xiii", V, Lift::Reads),
    row("vec_store", "xixii", N, Lift::Opaque),
    row("label", "*", N, Lift::Label),
    row("jump", "*", N, Lift::Jump),
    row("finish", "*", N, Lift::Finish),
];

#[cfg(test)]
mod tests {
    use super::*;
    use planish_ops::Type;

    #[test]
    fn every_name_finds_its_own_row() {
        for opcode in Opcode::all() {
            assert_eq!(Opcode::from_name(opcode.name()), Some(opcode), "{} stands twice", opcode.name());
        }
    }

    /// The table of operations and this one agree on PyPy's names and on the number of operands.
    #[test]
    fn names_agree_with_the_table_of_operations() {
        for opcode in Opcode::all() {
            let row = opcode.row();
            if let Lift::Same(op) | Lift::Shift(op) | Lift::Overflow(op) | Lift::Guard(op) = row.lift {
                let instance = row.name.starts_with("instance_");
                assert!(instance || op.row().pypy == Some(row.name), "{}", row.name);
                assert_eq!(op.row().operands.len(), row.args.len(), "{}", row.name);
                for (shape, letter) in op.row().operands.iter().zip(row.args.bytes()) {
                    let ty = match letter {
                        b'i' => Type::I64,
                        b'r' => Type::Ref,
                        b'f' => Type::F64,
                        _ => continue,
                    };
                    assert!(shape.admits(ty), "{}", row.name);
                }
            }
        }
    }
}
