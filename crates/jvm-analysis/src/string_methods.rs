//! Methods of `String` that are evaluated ahead of time: texts never change, so a call on constants is a number.

use planish_classfile::MemberRef;

/// An argument that is known.
#[derive(Clone, PartialEq, Eq)]
pub enum Known {
    /// A number.
    Number(i32),
    /// A text, in code units.
    Text(Vec<u16>),
}

/// What a method of `String` gives.
pub fn evaluate(member: &MemberRef<'_>, receiver: &[u16], args: &[Known]) -> Option<i32> {
    let at = |found: Option<usize>| found.map_or(-1, |place| place as i32);
    Some(match (member.name, member.descriptor, args) {
        (b"length", b"()I", []) => receiver.len() as i32,
        (b"isEmpty", b"()Z", []) => i32::from(receiver.is_empty()),
        (b"hashCode", b"()I", []) => {
            receiver.iter().fold(0i32, |hash, &unit| hash.wrapping_mul(31).wrapping_add(unit.into()))
        }
        (b"charAt", b"(I)C", [Known::Number(place)]) => {
            i32::from(*receiver.get(usize::try_from(*place).ok()?)?)
        }
        (b"equals", b"(Ljava/lang/Object;)Z", [Known::Text(other)]) => i32::from(receiver == other),
        (b"startsWith", b"(Ljava/lang/String;)Z", [Known::Text(other)]) => {
            i32::from(receiver.starts_with(other))
        }
        (b"endsWith", b"(Ljava/lang/String;)Z", [Known::Text(other)]) => i32::from(receiver.ends_with(other)),
        (b"contains", b"(Ljava/lang/CharSequence;)Z", [Known::Text(other)]) => {
            i32::from(place_of(receiver, other).is_some())
        }
        (b"indexOf", b"(Ljava/lang/String;)I", [Known::Text(other)]) => at(place_of(receiver, other)),
        // A character outside the basic plane is two units.
        (b"indexOf", b"(I)I", [Known::Number(unit @ 0..=0xffff)]) => {
            at(receiver.iter().position(|found| i32::from(*found) == *unit))
        }
        (b"compareTo", b"(Ljava/lang/String;)I", [Known::Text(other)]) => {
            let differ = receiver.iter().zip(other).find(|(a, b)| a != b);
            match differ {
                Some((&a, &b)) => i32::from(a) - i32::from(b),
                None => receiver.len() as i32 - other.len() as i32,
            }
        }
        _ => return None,
    })
}

/// Where a text first stands in another.
fn place_of(text: &[u16], part: &[u16]) -> Option<usize> {
    if part.is_empty() {
        return Some(0);
    }
    text.windows(part.len()).position(|window| window == part)
}

/// Whether a class is one of those that build texts.
pub fn is_builder(class: &[u8]) -> bool {
    matches!(class, b"java/lang/StringBuilder" | b"java/lang/StringBuffer")
}

#[cfg(test)]
mod tests {
    use planish_classfile::MemberRef;
    use planish_classfile::pool::MemberKind;

    use super::{Known, evaluate};

    fn call(name: &str, descriptor: &str, receiver: &str, args: &[Known]) -> Option<i32> {
        let member = MemberRef {
            kind: MemberKind::Method,
            class: b"java/lang/String",
            name: name.as_bytes(),
            descriptor: descriptor.as_bytes(),
        };
        evaluate(&member, &receiver.encode_utf16().collect::<Vec<_>>(), args)
    }

    fn text(text: &str) -> Known {
        Known::Text(text.encode_utf16().collect())
    }

    #[test]
    fn methods_of_texts_give_what_java_says() {
        assert_eq!(call("length", "()I", "a\u{1f600}", &[]), Some(3));
        assert_eq!(call("hashCode", "()I", "hello", &[]), Some(99_162_322));
        assert_eq!(call("charAt", "(I)C", "abc", &[Known::Number(1)]), Some(98));
        assert_eq!(call("charAt", "(I)C", "abc", &[Known::Number(3)]), None, "it throws");
        assert_eq!(call("charAt", "(I)C", "abc", &[Known::Number(-1)]), None, "it throws");
        assert_eq!(call("equals", "(Ljava/lang/Object;)Z", "a", &[text("a")]), Some(1));
        assert_eq!(call("indexOf", "(Ljava/lang/String;)I", "banana", &[text("nan")]), Some(2));
        assert_eq!(call("indexOf", "(Ljava/lang/String;)I", "banana", &[text("x")]), Some(-1));
        assert_eq!(call("indexOf", "(I)I", "banana", &[Known::Number(110)]), Some(2));
        assert_eq!(call("compareTo", "(Ljava/lang/String;)I", "ab", &[text("abcd")]), Some(-2));
        assert_eq!(call("compareTo", "(Ljava/lang/String;)I", "b", &[text("abcd")]), Some(1));
        assert_eq!(call("contains", "(Ljava/lang/CharSequence;)Z", "abc", &[text("")]), Some(1));
        assert_eq!(call("concat", "(Ljava/lang/String;)Ljava/lang/String;", "a", &[text("b")]), None);
    }
}
