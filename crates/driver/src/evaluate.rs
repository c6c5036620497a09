//! A Bril program that is given nothing always does the same: it becomes what it prints.
//!
//! A `main` without parameters and result is run when the program is optimized. If it ends within its fuel, frees
//! what it allocates and does not print too much, its body is the calls of `print` on constants. Whoever measures
//! what optimizing gains has to leave this out (`--no-eval-main`).

use planish_bril::memory::Action;
use planish_interp::{End, Host, Limits, Program, Scenario, Val, run_with};
use planish_ir::{Builder, Const, Module};
use planish_ops::world::Descr;
use planish_ops::{Op, Type};
use planish_opt::{Became, Kind, Level, PassInfo, Record, Site};

/// How many operations may be executed.
pub const FUEL: u64 = 1_000_000;
/// How many values may be printed.
pub const PRINTED: usize = 1_000;

/// What is known of it as a pass. It comes before all others.
pub const PASS: PassInfo = PassInfo {
    level: Level::Module,
    source: "constant evaluation, as of Rust's `const`",
    test: "crates/driver/src/evaluate.rs",
    ..PassInfo::new(
        "evaluate",
        "Evaluation at compile time: a Bril program that is given nothing becomes what it prints.",
    )
};

/// What was printed, call by call.
#[derive(Default)]
struct Printed {
    calls: Vec<Vec<Val>>,
    values: usize,
}

impl Host for Printed {
    fn call(&mut self, callee: &str, args: &[Val], _: &[Type]) -> Option<Vec<Val>> {
        let (Action::Print, _) = Action::decode(callee)? else { return None };
        self.values += args.len().max(1);
        if self.values <= PRINTED {
            self.calls.push(args.to_vec());
        }
        Some(Vec::new())
    }
}

/// Evaluates `main`, if it is given nothing. Whether it was.
pub fn evaluate(module: &mut Module, record: &mut Record) -> bool {
    let Some(main) = module.find("main") else { return false };
    let function = &module.functions[main];
    if !function.params().is_empty() || !function.result_types().is_empty() {
        return false;
    }
    let mut printed = Printed::default();
    let limits = Limits { fuel: FUEL, ..Limits::default() };
    let run = run_with(&Program::of(module), function, &[], &Scenario::new(0), limits, &mut printed);
    // Events are calls that nobody answers for, prints apart.
    let only_prints = run.events.len() == printed.calls.len();
    let ended = matches!(run.end, End::Return(_)) && run.open_rows == 0 && only_prints;
    let calls: Option<Vec<Vec<Const>>> =
        printed.calls.iter().map(|call| call.iter().map(constant).collect()).collect();
    let Some(calls) = calls.filter(|_| ended && printed.values <= PRINTED) else { return false };
    if !record.rewrite(Kind::Pass(PASS.name), Site::NONE, Became::Changed) {
        return false;
    }
    let print: Descr = Action::Print.descriptor(module, None);
    let mut b = Builder::new("main", &[]);
    let entry = b.block("");
    b.at(entry);
    for call in calls {
        let args: Vec<_> = call.into_iter().map(|value| b.constant(value)).collect();
        b.inst(Op::Call, &args, &[], Some(print), None);
    }
    b.ret(&[]);
    module.functions[main] = b.finish();
    true
}

/// The constant that a value is; none for references.
fn constant(value: &Val) -> Option<Const> {
    match *value {
        Val::Int(int) => Some(int.into()),
        Val::Real(real) => Some(real.into()),
        Val::Ref(_) | Val::State | Val::Vector(_) | Val::Undefined => None,
    }
}

#[cfg(test)]
mod tests {
    use planish_bril::text;

    use super::*;

    /// The program of a text with its `main` evaluated; `None` when that was not done.
    fn evaluated(source: &str) -> Option<String> {
        let (program, mut diagnostics) = text::read(source);
        let (mut module, signatures) = planish_bril::lift(&program, &mut diagnostics);
        assert!(!diagnostics.has_errors());
        let done = evaluate(&mut module, &mut Record::new());
        done.then(|| text::write(&planish_bril::lower(&module, &signatures, false).expect("Bril")))
    }

    #[test]
    fn a_program_that_is_given_nothing_is_what_it_prints() {
        let source = "@main {\n  n: int = const 4;\n  r: int = call @f n;\n  b: bool = lt n r;\n  print r b;\n  print;\n}\n\
                      @f(n: int): int {\n  m: int = mul n n;\n  ret m;\n}\n";
        let text = evaluated(source).expect("it ends");
        assert!(text.contains("int = const 16") && text.contains("bool = const true"), "{text}");
        assert!(!text.contains("call") && text.matches("print").count() == 2, "{text}");
    }

    #[test]
    fn one_that_is_given_something_fails_or_does_not_end_stays() {
        for source in [
            "@main(n: int) {\n  print n;\n}\n",
            "@main {\n.l:\n  jmp .l;\n}\n",
            "@main {\n  n: int = const 0;\n  n: int = div n n;\n  print n;\n}\n",
            "@main {\n  n: int = const 1;\n  p: ptr<int> = alloc n;\n}\n",
            "@main {\n  n: int = const 1;\n.l:\n  print n n n n;\n  n: int = add n n;\n  jmp .l;\n}\n",
        ] {
            assert_eq!(evaluated(source), None, "{source}");
        }
    }
}
