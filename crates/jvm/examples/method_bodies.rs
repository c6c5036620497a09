//! Lifts every method of the given inputs to SSA and lowers it again without optimizing.
//!
//! ```text
//! cargo run --release -p planish-jvm --example method_bodies -- [-o OUT.jar] [--library JAR]... [INPUT...]
//! ```
//!
//! Without input it takes every class of the JDK that is found. Prints how many methods come back, with
//! how many instructions and bytes, and why the others do not; of those that come back longer, which kinds of
//! instructions they have more of, each with the method that is longest by comparison. With `-o`, the classes of
//! a single jar are written with every method that came back, for a real JVM to run (`java -Xverify:all`).

mod every_class;

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Instant;

use every_class::Classes;
use planish_classfile::{Body, ClassFile, Code, Flags, Kind, Opcode};
use planish_jvm_ir::lift;
use planish_jvm_ir::lower::{Target, lower};
use planish_jvm_ir::naming::Names;
use planish_jvm_model::hierarchy::Hierarchy;
use planish_jvm_model::verify;
use planish_jvm_model::vtype::TypeContext;

#[derive(Default)]
struct Counts {
    methods: u64,
    back: u64,
    before: (u64, u64),
    after: (u64, u64),
    /// Methods that come back with more instructions, and how many more.
    longer: (u64, u64),
    /// For each kind of instruction of which a method that comes back longer has most more: how many methods, how many
    /// more instructions, how many more the worst has, and its name.
    more: BTreeMap<&'static str, (u64, i64, i64, String)>,
    /// Reasons for methods that do not come back, with an example.
    reasons: BTreeMap<String, (u64, String)>,
}

impl Counts {
    /// Notes of which instructions a method has more than before if it is longer.
    fn compare(&mut self, before: &Code, after: &Code, name: impl Fn() -> String) {
        let longer = after.instructions.len().saturating_sub(before.instructions.len());
        if longer == 0 {
            return;
        }
        self.longer.0 += 1;
        self.longer.1 += longer as u64;
        let mut kinds: BTreeMap<&'static str, i64> = BTreeMap::new();
        for (code, sign) in [(before, -1), (after, 1)] {
            for instruction in &code.instructions {
                *kinds.entry(kind(instruction.op)).or_default() += sign;
            }
        }
        let Some((kind, more)) = kinds.into_iter().max_by_key(|(_, more)| *more) else { return };
        let (methods, instructions, worst, example) = self.more.entry(kind).or_default();
        *methods += 1;
        *instructions += more;
        if more > *worst {
            (*worst, *example) = (more, name());
        }
    }
}

/// What an instruction is for, as far as it says why a method is longer.
fn kind(op: Opcode) -> &'static str {
    let within = |first: Opcode, last: Opcode| (first..=last).contains(&op);
    if within(Opcode::Iload, Opcode::Aload3) {
        "loads of locals"
    } else if within(Opcode::Istore, Opcode::Astore3) {
        "stores to locals"
    } else if within(Opcode::Pop, Opcode::Swap) {
        "copies on the stack"
    } else if within(Opcode::AconstNull, Opcode::Ldc2W) {
        "constants"
    } else if within(Opcode::Ifeq, Opcode::IfAcmpne) || within(Opcode::Ifnull, Opcode::Ifnonnull) {
        "branches"
    } else if matches!(op, Opcode::Goto | Opcode::GotoW) {
        "jumps"
    } else if op.ends_flow() {
        "ends"
    } else {
        "operations"
    }
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
    println!("{} methods are longer, by {} instructions; they have more", counts.longer.0, counts.longer.1);
    let mut more: Vec<_> = counts.more.into_iter().collect();
    more.sort_by_key(|(_, (methods, ..))| std::cmp::Reverse(*methods));
    for (kind, (methods, instructions, worst, example)) in more {
        println!("{methods:7} methods: {instructions} {kind} ({example}, {worst})");
    }
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
                let show = String::from_utf8_lossy;
                counts.compare(&code, &made, || {
                    format!("{}.{}{}", show(&name), show(&method_name), show(&descriptor))
                });
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
