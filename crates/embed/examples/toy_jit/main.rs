//! A tracing JIT for a toy language, with Planish as its optimizer.
//!
//! `cargo run --release -p planish-trace --example toy_jit`
//!
//! - [`bytecode`]: the language, whose values are boxed on a heap, and its interpreter;
//! - [`recorder`]: hot loops are recorded while the interpreter runs one iteration;
//! - [`backend`]: a trace becomes flat code and is run until a guard leaves.
//!
//! The program is run three times: interpreted, with traces as they were recorded, and with traces that were
//! optimized first. All must give the same result; what each costs is printed, and with `SHOW` in the
//! environment the traces too.

mod backend;
mod bytecode;
mod recorder;

use std::time::{Duration, Instant};

use planish_trace::Optimizer;

use bytecode::{Heap, Instruction as I, Interpreter, Program};
use recorder::{Jit, Vocabulary};

/// total = 0; i = 0; do { square = i * i; total = (total + square + 0) & mask; i += 1 } while i < n
fn squares() -> Program {
    let [i, total, n, mask, one, zero, square, sum] = [0, 1, 2, 3, 4, 5, 6, 7];
    Program {
        registers: 8,
        code: vec![
            I::Constant(i, 0),
            I::Constant(total, 0),
            I::Constant(n, 3_000_000),
            I::Constant(mask, 0xff_ffff),
            I::Constant(one, 1),
            I::Constant(zero, 0),
            // The loop begins here.
            I::Multiply(square, i, i),
            I::Add(sum, total, square),
            I::Add(sum, sum, zero),
            I::And(total, sum, mask),
            I::Add(i, i, one),
            I::JumpIfLess(i, n, 6),
            I::Return(total),
        ],
    }
}

fn main() {
    let program = squares();
    let (expected, interpreted) = timed(|| Interpreter::new(&program).run(&mut Heap::new(), &mut None));
    println!("interpreted              {interpreted:>10.1?}");
    for optimizer in [None, Some(Optimizer::new())] {
        let name = if optimizer.is_some() { "traces, optimized" } else { "traces, as recorded" };
        let mut jit = Some(Jit::new(Vocabulary::new(), optimizer));
        let (result, time) = timed(|| Interpreter::new(&program).run(&mut Heap::new(), &mut jit));
        assert_eq!(result, expected, "{name} compute the same");
        let speed = interpreted.as_secs_f64() / time.as_secs_f64();
        let jit = jit.expect("it was just made");
        println!("{name:<24} {time:>10.1?}  {speed:.1} times as fast, {} operations", jit.operations());
    }
}

fn timed<T>(run: impl FnOnce() -> T) -> (T, Duration) {
    let begin = Instant::now();
    let result = run();
    (result, begin.elapsed())
}
