//! Devirtualization: a call through a reference becomes a call of the function, or of the few functions, that it may be.
//!
//! A reference that is a constant is known. One that is a parameter of a block or a `select`, and of which every source is
//! a function, is one of those: closed, as control-flow analysis has it (Shivers 1988). Each but the last gets a bit beside
//! the reference, which goes around with it through parameters and choices and says whether it is that function
//! (defunctionalization, Reynolds 1972). The call becomes a branch on the bits with a direct call in each arm, which other
//! passes thread, inline and unswitch; where nothing else needs the reference, its parameters go.
//!
//! Only calls that fit the function become direct: others leave where they are. At most [`TARGETS`] functions and
//! [`SOURCES`] parameters and choices are followed for a call. O(size of the module + calls through references times
//! what is followed).

use hashbrown::{HashMap, HashSet};
use planish_base::{Id, SideTable, fault};
use planish_ir::module::{Descriptor, Descriptors};
use planish_ir::{
    Block, BlockCall, Const, Def, FuncId, Function, Inst, Module, References, Terminator, Value,
};
use planish_ops::world::{CallEffect, Descr, Made, World};
use planish_ops::{Int, Op, Type};
use planish_pass::{Became, Example, Kind, Level, ModulePass, PassInfo, Record, Site};
use rustc_hash::FxBuildHasher;

/// How many functions a reference may be for a call through it to be divided among them.
pub const TARGETS: usize = 4;
/// How many parameters and choices are followed.
pub const SOURCES: usize = 64;

/// Makes calls through known references direct.
pub const PASS: ModulePass = ModulePass {
    info: PassInfo {
        level: Level::Module,
        source: "Reynolds 1972, defunctionalization, where the functions are few and known",
        example: Example {
            file: "devirtualization.ssa",
            text: include_str!("examples/devirtualization.ssa"),
        },
        test: "crates/opt/src/passes/devirtualization.rs",
        ..PassInfo::new(
            "devirtualize",
            "Devirtualization: calls through references that are one of few functions become calls of those.",
        )
    },
    run: |module, cx| _ = devirtualize(module, cx.record),
};

/// Makes calls through known references direct. Whether there was one.
pub(super) fn devirtualize(module: &mut Module, record: &mut Record) -> bool {
    let references = References::new(module);
    if references.is_empty() {
        return false;
    }
    let callees = Callees::new(module);
    let mut any = false;
    for (id, f) in (0..).zip(module.functions.values_mut()) {
        record.enter_function(id);
        let through = |f: &Function, inst: &Inst| f.inst(*inst).op == Op::CallRef;
        let calls: Vec<Inst> = f.live_insts().map(|(_, inst)| inst).filter(|inst| through(f, inst)).collect();
        if calls.is_empty() {
            continue;
        }
        let mut sources = Sources::new(&references, f);
        let mut chosen = SideTable::<Inst, Option<Chosen>>::new();
        let mut found = false;
        for inst in calls {
            let Some(targets) = sources.targets(f, f.args(inst)[0]) else { continue };
            let known = targets.iter().all(|&target| callees.take(f, inst, target));
            let divides = targets.len() > 1;
            if !known
                || targets.is_empty()
                || divides && f.inst(inst).exit.is_some()
                || !record.rewrite(Kind::Pass(PASS.info.name), Site::of(f, inst), Became::Op(Op::Call))
            {
                continue;
            }
            let tested = &targets[..targets.len() - 1];
            let bits = tested.iter().map(|&target| sources.bit(f, f.args(inst)[0], target)).collect();
            chosen[inst] = Some(Chosen { targets, bits });
            found = true;
        }
        if found {
            divide(f, &chosen, &callees, &mut module.descriptors);
            any = true;
        }
    }
    any
}

/// What functions take and give, and what they are called.
struct Callees {
    functions: Vec<(String, Vec<Type>, Vec<Type>)>,
    usable: Vec<bool>,
}

impl Callees {
    fn new(module: &Module) -> Self {
        let types = |f: &Function| {
            let params = f.params().iter().map(|&param| f.ty(param)).collect();
            (f.name.clone(), params, f.result_types().to_vec())
        };
        // What else has the name of the function is not it.
        let is_usable = |f: &Function| match module.descriptors.lookup(&f.name) {
            None => true,
            Some(descr) => {
                matches!(module.descriptors.get(descr), Descriptor::Callee(effect) if effect.made == Made::Always)
                    && module.descriptors.called(descr) == f.name
            }
        };
        let functions = module.functions.values();
        Callees {
            functions: functions.clone().map(types).collect(),
            usable: functions.map(is_usable).collect(),
        }
    }

    /// Whether a call through a reference may enter a function.
    fn take(&self, f: &Function, call: Inst, callee: FuncId) -> bool {
        let (_, params, given) = &self.functions[callee.index()];
        let args = f.args(call)[1..].iter().map(|&arg| f.ty(arg));
        let taken: Vec<Type> = f.results(call).map(|result| f.ty(result)).collect();
        self.usable[callee.index()] && args.eq(params.iter().copied()) && given.starts_with(&taken)
    }

    /// The descriptor of a function; one that nothing called yet is called for the first time.
    fn descr(&self, callee: FuncId, descriptors: &mut Descriptors) -> Descr {
        let name = &self.functions[callee.index()].0;
        descriptors.lookup(name).unwrap_or_else(|| {
            let descr = descriptors.intern(name.clone(), || Descriptor::Callee(CallEffect::unknown()));
            descriptors.set_implied(descr);
            descr
        })
    }
}

/// The functions that a call may be of; for each but the last, whether it is of that.
#[derive(Clone)]
struct Chosen {
    targets: Vec<FuncId>,
    bits: Vec<Value>,
}

/// By block the blocks that go there, each once. Nothing for a block to which control comes in other ways.
fn edges(f: &Function) -> Vec<Option<Vec<Block>>> {
    let mut edges = vec![Some(Vec::new()); f.block_count()];
    for &block in f.blocks() {
        for call in f.block_calls(block) {
            if let Some(from) = &mut edges[call.block.index()]
                && from.last() != Some(&block)
            {
                from.push(block);
            }
        }
    }
    for &block in f.blocks() {
        f.handlers(block).for_each(|(_, handler)| edges[handler.block.index()] = None);
    }
    f.entrances().iter().for_each(|entrance| edges[entrance.block.index()] = None);
    edges[f.entry().index()] = None;
    edges
}

/// Where references come from.
pub(super) struct Sources<'a> {
    references: &'a References,
    edges: Vec<Option<Vec<Block>>>,
    /// Whether a value is a function.
    bits: HashMap<(Value, FuncId), Value, FxBuildHasher>,
}

impl<'a> Sources<'a> {
    /// The references of a function. O(its blocks).
    pub(super) fn new(references: &'a References, f: &Function) -> Self {
        Sources { references, edges: edges(f), bits: HashMap::default() }
    }

    /// What a parameter or a choice may be; nothing if that is not known.
    fn of(&self, f: &Function, value: Value) -> Option<Vec<Value>> {
        match f.def(value) {
            Def::Param(block, position) => {
                let from = self.edges[block.index()].as_ref()?;
                let calls = from.iter().flat_map(|&from| f.block_calls(from));
                let into = calls.filter(|call| call.block == block);
                Some(into.map(|call| f.list(call.args)[position as usize]).collect())
            }
            Def::Result(inst, _) if f.inst(inst).op == Op::Select => Some(f.args(inst)[1..].to_vec()),
            Def::Result(..) | Def::Const(_) => None,
        }
    }

    /// The functions that a value may be, in order of first appearance; nothing if it may be anything else, or too many.
    fn targets(&self, f: &Function, value: Value) -> Option<Vec<FuncId>> {
        self.targets_given(f, value, &[])
    }

    /// The same where it is known of some parameters of the function what they may be: by position, nothing where it is not.
    pub(super) fn targets_given(
        &self,
        f: &Function,
        value: Value,
        given: &[Vec<FuncId>],
    ) -> Option<Vec<FuncId>> {
        let mut targets = Vec::new();
        let mut seen = HashSet::<Value, FxBuildHasher>::from_iter([value]);
        let mut work = vec![value];
        while let Some(value) = work.pop() {
            if let Some(function) = self.references.of(f, value) {
                if !targets.contains(&function) {
                    targets.push(function);
                }
                continue;
            }
            if let Some(functions) = given_to(f, value, given) {
                let new = functions.iter().filter(|function| !targets.contains(function)).copied();
                let new: Vec<FuncId> = new.collect();
                targets.extend(new);
                continue;
            }
            work.extend(self.of(f, value)?.into_iter().rev().filter(|&source| seen.insert(source)));
            if targets.len() > TARGETS || seen.len() > SOURCES {
                return None;
            }
        }
        (targets.len() <= TARGETS).then_some(targets)
    }

    /// The bit that says whether a value, all of whose sources are functions, is one of them.
    fn bit(&mut self, f: &mut Function, value: Value, target: FuncId) -> Value {
        let mut params = Vec::new();
        let bit = self.bit_of(f, value, target, &mut params);
        // What comes in is passed behind the other arguments, so in the order in which parameters were added.
        let mut next = 0;
        while let Some(&(param, block)) = params.get(next) {
            next += 1;
            let Def::Param(_, position) = f.def(param) else { unreachable!("it is a parameter") };
            for from in self.edges[block.index()].clone().unwrap_or_default() {
                let mut terminator = f.take_terminator(from);
                for call in terminator.calls_mut().filter(|call| call.block == block) {
                    let mut args = f.list(call.args).to_vec();
                    let bit = self.bit_of(f, args[position as usize], target, &mut params);
                    args.push(bit);
                    call.args = f.make_list(&args);
                }
                f.set_terminator(from, terminator);
            }
        }
        bit
    }

    /// The same, with new parameters of which nothing comes in yet. Recurs through choices, of which there are few.
    fn bit_of(
        &mut self,
        f: &mut Function,
        value: Value,
        target: FuncId,
        params: &mut Vec<(Value, Block)>,
    ) -> Value {
        if let Some(function) = self.references.of(f, value) {
            let is_it = (function == target) != fault!("devirtualize: a function is any other one");
            return f.make_constant(Const::Int(Int::bit(is_it)));
        }
        if let Some(&bit) = self.bits.get(&(value, target)) {
            return bit;
        }
        let bit = match f.def(value) {
            Def::Param(block, _) => {
                params.push((value, block));
                f.add_param(block, Type::I1)
            }
            Def::Result(inst, _) => {
                let [condition, yes, no] = *f.args(inst) else { unreachable!("it is a choice") };
                let yes = self.bit_of(f, yes, target, params);
                let no = self.bit_of(f, no, target, params);
                let location = f.inst(inst).location;
                let choice =
                    f.make_inst(Op::Select, &[condition, yes, no], &[Type::I1], None, None, location);
                insert_behind(f, inst, choice);
                f.result(choice)
            }
            Def::Const(_) => unreachable!("its sources are functions"),
        };
        self.bits.insert((value, target), bit);
        bit
    }
}

/// What is known of a parameter of a function.
fn given_to<'g>(f: &Function, value: Value, given: &'g [Vec<FuncId>]) -> Option<&'g Vec<FuncId>> {
    match f.def(value) {
        Def::Param(block, position) if block == f.entry() => {
            given.get(position as usize).filter(|functions| !functions.is_empty())
        }
        _ => None,
    }
}

/// Puts an instruction behind another. O(size of the function).
fn insert_behind(f: &mut Function, place: Inst, new: Inst) {
    let stands = f.live_insts().find(|&(_, inst)| inst == place).map(|(block, _)| block);
    let block = stands.expect("it stands somewhere");
    let mut insts = f.replace_insts(block, Vec::new());
    let position = insts.iter().position(|&inst| inst == place).expect("it stands here");
    insts.insert(position + 1, new);
    f.replace_insts(block, insts);
}

/// Makes the chosen calls direct.
fn divide(
    f: &mut Function,
    chosen: &SideTable<Inst, Option<Chosen>>,
    callees: &Callees,
    descriptors: &mut Descriptors,
) {
    let mut results: SideTable<Value, Option<Value>> = SideTable::new();
    let mut direct = |f: &mut Function, inst: Inst, target: FuncId| {
        let args = f.args(inst)[1..].to_vec();
        let descr = callees.descr(target, descriptors);
        let (exit, location) = (f.inst(inst).exit, f.inst(inst).location);
        f.make_inst(Op::Call, &args, &callees.functions[target.index()].2, Some(descr), exit, location)
    };
    for start in f.blocks().to_vec() {
        let insts = f.replace_insts(start, Vec::new());
        let mut at = start;
        for inst in insts {
            let Some(Chosen { targets, bits }) = &chosen[inst] else {
                f.append_inst(at, inst);
                continue;
            };
            if let [only] = targets.as_slice() {
                let call = direct(f, inst, *only);
                f.append_inst(at, call);
                f.results(inst).zip(f.results(call)).for_each(|(old, new)| results[old] = Some(new));
                continue;
            }
            let behind = f.make_block();
            let terminator = f.take_terminator(at);
            f.set_terminator(behind, terminator);
            for result in f.results(inst) {
                results[result] = Some(f.add_param(behind, f.ty(result)));
            }
            for (position, &target) in targets.iter().enumerate() {
                let arm = if let Some(&condition) = bits.get(position) {
                    let (arm, other) = (f.make_block(), f.make_block());
                    let (then, otherwise) = (f.make_call(arm, &[]), f.make_call(other, &[]));
                    f.set_terminator(at, Terminator::Branch { condition, then, other: otherwise });
                    at = other;
                    arm
                } else {
                    at
                };
                let call = direct(f, inst, target);
                f.append_inst(arm, call);
                let given: Vec<Value> = f.results(call).take(f.results(inst).len()).collect();
                let out: BlockCall = f.make_call(behind, &given);
                f.set_terminator(arm, Terminator::Jump(out));
            }
            at = behind;
        }
    }
    f.map_uses(|value| results[value].unwrap_or(value));
}

#[cfg(test)]
mod tests {
    use planish_ir::{Module, text};
    use planish_pass::Record;

    use super::devirtualize;
    use crate::passes::testing::rewritten;

    const FUNCTIONS: &str = "func double(v0: i64) -> i64 {\ne:\n    v1 = add(v0, v0)\n    return v1\n}\n\
        func square(v0: i64) -> i64 {\ne:\n    v1 = mul(v0, v0)\n    return v1\n}\n\
        func pair(v0: i64) -> i64, i64 {\ne:\n    return v0, 7\n}\n";

    fn devirtualized(function: &str) -> (u64, String) {
        let source = format!("callee @i64_to_i64\n{FUNCTIONS}{function}");
        let (count, module) = rewritten(&source, alone);
        (count, text::write(&module, text::Options::default()))
    }

    fn alone(module: &mut Module, record: &mut Record) {
        devirtualize(module, record);
    }

    #[test]
    fn a_known_function_is_called() {
        let (count, text) = devirtualized(
            "func f(x: i64) -> i64 {\ne:\n    y: i64 = call_ref(&square, x) @i64_to_i64\n    return y\n}\n",
        );
        assert_eq!(count, 1, "{text}");
        assert!(text.contains("call(v0) @square") && !text.contains("call_ref"), "{text}");
    }

    #[test]
    fn a_call_that_takes_some_of_the_results_gets_all() {
        let (count, text) = devirtualized(
            "func f(x: i64) -> i64 {\ne:\n    y: i64 = call_ref(&pair, x) @i64_to_i64\n    return y\n}\n",
        );
        assert_eq!(count, 1, "{text}");
        assert!(text.contains("v1: i64, v2: i64 = call(v0) @pair\n    return v1"), "{text}");
    }

    #[test]
    fn functions_that_swap_around_a_loop_are_told_by_a_bit() {
        let (count, text) = devirtualized(
            "func f(x: i64, n: i64) -> i64 {\ne:\n    jump loop(x, n, &double, &square)\n\
             loop(y: i64, m: i64, a: ref, b: ref):\n    z: i64 = call_ref(a, y) @i64_to_i64\n    k = sub(m, 1)\n    \
             branch k, loop(z, k, b, a), out\nout:\n    return z\n}\n",
        );
        assert_eq!(count, 1, "{text}");
        assert!(text.contains("@double") && text.contains("@square") && !text.contains("call_ref"), "{text}");
    }

    /// Both references are in one block, so it gets two bits.
    #[test]
    fn bits_come_in_where_their_parameters_are() {
        let (count, text) = devirtualized(
            "func f(x: i64, n: i64) -> i64 {\ne:\n    jump head(x, n, &double, &square)\n\
             head(y: i64, m: i64, a: ref, b: ref):\n    branch m, turn(y, b, a, m), out\n\
             turn(z: i64, c: ref, d: ref, k: i64):\n    w: i64 = call_ref(c, z) @i64_to_i64\n    j = sub(k, 1)\n    \
             jump head(w, j, c, d)\nout:\n    return y\n}\n",
        );
        assert_eq!(count, 1, "{text}");
        // The first bit is that of `b`, which is called first.
        assert!(text.contains("jump head(v0, v1, &double, &square, 1, 0)"), "{text}");
        assert!(text.contains("turn(v2, v5, v4, v3, v6, v7)"), "{text}");
        assert!(text.contains("jump head(v14, v15, v9, v10, v13, v12)"), "{text}");
    }

    #[test]
    fn a_chosen_function_is_told_by_the_choice() {
        let (count, text) = devirtualized(
            "func f(x: i64, c: i1) -> i64 {\ne:\n    g = select(c, &double, &square)\n    \
             y: i64 = call_ref(g, x) @i64_to_i64\n    return y\n}\n",
        );
        assert_eq!(count, 1, "{text}");
        assert!(text.contains("select(v1, 1: i1, 0: i1)") && !text.contains("call_ref"), "{text}");
    }

    #[test]
    fn what_may_be_anything_and_what_does_not_fit_stays() {
        let unknown =
            "func f(g: ref, x: i64) -> i64 {\ne:\n    y: i64 = call_ref(g, x) @i64_to_i64\n    return y\n}\n";
        assert_eq!(devirtualized(unknown).0, 0);
        let wrong = "func f() -> i64 {\ne:\n    y: i64 = call_ref(&square) @to_i64\n    return y\n}\n";
        let (count, _) = rewritten(&format!("callee @to_i64\n{FUNCTIONS}{wrong}"), alone);
        assert_eq!(count, 0);
    }
}
