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
    let (programs, corpus) = read(args)?;
    let limits = Limits { top: args.top, least: args.least };
    let taken = |name: &str| book::set().named(name).is_some();
    let found = find::find(&corpus, limits, &Settings::default(), &options, &taken, &progress);
    let priced = price(&programs, &corpus, &found)?;
    let priced_on = if is_held_back(&corpus) { "Held back" } else { "Where it was found" };
    let text = write::file(&head(args, &corpus), priced_on, &priced.rules);
    io::write(args.output.as_deref(), text.as_bytes())?;
    io::say(format_args!("{}", summary(args, &corpus, &found, &priced, began.elapsed())));
    Ok(())
}

/// The programs that can be read and have a function to learn from, and what is seen of them. Of a large corpus some file is always
/// broken: it is named, and the others are learned from. An error if there is none.
fn read(args: &Mine) -> Result<(Vec<Program>, Corpus), Failure> {
    let (mut corpus, mut programs, mut failures) = (Corpus::default(), Vec::new(), Vec::new());
    for path in &args.inputs {
        let learned = Program::read(path, args.from, &args.library).and_then(|program| {
            harvest(&program, None, Some(usize::from(args.size)))?.0.add_to(&mut corpus);
            Ok(program)
        });
        match learned {
            Ok(program) => programs.push(program),
            Err(failure) => failures.push(failure),
        }
    }
    if programs.is_empty() && failures.len() == 1 {
        return Err(failures.remove(0));
    }
    let said: Vec<&str> =
        (failures.iter()).map(|(Failure::Rejected(why) | Failure::Usage(why))| why.as_str()).collect();
    let said = said.join("\n");
    match (programs.is_empty(), said.is_empty()) {
        (true, _) => return Err(Failure::Rejected(said)),
        (false, true) => {}
        (false, false) => io::say(format_args!(
            "{said}\nwarning: what cannot be read is left out, the others are learned from\n"
        )),
    }
    Ok((programs, corpus))
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
        let (harvest, counts) = harvest(program, rules, size)?;
        fired.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        harvest.add_to(&mut corpus);
    }
    Ok((corpus, fired))
}

/// Optimizes a program: what is seen of it, and how often each rule besides the book fires.
fn harvest(
    program: &Program,
    rules: Option<&Arc<RuleSet>>,
    size: Option<usize>,
) -> Result<(Arc<Harvest>, Vec<u64>), Failure> {
    let name = program.name();
    let mut seen = None;
    let counts = program.optimize(|executed| {
        let harvest = Arc::new(Harvest::new(name, program.is_classes(), size).executed(executed));
        seen = Some(Arc::clone(&harvest));
        watched(&harvest, rules)
    })?;
    let harvest = seen.expect("settings are asked for once");
    if harvest.is_empty() {
        return Err(Failure::Rejected(format!("{name}: there is no function in it to learn from")));
    }
    Ok((harvest, counts.into_iter().skip(book::RULES.len()).collect()))
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
    /// The names of those without which it is the same, which are left out as well.
    idle: Vec<&'a str>,
    /// What is left of both parts with all of them.
    learned: Left,
    held_back: Left,
}

/// Prices rules, those first that are worth most. One that makes worse what was held back goes, and so does one that saves nothing
/// there; the others are priced without it: what each is worth depends on which others there are.
fn price<'a>(programs: &[Program], corpus: &Corpus, found: &'a Found) -> Result<Priced<'a>, Failure> {
    let (mut harm, mut idle): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    loop {
        let is_kept =
            |rule: &&Mined| !harm.contains(&rule.name.as_str()) && !idle.contains(&rule.name.as_str());
        let kept: Vec<&Mined> = found.rules.iter().filter(is_kept).collect();
        let priced = price_together(programs, corpus, &kept)?;
        let (before, rules) = (harm.len() + idle.len(), &priced.rules);
        harm.extend(rules.iter().filter(|(_, worth)| worth.is_harm()).map(|(rule, _)| rule.name.as_str()));
        if harm.len() + idle.len() == before {
            idle.extend(saving_nothing(programs, corpus, &priced, &kept)?);
        }
        if harm.len() + idle.len() == before {
            return Ok(Priced { harm, idle, ..priced });
        }
    }
}

/// The names of rules without all of which as much is left as with them. Of two that do the same each seems to be worth nothing
/// beside the other, so one that fires goes only if what those leave that went before does not become more.
fn saving_nothing<'a>(
    programs: &[Program],
    corpus: &Corpus,
    priced: &Priced<'a>,
    kept: &[&'a Mined],
) -> Result<Vec<&'a str>, Failure> {
    let mut gone: Vec<&str> = Vec::new();
    let seems_idle = priced.rules.iter().rev().filter(|(_, worth)| worth.is_nothing());
    for &(rule, worth) in seems_idle {
        if worth.fired > 0 && !gone.is_empty() {
            let is_left = |other: &&&Mined| !gone.contains(&other.name.as_str()) && other.name != rule.name;
            let others: Vec<&Mined> = kept.iter().filter(is_left).copied().collect();
            let (without, _) = optimize(programs, Some(&rules_of(&others, None)), None)?;
            let before = if is_held_back(corpus) { priced.held_back } else { priced.learned };
            let after = priced_part(&without, corpus);
            if (after.operations, after.cost) != (before.operations, before.cost) {
                continue;
            }
        }
        gone.push(&rule.name);
    }
    Ok(gone)
}

/// Whether there is a part that nothing was learned from.
fn is_held_back(corpus: &Corpus) -> bool {
    corpus.held_back.functions > 0
}

/// The part of an optimized corpus on which rules are priced: where nothing was held back, what they were learned from.
fn priced_part(optimized: &Corpus, corpus: &Corpus) -> Left {
    if is_held_back(corpus) { optimized.held_back } else { optimized.learned }
}

/// Prices each of some rules beside the others.
fn price_together<'a>(
    programs: &[Program],
    corpus: &Corpus,
    kept: &[&'a Mined],
) -> Result<Priced<'a>, Failure> {
    let (harm, idle, mut rules) = (Vec::new(), Vec::new(), Vec::new());
    if kept.is_empty() {
        return Ok(Priced { rules, harm, idle, learned: corpus.learned, held_back: corpus.held_back });
    }
    let (with_all, fired) = optimize(programs, Some(&rules_of(kept, None)), None)?;
    let with_all_left = priced_part(&with_all, corpus);
    let numbers: Vec<usize> = (0..kept.len()).collect();
    let without = |number: &usize| match fired[*number] {
        0 => Ok(with_all_left),
        _ => optimize(programs, Some(&rules_of(kept, Some(*number))), None)
            .map(|(optimized, _)| priced_part(&optimized, corpus)),
    };
    let left = parallel::map(&numbers, parallel::available(), without, &mut |done, _, _| {
        progress(&format!("priced {done} of {} rules", kept.len()));
    });
    for ((&rule, fired), without) in kept.iter().zip(fired).zip(left) {
        let without = without?;
        let more = |of: fn(&Left) -> u64| of(&without) as i64 - of(&with_all_left) as i64;
        rules.push((
            rule,
            Worth { fired, operations: more(|left| left.operations), cost: more(|left| left.cost) },
        ));
    }
    rules.sort_by_key(|(_, worth)| (-worth.cost, -worth.operations, std::cmp::Reverse(worth.fired)));
    Ok(Priced { rules, harm, idle, learned: with_all.learned, held_back: with_all.held_back })
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
        text.push_str(
            "warning: no function is held back, so rules are priced where they were found, and nothing tells what they are worth \
             elsewhere\n",
        );
    }
    if !priced.rules.is_empty() {
        text.push_str(
            "\n  fires  operations   cost  rule, by what is left more without it where rules are priced\n",
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
    if !priced.idle.is_empty() {
        let (count, names) = (priced.idle.len(), priced.idle.join(", "));
        let place = if is_held_back(corpus) { "where it was held back" } else { "anywhere" };
        text.push_str(&format!("{count} left out, which save nothing {place}: {names}\n"));
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
