//! The registry of passes for people: what `planish passes` prints, and the page `docs/passes.md`.

use std::fmt::Write;
use std::path::Path;

use planish_ir::Form;
use planish_opt::manager::registry;
use planish_opt::{Change, PassInfo};

use crate::by_themselves::of_classes;
use crate::dialect::Dialect;
use crate::evaluate;
use crate::reading::{Reading, Writing};
use crate::session::Session;
use crate::settings::Settings;

/// Every pass that there is, in the order of the registry.
pub fn infos() -> impl Iterator<Item = &'static PassInfo> {
    registry::infos().chain([&evaluate::PASS]).chain(of_classes())
}

/// The pass that is called by a name or an alias. Where two are, the first of the registry.
pub fn find(name: &str) -> Option<&'static PassInfo> {
    infos().find(|info| info.name == name).or_else(|| infos().find(|info| info.is_called(name)))
}

/// The names that are nearest to one that is no pass.
pub fn nearest(name: &str) -> Option<&'static str> {
    planish_base::spelling::closest(name, infos().map(|info| info.name))
}

/// A line a pass: its name, what it looks at, and its sentence.
pub fn list() -> String {
    let mut out = String::new();
    for info in infos() {
        let _ = writeln!(out, "{:<20} {:<9} {}", info.name, info.level.name(), info.sentence);
    }
    out
}

/// What is known of a pass, with a program before and after.
pub fn page(info: &PassInfo) -> String {
    let mut out = format!("{}\n\n  {}\n\n", info.name, info.sentence);
    for (what, value) in facts(info) {
        let _ = writeln!(out, "  {what:<12}{value}");
    }
    if let Some(Shown { passes, before, after }) = shown(info) {
        let indent = |text: &str| text.lines().map(|line| format!("    {line}\n")).collect::<String>();
        let _ = write!(out, "\n  before\n\n{}\n  after {passes}\n\n{}", indent(&before), indent(&after));
    }
    out
}

/// What is known of a pass, as rows of a name and a value.
fn facts(info: &PassInfo) -> Vec<(&'static str, String)> {
    let form = |form: &Form| match form {
        Form::Trace => "traces",
        Form::Cfg => "control-flow graphs",
        Form::Structured => "structured functions",
    };
    let list = |names: &[&str]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let takes: Vec<&str> = info.forms.iter().map(form).collect();
    let handlers = if info.handlers {
        "exception handlers as well"
    } else {
        "functions with exception handlers stay as they are"
    };
    let keeps = match info.changes {
        Change::Nothing => "all analyses",
        Change::Operations => "edges, dominators, loops",
        Change::Flow => "none, where it changes anything",
    };
    let mut rows = vec![
        ("looks at", info.level.name().to_owned()),
        ("takes", format!("{}; {handlers}", takes.join(", "))),
        ("asks for", list(info.analyses)),
        ("keeps", keeps.to_owned()),
    ];
    for option in info.options {
        rows.push(("option", format!("{}={}: {}", option.name, option.default, option.doc)));
    }
    if !info.aliases.is_empty() {
        rows.push(("also called", info.aliases.join(", ")));
    }
    rows.push(("source", info.source.to_owned()));
    rows.push(("tests", info.test.to_owned()));
    rows
}

/// An example of a pass at work.
struct Shown {
    passes: String,
    before: String,
    after: String,
}

/// The example of a pass, run: through the passes that its first line names, `# passes: a:b`, or the pass alone.
fn shown(info: &PassInfo) -> Option<Shown> {
    let planish_opt::Example { file, text: before } = info.example;
    let dialect = Dialect::of_path(Path::new(file))?;
    let named = before.lines().next()?.strip_prefix("# passes: ");
    let passes = named.unwrap_or(info.name).to_owned();
    let before = if named.is_some() { before.split_once('\n')?.1 } else { before };
    let mut session = Session::open(file, before.as_bytes().to_vec(), dialect, Reading::default()).ok()?;
    let settings = Settings { passes: Some(passes.clone()), ..Settings::default() };
    session.optimize(&settings).ok()?;
    let after = String::from_utf8(session.write(dialect, Writing::default()).ok()?).ok()?;
    Some(Shown { passes, before: before.to_owned(), after })
}

/// The page of all passes, as Markdown.
pub fn catalogue() -> String {
    let mut out = String::from(
        "# The passes\n\n<!-- Made from the registry: BLESS=1 cargo test -p planish-cli --test generated_docs -->\n\n\
         Every pass, in the order of the registry. A pipeline names them, divided by colons, each with its options behind\n\
         commas: `planish opt --passes intbounds:rewrite:pure:dead:loop-unroll,rounds=4 FILE`. `planish passes show NAME`\n\
         prints what is here about one of them. Those that look at a body or a program are of class files: no pipeline names\n\
         them, they run where class files are optimized, and `-optimizations` leaves some out\n\
         ([jvm.md](jvm.md#proguards-configuration)). What those over traces do is shown at length in\n\
         [trace-passes.md](trace-passes.md).\n\n| pass | looks at | what it is |\n|---|---|---|\n",
    );
    for info in infos() {
        let _ = writeln!(out, "| [`{0}`](#{0}) | {1} | {2} |", info.name, info.level.name(), info.sentence);
    }
    for info in infos() {
        let _ = write!(out, "\n## {}\n\n{}\n\n", info.name, info.sentence);
        for (what, value) in facts(info) {
            let _ = writeln!(out, "- {what}: {value}");
        }
        if let Some(Shown { passes, before, after }) = shown(info) {
            let _ = write!(out, "\n```text\n{before}```\n\nbecomes by `{passes}`\n\n```text\n{after}```\n");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_is_changed_by_its_pass() {
        for info in infos().filter(|info| !info.example.file.is_empty()) {
            let shown = shown(info).unwrap_or_else(|| panic!("the example of {} does not run", info.name));
            assert_ne!(shown.before.trim(), shown.after.trim(), "{}", info.name);
        }
    }
}
