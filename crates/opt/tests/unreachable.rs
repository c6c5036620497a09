//! Blocks that nothing reaches: every pass takes functions that have some, and leaves what can be verified and run.
//!
//! A pass that decides a branch leaves behind blocks that go on where others go. They count as edges for whoever counts
//! edges without asking which of them are ever taken.

use crate::common::program::{chains, counting, int, masked, meeting, random};
use crate::common::rng::Random;
use crate::common::run::{Seen, run};
use crate::common::text::text;
use planish_ir::module::Descriptors;
use planish_ir::{Block, Form, Function, Terminator};
use planish_ops::Op;
use planish_opt::manager::registry::PASSES;
use planish_opt::{Optimizer, Options, Pipeline, Record};

/// Adds, for each block but the entry, one that goes there and is entered from another such block alone.
fn with_unreachable_blocks(f: &mut Function) {
    let blocks: Vec<Block> = f.blocks().iter().copied().filter(|&block| block != f.entry()).collect();
    for block in blocks {
        let types: Vec<_> = f.block_params(block).iter().map(|&param| f.ty(param)).collect();
        let args: Vec<_> = types.iter().map(|&ty| f.make_int(ty, 1)).collect();
        let [first, second] = [(); 2].map(|()| f.make_block());
        let (on, there) = (f.make_call(second, &[]), f.make_call(block, &args));
        let condition = f.params()[0];
        f.set_terminator(first, Terminator::Jump(on));
        f.set_terminator(second, Terminator::Branch { condition, then: there, other: there });
    }
}

#[test]
fn every_pass_takes_functions_with_blocks_that_nothing_reaches() {
    let world = Descriptors::default();
    let mut optimizer = Optimizer::new();
    let all = [Pipeline::CFG, Pipeline::PROGRAM];
    let alone = PASSES.iter().map(|pass| pass.info().name);
    let options = Options { verify: true, ..Options::QUIET };
    for passes in alone.chain(all) {
        let pipeline = Pipeline::parse(passes, Form::Cfg).unwrap();
        let mut compared = 0;
        let functions = (0..200)
            .flat_map(|seed| [random(seed), counting(seed), meeting(seed), masked(seed), chains(seed)]);
        for (seed, before) in (0..).zip(functions) {
            let mut after = before.clone();
            with_unreachable_blocks(&mut after);
            optimizer.run(&pipeline, &mut after, &world, &mut Record::new(), options, &mut ());
            // The evaluator of these tests knows no constant tables; random functions of other tests have them.
            if after.live_insts().any(|(_, inst)| after.inst(inst).op == Op::Lookup) {
                continue;
            }
            let mut r = Random::new(seed);
            for _ in 0..4 {
                let inputs: Vec<_> =
                    before.params().iter().map(|&p| int(&mut r, before.ty(p).int_width().unwrap())).collect();
                let old = run(&before, &inputs, 200);
                if old != Seen::Fuel {
                    let new = run(&after, &inputs, 1000);
                    let case = || format!("{passes}, seed {seed}\n{}\n----\n{}", text(&before), text(&after));
                    assert_eq!(old, new, "{}", case());
                    compared += 1;
                }
            }
        }
        assert!(compared > 1000, "{passes}: {compared}");
    }
}
