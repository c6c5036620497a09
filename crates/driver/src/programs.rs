//! Whole programs of classes: what nothing reaches goes.
//!
//! The [inputs](crate::inputs) are one archive by now. The roots are set, the analysis of [`planish_jvm::program::reach`] runs, and each class loses what is not needed. Versioned
//! classes (`META-INF/versions`) are kept as they are, and so is everything that they speak of. The
//! descriptor of a module loses packages that became empty.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use planish_base::{Budget, share_out};
use planish_classfile::attribute::{Body, Kind};
use planish_classfile::class::NEWEST;
use planish_classfile::jar::Role;
use planish_classfile::{ClassFile, CodeBytes};
use planish_jvm::bodies::Known;
use planish_jvm::keep::{Configuration, KeepRule, Keeps};
use planish_jvm::program::assumed_values::AssumedValues;
use planish_jvm::program::constructors::Constructors;
use planish_jvm::program::enum_switches::EnumSwitches;
use planish_jvm::program::infer::{Counts, Facts, infer};
use planish_jvm::program::inline::origins::Origins;
use planish_jvm::program::inline::{Inlining, Plan};
use planish_jvm::program::pure::PureMethods;
use planish_jvm::program::reach::Reach;
use planish_jvm::program::recursions::nobody_counts_frames;
use planish_jvm::program::roots::matches_class;
use planish_jvm::program::shrink::{Shrunk, implements_what_went, shrink_class};
use planish_jvm::program::specialize::{Made, Wanted, add_variants};
use planish_jvm::program::texts::nobody_asks_for_capacity;
use planish_jvm::program::{Class, Program};
use planish_jvm::settled::Settled;

use crate::classes::{Archive, INFLATED_LIMIT, LEVEL, Method};
use crate::directories;
use crate::inputs::Classpath;
use crate::modules::{module_without, services};
use crate::optimizations::{
    INLINING_SHORT, INLINING_UNIQUE, PARAMETERS, TAIL_RECURSION, VALUES, WRITE_ONLY, allows,
};
use crate::rounds::{Pinned, Surroundings};

pub use planish_jvm::keep;

/// Where a program begins, and what is asked about it.
#[derive(Default)]
pub struct Roots {
    /// Whether the public interface is one.
    pub library: bool,
    /// Main classes, as in `a.B`.
    pub main: Vec<String>,
    /// Whether nothing is taken for granted.
    pub strict: bool,
    /// Keep rules.
    pub rules: Configuration,
    /// Whether a user gave keep rules, and so says what reflection finds.
    pub rules_given: bool,
    /// Classes about which the reason is asked, as in `a.B`.
    pub why: Vec<String>,
    /// Whether the reason is asked about every class and method.
    pub why_all: bool,
}

impl Roots {
    /// Whether main classes or keep rules say where the program begins; else the manifest does.
    fn say_where_it_begins(&self) -> bool {
        let keeps = |rule: &KeepRule| rule.keeps != Keeps::Members && !rule.allow_shrinking;
        !self.main.is_empty() || self.rules_given && self.rules.keep.iter().any(keeps)
    }

    /// Whether the configuration asks for a list by which stack traces are turned back.
    pub(crate) fn wants_mapping(&self) -> bool {
        self.rules.settings.iter().any(|(option, _)| option == "printmapping")
    }

    /// How many rounds the configuration asks for. Fewer than there are anyway would leave out what was begun.
    pub(crate) fn rounds(&self) -> u32 {
        let passes = self.rules.settings.iter().rev().find(|(option, _)| option == "optimizationpasses");
        passes.and_then(|(_, number)| number.trim().parse().ok()).unwrap_or(0)
    }

    /// What the configuration says of bodies in the place of calls. What becomes public must not be seen from outside.
    fn inlining(&self) -> Inlining {
        Inlining {
            anywhere: self.rules.has("allowaccessmodification") && !self.library,
            small: allows(&self.rules, INLINING_SHORT),
            unique: allows(&self.rules, INLINING_UNIQUE),
            lines: self.wants_mapping(),
        }
    }
}

/// Whether a class file may have what nobody here knows.
fn is_newer(file: &ClassFile<'_>) -> bool {
    file.major > NEWEST
}

/// What is answered about a class that is not there.
const UNKNOWN_CLASS: &str = " is no class of the program";

/// What shrinking did.
#[derive(Default)]
pub struct ShrinkOutcome {
    /// Classes before and after.
    pub classes: (u64, u64),
    /// Members before and after.
    pub members: Shrunk,
    /// Instructions before and after.
    pub instructions: (u64, u64),
    /// Bytes of class files before and after.
    pub bytes: (u64, u64),
    /// Classes and members that went, one a line, as ProGuard prints them.
    pub removed: String,
    /// Classes and members that keep rules name, one a line, as ProGuard prints them.
    pub seeds: String,
    /// The names of classes and members as stack traces have them, with frames of inlined methods, as ProGuard prints them;
    /// nothing unless it was asked for.
    pub mapping: Option<String>,
    /// Answers to questions.
    pub explanations: Vec<String>,
    /// If reasons for everything were asked for: why each class (`a/B`) and each method (`a/B.run()V`) is kept, one
    /// step a line.
    pub kept: BTreeMap<String, Vec<String>>,
    /// What was taken for a root by itself.
    pub notes: Vec<String>,
    /// What the user should know.
    pub warnings: Vec<String>,
    /// What is known of the program, for its bodies.
    pub known: Known,
    /// How much of it was inferred.
    pub inferred: Counts,
    /// How many static methods only compute.
    pub pure: u64,
    /// Calls that went, since rules say that they have no effects.
    pub forgotten: u64,
    /// Whether there are interfaces that only classes which implement them speak of.
    pub has_idle_interfaces: bool,
    /// The names of entries that are stored for now; [`pack`](crate::stored::pack) deflates them when all is done.
    pub to_deflate: Vec<Vec<u8>>,
}

/// The instructions of every method of a class.
fn instructions(file: &ClassFile<'_>) -> u64 {
    let mut count = 0;
    for method in &file.methods {
        let Some(attribute) = method.attribute(&file.pool, Kind::Code) else { continue };
        if let Ok(code) = CodeBytes::read(&mut attribute.cursor()) {
            count += code.instructions().take_while(Result::is_ok).count() as u64;
        }
    }
    count
}

/// What one round knows of those before.
#[derive(Default)]
pub struct Remembered {
    /// The variants of methods that were made.
    pub made: Made,
    /// The bodies that did not get better.
    pub settled: Settled,
    /// The tables of switches over enums, which bodies read no more.
    pub enum_switches: EnumSwitches,
    /// Where lines of inlined code are from.
    pub origins: Origins,
}

/// Removes from an archive what its roots do not reach, and finds out what is known of the rest. Variants
/// of methods that calls want are added. What is remembered of earlier rounds is part of what is known, and what the
/// next ones should know comes back with that.
/// Pinned methods stay as they are, with all that they mention.
pub fn shrink(
    archive: &mut Archive,
    around: Surroundings<'_>,
    remembered: &mut Remembered,
    pinned: &Pinned,
) -> Result<ShrinkOutcome, String> {
    let Remembered { made, settled, enum_switches, origins } = remembered;
    let Surroundings { hierarchy, classpath, roots, threads, .. } = around;
    let mut outcome = ShrinkOutcome::default();
    let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
    let text_of = |name: &[u8]| String::from_utf8_lossy(name).into_owned();

    // Of entries with one name a JVM finds the last.
    let mut contents: Vec<(usize, Cow<'_, [u8]>)> = Vec::new();
    for (place, entry) in archive.entries.iter().enumerate() {
        match Role::of(&entry.name) {
            Role::Resource | Role::Directory => {}
            _ => contents.push((place, entry.content(&mut budget).map_err(|error| error.to_string())?)),
        }
    }
    let library = classpath.library()?;
    let mut program = Program::new(hierarchy, library);
    let mut place_of: BTreeMap<usize, Class> = BTreeMap::new();
    for (place, content) in contents.iter().rev() {
        let entry = &archive.entries[*place];
        let Role::Class { release: None, .. } = Role::of(&entry.name) else { continue };
        match program.add(content) {
            Ok(Some(class)) => {
                place_of.insert(*place, class);
                let file = &program.classes[class].file;
                outcome.classes.0 += 1;
                outcome.bytes.0 += content.len() as u64;
                outcome.instructions.0 += instructions(file);
            }
            Ok(None) => {}
            Err(error) => {
                outcome.warnings.push(format!("{}: {error}; kept as it is", text_of(&entry.name)));
            }
        }
    }

    let services = services(archive, &contents)?;
    let mut reach = Reach::new(&program, services, !roots.rules_given);
    set_roots(&mut reach, archive, &contents, classpath, roots, &mut outcome)?;
    for class in program.classes.ids().filter(|&class| is_newer(&program.classes[class].file)) {
        outcome.warnings.push(format!(
            "{}: class-file version {} is newer than {NEWEST}, the newest that is known; kept as it is",
            program.show_class(class),
            program.classes[class].file.major,
        ));
        reach.keep_copied(class).map_err(|error| error.to_string())?;
    }
    pinned.iter().for_each(|method| reach.pin(method));
    reach.finish();
    // Who gives rules says what reflection finds.
    if roots.rules_given && !roots.library && !roots.strict && !roots.rules.has("dontoptimize") {
        outcome.has_idle_interfaces = !reach.idle_interfaces().is_empty();
        // The hierarchy of other rounds has them, and so have classes that cannot be written.
        if made.is_closed() && idle_interfaces_can_go(&reach) {
            reach.drop_idle_interfaces();
        }
    }
    if !place_of.is_empty() && !place_of.values().any(|&class| reach.is_needed(class)) {
        return Err("nothing of the program is kept: its main class (--main) or a rule that matches (--keep) is missing".into());
    }
    outcome.notes.extend(reach.reflection_seen().iter().map(|text| (*text).to_owned()));
    outcome.warnings.append(&mut reach.notes);
    explain(&reach, roots, &mut outcome);
    outcome.seeds = reach.seeds();
    // After the last round no body is rewritten any more.
    let is_last = made.is_closed();
    if !roots.strict && !is_last {
        outcome.known.pure = Arc::new(PureMethods::of(&program));
        outcome.pure = outcome.known.pure.len() as u64;
    }
    let optimizes = !roots.strict && !roots.rules.has("dontoptimize") && !is_last;
    // What only reads the program is found out at once.
    let inlining = roots.inlining();
    let inlines = optimizes && (inlining.small || inlining.unique);
    let values = AssumedValues::of(&roots.rules);
    let (is_first, pure) = (made.is_empty(), &outcome.known.pure);
    let (plan, facts) = beside(
        threads,
        || if inlines { Plan::of(&reach, settled, inlining) } else { Plan::default() },
        || if is_last { Facts::default() } else { infer(&reach, (pure, &values), is_first, threads) },
    );
    outcome.known.facts = facts;
    if let Some(pure) = Arc::get_mut(&mut outcome.known.pure) {
        pure.may_not_return(&outcome.known.facts.unbounded);
    }
    outcome.inferred = outcome.known.facts.counts;
    outcome.known.pinned.clone_from(pinned);
    let mut variants = BTreeMap::new();
    let mut wanted = Wanted::default();
    if optimizes {
        outcome.known.plan = plan;
        outcome.known.plan.get_instances(&outcome.known.facts.on_instances);
        wanted = std::mem::take(&mut outcome.known.facts.wanted);
        if !allows(&roots.rules, PARAMETERS) {
            wanted = Wanted::default();
        }
        if !VALUES.iter().all(|name| allows(&roots.rules, name)) {
            outcome.known.facts.forget_values();
        }
        if !allows(&roots.rules, WRITE_ONLY) {
            outcome.known.facts.unread.clear();
        }
        made.next_round();
        variants = wanted.by_class();
        outcome.known.constructors = Arc::new(Constructors::of(&program));
        outcome.known.frames_vanish = true;
        outcome.known.makes_loops = nobody_counts_frames(&program) && allows(&roots.rules, TAIL_RECURSION);
        outcome.known.enum_switches = EnumSwitches::of(&reach).join(std::mem::take(enum_switches));
        outcome.known.joins_texts = nobody_asks_for_capacity(&program);
    }

    let shrinks = |&class: &Class| reach.is_needed(class) && !is_newer(&program.classes[class].file);
    let kept: Vec<Class> = place_of.values().copied().filter(shrinks).collect();
    let shrink_one = |(): &mut (), &class: &Class| shrink_class(&reach, class);
    let (smaller, _) = share_out(threads, &kept, || (), shrink_one, drop);
    let mut smaller: BTreeMap<Class, _> = kept.into_iter().zip(smaller).collect();

    // What becomes of each entry: nothing, new content, or it goes.
    let mut changes: Vec<(usize, Option<Vec<u8>>)> = Vec::new();
    for (place, content) in &contents {
        let entry = &archive.entries[*place];
        match Role::of(&entry.name) {
            Role::Class { release: None, .. } => {
                let Some(&class) = place_of.get(place) else { continue };
                list_removed(&reach, class, made, &mut outcome.removed);
                if !reach.is_needed(class) {
                    outcome.members.methods.0 += program.classes[class].methods.len() as u64;
                    outcome.members.fields.0 += program.classes[class].fields.len() as u64;
                    changes.push((*place, None));
                    continue;
                }
                let own = &program.classes[class];
                let mut made_of = |members: &mut Shrunk| -> planish_classfile::Result<Option<Vec<u8>>> {
                    if is_newer(&own.file) {
                        members.copies(own.methods.len() as u64, own.fields.len() as u64);
                        return Ok(None);
                    }
                    let (bytes, counts) = smaller.remove(&class).expect("a class that is needed")?;
                    members.add(counts);
                    let more = match variants.get(program.name(class)) {
                        Some(list) => add_variants(&bytes, list, hierarchy, made)?,
                        None => None,
                    };
                    let is_better = bytes.len() < content.len() || implements_what_went(&reach, class);
                    Ok(more.or_else(|| is_better.then_some(bytes)))
                };
                let new = made_of(&mut outcome.members).unwrap_or_else(|error| {
                    outcome.warnings.push(format!("{}: {error}; kept as it is", text_of(&entry.name)));
                    None
                });
                let bytes: &[u8] = new.as_deref().unwrap_or(content);
                outcome.classes.1 += 1;
                outcome.bytes.1 += bytes.len() as u64;
                outcome.instructions.1 += ClassFile::read(bytes).as_ref().map_or(0, instructions);
                if new.is_some() {
                    changes.push((*place, new));
                }
            }
            Role::Service(name) => {
                let name: Vec<u8> = name.iter().map(|&b| if b == b'.' { b'/' } else { b }).collect();
                if !reach.is_service_used(&name) {
                    changes.push((*place, None));
                }
            }
            Role::ModuleInfo(_) => match module_without(&reach, content) {
                Ok(Some(bytes)) => changes.push((*place, Some(bytes))),
                Ok(None) => {}
                Err(error) => {
                    outcome.warnings.push(format!("{}: {error}; kept as it is", text_of(&entry.name)));
                }
            },
            Role::Index => changes.push((*place, None)),
            _ => {}
        }
    }
    outcome.known.variants = wanted.granted(made);
    outcome.known.settled = std::mem::take(settled);
    outcome.known.origins = roots.wants_mapping().then(|| std::mem::take(origins));
    let places_are_asked_for = reach.asks_for_places();
    drop(reach);
    drop(program);
    drop(contents);
    // Who uses a library may look for anything.
    let drops_directories = roots.rules_given && !roots.library && !places_are_asked_for;
    if changes.is_empty() {
        if drops_directories {
            directories::remove_unnamed(archive, &roots.rules);
        }
        return Ok(outcome);
    }
    let mut gone = Vec::new();
    for (place, change) in changes {
        let entry = &mut archive.entries[place];
        match change {
            None => gone.push(place),
            Some(bytes) => {
                if entry.method() != Some(Method::Stored) {
                    outcome.to_deflate.push(entry.name.clone());
                }
                entry.set_content(&bytes, Method::Stored, 0);
            }
        }
    }
    let had = directories::with_content(archive);
    let mut place = 0;
    archive.entries.retain(|_| {
        place += 1;
        gone.binary_search(&(place - 1)).is_err()
    });
    let has = directories::with_content(archive);
    archive.entries.retain(|entry| !had.contains(&entry.name) || has.contains(&entry.name));
    if drops_directories {
        directories::remove_unnamed(archive, &roots.rules);
    }
    if archive.is_signed() {
        let removed = archive.remove_signatures(&mut budget, LEVEL).map_err(|error| error.to_string())?;
        outcome.warnings.push(format!("classes changed, so {} signature files were removed", removed.len()));
    }
    Ok(outcome)
}

/// Whether the classes that implement interfaces which do nothing can all be written.
fn idle_interfaces_can_go(reach: &Reach<'_, '_>) -> bool {
    let program = reach.program;
    let idle: Vec<_> = reach.idle_interfaces().into_iter().map(|class| program.classes[class].id).collect();
    let implements =
        |class: &Class| program.classes[*class].supertypes.iter().any(|above| idle.contains(above));
    let mut implementing = program.classes.ids().filter(|&class| reach.is_needed(class)).filter(implements);
    implementing.all(|class| shrink_class(reach, class).is_ok())
}

/// Does two things, on two threads if there may be two.
fn beside<A: Send, B>(
    threads: usize,
    first: impl FnOnce() -> A + Send,
    second: impl FnOnce() -> B,
) -> (A, B) {
    if threads < 2 {
        return (first(), second());
    }
    std::thread::scope(|scope| {
        let first = scope.spawn(first);
        let second = second();
        (first.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), second)
    })
}

fn set_roots(
    reach: &mut Reach<'_, '_>,
    archive: &Archive,
    contents: &[(usize, Cow<'_, [u8]>)],
    classpath: &Classpath,
    roots: &Roots,
    outcome: &mut ShrinkOutcome,
) -> Result<(), String> {
    let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
    let slashes = |name: &str| name.replace('.', "/").into_bytes();
    for name in &roots.main {
        if !reach.main(&slashes(name)) {
            return Err(format!("{name} is no class of the program with a main method"));
        }
    }
    reach.keep(&roots.rules);
    if roots.library {
        reach.library_api();
    }
    if let Some(manifest) = archive.manifest(&mut budget).map_err(|error| error.to_string())? {
        let value = |name| manifest.main.get(name).map(|v| String::from_utf8_lossy(v).trim().to_owned());
        let main = value("Main-Class").filter(|_| !roots.say_where_it_begins());
        if let Some(main) = main
            && !reach.main(&slashes(&main))
        {
            outcome.warnings.push(format!("the manifest's main class {main} is not in the program"));
        }
        for name in ["Premain-Class", "Agent-Class", "Launcher-Agent-Class"] {
            if let Some(class) = value(name) {
                reach.named_outside(&slashes(&class), &format!("{name} of the manifest"));
            }
        }
    }
    for (place, content) in contents {
        let name = &archive.entries[*place].name;
        let why = String::from_utf8_lossy(name).into_owned();
        match Role::of(name) {
            Role::Class { release: Some(_), .. } => {
                if let Ok(file) = ClassFile::read(content) {
                    let cause = reach.root(why);
                    reach.outside(&file, cause).map_err(|error| error.to_string())?;
                }
            }
            Role::ModuleInfo(_) => {
                if let Ok(file) = ClassFile::read(content)
                    && let Some(attribute) = file.attribute(Kind::ModuleMainClass)
                    && let Ok(Some(Body::ModuleMainClass(main))) = attribute.decode(&file.pool)
                    && let Ok(name) = file.pool.class(main)
                {
                    reach.main(name);
                }
            }
            _ => {}
        }
    }
    if !roots.rules_given {
        for entry in classpath.libraries.iter().flat_map(|archive| &archive.entries) {
            if !matches!(Role::of(&entry.name), Role::Class { .. }) {
                continue;
            }
            let content = entry.content(&mut budget).map_err(|error| error.to_string())?;
            if let Ok(file) = ClassFile::read(&content) {
                let cause = reach.root(String::from_utf8_lossy(&entry.name).into_owned());
                reach.library_reflects(&file, cause);
            }
        }
    }
    Ok(())
}

fn explain(reach: &Reach<'_, '_>, roots: &Roots, outcome: &mut ShrinkOutcome) {
    let program = reach.program;
    for class in program.classes.ids().filter(|&class| roots.why_all && reach.is_needed(class)) {
        let name = String::from_utf8_lossy(program.name(class)).into_owned();
        for &method in &program.classes[class].methods {
            if let Some(why) = reach.why_method(method) {
                let selector = String::from_utf8_lossy(program.text(program.methods[method].selector));
                outcome.kept.insert(format!("{name}.{selector}"), vec![why]);
            }
        }
        let chain = reach.explain(class).split_off(1);
        outcome.kept.insert(name, chain.into_iter().map(|line| line.trim_start().to_owned()).collect());
    }
    for name in &roots.why {
        match reach.program.class_named(name.replace('.', "/").as_bytes()) {
            Some(class) => outcome.explanations.extend(reach.explain(class)),
            None => outcome.explanations.push(format!("{name}{UNKNOWN_CLASS}")),
        }
    }
    for pattern in &roots.rules.why {
        for class in reach.program.classes.ids() {
            if matches_class(reach.program, pattern, class, &mut Vec::new()) {
                outcome.explanations.extend(reach.explain(class));
            }
        }
    }
}

/// Appends what goes of a class, in the form of ProGuard's `-printusage`.
fn list_removed(reach: &Reach<'_, '_>, class: Class, made: &Made, list: &mut String) {
    let program = reach.program;
    let name = program.show_class(class);
    if !reach.is_needed(class) {
        let _ = writeln!(list, "{name}");
        return;
    }
    let own = &program.classes[class];
    let fields = own.fields.iter().filter(|&&field| !reach.is_field_needed(field));
    let methods = own.methods.iter().filter(|&&method| !reach.is_declared(method));
    let selectors = fields
        .map(|&field| program.fields[field].selector)
        .chain(methods.map(|&method| program.methods[method].selector))
        // What was made on the way is nobody's loss.
        .filter(|&selector| !made.is_variant(program.name(class), program.text(selector)));
    let mut first = true;
    for selector in selectors {
        if std::mem::take(&mut first) {
            let _ = writeln!(list, "{name}:");
        }
        let _ = writeln!(list, "    {}", String::from_utf8_lossy(program.text(selector)));
    }
}

impl ShrinkOutcome {
    /// What this and a later round did together.
    pub fn then(self, later: ShrinkOutcome) -> ShrinkOutcome {
        let mut to_deflate = self.to_deflate;
        to_deflate.extend(later.to_deflate);
        // A class that went in between was one of the program.
        let answer = |line: String| match line.strip_suffix(UNKNOWN_CLASS) {
            Some(name) if !self.explanations.contains(&line) => format!("{name} is not kept"),
            _ => line,
        };
        let answers = later.explanations.into_iter().map(answer).collect();
        ShrinkOutcome {
            classes: (self.classes.0, later.classes.1),
            members: Shrunk {
                methods: (self.members.methods.0, later.members.methods.1),
                fields: (self.members.fields.0, later.members.fields.1),
                emptied: self.members.emptied + later.members.emptied,
            },
            instructions: (self.instructions.0, later.instructions.1),
            bytes: (self.bytes.0, later.bytes.1),
            removed: self.removed + &later.removed,
            seeds: self.seeds,
            mapping: later.mapping,
            explanations: answers,
            kept: later.kept,
            notes: self.notes,
            warnings: self.warnings,
            known: later.known,
            inferred: self.inferred,
            pure: self.pure,
            forgotten: self.forgotten,
            has_idle_interfaces: later.has_idle_interfaces,
            to_deflate,
        }
    }

    /// The summary: one line for each kind of thing.
    pub fn summary(&self) -> String {
        let mut text = String::new();
        let rows = [
            ("classes", self.classes),
            ("methods", self.members.methods),
            ("fields", self.members.fields),
            ("instructions after shrinking", self.instructions),
            ("bytes of class files after shrinking", self.bytes),
        ];
        for (name, (before, after)) in rows {
            let percent = match before {
                0 => 0.0,
                _ => (after as f64 - before as f64) * 100.0 / before as f64,
            };
            let _ = writeln!(text, "{name}: {before} before, {after} after ({percent:+.2} %)");
        }
        if self.members.emptied > 0 {
            let _ =
                writeln!(text, "methods that are named but cannot run, emptied: {}", self.members.emptied);
        }
        let Counts { constant_parameters, constant_results, constant_fields, unreached } = self.inferred;
        let _ = writeln!(
            text,
            "always the same: {constant_parameters} parameters, {constant_results} results, \
             {constant_fields} fields; {unreached} methods never run",
        );
        if self.pure > 0 {
            let _ = writeln!(
                text,
                "assumed: calls without effects return and do not exhaust the stack ({} methods; --strict)",
                self.pure
            );
        }
        if self.forgotten > 0 {
            let _ = writeln!(text, "calls without effects by what rules say, removed: {}", self.forgotten);
        }
        for note in &self.notes {
            let _ = writeln!(text, "kept for what may be found at run time: {note}");
        }
        text
    }
}
