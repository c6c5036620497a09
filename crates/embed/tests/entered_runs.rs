//! Loops that bridges enter, run: whoever is optimized, values arrive where they are wanted, and what was told wrongly
//! leaves no trace.

#[path = "entered/machine.rs"]
mod machine;

use planish_base::Id;
use planish_trace::{
    Class, Entry, Field, Mutability, Op, Optimizer, Recorder, Refused, Trace, Type, Value, Words,
};

/// Random numbers, the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// What the traces are about.
struct Vocabulary {
    class: Class,
    field: Field,
    next: Field,
    entry: Entry,
}

/// What a seed makes of traces: kinds that are handed over, in an order of its own. The first word counts down.
fn vocabulary(types: &[Type]) -> (Words, Vocabulary) {
    let mut words = Words::new();
    let class = words.class("box").expect("a new word");
    let field = words.field("value", Type::I64, Mutability::Mutable).expect("a new word");
    let next = words.field("next", Type::Ref, Mutability::Mutable).expect("a new word");
    let entry = words.entry("around", types).expect("a new word");
    (words, Vocabulary { class, field, next, entry })
}

fn types(random: &mut Random) -> Vec<Type> {
    let mut types = vec![Type::I64; 2 + random.below(3)];
    for _ in 0..1 + random.below(2) {
        types.insert(random.below(types.len() + 1), Type::Ref);
    }
    types
}

/// A trace being recorded at random; what is told wrongly on the way is refused.
struct Draft<'a> {
    r: &'a mut Recorder,
    words: &'a Vocabulary,
    types: &'a [Type],
    random: Random,
    /// Whether wrong things are told, which takes nothing from the random numbers of the others.
    wrong: Option<Random>,
    ints: Vec<Value>,
    objects: Vec<Value>,
    exits: u32,
}

impl Draft<'_> {
    fn have(&mut self, values: &[Value], types: impl IntoIterator<Item = Type>) {
        for (&value, ty) in values.iter().zip(types) {
            if ty == Type::Ref { self.objects.push(value) } else { self.ints.push(value) }
        }
    }

    fn of(&mut self, ty: Type) -> Value {
        match ty {
            Type::Ref => self.random.pick(&self.objects),
            _ if self.random.below(4) == 0 => {
                let constant = self.random.below(5) as i64 - 1;
                self.r.int(constant)
            }
            _ => self.random.pick(&self.ints),
        }
    }

    /// What the entry takes, a small number in front of all other words.
    fn state(&mut self, counter: Value) -> Vec<Value> {
        let types = self.types;
        let mut counter = Some(counter);
        let state = types.iter().map(|&ty| match ty {
            Type::Ref => self.of(ty),
            _ => counter.take().unwrap_or_else(|| self.of(ty)),
        });
        state.collect()
    }

    fn steps(&mut self) -> Result<(), Refused> {
        for _ in 0..self.random.below(9) {
            self.tell_wrongly();
            let (a, b) = (self.of(Type::I64), self.of(Type::I64));
            let object = self.of(Type::Ref);
            match self.random.below(8) {
                0..=2 => {
                    let op = self.random.pick(&[Op::Add, Op::Sub, Op::Mul, Op::And, Op::Xor, Op::Lt, Op::Eq]);
                    let result = self.r.op(op, &[a, b])?;
                    self.ints.push(result);
                }
                3 => {
                    let made = self.r.new_object(self.words.class)?;
                    self.r.set(self.words.field, made, a)?;
                    self.r.set(self.words.next, made, object)?;
                    self.objects.push(made);
                }
                4 => self.r.set(self.words.field, object, a)?,
                5 | 6 => {
                    let value = self.r.get(self.words.field, object)?;
                    self.ints.push(value);
                }
                _ => {
                    let condition = self.r.op(Op::Lt, &[a, b])?;
                    let live = [self.of(Type::I64), self.of(Type::Ref), self.of(Type::I64)];
                    self.r.guard(Op::GuardFalse, &[condition], self.exits, &live)?;
                    self.exits += 1;
                }
            }
        }
        self.tell_wrongly();
        Ok(())
    }

    /// Tries what does not fit: nothing of it stays.
    fn tell_wrongly(&mut self) {
        let Some(random) = &mut self.wrong else { return };
        let (r, entry, types) = (&mut *self.r, self.words.entry, self.types);
        let before = r.len();
        let mut state: Vec<Value> = Vec::new();
        for &ty in types {
            state.push(if ty == Type::Ref { random.pick(&self.objects) } else { random.pick(&self.ints) });
        }
        match random.below(4) {
            0 => state.truncate(random.below(state.len())),
            1 => state.push(state[0]),
            2 => {
                let at = random.below(state.len());
                state[at] = random.pick(if types[at] == Type::Ref { &self.ints } else { &self.objects });
            }
            _ => {
                let at = random.below(state.len());
                state[at] = Value::from_index(1_000_000);
            }
        }
        r.enter(entry, &state).map(drop).expect_err("what does not fit");
        let again = r.begin_entered_loop(entry, &state).map(|_| ());
        again.expect_err("what does not fit");
        r.close_loop(&state).map(drop).expect_err("what does not fit");
        assert!(r.is_recording());
        assert_eq!(r.len(), before);
    }
}

/// What seed and vocabulary make of a recorder.
fn draft<'a>(
    r: &'a mut Recorder,
    (words, types): (&'a Vocabulary, &'a [Type]),
    seed: u64,
    wrong: bool,
) -> Result<Draft<'a>, Refused> {
    let inputs = [Type::I64, Type::Ref, Type::I64];
    let values = r.begin("trace", &inputs)?.to_vec();
    let wrong = wrong.then_some(Random(seed ^ 0x55));
    let mut draft = Draft {
        r,
        words,
        types,
        random: Random(seed),
        wrong,
        ints: Vec::new(),
        objects: Vec::new(),
        exits: 10 * (seed % 7) as u32,
    };
    draft.have(&values, inputs);
    draft.steps()?;
    Ok(draft)
}

fn record_loop(mut draft: Draft<'_>) -> Result<Trace, Refused> {
    let three = draft.r.int(3);
    let state = draft.state(three);
    let params = draft.r.begin_entered_loop(draft.words.entry, &state)?.to_vec();
    // What was before is not there any more.
    draft.ints.clear();
    draft.objects.clear();
    let types = draft.types;
    draft.have(&params, types.iter().copied());
    let counter = draft.ints[0];
    let zero = draft.r.int(0);
    let goes_on = draft.r.op(Op::Gt, &[counter, zero])?;
    let live: Vec<Value> = params.iter().rev().copied().collect();
    draft.r.guard(Op::GuardTrue, &[goes_on], 99, &live)?;
    let one = draft.r.int(1);
    let counter = draft.r.op(Op::Sub, &[counter, one])?;
    draft.steps()?;
    let state = draft.state(counter);
    draft.r.close_loop(&state)
}

fn record_bridge(mut draft: Draft<'_>) -> Result<Trace, Refused> {
    let (word, three) = (draft.of(Type::I64), draft.r.int(3));
    let counter = draft.r.op(Op::And, &[word, three])?;
    let state = draft.state(counter);
    draft.r.enter(draft.words.entry, &state)
}

/// Ways to a trace: passes while it is recorded, or behind that.
const WAYS: [(&str, &str); 5] = [
    ("", ""),
    (Recorder::STREAMING, ""),
    ("", "intbounds:rewrite:virtualize:string:pure:heap:dead"),
    ("", "intbounds:rewrite:virtualize:string:pure:heap:dead:peel"),
    ("", "pure:dead"),
];

fn made(
    (streaming, passes): (&str, &str),
    types: &[Type],
    record: impl FnOnce(&mut Recorder, &Vocabulary) -> Result<Trace, Refused>,
) -> Option<(Trace, String)> {
    let (words, vocabulary) = vocabulary(types);
    let mut r = match streaming {
        "" => Recorder::new(words),
        passes => Recorder::optimizing(words, passes).expect("these are passes"),
    };
    let mut trace = match record(&mut r, &vocabulary) {
        Ok(trace) => trace,
        Err(Refused::Invalid(_)) => return None,
        Err(why) => panic!("{why}"),
    };
    if !passes.is_empty() {
        let mut optimizer = Optimizer::with_passes(passes).expect("these are passes");
        optimizer.optimize(&mut trace, r.words()).ok()?;
    }
    let text = trace.text(r.words());
    assert_eq!(trace.violations(), Vec::<String>::new(), "{text}");
    Some((trace, text))
}

/// S4.4, S4.7: a loop and a bridge that enters it do what they were recorded to do, whichever of both is optimized.
#[test]
fn a_loop_and_its_bridge_agree_however_they_are_optimized() {
    let mut entered = 0;
    for seed in 0..400 {
        let types = types(&mut Random(seed * 77));
        let loop_ = |way: (&str, &str)| {
            made(way, &types, |r, words| record_loop(draft(r, (words, &types), seed, false)?))
        };
        let bridge = |way: (&str, &str)| {
            made(way, &types, |r, words| record_bridge(draft(r, (words, &types), seed + 1_000, false)?))
        };
        let (loops, bridges) = (WAYS.map(loop_), WAYS.map(bridge));
        let (Some(plain_loop), Some(plain_bridge)) = (&loops[0], &bridges[0]) else {
            unreachable!("no passes")
        };
        let field = vocabulary(&types).1.field.descr().index();
        for inputs in [[0, 0], [5, 2], [-3, 9]] {
            let ran = |bridge: &Trace, loop_: &Trace| machine::run(bridge, loop_, &inputs, 4, field);
            let expected = [ran(&plain_bridge.0, &plain_loop.0), ran(&plain_loop.0, &plain_loop.0)];
            entered += usize::from(expected[0].as_ref().is_some_and(|left| left.number == 99));
            for (loop_, text) in loops.iter().flatten() {
                for (bridge, shown) in bridges.iter().flatten() {
                    assert_eq!(ran(bridge, loop_), expected[0], "seed {seed}, {inputs:?}\n{shown}\n{text}");
                }
                assert_eq!(ran(loop_, loop_), expected[1], "seed {seed}, {inputs:?}\n{text}");
            }
        }
    }
    assert!(entered > 100, "of 1,200 bridges {entered} come to the end of the loop");
}

/// S4.4: what is told wrongly on the way changes nothing, whichever recorder it is told.
#[test]
fn what_does_not_fit_an_entry_leaves_the_trace_as_it_was() {
    for seed in 0..200 {
        let types = types(&mut Random(seed * 99));
        for way in WAYS {
            let text = |wrong: bool| {
                let record = |r: &mut Recorder, words: &Vocabulary| {
                    let draft = draft(r, (words, &types), seed, wrong)?;
                    if seed % 2 == 0 { record_loop(draft) } else { record_bridge(draft) }
                };
                made(way, &types, record).map(|(_, text)| text)
            };
            assert_eq!(text(true), text(false), "seed {seed}, {way:?}");
        }
    }
}
