//! What the page about a program of classes opens with: what became smaller and by what, where most is left, what was missed;
//! and tables to look things up in.

use std::collections::BTreeMap;

use planish_jvm::transform::inline::Replacement;
use planish_jvm_analysis::variant::base_name;
use planish_report::{Bar, Bars, Change, Figure, Item, Panel, Table, Treemap};

use super::items::{
    Class, ClassRun, Method, NO_PACKAGE, Sides, Teller, counts, how, lossy, number, table, text,
};

/// How many rows the tables of the most frequent have.
const MOST_FREQUENT: usize = 200;

/// How many bars there are of a kind.
const MOST: usize = 40;

/// What is summed up over classes.
type Sum<'c> = &'c dyn Fn(&Class) -> u64;

/// What is said of the whole program.
pub(super) fn panels(
    run: &ClassRun<'_>,
    teller: &Teller<'_>,
    items: &[Item],
    classes: &BTreeMap<String, Sides>,
) -> Vec<Panel> {
    let mut panels = vec![Panel::Figures(sizes(classes))];
    let bars = [saved(items), done(teller, items), left(items), missed(run)];
    panels.extend(bars.into_iter().filter(|bars| !bars.rows.is_empty()).map(Panel::Bars));
    if !items.is_empty() {
        let unit = "bytes of class files before".to_owned();
        panels.push(Panel::Treemap(Treemap { title: "Packages and classes".into(), unit }));
    }
    let tables = [
        found_at_run_time(run),
        rewrites(teller),
        replaced(teller, Replacement::Body),
        replaced(teller, Replacement::Variant),
        replaced(teller, Replacement::Precise),
    ];
    let tables = tables.into_iter().filter(|table| !table.rows.is_empty());
    panels.extend(tables.map(|table| Panel::Table(Table { is_folded: true, ..table })));
    panels
}

/// Classes, methods and their sizes before and after, the most telling first.
fn sizes(classes: &BTreeMap<String, Sides>) -> Vec<Figure> {
    let sum = |side: usize, of: Sum<'_>| -> u64 {
        classes.values().filter_map(|sides| sides[side].as_ref()).map(of).sum()
    };
    let methods = |of: fn(&Method) -> u64| move |class: &Class| class.methods.values().map(of).sum();
    let rows: [(&str, Sum<'_>); 5] = [
        ("bytes of class files", &|class| class.size),
        ("bytes of code", &methods(|method| method.size)),
        ("instructions", &methods(|method| method.instructions)),
        ("classes", &|_| 1),
        ("methods", &|class| class.methods.len() as u64),
    ];
    let figure = |(what, of): (&str, Sum<'_>)| Figure {
        what: what.to_owned(),
        before: sum(0, of),
        after: sum(1, of),
        peer: None,
    };
    rows.into_iter().map(figure).collect()
}

/// What was done to the program and to bodies, and how often.
fn done(teller: &Teller<'_>, items: &[Item]) -> Bars {
    let mut sums: BTreeMap<&str, u64> = BTreeMap::new();
    let gone =
        |depth: u32| items.iter().filter(move |item| item.depth == depth && item.change == Change::Gone);
    sums.insert("class removed", gone(1).count() as u64);
    sums.insert("method removed", gone(2).count() as u64);
    for story in teller.stories.values().flatten().map(|told| &told.story) {
        story.replaced.iter().for_each(|call| *sums.entry(how(call)).or_default() += 1);
        for (what, count) in counts(story) {
            *sums.entry(what).or_default() += count;
        }
    }
    let bar = |(what, value): (&str, u64)| Bar { label: what.to_owned(), value, ..Bar::default() };
    let rows = sums.into_iter().filter(|&(_, times)| times > 0).map(bar).collect();
    largest(Bars { title: "What was done".into(), unit: "times".into(), rows })
}

/// What became smaller, classes by bytes that went.
fn saved(items: &[Item]) -> Bars {
    let saved = |item: &Item| item.before.saturating_sub(item.after);
    let bar = |(at, item): (usize, &Item)| Bar {
        label: full_name(items, at),
        value: saved(item),
        of: Some(item.before),
        item: Some(at),
        ..Bar::default()
    };
    let rows = most(items, 1, saved).map(bar).collect();
    Bars { title: "What became smaller".into(), unit: "bytes removed, of those of the class".into(), rows }
}

/// The items of a depth that have most of something, with their positions.
fn most(items: &[Item], depth: u32, of: impl Fn(&Item) -> u64) -> impl Iterator<Item = (usize, &Item)> {
    let has = |(_, item): &(usize, &Item)| item.depth == depth && of(item) > 0;
    let mut most: Vec<(usize, &Item)> = items.iter().enumerate().filter(has).collect();
    most.sort_by_key(|(_, item)| std::cmp::Reverse(of(item)));
    most.into_iter().take(MOST)
}

/// The methods of which most is left.
fn left(items: &[Item]) -> Bars {
    let bar = |(at, item): (usize, &Item)| {
        let class = class_of(items, at);
        // Its descriptor, like its package, is told on hover.
        let method = item.name.split('(').next().unwrap_or_default();
        Bar {
            label: format!("{}.{method}", items[class].name),
            hint: format!("{}.{}", full_name(items, class), item.name),
            value: item.after,
            of: Some(item.before).filter(|&before| before >= item.after),
            item: Some(at),
        }
    };
    let rows = most(items, 2, |item| item.after).map(bar).collect();
    Bars { title: "Most left".into(), unit: "bytes of code, of those before".into(), rows }
}

/// The class that a method is of: the last item before it that is less deep.
fn class_of(items: &[Item], method: usize) -> usize {
    items[..method].iter().rposition(|item| item.depth < items[method].depth).unwrap_or(method)
}

/// A class with its package.
fn full_name(items: &[Item], class: usize) -> String {
    let package = &items[class_of(items, class)];
    match package.name == NO_PACKAGE {
        true => items[class].name.clone(),
        false => format!("{}.{}", package.name, items[class].name),
    }
}

/// Bodies that were left alone, by their reasons.
fn missed(run: &ClassRun<'_>) -> Bars {
    let refused = run.optimized.iter().flat_map(|outcome| &outcome.methods.refused);
    let bar = |(reason, (count, example)): (&String, &(u64, String))| Bar {
        label: reason.clone(),
        hint: format!("for example {example}"),
        value: *count,
        ..Bar::default()
    };
    largest(Bars {
        title: "What was missed".into(),
        unit: "methods left alone".into(),
        rows: refused.map(bar).collect(),
    })
}

/// The bars in order, and no more of them than anyone reads.
fn largest(mut bars: Bars) -> Bars {
    bars.rows.sort_by(|a, b| b.value.cmp(&a.value).then_with(|| a.label.cmp(&b.label)));
    bars.rows.truncate(MOST);
    bars
}

/// What was kept since it may be found at run time, by its kind.
fn found_at_run_time(run: &ClassRun<'_>) -> Table {
    let notes = run.shrunk.iter().flat_map(|shrunk| &shrunk.notes);
    table("Kept for what may be found at run time", &["what"], notes.map(|note| vec![text(note)]).collect())
}

/// The rewrites of bodies that got better, by rule or kind.
fn rewrites(teller: &Teller<'_>) -> Table {
    let mut sums: BTreeMap<[String; 3], u64> = BTreeMap::new();
    for remark in teller.stories.values().flatten().flat_map(|told| &told.remarks) {
        let [by, _, place, proof] = teller.by(remark);
        *sums.entry([by, place, proof]).or_default() += 1;
    }
    let mut rows: Vec<_> = sums.into_iter().collect();
    rows.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let row = |([by, place, proof], times): ([String; 3], u64)| {
        vec![text(by), number(times), text(place), text(proof)]
    };
    let head = ["rule or kind", "times", "written in", "proof"];
    table("Rewrites in bodies that got better", &head, rows.into_iter().map(row).collect())
}

/// What stands in the place of calls in one way, most frequent first.
fn replaced(teller: &Teller<'_>, kind: Replacement) -> Table {
    let mut sums: BTreeMap<String, u64> = BTreeMap::new();
    let calls = teller.stories.values().flatten().flat_map(|told| &told.story.replaced);
    for call in calls.filter(|call| call.how == kind) {
        *sums.entry(lossy(&call.by)).or_default() += 1;
    }
    let mut rows: Vec<_> = sums.into_iter().collect();
    rows.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    rows.truncate(MOST_FREQUENT);
    let row = |(method, times): (String, u64)| {
        let mut row = vec![text(method.as_str()), number(times)];
        if kind == Replacement::Variant {
            let name = method.split('(').next().unwrap_or_default();
            row.push(text(lossy(base_name(name.as_bytes()))));
        }
        row
    };
    let rows = rows.into_iter().map(row).collect();
    match kind {
        Replacement::Body => table("Methods whose bodies stand in others", &["method", "calls"], rows),
        Replacement::Variant => table("Variants that are called", &["variant", "calls", "of"], rows),
        Replacement::Precise => {
            table("Methods that are called by the class of the receiver", &["method", "calls"], rows)
        }
    }
}
