//! More iterations in one: the body is repeated with what the jump passes on.

use super::Loop;
use super::instr::{Renaming, renamed};
use super::shape::Item;
use crate::text::{Arg, Text};

/// Repeats the body so many times behind itself. Guards that look at the whole world are checked once.
pub(super) fn repeat(loop_: &mut Loop, times: usize, item: &dyn Fn(Text) -> Option<Item>) {
    let body = loop_.ops.clone();
    let passed = loop_.jump.args.clone();
    let mut renaming = Renaming::default();
    for _ in 0..times {
        let next: Vec<Arg> = passed.iter().map(|&arg| renamed(arg, &renaming)).collect();
        for (&param, arg) in loop_.label.iter().zip(next) {
            if let Arg::Var(param) = param {
                renaming.insert(param, arg);
            }
        }
        for op in &body {
            if matches!(op.name(), "guard_future_condition" | "guard_not_invalidated") {
                continue;
            }
            let mut copy = op.clone();
            copy.rename(&renaming);
            if let Some(result) = copy.result {
                let fresh = loop_.fresh_like(result);
                renaming.insert(result, Arg::Var(fresh));
                copy.result = Some(fresh);
            }
            loop_.ops.push(copy);
        }
    }
    loop_.jump.args = passed.iter().map(|&arg| renamed(arg, &renaming)).collect();
    loop_.measure(item);
}
