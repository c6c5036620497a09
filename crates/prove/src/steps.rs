//! A proof step by step: statements that follow one after the other, each from what is known by then.
//!
//! A solver that is told everything at once finds nothing in it. So a step is tried
//!
//! 1. as something that is known word for word;
//! 2. from the *lemmas* before it alone, the terms that these compare being taken as unknown words: of the sums x - lo + d
//!    and hi - lo + e it then matters only that x - lo is at most hi - lo, and d at most e;
//! 3. from what speaks of the same unknowns as it does, or of those that were there at the beginning, products and quotients being
//!    taken as unknown words;
//! 4. from those of the same that speak of no other products, and then from all of them, these being what they are;
//! 5. if it says that a word is in a circular interval, from its being between the ends, where that follows;
//! 6. from all that is known.
//!
//! Each is sound by itself, since what follows from less, or of any words, follows. A statement that follows is known from
//! there on. Nothing becomes known in another way but what the caller [takes](Steps::take).

use std::collections::BTreeSet;

use planish_base::Id;
use planish_ops::Bits;
use planish_smt::signature::{Binary, Unary};
use planish_smt::term::{Node, Variable};
use planish_smt::{Budget, Pool, Query, Sort, Term, Theorems, Value, Verdict, opaque};

use crate::engine::Engine;

/// Who answered the questions of a proof, and from which theorems.
#[derive(Clone, Default, Debug)]
pub struct AnsweredBy {
    by: Vec<String>,
    /// The theorems.
    pub theorems: Theorems,
}

impl AnsweredBy {
    /// Adds those of another proof.
    pub fn extend(&mut self, other: &AnsweredBy) {
        self.theorems.extend(other.theorems);
        for by in &other.by {
            self.add(by);
        }
    }

    fn add(&mut self, by: &str) {
        if !self.by.iter().any(|known| known == by) {
            self.by.push(by.to_owned());
        }
    }

    /// The names of all solvers; if no step needed one, that of the built-in solver, since each is known word for word.
    pub fn names(&self) -> String {
        if self.by.is_empty() { Engine::builtin().to_string() } else { self.by.join(" and ") }
    }
}

/// The ways in which a statement may follow, in the order in which they are tried; they are those that the head of this file numbers 2 to 5.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Lemmas,
    AnyProducts,
    Near,
    Related,
    InOrder,
}

impl Way {
    const ALL: [Way; 5] = [Way::Lemmas, Way::AnyProducts, Way::Near, Way::Related, Way::InOrder];

    /// Whether what has a model here has one there, so that it need not be asked.
    fn knows_no_less_than(self, other: Way) -> bool {
        self == other || (self == Way::Related && matches!(other, Way::AnyProducts | Way::Near))
    }
}

/// What came of asking whether a statement follows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Answered {
    Follows,
    /// It does not follow from what it was asked of, however long one looks.
    HasModel,
    Unknown,
}

/// A proof step by step.
pub struct Steps<'a> {
    pool: Pool,
    /// What is known, in conjuncts.
    known: Vec<Term>,
    /// Those that are lemmas.
    lemmas: Vec<Term>,
    /// The unknowns of the beginning.
    base: BTreeSet<Variable>,
    engine: &'a Engine,
    budget: &'a mut Budget,
    answered: AnsweredBy,
}

impl<'a> Steps<'a> {
    /// From what is given.
    pub fn new(pool: Pool, given: Term, engine: &'a Engine, budget: &'a mut Budget) -> Self {
        let (known, base) = (pool.conjuncts(given), pool.unknowns(given));
        Steps { pool, known, lemmas: Vec::new(), base, engine, budget, answered: AnsweredBy::default() }
    }

    /// The terms.
    pub fn pool(&mut self) -> &mut Pool {
        &mut self.pool
    }

    /// Who answered, and from which theorems.
    pub fn answered_by(&self) -> AnsweredBy {
        self.answered.clone()
    }

    /// Takes something for granted from here on.
    pub fn take(&mut self, statement: Term) {
        self.known.extend(self.pool.conjuncts(statement));
    }

    /// Tries a statement that is meant to lead further, and keeps it if it follows.
    pub fn lemma(&mut self, statement: Term) {
        if self.follows(statement) {
            self.take(statement);
            self.lemmas.push(statement);
        }
    }

    /// Whether a statement follows from what is known, as far as solvers know.
    pub fn follows(&mut self, statement: Term) -> bool {
        self.pool.conjuncts(statement).into_iter().all(|conjunct| self.conjunct_follows(conjunct))
    }

    fn conjunct_follows(&mut self, goal: Term) -> bool {
        if self.pool.value(goal) == Some(Value::Truth(true)) || self.known.contains(&goal) {
            return true;
        }
        if self.budget.is_spent() {
            return false;
        }
        let related = self.related(goal);
        let is_all = related.len() == self.known.len();
        let mut ways = Way::ALL.to_vec();
        // In every round all ways, each for longer: which of them is the short one cannot be seen, and who takes the wrong one
        // first waits for its end.
        for part in [256, 64, 16] {
            for way in Way::ALL {
                if !ways.contains(&way) {
                    continue;
                }
                match self.in_a_way(way, &related, goal, part) {
                    Answered::Follows => return true,
                    Answered::HasModel if way == Way::Related && is_all => return false,
                    Answered::HasModel => ways.retain(|&other| !way.knows_no_less_than(other)),
                    Answered::Unknown => {}
                }
            }
        }
        let pool = self.pool.clone();
        (ways.contains(&Way::Related) && self.refuted(&pool, related, goal, 6) == Answered::Follows)
            || (!is_all && self.refuted(&pool, self.known.clone(), goal, 4) == Answered::Follows)
    }

    /// Whether a goal follows in one of the ways, for a part of what is left of the budget.
    fn in_a_way(&mut self, way: Way, related: &[Term], goal: Term, part: u32) -> Answered {
        match way {
            Way::Lemmas => self.follows_from_lemmas(goal, part),
            Way::AnyProducts => self.follows_of_any_products(related, goal, part),
            Way::Near => self.follows_from_near(related, goal, part),
            Way::Related => {
                let pool = self.pool.clone();
                self.refuted(&pool, related.to_vec(), goal, part)
            }
            Way::InOrder if self.follows_in_order(goal, part) => Answered::Follows,
            Way::InOrder => Answered::Unknown,
        }
    }

    /// Whether a goal follows from some of what is known, for a part of what is left of the budget.
    fn refuted(&mut self, pool: &Pool, mut given: Vec<Term>, goal: Term, part: u32) -> Answered {
        let mut pool = pool.clone();
        given.push(pool.negate(goal));
        let engine = self.engine;
        let answer = (self.budget)
            .share(self.budget.left() / part, |budget| engine.ask(&pool, &Query::new(given), budget));
        match answer.verdict {
            Verdict::Unsat => {
                self.answered.theorems.extend(answer.theorems);
                self.answered.add(&answer.by);
                Answered::Follows
            }
            Verdict::Sat(_) => Answered::HasModel,
            Verdict::Unknown(_) => Answered::Unknown,
        }
    }

    /// Whether a goal follows from some of what is known, whatever the products and quotients are of which that speaks.
    fn follows_of_any_products(&mut self, given: &[Term], goal: Term, part: u32) -> Answered {
        let mut pool = self.pool.clone();
        let query = Query::new(given.iter().copied().chain([goal]).collect());
        let mut unknown = opaque(&mut pool, &query).assertions;
        if unknown == query.assertions {
            return Answered::Unknown;
        }
        // Behind the goal is said what is known of the new words: that equal operands give equal results.
        let goal = unknown.remove(given.len());
        self.refuted(&pool, unknown, goal, part)
    }

    /// Whether a goal about products follows from what speaks of no others.
    fn follows_from_near(&mut self, related: &[Term], goal: Term, part: u32) -> Answered {
        let mine = products(&self.pool, goal);
        let is_near = |&statement: &Term| products(&self.pool, statement).is_subset(&mine);
        let near: Vec<Term> = related.iter().copied().filter(is_near).collect();
        if near.len() == related.len() {
            return Answered::Unknown;
        }
        let pool = self.pool.clone();
        self.refuted(&pool, near, goal, part)
    }

    /// Whether a word lies in a circular interval because it lies between its ends, in one of the two orders.
    fn follows_in_order(&mut self, goal: Term, part: u32) -> bool {
        let Some(Circle { unless, word, from, to }) = Circle::of(&self.pool, goal) else { return false };
        let orders: [fn(&mut Pool, Term, Term) -> Term; 2] = [Pool::ule, Pool::sle];
        orders.into_iter().any(|order| {
            let ends = [(from, word), (word, to)].map(|(low, high)| {
                let inside = order(&mut self.pool, low, high);
                unless.map_or(inside, |unless| self.pool.either(unless, inside))
            });
            let all = ends.into_iter().all(|end| {
                let (pool, related) = (self.pool.clone(), self.related(end));
                self.known.contains(&end)
                    || self.refuted(&pool, related, end, part.div_ceil(4)) == Answered::Follows
            });
            if all {
                self.known.extend(ends);
                self.lemmas.extend(ends);
            }
            all && self.follows_from_lemmas(goal, part) == Answered::Follows
        })
    }

    /// What is known of the unknowns of a goal and of the beginning.
    fn related(&self, goal: Term) -> Vec<Term> {
        let mine = self.pool.unknowns(goal);
        let is_related = |&statement: &Term| {
            self.pool.unknowns(statement).iter().all(|v| self.base.contains(v) || mine.contains(v))
        };
        self.known.iter().copied().filter(is_related).collect()
    }

    /// Whether a goal follows from the lemmas, whatever the words are that these compare.
    fn follows_from_lemmas(&mut self, goal: Term, part: u32) -> Answered {
        if self.lemmas.is_empty() {
            return Answered::Unknown;
        }
        let compared = compared(&self.pool, &self.lemmas);
        let mut pool = self.pool.clone();
        let statements: Vec<Term> = self.lemmas.iter().copied().chain([goal]).collect();
        let mut taken = 0;
        let mut images: Vec<Option<Term>> = vec![None; pool.len()];
        for (index, _) in pool.reachable(&statements).into_iter().enumerate().filter(|&(_, r)| r) {
            let term = Term::from_index(index);
            let image = if compared.contains(&term) {
                taken += 1;
                let sort = pool.sort(term);
                pool.variable(&format!("side{taken}"), sort)
            } else {
                pool.rebuilt(term, &images)
            };
            images[index] = Some(image);
        }
        let mut given: Vec<Term> =
            statements.iter().map(|t| images[t.index()].expect("statements are reached")).collect();
        let goal = given.pop().expect("the goal is the last");
        self.refuted(&pool, given, goal, part)
    }
}

/// That word - from is at most to - from, unsigned, or something else holds.
struct Circle {
    unless: Option<Term>,
    word: Term,
    from: Term,
    to: Term,
}

impl Circle {
    fn of(pool: &Pool, goal: Term) -> Option<Circle> {
        match pool.node(goal) {
            Node::Binary(Binary::Either, a, b) => {
                [(a, b), (b, a)].into_iter().find_map(|(circle, unless)| {
                    let circle = Circle::of(pool, circle).filter(|circle| circle.unless.is_none())?;
                    Some(Circle { unless: Some(unless), ..circle })
                })
            }
            Node::Unary(Unary::Negate, beyond) => {
                let Node::Binary(Binary::Ult, span, distance) = pool.node(beyond) else { return None };
                match (pool.node(span), pool.node(distance)) {
                    (Node::Binary(Binary::Sub, to, from), Node::Binary(Binary::Sub, word, same))
                        if from == same =>
                    {
                        Some(Circle { unless: None, word, from, to })
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// The words that statements compare, constants aside.
fn compared(pool: &Pool, statements: &[Term]) -> BTreeSet<Term> {
    let mut sides = BTreeSet::new();
    for (index, _) in pool.reachable(statements).iter().enumerate().filter(|&(_, &r)| r) {
        if let Node::Binary(Binary::Ult | Binary::Slt | Binary::Same, a, b) =
            pool.node(Term::from_index(index))
        {
            let is_word =
                |term: &Term| matches!(pool.sort(*term), Sort::Bits(_)) && pool.value(*term).is_none();
            sides.extend([a, b].into_iter().filter(is_word));
        }
    }
    sides
}

/// The products, quotients and remainders in a term.
fn products(pool: &Pool, term: Term) -> BTreeSet<Term> {
    let is_product = |&term: &Term| {
        use Binary::{Mul, Sdiv, Srem, Udiv, Urem};
        matches!(pool.node(term), Node::Binary(Mul | Udiv | Urem | Sdiv | Srem, ..))
    };
    let reached = pool.reachable(&[term]).into_iter().enumerate().filter(|&(_, reached)| reached);
    reached.map(|(index, _)| Term::from_index(index)).filter(is_product).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn what_lies_between_the_ends_lies_in_the_circle() {
        let mut pool = Pool::new();
        let [x, from, to] = ["x", "from", "to"].map(|name| pool.variable(name, Sort::Bits(64)));
        let (least, most) = (pool.sle(from, x), pool.sle(x, to));
        let (given, always) = (pool.both(least, most), pool.truth(true));
        let (distance, span) = (pool.sub(x, from), pool.sub(to, from));
        let inside = pool.ule(distance, span);
        let circle = pool.implies(always, inside);
        let (engine, mut budget) = (Engine::builtin(), Budget::new(Duration::from_secs(60)));
        assert!(Steps::new(pool, given, &engine, &mut budget).follows_in_order(circle, 4));
    }

    /// That (a - lo) + (b - low) stays below the sum of the spans, at 64 bits; and that nothing is believed that
    /// does not follow.
    #[test]
    fn a_chain_of_stones_leads_where_each_step_follows() {
        let mut pool = Pool::new();
        let [a, lo, hi, b, low, high] =
            ["a", "lo", "hi", "b", "low", "high"].map(|name| pool.variable(name, Sort::Bits(64)));
        let between = |pool: &mut Pool, x, least, most| {
            let (above, below) = (pool.sle(least, x), pool.sle(x, most));
            pool.both(above, below)
        };
        let (first, second) = (between(&mut pool, a, lo, hi), between(&mut pool, b, low, high));
        let given = pool.both(first, second);
        let (x, s, y, t) = (pool.sub(a, lo), pool.sub(hi, lo), pool.sub(b, low), pool.sub(high, low));
        let (lemma, other) = (pool.ule(x, s), pool.ule(y, t));
        let (sum, most) = (pool.add(x, y), pool.add(s, t));
        let (fits, goal) = (pool.ule(s, most), pool.ule(sum, most));
        let goal = pool.implies(fits, goal);
        let wrong = pool.ule(sum, s);
        let (engine, mut budget) = (Engine::builtin(), Budget::new(Duration::from_secs(60)));
        let mut steps = Steps::new(pool, given, &engine, &mut budget);
        for lemma in [lemma, other, wrong] {
            steps.lemma(lemma);
        }
        assert_eq!(steps.lemmas, [lemma, other]);
        assert!(steps.follows(goal));
        assert!(!steps.follows(wrong));
        assert!(steps.answered_by().names().starts_with("builtin "));
    }
}
