//! A tracing JIT for a toy language, with Planish as its optimizer.
//!
//! `cargo run --release -p planish-trace --example toy_jit`
//!
//! - [`bytecode`]: the language, whose values are boxed on a heap, and its interpreter;
//! - [`recorder`]: hot loops are recorded while the interpreter runs one iteration;
//! - [`backend`]: a trace becomes flat code and is run until a guard leaves;
//! - `native`: with `--features cranelift`, a trace becomes machine code.
//!
//! The program is run four times: interpreted, with traces as they were recorded, with traces that were optimized
//! while they were recorded, and with traces that were optimized and unrolled afterwards; the latter three again with
//! machine code, if there is a back end for it. All must give the same result; what each costs is printed, and with
//! `SHOW` in the environment the traces too.

mod backend;
mod bytecode;
#[cfg(feature = "cranelift")]
mod native;
mod recorder;

use std::time::{Duration, Instant};

use planish_trace::{Optimizer, Recorder, Refused, Words};

use bytecode::{Heap, Interpreter, Program};
use recorder::Jit;

fn main() -> Result<(), Refused> {
    let program = Program::squares(3_000_000, 0xff_ffff);
    let (expected, interpreted) = timed(|| Interpreter::new(&program).run(&mut Heap::new(), &mut None));
    println!("interpreted                {interpreted:>10.1?}");
    let run = |name: &str, mut jit: Option<Jit>| {
        let (result, time) = timed(|| Interpreter::new(&program).run(&mut Heap::new(), &mut jit));
        assert_eq!(result, expected, "{name} compute the same");
        let speed = interpreted.as_secs_f64() / time.as_secs_f64();
        let operations = jit.map_or(0, |jit| jit.operations());
        println!("{name:<26} {time:>10.1?}  {speed:.1} times as fast, {operations} operations");
    };
    for (name, jit) in ways()? {
        run(name, Some(jit));
    }
    #[cfg(feature = "cranelift")]
    {
        println!("machine code:");
        for (name, jit) in ways()? {
            run(name, Some(jit.with_backend(native::backend)));
        }
    }
    Ok(())
}

/// The three ways of making traces.
fn ways() -> Result<[(&'static str, Jit); 3], Refused> {
    let unrolling = Optimizer::with_passes(&format!("{}:peel", Recorder::STREAMING));
    let unrolling = unrolling.expect("these are passes");
    let streaming = Recorder::optimizing(Words::new(), Recorder::STREAMING)?;
    Ok([
        ("traces, as recorded", Jit::new(Recorder::new(Words::new()), None)?),
        ("optimized while recording", Jit::new(streaming, None)?),
        ("optimized and unrolled", Jit::new(Recorder::new(Words::new()), Some(unrolling))?),
    ])
}

fn timed<T>(run: impl FnOnce() -> T) -> (T, Duration) {
    let begin = Instant::now();
    let result = run();
    (result, begin.elapsed())
}
