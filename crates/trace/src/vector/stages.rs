//! The stages of vectorization that a file asks for: `#! step NAME(ARGUMENTS)`.
//!
//! | stage | what it does |
//! |---|---|
//! | `earlyexit()` | moves guards to the front |
//! | `vectoroptimizer_unrolled(N)` | and repeats the body `N` times more; without a number until a register is full |
//! | `init_packset(N)`, `extend_packset(N)`, `combine_packset(N)` | the same: packs show nothing of themselves |
//! | `schedule(N)` | and turns packs into operations on vectors |
//! | `vectorize(N)` | and strengthens guards and orders the loop once more |
//! | `schedule([pack(A, B), ...])` | turns the operations from `A` up to `B` into one on vectors, nothing else |
//! | `optguards(USER)` | strengthens guards only; `True` also compares bounds before the loop |

use std::fmt;

use super::graph::Graph;
use super::packs::{self, Pack};
use super::schedule::Scheduler;
use super::shape::{self, Item, REGISTER};
use super::{Loop, Refused, guards, hoist, refused, repeat};
use crate::text::{Text, Texts, Trace};

/// Bodies are not repeated more often: there are 16 of the smallest items in a register.
const MOST_TIMES: usize = 64;

/// One stage.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Guards that depend on arithmetic alone come first.
    Hoist,
    /// And the body is repeated; so often that a register is full, if nothing is said.
    Unroll(Option<usize>),
    /// And packs become operations on vectors.
    Schedule(Option<usize>),
    /// And guards are strengthened.
    Vectorize(Option<usize>),
    /// Given ranges of operations become operations on vectors.
    Packs {
        /// From which operation to before which.
        packs: Vec<(usize, usize)>,
        /// Whether what is made before the loop is written.
        invariant: bool,
        /// Whether lanes of less than four bytes may change their width.
        narrow: bool,
    },
    /// Guards are strengthened, and nothing else.
    Guards {
        /// Whether bounds are compared before the loop.
        bounds: bool,
    },
    /// Nothing.
    Show,
}

/// A `#! step` line names a stage that there is not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownStage {
    /// What stands behind `step`.
    pub text: String,
}

impl fmt::Display for UnknownStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no stage `{}`", self.text)
    }
}

impl std::error::Error for UnknownStage {}

impl Stage {
    /// The stage that a `#! step` line names by what stands behind `step`.
    pub fn parse(text: &str) -> Result<Stage, UnknownStage> {
        let unknown = || UnknownStage { text: text.to_owned() };
        let (name, rest) = text.trim().split_once('(').ok_or_else(unknown)?;
        let arguments = rest.strip_suffix(')').ok_or_else(unknown)?.trim();
        let count = || match arguments.strip_prefix("unroll_factor=").unwrap_or(arguments).trim() {
            "" | "-1" => Ok(None),
            number => match number.parse() {
                Ok(times) if times <= MOST_TIMES => Ok(Some(times)),
                _ => Err(unknown()),
            },
        };
        let none = |stage: Stage| if arguments.is_empty() { Ok(stage) } else { Err(unknown()) };
        Ok(match name {
            "debug_print_operations" => none(Stage::Show)?,
            "earlyexit" => none(Stage::Hoist)?,
            "vectoroptimizer_unrolled" | "init_packset" | "extend_packset" | "combine_packset" => {
                Stage::Unroll(count()?)
            }
            "schedule" if arguments.starts_with('[') => Stage::packs(arguments).ok_or_else(unknown)?,
            "schedule" => Stage::Schedule(count()?),
            "vectorize" => Stage::Vectorize(count()?),
            "optguards" => match arguments {
                "" | "False" => Stage::Guards { bounds: false },
                "True" => Stage::Guards { bounds: true },
                _ => return Err(unknown()),
            },
            _ => return Err(unknown()),
        })
    }

    /// `[pack(0, 2), pack(2, 4)], prepend_invariant=True, overwrite_funcs={'_prevent_signext': function}`
    fn packs(text: &str) -> Option<Stage> {
        let (list, options) = text.strip_prefix('[')?.split_once(']')?;
        let (mut invariant, mut narrow) = (false, false);
        for option in options.split(',').map(str::trim).filter(|option| !option.is_empty()) {
            match option.split_once('=')? {
                ("prepend_invariant", "True") => invariant = true,
                ("prepend_invariant", "False") => {}
                ("overwrite_funcs", functions) if functions.starts_with("{'_prevent_signext'") => {
                    narrow = true
                }
                _ => return None,
            }
        }
        Some(Stage::Packs { packs: ranges(list)?, invariant, narrow })
    }
}

/// `pack(0, 2), pack(2, 4)`
fn ranges(text: &str) -> Option<Vec<(usize, usize)>> {
    let mut ranges = Vec::new();
    let mut parts = text.split("pack(");
    if parts.next().is_some_and(|ahead| !ahead.trim().is_empty()) {
        return None;
    }
    for pack in parts {
        let (inner, behind) = pack.split_once(')')?;
        if !matches!(behind.trim(), "" | ",") {
            return None;
        }
        let (from, to) = inner.split_once(',')?;
        let (from, to) = (from.trim().parse().ok()?, to.trim().parse().ok()?);
        ranges.push((from, to));
    }
    ranges.iter().all(|(from, to)| from < to).then_some(ranges)
}

/// Puts a trace through a stage. `item` says what the arrays hold whose descriptors are spelled so. What cannot
/// be done is a refusal; the trace is as it was then.
pub fn run(
    trace: &Trace,
    stage: &Stage,
    texts: &mut Texts,
    item: &dyn Fn(Text) -> Option<Item>,
) -> Result<Trace, Refused> {
    if *stage == Stage::Show {
        return Ok(trace.clone());
    }
    let mut loop_ = Loop::of(trace, texts, item)?;
    match *stage {
        Stage::Show => {}
        Stage::Hoist => hoist::hoist(&mut loop_, texts, item)?,
        Stage::Unroll(times) => unroll(&mut loop_, times, texts, item)?,
        Stage::Schedule(times) => {
            unroll(&mut loop_, times, texts, item)?;
            vectors(&mut loop_, texts, item)?;
        }
        Stage::Vectorize(times) => {
            unroll(&mut loop_, times, texts, item)?;
            let (savings, graph) = vectors(&mut loop_, texts, item)?;
            if savings < 0 {
                return refused("vectors cost more than they save");
            }
            guards::strengthen(&mut loop_, &graph.indices, false);
            let graph = Graph::new(&loop_, item)?;
            Scheduler::new(&mut loop_, graph, Vec::new(), texts, item, false).run()?;
        }
        Stage::Packs { ref packs, invariant, narrow } => {
            let count = loop_.ops.len();
            if packs.iter().any(|&(_, to)| to > count) {
                return refused("a pack goes behind the end of the loop");
            }
            let graph = Graph::new(&loop_, item)?;
            let packs = packs.iter().map(|&(from, to)| Pack::of((from..to).collect(), true)).collect();
            let packs = packs::divide(packs, &loop_, item);
            Scheduler::new(&mut loop_, graph, packs, texts, item, narrow).run()?;
            // The loop is shown, and not entered.
            if let Some(carried) = loop_.carried.take() {
                loop_.jump.args.truncate(loop_.jump.args.len() - carried.len());
            }
            if !invariant {
                loop_.prefix.clear();
            }
        }
        Stage::Guards { bounds } => {
            let graph = Graph::new(&loop_, item)?;
            guards::strengthen(&mut loop_, &graph.indices, bounds);
        }
    }
    Ok(loop_.trace(trace))
}

/// Moves guards to the front and repeats the body.
fn unroll(
    loop_: &mut Loop,
    times: Option<usize>,
    texts: &mut Texts,
    item: &dyn Fn(Text) -> Option<Item>,
) -> Result<(), Refused> {
    let items = loop_.ops.iter().filter(|op| shape::access(op.opcode).is_some()).filter_map(|op| op.descr);
    let smallest = items.filter_map(item).map(|item| usize::from(item.bytes)).min();
    let times = match (times, smallest) {
        (Some(times), _) => times,
        (None, Some(bytes)) => REGISTER / bytes - 1,
        (None, None) => return refused("no array of numbers is accessed"),
    };
    hoist::hoist(loop_, texts, item)?;
    repeat::repeat(loop_, times, item);
    Ok(())
}

/// Turns packs into operations on vectors: what that saves, and what is known of indices.
fn vectors(
    loop_: &mut Loop,
    texts: &mut Texts,
    item: &dyn Fn(Text) -> Option<Item>,
) -> Result<(isize, Graph), Refused> {
    let graph = Graph::new(loop_, item)?;
    let packs = packs::find(loop_, &graph, item)?;
    let mut scheduler = Scheduler::new(loop_, graph, packs, texts, item, false);
    scheduler.run()?;
    let savings = scheduler.savings();
    Ok((savings, scheduler.graph))
}
