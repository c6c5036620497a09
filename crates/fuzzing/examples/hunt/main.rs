//! Every generator and mutator in turn, for as long as one likes: see `scripts/campaign`.
//!
//! `hunt [--minutes N] [--seed N] [--only WORD] [--findings DIRECTORY] [--page FILE] [--list]`
//!
//! Each kind gets a second in turn, until the time is over: its seeds go on from the first one where the last turn
//! ended. The first seed is of the clock unless it is given, and printed. What is wrong is made small and written as
//! a file that a test can be made of; a kind that found something is left out from then on. Printed is a table of
//! runs, what they compared, and findings; `--page` adds the figures to those of that page. Exit status 1 with findings.

mod finding;
mod kinds;
mod page;
mod texts;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use planish_base::{caught, threads};

use kinds::{Kind, all};
use page::Row;

/// How long a kind is at work until it is the next one's turn.
const TURN: Duration = Duration::from_secs(1);

/// A run that takes longer is a finding: nothing that is tried here is large.
const LONGEST: Duration = Duration::from_secs(60);

/// What the command line says.
struct Arguments {
    time: Duration,
    seed: u64,
    only: Option<String>,
    findings: PathBuf,
    page: Option<PathBuf>,
    list: bool,
}

fn arguments() -> Arguments {
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64);
    let mut found = Arguments {
        time: Duration::from_secs(60),
        // Short enough to be typed.
        seed: clock % 1_000_000_007 * 1000,
        only: None,
        findings: PathBuf::from("findings"),
        page: None,
        list: false,
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().unwrap_or_else(|| panic!("{word} wants a value"));
        match word.as_str() {
            "--minutes" => {
                let minutes: f64 = value().parse().expect("--minutes wants a number");
                found.time = Duration::from_secs_f64(minutes * 60.0);
            }
            "--seed" => found.seed = value().parse().expect("--seed wants a number"),
            "--only" => found.only = Some(value()),
            "--findings" => found.findings = value().into(),
            "--page" => found.page = Some(value().into()),
            "--list" => found.list = true,
            other => panic!("there is no option {other}"),
        }
    }
    found
}

fn main() -> ExitCode {
    threads::on_large_stack(hunt)
}

fn hunt() -> ExitCode {
    let arguments = arguments();
    let wanted = |kind: &Kind| arguments.only.as_deref().is_none_or(|word| kind.name.contains(word));
    let kinds: Vec<Kind> = all().into_iter().filter(wanted).collect();
    if arguments.list {
        kinds.iter().for_each(|kind| println!("{}", kind.name));
        return ExitCode::SUCCESS;
    }
    assert!(!kinds.is_empty(), "no kind has this word in its name");
    println!("seed {}", arguments.seed);
    let mut rows: Vec<Row> = kinds.iter().map(|kind| Row::new(&kind.name)).collect();
    let watch = Watch::start();
    let end = Instant::now() + arguments.time;
    'time: loop {
        let mut any = false;
        for (kind, row) in kinds.iter().zip(&mut rows) {
            if row.findings > 0 {
                continue;
            }
            any = true;
            let begun = Instant::now();
            while begun.elapsed() < TURN {
                let seed = arguments.seed.wrapping_add(row.runs);
                watch.runs(&kind.name, seed);
                row.runs += 1;
                match caught::catch(|| (kind.attempt)(seed))
                    .unwrap_or_else(|panicked| Err(kind.panicked(&panicked, seed)))
                {
                    Ok(compared) => row.compared += compared,
                    Err(found) => {
                        row.findings += 1;
                        println!(
                            "FOUND {}, seed {seed}: {}",
                            kind.name,
                            found.written(&arguments.findings, seed)
                        );
                        break;
                    }
                }
            }
            row.seconds += begun.elapsed().as_secs_f64();
            if Instant::now() > end {
                break 'time;
            }
        }
        if !any {
            break;
        }
    }
    watch.rests();
    print!("{}", page::table(&rows));
    if let Some(path) = &arguments.page {
        page::add(path, &rows);
    }
    match rows.iter().any(|row| row.findings > 0) {
        true => ExitCode::FAILURE,
        false => ExitCode::SUCCESS,
    }
}

/// Ends the process, with the name of what it does, where a run takes too long.
struct Watch {
    begun: Instant,
}

/// What runs, and since when, in milliseconds from the start; 0 when nothing does.
static RUNS: std::sync::Mutex<(String, u64)> = std::sync::Mutex::new((String::new(), 0));
static SINCE: AtomicU64 = AtomicU64::new(0);

impl Watch {
    fn start() -> Watch {
        let begun = Instant::now();
        std::thread::spawn(move || {
            loop {
                std::thread::sleep(Duration::from_secs(1));
                let since = SINCE.load(Ordering::Relaxed);
                let now = begun.elapsed().as_millis() as u64;
                if since != 0 && now.saturating_sub(since) > LONGEST.as_millis() as u64 {
                    let runs = RUNS.lock().expect("nobody panics with it");
                    println!("FOUND {}, seed {}: no end after {LONGEST:?}", runs.0, runs.1);
                    std::process::exit(1);
                }
            }
        });
        Watch { begun }
    }

    fn runs(&self, kind: &str, seed: u64) {
        let mut runs = RUNS.lock().expect("nobody panics with it");
        if runs.0 != kind {
            runs.0 = kind.to_owned();
        }
        runs.1 = seed;
        SINCE.store(self.begun.elapsed().as_millis() as u64 + 1, Ordering::Relaxed);
    }

    fn rests(&self) {
        SINCE.store(0, Ordering::Relaxed);
    }
}
