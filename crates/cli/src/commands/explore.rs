//! `planish explore`: a page to try things on, and the processes that answer it.

use std::ffi::OsString;
use std::io::BufReader;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use planish_base::SourceText;
use planish_driver::{Dialect, Reading, logs};
use planish_explore::work::{self, Knowledge};
use planish_explore::{MOST_PROGRAM, Server, Setup};
use planish_prove::{Engine, Options};

use super::{file_names, ledgers, opening, prove};
use crate::args::Explore;
use crate::failure::Failure;
use crate::io;

/// How long a rule may take to be proved.
const LIMIT: Duration = Duration::from_secs(20);

/// The argument of a process that answers questions of a page. It is for nobody to type, so the command line does not list it.
const ANSWERS: &str = "--answer-questions-of-a-page";

/// Whether a process is started to answer questions of a page.
pub fn is_answering(mut arguments: impl Iterator<Item = OsString>) -> bool {
    arguments.nth(1).is_some_and(|argument| argument == ANSWERS)
}

/// Serves the page.
pub fn run(args: &Explore) -> Result<(), Failure> {
    let link = args.path.as_deref().and_then(link);
    let program = match (&args.path, &link) {
        (Some(path), None) => Some(program(path, args.from)?),
        _ => None,
    };
    let rules = args.rules.as_deref().map_or(Ok(String::new()), |path| text(path, io::read(path)?))?;
    let this = std::env::current_exe().map_err(|error| Failure::Rejected(error.to_string()))?;
    let start = move || {
        let mut command = Command::new(&this);
        command.arg(ANSWERS);
        command
    };
    let setup = Setup { port: args.port, start: Box::new(start), program, rules };
    let server = Server::begin(setup).map_err(Failure::Rejected)?;
    let address = server.address() + &link.map_or_else(String::new, |link| format!("#{link}"));
    io::write(None, format!("{address}\n").as_bytes())?;
    io::say(format_args!("open this address in a browser of this machine; Ctrl-C ends the server\n"));
    server.serve();
    Ok(())
}

/// What stands behind the `#` of a link of the page.
fn link(path: &Path) -> Option<String> {
    let (address, input) = path.to_str()?.split_once('#')?;
    address.starts_with("http://").then(|| input.to_owned())
}

/// The name, the text and the dialect of a program.
fn program(path: &Path, from: Option<Dialect>) -> Result<[String; 3], Failure> {
    let name = io::display_name(path);
    if from.is_none() && file_names::names_classes(path) {
        return Err(Failure::Usage(format!(
            "{name}: the page is about programs that are texts; `planish report` shows classes"
        )));
    }
    let dialect = opening::dialect(path, from)?;
    let mut bytes = io::read(path)?;
    if dialect == Dialect::PypyLog {
        bytes = logs::unfolded(&name, bytes, Reading::default()).map_err(Failure::Rejected)?;
    }
    if bytes.len() > MOST_PROGRAM {
        return Err(Failure::Rejected(format!(
            "{name}: the page takes programs of {} KiB, and this one has {} bytes; `planish report` shows larger ones",
            MOST_PROGRAM >> 10,
            bytes.len()
        )));
    }
    Ok([name, text(path, bytes)?, dialect.name().to_owned()])
}

/// The text of a file.
fn text(path: &Path, bytes: Vec<u8>) -> Result<String, Failure> {
    let source = SourceText::from_bytes(io::display_name(path), bytes);
    let source = source.map_err(|error| Failure::Rejected(error.1.render(&error.0)))?;
    Ok(source.text().to_owned())
}

/// Answers the questions of a page, which come as lines, until it has gone. Returns the exit status.
pub fn answer() -> u8 {
    match answers() {
        Ok(()) => 0,
        Err(failure) => {
            io::say(format_args!("{}\n", failure.message()));
            failure.status()
        }
    }
}

fn answers() -> Result<(), Failure> {
    let ledger = ledgers::shipped()?;
    let believed = ledger.clone();
    let options = move || {
        let mut options = Options { limit: LIMIT, clock: Some(LIMIT), ..Options::new(Engine::builtin()) };
        options.lemmas = Arc::new(believed.fresh(&prove::theorems_expected(&options)));
        options
    };
    let knowledge = Knowledge { ledger, options: Box::new(options) };
    // Whoever asked has gone, and with it the reason to go on with anything.
    let gone = || std::process::exit(0);
    let answered = work::serve(&knowledge, BufReader::new(std::io::stdin()), std::io::stdout(), gone);
    answered.map_err(|error| Failure::Rejected(error.to_string()))
}
