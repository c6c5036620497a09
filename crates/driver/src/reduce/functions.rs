//! Making a program of functions small.
//!
//! Steps of one kind are tried together, kinds in an order from coarse to fine, again until none of them
//! gets anywhere. A candidate is a copy with one step taken; it is asked about only when the verifier is
//! content with it.

use planish_ir::cfg::Cfg;
use planish_ir::{
    Block, BlockCall, Const, Exit, Form, FuncId, Function, Inst, Module, Terminator, Value, verify_module,
};
use planish_ops::{FloatFormat, Int, Real, Type};

use super::oracle::Oracle;

/// A module that fails, of which no step takes anything away any more.
pub fn reduce(module: &Module, oracle: &mut Oracle<'_, Module>) -> Module {
    let mut reducer = Reducer { best: module.clone(), oracle };
    loop {
        let mut gained = reducer.functions();
        for id in reducer.best.functions.ids() {
            gained |= reducer.terminators(id);
            gained |= reducer.instructions(id);
            gained |= reducer.joins(id);
            gained |= reducer.exits(id);
            gained |= reducer.parameters(id);
            gained |= reducer.results(id);
            gained |= reducer.operands(id);
        }
        if !gained || reducer.oracle.is_spent() {
            return reducer.best;
        }
    }
}

struct Reducer<'o, 'a> {
    best: Module,
    oracle: &'o mut Oracle<'a, Module>,
}

impl Reducer<'_, '_> {
    fn function(&self, id: FuncId) -> &Function {
        &self.best.functions[id]
    }

    /// Keeps a candidate if it is sound and fails.
    fn accept(&mut self, candidate: Module) -> bool {
        let fails = verify_module(&candidate, Form::Cfg).is_empty() && self.oracle.fails(&candidate);
        if fails {
            self.best = candidate;
        }
        fails
    }

    /// Tries a change of one function.
    fn try_on(&mut self, id: FuncId, change: impl FnOnce(&mut Function)) -> bool {
        if self.oracle.is_spent() {
            return false;
        }
        let mut candidate = self.best.clone();
        let function = &mut candidate.functions[id];
        change(function);
        let cfg = Cfg::new(function);
        let reached: Vec<Block> =
            function.blocks().iter().copied().filter(|&b| cfg.is_reachable(b)).collect();
        function.set_layout(reached);
        self.accept(candidate)
    }

    /// Functions go, the last first.
    fn functions(&mut self) -> bool {
        let mut gained = false;
        for at in (0..self.best.functions.len()).rev() {
            if self.best.functions.len() > 1 {
                let kept = self.best.functions.values().enumerate().filter(|(i, _)| *i != at);
                let functions = kept.map(|(_, function)| function.clone()).collect();
                // Only traces have bridges, and those are reduced as text.
                let Module { symbols, descriptors, .. } = self.best.clone();
                gained |= self.accept(Module { functions, symbols, descriptors, bridges: Vec::new() });
            }
        }
        gained
    }

    /// Blocks end without a choice, or with fewer.
    fn terminators(&mut self, id: FuncId) -> bool {
        let mut gained = false;
        for block in self.function(id).blocks().to_vec() {
            if !self.function(id).blocks().contains(&block) {
                continue;
            }
            if matches!(self.function(id).terminator(block), Terminator::Return(_) | Terminator::Unreachable)
            {
                continue;
            }
            if self.try_on(id, |f| {
                let zeros: Vec<Value> = f.result_types().to_vec().into_iter().map(|ty| zero(f, ty)).collect();
                let results = f.make_list(&zeros);
                f.set_terminator(block, Terminator::Return(results));
            }) {
                gained = true;
                continue;
            }
            let calls: Vec<BlockCall> = self.function(id).terminator(block).calls().collect();
            if calls.len() < 2 {
                continue;
            }
            let jumps = calls
                .iter()
                .any(|&call| self.try_on(id, |f| f.set_terminator(block, Terminator::Jump(call))));
            gained |= jumps;
            while !jumps && self.drop_case(id, block) {
                gained = true;
            }
        }
        gained
    }

    fn drop_case(&mut self, id: FuncId, block: Block) -> bool {
        let Terminator::Switch { on, cases, default } = self.function(id).terminator(block).clone() else {
            return false;
        };
        (0..cases.len()).any(|at| {
            let fewer = cases.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, case)| *case).collect();
            self.try_on(id, |f| f.set_terminator(block, Terminator::Switch { on, cases: fewer, default }))
        })
    }

    /// Runs of instructions go, their results being zero; then each alone, its results being parameters
    /// of the function or one of its operands.
    fn instructions(&mut self, id: FuncId) -> bool {
        let mut gained = false;
        let all: Vec<Inst> = self.function(id).live_insts().map(|(_, inst)| inst).collect();
        let mut run = all.len().div_ceil(2);
        while run > 0 {
            for chunk in all.rchunks(run) {
                let alive: Vec<Inst> = chunk.iter().copied().filter(|&inst| self.stands(id, inst)).collect();
                if !alive.is_empty() {
                    gained |= self.try_on(id, |f| remove(f, &alive, zero));
                }
            }
            run /= 2;
        }
        for &inst in all.iter().rev() {
            if !self.stands(id, inst) {
                continue;
            }
            let f = self.function(id);
            let results: Vec<Value> = f.results(inst).collect();
            if let [result] = results[..] {
                let same = f.args(inst).iter().copied().filter(|&arg| f.ty(arg) == f.ty(result));
                let operands: Vec<Value> = same.collect();
                if operands.iter().any(|&arg| self.try_on(id, |f| remove(f, &[inst], |_, _| arg))) {
                    gained = true;
                    continue;
                }
            }
            let param = |f: &mut Function, ty| {
                let entry = f.entry();
                f.add_param(entry, ty)
            };
            gained |= !results.is_empty() && self.try_on(id, |f| remove(f, &[inst], param));
        }
        gained
    }

    fn stands(&self, id: FuncId, inst: Inst) -> bool {
        self.function(id).live_insts().any(|(_, other)| other == inst)
    }

    /// A block with one way in, by a jump, becomes part of the block that jumps.
    fn joins(&mut self, id: FuncId) -> bool {
        let mut gained = false;
        for block in self.function(id).blocks().to_vec() {
            while let Terminator::Jump(call) = *self.function(id).terminator(block) {
                let joined = call.block != block
                    && self.function(id).blocks().contains(&block)
                    && self.try_on(id, |f| {
                        let (params, args) =
                            (f.block_params(call.block).to_vec(), f.list(call.args).to_vec());
                        for inst in f.block_insts(call.block).to_vec() {
                            f.append_inst(block, inst);
                        }
                        let terminator = f.take_terminator(call.block);
                        f.replace_insts(call.block, Vec::new());
                        f.set_terminator(block, terminator);
                        substitute(f, &params, &args);
                    });
                if !joined {
                    break;
                }
                gained = true;
            }
        }
        gained
    }

    /// Exits go, or lose their handlers or arguments.
    fn exits(&mut self, id: FuncId) -> bool {
        let mut gained = false;
        let all: Vec<Inst> = self.function(id).live_insts().map(|(_, inst)| inst).collect();
        for inst in all {
            let Some(exit) = self.function(id).inst(inst).exit else { continue };
            if self.try_on(id, |f| f.set_exit(inst, None)) {
                gained = true;
                continue;
            }
            gained |= self.exit_args(id, exit);
        }
        gained
    }

    fn exit_args(&mut self, id: FuncId, exit: Exit) -> bool {
        // A recipe speaks of arguments by position.
        if self.function(id).recipe(exit).is_some() {
            return false;
        }
        let mut gained = false;
        for at in (0..self.function(id).exit_args(exit).len()).rev() {
            let mut args = self.function(id).exit_args(exit).to_vec();
            args.remove(at);
            gained |= self.try_on(id, |f| f.set_exit_args(exit, &args));
        }
        gained
    }

    /// Parameters go: those of the entry when nothing uses them, those of blocks with their arguments.
    fn parameters(&mut self, id: FuncId) -> bool {
        let mut gained = false;
        for block in self.function(id).blocks().to_vec() {
            for at in (0..self.function(id).block_params(block).len()).rev() {
                let param = self.function(id).block_params(block)[at];
                let stands: [fn(&mut Function, Type) -> Value; 2] = [zero, |f, ty| {
                    let entry = f.entry();
                    f.add_param(entry, ty)
                }];
                let entry = self.function(id).entry();
                // A parameter of the entry that becomes one is no progress.
                let ways = if block == entry { 1 } else { 2 };
                gained |= stands[..ways].iter().any(|make| {
                    self.try_on(id, |f| {
                        let instead = make(f, f.ty(param));
                        substitute(f, &[param], &[instead]);
                        f.retain_params(block, |other| other != param);
                        drop_argument(f, block, at);
                    })
                });
            }
        }
        gained
    }

    /// The function gives fewer results.
    fn results(&mut self, id: FuncId) -> bool {
        let mut gained = false;
        for at in (0..self.function(id).result_types().len()).rev() {
            gained |= self.try_on(id, |f| {
                let mut types = f.result_types().to_vec();
                types.remove(at);
                f.set_result_types(&types);
                for block in f.blocks().to_vec() {
                    if let Terminator::Return(results) = *f.terminator(block) {
                        let mut values = f.list(results).to_vec();
                        values.remove(at);
                        let results = f.make_list(&values);
                        f.set_terminator(block, Terminator::Return(results));
                    }
                }
            });
        }
        gained
    }

    /// Operands, arguments and results become constants, as small as can be.
    fn operands(&mut self, id: FuncId) -> bool {
        let mut gained = false;
        let count = places(self.function(id));
        for place in 0..count {
            let Some(value) = nth(self.function(id), place) else { break };
            let f = self.function(id);
            let simpler: Vec<Const> = match f.constant(value) {
                None => small(f.ty(value)).into_iter().take(1).collect(),
                Some(constant) => small(f.ty(value)).into_iter().take_while(|&c| c != constant).collect(),
            };
            gained |= simpler.into_iter().any(|constant| {
                self.try_on(id, |f| {
                    let instead = f.make_constant(constant);
                    let mut at = 0;
                    f.map_uses(|value| {
                        at += 1;
                        if at - 1 == place { instead } else { value }
                    });
                })
            });
        }
        gained
    }
}

/// The number of places where a value is used, in the order of [`Function::map_uses`].
fn places(f: &Function) -> usize {
    let mut count = 0;
    f.clone().map_uses(|value| {
        count += 1;
        value
    });
    count
}

/// What is used at a place.
fn nth(f: &Function, place: usize) -> Option<Value> {
    let (mut at, mut found) = (0, None);
    f.clone().map_uses(|value| {
        if at == place {
            found = Some(value);
        }
        at += 1;
        value
    });
    found
}

/// Constants of a type, the simplest first; none of a type without constants of its own.
fn small(ty: Type) -> Vec<Const> {
    match ty {
        Type::Int(width) => [0, 1, u64::MAX, 2, 3].map(|v| Int::new(u32::from(width), v).into()).to_vec(),
        Type::Float(FloatFormat::F32) => [0.0, 1.0].map(|v| Real::F32(v).into()).to_vec(),
        Type::Float(FloatFormat::F64) => [0.0, 1.0].map(|v| Real::F64(v).into()).to_vec(),
        Type::Ref => vec![Const::Null],
        Type::State => vec![Const::Hole],
        Type::Vector(_) => Vec::new(),
    }
}

fn zero(f: &mut Function, ty: Type) -> Value {
    f.make_constant(small(ty)[0])
}

/// Takes instructions out; `instead` gives what stands for a result.
fn remove(f: &mut Function, insts: &[Inst], instead: impl Fn(&mut Function, Type) -> Value) {
    let results: Vec<Value> = insts.iter().flat_map(|&inst| f.results(inst)).collect();
    let values: Vec<Value> = results.iter().map(|&result| instead(f, f.ty(result))).collect();
    for block in f.blocks().to_vec() {
        let kept = f.block_insts(block).iter().copied().filter(|inst| !insts.contains(inst)).collect();
        f.replace_insts(block, kept);
    }
    substitute(f, &results, &values);
}

/// Puts values in the place of others, also where one of them is put in the place of a third.
fn substitute(f: &mut Function, from: &[Value], to: &[Value]) {
    let step = |value: Value| from.iter().position(|&v| v == value).map_or(value, |at| to[at]);
    // A parameter may be given itself; a chain is no longer than the list.
    f.map_uses(|value| (0..from.len()).fold(value, |value, _| step(value)));
}

/// Takes an argument out of every edge to a block.
fn drop_argument(f: &mut Function, block: Block, at: usize) {
    for from in f.blocks().to_vec() {
        let mut terminator = f.take_terminator(from);
        for call in terminator.calls_mut().filter(|call| call.block == block) {
            let mut args = f.list(call.args).to_vec();
            args.remove(at);
            *call = f.make_call(block, &args);
        }
        f.set_terminator(from, terminator);
        let exits: Vec<Exit> =
            f.handlers(from).filter(|(_, h)| h.block == block).map(|(exit, _)| exit).collect();
        for exit in exits {
            let mut args = f.exit_args(exit).to_vec();
            // The first parameter of a handler is the exception, which is no argument.
            if let Some(at) = at.checked_sub(1).filter(|&at| at < args.len()) {
                args.remove(at);
                f.set_exit_args(exit, &args);
            }
        }
    }
}
