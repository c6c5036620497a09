//! Equal inputs give equal bytes, whatever process computes them.

use std::path::Path;
use std::process::Command;

/// What a command prints for a program, in a process with an environment of a size of its own: where memory
/// lies differs, and so would anything that depends on addresses.
fn printed(args: &[&str], program: &str, run: usize) -> Vec<u8> {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("determinism-{}", program.len()));
    let path = file.with_extension(args[args.len() - 1]);
    std::fs::write(&path, program).expect("the program can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_planish"))
        .args(&args[..args.len() - 1])
        .arg(&path)
        .env("PADDING", "x".repeat(1000 * run))
        .output()
        .expect("planish runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// S2.56: optimizing and converting give the same bytes in every process, by every engine.
#[test]
fn equal_inputs_give_equal_bytes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests");
    let mut compared = 0;
    for directory in ["regions", "tac", "bril"] {
        let mut paths: Vec<_> = (std::fs::read_dir(root.join(directory)).expect("a directory of tests"))
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| path.extension().is_some_and(|extension| extension != "json"))
            .collect();
        paths.sort();
        // One in three: each is several processes.
        for path in paths.iter().step_by(3) {
            let text = std::fs::read_to_string(path).expect("a test");
            let options = text.contains("# undef") || text.contains("# width");
            if options || !text.starts_with("# test: opt") {
                continue;
            }
            let lines = text.lines().take_while(|line| *line != "# expected:");
            let program: Vec<&str> = lines.filter(|line| !line.starts_with("# ")).collect();
            let (program, extension) = (program.join("\n"), path.extension().and_then(|e| e.to_str()));
            let extension = extension.expect("an extension");
            for args in [
                &["opt", "--extended", extension][..],
                &["opt", "--extended", "--engine", "egraph", extension],
                &["opt", "--stats", "--extended", extension],
            ] {
                assert_eq!(
                    printed(args, &program, 0),
                    printed(args, &program, 7),
                    "{}: {args:?}",
                    path.display()
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 30, "only {compared} runs were compared");
}

/// Jars, and everything that is said of them, do not depend on the number of threads.
#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("threads");
    std::fs::create_dir_all(&directory).expect("a directory");
    let run = |program: &str, mode: &[&str], threads: &str| {
        let file = |name: &str| directory.join(format!("{threads}.{name}"));
        let output = Command::new(env!("CARGO_BIN_EXE_planish"))
            .arg("opt")
            .arg(examples.join(program))
            .args(mode)
            .args(["--threads", threads, "--stats"])
            .args([Path::new("--remarks"), &file("jsonl"), Path::new("--removed"), &file("txt")])
            .args([Path::new("-o"), &file("jar")])
            .output()
            .expect("planish runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let written = ["jar", "jsonl", "txt"].map(|name| std::fs::read(file(name)).expect("it is written"));
        // How long it took is said at the end, and differs.
        let said = String::from_utf8(output.stderr).expect("UTF-8");
        let without_time = |line: &str| match line.split_once(" s;") {
            Some((time, rest)) if time.parse::<f64>().is_ok() => rest.to_owned(),
            _ => line.to_owned(),
        };
        (written, said.lines().map(without_time).collect::<Vec<_>>())
    };
    let programs: [(&str, &[&str]); 4] = [
        ("patterns", &["--main", "Patterns"]),
        ("patterns", &["--mode", "library"]),
        ("patterns", &["--mode", "bodies"]),
        ("strawman", &["--main", "Strawman"]),
    ];
    for (program, mode) in programs {
        let one = run(program, mode, "1");
        for threads in ["2", "8"] {
            let more = run(program, mode, threads);
            assert!(one.0 == more.0, "{program} {mode:?}: {threads} threads give other files");
            assert_eq!(one.1, more.1, "{program} {mode:?}: {threads} threads");
        }
    }
}
