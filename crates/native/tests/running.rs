//! Control, calls, exits, memory: machine code ends as the interpreter does.
#![cfg(feature = "cranelift")]

use planish_interp::value::Fault;
use planish_interp::{End, Host, Limits, NoHost, Program, Reference, Scenario, Val, run};
use planish_ir::{Module, text};
use planish_native::{Code, Options, agrees, compile};
use planish_ops::Type;
use planish_ops::world::{Cells, Meaning};

fn read(source: &str) -> Module {
    let (module, diagnostics) = text::read(source);
    assert!(!diagnostics.has_errors(), "{:?}", diagnostics.iter().collect::<Vec<_>>());
    module
}

fn first(module: &Module, options: Options) -> Result<Code, planish_native::Refused> {
    let (id, _) = module.functions.iter().next().expect("a function");
    compile(module, id, options)
}

fn int(value: i64) -> Val {
    Val::int(Type::I64, value)
}

/// Runs the first function both ways; they must agree.
fn end(source: &str, args: &[Val]) -> End {
    end_of(&read(source), args)
}

fn end_of(module: &Module, args: &[Val]) -> End {
    let scenario = Scenario::new(0);
    let function = module.functions.values().next().expect("a function");
    let expected = run(&Program::of(module), function, args, &scenario, Limits::default()).end;
    let found = first(module, Options::default()).expect("it compiles").run(args, &scenario, 0);
    assert!(agrees(&expected, &found), "{expected:?}\n{found:?}");
    found
}

const POWER: &str = "\
func power(v0: i64, v1: i64) -> i64 {
entry:
    jump loop(v0, v1, 1)
loop(v2: i64, v3: i64, v4: i64):
    v5 = and(v3, 1)
    branch v5, odd, even(v4)
odd:
    v6 = mul(v4, v2)
    jump even(v6)
even(v7: i64):
    v8 = mul(v2, v2)
    v9 = urshift(v3, 1)
    branch v9, loop(v8, v9, v7), done
done:
    return v7
}
";

#[test]
fn loops_carry_values_in_parameters() {
    assert_eq!(end(POWER, &[int(3), int(13)]), End::Return(vec![int(1594323)]));
    assert_eq!(end(POWER, &[int(-2), int(63)]), End::Return(vec![int(i64::MIN)]));
}

/// Parameters of a block take their values at once.
#[test]
fn a_swap_is_no_copy() {
    let swap = "func f(n: i8, x: f32, y: f32) -> f32, f32 {\na:\n    jump l(n, x, y)\n\
                l(i: i8, p: f32, q: f32):\n    j = sub(i, 1)\n    branch i, l(j, q, p), out\n\
                out:\n    return p, q\n}\n";
    let real = |x: f32| Val::Real(planish_ops::Real::F32(x));
    let args = [Val::int(Type::Int(8), 3), real(1.5), real(-2.0)];
    assert_eq!(end(swap, &args), End::Return(vec![real(-2.0), real(1.5)]));
}

#[test]
fn a_switch_finds_its_case() {
    let switch = "func f(v0: i5) -> i64 {\na:\n    switch v0 [0: b(10), 15: b(20), -1: c, -16: b(40)], b(50)\n\
                  b(v1: i64):\n    return v1\nc:\n    return 30\n}\n";
    for (key, expected) in [(0, 10), (15, 20), (-1, 30), (-16, 40), (1, 50)] {
        assert_eq!(end(switch, &[Val::int(Type::Int(5), key)]), End::Return(vec![int(expected)]));
    }
}

#[test]
fn functions_call_each_other_with_several_results() {
    let source = "\
func even(v0: i32) -> i1, f32, i7 {
a:
    branch v0, b, c
b:
    v1 = sub(v0, 1)
    v2, v3, v4 = call(v1) @odd
    v5 = add(v4, 3)
    return v2, v3, v5
c:
    return 1, 0.5, 0
}
func odd(v0: i32) -> i1, f32, i7 {
a:
    branch v0, b, c
b:
    v1 = sub(v0, 1)
    v2, v3, v4 = call(v1) @even
    v5 = fadd(v3, 1.0)
    return v2, v5, v4
c:
    return 0, 2.0, 1
}
";
    for n in [0, 1, 7, 100] {
        assert!(matches!(end(source, &[Val::int(Type::I32, n)]), End::Return(results) if results.len() == 3));
    }
}

#[test]
fn what_leaves_keeps_its_values_and_what_traps_is_told() {
    let source = "func f(v0: i64, v1: i64) -> i64 {\na:\n    v2 = lt(v0, v1)\n    guard_true(v2) else leave 7(v1, 2.5, v0)\n\
                  \x20   v3 = sdiv(v0, v1)\n    return v3\n}\n";
    let left = End::Leave(7, vec![int(2), Val::Real(planish_ops::Real::F64(2.5)), int(3)]);
    assert_eq!(end(source, &[int(3), int(2)]), left);
    assert_eq!(end(source, &[int(-7), int(2)]), End::Return(vec![int(-3)]));
    assert_eq!(end(source, &[int(-1), int(0)]), End::Trap(Fault::Division));
    let thrown = source.replace("sdiv(v0, v1)", "sdiv(v0, v1) else unwind(v0)");
    let division = Reference::Thrown(Fault::Division);
    assert_eq!(end(&thrown, &[int(-1), int(0)]), End::Throw(division, vec![int(-1)]));
    let checked = "func f(v0: i8) {\na:\n    bounds_check(v0, 5)\n    return\n}\n";
    assert_eq!(end(checked, &[Val::int(Type::Int(8), -1)]), End::Trap(Fault::Bounds));
    assert_eq!(end(checked, &[Val::int(Type::Int(8), 5)]), End::Trap(Fault::Bounds));
    assert_eq!(end(checked, &[Val::int(Type::Int(8), 4)]), End::Return(vec![]));
}

#[test]
fn handlers_take_what_operations_and_calls_throw() {
    let source = "\
class @division
func f(v0: i64, v1: i64) -> i64 {
a:
    v2 = call(v0, v1) @g else to(v0) [*: h]
    return v2
h(v3: ref, v4: i64):
    v5 = is_null(v3)
    v6 = add(v4, v5)
    return v6
}
func g(v0: i64, v1: i64) -> i64 {
a:
    v2 = urem(v0, v1) else to(v1) [@division: b]
    return v2
b(v3: ref, v4: i64):
    branch v0, c, d
c:
    throw v3 else unwind(v4)
d:
    throw null
}
";
    assert_eq!(end(source, &[int(17), int(5)]), End::Return(vec![int(2)]));
    assert_eq!(end(source, &[int(17), int(0)]), End::Return(vec![int(17)]));
    assert_eq!(end(source, &[int(0), int(0)]), End::Return(vec![int(0)]));
    // Nobody takes it: what the outermost function keeps counts, not what the thrower kept.
    let nobody = source.replace(" else to(v0) [*: h]", "");
    assert_eq!(end(&nobody, &[int(1), int(0)]), End::Trap(Fault::Division));
    assert_eq!(end(&nobody, &[int(0), int(0)]), End::Trap(Fault::Null));
}

#[test]
fn what_means_nothing_is_no_crash() {
    for source in [
        "func f(v0: f64) -> i1 {\na:\n    v1: i8 = float_to_signed(v0)\n    v2: i1 = lt(v1, 3)\n    return v2\n}\n",
        "func f(v0: f64) {\na:\n    unreachable\n}\n",
        "func f(v0: f64) -> i64 {\na:\n    v1 = float_to_raw_bits(v0)\n    v2 = sdiv(7, v1)\n    return v2\n}\n",
    ] {
        for number in [f64::NAN, 1e300, -0.0, 3.5] {
            end(source, &[Val::Real(planish_ops::Real::F64(number))]);
        }
    }
}

#[test]
fn runs_that_do_not_end_are_given_up() {
    let deep = "func f(v0: i64) -> i64 {\na:\n    v1 = add(v0, 1)\n    v2 = call(v1) @f\n    v3 = mul(v2, v0)\n    return v3\n}\n";
    let scenario = Scenario::new(0);
    let module = read(deep);
    let code = first(&module, Options::default()).expect("it compiles");
    assert_eq!(code.run(&[int(0)], &scenario, 0), End::OutOfFuel);
    let long = "func f(v0: i64) -> i64 {\na:\n    jump b(v0)\nb(v1: i64):\n    v2 = add(v1, 1)\n    branch 1, b(v2), c\n\
                c:\n    return v1\n}\n";
    let module = read(long);
    let metered = first(&module, Options { metered: true, ..Options::default() }).expect("it compiles");
    assert_eq!(metered.run(&[int(0)], &scenario, 1_000_000), End::OutOfFuel);
    let power = read(POWER);
    let metered = first(&power, Options { metered: true, ..Options::default() }).expect("it compiles");
    assert_eq!(metered.run(&[int(3), int(13)], &scenario, 4), End::Return(vec![int(1594323)]));
    assert_eq!(metered.run(&[int(3), int(13)], &scenario, 3), End::OutOfFuel);
}

#[test]
fn memory_from_outside_holds_what_the_interpreter_finds_there() {
    for (ty, words) in [
        ("i64", ""),
        ("i32", ""),
        ("i8", " signed"),
        ("i64", " bits 24 signed"),
        ("i33", " bits 12"),
        ("i7", " signed"),
        ("i1", ""),
        ("i56", " signed"),
        ("f32", ""),
        ("f64", ""),
    ] {
        let source = format!(
            "location @m: {ty}{words} raw\nfunc f(v0: i64, v1: i64) -> {ty}, {ty} {{\na:\n    v2: {ty} = raw_load(v0, v1) @m\n\
             \x20   raw_store(v0, 3, v2) @m\n    v3: {ty} = raw_load(v0, 3) @m\n    return v2, v3\n}}\n"
        );
        for (base, offset) in [(0, 0), (4096, -1), (100, 1 << 10), ((1 << 20) - 16, 5)] {
            assert!(matches!(end(&source, &[int(base), int(offset)]), End::Return(_)));
        }
    }
}

#[test]
fn fills_and_copies_are_those_of_the_interpreter() {
    for (ty, words, value) in [
        ("i8", "", "-3"),
        ("i16", "", "772"),
        ("i16", " bits 12", "-1"),
        ("i24", "", "70000"),
        ("i64", "", "81985529216486895"),
        ("f32", "", "0.1"),
    ] {
        let source = format!(
            "location @m: {ty}{words} class 1\nlocation @w: i64 class 1\nfunc f(v0: i64, v1: i64, v2: i64, v3: i64) -> i64, i64 \
             {{\na:\n    raw_fill(v0, v1, v2, {value}) @m\n    raw_store(v0, v1, 5) @w\n    \
             raw_copy(v0, v3, v0, v1, v2) @m\n    v4 = raw_load(v0, v3) @w\n    v5 = raw_load(v0, v1) @w\n    return v4, v5\n}}\n"
        );
        for (offset, count, to) in [(0, 0, 0), (8, 1, 3), (8, 5, 11), (11, 7, 8), (0, 100, 500)] {
            assert!(matches!(end(&source, &[4096, offset, count, to].map(int)), End::Return(_)));
        }
    }
    let none = "location @m: i8\nfunc f(v0: i64) {\na:\n    raw_fill(v0, 0, 0, 1) @m\n    raw_copy(v0, 0, 5, v0, 0) @m\n    return\n}\n";
    assert_eq!(end(none, &[int(-1)]), End::Return(vec![]));
}

#[test]
fn memory_that_is_not_there_is_not_touched() {
    for access in [
        "v1: i64 = raw_load(v0, 0) @m",
        "raw_store(v0, -8, 5) @m",
        "raw_fill(v0, 0, 3, 5) @m",
        "raw_copy(8, 0, v0, 0, 2) @m",
    ] {
        let source = format!("location @m: i64 raw\nfunc f(v0: i64) {{\na:\n    {access}\n    return\n}}\n");
        let module = read(&source);
        let code = first(&module, Options::default()).expect("it compiles");
        for address in [-1, i64::MIN, i64::MAX, 0x5bd1_e9a3_7160, (256 << 20) + 1] {
            let missing = End::undefined("memory is accessed that is not there");
            assert_eq!(code.run(&[int(address)], &Scenario::new(0), 0), missing, "{access} {address}");
        }
    }
}

#[test]
fn pieces_of_memory_are_allocated_and_freed() {
    let mut module = read(
        "callee @malloc\ncallee @free\nlocation @m: i16 signed raw\n\
         func f(v0: i64, v1: i16) -> i16, i16 {\na:\n    v2: i64 = call(0, v0) @malloc\n    v3: i64 = call(0, 8) @malloc\n\
         \x20   raw_store(v2, 2, v1) @m\n    v4: i16 = raw_load(v2, 2) @m\n    v5: i16 = raw_load(v3, 6) @m\n\
         \x20   call(0, v2) @free\n    return v4, v5\n}\n",
    );
    for (name, meaning) in [("malloc", Meaning::RawMalloc), ("free", Meaning::RawFree)] {
        let descr = module.descriptors.lookup(name).expect("it is declared");
        module.descriptors.set_meaning(descr, meaning, false);
    }
    let i16 = |value| Val::int(Type::Int(16), value);
    assert_eq!(end_of(&module, &[int(4), i16(-7)]), End::Return(vec![i16(-7), i16(0)]));
    // There is no piece of this size.
    let code = first(&module, Options::default()).expect("it compiles");
    let ended = code.run(&[int(-1), i16(0)], &Scenario::new(0), 0);
    assert_eq!(ended, End::undefined("memory is accessed that is not there"));
}

#[test]
fn what_has_no_machine_code_is_told_with_its_line() {
    for (source, expected) in [
        (
            "class @C\nfunc f() {\na:\n    v0 = new() @C\n    return\n}\n",
            "`f` has no machine code: line 4: `new`",
        ),
        (
            "callee @print\nfunc f(v0: i64) {\na:\n    call(v0) @print\n    return\n}\n",
            "`f` has no machine code: line 4: `print`, which it calls, is not in the program",
        ),
        (
            "func f(v0: ref) -> i1 {\na:\n    v1: i1 = ref_eq(v0, &main)\n    return v1\n}\n",
            "`f` has no machine code: line 3: `&main` has no address",
        ),
        ("func f(v0: state) {\na:\n    return\n}\n", "`f` has no machine code: it has a value of type state"),
        (
            "func f() {\na:\n    call() @g\n    return\n}\nother @o\nfunc g() {\na:\n    guard_other() @o\n    return\n}\n",
            "`g` has no machine code: line 9: `guard_other`",
        ),
        (
            "class @oops\nfunc f(v0: i64) {\na:\n    v1 = urem(1, v0) else to [@oops: b]\n    return\nb(v2: ref):\n    return\n}\n",
            "`f` has no machine code: line 4: a handler of `oops` asks for the class of what is thrown",
        ),
    ] {
        let module = read(source);
        let refused = first(&module, Options::default()).err().expect(source);
        assert_eq!(refused.to_string(), expected);
    }
}

#[test]
fn runs_are_repeated_as_long_as_they_return() {
    let module = read(POWER);
    let code = first(&module, Options::default()).expect("it compiles");
    let timed = code.repeat(&[int(3), int(13)], &Scenario::new(0), 0, 1000, &mut NoHost);
    assert_eq!((timed.end, timed.runs), (End::Return(vec![int(1594323)]), 1000));
    assert!(code.size() > 0);
    let module = read("func f(v0: i64) -> i64 {\na:\n    v1 = udiv(1, v0)\n    return v1\n}\n");
    let code = first(&module, Options::default()).expect("it compiles");
    let timed = code.repeat(&[int(0)], &Scenario::new(0), 0, 1000, &mut NoHost);
    assert_eq!((timed.end, timed.runs), (End::Trap(Fault::Division), 1));
}

/// A program over cells, with callees that are named as what they do.
fn cells(body: &str) -> Module {
    let names = [
        ("alloc", Cells::Allocate),
        ("free", Cells::Free),
        ("load", Cells::Load),
        ("store", Cells::Store),
        ("move", Cells::Move),
    ];
    let declared: String = names.iter().map(|(name, _)| format!("callee @{name}\n")).collect();
    let mut module = read(&format!("{declared}{body}"));
    for (name, cells) in names {
        let descr = module.descriptors.lookup(name).expect("it is declared");
        module.descriptors.set_cells(descr, cells);
    }
    module
}

#[test]
fn cells_hold_what_was_stored() {
    let module = cells(
        "func f(n: i64, x: f64, b: i1) -> f64, i1, i64 {\na:\n    p: ref = call(n) @alloc\n    q: ref = call(p, 2) @move\n\
         \x20   call(p, x) @store\n    call(q, b) @store\n    r: ref = call(q, -1) @move\n    call(r, n) @store\n\
         \x20   s: ref = call(1) @alloc\n    call(s, q) @store\n    t: ref = call(s) @load\n\
         \x20   y: f64 = call(p) @load\n    c: i1 = call(t) @load\n    m: i64 = call(r) @load\n\
         \x20   call(s) @free\n    call(p) @free\n    return y, c, m\n}\n",
    );
    let real = |x| Val::Real(planish_ops::Real::F64(x));
    let bit = Val::int(Type::I1, 1);
    assert_eq!(end_of(&module, &[int(3), real(-2.5), bit]), End::Return(vec![real(-2.5), bit, int(3)]));
    // What the interpreter refuses is no crash.
    for n in [0, -1, i64::MIN, i64::MAX, 1 << 40, 1 << 61] {
        let (code, args) =
            (first(&module, Options::default()).expect("it compiles"), [int(n), real(0.0), bit]);
        let ended = code.run(&args, &Scenario::new(0), 0);
        assert_eq!(ended, End::undefined("memory is accessed that is not there"), "{n}");
    }
    let wild = cells(
        "func f(n: i64) -> i64 {\na:\n    p: ref = call(4) @alloc\n    q: ref = call(p, n) @move\n    call(q, n) @store\n\
         \x20   call(p) @free\n    m: i64 = call(q) @load\n    call(q) @free\n    return m\n}\n",
    );
    for n in [0, 1, -1, 1 << 30, i64::MIN, i64::MAX] {
        end_of(&wild, &[int(n)]);
    }
}

#[test]
fn pieces_that_were_not_freed_are_counted() {
    let module = cells(
        "func f(n: i64) {\na:\n    p: ref = call(n) @alloc\n    q: ref = call(n) @alloc\n    call(p) @free\n    return\n}\n",
    );
    let code = first(&module, Options::default()).expect("it compiles");
    assert_eq!(code.repeat(&[int(5)], &Scenario::new(0), 0, 3, &mut NoHost).open, 3);
}

/// Answers `twice` and takes down what it is asked.
#[derive(Default)]
struct Twice(Vec<(String, Vec<Val>)>);

impl Host for Twice {
    fn call(&mut self, callee: &str, args: &[Val], results: &[Type]) -> Option<Vec<Val>> {
        self.0.push((callee.to_owned(), args.to_vec()));
        assert_eq!(results.len(), if callee == "twice" { 2 } else { 0 });
        (callee != "nobody").then(|| args.iter().take(results.len()).copied().collect())
    }
}

#[test]
fn a_host_answers_calls_that_leave_the_program() {
    let module = read(
        "callee @twice\ncallee @say\ncallee @nobody\nfunc f(v0: i64, v1: f32) -> f32, i64 {\na:\n\
         \x20   v2: i64, v3: f32 = call(v0, v1, 1: i1) @twice\n    call(v2) @say\n    branch v0, b, c\n\
         b:\n    return v3, v2\nc:\n    call(v0, v1, v0) @nobody\n    return v3, v2\n}\n",
    );
    let options = Options { answered: |name| name != "other", ..Options::default() };
    let code = first(&module, options).expect("it compiles");
    let (half, mut host) = (Val::Real(planish_ops::Real::F32(0.5)), Twice::default());
    let ran = code.repeat(&[int(7), half], &Scenario::new(0), 0, 1, &mut host);
    assert_eq!(ran.end, End::Return(vec![half, int(7)]));
    let asked =
        [("twice".to_owned(), vec![int(7), half, Val::int(Type::I1, 1)]), ("say".to_owned(), vec![int(7)])];
    assert_eq!(host.0, asked);
    let ran = code.repeat(&[int(0), half], &Scenario::new(0), 0, 5, &mut host);
    assert_eq!((ran.end, ran.runs), (End::undefined("a call leaves the program that nobody answers"), 1));
    let options = Options { answered: |name| name != "say", ..Options::default() };
    let refused = first(&module, options).err().expect("nobody answers").to_string();
    assert_eq!(refused, "`f` has no machine code: line 7: `say`, which it calls, is not in the program");
}
