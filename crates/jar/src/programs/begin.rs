//! Where a program begins, and why what it reaches is kept.

use planish_base::Budget;
use planish_classfile::ClassFile;
use planish_classfile::attribute::{Body, Kind};
use planish_classfile::jar::Role;
use planish_classfile::mutf8::Shown;
use planish_classfile::zip::{Archive, INFLATED_LIMIT};
use planish_jvm_analysis::reach::Reach;
use planish_jvm_analysis::roots::{Active, matches_class, matching_methods};

use crate::inputs::Classpath;
use crate::programs::contents::Contents;
use crate::programs::outcome::{ShrinkOutcome, UNKNOWN_CLASS};
use crate::programs::roots::Roots;

/// Sets the roots of a program: those that are named, and those that archives bring along.
pub(super) fn set_roots(
    reach: &mut Reach<'_, '_>,
    archive: &Archive,
    contents: &Contents<'_>,
    classpath: &Classpath,
    (roots, active): (&Roots, &Active),
    outcome: &mut ShrinkOutcome,
) -> Result<(), String> {
    let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
    let slashes = |name: &str| name.replace('.', "/").into_bytes();
    for name in &roots.main {
        if !reach.main(&slashes(name)) {
            return Err(format!("{name} is no class of the program with a main method"));
        }
    }
    reach.keep(&roots.rules, active);
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
    for entry in &classpath.shadowed {
        let content = entry.content(&mut budget).map_err(|error| error.to_string())?;
        if let Ok(file) = ClassFile::read(&content) {
            let cause = reach.root(String::from_utf8_lossy(&entry.name).into_owned());
            reach.outside(&file, cause).map_err(|error| error.to_string())?;
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
                let before = reach.reflection_seen();
                reach.library_reflects(&file, cause);
                let new = reach.reflection_seen().into_iter().filter(|what| !before.contains(what));
                let class = Shown(file.name().unwrap_or_default()).to_string().replace('/', ".");
                outcome.open.libraries.extend(new.map(|what| (what, class.clone())));
            }
        }
    }
    Ok(())
}

/// Finds out what can be reached, with what rules keep whose conditions are met by that.
pub(super) fn finish(reach: &mut Reach<'_, '_>, roots: &Roots, active: &mut Active) {
    reach.finish();
    while reach.meet_conditions(&roots.rules, active) {
        reach.finish();
    }
}

/// Answers the questions that were asked.
pub(super) fn explain(reach: &Reach<'_, '_>, roots: &Roots, outcome: &mut ShrinkOutcome) {
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
        let mut found = false;
        for class in reach.program.classes.ids() {
            if matches_class(reach.program, pattern, class, &mut Vec::new()) {
                found = true;
                outcome.explanations.extend(reach.explain(class));
                let methods = matching_methods(reach.program, class, &pattern.members);
                outcome.explanations.extend(methods.into_iter().map(|method| {
                    let why = reach.why_method(method).unwrap_or_else(|| "it does not run".to_owned());
                    format!("{}: {why}", reach.program.show_method(method))
                }));
            }
        }
        if !found {
            let names: Vec<String> = pattern.names.iter().map(|(_, name)| name.to_string()).collect();
            outcome.explanations.push(format!("{}{UNKNOWN_CLASS}", names.join(",")));
        }
    }
}
