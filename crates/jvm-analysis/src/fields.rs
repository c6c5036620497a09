//! Field descriptors for memory passes: fields that are places in memory and nothing else, and fields that are
//! invariant after construction.
//!
//! A *plain* field belongs to objects, is not volatile, and the class that declares it is part of the program: loads
//! and stores of it are operations of which passes know what they touch. It *settles* if constructors alone store to
//! it, each to the object that it makes: no call changes it then in an object that one has. Whoever has an object had
//! it before the call, so its constructor is done, or waits below on the stack until the call returns. Constructors
//! themselves see their own stores. Another thread could have the object while its constructor still works, and wait for
//! that; so the constructors have to be plain, which show it to nobody, or the field final, of which the language says that
//! it need not be read again (JLS 17.5).
//!
//! Beside them are the classes that have nothing to initialize: making an object of one runs nothing but a constructor.

use hashbrown::{HashMap, HashSet};
use planish_classfile::{Flags, MemberRef};
use planish_jvm_ir::surroundings::PlainField;
use planish_jvm_model::program::{Field, Found, Program};
use rustc_hash::FxBuildHasher;

use crate::pure::initializes;

/// The plain fields of a program, and its classes without initializers.
#[derive(Default)]
pub struct PlainFields {
    /// As instructions name them: class, name and descriptor.
    fields: HashMap<Box<[u8]>, PlainField, FxBuildHasher>,
    /// Classes that have nothing to initialize.
    quiet: HashSet<Box<[u8]>, FxBuildHasher>,
}

impl PlainFields {
    /// Those that the classes of a program name. `settles` says of a field whether constructors alone store to it.
    pub fn of(program: &Program<'_>, settles: impl Fn(Field) -> bool) -> Self {
        use planish_base::Id;
        let mut fields = HashMap::default();
        for class in program.classes.ids() {
            let pool = &program.classes[class].file.pool;
            for index in pool.indices().filter(|&index| pool.is_field(index)) {
                let Ok(member) = pool.member(index) else { continue };
                let Some(id) = program.hierarchy.lookup(member.class) else { continue };
                let text = [member.name, b":", member.descriptor].concat();
                let Some(selector) = program.selector(&text) else { continue };
                if let Found::Program(field) = program.resolve_field(id, selector)
                    && !program.fields[field].flags.any(Flags::VOLATILE | Flags::STATIC)
                {
                    let plain = PlainField { number: field.index() as u32, settles: settles(field) };
                    fields.insert([member.class, b".", &text].concat().into(), plain);
                }
            }
        }
        let quiet = program.classes.ids().filter(|&class| !initializes(program, class));
        PlainFields { fields, quiet: quiet.map(|class| program.name(class).into()).collect() }
    }

    /// Whether a class has nothing to initialize.
    pub fn is_quiet(&self, class: &[u8]) -> bool {
        self.quiet.contains(class)
    }

    /// The field that an instruction names.
    pub fn get(&self, member: &MemberRef<'_>) -> Option<PlainField> {
        if self.fields.is_empty() {
            return None;
        }
        let key = [member.class, b".", member.name, b":", member.descriptor].concat();
        self.fields.get(&key[..]).copied()
    }
}
