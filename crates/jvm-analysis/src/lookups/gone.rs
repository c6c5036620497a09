//! Reflection sites, the result: what a site may mean and the program has no more, and the rule that keeps it.

use planish_classfile::{Flags, attribute};
use planish_jvm_model::program::{Class, MemberInfo, Program};

use super::Lookup;
use super::scope::{ANY, Asks, Kinds, Scope, dotted, matches_any};
use crate::reach::Reach;

/// A member that went of a class that is there.
struct Member {
    class: Class,
    kind: Kind,
    name: Box<[u8]>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Field,
    Method,
    Constructor,
}

/// What went of a program.
pub struct Gone<'p, 'a> {
    before: &'p Program<'a>,
    classes: Vec<Class>,
    members: Vec<Member>,
}

/// How much of what went a site may mean.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lost {
    /// How many classes or members.
    pub count: usize,
    /// The first of them, as people write it.
    pub first: String,
}

impl<'p, 'a> Gone<'p, 'a> {
    /// What `before` has and `after` has not. O(members).
    pub fn of(before: &'p Program<'a>, after: &Program<'_>) -> Self {
        let mut gone = Gone { before, classes: Vec::new(), members: Vec::new() };
        for class in before.classes.ids() {
            let own = &before.classes[class];
            let Some(left) = after.class_named(before.name(class)) else {
                gone.lose_class(class);
                continue;
            };
            let went = |selector| match after.selector(before.text(selector)) {
                Some(other) => {
                    after.declared_method(left, other).is_none()
                        && after.declared_field(left, other).is_none()
                }
                None => true,
            };
            let methods = own.methods.iter().map(|&method| &before.methods[method]);
            methods.filter(|info| went(info.selector)).for_each(|info| gone.lose_member(info, true));
            let fields = own.fields.iter().map(|&field| &before.fields[field]);
            fields.filter(|info| went(info.selector)).for_each(|info| gone.lose_member(info, false));
        }
        gone
    }

    /// What an analysis of a program does not need. O(members).
    pub fn unneeded(reach: &Reach<'p, 'a>) -> Self {
        let program = reach.program;
        let mut gone = Gone { before: program, classes: Vec::new(), members: Vec::new() };
        for class in program.classes.ids() {
            let own = &program.classes[class];
            if !reach.is_needed(class) {
                gone.lose_class(class);
                continue;
            }
            let methods = own.methods.iter().filter(|&&method| !reach.is_declared(method));
            methods.for_each(|&method| gone.lose_member(&program.methods[method], true));
            let fields = own.fields.iter().filter(|&&field| !reach.is_field_needed(field));
            fields.for_each(|&field| gone.lose_member(&program.fields[field], false));
        }
        gone
    }

    fn lose_class(&mut self, class: Class) {
        // What a compiler made nobody asks for by name.
        if !self.before.classes[class].file.flags.has(Flags::SYNTHETIC) {
            self.classes.push(class);
        }
    }

    fn lose_member(&mut self, info: &MemberInfo, is_method: bool) {
        let name = self.before.member_name(info.selector);
        if info.flags.has(Flags::SYNTHETIC) || name == b"<clinit>" {
            return;
        }
        let kind = match (is_method, name) {
            (true, b"<init>") => Kind::Constructor,
            (true, _) => Kind::Method,
            (false, _) => Kind::Field,
        };
        self.members.push(Member { class: info.class, kind, name: name.into() });
    }

    /// What a site may mean of what went; nothing if it is safe. O(what went).
    pub fn meant_by(&self, lookup: &Lookup) -> Option<Lost> {
        let mut lost: Option<Lost> = None;
        let mut add = |first: &dyn Fn() -> String| match &mut lost {
            Some(lost) => lost.count += 1,
            None => lost = Some(Lost { count: 1, first: first() }),
        };
        let loads = matches!(
            lookup.asks,
            Asks::Loads | Asks::Objects | Asks::Bundles | Asks::Files | Asks::Defines | Asks::Native
        );
        for &class in self.classes.iter().filter(|_| loads) {
            if self.is_meant(&lookup.of, class, false) {
                add(&|| self.before.show_class(class));
            }
        }
        for &class in self.classes.iter().filter(|_| lookup.members.classes) {
            let outer = outer(self.before.name(class)).and_then(|name| self.before.class_named(name));
            if outer.is_some_and(|outer| self.is_meant(&lookup.of, outer, true)) {
                add(&|| self.before.show_class(class));
            }
        }
        for &class in self.classes.iter().filter(|_| lookup.members.permitted) {
            let is_asked = |sealed| {
                self.classes.binary_search(&sealed).is_err() && self.is_meant(&lookup.of, sealed, false)
            };
            if sealed_above(self.before, class).any(is_asked) {
                add(&|| self.before.show_class(class));
            }
        }
        for member in &self.members {
            let is_kind = match member.kind {
                Kind::Field => lookup.members.fields,
                Kind::Method => lookup.members.methods,
                Kind::Constructor => lookup.members.constructors,
            };
            let is_named = || member.kind == Kind::Constructor || matches_any(&lookup.names, &member.name);
            if is_kind && is_named() && self.is_meant(&lookup.of, member.class, !loads) {
                let class = || self.before.show_class(member.class);
                match member.kind {
                    Kind::Constructor => add(&|| format!("a constructor of {}", class())),
                    _ => add(&|| format!("{}.{}", class(), String::from_utf8_lossy(&member.name))),
                }
            }
        }
        lost
    }

    /// Whether a class is one of those that are meant, or, if members are looked for, above one.
    fn is_meant(&self, scope: &Scope, class: Class, above: bool) -> bool {
        let program = self.before;
        let is_below = scope.below.as_ref().is_none_or(|name| {
            let supertypes = &program.classes[class].supertypes;
            let own = supertypes.iter().any(|&id| program.hierarchy.name(id) == &name[..]);
            let inherits = || {
                let below = program.class_named(name);
                below.is_some_and(|below| {
                    program.classes[below].supertypes.contains(&program.classes[class].id)
                })
            };
            own || above && inherits()
        });
        if !is_below {
            return false;
        }
        let is_named = |class: Class| matches_any(&scope.names, program.name(class));
        let id = program.classes[class].id;
        is_named(class) || above && program.subtypes(id).iter().any(|&below| is_named(below))
    }
}

/// The sealed classes and interfaces right above a class.
fn sealed_above<'p>(program: &'p Program<'_>, class: Class) -> impl Iterator<Item = Class> + 'p {
    let file = &program.classes[class].file;
    let above = file.super_name().ok().flatten();
    let above = above.into_iter().chain(file.interface_names().filter_map(Result::ok));
    above.filter_map(|name| program.class_named(name)).filter(|&above| is_sealed(program, above))
}

fn is_sealed(program: &Program<'_>, class: Class) -> bool {
    program.classes[class].file.attribute(attribute::Kind::PermittedSubclasses).is_some()
}

/// The rule that keeps attributes of these names.
pub fn attribute_rule(names: &[String]) -> String {
    format!("-keepattributes {}", names.join(","))
}

/// The class around another, by their names.
fn outer(name: &[u8]) -> Option<&[u8]> {
    Some(&name[..name.iter().rposition(|byte| *byte == b'$')?])
}

/// The keep rules, each on a line, by which what a site may mean stays.
pub fn rules(lookup: &Lookup, program: &Program<'_>) -> Vec<String> {
    let Lookup { asks, of, members, names, .. } = lookup;
    let classes = |name: &String| match &of.below {
        Some(below) if name == ANY => format!("class * {} {}", extends(program, below), dotted(below)),
        Some(below) => format!("class {name} {} {}", extends(program, below), dotted(below)),
        None => format!("class {name}"),
    };
    let (keep, members) = match asks {
        Asks::Attributes => return vec![attribute_rule(names)],
        Asks::Loads if !members.constructors => ("-keep", None),
        Asks::Loads | Asks::Bundles => ("-keep", Some("<init>(...);".to_owned())),
        Asks::Lists if members.permitted => {
            let is_meant =
                |&class: &Class| is_sealed(program, class) && matches_any(&of.names, program.name(class));
            let rule = |class| {
                let name = program.name(class);
                format!("-keep class * {} {} {{ *; }}", extends(program, name), dotted(name))
            };
            return program.classes.ids().filter(is_meant).map(rule).collect();
        }
        Asks::Lists if members.classes => {
            let name = |name: &String| format!("-keep class {name}$* {{ *; }}");
            return of.names.iter().map(name).collect();
        }
        Asks::Objects | Asks::Files | Asks::Defines | Asks::Native => ("-keep", Some("*;".to_owned())),
        Asks::Lists | Asks::Names | Asks::Makes => ("-keepclassmembers", Some(member_rule(*members, names))),
    };
    let members = members.map_or_else(String::new, |members| format!(" {{ {members} }}"));
    let mut rules: Vec<String> =
        of.names.iter().map(|name| format!("{keep} {}{members}", classes(name))).collect();
    if let Some(below) = of.below.as_ref().filter(|below| program.class_named(below).is_some())
        && keep == "-keepclassmembers"
    {
        // A class does not extend itself.
        rules.push(format!("{keep} class {}{members}", dotted(below)));
    }
    rules
}

fn extends(program: &Program<'_>, class: &[u8]) -> &'static str {
    let id = program.hierarchy.lookup(class);
    match id.and_then(|id| program.hierarchy.is_interface(id)) {
        Some(true) => "implements",
        _ => "extends",
    }
}

/// What a rule says of members.
fn member_rule(kinds: Kinds, names: &[String]) -> String {
    if kinds.constructors {
        return "<init>(...);".to_owned();
    }
    let is_any = names.iter().any(|name| name == "*");
    match (kinds.fields, is_any) {
        (true, true) => "<fields>;".to_owned(),
        (false, true) => "<methods>;".to_owned(),
        (true, false) => names.iter().map(|name| format!("*** {name};")).collect::<Vec<_>>().join(" "),
        (false, false) => names.iter().map(|name| format!("*** {name}(...);")).collect::<Vec<_>>().join(" "),
    }
}
