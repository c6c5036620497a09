//! Finding test files, running them, comparing, blessing.

use std::path::{Path, PathBuf};

use planish_driver::Dialect;

use crate::action;
use crate::case::Case;
use crate::diff::diff;

/// How the expectations of all files are written anew.
const BLESS: &str = "BLESS=1 cargo test -p planish-filetest --test files";

/// What a test file is written in.
enum Language {
    /// A program of a dialect.
    Program(Dialect),
    /// Rewrite rules.
    Rules,
    /// The bytes of a class file in hexadecimal.
    ClassInHex,
}

impl Language {
    /// The language that a file's name tells.
    fn of(path: &Path) -> Option<Language> {
        let name = path.file_name()?.to_str()?;
        if name.ends_with(".rules") {
            return Some(Language::Rules);
        }
        if name.ends_with(".class.hex") {
            return Some(Language::ClassInHex);
        }
        Dialect::of_path(path).map(Language::Program)
    }
}

/// All files below a directory whose names tell a dialect, sorted by path.
pub fn find(root: &Path) -> std::io::Result<Vec<PathBuf>> {
    let (mut found, mut work) = (Vec::new(), vec![root.to_owned()]);
    while let Some(directory) = work.pop() {
        for entry in std::fs::read_dir(directory)? {
            let path = entry?.path();
            if path.is_dir() {
                work.push(path);
            } else if Language::of(&path).is_some() {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Runs one test file; with `bless` writes what comes out into it. `name` is what messages call it.
pub fn check(path: &Path, name: &str, bless: bool) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let case = Case::parse(&text)?;
    let known = [
        "test",
        "form",
        "args",
        "world",
        "fuel",
        "passes",
        "compat",
        "engine",
        "assume",
        "facts",
        "shown-effects",
        "without",
        "to",
        "extended",
        "expand",
        "holds",
        "prefix",
        "undef",
        "width",
        "unrun",
    ];
    if let Some((key, _)) = case.directives.iter().find(|(key, _)| !known.contains(&key.as_str())) {
        return Err(format!("there is no directive `{key}`"));
    }
    let output = outcome(path, name, &case)?;
    if trimmed(&output) == trimmed(&case.expected) {
        return Ok(());
    }
    if bless {
        return std::fs::write(path, case.bless(output.trim_end())).map_err(|error| error.to_string());
    }
    let difference = diff(&trimmed(&case.expected), &trimmed(&output));
    Err(format!("{name}: `-` is expected, `+` is what comes out\n{difference}to accept it: {BLESS}\n"))
}

/// Does what a test file asks for, without a look at what it expects: `Err` says that the program that came of it is not right, or
/// why there is none.
pub fn perform(path: &Path, name: &str) -> Result<String, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    outcome(path, name, &Case::parse(&text)?)
}

fn outcome(path: &Path, name: &str, case: &Case) -> Result<String, String> {
    match Language::of(path).ok_or("the file's name tells no dialect")? {
        Language::Program(dialect) => action::perform(name, dialect, case),
        Language::Rules => action::rules(name, case),
        Language::ClassInHex => action::class(case),
    }
}

/// Blanks at the ends of lines and empty lines at the end do not count.
fn trimmed(text: &str) -> String {
    let lines: Vec<&str> = text.trim_end().lines().map(str::trim_end).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::check;

    const TRACE: &str = "# test: opt\n[i0, i1]\ni2 = int_add(i0, 0)\ni3 = int_mul(i2, 8)\n\
        i4 = int_add(i3, i1)\nfinish(i4)\n# expected:\n";

    /// Checks a trace that is to become something.
    fn checked(name: &str, expected: &str) -> Result<(), String> {
        let path = std::env::temp_dir().join(format!("planish-{}-{name}", std::process::id()));
        std::fs::write(&path, format!("{TRACE}{expected}")).expect("a file");
        let result = check(&path, name, false);
        std::fs::remove_file(&path).expect("it is there");
        result
    }

    /// S4.21: a trace and what comes out of it are a test, which says what differs.
    #[test]
    fn a_trace_that_becomes_something_else_than_its_file_says_fails() {
        let right = "# [i0, i1]\n# i5 = int_lshift(i0, 3)\n# i4 = int_add(i5, i1)\n# finish(i4)\n";
        assert_eq!(checked("right.trace", right), Ok(()));
        let said = checked("wrong.trace", &right.replace("i0, 3", "i0, 4")).expect_err("it is another shift");
        assert!(
            said.contains("-i5 = int_lshift(i0, 4)") && said.contains("+i5 = int_lshift(i0, 3)"),
            "{said}"
        );
    }
}
