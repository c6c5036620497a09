//! Register allocation for local variable slots: liveness, interference, coalescing, colouring.
//!
//! Registers whose lives overlap get different slots (Chaitin et al., *Register allocation via coloring*,
//! 1981). A register that is copied to another does not interfere with it by that copy alone; copies
//! inside loops are tried first, and registers that may share a slot are merged, so that most copies
//! vanish. Then registers take the lowest slot that is free, those that are used most first, because
//! the first four slots have the shortest instructions. Parameters of the method come in slots of their
//! own and keep them. There are as many slots as anyone needs, so nothing is ever spilled.
//!
//! In a constructor the first slot belongs to the object alone. Until another constructor was called, every
//! frame has to name the object as one under construction, and only a local can: also where the path
//! throws, and nobody needs the object any more.

use hashbrown::HashMap;
use planish_base::{Arena, Id, Interner, UnionFind};
use planish_classfile::Opcode;
use rustc_hash::FxBuildHasher;

use crate::lower::item::{Catch, Guard, Item, Kind, Label, Load, Made, Register};
use crate::lower::select::{Outcome, Selected};

/// More registers than this are not coloured: the matrix of interference would take too much memory.
const MOST_REGISTERS: usize = 8000;

/// Rows of bits.
#[derive(Clone)]
struct Rows {
    words: usize,
    bits: Vec<u64>,
}

impl Rows {
    fn new(rows: usize, columns: usize) -> Self {
        let words = columns.div_ceil(64);
        Rows { words, bits: vec![0; rows * words] }
    }

    fn row(&self, row: usize) -> &[u64] {
        &self.bits[row * self.words..(row + 1) * self.words]
    }

    fn row_mut(&mut self, row: usize) -> &mut [u64] {
        &mut self.bits[row * self.words..(row + 1) * self.words]
    }

    fn get(&self, row: usize, column: usize) -> bool {
        self.bits[row * self.words + column / 64] >> (column % 64) & 1 != 0
    }

    fn set(&mut self, row: usize, column: usize) {
        self.bits[row * self.words + column / 64] |= 1 << (column % 64);
    }
}

fn ones(row: &[u64]) -> impl Iterator<Item = usize> + '_ {
    row.iter().enumerate().flat_map(|(word, &bits)| {
        let mut bits = bits;
        std::iter::from_fn(move || {
            let bit = bits.trailing_zeros() as usize;
            bits &= bits.wrapping_sub(1);
            (bit < 64).then_some(word * 64 + bit)
        })
    })
}

/// The items between targets and jumps.
struct Blocks {
    starts: Vec<usize>,
    successors: Vec<Vec<usize>>,
    of_label: HashMap<Label, usize, FxBuildHasher>,
    depth: Vec<u32>,
}

impl Blocks {
    fn new(items: &[Made]) -> Self {
        let mut starts = vec![0];
        let mut of_label = HashMap::default();
        for (at, made) in items.iter().enumerate() {
            let begins = match made.item {
                Item::Label(_) => at > 0 && !matches!(items[at - 1].item, Item::Label(_)),
                _ => at > 0 && ends_block(&items[at - 1].item),
            };
            if begins && starts.last() != Some(&at) {
                starts.push(at);
            }
            if let Item::Label(label) = made.item {
                of_label.insert(label, starts.len() - 1);
            }
        }
        let mut successors = Vec::with_capacity(starts.len());
        for block in 0..starts.len() {
            let end = starts.get(block + 1).copied().unwrap_or(items.len());
            let mut next = Vec::new();
            let mut falls = true;
            match &items[end - 1].item {
                Item::Jump(op, label) => {
                    next.push(of_label[label]);
                    falls = *op != Opcode::Goto;
                }
                Item::Switch(default, cases) => {
                    next.push(of_label[default]);
                    next.extend(cases.iter().map(|(_, label)| of_label[label]));
                    falls = false;
                }
                Item::Insn(insn) => falls = !insn.op.ends_flow(),
                _ => {}
            }
            if falls && block + 1 < starts.len() {
                next.push(block + 1);
            }
            successors.push(next);
        }
        // A jump back means a loop over everything between.
        let mut deeper = vec![0i32; starts.len() + 1];
        for (block, next) in successors.iter().enumerate() {
            for &target in next.iter().filter(|&&target| target <= block) {
                deeper[target] += 1;
                deeper[block + 1] -= 1;
            }
        }
        let mut current = 0;
        let depth = deeper[..starts.len()]
            .iter()
            .map(|change| {
                current += change;
                current.clamp(0, 6) as u32
            })
            .collect();
        Blocks { starts, successors, of_label, depth }
    }

    fn range(&self, block: usize, items: &[Made]) -> std::ops::Range<usize> {
        self.starts[block]..self.starts.get(block + 1).copied().unwrap_or(items.len())
    }
}

fn ends_block(item: &Item) -> bool {
    match item {
        Item::Jump(..) | Item::Switch(..) => true,
        Item::Insn(insn) => insn.op.ends_flow(),
        _ => false,
    }
}

/// The slots of registers, and what is live where handlers begin.
pub struct Slots {
    /// The slot of each register.
    pub slots: Vec<u16>,
    /// Registers that are live where a label is.
    live_at: HashMap<Label, Vec<Register>, FxBuildHasher>,
    /// The items before which registers that were asked for are live, from the first to one past the last.
    pub lives: Vec<(Register, usize, usize)>,
}

impl Slots {
    /// One past the last slot of any register.
    pub fn end(&self) -> usize {
        self.slots.iter().max().map_or(0, |last| usize::from(*last) + 2)
    }

    /// The registers that are live at a handler.
    pub fn live_at(&self, label: Label) -> &[Register] {
        self.live_at.get(&label).map_or(&[], Vec::as_slice)
    }
}

/// Finds slots. `named` are the registers of which it is said where they live.
pub fn allocate(selected: &Selected, named: &[Register], is_constructor: bool) -> Outcome<Slots> {
    let Selected { items, kinds, guards, params, alike, .. } = selected;
    let count = kinds.len();
    if count > MOST_REGISTERS {
        return Err(format!("{count} values need registers, more than {MOST_REGISTERS}"));
    }
    let blocks = Blocks::new(items);
    let live_in = live_in(items, &blocks, count, guards);
    let mut graph = Graph::new(count);
    let lives = graph.walk(selected, &blocks, &live_in, named);
    let mut fixed = graph.fix(params);
    graph.copies.extend(alike.iter().map(|&(from, to)| (0, from, to)));
    let Graph { mut interferes, mut weights, copies } = graph;
    let classes = coalesce(copies, kinds, &mut interferes, &mut fixed, &mut weights);
    // Without a jump there is no frame.
    let keeps_first = is_constructor && !blocks.of_label.is_empty();
    let slots = color(kinds, &interferes, (&fixed, keeps_first), &weights, &classes)?;
    let live_at = blocks
        .of_label
        .iter()
        .map(|(&label, &block)| (label, ones(live_in.row(block)).map(Register::from_index).collect()))
        .collect();
    Ok(Slots { slots, live_at, lives })
}

/// Which registers interfere, how much each is used, and which are copied to which, how often.
struct Graph {
    interferes: Rows,
    weights: Vec<u64>,
    copies: Vec<(u64, Register, Register)>,
}

impl Graph {
    fn new(registers: usize) -> Self {
        Graph { interferes: Rows::new(registers, registers), weights: vec![0; registers], copies: Vec::new() }
    }

    /// Walks backwards through each block, once. Returns where `named` registers live.
    fn walk(
        &mut self,
        selected: &Selected,
        blocks: &Blocks,
        live_in: &Rows,
        named: &[Register],
    ) -> Vec<(Register, usize, usize)> {
        let Selected { items, guards, .. } = selected;
        let mut live = Rows::new(1, self.weights.len());
        let mut lives = Lives { named, found: Vec::new(), behind: vec![None; named.len()] };
        for block in 0..blocks.starts.len() {
            let weight = 8u64.pow(blocks.depth[block]);
            live.row_mut(0).fill(0);
            for &next in &blocks.successors[block] {
                or(live.row_mut(0), live_in.row(next));
            }
            for at in blocks.range(block, items).rev() {
                match items[at].item {
                    Item::Store { to, from } => self.store(to, from, weight, &mut live),
                    Item::Load(load) => {
                        self.weights[load.register.index()] += weight;
                        live.set(0, load.register.index());
                    }
                    _ => {}
                }
                handlers_live(&items[at], guards, blocks, live_in, live.row_mut(0));
                lives.see(at, &live);
            }
            lives.behind.fill(None);
        }
        lives.found
    }

    /// A register is set, which ends what it was before: it interferes with all that live on.
    fn store(&mut self, to: Register, from: Option<Load>, weight: u64, live: &mut Rows) {
        self.weights[to.index()] += weight;
        clear(live.row_mut(0), to.index());
        for other in ones(live.row(0)) {
            if from.is_some_and(|from| from.register.index() == other) {
                continue;
            }
            self.interferes.set(to.index(), other);
            self.interferes.set(other, to.index());
        }
        if let Some(from) = from {
            self.copies.push((weight, from.register, to));
            // It stays as it is up to here, so that the copy may vanish.
            live.set(0, from.register.index());
        }
    }

    /// The slots of parameters: they live from the start, and those that are live at once interfere anyway.
    fn fix(&mut self, params: &[(Kind, Option<Register>)]) -> Vec<Option<u16>> {
        let mut fixed: Vec<Option<u16>> = vec![None; self.weights.len()];
        let mut slot = 0;
        let mut arrived = Vec::new();
        for &(kind, register) in params {
            if let Some(register) = register {
                fixed[register.index()] = Some(slot);
                arrived.push(register.index());
            }
            slot += kind.slots();
        }
        for &param in &arrived {
            // What is live at the entry and is no parameter cannot be; it would have no value.
            for other in arrived.iter().copied().filter(|&other| other != param) {
                self.interferes.set(param, other);
            }
        }
        fixed
    }
}

/// Finds where some registers live, from the last item of a block to the first.
struct Lives<'n> {
    named: &'n [Register],
    found: Vec<(Register, usize, usize)>,
    /// For each of them its place in `found`, if it was live at the item behind.
    behind: Vec<Option<usize>>,
}

impl Lives<'_> {
    /// What is live before an item.
    fn see(&mut self, at: usize, live: &Rows) {
        for (&register, behind) in self.named.iter().zip(&mut self.behind) {
            *behind = match *behind {
                _ if !live.get(0, register.index()) => None,
                Some(place) => {
                    self.found[place].1 = at;
                    Some(place)
                }
                None => {
                    self.found.push((register, at, at + 1));
                    Some(self.found.len() - 1)
                }
            };
        }
    }
}

fn or(to: &mut [u64], from: &[u64]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to |= from);
}

fn clear(row: &mut [u64], column: usize) {
    row[column / 64] &= !(1 << (column % 64));
}

/// An instruction that may throw needs what its handlers need.
fn handlers_live(
    made: &Made,
    guards: &Interner<Guard, Vec<Catch>>,
    blocks: &Blocks,
    live_in: &Rows,
    live: &mut [u64],
) {
    if let Some(guard) = made.guard {
        for catch in guards.get(guard) {
            or(live, live_in.row(blocks.of_label[&catch.target]));
        }
    }
}

/// The registers that are live where each block begins.
fn live_in(items: &[Made], blocks: &Blocks, count: usize, guards: &Interner<Guard, Vec<Catch>>) -> Rows {
    let mut live_in = Rows::new(blocks.starts.len(), count);
    let mut live = vec![0u64; count.div_ceil(64)];
    let mut changed = true;
    while changed {
        changed = false;
        for block in (0..blocks.starts.len()).rev() {
            live.fill(0);
            for &next in &blocks.successors[block] {
                or(&mut live, live_in.row(next));
            }
            for at in blocks.range(block, items).rev() {
                match items[at].item {
                    Item::Store { to, from } => {
                        clear(&mut live, to.index());
                        if let Some(Load { register, .. }) = from {
                            live[register.index() / 64] |= 1 << (register.index() % 64);
                        }
                    }
                    Item::Load(load) => {
                        let index = load.register.index();
                        live[index / 64] |= 1 << (index % 64);
                    }
                    _ => {}
                }
                handlers_live(&items[at], guards, blocks, &live_in, &mut live);
            }
            if live_in.row(block) != live.as_slice() {
                live_in.row_mut(block).copy_from_slice(&live);
                changed = true;
            }
        }
    }
    live_in
}

/// Merges registers that are copied and never needed at once. The most frequent copies come first.
fn coalesce(
    mut copies: Vec<(u64, Register, Register)>,
    kinds: &Arena<Register, Kind>,
    interferes: &mut Rows,
    fixed: &mut [Option<u16>],
    weights: &mut [u64],
) -> UnionFind<Register> {
    copies.sort_by_key(|(weight, from, to)| (std::cmp::Reverse(*weight), *from, *to));
    let mut classes = UnionFind::new();
    for (_, from, to) in copies {
        let (a, b) = (classes.find(from), classes.find(to));
        if a == b || kinds[a] != kinds[b] || interferes.get(a.index(), b.index()) {
            continue;
        }
        let slot = match (fixed[a.index()], fixed[b.index()]) {
            (Some(_), Some(_)) => continue,
            (slot, None) | (None, slot) => slot,
        };
        classes.forward(b, a);
        let row = interferes.row(b.index()).to_vec();
        or(interferes.row_mut(a.index()), &row);
        for other in ones(&row) {
            interferes.set(other, a.index());
        }
        fixed[a.index()] = slot;
        weights[a.index()] += weights[b.index()];
    }
    classes
}

/// Gives each class of registers the lowest slot that is free: those that are fixed their own, and others the first one
/// only if nobody keeps it.
fn color(
    kinds: &Arena<Register, Kind>,
    interferes: &Rows,
    (fixed, keeps_first): (&[Option<u16>], bool),
    weights: &[u64],
    classes: &UnionFind<Register>,
) -> Outcome<Vec<u16>> {
    let mut order: Vec<usize> =
        kinds.ids().filter(|&register| classes.peek(register) == register).map(Id::index).collect();
    order.sort_by_key(|&class| (fixed[class].is_none(), std::cmp::Reverse(weights[class]), class));
    let mut slots: Vec<Option<u16>> = vec![None; kinds.len()];
    let mut taken = Vec::new();
    for &class in &order {
        let width = kinds[Register::from_index(class)].slots();
        if let Some(slot) = fixed[class] {
            slots[class] = Some(slot);
            continue;
        }
        taken.clear();
        taken.extend(keeps_first.then_some(true));
        for other in ones(interferes.row(class)) {
            if let Some(slot) = slots[other] {
                let end = usize::from(slot + kinds[Register::from_index(other)].slots());
                if taken.len() < end {
                    taken.resize(end, false);
                }
                taken[usize::from(slot)..end].fill(true);
            }
        }
        let is_free =
            |slot: usize| (slot..slot + usize::from(width)).all(|slot| !taken.get(slot).is_some_and(|t| *t));
        let slot = (0..).find(|&slot| is_free(slot)).expect("past the taken slots all are free");
        slots[class] = Some(u16::try_from(slot).map_err(|_| "more locals than a method may have")?);
    }
    let of = |register: Register| slots[classes.peek(register).index()].ok_or("a register without slot");
    kinds.ids().map(|register| of(register).map_err(str::to_owned)).collect()
}
