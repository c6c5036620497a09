//! Missed patterns for authors of rules: the pairs of operations that remain in optimized programs, with how often they are executed,
//! where they stand, which constants are in them, what is known of their operands, and whether the inner value has other uses.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use planish_base::Id;
use planish_domain::IntFact;
use planish_driver::Executed;
use planish_driver::missed_patterns::{Pair, pairs};
use planish_driver::witness::FactOf;
use planish_ir::loops::Loops;
use planish_ir::{Cfg, Const, Function, Value};

use crate::harvest::frequency;
use crate::places::{Places, add_choices};
use crate::windows::uses;

/// How many choices a line shows, and how many all that is said of a pair.
const SHOWN: usize = 2;
const SHOWN_IN_FULL: usize = 8;

/// Where pairs are collected as functions of a program are optimized.
pub struct Remains {
    executed: BTreeMap<String, Executed>,
    /// What stands in front of places, where there are several programs.
    program: Option<String>,
    /// Whether functions of a name are one function, in several rounds.
    rounds: bool,
    shown: AtomicUsize,
    functions: Mutex<BTreeMap<(String, usize), Remaining>>,
}

/// The pairs that remain, by pattern.
#[derive(Clone, Default, Debug)]
pub struct Remaining {
    operations: u64,
    left_out: u64,
    kinds: BTreeMap<String, Kind>,
}

/// What was seen of a pair.
#[derive(Clone, Default, Debug)]
struct Kind {
    /// Where it stands; it is alone where nothing else uses the inner value.
    at: Places,
    constants: BTreeMap<String, u64>,
    known: BTreeMap<String, u64>,
}

impl Remains {
    /// Of a program, named where there are several, whose functions are shown once or in several `rounds`, and of which it may be
    /// known how often they ran.
    pub fn new(program: Option<String>, rounds: bool, executed: BTreeMap<String, Executed>) -> Remains {
        Remains { executed, program, rounds, shown: AtomicUsize::new(0), functions: Mutex::default() }
    }

    /// Takes note of an optimized function, of whose values something may be known.
    pub fn add(&self, name: &str, f: &Function, fact_of: FactOf<'_>) {
        let number = if self.rounds { 0 } else { self.shown.fetch_add(1, Ordering::Relaxed) };
        let uses = uses(f);
        let cfg = Cfg::new(f);
        let loops = Loops::new(cfg.succs());
        let mut depths = BTreeMap::new();
        for &block in cfg.order() {
            let depth = cfg.number(block).map_or(0, |number| loops.depth(number));
            depths.extend(f.block_insts(block).iter().map(|&inst| (inst, depth)));
        }
        let mut remaining = Remaining::default();
        let mut kinds: BTreeMap<String, Kind> = BTreeMap::new();
        (remaining.operations, remaining.left_out) = pairs(f, fact_of, &mut |pair| {
            let depth = depths.get(&pair.outer).copied().unwrap_or(0);
            let here = f.args(pair.outer).iter().filter(|&&arg| arg == pair.value).count();
            let is_alone = here == uses[pair.value.index()] as usize;
            let weight = frequency(&self.executed, name, depth);
            let seen = Kind {
                at: Places::one(is_alone, weight, self.place(name, f, &pair)),
                constants: one(constants(f, &pair)),
                known: one(known(f, &pair, fact_of)),
            };
            kinds.entry(pair.pattern).or_default().add(&seen);
        });
        remaining.kinds = kinds;
        self.functions.lock().expect("nobody panics").insert((name.to_owned(), number), remaining);
    }

    fn place(&self, name: &str, f: &Function, pair: &Pair) -> String {
        let program = self.program.as_ref().map(|program| format!("{program}: ")).unwrap_or_default();
        match f.inst(pair.outer).location.0 {
            0 => format!("{program}{name}"),
            line => format!("{program}{name}:{line}"),
        }
    }

    /// Adds what was collected.
    pub fn add_to(&self, all: &mut Remaining) {
        for of_function in std::mem::take(&mut *self.functions.lock().expect("nobody panics")).into_values() {
            all.operations += of_function.operations;
            all.left_out += of_function.left_out;
            for (pattern, seen) in &of_function.kinds {
                all.kinds.entry(pattern.clone()).or_default().add(seen);
            }
        }
    }
}

/// A choice that occurs once, if it says anything.
fn one(choice: String) -> BTreeMap<String, u64> {
    (!choice.is_empty()).then_some((choice, 1)).into_iter().collect()
}

/// The constants of a pair, in their order.
fn constants(f: &Function, pair: &Pair) -> String {
    let written = |&value: &Value| match f.constant(value)? {
        Const::Int(number) => Some(number.signed().to_string()),
        Const::Real(number) => Some(format!("{:?}", number.0)),
        Const::Null => Some("null".to_owned()),
        Const::Symbol(..) | Const::Hole => None,
    };
    pair.leaves.iter().filter_map(written).collect::<Vec<_>>().join(", ")
}

/// What is known of the values of a pair, in their order; nothing where nothing is known.
fn known(f: &Function, pair: &Pair, fact_of: FactOf<'_>) -> String {
    let values = pair.leaves.iter().filter(|value| f.constant(**value).is_none());
    let fact = |&value: &Value| fact_of(value).filter(|fact| *fact != IntFact::top(fact.width()));
    let facts: Vec<Option<IntFact>> = values.map(fact).collect();
    if facts.iter().all(Option::is_none) {
        return String::new();
    }
    let shown = |fact: &Option<IntFact>| fact.as_ref().map_or_else(|| "any".to_owned(), IntFact::to_string);
    facts.iter().map(shown).collect::<Vec<_>>().join("; ")
}

impl Kind {
    fn add(&mut self, other: &Kind) {
        self.at.add(&other.at);
        add_choices(&mut self.constants, &other.constants);
        add_choices(&mut self.known, &other.known);
    }

    /// All that is said in a line behind the pattern.
    fn hints(&self) -> String {
        let named = |what: &str, choices: &BTreeMap<String, u64>| match choices.is_empty() {
            true => String::new(),
            false => format!("  {what} {}", frequent(choices, SHOWN)),
        };
        let place = self.at.examples.first().map(String::as_str).unwrap_or_default();
        format!("  in {place}{}{}", named("c =", &self.constants), named("known", &self.known))
    }

    fn in_full(&self, out: &mut String) {
        let mut said = |what: &str, text: String| {
            if !text.is_empty() {
                writeln!(out, "{:27}{what}: {text}", "").expect(NEVER);
            }
        };
        said("at", self.at.examples.join("; "));
        said("constants", frequent(&self.constants, SHOWN_IN_FULL));
        said("known of values", frequent(&self.known, SHOWN_IN_FULL));
    }

    fn json(&self, pattern: &str) -> serde_json::Value {
        let Kind { at: Places { count, alone, weight, examples }, constants, known } = self;
        serde_json::json!({
            "pattern": pattern, "places": count, "alone": alone, "executed": weight, "examples": examples,
            "constants": constants, "known": known,
        })
    }
}

const NEVER: &str = "writing to a string does not fail";

/// The most frequent choices, each with its count if it is not the only one, and that there are more.
fn frequent(choices: &BTreeMap<String, u64>, most: usize) -> String {
    let mut sorted: Vec<(&String, &u64)> = choices.iter().collect();
    sorted.sort_by_key(|&(choice, count)| (Reverse(count), choice));
    let only = sorted.len() == 1;
    let shown = sorted.iter().take(most);
    let mut texts: Vec<String> = shown
        .map(|(choice, count)| if only { format!("({choice})") } else { format!("({choice}) {count} times") })
        .collect();
    if sorted.len() > most {
        texts.push("others".to_owned());
    }
    texts.join(", ")
}

impl Remaining {
    /// The pairs, those first that are executed most.
    fn sorted(&self) -> Vec<(&String, &Kind)> {
        let mut sorted: Vec<(&String, &Kind)> = self.kinds.iter().collect();
        sorted.sort_by_key(|&(pattern, kind)| (Reverse(kind.at.weight), Reverse(kind.at.count), pattern));
        sorted
    }

    /// For people: a line for each of the most frequent pairs, or all that is known of each.
    pub fn table(&self, most: usize, in_full: bool) -> String {
        let pairs: u64 = self.kinds.values().map(|kind| kind.at.count).sum();
        let (kinds, operations, left_out) = (self.kinds.len(), self.operations, self.left_out);
        let mut out = format!("{pairs} pairs of {kinds} kinds remain in {operations} operations");
        if left_out > 0 {
            write!(out, ", and {left_out} of which no rule can make less").expect(NEVER);
        }
        out.push('\n');
        if kinds > 0 {
            out.push_str("executed  places   alone  pair\n");
        }
        for (pattern, kind) in self.sorted().into_iter().take(most) {
            let Places { weight, count, alone, .. } = &kind.at;
            let hints = if in_full { String::new() } else { kind.hints() };
            writeln!(out, "{weight:>8}  {count:>6}  {alone:>6}  {pattern}{hints}").expect(NEVER);
            if in_full {
                kind.in_full(&mut out);
            }
        }
        out
    }

    /// For tools: one object.
    pub fn json(&self, most: usize) -> String {
        let kinds = self.sorted().into_iter().take(most);
        let pairs: Vec<_> = kinds.map(|(pattern, kind)| kind.json(pattern)).collect();
        serde_json::json!({ "operations": self.operations, "left_out": self.left_out, "pairs": pairs })
            .to_string()
    }
}
