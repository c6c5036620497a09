//! From words to statements: a parser by recursive descent over the tokens of a whole text.
//!
//! A statement that is wrong is reported and left out, and reading goes on with the next line, so that one run tells
//! everything that is wrong.

use planish_base::{Diagnostic, Diagnostics, Span};
use planish_ops::Type;
use planish_ops::world::Extension;
use smallvec::SmallVec;

use super::lex::{Token, tokens};
use super::syntax::{
    Block, Call, Declaration, Declared, Exit, ExitTarget, File, Function, Name, Operand, OperandKind,
    Operation, Recipe, RecipeStep, Terminator,
};

/// Finds the structure of a text. Statements that are wrong are left out and reported.
pub(super) fn parse<'t>(text: &'t str, diagnostics: &mut Diagnostics) -> File<'t> {
    let tokens = tokens(text, diagnostics);
    Parser { text, tokens, next: 0, diagnostics }.file()
}

struct Parser<'t, 'd> {
    text: &'t str,
    tokens: Vec<(Token<'t>, Span)>,
    next: usize,
    diagnostics: &'d mut Diagnostics,
}

type Result<T> = std::result::Result<T, Diagnostic>;

/// Words with which functions begin in other languages.
const HEADERS: [&str; 5] = ["def", "define", "fn", "fun", "function"];

/// Words that are constants where a value stands.
const CONSTANTS: [&str; 4] = ["null", "none", "inf", "nan"];

const TERMINATORS: [&str; 6] = ["jump", "branch", "switch", "return", "throw", "unreachable"];

impl<'t> Parser<'t, '_> {
    fn token(&self) -> Token<'t> {
        self.tokens[self.next].0
    }

    fn ahead(&self, distance: usize) -> Token<'t> {
        self.tokens.get(self.next + distance).map_or(Token::End, |t| t.0)
    }

    fn span(&self) -> Span {
        self.tokens[self.next].1
    }

    fn advance(&mut self) -> Token<'t> {
        let token = self.token();
        if token != Token::End {
            self.next += 1;
        }
        token
    }

    fn expected<T>(&self, what: &str) -> Result<T> {
        Err(Diagnostic::error(self.span(), format!("expected {what}, found {}", self.token())))
    }

    fn is_mark(&self, c: char) -> bool {
        self.token() == Token::Mark(c)
    }

    fn eat(&mut self, c: char) -> bool {
        let found = self.is_mark(c);
        self.next += usize::from(found);
        found
    }

    #[inline]
    fn demand(&mut self, c: char) -> Result<()> {
        if self.eat(c) { Ok(()) } else { self.expected(&format!("`{c}`")) }
    }

    /// A word that means something here. In front of `=`, `,` or `:` any word is a name, which is defined there.
    fn keyword(&self) -> Option<&'t str> {
        match (self.token(), self.ahead(1)) {
            (Token::Word(_), Token::Mark('=' | ',' | ':')) => None,
            (Token::Word(word), _) => Some(word),
            _ => None,
        }
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.keyword() == Some(word);
        self.next += usize::from(found);
        found
    }

    fn name(&mut self, what: &str) -> Result<Name<'t>> {
        let span = self.span();
        match self.token() {
            Token::Word(text) | Token::Quoted(text) | Token::Integer(text) => {
                self.next += 1;
                Ok(Name { text, span })
            }
            _ => self.expected(what),
        }
    }

    /// A name that operands use: a constant cannot be one.
    fn value_name(&mut self, what: &str) -> Result<Name<'t>> {
        let sort = match self.token() {
            Token::Word(word) if CONSTANTS.contains(&word) => "a constant",
            Token::Integer(_) | Token::Float(_) => "a number",
            _ => return self.name(what),
        };
        let text = &self.text[self.span().start as usize..self.span().end as usize];
        Err(Diagnostic::error(self.span(), format!("`{text}` is {sort} and no name of a value"))
            .note(format!("in quotes it is a name: `\"{text}\"`, here and where it is used")))
    }

    fn ty(&mut self) -> Result<Type> {
        let Token::Word(word) = self.token() else { return self.expected("a type") };
        let Ok(ty) = word.parse() else {
            let message = format!("`{word}` is not a type");
            return Err(Diagnostic::error(self.span(), message)
                .note("types are i1 to i64, f32, f64, ref, state, and vectors as i32x4"));
        };
        self.next += 1;
        Ok(ty)
    }

    fn unsigned(&mut self, what: &str) -> Result<u64> {
        let Token::Integer(text) = self.token() else { return self.expected(what) };
        let Ok(value) = text.parse() else {
            return Err(Diagnostic::error(self.span(), format!("expected {what}, found `{text}`")));
        };
        self.next += 1;
        Ok(value)
    }

    fn small(&mut self, what: &str) -> Result<u32> {
        let span = self.span();
        u32::try_from(self.unsigned(what)?)
            .map_err(|_| Diagnostic::error(span, format!("{what} is below 2^32")))
    }

    /// From how many bits a result is extended.
    fn extension(&mut self, signed: bool) -> Result<Extension> {
        let span = self.span();
        match self.small("a number of bits")? {
            bits @ 1..=63 => Ok(Extension { bits: bits as u8, signed }),
            _ => Err(Diagnostic::error(span, "a result is extended from 1 to 63 bits")),
        }
    }

    /// Items divided by commas up to a closing mark, the opening one being taken.
    fn list<T>(&mut self, close: char, item: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let mut items = Vec::new();
        self.items(close, item, |item| items.push(item))?;
        Ok(items)
    }

    /// The same for a list that is kept in another way.
    fn items<T>(
        &mut self,
        close: char,
        mut item: impl FnMut(&mut Self) -> Result<T>,
        mut keep: impl FnMut(T),
    ) -> Result<()> {
        if self.eat(close) {
            return Ok(());
        }
        loop {
            keep(item(self)?);
            if !self.eat(',') {
                return self.demand(close);
            }
        }
    }

    fn file(mut self) -> File<'t> {
        let mut file = File::default();
        let mut straight = (Vec::new(), None);
        let (mut is_straight, mut has_functions) = (false, false);
        while self.token() != Token::End {
            let start = self.next;
            let result = match self.keyword() {
                Some("func") if self.ahead(1) != Token::Mark('(') => {
                    has_functions = true;
                    self.function(&mut file)
                }
                Some(word) if HEADERS.contains(&word) && matches!(self.ahead(1), Token::Word(_)) => {
                    has_functions = true;
                    self.diagnostics.push(
                        Diagnostic::error(self.span(), format!("no function begins with `{word}`"))
                            .note("a function is `func f(a: i64) -> i64 {`, its blocks, and `}`"),
                    );
                    self.skip_function();
                    Ok(())
                }
                Some("location" | "class" | "callee" | "other" | "table")
                    if self.ahead(1) == Token::Mark('@') =>
                {
                    self.declaration().map(|d| file.declarations.push(d))
                }
                _ => {
                    is_straight = true;
                    self.straight_line(&mut straight)
                }
            };
            if let Err(diagnostic) = result {
                self.diagnostics.push(diagnostic);
                self.skip_line(start);
            }
        }
        if is_straight && has_functions {
            let span = straight.0.first().map_or(Span::default(), |o: &Operation<'_>| o.op.span);
            self.diagnostics
                .error(span, "operations stand either in functions or in a text without functions");
        } else if !has_functions {
            file.straight = Some(straight);
        }
        file
    }

    /// Goes on at the first word of the next line, and at least one word further than `start`.
    fn skip_line(&mut self, start: usize) {
        let from = self.span().start as usize;
        let end = self.text[from..].find('\n').map_or(self.text.len(), |i| from + i);
        while self.token() != Token::End && (self.span().start as usize) < end {
            self.next += 1;
        }
        if self.next == start {
            self.advance();
        }
    }

    fn straight_line(&mut self, straight: &mut (Vec<Operation<'t>>, Option<Terminator<'t>>)) -> Result<()> {
        if straight.1.is_some() {
            return Err(Diagnostic::error(self.span(), "nothing may follow the return"));
        }
        if let (Token::Word(label), Token::Mark(':')) = (self.token(), self.ahead(1))
            && self.is_in_next_line(2)
        {
            let span = self.span();
            let message = format!("a straight line has no blocks such as `{label}:`");
            return Err(Diagnostic::error(span, message)
                .note("blocks stand in a function: `func f(v0: i64) -> i64 {`"));
        }
        match self.keyword() {
            Some(word) if TERMINATORS.contains(&word) => {
                let span = self.span();
                let terminator = self.terminator()?;
                if !matches!(terminator, Terminator::Return(..)) {
                    return Err(Diagnostic::error(
                        span,
                        format!("a straight line may end with a return, not with `{word}`"),
                    ));
                }
                straight.1 = Some(terminator);
            }
            _ => straight.0.push(self.operation()?),
        }
        Ok(())
    }

    /// What stands in front of the blocks of a function, which are still to be read.
    fn function_header(&mut self) -> Result<Function<'t>> {
        self.advance();
        let name = self.name("the name of a function")?;
        self.demand('(')?;
        let params = self.list(')', Self::param)?;
        let mut results = Vec::new();
        if self.token() == Token::Arrow {
            self.advance();
            results.push(self.ty()?);
            while self.eat(',') {
                results.push(self.ty()?);
            }
        }
        self.demand('{')?;
        Ok(Function { name, params, results, blocks: Vec::new() })
    }

    /// Goes on behind a function, which ends with a line that begins with `}`, or in front of the next one. Without its
    /// header nothing in it could be understood.
    fn skip_function(&mut self) {
        loop {
            match self.token() {
                Token::End => return,
                Token::Word("func") | Token::Mark('}') if self.begins_line() => break,
                _ => self.next += 1,
            }
        }
        self.eat('}');
    }

    /// Whether a token further on stands in a line below the one in front of it.
    fn is_in_next_line(&self, distance: usize) -> bool {
        let end = |token: usize| self.tokens.get(self.next + token).map(|(_, span)| span.range());
        let (Some(before), Some(here)) = (end(distance - 1), end(distance)) else { return false };
        self.text[before.end..here.start].contains('\n')
    }

    /// Whether nothing stands in front of a word in its line.
    fn begins_line(&self) -> bool {
        let before = &self.text[..self.span().start as usize];
        before.trim_end_matches([' ', '\t']).ends_with('\n')
    }

    fn function(&mut self, file: &mut File<'t>) -> Result<()> {
        let Function { name, params, results, mut blocks } = match self.function_header() {
            Ok(header) => header,
            Err(diagnostic) => {
                self.diagnostics.push(diagnostic);
                self.skip_function();
                return Ok(());
            }
        };
        while !self.eat('}') {
            if self.token() == Token::End {
                return self.expected("`}`");
            }
            let start = self.next;
            if let Err(diagnostic) = self.block_line(&mut blocks) {
                self.diagnostics.push(diagnostic);
                self.skip_line(start);
            }
        }
        if blocks.is_empty() {
            return Err(Diagnostic::error(name.span, "a function has at least one block"));
        }
        file.functions.push(Function { name, params, results, blocks });
        Ok(())
    }

    fn param(&mut self) -> Result<(Name<'t>, Type)> {
        let name = self.value_name("the name of a parameter")?;
        self.demand(':')?;
        Ok((name, self.ty()?))
    }

    /// A block's header, an operation or a terminator.
    fn block_line(&mut self, blocks: &mut Vec<Block<'t>>) -> Result<()> {
        if let Some(header) = self.header()? {
            if let Some(Block { terminator: None, name, .. }) = blocks.last() {
                let message = format!("block `{}` has no terminator", name.text);
                self.diagnostics.error(name.span, message);
            }
            blocks.push(header);
            return Ok(());
        }
        let Some(block) = blocks.last_mut() else {
            return self.expected("the header of a block, as in `entry:`");
        };
        if block.terminator.is_some() {
            return self.expected("the header of a block or `}` behind a terminator");
        }
        match self.keyword() {
            Some(word) if TERMINATORS.contains(&word) => block.terminator = Some(self.terminator()?),
            _ => block.operations.push(self.operation()?),
        }
        Ok(())
    }

    /// `name:`, or `name(v0: i64):`. A `name: type =` is a result, unless the type stands in the next line: that is a result `i2`.
    fn header(&mut self) -> Result<Option<Block<'t>>> {
        let (Token::Word(_) | Token::Quoted(_) | Token::Integer(_)) = self.token() else { return Ok(None) };
        let is_header = match self.ahead(1) {
            Token::Mark(':') => {
                !(matches!(self.ahead(2), Token::Word(w) if w.parse::<Type>().is_ok())
                    && matches!(self.ahead(3), Token::Mark('=' | ','))
                    && !self.is_in_next_line(2))
            }
            // An operation without results has no type behind its first operand, or no colon at its end.
            Token::Mark('(') => {
                let mut distance = 2;
                while !matches!(self.ahead(distance), Token::Mark(')' | '{' | '}' | '=') | Token::End) {
                    distance += 1;
                }
                self.ahead(distance) == Token::Mark(')') && self.ahead(distance + 1) == Token::Mark(':')
            }
            _ => false,
        };
        if !is_header {
            return Ok(None);
        }
        let name = self.name("the name of a block")?;
        let params = if self.eat('(') { self.list(')', Self::param)? } else { Vec::new() };
        self.demand(':')?;
        Ok(Some(Block { name, params, operations: Vec::new(), terminator: None }))
    }

    fn operation(&mut self) -> Result<Operation<'t>> {
        let mut results = SmallVec::new();
        if self.ahead(1) != Token::Mark('(') {
            loop {
                let name = self.value_name("an operation")?;
                let ty = if self.eat(':') { Some(self.ty()?) } else { None };
                results.push((name, ty));
                if !self.eat(',') {
                    break;
                }
            }
            self.demand('=')?;
        }
        let op = self.name("the name of an operation")?;
        self.demand('(')?;
        let mut args = SmallVec::new();
        self.items(')', Self::operand, |operand| args.push(operand))?;
        let descr = if self.eat('@') { Some(self.name("the name of a descriptor")?) } else { None };
        let exit = if self.eat_word("else") { Some(self.exit()?) } else { None };
        Ok(Operation { results, op, args, descr, exit })
    }

    fn operand(&mut self) -> Result<Operand<'t>> {
        let mut span = self.span();
        let kind = match self.token() {
            // Those are `CONSTANTS`.
            Token::Word("null") => OperandKind::Null,
            Token::Word("none") => OperandKind::None,
            Token::Word(text @ ("inf" | "nan")) | Token::Float(text) => OperandKind::Float(text),
            Token::Word(text) | Token::Quoted(text) => OperandKind::Value(text),
            Token::Integer(text) => OperandKind::Integer(text),
            Token::Mark('&') => OperandKind::Symbol(""),
            _ => return self.expected("a value"),
        };
        self.advance();
        let kind = match kind {
            OperandKind::Symbol(_) => OperandKind::Symbol(self.name("the name of a symbol")?.text),
            kind => kind,
        };
        let typed = matches!(kind, OperandKind::Integer(_) | OperandKind::Float(_) | OperandKind::Symbol(_));
        // `0: block` in a switch is a case, not a type.
        let ty = match self.ahead(1) {
            Token::Word(word) if typed && self.is_mark(':') && word.parse::<Type>().is_ok() => {
                self.advance();
                Some(self.ty()?)
            }
            _ => None,
        };
        span.end = self.tokens[self.next - 1].1.end;
        Ok(Operand { kind, ty, span })
    }

    fn args(&mut self) -> Result<Vec<Operand<'t>>> {
        if self.eat('(') { self.list(')', Self::operand) } else { Ok(Vec::new()) }
    }

    fn call(&mut self) -> Result<Call<'t>> {
        Ok(Call { block: self.name("the name of a block")?, args: self.args()? })
    }

    fn exit(&mut self) -> Result<Exit<'t>> {
        if self.eat_word("leave") {
            let number = self.small("the number of an exit")?;
            let args = self.args()?;
            let recipe = if self.eat_word("with") { Some(self.recipe()?) } else { None };
            return Ok(Exit { target: ExitTarget::Leave(number), args, recipe });
        }
        if self.eat_word("unwind") {
            return Ok(Exit { target: ExitTarget::Unwind, args: self.args()?, recipe: None });
        }
        if self.eat_word("to") {
            let args = self.args()?;
            self.demand('[')?;
            let handlers = self.list(']', |p| {
                let class = if p.eat('*') {
                    None
                } else {
                    p.demand('@')?;
                    Some(p.name("the name of a class")?)
                };
                p.demand(':')?;
                Ok((class, p.name("the name of a block")?))
            })?;
            return Ok(Exit { target: ExitTarget::To(handlers), args, recipe: None });
        }
        self.expected("`leave`, `unwind` or `to`")
    }

    /// What an exit makes, behind `with`.
    fn recipe(&mut self) -> Result<Recipe<'t>> {
        self.demand('[')?;
        let steps = self.list(']', |p| {
            let first = p.name("an operation")?;
            let (result, op) = match p.eat('=') {
                true => (Some(first), p.name("an operation")?),
                false => (None, first),
            };
            p.demand('(')?;
            let operands = p.list(')', |p| p.name("`arg` or `made` with a number"))?;
            let descr = if p.eat('@') { Some(p.name("the name of a descriptor")?) } else { None };
            Ok(RecipeStep { result, op, operands, descr })
        })?;
        if !self.eat_word("as") {
            return self.expected("`as` and what the other side gets");
        }
        self.demand('(')?;
        let state = self.list(')', |p| p.name("`arg` or `made` with a number"))?;
        Ok(Recipe { steps, state })
    }

    fn terminator(&mut self) -> Result<Terminator<'t>> {
        let span = self.span();
        let Token::Word(word) = self.advance() else { unreachable!("the caller saw a word") };
        Ok(match word {
            "jump" => Terminator::Jump(self.call()?),
            "branch" => {
                let condition = self.operand()?;
                self.demand(',')?;
                let then = self.call()?;
                self.demand(',')?;
                Terminator::Branch(condition, then, self.call()?)
            }
            "switch" => {
                let on = self.operand()?;
                self.demand('[')?;
                let cases = self.list(']', |p| {
                    let key = p.operand()?;
                    p.demand(':')?;
                    Ok((key, p.call()?))
                })?;
                self.demand(',')?;
                Terminator::Switch(on, cases, self.call()?)
            }
            "return" => {
                // What follows on the same line are the results.
                let line_end = self.text[span.end as usize..]
                    .find('\n')
                    .map_or(self.text.len(), |i| span.end as usize + i);
                let mut results = Vec::new();
                while (self.span().start as usize) < line_end
                    && !self.is_mark('}')
                    && self.token() != Token::End
                {
                    results.push(self.operand()?);
                    if !self.eat(',') {
                        break;
                    }
                }
                Terminator::Return(results, span)
            }
            "throw" => {
                let value = self.operand()?;
                let exit = if self.eat_word("else") { Some(self.exit()?) } else { None };
                Terminator::Throw(value, exit)
            }
            _ => Terminator::Unreachable,
        })
    }

    fn declaration(&mut self) -> Result<Declaration<'t>> {
        let Token::Word(kind) = self.advance() else { unreachable!("the caller saw a word") };
        self.demand('@')?;
        let name = self.name("the name of a descriptor")?;
        let what = match kind {
            "location" => {
                self.demand(':')?;
                let ty = self.ty()?;
                let mut words = Vec::new();
                while let Some(word @ ("bits" | "signed" | "immutable" | "quasi" | "raw" | "class")) =
                    self.keyword()
                {
                    // `class @name` is the next declaration.
                    if word == "class" && self.ahead(1) == Token::Mark('@') {
                        break;
                    }
                    let word_name = self.name("a property")?;
                    let number = match word {
                        "bits" | "class" => Some(u64::from(self.small("a number")?)),
                        _ => None,
                    };
                    words.push((word_name, number));
                }
                Declared::Location { ty, words }
            }
            "class" => Declared::Class,
            "other" => Declared::Other,
            "table" => {
                self.demand(':')?;
                let ty = self.ty()?;
                self.demand('=')?;
                let mut span = self.span();
                self.demand('[')?;
                let items = self.list(']', Self::operand)?;
                span.end = self.tokens[self.next - 1].1.end;
                Declared::Table { ty, items, span }
            }
            _ => {
                let (mut words, mut result, mut reads, mut writes) = (Vec::new(), None, None, None);
                while let Some(
                    word @ ("unless_zero" | "if_zero" | "elidable" | "invariant" | "raises" | "forces"
                    | "invalidates" | "zeroext" | "signext" | "reads" | "writes"),
                ) = self.keyword()
                {
                    words.push(self.name("a property")?);
                    let set = match word {
                        "reads" => &mut reads,
                        "writes" => &mut writes,
                        "zeroext" | "signext" => {
                            result = Some(self.extension(word == "signext")?);
                            continue;
                        }
                        _ => continue,
                    };
                    *set = if self.eat('*') {
                        None
                    } else {
                        self.demand('(')?;
                        Some(self.list(')', |p| p.small("an alias class"))?)
                    };
                }
                Declared::Callee { words, result, reads, writes }
            }
        };
        Ok(Declaration { name, what })
    }
}
