//! Procedure cloning (Cooper, Hall and Kennedy 1992; LLVM's `FunctionSpecialization` and `ArgumentPromotion`): copies
//! of methods for the arguments that calls have.
//!
//! A *variant* of a method takes some of its parameters only: others do not matter, or are one constant.
//! It is a method of its own, `NAME__SUFFIX`, in which the constants are written in; the suffix says for
//! each parameter whether it is kept (`k`), does not matter (`x`), what it is, or of which class it is. A variant of a
//! constructor is told from it by what it takes, since it has the same name. Only calls that lead to one method
//! get variants of it. A receiver is kept, unless the method does not use it and is called on objects only that are
//! not null: then the variant is static (`s`). Calls with equal constants share a variant. The method itself stays for whoever else calls it and goes if nobody does,
//! so nothing depends on whether every call could be changed.
//!
//! A variant of a method whose result no caller needs, or that gives each the same constant, returns nothing (`v`). Methods
//! that override each other get variants together, abstract ones too, or none does
//! ([`infer`](crate::program::infer)): then a call of a variant finds what the call of the method found.
//!
//! Where the constant is the same at every call, or the parameter does not matter, a variant costs nothing.
//! Where it is not, the method is copied only if it is small and branches on the parameter, a few times at
//! most for each method. So it is for the class of an argument if it asks the parameter what that class decides: calls a
//! method that several classes have, tests of which class it is, or hands it to a method that does. In the copy the
//! parameter has that class for its type, so that a verifier sees it, and the call may name it
//! ([`precise`](crate::program::precise)); a call of the copy casts what a verifier does not see to be of the class.
//! (Chambers and Ungar, *Customization*, 1989; Dean, Chambers and Grove, *Selective specialization for object-oriented
//! languages*, 1995.)

use std::collections::BTreeMap;
use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use planish_classfile::code::CodeBody;
use planish_classfile::descriptor::MethodType;
use planish_classfile::pool::MemberKind;
use planish_classfile::{
    Attribute, Body, ClassFile, Code, Constant, ConstantPool, Flags, Insn, Kind, Member, MemberRef, Opcode,
};
use planish_ir::Const;
use planish_ops::Real;
use rustc_hash::FxBuildHasher;

use crate::bodies::stays_compiled;
use crate::hierarchy::Hierarchy;
use crate::lift::lift;
use crate::lower::tighten::remove_unreachable;
use crate::lower::{Target, lower};
use crate::naming::Names;
use crate::program::copied::{Copied, CopyOf};
use crate::program::inline::expand::{is_return, parameters, shifted};
use crate::program::passes::SPECIALIZATION;
use crate::program::record::ProgramRecord;
use crate::record::show;
use crate::variables::Variables;
use crate::verify::verify;
use crate::vtype::TypeContext;

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
}

/// The variants that were made, by class, name and descriptor.
#[derive(Default)]
pub struct Made {
    /// In any round: a method of such a name is the variant, and nothing of the program. Variants of two methods may have
    /// one name; then only the first is made.
    ever: HashMap<Box<[u8]>, Variant, FxBuildHasher>,
    /// In this round, or before it and still wanted.
    now: HashSet<Variant, FxBuildHasher>,
    /// No more are made.
    is_closed: bool,
    /// The copies that were paid for.
    pub copied: Copied,
}

impl Made {
    /// Whether none was ever made.
    pub fn is_empty(&self) -> bool {
        self.ever.is_empty()
    }

    /// From now on none is made: those that are called stay.
    pub fn close(&mut self) {
        self.is_closed = true;
    }

    /// Whether none is made any more.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// The variants that were made in any round, by class, name and descriptor, in no order.
    pub fn all(&self) -> impl Iterator<Item = (&[u8], &Variant)> {
        self.ever.iter().map(|(full_name, variant)| (&full_name[..], variant))
    }

    /// Whether a method of a class, by name and descriptor, is a variant that was made.
    pub fn is_variant(&self, class: &[u8], method: &[u8]) -> bool {
        self.original(class, method).is_some()
    }

    /// The name and descriptor of the method of which a method of a class, by name and descriptor, is a variant.
    pub fn original(&self, class: &[u8], method: &[u8]) -> Option<Vec<u8>> {
        let variant = self.variant(class, method)?;
        Some([&variant.of[..], &variant.of_descriptor].concat())
    }

    /// The variant that a method of a class, by name and descriptor, is.
    pub fn variant(&self, class: &[u8], method: &[u8]) -> Option<&Variant> {
        self.ever.get(&[class, b".", method].concat()[..])
    }

    /// Another round begins, in which variants that nobody calls may have gone.
    pub fn next_round(&mut self) {
        self.now.clear();
    }
}

/// Positions of calls, in ascending order, and where they lead.
type Calls = Vec<(u32, VariantCall)>;

/// The calls of a program that lead to variants.
#[derive(Default)]
pub struct Variants {
    /// By class, name and descriptor of the caller: the position of the call, and where it leads.
    calls: HashMap<Box<[u8]>, Calls, FxBuildHasher>,
}

impl Variants {
    /// The calls of a method that lead to variants, in ascending order.
    pub fn of(&self, method: &[u8]) -> &[(u32, VariantCall)] {
        self.calls.get(method).map_or(&[], Vec::as_slice)
    }

    /// The number of calls.
    pub fn len(&self) -> usize {
        self.calls.values().map(Vec::len).sum()
    }

    /// Whether there is no such call.
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }
}

/// A call that wants a variant.
struct WantedCall {
    /// The caller: class, name and descriptor.
    method: Box<[u8]>,
    at: u32,
    variant: Variant,
    gives: Option<Const>,
    /// Which variants have to be made together with this one.
    family: Option<usize>,
}

/// Calls that want variants.
#[derive(Default)]
pub struct Wanted {
    calls: Vec<WantedCall>,
    /// Variants that are made together or not at all.
    families: Vec<Vec<Variant>>,
    /// The copies for constants and classes that calls want, each once, and whether there are to be.
    pub copies: Vec<(CopyOf, bool)>,
    /// How many instructions the program has.
    pub instructions: usize,
}

impl Wanted {
    /// The call of `method` at a position is to lead to a variant, which may be one of a family.
    pub fn add(
        &mut self,
        method: Box<[u8]>,
        at: u32,
        (variant, gives): (Variant, Option<Const>),
        family: Option<usize>,
    ) {
        self.calls.push(WantedCall { method, at, variant, gives, family });
    }

    /// Variants that are to be made together. Gives the number of that family.
    pub fn add_family(&mut self, variants: Vec<Variant>) -> usize {
        self.families.push(variants);
        self.families.len() - 1
    }

    /// The variants that are wanted, by class, each once. O(calls).
    pub fn by_class(&self) -> BTreeMap<Box<[u8]>, Vec<Variant>> {
        let mut classes: BTreeMap<Box<[u8]>, Vec<Variant>> = BTreeMap::new();
        let mut known: HashSet<&Variant, FxBuildHasher> = HashSet::default();
        let alone = self.calls.iter().filter(|call| call.family.is_none()).map(|call| &call.variant);
        for variant in alone.chain(self.families.iter().flatten()) {
            if known.insert(variant) {
                classes.entry(variant.class.clone()).or_default().push(variant.clone());
            }
        }
        classes
    }

    /// The methods, by class, name and descriptor, of which variants for classes of arguments are wanted, with repetitions.
    pub fn copied(&self) -> impl Iterator<Item = Box<[u8]>> + '_ {
        let copies = self.calls.iter().map(|call| &call.variant).filter(|variant| variant.classes() > 0);
        copies.map(|variant| {
            [&variant.class[..], b".", &variant.of, &variant.of_descriptor].concat().into_boxed_slice()
        })
    }

    /// The calls whose variants were made.
    pub fn granted(self, made: &Made) -> Variants {
        let mut variants = Variants::default();
        let mut shared: HashMap<Variant, Arc<Variant>, FxBuildHasher> = HashMap::default();
        let is_made = |family: &Vec<Variant>| family.iter().all(|variant| made.now.contains(variant));
        let families: Vec<bool> = self.families.iter().map(is_made).collect();
        for WantedCall { method, at, variant, gives, family } in self.calls {
            if family.map_or_else(|| made.now.contains(&variant), |family| families[family]) {
                let variant = Arc::clone(shared.entry(variant.clone()).or_insert_with(|| Arc::new(variant)));
                variants.calls.entry(method).or_default().push((at, VariantCall { variant, gives }));
            }
        }
        variants.calls.values_mut().for_each(|list| list.sort_unstable_by_key(|(at, _)| *at));
        variants
    }
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
        let part = |part: &Part| match part {
            Part::Keep => "k".to_owned(),
            Part::Drop => "x".to_owned(),
            Part::Is(Const::Int(int)) => int.signed().to_string().replace('-', "m"),
            Part::Is(Const::Real(real)) => format!("f{:x}", real.0.to_bits()),
            Part::Is(_) => "null".to_owned(),
            Part::Of(class) => {
                let name = class.rsplit(|byte| matches!(byte, b'/' | b'$')).next().unwrap_or_default();
                String::from_utf8_lossy(name).into_owned()
            }
        };
        let receiver = self.drops_receiver.then(|| "s".to_owned());
        let result = self.drops_result.then(|| "v".to_owned());
        let suffix = receiver.into_iter().chain(self.parts.iter().map(part)).chain(result);
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

/// Adds variants of its methods to a class. Those that cannot be made, or that the record does not allow, are left out. Gives the class if it
/// got any. `is_live` says which of its methods, by name and descriptor, may run before any call leads to a variant: one that
/// was made before and does not has no body any more, and gets that of its method again.
pub fn add_variants(
    file: &[u8],
    variants: &[Variant],
    (hierarchy, is_live): (&Hierarchy, impl Fn(&[u8]) -> bool),
    made: &mut Made,
    record: &mut ProgramRecord,
) -> planish_classfile::Result<Option<Vec<u8>>> {
    let mut class = ClassFile::read(file)?;
    let mut context = TypeContext::new(hierarchy);
    let mut added = false;
    for variant in variants {
        let full_name = variant.full_name();
        let (name, descriptor) = (variant.name(), variant.descriptor());
        let place = place_of(&class, variant);
        if let Some(place) = place {
            if made.ever.get(&full_name) != Some(variant) {
                continue;
            }
            let is_abstract = class.methods[place].flags.has(Flags::ABSTRACT);
            if is_abstract || is_live(&[&name[..], &descriptor].concat()) {
                added |= become_as_visible(&mut class, place, variant);
                made.now.insert(variant.clone());
                continue;
            }
        }
        let mark = class.pool.mark();
        let say = || format!("{} is added", show(&full_name));
        match member(&mut class, variant, &mut context) {
            Ok(_) if !record.rewrite(&SPECIALIZATION, say) => class.pool.undo_to(mark),
            Ok(member) => {
                match place {
                    Some(place) => class.methods[place] = member,
                    None => class.methods.push(member),
                }
                made.ever.insert(full_name, variant.clone());
                made.now.insert(variant.clone());
                added = true;
            }
            Err(_) => class.pool.undo_to(mark),
        }
    }
    if added { class.to_bytes().map(Some) } else { Ok(None) }
}

/// The place of a variant among the methods of its class, if it was made.
fn place_of(class: &ClassFile<'_>, variant: &Variant) -> Option<usize> {
    let (name, descriptor) = (variant.name(), variant.descriptor());
    let pool = &class.pool;
    let is_variant = |member: &Member<'_>| {
        pool.utf8(member.name) == Ok(&name[..]) && pool.utf8(member.descriptor) == Ok(&descriptor[..])
    };
    class.methods.iter().position(is_variant)
}

/// A variant that was made before is seen at least as far as its method, which may have become visible to others since.
/// Whether it was not.
fn become_as_visible(class: &mut ClassFile<'_>, place: usize, variant: &Variant) -> bool {
    let access = [Flags::PRIVATE, Flags(0), Flags::PROTECTED, Flags::PUBLIC];
    let of = |flags: Flags| Flags(flags.0 & (Flags::PRIVATE | Flags::PROTECTED | Flags::PUBLIC).0);
    let rank = |flags: Flags| access.iter().position(|&one| one == of(flags));
    let Some(method) = class.method(&variant.of, &variant.of_descriptor).map(|of| of.flags) else {
        return false;
    };
    let flags = &mut class.methods[place].flags;
    let is_hidden = rank(*flags) < rank(method);
    if is_hidden {
        *flags = flags.without(of(*flags)).with(of(method));
    }
    is_hidden
}

/// The method that is a variant.
fn member(
    class: &mut ClassFile<'_>,
    variant: &Variant,
    context: &mut TypeContext<'_>,
) -> Result<Member<'static>, String> {
    let failed = |error: planish_classfile::Error| error.to_string();
    let of = class.method(&variant.of, &variant.of_descriptor).ok_or("a method that is not there")?;
    let flags = of.flags;
    let (name, descriptor) = (variant.name(), variant.descriptor());
    if flags.has(Flags::ABSTRACT) {
        return Ok(Member {
            flags: flags.with(Flags::SYNTHETIC),
            name: class.pool.add_utf8(&name).map_err(failed)?,
            descriptor: class.pool.add_utf8(&descriptor).map_err(failed)?,
            attributes: Vec::new(),
        });
    }
    let attribute = of.attribute(&class.pool, Kind::Code).ok_or("a method without body")?;
    let Some(Body::Code(bytes)) = attribute.decode(&class.pool).map_err(failed)? else {
        return Err("a method without body".into());
    };
    let code_name = attribute.name;
    let mut code = Code::read(&bytes, &class.pool).map_err(failed)?;
    remove_unreachable(&mut code)?;
    let is_static = flags.has(Flags::STATIC);
    let old = code.byte_len();
    let code = with_constants(code, variant, is_static, &mut class.pool)?;
    let is_static = is_static || variant.drops_receiver;
    let flags = if variant.drops_receiver { flags.with(Flags::STATIC) } else { flags };

    let (class_name, super_name) =
        (class.name().map_err(failed)?.to_vec(), class.super_name().map_err(failed)?.map(<[u8]>::to_vec));
    let target = Target {
        class: &class_name,
        super_class: super_name.as_deref(),
        name: &name,
        descriptor: &descriptor,
        is_static,
    };
    let mut names = Names::new(class);
    let function = lift(&code, &target.info(&class.pool), &mut names, context).map_err(|e| e.message)?;
    let mut new = lower(&function, &names, (&code, &Variables::default()), &target, &mut class.pool, context)
        .map_err(|error| error.to_string())?;
    verify(&new, &target.info(&class.pool), context).map_err(|error| error.message)?;
    if !stays_compiled(old, new.byte_len()) {
        return Err("a body that JVMs do not compile".into());
    }
    if class.major < 50 {
        new.set_frames(Vec::new(), &mut class.pool).map_err(failed)?;
    }
    let mut content = Vec::new();
    new.write(&mut content).map_err(failed)?;
    Ok(Member {
        flags: flags.with(Flags::SYNTHETIC),
        name: class.pool.add_utf8(&name).map_err(failed)?,
        descriptor: class.pool.add_utf8(&descriptor).map_err(failed)?,
        attributes: vec![Attribute { name: code_name, content: content.into(), offset: 0 }],
    })
}

/// The body of a method that gets its missing parameters from constants: they are put where they would be. What it gives
/// stays behind if the variant gives nothing.
fn with_constants(
    code: Code,
    variant: &Variant,
    is_static: bool,
    pool: &mut ConstantPool<'_>,
) -> Result<Code, String> {
    let failed = |error: planish_classfile::Error| error.to_string();
    let ty = MethodType::parse(&variant.of_descriptor).ok_or("a malformed descriptor")?;
    let receiver = u16::from(!is_static && !variant.drops_receiver);
    let kept_slots: u16 = ty
        .parameters()
        .zip(&variant.parts)
        .filter(|(_, part)| part.is_kept())
        .map(|(ty, _)| ty.slots())
        .sum();
    let base = receiver + kept_slots;
    let mut before = Vec::new();
    let mut kept = 0;
    let of_receiver = if variant.drops_receiver { &Part::Drop } else { &Part::Keep };
    let parts = (!is_static).then_some(of_receiver).into_iter().chain(&variant.parts);
    for ((store, slot), part) in parameters(&ty, is_static).into_iter().zip(parts) {
        let (first, wide) = match store {
            Opcode::Lstore => (Opcode::Lload, 2),
            Opcode::Fstore => (Opcode::Fload, 1),
            Opcode::Dstore => (Opcode::Dload, 2),
            Opcode::Astore => (Opcode::Aload, 1),
            _ => (Opcode::Iload, 1),
        };
        before.push(match part {
            Part::Keep | Part::Of(_) => {
                kept += wide;
                Insn::local(first, kept - wide)
            }
            Part::Drop => Insn::plain(match store {
                Opcode::Lstore => Opcode::Lconst0,
                Opcode::Fstore => Opcode::Fconst0,
                Opcode::Dstore => Opcode::Dconst0,
                Opcode::Astore => Opcode::AconstNull,
                _ => Opcode::Iconst0,
            }),
            Part::Is(constant) => push(*constant, pool)?,
        });
        before.push(Insn::local(store, base + slot));
    }
    let shift = before.len() as u32;
    let mut new = code;
    new.attributes.retain(|attribute| matches!(attribute.body, CodeBody::Lines(_)));
    new.remap(|position| Some(position + shift)).map_err(failed)?;
    for instruction in &mut new.instructions {
        *instruction = match variant.drops_result && is_return(instruction.op) {
            true => Insn::plain(Opcode::Return),
            false => shifted(instruction.clone(), base)?,
        };
    }
    new.instructions.splice(0..0, before);
    new.max_locals = new.max_locals.checked_add(base).ok_or("too many locals")?;
    Ok(new)
}

/// The instruction that gives a constant.
pub(super) fn push(constant: Const, pool: &mut ConstantPool<'_>) -> Result<Insn, String> {
    let constant = match constant {
        Const::Null => return Ok(Insn::plain(Opcode::AconstNull)),
        Const::Int(int) if int.width() == 32 => {
            let value = int.signed() as i32;
            if let Some(small) = Insn::small_int(value) {
                return Ok(small);
            }
            Constant::Integer(value)
        }
        Const::Int(int) if int.width() == 64 => Constant::Long(int.signed()),
        Const::Real(real) => match real.0 {
            Real::F32(value) => Constant::Float(value.to_bits()),
            Real::F64(value) => Constant::Double(value.to_bits()),
        },
        _ => return Err("a constant that no instruction gives".into()),
    };
    let index = pool.add(constant).map_err(|error| error.to_string())?;
    Ok(match constant {
        Constant::Long(_) | Constant::Double(_) => Insn::constant(Opcode::Ldc2W, index),
        _ => Insn::load_constant(index),
    })
}
