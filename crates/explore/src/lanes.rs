//! Questions that are answered by processes.
//!
//! A [`Lane`] is a worker process and whoever waits for it. There is one for each kind of question of each open page, and it
//! answers one question at a time: a newer one ends the process that is at work on an older one, for which nobody waits any
//! more. A process that takes longer than its time is ended as well, and one that dies is replaced by the next question.

use std::io::{BufRead, BufReader, Error, ErrorKind, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How a worker is started: a command that answers lines by lines ([`serve`](crate::work::serve)).
pub type Start = dyn Fn() -> Command + Send + Sync;

/// What comes of a question.
#[derive(Debug, PartialEq, Eq)]
pub enum Answer {
    /// A line.
    Line(String),
    /// A newer question came.
    Superseded,
    /// It took longer than it may.
    TooLong,
    /// The worker died of it, or none could be started: why.
    Died(String),
}

/// A worker, and whoever waits for it.
#[derive(Default)]
pub struct Lane {
    /// The number of the newest question, from 1.
    newest: AtomicU64,
    /// The process; whoever holds it asks.
    worker: Mutex<Option<Worker>>,
    /// What is at work, for whoever wants to end it.
    working: Mutex<Option<End>>,
}

impl Lane {
    /// Asks, and waits for the answer, at most so long. Questions may overtake each other on their way here; the one that was
    /// asked last has the highest number. Without one it is newer than all before.
    pub fn ask(&self, number: Option<u64>, start: &Start, question: &str, limit: Duration) -> Answer {
        let number = match number {
            Some(number) if self.newest.fetch_max(number, Ordering::SeqCst) >= number => {
                return Answer::Superseded;
            }
            Some(number) => number,
            None => self.newest.fetch_add(1, Ordering::SeqCst) + 1,
        };
        self.end_work();
        let mut worker = locked(&self.worker);
        let answer = self.ask_in_turn(&mut worker, start, question, number, limit);
        *locked(&self.working) = None;
        // It may have been ended for a newer question when it had answered this one already.
        if !matches!(answer, Answer::Line(_)) || !self.is_newest(number) {
            *worker = None;
        }
        match answer {
            // It was ended for a newer one.
            Answer::Died(_) if !self.is_newest(number) => Answer::Superseded,
            answer => answer,
        }
    }

    fn is_newest(&self, number: u64) -> bool {
        self.newest.load(Ordering::SeqCst) == number
    }

    fn ask_in_turn(
        &self,
        worker: &mut Option<Worker>,
        start: &Start,
        question: &str,
        number: u64,
        limit: Duration,
    ) -> Answer {
        if worker.is_none() {
            match Worker::start(start) {
                Ok(started) => *worker = Some(started),
                Err(error) => return Answer::Died(format!("no process can be started: {error}")),
            }
        }
        let Some(worker) = worker else { return Answer::Died(String::new()) };
        *locked(&self.working) = Some(worker.end.clone());
        // A newer question that came before this was said has ended nothing.
        if !self.is_newest(number) {
            return Answer::Superseded;
        }
        worker.ask(question, limit)
    }

    /// Ends the process that is at work, if one is.
    fn end_work(&self) {
        if let Some(end) = &*locked(&self.working) {
            end.end();
        }
    }
}

/// A process that answers.
struct Worker {
    end: End,
    questions: ChildStdin,
    /// Its answers, and nothing when there are no more.
    answers: Receiver<Option<String>>,
}

/// By what a worker is ended, and whoever waits for it told so.
#[derive(Clone)]
struct End {
    process: Arc<Mutex<Child>>,
    answers: Sender<Option<String>>,
}

impl End {
    fn end(&self) {
        // One that has ended before is as dead; one that nobody waits for is told nobody.
        let _ = locked(&self.process).kill();
        let _ = self.answers.send(None);
    }
}

impl Worker {
    fn start(start: &Start) -> std::io::Result<Worker> {
        let mut process = start().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (Some(questions), Some(answers)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(Error::new(ErrorKind::BrokenPipe, "a process without streams"));
        };
        let (sender, receiver) = mpsc::channel();
        let end = End { process: Arc::new(Mutex::new(process)), answers: sender.clone() };
        let read = move || {
            for line in BufReader::new(answers).lines() {
                let Ok(line) = line else { break };
                if sender.send(Some(line)).is_err() {
                    return;
                }
            }
            let _ = sender.send(None);
        };
        let worker = Worker { end, questions, answers: receiver };
        // Without a thread the worker that was begun is ended, as it is dropped.
        thread::Builder::new().name("answers".into()).spawn(read)?;
        Ok(worker)
    }

    fn ask(&mut self, question: &str, limit: Duration) -> Answer {
        // The end of a process that cannot be written to is seen when it is read from.
        let _ = writeln!(self.questions, "{question}").and_then(|()| self.questions.flush());
        match self.answers.recv_timeout(limit) {
            Ok(Some(line)) => Answer::Line(line),
            Err(RecvTimeoutError::Timeout) => Answer::TooLong,
            Ok(None) | Err(RecvTimeoutError::Disconnected) => {
                let ended = locked(&self.end.process).wait();
                Answer::Died(ended.map_or_else(|error| error.to_string(), |status| status.to_string()))
            }
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.end.end();
        // A process that was waited for before is gone already.
        let _ = locked(&self.end.process).wait();
    }
}

/// What is behind a lock; a panic of another holder has left it whole.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(all(test, unix))]
mod tests {
    use std::time::Instant;

    use super::*;

    /// A worker that is a script of the shell.
    fn shell(script: &'static str) -> impl Fn() -> Command + Send + Sync {
        move || {
            let mut command = Command::new("sh");
            command.args(["-c", script]);
            command
        }
    }

    const SECOND: Duration = Duration::from_secs(10);

    #[test]
    fn one_process_answers_many_questions_and_another_takes_over_when_it_dies() {
        let lane = Lane::default();
        let start = shell("while read -r q; do [ \"$q\" = die ] && exit 7; echo \"$$ $q\"; done");
        let answer = |question| match lane.ask(None, &start, question, SECOND) {
            Answer::Line(line) => line,
            other => panic!("{other:?}"),
        };
        let (first, second) = (answer("a"), answer("b"));
        assert_eq!(first.replace(" a", ""), second.replace(" b", ""));
        let Answer::Died(how) = lane.ask(None, &start, "die", SECOND) else { panic!("it dies") };
        assert!(how.contains('7'), "{how}");
        assert!(answer("c").ends_with(" c"));
    }

    #[test]
    fn a_newer_question_ends_an_older_one_and_time_ends_any() {
        let lane = Lane::default();
        let start = shell("while read -r q; do [ \"$q\" = loop ] && sleep 100; echo \"$q\"; done");
        let begin = Instant::now();
        thread::scope(|scope| {
            let old = scope.spawn(|| lane.ask(None, &start, "loop", SECOND * 6));
            while locked(&lane.working).is_none() {
                thread::yield_now();
            }
            assert_eq!(lane.ask(None, &start, "new", SECOND), Answer::Line("new".into()));
            assert_eq!(old.join().expect("no panic"), Answer::Superseded);
        });
        assert_eq!(lane.ask(None, &start, "loop", Duration::from_millis(50)), Answer::TooLong);
        assert_eq!(lane.ask(None, &start, "again", SECOND), Answer::Line("again".into()));
        // One that was overtaken changes nothing.
        assert_eq!(lane.ask(Some(9), &start, "last", SECOND), Answer::Line("last".into()));
        assert_eq!(lane.ask(Some(8), &start, "overtaken", SECOND), Answer::Superseded);
        assert_eq!(lane.ask(Some(10), &start, "next", SECOND), Answer::Line("next".into()));
        assert!(begin.elapsed() < SECOND * 6);
    }
}
