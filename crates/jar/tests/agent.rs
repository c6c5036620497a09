//! The tracing agent is compiled from the sources that stand beside it.

use std::fs;
use std::path::Path;

use planish_base::Budget;
use planish_classfile::ClassFile;
use planish_classfile::zip::{Archive, INFLATED_LIMIT};
use planish_jar::agent::agent_jar;
use sha1::{Digest, Sha1};

#[test]
fn the_jar_is_one_for_java_8_and_begins_with_its_manifest() {
    let archive = Archive::read(agent_jar().unwrap()).unwrap();
    let mut budget = Budget::new("an archive", INFLATED_LIMIT);
    let mut names = Vec::new();
    for entry in &archive.entries {
        let content = entry.content(&mut budget).unwrap();
        names.push(String::from_utf8(entry.name.clone()).unwrap());
        if names.len() == 1 {
            assert!(content.ends_with(b"\r\n") && content.windows(14).any(|at| at == b"Premain-Class:"));
            continue;
        }
        let class = ClassFile::read(&content).unwrap();
        assert_eq!(class.major, 52);
        assert_eq!([class.name().unwrap(), b".class"].concat(), entry.name);
    }
    assert_eq!(names[0], "META-INF/MANIFEST.MF");
    let mut compiled = fs::read_dir("agent/classes/planish/agent").unwrap().count();
    compiled += 1;
    assert_eq!(names.len(), compiled, "classes that agent.rs does not name: {names:?}");
}

#[test]
fn the_classes_are_those_of_the_sources() {
    let mut sources: Vec<_> =
        fs::read_dir("agent/planish/agent").unwrap().map(|file| file.unwrap().path()).collect();
    sources.sort();
    let mut sum = Sha1::new();
    sources.iter().for_each(|path| sum.update(fs::read(path).unwrap()));
    let now: String = sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    let then = fs::read_to_string(Path::new("agent/classes/sources.sha1")).unwrap();
    assert_eq!(then.trim(), now, "run scripts/agent");
}
