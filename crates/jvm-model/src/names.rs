//! Names of classes and members, and how people write them.

/// The package of a class.
pub fn package(class: &[u8]) -> &[u8] {
    class.iter().rposition(|byte| *byte == b'/').map_or(&[], |end| &class[..end])
}

/// A method as people write it, `a.B.run()V`, by its class, name and descriptor, `a/B.run()V`.
pub fn show(method: &[u8]) -> String {
    let end = method.iter().position(|byte| *byte == b'.').unwrap_or(0);
    let (class, member) = method.split_at(end);
    format!("{}{}", String::from_utf8_lossy(class).replace('/', "."), String::from_utf8_lossy(member))
}

pub(crate) fn joined(class: &[u8], member: &[u8]) -> String {
    format!("{}.{}", String::from_utf8_lossy(class).replace('/', "."), String::from_utf8_lossy(member))
}
