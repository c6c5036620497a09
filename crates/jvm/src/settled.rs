//! Bodies that are as good as they get: found in one round, not tried again in the next.
//!
//! What becomes of a body depends on its bytes, on what its constants mean, and on what is known of the program at
//! each of these: the facts of the method, bodies that stand in the place of its calls, variants that they lead to,
//! fields that nothing reads. All of that is hashed into one number, the *imprint*. If an attempt did not make a body
//! better, and the imprint is the same in a later round, another attempt would end in the same way.
//!
//! A few attempts fail only for what else the class has: a constant that is there already costs nothing. Those are
//! valid while the constants of the class are the same.
//!
//! Two imprints that are equal by accident leave a body as it was, which is never wrong.

use std::hash::{Hash, Hasher};

use hashbrown::HashMap;
use planish_classfile::indices::without_indices;
use planish_classfile::pool::MemberKind;
use planish_classfile::{Attribute, Code, Constant, ConstantPool, MemberRef, Opcode};
use rustc_hash::{FxBuildHasher, FxHasher};

use crate::bodies::Known;
use crate::naming::Names;
use crate::program::inline::portable::constant_of;

/// The last constant that an instruction of two bytes loads.
const LAST_SHORT: u16 = 255;

/// A body that did not get better.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SettledBody {
    imprint: u64,
    /// The constants of the class, if the outcome depends on what else is among them.
    constants: Option<u64>,
    /// Its instructions.
    pub instructions: u64,
    /// Its bytes of code.
    pub bytes: u64,
}

/// The bodies of a program that did not get better when they were tried last, by class, name and descriptor.
#[derive(Clone, Default, Debug)]
pub struct Settled(HashMap<Box<[u8]>, SettledBody, FxBuildHasher>);

impl Settled {
    /// Remembers bodies; a later one of a method takes the place of an earlier one.
    pub fn extend(&mut self, bodies: impl IntoIterator<Item = (Box<[u8]>, SettledBody)>) {
        self.0.extend(bodies);
    }

    /// Whether the body of a method, by class, name and descriptor, did not get better when it was tried last.
    pub fn has(&self, method: &[u8]) -> bool {
        self.0.contains_key(method)
    }

    /// The number of bodies.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nothing is known yet.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// How far it holds that a body does not get better.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Holds {
    /// As long as its imprint is the same.
    Everywhere,
    /// As long as the constants of the class are the same, too.
    Here,
}

/// What takes the imprints of the bodies of one class.
pub(crate) struct Imprints {
    /// What each constant means, once somebody asked.
    meanings: Vec<Option<u64>>,
    /// All constants that the class had at first.
    constants: u64,
    /// How many these are.
    count: usize,
}

/// An imprint of one body.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Imprint {
    of_body: u64,
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
        let mut hasher = FxHasher::default();
        method.hash(&mut hasher);
        content.hash(&mut hasher);
        let mut is_recursive = false;
        for index in indices {
            is_recursive |=
                pool.is_member(index) && pool.member(index).is_ok_and(|member| is_named(method, &member));
            self.meaning(index, names, known, pool).hash(&mut hasher);
            // Constants get lower numbers when others go, and what loads one may become shorter.
            (index > LAST_SHORT).hash(&mut hasher);
        }
        facts.hash(&mut hasher);
        known.variants.of(method).hash(&mut hasher);
        known.facts.precise.of(method).hash(&mut hasher);
        known.plan.singles(method).hash(&mut hasher);
        known.plan.trial(method).hash(&mut hasher);
        (known.joins_texts, known.frames_vanish).hash(&mut hasher);
        (is_recursive && known.loops).hash(&mut hasher);
        let constants = (pool.len() == self.count).then_some(self.constants);
        Some(Imprint { of_body: hasher.finish(), constants, is_recursive })
    }

    /// What a constant means, and what is known of it.
    fn meaning(&mut self, index: u16, names: &Names, known: &Known, pool: &ConstantPool<'_>) -> u64 {
        if let Some(Some(meaning)) = self.meanings.get(usize::from(index)) {
            return *meaning;
        }
        let mut hasher = FxHasher::default();
        hash_content(index, DEPTH, pool, &mut hasher);
        if pool.is_member(index)
            && let Ok(member) = pool.member(index)
        {
            hash_known(&member, names, known, &mut hasher);
        }
        let meaning = hasher.finish();
        if let Some(place) = self.meanings.get_mut(usize::from(index)) {
            *place = Some(meaning);
        }
        meaning
    }
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
    (names.raises(member), names.runs(member)).hash(hasher);
    known.constructors.get(member, names.class_name()).hash(hasher);
    let calls = [Opcode::Invokevirtual, Opcode::Invokespecial, Opcode::Invokestatic, Opcode::Invokeinterface];
    for op in calls {
        known.plan.inlinee(names.class_name(), op, member).hash(hasher);
    }
}

impl Imprint {
    /// The body that was tried before and is the same, if there is one.
    pub fn found(self, settled: &Settled, method: &[u8]) -> Option<SettledBody> {
        let body = settled.0.get(method)?;
        let holds = body.constants.is_none() || body.constants == self.constants;
        (body.imprint == self.of_body && holds).then_some(*body)
    }

    /// What is to be remembered of a body that did not get better; nothing if that holds only beside constants that
    /// bodies before this one added.
    pub fn settle(self, holds: Holds, (instructions, bytes): (u64, u64)) -> Option<SettledBody> {
        let constants = match holds {
            Holds::Everywhere => None,
            Holds::Here => Some(self.constants?),
        };
        Some(SettledBody { imprint: self.of_body, constants, instructions, bytes })
    }
}

/// Whether two bodies load the same constants: then the one is as much longer than the other as long as none of these
/// gets a number of another size.
pub(crate) fn loads_the_same(one: &Code, other: &Code) -> bool {
    let loads = |code: &Code| {
        let is_load = |op| matches!(op, Opcode::Ldc | Opcode::LdcW);
        let insns = code.instructions.iter().filter(|insn| is_load(insn.op));
        let mut loads: Vec<u16> = insns.filter_map(constant_of).collect();
        loads.sort_unstable();
        loads
    };
    loads(one) == loads(other)
}
