//! Changing an existing function. Nothing else does.
//!
//! Every edit leaves the arenas consistent (a result knows its instruction, a parameter its block);
//! whether uses are still dominated by definitions is the verifier's to say. Ids are never reused.

use planish_base::{Arena, Id, List};
use planish_ops::world::Descr;
use planish_ops::{Op, Type};

use crate::builder::result_type;
use crate::function::{
    Block, BlockCall, BlockData, Def, Entrance, Exit, ExitData, ExitTarget, Function, Inst, InstData,
    Location, Terminator, Value, ValueData,
};
use crate::heirs::Heirs;
use crate::recipe::{Recipe, RecipeId};

impl Function {
    /// Forgets everything and keeps the memory: a function of a name, without blocks.
    pub fn reset(&mut self, name: &str) {
        self.name.clear();
        self.name.push_str(name);
        self.result_types.clear();
        self.values.clear();
        self.insts.clear();
        for block in self.blocks.values_mut() {
            let mut insts = std::mem::take(&mut block.insts);
            insts.clear();
            self.spare.push(insts);
        }
        self.blocks.clear();
        self.exits.clear();
        let mut recipes = std::mem::take(&mut self.recipes);
        recipes.drain().for_each(|recipe| self.give_back(recipe));
        self.recipes = recipes;
        self.lists.clear();
        self.constants.clear();
        self.constant_values.clear();
        self.layout.clear();
        self.any_handlers = false;
        self.pruned = false;
        self.block_names.clear();
        self.entrances.clear();
        self.heirs = Heirs::default();
    }

    /// Makes an instruction that stands nowhere yet. `named` are the result types that the operands do
    /// not determine. Panics when one is missing.
    pub fn make_inst(
        &mut self,
        op: Op,
        args: &[Value],
        named: &[Type],
        descr: Option<Descr>,
        exit: Option<Exit>,
        location: Location,
    ) -> Inst {
        let args_list = self.lists.push(args);
        let inst = self.insts.push(InstData {
            op,
            results: 0,
            first_result: None,
            args: args_list,
            descr,
            exit,
            location,
        });
        let row = op.row();
        if row.free_results {
            named.iter().for_each(|&ty| self.push_result(inst, ty));
        }
        let mut named = named.iter().copied();
        for &shape in row.results {
            let ty = result_type(row, shape, |at| args.get(at).map(|&arg| self.ty(arg)), &mut named);
            let ty = ty.unwrap_or_else(|| panic!("{op} is made without the type of a result"));
            self.push_result(inst, ty);
        }
        inst
    }

    /// A second instruction like one, on the same operands, that stands nowhere yet. It has lists, results
    /// and an exit of its own.
    pub fn copy_inst(&mut self, inst: Inst) -> Inst {
        let mut data = self.insts[inst];
        let types: Vec<Type> = self.results(inst).map(|result| self.ty(result)).collect();
        let args = self.lists.get(data.args).to_vec();
        data.args = self.lists.push(&args);
        data.exit = data.exit.map(|exit| {
            let copy = self.exits[exit].clone();
            self.exits.push(copy)
        });
        (data.first_result, data.results) = (None, 0);
        let copy = self.insts.push(data);
        types.into_iter().for_each(|ty| self.push_result(copy, ty));
        copy
    }

    /// An instruction like one of another function, that stands nowhere yet. Its operands are still those of
    /// the other function: the caller replaces them. It has no exit.
    pub fn adopt_inst(&mut self, from: &Function, inst: Inst) -> Inst {
        let mut data = from.insts[inst];
        let types: Vec<Type> = from.results(inst).map(|result| from.ty(result)).collect();
        data.args = self.lists.push(from.args(inst));
        data.exit = None;
        (data.first_result, data.results) = (None, 0);
        let copy = self.insts.push(data);
        types.into_iter().for_each(|ty| self.push_result(copy, ty));
        copy
    }

    fn push_result(&mut self, inst: Inst, ty: Type) {
        let data = &mut self.insts[inst];
        let value = self.values.push(ValueData { ty, def: Def::Result(inst, data.results) });
        data.first_result.get_or_insert(value);
        data.results += 1;
    }

    /// Replaces the instructions of a block and returns the old list, whose memory may be used again.
    pub fn replace_insts(&mut self, block: Block, insts: Vec<Inst>) -> Vec<Inst> {
        self.pruned = true;
        std::mem::replace(&mut self.blocks[block].insts, insts)
    }

    /// Appends an instruction that stands nowhere to a block.
    pub fn append_inst(&mut self, block: Block, inst: Inst) {
        self.blocks[block].insts.push(inst);
    }

    /// Lets an instruction name another field, callee or kind of guard.
    pub fn set_descr(&mut self, inst: Inst, descr: Option<Descr>) {
        self.insts[inst].descr = descr;
    }

    /// The operands of an instruction, to change in place.
    #[inline]
    pub fn args_mut(&mut self, inst: Inst) -> &mut [Value] {
        self.lists.get_mut(self.insts[inst].args)
    }

    /// Lets an instruction be another operation on other operands. Its results stay, and keep their
    /// types: the caller sees to it that they fit.
    pub fn rewrite_inst(&mut self, inst: Inst, op: Op, args: &[Value]) {
        self.pruned = true;
        self.insts[inst].op = op;
        self.insts[inst].args = self.lists.push(args);
    }

    /// Gives an instruction another exit, or none.
    pub fn set_exit(&mut self, inst: Inst, exit: Option<Exit>) {
        self.pruned = true;
        self.insts[inst].exit = exit;
    }

    /// Makes a side exit; `neighbour` is an exit whose argument list is shared when it is equal.
    pub fn make_exit(&mut self, target: ExitTarget, args: &[Value], neighbour: Option<Exit>) -> Exit {
        let shared = neighbour.map_or(List::EMPTY, |exit| self.exits[exit].args);
        let args = self.lists.push_shared(args, shared);
        self.any_handlers |= matches!(target, ExitTarget::To(_));
        self.exits.push(ExitData { target, args, recipe: None, open: false })
    }

    /// Makes a side exit like one, its recipe included, with other values for its arguments; `neighbour` is as
    /// for [`make_exit`](Self::make_exit).
    pub fn make_exit_like(&mut self, like: Exit, args: &[Value], neighbour: Option<Exit>) -> Exit {
        let ExitData { target, recipe, open, .. } = self.exits[like].clone();
        let exit = self.make_exit(target, args, neighbour);
        (self.exits[exit].recipe, self.exits[exit].open) = (recipe, open);
        exit
    }

    /// Lets an exit make something of its arguments. Exits with equal recipes one after the other share one.
    pub fn set_recipe(&mut self, exit: Exit, recipe: Recipe) {
        let last = self.recipes.len().checked_sub(1).map(RecipeId::from_index);
        let shared = last.filter(|&last| self.recipes[last] == recipe);
        let id = match shared {
            Some(last) => {
                self.give_back(recipe);
                last
            }
            None => self.recipes.push(recipe),
        };
        self.exits[exit].recipe = Some(id);
    }

    /// An empty recipe, in memory that was used before if there is some.
    pub fn spare_recipe(&mut self) -> Recipe {
        self.spare_recipes.pop().unwrap_or_default()
    }

    /// Takes the memory of a recipe back.
    fn give_back(&mut self, mut recipe: Recipe) {
        recipe.clear();
        self.spare_recipes.push(recipe);
    }

    /// Replaces the arguments of an exit. Where it has a recipe, they are for the same positions.
    pub fn set_exit_args(&mut self, exit: Exit, args: &[Value]) {
        self.pruned = true;
        self.exits[exit].args = self.lists.push(args);
    }

    /// A list of values in this function's pool.
    pub fn make_list(&mut self, values: &[Value]) -> List<Value> {
        self.lists.push(values)
    }

    /// A block with arguments, for a terminator.
    pub fn make_call(&mut self, block: Block, args: &[Value]) -> BlockCall {
        BlockCall { block, args: self.lists.push(args) }
    }

    /// Replaces the way a block ends.
    pub fn set_terminator(&mut self, block: Block, terminator: Terminator) {
        let before = std::mem::replace(&mut self.blocks[block].terminator, terminator);
        self.pruned |= !matches!(before, Terminator::Unreachable);
    }

    /// Appends a parameter to a block. Blocks that go there must get one more argument. Several in a row are
    /// O(1) each.
    pub fn add_param(&mut self, block: Block, ty: Type) -> Value {
        let params = self.blocks[block].params;
        let value = self.values.push(ValueData { ty, def: Def::Param(block, params.len() as u32) });
        let longer = self.lists.push_behind(params, value);
        self.pruned |= !params.is_empty() && !params.grew_into(longer);
        self.blocks[block].params = longer;
        value
    }

    /// Keeps those parameters of a block for which `keep` holds, in order. Blocks that go there must
    /// drop the same arguments.
    pub fn retain_params(&mut self, block: Block, keep: impl FnMut(Value) -> bool) {
        self.pruned = true;
        let params = self.lists.retain(self.blocks[block].params, keep);
        for (i, &param) in self.lists.get(params).iter().enumerate() {
            self.values[param].def = Def::Param(block, i as u32);
        }
        self.blocks[block].params = params;
    }

    /// Gives a block these parameters, in this order; they are parameters of it already. Blocks that go
    /// there must pass arguments for them.
    pub fn set_params(&mut self, block: Block, params: &[Value]) {
        self.pruned = true;
        for (i, &param) in params.iter().enumerate() {
            debug_assert!(matches!(self.values[param].def, Def::Param(home, _) if home == block));
            self.values[param].def = Def::Param(block, i as u32);
        }
        self.blocks[block].params = self.lists.push(params);
    }

    /// The values of a list, to change in place. Lists of instructions and terminators are never
    /// shared; those of exits may be, and are replaced with [`set_exit_args`](Self::set_exit_args).
    pub fn list_mut(&mut self, list: List<Value>) -> &mut [Value] {
        self.lists.get_mut(list)
    }

    /// Takes the terminator of a block, which ends as unreachable until it is set again.
    pub fn take_terminator(&mut self, block: Block) -> Terminator {
        self.pruned = true;
        std::mem::replace(&mut self.blocks[block].terminator, Terminator::Unreachable)
    }

    /// Makes a block at the end of the layout; it ends as unreachable.
    pub fn make_block(&mut self) -> Block {
        let insts = self.spare.pop().unwrap_or_default();
        let data = BlockData { params: List::EMPTY, insts, terminator: Terminator::Unreachable };
        let block = self.blocks.push(data);
        self.layout.push(block);
        block
    }

    /// Replaces the types of the results. Every return must be changed alike.
    pub fn set_result_types(&mut self, types: &[Type]) {
        self.result_types.clear();
        self.result_types.extend_from_slice(types);
    }

    /// Names a block for people.
    pub fn name_block(&mut self, block: Block, name: &str) {
        self.block_names[block] = Some(name.into());
    }

    /// Replaces the order of blocks; a block left out does not exist any more. The first is the entry.
    pub fn set_layout(&mut self, layout: Vec<Block>) {
        self.pruned = true;
        self.layout = layout;
    }

    /// Takes every block out for which `keep` does not hold.
    pub fn retain_blocks(&mut self, mut keep: impl FnMut(Block) -> bool) {
        self.pruned = true;
        self.layout.retain(|&block| keep(block));
        self.entrances.retain(|entrance| self.layout.contains(&entrance.block));
    }

    /// Lets control come to a block from other functions too: from those that return behind a marker with the
    /// descriptor.
    pub fn add_entrance(&mut self, block: Block, descr: Descr) {
        self.entrances.push(Entrance { block, descr });
    }

    /// Lets other functions come only to those blocks whose entrance's descriptor is kept.
    pub fn retain_entrances(&mut self, mut keep: impl FnMut(Descr) -> bool) {
        self.entrances.retain(|entrance| keep(entrance.descr));
    }

    /// Gives the exits that leave other numbers.
    pub fn renumber_exits(&mut self, mut number: impl FnMut(u32) -> u32) {
        for exit in self.exits.values_mut() {
            if let ExitTarget::Leave(old) = &mut exit.target {
                *old = number(*old);
            }
        }
    }

    /// Replaces every operand, argument and result by what `map` gives for it, in every block that
    /// exists, exits included. O(size of the function).
    pub fn map_uses(&mut self, mut map: impl FnMut(Value) -> Value) {
        self.pruned = true;
        let mut heirs = std::mem::take(&mut self.heirs);
        let mut map = |value| {
            let by = map(value);
            heirs.add(value, by);
            by
        };
        let mut seen_exits: Arena<Exit, bool> = self.exits.values().map(|_| false).collect();
        // Lists of instructions and terminators are never shared; those of exits may be.
        for index in 0..self.layout.len() {
            let block = self.layout[index];
            for position in 0..self.blocks[block].insts.len() {
                let inst = self.blocks[block].insts[position];
                let list = self.insts[inst].args;
                for value in self.lists.get_mut(list) {
                    *value = map(*value);
                }
                if let Some(exit) = self.insts[inst].exit {
                    self.map_exit(exit, &mut seen_exits, &mut map);
                }
            }
            let mut terminator =
                std::mem::replace(&mut self.blocks[block].terminator, Terminator::Unreachable);
            let mut list = |lists: &mut planish_base::ListPool<Value>, list: List<Value>| {
                for value in lists.get_mut(list) {
                    *value = map(*value);
                }
            };
            match &mut terminator {
                Terminator::Jump(call) => list(&mut self.lists, call.args),
                Terminator::Branch { condition, then, other } => {
                    list(&mut self.lists, then.args);
                    list(&mut self.lists, other.args);
                    *condition = map(*condition);
                }
                Terminator::Switch { on, cases, default } => {
                    for (_, call) in cases.iter() {
                        list(&mut self.lists, call.args);
                    }
                    list(&mut self.lists, default.args);
                    *on = map(*on);
                }
                Terminator::Return(results) => list(&mut self.lists, *results),
                Terminator::Throw(value, exit) => {
                    *value = map(*value);
                    if let Some(exit) = *exit {
                        self.map_exit(exit, &mut seen_exits, &mut map);
                    }
                }
                Terminator::Unreachable => {}
            }
            self.blocks[block].terminator = terminator;
        }
        self.heirs = heirs;
    }

    /// Maps the arguments of an exit, once. Exits may share a list, so the mapped one is a new list.
    fn map_exit(&mut self, exit: Exit, seen: &mut Arena<Exit, bool>, map: &mut impl FnMut(Value) -> Value) {
        if std::mem::replace(&mut seen[exit], true) {
            return;
        }
        let old = self.lists.get(self.exits[exit].args);
        let mapped: Vec<Value> = old.iter().map(|&value| map(value)).collect();
        if mapped != old {
            self.exits[exit].args = self.lists.push(&mapped);
        }
    }
}
