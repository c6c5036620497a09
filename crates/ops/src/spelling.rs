//! What a word that names no operation may have been meant for: the name that LLVM or others have for one, or a misspelt one.

use planish_base::spelling::closest;

use crate::table;

/// Words of other languages, and the names here.
const ELSEWHERE: &[(&str, &str)] = &[
    ("ashr", "rshift"),
    ("bitcast", "bits_to_float"),
    ("ctlz", "clz"),
    ("ctpop", "popcount"),
    ("cttz", "ctz"),
    ("div", "sdiv"),
    ("fpext", "float_convert"),
    ("fptosi", "float_to_signed"),
    ("fptrunc", "float_convert"),
    ("ineg", "neg"),
    ("inttoptr", "int_to_ref"),
    ("ishl", "lshift"),
    ("lshr", "urshift"),
    ("ptrtoint", "ref_to_int"),
    ("rem", "srem"),
    ("sar", "rshift"),
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
    ("uitofp", "unsigned_to_float"),
    ("ushr", "urshift"),
];

/// The name of the operation for which other languages have a word.
pub fn elsewhere(word: &str) -> Option<&'static str> {
    ELSEWHERE.iter().find(|(elsewhere, _)| *elsewhere == word).map(|&(_, here)| here)
}

/// The name of the operation that a word was probably meant for.
pub fn suggestion(word: &str) -> Option<&'static str> {
    elsewhere(word).or_else(|| closest(word, table::ALL.iter().map(|op| op.name())))
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
    fn what_is_misspelt_is_the_nearest() {
        assert_eq!(suggestion("sgt"), Some("gt"));
        assert_eq!(suggestion("umulhh"), Some("umulh"));
        assert_eq!(suggestion("frobnicate"), None);
    }
}
