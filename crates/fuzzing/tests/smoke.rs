//! Each property for a moment on random data, the same in every run; the fuzz targets look for other data
//! for as long as one likes, and with `PLANISH_SEED=N` so does a run of these tests.

use arbitrary::Unstructured;
use planish_filetest::generate::bytes;
use planish_fuzzing::{
    binaries, cached, calls, classes, closures, compiler, functions, mutate, regions, texts, traces,
};

/// Tries a property on the data of so many seeds, of at most `size` bytes. Too little data is no failure.
fn over_seeds(
    count: u64,
    size: usize,
    mut property: impl FnMut(&mut Unstructured<'_>) -> arbitrary::Result<()>,
) {
    let first: u64 = match std::env::var("PLANISH_SEED") {
        Ok(seed) => seed.parse().expect("PLANISH_SEED is a number"),
        Err(_) => 0,
    };
    for seed in first..first + count {
        let _named = Named(seed);
        let data = bytes(seed, size * (1 + seed as usize % 16) / 16);
        let _ = property(&mut Unstructured::new(&data));
    }
}

/// Names the seed when a property panics.
struct Named(u64);

impl Drop for Named {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("with PLANISH_SEED={} this is the first thing tried", self.0);
        }
    }
}

fn texts(property: fn(&str), seeds: &[&str], words: &[&str]) {
    for seed in seeds {
        property(seed);
    }
    let near = |u: &mut Unstructured<'_>| {
        property(&mutate::text(u, seeds, words)?);
        Ok(())
    };
    over_seeds(2000, 400, near);
}

#[test]
fn ssa() {
    let seeds = [
        include_str!("seeds/everything.ssa"),
        "v0 = getarg(0)\nv1 = add(v0, 1)\nreturn v1, 0\n",
        "func f(a: f64) -> f64 {\nb:\n    c = fadd(a, 1.5)\n    return c\n}\n",
    ];
    let words = [
        "v0",
        "v1",
        ":",
        "i64",
        "i8",
        "ref",
        "f32",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "=",
        ",",
        "@",
        "&",
        "*",
        "->",
        "0",
        "-1",
        "1.5",
        "null",
        "none",
        "jump",
        "branch",
        "switch",
        "return",
        "throw",
        "else",
        "leave",
        "unwind",
        "to",
        "func",
        "add",
        "eq",
        "select",
        "call",
        "guard_true",
        "getarg",
        "location",
        "callee",
        "class",
        "table",
        "lookup",
        "\"",
        "\n",
    ];
    texts(texts::ssa, &seeds, &words);
}

#[test]
fn tac() {
    let seeds = [
        "function -> x n\nmov 1 -> r\nlabel loop\n& n 1 -> c\nswitch c even odd\nlabel odd\n* r x -> r\nlabel even\n* x x -> x\n\
         >> n 1 -> n\nswitch n done loop\nlabel done\nreturn r\n",
        "function -> a\nlabel x\nuse s -> s\ngoto x\n",
        "function -> a b\n/ a b -> q\n% a b -> r\nreturn q r\n",
    ];
    let words = [
        "->", "label", "goto", "switch", "return", "mov", "function", "use", "call", "a", "b", "x", "0",
        "-1", "+", "<<", ">>s", "=", ">", "\n", "#", ";",
    ];
    texts(texts::tac, &seeds, &words);
}

const TRACE: &str = "[p0, i0, f0]\ni1 = int_add(i0, 1)\ni2 = int_add_ovf(i1, i0)\nguard_no_overflow() [i1, None, p0]\n\
    p1 = getfield_gc_r(p0, descr=<FieldP a.b 8>)\nguard_class(p1, ConstClass(X)) [p1]\n\
    i3 = call_i(123, p1, f0, descr=<Calli 8 rf EF=5>)\nguard_no_exception() [i3]\nsetfield_gc(p0, i3, descr=<FieldS a.c 16>)\n\
    jump(p1, i3, 1.5)\n";
const WORDS: [&str; 24] = [
    "i0",
    "i1",
    "p0",
    "f0",
    "[",
    "]",
    "(",
    ")",
    ",",
    " ",
    "=",
    "descr=",
    "<",
    ">",
    "None",
    "NULL",
    "ConstPtr(null)",
    "int_add(",
    "guard_true(",
    "label(",
    "jump(",
    "\n",
    "#",
    "#! section loop 1\n",
];

#[test]
fn trace() {
    texts(texts::trace, &[TRACE, &format!("#! section loop 0\n{TRACE}#! section bridge\n{TRACE}")], &WORDS);
}

#[test]
fn random_traces() {
    over_seeds(150, 3000, traces::optimize);
}

#[test]
fn log() {
    let log = format!(
        "[1a] {{jit-tracing\nfree text\n[1b] {{jit-log-noopt\n# Traced loop or bridge with 9 ops\n{TRACE}[1c] jit-log-noopt}}\n\
         [1d] jit-tracing}}\n"
    );
    let words = [&WORDS[..], &["[1b] {", "}\n", "{jit-log-noopt\n", "[1c] jit-log-noopt}\n"]].concat();
    texts(texts::log, &[&log], &words);
}

#[test]
fn rvsdg() {
    let seeds = [
        "(?neg (func-1-inputs-1-outputs (* -1 get-0))\n(func-2-inputs-1-outputs (+ get-0 (get-0 (call ?neg get-1)))))",
        "(func-2-inputs-1-outputs (get-2 (loop get-0 get-1 1 (* get-0 get-0) (>> get-1 1) (* get-2 get-0) get-1)))",
        "(func-1-inputs-2-outputs (get-0 (switch-2-cases-1-outputs get-0 7 (+ get-0 1) (- get-0 1))) (use get-0 1))",
    ];
    let words = [
        "(",
        ")",
        "?x",
        "?neg",
        "get-0",
        "get-1",
        "get-7",
        "0",
        "-1",
        "42",
        "+",
        "*",
        "<<",
        "use",
        "loop",
        "call",
        "func-1-inputs-1-outputs",
        "switch-2-cases-1-outputs",
        "switch-1-cases-2-outputs",
        "module",
        ";",
        "\n",
    ];
    texts(texts::rvsdg, &seeds, &words);
}

#[test]
fn rules() {
    let seeds = [
        "# Why.\na [pays]: add(sub(C1, x), C2)\n    C = C1 + C2\n    check C >u 3 and not x.known_lt(C)\n    => sub(C, x)\n",
        "b: int_is_true(int_and(x, MININT))\n    SORRY_Z3: why\n    => int_lt(x, 0)\n",
        "c: guard_true(is_zero(x: a))\n    check width(a) < 8 and x.ones | ~x.zeros == -1\n    => guard_false(x)\n",
    ];
    let words = [
        "a",
        "b:",
        "add(",
        ")",
        ",",
        "x",
        "C",
        "=>",
        "check",
        "\n",
        "\n    ",
        " ",
        "[",
        "]",
        "pays",
        ":",
        "1",
        "-",
        "0x",
        "1.5",
        "e",
        "<u",
        ">>u",
        "~",
        "and",
        "not",
        "(",
        "x.",
        "lower",
        "width(",
        "SORRY_Z3",
        "#",
        "é",
        "\t",
        "i32",
        "guess_unsigned_shift(",
        "pass",
        "is_pow2(",
        "zext(",
        "select(",
        "\u{0}",
        "9999999999999999999999",
    ];
    texts(texts::rules, &seeds, &words);
}

#[test]
fn compiled_trees() {
    let matched = std::cell::Cell::new(0);
    let property = |u: &mut Unstructured<'_>| {
        matched.set(matched.get() + compiler::trees_find_what_rows_find(u)?);
        Ok(())
    };
    over_seeds(1000, 4000, property);
    assert!(matched.get() > 100, "only {} matches", matched.get());
}

const BRIL: &str = "@main(n: int): int {\n  a: int = const 1;\n.l:\n  b: bool = lt a n;\n  print a;\n  c: char = const 'x';\n  \
    br b .l .m;\n.m:\n  p: ptr<int> = alloc n;\n  r: int = call @main a;\n  ret r;\n}\n";

#[test]
fn bril() {
    let words = [
        "@", ".", ":", ";", "=", "int", "ptr<", ">", "const", "'", "\\", "1.5", "{", "}", "(", ")", "br",
        "\n",
    ];
    texts(texts::bril, &[BRIL], &words);
}

#[test]
fn bril_json() {
    let (program, _) = planish_bril::text::read(BRIL);
    let seed = planish_bril::json::write(&program);
    let words = [
        "{", "}", "[", "]", ":", ",", "\"", "null", "1e9", "\"op\"", "\"args\"", "\"type\"", "\\u0000",
        "true",
    ];
    texts(texts::bril_json, &[&seed], &words);
}

#[test]
fn classes_and_archives() {
    // What is near to a right file is tried where right files are made, in the crate of class files.
    let any = |u: &mut Unstructured<'_>| {
        let bytes: Vec<u8> = u.arbitrary()?;
        binaries::class(&[b"\xca\xfe\xba\xbe\0\0\0\x34", &bytes[..]].concat());
        binaries::archive(&bytes);
        Ok(())
    };
    over_seeds(5000, 2000, any);
}

#[test]
fn random_classes() {
    let property = |u: &mut Unstructured<'_>| {
        classes::program(u, "p")?.iter().for_each(|(_, file)| binaries::class(file));
        Ok(())
    };
    over_seeds(40, 3000, property);
}

#[test]
fn mutated_classes_in_every_mode() {
    let examples = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/patterns"));
    let mut files: Vec<_> = std::fs::read_dir(examples).expect("the examples").flatten().collect();
    files.sort_by_key(std::fs::DirEntry::file_name);
    let is_class = |path: &std::path::PathBuf| path.extension().is_some_and(|ending| ending == "class");
    let paths = files.iter().map(std::fs::DirEntry::path).filter(is_class);
    let classes: Vec<Vec<u8>> = paths.map(|path| std::fs::read(path).expect("a class")).collect();
    let mut seed = 0;
    let property = |_: &mut Unstructured<'_>| {
        let (input, is_jar) = mutate::mutated(seed, &classes);
        seed += 1;
        if is_jar {
            binaries::optimized_archive(&input)
        } else {
            binaries::optimized_class(&input)
        }
        Ok(())
    };
    over_seeds(60, 16, property);
}

#[test]
fn classes_that_change_with_a_cache() {
    let (mut taken, mut made) = (0, 0);
    let property = |u: &mut Unstructured<'_>| {
        let counts = cached::changing(u)?;
        (taken, made) = (taken + counts.0, made + counts.1);
        Ok(())
    };
    over_seeds(6, 3000, property);
    assert!(taken > made / 2, "{taken} classes were as they were, {made} were not");
}

#[test]
fn random_functions() {
    over_seeds(300, 6000, functions::optimize);
}

#[test]
fn functions_over_cells() {
    over_seeds(200, 400, functions::optimize_cells);
}

#[test]
fn regions_whose_functions_call_one_another() {
    over_seeds(300, 400, calls::stay_or_go);
}

#[test]
fn regions_whose_values_are_functions() {
    over_seeds(200, 600, closures::are_carried);
}

#[test]
fn statements_to_regions_and_back() {
    over_seeds(200, 400, regions::there_and_back);
}

#[test]
fn bridges_are_told_the_truth() {
    over_seeds(1500, 3000, traces::bridge_is_told_the_truth);
}
