//! The example of a tracing JIT: its three ways of running a program give one result, and optimizing makes traces
//! shorter.

#[path = "../examples/toy_jit/backend.rs"]
mod backend;
#[path = "../examples/toy_jit/bytecode.rs"]
mod bytecode;
#[cfg(feature = "cranelift")]
#[path = "../examples/toy_jit/native.rs"]
mod native;
#[path = "../examples/toy_jit/recorder.rs"]
mod recorder;

use planish_trace::{Optimizer, Recorder, Words};

use bytecode::{Heap, Interpreter, Program};
use recorder::Jit;

fn jit(recorder: Recorder, optimizer: Option<Optimizer>) -> Option<Jit> {
    Some(Jit::new(recorder, optimizer).expect("a new vocabulary"))
}

fn run(program: &Program, mut jit: Option<Jit>) -> (Option<i64>, usize) {
    let result = Interpreter::new(program).run(&mut Heap::new(), &mut jit);
    (result, jit.map_or(0, |jit| jit.operations()))
}

/// Few iterations, more than fit on the heap between two collections, and an overflow that ends the program: how
/// often the loop runs, its mask, and whether there is a result.
const PROGRAMS: [(i64, i64, bool); 3] = [(60, -1, true), (100_000, 0xff_ffff, true), (4_000_000, -1, false)];

/// S3.38, S4.7: at run time, a trace becomes an equivalent one that is shorter, at once or afterwards.
#[test]
fn the_toy_jit_agrees_with_its_interpreter_and_its_traces_get_shorter() {
    for (n, mask, ends) in PROGRAMS {
        let program = Program::squares(n, mask);
        let (expected, _) = run(&program, None);
        assert_eq!(expected.is_some(), ends, "{n} iterations");
        let plain = || Recorder::new(Words::new());
        let streaming = Recorder::optimizing(Words::new(), Recorder::STREAMING).expect("these are passes");
        let (recorded, long) = run(&program, jit(plain(), None));
        let (streamed, at_once) = run(&program, jit(streaming, None));
        let (optimized, short) = run(&program, jit(plain(), Some(Optimizer::new())));
        assert_eq!([recorded, streamed, optimized], [expected; 3], "{n} iterations");
        assert!(short > 0 && short * 3 < long * 2, "{long} operations became {short}");
        assert_eq!(at_once, short, "of {long} operations, at once and afterwards");
    }
}

/// Interpreted as bytecode, as a trace and as machine code, optimized or not, a program gives one result; machine code
/// is made of every trace that the other back end knows.
#[cfg(feature = "cranelift")]
#[test]
fn machine_code_agrees_with_both_interpreters() {
    for (n, mask, ends) in PROGRAMS {
        let program = Program::squares(n, mask);
        let (expected, _) = run(&program, None);
        assert_eq!(expected.is_some(), ends, "{n} iterations");
        let ways = || {
            let plain = || Recorder::new(Words::new());
            let streaming =
                Recorder::optimizing(Words::new(), Recorder::STREAMING).expect("these are passes");
            let peel =
                Optimizer::with_passes(&format!("{}:peel", Recorder::STREAMING)).expect("these are passes");
            [jit(plain(), None), jit(streaming, None), jit(plain(), Some(peel))]
        };
        for (interpreted, native) in ways().into_iter().zip(ways()) {
            let native = native.map(|jit| jit.with_backend(native::backend));
            let (slow, operations) = run(&program, interpreted);
            assert_eq!(run(&program, native), (slow, operations), "{n} iterations");
            assert_eq!(slow, expected, "{n} iterations");
        }
    }
}
