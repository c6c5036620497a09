//! Random loops that fill and copy raw memory, and such as nearly do: what `loop-idiom` makes of them, and what the pipeline makes of
//! that, behaves as they do, whatever they start with, wherever they end, and however what they read and write overlaps.

use planish_ir::Form;
use planish_opt::{Kind, Optimizer, Options, Pipeline, Record};

use crate::memory_loops::{Random, compare, read};

const DECLARED: &str = "\
location @m8: i8 class 1
location @m16: i16 class 1
location @m32: i32 class 1
location @m64: i64 class 1
location @part: i16 bits 12 class 1
location @other: i32 class 2
";

/// What the body of a loop does in the round of the counter `i`.
fn body(random: &mut Random, base: &str) -> String {
    let shift = random.below(4);
    let (width, cell) = (8 << shift, 1 << shift);
    // Now and then rounds overlap, or leave gaps.
    let by = if random.below(6) == 0 { random.below(4) } else { shift };
    let mut text = format!("    a0 = lshift(i, {by})\n");
    text += &match random.below(4) {
        0 => format!("    a = add(a0, {})\n", random.one_of(&[1, cell, -cell, 24])),
        _ => "    a = add(a0, 0)\n".to_owned(),
    };
    text += &match random.below(7) {
        0 => format!("    raw_store({base}, a, {}: i{width}) @m{width}\n", random.one_of(&[0, -1, 7])),
        1 => format!("    raw_store({base}, a, v{width}) @m{width}\n"),
        2 if shift == 1 => format!("    raw_store({base}, a, v16) @part\n"),
        _ => {
            let distance = random.one_of(&[0, 0, cell, -cell, 1, -1, 3, 80, -80, 256, -256]);
            let from = random.one_of(&[base, base, "q"]);
            format!(
                "    s = add({from}, {distance})\n    y: i{width} = raw_load(s, a) @m{width}\n    \
                 raw_store({base}, a, y) @m{width}\n"
            )
        }
    };
    text += match random.below(9) {
        0 => "    t0: i32 = raw_load(q, a) @other\n",
        1 => "    t1: i8 = raw_load(q, a) @m8\n",
        2 => "    raw_store(8192, a, 5: i8) @m8\n",
        _ => "",
    };
    text
}

/// A loop that counts, tested in front of its body or behind it; `name` tells its blocks from others.
fn looped(random: &mut Random, base: &str) -> String {
    let (first, falls) = (random.below(2) == 0, random.below(3) == 0);
    let last = random.one_of(&["n", "n", "30", "12"]);
    let start = random.one_of(&["0", "0", "1", "5"]);
    let (start, bound, step) = if falls { (last, start, -1) } else { (start, last, 1) };
    let test = match (falls, random.below(4)) {
        // Such a loop need not meet its bound.
        (_, 0) if start == "0" || bound == "0" => "ne",
        (true, 1) => "gt",
        (true, _) => "ugt",
        (false, 1) => "lt",
        (false, 2) => "le",
        (false, _) => "ult",
    };
    let body = body(random, base);
    // What falls is often counted down before it is used.
    let (counter, body) = match falls && random.below(2) == 0 {
        true => ("k", format!("    i = sub(k, 1)\n{body}    j = add(k, {step})\n")),
        false => ("i", format!("{body}    j = add(i, {step})\n")),
    };
    match first {
        true => format!(
            "    jump head({start})\nhead({counter}: i64):\n    more: i1 = {test}({counter}, {bound})\n    branch more, body, out\n\
             body:\n{body}    jump head(j)\nout:\n"
        ),
        false => format!(
            "    jump head({start})\nhead({counter}: i64):\n{body}    more: i1 = {test}(j, {bound})\n    \
             branch more, head(j), out\nout:\n"
        ),
    }
}

/// A function with a loop, perhaps in one around it that goes over rows.
fn program(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut text = String::new();
    for (name, of) in [("p", "a0"), ("q", "b0")] {
        text += &format!("    {name}0 = and({of}, 31)\n    {name} = add({name}0, 4096)\n");
    }
    text += "    n = and(m0, 31)\n";
    for width in [8, 16, 32] {
        text += &format!("    v{width}: i{width} = trunc(v64)\n");
    }
    text = text.replace("and(a0", "and(first").replace("and(b0", "and(second");
    match random.below(3) {
        0 => {
            let row = random.one_of(&[10, 12, 24, 30, 48, 60, 120]);
            let inner = looped(&mut random, "row");
            text += &format!(
                "    jump rows(0)\nrows(r: i64):\n    at = mul(r, {row})\n    row = add(p, at)\n{inner}    r1 = add(r, 1)\n    \
                 again: i1 = ult(r1, 4)\n    branch again, rows(r1), end\nend:\n"
            );
        }
        _ => text += &looped(&mut random, "p"),
    }
    text +=
        "    x = raw_load(4100, 0) @m64\n    y1 = raw_load(p, 16) @m64\n    z = xor(x, y1)\n    return z\n";
    format!("{DECLARED}func f(first: i64, second: i64, m0: i64, v64: i64) -> i64 {{\ne:\n{text}}}\n")
}

fn count() -> u64 {
    std::env::var("PLANISH_RANDOM").ok().and_then(|text| text.parse().ok()).unwrap_or(400)
}

#[test]
fn loops_that_fill_and_copy_behave_as_before() {
    let (mut compared, mut fired) = (0, Record::new());
    let mut optimizer = Optimizer::new();
    for passes in [
        "loop-idiom",
        "loop-idiom:loop-deletion:load-elimination:scalar-promotion:pre:dead",
        Pipeline::PROGRAM,
    ] {
        let pipeline = Pipeline::parse(passes, Form::Cfg).expect("passes");
        for seed in 1..=count() {
            let source = program(seed);
            let module = read(&source);
            let mut after = module.functions.values().next().expect("a function").clone();
            optimizer.run(&pipeline, &mut after, &module.descriptors, &mut fired, Options::QUIET, &mut ());
            compared += compare(&format!("seed {seed}, {passes}"), &source, &module, &after, seed);
        }
    }
    let made = fired.count(Kind::Lemma("loop-idiom", "store beside store"));
    assert!(compared > 5 * count() && made > count() / 2, "{compared} compared, {made} made");
}
