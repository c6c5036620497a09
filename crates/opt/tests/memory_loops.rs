//! Random loops over raw memory: what passes over memory make of them behaves as they do, with bases that are the same or lie
//! near each other, accesses of several widths, stores that happen sometimes, calls that look, and nests.

use planish_interp::{Limits, Program, Subject, Validation, validate};
use planish_ir::{Form, Function, Module, text, verify};
use planish_opt::{Chaos, Kind, Optimizer, Options, Pipeline, Record};

const DECLARED: &str = "\
location @w: i32 class 1
location @h: i16 class 1
location @b: i8 class 1
location @s: i32 bits 8 signed class 1
location @other: i32 class 2
location @third: i8 class 4
location @field: i32 class 3
callee @any forces raises invalidates reads * writes *
callee @quiet elidable reads () writes ()
callee @looks reads (1) writes ()
callee @writes_other reads () writes (2)
";

pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 20) % limit as u64) as usize
    }

    pub fn one_of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    fn of(&mut self, items: &[&str]) -> String {
        self.one_of(items).to_owned()
    }
}

/// A program that is written.
struct Writer {
    random: Random,
    text: String,
    next: usize,
    /// Words that can be used where the text is.
    words: Vec<String>,
}

impl Writer {
    fn name(&mut self) -> String {
        self.next += 1;
        format!("t{}", self.next)
    }

    fn line(&mut self, line: &str) {
        self.text += "    ";
        self.text += line;
        self.text.push('\n');
    }

    fn word(&mut self) -> String {
        match self.random.below(4) {
            0 => format!("{}: i32", self.random.below(300)),
            _ => self.words[self.random.below(self.words.len())].clone(),
        }
    }

    /// A base and an offset; `counter` is the one of a loop.
    fn address(&mut self, counter: Option<&str>) -> String {
        let base = self.random.of(&["p", "p", "q", "4096: i64"]);
        let offset = self.random.of(&["0", "0", "4", "8", "2"]);
        let Some(counter) = counter.filter(|_| self.random.below(3) > 0) else {
            return format!("{base}, {offset}");
        };
        match self.random.below(3) {
            0 => format!("{base}, {counter}"),
            _ => {
                let (name, by) = (self.name(), self.random.of(&["4", "4", "8", "-4", "1"]));
                self.line(&format!("{name} = add({counter}, {by})"));
                format!("{base}, {name}")
            }
        }
    }

    /// The same address in memory of another alias class, and rarely where memory of the first one is: runs that get
    /// there mean nothing, unless nobody stores there or a call comes between.
    fn elsewhere(&mut self, address: &str) -> String {
        let (_, offset) = address.split_once(", ").expect("a base and an offset");
        let base = self.random.of(&["8192: i64", "8192: i64", "8192: i64", "8192: i64", "q", "4136: i64"]);
        format!("{base}, {offset}")
    }

    fn load(&mut self, counter: Option<&str>) {
        let (address, result) = (self.address(counter), self.name());
        match self.random.below(8) {
            0 => self.line(&format!("{result}: i32 = raw_load({address}) @s")),
            1 => {
                let address = self.elsewhere(&address);
                match self.random.below(3) {
                    0 => {
                        let narrow = self.name();
                        self.line(&format!("{narrow}: i8 = raw_load({address}) @third"));
                        self.line(&format!("{result}: i32 = sext({narrow})"));
                    }
                    _ => self.line(&format!("{result}: i32 = raw_load({address}) @other")),
                }
            }
            2 => self.line(&format!("{result}: i32 = get_field(object) @field")),
            kind @ 3..=4 => {
                let (narrow, of) = (self.name(), ["h", "b"][kind - 3]);
                let width = [16, 8][kind - 3];
                self.line(&format!("{narrow}: i{width} = raw_load({address}) @{of}"));
                self.line(&format!("{result}: i32 = zext({narrow})"));
            }
            _ => self.line(&format!("{result}: i32 = raw_load({address}) @w")),
        }
        self.words.push(result);
    }

    fn store(&mut self, counter: Option<&str>) {
        let (address, value) = (self.address(counter), self.word());
        match self.random.below(10) {
            8 => {
                let count = self.random.below(4);
                self.line(&format!("raw_fill({address}, {count}, {value}) @w"));
            }
            9 => {
                let (from, count) = (self.address(counter), self.random.of(&["0", "1", "5", "n0"]));
                self.line(&format!("raw_copy({address}, {from}, {count}) @h"));
            }
            0 => {
                let address = self.elsewhere(&address);
                match self.random.below(3) {
                    0 => {
                        let narrow = self.name();
                        self.line(&format!("{narrow}: i8 = trunc({value})"));
                        self.line(&format!("raw_store({address}, {narrow}) @third"));
                    }
                    _ => self.line(&format!("raw_store({address}, {value}) @other")),
                }
            }
            1 => self.line(&format!("set_field(object, {value}) @field")),
            kind @ 2..=3 => {
                let (narrow, of) = (self.name(), ["h", "b"][kind - 2]);
                let width = [16, 8][kind - 2];
                self.line(&format!("{narrow}: i{width} = trunc({value})"));
                self.line(&format!("raw_store({address}, {narrow}) @{of}"));
            }
            _ => self.line(&format!("raw_store({address}, {value}) @w")),
        }
    }

    fn some(&mut self, counter: Option<&str>, count: usize) {
        for _ in 0..count {
            match self.random.below(10) {
                0..=3 => self.load(counter),
                4..=6 => self.store(counter),
                7..=8 => {
                    let (x, y, sum) = (self.word(), self.word(), self.name());
                    let op = self.random.of(&["add", "xor", "mul", "sub"]);
                    let x = if x.ends_with(": i32") { self.words[0].clone() } else { x };
                    self.line(&format!("{sum} = {op}({x}, {y})"));
                    self.words.push(sum);
                }
                _ if self.random.below(3) == 0 => {
                    let callee = self.random.of(&["any", "quiet", "looks", "writes_other"]);
                    self.line(&format!("call(p) @{callee}"));
                }
                _ => {}
            }
        }
    }

    /// Something that happens sometimes.
    fn sometimes(&mut self, counter: &str) {
        let (bit, then, behind) = (self.name(), self.name(), self.name());
        let mask = self.random.of(&["4", "8", "12"]);
        self.line(&format!("{bit} = and({counter}, {mask})"));
        self.line(&format!("branch {bit}, {then}, {behind}"));
        self.text += &format!("{then}:\n");
        let outside = self.words.len();
        self.some(Some(counter), 2);
        self.words.truncate(outside);
        self.line(&format!("jump {behind}"));
        self.text += &format!("{behind}:\n");
    }

    /// A loop, tested at its beginning or its end.
    fn looped(&mut self, depth: usize) {
        let [counter, more, next] = [(); 3].map(|()| self.name());
        let [head, body, behind] = [(); 3].map(|()| self.name());
        let first_word = self.word();
        let (first, word) = (self.random.below(2) == 0, self.name());
        let start = self.random.of(&["0", "0", "4", "8"]);
        let first_word = if first_word.ends_with(": i32") { self.words[0].clone() } else { first_word };
        self.line(&format!("jump {head}({start}, {first_word})"));
        self.text += &format!("{head}({counter}: i64, {word}: i32):\n");
        if first {
            self.line(&format!("{more}: i1 = lt({counter}, n)"));
            self.line(&format!("branch {more}, {body}, {behind}"));
            self.text += &format!("{body}:\n");
        }
        let outside = self.words.len();
        self.words.push(word);
        let count = 1 + self.random.below(6);
        self.some(Some(&counter), count);
        if self.random.below(3) == 0 {
            self.sometimes(&counter);
        }
        if depth > 0 && self.random.below(3) == 0 {
            self.looped(depth - 1);
            self.some(Some(&counter), 2);
        }
        let passed = loop {
            let word = self.word();
            if !word.ends_with(": i32") {
                break word;
            }
        };
        self.line(&format!("{next} = add({counter}, 4)"));
        if first {
            self.line(&format!("jump {head}({next}, {passed})"));
        } else {
            self.line(&format!("{more}: i1 = lt({next}, n)"));
            self.line(&format!("branch {more}, {head}({next}, {passed}), {behind}"));
        }
        self.text += &format!("{behind}:\n");
        self.words.truncate(outside);
    }
}

/// A function with loops, which gives what memory is in the end.
fn program(seed: u64) -> String {
    let random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut w = Writer { random, text: String::new(), next: 0, words: vec!["v3".into()] };
    for (name, of) in [("p", "v0"), ("q", "v1")] {
        w.line(&format!("{name}0 = and({of}, 12)"));
        w.line(&format!("{name} = add({name}0, 4096)"));
    }
    w.line("n0 = and(v2, 7)");
    w.line("n = lshift(n0, 2)");
    let count = w.random.below(4);
    w.some(None, count);
    w.looped(1);
    w.some(None, 2);
    if w.random.below(3) == 0 {
        w.looped(0);
    }
    let mut total = "v3".to_owned();
    for at in 0..16 {
        let (word, product, sum) = (w.name(), w.name(), w.name());
        w.line(&format!("{word}: i32 = raw_load(4092: i64, {}) @w", 4 * at));
        w.line(&format!("{product} = mul({total}, 31)"));
        w.line(&format!("{sum} = add({product}, {word})"));
        total = sum;
    }
    w.line(&format!("return {total}"));
    format!("{DECLARED}func f(v0: i64, v1: i64, v2: i64, v3: i32, object: ref) -> i32 {{\ne:\n{}}}\n", w.text)
}

pub fn read(source: &str) -> Module {
    let (module, diagnostics) = text::read(source);
    assert!(!diagnostics.has_errors(), "{source}{:?}", diagnostics.iter().collect::<Vec<_>>());
    module
}

/// Both functions in worlds of their own, where the first one ends.
pub fn compare(case: &str, source: &str, module: &Module, after: &Function, seed: u64) -> u64 {
    let before = module.functions.values().next().expect("a function");
    assert_eq!(verify(after, Form::Cfg), [], "{case}\n{source}");
    let program = Program::bare(&module.descriptors);
    let limits = Limits { fuel: 20_000, ..Limits::default() };
    let subject = |function| Subject { program: &program, function };
    match validate(subject(before), subject(after), seed, 6, limits) {
        Validation::Tested { compared, .. } => compared,
        Validation::Signature => panic!("{case}: another signature"),
        Validation::Different(found) => {
            let mut changed = module.clone();
            *changed.functions.values_mut().next().expect("a function") = after.clone();
            let after = text::write(&changed, text::Options::default());
            let args: Vec<String> = found.args.iter().map(|&arg| found.source.show(arg)).collect();
            panic!("{case}, on {}: {}\n{source}\n{after}", args.join(", "), found.difference)
        }
    }
}

const PASSES: [&str; 5] = [
    "scalar-promotion",
    "load-elimination:bit-idioms",
    "gvn:loop-rotate:intbounds:rewrite:pure:dead:simplify-cfg:scalar-promotion:load-elimination",
    "scalar-promotion:load-elimination:strength-reduction:scalar-promotion:dead",
    Pipeline::PROGRAM,
];

fn count() -> u64 {
    std::env::var("PLANISH_RANDOM").ok().and_then(|text| text.parse().ok()).unwrap_or(400)
}

#[test]
fn loops_over_memory_behave_as_before() {
    let (mut compared, mut fired) = (0, Record::new());
    let mut optimizer = Optimizer::new();
    for passes in PASSES {
        let pipeline = Pipeline::parse(passes, Form::Cfg).expect("passes");
        for seed in 1..=count() {
            let source = program(seed);
            let module = read(&source);
            let mut after = module.functions.values().next().expect("a function").clone();
            optimizer.run(&pipeline, &mut after, &module.descriptors, &mut fired, Options::QUIET, &mut ());
            compared += compare(&format!("seed {seed}, {passes}"), &source, &module, &after, seed);
        }
    }
    let promoted = fired.count(Kind::Pass("scalar-promotion"));
    assert!(compared > 5 * count() && promoted > count() / 4, "{compared} compared, {promoted} promoted");
}

/// Each amount of fuel gives a right function, and heuristics do not matter.
#[test]
fn fuel_and_chaos_leave_loops_over_memory_right() {
    let mut optimizer = Optimizer::new();
    let pipeline = Pipeline::parse(Pipeline::PROGRAM, Form::Cfg).expect("passes");
    let mut compared = 0;
    for seed in 10_000..10_000 + count() / 4 {
        let source = program(seed);
        let module = read(&source);
        let before = module.functions.values().next().expect("a function");
        for fuel in [0, 3, 11, 29, 60] {
            let mut after = before.clone();
            let mut record = Record::new().with_fuel(fuel);
            optimizer.run(&pipeline, &mut after, &module.descriptors, &mut record, Options::QUIET, &mut ());
            compared += compare(&format!("seed {seed}, fuel {fuel}"), &source, &module, &after, seed);
        }
        let mut after = before.clone();
        let options = Options { chaos: Some(Chaos::new(seed)), ..Options::QUIET };
        optimizer.run(&pipeline, &mut after, &module.descriptors, &mut Record::new(), options, &mut ());
        compared += compare(&format!("seed {seed}, chaos"), &source, &module, &after, seed);
    }
    assert!(compared > count(), "{compared} compared");
}
