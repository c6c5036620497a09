//! Look-ups in dictionaries that were made, and what they found, until something is written that they mind.

use planish_base::fault;
use planish_ir::Value;
use planish_ops::world::{Descr, LookUp, World};

/// So many look-ups are remembered, those made last.
const REMEMBERED: usize = 32;

/// What tells look-ups apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Question {
    pub callee: Descr,
    pub function: Value,
    pub dictionary: Value,
    pub key: Value,
}

impl Question {
    /// The same question in other words.
    pub fn map(self, mut word: impl FnMut(Value) -> Value) -> Question {
        let Question { callee, function, dictionary, key } = self;
        Question { callee, function: word(function), dictionary: word(dictionary), key: word(key) }
    }
}

/// Look-ups for reading that were made, and what they gave.
#[derive(Default)]
pub(crate) struct LookUps {
    pub(super) made: Vec<(Question, Value)>,
    /// The alias classes of memory that may have been written since everything was forgotten.
    written: Vec<u32>,
    /// Whether any memory may have been.
    written_any: bool,
}

impl LookUps {
    /// Forgets every look-up.
    pub fn forget(&mut self) {
        self.made.clear();
        self.written.clear();
        self.written_any = false;
    }

    /// Memory of these alias classes may have been written, or any.
    pub fn written(&mut self, world: &dyn World, classes: Option<&[u32]>) {
        if fault!("look-ups: nothing is ever written") {
            return;
        }
        match classes {
            Some(classes) => classes.iter().for_each(|&class| self.note_written(class)),
            None => self.written_any = true,
        }
        if self.made.is_empty() {
            return;
        }
        let minds = |callee| world.look_up(callee).is_none_or(|look_up| look_up.minds(classes));
        self.made.retain(|(question, _)| !minds(question.callee));
    }

    fn note_written(&mut self, class: u32) {
        match self.written.binary_search(&class) {
            Ok(_) => {}
            Err(_) if self.written.len() == REMEMBERED => self.written_any = true,
            Err(at) => self.written.insert(at, class),
        }
    }

    /// Whether nothing was written that a look-up minds since everything was forgotten.
    pub(super) fn is_undisturbed(&self, look_up: &LookUp) -> bool {
        !self.written_any && !look_up.minds(Some(&self.written))
    }

    /// A look-up by another function may write what these look into.
    pub(super) fn keep_those_of(&mut self, function: Value) {
        let before = self.made.len();
        self.made.retain(|(question, _)| question.function == function);
        self.written_any |= self.made.len() < before;
    }

    pub(super) fn remember(&mut self, question: Question, found: Value) {
        if self.made.len() == REMEMBERED {
            self.made.remove(0);
        }
        self.made.push((question, found));
    }
}
