//! The command line: every command, option and help text.

mod classes;
mod exploring;
mod input;
mod mining;
mod proving;
mod rules;
mod statistics;

use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use planish_driver::Dialect;
use planish_keep::libraries;

pub use self::classes::{Assumption, Caching, CheckRun, ClassLists, ClassMode, ClassOptions};
pub use self::exploring::Explore;
pub use self::input::{Input, OptInput, Output, Reading};
pub use self::mining::Mine;
pub use self::proving::{Prove, Required, Slice, Solver, Validate};
pub use self::rules::{HowMissed, Rules, RulesCommand};
pub use self::statistics::Statistics;

/// An optimizing compiler's middle end whose every rewrite rule is proved.
///
/// Planish reads programs in several forms, brings them to one SSA representation, optimizes them with
/// one book of proved rules, and writes them back in the form they came in.
#[derive(Parser, Debug)]
#[command(name = "planish", version, max_term_width = 100, after_help = EXAMPLES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  planish opt program.ssa                 optimize, print the result
  planish opt --stats pypy.log -o out.log every trace of a PyPy log, with counts
  planish run program.ssa 3 5             evaluate a function
  planish check program.tac               read and verify only
  planish prove my.rules                  prove the rules of a file
  planish opt --persistent_worker         answer the requests of a build (Bazel's JSON worker protocol)

Dialects are told from file names (.ssa .trace .log .tac .cfg .rvsdg .bril .bril.json) or by --from.
Exit status: 0 done, 1 the answer is no (rejected, not proved, not equal), 2 wrong usage.";

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Optimize a program and write it back in the form it came in.
    Opt(Box<Opt>),
    /// Optimize a program and say what became of it and where most is left: a text, or with -o a page.
    #[command(after_help = "\
A log of PyPy that has counts of executions (PYPYLOG=jit-log-noopt,jit-log-opt,jit-tracing,jit-backend-counts:FILE) is shown
by what its traces cost: which traces pay, lines of the program, guards that fail, and each loop beside PyPy's.

Examples:
  planish report pypy.log
  planish report pypy.log -o pypy.html
  planish report app.jar --main com.acme.Main -o app.html
  planish report examples/power.ssa")]
    Report(Box<Opt>),
    /// Try programs and rules on a local page that shows, while one types, what becomes of them.
    Explore(Explore),
    /// Evaluate a function and print its results.
    Run(Run),
    /// Read and verify only; prints nothing when all is well.
    Check(Check),
    /// Rewrite a program in another dialect.
    Convert(Convert),
    /// Write what jars need of others as keep rules, so that a large build is optimized in parts.
    #[command(after_help = "\
A library is optimized by the summaries of its users instead of with them at hand, on any machine, and again only
when a summary changes. What is found by names in strings is in the summary; names that are computed are not.

Examples:
  planish summarize app.jar -o app.summary.pro
  planish opt library.jar -o smaller.jar --keep app.summary.pro --keep plugin.summary.pro")]
    Summarize {
        /// Jars, directories of classes or class files that are optimized elsewhere.
        #[arg(required = true, value_hint = ValueHint::AnyPath)]
        inputs: Vec<PathBuf>,
        /// Write to this file instead of standard output.
        #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
        output: Option<PathBuf>,
    },
    /// Write the tracing agent: a jar that records what a program asks for by name while it runs, as keep rules.
    #[command(after_help = "\
The agent runs in the original program and sees what the classes of the program look up by reflection, method handles, resource
bundles, services, proxies and serialization. What stands behind = is the file of the rules, and after a comma what the run is
called; runs that cover more of the program add to one file.

Examples:
  planish agent -o agent.jar
  java -javaagent:agent.jar=rules.pro,tests -jar app.jar
  planish opt app.jar -o smaller.jar --keep rules.pro")]
    Agent {
        /// The jar that is written.
        #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
        output: PathBuf,
    },
    /// List the keep rules for well-known libraries that come along, or print some as configuration files.
    #[command(after_help = "\
`planish opt` takes the rules for libraries that it recognizes by their packages; --library-rules says which else. A file that is
printed can be changed, and be given by --keep with --library-rules off.

Examples:
  planish library-rules
  planish library-rules jackson > jackson.pro")]
    LibraryRules {
        /// Which are printed.
        #[arg(value_parser = PossibleValuesParser::new(libraries::names()), hide_possible_values = true)]
        names: Vec<String>,
    },
    /// Turn stack traces of an optimized jar back into those of the original, frames of inlined methods included.
    #[command(after_help = "\
The mapping is what -printmapping of a configuration writes. Those of ProGuard and R8 (its format 2) are read as well.
Frames that may be of several methods are marked <OR>.

Examples:
  planish retrace app.map trace.txt
  java -jar small.jar 2>&1 | planish retrace app.map")]
    Retrace {
        /// The mapping file.
        #[arg(value_hint = ValueHint::FilePath)]
        mapping: PathBuf,
        /// A text with stack traces; without it, standard input.
        #[arg(value_hint = ValueHint::FilePath)]
        trace: Option<PathBuf>,
        /// Write to this file instead of standard output.
        #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
        output: Option<PathBuf>,
    },
    /// Compare two programs: is the second a refinement of the first?
    Validate(Validate),
    /// Prove the rule book, or the rules of given files.
    Prove(Prove),
    /// List the passes, or show one of them at work.
    Passes(Passes),
    /// Look into the rule book.
    Rules(Rules),
    /// Find rules in programs: what they compute often, and what computes the same for less.
    Mine(Mine),
    /// Find the first rewrite after which a check fails.
    Bisect(Bisect),
    /// Make a program small for which a check fails.
    Reduce(Reduce),
    /// Print a completion script for a shell.
    #[command(after_help = "\
Examples:
  planish completions bash > ~/.local/share/bash-completion/completions/planish
  planish completions zsh > ~/.zfunc/_planish")]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Write the manual pages to a directory.
    #[command(after_help = "\
Examples:
  planish man ~/.local/share/man/man1")]
    Man {
        /// Where they go; it is made when it does not exist.
        #[arg(value_hint = ValueHint::DirPath)]
        directory: PathBuf,
    },
}

/// Rules besides the book.
#[derive(Args, Debug)]
pub struct RuleFiles {
    /// Use the rules of this file besides the book: those that `planish prove` has proved, which are in the ledger beside
    /// it (FILE.rules.lock). The others are named and left out.
    #[arg(long = "rules", value_name = "FILE.rules", value_hint = ValueHint::FilePath)]
    pub files: Vec<PathBuf>,

    /// Use rules of --rules without a proof, too.
    #[arg(long, requires = "files")]
    pub unproved: bool,
}

/// How statistics are printed.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// For people.
    Text,
    /// For tools.
    Json,
}

/// Optimize a program and write it back in the form it came in.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  planish opt examples/toy/running.ssa
  planish opt --explain program.ssa
  planish opt --stats=json pypy.log.gz -o out.log
  planish opt --report out.html examples/power.ssa
  planish opt --validate run --fuel 10 program.tac
  planish opt loop.trace bridge.trace -o out/
  planish opt app.jar -o smaller.jar --library dependency.jar
  planish opt app.jar util.jar -o all.jar --main com.acme.Main --keep app.pro
  planish opt app.jar util.jar -o out/ --main com.acme.Main
  planish opt @app.pro                    a configuration with -injars and -outjars
  planish opt library.jar -o smaller.jar --mode library
  planish opt plugin.jar -o faster.jar --mode bodies
  planish opt app.jar -o smaller.jar --keep app.pro --check-run 'java -cp {} com.acme.Main test'")]
pub struct Opt {
    #[command(flatten)]
    pub input: OptInput,

    /// More jars, directories of classes or files of traces, which are one program with the first.
    #[arg(value_name = "MORE", value_hint = ValueHint::AnyPath)]
    pub more: Vec<PathBuf>,

    #[command(flatten)]
    pub output: Output,

    /// The dialect of the result, when it is not that of the input.
    #[arg(long, value_name = "DIALECT")]
    pub to: Option<Dialect>,

    /// The passes, divided by colons, in PyPy's names or ours; `default` are those that run when none are named.
    #[arg(long, value_name = "A:B:C")]
    pub passes: Option<String>,

    /// Do not run a Bril program whose main takes nothing in order to leave what it prints.
    #[arg(long)]
    pub no_eval_main: bool,

    /// Print what was done, in numbers, to standard error.
    #[arg(long, value_name = "FORMAT", num_args = 0..=1, require_equals = true, default_missing_value = "text")]
    pub stats: Option<Statistics>,

    /// Print one line a rewrite to standard error: where, what, and by which rule; of one function or
    /// method only, if it is named. A method (`a.B.run`, with or without a descriptor) is also shown before
    /// and after.
    #[arg(long, value_name = "METHOD", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub explain: Option<String>,

    /// Write every rewrite as a line of JSON to this file.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub remarks: Option<PathBuf>,

    /// Write a page about the run to this file: what became smaller and by what, every state of every function, and why
    /// each line changed. A file.txt gets a text.
    #[arg(long, value_name = "FILE.html", value_hint = ValueHint::FilePath)]
    pub report: Option<PathBuf>,

    /// Stop after this many rewrites.
    #[arg(long, value_name = "N")]
    pub fuel: Option<u64>,

    /// For tests of planish: let passes run or not, and budgets and costs be anything, as this seed says. The result has to do
    /// what it should all the same.
    #[arg(long, value_name = "SEED", help_heading = "Tests of planish")]
    pub chaos: Option<u64>,

    /// Which engine optimizes.
    #[arg(long, value_name = "ENGINE", default_value = "linear")]
    pub engine: Engine,

    /// Write the e-graphs to this file, as JSON for the extraction gym; wants --engine egraph.
    #[arg(long, value_name = "FILE.json", value_hint = ValueHint::FilePath)]
    pub dump_egraph: Option<PathBuf>,

    /// Hold the result against the original before anything is written.
    #[arg(long, value_name = "HOW", default_value = "off")]
    pub validate: Validation,

    #[command(flatten)]
    pub solver: Solver,

    #[command(flatten)]
    pub rules: RuleFiles,

    /// Use only rules of the book with this tag, and those without tags.
    #[arg(long, value_name = "TAG")]
    pub profile: Option<String>,

    /// In .ssa text, make products and shifts of divisions by constants, as for a machine whose code generator does not do
    /// that itself.
    #[arg(long)]
    pub expand: bool,

    /// Conform to another optimizer, operation by operation, at the cost of better results.
    #[arg(long, value_name = "WHOM")]
    pub compat: Option<Compat>,

    /// In a log, assume what the text lacks of constant and fresh objects where the body of a loop asks for it: that two
    /// names are of one object, that an object is of a class. --stats=full lists what was assumed.
    #[arg(long)]
    pub assume_constants: bool,

    /// In a log, use what a file says of the functions that are called: `function NAME reads=.. writes=..`, a line each. It
    /// comes before what is known of RPython's runtime; `none` is no file, and nothing is known.
    #[arg(long, value_name = "FILE")]
    pub facts: Option<PathBuf>,

    /// In a log, do not use what PyPy's own result shows of calls: the fields that they do not write, since PyPy does not load
    /// them again.
    #[arg(long)]
    pub without_shown_effects: bool,

    /// In traces, tell bridges nothing of these kinds about the guard that they leave from: classes, conditions, heap, lengths,
    /// calls, computed, ranges, bits; several divided by commas, or `all`.
    #[arg(long, value_name = "KINDS")]
    pub without_bridge_facts: Option<String>,

    #[command(flatten)]
    pub between: Between,

    #[command(flatten)]
    pub classes: ClassOptions,

    #[command(flatten)]
    pub lists: ClassLists,

    #[command(flatten)]
    pub check: CheckRun,

    #[command(flatten)]
    pub caching: Caching,

    /// Whether nothing is kept but the report: `planish report`.
    #[arg(skip)]
    pub only_report: bool,
}

impl Opt {
    /// The options that name files to write to, besides the result, and these files.
    pub fn written(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let options = [
            ("--remarks", &self.remarks),
            ("--dump-egraph", &self.dump_egraph),
            ("--report", &self.report),
            ("--removed", &self.lists.removed),
            ("--notes", &self.lists.notes),
        ];
        options.into_iter().filter_map(|(option, path)| Some((option, path.as_deref()?)))
    }
}

/// List the passes, or show one of them at work.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  planish passes
  planish passes show loop-unroll
  planish opt --passes intbounds:rewrite:pure:dead:loop-unroll,rounds=4 program.ssa")]
pub struct Passes {
    #[command(subcommand)]
    pub command: Option<PassesCommand>,
}

/// What to show of the passes.
#[derive(Subcommand, Debug)]
pub enum PassesCommand {
    /// Every pass, one line each. What is done without a command, too.
    #[command(after_help = "\
Examples:
  planish passes list
  planish passes list | grep loop")]
    List,
    /// One pass: what it takes, changes and keeps, its options, and a program before and after.
    #[command(after_help = "\
Examples:
  planish passes show loop-unroll
  planish passes show settle")]
    Show {
        /// Its name, or an alias.
        name: String,
    },
}

/// What is shown between passes, under the names that users of LLVM know.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Between passes")]
pub struct Between {
    /// Print each function before these passes, or before every pass, to standard error.
    #[arg(long, value_name = "A,B", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub print_before: Option<String>,

    /// Print each function behind these passes, or behind every pass.
    #[arg(long, value_name = "A,B", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub print_after: Option<String>,

    /// Print each function behind every pass that changed it.
    #[arg(long)]
    pub print_changed: bool,

    /// Print only functions of this name; of jars methods (`a.B.run`, with or without a descriptor).
    #[arg(long, value_name = "NAME")]
    pub filter_print_funcs: Option<String>,

    /// Print how long each pass took over all functions.
    #[arg(long)]
    pub time_passes: bool,

    /// Verify each function behind each pass, and hold each pass to what it says of itself.
    #[arg(long)]
    pub verify_each: bool,
}

/// The engines.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// One forward walk that keeps one form of each value.
    Linear,
    /// The walk, and an e-graph of all forms of pure values.
    Egraph,
}

/// Optimizers to conform to.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compat {
    /// PyPy's trace optimizer.
    Pypy,
}

/// How an optimized program is held against its original.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Validation {
    /// Not at all.
    Off,
    /// Both are run on random inputs.
    Run,
    /// A solver proves them equal, or the result is refused.
    Prove,
}

/// Evaluate a function and print its results.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  planish run examples/power.ssa 3 5
  planish run --count program.tac 7
  planish run --native --time 1000000 examples/power.ssa 3 5")]
pub struct Run {
    #[command(flatten)]
    pub input: Input,

    /// The arguments of the function: integers or floats.
    #[arg(allow_negative_numbers = true, value_name = "ARGUMENT")]
    pub arguments: Vec<String>,

    /// The function to run, when it is not the first, or `main` of a Bril program.
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,

    /// Print how many operations were executed, to standard error.
    #[arg(long)]
    pub count: bool,

    /// Give up after this many operations, 100000000 unless said otherwise; machine code after this many passes of loops
    /// and calls, and never unless this is said.
    #[arg(long, value_name = "N")]
    pub fuel: Option<u64>,

    /// Run the function as machine code. Wants a planish that was built with the feature `native`.
    #[arg(long, conflicts_with = "count")]
    pub native: bool,

    /// Run the machine code this many times, and print the time of a run to standard error.
    #[arg(long, value_name = "N", requires = "native", value_parser = clap::value_parser!(u64).range(1..))]
    pub time: Option<u64>,
}

/// Read and verify only.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  planish check program.ssa
  planish check app.jar
  planish check --from trace - < trace.txt")]
pub struct Check {
    #[command(flatten)]
    pub input: Input,

    /// More files. Those of traces are one program: jumps are held against the labels of all of them.
    #[arg(value_name = "MORE", value_hint = ValueHint::FilePath)]
    pub more: Vec<PathBuf>,
}

/// Rewrite a program in another dialect.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  planish convert power.tac --to rvsdg
  planish convert power.rvsdg --to ssa -o power.ssa
  planish convert power.tac --to rvsdg --dot power.dot")]
pub struct Convert {
    #[command(flatten)]
    pub input: Input,
    #[command(flatten)]
    pub output: Output,

    /// The dialect of the result.
    #[arg(long, value_name = "DIALECT")]
    pub to: Dialect,

    /// Draw the regions of the program to this file, for Graphviz.
    #[arg(long, value_name = "FILE.dot", value_hint = ValueHint::FilePath)]
    pub dot: Option<PathBuf>,
}

/// Find the first rewrite after which a check fails.
#[derive(Args, Debug)]
#[command(after_help = "\
The check is `validate` (run the original and the result on random inputs) or a command, which gets
the path of the optimized program as its last argument and succeeds when that program is good.

Of jars and directories of classes, what goes of the program counts as rewrites too, before and between
those of bodies.

Examples:
  planish bisect validate -- program.ssa
  planish bisect validate --rules my.rules --unproved -- program.ssa
  planish bisect './runs-right.sh' -- program.tac
  planish bisect 'java -jar' --keep app.pro -- app.jar")]
pub struct Bisect {
    /// `validate`, or a command.
    pub check: String,

    #[command(flatten)]
    pub input: Input,

    /// More jars, directories of classes or files of traces, which are one program with the first.
    #[arg(value_name = "MORE", value_hint = ValueHint::AnyPath)]
    pub more: Vec<PathBuf>,

    #[command(flatten)]
    pub rules: RuleFiles,

    #[command(flatten)]
    pub classes: ClassOptions,
}

/// Make a program small for which a check fails.
#[derive(Args, Debug)]
#[command(after_help = "\
The check is `validate` (optimizing panics, or what it gives differs on random inputs) or a command,
which gets the path of a program as its last argument and succeeds when that program is good. Printed
is the smallest program found for which the check still fails.

Examples:
  planish reduce validate --rules wrong.rules --unproved -- program.ssa
  planish reduce './runs-right.sh' -o small.tac -- program.tac")]
pub struct Reduce {
    /// `validate`, or a command.
    pub check: String,

    #[command(flatten)]
    pub input: Input,

    /// Write to this file instead of standard output. A directory (`DIR/`) gets one file for each input, when
    /// these are jars or files of traces.
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub rules: RuleFiles,

    /// Which engine optimizes.
    #[arg(long, value_name = "ENGINE", default_value = "linear")]
    pub engine: Engine,

    /// Stop after this many candidates.
    #[arg(long, value_name = "N", default_value_t = planish_driver::reduce::TESTS)]
    pub tests: u64,
}
