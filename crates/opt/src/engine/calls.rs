//! Value numbering of pure calls (Click, PLDI 1995): a call that only computes and that an equal one dominates gives what
//! that one gave.
//!
//! [`elidable`](planish_ops::world::CallEffect::elidable) says which calls those are; they may read memory. One that
//! raises did so the first time, if ever. Where a stage of the walk sees calls, this is its affair.

use planish_ir::Inst;
use planish_ops::world::Made;
use planish_pass::record::{Became, Kind};

use crate::engine::numbering::{Key, Known};
use crate::engine::stage::Outcome;
use crate::engine::state::Cx;

impl Cx<'_> {
    /// What becomes of a call whose operands are resolved.
    pub(crate) fn number_call(&mut self, inst: Inst) -> Outcome {
        let computes = self.f.inst(inst).descr.is_some_and(|descr| {
            let effect = self.world.call_effect(descr);
            effect.elidable && effect.made == Made::Always
        });
        if !computes || self.f.results(inst).len() != 1 {
            return Outcome::Keep;
        }
        let (key, of) = (Key::of(self.f, inst), self.f.result(inst));
        match self.engine.numbering.find(self.f, &key) {
            Some(Known::Value(is)) if self.rewrite(Kind::Number, inst, Became::Value { of, is }) => {
                self.gone(inst);
                Outcome::Value(is)
            }
            Some(_) => Outcome::Keep,
            None => {
                self.engine.numbering.insert(self.f, key, Known::Value(of));
                Outcome::Keep
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use planish_ir::{Form, Module, text};

    use crate::{Optimizer, Options, Pipeline, Record};

    const CALLEES: &str = "callee @f elidable reads () writes ()\ncallee @g elidable raises reads () writes ()\n\
        callee @h elidable writes ()\ncallee @s\n";

    /// How many calls the walk leaves of a function.
    fn calls_left(body: &str) -> usize {
        let (mut module, diagnostics) = text::read(&format!("{CALLEES}{body}"));
        assert!(!diagnostics.has_errors(), "{body}");
        let pipeline = Pipeline::parse("pure", Form::Cfg).expect("a pass");
        let Module { functions, descriptors, .. } = &mut module;
        for f in functions.values_mut() {
            Optimizer::new().run(&pipeline, f, descriptors, &mut Record::new(), Options::QUIET, &mut ());
        }
        let written = text::write(&module, text::Options::default());
        written.matches("call(").count()
    }

    #[test]
    fn an_equal_call_is_not_made_again_whatever_it_reads_or_raises() {
        for callee in ["@f", "@g", "@h"] {
            let left = calls_left(&format!(
                "func test(v0: i64) -> i64 {{\na:\n    v1: i64 = call(v0) {callee}\n    call(v1) @s\n    \
                 v2: i64 = call(v1) {callee}\n    v3: i64 = call(v0) {callee}\n    v4: i64 = call(v3) {callee}\n    \
                 v5 = add(v2, v4)\n    return v5\n}}\n"
            ));
            assert_eq!(left, 3, "{callee}: what a call takes may be what another one gave");
        }
    }

    #[test]
    fn calls_that_act_or_were_made_on_one_way_only_are_made() {
        let acts = "func test(v0: i64) -> i64 {\na:\n    v1: i64 = call(v0) @s\n    v2: i64 = call(v0) @s\n    \
             v3 = add(v1, v2)\n    return v3\n}\n";
        assert_eq!(calls_left(acts), 2);
        let one_arm = "func test(v0: i64) -> i64 {\na:\n    branch v0, b, c\nb:\n    v1: i64 = call(v0) @f\n    \
             jump d(v1)\nc:\n    jump d(v0)\nd(v2: i64):\n    v3: i64 = call(v0) @f\n    v4 = add(v2, v3)\n    return v4\n}\n";
        assert_eq!(calls_left(one_arm), 2);
        let dominates = "func test(v0: i64) -> i64 {\na:\n    v1: i64 = call(v0) @f\n    branch v0, b, c\nb:\n    \
             v2: i64 = call(v0) @f\n    return v2\nc:\n    return v1\n}\n";
        assert_eq!(calls_left(dominates), 1);
    }

    #[test]
    fn a_handler_does_not_rely_on_a_call_that_may_not_have_returned() {
        let left = calls_left(
            "func test(v0: i64) -> i64 {\na:\n    v1: i64 = call(v0) @g else to() [*: h]\n    return v1\nh(v2: ref):\n    \
             v3: i64 = call(v0) @g\n    return v3\n}\n",
        );
        assert_eq!(left, 2);
    }
}
