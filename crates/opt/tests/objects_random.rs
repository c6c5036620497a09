//! Random functions with objects that may be null, that are chosen, and that have several names: without their
//! allocations they do what they did.

use std::fmt::Write;

use crate::common::rng::Random;
use planish_interp::{Limits, Program, Scenario, Val, run};
use planish_ir::{Form, Module, text, verify_module};
use planish_ops::{Int, Op};
use planish_opt::{Optimizer, Options, Pipeline, Record};

const DECLARED: &str = "class @A\nclass @B\nlocation @x: i64 class 1\nlocation @y: i32 class 2\n\n";

/// A function under construction: what may be used where it is written.
struct Writer {
    random: Random,
    text: String,
    next: u32,
    ints: Vec<String>,
    refs: Vec<String>,
    /// Those of them that are not null.
    objects: Vec<String>,
    /// Whether objects are stored to elsewhere than where they are made.
    may_store: bool,
}

impl Writer {
    fn of(&mut self, from: fn(&Writer) -> &Vec<String>) -> String {
        let count = from(self).len();
        let at = self.random.below(count);
        from(self)[at].clone()
    }

    fn any(&mut self) -> String {
        if self.random.below(6) == 0 { "null".to_owned() } else { self.of(|w| &w.refs) }
    }

    fn object(&mut self) -> String {
        let known = self.random.below(8) > 0 && !self.objects.is_empty();
        if known { self.of(|w| &w.objects) } else { self.of(|w| &w.refs) }
    }

    fn line(&mut self, line: &str) {
        writeln!(self.text, "    {line}").expect("writing to a string does not fail");
    }

    /// An operation that makes a value, whose name this is.
    fn make(&mut self, ty: &str, operation: &str) -> String {
        let name = format!("v{}", self.next);
        self.next += 1;
        self.line(&format!("{name}{ty} = {operation}"));
        name
    }

    fn operation(&mut self) {
        match self.random.below(if self.may_store { 10 } else { 8 }) {
            0 => {
                let class = ["@A", "@B"][self.random.below(2)];
                let new = self.make("", &format!("new() {class}"));
                let value = self.of(|w| &w.ints);
                self.line(&format!("set_field({new}, {value}) @x"));
                self.refs.push(new.clone());
                self.objects.push(new);
            }
            1 | 2 => {
                let object = self.object();
                let loaded = self.make(": i64", &format!("get_field({object}) @x"));
                self.objects.push(object);
                self.ints.push(loaded);
            }
            3 => {
                let condition = self.of(|w| &w.ints);
                let (one, other) = (self.any(), self.any());
                let odd = self.make("", &format!("and({condition}, 1)"));
                let chosen = self.make(": ref", &format!("select({odd}, {one}, {other})"));
                self.refs.push(chosen);
            }
            4 => {
                let op = ["is_null", "is_nonnull"][self.random.below(2)];
                let of = self.of(|w| &w.refs);
                let asked = self.make(": i64", &format!("{op}({of})"));
                self.ints.push(asked);
            }
            5 => {
                let op = ["ref_eq", "ref_ne"][self.random.below(2)];
                let (one, other) = (self.any(), self.of(|w| &w.refs));
                let asked = self.make(": i64", &format!("{op}({one}, {other})"));
                self.ints.push(asked);
            }
            6 => {
                let of = self.object();
                let checked = self.make("", &format!("null_check({of})"));
                self.refs.push(checked.clone());
                self.objects.extend([of, checked]);
            }
            7 => {
                let (one, other) = (self.of(|w| &w.ints), self.of(|w| &w.ints));
                let sum = self.make("", &format!("add({one}, {other})"));
                self.ints.push(sum);
            }
            _ => {
                let (object, value) = (self.object(), self.of(|w| &w.ints));
                self.line(&format!("set_field({object}, {value}) @x"));
                self.objects.push(object);
            }
        }
    }

    fn operations(&mut self, most: usize) {
        for _ in 0..self.random.below(most + 1) {
            self.operation();
        }
    }

    /// Begins a block that only sees what there was at some time, and its own parameters.
    fn block(&mut self, label: &str, seen: &[Vec<String>; 3]) {
        writeln!(self.text, "{label}:").expect("writing to a string does not fail");
        [self.ints, self.refs, self.objects] = seen.clone();
    }

    fn seen(&self) -> [Vec<String>; 3] {
        [self.ints.clone(), self.refs.clone(), self.objects.clone()]
    }
}

/// A loop with two arms in it, around which three references go.
fn function(seed: u64) -> String {
    let mut w = Writer {
        random: Random::new(seed),
        text: format!("{DECLARED}func f(n: i64, m: i64) -> i64 {{\nentry:\n"),
        next: 0,
        ints: vec!["n".into(), "m".into(), "7".into()],
        refs: Vec::new(),
        objects: Vec::new(),
        may_store: !seed.is_multiple_of(4),
    };
    let first = w.make("", "new() @A");
    w.line(&format!("set_field({first}, m) @x"));
    w.refs.push(first.clone());
    w.objects.push(first);
    w.operations(3);
    let [a, b, c] = [(); 3].map(|()| w.any());
    w.line(&format!("jump loop(n, {a}, {b}, {c})"));
    let mut outside = w.seen();
    outside[0].push("i".into());
    outside[1].extend(["p", "q", "r"].map(String::from));
    w.block("loop(i: i64, p: ref, q: ref, r: ref)", &outside);
    w.operations(4);
    let asked = w.of(|w| &w.ints);
    let odd = w.make("", &format!("and({asked}, 1)"));
    w.line(&format!("branch {odd}, left, right"));
    let inside = w.seen();
    for label in ["left", "right"] {
        w.block(label, &inside);
        w.operations(3);
        let [a, b] = [(); 2].map(|()| w.any());
        w.line(&format!("jump latch({a}, {b})"));
    }
    let mut behind = inside;
    behind[1].extend(["s", "t"].map(String::from));
    w.block("latch(s: ref, t: ref)", &behind);
    w.operations(3);
    let less = w.make("", "sub(i, 1)");
    let more = w.make(": i1", &format!("gt({less}, 0)"));
    let [a, b, c, d] = [(); 4].map(|()| w.any());
    w.line(&format!("branch {more}, loop({less}, {a}, {b}, {c}), done({d})"));
    let mut last = w.seen();
    last[1].push("z".into());
    w.block("done(z: ref)", &last);
    w.operations(3);
    let there = w.make(": i64", "is_nonnull(z)");
    w.ints.push(there);
    let mut sum = "m".to_owned();
    for int in w.ints.clone() {
        sum = w.make("", &format!("add({sum}, {int})"));
    }
    w.line(&format!("return {sum}"));
    w.text.push_str("}\n");
    w.text
}

fn allocations(module: &Module) -> usize {
    let functions = module.functions.values();
    functions.flat_map(|f| f.live_insts().filter(|(_, inst)| f.inst(*inst).op == Op::New)).count()
}

#[test]
fn objects_with_several_names_are_their_fields() {
    let mut optimizer = Optimizer::new();
    let (mut gone, mut returned) = (0, 0);
    for passes in ["sroa", Pipeline::PROGRAM] {
        let pipeline = Pipeline::parse(passes, Form::Cfg).expect("a pipeline");
        for seed in 0..if passes == "sroa" { 3_000 } else { 400 } {
            let source = function(seed);
            let (before, diagnostics) = text::read(&source);
            assert!(!diagnostics.has_errors(), "{source}");
            let mut after = before.clone();
            let Module { functions, descriptors, .. } = &mut after;
            for f in functions.values_mut() {
                optimizer.run(&pipeline, f, descriptors, &mut Record::new(), Options::QUIET, &mut ());
            }
            let shown = text::write(&after, text::Options::default());
            assert_eq!(
                verify_module(&after, Form::Cfg),
                Vec::<String>::new(),
                "seed {seed}\n{source}\n{shown}"
            );
            gone += usize::from(allocations(&before) > 0 && allocations(&after) == 0);
            for (n, m) in [(0, 5), (1, 2), (2, 1), (3, 8), (5, 3), (6, 0)] {
                let args = [n, m].map(|number| Val::Int(Int::new(64, number)));
                let ends = [&before, &after].map(|module| {
                    let function = module.functions.values().next().expect("a function");
                    run(&Program::of(module), function, &args, &Scenario::new(0), Limits::default()).end
                });
                assert_eq!(ends[0], ends[1], "seed {seed}, {passes}, n = {n}, m = {m}\n{source}\n{shown}");
                returned += usize::from(matches!(ends[0], planish_interp::End::Return(_)));
            }
        }
    }
    assert!(
        gone > 1_500 && returned > 8_000,
        "{gone} functions lost their objects, {returned} runs returned"
    );
}
