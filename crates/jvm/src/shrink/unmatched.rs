//! Rules with a name that nothing has: most are misspelt, and what they were to keep goes, or what they were to do is not done.
//!
//! A rule whose names have wildcards everywhere may match nothing (`class * implements java.io.Serializable`); one that says
//! the name of a class, of a package, or of a member of a class that it names, means something. Rules with `-if` are for
//! programs that have what the condition says. As for other notes, `-dontnote` names classes about which nothing is said.

use std::collections::BTreeSet;

use planish_base::spelling::closest;
use planish_classfile::mutf8::Shown;
use planish_jvm_analysis::roots::matching_here_or_above;
use planish_jvm_model::program::{Class, Program};
use planish_keep::pattern::{NamePattern, TypePattern};
use planish_keep::{ClassPattern, Configuration, MemberPattern, MemberShape, first_match};

/// What is said of the first of the rules, so many keep rules and so many assumptions, that a user gave. An assumption may name
/// members that other versions of a class have, so something is said of it where it has none of them. O(rules with unknown names x
/// names).
pub fn unmatched(
    program: &Program<'_>,
    configuration: &Configuration,
    (keep, assume): (usize, usize),
) -> Vec<String> {
    let rules = configuration.keep[..keep].iter().filter(|rule| rule.condition.is_none());
    let is_noted = |name: &[u8]| !first_match(&configuration.dont_note, name, &mut Vec::new());
    let mut said = Vec::new();
    for rule in rules {
        let at = |message| format!("{}: {message}", rule.place.0);
        said.extend(no_classes(program, &rule.classes, &is_noted).into_iter().map(at));
        said.extend(no_members(program, &rule.classes, &is_noted).into_iter().map(at));
    }
    for rule in &configuration.assume[..assume] {
        let at = |message| format!("{}: {message}", rule.place.0);
        said.extend(no_classes(program, &rule.classes, &is_noted).into_iter().map(at));
        let members = no_members(program, &rule.classes, &is_noted);
        if members.len() == rule.classes.members.len() {
            said.extend(members.into_iter().map(at));
        }
    }
    said
}

/// What is wrong with the names of classes in a rule.
fn no_classes(
    program: &Program<'_>,
    classes: &ClassPattern,
    is_noted: &dyn Fn(&[u8]) -> bool,
) -> Vec<String> {
    let above = classes.extends.iter().map(|(_, above)| above);
    let positive = classes.names.iter().filter(|(positive, _)| *positive).map(|(_, name)| name);
    let wrong = positive.chain(above).filter(|pattern| !pattern.refers());
    wrong.filter_map(|pattern| no_class(program, pattern, is_noted)).collect()
}

/// What is wrong with the name of a class in a rule.
fn no_class(
    program: &Program<'_>,
    pattern: &NamePattern,
    is_noted: &dyn Fn(&[u8]) -> bool,
) -> Option<String> {
    let Some(name) = pattern.exact() else { return no_package(program, pattern, is_noted) };
    let is_there = program.hierarchy.lookup(&name).is_some_and(|id| program.hierarchy.get(id).is_some());
    if program.class_named(&name).is_some() || is_there || !is_noted(&name) {
        return None;
    }
    let classes: Vec<String> = program.classes.ids().map(|class| program.show_class(class)).collect();
    let hint = hint(&pattern.to_string(), classes.iter().map(String::as_str));
    Some(format!("there is no class `{pattern}`{hint}"))
}

/// What is wrong with the package of the classes that a rule names.
fn no_package(
    program: &Program<'_>,
    pattern: &NamePattern,
    is_noted: &dyn Fn(&[u8]) -> bool,
) -> Option<String> {
    let package = pattern.package()?;
    let is_like = |class| pattern.matches(program.name(class), &mut Vec::new());
    if !is_noted(&package) || program.classes.ids().any(is_like) {
        return None;
    }
    // Rules for all programs name interfaces of the JDK in this way.
    let is_outside = |name: &[u8]| name.strip_prefix(&package[..]).is_some_and(|rest| rest.starts_with(b"/"));
    if ["java/", "javax/"].iter().any(|jdk| package.starts_with(jdk.as_bytes())) {
        return None;
    }
    if program.classes.ids().any(|class| is_outside(program.name(class))) {
        return Some(format!("no class of the program is called `{pattern}`"));
    }
    let packages: BTreeSet<String> =
        program.classes.ids().filter_map(|class| package_of(program.name(class))).collect();
    let hint = hint(&Shown(&package).to_string().replace('/', "."), packages.iter().map(String::as_str));
    Some(format!("no class of the program is called `{pattern}`{hint}"))
}

fn package_of(class: &[u8]) -> Option<String> {
    let end = class.iter().rposition(|byte| *byte == b'/')?;
    Some(Shown(&class[..end]).to_string().replace('/', "."))
}

/// What is wrong with the members that a rule names of a class that it names.
fn no_members(
    program: &Program<'_>,
    classes: &ClassPattern,
    is_noted: &dyn Fn(&[u8]) -> bool,
) -> Vec<String> {
    let [(true, pattern)] = &classes.names[..] else { return Vec::new() };
    let class = pattern.exact().and_then(|name| program.class_named(&name));
    let Some(class) = class.filter(|&class| is_noted(program.name(class))) else { return Vec::new() };
    classes.members.iter().filter_map(|member| no_member(program, class, member)).collect()
}

fn no_member(program: &Program<'_>, class: Class, pattern: &MemberPattern) -> Option<String> {
    let (name, is_method) = match &pattern.kind {
        MemberShape::Field(_, name) => (name.exact()?, false),
        MemberShape::Method(_, name, _) => (name.exact()?, true),
        _ => return None,
    };
    if !matching_here_or_above(program, class, pattern, &[]).is_empty() {
        return None;
    }
    let own = &program.classes[class];
    let selectors: Vec<_> = match is_method {
        true => own.methods.iter().map(|&method| program.methods[method].selector).collect(),
        false => own.fields.iter().map(|&field| program.fields[field].selector).collect(),
    };
    let names: BTreeSet<String> =
        selectors.into_iter().map(|selector| Shown(program.member_name(selector)).to_string()).collect();
    let (shown, class) = (Shown(&name).to_string(), program.show_class(class));
    let kind = if is_method { "method" } else { "field" };
    Some(match (shown.as_str(), names.contains(&shown)) {
        ("<init>", _) => {
            format!("no constructor of {class} is as the rule says{}", package(program, pattern))
        }
        (_, true) => format!(
            "no {kind} `{shown}` of {class} has the type, flags and annotation that the rule says{}",
            package(program, pattern)
        ),
        (_, false) => {
            let near = hint(&shown, names.iter().map(String::as_str).filter(|name| !name.starts_with('<')));
            format!("{class} has no {kind} `{shown}`{near}")
        }
    })
}

/// What is said of a type of `java.lang` that a rule writes as Java does, without the package: `main(String[])`.
fn package(program: &Program<'_>, pattern: &MemberPattern) -> String {
    let (ty, parameters) = match &pattern.kind {
        MemberShape::Field(ty, _) => (ty, &[][..]),
        MemberShape::Method(ty, _, parameters) => (ty, parameters.as_deref().unwrap_or_default()),
        _ => return String::new(),
    };
    let is_there = |name: &[u8]| {
        let id = program.hierarchy.lookup(name);
        id.is_some_and(|id| program.hierarchy.get(id).is_some())
    };
    let of_java_lang = |ty: &TypePattern| {
        let TypePattern::Class(name, dimensions) = ty else { return None };
        let name = name.exact().filter(|name| !name.contains(&b'/') && !is_there(name))?;
        let is_known = is_there(&[b"java/lang/", &name[..]].concat());
        is_known.then(|| format!("java.lang.{}{}", Shown(&name), "[]".repeat(*dimensions)))
    };
    let found = std::iter::once(ty).chain(parameters).find_map(of_java_lang);
    found.map_or_else(String::new, |ty| format!("; types are written with their packages: `{ty}`"))
}

fn hint<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    closest(name, known).map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}
