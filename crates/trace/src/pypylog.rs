//! PYPYLOG files: nested, timed sections of text, some of which hold traces.
//!
//! `[hex] {name` opens a section and `[hex] name}` closes it; the number is the processor's time stamp.
//! PyPy writes one `jit-tracing` for each attempt to trace, and in it the raw trace (`jit-log-noopt`)
//! and what its optimizer made of it (`jit-log-opt-loop`, `jit-log-opt-bridge`), which belongs to the
//! last raw trace before it in the same attempt.
//!
//! Everything that is no trace is kept as it is: writing copies the source and inserts sections of our
//! own behind those of raw traces, so an unchanged log is the same bytes. A file that gzip compressed is
//! recognized by its first two bytes. A section that a crash left open ends with the file.

use std::io::{self, BufReader, Cursor, Read};
use std::ops::Range;

use flate2::bufread::MultiGzDecoder;
use planish_base::Arena;
use planish_base::diag::{Diagnostic, Diagnostics, Severity, SourceText, Span};

use crate::check;
use crate::header::Header;
use crate::opcode::Lift;
use crate::read::{Reader, lines};
use crate::text::{OpData, Text, Texts, Trace};
use crate::tokens::{Beginning, Labels, Place, Shared, sealed};

planish_base::define_id!(
    /// A section of a log.
    SectionId, "section"
);

/// What a section holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SectionKind {
    /// One attempt to trace.
    Tracing,
    /// A raw trace.
    NoOpt,
    /// A loop or entry bridge behind PyPy's optimizer.
    OptLoop,
    /// A bridge behind PyPy's optimizer.
    OptBridge,
    /// What other traces must redo to enter the peeled loop.
    ShortPreamble,
    /// A trace in another stage, as before assembly.
    OtherTrace,
    /// Text that is no trace.
    Other,
}

impl SectionKind {
    fn of_name(name: &str) -> SectionKind {
        match name {
            "jit-tracing" => SectionKind::Tracing,
            "jit-log-noopt" | "jit-log-noopt-loop" | "jit-log-noopt-bridge" => SectionKind::NoOpt,
            "jit-log-opt-loop" => SectionKind::OptLoop,
            "jit-log-opt-bridge" => SectionKind::OptBridge,
            "jit-log-short-preamble" => SectionKind::ShortPreamble,
            // What is known at the end of a preamble, in a notation of its own.
            "jit-log-exported-state" => SectionKind::Other,
            _ if name.starts_with("jit-log-") => SectionKind::OtherTrace,
            _ => SectionKind::Other,
        }
    }

    /// Whether a section of this kind holds a trace.
    pub fn is_trace(self) -> bool {
        !matches!(self, SectionKind::Tracing | SectionKind::Other)
    }
}

/// A section of a log.
#[derive(Clone)]
pub struct Section {
    /// What it holds.
    pub kind: SectionKind,
    /// Its name in the source.
    pub name: Span,
    /// The section around it.
    pub parent: Option<SectionId>,
    /// The time stamp at its beginning.
    pub begin: u64,
    /// The time stamp at its end; `None` when it was never closed.
    pub end: Option<u64>,
    /// The beginning of its first line.
    pub open: usize,
    /// Everything between its first and last line, sections inside it included.
    pub content: Range<usize>,
    /// The end of its last line.
    pub close: usize,
    /// Whether another process wrote into the middle of it, or it stands in the middle of what another one wrote.
    pub torn: bool,
    /// The trace that it holds, if that can be read.
    pub trace: Option<Trace>,
    /// Of a trace that cannot be read, what stands in its text where descriptors do: it may jump to these labels, and these may be
    /// guards of it.
    pub unread: Vec<Text>,
}

/// A log.
#[derive(Clone)]
pub struct Log {
    /// The text.
    pub source: SourceText,
    /// The sections in the order in which they begin.
    pub sections: Arena<SectionId, Section>,
    /// All strings of its traces.
    pub texts: Texts,
}

/// So many bytes a file may unfold to, whatever its size.
const HARMLESS: u64 = 256 << 20;

/// A file may unfold to so many times its size; what unfolds to more is taken for a bomb. Real logs do to 13 times.
const MOST_RATIO: u64 = 100;

/// Of data that ends before it is complete nothing is used, since what is behind its end nobody knows.
const CUT_OFF: &str = "the compressed data is cut off: it ends before it is complete; `gzip -dc` gives what is left of it, a log \
                       that ends in the middle";

/// What is in a file, inflated when gzip compressed it.
pub struct Inflated<'a> {
    read: Box<dyn Read + 'a>,
    /// How many bytes may come still; nothing when none are inflated.
    left: Option<u64>,
    most: u64,
}

impl<'a> Inflated<'a> {
    /// The bytes of a file of a length, which inflate to so many bytes at most. If nothing is said, that is what nobody would
    /// take for a bomb.
    pub fn new(mut read: impl Read + 'a, length: u64, limit: Option<u64>) -> io::Result<Self> {
        let mut magic = Vec::with_capacity(2);
        read.by_ref().take(2).read_to_end(&mut magic)?;
        let is_compressed = magic == [0x1f, 0x8b];
        let all = Cursor::new(magic).chain(read);
        let most = limit.unwrap_or_else(|| HARMLESS.max(length.saturating_mul(MOST_RATIO)));
        Ok(match is_compressed {
            true => {
                Inflated { read: Box::new(MultiGzDecoder::new(BufReader::new(all))), left: Some(most), most }
            }
            false => Inflated { read: Box::new(all), left: None, most },
        })
    }
}

impl Read for Inflated<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let Some(left) = &mut self.left else { return self.read.read(into) };
        let got = self.read.read(into).map_err(|error| match error.kind() {
            io::ErrorKind::Interrupted => error,
            kind @ io::ErrorKind::UnexpectedEof => io::Error::new(kind, CUT_OFF),
            kind => io::Error::new(kind, format!("the compressed data is damaged: {error}")),
        })?;
        *left = left.checked_sub(got as u64).ok_or_else(|| {
            let most = self.most;
            io::Error::other(format!(
                "it inflates to more than {most} bytes, which is taken for a bomb; --inflated-limit says what is not"
            ))
        })?;
        Ok(got)
    }
}

/// The text of a log file, inflated as [`Inflated`] does it.
pub fn unfold(bytes: Vec<u8>, limit: Option<u64>) -> Result<Vec<u8>, String> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(bytes);
    }
    let mut text = Vec::with_capacity(bytes.len().saturating_mul(12).min(1 << 26));
    let read =
        Inflated::new(&bytes[..], bytes.len() as u64, limit).and_then(|mut it| it.read_to_end(&mut text));
    read.map(|_| text).map_err(|error| error.to_string())
}

/// Reads a log. A trace in which something is wrong, which is an error at its place, is none of the log; the others are.
pub fn read(source: SourceText) -> (Log, Diagnostics) {
    let mut diagnostics = Diagnostics::new();
    let mut sections = divide(&source, &mut diagnostics);
    let mut texts = Texts::new();
    let inside = nested(&sections);
    let mut reader = Reader::new(source.text(), &mut diagnostics);
    for (number, (section, holes)) in sections.values_mut().zip(inside.values()).enumerate() {
        if !section.kind.is_trace() {
            continue;
        }
        let content = || pieces(&section.content, holes).flat_map(|range| lines(source.text(), range));
        if section.torn {
            section.unread = named(content(), &source, &mut texts);
            continue;
        }
        let found_before = reader.diagnostics.len();
        let mut trace = reader.trace(content(), &mut texts);
        if let Some(trace) = &trace {
            check::descriptors(trace, &texts, &Header::default(), &source, reader.diagnostics);
        }
        if let Some(trace) = trace.as_ref().filter(|_| section.kind == SectionKind::NoOpt) {
            // What a section that is never closed lacks is not known to be nothing.
            if section.end.is_none()
                && !ends(trace)
                && let Some(last) = content().last()
            {
                reader.diagnostics.error(last, "the log ends here, in the middle of a trace");
            }
            let place = Place { number, trace, texts: &texts, source: &source };
            let mut own = Labels::default();
            own.add(place);
            own.jump(place, Beginning::Own, reader.diagnostics);
        }
        let mut found = reader.diagnostics.iter().skip(found_before);
        if found.any(|found| found.severity == Severity::Error) {
            trace = None;
            section.unread = named(content(), &source, &mut texts);
        }
        section.trace = trace;
    }
    (Log { source, sections, texts }, diagnostics)
}

/// Whether an operation stands in a trace behind which nothing is.
fn ends(trace: &Trace) -> bool {
    let last = trace.ops.last().and_then(|op| op.opcode);
    last.is_some_and(|opcode| matches!(opcode.row().lift, Lift::Jump | Lift::Finish))
}

/// What stands in lines of a trace where descriptors do.
fn named(lines: impl Iterator<Item = Span>, source: &SourceText, texts: &mut Texts) -> Vec<Text> {
    lines.filter_map(|line| descriptor(source.slice(line), texts)).collect()
}

/// What stands in a line of a trace where a descriptor does, whatever else is wrong there.
fn descriptor(line: &str, texts: &mut Texts) -> Option<Text> {
    let (_, rest) = line.rsplit_once("descr=")?;
    let end = rest.rfind(')').unwrap_or(rest.len());
    Some(texts.intern_str(rest[..end].trim()))
}

/// The line `[hex] {name` or `[hex] name}`, as (time, name, whether it opens).
pub(crate) fn boundary(line: &str) -> Option<(u64, &str, bool)> {
    let (stamp, rest) = line.strip_prefix('[')?.split_once("] ")?;
    let (name, opens) = match rest.strip_prefix('{') {
        Some(name) => (name, true),
        None => (rest.strip_suffix('}')?, false),
    };
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
    if name.is_empty() || !name.bytes().all(plain) {
        return None;
    }
    Some((u64::from_str_radix(stamp, 16).ok()?, name, opens))
}

/// The sections of a log.
fn divide(source: &SourceText, diagnostics: &mut Diagnostics) -> Arena<SectionId, Section> {
    let text = source.text();
    let mut sections = Arena::<SectionId, Section>::new();
    let mut open: Vec<SectionId> = Vec::new();
    for line in lines(text, 0..text.len()) {
        // Nearly every line is inside a trace; one byte tells.
        if text.as_bytes().get(line.start as usize) != Some(&b'[') {
            continue;
        }
        let Some((time, name, opens)) = boundary(&text[line.range()]) else { continue };
        // Carriage returns are no part of a line.
        let after =
            text[line.end as usize..].find('\n').map_or(text.len(), |end| line.end as usize + end + 1);
        if opens {
            let start = line.end - name.len() as u32;
            let section = Section {
                kind: SectionKind::of_name(name),
                name: Span { start, end: line.end },
                parent: open.last().copied(),
                begin: time,
                end: None,
                open: line.start as usize,
                content: after..after,
                close: text.len(),
                torn: false,
                trace: None,
                unread: Vec::new(),
            };
            let id = sections.push(section);
            tear(source, &mut sections, &open, id, diagnostics);
            open.push(id);
            continue;
        }
        let matching = open.iter().rposition(|&id| source.slice(sections[id].name) == name);
        let Some(position) = matching else {
            let error = Diagnostic::warning(line, format!("no section `{name}` is open here"));
            diagnostics.push(error.note("the line is kept as it is"));
            continue;
        };
        for &id in &open[position + 1..] {
            let name = source.slice(sections[id].name).to_owned();
            let message = format!("the section `{name}` is never closed");
            diagnostics.push(Diagnostic::warning(sections[id].name, message));
            sections[id].content.end = line.start as usize;
            sections[id].close = line.start as usize;
        }
        let section = &mut sections[open[position]];
        section.content.end = line.start as usize;
        section.close = after;
        section.end = Some(time);
        open.truncate(position);
    }
    let end = cut_boundary(text).unwrap_or(text.len());
    for id in open {
        let name = source.slice(sections[id].name).to_owned();
        let message = format!("the section `{name}` is never closed");
        diagnostics.push(Diagnostic::warning(sections[id].name, message));
        sections[id].content.end = end.max(sections[id].content.start);
    }
    sections
}

/// Where a line begins that would open or close a section, if the log ends in the middle of it.
fn cut_boundary(text: &str) -> Option<usize> {
    let whole = text.trim_end_matches(['\n', '\r']);
    let begin = whole.rfind('\n').map_or(0, |end| end + 1);
    let rest = whole[begin..].strip_prefix('[')?;
    let stamp = rest.find(']').map_or(rest, |end| &rest[..end]);
    let is_stamp = stamp.len() >= 8 && stamp.bytes().all(|b| b.is_ascii_hexdigit());
    (is_stamp && boundary(&whole[begin..]).is_none()).then_some(begin)
}

/// Notes where a trace, or an attempt to trace, begins in the middle of a trace: a process writes one behind the other, so two wrote here,
/// and which lines are of which trace is not known.
fn tear(
    source: &SourceText,
    sections: &mut Arena<SectionId, Section>,
    open: &[SectionId],
    id: SectionId,
    diagnostics: &mut Diagnostics,
) {
    let is_trace = |id: SectionId| sections[id].kind.is_trace();
    if sections[id].kind == SectionKind::Other {
        return;
    }
    let Some(around) = open.iter().copied().rfind(|&id| is_trace(id)) else { return };
    if !sections[around].torn {
        let [inner, outer] = [id, around].map(|id| source.slice(sections[id].name));
        let message =
            format!("`{inner}` begins in the middle of `{outer}`: several processes wrote this log");
        let error = Diagnostic::error(sections[id].name, message);
        diagnostics.push(error.note("PYPYLOG=...:FILE%d gives each process a log of its own"));
    }
    for torn in [id, around] {
        sections[torn].torn |= sections[torn].kind.is_trace();
    }
}

/// For each section the ranges, in order, that sections inside it take, their first and last lines
/// included.
fn nested(sections: &Arena<SectionId, Section>) -> Arena<SectionId, Vec<Range<usize>>> {
    let mut inside: Arena<SectionId, Vec<Range<usize>>> = sections.values().map(|_| Vec::new()).collect();
    for section in sections.values() {
        if let Some(parent) = section.parent.filter(|&parent| sections[parent].kind.is_trace()) {
            inside[parent].push(section.open..section.close);
        }
    }
    inside
}

/// A range without its holes.
fn pieces<'a>(range: &'a Range<usize>, holes: &'a [Range<usize>]) -> impl Iterator<Item = Range<usize>> + 'a {
    let starts = std::iter::once(range.start).chain(holes.iter().map(|hole| hole.end));
    let ends = holes.iter().map(|hole| hole.start).chain(std::iter::once(range.end));
    starts.zip(ends).filter(|(start, end)| start < end).map(|(start, end)| start..end)
}

impl Log {
    /// Whether several processes wrote into it at once. Names of one need not be those of the other: addresses of guards, say.
    pub fn is_torn(&self) -> bool {
        self.sections.values().any(|section| section.torn)
    }

    /// Holds the jumps of raw traces against their labels. The tokens to whose labels other raw traces jump, or may jump that cannot
    /// be read.
    pub fn shared_labels(&self, diagnostics: &mut Diagnostics) -> Shared {
        let (source, texts) = (&self.source, &self.texts);
        let raw =
            (self.sections.values().enumerate()).filter(|(_, section)| section.kind == SectionKind::NoOpt);
        let places = raw.filter_map(|(number, section)| {
            section.trace.as_ref().map(|trace| Place { number, trace, texts, source })
        });
        let places: Vec<Place<'_>> = places.collect();
        let mut labels = Labels::default();
        places.iter().for_each(|&place| labels.add(place));
        places.iter().for_each(|&place| labels.jump(place, Beginning::Own, diagnostics));
        labels.twice(source, diagnostics);
        let mut shared = labels.shared(texts);
        let is_shared = |op: &OpData| op.descr.is_some_and(|token| shared.contains(&token));
        places.iter().for_each(|&place| sealed(place, is_shared, diagnostics));
        let unread = self.sections.values().filter(|section| section.kind == SectionKind::NoOpt);
        let named: Shared = unread.flat_map(|section| &section.unread).copied().collect();
        if !named.is_empty() {
            let open = places.iter().flat_map(|&place| labels.open(place));
            shared.extend(open.filter(|token| named.contains(token)));
        }
        shared
    }

    /// The name of a section.
    pub fn name(&self, section: SectionId) -> &str {
        self.source.slice(self.sections[section].name)
    }

    /// Writes the log with text inserted behind sections; `inserted` is in the order of sections. Its lines end like the
    /// last one of the section.
    pub fn write(&self, inserted: &[(SectionId, String)]) -> String {
        let text = self.source.text();
        let mut places: Vec<(usize, &str)> =
            inserted.iter().map(|(id, text)| (self.sections[*id].close, text.as_str())).collect();
        places.sort_by_key(|(place, _)| *place);
        let more: usize = inserted.iter().map(|(_, text)| text.len()).sum();
        let mut out = String::with_capacity(text.len() + more);
        let mut at = 0;
        for (place, new) in places {
            out.push_str(&text[at..place]);
            if !out.is_empty() && !out.ends_with('\n') {
                out.push('\n');
            }
            match text[..place].ends_with("\r\n") {
                true => out.push_str(&new.replace('\n', "\r\n")),
                false => out.push_str(new),
            }
            at = place;
        }
        out.push_str(&text[at..]);
        out
    }
}
