//! Making a text of traces small, line by line.
//!
//! Runs of lines are taken away, half of the text first, then quarters, then single lines (the ddmin
//! algorithm). A line that defines what a later one uses cannot go alone; so it is also tried to make the
//! value an input of its trace, and to leave out fail arguments one by one. What the text means is for
//! whoever is asked to find out: a text that cannot be read does not fail in the right way.

use super::oracle::Oracle;

/// A text that fails, with as few lines as can be.
pub fn reduce(text: &str, oracle: &mut Oracle<'_, str>) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    loop {
        let size = size(&lines);
        drop_runs(&mut lines, oracle);
        make_inputs(&mut lines, oracle);
        shorten_lists(&mut lines, oracle);
        if self::size(&lines) == size || oracle.is_spent() {
            return join(&lines);
        }
    }
}

fn size(lines: &[String]) -> usize {
    lines.iter().map(|line| line.len() + 1).sum()
}

fn join(lines: &[String]) -> String {
    lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect()
}

/// Takes runs of lines away, from half of the text down to single lines.
fn drop_runs(lines: &mut Vec<String>, oracle: &mut Oracle<'_, str>) {
    let mut run = lines.len().div_ceil(2);
    while run > 0 {
        let mut end = lines.len();
        // From the end: what stands last is used least.
        while end > 0 {
            let start = end.saturating_sub(run);
            let without = [&lines[..start], &lines[end..]].concat();
            if oracle.fails(&join(&without)) {
                *lines = without;
            }
            end = start;
        }
        run /= 2;
    }
}

/// Lets what an operation defines be an input of its trace.
fn make_inputs(lines: &mut Vec<String>, oracle: &mut Oracle<'_, str>) {
    let mut at = lines.len();
    while at > 0 {
        at -= 1;
        let Some(result) = defined(&lines[at]) else { continue };
        let Some(head) = (0..at).rev().find(|&head| lines[head].starts_with('[')) else { continue };
        let inputs = lines[head].trim_end().trim_end_matches(']').to_owned();
        let comma = if inputs.trim() == "[" { "" } else { ", " };
        let mut candidate = lines.clone();
        candidate[head] = format!("{inputs}{comma}{result}]");
        candidate.remove(at);
        if oracle.fails(&join(&candidate)) {
            *lines = candidate;
        }
    }
}

/// The name that a line gives to a value, behind the position that PyPy writes before some.
fn defined(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let line = match line.split_once(": ") {
        Some((position, rest)) if position.starts_with('+') => rest,
        _ => line,
    };
    let (name, rest) = line.split_once(" = ")?;
    (rest.contains('(') && !name.contains([' ', '(', '['])).then_some(name)
}

/// Leaves out items of lists in brackets: fail arguments, inputs.
fn shorten_lists(lines: &mut [String], oracle: &mut Oracle<'_, str>) {
    for at in 0..lines.len() {
        let Some((start, end)) = lines[at].rfind('[').zip(lines[at].rfind(']')).filter(|(s, e)| s < e) else {
            continue;
        };
        let (head, tail) = (lines[at][..=start].to_owned(), lines[at][end..].to_owned());
        let mut items: Vec<String> = lines[at][start + 1..end].split(", ").map(str::to_owned).collect();
        let mut position = items.len();
        while position > 0 && !items[0].is_empty() {
            position -= 1;
            let mut fewer = items.clone();
            fewer.remove(position);
            let shorter = format!("{head}{}{tail}", fewer.join(", "));
            let old = std::mem::replace(&mut lines[at], shorter);
            if oracle.fails(&join(lines)) {
                items = fewer;
                if items.is_empty() {
                    break;
                }
            } else {
                lines[at] = old;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRACE: &str = "\
[p0, i0]
i1 = int_add(i0, 1)
guard_true(i1) [p0, i0, i1]
+12: i2 = int_mul(i1, i1)
i3 = int_sub(i2, 5)
jump(p0, i3)
";

    #[test]
    fn what_matters_stays_and_what_it_uses_becomes_an_input() {
        let mut fails = |text: &str| {
            let known =
                |name: &str| text.contains(&format!("{name} = ")) || text.starts_with(&format!("[{name}"));
            text.starts_with('[') && text.contains("int_mul(i1, i1)") && known("i1")
        };
        let small = reduce(TRACE, &mut Oracle::new(&mut fails, 1000));
        assert_eq!(small, "[i1]\n+12: i2 = int_mul(i1, i1)\n");
    }

    #[test]
    fn fail_arguments_go_one_by_one() {
        let mut fails = |text: &str| text.contains("guard_true(i1) [") && text.contains("i0");
        let small = reduce(TRACE, &mut Oracle::new(&mut fails, 1000));
        assert_eq!(small, "guard_true(i1) [i0]\n");
    }
}
