//! Members that merging of classes moved, and those whose types speak of enums that became numbers.

use std::collections::BTreeMap;

use planish_jvm::transform::merging::Merges;
use planish_jvm::transform::unboxing::Unboxing;
use planish_jvm_model::program::{MemberInfo, Program};

/// Members that are of another class than they were, or have another name or type, by what they are now.
#[derive(Default)]
pub struct Moved(BTreeMap<Box<[u8]>, Was>);

/// The class of a member, and its name and type.
type Was = (Box<[u8]>, Box<[u8]>);

impl Moved {
    /// The class of which a member was, and the name and type that it had, as in `run()V` and `size:I`.
    pub fn from<'m>(&'m self, class: &'m [u8], member: &'m [u8]) -> (&'m [u8], &'m [u8]) {
        let found = self.0.get(&[class, b".", member].concat()[..]);
        found.map_or((class, member), |(class, member)| (&class[..], &member[..]))
    }

    /// The name and type of a member with the enums that became numbers, if that is what changed them.
    pub fn with_old_types<'m>(&'m self, class: &[u8], member: &'m [u8]) -> &'m [u8] {
        let found = self.0.get(&[class, b".", member].concat()[..]).filter(|(of, _)| **of == *class);
        found.map_or(member, |(_, member)| member)
    }

    /// Whether a member is of another class than it was, or has another name or type.
    pub fn has(&self, class: &[u8], member: &[u8]) -> bool {
        self.0.contains_key(&[class, b".", member].concat()[..])
    }

    /// Remembers what members of a program are called.
    pub(crate) fn note(&mut self, program: &Program<'_>, merges: &Merges) {
        let methods = program
            .methods
            .ids()
            .map(|method| (merges.new_method(program, method), &program.methods[method]));
        let fields =
            program.fields.ids().map(|field| (merges.new_field(program, field), &program.fields[field]));
        for (new, info) in methods.chain(fields) {
            let Some((class, member)) = new else { continue };
            let (class, old) = (program.name(class), (program.name(info.class), program.text(info.selector)));
            self.is_now((class, &member), old);
        }
    }

    /// Remembers what members are called in which enums became numbers.
    pub(crate) fn note_types(&mut self, program: &Program<'_>, unboxing: &Unboxing) {
        let mut note = |info: &MemberInfo, new: Option<&[u8]>| {
            let class = program.name(info.class);
            if let Some(member) = new {
                self.is_now((class, member), (class, program.text(info.selector)));
            }
        };
        program.methods.ids().for_each(|id| note(&program.methods[id], unboxing.new_method(id)));
        program.fields.ids().for_each(|id| note(&program.fields[id], unboxing.new_field(id)));
        for (class, member, original) in &unboxing.helpers {
            self.is_now((program.name(*class), member), (b"java/lang/Enum", original));
        }
    }

    /// A member of a class is called otherwise from now on. It may have been called otherwise before.
    fn is_now(&mut self, (class, member): (&[u8], &[u8]), old: (&[u8], &[u8])) {
        let was = self.0.get(&[old.0, b".", old.1].concat()[..]).cloned();
        let was = was.unwrap_or_else(|| (old.0.into(), old.1.into()));
        self.0.insert([class, b".", member].concat().into(), was);
    }
}
