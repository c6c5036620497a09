//! The dialects by name, and which one a file is written in.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// A form in which programs are read and written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Dialect {
    /// The project's own text: `.ssa`.
    Ssa,
    /// One or several traces in PyPy's text: `.trace`.
    Trace,
    /// A log that PyPy wrote with `PYPYLOG`, also compressed: `.log`, `.log.gz`.
    PypyLog,
    /// The three-address language: `.tac`, `.cfg`.
    Tac,
    /// The region language of s-expressions: `.rvsdg`.
    Rvsdg,
    /// Bril in its text form: `.bril`.
    Bril,
    /// Bril in its JSON form: `.bril.json`.
    BrilJson,
}

impl Dialect {
    /// Every dialect, in the order in which help lists them.
    pub const ALL: [Dialect; 7] = [
        Dialect::Ssa,
        Dialect::Trace,
        Dialect::PypyLog,
        Dialect::Tac,
        Dialect::Rvsdg,
        Dialect::Bril,
        Dialect::BrilJson,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Ssa => "ssa",
            Dialect::Trace => "trace",
            Dialect::PypyLog => "pypylog",
            Dialect::Tac => "tac",
            Dialect::Rvsdg => "rvsdg",
            Dialect::Bril => "bril",
            Dialect::BrilJson => "bril-json",
        }
    }

    /// File name endings, without the dot.
    pub fn extensions(self) -> &'static [&'static str] {
        match self {
            Dialect::Ssa => &["ssa"],
            Dialect::Trace => &["trace"],
            Dialect::PypyLog => &["log", "log.gz"],
            Dialect::Tac => &["tac", "cfg"],
            Dialect::Rvsdg => &["rvsdg"],
            Dialect::Bril => &["bril"],
            Dialect::BrilJson => &["bril.json"],
        }
    }

    /// The dialect that a file's name tells.
    pub fn of_path(path: &Path) -> Option<Dialect> {
        let name = path.file_name()?.to_str()?;
        Self::ALL.into_iter().find(|dialect| {
            dialect
                .extensions()
                .iter()
                .any(|ending| name.strip_suffix(ending).is_some_and(|stem| stem.ends_with('.')))
        })
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Dialect {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|dialect| dialect.name() == name).ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|d| d.name()).collect();
            format!("`{name}` is not a dialect; there are {}", names.join(", "))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_dialect() {
        let of = |name: &str| Dialect::of_path(Path::new(name));
        assert_eq!(of("dir/a.cfg"), Some(Dialect::Tac));
        assert_eq!(of("x.log.gz"), Some(Dialect::PypyLog));
        assert_eq!(of("x.bril.json"), Some(Dialect::BrilJson));
        assert_eq!(of("x.json"), None);
        assert_eq!(of("log"), None);
        assert_eq!(of("a.txt"), None);
        for dialect in Dialect::ALL {
            assert_eq!(dialect.name().parse(), Ok(dialect));
        }
    }
}
