//! Reads every class of the given inputs, decodes everything in it, writes it again and compares.
//!
//! ```text
//! cargo run --release -p planish-classfile --example class_files -- [INPUT...]
//! ```
//!
//! An input is a run-time image (`lib/modules`), a jar, a class file or a directory of classes and
//! jars; without any, it is the run-time image of the JDK that is found. Each class is checked three
//! times: written as read; every attribute decoded and encoded; every method body taken apart into
//! instructions with indices as targets and put together. Jars are written again, too, and must keep
//! their entries. Exit status 1 if anything differs.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use planish_base::Budget;
use planish_classfile::check::Census;
use planish_classfile::jimage::{self, Image};
use planish_classfile::source::Source;
use planish_classfile::zip::{Archive, Entry, INFLATED_LIMIT};
use planish_classfile::{Attribute, Body, ClassFile, Code, ConstantPool, Error, Result};

#[derive(Default)]
struct Counts {
    census: Census,
    bytes: u64,
    differences: u64,
    errors: u64,
}

struct Input {
    name: String,
    classes: Vec<(String, Vec<u8>)>,
}

fn main() -> ExitCode {
    let mut paths: Vec<_> = std::env::args_os().skip(1).map(std::path::PathBuf::from).collect();
    if paths.is_empty() {
        match jimage::find_image() {
            Some(path) => paths.push(path),
            None => {
                eprintln!("no input, and no JDK is found");
                return ExitCode::from(2);
            }
        }
    }
    let mut bad = false;
    for path in paths {
        match load(&path) {
            Ok(input) => bad |= check(&input),
            Err(error) => {
                eprintln!("{}: {error}", path.display());
                bad = true;
            }
        }
    }
    ExitCode::from(u8::from(bad))
}

fn load(path: &Path) -> io::Result<Input> {
    let mut input = Input { name: path.display().to_string(), classes: Vec::new() };
    if path.is_file() && File::open(path).and_then(|file| first_word(&file))? == RUN_TIME_IMAGE {
        let image = Image::open(path)?;
        for resource in image.resources() {
            let resource = resource.map_err(io::Error::other)?;
            if resource.extension == b"class" {
                let content = image.content(&resource).map_err(io::Error::other)?;
                input
                    .classes
                    .push((String::from_utf8_lossy(&resource.path()).into_owned(), content.to_vec()));
            }
        }
        return Ok(input);
    }
    let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
    take_archive(&Source::read(path)?.archive, &input.name.clone(), &mut budget, &mut input)
        .map_err(io::Error::other)?;
    Ok(input)
}

const RUN_TIME_IMAGE: [u8; 4] = 0xcafe_dada_u32.to_le_bytes();

fn first_word(mut file: &File) -> io::Result<[u8; 4]> {
    let mut word = [0; 4];
    file.read_exact(&mut word)?;
    Ok(word)
}

/// Takes the classes of an archive and of the jars in it, and checks that writing the archive keeps it.
fn take_archive(archive: &Archive, name: &str, budget: &mut Budget, input: &mut Input) -> Result<()> {
    let mut bytes = Vec::new();
    archive.write(&mut bytes)?;
    let again = Archive::read(bytes)?;
    let key = |entry: &Entry| (entry.name.clone(), entry.modified, entry.local_extra.clone(), entry.size());
    if !archive.entries.iter().map(key).eq(again.entries.iter().map(key)) {
        return Err(Error::unwritable("the same entries in the archive that was written"));
    }
    for (entry, same) in archive.entries.iter().zip(&again.entries) {
        let content = entry.content(budget)?;
        if content != same.content(budget)? {
            return Err(Error::unwritable("the same content in the archive that was written"));
        }
        let path = format!("{name}!{}", String::from_utf8_lossy(&entry.name));
        if entry.name.ends_with(b".class") {
            input.classes.push((path, content.into_owned()));
        } else if entry.name.ends_with(b".jar") {
            take_archive(&Archive::read(content.into_owned())?, &path, budget, input)?;
        }
    }
    Ok(())
}

/// Prints counts and speeds; returns whether something differed or was refused.
fn check(input: &Input) -> bool {
    let mut counts = Counts::default();
    // Once to warm up, then the parse that is measured.
    let mut parse = Duration::MAX;
    for _ in 0..3 {
        counts = Counts::default();
        let start = Instant::now();
        for (name, bytes) in &input.classes {
            counts.bytes += bytes.len() as u64;
            let result = ClassFile::read(bytes).and_then(|class| class.decode_all(&mut counts.census));
            if let Err(error) = result {
                counts.errors += 1;
                println!("{name}: {error}");
            }
        }
        parse = parse.min(start.elapsed());
    }
    let start = Instant::now();
    let mut out = Vec::new();
    for (name, bytes) in &input.classes {
        out.clear();
        let same = ClassFile::read(bytes).and_then(|class| class.write(&mut out)).is_ok() && out == *bytes;
        if !same {
            counts.differences += 1;
            println!("{name}: differs as a whole");
        }
    }
    let whole = start.elapsed();
    let start = Instant::now();
    for (name, bytes) in &input.classes {
        if let Err(error) = rewrite(name, bytes, &mut counts) {
            counts.errors += 1;
            println!("{name}: {error}");
        }
    }
    let rewritten = start.elapsed();
    let speed = |time: Duration| counts.bytes as f64 / 1e6 / time.as_secs_f64();
    println!(
        "{}: {} classes, {} bytes, {} attributes ({} unknown), {} bodies, {} instructions; \
         {} differences, {} errors; decode {:.0} MB/s, copy {:.0} MB/s, decode and rewrite {:.0} MB/s",
        input.name,
        input.classes.len(),
        counts.bytes,
        counts.census.attributes,
        counts.census.unknown,
        counts.census.bodies,
        counts.census.instructions,
        counts.differences,
        counts.errors,
        speed(parse),
        speed(whole),
        speed(rewritten),
    );
    counts.differences + counts.errors > 0
}

/// Encodes every attribute and every body again and compares with what was read.
fn rewrite(name: &str, bytes: &[u8], counts: &mut Counts) -> Result<()> {
    let class = ClassFile::read(bytes)?;
    class.check()?;
    let members = class.fields.iter().chain(&class.methods);
    for list in members.map(|member| &member.attributes).chain([&class.attributes]) {
        rewrite_attributes(name, list, &class.pool, counts);
    }
    Ok(())
}

fn rewrite_attributes(name: &str, list: &[Attribute<'_>], pool: &ConstantPool<'_>, counts: &mut Counts) {
    for attribute in list {
        let mut again = Vec::new();
        let result = attribute.decode(pool).and_then(|body| {
            match &body {
                Some(Body::Code(code)) => {
                    rewrite_attributes(name, &code.attributes, pool, counts);
                    Code::read(code, pool)?.write(&mut again)?;
                    if again == *attribute.content {
                        again.clear();
                        code.write(&mut again)?;
                    }
                }
                Some(body) => body.write(&mut again)?,
                None => again.extend_from_slice(&attribute.content),
            }
            Ok(())
        });
        if let Err(error) = result {
            counts.errors += 1;
            println!("{name}: {error}");
        } else if again != *attribute.content {
            counts.differences += 1;
            println!("{name}: attribute at byte {} differs", attribute.offset);
        }
    }
}
