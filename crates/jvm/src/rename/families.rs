//! Which methods must be called alike, and which members must not be.
//!
//! Where an object inherits two methods of one name and type, one overrides or implements the other, so both are called
//! alike for ever: they are of one *family*. A family of which a library has a member keeps its name. What an object
//! may inherit together is a *cone*: a class or interface with all that is above it, the interfaces of a lambda,
//! or all interfaces where proxies are made. Members of other families, and fields, that stand in one cone are
//! called differently, or a reference that leads past one to another would end too early.

use hashbrown::HashMap;
use planish_base::{Id, UnionFind};
use planish_classfile::{Constant, Flags};
use planish_jvm_model::bootstraps::rows;
use planish_jvm_model::hierarchy::ClassId;
use planish_jvm_model::names::package;
use planish_jvm_model::program::{Class, Found, Method, Program, Selector};
use rustc_hash::FxBuildHasher;

use crate::rename::kept::Kept;
use crate::rename::lambdas::{Bootstrap, bootstrap};

/// Families of methods, and cones.
pub struct Families {
    sets: UnionFind<Method>,
    /// By class the cones in which it stands.
    pub cones: Vec<Vec<u32>>,
    /// How many cones there are.
    pub count: u32,
    /// Packages of methods that only a package sees, of whose names classes of other packages have methods, too.
    pub apart: std::collections::BTreeSet<Vec<u8>>,
}

impl Families {
    /// The families of a program. Those that libraries know, or may know, are kept. O(methods that objects inherit).
    pub fn of(program: &Program<'_>, kept: &mut Kept, are_unique: bool) -> Families {
        let [classes, ..] = program.counts();
        let mut families = Families {
            sets: UnionFind::new(),
            cones: vec![Vec::new(); classes],
            count: 0,
            apart: std::collections::BTreeSet::new(),
        };
        let mut library = HashMap::default();
        for class in program.classes.ids() {
            families.cone(program, &program.classes[class].supertypes, kept, &mut library);
        }
        if kept.makes_proxies {
            let is_interface = |class: &Class| program.classes[*class].file.flags.has(Flags::INTERFACE);
            let interfaces = program.classes.ids().filter(is_interface);
            let ids: Vec<ClassId> = interfaces.map(|class| program.classes[class].id).collect();
            families.cone(program, &ids, kept, &mut library);
        }
        for class in program.classes.ids() {
            families.lambdas(program, class, kept, &mut library);
        }
        if are_unique {
            families.alike(program);
        }
        families.keep(program, kept);
        families
    }

    /// The method that stands for a family.
    pub fn family(&self, method: Method) -> Method {
        self.sets.peek(method)
    }

    fn join(&mut self, a: Method, b: Method) {
        let (a, b) = (self.sets.find(a), self.sets.find(b));
        if a != b {
            self.sets.forward(b, a);
        }
    }

    /// Objects may inherit from all of these.
    fn cone(
        &mut self,
        program: &Program<'_>,
        supertypes: &[ClassId],
        kept: &mut Kept,
        library: &mut HashMap<ClassId, (Vec<Selector>, bool), FxBuildHasher>,
    ) {
        let number = self.count;
        self.count += 1;
        let mut declared: HashMap<Selector, Method, FxBuildHasher> = HashMap::default();
        let (mut outside, mut is_known) = (Vec::new(), true);
        for &above in supertypes {
            let Some(class) = program.class(above) else {
                let (selectors, known) = library.entry(above).or_insert_with(|| selectors(program, above));
                outside.extend_from_slice(selectors);
                is_known &= *known;
                continue;
            };
            self.cones[class.index()].push(number);
            for &method in &program.classes[class].methods {
                let info = &program.methods[method];
                if info.flags.any(Flags::STATIC | Flags::PRIVATE)
                    || program.member_name(info.selector).starts_with(b"<")
                {
                    continue;
                }
                match declared.get(&info.selector) {
                    Some(&other) => {
                        self.stand_apart(program, method, other);
                        self.join(other, method);
                    }
                    None => {
                        declared.insert(info.selector, method);
                    }
                }
            }
        }
        for selector in outside {
            if let Some(&method) = declared.get(&selector) {
                kept.methods[method.index()] = true;
            }
        }
        if !is_known {
            // Whatever is above them may have any of them, fields too.
            for class in supertypes.iter().filter_map(|&above| program.class(above)) {
                program.classes[class].methods.iter().for_each(|method| kept.methods[method.index()] = true);
                program.classes[class].fields.iter().for_each(|field| kept.fields[field.index()] = true);
            }
        }
    }

    /// What only a package sees is nothing to other packages as long as they are others.
    fn stand_apart(&mut self, program: &Program<'_>, a: Method, b: Method) {
        let seen = Flags::PUBLIC | Flags::PROTECTED;
        let [of_a, of_b] = [a, b].map(|method| package(program.name(program.methods[method].class)));
        let is_near = |method: Method| !program.methods[method].flags.any(seen);
        if of_a != of_b && (is_near(a) || is_near(b)) {
            self.apart.extend([of_a.to_vec(), of_b.to_vec()]);
        }
    }

    /// The methods that call sites of a class name are of one family; the interfaces of one lambda are of one cone.
    fn lambdas(
        &mut self,
        program: &Program<'_>,
        class: Class,
        kept: &mut Kept,
        library: &mut HashMap<ClassId, (Vec<Selector>, bool), FxBuildHasher>,
    ) {
        let file = &program.classes[class].file;
        let table = rows(file).unwrap_or_default();
        for index in file.pool.indices().filter(|_| !table.is_empty()) {
            let Ok(Constant::InvokeDynamic(row, _)) = file.pool.get(index) else { continue };
            let Ok((_, name, descriptor)) = file.pool.dynamic(index) else { continue };
            let Bootstrap::Lambda(lambda) = bootstrap(&file.pool, &table, row, descriptor) else { continue };
            let found = lambda.methods(program, name);
            let of_program: Vec<Method> = found
                .iter()
                .filter_map(|found| match found {
                    Found::Program(method) => Some(*method),
                    _ => None,
                })
                .collect();
            of_program.windows(2).for_each(|two| self.join(two[0], two[1]));
            // The name at the site is one of a library, or of nobody knows whom.
            if of_program.len() < found.len() {
                of_program.iter().for_each(|method| kept.methods[method.index()] = true);
            }
            if lambda.interfaces.len() > 1 {
                let ids = lambda.interfaces.iter().filter_map(|name| program.hierarchy.lookup(name));
                let mut all: Vec<ClassId> = ids.flat_map(|id| program.hierarchy.supertypes(id)).collect();
                all.sort();
                all.dedup();
                self.cone(program, &all, kept, library);
            }
        }
    }

    /// All methods of one name and type are called alike.
    fn alike(&mut self, program: &Program<'_>) {
        let mut first: HashMap<Selector, Method, FxBuildHasher> = HashMap::default();
        for method in program.methods.ids() {
            let selector = program.methods[method].selector;
            match first.get(&selector) {
                Some(&other) => self.join(other, method),
                None => {
                    first.insert(selector, method);
                }
            }
        }
    }

    /// A family of which a member keeps its name does.
    fn keep(&mut self, program: &Program<'_>, kept: &mut Kept) {
        for method in program.methods.ids() {
            let name = program.member_name(program.methods[method].selector);
            if kept.methods[method.index()] || kept.names.contains(name) {
                let family = self.sets.find(method);
                kept.methods[family.index()] = true;
            }
        }
        for method in program.methods.ids() {
            let family = self.sets.find(method);
            kept.methods[method.index()] |= kept.methods[family.index()];
        }
        for field in program.fields.ids() {
            let name = program.member_name(program.fields[field].selector);
            kept.fields[field.index()] |= kept.names.contains(name);
        }
    }
}

/// The selectors of the program that a class outside has methods of, and whether it is known which.
fn selectors(program: &Program<'_>, id: ClassId) -> (Vec<Selector>, bool) {
    let mut found = Vec::new();
    let is_known = program.hierarchy.get(id).is_some()
        && program
            .library
            .each_method(program.hierarchy.name(id), |text| found.extend(program.selector(text)));
    (found, is_known)
}
