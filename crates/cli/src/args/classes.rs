//! What is said on the command line of programs of classes.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum, ValueHint};
use planish_keep::libraries;

/// What is said of a program of classes.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Jars and classes")]
pub struct ClassOptions {
    /// A jar or directory of classes that the program uses; may be repeated.
    #[arg(long, value_name = "JAR", value_hint = ValueHint::AnyPath)]
    pub library: Vec<PathBuf>,

    /// A class whose main method begins the program; may be repeated.
    #[arg(long, value_name = "CLASS")]
    pub main: Vec<String>,

    /// A configuration file of ProGuard that says what is kept; may be repeated.
    #[arg(long, value_name = "FILE.pro", value_hint = ValueHint::FilePath)]
    pub keep: Vec<PathBuf>,

    /// Of the rules for well-known libraries that come along, take those for libraries that are recognized by their packages
    /// (on), none (off), or those with these names; `planish library-rules` lists them.
    #[arg(
        long,
        value_name = "on|off|NAMES",
        value_delimiter = ',',
        value_parser = PossibleValuesParser::new(["on", "off"].into_iter().chain(libraries::names())),
        hide_possible_values = true
    )]
    pub library_rules: Vec<String>,

    /// What is kept. Without it: what --main and --keep say, else what the manifest's main class
    /// reaches, else the public interface.
    #[arg(long, value_name = "MODE")]
    pub mode: Option<ClassMode>,

    /// Leave of classes with versions for newer releases (`META-INF/versions`) what a JVM of this release sees.
    #[arg(long, value_name = "N")]
    pub release: Option<u16>,

    /// What is taken for granted; all of it if nothing is said.
    #[arg(long, value_name = "NAMES", value_enum, value_delimiter = ',', conflicts_with = "strict")]
    pub assume: Option<Vec<Assumption>>,

    /// Take nothing for granted.
    #[arg(long)]
    pub strict: bool,

    /// Give classes, fields and methods short names where nothing is known to find them by their own, as ProGuard and R8
    /// do. `-printmapping` of a configuration writes which; `planish retrace` turns stack traces back by that.
    #[arg(long)]
    pub obfuscate: bool,

    /// Remove the names of source files, lines and local variables.
    #[arg(long)]
    pub strip_debug: bool,

    /// How much is found out of a program, from 0, fast and coarse, to 3, slow and precise: the number of rounds, of
    /// copies of methods for constants and classes of arguments and their size, the values that are followed back to
    /// a class, the length of calls that are run ahead of time.
    #[arg(long, value_name = "LEVEL", default_value_t = 2, value_parser = clap::value_parser!(u8).range(0..=3))]
    pub precision: u8,

    /// Work on so many threads; without it, on as many as the machine runs at once. The result is the same.
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
}

/// What is kept of runs for other ones.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Jars and classes")]
pub struct Caching {
    /// Keep in this directory what a run writes and what becomes of each class, and take it from there where all that it depends
    /// on is the same. The result is the same, byte for byte. Several runs may share a directory.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub cache: Option<PathBuf>,

    /// How many megabytes the directory of --cache may have. What was not used for longest goes first.
    #[arg(long, value_name = "MIB", default_value_t = 1024, requires = "cache")]
    pub cache_size: u64,
}

/// What is told of a program of classes.
#[derive(Args, Debug)]
#[command(next_help_heading = "Jars and classes")]
pub struct ClassLists {
    /// Write the classes and members that were removed to this file.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub removed: Option<PathBuf>,

    /// Write every place that may look in vain for what went to this file, with the rules that would keep it.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub notes: Option<PathBuf>,

    /// Say why a class was kept; may be repeated.
    #[arg(long, value_name = "CLASS")]
    pub why_kept: Vec<String>,
}

/// How a program of classes is tried before it is written.
#[derive(Args, Debug)]
#[command(next_help_heading = "Jars and classes")]
pub struct CheckRun {
    /// Run this command on the original and on the result, in the place of `{}`, as in 'java -cp {} app.Main'. If they do
    /// not do the same, nothing is written, and what makes the difference is looked for and named with the rule that
    /// keeps it.
    #[arg(long, value_name = "COMMAND")]
    pub check_run: Option<String>,

    /// How long the command of --check-run may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 300, requires = "check_run")]
    pub check_timeout: u64,
}

/// What is kept of a program of classes.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClassMode {
    /// What main classes and keep rules reach.
    Program,
    /// What public and protected members of public classes reach.
    Library,
    /// Everything: only method bodies change.
    Bodies,
}

/// What may be taken for granted of a program of classes.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assumption {
    /// Calls without effects return and do not exhaust the stack.
    Returns,
    /// Nobody asks a stack trace who was called.
    Frames,
    /// What the JVM says where an object is null may change.
    Messages,
}
