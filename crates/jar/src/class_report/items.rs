//! Packages, classes and methods as items of a report, read off the two archives.

use std::collections::{BTreeMap, BTreeSet};

use planish_base::Budget;
use planish_classfile::jar::Role;
use planish_classfile::listing::listing;
use planish_classfile::zip::{Archive, INFLATED_LIMIT};
use planish_classfile::{ClassFile, CodeBytes, Flags, Kind as Attribute, Opcode};
use planish_driver::explain::Remark;
use planish_driver::report::RuleNote;
use planish_jvm::transform::inline::{Replaced, Replacement};
use planish_opt::Kind;
use planish_report::{Cell, Change, Column, Item, Line, Note, Panel, Table, diff};

use crate::outcome::{ClassOutcome, MethodStory};
use crate::programs::outcome::ShrinkOutcome;

/// What the package without a name is called.
pub(super) const NO_PACKAGE: &str = "(no package)";

/// A run over a program of classes.
pub struct ClassRun<'a> {
    /// The input.
    pub before: &'a Archive,
    /// The result, by the names of the input.
    pub after: &'a Archive,
    /// The result as it is written, perhaps with new names.
    pub written: &'a Archive,
    /// What shrinking did, if it was wanted.
    pub shrunk: Option<&'a ShrinkOutcome>,
    /// What became of bodies, if they were to be optimized.
    pub optimized: Option<&'a ClassOutcome>,
}

/// Something before and after.
pub(super) type Sides = [Option<Class>; 2];

/// The classes of each package, by name.
pub(super) type Packages<'c> = BTreeMap<&'c str, Vec<(&'c str, &'c Sides)>>;

/// What a report says of a class on one side.
pub(super) struct Class {
    /// Bytes of the class file.
    pub size: u64,
    pub content: Vec<u8>,
    pub methods: BTreeMap<String, Method>,
    pub fields: BTreeSet<String>,
}

/// What a report says of a method on one side.
pub(super) struct Method {
    /// Bytes of code; 0 without a body.
    pub size: u64,
    pub instructions: u64,
    pub lines: Vec<String>,
}

/// The classes of an archive by name. Of entries with one name a JVM finds the last. A class file that cannot be read
/// was copied, and is shown without members.
pub(super) fn read(archive: &Archive) -> Result<BTreeMap<String, Class>, String> {
    let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
    let mut classes = BTreeMap::new();
    for entry in &archive.entries {
        let Role::Class { name, release: None } = Role::of(&entry.name) else { continue };
        let content = entry.content(&mut budget).map_err(|error| error.to_string())?.into_owned();
        let mut class = Class {
            size: content.len() as u64,
            methods: BTreeMap::new(),
            fields: BTreeSet::new(),
            content: Vec::new(),
        };
        if let Ok(file) = ClassFile::read(&content) {
            members(&file, &mut class);
        }
        class.content = content;
        classes.insert(String::from_utf8_lossy(name).into_owned(), class);
    }
    Ok(classes)
}

impl ClassRun<'_> {
    /// How many bytes the classes of the result have, by the names of the input, if they got new ones.
    pub(super) fn sizes(&self) -> Result<BTreeMap<String, u64>, String> {
        let Some(names) = self.shrunk.and_then(|shrunk| shrunk.names.as_ref()) else {
            return Ok(BTreeMap::new());
        };
        let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
        let mut written = BTreeMap::new();
        for entry in &self.written.entries {
            if let Role::Class { name, release: None } = Role::of(&entry.name) {
                let content = entry.content(&mut budget).map_err(|error| error.to_string())?;
                written.insert(name, content.len() as u64);
            }
        }
        let mut sizes = BTreeMap::new();
        for entry in &self.after.entries {
            if let Role::Class { name, release: None } = Role::of(&entry.name)
                && let Some(&size) = written.get(names.naming.class(name).unwrap_or(name))
            {
                sizes.insert(lossy(name), size);
            }
        }
        Ok(sizes)
    }
}

fn members(file: &ClassFile<'_>, class: &mut Class) {
    let text = |index| file.pool.utf8(index).map_or("?".into(), String::from_utf8_lossy);
    for field in &file.fields {
        class.fields.insert(format!("{}:{}", text(field.name), text(field.descriptor)));
    }
    for method in &file.methods {
        let name = format!("{}{}", text(method.name), text(method.descriptor));
        let without = |why: &str| Method { size: 0, instructions: 0, lines: vec![why.to_owned()] };
        let code = method.attribute(&file.pool, Attribute::Code);
        let bytes = code.and_then(|attribute| CodeBytes::read(&mut attribute.cursor()).ok());
        let method = match bytes.as_ref().map(|bytes| (bytes, listing(bytes, &file.pool))) {
            Some((bytes, Ok(lines))) => Method {
                size: bytes.code.len() as u64,
                instructions: bytes.instructions().take_while(Result::is_ok).count() as u64,
                lines,
            },
            Some((bytes, Err(error))) => {
                Method { size: bytes.code.len() as u64, ..without(&format!("malformed: {error}")) }
            }
            None if method.flags.has(Flags::NATIVE) => without("native"),
            None => without("abstract"),
        };
        class.methods.insert(name, method);
    }
}

/// The names of members that a class has on either side.
pub(super) fn selectors<'c, T: 'c>(
    sides: &'c Sides,
    of: impl Fn(&'c Class) -> &'c BTreeMap<String, T>,
) -> BTreeSet<&'c str> {
    sides.iter().flatten().flat_map(|class| of(class).keys().map(String::as_str)).collect()
}

/// What became of something that has these sides.
fn change<T>(sides: &[Option<T>; 2], same: impl Fn(&T, &T) -> bool) -> Change {
    match sides {
        [Some(before), Some(after)] if same(before, after) => Change::None,
        [Some(_), Some(_)] => Change::Changed,
        [None, Some(_)] => Change::New,
        _ => Change::Gone,
    }
}

fn of_class(sides: &Sides) -> Change {
    change(sides, |before, after| before.content == after.content)
}

/// A change in a word, for tables.
fn word(change: Change) -> Cell {
    text(match change {
        Change::None => "as it was",
        Change::New => "new",
        Change::Changed => "changed",
        Change::Gone => "removed",
        Change::Only => "only here",
    })
}

pub(super) fn text(text: impl Into<String>) -> Cell {
    Cell::Text(text.into())
}

pub(super) fn number(number: u64) -> Cell {
    Cell::Number(number as f64)
}

pub(super) fn table(title: &str, head: &[&str], rows: Vec<Vec<Cell>>) -> Table {
    let head = head.iter().map(|&name| name.to_owned()).collect();
    Table { title: title.to_owned(), head, rows, ..Table::default() }
}

fn size(side: &Option<Class>) -> u64 {
    side.as_ref().map_or(0, |class| class.size)
}

/// A package: its classes.
pub(super) fn package(name: &str, classes: &[(&str, &Sides)]) -> Item {
    let sum = |side: usize| classes.iter().map(|(_, sides)| size(&sides[side])).sum();
    let all = |wanted: Change| classes.iter().all(|(_, sides)| of_class(sides) == wanted);
    let change = [Change::None, Change::Gone, Change::New].into_iter().find(|&change| all(change));
    Item {
        name: if name.is_empty() { NO_PACKAGE.to_owned() } else { name.replace('/', ".") },
        before: sum(0),
        after: sum(1),
        change: change.unwrap_or(Change::Changed),
        panels: vec![Panel::Inside("Classes".into(), "bytes".into())],
        ..Item::default()
    }
}

/// The name of a class without its package.
fn simple(name: &str) -> &str {
    name.rsplit_once('/').map_or(name, |(_, simple)| simple)
}

/// Who tells why things are as they are.
pub(super) struct Teller<'a> {
    pub kept: Option<&'a BTreeMap<String, Vec<String>>>,
    pub stories: BTreeMap<&'a str, Vec<&'a MethodStory>>,
    pub rule: &'a dyn Fn(u32) -> RuleNote,
}

impl Teller<'_> {
    /// A class: why it is kept, its members.
    pub fn class(&self, name: &str, sides: &Sides) -> Item {
        let fields: BTreeSet<&String> = sides.iter().flatten().flat_map(|class| &class.fields).collect();
        let row = |field: &String| {
            let has =
                |side: &Option<Class>| side.as_ref().filter(|class| class.fields.contains(field)).map(|_| ());
            let sides = [has(&sides[0]), has(&sides[1])];
            vec![text(field), word(change(&sides, |(), ()| true))]
        };
        let fields = table("Fields", &["field", "what became of it"], fields.into_iter().map(row).collect());
        let mut panels: Vec<Panel> = self.why(name).into_iter().map(Panel::Table).collect();
        if sides.iter().flatten().any(|class| !class.methods.is_empty()) {
            panels.push(Panel::Inside("Methods".into(), "bytes of code".into()));
        }
        if !fields.rows.is_empty() {
            panels.push(Panel::Table(fields));
        }
        Item {
            name: simple(name).to_owned(),
            depth: 1,
            before: size(&sides[0]),
            after: size(&sides[1]),
            change: of_class(sides),
            panels,
            ..Item::default()
        }
    }

    /// Why a class or method is kept.
    fn why(&self, name: &str) -> Option<Table> {
        let lines = self.kept?.get(name)?;
        Some(table(
            "Why it is kept",
            &["from the nearest cause on"],
            lines.iter().map(|line| vec![text(line)]).collect(),
        ))
    }

    /// A method: what was done to it, its bytecode.
    pub fn method(&self, class: &str, selector: &str, sides: &Sides) -> Item {
        let method = [0, 1].map(|side| sides[side].as_ref().and_then(|c| c.methods.get(selector)));
        let change = change(&method, |before, after| before.lines == after.lines);
        let full = format!("{class}.{selector}");
        let stories = self.stories.get(full.as_str()).map_or(&[][..], Vec::as_slice);
        let mut columns = match method {
            [Some(before), Some(after)] if change == Change::Changed => beside(&before.lines, &after.lines),
            [Some(only), _] | [None, Some(only)] => {
                let title = match change {
                    Change::Gone => "before; it was removed",
                    Change::New => "after; it is new",
                    _ => "before and after",
                };
                vec![column(title, &only.lines, |_| Change::None)]
            }
            [None, None] => Vec::new(),
        };
        if let (Change::Changed, Some(before)) = (change, columns.first_mut()) {
            for call in stories.iter().flat_map(|told| &told.story.replaced) {
                let line = format!("{} {}", call.op, lossy(&call.call));
                let has_call = |shown: &&mut Line| shown.text.trim_start() == line && shown.notes.is_empty();
                if let Some(shown) = before.lines.iter_mut().find(has_call) {
                    shown.notes.push(Note { by: how(call).to_owned(), what: whom(call), ..Note::default() });
                }
            }
        }
        let mut tables: Vec<Table> = self.why(&full).into_iter().collect();
        tables.extend(self.deeds(stories));
        let size = |side: usize| method[side].map_or(0, |method| method.size);
        Item {
            name: selector.to_owned(),
            depth: 2,
            before: size(0),
            after: size(1),
            change,
            columns,
            panels: tables.into_iter().map(Panel::Table).collect(),
            ..Item::default()
        }
    }

    /// What was done to a body, in all rounds.
    fn deeds(&self, stories: &[&MethodStory]) -> Option<Table> {
        let mut deeds: BTreeMap<[String; 4], u64> = BTreeMap::new();
        let mut add = |what: &str, whom: String, times: u64| {
            if times > 0 {
                *deeds.entry([what.to_owned(), whom, String::new(), String::new()]).or_default() += times;
            }
        };
        for story in stories.iter().map(|told| &told.story) {
            if let Some(reason) = &story.refused {
                add("left as it is", reason.clone(), 1);
            }
            story.replaced.iter().for_each(|call| add(how(call), whom(call), 1));
            for (what, count) in counts(story) {
                add(what, String::new(), count);
            }
        }
        for remark in stories.iter().flat_map(|told| &told.remarks) {
            *deeds.entry(self.by(remark)).or_default() += 1;
        }
        let row = |([what, whom, place, proof], times): ([String; 4], u64)| {
            vec![text(what), text(whom), number(times), text(place), text(proof)]
        };
        let rows: Vec<_> = deeds.into_iter().map(row).collect();
        let head = ["what", "whom or how", "times", "written in", "proof"];
        (!rows.is_empty()).then(|| table("What was done", &head, rows))
    }

    /// Who made a rewrite: rule or kind, what it did, where the rule is written, how it is proved.
    pub fn by(&self, remark: &Remark) -> [String; 4] {
        let operation = remark.operation.map_or("", |op| op.name()).to_owned();
        match remark.kind {
            Kind::Rule(number) => {
                let RuleNote { name, place, proof } = (self.rule)(number);
                [format!("rule {name}"), operation, place, proof]
            }
            kind => [kind.name().to_owned(), operation, String::new(), String::new()],
        }
    }
}

/// What was done to a body besides calls, and how often.
pub(super) fn counts(story: &planish_jvm::bodies::Story) -> [(&'static str, u64); 8] {
    [
        ("value that the whole program makes a constant", story.did.constants),
        ("store that nobody reads, or object that nobody uses", story.did.unused),
        ("call of a lambda that calls what the lambda calls", story.did.direct),
        ("loop instead of a call of itself", story.did.loops),
        ("switch over an enum by its ordinal", story.did.ordinals),
        ("concatenation with constants in its recipe", story.did.concatenated),
        ("object that became its fields", story.did.replaced),
        ("call that moved to where its result is used", story.did.moved),
    ]
}

/// What became of a call.
pub(super) fn how(call: &Replaced) -> &'static str {
    match (matches!(call.op, Opcode::Invokevirtual | Opcode::Invokeinterface), call.how) {
        (false, Replacement::Body) => "inlined",
        (true, Replacement::Body) => "devirtualized and inlined",
        (false, Replacement::Variant) => "specialized",
        (true, Replacement::Variant) => "devirtualized and specialized",
        (_, Replacement::Precise) => "devirtualized",
    }
}

/// Where a call led, and what stands there now.
fn whom(call: &Replaced) -> String {
    let (named, by) = (lossy(&call.call), lossy(&call.by));
    if named == by { named } else { format!("{named}: {by}") }
}

pub(super) fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn column(title: &str, lines: &[String], change: impl Fn(usize) -> Change) -> Column {
    let line =
        |(at, text): (usize, &String)| Line { text: text.clone(), change: change(at), ..Line::default() };
    let lines = lines.iter().enumerate().map(line).collect();
    Column { title: title.to_owned(), lines, ..Column::default() }
}

/// Two bodies, with the lines marked that only one has.
fn beside(before: &[String], after: &[String]) -> Vec<Column> {
    let [old, new] =
        [before, after].map(|lines| lines.iter().map(|line| without_names(line)).collect::<Vec<_>>());
    let [mut stays, mut stood] = [vec![Change::Gone; before.len()], vec![Change::New; after.len()]];
    for (a, b) in diff::matched(&old, &new) {
        let same = is_jump(&before[a]) || before[a] == after[b];
        let change = if same { Change::None } else { Change::Changed };
        (stays[a], stood[b]) = (change, change);
    }
    vec![column("before", before, |at| stays[at]), column("after", after, |at| stood[at])]
}

/// Whether what may differ in a line is only the name of a label.
fn is_jump(line: &str) -> bool {
    line.split(' ').any(is_label)
}

fn is_label(word: &str) -> bool {
    let digits = word.trim_end_matches(':').strip_prefix('L');
    digits.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A line without the numbers of its labels, or of the local that it loads or stores.
fn without_names(line: &str) -> String {
    let (op, rest) = line.trim_start().split_once(' ').unwrap_or((line.trim_start(), ""));
    let plain = op.split('_').next().unwrap_or(op);
    let typed = plain.strip_prefix(['i', 'l', 'f', 'd', 'a']);
    if matches!(typed, Some("load" | "store")) {
        return plain.to_owned();
    }
    if is_jump(line) && !line.contains('"') {
        let words: Vec<&str> = rest.split(' ').map(|word| if is_label(word) { "L" } else { word }).collect();
        return format!("{} {}", if is_label(op) { "L:" } else { op }, words.join(" "));
    }
    line.trim_start().to_owned()
}
