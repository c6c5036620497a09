//! Bril's text form, read and written.
//!
//! ```text
//! program  = function*
//! function = "@" name [ "(" name ":" type { "," name ":" type } ")" ] [ ":" type ] "{" item* "}"
//! item     = "." name ":"  |  [ name ":" type "=" ] op word* ";"
//! word     = name | "@" name | "." name | literal            (a literal only after `const`)
//! type     = "int" | "bool" | "float" | "char" | "ptr" "<" type ">"
//! ```
//!
//! Comments run from `#` to the end of the line. Names are as in the reference parser: a letter, `_` or
//! `%`, then letters, digits, `_`, `%` and `.`. A text that is wrong gives all of its errors in one
//! reading: after one the reader goes on behind the next `;` or `}`.

use std::fmt::Write;

use planish_base::{Diagnostic, Diagnostics, Span};

use crate::ast::{Function, Instruction, Item, Literal, Program, Type};

/// How deep `ptr<ptr<...>>` may nest; types are walked recursively.
const MAX_POINTER_DEPTH: usize = 64;

/// Reads a program. What could be read is returned with what was wrong.
pub fn read(text: &str) -> (Program, Diagnostics) {
    let mut reader = Reader { text, position: 0, diagnostics: Diagnostics::new() };
    let mut program = Program::default();
    loop {
        reader.skip_space();
        if reader.at_end() {
            return (program, reader.diagnostics);
        }
        match reader.function() {
            Ok(function) => program.functions.push(function),
            Err(diagnostic) => {
                reader.diagnostics.push(diagnostic);
                reader.skip_behind(&['}']);
            }
        }
    }
}

struct Reader<'t> {
    text: &'t str,
    position: usize,
    diagnostics: Diagnostics,
}

type Result<T> = std::result::Result<T, Diagnostic>;

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.position..]
    }

    fn at_end(&self) -> bool {
        self.position == self.text.len()
    }

    fn skip_space(&mut self) {
        loop {
            let rest = self.rest().trim_start();
            self.position = self.text.len() - rest.len();
            if !rest.starts_with('#') {
                return;
            }
            self.position += rest.find('\n').unwrap_or(rest.len());
        }
    }

    /// Goes on behind the next of these characters, or at the end.
    fn skip_behind(&mut self, ends: &[char]) {
        let rest = self.rest();
        self.position += rest.find(ends).map_or(rest.len(), |i| i + 1);
    }

    fn here(&self) -> Span {
        let len = self.rest().chars().next().map_or(0, char::len_utf8);
        Span::new(self.position..self.position + len)
    }

    fn expected(&self, what: &str) -> Diagnostic {
        let found = match self.rest().chars().next() {
            Some(c) => format!("`{c}`"),
            None => "the end of the file".to_owned(),
        };
        Diagnostic::error(self.here(), format!("expected {what}, found {found}"))
    }

    /// Takes `token` if it stands here.
    fn eat(&mut self, token: char) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(token);
        if found {
            self.position += token.len_utf8();
        }
        found
    }

    fn demand(&mut self, token: char) -> Result<()> {
        if self.eat(token) { Ok(()) } else { Err(self.expected(&format!("`{token}`"))) }
    }

    fn name(&mut self, what: &str) -> Result<(&'t str, Span)> {
        self.skip_space();
        let rest = self.rest();
        let starts = rest.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '%');
        if !starts {
            return Err(self.expected(what));
        }
        let len = rest
            .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '%' || c == '.'))
            .unwrap_or(rest.len());
        let span = Span::new(self.position..self.position + len);
        self.position += len;
        Ok((&rest[..len], span))
    }

    fn ty(&mut self) -> Result<Type> {
        let mut depth = 0;
        let mut ty = loop {
            let (name, span) = self.name("a type")?;
            match name {
                "int" => break Type::Int,
                "bool" => break Type::Bool,
                "float" => break Type::Float,
                "char" => break Type::Char,
                "ptr" if depth == MAX_POINTER_DEPTH => {
                    return Err(Diagnostic::error(
                        span,
                        format!("pointers nest deeper than {MAX_POINTER_DEPTH}"),
                    ));
                }
                "ptr" => {
                    self.demand('<')?;
                    depth += 1;
                }
                _ => {
                    let message = format!("`{name}` is not a type");
                    return Err(Diagnostic::error(span, message)
                        .note("types are int, bool, float, char and ptr<type>"));
                }
            }
        };
        for _ in 0..depth {
            self.demand('>')?;
            ty = Type::Ptr(Box::new(ty));
        }
        Ok(ty)
    }

    fn function(&mut self) -> Result<Function> {
        self.demand('@')?;
        let (name, span) = self.name("the name of a function")?;
        let mut params = Vec::new();
        if self.eat('(') && !self.eat(')') {
            loop {
                let (param, _) = self.name("the name of a parameter")?;
                self.demand(':')?;
                params.push((param.to_owned(), self.ty()?));
                if !self.eat(',') {
                    break;
                }
            }
            self.demand(')')?;
        }
        let result = if self.eat(':') { Some(self.ty()?) } else { None };
        self.demand('{')?;
        let mut body = Vec::new();
        while !self.eat('}') {
            if self.at_end() {
                return Err(self.expected("`}`"));
            }
            match self.item() {
                Ok(item) => body.push(item),
                Err(diagnostic) => {
                    self.diagnostics.push(diagnostic);
                    // An error in front of the closing brace must not swallow it.
                    let rest = self.rest();
                    let end = rest.find([';', '}']).unwrap_or(rest.len());
                    self.position += end + usize::from(rest[end..].starts_with(';'));
                }
            }
        }
        Ok(Function { name: name.to_owned(), params, result, body, span })
    }

    fn item(&mut self) -> Result<Item> {
        if self.eat('.') {
            let (label, span) = self.name("the name of a label")?;
            self.demand(':')?;
            return Ok(Item::Label(label.to_owned(), span));
        }
        let (first, mut span) = self.name("an instruction or a label")?;
        let (op, dest) = if self.eat(':') {
            let ty = self.ty()?;
            self.demand('=')?;
            let (op, _) = self.name("an operation")?;
            (op, Some((first.to_owned(), ty)))
        } else {
            (first, None)
        };
        let mut instruction = Instruction {
            op: op.to_owned(),
            dest,
            args: Vec::new(),
            funcs: Vec::new(),
            labels: Vec::new(),
            value: None,
            span,
        };
        if op == "const" {
            instruction.value = Some(self.literal()?);
            self.demand(';')?;
        } else {
            while !self.eat(';') {
                if self.eat('@') {
                    instruction.funcs.push(self.name("the name of a function")?.0.to_owned());
                } else if self.eat('.') {
                    instruction.labels.push(self.name("the name of a label")?.0.to_owned());
                } else {
                    instruction.args.push(self.name("an argument or `;`")?.0.to_owned());
                }
            }
        }
        span.end = self.position as u32;
        instruction.span = span;
        Ok(Item::Instruction(instruction))
    }

    fn literal(&mut self) -> Result<Literal> {
        self.skip_space();
        let rest = self.rest();
        if rest.starts_with('\'') {
            return self.character();
        }
        let len = rest.find(|c: char| c.is_whitespace() || c == ';').unwrap_or(rest.len());
        let (word, span) = (&rest[..len], Span::new(self.position..self.position + len));
        let literal = match word {
            "true" => Literal::Bool(true),
            "false" => Literal::Bool(false),
            _ => match (word.parse(), word.parse()) {
                (Ok(int), _) => Literal::Int(int),
                (_, Ok(float)) => Literal::Float(float),
                _ => return Err(Diagnostic::error(span, format!("`{word}` is not a constant"))),
            },
        };
        self.position += len;
        Ok(literal)
    }

    fn character(&mut self) -> Result<Literal> {
        let start = self.position;
        let mut chars = self.rest()[1..].chars();
        let first = chars.next();
        let value = match (first, if first == Some('\\') { chars.next() } else { None }) {
            (Some('\\'), Some('0')) => Some('\0'),
            (Some('\\'), Some('a')) => Some('\u{7}'),
            (Some('\\'), Some('b')) => Some('\u{8}'),
            (Some('\\'), Some('t')) => Some('\t'),
            (Some('\\'), Some('n')) => Some('\n'),
            (Some('\\'), Some('v')) => Some('\u{b}'),
            (Some('\\'), Some('f')) => Some('\u{c}'),
            (Some('\\'), Some('r')) => Some('\r'),
            (Some('\\'), Some(c @ ('\\' | '\''))) => Some(c),
            (Some('\\'), _) | (None, _) => None,
            (c, _) => c,
        };
        let quoted = chars.next() == Some('\'');
        let end = self.text.len() - chars.as_str().len();
        match value {
            Some(value) if quoted => {
                self.position = end;
                Ok(Literal::Char(value))
            }
            _ => Err(Diagnostic::error(Span::new(start..end), "this is not a character")),
        }
    }
}

/// Writes a program in the way the reference printer does.
pub fn write(program: &Program) -> String {
    let mut out = String::new();
    for function in &program.functions {
        write_function(&mut out, function).expect("writing to a string does not fail");
    }
    out
}

fn write_function(out: &mut String, function: &Function) -> std::fmt::Result {
    write!(out, "@{}", function.name)?;
    if !function.params.is_empty() {
        let params: Vec<String> = function.params.iter().map(|(name, ty)| format!("{name}: {ty}")).collect();
        write!(out, "({})", params.join(", "))?;
    }
    if let Some(result) = &function.result {
        write!(out, ": {result}")?;
    }
    out.push_str(" {\n");
    for item in &function.body {
        match item {
            Item::Label(label, _) => writeln!(out, ".{label}:")?,
            Item::Instruction(instruction) => write_instruction(out, instruction)?,
        }
    }
    out.push_str("}\n");
    Ok(())
}

fn write_instruction(out: &mut String, instruction: &Instruction) -> std::fmt::Result {
    out.push_str("  ");
    if let Some((name, ty)) = &instruction.dest {
        write!(out, "{name}: {ty} = ")?;
    }
    out.push_str(&instruction.op);
    if let Some(value) = &instruction.value {
        write!(out, " {}", LiteralText(*value))?;
    }
    for func in &instruction.funcs {
        write!(out, " @{func}")?;
    }
    for arg in &instruction.args {
        write!(out, " {arg}")?;
    }
    for label in &instruction.labels {
        write!(out, " .{label}")?;
    }
    out.push_str(";\n");
    Ok(())
}

/// A literal as the text form spells it.
struct LiteralText(Literal);

impl std::fmt::Display for LiteralText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Literal::Int(int) => write!(f, "{int}"),
            Literal::Bool(truth) => write!(f, "{truth}"),
            // The debug form of a float always has a point or an exponent, so it reads back as one.
            Literal::Float(float) => write!(f, "{float:?}"),
            Literal::Char(c) => match c {
                '\0' => f.write_str("'\\0'"),
                '\u{7}' => f.write_str("'\\a'"),
                '\u{8}' => f.write_str("'\\b'"),
                '\t' => f.write_str("'\\t'"),
                '\n' => f.write_str("'\\n'"),
                '\u{b}' => f.write_str("'\\v'"),
                '\u{c}' => f.write_str("'\\f'"),
                '\r' => f.write_str("'\\r'"),
                '\\' | '\'' => write!(f, "'\\{c}'"),
                _ => write!(f, "'{c}'"),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use planish_base::SourceText;

    use super::*;

    const PROGRAM: &str = "\
@main(n: int, p: ptr<ptr<float>>): int {
  v0: int = const -1;
  b: bool = const true;
  x: float = const 1.5;
  c: char = const '\\n';
.loop.head:
  v1: int = call @f v0 n;
  print v1 b;
  br b .loop.head .end;
.end:
  ret v1;
}
@f(a: int, b: int): int {
  s: int = add a b;
  ret s;
}
";

    #[test]
    fn a_program_reads_and_writes_back_the_same() {
        let (program, diagnostics) = read(PROGRAM);
        assert!(diagnostics.is_empty(), "{}", diagnostics.render(&SourceText::new("p", PROGRAM)));
        assert_eq!(program.functions.len(), 2);
        assert_eq!(write(&program), PROGRAM);
    }

    #[test]
    fn all_errors_of_a_text_are_reported_with_their_place() {
        let text = "@main {\n  v: itn = const 1;\n  print v\n  w: int = const 1x;\n}\n@ {\n}\n";
        let source = SourceText::new("bad.bril", text);
        let (_, diagnostics) = read(text);
        let lines: Vec<String> = diagnostics.iter().map(|d| d.headline(&source)).collect();
        assert_eq!(
            lines,
            [
                "bad.bril:2:6: error: `itn` is not a type",
                "bad.bril:4:4: error: expected an argument or `;`, found `:`",
                "bad.bril:6:3: error: expected the name of a function, found `{`",
            ]
        );
    }

    #[test]
    fn any_text_gives_errors_and_no_panic() {
        let deep = format!("@f(x: {}", "ptr<".repeat(100_000));
        for text in
            ["@", "@f(", "@f {", "@f { x: int = const '", "@f { x: char = const '\\q'; }", "}}}", "é", &deep]
        {
            let (_, diagnostics) = read(text);
            assert!(diagnostics.has_errors(), "{text}");
        }
        for end in 0..PROGRAM.len() {
            read(&PROGRAM[..end]);
        }
    }
}
