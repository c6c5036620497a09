//! What a run found, made small and written as a file that a test can be made of.

use std::path::Path;

use planish_base::caught;
use planish_driver::reduce::{Oracle, lines};

/// How many smaller programs are tried.
pub const TESTS: u64 = 2_000;

/// Something that is wrong.
pub struct Found {
    /// What, for people.
    pub why: String,
    /// The small program.
    pub file: Vec<u8>,
    /// What its name ends with.
    pub ending: &'static str,
}

impl Found {
    /// Writes the file; what to print.
    pub fn written(&self, directory: &Path, seed: u64) -> String {
        std::fs::create_dir_all(directory).expect("a place for findings");
        let path = directory.join(format!("seed_{seed}.{}", self.ending));
        std::fs::write(&path, &self.file).expect("a place for findings");
        let why: String = self.why.lines().take(12).map(|line| format!("\n    {line}")).collect();
        format!("{}{why}", path.display())
    }
}

/// The text with as few lines as can be for which a property panics with the same words at the same place.
pub fn smallest(text: &str, property: &dyn Fn(&str)) -> String {
    let ends =
        |text: &str| caught::catch(|| property(text)).err().map(|panicked| kind_of(&panicked.to_string()));
    let Some(why) = ends(text) else { return text.to_owned() };
    let mut fails = |text: &str| ends(text).as_ref() == Some(&why);
    let fewer = lines::reduce(text, &mut Oracle::new(&mut fails, TESTS));
    match fails(&fewer) {
        true => fewer,
        // Its last line had no end.
        false => text.to_owned(),
    }
}

/// What makes two panics one: the place in the code, or the first line where a property says what is wrong.
fn kind_of(why: &str) -> String {
    match why.lines().last().unwrap_or_default().rsplit_once(" at ") {
        Some((_, place)) if !place.contains("crates/fuzzing/") => place.to_owned(),
        _ => why.lines().next().unwrap_or_default().to_owned(),
    }
}

/// The bytes with as many of some changes undone as can be for which a property panics.
pub fn least_changed(original: &[u8], changed: &[u8], property: &dyn Fn(&[u8])) -> Vec<u8> {
    let mut bytes = changed.to_vec();
    for at in (0..bytes.len()).filter(|&at| original.get(at).is_some_and(|old| *old != changed[at])) {
        bytes[at] = original[at];
        if caught::catch(|| property(&bytes)).is_ok() {
            bytes[at] = changed[at];
        }
    }
    bytes
}
