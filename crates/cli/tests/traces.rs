//! Files of traces that are given together, and what a file alone promises to others.

mod common;

use std::fs;

use common::{Scratch, planish};

/// A loop that counts up in steps, with a label that others may enter.
const LOOP: &str = "\
#! opts intbounds:rewrite:virtualize:string:pure:earlyforce:heap:unroll
[p0, i1, i2]
label(p0, i2, i1, descr=TargetToken(77))
i3 = getfield_gc_i(p0, descr=<FieldS box.step 8 pure>)
i4 = int_add(i1, i3)
i5 = int_lt(i4, 500)
guard_true(i5) [p0, i4]
jump(p0, i2, i4, descr=TargetToken(77))
";

/// Another one, whose token is the first that a tool would make up.
const OTHER: &str = "\
#! opts intbounds:rewrite:virtualize:string:pure:earlyforce:heap:unroll
[i0, i1]
label(i0, i1, descr=TargetToken(1))
i2 = int_mul(i1, 3)
i3 = int_and(i2, 255)
i4 = int_gt(i0, 0)
guard_true(i4) [i3]
i5 = int_sub(i0, 1)
jump(i5, i3, descr=TargetToken(1))
";

/// A bridge into both, by two files.
const BRIDGE: &str = "[p0, i7]\ni8 = int_add(i7, 0)\njump(p0, 4, i8, descr=TargetToken(77))\n";

/// Files of a test, and their paths.
fn files(name: &str, files: &[(&str, &str)]) -> (Scratch, Vec<String>) {
    let scratch = Scratch::new(name, "");
    let paths = files.iter().map(|(name, text)| {
        let path = scratch.path(name);
        fs::write(&path, text).expect("a file");
        path
    });
    let paths = paths.collect();
    (scratch, paths)
}

/// Runs the command; what it prints and says, and whether it went well.
fn said(args: &[&str]) -> (bool, String, String) {
    let output = planish(args);
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.success(), text(output.stdout), text(output.stderr))
}

/// S4.4, S4.7: a token is new over all files of a run, arguments stay where others hand them over, and what is written is
/// the same program.
#[test]
fn files_are_optimized_as_one_program() {
    let names = [("loop.trace", LOOP), ("other.trace", OTHER), ("bridge.trace", BRIDGE)];
    let (scratch, paths) = files("traces-together", &names);
    let out = scratch.path("out/");
    let mut args = vec!["opt", "--validate", "run", "-o", &out];
    args.extend(paths.iter().map(String::as_str));
    let (well, _, why) = said(&args);
    assert!(well && why.contains("tested on "), "{why}");
    let read = |name: &str| fs::read_to_string(scratch.path(&format!("out/{name}"))).expect("a result");
    let (first, other, bridge) = (read("loop.trace"), read("other.trace"), read("bridge.trace"));
    assert!(first.contains("label(p0, i2, i1, descr=TargetToken(77))"), "{first}");
    assert_eq!(bridge, "[p0, i7]\njump(p0, 4, i7, descr=TargetToken(77))\n");
    // Both loops have a first iteration of their own, so each made a token.
    for (text, made) in [(&first, "TargetToken(2)"), (&other, "TargetToken(3)")] {
        assert_eq!(text.matches(made).count(), 3, "{text}");
    }
    let results =
        ["loop.trace", "other.trace", "bridge.trace"].map(|name| scratch.path(&format!("out/{name}")));
    let (well, _, why) = said(&["check", &results[0], &results[1], &results[2]]);
    assert!(well && why.is_empty(), "{why}");
}

/// S4.4: whoever comes from a file that is not given finds the arguments in their places.
#[test]
fn a_file_alone_keeps_labels_for_others_unless_it_is_closed() {
    let counting = "[p0, i1, i2]\nlabel(i2, p0, i1, descr=TargetToken(9))\ni3 = int_lt(i1, 90)\nguard_true(i3) [i1]\n\
                    i4 = int_add(i1, 5)\ni5 = int_xor(i2, i4)\njump(i5, p0, i4, descr=TargetToken(9))\n";
    let closed = format!("#! closed\n{counting}");
    // What is used behind a label and not listed there nobody hands over.
    let unlisted =
        counting.replace("label(i2, p0, i1,", "label(p0, i1,").replace("jump(i5, p0, i4,", "jump(p0, i4,");
    let names = [("open.trace", counting), ("closed.trace", &closed), ("unlisted.trace", &unlisted)];
    let (_scratch, paths) = files("traces-alone", &names);
    let results = paths.iter().map(|path| said(&["opt", path]).1).collect::<Vec<_>>();
    assert!(results[0].contains("label(i2, p0, i1, descr=TargetToken(9))"), "{}", results[0]);
    for result in &results[1..] {
        assert!(result.contains("label(i1, descr=TargetToken(9))"), "{result}");
    }
}

#[test]
fn a_jump_to_a_token_that_no_trace_has_is_said() {
    let misspelt = BRIDGE.replace("77", "78");
    let names = [("loop.trace", LOOP), ("bridge.trace", &*misspelt)];
    let (_scratch, paths) = files("traces-nowhere", &names);
    let (well, _, why) = said(&["check", &paths[0], &paths[1]]);
    assert!(well && why.contains("warning: none of these traces has a label `TargetToken(78)`"), "{why}");
    assert!(why.contains("bridge.trace:3:1") && why.contains("did you mean `TargetToken(77)`?"), "{why}");
    assert_eq!(said(&["check", &paths[1]]), (true, String::new(), String::new()));
}

#[test]
fn what_does_not_go_together_is_refused_before_anything_is_written() {
    let wrong = BRIDGE.replace("4, i8", "i8");
    let int = "#! struct N(object) vtable=none { a:i8s }\n[i0]\nfinish(i0)\n";
    let names = [
        ("loop.trace", LOOP),
        ("wrong.trace", &*wrong),
        ("int.trace", int),
        ("byte.trace", &int.replace("i8s", "i1u")),
        ("twice.trace", LOOP),
        ("p.ssa", "v0 = getarg(0)\n"),
        (
            "begins.trace",
            "#! mode bridge\n#! section loop\n[i0]\njump(i0)\n#! section bridge\n[i0]\njump(i0)\n",
        ),
        (
            "again.trace",
            "#! mode bridge\n#! section loop\n[p0]\njump(p0)\n#! section bridge\n[p0]\njump(p0)\n",
        ),
    ];
    let (scratch, paths) = files("traces-apart", &names);
    let directory = scratch.path("out/");
    let refused = |files: &[usize], options: &[&str]| {
        let files: Vec<&str> = files.iter().map(|&file| &*paths[file]).collect();
        let (well, out, why) = said(&[&["opt"], &files[..], options].concat());
        assert!(!well && out.is_empty() && !fs::exists(&directory).expect("a path"), "{out}{why}");
        why
    };
    let to = ["-o", directory.as_str()];
    let why = refused(&[0, 1], &to);
    assert!(why.contains("wrong.trace:3:1") && why.contains("hands over 2 values"), "{why}");
    let why = refused(&[2, 3], &to);
    assert!(why.contains("byte.trace:1:1") && why.contains("declares `N` otherwise"), "{why}");
    assert!(refused(&[0, 4], &to).contains("there is a label `TargetToken(77)` already"));
    assert!(refused(&[0, 5], &to).contains("several inputs are for"));
    assert!(refused(&[6, 7], &to).contains("a bridge of another file goes to another loop"));
    assert!(refused(&[0, 2], &[]).contains("-o DIR/"));
    assert!(refused(&[0, 0], &to).contains("two inputs would become"));
    let file = scratch.path("one.trace");
    assert!(refused(&[0, 2], &["-o", &file]).contains("-o DIR/"));
    assert!(refused(&[0, 2], &["-o", &scratch.path("")]).contains("is the input"));
}

/// What two files declare has to stand beside each other as what one declares.
#[test]
fn declarations_of_two_files_hold_together() {
    let trace = "[i0]\nfinish(i0)\n";
    let texts = [
        "#! class a range=0..2\n#! struct A(object) vtable=a { x:i8s }\n#! field x A.x\n",
        "#! class b range=1..3\n",
        "#! class a range=0..2\n#! struct B(object) vtable=a { x:i8s }\n",
        "#! call x (r)i effect=can_raise\n",
    ]
    .map(|declarations| format!("{declarations}{trace}"));
    let names = ["a.trace", "b.trace", "c.trace", "d.trace"];
    let named: Vec<(&str, &str)> = names.into_iter().zip(texts.iter().map(String::as_str)).collect();
    let (_scratch, paths) = files("traces-beside", &named);
    for (other, place, message) in [
        (1, "b.trace:1:1", "`b` has some of the numbers of `a`"),
        (2, "c.trace:2:1", "objects of class `a` are of the structure `A` already"),
        (3, "d.trace:1:1", "declares `x` as `field`"),
    ] {
        let (well, _, why) = said(&["check", &paths[0], &paths[other]]);
        assert!(!well && why.contains(place) && why.contains(message), "{why}");
    }
}

/// S4.17: exits are not told by where they stand, so a loop that was peeled is what it was.
#[test]
fn a_peeled_loop_is_held_against_its_source() {
    let text = "\
#! mode bridge
#! opts intbounds:rewrite:virtualize:string:pure:earlyforce:heap:unroll
#! section around
[p0, i1]
i2 = getfield_gc_i(p0, descr=<FieldS box.step 8 pure>)
i3 = int_sub(i1, i2)
i4 = int_ge(i3, -100)
guard_true(i4) [p0, i3]
jump(p0, i3)
#! section bridge
[p0, i5]
i6 = int_gt(i5, 3)
guard_true(i6) [p0, i5]
jump(p0, 9)
";
    let (scratch, paths) = files("traces-peeled", &[("source.trace", text)]);
    let out = scratch.path("out.trace");
    assert!(said(&["opt", &paths[0], "-o", &out]).0);
    let result = fs::read_to_string(&out).expect("a result");
    assert_eq!(result.matches("guard_true").count(), 3, "{result}");
    let (well, found, why) = said(&["validate", &paths[0], &out]);
    assert!(well && found.contains("tested on "), "{found}{why}");
    // A real difference is one still.
    fs::write(&out, result.replace("jump(p0, 9)", "jump(p0, 8)")).expect("a file");
    let (well, found, _) = said(&["validate", &paths[0], &out]);
    assert!(!well && found.contains("different"), "{found}");
}

/// S4.17: by `--compat pypy`, too, a label with a token has it alone.
#[test]
fn compat_a_peeled_loop_with_a_token_is_read_back() {
    let (scratch, paths) = files("traces-compat", &[("loop.trace", LOOP)]);
    let out = scratch.path("out.trace");
    assert!(said(&["opt", "--compat", "pypy", &paths[0], "-o", &out]).0);
    let result = fs::read_to_string(&out).expect("a result");
    assert!(result.contains("#! section loop"), "{result}");
    let (well, _, why) = said(&["check", &out]);
    assert!(well && why.is_empty(), "{result}{why}");
}

/// One file may go to a directory, too.
#[test]
fn one_file_goes_to_a_directory() {
    let (scratch, paths) = files("traces-one", &[("loop.trace", LOOP)]);
    let directory = format!("{}/", scratch.path("out"));
    let (well, _, why) = said(&["opt", &paths[0], "-o", &directory]);
    assert!(well, "{why}");
    assert!(fs::read_to_string(format!("{directory}loop.trace")).is_ok_and(|text| text.contains("label(")));
}

/// In a file about unrolling a label without a token is nothing that a jump goes to, in the result as in the source.
#[test]
fn a_peeled_loop_with_labels_without_tokens_is_read_back() {
    let text = "#! mode unroll\n[i0, f1]\nlabel(i0, f1)\nf2 = float_mul(f1, f1)\ni3 = int_add(i0, 3)\n\
                f4 = float_add(f2, 1.5)\ni5 = float_lt(f4, 9.0)\nguard_true(i5) []\njump(i3, f1)\n";
    let (scratch, paths) = files("traces-unrolled", &[("loop.trace", text)]);
    let out = scratch.path("out.trace");
    assert!(said(&["opt", &paths[0], "-o", &out]).0);
    let result = fs::read_to_string(&out).expect("a result");
    assert!(result.contains("#! section loop"), "{result}");
    let (well, _, why) = said(&["check", &out]);
    assert!(well && why.is_empty(), "{result}{why}");
    // One that fits no beginning is held against the label.
    let wrong = text.replace("jump(i3, f1)", "jump(i3)");
    fs::write(&out, wrong).expect("a file");
    assert!(!said(&["check", &out]).0);
}

/// S4.17: the sections of a loop that was peeled name the body by a token that no other trace has, and are what they were.
#[test]
fn the_sections_of_a_peeled_loop_are_held_against_the_whole() {
    let unrolled = "#! mode unroll\n[f0, i1, p2]\ni3 = getfield_gc_i(p2, descr=<FieldS box.step 8 pure>)\ni4 = int_add(i1, i3)\n\
                    i5 = int_lt(i4, 300)\nguard_true(i5) [f0, i4]\nf6 = float_add(f0, 0.5)\njump(f6, i4, p2)\n";
    let returns = "#! mode unroll\n[i0, p1, i2, i3]\ni4 = int_gt(i2, i3)\ni5 = int_is_zero(i4)\nguard_true(i5) [p1]\n\
                   jump(i4, p1, i0, i4)\n";
    let unlisted =
        "#! mode unroll\n[i0, i1]\ni2 = int_sub(i0, i1)\ni3 = int_gt(i2, 0)\nguard_true(i3)\njump(i2, 7)\n";
    let whole = "#! mode unroll\n[i0]\nlabel(i0)\ni1 = int_mul(i0, 3)\nfinish(i1)\n";
    for (number, text) in [unrolled, returns, unlisted, whole].iter().enumerate() {
        let (scratch, paths) = files(&format!("traces-sections-{number}"), &[("source.trace", text)]);
        let out = scratch.path("out.trace");
        let (well, _, why) = said(&["opt", "--validate", "run", &paths[0], "-o", &out]);
        assert!(well, "{why}");
        let result = fs::read_to_string(&out).expect("a result");
        let unnamed = |line: &str| line.starts_with("jump(") && !line.contains("descr=TargetToken(");
        assert!(!result.lines().any(unnamed), "{result}");
        let (well, found, why) = said(&["validate", &paths[0], &out]);
        assert!(well && (found.contains("tested on ") || found.contains("proved")), "{result}{found}{why}");
        // What was made is a program like any other.
        let again = scratch.path("again.trace");
        let (well, _, why) = said(&["opt", "--validate", "run", &out, "-o", &again]);
        assert!(well, "{result}{why}");
        let (well, found, why) = said(&["validate", &out, &again]);
        assert!(well, "{result}{found}{why}");
    }
    let (scratch, paths) = files("traces-sections-wrong", &[("source.trace", unrolled)]);
    let out = scratch.path("out.trace");
    assert!(said(&["opt", &paths[0], "-o", &out]).0);
    let wrong = fs::read_to_string(&out).expect("a result").replace("0.5", "0.25");
    fs::write(&out, wrong).expect("a file");
    let (well, found, _) = said(&["validate", &paths[0], &out]);
    assert!(!well && found.contains("different"), "{found}");
}

/// S4.23: what a guard that lists nothing keeps is in the text of the result as in that of the source, in its order.
#[test]
fn what_guards_without_a_list_keep_is_held_against_the_source() {
    let order = "[i0, i1, f2]\nlabel(i0, i1, f2)\ni3 = int_lt(i0, i1)\nguard_true(i3)\ni4 = int_add(i0, 2)\njump(i4, i1, f2)\n";
    let constant = "[i0, f1]\ni2 = int_mul(5, 4)\nlabel(f1, i2, i0)\ni3 = int_lt(i0, i2)\nguard_true(i3)\ni4 = int_add(i0, 2)\n\
                    jump(f1, i2, i4)\n";
    let object = "#! opts intbounds:rewrite:virtualize:string:pure:earlyforce:heap:unroll\n\
                  #! class box range=0..0\n#! struct BOX(object) vtable=box { value:i8s }\n#! size boxsize BOX\n\
                  #! field value BOX.value\n#! section boxes\n[i0, p1]\ni2 = getfield_gc_i(p1, descr=value)\ni3 = int_add(i2, i0)\ni4 = int_lt(i3, 90)\n\
                  guard_true(i4)\np5 = new_with_vtable(descr=boxsize)\nsetfield_gc(p5, i3, descr=value)\njump(3, p5)\n";
    let known = "[i0, i1]\nlabel(i1, i0)\nguard_value(i1, 8) []\ni2 = int_add(i0, i1)\ni3 = int_lt(i2, 70)\nguard_true(i3)\n\
                 jump(i1, i2)\n";
    for (number, text) in [order, constant, object, known].iter().enumerate() {
        let (scratch, paths) = files(&format!("traces-unlisted-{number}"), &[("source.trace", text)]);
        let out = scratch.path("out.trace");
        assert!(said(&["opt", &paths[0], "-o", &out]).0);
        let result = fs::read_to_string(&out).expect("a result");
        let (well, found, why) = said(&["validate", &paths[0], &out]);
        assert!(well && (found.contains("tested on ") || found.contains("proved")), "{result}{found}{why}");
    }
}

/// S4.17: whichever passes are named, a loop is peeled once: not again where its first iteration is a section, and at once where
/// only what is removed stands in front of it.
#[test]
fn a_loop_is_peeled_once() {
    const PYPY: &str = "intbounds:rewrite:virtualize:string:earlyforce:pure:heap:unroll";
    let plain = "#! mode unroll\n[f0, i1, p2]\nf3 = getfield_gc_f(p2, descr=<FieldF box.rate 16 pure>)\nf4 = float_mul(f0, f3)\n\
                 i5 = int_sub(i1, 2)\ni6 = int_gt(i5, -40)\nguard_true(i6) [f4]\njump(f4, i5, p2)\n";
    let with_a_token = "#! mode unroll\n#! section turns\n[i0, p1]\nlabel(i0, p1, descr=TargetToken(31))\n\
                        i2 = arraylen_gc(p1, descr=<ArrayS 8>)\ni3 = int_add(i0, i2)\ni4 = int_lt(i3, 7777)\n\
                        guard_true(i4) [i3]\njump(i3, p1, descr=TargetToken(31))\n";
    let hidden = |before: &str| {
        with_a_token.replace("add(i0", "add(i8").replace("label(i0, p1", &format!("{before}label(i8, p1"))
    };
    let texts = [
        plain.to_owned(),
        with_a_token.to_owned(),
        hidden("i8 = int_add(i0, 0)\n"),
        hidden("i9 = int_or(i0, i0)\ni8 = int_sub(i9, 0)\n"),
        hidden(
            "p9 = new(descr=<SizeDescr 24>)\nsetfield_gc(p9, i0, descr=<FieldS cell.value 8>)\n\
                i8 = getfield_gc_i(p9, descr=<FieldS cell.value 8>)\n",
        ),
    ];
    for (number, text) in texts.iter().enumerate() {
        for passes in [&[][..], &["--passes", PYPY]] {
            let (scratch, paths) = files(&format!("traces-once-{number}"), &[("loop.trace", text)]);
            let (first, second) = (scratch.path("first.trace"), scratch.path("second.trace"));
            let run = |from: &str, to: &str| {
                let (well, _, why) = said(&[&["opt", "--validate", "run", from, "-o", to], passes].concat());
                assert!(well, "{why}");
                fs::read_to_string(to).expect("a result")
            };
            let once = run(&paths[0], &first);
            assert_eq!(once.matches("guard_true").count(), 2, "{once}");
            assert_eq!(run(&first, &second), once);
        }
    }
}

/// A trace that can never pass a guard is copied, and said with its place; the others are optimized. PyPy gives it up.
#[test]
fn a_trace_that_never_passes_a_guard_is_copied() {
    let text = "#! section odd\n[i0, p1]\n# not even\ni2 = int_and(i0, 1)\nguard_true(i2) [i0]\n\nguard_value(i0,  6) [p1]\n\
                finish(i0)\n#! section even\n[i0]\ni1 = int_mul(i0, 1)\nfinish(i1)\n";
    let (scratch, paths) = files("traces-copied", &[("some.trace", text)]);
    let (well, out, why) = said(&["opt", "--validate", "run", &paths[0]]);
    assert!(
        well && why.contains("warning: this guard can never pass") && why.contains("tested on "),
        "{why}"
    );
    assert!(why.contains("some.trace:7:1") && why.contains("7 | guard_value(i0,  6) [p1]"), "{why}");
    let copied = text.replace("i1 = int_mul(i0, 1)\nfinish(i1)", "finish(i0)");
    assert_eq!(out, copied);
    let (well, again, _) = said(&["opt", "--stats", &paths[0], "-o", &scratch.path("out.trace")]);
    assert!(well && again.is_empty());
    // PyPy refuses it; the result is there all the same.
    let (well, out, why) = said(&["opt", "--compat", "pypy", &paths[0]]);
    assert!(!well && why.contains("error: invalid loop: ") && why.contains("some.trace:7:1"), "{why}");
    assert_eq!(out, copied);
}

/// Of a loop that is peeled, only a further iteration may be the one that never passes.
#[test]
fn a_loop_that_has_no_second_iteration_is_copied() {
    let text = "#! mode unroll\n[i0, p1]\ni2 = int_le(i0, 3)\nguard_true(i2) [p1]\njump(4, p1)\n";
    let (_scratch, paths) = files("traces-second", &[("loop.trace", text)]);
    let (well, out, why) = said(&["opt", &paths[0]]);
    assert!(well && why.contains("loop.trace:4:1") && why.contains("behind the first iteration"), "{why}");
    assert_eq!(out, text);
}

/// A section without a name is told from one that is called as it would be.
#[test]
fn a_trace_above_all_sections_has_a_name_of_its_own() {
    let text = "[i0]\nfinish(i0)\n#! section trace0\n[i1]\nfinish(i1, i1)\n";
    let (_scratch, paths) = files("traces-nameless", &[("two.trace", text)]);
    let (well, out, why) = said(&["opt", &paths[0]]);
    assert!(well && out == text, "{out}{why}");
}

/// A trace that is left for a bridge, and that for another one.
const LEFT: &str = "\
#! class box range=0..0
#! struct BOX(object) vtable=box { value:i8s }
#! field value BOX.value
#! section line
[p0, i1, i2]
i3 = int_add(i1, i2)
setfield_gc(p0, i3, descr=value)
i4 = int_lt(i3, 10)
guard_true(i4, descr=<Guard1>) [p0, i3, i1]
guard_value(i2, 3) [i3]
finish(i3)
#! section bridge
#! out of <Guard1>
[p0, i3, i1]
i5 = getfield_gc_i(p0, descr=value)
i6 = int_xor(i5, 1)
i7 = int_gt(i6, i1)
guard_true(i7, descr=<Guard2>) [i6, i1]
finish(i6)
#! section second bridge
#! out of <Guard2>
[i6, i1]
i8 = int_sub(i6, i1)
finish(i8)
";

/// Exits have names, so files with bridges are held against each other: what becomes of one is the same, and a fault is found
/// wherever it is on the way over guards.
#[test]
fn a_file_with_bridges_is_held_against_its_result() {
    let (scratch, paths) = files("traces-left", &[("source.trace", LEFT)]);
    let out = scratch.path("out.trace");
    let (well, _, why) = said(&["opt", "--validate", "run", &paths[0], "-o", &out]);
    assert!(well && why.contains("tested on ") && !why.contains("no input led into"), "{why}");
    let result = fs::read_to_string(&out).expect("a result");
    let (well, found, why) = said(&["validate", &paths[0], &out]);
    assert!(well && found.contains("tested on ") && !found.contains("no input led into"), "{found}{why}");
    let faults = [
        ("finish(i6)", "finish(i1)"),
        ("finish(i8)", "finish(i6)"),
        ("[i6, i1]\ni8", "[i1, i6]\ni8"),
        ("[p0, i3, i1]\n", "[p0, i1, i3]\n"),
        ("setfield_gc(p0, i3, descr=value)\n", ""),
        ("#! out of <Guard2>\n", ""),
        ("descr=<Guard2>", "descr=<Guard3>"),
    ];
    for (right, wrong) in faults {
        assert!(result.contains(right), "{right}: {result}");
        let mut text = result.replacen(right, wrong, 1);
        if right.starts_with("descr") {
            text = text.replace("#! out of <Guard2>\n", "");
        }
        fs::write(&out, &text).expect("a file");
        let (well, found, why) = said(&["validate", &paths[0], &out]);
        assert!(!well && found.starts_with("different"), "{text}{found}{why}");
    }
}

/// A bridge that no input leads into is run alone. Where that shows nothing, nothing of it was tested, and that is no answer.
#[test]
fn a_bridge_that_no_input_leads_into_is_no_answer() {
    // No square ends in these bits.
    let rare = LEFT.replace("i4 = int_lt(i3, 10)", "i9 = int_mul(i3, i3)\ni4 = int_ne(i9, 123456789)");
    let other = rare.replace("finish(i8)", "finish(i6)");
    assert_ne!(other, rare);
    let (_scratch, paths) = files("traces-rare", &[("source.trace", &rare), ("other.trace", &other)]);
    let (well, found, why) = said(&["validate", &paths[0], &paths[0]]);
    assert!(
        well && found.contains("; no input led into bridge, which alone does the same on "),
        "{found}{why}"
    );
    let (well, found, why) = said(&["validate", &paths[0], &paths[1]]);
    assert!(!well && found.contains("tested on ") && found.contains("no input led into"), "{found}{why}");
    // The first one goes on in the second.
    assert!(
        why.contains("error: no input led into bridge, second bridge, so nothing was seen of that"),
        "{why}"
    );
}

/// What PyPy's optimizer takes for granted is taken for granted where texts are compared as it may change them.
#[test]
fn a_result_of_pypy_is_held_as_pypy_takes_it() {
    let narrow = "#! class box range=0..0\n#! struct BOX(object) vtable=box { value:i1s }\n#! field value BOX.value\n[p0, i1]\n\
        setfield_gc(p0, i1, descr=value)\ni2 = getfield_gc_i(p0, descr=value)\nfinish(i2)\n";
    let (scratch, paths) = files("traces-compat", &[("source.trace", narrow), ("x.ssa", "")]);
    let out = scratch.path("out.trace");
    let (well, _, why) = said(&["opt", "--compat", "pypy", &paths[0], "-o", &out]);
    assert!(well, "{why}");
    let (well, found, _) = said(&["validate", &paths[0], &out]);
    assert!(!well && found.starts_with("different"), "{found}");
    let (well, found, why) = said(&["validate", "--compat", "pypy", &paths[0], &out]);
    assert!(well && found.starts_with("tested on "), "{found}{why}");
    let wrong = scratch.path("wrong.trace");
    fs::write(&wrong, narrow.replace("finish(i2)", "finish(7)")).expect("a file");
    let (well, found, _) = said(&["validate", "--compat", "pypy", &paths[0], &wrong]);
    assert!(!well && found.starts_with("different"), "{found}");
    let peeled = scratch.path("peeled.trace");
    let text = "#! section preamble\n[i0]\ni1 = int_add(i0, 1)\njump(i1)\n#! section loop\n[i1]\ni2 = int_add(i1, 2)\njump(i2)\n";
    fs::write(&peeled, text).expect("a file");
    let (well, _, why) = said(&["validate", "--compat", "pypy", &peeled, &peeled]);
    assert!(!well && why.contains("so it is not known where they go on: that is no answer"), "{why}");
    let (well, _, why) = said(&["validate", "--compat", "pypy", &paths[1], &paths[1]]);
    assert!(!well && why.contains("--compat is about traces"), "{why}");
}

/// Of runs that part after many calls, what is near is shown, and how many calls there are besides.
#[test]
fn where_many_calls_part_the_first_is_shown_with_its_neighbours() {
    let call = |number: usize| format!("call_n({number}, i0, descr=f)\n");
    let source: String = (0..40).map(|number| call(1_000 + number)).collect();
    let head = "#! call f (i)v effect=cannot_raise\n[i0]\n";
    let source = format!("{head}{source}finish(i0)\n");
    let wrong = source.replace(&call(1_020), "call_n(1020, 7, descr=f)\n");
    let (_scratch, paths) = files("traces-calls", &[("source.trace", &source), ("wrong.trace", &wrong)]);
    let (well, found, why) = said(&["validate", &paths[0], &paths[1]]);
    assert!(!well && found.contains("after 20 calls: value 1 of"), "{found}{why}");
    assert_eq!(found.matches("... 17 calls before\n").count(), 2, "{found}");
    assert_eq!(found.matches("... 16 more calls\n").count(), 2, "{found}");
    assert!(found.lines().count() < 30, "{found}");
}

/// Files that are given together are held against their results as one program.
#[test]
fn results_of_files_with_bridges_between_them_are_held_as_text() {
    let at = LEFT.find("#! section bridge").expect("a bridge");
    let declared = LEFT.find("#! section line").expect("a trace");
    let rest = format!("{}{}", &LEFT[..declared], &LEFT[at..]);
    let names = [("line.trace", &LEFT[..at]), ("bridges.trace", &*rest)];
    let (scratch, paths) = files("traces-left-apart", &names);
    let out = scratch.path("out/");
    let (well, _, why) = said(&["opt", "--validate", "run", "-o", &out, &paths[0], &paths[1]]);
    assert!(well && why.contains("tested on ") && !why.contains("no input led into"), "{why}");
}

/// The traces of a page: blocks of their own, and what stands on the left where two stand side by side.
fn traces_of(page: &str) -> Vec<String> {
    let blocks = page.split("```text\n").skip(1).map(|rest| rest.split("```").next().expect("a first part"));
    let traces = blocks.filter_map(|block| {
        let first = block.lines().next()?;
        if let Some(file) = first.strip_prefix("# file: ") {
            return file.ends_with(".trace").then(|| block.to_owned());
        }
        if !first.starts_with('[') && !first.starts_with("#! ") {
            return None;
        }
        let right = first
            .find("    ")
            .map(|blanks| blanks + first[blanks..].len() - first[blanks..].trim_start().len());
        // A line that is longer than its column has nothing beside it.
        let left = block.lines().map(|line| match right {
            Some(right) if line.get(right - 2..right).is_none_or(|gap| gap == "  ") => {
                line.get(..right).unwrap_or(line).trim_end()
            }
            _ => line,
        });
        Some(left.filter(|line| !line.is_empty()).map(|line| format!("{line}\n")).collect())
    });
    traces.collect()
}

/// Numbers that need not fit where they are stored: characters of a string, and narrow places of each kind.
const NARROW: [&str; 2] = [
    "#! call concat (rr)r effect=elidable_or_memoryerror oopspec=uni_concat\n[p0, i0]\np1 = newunicode(1)\n\
     unicodesetitem(p1, 0, i0)\np2 = call_r(0, p1, u\"ab\", descr=concat)\ni3 = unicodegetitem(p2, 0)\nfinish(p2, i3)\n",
    "#! class box range=0..0\n#! struct BOX(object) vtable=box { small:i1u }\n#! field small BOX.small\n#! array bytes i1u\n\
     #! array pairs { left:i1s, right:f8 }\n#! interior left pairs.left\n[i0, p1]\nsetfield_gc(p1, i0, descr=small)\ni2 = getfield_gc_i(p1, descr=small)\n\
     p3 = new_array(3, descr=bytes)\nsetarrayitem_gc(p3, 1, i0, descr=bytes)\ni4 = getarrayitem_gc_i(p3, 1, descr=bytes)\n\
     p5 = new_array_clear(2, descr=pairs)\nsetinteriorfield_gc(p5, 1, i0, descr=left)\n\
     i6 = getinteriorfield_gc_i(p5, 1, descr=left)\nfinish(i2, i4, i6)\n",
];

/// Whatever the pages about traces show, and the examples, become what does the same: also where PyPy is followed.
#[test]
fn every_trace_of_the_pages_is_held_against_its_result() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../");
    let mut traces = vec![fs::read_to_string(format!("{root}examples/sum.trace")).expect("an example")];
    for page in ["traces.md", "trace-passes.md", "tour-jit.md"] {
        let text = fs::read_to_string(format!("{root}docs/{page}")).expect("a page");
        let found = traces_of(&text);
        assert!(found.len() >= 2, "{page}");
        traces.extend(found);
    }
    traces.extend(NARROW.map(str::to_owned));
    let names: Vec<String> = (0..traces.len()).map(|number| format!("{number}.trace")).collect();
    let all: Vec<(&str, &str)> =
        names.iter().map(String::as_str).zip(traces.iter().map(String::as_str)).collect();
    let (_scratch, paths) = files("traces-of-pages", &all);
    for (path, text) in paths.iter().zip(&traces) {
        for follows in [&[][..], &["--compat", "pypy"]] {
            let (well, out, why) = said(&[&["opt", "--validate", "run", path], follows].concat());
            let vectors = text.contains("#! step ");
            assert!(well && (vectors || why.contains("tested on ")), "{follows:?}\n{text}{out}{why}");
        }
    }
}
