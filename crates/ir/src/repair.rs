//! SSA repair (LLVM's `SSAUpdater`): SSA again, after a value got several definitions.
//!
//! A pass that copies blocks leaves values that are defined in two places. Each group of such values is one
//! variable; every use of a member becomes a use of the definition that reaches it, through new block
//! parameters where different ones meet.
//!
//! Where a variable is needed at the start of a block is found backwards from its uses. What reaches there is
//! found forwards and optimistically, as in constant propagation: nothing yet, one definition, or, where
//! two meet, a parameter. So no parameter is made where one definition would do, loops included.
//!
//! O(size of the function) for one walk over it, and for each variable O(blocks between its definitions and
//! uses), a few times.

use hashbrown::HashMap;
use planish_base::SideTable;
use rustc_hash::FxBuildHasher;

use crate::cfg::Cfg;
use crate::function::{Block, Function, Terminator, Value};

/// Lets every use of a value in a group see the definition of the group that reaches it. Blocks that cannot
/// be reached go. Every path to a use passes a definition, and no handler needs a member of a group where it is entered:
/// what an exit passes on is not changed.
pub fn repair(f: &mut Function, groups: &[Vec<Value>]) {
    let cfg = Cfg::new(f);
    if cfg.order().len() < f.blocks().len() {
        let layout: Vec<Block> = f.blocks().iter().copied().filter(|&b| cfg.is_reachable(b)).collect();
        f.set_layout(layout);
    }
    let mut variables = SideTable::<Value, u32>::new();
    for (group, number) in groups.iter().zip(1..) {
        group.iter().for_each(|&value| variables[value] = number);
    }
    let mut repair = Repair {
        cfg: &cfg,
        variables,
        last: HashMap::default(),
        exposed: vec![Vec::new(); groups.len()],
        first: HashMap::default(),
        params: vec![Vec::new(); cfg.order().len()],
        seen: vec![0; cfg.order().len()],
    };
    repair.inside_blocks(f);
    for (variable, group) in (0..).zip(groups) {
        repair.reach(f, variable, f.ty(group[0]));
    }
    repair.exposed_uses(f);
    repair.arguments(f);
}

/// Replaces what a block uses by what `map` gives for it; lists of exits that other blocks have, too, stay as they are there.
pub fn map_uses_in(f: &mut Function, block: Block, mut map: impl FnMut(Value) -> Value) {
    visit(f, block, &mut |event| {
        if let Event::Use(value) = event {
            *value = map(*value);
        }
    });
}

struct Repair<'a> {
    cfg: &'a Cfg,
    /// The variable of a value, from 1; 0 for all others.
    variables: SideTable<Value, u32>,
    /// The last definition of a variable in a block.
    last: HashMap<(u32, u32), Value, FxBuildHasher>,
    /// By variable: the blocks that use it before they define it.
    exposed: Vec<Vec<u32>>,
    /// What a variable is at the start of a block where it is needed.
    first: HashMap<(u32, u32), Value, FxBuildHasher>,
    /// By block: the variables that got parameters, in their order.
    params: Vec<Vec<u32>>,
    /// By block: the last variable, from 1, that was found to be needed there.
    seen: Vec<u32>,
}

impl Repair<'_> {
    fn variable(&self, value: Value) -> Option<u32> {
        self.variables[value].checked_sub(1)
    }

    /// Settles uses behind a definition in the same block, notes the others.
    fn inside_blocks(&mut self, f: &mut Function) {
        for (number, &block) in (0..).zip(self.cfg.order()) {
            let mut now: HashMap<u32, Value, FxBuildHasher> = HashMap::default();
            for &param in f.block_params(block) {
                if let Some(variable) = self.variable(param) {
                    now.insert(variable, param);
                }
            }
            let mut exposed = Vec::new();
            visit(f, block, &mut |event| match event {
                Event::Use(value) => {
                    if let Some(variable) = self.variable(*value) {
                        match now.get(&variable) {
                            Some(&known) => *value = known,
                            None => exposed.push(variable),
                        }
                    }
                }
                Event::Definition(value) => {
                    if let Some(variable) = self.variable(value) {
                        now.insert(variable, value);
                    }
                }
            });
            exposed.sort_unstable();
            exposed.dedup();
            exposed.iter().for_each(|&variable| self.exposed[variable as usize].push(number));
            let mut all: Vec<(u32, Value)> = now.into_iter().collect();
            all.sort_unstable();
            all.into_iter().for_each(|(variable, value)| {
                self.last.insert((variable, number), value);
            });
        }
    }

    /// Finds what reaches every block that needs a variable.
    fn reach(&mut self, f: &mut Function, variable: u32, ty: planish_ops::Type) {
        let mut needed: Vec<u32> = self.exposed[variable as usize].clone();
        needed.iter().for_each(|&block| self.seen[block as usize] = variable + 1);
        let mut next = 0;
        while let Some(&block) = needed.get(next) {
            next += 1;
            debug_assert_ne!(block, 0, "every path to a use passes a definition");
            for &pred in self.cfg.preds().of(block) {
                if !self.last.contains_key(&(variable, pred)) && self.seen[pred as usize] != variable + 1 {
                    self.seen[pred as usize] = variable + 1;
                    needed.push(pred);
                }
            }
        }
        needed.sort_unstable();
        loop {
            let mut changed = false;
            for &block in &needed {
                let known = self.first.get(&(variable, block)).copied();
                if self.params[block as usize].last() == Some(&variable) {
                    continue;
                }
                let mut came = None;
                let mut differ = false;
                for &pred in self.cfg.preds().of(block) {
                    if let Some(value) = self.at_end(variable, pred) {
                        differ |= came.is_some_and(|other| other != value);
                        came = Some(value);
                    }
                }
                if differ {
                    came = Some(f.add_param(self.cfg.block(block), ty));
                    self.params[block as usize].push(variable);
                }
                if let Some(value) = came.filter(|_| came != known) {
                    self.first.insert((variable, block), value);
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    fn at_end(&self, variable: u32, block: u32) -> Option<Value> {
        self.last.get(&(variable, block)).or_else(|| self.first.get(&(variable, block))).copied()
    }

    /// Settles the uses in front of every definition in their block.
    fn exposed_uses(&self, f: &mut Function) {
        let mut blocks: Vec<u32> = self.exposed.iter().flatten().copied().collect();
        blocks.sort_unstable();
        blocks.dedup();
        for number in blocks {
            let block = self.cfg.block(number);
            let mut behind: HashMap<u32, (), FxBuildHasher> = HashMap::default();
            let params = f.block_params(block).iter().filter_map(|&param| self.variable(param));
            behind.extend(params.map(|variable| (variable, ())));
            visit(f, block, &mut |event| match event {
                Event::Use(value) => {
                    if let Some(variable) = self.variable(*value).filter(|v| !behind.contains_key(v)) {
                        *value = self.first[&(variable, number)];
                    }
                }
                Event::Definition(value) => {
                    if let Some(variable) = self.variable(value) {
                        behind.insert(variable, ());
                    }
                }
            });
        }
    }

    /// Passes the new parameters.
    fn arguments(&self, f: &mut Function) {
        for (number, &block) in (0..).zip(self.cfg.order()) {
            if self.cfg.succs().of(number).iter().all(|&to| self.params[to as usize].is_empty()) {
                continue;
            }
            let mut terminator = f.take_terminator(block);
            for call in terminator.calls_mut() {
                let target = self.cfg.number(call.block).expect("what a reached block goes to is reached");
                let mut args = f.list(call.args).to_vec();
                args.extend(self.params[target as usize].iter().map(|&variable| {
                    self.at_end(variable, number).expect("every path to a use passes a definition")
                }));
                *call = f.make_call(call.block, &args);
            }
            f.set_terminator(block, terminator);
        }
    }
}

enum Event<'a> {
    Use(&'a mut Value),
    Definition(Value),
}

/// Visits the uses and definitions of a block in order, parameters apart. Exits get lists of their own.
fn visit(f: &mut Function, block: Block, each: &mut dyn FnMut(Event<'_>)) {
    for index in 0..f.block_insts(block).len() {
        let inst = f.block_insts(block)[index];
        f.args_mut(inst).iter_mut().for_each(|arg| each(Event::Use(arg)));
        let row = f.row(inst);
        let after = row.exits == planish_ops::Exits::After;
        if !after && let Some(exit) = f.inst(inst).exit {
            let exit = own_exit(f, exit, each);
            f.set_exit(inst, Some(exit));
        }
        f.results(inst).for_each(|result| each(Event::Definition(result)));
        if after && let Some(exit) = f.inst(inst).exit {
            let exit = own_exit(f, exit, each);
            f.set_exit(inst, Some(exit));
        }
    }
    let mut terminator = f.take_terminator(block);
    match &mut terminator {
        Terminator::Branch { condition: value, .. } | Terminator::Switch { on: value, .. } => {
            each(Event::Use(value));
        }
        Terminator::Return(results) => f.list_mut(*results).iter_mut().for_each(|v| each(Event::Use(v))),
        Terminator::Throw(value, exit) => {
            each(Event::Use(value));
            *exit = exit.map(|exit| own_exit(f, exit, each));
        }
        Terminator::Jump(_) | Terminator::Unreachable => {}
    }
    for call in terminator.calls_mut() {
        f.list_mut(call.args).iter_mut().for_each(|arg| each(Event::Use(arg)));
    }
    f.set_terminator(block, terminator);
}

/// An exit like another whose arguments were visited.
fn own_exit(f: &mut Function, exit: crate::Exit, each: &mut dyn FnMut(Event<'_>)) -> crate::Exit {
    let mut args = f.exit_args(exit).to_vec();
    args.iter_mut().for_each(|arg| each(Event::Use(arg)));
    if args == f.exit_args(exit) {
        return exit;
    }
    f.make_exit_like(exit, &args, None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::copy::copy_blocks;
    use crate::text::{self, read};
    use crate::{Form, Module, verify};

    fn parsed(source: &str) -> Module {
        let (module, diagnostics) = read(source);
        assert!(!diagnostics.has_errors());
        module
    }

    /// Peels the loop at `head` once.
    fn peel(f: &mut Function, blocks: &[Block]) {
        let copied = copy_blocks(f, blocks);
        let head = blocks[0];
        for &block in f.blocks().to_vec().iter() {
            let inside = blocks.contains(&block);
            let copy = blocks.iter().any(|&old| copied.block(old) == Some(block));
            let mut terminator = f.take_terminator(block);
            for call in terminator.calls_mut() {
                if !inside && !copy && call.block == head {
                    call.block = copied.block(head).expect("it was copied");
                } else if copy && call.block == copied.block(head).expect("it was copied") {
                    call.block = head;
                }
            }
            f.set_terminator(block, terminator);
        }
        repair(f, &copied.groups());
    }

    #[test]
    fn a_peeled_loop_has_parameters_only_where_definitions_meet() {
        let mut module = parsed(
            "func f(v0: i64) -> i64 {\ne:\n    jump h(0, v0)\nh(v1: i64, v2: i64):\n    v3 = add(v1, v2)\n    \
             v4 = mul(v3, 3)\n    branch v4, h(v3, v0), x\nx:\n    v5 = add(v4, v3)\n    return v5\n}\n",
        );
        let f = module.functions.values_mut().next().expect("a function");
        let head = f.blocks()[1];
        peel(f, &[head]);
        assert!(verify(f, Form::Cfg).is_empty());
        let exit = f.blocks()[2];
        assert_eq!(f.block_params(exit).len(), 2, "{}", text::write(&module, text::Options::default()));
    }

    #[test]
    fn no_parameter_where_one_definition_reaches_around_a_loop() {
        // The value of block a is copied, but only one of its definitions reaches the loop.
        let mut module = parsed(
            "func f(v0: i64) -> i64 {\ne:\n    branch v0, a, b\na:\n    v1 = add(v0, 1)\n    jump h\nb:\n    \
             return v0\nh:\n    branch v1, h, x\nx:\n    return v1\n}\n",
        );
        let f = module.functions.values_mut().next().expect("a function");
        let a = f.blocks()[1];
        let copied = copy_blocks(f, &[a]);
        let entry = f.entry();
        let mut terminator = f.take_terminator(entry);
        terminator.calls_mut().filter(|call| call.block == a).for_each(|call| {
            call.block = copied.block(a).expect("it was copied");
        });
        f.set_terminator(entry, terminator);
        repair(f, &copied.groups());
        assert!(verify(f, Form::Cfg).is_empty());
        assert!(f.blocks().iter().skip(1).all(|&block| f.block_params(block).is_empty()));
        assert_eq!(f.blocks().len(), 5, "the first definition is gone");
    }
}
