//! A second run of the optimizer leaves what the first one wrote as it is.
//!
//! What a run leaves for the next one is work that it could have done, or a choice that depends on how a program is
//! written: in what order its blocks stand, which of two equal values has which name.

use arbitrary::{Result, Unstructured};
use planish_driver::{Dialect, Reading, Session, Settings, Writing};
use planish_filetest::generate::{self, Options};
use planish_ir::text;

use crate::{calls, cells, closures, regions};

/// A generator of programs, which are texts of a dialect.
pub struct Generator {
    /// Its name.
    pub name: &'static str,
    /// The dialect.
    pub dialect: Dialect,
    make: Make,
}

enum Make {
    Text(fn(&mut Unstructured<'_>) -> Result<String>),
    Functions(Options),
}

impl Generator {
    /// The program that a seed makes, if its data is enough for one.
    pub fn program(&self, seed: u64) -> Option<String> {
        match self.make {
            Make::Text(make) => {
                let data = generate::bytes(seed, 600 * (1 + seed as usize % 16) / 16);
                make(&mut Unstructured::new(&data)).ok()
            }
            Make::Functions(options) => {
                Some(text::write(&generate::from_seed(seed, options), text::Options::default()))
            }
        }
    }
}

/// All generators of programs that are texts.
pub fn generators() -> Vec<Generator> {
    let text = |name, dialect, make| Generator { name, dialect, make: Make::Text(make) };
    let functions =
        |(name, options)| Generator { name, dialect: Dialect::Ssa, make: Make::Functions(options) };
    let mut all = vec![
        text("cells", Dialect::Ssa, |u| Ok(text::write(&cells::module(u)?, text::Options::default()))),
        text("statements", Dialect::Tac, regions::program),
        text("calls of regions", Dialect::Rvsdg, calls::program),
        text("closures", Dialect::Rvsdg, closures::program),
    ];
    all.extend(Options::KINDS.map(functions));
    all
}

/// What a run makes of a program; the error says why it is refused.
pub fn optimized(program: &str, dialect: Dialect) -> std::result::Result<String, String> {
    let mut session = Session::open("p", program.into(), dialect, Reading::default())?;
    session.optimize(&Settings::default())?;
    let written = session.write(dialect, Writing::default())?;
    Ok(String::from_utf8(written).expect("text is UTF-8"))
}

/// What the first run and the second make of a program, if that is not the same; programs that are refused have none.
pub fn differs(program: &str, dialect: Dialect) -> Option<[String; 2]> {
    let first = optimized(program, dialect).ok()?;
    let second = optimized(&first, dialect).unwrap_or_else(|why| panic!("{why}\n{program}\nbecame\n{first}"));
    (first != second).then_some([first, second])
}
