//! Jump threading across loop iterations for state machines (LLVM `DFAJumpThreading`): a loop around a switch on its
//! state jumps from state to state where the next state is known.
//!
//! ```text
//! e: jump h(0, x)                  e: jump a
//! h(s, y): switch s, a, b, c       a: ... jump b
//! a: ... jump h(1, y1)    becomes  b: ... branch v, c, a
//! b: ... branch v, h(2, y1), h(0, y1)
//! c: return y                      c: return y
//! ```
//!
//! A finite-state machine, as people write it and as generators of parsers do, is a loop around a switch. Jump
//! threading ([`jump_threading`](super::jump_threading)) does not copy headers of loops: one that stays for some ways and is jumped over
//! by others gives its loop a second entry. Here a header is copied for every way to it, and so vanishes, if each of them
//! decides its branch. What then is a loop is looked for in the new graph before anything changes: it is left alone if
//! there would be a loop that can be entered at two places, which regions cannot say and other passes do not look at.
//!
//! Ways come together in blocks that only go on to the header, as `break` makes them: each way through such a block counts
//! by itself. A way from the header back to itself, the `default` of a switch that has a case for each state, is of no
//! account if no other way leads there.
//!
//! Copies of the header are bounded by [`SIZE`] operations and by [`WAYS`]. Such loops may be tested twice, by `while
//! (state != END)` and the switch, so this is repeated [`DEEP`] times at most. As in jump threading, nothing is executed that
//! was not, and in a function with handlers only a header is copied of which nothing is used outside.

use planish_base::Id;
use planish_base::fault;
use planish_ir::dominators::Dominators;
use planish_ir::loops::Loops;
use planish_ir::{Block, BlockCall, Cfg, Function, Graph, Terminator, Value, copy_blocks, repair};

use super::jump_threading::{
    decides_where_ways_meet, lessons_above, lessons_of_edge, makes_unfinished, outcome, stays_inside,
};
use planish_pass::{Change, Example, FunctionPass, PassCx, PassInfo, PassOption};

/// At most so many operations of a header.
pub const SIZE: PassOption = PassOption::new("size", 4, "the most operations of a header");
/// At most so many ways to a header.
pub const WAYS: PassOption = PassOption::new("ways", 32, "the most ways to a header");
/// At most so many headers that go, one after the other.
pub const DEEP: PassOption = PassOption::new("depth", 8, "the most headers that go, one after the other");

/// Lets machines go from state to state.
pub const PASS: FunctionPass = FunctionPass {
    info: PassInfo {
        aliases: &["states"],
        source: "LLVM DFAJumpThreading",
        analyses: &["edges", "dominators"],
        options: &[&SIZE, &WAYS, &DEEP],
        example: Example {
            file: "dfa_jump_threading.ssa",
            text: include_str!("examples/dfa_jump_threading.ssa"),
        },
        test: "crates/opt/src/passes/dfa_jump_threading.rs",
        ..PassInfo::new(
            "dfa-jump-threading",
            "Jump threading of state machines: a loop around a switch on its state goes from state to state.",
        )
    },
    run,
};

/// A way to a header.
struct Way {
    /// The block from which it comes.
    source: Block,
    /// Its number among the edges of that.
    edge: usize,
    /// What it passes to the header in the end.
    args: Vec<Value>,
    /// Where the header goes then, among its own edges.
    goes: usize,
}

fn run(f: &mut Function, cx: &mut PassCx<'_>) {
    for _ in 0..cx.count(&DEEP) {
        if !decides_where_ways_meet(f, cx.count(&SIZE)) {
            return;
        }
        let cfg = cx.get::<Cfg>(f);
        let is_header = |number: u32| cfg.preds().of(number).iter().any(|&pred| pred >= number);
        if !(1..cfg.order().len() as u32).any(is_header) {
            return;
        }
        let dominators = cx.get::<Dominators>(f);
        let mut found =
            (1..cfg.order().len() as u32).filter(|&number| is_header(number)).find_map(|number| {
                let ways = ways(f, cx, &cfg, &dominators, number)?;
                stays_reducible(f, &cfg, number, &ways).then_some((cfg.block(number), ways))
            });
        let has_handlers = f.has_handlers();
        if has_handlers && let Some((header, _)) = found {
            found = found.filter(|_| stays_inside(f)[header.index()]);
        }
        let Some((header, ways)) = found else { return };
        if !cx.may_change(f, header) {
            return;
        }
        jump_over(f, header, &ways, has_handlers);
        cx.changed(Change::Flow);
    }
}

/// All ways to a header, if it is known for each where it goes on.
fn ways(f: &Function, cx: &PassCx<'_>, cfg: &Cfg, dominators: &Dominators, number: u32) -> Option<Vec<Way>> {
    let header = cfg.block(number);
    let decides = matches!(f.terminator(header), Terminator::Branch { .. } | Terminator::Switch { .. });
    if !decides || f.block_insts(header).len() > cx.count(&SIZE) {
        return None;
    }
    let mut ways = Vec::new();
    // The edges of the header that lead to it again.
    let mut back: Vec<usize> = Vec::new();
    // Blocks that go to the header, with what they pass it: the header itself, and those that only go on.
    let mut to: Vec<(u32, Option<BlockCall>)> = vec![(number, None)];
    let mut next = 0;
    while let Some(&(place, passes)) = to.get(next) {
        next += 1;
        let target = cfg.block(place);
        let mut sources = cfg.preds().of(place).to_vec();
        let count = sources.len();
        sources.dedup();
        let mut found = 0;
        for source in sources {
            let block = cfg.block(source);
            let above = lessons_above(f, cfg, dominators, source);
            for (edge, call) in f.block_calls(block).enumerate().filter(|(_, call)| call.block == target) {
                found += 1;
                let only_goes_on = f.block_insts(block).is_empty()
                    && matches!(f.terminator(block), Terminator::Jump(_))
                    && dominators.dominates(number, source);
                if source == number {
                    back.push(edge);
                } else if only_goes_on && passes.is_none() {
                    to.push((source, Some(call)));
                } else {
                    let mut known = above.clone();
                    lessons_of_edge(f, block, edge, &mut known);
                    let args = passed(f, target, call, passes);
                    let goes = outcome(f, header, &args, known)?;
                    ways.push(Way { source: block, edge, args, goes });
                }
            }
        }
        // Exits come from the middle of blocks.
        if found < count || ways.len() > cx.count(&WAYS) {
            return None;
        }
    }
    let comes_again = ways.iter().any(|way| back.contains(&way.goes));
    (!comes_again && !makes_unfinished(f, cx, header)).then_some(ways)
}

/// What an edge to a block passes to where that goes on, if it does.
fn passed(f: &Function, target: Block, call: BlockCall, passes: Option<BlockCall>) -> Vec<Value> {
    let args = f.list(call.args);
    let Some(further) = passes else { return args.to_vec() };
    let params = f.block_params(target);
    let given =
        |value: &Value| params.iter().position(|param| param == value).map_or(*value, |place| args[place]);
    f.list(further.args).iter().map(given).collect()
}

/// Whether no loop gets a second entry if ways jump over a header.
fn stays_reducible(f: &Function, cfg: &Cfg, header: u32, ways: &[Way]) -> bool {
    let number = |block: Block| cfg.number(block).expect("it is reached");
    let targets: Vec<u32> = f.block_calls(cfg.block(header)).map(|call| number(call.block)).collect();
    let mut edges: Vec<(u32, u32)> = Vec::new();
    for (from, &block) in (0..).zip(cfg.order()) {
        for (edge, call) in f.block_calls(block).enumerate() {
            let way = ways.iter().find(|way| way.source == block && way.edge == edge);
            edges.push((from, way.map_or_else(|| number(call.block), |way| targets[way.goes])));
        }
        edges.extend(f.handlers(block).map(|(_, handler)| (from, number(handler.block))));
    }
    let whole = Graph::new(cfg.order().len(), &edges);
    let order = whole.reverse_postorder(0);
    let mut place = vec![None; cfg.order().len()];
    order.iter().zip(0..).for_each(|(&vertex, at)| place[vertex as usize] = Some(at));
    let at = |vertex: u32| place[vertex as usize];
    edges = edges.into_iter().filter_map(|(from, to)| at(from).zip(at(to))).collect();
    let entered_twice = |graph: &Graph| {
        let loops = Loops::new(graph);
        loops.ids().filter(|&of| loops.is_irreducible(of)).count()
    };
    entered_twice(&Graph::new(order.len(), &edges)) <= entered_twice(cfg.succs())
}

/// Gives each way to a header a copy of its own that goes on where it is known to.
fn jump_over(f: &mut Function, header: Block, ways: &[Way], has_handlers: bool) {
    let mut groups: Vec<Vec<Value>> = Vec::new();
    for way in ways {
        let copied = copy_blocks(f, &[header]);
        let copy = copied.block(header).expect("it was copied");
        let goes = if fault!("dfa-jump-threading: every way goes on alike") { 0 } else { way.goes };
        let goes = f.block_calls(copy).nth(goes).expect("the copy ends alike");
        f.set_terminator(copy, Terminator::Jump(goes));
        let to_copy = f.make_call(copy, &way.args);
        let mut terminator = f.take_terminator(way.source);
        if let Some(call) = terminator.calls_mut().nth(way.edge) {
            *call = to_copy;
        }
        f.set_terminator(way.source, terminator);
        match groups.is_empty() {
            true => groups = copied.groups(),
            false => groups.iter_mut().zip(&copied.values).for_each(|(group, &(_, new))| group.push(new)),
        }
    }
    if !has_handlers {
        return repair(f, &groups);
    }
    let cfg = Cfg::new(f);
    f.retain_blocks(|block| cfg.is_reachable(block));
}

#[cfg(test)]
mod tests {
    use planish_ir::{Cfg, Form, loops::Loops, verify_module};

    use super::PASS;
    use crate::passes::testing::{after, changed};
    use planish_pass::Target;

    /// A machine of three states that begins in one of them.
    fn machine(start: &str) -> String {
        format!(
            "func f(v0: i32, v9: i32) -> i32 {{\ne:\n    jump h({start}, 0)\nh(v1: i32, v2: i32):\n    \
             switch v1 [0: a, 1: b], c\na:\n    v3 = add(v2, 1)\n    jump h(1, v3)\n\
             b:\n    v4: i1 = gt(v2, v0)\n    branch v4, h(2, v2), h(0, v2)\nc:\n    return v2\n}}\n"
        )
    }

    #[test]
    fn a_machine_goes_from_state_to_state() {
        let (count, text) = after(&PASS, &machine("0"));
        assert!(count == 1 && !text.contains("switch"), "{text}");
    }

    #[test]
    fn ways_that_come_together_in_front_of_the_header_count_one_by_one() {
        // As compilers write it: each `break` goes to the end of the body, and the switch has a `default`.
        let source = |other: &str| {
            format!(
                "func f(v0: i32) -> i32 {{\ne:\n    jump h(0, 0)\nh(v1: i32, v2: i32):\n    \
                 switch v1 [0: a, 1: b, 2: c], j(v1, v2)\na:\n    v3 = add(v2, 1)\n    jump j({other}, v3)\n\
                 b:\n    v4: i1 = gt(v2, v0)\n    branch v4, j(2, v2), j(0, v2)\nc:\n    return v2\n\
                 j(v5: i32, v6: i32):\n    jump h(v5, v6)\n}}\n"
            )
        };
        let (count, text) = after(&PASS, &source("1"));
        assert!(count == 1 && !text.contains("switch"), "{text}");
        assert_eq!(after(&PASS, &source("7")).0, 0, "that machine does not end");
        assert_eq!(after(&PASS, &source("v3")).0, 0, "any state may follow");
    }

    #[test]
    fn a_machine_whose_first_state_is_not_known_stays() {
        let (count, text) = after(&PASS, &machine("v9"));
        assert_eq!(count, 0, "{text}");
    }

    #[test]
    fn a_test_in_front_of_the_switch_goes_too() {
        let (count, text) = after(
            &PASS,
            "func f(v0: i32) -> i32 {\ne:\n    jump h(0, 0)\nh(v1: i32, v2: i32):\n    v5: i1 = ne(v1, 2)\n    \
             branch v5, s, c\ns:\n    switch v1 [0: a], b\na:\n    v3 = add(v2, 1)\n    jump h(1, v3)\n\
             b:\n    v4: i1 = gt(v2, v0)\n    branch v4, h(2, v2), h(0, v2)\nc:\n    return v2\n}\n",
        );
        assert!(count == 2 && !text.contains("switch") && text.matches("branch").count() == 1, "{text}");
    }

    #[test]
    fn no_loop_gets_a_second_entry() {
        // Two ways in, to different states of one cycle.
        let (count, module) = changed(
            &PASS,
            "func f(v0: i32) -> i32 {\ne:\n    branch v0, h(0, 0), h(1, 0)\nh(v1: i32, v2: i32):\n    \
             switch v1 [0: a, 1: b], c\na:\n    v3 = add(v2, 1)\n    jump h(1, v3)\n\
             b:\n    v4: i1 = gt(v2, v0)\n    branch v4, h(2, v2), h(0, v2)\nc:\n    return v2\n}\n",
            Target::MACHINE,
        );
        assert_eq!((count, verify_module(&module, Form::Cfg)), (0, Vec::new()));
        let f = module.functions.values().next().expect("a function");
        let cfg = Cfg::new(f);
        let loops = Loops::new(cfg.succs());
        assert!(loops.ids().all(|of| !loops.is_irreducible(of)));
    }
}
