//! Incremental optimization: what became of the classes of a program in an earlier run, for the next one.
//!
//! A round over a program rewrites each class by what is known of the whole of it. What becomes of a class is kept under a
//! digest of all that decides it: its bytes, the optimizer and its options (the *context*), which class extends which,
//! and what is [known](planish_jvm::bodies::fingerprint) of the program, of the class, and of what it calls. What its bodies
//! [asked](planish_jvm::bodies::asked) of other members is kept with it, and asked again; a class is taken as it was only if all
//! answers are the same. So a run with a cache makes the bytes that one without makes, and what differs between two
//! programs is worked out again wherever it matters, and nowhere else (early cutoff, Mokhov, Mitchell and Peyton Jones, *Build
//! systems à la carte*, 2018).
//!
//! What a class is digested to are 256 bits of SHA-256: unlike an imprint that says that a body is as good as it gets, a digest that
//! was equal by accident would be a wrong program.
//!
//! Rewrites that somebody wants to see, count, limit or compare have to be made: with a log, statistics of rules, fuel,
//! validation or a mapping of lines, nothing is taken from here. Nor is kept what was not usual: a class in which a body was
//! broken, or in which a budget said no.

mod bytes;
mod digest;

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use hashbrown::HashMap;
use planish_classfile::ClassFile;
use planish_driver::settings::Settings;
use planish_jvm::bodies::asked::{Asked, answers};
use planish_jvm::bodies::known::Known;
use planish_jvm::bodies::{Report, rewrite_class, rewrite_class_amid};
use planish_jvm_analysis::known::KnownMembers;
use planish_jvm_model::hierarchy::Hierarchy;
use rustc_hash::FxBuildHasher;

pub use self::bytes::{Reader, Writer};
pub use self::digest::{Digest, Digester};
use crate::narrate::Narrator;

/// What became of classes, in another run and in this one.
pub struct ClassCache {
    context: Digest,
    /// What was kept, and where what became of which class is in it.
    kept: Vec<u8>,
    places: HashMap<Digest, Range<usize>, FxBuildHasher>,
    /// What this run took or made.
    now: Mutex<BTreeMap<Digest, Entry>>,
    taken: AtomicU64,
    made: AtomicU64,
}

/// What became of a class.
enum Entry {
    /// What was kept.
    Taken(Range<usize>),
    /// What was made in this run.
    Made(Vec<u8>),
}

impl ClassCache {
    /// A cache for runs in this context: a digest of the optimizer and of what it was told. Nothing is kept so far.
    pub fn new(context: Digest) -> Self {
        ClassCache {
            context,
            kept: Vec::new(),
            places: HashMap::default(),
            now: Mutex::default(),
            taken: AtomicU64::new(0),
            made: AtomicU64::new(0),
        }
    }

    /// The same with what an earlier run [kept](Self::to_bytes); nothing if these are no such bytes.
    pub fn with(self, kept: Vec<u8>) -> Option<Self> {
        let mut places = HashMap::default();
        let mut rest = Reader(&kept);
        while !rest.0.is_empty() {
            let (key, entry) = (rest.text()?, rest.text()?);
            let end = kept.len() - rest.0.len();
            places.insert(Digest::try_from(key).ok()?, end - entry.len()..end);
        }
        Some(ClassCache { kept, places, ..self })
    }

    /// How many classes were as they were before, and how many were rewritten, in all rounds together.
    pub fn counts(&self) -> (u64, u64) {
        (self.taken.load(Ordering::Relaxed), self.made.load(Ordering::Relaxed))
    }

    /// What is to be kept of this run: what it took from the one before, and what it made.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        for (key, entry) in &*self.now.lock().unwrap_or_else(PoisonError::into_inner) {
            writer.text(key);
            writer.text(match entry {
                Entry::Taken(place) => &self.kept[place.clone()],
                Entry::Made(bytes) => bytes,
            });
        }
        writer.0
    }

    /// Remembers what became of a class.
    fn note(&self, key: Digest, entry: Entry) {
        let counter = if matches!(entry, Entry::Taken(_)) { &self.taken } else { &self.made };
        counter.fetch_add(1, Ordering::Relaxed);
        self.now.lock().unwrap_or_else(PoisonError::into_inner).insert(key, entry);
    }
}

/// Rewrites the classes of a program as far as it is not known what becomes of them.
pub struct Round<'r> {
    hierarchy: &'r Hierarchy,
    known: &'r Known,
    cached: Option<Cached<'r>>,
}

/// What decides what becomes of every class in a round.
struct Cached<'r> {
    cache: &'r ClassCache,
    members: KnownMembers,
    digester: Digester,
}

impl<'r> Round<'r> {
    /// A round over a program of which this is known. Without a cache, or where rewrites have to be made, every class is
    /// rewritten.
    pub fn new(
        cache: Option<&'r ClassCache>,
        hierarchy: &'r Hierarchy,
        known: &'r Known,
        settings: &Settings,
    ) -> Self {
        let may_be_taken = known.origins.is_none() && !is_watched(settings);
        let cached = cache.filter(|_| may_be_taken).map(|cache| {
            let mut digester = Digester::default();
            digester.write(&cache.context);
            hierarchy.fingerprint(&mut digester);
            known.fingerprint(&mut digester);
            Cached { cache, members: known.members(), digester }
        });
        Round { hierarchy, known, cached }
    }

    /// What becomes of a class; nothing if it stays as it is.
    pub(crate) fn rewrite(
        &self,
        file: &[u8],
        narrator: &mut Narrator<'_>,
        report: &mut Report,
    ) -> planish_classfile::Result<Option<Vec<u8>>> {
        let Some(cached) = &self.cached else {
            return rewrite_class(file, self.hierarchy, self.known, narrator, report);
        };
        let Some(key) = cached.key(file, self.known) else {
            return rewrite_class(file, self.hierarchy, self.known, narrator, report);
        };
        if let Some(Found { place, class, report: before }) = cached.find(&key) {
            cached.cache.note(key, Entry::Taken(place));
            report.add(before);
            return Ok(class.map(<[u8]>::to_vec));
        }
        let asked = Arc::new(Asked::new(cached.members.clone()));
        let (mut own, refusals) = (Report::default(), narrator.refusals());
        let known = (self.known, Arc::clone(&asked) as _);
        let class = rewrite_class_amid(file, self.hierarchy, known, narrator, &mut own)?;
        if own.broken.is_empty() && narrator.refusals() == refusals {
            let entry = cached.entry(&asked, class.as_deref(), &own);
            cached.cache.note(key, Entry::Made(entry));
        }
        report.add(own);
        Ok(class)
    }
}

/// Whether somebody wants to see, count, limit or compare rewrites, or has them made at random.
fn is_watched(settings: &Settings) -> bool {
    settings.log
        || settings.fuel.is_some()
        || settings.chaos.is_some()
        || settings.validate > 0
        || settings.states
        || settings.graphs
        || settings.remains
        || settings.untold
        || settings.watched.is_some()
        || settings.witness.is_some()
        || settings.instrument.shows()
        || settings.instrument.time
        || settings.instrument.verify
}

/// What became of a class in another run.
struct Found<'c> {
    /// Where that stands.
    place: Range<usize>,
    /// The new class, if it changed.
    class: Option<&'c [u8]>,
    /// What is told of its methods.
    report: Report,
}

impl Cached<'_> {
    /// The digest of all that decides what becomes of a class, but for what its bodies ask. Nothing if it cannot be read.
    fn key(&self, file: &[u8], known: &Known) -> Option<Digest> {
        let mut digester = self.digester.clone();
        file.hash(&mut digester);
        known.fingerprint_of(&ClassFile::read(file).ok()?, &mut digester).ok()?;
        Some(digester.digest())
    }

    /// What became of a class, if that is known and what it asked has the answers that it had.
    fn find(&self, key: &Digest) -> Option<Found<'_>> {
        let place = self.cache.places.get(key)?.clone();
        let mut entry = Reader(&self.cache.kept[place.clone()]);
        let mut questions = Vec::new();
        for _ in 0..entry.number()? {
            questions.push(entry.text()?);
        }
        if entry.text()? != self.answered(questions.into_iter())? {
            return None;
        }
        let class = if entry.number()? == 0 { None } else { Some(entry.text()?) };
        let report = entry.report()?;
        entry.0.is_empty().then_some(Found { place, class, report })
    }

    /// What became of a class, to be kept.
    fn entry(&self, asked: &Asked<KnownMembers>, class: Option<&[u8]>, report: &Report) -> Vec<u8> {
        let questions = asked.questions();
        let mut writer = Writer::default();
        writer.number(questions.len() as u64);
        questions.iter().for_each(|question| writer.text(question));
        let answers = self.answered(questions.iter().map(|question| &**question));
        writer.text(&answers.expect("these are questions"));
        writer.number(u64::from(class.is_some()));
        class.into_iter().for_each(|class| writer.text(class));
        writer.report(report);
        writer.0
    }

    /// The digest of the answers to questions.
    fn answered<'q>(&self, questions: impl Iterator<Item = &'q [u8]>) -> Option<Digest> {
        let mut digester = Digester::default();
        answers(questions, &self.members, &mut digester)?;
        Some(digester.digest())
    }
}
