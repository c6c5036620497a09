//! Value numbering of pure calls (Click, PLDI 1995): a call that was made before is not made again.
//!
//! A call that only computes gives for the same arguments what it gave before, so where one was made on every way, and
//! returned, another one is not made: `fib(n) + fib(n)` is twice the one. Such calls take and give numbers only, so
//! nobody can tell which of them made a result. One that throws did so the first time.

use hashbrown::HashMap;
use planish_ir::{Block, Cfg, Function, Inst, Stands, Value};
use planish_ops::Op;
use planish_ops::world::{Descr, World};
use planish_pass::{Became, Leave};
use rustc_hash::FxBuildHasher;

use crate::program::needless::Marked;

/// What was made where and gave what, by what was called with what.
type Made = HashMap<(Descr, Vec<Value>), Vec<(Block, Value)>, FxBuildHasher>;

/// Removes calls that only compute and were made before. Gives their number. O(size of the body), times the number of
/// equal calls.
pub fn use_results_again(f: &mut Function, world: &dyn World, leave: &mut Leave<'_>) -> u64 {
    let computes = |f: &Function, inst: Inst| {
        let data = f.inst(inst);
        let descr = data.descr.filter(|_| data.op == Op::Call)?;
        let effect = world.call_effect(descr);
        let reads_nothing = effect.reads.as_ref().is_some_and(Vec::is_empty);
        (effect.elidable && reads_nothing && f.results(inst).len() == 1).then_some(descr)
    };
    if f.live_insts().filter(|&(_, inst)| computes(f, inst).is_some()).nth(1).is_none() {
        return 0;
    }
    // What a handler comes from may not have returned.
    let has_handlers = f.live_insts().any(|(_, inst)| f.inst(inst).exit.is_some());
    let cfg = Cfg::new(f);
    let dominators = cfg.dominators();
    let mut stands = Stands::default();
    let mut removed = Marked::new(f);
    let mut made: Made = HashMap::default();
    // What dominates a block comes before it.
    for &block in cfg.order() {
        let comes_before = |other: Block| match (cfg.number(other), cfg.number(block)) {
            _ if other == block => true,
            (Some(upper), Some(lower)) => !has_handlers && dominators.dominates(upper, lower),
            _ => false,
        };
        for &inst in f.block_insts(block) {
            let Some(descr) = computes(f, inst) else { continue };
            let args = f.args(inst).iter().map(|&value| stands.of(value)).collect();
            let equal = made.entry((descr, args)).or_default();
            let of = f.result(inst);
            match equal.iter().find(|&&(other, _)| comes_before(other)) {
                Some(&(_, is)) if !leave.rewrite(f, inst, Became::Value { of, is }) => {}
                Some(&(_, result)) => {
                    stands.put(result, f.result(inst));
                    removed.add(inst);
                }
                None => equal.push((block, f.result(inst))),
            }
        }
    }
    let count = removed.remove(f);
    stands.write(f);
    count
}

#[cfg(test)]
mod tests {
    use planish_ir::text::{Options, read, write_function};

    use planish_pass::{Leave, Record};

    use super::use_results_again;
    use crate::bodies::passes::PURE_CALL_NUMBERING;

    /// A function after its calls were looked at: `@f` only computes, `@g` may throw, `@h` looks at memory.
    fn left(body: &str) -> (u64, String) {
        let source = format!(
            "callee @f elidable reads () writes ()\ncallee @g elidable raises reads () writes ()\n\
             callee @h elidable writes ()\n{body}"
        );
        let (module, diagnostics) = read(&source);
        assert!(!diagnostics.has_errors(), "{source}");
        let id = module.find("test").expect("it is there");
        let mut f = module.functions[id].clone();
        let count = use_results_again(
            &mut f,
            &module.descriptors,
            &mut Leave::new(&mut Record::new(), &PURE_CALL_NUMBERING),
        );
        (count, write_function(&module, &f, Options::default()))
    }

    #[test]
    fn an_equal_call_that_returned_is_not_made_again() {
        for callee in ["@f", "@g"] {
            let (count, text) = left(&format!(
                "func test(v0: i64) -> i64 {{\na:\n    v1: i64 = call(v0) {callee}\n    v2: i64 = call(v1) {callee}\n\
                 \x20   v3: i64 = call(v0) {callee}\n    v4: i64 = call(v3) {callee}\n    v5 = add(v2, v4)\n    return v5\n}}\n"
            ));
            assert_eq!(count, 2, "{text}");
            assert_eq!(text.matches("call").count(), 2, "{text}");
            assert!(text.contains("add(v2, v2)"), "what a call takes may be what another one gave:\n{text}");
        }
    }

    #[test]
    fn calls_that_look_at_memory_or_were_made_on_one_way_only_are_made() {
        let (count, _) = left(
            "func test(v0: i64) -> i64 {\na:\n    v1: i64 = call(v0) @h\n    v2: i64 = call(v0) @h\n\
             \x20   v3 = add(v1, v2)\n    return v3\n}\n",
        );
        assert_eq!(count, 0);
        let (count, _) = left(
            "func test(v0: i64) -> i64 {\na:\n    branch v0, b, c\nb:\n    v1: i64 = call(v0) @f\n    jump d(v1)\n\
             c:\n    jump d(v0)\nd(v2: i64):\n    v3: i64 = call(v0) @f\n    v4 = add(v2, v3)\n    return v4\n}\n",
        );
        assert_eq!(count, 0);
        let (count, _) = left(
            "func test(v0: i64) -> i64 {\na:\n    v1: i64 = call(v0) @f\n    branch v0, b, c\nb:\n\
             \x20   v2: i64 = call(v0) @f\n    return v2\nc:\n    return v1\n}\n",
        );
        assert_eq!(count, 1, "it was made on every way");
    }
}
