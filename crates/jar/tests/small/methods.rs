//! The methods of a class of the result.

use planish_classfile::ClassFile;
use planish_jar::classes::Archive;

use crate::small::listing::read;

/// All but constructors and the initializer: names and descriptors.
pub fn methods(archive: &Archive, class: &str) -> Vec<String> {
    let bytes = read(archive, class);
    let file = ClassFile::read(&bytes).unwrap();
    let text = |index| String::from_utf8_lossy(file.pool.utf8(index).unwrap()).into_owned();
    let all = file.methods.iter().map(|method| text(method.name) + &text(method.descriptor));
    all.filter(|method| !method.starts_with('<')).collect()
}
