//! The crate graph is what ARCHITECTURE.md says it is: the dependencies between crates of the workspace
//! are those listed there, no more and no fewer, and the list is in an order in which nothing depends on
//! what comes after it.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// `name -> dependencies`, in the order of the block that follows the heading "Crates".
fn stated() -> Vec<(String, Vec<String>)> {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let block = text.split("```crates\n").nth(1).expect("a block marked `crates`");
    let block = block.split("```").next().expect("its end");
    block
        .lines()
        .map(|line| {
            let (name, rest) = line.split_once("->").unwrap_or_else(|| panic!("no arrow in `{line}`"));
            let rest = rest.split("  ").next().unwrap_or("");
            (name.trim().to_owned(), rest.split_whitespace().map(str::to_owned).collect())
        })
        .collect()
}

/// The same, from the manifests: normal and build dependencies inside the workspace.
fn actual() -> BTreeMap<String, Vec<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo metadata runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let folder = |package: &serde_json::Value| {
        let manifest = Path::new(package["manifest_path"].as_str().expect("a path"));
        manifest.parent().and_then(Path::file_name).expect("a folder").to_string_lossy().into_owned()
    };
    let packages = metadata["packages"].as_array().expect("packages");
    let folders: BTreeMap<&str, String> =
        packages.iter().map(|package| (package["name"].as_str().expect("a name"), folder(package))).collect();
    packages
        .iter()
        .map(|package| {
            let mut dependencies: Vec<String> = package["dependencies"]
                .as_array()
                .expect("dependencies")
                .iter()
                .filter(|dependency| dependency["kind"].as_str() != Some("dev"))
                .filter_map(|dependency| folders.get(dependency["name"].as_str()?).cloned())
                .collect();
            dependencies.sort();
            (folder(package), dependencies)
        })
        .collect()
}

#[test]
fn dependencies_are_the_stated_ones() {
    let (stated, mut actual) = (stated(), actual());
    let names: Vec<&str> = stated.iter().map(|(name, _)| name.as_str()).collect();
    for (position, (name, dependencies)) in stated.iter().enumerate() {
        for dependency in dependencies {
            assert!(
                names[..position].contains(&dependency.as_str()),
                "{name} -> {dependency} points forward"
            );
        }
        let mut dependencies = dependencies.clone();
        dependencies.sort();
        let found = actual.remove(name);
        assert_eq!(found, Some(dependencies), "{name}: the manifest (left) is not what ARCHITECTURE.md says");
    }
    assert!(actual.is_empty(), "ARCHITECTURE.md does not list {:?}", actual.keys());
}

/// Where all tests of a crate are one program, a file that its `main.rs` does not name would be run by nobody.
#[test]
fn test_files_are_named() {
    for krate in std::fs::read_dir(root().join("crates")).expect("the crates") {
        let tests = krate.expect("an entry").path().join("tests");
        let Ok(main) = std::fs::read_to_string(tests.join("main.rs")) else { continue };
        for entry in std::fs::read_dir(&tests).expect("the tests") {
            let path = entry.expect("an entry").path();
            let module = path.file_stem().and_then(|stem| stem.to_str()).expect("a name");
            let named = module == "main" || main.contains(&format!("mod {module};\n"));
            assert!(
                named || path.extension().is_none_or(|ext| ext != "rs"),
                "main.rs does not name {}",
                path.display()
            );
        }
    }
}
