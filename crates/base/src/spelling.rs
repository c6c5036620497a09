//! "Did you mean": the known name that is nearest to a misspelt one.

/// Longer words are no misspelt names, and the distance of two words is quadratic in their length.
const LONGEST: usize = 64;

/// The candidate nearest to `name`, by Levenshtein's distance, if one is near: at most a quarter of the name and one
/// letter more may differ. Of equally near ones the first in the alphabet. O(candidates x length^2).
pub fn closest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > LONGEST {
        return None;
    }
    let near = candidates.into_iter().map(|known| (strsim::levenshtein(name, known), known)).min()?;
    (near.0 <= 1 + name.len() / 4).then_some(near.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_near_when_few_letters_differ() {
        let known = ["add", "add_zero", "sub", "urshift"];
        assert_eq!(closest("ädd", known), Some("add"));
        assert_eq!(closest("ad_zero", known), Some("add_zero"));
        assert_eq!(closest("rshift", known), Some("urshift"));
        assert_eq!(closest("frobnicate", known), None);
        assert_eq!(closest("add", []), None);
        assert_eq!(closest(&"add".repeat(100), known), None);
    }
}
