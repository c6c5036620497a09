//! A log piece by piece, so that one of any size can be optimized in the memory that a piece takes.
//!
//! A piece ends where no section is open. What a trace needs of the others is small, and is gathered by reading the log
//! once before it is optimized ([`Index`]): to which labels others jump, which fields never change, and which traces are
//! left by bridges that come later. These parents are kept as text from where they stand until the last piece that needs
//! them ([`Shelf`]), and stand in front of such a piece ([`Joined`]) while it is optimized. So a piece becomes what it
//! becomes in the whole log.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::BuildHasher;
use std::io::{self, BufRead};
use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use planish_base::Id;
use planish_base::diag::{Diagnostic, Diagnostics, SourceText};
use rustc_hash::FxBuildHasher;

use crate::opcode::{Kind, Lift, Opcode};
use crate::parent;
use crate::pypylog::{Log, SectionId, SectionKind, boundary};
use crate::text::{OpData, Text, Texts, Trace};
use crate::tokens::{Place, Shared, fit, is, kinds, last_jump, sealed};
use crate::unchanging::{self, Unchanging};

/// Divides a log into pieces.
pub struct Pieces<R> {
    from: R,
    /// A piece has so many bytes at least, unless it is the last one.
    least: usize,
    /// How many lines were read.
    lines: usize,
}

/// A part of a log: whole lines, at whose end no section is open.
pub struct Piece {
    /// What stands there.
    pub bytes: Vec<u8>,
    /// How many lines stand before it.
    pub lines_before: usize,
}

impl<R: BufRead> Pieces<R> {
    /// The pieces of a log, of about so many bytes.
    pub fn new(from: R, least: usize) -> Self {
        Pieces { from, least, lines: 0 }
    }

    /// The next piece; `None` behind the last one.
    pub fn read(&mut self) -> io::Result<Option<Piece>> {
        let mut piece = Piece { bytes: Vec::new(), lines_before: self.lines };
        let mut open: Vec<Vec<u8>> = Vec::new();
        loop {
            let start = piece.bytes.len();
            if self.from.read_until(b'\n', &mut piece.bytes)? == 0 {
                return Ok((start > 0).then_some(piece));
            }
            self.lines += 1;
            // Nearly every line is inside a trace; one byte tells.
            if piece.bytes[start] == b'[' {
                follow(&mut open, &piece.bytes[start..]);
            }
            if open.is_empty() && piece.bytes.len() >= self.least {
                return Ok(Some(piece));
            }
        }
    }
}

/// Keeps the names of the sections that are open, as the reader of logs does.
fn follow(open: &mut Vec<Vec<u8>>, line: &[u8]) {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let Some((_, name, opens)) = std::str::from_utf8(line).ok().and_then(boundary) else { return };
    match opens {
        true => open.push(name.as_bytes().to_vec()),
        false => {
            if let Some(at) = open.iter().rposition(|other| other == name.as_bytes()) {
                open.truncate(at);
            }
        }
    }
}

/// A section by its piece and its number there.
type Address = (usize, SectionId);

/// What the traces of a log need of each other.
#[derive(Default)]
pub struct Index {
    /// How many pieces were taken up.
    pieces: usize,
    labels: HashMap<String, Label, FxBuildHasher>,
    /// Jumps to labels that their piece does not have.
    jumps: Vec<Jump>,
    shared: HashSet<String, FxBuildHasher>,
    /// What raw traces name that cannot be read: they may jump there.
    unread: HashSet<String, FxBuildHasher>,
    unchanging: Unchanging,
    /// Whether several processes wrote the log.
    torn: bool,
    /// Where a guard of an optimized trace stood last, by the hash of its name: a log has very many of them. If two have
    /// one hash, a bridge is optimized without what its parent knows.
    guards: HashMap<u64, (u32, u32), FxBuildHasher>,
    /// For each piece the parents of its bridges that stand in other pieces.
    needs: BTreeMap<usize, BTreeSet<Address>>,
}

/// The labels of a token.
struct Label {
    piece: usize,
    /// What they take.
    kinds: Vec<Vec<Option<Kind>>>,
    /// The first of them, for people.
    place: String,
    /// What is wrong if others jump there.
    unsealed: String,
}

struct Jump {
    token: String,
    kinds: Vec<Option<Kind>>,
    place: String,
}

impl Index {
    /// Takes up a piece. What does not fit together in it is said, what does not fit to others before.
    pub fn add(&mut self, log: &Log, diagnostics: &mut Diagnostics) -> Result<(), String> {
        let piece = self.pieces;
        self.pieces += 1;
        let spelled = |text: &Text| log.texts.get(*text).clone();
        self.shared.extend(log.shared_labels(diagnostics).iter().map(spelled));
        self.unchanging.extend(unchanging::fields(log).iter().map(spelled));
        self.torn |= log.is_torn();
        self.bridges(piece, log);
        let raw = || log.sections.iter().filter(|(_, section)| section.kind == SectionKind::NoOpt);
        self.unread.extend(raw().flat_map(|(_, section)| &section.unread).map(spelled));
        let traces: Vec<(SectionId, &Trace)> =
            raw().filter_map(|(id, section)| Some((id, section.trace.as_ref()?))).collect();
        for &(id, trace) in &traces {
            self.labels(piece, (id, trace), log)?;
        }
        for &(_, trace) in &traces {
            self.jump(piece, trace, log);
        }
        Ok(())
    }

    fn labels(&mut self, piece: usize, (id, trace): (SectionId, &Trace), log: &Log) -> Result<(), String> {
        for op in trace.ops.iter().filter(|op| is(op, Lift::Label)) {
            let Some(token) = op.descr else { continue };
            let (takes, name) = (kinds(trace.args(op), trace), log.texts.get(token));
            match self.labels.get_mut(name) {
                Some(known) if known.piece != piece => {
                    let error = Diagnostic::error(op.span, format!("there is a label `{name}` already"));
                    return Err(error.note(known.place.clone()).render(&log.source));
                }
                Some(known) => known.kinds.push(takes),
                None => {
                    let mut found = Diagnostics::new();
                    let place = Place { number: id.index(), trace, texts: &log.texts, source: &log.source };
                    sealed(place, |op| op.descr == Some(token), &mut found);
                    let unsealed = if found.is_empty() { String::new() } else { found.render(&log.source) };
                    let label = Label { piece, kinds: vec![takes], place: shown(op, log), unsealed };
                    self.labels.insert(name.clone(), label);
                }
            }
        }
        Ok(())
    }

    fn jump(&mut self, piece: usize, trace: &Trace, log: &Log) {
        let Some(jump) = last_jump(trace) else { return };
        let Some(token) = jump.descr.map(|token| log.texts.get(token)) else { return };
        if self.labels.get(token).is_none_or(|label| label.piece != piece) {
            let kinds = kinds(trace.args(jump), trace);
            self.jumps.push(Jump { token: token.clone(), kinds, place: shown(jump, log) });
        }
    }

    /// Notes where guards are, and which of other pieces are left by bridges.
    fn bridges(&mut self, piece: usize, log: &Log) {
        let hash = |name: &str| FxBuildHasher.hash_one(name);
        for (id, section) in log.sections.iter() {
            let optimized = matches!(section.kind, SectionKind::OptLoop | SectionKind::OptBridge);
            if optimized {
                for &descr in &section.unread {
                    self.guards.insert(hash(log.texts.get(descr)), (piece as u32, id.index() as u32));
                }
            }
            let Some(trace) = section.trace.as_ref().filter(|_| optimized) else { continue };
            if let Some(guard) = parent::guard_left(trace, &log.texts)
                && let Some(&(other, number)) = self.guards.get(&hash(&guard))
                && other as usize != piece
            {
                let address = (other as usize, SectionId::from_index(number as usize));
                self.needs.entry(piece).or_default().insert(address);
            }
            for op in trace.ops.iter().filter(|op| op.opcode.is_some_and(Opcode::is_guard)) {
                if let Some(descr) = op.descr {
                    self.guards.insert(hash(log.texts.get(descr)), (piece as u32, id.index() as u32));
                }
            }
        }
    }

    /// What is known when all pieces were taken up. The error is the list of jumps that do not fit labels of other pieces.
    pub fn finish(mut self) -> Result<Known, String> {
        let mut wrong = String::new();
        for Jump { token, kinds, place } in &self.jumps {
            let Some(label) = self.labels.get(token) else { continue };
            if !label.kinds.iter().any(|takes| fit(kinds, takes)) {
                wrong += &format!(
                    "error: `jump` does not hand over what `{token}` takes\n{place}\n{}\n",
                    label.place
                );
            } else if self.shared.insert(token.clone()) {
                wrong += &label.unsealed;
            }
        }
        let is_open = |token: &String| self.labels.get(token).is_some_and(|label| label.unsealed.is_empty());
        self.shared.extend(self.unread.drain().filter(is_open));
        if self.torn {
            self.needs.clear();
        }
        let mut last = BTreeMap::new();
        for (&piece, needed) in &self.needs {
            needed.iter().for_each(|&address| _ = last.insert(address, piece));
        }
        match wrong.is_empty() {
            true => {
                let Index { pieces, shared, unchanging, torn, needs, .. } = self;
                Ok(Known { pieces, shared, unchanging: Arc::new(unchanging), torn, needs, last })
            }
            false => Err(wrong),
        }
    }
}

/// A line of a log, for people.
fn shown(op: &OpData, log: &Log) -> String {
    let (line, _) = log.source.position(op.span.start);
    format!("{}:{line}: {}", log.source.name(), log.source.slice(op.span).trim())
}

/// What a trace of a log may need of the others.
pub struct Known {
    pieces: usize,
    shared: HashSet<String, FxBuildHasher>,
    unchanging: Arc<Unchanging>,
    torn: bool,
    needs: BTreeMap<usize, BTreeSet<Address>>,
    /// The last piece that needs a parent.
    last: BTreeMap<Address, usize>,
}

impl Known {
    /// How many pieces the log has.
    pub fn pieces(&self) -> usize {
        self.pieces
    }

    /// Whether several processes wrote the log, so that a bridge is told nothing: the guard of its name may be another's.
    pub(crate) fn is_torn(&self) -> bool {
        self.torn
    }

    /// Fields that never change.
    pub(crate) fn unchanging(&self) -> Arc<Unchanging> {
        Arc::clone(&self.unchanging)
    }

    /// The tokens of a piece to whose labels other traces jump.
    pub(crate) fn shared(&self, texts: &Texts) -> Shared {
        self.shared.iter().filter_map(|token| texts.lookup_str(token)).collect()
    }
}

/// The parents that are still needed, as text.
#[derive(Default)]
pub struct Shelf(BTreeMap<Address, String>);

/// The text of a piece behind the parents of its bridges.
pub struct Joined {
    /// All of it.
    pub source: SourceText,
    /// Where the piece begins.
    pub begins: usize,
}

impl Shelf {
    /// Puts a piece behind the parents that it needs. The error is the rendered message that it is no UTF-8.
    pub fn join(&self, name: &str, number: usize, piece: Piece, known: &Known) -> Result<Joined, String> {
        let mut bytes = Vec::new();
        for address in known.needs.get(&number).into_iter().flatten() {
            bytes.extend_from_slice(self.0.get(address).map_or(&[][..], |text| text.as_bytes()));
        }
        let begins = bytes.len();
        let lines = bytes.iter().filter(|&&byte| byte == b'\n').count();
        bytes.extend_from_slice(&piece.bytes);
        let source = SourceText::part(name, bytes, piece.lines_before as isize - lines as isize);
        let source = source.map_err(|error| error.1.render(&error.0))?;
        Ok(Joined { source, begins })
    }

    /// Keeps what later pieces need of one that was optimized, behind so many sections of parents, and nothing that none of
    /// them needs.
    pub fn keep(&mut self, number: usize, log: &Log, parents: usize, known: &Known) {
        let first = |piece: usize| (piece, SectionId::from_index(0));
        for &address in known.last.range(first(number)..first(number + 1)).map(|(address, _)| address) {
            let id = SectionId::from_index(address.1.index() + parents);
            self.0.insert(address, parent::alone(log, id));
        }
        self.0.retain(|address, _| known.last.get(address).is_some_and(|&last| last > number));
    }
}
