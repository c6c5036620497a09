//! What each instruction does with constants of enums, and what takes its place when they are numbers.

use planish_classfile::descriptor::{MethodType, Type};
use planish_classfile::{Code, Constant, ConstantPool, Flags, Insn, MemberRef, Opcode, Operand};
use planish_jvm_model::program::{Class, Method};
use planish_jvm_model::transfer::MethodInfo;
use planish_jvm_model::vtype::{TypeContext, VType};

use super::candidates::{Candidates, is_value_of};
use super::helpers::Helper;
use super::nodes::{Boxed, Cell, Here, Node, Nodes, Types, boxed};
use super::observed::ENUM;
use super::reason::Reason;

/// How `newarray` calls `int`.
const INT: i16 = 10;

/// The method of `Objects` that checks for null.
const CHECK: (&[u8], &[u8]) = (b"requireNonNull", b"(Ljava/lang/Object;)Ljava/lang/Object;");

/// What makes a text of an object, or of null.
const VALUE_OF: (&[u8], &[u8], &[u8]) =
    (b"java/lang/String", b"valueOf", b"(Ljava/lang/Object;)Ljava/lang/String;");

/// What copies from one array to another.
const COPY: (&[u8], &[u8]) = (b"java/lang/System", b"arraycopy");

/// The class of the builder to which a method appends the text of an object, or of null.
fn appends_object(member: &MemberRef<'_>) -> Option<&'static [u8]> {
    let builders: [&[u8]; 2] = [b"java/lang/StringBuilder", b"java/lang/StringBuffer"];
    let builder = builders.into_iter().find(|builder| *builder == member.class)?;
    let is_object = member.descriptor.starts_with(b"(Ljava/lang/Object;)L");
    (member.name == b"append" && is_object).then_some(builder)
}

/// What takes the place of an instruction.
#[derive(Clone, Debug)]
pub(super) enum Change {
    /// Itself.
    None,
    /// Nothing.
    Gone,
    Becomes(Insn),
    /// Another instruction if this node is a number.
    If(Node, Insn),
    /// The number of a constant.
    Number(u32),
    /// A call of what does the same as a method of `Enum`.
    Helper(Class, Helper),
    /// A call of a method of the enum, which is static now.
    Static(Method),
    /// A call of what makes a text of a constant; the text is appended to a builder of this class, if there is one.
    Text(Class, Option<&'static [u8]>),
}

/// The uses of a body.
pub(super) struct Uses<'u, 'p, 'a, 'm> {
    enums: &'u Candidates<'p, 'a>,
    code: &'u Code,
    method: &'u MethodInfo<'m>,
    types: &'u mut Types,
    pub nodes: Nodes,
    pub changes: Vec<Change>,
    /// The node of the null that the last instruction makes.
    pub made: Option<Node>,
}

impl<'u, 'p, 'a, 'm> Uses<'u, 'p, 'a, 'm> {
    pub fn new(
        enums: &'u Candidates<'p, 'a>,
        code: &'u Code,
        method: &'u MethodInfo<'m>,
        types: &'u mut Types,
    ) -> Self {
        let changes = vec![Change::None; code.instructions.len()];
        let nodes = Nodes::default();
        Uses { enums, code, method, types, nodes, changes, made: None }
    }

    /// What a type says of enums.
    pub fn boxed(&mut self, ty: VType, context: &TypeContext<'_>) -> Option<Boxed> {
        self.types.of(ty, context, self.enums)
    }

    fn refuse(&mut self, boxed: Option<Boxed>, reason: Reason) {
        if let Some(boxed) = boxed {
            self.nodes.refuse(boxed.class(), reason);
        }
    }

    /// A value is used where one of another type is expected.
    fn taken(&mut self, value: Cell, expected: VType, context: &TypeContext<'_>) {
        let (found, wanted) = (self.boxed(value.0, context), self.boxed(expected, context));
        match (found, wanted) {
            (_, Some(Boxed::Constant(class))) if found == wanted => self.nodes.need(value.1, Some(class)),
            (None, Some(Boxed::Constant(class))) if value.0 == VType::Null => match value.1 {
                Some(_) => self.nodes.need(value.1, Some(class)),
                None => self.nodes.refuse(class, Reason::Null),
            },
            _ => {
                self.nodes.need(value.1, None);
                let is_null = value.0 == VType::Null;
                if value.0 != expected && !(is_null && matches!(wanted, Some(Boxed::Array(_)))) {
                    self.refuse(found, Reason::Object);
                    self.refuse(wanted, Reason::Object);
                }
            }
        }
    }

    /// A value is used as an object, whatever it is: a constant is none any more.
    fn is_object(&mut self, value: Cell, reason: Reason, context: &TypeContext<'_>) {
        self.nodes.need(value.1, None);
        if let found @ Some(Boxed::Constant(_)) = self.boxed(value.0, context) {
            self.refuse(found, reason);
        }
    }

    fn pool(&self) -> &'u ConstantPool<'m> {
        self.method.pool
    }

    /// Looks at an instruction.
    pub fn see(&mut self, at: u32, insn: &Insn, here: &Here, context: &mut TypeContext<'_>) {
        use Opcode::*;
        self.nodes.at = at;
        let op = insn.op;
        let change = match op {
            AconstNull => {
                let node = self.nodes.make();
                self.made = Some(node);
                Change::If(node, Insn::plain(Iconst0))
            }
            _ if op == Aload || (Aload0..=Aload3).contains(&op) => {
                let slot = insn.slot().unwrap_or(u16::MAX);
                self.loaded(here.local(slot), Insn::local(Iload, slot), context)
            }
            _ if op == Astore || (Astore0..=Astore3).contains(&op) => {
                let slot = insn.slot().unwrap_or(u16::MAX);
                self.loaded(here.top(0), Insn::local(Istore, slot), context)
            }
            Areturn => {
                let result = MethodType::parse(self.method.descriptor).and_then(|ty| ty.result());
                let result = result.map_or(VType::Top, |ty| context.of_descriptor(ty));
                self.taken(here.top(0), result, context);
                self.if_constant(result, Insn::plain(Ireturn), context)
            }
            Aaload | Aastore => self.element(op, here, context),
            IfAcmpeq | IfAcmpne => self.compared(insn, here, context),
            Ifnull | Ifnonnull => {
                let op = if op == Ifnull { Ifeq } else { Ifne };
                self.loaded(here.top(0), Insn { op, operand: insn.operand.clone() }, context)
            }
            Monitorenter | Monitorexit => {
                self.is_object(here.top(0), Reason::Lock, context);
                Change::None
            }
            Arraylength | Athrow => {
                self.is_object(here.top(0), Reason::Object, context);
                Change::None
            }
            _ => match insn.operand {
                Operand::Constant(index) => self.names(at, (op, index), here, context),
                Operand::Interface { method, .. } => self.called(at, (op, method), here, context),
                _ => Change::None,
            },
        };
        self.changes[at as usize] = change;
    }

    fn constant(&mut self, ty: VType, context: &TypeContext<'_>) -> Option<Class> {
        match self.boxed(ty, context) {
            Some(Boxed::Constant(class)) => Some(class),
            _ => None,
        }
    }

    fn if_constant(&mut self, ty: VType, insn: Insn, context: &TypeContext<'_>) -> Change {
        match self.constant(ty, context) {
            Some(_) => Change::Becomes(insn),
            None => Change::None,
        }
    }

    /// A value is loaded from a local variable, stored there, or asked whether it is null.
    fn loaded(&mut self, value: Cell, insn: Insn, context: &TypeContext<'_>) -> Change {
        match (value, self.constant(value.0, context)) {
            ((_, node), Some(class)) => {
                self.nodes.need(node, Some(class));
                Change::Becomes(insn)
            }
            ((VType::Null, Some(node)), None) => Change::If(node, insn),
            ((_, node), None) => {
                self.nodes.need(node, None);
                Change::None
            }
        }
    }

    /// An element of an array is read or written.
    fn element(&mut self, op: Opcode, here: &Here, context: &mut TypeContext<'_>) -> Change {
        let is_store = op == Opcode::Aastore;
        let array = here.top(if is_store { 2 } else { 1 });
        self.nodes.need(array.1, None);
        // An element of no array is never there.
        let element = context.element(array.0).unwrap_or(VType::Top);
        if is_store {
            self.taken(here.top(0), element, context);
        }
        let insn = Insn::plain(if is_store { Opcode::Iastore } else { Opcode::Iaload });
        self.if_constant(element, insn, context)
    }

    /// Two objects are compared.
    fn compared(&mut self, insn: &Insn, here: &Here, context: &TypeContext<'_>) -> Change {
        let both = [here.top(0), here.top(1)];
        let [first, second] = both.map(|value| self.constant(value.0, context));
        let Some(class) = first.or(second) else {
            both.into_iter().for_each(|value| self.nodes.need(value.1, None));
            return Change::None;
        };
        let enumeration = if first.is_some() { both[0].0 } else { both[1].0 };
        both.into_iter().for_each(|value| self.taken(value, enumeration, context));
        if let (Some(_), Some(other)) = (first, second)
            && other != class
        {
            self.nodes.refuse(class, Reason::Object);
        }
        let op = if insn.op == Opcode::IfAcmpeq { Opcode::IfIcmpeq } else { Opcode::IfIcmpne };
        Change::Becomes(Insn { op, operand: insn.operand.clone() })
    }

    /// An instruction that names a constant of the class file.
    fn names(
        &mut self,
        at: u32,
        (op, index): (Opcode, u16),
        here: &Here,
        context: &mut TypeContext<'_>,
    ) -> Change {
        use Opcode::*;
        match op {
            Getstatic | Getfield | Putstatic | Putfield => self.field((op, index), here, context),
            Invokevirtual | Invokespecial | Invokestatic | Invokedynamic => {
                self.called(at, (op, index), here, context)
            }
            Ldc | LdcW => {
                if let Ok(Constant::Class(_)) = self.pool().get(index) {
                    let named = self.class(index);
                    self.refuse(named, Reason::ClassObject);
                }
                Change::None
            }
            New => {
                let named = self.class(index);
                self.refuse(named, Reason::Initializer);
                Change::None
            }
            Anewarray => match self.class(index) {
                Some(Boxed::Constant(_)) => {
                    Change::Becomes(Insn { op: Newarray, operand: Operand::Immediate(INT) })
                }
                _ => Change::None,
            },
            Checkcast => self.cast(at, index, here, context),
            Instanceof => {
                let named = self.class(index);
                self.refuse(named, Reason::Cast);
                let value = here.top(0);
                self.nodes.need(value.1, None);
                let found = self.boxed(value.0, context);
                self.refuse(found, Reason::Cast);
                Change::None
            }
            _ => Change::None,
        }
    }

    /// What the name of a class says of enums.
    fn class(&self, index: u16) -> Option<Boxed> {
        self.pool().class(index).ok().and_then(|name| boxed(name, self.enums))
    }

    fn cast(&mut self, at: u32, index: u16, here: &Here, context: &mut TypeContext<'_>) -> Change {
        let Ok(name) = self.pool().class(index) else { return Change::None };
        let (value, to) = (here.top(0), context.object(name));
        let (found, wanted) = (self.boxed(value.0, context), self.boxed(to, context));
        // The copy of an array has no type of its own.
        if let Some(Boxed::Array(_)) = wanted
            && at.checked_sub(1).is_some_and(|before| self.copies(before) == Some(name))
        {
            return Change::None;
        }
        match (found, wanted) {
            (None, None) => {
                self.nodes.need(value.1, None);
                Change::None
            }
            _ => {
                self.taken(value, to, context);
                if matches!(wanted, Some(Boxed::Constant(_))) { Change::Gone } else { Change::None }
            }
        }
    }

    /// The class of the array that an instruction copies, if the next one casts it to that class, and nothing leads in between.
    fn copies(&self, at: u32) -> Option<&'u [u8]> {
        let [copy, cast] = self.code.instructions.get(at as usize..)?.get(..2)? else { return None };
        let (Operand::Constant(method), Operand::Constant(class)) = (&copy.operand, &cast.operand) else {
            return None;
        };
        let member = self.pool().member(*method).ok()?;
        let fits = copy.op == Opcode::Invokevirtual
            && cast.op == Opcode::Checkcast
            && member.name == b"clone"
            && self.pool().class(*class) == Ok(member.class)
            && !self.is_target(at + 1);
        fits.then_some(member.class)
    }

    fn field(&mut self, (op, index): (Opcode, u16), here: &Here, context: &mut TypeContext<'_>) -> Change {
        let Ok(member) = self.pool().member(index) else { return Change::None };
        let ty = Type::parse(member.descriptor).map_or(VType::Top, |ty| context.of_descriptor(ty));
        let is_write = matches!(op, Opcode::Putstatic | Opcode::Putfield);
        if is_write {
            self.taken(here.top(0), ty, context);
        }
        if matches!(op, Opcode::Getfield | Opcode::Putfield) {
            let owner = context.object(member.class);
            self.taken(here.top(usize::from(is_write)), owner, context);
        }
        let Some(class) = self.enums.named(member.class) else { return Change::None };
        let Some(constants) = self.enums.get(class) else { return Change::None };
        let is_all = constants.all.as_ref().is_some_and(|(name, _)| **name == *member.name);
        match (op, constants.numbers.get(member.name)) {
            (Opcode::Getstatic, Some(number)) => Change::Number(*number),
            (Opcode::Getstatic, None) if is_all => Change::None,
            (Opcode::Getfield, _) if constants.field(member.name).is_some() => constants
                .field(member.name)
                .map_or(Change::None, |place| Change::Helper(class, Helper::Field(place))),
            (Opcode::Getfield | Opcode::Putfield, _) => {
                self.nodes.refuse(class, Reason::Fields);
                Change::None
            }
            _ => {
                self.nodes.refuse(class, Reason::StaticField);
                Change::None
            }
        }
    }

    fn called(
        &mut self,
        at: u32,
        (op, index): (Opcode, u16),
        here: &Here,
        context: &mut TypeContext<'_>,
    ) -> Change {
        if op == Opcode::Invokedynamic {
            let Ok((_, _, descriptor)) = self.pool().dynamic(index) else { return Change::None };
            self.arguments(descriptor, here, context);
            return Change::None;
        }
        let Ok(member) = self.pool().member(index) else { return Change::None };
        if op == Opcode::Invokestatic {
            let value = here.top(0);
            if member.class == b"java/util/Objects"
                && (member.name, member.descriptor) == CHECK
                && let Some(class) = self.constant(value.0, context)
                && self.is_dropped(at)
            {
                self.nodes.need(value.1, Some(class));
                return Change::Helper(class, Helper::Ordinal);
            }
            if (member.class, member.name, member.descriptor) == VALUE_OF
                && let Some(class) = self.constant(value.0, context)
            {
                self.nodes.need(value.1, Some(class));
                return Change::Text(class, None);
            }
            if let Some(class) = self.enums.named(member.class)
                && is_value_of(&[member.name, member.descriptor].concat())
            {
                self.nodes.refuse(class, Reason::ClassObject);
            }
            if let Some(class) = self.enums.named(member.class)
                && self.enums.makes_constants(&member)
            {
                self.nodes.refuse(class, Reason::Initializer);
            }
            if (member.class, member.name) == COPY && self.is_copied(here, context) {
                return Change::None;
            }
            self.arguments(member.descriptor, here, context);
            return Change::None;
        }
        let count = MethodType::parse(member.descriptor).map_or(0, |ty| ty.parameters().count());
        let (receiver, owner) = (here.top(count), context.object(member.class));
        let constant = self.constant(receiver.0, context).or(self.constant(owner, context));
        if let Some(class) = constant {
            let enumeration = context.object(self.enums.program.name(class));
            self.taken(receiver, enumeration, context);
            return self.of_constant(at, op, (class, &member), here, context);
        }
        let value = here.top(0);
        if let Some(builder) = appends_object(&member)
            && let Some(class) = self.constant(value.0, context)
        {
            self.nodes.need(value.1, Some(class));
            self.taken(receiver, owner, context);
            return Change::Text(class, Some(builder));
        }
        self.arguments(member.descriptor, here, context);
        if member.name == b"<init>" {
            return Change::None;
        }
        match self.boxed(receiver.0, context) {
            // What is copied is cast at once, or nobody knows what it is.
            Some(Boxed::Array(class)) if self.copies(at).is_none() => {
                self.nodes.refuse(class, Reason::Object)
            }
            _ => {}
        }
        self.taken(receiver, owner, context);
        Change::None
    }

    /// Whether what is copied from one array to another, by the arguments of the call, is the same of numbers: the arrays have one type.
    fn is_copied(&mut self, here: &Here, context: &TypeContext<'_>) -> bool {
        let arrays = [here.top(4), here.top(2)];
        let is_same =
            arrays[0].0 == arrays[1].0 && matches!(self.boxed(arrays[0].0, context), Some(Boxed::Array(_)));
        if is_same {
            arrays.into_iter().for_each(|array| self.nodes.need(array.1, None));
        }
        is_same
    }

    /// Whether nothing looks at the result of a call, which only checks for null then.
    fn is_dropped(&self, at: u32) -> bool {
        let next = self.code.instructions.get(at as usize + 1);
        next.is_some_and(|next| next.op == Opcode::Pop) && !self.is_target(at + 1)
    }

    fn is_target(&self, at: u32) -> bool {
        let jumps = self.code.instructions.iter().flat_map(Insn::targets);
        let handlers = self.code.handlers.iter().map(|handler| handler.target);
        jumps.chain(handlers).any(|target| target == at)
    }

    /// The arguments of a call are used as what it takes.
    fn arguments(&mut self, descriptor: &[u8], here: &Here, context: &mut TypeContext<'_>) {
        let Some(ty) = MethodType::parse(descriptor) else { return };
        let parameters: Vec<VType> = ty.parameters().map(|ty| context.of_descriptor(ty)).collect();
        for (depth, &parameter) in parameters.iter().rev().enumerate() {
            self.taken(here.top(depth), parameter, context);
        }
    }

    /// A method is called on a constant.
    fn of_constant(
        &mut self,
        at: u32,
        op: Opcode,
        (class, member): (Class, &MemberRef<'_>),
        here: &Here,
        context: &mut TypeContext<'_>,
    ) -> Change {
        let program = self.enums.program;
        let selector = program.selector(&[member.name, member.descriptor].concat());
        let method = selector.and_then(|selector| program.declared_method(class, selector));
        // `super.toString()` is not the method of the enum itself, and `I.super.f()` none of `Enum`.
        let is_above = op == Opcode::Invokespecial && member.class != program.name(class);
        if is_above && member.class != ENUM {
            self.nodes.refuse(class, Reason::Method);
            return Change::None;
        }
        if let Some(method) = method.filter(|_| !is_above) {
            if member.name == b"<init>" || program.methods[method].flags.has(Flags::STATIC) {
                self.nodes.refuse(class, Reason::Method);
            }
            self.arguments(member.descriptor, here, context);
            return Change::Static(method);
        }
        if member.name == b"getClass" && self.is_dropped(at) {
            return Change::Helper(class, Helper::Ordinal);
        }
        let Some(helper) = Helper::of(member) else {
            self.nodes.refuse(class, Reason::Method);
            return Change::None;
        };
        if matches!(helper, Helper::Compare | Helper::Equals) {
            let (other, enumeration) = (here.top(0), context.object(program.name(class)));
            if other.0 != enumeration && other.0 != VType::Null {
                self.nodes.refuse(class, Reason::Method);
            }
            self.taken(other, enumeration, context);
        }
        Change::Helper(class, helper)
    }
}
