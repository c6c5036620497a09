//! What is known of a reference: whether it may be null, and of which class its object may be.
//!
//! ```text
//!                 null or any object                       a fact is one of two and one of four:
//!            /          |             \                    may it be null?
//!      any object   null or ≤ C    null or = C             which objects: any, at most C, exactly C,
//!            \        /     \          /                   none
//!            at most C        null
//!                |              |
//!            exactly C          |
//!                \            /
//!                    nothing
//! ```
//!
//! Besides, it may be known which object it is, if it is one, or how long an array ([`Mark`]): one object that is made
//! once, as a constant is. Two objects with different marks are different, whatever their classes.
//!
//! Classes are descriptors; how they stand to each other is asked through [`Hierarchy`], which each
//! dialect implements: a trace knows classes by address and nothing of their order, a class file knows
//! its super classes. Guards, null checks and casts narrow a fact by [`RefFact::meet`].

use planish_ops::world::Descr;

use crate::truth::Truth;

/// How classes stand to each other. Every question has an answer that says nothing, the default.
///
/// Different descriptors are different classes.
pub trait Hierarchy {
    /// Whether `class` is `above` or below it; `None` when that is not known.
    fn is_below(&self, class: Descr, above: Descr) -> Option<bool> {
        (class == above).then_some(true)
    }

    /// The least class known to be above both, itself included; `None` for any object.
    fn common(&self, a: Descr, b: Descr) -> Option<Descr> {
        (a == b).then_some(a)
    }

    /// Whether no object is of both, or of a class below each: a class has one super class, say, and
    /// neither is below the other.
    fn disjoint(&self, a: Descr, b: Descr) -> bool {
        let _ = (a, b);
        false
    }
}

/// Classes of which nothing is known but their names.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unordered;

impl Hierarchy for Unordered {}

/// Of which class an object may be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Class {
    /// Any class.
    Any,
    /// This class or one below it.
    AtMost(Descr),
    /// This class.
    Exactly(Descr),
}

/// What tells an object apart from others, but for its class.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mark {
    /// It is the one object of this number.
    Object(u32),
    /// It is an array of this length.
    Length(u32),
}

impl Mark {
    /// Whether no object has both.
    fn is_apart(self, other: Mark) -> bool {
        match (self, other) {
            (Mark::Object(a), Mark::Object(b)) | (Mark::Length(a), Mark::Length(b)) => a != b,
            _ => false,
        }
    }
}

/// What is known of a reference.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RefFact {
    may_be_null: bool,
    object: Option<Class>,
    /// Of the object; none without one.
    mark: Option<Mark>,
}

impl RefFact {
    /// Every reference.
    pub const TOP: RefFact = RefFact { may_be_null: true, object: Some(Class::Any), mark: None };
    /// No reference: that of a value that is never computed.
    pub const BOTTOM: RefFact = RefFact { may_be_null: false, object: None, mark: None };
    /// Null.
    pub const NULL: RefFact = RefFact { may_be_null: true, object: None, mark: None };
    /// Any object.
    pub const NONNULL: RefFact = RefFact { may_be_null: false, object: Some(Class::Any), mark: None };

    /// An object of exactly a class: a fresh one, or one that a guard has seen.
    pub const fn exactly(class: Descr) -> RefFact {
        RefFact { may_be_null: false, object: Some(Class::Exactly(class)), mark: None }
    }

    /// An object of a class or one below it.
    pub const fn at_most(class: Descr) -> RefFact {
        RefFact { may_be_null: false, object: Some(Class::AtMost(class)), mark: None }
    }

    /// The same, or null: what a declared type says.
    pub const fn or_null(self) -> RefFact {
        RefFact { may_be_null: true, ..self }
    }

    /// The same of objects with a mark.
    pub const fn marked(self, mark: Mark) -> RefFact {
        match self.object {
            Some(_) => RefFact { mark: Some(mark), ..self },
            None => self,
        }
    }

    /// What tells the object apart, if it may be an object.
    pub const fn mark(self) -> Option<Mark> {
        self.mark
    }

    /// Whether null is a member.
    pub const fn may_be_null(self) -> bool {
        self.may_be_null
    }

    /// Of which class the object is, if it may be an object.
    pub const fn object(self) -> Option<Class> {
        self.object
    }

    /// The exact class of the object, if it may be an object and its class is known.
    pub const fn exact_class(self) -> Option<Descr> {
        match self.object {
            Some(Class::Exactly(class)) => Some(class),
            _ => None,
        }
    }

    /// Whether there is no member.
    pub const fn is_bottom(self) -> bool {
        !self.may_be_null && self.object.is_none()
    }

    /// What is known of "it is null".
    pub const fn is_null(self) -> Truth<bool> {
        Truth { always: self.object.is_none(), never: !self.may_be_null }
    }

    /// What is known of "it is an object of this class or one below it".
    pub fn is_instance(self, class: Descr, classes: &impl Hierarchy) -> Truth<bool> {
        let object = match self.object {
            None => Truth { always: false, never: true },
            Some(Class::Any) => Truth { always: false, never: false },
            Some(Class::AtMost(upper)) => Truth {
                always: classes.is_below(upper, class) == Some(true),
                never: classes.disjoint(upper, class),
            },
            Some(Class::Exactly(exact)) => {
                let below = classes.is_below(exact, class);
                Truth { always: below == Some(true), never: below == Some(false) }
            }
        };
        Truth { always: object.always && !self.may_be_null, never: object.never }
    }

    /// What is known of "both are the same", of two references of which one may be known as well as the other.
    pub fn is_same(self, other: RefFact, classes: &impl Hierarchy) -> Truth<bool> {
        let (x, y) = (self.is_null(), other.is_null());
        let is_one = matches!(self.mark, Some(Mark::Object(_))) && self.mark == other.mark;
        Truth {
            always: x.always && y.always || is_one && x.never && y.never,
            never: x.always && y.never || x.never && y.always || self.meet(other, classes).is_bottom(),
        }
    }

    /// The least fact known to hold of the members of both.
    pub fn join(self, other: RefFact, classes: &impl Hierarchy) -> RefFact {
        let (object, mark) = match (self.object, other.object) {
            (None, object) => (object, other.mark),
            (object, None) => (object, self.mark),
            (Some(a), Some(b)) => {
                (Some(join_classes(a, b, classes)), self.mark.filter(|_| self.mark == other.mark))
            }
        };
        RefFact { may_be_null: self.may_be_null || other.may_be_null, object, mark }
    }

    /// A fact that holds of every member of both, and of few others.
    pub fn meet(self, other: RefFact, classes: &impl Hierarchy) -> RefFact {
        let object = match (self.object, other.object) {
            (None, _) | (_, None) => None,
            (Some(a), Some(b)) => meet_classes(a, b, classes),
        };
        let is_apart = self.mark.zip(other.mark).is_some_and(|(a, b)| a.is_apart(b));
        let object = object.filter(|_| !is_apart);
        let mark = self.mark.or(other.mark).filter(|_| object.is_some());
        RefFact { may_be_null: self.may_be_null && other.may_be_null, object, mark }
    }
}

fn join_classes(a: Class, b: Class, classes: &impl Hierarchy) -> Class {
    match (a, b) {
        (Class::Any, _) | (_, Class::Any) => Class::Any,
        _ if a == b => a,
        (Class::AtMost(a) | Class::Exactly(a), Class::AtMost(b) | Class::Exactly(b)) => {
            classes.common(a, b).map_or(Class::Any, Class::AtMost)
        }
    }
}

fn meet_classes(a: Class, b: Class, classes: &impl Hierarchy) -> Option<Class> {
    match (a, b) {
        (Class::Any, other) | (other, Class::Any) => Some(other),
        (Class::Exactly(x), Class::Exactly(y)) => (x == y).then_some(a),
        (Class::Exactly(x), Class::AtMost(upper)) | (Class::AtMost(upper), Class::Exactly(x)) => {
            (classes.is_below(x, upper) != Some(false)).then_some(Class::Exactly(x))
        }
        (Class::AtMost(x), Class::AtMost(y)) => {
            if classes.is_below(x, y) == Some(true) {
                Some(a)
            } else if classes.is_below(y, x) == Some(true) {
                Some(b)
            } else {
                // Both hold; a fact has room for one.
                (!classes.disjoint(x, y)).then_some(a)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree of classes: 0 above 1 and 2; 1 above 3 and 4; 2 above 5; 6 stands apart.
    struct Tree;

    const PARENTS: [Option<u32>; 7] = [None, Some(0), Some(0), Some(1), Some(1), Some(2), None];

    fn above(class: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(class), |&c| PARENTS[c as usize])
    }

    fn index(class: Descr) -> u32 {
        planish_base::Id::index(class) as u32
    }

    fn descr(class: u32) -> Descr {
        planish_base::Id::from_index(class as usize)
    }

    impl Hierarchy for Tree {
        fn is_below(&self, class: Descr, upper: Descr) -> Option<bool> {
            Some(above(index(class)).any(|c| c == index(upper)))
        }
        fn common(&self, a: Descr, b: Descr) -> Option<Descr> {
            above(index(a)).find(|&c| above(index(b)).any(|d| c == d)).map(descr)
        }
        fn disjoint(&self, a: Descr, b: Descr) -> bool {
            self.is_below(a, b) == Some(false) && self.is_below(b, a) == Some(false)
        }
    }

    #[test]
    fn objects_with_different_marks_are_different() {
        let is_same = |x: RefFact, y: RefFact| x.is_same(y, &Tree);
        let class = RefFact::exactly(descr(3));
        let (red, green) = (class.marked(Mark::Object(0)), class.marked(Mark::Object(1)));
        let nothing = Truth { always: false, never: false };
        assert_eq!(is_same(red, green), Truth { always: false, never: true });
        assert_eq!(is_same(red, red), Truth { always: true, never: false });
        assert_eq!(is_same(red, class), nothing);
        assert_eq!(is_same(class, class), nothing);
        assert_eq!(is_same(red.or_null(), red), nothing);
        assert_eq!(is_same(red.or_null(), green.or_null()), nothing, "both may be null");
        let (long, short) =
            (RefFact::NONNULL.marked(Mark::Length(8)), RefFact::NONNULL.marked(Mark::Length(2)));
        assert_eq!(is_same(long, long), nothing, "there are many arrays of a length");
        assert!(is_same(long, short).never);
        assert_eq!(red.join(RefFact::NULL, &Tree), red.or_null());
        assert_eq!(red.join(green, &Tree), class);
        assert_eq!(red.meet(RefFact::at_most(descr(0)), &Tree), red);
        assert_eq!(RefFact::NULL.marked(Mark::Object(0)), RefFact::NULL);
    }

    fn facts() -> Vec<RefFact> {
        let mut facts = vec![RefFact::TOP, RefFact::BOTTOM, RefFact::NULL, RefFact::NONNULL];
        for class in (0..7).map(descr) {
            for fact in [RefFact::exactly(class), RefFact::at_most(class)] {
                facts.extend([fact, fact.or_null()]);
            }
        }
        facts
    }

    /// Whether null (`None`) or an object of a class is a member.
    fn contains(f: RefFact, reference: Option<u32>) -> bool {
        match (reference, f.object) {
            (None, _) => f.may_be_null,
            (Some(_), None) => false,
            (Some(_), Some(Class::Any)) => true,
            (Some(c), Some(Class::AtMost(upper))) => above(c).any(|d| d == index(upper)),
            (Some(c), Some(Class::Exactly(exact))) => c == index(exact),
        }
    }

    fn references() -> impl Iterator<Item = Option<u32>> {
        std::iter::once(None).chain((0..7).map(Some))
    }

    fn check(classes: &impl Hierarchy) {
        for f in facts() {
            for g in facts() {
                let (join, meet) = (f.join(g, classes), f.meet(g, classes));
                for r in references() {
                    let (left, right) = (contains(f, r), contains(g, r));
                    assert!(!(left || right) || contains(join, r), "{f:?} join {g:?} loses {r:?}");
                    assert!(!(left && right) || contains(meet, r), "{f:?} meet {g:?} loses {r:?}");
                    assert!(!contains(meet, r) || left || right, "{f:?} meet {g:?} makes {r:?} up");
                }
                assert_eq!(f.join(g, classes), g.join(f, classes));
            }
            assert_eq!(f.join(f, classes), f);
            assert_eq!(f.meet(f, classes), f);
            assert_eq!(f.join(RefFact::BOTTOM, classes), f);
            assert_eq!(f.meet(RefFact::TOP, classes), f);
            for r in references().filter(|&r| contains(f, r)) {
                let null = f.is_null();
                assert!(if r.is_none() { !null.never } else { !null.always }, "{f:?} is null: {r:?}");
                for class in 0..7 {
                    let known = f.is_instance(descr(class), classes);
                    let actual = r.is_some_and(|c| above(c).any(|d| d == class));
                    assert!(if actual { !known.never } else { !known.always }, "{f:?} of {class}: {r:?}");
                }
            }
        }
    }

    #[test]
    fn facts_about_references_hold_with_and_without_a_hierarchy() {
        check(&Tree);
        check(&Unordered);
    }

    #[test]
    fn a_hierarchy_makes_meets_exact() {
        for f in facts() {
            for g in facts() {
                let meet = f.meet(g, &Tree);
                for r in references() {
                    assert_eq!(contains(meet, r), contains(f, r) && contains(g, r), "{f:?} {g:?} {r:?}");
                }
            }
        }
    }

    #[test]
    fn joins_of_siblings_are_their_common_class() {
        let join = RefFact::exactly(descr(3)).join(RefFact::exactly(descr(4)), &Tree);
        assert_eq!(join, RefFact::at_most(descr(1)));
        let join = join.join(RefFact::NULL, &Tree);
        assert_eq!(join, RefFact::at_most(descr(1)).or_null());
        assert_eq!(join.is_instance(descr(1), &Tree), Truth { always: false, never: false });
        assert!(join.is_instance(descr(2), &Tree).never);
    }
}
