//! Redundant phi elimination (Braun and others, CC 2013): block parameters that are one value whichever way control
//! comes.
//!
//! Lifting a language of variables with handlers, as bytecode is, gives each block where paths meet a parameter for every live
//! variable, and each exit an argument for every variable that its handlers need. Most of those never change: a receiver, a lock, a flag that is set
//! before a `try`. Optimistically, a parameter is nothing so far, one value, or itself (Braun et al., *Simple
//! and Efficient Construction of Static Single Assignment Form*, 2013, with loops by iteration instead of
//! strongly connected components). A handler sees what its exits' blocks see at their *start*, so what is
//! made in such a block still has to be passed. What nothing uses then goes, with its arguments.

use planish_base::{Id, Worklist};

use crate::cfg::Cfg;
use crate::function::{Block, Def, Exit, ExitTarget, Function, Terminator, Value};

/// What one edge brings to a parameter: the value, and the block for an exit that leaves from inside of it.
type Brought = (Value, Option<Block>);

/// Replaces parameters that are one value, and removes those that nothing uses. A handler has to belong to
/// exits with equal lists of handlers only, as lifting makes them; where it does not, its parameters stay.
/// O(size of the function) for each step that a loop nest needs.
pub fn remove_redundant_phis(f: &mut Function) {
    if f.blocks().iter().skip(1).all(|&block| f.block_params(block).is_empty()) {
        return;
    }
    let cfg = Cfg::new(f);
    if cfg.order().len() < f.blocks().len() {
        let layout = f.blocks().iter().copied().filter(|&block| cfg.is_reachable(block)).collect();
        f.set_layout(layout);
    }
    let edges = Edges::new(f, &cfg);
    let leaders = leaders(f, &cfg, &edges);
    if leaders.iter().any(Option::is_some) {
        f.map_uses(|value| leaders[value.index()].unwrap_or(value));
    }
    remove_unused(f, &cfg, &edges, &leaders);
}

/// What every edge brings, by parameter.
struct Edges {
    /// By value where begins what is brought to it, and where the last of that ends.
    first: Vec<u32>,
    brought: Vec<Brought>,
}

impl Edges {
    /// Those of a function. O(size of the function).
    fn new(f: &Function, cfg: &Cfg) -> Edges {
        let mut pairs: Vec<(Value, Brought)> = Vec::new();
        for &block in cfg.order() {
            for call in f.block_calls(block) {
                let params = f.block_params(call.block).iter();
                pairs.extend(params.zip(f.list(call.args)).map(|(&param, &arg)| (param, (arg, None))));
            }
            for (exit, handler) in f.handlers(block) {
                let params = f.block_params(handler.block).iter().skip(1);
                let from = Some(block);
                pairs.extend(params.zip(f.exit_args(exit)).map(|(&param, &arg)| (param, (arg, from))));
            }
        }
        let mut first = vec![0u32; f.value_count() + 1];
        pairs.iter().for_each(|(param, _)| first[param.index() + 1] += 1);
        (1..first.len()).for_each(|place| first[place] += first[place - 1]);
        let mut next = first.clone();
        let mut brought = match pairs.first() {
            Some(&(_, any)) => vec![any; pairs.len()],
            None => Vec::new(),
        };
        for (param, one) in pairs {
            let place = &mut next[param.index()];
            brought[*place as usize] = one;
            *place += 1;
        }
        Edges { first, brought }
    }

    /// What is brought to a parameter.
    fn to(&self, value: Value) -> &[Brought] {
        &self.brought[self.first[value.index()] as usize..self.first[value.index() + 1] as usize]
    }
}

/// The value that each parameter is; nothing for those that are themselves.
fn leaders(f: &Function, cfg: &Cfg, edges: &Edges) -> Vec<Option<Value>> {
    let mut home: Vec<Option<Block>> = vec![None; f.inst_count()];
    for &block in cfg.order() {
        for &inst in f.block_insts(block) {
            home[inst.index()] = Some(block);
        }
    }
    // Parameters with nothing to bring them, those of the entry and what handlers catch, are themselves.
    let is_param = |value: Value| matches!(f.def(value), Def::Param(..));
    let mut known: Vec<Option<Value>> = vec![None; f.value_count()];
    let lead = |known: &[Option<Value>], value: Value| {
        if is_param(value) && !edges.to(value).is_empty() { known[value.index()] } else { Some(value) }
    };
    let mut changed = true;
    while std::mem::replace(&mut changed, false) {
        for &block in cfg.order() {
            for &param in f.block_params(block) {
                if edges.to(param).is_empty() || known[param.index()] == Some(param) {
                    continue;
                }
                let mut one = None;
                for &(arg, from) in edges.to(param) {
                    let Some(value) = lead(&known, arg) else { continue };
                    let is_inside =
                        from.is_some() && f.def_inst(value).is_some_and(|inst| home[inst.index()] == from);
                    one = match one {
                        _ if is_inside => Some(param),
                        None => Some(value),
                        Some(other) if other == value => one,
                        Some(_) => Some(param),
                    };
                    if one == Some(param) {
                        break;
                    }
                }
                if one != known[param.index()] {
                    // From one value it only goes on to itself, so that this ends.
                    known[param.index()] = if known[param.index()].is_some() { Some(param) } else { one };
                    changed = true;
                }
            }
        }
    }
    let places = (0..f.value_count()).map(|place| known[place].filter(|leader| leader.index() != place));
    places.collect()
}

/// Removes the parameters that nothing but themselves needs, and what is passed for them.
fn remove_unused(f: &mut Function, cfg: &Cfg, edges: &Edges, leaders: &[Option<Value>]) {
    let used = used(f, cfg, edges, leaders);
    let blocks: Vec<Block> = cfg.order().to_vec();
    // A place among the arguments of an exit goes only if no handler needs it.
    let mut is_handler = vec![false; f.block_count()];
    let mut exits = Vec::new();
    for &block in &blocks {
        for (exit, handler) in f.handlers(block) {
            is_handler[handler.block.index()] = true;
            if exits.last() != Some(&exit) {
                exits.push(exit);
            }
        }
    }
    exits.sort_unstable();
    exits.dedup();
    let mut lists: Vec<(Vec<Block>, Vec<bool>)> = Vec::new();
    let mut list_of: Vec<Option<usize>> = vec![None; f.block_count()];
    let mut kept: Vec<(Exit, usize)> = Vec::new();
    for &exit in &exits {
        let ExitTarget::To(handlers) = &f.exit(exit).target else { continue };
        let handlers: Vec<Block> = handlers.iter().map(|handler| handler.block).collect();
        let known = handlers.first().and_then(|handler| list_of[handler.index()]);
        let known = known.filter(|&list| lists[list].0 == handlers);
        let list = match known {
            Some(list) => list,
            // A handler of two different lists keeps everything, and so do both.
            None if handlers.iter().any(|handler| list_of[handler.index()].is_some()) => return,
            None => {
                let places = f.exit_args(exit).len();
                let needs = |place: usize| {
                    let needs = |block: &Block| {
                        f.block_params(*block).get(place + 1).is_none_or(|param| used[param.index()])
                    };
                    handlers.iter().any(needs)
                };
                let needs = (0..places).map(needs).collect();
                handlers.iter().for_each(|handler| list_of[handler.index()] = Some(lists.len()));
                lists.push((handlers, needs));
                lists.len() - 1
            }
        };
        kept.push((exit, list));
    }
    for (exit, list) in kept {
        let needs = &lists[list].1;
        if needs.contains(&false) {
            let args = f.exit_args(exit).iter().zip(needs).filter(|(_, needed)| **needed);
            let args: Vec<Value> = args.map(|(&arg, _)| arg).collect();
            f.set_exit_args(exit, &args);
        }
    }
    // Edges, before the parameters that they are for are gone.
    for &block in &blocks {
        let mut terminator = f.take_terminator(block);
        for call in terminator.calls_mut() {
            let params = f.block_params(call.block);
            if call.block != f.entry() && params.iter().any(|param| !used[param.index()]) {
                let args = params.iter().zip(f.list(call.args)).filter(|(param, _)| used[param.index()]);
                let args: Vec<Value> = args.map(|(_, &arg)| arg).collect();
                call.args = f.make_list(&args);
            }
        }
        f.set_terminator(block, terminator);
    }
    for &block in &blocks {
        if block == f.entry() {
            continue;
        }
        if !is_handler[block.index()] {
            f.retain_params(block, |param| used[param.index()]);
        } else if let Some(list) = list_of[block.index()] {
            let mut places = std::iter::once(true).chain(lists[list].1.iter().copied());
            f.retain_params(block, |_| places.next().unwrap_or(true));
        }
    }
}

/// The values that an instruction or the end of a block uses, and what those that are parameters are made of.
fn used(f: &Function, cfg: &Cfg, edges: &Edges, leaders: &[Option<Value>]) -> Vec<bool> {
    let mut work: Worklist<Value> = Worklist::default();
    for &block in cfg.order() {
        for &inst in f.block_insts(block) {
            work.extend_from_slice(f.args(inst));
            // What is passed to whoever is outside matters.
            if let Some(exit) = f.inst(inst).exit
                && !matches!(f.exit(exit).target, ExitTarget::To(_))
            {
                work.extend_from_slice(f.exit_args(exit));
            }
        }
        let terminator = f.terminator(block);
        work.extend(terminator.condition());
        if let Terminator::Return(results) = terminator {
            work.extend_from_slice(f.list(*results));
        }
    }
    let mut used = vec![false; f.value_count()];
    while let Some(value) = work.pop() {
        if !std::mem::replace(&mut used[value.index()], true) {
            let args = edges.to(value).iter().map(|&(arg, _)| arg);
            work.extend(args.map(|arg| leaders[arg.index()].unwrap_or(arg)));
        }
    }
    used
}
