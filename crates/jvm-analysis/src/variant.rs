//! Variants of methods: what a copy of a method takes, gives and is called.

use std::sync::Arc;

use planish_classfile::descriptor::MethodType;
use planish_classfile::pool::MemberKind;
use planish_classfile::{ConstantPool, MemberRef};
use planish_ir::Const;

/// What becomes of a parameter.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// It is still one.
    Keep,
    /// It does not matter.
    Drop,
    /// It is this.
    Is(Const),
    /// It is still one, whose declared type is this class.
    Of(Box<[u8]>),
}

impl Part {
    /// Whether it is still a parameter.
    pub fn is_kept(&self) -> bool {
        matches!(self, Part::Keep | Part::Of(_))
    }

    /// What the name of a variant says of it.
    pub fn suffix(&self) -> String {
        match self {
            Part::Keep => "k".to_owned(),
            Part::Drop => "x".to_owned(),
            Part::Is(Const::Int(int)) => int.signed().to_string().replace('-', "m"),
            Part::Is(Const::Real(real)) => format!("f{:x}", real.0.to_bits()),
            Part::Is(_) => "null".to_owned(),
            Part::Of(class) => {
                let name = class.rsplit(|byte| matches!(byte, b'/' | b'$')).next().unwrap_or_default();
                String::from_utf8_lossy(name).into_owned()
            }
        }
    }
}

/// A method with fewer parameters.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Variant {
    /// The class.
    pub class: Box<[u8]>,
    /// The name of the method.
    pub of: Box<[u8]>,
    /// Its descriptor.
    pub of_descriptor: Box<[u8]>,
    /// Whether it takes no receiver, which the method does.
    pub drops_receiver: bool,
    /// What becomes of its parameters.
    pub parts: Vec<Part>,
    /// Whether it gives nothing, which the method does.
    pub drops_result: bool,
}

/// A call of a variant.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct VariantCall {
    /// The variant.
    pub variant: Arc<Variant>,
    /// What the method would give, if the variant gives nothing and somebody needs that.
    pub gives: Option<Const>,
    /// What becomes of the receiver, if the variant takes none.
    pub loss: ReceiverLoss,
}

/// What a call does in the place of handing a receiver on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ReceiverLoss {
    /// It checks it for null.
    pub checks: bool,
    /// It names the class of the variant, as a method of that kind, where what the call named does not have it.
    pub home: Option<MemberKind>,
}

/// The name of the method that a method of this name is a variant of, if it is one.
pub fn base_name(name: &[u8]) -> &[u8] {
    let end = name.windows(2).position(|two| two == b"__").filter(|&end| end > 0);
    &name[..end.unwrap_or(name.len())]
}

impl Variant {
    /// Its name. Constructors have one name only: their variants differ by what they take.
    pub fn name(&self) -> Vec<u8> {
        if *self.of == *b"<init>" {
            return self.of.to_vec();
        }
        let receiver = self.drops_receiver.then(|| "s".to_owned());
        let result = self.drops_result.then(|| "v".to_owned());
        let suffix = receiver.into_iter().chain(self.parts.iter().map(Part::suffix)).chain(result);
        let suffix: Vec<String> = suffix.collect();
        [&self.of[..], b"__", suffix.join("_").as_bytes()].concat()
    }

    /// Its descriptor.
    pub fn descriptor(&self) -> Vec<u8> {
        let mut text = vec![b'('];
        let Some(ty) = MethodType::parse(&self.of_descriptor) else { return self.of_descriptor.to_vec() };
        for (parameter, part) in ty.parameters().zip(&self.parts) {
            match part {
                Part::Keep => parameter.write(&mut text),
                Part::Of(class) => text.extend_from_slice(&[b"L", &class[..], b";"].concat()),
                _ => {}
            }
        }
        let end = self.of_descriptor.iter().rposition(|byte| *byte == b')').unwrap_or(0);
        text.extend_from_slice(if self.drops_result { b")V" } else { &self.of_descriptor[end..] });
        text
    }

    /// For how many parameters it has a class of its own.
    pub fn classes(&self) -> u64 {
        self.parts.iter().filter(|part| matches!(part, Part::Of(_))).count() as u64
    }

    /// Its class, name and descriptor.
    pub fn full_name(&self) -> Box<[u8]> {
        [&self.class[..], b".", &self.name(), &self.descriptor()].concat().into()
    }

    /// Class, name and descriptor of the method that it is a variant of.
    pub fn method(&self) -> Box<[u8]> {
        [&self.class[..], b".", &self.of, &self.of_descriptor].concat().into()
    }

    /// Whether it is of the same method as another one of a class above or below, and does the same with it.
    pub fn is_like(&self, other: &Variant) -> bool {
        let Variant { class: _, of, of_descriptor, drops_receiver, parts, drops_result } = self;
        *of == other.of
            && *of_descriptor == other.of_descriptor
            && *drops_receiver == other.drops_receiver
            && *parts == other.parts
            && *drops_result == other.drops_result
    }

    /// A reference to it by what has it: its own class or interface, or one below.
    pub fn add_to(
        &self,
        (by, kind): (&[u8], MemberKind),
        pool: &mut ConstantPool<'_>,
    ) -> planish_classfile::Result<u16> {
        pool.add_member(MemberRef { kind, class: by, name: &self.name(), descriptor: &self.descriptor() })
    }
}
