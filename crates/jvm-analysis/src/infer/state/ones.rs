//! Objects that there are one of: constant texts, and what initializers make.

use hashbrown::HashMap;
use planish_classfile::{MemberRef, Opcode};
use planish_domain::{IntFact, Mark, RefFact};
use planish_ir::Inst;
use planish_jvm_model::hierarchy::{ClassId, Hierarchy};
use planish_jvm_model::program::Method;
use planish_ops::Int;
use rustc_hash::FxBuildHasher;

use crate::infer::fact::{Fact, descr};

/// What is asked of the constant of an enum.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::infer) enum EnumPart {
    Name,
    Ordinal,
}

impl EnumPart {
    /// What a call of a final method of `Enum` asks of its receiver.
    pub fn of(op: Opcode, class: ClassId, member: &MemberRef<'_>, hierarchy: &Hierarchy) -> Option<EnumPart> {
        let part = match (member.name, member.descriptor) {
            (b"name", b"()Ljava/lang/String;") => EnumPart::Name,
            (b"ordinal", b"()I") => EnumPart::Ordinal,
            _ => return None,
        };
        let is_enum = hierarchy
            .lookup(b"java/lang/Enum")
            .is_some_and(|above| hierarchy.extends(class, above) == Some(true));
        (op == Opcode::Invokevirtual && is_enum).then_some(part)
    }
}

/// An object that there is one of.
pub(in crate::infer) enum One<'p> {
    Text(&'p [u8]),
    /// What an initializer made: the text that is its name and its number, if it is the constant of an enum.
    Made(Option<(u32, i32)>),
}

/// The objects of which there is one.
#[derive(Default)]
pub(in crate::infer) struct Ones<'p> {
    pub(in crate::infer) all: Vec<One<'p>>,
    pub(in crate::infer) texts: HashMap<&'p [u8], u32, FxBuildHasher>,
    /// By instruction what it makes.
    pub(in crate::infer) made: HashMap<(Method, Inst), u32, FxBuildHasher>,
}

impl<'p> Ones<'p> {
    /// The number of a constant text.
    pub fn text(&mut self, text: &'p [u8]) -> u32 {
        let all = &mut self.all;
        *self.texts.entry(text).or_insert_with(|| {
            all.push(One::Text(text));
            all.len() as u32 - 1
        })
    }

    /// What an instruction makes, if it makes one object only.
    pub fn made(&self, method: Method, inst: Inst) -> Option<Mark> {
        self.made.get(&(method, inst)).map(|&number| Mark::Object(number))
    }

    /// The text that a reference is, if it is always one and the same.
    pub fn text_of(&self, known: RefFact) -> Option<&'p [u8]> {
        match known.mark() {
            Some(Mark::Object(number)) if !known.may_be_null() => match self.all[number as usize] {
                One::Text(text) => Some(text),
                One::Made(_) => None,
            },
            _ => None,
        }
    }

    /// What a constant of an enum gives that is asked.
    pub fn part(&self, part: EnumPart, receiver: RefFact, hierarchy: &Hierarchy) -> Option<Fact> {
        let Some(Mark::Object(number)) = receiver.mark() else { return None };
        let One::Made(Some((name, ordinal))) = self.all[number as usize] else { return None };
        Some(match part {
            EnumPart::Name => {
                let string = hierarchy.lookup(b"java/lang/String");
                let text = string.map_or(RefFact::NONNULL, |string| RefFact::exactly(descr(string)));
                Fact::Ref(text.marked(Mark::Object(name)))
            }
            EnumPart::Ordinal => Fact::Int(IntFact::constant(Int::new(32, ordinal as u64))),
        })
    }
}
