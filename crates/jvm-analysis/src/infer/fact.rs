//! The lattice of the interprocedural analysis: what may be known of a value of a program.
//!
//! Integers have the facts of the `domain` crate, references its facts about classes and null, floats are
//! one constant or anything. A value that was not computed so far has [`Fact::None`]: the analysis is
//! optimistic and only ever goes up from there.

use planish_base::Id;
use planish_classfile::descriptor::Type as JavaType;
use planish_domain::IntFact;
use planish_domain::ref_fact::{self, Class as Bound, RefFact};
use planish_ir::Const;
use planish_ir::constant::Number;
use planish_jvm_model::hierarchy::{ClassId, Hierarchy};
use planish_ops::world::Descr;
use planish_ops::{Int, Type};

/// How often a fact about integers may grow step by step before it takes bigger ones.
const PATIENCE: u8 = 3;

/// How often it may take bigger steps before nothing is known.
const LAST: u8 = 12;

/// What is known of a value.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub enum Fact {
    /// It was never computed.
    #[default]
    None,
    /// An integer.
    Int(IntFact),
    /// This float.
    Real(Number),
    /// A reference.
    Ref(RefFact),
    /// Anything.
    Any,
}

/// The classes of a program as the `domain` crate asks for them.
pub struct Classes<'h>(pub &'h Hierarchy);

/// A class as a descriptor of facts.
pub fn descr(class: ClassId) -> Descr {
    Descr::from_index(class.index())
}

/// The class of a descriptor of facts.
pub fn class(descr: Descr) -> ClassId {
    ClassId::from_index(descr.index())
}

impl Classes<'_> {
    /// What an array type lets through: an array is of no class but its own and `Object`, and of the two interfaces of all
    /// arrays.
    pub fn arrays_of(&self, known: RefFact) -> RefFact {
        let may_be_array = match known.object() {
            None | Some(Bound::Any) => true,
            Some(Bound::Exactly(_)) => false,
            Some(Bound::AtMost(most)) => matches!(
                self.0.name(class(most)),
                b"java/lang/Object" | b"java/lang/Cloneable" | b"java/io/Serializable"
            ),
        };
        match (may_be_array, known.may_be_null()) {
            (true, _) => known,
            (false, true) => RefFact::NULL,
            (false, false) => RefFact::BOTTOM,
        }
    }

    /// The nearest interface above two classes, if there is one.
    fn common_interface(&self, a: ClassId, b: ClassId) -> Option<ClassId> {
        let is_shared = |&above: &ClassId| {
            self.0.is_interface(above) == Some(true) && self.0.is_subtype(b, above) == Some(true)
        };
        self.0.supertypes(a).into_iter().find(is_shared)
    }

    /// What a cast to a class that is missing lets through. A verifier does not see that it is still what it was, so that
    /// no constant may stand for it, unless its class is known to be below.
    pub fn through_missing(&self, known: RefFact, missing: Option<ClassId>) -> RefFact {
        let is_below = |exact| missing.is_some_and(|to| self.0.is_subtype(class(exact), to) == Some(true));
        match known.exact_class() {
            Some(exact) if !is_below(exact) => match known.may_be_null() {
                true => RefFact::TOP,
                false => RefFact::NONNULL,
            },
            _ => known,
        }
    }
}

impl ref_fact::Hierarchy for Classes<'_> {
    fn is_below(&self, below: Descr, above: Descr) -> Option<bool> {
        self.0.is_subtype(class(below), class(above))
    }

    fn common(&self, a: Descr, b: Descr) -> Option<Descr> {
        if self.is_below(a, b) == Some(true) {
            return Some(b);
        }
        if self.is_below(b, a) == Some(true) {
            return Some(a);
        }
        let (a, b) = (class(a), class(b));
        let above = self.0.common_ancestor(a, b).filter(|&c| c != self.0.object());
        // Of objects that are made, not of what a type says, it is known that they implement something.
        above.or_else(|| self.common_interface(a, b)).map(descr)
    }

    fn disjoint(&self, a: Descr, b: Descr) -> bool {
        let (a, b) = (class(a), class(b));
        let is_class = |c| self.0.is_interface(c) == Some(false);
        is_class(a)
            && is_class(b)
            && self.0.extends(a, b) == Some(false)
            && self.0.extends(b, a) == Some(false)
    }
}

impl Fact {
    /// A constant.
    pub fn of(constant: Const, classes: &Classes<'_>) -> Fact {
        match constant {
            Const::Int(int) => Fact::Int(IntFact::constant(int)),
            Const::Real(real) => Fact::Real(real),
            Const::Null => Fact::Ref(RefFact::NULL),
            Const::Symbol(_, Type::Ref) => match classes.0.lookup(b"java/lang/String") {
                Some(string) => Fact::Ref(RefFact::exactly(descr(string))),
                None => Fact::Ref(RefFact::NONNULL),
            },
            Const::Symbol(..) | Const::Hole => Fact::Any,
        }
    }

    /// Every value of a type of the IR.
    pub fn top(ty: Type) -> Fact {
        match ty {
            Type::Int(_) => ty.int_width().map_or(Fact::Any, |width| Fact::Int(IntFact::top(width))),
            Type::Ref => Fact::Ref(RefFact::TOP),
            _ => Fact::Any,
        }
    }

    /// Every value that a field or result of a declared type may have. The JVM sees to the bounds of
    /// narrow integers and, for classes, to the type; a variable whose type is an interface may hold
    /// any object.
    pub fn declared(ty: JavaType<'_>, hierarchy: &Hierarchy) -> Fact {
        let range = |lo, hi| Fact::Int(IntFact::interval(32, lo, hi));
        match ty {
            JavaType::Boolean => range(0, 1),
            JavaType::Byte => range(-0x80, 0x7f),
            JavaType::Short => range(-0x8000, 0x7fff),
            JavaType::Char => range(0, 0xffff),
            JavaType::Int => Fact::Int(IntFact::top(32)),
            JavaType::Long => Fact::Int(IntFact::top(64)),
            JavaType::Float | JavaType::Double => Fact::Any,
            JavaType::Array(_) => Fact::Ref(RefFact::TOP),
            JavaType::Object(name) => {
                let class =
                    hierarchy.lookup(name).filter(|&class| hierarchy.is_interface(class) == Some(false));
                Fact::Ref(class.map_or(RefFact::TOP, |class| RefFact::at_most(descr(class)).or_null()))
            }
        }
    }

    /// What a field of a declared type holds before it is written.
    pub fn cleared(ty: JavaType<'_>) -> Fact {
        match ty {
            JavaType::Long => Fact::Int(IntFact::constant(Int::new(64, 0))),
            JavaType::Float => Fact::Real(Number(planish_ops::Real::F32(0.0))),
            JavaType::Double => Fact::Real(Number(planish_ops::Real::F64(0.0))),
            JavaType::Object(_) | JavaType::Array(_) => Fact::Ref(RefFact::NULL),
            _ => Fact::Int(IntFact::constant(Int::new(32, 0))),
        }
    }

    /// What is left of it in a place of a declared type, which narrows integers.
    pub fn stored(self, ty: JavaType<'_>, hierarchy: &Hierarchy) -> Fact {
        let narrow = matches!(ty, JavaType::Boolean | JavaType::Byte | JavaType::Short | JavaType::Char);
        match (self, narrow) {
            (Fact::Int(known), true) => match Fact::declared(ty, hierarchy) {
                Fact::Int(bounds) if known.implies(bounds) => self,
                wide => wide,
            },
            _ => self,
        }
    }

    /// What holds of both.
    pub fn join(self, other: Fact, classes: &Classes<'_>) -> Fact {
        match (self, other) {
            (Fact::None, known) | (known, Fact::None) => known,
            (Fact::Int(a), Fact::Int(b)) if a.width() == b.width() => Fact::Int(a.join(b)),
            (Fact::Ref(a), Fact::Ref(b)) => Fact::Ref(a.join(b, classes)),
            (a, b) if a == b => a,
            _ => Fact::Any,
        }
    }

    /// Adds what holds elsewhere, in bigger steps the more often it grew. `true` if it grew.
    pub fn grow(&mut self, other: Fact, grown: &mut u8, classes: &Classes<'_>) -> bool {
        // Most of what is said was said before.
        if *self == other {
            return false;
        }
        let mut new = self.join(other, classes);
        if new == *self {
            return false;
        }
        *grown = grown.saturating_add(1);
        if let (Fact::Int(old), Fact::Int(joined)) = (*self, new) {
            if *grown > LAST {
                new = Fact::Int(IntFact::top(joined.width()));
            } else if *grown > PATIENCE {
                new = Fact::Int(old.widen(joined));
            }
        }
        *self = new;
        true
    }

    /// The one value that it can be.
    pub fn constant(self) -> Option<Const> {
        match self {
            Fact::Int(known) => known.as_constant().map(Const::Int),
            Fact::Real(real) => Some(Const::Real(real)),
            Fact::Ref(known) if known.is_null().always && !known.is_bottom() => Some(Const::Null),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use planish_classfile::{ClassFile, Flags};
    use planish_jvm_model::hierarchy::Origin;

    fn hierarchy() -> Hierarchy {
        let mut hierarchy = Hierarchy::new();
        let object = Some(&b"java/lang/Object"[..]);
        for (name, extends) in [
            (&b"java/lang/Object"[..], None),
            (b"Above", object),
            (b"A", Some(&b"Above"[..])),
            (b"B", Some(b"Above")),
            (b"Apart", object),
        ] {
            let file = ClassFile::new(52, Flags::PUBLIC, name, extends).unwrap().to_bytes().unwrap();
            hierarchy.add(&file, Origin::Program).unwrap();
        }
        hierarchy
    }

    fn int(value: u64) -> Fact {
        Fact::Int(IntFact::constant(Int::new(32, value)))
    }

    /// S3.22: constants are below their types; what holds of two classes is the nearest one above both.
    #[test]
    fn facts_join_to_the_least_that_holds_of_both() {
        let hierarchy = hierarchy();
        let classes = Classes(&hierarchy);
        let class = |name: &[u8]| descr(hierarchy.lookup(name).unwrap());
        let exactly = |name| Fact::Ref(RefFact::exactly(class(name)));
        assert_eq!(exactly(b"A").join(exactly(b"B"), &classes), Fact::Ref(RefFact::at_most(class(b"Above"))));
        assert_eq!(exactly(b"A").join(exactly(b"Apart"), &classes), Fact::Ref(RefFact::NONNULL));
        let null = Fact::Ref(RefFact::NULL);
        assert_eq!(exactly(b"A").join(null, &classes), Fact::Ref(RefFact::exactly(class(b"A")).or_null()));
        assert_eq!(int(7).join(int(7), &classes), int(7));
        assert_eq!(Fact::None.join(int(7), &classes), int(7));
        let both = int(0).join(int(2), &classes);
        assert_eq!(both.constant(), None);
        assert!(matches!(both, Fact::Int(known) if (known.lo(), known.hi()) == (0, 2)));
        assert_eq!(int(7).join(null, &classes), Fact::Any);
    }

    /// S3.27: loops and recursion come to an end.
    #[test]
    fn a_fact_grows_a_bounded_number_of_times() {
        let hierarchy = hierarchy();
        let classes = Classes(&hierarchy);
        let (mut fact, mut grown) = (Fact::None, 0);
        let rises = (0..1_000_000).filter(|&value| fact.grow(int(value), &mut grown, &classes)).count();
        assert!(rises <= usize::from(LAST) + 2, "{rises}");
        assert!(matches!(fact, Fact::Int(known) if known.contains(Int::new(32, 999_999))));
    }
}
