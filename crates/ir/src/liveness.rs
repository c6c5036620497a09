//! Which values are live where blocks begin and end.
//!
//! A value is live where a use can still be reached that does not pass its definition. In SSA no
//! iteration is needed: from each use the walk goes up to the definition and marks what it passes
//! (Boissinot, Brandner, Darte, Dupont de Dinechin and Rastello, "A Non-iterative Data-Flow Algorithm for
//! Computing Liveness Sets in Strict SSA Programs", APLAS 2011). Values are taken one after the other, so
//! the last entry of a block's list says whether the value at hand was there, and lists come out sorted.
//!
//! What an edge passes to the parameters of its target is used at the end of the source; what an exit
//! passes on is used where the exit is. A value that is live into a handler is live out of every block
//! with an exit to it. Constants are live nowhere.

use planish_base::{Id, Worklist};

use crate::cfg::Cfg;
use crate::function::{Block, Function, Terminator, Value};
use crate::graph::Graph;

const NONE: u32 = u32::MAX;

/// The values that are live at the start and the end of each block that can be reached.
#[derive(Clone, Debug)]
pub struct Liveness {
    live_in: Vec<Vec<Value>>,
    live_out: Vec<Vec<Value>>,
}

impl Liveness {
    /// The liveness of a function in which definitions dominate their uses. O(size of the function and
    /// of the result).
    pub fn new(function: &Function, cfg: &Cfg) -> Self {
        let homes = homes(function, cfg);
        let mut uses: Vec<(u32, u32)> = Vec::new();
        for (&block, number) in cfg.order().iter().zip(0..) {
            for_each_use(function, block, |_, value| {
                let home = homes[value.index()];
                if home != NONE && home != number {
                    uses.push((value.index() as u32, number));
                }
            });
        }
        let uses = Graph::new(homes.len(), &uses);
        let count = cfg.order().len();
        let mut live = Liveness { live_in: vec![Vec::new(); count], live_out: vec![Vec::new(); count] };
        let mut work = Worklist::default();
        for (index, &home) in homes.iter().enumerate() {
            let value = Value::from_index(index);
            work.extend_from_slice(uses.of(index as u32));
            while let Some(at) = work.pop() {
                if !add(&mut live.live_in[at as usize], value) {
                    continue;
                }
                for &pred in cfg.preds().of(at) {
                    if add(&mut live.live_out[pred as usize], value) && pred != home {
                        work.push(pred);
                    }
                }
            }
        }
        live
    }

    /// The values that are live where a block begins, by its number and sorted; its parameters are not
    /// among them.
    pub fn live_in(&self, block: u32) -> &[Value] {
        &self.live_in[block as usize]
    }

    /// The values that are live where a block is left for another, by its number and sorted; what is only
    /// passed to parameters is not among them.
    pub fn live_out(&self, block: u32) -> &[Value] {
        &self.live_out[block as usize]
    }

    /// Whether a value is live where a block begins. O(log of the number of live values).
    pub fn is_live_in(&self, block: u32, value: Value) -> bool {
        self.live_in(block).binary_search(&value).is_ok()
    }

    /// Whether a value is live where a block is left for another. O(log of the number of live values).
    pub fn is_live_out(&self, block: u32, value: Value) -> bool {
        self.live_out(block).binary_search(&value).is_ok()
    }
}

/// Visits every use in a block with its position, in order: the operands of the n-th instruction and the
/// arguments of its exit are used at n + 1, what the end of the block reads and passes on behind them.
pub fn for_each_use(function: &Function, block: Block, mut visit: impl FnMut(u32, Value)) {
    let insts = function.block_insts(block);
    for (&inst, position) in insts.iter().zip(1..) {
        function.args(inst).iter().for_each(|&value| visit(position, value));
        if let Some(exit) = function.inst(inst).exit {
            function.exit_args(exit).iter().for_each(|&value| visit(position, value));
        }
    }
    let (terminator, last) = (function.terminator(block), insts.len() as u32 + 1);
    terminator.condition().into_iter().for_each(|value| visit(last, value));
    for call in terminator.calls() {
        function.list(call.args).iter().for_each(|&value| visit(last, value));
    }
    let list = match terminator {
        Terminator::Return(results) => function.list(*results),
        Terminator::Throw(_, Some(exit)) => function.exit_args(*exit),
        _ => &[],
    };
    list.iter().for_each(|&value| visit(last, value));
}

/// The number of the block that defines each value; none for constants and what cannot be reached.
fn homes(function: &Function, cfg: &Cfg) -> Vec<u32> {
    let mut homes = vec![NONE; function.value_count()];
    for (&block, number) in cfg.order().iter().zip(0..) {
        for param in function.block_params(block) {
            homes[param.index()] = number;
        }
        for &inst in function.block_insts(block) {
            function.results(inst).for_each(|result| homes[result.index()] = number);
        }
    }
    homes
}

/// Adds a value to a sorted list of which it can only be the last. Whether it was not there.
fn add(list: &mut Vec<Value>, value: Value) -> bool {
    let new = list.last() != Some(&value);
    if new {
        list.push(value);
    }
    new
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::construct::construct;
    use crate::draft::{Draft, End, Node, Operand, Variable};
    use planish_ops::{Int, Op, Type};

    #[test]
    fn what_a_handler_reads_is_live_out_of_every_block_that_may_throw() {
        let (module, diagnostics) = crate::text::read(
            "callee @f raises reads () writes ()\n\
             func f(v0: i64) -> i64 {\n\
             a:\n    v1 = add(v0, 1)\n    jump b\n\
             b:\n    call(v1) @f else to(v0) [*: h]\n    return v0\n\
             h(v3: ref, v4: i64):\n    v5 = add(v4, v1)\n    return v5\n}\n",
        );
        assert!(diagnostics.is_empty());
        let function = module.functions.values().next().unwrap();
        let cfg = Cfg::new(function);
        let live = Liveness::new(function, &cfg);
        let number = |name: &str| {
            let block = function.blocks().iter().find(|&&b| function.block_name(b) == Some(name)).unwrap();
            cfg.number(*block).unwrap()
        };
        let v = |index| Value::from_index(index);
        assert_eq!(live.live_in(number("a")), []);
        assert_eq!(live.live_out(number("a")).len(), 2);
        assert_eq!(live.live_out(number("b")), live.live_in(number("h")));
        assert!(live.is_live_in(number("b"), v(0)) && !live.is_live_in(number("h"), v(0)));
    }

    /// A function over a random graph in which some of a few variables are read and written everywhere.
    fn random(seed: u64) -> Function {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut below = |limit: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as usize % limit
        };
        let mut draft = Draft::new("random", &[Type::I64]);
        let variables: Vec<Variable> = (0..4).map(|i| draft.variable(&format!("x{i}"), Type::I64)).collect();
        draft.params.extend(&variables);
        let nodes: Vec<Node> = (0..2 + below(9)).map(|i| draft.node(&format!("n{i}"))).collect();
        for &node in &nodes {
            for _ in 0..below(3) {
                let (x, y, to) = (variables[below(4)], variables[below(4)], variables[below(4)]);
                draft.op(node, Op::Xor, &[x.into(), y.into()], &[to]);
            }
            let (then, other, read) =
                (nodes[below(nodes.len())], nodes[below(nodes.len())], variables[below(4)]);
            draft.nodes[node].end = match below(5) {
                0 => End::Return(vec![read.into()]),
                1 => End::Goto(then),
                2 => {
                    let cases = Box::new([(Int::new(64, 7), then)]);
                    End::Switch { on: Operand::from(read), cases, default: other }
                }
                _ => End::Branch { condition: read.into(), then, other },
            };
        }
        construct(draft).function
    }

    /// By the definition: a path from the start of a block to one that uses the value, such that no block
    /// on it, but perhaps the last at its end, defines the value.
    fn live_in_by_definition(
        function: &Function,
        cfg: &Cfg,
        homes: &[u32],
        start: u32,
        value: Value,
    ) -> bool {
        let (mut seen, mut work) = (vec![false; cfg.order().len()], vec![start]);
        while let Some(at) = work.pop() {
            if std::mem::replace(&mut seen[at as usize], true) || homes[value.index()] == at {
                continue;
            }
            let mut used = false;
            for_each_use(function, cfg.block(at), |_, other| used |= other == value);
            if used {
                return true;
            }
            work.extend_from_slice(cfg.succs().of(at));
        }
        false
    }

    #[test]
    fn liveness_is_that_of_the_definition_on_random_functions() {
        let mut total = 0;
        for seed in 0..600 {
            let function = random(seed);
            let cfg = Cfg::new(&function);
            let (live, homes) = (Liveness::new(&function, &cfg), homes(&function, &cfg));
            let values = || (0..function.value_count()).map(Value::from_index);
            let defined = |value: &Value| homes[value.index()] != NONE;
            for block in 0..cfg.order().len() as u32 {
                let is_in =
                    |at: u32, value: &Value| live_in_by_definition(&function, &cfg, &homes, at, *value);
                let expected: Vec<Value> = values().filter(defined).filter(|v| is_in(block, v)).collect();
                assert_eq!(live.live_in(block), expected, "{seed}: in of {block}");
                let out = |v: &Value| cfg.succs().of(block).iter().any(|&to| is_in(to, v));
                let expected: Vec<Value> = values().filter(defined).filter(out).collect();
                assert_eq!(live.live_out(block), expected, "{seed}: out of {block}");
                total += expected.len();
            }
        }
        assert!(total > 1_000, "{total}");
    }
}
