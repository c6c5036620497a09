//! A SAT solver that explains itself.
//!
//! Conflict-driven clause learning as in MiniSat (Eén and Sörensson, SAT 2003) with glucose's measure of
//! clauses and restarts (Audemard and Simon, IJCAI 2009): two watched literals, first unique implication
//! points with recursive minimization, activities, saved phases. Every learned clause is logged with the
//! clauses that derive it (see [`crate::refutation`]), so an answer `unsat` comes with a refutation and an
//! answer `sat` with an assignment; both are checked by others.
//!
//! There is no preprocessing: formulas come from structurally hashed circuits of some thousand gates.
//! Everything is deterministic, the limit included: what is counted are the clauses that propagation visits.

mod analysis;

use std::time::Duration;

use crate::budget::Budget;
use crate::cnf::{Cnf, Lit};
use crate::order::Order;
use crate::refutation::{ClauseName, Refutation};

/// What the solver found.
#[derive(Debug)]
pub enum Outcome {
    /// An assignment, by variable.
    Satisfiable(Vec<bool>),
    /// Why there is none.
    Refuted(Refutation),
    /// The budget was spent.
    OutOfTime,
    /// The refutation outgrew its memory.
    OutOfMemory,
}

/// Words that a refutation may take: 1 GiB.
const LOG_LIMIT: usize = 1 << 28;

/// Nanoseconds that the visit of a watched clause takes on a usual machine, all that follows from it included.
const VISIT: u64 = 8;

/// After how many visits the clock is looked at: a millisecond's work.
const QUANTUM: u64 = 1 << 17;

/// A position in the clause memory.
type Place = u32;
/// No clause: the reason of decisions.
const NONE: Place = u32::MAX;

/// Clauses of at most this measure are kept for good.
const GLUE: u32 = 2;

/// Words in front of a clause's literals: name, length, measure (0 for clauses of the formula).
const HEADER: usize = 3;

#[derive(Clone, Copy)]
struct Watch {
    clause: Place,
    /// Some literal of the clause; while it is true the clause need not be looked at.
    blocker: Lit,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Truth {
    Unknown,
    True,
    False,
}

struct Sat {
    original: usize,
    memory: Vec<u32>,
    learned: Vec<Place>,
    watches: Vec<Vec<Watch>>,
    /// By code of a literal.
    truth: Vec<Truth>,
    level: Vec<u32>,
    reason: Vec<Place>,
    /// The place of an assigned variable on the trail.
    position: Vec<u32>,
    /// The clause that says the literal of a variable assigned for good.
    unit: Vec<ClauseName>,
    phase: Vec<bool>,
    trail: Vec<Lit>,
    /// Where each level starts on the trail.
    levels: Vec<usize>,
    propagated: usize,
    order: Order,
    /// Scratch of the analysis, by variable; all false outside of it.
    seen: Vec<bool>,
    /// By level: the last measurement that met it.
    stamps: Vec<u64>,
    stamp: u64,
    /// Clauses that propagation has visited and the budget has not been charged for.
    visits: u64,
    log: Refutation,
}

/// Decides `cnf` within a budget.
pub fn solve(cnf: &Cnf, budget: &mut Budget) -> Outcome {
    let mut sat = Sat::new(cnf);
    // Taking the clauses over is work, too.
    sat.visits = cnf.len() as u64;
    match sat.load(cnf) {
        true => sat.search(budget),
        false => Outcome::Refuted(sat.log),
    }
}

/// The work of visiting clauses.
fn work(visits: u64) -> Duration {
    Duration::from_nanos(visits.saturating_mul(VISIT))
}

impl Sat {
    fn new(cnf: &Cnf) -> Self {
        let variables = cnf.variable_count();
        Sat {
            original: cnf.len(),
            memory: Vec::new(),
            learned: Vec::new(),
            watches: vec![Vec::new(); 2 * variables],
            truth: vec![Truth::Unknown; 2 * variables],
            level: vec![0; variables],
            reason: vec![NONE; variables],
            position: vec![0; variables],
            unit: vec![0; variables],
            phase: vec![false; variables],
            trail: Vec::with_capacity(variables),
            levels: Vec::new(),
            propagated: 0,
            order: Order::new(variables),
            seen: vec![false; variables],
            stamps: vec![0; variables + 1],
            stamp: 0,
            visits: 0,
            log: Refutation::new(),
        }
    }

    /// Takes the clauses over; false when they already contradict each other.
    fn load(&mut self, cnf: &Cnf) -> bool {
        for (name, clause) in cnf.clauses().enumerate() {
            if clause.len() >= 2 {
                self.attach(name as ClauseName, clause, 0);
            }
        }
        for (name, clause) in cnf.clauses().enumerate() {
            match *clause {
                [] => {
                    self.log.learn(self.original, &[], &[name as ClauseName]);
                    return false;
                }
                [lit] => match self.value(lit) {
                    Truth::True => {}
                    Truth::Unknown => {
                        self.unit[lit.variable() as usize] = name as ClauseName;
                        self.assign(lit, NONE);
                    }
                    Truth::False => {
                        let hints = [self.unit[lit.variable() as usize], name as ClauseName];
                        self.log.learn(self.original, &[], &hints);
                        return false;
                    }
                },
                _ => {}
            }
        }
        match self.propagate() {
            None => true,
            Some(conflict) => {
                self.contradiction(conflict);
                false
            }
        }
    }

    fn search(mut self, budget: &mut Budget) -> Outcome {
        let mut conflicts = 0u64;
        let (mut recent, mut overall) = (0.0, 0.0);
        let mut restarted_at = 0;
        let (mut reduce_at, mut reductions) = (2000, 0);
        let mut look_at = QUANTUM;
        loop {
            if self.visits >= look_at {
                look_at = self.visits + QUANTUM;
                if budget.clock().is_zero() {
                    return Outcome::OutOfTime;
                }
            }
            if let Some(conflict) = self.propagate() {
                conflicts += 1;
                if self.levels.is_empty() {
                    self.contradiction(conflict);
                    budget.charge(work(self.visits));
                    return Outcome::Refuted(self.log);
                }
                let measure = f64::from(self.learn_from(conflict));
                recent += (measure - recent) / 32.0;
                overall += (measure - overall) / 8192.0f64.min(conflicts as f64);
                if conflicts.is_multiple_of(256) {
                    budget.charge(work(std::mem::take(&mut self.visits)));
                    look_at = QUANTUM;
                    if budget.is_spent() {
                        return Outcome::OutOfTime;
                    }
                    if self.log.size() > LOG_LIMIT {
                        return Outcome::OutOfMemory;
                    }
                }
                continue;
            }
            if conflicts >= restarted_at + 50 && recent > 1.2 * overall {
                restarted_at = conflicts;
                self.back_to(0);
            }
            if conflicts >= reduce_at {
                reductions += 1;
                reduce_at = conflicts + 2000 + 300 * reductions;
                self.back_to(0);
                self.reduce();
            }
            let Some(variable) = self.next_decision() else {
                budget.charge(work(self.visits));
                let values =
                    (0..self.level.len() as u32).map(|v| self.value(Lit::positive(v)) == Truth::True);
                return Outcome::Satisfiable(values.collect());
            };
            self.levels.push(self.trail.len());
            let positive = Lit::positive(variable);
            self.assign(if self.phase[variable as usize] { positive } else { !positive }, NONE);
        }
    }

    fn next_decision(&mut self) -> Option<u32> {
        loop {
            let variable = self.order.pop()?;
            if self.value(Lit::positive(variable)) == Truth::Unknown {
                return Some(variable);
            }
        }
    }

    #[inline]
    fn value(&self, lit: Lit) -> Truth {
        self.truth[lit.code() as usize]
    }

    fn name(&self, clause: Place) -> ClauseName {
        self.memory[clause as usize]
    }

    fn len(&self, clause: Place) -> usize {
        self.memory[clause as usize + 1] as usize
    }

    #[inline]
    fn literal(&self, clause: Place, index: usize) -> Lit {
        Lit::from_code(self.memory[clause as usize + HEADER + index])
    }

    /// Stores a clause of two or more literals and watches the first two.
    fn attach(&mut self, name: ClauseName, literals: &[Lit], measure: u32) -> Place {
        let clause = Place::try_from(self.memory.len()).expect("fewer than 2^32 words of clauses");
        self.memory.extend([name, literals.len() as u32, measure]);
        self.memory.extend(literals.iter().map(|lit| lit.code()));
        self.watches[(!literals[0]).code() as usize].push(Watch { clause, blocker: literals[1] });
        self.watches[(!literals[1]).code() as usize].push(Watch { clause, blocker: literals[0] });
        clause
    }

    fn assign(&mut self, lit: Lit, reason: Place) {
        let variable = lit.variable() as usize;
        self.truth[lit.code() as usize] = Truth::True;
        self.truth[(!lit).code() as usize] = Truth::False;
        self.level[variable] = self.levels.len() as u32;
        self.reason[variable] = reason;
        self.position[variable] = self.trail.len() as u32;
        self.trail.push(lit);
        if self.levels.is_empty() && reason != NONE {
            // What holds for good is a clause of one literal, which later hints name.
            let mut hints = self.units_of_others(reason, Some(lit));
            hints.push(self.name(reason));
            self.unit[variable] = self.log.learn(self.original, &[lit], &hints);
        }
    }

    /// The units that make the literals of a clause false, one literal aside.
    fn units_of_others(&self, clause: Place, except: Option<Lit>) -> Vec<ClauseName> {
        (0..self.len(clause))
            .map(|i| self.literal(clause, i))
            .filter(|&lit| Some(lit) != except)
            .map(|lit| self.unit[lit.variable() as usize])
            .collect()
    }

    /// Logs the empty clause from a clause that is false for good.
    fn contradiction(&mut self, clause: Place) {
        let mut hints = self.units_of_others(clause, None);
        hints.push(self.name(clause));
        self.log.learn(self.original, &[], &hints);
    }

    /// Assigns what follows; returns a clause that became false.
    fn propagate(&mut self) -> Option<Place> {
        while self.propagated < self.trail.len() {
            let lit = self.trail[self.propagated];
            self.propagated += 1;
            let mut watches = std::mem::take(&mut self.watches[lit.code() as usize]);
            self.visits += watches.len() as u64;
            let (mut read, mut kept) = (0, 0);
            let mut conflict = None;
            while read < watches.len() {
                let watch = watches[read];
                read += 1;
                if self.value(watch.blocker) == Truth::True {
                    watches[kept] = watch;
                    kept += 1;
                    continue;
                }
                let base = watch.clause as usize + HEADER;
                // The false literal goes to the second place.
                if self.memory[base] == (!lit).code() {
                    self.memory.swap(base, base + 1);
                }
                let first = Lit::from_code(self.memory[base]);
                let renewed = Watch { clause: watch.clause, blocker: first };
                if first != watch.blocker && self.value(first) == Truth::True {
                    watches[kept] = renewed;
                    kept += 1;
                    continue;
                }
                let end = base + self.len(watch.clause);
                let replacement =
                    (base + 2..end).find(|&at| self.truth[self.memory[at] as usize] != Truth::False);
                if let Some(at) = replacement {
                    self.memory.swap(base + 1, at);
                    let other = Lit::from_code(self.memory[base + 1]);
                    self.watches[(!other).code() as usize].push(renewed);
                    continue;
                }
                watches[kept] = renewed;
                kept += 1;
                if self.value(first) == Truth::False {
                    conflict = Some(watch.clause);
                    watches.copy_within(read.., kept);
                    kept += watches.len() - read;
                    break;
                }
                self.assign(first, watch.clause);
            }
            watches.truncate(kept);
            self.watches[lit.code() as usize] = watches;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// Takes back all levels above `level`.
    fn back_to(&mut self, level: usize) {
        if self.levels.len() <= level {
            return;
        }
        let start = self.levels[level];
        for lit in self.trail.drain(start..) {
            let variable = lit.variable();
            self.truth[lit.code() as usize] = Truth::Unknown;
            self.truth[(!lit).code() as usize] = Truth::Unknown;
            self.phase[variable as usize] = !lit.is_negated();
            self.order.insert(variable);
        }
        self.levels.truncate(level);
        self.propagated = start;
    }

    /// Forgets the worse half of the learned clauses, those of many levels first. At level 0, where no
    /// learned clause is needed as a reason: units speak for what holds for good.
    fn reduce(&mut self) {
        let measure = |sat: &Sat, clause: Place| sat.memory[clause as usize + 2];
        let mut candidates: Vec<Place> =
            self.learned.iter().copied().filter(|&c| measure(self, c) > GLUE).collect();
        // Among equals the older go: memory is filled in order.
        candidates.sort_unstable_by_key(|&c| (std::cmp::Reverse(measure(self, c)), c));
        candidates.truncate(candidates.len() / 2);
        candidates.sort_unstable();
        for &clause in &candidates {
            self.log.forget(self.name(clause));
        }
        self.compact(&candidates);
    }

    /// Moves all clauses together but those in `dropped`, which is sorted.
    fn compact(&mut self, dropped: &[Place]) {
        let old = std::mem::take(&mut self.memory);
        let mut dropped = dropped.iter().copied().peekable();
        for watches in &mut self.watches {
            watches.clear();
        }
        self.learned.clear();
        let mut at = 0;
        let mut literals: Vec<Lit> = Vec::new();
        while at < old.len() {
            let (name, len, measure) = (old[at], old[at + 1] as usize, old[at + 2]);
            let place = at as Place;
            let body = &old[at + HEADER..at + HEADER + len];
            at += HEADER + len;
            if dropped.next_if_eq(&place).is_some() {
                continue;
            }
            literals.clear();
            literals.extend(body.iter().map(|&code| Lit::from_code(code)));
            // Watch literals that are not false for good, where there are any; a clause that is true
            // for good need not be watched well.
            literals.sort_by_key(|&lit| self.value(lit) == Truth::False);
            let clause = self.attach(name, &literals, measure);
            if measure > 0 {
                self.learned.push(clause);
            }
        }
        for &lit in &self.trail {
            self.reason[lit.variable() as usize] = NONE;
        }
    }
}
