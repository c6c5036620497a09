//! Small counterexamples: values a person can check by hand.
//!
//! A solver's model has whatever values its search came by. From one model on, variables are bound one
//! after the other: a word to the smallest absolute value, found by doubling and halving the bound; a float to
//! the first of some plain numbers; a fact to "nothing is known" or else to its value. Each step asks the
//! solver whether a counterexample is left. What need not be undefined is defined. An answer that does not come within the budget leaves the value as it is.

use planish_domain::FactOf;
use planish_ops::{Bits, Datum, FloatFormat, Floats};
use planish_smt::{Budget, Model, Pool, Query, Term, Value, Verdict};

use crate::claim::Claim;
use crate::engine::Engine;

/// Floats that are tried, simplest first.
const PLAIN: [f64; 9] = [0.0, 1.0, -1.0, 2.0, -0.0, 0.5, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];

/// A model of the claim's question that is small; `model` is one that a solver gave.
pub fn minimize(claim: &mut Claim, model: Model, engine: &Engine, budget: &mut Budget) -> Model {
    let inputs: Vec<_> = claim.inputs.iter().flatten().copied().collect();
    let mut search = Search {
        assertions: claim.question.query.assertions.clone(),
        pool: &mut claim.question.pool,
        model,
        engine,
        budget,
    };
    for defined in inputs.iter().filter_map(|input| input.defined) {
        search.demand(defined);
        search.fix(defined);
    }
    for input in &inputs {
        match input.value {
            Datum::Word(word) => search.word(word),
            Datum::Float(float) => search.float(float),
        }
    }
    for input in &inputs {
        if let (Some(fact), Datum::Word(word)) = (input.fact, input.value) {
            search.fact(fact, word);
        }
    }
    search.model
}

struct Search<'a> {
    pool: &'a mut Pool,
    /// What holds of every model from here on.
    assertions: Vec<Term>,
    /// A model of the assertions.
    model: Model,
    engine: &'a Engine,
    budget: &'a mut Budget,
}

impl Search<'_> {
    /// Binds the search to models with `condition`, if there is one.
    fn demand(&mut self, condition: Term) -> bool {
        if self.model.evaluate(self.pool, &[condition])[0].truth() {
            self.assertions.push(condition);
            return true;
        }
        self.assertions.push(condition);
        if !self.budget.is_spent()
            && let Verdict::Sat(model) =
                self.engine.ask(self.pool, &Query::new(self.assertions.clone()), self.budget).verdict
        {
            self.model = model;
            return true;
        }
        self.assertions.pop();
        false
    }

    /// That a word lies from -bound to bound.
    fn within(&mut self, word: Term, bound: u64) -> Term {
        let width = self.pool.width(word);
        let limit = self.pool.word(width, bound);
        let negative = self.pool.neg(limit);
        // A bound of half the range or more, read as signed, would be negative.
        if bound >= 1 << (width - 1) {
            return self.pool.truth(true);
        }
        let (above, below) = (self.pool.sle(negative, word), self.pool.sle(word, limit));
        self.pool.both(above, below)
    }

    fn word(&mut self, word: Term) {
        let width = self.pool.width(word);
        let mut high = 0u64;
        loop {
            let small = self.within(word, high);
            if self.demand(small) || high >= 1 << (width - 1) {
                break;
            }
            high = if high == 0 { 1 } else { high.saturating_mul(2) };
        }
        // Nothing fits half of it; the least bound lies above.
        let mut low = high / 2;
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            let small = self.within(word, middle);
            if self.demand(small) {
                high = middle;
            } else {
                low = middle;
            }
        }
        let zero = self.pool.zero(word);
        let positive = self.pool.sle(zero, word);
        self.demand(positive);
        self.fix(word);
    }

    /// Binds a term to its value in the model.
    fn fix(&mut self, term: Term) {
        let value: Value = self.model.evaluate(self.pool, &[term])[0];
        let constant = self.pool.constant(value);
        let same = self.pool.same(term, constant);
        self.demand(same);
    }

    fn float(&mut self, float: Term) {
        let format = self.pool.format(float);
        for plain in PLAIN {
            let encoding = match format {
                FloatFormat::F32 => u64::from((plain as f32).to_bits()),
                FloatFormat::F64 => plain.to_bits(),
            };
            let constant = self.pool.float(format, encoding);
            let same = self.pool.f_same(float, constant);
            if self.demand(same) {
                return;
            }
        }
        self.fix(float);
    }

    fn fact(&mut self, fact: FactOf<Pool>, word: Term) {
        let zero = self.pool.zero(word);
        let (least, greatest) = (self.pool.signed_min(word), self.pool.signed_max(word));
        for (bits, all) in [(fact.ones, word), (fact.zeros, self.pool.not(word))] {
            let none = self.pool.eq(bits, zero);
            if !self.demand(none) {
                let exact = self.pool.eq(bits, all);
                self.demand(exact);
            }
        }
        for (bound, open) in [(fact.lo, least), (fact.hi, greatest)] {
            let unbounded = self.pool.eq(bound, open);
            if self.demand(unbounded) {
                continue;
            }
            let tight = self.pool.eq(bound, word);
            if !self.demand(tight) {
                self.word(bound);
            }
        }
    }
}
