//! Who is called what from now on.

use hashbrown::HashMap;
use planish_base::Id;
use planish_classfile::rename::descriptor_by;
use planish_jvm_analysis::record::ProgramRecord;
use planish_jvm_model::program::{Class, Program};
use rustc_hash::FxBuildHasher;

use crate::rename::asked::Asked;
use crate::rename::classes::classes;
use crate::rename::families::Families;
use crate::rename::kept::Kept;
use crate::rename::members::members;

type Table = HashMap<Box<[u8]>, Box<[u8]>, FxBuildHasher>;

/// New names, by the names that classes and members have in a program.
#[derive(Default)]
pub struct Naming {
    classes: Table,
    /// By class, name and descriptor, as in `a/B.run()V` and `a/B.size:I`.
    members: Table,
    /// How many classes, fields and methods get names, and of how many.
    pub counts: [(u64, u64); 3],
    /// What a user should know.
    pub warnings: Vec<String>,
}

impl Naming {
    /// Gives new names to whatever may have one, as far as the record allows it. O(size of the program).
    pub fn of(program: &Program<'_>, asked: &Asked<'_>, record: &mut ProgramRecord) -> Naming {
        let mut kept = Kept::of(program, asked);
        let families = Families::of(program, &mut kept, asked.has_unique_members);
        // The same whichever comes first in the archive.
        let mut order: Vec<Class> = program.classes.ids().collect();
        order.sort_by_key(|&class| program.name(class));
        let of_classes = classes(program, asked, (&mut kept, &families), &order, record);
        let of_members = members(program, asked, (&mut kept, &families), &order, record);
        let mut naming = Naming { warnings: of_classes.warnings, ..Naming::default() };
        naming.warnings.extend(of_members.warnings);
        for &class in &order {
            let name = program.name(class);
            naming.counts[0].1 += 1;
            if let Some(new) = &of_classes.names[class.index()] {
                naming.counts[0].0 += 1;
                naming.classes.insert(name.into(), new.clone());
            }
            let own = &program.classes[class];
            let fields = own
                .fields
                .iter()
                .map(|field| (1, program.fields[*field].selector, of_members.fields[field.index()].as_ref()));
            let methods = own.methods.iter().map(|method| {
                (2, program.methods[*method].selector, of_members.methods[method.index()].as_ref())
            });
            for (kind, selector, new) in fields.chain(methods) {
                if program.member_name(selector).starts_with(b"<") {
                    continue;
                }
                naming.counts[kind].1 += 1;
                if let Some(new) = new {
                    naming.counts[kind].0 += 1;
                    naming.members.insert([name, b".", program.text(selector)].concat().into(), new.clone());
                }
            }
        }
        naming
    }

    /// Whether nothing gets another name.
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty() && self.members.is_empty()
    }

    /// The new name of a class, as in `a/B`.
    pub fn class(&self, name: &[u8]) -> Option<&[u8]> {
        self.classes.get(name).map(|name| &name[..])
    }

    /// A descriptor with new names of classes; nothing if it has none.
    pub fn descriptor(&self, descriptor: &[u8]) -> Option<Vec<u8>> {
        descriptor_by(descriptor, &|name| self.class(name))
    }

    /// The new name of a member that a class declares, by its name and descriptor as in `run()V` and `size:I`.
    pub fn member(&self, class: &[u8], selector: &[u8]) -> Option<&[u8]> {
        self.members.get(&[class, b".", selector].concat()[..]).map(|name| &name[..])
    }
}
