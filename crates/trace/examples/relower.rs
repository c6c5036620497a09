//! Lifts every trace of logs and stand-alone files, lowers it again, and compares it with its text.
//!
//! `cargo run --release -p planish-trace-dialect --example relower -- FILE...` prints the first
//! difference of each trace that differs; `same_as` and offsets of machine code are expected to go.

use planish_base::{Diagnostics, Id, SourceText};
use planish_ir::Module;
use planish_trace_dialect::descr::Vocabulary;
use planish_trace_dialect::lift::{Lifter, Options};
use planish_trace_dialect::lower::{self, lower};
use planish_trace_dialect::opcode::Lift;
use planish_trace_dialect::text::{Arg, OpData, Texts, Trace};
use planish_trace_dialect::{pypylog, read, write};

fn main() {
    let (mut total, mut same) = (0, 0);
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path).expect("the file is there");
        let text = String::from_utf8(pypylog::unfold(bytes, None).expect("whole")).expect("UTF-8");
        let source = SourceText::new(path.clone(), text);
        let mut traces: Vec<(String, Trace)> = Vec::new();
        let is_log = path.contains(".log");
        let mut texts = if is_log {
            let (log, _) = pypylog::read(source);
            for (id, section) in log.sections.iter() {
                if let Some(trace) = &section.trace {
                    traces.push((format!("{path}:{} {id}", log.name(id)), trace.clone()));
                }
            }
            log.texts
        } else {
            let (file, _) = read::read(&source);
            for (index, section) in file.sections.iter().enumerate() {
                traces.push((format!("{path}:{index}"), section.trace.clone()));
            }
            file.texts
        };
        let (mut module, mut words) = (Module::new(), Vocabulary::new());
        for (name, trace) in traces {
            total += 1;
            same += usize::from(again(&name, &trace, &mut texts, &mut module, &mut words, is_log));
        }
    }
    println!("{same} of {total} traces come back as they were");
}

fn again(
    name: &str,
    trace: &Trace,
    texts: &mut Texts,
    module: &mut Module,
    words: &mut Vocabulary,
    log: bool,
) -> bool {
    let mut diagnostics = Diagnostics::new();
    let lifted =
        Lifter::new(module, texts, words, Options { log, expand_virtual_refs: false, ..Options::default() })
            .lift(name, trace, &mut diagnostics);
    let Some(lifted) = lifted else {
        println!("{name}: {}", diagnostics.iter().next().map_or("", |d| d.message.as_str()));
        return false;
    };
    let lowered = match lower(&lifted.function, module, &lifted.origin, lower::Options::default(), texts) {
        Ok(lowered) => lowered,
        Err(error) => {
            println!("{name}: {error}");
            return false;
        }
    };
    let print = |trace: &Trace| {
        let mut plain = trace.clone();
        plain.closing.clear();
        for op in &mut plain.ops {
            op.offset = None;
        }
        let mut out = String::new();
        write::trace(&without_copies(&plain), texts, &mut out);
        out
    };
    let (before, after) = (print(trace), print(&lowered));
    let difference = before.lines().zip(after.lines()).find(|(a, b)| a != b);
    if let Some((a, b)) = difference {
        println!("{name}\n  - {a}\n  + {b}");
    } else if before != after {
        println!("{name}: other length");
    }
    before == after
}

/// The trace with every copy replaced by what it copies.
fn without_copies(trace: &Trace) -> Trace {
    let mut copies: Vec<Option<Arg>> = vec![None; trace.vars.len()];
    let mut plain = Trace { ops: Vec::new(), ..trace.clone() };
    for op in &trace.ops {
        let resolve = |args: &[Arg]| -> Vec<Arg> {
            let copied = |arg: &Arg| match arg {
                Arg::Var(var) => copies[var.index()].unwrap_or(*arg),
                _ => *arg,
            };
            args.iter().map(copied).collect()
        };
        let (args, fail) = (resolve(trace.args(op)), resolve(trace.fail(op)));
        if op.opcode.is_some_and(|opcode| opcode.row().lift == Lift::Copy) {
            if let Some(result) = op.result {
                copies[result.index()] = Some(args[0]);
            }
            continue;
        }
        let args = plain.lists.push(&args);
        let fail = op.fail.map(|_| plain.lists.push(&fail));
        plain.ops.push(OpData { args, fail, ..*op });
    }
    plain
}
