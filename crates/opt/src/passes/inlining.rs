//! Inlining (Muchnick 1997, 15.2 and 15.3), bottom up over the call graph as in LLVM: a call becomes the body of its
//! function.
//!
//! Functions are visited callees first. One that others call is simplified when its own calls are decided, by the steps of the
//! pipeline behind that do not make functions larger; so what is inlined is inlined itself already, and as large as what is left
//! of it. A call becomes the body when that has at most [`SMALL`] operations and blocks, or is called from nowhere else and has at most
//! [`ONCE`]; never when the function leaves other than by returning. One that can come to call itself is copied only into a
//! function that it calls and that calls it, both no other one that comes back: then that one calls itself, which may be a
//! loop (`tail-recursion`). A caller
//! grows to at most [`CALLER`], and by copies that are larger than the calls no further than to [`GROWTH`] times what it
//! was, or to [`ONCE`]: many calls of one function are shorter than many bodies.
//!
//! A body may be given the function that it calls through a reference, or return it. Such calls are then known (`devirtualize`),
//! at the latest when the caller is simplified, and calls for the next round. A function that calls what it is given counts as
//! one that calls those to which it refers; and a call stays that leads back to itself by what it gives (`inlining/given.rs`).
//!
//! The block is split behind the call; the body is copied between, returns jump to the second half, whose
//! parameters are the results. O(size of the module + what is copied).

use hashbrown::HashMap;
use planish_base::{Components, Id, SideTable, fault};
use planish_ir::{Block, BlockCall, FuncId, Function, Inst, Module, References, Terminator, Value};
use planish_ops::Op;
use planish_ops::world::World;
use rustc_hash::FxBuildHasher;

mod given;

use given::Circles;

use super::devirtualization::devirtualize;
use super::tail_recursion;
use planish_pass::{
    Analyses, Became, Example, Kind, Level, ModuleCx, ModulePass, PassCx, PassInfo, Record, Site, Target,
    apply,
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
fn run(module: &mut Module, cx: &mut ModuleCx<'_>) {
    if module.functions.len() < 2 {
        return;
    }
    let before: Vec<usize> = module.functions.values().map(size_of).collect();
    let mut is_simple = vec![false; module.functions.len()];
    for _ in 0..ROUNDS {
        cx.record.take_back(PASS.info.name);
        let folded = inline(module, &Calls::new(module), cx, &before, &mut is_simple);
        // A function that is a loop by now can be copied in the next round.
        let looped = loops_of_recursion(module, cx.record, &folded);
        simplify_those_that_call_references(module, cx, &mut is_simple);
        if !devirtualize(module, cx.record) && !looped {
            break;
        }
    }
}

/// Simplifies functions that call through references and have changed since they were simplified: which function a reference is
/// may show once a branch is decided, or what was stored is loaded.
fn simplify_those_that_call_references(module: &mut Module, cx: &mut ModuleCx<'_>, is_simple: &mut [bool]) {
    let calls = |f: &Function| f.live_insts().any(|(_, inst)| f.inst(inst).op == Op::CallRef);
    for id in module.functions.ids() {
        if !is_simple[id.index()] && calls(&module.functions[id]) {
            cx.record.enter_function(id.index() as u32);
            cx.simplify(module, id);
            is_simple[id.index()] = true;
        }
    }
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

/// What matters of a function to those that call it.
struct Body {
    /// Its operations and blocks.
    size: usize,
    /// Whether nothing in it leaves through an exit, and nothing is thrown by name.
    only_returns: bool,
}

impl Body {
    fn of(f: &Function) -> Self {
        let only_returns = f.live_insts().all(|(_, inst)| f.inst(inst).exit.is_none())
            && f.blocks().iter().all(|&block| !matches!(f.terminator(block), Terminator::Throw(..)));
        Body { size: size_of(f), only_returns }
    }
}

/// Why a call stays.
enum Stays {
    /// The function may come to call itself.
    Recursive,
    /// The body leaves other than by returning.
    Leaves,
    /// The body has more operations and blocks than one may have that is called so often.
    Large { size: usize, most: usize, called: usize },
    /// The caller would have more than it may.
    Full { size: usize, most: usize },
    /// The call has an exit of its own, or not the types of the function.
    Unlike,
}

impl Stays {
    fn said(&self, caller: &str, callee: &str) -> String {
        match self {
            Stays::Recursive => format!("`{callee}` may come to call itself"),
            Stays::Leaves => format!("`{callee}` may leave other than by returning"),
            Stays::Large { size, most, called: 1 } => {
                format!(
                    "`{callee}` has {size} operations and blocks, of {most} that the body of an only call may have"
                )
            }
            Stays::Large { size, most, called } => {
                format!(
                    "`{callee}` has {size} operations and blocks, of {most} that one with {called} calls may have"
                )
            }
            Stays::Full { size, most } => {
                format!(
                    "`{caller}` would have {size} operations and blocks with that of `{callee}`, of {most}"
                )
            }
            Stays::Unlike => format!("the call has an exit of its own, or not the types of `{callee}`"),
        }
    }
}

/// Why a call stays, by figures alone, of a body that is called so often, in a caller of a size that may grow to another.
fn stays(body: &Body, called: usize, caller: usize, grown: usize) -> Option<Stays> {
    let largest = if called == 1 { ONCE } else { SMALL };
    let most = if called == 1 || body.size <= TINY { CALLER } else { grown };
    if !body.only_returns {
        Some(Stays::Leaves)
    } else if body.size > largest {
        Some(Stays::Large { size: body.size, most: largest, called })
    } else if caller + body.size > most {
        Some(Stays::Full { size: caller + body.size, most })
    } else {
        None
    }
}

/// Inlines calls; `before` is how large callers were, `is_simple` which functions did not change since they were simplified.
/// Which functions call themselves since one was copied into them that calls them.
fn inline(
    module: &mut Module,
    calls: &Calls,
    cx: &mut ModuleCx<'_>,
    before: &[usize],
    is_simple: &mut [bool],
) -> Vec<bool> {
    let mut folded = vec![false; module.functions.len()];
    let mut bodies: Vec<Body> = module.functions.values().map(Body::of).collect();
    for &id in &calls.callees_first {
        let mut size = bodies[id.index()].size;
        let grown = (GROWTH * before[id.index()]).clamp(ONCE, CALLER);
        let mut chosen = SideTable::<Inst, Option<FuncId>>::new();
        let mut any = false;
        cx.record.enter_function(id.index() as u32);
        for &(inst, callee) in &calls.of[id.index()] {
            let (body, called) = (&bodies[callee.index()], calls.count[callee.index()]);
            let (caller, function) = (&module.functions[id], &module.functions[callee]);
            let folds = || !folded[callee.index()] && folds(&bodies, calls, id, callee);
            let stays =
                if callee == id || calls.recursive[callee.index()] && !folds() || calls.circles.has(id, inst)
                {
                    Some(Stays::Recursive)
                } else {
                    stays(body, called, size, grown).or_else(|| {
                        let is_unlike = !suits(caller, inst, function);
                        is_unlike.then_some(Stays::Unlike)
                    })
                };
            let site = Site::of(caller, inst);
            if let Some(stays) = stays {
                cx.record.refuse(PASS.info.name, site, || stays.said(&caller.name, &function.name));
                continue;
            }
            if !cx.record.rewrite(Kind::Pass(PASS.info.name), site, Became::Nothing) {
                continue;
            }
            size += body.size;
            folded[id.index()] |= calls.recursive[callee.index()];
            chosen[inst] = Some(callee);
            any = true;
        }
        if any {
            let mut caller = module.functions[id].clone();
            insert(&mut caller, &chosen, module);
            module.functions[id] = caller;
            is_simple[id.index()] = false;
        }
        if calls.count[id.index()] > 0 && size > TINY {
            cx.simplify(module, id);
            is_simple[id.index()] = true;
        }
        bodies[id.index()] = Body::of(&module.functions[id]);
    }
    folded
}

/// Whether a function and one that it calls call each other and no other one that comes back to them: with the body of the
/// other one a function calls itself, which may be a loop.
fn folds(bodies: &[Body], calls: &Calls, caller: FuncId, callee: FuncId) -> bool {
    let back = |&(_, function): &(Inst, FuncId)| function == caller || !calls.recursive[function.index()];
    let of_callee = &calls.of[callee.index()];
    bodies[callee.index()].size <= SMALL
        && of_callee.iter().any(|&(_, function)| function == caller)
        && of_callee.iter().all(back)
}

fn size_of(f: &Function) -> usize {
    f.live_insts().count() + f.blocks().len()
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
    /// Functions, callees before callers where they do not call one another in circles.
    callees_first: Vec<FuncId>,
    /// The calls that come back to themselves by what they give.
    circles: Circles,
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
        let edges = |calls: &Vec<(Inst, FuncId)>| calls.iter().map(|(_, id)| id.index() as u32).collect();
        let mut edges: Vec<Vec<u32>> = of.iter().map(edges).collect();
        // One that calls what it is given may be given those to which it refers: its body in the place of a call of it would make
        // the next such call known, without end.
        for (f, edges) in module.functions.values().zip(&mut edges) {
            if f.live_insts().any(|(_, inst)| f.inst(inst).op == Op::CallRef) {
                edges.extend(references.within(f).into_iter().map(|id| id.index() as u32));
            }
        }
        let functions: Vec<u32> = (0..edges.len() as u32).collect();
        let circles = Components::new(edges.len()).of(&functions, |function| &edges[function as usize]);
        let mut recursive = vec![false; edges.len()];
        for circle in &circles {
            let comes_back = circle.len() > 1 || edges[circle[0] as usize].contains(&circle[0]);
            circle.iter().for_each(|&function| recursive[function as usize] = comes_back);
        }
        let callees_first = circles.concat().into_iter().map(|id| FuncId::from_index(id as usize)).collect();
        let circles = Circles::new(module, &references, &of);
        Calls { of, count, recursive, callees_first, circles }
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
            let mut args = f.args(inst).to_vec();
            if fault!("inline: arguments are passed from the last to the first") {
                args.reverse();
            }
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

    use planish_pass::ModuleCx;

    use super::run;
    use crate::passes::testing::rewritten;

    fn inlined(source: &str) -> (u64, String) {
        let (count, module) = rewritten(source, |module, record| run(module, &mut ModuleCx::alone(record)));
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

    /// `g` is given itself: each copy of it would make one more call known.
    #[test]
    fn a_function_that_calls_what_it_is_given_and_gives_itself_stays() {
        let (count, text) = inlined(
            "callee @g\ncallee @ref_i64_to_i64\nfunc f(v0: i64) -> i64 {\ne:\n    v1: i64 = call(&g, v0) @g\n    \
             return v1\n}\nfunc g(v0: ref, v1: i64) -> i64 {\ne:\n    branch v1, a, b\na:\n    v2 = rshift(v1, 2)\n    \
             v3: i64 = call_ref(v0, &g, v2) @ref_i64_to_i64\n    return v3\nb:\n    return 5\n}\n",
        );
        assert_eq!(count, 0, "{text}");
    }

    const GIVEN: &str = "callee @g\ncallee @h\ncallee @ref_ref_i64_to_i64\ncallee @i64_to_i64\n";

    /// `g` and `h` swap what they are given, so that each gets itself: copies of them would make one another's calls known.
    #[test]
    fn functions_that_are_given_themselves_and_hand_it_on_stay() {
        let (count, text) = inlined(&format!(
            "{GIVEN}func f(v0: i64) -> i64 {{\ne:\n    v1: i64 = call(&g, &h, v0) @g\n    return v1\n}}\n\
             func g(v0: ref, v1: ref, v2: i64) -> i64 {{\ne:\n    branch v2, a(v1), b\na(v4: ref):\n    \
             v5 = sub(v2, 1)\n    v6: i64 = call_ref(v4, v0, v1, v5) @ref_ref_i64_to_i64\n    return v6\nb:\n    \
             return 5\n}}\n\
             func h(v0: ref, v1: ref, v2: i64) -> i64 {{\ne:\n    v3 = rshift(v2, 1)\n    \
             v4: i64 = call_ref(v0, v0, v1, v3) @ref_ref_i64_to_i64\n    return v4\n}}\n"
        ));
        assert_eq!(count, 0, "{text}");
    }

    /// `g` calls what it is given and hands it on to nobody.
    #[test]
    fn a_function_that_calls_what_it_is_given_is_copied_into_one_that_gives_itself() {
        let (count, text) = inlined(&format!(
            "{GIVEN}func f(v0: i64) -> i64 {{\ne:\n    branch v0, a, b\na:\n    v1: i64 = call(&f, v0) @g\n    \
             return v1\nb:\n    return 3\n}}\n\
             func g(v0: ref, v1: i64) -> i64 {{\ne:\n    v2 = sub(v1, 1)\n    \
             v3: i64 = call_ref(v0, v2) @i64_to_i64\n    return v3\n}}\n"
        ));
        assert!(count >= 2 && text.contains(") @f") && !text.contains(") @g"), "{text}");
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
