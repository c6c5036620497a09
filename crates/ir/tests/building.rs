//! What a program is made of, as the builder makes it.

use planish_ir::module::{Descriptor, Descriptors};
use planish_ir::{Builder, Const, Def, text};
use planish_ops::{Int, Op, Type};

/// S1.2: there is no variable beside the operation: a value is the result of the instruction that makes it.
#[test]
fn a_value_is_what_its_instruction_makes() {
    let mut b = Builder::new("f", &[Type::I64]);
    let entry = b.block("");
    let x = b.param(entry, Type::I64);
    b.at(entry);
    let sum = b.op(Op::Add, &[x, x]);
    let f = b.function();
    let inst = f.def_inst(sum).expect("made by an instruction");
    assert_eq!((f.inst(inst).op, f.result(inst)), (Op::Add, sum));
    assert_eq!((f.def(x), f.def_inst(x)), (Def::Param(entry, 0), None));
}

/// S1.3, S1.4: an argument is the result of an operation or a constant, of which there is one a value; an
/// operation takes any number of them where its row says so.
#[test]
fn arguments_are_results_or_constants_in_any_number() {
    let mut descriptors = Descriptors::default();
    let callee = descriptors.intern("g", || Descriptor::Other);
    let mut b = Builder::new("f", &[]);
    let entry = b.block("");
    let x = b.param(entry, Type::I64);
    b.at(entry);
    let (five, again, narrow) = (b.int(Type::I64, 5), b.int(Type::I64, 5), b.int(Type::Int(8), 5));
    assert_eq!(five, again);
    assert_ne!(five, narrow, "a constant has a type");
    for count in 0..40 {
        let args: Vec<_> = (0..count).map(|i| if i % 2 == 0 { x } else { five }).collect();
        let inst = b.inst(Op::Call, &args, &[], Some(callee), None);
        assert_eq!(b.function().args(inst), args);
    }
    assert_eq!(b.function().constant(five), Some(Const::Int(Int::new(64, 5))));
    assert_eq!(b.function().constant(x), None);
}

/// S1.7, S1.8: a block is a list in order; builder calls append to it and give back what they made.
#[test]
fn a_block_lists_its_operations_in_order() {
    let mut b = Builder::new("f", &[Type::I64]);
    let entry = b.block("");
    let (a, other) = (b.param(entry, Type::I64), b.param(entry, Type::I64));
    b.at(entry);
    let seventeen = b.int(Type::I64, 17);
    let first = b.op(Op::Add, &[other, seventeen]);
    assert_eq!(b.function().block_insts(entry).len(), 1);
    let product = b.op(Op::Mul, &[a, first]);
    let second = b.op(Op::Add, &[other, seventeen]);
    let sum = b.op(Op::Add, &[product, second]);
    b.ret(&[sum]);
    let f = b.finish();
    let ops: Vec<Op> = f.block_insts(entry).iter().map(|&inst| f.inst(inst).op).collect();
    assert_eq!(ops, [Op::Add, Op::Mul, Op::Add, Op::Add]);
    // Two inputs and four operations are the six of the example; building does not look for equal ones.
    let results: Vec<_> = f.block_insts(entry).iter().map(|&inst| f.result(inst)).collect();
    assert_eq!(results, [first, product, second, sum]);
}

/// S1.9: an operation is shown by its name and the names of its operands, however deep those are.
#[test]
fn a_nested_operation_is_shown_in_one_line_each() {
    let mut source = "v0 = getarg(0)\n".to_owned();
    for i in 1..200 {
        source.push_str(&format!("v{i} = add(v{}, v{})\n", i - 1, i - 1));
    }
    let (module, diagnostics) = text::read(&source);
    assert!(diagnostics.is_empty());
    let options = text::Options { straight: true, ..text::Options::default() };
    assert_eq!(text::write(&module, options), source);
}

/// S1.2: of an operation with two results each is one of them, and nothing else names it.
#[test]
fn both_results_are_of_one_instruction() {
    let mut b = Builder::new("f", &[Type::I32]);
    let entry = b.block("");
    let x = b.param(entry, Type::I32);
    b.at(entry);
    let inst = b.inst(Op::AddOvf, &[x, x], &[], None, None);
    let f = b.function();
    let results: Vec<_> = f.results(inst).collect();
    let of: Vec<_> = results.iter().map(|&result| f.def(result)).collect();
    assert_eq!(of, [Def::Result(inst, 0), Def::Result(inst, 1)]);
}
