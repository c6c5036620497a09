//! The list of lines: `rows.txt`.

/// The described systems, and how many lines each has.
pub const LISTS: [(&str, usize); 5] = [("S1", 49), ("S2", 60), ("S3", 46), ("S4", 24), ("S5", 45)];

/// One line of the list, or what stands between them.
pub enum Entry {
    /// The title of a system.
    Title(&'static str),
    /// A line.
    Row(Row),
}

/// A line of the list.
#[derive(Clone, Copy)]
pub struct Row {
    /// Its number: `S1.24`.
    pub number: &'static str,
    /// What the text says of it: `has`, `missing`, `future`, `trap`, `remark`.
    pub kind: &'static str,
    /// `done`, or what else became of it and why.
    pub became: &'static str,
    /// What it says.
    pub says: &'static str,
}

impl Row {
    /// How many tests it has to have.
    pub fn tests(&self, owed: &[&str]) -> usize {
        match self.kind {
            "has" | "trap" if owed.contains(&self.number) => 1,
            "has" | "trap" => 2,
            _ => usize::from(self.became == "done"),
        }
    }
}

/// The list, and the lines that have one test instead of two so far.
pub fn read() -> (Vec<Entry>, Vec<&'static str>) {
    let (mut entries, mut owed) = (Vec::new(), Vec::new());
    for line in include_str!("rows.txt").lines() {
        if let Some(title) = line.strip_prefix("## ") {
            entries.push(Entry::Title(title));
        } else if let Some(numbers) = line.strip_prefix("owed:") {
            owed.extend(numbers.split_whitespace());
        } else if !line.is_empty() && !line.starts_with('#') {
            let cells: Vec<&str> = line.split(" | ").collect();
            let [number, kind, became, says] = cells[..] else { panic!("a row has four cells: {line}") };
            let reasons = ["otherwise: ", "refused: ", "remark: "];
            assert!(became == "done" || reasons.iter().any(|reason| became.starts_with(reason)), "{line}");
            entries.push(Entry::Row(Row { number, kind, became, says }));
        }
    }
    let mut numbers = entries.iter().filter_map(|entry| match entry {
        Entry::Row(row) => Some(row.number),
        Entry::Title(_) => None,
    });
    for (list, count) in LISTS {
        for line in 1..=count {
            assert_eq!(numbers.next(), Some(&*format!("{list}.{line}")), "a line is missing or out of order");
        }
    }
    assert_eq!(numbers.next(), None, "there are lines behind the last one");
    (entries, owed)
}
