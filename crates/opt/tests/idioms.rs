//! Random words that are put together byte by byte, of a word or of memory, in order, in the opposite one, rotated or in any, with
//! mistakes and with stores in between: what `bit-idioms` makes of them is the same.

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

#[test]
fn words_that_are_put_together_are_what_they_were() {
    let (mut compared, mut fired) = (0, Record::new());
    let mut optimizer = Optimizer::new();
    for passes in ["bit-idioms", "intbounds:rewrite:pure:dead:bit-idioms:dead", Pipeline::PROGRAM] {
        let pipeline = Pipeline::parse(passes, Form::Cfg).expect("passes");
        for seed in 1..=3000 {
            let source = program(seed);
            let (module, diagnostics) = text::read(&source);
            assert!(!diagnostics.has_errors(), "{source}");
            let mut after = module.functions.values().next().expect("a function").clone();
            optimizer.run(&pipeline, &mut after, &module.descriptors, &mut fired, Options::QUIET, &mut ());
            compared += compare(&format!("seed {seed}, {passes}"), &source, &module, &after, seed);
        }
    }
    let found = fired.count(Kind::Pass("bit-idioms"));
    assert!(compared > 50_000 && found > 1500, "{compared} compared, {found} found");
}
