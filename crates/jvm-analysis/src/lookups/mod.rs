//! Reflection sites: where code that runs looks for classes and members by what the analysis does not know.
//!
//! What [`reflection`](crate::reflection) sees it keeps. Here are the calls at which it may have seen too little,
//! each with what is known of the name and of the class that it is given (`values`), as patterns in the language of keep
//! rules: `com.acme.plugin.**`, or any class that extends one. Whether that was too little shows in the end: [`gone`]
//! has what such a call may mean and the program has no more, and the rule that keeps it. What each call of the JDK asks
//! for is in `calls`.

mod attributes;
mod calls;
pub mod descriptors;
pub mod gone;
pub mod scope;
pub mod text;
pub mod values;

use planish_classfile::attribute::{Body, Kind};
use planish_classfile::{Code, Flags, MemberRef};
use planish_ir::Inst;
use planish_jvm_ir::code::{body, lifted};
use planish_jvm_ir::lower::lines;
use planish_jvm_ir::naming::Names;
use planish_jvm_model::program::{Class, Method, Program, classes_in};
use planish_jvm_model::uses::{Scanner, Use};
use planish_jvm_model::vtype::TypeContext;

use crate::lookups::scope::{Asks, Kinds, Scope, dotted, shown};
use crate::reach::Reach;
use crate::reflection::looks;
use crate::reflection::looks::place_of_text;
use attributes::{LINES, is_idle, shows_element, takes_apart};

pub use attributes::read_by as attributes_read_by;
use calls::{Asked, asked};
use values::Values;

/// A place at which something is looked for that the analysis does not know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lookup {
    /// What it asks for.
    pub asks: Asks,
    /// The class, as in `a/B`.
    pub class: Box<[u8]>,
    /// The method, name and descriptor.
    pub method: Box<[u8]>,
    /// The file of the source, and the line in it, as far as the class says them.
    pub source: (Option<String>, Option<u16>),
    /// The number of the instruction.
    pub at: u32,
    /// The call, as in `Class.forName`.
    pub call: String,
    /// The classes that it means.
    pub of: Scope,
    /// Their members that it means; none if it is the classes themselves.
    pub members: Kinds,
    /// Their names, as patterns; of attributes their names.
    pub names: Vec<String>,
}

/// The places at which code that runs looks for something that is not known, in the order of classes and methods.
/// O(instructions of the classes that look for anything).
pub fn lookups(reach: &Reach<'_, '_>) -> Vec<Lookup> {
    let program = reach.program;
    let mut context = TypeContext::new(program.hierarchy);
    let mut found = Vec::new();
    for class in program.classes.ids() {
        let own = &program.classes[class];
        let pool = &own.file.pool;
        let is_asked = |index| {
            pool.member(index).is_ok_and(|member| asks(&member))
                || pool.dynamic(index).is_ok_and(|(_, _, descriptor)| shows_element(descriptor))
        };
        let is_of_interest = pool.indices().any(is_asked);
        let is_native = |method: &Method| program.methods[*method].flags.has(Flags::NATIVE);
        let natives = own.methods.iter().copied().filter(is_native).filter(|&method| reach.is_live(method));
        found.extend(natives.map(|method| native(program, method)));
        if !is_of_interest {
            continue;
        }
        let mut names = Names::new(&own.file);
        context.begin_class(pool);
        for &method in own.methods.iter().filter(|&&method| reach.is_live(method)) {
            of_method(reach, method, &mut names, &mut context, &mut found);
        }
    }
    found
}

/// A native method may use what its class and its type are made of.
fn native(program: &Program<'_>, method: Method) -> Lookup {
    let info = &program.methods[method];
    let types = classes_in(program.descriptor(info.selector)).chain([program.name(info.class)]);
    let names: std::collections::BTreeSet<String> =
        types.filter(|name| program.class_named(name).is_some()).map(dotted).collect();
    let members = Kinds { fields: true, methods: true, constructors: true, ..Kinds::default() };
    let of = Scope { names: names.into_iter().collect(), below: None };
    Lookup { of, members, ..at(program, method, Asks::Native, None, "native".to_owned()) }
}

/// A place in a method.
fn at(program: &Program<'_>, method: Method, asks: Asks, line: Option<u16>, call: String) -> Lookup {
    let info = &program.methods[method];
    Lookup {
        asks,
        class: program.name(info.class).into(),
        method: program.text(info.selector).into(),
        source: (source(program, info.class), line),
        at: 0,
        call,
        of: Scope::any(),
        members: Kinds::default(),
        names: vec!["*".to_owned()],
    }
}

/// The file that a class is from.
pub fn source(program: &Program<'_>, class: Class) -> Option<String> {
    let file = &program.classes[class].file;
    match file.attribute(Kind::SourceFile)?.decode(&file.pool) {
        Ok(Some(Body::SourceFile(name))) => {
            Some(String::from_utf8_lossy(file.pool.utf8(name).ok()?).into_owned())
        }
        _ => None,
    }
}

/// The places of a method.
fn of_method(
    reach: &Reach<'_, '_>,
    method: Method,
    names: &mut Names,
    context: &mut TypeContext<'_>,
    found: &mut Vec<Lookup>,
) {
    let program = reach.program;
    let info = &program.methods[method];
    let file = &program.classes[info.class].file;
    // How compilers before Java 5 wrote `X.class`; who calls it has the name.
    if program.member_name(info.selector) == b"class$" {
        return;
    }
    let mut seen: Vec<(u32, MemberRef<'_>)> = Vec::new();
    // What is done with elements of stack traces.
    let (mut in_text, mut takes) = (None, false);
    let scanned = Scanner::new(file).and_then(|scanner| {
        scanner.method(&file.methods[usize::from(info.place)], &mut |number, found| match found {
            Use::Call(_, member) | Use::Handle(5..=9, member) => {
                takes |= takes_apart(&member);
                if asks(&member) {
                    seen.push((number, member));
                }
            }
            Use::MethodType(descriptor) if shows_element(descriptor) => in_text = in_text.or(Some(number)),
            _ => {}
        })
    });
    // What cannot be scanned does not run.
    if scanned.is_err() || seen.is_empty() && in_text.is_none() {
        return;
    }
    let code = original(program, method);
    let table = code.as_ref().map(lines).unwrap_or_default();
    let line_of = |number: u32| table.get(number as usize + 1).copied().flatten();
    if let Some(number) = in_text {
        let call = "a text with a StackTraceElement in it".to_owned();
        let names = LINES.iter().map(|&name| name.to_owned()).collect();
        found.push(Lookup {
            at: number,
            names,
            ..at(program, method, Asks::Attributes, line_of(number), call)
        });
    }
    let function = lifted(program, method, names, context);
    // Where unreachable code is in between, instructions have other numbers in what was lifted.
    let same = body(program, method).is_some_and(|code| is_whole(program, method, &code));
    let values = function.as_ref().filter(|_| same).map(|f| Values::new(f, names, program, method));
    for (number, member) in seen {
        if is_of_program(program, &member) {
            continue;
        }
        let inst = values.as_ref().and_then(|values| values.inst_at(number));
        let line = line_of(number);
        let class = member.class.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        let call = format!("{}.{}", shown(class).replace('$', "."), shown(member.name));
        let place = |asks| Lookup { at: number, ..at(program, method, asks, line, call.clone()) };
        let known = values.as_ref().zip(inst);
        // What a helper is given its callers say.
        let is_given = asks_by_parameter(&member, known) && reach.knows_names_given_to(method);
        let asked = asked(&member, known).filter(|asked| !(is_given && asked.asks == Asks::Loads));
        if let Some(Asked { asks, of, members, names }) = asked {
            found.push(Lookup { of, members, names, ..place(asks) });
        }
        let names: Vec<String> = attributes_read_by(&member).iter().map(|&name| name.to_owned()).collect();
        // Annotations of a type that is known stay.
        let is_known = || known.is_some_and(|(values, inst)| is_constant_class(values, inst, &member));
        if !(names.is_empty() || is_known() || is_idle(program, method, &member, takes)) {
            found.push(Lookup { names, ..place(Asks::Attributes) });
        }
    }
}

/// Whether a call may be one that is noted.
fn asks(member: &MemberRef<'_>) -> bool {
    looks(member).is_some() || !attributes_read_by(member).is_empty()
}

/// Whether the name at a call is a parameter of the method.
fn asks_by_parameter(member: &MemberRef<'_>, known: Option<(&Values<'_, '_>, Inst)>) -> bool {
    known.is_some_and(|(values, inst)| {
        let place = place_of_text(member, values.has_receiver(inst, member));
        values.parameter_given(inst, place).is_some()
    })
}

/// Whether a call is given a class that is a constant.
fn is_constant_class(values: &Values<'_, '_>, inst: Inst, member: &MemberRef<'_>) -> bool {
    let class = values.args(inst).get(1).filter(|_| member.descriptor.starts_with(b"(Ljava/lang/Class;)"));
    class.is_some_and(|&class| {
        let Scope { names, below } = values.class_of(class);
        below.is_none() && !names.iter().any(|name| name.contains('*'))
    })
}

/// Whether the reachable code of a method is all of it.
pub fn is_whole(program: &Program<'_>, method: Method, reachable: &Code) -> bool {
    original(program, method).is_some_and(|code| code.instructions.len() == reachable.instructions.len())
}

/// The body of a method, as it is.
fn original(program: &Program<'_>, method: Method) -> Option<Code> {
    let info = &program.methods[method];
    let file = &program.classes[info.class].file;
    let attribute = file.methods[usize::from(info.place)].attribute(&file.pool, Kind::Code)?;
    let Ok(Some(Body::Code(bytes))) = attribute.decode(&file.pool) else { return None };
    Code::read(&bytes, &file.pool).ok()
}

/// Whether a call leads to a method of the program, which is looked at itself: one that is called like those of class
/// loaders, say.
fn is_of_program(program: &Program<'_>, member: &MemberRef<'_>) -> bool {
    let selector = program.selector(&[member.name, member.descriptor].concat());
    let class = program.hierarchy.lookup(member.class);
    class.zip(selector).is_some_and(|(class, selector)| {
        matches!(program.resolve_method(class, selector), planish_jvm_model::program::Found::Program(_))
    })
}
