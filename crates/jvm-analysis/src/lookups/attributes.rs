//! Reflection sites, attributes: which attributes of class files a call reads.

use planish_classfile::MemberRef;
use planish_classfile::attribute::{Body, InnerClass, Kind};
use planish_jvm_model::program::{Method, Program};

/// What an element of a stack trace says of its place.
pub(super) const LINES: &[&str] = &["SourceFile", "LineNumberTable"];

const ELEMENT: &[u8] = b"Ljava/lang/StackTraceElement;";

/// Whether a call site makes a text of an element of a stack trace, among others.
pub(super) fn shows_element(descriptor: &[u8]) -> bool {
    descriptor.ends_with(b")Ljava/lang/String;")
        && descriptor.windows(ELEMENT.len()).any(|part| part == ELEMENT)
}

/// Whether a call asks an element of a stack trace for a part of it.
pub(super) fn takes_apart(member: &MemberRef<'_>) -> bool {
    member.class == b"java/lang/StackTraceElement" && member.name != b"toString"
}

/// Whether reading attributes at a call makes no difference: the trace that it asks for is taken apart in the same method,
/// where those that need attributes are seen themselves; or a record is no nested one, or of its methods it is not the one
/// that says its name.
pub(super) fn is_idle(
    program: &Program<'_>,
    method: Method,
    member: &MemberRef<'_>,
    takes_apart: bool,
) -> bool {
    let info = &program.methods[method];
    match member.name {
        b"getStackTrace" => takes_apart,
        b"bootstrap" => {
            let file = &program.classes[info.class].file;
            let own = program.name(info.class);
            let is_own = |item: &InnerClass| file.pool.class(item.class) == Ok(own);
            let is_nested = match file.attribute(Kind::InnerClasses).map(|list| list.decode(&file.pool)) {
                Some(Ok(Some(Body::InnerClasses(list)))) => list.iter().any(is_own),
                _ => false,
            };
            !is_nested || program.member_name(info.selector) != b"toString"
        }
        _ => false,
    }
}

/// The attributes that a call of the JDK reads of classes, by their names.
pub fn read_by(member: &MemberRef<'_>) -> &'static [&'static str] {
    match (member.class, member.name) {
        (b"java/lang/Class", b"getEnclosingMethod" | b"getEnclosingConstructor" | b"getEnclosingClass")
        | (
            b"java/lang/Class",
            b"isAnonymousClass" | b"isLocalClass" | b"getSimpleName" | b"getCanonicalName",
        ) => &["InnerClasses", "EnclosingMethod"],
        (b"java/lang/Class", b"getDeclaringClass" | b"isMemberClass" | b"getModifiers")
        | (b"java/lang/Class", b"getClasses" | b"getDeclaredClasses") => &["InnerClasses"],
        (b"java/lang/Class", b"getGenericSuperclass" | b"getGenericInterfaces" | b"getTypeParameters") => {
            &["Signature"]
        }
        (b"java/lang/Class", b"toGenericString") => &["Signature"],
        (b"java/lang/StackTraceElement", b"getLineNumber") => &["LineNumberTable"],
        (b"java/lang/StackTraceElement", b"getFileName") => &["SourceFile"],
        (b"java/lang/StackTraceElement", b"toString") => LINES,
        (_, b"getStackTrace") if member.descriptor == b"()[Ljava/lang/StackTraceElement;" => LINES,
        // What it makes of a record begins with its simple name.
        (b"java/lang/runtime/ObjectMethods", b"bootstrap") => &["InnerClasses", "EnclosingMethod"],
        // It declares the exceptions of the methods that it stands for; others are wrapped.
        (b"java/lang/reflect/Proxy", b"newProxyInstance" | b"getProxyClass") => &["Exceptions"],
        (class, name) if is_reflected(class) => of_member(name),
        _ => &[],
    }
}

/// Whether a class of the JDK stands for a class, a member or a part of it.
fn is_reflected(class: &[u8]) -> bool {
    class.starts_with(b"java/lang/reflect/") || matches!(class, b"java/lang/Class" | b"java/lang/Package")
}

fn of_member(name: &[u8]) -> &'static [&'static str] {
    match name {
        b"getParameterAnnotations" => &["RuntimeVisibleParameterAnnotations"],
        b"getDefaultValue" => &["AnnotationDefault"],
        b"getExceptionTypes" | b"getGenericExceptionTypes" => &["Exceptions"],
        b"getParameters" => &["MethodParameters"],
        _ if name.starts_with(b"getAnnotated") => &["RuntimeVisibleTypeAnnotations"],
        _ if name.starts_with(b"getGeneric") || name == b"toGenericString" => &["Signature"],
        _ if asks_for_annotations(name) => &["RuntimeVisibleAnnotations"],
        _ => &[],
    }
}

/// Whether a method asks for annotations, all or those of a type.
fn asks_for_annotations(name: &[u8]) -> bool {
    matches!(
        name,
        b"getAnnotation"
            | b"getAnnotations"
            | b"getAnnotationsByType"
            | b"getDeclaredAnnotation"
            | b"getDeclaredAnnotations"
            | b"getDeclaredAnnotationsByType"
            | b"isAnnotationPresent"
    )
}
