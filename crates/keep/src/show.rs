//! Members as the configuration language and its lists write them: as in Java.

use planish_classfile::Flags;
use planish_classfile::descriptor::{MethodType, Type};
use planish_classfile::mutf8::Shown;

/// A type, as in `java.lang.String[]`.
pub fn java_type(ty: Type<'_>) -> String {
    let mut descriptor = Vec::new();
    ty.write(&mut descriptor);
    let depth = descriptor.iter().take_while(|byte| **byte == b'[').count();
    let element = match &descriptor[depth..] {
        b"Z" => "boolean".to_owned(),
        b"B" => "byte".to_owned(),
        b"C" => "char".to_owned(),
        b"S" => "short".to_owned(),
        b"I" => "int".to_owned(),
        b"J" => "long".to_owned(),
        b"F" => "float".to_owned(),
        b"D" => "double".to_owned(),
        name => {
            let name = name.strip_prefix(b"L").and_then(|name| name.strip_suffix(b";")).unwrap_or(name);
            Shown(name).to_string().replace('/', ".")
        }
    };
    element + &"[]".repeat(depth)
}

/// A field, as in `int size`.
pub fn java_field(name: &[u8], descriptor: &[u8]) -> String {
    let ty = Type::parse(descriptor).map_or_else(|| Shown(descriptor).to_string(), java_type);
    format!("{ty} {}", Shown(name))
}

/// A method of a class, as in `void run(int,java.lang.Object)`; a constructor has the name of the class, without its
/// package.
pub fn java_method(class: &[u8], name: &[u8], descriptor: &[u8]) -> String {
    let Some(ty) = MethodType::parse(descriptor) else {
        return format!("{}{}", Shown(name), Shown(descriptor));
    };
    let parameters: Vec<String> = ty.parameters().map(java_type).collect();
    let parameters = parameters.join(",");
    if name == b"<init>" {
        let start = class.iter().rposition(|byte| *byte == b'/').map_or(0, |slash| slash + 1);
        return format!("{}({parameters})", Shown(&class[start..]));
    }
    let result = ty.result().map_or_else(|| "void".to_owned(), java_type);
    format!("{result} {}({parameters})", Shown(name))
}

/// The modifiers of a member, as in `public static `, each with a space behind it; those that no source has, too.
pub fn java_modifiers(flags: Flags, is_method: bool) -> String {
    let common = [
        (Flags::PUBLIC, "public"),
        (Flags::PRIVATE, "private"),
        (Flags::PROTECTED, "protected"),
        (Flags::STATIC, "static"),
        (Flags::FINAL, "final"),
    ];
    let own: &[_] = match is_method {
        true => &[
            (Flags::SYNCHRONIZED, "synchronized"),
            (Flags::BRIDGE, "bridge"),
            (Flags::VARARGS, "varargs"),
            (Flags::NATIVE, "native"),
            (Flags::ABSTRACT, "abstract"),
            (Flags::STRICT, "strictfp"),
        ],
        false => &[(Flags::VOLATILE, "volatile"), (Flags::TRANSIENT, "transient")],
    };
    let words = common.iter().chain(own).chain(&[(Flags::SYNTHETIC, "synthetic")]);
    words.filter(|(flag, _)| flags.has(*flag)).map(|(_, word)| format!("{word} ")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_written_as_in_java() {
        assert_eq!(java_field(b"size", b"[[J"), "long[][] size");
        assert_eq!(java_method(b"a/B", b"run", b"(I[La/C;)V"), "void run(int,a.C[])");
        assert_eq!(java_method(b"a/B$C", b"<init>", b"(Z)V"), "B$C(boolean)");
        let flags = Flags::PUBLIC | Flags::STATIC | Flags::BRIDGE | Flags::SYNTHETIC;
        assert_eq!(java_modifiers(flags, true), "public static bridge synthetic ");
        assert_eq!(java_modifiers(flags, false), "public static volatile synthetic ");
    }
}
