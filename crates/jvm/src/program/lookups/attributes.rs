//! Reflection sites, attributes: which attributes of class files a call reads.

use planish_classfile::MemberRef;

/// The attributes that a call of the JDK reads of classes, by their names.
pub(super) fn read_by(member: &MemberRef<'_>) -> &'static [&'static str] {
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
