//! Bril to SSA and back: the same output, in fewer or equal steps, and errors with their place.

use planish_base::SourceText;
use planish_bril::lower::has_form;
use planish_bril::{Signatures, lift, lower, text};
use planish_interp::{Limits, Program as Environment, Scenario, Val, run};
use planish_ir::{Const, Module};
use planish_ops::{Int, Op, Type};

fn lifted(source: &str) -> (Module, Signatures) {
    let (program, mut diagnostics) = text::read(source);
    let lifted = lift(&program, &mut diagnostics);
    assert!(!diagnostics.has_errors(), "{}", diagnostics.render(&SourceText::new("p.bril", source)));
    lifted
}

fn lowered(module: &Module, signatures: &Signatures) -> String {
    text::write(&lower(module, signatures, signatures.words).expect("it can be written"))
}

/// What `main` prints, and how it ends.
fn observe(module: &Module, args: &[i64]) -> String {
    let id = module.find("main").expect("there is a main");
    let function = &module.functions[id];
    let args: Vec<Val> = args.iter().map(|&arg| Val::int(Type::I64, arg)).collect();
    let limits = Limits { fuel: 1_000_000, ..Limits::default() };
    run(&Environment::of(module), function, &args, &Scenario::new(7), limits).to_string()
}

fn assert_round_trip(source: &str, inputs: &[&[i64]]) -> String {
    let (module, signatures) = lifted(source);
    let written = lowered(&module, &signatures);
    let (again, _) = lifted(&written);
    for args in inputs {
        assert_eq!(observe(&again, args), observe(&module, args), "{args:?}\n{written}");
    }
    assert_names_in_order(&written);
    written
}

/// In each function names count from 0, by kind, in the order in which they stand there.
fn assert_names_in_order(written: &str) {
    for function in written.split("\n}") {
        for letter in ['b', 'c', 'v'] {
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let words = function.split(|c| !is_part(c)).filter_map(|word| word.strip_prefix(letter));
            let mut next = 0;
            // A branch names labels that stand behind it.
            for number in words.filter_map(|word| word.parse::<usize>().ok()) {
                assert!(number <= next, "{letter}{number}\n{written}");
                next = next.max(number + 1);
            }
        }
    }
}

/// What an operation is called in Bril says at which types it is there; what it can be said by depends on constants.
#[test]
fn operations_have_forms_at_some_types_and_with_some_constants() {
    let value = |ty| (ty, None);
    let number = |number: i64| (Type::I64, Some(Const::Int(Int::new(64, number as u64))));
    let [int, bit, char, real] = [Type::I64, Type::I1, Type::I32, Type::F64].map(value);
    for (has, op, operands, result) in [
        (true, Op::And, [bit, bit], Type::I1),
        (false, Op::And, [int, int], Type::I64),
        (true, Op::And, [int, number(15)], Type::I64),
        (false, Op::And, [int, number(10)], Type::I64),
        (false, Op::Xor, [int, int], Type::I64),
        (true, Op::Xor, [bit, bit], Type::I1),
        (true, Op::Add, [int, int], Type::I64),
        (false, Op::Add, [char, char], Type::I32),
        (true, Op::Eq, [char, char], Type::I1),
        (true, Op::Ugt, [char, char], Type::I1),
        (false, Op::Ugt, [bit, bit], Type::I1),
        (false, Op::Ugt, [int, int], Type::I1),
        (true, Op::Lshift, [int, number(3)], Type::I64),
        (false, Op::Lshift, [int, int], Type::I64),
        (true, Op::Lt, [int, int], Type::I64),
        (true, Op::Fadd, [real, real], Type::F64),
        (false, Op::Frem, [real, real], Type::F64),
        (false, Op::Add, [value(Type::Int(8)), value(Type::Int(8))], Type::Int(8)),
    ] {
        assert_eq!(has_form(op, &operands, result, false), has, "{op} {operands:?}");
    }
    assert!(has_form(Op::And, &[int, int], Type::I64, true), "with operations on words");
    // There is no character of this number.
    assert!(!has_form(Op::Eq, &[char, (Type::I32, Some(Const::Int(Int::new(32, 0xd800))))], Type::I1, false));
}

#[test]
fn loops_calls_and_output() {
    let source = "@main(n: int) {\n  i: int = const 0;\n  one: int = const 1;\n.head:\n  go: bool = lt i n;\n  br go .body .end;\n.body:\n  r: int = call @fact i;\n  print i r;\n  i: int = add i one;\n  jmp .head;\n.end:\n}\n@fact(n: int): int {\n  one: int = const 1;\n  small: bool = le n one;\n  br small .base .more;\n.base:\n  ret one;\n.more:\n  m: int = sub n one;\n  r: int = call @fact m;\n  r: int = mul r n;\n  ret r;\n}\n";
    let written = assert_round_trip(source, &[&[0], &[3], &[6]]);
    assert!(written.contains("call @fact") && written.contains("print"), "{written}");
    let (module, _) = lifted(source);
    assert!(observe(&module, &[3]).contains('2'), "{}", observe(&module, &[3]));
}

#[test]
fn bools_floats_and_characters() {
    let source = "@main(n: int) {\n  x: float = const 1.5;\n  y: float = fmul x x;\n  big: bool = fgt y x;\n  c: char = const 'é';\n  k: int = char2int c;\n  d: char = int2char k;\n  same: bool = ceq c d;\n  both: bool = and big same;\n  no: bool = not both;\n  any: bool = or no big;\n  print y c k both no any;\n}\n";
    let written = assert_round_trip(source, &[&[0]]);
    assert!(written.contains("const 'é'") && written.contains("ceq"), "{written}");
}

#[test]
fn memory_keeps_its_order_and_pointers_their_types() {
    let source = "@main(n: int) {\n  ten: int = const 10;\n  one: int = const 1;\n  p: ptr<int> = alloc ten;\n  pp: ptr<ptr<int>> = alloc one;\n  store pp p;\n  store p n;\n  q: ptr<int> = load pp;\n  q: ptr<int> = ptradd q one;\n  v: int = load p;\n  v: int = add v v;\n  store q v;\n  w: int = load q;\n  print v w;\n  free p;\n  free pp;\n}\n";
    let written = assert_round_trip(source, &[&[5]]);
    assert!(written.contains("ptr<ptr<int>> = alloc") && written.contains("ptr<int> = ptradd"), "{written}");
    assert_eq!(written.matches("store").count(), 3);
}

/// What an optimizer may leave: bits, shifts, choices, numbers as conditions.
#[test]
fn operations_that_the_language_lacks_are_said_by_what_it_has() {
    use planish_ir::Builder;
    use planish_ops::Op;
    let mut b = Builder::new("main", &[Type::I64; 1]);
    let entry = b.block("");
    let x = b.param(entry, Type::I64);
    b.at(entry);
    let (three, mask, five) = (b.int(Type::I64, 3), b.int(Type::I64, 255), b.int(Type::I64, 5));
    let mut sum = b.int(Type::I64, 0);
    for op in [Op::Lshift, Op::Rshift, Op::Urshift, Op::Srem, Op::Min, Op::Max] {
        let value = b.op(op, &[x, three]);
        sum = b.op(Op::Add, &[sum, value]);
        sum = b.op(Op::Mul, &[sum, five]);
    }
    let low = b.op(Op::And, &[mask, x]);
    let less = b.op_as(Op::Ne, &[low, five], Type::I64);
    let chosen = b.op(Op::Select, &[less, sum, low]);
    let odd = b.op_as(Op::Trunc, &[x], Type::I1);
    let wide = b.op_as(Op::Zext, &[odd], Type::I64);
    let negative = b.op(Op::Neg, &[wide]);
    let inverted = b.op(Op::Not, &[negative]);
    let result = b.op(Op::Add, &[chosen, inverted]);
    b.ret(&[result]);
    let mut module = Module::new();
    module.functions.push(b.finish());
    let written = lowered(&module, &Signatures::default());
    let (again, _) = lifted(&written);
    for x in [0, 1, 5, 7, -1, -8, -9, 1 << 62, i64::MAX, i64::MIN, i64::MIN + 3, 260, -253] {
        assert_eq!(observe(&again, &[x]), observe(&module, &[x]), "{x}\n{written}");
    }
}

#[test]
fn errors_name_line_and_column() {
    let cases = [
        ("@main {\n  jmp .x;\n}", "2:3: error: there is no label `.x`"),
        ("@main {\n  x: int = const true;\n}", "2:3: error: this is no constant of the type int"),
        ("@main {\n  x: int = id y;\n}", "2:3: error: `y` is never assigned"),
        ("@main(x: bool) {\n  y: int = add x x;\n}", "2:3: error: `x` is of the type bool; `add` takes int"),
        ("@main(x: int) {\n  y: int = call @f x;\n}", "2:3: error: there is no function `@f`"),
        (
            "@main(x: int) {\n  x: bool = const true;\n}",
            "2:3: error: `x` is of the type bool here and int elsewhere",
        ),
        ("@main(x: int): int {\n  ret;\n}", "2:3: error: `@main` returns a value"),
        ("@main(x: int) {\n  y: int = frob x;\n}", "2:3: error: unknown operation `frob`"),
        ("@main(x: int) {\n  y: int = load x;\n}", "2:3: error: `load` is about a pointer"),
    ];
    for (source, message) in cases {
        let (program, mut diagnostics) = text::read(source);
        lift(&program, &mut diagnostics);
        let found: Vec<String> =
            diagnostics.iter().map(|d| d.headline(&SourceText::new("p", source))).collect();
        assert_eq!(found, [format!("p:{message}")], "{source}");
    }
}

#[test]
fn operations_on_words_are_written_where_the_program_has_some() {
    let source = "@main(a: int) {\n  n: int = neg a;\n  c: bool = lt a n;\n  b: int = bitand a n;\n  \
                  s: int = select c a b;\n  print s;\n}\n";
    assert_round_trip(source, &[&[84], &[-7]]);
    let (module, signatures) = lifted(source);
    assert!(signatures.words);
    let text = lowered(&module, &signatures);
    assert!(text.contains("neg") && text.contains("bitand") && text.contains("select"), "{text}");
    // Without them a choice is a branch, and what has no form is refused.
    assert!(lower(&module, &signatures, false).is_err());
}
