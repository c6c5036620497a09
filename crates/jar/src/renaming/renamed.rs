//! A program with its new names.

use std::collections::BTreeMap;
use std::sync::Arc;

use planish_base::{Budget, caught, share_out};
use planish_classfile::jar::Role;
use planish_classfile::zip::{Archive, Entry, INFLATED_LIMIT, Method};
use planish_classfile::{ClassFile, MemberRef};
use planish_jvm::rename::apply::Renamed;
use planish_jvm::rename::asked::Asked;
use planish_jvm::rename::naming::Naming;
use planish_jvm_analysis::record::ProgramRecord;
use planish_jvm_analysis::reflection::{Looks, looks};
use planish_jvm_analysis::sought::Sought;
use planish_jvm_model::program::{Class, Program};

use crate::directories;
use crate::entry::LEVEL;
use crate::programs::around::Surroundings;
use crate::programs::contents::is_copied;
use crate::renaming::given::{NameFiles, Options};
use crate::renaming::resources::{Paths, class_path, held, rename};

/// What new names did.
#[derive(Clone, Default)]
pub struct Names {
    /// The names, by those that classes and members had.
    pub naming: Arc<Naming>,
    /// What entries are called, by the names that they had.
    pub paths: Paths,
    /// The program before it got them, if that is asked for.
    pub before: Option<Archive>,
}

impl Names {
    /// What the summary says.
    pub fn summary(&self) -> String {
        let [classes, fields, methods] = self.naming.counts;
        if self.naming.is_empty() {
            return String::new();
        }
        format!(
            "new names: {} of {} classes, {} of {} fields, {} of {} methods\n",
            classes.0, classes.1, fields.0, fields.1, methods.0, methods.1
        )
    }

    /// What an entry is called.
    pub fn path<'n>(&'n self, old: &'n [u8]) -> &'n [u8] {
        self.paths.get(old).map_or(old, |new| new)
    }
}

/// The classes of an archive, as a program and by their places.
pub(crate) struct Read<'p> {
    pub program: Program<'p>,
    pub classes: Vec<(usize, Class)>,
}

pub(crate) fn contents(archive: &Archive) -> Result<Vec<(usize, Vec<u8>)>, String> {
    let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
    let mut contents = Vec::new();
    // Of entries with one name a JVM finds the last.
    for (place, entry) in archive.entries.iter().enumerate().rev() {
        if let Role::Class { release: None, .. } = Role::of(&entry.name) {
            let content = entry.content(&mut budget).map_err(|error| error.to_string())?;
            contents.push((place, content.into_owned()));
        }
    }
    Ok(contents)
}

impl<'p> Read<'p> {
    pub fn of(contents: &'p [(usize, Vec<u8>)], around: Surroundings<'p>) -> Result<Self, String> {
        let mut program = Program::new(around.hierarchy, around.classpath.library()?);
        let mut classes = Vec::new();
        for (place, content) in contents {
            // What cannot be read is copied, with a warning.
            if let Ok(Some(class)) = program.add(content) {
                classes.push((*place, class));
            }
        }
        Ok(Read { program, classes })
    }
}

/// Decides who is called what of a program, as far as the record allows it. O(size of the program).
pub fn naming(
    archive: &Archive,
    around: Surroundings<'_>,
    (files, options): (&NameFiles, &Options),
    sought: &Sought,
    record: &mut ProgramRecord,
) -> Result<Naming, String> {
    let contents = contents(archive)?;
    let Read { program, .. } = Read::of(&contents, around)?;
    let outside = outside(archive, around)?;
    let outside: Vec<ClassFile<'_>> =
        outside.iter().filter_map(|bytes| ClassFile::read(bytes).ok()).collect();
    let roots = around.roots;
    let mut held = held(archive, options, asks_for_resources(&program))?;
    held.main.extend(roots.main.iter().map(|name| name.replace('.', "/").into_bytes()));
    let asked = Asked {
        rules: &roots.rules,
        main: &held.main,
        is_library: roots.library,
        has_inner_classes: roots.kept_attributes().keeps(b"InnerClasses"),
        sought,
        outside: &outside,
        in_resources: &held.classes,
        with_resources: &held.packages,
        keeps_packages: held.is_module,
        package_names: &options.package_names,
        adapted: &options.adapted,
        layout: &options.layout,
        has_mixed_case: options.has_mixed_case,
        has_unique_members: options.has_unique_members,
        dictionaries: &files.dictionaries,
        old: &files.old,
    };
    Ok(Naming::of(&program, &asked, record))
}

/// Class files that stay as they are: versions for newer releases, descriptors of modules for those, classes that the JDK has
/// as well, and those of libraries.
pub(crate) fn outside(archive: &Archive, around: Surroundings<'_>) -> Result<Vec<Vec<u8>>, String> {
    let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
    let is_version = |entry: &&Entry| {
        matches!(Role::of(&entry.name), Role::Class { release: Some(_), .. } | Role::ModuleInfo(Some(_)))
    };
    let is_class = |entry: &&Entry| matches!(Role::of(&entry.name), Role::Class { .. });
    let libraries = around.classpath.libraries.iter().flat_map(|library| &library.entries).filter(is_class);
    let entries =
        archive.entries.iter().filter(is_version).chain(&around.classpath.shadowed).chain(libraries);
    entries
        .map(|entry| entry.content(&mut budget).map(|c| c.into_owned()).map_err(|e| e.to_string()))
        .collect()
}

/// Whether a program asks for resources, perhaps by names that begin at the package of a class.
fn asks_for_resources(program: &Program<'_>) -> bool {
    let asks = |member: &MemberRef<'_>| {
        matches!(looks(member), Some(Looks::Places | Looks::Contents | Looks::Bundles))
    };
    program.classes.values().any(|class| {
        let pool = &class.file.pool;
        pool.indices().any(|index| pool.member(index).is_ok_and(|member| asks(&member)))
    })
}

/// Lets a program speak by its new names. Returns the new names of its entries, and the names of those that were deflated
/// and are stored now; the error says of which class the constants would be too many, and then nothing changed.
pub fn apply(
    archive: &mut Archive,
    around: Surroundings<'_>,
    naming: &Naming,
    options: &Options,
) -> Result<(Paths, Vec<Vec<u8>>), String> {
    let contents = contents(archive)?;
    let Read { program, classes } = Read::of(&contents, around)?;
    let renamed = Renamed::new(&program, naming, &options.adapted);
    let one = |(): &mut (), (_, class): &(usize, Class)| {
        if is_copied(&program.classes[*class]) {
            return Ok(None);
        }
        let name = || program.show_class(*class);
        let new = caught::guard(|| renamed.class(*class)).map_err(|panicked| panicked.report(&name()))?;
        new.map_err(|error| format!("{}: {error}", name()))
    };
    let (new, _) = share_out(around.threads, &classes, || (), one, drop);
    let mut changes = Vec::with_capacity(classes.len());
    for ((place, class), new) in classes.iter().zip(new) {
        changes.push((*place, program.name(*class).to_vec(), new?));
    }
    let had = directories::with_content(archive);
    let (mut paths, mut to_deflate) = rename(archive, naming, options)?;
    let mut descriptor = descriptors(archive, &renamed)?;
    for (place, name, bytes) in changes {
        let entry = &mut archive.entries[place];
        let old = entry.name.clone();
        if let Some(path) = naming.class(&name).and_then(|new| class_path(&old, &name, new)) {
            entry.name.clone_from(&path);
            paths.insert(old.clone(), path);
        }
        if let Some(bytes) = bytes {
            if entry.method() != Some(Method::Stored) {
                to_deflate.push(old);
            }
            entry.set_content(&bytes, Method::Stored, 0);
        }
    }
    to_deflate.append(&mut descriptor);
    let has = directories::with_content(archive);
    archive.entries.retain(|entry| !had.contains(&entry.name) || has.contains(&entry.name));
    if archive.is_signed() {
        let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
        archive.remove_signatures(&mut budget, LEVEL).map_err(|error| error.to_string())?;
    }
    Ok((paths, to_deflate))
}

/// Lets the descriptor of a module speak of classes by their new names.
fn descriptors(archive: &mut Archive, renamed: &Renamed<'_, '_>) -> Result<Vec<Vec<u8>>, String> {
    let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
    let mut to_deflate = Vec::new();
    for entry in &mut archive.entries {
        if Role::of(&entry.name) != Role::ModuleInfo(None) {
            continue;
        }
        let content = entry.content(&mut budget).map_err(|error| error.to_string())?;
        let Ok(file) = ClassFile::read(&content) else { continue };
        if let Some(bytes) = renamed.file(file).map_err(|error| error.to_string())? {
            if entry.method() != Some(Method::Stored) {
                to_deflate.push(entry.name.clone());
            }
            entry.set_content(&bytes, Method::Stored, 0);
        }
    }
    Ok(to_deflate)
}

/// Names of entries by what they are called now.
pub fn renamed_paths(names: Vec<Vec<u8>>, paths: &BTreeMap<Vec<u8>, Vec<u8>>) -> Vec<Vec<u8>> {
    names.into_iter().map(|name| paths.get(&name).cloned().unwrap_or(name)).collect()
}
