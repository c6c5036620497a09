//! Programs of a few methods, optimized with all that is known of the whole. No JDK is needed.

pub mod asks;
pub mod fields;
pub mod lambda;
pub mod listing;
pub mod methods;
pub mod outcome;
pub mod visible;

use std::path::Path;

use planish_base::Budget;
use planish_classfile::builder::CodeBuilder;
use planish_classfile::zip::{DosTime, Entry};
use planish_classfile::{ClassFile, ConstantPool, Flags, Opcode};
use planish_driver::Settings;
use planish_jar::classes::{Archive, Hierarchy, Method, Origin, Source, add_classes};
use planish_jar::inputs::Classpath;
use planish_jar::programs::around::Surroundings;
use planish_jar::programs::assumptions::Assumptions;
use planish_jar::programs::roots::Roots;
use planish_jar::rounds::optimize_program;

/// The class above all.
pub const OBJECT: &[u8] = b"java/lang/Object";

/// The constants of a class.
pub type Pool = ConstantPool<'static>;
/// Writes a body.
pub type Build<'b> = &'b dyn Fn(&mut CodeBuilder, &mut Pool);

/// A class with these methods: flags, name, descriptor, body.
pub fn class(name: &str, fields: &[(&str, &str)], methods: &[(Flags, &str, &str, Build<'_>)]) -> Vec<u8> {
    class_below(OBJECT, name, fields, methods)
}

/// The same, extending another class.
pub fn class_below(
    above: &[u8],
    name: &str,
    fields: &[(&str, &str)],
    methods: &[(Flags, &str, &str, Build<'_>)],
) -> Vec<u8> {
    let mut class = ClassFile::new(52, Flags::PUBLIC | Flags::SUPER, name.as_bytes(), Some(above)).unwrap();
    for (field, ty) in fields {
        class.add_field(Flags::PRIVATE, field.as_bytes(), ty.as_bytes()).unwrap();
    }
    for (flags, method, descriptor, build) in methods {
        let mut code = CodeBuilder::new();
        build(&mut code, &mut class.pool);
        let ty = planish_classfile::descriptor::MethodType::parse(descriptor.as_bytes()).unwrap();
        let slots = ty.parameter_slots() + u16::from(!flags.has(Flags::STATIC));
        let code = code.finish(slots, &mut class.pool).unwrap();
        class.add_method(*flags, method.as_bytes(), descriptor.as_bytes(), Some(&code)).unwrap();
    }
    class.to_bytes().unwrap()
}

/// A call.
pub fn call(code: &mut CodeBuilder, pool: &mut Pool, op: Opcode, class: &str, name: &str, descriptor: &str) {
    code.call(op, [class.as_bytes(), name.as_bytes(), descriptor.as_bytes()], pool).unwrap();
}

/// A rule by which classes stay what they are, so that a test finds them.
pub const APART: &str = "\n-optimizations !class/merging/*\n";

/// What `keep` and whatever it needs become.
pub fn optimized(files: &[(&str, Vec<u8>)], keep: &str, strict: bool) -> Archive {
    optimized_by(files, &format!("-keep class T {{ *** {keep}(...); }}"), strict)
}

/// What becomes of files by rules.
pub fn optimized_by(files: &[(&str, Vec<u8>)], rules: &str, strict: bool) -> Archive {
    let assumes = if strict { Assumptions::NONE } else { Assumptions::default() };
    optimized_for(files, rules, Roots { rules_given: true, assumes, ..Roots::default() })
}

/// The files as an archive, and the classes that there are.
pub fn read_in(files: &[(&str, Vec<u8>)]) -> (Archive, Hierarchy) {
    let entry = |(name, content): &(&str, Vec<u8>)| {
        Entry::new(format!("{name}.class").as_bytes(), DosTime::EPOCH, content, Method::Stored)
    };
    let archive = Archive { entries: files.iter().map(entry).collect(), ..Archive::default() };
    let mut hierarchy = Hierarchy::new();
    for (name, extends) in [
        (OBJECT, None),
        (&b"java/lang/String"[..], Some(OBJECT)),
        (b"java/lang/Class", Some(OBJECT)),
        (b"java/lang/Number", Some(OBJECT)),
        (b"java/lang/Enum", Some(OBJECT)),
        (b"java/io/Serializable", Some(OBJECT)),
        (b"java/lang/Throwable", Some(OBJECT)),
        (b"java/lang/Exception", Some(b"java/lang/Throwable")),
        (b"java/lang/ArithmeticException", Some(b"java/lang/Exception")),
        (b"java/lang/NullPointerException", Some(b"java/lang/Exception")),
        (b"java/lang/ArrayIndexOutOfBoundsException", Some(b"java/lang/Exception")),
        (b"java/lang/ClassCastException", Some(b"java/lang/Exception")),
        (b"java/lang/Error", Some(b"java/lang/Throwable")),
        (b"java/util/UnknownFormatFlagsException", Some(b"java/lang/Exception")),
    ] {
        let file = ClassFile::new(61, Flags::PUBLIC, name, extends).unwrap().to_bytes().unwrap();
        hierarchy.add(&file, Origin::Platform).unwrap();
    }
    let mut budget = Budget::new("bytes", 1 << 20);
    add_classes(&mut hierarchy, &archive, Origin::Program, &mut budget, &mut Vec::new()).unwrap();
    (archive, hierarchy)
}

/// An example as compiled by javac, and the classes that it mentions.
pub fn example(name: &str) -> (Archive, Hierarchy) {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples")).join(name);
    let archive = Source::read(&path).unwrap().archive;
    let mut hierarchy = Hierarchy::new();
    let interface = Flags::PUBLIC | Flags::INTERFACE | Flags::ABSTRACT;
    for (name, above, flags) in [
        ("java/lang/Object", None, Flags::PUBLIC),
        ("java/lang/String", Some("java/lang/Object"), Flags::PUBLIC),
        ("java/lang/StringBuilder", Some("java/lang/Object"), Flags::PUBLIC),
        ("java/lang/System", Some("java/lang/Object"), Flags::PUBLIC),
        ("java/lang/Class", Some("java/lang/Object"), Flags::PUBLIC),
        ("java/lang/Enum", Some("java/lang/Object"), Flags::PUBLIC | Flags::ABSTRACT),
        ("java/lang/Number", Some("java/lang/Object"), Flags::PUBLIC | Flags::ABSTRACT),
        ("java/lang/Integer", Some("java/lang/Number"), Flags::PUBLIC),
        ("java/io/PrintStream", Some("java/lang/Object"), Flags::PUBLIC),
        ("java/lang/Comparable", Some("java/lang/Object"), interface),
        ("java/io/Serializable", Some("java/lang/Object"), interface),
        ("java/util/function/Function", Some("java/lang/Object"), interface),
        ("java/io/OutputStream", Some("java/lang/Object"), Flags::PUBLIC | Flags::ABSTRACT),
        ("java/io/ByteArrayOutputStream", Some("java/io/OutputStream"), Flags::PUBLIC),
        ("java/io/ObjectOutputStream", Some("java/io/OutputStream"), Flags::PUBLIC),
        ("java/io/InputStream", Some("java/lang/Object"), Flags::PUBLIC | Flags::ABSTRACT),
        ("java/io/ByteArrayInputStream", Some("java/io/InputStream"), Flags::PUBLIC),
        ("java/io/ObjectInputStream", Some("java/io/InputStream"), Flags::PUBLIC),
        ("java/lang/Throwable", Some("java/lang/Object"), Flags::PUBLIC),
        ("java/lang/Error", Some("java/lang/Throwable"), Flags::PUBLIC),
        ("java/lang/NoSuchFieldError", Some("java/lang/Error"), Flags::PUBLIC),
        ("java/lang/Exception", Some("java/lang/Throwable"), Flags::PUBLIC),
        ("java/lang/RuntimeException", Some("java/lang/Exception"), Flags::PUBLIC),
        ("java/lang/NullPointerException", Some("java/lang/RuntimeException"), Flags::PUBLIC),
        ("java/lang/ArithmeticException", Some("java/lang/RuntimeException"), Flags::PUBLIC),
    ] {
        let file = ClassFile::new(61, flags, name.as_bytes(), above.map(str::as_bytes)).unwrap();
        hierarchy.add(&file.to_bytes().unwrap(), Origin::Platform).unwrap();
    }
    let mut budget = Budget::new("bytes", 1 << 20);
    add_classes(&mut hierarchy, &archive, Origin::Program, &mut budget, &mut Vec::new()).unwrap();
    (archive, hierarchy)
}

/// Reads rules.
pub fn add_rules(rules: &str, roots: &mut Roots) {
    let source = planish_base::SourceText::new("keep.pro".to_owned(), rules.to_owned());
    let mut diagnostics = planish_base::Diagnostics::new();
    planish_keep::read::read(&source, &mut roots.rules, &mut diagnostics);
    assert!(!diagnostics.has_errors());
}

/// What becomes of files by rules and what else is said of roots.
pub fn optimized_for(files: &[(&str, Vec<u8>)], rules: &str, mut roots: Roots) -> Archive {
    let (mut archive, hierarchy) = read_in(files);
    add_rules(rules, &mut roots);
    let classpath = Classpath::default();
    let around = Surroundings::quiet(&hierarchy, &classpath, &roots);
    let mut by_three = archive.clone();
    let (_, outcome) = optimize_program(&mut archive, around, &Settings::default()).unwrap();
    assert!(outcome.methods.broken.is_empty(), "{:?}", outcome.methods.broken);
    let around = Surroundings { threads: 3, ..around };
    optimize_program(&mut by_three, around, &Settings::default()).unwrap();
    assert!(contents(&archive) == contents(&by_three), "the number of threads makes no difference");
    assert_calls_lead_somewhere(&archive);
    archive
}

/// The names and contents of all entries.
fn contents(archive: &Archive) -> Vec<(&[u8], Vec<u8>)> {
    let mut budget = Budget::new("bytes", 1 << 20);
    let mut content = |entry: &'_ Entry| entry.content(&mut budget).unwrap().into_owned();
    archive.entries.iter().map(|entry| (&entry.name[..], content(entry))).collect()
}

/// Every method of the program that is called is there, and every variant that is there is called.
fn assert_calls_lead_somewhere(archive: &Archive) {
    let (mut variants, mut called) = (Vec::new(), Vec::new());
    let methods = |bytes: &[u8]| -> Vec<(Vec<u8>, Vec<u8>)> {
        let file = ClassFile::read(bytes).unwrap();
        let text = |index| file.pool.utf8(index).unwrap().to_vec();
        file.methods.iter().map(|method| (text(method.name), text(method.descriptor))).collect()
    };
    for entry in &archive.entries {
        let bytes = entry.content(&mut Budget::new("bytes", 1 << 20)).unwrap().into_owned();
        let file = ClassFile::read(&bytes).unwrap();
        let is_variant = |(name, _): &(Vec<u8>, Vec<u8>)| name[1..].windows(2).any(|two| two == b"__");
        variants.extend(methods(&bytes).into_iter().filter(is_variant));
        for index in file.pool.indices() {
            let Ok(member) = file.pool.member(index) else { continue };
            called.push((member.name.to_vec(), member.descriptor.to_vec()));
            let mut above = Some(member.class.to_vec());
            let mut found = !member.descriptor.starts_with(b"(");
            while let Some(entry) =
                above.as_ref().and_then(|class| archive.find(&[&class[..], b".class"].concat()))
            {
                let bytes = entry.content(&mut Budget::new("bytes", 1 << 20)).unwrap();
                found |= methods(&bytes).contains(&(member.name.to_vec(), member.descriptor.to_vec()));
                above = ClassFile::read(&bytes).unwrap().super_name().unwrap().map(<[u8]>::to_vec);
            }
            let is_ours = archive.find(&[member.class, b".class"].concat()).is_some();
            // What stands above the program may have it.
            let is_inherited = above.is_some_and(|above| above != OBJECT);
            assert!(found || is_inherited || !is_ours, "{}", String::from_utf8_lossy(member.name));
        }
    }
    for variant in variants {
        assert!(called.contains(&variant), "nobody calls {}", String::from_utf8_lossy(&variant.0));
    }
}
