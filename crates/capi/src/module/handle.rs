//! A module as C has it: functions, blocks and words by number, and what was said last.

use std::collections::BTreeMap;
use std::ffi::{CString, c_char};

use planish::base::Id;
use planish::ir::FuncId;
use planish::{Block, Builder, Descr, Module, Value};

use crate::border::{Failed, Handle, Said, Status, for_c, refused};
use crate::module::datum::Ended;

/// Functions and what they name, and a function under construction.
#[derive(Default)]
pub struct PlanishModule {
    pub said: Said,
    pub module: Module,
    /// By number: in the order in which they were begun or read.
    pub functions: Vec<Slot>,
    /// The numbers of functions by name.
    pub names: BTreeMap<String, u32>,
    /// The function at hand.
    pub at: Option<u32>,
    /// One more than the largest number of a word.
    pub words: u32,
    /// What was wrong with the last text or function.
    pub errors: Vec<Note>,
    /// The text that was given last, with a zero behind it.
    pub text: Vec<u8>,
    /// The types that were given last.
    pub types: [Vec<u32>; 2],
    /// How the last run ended.
    pub ended: Ended,
}

/// What a number of a function stands for.
pub enum Slot {
    /// A function of the module.
    Whole(FuncId),
    /// One under construction.
    Begun(Box<Begun>),
    /// One that was given up.
    GivenUp,
}

/// A function under construction.
pub struct Begun {
    pub builder: Builder,
    /// For each block whether it has an end.
    pub ended: Vec<bool>,
    /// The block to which operations go.
    pub block: Block,
}

/// One thing that is wrong.
pub struct Note {
    /// From 1; 0 where it is not about a line of text.
    pub line: u32,
    pub column: u32,
    pub message: CString,
}

impl Handle for PlanishModule {
    fn said(&mut self) -> &mut Said {
        &mut self.said
    }
}

impl PlanishModule {
    /// A function of the module.
    pub fn function(&self, number: u32) -> Result<FuncId, Failed> {
        match self.functions.get(number as usize) {
            Some(Slot::Whole(id)) => Ok(*id),
            Some(Slot::Begun(begun)) => {
                refused(format!("`{}` is not finished", begun.builder.function().name))
            }
            Some(Slot::GivenUp) | None => Err(no_function(number)),
        }
    }

    /// The function at hand, and everything else of the module.
    pub fn building(&mut self) -> Result<(&mut Begun, &mut Module), Failed> {
        let slot = self.at.and_then(|at| self.functions.get_mut(at as usize));
        match slot {
            Some(Slot::Begun(begun)) => Ok((begun, &mut self.module)),
            _ => refused("no function is at hand"),
        }
    }

    /// Refuses what needs a whole module.
    pub fn is_whole(&self) -> Result<(), Failed> {
        let begun = self.functions.iter().find_map(|slot| match slot {
            Slot::Begun(begun) => Some(&begun.builder.function().name),
            _ => None,
        });
        begun.map_or(Ok(()), |name| refused(format!("`{name}` is not finished")))
    }

    /// What a word stands for.
    pub fn word(&self, number: u32) -> Result<Descr, Failed> {
        if number < self.words { Ok(Descr::from_index(number as usize)) } else { Err(Failed::Word(number)) }
    }

    /// Keeps a word, and says its number.
    pub fn keep(&mut self, descr: Descr) -> u32 {
        let number = descr.index() as u32;
        self.words = self.words.max(number + 1);
        number
    }

    /// Keeps what is wrong as the errors of the module.
    pub fn fail(&mut self, status: Status, errors: Vec<Note>) -> Failed {
        let all: Vec<_> = errors.iter().map(|note| note.message.to_string_lossy()).collect();
        let said = Failed::Said(status, all.join("\n"));
        self.errors = errors;
        said
    }

    /// Keeps a text for C.
    pub fn show(&mut self, text: String) -> *const c_char {
        self.text = text.into_bytes();
        self.text.push(0);
        self.text.as_ptr().cast()
    }
}

impl Note {
    /// What is wrong but not with a line of text.
    pub fn new(message: &str) -> Note {
        Note { line: 0, column: 0, message: for_c(message) }
    }
}

impl Begun {
    /// The value of a number.
    pub fn value(&self, number: u32) -> Result<Value, Failed> {
        match (number as usize) < self.builder.function().value_count() {
            true => Ok(Value::from_index(number as usize)),
            false => Err(Failed::Value(number)),
        }
    }

    /// The values of some numbers.
    pub fn values(&self, numbers: &[u32]) -> Result<Vec<Value>, Failed> {
        numbers.iter().map(|&number| self.value(number)).collect()
    }

    /// The block of a number.
    pub fn block(&self, number: u32) -> Result<Block, Failed> {
        match (number as usize) < self.ended.len() {
            true => Ok(Block::from_index(number as usize)),
            false => {
                Err(Failed::Said(Status::NoSuchValue, format!("the function at hand has no block {number}")))
            }
        }
    }

    /// What a block is called in messages.
    pub fn called(&self, block: Block) -> String {
        match self.builder.function().block_name(block) {
            Some(name) => format!("block `{name}`"),
            None => format!("block {}", block.index()),
        }
    }

    /// Refuses what goes to a block that has ended.
    pub fn is_open(&self) -> Result<(), Failed> {
        match self.ended[self.block.index()] {
            false => Ok(()),
            true => refused(format!("{} has its end already", self.called(self.block))),
        }
    }
}

/// There is no function of this number.
pub fn no_function(number: u32) -> Failed {
    Failed::Said(Status::NoSuchName, format!("the module has no function {number}"))
}

/// Refuses a name that a text could not hold.
pub fn named(name: &str) -> Result<&str, Failed> {
    match name.is_empty() || name.contains(['"', '\n']) {
        true => refused(format!("`{name}` is no name")),
        false => Ok(name),
    }
}
