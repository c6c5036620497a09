//! Random calls, many of them wrong, to two recorders: one gets all of them, the other those that the first took. If
//! what is refused changes nothing, both give the same numbers and the same traces.

use std::ffi::CString;
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};

use planish_ops::{Op, table};

use super::{recorder, text};
use crate::border::{Out, Status};
use crate::place::Place;
use crate::rng::Random;
use crate::trace::record::*;
use crate::trace::recorder::PlanishRecorder;
use crate::trace::walk::*;
use crate::trace::words::*;

/// What stands in memory that nothing was written to.
const UNTOUCHED: u32 = 0xdead_beef;

/// How many recorders are made unless `PLANISH_ROUNDS` says another number, and how many calls each gets.
const ROUNDS: u64 = 100;
const CALLS: usize = 300;

/// How many functions [`call`] knows.
const FUNCTIONS: u32 = 27;

/// The first of the words, of which [`side`] describes two of a kind, that functions from the seventh on take.
const WORDS: [u32; 9] = [0, 4, 2, 2, 4, 4, 4, 6, 0];

/// An array of the caller's; one without memory is null.
#[derive(Debug)]
struct List {
    items: Vec<u32>,
    null: bool,
}

impl List {
    fn pointer(&self) -> *const u32 {
        if self.null { null() } else { self.items.as_ptr() }
    }
}

/// The arguments of a call, of which its function takes those that it has parameters for.
#[derive(Debug)]
struct Arguments {
    function: u32,
    handle: bool,
    name: Option<CString>,
    numbers: [u32; 4],
    list: List,
    live: List,
    ty: Option<u32>,
    /// Which places of results are null.
    nowhere: [bool; 2],
}

/// A recorder, the trace that it gave, and where it is in that.
struct Side {
    recorder: Box<PlanishRecorder>,
    trace: Option<Box<PlanishTrace>>,
    cursor: PlanishCursor,
}

/// What a call wrote.
type Results = [u32; 8];

/// Numbers such as those that a trace has, and others.
struct Numbers {
    random: Random,
    values: u32,
}

impl Numbers {
    fn below(&mut self, bound: u32) -> u32 {
        self.random.below(bound as usize) as u32
    }

    fn rarely(&mut self) -> bool {
        self.below(24) == 0
    }

    fn value(&mut self) -> u32 {
        match self.below(40) {
            0 => u32::MAX,
            1 => self.values + self.below(3),
            2 => self.below(1000),
            _ => self.below(self.values.max(1)),
        }
    }

    /// A number up to a bound, or one too far.
    fn number(&mut self, bound: u32) -> u32 {
        if self.rarely() { bound + self.below(2) * 1000 } else { self.below(bound) }
    }

    fn list(&mut self, count: u32, item: impl Fn(&mut Self) -> u32) -> List {
        List { items: (0..count).map(|_| item(self)).collect(), null: self.rarely() }
    }

    fn arguments(&mut self) -> Arguments {
        // Two of three calls record an operation.
        let function = if self.below(3) > 0 { 3 + self.below(3) } else { self.below(FUNCTIONS) };
        // Behind stand operations on vectors, all of which are refused.
        let op = self.number(Op::Splat as u32);
        let takes = table::ALL.get(op as usize).map_or(2, |op| op.row().operands.len() as u32);
        let count = if self.rarely() { self.below(7) } else { takes };
        let name = match self.below(30) {
            0 => None,
            1 => Some(c"\xc3\x28".to_owned()),
            _ => Some(CString::new(format!("n{}", self.below(60))).expect("no zero")),
        };
        let numbers = match function {
            3..6 => [op, self.number(8), 0, 0],
            24 | 25 => [if self.rarely() { self.number(12) } else { 8 + self.below(2) }, 0, 0, 0],
            6..15 => {
                let words = WORDS[function as usize - 6];
                let word = if self.rarely() { self.number(12) } else { words + self.below(2) };
                [word, self.value(), self.value(), self.value()]
            }
            _ => [self.number(8), self.value(), self.below(2), 0],
        };
        let list = match function {
            0 | 23 => {
                let count = self.below(7);
                self.list(count, |numbers| match numbers.below(3) {
                    0 => numbers.number(8),
                    which => [4, 7][which as usize - 1],
                })
            }
            _ => self.list(count, Self::value),
        };
        let kept = self.below(4);
        Arguments {
            function,
            handle: !self.rarely(),
            name,
            numbers,
            list,
            live: self.list(kept, Self::value),
            ty: (self.below(2) == 0).then(|| self.number(8)),
            nowhere: [self.rarely(), self.rarely()],
        }
    }
}

/// Calls a function and gives what it wrote.
fn call(side: &mut Side, a: &Arguments) -> (Status, Results) {
    let mut memory = Place::of([UNTOUCHED; 8]);
    let start: *mut u32 = memory.0.as_mut_ptr().cast();
    let room = if a.nowhere[0] { null_mut() } else { start };
    let (mut first, mut second) = (Place::of(UNTOUCHED), Place::of(UNTOUCHED));
    let r = a.handle.then_some(&mut *side.recorder);
    let name = a.name.as_ref().map_or(null(), |name| name.as_ptr());
    let (items, count) = (a.list.pointer(), a.list.items.len());
    let [x, y, z, w] = a.numbers;
    let out = first.out(a.nowhere[0]);
    let status = match a.function {
        0 => planish_begin(r, name, items, count, room),
        1 => planish_begin_loop(r, items, count, room),
        2 => planish_int(r, i64::from(y) - 20, out),
        3 => planish_record(r, x, items, count, out),
        4 => planish_record_typed(r, x, items, count, y, out),
        5 => match table::ALL.get(x as usize).is_some_and(|op| op.row().results.len() == 2) {
            true => planish_record_overflowing(r, x, items, count, out, second.out(a.nowhere[1])),
            false => planish_record_guard(r, x, items, count, y, a.live.pointer(), a.live.items.len()),
        },
        6 => planish_new_object(r, x, out),
        7 => planish_new_array(r, x, y, out),
        8 => planish_get_field(r, x, y, out),
        9 => planish_set_field(r, x, y, z),
        10 => planish_get_item(r, x, y, z, out),
        11 => planish_set_item(r, x, y, z, w),
        12 => planish_array_length(r, x, y, out),
        13 => planish_call(r, x, items, count, a.ty.as_ref(), out),
        14 => planish_class_address(r, x, out),
        15 => planish_real(r, f64::from(y) / 2.0, out),
        16 => planish_null(r, out),
        17 => planish_class(r, name, out),
        18 => planish_field(r, name, x, z == 1, out),
        19 => planish_array(r, name, x, out),
        20 => planish_callee(r, name, z == 1, out),
        21 => ended(&mut side.trace, a.nowhere[0], |out| planish_close_loop(r, items, count, out)),
        22 => ended(&mut side.trace, a.nowhere[0], |out| planish_finish(r, items, count, out)),
        23 => planish_entry(r, name, items, count, out),
        24 => planish_begin_entered_loop(r, x, items, count, room),
        25 => ended(&mut side.trace, a.nowhere[0], |out| planish_enter(r, x, items, count, out)),
        _ => planish_recorder_limit(r, u64::from(y)),
    };
    let mut results: Results = memory.read();
    if !matches!(a.function, 0 | 1 | 24) {
        results[..2].copy_from_slice(&[first.read(), second.read()]);
    }
    (status, results)
}

/// Ends a trace; the one before is freed.
fn ended(
    trace: &mut Option<Box<PlanishTrace>>,
    null: bool,
    act: impl FnOnce(Out<'_, Option<Box<PlanishTrace>>>) -> Status,
) -> Status {
    let mut place: MaybeUninit<_> = MaybeUninit::new(None);
    let status = act((!null).then_some(&mut place));
    if status == Status::Ok {
        planish_trace_free(trace.take());
        *trace = Place(place).read();
    }
    status
}

/// Calls what walks over a trace, from anywhere, and gives the statuses.
fn walk(side: &mut Side, n: &mut Numbers) {
    let (mut step, mut is) = (MaybeUninit::uninit(), MaybeUninit::uninit());
    let (mut recipe, mut slots) = (MaybeUninit::uninit(), MaybeUninit::uninit());
    if n.below(8) == 0 {
        side.cursor = PlanishCursor { block: n.number(3), position: n.number(40) };
    }
    let ended = side.trace.is_none();
    let holds = |status: Status, may: &[Status], nowhere: bool| match (ended, nowhere) {
        (true, _) | (_, true) => assert_eq!(status, Status::Null),
        _ => assert!(status == Status::Ok || may.contains(&status), "{status:?}"),
    };
    let nowhere = n.rarely();
    let out = (!nowhere).then_some(&mut step);
    holds(
        planish_trace_step(side.trace.as_deref_mut(), Some(&mut side.cursor), out),
        &[Status::End],
        nowhere,
    );
    let (trace, index) = (side.trace.as_deref(), n.below(4) as usize);
    holds(planish_trace_recipe(trace, index, Some(&mut recipe)), &[Status::End], false);
    holds(planish_trace_state(trace, Some(&mut slots)), &[], false);
    let status = planish_trace_operand(Some(&mut side.recorder), trace, n.value(), Some(&mut is));
    holds(status, &[Status::NoSuchValue], false);
}

fn side() -> Side {
    let mut recorder = recorder();
    for (index, name) in [c"A", c"B", c"f", c"g", c"a", c"b", c"p", c"q", c"e", c"h"].iter().enumerate() {
        let (r, mut word) = (Some(&mut *recorder), MaybeUninit::uninit());
        let out = Some(&mut word);
        let (name, odd) = (name.as_ptr(), index % 2 == 1);
        let status = match index / 2 {
            0 => planish_class(r, name, out),
            1 => planish_field(r, name, if odd { 7 } else { 4 }, odd, out),
            2 => planish_array(r, name, if odd { 6 } else { 4 }, out),
            3 => planish_callee(r, name, odd, out),
            _ => planish_entry(r, name, [4, 7].as_ptr(), if odd { 2 } else { 1 }, out),
        };
        assert_eq!(status, Status::Ok);
    }
    Side { recorder, trace: None, cursor: PlanishCursor::default() }
}

/// How often functions ended in which way.
type Statuses = [[u32; 10]; FUNCTIONS as usize];

fn run(seed: u64, calls: usize, seen: &mut Statuses) {
    let mut n = Numbers { random: Random::new(seed), values: 0 };
    let (mut all, mut taken) = (side(), side());
    for at in 0..calls {
        let arguments = n.arguments();
        let (status, results) = call(&mut all, &arguments);
        assert_ne!(status, Status::Broken, "seed {seed}, call {at}: {arguments:?}");
        seen[arguments.function as usize][status as usize] += 1;
        if matches!(status, Status::Ok | Status::InvalidLoop) {
            let same = call(&mut taken, &arguments);
            assert_eq!(same, (status, results), "seed {seed}, call {at}: {arguments:?}");
        } else {
            assert_eq!(results, [UNTOUCHED; 8], "seed {seed}, call {at}: {arguments:?}");
        }
        let written = results.iter().filter(|&&result| result != UNTOUCHED);
        n.values = match arguments.function {
            0 | 21 | 22 if status == Status::Ok => written.max().map_or(0, |last| last + 1),
            17..=20 => n.values,
            _ => written.fold(n.values, |values, &result| values.max(result + 1)),
        };
        if matches!(arguments.function, 21 | 22) && status == Status::Ok {
            let both = [&all, &taken].map(|side| text(&side.recorder, side.trace.as_ref().expect("a trace")));
            assert_eq!(both[0], both[1], "seed {seed}, call {at}");
            all.cursor = PlanishCursor::default();
            if n.below(2) == 0 {
                for side in [&mut all, &mut taken] {
                    assert_eq!(planish_recycle(Some(&mut side.recorder), side.trace.take()), Status::Ok);
                }
            }
        }
        walk(&mut all, &mut n);
    }
    for side in [all, taken] {
        planish_recorder_free(Some(side.recorder));
        planish_trace_free(side.trace);
    }
}

#[test]
fn what_is_refused_changes_nothing() {
    let mut seen = Statuses::default();
    let rounds = std::env::var("PLANISH_ROUNDS").map_or(ROUNDS, |rounds| rounds.parse().expect("a number"));
    (1..=rounds).for_each(|seed| run(seed, CALLS, &mut seen));
    if rounds < ROUNDS {
        return;
    }
    for (function, seen) in seen.iter().enumerate() {
        assert!(seen[0] > 0, "function {function} never ended well: {seen:?}");
        assert!(seen[1..].iter().any(|&count| count > 0), "function {function} never refused: {seen:?}");
    }
}
