//! Link check of the result (JVMS 5.4.3): whether everything that its methods name is there.
//!
//! What a method names is kept as long as the method may run; this looks at the result again, without knowing how
//! it came about. A class, method or field of the program that was found before and is not found any more is a
//! mistake of ours, and the method that names it would fail when it runs.

use planish_classfile::MemberRef;
use planish_jvm_model::program::{Found, Program};
use planish_jvm_model::uses::{Scanner, Use};

/// A method that names something that went.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BrokenLink {
    /// The class, name and descriptor of the method: `a/B.run()V`.
    pub method: Box<[u8]>,
    /// What it names, as people write it.
    pub names: String,
}

/// The links between methods of `after` and what they name that led somewhere in `before` and lead nowhere now.
/// O(instructions).
pub fn broken_links(before: &Program<'_>, after: &Program<'_>) -> Vec<BrokenLink> {
    let mut broken = Vec::new();
    for class in after.classes.ids() {
        let own = &after.classes[class];
        let Ok(scanner) = Scanner::new(&own.file) else { continue };
        for &method in &own.methods {
            let info = &after.methods[method];
            let mut lost: Option<String> = None;
            let mut see = |_, found: Use<'_>| {
                if lost.is_none() && is_lost(before, after, &found) {
                    lost = Some(show(&found));
                }
            };
            // What cannot be scanned was like that before, and does not run.
            let scanned = scanner.method(&own.file.methods[usize::from(info.place)], &mut see);
            if let (Ok(()), Some(names)) = (scanned, lost) {
                let method = [after.name(class), b".", after.text(info.selector)].concat().into();
                broken.push(BrokenLink { method, names });
            }
        }
    }
    broken
}

/// Whether something was there before and is not any more.
fn is_lost(before: &Program<'_>, after: &Program<'_>, found: &Use<'_>) -> bool {
    let is_gone = |name: &[u8]| before.class_named(name).is_some() && after.class_named(name).is_none();
    let leads = |program: &Program<'_>, member: &MemberRef<'_>, is_field: bool| {
        let separator: &[u8] = if is_field { b":" } else { b"" };
        let selector = program.selector(&[member.name, separator, member.descriptor].concat());
        let (Some(class), Some(selector)) = (program.hierarchy.lookup(member.class), selector) else {
            return false;
        };
        match is_field {
            true => matches!(program.resolve_field(class, selector), Found::Program(_)),
            false => matches!(program.resolve_method(class, selector), Found::Program(_)),
        }
    };
    let goes_astray = |member: &MemberRef<'_>, is_field| {
        is_gone(member.class) || leads(before, member, is_field) && !leads(after, member, is_field)
    };
    match found {
        Use::New(name) | Use::Class(name) | Use::ClassConstant(name) | Use::Lambda(name) => is_gone(name),
        Use::Field(_, member) => goes_astray(member, true),
        Use::Call(_, member) => goes_astray(member, false),
        Use::Handle(kind, member) => goes_astray(member, *kind <= 4),
        Use::MethodType(_) | Use::String(_) => false,
    }
}

fn show(found: &Use<'_>) -> String {
    let text = |name: &[u8]| String::from_utf8_lossy(name).replace('/', ".");
    match found {
        Use::New(name) | Use::Class(name) | Use::ClassConstant(name) | Use::Lambda(name) => text(name),
        Use::Field(_, member) | Use::Call(_, member) | Use::Handle(_, member) => {
            format!("{}.{}{}", text(member.class), text(member.name), text(member.descriptor))
        }
        Use::MethodType(_) | Use::String(_) => String::new(),
    }
}
