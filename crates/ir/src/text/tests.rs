//! Reading, writing, and reading what was written.

use planish_base::SourceText;

use super::{Options, ValueNames, listing, read, read_named, write};

fn parse(text: &str) -> crate::Module {
    let (module, diagnostics) = read(text);
    assert!(diagnostics.is_empty(), "{}", diagnostics.render(&SourceText::new("test.ssa", text)));
    module
}

fn straight(text: &str) -> String {
    write(&parse(text), Options { straight: true, ..Options::default() })
}

fn errors(text: &str) -> Vec<String> {
    let (_, diagnostics) = read(text);
    let source = SourceText::new("t", text);
    diagnostics.iter().map(|d| d.headline(&source)).collect()
}

/// S1.10, S1.12: one operation a line, names numbered by position.
#[test]
fn the_running_example_prints_as_it_is_written() {
    let text = "v0 = getarg(0)\nv1 = getarg(1)\nv2 = add(v1, 17)\nv3 = mul(v0, v2)\nv4 = add(v1, 17)\nv5 = add(v3, v4)\n";
    assert_eq!(straight(text), text);
}

/// S1.11, S1.13: the prefix is a parameter, names of the source may be any.
#[test]
fn names_are_made_anew_with_a_prefix() {
    let module = parse("a = getarg(0)\nsum = add(5, a)\n");
    let options = Options { prefix: "optvar", straight: true, names: None };
    assert_eq!(write(&module, options), "optvar0 = getarg(0)\noptvar1 = add(5, optvar0)\n");
}

#[test]
fn what_is_written_with_a_prefix_reads_back() {
    for prefix in ["x", "int", "fp", "inf", "null", "getarg", "func", "ü_", "a.$%b", "arg"] {
        assert!(super::is_prefix(prefix));
        let text = write(&parse(POWER), Options { prefix, ..Options::default() });
        assert_eq!(write(&parse(&text), Options::default()), POWER, "{prefix}");
    }
    for prefix in ["", "1", "-", "a b", "a\n", "%", "(", "$", "i", "f", "f3"] {
        assert!(!super::is_prefix(prefix), "{prefix}");
    }
}

/// Where a value is defined, a word that means something elsewhere is a name, and may be used as one.
#[test]
fn key_words_are_names_of_values_where_those_are_defined() {
    let words = [
        "func",
        "jump",
        "branch",
        "switch",
        "return",
        "throw",
        "unreachable",
        "else",
        "leave",
        "unwind",
        "to",
        "with",
        "as",
        "location",
        "class",
        "callee",
        "other",
        "bits",
        "signed",
        "reads",
        "elidable",
        "getarg",
        "dummy",
    ];
    for word in words {
        let quoted = straight(&format!("x = getarg(0)\n\"{word}\" = neg(x)\n"));
        let typed = parse(&format!(
            "location @l: i64\n{word}: i64 = neg(3)\nx, {word}1 = add_ovf(1, {word})\nreturn x"
        ));
        assert_eq!(straight(&format!("x = getarg(0)\n{word} = neg(x)\n")), quoted, "{word}");
        assert_eq!(typed.functions.len(), 1, "{word}");
        let behind = format!(
            "callee @c raises\nx = getarg(0)\ny = int_add(x, 2)\n{word} = sub(y, x)\nreturn {word}\n"
        );
        assert!(errors(&behind).is_empty(), "{word}: {:?}", errors(&behind));
        let inside = format!(
            "func f(p: i64) -> i64 {{\nentry:\n    {word} = neg(p)\n    return {word}\n}}\nfunc g({word}: i64) {{\ne:\n    return\n}}\n"
        );
        assert!(errors(&inside).is_empty(), "{word}: {:?}", errors(&inside));
    }
}

#[test]
fn constants_are_no_names_of_values_and_the_error_says_how_they_may_be() {
    let text = "null = getarg(0)\nx, nan = add_ovf(2, 3)\ninf: f64 = getarg(1)\n7 = neg(x)\n-inf = neg(x)\nnone = neg(x)\n";
    let what = |place: &str, word: &str, sort: &str| {
        format!("t:{place}: error: `{word}` is {sort} and no name of a value")
    };
    assert_eq!(
        errors(text)[..6],
        [
            what("1:1", "null", "a constant"),
            what("2:4", "nan", "a constant"),
            what("3:1", "inf", "a constant"),
            what("4:1", "7", "a number"),
            what("5:1", "-inf", "a number"),
            what("6:1", "none", "a constant"),
        ]
    );
    let (_, diagnostics) = read("func f(nan: f64) {\ne:\n    return\n}\n");
    assert!(diagnostics.render(&SourceText::new("t", text)).contains("`\"nan\"`, here and where it is used"));
    assert!(errors("\"null\" = getarg(0)\nx = add(\"null\", 1)\n").is_empty());
}

/// What stands in a function of which the header is wrong means nothing, and is passed over.
#[test]
fn one_mistake_in_the_header_of_a_function_is_one_message() {
    let body = " {\ne:\n    x = add(null, 1)\n    branch x, a, b\na:\n    return x\nb:\n    return 2\n}\n";
    let next = "func g() -> i64 {\ne:\n    y = ad(1, 2)\n    return y\n}\n";
    for (header, error) in [
        ("func f(null: i64) -> i64", "t:1:8: error: `null` is a constant and no name of a value"),
        ("func f(x: i65) -> i64", "t:1:11: error: `i65` is not a type"),
        ("func f(x: i64) -> ", "t:1:20: error: expected a type, found `{`"),
    ] {
        let found = errors(&format!("{header}{body}{next}"));
        assert_eq!(found, [error, "t:12:9: error: unknown operation `ad`"], "{header}");
        assert_eq!(errors(&format!("{header}{body}")), [error]);
    }
    // The next function begins where the last one does not end.
    let found = errors(&format!("func f(nan: f64) {{\ne:\n    return\n{next}"));
    assert_eq!(found.len(), 2, "{found:?}");
}

/// S1.14: a use before its definition is refused.
#[test]
fn a_use_before_its_definition_is_an_error() {
    assert_eq!(
        errors("v1 = add(v0, 1)\nv0 = getarg(1)\nv2 = neg(v3)\nv3 = neg(v2)\n"),
        ["t:1:10: error: `v0` is not defined here", "t:3:10: error: `v3` is not defined here"]
    );
    assert!(errors("v0 = getarg(1)\nv1 = add(v0, 1)\nv2 = getarg(0)\nv3 = add(v1, v2)\n").is_empty());
}

#[test]
fn results_that_are_not_the_unused_values_are_named() {
    let text = "v0 = getarg(0)\nv1 = add(v0, 1)\nreturn v1, 0\n";
    assert_eq!(straight(text), text);
    let text = "v0 = getarg(0)\nv1 = add(v0, 1)\nv2 = neg(v1)\nreturn v1, v2\n";
    assert_eq!(straight(text), text);
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
fn functions_round_trip() {
    assert_eq!(write(&parse(POWER), Options::default()), POWER);
}

#[test]
fn everything_the_grammar_has_round_trips() {
    let text = "\
location @list.length: i64 bits 32 signed quasi class 3
location @\"raw word\": i8 bits 8 raw
class @E
callee @puts raises reads * writes (1, 2)
callee @odd elidable zeroext 1 reads () writes ()
callee @low signext 8 reads * writes *
other @line

func f(v0: ref, v1: i32, v2: f64, v3: i1) -> i32, f32 {
entry:
    v4, v5 = add_ovf(v1, 3)
    guard_false(v5) else leave 7(v0, none, v4, 5: i8)
    v6 = get_field(v0) @list.length else unwind
    v7: i1 = eq(v6, -1)
    v8 = eq(v6, 0)
    v9: i32, v10: ref = call(v6, &g, &h: i64, 1.5, nan: f32, null) @puts else to(v0, v1) [@E: caught, *: other]
    marker() @line
    v11 = select(v3, v9, 7)
    v12 = ref_eq(v10, null)
    v13: f32 = float_convert(v2)
    switch v11 [0: done(v13), -5: done(1.0)], back
back:
    v14 = zext(1: i8)
    branch 1, entry(v0, v11, inf, v3), stop
caught(v15: ref, v16: ref, v17: i32):
    throw v15 else to(v16) [*: other2]
other(v18: ref, v19: ref, v20: i32):
    throw v18
other2(v21: ref, v22: ref):
    unreachable
done(v23: f32):
    return v11, v23
stop:
    return 0, -0.0
}

func \"g h\"() {
block0:
    return
}
";
    let module = parse(text);
    assert_eq!(write(&module, Options::default()), text);
    assert_eq!(write(&parse(&write(&module, Options::default())), Options::default()), text);
}

#[test]
fn blocks_may_stand_in_any_order() {
    let text =
        "func f(v0: i64) -> i64 {\na:\n    jump c\nb:\n    return v1\nc:\n    v1 = neg(v0)\n    jump b\n}\n";
    let written = write(&parse(text), Options::default());
    assert_eq!(write(&parse(&written), Options::default()), written);
}

#[test]
fn every_error_of_a_text_is_reported_with_its_place() {
    let text = "\
func f(v0: i64, v0: i32) -> i64 {
entry:
    v1 = ad(v0, 1)
    v2 = add(v1)
    v3 = add(v1, 1.5)
    v4: i8 = add(v1, 1)
    v5 = neg(300: i8)
    v6 = get_field(null) @nothing
    guard_true(v0) else fly
    x = y = z
    branch v1, nowhere, entry(v1, v1)
}
";
    assert_eq!(
        errors(text),
        [
            "t:9:25: error: expected `leave`, `unwind` or `to`, found `fly`",
            "t:10:11: error: expected `(`, found `=`",
            "t:1:17: error: `v0` is defined twice",
            "t:3:10: error: unknown operation `ad`",
            "t:4:10: error: `add` takes 2 operands, found 1",
            "t:5:18: error: expected a value of type i64, found the float 1.5",
            "t:6:5: error: this result of `add` is of type i64",
            "t:7:14: error: 300 does not fit in i8",
            "t:8:27: error: descriptor `nothing` is not declared",
            "t:11:16: error: block `nowhere` is not defined",
            "t:11:35: error: expected i32, found a value of type i64",
        ]
    );
    let (_, diagnostics) = read(text);
    assert!(diagnostics.render(&SourceText::new("t", text)).contains("did you mean `add`?"));
}

#[test]
fn a_header_of_another_language_is_one_error() {
    for header in ["define i64 @f(i64 %a) {", "function f(a: i64) -> i64 {", "fn f(a: i64) -> i64 {"] {
        let text = format!("{header}\nentry:\n    v = ad(a, 1)\n    return v\n}}\n{POWER}");
        let word = header.split(' ').next().expect("it has words");
        assert_eq!(errors(&text), [format!("t:1:1: error: no function begins with `{word}`")]);
    }
    let straight = parse("fn = getarg(0)\ndef: i64 = add(fn, 1)\n");
    assert_eq!(straight.functions.len(), 1);
}

#[test]
fn what_is_stored_has_the_type_of_its_location() {
    let text = "class @A\nlocation @small: i8\nlocation @real: f32\nlocation @any: i64 raw\n\n\
        func f(v0: i64) -> i8 {\nentry:\n    v1 = new() @A\n    set_field(v1, 1) @small\n    \
        set_field(v1, 1.5) @real\n    set_static(-1) @small\n    raw_store(v0, 0, 1) @any\n    \
        v2: i8 = get_field(v1) @small\n    return v2\n}\n";
    assert_eq!(write(&parse(text), Options::default()), text, "literals need no types");
    let wrong = "class @A\nlocation @small: i8\nfunc f(x: i64) {\nentry:\n    a = new() @A\n    \
        set_field(a, x) @small\n    y: i16 = get_field(a) @small\n    set_field(a, 300) @small\n    \
        set_field(a, 1: i64) @small\n    return\n}\n";
    assert_eq!(
        errors(wrong),
        [
            "t:6:18: error: expected a value of type i8, found one of type i64",
            "t:7:5: error: expected a value of type i8, found one of type i16",
            "t:8:18: error: 300 does not fit in i8",
            "t:9:18: error: expected a value of type i8, found one of type i64",
        ]
    );
}

#[test]
fn any_text_gives_errors_and_no_panic() {
    let nested = format!("func f({}", "(".repeat(100_000));
    for text in [
        "func",
        "func f",
        "func f() {",
        "v0",
        "v0 =",
        "v0 = (",
        "\"",
        "location @",
        "}",
        "-",
        "&",
        "v1 = add(&",
        &nested,
    ] {
        assert!(!errors(text).is_empty(), "{text}");
    }
    for text in [POWER, "location @a: i64 bits 3 class\ncallee @b reads (1,\n"] {
        for end in 0..text.len() {
            read(&text[..end]);
            let mut changed = text.to_owned().into_bytes();
            changed[end] = b")(,:=@}1"[end % 8];
            if let Ok(changed) = String::from_utf8(changed) {
                read(&changed);
            }
        }
    }
}

/// In a listing a value keeps its name from state to state, and lines know their instructions.
#[test]
fn a_listing_names_values_by_what_they_were_called() {
    let module =
        parse("func f(a: i64) -> i64 {\nentry:\n    b = add(a, 1)\n    c = mul(b, b)\n    return c\n}\n");
    let f = &module.functions[module.find("f").unwrap()];
    let mut names = ValueNames::new();
    names[f.params()[0]] = Some("a".into());
    let lines = listing(module.tables(), f, &names);
    let shown: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    let values: Vec<String> = f
        .block_insts(f.entry())
        .iter()
        .map(|&inst| format!("new{}", planish_base::Id::index(f.result(inst))))
        .collect();
    let [b, c] = &values[..] else { panic!("two instructions: {values:?}") };
    let expected = [
        "func f(a: i64) -> i64 {",
        "entry:",
        &format!("    {b} = add(a, 1)"),
        &format!("    {c} = mul({b}, {b})"),
        &format!("    return {c}"),
        "}",
    ];
    assert_eq!(shown, expected);
    let insts: Vec<_> = lines.iter().filter_map(|line| line.inst).collect();
    assert_eq!(insts, f.block_insts(f.entry()));
}

/// A function of the text may be called without a word about it: before it is read, by itself, in a circle.
#[test]
fn functions_of_the_text_are_called_without_a_declaration() {
    let text = "\
func even(v0: i32) -> i1, f32 {
a:
    branch v0, b, c
b:
    v1 = sub(v0, 1)
    v2: i1, v3: f32 = call(v1) @odd
    return v2, v3
c:
    return 1, 0.5
}

func odd(v0: i32) -> i1, f32 {
a:
    v1: i1, v2: f32 = call(7: i32) @even
    v3: i1, v4: f32 = call(v0) @odd
    return v1, v2
}
";
    assert_eq!(write(&parse(text), Options::default()), text);
    // Types follow from the function that is called.
    let bare = text
        .replace("v2: i1, v3: f32 = call", "v2, v3 = call")
        .replace("7: i32", "7")
        .replace("v3: i1, v4: f32 = ", "");
    assert_ne!(bare, text);
    assert_eq!(write(&parse(&bare), Options::default()), text);
    // What is declared stays so.
    let declared = format!("callee @odd reads () writes ()\n\n{text}");
    assert_eq!(write(&parse(&declared), Options::default()), declared);
}

#[test]
fn calls_that_do_not_fit_are_reported_where_they_stand() {
    let with = |call: &str| {
        errors(&format!(
            "class @Point\nlocation @Point.x: i64\nfunc f(v0: i64, v1: ref) -> i64 {{\na:\n    {call}\n    return 0\n}}\n"
        ))
    };
    assert_eq!(with("v2: i64 = call(v0) @f"), ["t:5:15: error: `f` takes 2 values, found 1"]);
    assert_eq!(with("v2, v3 = call(v0, v1) @f"), ["t:5:14: error: `f` gives 1 value, found 2"]);
    assert_eq!(with("call(v1, null) @f"), ["t:5:10: error: expected i64, found a value of type ref"]);
    assert_eq!(with("v2: i32 = call(1, v1) @f"), ["t:5:5: error: this result of `f` is of type i64"]);
    assert_eq!(with("call(1, v1) @f"), [""; 0]);
    assert_eq!(with("call(v0) @g"), ["t:5:15: error: descriptor `g` is not declared"]);
    // A function is no class.
    assert_eq!(with("v2 = new() @f"), ["t:5:17: error: descriptor `f` is not declared"]);
}

#[test]
fn what_is_not_declared_comes_with_how_it_would_be() {
    let note = |operation: &str| {
        let text = format!(
            "class @Point\nlocation @Point.x: i64\nfunc go(v0: ref) {{\na:\n    {operation}\n    return\n}}\n"
        );
        let (_, diagnostics) = read(&text);
        diagnostics.render(&SourceText::new("t", text.as_str()))
    };
    for (operation, expected) in [
        ("call(v0) @fact", "as in `callee @fact`, or define the function"),
        ("call(v0) @gi", "did you mean `go`?"),
        ("v1: i64 = get_field(v0) @Point.y", "did you mean `Point.x`?"),
        ("v1: i64 = get_field(v0) @weight", "as in `location @weight: i64`"),
        ("v1 = instance_of(v0) @Shape", "as in `class @Shape`"),
        ("marker(v0) @remark", "as in `other @remark`"),
        ("v1 = null_check(v0) else to [@oops: a]", "as in `class @oops`"),
    ] {
        let shown = note(operation);
        assert!(shown.contains(expected), "{operation}\n{shown}");
    }
}

/// S1.6: a straight line has an operation of no known meaning.
#[test]
fn dummy_is_an_operation_of_a_straight_line() {
    let text = "v0 = getarg(0)\ndummy(v0, 7)\nv1 = dummy(v0)\nv2: f64 = dummy(v1, 1.5)\nv3 = add(v1, v0)\n";
    assert_eq!(straight(text), text);
    // Elsewhere it is a call that says so.
    let function = write(&parse("v0 = getarg(0)\nv1 = dummy(v0)\n"), Options::default());
    assert!(
        function.starts_with("other @dummy\n") && function.contains("v1: i64 = call(v0) @dummy"),
        "{function}"
    );
    assert_eq!(
        errors("func f(v0: i64) {\na:\n    dummy(v0)\n    return\n}\n"),
        ["t:3:5: error: unknown operation `dummy`"]
    );
    // A declared one is written as it was.
    let declared = "other @dummy\n\nv0 = getarg(0)\ncall(v0) @dummy\nreturn\n";
    assert!(
        write(&parse(declared), Options { straight: true, ..Options::default() }).starts_with("other @dummy")
    );
}

/// S1.13: an author's names stay with their values.
#[test]
fn names_that_an_author_gave_are_kept() {
    let text = "func f(count: i64, v7: i64) -> i64 {\nentry:\n    branch count, more(v7), \"the end\"\nmore(step: i64):\n    \
                v0 = add(step, count)\n    return v0\n\"the end\":\n    return v7\n}\n";
    let (module, diagnostics, names) = read_named(text);
    assert!(!diagnostics.has_errors());
    let kept = write(&module, Options { names: Some(&names), ..Options::default() });
    // What is a number only is numbered anew.
    assert_eq!(kept, text.replace("v7", "v1").replace("v0", "v3"));
    assert!(!write(&module, Options::default()).contains("count"));
}

#[test]
fn what_a_load_gives_is_of_the_type_of_its_location() {
    let text = "location @next: ref\nlocation @low: i8\nlocation @items: ref\n\nfunc f(o: ref) -> i8 {\nentry:\n    p = get_field(o) \
                @next\n    x = get_field(p) @low\n    n = array_len(p) @items\n    return x\n}\n";
    let module = parse(text);
    let written = write(&module, Options::default());
    assert!(written.contains(": ref = get_field(") && written.contains(": i8 = get_field("), "{written}");
    assert!(!written.contains(": i64 = array_len"), "{written}");
    assert_eq!(write(&parse(&written), Options::default()), written);
}

#[test]
fn no_two_blocks_of_a_text_have_one_name() {
    let mut b = crate::Builder::new("f", &[]);
    let blocks = ["a", "then", "", "then", "block2", "then_1", "block2", ""].map(|name| b.block(name));
    for pair in blocks.windows(2) {
        b.at(pair[0]);
        b.jump(pair[1], &[]);
    }
    b.at(blocks[7]);
    b.ret(&[]);
    let mut module = crate::Module::new();
    module.functions.push(b.finish());
    let text = write(&module, Options::default());
    let labels: Vec<&str> = text.lines().filter_map(|line| line.strip_suffix(':')).collect();
    assert_eq!(labels, ["a", "then", "block2_1", "then_2", "block2", "then_1", "block2_2", "block7"]);
    let (again, diagnostics) = read(&text);
    assert!(!diagnostics.has_errors(), "{text}");
    assert_eq!(write(&again, Options::default()), text);
}
