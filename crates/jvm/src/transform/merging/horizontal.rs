//! Horizontal class merging (R8 `HorizontalClassMerger`, its policy for static classes; ProGuard
//! `class/merging/horizontal`): classes that hold nothing but static methods, and fields that no initializer sets, become one.
//!
//! Nobody has an object of such a class, and initializing it does nothing, so which class a static member is of makes no
//! difference to anybody who sees both. Classes of one package, of one version and one nest go together.

use std::collections::BTreeMap;

use planish_base::Id;
use planish_classfile::{Flags, Kind};
use planish_jvm_model::names::package;
use planish_jvm_model::program::{Class, Method, Program};

use super::asked::Asked;
use super::facts::{Facts, Nest, nest};
use super::observed::has_annotations;
use super::reason::Reason;
use super::vertical::has_initializer;

/// So many constants one class gets at most: there is room for 65,535, and compilers of a JVM look at whole classes.
const MOST_CONSTANTS: usize = 20_000;

/// What classes that go together have in common: the package, the version, whether they are public, and the nest.
type Alike<'n> = (&'n [u8], u16, u16, bool, Nest);

/// By class the class of which it may become a part; why others may not is counted. O(program).
pub(super) fn candidates(
    program: &Program<'_>,
    facts: &Facts,
    asked: &Asked<'_>,
    refuse: &mut dyn FnMut(Class, Reason),
) -> Vec<Option<Class>> {
    let mut into = vec![None; program.counts()[0]];
    let mut alike: BTreeMap<Alike<'_>, Vec<(&[u8], Class)>> = BTreeMap::new();
    for class in program.classes.ids().filter(|&class| holds_statics(program, facts, class)) {
        if let Some(reason) = why_not(program, facts, asked, class) {
            refuse(class, reason);
            continue;
        }
        let (name, file) = (program.name(class), &program.classes[class].file);
        let key =
            (package(name), file.major, file.minor, file.flags.has(Flags::PUBLIC), nest(program, class));
        alike.entry(key).or_default().push((name, class));
    }
    for mut classes in alike.into_values() {
        classes.sort_unstable();
        if let [(_, alone)] = classes[..] {
            refuse(alone, Reason::Alone);
        }
        let (mut target, mut constants) = (None, 0);
        for (_, class) in classes {
            let own = program.classes[class].file.pool.len();
            constants += own;
            match target {
                Some(target) if constants <= MOST_CONSTANTS => into[class.index()] = Some(target),
                _ => (target, constants) = (Some(class), own),
            }
        }
    }
    into
}

/// Whether a class is nothing but a name for static members: no object can be made of it, and none extends it.
fn holds_statics(program: &Program<'_>, facts: &Facts, class: Class) -> bool {
    let own = &program.classes[class];
    let unlike = Flags::INTERFACE | Flags::ENUM | Flags::ANNOTATION | Flags::MODULE;
    let is_static = |&method: &Method| program.methods[method].flags.has(Flags::STATIC);
    own.file.super_name() == Ok(Some(b"java/lang/Object"))
        && own.file.interfaces.is_empty()
        && !own.file.flags.any(unlike)
        && facts[class].below.is_empty()
        && own.methods.iter().all(is_static)
        && own.fields.iter().all(|&field| program.fields[field].flags.has(Flags::STATIC))
}

/// Why a class of static members does not become one with others; nothing if it may.
fn why_not(program: &Program<'_>, facts: &Facts, asked: &Asked<'_>, class: Class) -> Option<Reason> {
    let own = &program.classes[class];
    let has = |flag: Flags| own.methods.iter().any(|&method| program.methods[method].flags.has(flag));
    let is_around = facts.asks_around && asked.kept.keeps(b"InnerClasses") && facts[class].is_around;
    Some(match () {
        () if !asked.unobserved.goes.contains(program.name(class)) || has(Flags::NATIVE) => Reason::Observed,
        () if facts[class].is_named => Reason::Named,
        () if facts[class].misses_classes => Reason::Missing,
        () if has_annotations(program, class, (asked.kept, asked.annotations)) => Reason::Annotations,
        () if is_around => Reason::ClassesAround,
        () if nest(program, class) == Nest::Lost => Reason::Nest,
        () if own.file.attribute(Kind::PermittedSubclasses).is_some() => Reason::Sealed,
        () if facts[class].shows_caller => Reason::Caller,
        () if has(Flags::SYNCHRONIZED) => Reason::Lock,
        () if has_initializer(program, class) => Reason::Initializer,
        () => return None,
    })
}
