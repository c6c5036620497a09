//! What rules, operations and types are called in generated Rust.

use planish_ops::{Op, Type};

/// The name of a rule as a Rust constant.
pub fn constant_name(rule: &str) -> String {
    rule.to_ascii_uppercase()
}

/// The name of an operation as a module: keywords get an underscore.
pub fn module_name(name: &str) -> String {
    match name {
        "abs" | "and" | "or" | "not" | "xor" | "min" | "max" => format!("{name}_"),
        _ => name.to_string(),
    }
}

/// The name of an operation as the table's enum has it.
pub fn variant(op: Op) -> String {
    op.name()
        .split('_')
        .map(|part| {
            let mut chars = part.chars();
            chars
                .next()
                .map_or(String::new(), |first| first.to_ascii_uppercase().to_string() + chars.as_str())
        })
        .collect::<String>()
        .replace("Floordiv", "FloorDiv")
        .replace("Floormod", "FloorMod")
}

/// A type as Rust.
pub fn type_text(ty: Type) -> String {
    match ty {
        Type::Int(width) => format!("Type::Int({width})"),
        Type::F32 => "Type::F32".to_string(),
        Type::F64 => "Type::F64".to_string(),
        Type::Ref => "Type::Ref".to_string(),
        Type::State => "Type::State".to_string(),
        Type::Vector(lane) => format!("Type::Vector(Lane::{lane:?})"),
    }
}
