//! Attributes that no rule keeps go: see [`planish_keep::attributes`].
//!
//! That is the last thing that happens to a class. Until then rules may ask for annotations, and what is said of the
//! program speaks of its lines.

use std::collections::{BTreeMap, BTreeSet};

use planish_base::{Budget, share_out_by_size};
use planish_classfile::annotation::Annotation;
use planish_classfile::class::NEWEST;
use planish_classfile::compact::compact;
use planish_classfile::jar::Role;
use planish_classfile::mutf8::Shown;
use planish_classfile::zip::{Archive, Entry, INFLATED_LIMIT, Method};
use planish_classfile::{Attribute, Body, ClassFile, CodeBytes, ConstantPool, Kind, Result};
use planish_jvm_analysis::passes::ATTRIBUTES;
use planish_jvm_analysis::record::ProgramRecord;
use planish_jvm_model::program::{Program, classes_in};
use planish_keep::attributes::{KeptAttributes, is_asked_for};

/// How many attributes of each name went, and the first class that had one.
pub type GoneAttributes = BTreeMap<String, (usize, String)>;

/// What stays of the attributes of classes.
struct Policy<'p> {
    kept: &'p KeptAttributes,
    /// The annotations that the program asks for.
    asked: &'p BTreeSet<Box<[u8]>>,
    /// What source files are called then.
    source_file: Option<&'p str>,
}

/// Removes attributes, as far as the record allows it. Gives the names of entries that were deflated and are stored now.
/// O(bytes of class files).
pub fn remove(
    archive: &mut Archive,
    (kept, asked, source_file): (&KeptAttributes, &BTreeSet<Box<[u8]>>, Option<&str>),
    record: &mut ProgramRecord,
    threads: usize,
) -> std::result::Result<Vec<Vec<u8>>, String> {
    let mut to_deflate = Vec::new();
    if kept.is_all() && source_file.is_none() {
        return Ok(to_deflate);
    }
    let policy = Policy { kept, asked, source_file };
    let one = |budget: &mut Budget, entry: &Entry| {
        let Role::Class { release: None, .. } = Role::of(&entry.name) else { return Ok(None) };
        let content = entry.content(budget).map_err(|error| error.to_string())?;
        // What cannot be read or written is copied, which was said already.
        Ok::<_, String>(policy.without(&content).ok().flatten())
    };
    let budget = || Budget::new("inflated bytes", INFLATED_LIMIT);
    let size = |entry: &Entry| entry.compressed_size() as usize;
    let (new, _) = share_out_by_size(threads, &archive.entries, size, budget, one, drop);
    for (entry, new) in archive.entries.iter_mut().zip(new) {
        let Some(bytes) = new? else { continue };
        if !record.rewrite(&ATTRIBUTES, || format!("attributes of {} go", Shown(&entry.name))) {
            break;
        }
        if entry.method() != Some(Method::Stored) {
            to_deflate.push(entry.name.clone());
        }
        entry.set_content(&bytes, Method::Stored, 0);
    }
    Ok(to_deflate)
}

/// What goes, or went with other classes, of the attributes that classes had which are still there.
/// O(size of class files).
pub fn gone(
    before: &Program<'_>,
    after: &Program<'_>,
    (kept, asked): (&KeptAttributes, &BTreeSet<Box<[u8]>>),
) -> GoneAttributes {
    let mut gone = GoneAttributes::new();
    let policy = Policy { kept, asked, source_file: None };
    for class in before.classes.ids().filter(|_| !kept.is_all()) {
        if after.class_named(before.name(class)).is_none() {
            continue;
        }
        // What cannot be looked into is copied.
        let mut file = before.classes[class].file.clone();
        for (attribute, count) in policy.take(&mut file).unwrap_or_default() {
            gone.entry(attribute).or_insert_with(|| (0, before.show_class(class))).0 += count;
        }
    }
    gone
}

/// How many attributes of each name went of a class.
type Went = BTreeMap<String, usize>;

impl Policy<'_> {
    /// A class without attributes that go; nothing if it has none, or nobody knows what is in it.
    fn without(&self, bytes: &[u8]) -> Result<Option<Vec<u8>>> {
        let mut class = ClassFile::read(bytes)?;
        if class.major > NEWEST || class.check_indices().is_err() {
            return Ok(None);
        }
        let is_renamed = self.rename(&mut class)?;
        if self.take(&mut class)?.is_empty() && !is_renamed {
            return Ok(None);
        }
        compact(&mut class)?;
        class.to_bytes().map(Some)
    }

    /// Gives the source file of a class, if it says one, another name. Whether it has.
    fn rename(&self, class: &mut ClassFile<'_>) -> Result<bool> {
        let is_source = |attribute: &Attribute<'_>| attribute.kind(&class.pool) == Ok(Some(Kind::SourceFile));
        let place = class.attributes.iter().position(is_source);
        let (Some(name), Some(place)) = (self.source_file, place) else { return Ok(false) };
        let name = class.pool.add_utf8(name.as_bytes())?;
        let mut bytes = Vec::new();
        Body::SourceFile(name).write(&mut bytes)?;
        class.attributes[place].content = bytes.into();
        Ok(true)
    }

    /// Takes what goes out of a class.
    fn take(&self, class: &mut ClassFile<'_>) -> Result<Went> {
        let (pool, mut went) = (&class.pool, Went::new());
        for member in class.fields.iter_mut().chain(&mut class.methods) {
            self.list(&mut member.attributes, pool, &mut went)?;
        }
        self.list(&mut class.attributes, pool, &mut went)?;
        Ok(went)
    }

    /// Takes what goes out of a list of attributes.
    fn list(&self, list: &mut Vec<Attribute<'_>>, pool: &ConstantPool<'_>, went: &mut Went) -> Result<()> {
        let mut left = Vec::with_capacity(list.len());
        for mut attribute in list.drain(..) {
            let name = pool.utf8(attribute.name)?;
            if self.kept.keeps(name) {
                self.inside(&mut attribute, pool, went)?;
                left.push(attribute);
                continue;
            }
            let before = attribute.content.len();
            if self.asked_for(&mut attribute, pool)? {
                let changed = attribute.content.len() != before;
                left.push(attribute);
                if !changed {
                    continue;
                }
            }
            *went.entry(Shown(name).to_string()).or_default() += 1;
        }
        *list = left;
        Ok(())
    }

    /// Takes what goes out of a body and of the components of a record.
    fn inside(&self, attribute: &mut Attribute<'_>, pool: &ConstantPool<'_>, went: &mut Went) -> Result<()> {
        let before = went.values().sum::<usize>();
        let mut content = Vec::new();
        match attribute.kind(pool)? {
            Some(Kind::Code) => {
                let mut body = CodeBytes::read(&mut attribute.cursor())?;
                self.list(&mut body.attributes, pool, went)?;
                body.write(&mut content)?;
            }
            Some(Kind::Record) => {
                let Some(Body::Record(mut components)) = attribute.decode(pool)? else { return Ok(()) };
                for component in &mut components {
                    self.list(&mut component.attributes, pool, went)?;
                }
                Body::Record(components).write(&mut content)?;
            }
            _ => return Ok(()),
        }
        if went.values().sum::<usize>() > before {
            attribute.content = content.into();
        }
        Ok(())
    }

    /// Leaves of an attribute that goes what the program asks for. Whether there is anything of that.
    fn asked_for(&self, attribute: &mut Attribute<'_>, pool: &ConstantPool<'_>) -> Result<bool> {
        let is_asked = |annotation: &Annotation| {
            let descriptor = pool.utf8(annotation.descriptor).unwrap_or_default();
            classes_in(descriptor).next().is_some_and(|name| is_asked_for(name, self.asked))
        };
        let Some(mut body) = attribute.decode(pool)? else { return Ok(false) };
        let is_empty = match &mut body {
            Body::RuntimeVisibleAnnotations(list) => {
                list.retain(is_asked);
                list.is_empty()
            }
            Body::RuntimeVisibleTypeAnnotations(list) => {
                list.retain(|item| is_asked(&item.annotation));
                list.is_empty()
            }
            Body::RuntimeVisibleParameterAnnotations(lists) => {
                lists.iter_mut().for_each(|list| list.retain(is_asked));
                lists.iter().all(Vec::is_empty)
            }
            // An annotation that does not say what has a default has the default.
            Body::AnnotationDefault(_) => false,
            _ => true,
        };
        if is_empty {
            return Ok(false);
        }
        let mut content = Vec::new();
        body.write(&mut content)?;
        attribute.content = content.into();
        Ok(true)
    }
}
