//! `planish rules generalize`: what the rules of a file could say.
//!
//! A rule with `?` in its target is completed, one that is wrong gets the condition under which it holds, one that holds is made
//! more general. What is shown is proved at all widths, and is text to paste. Files are not changed.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use planish_base::SourceText;
use planish_prove::discover::{self, Better, Completed, Conditioned, Draft};
use planish_prove::prover::prove_one;
use planish_prove::rule::Verdict;
use planish_prove::{Engine, Options};

use super::{ledgers, prove};
use crate::args::Solver;
use crate::failure::Failure;
use crate::io;
use crate::progress::Progress;

/// How many seconds of work a candidate is given where nothing is said: many are tried.
const SECONDS: u64 = 5;

/// Looks into the rules of files.
pub fn run(files: &[PathBuf], solver: &Solver) -> Result<(), Failure> {
    let engine = Engine::choose(solver.solver.as_deref()).map_err(|e| Failure::Usage(e.to_string()))?;
    let limit = std::time::Duration::from_secs(solver.timeout.unwrap_or(SECONDS));
    let mut options = Options { limit, clock: solver.clock(), ..Options::new(engine) };
    options.lemmas = Arc::new(ledgers::shipped()?.fresh(&prove::theorems_expected(&options)));
    let mut wrong = Vec::new();
    for path in files {
        for (line, text) in rules_of(path)? {
            let told = Progress::of(&options.under_way);
            let looked = look_into(&text, &options);
            drop(told);
            match looked {
                Ok(said) => io::write(None, said.as_bytes())?,
                Err(why) => wrong.push(format!("{}:{line}: {why}", io::display_name(path))),
            }
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(Failure::Rejected(wrong.join("\n"))) }
}

/// The texts of the rules of a file, each with the line in which it begins. A rule begins at the margin.
fn rules_of(path: &Path) -> Result<Vec<(usize, String)>, Failure> {
    let source = SourceText::from_bytes(io::display_name(path), io::read(path)?);
    let source = source.map_err(|error| Failure::Rejected(error.1.render(&error.0)))?;
    let mut rules: Vec<(usize, String)> = Vec::new();
    for (number, line) in (1..).zip(source.text().lines()) {
        match line.chars().next() {
            // What stands at the margin behind a rule belongs to none, or to the next.
            None | Some('#') => {}
            Some(' ' | '\t' | '\r') => {
                if let Some((_, text)) = rules.last_mut() {
                    text.push_str(line);
                    text.push('\n');
                }
            }
            Some(_) => rules.push((number, format!("{line}\n"))),
        }
    }
    Ok(rules)
}

/// What there is to say of a rule; or what is wrong with its text.
fn look_into(text: &str, options: &Options) -> Result<String, String> {
    let name = text.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    if discover::complete::has_holes(text) {
        return Ok(match discover::complete(text, options)? {
            Completed::Holds(draft) => format!("{name}: completed\n{}\n", draft.text()),
            Completed::If(under) => conditioned(name, "completed", &under),
            Completed::Nothing => format!("{name}: no constants were found for `?`\n"),
        });
    }
    let draft = Draft::new(text);
    let rule = draft.read()?;
    Ok(match prove_one(&rule, options).verdict {
        Verdict::Proved => more_general(name, &discover::generalize(&draft, options)),
        Verdict::Refuted(_) => match discover::condition(&draft, options) {
            Some(under) => conditioned(name, "wrong as it stands", &under),
            None => match discover::at_widths(&draft, options) {
                Some((draft, what)) => {
                    format!("{name}: wrong as it stands; it holds with `{what}`\n{}\n", draft.text())
                }
                None => format!("{name}: wrong, and no condition was found under which it holds\n"),
            },
        },
        Verdict::NeverApplies(why) => format!("{name}: {why}\n"),
        Verdict::Unproved(why) | Verdict::Sorry(why) => format!("{name}: not proved: {why}\n"),
    })
}

fn conditioned(name: &str, what: &str, under: &Conditioned) -> String {
    let Conditioned { draft, check, kept, holding, .. } = under;
    format!(
        "{name}: {what}; it holds with `{check}`, for {kept} of {holding} inputs that were tried and for which it holds\n{}\n",
        draft.text()
    )
}

fn more_general(name: &str, Better { what, draft, siblings }: &Better) -> String {
    let mut said = match what.is_empty() {
        true => format!("{name}: it holds, and nothing more general was found\n"),
        false => format!("{name}: more general: {}\n{}\n", what.join("; "), draft.text()),
    };
    for (other, sibling) in siblings {
        said.push_str(&format!("{name}: it holds as well with {other}\n{}\n", sibling.text()));
    }
    said
}
