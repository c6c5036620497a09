//! A tracing JIT for a toy language, with Planish as its optimizer.
//!
//! `cargo run --release -p planish-trace --example toy_jit`
//!
//! - [`bytecode`]: the language, whose values are boxed on a heap, and its interpreter;
//! - [`recorder`]: hot loops are recorded while the interpreter runs one iteration;
//! - [`backend`]: a trace becomes flat code and is run until a guard leaves.
//!
//! The program is run four times: interpreted, with traces as they were recorded, with traces that were optimized
//! while they were recorded, and with traces that were optimized and unrolled afterwards. All must give the same result; what each costs is printed, and with `SHOW` in the
//! environment the traces too.

mod backend;
mod bytecode;
mod recorder;

use std::time::{Duration, Instant};

use planish_trace::{Optimizer, Recorder, Refused, Words};

use bytecode::{Heap, Interpreter, Program};
use recorder::Jit;

fn main() -> Result<(), Refused> {
    let program = Program::squares(3_000_000, 0xff_ffff);
    let (expected, interpreted) = timed(|| Interpreter::new(&program).run(&mut Heap::new(), &mut None));
    println!("interpreted                {interpreted:>10.1?}");
    let unrolling = Optimizer::with_passes(&format!("{}:peel", Recorder::STREAMING));
    let unrolling = unrolling.expect("these are passes");
    for (name, recorder, optimizer) in [
        ("traces, as recorded", Recorder::new(Words::new()), None),
        ("optimized while recording", Recorder::optimizing(Words::new(), Recorder::STREAMING)?, None),
        ("optimized and unrolled", Recorder::new(Words::new()), Some(unrolling)),
    ] {
        let mut jit = Some(Jit::new(recorder, optimizer)?);
        let (result, time) = timed(|| Interpreter::new(&program).run(&mut Heap::new(), &mut jit));
        assert_eq!(result, expected, "{name} compute the same");
        let speed = interpreted.as_secs_f64() / time.as_secs_f64();
        let jit = jit.expect("it was just made");
        println!("{name:<26} {time:>10.1?}  {speed:.1} times as fast, {} operations", jit.operations());
    }
    Ok(())
}

fn timed<T>(run: impl FnOnce() -> T) -> (T, Duration) {
    let begin = Instant::now();
    let result = run();
    (result, begin.elapsed())
}
