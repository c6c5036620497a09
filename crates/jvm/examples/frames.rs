//! Verifies every method of the given inputs, finds its frames anew and verifies again.
//!
//! ```text
//! cargo run --release -p planish-jvm --example frames -- [-o OUT.jar] [--library JAR]... [INPUT...]
//! ```
//!
//! Without input it takes every class of the JDK that is found. With `-o`, the classes of a single jar are
//! written with the frames that were found, for a real JVM to judge (`java -Xverify:all`). Exit status
//! 1 if a method that has frames does not verify.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use planish_base::Budget;
use planish_classfile::jimage::{self, Image};
use planish_classfile::source::{Source, write_atomically};
use planish_classfile::zip::{INFLATED_LIMIT, Method};
use planish_classfile::{Body, ClassFile, Code, Flags, Kind};
use planish_jvm::{Hierarchy, MethodInfo, Origin, TypeContext, frames, verify};

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
    let (mut inputs, mut libraries, mut output) = (Vec::new(), Vec::new(), None);
    let mut args = std::env::args_os().skip(1);
    while let Some(arg) = args.next() {
        match arg.to_str() {
            Some("-o") => output = args.next().map(PathBuf::from),
            Some("--library") => libraries.extend(args.next().map(PathBuf::from)),
            _ => inputs.push(PathBuf::from(arg)),
        }
    }
    let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
    let mut hierarchy = Hierarchy::new();
    let mut counts = Counts::default();
    let image = jimage::find_image().map(|path| Image::open(&path)).transpose()?;
    let mut sources = Vec::new();
    for (path, origin) in
        inputs.iter().map(|p| (p, Origin::Program)).chain(libraries.iter().map(|p| (p, Origin::Library)))
    {
        let source = Source::read(path)?;
        for entry in source.archive.entries.iter().filter(|entry| entry.name.ends_with(b".class")) {
            hierarchy.add(&entry.content(&mut budget)?, origin)?;
        }
        if origin == Origin::Program {
            sources.push(source);
        }
    }
    let start = Instant::now();
    if let Some(image) = &image {
        hierarchy.add_image(image)?;
    }
    println!("{} classes known, those of the JDK in {:.1?}", hierarchy.len(), start.elapsed());

    let start = Instant::now();
    if sources.is_empty() {
        let image = image.as_ref().ok_or("no input, and no JDK is found")?;
        for class in image.classes()? {
            check(image.content(&class)?, &hierarchy, &mut counts)?;
        }
    }
    for mut source in sources {
        for entry in source.archive.entries.iter_mut().filter(|entry| entry.name.ends_with(b".class")) {
            let bytes = entry.content(&mut budget)?.into_owned();
            if let Some(changed) = check(&bytes, &hierarchy, &mut counts)? {
                entry.set_content(&changed, Method::Deflated, 6);
            }
        }
        if let Some(output) = &output {
            source.archive.remove_signatures(&mut budget, 6)?;
            let mut bytes = Vec::new();
            source.archive.write(&mut bytes)?;
            write_atomically(output, &bytes)?;
        }
    }
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
    let name = class.name()?.to_vec();
    let super_name = class.super_name()?.map(<[u8]>::to_vec);
    for index in 0..class.methods.len() {
        let method = &class.methods[index];
        let Some(place) = method.attributes.iter().position(|a| a.kind(&class.pool) == Ok(Some(Kind::Code)))
        else {
            continue;
        };
        let Some(Body::Code(code)) = method.attributes[place].decode(&class.pool)? else { continue };
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
        let mut report = |what: &str, error: &dyn std::fmt::Display| {
            let text = error.to_string();
            if text.contains("missing") || text.contains("not known to be") {
                counts.missing += 1;
                return;
            }
            counts.failures += 1;
            let show = String::from_utf8_lossy;
            println!("{}.{}{}: {what}: {text}", show(&name), show(&method_name), show(&descriptor));
        };
        // Version 50 may do without frames, and with wrong ones.
        let framed = class.major >= 51;
        if !framed {
            counts.passed_over += 1;
        } else if let Err(error) = verify::verify(&code, &info!(), &mut context) {
            report("as it is", &error);
            continue;
        } else {
            counts.verified += 1;
        }
        let found = match frames::infer(&code, &info!(), &mut context) {
            Ok(found) => found,
            // Old compilers leave code behind that nothing reaches.
            Err(error) if !framed || error.message == "nothing leads here" => continue,
            Err(error) => {
                report("finding frames", &error);
                continue;
            }
        };
        let frames = found.frames(&context, &mut class.pool)?;
        code.set_frames(frames, &mut class.pool)?;
        if let Err(error) = verify::verify(&code, &info!(), &mut context) {
            report("with frames found", &error);
            continue;
        }
        counts.found += 1;
        if framed {
            let mut content = Vec::new();
            code.write(&mut content)?;
            class.methods[index].attributes[place].content = content.into();
            changed = true;
        }
    }
    if changed { class.to_bytes().map(Some) } else { Ok(None) }
}
