//! Value numbering of regions (common node elimination of an RVSDG, Reissmann and others, TECS 2020), on a control-flow
//! graph: a loop or branch that computes what an earlier one computed is replaced by it.
//!
//! ```text
//! for (i = 0; i < n; i++) s += a * i          for (i = 0; i < n; i++) s += a * i
//! ...                                  becomes
//! for (j = 0; j < n; j++) t += a * j          t is s
//! ```
//!
//! In a graph of regions this is hash-consing of gamma and theta nodes. Walking a region from its start and naming
//! what it defines by the order in which it comes gives a *shape*: two regions of one shape, on the same values
//! from outside, compute the same. Where the start of the first dominates that of the second, and control leaves the
//! first at one place only, control has been through it, with these values, when it comes to the second: that is
//! skipped, and what it hands out are values of the first.
//!
//! Nothing is made to happen that did not, and what is skipped ended already with the same operands: so a loop that
//! might not end and a division that might trap are no reason to keep the second.
//!
//! A region is a loop with one edge in, or a branch with everything up to where its ways meet; all of it pure.
//! What leaves a region on several edges must meet in a block of its own, and what the second hands out there must be
//! known where control leaves the first. Regions have up to [`LARGEST`] parts, and
//! [`TIMES`] are skipped in one run, each O(size of the function times the depth of its regions).

use std::sync::Arc;

use hashbrown::HashMap;
use planish_base::{SideTable, fault};
use planish_ir::dominators::Dominators;
use planish_ir::{Block, BlockCall, Cfg, Def, Function, Inst, Terminator, Value};
use planish_ops::{Effect, Int, Op, Type};
use rustc_hash::FxBuildHasher;

use super::code_hoisting::cannot_be;
use planish_pass::LoopInfo;
use planish_pass::{Change, Example, FunctionPass, PassCx, PassInfo, PassOption};

/// At most so many parts of a region.
pub const LARGEST: PassOption = PassOption::new("size", 4096, "the most parts of a region");
/// At most so many regions that are skipped in a function.
pub const TIMES: PassOption = PassOption::new("times", 16, "the most regions that are skipped in a function");

/// Skips regions that repeat earlier ones.
pub const PASS: FunctionPass = FunctionPass {
    info: PassInfo {
        aliases: &["twins"],
        source: "Reissmann and others, \"RVSDG\", TECS 2020, common node elimination",
        handlers: false,
        analyses: &["edges", "dominators", "loops"],
        options: &[&LARGEST, &TIMES],
        example: Example {
            file: "region_numbering.ssa",
            text: include_str!("examples/region_numbering.ssa"),
        },
        test: "crates/opt/src/passes/region_numbering.rs",
        ..PassInfo::new(
            "region-numbering",
            "Value numbering of regions: a loop or branch that computes what an earlier one did is skipped.",
        )
    },
    run,
};

fn run(f: &mut Function, cx: &mut PassCx<'_>) {
    for _ in 0..cx.count(&TIMES) {
        if !once(f, cx) {
            break;
        }
    }
}

/// Skips the first region that repeats another. Whether there was one.
fn once(f: &mut Function, cx: &mut PassCx<'_>) -> bool {
    let cfg = cx.get::<Cfg>(f);
    let starts = Starts::new(f, &cfg, cx);
    let mut homes: SideTable<Inst, u32> = SideTable::new();
    for (number, &block) in (0..).zip(cfg.order()) {
        f.block_insts(block).iter().for_each(|&inst| homes[inst] = number);
    }
    let mut seen = HashMap::<Vec<Part>, Vec<Region>, FxBuildHasher>::default();
    for number in 0..cfg.order().len() as u32 {
        for region in starts.at(f, &cfg, number) {
            let Some((shape, region)) = Walk::new(f, &cfg, &starts, region).walk(cx.count(&LARGEST)) else {
                continue;
            };
            let earlier = seen.entry(shape).or_default();
            let dominators = &starts.dominators;
            let dominating = earlier.iter().filter(|first| dominators.dominates(first.start, region.start));
            let mut ways = dominating
                .filter_map(|first| Some((first, skipped(f, &cfg, dominators, &homes, (first, &region))?)));
            if let Some((first, way)) = ways.next() {
                if !cx.may_change(f, cfg.block(region.start)) {
                    return false;
                }
                skip(f, &cfg, first, &region, way);
                cx.changed(Change::Flow);
                return true;
            }
            earlier.push(region);
        }
    }
    false
}

/// Where a region begins.
#[derive(Clone, Copy)]
enum Start {
    /// At the header of a loop, the edge to which is the only one from outside.
    Loop { index: u32, entry: Edge },
    /// At the end of a block, whose ways meet in another.
    Branch { block: u32, join: u32 },
}

/// An edge: the number of the block that it leaves, and which of the calls of its terminator it is.
type Edge = (u32, usize);

/// What is known of the graph.
struct Starts {
    dominators: Arc<Dominators>,
    loops: Arc<LoopInfo>,
    /// For each block the edges to it.
    edges: Vec<Vec<Edge>>,
    /// For each block those that it dominates immediately and where several edges meet; blocks that cannot be
    /// reached left out.
    joins: Vec<Vec<u32>>,
}

impl Starts {
    fn new(f: &Function, cfg: &Cfg, cx: &mut PassCx<'_>) -> Self {
        let count = cfg.order().len();
        let (dominators, loops) = (cx.get::<Dominators>(f), cx.get::<LoopInfo>(f));
        let mut edges = vec![Vec::new(); count];
        for from in 0..count as u32 {
            for (which, call) in f.terminator(cfg.block(from)).calls().enumerate() {
                if let Some(to) = cfg.number(call.block) {
                    edges[to as usize].push((from, which));
                }
            }
        }
        let mut joins = vec![Vec::new(); count];
        for block in 1..count as u32 {
            if edges[block as usize].len() > 1 && !cannot_be(f, cfg.block(block)) {
                joins[dominators.idom(block) as usize].push(block);
            }
        }
        Starts { dominators, loops, edges, joins }
    }

    /// The regions that begin at a block.
    fn at(&self, f: &Function, cfg: &Cfg, block: u32) -> impl Iterator<Item = Start> + use<> {
        let around = self.loops.innermost(block).filter(|_| block != 0);
        let header = around.filter(|&index| {
            let l = &self.loops.all()[index as usize];
            l.header == block && !l.irreducible
        });
        let of_loop = header.and_then(|index| {
            let mut outside =
                self.edges[block as usize].iter().filter(|(from, _)| !self.loops.contains(index, *from));
            let entry = *outside.next()?;
            outside.next().is_none().then_some(Start::Loop { index, entry })
        });
        let of_branch = match *self.joins[block as usize] {
            [join] if f.terminator(cfg.block(block)).condition().is_some() => {
                Some(Start::Branch { block, join })
            }
            _ => None,
        };
        of_loop.into_iter().chain(of_branch)
    }

    fn inside(&self, start: Start, block: u32) -> bool {
        match start {
            Start::Loop { index, .. } => self.loops.contains(index, block),
            Start::Branch { block: first, join } => {
                block != first
                    && self.dominators.dominates(first, block)
                    && !self.dominators.dominates(join, block)
            }
        }
    }
}

/// Part of the shape of a region.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    /// A block begins.
    Block,
    Op(Op),
    /// The type of a parameter or result.
    Type(Type),
    /// The value with this number among those that the region defines.
    Inner(u32),
    /// A value from outside, or a constant.
    Outer(Value),
    Branch,
    Switch,
    Key(Int),
    /// An edge to the block with this number, in the order in which they come.
    Edge(u32),
    /// An edge that leaves the region.
    Leaves,
    /// An edge that is never taken.
    Nowhere,
}

/// A region.
struct Region {
    /// Its first block, of which a branch has only the end.
    start: u32,
    /// The edge on which a loop is entered.
    entry: Option<Edge>,
    /// What it defines, in the order of its shape.
    values: Vec<Value>,
    /// The blocks that belong to it as a whole.
    blocks: Vec<u32>,
    /// The edges that leave it, in the order of its shape.
    leaving: Vec<Edge>,
    /// The block to which they lead.
    target: u32,
}

/// Describes a region.
struct Walk<'a> {
    f: &'a Function,
    cfg: &'a Cfg,
    starts: &'a Starts,
    start: Start,
    shape: Vec<Part>,
    values: Vec<Value>,
    names: HashMap<Value, u32, FxBuildHasher>,
    blocks: Vec<u32>,
    places: HashMap<u32, u32, FxBuildHasher>,
    leaving: Vec<Edge>,
    target: Option<u32>,
}

impl<'a> Walk<'a> {
    fn new(f: &'a Function, cfg: &'a Cfg, starts: &'a Starts, start: Start) -> Self {
        Walk {
            f,
            cfg,
            starts,
            start,
            shape: Vec::new(),
            values: Vec::new(),
            names: HashMap::default(),
            blocks: Vec::new(),
            places: HashMap::default(),
            leaving: Vec::new(),
            target: None,
        }
    }

    /// The shape of the region and what can be done with it; `None` when it does more than compute, is too
    /// large, or is left in more ways than one.
    fn walk(mut self, most: usize) -> Option<(Vec<Part>, Region)> {
        let (start, entry) = match self.start {
            Start::Loop { entry, index } => {
                let header = self.starts.loops.all()[index as usize].header;
                let call = self.f.terminator(self.cfg.block(entry.0)).calls().nth(entry.1)?;
                self.operands(self.f.list(call.args));
                self.places.insert(header, 0);
                self.blocks.push(header);
                (header, Some(entry))
            }
            Start::Branch { block, .. } => {
                self.end(block)?;
                (block, None)
            }
        };
        let mut next = 0;
        // A block comes behind those that dominate it: one of them was walked when it was first seen.
        while let Some(&number) = self.blocks.get(next) {
            next += 1;
            let block = self.cfg.block(number);
            self.shape.push(Part::Block);
            for &param in self.f.block_params(block) {
                self.define(param);
            }
            for &inst in self.f.block_insts(block) {
                self.inst(inst)?;
            }
            self.end(number)?;
            if self.shape.len() > most {
                return None;
            }
        }
        let target = self.target?;
        // Several edges out must be all that comes to where they lead.
        if self.leaving.len() > 1 && self.starts.edges[target as usize].len() != self.leaving.len() {
            return None;
        }
        let Walk { shape, values, blocks, leaving, .. } = self;
        Some((shape, Region { start, entry, values, blocks, leaving, target }))
    }

    fn define(&mut self, value: Value) {
        self.shape.push(Part::Type(self.f.ty(value)));
        self.names.insert(value, self.values.len() as u32);
        self.values.push(value);
    }

    fn operands(&mut self, values: &[Value]) {
        if fault!("region-numbering: operands are no part of a shape") {
            return;
        }
        let names = &self.names;
        let part = |value: &Value| names.get(value).map_or(Part::Outer(*value), |&name| Part::Inner(name));
        self.shape.extend(values.iter().map(part));
    }

    fn inst(&mut self, inst: Inst) -> Option<()> {
        let (f, data, row) = (self.f, self.f.inst(inst), self.f.row(inst));
        if row.effect != Effect::Pure || data.exit.is_some() || data.descr.is_some() {
            return None;
        }
        self.shape.push(Part::Op(data.op));
        self.operands(f.args(inst));
        f.results(inst).for_each(|result| self.define(result));
        Some(())
    }

    /// Describes how a block ends.
    fn end(&mut self, number: u32) -> Option<()> {
        let f = self.f;
        let terminator = f.terminator(self.cfg.block(number));
        match terminator {
            Terminator::Jump(_) => {}
            Terminator::Branch { .. } => self.shape.push(Part::Branch),
            Terminator::Switch { cases, .. } => {
                self.shape.push(Part::Switch);
                self.shape.extend(cases.iter().map(|(key, _)| Part::Key(*key)));
            }
            Terminator::Return(_) | Terminator::Throw(..) | Terminator::Unreachable => return None,
        }
        self.operands(terminator.condition().as_slice());
        for (which, call) in terminator.calls().enumerate() {
            self.edge((number, which), call)?;
        }
        Some(())
    }

    fn edge(&mut self, edge: Edge, call: BlockCall) -> Option<()> {
        let to = self.cfg.number(call.block)?;
        if self.starts.inside(self.start, to) && !cannot_be(self.f, call.block) {
            let blocks = &mut self.blocks;
            let place = *self.places.entry(to).or_insert_with(|| {
                blocks.push(to);
                blocks.len() as u32 - 1
            });
            self.shape.push(Part::Edge(place));
            self.operands(self.f.list(call.args));
        } else if cannot_be(self.f, call.block) {
            self.shape.push(Part::Nowhere);
        } else {
            // What is handed out is no part of the shape: twins may be asked for different things.
            self.shape.push(Part::Leaves);
            self.leaving.push(edge);
            if *self.target.get_or_insert(to) != to {
                return None;
            }
        }
        Some(())
    }
}

/// What a repeated region hands out, as far as the first one knows it.
struct Skipped {
    /// For each value of the region that is skipped the one of the first; nothing for all others.
    twin: SideTable<Value, Option<Value>>,
    handed: Vec<Handed>,
}

/// What stands for one value that is handed out.
enum Handed {
    /// A value that is known where the second region begins.
    Value(Value),
    /// On each edge that leaves the first region one of these.
    OneOf(Vec<Value>),
}

/// How a region can be skipped that repeats another; `None` where it hands out what is not known yet when control leaves
/// the first one.
fn skipped(
    f: &Function,
    cfg: &Cfg,
    dominators: &Dominators,
    homes: &SideTable<Inst, u32>,
    (first, second): (&Region, &Region),
) -> Option<Skipped> {
    let mut twin: SideTable<Value, Option<Value>> = SideTable::new();
    for (&value, &earlier) in second.values.iter().zip(&first.values) {
        twin[value] = Some(earlier);
    }
    let args = |region: &Region, edge: usize| {
        let (from, which) = region.leaving[edge];
        let call = f.terminator(cfg.block(from)).calls().nth(which).expect("the edge was there");
        f.list(call.args)
    };
    let source = f.block_params(cfg.block(first.target));
    let is_known = |value: Value| match f.def(value) {
        Def::Const(_) => true,
        Def::Param(home, _) => cfg.number(home).is_some_and(|home| dominators.dominates(home, first.start)),
        Def::Result(inst, _) => dominators.dominates(homes[inst], first.start),
    };
    let one = |position: usize, edge: usize| {
        let value = args(second, edge)[position];
        if let Some(earlier) = twin[value] {
            return Some(earlier);
        }
        // What the first region handed out was on this edge what it passed.
        match source.iter().position(|&param| param == value) {
            Some(at) if first.leaving.len() > 1 => Some(args(first, edge)[at]),
            _ => (second.leaving.len() == 1 || is_known(value)).then_some(value),
        }
    };
    let hand = |position: usize| {
        let wanted: Option<Vec<Value>> = (0..second.leaving.len()).map(|edge| one(position, edge)).collect();
        Some(match wanted?.as_slice() {
            &[value] => Handed::Value(value),
            wanted => {
                let is_same =
                    |at: &usize| (0..wanted.len()).all(|edge| args(first, edge)[*at] == wanted[edge]);
                match (0..source.len()).find(is_same) {
                    Some(at) => Handed::Value(source[at]),
                    None => Handed::OneOf(wanted.to_vec()),
                }
            }
        })
    };
    let handed: Option<Vec<Handed>> = (0..f.block_params(cfg.block(second.target)).len()).map(hand).collect();
    handed.map(|handed| Skipped { twin, handed })
}

/// Skips a region: control goes on behind it with values of the first.
fn skip(f: &mut Function, cfg: &Cfg, first: &Region, second: &Region, Skipped { twin, handed }: Skipped) {
    let args: Vec<Value> = handed
        .into_iter()
        .map(|handed| match handed {
            Handed::Value(value) => value,
            Handed::OneOf(values) => hand_out(f, cfg, first, &values),
        })
        .collect();
    let call = f.make_call(cfg.block(second.target), &args);
    match second.entry {
        Some((from, which)) => {
            let from = cfg.block(from);
            let mut terminator = f.take_terminator(from);
            *terminator.calls_mut().nth(which).expect("the edge was there") = call;
            f.set_terminator(from, terminator);
        }
        None => f.set_terminator(cfg.block(second.start), Terminator::Jump(call)),
    }
    let gone: Vec<Block> = second.blocks.iter().map(|&number| cfg.block(number)).collect();
    f.set_layout(f.blocks().iter().copied().filter(|block| !gone.contains(block)).collect());
    f.map_uses(|value| twin[value].unwrap_or(value));
}

/// Lets a region that is left on several edges hand out one more value: on each edge one of these.
fn hand_out(f: &mut Function, cfg: &Cfg, region: &Region, values: &[Value]) -> Value {
    for (&(from, which), &value) in region.leaving.iter().zip(values) {
        let from = cfg.block(from);
        let mut terminator = f.take_terminator(from);
        let call = terminator.calls_mut().nth(which).expect("the edge was there");
        let mut args = f.list(call.args).to_vec();
        args.push(value);
        call.args = f.make_list(&args);
        f.set_terminator(from, terminator);
    }
    f.add_param(cfg.block(region.target), f.ty(values[0]))
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::passes::testing::after;

    /// A loop from `0` and the first value to the second, with a product inside; then `between`.
    fn a_loop(name: &str, from: &str, next: &str) -> String {
        let v = |i: u32| format!("v{}{i}", name.len());
        let (i, s, p, t, j, c) = (v(0), v(1), v(2), v(3), v(4), v(5));
        format!(
            "    jump {name}({from}, 0)\n{name}({i}: i64, {s}: i64):\n    {p} = mul({i}, v1)\n    \
             {t} = sdiv({s}, {p})\n    {j} = add({i}, 1)\n    {c}: i1 = lt({j}, v0)\n    \
             branch {c}, {name}({j}, {t}), {next}\n{next}:\n"
        )
    }

    fn two_loops(from: &str) -> String {
        let loops = a_loop("h", "v0", "m") + &a_loop("hh", from, "x");
        format!("func f(v0: i64, v1: i64) -> i64 {{\ne:\n{loops}    v9 = add(v13, v23)\n    return v9\n}}\n")
    }

    #[test]
    fn of_two_equal_loops_one_is_left() {
        let (count, text) = after(&PASS, &two_loops("v0"));
        assert_eq!((count, text.matches("branch").count()), (1, 1), "{text}");
        assert_eq!(after(&PASS, &two_loops("v1")).0, 0, "one begins elsewhere");
    }

    #[test]
    fn a_loop_in_an_arm_is_no_twin_of_one_behind() {
        let arm = a_loop("h", "v0", "m");
        let behind = a_loop("hh", "v0", "x");
        let source = format!(
            "func f(v0: i64, v1: i64) -> i64 {{\ne:\n    branch v1, a, b\na:\n{arm}    jump b\nb:\n{behind}    \
             return v23\n}}\n"
        );
        assert_eq!(after(&PASS, &source).0, 0);
    }

    /// What the second hands out may be made between the two: then it stays. What the first handed out was on each edge
    /// what it passed.
    #[test]
    fn what_is_handed_out_is_known_where_control_leaves_the_first() {
        let two = |out: &str| {
            format!(
                "func f(v0: i64, v1: i64) -> i64 {{\ne:\n    branch v0, a, b\na:\n    jump m(v1)\nb:\n    jump m(7)\n\
                 m(v2: i64):\n    v3 = mul(v2, v2)\n    branch v0, c, d\nc:\n    jump n(v3)\nd:\n    jump n({out})\n\
                 n(v4: i64):\n    v5 = add(v3, v4)\n    return v5\n}}\n"
            )
        };
        assert_eq!(after(&PASS, &two("5")).0, 0, "the product is not known in the arms of the first");
        let arms = two("v2").replace("n(v3)", "n(5)");
        let (count, text) = after(&PASS, &arms);
        assert_eq!((count, text.matches("branch").count()), (1, 1), "{text}");
        assert!(text.contains("jump m(7, 7)") && text.contains("jump m(v1, 5)"), "{text}");
    }

    /// Arms of a branch, then of another on a condition, that hand out what is said.
    fn two_branches(condition: &str, out: &str) -> String {
        let arms = |name: &str, v: u32, condition: &str, out: &str| {
            format!(
                "    branch {condition}, {name}a, {name}b\n{name}a:\n    v{v}0 = mul(v1, v1)\n    \
                 v{v}1 = add(v{v}0, v0)\n    jump {name}j({})\n{name}b:\n    v{v}2 = sub(v1, v0)\n    \
                 jump {name}j({})\n{name}j(v{v}3: i64):\n",
                if out == "sum" { format!("v{v}1") } else { format!("v{v}0") },
                format_args!("v{v}2"),
            )
        };
        let (first, second) = (arms("p", 1, "v0", "sum"), arms("q", 2, condition, out));
        format!(
            "func f(v0: i64, v1: i64) -> i64 {{\ne:\n{first}{second}    v9 = mul(v13, v23)\n    return v9\n}}\n"
        )
    }

    #[test]
    fn branches_on_one_condition_are_one() {
        let (count, text) = after(&PASS, &two_branches("v0", "sum"));
        assert_eq!((count, text.matches("branch").count()), (1, 1), "{text}");
        assert_eq!(after(&PASS, &two_branches("v1", "sum")).0, 0, "on another condition");
    }

    #[test]
    fn the_first_of_two_branches_hands_out_what_is_asked_of_the_second() {
        let (count, text) = after(&PASS, &two_branches("v0", "product"));
        assert_eq!((count, text.matches("branch").count()), (1, 1), "{text}");
        assert!(text.contains("pj(v8: i64, v9: i64)") || text.matches(": i64, v").count() == 2, "{text}");
    }

    #[test]
    fn what_does_more_than_compute_is_done_again() {
        let source = two_loops("v0").replace("= mul(", ": i64 = call(").replace(", v1)\n", ", v1) @g\n");
        assert_eq!(after(&PASS, &format!("callee @g\n{source}")).0, 0);
    }
}
