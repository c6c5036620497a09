//! The harvest: the windows of all functions of a corpus, and what is left of the part that is held back.
//!
//! Of every five functions one is held back, by a hash of where it stands: nothing is learned from it, and what rules are worth
//! is measured on it. A function that is optimized in several rounds counts as it was shown last.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use planish_driver::Executed;
use planish_driver::witness::FactOf;
use planish_ir::{Function, Value};
use planish_ops::{Effect, Int, Type};

use crate::places::{Places, add_choices};
use crate::term::Term;
use crate::windows::windows;

/// One of so many functions is held back.
const HELD_BACK: u64 = 5;

/// How much more a place in a loop counts than one outside of it, and how many loops count.
const PER_LOOP: u64 = 8;
const LOOPS: u32 = 3;

/// Where functions are collected as they are optimized.
pub struct Harvest {
    /// How many operations a window has at most; no windows are wanted without it.
    size: Option<usize>,
    /// How often functions ran, by name, as far as that is known.
    executed: BTreeMap<String, Executed>,
    program: String,
    /// Whether functions of a name are one function, in several rounds.
    rounds: bool,
    shown: AtomicUsize,
    crops: Mutex<BTreeMap<(String, usize), Crop>>,
}

/// What one function gave.
struct Crop {
    is_held_back: bool,
    left: Left,
    windows: Windows,
}

/// Windows by what they compute.
pub type Windows = BTreeMap<Term, Seen>;

/// What was seen of a window.
#[derive(Clone, Default, Debug)]
pub struct Seen {
    /// Where it stands.
    pub at: Places,
    /// How often its constants are which numbers.
    pub numbers: BTreeMap<Vec<i64>, u64>,
}

impl Seen {
    fn add(&mut self, other: &Seen) {
        self.at.add(&other.at);
        add_choices(&mut self.numbers, &other.numbers);
    }

    /// Its numbers, the most frequent first.
    pub fn frequent_numbers(&self) -> Vec<(&Vec<i64>, u64)> {
        let mut sorted: Vec<_> = self.numbers.iter().map(|(numbers, &count)| (numbers, count)).collect();
        sorted.sort_by_key(|&(numbers, count)| (std::cmp::Reverse(count), numbers));
        sorted
    }
}

/// What is left of functions.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Left {
    /// How many there are.
    pub functions: u64,
    /// Their operations.
    pub operations: u64,
    /// What these cost by the table.
    pub cost: u64,
    /// How many of them are about floats, which windows do not hold.
    pub floats: u64,
    /// How many of them allocate, load or store, which windows do not hold either.
    pub memory: u64,
}

impl Left {
    fn of(f: &Function) -> Left {
        let mut left = Left { functions: 1, ..Left::default() };
        for (_, inst) in f.live_insts() {
            let is_float = |value: &Value| matches!(f.ty(*value), Type::Float(_));
            let row = f.row(inst);
            left.operations += 1;
            left.cost += u64::from(row.cost);
            left.memory += u64::from(matches!(row.effect, Effect::Allocate | Effect::Load | Effect::Store));
            let is_about_floats =
                f.args(inst).iter().any(is_float) || f.results(inst).any(|value| is_float(&value));
            left.floats += u64::from(row.effect == Effect::Pure && is_about_floats);
        }
        left
    }

    fn add(&mut self, other: Left) {
        self.functions += other.functions;
        self.operations += other.operations;
        self.cost += other.cost;
        self.floats += other.floats;
        self.memory += other.memory;
    }
}

/// A corpus: what was learned, and what is left of both parts.
#[derive(Clone, Default, Debug)]
pub struct Corpus {
    /// The windows of the functions that are learned from.
    pub windows: Windows,
    /// What is left of these functions.
    pub learned: Left,
    /// What is left of those that are held back.
    pub held_back: Left,
}

impl Harvest {
    /// Of the functions of a program, which are shown once or in several `rounds`.
    pub fn new(program: &str, rounds: bool, size: Option<usize>) -> Harvest {
        Harvest {
            size,
            executed: BTreeMap::new(),
            program: program.to_owned(),
            rounds,
            shown: AtomicUsize::new(0),
            crops: Mutex::default(),
        }
    }

    /// The same, where it is known how often functions ran.
    #[must_use]
    pub fn executed(self, executed: BTreeMap<String, Executed>) -> Harvest {
        Harvest { executed, ..self }
    }

    /// Takes note of an optimized function, of whose values something may be known.
    pub fn add(&self, name: &str, f: &Function, fact_of: FactOf<'_>) {
        let number = if self.rounds { 0 } else { self.shown.fetch_add(1, Ordering::Relaxed) };
        let is_held_back = hash(&self.program, name).is_multiple_of(HELD_BACK);
        let mut crop = Crop { is_held_back, left: Left::of(f), windows: Windows::new() };
        if let Some(size) = self.size.filter(|_| !is_held_back) {
            let example = format!("{}: {name}", self.program);
            windows(f, fact_of, size, &|loops| frequency(&self.executed, name, loops), &mut |window| {
                let numbers = window.canonical.numbers.iter().map(|number: &Int| number.signed()).collect();
                let at = Places::one(window.is_alone, window.weight, example.clone());
                let seen = Seen { at, numbers: BTreeMap::from([(numbers, 1)]) };
                crop.windows.entry(window.canonical.term).or_default().add(&seen);
            });
        }
        self.crops.lock().expect("nobody panics").insert((name.to_owned(), number), crop);
    }

    /// Whether no function was shown.
    pub fn is_empty(&self) -> bool {
        self.crops.lock().expect("nobody panics").is_empty()
    }

    /// Adds what was collected to a corpus.
    pub fn add_to(&self, corpus: &mut Corpus) {
        for crop in std::mem::take(&mut *self.crops.lock().expect("nobody panics")).into_values() {
            let part = if crop.is_held_back { &mut corpus.held_back } else { &mut corpus.learned };
            part.add(crop.left);
            for (term, seen) in &crop.windows {
                corpus.windows.entry(term.clone()).or_default().add(seen);
            }
        }
    }
}

/// How often an operation of a function is executed that so many loops are around: as it was counted, or as loops let guess.
pub(crate) fn frequency(executed: &BTreeMap<String, Executed>, name: &str, loops: u32) -> u64 {
    match executed.get(name) {
        Some(Executed { entered, around }) => around.filter(|_| loops > 0).unwrap_or(*entered),
        None => PER_LOOP.pow(loops.min(LOOPS)),
    }
}

/// A hash of where a function stands, the same on every machine: FNV-1a.
fn hash(program: &str, name: &str) -> u64 {
    let bytes = program.bytes().chain([0]).chain(name.bytes());
    let hash = bytes
        .fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    // The low bits alone are poor.
    hash ^ (hash >> 32)
}
