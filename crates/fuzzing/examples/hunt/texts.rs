//! Texts near those that are right, in every language that Planish reads.
//!
//! They begin as the file tests and examples of the project, so each feature of a language is somewhere among them; words
//! that are put into one come from all of them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use arbitrary::Unstructured;
use planish_driver::validate::{Checked, modules};
use planish_driver::{Dialect, EngineChoice, Reading, Session, Settings, Writing};
use planish_filetest::generate::bytes;
use planish_fuzzing::{mutate, texts, traces};

use crate::finding::{Found, smallest};
use crate::kinds::Kind;

/// Larger files are left out, so that many small ones are tried.
const LARGEST: usize = 4_000;

/// On how many inputs what can be read is compared with what becomes of it.
const INPUTS: u64 = 4;

/// What is tried with a text.
type Property = fn(&str);

/// The name of a language, the endings of its files, and what must hold of a text.
type Language = (&'static str, &'static [&'static str], Property);

/// Each language, with what readers and writers must do.
const LANGUAGES: [Language; 8] = [
    ("ssa", &["ssa"], texts::ssa),
    ("tac", &["tac", "cfg"], texts::tac),
    ("trace", &["trace"], texts::trace),
    ("log", &["log"], texts::log),
    ("rvsdg", &["rvsdg"], texts::rvsdg),
    ("rules", &["rules"], texts::rules),
    ("bril", &["bril"], texts::bril),
    ("bril json", &["json"], texts::bril_json),
];

/// Each language whose programs are optimized.
const OPTIMIZED: [Language; 6] = [
    ("ssa", &["ssa"], |text| optimized(text, Dialect::Ssa)),
    ("tac", &["tac", "cfg"], |text| optimized(text, Dialect::Tac)),
    ("rvsdg", &["rvsdg"], |text| optimized(text, Dialect::Rvsdg)),
    ("bril", &["bril"], |text| optimized(text, Dialect::Bril)),
    ("trace", &["trace"], survives_trace),
    ("log", &["log"], |text| survives(text, Dialect::PypyLog)),
];

/// The kinds of texts.
pub fn kinds() -> Vec<Kind> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for folder in ["tests", "examples", "rules"] {
        collect(&root.join(folder), &mut files);
    }
    files.sort();
    let read = LANGUAGES.iter().map(|language| kind("read", *language, &files));
    let optimized = OPTIMIZED.iter().map(|language| kind("optimize", *language, &files));
    read.chain(optimized).collect()
}

fn collect(folder: &Path, into: &mut Vec<PathBuf>) {
    for path in std::fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, into);
        } else {
            into.push(path);
        }
    }
}

fn kind(what: &str, (name, endings, property): Language, files: &[PathBuf]) -> Kind {
    let of_language =
        |path: &&PathBuf| path.extension().is_some_and(|ending| endings.iter().any(|known| ending == *known));
    let seeds: Vec<String> = files
        .iter()
        .filter(of_language)
        .filter_map(|path| std::fs::read_to_string(path).ok())
        .filter(|text| text.len() <= LARGEST)
        .map(|text| program(&text).to_owned())
        .collect();
    assert!(!seeds.is_empty(), "no file of {name}");
    let words: BTreeSet<String> = seeds.iter().flat_map(|text| words(text)).collect();
    let words: Vec<String> = words.into_iter().collect();
    let ending = endings[0];
    Kind::new(&format!("near texts, {what} {name}"), move |seed| {
        let data = bytes(seed, 256);
        let (seeds, words) = (refs(&seeds), refs(&words));
        let text = mutate::text(&mut Unstructured::new(&data), &seeds, &words).unwrap_or_default();
        match planish_base::caught::catch(|| property(&text)) {
            Ok(()) => Ok(0),
            Err(panicked) => {
                let small = smallest(&text, &|text| property(text));
                let file = format!("# test: read\n{small}# expected:\n").into_bytes();
                Err(Found { why: panicked.to_string(), file, ending })
            }
        }
    })
}

fn refs(texts: &[String]) -> Vec<&str> {
    texts.iter().map(String::as_str).collect()
}

/// What stands in front of the expectation of a test.
fn program(text: &str) -> &str {
    text.split("# expected:").next().unwrap_or(text)
}

/// The words and signs of a text, of which there are many more than of a hand-made list.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    for letter in text.chars() {
        if letter.is_alphanumeric() || letter == '_' {
            word.push(letter);
            continue;
        }
        words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
        words.push(letter.to_string());
    }
    words
}

/// What can be read is optimized by both engines, verifies, can be written and read again, and does what it did.
fn optimized(text: &str, dialect: Dialect) {
    let open = |text: &str| Session::open("near", text.as_bytes().to_vec(), dialect, Reading::default());
    for engine in [EngineChoice::Linear, EngineChoice::Egraph] {
        let Ok(mut session) = open(text) else { return };
        let (before, entries) = (session.module().expect("a module").clone(), session.entries());
        let settings = Settings { engine, ..Settings::default() };
        // What has no form in the language is an answer.
        if session.optimize(&settings).is_err() {
            continue;
        }
        session.verify().unwrap_or_else(|found| panic!("{found}\n{text}"));
        let after = session.module().expect("a module");
        if let Checked::Different(why) = modules(&before, &entries, after, INPUTS, session.form()) {
            panic!("{why}\n{text}");
        }
        if let Ok(written) = session.write(dialect, Writing { extended: true, ..Writing::default() }) {
            let written = String::from_utf8(written).expect("text");
            if let Err(message) = open(&written) {
                panic!("{message}\n{text}\nbecame\n{written}");
            }
        }
    }
}

/// A trace that becomes one of vectors cannot be read as what is optimized.
fn survives_trace(text: &str) {
    if !text.contains("#! step ") && !text.contains("#! mode vec") {
        traces::survives(text);
    }
}

/// What can be read is optimized and written.
fn survives(text: &str, dialect: Dialect) {
    if let Ok(mut session) = Session::open("near", text.as_bytes().to_vec(), dialect, Reading::default())
        && session.optimize(&Settings::default()).is_ok()
    {
        let _ = session.write(dialect, Writing::default());
    }
}
