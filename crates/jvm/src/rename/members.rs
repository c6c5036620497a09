//! New names of fields and methods.
//!
//! Each gets the first name that no other has with which an object may inherit it: methods with other parameters do not
//! count, unless they stand on the same lines of one class, where stack traces would not tell them apart; fields with other types
//! do.

use std::collections::BTreeSet;
use std::rc::Rc;

use hashbrown::HashMap;
use planish_base::Id;
use planish_classfile::mutf8::Shown;
use planish_jvm_analysis::passes::RENAMING;
use planish_jvm_analysis::record::ProgramRecord;
use planish_jvm_model::program::{Class, Field, Found, Method, Program};
use planish_keep::show::{java_field, java_method};
use rustc_hash::FxBuildHasher;

use crate::rename::asked::Asked;
use crate::rename::families::Families;
use crate::rename::kept::Kept;
use crate::rename::same_lines::same_lines;
use crate::rename::words::Words;

/// New names, by method and by field.
pub struct Members {
    pub methods: Vec<Option<Box<[u8]>>>,
    pub fields: Vec<Option<Box<[u8]>>>,
    /// What a user should know.
    pub warnings: Vec<String>,
}

/// Places in the order of names that are taken.
#[derive(Clone, Default)]
struct Taken(Vec<u64>);

impl Taken {
    fn add(&mut self, place: usize) {
        if self.0.len() <= place / 64 {
            self.0.resize(place / 64 + 1, 0);
        }
        self.0[place / 64] |= 1 << (place % 64);
    }

    fn join(&mut self, other: &Taken) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(word, more)| *word |= more);
    }

    fn first_free(&self) -> usize {
        let place = self.0.iter().position(|word| *word != u64::MAX).unwrap_or(self.0.len());
        place * 64 + self.0.get(place).map_or(0, |word| word.trailing_ones() as usize)
    }
}

/// Gives names to the members that may have others, as far as the record allows it. O(members, each with the classes that
/// inherit it).
pub fn members(
    program: &Program<'_>,
    asked: &Asked<'_>,
    (kept, families): (&mut Kept, &Families),
    order: &[Class],
    record: &mut ProgramRecord,
) -> Members {
    let [_, methods, fields] = program.counts();
    let mut found =
        Members { methods: vec![None; methods], fields: vec![None; fields], warnings: Vec::new() };
    let groups = groups(program, (kept, families), order, record);
    let fields = open_fields(program, asked, kept, order, record);
    let mut parameters = Parameters::default();
    let places: Vec<Places> = groups
        .iter()
        .map(|group| {
            let place = |&method: &Method| {
                let info = &program.methods[method];
                (info.class, parameters.number(program.descriptor(info.selector)))
            };
            group.iter().map(place).collect()
        })
        .collect();
    found.take_old(program, asked, (kept, families), order, (&groups, &places), &mut parameters);
    let words = || Words::new(&asked.dictionaries[0], true, reserved(program, kept, asked));
    let mut namer =
        Namer { families, is_one_cone: asked.has_unique_members, taken: HashMap::default(), words: words() };
    let beside = same_lines(program, order);
    for (group, places) in groups.iter().zip(&places) {
        if found.methods[group[0].index()].is_some() {
            continue;
        }
        let lines = group.iter().filter_map(|method| Some((ON_LINES, *beside.get(method)?)));
        let name = namer.name(places, lines);
        group.iter().for_each(|method| found.methods[method.index()] = Some(name.clone()));
    }
    let mut namer =
        Namer { families, is_one_cone: asked.has_unique_members, taken: HashMap::default(), words: words() };
    for group in &fields {
        if found.fields[group[0].index()].is_some() {
            continue;
        }
        let places: Places = group.iter().map(|&field| (program.fields[field].class, 0)).collect();
        let name = namer.name(&places, []);
        group.iter().for_each(|field| found.fields[field.index()] = Some(name.clone()));
    }
    found
}

/// Stands for a cone where names are taken by methods that share lines.
const ON_LINES: u32 = u32::MAX;

/// Gives the first names that are free.
struct Namer<'f, 'd> {
    families: &'f Families,
    /// Whether everything stands in one cone.
    is_one_cone: bool,
    /// By cone and the number of the parameters.
    taken: HashMap<(u32, u32), Taken, FxBuildHasher>,
    words: Words<'d>,
}

/// Where members of one name are declared: classes, and the numbers of their parameters.
type Places = Vec<(Class, u32)>;

/// Numbers of lists of parameters.
#[derive(Default)]
struct Parameters<'p>(HashMap<&'p [u8], u32, FxBuildHasher>);

impl<'p> Parameters<'p> {
    fn number(&mut self, descriptor: &'p [u8]) -> u32 {
        let end = descriptor.iter().position(|byte| *byte == b')').unwrap_or(descriptor.len());
        let next = self.0.len() as u32;
        *self.0.entry(&descriptor[..end]).or_insert(next)
    }

    /// The number of those of a descriptor, if the program has such.
    fn known(&self, descriptor: &[u8]) -> Option<u32> {
        let end = descriptor.iter().position(|byte| *byte == b')').unwrap_or(descriptor.len());
        self.0.get(&descriptor[..end]).copied()
    }
}

impl Namer<'_, '_> {
    /// A name that is free in all cones of these classes, with these parameters, and in these other places.
    fn name(&mut self, places: &[(Class, u32)], others: impl IntoIterator<Item = (u32, u32)>) -> Box<[u8]> {
        let mut all: Vec<(u32, u32)> = match self.is_one_cone {
            true => places.iter().map(|&(_, parameters)| (0, parameters)).collect(),
            false => in_cones(self.families, places),
        };
        all.extend(others);
        let mut together = Taken::default();
        for place in &all {
            if let Some(taken) = self.taken.get(place) {
                together.join(taken);
            }
        }
        let free = together.first_free();
        for place in all {
            self.taken.entry(place).or_default().add(free);
        }
        self.words.get(free).into()
    }
}

/// The cones of these classes with the parameters, each once.
fn in_cones(families: &Families, places: &[(Class, u32)]) -> Vec<(u32, u32)> {
    let cones = |&(class, parameters): &(Class, u32)| {
        families.cones[class.index()].iter().map(move |&cone| (cone, parameters))
    };
    let mut all: Vec<(u32, u32)> = places.iter().flat_map(cones).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The families that get names, in the order of their first classes.
fn groups(
    program: &Program<'_>,
    (kept, families): (&mut Kept, &Families),
    order: &[Class],
    record: &mut ProgramRecord,
) -> Vec<Vec<Method>> {
    let mut groups: Vec<Vec<Method>> = Vec::new();
    let mut number: HashMap<Method, Option<usize>, FxBuildHasher> = HashMap::default();
    for &class in order {
        for &method in &program.classes[class].methods {
            let family = families.family(method);
            let group = *number.entry(family).or_insert_with(|| {
                let say = || format!("{} gets another name", program.show_method(method));
                let may = !kept.methods[family.index()] && record.rewrite(&RENAMING, say);
                may.then(|| {
                    groups.push(Vec::new());
                    groups.len() - 1
                })
            });
            match group {
                Some(group) => groups[group].push(method),
                None => kept.methods[method.index()] = true,
            }
        }
    }
    groups
}

/// The fields that get names: each by itself, or all of one name and type.
fn open_fields(
    program: &Program<'_>,
    asked: &Asked<'_>,
    kept: &mut Kept,
    order: &[Class],
    record: &mut ProgramRecord,
) -> Vec<Vec<Field>> {
    let mut groups: Vec<Vec<Field>> = Vec::new();
    let mut number = HashMap::<_, usize, FxBuildHasher>::default();
    let kept_selectors: BTreeSet<_> = match asked.has_unique_members {
        true => program
            .fields
            .ids()
            .filter(|f| kept.fields[f.index()])
            .map(|f| program.fields[f].selector)
            .collect(),
        false => BTreeSet::new(),
    };
    for &class in order {
        for &field in &program.classes[class].fields {
            let selector = program.fields[field].selector;
            if asked.has_unique_members
                && let Some(&group) = number.get(&selector)
            {
                groups[group].push(field);
                continue;
            }
            let say = || format!("{} gets another name", program.show_field(field));
            let is_kept = kept.fields[field.index()] || kept_selectors.contains(&selector);
            if is_kept || !record.rewrite(&RENAMING, say) {
                kept.fields[field.index()] = true;
                continue;
            }
            number.insert(selector, groups.len());
            groups.push(vec![field]);
        }
    }
    groups
}

/// Names that nothing may get: those that stay, in the program, in references to what is outside of it, and in classes
/// above it, and those that were given before.
fn reserved(program: &Program<'_>, kept: &Kept, asked: &Asked<'_>) -> BTreeSet<Box<[u8]>> {
    let mut reserved: BTreeSet<Box<[u8]>> = asked.old.names.iter().cloned().collect();
    let stay = program.methods.ids().filter(|method| kept.methods[method.index()]);
    let stay = stay.map(|method| program.methods[method].selector);
    let fields = program.fields.ids().filter(|field| kept.fields[field.index()]);
    let fields = fields.map(|field| program.fields[field].selector);
    reserved.extend(stay.chain(fields).map(|selector| program.member_name(selector).into()));
    let mut above = BTreeSet::new();
    for class in program.classes.ids() {
        let own = &program.classes[class];
        above.extend(own.supertypes.iter().filter(|&&id| program.class(id).is_none()));
        for index in own.file.pool.indices() {
            if let Ok(member) = own.file.pool.member(index) {
                let is_field = !member.descriptor.starts_with(b"(");
                let divider: &[u8] = if is_field { b":" } else { b"" };
                let selector = program.selector(&[member.name, divider, member.descriptor].concat());
                let found =
                    program.hierarchy.lookup(member.class).zip(selector).is_some_and(|(id, selector)| {
                        match is_field {
                            true => matches!(program.resolve_field(id, selector), Found::Program(_)),
                            false => matches!(program.resolve_method(id, selector), Found::Program(_)),
                        }
                    });
                if !found {
                    reserved.insert(member.name.into());
                }
            }
            if let Ok((_, name, _)) = own.file.pool.dynamic(index) {
                reserved.insert(name.into());
            }
        }
    }
    for id in above {
        program.library.each_method(program.hierarchy.name(id), |text| {
            let end = text.iter().position(|byte| *byte == b'(').unwrap_or(text.len());
            reserved.insert(text[..end].into());
        });
    }
    reserved
}

impl Members {
    /// Takes names that were given before, unless something that keeps its name has one, or a library.
    fn take_old<'p>(
        &mut self,
        program: &'p Program<'_>,
        asked: &Asked<'_>,
        (kept, families): (&Kept, &Families),
        order: &[Class],
        (groups, places): (&[Vec<Method>], &[Places]),
        parameters: &mut Parameters<'p>,
    ) {
        if asked.old.is_empty() {
            return;
        }
        let old_method = |method: Method| {
            let info = &program.methods[method];
            let name = program.name(info.class);
            let shown =
                java_method(name, program.member_name(info.selector), program.descriptor(info.selector));
            asked.old.member(name, &shown)
        };
        // What was apart then may be inherited together now.
        let [mut methods, mut fields] = holders(program, asked, (kept, families), order, parameters);
        for (group, places) in groups.iter().zip(places) {
            let mut names: Vec<&[u8]> = group.iter().filter_map(|&method| old_method(method)).collect();
            names.dedup();
            let Some(&name) = names.first() else { continue };
            if names.len() > 1 {
                let shown = program.show_method(group[0]);
                self.warnings.push(format!(
                    "-applymapping: {shown} and what overrides it had several names, now {}",
                    Shown(name)
                ));
            }
            let cones = in_cones(families, places);
            let what = program.show_method(group[0]);
            if let Some(holder) = methods.meets(&cones, name) {
                self.again(&what, holder, name);
                continue;
            }
            methods.give(&cones, name, &what);
            group.iter().for_each(|method| self.methods[method.index()] = Some(name.into()));
        }
        for &class in order {
            let of = program.name(class);
            for &field in &program.classes[class].fields {
                let selector = program.fields[field].selector;
                let shown = java_field(program.member_name(selector), program.descriptor(selector));
                let Some(name) = asked.old.member(of, &shown) else { continue };
                if !kept.fields[field.index()] {
                    let cones = in_cones(families, &[(class, 0)]);
                    let what = program.show_field(field);
                    if let Some(holder) = fields.meets(&cones, name) {
                        self.again(&what, holder, name);
                        continue;
                    }
                    fields.give(&cones, name, &what);
                    self.fields[field.index()] = Some(name.into());
                } else if name != program.member_name(selector) {
                    self.stays(&program.show_field(field), name);
                }
            }
            for &method in &program.classes[class].methods {
                let name = old_method(method).filter(|_| kept.methods[method.index()]);
                let stays = program.member_name(program.methods[method].selector);
                if let Some(name) = name.filter(|name| *name != stays) {
                    self.stays(&program.show_method(method), name);
                }
            }
        }
    }

    fn again(&mut self, what: &str, holder: &str, name: &[u8]) {
        self.warnings.push(format!(
            "-applymapping: {what} gets a new name, since {holder}, which it meets, is called {} as it was",
            Shown(name)
        ));
    }

    fn stays(&mut self, what: &str, name: &[u8]) {
        self.warnings.push(format!("-applymapping: {what} keeps its name, and was called {}", Shown(name)));
    }
}

/// Who has a name.
type ByName = HashMap<Box<[u8]>, Rc<str>, FxBuildHasher>;

/// Who has a name, by cone, number of parameters and name.
#[derive(Default)]
struct Holders(HashMap<(u32, u32), ByName, FxBuildHasher>);

impl Holders {
    /// Who has a name in one of these cones.
    fn meets(&self, cones: &[(u32, u32)], name: &[u8]) -> Option<&str> {
        cones.iter().find_map(|cone| self.0.get(cone)?.get(name)).map(|holder| &**holder)
    }

    /// Who had a name first keeps it.
    fn give(&mut self, cones: &[(u32, u32)], name: &[u8], holder: &str) {
        let holder: Rc<str> = holder.into();
        for &cone in cones {
            self.0.entry(cone).or_default().entry(name.into()).or_insert_with(|| Rc::clone(&holder));
        }
    }
}

/// Which methods and fields keep their names, in the program and in libraries above it. O(members that stay, each with the classes
/// that inherit it).
fn holders<'p>(
    program: &'p Program<'_>,
    asked: &Asked<'_>,
    (kept, families): (&Kept, &Families),
    order: &[Class],
    parameters: &mut Parameters<'p>,
) -> [Holders; 2] {
    let [mut methods, mut fields] = [Holders::default(), Holders::default()];
    let is_old = |name: &[u8]| asked.old.names.binary_search_by(|old| (**old).cmp(name)).is_ok();
    for &class in order {
        let own = &program.classes[class];
        for &method in own.methods.iter().filter(|method| kept.methods[method.index()]) {
            let selector = program.methods[method].selector;
            let (name, number) =
                (program.member_name(selector), parameters.number(program.descriptor(selector)));
            if is_old(name) {
                methods.give(&in_cones(families, &[(class, number)]), name, &program.show_method(method));
            }
        }
        for &field in own.fields.iter().filter(|field| kept.fields[field.index()]) {
            let name = program.member_name(program.fields[field].selector);
            if is_old(name) {
                fields.give(&in_cones(families, &[(class, 0)]), name, &program.show_field(field));
            }
        }
        for &above in own.supertypes.iter().filter(|&&id| program.class(id).is_none()) {
            let of = program.hierarchy.name(above);
            program.library.each_method(of, |text| {
                let (name, descriptor) =
                    text.split_at(text.iter().position(|byte| *byte == b'(').unwrap_or(0));
                if is_old(name)
                    && let Some(number) = parameters.known(descriptor)
                {
                    let shown = show_of_library(of, text);
                    methods.give(&in_cones(families, &[(class, number)]), name, &shown);
                }
            });
            program.library.each_field(of, |text| {
                let name = text.split(|&byte| byte == b':').next().unwrap_or_default();
                if is_old(name) {
                    let shown = show_of_library(of, text);
                    fields.give(&in_cones(families, &[(class, 0)]), name, &shown);
                }
            });
        }
    }
    [methods, fields]
}

/// A member of a library, for messages.
fn show_of_library(class: &[u8], text: &[u8]) -> String {
    format!("{}.{} of a library", Shown(class).to_string().replace('/', "."), Shown(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_free_place_is_found() {
        let mut taken = Taken::default();
        assert_eq!(taken.first_free(), 0);
        (0..64).for_each(|place| taken.add(place));
        assert_eq!(taken.first_free(), 64);
        taken.add(65);
        let mut other = Taken::default();
        other.add(64);
        taken.join(&other);
        assert_eq!(taken.first_free(), 66);
    }
}
