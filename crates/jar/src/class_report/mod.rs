//! The report about a program of classes: packages, classes and methods as a tree.
//!
//! What is shown is read off the two archives, the input and the result, and not off what the optimizer meant to do:
//! a method that is gone is one that the result does not have. What the optimizer says is added where it belongs: why
//! something is kept, what was done to a body and by which rule. Bytecode is shown as
//! [`listing`](planish_classfile::listing) writes it; lines that the two sides share are found by comparison, in
//! which labels and slots of locals count as equal, since one less renames all that follow.

mod items;
mod overview;

use std::collections::BTreeMap;

use planish_driver::report::RuleNote;
use planish_report::Report;

pub use items::ClassRun;
use items::{Packages, Sides, Teller, package, read, selectors};

use crate::outcome::MethodStory;

/// The report about a run. `rule` tells of a rule by its number. The error is that of an archive that cannot be read.
pub fn report(
    title: &str,
    subtitle: &str,
    run: &ClassRun<'_>,
    rule: &dyn Fn(u32) -> RuleNote,
) -> Result<Report, String> {
    let mut classes: BTreeMap<String, Sides> = BTreeMap::new();
    for (side, archive) in [run.before, run.after].into_iter().enumerate() {
        for (name, class) in read(archive)? {
            classes.entry(name).or_default()[side] = Some(class);
        }
    }
    for (name, size) in run.sizes()? {
        if let Some([_, Some(after)]) = classes.get_mut(&name) {
            after.size = size;
        }
    }
    let mut stories: BTreeMap<&str, Vec<&MethodStory>> = BTreeMap::new();
    for told in run.optimized.iter().flat_map(|outcome| &outcome.stories) {
        stories.entry(&told.story.method).or_default().push(told);
    }
    let mut packages: Packages<'_> = BTreeMap::new();
    for (name, sides) in &classes {
        let (package, _) = name.rsplit_once('/').unwrap_or(("", name));
        packages.entry(package).or_default().push((name, sides));
    }
    let teller = Teller { kept: run.shrunk.map(|shrunk| &shrunk.kept), stories, rule };
    let mut items = Vec::new();
    for (name, members) in &packages {
        items.push(package(name, members));
        for (name, sides) in members {
            items.push(teller.class(name, sides));
            for selector in selectors(sides, |class| &class.methods) {
                items.push(teller.method(name, selector, sides));
            }
        }
    }
    let panels = overview::panels(run, &teller, &items, &classes);
    Ok(Report { title: title.to_owned(), subtitle: subtitle.to_owned(), items, panels })
}
