//! Which optimizations a configuration allows.
//!
//! `-optimizations` of ProGuard's language lists names such as `method/inlining/short`, with wildcards and `!`: the first
//! pattern that matches a name decides. What ProGuard calls so and what is done here is not the same, but whoever forbids
//! one has a reason, so its counterpart here is left out. Names without one mean nothing.

use planish_keep::Configuration;
use planish_keep::known::is_like;

/// Small bodies in the place of calls.
pub const INLINING_SHORT: &str = "method/inlining/short";
/// Bodies in the place of their only call.
pub const INLINING_UNIQUE: &str = "method/inlining/unique";
/// Loops instead of recursions.
pub const TAIL_RECURSION: &str = "method/inlining/tailrecursion";
/// Methods with fewer parameters.
pub const PARAMETERS: &str = "method/removal/parameter";
/// Methods without receivers.
pub const STATIC_METHODS: &str = "method/marking/static";
/// Constants by what the whole program says: of fields, arguments and results.
pub const VALUES: [&str; 3] =
    ["field/propagation/value", "method/propagation/parameter", "method/propagation/returnvalue"];
/// Equal ends of code that are one.
pub const CODE_MERGING: &str = "code/merging";
/// Fields that nobody reads.
pub const WRITE_ONLY: &str = "field/removal/writeonly";
/// Classes that become final.
pub const FINAL_CLASSES: &str = "class/marking/final";
/// Static fields that become final. ProGuard has no name for them.
pub const FINAL_FIELDS: &str = "field/marking/final";

/// Enums that become numbers.
pub const ENUM_UNBOXING: &str = "class/unboxing/enum";
/// Classes that become a part of the one below.
pub const VERTICAL_MERGING: &str = "class/merging/vertical";
/// Classes that become a part of one beside.
pub const HORIZONTAL_MERGING: &str = "class/merging/horizontal";

/// Whether a configuration allows what has this name.
pub fn allows(rules: &Configuration, name: &str) -> bool {
    let options = rules.settings.iter().filter(|(option, _)| option == "optimizations");
    let filters: Vec<&str> = options
        .flat_map(|(_, list)| list.split(','))
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .collect();
    for filter in &filters {
        let (allows, pattern) = match filter.strip_prefix('!') {
            Some(pattern) => (false, pattern),
            None => (true, *filter),
        };
        if is_like(pattern.as_bytes(), name.as_bytes()) {
            return allows;
        }
    }
    filters.last().is_none_or(|last| last.starts_with('!'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(lists: &[&str], name: &str) -> bool {
        let setting = |list: &&str| ("optimizations".to_owned(), (*list).to_owned());
        let rules =
            Configuration { settings: lists.iter().map(setting).collect(), ..Configuration::default() };
        allows(&rules, name)
    }

    #[test]
    fn the_first_pattern_that_matches_decides() {
        assert!(allowed(&[], INLINING_SHORT));
        assert!(!allowed(&["!method/inlining/*"], INLINING_SHORT));
        assert!(allowed(&["!method/inlining/*"], PARAMETERS));
        assert!(allowed(&["method/inlining/short,!method/*"], INLINING_SHORT));
        assert!(!allowed(&["method/inlining/short,!method/*"], INLINING_UNIQUE));
        assert!(!allowed(&["!code/merging"], CODE_MERGING));
        assert!(!allowed(&["code/*"], PARAMETERS), "a list without `!` names all that is allowed");
        assert!(!allowed(&["!class/merging/*", "!field/*"], WRITE_ONLY));
    }
}
