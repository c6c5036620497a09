//! Which lines of two texts are the same.
//!
//! E. W. Myers, *An O(ND) Difference Algorithm and Its Variations* (1986): the greedy search for the shortest edit
//! script, over diagonals, behind a common prefix and before a common suffix. Texts that differ in more than
//! `MOST_EDITS` lines have little in common; their middles are taken as different.

/// The most lines that may differ before the rest is taken as different. Memory is quadratic in it: 4 MB.
const MOST_EDITS: usize = 1_000;

/// Pairs of positions that hold equal lines, ascending on both sides. O((n + m) d) for d differing lines.
pub fn matched<T: PartialEq>(old: &[T], new: &[T]) -> Vec<(usize, usize)> {
    let prefix = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let most = old.len().min(new.len()) - prefix;
    let suffix = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    let mut pairs: Vec<(usize, usize)> = (0..prefix).map(|at| (at, at)).collect();
    let middle = middle(&old[prefix..old.len() - suffix], &new[prefix..new.len() - suffix]);
    pairs.extend(middle.into_iter().map(|(a, b)| (a + prefix, b + prefix)));
    pairs.extend((1..=suffix).rev().map(|back| (old.len() - back, new.len() - back)));
    pairs
}

/// The pairs of texts that begin and end differently.
fn middle<T: PartialEq>(old: &[T], new: &[T]) -> Vec<(usize, usize)> {
    let most = (old.len() + new.len()).min(MOST_EDITS);
    // For each number of edits: how far into `old` each diagonal gets, from -edits to +edits.
    let mut reached: Vec<Vec<usize>> = Vec::new();
    for edits in 0..=most {
        let mut row = vec![0; 2 * edits + 1];
        for diagonal in (0..=2 * edits).step_by(2) {
            let mut x = if edits == 0 { 0 } else { step(&reached[edits - 1], edits, diagonal).0 };
            // y = x - (diagonal - edits); diagonals that leave the texts go nowhere.
            while let (Some(a), Some(b)) =
                (old.get(x), (x + edits).checked_sub(diagonal).and_then(|y| new.get(y)))
                && a == b
            {
                x += 1;
            }
            row[diagonal] = x;
            if x >= old.len() && x + edits >= new.len() + diagonal {
                reached.push(row);
                return trace(&reached, edits, diagonal);
            }
        }
        reached.push(row);
    }
    Vec::new()
}

/// Where a diagonal begins with one edit more than `before` has, and the diagonal (of `before`) that it comes from.
fn step(before: &[usize], edits: usize, diagonal: usize) -> (usize, usize) {
    // From the diagonal above a line of `new` is added, from that below a line of `old` goes.
    let below = (diagonal >= 2).then(|| (before[diagonal - 2] + 1, diagonal - 2));
    let above = (diagonal < 2 * edits).then(|| (before[diagonal], diagonal));
    match (below, above) {
        (Some(below), Some(above)) => below.max(above),
        (Some(only), None) | (None, Some(only)) => only,
        (None, None) => unreachable!("a diagonal has a neighbour"),
    }
}

/// The equal lines on the way to the end, from the last to the first.
fn trace(reached: &[Vec<usize>], mut edits: usize, mut diagonal: usize) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    loop {
        let end = reached[edits][diagonal];
        let (begin, from) = match edits {
            0 => (0, 0),
            _ => step(&reached[edits - 1], edits, diagonal),
        };
        pairs.extend((begin..end).rev().map(|x| (x, x + edits - diagonal)));
        if edits == 0 {
            pairs.reverse();
            return pairs;
        }
        (edits, diagonal) = (edits - 1, from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The length of a longest common subsequence, by the usual table.
    fn longest(old: &[u8], new: &[u8]) -> usize {
        let mut table = vec![vec![0; new.len() + 1]; old.len() + 1];
        for i in (0..old.len()).rev() {
            for j in (0..new.len()).rev() {
                table[i][j] = match old[i] == new[j] {
                    true => table[i + 1][j + 1] + 1,
                    false => table[i + 1][j].max(table[i][j + 1]),
                };
            }
        }
        table[0][0]
    }

    /// All pairs of texts of up to five lines of three kinds.
    #[test]
    fn no_longer_common_part_exists() {
        let mut texts: Vec<Vec<u8>> = vec![Vec::new()];
        for length in 1..=5u32 {
            texts.extend(
                (0..3u32.pow(length)).map(|n| (0..length).map(|i| (n / 3u32.pow(i) % 3) as u8).collect()),
            );
        }
        for old in &texts {
            for new in &texts {
                let pairs = matched(old, new);
                assert!(pairs.iter().all(|&(a, b)| old[a] == new[b]), "{old:?} {new:?}: {pairs:?}");
                assert!(pairs.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1), "{pairs:?}");
                assert_eq!(pairs.len(), longest(old, new), "{old:?} {new:?}");
            }
        }
    }
}
