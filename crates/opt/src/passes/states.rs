//! Loops that go where a variable says, and where every way knows what it says, go there directly.
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
//! threading ([`thread`](super::thread)) does not copy headers of loops: one that stays for some ways and is jumped over
//! by others gives its loop a second entry. Here a header is copied for every way to it, and so vanishes, if each of them
//! decides its branch. What then is a loop is looked for in the new graph before anything changes: it is left alone if
//! there would be a loop that can be entered at two places, which regions cannot say and other passes do not look at.
//!
//! Copies of the header are bounded by [`SIZE`] operations and by [`WAYS`]. Such loops may be tested twice, by `while
//! (state != END)` and the switch, so this is repeated [`DEEP`] times at most. As in `thread`, nothing is executed that
//! was not, and in a function with handlers only a header is copied of which nothing is used outside.

use planish_base::Id;
use planish_ir::dominators::Dominators;
use planish_ir::loops::Loops;
use planish_ir::{Block, Cfg, Function, Graph, Terminator, Value, copy_blocks, repair};

use super::thread::{lessons_above, lessons_of_edge, makes_unfinished, outcome, stays_inside};
use crate::pipeline::{Pass, PassCx};

/// How many operations a header may have.
const SIZE: usize = 4;
/// How many ways may lead to a header.
const WAYS: usize = 32;
/// How many headers may go, one after the other.
const DEEP: usize = 8;

/// Lets machines go from state to state.
pub const PASS: Pass = Pass::over_graphs(
    "states",
    "Loops that go where a variable says go there directly where each way knows what it says.",
    run,
);

/// An edge: the block from which it comes, and its number among those of the terminator.
type Edge = (Block, usize);

fn run(f: &mut Function, cx: &mut PassCx<'_>) {
    for _ in 0..DEEP {
        let cfg = Cfg::new(f);
        let is_header = |number: u32| cfg.preds().of(number).iter().any(|&pred| pred >= number);
        if !(1..cfg.order().len() as u32).any(is_header) {
            return;
        }
        let dominators = cfg.dominators();
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
        if !cx.may_change(&PASS, f, header) {
            return;
        }
        jump_over(f, header, &ways, has_handlers);
    }
}

/// For each edge to a header where its end goes then, if all are known.
fn ways(
    f: &Function,
    cx: &PassCx<'_>,
    cfg: &Cfg,
    dominators: &Dominators,
    number: u32,
) -> Option<Vec<(Edge, usize)>> {
    let (header, preds) = (cfg.block(number), cfg.preds().of(number));
    let decides = matches!(f.terminator(header), Terminator::Branch { .. } | Terminator::Switch { .. });
    if !decides || preds.len() > WAYS || preds.contains(&number) || f.block_insts(header).len() > SIZE {
        return None;
    }
    let mut ways = Vec::new();
    let mut sources = preds.to_vec();
    sources.dedup();
    for source in sources {
        let above = lessons_above(f, cfg, dominators, source);
        for (edge, call) in f.block_calls(cfg.block(source)).enumerate() {
            if call.block == header {
                let mut known = above.clone();
                lessons_of_edge(f, cfg.block(source), edge, &mut known);
                let way = outcome(f, header, f.list(call.args), known)?;
                ways.push(((cfg.block(source), edge), way));
            }
        }
    }
    // Exits come from the middle of blocks.
    let are_all = ways.len() == preds.len() && !makes_unfinished(f, cx, header);
    are_all.then_some(ways)
}

/// Whether no loop gets a second entry if edges jump over a header.
fn stays_reducible(f: &Function, cfg: &Cfg, header: u32, ways: &[(Edge, usize)]) -> bool {
    let number = |block: Block| cfg.number(block).expect("it is reached");
    let mut edges: Vec<(u32, u32)> =
        cfg.succs().edges().filter(|&(from, to)| from != header && to != header).collect();
    let targets: Vec<Block> = f.block_calls(cfg.block(header)).map(|call| call.block).collect();
    edges.extend(ways.iter().map(|&((source, _), way)| (number(source), number(targets[way]))));
    let whole = Graph::new(cfg.order().len(), &edges);
    let order = whole.reverse_postorder(0);
    let mut place = vec![None; cfg.order().len()];
    order.iter().zip(0..).for_each(|(&vertex, at)| place[vertex as usize] = Some(at));
    let at = |vertex: u32| place[vertex as usize];
    let reached: Vec<(u32, u32)> = edges.iter().filter_map(|&(from, to)| at(from).zip(at(to))).collect();
    let entered_twice = |graph: &Graph| {
        let loops = Loops::new(graph);
        loops.ids().filter(|&of| loops.is_irreducible(of)).count()
    };
    entered_twice(&Graph::new(order.len(), &reached)) <= entered_twice(cfg.succs())
}

/// Gives each edge to a header a copy of its own that goes on where it is known to.
fn jump_over(f: &mut Function, header: Block, ways: &[(Edge, usize)], has_handlers: bool) {
    let mut groups: Vec<Vec<Value>> = Vec::new();
    for &((source, edge), way) in ways {
        let copied = copy_blocks(f, &[header]);
        let copy = copied.block(header).expect("it was copied");
        let call = f.block_calls(copy).nth(way).expect("the copy ends alike");
        f.set_terminator(copy, Terminator::Jump(call));
        let mut terminator = f.take_terminator(source);
        if let Some(call) = terminator.calls_mut().nth(edge) {
            call.block = copy;
        }
        f.set_terminator(source, terminator);
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
    use crate::pipeline::machine_price;

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
            machine_price,
        );
        assert_eq!((count, verify_module(&module, Form::Cfg)), (0, Vec::new()));
        let f = module.functions.values().next().expect("a function");
        let cfg = Cfg::new(f);
        let loops = Loops::new(cfg.succs());
        assert!(loops.ids().all(|of| !loops.is_irreducible(of)));
    }
}
