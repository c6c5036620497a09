//! Reading the three-address language: lines of tokens to statements.
//!
//! A line is cut at `#` or `;`, even inside a token, and split at blanks. All errors of a text are
//! collected. Whether labels exist and variables are assigned is [`lift`](crate::lift())'s to say.

use planish_base::{Diagnostic, Diagnostics, SourceText, Span};

use crate::ast::{Action, Function, Name, Operand, Program, Statement};
use crate::legal;

/// Reads a program. It is whole only when no error was reported.
pub fn read(source: &SourceText, diagnostics: &mut Diagnostics) -> Program {
    let mut reader = Reader { diagnostics, program: Program::default(), current: None };
    let mut start = 0;
    for line in source.text().split_inclusive('\n') {
        let code = line.find(['#', ';']).map_or(line, |at| &line[..at]);
        let tokens = tokens(code, start);
        reader.line(&tokens);
        start += line.len();
    }
    reader.finish(source.text().len())
}

#[derive(Clone, Copy)]
struct Token<'a> {
    text: &'a str,
    span: Span,
}

fn tokens(code: &str, start: usize) -> Vec<Token<'_>> {
    let offset = |text: &str| text.as_ptr() as usize - code.as_ptr() as usize + start;
    code.split_whitespace()
        .map(|text| Token { text, span: Span::new(offset(text)..offset(text) + text.len()) })
        .collect()
}

struct Reader<'a> {
    diagnostics: &'a mut Diagnostics,
    program: Program,
    current: Option<Function>,
}

impl Reader<'_> {
    fn line(&mut self, tokens: &[Token]) {
        let [first, rest @ ..] = tokens else { return };
        let span = first.span.to(tokens[tokens.len() - 1].span);
        let arrow = rest.iter().position(|token| token.text == "->");
        let (inputs, outputs) = match arrow {
            Some(at) => (&rest[..at], Some(&rest[at + 1..])),
            None => (rest, None),
        };
        if first.text == "function" {
            return self.header(inputs, outputs.unwrap_or_default(), span);
        }
        if let Some(action) = self.action(*first, inputs, outputs, arrow.map(|at| rest[at].span)) {
            let fresh = || Function { name: None, params: Vec::new(), statements: Vec::new(), span };
            self.current.get_or_insert_with(fresh).statements.push(Statement { action, span });
        }
    }

    fn header(&mut self, inputs: &[Token], outputs: &[Token], span: Span) {
        if let Some(function) = self.current.take() {
            self.close(function, span);
        }
        if let [_, extra, ..] = inputs {
            let message = "a function has at most one name; its arguments stand behind `->`";
            self.diagnostics.error(extra.span, message);
        }
        let name = inputs.first().and_then(|token| self.name(*token, "the name of a function"));
        let params: Vec<Name> = outputs.iter().filter_map(|token| self.name(*token, "an argument")).collect();
        for (i, param) in params.iter().enumerate() {
            if params[..i].contains(param) {
                let message = format!("`{}` names two arguments", self.program.name(*param));
                self.diagnostics.error(outputs.get(i).map_or(span, |token| token.span), message);
            }
        }
        self.current = Some(Function { name, params, statements: Vec::new(), span });
    }

    fn close(&mut self, function: Function, next: Span) {
        let ends = function.statements.last().is_some_and(|last| last.action.ends_block());
        if !ends {
            let at = function.statements.last().map_or(function.span, |last| last.span);
            let error = Diagnostic::error(at, "control reaches the end of the function")
                .note("the last statement of a function is `return`, `goto` or `switch`");
            self.diagnostics.push(error);
        }
        if let Some(name) = function.name
            && self.program.functions.iter().any(|other| other.name == Some(name))
        {
            let message = format!("there are two functions `{}`", self.program.name(name));
            self.diagnostics.error(function.span, message);
        }
        if function.name.is_none() && self.program.functions.iter().any(|other| other.name.is_none()) {
            let error = Diagnostic::error(function.span, "only one function can be without a name")
                .note("`function NAME -> x y` names one");
            self.diagnostics.push(error);
        }
        let _ = next;
        self.program.functions.push(function);
    }

    fn finish(mut self, length: usize) -> Program {
        let end = Span::new(length..length);
        match self.current.take() {
            Some(function) => self.close(function, end),
            None => self.diagnostics.error(end, "there is no statement in this text"),
        }
        self.program
    }

    fn action(
        &mut self,
        first: Token,
        inputs: &[Token],
        outputs: Option<&[Token]>,
        arrow: Option<Span>,
    ) -> Option<Action> {
        if let (Some(at), "label" | "goto" | "switch" | "return") = (arrow, first.text) {
            self.diagnostics.error(at, format!("`{}` has no results", first.text));
            return None;
        }
        let outputs = outputs.unwrap_or_default();
        match first.text {
            "label" | "goto" => self.label(first, inputs),
            "switch" => self.switch(first, inputs),
            "return" => Some(Action::Return(self.operands(inputs)?)),
            "mov" => self.copy(first, inputs, outputs),
            "call" => self.call(first, inputs, outputs),
            "use" => {
                let args = self.operands(inputs)?;
                Some(Action::Use { args, results: self.variables(outputs)? })
            }
            _ => self.operation(first, inputs, outputs),
        }
    }

    fn label(&mut self, first: Token, inputs: &[Token]) -> Option<Action> {
        let [label] = inputs else {
            self.diagnostics.error(first.span, format!("`{}` takes one label", first.text));
            return None;
        };
        // A label may be a number.
        let label = self.program.names.intern(label.text.to_owned());
        Some(if first.text == "label" { Action::Label(label) } else { Action::Goto(label) })
    }

    fn switch(&mut self, first: Token, inputs: &[Token]) -> Option<Action> {
        let [on, targets @ ..] = inputs else {
            self.diagnostics.error(first.span, "`switch` takes a value and two or more labels");
            return None;
        };
        if targets.len() < 2 {
            self.diagnostics.error(first.span, "`switch` takes two or more labels");
            return None;
        }
        let on = self.operand(*on)?;
        let names = &mut self.program.names;
        let targets = targets.iter().map(|label| names.intern(label.text.to_owned())).collect();
        Some(Action::Switch { on, targets })
    }

    fn copy(&mut self, first: Token, inputs: &[Token], outputs: &[Token]) -> Option<Action> {
        let (&[from], &[to]) = (inputs, outputs) else {
            self.diagnostics.error(first.span, "`mov` is written `mov x -> y`");
            return None;
        };
        Some(Action::Move { from: self.operand(from)?, to: self.name(to, "a variable")? })
    }

    fn call(&mut self, first: Token, inputs: &[Token], outputs: &[Token]) -> Option<Action> {
        let [callee, args @ ..] = inputs else {
            self.diagnostics.error(first.span, "`call` takes the name of a function");
            return None;
        };
        let callee = self.name(*callee, "the name of a function")?;
        let args = self.operands(args)?;
        Some(Action::Call { callee, args, results: self.variables(outputs)? })
    }

    fn operation(&mut self, first: Token, inputs: &[Token], outputs: &[Token]) -> Option<Action> {
        let operator = first.text;
        let op = match legal::operation(operator, inputs.len()) {
            Ok(op) => op,
            Err(wanted) => {
                self.diagnostics.push(match wanted {
                    Some(count) => Diagnostic::error(
                        first.span,
                        format!("`{operator}` takes {count} operands, not {}", inputs.len()),
                    ),
                    None => Diagnostic::error(first.span, format!("unknown operator `{operator}`")),
                });
                return None;
            }
        };
        if let [_, second, ..] = outputs {
            self.diagnostics.error(second.span, format!("`{operator}` has one result"));
            return None;
        }
        let args = self.operands(inputs)?;
        let result = match outputs {
            [result, ..] => Some(self.name(*result, "a variable")?),
            [] => None,
        };
        Some(Action::Op { op, args, result })
    }

    fn variables(&mut self, tokens: &[Token]) -> Option<Vec<Name>> {
        tokens.iter().map(|token| self.name(*token, "a variable")).collect()
    }

    fn operands(&mut self, tokens: &[Token]) -> Option<Vec<Operand>> {
        // Every operand is looked at, so that all errors are reported.
        let operands: Vec<Option<Operand>> = tokens.iter().map(|token| self.operand(*token)).collect();
        operands.into_iter().collect()
    }

    fn operand(&mut self, token: Token) -> Option<Operand> {
        if !is_number(token.text) {
            return self.name(token, "an operand").map(Operand::Variable);
        }
        let value = token.text.parse::<i64>();
        if value.is_err() {
            self.diagnostics.error(token.span, format!("`{}` does not fit 64 bits", token.text));
        }
        value.ok().map(Operand::Number)
    }

    fn name(&mut self, token: Token, what: &str) -> Option<Name> {
        if is_number(token.text) || token.text == "->" {
            self.diagnostics.error(token.span, format!("`{}` cannot be {what}", token.text));
            return None;
        }
        Some(self.program.names.intern(token.text.to_owned()))
    }
}

/// Whether a token is a signed integer, of any size.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}
