//! Output files on bad days: named twice, interrupted, with modes, links and long names.

#![cfg(unix)]

mod common;

use std::fs;
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;

use common::{Scratch, planish};

const GOOD: &str = "v0 = getarg(0)\nv1 = add(v0, 0)\nv2 = add(v1, v0)\n";
const RESULT: &str = "v0 = getarg(0)\nv1 = lshift(v0, 1)\n";

/// The names of the files in a directory, in order.
fn names(scratch: &Scratch) -> Vec<String> {
    let entries = fs::read_dir(&scratch.0).expect("a directory");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Runs the command, which must refuse to begin, and says why.
fn refused(args: &[&str]) -> String {
    let output = planish(args);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {output:?}");
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).expect("UTF-8")
}

#[test]
fn an_output_is_no_other_file_of_the_command() {
    let scratch = Scratch::new("outputs-twice", GOOD);
    let path = |name: &str| scratch.path(name);
    let input = path("input.ssa");
    fs::write(path("old"), "old").expect("a file");
    fs::hard_link(path("old"), path("hard")).expect("a link");
    symlink("new", path("soft")).expect("a link");
    symlink(&scratch.0, path("again")).expect("a link");
    let cases: [(&[&str], &str); 7] = [
        (&["--remarks", &path("x"), "-o", &path("x")], "-o: "),
        (&["--remarks", &path("old"), "--report", &path("hard"), "-o", &path("x")], "--report: "),
        (&["--remarks", &path("new"), "-o", &path("soft")], "what --remarks writes to"),
        (&["--remarks", &path("again/x"), "-o", &path("./x")], "what --remarks writes to"),
        (&["-o", &path("again/input.ssa")], "is the input "),
        (&["--report", &input, "-o", &path("x")], "--report: "),
        (&["--remarks", "-"], "standard output is what --remarks writes to"),
    ];
    for (args, why) in cases {
        let said = refused(&[&["opt", &input], args].concat());
        assert!(said.contains(why) && said.contains("say another file"), "{args:?}: {said}");
    }
    assert_eq!(fs::read_to_string(&input).expect("the input"), GOOD);
    let dot = path("power.dot");
    assert!(refused(&["convert", &input, "--to", "ssa", "--dot", &dot, "-o", &dot]).contains("--dot"));
    assert!(refused(&["reduce", "validate", "-o", &input, "--", &input]).contains("is the input"));
    // Nothing was read or written; a device takes everything.
    assert_eq!(names(&scratch), ["again", "hard", "input.ssa", "old", "soft"]);
    let both =
        planish(&["opt", &input, "--remarks", "/dev/null", "--report", "/dev/null", "-o", "/dev/null"]);
    assert_eq!(both.status.code(), Some(0), "{both:?}");
}

#[test]
fn the_files_of_a_program_of_classes_are_told_apart() {
    let scratch = Scratch::new("outputs-classes", "");
    let path = |name: &str| scratch.path(name);
    fs::create_dir(path("classes")).expect("a directory");
    fs::write(path("classes/old.jar"), "").expect("a file");
    fs::write(path("a.jar"), "").expect("a file");
    fs::write(path("a.pro"), "-keep class A\n-printseeds out.jar\n").expect("a file");
    let directory = format!("{}/", scratch.0.display());
    let (a, classes, out) = (path("a.jar"), path("classes"), path("out.jar"));
    let cases: [(&[&str], &str); 6] = [
        (&["opt", &a, "-o", &path("./a.jar")], "is the input"),
        (&["opt", &a, "-o", &directory], "is the input"),
        (&["opt", &classes, "-o", &path("classes/old.jar")], "is a file of the input"),
        (&["opt", &a, "-o", &out, "--keep", &path("a.pro")], "what -printseeds writes to"),
        (&["opt", &classes, "-o", &out, "--removed", &out], "what --removed writes to"),
        (&["opt", &classes, "-o", &out, "--library", &a, "--removed", &a], "is the input"),
    ];
    for (args, why) in cases {
        let said = refused(args);
        assert!(said.contains(why), "{args:?}: {said}");
    }
    for command in ["summarize", "mine"] {
        assert!(refused(&[command, &a, "-o", &a]).contains("is the input"));
    }
}

#[test]
fn standard_output_that_is_closed_is_an_error() {
    let scratch = Scratch::new("outputs-closed", GOOD);
    let run = |redirected: &str| {
        let line = format!("\"$0\" opt \"$1\" {redirected}");
        let mut shell = Command::new("sh");
        shell.args(["-c", &line, env!("CARGO_BIN_EXE_planish"), &scratch.path("input.ssa")]);
        shell.output().expect("the shell runs")
    };
    let closed = run(">&-");
    assert_eq!(closed.status.code(), Some(1), "{closed:?}");
    assert!(String::from_utf8_lossy(&closed.stderr).contains("standard output: it is closed"));
    for open in [">/dev/null", "<>/dev/null >&0", "<&-"] {
        assert_eq!(run(open).status.code(), Some(0), "{open}");
    }
}

#[test]
fn help_and_lists_that_are_lost_are_an_error() {
    let status = |arguments: &str, redirected: &str| {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("\"$0\" {arguments} {redirected}"), env!("CARGO_BIN_EXE_planish")]);
        let output = shell.output().expect("the shell runs");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for arguments in ["--help", "prove --help", "help validate", "--version", "completions bash", "passes"] {
        for lost in [">&-", ">/dev/full"] {
            let (code, said) = status(arguments, lost);
            assert_eq!(code, Some(1), "{arguments} {lost}: {said}");
            assert!(said.contains("standard output: "), "{arguments} {lost}: {said}");
        }
        assert_eq!(status(arguments, ">/dev/null").0, Some(0), "{arguments}");
    }
    assert_eq!(status("prove --hlep", ">&-").0, Some(2));
}

#[test]
fn a_file_that_is_replaced_keeps_its_mode() {
    let scratch = Scratch::new("outputs-mode", GOOD);
    let out = scratch.path("out.ssa");
    for mode in [0o640, 0o600, 0o755, 0o444] {
        let _ = fs::remove_file(&out);
        fs::write(&out, "old").expect("a file");
        fs::set_permissions(&out, fs::Permissions::from_mode(mode)).expect("a mode");
        assert_eq!(planish(&["opt", &scratch.path("input.ssa"), "-o", &out]).status.code(), Some(0));
        assert_eq!(fs::read_to_string(&out).expect("it is there"), RESULT);
        assert_eq!(fs::metadata(&out).expect("it is there").permissions().mode() & 0o777, mode);
    }
}

#[test]
fn what_a_link_leads_to_is_written_be_it_there_or_not() {
    let scratch = Scratch::new("outputs-links", GOOD);
    let path = |name: &str| scratch.path(name);
    fs::create_dir(path("below")).expect("a directory");
    symlink("second", path("first")).expect("a link");
    symlink("below/target.ssa", path("second")).expect("a link");
    symlink("two", path("one")).expect("a link");
    symlink("one", path("two")).expect("a link");
    for _ in 0..2 {
        assert_eq!(planish(&["opt", &path("input.ssa"), "-o", &path("first")]).status.code(), Some(0));
        assert!(fs::symlink_metadata(path("first")).expect("it is there").is_symlink());
        assert!(fs::symlink_metadata(path("second")).expect("it is there").is_symlink());
        assert_eq!(fs::read_to_string(path("below/target.ssa")).expect("it is there"), RESULT);
    }
    let round = planish(&["opt", &path("input.ssa"), "-o", &path("one")]);
    assert_eq!(round.status.code(), Some(1), "{round:?}");
}

#[test]
fn a_name_may_be_as_long_as_the_file_system_allows() {
    let scratch = Scratch::new("outputs-names", GOOD);
    for length in [240, 246, 255] {
        let name = format!("{}.ssa", "n".repeat(length - 4));
        assert_eq!(
            planish(&["opt", &scratch.path("input.ssa"), "-o", &scratch.path(&name)]).status.code(),
            Some(0),
            "{length}"
        );
        assert_eq!(fs::read_to_string(scratch.path(&name)).expect("it is there"), RESULT);
    }
}

#[test]
fn what_a_process_left_that_died_is_removed_and_what_one_writes_is_not() {
    let scratch = Scratch::new("outputs-left", GOOD);
    fs::write(scratch.path(".planish-77-0.tmp"), "left").expect("a file");
    fs::write(scratch.path(".planish-notes.txt"), "of somebody else").expect("a file");
    let writing = fs::File::create(scratch.path(".planish-78-0.tmp")).expect("a file");
    writing.lock().expect("a lock");
    assert_eq!(
        planish(&["opt", &scratch.path("input.ssa"), "-o", &scratch.path("out.ssa")]).status.code(),
        Some(0)
    );
    assert_eq!(names(&scratch), [".planish-78-0.tmp", ".planish-notes.txt", "input.ssa", "out.ssa"]);
}

#[test]
fn several_runs_on_one_output_leave_the_whole_result_of_one() {
    let scratch = Scratch::new("outputs-at-once", GOOD);
    let runs: Vec<_> = (0..12)
        .map(|_| {
            let mut run = Command::new(env!("CARGO_BIN_EXE_planish"));
            run.args(["opt", &scratch.path("input.ssa"), "-o", &scratch.path("out.ssa")]).spawn()
        })
        .collect();
    for run in runs {
        assert!(run.expect("it starts").wait().expect("it ends").success());
    }
    assert_eq!(fs::read_to_string(scratch.path("out.ssa")).expect("it is there"), RESULT);
    assert_eq!(names(&scratch), ["input.ssa", "out.ssa"]);
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_text() {
    let scratch = Scratch::new("outputs-mark", &format!("\u{feff}{GOOD}"));
    let output = planish(&["opt", &scratch.path("input.ssa")]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), RESULT, "{output:?}");
    fs::write(scratch.path("arguments"), format!("\u{feff}{}\n", scratch.path("input.ssa"))).expect("a file");
    assert_eq!(planish(&["opt", &format!("@{}", scratch.path("arguments"))]).stdout, RESULT.as_bytes());
    let mut other = fs::File::create(scratch.path("input.tac")).expect("a file");
    other.write_all("\u{feff}function -> x\nreturn x\n".as_bytes()).expect("it is written");
    assert_eq!(planish(&["check", &scratch.path("input.tac")]).status.code(), Some(0));
}

#[cfg(target_os = "linux")]
#[test]
fn names_do_not_steer_a_terminal() {
    let name = "missing\u{1b}[31m\u{202e}.ssa";
    // `script` runs a command on a terminal of its own, and prints what that shows.
    let line = format!("'{}' check '{name}'", env!("CARGO_BIN_EXE_planish"));
    let shown = Command::new("script").args(["-qec", &line, "/dev/null"]).output().expect("script runs");
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(shown.contains("missing\\u{1b}[31m\\u{202e}.ssa: "), "{shown:?}");
    assert!(!shown.contains(['\u{1b}', '\u{202e}']), "{shown:?}");
    // Other readers get what is there.
    let piped = String::from_utf8(planish(&["check", name]).stderr).expect("UTF-8");
    assert!(piped.starts_with(&format!("error: {name}")), "{piped:?}");
}

/// A log that comes through a pipe, or goes through one, is what it is as a file.
#[test]
fn logs_go_through_pipes() {
    let scratch = Scratch::new("pipes", "");
    let log = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/logs/checksum.log");
    let file = scratch.path("out.log");
    let output = planish(&["opt", log, "-o", &file]);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let expected = fs::read(&file).expect("a log");
    assert!(planish(&["opt", log]).stdout == expected);
    let piped = Command::new(env!("CARGO_BIN_EXE_planish"))
        .args(["opt", "-", "--from", "pypylog"])
        .stdin(fs::File::open(log).expect("the log"))
        .output()
        .expect("the command runs");
    assert!(piped.status.success() && piped.stdout == expected);
    // What is refused touches nothing.
    let broken = scratch.path("broken.trace");
    fs::write(&broken, "[i0]\ni1 = int_ad(i0, 1)\nfinish(i1)\n").expect("a file");
    let output = planish(&["opt", &broken, "--to", "pypylog", "-o", &file]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(1) && said.contains("broken.trace:"), "{said}");
    assert!(fs::read(&file).expect("it stays") == expected);
    assert_eq!(names(&scratch), ["broken.trace", "input.ssa", "out.log"]);
}

#[test]
fn the_e_graphs_of_a_log_are_written() {
    let scratch = Scratch::new("e-graphs-of-a-log", "");
    let (dump, out) = (scratch.path("graph.json"), scratch.path("out.log"));
    let log = format!("{}/../../examples/logs/checksum.log", env!("CARGO_MANIFEST_DIR"));
    let output = planish(&["opt", &log, "--engine", "egraph", "--dump-egraph", &dump, "-o", &out]);
    assert!(output.status.success(), "{output:?}");
    assert!(fs::read_to_string(&dump).expect("it is written").contains("\"trace0/0\""));
}

/// A limit on the size of files comes with a signal that would end the command without a word.
#[test]
fn a_file_that_may_not_be_as_large_is_an_error_and_nothing_is_left() {
    let scratch = Scratch::new("file_limit", "");
    let program: String = (0..2_000).map(|n| format!("v{n} = getarg({n})\n")).collect();
    fs::write(scratch.path("large.ssa"), program).expect("scratch can be written");
    let before = names(&scratch);
    let output = Command::new("sh")
        .args(["-c", "ulimit -f 8; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_planish"), "convert"])
        .args([&scratch.path("large.ssa"), "--to", "ssa", "-o", &scratch.path("out.ssa")])
        .output()
        .expect("a shell");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && said.contains("File too large"), "{output:?}");
    assert_eq!(names(&scratch), before);
}

#[test]
fn remarks_that_cannot_be_written_leave_no_output() {
    let scratch = Scratch::new("remarks-of-a-log", "");
    let out = scratch.path("out.log");
    let log = format!("{}/../../examples/logs/checksum.log", env!("CARGO_MANIFEST_DIR"));
    let output = planish(&["opt", &log, "--remarks", "/dev/full", "-o", &out]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(1) && said.contains("/dev/full: No space left"), "{said}");
    assert!(!Path::new(&out).exists() && !names(&scratch).iter().any(|name| name.starts_with(".planish")));
}
