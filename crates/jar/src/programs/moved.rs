//! Members that merging of classes moved.

use std::collections::BTreeMap;

use planish_jvm::transform::merging::Merges;
use planish_jvm_model::program::Program;

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
            let was = (program.name(info.class).into(), program.text(info.selector).into());
            self.0.insert([program.name(class), b".", &member].concat().into(), was);
        }
    }
}
