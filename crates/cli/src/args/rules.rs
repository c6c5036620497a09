//! `planish rules`: what can be asked of the rule book.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueHint};

use super::{Format, Input, Slice};

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
  planish rules show add_consts")]
    Show {
        /// The name of the rule.
        name: String,
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
  planish rules stats --leave-one-out examples/logs/checksum.log")]
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
    /// Pairs of operations that remain together in optimized programs, the most frequent first.
    #[command(after_help = "\
A pair is written as the pattern of a rule would be: `_` is any value, `c` a constant. Where one is frequent a rule
may be missing.

Examples:
  planish rules missed --most 50 pypy.log.gz other.ssa")]
    Missed {
        /// Programs of any dialect but class files.
        #[arg(required = true, value_hint = ValueHint::FilePath)]
        inputs: Vec<PathBuf>,
        /// So many lines.
        #[arg(long, default_value_t = 20)]
        most: usize,
    },
    /// Where a rule's pattern stands in a program, and why the rule fires there or does not.
    #[command(after_help = "\
The rule is tried as the linear engine tries it, with what is known at that place. What missed by the least
is what a check or a use count refused; a pattern of which some operation is missing is not listed.

Examples:
  planish rules why floordiv_nonnegative program.tac")]
    Why {
        /// The name of the rule.
        name: String,
        /// The program.
        #[command(flatten)]
        input: Input,
    },
}
