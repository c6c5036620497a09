//! What names in `-keepattributes` and filters in `-optimizations` may mean.
//!
//! One that means nothing keeps nothing, or forbids nothing, so a misspelt one is said. It is no error: attributes that only
//! some tools know may be named, and configurations are shared between versions of shrinkers.

use planish_base::spelling::closest;
use planish_classfile::Kind;

/// Attributes of class files that other tools know, besides those of [`Kind`].
const OTHER_ATTRIBUTES: [&str; 1] = ["SourceDir"];

/// The names of optimizations in ProGuard's manual, and those of Planish alone.
const OPTIMIZATIONS: [&str; 42] = [
    "library/gson",
    "class/marking/final",
    "class/unboxing/enum",
    "class/merging/vertical",
    "class/merging/horizontal",
    "class/merging/wrapper",
    "field/removal/writeonly",
    "field/marking/private",
    "field/marking/final",
    "field/generalization/class",
    "field/specialization/type",
    "field/propagation/value",
    "method/marking/private",
    "method/marking/static",
    "method/marking/final",
    "method/marking/synchronized",
    "method/generalization/class",
    "method/specialization/parametertype",
    "method/specialization/returntype",
    "method/removal/parameter",
    "method/propagation/parameter",
    "method/propagation/returnvalue",
    "method/inlining/short",
    "method/inlining/unique",
    "method/inlining/tailrecursion",
    "code/merging",
    "code/simplification/variable",
    "code/simplification/arithmetic",
    "code/simplification/cast",
    "code/simplification/field",
    "code/simplification/branch",
    "code/simplification/object",
    "code/simplification/string",
    "code/simplification/math",
    "code/simplification/advanced",
    "code/simplification/enum",
    "code/removal/advanced",
    "code/removal/simple",
    "code/removal/variable",
    "code/removal/exception",
    "code/allocation/variable",
    "code/simplification/library",
];

/// What is wrong with a filter of `-optimizations`, if it names none.
pub fn no_optimization(filter: &str) -> Option<String> {
    if OPTIMIZATIONS.iter().any(|known| is_like(filter.as_bytes(), known.as_bytes())) {
        return None;
    }
    Some(format!("`{filter}` is no optimization, so it changes nothing{}", hint(filter, OPTIMIZATIONS)))
}

/// What is wrong with a pattern of `-keepattributes`, if it names none.
pub fn no_attribute(pattern: &str) -> Option<String> {
    let kinds = Kind::ALL.iter().filter_map(|kind| std::str::from_utf8(kind.name()).ok());
    let known: Vec<&str> = kinds.chain(OTHER_ATTRIBUTES).collect();
    if known.iter().any(|known| is_like(pattern.as_bytes(), known.as_bytes())) {
        return None;
    }
    Some(format!("`{pattern}` is no attribute of class files that is known{}", hint(pattern, known)))
}

fn hint<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    closest(name, known).map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

/// Whether a text is like a pattern in which `*` stands for anything and `?` for one character. O(product of the lengths).
pub fn is_like(pattern: &[u8], text: &[u8]) -> bool {
    let (mut at, mut place) = (0, 0);
    // Behind the last star, and where in the text what it stands for may end.
    let mut star = None;
    while at < text.len() {
        match pattern.get(place) {
            Some(b'*') => {
                place += 1;
                star = Some((place, at));
            }
            Some(b'?') => (at, place) = (at + 1, place + 1),
            Some(byte) if *byte == text[at] => (at, place) = (at + 1, place + 1),
            _ => {
                let Some((behind, end)) = star else { return false };
                (at, place) = (end + 1, behind);
                star = Some((behind, end + 1));
            }
        }
    }
    pattern[place..].iter().all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_name_means_nothing_and_has_a_neighbour() {
        assert_eq!(no_attribute("Signature"), None);
        assert_eq!(no_attribute("*Annotation*"), None);
        assert_eq!(no_attribute("LocalVariable*Table"), None);
        assert!(no_attribute("InerClasses").unwrap().ends_with("did you mean `InnerClasses`?"));
        assert!(no_attribute("*Anotation*").is_some());
        assert!(no_attribute("com.acme.Mark").is_some_and(|said| !said.contains("did you mean")));
        assert_eq!(no_optimization("code/*"), None);
        assert_eq!(no_optimization("*"), None);
        assert_eq!(no_optimization("method/inlining/s?ort"), None);
        assert!(no_optimization("method/inlinig/short").unwrap().contains("`method/inlining/short`"));
        assert!(no_optimization("methods/*").is_some());
    }

    /// Many stars on a text that does not match take no exponential time.
    #[test]
    fn stars_take_no_exponential_time() {
        assert!(no_optimization(&format!("{}x", "*a".repeat(200))).is_some());
        assert!(is_like(b"**a*?*c", b"xaybc") && !is_like(b"*a?", b"a") && is_like(b"", b""));
    }
}
