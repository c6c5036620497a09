//! Class files of the JVM, and the places they come from.
//!
//! A class file is read by finding where everything is; attributes and instructions are decoded when
//! asked for, and what is not changed is written with the bytes that were read. Every class file of
//! Java 1.0 to 25 is understood; attributes with other names are kept. Malformed input gives an
//! [`Error`] with the offset of a byte and what was expected there.
//!
//! This crate knows nothing of any intermediate representation, and does not judge: it reads what is
//! well-formed even where a JVM would refuse to link it.
//!
//! The format is that of *The Java Virtual Machine Specification, Java SE 25 Edition*, chapters 4
//! and 6.

pub mod annotation;
pub mod attribute;
pub mod builder;
pub mod bytes;
pub mod check;
pub mod class;
pub mod code;
mod code_bytes;
pub mod compact;
pub mod constant;
pub mod debug;
pub mod descriptor;
pub mod error;
pub mod flags;
pub mod frame;
pub mod graft;
pub mod indices;
pub mod instruction;
pub mod jar;
pub mod jimage;
pub mod layout;
pub mod limits;
pub mod listing;
pub mod manifest;
pub mod module;
pub mod mutf8;
pub mod opcode;
pub mod pool;
mod raw;
pub mod redirect;
pub mod rename;
pub mod signature;
pub mod source;
pub mod strip;
pub mod zip;

pub use attribute::{Body, Kind};
pub use class::{Attribute, ClassFile, Member};
pub use code::{Code, CodeBytes, Handler, Insn};
pub use constant::Constant;
pub use error::{Error, Result};
pub use flags::Flags;
pub use instruction::{Instruction, Instructions, Operand, Switch};
pub use opcode::{Group, Opcode};
pub use pool::{ConstantPool, MemberKind, MemberRef, PoolMark};
