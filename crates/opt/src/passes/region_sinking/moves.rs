//! Putting regions elsewhere. No value is renamed: a region keeps its blocks, and so does what it hands on the block at which it
//! ends, with its parameters. Of that block the operations and the end become a block of their own, to which control goes at once.

use planish_base::SideTable;
use planish_ir::{Block, BlockCall, Cfg, Function, Inst, Terminator, Value};
use planish_ops::Type;

use super::regions::Start;

/// A region goes to an edge.
pub(super) struct Move {
    pub start: Start,
    /// The edges into the loop with which it begins. An edge is the block from which it comes, and which of its calls it is.
    pub entries: Vec<(u32, u32)>,
    pub end: u32,
    /// The edge to which it goes.
    pub to: (u32, u32),
    /// The operations of the block in front that come along.
    pub pulled: Vec<Inst>,
}

/// Carries moves out, in the order in which they were found.
pub(super) fn carry_out(f: &mut Function, cfg: &Cfg, moves: &[Move]) {
    let mut mover = Mover { f, cfg, tails: SideTable::new() };
    moves.iter().for_each(|next| mover.carry_out(next));
}

struct Mover<'a> {
    f: &'a mut Function,
    cfg: &'a Cfg,
    /// The block that ends as a block of the graph did, if that is another one.
    tails: SideTable<Block, Option<Block>>,
}

impl Mover<'_> {
    fn carry_out(&mut self, next: &Move) {
        let rest = self.f.make_block();
        let call = match next.start {
            Start::Branch(number) => self.leave_branch(number, rest, &next.pulled),
            Start::Loop(header) => self.leave_loop(header, rest, next),
        };
        let end = self.cfg.block(next.end);
        let insts = self.f.replace_insts(end, Vec::new());
        self.f.replace_insts(rest, insts);
        let terminator = self.f.take_terminator(end);
        self.f.set_terminator(rest, terminator);
        self.tails[end].get_or_insert(rest);
        let on = self.replace_call(next.to, call);
        self.f.set_terminator(end, Terminator::Jump(on));
    }

    /// Lets an edge lead elsewhere; where it led.
    fn replace_call(&mut self, (from, index): (u32, u32), by: BlockCall) -> BlockCall {
        let block = self.cfg.block(from);
        let tail = self.tails[block].unwrap_or(block);
        let mut terminator = self.f.take_terminator(tail);
        let call = terminator.calls_mut().nth(index as usize).expect("the block has that edge");
        let before = std::mem::replace(call, by);
        self.f.set_terminator(tail, terminator);
        before
    }

    /// A block goes on at `rest` instead of branching. How to come to the branch.
    fn leave_branch(&mut self, number: u32, rest: Block, pulled: &[Inst]) -> BlockCall {
        let block = self.cfg.block(number);
        let branch = self.f.make_block();
        let terminator = self.f.take_terminator(block);
        self.f.set_terminator(branch, terminator);
        let call = self.f.make_call(rest, &[]);
        self.f.set_terminator(block, Terminator::Jump(call));
        self.tails[block] = Some(branch);
        self.pull(block, branch, pulled);
        self.f.make_call(branch, &[])
    }

    /// What leads into a loop goes on at `rest` instead. How to come to the loop.
    fn leave_loop(&mut self, header: u32, rest: Block, next: &Move) -> BlockCall {
        let header = self.cfg.block(header);
        if let [entry] = *next.entries.as_slice() {
            let by = self.f.make_call(rest, &[]);
            let enter = self.replace_call(entry, by);
            if next.pulled.is_empty() {
                return enter;
            }
            let front = self.f.make_block();
            self.f.set_terminator(front, Terminator::Jump(enter));
            self.pull(self.cfg.block(entry.0), front, &next.pulled);
            return self.f.make_call(front, &[]);
        }
        // What the edges pass differs: a block in front of the rest gets it.
        let front = self.f.make_block();
        let types: Vec<Type> = self.f.block_params(header).iter().map(|&param| self.f.ty(param)).collect();
        let passed: Vec<Value> = types.into_iter().map(|ty| self.f.add_param(front, ty)).collect();
        for &entry in &next.entries {
            let nothing = self.f.make_call(rest, &[]);
            let enter = self.replace_call(entry, nothing);
            self.replace_call(entry, BlockCall { block: front, ..enter });
        }
        let call = self.f.make_call(rest, &[]);
        self.f.set_terminator(front, Terminator::Jump(call));
        self.f.make_call(header, &passed)
    }

    /// Operations of a block go to the beginning of another one.
    fn pull(&mut self, from: Block, to: Block, pulled: &[Inst]) {
        if pulled.is_empty() {
            return;
        }
        let mut goes = SideTable::<Inst, bool>::new();
        pulled.iter().for_each(|&inst| goes[inst] = true);
        let (gone, stay): (Vec<Inst>, Vec<Inst>) =
            self.f.block_insts(from).iter().partition(|&&inst| goes[inst]);
        self.f.replace_insts(from, stay);
        self.f.replace_insts(to, gone);
    }
}
