//! `planish rules`: what can be asked of the rule book.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueHint};

use super::{Format, Input, RuleFiles, Slice, Solver};

/// Look into the rule book.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  planish rules list
  planish rules show add_consts
  planish rules check my.rules
  planish rules stats examples/logs/checksum.log
  planish rules why udiv_pow2 program.ssa")]
pub struct Rules {
    #[command(subcommand)]
    pub command: RulesCommand,
}

/// What to look at.
#[derive(Subcommand, Debug)]
pub enum RulesCommand {
    /// Every rule of the book, one line each.
    #[command(after_help = "\
Examples:
  planish rules list
  planish rules list | grep ^mul
  planish rules list --format json")]
    List {
        /// For people or for tools.
        #[arg(long, default_value = "text")]
        format: Format,
    },
    /// One rule: its text, the reason it holds, where it is written, how it is proved.
    #[command(after_help = "\
Examples:
  planish rules show add_consts
  planish rules show my_rule --rules my.rules")]
    Show {
        /// The name of the rule.
        name: String,
        /// It may be a rule of this file, proved or not.
        #[arg(long = "rules", value_name = "FILE.rules", value_hint = ValueHint::FilePath)]
        files: Vec<PathBuf>,
    },
    /// Check rule files: types, order, cost, termination, shadowing. Without files: the book.
    #[command(after_help = "\
Examples:
  planish rules check
  planish rules check my.rules")]
    Check {
        /// Rule files.
        #[arg(value_hint = ValueHint::FilePath)]
        files: Vec<PathBuf>,
    },
    /// The decision trees that the matcher walks.
    #[command(after_help = "\
Examples:
  planish rules tree sub
  planish rules tree int_mul")]
    Tree {
        /// Only the tree of this operation.
        operation: Option<String>,
    },
    /// How often each rule of the book fires on inputs, zero rows included.
    #[command(after_help = "\
Examples:
  planish rules stats program.ssa pypy.log.gz
  planish rules stats --format json examples/logs/checksum.log
  planish rules stats --leave-one-out examples/logs/checksum.log
  planish rules stats --rules my.rules program.ssa")]
    Stats {
        /// Programs of any dialect.
        #[arg(required = true, value_hint = ValueHint::FilePath)]
        inputs: Vec<PathBuf>,
        /// For people or for tools.
        #[arg(long, default_value = "text")]
        format: Format,
        /// Optimize once more without each rule that fires, and say how many operations more are left then.
        #[arg(long)]
        leave_one_out: bool,
        /// Rules of files, which are counted, too.
        #[command(flatten)]
        rules: RuleFiles,
    },
    /// Where two rules of the book rewrite one program, and whether the engine makes one program of both results.
    #[command(after_help = "\
Overlaps are found by unifying patterns (critical pairs, Knuth and Bendix 1970); small constants and plain facts
are tried until both rules fire. A pair that does not join is `equal` if both results cost the same, `best` if the
engine by itself comes to the cheaper one, `egraph` if the e-graph engine does, else `missed`. Pairs that do not join are
listed with the program that shows it, unless rules/accepted.pairs names them with a reason. The exit status is 1 if any
is left.

Examples:
  planish rules pairs
  planish rules pairs --all --slice 3/16
  planish rules pairs mul_minus_one neg_mul")]
    Pairs {
        /// Only overlaps of these rules with any.
        rules: Vec<String>,
        /// List accepted pairs as well.
        #[arg(long)]
        all: bool,
        /// Only one part of the book's overlaps, as in 3/16.
        #[arg(long, value_name = "K/N")]
        slice: Option<Slice>,
    },
    /// What rules could say: constants for `?` in a target, the condition under which a wrong rule holds, more general forms.
    #[command(after_help = "\
A target may have `?` in the place of constants, as in `and(or(x, C1), C2) => or(and(x, ?), ?)`. For a rule that is wrong
the weakest condition under which it holds is looked for, in the language of checks. A rule that holds is tried for all
widths, for constants in place of numbers, values in place of constants, without checks or with weaker ones, and with
other operations. All that is shown is proved; files are not changed. A candidate may cost 5 seconds of work unless
--timeout says otherwise.

Examples:
  planish rules generalize my.rules
  planish rules generalize --solver builtin my.rules")]
    Generalize {
        /// Rule files.
        #[arg(required = true, value_hint = ValueHint::FilePath)]
        files: Vec<PathBuf>,
        #[command(flatten)]
        solver: Solver,
    },
    /// A language server for files of rules, which speaks to an editor over standard input and output.
    #[command(after_help = "\
Editors start it by themselves; editors/vscode is a folder for VS Code, and docs/tour-rules.md shows others. It tells
errors as one types, the verdict of the prover on each rule (proofs run in the background, 5 seconds for each unless
--timeout says otherwise), what is under the cursor, what may stand there, and where it is defined. Nothing is written
to a ledger: `planish prove FILE` does that.

Examples:
  planish rules lsp
  planish rules lsp --solver builtin --timeout 2")]
    Lsp {
        #[command(flatten)]
        solver: Solver,
    },
    /// Pairs of operations that remain together in optimized programs, the most frequent first.
    #[command(after_help = "\
A pair is written as the pattern of a rule would be: `_` is any value, `c` a constant, and `x` a value that stands there
twice. Where one is frequent a rule may be missing. In front of it stands how often it is executed (as a log counts, else
eight times as often for each loop around it), at how many places it stands, and at how many of them nothing else uses
the inner value; behind it where, which constants, and what is known of the values. Pairs that cannot become less, as
sums of three unknown values, are counted and left out.

Examples:
  planish rules missed --most 50 pypy.log.gz other.ssa
  planish rules missed --full program.ssa
  planish rules missed --format json library.jar")]
    Missed {
        /// Programs of any dialect. Each jar or directory of classes is a program.
        #[arg(required = true, value_hint = ValueHint::AnyPath)]
        inputs: Vec<PathBuf>,
        #[command(flatten)]
        how: HowMissed,
        /// Rules of files, besides the book.
        #[command(flatten)]
        rules: RuleFiles,
    },
    /// Where a rule's pattern stands in a program, and why the rule fires there or does not.
    #[command(after_help = "\
The rule is tried as the linear engine tries it, with what is known at that place. What missed by the least
is what a check or a use count refused. Where the whole pattern stands nowhere, the places of its outermost operation
are listed, each with the part that is missing. With --rules the rule may be one of a file, proved or not.

Examples:
  planish rules why floordiv_nonnegative program.tac
  planish rules why my_rule --rules my.rules program.ssa")]
    Why {
        /// The name of the rule.
        name: String,
        /// The program.
        #[command(flatten)]
        input: Input,
        /// Rules of files.
        #[command(flatten)]
        rules: RuleFiles,
    },
}

/// How the pairs that remain are told.
#[derive(Args, Debug)]
pub struct HowMissed {
    /// So many pairs.
    #[arg(long, value_name = "PAIRS", default_value_t = 20)]
    pub most: usize,

    /// All that is known of each pair: more places, constants and facts, on lines of their own.
    #[arg(long)]
    pub full: bool,

    /// For people or for tools.
    #[arg(long, default_value = "text")]
    pub format: Format,

    /// A jar or directory of classes that programs of classes use; may be repeated.
    #[arg(long, value_name = "JAR", value_hint = ValueHint::AnyPath)]
    pub library: Vec<PathBuf>,
}
