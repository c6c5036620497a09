//! What is asked: a program, rules, and how it is to be optimized.

use planish_driver::{Dialect, EngineChoice};
use serde_json::Value;

/// So many bytes of a program are taken; a larger one is no text that is typed.
pub const MOST_PROGRAM: usize = 1 << 20;

/// So many bytes of rules are taken.
const MOST_RULES: usize = 64 << 10;

/// A program and rules.
pub(crate) struct Input {
    pub(crate) program: String,
    pub(crate) dialect: Dialect,
    pub(crate) rules: String,
    pub(crate) engine: EngineChoice,
    /// A pipeline in place of the dialect's own.
    pub(crate) passes: Option<String>,
    /// The dialect of the result, if it is another.
    pub(crate) to: Dialect,
    /// The function that is run, if it is not the first.
    pub(crate) function: Option<String>,
    /// What it is run on; what suits its parameters if there are none.
    pub(crate) arguments: Vec<String>,
}

impl Input {
    /// What a request says. The error says what of it cannot be taken.
    pub(crate) fn of(request: &Value) -> Result<Input, String> {
        let text = |name: &str| request.get(name).and_then(Value::as_str).unwrap_or_default();
        let some = |name: &str| Some(text(name).trim()).filter(|text| !text.is_empty()).map(str::to_owned);
        for (name, most) in [("program", MOST_PROGRAM), ("rules", MOST_RULES)] {
            let size = text(name).len();
            if size > most {
                let limit = most >> 10;
                let has = if name.ends_with('s') { "have" } else { "has" };
                return Err(format!(
                    "error: the {name} {has} {size} bytes, and this page takes {limit} KiB; `planish opt` and `planish report` \
                     take files of any size"
                ));
            }
        }
        let dialect: Dialect = text("dialect").parse()?;
        Ok(Input {
            program: text("program").to_owned(),
            dialect,
            rules: text("rules").to_owned(),
            engine: match text("engine") {
                "" | "linear" => EngineChoice::Linear,
                "egraph" => EngineChoice::Egraph,
                other => return Err(format!("error: `{other}` is no engine; there are linear and egraph")),
            },
            passes: some("passes"),
            to: some("to").map_or(Ok(dialect), |to| to.parse())?,
            function: some("function"),
            arguments: text("arguments").split_whitespace().map(str::to_owned).collect(),
        })
    }

    /// The name under which messages speak of the program.
    pub(crate) fn name(&self) -> String {
        format!("program.{}", self.dialect.extensions()[0])
    }
}
