//! Classes that a program speaks of and that are nowhere.
//!
//! An optional dependency that is not there is no mistake, but a forgotten `--library` is one, so there is a warning.
//! `-dontwarn` names classes about which there is none. Classes of the JDK are not looked for: not every machine has one,
//! and what comes along for those is not all of it.

use std::collections::BTreeMap;

use planish_jvm_analysis::reach::Reach;
use planish_keep::first_match;

use crate::programs::roots::Roots;

/// How many of them are named.
const NAMED: usize = 8;

/// Packages of the JDK.
const OF_JDK: [&[u8]; 6] = [b"java/", b"javax/", b"jdk/", b"sun/", b"com/sun/", b"netscape/javascript/"];

/// The warning about them, if there are any. O(constants).
pub(super) fn warning(reach: &Reach<'_, '_>, roots: &Roots) -> Option<String> {
    let program = reach.program;
    let mut missing: BTreeMap<&[u8], String> = BTreeMap::new();
    for class in program.classes.ids().filter(|&class| reach.is_needed(class)) {
        let pool = &program.classes[class].file.pool;
        for name in pool.indices().filter_map(|index| pool.class(index).ok()) {
            let is_array = name.first() == Some(&b'[');
            let is_there = || {
                let id = program.hierarchy.lookup(name);
                id.is_some_and(|id| program.hierarchy.get(id).is_some())
            };
            let is_expected = || first_match(&roots.rules.dont_warn, name, &mut Vec::new());
            if !is_array
                && !OF_JDK.iter().any(|package| name.starts_with(package))
                && !is_there()
                && !is_expected()
            {
                missing.entry(name).or_insert_with(|| program.show_class(class));
            }
        }
    }
    let show = |(name, by): (&&[u8], &String)| {
        format!("{} (named by {by})", String::from_utf8_lossy(name).replace('/', "."))
    };
    let named: Vec<String> = missing.iter().take(NAMED).map(show).collect();
    let more = missing.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let are = if missing.len() == 1 { "class is" } else { "classes are" };
    (!missing.is_empty()).then(|| {
        format!(
            "{} {are} missing: {}{more}; --library names jars that have them, -dontwarn classes that may be missing",
            missing.len(),
            named.join(", "),
        )
    })
}
