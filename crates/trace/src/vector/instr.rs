//! Operations of a loop, and what stands for their operands.

use hashbrown::HashMap;
use planish_base::diag::Span;
use rustc_hash::FxBuildHasher;

use crate::opcode::Opcode;
use crate::text::{Arg, Text, Var};

/// What values stand for others.
pub(super) type Renaming = HashMap<Var, Arg, FxBuildHasher>;

/// An operation of a loop, with lists of its own.
#[derive(Clone, Debug)]
pub(super) struct Instr {
    pub opcode: Opcode,
    pub args: Vec<Arg>,
    pub result: Option<Var>,
    pub descr: Option<Text>,
    pub fail: Option<Vec<Arg>>,
    /// Whether it is a guard that leaves before anything of the iteration was done.
    pub early: bool,
    pub span: Span,
}

impl Instr {
    /// An operation that was not in the source.
    pub fn new(name: &str, args: Vec<Arg>, result: Option<Var>, span: Span) -> Instr {
        let opcode = Opcode::from_name(name).expect("operations on vectors have rows");
        Instr { opcode, args, result, descr: None, fail: None, early: false, span }
    }

    pub fn name(&self) -> &'static str {
        self.opcode.name()
    }

    /// The values that it needs, those of its exit last.
    pub fn uses(&self) -> impl Iterator<Item = Var> + '_ {
        let all = self.args.iter().chain(self.fail.iter().flatten());
        all.filter_map(|arg| if let Arg::Var(var) = arg { Some(*var) } else { None })
    }

    pub fn rename(&mut self, renaming: &Renaming) {
        for arg in self.args.iter_mut().chain(self.fail.iter_mut().flatten()) {
            *arg = renamed(*arg, renaming);
        }
    }
}

/// What stands for an argument.
pub(super) fn renamed(arg: Arg, renaming: &Renaming) -> Arg {
    match arg {
        Arg::Var(var) => renaming.get(&var).copied().unwrap_or(arg),
        _ => arg,
    }
}
