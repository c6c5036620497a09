//! The command as a person meets it: exit status, messages, files.

mod common;

use std::path::Path;
use std::process::Command;

use common::{Scratch, planish};

const GOOD: &str = "v0 = getarg(0)\nv1 = add(v0, 0)\nv2 = add(v1, v0)\n";

#[test]
fn optimizing_writes_the_result_to_standard_output() {
    let scratch = Scratch::new("stdout", GOOD);
    let output = planish(&["opt", &scratch.path("input.ssa")]);
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.starts_with("v0 = getarg(0)\n") && text.lines().count() == 2, "{text}");
    assert!(output.stderr.is_empty());
}

#[test]
fn wrong_input_is_refused_with_a_place_and_nothing_is_written() {
    let scratch = Scratch::new("wrong", "v0 = getarg(0)\nv1 = ad(v0, 0)\n");
    let output = planish(&["opt", &scratch.path("input.ssa"), "-o", &scratch.path("out.ssa")]);
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(message.contains("unknown operation `ad`") && message.contains("input.ssa:2:6"), "{message}");
    let files: Vec<_> = std::fs::read_dir(&scratch.0).expect("the directory").collect();
    assert_eq!(files.len(), 1, "no output, no temporary file");
}

#[test]
fn wrong_usage_is_told_apart_from_wrong_input() {
    assert_eq!(planish(&["opt"]).status.code(), Some(2));
    let scratch = Scratch::new("usage", GOOD);
    std::fs::rename(scratch.path("input.ssa"), scratch.path("input.unknown")).expect("a file");
    assert_eq!(planish(&["opt", &scratch.path("input.unknown")]).status.code(), Some(2));
    // What is not there has no dialect, whatever it is called.
    for missing in ["there-is-no-such-file.ssa", "there-is-no-such-file.unknown", "no-such-folder"] {
        let output = planish(&["opt", missing]);
        let message = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(output.status.code() == Some(1) && message.contains("No such file"), "{message}");
    }
}

#[cfg(unix)]
#[test]
fn a_device_is_written_to_and_a_link_stays_a_link() {
    use std::os::unix::fs::FileTypeExt;
    let scratch = Scratch::new("device", GOOD);
    assert_eq!(planish(&["opt", &scratch.path("input.ssa"), "-o", "/dev/null"]).status.code(), Some(0));
    assert!(std::fs::metadata("/dev/null").expect("it is there").file_type().is_char_device());
    std::fs::write(scratch.path("target.ssa"), "old").expect("a file");
    std::os::unix::fs::symlink(scratch.path("target.ssa"), scratch.path("link.ssa")).expect("a link");
    assert_eq!(
        planish(&["opt", &scratch.path("input.ssa"), "-o", &scratch.path("link.ssa")]).status.code(),
        Some(0)
    );
    assert!(std::fs::symlink_metadata(scratch.path("link.ssa")).expect("it is there").is_symlink());
    assert!(
        std::fs::read_to_string(scratch.path("target.ssa"))
            .expect("it is there")
            .starts_with("v0 = getarg(0)")
    );
}

#[test]
fn every_command_has_help_with_examples() {
    let help = |words: &[&str]| {
        let output = planish(&[words, &["--help"]].concat());
        assert_eq!(output.status.code(), Some(0));
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(text.contains("Usage: planish") && text.contains("\nExamples:\n"), "{words:?}: {text}");
        // The names in the list of sub-commands, if there is one.
        let list = text.split("\nCommands:\n").nth(1).unwrap_or_default();
        let names = list.lines().take_while(|line| !line.is_empty());
        let names = names.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
        names.map(|line| line.split_whitespace().next().expect("a name").to_owned()).collect::<Vec<_>>()
    };
    let commands = help(&[]);
    assert!(commands.len() > 9, "{commands:?}");
    for command in commands.iter().filter(|name| *name != "help") {
        for below in help(&[command]).iter().filter(|name| *name != "help") {
            help(&[command, below]);
        }
    }
}

#[test]
fn fuel_stops_after_so_many_rewrites() {
    let scratch = Scratch::new("fuel", "v0 = getarg(0)\nv1 = add(v0, 0)\nv2 = sub(v1, 7)\nv3 = mul(v2, 8)\n");
    let input = scratch.path("input.ssa");
    let explained = |fuel: &str| {
        let output = planish(&["opt", "--explain", "--fuel", fuel, &input]);
        (String::from_utf8(output.stdout).expect("UTF-8"), String::from_utf8(output.stderr).expect("UTF-8"))
    };
    let (all, lines) = explained("1000000");
    assert!(lines.lines().count() >= 3, "{lines}");
    assert_eq!(explained("0").0, std::fs::read_to_string(&input).expect("the input"));
    for fuel in 1..lines.lines().count() {
        let (program, first) = explained(&fuel.to_string());
        assert!(lines.starts_with(&first) && first.lines().count() == fuel, "{first}");
        assert_ne!(program, all);
    }
}

/// For each operation that went the pass and the rule, and at the end what remains together.
#[test]
fn an_explanation_of_traces_names_passes_and_ends_with_what_remains_together() {
    let header = "#! struct BOX { value:i8s }\n#! size box BOX\n#! field value BOX.value\n";
    let trace = "[i0]\np1 = new(descr=box)\nsetfield_gc(p1, i0, descr=value)\n\
                 i2 = getfield_gc_i(p1, descr=value)\ni3 = int_mul(i2, 8)\ni4 = int_mul(i0, i0)\n\
                 i5 = int_and(i4, 6)\ni6 = int_mul(i0, i0)\nfinish(i3, i5, i6)\n";
    let scratch = Scratch::new("missed", &format!("{header}{trace}"));
    let explained = |explain: &str| {
        let output = planish(&["opt", explain, "--from", "trace", &scratch.path("input.ssa")]);
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stderr).expect("UTF-8")
    };
    let all = explained("--explain");
    for line in [
        "trace0:1: new gone  [virtualize]",
        "trace0:3: get_field i2 = i0  [virtualize]",
        "trace0:7: mul i6 = i4  [pure: number]",
        "1 pairs of 1 kinds remain in 3 operations",
        "      1  and(mul(x, x), c)",
    ] {
        assert!(all.lines().any(|found| found == line), "{line}\n{all}");
    }
    let rule = all.lines().find(|line| line.starts_with("trace0:4: mul -> lshift  [rewrite: rule "));
    assert!(rule.is_some_and(|line| line.contains(".rules:")), "{all}");
    // Of one function, only what was done to it.
    assert!(!explained("--explain=trace0").contains("remain in"), "{all}");
    assert_eq!(explained("--explain=other"), "nothing was done to a function called other\n");
}

#[test]
fn a_file_stays_as_it_was_when_the_new_one_cannot_be_made() {
    let scratch = Scratch::new("partial", "v0 = getarg(0)\nv1 = ad(v0, 0)\n");
    std::fs::write(scratch.path("out.ssa"), "precious").expect("a file");
    let output = planish(&["opt", &scratch.path("input.ssa"), "-o", &scratch.path("out.ssa")]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(std::fs::read_to_string(scratch.path("out.ssa")).expect("it is there"), "precious");
    std::fs::write(scratch.path("input.ssa"), GOOD).expect("a file");
    let nowhere =
        planish(&["opt", &scratch.path("input.ssa"), "-o", &scratch.path("no/such/folder/out.ssa")]);
    assert_eq!(nowhere.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&nowhere.stderr).contains("no/such/folder/out.ssa"));
    assert_eq!(std::fs::read_dir(&scratch.0).expect("the directory").count(), 2, "no temporary file");
}

#[test]
fn integers_have_one_to_sixty_four_bits() {
    for width in [1, 2, 7, 8, 31, 32, 33, 63, 64] {
        let text = format!(
            "func f(v0: i{width}, v1: i{width}) -> i{width} {{\na:\n    v2 = add(v0, v1)\n    v3 = sub(v2, v1)\n    return v3\n}}\n"
        );
        let scratch = Scratch::new(&format!("width{width}"), &text);
        let output = planish(&["opt", "--validate", "run", &scratch.path("input.ssa")]);
        assert_eq!(output.status.code(), Some(0));
        assert!(String::from_utf8_lossy(&output.stdout).contains("return v0"));
    }
    for width in [0, 65] {
        let scratch = Scratch::new("widths", &format!("func f(v0: i{width}) {{\na:\n    return\n}}\n"));
        assert_eq!(planish(&["check", &scratch.path("input.ssa")]).status.code(), Some(1));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn nobody_has_to_read_the_messages() {
    let scratch = Scratch::new("unread", GOOD);
    std::fs::write(scratch.path("extra.rules"), "never: popcount(x) => x\n").expect("a file");
    let (input, rules) = (scratch.path("input.ssa"), scratch.path("extra.rules"));
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a device that is full");
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_planish"));
        command
            .args(args)
            .stderr(full())
            .stdout(std::process::Stdio::null())
            .status()
            .expect("it runs")
            .code()
    };
    assert_eq!(run(&["opt", "--stats", "--explain", "--rules", &rules, "--unproved", &input]), Some(0));
    assert_eq!(run(&["run", "--count", &input, "3"]), Some(0));
    assert_eq!(run(&["opt", "no-such-file.ssa"]), Some(1));
    // A result that cannot be written is a failure of the command.
    let status = Command::new(env!("CARGO_BIN_EXE_planish")).args(["opt", &input]).stdout(full()).status();
    assert_eq!(status.expect("it runs").code(), Some(1));
}

/// Long lines, deep nesting, many errors: a message in bounded time, nothing written.
#[test]
fn endless_texts_are_refused_like_short_ones() {
    let scratch = Scratch::new("endless", "");
    let texts = [
        ("deep.rvsdg", "(".repeat(2_000_000)),
        ("deep.ssa", "(".repeat(2_000_000)),
        ("deep.trace", "[".repeat(2_000_000)),
        ("deep.tac", "-> ".repeat(700_000)),
        ("many.rvsdg", "(+ ?x)\n".repeat(200_000)),
        ("many.ssa", "v0 = ad(1)\n".repeat(100_000)),
        ("many.trace", format!("[i0]\n{}", "i1 = int_add(i9)\n".repeat(100_000))),
        ("many.tac", "foo x -> y\n".repeat(200_000)),
        ("open.log", "[1a] {jit-log-noopt\n[i0]\n".repeat(50_000) + "i1 = int_add("),
        ("zero.ssa", "\0".repeat(100_000)),
    ];
    for (name, text) in texts {
        std::fs::write(scratch.path(name), text).expect("a file");
        // Ten seconds of the processor's time, whatever else it does.
        let (path, out) = (scratch.path(name), scratch.path("out"));
        // Of a log only the trace is left out that cannot be read.
        let args = match name.ends_with(".log") {
            true => vec!["check", &path],
            false => vec!["opt", &path, "-o", &out],
        };
        let output = Command::new("sh")
            .args(["-c", "ulimit -t 10; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_planish")])
            .args(args)
            .output()
            .expect("the command runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{name}: {said}");
        assert!(said.contains(&format!("{name}:")), "{name}: {said}");
        assert!(said.len() < 200_000, "{name}: {} bytes of messages", said.len());
    }
    assert!(!Path::new(&scratch.path("out")).exists());
}

#[test]
fn running_prints_a_result_a_line() {
    let scratch = Scratch::new("run", "v0 = getarg(0)\nv1 = add(v0, 1)\nv2 = mul(v0, v0)\n");
    let output = planish(&["run", &scratch.path("input.ssa"), "-5"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "-4\n25\n");
    assert_eq!(planish(&["run", &scratch.path("input.ssa")]).status.code(), Some(2));
    assert_eq!(planish(&["run", &scratch.path("input.ssa"), "x"]).status.code(), Some(2));
    // A Bril program begins with `main`, and another function of it has to be named.
    let bril = scratch.path("f.bril");
    std::fs::write(&bril, "@f(n: int): int {\n  x: int = add n n;\n  ret x;\n}\n").expect("a file");
    let output = planish(&["run", &bril, "3"]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("a run of a Bril program begins with `main`, which is not there"), "{said}");
    let output = planish(&["run", &bril, "--function", "f", "3"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "6\n");
}

#[test]
fn validation_tells_equal_programs_from_different_ones() {
    let scratch = Scratch::new("validate", "v0 = getarg(0)\nv1 = mul(v0, 2)\n");
    std::fs::write(scratch.path("same.ssa"), "v0 = getarg(0)\nv1 = add(v0, v0)\n").expect("a file");
    std::fs::write(scratch.path("other.ssa"), "v0 = getarg(0)\nv1 = lshift(v0, 2)\n").expect("a file");
    let compare = |other| planish(&["validate", &scratch.path("input.ssa"), &scratch.path(other)]);
    let same = compare("same.ssa");
    assert_eq!((same.status.code(), same.stdout.as_slice()), (Some(0), b"proved\n".as_slice()));
    let different = compare("other.ssa");
    assert_eq!((different.status.code(), different.stdout.starts_with(b"different")), (Some(1), true));
}

/// Functions in regions have no names: a choice among three of which one is never taken is one between two.
#[test]
fn validation_compares_functions_by_what_they_do() {
    let function = |body: &str| format!("(func-1-inputs-1-outputs {body})");
    let [square, twice, next] = ["(* get-0 get-0)", "(+ get-0 get-0)", "(+ get-0 1)"].map(function);
    let two = |one: &str, other: &str| {
        format!("(func-1-inputs-1-outputs (get-0 (switch-2-cases-1-outputs (& get-0 1) {one} {other})))\n")
    };
    let three = format!(
        "(func-1-inputs-1-outputs (get-0 (switch-3-cases-1-outputs (+ (& get-0 1) 1) {next} {square} {twice})))\n"
    );
    let scratch = Scratch::new("functions", "");
    let compare = |before: &str, after: &str| {
        let files = [scratch.path("before.rvsdg"), scratch.path("after.rvsdg")];
        std::fs::write(&files[0], before).expect("a file");
        std::fs::write(&files[1], after).expect("a file");
        let output = planish(&["validate", &files[0], &files[1]]);
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    assert_eq!(compare(&three, &two(&square, &twice)), (Some(0), "tested on 200 inputs\n".into()));
    let (status, told) = compare(&three, &two(&twice, &square));
    assert!(status == Some(1) && told.contains(" instead of f"), "{told}");
    // The same text of other functions.
    assert_eq!(compare(&two(&square, &twice), &two(&square, &next)).0, Some(1));
}

/// A loop, and a bridge that goes on in it.
const GOES_ON: &str = "\
#! section around
[i0, i1, p2]
label(i0, i1, p2, descr=TargetToken(3))
i3 = int_sub(i0, 1)
i4 = int_gt(i3, 0)
guard_true(i4) [i1]
i5 = int_add(i1, i0)
jump(i3, i5, p2, descr=TargetToken(3))
#! section side
[p0]
jump(4, 7, p0, descr=TargetToken(3))
";

/// Each trace alone is as good as it was: only who goes on from one into the other sees that two values are exchanged.
#[test]
fn validation_runs_on_from_one_trace_into_the_next() {
    let scratch = Scratch::new("goes-on", "");
    let (before, after) = (scratch.path("before.trace"), scratch.path("after.trace"));
    std::fs::write(&before, GOES_ON).expect("a file");
    let exchanged = GOES_ON.replace("label(i0, i1,", "label(i1, i0,").replace("jump(i3, i5,", "jump(i5, i3,");
    std::fs::write(&after, &exchanged).expect("a file");
    let output = planish(&["validate", &before, &after]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.code() == Some(1) && text.contains("function side"), "{text}");
    std::fs::write(&after, exchanged.replace("jump(4, 7,", "jump(7, 4,")).expect("a file");
    let output = planish(&["validate", &before, &after]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    let output = planish(&["opt", "--validate", "run", &before]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn jumps_are_held_against_the_labels_of_all_files_that_are_given() {
    let scratch = Scratch::new("labels", "");
    let (looping, bridge) = (scratch.path("loop.trace"), scratch.path("bridge.trace"));
    std::fs::write(&looping, "[p0, i1]\nlabel(p0, i1, descr=T)\njump(p0, i1, descr=T)\n").expect("a file");
    std::fs::write(&bridge, "[p0]\njump(p0, p0, descr=T)\n").expect("a file");
    assert_eq!(planish(&["check", &bridge]).status.code(), Some(0), "the label is not there");
    let output = planish(&["check", &looping, &bridge]);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1));
    assert!(message.contains("`T` takes an integer here, not a reference"), "{message}");
    assert!(message.contains("bridge.trace:2:10") && message.contains("loop.trace:2: label("), "{message}");
}

#[test]
fn an_optimized_program_is_proved_before_it_is_written() {
    let scratch = Scratch::new("validate-prove", "v0 = getarg(0)\nv1 = mul(v0, 8)\nv2 = sub(v1, v1)\n");
    let input = scratch.path("input.ssa");
    let opt = |more: &[&str]| {
        planish(&[&["opt", &input, "--validate", "prove", "--solver", "builtin"], more].concat())
    };
    let good = opt(&[]);
    assert_eq!(good.status.code(), Some(0), "{}", String::from_utf8_lossy(&good.stderr));
    assert!(good.stderr.starts_with(b"proved\n") && !good.stdout.is_empty());
    let log = planish(&["opt", "missing.class", "--validate", "prove"]);
    assert_eq!(log.status.code(), Some(2));
}

#[test]
fn a_wrong_rule_is_caught_by_validation_and_found_by_bisection() {
    let scratch =
        Scratch::new("bisect", "v0 = getarg(0)\nv1 = add(v0, 0)\nv2 = add(v1, 7)\nv3 = mul(v2, 3)\n");
    // Its target is no sum: applied once more, one that is would be right again.
    std::fs::write(scratch.path("wrong.rules"), "wrong: add(x, y) => sub(y, x)\n").expect("a file");
    let (input, rules) = (scratch.path("input.ssa"), scratch.path("wrong.rules"));
    let output = planish(&["opt", &input, "--rules", &rules, "--unproved", "--validate", "run"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty(), "nothing is written");
    let found = planish(&["bisect", "validate", "--rules", &rules, "--unproved", "--", &input]);
    let found = String::from_utf8_lossy(&found.stdout).into_owned();
    assert!(
        found.starts_with("rewrite ")
            && found.contains(" in pass ")
            && found.contains("main:3: add -> sub  [rewrite: rule wrong ("),
        "{found}"
    );
    let by_command = planish(&["bisect", "grep -qv sub", "--rules", &rules, "--unproved", "--", &input]);
    assert_eq!(by_command.status.code(), Some(1), "the check never fails: grep -v finds another line");
}

/// A program that shows a wrong rule somewhere in the middle, and what is left of it.
#[test]
fn a_failing_program_is_reduced_to_what_fails() {
    let scratch = Scratch::new(
        "reduce",
        "location @C.x: i64 signed class 1\nfunc f(v0: i64, v1: i64, v2: ref) -> i64, i64 {\nentry:\n    \
         v3 = mul(v0, 3)\n    v4: i1 = lt(v3, v1)\n    branch v4, left, right(v3)\nleft:\n    \
         v5 = add(v1, 7)\n    v6 = sub(v5, v3)\n    jump right(v6)\nright(v7: i64):\n    v8 = xor(v7, v0)\n    \
         v9: i64 = get_field(v2) @C.x\n    return v8, v9\n}\n",
    );
    std::fs::write(scratch.path("wrong.rules"), "wrong: xor(x, y) => or(x, y)\n").expect("a file");
    let (input, rules) = (scratch.path("input.ssa"), scratch.path("wrong.rules"));
    let output = planish(&["reduce", "validate", "--rules", &rules, "--unproved", "--", &input]);
    let expected = "func f(v0: i64) -> i64 {\nentry:\n    v1 = xor(1, v0)\n    return v1\n}\n";
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        expected,
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    // By a command: what fails is that there is a product.
    let output = planish(&["reduce", "! grep -q mul", &input]);
    let product = "func f() {\nentry:\n    v0 = mul(0, 0)\n    return\n}\n";
    assert_eq!(String::from_utf8_lossy(&output.stdout), product);
    let good = planish(&["reduce", "validate", &input]);
    assert_eq!(good.status.code(), Some(1), "nothing fails without the wrong rule");
}

#[test]
fn traces_are_reduced_line_by_line() {
    let scratch = Scratch::new("reduce-trace", "");
    let trace = "[i0, i1, p0]\ni2 = int_add(i0, i1)\nguard_true(i2) [i0, p0, i2]\ni3 = int_xor(i2, i1)\n\
                 i4 = int_sub(i3, 1)\nguard_false(i4) [i3, i4, p0]\njump(i4, i3, p0)\n";
    std::fs::write(scratch.path("input.trace"), trace).expect("a file");
    std::fs::write(scratch.path("wrong.rules"), "wrong: xor(x, y) => or(x, y)\n").expect("a file");
    let (input, rules) = (scratch.path("input.trace"), scratch.path("wrong.rules"));
    let output = planish(&["reduce", "validate", "--rules", &rules, "--unproved", "--", &input]);
    let small = String::from_utf8_lossy(&output.stdout);
    assert!(small.contains("int_xor(") && small.lines().count() <= 4, "{small}");
}

/// S1.11: the prefix of names is a parameter of the command.
#[test]
fn values_are_written_with_a_prefix() {
    let scratch = Scratch::new("prefix", "a = getarg(0)\nb = add(5, a)\n");
    let input = scratch.path("input.ssa");
    let optimized = planish(&["opt", "--prefix", "optvar", &input]);
    assert_eq!(optimized.stdout, b"optvar0 = getarg(0)\noptvar1 = add(5, optvar0)\n");
    let converted = planish(&["convert", "--to", "ssa", "--prefix", "x_", &input]);
    assert_eq!(converted.stdout, b"x_0 = getarg(0)\nx_1 = add(5, x_0)\n");
    for refused in
        [&["--prefix", "1"][..], &["--prefix", "i"], &["--prefix", "x", "--to", "tac"], &["--prefix", "a b"]]
    {
        let output = planish(&[&["opt", input.as_str()], refused].concat());
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{refused:?}");
    }
}

/// Whatever it is about, it can be read without scrolling, and nothing in it is about nothing.
#[test]
fn statistics_fit_a_screen() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let scratch = Scratch::new("screen", "");
    let out = scratch.path("out");
    let jar = scratch.path("out.jar");
    for (input, out) in [
        (format!("{root}/examples/blend.ssa"), &out),
        (format!("{root}/examples/logs/checksum.log"), &out),
        (format!("{root}/examples/strawman"), &jar),
    ] {
        let output = planish(&["opt", "--stats", "--extended", &input, "-o", out]);
        let text = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(output.status.code(), Some(0), "{text}");
        assert!((5..=40).contains(&text.lines().count()), "{input}:\n{text}");
        let zero = text.lines().find(|line| line.split_whitespace().next() == Some("0"));
        assert_eq!(zero, None, "{text}");
    }
}
