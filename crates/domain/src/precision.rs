//! How much transfer functions lose, against the best that a fact can say.
//!
//! For every fact of 4 bits (3 bits and all three facts for backward ones), the set of results is
//! computed by running the operation on all members; the best fact of that set is what a perfect
//! transfer function would yield. [`Score`] counts how often ours does, and how many members it adds
//! on the whole. The same walk counts results that ours excludes, which must be none.

use std::fmt::Write;

use planish_ops::table::ALL;
use planish_ops::{Datum, Fold, Int, Machine, Op, Type, fold};

use crate::enumerate::{best, facts, mask, words, words_of};
use crate::forward::{self, Shape};
use crate::int_fact::IntFact;
use crate::refine::{Contradiction, backward, backward_exact};
use crate::transfer::{checked, transfer};

/// The width of the facts that forward functions are measured on.
pub const FORWARD_WIDTH: u32 = 4;
/// The width of the facts that backward functions are measured on.
pub const BACKWARD_WIDTH: u32 = 3;

/// How a transfer function fares over all facts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Score {
    /// Which function.
    pub name: String,
    /// How many combinations of facts there are.
    pub cases: u64,
    /// On how many the result is the best fact.
    pub best: u64,
    /// How many members the results have in total.
    pub members: u64,
    /// How many members the best facts have.
    pub best_members: u64,
    /// How many members there would be if nothing was known.
    pub all_members: u64,
    /// How many results are not members although they should be. Always zero.
    pub missed: u64,
}

impl Score {
    fn new(name: String) -> Self {
        Score { name, ..Score::default() }
    }

    /// Counts a fact against the set of words that it has to hold of, `known` of the words being known
    /// beforehand.
    fn count(&mut self, ours: IntFact, wanted: u64, known: u64) {
        let width = ours.width();
        let (ours, best) = (mask(ours), mask(best(width, wanted)));
        self.cases += 1;
        self.best += u64::from(ours == best);
        self.members += u64::from(ours.count_ones());
        self.best_members += u64::from(best.count_ones());
        self.all_members += u64::from(known.count_ones());
        self.missed += u64::from((wanted & !ours).count_ones());
    }

    /// The share of cases in which the result is the best fact, in percent.
    pub fn percent_best(&self) -> f64 {
        100.0 * self.best as f64 / self.cases as f64
    }

    /// Of what could be excluded, the share that is: 100 percent is perfect, 0 is nothing known.
    pub fn percent_excluded(&self) -> f64 {
        let could = self.all_members - self.best_members;
        if could == 0 {
            return 100.0;
        }
        100.0 * (self.all_members - self.members) as f64 / could as f64
    }
}

/// The results of an operation on all words: value and overflow, `None` where it is undefined.
struct Results {
    values: Vec<Option<(u64, bool)>>,
    width: u32,
}

impl Results {
    fn new(op: Op, operands: &[u32], to: u32) -> Self {
        let mut tuples: Vec<Vec<Int>> = vec![vec![]];
        for &width in operands {
            tuples =
                tuples.iter().flat_map(|t| words(width).map(|w| [t.as_slice(), &[w]].concat())).collect();
        }
        let value = |args: &Vec<Int>| {
            let args: Vec<Datum<Machine>> = args.iter().map(|&a| Datum::Word(a)).collect();
            match fold(op, &args, &[Type::Int(to as u8)]).expect("a meaning") {
                Fold::Int(value) => Some((value.unsigned(), false)),
                Fold::Pair(value, flag) => Some((value.unsigned(), flag.is_true())),
                Fold::Undefined => None,
                Fold::Real(_) => unreachable!("integer operations yield integers"),
            }
        };
        Results { values: tuples.iter().map(value).collect(), width: operands[operands.len() - 1] }
    }

    fn unary(&self, x: Int) -> Option<(u64, bool)> {
        self.values[x.unsigned() as usize]
    }

    fn binary(&self, x: Int, y: Int) -> Option<(u64, bool)> {
        self.values[((x.unsigned() << self.width) | y.unsigned()) as usize]
    }
}

/// Every word of a width as a mask.
fn every(width: u32) -> u64 {
    u64::MAX >> (64 - (1 << width))
}

/// The widths of the operand and of the result of a conversion, between a width and half of it.
fn convert_widths(op: Op, width: u32) -> (u32, u32) {
    if op == Op::Trunc { (width, width / 2) } else { (width / 2, width) }
}

/// The scores of forward transfer of an operation: its value; of an operation on two words, its value
/// where the second is a constant, which is the usual case; of one with an overflow bit, its exact value
/// and the bit.
pub fn forward(op: Op, width: u32) -> Vec<Score> {
    let Some(shape) = forward::shape(op) else { return vec![] };
    let ty = |width: u32| Type::Int(width as u8);
    let mut score = Score::new(op.to_string());
    match shape {
        Shape::Unary | Shape::Test | Shape::Convert => {
            let (from, to) = if shape == Shape::Convert { convert_widths(op, width) } else { (width, width) };
            let results = Results::new(op, &[from], to);
            for x in facts(from) {
                let image = words_of(from, mask(x)).filter_map(|w| results.unary(w));
                let wanted = image.fold(0, |set, (value, _)| set | 1 << value);
                score.count(transfer(op, &[x], ty(to)).0, wanted, every(to));
            }
            vec![score]
        }
        Shape::Binary | Shape::Compare => {
            let results = Results::new(op, &[width; 2], width);
            let mut by_constant = Score::new(format!("{op} by a constant"));
            for_pairs(width, |x, y, pairs| {
                let image = pairs.filter_map(|(a, b)| results.binary(a, b));
                let wanted = image.fold(0, |set, (value, _)| set | 1 << value);
                // A division that is never defined may yield anything.
                if wanted != 0 {
                    let ours = transfer(op, &[x, y], ty(width)).0;
                    score.count(ours, wanted, every(width));
                    if y.as_constant().is_some() {
                        by_constant.count(ours, wanted, every(width));
                    }
                }
            });
            if shape == Shape::Binary { vec![score, by_constant] } else { vec![score] }
        }
        Shape::Checked => {
            let results = Results::new(op, &[width; 2], width);
            let mut exact = Score::new(format!("{op}, no overflow"));
            let mut flag = Score::new(format!("{op}, overflow bit"));
            for_pairs(width, |x, y, pairs| {
                let (mut all, mut fitting, mut flags) = (0, 0, 0);
                for (value, overflow) in pairs.filter_map(|(a, b)| results.binary(a, b)) {
                    all |= 1 << value;
                    fitting |= u64::from(!overflow) << value;
                    flags |= 1 << u64::from(overflow);
                }
                let (value, fits, overflow) = checked(op, x, y);
                score.count(value, all, every(width));
                exact.count(fits, fitting, every(width));
                flag.count(IntFact::truth(1, overflow), flags, every(1));
            });
            vec![score, exact, flag]
        }
        Shape::Select => {
            for_pairs(width, |x, y, _| {
                for condition in [IntFact::top(1), IntFact::constant(Int::bit(true))] {
                    let wanted = if condition.is_top() { mask(x) | mask(y) } else { mask(x) };
                    score.count(transfer(op, &[condition, x, y], ty(width)).0, wanted, every(width));
                }
            });
            vec![score]
        }
    }
}

/// Calls `visit` with every pair of facts and the pairs of their members.
fn for_pairs(width: u32, mut visit: impl FnMut(IntFact, IntFact, &mut dyn Iterator<Item = (Int, Int)>)) {
    let facts: Vec<(IntFact, Vec<Int>)> =
        facts(width).into_iter().map(|f| (f, words_of(width, mask(f)).collect())).collect();
    for (x, left) in &facts {
        for (y, right) in &facts {
            let mut pairs = left.iter().flat_map(|&a| right.iter().map(move |&b| (a, b)));
            visit(*x, *y, &mut pairs);
        }
    }
}

/// The scores of backward transfer of an operation: what a fact about the result says of the operands,
/// beyond what was known of them, and what it says where the operation does not overflow.
pub fn backward_scores(op: Op, width: u32) -> Vec<Score> {
    let Some(shape) = forward::shape(op) else { return vec![] };
    let mut score = Score::new(op.to_string());
    let mut exact = Score::new(format!("{op}, no overflow"));
    match shape {
        Shape::Unary | Shape::Convert | Shape::Test => {
            let (from, to) = if shape == Shape::Convert { convert_widths(op, width) } else { (width, width) };
            let results = Results::new(op, &[from], to);
            for r in results_to_try(shape, to) {
                for x in facts(from) {
                    let fits = |w: &Int| results.unary(*w).is_some_and(|(v, _)| mask(r) >> v & 1 == 1);
                    let wanted =
                        words_of(from, mask(x)).filter(fits).fold(0, |set, w| set | 1 << w.unsigned());
                    let mut args = [x];
                    let outcome = backward(op, r, &mut args);
                    count_operands(&mut score, outcome, &args, &[wanted], &[x]);
                }
            }
        }
        Shape::Binary | Shape::Compare | Shape::Checked => {
            let results = Results::new(op, &[width; 2], width);
            for r in results_to_try(shape, width) {
                let allowed = mask(r);
                for_pairs(width, |x, y, pairs| {
                    let (mut wanted, mut fitting) = ([0, 0], [0, 0]);
                    for (a, b) in pairs {
                        let Some((value, overflow)) = results.binary(a, b) else { continue };
                        if allowed >> value & 1 == 1 {
                            wanted[0] |= 1 << a.unsigned();
                            wanted[1] |= 1 << b.unsigned();
                            fitting[0] |= u64::from(!overflow) << a.unsigned();
                            fitting[1] |= u64::from(!overflow) << b.unsigned();
                        }
                    }
                    let mut args = [x, y];
                    let outcome = backward(op, r, &mut args);
                    count_operands(&mut score, outcome, &args, &wanted, &[x, y]);
                    if shape == Shape::Checked {
                        let mut args = [x, y];
                        let outcome = backward_exact(op, r, &mut args);
                        count_operands(&mut exact, outcome, &args, &fitting, &[x, y]);
                    }
                });
            }
        }
        // What a select tells is told by the facts of the taken side alone.
        Shape::Select => return vec![],
    }
    if shape == Shape::Checked { vec![score, exact] } else { vec![score] }
}

/// The facts about a result: of a condition, that it holds and that it does not.
fn results_to_try(shape: Shape, width: u32) -> Vec<IntFact> {
    match shape {
        Shape::Test | Shape::Compare => {
            vec![IntFact::constant(Int::new(width, 1)), IntFact::constant(Int::new(width, 0))]
        }
        _ => facts(width),
    }
}

fn count_operands(
    score: &mut Score,
    outcome: Result<bool, Contradiction>,
    found: &[IntFact],
    wanted: &[u64],
    before: &[IntFact],
) {
    for ((&found, &wanted), &before) in found.iter().zip(wanted).zip(before) {
        let found = if outcome.is_err() { IntFact::bottom(found.width()) } else { found };
        score.count(found, wanted, mask(before));
    }
}

/// The scores of all operations.
pub struct Measured {
    /// Of forward transfer at [`FORWARD_WIDTH`].
    pub forward: Vec<Score>,
    /// Of backward transfer at [`BACKWARD_WIDTH`].
    pub backward: Vec<Score>,
}

/// Measures every operation that has a transfer function.
pub fn measure() -> Measured {
    Measured {
        forward: ALL.iter().flat_map(|&op| forward(op, FORWARD_WIDTH)).collect(),
        backward: ALL.iter().flat_map(|&op| backward_scores(op, BACKWARD_WIDTH)).collect(),
    }
}

impl Measured {
    /// The score with a name.
    pub fn forward_of(&self, name: &str) -> Option<&Score> {
        self.forward.iter().find(|s| s.name == name)
    }

    /// The score with a name.
    pub fn backward_of(&self, name: &str) -> Option<&Score> {
        self.backward.iter().find(|s| s.name == name)
    }

    /// The scores as a page of Markdown.
    pub fn page(&self) -> String {
        let mut page = String::from(
            "# Precision of the abstract domain\n\n\
             Written by `cargo run --release -p planish-domain --example precision > docs/precision.md`.\n\n\
             Measured at every combination of facts of a small width, against the best fact there is for\n\
             the set of actual results. *Best*: the share of combinations on which the transfer function\n\
             yields that fact. *Excluded*: of the words that a perfect function would exclude, the share\n\
             that ours does. No function excludes an actual result.\n",
        );
        section(&mut page, &format!("Forward: facts of {FORWARD_WIDTH} bits"), &self.forward);
        section(&mut page, &format!("Backward: facts of {BACKWARD_WIDTH} bits"), &self.backward);
        page
    }
}

fn section(page: &mut String, title: &str, scores: &[Score]) {
    let _ = write!(
        page,
        "\n## {title}\n\n| operation | combinations | best | excluded |\n|---|---:|---:|---:|\n"
    );
    for s in scores {
        let (best, excluded) = (s.percent_best(), s.percent_excluded());
        let _ = writeln!(page, "| {} | {} | {best:.1} % | {excluded:.1} % |", s.name, s.cases);
    }
}
