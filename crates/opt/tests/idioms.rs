//! Random words that are put together byte by byte, of a word or of memory, in order, in the opposite one, rotated or in any, with
//! mistakes and with stores in between: what `bit-idioms` makes of them is the same. And such words that are stored byte by byte, or
//! in larger parts: what `store-merging` makes of them leaves the same memory. And narrow words that are compared, added and subtracted
//! in branches and loops, over and over the same few: what `overflow-idioms` and `jump-threading` make of them gives the same.

use planish_interp::{Limits, Program, Subject, Validation, validate};
use planish_ir::{Form, Function, Module, text, verify};
use planish_opt::{Kind, Optimizer, Options, Pipeline, Record};

const DECLARED: &str =
    "location @b: i8 class 1\nlocation @h: i16 class 1\nlocation @w: i32 class 1\nlocation @d: i64 class 1\n";

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 20) % limit as u64) as usize
    }
}

/// Which byte comes to which place.
fn order(random: &mut Random, count: usize) -> Vec<usize> {
    let by = random.below(count);
    let mut order: Vec<usize> = match random.below(4) {
        0 => (0..count).collect(),
        1 => (0..count).rev().collect(),
        2 => (0..count).map(|byte| (byte + by) % count).collect(),
        _ => (0..count).map(|byte| byte ^ 1 & (count - 1)).collect(),
    };
    if random.below(6) == 0 {
        let (one, other) = (random.below(count), random.below(count));
        order[one] = order[other];
    }
    order
}

/// A function of a word and two addresses that puts a word together.
fn program(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let width = [16, 32, 32, 64][random.below(4)];
    let ty = format!("i{width}");
    let mut lines = vec!["p0 = and(v0, 12)".to_owned(), "p = add(p0, 4096)".to_owned()];
    lines.extend(["q0 = and(v1, 12)".to_owned(), "q = add(q0, 4096)".to_owned()]);
    let places = width / 8;
    let count = if random.below(4) == 0 { places / 2 } else { places };
    let order = order(&mut random, count.max(2));
    let in_memory = random.below(2) == 0;
    let mut parts: Vec<String> = Vec::new();
    for (byte, place) in order.into_iter().enumerate() {
        let shift = 8 * (place % places);
        if in_memory {
            lines.push(format!("l{byte}: i8 = raw_load(p, {byte}) @b"));
            lines.push(format!(
                "z{byte}: {ty} = {}(l{byte})",
                ["zext", "zext", "zext", "sext"][random.below(4)]
            ));
            if random.below(12) == 0 {
                let base = ["p", "q"][random.below(2)];
                lines.push(format!("raw_store({base}, {}, 7: i8) @b", random.below(9)));
            }
        } else {
            lines.push(format!("u{byte} = urshift(v2, {})", 8 * byte));
            let mask = [255, 255, 255, 255, 255, 127][random.below(6)];
            lines.push(format!("z{byte} = and(u{byte}, {mask})"));
        }
        lines.push(format!("s{byte} = lshift(z{byte}, {shift})"));
        parts.push(format!("s{byte}"));
    }
    let mut next = 0;
    while parts.len() > 1 {
        let (x, y) = (random.below(parts.len()), random.below(parts.len()));
        if x == y {
            continue;
        }
        let op = ["or", "or", "or", "add", "xor"][random.below(5)];
        lines.push(format!("o{next} = {op}({}, {})", parts[x], parts[y]));
        parts.retain({
            let gone = [parts[x].clone(), parts[y].clone()];
            move |part| !gone.contains(part)
        });
        parts.push(format!("o{next}"));
        next += 1;
    }
    if random.below(4) == 0 {
        lines.push(format!("r = rotl({}, {})", parts[0], 8 * random.below(places)));
        parts[0] = "r".to_owned();
    }
    format!(
        "{DECLARED}func f(v0: i64, v1: i64, v2: {ty}) -> {ty} {{\ne:\n    {}\n    return {}\n}}\n",
        lines.join("\n    "),
        parts[0]
    )
}

/// A function of two addresses and a word that stores parts of it side by side, and looks at what is there once in a while.
fn storing(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut lines = vec!["p0 = and(v0, 12)".to_owned(), "p = add(p0, 4096)".to_owned()];
    lines.extend(["q0 = and(v1, 12)".to_owned(), "q = add(q0, 4096)".to_owned()]);
    let bytes = [1, 1, 1, 2, 4][random.below(5)];
    let order = order(&mut random, 8 / bytes);
    let of_memory = random.below(3) == 0;
    let ty = format!("i{}", 8 * bytes);
    let at = match bytes {
        1 => "b",
        2 => "h",
        _ => "w",
    };
    let mut stores = Vec::new();
    for (part, place) in order.into_iter().enumerate() {
        let what = match random.below(12) {
            0 => "0".to_owned(),
            1 => random.below(100).to_string(),
            _ if of_memory => {
                let load = format!("l{part}: {ty} = raw_load(q, {}) @{at}", bytes * part);
                if random.below(8) == 0 {
                    stores.push(load)
                } else {
                    lines.push(load)
                };
                format!("l{part}")
            }
            _ => {
                lines.push(format!("s{part} = urshift(v2, {})", 8 * bytes * part));
                lines.push(format!("t{part}: {ty} = trunc(s{part})"));
                format!("t{part}")
            }
        };
        let what =
            if what.starts_with(|c: char| c.is_ascii_digit()) { format!("{what}: {ty}") } else { what };
        stores.push(format!("raw_store(p, {}, {what}) @{at}", bytes * place));
    }
    let mut sum = "v2".to_owned();
    for (number, store) in stores.into_iter().enumerate() {
        let (base, offset) = (["p", "p", "q"][random.below(3)], random.below(9));
        match random.below(14) {
            0 => lines.push(format!("raw_store({base}, {offset}, {}: i16) @h", random.below(999))),
            1 => {
                lines.push(format!("m{number}: i64 = raw_load({base}, {offset}) @d"));
                lines.push(format!("n{number} = add({sum}, m{number})"));
                sum = format!("n{number}");
            }
            _ => {}
        }
        lines.push(store);
    }
    let body = lines.join("\n    ");
    format!("{DECLARED}func f(v0: i64, v1: i64, v2: i64) -> i64 {{\ne:\n    {body}\n    return {sum}\n}}\n")
}

/// What is written of a function over narrow words.
struct Narrow {
    random: Random,
    text: String,
    next: usize,
    words: Vec<String>,
    truths: Vec<String>,
}

impl Narrow {
    fn name(&mut self) -> String {
        self.next += 1;
        format!("t{}", self.next)
    }

    fn line(&mut self, line: &str) {
        self.text += &format!("    {line}\n");
    }

    fn word(&mut self) -> String {
        match self.random.below(5) {
            0 => format!("{}: i4", [-8, -1, 1, 2, 3, 7][self.random.below(6)]),
            1..=2 => self.words[self.random.below(self.words.len())].clone(),
            // The same few, so that operations meet.
            _ => self.words[self.random.below(2)].clone(),
        }
    }

    fn variable(&mut self) -> String {
        let word = self.word();
        if word.contains(':') { self.words[0].clone() } else { word }
    }

    fn truth(&mut self) -> String {
        if !self.truths.is_empty() && self.random.below(3) == 0 {
            return self.truths[self.random.below(self.truths.len())].clone();
        }
        let (x, y, truth) = (self.variable(), self.word(), self.name());
        let op = ["ult", "ule", "ugt", "uge", "ult", "uge", "lt", "le", "gt", "ge", "eq", "ne"]
            [self.random.below(12)];
        self.line(&format!("{truth}: i1 = {op}({x}, {y})"));
        self.truths.push(truth.clone());
        truth
    }

    fn some(&mut self) {
        for _ in 0..1 + self.random.below(3) {
            let (x, y, result) = (self.variable(), self.word(), self.name());
            match self.random.below(5) {
                kind @ 0..=2 => self.line(&format!("{result} = {}({x}, {y})", ["sub", "sub", "add"][kind])),
                3 => {
                    let truth = self.truth();
                    self.line(&format!("{result} = select({truth}, {x}, {y})"));
                }
                _ => {
                    let truth = self.truth();
                    self.line(&format!("{result}: i4 = zext({truth})"));
                }
            }
            self.words.push(result);
        }
    }

    /// Something, and a branch or a loop or none.
    fn region(&mut self, depth: usize) {
        self.some();
        if depth == 0 {
            return;
        }
        let [a, b, join, param, left, less] = [(); 6].map(|()| self.name());
        let truth = self.truth();
        let outside = (self.words.len(), self.truths.len());
        match self.random.below(4) {
            0 => {
                let x = self.variable();
                self.line(&format!("jump {a}({x}, 3)"));
                self.text += &format!("{a}({param}: i4, {left}: i4):\n");
                self.words.push(param.clone());
                self.region(depth - 1);
                let (more, next) = (self.truth(), self.variable());
                self.line(&format!("{less} = sub({left}, 1)"));
                self.line(&format!("{b} = select({more}, {less}, 0)"));
                self.line(&format!("branch {b}, {a}({next}, {b}), {join}"));
                self.text += &format!("{join}:\n");
            }
            1..=2 => {
                self.line(&format!("branch {truth}, {a}, {b}"));
                for arm in [&a, &b] {
                    self.text += &format!("{arm}:\n");
                    self.region(depth - 1);
                    let x = self.variable();
                    self.line(&format!("jump {join}({x})"));
                    self.words.truncate(outside.0);
                    self.truths.truncate(outside.1);
                }
                self.text += &format!("{join}({param}: i4):\n");
                self.words.push(param);
            }
            _ => {}
        }
        self.some();
        if depth > 1 {
            self.region(depth - 1);
        }
    }
}

/// A function of three narrow words.
fn narrow(seed: u64) -> String {
    let random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let words = ["v0", "v1", "v2"].map(str::to_owned).to_vec();
    let mut w = Narrow { random, text: String::new(), next: 0, words, truths: Vec::new() };
    w.region(3);
    let result = w.variable();
    format!("func f(v0: i4, v1: i4, v2: i4) -> i4 {{\ne:\n{}    return {result}\n}}\n", w.text)
}

fn compare(case: &str, source: &str, module: &Module, after: &Function, seed: u64) -> u64 {
    let before = module.functions.values().next().expect("a function");
    assert_eq!(verify(after, Form::Cfg), [], "{case}\n{source}");
    let program = Program::bare(&module.descriptors);
    let subject = |function| Subject { program: &program, function };
    match validate(subject(before), subject(after), seed, 8, Limits::default()) {
        Validation::Tested { compared, .. } => compared,
        Validation::Signature => panic!("{case}: another signature"),
        Validation::Different(found) => panic!("{case}: {}\n{source}", found.difference),
    }
}

/// How many runs were compared, of random functions and what passes make of them.
fn compared(program: fn(u64) -> String, pipelines: [&str; 3], seeds: u64, fired: &mut Record) -> u64 {
    let (mut compared, mut optimizer) = (0, Optimizer::new());
    for passes in pipelines {
        let pipeline = Pipeline::parse(passes, Form::Cfg).expect("passes");
        for seed in 1..=seeds {
            let source = program(seed);
            let (module, diagnostics) = text::read(&source);
            assert!(!diagnostics.has_errors(), "{source}");
            let mut after = module.functions.values().next().expect("a function").clone();
            optimizer.run(&pipeline, &mut after, &module.descriptors, fired, Options::QUIET, &mut ());
            compared += compare(&format!("seed {seed}, {passes}"), &source, &module, &after, seed);
        }
    }
    compared
}

#[test]
fn words_that_are_put_together_are_what_they_were() {
    let mut fired = Record::new();
    let pipelines = ["bit-idioms", "intbounds:rewrite:pure:dead:bit-idioms:dead", Pipeline::PROGRAM];
    let compared = compared(program, pipelines, 3000, &mut fired);
    let found = fired.count(Kind::Pass("bit-idioms"));
    assert!(compared > 50_000 && found > 1500, "{compared} compared, {found} found");
}

#[test]
fn memory_that_is_written_in_parts_is_what_it_was() {
    let mut fired = Record::new();
    let pipelines = ["store-merging", "intbounds:rewrite:pure:dead:store-merging:dead", Pipeline::PROGRAM];
    let compared = compared(storing, pipelines, 3000, &mut fired);
    let found = fired.count(Kind::Lemma("store-merging", "store beside store"));
    assert!(compared > 50_000 && found > 1500, "{compared} compared, {found} found");
}

#[test]
fn words_that_wrap_and_are_compared_again_are_what_they_were() {
    let mut fired = Record::new();
    let pipelines =
        ["overflow-idioms:intbounds:rewrite:pure:dead", "jump-threading:overflow-idioms", Pipeline::PROGRAM];
    let compared = compared(narrow, pipelines, 1500, &mut fired);
    let [wraps, threaded] = ["overflow-idioms", "jump-threading"].map(|pass| fired.count(Kind::Pass(pass)));
    assert!(
        compared > 30_000 && wraps > 1000 && threaded > 500,
        "{compared} compared, {wraps} wrap, {threaded} threaded"
    );
}
