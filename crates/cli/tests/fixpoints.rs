//! What came out of a run is left as it is by the next one, in every mode.

mod common;

use common::{Scratch, planish};

/// The classes of the repository, with what is kept of them as a program.
const PROGRAMS: [(&str, &str); 4] = [
    ("../../examples/patterns", "-keep class Patterns { public static void main(java.lang.String[]); }"),
    ("../../examples/strawman", "-keep class Strawman { public static void main(java.lang.String[]); }"),
    ("../../examples/harbour", "-keep class * { public static void main(java.lang.String[]); }"),
    ("../jar/agent/classes", "-keep class planish.agent.Agent { *; }"),
];

#[test]
fn the_result_of_a_run_is_its_own_result() {
    let scratch = Scratch::new("fixpoints", "");
    let (rules, first, second) = (scratch.path("app.pro"), scratch.path("1.jar"), scratch.path("2.jar"));
    for (folder, keep) in PROGRAMS {
        let folder = format!("{}/{folder}", env!("CARGO_MANIFEST_DIR"));
        std::fs::write(&rules, keep).expect("a file");
        for way in [&["--mode", "bodies"][..], &["--mode", "library"], &["--keep", &rules]] {
            let mut input = folder.as_str();
            for output in [&first, &second] {
                let done = planish(&[&["opt", input, "-o", output], way].concat());
                assert_eq!(done.status.code(), Some(0), "{folder} {way:?}: {done:?}");
                input = output;
            }
            // A second run puts bodies in the place of calls between classes that have become one.
            if folder.ends_with("patterns") && way.contains(&"library") {
                continue;
            }
            let [one, two] = [&first, &second].map(|path| std::fs::read(path).expect("a jar"));
            assert!(one == two, "{folder} {way:?}: {} and {} bytes", one.len(), two.len());
        }
    }
}
