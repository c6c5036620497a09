//! Calls or bodies: the forms in which a program with calls is lifted.
//!
//! Bodies for all calls are best as long as they are few. A program that becomes much larger by them keeps its calls, and which
//! of them become bodies is decided by inlining, by size. But bodies may fold to next to nothing, which nobody knows before
//! they are optimized; so such a program has both forms as long as the larger is not too large to try, and cost decides
//! between what becomes of them.

use planish_base::Id;
use planish_ir::Module;

use super::{Options, Unliftable, lift};
use crate::terms::{Kind, Program, Term};

/// How many times as many operations as it has terms a program may have by bodies, so that what is written is a few times
/// as long as what was read.
const GROWTH: u64 = 4;
/// How many operations in bodies are fine whatever the size of the program.
const FEW: u64 = 400;
/// How many are worth trying.
const MANY: u64 = 4_000;

/// A lifted program.
pub struct Forms {
    /// The program.
    pub module: Module,
    /// The same with bodies for all calls, if that is larger than it should be unless optimizing makes it smaller.
    pub inlined: Option<Module>,
    /// How many operations the form with bodies may have.
    pub most: u64,
}

/// Lifts a program with calls of the functions that are expressions and bodies for all others, if it has such calls and
/// does not become much larger.
pub fn lift_with_expressions(program: &Program, options: Options) -> Option<Module> {
    let is_call = |term: Term| program.terms.kind(term) == Kind::Call;
    if !(0..program.terms.len()).map(Term::from_index).any(is_call) {
        return None;
    }
    let inlined = (GROWTH * program.terms.len() as u64).clamp(FEW, MANY);
    let module = lift(program, Options { functions: false, expressions: true, inlined, ..options }).ok()?;
    (module.functions.len() > program.roots.len()).then_some(module)
}

/// Lifts a program in the form, or the forms, that suit it.
pub fn lift_forms(program: &Program, options: Options) -> Result<Forms, Unliftable> {
    let most = (GROWTH * program.terms.len() as u64).clamp(FEW, MANY);
    let with = |inlined| lift(program, Options { functions: false, inlined, ..options });
    if let Ok(module) = with(most) {
        return Ok(Forms { module, inlined: None, most });
    }
    let inlined = if most < MANY { with(MANY).ok() } else { None };
    let calls = Options { functions: true, inlined: most, ..options };
    let with_calls = lift(program, calls).or_else(|error| {
        // A function that is exported takes what the program says, and as a value also what closures bring along.
        lift(program, Options { copies: true, ..calls }).map_err(|_| error)
    });
    match (with_calls, inlined) {
        (Ok(module), inlined) => Ok(Forms { module, inlined, most }),
        // A function that is used for words and for functions has no type, but its bodies have.
        (Err(_), Some(module)) => Ok(Forms { module, inlined: None, most }),
        (Err(error), None) => Err(error),
    }
}
