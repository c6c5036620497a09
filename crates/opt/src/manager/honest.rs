//! Pass honesty (LLVM's `-verify-cfg-preserved`): what a pass did not ask for did not happen, and what it says it leaves alone
//! is as it was.
//!
//! The record, the fuel and the cached analyses all rest on that. So where the verifier runs, a function is held against
//! itself before each step: one that recorded nothing must leave everything as it was, and one that changes operations
//! only must leave blocks and edges.

use std::fmt::Write;

use planish_ir::{Cfg, Function, Terminator, Value};
use planish_pass::Change;

/// A function before a step.
pub(super) struct Honest {
    all: String,
    edges: String,
}

impl Honest {
    /// Remembers a function. O(its size).
    pub fn before(f: &Function) -> Honest {
        Honest { all: all(f), edges: edges(f) }
    }

    /// Panics when a step that changed so much at most changed more: that is a mistake of the step.
    pub fn after(&self, f: &Function, change: Change, step: &str) {
        let name = &f.name;
        if change == Change::Nothing {
            let now = all(f);
            assert!(self.all == now, "{step} changed `{name}` and recorded nothing:\n{}\n{now}", self.all);
        }
        if change < Change::Flow {
            assert!(self.edges == edges(f), "{step} changed the flow of `{name}` and does not say so");
        }
    }
}

/// Every block that can be reached, with its operations and values, by number.
fn all(f: &Function) -> String {
    let mut out = String::new();
    let list = |values: &[Value]| values.iter().map(|value| format!("{value} ")).collect::<String>();
    for &block in Cfg::new(f).order() {
        let _ = writeln!(out, "{block}({})", list(f.block_params(block)));
        for &inst in f.block_insts(block) {
            let data = f.inst(inst);
            let exit = data.exit.map(|exit| (f.exit(exit).target.clone(), list(f.exit_args(exit))));
            let args = list(f.args(inst));
            let _ = writeln!(out, "  {inst} {:?} {:?} {args} {exit:?}", data.op, data.descr);
        }
        let terminator = f.terminator(block);
        let returned = match terminator {
            Terminator::Return(results) => list(f.list(*results)),
            Terminator::Throw(thrown, exit) => format!("{thrown} {exit:?}"),
            _ => String::new(),
        };
        let calls: Vec<_> = terminator.calls().map(|call| (call.block, list(f.list(call.args)))).collect();
        let _ = writeln!(out, "  {:?} {calls:?} {returned}", terminator.condition());
    }
    out
}

/// The blocks that can be reached and their edges, in order.
fn edges(f: &Function) -> String {
    let mut out = String::new();
    for &block in Cfg::new(f).order() {
        let calls = f.block_calls(block).map(|call| call.block);
        let handlers = f.handlers(block).map(|(_, handler)| handler.block);
        let _ = writeln!(out, "{block}: {:?}", calls.chain(handlers).collect::<Vec<_>>());
    }
    out
}
