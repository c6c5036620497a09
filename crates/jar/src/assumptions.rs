//! What the optimizer of jars takes for granted, and what each assumption allowed.
//!
//! A program may look at more than its results: at the frames of its own stack, at the texts of exceptions that the
//! JVM makes, at the stack running out. Who keeps all of it keeps every call and most bodies, so what hardly a program
//! looks at is taken for granted, by name. If nothing is said, that is all of it; `--assume returns,frames` takes some
//! of it, and `--strict` nothing.
//!
//! - *returns*: a call without effects returns, and does not exhaust the stack. It need not be made for a result that
//!   nobody uses, may be made later, and a recursion may become a loop.
//! - *frames*: nobody counts frames of a stack trace or asks which method they are of: bodies stand in the place of
//!   calls, variants of methods are called, and one of several equal methods stays.
//! - *messages*: what the JVM says where an object is null may change: since Java 14 it names the method, field or
//!   local variable that gave it. Without this one, bodies of which it might say so keep their bytes, and no call leads
//!   elsewhere, since texts name methods.

use std::fmt::Write as _;

use crate::outcome::ClassOutcome;
use crate::programs::outcome::ShrinkOutcome;

/// The names of the assumptions that made a difference, as `--assume` has them.
pub fn names(shrunk: Option<&ShrinkOutcome>, optimized: &ClassOutcome) -> Vec<String> {
    let lines = summary(shrunk, optimized);
    let name = |line: &str| Some(line.strip_prefix("assumed ")?.split_once(':')?.0.to_owned());
    lines.lines().filter_map(name).collect()
}

/// The assumptions that made a difference, one a line, each with what it allowed.
pub fn summary(shrunk: Option<&ShrinkOutcome>, optimized: &ClassOutcome) -> String {
    let report = &optimized.methods;
    let (pure, merged) = shrunk.map_or((0, 0), |outcome| (outcome.pure, outcome.merged));
    let calls = report.inlined + report.redirected + report.did.direct;
    let loops = report.did.loops;
    let mut text = String::new();
    if pure > 0 {
        let _ = writeln!(
            text,
            "assumed returns: calls without effects return and do not exhaust the stack (of {pure} methods)"
        );
    }
    if calls + loops + merged > 0 {
        let _ = writeln!(
            text,
            "assumed frames: nobody asks a stack trace who was called ({calls} calls that lead elsewhere, {loops} \
             recursions that are loops, {merged} methods that did the same)"
        );
    }
    if report.speaking > 0 {
        let _ = writeln!(
            text,
            "assumed messages: what the JVM says where an object is null may change (in {} better bodies)",
            report.speaking
        );
    }
    text
}
