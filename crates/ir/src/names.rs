//! Names of values, where others took their place.

use crate::function::{Function, Value};
use crate::heirs::Heirs;
use crate::text::ValueNames;

impl Function {
    /// Keeps from now on which values take the place of which.
    pub fn keep_heirs(&mut self) {
        self.heirs = Heirs::kept();
    }

    /// Notes that a value is what another one was.
    #[inline]
    pub fn inherit(&mut self, from: Value, to: Value) {
        self.heirs.add(from, to);
    }

    /// What values are called that were called `names` before: a name goes to what took the place of its value, unless that
    /// has one of its own or is a constant. No two values get the same. O(replacements).
    pub fn inherited(&self, mut names: ValueNames) -> ValueNames {
        for &(from, to) in self.heirs.pairs() {
            if names[to].is_none() && self.constant(to).is_none() {
                names[to] = names[from].take();
            }
        }
        names
    }
}

#[cfg(test)]
mod tests {
    use planish_base::Id;
    use planish_ops::Type;

    use super::*;
    use crate::Builder;

    fn named(names: &[(usize, &str)]) -> ValueNames {
        let mut all = ValueNames::new();
        names.iter().for_each(|&(value, name)| all[Value::from_index(value)] = Some(name.into()));
        all
    }

    /// Three values, of which the last one takes the place of the others, one after the other.
    #[test]
    fn a_name_goes_on_to_who_has_none() {
        let mut builder = Builder::new("f", &[]);
        let block = builder.block("entry");
        builder.at(block);
        let [a, b, c] = [0; 3].map(|_| builder.param(block, Type::I64));
        let constant = builder.int(Type::I64, 5);
        builder.ret(&[]);
        let mut f = builder.finish();
        f.inherit(a, b);
        assert_eq!(f.inherited(named(&[(0, "x")]))[a].as_deref(), Some("x"), "nobody asked to keep it");
        f.keep_heirs();
        f.inherit(a, c);
        f.inherit(b, c);
        f.inherit(c, constant);
        for (before, after) in [
            (&[(0, "x")][..], [None, None, Some("x")]),
            (&[(0, "x"), (1, "y")], [None, Some("y"), Some("x")]),
            (&[(1, "y"), (2, "z")], [None, Some("y"), Some("z")]),
            (&[(1, "y")], [None, None, Some("y")]),
        ] {
            let names = f.inherited(named(before));
            assert_eq!([a, b, c].map(|value| names[value].as_deref()), after);
            assert_eq!(names[constant], None);
        }
    }
}
