//! A class file that speaks by new names.

use planish_base::Id;
use planish_classfile::attribute::BootstrapMethod;
use planish_classfile::compact::compact;
use planish_classfile::pool::MemberKind;
use planish_classfile::rename::{NewNames, new_descriptor, rename};
use planish_classfile::{ClassFile, MemberRef, Result};
use planish_jvm_model::bootstraps::rows;
use planish_jvm_model::program::{Class, Found, Method, Program};

use crate::rename::asked::NameFilter;
use crate::rename::kept::slashes;
use crate::rename::lambdas::{Bootstrap, bootstrap};
use crate::rename::naming::Naming;

/// A program and the names that it gets.
pub struct Renamed<'p, 'a> {
    program: &'p Program<'a>,
    naming: &'p Naming,
    adapted: &'p NameFilter,
    methods: Vec<Option<&'p [u8]>>,
    fields: Vec<Option<&'p [u8]>>,
}

/// What one class speaks of.
struct Within<'r, 'p, 'a> {
    all: &'r Renamed<'p, 'a>,
    table: Vec<BootstrapMethod>,
    adapts_strings: bool,
}

impl<'p, 'a> Renamed<'p, 'a> {
    /// Looks up what each member of a program is called from now on.
    pub fn new(program: &'p Program<'a>, naming: &'p Naming, adapted: &'p NameFilter) -> Self {
        let of = |class, selector| naming.member(program.name(class), program.text(selector));
        let methods = program.methods.values().map(|info| of(info.class, info.selector)).collect();
        let fields = program.fields.values().map(|info| of(info.class, info.selector)).collect();
        Renamed { program, naming, adapted, methods, fields }
    }

    /// The bytes of a class with new names; nothing if it speaks of nothing that has one. O(size of the class).
    pub fn class(&self, class: Class) -> Result<Option<Vec<u8>>> {
        self.file(self.program.classes[class].file.clone())
    }

    /// The same of any class file that speaks of the program.
    pub fn file(&self, mut file: ClassFile<'_>) -> Result<Option<Vec<u8>>> {
        let adapts_strings = self.adapted.matches(file.name()?);
        let within = Within { all: self, table: rows(&file)?, adapts_strings };
        if !rename(&mut file, &within)? {
            return Ok(None);
        }
        compact(&mut file)?;
        file.to_bytes().map(Some)
    }

    fn method(&self, found: Found<Method>) -> Option<&[u8]> {
        match found {
            Found::Program(method) => self.methods[method.index()],
            _ => None,
        }
    }
}

impl NewNames for Within<'_, '_, '_> {
    fn class(&self, name: &[u8]) -> Option<&[u8]> {
        self.all.naming.class(name)
    }

    fn member(&self, member: &MemberRef<'_>) -> Option<&[u8]> {
        let program = self.all.program;
        let id = program.hierarchy.lookup(member.class)?;
        match member.kind {
            MemberKind::Field => {
                let selector = program.selector(&[member.name, b":", member.descriptor].concat())?;
                match program.resolve_field(id, selector) {
                    Found::Program(field) => self.all.fields[field.index()],
                    _ => None,
                }
            }
            _ => {
                let selector = program.selector(&[member.name, member.descriptor].concat())?;
                self.all.method(program.resolve_method(id, selector))
            }
        }
    }

    fn site(&self, class: &ClassFile<'_>, row: u16, name: &[u8], descriptor: &[u8]) -> Option<&[u8]> {
        let Bootstrap::Lambda(lambda) = bootstrap(&class.pool, &self.table, row, descriptor) else {
            return None;
        };
        lambda.methods(self.all.program, name).into_iter().find_map(|found| self.all.method(found))
    }

    fn string(&self, text: &[u8]) -> Option<Vec<u8>> {
        if !self.adapts_strings {
            return None;
        }
        let name = slashes(text);
        let new = match name.first() {
            Some(b'[') => new_descriptor(&name, self)?,
            _ => self.all.naming.class(&name)?.to_vec(),
        };
        let is_dotted = !text.contains(&b'/');
        Some(new.iter().map(|&byte| if byte == b'/' && is_dotted { b'.' } else { byte }).collect())
    }
}
