//! The bootstrap methods of a class whose bodies are rewritten: those that it has, and those that new bodies need.
//!
//! A new call site needs a row in a table that belongs to the class, not to the body. So rows are added as constants
//! are: equal ones are shared, and what a rejected body added is taken back.

use planish_classfile::attribute::BootstrapMethod;
use planish_classfile::{Body, ClassFile, Kind, Result};

/// The rows of the table, in order.
#[derive(Default)]
pub struct Bootstraps {
    methods: Vec<BootstrapMethod>,
    /// How many the class had.
    read: usize,
}

impl Bootstraps {
    /// Those of a class.
    pub fn of(class: &ClassFile<'_>) -> Result<Self> {
        let methods = match class.attribute(Kind::BootstrapMethods) {
            Some(attribute) => attribute.decode(&class.pool)?,
            None => None,
        };
        let methods = match methods {
            Some(Body::BootstrapMethods(methods)) => methods,
            _ => Vec::new(),
        };
        Ok(Bootstraps { read: methods.len(), methods })
    }

    /// A row.
    pub fn get(&self, number: u16) -> Option<&BootstrapMethod> {
        self.methods.get(usize::from(number))
    }

    /// The number of a row, which is added unless it is there. Nothing if the class has none so far, or no room for more.
    pub fn add(&mut self, method: BootstrapMethod) -> Option<u16> {
        let number = self.methods.iter().position(|known| *known == method);
        let number = number.unwrap_or(self.methods.len());
        let index = u16::try_from(number).ok().filter(|&index| self.read > 0 && index < u16::MAX)?;
        if number == self.methods.len() {
            self.methods.push(method);
        }
        Some(index)
    }

    /// How many rows there are now: a place to which [`Bootstraps::undo_to`] goes back.
    pub fn mark(&self) -> usize {
        self.methods.len()
    }

    /// Takes away what was added since `mark`.
    pub fn undo_to(&mut self, mark: usize) {
        self.methods.truncate(mark);
    }

    /// Writes the table into its class, if rows were added.
    pub fn write(self, class: &mut ClassFile<'_>) -> Result<()> {
        if self.methods.len() == self.read {
            return Ok(());
        }
        let pool = &class.pool;
        let is_table = |kind: Option<Kind>| kind == Some(Kind::BootstrapMethods);
        let place = class.attributes.iter().position(|attribute| attribute.kind(pool).is_ok_and(is_table));
        match place {
            Some(place) => class.attributes[place].replace(&Body::BootstrapMethods(self.methods)),
            None => Ok(()),
        }
    }
}
