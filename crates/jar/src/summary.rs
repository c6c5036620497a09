//! What a jar needs of others, as keep rules: so that a build of many jars is optimized in parts.
//!
//! A library that is optimized with its users at hand has to be optimized again when any of them changes, and on a machine
//! that has them all. Its users' *summaries* are enough: the classes and members that they speak of, the methods that they
//! may override, and what they find by names in strings. A summary is written in ProGuard's language, small, readable, the
//! same for the same classes, and given to the optimization of the library by `--keep`; what the library offers to nobody
//! goes, and what is kept is open to its users, so nothing is assumed of their calls.
//!
//! Members are kept by name and type in whatever class has them: a reference may lead to a member of a class above the one
//! that it names, which only the library knows.

use std::collections::BTreeSet;

use planish_base::Budget;
use planish_classfile::descriptor::{MethodType, Type};
use planish_classfile::jar::{Role, service_classes};
use planish_classfile::zip::{Archive, INFLATED_LIMIT};
use planish_classfile::{ClassFile, Constant, Flags, MemberKind};
use planish_jvm_model::program::classes_in;

/// What some jars need of others.
#[derive(Default)]
struct Needs {
    /// Classes that are there, as in `a/B`.
    own: BTreeSet<Vec<u8>>,
    /// Classes that are spoken of.
    classes: BTreeSet<Vec<u8>>,
    /// Members by name and descriptor.
    methods: BTreeSet<(Vec<u8>, Vec<u8>)>,
    fields: BTreeSet<(Vec<u8>, Vec<u8>)>,
    /// Methods of interfaces that call sites implement, by name.
    implemented: BTreeSet<Vec<u8>>,
    /// Names in strings that may be those of classes, as in `a.B`, if anything looks for classes by name.
    named: BTreeSet<String>,
    loads: bool,
}

/// The keep rules of what the classes of some archives need of classes elsewhere. The error names what cannot be read.
pub fn summarize(archives: &[Archive]) -> Result<String, String> {
    let mut needs = Needs::default();
    let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
    for entry in archives.iter().flat_map(|archive| &archive.entries) {
        let failed =
            |error: planish_classfile::Error| format!("{}: {error}", String::from_utf8_lossy(&entry.name));
        match Role::of(&entry.name) {
            Role::Class { .. } => {
                let content = entry.content(&mut budget).map_err(failed)?;
                ClassFile::read(&content).and_then(|file| needs.class(&file)).map_err(failed)?;
            }
            Role::Service(name) => {
                let content = entry.content(&mut budget).map_err(failed)?;
                // Whoever asks for the service makes its providers by their constructor without parameters.
                for class in service_classes(&content).chain([name]) {
                    needs.classes.insert(slashes(class));
                    needs.methods.insert((b"<init>".to_vec(), b"()V".to_vec()));
                }
            }
            _ => {}
        }
    }
    Ok(needs.rules())
}

fn slashes(name: &[u8]) -> Vec<u8> {
    name.iter().map(|&byte| if byte == b'.' { b'/' } else { byte }).collect()
}

impl Needs {
    fn class(&mut self, file: &ClassFile<'_>) -> planish_classfile::Result<()> {
        let pool = &file.pool;
        self.own.insert(file.name()?.to_vec());
        for index in pool.indices() {
            match pool.get(index)? {
                Constant::Class(_) => {
                    let name = pool.class(index)?;
                    match name.first() {
                        Some(b'[') => self.types(name),
                        _ => self.mention(name),
                    }
                }
                Constant::Field(..) | Constant::Method(..) | Constant::InterfaceMethod(..) => {
                    let member = pool.member(index)?;
                    let list =
                        if member.kind == MemberKind::Field { &mut self.fields } else { &mut self.methods };
                    list.insert((member.name.to_vec(), member.descriptor.to_vec()));
                    self.loads |= looks_for_classes(member.class, member.name);
                }
                Constant::NameAndType(..) => self.types(pool.name_and_type(index)?.1),
                Constant::MethodType(_) => self.types(pool.method_type(index)?),
                Constant::InvokeDynamic(..) => {
                    let (_, name, _) = pool.dynamic(index)?;
                    self.implemented.insert(name.to_vec());
                }
                Constant::String(text) => {
                    let text = String::from_utf8_lossy(pool.utf8(text)?).into_owned();
                    if is_class_name(&text) {
                        self.named.insert(text.replace('/', "."));
                    }
                }
                _ => {}
            }
        }
        for member in file.methods.iter().chain(&file.fields) {
            self.types(pool.utf8(member.descriptor)?);
        }
        // What it may override.
        for method in file.methods.iter().filter(|method| !method.flags.any(Flags::STATIC | Flags::PRIVATE)) {
            let name = pool.utf8(method.name)?;
            if !name.starts_with(b"<") {
                self.methods.insert((name.to_vec(), pool.utf8(method.descriptor)?.to_vec()));
            }
        }
        Ok(())
    }

    fn types(&mut self, descriptor: &[u8]) {
        classes_in(descriptor).for_each(|name| self.mention(name));
    }

    fn mention(&mut self, name: &[u8]) {
        self.classes.insert(name.to_vec());
    }

    fn rules(&self) -> String {
        let mut text = String::from(
            "# What some classes need of others. Written by `planish summarize`.\n-keepattributes *\n",
        );
        let dotted = |name: &[u8]| String::from_utf8_lossy(name).replace('/', ".");
        for class in self.classes.difference(&self.own) {
            text += &format!("-keep class {}\n", dotted(class));
        }
        let mut members: BTreeSet<String> = BTreeSet::new();
        for (name, descriptor) in &self.methods {
            members.extend(method(&String::from_utf8_lossy(name), descriptor));
        }
        for (name, descriptor) in &self.fields {
            let ty = Type::parse(descriptor).map(shown);
            members.extend(ty.map(|ty| format!("{ty} {};", String::from_utf8_lossy(name))));
        }
        for name in &self.implemented {
            members.insert(format!("*** {}(...);", String::from_utf8_lossy(name)));
        }
        if !members.is_empty() {
            text += "-keepclassmembers class ** {\n";
            members.iter().for_each(|line| text += &format!("    {line}\n"));
            text += "}\n";
        }
        if self.loads {
            text += "# Classes are looked for by name. Names that are computed cannot be seen here: rules have to say them.\n";
            for name in self.named.iter().filter(|name| !self.own.contains(&slashes(name.as_bytes()))) {
                text += &format!("-keep class {name} {{ *; }}\n");
            }
        }
        text
    }
}

/// A method in ProGuard's language; `None` for a malformed descriptor.
fn method(name: &str, descriptor: &[u8]) -> Option<String> {
    let ty = MethodType::parse(descriptor)?;
    let parameters: Vec<String> = ty.parameters().map(shown).collect();
    let result = ty.result().map_or_else(|| "void".to_owned(), shown);
    Some(match name {
        "<init>" => format!("<init>({});", parameters.join(",")),
        name => format!("{result} {name}({});", parameters.join(",")),
    })
}

/// A type as Java writes it.
fn shown(ty: Type<'_>) -> String {
    let word = match ty {
        Type::Boolean => "boolean",
        Type::Byte => "byte",
        Type::Char => "char",
        Type::Short => "short",
        Type::Int => "int",
        Type::Long => "long",
        Type::Float => "float",
        Type::Double => "double",
        Type::Object(name) => return String::from_utf8_lossy(name).replace('/', "."),
        Type::Array(_) => return format!("{}[]", ty.element().map_or_else(String::new, shown)),
    };
    word.to_owned()
}

/// Whether a call finds classes by their names.
fn looks_for_classes(class: &[u8], name: &[u8]) -> bool {
    matches!(
        (class, name),
        (b"java/lang/Class", b"forName")
            | (_, b"class$" | b"loadClass" | b"findClass")
            | (b"java/util/ServiceLoader", _)
    )
}

/// Whether a text has the form of a class name, with dots or slashes.
fn is_class_name(text: &str) -> bool {
    let is_name = |part: &str| {
        let start = part.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_' || c == '$');
        start && part.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$')
    };
    text.split(['.', '/']).all(is_name)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use planish_classfile::source::Source;

    /// The user of the strawman's loggers speaks of two of the three.
    #[test]
    fn a_user_says_which_classes_and_members_it_needs() {
        let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/strawman"));
        let mut archive = Source::read(path).expect("classes").archive;
        archive.entries.retain(|entry| entry.name == b"Strawman.class");
        let text = summarize(&[archive]).expect("well-formed");
        let has = |line: &str| text.lines().any(|found| found.trim_start() == line);
        assert!(has("-keep class Strawman$Logger") && has("-keep class Strawman$PrintLogger"), "{text}");
        assert!(has("Strawman$Logger log(java.lang.Object);") && has("<init>();"), "{text}");
        assert!(!has("-keep class Strawman"), "its own class is not another's business: {text}");
    }
}
