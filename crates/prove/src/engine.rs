//! Which solver is asked, and who answered.
//!
//! Without a choice by the user the built-in solver is asked first, then a solver process, if one is installed, and
//! then the built-in solver again. It answers usual questions faster than a process starts, and its refutations
//! are checked, so it is asked for a short time first, and for longer behind the process: longest what falls into cases,
//! shifts and powers of two. The process answers what needs more than bit-blasting, such as floats.
//!
//! **A process is not believed alone where that can be helped.** What it says is impossible the built-in solver is asked
//! again, for a while: its refutation is a proof that our own checker has followed, and then the answer bears its name; if it
//! finds a model, which is evaluated, the process was wrong. So an answer in the name of a process is one that rests on its word.

use std::fmt;
use std::time::Duration;

use planish_smt::{Budget, Builtin, NoSolver, Pool, ProcessSolver, Query, Reason, Solver, Verdict, decide};

/// The solvers to ask, in order.
#[derive(Clone, Debug)]
pub struct Engine {
    builtin: bool,
    process: Option<ProcessSolver>,
}

/// How much the built-in solver may do for one question when a process stands behind it.
const FIRST_TRY: Duration = Duration::from_millis(250);

/// How much the built-in solver may do to confirm what a process says is impossible.
const CONFIRMATION: Duration = Duration::from_millis(1000);

/// Who answered when nobody was asked.
const NOBODY: &str = "nobody";

/// A verdict, who gave it, and after how much work.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The verdict.
    pub verdict: Verdict,
    /// Name and version of the solver.
    pub by: String,
    /// The work of all who were asked.
    pub work: Duration,
}

impl Engine {
    /// The engine of a choice: `builtin`, the command of a solver, or nothing for the built-in solver with
    /// the process behind it that `$PLANISH_SOLVER` names (unless that is `builtin`) or, if it names none, z3 where it is installed.
    pub fn choose(choice: Option<&str>) -> Result<Engine, NoSolver> {
        match choice {
            Some("builtin") => Ok(Engine::builtin()),
            Some(command) => Ok(Engine { builtin: false, process: Some(ProcessSolver::new(command)?) }),
            None => match std::env::var_os("PLANISH_SOLVER").filter(|named| !named.is_empty()) {
                Some(named) if named == "builtin" => Ok(Engine::builtin()),
                Some(_) => Ok(Engine { builtin: true, process: Some(ProcessSolver::find(None)?) }),
                None => Ok(Engine { builtin: true, process: ProcessSolver::find(None).ok() }),
            },
        }
    }

    /// The built-in solver alone.
    pub fn builtin() -> Engine {
        Engine { builtin: true, process: None }
    }

    /// Whether a solver process is among those that are asked.
    pub fn has_process(&self) -> bool {
        self.process.is_some()
    }

    /// Asks until someone knows the answer or the budget is spent.
    pub fn ask(&self, pool: &Pool, query: &Query, budget: &mut Budget) -> Answer {
        // Cases are many small questions, which a process is not asked one by one.
        let of_process = if self.has_process() && Builtin.has_cases(pool, query) { 4 } else { 2 };
        self.each(budget.left() / of_process, budget, |solver, part| decide(solver, pool, query, part))
    }

    /// Asks a question in SMT-LIB text whose answer needs no model.
    pub fn ask_text(&self, text: &str, budget: &mut Budget) -> Answer {
        self.each(budget.left() / 2, budget, |solver, part| solver.solve_text(text, part))
    }

    /// Asks one solver after the other; `middle` is what the process may do where it stands between the others.
    fn each(
        &self,
        middle: Duration,
        budget: &mut Budget,
        mut ask: impl FnMut(&mut dyn Solver, &mut Budget) -> Verdict,
    ) -> Answer {
        let (before, clock) = (budget.used(), budget.clock());
        let mut answer = Answer {
            verdict: Verdict::Unknown(Reason::Failed("no solver was chosen".to_owned())),
            by: NOBODY.to_owned(),
            work: Duration::ZERO,
        };
        let mut try_one = |solver: &mut dyn Solver, limit: Duration, budget: &mut Budget| {
            let verdict = budget.share(limit, |part| ask(solver, part));
            let decided = !matches!(verdict, Verdict::Unknown(_));
            // That a solver cannot even read the question is said only where nobody says more.
            if answer.by == NOBODY || !matches!(verdict, Verdict::Unknown(Reason::Unsupported(_))) {
                let work = budget.used() - before;
                answer = Answer { verdict, by: solver.name().to_owned(), work };
            }
            decided
        };
        let process_name = self.process.as_ref().map(|process| process.name().to_owned());
        match (self.builtin, self.process.clone()) {
            (true, None) => _ = try_one(&mut Builtin, budget.left(), budget),
            (false, process) => {
                _ = process.is_some_and(|mut process| try_one(&mut process, budget.left(), budget));
            }
            (true, Some(mut process)) => {
                _ = try_one(&mut Builtin, FIRST_TRY, budget)
                    || try_one(&mut process, middle, budget)
                    || try_one(&mut Builtin, budget.left(), budget);
            }
        }
        if answer.verdict == Verdict::Unsat && Some(&answer.by) == process_name.as_ref() {
            // Not charged: a proof does not get lost by being confirmed.
            let mut extra = Budget::new(CONFIRMATION).within(Some(clock.min(CONFIRMATION * 8)));
            match ask(&mut Builtin, &mut extra) {
                Verdict::Unsat => answer.by = Builtin.name().to_owned(),
                Verdict::Sat(model) => {
                    answer.verdict = Verdict::Sat(model);
                    answer.by = Builtin.name().to_owned();
                }
                Verdict::Unknown(_) => {}
            }
        }
        answer
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.builtin, &self.process) {
            (true, Some(process)) => write!(f, "{0}, then {1}, then {0}", Builtin.name(), process.name()),
            (false, Some(process)) => f.write_str(process.name()),
            _ => f.write_str(Builtin.name()),
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
        assert!(matches!(
            engine.ask_text("(check-sat)", &mut Budget::new(Duration::from_secs(1))).verdict,
            Verdict::Unknown(_)
        ));
        assert!(Engine::choose(Some("no-such-solver-anywhere")).is_err());
    }
}
