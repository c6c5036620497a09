//! The command as a person meets it: exit status, messages, files.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn planish(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_planish")).args(args).output().expect("the command runs")
}

/// A file of its own for a test, gone when the test is.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, content: &str) -> Self {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&directory).expect("a directory");
        let path = directory.join("input.ssa");
        std::fs::write(&path, content).expect("a file");
        Scratch(directory)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A directory that is left behind is no failure of a test.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

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
    assert_eq!(planish(&["opt", "a.unknown"]).status.code(), Some(2));
    assert_eq!(planish(&["opt", "there-is-no-such-file.ssa"]).status.code(), Some(1));
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
fn every_command_has_help() {
    for command in ["opt", "run", "check", "convert", "validate", "bisect", "completions", "man"] {
        let output = planish(&[command, "--help"]);
        assert_eq!(output.status.code(), Some(0));
        assert!(String::from_utf8_lossy(&output.stdout).contains("Usage: planish"), "{command}");
    }
}

#[test]
fn running_prints_a_result_a_line() {
    let scratch = Scratch::new("run", "v0 = getarg(0)\nv1 = add(v0, 1)\nv2 = mul(v0, v0)\n");
    let output = planish(&["run", &scratch.path("input.ssa"), "-5"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "-4\n25\n");
    assert_eq!(planish(&["run", &scratch.path("input.ssa")]).status.code(), Some(2));
    assert_eq!(planish(&["run", &scratch.path("input.ssa"), "x"]).status.code(), Some(2));
}

#[test]
fn validation_tells_equal_programs_from_different_ones() {
    let scratch = Scratch::new("validate", "v0 = getarg(0)\nv1 = mul(v0, 2)\n");
    std::fs::write(scratch.path("same.ssa"), "v0 = getarg(0)\nv1 = add(v0, v0)\n").expect("a file");
    std::fs::write(scratch.path("other.ssa"), "v0 = getarg(0)\nv1 = lshift(v0, 2)\n").expect("a file");
    let compare = |other| planish(&["validate", &scratch.path("input.ssa"), &scratch.path(other)]);
    let same = compare("same.ssa");
    assert_eq!((same.status.code(), same.stdout.starts_with(b"tested on 200 inputs")), (Some(0), true));
    let different = compare("other.ssa");
    assert_eq!((different.status.code(), different.stdout.starts_with(b"different")), (Some(1), true));
}

#[test]
fn a_wrong_rule_is_caught_by_validation_and_found_by_bisection() {
    let scratch =
        Scratch::new("bisect", "v0 = getarg(0)\nv1 = add(v0, 0)\nv2 = add(v1, 7)\nv3 = mul(v2, 3)\n");
    std::fs::write(scratch.path("wrong.rules"), "wrong: add(x, y) => sub(x, y)\n").expect("a file");
    let (input, rules) = (scratch.path("input.ssa"), scratch.path("wrong.rules"));
    let output = planish(&["opt", &input, "--rules", &rules, "--validate", "run"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty(), "nothing is written");
    let found = planish(&["bisect", "validate", "--rules", &rules, "--", &input]);
    let found = String::from_utf8_lossy(&found.stdout).into_owned();
    assert!(found.starts_with("rewrite ") && found.contains("main:3: add -> sub  [rule wrong ("), "{found}");
    let by_command = planish(&["bisect", "grep -qv sub", "--rules", &rules, "--", &input]);
    assert_eq!(by_command.status.code(), Some(1), "the check never fails: grep -v finds another line");
}
