//! Optimizing a whole program of classes, in rounds.
//!
//! A round finds out what can be reached and what is known of it, removes the rest, and rewrites bodies with
//! what is known. What a round leaves, the next one looks at as if it were the input: branches that went
//! make methods unreachable, bodies that were put in the place of calls show constants. After the last
//! round what became unreachable goes, and bodies get their last form.
//!
//! A method whose new body is wrong (it does not verify, validation sees a difference, or it names what went) is
//! *pinned*: it keeps its bytes, everything that they mention becomes a root, and all begins anew with the
//! original classes. The pinned methods only get more, so this ends; if nothing more can be pinned, the program
//! stays as it was, and so it does when we panic. In no case is there an output that does not work.

mod ending;
mod merged;
mod rewriting;

use std::borrow::Cow;

use planish_base::{Budget, Diagnostics, SourceText, caught};
use planish_classfile::jar::Role;
use planish_classfile::zip::{Archive, Entry, INFLATED_LIMIT, Method};
use planish_driver::settings::Settings;
use planish_jvm::bodies::known::Known;
use planish_jvm::bodies::{Broken, Story};
use planish_jvm::shrink::discarded::undiscarded;
use planish_jvm::shrink::links::{BrokenLink, broken_links};
use planish_jvm::transform::assumed::{Assumed, Forgotten, assumes_of_calls};
use planish_jvm::transform::unlinked::Unlinked;
use planish_jvm_analysis::precision::Precision;
use planish_jvm_analysis::record::ProgramRecord;
use planish_jvm_analysis::roots::with_code;
use planish_jvm_analysis::sought::Sought;
use planish_jvm_model::names::show;
use planish_jvm_model::program::Program;
use planish_opt::Chaos;

use self::ending::{new_names, renamed, with_versions, without_attributes};
use self::merged::Merged;
use self::rewriting::{alone, left, note_rewrites, rewrite_bodies, rewrite_round};
use crate::attributes;
use crate::classes::optimize_bodies;
use crate::entry::LEVEL;
use crate::mapping::mapping;
use crate::notes::Notes;
use crate::optimizations::{CODE_MERGING, allows};
use crate::outcome::{ClassOutcome, MethodStory};
use crate::programs::around::Surroundings;
use crate::programs::merging::merge_classes;
use crate::programs::outcome::ShrinkOutcome;
use crate::programs::remembered::Remembered;
use crate::programs::roots::Pinned;
use crate::programs::unboxing::unbox_enums;
use crate::programs::{shrink, sizes};
use crate::stored::{as_they_were, with_stored_classes};

/// A round that takes less than one instruction in so many from the program is followed by one more at most: each
/// costs about the same, and what they find gets less and less.
const WORTH: u64 = 500;

/// A program of so few instructions is looked at until nothing changes: a round of it takes no time.
const FEW: u64 = 10_000;

/// What rounds ended with.
enum Ended {
    /// All went well.
    Well(Box<(ShrinkOutcome, ClassOutcome)>),
    /// New bodies were wrong.
    Wrong(Vec<Broken>),
}

/// Shrinks and optimizes a program.
pub fn optimize_program(
    archive: &mut Archive,
    around: Surroundings<'_>,
    settings: &Settings,
) -> Result<(ShrinkOutcome, ClassOutcome), String> {
    let _order = settings.order_of_work();
    let mut broken: Vec<Broken> = Vec::new();
    let stored = with_stored_classes(archive, around.threads)?;
    let mut pinned = as_they_are(&stored, around)?;
    loop {
        let mut result = stored.clone();
        let mut remembered = Remembered {
            precision: precision(settings),
            record: ProgramRecord::new(settings.log),
            ..Remembered::default()
        };
        let ended = caught::guard(|| rounds(&mut result, around, settings, &mut remembered, &pinned));
        let ended = match ended {
            Ok(ended) => ended?,
            Err(panicked) => {
                let warnings = vec![panicked.report("the program")];
                let shrunk = ShrinkOutcome { warnings, ..ShrinkOutcome::default() };
                return Ok((shrunk, ClassOutcome::default()));
            }
        };
        let wrong = match ended {
            Ended::Wrong(wrong) => wrong,
            Ended::Well(outcome) => {
                let (mut shrunk, mut optimized) = *outcome;
                let (links, notes) = compared(&stored, &result, around, &shrunk)?;
                shrunk.missed = notes;
                let new: Vec<&BrokenLink> =
                    links.iter().filter(|link| !pinned.contains(&link.method)).collect();
                if !links.is_empty() && new.is_empty() {
                    let link = &links[0];
                    shrunk.warnings.push(format!(
                        "{} names {}, which would be missing; the program is copied",
                        show(&link.method),
                        link.names
                    ));
                    return Ok((shrunk, ClassOutcome::default()));
                }
                if new.is_empty() {
                    let ended = (&mut result, &mut remembered, &mut shrunk, &mut optimized);
                    finish((archive, &stored), ended, around, settings)?;
                    for broken in &mut broken {
                        broken.holds = shrunk.held.remove(&broken.method).unwrap_or_default();
                    }
                    if settings.log {
                        let is_pinned = |told: &MethodStory| pinned.contains(told.story.method.as_bytes());
                        optimized.stories.retain(|told| !is_pinned(told));
                        optimized.stories.extend(pinned_stories(&broken, settings));
                    }
                    optimized.methods.broken = broken;
                    *archive = result;
                    return Ok((shrunk, optimized));
                }
                let lost = |link: &BrokenLink| {
                    Broken::new(&link.method, "removal", format!("{} is missing", link.names))
                };
                new.into_iter().map(lost).collect()
            }
        };
        (around.progress)(&format!("{} methods are pinned; all begins anew", wrong.len()));
        pinned.extend(wrong.iter().map(|broken| broken.method.clone()));
        broken.extend(wrong);
    }
}

/// What is left to do with the result of the last round: new names, attributes that nobody keeps, versions of classes whose
/// objects are written, the mapping, and what is told of sizes.
fn finish(
    (archive, stored): (&Archive, &Archive),
    (result, remembered, shrunk, optimized): (
        &mut Archive,
        &mut Remembered,
        &mut ShrinkOutcome,
        &mut ClassOutcome,
    ),
    around: Surroundings<'_>,
    settings: &Settings,
) -> Result<(), String> {
    remembered.record.refuel(left(settings, optimized, &remembered.record));
    let naming = new_names(result, around, &shrunk.sought, &mut remembered.record)?;
    let whole = around.roots.wants_mapping().then(|| result.clone());
    without_attributes(result, around, shrunk, &mut remembered.record)?;
    note_rewrites(shrunk, optimized, &mut remembered.record);
    with_versions(stored, result, around, (shrunk, &naming))?;
    // Rounds saw them stored, so they did not say which are to be deflated again.
    shrunk.to_deflate.extend(as_they_were(archive, stored, result)?);
    let naming = renamed(result, around, naming, shrunk)?;
    if let Some(whole) = whole {
        shrunk.mapping = Some(mapping(stored, &whole, remembered, &naming)?);
    }
    (shrunk.instructions.1, shrunk.bytes.1) = sizes(result)?;
    shrunk.removed.take_lines(stored)?;
    Ok(())
}

/// What finding out more of a program may cost.
fn precision(settings: &Settings) -> Precision {
    match settings.chaos {
        Some(seed) => settings.precision.in_chaos(Chaos::new(seed)),
        None => settings.precision,
    }
}

/// Optimizes the bodies of a program, of which nothing goes and nothing else is known.
pub fn optimize_each(
    archive: &mut Archive,
    around: Surroundings<'_>,
    settings: &Settings,
) -> Result<ClassOutcome, String> {
    let _order = settings.order_of_work();
    let Surroundings { hierarchy, threads, roots, cache, .. } = around;
    let mut pinned = unlinked(archive, around)?.methods;
    pinned.extend(as_they_are(archive, around)?);
    let mut known = alone(pinned, roots);
    let mut outcome: Option<ClassOutcome> = None;
    let last = settings.precision.rounds_if_small.max(2);
    for round in 1..=last {
        known.drops_initializers = !known.last;
        let fuel = match &outcome {
            Some(outcome) => left(settings, outcome, &ProgramRecord::default()),
            None => settings.fuel,
        };
        let of_round = Settings { fuel, ..settings.clone() };
        let mut next = optimize_bodies(archive, hierarchy, &known, &of_round, (threads, cache))?;
        // What did not get better does not now, and what was broken keeps its bytes.
        known.settled.extend(next.methods.settled.drain(..));
        known.pinned.extend(next.methods.broken.iter().map(|broken| broken.method.clone()));
        let (changed, ends) = (next.changed > 0, round + 1 >= last);
        outcome = Some(match outcome {
            Some(outcome) if known.last => outcome.finished(next),
            Some(outcome) => outcome.then(next),
            None => next,
        });
        // Equal ends become one when all else is done. What is left may show more then.
        match (known.last, changed && !ends) {
            (true, true) => known.last = false,
            (false, true) => {}
            (false, false) if allows(&roots.rules, CODE_MERGING) => known.last = true,
            _ => break,
        }
    }
    Ok(outcome.unwrap_or_default())
}

/// The methods that keep their bytes since somebody says so.
fn as_they_are(archive: &Archive, around: Surroundings<'_>) -> Result<Pinned, String> {
    let mut pinned = around.roots.as_they_are.clone();
    if around.roots.rules.keep.iter().any(|rule| rule.include_code) {
        let contents = classes(archive)?;
        pinned.extend(with_code(&program(&contents, around)?, &around.roots.rules));
    }
    Ok(pinned)
}

/// What the classes of an archive name in vain.
fn unlinked(archive: &Archive, around: Surroundings<'_>) -> Result<Unlinked, String> {
    let contents = classes(archive)?;
    Ok(Unlinked::of(&program(&contents, around)?))
}

/// Lets enums become numbers, and classes one, as far as there is fuel left.
fn unite(
    archive: &mut Archive,
    around: Surroundings<'_>,
    settings: &Settings,
    (shrunk, optimized): (&mut ShrinkOutcome, &mut ClassOutcome),
    (remembered, pinned): (&mut Remembered, &Pinned),
) -> Result<(), String> {
    remembered.record.refuel(left(settings, optimized, &remembered.record));
    unbox_enums(archive, around, shrunk, (remembered, pinned))?;
    note_rewrites(shrunk, optimized, &mut remembered.record);
    remembered.record.refuel(left(settings, optimized, &remembered.record));
    merge_classes(archive, around, shrunk, remembered)?;
    note_rewrites(shrunk, optimized, &mut remembered.record);
    Ok(())
}

/// All rounds, up to the first that makes a wrong body.
fn rounds(
    archive: &mut Archive,
    around: Surroundings<'_>,
    settings: &Settings,
    remembered: &mut Remembered,
    pinned: &Pinned,
) -> Result<Ended, String> {
    let Surroundings { progress, .. } = around;
    let precision = remembered.precision;
    progress("what can be reached");
    remembered.record.refuel(settings.fuel);
    let forgotten = forget_calls(archive, around, &mut remembered.record, pinned)?;
    let mut optimized = ClassOutcome::default();
    let mut shrunk = shrink(archive, around, remembered, pinned)?;
    note_rewrites(&mut shrunk, &mut optimized, &mut remembered.record);
    shrunk.note_forgotten(forgotten);
    // Recursions become loops when all else is done.
    let (mut loops, mut is_slowing) = (false, false);
    let is_small = shrunk.instructions.0 <= FEW;
    let usual = if is_small { precision.rounds_if_small } else { precision.rounds };
    let last = around.roots.rounds().max(usual);
    for round in 1..=last {
        progress(&format!("round {round}: {} classes", shrunk.classes.1));
        let mut known = std::mem::take(&mut shrunk.known);
        known.loops = loops;
        let makes_loops = known.makes_loops;
        let outcome = rewrite_round(archive, around, settings, &optimized, (remembered, known))?;
        if !outcome.methods.broken.is_empty() {
            return Ok(Ended::Wrong(outcome.methods.broken));
        }
        let changed = outcome.changed;
        let is_recursive = outcome.methods.recursive > 0;
        let waits = makes_loops && !loops && is_recursive;
        loops |= waits && (changed == 0 || round + 2 >= last);
        optimized = if round == 1 { outcome } else { optimized.then(outcome) };
        // When nothing changes, copies that are there become methods like others, of which more is known.
        let settles = is_small && changed == 0 && !waits && round + 1 < last && remembered.made.settle();
        let is_last = (changed == 0 || is_slowing) && !waits && !settles || round == last;
        let ends_alike = remembered.made.is_empty() && !shrunk.has_idle_interfaces && !around.roots.merges();
        if is_last && changed == 0 && ends_alike {
            break;
        }
        if is_last {
            // Variants that no body came to call and interfaces that do nothing are in the way now, and new variants would
            // be.
            remembered.made.close();
        }
        let before = shrunk.instructions.1;
        remembered.record.refuel(left(settings, &optimized, &remembered.record));
        shrunk = shrunk.then(shrink(archive, around, remembered, pinned)?);
        note_rewrites(&mut shrunk, &mut optimized, &mut remembered.record);
        if is_last {
            break;
        }
        is_slowing = before > FEW && before.saturating_sub(shrunk.instructions.1) < before / WORTH;
        loops |= is_slowing && is_recursive && shrunk.known.makes_loops;
    }
    // The last look at the program has what was remembered.
    if around.roots.wants_mapping()
        && let Some(origins) = shrunk.known.origins.take()
    {
        remembered.origins = origins;
    }
    last_form(archive, around, settings, (shrunk, optimized), (remembered, pinned))
}

/// What comes behind all rounds: enums that become numbers, classes that become one, and bodies as they are written in the end.
fn last_form(
    archive: &mut Archive,
    around: Surroundings<'_>,
    settings: &Settings,
    (mut shrunk, mut optimized): (ShrinkOutcome, ClassOutcome),
    (remembered, pinned): (&mut Remembered, &Pinned),
) -> Result<Ended, String> {
    unite(archive, around, settings, (&mut shrunk, &mut optimized), (remembered, pinned))?;
    if shrunk.instructions.0 <= FEW && (shrunk.united != (0, 0) || shrunk.unboxed > 0) {
        let (shrunk, optimized) = (&mut shrunk, &mut optimized);
        let merged = Merged { archive, settings, shrunk, optimized, remembered, pinned };
        let broken = merged.rewrite(around)?;
        if !broken.is_empty() {
            return Ok(Ended::Wrong(broken));
        }
    }
    if allows(&around.roots.rules, CODE_MERGING) {
        // Equal ends of code become one.
        let kept = around.roots.kept_attributes();
        let known = Known {
            last: true,
            drops_lines: !kept.keeps(b"LineNumberTable"),
            drops_variables: !kept.keeps(b"LocalVariableTable"),
            ..alone(remembered.as_they_are(pinned), around.roots)
        };
        let last = rewrite_bodies(archive, around, settings, &optimized, (&remembered.record, &known))?;
        if !last.methods.broken.is_empty() {
            return Ok(Ended::Wrong(last.methods.broken));
        }
        optimized = optimized.finished(last);
    }
    // What bodies did last came after all that was done to the program.
    shrunk.last = shrunk.last.filter(|_| optimized.last.is_none());
    Ok(Ended::Well(Box::new((shrunk, optimized))))
}

/// What is told of methods that keep their bytes, as far as it is asked for: the step that broke each, how, and what
/// stays because of it.
fn pinned_stories(broken: &[Broken], settings: &Settings) -> Vec<MethodStory> {
    let asked = broken.iter().filter(|broken| settings.about.has(&show(&broken.method)));
    let tell = |broken: &Broken| {
        let mut why = format!("{} broke it: {}", broken.step, broken.why.trim_end());
        if !broken.holds.is_empty() {
            why += &format!("\n  its bytes name, and so keep: {}", broken.holds.join(", "));
        }
        let method = String::from_utf8_lossy(&broken.method).into_owned();
        let story = Story { method, refused: Some(why), ..Story::default() };
        MethodStory { story, remarks: Vec::new(), texts: Vec::new() }
    };
    asked.map(tell).collect()
}

/// Removes the calls that rules say have no effects, and makes checks for null of those that rules say make such.
fn forget_calls(
    archive: &mut Archive,
    around: Surroundings<'_>,
    record: &mut ProgramRecord,
    pinned: &Pinned,
) -> Result<Forgotten, String> {
    let rules = &around.roots.rules;
    let failed = |error: planish_classfile::Error| error.to_string();
    let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
    if !assumes_of_calls(rules) {
        return Ok(Forgotten::default());
    }
    let mut contents = Vec::new();
    for (place, entry) in archive.entries.iter().enumerate().rev() {
        if let Role::Class { release: None, .. } = Role::of(&entry.name) {
            contents.push((place, entry.content(&mut budget).map_err(failed)?));
        }
    }
    let mut program = Program::new(around.hierarchy, around.classpath.library()?);
    let mut places = Vec::new();
    for (place, content) in &contents {
        // What cannot be read is copied, with a warning, later.
        if let Ok(Some(class)) = program.add(content) {
            places.push((*place, class));
        }
    }
    let mut assumed = Assumed::new(&program, rules);
    let (mut changed, mut forgotten) = (Vec::new(), Forgotten::default());
    for (place, class) in places {
        if let Some(bytes) = assumed.without_calls(class, pinned, record, &mut forgotten).map_err(failed)? {
            forgotten.bytes += program.classes[class].size as i64 - bytes.len() as i64;
            changed.push((place, bytes));
        }
    }
    drop(assumed);
    drop(program);
    drop(contents);
    for (place, bytes) in changed {
        let entry = &mut archive.entries[place];
        entry.set_content(&bytes, entry.method().unwrap_or(Method::Deflated), LEVEL);
    }
    Ok(forgotten)
}

/// Shrinks a program whose bodies stay as they are.
pub fn shrink_program(
    archive: &mut Archive,
    around: Surroundings<'_>,
    settings: &Settings,
) -> Result<ShrinkOutcome, String> {
    let _order = settings.order_of_work();
    let before = archive.clone();
    let mut record = ProgramRecord::new(settings.log);
    record.refuel(settings.fuel);
    let mut remembered = Remembered { record, ..Remembered::default() };
    let mut shrunk = shrink(archive, around, &mut remembered, &Pinned::new())?;
    (_, shrunk.missed) = compared(&before, archive, around, &shrunk)?;
    let naming = new_names(archive, around, &shrunk.sought, &mut remembered.record)?;
    let whole = around.roots.wants_mapping().then(|| archive.clone());
    without_attributes(archive, around, &mut shrunk, &mut remembered.record)?;
    note_rewrites(&mut shrunk, &mut ClassOutcome::default(), &mut remembered.record);
    with_versions(&before, archive, around, (&mut shrunk, &naming))?;
    let naming = renamed(archive, around, naming, &mut shrunk)?;
    if let Some(whole) = whole {
        shrunk.mapping = Some(mapping(&before, &whole, &remembered, &naming)?);
    }
    Ok(shrunk)
}

/// Gives new names to a program of which nothing goes. Bodies may have changed before, with so many rewrites.
pub fn rename_program(
    archive: &mut Archive,
    around: Surroundings<'_>,
    settings: &Settings,
    optimized: &ClassOutcome,
) -> Result<ShrinkOutcome, String> {
    let _order = settings.order_of_work();
    let mut record = ProgramRecord::new(settings.log);
    let remembered = Remembered::default();
    let mut shrunk = ShrinkOutcome { sought: sought_by_all(archive, around)?, ..ShrinkOutcome::default() };
    record.refuel(left(settings, optimized, &record));
    let naming = new_names(archive, around, &shrunk.sought, &mut record)?;
    note_rewrites(&mut shrunk, &mut ClassOutcome::default(), &mut record);
    let whole = around.roots.wants_mapping().then(|| archive.clone());
    // Bodies do not count for versions, so what they were before is not asked for.
    shrunk.may_write_objects = true;
    with_versions(&archive.clone(), archive, around, (&mut shrunk, &naming))?;
    let naming = renamed(archive, around, naming, &mut shrunk)?;
    if let Some(whole) = whole {
        shrunk.mapping = Some(mapping(&whole, &whole, &remembered, &naming)?);
    }
    Ok(shrunk)
}

/// What a program looks for by names where all of it may run.
fn sought_by_all(archive: &Archive, around: Surroundings<'_>) -> Result<Sought, String> {
    let mut roots = around.roots.clone();
    let all = SourceText::new("rule", "-keep,allowobfuscation class ** { *; }");
    planish_keep::read::read(&all, &mut roots.rules, &mut Diagnostics::new());
    let around = Surroundings { roots: &roots, ..around };
    let looked = shrink(&mut archive.clone(), around, &mut Remembered::default(), &Pinned::new())?;
    Ok(looked.sought)
}

/// What the result names and lacks, and what should be known of places that look for something.
fn compared(
    before: &Archive,
    after: &Archive,
    around: Surroundings<'_>,
    shrunk: &ShrinkOutcome,
) -> Result<(Vec<BrokenLink>, Notes), String> {
    let [before, after] = [classes(before)?, classes(after)?];
    let [before, after] = [program(&before, around)?, program(&after, around)?];
    let left = undiscarded(&before, &after, &around.roots.rules);
    if !left.is_empty() {
        return Err(left.join("\n"));
    }
    let kept = around.roots.kept_attributes();
    let gone = attributes::gone(&before, &after, (&kept, &shrunk.asked));
    let notes = Notes::of((&before, &after), &gone, &shrunk.lookups, &around.roots.rules);
    Ok((broken_links(&before, &after), notes))
}

/// The classes of an archive, in the order in which a JVM finds them: of entries with one name, the last.
fn classes(archive: &Archive) -> Result<Vec<Cow<'_, [u8]>>, String> {
    let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
    let is_class = |entry: &&Entry| matches!(Role::of(&entry.name), Role::Class { release: None, .. });
    let entries = archive.entries.iter().rev().filter(is_class);
    entries.map(|entry| entry.content(&mut budget).map_err(|error| error.to_string())).collect()
}

/// The program of these classes.
fn program<'a>(contents: &'a [Cow<'_, [u8]>], around: Surroundings<'a>) -> Result<Program<'a>, String> {
    let mut program = Program::new(around.hierarchy, around.classpath.library()?);
    for content in contents {
        // What cannot be read is copied, with a warning.
        let _ = program.add(content);
    }
    Ok(program)
}
