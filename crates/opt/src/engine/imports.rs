//! Loop imports (the boxes of PyPy's short preamble): results from before a loop that its body may use, if it computes
//! them again at its end.
//!
//! An operation before the loop whose operands the loop has too gives the loop its result for nothing,
//! if the loop computes it again at its end, from what the next iteration has: for a field, the load of
//! that field. Each such result is a parameter of the loop. Which of them the loop uses is known
//! when it was walked; the others go. In PyPy these are the boxes of the short preamble.

use planish_base::SideTable;
use planish_domain::IntFact;
use planish_ir::{Inst, Value};

use crate::engine::refs::Known;

/// A result from before the loop.
pub(crate) struct Import {
    /// The operation, on values of the loop. It stands nowhere.
    pub inst: Inst,
    /// The result before the loop.
    pub outside: Value,
    /// The parameter of the loop.
    pub param: Value,
    /// The constant that it always is.
    pub constant: Option<Value>,
    /// What is known of it, where it is an integer.
    pub fact: Option<IntFact>,
    /// What is known of it, where it is a reference.
    pub known: Known,
    /// How long it is at least, as an array or a string, where PyPy is followed.
    pub shortest: i64,
    /// Whether it is what a watched place held before a call that may have changed it.
    pub unsure: bool,
    /// Other imports among its operands.
    pub operands: Vec<usize>,
    used: bool,
}

/// The results from before a loop.
#[derive(Default)]
pub(crate) struct Imports {
    pub all: Vec<Import>,
    of: SideTable<Value, Option<usize>>,
    /// Those that the loop uses, operands before what is made of them.
    pub used: Vec<usize>,
}

impl Imports {
    /// Forgets all of them.
    pub fn clear(&mut self) {
        self.all.clear();
        self.of.clear();
        self.used.clear();
    }

    /// Adds a result that nothing uses yet.
    pub fn add(
        &mut self,
        inst: Inst,
        outside: Value,
        param: Value,
        constant: Option<Value>,
        operands: Vec<usize>,
    ) -> usize {
        self.of[param] = Some(self.all.len());
        let (fact, known) = (None, Known::default());
        self.all.push(Import {
            inst,
            outside,
            param,
            constant,
            fact,
            known,
            shortest: 0,
            unsure: false,
            operands,
            used: false,
        });
        self.all.len() - 1
    }

    /// The import of which a value is the parameter.
    pub fn get(&self, value: Value) -> Option<usize> {
        if self.all.is_empty() { None } else { self.of[value] }
    }

    /// The value that a loop sees in the place of a parameter.
    pub fn seen(&self, value: Value) -> Value {
        self.get(value).and_then(|id| self.all[id].constant).unwrap_or(value)
    }

    /// Notes that the loop uses one, and what it is made of.
    pub fn note_use(&mut self, id: usize) {
        if std::mem::replace(&mut self.all[id].used, true) {
            return;
        }
        for position in 0..self.all[id].operands.len() {
            self.note_use(self.all[id].operands[position]);
        }
        self.used.push(id);
    }
}
