//! `planish mine`: rules are found in programs.
//!
//! The corpus is optimized to learn from it, once more with all rules that were found to price them, and once more without each of
//! those that fire.

use std::io::IsTerminal;
use std::sync::Arc;
use std::time::{Duration, Instant};

use planish_base::SourceText;
use planish_book as book;
use planish_driver::{Settings, Witness};
use planish_mine::write::{self, Worth};
use planish_mine::{Corpus, Found, Harvest, Left, Limits, Mined, find};
use planish_prove::{Engine, Options, parallel};
use planish_rules::RuleSet;

use super::corpus::Program;
use super::{ledgers, prove};
use crate::args::Mine;
use crate::claims::Claims;
use crate::failure::Failure;
use crate::io;

/// How many seconds of work a candidate is given where nothing is said: many are tried.
const SECONDS: u64 = 5;

/// How many times as long it may take by the clock.
const SLOWER: u32 = 6;

/// Mines a corpus.
pub fn run(args: &Mine) -> Result<(), Failure> {
    let began = Instant::now();
    let mut claims = Claims::default();
    args.inputs.iter().chain(&args.library).for_each(|path| claims.read(path));
    claims.write("-o", args.output.as_deref())?;
    let engine = Engine::choose(args.solver.solver.as_deref()).map_err(|e| Failure::Usage(e.to_string()))?;
    let limit = Duration::from_secs(args.solver.timeout.unwrap_or(SECONDS));
    // Work is not the clock, and some of it is much slower than usual: the search goes on all the same.
    let clock = args.solver.clock().unwrap_or(limit * SLOWER);
    let mut options = Options { limit, clock: Some(clock), ..Options::new(engine) };
    options.lemmas = Arc::new(ledgers::shipped()?.fresh(&prove::theorems_expected(&options)));
    let programs: Vec<Program> = (args.inputs.iter())
        .map(|path| Program::read(path, args.from, &args.library))
        .collect::<Result<_, _>>()?;
    let (corpus, _) = optimize(&programs, None, Some(usize::from(args.size)))?;
    let limits = Limits { top: args.top, least: args.least };
    let taken = |name: &str| book::set().named(name).is_some();
    let found = find::find(&corpus, limits, &Settings::default(), &options, &taken, &progress);
    let priced = price(&programs, &corpus, &found)?;
    io::write(args.output.as_deref(), write::file(&head(args, &corpus), &priced.rules).as_bytes())?;
    io::say(format_args!("{}", summary(args, &corpus, &found, &priced, began.elapsed())));
    Ok(())
}

/// Progress is for people who wait in front of a terminal.
fn progress(what: &str) {
    if std::io::stderr().is_terminal() {
        io::say(format_args!("{what}\n"));
    }
}

/// Optimizes all programs: what is seen of them, and how often each rule besides the book fires.
fn optimize(
    programs: &[Program],
    rules: Option<&Arc<RuleSet>>,
    size: Option<usize>,
) -> Result<(Corpus, Vec<u64>), Failure> {
    let mut corpus = Corpus::default();
    let mut fired = vec![0; rules.map_or(0, |rules| rules.rules.len())];
    for program in programs {
        let name = program.name();
        let mut seen = None;
        let counts = program.optimize(|executed| {
            let harvest = Arc::new(Harvest::new(name, program.is_classes(), size).executed(executed));
            seen = Some(Arc::clone(&harvest));
            watched(&harvest, rules)
        })?;
        let harvest = seen.expect("settings are asked for once");
        let extra = counts.into_iter().skip(book::RULES.len());
        fired.iter_mut().zip(extra).for_each(|(sum, count)| *sum += count);
        if harvest.is_empty() {
            return Err(Failure::Rejected(format!("{name}: there is no function in it to learn from")));
        }
        harvest.add_to(&mut corpus);
    }
    Ok((corpus, fired))
}

/// Rules besides the book, and a harvest that sees what becomes of functions.
fn watched(harvest: &Arc<Harvest>, rules: Option<&Arc<RuleSet>>) -> Settings {
    let seen = Arc::clone(harvest);
    let witness = Witness::new(move |name, function, fact_of| seen.add(name, function, fact_of));
    Settings { rules: rules.cloned(), witness: Some(witness), ..Settings::default() }
}

/// What rules are worth on what was held back.
struct Priced<'a> {
    rules: Vec<(&'a Mined, Worth)>,
    /// The names of those that make it worse, which are left out.
    harm: Vec<&'a str>,
    /// What is left of both parts with all of them.
    learned: Left,
    held_back: Left,
}

/// Prices rules, those first that are worth most. One that makes worse what was held back goes, and the others are priced
/// without it: what each is worth depends on which others there are.
fn price<'a>(programs: &[Program], corpus: &Corpus, found: &'a Found) -> Result<Priced<'a>, Failure> {
    let mut harm: Vec<&str> = Vec::new();
    loop {
        let kept: Vec<&Mined> =
            found.rules.iter().filter(|rule| !harm.contains(&rule.name.as_str())).collect();
        let priced = price_together(programs, corpus, &kept)?;
        let worse = priced.rules.iter().filter(|(_, worth)| worth.is_harm());
        let before = harm.len();
        harm.extend(worse.map(|(rule, _)| rule.name.as_str()));
        if harm.len() == before {
            return Ok(Priced { harm, ..priced });
        }
    }
}

/// Prices each of some rules beside the others.
fn price_together<'a>(
    programs: &[Program],
    corpus: &Corpus,
    kept: &[&'a Mined],
) -> Result<Priced<'a>, Failure> {
    let (harm, mut rules) = (Vec::new(), Vec::new());
    if kept.is_empty() {
        return Ok(Priced { rules, harm, learned: corpus.learned, held_back: corpus.held_back });
    }
    let (with_all, fired) = optimize(programs, Some(&rules_of(kept, None)), None)?;
    let numbers: Vec<usize> = (0..kept.len()).collect();
    let without = |number: &usize| match fired[*number] {
        0 => Ok(with_all.held_back),
        _ => {
            optimize(programs, Some(&rules_of(kept, Some(*number))), None).map(|(corpus, _)| corpus.held_back)
        }
    };
    let left = parallel::map(&numbers, parallel::available(), without, &mut |done, _, _| {
        progress(&format!("priced {done} of {} rules", kept.len()));
    });
    for ((&rule, fired), without) in kept.iter().zip(fired).zip(left) {
        let without = without?;
        let more = |of: fn(&Left) -> u64| of(&without) as i64 - of(&with_all.held_back) as i64;
        rules.push((
            rule,
            Worth { fired, operations: more(|left| left.operations), cost: more(|left| left.cost) },
        ));
    }
    rules.sort_by_key(|(_, worth)| (-worth.cost, -worth.operations, std::cmp::Reverse(worth.fired)));
    Ok(Priced { rules, harm, learned: with_all.learned, held_back: with_all.held_back })
}

/// The rules as a set, one of them left out.
fn rules_of(rules: &[&Mined], without: Option<usize>) -> Arc<RuleSet> {
    let kept = rules.iter().enumerate().filter(|(number, _)| Some(*number) != without);
    let text: String = kept.map(|(_, rule)| format!("{}\n", rule.draft.text())).collect();
    Arc::new(RuleSet::read(vec![SourceText::new("mined.rules", text.as_str())]).0)
}

fn head(args: &Mine, corpus: &Corpus) -> String {
    format!(
        "Rules that were mined. Functions learned from: {}; files: {}; operations of a piece: up to {}; pieces searched: up to {}.\n\
         Each is proved. A person accepts them: gives names and reasons, and puts them into the file of their family.",
        corpus.learned.functions,
        args.inputs.len(),
        args.size,
        args.top
    )
}

/// What was done, on one screen, and what to do next.
fn summary(args: &Mine, corpus: &Corpus, found: &Found, priced: &Priced<'_>, took: Duration) -> String {
    let mut text = format!(
        "{} functions, {} operations left: {} learned from, {} held back\n\
         {} kinds of pieces, {} searched, {} have something cheaper; {} candidates follow from other rules, {} are not proved\n",
        corpus.learned.functions + corpus.held_back.functions,
        corpus.learned.operations + corpus.held_back.operations,
        corpus.learned.functions,
        corpus.held_back.functions,
        corpus.windows.len(),
        found.searched,
        found.cheaper,
        found.following,
        found.unproved.len(),
    );
    let (learned, held_back) = (corpus.learned, corpus.held_back);
    let left_out = [learned.floats + held_back.floats, learned.memory + held_back.memory];
    if left_out != [0, 0] {
        text.push_str(&format!(
            "not looked into: {} operations on floats, {} on memory; rules about floats are written by hand, and loads and stores are \
             removed by passes\n",
            left_out[0], left_out[1]
        ));
    }
    if corpus.held_back.functions == 0 {
        text.push_str("warning: no function is held back, so nothing tells what rules are worth elsewhere\n");
    }
    if !priced.rules.is_empty() {
        text.push_str(
            "\n  fires  operations   cost  rule, by what is left more without it where it was held back\n",
        );
    }
    for (rule, worth) in priced.rules.iter().take(SHOWN) {
        text.push_str(&format!(
            "{:>7}  {:>10}  {:>5}  {}\n",
            worth.fired, worth.operations, worth.cost, rule.name
        ));
    }
    if priced.rules.len() > SHOWN {
        text.push_str(&format!("  and {} more\n", priced.rules.len() - SHOWN));
    }
    if !priced.harm.is_empty() {
        let (count, names) = (priced.harm.len(), priced.harm.join(", "));
        text.push_str(&format!("{count} left out, with which what was held back is worse: {names}\n"));
    }
    let of = |before: Left, after: Left| {
        format!("{} of {}", before.operations - after.operations.min(before.operations), before.operations)
    };
    text.push_str(&format!(
        "\n{} rules in {:.1} s; with all of them {} operations less where they were found, {} where it was held back\n",
        priced.rules.len(),
        took.as_secs_f64(),
        of(corpus.learned, priced.learned),
        of(corpus.held_back, priced.held_back),
    ));
    let file = args.output.as_ref().map(|path| path.display());
    text.push_str(&match (priced.rules.is_empty(), file) {
        (true, _) => format!(
            "next: --size {}, a larger --top or --least 1, or other programs\n",
            args.size.saturating_add(1).min(5)
        ),
        (false, Some(file)) => format!(
            "next: read {file}, then `planish prove {file}` and `planish opt --rules {file} PROGRAM`\n"
        ),
        (false, None) => {
            "next: the rules are on standard output; `-o mined.rules` writes a file, for `planish prove \
                          mined.rules` and `planish opt --rules mined.rules PROGRAM`\n"
                .to_owned()
        }
    });
    text
}

/// How many rules the summary names.
const SHOWN: usize = 12;
