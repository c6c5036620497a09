//! Reading traces: the text of PyPy's tests and of its logs, which differ in layout only.
//!
//! One pass over the bytes, line by line; a line is parsed from left to right without going back. What
//! is wrong is collected with its place: undefined and doubly defined names, wrong numbers and kinds of
//! arguments, an overflow guard that does not stand behind its operation, an uneven indentation. A
//! line that cannot be read is left out and the reading goes on, so one run shows all errors.
//!
//! The lines of a trace are here, the arguments of an operation in `args`, files of several traces in `file`.
//!
//! The syntax is that of `rpython/jit/tool/oparser.py`. What it accepts by accident is not copied: a
//! deeper line is an error here as there, but an argument list must be closed.

mod args;
mod file;
mod resume;

use hashbrown::{HashMap, HashSet};
use planish_base::List;
use planish_base::diag::{Diagnostic, Diagnostics, Span};
use planish_base::spelling::closest;
use rustc_hash::FxBuildHasher;

use crate::opcode::{Kind, Lift, Opcode};
use crate::text::{Arg, OpData, Text, Texts, Trace, Var};

pub(crate) use args::kind_of;
pub(crate) use file::lines;
pub use file::{Section, TraceFile, read, read_beside};

/// Reads traces out of one source text. Tables are kept between traces.
pub(crate) struct Reader<'a> {
    text: &'a str,
    pub(crate) diagnostics: &'a mut Diagnostics,
    numbered: [Vec<Option<Var>>; 4],
    others: HashMap<Text, Var, FxBuildHasher>,
    unknown: HashSet<Text, FxBuildHasher>,
    /// What is used and was not defined above that.
    undefined: HashSet<Var, FxBuildHasher>,
    /// The arguments of the operation at hand.
    args: Vec<Arg>,
    spans: Vec<Span>,
    indentation: Option<u32>,
    /// The overflow operation that still lacks its guard.
    pending: Option<Span>,
}

/// What begins the resume behind a guard.
const RESUME: &[u8] = b"#! resume ";

/// A line that cannot be read, and has been reported.
struct Malformed;

/// A place in one line.
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    end: usize,
}

impl Cursor<'_> {
    #[inline]
    fn peek(&self) -> u8 {
        if self.at < self.end { self.bytes[self.at] } else { 0 }
    }

    #[inline]
    fn skip_blanks(&mut self) {
        while matches!(self.peek(), b' ' | b'\t') {
            self.at += 1;
        }
    }

    fn rest(&self) -> Span {
        Span::new(self.at..self.end)
    }
}

impl<'a> Reader<'a> {
    pub(crate) fn new(text: &'a str, diagnostics: &'a mut Diagnostics) -> Self {
        Reader {
            text,
            diagnostics,
            numbered: Default::default(),
            others: HashMap::default(),
            unknown: HashSet::default(),
            undefined: HashSet::default(),
            args: Vec::new(),
            spans: Vec::new(),
            indentation: None,
            pending: None,
        }
    }

    /// Reads one trace; `None` when the lines hold no inputs and no operation.
    pub(crate) fn trace(&mut self, lines: impl Iterator<Item = Span>, texts: &mut Texts) -> Option<Trace> {
        for table in &mut self.numbered {
            table.clear();
        }
        self.others.clear();
        self.indentation = None;
        self.pending = None;
        let mut trace = Trace::default();
        let mut inputs = None;
        let mut ended = false;
        for span in lines {
            let line = &self.text.as_bytes()[span.range()];
            let blanks = line.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
            match line.get(blanks) {
                None => continue,
                Some(b'#') => {
                    if inputs.is_none() && !line.starts_with(b"#!") {
                        trace.comments.push(texts.intern_str(&self.text[span.range()]));
                    }
                    continue;
                }
                Some(b'-' | b'+') if line.ends_with(b"--end of the loop--") => {
                    trace.closing.push(texts.intern_str(&self.text[span.range()]));
                    continue;
                }
                Some(_) => {}
            }
            self.check_indentation(span, blanks as u32);
            let cursor = Cursor {
                bytes: self.text.as_bytes(),
                at: span.start as usize + blanks,
                end: span.end as usize,
            };
            if line[blanks] == b'[' {
                if inputs.is_some() {
                    self.diagnostics.error(span, "a trace has one line of inputs");
                } else {
                    inputs = Some(span);
                    trace.begins = span;
                    let _ = self.inputs(cursor, &mut trace, texts);
                }
                continue;
            }
            let first = inputs.is_none() && trace.ops.is_empty();
            if first {
                let error =
                    Diagnostic::error(span, "a trace begins with its inputs in brackets, as in `[i0, p1]`");
                self.diagnostics.push(error);
                inputs = Some(span);
            }
            if let Ok(Some(op)) = self.operation(cursor, span, &mut trace, texts) {
                self.check_overflow(&op, span);
                if ended {
                    self.diagnostics.error(span, "nothing is reached behind a `jump` or `finish`");
                }
                ended |= op.opcode.is_some_and(|op| matches!(op.row().lift, Lift::Jump | Lift::Finish));
                trace.ops.push(op);
            }
        }
        if let Some(span) = self.pending.take() {
            self.diagnostics.error(span, OVERFLOW_WITHOUT_GUARD);
        }
        inputs.map(|_| trace)
    }

    fn check_indentation(&mut self, span: Span, blanks: u32) {
        let expected = *self.indentation.get_or_insert(blanks);
        if blanks != expected {
            let at = Span { start: span.start, end: span.start + blanks.max(1) };
            let message = format!("indented by {blanks}, where the trace began with {expected}");
            self.diagnostics.error(at, message);
        }
    }

    /// An overflow operation and its guard stand side by side.
    fn check_overflow(&mut self, op: &OpData, span: Span) {
        let lift = op.opcode.map(|opcode| opcode.row().lift);
        match lift {
            Some(Lift::OverflowGuard(_)) => {
                if self.pending.take().is_none() {
                    let message = "an overflow guard stands directly behind an overflow operation";
                    self.diagnostics.error(span, message);
                }
            }
            _ => {
                if let Some(before) = self.pending.take() {
                    self.diagnostics.error(before, OVERFLOW_WITHOUT_GUARD);
                }
                if matches!(lift, Some(Lift::Overflow(_))) {
                    self.pending = Some(span);
                }
            }
        }
    }

    /// `[i0, p1, ...]`
    fn inputs(&mut self, mut c: Cursor<'_>, trace: &mut Trace, texts: &mut Texts) -> Result<(), Malformed> {
        c.at += 1;
        self.args.clear();
        loop {
            c.skip_blanks();
            if c.peek() == b']' {
                break;
            }
            let start = c.at;
            while !matches!(c.peek(), b',' | b']' | b'[' | 0) {
                c.at += 1;
            }
            self.skip_shape(&mut c);
            let span = self.trimmed(start, c.at);
            let letter = c.bytes.get(span.start as usize).copied().unwrap_or(0);
            let kind = Kind::of_letter(letter).filter(|_| letter != b'r' && span.start < span.end);
            let Some(kind) = kind else {
                let error = Diagnostic::error(span, "the name of an input begins with i, p, f or v");
                self.diagnostics.push(error);
                return Err(Malformed);
            };
            let var = self.define(span, kind, trace, texts);
            self.args.push(Arg::Var(var));
            c.skip_blanks();
            match c.peek() {
                b',' => c.at += 1,
                b']' => {}
                _ => {
                    self.diagnostics.error(c.rest(), "expected `,` or `]` after an input");
                    return Err(Malformed);
                }
            }
        }
        c.at += 1;
        trace.inputs = trace.lists.push(&self.args);
        self.only_comment_follows(&mut c);
        Ok(())
    }

    /// Reads what stands in front of the arguments of an operation: its name, and that of its result.
    fn heading(
        &mut self,
        c: &mut Cursor<'_>,
        line: Span,
        op: &mut OpData,
    ) -> Result<(Span, Option<Span>), Malformed> {
        if c.peek() == b'+' {
            op.offset = Some(self.offset(c)?);
        }
        let mut result = None;
        let mut word = self.word(c);
        if c.peek() == b'[' {
            self.skip_shape(c);
            word.end = c.at as u32;
        }
        c.skip_blanks();
        if c.peek() == b'=' {
            if self.text[word.range()].is_empty() {
                self.diagnostics.error(line, "expected a name for the result before `=`");
                return Err(Malformed);
            }
            result = Some(word);
            c.at += 1;
            c.skip_blanks();
            word = self.word(c);
            c.skip_blanks();
        }
        let name = &self.text[word.range()];
        if name.is_empty() {
            self.diagnostics.error(line, "expected an operation, as in `i2 = int_add(i0, i1)`");
            return Err(Malformed);
        }
        if c.peek() != b'(' && name.ends_with(':') {
            let message =
                format!("a label is an operation with its inputs, as in `label(i0, i1)`, not `{name}`");
            self.diagnostics.error(word, message);
            return Err(Malformed);
        }
        if c.peek() != b'(' {
            let message = format!("expected `(` after `{name}`");
            self.diagnostics.error(Span { start: c.at as u32, end: line.end.max(c.at as u32 + 1) }, message);
            return Err(Malformed);
        }
        c.at += 1;
        Ok((word, result))
    }

    fn warn_of_unknown(&mut self, word: Span, result: Option<u8>) {
        let name = &self.text[word.range()];
        let mut warning = Diagnostic::warning(word, format!("unknown operation `{name}`"));
        if let Some(near) = closest(name, Opcode::all().map(Opcode::name)) {
            let near = Opcode::of_result(near, result).map_or(near, Opcode::name);
            warning = warning.note(format!("did you mean `{near}`?"));
        }
        self.diagnostics.push(warning.note("it is kept as a call of which nothing is known"));
    }

    /// `[+OFFSET: ][RESULT = ]NAME(ARGS[, descr=DESCR])[ [FAIL ARGS]]`
    fn operation(
        &mut self,
        mut c: Cursor<'_>,
        line: Span,
        trace: &mut Trace,
        texts: &mut Texts,
    ) -> Result<Option<OpData>, Malformed> {
        let mut op = OpData {
            opcode: None,
            name: None,
            result: None,
            args: List::EMPTY,
            descr: None,
            fail: None,
            resume: None,
            offset: None,
            span: line,
        };
        let (word, result) = self.heading(&mut c, line, &mut op)?;
        let name = &self.text[word.range()];
        let letter = |span: Span| self.text.as_bytes()[span.range()].first().copied();
        let kind = result.and_then(letter);
        op.opcode =
            Opcode::from_name(name).or_else(|| kind.and_then(|letter| Opcode::from_load(name, letter)));
        if op.opcode.is_none() {
            let text = texts.intern_str(name);
            op.name = Some(text);
            if self.unknown.insert(text) {
                self.warn_of_unknown(word, kind);
            }
        }
        if matches!(name, "debug_merge_point" | "jit_debug") {
            self.raw_arguments(&mut c, line, &mut op, trace, texts)?;
            return Ok(Some(op));
        }
        // The label of a short preamble says its inputs, where none are listed.
        let is_first = trace.ops.is_empty() && trace.inputs.is_empty();
        let defines = is_first && op.opcode.is_some_and(|opcode| opcode.row().lift == Lift::Label);
        self.arguments(&mut c, &mut op, defines, trace, texts)?;
        c.skip_blanks();
        if c.peek() == b'[' {
            self.fail_arguments(&mut c, &mut op, trace, texts)?;
            c.skip_blanks();
            if c.bytes[c.at..c.end].starts_with(RESUME) {
                self.resume(&mut c, &mut op, trace, texts)?;
            }
        }
        self.only_comment_follows(&mut c);
        if let Some(opcode) = op.opcode {
            self.check_arguments(opcode, word, trace);
        }
        op.args = trace.lists.push(&self.args);
        if let Some(span) = result {
            let letter = self.text.as_bytes().get(span.start as usize).copied().unwrap_or(0);
            // Whether an operation on vectors gives one or an item stands in no row.
            let is_row = |opcode: &Opcode| !opcode.name().starts_with("vec_");
            if let Some(opcode) = op.opcode.filter(|opcode| opcode.row().result.is_none() && is_row(opcode)) {
                self.diagnostics
                    .error(span, format!("`{}` gives nothing that could have a name", opcode.name()));
            }
            if !(letter.is_ascii_alphabetic() || letter == b'_')
                || RESERVED.contains(&&self.text[span.range()])
            {
                let message = format!("`{}` is no name of a value", &self.text[span.range()]);
                self.diagnostics.error(span, message);
            }
            let kind = op.opcode.and_then(|o| o.row().result).or_else(|| Kind::of_letter(letter));
            let Some(kind) = kind else {
                self.diagnostics.error(span, "the name of a value begins with i, p, f or v");
                return Ok(Some(op));
            };
            op.result = Some(self.define(span, kind, trace, texts));
        }
        Ok(Some(op))
    }

    fn offset(&mut self, c: &mut Cursor<'_>) -> Result<u32, Malformed> {
        let start = c.at;
        c.at += 1;
        let digits = c.at;
        while c.peek().is_ascii_digit() {
            c.at += 1;
        }
        let offset = self.text[digits..c.at].parse();
        match offset {
            Ok(offset) if c.peek() == b':' => {
                c.at += 1;
                c.skip_blanks();
                Ok(offset)
            }
            _ => {
                self.diagnostics.error(Span::new(start..c.end), "expected an offset, as in `+123: `");
                Err(Malformed)
            }
        }
    }

    /// A name: everything up to a blank, a parenthesis, a bracket, a comma or an equals sign.
    #[inline]
    fn word(&mut self, c: &mut Cursor<'_>) -> Span {
        let start = c.at;
        while !matches!(c.peek(), b' ' | b'\t' | b'(' | b')' | b'[' | b']' | b',' | b'=' | 0) {
            c.at += 1;
        }
        Span { start: start as u32, end: c.at as u32 }
    }

    /// The shape behind the name of a vector: `[4xi32]`.
    fn skip_shape(&mut self, c: &mut Cursor<'_>) {
        if c.peek() == b'[' {
            while !matches!(c.peek(), b']' | 0) {
                c.at += 1;
            }
            if c.peek() == b']' {
                c.at += 1;
            }
        }
    }

    fn trimmed(&self, start: usize, end: usize) -> Span {
        let bytes = self.text.as_bytes();
        let mut end = end;
        while end > start && matches!(bytes[end - 1], b' ' | b'\t') {
            end -= 1;
        }
        Span { start: start as u32, end: end as u32 }
    }

    fn only_comment_follows(&mut self, c: &mut Cursor<'_>) {
        c.skip_blanks();
        if !matches!(c.peek(), b'#' | 0) {
            // PyPy's parser skips whatever stands here.
            self.diagnostics.warning(c.rest(), "text behind an operation is ignored");
        }
    }
}

/// What stands for something else where values do.
const RESERVED: [&str; 2] = ["NULL", "None"];

const OVERFLOW_WITHOUT_GUARD: &str = "an overflow operation stands directly before its guard";
