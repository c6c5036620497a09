//! Vertical class merging (R8 `VerticalClassMerger`; ProGuard `class/merging/vertical`): a class that is never instantiated
//! itself and that one class extends becomes a part of that one.
//!
//! Every object of the class is one of the class below, so a variable, a cast or a test means the same with either name. (Not so of
//! arrays, which are of the class that they were made for.)
//! What could tell them apart is looked for here, and each has a name: [`Reason`].

use planish_base::Id;
use planish_classfile::{Flags, Kind, MemberRef, Opcode};
use planish_jvm_ir::code::body;
use planish_jvm_model::hierarchy::ClassId;
use planish_jvm_model::names::package;
use planish_jvm_model::program::{Class, Found, Program};

use super::asked::Asked;
use super::facts::{Facts, Nest, nest};
use super::observed::has_annotations;
use super::reason::Reason;

/// From this version on frames say the types at branch targets.
const FRAMES_SINCE: u16 = 51;

/// By class the class below, of which it may become a part; why others may not is counted. O(program).
pub(super) fn candidates(
    program: &Program<'_>,
    facts: &Facts,
    asked: &Asked<'_>,
    refuse: &mut dyn FnMut(Class, Reason),
) -> Vec<Option<Class>> {
    let mut into = vec![None; program.counts()[0]];
    // Whether a class, or one that becomes a part of it, has static members.
    let mut has_statics = vec![false; into.len()];
    for class in from_above(program, facts) {
        has_statics[class.index()] |= has_static_members(program, class);
        let &[below] = &facts[class].below[..] else { continue };
        if program.classes[class].file.flags.has(Flags::INTERFACE) {
            continue;
        }
        match why_not(program, facts, asked, (class, below), has_statics[class.index()]) {
            Some(reason) => refuse(class, reason),
            None => {
                has_statics[below.index()] |= has_statics[class.index()];
                into[class.index()] = Some(below);
            }
        }
    }
    into
}

/// Classes with one class below, each behind the one above it.
fn from_above(program: &Program<'_>, facts: &Facts) -> Vec<Class> {
    let depth = |class: Class| program.hierarchy.ancestors(program.classes[class].id).count();
    let one_below = program.classes.ids().filter(|&class| facts[class].below.len() == 1);
    let mut order: Vec<(usize, &[u8], Class)> =
        one_below.map(|class| (depth(class), program.name(class), class)).collect();
    order.sort_unstable();
    order.into_iter().map(|(.., class)| class).collect()
}

fn has_static_members(program: &Program<'_>, class: Class) -> bool {
    let own = &program.classes[class];
    own.fields.iter().any(|&field| program.fields[field].flags.has(Flags::STATIC))
        || own.methods.iter().any(|&method| program.methods[method].flags.has(Flags::STATIC))
}

/// Whether a class does something when it is initialized.
pub(super) fn has_initializer(program: &Program<'_>, class: Class) -> bool {
    let selector = program.selector(b"<clinit>()V");
    selector.is_some_and(|selector| program.declared_method(class, selector).is_some())
}

/// Why a class does not become a part of the one below; nothing if it does.
fn why_not(
    program: &Program<'_>,
    facts: &Facts,
    asked: &Asked<'_>,
    (class, below): (Class, Class),
    has_statics: bool,
) -> Option<Reason> {
    let [above, own] = [class, below].map(|class| &program.classes[class].file);
    let is_named = |class: Class| facts[class].is_named;
    let may_get = asked.unobserved.gets.contains(program.name(below));
    let has_signature = asked.kept.keeps(b"Signature")
        && [above, own].iter().any(|file| file.attribute(Kind::Signature).is_some());
    let is_far = package(program.name(class)) != package(program.name(below));
    let nests = [class, below].map(|class| nest(program, class));
    let is_older = above.major != own.major && above.major.min(own.major) < FRAMES_SINCE;
    let has_lock = program.classes[class]
        .methods
        .iter()
        .any(|&method| program.methods[method].flags.has(Flags::STATIC | Flags::SYNCHRONIZED));
    let initializes = |class: Class| has_initializer(program, class);
    let below_initializes = || {
        let interfaces = own.interface_names().filter_map(|name| program.class_named(name.ok()?));
        initializes(below) || interfaces.into_iter().any(initializes)
    };
    Some(match () {
        () if !asked.unobserved.goes.contains(program.name(class)) || !may_get => Reason::Observed,
        () if is_named(class) || is_named(below) => Reason::Named,
        () if facts[class].has_arrays => Reason::Arrays,
        () if facts[below].is_asked_above => Reason::Above,
        () if is_far => Reason::Package,
        () if is_older || above.major > own.major => Reason::Version,
        () if has_annotations(program, class, (asked.kept, asked.annotations)) => Reason::Annotations,
        () if facts.asks_generic && has_signature => Reason::GenericTypes,
        () if facts.asks_around && asked.kept.keeps(b"InnerClasses") && facts[class].is_around => {
            Reason::ClassesAround
        }
        () if nests[0] != Nest::Alone && nests[0] != nests[1] || nests.contains(&Nest::Lost) => Reason::Nest,
        () if facts[class].shows_caller => Reason::Caller,
        () if facts[class].handles_super || facts[below].handles_super => Reason::Handle,
        () if has_lock => Reason::Lock,
        () if initializes(class) || has_statics && below_initializes() => Reason::Initializer,
        () if calls_default(program, class, below) => Reason::Default,
        () => return None,
    })
}

/// Whether `super.f()` in one of two classes leads to a method of an interface: what takes its place would have to name that.
fn calls_default(program: &Program<'_>, class: Class, below: Class) -> bool {
    let calls = |of: Class| {
        let file = &program.classes[of].file;
        program.classes[of].methods.iter().any(|&method| {
            let Some(code) = body(program, method) else { return false };
            code.instructions.iter().filter(|insn| insn.op == Opcode::Invokespecial).any(|insn| {
                let planish_classfile::Operand::Constant(index) = insn.operand else { return false };
                let Ok(member) = file.pool.member(index) else { return true };
                let named = program.class_named(member.class).filter(|named| [class, below].contains(named));
                named
                    .is_some_and(|named| member.name != b"<init>" && is_of_interface(program, named, &member))
            })
        })
    };
    calls(class) || calls(below)
}

/// Whether a method, as it is found from a class, is one of an interface, or may be one.
fn is_of_interface(program: &Program<'_>, class: Class, member: &MemberRef<'_>) -> bool {
    let (hierarchy, id) = (program.hierarchy, program.classes[class].id);
    let text = [member.name, member.descriptor].concat();
    let selector = program.selector(&text);
    if let Some(Found::Program(found)) = selector.map(|selector| program.resolve_method(id, selector)) {
        return program.classes[program.methods[found].class].file.flags.has(Flags::INTERFACE);
    }
    let has = |above: ClassId| {
        program.class(above).is_none() && program.library.has_method(hierarchy.name(above), &text)
    };
    let is_missing = |above: ClassId| hierarchy.get(above).is_none();
    !hierarchy.ancestors(id).any(has)
        && hierarchy.supertypes(id).into_iter().any(|above| is_missing(above) || has(above))
}
