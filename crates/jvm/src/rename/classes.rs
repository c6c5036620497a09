//! New names of packages and classes.
//!
//! A package is renamed as a whole, so what only a package sees is seen as before: one with a class that keeps its name
//! keeps its own, and its other classes stay in it.

use std::collections::{BTreeMap, BTreeSet};

use planish_base::Id;
use planish_classfile::mutf8::Shown;
use planish_jvm_analysis::passes::RENAMING;
use planish_jvm_analysis::record::ProgramRecord;
use planish_jvm_model::names::package;
use planish_jvm_model::program::{Class, Program, classes_in};

use crate::rename::asked::{Asked, Layout};
use crate::rename::families::Families;
use crate::rename::kept::Kept;
use crate::rename::words::Words;

/// New names, by class.
pub struct Classes {
    pub names: Vec<Option<Box<[u8]>>>,
    /// What a user should know.
    pub warnings: Vec<String>,
}

/// Gives names to the classes that may have others, as far as the record allows it. O(classes, and their constants).
pub fn classes(
    program: &Program<'_>,
    asked: &Asked<'_>,
    (kept, families): (&mut Kept, &Families),
    order: &[Class],
    record: &mut ProgramRecord,
) -> Classes {
    for &class in order {
        let say = || format!("class {} gets another name", program.show_class(class));
        if !kept.classes[class.index()] && !record.rewrite(&RENAMING, say) {
            kept.classes[class.index()] = true;
        }
    }
    let mut namer = Namer {
        program,
        asked,
        kept,
        packages: Packages::of(program, asked, (kept, families), order),
        taken: BTreeSet::new(),
        places: BTreeMap::new(),
        found: Classes { names: vec![None; kept.classes.len()], warnings: Vec::new() },
        words: Words::new(&asked.dictionaries[1], asked.has_mixed_case, BTreeSet::new()),
    };
    for &class in order.iter().filter(|class| kept.classes[class.index()]) {
        let name = namer.told_apart(program.name(class));
        namer.taken.insert(name);
    }
    for &class in order {
        namer.take_old(class);
    }
    for &class in order {
        namer.name(class);
    }
    namer.found
}

struct Namer<'n, 'a> {
    program: &'n Program<'a>,
    asked: &'n Asked<'n>,
    kept: &'n Kept,
    packages: Packages<'n>,
    /// Names that classes have by now.
    taken: BTreeSet<Vec<u8>>,
    /// By what stands in front of a name the place in the order of names at which it goes on.
    places: BTreeMap<Vec<u8>, usize>,
    found: Classes,
    words: Words<'n>,
}

impl Namer<'_, '_> {
    /// What tells a name from others.
    fn told_apart(&self, name: &[u8]) -> Vec<u8> {
        if self.asked.has_mixed_case { name.to_vec() } else { name.to_ascii_lowercase() }
    }

    /// What the new name of a class begins with, once the classes around it have theirs.
    fn front(&mut self, class: Class) -> Vec<u8> {
        match self.kept.around[class.index()] {
            Some(around) => [&self.name(around)[..], b"$"].concat(),
            None => match self.packages.name(package(self.program.name(class))) {
                package if package.is_empty() => package,
                package => [&package[..], b"/"].concat(),
            },
        }
    }

    /// Whether a class may have a name: no other has it, in the program or around it.
    fn is_free(&self, name: &[u8]) -> bool {
        !self.taken.contains(&self.told_apart(name)) && self.program.hierarchy.lookup(name).is_none()
    }

    fn give(&mut self, class: Class, name: &[u8]) {
        let told_apart = self.told_apart(name);
        self.taken.insert(told_apart);
        self.found.names[class.index()] = Some(name.into());
    }

    /// The name that a class has by now. As deep as classes stand in each other.
    fn name(&mut self, class: Class) -> Vec<u8> {
        let old = self.program.name(class);
        if self.kept.classes[class.index()] {
            return old.to_vec();
        }
        if let Some(name) = &self.found.names[class.index()] {
            return name.to_vec();
        }
        let front = self.front(class);
        let mut place = self.places.get(&front).copied().unwrap_or(0);
        let name = loop {
            let name = [&front[..], self.words.get(place)].concat();
            place += 1;
            if self.is_free(&name) {
                break name;
            }
        };
        self.places.insert(front, place);
        self.give(class, &name);
        name
    }

    /// Gives a class the name that it had before, where it fits.
    fn take_old(&mut self, class: Class) {
        let was = self.program.name(class);
        let Some(name) = self.asked.old.class(was) else { return };
        if self.kept.classes[class.index()] {
            if name != was {
                self.warn(class, "keeps its name", name);
            }
            return;
        }
        let is_done = self.found.names[class.index()].is_some();
        let around = self.kept.around[class.index()];
        if let Some(around) = around.filter(|_| !is_done) {
            self.take_old(around);
        }
        let front = self.front(class);
        let fits =
            name.strip_prefix(&front[..]).is_some_and(|rest| !rest.is_empty() && !rest.contains(&b'/'));
        let is_itself = name == was || !self.taken.contains(&self.told_apart(name));
        if is_done {
            return;
        }
        if fits && is_itself {
            self.give(class, name);
        } else {
            self.warn(class, "gets a new name, since the one it had does not fit", name);
        }
    }

    fn warn(&mut self, class: Class, what: &str, name: &[u8]) {
        let shown = self.program.show_class(class);
        let name = Shown(name).to_string().replace('/', ".");
        self.found.warnings.push(format!("-applymapping: {shown} {what}, and was called {name}"));
    }
}

/// New names of packages.
struct Packages<'n> {
    asked: &'n Asked<'n>,
    /// Those that stay where they are.
    stay: BTreeSet<Vec<u8>>,
    /// Those that have a name by now.
    names: BTreeMap<Vec<u8>, Vec<u8>>,
    taken: BTreeSet<Vec<u8>>,
    words: Words<'n>,
    /// By the package above the place in the order of names at which it goes on.
    places: BTreeMap<Vec<u8>, usize>,
}

impl<'n> Packages<'n> {
    fn of(
        program: &Program<'_>,
        asked: &'n Asked<'n>,
        (kept, families): (&Kept, &Families),
        order: &[Class],
    ) -> Self {
        let mut stay = BTreeSet::new();
        let mut names = BTreeMap::new();
        for &class in order {
            let name = program.name(class);
            let home = package(name);
            let stays = kept.classes[class.index()]
                || asked.keeps_packages
                || asked.package_names.matches(home)
                || asked.with_resources.contains(home)
                || matches!(asked.layout, Layout::Together(_)) && families.apart.contains(home)
                || speaks_of_neighbours_outside(program, class);
            if stays {
                stay.insert(home.to_vec());
            }
            if let Some(old) = asked.old.class(name) {
                names.entry(home.to_vec()).or_insert_with(|| package(old).to_vec());
            }
        }
        // Packages above one that stays are there, too.
        let mut taken = BTreeSet::new();
        for home in &stay {
            names.insert(home.clone(), home.clone());
            let mut above = &home[..];
            while !above.is_empty() {
                taken.insert(above.to_ascii_lowercase());
                above = package(above);
            }
        }
        taken.extend(names.values().map(|name| name.to_ascii_lowercase()));
        // What others have in a package of the same name would see what only that package may, and may be sealed.
        taken.extend(packages_outside(program, order));
        // The JVM gives nobody else this one.
        taken.insert(b"java".to_vec());
        let words = Words::new(&asked.dictionaries[2], asked.has_mixed_case, BTreeSet::new());
        Packages { asked, stay, names, taken, words, places: BTreeMap::new() }
    }

    /// The new name of a package. As deep as packages stand in each other.
    fn name(&mut self, old: &[u8]) -> Vec<u8> {
        if let Some(name) = self.names.get(old) {
            return name.clone();
        }
        let name = match self.asked.layout {
            Layout::Together(target) => target.to_vec(),
            Layout::Below(target) => self.below(&target.to_vec()),
            Layout::Nested if old.is_empty() || self.is_above_one_that_stays(old) => old.to_vec(),
            Layout::Nested => {
                let above = self.name(package(old));
                self.below(&above)
            }
        };
        self.names.insert(old.to_vec(), name.clone());
        name
    }

    fn is_above_one_that_stays(&self, old: &[u8]) -> bool {
        let front = [old, b"/"].concat();
        self.stay.range(front.clone()..).next().is_some_and(|stays| stays.starts_with(&front))
    }

    /// A new package below another.
    fn below(&mut self, above: &Vec<u8>) -> Vec<u8> {
        let mut place = self.places.get(above).copied().unwrap_or(0);
        loop {
            let word = self.words.get(place);
            place += 1;
            let name = if above.is_empty() { word.to_vec() } else { [above, &b"/"[..], word].concat() };
            // Capitals make no other directory everywhere.
            if self.taken.insert(name.to_ascii_lowercase()) {
                self.places.insert(above.clone(), place);
                return name;
            }
        }
    }
}

/// The packages of classes that the program speaks of and has not, and those above them.
fn packages_outside(program: &Program<'_>, order: &[Class]) -> BTreeSet<Vec<u8>> {
    let mut outside = BTreeSet::new();
    for &class in order {
        let pool = &program.classes[class].file.pool;
        for name in pool.indices().filter_map(|index| pool.class(index).ok()) {
            let mut home = package(name);
            if name.first() == Some(&b'[') || home.is_empty() || program.class_named(name).is_some() {
                continue;
            }
            while !home.is_empty() && outside.insert(home.to_ascii_lowercase()) {
                home = package(home);
            }
        }
    }
    outside
}

/// Whether a class speaks of one of its package that is not in the program, and may see what only the package does.
fn speaks_of_neighbours_outside(program: &Program<'_>, class: Class) -> bool {
    let home = package(program.name(class));
    let pool = &program.classes[class].file.pool;
    pool.indices().any(|index| {
        let name = pool.class(index).ok().filter(|name| name.first() != Some(&b'['));
        name.is_some_and(|name| package(name) == home && program.class_named(name).is_none())
            || pool.class(index).is_ok_and(|name| {
                name.first() == Some(&b'[')
                    && classes_in(name)
                        .any(|name| package(name) == home && program.class_named(name).is_none())
            })
    })
}
