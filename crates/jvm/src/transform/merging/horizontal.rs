//! Horizontal class merging (R8 `HorizontalClassMerger`, its policy for static classes; ProGuard
//! `class/merging/horizontal`): classes that hold nothing but static methods, and fields that no initializer sets, become one.
//!
//! Nobody has an object of such a class, and initializing it does nothing, so which class a static member is of makes no
//! difference to anybody who sees both. Classes of one package, of one version and one nest go together.

use std::collections::BTreeMap;

use planish_base::Id;
use planish_classfile::{Flags, Kind};
use planish_jvm_model::names::package;
use planish_jvm_model::program::{Class, Program};

use super::asked::Asked;
use super::facts::{Facts, Nest, nest};
use super::observed::has_annotations;

/// So many constants one class gets at most: there is room for 65,535, and compilers of a JVM look at whole classes.
const MOST_CONSTANTS: usize = 20_000;

/// What classes that go together have in common: the package, the version, whether they are public, and the nest.
type Alike<'n> = (&'n [u8], u16, u16, bool, Nest);

/// By class the class of which it may become a part. O(program).
pub(super) fn candidates(program: &Program<'_>, facts: &Facts, asked: &Asked<'_>) -> Vec<Option<Class>> {
    let mut into = vec![None; program.counts()[0]];
    let mut alike: BTreeMap<Alike<'_>, Vec<(&[u8], Class)>> = BTreeMap::new();
    for class in program.classes.ids().filter(|&class| holds_statics(program, facts, asked, class)) {
        let (name, file) = (program.name(class), &program.classes[class].file);
        let key =
            (package(name), file.major, file.minor, file.flags.has(Flags::PUBLIC), nest(program, class));
        alike.entry(key).or_default().push((name, class));
    }
    for mut classes in alike.into_values() {
        classes.sort_unstable();
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

/// Whether a class is nothing but a name for static members.
fn holds_statics(program: &Program<'_>, facts: &Facts, asked: &Asked<'_>, class: Class) -> bool {
    let own = &program.classes[class];
    let unlike = Flags::INTERFACE | Flags::ENUM | Flags::ANNOTATION | Flags::MODULE;
    let method = |&method: &_| {
        let info = &program.methods[method];
        info.flags.has(Flags::STATIC)
            && !info.flags.any(Flags::SYNCHRONIZED | Flags::NATIVE)
            && !program.member_name(info.selector).starts_with(b"<")
    };
    let (_, around) = facts.asks;
    own.file.super_name() == Ok(Some(b"java/lang/Object"))
        && own.file.interfaces.is_empty()
        && !own.file.flags.any(unlike)
        && asked.unobserved.goes.contains(program.name(class))
        && facts.below[class.index()].is_empty()
        && !facts.is_named[class.index()]
        && !facts.shows_caller[class.index()]
        && facts.is_whole[class.index()]
        && !(around && asked.kept.keeps(b"InnerClasses") && facts.is_around[class.index()])
        && nest(program, class) != Nest::Lost
        && own.file.attribute(Kind::PermittedSubclasses).is_none()
        && own.methods.iter().all(method)
        && own.fields.iter().all(|&field| program.fields[field].flags.has(Flags::STATIC))
        && !has_annotations(program, class, (asked.kept, asked.annotations))
}
