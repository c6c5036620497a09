//! `--check-run`: a command of the user's runs on the original and on the result, and has to do the same.
//!
//! Compared are standard output, what standard error says besides the places of stack traces, and the exit status. Names of
//! the files that are run do not count. If something differs, the original runs once more, since one that does not do the
//! same twice compares with nothing; then [`culprits`] finds what of the optimization makes the difference.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use planish_driver::Settings;
use planish_jar::culprit::{Culprit, culprits};
use planish_jar::programs::roots::Roots;
use planish_rules::RuleSet;

use super::files::Files;
use super::program::Program;
use crate::args::CheckRun;
use crate::commands::bisection::{Answer, Ask, first_bad};
use crate::commands::probe::temporary_directory;
use crate::failure::Failure;
use crate::io;

/// What stands for the program in a command.
const PROGRAM: &str = "{}";

/// The exit status of a shell that does not find a command.
const NOT_FOUND: i32 = 127;

/// How often it is looked whether a command ended.
const LOOK: Duration = Duration::from_millis(10);

/// How many times as long as the original, and how much longer, the result may take.
const SLOWER: (u32, Duration) = (10, Duration::from_secs(30));

/// How much of a line is shown.
const SHOWN: usize = 100;

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ended {
    With(ExitStatus),
    NotInTime(Duration),
}

/// What a command did.
struct Outcome {
    ended: Ended,
    out: String,
    err: String,
    took: Duration,
}

/// A command that is run on programs.
pub struct Check<'c> {
    command: &'c str,
    limit: Duration,
}

impl<'c> Check<'c> {
    /// The check that options ask for, if they do.
    pub fn asked(options: &'c CheckRun) -> Result<Option<Check<'c>>, Failure> {
        let Some(command) = &options.check_run else { return Ok(None) };
        if !command.contains(PROGRAM) {
            return Err(Failure::Usage(format!(
                "--check-run: `{command}` does not say with `{PROGRAM}` where the program stands, as in \
                 'java -cp {PROGRAM} app.Main'"
            )));
        }
        Ok(Some(Check { command, limit: Duration::from_secs(options.check_timeout) }))
    }

    /// Runs the command on a program and on what became of it. Says in a line that they do the same; that they do not is
    /// an error, which names the culprit.
    pub fn hold(
        &self,
        program: &Program,
        files: &Files,
        bytes: &[Vec<u8>],
        (settings, rules): (&Settings, Option<&RuleSet>),
    ) -> Result<String, Failure> {
        let inputs: Vec<PathBuf> = files.inputs.iter().map(|(path, _)| path.clone()).collect();
        let original = self.run(&inputs, self.limit)?;
        self.can_be_compared(&original)?;
        let limit = self.limit.min(original.took * SLOWER.0 + SLOWER.1);
        let Some(difference) = difference(&original, &self.run_result(files, bytes, limit)?) else {
            return Ok(self.held(&original));
        };
        if let Some(own) = difference_of(&original, &self.run(&inputs, self.limit)?) {
            return Err(Failure::Rejected(format!(
                "--check-run: the original does not do the same twice, so nothing compares with it: {own}"
            )));
        }
        io::say(format_args!("--check-run: the result does something else; looking for the culprit\n"));
        let mut runs = 0u32;
        let mut holds = |roots: &Roots| -> Result<bool, Failure> {
            runs += 1;
            // Some of what is tried keeps nothing, or cannot be done.
            let Ok(mut done) = program.optimize_from(roots, settings, &|_| {}) else { return Ok(false) };
            done.finish(program)?;
            let result = self.run_result(files, &program.bytes(&done, &files.targets)?, limit)?;
            Ok(self::difference(&original, &result).is_none())
        };
        let found = culprits(&program.whole, &program.roots, &mut holds)?;
        let rewrite = match !found.is_empty() && found.iter().all(|culprit| culprit.is_rewrite) {
            true => self.rewrite(program, &original, limit, (settings, rules)),
            false => String::new(),
        };
        Err(Failure::Rejected(format!(
            "--check-run: {difference}; {}{rewrite} ({runs} runs); nothing was written",
            blamed(&found)
        )))
    }

    /// The rewrite after which the result does something else, as `planish bisect` finds it; nothing if it does not.
    fn rewrite(
        &self,
        program: &Program,
        original: &Outcome,
        limit: Duration,
        (settings, rules): (&Settings, Option<&RuleSet>),
    ) -> String {
        let found = first_bad(|fuel, ask| {
            let settings = Settings { fuel, log: matches!(ask, Ask::Last), ..settings.clone() };
            let (bytes, extension, answer) = program.attempt(&settings, rules)?;
            if !matches!(ask, Ask::Check) {
                return Ok(answer);
            }
            let directory = temporary_directory()?;
            let path = directory.join("result").with_extension(extension);
            let guard = Removed(directory);
            io::write(Some(&path), &bytes)?;
            let holds = difference(original, &self.run(&[path], limit)?).is_none();
            drop(guard);
            Ok(Answer { holds, ..answer })
        });
        found.map_or_else(|_| String::new(), |line| format!("; {}", line.trim_end()))
    }

    /// What a command says that did the same.
    fn held(&self, original: &Outcome) -> String {
        let status = match original.ended {
            Ended::With(status) if status.success() => String::new(),
            _ => format!(
                "; both fail: {}{}",
                original.ended,
                first_line(&original.err).map_or_else(String::new, |line| format!(", `{line}`"))
            ),
        };
        let lines = match original.out.lines().count() {
            1 => "1 line".to_owned(),
            count => format!("{count} lines"),
        };
        format!("--check-run: the result does what the original does ({lines} of output{status})\n")
    }

    /// What of the original's run makes comparing it pointless.
    fn can_be_compared(&self, original: &Outcome) -> Result<(), Failure> {
        let why = match original.ended {
            Ended::NotInTime(limit) => format!(
                "the original does not end within {} s (--check-timeout says how long it may take)",
                limit.as_secs()
            ),
            Ended::With(status) if status.code() == Some(NOT_FOUND) => {
                format!("the command cannot be run: {}", original.err.trim())
            }
            Ended::With(_) if no_main_class(&original.err) => {
                format!("the original does not start: {}", first_line(&original.err).unwrap_or_default())
            }
            Ended::With(_) => return Ok(()),
        };
        Err(Failure::Rejected(format!("--check-run: {why}")))
    }

    /// Runs the command on files that are written for it.
    fn run_result(&self, files: &Files, bytes: &[Vec<u8>], limit: Duration) -> Result<Outcome, Failure> {
        let (paths, guard) = places(files)?;
        for (path, bytes) in paths.iter().zip(bytes) {
            io::write(Some(path), bytes)?;
        }
        let outcome = self.run(&paths, limit);
        drop(guard);
        outcome
    }

    /// Runs the command on files.
    fn run(&self, files: &[PathBuf], limit: Duration) -> Result<Outcome, Failure> {
        let failed = |error: std::io::Error| Failure::Rejected(format!("--check-run: {error}"));
        let joined = std::env::join_paths(files)
            .map_err(|error| Failure::Rejected(format!("--check-run: {error}")))?;
        let place = joined.to_string_lossy().into_owned();
        let directory = temporary_directory()?;
        let guard = Removed(directory.clone());
        let (out, err) = (directory.join("out"), directory.join("err"));
        let mut command = shell(&self.command.replace(PROGRAM, &quoted(&place)));
        command
            .stdin(Stdio::null())
            .stdout(File::create(&out).map_err(failed)?)
            .stderr(File::create(&err).map_err(failed)?);
        let began = Instant::now();
        let mut child = command.spawn().map_err(failed)?;
        let ended = loop {
            if let Some(status) = child.try_wait().map_err(failed)? {
                break Ended::With(status);
            }
            if began.elapsed() > limit {
                end(&mut child);
                break Ended::NotInTime(limit);
            }
            std::thread::sleep(LOOK);
        };
        let took = began.elapsed();
        let read = |path: &Path| -> Result<String, Failure> {
            let bytes = std::fs::read(path).map_err(failed)?;
            // The files have other names.
            Ok(String::from_utf8_lossy(&bytes).replace(&place, PROGRAM))
        };
        let outcome = Outcome { ended, out: read(&out)?, err: without_places(&read(&err)?), took };
        drop(guard);
        Ok(outcome)
    }
}

/// Where the result is written for a run, and what is removed then. A jar stands where it will be in the end, under another
/// name, since its manifest may name others beside it.
fn places(files: &Files) -> Result<(Vec<PathBuf>, Removed), Failure> {
    if let [target] = &files.targets[..]
        && *target == files.output
        && target.extension().is_some_and(|ending| ending == "jar")
    {
        let stem = target.file_stem().unwrap_or_default().to_string_lossy();
        let path = target.with_file_name(format!("{stem}.check-{}.jar", std::process::id()));
        return Ok((vec![path.clone()], Removed(path)));
    }
    let directory = temporary_directory()?;
    let name = |target: &PathBuf| directory.join(target.file_name().unwrap_or("result.jar".as_ref()));
    Ok((files.targets.iter().map(name).collect(), Removed(directory)))
}

/// A file or directory that is removed in the end.
struct Removed(PathBuf);

impl Drop for Removed {
    fn drop(&mut self) {
        // What is temporary may be left behind.
        let _ = match self.0.is_dir() {
            true => std::fs::remove_dir_all(&self.0),
            false => std::fs::remove_file(&self.0),
        };
    }
}

/// A command line, which the shell divides into words, in a process group of its own.
#[cfg(unix)]
fn shell(line: &str) -> Command {
    use std::os::unix::process::CommandExt;

    let mut command = Command::new("sh");
    command.arg("-c").arg(line).process_group(0);
    command
}

#[cfg(not(unix))]
fn shell(line: &str) -> Command {
    let mut command = Command::new("cmd");
    command.arg("/C").arg(line);
    command
}

/// Ends a command and all that it started.
fn end(child: &mut std::process::Child) {
    if cfg!(unix) {
        let _ = Command::new("sh").arg("-c").arg(format!("kill -9 -{}", child.id())).status();
    }
    // It may have ended meanwhile.
    let _ = child.kill();
    let _ = child.wait();
}

/// A path as one word of the shell.
fn quoted(path: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+:".contains(c);
    match path.chars().all(is_plain) || cfg!(not(unix)) {
        true => path.to_owned(),
        false => format!("'{}'", path.replace('\'', "'\\''")),
    }
}

/// Standard error without the places that stack traces name: those may be of other methods and lines.
fn without_places(text: &str) -> String {
    let is_place = |line: &str| {
        let line = line.trim_start();
        line.starts_with("at ") || line.starts_with("... ") && line.ends_with(" more")
    };
    text.lines().filter(|line| !is_place(line)).map(|line| format!("{line}\n")).collect()
}

fn no_main_class(err: &str) -> bool {
    [
        "Error: Could not find or load main class",
        "Error: Unable to access jarfile",
        "Error: Main method not found",
    ]
    .iter()
    .any(|start| err.lines().any(|line| line.starts_with(start)))
}

fn first_line(text: &str) -> Option<String> {
    text.lines().find(|line| !line.trim().is_empty()).map(cut)
}

/// The beginning of a line.
fn cut(line: &str) -> String {
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line.to_owned(),
    }
}

impl std::fmt::Display for Ended {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Ended::NotInTime(limit) => write!(f, "no end within {} s", limit.as_secs()),
            // `exit status: 1`, `signal: 9 (SIGKILL)`
            Ended::With(status) => write!(f, "{}", status.to_string().replacen(": ", " ", 1)),
        }
    }
}

/// What is first seen to differ.
fn difference(original: &Outcome, result: &Outcome) -> Option<String> {
    difference_of(original, result).map(|text| match first_line(&result.err) {
        Some(line) if result.ended != original.ended => format!("{text} (`{line}`)"),
        _ => text,
    })
}

fn difference_of(original: &Outcome, result: &Outcome) -> Option<String> {
    let lines = |stream: &str, before: &str, after: &str| {
        if before == after {
            return None;
        }
        let (mut old, mut new) = (before.lines(), after.lines());
        let mut number = 0;
        let (old, new) = loop {
            number += 1;
            match (old.next(), new.next()) {
                (Some(old), Some(new)) if old == new => {}
                pair => break pair,
            }
        };
        let show = |line: Option<&str>| line.map_or("the end".to_owned(), |line| format!("`{}`", cut(line)));
        Some(match (old, new) {
            (None, None) => format!("the last line of {stream} ends otherwise"),
            _ => format!("line {number} of {stream} was {} and is {}", show(old), show(new)),
        })
    };
    if original.ended != result.ended {
        return Some(format!("{} became {}", original.ended, result.ended));
    }
    lines("standard output", &original.out, &result.out)
        .or_else(|| lines("standard error", &original.err, &result.err))
}

/// What is said of culprits.
fn blamed(found: &[Culprit]) -> String {
    match found {
        [] => "the same happens with everything kept, so it is not what was optimized: the program may ask for its own \
               file, for files beside it, or for signatures"
            .to_owned(),
        found => {
            let one = |culprit: &Culprit| format!("{}: {}", culprit.what, culprit.remedy);
            found.iter().map(one).collect::<Vec<_>>().join("; ")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_one_word() {
        assert_eq!(quoted("/a/b-c.jar:d.jar"), "/a/b-c.jar:d.jar");
        if cfg!(unix) {
            assert_eq!(quoted("/a b/it's.jar"), "'/a b/it'\\''s.jar'");
        }
    }

    #[test]
    fn places_of_stack_traces_do_not_count() {
        let trace = "Exception in thread \"main\" X\n\tat a.B.c(B.java:3)\n\t... 2 more\nat last\n";
        assert_eq!(without_places(trace), "Exception in thread \"main\" X\n");
    }
}
