//! The operations of Bril that compute, and what they are in the table.
//!
//! Core, float and char operations are a table of rows: a name, operand types, the result type and the
//! operation. Everything else of the language (constants, copies, memory, calls, output, jumps) is for
//! [`lift`](crate::lift()) and [`lower`](crate::lower()).

use planish_ops::{Op, Type as Word};

use crate::ast::Type;

/// An operation that computes a value from values.
pub struct Row {
    /// The name.
    pub name: &'static str,
    /// The types of the operands.
    pub operands: &'static [Type],
    /// The type of the result.
    pub result: Type,
    /// What it is in the table of operations.
    pub op: Op,
}

/// A row without more words than needed.
macro_rules! rows {
    ($($name:literal ($($operand:ident),*) -> $result:ident = $op:ident;)*) => {
        &[$(Row { name: $name, operands: &[$(Type::$operand),*], result: Type::$result, op: Op::$op }),*]
    };
}

/// The operations, core first.
pub const OPERATIONS: &[Row] = rows! {
    "add"(Int, Int) -> Int = Add;
    "sub"(Int, Int) -> Int = Sub;
    "mul"(Int, Int) -> Int = Mul;
    "div"(Int, Int) -> Int = Sdiv;
    "eq"(Int, Int) -> Bool = Eq;
    "lt"(Int, Int) -> Bool = Lt;
    "gt"(Int, Int) -> Bool = Gt;
    "le"(Int, Int) -> Bool = Le;
    "ge"(Int, Int) -> Bool = Ge;
    "not"(Bool) -> Bool = Not;
    "and"(Bool, Bool) -> Bool = And;
    "or"(Bool, Bool) -> Bool = Or;
    "fadd"(Float, Float) -> Float = Fadd;
    "fsub"(Float, Float) -> Float = Fsub;
    "fmul"(Float, Float) -> Float = Fmul;
    "fdiv"(Float, Float) -> Float = Fdiv;
    "feq"(Float, Float) -> Bool = Feq;
    "flt"(Float, Float) -> Bool = Flt;
    "fle"(Float, Float) -> Bool = Fle;
    "fgt"(Float, Float) -> Bool = Fgt;
    "fge"(Float, Float) -> Bool = Fge;
    "ceq"(Char, Char) -> Bool = Eq;
    "clt"(Char, Char) -> Bool = Ult;
    "cle"(Char, Char) -> Bool = Ule;
    "cgt"(Char, Char) -> Bool = Ugt;
    "cge"(Char, Char) -> Bool = Uge;
    "char2int"(Char) -> Int = Zext;
    "int2char"(Int) -> Char = Trunc;
};

/// Operations on words that eggcc's Bril has besides, as it has `select`. They are read always, and written
/// where the program has some already or where that is asked for.
pub const WORDS: &[Row] = rows! {
    "neg"(Int) -> Int = Neg;
    "bitand"(Int, Int) -> Int = And;
    "bitor"(Int, Int) -> Int = Or;
    "bitxor"(Int, Int) -> Int = Xor;
    "shl"(Int, Int) -> Int = Lshift;
    "shr"(Int, Int) -> Int = Rshift;
    "smin"(Int, Int) -> Int = Min;
    "smax"(Int, Int) -> Int = Max;
};

/// Whether an operation is one of those that [`WORDS`] are about.
pub fn is_of_words(name: &str) -> bool {
    name == "select" || WORDS.iter().any(|row| row.name == name)
}

/// The row of a name.
pub fn named(name: &str) -> Option<&'static Row> {
    OPERATIONS.iter().chain(WORDS).find(|row| row.name == name)
}

/// The row of an operation on operands of some types with a result of a type; those of [`WORDS`] only if
/// they may be written.
pub fn of(op: Op, operands: &[Word], result: Word, words: bool) -> Option<&'static Row> {
    let more = WORDS.iter().filter(|_| words);
    OPERATIONS.iter().chain(more).find(|row| {
        row.op == op
            && word(&row.result) == result
            && row.operands.len() == operands.len()
            && row.operands.iter().map(word).eq(operands.iter().copied())
    })
}

/// The type of a value in the IR: characters are the words of 32 bits, pointers are references.
pub fn word(ty: &Type) -> Word {
    match ty {
        Type::Int => Word::I64,
        Type::Bool => Word::I1,
        Type::Float => Word::F64,
        Type::Char => Word::I32,
        Type::Ptr(_) => Word::Ref,
    }
}

/// The type of a value of the IR that is no pointer.
pub fn plain(word: Word) -> Option<Type> {
    match word {
        Word::I64 => Some(Type::Int),
        Word::I1 => Some(Type::Bool),
        Word::F64 => Some(Type::Float),
        Word::I32 => Some(Type::Char),
        _ => None,
    }
}

/// How many instructions an operation takes, constants, copies and jumps not counted; `None` when it has
/// no form, or one that is never worth it. What only takes certain constants counts as never worth it.
pub fn price(op: Op) -> Option<u32> {
    // A truth value as a number is a choice of constants.
    if op != Op::Zext && OPERATIONS.iter().any(|row| row.op == op) {
        return Some(1);
    }
    match op {
        Op::Zext => Some(0),
        Op::Neg | Op::IsZero | Op::Fneg | Op::Min | Op::Max | Op::ForceGeZero => Some(1),
        // A choice is a branch.
        Op::Ne | Op::Fne | Op::IsTrue | Op::Abs | Op::Select => Some(2),
        Op::Srem => Some(3),
        Op::Xor | Op::Trunc => Some(4),
        _ => None,
    }
}

/// What [`price`] says, where [`WORDS`] and `select` may be written. A choice is still dearer than a branch,
/// which is no work.
pub fn price_with_words(op: Op) -> Option<u32> {
    if WORDS.iter().any(|row| row.op == op) { Some(1) } else { price(op) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_fits_the_table_and_is_found_by_what_it_is() {
        for row in OPERATIONS.iter().chain(WORDS) {
            let table = row.op.row();
            assert_eq!(table.operands.len(), row.operands.len(), "{}", row.name);
            for (shape, ty) in table.operands.iter().zip(row.operands) {
                assert!(shape.admits(word(ty)), "{}", row.name);
            }
            let operands: Vec<Word> = row.operands.iter().map(word).collect();
            let found = of(row.op, &operands, word(&row.result), true).map(|row| row.name);
            assert_eq!(found, Some(row.name));
            assert!(named(row.name).is_some_and(|found| found.op == row.op));
        }
    }
}
