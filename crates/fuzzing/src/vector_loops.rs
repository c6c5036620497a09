//! Random loops over items side by side, which `loop-vectorize` may do in lanes: what becomes of them does the same.
//!
//! Pointers begin within some bytes of each other, so that accesses meet, partly and by whole items; there are few rounds, so that
//! vectors are used never, once and some times, and each number of rounds is left for the scalar loop.

use arbitrary::{Result, Unstructured};
use planish_filetest::property::{Effort, Held, How, optimized_does_the_same};
use planish_ir::text;

/// The passes: alone, with a walk that simplifies in front and behind, and with the default behind, which then meets vectors.
const PIPELINES: [&str; 3] = [
    "loop-vectorize",
    "intbounds:rewrite:pure:dead:loop-vectorize:gcm:intbounds:rewrite:pure:dead",
    "loop-vectorize:default",
];

const INTEGERS: [&str; 15] = [
    "add", "sub", "mul", "and", "or", "xor", "min", "max", "umin", "umax", "not", "neg", "abs", "lshift",
    "urshift",
];
const FLOATS: [&str; 7] = ["fadd", "fsub", "fmul", "fdiv", "fneg", "fabs", "fsqrt"];
const COMPARISONS: [&str; 10] = ["eq", "ne", "lt", "le", "gt", "ge", "ult", "ule", "ugt", "uge"];
const SUMS: [&str; 9] = ["add", "add", "xor", "and", "or", "min", "max", "umin", "umax"];
const UNARY: [&str; 6] = ["not", "neg", "abs", "fneg", "fabs", "fsqrt"];

/// What is written of a loop.
struct Loop<'u, 'd> {
    u: &'u mut Unstructured<'d>,
    ty: &'static str,
    size: i64,
    lines: String,
    names: usize,
    values: Vec<String>,
}

impl Loop<'_, '_> {
    fn line(&mut self, line: &str) {
        self.lines += &format!("    {line}\n");
    }

    fn name(&mut self) -> String {
        self.names += 1;
        format!("t{}", self.names)
    }

    fn value(&mut self) -> Result<String> {
        self.u.choose(&self.values).cloned()
    }

    /// An address that goes over items with the loop, at some distance.
    fn address(&mut self) -> Result<String> {
        let base = *self.u.choose(&["p", "p", "q"])?;
        let distance = match self.u.int_in_range(0..=5)? {
            0 | 1 => 0,
            2 => self.size,
            3 => -self.size,
            4 => *self.u.choose(&[16, -16, 8, 12])?,
            _ => self.u.int_in_range(-20..=20)?,
        };
        let address = self.name();
        self.line(&format!("{address} = add({base}, {distance})"));
        Ok(address)
    }

    fn statement(&mut self) -> Result<()> {
        let (ty, is_float) = (self.ty, self.ty.starts_with('f'));
        match self.u.int_in_range(0..=8)? {
            0..=2 => {
                let (address, name) = (self.address()?, self.name());
                self.line(&format!("{name}: {ty} = raw_load({address}, i) @w"));
                self.values.push(name);
            }
            3 | 4 => {
                let (address, value) = (self.address()?, self.value()?);
                self.line(&format!("raw_store({address}, i, {value}) @w"));
            }
            5 if !is_float => {
                let (x, y, truth, result) = (self.value()?, self.value()?, self.name(), self.name());
                let op = *self.u.choose(&COMPARISONS)?;
                self.line(&format!("{truth}: i1 = {op}({x}, {y})"));
                if self.u.arbitrary()? && ty != "i1" {
                    self.line(&format!("{result}: {ty} = zext({truth})"));
                } else {
                    self.line(&format!("{result} = select({truth}, {y}, {x})"));
                }
                self.values.push(result);
            }
            _ => {
                let op = *if is_float { self.u.choose(&FLOATS)? } else { self.u.choose(&INTEGERS)? };
                let (x, y, name) = (self.value()?, self.value()?, self.name());
                let y = if op.ends_with("shift") { "v3".to_owned() } else { y };
                match UNARY.contains(&op) {
                    true => self.line(&format!("{name} = {op}({x})")),
                    false => self.line(&format!("{name} = {op}({x}, {y})")),
                }
                self.values.push(name);
            }
        }
        Ok(())
    }
}

/// A function of two addresses, a number of rounds and an item.
pub fn program(u: &mut Unstructured<'_>) -> Result<String> {
    let (ty, size) =
        *u.choose(&[("i8", 1), ("i16", 2), ("i32", 4), ("i32", 4), ("i64", 8), ("f32", 4), ("f64", 8)])?;
    let sums = if ty.starts_with('f') { 0 } else { u.int_in_range(0..=2)? };
    let statements = u.int_in_range(2..=7)?;
    let more: u8 = u.int_in_range(0..=40)?;
    let (test, start) = (*u.choose(&["ult", "ne"])?, u.int_in_range(-3..=9i64)?);
    let constant = if ty.starts_with('f') { format!("1.5: {ty}") } else { format!("3: {ty}") };
    let values = vec!["v3".to_owned(), constant];
    let mut l = Loop { u, ty, size, lines: String::new(), names: 0, values };
    for _ in 0..statements {
        l.statement()?;
    }
    let mut passed = String::new();
    for sum in 0..sums {
        let (op, value) = (*l.u.choose(&SUMS)?, l.value()?);
        l.line(&format!("r{sum} = {op}(s{sum}, {value})"));
        passed += &format!(", r{sum}");
    }
    let list = |name: &str, ty: &str| (0..sums).map(|sum| format!(", {name}{sum}{ty}")).collect::<String>();
    let typed = format!(": {ty}");
    let begins = ", v3".repeat(sums);
    let results = format!(", {ty}").repeat(sums);
    let lines = &l.lines;
    let shift = size.trailing_zeros();
    // What is left in memory is loaded behind the loop, so that machine code shows it, too.
    Ok(format!(
        "location @w: {ty} class 1\nfunc f(v0: i64, v1: i64, v2: i64, v3: {ty}) -> i64{results}, {ty}, {ty}, {ty} {{\n\
         entry:\n    p0 = and(v0, 63)\n    p = add(p0, 4096)\n    q0 = and(v1, 63)\n    q = add(q0, 4096)\n    \
         n0 = add(v2, {more})\n    n = and(n0, 63)\n    branch n, front, out(7{begins})\n\
         front:\n    jump h(0, {start}{begins})\n\
         h(k: i64, d: i64{}):\n    i = lshift(k, {shift})\n{lines}    e = add(d, 3)\n    j = add(k, 1)\n    \
         c: i1 = {test}(j, n)\n    branch c, h(j, e{passed}), out(e{passed})\n\
         out(z: i64{}):\n    a: {ty} = raw_load(p, 0) @w\n    b: {ty} = raw_load(q, 16) @w\n    \
         o = lshift(n, {shift})\n    g: {ty} = raw_load(p, o) @w\n    return z{}, a, b, g\n}}\n",
        list("s", &typed),
        list("y", &typed),
        list("y", ""),
    ))
}

/// Makes a loop from the data, and runs what becomes of it beside it. What was made, and what running both showed.
pub fn does_the_same(u: &mut Unstructured<'_>) -> Result<(String, Held)> {
    let pipeline = u.choose_index(PIPELINES.len())?;
    let world = u.arbitrary()?;
    let source = program(u)?;
    // The default takes a float that is stored where it was loaded for what is there; which NaN that is, is unspecified, and the
    // interpreter stores another one.
    let may_be_nan = source.starts_with("location @w: f");
    let passes = Some(PIPELINES[if may_be_nan { pipeline.min(1) } else { pipeline }]);
    let (module, diagnostics) = text::read(&source);
    assert!(!diagnostics.has_errors(), "the generator made a broken function: {diagnostics:?}\n{source}");
    let how = How { passes, ..How::LINEAR };
    match optimized_does_the_same(&module, &how, world, Effort { tries: 10, fuel: 5_000 }) {
        Ok(held) => Ok((source, held)),
        Err(why) => panic!("{why}"),
    }
}
