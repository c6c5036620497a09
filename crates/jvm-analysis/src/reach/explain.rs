//! `-whyareyoukeeping`: the chain from a root to what was kept, and the roots that rules name.

use std::collections::{BTreeMap, BTreeSet};

use hashbrown::HashSet;
use planish_base::Id;
use planish_jvm_model::names::show;
use planish_jvm_model::program::{Class, Method};
use planish_keep::show::{java_field, java_method};
use planish_keep::{Configuration, Keeps};
use rustc_hash::FxBuildHasher;

use super::{Cause, Reach, Root};

impl Reach<'_, '_> {
    /// The classes and members that keep rules name, one a line, as ProGuard's `-printseeds` prints them.
    pub fn seeds(&self) -> String {
        let mut seeds: Vec<_> = self.seeds.iter().map(|&(class, member, _)| (class, member)).collect();
        seeds.sort_unstable();
        seeds.dedup();
        let program = self.program;
        let mut text = String::new();
        for (class, member) in seeds {
            text += &program.show_class(class);
            match member {
                None => {}
                Some(Root::Field(field)) => {
                    let selector = program.fields[field].selector;
                    let name = program.member_name(selector);
                    text += &format!(": {}", java_field(name, program.descriptor(selector)));
                }
                Some(Root::Method(method)) => {
                    let selector = program.methods[method].selector;
                    let (name, descriptor) = (program.member_name(selector), program.descriptor(selector));
                    text += &format!(": {}", java_method(program.name(class), name, descriptor));
                }
            }
            text.push('\n');
        }
        text
    }

    /// What is there and keep rules keep: by the number of the rule, classes and members. A class of which a rule keeps only
    /// members is not kept by that.
    pub fn kept_by_rules(&self, rules: &Configuration) -> BTreeSet<(usize, Class, Option<Root>)> {
        let keeps = |rule: usize, member: Option<Root>| {
            member.is_some() || rules.keep.get(rule).is_some_and(|rule| rule.keeps != Keeps::Members)
        };
        let there =
            self.seeds.iter().filter(|&&(class, member, rule)| keeps(rule, member) && self.is_needed(class));
        there.map(|&(class, member, rule)| (rule, class, member)).collect()
    }

    /// Why a method is there, in a few words: what calls or has it; `None` if it is not.
    pub fn why_method(&self, method: Method) -> Option<String> {
        let state = &self.methods[method.index()];
        Some(match state.live.or(state.declared)? {
            Cause::Root(number) => format!("for {}", self.roots[number as usize]),
            Cause::Method(by) => format!("by {}", self.program.show_method(by)),
            Cause::Class(class) => format!("by class {}", self.program.show_class(class)),
        })
    }

    /// What pinned methods keep, since their bytes name it and no root before them does: by their class, name and
    /// descriptor, classes and members as people write them.
    pub fn held(&self) -> BTreeMap<Box<[u8]>, Vec<String>> {
        let program = self.program;
        let mut held: BTreeMap<Box<[u8]>, Vec<String>> = BTreeMap::new();
        let mut holds = |cause: Option<Cause>, name: &dyn Fn() -> String| {
            if let Some((method, _)) = self.pins.iter().find(|(_, pin)| Some(*pin) == cause) {
                let name = name();
                if name != show(method) {
                    held.entry(method.clone()).or_default().push(name);
                }
            }
        };
        for class in program.classes.ids().filter(|_| !self.pins.is_empty()) {
            holds(self.classes[class.index()].mentioned, &|| program.show_class(class));
            for &method in &program.classes[class].methods {
                let state = &self.methods[method.index()];
                holds(state.live.or(state.declared), &|| program.show_method(method));
            }
            for &field in &program.classes[class].fields {
                holds(self.fields[field.index()], &|| program.show_field(field));
            }
        }
        held
    }

    /// Why a class is there, from the nearest cause to a root, one line each.
    pub fn explain(&self, class: Class) -> Vec<String> {
        let mut lines = Vec::new();
        let Some(mut cause) = self.classes[class.index()].mentioned else {
            return vec![format!("{} is not kept", self.program.show_class(class))];
        };
        let mut seen: HashSet<(u8, usize), FxBuildHasher> = HashSet::default();
        lines.push(format!("{} is kept", self.program.show_class(class)));
        loop {
            let (key, text, next) = match cause {
                Cause::Root(number) => {
                    lines.push(format!("  for {}", self.roots[number as usize]));
                    return lines;
                }
                Cause::Method(method) => {
                    let text = format!("  by {}", self.program.show_method(method));
                    ((0, method.index()), text, self.methods[method.index()].live)
                }
                Cause::Class(class) => {
                    let text = format!("  by class {}", self.program.show_class(class));
                    let state = &self.classes[class.index()];
                    ((1, class.index()), text, state.instantiated.or(state.mentioned))
                }
            };
            if !seen.insert(key) {
                return lines;
            }
            lines.push(text);
            match next {
                Some(next) => cause = next,
                None => return lines,
            }
        }
    }
}
