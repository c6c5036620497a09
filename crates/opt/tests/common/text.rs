//! Functions as text, broken ones too: values are numbered by position, and what has no definition shows.

use planish_base::Id;
use planish_ir::{BlockCall, Const, Function, Terminator, Value};

/// Instructions of a function as text, values numbered by position.
pub fn text(f: &Function) -> String {
    let mut names = std::collections::HashMap::new();
    let mut lines = Vec::new();
    for (_, inst) in f.live_insts() {
        for result in f.results(inst) {
            let n = names.len();
            names.insert(result, format!("v{n}"));
        }
    }
    let name = |v: Value| match f.constant(v) {
        Some(Const::Int(int)) => int.to_string(),
        Some(other) => format!("{other:?}"),
        None => names.get(&v).cloned().unwrap_or_else(|| format!("{v}!")),
    };
    let list = |vs: &[Value]| {
        vs.iter().map(|&v| param_name(f, v).unwrap_or_else(|| name(v))).collect::<Vec<_>>().join(", ")
    };
    for &block in f.blocks() {
        if f.blocks().len() > 1 {
            lines.push(format!("block{}({}):", block.index(), list(f.block_params(block))));
        }
        for &inst in f.block_insts(block) {
            let results: Vec<_> = f.results(inst).map(&name).collect();
            let head = if results.is_empty() { String::new() } else { format!("{} = ", results.join(", ")) };
            let exit = f.inst(inst).exit.map(|e| format!(" [{}]", list(f.exit_args(e)))).unwrap_or_default();
            lines.push(format!("{head}{}({}){exit}", f.inst(inst).op, list(f.args(inst))));
        }
        let call = |c: &BlockCall| format!("block{}({})", c.block.index(), list(f.list(c.args)));
        lines.push(match f.terminator(block) {
            Terminator::Jump(c) => format!("jump {}", call(c)),
            Terminator::Branch { condition, then, other } => {
                format!("branch {}, {}, {}", list(&[*condition]), call(then), call(other))
            }
            Terminator::Return(rs) => format!("return {}", list(f.list(*rs))),
            Terminator::Switch { on, cases, default } => {
                let cases: Vec<_> = cases.iter().map(|(k, c)| format!("{k}: {}", call(c))).collect();
                format!("switch {}, [{}], {}", list(&[*on]), cases.join(", "), call(default))
            }
            Terminator::Throw(v, _) => format!("throw {}", list(&[*v])),
            Terminator::Unreachable => "unreachable".into(),
        });
    }
    lines.join("\n")
}

fn param_name(f: &Function, v: Value) -> Option<String> {
    match f.def(v) {
        planish_ir::Def::Param(block, i) if block == f.entry() => Some(format!("p{i}")),
        planish_ir::Def::Param(block, i) => Some(format!("b{}p{i}", block.index())),
        _ => None,
    }
}
