//! The example of a tracing JIT: its three ways of running a program give one result, and optimizing makes traces
//! shorter.

#[path = "../examples/toy_jit/backend.rs"]
mod backend;
#[path = "../examples/toy_jit/bytecode.rs"]
mod bytecode;
#[path = "../examples/toy_jit/recorder.rs"]
mod recorder;

use planish_trace::Optimizer;

use bytecode::{Heap, Instruction as I, Interpreter, Program};
use recorder::{Jit, Vocabulary};

/// total = 0; i = 0; do { total = (total + i * i + zero) & mask; i += 1 } while i < n, with a sum that overflows
/// in the end where the mask lets it.
fn squares(n: i64, mask: i64) -> Program {
    let [i, total, limit, mask_at, one, zero, square, sum] = [0, 1, 2, 3, 4, 5, 6, 7];
    let constants = [(i, 0), (total, 0), (limit, n), (mask_at, mask), (one, 1), (zero, 0)];
    let mut code: Vec<I> =
        constants.into_iter().map(|(register, value)| I::Constant(register, value)).collect();
    code.extend([
        I::Multiply(square, i, i),
        I::Add(sum, total, square),
        I::Add(sum, sum, zero),
        I::And(total, sum, mask_at),
        I::Add(i, i, one),
        I::JumpIfLess(i, limit, 6),
        I::Return(total),
    ]);
    Program { registers: 8, code }
}

fn run(program: &Program, jit: Option<Jit>) -> (Option<i64>, usize) {
    let mut jit = jit;
    let result = Interpreter::new(program).run(&mut Heap::new(), &mut jit);
    (result, jit.map_or(0, |jit| jit.operations()))
}

/// S4.7: a trace becomes an equivalent one that is shorter.
#[test]
fn the_toy_jit_agrees_with_its_interpreter_and_its_traces_get_shorter() {
    // Few iterations, more than fit on the heap between two collections, and an overflow that ends the program.
    for (n, mask, ends) in [(60, -1, true), (100_000, 0xff_ffff, true), (4_000_000, -1, false)] {
        let program = squares(n, mask);
        let (expected, _) = run(&program, None);
        assert_eq!(expected.is_some(), ends, "{n} iterations");
        let (recorded, long) = run(&program, Some(Jit::new(Vocabulary::new(), None)));
        let (optimized, short) = run(&program, Some(Jit::new(Vocabulary::new(), Some(Optimizer::new()))));
        assert_eq!((recorded, optimized), (expected, expected), "{n} iterations");
        assert!(short > 0 && short * 3 < long * 2, "{long} operations became {short}");
    }
}
