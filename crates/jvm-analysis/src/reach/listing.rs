//! Members of enums that give their constants (JLS 8.9.3).

use planish_classfile::Flags;
use planish_jvm_model::program::Program;

use super::cause::Root;

/// Whether a member gives constants of its enum: a constant, or one of the methods that every enum has for them (JLS 8.9.3). Nobody
/// finds these by reflection without the object of the class.
pub fn lists(program: &Program<'_>, member: Root) -> bool {
    let (class, flags, selector) = match member {
        Root::Method(method) => {
            let info = &program.methods[method];
            (info.class, info.flags, info.selector)
        }
        Root::Field(field) => {
            let info = &program.fields[field];
            (info.class, info.flags, info.selector)
        }
    };
    let text = program.text(selector);
    let is_found = match member {
        Root::Method(_) => {
            text.starts_with(b"values()[L") || text.starts_with(b"valueOf(Ljava/lang/String;)L")
        }
        Root::Field(_) => flags.has(Flags::ENUM),
    };
    program.classes[class].file.flags.has(Flags::ENUM) && flags.has(Flags::STATIC) && is_found
}
