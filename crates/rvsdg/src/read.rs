//! Reading the region language: one s-expression to terms.
//!
//! A let-binding `(?x value body)` gives a term a name inside its body; it stands for the term, so
//! `get-N` in it means whatever region it is used in. Everything that can be said without running the
//! program is checked, with line and column: operators, numbers of operands, indices of tuples, arguments
//! of regions, inputs of functions that are called, names. Nothing recurses, so nesting may be as deep as
//! memory allows. A `;` begins a comment to the end of the line.

use hashbrown::HashMap;
use planish_base::{Diagnostic, Diagnostics, SideTable, SourceText, Span};
use planish_ops::Op;
use rustc_hash::FxBuildHasher;

use crate::legal;
use crate::terms::{Kind, Program, Root, Term, Terms};

/// No tuple, region or function has more inputs, outputs or cases than this.
const LIMIT: u32 = 1_000_000;

/// Reads a program. `None` when an error was reported.
pub fn read(source: &SourceText, diagnostics: &mut Diagnostics) -> Option<Program> {
    let before = diagnostics.iter().filter(|d| d.severity == planish_base::Severity::Error).count();
    let mut reader = Reader {
        diagnostics,
        terms: Terms::new(),
        places: SideTable::new(),
        names: HashMap::default(),
        frames: Vec::new(),
        roots: Vec::new(),
        module: false,
        several: false,
    };
    for (text, span) in tokens(source.text()) {
        reader.token(text, span);
    }
    let end = Span::new(source.text().len()..source.text().len());
    reader.finish(end);
    let Reader { diagnostics, terms, places, roots, .. } = reader;
    let roots: Option<Vec<Root>> =
        roots.into_iter().map(|(name, value)| Some(Root { name, term: value.term? })).collect();
    let after = diagnostics.iter().filter(|d| d.severity == planish_base::Severity::Error).count();
    roots.filter(|_| before == after).map(|roots| Program { terms, roots, places })
}

/// Parentheses and what stands between them and blanks.
fn tokens(text: &str) -> impl Iterator<Item = (&str, Span)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let rest = &text[at..];
            let first = rest.chars().next()?;
            let length = match first {
                ';' => {
                    at += rest.find('\n').unwrap_or(rest.len());
                    continue;
                }
                '(' | ')' => 1,
                _ if first.is_whitespace() => {
                    at += first.len_utf8();
                    continue;
                }
                _ => rest
                    .find(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ';'))
                    .unwrap_or(rest.len()),
            };
            let span = Span::new(at..at + length);
            at += length;
            return Some((&rest[..length], span));
        }
    })
}

/// The largest argument that a term needs of the region in which it stands, and where it says so.
type Needs = Option<(u32, Span)>;

#[derive(Clone, Copy)]
struct Value {
    /// The term; none where an error was reported.
    term: Option<Term>,
    span: Span,
    needs: Needs,
}

/// A list that is not closed yet.
struct Frame {
    head: String,
    open: Span,
    span: Span,
    values: Vec<Value>,
}

struct Reader<'a> {
    diagnostics: &'a mut Diagnostics,
    terms: Terms,
    places: SideTable<Term, Option<Span>>,
    /// What a name stands for: the innermost binding last.
    names: HashMap<String, Vec<Value>, FxBuildHasher>,
    frames: Vec<Frame>,
    roots: Vec<(Option<String>, Value)>,
    module: bool,
    /// Whether more than one expression was seen, and said to be too many.
    several: bool,
}

impl Reader<'_> {
    fn token(&mut self, text: &str, span: Span) {
        let expects_head = self.frames.last().is_some_and(|frame| frame.head.is_empty());
        match text {
            "(" | ")" if expects_head => {
                self.diagnostics.error(span, "a list begins with an operator");
                // Taken for an operator that is not known, and reported once.
                if let Some(frame) = self.frames.last_mut() {
                    frame.head = "(".to_owned();
                }
                self.token(text, span);
            }
            "(" => {
                let frame = Frame { head: String::new(), open: span, span, values: Vec::new() };
                self.frames.push(frame);
            }
            ")" => match self.frames.pop() {
                Some(frame) => self.close(frame, span),
                None => self.diagnostics.error(span, "this parenthesis closes nothing"),
            },
            head if expects_head => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.head = head.to_owned();
                    frame.span = span;
                }
            }
            atom => {
                let value = self.atom(atom, span);
                self.deliver(value);
            }
        }
    }

    fn finish(&mut self, end: Span) {
        for frame in std::mem::take(&mut self.frames) {
            self.diagnostics.error(frame.open, "this parenthesis is not closed");
        }
        if self.roots.is_empty() && !self.diagnostics.has_errors() {
            self.diagnostics.error(end, "there is no expression in this text");
        }
    }

    fn deliver(&mut self, value: Value) {
        let Some(frame) = self.frames.last_mut() else {
            if self.module || !self.roots.is_empty() {
                // Once is enough of a text that is something else.
                if !std::mem::replace(&mut self.several, true) {
                    self.diagnostics.error(value.span, "a program is one expression");
                }
                return;
            }
            self.check_closed(value);
            self.roots.push((None, value));
            return;
        };
        frame.values.push(value);
        if frame.head.starts_with('?') && frame.values.len() == 1 {
            let name = frame.head.clone();
            self.names.entry(name).or_default().push(value);
        }
    }

    fn check_closed(&mut self, value: Value) {
        if let Some((index, at)) = value.needs {
            self.diagnostics.error(at, format!("`get-{index}` stands in no region"));
        }
    }

    fn atom(&mut self, text: &str, span: Span) -> Value {
        if text.starts_with('?') {
            return self.name(text, span);
        }
        let none = Value { term: None, span, needs: None };
        if is_number(text) {
            let Ok(number) = text.parse() else {
                self.diagnostics.error(span, format!("`{text}` does not fit 64 bits"));
                return none;
            };
            return Value { term: Some(self.terms.number(number)), ..none };
        }
        match suffix(text, "get-") {
            Some(Ok(index)) => {
                Value { term: Some(self.terms.argument(index)), needs: Some((index, span)), span }
            }
            Some(Err(message)) => {
                self.diagnostics.error(span, message);
                none
            }
            None => self.make(text, span, &[]),
        }
    }

    fn name(&mut self, name: &str, span: Span) -> Value {
        let found = self.names.get(name).and_then(|bound| bound.last()).copied();
        let Some(value) = found else {
            let error = Diagnostic::error(span, format!("`{name}` is not bound here"))
                .note("a binding holds inside its own body only, and not in its own value");
            self.diagnostics.push(error);
            return Value { term: None, span, needs: None };
        };
        Value { span, needs: value.needs.map(|(index, _)| (index, span)), ..value }
    }

    fn close(&mut self, frame: Frame, end: Span) {
        let Frame { head, open, span: at, values } = frame;
        let span = open.to(end);
        if head.starts_with('?') {
            if !values.is_empty() {
                self.names.get_mut(&head).and_then(Vec::pop);
            }
            let value = match values.as_slice() {
                // The body is a module, which has delivered its exports.
                [_] if self.module => return,
                [] => self.name(&head, at),
                [_, body] => *body,
                _ => {
                    let message =
                        format!("`{head}` is bound by a value and a body, not {} operands", values.len());
                    self.diagnostics.error(at, message);
                    Value { term: None, span, needs: None }
                }
            };
            return self.deliver(Value { span, ..value });
        }
        if self.frames.last().is_some_and(|parent| parent.head == "module") {
            match values.as_slice() {
                [value] => {
                    self.check_closed(*value);
                    if self.roots.iter().any(|(name, _)| name.as_ref() == Some(&head)) {
                        self.diagnostics.error(at, format!("the module exports `{head}` twice"));
                    }
                    self.roots.push((Some(head), *value));
                }
                _ => self.diagnostics.error(at, format!("an export is written `({head} value)`")),
            }
            return;
        }
        if head == "module" {
            if !self.frames.iter().all(|frame| frame.head.starts_with('?')) || self.module {
                self.diagnostics.error(at, "a module stands alone, or inside of let-bindings");
            }
            if let Some(value) = values.first() {
                self.diagnostics.error(value.span, "a module consists of exports, `(name value)`");
            }
            self.module = true;
            // The bindings around it close with nothing to deliver.
            return;
        }
        let value = match suffix(&head, "get-") {
            Some(Ok(index)) => self.get(index, at, span, &values),
            Some(Err(message)) => {
                self.diagnostics.error(at, message);
                Value { term: None, span, needs: None }
            }
            None => Value { span, ..self.make(&head, at, &values) },
        };
        self.deliver(value);
    }

    fn get(&mut self, index: u32, at: Span, span: Span, values: &[Value]) -> Value {
        let none = Value { term: None, span, needs: None };
        let [value] = values else {
            self.diagnostics
                .error(at, format!("`get-{index}` takes one tuple, or stands without parentheses"));
            return none;
        };
        let Some(tuple) = value.term else { return Value { needs: value.needs, ..none } };
        if self.terms.kind(tuple) == Kind::Op(Op::Use) {
            let term = self.state(index, at, tuple);
            return Value { term, needs: value.needs, span };
        }
        if let Some(count) = self.terms.tuple_len(tuple) {
            if index >= count && self.terms.kind(tuple) == Kind::Call {
                let message = format!("`get-{index}` of a call that gives {count}: it traps");
                self.diagnostics.warning(at, message);
            } else if index >= count {
                let message = format!("`get-{index}` of a tuple of {count}");
                self.diagnostics.error(at, message);
                return Value { needs: value.needs, ..none };
            }
        } else if !self.terms.is_tuple(tuple) {
            self.diagnostics.error(value.span, format!("`get-{index}` takes a tuple"));
            return Value { needs: value.needs, ..none };
        }
        let term = self.terms.get(index, tuple);
        self.places[term].get_or_insert(at);
        Value { term: Some(term), needs: value.needs, span }
    }

    /// A state that a `use` hands on: by itself it is the first, so another one is put in front.
    fn state(&mut self, index: u32, at: Span, states: Term) -> Option<Term> {
        let mut operands = self.terms.operands(states).to_vec();
        if index as usize >= operands.len() {
            let message = format!("`get-{index}` of a `use` of {} states", operands.len());
            self.diagnostics.error(at, message);
            return None;
        }
        operands[..=index as usize].rotate_right(1);
        let term = self.terms.make(Kind::Op(Op::Use), &operands);
        self.places[term].get_or_insert(at);
        Some(term)
    }

    /// Makes the term of an operator, after all checks.
    fn make(&mut self, head: &str, at: Span, values: &[Value]) -> Value {
        let none = Value { term: None, span: at, needs: None };
        let kind = match kind(head, values.len()) {
            Ok(kind) => kind,
            Err(message) => {
                self.diagnostics.error(at, message);
                return none;
            }
        };
        let Some(split) = split(kind, values.len()) else {
            let message = format!("`{head}` takes {}, not {}", wanted(kind), values.len());
            self.diagnostics.error(at, message);
            return none;
        };
        let (outer, inner) = values.split_at(split);
        let arguments = match kind {
            Kind::Loop => outer.len(),
            Kind::Switch { .. } => outer.len() - 1,
            Kind::Function { inputs, .. } => inputs as usize + outer.len(),
            Kind::Phi { functions } => functions as usize + outer.len(),
            _ => 0,
        };
        let mut whole = true;
        for value in inner {
            if let Some((index, at)) = value.needs
                && index as usize >= arguments
            {
                let message = format!("`get-{index}` in a region of {arguments} arguments");
                self.diagnostics.error(at, message);
                whole = false;
            }
        }
        whole &= self.check_shapes(kind, values);
        let operands: Option<Vec<Term>> = values.iter().map(|value| value.term).collect();
        let needs = outer.iter().filter_map(|value| value.needs).max_by_key(|(index, _)| *index);
        let term = operands.filter(|_| whole).map(|operands| self.terms.make(kind, &operands));
        if let Some(term) = term {
            self.places[term].get_or_insert(at);
        }
        Value { term, needs, span: at }
    }

    /// Checks that tuples and functions stand where they may.
    fn check_shapes(&mut self, kind: Kind, values: &[Value]) -> bool {
        let mut whole = true;
        for (i, value) in values.iter().enumerate() {
            let Some(term) = value.term else { continue };
            let wrong = match (kind, self.terms.kind(term)) {
                (Kind::Call, Kind::Number(0)) if i == 0 => {
                    self.diagnostics.warning(value.span, "zero is no function: this call traps");
                    None
                }
                (Kind::Call, Kind::Number(_) | Kind::Op(_)) if i == 0 => Some("a number cannot be called"),
                (Kind::Phi { functions }, Kind::Number(_) | Kind::Op(_))
                    if i + functions as usize >= values.len() =>
                {
                    Some("a `phi` consists of functions")
                }
                (Kind::Op(_), Kind::Function { .. }) => Some("this is a function, not a number"),
                _ if self.terms.is_tuple(term) => Some("this is a tuple: take a result of it by `get-N`"),
                _ => None,
            };
            if let Some(message) = wrong {
                self.diagnostics.error(value.span, message);
                whole = false;
            }
        }
        if let (Kind::Call, Some(Value { term: Some(callee), span, .. })) = (kind, values.first())
            && let Kind::Function { inputs, .. } = self.terms.kind(*callee)
            && values.len() - 1 != inputs as usize
        {
            let message =
                format!("a function of {inputs} inputs is called with {}: it traps", values.len() - 1);
            self.diagnostics.warning(*span, message);
        }
        whole
    }
}

/// What an operator is; `count` is the number of its operands.
fn kind(head: &str, count: usize) -> Result<Kind, String> {
    let unknown = || format!("unknown operator `{head}`");
    match head {
        "loop" => return Ok(Kind::Loop),
        "call" => return Ok(Kind::Call),
        _ => {}
    }
    if let Some(op) = legal::operation(head) {
        let row = op.row();
        return if row.variadic || row.operands.len() == count {
            Ok(Kind::Op(op))
        } else {
            Err(format!("`{head}` takes {} operands, not {count}", row.operands.len()))
        };
    }
    if let Some(rest) = head.strip_prefix("switch-") {
        let (cases, outputs) = two_numbers(rest, "-cases-", "-outputs").ok_or_else(unknown)??;
        if cases == 0 || outputs == 0 {
            return Err("a `switch` has at least one case and one output".to_owned());
        }
        return Ok(Kind::Switch { cases, outputs });
    }
    if let Some(rest) = head.strip_prefix("func-") {
        let (inputs, outputs) = two_numbers(rest, "-inputs-", "-outputs").ok_or_else(unknown)??;
        return Ok(Kind::Function { inputs, outputs });
    }
    if let Some(digits) = head.strip_prefix("phi-").and_then(|rest| rest.strip_suffix("-functions")) {
        let functions = number(digits).ok_or_else(unknown)??;
        if functions == 0 {
            return Err("a `phi` has at least one function".to_owned());
        }
        return Ok(Kind::Phi { functions });
    }
    Err(unknown())
}

/// How many operands belong to the surrounding region; `None` when their number is wrong.
fn split(kind: Kind, count: usize) -> Option<usize> {
    match kind {
        Kind::Loop => (count % 2 == 1).then_some(count / 2),
        Kind::Switch { cases, outputs } => {
            let inner = (cases as usize).checked_mul(outputs as usize)?;
            count.checked_sub(inner).filter(|&outer| outer >= 1)
        }
        Kind::Function { outputs, .. } => count.checked_sub(outputs as usize),
        Kind::Phi { functions } => count.checked_sub(functions as usize),
        Kind::Call => (count >= 1).then_some(count),
        Kind::Number(_) | Kind::Argument(_) | Kind::Get(_) | Kind::Op(_) => Some(count),
    }
}

fn wanted(kind: Kind) -> String {
    match kind {
        Kind::Loop => "inputs, as many results, and a predicate: an odd number of operands".to_owned(),
        Kind::Switch { cases, outputs } => {
            let inner = u64::from(cases) * u64::from(outputs);
            format!("a predicate, any inputs and {inner} outputs, so at least {} operands", inner + 1)
        }
        Kind::Function { outputs, .. } => format!("any constant inputs and {outputs} outputs"),
        Kind::Phi { functions } => format!("any constant inputs and {functions} functions"),
        _ => "a function and its inputs".to_owned(),
    }
}

/// `N middle M last`, both numbers within the limit.
fn two_numbers(text: &str, middle: &str, last: &str) -> Option<Result<(u32, u32), String>> {
    let (first, second) = text.strip_suffix(last)?.split_once(middle)?;
    let (first, second) = (number(first)?, number(second)?);
    Some(first.and_then(|first| second.map(|second| (first, second))))
}

/// The number behind a prefix.
fn suffix(text: &str, prefix: &str) -> Option<Result<u32, String>> {
    number(text.strip_prefix(prefix)?)
}

fn number(digits: &str) -> Option<Result<u32, String>> {
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number = digits.parse().ok().filter(|&number| number <= LIMIT);
    Some(number.ok_or_else(|| format!("{digits} is more than {LIMIT}")))
}

/// Whether a token is a signed integer, of any size.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}
