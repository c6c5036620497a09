//! What keeps its name: what rules keep, what the JVM and the JDK look for, what the program itself looks for as far as it
//! is seen, and what class files speak of that stay as they are.

use std::collections::BTreeSet;

use hashbrown::HashSet;
use planish_base::Id;
use planish_classfile::attribute::InnerClass;
use planish_classfile::class::NEWEST;
use planish_classfile::{Attribute, Body, ClassFile, Constant, Flags, Kind, MemberRef};
use planish_jvm_analysis::reach::cause::Root;
use planish_jvm_analysis::reflection::{Looks, looks};
use planish_jvm_analysis::roots::with_names;
use planish_jvm_model::bootstraps::rows;
use planish_jvm_model::program::{Class, Field, Method, Program, classes_in};
use rustc_hash::FxBuildHasher;

use crate::rename::asked::Asked;
use crate::rename::lambdas::{Bootstrap, bootstrap};

/// What keeps its name.
pub struct Kept {
    /// By class, method and field.
    pub classes: Vec<bool>,
    pub methods: Vec<bool>,
    pub fields: Vec<bool>,
    /// Every member of such a name does.
    pub names: BTreeSet<Box<[u8]>>,
    /// Whether interfaces of any kind may be implemented together.
    pub makes_proxies: bool,
    /// By class the one around it, if classes say that.
    pub around: Vec<Option<Class>>,
}

/// What the constants of a program look for.
#[derive(Default)]
struct Seen {
    /// Whether members are looked for by name, or asked for their names.
    members: bool,
    /// Whether components of records are.
    records: bool,
    proxies: bool,
    /// Every string.
    strings: HashSet<Box<[u8]>, FxBuildHasher>,
}

impl Kept {
    /// What of a program keeps its name. O(size of the program, and of the class files outside).
    pub fn of(program: &Program<'_>, asked: &Asked<'_>) -> Kept {
        let [classes, methods, fields] = program.counts();
        let mut kept = Kept {
            classes: vec![false; classes],
            methods: vec![false; methods],
            fields: vec![false; fields],
            names: BTreeSet::new(),
            makes_proxies: false,
            around: around(program, asked.has_inner_classes),
        };
        let seen = seen(program);
        kept.makes_proxies = seen.proxies;
        kept.by_rules(program, asked);
        kept.by_interface(program, asked);
        for class in program.classes.ids() {
            kept.by_language(program, class, asked, &seen);
            kept.by_constants(program, class, asked, &seen);
        }
        kept.by_search(program, asked, &seen);
        asked.outside.iter().for_each(|file| kept.spoken_of(program, file));
        kept.with_surroundings(program);
        kept
    }

    fn class(&mut self, class: Class) {
        self.classes[class.index()] = true;
    }

    fn method(&mut self, method: Method) {
        self.methods[method.index()] = true;
    }

    fn field(&mut self, field: Field) {
        self.fields[field.index()] = true;
    }

    fn class_named(&mut self, program: &Program<'_>, name: &[u8]) {
        if let Some(class) = program.class_named(name) {
            self.class(class);
        }
    }

    fn members(&mut self, program: &Program<'_>, class: Class) {
        program.classes[class].methods.iter().for_each(|&method| self.method(method));
        program.classes[class].fields.iter().for_each(|&field| self.field(field));
    }

    /// What rules keep, and what an option of one tool keeps.
    fn by_rules(&mut self, program: &Program<'_>, asked: &Asked<'_>) {
        for (class, is_named, members) in with_names(program, asked.rules) {
            self.classes[class.index()] |= is_named;
            for member in members {
                match member {
                    Root::Method(method) => self.method(method),
                    Root::Field(field) => self.field(field),
                }
            }
        }
        if asked.rules.has("keepkotlinmetadata") {
            for class in program.classes.ids() {
                let pool = &program.classes[class].file.pool;
                if pool.indices().any(|index| pool.utf8(index) == Ok(b"Lkotlin/Metadata;")) {
                    self.class(class);
                    self.members(program, class);
                }
            }
        }
    }

    /// What is called from outside: main classes, what users of a library see.
    fn by_interface(&mut self, program: &Program<'_>, asked: &Asked<'_>) {
        for name in asked.main {
            let Some(class) = program.class_named(name) else { continue };
            self.class(class);
            for &above in &program.classes[class].supertypes {
                let Some(above) = program.class(above) else { continue };
                for &method in &program.classes[above].methods {
                    let name = program.member_name(program.methods[method].selector);
                    if matches!(name, b"main" | b"premain" | b"agentmain") {
                        self.method(method);
                    }
                }
            }
        }
        for class in program.classes.ids().filter(|_| asked.is_library) {
            let own = &program.classes[class];
            if !own.file.flags.has(Flags::PUBLIC) {
                continue;
            }
            self.class(class);
            for above in own.supertypes.iter().filter_map(|&above| program.class(above)) {
                let seen = Flags::PUBLIC | Flags::PROTECTED;
                for &method in &program.classes[above].methods {
                    self.methods[method.index()] |= program.methods[method].flags.any(seen);
                }
                for &field in &program.classes[above].fields {
                    self.fields[field.index()] |= program.fields[field].flags.any(seen);
                }
            }
        }
    }

    /// What the JVM and the JDK look for by name.
    fn by_language(&mut self, program: &Program<'_>, class: Class, asked: &Asked<'_>, seen: &Seen) {
        let own = &program.classes[class];
        let name = program.name(class);
        let is = |above: &[u8]| own.supertypes.iter().any(|&id| program.hierarchy.name(id) == above);
        if own.file.flags.has(Flags::MODULE) || name.ends_with(b"package-info") {
            self.class(class);
        }
        let is_serializable = is(b"java/io/Serializable");
        let is_written = is_serializable && asked.sought.serialized;
        if is_written {
            self.class(class);
        }
        let is_record = own.file.attribute(Kind::Record).is_some()
            && (seen.records || is_written || asked.sought.fields || asked.sought.methods);
        let mut components: Vec<&[u8]> = Vec::new();
        for &field in &own.fields {
            let info = &program.fields[field];
            let name = program.member_name(info.selector);
            let is_special = matches!(name, b"serialVersionUID" | b"serialPersistentFields");
            let is_state = !info.flags.any(Flags::STATIC | Flags::TRANSIENT);
            if is_serializable && is_special || is_state && (is_written || is_record) {
                self.field(field);
            }
            if is_record && is_state {
                components.push(name);
            }
        }
        let is_enum = own.file.flags.has(Flags::ENUM) || is(b"java/lang/Enum");
        for &method in &own.methods {
            let info = &program.methods[method];
            let (name, text) = (program.member_name(info.selector), program.text(info.selector));
            if info.flags.has(Flags::NATIVE) {
                self.method(method);
                self.class(class);
                classes_in(program.descriptor(info.selector))
                    .for_each(|name| self.class_named(program, name));
            }
            let of_enum = info.flags.has(Flags::STATIC)
                && (name == b"values" || text.starts_with(b"valueOf(Ljava/lang/String;)"));
            let of_stream = matches!(
                text,
                b"writeObject(Ljava/io/ObjectOutputStream;)V"
                    | b"readObject(Ljava/io/ObjectInputStream;)V"
                    | b"readObjectNoData()V"
                    | b"writeReplace()Ljava/lang/Object;"
                    | b"readResolve()Ljava/lang/Object;"
            );
            let is_accessor = components.contains(&name);
            let is_provider = name == b"provider" && info.flags.has(Flags::STATIC);
            if name.starts_with(b"<")
                || own.file.flags.has(Flags::ANNOTATION)
                || is_enum && of_enum
                || is_serializable && of_stream
                || is_accessor
                || is_provider
            {
                self.method(method);
            }
        }
    }

    /// What the constants of a class name in a way that does not change with the names.
    fn by_constants(&mut self, program: &Program<'_>, class: Class, asked: &Asked<'_>, seen: &Seen) {
        let own = &program.classes[class];
        let pool = &own.file.pool;
        let deserializes =
            program.selector(DESERIALIZE).is_some_and(|it| program.declared_method(class, it).is_some());
        if own.flaw.is_some() || own.file.major > NEWEST || deserializes {
            self.class(class);
            self.members(program, class);
            self.spoken_of(program, &own.file);
        }
        let is_adapted = asked.adapted.matches(program.name(class));
        let mut adapted: HashSet<u16, FxBuildHasher> = HashSet::default();
        let table = rows(&own.file).unwrap_or_default();
        for index in pool.indices() {
            match pool.get(index) {
                Ok(Constant::String(number)) => {
                    let Ok(text) = pool.utf8(number) else { continue };
                    if is_adapted && program.class_named(&slashes(text)).is_some() {
                        adapted.insert(number);
                    } else {
                        self.text(program, text);
                    }
                }
                Ok(Constant::Dynamic(row, _) | Constant::InvokeDynamic(row, _)) => {
                    let Ok((_, name, descriptor)) = pool.dynamic(index) else { continue };
                    if let Bootstrap::Unknown = bootstrap(pool, &table, row, descriptor) {
                        self.names.insert(name.into());
                    }
                }
                _ => {}
            }
        }
        // Texts of annotations are no strings; a name with dots is no name of this class file's own.
        for index in pool.indices().filter(|index| !adapted.contains(index)) {
            if let Ok(text) = pool.utf8(index)
                && text.contains(&b'.')
            {
                self.text(program, text);
            }
        }
        if seen.members {
            let is_string = |name: &[u8]| seen.strings.contains(name);
            for &method in &own.methods {
                self.methods[method.index()] |=
                    is_string(program.member_name(program.methods[method].selector));
            }
            for &field in &own.fields {
                self.fields[field.index()] |= is_string(program.member_name(program.fields[field].selector));
            }
        }
    }

    /// A text that may be the name of a class.
    fn text(&mut self, program: &Program<'_>, text: &[u8]) {
        class_of_text(program, text).into_iter().for_each(|class| self.class(class));
    }

    /// What is found by names that are built, or that resources say.
    fn by_search(&mut self, program: &Program<'_>, asked: &Asked<'_>, seen: &Seen) {
        let sought = asked.sought;
        for name in &sought.classes {
            self.class_named(program, name);
        }
        for name in &sought.whole {
            let dotted: Vec<u8> = name.iter().map(|&byte| if byte == b'/' { b'.' } else { byte }).collect();
            // Where it is a string, that decides.
            if !seen.strings.contains(&dotted[..]) {
                self.class_named(program, name);
            }
        }
        for name in asked.in_resources {
            self.class_named(program, name);
        }
        for class in program.classes.ids() {
            if sought.any_class {
                self.class(class);
            }
            let own = &program.classes[class];
            if sought.methods {
                own.methods.iter().for_each(|&method| self.method(method));
            }
            if sought.fields {
                own.fields.iter().for_each(|&field| self.field(field));
            }
        }
    }

    /// A class file speaks of what it says, and will go on so.
    fn spoken_of(&mut self, program: &Program<'_>, file: &ClassFile<'_>) {
        let pool = &file.pool;
        for index in pool.indices() {
            if let Ok(name) = pool.class(index) {
                self.class_named(program, name);
            }
            // Descriptors and generic types, wherever they stand.
            if let Ok(text) = pool.utf8(index) {
                classes_in(text).for_each(|name| self.class_named(program, name));
            }
            if let Ok((name, _)) = pool.name_and_type(index) {
                self.names.insert(name.into());
            }
        }
        for member in file.methods.iter().chain(&file.fields) {
            if let Ok(name) = pool.utf8(member.name) {
                self.names.insert(name.into());
            }
        }
        if let Ok(name) = file.name() {
            self.class_named(program, name);
        }
    }

    /// A member class that keeps its name is called after the one around it, which does, too.
    fn with_surroundings(&mut self, program: &Program<'_>) {
        for class in program.classes.ids() {
            let mut at = class;
            while self.classes[at.index()]
                && let Some(around) = self.around[at.index()]
                && !std::mem::replace(&mut self.classes[around.index()], true)
            {
                at = around;
            }
        }
    }
}

/// The class of the program of which a text may be the name, or that of its file.
pub(crate) fn class_of_text(program: &Program<'_>, text: &[u8]) -> Option<Class> {
    let name = slashes(text);
    let name = name.strip_suffix(b"/class").unwrap_or(&name);
    program.class_named(name.strip_prefix(b"/").unwrap_or(name))
}

/// A name as class files write it.
pub fn slashes(name: &[u8]) -> Vec<u8> {
    name.iter().map(|&byte| if byte == b'.' { b'/' } else { byte }).collect()
}

/// By which compilers let lambdas be read from streams, with all names as strings.
const DESERIALIZE: &[u8] = b"$deserializeLambda$(Ljava/lang/invoke/SerializedLambda;)Ljava/lang/Object;";

/// What the constants of a program look for. O(constants).
fn seen(program: &Program<'_>) -> Seen {
    let mut seen = Seen::default();
    for class in program.classes.ids() {
        let pool = &program.classes[class].file.pool;
        for index in pool.indices() {
            if let Ok(text) = pool.string(index) {
                seen.strings.insert(text.into());
            } else if let Ok(member) = pool.member(index) {
                seen.member(&member);
            }
        }
    }
    seen
}

impl Seen {
    fn member(&mut self, member: &MemberRef<'_>) {
        let looks = looks(member);
        let of_reflection = member.class.starts_with(b"java/lang/reflect/");
        self.members |= matches!(looks, Some(Looks::Fields | Looks::Methods | Looks::Members))
            || of_reflection && member.name == b"getName"
            || member.name == b"getMethodName";
        self.records |=
            member.name == b"getRecordComponents" || member.class == b"java/lang/reflect/RecordComponent";
        self.proxies |= looks == Some(Looks::Implements);
    }
}

/// By class the one around it.
fn around(program: &Program<'_>, says_so: bool) -> Vec<Option<Class>> {
    let [classes, ..] = program.counts();
    let mut around = vec![None; classes];
    for class in program.classes.ids().filter(|_| says_so) {
        let file = &program.classes[class].file;
        let outer = outer(file, &file.attributes).and_then(|name| program.class_named(name));
        around[class.index()] = outer.filter(|&outer| outer != class);
    }
    // A class that would be around itself has nothing around it.
    for class in program.classes.ids() {
        let (mut at, mut steps) = (class, 0);
        while let Some(next) = around[at.index()] {
            steps += 1;
            if next == class || steps > DEEPEST {
                around[class.index()] = None;
                break;
            }
            at = next;
        }
    }
    around
}

/// How deep classes may stand in each other.
const DEEPEST: usize = 100;

/// The class around a class, as its attributes say it.
fn outer<'f>(file: &'f ClassFile<'_>, attributes: &[Attribute<'_>]) -> Option<&'f [u8]> {
    let own = file.name().ok()?;
    let mut around = None;
    for attribute in attributes {
        match attribute.decode(&file.pool) {
            Ok(Some(Body::InnerClasses(list))) => {
                let is_own = |item: &&InnerClass| file.pool.class(item.class) == Ok(own);
                let outer = list.iter().find(is_own).map(|item| item.outer);
                around = outer.and_then(|outer| file.pool.optional_class(outer).ok().flatten()).or(around);
            }
            Ok(Some(Body::EnclosingMethod { class, .. })) if around.is_none() => {
                around = file.pool.class(class).ok();
            }
            _ => {}
        }
    }
    // Compilers call a class after the one around it; one that is not is on its own.
    around.filter(|around| own.strip_prefix(*around).is_some_and(|rest| rest.starts_with(b"$")))
}
