//! Summaries of constructors: what a constructor does to the object that it makes.
//!
//! A constructor is *plain* if it is one line of instructions that load, compute and store in the fresh object, and
//! the constructors above it are plain as well: whoever leaves it out leaves out nothing but the object. Of most
//! plain constructors it is known besides what each field holds when they are done: an argument, a constant, or what
//! a field holds at first. Such an object can be its fields (`objects`).

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use planish_base::Id;
use planish_classfile::descriptor::MethodType;
use planish_classfile::{Flags, MemberRef, Opcode, Operand};
use planish_jvm_ir::code::bare_body;
use planish_jvm_ir::narrow::Narrow;
use planish_jvm_model::linked::LinkedFrom;
use planish_jvm_model::program::{Class, Found, Method, Program};
use planish_ops::{Op, Type};
use rustc_hash::FxBuildHasher;

use crate::jdk_methods::{FILLED_BY_THEMSELVES, QUIET};
use crate::literal::{Literal, literal, loaded};
use crate::pure::initializes;

/// Plain constructors, by class, name and descriptor.
#[derive(Default)]
pub struct Constructors(HashMap<Box<[u8]>, Constructor, FxBuildHasher>);

/// A plain constructor.
#[derive(Debug, Hash)]
pub struct Constructor {
    /// From where it may be called.
    from: LinkedFrom,
    /// Whether making an object may initialize a class. It does not in methods of that class itself, which is
    /// initialized by then, or about to be.
    initializes: bool,
    /// What each field of the program's classes holds afterwards, by name and descriptor, `x:I`, if that is known
    /// and no two fields have one name.
    pub fields: Option<Arc<Fields>>,
}

/// What the fields of an object hold.
pub type Fields = Vec<(Box<[u8]>, Source)>;

/// Where the content of a field is from.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum Source {
    /// The argument of this number, not counting the object.
    Argument(u16),
    /// A constant.
    Literal(Literal),
    /// What the field holds at first: zero, or null.
    Nothing,
    /// What an operation gives, as a type, of these.
    Computed(Op, Type, Vec<Source>),
    /// An `int` cut off.
    Narrowed(Narrow, Box<Source>),
}

/// How many sources one is made of at most.
const MOST_PARTS: usize = 8;

impl Source {
    /// How many sources it is made of.
    fn parts(&self) -> usize {
        match self {
            Source::Computed(_, _, parts) => 1 + parts.iter().map(Source::parts).sum::<usize>(),
            Source::Narrowed(_, part) => 1 + part.parts(),
            Source::Argument(_) | Source::Literal(_) | Source::Nothing => 1,
        }
    }

    /// The same where the arguments are these.
    fn with(&self, argument: &impl Fn(u16) -> Option<Source>) -> Option<Source> {
        Some(match self {
            Source::Argument(number) => argument(*number)?,
            Source::Literal(_) | Source::Nothing => self.clone(),
            Source::Computed(op, ty, parts) => {
                let parts: Option<Vec<Source>> = parts.iter().map(|part| part.with(argument)).collect();
                Source::Computed(*op, *ty, parts?)
            }
            Source::Narrowed(narrow, part) => Source::Narrowed(*narrow, part.with(argument)?.into()),
        })
    }
}

impl Constructors {
    /// Those of the JDK, which are there whatever is known of a program.
    pub fn of_jdk() -> Self {
        let mut plain = Constructors::default();
        let nothing =
            Constructor { from: LinkedFrom::Everywhere, initializes: false, fields: Some(Arc::default()) };
        plain.0.insert(b"java/lang/Object.<init>()V"[..].into(), nothing);
        for class in FILLED_BY_THEMSELVES {
            let unknown = Constructor { from: LinkedFrom::Everywhere, initializes: false, fields: None };
            plain.0.insert([class, &b".<init>()V"[..]].concat().into(), unknown);
        }
        plain
    }

    /// Those of a program, and of the JDK. O(instructions of constructors), times the depth of the hierarchy.
    pub fn of(program: &Program<'_>) -> Self {
        let mut plain = Constructors::of_jdk();
        let mut finder = Finder { program, known: vec![None; program.counts()[1]] };
        for method in program.methods.ids() {
            let info = &program.methods[method];
            if program.member_name(info.selector) != b"<init>" {
                continue;
            }
            if let Some(fields) = finder.of(method, 0) {
                let name = [program.name(info.class), b".", program.text(info.selector)].concat();
                let initializes = initializes(program, info.class);
                let from = LinkedFrom::of(program, method);
                plain.0.insert(name.into(), Constructor { from, initializes, fields });
            }
        }
        plain
    }

    /// Whether a method is a constructor that does nothing but fill in its object.
    pub fn fill_in(&self, member: &MemberRef<'_>) -> bool {
        member.name == b"<init>" && self.has(member.class, &[member.name, member.descriptor].concat())
    }

    /// Whether a class has a plain constructor of this name and descriptor.
    pub fn has(&self, class: &[u8], selector: &[u8]) -> bool {
        self.0.contains_key(&[class, b".", selector].concat()[..])
    }

    /// Hashes all that is known of them.
    pub fn fingerprint(&self, hasher: &mut impl Hasher) {
        let mut all: Vec<_> = self.0.iter().collect();
        all.sort_unstable_by_key(|(name, _)| *name);
        all.hash(hasher);
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A constructor, if a method of the class `running` may leave out making an object by it.
    pub fn get(&self, member: &MemberRef<'_>, running: &[u8]) -> Option<&Constructor> {
        let found = self.0.get(&[member.class, b".", member.name, member.descriptor].concat()[..])?;
        let is_own = member.class == running;
        (is_own || !found.initializes && found.from.has(member.class, running)).then_some(found)
    }
}

/// How deep constructors may call each other.
const DEEPEST: u32 = 30;

/// What a slot of the stack holds.
#[derive(Clone, PartialEq, Eq)]
enum Content {
    /// The object.
    Object,
    /// Something that a field may get.
    Known(Source),
    /// Anything else, or the second slot of a wide value.
    Other,
}

/// A plain constructor: what fields hold, if that is known.
type Plain = Option<Arc<Fields>>;

struct Finder<'p, 'a> {
    program: &'p Program<'a>,
    /// By method: what is known of it, once somebody asked.
    known: Vec<Option<Option<Plain>>>,
}

impl Finder<'_, '_> {
    /// Nothing if a constructor is not plain.
    fn of(&mut self, method: Method, depth: u32) -> Option<Plain> {
        if let Some(known) = &self.known[method.index()] {
            return known.clone();
        }
        let plain = if depth < DEEPEST { self.run(method, depth) } else { None };
        self.known[method.index()] = Some(plain.clone());
        plain
    }

    /// Follows what a constructor does, instruction by instruction.
    fn run(&mut self, method: Method, depth: u32) -> Option<Plain> {
        use Opcode::*;
        let program = self.program;
        let info = &program.methods[method];
        if has_finalizer(program, info.class) {
            return None;
        }
        let pool = &program.classes[info.class].file.pool;
        let code = bare_body(program, method)?;
        if !code.handlers.is_empty() {
            return None;
        }
        let arguments = arguments(program.descriptor(info.selector))?;
        let mut fields = fields_of(program, info.class);
        let mut stack: Vec<Content> = Vec::new();
        for instruction in &code.instructions {
            let op = instruction.op;
            let (pops, pushes) = planish_classfile::limits::effect(instruction, pool).ok()?;
            let below = stack.len().checked_sub(usize::from(pops))?;
            let is_object = stack.get(below) == Some(&Content::Object);
            let mut made = Content::Other;
            match (op, &instruction.operand) {
                (Return, _) => return Some(fields.map(Arc::new)),
                (Putfield, &Operand::Constant(index)) if is_object => {
                    let member = pool.member(index).ok()?;
                    let key = [member.name, b":", member.descriptor].concat();
                    let place = |fields: &Fields| fields.iter().position(|(field, _)| **field == *key);
                    match (&mut fields, &stack[below + 1]) {
                        (Some(list), Content::Known(source)) if let Some(place) = place(list) => {
                            list[place].1 = source.clone();
                        }
                        _ => fields = None,
                    }
                }
                (Invokespecial, &Operand::Constant(index)) if is_object => {
                    let member = pool.member(index).ok()?;
                    if member.name != b"<init>" || stack[below + 1..].contains(&Content::Object) {
                        return None;
                    }
                    let is_outside = program.class_named(member.class).is_none();
                    if is_outside && (member.class == b"java/lang/Object" || QUIET.contains(&member.class)) {
                        // It fills in nothing that the program has.
                    } else {
                        let above = self.above(&member, depth)?;
                        let passed = &stack[below + 1..];
                        fields = fields.zip(above).and_then(|(list, above)| {
                            let arguments = self::arguments(member.descriptor)?;
                            taken_from(list, &above, &arguments, passed)
                        });
                    }
                }
                (Ldc | LdcW | Ldc2W, &Operand::Constant(index)) => {
                    made = Content::Known(Source::Literal(loaded(pool, index)?));
                }
                _ if is_load(op) => {
                    let slot = instruction.slot()?;
                    made = match slot {
                        0 => Content::Object,
                        _ => Content::Known(Source::Argument(*arguments.get(usize::from(slot) - 1)?)),
                    };
                }
                _ if (AconstNull..=Sipush).contains(&op) => {
                    made = literal(instruction)
                        .map_or(Content::Other, |literal| Content::Known(Source::Literal(literal)));
                }
                _ if (Iadd..=I2s).contains(&op) && !matches!(op, Idiv | Ldiv | Irem | Lrem | Iinc) => {
                    made = computed(op, &stack[below..]).map_or(Content::Other, Content::Known);
                }
                _ => return None,
            }
            stack.truncate(below);
            if pushes > 0 {
                stack.push(made);
                stack.resize(below + usize::from(pushes), Content::Other);
            }
        }
        None
    }

    /// What the constructor does that another one calls.
    fn above(&mut self, member: &MemberRef<'_>, depth: u32) -> Option<Plain> {
        let program = self.program;
        let id = program.hierarchy.lookup(member.class)?;
        let selector = program.selector(&[member.name, member.descriptor].concat())?;
        let Found::Program(above) = program.resolve_method(id, selector) else { return None };
        self.of(above, depth + 1)
    }
}

/// The fields of an object after the constructor above, to which these slots are passed.
fn taken_from(mut list: Fields, above: &Fields, arguments: &[u16], passed: &[Content]) -> Option<Fields> {
    for (field, source) in above {
        let argument = |number| {
            let slot = arguments.iter().position(|argument| *argument == number)?;
            match passed.get(slot)? {
                Content::Known(source) => Some(source.clone()),
                _ => None,
            }
        };
        // A store of what was there at first is none, so what was stored before is still there.
        if *source != Source::Nothing {
            let source = source.with(&argument).filter(|source| source.parts() <= MOST_PARTS)?;
            list.iter_mut().find(|(known, _)| known == field)?.1 = source;
        }
    }
    Some(list)
}

/// The fields that objects of a class have, and hold nothing, if no two are of one name and none is volatile.
fn fields_of(program: &Program<'_>, class: Class) -> Option<Fields> {
    let mut fields = Fields::new();
    let mut seen: HashSet<&[u8], FxBuildHasher> = HashSet::default();
    for above in program.hierarchy.ancestors(program.classes[class].id) {
        let Some(above) = program.class(above) else { continue };
        for &field in &program.classes[above].fields {
            let info = &program.fields[field];
            if info.flags.has(Flags::STATIC) {
                continue;
            }
            let text = program.text(info.selector);
            if info.flags.has(Flags::VOLATILE) || !seen.insert(text) {
                return None;
            }
            fields.push((text.into(), Source::Nothing));
        }
    }
    Some(fields)
}

/// For each slot of the arguments behind the object the number of the argument.
fn arguments(descriptor: &[u8]) -> Option<Vec<u16>> {
    let ty = MethodType::parse(descriptor)?;
    let slots =
        ty.parameters().zip(0..).flat_map(|(ty, number)| std::iter::repeat_n(number, ty.slots().into()));
    Some(slots.collect())
}

/// What arithmetic gives of what is on the stack, as far as it is understood.
fn computed(op: Opcode, stack: &[Content]) -> Option<Source> {
    use Opcode::*;
    let parts: Vec<Source> = stack
        .iter()
        .filter_map(|content| match content {
            Content::Known(source) => Some(source.clone()),
            _ => None,
        })
        .collect();
    let make = |op, ty, count: usize| {
        let made = Source::Computed(op, ty, parts.clone());
        (parts.len() == count && made.parts() <= MOST_PARTS).then_some(made)
    };
    let narrowed = |narrow| match &parts[..] {
        [part] if part.parts() < MOST_PARTS => Some(Source::Narrowed(narrow, part.clone().into())),
        _ => None,
    };
    match op {
        Iadd => make(Op::Add, Type::I32, 2),
        Ladd => make(Op::Add, Type::I64, 2),
        Isub => make(Op::Sub, Type::I32, 2),
        Lsub => make(Op::Sub, Type::I64, 2),
        Imul => make(Op::Mul, Type::I32, 2),
        Lmul => make(Op::Mul, Type::I64, 2),
        Iand => make(Op::And, Type::I32, 2),
        Ior => make(Op::Or, Type::I32, 2),
        Ixor => make(Op::Xor, Type::I32, 2),
        Ineg => make(Op::Neg, Type::I32, 1),
        Lneg => make(Op::Neg, Type::I64, 1),
        I2l => make(Op::Sext, Type::I64, 1),
        L2i => make(Op::Trunc, Type::I32, 1),
        I2b => narrowed(Narrow::Signed(8)),
        I2s => narrowed(Narrow::Signed(16)),
        I2c => narrowed(Narrow::Unsigned(16)),
        _ => None,
    }
}

fn is_load(op: Opcode) -> bool {
    (Opcode::Iload..=Opcode::Aload).contains(&op) || (Opcode::Iload0..=Opcode::Aload3).contains(&op)
}

/// Whether something runs when an object of a class is forgotten, as far as that can be seen.
fn has_finalizer(program: &Program<'_>, class: Class) -> bool {
    let finalize = program.selector(b"finalize()V");
    program.hierarchy.ancestors(program.classes[class].id).any(|above| match program.class(above) {
        Some(above) => finalize.is_some_and(|finalize| program.declared_method(above, finalize).is_some()),
        None => above != program.hierarchy.object() && !QUIET.contains(&program.hierarchy.name(above)),
    })
}
