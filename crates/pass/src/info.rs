//! The row of a pass in the registry: what it is called, what it takes, what it changes.

use planish_ir::Form;

/// What a pass changed, or changes at most. What looks at less than that stays valid: see
/// [`Analysis::LOOKS_AT`](crate::Analysis::LOOKS_AT).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Change {
    /// Nothing.
    #[default]
    Nothing,
    /// Operations and values. Blocks and edges are what they were.
    Operations,
    /// The control flow, too.
    Flow,
}

impl Change {
    /// `self` if something was changed, else nothing.
    #[must_use]
    pub fn when(self, changed: bool) -> Change {
        if changed { self } else { Change::Nothing }
    }
}

/// What a pass looks at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// A part of the engine's walk: neighbours in a pipeline are one walk.
    Walk,
    /// One function.
    Function,
    /// A module: all functions of a program and its call graph.
    Module,
    /// A lifted method body, with the constants of its class.
    Body,
    /// A program of class files.
    Program,
}

impl Level {
    /// The name in listings.
    pub const fn name(self) -> &'static str {
        match self {
            Level::Walk => "walk",
            Level::Function => "function",
            Level::Module => "module",
            Level::Body => "body",
            Level::Program => "program",
        }
    }
}

/// A number that a pass can be given in a pipeline: `loop-unroll,rounds=4`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PassOption {
    /// The name in pipelines.
    pub name: &'static str,
    /// What it is where nothing is said.
    pub default: u64,
    /// What it is, for people, with the unit.
    pub doc: &'static str,
}

impl PassOption {
    /// An option.
    pub const fn new(name: &'static str, default: u64, doc: &'static str) -> PassOption {
        PassOption { name, default, doc }
    }
}

/// A program that shows what a pass does. Where it takes more than the pass to see that, the first line says through
/// which passes it goes: `# passes: a:b`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Example {
    /// The name of its file, whose ending tells the dialect.
    pub file: &'static str,
    /// The text.
    pub text: &'static str,
}

impl Example {
    /// There is none.
    pub const NONE: Example = Example { file: "", text: "" };
}

/// What the registry says of a pass.
#[derive(Clone, Copy, Debug)]
pub struct PassInfo {
    /// The name in pipelines, statistics and remarks: the standard term.
    pub name: &'static str,
    /// Other names that pipelines accept.
    pub aliases: &'static [&'static str],
    /// One sentence that begins with the standard term.
    pub sentence: &'static str,
    /// Where the algorithm is from.
    pub source: &'static str,
    /// What it looks at.
    pub level: Level,
    /// The forms that it takes and leaves as they were; any other is refused.
    pub forms: &'static [Form],
    /// Whether it takes functions whose exits go to handlers. Without it, those stay as they are: what an exit passes to
    /// its handler is not an edge that can be split or copied.
    pub handlers: bool,
    /// What it changes at most. The analyses that look at less are kept.
    pub changes: Change,
    /// The analyses that it asks for, by name.
    pub analyses: &'static [&'static str],
    /// What it can be told.
    pub options: &'static [&'static PassOption],
    /// A program that shows what it does.
    pub example: Example,
    /// Where its tests are, from the root of the repository.
    pub test: &'static str,
}

impl PassInfo {
    /// A pass over control-flow graphs that takes handlers, may change anything, and of which nothing else is said.
    pub const fn new(name: &'static str, sentence: &'static str) -> PassInfo {
        PassInfo {
            name,
            aliases: &[],
            sentence,
            source: "",
            level: Level::Function,
            forms: &[Form::Cfg],
            handlers: true,
            changes: Change::Flow,
            analyses: &[],
            options: &[],
            example: Example::NONE,
            test: "",
        }
    }

    /// Whether a pipeline that says `name` means this pass.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.aliases.contains(&name)
    }
}
