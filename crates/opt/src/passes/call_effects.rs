//! What functions read and write (interprocedural side effects; Banning, POPL 1979; LLVM's FunctionAttrs), by alias class.
//!
//! ```text
//! callee @count                                       callee @count reads (2) writes (2)
//! func count(p: ref) { ... set_field(p, n) @n ... }   what is known of other classes stays known behind a call
//! ```
//!
//! A function reads and writes what its operations do and what the functions that it calls do; that is found from callees to
//! callers until nothing more comes, so recursion needs nothing of its own. Volatile memory, calls of what is not known and
//! through references are anything. Whoever said less of a function is believed.
//!
//! A function that touches nothing, always returns and neither raises nor allocates is pure: of two equal calls one is left, and
//! one whose result is not used goes. Recursion is taken to end, as [`Returns`] tells. O(size of the module * alias classes).

use std::collections::BTreeSet;

use hashbrown::HashMap;
use planish_base::{Id, Worklist};
use planish_ir::module::Descriptor;
use planish_ir::returns::Returns;
use planish_ir::{FuncId, Function, Inst, Module, Terminator};
use planish_ops::world::{CallEffect, Descr, World};
use planish_ops::{Effect, Op};
use rustc_hash::FxBuildHasher;

use crate::analysis::alias::{Access, Alias};
use planish_pass::{Became, Example, Kind, Level, ModulePass, PassInfo, Record, Site};

/// Finds what calls read and write.
pub const PASS: ModulePass = ModulePass {
    info: PassInfo {
        level: Level::Module,
        source: "Banning, POPL 1979, interprocedural side effects; LLVM FunctionAttrs",
        example: Example { file: "call_effects.ssa", text: include_str!("examples/call_effects.ssa") },
        test: "crates/opt/src/passes/call_effects.rs",
        ..PassInfo::new(
            "call-effects",
            "Interprocedural side effects: what each function reads and writes is found.",
        )
    },
    run: |module, cx| run(module, cx.record),
};

/// Alias classes; `None` is all.
type Classes = Option<BTreeSet<u32>>;

/// What a function reads and writes.
#[derive(Clone)]
struct Touched {
    reads: Classes,
    writes: Classes,
    /// Whether it may do anything else than to compute, to load and to store.
    acts: bool,
}

impl Touched {
    fn nothing(&self) -> bool {
        let none = |classes: &Classes| classes.as_ref().is_some_and(BTreeSet::is_empty);
        !self.acts && none(&self.reads) && none(&self.writes)
    }
}

/// Adds classes to others. Whether any is new.
fn add(all: &mut Classes, more: Option<impl IntoIterator<Item = u32>>) -> bool {
    match (all.as_mut(), more) {
        (None, _) => false,
        (Some(_), None) => {
            *all = None;
            true
        }
        (Some(classes), Some(more)) => {
            let before = classes.len();
            classes.extend(more);
            classes.len() > before
        }
    }
}

fn run(module: &mut Module, record: &mut Record) {
    let named: HashMap<Descr, FuncId, FxBuildHasher> = module
        .functions
        .iter()
        .filter_map(|(id, function)| Some((module.descriptors.callee(&function.name)?, id)))
        .collect();
    // Calls that say already what they do need no looking.
    let is_open = |descr: Descr| {
        let effect = module.descriptors.call_effect(descr);
        effect.reads.is_none() || effect.writes.is_none()
    };
    if !named.keys().any(|&descr| is_open(descr)) {
        return;
    }
    let mut callers: Vec<Vec<FuncId>> = vec![Vec::new(); module.functions.len()];
    let mut touched: Vec<Touched> = Vec::new();
    for (id, f) in module.functions.iter() {
        let throws = |block| matches!(f.terminator(block), Terminator::Throw(..));
        let acts = f.blocks().iter().any(|&block| throws(block));
        let mut own = Touched { reads: Some(BTreeSet::new()), writes: Some(BTreeSet::new()), acts };
        for (_, inst) in f.live_insts() {
            let called = f.inst(inst).descr.filter(|_| f.inst(inst).op == Op::Call);
            match called.and_then(|descr| named.get(&descr)) {
                Some(callee) => callers[callee.index()].push(id),
                None => operation(module, f, inst, &mut own),
            }
        }
        touched.push(own);
    }
    let mut work: Worklist<FuncId> = module.functions.ids().collect();
    while let Some(id) = work.pop() {
        let Touched { reads, writes, acts } = touched[id.index()].clone();
        for &caller in &callers[id.index()] {
            let of_caller = &mut touched[caller.index()];
            let more_reads = add(&mut of_caller.reads, reads.clone());
            let more_writes = add(&mut of_caller.writes, writes.clone());
            let more_acts = acts && !std::mem::replace(&mut of_caller.acts, true);
            if more_reads || more_writes || more_acts {
                work.push(caller);
            }
        }
    }
    let returns = Returns::new(module);
    let mut named: Vec<(Descr, FuncId)> = named.into_iter().collect();
    named.sort_unstable();
    for (descr, id) in named {
        let mut effect = module.descriptors.call_effect(descr).clone();
        let is_pure = touched[id.index()].nothing() && returns.function(id);
        let Touched { reads, writes, .. } = &touched[id.index()];
        let list =
            |classes: &Classes| classes.as_ref().map(|classes| classes.iter().copied().collect::<Vec<_>>());
        let found = [effect.reads.is_none() && reads.is_some(), effect.writes.is_none() && writes.is_some()];
        if found == [false, false] || !record.rewrite(Kind::Pass(PASS.info.name), Site::NONE, Became::Changed)
        {
            continue;
        }
        if is_pure && found == [true, true] {
            let CallEffect { made, loop_invariant, result, .. } = effect;
            effect = CallEffect { made, loop_invariant, result, ..CallEffect::pure() };
        }
        effect.reads = effect.reads.or_else(|| list(reads));
        effect.writes = effect.writes.or_else(|| list(writes));
        module.descriptors.set(descr, Descriptor::Callee(effect));
    }
}

/// Adds what an operation reads and writes, if it is no call of a function of the module.
fn operation(module: &Module, f: &Function, inst: Inst, all: &mut Touched) {
    let alias = Alias { f, world: &module.descriptors };
    let data = f.inst(inst);
    let class = || alias.location(inst).map(|location| [location.alias_class]);
    let (reads, writes) = (&mut all.reads, &mut all.writes);
    let called =
        data.descr.filter(|_| data.op == Op::Call).map(|descr| module.descriptors.call_effect(descr));
    all.acts |= data.exit.is_some()
        || match f.row(inst).effect {
            Effect::Pure | Effect::Load | Effect::Store => false,
            Effect::Call => !called.is_some_and(|effect| effect.elidable && !effect.raises),
            Effect::Guard | Effect::Allocate | Effect::Marker => true,
        };
    match (f.row(inst).effect, Access::kind(data.op)) {
        (Effect::Pure | Effect::Guard | Effect::Allocate | Effect::Marker, _) => {}
        (_, Some(Access::Load)) | (Effect::Load, None) => {
            add(reads, class());
        }
        (_, Some(Access::Store)) | (Effect::Store, None) => {
            add(writes, class());
            if data.op == Op::RawCopy {
                add(reads, class());
            }
        }
        (Effect::Call, None) => {
            add(reads, called.and_then(|effect| effect.reads.clone()));
            add(writes, called.and_then(|effect| effect.writes.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use planish_ir::text;

    use super::run;
    use crate::passes::testing::rewritten;

    /// What is said of each callee then.
    fn said(source: &str) -> Vec<String> {
        let declared = "location @a: i64 class 1\nlocation @b: i64 class 2\ncallee @f\ncallee @g\ncallee @h\ncallee @out\n";
        let (_, module) = rewritten(&format!("{declared}{source}"), run);
        let text = text::write(&module, text::Options::default());
        text.lines().filter(|line| line.starts_with("callee")).map(str::to_owned).collect()
    }

    #[test]
    fn what_callees_touch_callers_touch_in_circles_too() {
        let said = said(
            "func f(v0: ref) -> i64 {\ne:\n    v1: i64 = call(v0) @g\n    return v1\n}\n\
             func g(v0: ref) -> i64 {\ne:\n    v1 = get_field(v0) @a\n    branch v1, a, b\na:\n    v2: i64 = call(v0) @h\n    \
             return v2\nb:\n    return 0\n}\n\
             func h(v0: ref) -> i64 {\ne:\n    set_field(v0, 1) @b\n    v1: i64 = call(v0) @g\n    return v1\n}\n",
        );
        for name in ["f", "g", "h"] {
            assert!(said.contains(&format!("callee @{name} reads (1) writes (2)")), "{said:?}");
        }
    }

    #[test]
    fn what_only_computes_and_returns_is_pure_in_circles_too() {
        let said = said(
            "func f(v0: i64) -> i64 {\ne:\n    branch v0, a, b\na:\n    v1 = add(v0, -1)\n    v2: i64 = call(v1) @g\n    \
             return v2\nb:\n    return 1\n}\nfunc g(v0: i64) -> i64 {\ne:\n    v1: i64 = call(v0) @f\n    return v1\n}\n\
             func h(v0: i64) -> i64 {\ne:\n    v1 = sdiv(1, v0)\n    return v1\n}\n",
        );
        let expected = [
            "callee @f elidable reads () writes ()",
            "callee @g elidable reads () writes ()",
            "callee @h reads () writes ()",
        ];
        assert!(expected.iter().all(|line| said.contains(&(*line).to_owned())), "{said:?}");
    }

    #[test]
    fn what_is_not_known_touches_anything_and_what_computes_nothing() {
        let said = said(
            "func f(v0: ref) {\ne:\n    call(v0) @out\n    return\n}\n\
             func g(v0: ref) {\ne:\n    call(v0) @f\n    return\n}\nfunc h(v0: i64) -> i64 {\ne:\n    v1 = mul(v0, v0)\n    \
             return v1\n}\n",
        );
        let expected = [
            "callee @f reads * writes *",
            "callee @g reads * writes *",
            "callee @h elidable reads () writes ()",
        ];
        assert!(expected.iter().all(|line| said.contains(&(*line).to_owned())), "{said:?}");
    }
}
