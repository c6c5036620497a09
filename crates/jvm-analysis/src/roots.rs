//! Roots of reachability (entry points): main class, keep rules, the API of a library.

use std::collections::BTreeSet;

use planish_classfile::annotation::Annotation;
use planish_classfile::{Attribute, Body, Flags};
use planish_jvm_model::program::{Class, Method, Program, classes_in};
use planish_jvm_model::uses::{Scanner, Use};
use planish_keep::pattern::NamePattern;
use planish_keep::{ClassPattern, Configuration, KeepRule, Keeps, MemberPattern, MemberShape};

use crate::reach::Reach;
use crate::reach::cause::{Cause, Root};

/// Conditions of keep rules that are met: the number of the rule, and what the wildcards of its condition matched. They stay
/// so in later rounds, in which what met them may stand in other methods.
pub type Active = BTreeSet<(usize, Vec<Vec<u8>>)>;

impl Reach<'_, '_> {
    /// The program begins at the `main` methods of a class, by its name as in `a/B`. `false` if there is
    /// no such class, or it has none.
    pub fn main(&mut self, name: &[u8]) -> bool {
        let Some(class) = self.program.class_named(name) else { return false };
        let cause = self.root(format!("main class {}", self.program.show_class(class)));
        let hierarchy = self.program.hierarchy;
        let mut found = false;
        for above in hierarchy.ancestors(self.program.classes[class].id) {
            let Some(above) = self.program.class(above) else { break };
            for &method in &self.program.classes[above].methods {
                let info = self.program.methods[method];
                let is_main =
                    matches!(self.program.text(info.selector), b"main([Ljava/lang/String;)V" | b"main()V");
                if is_main {
                    found = true;
                    self.keep_method(method, cause);
                    if !info.flags.has(Flags::STATIC) {
                        self.keep_whole(class, cause);
                    }
                }
            }
        }
        self.initialize(class, cause);
        found
    }

    /// A class that something outside finds by name, as in `a/B`: it is kept whole.
    pub fn named_outside(&mut self, name: &[u8], why: &str) {
        if let Some(class) = self.program.class_named(name) {
            let cause = self.root(why.to_owned());
            self.keep_whole(class, cause);
        }
    }

    /// A class stays as it is, and so does everything that it speaks of.
    pub fn keep_copied(&mut self, class: Class) -> planish_classfile::Result<()> {
        let cause = self.root(format!("{}, which is copied", self.program.show_class(class)));
        self.keep_as_it_is(class, cause)
    }

    /// The same, for a reason.
    pub(super) fn keep_as_it_is(&mut self, class: Class, cause: Cause) -> planish_classfile::Result<()> {
        self.keep_whole(class, cause);
        self.extend(class);
        self.outside(&self.program.classes[class].file, cause)
    }

    /// A method, by class, name and descriptor as in `a/B.run()V`, stays as it is: something outside may call it, and
    /// everything that its bytes mention may be used from outside. Nothing happens if it is not there.
    pub fn pin(&mut self, method: &[u8]) {
        let program = self.program;
        let name: Box<[u8]> = method.into();
        let Some(method) = program.method_named(method) else { return };
        let cause = self.root(format!("{}, which is pinned", program.show_method(method)));
        self.pins.push((name, cause));
        self.keep_body(method, cause);
    }

    /// Something outside may call a method and use everything that its bytes mention.
    pub(super) fn keep_body(&mut self, method: Method, cause: Cause) {
        let program = self.program;
        let class = program.methods[method].class;
        self.keep_method(method, cause);
        let file = &program.classes[class].file;
        let mut uses = Vec::new();
        let member = &file.methods[usize::from(program.methods[method].place)];
        let scanned = Scanner::new(file)
            .and_then(|scanner| scanner.method(member, &mut |at, found: Use<'_>| uses.push((at, found))));
        // What cannot be scanned is reported when the method is reached.
        if scanned.is_ok() {
            self.named_by_bytes(class, &uses, cause);
        }
    }

    /// Everything that a user of a library may touch: public and protected members of public classes,
    /// inherited ones included.
    pub fn library_api(&mut self) {
        let cause = self.root("the interface of the library".to_owned());
        let program = self.program;
        self.serializes(cause);
        self.lists_all_constants();
        for class in program.classes.ids() {
            let own = &program.classes[class];
            if !own.file.flags.has(Flags::PUBLIC) || own.file.flags.has(Flags::MODULE) {
                continue;
            }
            // Users make instances, or classes that extend it.
            self.instantiate(class, cause);
            self.extend(class);
            for above in own.supertypes.iter().filter_map(|&above| program.class(above)) {
                for &method in &program.classes[above].methods {
                    let info = program.methods[method];
                    if info.flags.any(Flags::PUBLIC | Flags::PROTECTED) {
                        self.keep_method(method, cause);
                        if !info.flags.has(Flags::STATIC) {
                            self.call_from_outside(own.id, info.selector);
                        }
                    }
                }
                for &field in &program.classes[above].fields {
                    if program.fields[field].flags.any(Flags::PUBLIC | Flags::PROTECTED) {
                        self.use_field(field, cause);
                    }
                }
            }
        }
    }

    /// What keep rules keep, those with a condition if it is among the active ones. Rules with `allowshrinking` keep nothing.
    pub fn keep(&mut self, configuration: &Configuration, active: &Active) {
        for (number, rule) in configuration.keep.iter().enumerate().filter(|(_, rule)| !rule.allow_shrinking)
        {
            if rule.condition.is_none() {
                self.keep_by(number, rule, &[]);
            }
            for (_, captures) in active.iter().filter(|(of, _)| *of == number) {
                self.keep_by(number, rule, captures);
            }
        }
    }

    /// Looks for conditions of keep rules that are met by what is needed so far and were not before, and keeps what the
    /// rules keep then. Whether there was one: with what is kept now, others may be met.
    pub fn meet_conditions(&mut self, configuration: &Configuration, active: &mut Active) -> bool {
        let mut is_met = false;
        for (number, rule) in configuration.keep.iter().enumerate().filter(|(_, rule)| !rule.allow_shrinking)
        {
            let Some(condition) = &rule.condition else { continue };
            let is_there = |root| match root {
                Root::Method(method) => self.is_live(method) || self.is_declared(method),
                Root::Field(field) => self.is_field_needed(field),
            };
            let needed = self.program.classes.ids().filter(|&class| self.is_needed(class));
            for captures in conditions(self.program, condition, needed.collect(), &is_there) {
                if active.insert((number, captures.clone())) {
                    is_met = true;
                    self.keep_by(number, rule, &captures);
                }
            }
        }
        is_met
    }

    /// What the rule of this number keeps, after a condition in which wildcards matched these.
    fn keep_by(&mut self, of_rule: usize, rule: &KeepRule, before: &[Vec<u8>]) {
        let program = self.program;
        for class in candidates(program, rule) {
            let mut captures = before.to_vec();
            if !matches_class(program, &rule.classes, class, &mut captures) {
                continue;
            }
            let all = || rule.classes.members.iter().all(|m| has_member(program, class, m, &captures));
            if rule.keeps == Keeps::ClassesWithMembers && !all() {
                continue;
            }
            let cause =
                self.root(format!("the keep rule {} for {}", rule.place.0, program.show_class(class)));
            let Cause::Root(number) = cause else { continue };
            let members = kept_members(program, class, &rule.classes.members, &captures);
            self.seeds.push((class, None, of_rule));
            self.seeds.extend(members.iter().map(|&member| (class, Some(member), of_rule)));
            if rule.keeps == Keeps::Members {
                if self.is_needed(class) {
                    members.into_iter().for_each(|member| self.keep_member(member, cause));
                } else {
                    let roots = members.into_iter().map(|member| (member, number));
                    self.with_class.entry(class).or_default().extend(roots);
                }
                continue;
            }
            self.initialize(class, cause);
            self.lists_constants(class, cause);
            self.extend_kept(class);
            if program.classes[class].file.flags.any(Flags::INTERFACE | Flags::ABSTRACT) {
                // Who finds it may implement it.
                self.instantiate(class, cause);
            }
            members.into_iter().for_each(|member| self.keep_member(member, cause));
        }
    }

    /// A member may be used from outside.
    pub(crate) fn keep_member(&mut self, member: Root, cause: Cause) {
        match member {
            Root::Method(method) => self.keep_method(method, cause),
            Root::Field(field) => self.use_field(field, cause),
        }
    }
}

/// The classes that a rule may mean: the one that it names, or all of them.
fn candidates(program: &Program<'_>, rule: &KeepRule) -> Vec<Class> {
    match &rule.classes.names[..] {
        [(true, pattern)] => match pattern.exact() {
            Some(name) => program.class_named(&name).into_iter().collect(),
            None => program.classes.ids().collect(),
        },
        _ => program.classes.ids().collect(),
    }
}

/// So many ways at most in which one class meets a condition.
const WAYS: usize = 1_000;

/// What the wildcards of a condition match, once for each way in which one of the classes and members that are there meet
/// it.
fn conditions(
    program: &Program<'_>,
    condition: &ClassPattern,
    classes: Vec<Class>,
    is_there: &dyn Fn(Root) -> bool,
) -> Vec<Vec<Vec<u8>>> {
    let mut conditions = Vec::new();
    for class in classes {
        let mut captures = Vec::new();
        if !matches_class(program, condition, class, &mut captures) {
            continue;
        }
        let mut ways = vec![captures];
        for member in &condition.members {
            let mut longer: Vec<Vec<Vec<u8>>> = Vec::new();
            for way in &ways {
                each_match(program, class, member, way, &mut |root, captures| {
                    if is_there(root) {
                        longer.push(captures.to_vec());
                    }
                });
                longer.dedup();
                longer.truncate(WAYS);
            }
            ways = longer;
        }
        conditions.append(&mut ways);
    }
    conditions.dedup();
    conditions
}

/// The methods whose code stays as it is, by `includecode`: class, name and descriptor, as in `a/B.run()V`.
pub fn with_code(program: &Program<'_>, configuration: &Configuration) -> BTreeSet<Box<[u8]>> {
    let mut methods = BTreeSet::new();
    for rule in configuration.keep.iter().filter(|rule| rule.include_code) {
        let met = match &rule.condition {
            Some(condition) => conditions(program, condition, program.classes.ids().collect(), &|_| true),
            None => vec![Vec::new()],
        };
        for before in met {
            for class in candidates(program, rule) {
                let mut captures = before.clone();
                if !matches_class(program, &rule.classes, class, &mut captures) {
                    continue;
                }
                for root in matching(program, class, &rule.classes.members, &captures) {
                    let Root::Method(method) = root else { continue };
                    let selector = program.text(program.methods[method].selector);
                    methods.insert([program.name(class), b".", selector].concat().into_boxed_slice());
                }
            }
        }
    }
    methods
}

/// The classes and members whose names rules keep, each with whether it is the class as well. Rules with
/// `allowobfuscation` keep no names; those that keep nothing but names (`-keepnames`) do.
pub fn with_names(program: &Program<'_>, configuration: &Configuration) -> Vec<(Class, bool, Vec<Root>)> {
    let mut kept = Vec::new();
    for rule in configuration.keep.iter().filter(|rule| !rule.allow_obfuscation) {
        let met = match &rule.condition {
            Some(condition) => conditions(program, condition, program.classes.ids().collect(), &|_| true),
            None => vec![Vec::new()],
        };
        for before in met {
            for class in candidates(program, rule) {
                let mut captures = before.clone();
                if !matches_class(program, &rule.classes, class, &mut captures) {
                    continue;
                }
                let has = |member| has_member(program, class, member, &captures);
                if rule.keeps == Keeps::ClassesWithMembers && !rule.classes.members.iter().all(has) {
                    continue;
                }
                let members = kept_members(program, class, &rule.classes.members, &captures);
                let is_named = rule.keeps != Keeps::Members;
                if rule.include_descriptor_classes {
                    let of_members = members.iter().map(|&member| match member {
                        Root::Method(method) => program.methods[method].selector,
                        Root::Field(field) => program.fields[field].selector,
                    });
                    let descriptors =
                        of_members.flat_map(|selector| classes_in(program.descriptor(selector)));
                    let classes = descriptors.filter_map(|name| program.class_named(name));
                    kept.extend(classes.map(|class| (class, true, Vec::new())));
                }
                kept.push((class, is_named, members));
            }
        }
    }
    kept
}

/// The classes of a program at which it may begin, as in `a.B`: those with a `main` of the old form.
pub fn with_main(program: &Program<'_>) -> Vec<String> {
    let is_main = |method: &Method| {
        let info = &program.methods[*method];
        program.text(info.selector) == b"main([Ljava/lang/String;)V"
            && info.flags.has(Flags::PUBLIC | Flags::STATIC)
    };
    let begins = program.classes.ids().filter(|&class| program.classes[class].methods.iter().any(is_main));
    let mut names: Vec<String> = begins.map(|class| program.show_class(class)).collect();
    names.sort();
    names
}

/// The members of a class that one of the patterns matches, and inherited ones that are said by name.
fn kept_members(
    program: &Program<'_>,
    class: Class,
    patterns: &[MemberPattern],
    captures: &[Vec<u8>],
) -> Vec<Root> {
    let mut roots = matching(program, class, patterns, captures);
    for pattern in patterns {
        if !has_member(program, class, pattern, captures) {
            roots.extend(matching_here_or_above(program, class, pattern, captures));
        }
    }
    roots
}

/// The members of a class that a pattern matches. If there is none, and it says a name, those of the nearest class or
/// interface above that has one: who looks a public method up finds it there.
pub fn matching_here_or_above(
    program: &Program<'_>,
    class: Class,
    pattern: &MemberPattern,
    captures: &[Vec<u8>],
) -> Vec<Root> {
    let named = match &pattern.kind {
        MemberShape::Field(_, name) | MemberShape::Method(_, name, _) => name.exact(),
        _ => None,
    };
    // Constructors are not inherited.
    let is_inherited = named.is_some_and(|name| name != b"<init>");
    let classes = program.classes[class].supertypes.iter().filter_map(|&above| program.class(above));
    let classes = std::iter::once(class).chain(classes.filter(|_| is_inherited));
    let matching = |class| matching(program, class, std::slice::from_ref(pattern), captures);
    classes.map(matching).find(|roots| !roots.is_empty()).unwrap_or_default()
}

/// The methods of a class that one of the patterns matches.
pub fn matching_methods(program: &Program<'_>, class: Class, patterns: &[MemberPattern]) -> Vec<Method> {
    let method = |root| match root {
        Root::Method(method) => Some(method),
        Root::Field(_) => None,
    };
    matching(program, class, patterns, &[]).into_iter().filter_map(method).collect()
}

/// The members of a class that one of the patterns matches, methods first. References in them look at `captures`.
pub fn matching(
    program: &Program<'_>,
    class: Class,
    patterns: &[MemberPattern],
    captures: &[Vec<u8>],
) -> Vec<Root> {
    let mut roots = Vec::new();
    for pattern in patterns {
        each_match(program, class, pattern, captures, &mut |root, _| roots.push(root));
    }
    roots.sort();
    roots.dedup();
    roots
}

/// The members of a class that a pattern matches, each with what wildcards matched so far.
fn each_match(
    program: &Program<'_>,
    class: Class,
    pattern: &MemberPattern,
    captures: &[Vec<u8>],
    see: &mut dyn FnMut(Root, &[Vec<u8>]),
) {
    let own = &program.classes[class];
    let pool = &own.file.pool;
    let mut matched = captures.to_vec();
    // An initializer is meant only by its name.
    let names_initializer =
        matches!(&pattern.kind, MemberShape::Method(_, wanted, _) if wanted.exact().is_some());
    for (place, &method) in own.methods.iter().enumerate() {
        let info = &program.methods[method];
        let (name, descriptor) = (program.member_name(info.selector), program.descriptor(info.selector));
        matched.truncate(captures.len());
        if (name != b"<clinit>" || names_initializer)
            && pattern.matches_method(info.flags, name, descriptor, &mut matched)
            && annotated(pattern.annotation.as_ref(), &own.file.methods[place].attributes, pool)
        {
            see(Root::Method(method), &matched);
        }
    }
    for (place, &field) in own.fields.iter().enumerate() {
        let info = &program.fields[field];
        let (name, descriptor) = (program.member_name(info.selector), program.descriptor(info.selector));
        matched.truncate(captures.len());
        if pattern.matches_field(info.flags, name, descriptor, &mut matched)
            && annotated(pattern.annotation.as_ref(), &own.file.fields[place].attributes, pool)
        {
            see(Root::Field(field), &matched);
        }
    }
}

fn has_member(program: &Program<'_>, class: Class, pattern: &MemberPattern, captures: &[Vec<u8>]) -> bool {
    let mut found = false;
    each_match(program, class, pattern, captures, &mut |_, _| found = true);
    found
}

/// Whether a class matches, apart from its members. What wildcards match is appended to `captures`.
pub fn matches_class(
    program: &Program<'_>,
    pattern: &ClassPattern,
    class: Class,
    captures: &mut Vec<Vec<u8>>,
) -> bool {
    let own = &program.classes[class];
    let pool = &own.file.pool;
    if !pattern.flags.matches(own.file.flags)
        || !pattern.matches_name(program.name(class), captures)
        || !annotated(pattern.annotation.as_ref(), &own.file.attributes, pool)
    {
        return false;
    }
    let Some((annotation, above)) = &pattern.extends else { return true };
    own.supertypes[1..].iter().any(|&id| {
        above.matches(program.hierarchy.name(id), captures)
            && (annotation.is_none()
                || program.class(id).is_some_and(|above| {
                    let file = &program.classes[above].file;
                    annotated(annotation.as_ref(), &file.attributes, &file.pool)
                }))
    })
}

/// Whether an annotation that matches is there, if one is wanted.
fn annotated(
    wanted: Option<&NamePattern>,
    attributes: &[Attribute<'_>],
    pool: &planish_classfile::ConstantPool<'_>,
) -> bool {
    let Some(wanted) = wanted else { return true };
    let matches = |annotation: &Annotation| {
        pool.utf8(annotation.descriptor).is_ok_and(|descriptor| {
            classes_in(descriptor).next().is_some_and(|name| wanted.matches(name, &mut Vec::new()))
        })
    };
    attributes.iter().any(|attribute| match attribute.decode(pool) {
        Ok(Some(Body::RuntimeVisibleAnnotations(list) | Body::RuntimeInvisibleAnnotations(list))) => {
            list.iter().any(matches)
        }
        _ => false,
    })
}
