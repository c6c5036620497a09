//! Reading traces: the text of PyPy's tests and of its logs, which differ in layout only.
//!
//! One pass over the bytes, line by line; a line is parsed from left to right without going back. What
//! is wrong is collected with its place: undefined and doubly defined names, wrong numbers and kinds of
//! arguments, an overflow guard that does not stand behind its operation, an uneven indentation. A
//! line that cannot be read is left out and the reading goes on, so one run shows all errors.
//!
//! A stand-alone file may begin with `#! ` declarations  and may hold
//! several traces, divided by `#! section NAME` lines; a file without them is one trace.
//!
//! The syntax is that of `rpython/jit/tool/oparser.py`. What it accepts by accident is not copied: a
//! deeper line is an error here as there, but an argument list must be closed.

use hashbrown::{HashMap, HashSet};
use planish_base::List;
use planish_base::diag::{Diagnostic, Diagnostics, SourceText, Span};
use rustc_hash::FxBuildHasher;

use crate::opcode::{Kind, Lift, Opcode};
use crate::text::{Arg, Name, OpData, Text, Texts, Trace, Var, VarData, numbered};

/// A file of stand-alone traces.
#[derive(Clone, Default)]
pub struct TraceFile {
    /// All strings.
    pub texts: Texts,
    /// The `#! ` lines above the first section, in order.
    pub directives: Vec<Span>,
    /// The traces, in order.
    pub sections: Vec<Section>,
}

/// One trace of a file.
#[derive(Clone)]
pub struct Section {
    /// What the `#! section` line says, as in `loop 0`; `None` for a file without sections.
    pub name: Option<Text>,
    /// The `#! ` lines inside the section.
    pub directives: Vec<Span>,
    /// The lines of the section.
    pub span: Span,
    /// The trace.
    pub trace: Trace,
}

/// Reads a file of stand-alone traces.
pub fn read(source: &SourceText) -> (TraceFile, Diagnostics) {
    let mut file = TraceFile::default();
    let mut diagnostics = Diagnostics::new();
    let text = source.text();
    // First the division into sections: a section is its name, its directives and its lines.
    let mut parts: Vec<(Option<&str>, Vec<Span>, Span)> = Vec::new();
    let mut current = (None, Vec::new(), Span::new(0..0));
    for span in lines(text, 0..text.len()) {
        let line = &text[span.range()];
        if let Some(directive) = line.strip_prefix("#!") {
            let directive = directive.trim();
            let section = directive.strip_prefix("section").filter(|rest| rest.starts_with([' ', '\t']));
            if let Some(name) = section {
                let here = Span { start: span.end, end: span.end };
                let before = std::mem::replace(&mut current, (Some(name.trim()), Vec::new(), here));
                if before.0.is_some() || !text[before.2.range()].trim().is_empty() {
                    parts.push(before);
                }
                continue;
            }
            if current.0.is_none() && file.sections.is_empty() && parts.is_empty() {
                file.directives.push(span);
            } else {
                current.1.push(span);
            }
        }
        current.2.end = span.end;
    }
    if current.0.is_some() || parts.is_empty() || !text[current.2.range()].trim().is_empty() {
        parts.push(current);
    }
    let mut reader = Reader::new(text, &mut diagnostics);
    let divided = parts.len() > 1;
    for (name, directives, span) in parts {
        let content = lines(text, span.range());
        let trace = reader.trace(content, &mut file.texts);
        if let Some(trace) = trace {
            let name = name.map(|name| file.texts.intern_str(name));
            file.sections.push(Section { name, directives, span, trace });
        } else if name.is_some() || !divided {
            reader
                .diagnostics
                .error(span, "there is no trace here: a line of inputs such as `[i0, p1]` is missing");
        }
    }
    (file, diagnostics)
}

/// The lines of a range of a text, without their ends.
pub(crate) fn lines(text: &str, range: std::ops::Range<usize>) -> impl Iterator<Item = Span> + '_ {
    let bytes = text.as_bytes();
    let mut at = range.start;
    std::iter::from_fn(move || {
        if at >= range.end {
            return None;
        }
        let start = at;
        let length = bytes[start..range.end].iter().position(|&b| b == b'\n');
        let mut end = length.map_or(range.end, |length| start + length);
        at = end + 1;
        if end > start && bytes[end - 1] == b'\r' {
            end -= 1;
        }
        Some(Span { start: start as u32, end: end as u32 })
    })
}

/// Reads traces out of one source text. Tables are kept between traces.
pub(crate) struct Reader<'a> {
    text: &'a str,
    pub(crate) diagnostics: &'a mut Diagnostics,
    numbered: [Vec<Option<Var>>; 4],
    others: HashMap<Text, Var, FxBuildHasher>,
    unknown: HashSet<Text, FxBuildHasher>,
    /// The arguments of the operation at hand.
    args: Vec<Arg>,
    spans: Vec<Span>,
    indentation: Option<u32>,
    /// The overflow operation that still lacks its guard.
    pending: Option<Span>,
}

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
            offset: None,
            span: line,
        };
        if c.peek() == b'+' {
            op.offset = Some(self.offset(&mut c)?);
        }
        let mut result = None;
        let mut word = self.word(&mut c);
        if c.peek() == b'[' {
            self.skip_shape(&mut c);
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
            word = self.word(&mut c);
            c.skip_blanks();
        }
        let name = &self.text[word.range()];
        if name.is_empty() {
            self.diagnostics.error(line, "expected an operation, as in `i2 = int_add(i0, i1)`");
            return Err(Malformed);
        }
        if c.peek() != b'(' {
            let message = format!("expected `(` after `{name}`");
            self.diagnostics.error(Span { start: c.at as u32, end: line.end.max(c.at as u32 + 1) }, message);
            return Err(Malformed);
        }
        c.at += 1;
        op.opcode = Opcode::from_name(name);
        if op.opcode.is_none() {
            let text = texts.intern_str(name);
            op.name = Some(text);
            if self.unknown.insert(text) {
                let warning = Diagnostic::warning(word, format!("unknown operation `{name}`"));
                self.diagnostics.push(warning.note("it is kept as a call of which nothing is known"));
            }
        }
        if matches!(name, "debug_merge_point" | "jit_debug") {
            self.raw_arguments(&mut c, line, &mut op, trace, texts)?;
            return Ok(Some(op));
        }
        let defines = op.opcode.is_some_and(|o| o.row().lift == Lift::Label) && trace.ops.is_empty();
        self.arguments(&mut c, &mut op, defines, trace, texts)?;
        c.skip_blanks();
        if c.peek() == b'[' {
            self.fail_arguments(&mut c, &mut op, trace, texts)?;
        }
        self.only_comment_follows(&mut c);
        if let Some(opcode) = op.opcode {
            self.check_arguments(opcode, word, trace);
        }
        op.args = trace.lists.push(&self.args);
        if let Some(span) = result {
            let letter = self.text.as_bytes().get(span.start as usize).copied().unwrap_or(0);
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

    /// The arguments up to the closing parenthesis, into `self.args`.
    fn arguments(
        &mut self,
        c: &mut Cursor<'_>,
        op: &mut OpData,
        defines: bool,
        trace: &mut Trace,
        texts: &mut Texts,
    ) -> Result<(), Malformed> {
        self.args.clear();
        self.spans.clear();
        let open = c.at;
        c.skip_blanks();
        if c.peek() == b')' {
            c.at += 1;
            return Ok(());
        }
        loop {
            c.skip_blanks();
            if c.bytes[c.at..c.end].starts_with(b"descr=") {
                c.at += "descr=".len();
                let span = self.descriptor(c)?;
                op.descr = Some(texts.intern_str(&self.text[span.range()]));
                if c.peek() != b')' {
                    self.diagnostics.error(c.rest(), "the descriptor is the last argument");
                    return Err(Malformed);
                }
            } else {
                let span = self.token(c)?;
                let arg = self.argument(span, defines, trace, texts);
                self.args.push(arg);
                self.spans.push(span);
            }
            match c.peek() {
                b',' => c.at += 1,
                b')' => {
                    c.at += 1;
                    return Ok(());
                }
                _ => {
                    let span = Span::new(open - 1..open);
                    self.diagnostics.error(span, "this parenthesis is never closed");
                    return Err(Malformed);
                }
            }
        }
    }

    /// A descriptor: `<...>` up to `>)`, or text in which parentheses balance.
    fn descriptor(&mut self, c: &mut Cursor<'_>) -> Result<Span, Malformed> {
        let start = c.at;
        if c.peek() == b'<' {
            while c.at + 1 < c.end && !(c.bytes[c.at] == b'>' && c.bytes[c.at + 1] == b')') {
                c.at += 1;
            }
            c.at = (c.at + 1).min(c.end);
            return Ok(Span::new(start..c.at));
        }
        let mut depth = 0usize;
        loop {
            match c.peek() {
                b'(' => depth += 1,
                b')' if depth == 0 => break,
                b')' => depth -= 1,
                b',' if depth == 0 => break,
                0 if c.at >= c.end => {
                    self.diagnostics.error(Span::new(start..c.end), "the descriptor is never closed");
                    return Err(Malformed);
                }
                _ => {}
            }
            c.at += 1;
        }
        Ok(self.trimmed(start, c.at))
    }

    /// One argument: up to a comma or the closing parenthesis, quotes and parentheses balanced.
    #[inline]
    fn token(&mut self, c: &mut Cursor<'_>) -> Result<Span, Malformed> {
        let start = c.at;
        let mut depth = 0usize;
        loop {
            match c.peek() {
                b',' if depth == 0 => break,
                b')' | b']' if depth == 0 => break,
                b'(' | b'[' => depth += 1,
                b')' | b']' => depth -= 1,
                quote @ (b'"' | b'\'') => {
                    c.at += 1;
                    while c.at < c.end && c.bytes[c.at] != quote {
                        c.at += 1;
                    }
                    if c.at >= c.end {
                        self.diagnostics.error(Span::new(start..c.end), "this string is never closed");
                        return Err(Malformed);
                    }
                }
                0 if c.at >= c.end => {
                    if depth > 0 {
                        self.diagnostics.error(Span::new(start..c.end), "a parenthesis here is never closed");
                        return Err(Malformed);
                    }
                    break;
                }
                _ => {}
            }
            c.at += 1;
        }
        Ok(self.trimmed(start, c.at))
    }

    /// What an argument says.
    fn argument(&mut self, span: Span, defines: bool, trace: &mut Trace, texts: &mut Texts) -> Arg {
        let token = &self.text[span.range()];
        let bytes = token.as_bytes();
        let name = match bytes {
            // The shape of a vector is a remark.
            [b'v', ..] => token.split('[').next().unwrap_or(token),
            _ => token,
        };
        if let Some((letter, number)) = numbered(name.as_bytes()) {
            if let Some(var) = self.lookup_numbered(letter, number) {
                return Arg::Var(var);
            }
            return self.unknown_name(span, defines, trace, texts);
        }
        match bytes {
            // A blank argument reads as zero, as in PyPy's parser.
            [] => return Arg::Int(0),
            [b'0'..=b'9' | b'-' | b'+', ..] => {
                if let Ok(number) = token.parse() {
                    return Arg::Int(number);
                }
                let digits = bytes.iter().skip(1).all(u8::is_ascii_digit);
                if !digits && token.parse::<f64>().is_ok() {
                    return Arg::Float(texts.intern_str(token));
                }
                let message = if digits { "the number does not fit 64 bits" } else { "this is not a number" };
                self.diagnostics.error(span, message);
                return Arg::Int(0);
            }
            _ => {}
        }
        if let Some(inner) = token.strip_suffix(')') {
            if let Some(name) = inner.strip_prefix("ConstPtr(") {
                if name == "null" {
                    return Arg::Null { short: false };
                }
                return Arg::Ptr(texts.intern_str(name));
            }
            if let Some(name) = inner.strip_prefix("ConstClass(") {
                return Arg::Class(texts.intern_str(name));
            }
            if let Some(name) = inner.strip_prefix("ConstInt(") {
                return match name.parse() {
                    Ok(number) => Arg::Int(number),
                    Err(_) => Arg::Named(texts.intern_str(name)),
                };
            }
        }
        match token {
            "NULL" => return Arg::Null { short: true },
            "None" => return Arg::Hole,
            _ => {}
        }
        let unprefixed = token.strip_prefix(['s', 'u']).unwrap_or(token);
        if unprefixed.starts_with(['"', '\'']) {
            return Arg::Str(texts.intern_str(token));
        }
        if let Some(var) = texts.lookup_str(name).and_then(|text| self.others.get(&text)) {
            return Arg::Var(*var);
        }
        if token.parse::<f64>().is_ok() {
            return Arg::Float(texts.intern_str(token));
        }
        self.unknown_name(span, defines, trace, texts)
    }

    fn unknown_name(&mut self, span: Span, defines: bool, trace: &mut Trace, texts: &mut Texts) -> Arg {
        let token = &self.text[span.range()];
        let kind = Kind::of_letter(token.as_bytes()[0]);
        if !defines || kind.is_none() {
            self.diagnostics.error(span, format!("`{token}` is not defined"));
        }
        // It is defined from here on, so that one mistake is one message.
        let var = self.define(span, kind.unwrap_or(Kind::Int), trace, texts);
        Arg::Var(var)
    }

    #[inline]
    fn lookup_numbered(&self, letter: u8, number: u32) -> Option<Var> {
        self.numbered[table_of(letter)].get(number as usize).copied().flatten()
    }

    /// Defines a name; an error if it is defined.
    fn define(&mut self, span: Span, kind: Kind, trace: &mut Trace, texts: &mut Texts) -> Var {
        let token = &self.text[span.range()];
        let plain = token.split('[').next().unwrap_or(token);
        let var = trace.vars.next_id();
        let (name, known) = match numbered(plain.as_bytes()) {
            Some((letter, number)) => {
                let table = &mut self.numbered[table_of(letter)];
                if table.len() <= number as usize {
                    table.resize(number as usize + 1, None);
                }
                let known = table[number as usize].replace(var);
                (Name::Numbered(letter, number), known.is_some())
            }
            None => {
                let known = self.others.insert(texts.intern_str(plain), var);
                (Name::Other(texts.intern_str(token)), known.is_some())
            }
        };
        // The shape of a vector is part of its name as it is printed.
        let name = if plain.len() == token.len() { name } else { Name::Other(texts.intern_str(token)) };
        if known {
            self.diagnostics.error(span, format!("`{plain}` is defined twice"));
        }
        trace.vars.push(VarData { name, kind })
    }

    /// Fail arguments: names and holes.
    fn fail_arguments(
        &mut self,
        c: &mut Cursor<'_>,
        op: &mut OpData,
        trace: &mut Trace,
        texts: &mut Texts,
    ) -> Result<(), Malformed> {
        // The arguments are still needed for the check, so the fail arguments go behind them.
        let start = self.args.len();
        let open = c.at;
        c.at += 1;
        c.skip_blanks();
        while c.peek() != b']' {
            c.skip_blanks();
            let span = self.token(c)?;
            let arg = self.argument(span, false, trace, texts);
            if !matches!(arg, Arg::Var(_) | Arg::Hole) {
                self.diagnostics.error(span, "fail arguments are values or `None`");
            }
            self.args.push(arg);
            match c.peek() {
                b',' => c.at += 1,
                b']' => {}
                _ => {
                    self.diagnostics.error(Span::new(open..open + 1), "this bracket is never closed");
                    return Err(Malformed);
                }
            }
        }
        c.at += 1;
        let list = trace.lists.push(&self.args[start..]);
        self.args.truncate(start);
        op.fail = Some(list);
        if op.opcode.is_some_and(|opcode| !opcode.is_guard()) {
            let name = op.opcode.map_or("", Opcode::name);
            // PyPy's tests give some operations a list that its parser drops.
            let message = format!("`{name}` is no guard: its fail arguments are ignored");
            self.diagnostics.warning(Span::new(open..c.at), message);
        }
        Ok(())
    }

    /// A merge point: text up to the last parenthesis of the line.
    fn raw_arguments(
        &mut self,
        c: &mut Cursor<'_>,
        line: Span,
        op: &mut OpData,
        trace: &mut Trace,
        texts: &mut Texts,
    ) -> Result<(), Malformed> {
        let Some(length) = c.bytes[c.at..c.end].iter().rposition(|&b| b == b')') else {
            self.diagnostics.error(line, "this parenthesis is never closed");
            return Err(Malformed);
        };
        let raw = texts.intern_str(&self.text[c.at..c.at + length]);
        op.args = trace.lists.push(&[Arg::Raw(raw)]);
        Ok(())
    }

    fn only_comment_follows(&mut self, c: &mut Cursor<'_>) {
        c.skip_blanks();
        if !matches!(c.peek(), b'#' | 0) {
            // PyPy's parser skips whatever stands here.
            self.diagnostics.warning(c.rest(), "text behind an operation is ignored");
        }
    }

    /// Numbers and kinds of arguments.
    #[inline]
    fn check_arguments(&mut self, opcode: Opcode, name: Span, trace: &Trace) {
        let letters = opcode.row().args.as_bytes();
        let (fixed, variadic) = match letters.split_last() {
            Some((b'*', fixed)) => (fixed, true),
            _ => (letters, false),
        };
        let count = self.args.len();
        if count < fixed.len() || (count > fixed.len() && !variadic) {
            let at_least = if variadic { "at least " } else { "" };
            let s = if fixed.len() == 1 { "" } else { "s" };
            let message =
                format!("`{}` takes {at_least}{} argument{s}, not {count}", opcode.name(), fixed.len());
            self.diagnostics.error(name, message);
            return;
        }
        for (i, letter) in fixed.iter().enumerate() {
            let arg = self.args[i];
            let expected = match letter {
                b'i' => Kind::Int,
                b'r' => Kind::Ref,
                b'f' => Kind::Float,
                _ => continue,
            };
            let found = kind_of(&arg, trace);
            if found.is_some_and(|found| found != expected) {
                let found = found.map_or("", Kind::words);
                let message = format!("`{}` takes {} here, not {found}", opcode.name(), expected.words());
                self.diagnostics.error(self.spans[i], message);
            }
        }
    }
}

const OVERFLOW_WITHOUT_GUARD: &str = "an overflow operation stands directly before its guard";

/// The table of names that begin with a letter.
#[inline]
fn table_of(letter: u8) -> usize {
    match letter {
        b'i' => 0,
        b'p' => 1,
        b'f' => 2,
        _ => 3,
    }
}

/// The kind of an argument; `None` where it may be several.
pub(crate) fn kind_of(arg: &Arg, trace: &Trace) -> Option<Kind> {
    match arg {
        Arg::Var(var) => Some(trace.vars[*var].kind),
        Arg::Int(_) | Arg::Class(_) | Arg::Named(_) => Some(Kind::Int),
        Arg::Float(_) => Some(Kind::Float),
        Arg::Ptr(_) | Arg::Null { .. } | Arg::Str(_) => Some(Kind::Ref),
        Arg::Hole | Arg::Raw(_) => None,
    }
}
