//! Conflict analysis: what is learned from a conflict, and the clauses that derive it.
//!
//! The first unique implication point (Marques-Silva and Sakallah, GRASP, ICCAD 1996), with recursive minimization (Sörensson and
//! Biere, "Minimizing learned clauses", SAT 2009).

use super::{GLUE, NONE, Place, Sat};
use crate::cnf::Lit;
use crate::refutation::ClauseName;

impl Sat {
    /// Learns a clause from a conflict, goes back and asserts it. Returns its measure.
    pub(super) fn learn_from(&mut self, conflict: Place) -> u32 {
        let mut clause = self.first_unique_implication_point(conflict);
        self.minimize(&mut clause);
        let hints = self.hints(conflict, &clause);
        let name = self.log.learn(self.original, &clause, &hints);
        // The literal of the highest level below the current one is watched, so that going back to its
        // level leaves exactly the first literal open.
        let mut back = 0;
        if clause.len() > 1 {
            let at =
                (1..clause.len()).max_by_key(|&i| self.level_of(clause[i])).expect("more than one literal");
            clause.swap(1, at);
            back = self.level_of(clause[1]);
        }
        let measure = self.measure(&clause);
        self.back_to(back as usize);
        if clause.len() == 1 {
            self.unit[clause[0].variable() as usize] = name;
            self.assign(clause[0], NONE);
        } else {
            let place = self.attach(name, &clause, measure);
            self.learned.push(place);
            self.assign(clause[0], place);
        }
        // Glucose's schedule: at first only the latest conflicts matter, later a longer past.
        let age = (self.log.len() / 5000) as f64;
        self.order.decay((0.80 + 0.01 * age).min(0.95));
        measure
    }

    fn level_of(&self, lit: Lit) -> u32 {
        self.level[lit.variable() as usize]
    }

    /// The number of levels among the literals: few levels make a clause that propagates often.
    fn measure(&mut self, clause: &[Lit]) -> u32 {
        self.stamp += 1;
        let mut levels = 0;
        for &lit in clause {
            let stamp = &mut self.stamps[self.level[lit.variable() as usize] as usize];
            levels += u32::from(*stamp != self.stamp);
            *stamp = self.stamp;
        }
        levels
    }

    /// Measures a learned clause again that helped to find a conflict.
    fn renew(&mut self, clause: Place) {
        let at = clause as usize;
        if self.memory[at + 2] > GLUE {
            let literals: Vec<Lit> = (0..self.len(clause)).map(|i| self.literal(clause, i)).collect();
            self.memory[at + 2] = self.measure(&literals).min(self.memory[at + 2]);
        }
    }

    /// Resolves backwards along the trail until one literal of the current level is left: the first of
    /// the result.
    fn first_unique_implication_point(&mut self, conflict: Place) -> Vec<Lit> {
        let current = self.levels.len() as u32;
        let mut clause = vec![Lit::positive(0)];
        let mut open = 0;
        let mut at = self.trail.len();
        let mut reason = conflict;
        let mut resolved = None;
        loop {
            self.renew(reason);
            for index in 0..self.len(reason) {
                let lit = self.literal(reason, index);
                let variable = lit.variable() as usize;
                if Some(lit) == resolved || self.seen[variable] || self.level[variable] == 0 {
                    continue;
                }
                self.seen[variable] = true;
                self.order.bump(lit.variable());
                if self.level[variable] == current {
                    open += 1;
                } else {
                    clause.push(lit);
                }
            }
            let lit = loop {
                at -= 1;
                if self.seen[self.trail[at].variable() as usize] {
                    break self.trail[at];
                }
            };
            self.seen[lit.variable() as usize] = false;
            open -= 1;
            if open == 0 {
                clause[0] = !lit;
                break;
            }
            resolved = Some(lit);
            reason = self.reason[lit.variable() as usize];
        }
        for lit in &clause {
            self.seen[lit.variable() as usize] = false;
        }
        clause
    }

    /// Drops literals that the others imply: those all of whose reasons lead to others.
    fn minimize(&mut self, clause: &mut Vec<Lit>) {
        for lit in clause.iter() {
            self.seen[lit.variable() as usize] = true;
        }
        // Variables found implied; they stay marked during the minimization.
        let mut marked: Vec<u32> = clause.iter().map(|lit| lit.variable()).collect();
        let mut kept = vec![clause[0]];
        for &lit in &clause[1..] {
            if !self.implied(lit, &mut marked) {
                kept.push(lit);
            }
        }
        for variable in marked {
            self.seen[variable as usize] = false;
        }
        *clause = kept;
    }

    /// Whether the marked literals imply `lit`. Marks what it finds implied.
    fn implied(&mut self, lit: Lit, marked: &mut Vec<u32>) -> bool {
        if self.reason[lit.variable() as usize] == NONE {
            return false;
        }
        let start = marked.len();
        let mut open = vec![lit.variable()];
        while let Some(variable) = open.pop() {
            let reason = self.reason[variable as usize];
            for index in 0..self.len(reason) {
                let other = self.literal(reason, index).variable();
                let at = other as usize;
                if other == variable || self.seen[at] || self.level[at] == 0 {
                    continue;
                }
                if self.reason[at] == NONE {
                    for variable in marked.drain(start..) {
                        self.seen[variable as usize] = false;
                    }
                    return false;
                }
                self.seen[at] = true;
                marked.push(other);
                open.push(other);
            }
        }
        true
    }

    /// The clauses from which unit propagation derives `clause`: all reasons between its literals and
    /// the conflict, in the order of the trail.
    fn hints(&mut self, conflict: Place, clause: &[Lit]) -> Vec<ClauseName> {
        for lit in clause {
            self.seen[lit.variable() as usize] = true;
        }
        let mut visited: Vec<u32> = clause.iter().map(|lit| lit.variable()).collect();
        let mut steps: Vec<(u32, ClauseName)> = Vec::new();
        let mut open = vec![conflict];
        while let Some(reason) = open.pop() {
            for index in 0..self.len(reason) {
                let variable = self.literal(reason, index).variable();
                let at = variable as usize;
                if self.seen[at] {
                    continue;
                }
                self.seen[at] = true;
                visited.push(variable);
                if self.level[at] == 0 {
                    steps.push((self.position[at], self.unit[at]));
                } else {
                    let reason = self.reason[at];
                    steps.push((self.position[at], self.name(reason)));
                    open.push(reason);
                }
            }
        }
        for variable in visited {
            self.seen[variable as usize] = false;
        }
        steps.sort_unstable();
        steps.into_iter().map(|(_, name)| name).chain([self.name(conflict)]).collect()
    }
}
