//! What a run did, in numbers: operations and guards before and after, rewrites by kind, rules by name.

use std::fmt::Write;

use planish_book as book;
use planish_ir::Function;
use planish_ir::bridge::FactCounts;
use planish_ops::Effect;
use planish_opt::{Kind, Record};
use planish_rules::{RuleSet, stats};
use serde_json::{Value, json};

/// Operations of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// All but markers.
    pub operations: u64,
    /// Guards and checks.
    pub guards: u64,
    /// Fresh objects, arrays and strings.
    pub allocations: u64,
}

impl Counts {
    /// The operations that stand in the blocks of a function, terminators apart.
    pub fn of(function: &Function) -> Counts {
        let mut counts = Counts::default();
        for (_, inst) in function.live_insts() {
            match function.row(inst).effect {
                Effect::Marker => continue,
                Effect::Guard => counts.guards += 1,
                Effect::Allocate => counts.allocations += 1,
                Effect::Pure | Effect::Load | Effect::Store | Effect::Call => {}
            }
            counts.operations += 1;
        }
        counts
    }

    fn add(&mut self, other: &Counts) {
        self.operations += other.operations;
        self.guards += other.guards;
        self.allocations += other.allocations;
    }

    fn json(self) -> Value {
        json!({ "operations": self.operations, "guards": self.guards, "allocations": self.allocations })
    }
}

/// A function or trace, before and after.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its name, or where it begins.
    pub name: String,
    /// As it came in.
    pub before: Counts,
    /// As it went out; `None` when it was left alone.
    pub after: Option<Counts>,
    /// What PyPy left of the same trace, in one pass without knowledge about its inputs.
    pub peer: Option<Counts>,
    /// Why the trace can never run to its end.
    pub invalid: Option<String>,
    /// What a bridge was told of its parent, if that is known.
    pub told: Option<FactCounts>,
    /// What is left of it without that, if that was counted.
    pub untold: Option<Counts>,
    /// What only a trace of a log has.
    pub logged: Option<Logged>,
}

/// What is said of a trace of a log besides.
#[derive(Clone, Debug, Default)]
pub struct Logged {
    /// What PyPy made of it, in a word.
    pub shape: Option<&'static str>,
    /// Every further iteration of a loop that was peeled.
    pub body: Option<Counts>,
    /// The same as PyPy left it.
    pub peer_body: Option<Counts>,
    /// Whether the text says enough that no more should be left than PyPy left.
    pub says_enough: bool,
    /// Where more is left: what the text lacks.
    pub lacks: Vec<&'static str>,
    /// What was assumed because it was asked for.
    pub assumed: Vec<String>,
    /// How many calls it has of functions that are known by their names.
    pub known_calls: usize,
    /// How many facts about constants the body shows that PyPy made.
    pub shown: usize,
    /// How many calls PyPy's result shows to leave something alone.
    pub shown_effects: usize,
}

/// How much is said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// What was done most, for people.
    Screen,
    /// Everything, for people.
    Full,
    /// Everything, as one object for tools.
    Json,
}

/// Counts of every function, before and after.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// The functions, in order.
    pub rows: Vec<Row>,
}

/// What a line about a function or trace has.
#[derive(Clone, Copy)]
struct Columns {
    /// The width of names.
    width: usize,
    guards: bool,
    allocations: bool,
    /// What is said of a trace of a log besides.
    notes: bool,
}

impl Row {
    fn line(&self, columns: Columns, out: &mut String) -> std::fmt::Result {
        let (Row { name, before, .. }, width) = (self, columns.width);
        // Cut in the middle: both the program and the place in it tell traces apart.
        let chars: Vec<char> = name.chars().collect();
        let name = match chars.len() <= width {
            true => name.clone(),
            false => {
                let (head, tail) = (width / 2, width - width / 2 - 1);
                let ends = [&chars[..head], &['…'], &chars[chars.len() - tail..]];
                ends.concat().into_iter().collect()
            }
        };
        write!(out, "{name:width$}")?;
        let mut column = |title: &str, of: fn(&Counts) -> u64| {
            write!(out, "  {title} {:>5} -> ", of(before))?;
            match &self.after {
                Some(after) => write!(out, "{:<5}", of(after))?,
                None => out.push_str("kept "),
            }
            match &self.peer {
                Some(peer) => write!(out, " (PyPy {:>5})", of(peer)),
                None => Ok(()),
            }
        };
        column("operations", |c| c.operations)?;
        if columns.guards {
            column("guards", |c| c.guards)?;
        }
        if columns.allocations {
            column("allocations", |c| c.allocations)?;
        }
        if let Some(body) = self.logged.as_ref().and_then(|logged| logged.body) {
            write!(out, "  body {:>5}", body.operations)?;
        }
        if let Some(body) = self.logged.as_ref().and_then(|logged| logged.peer_body) {
            write!(out, " (PyPy {:>5})", body.operations)?;
        }
        if let Some(reason) = &self.invalid {
            write!(out, "  invalid loop: {reason}")?;
        }
        let logged = self.logged.as_ref().filter(|_| columns.notes);
        if let Some(logged) = logged.filter(|logged| !logged.lacks.is_empty()) {
            write!(out, "  not in the text: {}", logged.lacks.join(", "))?;
        }
        if let Some(logged) = logged.filter(|logged| !logged.assumed.is_empty()) {
            write!(out, "  assumed: {}", logged.assumed.join(", "))?;
        }
        out.push('\n');
        Ok(())
    }

    /// How many operations fewer there are.
    fn gone(&self) -> u64 {
        self.after.map_or(0, |after| self.before.operations.saturating_sub(after.operations))
    }

    /// Whether any row has something to count, before or after.
    fn any(rows: &[&Row], of: fn(&Counts) -> u64) -> bool {
        rows.iter().any(|row| {
            let counts = [Some(row.before), row.after, row.peer];
            counts.iter().flatten().any(|counts| of(counts) > 0)
        })
    }

    fn json(&self) -> Value {
        let mut object = serde_json::Map::new();
        object.insert("name".into(), json!(self.name));
        object.insert("before".into(), self.before.json());
        for (key, counts) in [("after", self.after), ("pypy", self.peer)] {
            if let Some(counts) = counts {
                object.insert(key.into(), counts.json());
            }
        }
        if let Some(reason) = &self.invalid {
            object.insert("invalid".into(), json!(reason));
        }
        if let Some(told) = &self.told {
            let told: serde_json::Map<String, Value> =
                told.named().map(|(name, count)| (name.to_owned(), json!(count))).collect();
            object.insert("told_by_parent".into(), Value::Object(told));
        }
        if let Some(untold) = self.untold {
            object.insert("untold".into(), untold.json());
        }
        if let Some(logged) = &self.logged {
            for (key, counts) in [("body", logged.body), ("pypy_body", logged.peer_body)] {
                if let Some(counts) = counts {
                    object.insert(key.into(), counts.json());
                }
            }
            if let Some(shape) = logged.shape {
                object.insert("shape".into(), json!(shape));
            }
            object.insert("says_enough".into(), json!(logged.says_enough));
            object.insert("lacks".into(), json!(logged.lacks));
            object.insert("known_calls".into(), json!(logged.known_calls));
            object.insert("shown_by_pypy".into(), json!(logged.shown));
            object.insert("shown_effects".into(), json!(logged.shown_effects));
            if !logged.assumed.is_empty() {
                object.insert("assumed".into(), json!(logged.assumed));
            }
        }
        Value::Object(object)
    }
}

/// The rules of the book, and those that were read besides it, with their counts.
fn rule_counts<'s>(record: &Record, extra: Option<&'s RuleSet>) -> Vec<(&'s RuleSet, stats::Counts)> {
    let (of_book, others) = record.rules().split_at(record.rules().len().min(book::RULES.len()));
    let book = (book::set(), stats::Counts::from_slice(of_book));
    std::iter::once(book).chain(extra.map(|set| (set, stats::Counts::from_slice(others)))).collect()
}

/// How many kinds of rewrites, and how many rules, one line names.
const NAMED: usize = 6;

/// In two lines for people, how often the most frequent kinds of rewrites were made, and the most frequent rules fired.
/// `extra` are rules that were read besides the book.
pub fn brief(record: &Record, extra: Option<&RuleSet>) -> String {
    let kinds = Kind::PLAIN.into_iter().map(|kind| (kind.name(), record.count(kind)));
    let counts = rule_counts(record, extra);
    let groups = counts.iter().flat_map(|(set, counts)| counts.groups(&set.rules));
    let rules = groups.flat_map(|(_, group)| group);
    line("rewrites", kinds.chain(record.stages()).collect()) + &line("rules", rules.collect())
}

/// The most frequent of many things in a line, or nothing if there is none.
fn line(what: &str, mut counts: Vec<(&str, u64)>) -> String {
    counts.retain(|(_, count)| *count > 0);
    counts.sort_by_key(|&(name, count)| (std::cmp::Reverse(count), name));
    let (most, others) = counts.split_at(counts.len().min(NAMED));
    let most: Vec<String> = most.iter().map(|(name, count)| format!("{name} {count}")).collect();
    match (most.is_empty(), others.len()) {
        (true, _) => String::new(),
        (false, 0) => format!("{what}: {}\n", most.join(", ")),
        (false, count) => format!("{what}: {}; {count} others (--stats)\n", most.join(", ")),
    }
}

const NEVER: &str = "writing to a string does not fail";

/// How many lines a part of the statistics has on a screen.
const MOST: usize = 8;

/// How often rewrites of each kind were made, those of rules together and last.
fn rewrites(record: &Record) -> Vec<(&str, u64)> {
    let kinds = Kind::PLAIN.into_iter().map(|kind| (kind.name(), record.count(kind)));
    let rules = ("by rules", record.rules().iter().sum());
    let made = kinds.chain(record.stages()).chain([rules]);
    made.filter(|(_, count)| *count > 0).collect()
}

/// The most frequent of many things, a line each, and how often all of them happened.
fn table(out: &mut String, what: &str, mut counts: Vec<(&str, u64)>) {
    counts.retain(|(_, count)| *count > 0);
    counts.sort_by_key(|&(name, count)| (std::cmp::Reverse(count), name));
    if counts.is_empty() {
        return;
    }
    let all: u64 = counts.iter().map(|(_, count)| count).sum();
    writeln!(out, "{all:>8}  {what}").expect(NEVER);
    let (most, others) = counts.split_at(counts.len().min(MOST));
    for (name, count) in most {
        writeln!(out, "  {count:>8}  {name}").expect(NEVER);
    }
    if !others.is_empty() {
        let count: u64 = others.iter().map(|(_, count)| count).sum();
        writeln!(out, "  {count:>8}  {} others (--stats=full)", others.len()).expect(NEVER);
    }
    out.push('\n');
}

/// Names longer than this are cut in tables for people.
const LONGEST_NAME: usize = 60;

impl Statistics {
    /// Adds a function.
    pub fn add(&mut self, name: &str, before: Counts, after: Counts) {
        let name = name.to_owned();
        self.rows.push(Row {
            name,
            before,
            after: Some(after),
            peer: None,
            invalid: None,
            told: None,
            untold: None,
            logged: None,
        });
    }

    /// The sums: of all rows, or, when a peer's counts are known, of the rows that have them all.
    pub fn total(&self) -> Row {
        let with_peer = self.rows.iter().any(|row| row.peer.is_some());
        let mut total = Row {
            name: "total".to_owned(),
            before: Counts::default(),
            after: Some(Counts::default()),
            peer: with_peer.then(Counts::default),
            invalid: None,
            told: None,
            untold: None,
            logged: None,
        };
        for row in &self.rows {
            if with_peer && (row.peer.is_none() || row.after.is_none()) {
                continue;
            }
            total.before.add(&row.before);
            if let (Some(sum), Some(after)) = (&mut total.after, row.after.or(Some(row.before))) {
                sum.add(&after);
            }
            if let (Some(sum), Some(peer)) = (&mut total.peer, row.peer) {
                sum.add(&peer);
            }
        }
        total
    }

    /// The statistics of a run. `extra` are rules that were read besides the book.
    pub fn show(&self, detail: Detail, record: &Record, extra: Option<&RuleSet>) -> String {
        match detail {
            Detail::Screen => self.screen(record, extra),
            Detail::Full => self.full(record, extra),
            Detail::Json => self.json(record, extra),
        }
    }

    /// For people, on a screen: the rules that fired most often, the most frequent other rewrites, the functions or
    /// traces of which most went, and the total.
    fn screen(&self, record: &Record, extra: Option<&RuleSet>) -> String {
        let mut out = String::new();
        let counts = rule_counts(record, extra);
        let groups = counts.iter().flat_map(|(set, counts)| counts.groups(&set.rules));
        table(&mut out, "rules", groups.flat_map(|(_, group)| group).collect());
        table(&mut out, "rewrites", rewrites(record));
        out.push_str(&without_proof(extra));
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        order.sort_by_key(|&at| std::cmp::Reverse(self.rows[at].gone()));
        order.truncate(MOST);
        order.sort_unstable();
        let rows: Vec<&Row> = order.into_iter().map(|at| &self.rows[at]).collect();
        self.lines(&rows, false, &mut out);
        out
    }

    /// For people, all of it: every rule below its operation, those that never fired too, the other rewrites, every
    /// function or trace with what its text lacks, and the total.
    fn full(&self, record: &Record, extra: Option<&RuleSet>) -> String {
        let mut out = String::new();
        for (set, counts) in rule_counts(record, extra) {
            out.push_str(&counts.text(&set.rules));
            out.push('\n');
        }
        out.push_str("rewrites\n");
        for (name, count) in rewrites(record) {
            writeln!(out, "  {count:>8}  {name}").expect(NEVER);
        }
        out.push_str(&without_proof(extra));
        out.push('\n');
        let rows: Vec<&Row> = self.rows.iter().collect();
        self.lines(&rows, true, &mut out);
        out
    }

    /// Some rows and the total.
    fn lines(&self, rows: &[&Row], notes: bool, out: &mut String) {
        let total = self.total();
        let others = self.rows.len() - rows.len();
        let summed: Vec<&Row> = rows.iter().copied().chain((self.rows.len() > 1).then_some(&total)).collect();
        let columns = Columns {
            width: summed.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).min(LONGEST_NAME),
            guards: Row::any(&summed, |counts| counts.guards),
            allocations: Row::any(&summed, |counts| counts.allocations),
            notes,
        };
        for row in rows {
            row.line(columns, out).expect(NEVER);
        }
        if others > 0 {
            writeln!(out, "{others} others, of which less went (--stats=full)").expect(NEVER);
        }
        if self.rows.len() > 1 {
            total.line(columns, out).expect(NEVER);
        }
        if total.peer.is_some() {
            let compared = self.rows.iter().filter(|row| row.peer.is_some() && row.after.is_some()).count();
            let all = self.rows.len();
            writeln!(out, "the total is over the {compared} of {all} traces that PyPy optimized too")
                .expect(NEVER);
        }
        self.bodies(out);
        self.bridges(out);
        let mut said = |count: usize, what: &str| {
            if count > 0 {
                writeln!(out, "{count} {what}").expect(NEVER);
            }
        };
        let known = self.logged().map(|logged| logged.known_calls).sum();
        said(known, "calls of functions whose effects are known by their names");
        let shown = self.logged().map(|logged| logged.shown).sum();
        said(shown, "facts about constants that the bodies of PyPy's loops show");
        let shown = self.logged().map(|logged| logged.shown_effects).sum();
        said(shown, "calls that leave fields alone, by PyPy's results");
    }

    fn logged(&self) -> impl Iterator<Item = &Logged> {
        self.rows.iter().filter_map(|row| row.logged.as_ref())
    }

    /// The bodies of loops, beside those that PyPy left.
    fn bodies(&self, out: &mut String) {
        let both = self.logged().filter_map(|logged| logged.body.zip(logged.peer_body));
        let (mut loops, mut ours, mut theirs, mut more) = (0, 0, 0, 0);
        for (body, peer) in both {
            loops += 1;
            ours += body.operations;
            theirs += peer.operations;
            more += usize::from(body.operations > peer.operations);
        }
        if loops > 0 {
            writeln!(out, "bodies of {loops} loops: operations {ours} (PyPy {theirs}), more in {more}")
                .expect(NEVER);
        }
    }

    /// The bridges that were told something of their parents.
    fn bridges(&self, out: &mut String) {
        let (mut bridges, mut facts, mut saved) = (0, FactCounts::default(), None);
        for row in &self.rows {
            let Some(told) = &row.told else { continue };
            bridges += 1;
            facts.add(told);
            if let (Some(untold), Some(after)) = (row.untold, row.after) {
                let fewer = untold.operations as i64 - after.operations as i64;
                saved = Some(saved.unwrap_or(0) + fewer);
            }
        }
        if bridges == 0 {
            return;
        }
        let mut named: Vec<String> = facts.named().map(|(name, count)| format!("{name} {count}")).collect();
        if named.is_empty() {
            named.push("nothing of use".to_owned());
        }
        let saved = saved.map_or(String::new(), |saved| format!("; {saved} operations fewer by that"));
        writeln!(out, "{bridges} bridges know their parents: {}{saved}", named.join(", ")).expect(NEVER);
    }

    /// For tools: one object, with the names of the rules that are used without a proof. Every rule has a member in the object of its operation, zero or not.
    fn json(&self, record: &Record, extra: Option<&RuleSet>) -> String {
        let kinds: serde_json::Map<String, Value> = Kind::PLAIN
            .into_iter()
            .map(|kind| (kind.name().to_owned(), json!(record.count(kind))))
            .chain(record.stages().map(|(name, count)| (name.to_owned(), json!(count))))
            .collect();
        let mut rules = serde_json::Map::new();
        for (set, counts) in rule_counts(record, extra) {
            for (op, group) in counts.groups(&set.rules) {
                let entry = rules.entry(op.name()).or_insert_with(|| json!({}));
                let object = entry.as_object_mut().expect("an object was put there");
                object.extend(group.into_iter().map(|(name, count)| (name.to_owned(), json!(count))));
            }
        }
        let budgets: serde_json::Map<String, Value> =
            record.budgets().iter().map(|&(name, hits)| (name.to_owned(), json!(hits))).collect();
        let object = json!({
            "functions": self.rows.iter().map(Row::json).collect::<Vec<_>>(),
            "total": self.total().json(),
            "rewrites": kinds,
            "rules": rules,
            "budgets": budgets,
            "unproved": extra.map_or(&[][..], |set| &set.unproved),
        });
        format!("{object:#}\n")
    }
}

/// The rules that are used though nobody proved them, in a line, if there are any.
fn without_proof(extra: Option<&RuleSet>) -> String {
    match extra {
        Some(set) if !set.unproved.is_empty() => {
            format!("used without a proof: {}\n", set.unproved.join(", "))
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_the_most_frequent_first_and_counts_the_rest() {
        let counts = [("a", 1), ("b", 3), ("c", 0), ("d", 3)];
        assert_eq!(line("rules", counts.into()), "rules: b 3, d 3, a 1\n");
        let many: Vec<String> = (0..9).map(|number| format!("r{number}")).collect();
        let counts = many.iter().map(|name| (name.as_str(), 1)).collect();
        assert_eq!(line("rules", counts), "rules: r0 1, r1 1, r2 1, r3 1, r4 1, r5 1; 3 others (--stats)\n");
        assert_eq!(line("rules", vec![("a", 0)]), "");
    }
}
