//! A worker for builds: many commands, one process.
//!
//! Bazel's protocol of persistent workers in its JSON form (<https://bazel.build/remote/persistent>): the build
//! starts `planish ARGUMENTS --persistent_worker` once and then writes requests to its standard
//! input, one JSON object after the other; each is a command line of its own, whose arguments follow those of the start. Each is
//! answered on standard output by a line with the exit status and everything that the command said. At the
//! end of the input the worker ends.
//!
//! Requests are answered in the order in which they come, which is also right for a build that sends several
//! at once: it knows an answer by the number of its request. A command uses all cores by itself.
//!
//! A request that is no request, and a command that fails or panics, are answered like any other: a worker that
//! went away would take the commands that wait for it along. What cannot be caught (the end of the memory or of a stack, a
//! signal) ends a process. So there are two: one that [relays](relay) requests and answers, and one that does what they say;
//! a request of which it dies is answered, and the next one gets a new process.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use clap::Parser;
use serde_json::{Value, json};

use crate::args::Cli;
use crate::{commands, io};

/// The flag with which a build starts a worker; the name is the protocol's.
const FLAG: &str = "--persistent_worker";

/// The flag of the process that does what requests say.
const DOES: &str = "--persistent_worker=does";

/// The status of a command that broke down: that of a Rust program that panics.
const BROKE_DOWN: u8 = 101;

/// How arguments start a worker.
pub struct Worker {
    /// The arguments that every request begins with, the program's name first.
    given: Vec<OsString>,
    /// Whether this is the process that does what requests say.
    does: bool,
}

/// The worker that these arguments start, if they do.
pub fn started(arguments: impl Iterator<Item = OsString>) -> Option<Worker> {
    let is_flag = |argument: &OsString| argument == FLAG || argument == DOES;
    let (flags, given): (Vec<OsString>, Vec<OsString>) = arguments.partition(is_flag);
    (!flags.is_empty()).then(|| Worker { given, does: flags.iter().any(|flag| flag == DOES) })
}

/// Answers requests until there are no more. Returns the exit status: 1 if a stream breaks.
pub fn serve(worker: &Worker) -> u8 {
    let mut answers = std::io::stdout().lock();
    let mut requests = std::io::stdin().lock();
    let mut doer: Option<Doer> = None;
    loop {
        let request = match next_request(&mut requests) {
            Ok(Some(request)) => request,
            Ok(None) => {
                doer.map(Doer::end);
                return 0;
            }
            Err(_) => return 1,
        };
        let answer = match worker.does {
            true => answer(&worker.given, &request).to_string(),
            false => relay(&mut doer, &worker.given, &request),
        };
        if writeln!(answers, "{answer}").and_then(|()| answers.flush()).is_err() {
            return 1;
        }
    }
}

/// The process that does what requests say.
struct Doer {
    process: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Doer {
    fn start(given: &[OsString]) -> std::io::Result<Doer> {
        let mut process = Command::new(std::env::current_exe()?)
            .args(given.iter().skip(1))
            .arg(DOES)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (Some(requests), Some(answers)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(std::io::Error::other("a process without streams"));
        };
        Ok(Doer { process, requests, answers: BufReader::new(answers) })
    }

    /// The answer to a request, without the end of its line; `None` if the process died.
    fn answer(&mut self, request: &[u8]) -> Option<String> {
        self.requests.write_all(&[request, b"\n"].concat()).ok()?;
        self.requests.flush().ok()?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer).ok()?;
        answer.strip_suffix('\n').map(str::to_owned)
    }

    /// How it died.
    fn end(mut self) -> String {
        drop(self.requests);
        self.process.wait().map_or_else(|error| error.to_string(), |status| status.to_string())
    }
}

/// The answer of the process that does what requests say, which is begun when there is none. Where no process can be
/// begun, this one does it.
fn relay(doer: &mut Option<Doer>, given: &[OsString], request: &[u8]) -> String {
    if doer.is_none() {
        *doer = Doer::start(given).ok();
    }
    let Some(process) = doer else { return answer(given, request).to_string() };
    if let Some(answer) = process.answer(request) {
        return answer;
    }
    let how = doer.take().map(Doer::end).unwrap_or_default();
    let number = serde_json::from_slice(request).map_or(0, |request: Value| number(&request));
    let output = format!("planish died of this request ({how}); the log of the worker may say why\n");
    json!({ "exitCode": BROKE_DOWN, "output": output, "requestId": number }).to_string()
}

/// The bytes of the next request: to the end of its line or, since Bazel 4 ends no lines, to the brace that closes it. `None`
/// at the end of the input.
fn next_request(input: &mut impl BufRead) -> std::io::Result<Option<Vec<u8>>> {
    let mut request = Vec::new();
    let (mut depth, mut in_text, mut escaped) = (0u32, false, false);
    loop {
        let Some(&byte) = input.fill_buf()?.first() else {
            return Ok((!request.is_empty()).then_some(request));
        };
        input.consume(1);
        if request.is_empty() && byte.is_ascii_whitespace() {
            continue;
        }
        if byte == b'\n' {
            return Ok(Some(request));
        }
        request.push(byte);
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b'{' if !in_text => depth += 1,
            b'}' if !in_text => {
                depth = depth.saturating_sub(1);
                if depth == 0 && request[0] == b'{' {
                    return Ok(Some(request));
                }
            }
            _ => {}
        }
    }
}

/// The number that a build gave a request.
fn number(request: &Value) -> i64 {
    request.get("requestId").and_then(Value::as_i64).unwrap_or(0)
}

/// The answer to one request.
fn answer(given: &[OsString], request: &[u8]) -> Value {
    let request: Value = match serde_json::from_str(&String::from_utf8_lossy(request)) {
        Ok(request) => request,
        Err(error) => {
            return json!({ "exitCode": 2, "output": format!("no request: {error}\n"), "requestId": 0 });
        }
    };
    let number = number(&request);
    if request.get("cancel").and_then(Value::as_bool) == Some(true) {
        // Its request was answered before this line was read.
        return json!({ "wasCancelled": true, "requestId": number });
    }
    let (status, output) = match words(&request) {
        Ok(words) => command(given, words),
        Err(message) => (2, message),
    };
    json!({ "exitCode": status, "output": output, "requestId": number })
}

/// The arguments of a request.
fn words(request: &Value) -> Result<Vec<OsString>, String> {
    if let Some(folder) = request.get("sandboxDir").and_then(Value::as_str)
        && !folder.is_empty()
    {
        // Paths would have to be read below it; a worker that does not say it can is not sent one.
        return Err(format!("a sandbox within a worker is not supported: {}\n", Path::new(folder).display()));
    }
    let words = match request.get("arguments") {
        None => &[],
        Some(words) => words.as_array().map_or_else(
            || Err(format!("the arguments of a request are a list of strings, not {words}\n")),
            |words| Ok(words.as_slice()),
        )?,
    };
    (words.iter())
        .map(|word| match word.as_str() {
            Some(word) => Ok(OsString::from(word)),
            None => Err(format!("an argument of a request is a string, not {word}\n")),
        })
        .collect()
}

/// Runs a command line; its status and what it said.
fn command(given: &[OsString], words: Vec<OsString>) -> (u8, String) {
    let command = match Cli::try_parse_from(given.iter().cloned().chain(words)) {
        Ok(cli) => cli.command,
        Err(error) => return (u8::try_from(error.exit_code()).unwrap_or(2), error.to_string()),
    };
    let (status, said) = io::captured(|| panic::catch_unwind(AssertUnwindSafe(|| commands::run(command))));
    let said = String::from_utf8_lossy(&said).into_owned();
    match status {
        Ok(status) => (status, said),
        // The message of the panic is on standard error, which the build keeps as the worker's log.
        Err(_) => (BROKE_DOWN, said + "planish broke down; the log of the worker says where\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::next_request;

    #[test]
    fn requests_end_with_their_line_or_with_their_brace() {
        let mut input = &b"\n{\"a\": [\"}\\\"{\"]}{\"b\": {}}\nno request\n{broken\n{}"[..];
        let mut requests = Vec::new();
        while let Some(request) = next_request(&mut input).expect("bytes in memory") {
            requests.push(String::from_utf8(request).expect("text"));
        }
        assert_eq!(requests, ["{\"a\": [\"}\\\"{\"]}", "{\"b\": {}}", "no request", "{broken", "{}"]);
    }
}
