//! What is said at the end of a run in few lines.

use planish_base::Budget;
use planish_jar::assumptions;
use planish_jar::classes::{Archive, INFLATED_LIMIT};
use planish_jar::outcome::ClassOutcome;
use planish_jar::programs::outcome::ShrinkOutcome;
use planish_jar::programs::roots::Roots;

use crate::args::Opt;

/// What should be known behind how long it took, in that line.
pub fn in_short(warnings: usize, shrunk: Option<&ShrinkOutcome>, optimized: Option<&ClassOutcome>) -> String {
    let mut parts = vec![String::new()];
    let count = |count: u64, one: &str, many: &str| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        _ => Some(format!("{count} {many}")),
    };
    parts.extend(count(warnings as u64, "warning", "warnings"));
    let noted = shrunk.map_or(0, |outcome| outcome.missed.len() as u64);
    parts.extend(count(noted, "place noted", "places noted"));
    if let Some(outcome) = optimized {
        parts.extend(count(outcome.copied(), "method as it was", "methods as they were"));
        let names = assumptions::names(shrunk, outcome);
        parts.extend((!names.is_empty()).then(|| format!("assumed: {}", names.join(", "))));
    }
    format!("{}\n", parts.join("; "))
}

/// How many main classes are named at most.
const NAMED: usize = 3;

/// What to do next.
pub fn next(args: &Opt, shrunk: Option<&ShrinkOutcome>) -> String {
    let Some(outcome) = shrunk else { return String::new() };
    let text = match (outcome.missed.is_empty(), &args.lists.notes) {
        (false, None) => {
            "next: --notes FILE writes rules for the places noted, to check and give to --keep\n"
        }
        (false, Some(_)) => "next: check the rules that were noted, and give those that hold to --keep\n",
        _ if args.classes.mode.is_none() && !outcome.may_begin.is_empty() => return where_to_begin(outcome),
        // The summary says how to close it.
        _ if outcome.open.classes > 0 || args.stats.is_some() => "",
        _ => "next: --stats says what was done, --removed FILE what went, --report FILE shows both\n",
    };
    text.to_owned()
}

/// A jar that does not say where it begins was taken for a library, and has classes that begin programs.
fn where_to_begin(outcome: &ShrinkOutcome) -> String {
    let mains = &outcome.may_begin;
    let named = mains[1..].iter().take(NAMED - 1).cloned().collect::<Vec<_>>().join(", ");
    let others = match mains.len() {
        1 => String::new(),
        count if count <= NAMED => format!(" (or {named})"),
        count => format!(" (or {named} or {} more)", count - NAMED),
    };
    format!(
        "next: no main class is named, so all that is public is kept; --main {}{others} keeps what that program needs\n",
        mains[0]
    )
}

/// What `--notes` writes: the places that may miss something, or those that hold the program open, with a rule for where
/// it begins.
pub fn noted(outcome: &ShrinkOutcome, roots: &Roots, archive: &Archive) -> String {
    if outcome.open.places.is_empty() {
        return outcome.missed.to_string();
    }
    let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
    let mut of_manifest = || {
        let manifest = archive.manifest(&mut budget).ok()??;
        Some(String::from_utf8_lossy(manifest.main.get("Main-Class")?).trim().to_owned())
    };
    let main = if roots.main.is_empty() { of_manifest().into_iter().collect() } else { roots.main.clone() };
    let begins = main
        .iter()
        .map(|main| format!("-keep class {main} {{ public static void main(java.lang.String[]); }}\n"));
    format!(
        "# What holds the program open, and the rules that close it.\n-keepattributes *\n{}\n{}",
        begins.collect::<String>(),
        outcome.open.places
    )
}
