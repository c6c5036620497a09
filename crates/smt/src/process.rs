//! A solver as a process that reads SMT-LIB text on its standard input.
//!
//! Each query gets a process of its own, so that answers are independent of what was asked before. z3 stops
//! after as much work as it was given; every process is killed when the clock says that it hangs (Alive2 reports
//! of z3 that it does). Starting z3 costs about ten milliseconds.
//!
//! The command is the caller's choice, else `$PLANISH_SOLVER`, else `z3`. A command of one word gets the
//! arguments that make this program read SMT-LIB from its input; one with arguments is run as it is.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crate::budget::Budget;
use crate::print;
use crate::query::{Model, Query, Reason, Verdict};
use crate::sexp::Sexp;
use crate::solver::Solver;
use crate::split::Cases;
use crate::term::Pool;

/// How much is done for a case before it is split further.
const CASE: Duration = Duration::from_secs(1);

/// The units of its own in which z3 counts work, in a millisecond on a usual machine.
const UNITS: u128 = 2_000;

/// How z3 is to look for an answer about words.
#[derive(Clone, Copy)]
enum Tactic {
    /// Its usual way.
    Usual,
    /// Circuits and nothing else: the better way for chains of comparisons and selections.
    Circuits,
}

impl Tactic {
    fn command(self) -> &'static str {
        match self {
            Tactic::Usual => "(check-sat-using qfbv)",
            Tactic::Circuits => {
                "(check-sat-using (then simplify propagate-values solve-eqs elim-uncnstr simplify bit-blast sat))"
            }
        }
    }
}

/// A command that answers SMT-LIB.
#[derive(Clone, Debug)]
pub struct ProcessSolver {
    program: String,
    arguments: Vec<String>,
    name: String,
}

/// There is no such solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoSolver(pub String);

impl std::fmt::Display for NoSolver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} (z3 comes with `pip install z3-solver` or `apt-get install z3`)", self.0)
    }
}

impl ProcessSolver {
    /// The solver of this command line, `$PLANISH_SOLVER` or z3, if it can be run.
    pub fn find(command: Option<&str>) -> Result<Self, NoSolver> {
        let from_environment = std::env::var("PLANISH_SOLVER").ok().filter(|v| !v.trim().is_empty());
        let command = command.map(str::to_owned).or(from_environment).unwrap_or_else(|| "z3".to_owned());
        Self::new(&command)
    }

    /// The solver of this command line, if it can be run.
    pub fn new(command: &str) -> Result<Self, NoSolver> {
        let mut words = command.split_whitespace().map(str::to_owned);
        let program = words.next().ok_or_else(|| NoSolver("the solver's command is empty".to_owned()))?;
        let mut arguments: Vec<String> = words.collect();
        if arguments.is_empty() {
            arguments = default_arguments(&program).iter().map(|&a| a.to_owned()).collect();
        }
        let name = version(&program)?;
        Ok(ProcessSolver { program, arguments, name })
    }

    /// Asks one question.
    fn once(&self, pool: &Pool, query: &Query, budget: &mut Budget) -> Verdict {
        let question = print::question(pool, query);
        let values = print::request_values(pool, query);
        match question.strip_suffix("(check-sat)\n") {
            Some(head) if self.is_z3() && question.starts_with("(set-logic QF_BV)") => {
                let ask = |tactic: Tactic, budget: &mut Budget| {
                    self.ask(pool, &format!("{head}{}\n", tactic.command()), &values, budget)
                };
                match budget.share(budget.left() / 2, |part| ask(Tactic::Usual, part)) {
                    Verdict::Unknown(Reason::Timeout | Reason::GaveUp) => ask(Tactic::Circuits, budget),
                    verdict => verdict,
                }
            }
            _ => self.ask(pool, &question, &values, budget),
        }
    }

    /// Asks a question in text, and for values after it. z3 counts its work; of others the time is taken.
    fn ask(&self, pool: &Pool, question: &str, values: &str, budget: &mut Budget) -> Verdict {
        let start = Instant::now();
        let units = budget.left().as_millis() * UNITS;
        if units == 0 {
            return Verdict::Unknown(Reason::Timeout);
        }
        let (limit, count, part) = match self.is_z3() {
            true => (format!("(set-option :rlimit {units})\n"), "(get-info :rlimit)\n", budget.clock()),
            false => (String::new(), "", budget.left()),
        };
        let clock = budget.clone().within(Some(part));
        let text = format!("(set-option :produce-models true)\n{limit}{question}{count}{values}(exit)\n");
        let answer = self.run(text, &clock);
        let work = match answer.as_deref().ok().and_then(units_used) {
            Some(used) => {
                Duration::from_micros(u64::try_from(u128::from(used) * 1000 / UNITS).unwrap_or(u64::MAX))
            }
            None => start.elapsed(),
        };
        budget.charge(work);
        match answer {
            // That z3 was stopped at its limit it does not call a timeout.
            Ok(answer) => match read_answer(pool, &answer) {
                Verdict::Unknown(Reason::GaveUp) if work >= budget.left() => {
                    Verdict::Unknown(Reason::Timeout)
                }
                verdict => verdict,
            },
            Err(reason) => Verdict::Unknown(reason),
        }
    }

    fn is_z3(&self) -> bool {
        self.program.rsplit('/').next() == Some("z3")
    }

    /// Runs the solver on `text` and returns what it prints while there is time.
    fn run(&self, text: String, limit: &Budget) -> Result<String, Reason> {
        match output_of(Command::new(&self.program).args(&self.arguments), text, limit) {
            Ok(Some(answer)) => Ok(answer),
            Ok(None) => Err(Reason::Timeout),
            Err(error) => Err(Reason::Failed(format!("{}: {error}", self.program))),
        }
    }
}

/// How long a process is waited for before it is asked again whether anybody wants its answer.
const GLANCE: Duration = Duration::from_millis(50);

/// What a command prints that gets `text`; nothing if it does not end while there is time.
fn output_of(command: &mut Command, text: String, limit: &Budget) -> std::io::Result<Option<String>> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let mut input = child.stdin.take().expect("standard input is a pipe");
    // A solver that stops reading must not block us, nor one that we do not read.
    thread::spawn(move || {
        // A broken pipe shows in the answer, or in its absence.
        let _ = input.write_all(text.as_bytes());
    });
    let mut output = child.stdout.take().expect("standard output is a pipe");
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut answer = Vec::new();
        let result = output.read_to_end(&mut answer).map(|_| String::from_utf8_lossy(&answer).into_owned());
        let _ = sender.send(result);
    });
    let mut answer = Err(RecvTimeoutError::Timeout);
    while matches!(answer, Err(RecvTimeoutError::Timeout)) && !limit.clock().is_zero() {
        answer = receiver.recv_timeout(limit.clock().min(GLANCE));
    }
    // The threads are not joined: a grandchild that outlives the process may still hold its pipes.
    end(&mut child);
    answer.ok().transpose()
}

impl Solver for ProcessSolver {
    fn name(&self) -> &str {
        &self.name
    }

    fn solve(&mut self, pool: &Pool, query: &Query, budget: &mut Budget) -> Verdict {
        let mut attempt = |pool: &Pool, query: &Query, budget: &mut Budget| self.once(pool, query, budget);
        Cases { attempt: &mut attempt, case: CASE }.decide(pool, query, budget)
    }
}

/// Kills a process, if it still runs, and waits for it.
fn end(child: &mut Child) {
    // It fails when the process has ended, which is what is wanted.
    let _ = child.kill();
    let _ = child.wait();
}

/// What makes a known solver read SMT-LIB from its standard input.
fn default_arguments(program: &str) -> &'static [&'static str] {
    let name = program.rsplit('/').next().unwrap_or(program);
    if name.contains("cvc5") {
        &["--lang", "smt2", "-"]
    } else if name.contains("bitwuzla") {
        &["--lang", "smt2"]
    } else {
        &["-in", "-smt2"]
    }
}

/// How long a solver may take to say its version.
const INTRODUCTION: Duration = Duration::from_millis(500);

/// What the program says of itself: the first line of `--version`. One that says nothing in time has its name alone.
fn version(program: &str) -> Result<String, NoSolver> {
    let introduction = Budget::new(INTRODUCTION).within(Some(INTRODUCTION));
    let text = output_of(Command::new(program).arg("--version"), String::new(), &introduction)
        .map_err(|error| NoSolver(format!("cannot run the solver `{program}`: {error}")))?
        .unwrap_or_default();
    let line = text.lines().next().unwrap_or("").trim();
    // "Z3 version 4.8.12 - 64 bit" and "This is cvc5 version 1.2.0 [git ...]": name and number.
    let mut number =
        line.split_whitespace().skip_while(|word| !word.starts_with(|c: char| c.is_ascii_digit()));
    let name = program.rsplit('/').next().unwrap_or(program);
    Ok(match number.next() {
        Some(number) => format!("{name} {number}"),
        None => name.to_owned(),
    })
}

/// The verdict in a solver's answer.
fn read_answer(pool: &Pool, answer: &str) -> Verdict {
    let failed = |what: &str| {
        let start: String = answer.chars().take(200).collect();
        Verdict::Unknown(Reason::Failed(format!("{what}: {}", start.trim())))
    };
    let (word, rest) = answer.trim_start().split_once('\n').unwrap_or((answer.trim(), ""));
    match word.trim() {
        "unsat" => Verdict::Unsat,
        "unknown" => Verdict::Unknown(Reason::GaveUp),
        "timeout" => Verdict::Unknown(Reason::Timeout),
        "sat" => match read_model(pool, rest) {
            Some(model) => Verdict::Sat(model),
            None => failed("a model that cannot be read"),
        },
        "" => failed("it said nothing"),
        _ => failed("it said something else than sat or unsat"),
    }
}

/// The model in the answer to `get-value`; empty if there is none.
fn read_model(pool: &Pool, text: &str) -> Option<Model> {
    let mut model = Model::new();
    let answers = Sexp::parse(text)?;
    let Some(Sexp::List(pairs)) = answers.iter().find(|answer| counted(answer).is_none()) else {
        return Some(model);
    };
    for pair in pairs {
        let (name, value) = pair.pair()?;
        let (variable, declaration) = pool.variables().find(|(_, d)| print::symbol_name(&d.name) == name)?;
        model.set(variable, value.value(declaration.sort)?);
    }
    Some(model)
}

/// The units of work that an answer says it took.
fn units_used(answer: &str) -> Option<u64> {
    Sexp::parse(answer)?.iter().find_map(counted)
}

/// The number in `(:rlimit 1234)`.
fn counted(answer: &Sexp) -> Option<u64> {
    match answer.pair()? {
        (":rlimit", Sexp::Atom(number)) => number.parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use planish_base::Id;
    use planish_ops::Bits;

    use super::*;
    use crate::signature::Sort;
    use crate::solver::decide;
    use crate::term::Variable;
    use crate::value::Value;

    /// A shell that ignores its input and says `answer`.
    fn scripted(script: &str) -> ProcessSolver {
        ProcessSolver {
            program: "sh".to_owned(),
            arguments: vec!["-c".to_owned(), script.to_owned()],
            name: "scripted".to_owned(),
        }
    }

    fn ask(script: &str) -> Verdict {
        let mut pool = Pool::new();
        let x = pool.variable("x", Sort::Bits(8));
        let five = pool.word(8, 5);
        let claim = pool.ult(x, five);
        decide(
            &mut scripted(script),
            &pool,
            &Query::new(vec![claim]),
            &mut Budget::new(Duration::from_millis(500)),
        )
    }

    #[test]
    fn answers_are_read_and_models_are_believed_only_when_right() {
        assert_eq!(ask("echo unsat"), Verdict::Unsat);
        let Verdict::Sat(model) = ask("echo sat; echo '((x #x03))'") else { panic!() };
        assert_eq!(model.get(Variable::from_index(0)), Some(Value::bits(8, 3)));
        assert!(matches!(ask("echo sat; echo '((x #x09))'"), Verdict::Unknown(Reason::Failed(_))));
        assert!(matches!(ask("echo sat; echo '((y #x09))'"), Verdict::Unknown(Reason::Failed(_))));
        assert_eq!(ask("echo unknown"), Verdict::Unknown(Reason::GaveUp));
        assert!(matches!(ask("echo '(error \"no\")'"), Verdict::Unknown(Reason::Failed(_))));
        assert!(matches!(ask("exit 3"), Verdict::Unknown(Reason::Failed(_))));
    }

    #[test]
    fn a_solver_that_does_not_answer_is_killed() {
        let start = Instant::now();
        assert_eq!(ask("exec sleep 60"), Verdict::Unknown(Reason::Timeout));
        assert!(start.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn a_missing_solver_says_how_to_get_one() {
        let error = ProcessSolver::new("no-such-solver-anywhere").unwrap_err();
        assert!(error.to_string().contains("pip install z3-solver"), "{error}");
    }
}
