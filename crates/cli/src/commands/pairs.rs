//! `planish rules pairs`: the critical pairs of the book, joined by the engine.
//!
//! Pairs that do not join are listed with the program that shows it. Some are known, and named in
//! `rules/accepted.pairs` with a reason; what the file names and no pair needs any more is said.

use planish_book as book;
use planish_driver::confluence::{Apart, Joined, join};
use planish_prove::parallel;
use planish_rules::RuleId;
use planish_rules::critical::{Overlap, overlaps};
use planish_rules::rule::TermId;

use super::rule_names::named;
use crate::args::Slice;
use crate::failure::Failure;
use crate::io;

/// A line of the file of accepted pairs: rules by name, or `*` for any, and how they are apart.
struct Accepted<'a> {
    line: usize,
    outer: &'a str,
    inner: &'a str,
    how: &'a str,
}

impl Accepted<'_> {
    fn names(&self, outer: &str, inner: &str, how: &str) -> bool {
        let is = |wanted: &str, name: &str| wanted == "*" || wanted == name;
        let in_order = is(self.outer, outer) && is(self.inner, inner);
        self.how == how && (in_order || is(self.outer, inner) && is(self.inner, outer))
    }
}

/// The ways in which a pair is apart.
const WAYS: [&str; 4] = ["equal", "best", "egraph", "missed"];

/// The way in which a pair is apart.
fn way(apart: &Apart) -> usize {
    match (apart.loss(), apart.costs) {
        (0, [a, b]) if a == b => 0,
        (0, _) => 1,
        _ if apart.is_found() => 2,
        _ => 3,
    }
}

/// Joins the pairs of the book, or of some of its rules, or a slice of them.
pub fn run(rules: &[String], all_shown: bool, slice: Option<Slice>) -> Result<(), Failure> {
    let accepted = accepted(book::ACCEPTED)?;
    let wanted: Vec<RuleId> = rules.iter().map(|name| named(name)).collect::<Result<_, _>>()?;
    let is_wanted = |o: &Overlap| wanted.is_empty() || wanted.contains(&o.outer) || wanted.contains(&o.inner);
    let in_slice = |place: usize| slice.is_none_or(|slice| place % slice.of == slice.number - 1);
    let all: Vec<Overlap> = overlaps(book::set())
        .into_iter()
        .filter(is_wanted)
        .enumerate()
        .filter_map(|(place, overlap)| in_slice(place).then_some(overlap))
        .collect();
    let results =
        parallel::map(&all, parallel::available(), |&overlap| join(book::set(), overlap), &mut |_, _, _| {});
    let name = |rule: RuleId| book::set().rules[rule].name.as_str();
    let mut used = vec![false; accepted.len()];
    let (mut none, mut joined, mut ways, mut open) = (0, 0, [0; 4], 0);
    let mut text = String::new();
    for (overlap, result) in all.iter().zip(results) {
        match result.map_err(Failure::Rejected)? {
            Joined::NoProgram => none += 1,
            Joined::Yes => joined += 1,
            Joined::No(apart) => {
                let (outer, inner) = (name(overlap.outer), name(overlap.inner));
                let way = way(&apart);
                ways[way] += 1;
                let mut is_open = true;
                for (line, used) in accepted.iter().zip(&mut used) {
                    if line.names(outer, inner, WAYS[way]) {
                        (*used, is_open) = (true, false);
                    }
                }
                open += usize::from(is_open);
                if is_open || all_shown {
                    text += &shown(overlap, &apart, WAYS[way]);
                }
            }
        }
    }
    let [equal, best, egraph, missed] = ways;
    text += &format!(
        "{} places where two rules may meet\n{none:>6} without a program in which both fire\n{joined:>6} join\n\
         {equal:>6} stay apart at equal cost\n{best:>6} stay apart, and the engine comes to the cheaper one\n\
         {egraph:>6} stay apart, and only the e-graph engine comes to the cheaper one\n\
         {missed:>6} stay apart, and both miss the cheaper one\n",
        all.len(),
    );
    io::write(None, text.as_bytes())?;
    let is_whole = slice.is_none() && rules.is_empty();
    let stale: Vec<String> = accepted
        .iter()
        .zip(&used)
        .filter(|(_, used)| is_whole && !**used)
        .map(|(accepted, _)| {
            let Accepted { line, outer, inner, how } = accepted;
            format!("rules/accepted.pairs:{line}: {outer} and {inner} are no longer `{how}`\n")
        })
        .collect();
    io::say(format_args!("{}", stale.concat()));
    match open {
        0 => Ok(()),
        _ => Err(Failure::Rejected(format!(
            "{open} pairs do not join and are not accepted: a rule is missing that joins them, or rules/accepted.pairs \
             has to say why that does not matter"
        ))),
    }
}

/// The lines of the file: a rule, those that it does not join with, how and, behind a colon, why.
fn accepted(text: &str) -> Result<Vec<Accepted<'_>>, Failure> {
    let mut lines = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        if text.trim().is_empty() || text.starts_with('#') {
            continue;
        }
        let (names, reason) = text.split_once(':').unwrap_or((text, ""));
        let names: Vec<&str> = names.split_whitespace().collect();
        let is_way = names.last().is_some_and(|how| WAYS.contains(how));
        let ([outer, inner @ .., how], true, false) = (&names[..], is_way, reason.trim().is_empty()) else {
            let what = "a line names a rule, others, how they are apart and, behind a colon, a reason";
            return Err(Failure::Rejected(format!("rules/accepted.pairs:{line}: {what}: `{text}`")));
        };
        for name in names[..names.len() - 1].iter().filter(|name| **name != "*") {
            named(name)?;
        }
        lines.extend(inner.iter().map(|inner| Accepted { line, outer, inner, how }));
    }
    Ok(lines)
}

/// A pair that does not join, with the program that shows it.
fn shown(overlap: &Overlap, apart: &Apart, way: &str) -> String {
    let set = book::set();
    let (outer, inner) = (&set.rules[overlap.outer], &set.rules[overlap.inner]);
    let place = |at: TermId| if at == outer.pattern { "at its root" } else { "below its root" };
    let Apart { peak, given, made, left, costs, .. } = apart;
    let given = if given.is_empty() { String::new() } else { format!(" with {}", given.join(", ")) };
    let mut text =
        format!("{way}: {} and, {}, {}\n  {peak}{given}\n", outer.name, place(overlap.at), inner.name);
    for (((rule, made), left), cost) in [outer, inner].into_iter().zip(made).zip(left).zip(costs) {
        text += &format!("  {}: {made}, cost {cost}\n", rule.name);
        for line in left.lines().filter(|line| line.starts_with("    ")) {
            text += &format!("  {line}\n");
        }
    }
    text + "\n"
}
