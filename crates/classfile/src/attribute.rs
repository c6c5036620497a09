//! What attributes hold.
//!
//! [`Kind`] names the thirty attributes that the specification defines up to Java 25, [`Body`] is the
//! content of one of them. Reading a body and writing it again gives the same bytes. Attributes of any
//! other name are no concern of this module and stay as bytes. Nothing here depends on where an
//! attribute stands: a `Code` of a field, which a JVM ignores, reads like any other.
//!
//! Numbers that count bytes of code are *positions*, see [`crate::code`].

use std::borrow::Cow;

use crate::annotation::{Annotation, ElementValue, TypeAnnotation};
use crate::bytes::{Cursor, Put, put_count, put_indices, put_list, small};
use crate::code_bytes::CodeBytes;
use crate::debug::{LineNumber, LocalVariable};
use crate::error::Result;
use crate::flags::Flags;
use crate::frame::{self, Frame};
use crate::module::Module;
use crate::pool::ConstantPool;
use crate::raw::Attribute;

macro_rules! kinds {
    ($($(#[$meta:meta])* $name:ident,)*) => {
        /// An attribute that the specification defines.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Kind {
            $($(#[$meta])* $name,)*
        }

        impl Kind {
            /// Every kind.
            pub const ALL: &'static [Kind] = &[$(Kind::$name,)*];

            /// The name in class files.
            pub const fn name(self) -> &'static [u8] {
                match self {
                    $(Kind::$name => stringify!($name).as_bytes(),)*
                }
            }

            /// The kind with this name.
            pub fn of_name(name: &[u8]) -> Option<Kind> {
                match std::str::from_utf8(name).ok()? {
                    $(stringify!($name) => Some(Kind::$name),)*
                    _ => None,
                }
            }
        }
    };
}

kinds! {
    /// Method: the body.
    Code,
    /// Code: source lines.
    LineNumberTable,
    /// Code: types at branch targets.
    StackMapTable,
    /// Code: names of local variables.
    LocalVariableTable,
    /// Code: generic types of local variables.
    LocalVariableTypeTable,
    /// Class, member, record component: generic type.
    Signature,
    /// Method: checked exceptions.
    Exceptions,
    /// Field: the value of a constant.
    ConstantValue,
    /// Class: member, local and anonymous classes that it names.
    InnerClasses,
    /// Class: the method that a local class stands in.
    EnclosingMethod,
    /// Anything: not in the source.
    Synthetic,
    /// Anything: not to be used.
    Deprecated,
    /// Class: the name of the source file.
    SourceFile,
    /// Class: debug information of other languages.
    SourceDebugExtension,
    /// Anything: annotations that reflection sees.
    RuntimeVisibleAnnotations,
    /// Anything: annotations that reflection does not see.
    RuntimeInvisibleAnnotations,
    /// Method: annotations of parameters that reflection sees.
    RuntimeVisibleParameterAnnotations,
    /// Method: annotations of parameters that reflection does not see.
    RuntimeInvisibleParameterAnnotations,
    /// Anything: annotations of types that reflection sees.
    RuntimeVisibleTypeAnnotations,
    /// Anything: annotations of types that reflection does not see.
    RuntimeInvisibleTypeAnnotations,
    /// Method of an annotation interface: the default value.
    AnnotationDefault,
    /// Class: bootstrap methods of dynamic constants and calls.
    BootstrapMethods,
    /// Method: names and flags of parameters.
    MethodParameters,
    /// Module: what it requires, exports, opens, uses and provides.
    Module,
    /// Module: all its packages.
    ModulePackages,
    /// Module: its main class.
    ModuleMainClass,
    /// Class: the host of its nest.
    NestHost,
    /// Class: the other members of the nest that it hosts.
    NestMembers,
    /// Class: the components of a record.
    Record,
    /// Class: the only direct subclasses of a sealed class.
    PermittedSubclasses,
}

/// The content of an attribute. Numbers named like constants are indices into the pool.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "the variants are those of `Kind`, which has the words")]
pub enum Body<'c> {
    Code(CodeBytes<'c>),
    LineNumberTable(Vec<LineNumber>),
    StackMapTable(Vec<Frame>),
    LocalVariableTable(Vec<LocalVariable>),
    LocalVariableTypeTable(Vec<LocalVariable>),
    Signature(u16),
    Exceptions(Vec<u16>),
    ConstantValue(u16),
    InnerClasses(Vec<InnerClass>),
    EnclosingMethod { class: u16, method: u16 },
    Synthetic,
    Deprecated,
    SourceFile(u16),
    SourceDebugExtension(&'c [u8]),
    RuntimeVisibleAnnotations(Vec<Annotation>),
    RuntimeInvisibleAnnotations(Vec<Annotation>),
    RuntimeVisibleParameterAnnotations(Vec<Vec<Annotation>>),
    RuntimeInvisibleParameterAnnotations(Vec<Vec<Annotation>>),
    RuntimeVisibleTypeAnnotations(Vec<TypeAnnotation>),
    RuntimeInvisibleTypeAnnotations(Vec<TypeAnnotation>),
    AnnotationDefault(ElementValue),
    BootstrapMethods(Vec<BootstrapMethod>),
    MethodParameters(Vec<MethodParameter>),
    Module(Module),
    ModulePackages(Vec<u16>),
    ModuleMainClass(u16),
    NestHost(u16),
    NestMembers(Vec<u16>),
    Record(Vec<RecordComponent<'c>>),
    PermittedSubclasses(Vec<u16>),
}

/// A class in the table of member, local and anonymous classes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InnerClass {
    /// The class.
    pub class: u16,
    /// The class that it is a member of; 0 if it is none's.
    pub outer: u16,
    /// Its simple name; 0 if it is anonymous.
    pub name: u16,
    /// Its flags as in the source.
    pub flags: Flags,
}

/// A bootstrap method with its static arguments.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct BootstrapMethod {
    /// A method handle.
    pub handle: u16,
    /// Loadable constants.
    pub arguments: Vec<u16>,
}

/// A parameter of a method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MethodParameter {
    /// Its name; 0 if it has none.
    pub name: u16,
    /// Final, synthetic or mandated.
    pub flags: Flags,
}

/// A component of a record.
#[derive(Clone, Debug)]
pub struct RecordComponent<'c> {
    /// Its name.
    pub name: u16,
    /// Its type.
    pub descriptor: u16,
    /// Its attributes.
    pub attributes: Vec<Attribute<'c>>,
}

impl<'c> Body<'c> {
    /// Reads the content of an attribute of the given kind.
    pub fn read(kind: Kind, mut cursor: Cursor<'c>) -> Result<Self> {
        let c = &mut cursor;
        let body = match kind {
            Kind::Code => Body::Code(CodeBytes::read(c)?),
            Kind::LineNumberTable => Body::LineNumberTable(c.list(4, LineNumber::read)?),
            Kind::StackMapTable => Body::StackMapTable(frame::read_table(c)?),
            Kind::LocalVariableTable => Body::LocalVariableTable(c.list(10, LocalVariable::read)?),
            Kind::LocalVariableTypeTable => Body::LocalVariableTypeTable(c.list(10, LocalVariable::read)?),
            Kind::Signature => Body::Signature(c.u16()?),
            Kind::Exceptions => Body::Exceptions(c.indices()?),
            Kind::ConstantValue => Body::ConstantValue(c.u16()?),
            Kind::InnerClasses => Body::InnerClasses(c.list(8, InnerClass::read)?),
            Kind::EnclosingMethod => Body::EnclosingMethod { class: c.u16()?, method: c.u16()? },
            Kind::Synthetic => Body::Synthetic,
            Kind::Deprecated => Body::Deprecated,
            Kind::SourceFile => Body::SourceFile(c.u16()?),
            Kind::SourceDebugExtension => Body::SourceDebugExtension(c.take(c.left())?),
            Kind::RuntimeVisibleAnnotations => Body::RuntimeVisibleAnnotations(Annotation::read_all(c)?),
            Kind::RuntimeInvisibleAnnotations => Body::RuntimeInvisibleAnnotations(Annotation::read_all(c)?),
            Kind::RuntimeVisibleParameterAnnotations => {
                Body::RuntimeVisibleParameterAnnotations(read_parameters(c)?)
            }
            Kind::RuntimeInvisibleParameterAnnotations => {
                Body::RuntimeInvisibleParameterAnnotations(read_parameters(c)?)
            }
            Kind::RuntimeVisibleTypeAnnotations => {
                Body::RuntimeVisibleTypeAnnotations(c.list(6, TypeAnnotation::read)?)
            }
            Kind::RuntimeInvisibleTypeAnnotations => {
                Body::RuntimeInvisibleTypeAnnotations(c.list(6, TypeAnnotation::read)?)
            }
            Kind::AnnotationDefault => Body::AnnotationDefault(ElementValue::read(c)?),
            Kind::BootstrapMethods => Body::BootstrapMethods(
                c.list(4, |c| Ok(BootstrapMethod { handle: c.u16()?, arguments: c.indices()? }))?,
            ),
            Kind::MethodParameters => {
                let count = c.u8()?;
                let count = c.table(usize::from(count), 4)?;
                let parameter =
                    |c: &mut Cursor<'_>| Ok(MethodParameter { name: c.u16()?, flags: Flags(c.u16()?) });
                Body::MethodParameters((0..count).map(|_| parameter(c)).collect::<Result<_>>()?)
            }
            Kind::Module => Body::Module(Module::read(c)?),
            Kind::ModulePackages => Body::ModulePackages(c.indices()?),
            Kind::ModuleMainClass => Body::ModuleMainClass(c.u16()?),
            Kind::NestHost => Body::NestHost(c.u16()?),
            Kind::NestMembers => Body::NestMembers(c.indices()?),
            Kind::Record => Body::Record(c.list(6, RecordComponent::read)?),
            Kind::PermittedSubclasses => Body::PermittedSubclasses(c.indices()?),
        };
        cursor.end("the attribute")?;
        Ok(body)
    }

    /// Which attribute this is the content of.
    pub fn kind(&self) -> Kind {
        match self {
            Body::Code(_) => Kind::Code,
            Body::LineNumberTable(_) => Kind::LineNumberTable,
            Body::StackMapTable(_) => Kind::StackMapTable,
            Body::LocalVariableTable(_) => Kind::LocalVariableTable,
            Body::LocalVariableTypeTable(_) => Kind::LocalVariableTypeTable,
            Body::Signature(_) => Kind::Signature,
            Body::Exceptions(_) => Kind::Exceptions,
            Body::ConstantValue(_) => Kind::ConstantValue,
            Body::InnerClasses(_) => Kind::InnerClasses,
            Body::EnclosingMethod { .. } => Kind::EnclosingMethod,
            Body::Synthetic => Kind::Synthetic,
            Body::Deprecated => Kind::Deprecated,
            Body::SourceFile(_) => Kind::SourceFile,
            Body::SourceDebugExtension(_) => Kind::SourceDebugExtension,
            Body::RuntimeVisibleAnnotations(_) => Kind::RuntimeVisibleAnnotations,
            Body::RuntimeInvisibleAnnotations(_) => Kind::RuntimeInvisibleAnnotations,
            Body::RuntimeVisibleParameterAnnotations(_) => Kind::RuntimeVisibleParameterAnnotations,
            Body::RuntimeInvisibleParameterAnnotations(_) => Kind::RuntimeInvisibleParameterAnnotations,
            Body::RuntimeVisibleTypeAnnotations(_) => Kind::RuntimeVisibleTypeAnnotations,
            Body::RuntimeInvisibleTypeAnnotations(_) => Kind::RuntimeInvisibleTypeAnnotations,
            Body::AnnotationDefault(_) => Kind::AnnotationDefault,
            Body::BootstrapMethods(_) => Kind::BootstrapMethods,
            Body::MethodParameters(_) => Kind::MethodParameters,
            Body::Module(_) => Kind::Module,
            Body::ModulePackages(_) => Kind::ModulePackages,
            Body::ModuleMainClass(_) => Kind::ModuleMainClass,
            Body::NestHost(_) => Kind::NestHost,
            Body::NestMembers(_) => Kind::NestMembers,
            Body::Record(_) => Kind::Record,
            Body::PermittedSubclasses(_) => Kind::PermittedSubclasses,
        }
    }

    /// Writes the content.
    pub fn write(&self, out: &mut Vec<u8>) -> Result<()> {
        match self {
            Body::Code(code) => code.write(out)?,
            Body::LineNumberTable(lines) => put_list(out, "a number of lines", lines, LineNumber::put)?,
            Body::StackMapTable(frames) => frame::write_table(frames, out)?,
            Body::LocalVariableTable(locals) | Body::LocalVariableTypeTable(locals) => {
                put_list(out, "a number of local variables", locals, LocalVariable::put)?;
            }
            Body::Signature(index)
            | Body::ConstantValue(index)
            | Body::SourceFile(index)
            | Body::ModuleMainClass(index)
            | Body::NestHost(index) => out.put_u16(*index),
            Body::Exceptions(indices)
            | Body::ModulePackages(indices)
            | Body::NestMembers(indices)
            | Body::PermittedSubclasses(indices) => put_indices(out, "a number of names", indices)?,
            Body::InnerClasses(classes) => {
                put_list(out, "a number of inner classes", classes, |out, class| {
                    for number in [class.class, class.outer, class.name, class.flags.0] {
                        out.put_u16(number);
                    }
                    Ok(())
                })?;
            }
            Body::EnclosingMethod { class, method } => {
                out.put_u16(*class);
                out.put_u16(*method);
            }
            Body::Synthetic | Body::Deprecated => {}
            Body::SourceDebugExtension(text) => out.extend_from_slice(text),
            Body::RuntimeVisibleAnnotations(list) | Body::RuntimeInvisibleAnnotations(list) => {
                Annotation::write_all(list, out)?;
            }
            Body::RuntimeVisibleParameterAnnotations(list)
            | Body::RuntimeInvisibleParameterAnnotations(list) => {
                out.put_u8(small("a number of parameters", list.len())?);
                list.iter().try_for_each(|annotations| Annotation::write_all(annotations, out))?;
            }
            Body::RuntimeVisibleTypeAnnotations(list) | Body::RuntimeInvisibleTypeAnnotations(list) => {
                put_list(out, "a number of type annotations", list, |out, annotation| annotation.write(out))?;
            }
            Body::AnnotationDefault(value) => value.write(out)?,
            Body::BootstrapMethods(methods) => {
                put_list(out, "a number of bootstrap methods", methods, |out, method| {
                    out.put_u16(method.handle);
                    put_indices(out, "a number of bootstrap arguments", &method.arguments)
                })?;
            }
            Body::MethodParameters(parameters) => {
                out.put_u8(small("a number of parameters", parameters.len())?);
                for parameter in parameters {
                    out.put_u16(parameter.name);
                    out.put_u16(parameter.flags.0);
                }
            }
            Body::Module(module) => module.write(out)?,
            Body::Record(components) => {
                put_count(out, "a number of record components", components.len())?;
                for component in components {
                    out.put_u16(component.name);
                    out.put_u16(component.descriptor);
                    Attribute::write_all(&component.attributes, out)?;
                }
            }
        }
        Ok(())
    }
}

impl InnerClass {
    fn read(c: &mut Cursor<'_>) -> Result<Self> {
        Ok(InnerClass { class: c.u16()?, outer: c.u16()?, name: c.u16()?, flags: Flags(c.u16()?) })
    }
}

impl<'c> RecordComponent<'c> {
    fn read(c: &mut Cursor<'c>) -> Result<Self> {
        Ok(RecordComponent { name: c.u16()?, descriptor: c.u16()?, attributes: Attribute::read_all(c)? })
    }
}

fn read_parameters(c: &mut Cursor<'_>) -> Result<Vec<Vec<Annotation>>> {
    let count = c.u8()?;
    let count = c.table(usize::from(count), 2)?;
    (0..count).map(|_| Annotation::read_all(c)).collect()
}

impl<'a> Attribute<'a> {
    /// An attribute with the given name and content.
    pub fn new(pool: &mut ConstantPool<'_>, body: &Body<'_>) -> Result<Self> {
        let name = pool.add_utf8(body.kind().name())?;
        let mut content = Vec::new();
        body.write(&mut content)?;
        Ok(Attribute { name, offset: 0, content: Cow::Owned(content) })
    }

    /// Which attribute it is; `None` for names that no specification up to Java 25 gives a meaning.
    #[inline]
    pub fn kind(&self, pool: &ConstantPool<'_>) -> Result<Option<Kind>> {
        Ok(Kind::of_name(pool.utf8(self.name)?))
    }

    /// Decodes the content; `None` if no specification up to Java 25 gives the name a meaning.
    #[inline]
    pub fn decode(&self, pool: &ConstantPool<'_>) -> Result<Option<Body<'_>>> {
        self.kind(pool)?.map(|kind| Body::read(kind, self.cursor())).transpose()
    }

    /// Replaces the content by that of `body`, which should be of the attribute's own kind.
    pub fn replace(&mut self, body: &Body<'_>) -> Result<()> {
        let mut content = Vec::with_capacity(self.content.len());
        body.write(&mut content)?;
        self.content = Cow::Owned(content);
        Ok(())
    }
}

/// The first attribute of a kind in a table. Attributes without a readable name are passed over.
pub fn find<'t, 'a>(
    attributes: &'t [Attribute<'a>],
    pool: &ConstantPool<'_>,
    kind: Kind,
) -> Option<&'t Attribute<'a>> {
    attributes.iter().find(|attribute| attribute.kind(pool) == Ok(Some(kind)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_found_by_its_name() {
        for &kind in Kind::ALL {
            assert_eq!(Kind::of_name(kind.name()), Some(kind));
        }
        assert_eq!(Kind::ALL.len(), 30);
        assert_eq!(Kind::of_name(b"ScalaSignature"), None);
    }

    #[test]
    fn bytes_after_the_content_are_refused() {
        let error = Body::read(Kind::Signature, Cursor::new(&[0, 1, 2], 40)).unwrap_err();
        assert_eq!(error.offset(), Some(42));
    }
}
