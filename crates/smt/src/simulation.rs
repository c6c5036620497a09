//! Exhaustive simulation: a circuit of few inputs is evaluated at every assignment of them.
//!
//! Each propositional variable is a word whose bits are assignments, so that one machine operation evaluates a gate
//! for 64 of them (parallel-pattern simulation, as test generators and logic synthesis use it). Products, quotients
//! and shifts of bytes, which cost a search a hundred thousand conflicts, are some thousand gates and 2^16 assignments here.
//! What it costs is known before it begins. What it says rests on the gates alone, which are evaluated here in ten lines.

use std::time::Duration;

use planish_base::Id;

use crate::blast::Circuit;
use crate::budget::Budget;
use crate::cnf::Lit;
use crate::gates::Gate;
use crate::query::Query;
use crate::signature::Sort;
use crate::term::{Node, Pool, Term};

/// How many words of assignments are evaluated at once, so that a gate is fetched once for all of them.
const WORDS: usize = 8;

/// A variable at 512 assignments.
type Lanes = [u64; WORDS];

/// Inputs that differ within [`Lanes`]: six within a word, three between words.
const WITHIN: usize = 9;

/// The most inputs that are worth counting through.
const MOST: usize = 26;

/// Word by word the first six inputs, as truth tables list them.
const PATTERNS: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// What a gate costs at one step: [`Lanes`] are read two or three times and written once.
const GATE: Duration = Duration::from_nanos(8);

/// How many steps are made between two looks at the clock.
const BREATH: u64 = 1 << 12;

/// What evaluating every assignment found.
#[derive(Debug, PartialEq, Eq)]
pub enum Simulated {
    /// The first assignment at which all demands hold, by variable.
    Satisfied(Vec<bool>),
    /// They hold at none.
    Never,
    /// There was no time for all.
    OutOfTime,
}

/// Whether a query has too many inputs, which is known before there is a circuit.
pub fn has_many_inputs(pool: &Pool, query: &Query) -> bool {
    let reached = pool.reachable(&query.assertions);
    let variables = (reached.iter().enumerate()).filter(|&(index, &reached)| {
        reached && matches!(pool.node(Term::from_index(index)), Node::Variable(_))
    });
    let bits = variables.map(|(index, _)| match pool.sort(Term::from_index(index)) {
        Sort::Bits(width) => width as usize,
        _ => 1,
    });
    bits.sum::<usize>() > MOST
}

/// What it costs to evaluate a circuit at every assignment; `None` where there are too many.
pub fn cost(circuit: &Circuit) -> Option<Duration> {
    let inputs = circuit.inputs().count();
    let steps = 1u32 << inputs.saturating_sub(WITHIN).min(MOST);
    let gates = u32::try_from(circuit.gates.len() + inputs).ok()?;
    (inputs <= MOST).then(|| GATE.saturating_mul(gates).saturating_mul(steps))
}

/// Evaluates a circuit at every assignment, in the order of binary numbers whose lowest digit is the first input. O(gates · 2^inputs).
pub fn solve(circuit: &Circuit, budget: &mut Budget) -> Simulated {
    let Some(cost) = cost(circuit).filter(|&cost| cost < budget.left()) else { return Simulated::OutOfTime };
    let inputs: Vec<Lit> = circuit.inputs().collect();
    let (within, across) = inputs.split_at(inputs.len().min(WITHIN));
    let mut values = vec![[0; WORDS]; circuit.cnf.variable_count()];
    // The first variable of every circuit is true.
    values[0] = [u64::MAX; WORDS];
    for (index, input) in within.iter().enumerate() {
        values[input.variable() as usize] = pattern(index);
    }
    let steps = 1u64 << across.len();
    for step in 0..steps {
        if step % BREATH == 0 && budget.clock().is_zero() {
            return Simulated::OutOfTime;
        }
        for (index, input) in across.iter().enumerate() {
            values[input.variable() as usize] = [if step >> index & 1 == 1 { u64::MAX } else { 0 }; WORDS];
        }
        if let Some(lane) = first_that_satisfies(circuit, &mut values) {
            let holds = |lanes: &Lanes| lanes[lane / 64] >> (lane % 64) & 1 == 1;
            budget.charge(cost.mul_f64((step + 1) as f64 / steps as f64));
            return Simulated::Satisfied(values.iter().map(holds).collect());
        }
    }
    budget.charge(cost);
    Simulated::Never
}

/// An input that differs within [`Lanes`].
fn pattern(index: usize) -> Lanes {
    match PATTERNS.get(index) {
        Some(&word) => [word; WORDS],
        None => {
            std::array::from_fn(|word| if word >> (index - PATTERNS.len()) & 1 == 1 { u64::MAX } else { 0 })
        }
    }
}

/// Evaluates all gates, and finds the first assignment at which all demands hold.
fn first_that_satisfies(circuit: &Circuit, values: &mut [Lanes]) -> Option<usize> {
    for &(out, gate) in &circuit.gates {
        let of = |lit: Lit| {
            let flip = if lit.is_negated() { u64::MAX } else { 0 };
            values[lit.variable() as usize].map(|word| word ^ flip)
        };
        values[out.variable() as usize] = match gate {
            Gate::And(a, b) => each(of(a), of(b), [0; WORDS], |a, b, _| a & b),
            Gate::Xor(a, b) => each(of(a), of(b), [0; WORDS], |a, b, _| a ^ b),
            Gate::Parity(a, b, c) => each(of(a), of(b), of(c), |a, b, c| a ^ b ^ c),
            Gate::Mux(a, b, c) => each(of(a), of(b), of(c), |a, b, c| (a & b) | (!a & c)),
            Gate::Majority(a, b, c) => each(of(a), of(b), of(c), |a, b, c| (a & b) | (c & (a | b))),
        };
    }
    let mut satisfied = [u64::MAX; WORDS];
    for demand in &circuit.demands {
        let flip = if demand.is_negated() { u64::MAX } else { 0 };
        for (all, word) in satisfied.iter_mut().zip(values[demand.variable() as usize]) {
            *all &= word ^ flip;
        }
    }
    let word = satisfied.iter().position(|&word| word != 0)?;
    Some(64 * word + satisfied[word].trailing_zeros() as usize)
}

/// A gate word by word.
fn each(a: Lanes, b: Lanes, c: Lanes, gate: impl Fn(u64, u64, u64) -> u64) -> Lanes {
    std::array::from_fn(|at| gate(a[at], b[at], c[at]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use planish_ops::Bits as _;

    fn budget() -> Budget {
        Budget::new(Duration::from_secs(100))
    }

    fn circuit(pool: &Pool, claim: Term) -> Circuit {
        let built = Circuit::new(pool, &Query::new(vec![claim]), &mut budget());
        built.unwrap_or_else(|why| panic!("a circuit: {why:?}"))
    }

    /// Each number of inputs around the borders of words, of lanes and of steps, each input at each of its values.
    #[test]
    fn the_one_assignment_that_satisfies_is_found_wherever_it_is() {
        for width in 5..=12 {
            for number in [0, 1, 31, 32, 63, 64, 511, 512, 1000, 2047, 4095].map(|n| n % (1 << width)) {
                let mut pool = Pool::new();
                let x = pool.variable("x", Sort::Bits(width));
                let wanted = pool.word(width, number);
                let claim = pool.eq(x, wanted);
                let circuit = circuit(&pool, claim);
                let Simulated::Satisfied(assignment) = solve(&circuit, &mut budget()) else {
                    panic!("{number} at {width} bits is not found")
                };
                let model = circuit.model(&assignment);
                assert!(model.satisfies(&pool, &Query::new(vec![claim])), "{number} at {width} bits");
            }
        }
    }

    /// Sums, products, quotients and choices have all kinds of gates.
    #[test]
    fn what_holds_at_every_assignment_is_never_refuted_and_what_fails_at_one_is() {
        let mut pool = Pool::new();
        let [x, y] = ["x", "y"].map(|name| pool.variable(name, Sort::Bits(6)));
        let (quotient, remainder, zero) = (pool.udiv(x, y), pool.urem(x, y), pool.word(6, 0));
        let multiple = pool.mul(quotient, y);
        let sum = pool.add(multiple, remainder);
        let less = pool.ult(x, y);
        let chosen = pool.select(less, x, sum);
        let is_law = pool.eq(chosen, x);
        let breaks_law = pool.negate(is_law);
        assert_eq!(solve(&circuit(&pool, breaks_law), &mut budget()), Simulated::Never);
        let is_exact = pool.eq(multiple, x);
        let (inexact, by_zero) = (pool.negate(is_exact), pool.eq(y, zero));
        let claim = pool.both(inexact, by_zero);
        let circuit = circuit(&pool, claim);
        let Simulated::Satisfied(assignment) = solve(&circuit, &mut budget()) else {
            panic!("1 / 0 is inexact")
        };
        assert!(circuit.model(&assignment).satisfies(&pool, &Query::new(vec![claim])));
    }

    #[test]
    fn what_costs_more_than_is_left_is_not_begun() {
        let mut pool = Pool::new();
        let [x, y] = ["x", "y"].map(|name| pool.variable(name, Sort::Bits(13)));
        let product = pool.mul(x, y);
        let claim = pool.ult(product, x);
        let small = circuit(&pool, claim);
        let cost = cost(&small).expect("26 inputs");
        let mut poor = Budget::new(cost / 2);
        assert_eq!(solve(&small, &mut poor), Simulated::OutOfTime);
        assert_eq!(poor.used(), Duration::ZERO);
        let z = pool.variable("z", Sort::Bool);
        let claim = pool.both(claim, z);
        assert!(super::cost(&circuit(&pool, claim)).is_none(), "27 inputs are too many");
    }
}
