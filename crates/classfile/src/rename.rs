//! Renaming: a class that speaks of other classes and members, and of itself, by new names.
//!
//! Every constant that says by itself what it means keeps its number and gets new content: classes, members, types of
//! methods, call sites, strings. So neither code nor stack maps are touched, nor attributes that nobody knows. Where an
//! attribute names a text (a descriptor, a generic type, the name of a member), its number is patched. Texts
//! that nobody names any more go when the pool is [compacted](crate::compact).

use crate::annotation::{Annotation, ElementValue};
use crate::attribute::{Body, Kind};
use crate::class::{Attribute, ClassFile};
use crate::code::CodeBytes;
use crate::constant::Constant;
use crate::error::Result;
use crate::pool::{ConstantPool, MemberKind, MemberRef};
use crate::signature::{
    ClassSignature, ClassSignatureType, MethodSignature, TypeArgument, TypeParameter, TypeSignature,
};

/// What is called what from now on. Nothing is answered for what keeps its name.
pub trait NewNames {
    /// The new name of a class, as in `a/B`.
    fn class(&self, name: &[u8]) -> Option<&[u8]>;

    /// The new name of the member to which a reference leads.
    fn member(&self, member: &MemberRef<'_>) -> Option<&[u8]>;

    /// The new name that a call site or dynamic constant gives to its bootstrap method: of a lambda, the method of the
    /// interface.
    fn site(&self, class: &ClassFile<'_>, bootstrap: u16, name: &[u8], descriptor: &[u8]) -> Option<&[u8]>;

    /// What takes the place of a string, if it is the name of a class.
    fn string(&self, text: &[u8]) -> Option<Vec<u8>>;

    /// The descriptor that takes the place of the type of a class, as in `I`, if that is none of a class any more. The class
    /// keeps its name where no type is meant.
    fn primitive(&self, _name: &[u8]) -> Option<u8> {
        None
    }
}

/// A descriptor with new names, or any text that is made like one; nothing if it has none. O(its length).
pub fn new_descriptor(text: &[u8], names: &dyn NewNames) -> Option<Vec<u8>> {
    descriptor_of(text, &|name| match names.primitive(name) {
        Some(letter) => Some(Instead::Primitive(letter)),
        None => names.class(name).map(Instead::Class),
    })
}

/// The same, of who knows new names of classes alone.
pub fn descriptor_by<'n>(text: &[u8], class: &dyn Fn(&[u8]) -> Option<&'n [u8]>) -> Option<Vec<u8>> {
    descriptor_of(text, &|name| class(name).map(Instead::Class))
}

/// What stands in a descriptor where the type of a class stood.
enum Instead<'n> {
    Class(&'n [u8]),
    Primitive(u8),
}

fn descriptor_of<'n>(text: &[u8], instead: &dyn Fn(&[u8]) -> Option<Instead<'n>>) -> Option<Vec<u8>> {
    let mut new = Vec::with_capacity(text.len());
    let (mut at, mut copied) = (0, 0);
    while at < text.len() {
        if text[at] != b'L' {
            at += 1;
            continue;
        }
        let start = at + 1;
        let Some(length) = text[start..].iter().position(|byte| *byte == b';') else { break };
        match instead(&text[start..start + length]) {
            Some(Instead::Class(name)) => {
                new.extend_from_slice(&text[copied..start]);
                new.extend_from_slice(name);
                copied = start + length;
            }
            Some(Instead::Primitive(letter)) => {
                new.extend_from_slice(&text[copied..at]);
                new.push(letter);
                copied = start + length + 1;
            }
            None => {}
        }
        at = start + length + 1;
    }
    if copied == 0 {
        return None;
    }
    new.extend_from_slice(&text[copied..]);
    Some(new)
}

/// Renames what a class speaks of, and itself. Returns whether something changed. The class is as it was if it would need
/// more constants than there may be, which is an error. The numbers of constants are
/// [checked](ClassFile::check_indices) before. O(size of the class).
pub fn rename(class: &mut ClassFile<'_>, names: &dyn NewNames) -> Result<bool> {
    let mut new = class.clone();
    let mut renamer =
        Renamer { names, pool: std::mem::take(&mut new.pool), own: class.name()?, changed: false };
    renamer.members(&mut new)?;
    renamer.attributes(&mut new.attributes)?;
    let of_constants = renamer.constants(class)?;
    if !renamer.changed && of_constants.is_empty() {
        return Ok(false);
    }
    new.pool = with_new(&renamer.pool, &of_constants)?;
    *class = new;
    Ok(true)
}

/// The number of a constant and what it says from now on: numbers of constants.
type Replaced = (u16, [u16; 2]);

/// The pool with other content at some numbers, which are in order.
fn with_new<'a>(pool: &ConstantPool<'_>, instead: &[Replaced]) -> Result<ConstantPool<'a>> {
    let mut new = ConstantPool::new();
    let mut next = instead.iter().peekable();
    for index in pool.indices() {
        let old = pool.get(index)?;
        let Some((_, [first, second])) = next.next_if(|(of, _)| *of == index) else {
            new.append(old)?;
            continue;
        };
        new.append(match old {
            Constant::Class(_) => Constant::Class(*first),
            Constant::String(_) => Constant::String(*first),
            Constant::MethodType(_) => Constant::MethodType(*first),
            Constant::Field(class, _) => Constant::Field(class, *second),
            Constant::Method(class, _) => Constant::Method(class, *second),
            Constant::InterfaceMethod(class, _) => Constant::InterfaceMethod(class, *second),
            Constant::Dynamic(row, _) => Constant::Dynamic(row, *second),
            Constant::InvokeDynamic(row, _) => Constant::InvokeDynamic(row, *second),
            other => other,
        })?;
    }
    Ok(new)
}

struct Renamer<'n, 'a> {
    names: &'n dyn NewNames,
    /// The constants that the class had, and new ones behind them.
    pool: ConstantPool<'a>,
    /// What the class was called.
    own: &'n [u8],
    changed: bool,
}

impl Renamer<'_, '_> {
    /// What constants say that say by themselves what they mean.
    fn constants(&mut self, class: &ClassFile<'_>) -> Result<Vec<Replaced>> {
        let old = &class.pool;
        let mut instead = Vec::new();
        for index in old.indices() {
            match old.get(index)? {
                Constant::Class(text) => {
                    let name = old.utf8(text)?;
                    let new = match name.first() {
                        Some(b'[') => new_descriptor(name, self.names),
                        _ => self.names.class(name).map(<[u8]>::to_vec),
                    };
                    if let Some(new) = new {
                        instead.push((index, [self.pool.add_utf8(&new)?, 0]));
                    }
                }
                Constant::String(text) => {
                    if let Some(new) = self.names.string(old.utf8(text)?) {
                        instead.push((index, [self.pool.add_utf8(&new)?, 0]));
                    }
                }
                Constant::MethodType(text) => {
                    if let Some(new) = new_descriptor(old.utf8(text)?, self.names) {
                        instead.push((index, [self.pool.add_utf8(&new)?, 0]));
                    }
                }
                Constant::Field(..) | Constant::Method(..) | Constant::InterfaceMethod(..) => {
                    let member = old.member(index)?;
                    let new = self.names.member(&member);
                    if let Some(both) = self.name_and_type(member.name, member.descriptor, new)? {
                        instead.push((index, [0, both]));
                    }
                }
                Constant::Dynamic(..) | Constant::InvokeDynamic(..) => {
                    let (row, name, descriptor) = old.dynamic(index)?;
                    let new = self.names.site(class, row, name, descriptor);
                    if let Some(both) = self.name_and_type(name, descriptor, new)? {
                        instead.push((index, [0, both]));
                    }
                }
                _ => {}
            }
        }
        Ok(instead)
    }

    /// A name and a type with a new name, or with new names in the type.
    fn name_and_type(&mut self, name: &[u8], descriptor: &[u8], new: Option<&[u8]>) -> Result<Option<u16>> {
        let ty = new_descriptor(descriptor, self.names);
        if new.is_none() && ty.is_none() {
            return Ok(None);
        }
        let ty = ty.as_deref().unwrap_or(descriptor);
        self.pool.add_name_and_type(new.unwrap_or(name), ty).map(Some)
    }

    /// Fields and methods of the class itself.
    fn members(&mut self, class: &mut ClassFile<'_>) -> Result<()> {
        let kinds = [(&mut class.fields, MemberKind::Field), (&mut class.methods, MemberKind::Method)];
        for (members, kind) in kinds {
            for member in members {
                [member.name, member.descriptor] = self.declared(kind, [member.name, member.descriptor])?;
                self.attributes(&mut member.attributes)?;
            }
        }
        Ok(())
    }

    /// The name and the descriptor of a member that the class declares.
    fn declared(&mut self, kind: MemberKind, [name, descriptor]: [u16; 2]) -> Result<[u16; 2]> {
        let (called, ty) = (self.pool.utf8(name)?, self.pool.utf8(descriptor)?);
        let member = MemberRef { kind, class: self.own, name: called, descriptor: ty };
        let new = self.names.member(&member);
        let name = match new {
            Some(new) => self.add(new)?,
            None => name,
        };
        Ok([name, self.descriptor(descriptor)?])
    }

    fn add(&mut self, text: &[u8]) -> Result<u16> {
        self.changed = true;
        self.pool.add_utf8(text)
    }

    /// The number of a descriptor with new names.
    fn descriptor(&mut self, index: u16) -> Result<u16> {
        match new_descriptor(self.pool.utf8(index)?, self.names) {
            Some(new) => self.add(&new),
            None => Ok(index),
        }
    }

    /// The number of a generic type with new names. One that is malformed says nothing to reflection, and stays.
    fn signature(&mut self, index: u16) -> Result<u16> {
        match new_signature(self.pool.utf8(index)?, self.names) {
            Some(new) => self.add(&new),
            None => Ok(index),
        }
    }

    fn attributes(&mut self, attributes: &mut [Attribute<'_>]) -> Result<()> {
        for attribute in attributes {
            let Some(kind) = attribute.kind(&self.pool)? else { continue };
            let before = std::mem::replace(&mut self.changed, false);
            let mut content = Vec::new();
            if let Some(body) = self.body(kind, attribute)? {
                body.write(&mut content)?;
            }
            if self.changed {
                attribute.content = content.into();
            }
            self.changed |= before;
        }
        Ok(())
    }

    /// The content of an attribute with new numbers; nothing if it has no number of a text that changes.
    fn body<'c>(&mut self, kind: Kind, attribute: &'c Attribute<'_>) -> Result<Option<Body<'c>>> {
        if !has_texts(kind) {
            return Ok(None);
        }
        let mut body = Body::read(kind, attribute.cursor())?;
        match &mut body {
            Body::Code(CodeBytes { attributes, .. }) => self.attributes(attributes)?,
            Body::Record(components) => {
                for component in components {
                    let both = [component.name, component.descriptor];
                    [component.name, component.descriptor] = self.declared(MemberKind::Field, both)?;
                    self.attributes(&mut component.attributes)?;
                }
            }
            Body::Signature(index) => *index = self.signature(*index)?,
            Body::LocalVariableTable(variables) => {
                for variable in variables {
                    variable.descriptor = self.descriptor(variable.descriptor)?;
                }
            }
            Body::LocalVariableTypeTable(variables) => {
                for variable in variables {
                    variable.descriptor = self.signature(variable.descriptor)?;
                }
            }
            Body::InnerClasses(classes) => {
                for item in classes.iter_mut().filter(|item| item.name != 0) {
                    if let Some(new) = self.names.class(self.pool.class(item.class)?) {
                        let end = new.iter().rposition(|byte| matches!(byte, b'$' | b'/'));
                        item.name = self.add(&new[end.map_or(0, |end| end + 1)..])?;
                    }
                }
            }
            Body::EnclosingMethod { class, method } if *method != 0 => {
                let (name, descriptor) = self.pool.name_and_type(*method)?;
                let around = self.pool.class(*class)?;
                let member = MemberRef { kind: MemberKind::Method, class: around, name, descriptor };
                let new = self.names.member(&member);
                let (name, descriptor) = (name.to_vec(), descriptor.to_vec());
                if let Some(both) = self.name_and_type(&name, &descriptor, new)? {
                    (*method, self.changed) = (both, true);
                }
            }
            Body::RuntimeVisibleAnnotations(list) | Body::RuntimeInvisibleAnnotations(list) => {
                list.iter_mut().try_for_each(|item| self.annotation(item))?;
            }
            Body::RuntimeVisibleParameterAnnotations(lists)
            | Body::RuntimeInvisibleParameterAnnotations(lists) => {
                lists.iter_mut().flatten().try_for_each(|item| self.annotation(item))?;
            }
            Body::RuntimeVisibleTypeAnnotations(list) | Body::RuntimeInvisibleTypeAnnotations(list) => {
                list.iter_mut().try_for_each(|item| self.annotation(&mut item.annotation))?;
            }
            Body::AnnotationDefault(value) => self.element(value)?,
            _ => {}
        }
        Ok(Some(body))
    }

    /// Elements keep their names, since methods of annotations do.
    fn annotation(&mut self, annotation: &mut Annotation) -> Result<()> {
        annotation.descriptor = self.descriptor(annotation.descriptor)?;
        annotation.elements.iter_mut().try_for_each(|(_, value)| self.element(value))
    }

    /// A constant of an enum is found by the name that the object has, which is a string of its initializer.
    fn element(&mut self, value: &mut ElementValue) -> Result<()> {
        match value {
            ElementValue::Constant { .. } => Ok(()),
            ElementValue::Enum { descriptor, .. } | ElementValue::Class(descriptor) => {
                *descriptor = self.descriptor(*descriptor)?;
                Ok(())
            }
            ElementValue::Annotation(annotation) => self.annotation(annotation),
            ElementValue::Array(values) => values.iter_mut().try_for_each(|value| self.element(value)),
        }
    }
}

/// Whether attributes of a kind name texts that may change.
fn has_texts(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Code
            | Kind::Record
            | Kind::Signature
            | Kind::LocalVariableTable
            | Kind::LocalVariableTypeTable
            | Kind::InnerClasses
            | Kind::EnclosingMethod
            | Kind::RuntimeVisibleAnnotations
            | Kind::RuntimeInvisibleAnnotations
            | Kind::RuntimeVisibleParameterAnnotations
            | Kind::RuntimeInvisibleParameterAnnotations
            | Kind::RuntimeVisibleTypeAnnotations
            | Kind::RuntimeInvisibleTypeAnnotations
            | Kind::AnnotationDefault
    )
}

/// A generic type with new names; nothing if it has none, or is malformed. O(its length).
pub fn new_signature(text: &[u8], names: &dyn NewNames) -> Option<Vec<u8>> {
    let mut out = Signatures { names, text: Vec::with_capacity(text.len()), changed: false };
    if let Some(signature) = MethodSignature::parse(text) {
        out.method(&signature);
    } else if let Some(signature) = TypeSignature::parse(text) {
        out.ty(&signature);
    } else {
        let signature = ClassSignature::parse(text)?;
        out.parameters(&signature.parameters);
        signature.supertypes.iter().for_each(|class| out.class(class));
    }
    out.changed.then_some(out.text)
}

/// Writes generic types with new names.
struct Signatures<'n> {
    names: &'n dyn NewNames,
    text: Vec<u8>,
    changed: bool,
}

impl Signatures<'_> {
    fn method(&mut self, signature: &MethodSignature<'_>) {
        self.parameters(&signature.type_parameters);
        self.text.push(b'(');
        signature.parameters.iter().for_each(|ty| self.ty(ty));
        self.text.push(b')');
        match &signature.result {
            Some(result) => self.ty(result),
            None => self.text.push(b'V'),
        }
        for thrown in &signature.throws {
            self.text.push(b'^');
            self.ty(thrown);
        }
    }

    fn parameters(&mut self, parameters: &[TypeParameter<'_>]) {
        if parameters.is_empty() {
            return;
        }
        self.text.push(b'<');
        for parameter in parameters {
            self.text.extend_from_slice(parameter.name);
            self.text.push(b':');
            parameter.class.iter().for_each(|class| self.ty(class));
            for interface in &parameter.interfaces {
                self.text.push(b':');
                self.ty(interface);
            }
        }
        self.text.push(b'>');
    }

    fn ty(&mut self, ty: &TypeSignature<'_>) {
        match ty {
            TypeSignature::Class(class) => self.class(class),
            TypeSignature::Array(element) => {
                self.text.push(b'[');
                self.ty(element);
            }
            TypeSignature::Primitive(_) | TypeSignature::Variable(_) => ty.write(&mut self.text),
        }
    }

    /// `La/Outer<TT;>.Inner;`: behind the dot stands what the name of the member has more than that of the class around
    /// it. One that is called otherwise by now stands alone.
    fn class(&mut self, class: &ClassSignatureType<'_>) {
        let (mut old, mut before) = (Vec::new(), Vec::new());
        let start = self.text.len();
        self.text.push(b'L');
        for (number, (name, arguments)) in class.parts.iter().enumerate() {
            if number > 0 {
                old.push(b'$');
            }
            old.extend_from_slice(name);
            let new = self.names.class(&old);
            self.changed |= new.is_some();
            let new = new.unwrap_or(&old).to_vec();
            let inside = new.strip_prefix(&before[..]).and_then(|rest| rest.strip_prefix(b"$"));
            match inside.filter(|rest| number > 0 && !rest.is_empty()) {
                Some(rest) => {
                    self.text.push(b'.');
                    self.text.extend_from_slice(rest);
                }
                None => {
                    self.text.truncate(start + 1);
                    self.text.extend_from_slice(&new);
                }
            }
            before = new;
            self.arguments(arguments);
        }
        self.text.push(b';');
    }

    fn arguments(&mut self, arguments: &[TypeArgument<'_>]) {
        if arguments.is_empty() {
            return;
        }
        self.text.push(b'<');
        for argument in arguments {
            let (sign, bound) = match argument {
                TypeArgument::Any => {
                    self.text.push(b'*');
                    continue;
                }
                TypeArgument::Exactly(bound) => (None, bound),
                TypeArgument::Extends(bound) => (Some(b'+'), bound),
                TypeArgument::Super(bound) => (Some(b'-'), bound),
            };
            self.text.extend(sign);
            self.ty(bound);
        }
        self.text.push(b'>');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flags::Flags;

    /// Classes of package `p` go to `q`; methods called `run` are called `a`.
    struct Names;

    impl NewNames for Names {
        fn class(&self, name: &[u8]) -> Option<&[u8]> {
            match name {
                b"p/A" => Some(b"q/a"),
                b"p/A$B" => Some(b"q/a$b"),
                b"p/A$C" => Some(b"q/c"),
                _ => None,
            }
        }

        fn member(&self, member: &MemberRef<'_>) -> Option<&[u8]> {
            (member.name == b"run").then_some(b"a")
        }

        fn site(&self, _: &ClassFile<'_>, _: u16, _: &[u8], _: &[u8]) -> Option<&[u8]> {
            None
        }

        fn string(&self, text: &[u8]) -> Option<Vec<u8>> {
            (text == b"p.A").then(|| b"q.a".to_vec())
        }

        fn primitive(&self, name: &[u8]) -> Option<u8> {
            (name == b"p/E").then_some(b'I')
        }
    }

    #[test]
    fn descriptors_and_generic_types_get_new_names() {
        let descriptor =
            |text: &str| new_descriptor(text.as_bytes(), &Names).map(|t| String::from_utf8(t).unwrap());
        assert_eq!(descriptor("([Lp/A;ILx/Y;Lp/A$B;)Lp/A;").unwrap(), "([Lq/a;ILx/Y;Lq/a$b;)Lq/a;");
        assert_eq!(descriptor("(ILx/A;)V"), None);
        assert_eq!(descriptor("(Lp/E;[[Lp/E;Lp/A;)Lp/E;").unwrap(), "(I[[ILq/a;)I");
        assert_eq!(descriptor("Lp/A"), None);
        let signature =
            |text: &str| new_signature(text.as_bytes(), &Names).map(|t| String::from_utf8(t).unwrap());
        assert_eq!(signature("Lp/A<TT;>.B<Lp/A;>;").unwrap(), "Lq/a<TT;>.b<Lq/a;>;");
        assert_eq!(signature("Lp/A<TT;>.C<*>;").unwrap(), "Lq/c<*>;", "it stands alone");
        assert_eq!(
            signature("<T:Lp/A;U::Lx/I<+Lp/A$B;>;>(TT;[Lp/A;)V^Lp/A;").unwrap(),
            "<T:Lq/a;U::Lx/I<+Lq/a$b;>;>(TT;[Lq/a;)V^Lq/a;"
        );
        assert_eq!(signature("<T:Lp/A;>Lx/Z<-Lp/A;>;Lp/A;").unwrap(), "<T:Lq/a;>Lx/Z<-Lq/a;>;Lq/a;");
        assert_eq!(signature("Lx/Y<TT;>.B;"), None);
        assert_eq!(signature("nonsense Lp/A;"), None);
    }

    #[test]
    fn constants_keep_their_numbers_and_say_something_else() {
        let mut class = ClassFile::new(52, Flags::PUBLIC, b"p/A", Some(b"x/Y")).unwrap();
        let pool = &mut class.pool;
        let array = pool.add_class(b"[[Lp/A$B;").unwrap();
        pool.add(Constant::Long(7)).unwrap();
        let string = pool.add_string(b"p.A").unwrap();
        let other = pool.add_string(b"p.A!").unwrap();
        let call =
            MemberRef { kind: MemberKind::Method, class: b"p/A", name: b"run", descriptor: b"(Lp/A;)V" };
        let call = pool.add_member(call).unwrap();
        class.add_method(Flags::ABSTRACT, b"run", b"(Lp/A;)V", None).unwrap();
        assert!(rename(&mut class, &Names).unwrap());
        let bytes = class.to_bytes().unwrap();
        let class = ClassFile::read(&bytes).unwrap();
        assert_eq!(class.name(), Ok(&b"q/a"[..]));
        assert_eq!(class.super_name(), Ok(Some(&b"x/Y"[..])));
        assert_eq!(class.pool.class(array), Ok(&b"[[Lq/a$b;"[..]));
        assert_eq!(class.pool.string(string), Ok(&b"q.a"[..]));
        assert_eq!(class.pool.string(other), Ok(&b"p.A!"[..]));
        let member = class.pool.member(call).unwrap();
        assert_eq!([member.class, member.name, member.descriptor], [&b"q/a"[..], b"a", b"(Lq/a;)V"]);
        assert!(class.method(b"a", b"(Lq/a;)V").is_some());
        class.pool.check().unwrap();
    }

    #[test]
    fn what_speaks_of_nothing_new_stays_as_it_is() {
        let mut class = ClassFile::new(52, Flags::PUBLIC, b"x/Y", Some(b"java/lang/Object")).unwrap();
        class.add_field(Flags::PUBLIC, b"run2", b"I").unwrap();
        let before = class.to_bytes().unwrap();
        assert!(!rename(&mut class, &Names).unwrap());
        assert_eq!(class.to_bytes().unwrap(), before);
    }
}
