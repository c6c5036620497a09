//! Verifies every method of the given inputs, finds its frames anew and verifies again.
//!
//! ```text
//! cargo run --release -p planish-jvm --example frames -- [-o OUT.jar] [--library JAR]... [INPUT...]
//! ```
//!
//! Without input it takes every class of the JDK that is found. With `-o`, the classes of a single jar are
//! written with the frames that were found, for a real JVM to judge (`java -Xverify:all`). Exit status
//! 1 if a method that has frames does not verify.

mod every_class;

use std::process::ExitCode;
use std::time::Instant;

use every_class::Classes;
use planish_classfile::{Body, ClassFile, Code, Flags, Kind};
use planish_jvm_model::hierarchy::Hierarchy;
use planish_jvm_model::transfer::MethodInfo;
use planish_jvm_model::vtype::TypeContext;
use planish_jvm_model::{frames, verify};

#[derive(Default)]
struct Counts {
    methods: u64,
    verified: u64,
    /// Old versions that need no frames, and bodies with subroutines.
    passed_over: u64,
    found: u64,
    failures: u64,
    missing: u64,
}

impl Counts {
    /// Notes that a method was not verified, and says so unless it is for the lack of a class.
    fn fails(&mut self, method: &[u8], what: &str, error: &dyn std::fmt::Display) {
        let text = error.to_string();
        if text.contains("missing") || text.contains("not known to be") {
            self.missing += 1;
            return;
        }
        self.failures += 1;
        println!("{}: {what}: {text}", String::from_utf8_lossy(method));
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(counts) => {
            println!(
                "{} methods: {} verified as they are, {} without frames; {} with frames found anew; \
                 {} with missing classes; {} failures",
                counts.methods,
                counts.verified,
                counts.passed_over,
                counts.found,
                counts.missing,
                counts.failures
            );
            ExitCode::from(u8::from(counts.failures > 0))
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<Counts, Box<dyn std::error::Error>> {
    let start = Instant::now();
    let classes = Classes::read()?;
    println!("{} classes known in {:.1?}", classes.hierarchy.len(), start.elapsed());
    let mut counts = Counts::default();
    let start = Instant::now();
    classes.for_each(|bytes, hierarchy| check(bytes, hierarchy, &mut counts))?;
    println!("verified, found and verified again in {:.1?}", start.elapsed());
    Ok(counts)
}

/// Checks every method of a class. Returns the class with all frames found anew.
fn check(
    bytes: &[u8],
    hierarchy: &Hierarchy,
    counts: &mut Counts,
) -> planish_classfile::Result<Option<Vec<u8>>> {
    let mut class = ClassFile::read(bytes)?;
    if class.flags.has(Flags::MODULE) {
        return Ok(None);
    }
    let mut context = TypeContext::new(hierarchy);
    let mut changed = false;
    for index in 0..class.methods.len() {
        changed |= check_method(&mut class, index, &mut context, counts)?;
    }
    if changed { class.to_bytes().map(Some) } else { Ok(None) }
}

/// Checks a method. Whether its frames were found anew.
fn check_method(
    class: &mut ClassFile<'_>,
    index: usize,
    context: &mut TypeContext<'_>,
    counts: &mut Counts,
) -> planish_classfile::Result<bool> {
    let name = class.name()?.to_vec();
    let super_name = class.super_name()?.map(<[u8]>::to_vec);
    let method = &class.methods[index];
    let Some(place) = method.attributes.iter().position(|a| a.kind(&class.pool) == Ok(Some(Kind::Code)))
    else {
        return Ok(false);
    };
    let Some(Body::Code(code)) = method.attributes[place].decode(&class.pool)? else { return Ok(false) };
    let mut code = Code::read(&code, &class.pool)?;
    counts.methods += 1;
    let method_name = class.pool.utf8(method.name)?.to_vec();
    let descriptor = class.pool.utf8(method.descriptor)?.to_vec();
    let is_static = method.flags.has(Flags::STATIC);
    macro_rules! info {
        () => {
            MethodInfo {
                class: &name,
                super_class: super_name.as_deref(),
                name: &method_name,
                descriptor: &descriptor,
                is_static,
                pool: &class.pool,
            }
        };
    }
    let full = [&name[..], b".", &method_name, &descriptor].concat();
    // Version 50 may do without frames, and with wrong ones.
    let framed = class.major >= 51;
    if !framed {
        counts.passed_over += 1;
    } else if let Err(error) = verify::verify(&code, &info!(), context) {
        counts.fails(&full, "as it is", &error);
        return Ok(false);
    } else {
        counts.verified += 1;
    }
    let found = match frames::infer(&code, &info!(), context) {
        Ok(found) => found,
        // Old compilers leave code behind that nothing reaches.
        Err(error) if !framed || error.message == "nothing leads here" => return Ok(false),
        Err(error) => {
            counts.fails(&full, "finding frames", &error);
            return Ok(false);
        }
    };
    let frames = found.frames(context, &mut class.pool)?;
    code.set_frames(frames, &mut class.pool)?;
    if let Err(error) = verify::verify(&code, &info!(), context) {
        counts.fails(&full, "with frames found", &error);
        return Ok(false);
    }
    counts.found += 1;
    if framed {
        let mut content = Vec::new();
        code.write(&mut content)?;
        class.methods[index].attributes[place].content = content.into();
    }
    Ok(framed)
}
