//! Lifts every method of the given inputs to SSA and lowers it again without optimizing.
//!
//! ```text
//! cargo run --release -p planish-jvm --example method_bodies -- [-o OUT.jar] [--library JAR]... [INPUT...]
//! ```
//!
//! Without input it takes every class of the JDK that is found. Prints how many methods come back, with
//! how many instructions and bytes, and why the others do not. With `-o`, the classes of a single jar
//! are written with every method that came back, for a real JVM to run (`java -Xverify:all`).

mod every_class;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Instant;

use every_class::Classes;
use planish_classfile::{Body, ClassFile, Code, Flags, Kind};
use planish_jvm::lower::{Target, lower};
use planish_jvm::naming::Names;
use planish_jvm::{Hierarchy, TypeContext, lift, verify};

#[derive(Default)]
struct Counts {
    methods: u64,
    back: u64,
    before: (u64, u64),
    after: (u64, u64),
    /// Reasons for methods that do not come back, with an example.
    reasons: BTreeMap<String, (u64, String)>,
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let classes = Classes::read()?;
    let mut counts = Counts::default();
    let start = Instant::now();
    classes.for_each(|bytes, hierarchy| rewrite(bytes, hierarchy, &mut counts))?;
    println!(
        "{} of {} methods came back in {:.1?}; of them {} instructions became {}, {} bytes became {}",
        counts.back,
        counts.methods,
        start.elapsed(),
        counts.before.0,
        counts.after.0,
        counts.before.1,
        counts.after.1
    );
    let mut reasons: Vec<_> = counts.reasons.into_iter().collect();
    reasons.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
    for (reason, (count, example)) in reasons {
        println!("{count:7} {reason} ({example})");
    }
    Ok(())
}

fn rewrite(
    bytes: &[u8],
    hierarchy: &Hierarchy,
    counts: &mut Counts,
) -> planish_classfile::Result<Option<Vec<u8>>> {
    let mut class = ClassFile::read(bytes)?;
    if class.flags.has(Flags::MODULE) {
        return Ok(None);
    }
    let mut context = TypeContext::new(hierarchy);
    let mut names = Names::new(&class);
    let name = class.name()?.to_vec();
    let super_name = class.super_name()?.map(<[u8]>::to_vec);
    let mut changed = false;
    for index in 0..class.methods.len() {
        let method = &class.methods[index];
        let Some(place) = method.attributes.iter().position(|a| a.kind(&class.pool) == Ok(Some(Kind::Code)))
        else {
            continue;
        };
        let Some(Body::Code(code)) = method.attributes[place].decode(&class.pool)? else { continue };
        let code = Code::read(&code, &class.pool)?;
        counts.methods += 1;
        let method_name = class.pool.utf8(method.name)?.to_vec();
        let descriptor = class.pool.utf8(method.descriptor)?.to_vec();
        let target = Target {
            class: &name,
            super_class: super_name.as_deref(),
            name: &method_name,
            descriptor: &descriptor,
            is_static: method.flags.has(Flags::STATIC),
        };
        let result = lift::lift_named(&code, &target.info(&class.pool), &mut names, &mut context)
            .map_err(|error| format!("lift: {}", error.message))
            .and_then(|(function, variables)| {
                lower(&function, &names, (&code, &variables), &target, &mut class.pool, &mut context)
                    .map_err(|error| format!("lower: {error}"))
            })
            .and_then(|made| {
                verify::verify(&made, &target.info(&class.pool), &mut context)
                    .map_err(|error| format!("verify: {}", error.message))?;
                let mut content = Vec::new();
                made.write(&mut content).map_err(|error| format!("write: {error}"))?;
                Ok((made, content))
            });
        match result {
            Ok((made, content)) => {
                counts.back += 1;
                counts.before.0 += code.instructions.len() as u64;
                counts.after.0 += made.instructions.len() as u64;
                counts.before.1 += code.byte_len() as u64;
                counts.after.1 += made.byte_len() as u64;
                class.methods[index].attributes[place].content = content.into();
                changed = true;
            }
            Err(reason) => {
                let show = String::from_utf8_lossy;
                let reason: String =
                    reason.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
                let example = format!("{}.{}{}", show(&name), show(&method_name), show(&descriptor));
                counts.reasons.entry(reason).or_insert((0, example)).0 += 1;
            }
        }
    }
    if changed { class.to_bytes().map(Some) } else { Ok(None) }
}
