//! Imprints of bodies: all that decides what becomes of one, hashed into one number.

use std::hash::{Hash, Hasher};

use planish_classfile::indices::without_indices;
use planish_classfile::pool::MemberKind;
use planish_classfile::{Attribute, Constant, ConstantPool, MemberRef, Opcode};
use planish_jvm_analysis::string_methods::is_builder;
use planish_jvm_ir::naming::Names;
use rustc_hash::FxHasher;

use crate::bodies::known::Known;
use crate::bodies::settled::{Holds, Outcome, Settled, SettledBody};

/// What takes the imprints of the bodies of one class.
pub(crate) struct Imprints {
    /// What each constant means, once somebody asked.
    meanings: Vec<Option<Meaning>>,
    /// All constants that the class had at first.
    constants: u64,
    /// How many these are.
    count: usize,
}

/// What a constant means where a body has it.
#[derive(Clone, Copy)]
struct Meaning {
    /// What it says, and what is known of that.
    alone: u64,
    /// What may stand in the place of a call that names it.
    instead: u64,
}

/// An imprint of one body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Imprint {
    whole: u64,
    /// Without what may stand in the place of calls.
    alone: u64,
    /// The constants of the class, unless bodies before this one added some.
    constants: Option<u64>,
    /// Whether the body calls its own method.
    pub is_recursive: bool,
}

impl Imprints {
    /// Those of a class with these constants.
    pub fn new(pool: &ConstantPool<'_>) -> Self {
        let mut hasher = FxHasher::default();
        for index in pool.indices() {
            index.hash(&mut hasher);
            hash_content(index, DEPTH, pool, &mut hasher);
        }
        Imprints { meanings: vec![None; pool.len()], constants: hasher.finish(), count: pool.len() }
    }

    /// The imprint of a body, by the attribute that has it and the method's class, name and descriptor. Nothing if the
    /// attribute has parts that nobody knows. O(size).
    pub fn of(
        &mut self,
        attribute: &Attribute<'_>,
        method: &[u8],
        facts: impl Hash,
        (names, known, pool): (&Names, &Known, &ConstantPool<'_>),
    ) -> Option<Imprint> {
        let (content, indices) = without_indices(attribute, pool).ok()??;
        let (mut alone, mut instead) = (FxHasher::default(), FxHasher::default());
        method.hash(&mut alone);
        content.hash(&mut alone);
        let may_get_shorter = content.contains(&(Opcode::LdcW as u8));
        let mut is_recursive = false;
        for index in indices {
            is_recursive |=
                pool.is_member(index) && pool.member(index).is_ok_and(|member| is_named(method, &member));
            let meaning = self.meaning(index, names, known, pool);
            meaning.alone.hash(&mut alone);
            meaning.instead.hash(&mut instead);
            // Constants get lower numbers when others go, and what loads one may become shorter.
            (may_get_shorter && index > LAST_SHORT && is_loadable(index, pool)).hash(&mut alone);
        }
        facts.hash(&mut alone);
        known.frames_vanish.hash(&mut alone);
        (is_recursive && known.loops).hash(&mut alone);
        let singles = known.plan.singles(method);
        known.variants.of(method).hash(&mut instead);
        known.facts.precise.of(method).hash(&mut instead);
        let trial = known.plan.trial(method);
        (singles, trial).hash(&mut instead);
        (known.joins_texts && (!singles.is_empty() || trial.is_some())).hash(&mut instead);
        let alone = alone.finish();
        alone.hash(&mut instead);
        let constants = (pool.len() == self.count).then_some(self.constants);
        Some(Imprint { whole: instead.finish(), alone, constants, is_recursive })
    }

    /// What a constant means, and what is known of it.
    fn meaning(&mut self, index: u16, names: &Names, known: &Known, pool: &ConstantPool<'_>) -> Meaning {
        if let Some(Some(meaning)) = self.meanings.get(usize::from(index)) {
            return *meaning;
        }
        let (mut alone, mut instead) = (FxHasher::default(), FxHasher::default());
        hash_content(index, DEPTH, pool, &mut alone);
        if pool.is_member(index)
            && let Ok(member) = pool.member(index)
        {
            hash_known(&member, names, known, &mut alone);
            hash_instead(&member, names, known, &mut instead);
        }
        let meaning = Meaning { alone: alone.finish(), instead: instead.finish() };
        if let Some(place) = self.meanings.get_mut(usize::from(index)) {
            *place = Some(meaning);
        }
        meaning
    }
}

/// Whether instructions load a constant of this kind that have a shorter form for the first of them.
fn is_loadable(index: u16, pool: &ConstantPool<'_>) -> bool {
    let is_member_or_text = |constant| {
        matches!(
            constant,
            Constant::Utf8(_)
                | Constant::Field(..)
                | Constant::Method(..)
                | Constant::InterfaceMethod(..)
                | Constant::InvokeDynamic(..)
        )
    };
    !pool.get(index).is_ok_and(is_member_or_text)
}

/// Whether a member is the method of this class, name and descriptor.
fn is_named(method: &[u8], member: &MemberRef<'_>) -> bool {
    let rest = method.strip_prefix(member.class).and_then(|rest| rest.strip_prefix(b"."));
    rest.and_then(|rest| rest.strip_prefix(member.name)) == Some(member.descriptor)
}

/// How deep a constant is at most: a method handle has a member, that a name and type, and that a name.
const DEPTH: u32 = 4;

/// Hashes what a constant says, which others say, to a depth: of a damaged class one may say itself.
fn hash_content(index: u16, depth: u32, pool: &ConstantPool<'_>, hasher: &mut FxHasher) {
    let Some(depth) = depth.checked_sub(1) else { return };
    let Ok(constant) = pool.get(index) else { return };
    pool.tag(index).hash(hasher);
    match constant {
        Constant::Utf8(text) => text.hash(hasher),
        Constant::Integer(value) => value.hash(hasher),
        Constant::Float(bits) => bits.hash(hasher),
        Constant::Long(value) => value.hash(hasher),
        Constant::Double(bits) => bits.hash(hasher),
        Constant::Class(one)
        | Constant::String(one)
        | Constant::MethodType(one)
        | Constant::Module(one)
        | Constant::Package(one) => hash_content(one, depth, pool, hasher),
        Constant::MethodHandle(kind, member) => {
            kind.hash(hasher);
            hash_content(member, depth, pool, hasher);
        }
        Constant::Field(one, two)
        | Constant::Method(one, two)
        | Constant::InterfaceMethod(one, two)
        | Constant::NameAndType(one, two) => {
            hash_content(one, depth, pool, hasher);
            hash_content(two, depth, pool, hasher);
        }
        Constant::Dynamic(bootstrap, member) | Constant::InvokeDynamic(bootstrap, member) => {
            bootstrap.hash(hasher);
            hash_content(member, depth, pool, hasher);
        }
    }
}

/// Hashes what is known of a member where the class names it.
fn hash_known(member: &MemberRef<'_>, names: &Names, known: &Known, hasher: &mut FxHasher) {
    if member.kind == MemberKind::Field {
        names.plain(member).map(|plain| (plain.is_static, plain.settles)).hash(hasher);
        let key = [member.class, b".", member.name, b":", member.descriptor].concat();
        known.facts.unread.contains(&key[..]).hash(hasher);
        known.enum_switches.get(member).hash(hasher);
        return;
    }
    (names.raises(member), names.raises_on_object(member), names.runs(member)).hash(hasher);
    known.constructors.get(member, names.class_name()).hash(hasher);
    (known.joins_texts && is_builder(member.class)).hash(hasher);
}

/// Hashes what may stand in the place of calls of a member.
fn hash_instead(member: &MemberRef<'_>, names: &Names, known: &Known, hasher: &mut FxHasher) {
    if member.kind == MemberKind::Field {
        return;
    }
    let calls = [Opcode::Invokevirtual, Opcode::Invokespecial, Opcode::Invokestatic, Opcode::Invokeinterface];
    for op in calls {
        let inlinee = known.plan.inlinee(names.class_name(), op, member);
        inlinee.hash(hasher);
        (known.joins_texts && inlinee.is_some()).hash(hasher);
    }
}

impl Imprint {
    /// The body that was tried before and is the same, if there is one.
    pub fn found(self, settled: &Settled, method: &[u8]) -> Option<SettledBody> {
        let body = settled.0.get(method)?;
        body.whole.is_that_of(self.whole, self.constants).then_some(*body)
    }

    /// How far it holds that the body alone does not get better, if that was tried before.
    pub fn found_alone(self, settled: &Settled, method: &[u8]) -> Option<Holds> {
        let alone = settled.0.get(method)?.alone;
        let holds = if alone.constants.is_none() { Holds::Everywhere } else { Holds::Here };
        alone.is_that_of(self.alone, self.constants).then_some(holds)
    }

    /// What is to be remembered of a body that did not get better, neither `alone` nor with anything in the place of
    /// calls; nothing if that holds only beside constants that bodies before this one added.
    pub fn settle(
        self,
        (whole, alone): (Holds, Holds),
        (instructions, bytes): (u64, u64),
    ) -> Option<SettledBody> {
        Some(SettledBody {
            whole: Outcome::of(self.whole, whole, self.constants)?,
            alone: Outcome::of(self.alone, alone, self.constants)?,
            instructions,
            bytes,
        })
    }
}

/// The last constant that an instruction of two bytes loads.
const LAST_SHORT: u16 = 255;
