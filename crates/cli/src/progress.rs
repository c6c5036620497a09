//! What long proofs tell whoever waits: what is being proved, and how much is done.
//!
//! In front of a terminal that is one line, which is written again and again and is gone in the end. Elsewhere, as in a log, it is
//! a line every ten seconds, so that silence means that something hangs. It all goes to standard error, and quick work says nothing.

use std::io::IsTerminal;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use planish_prove::under_way::UnderWay;

use crate::io;

/// How often the line of a terminal is written again.
const REDRAWN: Duration = Duration::from_millis(200);

/// How often there is a line where no terminal is.
const TOLD: Duration = Duration::from_secs(10);

/// How much of a terminal's line is used: what is longer would not be overwritten.
const WIDTH: usize = 79;

/// Tells of what is under way until it goes out of scope.
pub struct Progress {
    counted: Arc<Mutex<Option<(usize, usize)>>>,
    end: Option<Sender<()>>,
    teller: Option<JoinHandle<()>>,
}

impl Progress {
    /// Begins to tell of what is under way.
    pub fn of(under_way: &UnderWay) -> Progress {
        let counted = Arc::new(Mutex::new(None));
        let (end, ended) = mpsc::channel();
        let (under_way, seen) = (under_way.clone(), Arc::clone(&counted));
        let is_terminal = std::io::stderr().is_terminal();
        let teller = thread::spawn(move || {
            let began = Instant::now();
            let each = if is_terminal { REDRAWN } else { TOLD };
            while ended.recv_timeout(each) == Err(RecvTimeoutError::Timeout) {
                let counted = *seen.lock().unwrap_or_else(PoisonError::into_inner);
                let line = line(counted, &under_way.now(), began.elapsed());
                match is_terminal {
                    true => io::say_over(&format!("{line:.WIDTH$}")),
                    false => io::say_meanwhile(format_args!("{line}\n")),
                }
            }
            if is_terminal {
                io::say_over("");
            }
        });
        Progress { counted, end: Some(end), teller: Some(teller) }
    }

    /// So much of all that is now worked on is done.
    pub fn done(&self, done: usize, total: usize) {
        *self.counted.lock().unwrap_or_else(PoisonError::into_inner) = Some((done, total));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        // The teller ends when nobody is left who could tell it so.
        drop(self.end.take());
        if let Some(teller) = self.teller.take() {
            // It panics nowhere, and if it did, the work that it told of would be done all the same.
            let _ = teller.join();
        }
    }
}

fn line(counted: Option<(usize, usize)>, under_way: &[(String, Duration)], since: Duration) -> String {
    let counted = counted.map_or_else(String::new, |(done, total)| format!("[{done}/{total}] "));
    let each = under_way.iter().map(|(name, time)| format!("{name} ({} s)", time.as_secs()));
    let names: Vec<String> = each.collect();
    match names.is_empty() {
        true => format!("{counted}working ({} s)", since.as_secs()),
        false => format!("{counted}proving {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_what_is_proved_and_how_much_is_done() {
        let seconds = Duration::from_secs;
        let two = [("rule a".to_owned(), seconds(41)), ("rule b".to_owned(), seconds(2))];
        assert_eq!(line(Some((3, 12)), &two, seconds(60)), "[3/12] proving rule a (41 s), rule b (2 s)");
        assert_eq!(line(None, &two[..1], seconds(60)), "proving rule a (41 s)");
        assert_eq!(line(Some((0, 4)), &[], seconds(60)), "[0/4] working (60 s)");
    }
}
