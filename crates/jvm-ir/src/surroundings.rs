//! What is known of the program around a class, as far as it says what the instructions of the class do.
//!
//! Who analyzes a program implements [`Surroundings`]; a class alone has [`Nothing`] around it.

use planish_classfile::MemberRef;
use planish_ops::Int;

/// A number that a method takes or gives.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Number {
    /// An `int` or what is narrower.
    Int(i32),
    /// A `long`.
    Long(i64),
}

impl Number {
    /// The number as the table of operations has it.
    pub fn int(self) -> Int {
        match self {
            Number::Int(value) => Int::new(32, value as u64),
            Number::Long(value) => Int::new(64, value as u64),
        }
    }
}

/// What a method that is run gets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// A number.
    Number(Number),
    /// A text, in code units.
    Text(Vec<u16>),
}

/// A plain field.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PlainField {
    /// A number that no other field has.
    pub number: u32,
    /// Whether constructors alone store to it.
    pub settles: bool,
}

/// What is known of a program. Whatever is not known has the answer that promises least.
pub trait Surroundings: Send + Sync {
    /// Whether a static call from a method of class `caller` is pure; then, whether it may throw.
    fn raises(&self, caller: &[u8], member: &MemberRef<'_>) -> Option<bool>;

    /// Whether a call of a method of an object that is there, from a method of class `caller`, is pure; then, whether it may throw.
    fn raises_on_object(&self, caller: &[u8], member: &MemberRef<'_>) -> Option<bool>;

    /// Whether a static call from a method of class `caller` runs a method that is not pure, but may be run ahead of time.
    fn runs(&self, caller: &[u8], member: &MemberRef<'_>) -> bool;

    /// What a static call from a method of class `caller` gives for these arguments, if it can be run and returns soon.
    fn run_ahead(&self, caller: &[u8], member: &MemberRef<'_>, arguments: &[Argument]) -> Option<Number>;

    /// The field of the program that an instruction names, if it is a place in memory and nothing else.
    fn plain_field(&self, member: &MemberRef<'_>) -> Option<PlainField>;

    /// Whether a class has nothing to initialize.
    fn is_quiet(&self, class: &[u8]) -> bool;

    /// Whether a method is a constructor that does nothing but fill in its object.
    fn fills_in(&self, member: &MemberRef<'_>) -> bool;
}

/// Nothing is known.
pub struct Nothing;

impl Surroundings for Nothing {
    fn raises(&self, _: &[u8], _: &MemberRef<'_>) -> Option<bool> {
        None
    }

    fn raises_on_object(&self, _: &[u8], _: &MemberRef<'_>) -> Option<bool> {
        None
    }

    fn runs(&self, _: &[u8], _: &MemberRef<'_>) -> bool {
        false
    }

    fn run_ahead(&self, _: &[u8], _: &MemberRef<'_>, _: &[Argument]) -> Option<Number> {
        None
    }

    fn plain_field(&self, _: &MemberRef<'_>) -> Option<PlainField> {
        None
    }

    fn is_quiet(&self, _: &[u8]) -> bool {
        false
    }

    fn fills_in(&self, _: &MemberRef<'_>) -> bool {
        false
    }
}
