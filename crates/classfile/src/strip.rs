//! Taking away what only debuggers and stack traces read.

use crate::attribute::Kind;
use crate::class::ClassFile;
use crate::code::CodeBytes;
use crate::compact::compact;
use crate::error::Result;

/// What is taken away: of classes, and of method bodies.
const DEBUG: [Kind; 5] = [
    Kind::SourceFile,
    Kind::SourceDebugExtension,
    Kind::LineNumberTable,
    Kind::LocalVariableTable,
    Kind::LocalVariableTypeTable,
];

/// The class without names of source files, lines and local variables, and without the constants that only those
/// need. `None` if it has none of them. O(bytes).
pub fn strip_debug(file: &[u8]) -> Result<Option<Vec<u8>>> {
    let mut class = ClassFile::read(file)?;
    let pool = &class.pool;
    let is_debug = |kind: Result<Option<Kind>>| matches!(kind, Ok(Some(kind)) if DEBUG.contains(&kind));
    let mut changed = false;
    for method in &mut class.methods {
        for attribute in &mut method.attributes {
            if attribute.kind(pool)? != Some(Kind::Code) {
                continue;
            }
            let mut body = CodeBytes::read(&mut attribute.cursor())?;
            let before = body.attributes.len();
            body.attributes.retain(|inner| !is_debug(inner.kind(pool)));
            if body.attributes.len() < before {
                let mut content = Vec::new();
                body.write(&mut content)?;
                attribute.content = content.into();
                changed = true;
            }
        }
    }
    let before = class.attributes.len();
    class.attributes.retain(|attribute| !is_debug(attribute.kind(pool)));
    if !changed && class.attributes.len() == before {
        return Ok(None);
    }
    compact(&mut class)?;
    class.to_bytes().map(Some)
}
