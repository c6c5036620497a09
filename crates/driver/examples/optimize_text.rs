//! Embedding the middle end for programs that are texts: read, optimize, ask why, write in another dialect.
//!
//!     cargo run -p planish-driver --example optimize_text
//!
//! Who records programs while they run embeds `planish-trace` instead, in Rust or in C.

use planish_driver::{Dialect, EngineChoice, Reading, Session, Settings, Writing, explain};

const PROGRAM: &str = "\
function -> a b
  * a 2 -> x
  - x b -> d
  + d b -> r
  return r
";

fn main() -> Result<(), String> {
    let mut session = Session::open("program.tac", PROGRAM.into(), Dialect::Tac, Reading::default())?;
    let settings = Settings { log: true, engine: EngineChoice::Egraph, ..Settings::default() };
    let outcome = session.optimize(&settings)?;
    let rule = |number: u32| {
        let rule = &planish_book::RULES[number as usize];
        (rule.name.to_owned(), format!("{}:{}", rule.file, rule.line))
    };
    print!("{}", explain::lines(explain::remarks(&outcome.record, &outcome.names), &rule));
    let bytes = session.write(Dialect::Ssa, Writing::default())?;
    print!("{}", String::from_utf8_lossy(&bytes));
    Ok(())
}
