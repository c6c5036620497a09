//! The verifier's types, and the questions it asks about them.
//!
//! These are the types of *The Java Virtual Machine Specification*, section 4.10.1.2. Classes are named
//! by ids of a [`TypeContext`], which belongs to one thread, so that the hierarchy stays shared and
//! unchanged. Every value takes one entry of the stack; in locals the second slot of a wide value is
//! `Top`.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use planish_base::{Id, Interner};
use planish_classfile::ConstantPool;
use planish_classfile::descriptor::Type;
use planish_classfile::frame::VerificationType;

use crate::hierarchy::{ClassId, Hierarchy};

planish_base::define_id!(
    /// The name of a class or array, as in `java/lang/String` and `[I`.
    Name, "name"
);

/// A type of the verifier.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VType {
    /// Unusable.
    Top,
    /// `int` and what is narrower.
    Int,
    /// `float`
    Float,
    /// `long`
    Long,
    /// `double`
    Double,
    /// The type of `null`.
    Null,
    /// `this` of a constructor before it called another constructor.
    UninitializedThis,
    /// What the `new` at this position made, before its constructor ran.
    Uninitialized(u32),
    /// An instance of a class or array.
    Object(Name),
}

impl VType {
    /// Whether a value takes two slots.
    pub fn is_wide(self) -> bool {
        matches!(self, VType::Long | VType::Double)
    }

    /// Whether it is a reference to an object that is initialized, or null.
    pub fn is_reference(self) -> bool {
        matches!(self, VType::Null | VType::Object(_))
    }
}

/// What a call or an access of a field takes and gives.
pub struct Signature {
    /// Whether it is that of a field.
    pub is_field: bool,
    /// Whether it is that of a dynamic call, which has no owner.
    pub is_dynamic: bool,
    /// The class that is named.
    pub owner: VType,
    /// What it takes, without the owner.
    pub parameters: Box<[VType]>,
    /// The result, or the type of the field.
    pub result: Option<VType>,
}

/// What is known of a name.
struct NameInfo {
    /// The class, unless it is an array or nobody has or mentions it.
    class: Option<ClassId>,
    /// The type of the elements of an array of references, once somebody asked.
    element: Option<Option<VType>>,
}

/// Names of classes, and the hierarchy in which they stand.
pub struct TypeContext<'h> {
    /// The classes that are known.
    pub hierarchy: &'h Hierarchy,
    names: Interner<Name, Box<[u8]>>,
    infos: Vec<NameInfo>,
    /// By constant of the class at hand, as far as constants stay what they are.
    signatures: Vec<Option<Rc<Signature>>>,
    /// The classes that a JVM loads to verify what was asked for, of those that may be missing somewhere.
    loaded: RefCell<BTreeSet<ClassId>>,
}

impl<'h> TypeContext<'h> {
    /// A context without names.
    pub fn new(hierarchy: &'h Hierarchy) -> Self {
        TypeContext {
            hierarchy,
            names: Interner::new(),
            infos: Vec::new(),
            signatures: Vec::new(),
            loaded: RefCell::default(),
        }
    }

    /// From now on constants are those of a class that has this pool. What is added to it later may go again and come
    /// as another one; what is there stays.
    pub fn begin_class(&mut self, pool: &ConstantPool<'_>) {
        self.signatures.clear();
        self.signatures.resize_with(pool.len(), || None);
    }

    /// What is known of a constant that was looked at before.
    pub fn known_signature(&self, index: u16) -> Option<&Rc<Signature>> {
        self.signatures.get(usize::from(index))?.as_ref()
    }

    /// What a constant says, for the next time that it is looked at.
    pub fn keep_signature(&mut self, index: u16, signature: &Rc<Signature>) {
        if let Some(place) = self.signatures.get_mut(usize::from(index)) {
            *place = Some(Rc::clone(signature));
        }
    }

    /// The id of a name.
    pub fn name(&mut self, name: &[u8]) -> Name {
        let id = self.names.intern_ref(name);
        if id.index() == self.infos.len() {
            let class = self.hierarchy.lookup(name).filter(|_| name.first() != Some(&b'['));
            self.infos.push(NameInfo { class, element: None });
        }
        id
    }

    /// The type of instances of a class or array.
    pub fn object(&mut self, name: &[u8]) -> VType {
        VType::Object(self.name(name))
    }

    /// The text of a name.
    pub fn text(&self, name: Name) -> &[u8] {
        self.names.get(name)
    }

    /// The type of a value with this descriptor.
    pub fn of_descriptor(&mut self, ty: Type<'_>) -> VType {
        match ty {
            Type::Boolean | Type::Byte | Type::Char | Type::Short | Type::Int => VType::Int,
            Type::Long => VType::Long,
            Type::Float => VType::Float,
            Type::Double => VType::Double,
            Type::Object(name) | Type::Array(name) => self.object(name),
        }
    }

    /// The type of the elements of an array of references; `None` for anything else but null.
    pub fn element(&mut self, array: VType) -> Option<VType> {
        match array {
            VType::Null => Some(VType::Null),
            VType::Object(name) => {
                if let Some(known) = self.infos[name.index()].element {
                    return known;
                }
                let text = self.text(name).to_vec();
                let element = Type::of_class(&text).and_then(Type::element).filter(|ty| ty.is_reference());
                let element = element.map(|element| self.of_descriptor(element));
                self.infos[name.index()].element = Some(element);
                element
            }
            _ => None,
        }
    }

    fn class(&self, name: &[u8]) -> Option<ClassId> {
        self.hierarchy.lookup(name)
    }

    /// Whether a value of type `from` may stand where `to` is expected; `None` if a missing class hides
    /// the answer.
    pub fn is_assignable(&self, from: VType, to: VType) -> Option<bool> {
        match (from, to) {
            _ if from == to => Some(true),
            (_, VType::Top) => Some(true),
            (VType::Null, VType::Object(_)) => Some(true),
            (VType::Object(from), VType::Object(to)) => {
                match (self.infos[from.index()].class, self.infos[to.index()].class) {
                    (Some(from), Some(to)) => self.is_below(from, to),
                    _ => self.is_class_assignable(self.text(from), self.text(to)),
                }
            }
            _ => Some(false),
        }
    }

    /// Whether it is a class, no array, above which none is missing.
    pub fn is_known_class(&self, name: Name) -> bool {
        let class = self.infos[name.index()].class;
        class.is_some_and(|class| self.hierarchy.ancestors(class).last() == Some(self.hierarchy.object()))
    }

    /// Whether an object of a class may stand where one of another is expected. To find out, a JVM loads what is expected
    /// and, if that is a class, what is there.
    fn is_below(&self, from: ClassId, to: ClassId) -> Option<bool> {
        if to == self.hierarchy.object() {
            return Some(true);
        }
        self.loads(to);
        // An interface is treated like `Object`: calls check it at run time.
        if self.hierarchy.is_interface(to)? {
            return Some(true);
        }
        self.loads(from);
        self.hierarchy.extends(from, to)
    }

    /// Notes that a JVM that verifies this loads a class.
    fn loads(&self, class: ClassId) {
        if !self.hierarchy.is_surely_there(class) {
            self.loaded.borrow_mut().insert(class);
        }
    }

    /// The classes, of those that may be missing somewhere, that a JVM loaded if it verified all that was asked for since the
    /// last call.
    pub fn take_loaded(&mut self) -> BTreeSet<ClassId> {
        std::mem::take(self.loaded.get_mut())
    }

    fn is_class_assignable(&self, from: &[u8], to: &[u8]) -> Option<bool> {
        if from == to || to == b"java/lang/Object" {
            return Some(true);
        }
        match (from.strip_prefix(b"["), to.strip_prefix(b"[")) {
            (Some(from), Some(to)) => {
                match (Type::parse(from).and_then(reference), Type::parse(to).and_then(reference)) {
                    (Some(from), Some(to)) => self.is_class_assignable(from, to),
                    // Elements of which one is primitive have to be the same.
                    _ => Some(from == to),
                }
            }
            (None, Some(_)) => Some(false),
            (Some(_), None) => Some(matches!(to, b"java/lang/Cloneable" | b"java/io/Serializable")),
            (None, None) => {
                let to = self.class(to)?;
                if self.hierarchy.is_interface(to)? {
                    self.loads(to);
                    return Some(true);
                }
                self.is_below(self.class(from)?, to)
            }
        }
    }

    /// The most precise type to which both are assignable; `Top` if there is none that can be used,
    /// `None` if a missing class hides the answer.
    pub fn merge(&mut self, a: VType, b: VType) -> Option<VType> {
        match (a, b) {
            _ if a == b => Some(a),
            (VType::Null, VType::Object(_)) => Some(b),
            (VType::Object(_), VType::Null) => Some(a),
            (VType::Object(a), VType::Object(b)) => {
                let (a, b) = (self.text(a).to_vec(), self.text(b).to_vec());
                let merged = self.merge_classes(&a, &b)?;
                Some(self.object(&merged))
            }
            _ => Some(VType::Top),
        }
    }

    fn merge_classes(&self, a: &[u8], b: &[u8]) -> Option<Vec<u8>> {
        if a == b {
            return Some(a.to_vec());
        }
        let object = b"java/lang/Object";
        match (a.strip_prefix(b"["), b.strip_prefix(b"[")) {
            (Some(a), Some(b)) => {
                match (Type::parse(a).and_then(reference), Type::parse(b).and_then(reference)) {
                    (Some(a), Some(b)) => {
                        let element = self.merge_classes(a, b)?;
                        let mut array = b"[".to_vec();
                        Type::of_class(&element)?.write(&mut array);
                        Some(array)
                    }
                    _ => Some(object.to_vec()),
                }
            }
            (None, None) => {
                if a == object || b == object {
                    return Some(object.to_vec());
                }
                let (a, b) = (self.class(a)?, self.class(b)?);
                if self.hierarchy.is_interface(a) == Some(true)
                    || self.hierarchy.is_interface(b) == Some(true)
                {
                    return Some(object.to_vec());
                }
                // A verifier that is told no types finds them like this.
                [a, b].into_iter().for_each(|class| self.loads(class));
                self.hierarchy.common_ancestor(a, b).map(|class| self.hierarchy.name(class).to_vec())
            }
            _ => Some(object.to_vec()),
        }
    }

    /// The type that a frame of a class file states.
    pub fn of_frame(
        &mut self,
        ty: VerificationType,
        pool: &ConstantPool<'_>,
    ) -> planish_classfile::Result<VType> {
        Ok(match ty {
            VerificationType::Top => VType::Top,
            VerificationType::Integer => VType::Int,
            VerificationType::Float => VType::Float,
            VerificationType::Double => VType::Double,
            VerificationType::Long => VType::Long,
            VerificationType::Null => VType::Null,
            VerificationType::UninitializedThis => VType::UninitializedThis,
            VerificationType::Object(class) => self.object(pool.class(class)?),
            VerificationType::Uninitialized(at) => VType::Uninitialized(at),
        })
    }

    /// How a frame of a class file states the type.
    pub fn to_frame(
        &self,
        ty: VType,
        pool: &mut ConstantPool<'_>,
    ) -> planish_classfile::Result<VerificationType> {
        Ok(match ty {
            VType::Top => VerificationType::Top,
            VType::Int => VerificationType::Integer,
            VType::Float => VerificationType::Float,
            VType::Long => VerificationType::Long,
            VType::Double => VerificationType::Double,
            VType::Null => VerificationType::Null,
            VType::UninitializedThis => VerificationType::UninitializedThis,
            VType::Uninitialized(at) => VerificationType::Uninitialized(at),
            VType::Object(name) => VerificationType::Object(pool.add_class(self.text(name))?),
        })
    }

    /// The type for people: `int`, `java/lang/String`.
    pub fn show(&self, ty: VType) -> String {
        match ty {
            VType::Object(name) => String::from_utf8_lossy(self.text(name)).into_owned(),
            VType::Uninitialized(at) => format!("uninitialized (instruction {at})"),
            other => format!("{other:?}").to_lowercase(),
        }
    }
}

/// The class or array name of a reference type.
fn reference(ty: Type<'_>) -> Option<&[u8]> {
    ty.class_name()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::Origin;
    use planish_classfile::{ClassFile, Flags};

    fn hierarchy() -> Hierarchy {
        let mut hierarchy = Hierarchy::new();
        let object = Some(&b"java/lang/Object"[..]);
        for (name, extends, flags) in [
            (&b"java/lang/Object"[..], None, Flags::PUBLIC),
            (b"I", object, Flags::INTERFACE),
            (b"A", object, Flags::PUBLIC),
            (b"B", Some(&b"A"[..]), Flags::PUBLIC),
            (b"C", Some(b"A"), Flags::PUBLIC),
            (b"D", Some(b"A"), Flags::PUBLIC),
            (b"E", Some(b"D"), Flags::PUBLIC),
            (b"J", object, Flags::INTERFACE),
        ] {
            let mut file = ClassFile::new(52, flags, name, extends).unwrap();
            // What is below this one, nobody can load.
            if matches!(name, b"D" | b"J") {
                file.interfaces.push(file.pool.add_class(b"MissingInterface").unwrap());
            }
            let file = file.to_bytes().unwrap();
            hierarchy.add(&file, Origin::Program).unwrap();
        }
        hierarchy
    }

    fn merged(a: &str, b: &str) -> Option<String> {
        let hierarchy = hierarchy();
        let mut context = TypeContext::new(&hierarchy);
        let (a, b) = (context.object(a.as_bytes()), context.object(b.as_bytes()));
        let both = [context.merge(a, b), context.merge(b, a)].map(|ty| ty.map(|ty| context.show(ty)));
        assert_eq!(both[0], both[1], "the order does not matter");
        for from in [a, b] {
            if let Some(to) = context.merge(a, b) {
                assert_eq!(context.is_assignable(from, to), Some(true));
            }
        }
        both[0].clone()
    }

    #[test]
    fn types_merge_to_the_nearest_class() {
        for (a, b, wanted) in [
            ("B", "C", "A"),
            ("B", "I", "java/lang/Object"),
            ("[LB;", "[LC;", "[LA;"),
            ("[[LB;", "[[LC;", "[[LA;"),
            ("[I", "[J", "java/lang/Object"),
            ("[[I", "[[J", "[Ljava/lang/Object;"),
            ("[I", "[LA;", "java/lang/Object"),
            ("[[I", "[LA;", "[Ljava/lang/Object;"),
            ("A", "[LA;", "java/lang/Object"),
            ("java/lang/Object", "Missing", "java/lang/Object"),
            ("Missing", "Missing", "Missing"),
        ] {
            assert_eq!(merged(a, b).as_deref(), Some(wanted), "{a} and {b}");
        }
        assert_eq!(merged("A", "Missing"), None);
    }

    #[test]
    fn what_may_be_missing_and_is_loaded_to_find_out_is_noted() {
        let hierarchy = hierarchy();
        let mut context = TypeContext::new(&hierarchy);
        for (from, to, wanted) in [
            ("B", "A", &[][..]),
            ("D", "A", &["D"]),
            ("E", "D", &["D", "E"]),
            ("[LE;", "[LA;", &["E"]),
            ("A", "J", &["J"]),
            // Nothing is loaded to see that it is itself, that it is an object, or that an interface is there.
            ("E", "E", &[]),
            ("E", "java/lang/Object", &[]),
            ("E", "I", &[]),
        ] {
            let types = (context.object(from.as_bytes()), context.object(to.as_bytes()));
            assert_eq!(context.is_assignable(types.0, types.1), Some(true), "{from} to {to}");
            let loaded = context.take_loaded().into_iter().map(|class| hierarchy.name(class));
            let wanted: Vec<&[u8]> = wanted.iter().map(|name| name.as_bytes()).collect();
            assert_eq!(loaded.collect::<Vec<_>>(), wanted, "{from} to {to}");
        }
    }

    #[test]
    fn assignability_is_that_of_the_verifier() {
        let hierarchy = hierarchy();
        let mut context = TypeContext::new(&hierarchy);
        for (from, to, wanted) in [
            ("B", "A", Some(true)),
            ("A", "B", Some(false)),
            ("A", "I", Some(true)),
            ("[LA;", "java/lang/Cloneable", Some(true)),
            ("[LA;", "I", Some(false)),
            ("[LB;", "[LA;", Some(true)),
            ("[I", "[Ljava/lang/Object;", Some(false)),
            ("[[I", "[Ljava/lang/Object;", Some(true)),
            ("java/lang/Object", "[I", Some(false)),
            ("A", "Missing", None),
            ("Missing", "A", None),
            ("Missing", "java/lang/Object", Some(true)),
        ] {
            let types = (context.object(from.as_bytes()), context.object(to.as_bytes()));
            assert_eq!(context.is_assignable(types.0, types.1), wanted, "{from} to {to}");
        }
        assert_eq!(context.is_assignable(VType::Int, VType::Float), Some(false));
        assert_eq!(context.is_assignable(VType::Uninitialized(1), VType::Top), Some(true));
    }
}
