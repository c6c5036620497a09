//! No file imports in a circle: in each crate, whoever reads the files from the leaves up meets nothing that is not known yet.
//!
//! Files are nodes. A file imports another one if a `use`, or a path in its code, leads to something that the other defines;
//! what a third one only hands on (`pub use`) counts as imported from where it is defined. Modules of tests do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemMod, ItemUse, UseTree, Visibility};

/// A module by its path from the root of its crate.
type Module = Vec<String>;

/// What a file says about other files of its crate.
#[derive(Default)]
struct Said {
    /// The paths that it imports or mentions, as they are written.
    paths: BTreeSet<Vec<String>>,
    /// The names that it hands on, and the paths from which it has them.
    handed_on: BTreeMap<String, Vec<String>>,
}

/// Whether something is there for tests alone.
fn is_for_tests(attributes: &[Attribute]) -> bool {
    let says_test = |attribute: &Attribute| {
        let list = attribute.meta.require_list().ok().filter(|list| list.path.is_ident("cfg"));
        list.is_some_and(|list| {
            list.tokens.to_string().split([' ', '(', ',', ')']).any(|word| word == "test")
        })
    };
    attributes.iter().any(says_test)
}

/// The paths of a tree of imports, each with the name under which it is known.
fn leaves(tree: &UseTree, before: &[String], found: &mut Vec<(String, Vec<String>)>) {
    let with = |name: &syn::Ident| [before, &[name.to_string()]].concat();
    match tree {
        UseTree::Path(path) => leaves(&path.tree, &with(&path.ident), found),
        UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, before, found)),
        UseTree::Name(name) if name.ident == "self" => {
            found.push((before.last().cloned().unwrap_or_default(), before.to_vec()));
        }
        UseTree::Name(name) => found.push((name.ident.to_string(), with(&name.ident))),
        UseTree::Rename(rename) => found.push((rename.rename.to_string(), with(&rename.ident))),
        UseTree::Glob(_) => found.push((String::new(), before.to_vec())),
    }
}

impl<'f> Visit<'f> for Said {
    fn visit_item_mod(&mut self, module: &'f ItemMod) {
        if !is_for_tests(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_use(&mut self, item: &'f ItemUse) {
        let mut found = Vec::new();
        leaves(&item.tree, &[], &mut found);
        match item.vis {
            Visibility::Inherited => self.paths.extend(found.into_iter().map(|(_, path)| path)),
            _ => self.handed_on.extend(found),
        }
    }

    /// From where something is seen is no import.
    fn visit_visibility(&mut self, _: &'f Visibility) {}

    fn visit_path(&mut self, path: &'f syn::Path) {
        if path.segments.len() > 1 {
            self.paths.insert(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }

    fn visit_item(&mut self, item: &'f Item) {
        let attributes = match item {
            Item::Fn(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            _ => return visit::visit_item(self, item),
        };
        if !is_for_tests(attributes) {
            visit::visit_item(self, item);
        }
    }
}

/// The files of a crate, by module.
fn files_of(source: &Path) -> BTreeMap<Module, PathBuf> {
    let mut files = BTreeMap::new();
    let mut folders = vec![source.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let inside = path.strip_prefix(source).expect("below the sources").with_extension("");
                let mut module: Module =
                    inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
                if module.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
                    module.pop();
                }
                files.insert(module, path);
            }
        }
    }
    files
}

/// The files of a crate and what they say.
struct Crate {
    files: BTreeMap<Module, PathBuf>,
    said: BTreeMap<Module, Said>,
}

impl Crate {
    fn read(source: &Path) -> Crate {
        let files = files_of(source);
        let read = |path: &PathBuf| {
            let text = std::fs::read_to_string(path).expect("a source");
            let file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let mut said = Said::default();
            said.visit_file(&file);
            said
        };
        let said = files.iter().map(|(module, path)| (module.clone(), read(path))).collect();
        Crate { files, said }
    }

    /// The file to which a path leads that another one writes; nothing if it leads out of the crate.
    fn resolve(&self, from: &Module, path: &[String], depth: u32) -> Option<Module> {
        let depth = depth.checked_sub(1)?;
        let mut rest = path.iter().map(String::as_str).peekable();
        let mut module = match *rest.peek()? {
            "crate" => {
                rest.next();
                Module::new()
            }
            "self" => {
                rest.next();
                from.clone()
            }
            "super" => {
                let mut module = from.clone();
                while rest.next_if_eq(&"super").is_some() {
                    module.pop();
                }
                module
            }
            first if self.files.contains_key(&[&from[..], &[first.to_owned()]].concat()) => from.clone(),
            _ => return None,
        };
        while let Some(name) = rest.peek() {
            let below = [&module[..], &[(*name).to_owned()]].concat();
            if !self.files.contains_key(&below) {
                break;
            }
            module = below;
            rest.next();
        }
        let handed_on = rest.next().and_then(|name| self.said.get(&module)?.handed_on.get(name));
        handed_on.and_then(|path| self.resolve(&module, path, depth)).or(Some(module))
    }

    /// Which files import which.
    fn imports(&self) -> BTreeMap<&Module, BTreeSet<Module>> {
        let of = |(module, said): (&'_ Module, &Said)| {
            let found = said.paths.iter().filter_map(|path| self.resolve(module, path, 8));
            found.filter(|other| other != module).collect()
        };
        self.said.iter().map(|(module, said)| (module, of((module, said)))).collect()
    }
}

/// Takes away files that import only what is gone, and those that only what is gone imports, until what is left stands in
/// circles or between two of them.
fn circles(mut imports: BTreeMap<&Module, BTreeSet<Module>>) -> BTreeMap<&Module, BTreeSet<Module>> {
    loop {
        let before = imports.len();
        let left: BTreeSet<Module> = imports.keys().map(|&module| module.clone()).collect();
        imports.values_mut().for_each(|others| others.retain(|other| left.contains(other)));
        let imported: BTreeSet<Module> = imports.values().flatten().cloned().collect();
        imports.retain(|module, others| !others.is_empty() && imported.contains(*module));
        if imports.len() == before {
            return imports;
        }
    }
}

#[test]
fn no_file_imports_in_a_circle() {
    let crates = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let mut found = String::new();
    for entry in std::fs::read_dir(crates).expect("the crates") {
        let source = entry.expect("a crate").path().join("src");
        if !source.is_dir() {
            continue;
        }
        let read = Crate::read(&source);
        for (module, others) in circles(read.imports()) {
            let names: Vec<String> = others.iter().map(|other| other.join("::")).collect();
            found += &format!("{}: imports {}\n", read.files[module].display(), names.join(", "));
        }
    }
    assert!(found.is_empty(), "these files import in circles:\n{found}");
}

#[test]
fn a_circle_through_what_is_handed_on_is_seen() {
    let scratch = std::env::temp_dir().join(format!("planish-circle-{}", std::process::id()));
    std::fs::create_dir_all(scratch.join("b")).expect("a folder");
    for (name, text) in [
        ("lib.rs", "mod a;\nmod b;\n"),
        ("a.rs", "use crate::b::Two;\npub struct One(Two);\n"),
        ("b/mod.rs", "mod c;\npub use c::Two;\n#[cfg(test)]\nmod tests { use crate::a::One; }\n"),
        ("b/c.rs", "pub struct Two;\nimpl Two { fn f() { let _ = crate::a::One::g; } }\n"),
    ] {
        std::fs::write(scratch.join(name), text).expect("a file");
    }
    let read = Crate::read(&scratch);
    std::fs::remove_dir_all(&scratch).expect("the folder goes");
    let circle: Vec<String> = circles(read.imports()).into_keys().map(|module| module.join("::")).collect();
    assert_eq!(circle, ["a", "b::c"]);
}
