//! Traces as text, with the declarations that they stand under, through reader, passes and writer.

use arbitrary::{Result, Unstructured};
use planish_driver::{Dialect, Reading, Session, Writing};
use planish_filetest::bridges;
use planish_filetest::generate::trace::{self, Shape};
use planish_filetest::property::{Effort, optimized_trace_does_the_same, trace_ways};

/// Makes a trace from the data, and holds what becomes of it against it.
pub fn optimize(u: &mut Unstructured<'_>) -> Result<()> {
    let (kind, shape) = *u.choose(&Shape::ALL)?;
    let ways = trace_ways();
    let (way, settings) = u.choose(&ways)?;
    let world = u.arbitrary()?;
    let text = trace::text(u, shape)?;
    if let Err(why) = optimized_trace_does_the_same(&text, settings, world, Effort { tries: 4, fuel: 500 }) {
        panic!("{kind}, {way}: {why}");
    }
    Ok(())
}

/// Makes a trace and a bridge out of it from the data, and holds what that is told of its parent against runs.
pub fn bridge_is_told_the_truth(u: &mut Unstructured<'_>) -> Result<()> {
    let seed = u.arbitrary()?;
    if let Err(wrong) = bridges::held(u, seed)? {
        panic!("{wrong}");
    }
    Ok(())
}

/// Any text: what can be read is optimized, whatever its declarations say; the result verifies, and what is written
/// reads back.
pub fn survives(source: &str) {
    let open =
        |text: &str| Session::open("fuzz", text.as_bytes().to_vec(), Dialect::Trace, Reading::default());
    for (_, settings) in trace_ways() {
        let Ok(mut session) = open(source) else { return };
        // A loop may be refused; that is an answer.
        if session.optimize(&settings).is_err() {
            continue;
        }
        session.verify().unwrap_or_else(|found| panic!("{found}\n{source}"));
        // Sections of what was peeled, as PyPy's tests have them, name labels of each other by no token of their own.
        if settings.compat.is_some() && source.contains("unroll") {
            continue;
        }
        if let Ok(written) = session.write(Dialect::Trace, Writing::default()) {
            let written = String::from_utf8(written).expect("traces are text");
            if let Err(message) = open(&written) {
                panic!("{message}\n{source}\nbecame\n{written}");
            }
        }
    }
}
