//! Programs that change a little from run to run, optimized with what the run before kept of their classes: what becomes of them
//! is, byte for byte, what becomes of them from nothing, and so is what is told of it.

use arbitrary::{Result, Unstructured};
use planish_base::{Budget, Diagnostics, SourceText};
use planish_classfile::zip::{Archive, DosTime, Entry, Method};
use planish_classfile::{Body, ClassFile, Code, Flags, Kind, Member, Opcode};
use planish_driver::Settings;
use planish_jar::cache::ClassCache;
use planish_jar::classes::add_classes;
use planish_jar::inputs::Classpath;
use planish_jar::programs::around::Surroundings;
use planish_jar::programs::roots::Roots;
use planish_jar::rounds::{optimize_each, optimize_program};
use planish_jvm_model::hierarchy::Origin;
use planish_keep::read::read as read_rules;

use crate::classes::{platform, program};

/// Class files with their names.
type Files = Vec<(String, Vec<u8>)>;

/// The names and contents of what files become, and what is told of it.
type Outcome = (Vec<(Vec<u8>, Vec<u8>)>, String);

/// How often a program changes.
const CHANGES: u8 = 3;

/// How programs are optimized.
#[derive(Clone, Copy, Debug)]
enum Mode {
    Bodies,
    Library,
    /// By a rule, with or without another one.
    Program(bool),
}

/// A program and what it changes to. How many classes were as they were before, and how many were rewritten.
pub fn changing(u: &mut Unstructured<'_>) -> Result<(u64, u64)> {
    let mut files = program(u, "p")?;
    let mut mode = *u.choose(&[Mode::Bodies, Mode::Library, Mode::Program(false), Mode::Program(true)])?;
    let (mut kept, mut counts) = (Vec::new(), (0, 0));
    for _ in 0..=CHANGES {
        let cache = ClassCache::new([7; 32]).with(kept).expect("what was kept");
        let (expected, found) = (optimized(&files, mode, None), optimized(&files, mode, Some(&cache)));
        assert!(expected == found, "{mode:?}: the cache makes a difference");
        counts = (counts.0 + cache.counts().0, counts.1 + cache.counts().1);
        kept = cache.to_bytes();
        mode = change(u, &mut files, mode)?;
    }
    Ok(counts)
}

/// What becomes of files.
fn optimized(files: &Files, mode: Mode, cache: Option<&ClassCache>) -> Outcome {
    let entry = |(name, bytes): &(String, Vec<u8>)| {
        Entry::new(format!("{name}.class").as_bytes(), DosTime::EPOCH, bytes, Method::Stored)
    };
    let mut archive = Archive { entries: files.iter().map(entry).collect(), ..Archive::default() };
    let mut budget = Budget::new("inflated bytes", 1 << 24);
    let mut hierarchy = platform();
    add_classes(&mut hierarchy, &archive, Origin::Program, &mut budget, &mut Vec::new()).expect("classes");
    let (classpath, settings) = (Classpath::default(), Settings::default());
    let mut roots = Roots { library: matches!(mode, Mode::Library), ..Roots::default() };
    if let Mode::Program(keeps_more) = mode {
        let more = if keeps_more { "-keep class **.B { *; }" } else { "" };
        let text =
            format!("-keep class **.T {{ public static *** m*(...); public static long trace; }}{more}");
        read_rules(&SourceText::new("keep", text), &mut roots.rules, &mut Diagnostics::new());
        roots.rules_given = true;
    }
    let around = Surroundings { cache, ..Surroundings::quiet(&hierarchy, &classpath, &roots) };
    let told = match mode {
        Mode::Bodies => optimize_each(&mut archive, around, &settings).expect("it is optimized").sizes(),
        _ => {
            let (shrunk, optimized) =
                optimize_program(&mut archive, around, &settings).expect("it is optimized");
            let brief = format!("{} {:?}", optimized.copied(), optimized.methods.did);
            shrunk.summary() + &optimized.sizes() + &brief
        }
    };
    let content = |entry: &Entry| {
        let content = entry.content(&mut Budget::new("inflated bytes", 1 << 24)).expect("it is stored");
        (entry.name.to_vec(), content.into_owned())
    };
    (archive.entries.iter().map(content).collect(), told)
}

/// Changes a program or what is kept of it: nothing, one class, several.
fn change(u: &mut Unstructured<'_>, files: &mut Files, mode: Mode) -> Result<Mode> {
    match u.int_in_range(0..=9)? {
        0 => return Ok(mode),
        1 => files.reverse(),
        2 => {
            if let Mode::Program(keeps_more) = mode {
                return Ok(Mode::Program(!keeps_more));
            }
        }
        // A class of another program with the name of one of these, which it need not fit.
        3 => {
            let mut others = program(u, "p")?;
            let other = others.swap_remove(u.choose_index(others.len())?);
            files.retain(|(name, _)| *name != other.0);
            files.push(other);
        }
        _ => {
            for _ in 0..u.int_in_range(1..=3)? {
                let place = u.choose_index(files.len())?;
                if let Some(changed) = changed(u, &files[place].1)? {
                    files[place].1 = changed;
                }
            }
        }
    }
    Ok(mode)
}

/// A class in which a constant or an operation is another one, or which has one more field; nothing if that cannot be.
fn changed(u: &mut Unstructured<'_>, bytes: &[u8]) -> Result<Option<Vec<u8>>> {
    let mut class = ClassFile::read(bytes).expect("a class");
    if u.ratio(1, 6)? || class.methods.is_empty() {
        let (name, descriptor) = (class.pool.add_utf8(b"more"), class.pool.add_utf8(b"I"));
        let (Ok(name), Ok(descriptor)) = (name, descriptor) else { return Ok(None) };
        if class.fields.iter().all(|field| field.name != name) {
            let flags = Flags::STATIC | Flags::PUBLIC;
            class.fields.push(Member { flags, name, descriptor, attributes: Vec::new() });
        }
        return Ok(class.to_bytes().ok());
    }
    let place = u.choose_index(class.methods.len())?;
    let pool = &class.pool;
    let attributes = &mut class.methods[place].attributes;
    let code = attributes.iter_mut().find(|attribute| attribute.kind(pool) == Ok(Some(Kind::Code)));
    let Some(attribute) = code else { return Ok(None) };
    let Ok(Some(Body::Code(body))) = attribute.decode(pool) else { return Ok(None) };
    let Ok(mut code) = Code::read(&body, pool) else { return Ok(None) };
    let constants = [Opcode::Iconst0, Opcode::Iconst1, Opcode::Iconst2, Opcode::Iconst3, Opcode::Iconst5];
    let operations = [Opcode::Iadd, Opcode::Isub, Opcode::Imul, Opcode::Iand, Opcode::Ixor];
    let others = |op| [constants, operations].into_iter().find(|ops| ops.contains(&op));
    let places: Vec<usize> =
        (0..code.instructions.len()).filter(|&at| others(code.instructions[at].op).is_some()).collect();
    if places.is_empty() {
        return Ok(None);
    }
    let instruction = &mut code.instructions[*u.choose(&places)?];
    instruction.op = *u.choose(&others(instruction.op).expect("it is one of them"))?;
    let mut content = Vec::new();
    if code.write(&mut content).is_err() {
        return Ok(None);
    }
    attribute.content = content.into();
    Ok(class.to_bytes().ok())
}
