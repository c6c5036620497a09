//! What comes behind the rounds of a program: versions of written objects, new names, attributes that go.

use std::sync::Arc;

use planish_classfile::zip::Archive;
use planish_jvm::rename::naming::Naming;
use planish_jvm_analysis::record::ProgramRecord;
use planish_jvm_analysis::sought::Sought;

use crate::attributes;
use crate::programs::around::Surroundings;
use crate::programs::outcome::ShrinkOutcome;
use crate::renaming::given::Options;
use crate::renaming::renamed::{Names, apply, naming, renamed_paths};
use crate::serial_versions::keep_versions;

/// Lets classes whose objects may be written say the version that serialization computed of them before: what they lost and
/// new names would change it.
pub(super) fn with_versions(
    before: &Archive,
    result: &mut Archive,
    around: Surroundings<'_>,
    (shrunk, naming): (&mut ShrinkOutcome, &Naming),
) -> Result<(), String> {
    if shrunk.may_write_objects {
        let versions = keep_versions(before, result, around.hierarchy, !naming.is_empty());
        shrunk.versions = versions.map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Decides who is called what, if there are to be new names.
pub(super) fn new_names(
    archive: &Archive,
    around: Surroundings<'_>,
    sought: &Sought,
    record: &mut ProgramRecord,
) -> Result<Naming, String> {
    let Some(files) = around.roots.new_names() else { return Ok(Naming::default()) };
    (around.progress)("new names");
    naming(archive, around, (files, &Options::of(&around.roots.rules)), sought, record)
}

/// Lets a program speak by its new names. Gives those that it has.
pub(super) fn renamed(
    archive: &mut Archive,
    around: Surroundings<'_>,
    naming: Naming,
    shrunk: &mut ShrinkOutcome,
) -> Result<Arc<Naming>, String> {
    shrunk.warnings.extend(naming.warnings.iter().cloned());
    if around.roots.new_names().is_none() {
        return Ok(Arc::default());
    }
    let before = around.roots.compares_names.then(|| archive.clone());
    let mut names = Names { naming: Arc::new(naming), before, ..Names::default() };
    match apply(archive, around, &names.naming, &Options::of(&around.roots.rules)) {
        Ok((paths, to_deflate)) => {
            shrunk.to_deflate.extend(to_deflate);
            shrunk.to_deflate = renamed_paths(std::mem::take(&mut shrunk.to_deflate), &paths);
            names.paths = paths;
        }
        Err(error) => {
            shrunk.warnings.push(format!("{error}; nothing gets another name"));
            names.naming = Arc::default();
        }
    }
    let naming = names.naming.clone();
    shrunk.names = Some(names);
    Ok(naming)
}

/// Removes the attributes that no rule keeps.
pub(super) fn without_attributes(
    archive: &mut Archive,
    around: Surroundings<'_>,
    shrunk: &mut ShrinkOutcome,
    record: &mut ProgramRecord,
) -> Result<(), String> {
    let kept = around.roots.kept_attributes();
    let gone = attributes::remove(
        archive,
        (&kept, &shrunk.asked, around.roots.source_file()),
        record,
        around.threads,
    )?;
    shrunk.to_deflate.extend(gone);
    Ok(())
}
