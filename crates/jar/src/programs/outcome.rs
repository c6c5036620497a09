//! What shrinking did, in numbers and in words.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use planish_jvm::bodies::known::Known;
use planish_jvm::shrink::classes::Shrunk;
use planish_jvm::transform::assumed::Forgotten;
use planish_jvm::transform::merging::Refused;
use planish_jvm::transform::merging::observed::Unobserved;
use planish_jvm::transform::unboxing::observed::Enums;
use planish_jvm::transform::unboxing::{Kept, Object};
use planish_jvm_analysis::infer::Counts;
use planish_jvm_analysis::lookups::Lookup;
use planish_jvm_analysis::reach::cause::Root;
use planish_jvm_analysis::record::ProgramRewrite;
use planish_jvm_analysis::sought::Sought;
use planish_jvm_model::program::Class;

use crate::notes::Notes;
use crate::outcome::change;
use crate::programs::open::Open;
use crate::removed::Removed;
use crate::renaming::renamed::Names;

/// What is answered about a class that is not there.
pub(super) const UNKNOWN_CLASS: &str = " is no class of the program";

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
    /// Classes and members that went.
    pub removed: Removed,
    /// Classes and members that keep rules name, one a line, as ProGuard prints them.
    pub seeds: String,
    /// Classes and members that are there and that keep rules keep, with the number of the rule.
    pub kept_by_rules: BTreeSet<(usize, Class, Option<Root>)>,
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
    /// Copies of methods for constants or classes of arguments that were wanted and are more than the run may make.
    pub cut: u64,
    /// Calls of copies for constants in whose place the copy might stand, but for its size.
    pub left: u64,
    /// How many static methods only compute.
    pub pure: u64,
    /// Calls that went, since rules say that they have no effects.
    pub forgotten: u64,
    /// Methods that went, since others do the same.
    pub merged: u64,
    /// Classes and static fields that became final.
    pub finals: u64,
    /// Classes that nothing outside looks at, if they are asked for.
    pub unobserved: Unobserved,
    /// Enums, with whether something outside looks at them, if they are asked for.
    pub enums: Enums,
    /// How many enums became numbers.
    pub unboxed: u64,
    /// Enums that stay objects, by the reason.
    pub boxed: Kept,
    /// Classes that became a part of the one below, and of one beside.
    pub united: (u64, u64),
    /// The classes that became a part of another one, as in `a.B`, and that one.
    pub parts: BTreeMap<String, String>,
    /// Whether no classes become one since the program looks for classes by names that nobody knows.
    pub looks_for_any_class: bool,
    /// Classes that are not a part of the only one that extends them, and of one beside, by the reason.
    pub apart: [Refused; 2],
    /// Whether there are interfaces that only classes which implement them speak of.
    pub has_idle_interfaces: bool,
    /// Whether objects may be written, by the program or by what is around it.
    pub may_write_objects: bool,
    /// What pinned methods keep, by their class, name and descriptor.
    pub held: BTreeMap<Box<[u8]>, Vec<String>>,
    /// Classes that say the version that they had.
    pub versions: u64,
    /// Where code that runs looks for what the analysis does not know.
    pub lookups: Vec<Lookup>,
    /// The classes that code that runs has as values, types of annotations among them.
    pub asked: BTreeSet<Box<[u8]>>,
    /// What holds the program open.
    pub open: Open,
    /// Of a library, the classes at which it may begin as a program, as in `a.B`.
    pub may_begin: Vec<String>,
    /// Which of these places may miss something.
    pub missed: Notes,
    /// What the program looks for by names, as far as it is seen.
    pub sought: Sought,
    /// New names, if there are any.
    pub names: Option<Names>,
    /// Rewrites of the program, those of bodies not among them.
    pub rewrites: u64,
    /// If a log was asked for: the last rewrite of all, if it was one of the program.
    pub last: Option<ProgramRewrite>,
    /// The names of entries that are stored for now; [`pack`](crate::stored::pack) deflates them when all is done.
    pub to_deflate: Vec<Vec<u8>>,
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
                must_change: later.members.must_change,
            },
            instructions: (self.instructions.0, later.instructions.1),
            bytes: (self.bytes.0, later.bytes.1),
            removed: self.removed.then(later.removed),
            seeds: self.seeds,
            kept_by_rules: self.kept_by_rules,
            mapping: later.mapping,
            explanations: answers,
            kept: later.kept,
            notes: self.notes,
            warnings: self.warnings,
            known: later.known,
            inferred: self.inferred,
            // Of a round in which none was wanted nothing is known.
            cut: self.cut.max(later.cut),
            left: later.left,
            pure: self.pure,
            forgotten: self.forgotten,
            merged: self.merged + later.merged,
            finals: later.finals,
            unobserved: later.unobserved,
            enums: later.enums,
            unboxed: later.unboxed,
            boxed: later.boxed,
            united: later.united,
            parts: later.parts,
            looks_for_any_class: later.looks_for_any_class,
            apart: later.apart,
            has_idle_interfaces: later.has_idle_interfaces,
            may_write_objects: self.may_write_objects,
            held: self.held,
            versions: self.versions,
            lookups: self.lookups,
            asked: self.asked,
            open: self.open,
            may_begin: self.may_begin,
            missed: self.missed,
            sought: self.sought.or(later.sought),
            names: later.names,
            rewrites: later.rewrites,
            last: later.last.or(self.last),
            to_deflate,
        }
    }

    /// Counts what is left, and lists what went, after one more look at a program in which classes became one. Gives what is known
    /// of it. What else is told of classes and members is told by what they were called before.
    pub(crate) fn followed_by(&mut self, later: ShrinkOutcome) -> Known {
        self.classes.1 = later.classes.1;
        self.members.methods.1 = later.members.methods.1;
        self.members.fields.1 = later.members.fields.1;
        self.members.emptied += later.members.emptied;
        self.instructions.1 = later.instructions.1;
        self.bytes.1 = later.bytes.1;
        self.removed = std::mem::take(&mut self.removed).then(later.removed);
        self.merged += later.merged;
        self.to_deflate.extend(later.to_deflate);
        later.known
    }

    /// Tells of classes that became a part of another one: they are gone, and what they had is not.
    pub(crate) fn note_parts(&mut self, parts: BTreeMap<String, String>) {
        for line in &mut self.explanations {
            let name = line.strip_suffix(" is kept").filter(|name| !name.starts_with(' '));
            if let Some(target) = name.and_then(|name| parts.get(name)) {
                *line += &format!(", and merged into {target}");
            }
        }
        for (class, target) in &parts {
            if let Some(lines) = self.kept.get_mut(&class.replace('.', "/")) {
                lines.push(format!("merged into {target}"));
            }
            self.removed.add_part(class.clone(), target.clone());
        }
        self.parts = parts;
    }

    /// Counts calls that went before the program was looked at for the first time: they were in it.
    pub(crate) fn note_forgotten(&mut self, forgotten: Forgotten) {
        self.forgotten = forgotten.calls;
        self.instructions.0 = self.instructions.0.saturating_add_signed(forgotten.instructions);
        self.bytes.0 = self.bytes.0.saturating_add_signed(forgotten.bytes);
    }

    /// The summary: the sizes, and what holds the program open.
    pub fn summary(&self) -> String {
        let rows = [
            ("classes", self.classes),
            ("methods", self.members.methods),
            ("fields", self.members.fields),
            ("instructions", self.instructions),
            ("bytes of class files", self.bytes),
        ];
        let rows = rows.into_iter().filter(|row| row.1.0 > 0).map(|(name, sizes)| change(name, sizes));
        let names = self.names.as_ref().map(Names::summary).unwrap_or_default();
        rows.collect::<String>() + &names + &self.open.summary()
    }

    /// What was found out and done: one line for each kind of thing.
    pub fn details(&self) -> String {
        let mut text = String::new();
        if self.members.emptied > 0 {
            let _ =
                writeln!(text, "methods that are named but cannot run, emptied: {}", self.members.emptied);
        }
        let Counts {
            constant_parameters,
            constant_results,
            constant_fields,
            unreached,
            unmade,
            checked_receivers,
        } = self.inferred;
        let known =
            [(constant_parameters, "parameters"), (constant_results, "results"), (constant_fields, "fields")];
        let known = known.into_iter().filter(|(count, _)| *count > 0);
        let known: Vec<String> = known.map(|(count, name)| format!("{count} {name}")).collect();
        if !known.is_empty() {
            let _ = writeln!(text, "always the same: {}", known.join(", "));
        }
        if unreached > 0 {
            let _ = writeln!(text, "methods that never run: {unreached}");
        }
        if unmade > 0 {
            let _ = writeln!(
                text,
                "calls with constants that are not made ahead of time, since they take too long (--precision) or throw: \
                 {unmade}"
            );
        }
        if checked_receivers > 0 {
            let _ = writeln!(
                text,
                "methods that need no object and are called on one, since it may be null at too many calls: \
                 {checked_receivers}"
            );
        }
        if self.cut > 0 {
            let _ = writeln!(
                text,
                "copies of methods for constants or classes of arguments, left out for their number or size \
                 (--precision): {}",
                self.cut
            );
        }
        if self.left > 0 {
            let _ = writeln!(
                text,
                "calls of copies for constants that only compute, in whose place the copy does not stand for its size \
                 (--precision): {}",
                self.left
            );
        }
        if self.finals > 0 {
            let _ = writeln!(text, "classes and static fields that became final: {}", self.finals);
        }
        text += &self.told_of_enums();
        text += &self.told_of_merging();
        if self.forgotten > 0 {
            let _ = writeln!(text, "calls without effects by what rules say, removed: {}", self.forgotten);
        }
        if self.versions > 0 {
            let _ = writeln!(
                text,
                "classes that say the version which serialization computed: {}",
                self.versions
            );
        }
        for note in &self.notes {
            let _ = writeln!(text, "kept for what may be found at run time: {note}");
        }
        text
    }

    /// How many enums became numbers, and why others did not.
    fn told_of_enums(&self) -> String {
        let mut text = String::new();
        if self.unboxed > 0 {
            let _ = writeln!(text, "enums that became numbers: {}", self.unboxed);
        }
        if !self.boxed.is_empty() {
            let _ = writeln!(text, "enums that stay objects: {}", self.boxed.len());
        }
        for Object { reason, name, place } in &self.boxed {
            let _ = writeln!(text, "  {name}: {reason}, at {place}");
        }
        text
    }

    /// Which classes became one, and why others did not.
    fn told_of_merging(&self) -> String {
        let mut text = String::new();
        let (below, beside) = self.united;
        if below + beside > 0 {
            let _ = writeln!(
                text,
                "classes that became a part of another: {below} of the one below, {beside} of one beside"
            );
        }
        if self.looks_for_any_class {
            let _ = writeln!(
                text,
                "no classes become one and no enums numbers, since classes are looked for by names that are computed"
            );
        }
        for (refused, what) in
            self.apart.iter().zip(["from the only one below", "with nothing but static members"])
        {
            for (reason, (count, class)) in refused {
                let _ = writeln!(text, "classes that stay apart {what}, such as {class}: {count} ({reason})");
            }
        }
        text
    }
}
