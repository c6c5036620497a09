//! Inlining (Muchnick 1997, 15.2 and 15.3), bottom up over the call graph as in LLVM: a call becomes the body of its
//! function.
//!
//! Functions are visited callees first, so what is inlined is inlined itself already. A call becomes the body
//! when the body has at most [`SMALL`] operations and blocks, or is called from nowhere else and has at most
//! [`ONCE`]; never when the function leaves other than by returning. One that can come to call itself is copied only into a
//! function that it calls and that calls it, both no other one that comes back: then that one calls itself, which may be a
//! loop (`tail-recursion`). A caller
//! grows to at most [`CALLER`], and by copies that are larger than the calls no further than to [`GROWTH`] times what it
//! was, or to [`ONCE`]: many calls of one function are shorter than many bodies.
//!
//! A body may be given the function that it calls through a reference. Such calls are then known (`devirtualize`), and
//! calls for the next round.
//!
//! The block is split behind the call; the body is copied between, returns jump to the second half, whose
//! parameters are the results. O(size of the module + what is copied).

use hashbrown::HashMap;
use planish_base::{Id, SideTable};
use planish_ir::{Block, BlockCall, FuncId, Function, Inst, Module, References, Terminator, Value};
use planish_ops::Op;
use planish_ops::world::World;
use rustc_hash::FxBuildHasher;

use super::devirtualization::devirtualize;
use super::tail_recursion;
use planish_pass::{
    Analyses, Became, Example, Kind, Level, ModulePass, PassCx, PassInfo, Record, Site, Target, apply,
};

/// The size of a body that is always copied: operations and blocks.
pub const SMALL: usize = 48;
/// The size of a body that is copied into its only caller.
pub const ONCE: usize = 400;
/// The size up to which a caller grows.
pub const CALLER: usize = 4_000;
/// How many times as large as it was a caller becomes by copies.
pub const GROWTH: usize = 4;
/// The size of a body that is no larger than a call of it.
pub const TINY: usize = 4;
/// How often calls that became known are looked at again.
const ROUNDS: usize = 4;
/// How much [`inline_all`] makes.
const ALL: usize = 4_000_000;

/// Inlines calls.
pub const PASS: ModulePass = ModulePass {
    info: PassInfo {
        level: Level::Module,
        source: "Muchnick 1997, 15.2 and 15.3; callees first, as in LLVM's inliner",
        example: Example { file: "inlining.ssa", text: include_str!("examples/inlining.ssa") },
        test: "crates/opt/src/passes/inlining.rs",
        ..PassInfo::new("inline", "Inlining: calls become the bodies of their functions.")
    },
    run,
};

/// Inlines calls in every function of a module.
fn run(module: &mut Module, record: &mut Record) {
    if module.functions.len() < 2 {
        return;
    }
    let before: Vec<usize> = module.functions.values().map(size_of).collect();
    for _ in 0..ROUNDS {
        let calls = Calls::new(module);
        let folded = inline(module, &calls, record, |caller, size, body, called| {
            let grown = (GROWTH * before[caller.index()]).clamp(ONCE, CALLER);
            let most = if called == 1 || body <= TINY { CALLER } else { grown };
            (body <= SMALL || body <= ONCE && called == 1) && size + body <= most
        });
        // A function that is a loop by now can be copied in the next round.
        let looped = loops_of_recursion(module, record, &folded);
        if !devirtualize(module, record) && !looped {
            break;
        }
    }
}

/// A module of one function, with bodies for all calls of others. `None` where a function calls itself, and where
/// bodies would be more than a program should have.
pub fn inline_all(module: &Module, name: &str) -> Option<Module> {
    let top = module.find(name)?;
    let calls = Calls::new(module);
    let mut sizes = vec![0_usize; module.functions.len()];
    let order = calls.callees_first();
    for id in &order {
        let bodies = calls.of[id.index()].iter().map(|(_, callee)| sizes[callee.index()]);
        sizes[id.index()] = bodies.fold(size_of(&module.functions[*id]), usize::saturating_add);
    }
    if calls.recursive.contains(&true)
        || sizes.iter().fold(0, |sum: usize, &size| sum.saturating_add(size)) > ALL
    {
        return None;
    }
    let mut module = module.clone();
    inline(&mut module, &calls, &mut Record::new(), |_, _, _, _| true);
    let only = module.functions[top].clone();
    // What it refers to would not be there.
    if !References::new(&module).within(&only).is_empty() {
        return None;
    }
    module.functions = std::iter::once(only).collect();
    Some(module)
}

/// Makes loops of functions that were folded into one that calls itself. Whether any became one.
fn loops_of_recursion(module: &mut Module, record: &mut Record, folded: &[bool]) -> bool {
    let before = record.total();
    let Module { functions, descriptors, .. } = module;
    for ((number, f), _) in (0..).zip(functions.values_mut()).zip(folded).filter(|(_, folded)| **folded) {
        record.enter_function(number);
        let mut analyses = Analyses::new();
        let info = &tail_recursion::PASS.info;
        apply(
            &tail_recursion::PASS,
            f,
            PassCx::new(info, descriptors, record, Target::MACHINE, &mut analyses),
        );
    }
    record.total() > before
}

/// Inlines calls for which `fits` holds of the caller, its size, that of the body and how often it is called. Which functions
/// call themselves since one was copied into them that calls them.
fn inline(
    module: &mut Module,
    calls: &Calls,
    record: &mut Record,
    fits: impl Fn(FuncId, usize, usize, usize) -> bool,
) -> Vec<bool> {
    let mut folded = vec![false; module.functions.len()];
    for id in calls.callees_first() {
        let sites: Vec<(Inst, FuncId)> = calls.of[id.index()].clone();
        let mut size = size_of(&module.functions[id]);
        let mut chosen = SideTable::<Inst, Option<FuncId>>::new();
        let mut any = false;
        record.enter_function(id.index() as u32);
        for (inst, callee) in sites {
            let function = &module.functions[callee];
            let body = size_of(function);
            if callee == id
                || calls.recursive[callee.index()]
                    && (folded[callee.index()] || !folds(module, calls, id, callee))
                || !fits(id, size, body, calls.count[callee.index()])
                || !only_returns(function)
                || !suits(&module.functions[id], inst, function)
                || !record.rewrite(
                    Kind::Pass(PASS.info.name),
                    Site::of(&module.functions[id], inst),
                    Became::Nothing,
                )
            {
                continue;
            }
            size += body;
            folded[id.index()] |= calls.recursive[callee.index()];
            chosen[inst] = Some(callee);
            any = true;
        }
        if any {
            let mut caller = module.functions[id].clone();
            insert(&mut caller, &chosen, module);
            module.functions[id] = caller;
        }
    }
    folded
}

/// Whether a function and one that it calls call each other and no other one that comes back to them: with the body of the
/// other one a function calls itself, which may be a loop.
fn folds(module: &Module, calls: &Calls, caller: FuncId, callee: FuncId) -> bool {
    let back = |&(_, function): &(Inst, FuncId)| function == caller || !calls.recursive[function.index()];
    size_of(&module.functions[callee]) <= SMALL && calls.of[callee.index()].iter().all(back)
}

fn size_of(f: &Function) -> usize {
    f.live_insts().count() + f.blocks().len()
}

/// Whether nothing in a function leaves through an exit, and nothing is thrown by name.
fn only_returns(f: &Function) -> bool {
    f.live_insts().all(|(_, inst)| f.inst(inst).exit.is_none())
        && f.blocks().iter().all(|&block| !matches!(f.terminator(block), Terminator::Throw(..)))
}

/// Whether a call fits the function that it names.
fn suits(caller: &Function, inst: Inst, callee: &Function) -> bool {
    let args = caller.args(inst).iter().map(|&arg| caller.ty(arg));
    let results = caller.results(inst).map(|result| caller.ty(result));
    caller.inst(inst).exit.is_none()
        && args.eq(callee.params().iter().map(|&param| callee.ty(param)))
        && results.eq(callee.result_types().iter().copied())
}

/// Who calls whom.
struct Calls {
    /// By function: its calls of functions of the module, in order.
    of: Vec<Vec<(Inst, FuncId)>>,
    /// How often a function is called or referred to.
    count: Vec<usize>,
    /// Whether a function can come to call itself.
    recursive: Vec<bool>,
}

impl Calls {
    fn new(module: &Module) -> Self {
        let mut by_name = HashMap::<&str, FuncId, FxBuildHasher>::default();
        for (id, function) in module.functions.iter() {
            by_name.insert(&function.name, id);
        }
        let callee = |f: &Function, inst: Inst| {
            let descr = f.inst(inst).descr.filter(|_| f.inst(inst).op == Op::Call)?;
            by_name.get(module.descriptors.name(descr)).map(|&id| (inst, id))
        };
        let calls = |f: &Function| f.live_insts().filter_map(|(_, inst)| callee(f, inst)).collect();
        let of: Vec<Vec<(Inst, FuncId)>> = module.functions.values().map(calls).collect();
        let mut count = vec![0; of.len()];
        of.iter().flatten().for_each(|(_, callee)| count[callee.index()] += 1);
        let references = References::new(module);
        let referred = module.functions.values().flat_map(|f| references.within(f));
        referred.for_each(|function| count[function.index()] += 1);
        let mut calls = Calls { recursive: vec![false; of.len()], of, count };
        for function in 0..calls.of.len() {
            calls.recursive[function] = calls.reaches(function);
        }
        calls
    }

    /// Whether a function comes back to itself. O(calls).
    fn reaches(&self, function: usize) -> bool {
        let mut seen = vec![false; self.of.len()];
        let mut work = vec![function];
        while let Some(at) = work.pop() {
            for (_, callee) in &self.of[at] {
                if callee.index() == function {
                    return true;
                }
                if !std::mem::replace(&mut seen[callee.index()], true) {
                    work.push(callee.index());
                }
            }
        }
        false
    }

    /// Functions, callees before callers where they do not call one another in circles.
    fn callees_first(&self) -> Vec<FuncId> {
        let mut order = Vec::with_capacity(self.of.len());
        let mut seen = vec![false; self.of.len()];
        for root in 0..self.of.len() {
            let mut stack = vec![(root, 0)];
            if std::mem::replace(&mut seen[root], true) {
                continue;
            }
            while let Some((at, next)) = stack.last_mut() {
                match self.of[*at].get(*next) {
                    Some((_, callee)) => {
                        *next += 1;
                        if !std::mem::replace(&mut seen[callee.index()], true) {
                            stack.push((callee.index(), 0));
                        }
                    }
                    None => {
                        order.push(FuncId::from_index(*at));
                        stack.pop();
                    }
                }
            }
        }
        order
    }
}

/// Replaces the chosen calls of a function.
fn insert(f: &mut Function, chosen: &SideTable<Inst, Option<FuncId>>, module: &Module) {
    let mut results: SideTable<Value, Option<Value>> = SideTable::new();
    for start in f.blocks().to_vec() {
        let insts = f.replace_insts(start, Vec::new());
        let mut at = start;
        for inst in insts {
            let Some(callee) = chosen[inst] else {
                f.append_inst(at, inst);
                continue;
            };
            let behind = f.make_block();
            let terminator = f.take_terminator(at);
            f.set_terminator(behind, terminator);
            for result in f.results(inst) {
                results[result] = Some(f.add_param(behind, f.ty(result)));
            }
            let entry = copy_body(f, &module.functions[callee], behind);
            let args = f.args(inst).to_vec();
            let call = f.make_call(entry, &args);
            f.set_terminator(at, Terminator::Jump(call));
            at = behind;
        }
    }
    f.map_uses(|value| results[value].unwrap_or(value));
}

/// Copies a body; its returns go to a block. Where it begins.
fn copy_body(f: &mut Function, body: &Function, behind: Block) -> Block {
    let mut blocks: SideTable<Block, Option<Block>> = SideTable::new();
    let mut values: SideTable<Value, Option<Value>> = SideTable::new();
    for &block in body.blocks() {
        let copy = f.make_block();
        blocks[block] = Some(copy);
        for &param in body.block_params(block) {
            values[param] = Some(f.add_param(copy, body.ty(param)));
        }
    }
    let mut copies = Vec::new();
    for &block in body.blocks() {
        let copy = blocks[block].expect("it was made");
        for &inst in body.block_insts(block) {
            let new = f.adopt_inst(body, inst);
            f.append_inst(copy, new);
            body.results(inst).zip(f.results(new)).for_each(|(old, new)| values[old] = Some(new));
            copies.push((inst, new));
        }
    }
    // Operands last: a value may be used in a block that comes before the one that makes it.
    let value = |f: &mut Function, value: Value| match body.constant(value) {
        Some(constant) => f.make_constant(constant),
        None => values[value].expect("a value of the body"),
    };
    for (old, new) in copies {
        for (position, &arg) in body.args(old).iter().enumerate() {
            let arg = value(f, arg);
            f.args_mut(new)[position] = arg;
        }
    }
    let list = |f: &mut Function, list: &[Value]| list.iter().map(|&v| value(f, v)).collect::<Vec<_>>();
    for &block in body.blocks() {
        let call = |f: &mut Function, call: BlockCall| {
            let args = list(f, body.list(call.args));
            f.make_call(blocks[call.block].expect("a block of the body"), &args)
        };
        let terminator = match body.terminator(block) {
            Terminator::Jump(to) => Terminator::Jump(call(f, *to)),
            Terminator::Branch { condition, then, other } => Terminator::Branch {
                condition: value(f, *condition),
                then: call(f, *then),
                other: call(f, *other),
            },
            Terminator::Switch { on, cases, default } => Terminator::Switch {
                on: value(f, *on),
                cases: cases.iter().map(|&(key, to)| (key, call(f, to))).collect(),
                default: call(f, *default),
            },
            Terminator::Return(results) => {
                let args = list(f, body.list(*results));
                Terminator::Jump(f.make_call(behind, &args))
            }
            Terminator::Throw(..) | Terminator::Unreachable => Terminator::Unreachable,
        };
        f.set_terminator(blocks[block].expect("it was made"), terminator);
    }
    blocks[body.entry()].expect("a body has a first block")
}

#[cfg(test)]
mod tests {
    use planish_ir::text;

    use super::run;
    use crate::passes::testing::rewritten;

    fn inlined(source: &str) -> (u64, String) {
        let (count, module) = rewritten(source, run);
        (count, text::write(&module, text::Options::default()))
    }

    #[test]
    fn a_call_in_a_call_is_its_body() {
        let (count, text) = inlined(
            "callee @g\ncallee @h\nfunc f(v0: i64) -> i64 {\ne:\n    v1: i64 = call(v0) @g\n    \
             v2: i64 = call(v1) @g\n    v3 = add(v1, v2)\n    return v3\n}\n\
             func g(v0: i64) -> i64 {\ne:\n    branch v0, a, b\na:\n    v1: i64 = call(v0) @h\n    return v1\n\
             b:\n    return 7\n}\nfunc h(v0: i64) -> i64 {\ne:\n    v1 = mul(v0, v0)\n    return v1\n}\n",
        );
        assert_eq!(count, 3, "{text}");
        assert!(!text.contains("call("), "{text}");
    }

    /// `f` calls `g`, and `g` and `h` each other.
    #[test]
    fn one_of_two_that_call_each_other_is_copied_into_the_other_one() {
        let (count, text) = inlined(
            "callee @g\ncallee @h\nfunc f(v0: i64) -> i64 {\ne:\n    v1: i64 = call(v0) @g\n    return v1\n}\n\
             func g(v0: i64) -> i64 {\ne:\n    v1: i64 = call(v0) @h\n    return v1\n}\n\
             func h(v0: i64) -> i64 {\ne:\n    v1: i64 = call(v0) @g\n    v2 = mul(v1, v1)\n    return v2\n}\n",
        );
        assert_eq!((count, text.matches("call(").count()), (1, 3), "{text}");
    }

    #[test]
    fn a_function_that_calls_itself_stays_a_function() {
        let (count, _) = inlined(
            "callee @g\nfunc f(v0: i64) -> i64 {\ne:\n    v1: i64 = call(v0) @g\n    return v1\n}\n\
             func g(v0: i64) -> i64 {\ne:\n    v1: i64 = call(v0) @g\n    return v1\n}\n",
        );
        assert_eq!(count, 0);
    }

    #[test]
    fn functions_that_call_each_other_in_a_longer_circle_stay() {
        let (count, _) = inlined(
            "callee @f\ncallee @g\ncallee @h\nfunc f(v0: i64) -> i64 {\ne:\n    v1: i64 = call(v0) @g\n    return v1\n}\n\
             func g(v0: i64) -> i64 {\ne:\n    v1: i64 = call(v0) @h\n    return v1\n}\n\
             func h(v0: i64) -> i64 {\ne:\n    v1: i64 = call(v0) @f\n    return v1\n}\n",
        );
        assert_eq!(count, 0);
    }
}
