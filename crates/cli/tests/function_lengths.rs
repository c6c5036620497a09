//! Functions fit a screen, so that a reader sees each as a whole: none has more than 80 lines.

use std::path::{Path, PathBuf};

use syn::visit::{self, Visit};
use syn::{Block, ImplItemFn, ItemFn, Signature, TraitItemFn};

/// How many lines a function may have, from its `fn` to the brace at its end.
const MOST: usize = 80;

/// Functions and their lengths.
#[derive(Default)]
struct Lengths(Vec<(String, usize)>);

impl Lengths {
    fn note(&mut self, signature: &Signature, body: &Block) {
        let first = signature.fn_token.span.start().line;
        let last = body.brace_token.span.close().end().line;
        self.0.push((signature.ident.to_string(), last + 1 - first));
    }

    fn of(text: &str) -> syn::Result<Vec<(String, usize)>> {
        let mut lengths = Lengths::default();
        lengths.visit_file(&syn::parse_file(text)?);
        Ok(lengths.0)
    }
}

impl<'f> Visit<'f> for Lengths {
    fn visit_item_fn(&mut self, function: &'f ItemFn) {
        self.note(&function.sig, &function.block);
        visit::visit_item_fn(self, function);
    }

    fn visit_impl_item_fn(&mut self, function: &'f ImplItemFn) {
        self.note(&function.sig, &function.block);
        visit::visit_impl_item_fn(self, function);
    }

    fn visit_trait_item_fn(&mut self, function: &'f TraitItemFn) {
        if let Some(body) = &function.default {
            self.note(&function.sig, body);
        }
        visit::visit_trait_item_fn(self, function);
    }
}

/// The sources below a folder in the order of their names, but for those that are generated.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() && !path.ends_with("generated") && !path.ends_with("target") {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn functions_fit_a_screen() {
    let crates = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let mut files = Vec::new();
    sources(crates, &mut files);
    let mut complaints = String::new();
    for path in &files {
        let text = std::fs::read_to_string(path).expect("a source");
        let lengths = Lengths::of(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let file = path.strip_prefix(crates).expect("below the crates").to_string_lossy().replace('\\', "/");
        for (name, lines) in lengths.into_iter().filter(|(_, lines)| *lines > MOST) {
            complaints += &format!("{file}: `{name}` has {lines} lines, more than {MOST}\n");
        }
    }
    assert!(complaints.is_empty(), "{complaints}");
}

#[test]
fn functions_in_blocks_traits_and_functions_are_measured() {
    let text = "\
/// Not counted.
#[inline]
pub fn one() {}

trait T {
    fn without(&self);
    fn two(&self) {
    }
}

impl T for () {
    fn three(
        &self,
    ) {
        const fn four() {


        }
    }
}

const TEXT: &str = \"
fn no_function() {
\";
";
    let lengths = Lengths::of(text).expect("it is Rust");
    let expected = [("one", 1), ("two", 2), ("three", 8), ("four", 4)].map(|(name, n)| (name.to_owned(), n));
    assert_eq!(lengths, expected);
}
