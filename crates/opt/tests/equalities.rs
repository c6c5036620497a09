//! What the engine does not let a stage say: that a constant is something else.

use planish_ir::module::Descriptors;
use planish_ir::{Builder, Function, Inst, Value};
use planish_ops::{Op, Type};
use planish_opt::engine::Cx;
use planish_opt::engine::stage::{Outcome, Stage};
use planish_opt::{Config, Engine, Record};

/// At the first call says that `left` is `right`.
struct Says {
    left: Value,
    right: Value,
}

impl Stage for Says {
    fn name(&self) -> &'static str {
        "says"
    }

    fn wants(&self, op: Op) -> bool {
        op == Op::Call
    }

    fn on(&mut self, cx: &mut Cx<'_>, _: Inst) -> Outcome {
        cx.replace(self.left, self.right);
        Outcome::Keep
    }
}

/// A function with a call, its parameter, and the constants 6, 6 and 7.
fn function() -> (Function, [Value; 4]) {
    let mut b = Builder::new("f", &[]);
    let entry = b.block("");
    let x = b.param(entry, Type::I64);
    b.at(entry);
    let constants = [6, 6, 7].map(|value| b.int(Type::I64, value));
    b.inst(Op::Call, &[x], &[], None, None);
    b.ret(&[]);
    (b.finish(), [x, constants[0], constants[1], constants[2]])
}

fn say(left: usize, right: usize) {
    let (mut f, values) = function();
    let mut says = Says { left: values[left], right: values[right] };
    let (mut engine, mut record) = (Engine::new(), Record::new());
    engine.run_with(&mut f, &Descriptors::default(), &mut record, &Config::FULL, &mut says);
}

/// S1.19: saying again that a constant is itself changes nothing.
#[test]
fn a_constant_may_be_said_to_be_itself() {
    say(1, 2);
    say(0, 1);
}

/// S1.20
#[test]
#[should_panic(expected = "the constant 6 cannot become 7")]
fn a_constant_is_not_another_constant() {
    say(1, 3);
}

/// S1.17, S1.21
#[test]
#[should_panic(expected = "the constant 6 cannot become")]
fn a_constant_is_not_replaced_by_an_operation() {
    say(1, 0);
}

/// Says something of a parameter, true and false.
fn say_of_truths(left: usize, right: usize) {
    let mut b = Builder::new("g", &[]);
    let entry = b.block("");
    let x = b.param(entry, Type::I1);
    b.at(entry);
    let values = [x, b.int(Type::I1, 1), b.int(Type::I1, 0)];
    b.inst(Op::Call, &[x], &[], None, None);
    b.ret(&[]);
    let mut says = Says { left: values[left], right: values[right] };
    let (mut engine, mut record) = (Engine::new(), Record::new());
    engine.run_with(&mut b.finish(), &Descriptors::default(), &mut record, &Config::FULL, &mut says);
}

/// S1.20
#[test]
#[should_panic(expected = "cannot become")]
fn true_is_not_false() {
    say_of_truths(1, 2);
}

/// S1.21
#[test]
#[should_panic(expected = "cannot become")]
fn a_truth_that_is_known_is_not_replaced_by_an_unknown_one() {
    say_of_truths(2, 0);
}
