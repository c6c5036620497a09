//! The arguments of an operation: names, constants, descriptors, fail arguments.

use planish_base::List;
use planish_base::diag::Span;

use super::{Cursor, Malformed, Reader};
use crate::opcode::{Kind, Opcode};
use crate::text::{Arg, Name, OpData, Texts, Trace, Var, VarData, numbered};

impl Reader<'_> {
    /// The arguments up to the closing parenthesis, into `self.args`.
    pub(super) fn arguments(
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
    pub(super) fn token(&mut self, c: &mut Cursor<'_>) -> Result<Span, Malformed> {
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
    pub(super) fn argument(
        &mut self,
        span: Span,
        defines: bool,
        trace: &mut Trace,
        texts: &mut Texts,
    ) -> Arg {
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
            [] => {
                self.diagnostics.warning(span, "nothing stands here, which reads as 0");
                return Arg::Int(0);
            }
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
        let is_wrong = !defines || kind.is_none();
        if is_wrong {
            self.diagnostics.error(span, format!("`{token}` is not defined"));
        }
        // It is defined from here on, so that one mistake is one message.
        let var = self.define(span, kind.unwrap_or(Kind::Int), trace, texts);
        if is_wrong {
            self.undefined.insert(var);
        }
        Arg::Var(var)
    }

    #[inline]
    fn lookup_numbered(&self, letter: u8, number: u32) -> Option<Var> {
        self.numbered[table_of(letter)].get(number as usize).copied().flatten()
    }

    /// Defines a name; an error if it is defined.
    pub(super) fn define(&mut self, span: Span, kind: Kind, trace: &mut Trace, texts: &mut Texts) -> Var {
        let token = &self.text[span.range()];
        let plain = token.split('[').next().unwrap_or(token);
        let var = trace.vars.next_id();
        let (name, known) = match numbered(plain.as_bytes()) {
            Some((letter, number)) => {
                let table = &mut self.numbered[table_of(letter)];
                if table.len() <= number as usize {
                    table.resize(number as usize + 1, None);
                }
                (Name::Numbered(letter, number), table[number as usize].replace(var))
            }
            None => (Name::Other(texts.intern_str(token)), self.others.insert(texts.intern_str(plain), var)),
        };
        // The shape of a vector is part of its name as it is printed.
        let name = if plain.len() == token.len() { name } else { Name::Other(texts.intern_str(token)) };
        // That one is used above its definition was said where it is used.
        if known.is_some_and(|known| !self.undefined.contains(&known)) {
            self.diagnostics.error(span, format!("`{plain}` is defined twice"));
        }
        trace.vars.push(VarData { name, kind })
    }

    /// Fail arguments: names and holes.
    pub(super) fn fail_arguments(
        &mut self,
        c: &mut Cursor<'_>,
        op: &mut OpData,
        trace: &mut Trace,
        texts: &mut Texts,
    ) -> Result<(), Malformed> {
        let open = c.at;
        let complaint = |arg: &Arg| match arg {
            Arg::Var(_) | Arg::Hole => None,
            _ => Some("fail arguments are values or `None`"),
        };
        let list = self.bracketed(c, trace, texts, complaint)?;
        op.fail = Some(list);
        if op.opcode.is_some_and(|opcode| !opcode.is_guard()) {
            let name = op.opcode.map_or("", Opcode::name);
            // PyPy's tests give some operations a list that its parser drops.
            let message = format!("`{name}` is no guard: its fail arguments are ignored");
            self.diagnostics.warning(Span::new(open..c.at), message);
        }
        Ok(())
    }

    /// A list in brackets, `[p4, 7]`; what `complaint` says of an argument is an error there.
    pub(super) fn bracketed(
        &mut self,
        c: &mut Cursor<'_>,
        trace: &mut Trace,
        texts: &mut Texts,
        complaint: impl Fn(&Arg) -> Option<&'static str>,
    ) -> Result<List<Arg>, Malformed> {
        // The arguments of the operation are still needed, so the list goes behind them.
        let start = self.args.len();
        let open = c.at;
        c.at += 1;
        c.skip_blanks();
        while c.peek() != b']' {
            c.skip_blanks();
            let span = self.token(c)?;
            let arg = self.argument(span, false, trace, texts);
            if let Some(complaint) = complaint(&arg) {
                self.diagnostics.error(span, complaint);
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
        Ok(list)
    }

    /// A merge point: text up to the last parenthesis of the line.
    pub(super) fn raw_arguments(
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

    /// Numbers and kinds of arguments.
    #[inline]
    pub(super) fn check_arguments(&mut self, opcode: Opcode, name: Span, trace: &Trace) {
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
                b'=' => match kind_of(&self.args[i - 1], trace) {
                    // An object may be told by its address.
                    Some(Kind::Ref) if kind_of(&arg, trace) == Some(Kind::Int) => continue,
                    Some(before) => before,
                    None => continue,
                },
                _ => continue,
            };
            if matches!(arg, Arg::Hole) {
                let message = format!("`{}` takes {} here, not None", opcode.name(), expected.words());
                self.diagnostics.error(self.spans[i], message);
                continue;
            }
            let found = kind_of(&arg, trace);
            if found.is_some_and(|found| found != expected) {
                let found = found.map_or("", Kind::words);
                let message = format!("`{}` takes {} here, not {found}", opcode.name(), expected.words());
                self.diagnostics.error(self.spans[i], message);
            }
        }
    }
}

/// The table of names that begin with a letter.
#[inline]
pub(super) fn table_of(letter: u8) -> usize {
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
