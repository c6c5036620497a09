//! A machine without a JDK: what JDK classes extend is taken from the summary that the command brings along.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs the command where no `java` can be found.
fn planish(arguments: &[&str]) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    Command::new(env!("CARGO_BIN_EXE_planish"))
        .args(arguments)
        .env_remove("JAVA_HOME")
        .env("PATH", env!("CARGO_TARGET_TMPDIR"))
        .current_dir(root)
        .output()
        .expect("the command runs")
}

#[test]
fn bodies_that_mix_classes_of_the_jdk_are_written_all_the_same() {
    let jar = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("without_jdk.jar");
    let output = planish(&[
        "opt",
        "examples/patterns",
        "-o",
        jar.to_str().expect("a path in text"),
        "--keep",
        "examples/patterns/keep.pro",
        "--stats",
    ]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(
        said.contains("warning: no JDK is found; what its classes extend is taken from a summary"),
        "{said}"
    );
    assert!(!said.contains("a class is missing"), "{said}");
    assert!(!said.contains("methods copied"), "{said}");
    assert!(planish(&["check", jar.to_str().expect("a path in text")]).status.success());
}
