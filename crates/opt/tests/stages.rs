//! What a stage of the walk is shown: the operations that it asks for, and nothing else.

use planish_ir::module::Descriptors;
use planish_ir::{Builder, Function, Inst, Module, text};
use planish_ops::{Op, Type};
use planish_opt::engine::Cx;
use planish_opt::engine::stage::{Outcome, Stage};
use planish_opt::{Config, Engine, Record};

/// Notes what it is shown.
struct Notes {
    wanted: &'static [Op],
    seen: Vec<Op>,
}

impl Stage for Notes {
    fn name(&self) -> &'static str {
        "notes"
    }

    fn wants(&self, op: Op) -> bool {
        self.wanted.contains(&op)
    }

    fn on(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Outcome {
        self.seen.push(cx.f.inst(inst).op);
        Outcome::Keep
    }
}

/// `x & y`, a call of it, the product of that by 8, a call of the product, and `x - y`, which nothing needs.
fn function() -> Function {
    let mut b = Builder::new("f", &[Type::I64]);
    let entry = b.block("e");
    let (x, y) = (b.param(entry, Type::I64), b.param(entry, Type::I64));
    b.at(entry);
    let both = b.op(Op::And, &[x, y]);
    b.inst(Op::Call, &[both], &[], None, None);
    let eight = b.int(Type::I64, 8);
    let product = b.op(Op::Mul, &[both, eight]);
    b.inst(Op::Call, &[product], &[], None, None);
    b.op(Op::Sub, &[x, y]);
    b.ret(&[product]);
    b.finish()
}

/// What is seen of the function, and what becomes of it.
fn walked(wanted: &'static [Op]) -> (Vec<Op>, String) {
    let mut notes = Notes { wanted, seen: Vec::new() };
    let (mut f, mut record) = (function(), Record::new());
    Engine::new().run_with(&mut f, &Descriptors::default(), &mut record, &Config::FULL, &mut notes);
    (notes.seen, text::write_function(&Module::new(), &f, text::Options::default()))
}

/// S4.11: operations go to those who ask for them, by a table; here a stage says of each operation once whether it asks for it.
#[test]
fn a_stage_is_shown_what_it_asks_for_in_order() {
    assert_eq!(walked(&[Op::Call, Op::And]).0, [Op::And, Op::Call, Op::Call]);
    assert_eq!(walked(&[Op::Call]).0, [Op::Call, Op::Call]);
}

/// S4.11: what a stage does not ask for falls through to the walk.
#[test]
fn what_no_stage_asks_for_is_simplified_all_the_same() {
    let (seen, nobody) = walked(&[]);
    assert!(seen.is_empty() && nobody.contains("lshift") && !nobody.contains("mul"), "{nobody}");
    for wanted in [&[Op::Call][..], &[Op::And, Op::Lshift], &[Op::GuardTrue]] {
        assert_eq!(walked(wanted).1, nobody);
    }
}
