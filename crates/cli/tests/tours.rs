//! The tours of README.md and docs/: every command that a page shows is run, and prints what the page says.
//! `BLESS=1` writes what is printed into the page.
//!
//! A block ` ```console ` holds commands behind `$ ` and, below each, what it prints to both streams. A block
//! whose first line is `# file: NAME` (in any language, behind that language's comment sign) is written to that
//! file first. Commands of a page run in order in a directory of the page's own, which has the
//! repository's `examples` and `rules` in it. Times (`0.12 s`) differ from run to run and are compared as one.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The pages that are tried.
fn pages(root: &Path) -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = (std::fs::read_dir(root.join("docs")).expect("docs/ is there"))
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "md"))
        .collect();
    pages.push(root.join("README.md"));
    pages.sort();
    pages
}

#[test]
fn pages_show_what_commands_print() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository");
    let mut commands = 0;
    let mut stale = Vec::new();
    for page in pages(&root) {
        let text = std::fs::read_to_string(&page).expect("a page");
        let name = page.file_stem().and_then(|stem| stem.to_str()).expect("a name");
        let tried = Tour::new(&root, name).walk(&text, &mut commands);
        if normal(&tried) != normal(&text) {
            if std::env::var_os("BLESS").is_some() {
                std::fs::write(&page, &tried).expect("the page can be written");
            } else {
                stale.push(format!("{}:\n{}", page.display(), difference(&text, &tried)));
            }
        }
    }
    assert!(stale.is_empty(), "run `BLESS=1 cargo test -p planish-cli --test tours`\n{}", stale.join("\n"));
    assert!(commands > 10, "only {commands} commands were found");
}

/// A walk over one page.
struct Tour {
    directory: PathBuf,
}

impl Tour {
    fn new(root: &Path, page: &str) -> Tour {
        let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("tours").join(page);
        // What an earlier run left behind must not help this one.
        let _ = std::fs::remove_dir_all(&directory);
        std::fs::create_dir_all(&directory).expect("a directory");
        for shared in ["examples", "rules"] {
            std::os::unix::fs::symlink(root.join(shared), directory.join(shared)).expect("a link");
        }
        Tour { directory }
    }

    /// The page with what its commands print today.
    fn walk(&self, text: &str, commands: &mut usize) -> String {
        let mut out = String::new();
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            out.push_str(line);
            out.push('\n');
            let Some(language) = line.strip_prefix("```").filter(|l| !l.is_empty()) else { continue };
            let mut block = Vec::new();
            for line in lines.by_ref() {
                if line == "```" {
                    break;
                }
                block.push(line);
            }
            if language == "console" {
                for command in block.iter().filter_map(|line| line.strip_prefix("$ ")) {
                    *commands += 1;
                    out.push_str(&format!("$ {command}\n{}", self.run(command)));
                }
            } else {
                self.keep(&block);
                block.iter().for_each(|line| out.push_str(&format!("{line}\n")));
            }
            out.push_str("```\n");
        }
        out
    }

    /// Writes a block that names its file.
    fn keep(&self, block: &[&str]) {
        let name = block.first().and_then(|line| line.split_once("file: ")).map(|(_, name)| name.trim());
        if let Some(name) = name {
            std::fs::write(self.directory.join(name), block.join("\n") + "\n").expect("the file is written");
        }
    }

    fn run(&self, command: &str) -> String {
        let tool = Path::new(env!("CARGO_BIN_EXE_planish")).parent().expect("a directory");
        let path = format!("{}:{}", tool.display(), std::env::var("PATH").unwrap_or_default());
        let output = Command::new("sh")
            .args(["-c", &format!("{{ {command}\n}} 2>&1")])
            .current_dir(&self.directory)
            .env("PATH", path)
            // The same proofs by the same solver on every machine.
            .env("PLANISH_SOLVER", "builtin")
            .output()
            .expect("sh runs");
        let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text
    }
}

/// A text with every time replaced by one.
fn normal(text: &str) -> String {
    let word = |word: &str| word.parse::<f64>().is_ok() && word.contains('.');
    let line = |line: &str| {
        let words: Vec<&str> = line.split(' ').collect();
        let timed =
            |at: usize| words.get(at + 1).is_some_and(|next| next.trim_end_matches(['.', ',', ';']) == "s");
        let shown = (0..words.len()).map(|at| if word(words[at]) && timed(at) { "0.00" } else { words[at] });
        shown.collect::<Vec<_>>().join(" ")
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// The first lines that differ.
fn difference(before: &str, after: &str) -> String {
    let (before, after) = (normal(before), normal(after));
    let pair = before.lines().zip(after.lines()).enumerate().find(|(_, (a, b))| a != b);
    match pair {
        Some((at, (a, b))) => format!("line {}:\n  page:    {a}\n  command: {b}", at + 1),
        None => "one is longer than the other".to_owned(),
    }
}
