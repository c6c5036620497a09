//! Programs to start from: those of the folder `examples`, and rules that are right and wrong.

use planish_driver::Dialect;
use serde_json::{Value, json};

/// A program to start from.
pub(crate) struct Example {
    /// Its file in the folder.
    pub(crate) name: &'static str,
    pub(crate) dialect: Dialect,
    pub(crate) program: &'static str,
    pub(crate) rules: &'static str,
    /// What it is run on.
    pub(crate) arguments: &'static str,
}

impl Example {
    const fn new(
        name: &'static str,
        dialect: Dialect,
        program: &'static str,
        arguments: &'static str,
    ) -> Example {
        Example { name, dialect, program, rules: "", arguments }
    }

    /// What the page needs of it.
    pub(crate) fn json(&self) -> Value {
        let Example { name, dialect, program, rules, arguments } = self;
        json!({
            "name": name, "dialect": dialect.name(), "program": program, "rules": rules, "arguments": arguments,
        })
    }
}

/// A file of the folder.
macro_rules! file {
    ($name:literal) => {
        include_str!(concat!("../../../examples/", $name))
    };
}

/// All of them, the first of which the page opens with.
pub(crate) const EXAMPLES: [Example; 11] = [
    Example::new("blend.ssa", Dialect::Ssa, file!("blend.ssa"), "5 7 20"),
    Example::new("power.ssa", Dialect::Ssa, file!("power.ssa"), "3 5"),
    Example::new("toy/running.ssa", Dialect::Ssa, file!("toy/running.ssa"), "3 5"),
    Example::new("power.tac", Dialect::Tac, file!("power.tac"), "3 5"),
    Example::new("distance.cfg", Dialect::Tac, file!("distance.cfg"), "3 8"),
    Example::new("power.rvsdg", Dialect::Rvsdg, file!("power.rvsdg"), "3 5"),
    Example::new("squares.bril", Dialect::Bril, file!("squares.bril"), "5"),
    Example::new("doubled.bril.json", Dialect::BrilJson, file!("doubled.bril.json"), "5"),
    Example::new("sum.trace", Dialect::Trace, file!("sum.trace"), ""),
    Example::new("logs/checksum.log", Dialect::PypyLog, file!("logs/checksum.log"), ""),
    Example {
        name: "rules, right and wrong",
        dialect: Dialect::Ssa,
        program: file!("toy/rules.ssa"),
        rules: file!("toy/two.rules"),
        arguments: "3 5",
    },
];
