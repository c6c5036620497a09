//! Jars, directories of classes and single class files.
//!
//! Every method body is optimized for itself, and replaced only if the new one is better and verifies;
//! nothing else in a class changes, and no class, method or field goes. So the result works wherever the
//! input did, with reflection too. Classes are shared out to threads, each with an engine of its own;
//! what becomes of a class does not depend on the others, so the result does not depend on threads.
//!
//! Rules that pay on a machine and not in bytecode are left out: a division by a constant is one
//! instruction here, and a JVM's own compiler knows the multiplication.
//!
//! Classes for some Java releases only (`META-INF/versions`) are copied: their super classes may differ
//! from those of the same name that the hierarchy has.

use std::fmt::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use planish_base::{Budget, Interner};
use planish_classfile::ClassFile;
use planish_classfile::jar::Role;
use planish_ir::module::{Descriptors, Tables};
use planish_ir::{Form, Function};
use planish_jvm::bodies::{Report, Story, rewrite_class};
use planish_jvm::lower::expression::is_native;
use planish_ops::world::World;
use planish_opt::Pipeline;
use planish_rules::rule::{Rule, Target};

pub use planish_classfile::jimage::{Image, find_image};
pub use planish_classfile::source::{Form as SourceForm, Source};
pub use planish_classfile::zip::{Archive, INFLATED_LIMIT, Method};
pub use planish_jvm::bodies::Known;
pub use planish_jvm::{Hierarchy, Origin};

use crate::explain::{self, Remark};
use crate::session::{Run, Settings};
use crate::suits::operations;

/// The level at which changed entries are deflated.
pub(crate) const LEVEL: u32 = 6;

/// What became of a program of classes.
#[derive(Default)]
pub struct ClassOutcome {
    /// Class files.
    pub classes: u64,
    /// Class files that changed.
    pub changed: u64,
    /// Bytes of class files before and after.
    pub bytes: (u64, u64),
    /// What became of methods.
    pub methods: Report,
    /// Rewrites.
    pub rewrites: u64,
    /// What became of each body and why, by class and method, if remarks are wanted.
    pub stories: Vec<MethodStory>,
    /// What the user should know: one message each.
    pub warnings: Vec<String>,
}

/// What became of a body, and the rewrites that made it.
pub struct MethodStory {
    /// What became of it.
    pub story: Story,
    /// The rewrites in order.
    pub remarks: Vec<Remark>,
}

impl MethodStory {
    /// The last story of a run, whose record still has the entries.
    fn of(story: Story, run: &Run) -> MethodStory {
        let entries = run.record.entries();
        let from = entries.partition_point(|entry| entry.function < story.optimized.start);
        let to = entries.partition_point(|entry| entry.function < story.optimized.end);
        let remark = |entry| Remark { function: story.method.clone(), ..Remark::of(entry, &run.names) };
        let remarks = entries[from..to].iter().map(remark).collect();
        MethodStory { story, remarks }
    }
}

/// Adds the classes of an archive to a hierarchy.
pub fn add_classes(
    hierarchy: &mut Hierarchy,
    archive: &Archive,
    origin: Origin,
    budget: &mut Budget,
    warnings: &mut Vec<String>,
) -> Result<(), String> {
    // Of entries with one name a JVM finds the last.
    for entry in archive.entries.iter().rev() {
        if let Role::Class { release: None, .. } = Role::of(&entry.name) {
            let bytes = entry.content(budget).map_err(|error| error.to_string())?;
            if let Err(error) = hierarchy.add(&bytes, origin) {
                warnings.push(format!("{}: {error}", String::from_utf8_lossy(&entry.name)));
            }
        }
    }
    Ok(())
}

/// What is wrong with the class files of an archive, one message each: where, in which file. The error is
/// that of the archive itself.
pub fn check_classes(archive: &Archive, budget: &mut Budget) -> Result<Vec<String>, String> {
    let mut wrong = Vec::new();
    for entry in &archive.entries {
        if let Role::Class { .. } = Role::of(&entry.name) {
            let bytes = entry.content(budget).map_err(|error| error.to_string())?;
            if let Err(error) = ClassFile::read(&bytes).and_then(|class| class.check()) {
                wrong.push(format!("{}: {error}", String::from_utf8_lossy(&entry.name)));
            }
        }
    }
    Ok(wrong)
}

/// The rules of the book that make bytecode longer: those with a tag, and those that make an operation
/// which the instruction set lacks and the pattern does not have.
fn left_out() -> Vec<bool> {
    let lacks = |rule: &Rule| {
        let mut had = Vec::new();
        operations(rule, rule.pattern, &mut had);
        let mut made = Vec::new();
        match rule.target {
            Target::Value(term) => operations(rule, term, &mut made),
            Target::Pair(first, second) => {
                operations(rule, first, &mut made);
                operations(rule, second, &mut made);
            }
            Target::Pass | Target::Fail => {}
        }
        !rule.marks.tags.is_empty() || made.iter().any(|op| !is_native(*op) && !had.contains(op))
    };
    planish_book::set().rules.values().map(lacks).collect()
}

/// What one class became, and the stories of its bodies.
type Rewritten = (Result<Option<Vec<u8>>, String>, Vec<MethodStory>);

/// Optimizes the method bodies of every class in an archive.
pub fn optimize_bodies(
    archive: &mut Archive,
    hierarchy: &Hierarchy,
    known: &Known,
    settings: &Settings,
    threads: usize,
) -> Result<ClassOutcome, String> {
    let mut outcome = ClassOutcome::default();
    let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
    let mut inputs = Vec::new();
    for (index, entry) in archive.entries.iter().enumerate() {
        if let Role::Class { release: None, .. } = Role::of(&entry.name) {
            inputs.push((index, entry.content(&mut budget).map_err(|error| error.to_string())?.into_owned()));
        }
    }
    // Fuel is counted in program order, and a wrong pipeline should fail before threads start.
    let threads = if settings.fuel.is_some() { 1 } else { threads.clamp(1, inputs.len().max(1)) };
    let plain = Settings { validate: 0, states: false, graphs: false, ..settings.clone() };
    Run::new(&plain, Pipeline::BYTECODE, Form::Cfg)?;

    let left_out = left_out();

    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<Rewritten>>> = Mutex::new(inputs.iter().map(|_| None).collect());
    let reports: Mutex<Vec<(Report, u64)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let Ok(mut run) = Run::new(&plain, Pipeline::BYTECODE, Form::Cfg) else { return };
                run.leave_out(&left_out);
                let (descriptors, symbols) = (Descriptors::default(), Interner::new());
                let tables = Tables { descriptors: &descriptors, symbols: &symbols };
                let stories = plain.log.then(Vec::new);
                let mut report = Report { stories, ..Report::default() };
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some((_, bytes)) = inputs.get(number) else { break };
                    let mut optimize = |function: &mut Function, world: &dyn World| {
                        run.function(function, &[], world, tables, explain::positions);
                    };
                    let rewritten = rewrite_class(bytes, hierarchy, known, &mut optimize, &mut report);
                    let rewritten = rewritten.map_err(|error| error.to_string());
                    let told = report.stories.iter_mut().flat_map(|stories| stories.drain(..));
                    let stories = told.map(|story| MethodStory::of(story, &run)).collect();
                    run.forget();
                    results.lock().expect("no thread panicked")[number] = Some((rewritten, stories));
                }
                reports.lock().expect("no thread panicked").push((report, run.record.total()));
            });
        }
    });

    for (report, rewrites) in reports.into_inner().expect("no thread panicked") {
        merge(&mut outcome.methods, report);
        outcome.rewrites += rewrites;
    }
    let results = results.into_inner().expect("no thread panicked");
    for ((index, before), result) in inputs.into_iter().zip(results) {
        let entry = &mut archive.entries[index];
        outcome.classes += 1;
        outcome.bytes.0 += before.len() as u64;
        let mut after = before.len();
        let Some((result, stories)) = result else { return Err("a class was not looked at".into()) };
        outcome.stories.extend(stories);
        match result {
            Ok(Some(bytes)) => {
                after = bytes.len();
                outcome.changed += 1;
                entry.set_content(&bytes, entry.method().unwrap_or(Method::Deflated), LEVEL);
            }
            Ok(None) => {}
            Err(error) => {
                outcome.warnings.push(format!("{}: {error}; copied", String::from_utf8_lossy(&entry.name)));
            }
        }
        outcome.bytes.1 += after as u64;
    }
    if outcome.changed > 0 && archive.is_signed() {
        let removed = archive.remove_signatures(&mut budget, LEVEL).map_err(|error| error.to_string())?;
        outcome.warnings.push(format!("classes changed, so {} signature files were removed", removed.len()));
    }
    Ok(outcome)
}

fn merge(into: &mut Report, from: Report) {
    into.methods += from.methods;
    into.improved += from.improved;
    into.kept += from.kept;
    into.constants += from.constants;
    into.inlined += from.inlined;
    into.redirected += from.redirected;
    into.unused += from.unused;
    into.moved += from.moved;
    into.instructions.0 += from.instructions.0;
    into.instructions.1 += from.instructions.1;
    into.bytes.0 += from.bytes.0;
    into.bytes.1 += from.bytes.1;
    for (reason, (count, example)) in from.refused {
        let known = into.refused.entry(reason).or_insert_with(|| (0, example.clone()));
        known.0 += count;
        // The example does not depend on which thread was first.
        if example < known.1 {
            known.1 = example;
        }
    }
}

impl ClassOutcome {
    /// What this and a later round did together.
    pub(crate) fn then(self, later: ClassOutcome) -> ClassOutcome {
        let (first, second) = (self.methods, later.methods);
        let mut stories = self.stories;
        stories.extend(later.stories);
        let methods = Report {
            improved: first.improved + second.improved,
            constants: first.constants + second.constants,
            inlined: first.inlined + second.inlined,
            redirected: first.redirected + second.redirected,
            unused: first.unused + second.unused,
            moved: first.moved + second.moved,
            instructions: (first.instructions.0, second.instructions.1),
            bytes: (first.bytes.0, second.bytes.1),
            ..second
        };
        ClassOutcome {
            classes: self.classes,
            changed: self.changed.max(later.changed),
            bytes: (self.bytes.0, later.bytes.1),
            methods,
            rewrites: self.rewrites + later.rewrites,
            stories,
            warnings: self.warnings,
        }
    }

    /// The summary: one line for each kind of thing.
    pub fn summary(&self) -> String {
        let Report { methods, improved, kept, instructions, bytes, ref refused, .. } = self.methods;
        let percent = |(before, after): (u64, u64)| match before {
            0 => 0.0,
            _ => (after as f64 - before as f64) * 100.0 / before as f64,
        };
        let change = |name: &str, pair: (u64, u64)| {
            format!("{name}: {} before, {} after ({:+.2} %)\n", pair.0, pair.1, percent(pair))
        };
        let mut text = format!(
            "{} classes, {} changed; {methods} methods, {improved} improved, {kept} as good as before; {} rewrites\n",
            self.classes, self.changed, self.rewrites
        );
        let report = &self.methods;
        for (what, count) in [
            ("values that are constants by what the whole program says", report.constants),
            ("calls in whose place a body was put", report.inlined),
            ("calls of copies with fewer parameters", report.redirected),
            ("stores that nobody reads and objects that nobody uses", report.unused),
            ("calls made only where their result is used", report.moved),
        ] {
            if count > 0 {
                let _ = writeln!(text, "{what}: {count}");
            }
        }
        text += &change("instructions", instructions);
        text += &change("bytes of code", bytes);
        text += &change("bytes of class files", self.bytes);
        let mut reasons: Vec<_> = refused.iter().collect();
        reasons.sort_by_key(|(reason, (count, _))| (std::cmp::Reverse(*count), reason.as_str()));
        for (reason, (count, example)) in reasons {
            let _ = writeln!(text, "{count} methods copied: {reason} ({example})");
        }
        text
    }
}
