//! What a word that names no operation may have been meant for: the name that LLVM, Cranelift, a processor or PyPy has for one or for
//! a form that is none here, or a misspelt one.

use planish_base::spelling::closest;

use crate::table;

/// Words of other languages, and the names here.
const ELSEWHERE: &[(&str, &str)] = &[
    ("arraylength", "array_len"),
    ("ashr", "rshift"),
    ("band", "and"),
    ("bitcast", "bits_to_float"),
    ("bnot", "not"),
    ("bor", "or"),
    ("bxor", "xor"),
    ("byteswap", "bswap"),
    ("checkcast", "check_cast"),
    ("cmov", "select"),
    ("ctlz", "clz"),
    ("ctpop", "popcount"),
    ("cttz", "ctz"),
    ("div", "sdiv"),
    ("fabsf", "fabs"),
    ("fcvt_to_sint", "float_to_signed"),
    ("fpext", "float_convert"),
    ("fptosi", "float_to_signed"),
    ("fptoui", "float_to_unsigned_sat"),
    ("fptrunc", "float_convert"),
    ("getfield", "get_field"),
    ("getstatic", "get_static"),
    ("iadd", "add"),
    ("idiv", "sdiv"),
    ("imul", "mul"),
    ("ineg", "neg"),
    ("instanceof", "instance_of"),
    ("int_div", "sdiv"),
    ("int_floordiv", "sdiv"),
    ("int_mod", "srem"),
    ("inttoptr", "int_to_ref"),
    ("ireduce", "trunc"),
    ("irem", "srem"),
    ("ishl", "lshift"),
    ("isub", "sub"),
    ("lshr", "urshift"),
    ("lzcnt", "clz"),
    ("mod", "floormod"),
    ("mulh", "smulh"),
    ("mulhi", "smulh"),
    ("mulhu", "umulh"),
    ("popcnt", "popcount"),
    ("ptrtoint", "ref_to_int"),
    ("putfield", "set_field"),
    ("putstatic", "set_static"),
    ("rem", "srem"),
    ("rol", "rotl"),
    ("ror", "rotr"),
    ("sal", "lshift"),
    ("sar", "rshift"),
    ("sext_inreg", "signext"),
    ("sextend", "sext"),
    ("sge", "ge"),
    ("sgt", "gt"),
    ("shl", "lshift"),
    ("shr", "urshift"),
    ("sitofp", "signed_to_float"),
    ("sle", "le"),
    ("slt", "lt"),
    ("smax", "max"),
    ("smin", "min"),
    ("sqrt", "fsqrt"),
    ("sshr", "rshift"),
    ("tzcnt", "ctz"),
    ("uextend", "zext"),
    ("uitofp", "unsigned_to_float"),
    ("ushr", "urshift"),
];

/// Words of other languages for what has another form here.
const FORMS: &[(&str, &str)] = &[
    ("alloca", "a local variable is a value, or memory that `new` or `new_array` makes"),
    ("assign", COPY),
    ("br", CONTROL),
    ("brif", CONTROL),
    ("cmp", COMPARISONS),
    ("cond_br", CONTROL),
    ("copy", COPY),
    ("fcmp", "each comparison has its name: `feq`, `fne`, `flt`, `fle`, `fgt`, `fge`"),
    ("gep", ADDRESSES),
    ("getelementptr", ADDRESSES),
    ("goto", CONTROL),
    ("icmp", COMPARISONS),
    ("jmp", CONTROL),
    ("load", "memory is read by `get_field`, `get_item`, `get_static` or `raw_load`, each with a location"),
    ("mov", COPY),
    ("phi", "a block has parameters instead: `jump next(v0)` and `next(x: i64):`"),
    ("ret", "a function ends with `return`"),
    (
        "store",
        "memory is written by `set_field`, `set_item`, `set_static` or `raw_store`, each with a location",
    ),
];

const ADDRESSES: &str = "an address is a sum: `add`, and `mul` or `lshift` for the index";
const COMPARISONS: &str =
    "each comparison has its name: `eq`, `ne`, `lt`, `le`, `gt`, `ge`, unsigned `ult`, `ule`, `ugt`, `uge`";
const CONTROL: &str =
    "a block ends with `jump next(v0)`, `branch v0, then, other` or `switch v0 [1: one], other`";
const COPY: &str = "a value has one name, and needs no copy";

/// The name of the operation for which other languages have a word.
pub fn elsewhere(word: &str) -> Option<&'static str> {
    ELSEWHERE.iter().find(|(elsewhere, _)| *elsewhere == word).map(|&(_, here)| here)
}

/// What to write in place of a word that names no operation.
pub fn suggestion(word: &str) -> Option<String> {
    if let Some((_, form)) = FORMS.iter().find(|(elsewhere, _)| *elsewhere == word) {
        return Some((*form).to_owned());
    }
    let near = elsewhere(word).or_else(|| closest(word, table::ALL.iter().map(|op| op.name())));
    near.map(|near| format!("did you mean `{near}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Op;

    #[test]
    fn words_from_elsewhere_are_none_here_and_mean_what_is_here() {
        for (elsewhere, here) in ELSEWHERE {
            assert!(Op::from_name(elsewhere).is_none(), "{elsewhere}");
            assert!(Op::from_name(here).is_some(), "{here}");
        }
        assert!(ELSEWHERE.is_sorted());
    }

    #[test]
    fn other_forms_are_told() {
        for (elsewhere, _) in FORMS {
            assert!(Op::from_name(elsewhere).is_none(), "{elsewhere}");
        }
        assert!(FORMS.is_sorted());
        assert!(suggestion("icmp").is_some_and(|form| form.contains("`ult`")));
    }

    #[test]
    fn what_is_misspelt_is_the_nearest() {
        assert_eq!(suggestion("sgt").as_deref(), Some("did you mean `gt`?"));
        assert_eq!(suggestion("umulhh").as_deref(), Some("did you mean `umulh`?"));
        assert_eq!(suggestion("frobnicate"), None);
    }
}
