//! What of an optimization makes a difference that a check sees: an attribute or a class that went, an assumption, the new
//! body of a method.
//!
//! The check is asked again and again about the program optimized from roots that keep more. What it has to hold for is
//! everything kept; then causes are tried from the frequent to the rare. Which class it is, bisection finds: with the
//! classes in a row and only those behind some place kept as they are, the check holds at one end of the row and fails at
//! the other, so there is a class with which it begins to fail. O(log(classes)) runs for each culprit.

use planish_base::Budget;
use planish_classfile::ClassFile;
use planish_classfile::jar::Role;
use planish_classfile::mutf8::Shown;
use planish_classfile::zip::{Archive, INFLATED_LIMIT};
use planish_jvm_model::names::show;

use crate::programs::assumptions::Assumptions;
use crate::programs::roots::{Pinned, Roots};

/// So many classes that are missed are looked for at most.
const MOST: usize = 8;

/// Attributes that programs read, by what one option names, the most frequent first.
const ATTRIBUTES: [&str; 7] = [
    "SourceFile,LineNumberTable",
    "InnerClasses,EnclosingMethod",
    "*Annotation*",
    "Signature",
    "Exceptions",
    "MethodParameters",
    "LocalVariable*Table",
];

/// Steps that a configuration can forbid, those that change most first.
const STEPS: [&str; 8] = [
    "method/inlining/*",
    "method/propagation/*,!field/propagation/*",
    "method/removal/parameter",
    "field/removal/writeonly",
    "class/merging/*",
    "class/unboxing/enum",
    "code/merging",
    "class/marking/final,!field/marking/final",
];

/// What is to blame.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Culprit {
    /// What it is, in words.
    pub what: String,
    /// What to write into a configuration, or on the command line, so that the check holds.
    pub remedy: String,
    /// Whether it is a rewrite, and nothing that went.
    pub is_rewrite: bool,
}

/// A class of the program with its methods, as messages about bodies name them.
struct Named {
    class: String,
    methods: Vec<Box<[u8]>>,
}

/// A search.
struct Search<'s, E> {
    /// What the user said, and remedies for what was found so far.
    roots: Roots,
    classes: Vec<Named>,
    holds: &'s mut dyn FnMut(&Roots) -> Result<bool, E>,
}

/// Finds out why a check fails for a program optimized from these roots. `holds` asks it for others; what goes wrong there
/// comes back. No culprit if the check fails whatever is kept.
pub fn culprits<E>(
    archive: &Archive,
    roots: &Roots,
    holds: &mut dyn FnMut(&Roots) -> Result<bool, E>,
) -> Result<Vec<Culprit>, E> {
    let mut search = Search { roots: roots.clone(), classes: named(archive), holds };
    let mut found = Vec::new();
    if search.roots.new_names().is_some() {
        if search.holds(|roots| roots.names = None)? {
            return search.names();
        }
        search.roots.names = None;
    }
    let copied = |roots: &mut Roots| {
        keep_all(roots);
        dont_optimize(roots);
    };
    if !search.holds(|roots| {
        copied(roots);
        keeps_attributes(roots);
    })? {
        return Ok(found);
    }
    if !search.holds(copied)? {
        found.push(search.attributes(copied)?);
    }
    let optimizes = !search.roots.rules.has("dontoptimize");
    if !search.roots.rules.has("dontshrink") && !search.holds(dont_optimize)? {
        found.extend(search.removed()?);
    }
    if optimizes && !search.holds(|_| {})? {
        found.push(search.changed()?);
    }
    Ok(found)
}

fn keep_all(roots: &mut Roots) {
    add_rule(roots, "-keep class ** { *; }");
}

fn keeps_attributes(roots: &mut Roots) {
    roots.rules.flags.push("dontobfuscate".to_owned());
}

fn dont_optimize(roots: &mut Roots) {
    roots.rules.flags.push("dontoptimize".to_owned());
}

/// Adds a rule of this program's own.
fn add_rule(roots: &mut Roots, rule: &str) {
    let source = planish_base::SourceText::new("rule", rule);
    let mut diagnostics = planish_base::Diagnostics::new();
    // It is one of a user's: it says where a program begins as others do.
    let own = roots.own_rules.unwrap_or(roots.rules.keep.len());
    let inside = roots.rules.keep.split_off(own);
    planish_keep::read::read(&source, &mut roots.rules, &mut diagnostics);
    debug_assert!(diagnostics.is_empty(), "{rule}");
    roots.own_rules = Some(roots.rules.keep.len());
    roots.rules.keep.extend(inside);
}

/// The classes of an archive that can be read, in the order of their names.
fn named(archive: &Archive) -> Vec<Named> {
    let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
    let mut classes = Vec::new();
    for entry in &archive.entries {
        let Role::Class { name, release: None } = Role::of(&entry.name) else { continue };
        let Ok(content) = entry.content(&mut budget) else { continue };
        let Ok(file) = ClassFile::read(&content) else { continue };
        let method = |method: &planish_classfile::Member<'_>| {
            let (name_of, ty) = (file.pool.utf8(method.name).ok()?, file.pool.utf8(method.descriptor).ok()?);
            Some([name, b".", name_of, ty].concat().into_boxed_slice())
        };
        let methods = file.methods.iter().filter_map(method).collect();
        classes.push(Named { class: Shown(name).to_string().replace('/', "."), methods });
    }
    classes.sort_by(|a, b| a.class.cmp(&b.class));
    classes
}

impl<E> Search<'_, E> {
    /// Whether the check holds with other roots.
    fn holds(&mut self, change: impl FnOnce(&mut Roots)) -> Result<bool, E> {
        let mut roots = self.roots.clone();
        change(&mut roots);
        (self.holds)(&roots)
    }

    /// The last place of a row of so many from which on things must be kept as they are: the check holds if those from the
    /// first on are, and fails if none is.
    fn last_needed(
        &mut self,
        count: usize,
        holds: &mut dyn FnMut(&mut Self, usize) -> Result<bool, E>,
    ) -> Result<usize, E> {
        let (mut good, mut bad) = (0, count);
        while bad - good > 1 {
            let middle = good + (bad - good) / 2;
            match holds(self, middle)? {
                true => good = middle,
                false => bad = middle,
            }
        }
        Ok(good)
    }

    /// Something got another name for which the program looks.
    fn names(&mut self) -> Result<Vec<Culprit>, E> {
        let mut found: Vec<Culprit> = Vec::new();
        let mut rules = String::new();
        let classes: Vec<String> = self.classes.iter().map(|named| named.class.clone()).collect();
        let whole = |class: &String| format!("-keepnames class {class} {{ *; }}");
        let holds_with = |search: &mut Self, rules: &str| search.holds(|roots| add_rule(roots, rules));
        let kept = |from: usize, rules: &str| {
            format!("{rules}\n{}", classes[from..].iter().map(whole).collect::<Vec<_>>().join("\n"))
        };
        loop {
            if found.len() == MOST || classes.is_empty() || !holds_with(self, &kept(0, &rules))? {
                let what = "new names make a difference".to_owned();
                found.push(Culprit { what, remedy: "-dontobfuscate".to_owned(), is_rewrite: false });
                return Ok(found);
            }
            let at =
                self.last_needed(classes.len(), &mut |search, from| holds_with(search, &kept(from, &rules)))?;
            let class = &classes[at];
            let rest = kept(at + 1, &rules);
            let smaller = [
                format!("-keepnames class {class}"),
                format!("-keepclassmembernames class {class} {{ *; }}"),
            ];
            let mut rule = whole(class);
            for smaller in smaller {
                if holds_with(self, &format!("{rest}\n{smaller}"))? {
                    rule = smaller;
                    break;
                }
            }
            rules = format!("{rules}\n{rule}");
            let what = format!("{class}, or a member of it, got another name");
            found.push(Culprit { what, remedy: rule, is_rewrite: false });
            if holds_with(self, &rules)? {
                return Ok(found);
            }
        }
    }

    /// Attributes went that the program reads: those without which the check fails, whatever else is kept.
    fn attributes(&mut self, copied: impl Fn(&mut Roots)) -> Result<Culprit, E> {
        let mut needed: Vec<&str> = ATTRIBUTES.to_vec();
        let rule = |names: &[&str]| format!("-keepattributes {}", names.join(","));
        let holds_with = |search: &mut Self, rule: &str| {
            search.holds(|roots| {
                copied(roots);
                add_rule(roots, rule);
            })
        };
        match holds_with(self, &rule(&needed))? {
            false => needed = vec!["*"],
            true => {
                for names in ATTRIBUTES {
                    let rest: Vec<&str> = needed.iter().copied().filter(|kept| *kept != names).collect();
                    if !rest.is_empty() && holds_with(self, &rule(&rest))? {
                        needed = rest;
                    }
                }
            }
        }
        let remedy = rule(&needed);
        add_rule(&mut self.roots, &remedy);
        Ok(Culprit { what: "it reads attributes that went".to_owned(), remedy, is_rewrite: false })
    }

    /// Classes or members went that the program looks for.
    fn removed(&mut self) -> Result<Vec<Culprit>, E> {
        let mut found: Vec<Culprit> = Vec::new();
        let mut rules = String::new();
        let holds_with = |search: &mut Self, rules: &str| {
            search.holds(|roots| {
                dont_optimize(roots);
                add_rule(roots, rules);
            })
        };
        while found.len() < MOST {
            let whole = |class: &str| format!("-keep class {class} {{ *; }}");
            let kept = |search: &Self, from: usize, rules: &str| {
                let rest: Vec<String> =
                    search.classes[from..].iter().map(|named| whole(&named.class)).collect();
                format!("{rules}\n{}", rest.join("\n"))
            };
            let count = self.classes.len();
            if count == 0 {
                break;
            }
            let good = self.last_needed(count, &mut |search, from| {
                let text = kept(search, from, &rules);
                holds_with(search, &text)
            })?;
            let class = self.classes[good].class.clone();
            let rest = kept(self, good + 1, &rules);
            let mut rule = whole(&class);
            for members in ["", " { <init>(...); }", " { <fields>; }", " { <methods>; }"] {
                let smaller = format!("-keep class {class}{members}");
                if holds_with(self, &format!("{rest}\n{smaller}"))? {
                    rule = smaller;
                    break;
                }
            }
            rules = format!("{rules}\n{rule}");
            let what = format!("{class}, or a part of it, was removed");
            found.push(Culprit { what, remedy: rule, is_rewrite: false });
            if holds_with(self, &rules)? {
                break;
            }
            if found.len() == MOST {
                let what = "more is missed that was removed".to_owned();
                found.push(Culprit { what, remedy: "-dontshrink".to_owned(), is_rewrite: false });
                add_rule(&mut self.roots, "-dontshrink");
            }
        }
        add_rule(&mut self.roots, &rules);
        Ok(found)
    }

    /// The option without which the check holds: of what is taken for granted, or of the steps.
    fn step(&mut self) -> Result<Option<String>, E> {
        let all = self.roots.assumes;
        // Without messages hardly anything changes, so that comes last.
        for (assumes, option) in [
            (Assumptions { frames: false, ..all }, "--assume returns,messages"),
            (Assumptions { returns: false, ..all }, "--assume frames,messages"),
            (Assumptions { messages: false, ..all }, "--assume returns,frames"),
        ] {
            if assumes != all && self.holds(|roots| roots.assumes = assumes)? {
                return Ok(Some(option.to_owned()));
            }
        }
        for names in STEPS {
            let option = format!("-optimizations !{names}");
            if self.holds(|roots| add_rule(roots, &option))? {
                return Ok(Some(option));
            }
        }
        Ok(None)
    }

    /// Something that is done to bodies makes the difference.
    fn changed(&mut self) -> Result<Culprit, E> {
        let methods: Vec<Box<[u8]>> = self.classes.iter().flat_map(|named| named.methods.clone()).collect();
        let pinned = |from: usize| -> Pinned { methods[from..].iter().cloned().collect() };
        if !self.holds(|roots| roots.as_they_are = pinned(0))? {
            return Ok(Culprit {
                what: "no single body: removing members and changing bodies together".to_owned(),
                remedy: "-dontoptimize".to_owned(),
                is_rewrite: true,
            });
        }
        let good = self.last_needed(methods.len(), &mut |search, from| {
            search.holds(|roots| roots.as_they_are = pinned(from))
        })?;
        let step = match self.step()? {
            Some(step) => format!(" (not with {step})"),
            None => String::new(),
        };
        let method = show(&methods[good]);
        Ok(Culprit {
            what: format!("the new body of {method}{step}"),
            remedy: keep_code(&methods[good]),
            is_rewrite: true,
        })
    }
}

/// The rule by which a method keeps its code.
fn keep_code(method: &[u8]) -> String {
    let end = method.iter().position(|byte| *byte == b'(').unwrap_or(method.len());
    let dot = method[..end].iter().rposition(|byte| *byte == b'.').unwrap_or(0);
    let class = Shown(&method[..dot]).to_string().replace('/', ".");
    let name = &method[(dot + 1).min(end)..end];
    let member = match name {
        b"<init>" => "<init>(...)".to_owned(),
        _ => planish_keep::show::java_method(b"", name, &method[end..]),
    };
    format!("-keepclassmembers,includecode class {class} {{ {member}; }}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_names_a_method() {
        let rule = keep_code(b"a/B.run(ILjava/lang/String;)[J");
        assert_eq!(rule, "-keepclassmembers,includecode class a.B { long[] run(int,java.lang.String); }");
        assert!(keep_code(b"B.<init>()V").ends_with("class B { <init>(...); }"));
    }
}
