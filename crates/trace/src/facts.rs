//! Facts that stand beside a log: what functions read and write, by their names.
//!
//! A log prints of a call what the function is called, whether it may raise and whether it may come back to the interpreter,
//! but not which fields it reads and writes, which PyPy knows. Of functions of RPython's runtime, which are in every
//! interpreter that RPython makes and which are known by their names there, it is a matter of their source
//! (`runtime.facts`); of those of an interpreter whoever wrote it may say so in a file of the same form, a fact a line:
//!
//! ```text
//! function NAME [args=ARGUMENTS] reads=MEMORY,.. writes=MEMORY,..   # a comment
//! ```
//!
//! A name is what stands in `ConstClass(NAME)`; `*` at its end stands for any rest. `args` are the letters that the
//! descriptor has for the arguments. Memory is a field (`list.items`), all fields of a structure (`list.*`), also where it is
//! an item of an array, the items of arrays (`Array*`, `ArrayP 8` without the space: `ArrayP8`), or the characters of strings
//! (`str`, `unicode`). `*` alone is everything. A function that is listed invalidates nothing that a guard watches.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{Arc, LazyLock};

use hashbrown::HashMap;
use planish_base::diag::{Diagnostic, Diagnostics, SourceText, Span};
use rustc_hash::FxBuildHasher;

use crate::opcode::{Lift, Opcode};
use crate::text::{Arg, OpData, Text, Texts, Trace};

/// What is known of functions by their names.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Facts {
    functions: HashMap<String, Vec<Function>, FxBuildHasher>,
    /// Those of whose name only the beginning is said, and how it begins.
    beginnings: Vec<(String, Function)>,
}

/// What a function reads and writes.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Function {
    /// The letters of its arguments; any without it.
    args: Option<String>,
    /// `None` is everything.
    reads: Option<Vec<String>>,
    writes: Option<Vec<String>>,
}

static RUNTIME: LazyLock<Arc<Facts>> = LazyLock::new(|| {
    let (facts, diagnostics) = Facts::read(&SourceText::new("runtime.facts", include_str!("runtime.facts")));
    debug_assert!(diagnostics.is_empty(), "the facts about RPython's runtime can be read");
    Arc::new(facts)
});

impl Facts {
    /// What is known of RPython's runtime.
    pub fn runtime() -> Arc<Facts> {
        Arc::clone(&RUNTIME)
    }

    /// Reads a file of facts. O(length).
    pub fn read(source: &SourceText) -> (Facts, Diagnostics) {
        let (mut facts, mut diagnostics) = (Facts::default(), Diagnostics::new());
        let mut begin = 0;
        for line in source.text().split_inclusive('\n') {
            let fact = line.split('#').next().unwrap_or_default();
            let at = begin + (fact.len() - fact.trim_start().len());
            if let Err(message) = facts.line(fact.trim()) {
                let error = Diagnostic::error(Span::new(at..at + fact.trim().len()), message);
                diagnostics.push(error.note(FORM));
            }
            begin += line.len();
        }
        (facts, diagnostics)
    }

    /// Adds what is known besides; where both know a function, `more` is right.
    pub fn extend(&mut self, more: Facts) {
        self.functions.extend(more.functions);
        self.beginnings.splice(0..0, more.beginnings);
    }

    fn line(&mut self, fact: &str) -> Result<(), String> {
        let mut words = fact.split_whitespace();
        let Some(word) = words.next() else { return Ok(()) };
        if word != "function" {
            return Err(format!("`{word}` is no kind of fact"));
        }
        let name = words.next().ok_or("a function has no name")?;
        let (mut args, mut reads, mut writes) = (None, None, None);
        for word in words {
            let (key, value) =
                word.split_once('=').ok_or_else(|| format!("`{word}` says nothing of a function"))?;
            let twice = match key {
                "args" if value.bytes().all(|letter| b"irfLS".contains(&letter)) => {
                    args.replace(value.to_owned()).is_some()
                }
                "reads" => reads.replace(memory(value)?).is_some(),
                "writes" => writes.replace(memory(value)?).is_some(),
                _ => return Err(format!("`{word}` says nothing of a function")),
            };
            if twice {
                return Err(format!("`{key}` is said twice"));
            }
        }
        let (Some(reads), Some(writes)) = (reads, writes) else {
            return Err(format!("of `{name}` must be said what it reads and what it writes"));
        };
        let function = Function { args, reads, writes };
        match name.strip_suffix('*') {
            Some("") => return Err("`*` would be every function".to_owned()),
            Some(beginning) => self.beginnings.push((beginning.to_owned(), function)),
            None => self.functions.entry(name.to_owned()).or_default().push(function),
        }
        Ok(())
    }

    /// What is known of a function that is called by a printed descriptor.
    fn function(&self, name: &str, descr: &str) -> Option<&Function> {
        let args = arguments(descr)?;
        let fits = |function: &&Function| function.args.as_ref().is_none_or(|letters| letters == args);
        let exact = self.functions.get(name).into_iter().flatten().find(fits);
        let begins = self.beginnings.iter().filter(|(beginning, _)| name.starts_with(beginning.as_str()));
        exact.or_else(|| begins.map(|(_, function)| function).find(fits))
    }
}

const FORM: &str = "it is written `function NAME [args=ARGUMENTS] reads=MEMORY,.. writes=MEMORY,..`";

/// The memory that a list names; `None` is all.
fn memory(list: &str) -> Result<Option<Vec<String>>, String> {
    let names: Vec<String> = list.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect();
    let known = |name: &str| name.starts_with("Array") || name.contains('.') || CHARACTERS.contains(&name);
    match names.iter().find(|name| *name != "*" && !known(name)) {
        Some(name) => Err(format!("`{name}` is no field, no items of arrays and no characters")),
        None if names.iter().any(|name| name == "*") => Ok(None),
        None => Ok(Some(names)),
    }
}

const CHARACTERS: [&str; 2] = ["str", "unicode"];

const DICTIONARIES: [&str; 3] = ["dicttable.*", "odictentry.*", "ArrayU*"];

/// The letters of the arguments in `<Callv 0 rii EF=5>`, if which memory the call touches is not printed.
fn arguments(descr: &str) -> Option<&str> {
    let mut words = descr.strip_prefix("<Call")?.strip_suffix('>')?.split(' ').skip(2);
    let letters = words.next()?;
    let rest = words.next();
    // A call without arguments has two spaces there.
    matches!(rest, Some("EF=2" | "EF=5")).then_some(letters)
}

/// The facts about functions, in terms of the descriptors of one log.
#[derive(Default, Debug)]
pub(crate) struct Known {
    facts: Arc<Facts>,
    /// The descriptors of fields and items that the log prints, by what facts call them.
    places: BTreeMap<String, Vec<String>>,
}

/// The memory that a call reads and writes, by the texts of descriptors; `None` is all.
pub(crate) struct Touched {
    pub reads: Option<Vec<String>>,
    pub writes: Option<Vec<String>>,
}

impl Known {
    /// Looks at the descriptors of a log. O(texts).
    pub fn of(facts: Arc<Facts>, texts: &Texts) -> Known {
        let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (_, text) in texts.iter() {
            if let Some(name) = place(text) {
                places.entry(name).or_default().push(text.clone());
            }
        }
        for characters in CHARACTERS {
            places.insert(characters.to_owned(), vec![characters.to_owned()]);
        }
        Known { facts, places }
    }

    /// Whether it is known what a function does that is called by a descriptor.
    fn knows(&self, function: &str, descr: &str) -> bool {
        self.facts.function(function, descr).is_some()
    }

    /// Of how many calls of a trace it is known what they do.
    pub fn calls(&self, trace: &Trace, texts: &Texts) -> usize {
        trace.ops.iter().filter(|op| self.knows_call(trace, op, texts)).count()
    }

    /// Whether an operation is a call of which it is known what it does.
    pub fn knows_call(&self, trace: &Trace, op: &OpData, texts: &Texts) -> bool {
        let function = called(trace, op).zip(op.descr);
        function.is_some_and(|(function, descr)| self.knows(texts.get(function), texts.get(descr)))
    }

    /// What a function reads and writes that is called by a descriptor.
    pub fn touched(&self, function: &str, descr: &str) -> Option<Touched> {
        let Function { reads, writes, .. } = self.facts.function(function, descr)?;
        let texts = |names: &Option<Vec<String>>| {
            names.as_ref().map(|names| names.iter().flat_map(|name| self.texts(name)).cloned().collect())
        };
        Some(Touched { reads: texts(reads), writes: texts(writes) })
    }

    /// All memory that the log has but some fields, by the texts of descriptors.
    pub fn all_but(&self, fields: &[&str]) -> Vec<String> {
        self.places.values().flatten().filter(|text| !fields.contains(&text.as_str())).cloned().collect()
    }

    /// The memory of dictionaries, by the texts of descriptors, of RPython's `rordereddict`: tables, their entries, and the
    /// numbers of these by hash. `None` where no log says which there are.
    pub fn dictionaries(&self) -> Option<Vec<String>> {
        let texts = DICTIONARIES.iter().flat_map(|name| self.texts(name)).cloned().collect();
        (!self.places.is_empty()).then_some(texts)
    }

    /// The descriptors of the log that a name means.
    fn texts<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a String> {
        let beginning = name.strip_suffix('*');
        let from = beginning.unwrap_or(name);
        let means =
            move |key: &str| key == name || beginning.is_some_and(|beginning| key.starts_with(beginning));
        let range = self.places.range::<str, _>((Bound::Included(from), Bound::Unbounded));
        range.take_while(move |(key, _)| means(key)).flat_map(|(_, texts)| texts)
    }
}

/// The name of the function that an operation calls.
pub(crate) fn called(trace: &Trace, op: &OpData) -> Option<Text> {
    let opcode = op.opcode.filter(|opcode: &Opcode| opcode.row().lift == Lift::Call)?;
    let condition = usize::from(opcode.name().starts_with("cond_call"));
    match trace.args(op).get(condition) {
        Some(&Arg::Class(name)) => Some(name),
        _ => None,
    }
}

/// What facts call a printed descriptor of a field, an item or a field of an item.
fn place(text: &str) -> Option<String> {
    let inner = text.strip_prefix('<')?.strip_suffix('>')?;
    if let Some(field) = inner.strip_prefix("InteriorFieldDescr ") {
        return place(field);
    }
    if let Some(field) = inner.strip_prefix("Field") {
        return field.split(' ').nth(1).map(str::to_owned);
    }
    inner.starts_with("Array").then(|| inner.replace(' ', ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(facts: &str) -> Known {
        let (facts, diagnostics) = Facts::read(&SourceText::new("t", facts));
        assert!(diagnostics.is_empty());
        let mut texts = Texts::default();
        for text in [
            "<FieldS list.length 8>",
            "<FieldP list.items 16>",
            "<FieldP listing.items 16>",
            "<InteriorFieldDescr <FieldP odictentry.value 8>>",
            "<ArrayU 2>",
            "<ArrayP 8>",
            "list.items",
        ] {
            texts.intern_str(text);
        }
        Known::of(Arc::new(facts), &texts)
    }

    #[test]
    fn names_mean_the_descriptors_of_a_log() {
        let of = |name: &str| {
            let known = known(&format!("function f reads={name} writes="));
            let touched = known.touched("f", "<Callv 0 r EF=5>").unwrap();
            assert_eq!(touched.writes, Some(Vec::new()));
            touched.reads.map(|texts| texts.join(" "))
        };
        assert_eq!(of("list.items").unwrap(), "<FieldP list.items 16>");
        assert_eq!(of("list.*").unwrap(), "<FieldP list.items 16> <FieldS list.length 8>");
        assert_eq!(of("odictentry.value").unwrap(), "<InteriorFieldDescr <FieldP odictentry.value 8>>");
        assert_eq!(of("Array*").unwrap(), "<ArrayP 8> <ArrayU 2>");
        assert_eq!(of("ArrayU2").unwrap(), "<ArrayU 2>");
        assert_eq!(of("str,other.field").unwrap(), "str");
        assert_eq!(of("*"), None);
    }

    #[test]
    fn a_function_is_known_by_its_name_and_its_arguments() {
        let known = known("function f_* args=rr reads= writes=\nfunction f_long reads= writes= # all\n");
        assert!(known.knows("f_x", "<Callv 0 rr EF=5>"));
        assert!(!known.knows("f_x", "<Callv 0 r EF=5>"));
        assert!(known.knows("f_long", "<Callv 0 r EF=2>"));
        // What may come back to the interpreter does more than the function itself.
        assert!(!known.knows("f_long", "<Callv 0 r EF=6>"));
        assert!(!known.knows("g", "<Callv 0 rr EF=5>"));
    }

    #[test]
    fn what_is_no_fact_is_refused_with_its_place() {
        let refused = |line: &str, message: &str| {
            let source = SourceText::new("f.facts", format!("# facts\n  {line}\n"));
            let (_, diagnostics) = Facts::read(&source);
            let shown = diagnostics.render(&source);
            assert!(shown.contains(message) && shown.contains("f.facts:2:3"), "{shown}");
        };
        refused("class A", "`class` is no kind of fact");
        refused("function", "a function has no name");
        refused("function f reads=list.items", "must be said what it reads and what it writes");
        refused("function f reads=items writes=", "`items` is no field");
        refused("function f reads= reads= writes=", "`reads` is said twice");
        refused("function f args=x reads= writes=", "`args=x` says nothing");
        refused("function f pure reads= writes=", "`pure` says nothing");
        refused("function * reads= writes=", "every function");
    }

    #[test]
    fn facts_of_a_file_go_before_those_of_the_runtime() {
        let mut facts = Facts::clone(&Facts::runtime());
        let name = "_ll_strhash__rpy_stringPtr";
        let descr = "<Calli 8 r EF=5>";
        assert!(facts.function(name, descr).unwrap().reads.is_some());
        let text = format!("function {name} reads=* writes=*");
        facts.extend(Facts::read(&SourceText::new("t", text)).0);
        assert!(facts.function(name, descr).unwrap().reads.is_none());
        assert!(facts.function("ccall_pow", "<Callf 8 ff EF=2>").is_some());
        assert!(facts.function("ccall_pow", "<Callf 8 fi EF=2>").is_none());
    }
}
