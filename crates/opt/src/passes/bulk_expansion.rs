//! Inline expansion of bulk operations (LLVM's `InstCombine`, `SimplifyAnyMemTransfer`, and the expansion of `memcpy` in its
//! instruction selection): a copy or a fill of few bytes whose number is known is loads and stores of words.
//!
//! ```text
//! raw_copy(p, 0, q, 4, 10) @byte   becomes   a = raw_load(q, 4) @word; b = raw_load(q, 12) @half
//!                                            raw_store(p, 0, a) @word; raw_store(p, 8, b) @half
//! ```
//!
//! All is loaded before any is stored, as both may overlap. What other passes know of loads and stores then holds of structures that
//! are copied, too. The words are those for which the world has a location of the alias class. A cell that is filled with
//! what is no number is stored by itself. O(size of the function).

use planish_base::{SideTable, fault};
use planish_domain::memory::Lemma;
use planish_ir::{Function, Inst, Value};
use planish_ops::world::Descr;
use planish_ops::{Int, Op, Type};
use planish_pass::{Became, Change, Example, FunctionPass, PassCx, PassInfo};

use super::insertions::Insertions;
use super::strength_reduction::remove;

/// Expands bulk operations.
pub const PASS: FunctionPass = FunctionPass {
    info: PassInfo {
        changes: Change::Operations,
        source: "LLVM InstCombine (SimplifyAnyMemTransfer)",
        example: Example { file: "bulk_expansion.ssa", text: include_str!("examples/bulk_expansion.ssa") },
        test: "crates/opt/src/passes/bulk_expansion.rs",
        ..PassInfo::new(
            "bulk-expansion",
            "Inline expansion of bulk operations: a copy or a fill of few bytes is loads and stores of words.",
        )
    },
    run,
};

/// At most so many words are loaded and stored for one operation.
const WORDS: usize = 16;

/// The sizes of words in bytes.
const SIZES: [u64; 4] = [8, 4, 2, 1];

fn run(f: &mut Function, cx: &mut PassCx<'_>) {
    let is_bulk = |&(_, inst): &(_, Inst)| matches!(f.inst(inst).op, Op::RawFill | Op::RawCopy);
    let bulk: Vec<Inst> = f.live_insts().filter(is_bulk).map(|(_, inst)| inst).collect();
    let (mut goes, mut made) = (SideTable::new(), Insertions::default());
    let mut any = false;
    for inst in bulk {
        let Some(accesses) = accesses(f, cx, inst) else { continue };
        if cx.rewrite_by(f, inst, Became::Changed, Lemma::StoreBesideStore.name()) {
            expand(f, &mut made, inst, &accesses);
            goes[inst] = true;
            any = true;
        }
    }
    if any {
        made.write(f);
        remove(f, &goes);
    }
}

/// A word that is stored: how many bytes behind the first one, and what; nothing for one that is copied.
struct Word {
    at: u64,
    ty: Type,
    descr: Descr,
    value: Option<Stored>,
}

/// What is stored in a fill.
enum Stored {
    Number(Int),
    Value(Value),
}

/// The accesses that do what a bulk operation does, if they are few.
fn accesses(f: &Function, cx: &PassCx<'_>, inst: Inst) -> Option<Vec<Word>> {
    let (args, descr) = (f.args(inst), f.inst(inst).descr?);
    let location = cx.world.location(descr)?;
    if cx.world.raw_access(descr).is_some_and(|access| access.scale != 1) || f.ty(args[0]) != Type::I64 {
        return None;
    }
    let (count, ty) = match f.inst(inst).op {
        Op::RawFill => (args[2], f.ty(args[3])),
        _ => (args[4], location.ty),
    };
    let full = match ty {
        Type::Int(width) => u32::from(width),
        Type::Float(format) => format.bits(),
        Type::Ref | Type::State | Type::Vector(_) => return None,
    };
    let stored = location.stored_bits.map_or(full, |stored| full.min(u32::from(stored)));
    let cell = u64::from(stored.div_ceil(8));
    let count = f.int_constant(count)?.unsigned();
    let bytes = count.checked_mul(cell).filter(|&bytes| bytes <= 8 * WORDS as u64)?;
    let filled = (f.inst(inst).op == Op::RawFill).then(|| args[3]);
    if let Some(value) = filled
        && f.int_constant(value).is_none()
    {
        let word = |number| Word { at: number * cell, ty, descr, value: Some(Stored::Value(value)) };
        return (count <= WORDS as u64).then(|| (0..count).map(word).collect());
    }
    let number = filled
        .and_then(|value| f.int_constant(value))
        .map(|value| Int::new(stored, value.unsigned()).unsigned());
    let byte = |at: u64| number.map(|number| u64::from((number >> (8 * (at % cell))) as u8));
    let (mut words, mut at) = (Vec::new(), 0);
    while at < bytes {
        let mut words_that_fit = SIZES.into_iter().filter(|&size| at + size <= bytes);
        let of_size = |size: u64| Some((size, cx.world.raw_word(descr, 8 * size as u8)?));
        let (size, descr) = words_that_fit.find_map(of_size)?;
        let ty = Type::Int(8 * size as u8);
        let value = (0..size).rev().try_fold(0u64, |word, place| Some(word << 8 | byte(at + place)?));
        let value = value.map(|word| Stored::Number(Int::new(8 * size as u32, word)));
        words.push(Word { at, ty, descr, value });
        at += size;
    }
    (words.len() <= WORDS).then_some(words)
}

/// Puts loads and stores in front of a bulk operation.
fn expand(f: &mut Function, made: &mut Insertions, inst: Inst, words: &[Word]) {
    let args = f.args(inst).to_vec();
    let offset = |f: &mut Function, made: &mut Insertions, first: Value, at: u64| match f.int_constant(first)
    {
        _ if at == 0 => first,
        Some(number) => f.make_int(Type::I64, number.signed().wrapping_add(at as i64)),
        None => {
            let at = f.make_int(Type::I64, at as i64);
            made.make(f, inst, Op::Add, &[first, at], Type::I64)
        }
    };
    let late = fault!("bulk-expansion: a word is stored as soon as it is loaded");
    let mut values: Vec<Value> = Vec::new();
    let store = |f: &mut Function, made: &mut Insertions, word: &Word, value: Value| {
        let to = offset(f, made, args[1], word.at);
        made.put(f, inst, Op::RawStore, &[args[0], to, value], Some(word.descr));
    };
    for word in words {
        let value = match word.value {
            Some(Stored::Number(number)) => f.make_constant(number),
            Some(Stored::Value(value)) => value,
            None => {
                let from = offset(f, made, args[3], word.at);
                made.make_of(f, inst, Op::RawLoad, &[args[2], from], word.ty, Some(word.descr))
            }
        };
        if late {
            store(f, made, word, value);
        }
        values.push(value);
    }
    for (word, value) in words.iter().zip(values).filter(|_| !late) {
        store(f, made, word, value);
    }
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::passes::testing::after;

    fn expanded(operations: &str) -> (u64, String) {
        after(
            &PASS,
            &format!(
                "location @b: i8 class 1\nlocation @h: i16 class 1\nlocation @w: i32 class 1\nlocation @part: i16 bits 12 class 1\n\
                 location @f: f32 class 1\nfunc f(p: i64, q: i64, n: i64, x: f32) {{\ne:\n{operations}    return\n}}\n"
            ),
        )
    }

    #[test]
    fn all_words_are_loaded_before_one_is_stored() {
        let (count, text) = expanded("    raw_copy(p, n, q, 4, 7) @b\n");
        let ops = ["raw_load(v1, 4) @w", "raw_load(v1, 8) @h", "raw_load(v1, 10) @b", "raw_store(v0, v2, "];
        let places: Vec<_> = ops.iter().map(|op| text.find(op)).collect();
        assert!(count == 1 && places.is_sorted() && places[0].is_some(), "{text}");
        assert_eq!((text.matches("raw_store(").count(), text.contains("raw_copy")), (3, false), "{text}");
    }

    #[test]
    fn numbers_fill_whole_words() {
        let (_, text) =
            expanded("    raw_fill(p, 0, 3, 258: i16) @h\n    raw_fill(p, 8, 2, -1: i16) @part\n");
        assert!(
            text.contains("raw_store(v0, 0, 16908546) @w") && text.contains("raw_store(v0, 4, 258) @h"),
            "{text}"
        );
        assert!(text.contains("raw_store(v0, 8, 268374015) @w"), "zeros above twelve bits\n{text}");
        let (_, text) = expanded("    raw_fill(p, 0, 2, x) @f\n    raw_fill(p, n, 0, 7: i8) @b\n");
        assert!(text.contains("raw_store(v0, 4, v3) @f") && !text.contains("raw_fill"), "{text}");
    }

    #[test]
    fn what_is_large_or_not_known_stays() {
        for operation in
            ["raw_copy(p, 0, q, 0, n) @b", "raw_copy(p, 0, q, 0, 65) @b", "raw_fill(p, 0, 17, x) @f"]
        {
            assert_eq!(expanded(&format!("    {operation}\n")).0, 0, "{operation}");
        }
    }
}
