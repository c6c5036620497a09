//! Reflection, the API: calls by which a program looks for classes, members and resources at run time, or makes them.

use planish_classfile::MemberRef;
use planish_classfile::descriptor::{MethodType, Type as JavaType};
use planish_jvm_model::uses::Use;

/// What a call of the JDK means for reflection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Looks {
    /// Loads a class by its name.
    Loads,
    /// Makes a class of bytes.
    Defines,
    /// Looks up fields.
    Fields,
    /// Looks up methods.
    Methods,
    /// Looks up constructors.
    Constructors,
    /// Looks up members of any kind.
    Members,
    /// Looks up the classes that a class lists: those that it declares, its nest, those that may extend it.
    Classes,
    /// Initializes a class whose object it is given.
    Initializes,
    /// Asks packages for their annotations.
    Packages,
    /// Reads or writes objects.
    Serializes,
    /// Makes objects that implement interfaces.
    Implements,
    /// Asks where resources are, as a URL.
    Places,
    /// Asks for the content of resources.
    Contents,
    /// Asks for bundles of resources.
    Bundles,
}

/// What a call of a library means.
pub fn looks(member: &MemberRef<'_>) -> Option<Looks> {
    Some(match (member.class, member.name) {
        (b"java/lang/Class", b"forName") => Looks::Loads,
        (b"java/lang/Class", b"getField" | b"getFields" | b"getDeclaredField" | b"getDeclaredFields") => {
            Looks::Fields
        }
        (b"java/lang/Class", b"getMethod" | b"getMethods" | b"getDeclaredMethod" | b"getDeclaredMethods") => {
            Looks::Methods
        }
        (
            b"java/lang/Class",
            b"getConstructor"
            | b"getConstructors"
            | b"getDeclaredConstructor"
            | b"getDeclaredConstructors"
            | b"newInstance",
        ) => Looks::Constructors,
        (
            b"java/lang/Class",
            b"getClasses"
            | b"getDeclaredClasses"
            | b"getNestMembers"
            | b"getPermittedSubclasses"
            | b"isSealed",
        ) => Looks::Classes,
        // How compilers before Java 5 wrote `X.class`.
        (_, b"class$") => Looks::Loads,
        (_, b"defineClass" | b"defineHiddenClass") => Looks::Defines,
        (_, b"loadClass" | b"findClass") if member.descriptor.starts_with(b"(Ljava/lang/String;") => {
            Looks::Loads
        }
        (b"java/lang/invoke/MethodHandles$Lookup", b"ensureInitialized")
        | (b"sun/misc/Unsafe" | b"jdk/internal/misc/Unsafe", b"ensureClassInitialized") => Looks::Initializes,
        (b"java/lang/invoke/MethodHandles$Lookup", name) if name.starts_with(b"find") || name == b"bind" => {
            Looks::Members
        }
        _ if names_classes(member) => Looks::Loads,
        _ if names_member(member).is_some() => Looks::Members,
        (class, b"newUpdater") if class.starts_with(b"java/util/concurrent/atomic/") => Looks::Fields,
        (b"java/beans/Introspector" | b"java/beans/EventHandler", _)
        | (b"java/beans/PropertyDescriptor", b"<init>") => Looks::Members,
        // A bean is what its methods say.
        (b"javax/management/MBeanServer", b"registerMBean" | b"createMBean" | b"instantiate")
        | (b"javax/management/StandardMBean" | b"javax/management/StandardEmitterMBean", _) => Looks::Members,
        (b"java/lang/Package", name) if name.windows(10).any(|part| part == b"Annotation") => Looks::Packages,
        (b"java/lang/reflect/Proxy" | b"java/lang/invoke/MethodHandleProxies", _) => Looks::Implements,
        (
            _,
            b"getResource"
            | b"getResources"
            | b"findResource"
            | b"findResources"
            | b"getSystemResource"
            | b"getSystemResources"
            | b"resources",
        ) if member.descriptor.starts_with(b"(Ljava/lang/String;)") => Looks::Places,
        (_, b"getResourceAsStream" | b"getSystemResourceAsStream") => Looks::Contents,
        (b"java/util/ResourceBundle", b"getBundle") => Looks::Bundles,
        (b"java/io/ObjectOutputStream" | b"java/io/ObjectInputStream" | b"java/io/ObjectStreamClass", _) => {
            Looks::Serializes
        }
        _ => return None,
    })
}

/// Whether a call makes the nominal descriptor of a class or of a type (JEP 334, `java.lang.constant`), or a type of its
/// descriptor. Resolving it loads the classes.
pub fn names_classes(member: &MemberRef<'_>) -> bool {
    matches!(
        (member.class, member.name),
        (b"java/lang/constant/ClassDesc", b"of" | b"nested" | b"ofDescriptor" | b"ofInternalName")
            | (b"java/lang/constant/MethodTypeDesc", b"ofDescriptor")
            | (b"java/lang/invoke/MethodType", b"fromMethodDescriptorString")
    )
}

/// Whether a call makes one name of the texts that it is given, or of those and of another name.
pub fn joins_names(member: &MemberRef<'_>) -> bool {
    let is_whole = member.descriptor.starts_with(b"(Ljava/lang/String;)") && member.name != b"nested";
    member.class == b"java/lang/constant/ClassDesc" && names_classes(member) && !is_whole
}

/// The places of the name of a member and of its class, or its descriptor, among the arguments of a call of the JDK that
/// makes the nominal descriptor of a member, or finds it as a bootstrap method does.
pub fn names_member(member: &MemberRef<'_>) -> Option<(usize, usize)> {
    Some(match (member.class, member.name) {
        (b"java/lang/constant/MethodHandleDesc", b"of" | b"ofMethod" | b"ofField") => (2, 1),
        // It has no name.
        (b"java/lang/constant/MethodHandleDesc", b"ofConstructor") => (0, 0),
        (b"java/lang/invoke/VarHandle$VarHandleDesc", b"ofField" | b"ofStaticField")
        | (b"java/lang/constant/ConstantDescs", b"ofConstantBootstrap" | b"ofCallsiteBootstrap") => (1, 0),
        (b"java/lang/invoke/ConstantBootstraps", b"fieldVarHandle" | b"staticFieldVarHandle") => (1, 3),
        (b"java/lang/invoke/ConstantBootstraps", b"getStaticFinal") => {
            (1, MethodType::parse(member.descriptor)?.parameters().count() - 1)
        }
        _ => return None,
    })
}

/// The text that the instruction in front of a call loads. What a call site there is made of is no text that is loaded: of
/// that, more than one use has the number of the instruction.
pub(super) fn text_before<'p>(uses: &[(u32, Use<'p>)], call: usize) -> Option<&'p [u8]> {
    let at = uses[call].0.checked_sub(1)?;
    let mut there = uses[..call].iter().rev().take_while(|(number, _)| *number == at);
    match (there.next(), there.next()) {
        (Some((_, Use::String(text))), None) => Some(text),
        _ => None,
    }
}

/// Whether a call site hands texts of its own to what it calls, as a dynamic constant does to a method that makes nominal
/// descriptors.
pub(super) fn is_given_text(uses: &[(u32, Use<'_>)], handle: usize) -> bool {
    let at = uses[handle].0;
    let here = |(number, _): &&(u32, Use<'_>)| *number == at;
    let (before, after) =
        (uses[..handle].iter().rev().take_while(here), uses[handle..].iter().take_while(here));
    before.chain(after).any(|(_, found)| matches!(found, Use::String(_)))
}

/// The place of the first text among the arguments of a call, the receiver, if there is one, being the first of them.
pub fn place_of_text(member: &MemberRef<'_>, receiver: bool) -> usize {
    let ty = MethodType::parse(member.descriptor);
    let is_text = |ty: JavaType<'_>| ty.class_name() == Some(b"java/lang/String");
    let place = ty.and_then(|ty| ty.parameters().position(is_text)).unwrap_or(0);
    place + usize::from(receiver)
}

#[cfg(test)]
mod tests {
    use super::{Use, text_before};

    /// `"a.b." + x` is one call site, whose recipe stands where a text would that is loaded.
    #[test]
    fn a_recipe_of_a_call_site_is_no_text_that_is_loaded() {
        let loaded = [(3, Use::String(b"a.B")), (4, Use::Class(b"x"))];
        assert_eq!(text_before(&loaded, 1), Some(&b"a.B"[..]));
        let site = [(3, Use::MethodType(b"()V")), (3, Use::String(b"a.b.\x01")), (4, Use::Class(b"x"))];
        assert_eq!(text_before(&site, 2), None);
        let apart = [(2, Use::String(b"a.B")), (4, Use::Class(b"x"))];
        assert_eq!(text_before(&apart, 1), None);
    }
}
