//! The worker of builds, as a build meets it: lines of JSON in, lines of JSON out.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

/// A directory of a test's own.
fn scratch(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("worker").join(name);
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).expect("a directory");
    directory
}

/// What a worker answers to lines, one after the other.
fn answers(directory: &Path, start: &[&str], lines: &[String]) -> Vec<Value> {
    let mut worker = Command::new(env!("CARGO_BIN_EXE_planish"))
        .args(start)
        .arg("--persistent_worker")
        .current_dir(directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the worker starts");
    let mut requests = worker.stdin.take().expect("a pipe");
    for line in lines {
        writeln!(requests, "{line}").expect("the worker reads");
    }
    drop(requests);
    let output = worker.wait_with_output().expect("the worker ends");
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("an answer is JSON")).collect()
}

#[test]
fn each_request_is_a_command_of_its_own() {
    let directory = scratch("each");
    std::fs::write(directory.join("a.ssa"), "v0 = getarg(0)\nv1 = add(v0, 0)\nv2 = add(v1, v0)\n")
        .expect("a file");
    std::fs::write(directory.join("b.ssa"), "v0 = getarg(0)\nv1 = ad(v0, 0)\n").expect("a file");
    let lines = [
        json!({ "arguments": ["a.ssa", "-o", "x.ssa"], "inputs": [{ "path": "a.ssa", "digest": "AA==" }] }),
        json!({ "arguments": ["b.ssa", "-o", "y.ssa"], "requestId": 7 }),
        json!({ "arguments": ["a.ssa"], "requestId": 8, "verbosity": 10 }),
        json!({ "arguments": ["--no-such-flag"], "requestId": 9 }),
        json!({ "arguments": ["-", "--from", "ssa"], "requestId": 10 }),
        json!({ "requestId": 8, "cancel": true }),
    ];
    let found = answers(&directory, &["opt"], &lines.map(|line| line.to_string()));
    assert_eq!(found.len(), 6);
    assert_eq!(found[0], json!({ "exitCode": 0, "output": "", "requestId": 0 }));
    let optimized = std::fs::read_to_string(directory.join("x.ssa")).expect("the output");
    assert_eq!(optimized.lines().count(), 2);
    // A wrong program is the answer's business, and leaves nothing behind.
    assert_eq!((&found[1]["exitCode"], &found[1]["requestId"]), (&json!(1), &json!(7)));
    let said = found[1]["output"].as_str().expect("text");
    assert!(said.contains("unknown operation `ad`") && said.contains("b.ssa:2:6"), "{said}");
    assert!(!directory.join("y.ssa").exists());
    // A result without a file is part of the answer, for standard output carries answers only.
    assert_eq!(found[2], json!({ "exitCode": 0, "output": optimized, "requestId": 8 }));
    assert_eq!((&found[3]["exitCode"], &found[3]["requestId"]), (&json!(2), &json!(9)));
    let said = found[4]["output"].as_str().expect("text");
    assert!(said.contains("standard input belongs to the build"), "{said}");
    assert_eq!(found[5], json!({ "wasCancelled": true, "requestId": 8 }));
}

#[test]
fn what_is_no_request_is_answered_and_the_worker_goes_on() {
    let directory = scratch("wrong");
    let lines = [
        "{".to_owned(),
        json!({ "arguments": "a.ssa", "requestId": 1 }).to_string(),
        json!({ "arguments": [3], "requestId": 2 }).to_string(),
        json!({ "arguments": [], "sandboxDir": "box", "requestId": 3 }).to_string(),
        String::new(),
        json!({ "arguments": ["rules", "show", "add_consts"], "requestId": 4 }).to_string(),
    ];
    let found = answers(&directory, &[], &lines);
    assert_eq!(found.len(), 5);
    for (answer, message) in found.iter().zip(["no request", "list of strings", "is a string", "sandbox"]) {
        assert_eq!(answer["exitCode"], json!(2));
        assert!(answer["output"].as_str().expect("text").contains(message), "{answer}");
    }
    assert_eq!(found[4]["exitCode"], json!(0));
    assert!(found[4]["output"].as_str().expect("text").contains("add(add(x, C1), C2)"), "{}", found[4]);
}

#[test]
fn a_build_without_workers_gives_the_arguments_in_a_file() {
    let directory = scratch("file");
    std::fs::write(directory.join("a.ssa"), "v0 = getarg(0)\nv1 = add(v0, 0)\nv2 = add(v1, v0)\n")
        .expect("a file");
    std::fs::write(directory.join("arguments"), "a.ssa\n-o\nwith space.ssa\n").expect("a file");
    let run = |last: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_planish"));
        command.args(["opt", last]).current_dir(&directory).output().expect("the command runs")
    };
    assert_eq!(run("@arguments").status.code(), Some(0));
    assert!(directory.join("with space.ssa").exists());
    let missing = run("@missing");
    assert_eq!(missing.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&missing.stderr).starts_with("error: missing: "));
}

#[cfg(target_os = "linux")]
#[test]
fn a_request_whose_process_dies_is_answered_and_so_is_the_next() {
    use std::io::{BufRead, BufReader};
    let directory = scratch("dies");
    std::fs::write(directory.join("a.ssa"), "v0 = getarg(0)\n").expect("a file");
    let made = Command::new("mkfifo").arg(directory.join("pipe.ssa")).status().expect("mkfifo runs");
    assert!(made.success());
    let mut worker = Command::new(env!("CARGO_BIN_EXE_planish"))
        .args(["opt", "--persistent_worker"])
        .current_dir(&directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the worker starts");
    let mut requests = worker.stdin.take().expect("a pipe");
    let mut answers = BufReader::new(worker.stdout.take().expect("a pipe")).lines();
    let mut ask = |arguments: Value, number: u32| {
        writeln!(requests, "{}", json!({ "arguments": arguments, "requestId": number })).expect("it reads");
    };
    let mut next = || -> Value {
        let line = answers.next().expect("an answer").expect("a line");
        serde_json::from_str(&line).expect("JSON")
    };
    for round in 0..2 {
        ask(json!(["pipe.ssa"]), 2 * round + 1);
        // The request is under way as soon as its input is read.
        let pipe =
            std::fs::OpenOptions::new().write(true).open(directory.join("pipe.ssa")).expect("a reader");
        let children = children(worker.id());
        let [child] = &children[..] else { panic!("one process does the work, not {children:?}") };
        assert!(Command::new("kill").args(["-KILL", child]).status().expect("kill runs").success());
        let answer = next();
        drop(pipe);
        assert_eq!((&answer["exitCode"], &answer["requestId"]), (&json!(101), &json!(2 * round + 1)));
        let said = answer["output"].as_str().expect("text");
        assert!(said.contains("planish died of this request (signal: 9"), "{said}");
        ask(json!(["a.ssa"]), 2 * round + 2);
        assert_eq!(
            next(),
            json!({ "exitCode": 0, "output": "v0 = getarg(0)\n", "requestId": 2 * round + 2 })
        );
    }
    drop(requests);
    assert!(worker.wait().expect("it ends").success());
}

/// The processes that any thread of a process began.
#[cfg(target_os = "linux")]
fn children(process: u32) -> Vec<String> {
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).expect("threads");
    let of = |thread: std::fs::DirEntry| std::fs::read_to_string(thread.path().join("children"));
    let lists: Vec<String> = threads.flatten().filter_map(|thread| of(thread).ok()).collect();
    lists.iter().flat_map(|list| list.split_whitespace()).map(str::to_owned).collect()
}
