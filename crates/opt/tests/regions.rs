//! Random functions of loops, branches and joins, calls, handlers and early returns, whose values are used in one arm, in several, behind
//! the join or by a handler: with `region-sinking` they do what they did, and execute no more.

use planish_base::SourceText;
use planish_interp::{End, Limits, Program, Scenario, Subject, Val, Validation, run, validate};
use planish_ir::{Form, Function, Module, text, verify};
use planish_opt::{Kind, Optimizer, Options, Pipeline, Record};

use crate::common::rng::Random;

const DECLARED: &str = "callee @use\ncallee @pure elidable reads () writes ()\ncallee @raise raises\n";

/// Writes a function of bytes.
struct Writer {
    random: Random,
    lines: Vec<String>,
    names: usize,
    /// The values that may be used here, and those that were made last.
    values: Vec<String>,
    handlers: Vec<String>,
}

impl Writer {
    fn name(&mut self, letter: char) -> String {
        self.names += 1;
        format!("{letter}{}", self.names)
    }

    fn line(&mut self, line: String) {
        self.lines.push(format!("    {line}"));
    }

    fn begin(&mut self, block: &str) {
        self.lines.push(format!("{block}:"));
    }

    /// A value, mostly one of the last.
    fn value(&mut self) -> String {
        let count = self.values.len();
        let last = if self.random.below(3) == 0 { count } else { count.min(4) };
        self.values[count - 1 - self.random.below(last)].clone()
    }

    fn computes(&mut self) {
        let (x, y, to) = (self.value(), self.value(), self.name('v'));
        let op = ["add", "sub", "xor", "mul", "and"][self.random.below(5)];
        self.line(format!("{to} = {op}({x}, {y})"));
        self.values.push(to);
    }

    /// What is done at one place, in a nest of some depth.
    fn statement(&mut self, depth: usize) {
        match self.random.below(16) {
            0 => {
                let value = self.value();
                self.line(format!("call({value}) @use"));
            }
            1 => {
                let (value, to) = (self.value(), self.name('v'));
                self.line(format!("{to}: i8 = call({value}) @pure"));
                self.values.push(to);
            }
            2 => self.raises(),
            3 => {
                let (x, y, to) = (self.value(), self.value(), self.name('v'));
                self.line(format!("{to} = sdiv({x}, {y})"));
                self.values.push(to);
            }
            4..=8 if depth < 3 => self.branch(depth),
            9..=12 if depth < 2 => self.goes_round(depth),
            13 if depth == 0 => self.returns(),
            _ => self.computes(),
        }
    }

    /// A call with a handler, which knows what is known where the block of the call begins.
    fn raises(&mut self) {
        let (value, used, passed) = (self.value(), self.value(), self.value());
        let [before, on, handler, caught, got] = ['b', 'b', 'h', 'r', 'v'].map(|letter| self.name(letter));
        self.line(format!("jump {before}"));
        self.begin(&before);
        self.line(format!("call({value}) @raise else to({passed}) [*: {handler}]"));
        self.handlers.push(format!(
            "{handler}({caught}: ref, {got}: i8):\n    w{got} = xor({got}, {used})\n    return w{got}"
        ));
        self.line(format!("jump {on}"));
        self.begin(&on);
    }

    fn returns(&mut self) {
        let (of, value, leaves, on) = (self.value(), self.value(), self.name('b'), self.name('b'));
        self.line(format!("branch {of}, {leaves}, {on}"));
        self.begin(&leaves);
        if self.random.below(2) == 0 {
            self.computes();
            let more = self.values.pop().expect("one was made");
            self.line(format!("return {more}"));
        } else {
            self.line(format!("return {value}"));
        }
        self.begin(&on);
    }

    /// Two or three arms that meet.
    fn branch(&mut self, depth: usize) {
        let (of, join, result) = (self.value(), self.name('b'), self.name('v'));
        let known = self.values.len();
        let arms: Vec<String> = (0..2 + self.random.below(2)).map(|_| self.name('b')).collect();
        match arms.as_slice() {
            [one, other] if self.random.below(3) > 0 => self.line(format!("branch {of}, {one}, {other}")),
            [one, rest @ ..] => {
                let last = rest.last().expect("two arms at least").clone();
                self.line(format!("switch {of} [0: {one}, 1: {}], {last}", rest[0]));
            }
            [] => unreachable!("there are arms"),
        }
        for arm in arms {
            self.begin(&arm);
            (0..self.random.below(3)).for_each(|_| self.statement(depth + 1));
            let value = self.value();
            self.line(format!("jump {join}({value})"));
            self.values.truncate(known);
        }
        self.begin(&format!("{join}({result}: i8)"));
        self.values.push(result);
    }

    /// A loop of few rounds, left at its end or in the middle as well.
    fn goes_round(&mut self, depth: usize) {
        let [header, body, behind] = ['l', 'b', 'b'].map(|letter| self.name(letter));
        let [counter, carried, next, test, result] =
            ['i', 'c', 'i', 't', 'v'].map(|letter| self.name(letter));
        let (start, bound) = (self.value(), self.random.below(5));
        let known = self.values.len();
        self.line(format!("jump {header}(0, {start})"));
        self.begin(&format!("{header}({counter}: i8, {carried}: i8)"));
        self.values.extend([counter.clone(), carried]);
        let at_start = self.random.below(2) == 0;
        if at_start {
            self.line(format!("{test}: i1 = lt({counter}, {bound})"));
            let value = self.value();
            self.line(format!("branch {test}, {body}, {behind}({value})"));
            self.begin(&body);
        }
        (0..1 + self.random.below(3)).for_each(|_| self.statement(depth + 1));
        if self.random.below(4) == 0 {
            let (of, value, on) = (self.value(), self.value(), self.name('b'));
            self.line(format!("branch {of}, {on}, {behind}({value})"));
            self.begin(&on);
        }
        self.computes();
        let value = self.value();
        self.line(format!("{next} = add({counter}, 1)"));
        if at_start {
            self.line(format!("jump {header}({next}, {value})"));
        } else {
            let test = self.name('t');
            let left = self.value();
            self.line(format!("{test}: i1 = lt({next}, {bound})"));
            self.line(format!("branch {test}, {header}({next}, {value}), {behind}({left})"));
        }
        self.values.truncate(known);
        self.begin(&format!("{behind}({result}: i8)"));
        self.values.push(result);
    }
}

fn program(seed: u64) -> String {
    let values = vec!["p".to_owned(), "q".to_owned(), "r".to_owned()];
    let random = Random::new(seed);
    let mut w = Writer { random, lines: Vec::new(), names: 0, values, handlers: Vec::new() };
    for _ in 0..3 + w.random.below(6) {
        w.statement(0);
    }
    let value = w.value();
    w.line(format!("return {value}"));
    let mut lines = w.lines;
    lines.extend(w.handlers);
    format!("{DECLARED}func f(p: i8, q: i8, r: i8) -> i8 {{\ne:\n{}\n}}\n", lines.join("\n"))
}

/// Runs both, and holds how much each executes against the other. Whether the second one executes less.
fn executes_no_more(module: &Module, [before, after]: [&Function; 2], seed: u64, source: &str) -> bool {
    let program = Program::of(module);
    let limits = Limits { fuel: 4000, ..Limits::default() };
    let mut less = false;
    for number in 0..6 {
        let scenario = Scenario::new(seed * 8 + number);
        let types: Vec<_> = before.params().iter().map(|&param| before.ty(param)).collect();
        let args: Vec<Val> = scenario.arguments(&types);
        let [old, new] = [before, after].map(|f| run(&program, f, &args, &scenario, limits));
        if matches!(old.end, End::Return(_)) {
            let [old, new] = [old, new].map(|run| (run.counts.total(), run.counts.branches));
            assert!(new.0 <= old.0 && new.1 <= old.1, "seed {seed}: {old:?} became {new:?}\n{source}");
            less |= new != old;
        }
    }
    less
}

/// S3.11: whatever is around it, what one arm needs is computed there and nowhere else, and all else is as it was.
#[test]
fn regions_that_sank_leave_what_they_left_and_nothing_executes_more() {
    let (mut optimizer, mut fired, mut compared, mut less) = (Optimizer::new(), Record::new(), 0, 0);
    let count = std::env::var("PLANISH_RANDOM").map_or(500, |text| text.parse().expect("a number"));
    for (passes, share) in [
        ("region-sinking", 1),
        ("dead:simplify-cfg:gcm:region-sinking:gcm:simplify-cfg", 2),
        (Pipeline::PROGRAM, 6),
    ] {
        let pipeline = Pipeline::parse(passes, Form::Cfg).expect("passes");
        for seed in 1..=count / share {
            let source = program(seed);
            let (module, diagnostics) = text::read(&source);
            assert!(
                !diagnostics.has_errors(),
                "{}",
                diagnostics.render(&SourceText::new("random.ssa", &*source))
            );
            let before = module.functions.values().next().expect("a function");
            let mut after = before.clone();
            optimizer.run(&pipeline, &mut after, &module.descriptors, &mut fired, Options::QUIET, &mut ());
            assert_eq!(verify(&after, Form::Cfg), [], "seed {seed}, {passes}\n{source}");
            let program = Program::of(&module);
            let subject = |function| Subject { program: &program, function };
            match validate(subject(before), subject(&after), seed, 6, Limits::default()) {
                Validation::Tested { compared: more, .. } => compared += more,
                Validation::Signature => panic!("seed {seed}: another signature"),
                Validation::Different(found) => {
                    panic!("seed {seed}, {passes}: {}\n{source}", found.difference)
                }
            }
            if share == 1 {
                less += u32::from(executes_no_more(&module, [before, &after], seed, &source));
            }
        }
    }
    let moved = fired.count(Kind::Pass("region-sinking"));
    assert!(
        compared > 4 * count && moved > count / 4 && u64::from(less) > count / 20,
        "{compared} compared, {moved} moved, {less} execute less"
    );
}
