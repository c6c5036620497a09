//! What proofs may cost, and who gives them.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum, ValueHint};
use planish_driver::Dialect;
use planish_smt::Budget;

use super::Compat;
use super::input::Reading;

/// Who proves.
#[derive(Args, Debug, Clone)]
pub struct Solver {
    /// `builtin`, or a command that reads SMT-LIB (z3, cvc5, bitwuzla ...). Without it: the command in
    /// PLANISH_SOLVER, else z3 where it is installed, else the built-in one.
    #[arg(long, value_name = "SOLVER")]
    pub solver: Option<String>,

    /// Seconds for a rule or a function; six times as many for a theorem at one width. Without it 20 seconds of
    /// work, of which solvers that count it (the built-in one, z3) do as much on a busy machine.
    #[arg(long, value_name = "SECONDS")]
    pub timeout: Option<u64>,
}

/// The seconds of work for a rule or a function where nothing is said.
const SECONDS: u64 = 20;

impl Solver {
    /// The work for a rule or a function.
    pub fn work(&self) -> Duration {
        Duration::from_secs(self.timeout.unwrap_or(SECONDS))
    }

    /// By when there has to be an answer, if that was said.
    pub fn clock(&self) -> Option<Duration> {
        self.timeout.map(Duration::from_secs)
    }

    /// What a function may cost.
    pub fn budget(&self) -> Budget {
        Budget::new(self.work()).within(self.clock())
    }
}

/// Prove the rule book, or the rules of given files.
#[derive(Args, Debug)]
#[command(after_help = "\
A proof may rest on theorems about the abstract domain. Those that planish was built with are in its ledger;
without files they are proved again, with the book. A theorem that the ledger leaves open is not tried unless
--open is given. What is proved of the rules of a file is written to a ledger beside it, FILE.rules.lock, and
`planish opt --rules` uses those rules.

Examples:
  planish prove                     the book and the theorems it rests on
  planish prove --audit             the same, and no line of the ledger is believed
  planish prove --lock rules.lock   what this ledger does not vouch for yet; it is renewed
  planish prove my.rules            the rules of one file, alone; the ledger is my.rules.lock
  planish prove --solver builtin my.rules")]
pub struct Prove {
    /// Rule files; without any, the book and the theorems it rests on.
    #[arg(value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub solver: Solver,

    /// Only theorems and rules with this in their name, which is `rule NAME`, `domain forward add` and the like.
    #[arg(long, value_name = "TEXT")]
    pub only: Vec<String>,

    /// Try as well to prove the theorems of the abstract domain that the ledger leaves open.
    #[arg(long, conflicts_with = "files")]
    pub open: bool,

    /// Rules that ask for no proof (SORRY_Z3) are no failure.
    #[arg(long)]
    pub allow_sorry: bool,

    /// Prove every line of the ledger that planish was built with from nothing; one that is not proved again is a failure.
    #[arg(long, conflicts_with_all = ["files", "only", "lock"])]
    pub audit: bool,

    /// Prove what this ledger of the book does not vouch for, and renew it. The ledger of rule files is the one beside
    /// them (FILE.rules.lock), without this option.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "files")]
    pub lock: Option<PathBuf>,
}

/// Every `of`-th of a list, from the `number`-th on, counted from 1.
#[derive(Debug, Clone, Copy)]
pub struct Slice {
    /// Which part.
    pub number: usize,
    /// Of how many.
    pub of: usize,
}

impl std::str::FromStr for Slice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
        let slice = parts.map(|(number, of)| Slice { number, of });
        slice
            .filter(|s| (1..=s.of).contains(&s.number))
            .ok_or_else(|| "a part and their number, as in 3/16".to_owned())
    }
}

/// What a comparison of two programs must yield.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Required {
    /// No difference on random inputs.
    Tested,
    /// A proof for all inputs.
    Proved,
}

/// Compare two programs.
#[derive(Args, Debug)]
#[command(after_help = "\
Prints `proved`, `tested on N inputs` where no proof is found, `proved up to k iterations; tested on N inputs` of a
loop, or `different` with the inputs that show it.

Functions are compared by name: all of a file, but of a program of regions those that it exports, alone or in a module. The
others may be there or not, as `opt` leaves them.

Jars and directories of classes are run side by side from their main class, or a library from its public methods, in
random worlds; compared is what the outside hears of it.

Examples:
  planish validate program.ssa optimized.ssa
  planish validate app.jar small.jar
  planish validate --require proved --solver z3 program.ssa optimized.ssa")]
pub struct Validate {
    /// The program as it was.
    #[arg(value_hint = ValueHint::FilePath)]
    pub before: PathBuf,
    /// The program as it is now.
    #[arg(value_hint = ValueHint::FilePath)]
    pub after: PathBuf,

    /// The dialect of both, when their names do not tell.
    #[arg(long, value_name = "DIALECT")]
    pub from: Option<Dialect>,

    #[command(flatten)]
    pub reading: Reading,

    #[command(flatten)]
    pub solver: Solver,

    /// What it takes for the answer to be yes.
    #[arg(long, value_name = "WHAT", default_value = "tested")]
    pub require: Required,

    /// Follow loops for this many iterations.
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub iterations: u32,

    /// Try each function for which there is no proof on this many random inputs; run jars from each place where they begin
    /// in this many random worlds.
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub inputs: u64,

    /// Compare traces as another optimizer may change them, as `opt --compat` does: PyPy's takes for granted that a narrow field
    /// holds what is stored, and that a guard on a truth is asked of 0 or 1.
    #[arg(long, value_name = "WHOM")]
    pub compat: Option<Compat>,

    /// A class of a jar whose main method is run, in place of the manifest's; may be repeated.
    #[arg(long, value_name = "CLASS")]
    pub main: Vec<String>,

    /// A jar or directory of classes that a jar uses; may be repeated.
    #[arg(long, value_name = "JAR", value_hint = ValueHint::AnyPath)]
    pub library: Vec<PathBuf>,
}
