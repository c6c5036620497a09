//! The bootstrap methods of a class whose bodies are rewritten: those that it has, and those that new bodies need.
//!
//! A new call site needs a row in a table that belongs to the class, not to the body. So rows are added as constants
//! are: equal ones are shared, and what a rejected body added is taken back.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use planish_classfile::attribute::BootstrapMethod;
use planish_classfile::{Attribute, Body, ClassFile, Kind, Result};
use rustc_hash::FxBuildHasher;

/// The rows that a class has.
pub fn rows(class: &ClassFile<'_>) -> Result<Vec<BootstrapMethod>> {
    let body = match class.attribute(Kind::BootstrapMethods) {
        Some(attribute) => attribute.decode(&class.pool)?,
        None => None,
    };
    Ok(match body {
        Some(Body::BootstrapMethods(rows)) => rows,
        _ => Vec::new(),
    })
}

/// The rows of the table, in order.
#[derive(Default)]
pub struct Bootstraps {
    methods: Vec<BootstrapMethod>,
    /// The first of each that are equal, by what they say.
    by_content: HashTable<usize>,
    /// How many the class had.
    read: usize,
}

impl Bootstraps {
    /// Those of a class.
    pub fn of(class: &ClassFile<'_>) -> Result<Self> {
        Ok(Bootstraps::begin(rows(class)?))
    }

    /// A table that begins with these rows.
    fn begin(methods: Vec<BootstrapMethod>) -> Self {
        let mut bootstraps = Bootstraps { read: methods.len(), ..Bootstraps::default() };
        for method in methods {
            let number = bootstraps.methods.len();
            if bootstraps.number(&method).is_none() {
                bootstraps.index(hash(&method), number);
            }
            bootstraps.methods.push(method);
        }
        bootstraps
    }

    /// Whether there are no rows, and so no call sites.
    pub fn is_empty(&self) -> bool {
        self.methods.is_empty()
    }

    /// A row.
    pub fn get(&self, number: u16) -> Option<&BootstrapMethod> {
        self.methods.get(usize::from(number))
    }

    /// The number of a row, which is added unless it is there. Nothing if there is no room for more. Who adds the first row of
    /// a class sees to it that its constants have the name of the attribute.
    pub fn add(&mut self, method: BootstrapMethod) -> Option<u16> {
        let number = self.number(&method).unwrap_or(self.methods.len());
        let index = u16::try_from(number).ok().filter(|&index| index < u16::MAX)?;
        if number == self.methods.len() {
            self.index(hash(&method), number);
            self.methods.push(method);
        }
        Some(index)
    }

    /// How many rows there are now: a place to which [`Bootstraps::undo_to`] goes back.
    pub fn mark(&self) -> usize {
        self.methods.len()
    }

    /// How many bytes of the table were added since a place.
    pub fn added_since(&self, mark: usize) -> u64 {
        self.methods[mark..].iter().map(|row| 4 + 2 * row.arguments.len() as u64).sum()
    }

    /// Takes away what was added since `mark`.
    pub fn undo_to(&mut self, mark: usize) {
        for number in mark..self.methods.len() {
            let hash = hash(&self.methods[number]);
            if let Ok(entry) = self.by_content.find_entry(hash, |&known| known == number) {
                entry.remove();
            }
        }
        self.methods.truncate(mark);
    }

    /// The first row that says the same.
    fn number(&self, method: &BootstrapMethod) -> Option<usize> {
        self.by_content.find(hash(method), |&known| self.methods[known] == *method).copied()
    }

    /// Lets a row be found that is not in the table yet.
    fn index(&mut self, hash_of_row: u64, number: usize) {
        let methods = &self.methods;
        self.by_content.insert_unique(hash_of_row, number, |&known| hash(&methods[known]));
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
            None => {
                let table = Attribute::new(&mut class.pool, &Body::BootstrapMethods(self.methods))?;
                class.attributes.push(table);
                Ok(())
            }
        }
    }
}

/// The hash of what a row says.
fn hash(method: &BootstrapMethod) -> u64 {
    FxBuildHasher.hash_one(method)
}

#[cfg(test)]
mod tests {
    use planish_classfile::Flags;

    use super::*;

    fn row(argument: u16) -> BootstrapMethod {
        BootstrapMethod { handle: 1, arguments: vec![argument] }
    }

    #[test]
    fn equal_rows_are_shared_until_they_are_taken_back() {
        let mut table = Bootstraps::begin(vec![row(5), row(6), row(5)]);
        assert_eq!(table.add(row(5)), Some(0), "the first of two that are equal");
        let mark = table.mark();
        assert_eq!(table.add(row(7)), Some(3));
        assert_eq!(table.add(row(8)), Some(4));
        assert_eq!(table.add(row(7)), Some(3));
        table.undo_to(mark);
        assert_eq!(table.mark(), 3);
        assert_eq!(table.add(row(8)), Some(3), "what was taken back is not found");
        assert_eq!(table.add(row(6)), Some(1), "what was there is");
        assert_eq!(table.add(row(7)), Some(4));
    }

    #[test]
    fn a_class_without_the_table_gets_one() {
        let mut class = ClassFile::new(52, Flags::PUBLIC, b"A", Some(b"java/lang/Object")).unwrap();
        let mut table = Bootstraps::of(&class).unwrap();
        assert!(table.is_empty());
        assert_eq!(table.add(row(5)), Some(0));
        assert_eq!(table.added_since(0), 6);
        table.write(&mut class).unwrap();
        assert_eq!(rows(&class).unwrap(), [row(5)]);
    }
}
