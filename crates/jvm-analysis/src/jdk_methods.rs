//! Models of JDK methods (as LLVM's `TargetLibraryInfo`): constant folding, ranges and nullness of their results.
//!
//! Static ones that only compute are evaluated for constants, and bound what they give for ranges of arguments. Of
//! others it is known that they never give null or a negative number: texts, builders and boxes are always there, a text
//! has no negative length. Only what the specification says of final classes counts, since a program may override the
//! rest; what a call of `toString` of any object gives may be null.

use planish_classfile::descriptor::{MethodType, Type as JavaType};
use planish_classfile::{MemberRef, Opcode};
use planish_domain::{IntFact, RefFact, transfer};
use planish_jvm_ir::naming::calls_nobody;
use planish_jvm_ir::surroundings::Number;
use planish_jvm_model::hierarchy::{Hierarchy, Origin};
use planish_jvm_model::names::package;
use planish_ops::meaning::Datum;
use planish_ops::{Fold, Int, Op, Type, fold};

use crate::boxes::Boxed;
use crate::infer::fact::{Fact, descr};

/// Whether a static method of the JDK only computes, and throws nothing.
pub fn is_pure(member: &MemberRef<'_>) -> bool {
    let has_only_numbers = !member.descriptor.iter().any(|byte| matches!(byte, b'L' | b'['));
    has_only_numbers
        && match member.class {
            b"java/lang/Math" | b"java/lang/StrictMath" => matches!(
                member.name,
                b"abs" | b"max" | b"min" | b"sqrt" | b"signum" | b"floor" | b"ceil" | b"rint" | b"round"
            ),
            b"java/lang/Integer" | b"java/lang/Long" => matches!(
                member.name,
                b"bitCount"
                    | b"compare"
                    | b"highestOneBit"
                    | b"lowestOneBit"
                    | b"max"
                    | b"min"
                    | b"numberOfLeadingZeros"
                    | b"numberOfTrailingZeros"
                    | b"reverse"
                    | b"reverseBytes"
                    | b"rotateLeft"
                    | b"rotateRight"
                    | b"signum"
                    | b"sum"
            ),
            b"java/lang/Float" | b"java/lang/Double" => matches!(member.name, b"isNaN" | b"isInfinite"),
            _ => false,
        }
}

/// Whether a method of the JDK calls nothing of a program, whatever it gets: it only computes, or fills in an object.
pub fn is_closed(op: Opcode, member: &MemberRef<'_>) -> bool {
    let is_box = || Boxed::is_box(member.class);
    match (op, member.name) {
        (Opcode::Invokespecial, b"<init>") if member.class == b"java/lang/Enum" => true,
        (Opcode::Invokespecial, b"<init>") if member.descriptor == b"()V" => {
            FILLED_BY_THEMSELVES.contains(&member.class)
                || QUIET.contains(&member.class)
                || calls_nobody(member)
        }
        (Opcode::Invokestatic, b"valueOf") if is_box() => !member.descriptor.starts_with(b"(L"),
        (Opcode::Invokevirtual, b"desiredAssertionStatus") => member.class == b"java/lang/Class",
        _ => is_pure(member) || calls_nobody(member),
    }
}

/// Whether a method of the JDK is closed and returns, whatever it gets, but for errors of the JVM and where it is called on
/// null.
pub fn throws_nothing(op: Opcode, member: &MemberRef<'_>) -> bool {
    let is_text = matches!(member.class, b"java/lang/String" | b"java/lang/StringBuilder");
    match (op, member.name) {
        (Opcode::Invokespecial, b"<init>") => {
            is_closed(op, member) && (member.class == b"java/lang/Enum" || member.descriptor == b"()V")
        }
        (Opcode::Invokestatic, b"valueOf") => {
            Boxed::is_box(member.class) && !member.descriptor.starts_with(b"(L")
        }
        (Opcode::Invokevirtual, b"append" | b"toString" | b"length" | b"isEmpty" | b"hashCode") => {
            is_text && calls_nobody(member) && !member.descriptor.contains(&b'[')
        }
        _ => is_pure(member),
    }
}

/// Whether a member makes an exception of the JDK what it is, of numbers and texts; it calls nobody but `fillInStackTrace`.
/// Exceptions of other packages may look at what they get and throw another one, as those of `Formatter` do where a text is
/// null.
pub fn makes_exception(member: &MemberRef<'_>, ty: &MethodType<'_>, hierarchy: &Hierarchy) -> bool {
    let is_plain = |ty: JavaType<'_>| ty == JavaType::Object(b"java/lang/String") || !ty.is_reference();
    let (Some(class), Some(above)) =
        (hierarchy.lookup(member.class), hierarchy.lookup(b"java/lang/Throwable"))
    else {
        return false;
    };
    member.name == b"<init>"
        && matches!(package(member.class), b"java/lang" | b"java/io" | b"java/util/concurrent")
        && hierarchy.get(class).is_some_and(|class| class.origin == Origin::Platform)
        && hierarchy.extends(class, above) == Some(true)
        && (ty.parameters().all(is_plain)
            || member.descriptor == b"(Ljava/lang/String;Ljava/lang/Throwable;)V")
}

/// What a pure static method on whole numbers computes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Computes {
    /// The number without its sign; the smallest stays.
    Abs,
    /// The greater one.
    Max,
    /// The smaller one.
    Min,
    /// The sum, wrapping.
    Sum,
    /// -1, 0 or 1.
    Signum,
    /// The same of two numbers.
    Compare,
    /// How many bits are set.
    BitCount,
    /// How many bits are 0 above the highest that is set.
    LeadingZeros,
    /// How many are below the lowest.
    TrailingZeros,
    /// The lowest bit that is set.
    LowestOneBit,
}

/// What an operation of the table gives for arguments, where its first result has this type.
type Apply<'a, V> = &'a dyn Fn(Op, &[V], Type) -> Option<V>;

impl Computes {
    /// What a static call computes.
    pub fn of(op: Opcode, member: &MemberRef<'_>) -> Option<Computes> {
        (op == Opcode::Invokestatic && is_pure(member)).then_some(())?;
        let letter = match member.class {
            b"java/lang/Integer" => b"I",
            b"java/lang/Long" => b"J",
            b"java/lang/Math" | b"java/lang/StrictMath" => member.descriptor.get(1..2)?,
            _ => return None,
        };
        matches!(letter, b"I" | b"J").then_some(())?;
        let found = match member.name {
            b"abs" => Computes::Abs,
            b"max" => Computes::Max,
            b"min" => Computes::Min,
            b"sum" => Computes::Sum,
            b"signum" => Computes::Signum,
            b"compare" => Computes::Compare,
            b"bitCount" => Computes::BitCount,
            b"numberOfLeadingZeros" => Computes::LeadingZeros,
            b"numberOfTrailingZeros" => Computes::TrailingZeros,
            b"lowestOneBit" => Computes::LowestOneBit,
            _ => return None,
        };
        let parameters = letter.repeat(found.arguments());
        let result = if found.gives_int() { b"I" } else { letter };
        (member.descriptor == [b"(", &parameters[..], b")", result].concat()).then_some(found)
    }

    /// How many arguments it takes.
    pub fn arguments(self) -> usize {
        match self {
            Computes::Max | Computes::Min | Computes::Sum | Computes::Compare => 2,
            _ => 1,
        }
    }

    /// Whether the result is an `int`, whatever the arguments are.
    fn gives_int(self) -> bool {
        use Computes::{BitCount, Compare, LeadingZeros, Signum, TrailingZeros};
        matches!(self, Signum | Compare | BitCount | LeadingZeros | TrailingZeros)
    }

    /// The operation that computes it, where one does by itself: what counts bits of a `long` gives an `int`, and the
    /// operation does not.
    pub fn operation(self, width: u32) -> Option<Op> {
        Some(match self {
            Computes::Abs => Op::Abs,
            Computes::Max => Op::Max,
            Computes::Min => Op::Min,
            Computes::Sum => Op::Add,
            Computes::BitCount if width == 32 => Op::Popcount,
            Computes::LeadingZeros if width == 32 => Op::Clz,
            Computes::TrailingZeros if width == 32 => Op::Ctz,
            _ => return None,
        })
    }

    /// What it gives for these arguments, by the table of operations.
    pub fn evaluate(self, arguments: &[Number]) -> Option<Number> {
        let numbers: Vec<Int> = arguments.iter().map(|number| number.int()).collect();
        let width = numbers.first()?.width();
        if numbers.len() != self.arguments() || numbers.iter().any(|number| number.width() != width) {
            return None;
        }
        let apply = |op: Op, args: &[Int], ty: Type| {
            let args: Vec<_> = args.iter().map(|&number| Datum::Word(number)).collect();
            match fold(op, &args, &[ty])? {
                Fold::Int(result) => Some(result),
                _ => None,
            }
        };
        let result = self.compute(&numbers, word(width), &|number| Int::new(width, number as u64), &apply)?;
        Some(match result.width() {
            32 => Number::Int(result.signed() as i32),
            _ => Number::Long(result.signed()),
        })
    }

    /// What is known of what it gives for arguments of which this is known, by the transfer functions of the operations.
    pub fn bounds(self, arguments: &[IntFact]) -> Option<IntFact> {
        (!arguments.iter().any(|known| known.is_bottom())).then_some(())?;
        let width = arguments.first()?.width();
        let apply = |op: Op, args: &[IntFact], ty: Type| Some(transfer(op, args, ty).0);
        self.compute(arguments, word(width), &|number| IntFact::interval(width, number, number), &apply)
    }

    /// What it computes, in operations of the table.
    fn compute<V: Copy>(
        self,
        arguments: &[V],
        ty: Type,
        constant: &dyn Fn(i64) -> V,
        apply: Apply<'_, V>,
    ) -> Option<V> {
        let same = |op: Op, args: &[V]| apply(op, args, ty);
        let x = *arguments.first()?;
        let result = match self {
            Computes::Abs => same(Op::Abs, arguments),
            Computes::Max => same(Op::Max, arguments),
            Computes::Min => same(Op::Min, arguments),
            Computes::Sum => same(Op::Add, arguments),
            Computes::Signum => same(Op::Min, &[same(Op::Max, &[x, constant(-1)])?, constant(1)]),
            Computes::Compare => same(Op::Sub, &[same(Op::Gt, arguments)?, same(Op::Lt, arguments)?]),
            Computes::BitCount => same(Op::Popcount, arguments),
            Computes::LeadingZeros => same(Op::Clz, arguments),
            Computes::TrailingZeros => same(Op::Ctz, arguments),
            Computes::LowestOneBit => same(Op::And, &[x, same(Op::Neg, &[x])?]),
        }?;
        match self.gives_int() && ty == Type::I64 {
            true => apply(Op::Trunc, &[result], Type::I32),
            false => Some(result),
        }
    }
}

/// The type of numbers of this width, which is that of `int` or `long`.
fn word(width: u32) -> Type {
    if width == 32 { Type::I32 } else { Type::I64 }
}

/// What is known of what a call gives, whatever its arguments are.
pub fn gives(op: Opcode, member: &MemberRef<'_>, hierarchy: &Hierarchy) -> Option<Fact> {
    let end = member.descriptor.iter().position(|byte| *byte == b')')?;
    let (parameters, result) = (&member.descriptor[1..end], &member.descriptor[end + 1..]);
    let class_of_result = result.strip_prefix(b"L").and_then(|name| name.strip_suffix(b";"));
    let is_there = match (op, member.class, member.name) {
        (Opcode::Invokestatic, b"java/lang/String", b"valueOf" | b"copyValueOf") => {
            parameters != b"Ljava/lang/Object;"
        }
        (Opcode::Invokestatic, b"java/lang/String", b"format" | b"join") => true,
        (Opcode::Invokestatic, class, b"valueOf" | b"toString" | b"toHexString") if Boxed::is_box(class) => {
            true
        }
        (Opcode::Invokestatic, b"java/util/Objects", b"requireNonNull") => true,
        (Opcode::Invokevirtual, [b'[', ..], b"clone") => true,
        (
            Opcode::Invokevirtual,
            b"java/lang/String",
            b"substring" | b"concat" | b"trim" | b"replace" | b"toLowerCase" | b"toUpperCase" | b"intern"
            | b"toString" | b"split" | b"toCharArray" | b"getBytes",
        ) => true,
        (
            Opcode::Invokevirtual,
            b"java/lang/StringBuilder" | b"java/lang/StringBuffer",
            b"append" | b"insert" | b"toString" | b"reverse" | b"substring",
        ) => true,
        (Opcode::Invokevirtual, _, b"getClass") => member.descriptor == b"()Ljava/lang/Class;",
        (Opcode::Invokevirtual, b"java/lang/String", b"length")
        | (Opcode::Invokevirtual, b"java/lang/StringBuilder" | b"java/lang/StringBuffer", b"length") => {
            return (result == b"I").then(|| Fact::Int(IntFact::interval(32, 0, i32::MAX.into())));
        }
        _ => false,
    };
    if !is_there {
        return None;
    }
    let class = class_of_result.and_then(|name| hierarchy.lookup(name));
    let class = class.filter(|&class| hierarchy.is_interface(class) == Some(false));
    Some(Fact::Ref(class.map_or(RefFact::NONNULL, |class| RefFact::at_most(descr(class)))))
}

/// Classes of the JDK whose initializers and constructors that others call do nothing that can be seen, and which have no
/// finalizer that does something. `Enum` keeps a name and a number, which only its own methods give.
pub const QUIET: &[&[u8]] = &[
    b"java/io/InputStream",
    b"java/io/OutputStream",
    b"java/lang/Enum",
    b"java/lang/Number",
    b"java/lang/Record",
    b"java/util/AbstractCollection",
    b"java/util/AbstractList",
    b"java/util/AbstractMap",
    b"java/util/AbstractQueue",
    b"java/util/AbstractSequentialList",
    b"java/util/AbstractSet",
];

/// Classes of the JDK whose constructors without parameters only fill in their object, which nobody sees when it goes: they
/// have no finalizer, and initializing them does nothing that can be seen.
pub const FILLED_BY_THEMSELVES: [&[u8]; 17] = [
    b"java/lang/StringBuffer",
    b"java/lang/StringBuilder",
    b"java/util/ArrayDeque",
    b"java/util/ArrayList",
    b"java/util/HashMap",
    b"java/util/HashSet",
    b"java/util/Hashtable",
    b"java/util/IdentityHashMap",
    b"java/util/LinkedHashMap",
    b"java/util/LinkedHashSet",
    b"java/util/LinkedList",
    b"java/util/TreeMap",
    b"java/util/TreeSet",
    b"java/util/Vector",
    b"java/util/concurrent/ConcurrentHashMap",
    b"java/util/concurrent/atomic/AtomicInteger",
    b"java/util/concurrent/atomic/AtomicLong",
];

#[cfg(test)]
mod tests {
    use planish_classfile::pool::MemberKind;

    use super::*;

    fn method<'m>(class: &'m str, name: &'m str, descriptor: &'m str) -> MemberRef<'m> {
        MemberRef {
            kind: MemberKind::Method,
            class: class.as_bytes(),
            name: name.as_bytes(),
            descriptor: descriptor.as_bytes(),
        }
    }

    fn of(class: &str, name: &str, descriptor: &str) -> Option<Computes> {
        Computes::of(Opcode::Invokestatic, &method(class, name, descriptor))
    }

    #[test]
    fn methods_are_known_by_class_name_and_type() {
        assert_eq!(of("java/lang/Math", "max", "(JJ)J"), Some(Computes::Max));
        assert_eq!(of("java/lang/Long", "compare", "(JJ)I"), Some(Computes::Compare));
        assert_eq!(of("java/lang/Long", "bitCount", "(J)I"), Some(Computes::BitCount));
        assert_eq!(of("java/lang/Math", "max", "(DD)D"), None);
        assert_eq!(of("java/lang/Math", "round", "(F)I"), None);
        assert_eq!(of("java/lang/Integer", "rotateLeft", "(II)I"), None);
        assert_eq!(of("Math", "max", "(II)I"), None);
    }

    #[test]
    fn they_give_what_java_says() {
        let int = |op: Computes, x: i32| match op.evaluate(&[Number::Int(x)]) {
            Some(Number::Int(result)) => result,
            other => panic!("{other:?}"),
        };
        assert_eq!(int(Computes::Abs, i32::MIN), i32::MIN);
        assert_eq!(int(Computes::LowestOneBit, 100), 4);
        assert_eq!(int(Computes::LeadingZeros, 0), 32);
        assert_eq!(int(Computes::TrailingZeros, 0), 32);
        let longs = [Number::Long(-3), Number::Long(4)];
        assert_eq!(Computes::Compare.evaluate(&longs), Some(Number::Int(-1)));
        assert_eq!(Computes::Min.evaluate(&longs), Some(Number::Long(-3)));
        assert_eq!(Computes::TrailingZeros.evaluate(&[Number::Long(0)]), Some(Number::Int(64)));
        assert_eq!(Computes::Max.evaluate(&[Number::Int(1), Number::Long(4)]), None);
    }

    /// Every result for arguments in two ranges is within the bounds for those.
    #[test]
    fn bounds_hold_of_every_result() {
        use Computes::{Abs, BitCount, Compare, LeadingZeros, Max, Min, Signum, Sum, TrailingZeros};
        let ranges = [(-3, 2), (-7, -2), (0, 0), (1, 5), (i32::MIN, i32::MIN + 2), (i32::MAX - 1, i32::MAX)];
        let fact = |(lo, hi): (i32, i32)| IntFact::interval(32, lo.into(), hi.into());
        for op in [Abs, BitCount, Compare, LeadingZeros, Max, Min, Signum, Sum, TrailingZeros] {
            for first in ranges {
                for second in ranges {
                    let facts = [fact(first), fact(second)];
                    let count = op.arguments();
                    let Some(bounds) = op.bounds(&facts[..count]) else { continue };
                    for x in first.0..=first.1 {
                        for y in second.0..=second.1 {
                            let result = op.evaluate(&[Number::Int(x), Number::Int(y)][..count]);
                            let Some(Number::Int(result)) = result else { panic!("{op:?}") };
                            let result = i64::from(result);
                            assert!((bounds.lo()..=bounds.hi()).contains(&result), "{op:?} {x} {y}");
                        }
                    }
                }
            }
        }
        let all = Abs.bounds(&[IntFact::top(32)]).expect("it is known of any");
        assert!(all.lo() < 0, "the smallest number has no positive counterpart");
    }

    #[test]
    fn a_text_of_any_object_may_be_null() {
        let hierarchy = Hierarchy::new();
        let known = |name, descriptor| {
            gives(Opcode::Invokestatic, &method("java/lang/String", name, descriptor), &hierarchy)
        };
        assert!(known("valueOf", "(I)Ljava/lang/String;").is_some());
        assert!(known("valueOf", "(Ljava/lang/Object;)Ljava/lang/String;").is_none());
    }
}
