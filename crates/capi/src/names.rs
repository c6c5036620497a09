//! Types and operations by number, for both headers; versions.

use std::ffi::{CString, c_char};
use std::sync::OnceLock;

use planish_trace::{Op, Type};

use crate::border::{Failed, Out, Status, alone, for_c, place, text};

/// No word, no operation, no type.
pub const NONE: u32 = u32::MAX;

/// The number of the binary interface: `PLANISH_ABI`.
const ABI: u32 = 1;

/// Behind this, types of integers are numbered by their width.
const INT: u32 = 256;

/// The type of a number: `PLANISH_TYPE_...`.
pub fn type_of(number: u32) -> Result<Type, Failed> {
    match number {
        0 => Ok(Type::I1),
        1 => Ok(Type::Int(8)),
        2 => Ok(Type::Int(16)),
        3 => Ok(Type::I32),
        4 => Ok(Type::I64),
        5 => Ok(Type::F32),
        6 => Ok(Type::F64),
        7 => Ok(Type::Ref),
        _ => Err(Failed::Type(number)),
    }
}

/// The operation of a number.
pub fn op_of(number: u32) -> Result<Op, Failed> {
    planish_ops::table::ALL.get(number as usize).copied().ok_or(Failed::Op(number))
}

/// The type of a number where integers may have any width: `PLANISH_TYPE_...` or `PLANISH_TYPE_INT(width)`.
pub fn any_type(number: u32) -> Result<Type, Failed> {
    match number.checked_sub(INT) {
        Some(width @ 1..=64) => Ok(Type::Int(width as u8)),
        Some(_) => Err(Failed::Type(number)),
        None => type_of(number),
    }
}

/// The number of a type; none for the order of effects and for vectors.
pub fn type_number(ty: Type) -> u32 {
    match ty {
        Type::State | Type::Vector(_) => NONE,
        Type::Int(width) if ![1, 8, 16, 32, 64].contains(&width) => INT + u32::from(width),
        ty => (0..8).find(|&number| type_of(number).ok() == Some(ty)).unwrap_or(NONE),
    }
}

/// The number of an operation, by its name in the table.
#[unsafe(no_mangle)]
pub extern "C" fn planish_op(name: *const c_char, op: Out<'_, u32>) -> Status {
    alone(|| {
        let (name, op) = (text(name, "name")?, place(op, "op")?);
        op.write(Op::from_name(name).ok_or_else(|| Failed::Name(name.to_owned()))? as u32);
        Ok(())
    })
}

/// The name of an operation: a text that is always there.
#[unsafe(no_mangle)]
pub extern "C" fn planish_op_name(op: u32, name: Out<'_, *const c_char>) -> Status {
    static NAMES: OnceLock<Vec<CString>> = OnceLock::new();
    alone(|| {
        let name = place(name, "name")?;
        let op = op_of(op)?;
        let names = NAMES.get_or_init(|| planish_ops::table::ALL.iter().map(|op| for_c(op.name())).collect());
        name.write(names[op as usize].as_ptr());
        Ok(())
    })
}

/// The number of the binary interface with which this library was made.
#[unsafe(no_mangle)]
pub extern "C" fn planish_abi() -> u32 {
    ABI
}

/// The version of this library: a text that is always there.
#[unsafe(no_mangle)]
pub extern "C" fn planish_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_the_numbers_of_the_header() {
        let header = include_str!("../include/planish_common.h");
        let lines = header.lines().filter_map(|line| line.trim().strip_prefix("PLANISH_TYPE_"));
        let mut found = 0;
        for (name, number) in lines.filter_map(|line| line.trim_end_matches(',').split_once(" = ")) {
            let number = number.parse().expect("a number");
            assert_eq!(type_of(number).ok().map(|ty| ty.to_string()), Some(name.to_lowercase()));
            found += 1;
        }
        assert_eq!((found, type_of(found).ok()), (8, None));
    }

    #[test]
    fn every_type_has_one_number() {
        for width in 1..=64 {
            let ty = Type::Int(width);
            assert_eq!(any_type(type_number(ty)).ok(), Some(ty));
            assert_eq!(any_type(INT + u32::from(width)).ok(), Some(ty));
        }
        for ty in [Type::F32, Type::F64, Type::Ref] {
            assert_eq!(any_type(type_number(ty)).ok(), Some(ty));
        }
        for wrong in [8, 255, INT, INT + 65, NONE] {
            assert_eq!(any_type(wrong).ok(), None);
        }
    }
}
