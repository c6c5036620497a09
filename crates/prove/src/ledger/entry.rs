//! An entry of the ledger: what is known of a part of a theorem, by whom, and what it rests on.

use std::fmt;
use std::time::Duration;

use sha2::{Digest, Sha256};

/// What is known of a part of a theorem.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Standing {
    /// Proved: no counterexample exists.
    Proved,
    /// Every case was tried.
    Exhausted,
    /// Some cases were tried; the note says how many.
    Sampled,
    /// The theorem says nothing about this part; the note says why.
    LeftOut,
    /// It follows from another theorem, which the note names.
    Follows,
    /// No answer in time; the note says what covers it.
    Open,
    /// No proof is asked for; the note gives the reason.
    Sorry,
}

impl Standing {
    const ALL: [(Standing, &'static str); 7] = [
        (Standing::Proved, "proved"),
        (Standing::Exhausted, "exhausted"),
        (Standing::Sampled, "sampled"),
        (Standing::LeftOut, "left-out"),
        (Standing::Follows, "follows"),
        (Standing::Open, "open"),
        (Standing::Sorry, "sorry"),
    ];

    pub(super) fn named(name: &str) -> Option<Standing> {
        Self::ALL.iter().find(|(_, n)| *n == name).map(|(standing, _)| *standing)
    }
}

impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (_, name) = Self::ALL[*self as usize];
        f.write_str(name)
    }
}

/// The order of magnitude of a time, so that proving again does not change the file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum TimeClass {
    /// Below a tenth of a second.
    Instant,
    /// Below one second.
    Second,
    /// Below ten seconds.
    Seconds,
    /// Ten seconds or more.
    Long,
}

impl TimeClass {
    pub(super) const ALL: [(TimeClass, &'static str); 4] = [
        (TimeClass::Instant, "<0.1s"),
        (TimeClass::Second, "<1s"),
        (TimeClass::Seconds, "<10s"),
        (TimeClass::Long, ">=10s"),
    ];

    /// The class of a time.
    pub fn of(time: Duration) -> TimeClass {
        match time.as_millis() {
            0..100 => TimeClass::Instant,
            100..1000 => TimeClass::Second,
            1000..10_000 => TimeClass::Seconds,
            _ => TimeClass::Long,
        }
    }
}

impl fmt::Display for TimeClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::ALL[*self as usize].1)
    }
}

/// The hash of the text of some questions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint([u8; 32]);

impl Fingerprint {
    /// The hash of questions in order.
    pub fn of<'a>(questions: impl IntoIterator<Item = &'a str>) -> Fingerprint {
        let mut hasher = Sha256::new();
        for question in questions {
            // The length keeps neighbours apart.
            hasher.update((question.len() as u64).to_le_bytes());
            hasher.update(question.as_bytes());
        }
        Fingerprint(hasher.finalize().into())
    }

    /// Its beginning.
    pub fn stamp(&self) -> Stamp {
        let [a, b, c, d, ..] = self.0;
        Stamp(u32::from_be_bytes([a, b, c, d]))
    }

    pub(super) fn parse(text: &str) -> Option<Fingerprint> {
        let digits = text.as_bytes();
        if digits.len() != 64 {
            return None;
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
            *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
        }
        Some(Fingerprint(bytes))
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// The beginning of a fingerprint: enough to see that something has changed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Stamp(u32);

impl Stamp {
    pub(super) fn parse(text: &str) -> Option<Stamp> {
        let is_one = text.len() == 8 && text.bytes().all(|digit| digit.is_ascii_hexdigit());
        is_one.then(|| u32::from_str_radix(text, 16).ok().map(Stamp)).flatten()
    }
}

impl fmt::Display for Stamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}", self.0)
    }
}

/// A part of a theorem on which another rests.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Premise {
    /// The theorem.
    pub theorem: String,
    /// Its part.
    pub part: String,
    /// What it said when something came to rest on it; nothing where that is not noted yet.
    pub stamp: Option<Stamp>,
}

impl fmt::Display for Premise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.theorem, self.part)
    }
}

impl Premise {
    /// A part of a theorem, whatever it says.
    pub fn new(theorem: impl Into<String>, part: impl Into<String>) -> Premise {
        Premise { theorem: theorem.into(), part: part.into(), stamp: None }
    }

    /// `domain law Reduce (8) 0f3a55c1`, or without the stamp.
    pub(super) fn parse(text: &str) -> Option<Premise> {
        let (named, stamp) = match text.rsplit_once(") ") {
            Some((named, stamp)) => (named, Some(Stamp::parse(stamp)?)),
            None => (text.strip_suffix(')')?, None),
        };
        let (theorem, part) = named.rsplit_once(" (")?;
        Some(Premise { stamp, ..Premise::new(theorem, part) })
    }

    /// As a ledger writes it.
    pub(super) fn written(&self) -> String {
        self.stamp.map_or_else(|| self.to_string(), |stamp| format!("{self} {stamp}"))
    }
}

/// What is known of one part of a theorem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Which part: a width, usually.
    pub part: String,
    /// What is known.
    pub standing: Standing,
    /// The hash of the questions of this part.
    pub hash: Fingerprint,
    /// Who answered, with version.
    pub by: String,
    /// In what time.
    pub time: TimeClass,
    /// What the proof rests on, in order.
    pub premises: Vec<Premise>,
    /// What else there is to say; may be empty.
    pub note: String,
}

/// A theorem with its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its name: `rule add_zero`, `domain add`.
    pub theorem: String,
    /// What is known of each part.
    pub entries: Vec<Entry>,
}

/// What a build expects to find: a theorem and the hash of each of its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The theorem.
    pub theorem: String,
    /// Its parts, with the hash of the questions.
    pub parts: Vec<(String, Fingerprint)>,
}
