//! The example of a tracing JIT: its three ways of running a program give one result, and optimizing makes traces
//! shorter.

use std::process::Command;

#[test]
fn the_toy_jit_agrees_with_its_interpreter_and_its_traces_get_shorter() {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = Command::new(cargo)
        .args(["run", "--quiet", "--offline", "--example", "toy_jit"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    // The example itself asserts that the results are equal.
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    let operations = |name: &str| -> u32 {
        let line = text.lines().find(|line| line.starts_with(name)).expect("a line for each way");
        let words: Vec<&str> = line.split_whitespace().collect();
        words[words.len() - 2].parse().expect("a number of operations")
    };
    let (recorded, optimized) = (operations("traces, as recorded"), operations("traces, optimized"));
    assert!(optimized * 3 < recorded * 2, "{text}");
}
