//! Tokens to [`syntax`](crate::syntax): recursive descent for terms, precedence climbing for
//! expressions.
//!
//! Precedence is Python's: `or`, `and`, `not`, comparisons (which chain: `0 <= C < 8`), `|`, `^`, `&`,
//! shifts, sums, products, prefix operators, members. A line that does not parse is reported once and
//! its rule is left out; the next line is read on its own, so one run shows the errors of all lines.

use planish_base::spelling::closest;
use planish_base::{Diagnostic, Diagnostics, SourceText, Span};

use crate::lexer::{self, Kind, Line, Token};
use crate::syntax::{
    Binary, Compare, Element, Expr, ExprKind, File, Ident, RuleText, Sorry, TargetText, Term, TermKind, Unary,
};

/// How deep terms and expressions may nest: far beyond any rule, far below the stack.
const DEPTH_LIMIT: usize = 100;

/// Reads a rule file. Rules with errors are left out of the result.
pub fn parse(source: &SourceText, diagnostics: &mut Diagnostics) -> File {
    let lines = lexer::lines(source, diagnostics);
    let mut reader = Reader { source, diagnostics, file: File::default(), open: None, comments: Vec::new() };
    for line in &lines {
        reader.line(line);
    }
    reader.close(None);
    reader.file
}

/// The rule whose lines are being read. Parts that did not parse are `None`.
struct Open {
    name: Ident,
    marks: Vec<Ident>,
    comments: Vec<Span>,
    pattern: Option<Term>,
    elements: Vec<Element>,
    sorry: Option<Sorry>,
    target: Option<TargetText>,
    broken: bool,
    finished: bool,
    end: Span,
}

struct Reader<'a> {
    source: &'a SourceText,
    diagnostics: &'a mut Diagnostics,
    file: File,
    open: Option<Open>,
    /// Comment lines at the margin since the last blank line.
    comments: Vec<Span>,
}

impl Reader<'_> {
    fn line(&mut self, line: &Line) {
        if line.blank {
            self.comments.clear();
            return;
        }
        if line.tokens.is_empty() {
            match &mut self.open {
                Some(open) if line.spoiled => open.broken = true,
                Some(open) if !line.margin && !open.finished => open.comments.extend(&line.comments),
                _ => self.comments.extend(&line.comments),
            }
            return;
        }
        if line.margin && self.text(line.tokens[0]) != "=>" {
            self.close(Some(line.tokens[0].span));
            // A short rule may have its target on the same line.
            match line.tokens.iter().position(|&token| self.text(token) == "=>") {
                Some(arrow) => {
                    let (head, target) = line.tokens.split_at(arrow);
                    self.header(&Line { tokens: head.to_vec(), comments: Vec::new(), ..line.clone() });
                    self.body(&Line { tokens: target.to_vec(), margin: false, ..line.clone() });
                }
                None => self.header(line),
            }
        } else {
            self.body(line);
        }
    }

    fn text(&self, token: Token) -> &str {
        self.source.slice(token.span)
    }

    /// `name [marks]: pattern`
    fn header(&mut self, line: &Line) {
        let comments = std::mem::take(&mut self.comments);
        let mut cursor = Cursor::new(self.source, line);
        let parsed = cursor.header();
        let trailing = cursor.behind_term();
        let (name, marks, pattern) = match parsed {
            Ok(parts) => parts,
            Err(error) => {
                if !line.spoiled {
                    self.diagnostics.push(error);
                }
                // The lines of this rule are still read for their own errors.
                let name = Ident { text: String::new(), span: line.tokens[0].span };
                (name, Vec::new(), None)
            }
        };
        let mut broken = pattern.is_none() || line.spoiled;
        if let (Some(error), false) = (trailing, broken) {
            self.diagnostics.push(error);
            broken = true;
        }
        let mut comments = comments;
        comments.extend(&line.comments);
        self.open = Some(Open {
            name,
            marks,
            comments,
            pattern,
            elements: Vec::new(),
            sorry: None,
            target: None,
            broken,
            finished: false,
            end: line.end,
        });
    }

    /// A line between pattern and target, or the target.
    fn body(&mut self, line: &Line) {
        let first = line.tokens[0];
        let Some(open) = self.open.as_mut().filter(|open| !open.finished) else {
            self.diagnostics.push(
                Diagnostic::error(first.span, "this line belongs to no rule")
                    .note("a rule begins at the margin with `name: pattern` and ends with `=> target`"),
            );
            return;
        };
        open.comments.extend(&line.comments);
        open.end = line.end;
        let mut cursor = Cursor::new(self.source, line);
        let result = match self.source.slice(first.span) {
            "=>" => {
                open.finished = true;
                cursor.at += 1;
                let target = cursor.target().and_then(|target| cursor.behind_term().map_or(Ok(target), Err));
                target.map(|target| open.target = Some(target))
            }
            "check" => {
                cursor.at += 1;
                cursor.expression().map(|expr| open.elements.push(Element::Check(expr)))
            }
            "SORRY_Z3" => {
                open.sorry = Some(cursor.sorry());
                Ok(())
            }
            _ => cursor.computed().map(|(name, expr)| open.elements.push(Element::Compute(name, expr))),
        };
        let result = result.and_then(|()| cursor.leftover().map_or(Ok(()), Err));
        if line.spoiled {
            open.broken = true;
        } else if let Err(error) = result {
            open.broken = true;
            self.diagnostics.push(error);
        }
    }

    /// Ends the open rule; `at` is what made it end, if not the end of the file.
    fn close(&mut self, at: Option<Span>) {
        let Some(open) = self.open.take() else { return };
        if !open.finished && !open.name.text.is_empty() {
            let mut error =
                Diagnostic::error(open.name.span, format!("rule `{}` has no target", open.name.text));
            if at.is_none() {
                error = error.note("the file ends here");
            }
            self.diagnostics.push(error.note("its last line must be `=> target`"));
        }
        if open.broken {
            return;
        }
        let (Some(pattern), Some(target)) = (open.pattern, open.target) else { return };
        let doc: Vec<&str> =
            open.comments.iter().map(|&c| self.source.slice(c).trim()).filter(|c| !c.is_empty()).collect();
        self.file.rules.push(RuleText {
            span: open.name.span.to(open.end),
            name: open.name,
            marks: open.marks,
            doc: doc.join("\n"),
            pattern,
            elements: open.elements,
            target,
            sorry: open.sorry,
        });
    }
}

/// The parts of a header; the pattern is missing when the header has none.
type Header = (Ident, Vec<Ident>, Option<Term>);

/// A position in one logical line.
struct Cursor<'a> {
    source: &'a SourceText,
    tokens: &'a [Token],
    at: usize,
    depth: usize,
    /// How deep the expression that was read last is: chains of operators and methods nest to the left.
    height: usize,
    end: Span,
}

impl<'a> Cursor<'a> {
    fn new(source: &'a SourceText, line: &'a Line) -> Self {
        Cursor { source, tokens: &line.tokens, at: 0, depth: 0, height: 0, end: line.end }
    }

    fn peek(&self) -> Option<Token> {
        self.tokens.get(self.at).copied()
    }

    fn peek_text(&self) -> &'a str {
        self.peek().map_or("", |t| self.source.slice(t.span))
    }

    fn eat(&mut self, symbol: &str) -> bool {
        let found = self.peek().is_some_and(|t| matches!(t.kind, Kind::Symbol(s) if s == symbol));
        self.at += usize::from(found);
        found
    }

    fn keyword(&mut self, word: &str) -> bool {
        let found = self.peek().is_some_and(|t| t.kind == Kind::Name) && self.peek_text() == word;
        self.at += usize::from(found);
        found
    }

    fn unexpected(&self, wanted: &str) -> Diagnostic {
        match self.peek() {
            Some(token) => {
                let text = self.source.slice(token.span);
                Diagnostic::error(token.span, format!("expected {wanted}, found `{text}`"))
            }
            None => Diagnostic::error(self.end, format!("expected {wanted}, found the end of the line")),
        }
    }

    /// What stands behind an operand of a term, where another one or the end of them belongs.
    fn no_separator(&self) -> Diagnostic {
        self.no_operator(self.unexpected("`,` or `)`"))
    }

    /// Says of an operator that stands in a term or behind it what its place is.
    fn no_operator(&self, unexpected: Diagnostic) -> Diagnostic {
        match self.peek().map(|token| token.kind) {
            Some(Kind::Symbol("+" | "-" | "*" | "//" | "%" | "<<" | ">>" | "&" | "|" | "^" | "~")) => {
                unexpected.note(self.where_to_compute("..."))
            }
            _ => unexpected,
        }
    }

    /// Where something is computed that stands in a term.
    fn where_to_compute(&self, what: &str) -> String {
        let begins = self.tokens.first().map(|token| self.source.slice(token.span));
        match begins {
            Some("=>") => {
                format!("a term computes nothing: say `M = {what}` in a line above `=>`, and `M` here")
            }
            _ => format!(
                "a pattern computes nothing: let a constant stand here, and say `M = {what}` in a line above `=>`"
            ),
        }
    }

    /// A name with a sign, which a number alone has.
    fn signed_name(&self, sign: Span) -> Diagnostic {
        let span = self.peek().map_or(sign, |token| sign.to(token.span));
        let text = self.source.slice(span);
        Diagnostic::error(span, format!("expected an operation, a variable or a number, found `{text}`"))
            .note(self.where_to_compute(text))
    }

    fn expect(&mut self, symbol: &str) -> Result<Span, Diagnostic> {
        let span = self.peek().map_or(self.end, |t| t.span);
        if self.eat(symbol) { Ok(span) } else { Err(self.unexpected(&format!("`{symbol}`"))) }
    }

    fn name(&mut self, what: &str) -> Result<Ident, Diagnostic> {
        match self.peek() {
            Some(token) if token.kind == Kind::Name => {
                self.at += 1;
                Ok(Ident { text: self.source.slice(token.span).to_string(), span: token.span })
            }
            _ => Err(self.unexpected(what)),
        }
    }

    fn leftover(&self) -> Option<Diagnostic> {
        self.peek().map(|_| self.unexpected("the end of the line"))
    }

    /// The same, behind a term.
    fn behind_term(&self) -> Option<Diagnostic> {
        self.leftover().map(|unexpected| self.no_operator(unexpected))
    }

    fn deeper(&mut self) -> Result<(), Diagnostic> {
        self.depth += 1;
        self.within_depth(self.depth)
    }

    fn within_depth(&self, depth: usize) -> Result<(), Diagnostic> {
        if depth > DEPTH_LIMIT {
            let span = self.peek().map_or(self.end, |t| t.span);
            return Err(Diagnostic::error(span, format!("nested more than {DEPTH_LIMIT} deep")));
        }
        Ok(())
    }

    /// What was read last stands one deeper than the deepest of its parts, of which one is `other` deep.
    fn above(&mut self, other: usize) -> Result<(), Diagnostic> {
        self.height = 1 + self.height.max(other);
        self.within_depth(self.depth + self.height)
    }

    fn header(&mut self) -> Result<Header, Diagnostic> {
        let name = self.name("the name of a rule")?;
        let mut marks = Vec::new();
        if self.eat("[") {
            loop {
                marks.push(self.name("a mark or tag")?);
                if self.eat("]") {
                    break;
                }
                self.expect(",")?;
            }
        }
        self.expect(":")?;
        let pattern = self.term()?;
        Ok((name, marks, Some(pattern)))
    }

    fn target(&mut self) -> Result<TargetText, Diagnostic> {
        if self.eat("(") {
            let first = self.term()?;
            self.expect(",")?;
            let second = self.term()?;
            self.expect(")")?;
            return Ok(TargetText::Two(first, second));
        }
        Ok(TargetText::One(self.term()?))
    }

    fn computed(&mut self) -> Result<(Ident, Expr), Diagnostic> {
        let name = self.name("`check`, `=>`, or `name = expression`")?;
        self.expect("=").map_err(|error| match closest(&name.text, ["check"]) {
            Some(near) => error.note(format!("did you mean `{near}`?")),
            None => error,
        })?;
        Ok((name, self.expression()?))
    }

    /// The rest of the line is the reason; PyPy writes none.
    fn sorry(&mut self) -> Sorry {
        let (keyword, rest) = (self.tokens[0].span, self.tokens[1].span);
        self.at = self.tokens.len();
        let rest = self.source.slice(rest).trim();
        let reason = rest.strip_prefix(':').unwrap_or(rest).trim();
        // PyPy allows a comment here and means nothing by it.
        let reason = if reason.starts_with('#') { "" } else { reason };
        Sorry { reason: reason.to_string(), span: keyword }
    }

    /// `operation(term, ...)`, a name or a number, and perhaps `: type`.
    fn term(&mut self) -> Result<Term, Diagnostic> {
        self.deeper()?;
        let start = self.peek().map_or(self.end, |t| t.span);
        let negative = self.eat("-");
        if !negative {
            self.eat("+");
        }
        let Some(token) = self.peek() else {
            return Err(self.unexpected("an operation, a variable or a number"));
        };
        let text = self.source.slice(token.span);
        let kind = match token.kind {
            Kind::Integer => {
                let value = i128::from(lexer::parse_integer(text).expect("the lexer checked it"));
                self.at += 1;
                TermKind::Integer(if negative { -value } else { value })
            }
            Kind::Float => {
                let value: f64 = text.parse().expect("the lexer checked it");
                self.at += 1;
                TermKind::Float(if negative { -value } else { value })
            }
            Kind::Name if matches!(text, "inf" | "nan") => {
                self.at += 1;
                let value = if text == "inf" { f64::INFINITY } else { f64::NAN };
                TermKind::Float(if negative { -value } else { value })
            }
            Kind::Name if !negative => {
                let name = self.name("a name")?;
                if self.eat("(") {
                    let mut args = Vec::new();
                    while !self.eat(")") {
                        if !args.is_empty() && !self.eat(",") {
                            return Err(self.no_separator());
                        }
                        args.push(self.term()?);
                    }
                    TermKind::Apply(name, args)
                } else {
                    TermKind::Name(name.text)
                }
            }
            Kind::Name => return Err(self.signed_name(start)),
            _ => return Err(self.no_operator(self.unexpected("an operation, a variable or a number"))),
        };
        let mut span = start.to(self.tokens[self.at - 1].span);
        let ty = if self.eat(":") { Some(self.name("a type")?) } else { None };
        if let Some(ty) = &ty {
            span = span.to(ty.span);
        }
        self.depth -= 1;
        Ok(Term { kind, ty, span })
    }

    fn expression(&mut self) -> Result<Expr, Diagnostic> {
        self.deeper()?;
        let mut left = self.conjunction()?;
        while self.keyword("or") {
            let height = self.height;
            let right = self.conjunction()?;
            self.above(height)?;
            left = join(left, right, ExprKind::Or);
        }
        self.depth -= 1;
        Ok(left)
    }

    fn conjunction(&mut self) -> Result<Expr, Diagnostic> {
        let mut left = self.negation()?;
        while self.keyword("and") {
            let height = self.height;
            let right = self.negation()?;
            self.above(height)?;
            left = join(left, right, ExprKind::And);
        }
        Ok(left)
    }

    fn negation(&mut self) -> Result<Expr, Diagnostic> {
        let start = self.peek().map_or(self.end, |t| t.span);
        if self.keyword("not") {
            self.deeper()?;
            let inner = self.negation()?;
            self.depth -= 1;
            self.above(0)?;
            return Ok(Expr { span: start.to(inner.span), kind: ExprKind::Not(Box::new(inner)) });
        }
        self.comparison()
    }

    /// Comparisons chain as in Python: `a < b < c` is `a < b and b < c`.
    fn comparison(&mut self) -> Result<Expr, Diagnostic> {
        let mut left = self.binary(0)?;
        let mut whole: Option<Expr> = None;
        while let Some(operator) = self.comparison_operator() {
            let height = self.height;
            let right = self.binary(0)?;
            self.above(height)?;
            let link = join(left, right.clone(), |a, b| ExprKind::Compare(operator, a, b));
            whole = Some(match whole {
                None => link,
                Some(before) => join(before, link, ExprKind::And),
            });
            left = right;
        }
        Ok(whole.unwrap_or(left))
    }

    fn comparison_operator(&mut self) -> Option<Compare> {
        let Kind::Symbol(symbol) = self.peek()?.kind else { return None };
        let (operator, _) = Compare::ALL.into_iter().find(|row| row.1 == symbol)?;
        self.at += 1;
        Some(operator)
    }

    /// Operators that bind at least as tightly as `level`, all of them left-associative.
    fn binary(&mut self, level: u8) -> Result<Expr, Diagnostic> {
        self.deeper()?;
        let mut left = self.prefix()?;
        while let Some(Token { kind: Kind::Symbol(symbol), .. }) = self.peek() {
            let found = Binary::ALL.into_iter().find(|row| row.1 == symbol && row.2 >= level);
            let Some((operator, _, tightness)) = found else { break };
            self.at += 1;
            let height = self.height;
            let right = self.binary(tightness + 1)?;
            self.above(height)?;
            left = join(left, right, |a, b| ExprKind::Binary(operator, a, b));
        }
        self.depth -= 1;
        Ok(left)
    }

    fn prefix(&mut self) -> Result<Expr, Diagnostic> {
        let start = self.peek().map_or(self.end, |t| t.span);
        for operator in [Unary::Neg, Unary::Not] {
            if self.eat(operator.symbol()) {
                self.deeper()?;
                let inner = self.prefix()?;
                self.depth -= 1;
                self.above(0)?;
                let span = start.to(inner.span);
                return Ok(Expr { kind: ExprKind::Unary(operator, Box::new(inner)), span });
            }
        }
        let mut value = self.atom()?;
        while self.eat(".") {
            let member = self.name("a method or attribute")?;
            let mut span = value.span.to(member.span);
            let height = self.height;
            self.height = 0;
            let args = if self.eat("(") {
                let args = self.arguments()?;
                span = span.to(self.tokens[self.at - 1].span);
                Some(args)
            } else {
                None
            };
            self.above(height)?;
            value = Expr { kind: ExprKind::Member(Box::new(value), member, args), span };
        }
        Ok(value)
    }

    /// Expressions up to `)`, the opening one being read.
    fn arguments(&mut self) -> Result<Vec<Expr>, Diagnostic> {
        let (mut args, mut height) = (Vec::new(), 0);
        while !self.eat(")") {
            if !args.is_empty() && !self.eat(",") {
                return Err(self.unexpected("`,` or `)`"));
            }
            args.push(self.expression()?);
            height = height.max(self.height);
        }
        self.height = height;
        Ok(args)
    }

    fn atom(&mut self) -> Result<Expr, Diagnostic> {
        let Some(token) = self.peek() else { return Err(self.unexpected("a value")) };
        let text = self.source.slice(token.span);
        let span = token.span;
        self.height = 0;
        match token.kind {
            Kind::Integer => {
                self.at += 1;
                let value = i128::from(lexer::parse_integer(text).expect("the lexer checked it"));
                Ok(Expr { kind: ExprKind::Integer(value), span })
            }
            Kind::Float => {
                self.at += 1;
                Ok(Expr { kind: ExprKind::Float(text.parse().expect("the lexer checked it")), span })
            }
            Kind::Name if !matches!(text, "and" | "or" | "check") => {
                let name = self.name("a name")?;
                if self.eat("(") {
                    let args = self.arguments()?;
                    self.above(0)?;
                    let span = span.to(self.tokens[self.at - 1].span);
                    return Ok(Expr { kind: ExprKind::Call(name, args), span });
                }
                Ok(Expr { kind: ExprKind::Name(name.text), span })
            }
            Kind::Symbol("(") => {
                self.at += 1;
                let inner = self.expression()?;
                self.expect(")")?;
                Ok(inner)
            }
            _ => Err(self.unexpected("a value")),
        }
    }
}

fn join(left: Expr, right: Expr, make: impl FnOnce(Box<Expr>, Box<Expr>) -> ExprKind) -> Expr {
    let span = left.span.to(right.span);
    Expr { kind: make(Box::new(left), Box::new(right)), span }
}
