//! Random functions over memory of cells: rows are allocated, pointers moved, cells stored and loaded.
//!
//! Random functions of the usual kinds hardly ever access a cell that is there, and what memory refuses has no
//! meaning. Here every access is inside of its row: rows have `SIZE` cells, all of which are stored first,
//! and a distance that is not a constant is masked. A pointer also comes from a choice of two rows, so that it
//! is not known to which it belongs. What the rows hold at the end is in the result.

use std::fmt::Write;

use arbitrary::{Result, Unstructured};
use planish_ir::{Module, text};
use planish_ops::world::Cells;

/// How many cells a row has: a power of two.
const SIZE: u32 = 4;

/// The callees, and what they do.
const CALLEES: [(&str, Cells); 5] = [
    ("alloc", Cells::Allocate),
    ("free", Cells::Free),
    ("load", Cells::Load),
    ("store", Cells::Store),
    ("move", Cells::Move),
];

/// A function of three numbers that gives one.
struct Maker {
    text: String,
    /// The next value.
    next: u32,
    /// The next block.
    block: u32,
    /// Numbers, and pointers to the first cell of a row.
    numbers: Vec<u32>,
    rows: Vec<u32>,
}

impl Maker {
    fn value(&mut self, what: &str) -> u32 {
        let value = self.next;
        self.next += 1;
        writeln!(self.text, "    v{value}{what}").expect("writing to a string does not fail");
        value
    }

    fn line(&mut self, what: &str) {
        writeln!(self.text, "    {what}").expect("writing to a string does not fail");
    }

    /// A pointer to some cell.
    fn cell(&mut self, u: &mut Unstructured<'_>) -> Result<u32> {
        let row = *u.choose(&self.rows)?;
        Ok(match u.int_in_range(0..=3)? {
            0 => row,
            1 => {
                let any = *u.choose(&self.numbers)?;
                let distance = self.value(&format!(" = and(v{any}, {})", SIZE - 1));
                self.value(&format!(": ref = call(v{row}, v{distance}) @move"))
            }
            _ => {
                let distance = u.int_in_range(0..=SIZE - 1)?;
                self.value(&format!(": ref = call(v{row}, {distance}) @move"))
            }
        })
    }

    fn operation(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        match u.int_in_range(0..=5)? {
            0 | 1 => {
                let cell = self.cell(u)?;
                let loaded = self.value(&format!(": i64 = call(v{cell}) @load"));
                self.numbers.push(loaded);
            }
            2 | 3 => {
                let (cell, number) = (self.cell(u)?, *u.choose(&self.numbers)?);
                self.line(&format!("call(v{cell}, v{number}) @store"));
            }
            4 => {
                let (x, y) = (*u.choose(&self.numbers)?, *u.choose(&self.numbers)?);
                let sum = self.value(&format!(" = {}(v{x}, v{y})", u.choose(&["add", "xor", "sub"])?));
                self.numbers.push(sum);
            }
            _ => {
                // One of two rows: from here on a row that may be either.
                let (x, y) = (*u.choose(&self.rows)?, *u.choose(&self.rows)?);
                let on = *u.choose(&self.numbers)?;
                let block = self.block;
                self.block += 2;
                let bit = self.value(&format!(" = and(v{on}, 1)"));
                self.line(&format!("branch v{bit}, b{block}(v{x}), b{block}(v{y})"));
                let row = self.next;
                self.next += 1;
                writeln!(self.text, "b{block}(v{row}: ref):").expect("writing to a string does not fail");
                self.rows.push(row);
            }
        }
        Ok(())
    }

    /// Operations that happen only sometimes.
    fn arm(&mut self, u: &mut Unstructured<'_>) -> Result<()> {
        let on = *u.choose(&self.numbers)?;
        let (block, known) = (self.block, (self.numbers.len(), self.rows.len()));
        self.block += 2;
        let bit = self.value(&format!(" = and(v{on}, 1)"));
        self.line(&format!("branch v{bit}, b{block}, b{}", block + 1));
        writeln!(self.text, "b{block}:").expect("writing to a string does not fail");
        for _ in 0..u.int_in_range(1..=4)? {
            self.operation(u)?;
        }
        self.line(&format!("jump b{}", block + 1));
        writeln!(self.text, "b{}:", block + 1).expect("writing to a string does not fail");
        self.numbers.truncate(known.0);
        self.rows.truncate(known.1);
        Ok(())
    }
}

/// A module with one such function.
pub fn module(u: &mut Unstructured<'_>) -> Result<Module> {
    let declared = CALLEES[..4].iter().map(|(name, _)| format!("callee @{name}\n")).collect::<String>();
    let header = "callee @move elidable reads () writes ()\nfunc f(v0: i64, v1: i64, v2: i64) -> i64 {\na:\n";
    let mut maker =
        Maker { text: declared + header, next: 3, block: 0, numbers: vec![0, 1, 2], rows: Vec::new() };
    for _ in 0..u.int_in_range(1..=3)? {
        let row = maker.value(&format!(": ref = call({SIZE}) @alloc"));
        for distance in 0..SIZE {
            let cell = maker.value(&format!(": ref = call(v{row}, {distance}) @move"));
            let number = *u.choose(&maker.numbers)?;
            maker.line(&format!("call(v{cell}, v{number}) @store"));
        }
        maker.rows.push(row);
    }
    let rows = maker.rows.clone();
    for _ in 0..u.int_in_range(1..=6)? {
        for _ in 0..u.int_in_range(1..=6)? {
            maker.operation(u)?;
        }
        maker.arm(u)?;
    }
    let mut result = *u.choose(&maker.numbers)?;
    for row in rows {
        for distance in 0..SIZE {
            let cell = maker.value(&format!(": ref = call(v{row}, {distance}) @move"));
            let loaded = maker.value(&format!(": i64 = call(v{cell}) @load"));
            let more = maker.value(&format!(" = mul(v{result}, 31)"));
            result = maker.value(&format!(" = add(v{more}, v{loaded})"));
        }
        maker.line(&format!("call(v{row}) @free"));
    }
    maker.line(&format!("return v{result}"));
    let source = maker.text + "}\n";
    let (mut module, diagnostics) = text::read(&source);
    assert!(!diagnostics.has_errors(), "{source}");
    for (name, cells) in CALLEES {
        if let Some(descr) = module.descriptors.lookup(name) {
            module.descriptors.set_cells(descr, cells);
        }
    }
    Ok(module)
}
