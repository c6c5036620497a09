//! What the labels of a trace list.
//!
//! A label lists the parameters of its block, and the values from before that are used behind it. What the source listed
//! keeps its order; what nothing needs is left out, and what is new stands behind.
//!
//! Behind a guard that lists nothing only the label says what is kept there. So one before such a guard lists all that it
//! listed, also what became a constant; where it cannot, since an object is not made, the guard has to say it itself.

use hashbrown::{HashMap, HashSet};
use planish_base::SideTable;
use planish_ir::liveness::for_each_use;
use planish_ir::{Block, Const, Def, Exit, Function, Slot, Terminator, Value};
use rustc_hash::FxBuildHasher;

use crate::lift::Origin;
use crate::text::Name;

/// An argument of a label.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Listed {
    /// A parameter of its block, by the position.
    Param(usize),
    /// A value from before, or a constant.
    Value(Value),
}

/// What a label lists.
#[derive(Clone, Default)]
pub(crate) struct LabelList {
    /// Its arguments, in order.
    pub args: Vec<Listed>,
    /// The parameters of the source that the first of them stand for, where all of those are listed.
    pub source: Vec<Value>,
    /// Whether that is just what the source listed there.
    pub whole: bool,
}

impl LabelList {
    /// What a jump hands over that gives these values to the parameters of the block.
    pub fn values<'a>(&'a self, params: &'a [Value]) -> impl Iterator<Item = Value> + 'a {
        self.args.iter().map(|listed| match *listed {
            Listed::Param(position) => params[position],
            Listed::Value(value) => value,
        })
    }
}

/// What the label of each block of a chain lists. O(length).
pub(crate) fn label_lists(
    function: &Function,
    chain: &[Block],
    origin: &Origin,
) -> SideTable<Block, LabelList> {
    let (home, extra) = across_labels(function, chain, origin);
    let exits = exits_that_list_nothing(function, chain, origin);
    let mut lists: SideTable<Block, LabelList> = SideTable::new();
    // The inputs are listed whatever becomes of them.
    lists[function.entry()].whole = true;
    for (index, &block) in chain.iter().enumerate().skip(1) {
        lists[block] = match exits[block] {
            Some(exit) => {
                let carried = carried(function, chain, index);
                let place = Place { function, block, index, home: &home, extra: &extra[block], carried };
                place.all(&origin.listed[block], exit)
            }
            None => in_order(function, block, origin, &extra[block]),
        };
    }
    lists
}

/// For each block the first guard that lists nothing and keeps what the source listed there.
fn exits_that_list_nothing(
    function: &Function,
    chain: &[Block],
    origin: &Origin,
) -> SideTable<Block, Option<Exit>> {
    let mut exits: SideTable<Block, Option<Exit>> = SideTable::new();
    if origin.log || chain.len() < 2 {
        return exits;
    }
    for &inst in chain.iter().flat_map(|&block| function.block_insts(block)) {
        let Some(exit) = function.inst(inst).exit.filter(|&exit| function.exit(exit).open) else { continue };
        if let Some(block) = origin.behind(function.exit(exit)) {
            exits[block].get_or_insert(exit);
        }
    }
    exits
}

/// What is needed, in the order of the source.
fn in_order(function: &Function, block: Block, origin: &Origin, extra: &[Value]) -> LabelList {
    let listed = &origin.listed[block];
    let mut places: SideTable<Value, Option<usize>> = SideTable::new();
    let mut named: HashMap<Name, usize, FxBuildHasher> = HashMap::default();
    for (place, &param) in listed.iter().enumerate() {
        places[param] = Some(place);
        named.extend(origin.names[param].map(|name| (name, place)));
    }
    let params = function.block_params(block).iter().enumerate();
    let params = params.map(|(position, &param)| (places[param], Listed::Param(position)));
    let place = |value: Value| named.get(&origin.names[value]?).copied();
    let extra = extra.iter().map(|&value| (place(value), Listed::Value(value)));
    let mut args: Vec<(Option<usize>, Listed)> = params.chain(extra).collect();
    args.sort_by_key(|(place, _)| place.unwrap_or(usize::MAX));
    LabelList { args: args.into_iter().map(|(_, listed)| listed).collect(), ..LabelList::default() }
}

/// A label that has to list all that its source does.
struct Place<'a> {
    function: &'a Function,
    block: Block,
    /// Its position in the chain.
    index: usize,
    home: &'a SideTable<Value, usize>,
    extra: &'a [Value],
    carried: Carried,
}

impl Place<'_> {
    /// All that the source listed, which a guard keeps, and behind it what else is needed.
    fn all(&self, source: &[Value], exit: Exit) -> LabelList {
        let params = self.function.block_params(self.block);
        let mut positions: SideTable<Value, Option<usize>> = SideTable::new();
        for (position, &param) in params.iter().enumerate() {
            positions[param] = Some(position);
        }
        let mut list = LabelList { whole: true, ..LabelList::default() };
        for (place, &param) in source.iter().enumerate() {
            let listed = match positions[param] {
                Some(position) => Some(Listed::Param(position)),
                None => self.kept(exit, place),
            };
            list.whole &= listed.is_some();
            list.args.extend(listed);
        }
        list.source = if list.whole { source.to_vec() } else { Vec::new() };
        let taken: HashSet<Listed, FxBuildHasher> = list.args.iter().copied().collect();
        let others =
            (0..params.len()).map(Listed::Param).chain(self.extra.iter().copied().map(Listed::Value));
        list.args.extend(others.filter(|listed| !taken.contains(listed)));
        list.whole &= list.args.len() == source.len();
        list
    }

    /// What a guard keeps for a place of its list, if the label can hand it over.
    fn kept(&self, exit: Exit, place: usize) -> Option<Listed> {
        let slot = match self.function.recipe(exit) {
            Some(recipe) => recipe.state[place],
            None => Slot::Arg(place as u32),
        };
        let Slot::Arg(position) = slot else { return None };
        let value = self.function.exit_args(exit)[position as usize];
        if let Some(constant) = self.function.constant(value) {
            return (constant != Const::Hole).then_some(Listed::Value(value));
        }
        match (self.home[value] < self.index, self.function.def(value)) {
            (true, _) => Some(self.carried.get(&value).map_or(Listed::Value(value), |&at| Listed::Param(at))),
            (false, Def::Param(block, at)) if block == self.block => Some(Listed::Param(at as usize)),
            (false, _) => None,
        }
    }
}

/// Where each value is made, as a position in the chain, and for each block of the chain the values from before that are
/// used in or behind it and that its parameters do not stand for.
fn across_labels(
    function: &Function,
    chain: &[Block],
    origin: &Origin,
) -> (SideTable<Value, usize>, SideTable<Block, Vec<Value>>) {
    let mut position: SideTable<Block, usize> = SideTable::new();
    for (index, &block) in chain.iter().enumerate() {
        position[block] = index;
    }
    // Where each value is made and, so far, last used, as positions in the chain.
    let mut home: SideTable<Value, usize> = SideTable::new();
    let mut last: SideTable<Value, usize> = SideTable::new();
    let mut crossing = Vec::new();
    let is_used = used_inputs(function);
    for (index, &block) in chain.iter().enumerate() {
        for &param in function.block_params(block) {
            home[param] = index;
        }
        let mut use_ = |value: Value, home: &SideTable<Value, usize>| {
            let defined = !matches!(function.def(value), Def::Const(_));
            if defined && home[value] < index && last[value] < index {
                if last[value] == 0 {
                    crossing.push(value);
                }
                last[value] = index;
            }
        };
        for &inst in function.block_insts(block) {
            for &arg in function.args(inst) {
                use_(arg, &home);
            }
            if let Some(exit) = function.inst(inst).exit {
                for &arg in function.exit_args(exit) {
                    use_(arg, &home);
                }
            }
            for result in function.results(inst) {
                home[result] = index;
            }
        }
        match function.terminator(block) {
            Terminator::Jump(call) => {
                for &arg in function.list(call.args) {
                    use_(arg, &home);
                }
                if index > 1 && position[call.block] == 1 && origin.labels[call.block].is_none() {
                    // The beginning wants all inputs; those that it does not change stay as they are, and of those that
                    // nothing uses any number does.
                    for input in kept_inputs(function).filter(|&input| is_used[input]) {
                        use_(input, &home);
                    }
                }
            }
            Terminator::Return(results) => {
                for &result in function.list(*results) {
                    use_(result, &home);
                }
            }
            _ => {}
        }
    }
    // What lives into the target of the jump back lives until that jump.
    if let Some(Terminator::Jump(call)) = chain.last().map(|&block| function.terminator(block)) {
        let target = position[call.block];
        for &value in &crossing {
            if home[value] < target && last[value] >= target {
                last[value] = chain.len() - 1;
            }
        }
    }
    crossing.sort_unstable();
    let mut extra: SideTable<Block, Vec<Value>> = SideTable::new();
    for (index, &block) in chain.iter().enumerate().skip(1) {
        let carried = carried(function, chain, index);
        let lives =
            |value: &Value| home[*value] < index && last[*value] >= index && !carried.contains_key(value);
        extra[block] = crossing.iter().copied().filter(lives).collect();
    }
    (home, extra)
}

/// Whether an input is used, in whatever way.
pub(crate) fn used_inputs(function: &Function) -> SideTable<Value, bool> {
    let mut is_used: SideTable<Value, bool> = SideTable::new();
    for &block in function.blocks() {
        for_each_use(function, block, |_, value| {
            is_used[value] |= matches!(function.def(value), Def::Param(of, _) if of == function.entry());
        });
    }
    is_used
}

/// The inputs that the first block does not hand over to the second.
fn kept_inputs(function: &Function) -> impl Iterator<Item = Value> {
    let handed = match function.terminator(function.entry()) {
        Terminator::Jump(first) => function.list(first.args),
        _ => &[],
    };
    function.params().iter().copied().filter(move |input| !handed.contains(input))
}

/// Values by the position of the parameter for which every jump to a block hands them over.
type Carried = HashMap<Value, usize, FxBuildHasher>;

/// The values that every jump to a block of the chain hands over for the same parameter: they are arguments
/// of its label already.
fn carried(function: &Function, chain: &[Block], index: usize) -> Carried {
    let args = |block: Block| match function.terminator(block) {
        Terminator::Jump(call) if call.block == chain[index] => Some(function.list(call.args)),
        _ => None,
    };
    let Some(first) = args(chain[index - 1]) else { return Carried::default() };
    let back = chain.last().and_then(|&last| args(last)).unwrap_or(first);
    let both = first.iter().zip(back).enumerate().filter(|(_, (first, back))| first == back);
    both.map(|(position, (&value, _))| (value, position)).collect()
}
