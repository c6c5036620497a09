//! Programs as a few lines of text, and archives as text.
//!
//! A line is `class NAME [: SUPERTYPE...]` (the first one is the class above), `interface NAME [: INTERFACE...]`,
//! `field NAME:TYPE` or `method NAME(TYPES)TYPE`, with flags in front of the kind, or what the method above it does:
//! `calls C.m()V`, `sends C.m()V` (to an object), `reads C.f:I`, `says TEXT`; `line N` begins that line of a source.

use std::fmt::Write;

use planish_base::Budget;
use planish_classfile::builder::CodeBuilder;
use planish_classfile::descriptor::{MethodType, Type};
use planish_classfile::jar::Role;
use planish_classfile::zip::{DosTime, Entry};
use planish_classfile::{ClassFile, Constant, Flags, Opcode};
use planish_jar::classes::{Archive, Method};

/// Pushes something of a type.
fn push(code: &mut CodeBuilder, ty: Type<'_>) {
    code.op(match ty {
        Type::Long => Opcode::Lconst0,
        Type::Float => Opcode::Fconst0,
        Type::Double => Opcode::Dconst0,
        Type::Object(_) | Type::Array(_) => Opcode::AconstNull,
        _ => Opcode::Iconst0,
    });
}

fn pop(code: &mut CodeBuilder, ty: Option<Type<'_>>) {
    if let Some(ty) = ty {
        code.op(if ty.slots() == 2 { Opcode::Pop2 } else { Opcode::Pop });
    }
}

/// A line about what a method does.
fn does(code: &mut CodeBuilder, class: &mut ClassFile<'_>, line: &str) {
    let pool = &mut class.pool;
    let (what, of) = line.split_once(' ').unwrap();
    if what == "line" {
        code.line(of.parse().unwrap()).op(Opcode::Nop);
        return;
    }
    if what == "says" {
        let text = pool.add_utf8(of.as_bytes()).unwrap();
        code.load(Constant::String(text), pool).unwrap().op(Opcode::Pop);
        return;
    }
    let (owner, member) = of.split_once('.').unwrap();
    if what == "reads" {
        let (name, ty) = member.split_once(':').unwrap();
        code.field(Opcode::Getstatic, [owner, name, ty].map(str::as_bytes), pool).unwrap();
        return pop(code, Type::parse(ty.as_bytes()));
    }
    let (name, rest) = member.split_at(member.find('(').unwrap());
    let ty = MethodType::parse(rest.as_bytes()).unwrap();
    if what == "sends" {
        code.op(Opcode::AconstNull);
    }
    ty.parameters().for_each(|ty| push(code, ty));
    let op = if what == "sends" { Opcode::Invokevirtual } else { Opcode::Invokestatic };
    code.call(op, [owner, name, rest].map(str::as_bytes), pool).unwrap();
    pop(code, ty.result());
}

fn flags(words: &[&str]) -> Flags {
    words.iter().fold(Flags(0), |flags, word| {
        flags
            | match *word {
                "public" => Flags::PUBLIC,
                "private" => Flags::PRIVATE,
                "protected" => Flags::PROTECTED,
                "static" => Flags::STATIC,
                "final" => Flags::FINAL,
                "native" => Flags::NATIVE,
                "enum" => Flags::ENUM,
                "annotation" => Flags::ANNOTATION,
                other => panic!("{other} is no flag"),
            }
    })
}

/// One class of a text.
pub fn class(head: &str, lines: &[&str]) -> Vec<u8> {
    let (front, above) = head.split_once(" : ").unwrap_or((head, ""));
    let mut words: Vec<&str> = front.split_whitespace().collect();
    let name = words.pop().unwrap();
    let is_interface = words.pop() == Some("interface");
    let mut above = above.split_whitespace();
    let extends = if is_interface { None } else { above.next() }.unwrap_or("java/lang/Object");
    let kind = if is_interface { Flags::INTERFACE | Flags::ABSTRACT } else { Flags::SUPER };
    let mut class =
        ClassFile::new(52, flags(&words) | kind, name.as_bytes(), Some(extends.as_bytes())).unwrap();
    for interface in above {
        let interface = class.pool.add_class(interface.as_bytes()).unwrap();
        class.interfaces.push(interface);
    }
    let mut at = 0;
    while at < lines.len() {
        let mut words: Vec<&str> = lines[at].split_whitespace().collect();
        let member = words.pop().unwrap();
        let kind = words.pop().unwrap();
        let flags = flags(&words);
        at += 1;
        if kind == "field" {
            let (name, ty) = member.split_once(':').unwrap();
            class.add_field(flags, name.as_bytes(), ty.as_bytes()).unwrap();
            continue;
        }
        let (name, ty) = member.split_at(member.find('(').unwrap());
        let mut code = CodeBuilder::new();
        let is_done = |line: &str| {
            ["calls", "sends", "reads", "says", "line"].contains(&line.split(' ').next().unwrap())
        };
        while at < lines.len() && is_done(lines[at]) {
            does(&mut code, &mut class, lines[at]);
            at += 1;
        }
        code.op(Opcode::AconstNull).op(Opcode::Athrow);
        let slots = MethodType::parse(ty.as_bytes()).unwrap().parameter_slots();
        let slots = slots + u16::from(!flags.has(Flags::STATIC));
        let code = code.finish(slots, &mut class.pool).unwrap();
        let has_body = !flags.has(Flags::NATIVE) && !is_interface;
        let flags = if is_interface { flags | Flags::PUBLIC | Flags::ABSTRACT } else { flags };
        class.add_method(flags, name.as_bytes(), ty.as_bytes(), has_body.then_some(&code)).unwrap();
    }
    class.to_bytes().unwrap()
}

/// The program of a text, with resources.
pub fn program(text: &str, resources: &[(&str, &str)]) -> Archive {
    let mut archive = Archive::default();
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let is_head = |line: &&str| {
        let front = line.split(" : ").next().unwrap();
        let mut words = front.split_whitespace().rev().skip(1);
        words.next().is_some_and(|word| matches!(word, "class" | "interface"))
    };
    let starts: Vec<usize> = (0..lines.len()).filter(|&at| is_head(&lines[at])).collect();
    for (number, &start) in starts.iter().enumerate() {
        let end = starts.get(number + 1).copied().unwrap_or(lines.len());
        let bytes = class(lines[start], &lines[start + 1..end]);
        let name = ClassFile::read(&bytes).unwrap().name().unwrap().to_vec();
        let name = [&name[..], b".class"].concat();
        archive.entries.push(Entry::new(&name, DosTime::EPOCH, &bytes, Method::Stored));
    }
    for (name, content) in resources {
        let entry = Entry::new(name.as_bytes(), DosTime::EPOCH, content.as_bytes(), Method::Stored);
        archive.entries.push(entry);
    }
    archive
}

/// The classes of an archive, with what they name, and the names of other entries.
pub fn dumped(archive: &Archive) -> String {
    let mut text = String::new();
    let mut entries: Vec<&Entry> = archive.entries.iter().collect();
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    for entry in entries {
        let content = entry.content(&mut Budget::new("bytes", 1 << 20)).unwrap();
        let Role::Class { name, .. } = Role::of(&entry.name) else {
            let content = String::from_utf8_lossy(&content);
            let _ = writeln!(text, "{}: {}", String::from_utf8_lossy(&entry.name), content.trim());
            continue;
        };
        let file = ClassFile::read(&content).unwrap();
        file.pool.check().unwrap();
        let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert_eq!(file.name(), Ok(name), "an entry is called after its class");
        let above = file.super_name().unwrap().unwrap();
        let interfaces = file.interface_names().map(|name| shown(name.unwrap()));
        let above: Vec<String> = std::iter::once(shown(above)).chain(interfaces).collect();
        let _ = writeln!(text, "{} : {}", shown(name), above.join(" "));
        for member in file.fields.iter().chain(&file.methods) {
            let [name, ty] = [member.name, member.descriptor].map(|i| shown(file.pool.utf8(i).unwrap()));
            let divider = if ty.starts_with('(') { "" } else { ":" };
            let _ = writeln!(text, "  {name}{divider}{ty}");
        }
        for index in file.pool.indices() {
            if let Ok(member) = file.pool.member(index) {
                let [class, name, ty] = [member.class, member.name, member.descriptor].map(shown);
                let _ = writeln!(text, "  names {class}.{name} {ty}");
            } else if let Ok(string) = file.pool.string(index) {
                let _ = writeln!(text, "  says {}", shown(string));
            }
        }
    }
    text
}

/// Holds text against text, line by line, without what stands in front of lines.
pub fn assert_text(found: &str, expected: &str) {
    let lines = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
    };
    assert_eq!(lines(found).join("\n"), lines(expected).join("\n"));
}
