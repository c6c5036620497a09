//! Every file in `tests/` at the root of the workspace is a test of its own.

use std::path::Path;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use planish_filetest::check::{check, find};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let bless = std::env::var_os("BLESS").is_some();
    let files = match find(&root) {
        Ok(files) if !files.is_empty() => files,
        Ok(_) => panic!("no test file in {}", root.display()),
        Err(error) => panic!("{}: {error}", root.display()),
    };
    let trials = files
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(&root).unwrap_or(&path).display().to_string();
            Trial::test(name.clone(), move || check(&path, &name, bless).map_err(Failed::from))
        })
        .collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}
