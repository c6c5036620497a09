//! What is left of the strawman program of `examples/strawman`, as compiled by javac. No JDK is
//! needed: the classes of it that the program mentions are made up.

use std::path::Path;

use planish_base::Budget;
use planish_classfile::{Body, ClassFile, Code, Flags, Kind, Opcode};
use planish_driver::Settings;
use planish_driver::classes::{Archive, Hierarchy, Origin, Source, add_classes};
use planish_driver::programs::{Classpath, Roots};
use planish_driver::rounds::optimize_program;

const RUN: &[u8] = b"run";

fn hierarchy(archive: &Archive) -> Hierarchy {
    let mut hierarchy = Hierarchy::new();
    let object = &b"java/lang/Object"[..];
    for (name, extends) in [
        (object, None),
        (b"java/lang/String", Some(object)),
        (b"java/lang/Integer", Some(object)),
        (b"java/lang/System", Some(object)),
        (b"java/io/PrintStream", Some(object)),
    ] {
        let file = ClassFile::new(61, Flags::PUBLIC, name, extends).unwrap().to_bytes().unwrap();
        hierarchy.add(&file, Origin::Platform).unwrap();
    }
    let mut budget = Budget::new("bytes", 1 << 20);
    add_classes(&mut hierarchy, archive, Origin::Program, &mut budget, &mut Vec::new()).unwrap();
    hierarchy
}

/// The program after everything was done to it, and the classes and members that went.
fn optimized(strict: bool) -> (Archive, String) {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/strawman"));
    let mut archive = Source::read(path).unwrap().archive;
    let hierarchy = hierarchy(&archive);
    let roots = Roots { main: vec!["Strawman".into()], strict, ..Roots::default() };
    let settings = Settings::default();
    let (shrunk, _) =
        optimize_program(&mut archive, &hierarchy, &Classpath::default(), &roots, &settings, 1).unwrap();
    assert_eq!(shrunk.warnings, [""; 0]);
    (archive, shrunk.removed)
}

/// The body of `run`, and the names of the methods that it calls.
fn run_of(archive: &Archive) -> (Code, Vec<String>) {
    let entry = archive.find(b"Strawman.class").unwrap();
    let bytes = entry.content(&mut Budget::new("bytes", 1 << 20)).unwrap();
    let class = ClassFile::read(&bytes).unwrap();
    let method = class.methods.iter().find(|method| class.pool.utf8(method.name) == Ok(RUN)).unwrap();
    let attribute = method.attribute(&class.pool, Kind::Code).unwrap();
    let Ok(Some(Body::Code(bytes))) = attribute.decode(&class.pool) else { panic!("there is a body") };
    let code = Code::read(&bytes, &class.pool).unwrap();
    let calls = code.instructions.iter().filter_map(|instruction| {
        let planish_classfile::Operand::Constant(index) = instruction.operand else { return None };
        let member = class.pool.member(index).ok()?;
        Some(String::from_utf8_lossy(member.name).into_owned())
    });
    let calls = calls.collect();
    (code, calls)
}

fn count(code: &Code, op: Opcode) -> usize {
    code.instructions.iter().filter(|instruction| instruction.op == op).count()
}

#[test]
fn the_logger_that_nobody_makes_is_gone() {
    let (archive, removed) = optimized(false);
    assert!(archive.find(b"Strawman$ErrLogger.class").is_none());
    assert!(archive.find(b"Strawman$PrintLogger.class").is_some());
    assert!(removed.lines().any(|line| line == "Strawman$ErrLogger"), "{removed}");
}

#[test]
fn multiplied_stays_zero_so_its_product_its_test_and_d1_go_and_a_known_call_is_a_number() {
    let (before, _) = {
        let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/strawman"));
        run_of(&Source::read(path).unwrap().archive)
    };
    let (code, calls) = run_of(&optimized(false).0);
    assert_eq!((count(&before, Opcode::Imul), count(&code, Opcode::Imul)), (2, 0));
    assert_eq!(count(&before, Opcode::IfIcmpge), 2, "the loop and the test of `multiplied`");
    assert_eq!(count(&code, Opcode::IfIcmpge), 1, "the loop");
    // ackermann(2, 2) is 7, and nobody needs ackermann(n, 1).
    assert_eq!(calls.iter().filter(|name| *name == "ackermann").count(), 2, "{calls:?}");
    assert!(code.instructions.contains(&planish_classfile::Insn::small_int(7).unwrap()));
    assert!(
        code.instructions.len() + 20 <= before.instructions.len(),
        "{} instructions",
        code.instructions.len()
    );
}

#[test]
fn nothing_is_taken_for_granted_when_that_is_asked() {
    let (_, calls) = run_of(&optimized(true).0);
    assert_eq!(calls.iter().filter(|name| *name == "ackermann").count(), 4, "{calls:?}");
}
