//! A report as plain text: the panels of the whole, and the tree of items with their sizes. For terminals, and for tests.

use std::fmt::Write;

use planish_base::shown;

use crate::data::{Bar, Bars, Figure, Item, Panel, Report};

/// So wide is the longest bar.
const WIDTH: u64 = 30;

/// So many items are listed; the rest is counted.
const LISTED: usize = 60;

/// So many bars are drawn of a kind.
const LISTED_BARS: usize = 12;

/// The report as text. Tables and the text of functions are left to the page.
pub fn render(report: &Report) -> String {
    let mut out = one_line(&report.title);
    if !report.subtitle.is_empty() {
        out += &format!(" ({})", one_line(&report.subtitle));
    }
    out.push('\n');
    report.panels.iter().for_each(|panel| push_panel(&mut out, panel));
    items(&mut out, &report.items);
    out
}

/// A text of a file, which may hold what a terminal obeys, on a line of its own.
fn one_line(text: &str) -> String {
    shown(text).replace('\n', "\\n")
}

fn push_panel(out: &mut String, panel: &Panel) {
    match panel {
        Panel::Text(text) => _ = writeln!(out, "\n{}", one_line(text)),
        Panel::Figures(figures) => {
            out.push('\n');
            figures.iter().for_each(|figure| push_figure(out, figure));
        }
        Panel::Bars(bars) => push_bars(out, bars),
        // The tree of items says the same.
        Panel::Treemap(_) | Panel::Inside(..) | Panel::Table(_) => {}
    }
}

fn push_figure(out: &mut String, figure: &Figure) {
    let Figure { what, before, after, peer } = figure;
    let _ = write!(out, "{}: {}", one_line(what), sizes(*before, *after));
    if *before > 0 && before != after {
        let _ = write!(out, " ({:+.1} %)", (*after as f64 / *before as f64 - 1.0) * 100.0);
    }
    if let Some((who, size)) = peer {
        let _ = write!(out, "; {}: {size}", one_line(who));
    }
    out.push('\n');
}

fn sizes(before: u64, after: u64) -> String {
    if before == after { format!("{after}, as before") } else { format!("{before} -> {after}") }
}

fn push_bars(out: &mut String, bars: &Bars) {
    let _ = writeln!(out, "\n{} ({})", bars.title, bars.unit);
    let most = bars.rows.iter().map(|bar| bar.of.unwrap_or(bar.value)).max().unwrap_or(0).max(1);
    let number = |bar: &Bar| match bar.of {
        Some(of) => format!("{} of {of}", bar.value),
        None => bar.value.to_string(),
    };
    let digits = bars.rows.iter().map(|bar| number(bar).len()).max().unwrap_or(0);
    for bar in bars.rows.iter().take(LISTED_BARS) {
        let Bar { label, value, of, .. } = bar;
        let length = |value: u64| (u128::from(value) * u128::from(WIDTH)).div_ceil(u128::from(most)) as usize;
        let (left, all) = (length(*value), length(of.unwrap_or(*value)));
        let drawn = "#".repeat(left) + &".".repeat(all.saturating_sub(left));
        let (number, label, width) = (number(bar), one_line(label), WIDTH as usize);
        let _ = writeln!(out, "  {number:>digits$}  {drawn:<width$}  {label}");
    }
    if bars.rows.len() > LISTED_BARS {
        let _ = writeln!(out, "  and {} more", bars.rows.len() - LISTED_BARS);
    }
}

fn items(out: &mut String, items: &[Item]) {
    if items.is_empty() {
        return;
    }
    out.push('\n');
    for item in items.iter().take(LISTED) {
        let Item { name, depth, change, before, after, .. } = item;
        let sizes = sizes(*before, *after);
        let change = if change.name().is_empty() { String::new() } else { format!(", {}", change.word()) };
        let _ =
            writeln!(out, "{:indent$}{}: {sizes}{change}", "", one_line(name), indent = 2 * *depth as usize);
        for panel in &item.panels {
            if let Panel::Text(text) = panel {
                let _ = writeln!(out, "{:indent$}{}", "", one_line(text), indent = 2 * *depth as usize + 4);
            }
        }
    }
    if items.len() > LISTED {
        let _ = writeln!(out, "and {} more", items.len() - LISTED);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Change;

    #[test]
    fn what_a_person_wants_to_know_comes_first() {
        let peer = Some(("PyPy".into(), 7));
        let figures =
            vec![Figure { what: "operations".into(), before: 8, after: 6, peer }, Figure::default()];
        let row = |label: &str, value, of| Bar { label: label.into(), value, of, ..Bar::default() };
        let bars = Bars {
            title: "What did it".into(),
            unit: "rewrites".into(),
            rows: vec![row("fold", 3, None), row("left", 1, Some(12)), row("none", 0, None)],
        };
        let inner = Item { name: "\x1b[31m\ng".into(), depth: 1, change: Change::Gone, ..Item::default() };
        let items = vec![Item { name: "f".into(), before: 8, after: 6, ..Item::default() }, inner];
        let panels = vec![Panel::Figures(figures), Panel::Bars(bars)];
        let report = Report { title: "a.ssa".into(), items, panels, ..Report::default() };
        assert_eq!(
            render(&report),
            "a.ssa

operations: 8 -> 6 (-25.0 %); PyPy: 7
: 0, as before

What did it (rewrites)
        3  ########                        fold
  1 of 12  ###...........................  left
        0                                  none

f: 8 -> 6
  \\u{1b}[31m\\ng: 0, as before, removed
"
        );
        assert_eq!(render(&Report::default()), "\n");
    }
}
