//! What is left of the strawman program of `examples/strawman`, as compiled by javac. No JDK is
//! needed: the classes of it that the program mentions are made up.

use std::path::Path;

use planish_base::Budget;
use planish_classfile::{Body, ClassFile, Code, Flags, Kind, Opcode, Operand};
use planish_driver::Settings;
use planish_jar::classes::{Archive, Hierarchy, Origin, Source, add_classes};
use planish_jar::inputs::Classpath;
use planish_jar::programs::around::Surroundings;
use planish_jar::programs::assumptions::Assumptions;
use planish_jar::programs::roots::Roots;
use planish_jar::rounds::optimize_program;

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
    let assumes = if strict { Assumptions::NONE } else { Assumptions::default() };
    let roots = Roots { main: vec!["Strawman".into()], assumes, ..Roots::default() };
    let settings = Settings::default();
    let classpath = Classpath::default();
    let around = Surroundings::quiet(&hierarchy, &classpath, &roots);
    let (shrunk, _) = optimize_program(&mut archive, around, &settings).unwrap();
    assert_eq!(shrunk.warnings, [""; 0]);
    (archive, shrunk.removed.to_string())
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
        let Operand::Constant(index) = instruction.operand else { return None };
        let member = class.pool.member(index).ok()?;
        Some(String::from_utf8_lossy(member.name).into_owned())
    });
    let calls = calls.collect();
    (code, calls)
}

fn count(code: &Code, op: Opcode) -> usize {
    code.instructions.iter().filter(|instruction| instruction.op == op).count()
}

/// The body of a method, one instruction a line, with what it names.
fn listing(archive: &Archive, method: &[u8]) -> String {
    let entry = archive.find(b"Strawman.class").unwrap();
    let bytes = entry.content(&mut Budget::new("bytes", 1 << 20)).unwrap();
    let class = ClassFile::read(&bytes).unwrap();
    let found = class.methods.iter().find(|found| class.pool.utf8(found.name) == Ok(method)).unwrap();
    let Ok(Some(Body::Code(bytes))) = found.attribute(&class.pool, Kind::Code).unwrap().decode(&class.pool)
    else {
        panic!("there is a body")
    };
    let mut text = String::new();
    for instruction in Code::read(&bytes, &class.pool).unwrap().instructions {
        let operand = match instruction.operand {
            Operand::Immediate(number) => format!(" {number}"),
            Operand::Target(target) => format!(" -> {target}"),
            Operand::Constant(index) => match class.pool.member(index) {
                Ok(member) => format!(
                    " {}.{}",
                    String::from_utf8_lossy(member.class),
                    String::from_utf8_lossy(member.name)
                ),
                Err(_) => String::new(),
            },
            _ => String::new(),
        };
        text += &format!("{}{operand}\n", instruction.op);
    }
    text
}

/// S3.4, S3.8, S3.45: classes that are not used go, since the program is known to begin at `main`.
#[test]
fn loggers_are_gone_the_one_that_nobody_makes_and_the_one_whose_method_is_inlined() {
    let (archive, removed) = optimized(false);
    let classes: Vec<_> = archive.entries.iter().filter(|entry| entry.name.ends_with(b".class")).collect();
    assert_eq!(classes.len(), 1);
    assert_eq!(classes[0].name, b"Strawman.class");
    for class in ["Strawman$ErrLogger", "Strawman$PrintLogger", "Strawman$Logger"] {
        assert!(removed.lines().any(|line| line == class), "{class}: {removed}");
    }
}

/// S3.1, S3.2, S3.3, S3.5, S3.6, S3.7, S3.9, S3.10, S3.11, S3.12, S3.13, S3.15, S3.24, S3.25, S3.33, S3.40,
/// S3.41, S3.42.
#[test]
fn all_eight_transformations_show_in_the_loop() {
    // `logger.log(count)` prints without a logger; `multiplied` is 0 in every round, so its product and its
    // test are gone, and with them `d1`; ackermann(2, 2) is 7 and ackermann(0, n) is n + 1, together n + 8;
    // `d2` is computed only where it is used. `run` stands in `main`, its only caller.
    let main = listing(&optimized(false).0, b"main");
    let from = main.find("iinc\n").unwrap();
    assert_eq!(main[from..].lines().take(LOOP.len()).collect::<Vec<_>>(), LOOP, "{main}");
    assert_eq!(main.matches("new").count(), 0, "{main}");
}

const LOOP: [&str; 23] = [
    "iinc",
    "iload_1",
    "invokestatic java/lang/Integer.valueOf",
    "astore",
    "getstatic java/lang/System.out",
    "aload",
    "invokevirtual java/io/PrintStream.println",
    "iload_2",
    "iload_3",
    "iadd",
    "bipush 8",
    "iadd",
    "istore_3",
    "iload_1",
    "iconst_1",
    "iand",
    "ifne -> 41",
    "iload_3",
    "iload_2",
    "iload_1",
    "invokestatic Strawman.ackermann",
    "iadd",
    "istore_3",
];

/// S3.43: that calls return is an assumption, which can be turned off.
#[test]
fn nothing_is_taken_for_granted_when_that_is_asked() {
    let (archive, _) = optimized(true);
    let (code, calls) = run_of(&archive);
    assert_eq!(calls.iter().filter(|name| *name == "ackermann").count(), 4, "{calls:?}");
    // What is known of `multiplied` takes nothing for granted.
    assert_eq!(count(&code, Opcode::Imul), 0);
}

/// What is compared is made once more. That neither counts nor takes fuel, and it is the same body: with any fuel the
/// result is that without comparing.
#[test]
fn comparing_counts_nothing_and_burns_nothing() {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/strawman"));
    let with = |fuel: Option<u64>, validate: u64| {
        let mut archive = Source::read(path).unwrap().archive;
        let hierarchy = hierarchy(&archive);
        let roots = Roots { main: vec!["Strawman".into()], ..Roots::default() };
        let settings = Settings { fuel, validate, log: true, ..Settings::default() };
        let classpath = Classpath::default();
        let around = Surroundings::quiet(&hierarchy, &classpath, &roots);
        let (_, outcome) = optimize_program(&mut archive, around, &settings).unwrap();
        assert!(outcome.methods.broken.is_empty());
        let mut file = Vec::new();
        archive.write(&mut file).unwrap();
        let told: Vec<_> = outcome.stories.iter().map(|told| told.remarks.len()).collect();
        (outcome.rewrites, outcome.record.total(), told, file)
    };
    let all = with(None, 0);
    assert!(all.0 > 20, "{}", all.0);
    assert!(with(None, 20) == all);
    for fuel in [0, 3, 10, all.0 / 2, all.0 - 1] {
        let plain = with(Some(fuel), 0);
        assert!(plain.0 <= fuel);
        assert!(with(Some(fuel), 20) == plain, "{fuel} rewrites");
    }
}

/// A rule that is wrong makes a body that does something else. Validation sees it, the method keeps its bytes and
/// what they mention, the others are optimized, and the report names the method and the step.
#[test]
fn a_method_that_a_mistake_would_change_is_pinned() {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/strawman"));
    let mut archive = Source::read(path).unwrap().archive;
    let original =
        archive.find(b"Strawman.class").unwrap().content(&mut Budget::new("bytes", 1 << 20)).unwrap();
    let original = original.into_owned();
    let hierarchy = hierarchy(&archive);
    let roots = Roots { main: vec!["Strawman".into()], ..Roots::default() };
    let wrong = planish_base::SourceText::new(
        "wrong.rules".to_owned(),
        "wrong_difference: sub(x, 1)\n    => x\n\nwrong_sum: add(x, -1)\n    => x\n".to_owned(),
    );
    let (rules, findings) = planish_rules::RuleSet::read(vec![wrong]);
    assert!(rules.rules.len() == 2, "{}", rules.render(&findings));
    let settings =
        Settings { rules: Some(std::sync::Arc::new(rules)), validate: 50, log: true, ..Settings::default() };
    let classpath = Classpath::default();
    let around = Surroundings::quiet(&hierarchy, &classpath, &roots);
    let (_, optimized) = optimize_program(&mut archive, around, &settings).unwrap();
    let broken = &optimized.methods.broken;
    let summary = optimized.broken();
    // Whoever calls it with constants may break as well.
    assert!(broken.iter().all(|broken| broken.step == "pipeline"), "{summary}");
    assert!(broken.iter().any(|broken| *broken.method == *b"Strawman.ackermann(II)I"), "{summary}");
    assert!(summary.contains("since pipeline broke it: Strawman.ackermann(II)I"), "{summary}");
    // What is told of it: the step, the arguments, and what it does on both sides.
    let mut told = optimized.stories.iter().filter(|told| told.story.method == "Strawman.ackermann(II)I");
    let why = told.next().unwrap().story.refused.as_deref().unwrap();
    assert!(told.next().is_none());
    assert!(why.starts_with("pipeline broke it: function ackermann(II)I on ("), "{why}");
    assert!(why.contains("before:") && why.contains("after:"), "{why}");

    let body = |bytes: &[u8]| {
        let class = ClassFile::read(bytes).unwrap();
        let method = class.method(b"ackermann", b"(II)I").unwrap();
        let Ok(Some(Body::Code(code))) =
            method.attribute(&class.pool, Kind::Code).unwrap().decode(&class.pool)
        else {
            panic!("there is a body")
        };
        code.instructions().map(|item| item.unwrap().1.op).collect::<Vec<Opcode>>()
    };
    let entry = archive.find(b"Strawman.class").unwrap();
    let bytes = entry.content(&mut Budget::new("bytes", 1 << 20)).unwrap();
    assert_eq!(body(&bytes), body(&original));
    assert!(optimized.methods.improved > 0, "{summary}");
}

/// What a pinned method names stays for its sake, and the summary says what: with what its bytes say gone, it would break.
#[test]
fn what_a_pinned_method_keeps_is_named() {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/strawman"));
    let mut archive = Source::read(path).unwrap().archive;
    let hierarchy = hierarchy(&archive);
    let roots = Roots { main: vec!["Strawman".into()], ..Roots::default() };
    let wrong = "wrong_parity: and(x, 1)\n    => 1\n".to_owned();
    let (rules, findings) =
        planish_rules::RuleSet::read(vec![planish_base::SourceText::new("wrong.rules".to_owned(), wrong)]);
    assert!(rules.rules.len() == 1, "{}", rules.render(&findings));
    let settings =
        Settings { rules: Some(std::sync::Arc::new(rules)), validate: 200, log: true, ..Settings::default() };
    let classpath = Classpath::default();
    let around = Surroundings::quiet(&hierarchy, &classpath, &roots);
    let (_, optimized) = optimize_program(&mut archive, around, &settings).unwrap();
    let summary = optimized.broken();
    let mut lines = summary.lines().skip_while(|line| !line.contains("broke it: Strawman.run(I)I"));
    assert!(lines.next().is_some(), "{summary}");
    let held = lines.next().and_then(|line| line.strip_prefix("  its bytes name, and so keep: "));
    assert!(held.is_some_and(|held| held.contains("Strawman$PrintLogger")), "{summary}");
    // They are there, which they are not where nothing is pinned.
    assert!(archive.find(b"Strawman$PrintLogger.class").is_some(), "{summary}");
    let told = optimized.stories.iter().find(|told| told.story.method == "Strawman.run(I)I").unwrap();
    let why = told.story.refused.as_deref().unwrap_or_default();
    let all = why.split_once("its bytes name, and so keep: ").map(|(_, all)| all.to_owned());
    assert!(all.is_some_and(|all| all.contains("Strawman$PrintLogger")), "{why}");
}
