//! The `.ssa` text: read to a [`Module`](crate::Module), written from one.
//!
//! ```text
//! file      = { declare } ( { function } | straight )
//! function  = "func" name "(" [ param { "," param } ] ")" [ "->" type { "," type } ] "{" block { block } "}"
//! block     = name [ "(" param { "," param } ")" ] ":" { operation } terminator
//! param     = name ":" type
//! operation = [ result { "," result } "=" ] op "(" [ operand { "," operand } ] ")" [ descr ] [ "else" exit ]
//! result    = name [ ":" type ]
//! operand   = name | integer [ ":" type ] | float [ ":" type ] | "null" | "none" | symbol [ ":" type ]
//! exit      = "leave" integer [ args ] [ recipe ] | "unwind" [ args ] | "to" [ args ] "[" handler { "," handler } "]"
//! recipe    = "with" "[" [ step { "," step } ] "]" "as" slots       slots = "(" [ slot { "," slot } ] ")"
//! step      = [ slot "=" ] op slots [ descr ]                      slot = "arg" integer | "made" integer
//! handler   = ( descr | "*" ) ":" name
//! terminator = "jump" call | "branch" operand "," call "," call | "return" [ operand { "," operand } ]
//!            | "switch" operand "[" [ integer ":" call { "," integer ":" call } ] "]" "," call
//!            | "throw" operand [ "else" exit ] | "unreachable"
//! call      = name [ args ]           args = "(" [ operand { "," operand } ] ")"
//! straight  = { operation } [ "return" ... ]          inputs are `getarg(N)`
//! declare   = "location" descr ":" type [ "bits" integer ] { "signed" | "immutable" | "quasi" | "raw" }
//!               [ "class" integer ]
//!           | "class" descr | "other" descr
//!           | "table" descr ":" type "=" "[" number { "," number } "]"          number = integer | float
//!           | "callee" descr { "unless_zero" | "if_zero" | "elidable" | "invariant" | "raises" | "forces"
//!               | "invalidates" | ( "zeroext" | "signext" ) integer
//!               | "reads" set | "writes" set }
//! set       = "(" [ integer { "," integer } ] ")" | "*"
//! descr     = "@" name      symbol = "&" name      name = word | '"' any '"'
//! ```
//!
//! Comments run from `#` or `;` to the end of the line. Operations go by the table's names; PyPy's are
//! understood too. A result type is written where neither operands nor the location of a load determine it; without
//! one it is i64. A literal has the type that its place demands, else i64 or f64.
//!
//! A text without `func` is one straight line: its inputs are `getarg(N)`, and values that nothing uses
//! are its results unless a last `return` names them.
//!
//! A call of a function of the same text needs no `callee`: the types of literals and results are those of the
//! function, of whose effects nothing is known. In a straight line `dummy` is an operation of no known meaning.
//!
//! The reader reports every error of a text with its place; it is not recursive, so no nesting can
//! exhaust the stack. What is written reads back as the same module.

use planish_ops::world::{Descr, World};
use planish_ops::{Items, Lane, Op, Type};

use crate::module::Descriptors;

mod lex;
mod parse;
mod places;
mod read;
mod syntax;
mod write;

/// The operation of no known meaning that a straight line may have: a call of nobody knows what.
const DUMMY: &str = "dummy";

/// The type of what an operation gives, where the declaration of the location or table that it names tells that.
fn declared_type(descriptors: &Descriptors, op: Op, descr: Descr) -> Option<Type> {
    match op {
        Op::GetField | Op::GetStatic | Op::GetItem | Op::GetInterior | Op::RawLoad => {
            descriptors.location(descr).map(|location| location.ty)
        }
        Op::Vload => {
            let location = descriptors.location(descr)?;
            Lane::of(location.ty).map(Type::Vector)
        }
        Op::Lookup => descriptors.table(descr).map(Items::ty),
        _ => None,
    }
}

/// Whether the last operand of an operation is what its location stores from then on, so that the declaration of that tells the type of
/// a literal.
fn stores(op: Op) -> bool {
    matches!(op, Op::SetField | Op::SetStatic | Op::SetItem | Op::SetInterior | Op::RawStore | Op::RawFill)
}

/// Whether a text in front of a number makes a name, and never that of a type.
pub fn is_prefix(text: &str) -> bool {
    let first = text.chars().next();
    let ty = text.strip_prefix(['i', 'f']).is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()));
    first.is_some_and(|c| c.is_alphabetic() || c == '_') && text.chars().all(lex::is_word) && !ty
}

pub use places::{FunctionPlaces, places};
pub use read::{read, read_named};
pub use write::{
    Listed, NamesOfFunctions, Options, ValueNames, listing, write, write_function, write_function_with,
    write_inst, write_value,
};

#[cfg(test)]
mod tests;
