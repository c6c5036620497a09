//! What a worker does with a question: a line of JSON comes, a line of JSON goes.
//!
//! A worker is a process of its own, so that nothing that is typed ends or blocks the page: not a loop in the optimizer, nor
//! too deep a recursion, nor the end of memory. Whoever asks ends it when nobody waits any more.

use std::cell::OnceCell;
use std::io::{BufRead, Write};
use std::sync::mpsc;

use planish_base::caught;
use planish_prove::Ledger;
use planish_prove::Options;
use planish_prove::prover::prove_one;
use serde_json::{Value, json};

use crate::input::Input;
use crate::optimize::optimized;
use crate::rule_box::{RuleBox, verdict};
use crate::wrong::shown_on_program;

/// What a worker is given.
pub struct Knowledge {
    /// What is proved of the book.
    pub ledger: Ledger,
    /// How a rule is proved; asked for when there is one.
    pub options: Box<dyn Fn() -> Options>,
}

/// Answers the questions that come in, until there are no more. `gone` is called when whoever asks has gone, from another
/// thread: what is being worked at is for nobody.
pub fn serve(
    knowledge: &Knowledge,
    questions: impl BufRead + Send + 'static,
    mut answers: impl Write,
    gone: impl FnOnce() + Send + 'static,
) -> std::io::Result<()> {
    caught::set_guards(true);
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        for line in questions.lines() {
            let Ok(line) = line else { break };
            if sender.send(line).is_err() {
                break;
            }
        }
        gone();
    });
    let options = OnceCell::new();
    for line in receiver {
        let answer = answer(knowledge, &options, &line);
        writeln!(answers, "{answer}")?;
        answers.flush()?;
    }
    Ok(())
}

/// The answer to one question. A panic is an answer too.
fn answer(knowledge: &Knowledge, options: &OnceCell<Options>, line: &str) -> Value {
    let done = caught::catch(|| {
        let question: Value =
            serde_json::from_str(line).map_err(|error| format!("error: no question: {error}"))?;
        let input = Input::of(&question)?;
        let rules = RuleBox::read(&input.rules, question.get("verdicts"));
        match question.get("kind").and_then(Value::as_str) {
            Some("optimize") => Ok(optimized(&input, &rules, &knowledge.ledger)),
            Some("try") => Ok(shown_on_program(&input, &rules)),
            Some("prove") => Ok(rules.unknown().map_or_else(
                || json!({ "none": true }),
                |rule| verdict(rule, &prove_one(rule, options.get_or_init(&knowledge.options))),
            )),
            _ => Err("error: a question of no kind".to_owned()),
        }
    });
    match done {
        Ok(Ok(answer)) => answer,
        Ok(Err(error)) => json!({ "error": error }),
        Err(panicked) => json!({ "error": panicked.report("this input") }),
    }
}
