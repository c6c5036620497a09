//! Calls in the region language: what is read is written back, and calls stay where bodies would be too large.

use planish_driver::Dialect;
use planish_driver::settings::{EngineChoice, Settings};
use planish_driver::validate::Checked;
use planish_driver::{Reading, Session, Writing};
use planish_ops::Op;

fn read(text: &str) -> Session {
    Session::open("p.rvsdg", text.as_bytes().to_vec(), Dialect::Rvsdg, Reading::default()).expect("it reads")
}

fn written(session: &Session, dialect: Dialect) -> String {
    String::from_utf8(session.write(dialect, Writing::default()).expect("it has a form")).expect("it is text")
}

/// The program as it was read, and optimized.
fn before_and_after(text: &str) -> [String; 2] {
    let mut session = read(text);
    let before = written(&session, Dialect::Rvsdg);
    session.optimize(&Settings::default()).expect("it can be optimized");
    [before, written(&session, Dialect::Rvsdg)]
}

/// Functions of which each calls the one below twice.
fn tower(levels: usize) -> String {
    let mut text = String::from("(?f0 (func-1-inputs-1-outputs (* get-0 (+ get-0 5)))\n");
    for level in 1..levels {
        let call = |given: &str| format!("(get-0 (call ?f{} {given}))", level - 1);
        let body = format!("(+ {} {})", call("get-0"), call(&format!("(+ get-0 {level})")));
        text += &format!("(?f{level} (func-1-inputs-1-outputs {body})\n");
    }
    format!("{text}?f{}{}", levels - 1, ")".repeat(levels))
}

/// A function of a chain of operations, called in a chain.
fn chain_of_calls(operations: usize, calls: usize) -> String {
    let mut text = String::new();
    let mut last = "get-0".to_owned();
    for i in 0..operations {
        text += &format!("(?v{i} ({} {last} {})\n", ["*", "+", "&"][i % 3], ["get-1", "11"][i % 2]);
        last = format!("?v{i}");
    }
    let body = format!("{text}(func-2-inputs-1-outputs {last}){}", ")".repeat(operations));
    let mut value = "get-1".to_owned();
    for _ in 0..calls {
        value = format!("(get-0 (call ?g {value} get-0))");
    }
    format!("(?g {body}\n(func-2-inputs-1-outputs {value}))")
}

/// S2.59: a tower of functions is written back in the language that it came in.
#[test]
fn towers_of_any_height_are_written_back() {
    for levels in [2, 9, 12, 17, 21, 40, 64] {
        for text in before_and_after(&tower(levels)) {
            assert!(text.len() < 100_000, "{levels} levels are {} bytes", text.len());
            assert!(!text.contains("module"), "{text}");
            read(&text);
        }
    }
}

/// S2.17: calls stay where bodies would be too large.
#[test]
fn calls_of_a_large_function_stay_calls() {
    for text in before_and_after(&chain_of_calls(700, 60)) {
        assert_eq!(text.matches("(call").count(), 60);
    }
    // A few calls of what is small are no calls.
    assert_eq!(before_and_after(&chain_of_calls(20, 6))[1].matches("(call").count(), 0);
}

/// S2.17: whatever is called however often, what is written is a few times as long as what was read.
#[test]
fn no_program_becomes_much_longer() {
    for (operations, calls) in [(5, 700), (12, 300), (40, 90), (60, 60), (200, 18), (900, 4)] {
        let text = chain_of_calls(operations, calls);
        for after in before_and_after(&text) {
            assert!(after.len() < 4 * text.len(), "{operations}, {calls}: {} to {}", text.len(), after.len());
        }
    }
}

/// What the e-graph engine leaves, and the size of its graphs by the rewrites that were made.
fn by_egraph(text: &str) -> (String, u64) {
    let mut session = read(text);
    let settings = Settings { engine: EngineChoice::Egraph, ..Settings::default() };
    let outcome = session.optimize(&settings).expect("it can be optimized");
    (written(&session, Dialect::Rvsdg), outcome.record.total())
}

/// S2.17: by the e-graph engine, too, the only call of a function is its body, however long that is, and a call on
/// constants a constant.
#[test]
fn what_is_called_once_or_on_constants_is_no_call_in_the_graph() {
    for operations in [30, 1_500] {
        let (once, _) = by_egraph(&chain_of_calls(operations, 1));
        assert!(!once.contains("(call"), "{operations}: {}", once.len());
    }
    for (operations, calls) in [(120, 80), (40, 300)] {
        let mut text = chain_of_calls(operations, 0);
        let (body, _) = text.rsplit_once('\n').expect("a function and what is written of it");
        let mut sum = "get-0".to_owned();
        for i in 0..calls {
            sum = format!("(+ {sum} (get-0 (call ?g {i} {})))", i % 7);
        }
        text = format!("{body}\n(func-1-inputs-1-outputs {sum}))");
        let (folded, _) = by_egraph(&text);
        assert!(!folded.contains("(call"), "{}", folded.len());
    }
}

/// S2.59: the graphs of all functions of a tower have together what bodies may take, not each of them.
#[test]
fn a_higher_tower_is_no_more_work_for_each_level() {
    let made = |levels| by_egraph(&tower(levels)).1;
    let (low, high) = (made(16), made(64));
    assert!(high < 4 * low, "{low} and {high} rewrites");
}

/// What was read with functions beside each other, or with recursion, is written so without being asked to.
#[test]
fn functions_are_written_where_functions_were_read() {
    let odd = "(get-0 (phi-1-functions (func-1-inputs-1-outputs get-0 (get-0 (switch-2-cases-1-outputs \
               (> get-0 1) get-0 get-1 7 (* 3 (get-0 (call get-1 (+ get-0 -2)))))))))";
    let beside = "(module (twice (func-1-inputs-1-outputs (+ get-0 get-0))) (next (func-1-inputs-1-outputs (+ get-0 1))))";
    for text in [odd, beside] {
        before_and_after(text).iter().for_each(|text| drop(read(text)));
    }
    let statements = "function twice -> x\n  + x x -> x\n  return x\nfunction main -> y\n  call twice y -> y\n  return y\n";
    let bytes = statements.as_bytes().to_vec();
    let mut session = Session::open("p.tac", bytes, Dialect::Tac, Reading::default()).expect("it reads");
    assert!(written(&session, Dialect::Tac).contains("call twice"));
    session.optimize(&Settings::default()).expect("it can be optimized");
    assert!(written(&session, Dialect::Tac).contains("function twice"));
}

fn opened(text: &str, dialect: Dialect) -> Session {
    Session::open("p", text.as_bytes().to_vec(), dialect, Reading::default())
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// S2.8: what calls and functions say is said by every text dialect that has them, without being asked to.
#[test]
fn calls_are_written_in_every_dialect_that_has_them() {
    let countdown = "(get-0 (phi-1-functions (func-1-inputs-1-outputs get-0 (get-0 (switch-2-cases-1-outputs \
                     (> get-0 0) get-0 get-1 9 (+ 2 (get-0 (call get-1 (+ get-0 -3)))))))))";
    for text in [tower(40), chain_of_calls(300, 30), countdown.to_owned()] {
        let ssa = written(&read(&text), Dialect::Ssa);
        for dialect in [Dialect::Tac, Dialect::Ssa, Dialect::Rvsdg] {
            let there = written(&opened(&ssa, Dialect::Ssa), dialect);
            assert!(there.contains("call") && there.len() < 100_000, "{there}");
            let again = opened(&there, dialect);
            for back in [Dialect::Tac, Dialect::Ssa, Dialect::Rvsdg] {
                assert!(written(&again, back).contains("call"));
            }
        }
    }
}

/// A program of regions exports what it names; what is called by that alone may go.
#[test]
fn a_program_is_compared_at_its_entries() {
    for text in [tower(13), chain_of_calls(900, 20)] {
        let mut session = read(&text);
        let before = session.module().expect("a program").functions.len();
        let entries = session.entries();
        assert!(before > 1 && entries.len() == 1);
        let settings = Settings { validate: 20, ..Settings::default() };
        let outcome = session.optimize(&settings).expect("it can be optimized");
        let checked = outcome.checked.expect("it was asked for");
        assert!(matches!(checked, Checked::Tested { agreed: 1.., .. }), "{checked:?}");
    }
}

/// A function of so many operations, by which nothing but a constant is added, in each language that has functions; and a
/// caller with so many calls.
fn long_for_little(operations: usize, calls: usize) -> [(Dialect, String); 3] {
    let bindings: String = (0..operations)
        .map(|i| {
            format!(
                "(?v{i} (+ {} {})\n",
                if i == 0 { "get-0".to_owned() } else { format!("?v{}", i - 1) },
                2 + i % 5
            )
        })
        .collect();
    let mut value = "get-0".to_owned();
    (0..calls).for_each(|i| value = format!("(* (get-0 (call ?g {value})) {})", 3 + 2 * i));
    let last = operations - 1;
    let regions = format!(
        "(?g {bindings}(func-1-inputs-1-outputs ?v{last}){}\n(func-1-inputs-1-outputs {value}))",
        ")".repeat(operations)
    );
    let lines: String = (0..operations).map(|i| format!("  + x {} -> x\n", 2 + i % 5)).collect();
    let called: String = (0..calls).map(|i| format!("  call g x -> x\n  * x {} -> x\n", 3 + 2 * i)).collect();
    let statements = format!("function main -> x\n{called}  return x\nfunction g -> x\n{lines}  return x\n");
    let ssa = written(&opened(&statements, Dialect::Tac), Dialect::Ssa);
    [(Dialect::Rvsdg, regions), (Dialect::Tac, statements), (Dialect::Ssa, ssa)]
}

/// S2.17: whether a call becomes a body is decided by what is left of the function, not by how long it was.
#[test]
fn what_is_left_of_a_function_decides_whether_it_is_called() {
    for (operations, calls) in [(450, 3), (1_300, 2), (2_600, 25)] {
        for (dialect, text) in long_for_little(operations, calls) {
            for engine in [EngineChoice::Linear, EngineChoice::Egraph] {
                let mut session = opened(&text, dialect);
                session.optimize(&Settings { engine, ..Settings::default() }).expect("it can be optimized");
                let module = session.module().expect("a program");
                let main = &module.functions[module.find("main").expect("it stays")];
                let (size, calls_left) = (
                    main.live_inst_count(),
                    main.live_insts().filter(|(_, inst)| main.inst(*inst).op == Op::Call).count(),
                );
                assert!(
                    calls_left == 0 && size <= 2 * calls,
                    "{dialect}, {engine:?}: {calls_left} of {size}"
                );
            }
        }
    }
}

/// That a call happens whose function nobody wants must not make it an output beside a word.
#[test]
fn a_call_that_only_must_happen_may_return_a_function() {
    let function = "(func-1-inputs-1-outputs (+ get-0 1))";
    let once = |value: &str, computed: &str| {
        format!("(get-0 (switch-1-cases-1-outputs 0 {value} {computed} get-0))")
    };
    let maker = format!("(func-1-inputs-1-outputs {})", once(function, "(/ 6 get-0)"));
    let one = once("7", &format!("(get-0 (call {maker} get-0))"));
    let other = once("get-0", "(/ 6 get-0)");
    let text =
        format!("(func-2-inputs-1-outputs (get-0 (switch-2-cases-1-outputs get-0 get-1 {one} {other})))");
    let session = read(&text);
    let again = written(&read(&written(&session, Dialect::Rvsdg)), Dialect::Rvsdg);
    assert_eq!(again, written(&session, Dialect::Rvsdg));
    assert!(again.contains("(/ 6 get-0)"), "{again}");
}
