//! The difference between two texts, line by line.
//!
//! A longest common subsequence by the usual table. Texts of tests are short; where the table would be
//! large, the differing middle is shown whole.

/// Lines of `old` that go with `-`, lines of `new` that come with `+`, three lines around each; empty
/// when the texts are equal.
pub fn diff(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let prefix = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let most = old.len().min(new.len()) - prefix;
    let suffix = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    let mut lines: Vec<(char, &str)> = old[..prefix].iter().map(|&line| (' ', line)).collect();
    middle(&old[prefix..old.len() - suffix], &new[prefix..new.len() - suffix], &mut lines);
    lines.extend(old[old.len() - suffix..].iter().map(|&line| (' ', line)));
    let changed: Vec<usize> = (0..lines.len()).filter(|&i| lines[i].0 != ' ').collect();
    let mut text = String::new();
    let mut last = None;
    for (i, (mark, line)) in lines.iter().enumerate() {
        // The nearest changes on both sides.
        let after = changed.partition_point(|&at| at < i);
        let near = |at: Option<&usize>| at.is_some_and(|&at| at.abs_diff(i) <= 3);
        if !near(changed.get(after)) && !near(after.checked_sub(1).and_then(|at| changed.get(at))) {
            continue;
        }
        if last.is_some_and(|last| last + 1 != i) {
            text.push_str("...\n");
        }
        last = Some(i);
        text.push(*mark);
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// The largest table that is filled.
const CELLS: usize = 4_000_000;

fn middle<'t>(old: &[&'t str], new: &[&'t str], lines: &mut Vec<(char, &'t str)>) {
    if old.len().saturating_mul(new.len()) > CELLS {
        lines.extend(old.iter().map(|&line| ('-', line)));
        lines.extend(new.iter().map(|&line| ('+', line)));
        return;
    }
    // The length of the longest common subsequence of what begins at (i, j).
    let width = new.len() + 1;
    let mut table = vec![0u32; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            table[i * width + j] = if old[i] == new[j] {
                table[(i + 1) * width + j + 1] + 1
            } else {
                table[(i + 1) * width + j].max(table[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            lines.push((' ', old[i]));
            (i, j) = (i + 1, j + 1);
        } else if j == new.len() || (i < old.len() && table[(i + 1) * width + j] >= table[i * width + j + 1])
        {
            lines.push(('-', old[i]));
            i += 1;
        } else {
            lines.push(('+', new[j]));
            j += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_have_no_difference() {
        assert_eq!(diff("a\nb\n", "a\nb\n"), "");
        assert_eq!(diff("", ""), "");
    }

    #[test]
    fn changed_lines_stand_between_their_neighbours() {
        let old = "1\n2\n3\n4\n5\nold\n7\n8\n9\n10\n11\n12\n13\n14\nlast\n";
        let new = "1\n2\n3\n4\n5\nnew\nmore\n7\n8\n9\n10\n11\n12\n13\n14\n";
        assert_eq!(diff(old, new), " 3\n 4\n 5\n-old\n+new\n+more\n 7\n 8\n 9\n...\n 12\n 13\n 14\n-last\n");
    }
}
