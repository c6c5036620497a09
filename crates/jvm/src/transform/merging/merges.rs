//! Which classes of a program become one.

use std::collections::BTreeMap;

use planish_base::Id;
use planish_classfile::{Flags, Result};
use planish_jvm_analysis::passes::{HORIZONTAL_MERGING, VERTICAL_MERGING};
use planish_jvm_analysis::record::ProgramRecord;
use planish_jvm_model::program::{Class, Field, Method, Program};

use crate::transform::inline::origins::ClassOrigins;

use super::apply::{unwritten, written};
use super::asked::Asked;
use super::facts::{Facts, Outside};
use super::hidden::hidden;
use super::lines::Lines;
use super::members::{Members, unfit};
use super::overloads::ambiguous;
use super::reason::{Reason, Refused};
use super::{horizontal, vertical};

/// By class the one of which it becomes a part.
type Targets = Vec<Option<Class>>;

/// What fits: by class the one of which it is a part in the end, the classes of each of those, and their members.
type Fit = (Targets, BTreeMap<Class, Vec<Class>>, Members);

/// Which classes of a program become a part of others, and what becomes of their members.
pub struct Merges {
    /// By class the class of which it is a part in the end.
    into: Vec<Option<Class>>,
    /// By class that gets others those, the one at the top first.
    groups: BTreeMap<Class, Vec<Class>>,
    members: Members,
    lines: Lines,
    /// By class whether it becomes public, since a class of another package names what becomes a part of it.
    becomes_public: Vec<bool>,
    /// How many classes do not become a part of the one below, and of one beside, by the reason, and one of them.
    pub refused: [Refused; 2],
    /// How many become a part of the one below, and of one beside.
    pub counts: (u64, u64),
}

impl Merges {
    /// Decides which classes become one, as far as the record allows it. O(program), and again for each time that classes turn
    /// out not to fit.
    pub fn of(program: &Program<'_>, asked: &Asked<'_>, record: &mut ProgramRecord) -> Merges {
        let outside = Outside {
            rules: asked.rules,
            files: asked.outside,
            sought: asked.sought,
            unobserved: asked.unobserved,
        };
        let facts = Facts::of(program, &outside);
        let mut refused = [Refused::new(), Refused::new()];
        let mut refuse = |direction: usize, class: Class, reason| {
            refused[direction].entry(reason).or_insert_with(|| (0, program.show_class(class))).0 += 1;
        };
        let count = program.counts()[0];
        let mut below = match asked.directions.0 {
            true => {
                vertical::candidates(program, &facts, asked, &mut |class, reason| refuse(0, class, reason))
            }
            false => vec![None; count],
        };
        let mut beside = match asked.directions.1 {
            true => {
                horizontal::candidates(program, &facts, asked, &mut |class, reason| refuse(1, class, reason))
            }
            false => vec![None; count],
        };
        let members = loop {
            let into = united(&below, &beside);
            let groups = groups(program, &into);
            let mut wrong = ambiguous(program, &into);
            for (&target, sources) in &groups {
                wrong.extend(unfit(program, target, sources));
            }
            wrong.extend(hidden(program, &into, &groups));
            if wrong.is_empty() {
                let members = Members::of(program, &into, &groups);
                let wrong_files = unwritten(program, &into, &groups, &members);
                wrong.extend(wrong_files.into_iter().map(|class| (class, Reason::Unwritten)));
                if wrong.is_empty() {
                    break (into, groups, members);
                }
            }
            for (class, reason) in wrong {
                if below[class.index()].take().is_some() {
                    refuse(0, class, reason);
                }
                if beside[class.index()].take().is_some() {
                    refuse(1, class, reason);
                }
            }
        };
        let mut merges = Merges::recorded(program, &facts, (below, beside), members, record, refused);
        if let Some(origins) = asked.origins {
            merges.lines = Lines::of(program, &merges.groups, &merges.members.goes, origins);
        }
        merges
    }

    /// The merges that the record allows.
    fn recorded(
        program: &Program<'_>,
        facts: &Facts,
        (mut below, mut beside): (Targets, Targets),
        (mut into, mut groups, mut members): Fit,
        record: &mut ProgramRecord,
        refused: [Refused; 2],
    ) -> Merges {
        let mut order: Vec<Class> =
            program.classes.ids().filter(|class| into[class.index()].is_some()).collect();
        order.sort_by_key(|&class| program.name(class));
        let (mut is_less, mut counts) = (false, (0, 0));
        for class in order {
            let (of, pass, count) = match below[class.index()] {
                Some(of) => (of, &VERTICAL_MERGING, &mut counts.0),
                None => (into[class.index()].expect("it becomes a part"), &HORIZONTAL_MERGING, &mut counts.1),
            };
            let say = || {
                format!("class {} becomes a part of {}", program.show_class(class), program.show_class(of))
            };
            match record.rewrite(pass, say) {
                true => *count += 1,
                false => {
                    is_less = true;
                    (below[class.index()], beside[class.index()]) = (None, None);
                }
            }
        }
        if is_less {
            into = united(&below, &beside);
            groups = self::groups(program, &into);
            members = Members::of(program, &into, &groups);
        }
        let mut becomes_public = vec![false; into.len()];
        for (&target, sources) in &groups {
            let is_public = |class: Class| {
                let flags = program.classes[class].file.flags;
                flags.has(Flags::PUBLIC) && facts[class].is_named_afar
            };
            becomes_public[target.index()] = sources.iter().any(|&class| is_public(class));
        }
        Merges { into, groups, members, lines: Lines::default(), becomes_public, refused, counts }
    }

    /// The bytes of a class that does not go; nothing if they stay what they are. O(size of it, and of what becomes a part of
    /// it).
    pub fn class(&self, program: &Program<'_>, class: Class) -> Result<Option<Vec<u8>>> {
        let merges = (&self.into[..], &self.groups, &self.members, &self.lines);
        written(program, class, merges, self.becomes_public[class.index()])
    }

    /// What the lines of classes that others become a part of stand for, if stack traces will be turned back.
    pub fn origins(&mut self) -> Vec<(Box<[u8]>, ClassOrigins)> {
        std::mem::take(&mut self.lines.origins)
    }

    /// Whether no class becomes a part of another.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// The classes that become a part of another one, as in `a.B`, and that one.
    pub fn parts(&self, program: &Program<'_>) -> BTreeMap<String, String> {
        let targets = program.classes.ids().zip(&self.into);
        let part = |(class, target): (Class, &Option<Class>)| {
            target.map(|target| (program.show_class(class), program.show_class(target)))
        };
        targets.filter_map(part).collect()
    }

    /// Whether a class becomes a part of another.
    pub fn goes(&self, class: Class) -> bool {
        self.into[class.index()].is_some()
    }

    /// The class that a member is of in the end, and its name and descriptor there; nothing if it goes, or if they are as
    /// they were.
    pub fn new_method(&self, program: &Program<'_>, method: Method) -> Option<(Class, Vec<u8>)> {
        self.members.new_method(program, &self.into, method)
    }

    /// The same of a field.
    pub fn new_field(&self, program: &Program<'_>, field: Field) -> Option<(Class, Vec<u8>)> {
        self.members.new_field(program, &self.into, field)
    }
}

/// By class the one of which it is a part in the end.
fn united(below: &[Option<Class>], beside: &[Option<Class>]) -> Vec<Option<Class>> {
    let next = |class: Class| below[class.index()].or(beside[class.index()]);
    let last = |mut class: Class| {
        while let Some(further) = next(class) {
            class = further;
        }
        class
    };
    below.iter().zip(beside).map(|(below, beside)| below.or(*beside).map(last)).collect()
}

/// The classes that become a part of each, the one at the top first, those beside each other by their names.
fn groups(program: &Program<'_>, into: &[Option<Class>]) -> BTreeMap<Class, Vec<Class>> {
    let mut groups: BTreeMap<Class, Vec<Class>> = BTreeMap::new();
    for class in program.classes.ids() {
        if let Some(target) = into[class.index()] {
            groups.entry(target).or_default().push(class);
        }
    }
    for sources in groups.values_mut() {
        let depth = |class: Class| program.hierarchy.ancestors(program.classes[class].id).count();
        sources.sort_by_key(|&class| (depth(class), program.name(class)));
    }
    groups
}
