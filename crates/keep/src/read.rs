//! Reading configuration files.
//!
//! Every error of a text is reported with its place; after one, reading goes on at the next option.
//! Files that a text includes are asked for by name: this module opens none.

use planish_base::spelling::closest;
use planish_base::{Diagnostic, Diagnostics, SourceText, Span};
use planish_classfile::Flags;

use crate::known::{no_attribute, no_optimization};
use crate::lex::{Word, words};
use crate::options::{Form, Known, OPTIONS, named};
use crate::pattern::{NamePattern, TypePattern};
use crate::{
    AssumeRule, ClassPattern, Configuration, DiscardRule, FlagPattern, KeepRule, Keeps, MemberPattern,
    MemberShape, Place,
};

/// A file that a text includes, by the name that it writes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Include {
    /// The name, relative to the including file or to the last base directory.
    pub path: String,
    /// The last `-basedirectory` before it.
    pub base: Option<String>,
    /// How many keep rules come before it.
    pub after: usize,
    /// Where it stands.
    pub span: Span,
}

/// Options without which less is kept, or more is done: a misspelt one must not pass for one that means nothing.
const KEEPING: [&str; 13] = [
    "keep",
    "keepclassmembers",
    "keepclasseswithmembers",
    "keepnames",
    "keepclassmembernames",
    "keepclasseswithmembernames",
    "keepattributes",
    "if",
    "include",
    "injars",
    "libraryjars",
    "dontshrink",
    "dontoptimize",
];

/// The checks that Kotlin's compiler puts in, by the names of all its versions.
const KOTLIN_NULL_CHECKS: &str = "class kotlin.jvm.internal.Intrinsics {
    static void checkExpressionValueIsNotNull(java.lang.Object, java.lang.String);
    static void checkFieldIsNotNull(java.lang.Object, java.lang.String);
    static void checkFieldIsNotNull(java.lang.Object, java.lang.String, java.lang.String);
    static void checkNotNull(java.lang.Object);
    static void checkNotNull(java.lang.Object, java.lang.String);
    static void checkNotNullExpressionValue(java.lang.Object, java.lang.String);
    static void checkNotNullParameter(java.lang.Object, java.lang.String);
    static void checkParameterIsNotNull(java.lang.Object, java.lang.String);
    static void checkReturnedValueIsNotNull(java.lang.Object, java.lang.String);
    static void checkReturnedValueIsNotNull(java.lang.Object, java.lang.String, java.lang.String);
}";

struct Reader<'a> {
    source: &'a SourceText,
    words: Vec<Word>,
    at: usize,
    configuration: &'a mut Configuration,
    diagnostics: &'a mut Diagnostics,
    includes: Vec<Include>,
    base: Option<String>,
    condition: Option<ClassPattern>,
}

/// An error: where, and what is wrong.
type Parsed<T> = Result<T, (Span, String)>;

/// Reads a text into a configuration. Returns the files that it includes.
pub fn read(
    source: &SourceText,
    configuration: &mut Configuration,
    diagnostics: &mut Diagnostics,
) -> Vec<Include> {
    let words = match words(source.text()) {
        Ok(words) => words,
        Err(span) => {
            diagnostics.push(Diagnostic::error(span, "this quote does not end"));
            return Vec::new();
        }
    };
    let mut reader = Reader {
        source,
        words,
        at: 0,
        configuration,
        diagnostics,
        includes: Vec::new(),
        base: None,
        condition: None,
    };
    while reader.at < reader.words.len() {
        if let Err((span, message)) = reader.option() {
            reader.diagnostics.push(Diagnostic::error(span, message));
            reader.skip();
        }
    }
    reader.includes
}

impl Reader<'_> {
    fn peek(&self) -> Option<&Word> {
        self.words.get(self.at)
    }

    fn is(&self, text: &str) -> bool {
        self.peek().is_some_and(|word| !word.quoted && word.text == text)
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.is(text);
        self.at += usize::from(found);
        found
    }

    /// The place of the next word, or of the last one at the end.
    fn here(&self) -> Span {
        let last = self.words.len().saturating_sub(1);
        self.words.get(self.at.min(last)).map_or(Span::default(), |word| word.span)
    }

    fn next(&mut self, expected: &str) -> Parsed<Word> {
        match self.words.get(self.at) {
            Some(word) => {
                self.at += 1;
                Ok(word.clone())
            }
            None => Err((self.here(), format!("{expected} is missing at the end"))),
        }
    }

    fn demand(&mut self, text: &str) -> Parsed<()> {
        let here = self.here();
        if self.eat(text) { Ok(()) } else { Err((here, format!("`{text}` is expected here"))) }
    }

    fn is_option(&self) -> bool {
        self.peek().is_none_or(|word| !word.quoted && (word.text.starts_with('-') || word.text == "@"))
    }

    /// Goes on at the next option.
    fn skip(&mut self) {
        while !self.is_option() {
            self.at += 1;
        }
    }

    fn option(&mut self) -> Parsed<()> {
        let word = self.next("an option")?;
        if word.text == "@" {
            return self.include(word.span);
        }
        let Some(name) = word.text.strip_prefix('-') else {
            return Err((word.span, "an option that begins with `-` is expected here".into()));
        };
        let name = name.to_owned();
        match name.as_str() {
            _ if name.starts_with("keep") && self.keep(&name, word.span)? => {}
            "keepattributes" => {
                let from = self.at;
                let list = self.name_list_or_all()?;
                self.configuration.attributes.extend(list);
                self.doubt(from, no_attribute);
            }
            "dontwarn" => {
                let list = self.name_list_or_all()?;
                self.configuration.dont_warn.extend(list);
            }
            "dontnote" => {
                let list = self.name_list_or_all()?;
                self.configuration.dont_note.extend(list);
            }
            "if" => {
                self.condition = Some(self.class_pattern()?);
                if !self.peek().is_some_and(|word| word.text.starts_with("-keep")) {
                    return Err((self.here(), "a keep rule is expected after `-if`".into()));
                }
            }
            "include" => self.include(word.span)?,
            "basedirectory" => self.base = Some(self.path()?),
            "injars" | "outjars" | "libraryjars" => {
                let path = self.path()?;
                let path = self.based(path);
                self.configuration.jars.push((name, path));
            }
            "whyareyoukeeping" => {
                let pattern = self.class_pattern()?;
                self.configuration.why.push(pattern);
            }
            "checkdiscard" => {
                let classes = self.class_pattern()?;
                let place = self.place(word.span);
                self.configuration.discard.push(DiscardRule { classes, place });
            }
            "processkotlinnullchecks" => self.kotlin_null_checks(word.span)?,
            "assumenosideeffects" | "assumevalues" | "convertchecknotnull" | "nevermerge" => {
                let classes = self.class_pattern()?;
                let place = self.place(word.span);
                self.configuration.assume.push(AssumeRule { option: name, classes, place });
            }
            _ if let Some(known) = named(&name) => self.known(known, word.span)?,
            _ if name.contains("keep") || closest(&name, KEEPING).is_some() || self.names_classes() => {
                let near = closest(&name, KEEPING).map(|near| format!("; did you mean `-{near}`?"));
                let near = near.unwrap_or_default();
                return Err((
                    word.span,
                    format!("`-{name}` is not known, and may have kept something{near}"),
                ));
            }
            _ => {
                let near = closest(&name, OPTIONS.iter().map(|known| known.name));
                let near = near.map_or_else(String::new, |near| format!("; did you mean `-{near}`?"));
                let message = format!("`-{name}` is ignored{near}");
                self.diagnostics.push(Diagnostic::warning(word.span, message));
                self.skip();
            }
        }
        Ok(())
    }

    /// `-processkotlinnullchecks`: what becomes of the checks that Kotlin's compiler puts in.
    fn kotlin_null_checks(&mut self, span: Span) -> Parsed<()> {
        let here = self.here();
        let option = match &*self.next("what becomes of the checks")?.text {
            "keep" => return Ok(()),
            "remove" => "assumenosideeffects",
            "remove_message" => "convertchecknotnull",
            other => {
                return Err((
                    here,
                    format!("`keep`, `remove_message` or `remove` is expected, not `{other}`"),
                ));
            }
        };
        let text = SourceText::new("Kotlin's checks for null", format!("-{option} {KOTLIN_NULL_CHECKS}"));
        let place = self.place(span);
        let from = self.configuration.assume.len();
        read(&text, self.configuration, self.diagnostics);
        for rule in &mut self.configuration.assume[from..] {
            rule.place = place.clone();
        }
        Ok(())
    }

    /// Reads an option that is written as others of its kind.
    fn known(&mut self, known: &Known, span: Span) -> Parsed<()> {
        let is_refused = known.warning().is_some();
        if let Some(message) = known.warning() {
            self.diagnostics.push(Diagnostic::warning(span, message));
        }
        match known.form {
            Form::Flag if is_refused => {}
            Form::Flag => self.configuration.flags.push(known.name.to_owned()),
            // Of another tool's rules nothing is taken.
            Form::Keep | Form::Path => self.skip(),
            Form::Classes => {
                self.class_pattern()?;
            }
            Form::Names | Form::Setting | Form::Written => {
                let argument = self.argument(known, span)?;
                if !is_refused {
                    self.configuration.settings.push((known.name.to_owned(), argument));
                }
            }
        }
        Ok(())
    }

    /// The argument of an option, all up to the next one; empty if there is none.
    fn argument(&mut self, known: &Known, span: Span) -> Parsed<String> {
        let (mut argument, from) = (String::new(), self.at);
        while !self.is_option() {
            argument += &self.next("an argument")?.text;
        }
        match known.name {
            "optimizations" => self.doubt(from, no_optimization),
            "optimizationpasses" if argument.parse::<u32>().is_err() => {
                let place = self.words.get(from).map_or(span, |word| word.span);
                return Err((place, "a number of passes is expected here".into()));
            }
            "repackageclasses" | "defaultpackage" | "flattenpackagehierarchy" => {
                if let Some(message) = no_package(&argument) {
                    let place = self.words.get(from).map_or(span, |word| word.span);
                    return Err((place, message));
                }
            }
            _ => {}
        }
        Ok(if known.form == Form::Written && !argument.is_empty() { self.based(argument) } else { argument })
    }

    /// Says of the names in a list that was just read what is wrong with them, if anything.
    fn doubt(&mut self, from: usize, wrong: impl Fn(&str) -> Option<String>) {
        for word in &self.words[from..self.at] {
            let is_name = word.quoted || !["!", ","].contains(&word.text.as_str());
            if let Some(message) = is_name.then(|| wrong(&word.text)).flatten() {
                self.diagnostics.push(Diagnostic::warning(word.span, message));
            }
        }
    }

    /// Where a rule stands that begins with an option.
    fn place(&self, span: Span) -> Place {
        let (line, column) = self.source.position(span.start);
        Place(format!("{}:{line}:{column}", self.source.name()).into())
    }

    /// Whether the words up to the next option look like the pattern of a class.
    fn names_classes(&self) -> bool {
        (self.words[self.at..].iter())
            .take_while(|word| word.quoted || !(word.text.starts_with('-') || word.text == "@"))
            .any(|word| !word.quoted && ["class", "interface", "enum", "{"].contains(&word.text.as_str()))
    }

    fn include(&mut self, span: Span) -> Parsed<()> {
        let path = self.path()?;
        let after = self.configuration.keep.len();
        self.includes.push(Include { path, base: self.base.clone(), after, span });
        Ok(())
    }

    /// A path: everything up to the next option.
    fn path(&mut self) -> Parsed<String> {
        let here = self.here();
        let mut path = String::new();
        while !self.is_option() {
            path += &self.next("a path")?.text;
        }
        if path.is_empty() { Err((here, "a path is expected here".into())) } else { Ok(path) }
    }

    /// A path in the last base directory.
    fn based(&self, path: String) -> String {
        let is_relative = !path.starts_with(['/', '<']) && path != "-";
        match &self.base {
            Some(base) if is_relative => format!("{}/{path}", base.trim_end_matches('/')),
            _ => path,
        }
    }

    /// Reads a keep rule; `false` if the option is not one.
    fn keep(&mut self, name: &str, span: Span) -> Parsed<bool> {
        let (keeps, allow_shrinking) = match name {
            "keep" => (Keeps::Classes, false),
            "keepclassmembers" => (Keeps::Members, false),
            "keepclasseswithmembers" => (Keeps::ClassesWithMembers, false),
            "keepnames" => (Keeps::Classes, true),
            "keepclassmembernames" => (Keeps::Members, true),
            "keepclasseswithmembernames" => (Keeps::ClassesWithMembers, true),
            _ => return Ok(false),
        };
        let mut rule = KeepRule {
            keeps,
            allow_shrinking,
            allow_optimization: false,
            allow_obfuscation: false,
            include_descriptor_classes: false,
            include_code: false,
            condition: self.condition.take(),
            classes: ClassPattern {
                annotation: None,
                flags: FlagPattern::default(),
                names: Vec::new(),
                extends: None,
                members: Vec::new(),
            },
            place: self.place(span),
        };
        while self.eat(",") {
            let modifier = self.next("a modifier")?;
            match modifier.text.as_str() {
                "allowshrinking" => rule.allow_shrinking = true,
                "allowoptimization" => rule.allow_optimization = true,
                "allowobfuscation" => rule.allow_obfuscation = true,
                "includedescriptorclasses" => rule.include_descriptor_classes = true,
                "includecode" => rule.include_code = true,
                // R8 has more, by which it may change what Planish does not.
                "allowaccessmodification"
                | "allowrepackage"
                | "allowannotationremoval"
                | "allowpermittedsubclassesremoval" => {}
                other => return Err((modifier.span, format!("`{other}` is no modifier of a keep rule"))),
            }
        }
        rule.classes = self.class_pattern()?;
        self.configuration.keep.push(rule);
        Ok(true)
    }

    /// The next word if it can be a name; what cannot be stays where it is.
    fn name_word(&mut self, expected: &str) -> Parsed<Word> {
        let is_name = self.peek().is_some_and(|word| {
            word.quoted || !b"{}(),;!@=-".contains(word.text.as_bytes().first().unwrap_or(&b'{'))
        });
        match self.peek() {
            Some(_) if is_name => self.next(expected),
            Some(_) => Err((self.here(), format!("{expected} is expected here"))),
            None => Err((self.here(), format!("{expected} is missing at the end"))),
        }
    }

    fn name(&mut self, expected: &str) -> Parsed<NamePattern> {
        let word = self.name_word(expected)?;
        NamePattern::parse(&word.text).ok_or_else(|| (word.span, "a reference that does not end".into()))
    }

    fn type_pattern(&mut self) -> Parsed<TypePattern> {
        let word = self.name_word("a type")?;
        TypePattern::parse(&word.text).ok_or_else(|| (word.span, "a type is expected here".to_owned()))
    }

    fn name_list(&mut self) -> Parsed<Vec<(bool, NamePattern)>> {
        let mut list = Vec::new();
        while !self.is_option() {
            let positive = !self.eat("!");
            list.push((positive, self.name("a name")?));
            if !self.eat(",") {
                break;
            }
        }
        Ok(list)
    }

    /// A list of names, or, where there is none, any name.
    fn name_list_or_all(&mut self) -> Parsed<Vec<(bool, NamePattern)>> {
        let list = self.name_list()?;
        let all = || vec![(true, NamePattern::parse("**").expect("it has no reference"))];
        Ok(if list.is_empty() { all() } else { list })
    }

    /// `[@Annotation] [[!]flag...] [!](class|interface|enum|@interface) names [extends X] [{ members }]`
    fn class_pattern(&mut self) -> Parsed<ClassPattern> {
        let mut annotation = None;
        let mut flags = FlagPattern::default();
        loop {
            let negated = self.eat("!");
            if self.eat("@") {
                if self.eat("interface") {
                    self.add_flag(&mut flags, Flags::ANNOTATION | Flags::INTERFACE, negated);
                    break;
                }
                annotation = Some(self.name("an annotation")?);
                continue;
            }
            let word = self.next("`class`")?;
            let flag = match word.text.as_str() {
                "class" => break,
                "interface" => {
                    self.add_flag(&mut flags, Flags::INTERFACE, negated);
                    break;
                }
                "enum" => {
                    self.add_flag(&mut flags, Flags::ENUM, negated);
                    break;
                }
                "public" => Flags::PUBLIC,
                "final" => Flags::FINAL,
                "abstract" => Flags::ABSTRACT,
                "synthetic" => Flags::SYNTHETIC,
                other => return Err((word.span, format!("`class` is expected here, found `{other}`"))),
            };
            self.add_flag(&mut flags, flag, negated);
        }
        let mut names = Vec::new();
        loop {
            let positive = !self.eat("!");
            let word = self.peek().map(|word| word.text.clone());
            let name = self.name("the name of a class")?;
            // One star alone means any class, in whatever package.
            let any = || NamePattern::parse("**").expect("it has no reference");
            names.push((positive, if word.as_deref() == Some("*") { any() } else { name }));
            if !self.eat(",") {
                break;
            }
        }
        let mut extends = None;
        if self.eat("extends") || self.eat("implements") {
            let annotation = if self.eat("@") { Some(self.name("an annotation")?) } else { None };
            extends = Some((annotation, self.name("the name of a class")?));
        }
        let mut members = Vec::new();
        if self.eat("{") {
            while !self.eat("}") {
                members.push(self.member()?);
            }
        }
        Ok(ClassPattern { annotation, flags, names, extends, members })
    }

    fn add_flag(&self, flags: &mut FlagPattern, flag: Flags, negated: bool) {
        let visibility = Flags::PUBLIC | Flags::PRIVATE | Flags::PROTECTED;
        if negated {
            flags.unset = flags.unset | flag;
        } else if visibility.has(flag) {
            flags.visible = flags.visible | flag;
        } else {
            flags.set = flags.set | flag;
        }
    }

    fn member(&mut self) -> Parsed<MemberPattern> {
        let mut annotation = None;
        let mut flags = FlagPattern::default();
        loop {
            let negated = self.eat("!");
            if self.eat("@") {
                annotation = Some(self.name("an annotation")?);
                continue;
            }
            let flag = match self.peek().map(|word| word.text.as_str()) {
                Some("public") => Flags::PUBLIC,
                Some("private") => Flags::PRIVATE,
                Some("protected") => Flags::PROTECTED,
                Some("static") => Flags::STATIC,
                Some("final") => Flags::FINAL,
                Some("abstract") => Flags::ABSTRACT,
                Some("synchronized") => Flags::SYNCHRONIZED,
                Some("volatile") => Flags::VOLATILE,
                Some("transient") => Flags::TRANSIENT,
                Some("native") => Flags::NATIVE,
                Some("strictfp") => Flags::STRICT,
                Some("synthetic") => Flags::SYNTHETIC,
                Some("bridge") => Flags::BRIDGE,
                Some("varargs") => Flags::VARARGS,
                _ if negated => return Err((self.here(), "a flag is expected after `!`".into())),
                _ => break,
            };
            self.at += 1;
            self.add_flag(&mut flags, flag, negated);
        }
        let first = self.name_word("a member")?;
        let alone = self.is(";");
        let kind = match first.text.as_str() {
            "*" if alone => MemberShape::Any,
            "<fields>" => MemberShape::Fields,
            "<methods>" => MemberShape::Methods,
            _ if self.is("(") => {
                // A constructor, by `<init>` or by the name of its class.
                let name = NamePattern::parse("<init>").expect("it has no reference");
                MemberShape::Method(TypePattern::Letter(b'V', 0), name, self.parameters()?)
            }
            text => {
                let ty = TypePattern::parse(text)
                    .ok_or_else(|| (first.span, "a type is expected here".to_owned()))?;
                let name = self.name("the name of a member")?;
                match self.is("(") {
                    true => MemberShape::Method(ty, name, self.parameters()?),
                    false => MemberShape::Field(ty, name),
                }
            }
        };
        let mut value = None;
        if self.eat("=") || self.eat("return") {
            let mut text = String::new();
            while !self.is(";") {
                text += &self.next("a value")?.text;
            }
            value = Some(text);
        }
        self.demand(";")?;
        Ok(MemberPattern { annotation, flags, kind, value })
    }

    /// `( types )`, or `None` for `(...)`.
    fn parameters(&mut self) -> Parsed<Option<Vec<TypePattern>>> {
        self.demand("(")?;
        if self.eat("...") {
            self.demand(")")?;
            return Ok(None);
        }
        let mut types = Vec::new();
        while !self.eat(")") {
            types.push(self.type_pattern()?);
            if !self.is(")") {
                self.demand(",")?;
            }
        }
        Ok(Some(types))
    }
}

/// What is wrong with the name of a package into which classes are to go; the empty one is the default package.
fn no_package(name: &str) -> Option<String> {
    let mut parts = name.split(['.', '/']);
    if parts.clone().next() == Some("java") {
        return Some(format!(
            "the JVM lets nobody put a class into `{name}`: packages of `java` are its own"
        ));
    }
    let is_part = |part: &str| !part.is_empty() && !part.contains(|c: char| ";[<>:*?!,".contains(c));
    (!name.is_empty() && !parts.all(is_part)).then(|| format!("`{name}` is no name of a package"))
}
