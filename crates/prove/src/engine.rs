//! Which solver is asked, and who answered.
//!
//! Without a choice by the user the built-in solver and a solver process, if one is installed, are asked in turns: each for
//! a short time first, and for four times as long in every further round. Which of the two finds an answer at once cannot be seen in
//! a question: one that keeps z3 busy for a minute may be a matter of a second for the other, and the other way round. So
//! neither waits for more than the other's eightfold. The built-in solver comes first and gets twice as much: it answers usual questions
//! faster than a process starts, its refutations are checked, and what a process refutes it is asked to confirm anyhow. What falls into cases is many small questions, for which the
//! process gets less time. Who cannot read a question, or gives up by itself, is not asked again. Where it is remembered who
//! [answered before](Engine::recalling), that one is asked before all turns.
//!
//! **A process is not believed alone where that can be helped.** What it says is impossible the built-in solver is asked
//! again, for a while: its refutation is a proof that our own checker has followed, and then the answer bears its name; if it
//! finds a model, which is evaluated, the process was wrong. So an answer in the name of a process is one that rests on its word.

use std::fmt;
use std::time::Duration;

use planish_smt::{
    Budget, Builtin, NoSolver, Pool, ProcessSolver, Query, Reason, Solver, Theorems, Verdict, decide,
};

use crate::ledger::{NOBODY, is_builtin};

/// The solvers to ask, in order.
#[derive(Clone, Debug)]
pub struct Engine {
    builtin: bool,
    process: Option<ProcessSolver>,
    /// Who is asked before all turns.
    leads: Option<Leader>,
}

/// One of two solvers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leader {
    Builtin,
    Process,
}

/// How much the built-in solver may do in the first round where there are two.
const FIRST_TURN: Duration = Duration::from_millis(500);

/// How many times less a process may do.
const LESS: u32 = 2;

/// How many times more it may do in every further round.
const GROWTH: u32 = 4;

/// How much the built-in solver may do to confirm what a process says is impossible.
const CONFIRMATION: Duration = Duration::from_millis(1000);

/// A verdict, who gave it, and after how much work.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The verdict.
    pub verdict: Verdict,
    /// Name and version of the solver.
    pub by: String,
    /// The theorems that a refutation was given.
    pub theorems: Theorems,
    /// The work of all who were asked.
    pub work: Duration,
}

impl Engine {
    /// The engine of a choice: `builtin`, the command of a solver, or nothing for the built-in solver with
    /// the process behind it that `$PLANISH_SOLVER` names (unless that is `builtin`) or, if it names none, z3 where it is installed.
    pub fn choose(choice: Option<&str>) -> Result<Engine, NoSolver> {
        match choice {
            Some("builtin") => Ok(Engine::builtin()),
            Some(command) => Ok(Engine::of(false, Some(ProcessSolver::new(command)?))),
            None => match std::env::var_os("PLANISH_SOLVER").filter(|named| !named.is_empty()) {
                Some(named) if named == "builtin" => Ok(Engine::builtin()),
                Some(_) => Ok(Engine::of(true, Some(ProcessSolver::find(None)?))),
                None => Ok(Engine::of(true, ProcessSolver::find(None).ok())),
            },
        }
    }

    /// The built-in solver alone.
    pub fn builtin() -> Engine {
        Engine::of(true, None)
    }

    fn of(builtin: bool, process: Option<ProcessSolver>) -> Engine {
        Engine { builtin, process, leads: None }
    }

    /// The same for a question that was answered by someone before, who is asked first. That decides how long an answer takes
    /// and nothing else: the built-in solver still gets a while to confirm what a process says.
    pub fn recalling(&self, by: &str) -> Engine {
        let leads = match by {
            _ if !self.builtin || self.process.is_none() || by.contains(" and ") => None,
            _ if self.is_process(by) => Some(Leader::Process),
            _ => is_builtin(by).then_some(Leader::Builtin),
        };
        Engine { leads, ..self.clone() }
    }

    /// Whether a solver process is among those that are asked.
    pub fn has_process(&self) -> bool {
        self.process.is_some()
    }

    /// Asks until someone knows the answer or the budget is spent.
    pub fn ask(&self, pool: &Pool, query: &Query, budget: &mut Budget) -> Answer {
        // Cases are many small questions, which a process is not asked one by one.
        let less =
            if self.has_process() && Builtin::default().has_cases(pool, query) { 2 * LESS } else { LESS };
        self.each(less, budget, |solver, part| decide(solver, pool, query, part))
    }

    /// Asks the solvers in turns; `less` is how many times less a process may do than the built-in solver.
    fn each(
        &self,
        less: u32,
        budget: &mut Budget,
        mut ask: impl FnMut(&mut dyn Solver, &mut Budget) -> Verdict,
    ) -> Answer {
        let before = budget.used();
        let mut builtin = self.builtin.then(Builtin::default);
        let mut process = self.process.clone();
        let mut answer = Answer {
            verdict: Verdict::Unknown(Reason::Timeout),
            by: NOBODY.to_owned(),
            theorems: Theorems::default(),
            work: Duration::ZERO,
        };
        let (mut turn, mut longest) = (FIRST_TURN, Duration::ZERO);
        let first: Option<&mut dyn Solver> = match self.leads {
            Some(Leader::Builtin) => builtin.as_mut().map(|solver| solver as _),
            Some(Leader::Process) => process.as_mut().map(|solver| solver as _),
            None => None,
        };
        if let Some(solver) = first {
            let verdict = budget.share(budget.left() / 2, |part| ask(solver, part));
            if answer.takes(verdict, solver, budget.used() - before) {
                match self.leads {
                    Some(Leader::Process) => process = None,
                    _ => builtin = None,
                }
            }
        }
        while !answer.is_decided() && (builtin.is_some() || process.is_some()) {
            let alone = builtin.is_some() != process.is_some();
            if let Some(solver) = &mut builtin {
                let limit = if alone { budget.left() } else { turn };
                longest = limit.min(budget.left());
                let verdict = budget.share(limit, |part| ask(solver, part));
                if answer.takes(verdict, solver, budget.used() - before) || alone {
                    builtin = None;
                }
            }
            if let Some(solver) = process.as_mut().filter(|_| !answer.is_decided()) {
                let limit = if alone { budget.left() } else { turn / less };
                let verdict = budget.share(limit, |part| ask(solver, part));
                if answer.takes(verdict, solver, budget.used() - before) || alone {
                    process = None;
                }
            }
            if answer.is_decided() || budget.is_spent() {
                break;
            }
            turn *= GROWTH;
        }
        if answer.verdict == Verdict::Unsat && self.is_process(&answer.by) && longest < CONFIRMATION {
            // Not charged: a proof does not get lost by being confirmed.
            let recalls = self.leads == Some(Leader::Process);
            let mut extra = budget.aside(if recalls { CONFIRMATION / 4 } else { CONFIRMATION });
            let mut builtin = Builtin::default();
            let verdict = ask(&mut builtin, &mut extra);
            if !matches!(verdict, Verdict::Unknown(_)) {
                let work = answer.work;
                answer.takes(verdict, &builtin, work);
            }
        }
        answer
    }

    fn is_process(&self, name: &str) -> bool {
        self.process.as_ref().is_some_and(|process| process.name() == name)
    }
}

impl Answer {
    fn is_decided(&self) -> bool {
        !matches!(self.verdict, Verdict::Unknown(_))
    }

    /// Takes over a verdict, and says whether more time would bring no other.
    fn takes(&mut self, verdict: Verdict, solver: &dyn Solver, work: Duration) -> bool {
        let is_final = !matches!(verdict, Verdict::Unknown(Reason::Timeout));
        // That a solver cannot even read the question is said only where nobody says more.
        if self.by == NOBODY || !matches!(verdict, Verdict::Unknown(Reason::Unsupported(_))) {
            let is_refuted = verdict == Verdict::Unsat;
            let theorems = if is_refuted { solver.rests_on() } else { Theorems::default() };
            *self = Answer { verdict, by: solver.name().to_owned(), theorems, work };
        }
        is_final
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.builtin, &self.process) {
            (true, Some(process)) => write!(f, "{} and {}", Builtin::default().name(), process.name()),
            (false, Some(process)) => f.write_str(process.name()),
            _ => f.write_str(Builtin::default().name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use planish_ops::Bits;
    use planish_smt::Sort;

    use super::*;

    #[test]
    fn the_built_in_solver_answers_alone_and_says_so() {
        let mut pool = Pool::new();
        let x = pool.variable("x", Sort::Bits(64));
        let one = pool.word(64, 1);
        let next = pool.add(x, one);
        let same = pool.eq(x, next);
        let engine = Engine::choose(Some("builtin")).expect("it is always there");
        let answer = engine.ask(&pool, &Query::new(vec![same]), &mut Budget::new(Duration::from_secs(20)));
        assert_eq!(answer.verdict, Verdict::Unsat);
        assert!(answer.by.starts_with("builtin "), "{}", answer.by);
        assert!(Engine::choose(Some("no-such-solver-anywhere")).is_err());
    }
}
