//! Running the command on files of a test.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs the command.
pub fn planish(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_planish")).args(args).output().expect("the command runs")
}

/// A file of its own for a test, gone when the test is.
pub struct Scratch(pub PathBuf);

impl Scratch {
    /// A directory with an `input.ssa`.
    pub fn new(name: &str, content: &str) -> Self {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&directory).expect("a directory");
        let path = directory.join("input.ssa");
        std::fs::write(&path, content).expect("a file");
        Scratch(directory)
    }

    /// The path of a file in it.
    pub fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A directory that is left behind is no failure of a test.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
