//! What is in an archive, as text.

use planish_base::Budget;
use planish_classfile::{Body, ClassFile, Code, Kind, Operand};
use planish_jar::classes::Archive;

/// A class of the result.
pub fn read(archive: &Archive, class: &str) -> Vec<u8> {
    let entry = archive.find(format!("{class}.class").as_bytes()).unwrap();
    entry.content(&mut Budget::new("bytes", 1 << 20)).unwrap().into_owned()
}

/// The body of a method, one instruction a line: what it does, and the number, constant, method or
/// target that it names.
pub fn listing(archive: &Archive, class: &str, method: &str) -> String {
    let bytes = read(archive, class);
    let file = ClassFile::read(&bytes).unwrap();
    let found = file.methods.iter().find(|m| file.pool.utf8(m.name) == Ok(method.as_bytes())).unwrap();
    let attribute = found.attribute(&file.pool, Kind::Code).unwrap();
    let Ok(Some(Body::Code(bytes))) = attribute.decode(&file.pool) else { panic!("there is a body") };
    let code = Code::read(&bytes, &file.pool).unwrap();
    let mut text = String::new();
    for instruction in &code.instructions {
        let operand = match &instruction.operand {
            Operand::Immediate(number) => format!(" {number}"),
            Operand::Local { slot, .. } => format!(" {slot}"),
            Operand::Target(target) => format!(" -> {target}"),
            Operand::Constant(index) => match file.pool.member(*index) {
                Ok(member) => format!(
                    " {}.{}",
                    String::from_utf8_lossy(member.class),
                    String::from_utf8_lossy(member.name)
                ),
                Err(_) => format!(" {:?}", file.pool.get(*index).unwrap()),
            },
            _ => String::new(),
        };
        text += &format!("{}{operand}\n", instruction.op);
    }
    text
}
