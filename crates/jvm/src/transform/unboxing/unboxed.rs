//! Which enums of a program become numbers.

use std::collections::BTreeMap;

use planish_jvm_analysis::passes::ENUM_UNBOXING;
use planish_jvm_analysis::record::ProgramRecord;
use planish_jvm_model::program::{Class, Field, Method, Program};
use planish_jvm_model::vtype::TypeContext;

use super::apply::{Bodies, Helpers, goes, written};
use super::candidates::{Around, Candidates, Refused};
use super::nodes::Types;
use super::place::Place;
use super::reason::{Kept, Reason};
use super::signatures::{Numbers, Signatures};

/// Which enums become numbers, and what becomes of the classes that speak of them.
pub struct Unboxing {
    /// The classes that change, and their bytes.
    pub classes: BTreeMap<Class, Vec<u8>>,
    /// How many enums became numbers.
    pub count: u64,
    /// Why others did not.
    pub kept: Kept,
    /// Members by what they are called from now on, if they are called otherwise.
    methods: BTreeMap<Method, Vec<u8>>,
    fields: BTreeMap<Field, Vec<u8>>,
    /// Methods of enums that do what those of `Enum` did, and the names and types of these.
    pub helpers: Vec<(Class, Vec<u8>, &'static [u8])>,
    /// What made constants, and the fields that held them.
    pub gone: (Vec<Method>, Vec<Field>),
}

impl Unboxing {
    /// Decides which become numbers, as far as the record allows it. O(bodies that speak of enums), and again for each time that
    /// one is found that cannot.
    pub fn of(program: &Program<'_>, around: &Around<'_>, record: &mut ProgramRecord) -> Unboxing {
        let mut enums = Candidates::of(program, around);
        let mut made = settled(&mut enums);
        let mut order = enums.classes();
        order.sort_by_key(|&class| program.name(class));
        let mut is_less = false;
        for class in order {
            let say = || format!("enum {} becomes int", program.show_class(class));
            if !record.rewrite(&ENUM_UNBOXING, say) {
                enums.leave_out(class);
                is_less = true;
            }
        }
        if is_less {
            made = settled(&mut enums);
        }
        let (signatures, helpers, classes) = made;
        let numbers = Numbers { enums: &enums, signatures: &signatures };
        let count = enums.classes().len() as u64;
        let (methods, fields) = called(&numbers);
        let gone = gone(&enums);
        let helpers = helpers.iter().filter_map(|&(class, helper)| {
            let (name, ty) = &signatures.helpers[&(class, helper)];
            Some((class, [&name[..], ty].concat(), helper.original()?))
        });
        let helpers = helpers.collect();
        enums.kept.sort_unstable();
        Unboxing { classes, count, methods, fields, helpers, gone, kept: enums.kept }
    }

    /// Whether none becomes a number.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The name and descriptor that a method has from now on, if they are others than before.
    pub fn new_method(&self, method: Method) -> Option<&[u8]> {
        self.methods.get(&method).map(|text| &text[..])
    }

    /// The same of a field.
    pub fn new_field(&self, field: Field) -> Option<&[u8]> {
        self.fields.get(&field).map(|text| &text[..])
    }
}

/// What members are called, the helpers, and the classes that change.
type Settled = (Signatures, Helpers, BTreeMap<Class, Vec<u8>>);

/// Leaves out enums until all that is left can be written.
fn settled(enums: &mut Candidates<'_, '_>) -> Settled {
    loop {
        let speaking = speaking(enums);
        let mut context = TypeContext::new(enums.program.hierarchy);
        let (mut types, mut refused, mut helpers) = (Types::default(), Vec::new(), Helpers::new());
        let mut bodies = Vec::with_capacity(speaking.len());
        for &class in &speaking {
            let of_class = Bodies::of(enums, class, (&mut context, &mut types), &mut refused);
            of_class.helpers(enums, class, &mut helpers);
            bodies.push(of_class);
        }
        if refuse(enums, refused) {
            continue;
        }
        let signatures = match Signatures::of(enums) {
            Ok(signatures) => signatures,
            Err(wrong) => {
                refuse(enums, wrong);
                continue;
            }
        };
        let mut files = BTreeMap::new();
        let mut unwritten: Vec<Refused> = Vec::new();
        for (&class, bodies) in speaking.iter().zip(&bodies) {
            match written((enums, &signatures, &helpers), class, bodies, &mut context) {
                Ok(bytes) => drop(files.insert(class, bytes)),
                Err(_) => {
                    let spoken_of = enums.spoken_of(&enums.program.classes[class].file).into_iter();
                    let why = (Reason::Unwritten, Place::Class(class));
                    unwritten.extend(spoken_of.map(|class| (class, why)));
                }
            }
        }
        if !refuse(enums, unwritten) {
            return (signatures, helpers, files);
        }
    }
}

/// Leaves out enums. Whether there were any.
fn refuse(enums: &mut Candidates<'_, '_>, refused: Vec<Refused>) -> bool {
    let is_any = !refused.is_empty();
    // The reason is the first of all, whatever comes first in a body.
    let mut reasons: BTreeMap<Class, (Reason, Place)> = BTreeMap::new();
    for (class, reason) in refused {
        let known = reasons.entry(class).or_insert(reason);
        *known = reason.min(*known);
    }
    for (class, reason) in reasons {
        enums.refuse(class, reason);
    }
    is_any
}

/// The classes that speak of enums which become numbers.
fn speaking(enums: &Candidates<'_, '_>) -> Vec<Class> {
    let program = enums.program;
    match enums.is_empty() {
        true => Vec::new(),
        false => {
            let speaks = |&class: &Class| !enums.spoken_of(&program.classes[class].file).is_empty();
            program.classes.ids().filter(speaks).collect()
        }
    }
}

/// Methods and fields by what they are called from now on.
fn called(numbers: &Numbers<'_, '_, '_>) -> (BTreeMap<Method, Vec<u8>>, BTreeMap<Field, Vec<u8>>) {
    let program = numbers.enums.program;
    let (mut methods, mut fields) = (BTreeMap::new(), BTreeMap::new());
    for method in program.methods.ids().filter(|&method| !goes(numbers.enums, method)) {
        let new = match numbers.signatures.statics.get(&method) {
            Some((name, descriptor)) => Some([&name[..], descriptor].concat()),
            None => numbers.selector(program, program.methods[method].selector),
        };
        methods.extend(new.map(|new| (method, new)));
    }
    for field in program.fields.ids() {
        let new = numbers.selector(program, program.fields[field].selector);
        fields.extend(new.map(|new| (field, new)));
    }
    (methods, fields)
}

/// What made constants, and the fields that held them.
fn gone(enums: &Candidates<'_, '_>) -> (Vec<Method>, Vec<Field>) {
    let program = enums.program;
    let is_constant = |&field: &Field| {
        let info = &program.fields[field];
        let name = program.member_name(info.selector);
        enums
            .get(info.class)
            .is_some_and(|constants| constants.numbers.contains_key(name) || constants.field(name).is_some())
    };
    let is_initializer =
        |&method: &Method| program.member_name(program.methods[method].selector) == b"<clinit>";
    let methods = program.methods.ids().filter(|&method| goes(enums, method) && !is_initializer(&method));
    (methods.collect(), program.fields.ids().filter(is_constant).collect())
}
