//! Assumed values: `-assumevalues` of ProGuard and R8.
//!
//! `-assumevalues` of ProGuard's language, and `-assumenosideeffects` with a value: whoever writes it says that a field holds,
//! or a method returns, one number or one of a range, as in `int SDK_INT return 21..2147483647;`. The calls stay, for what
//! else they do; branches on the values are decided. Only numbers are understood, `true` and `false` among them.

use planish_classfile::MemberRef;
use planish_classfile::descriptor::{MethodType, Type};
use planish_domain::IntFact;

use crate::keep::{AssumeRule, Configuration};
use crate::program::Program;
use crate::program::assumed::patterns_for;
use crate::program::infer::fact::Fact;

/// The rules that say values.
#[derive(Clone, Default)]
pub struct AssumedValues<'r>(Vec<&'r AssumeRule>);

impl<'r> AssumedValues<'r> {
    /// Those of a configuration.
    pub fn of(rules: &'r Configuration) -> Self {
        let says = |rule: &&AssumeRule| {
            matches!(rule.option.as_str(), "assumevalues" | "assumenosideeffects")
                && rule.classes.members.iter().any(|member| member.value.is_some())
        };
        AssumedValues(rules.assume.iter().filter(says).collect())
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What the rules say of a field, or of what a method gives, as an instruction names it. O(rules).
    pub(crate) fn fact(&self, program: &Program<'_>, member: &MemberRef<'_>, is_field: bool) -> Option<Fact> {
        if self.0.is_empty() {
            return None;
        }
        let ty = match is_field {
            true => Type::parse(member.descriptor)?,
            false => MethodType::parse(member.descriptor)?.result()?,
        };
        let width = match ty {
            Type::Long => 64,
            Type::Boolean | Type::Byte | Type::Char | Type::Short | Type::Int => 32,
            _ => return None,
        };
        let patterns = patterns_for(program, &self.0, member, is_field);
        let (low, high) = patterns.iter().find_map(|pattern| range(pattern.value.as_ref()?))?;
        Some(Fact::Int(IntFact::interval(width, low, high)))
    }
}

/// The numbers that a text names: one, or all between two.
fn range(text: &str) -> Option<(i64, i64)> {
    let (low, high) = text.split_once("..").unwrap_or((text, text));
    let (low, high) = (number(low)?, number(high)?);
    (low <= high).then_some((low, high))
}

fn number(text: &str) -> Option<i64> {
    match text {
        "true" => return Some(1),
        "false" => return Some(0),
        _ => {}
    }
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let number = match digits.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).ok()?,
        None => digits.parse::<i64>().ok()?,
    };
    Some(if negative { -number } else { number })
}

#[cfg(test)]
mod tests {
    use super::range;

    #[test]
    fn values_are_numbers_or_ranges() {
        assert_eq!(range("false"), Some((0, 0)));
        assert_eq!(range("21..2147483647"), Some((21, 2_147_483_647)));
        assert_eq!(range("-3..0x10"), Some((-3, 16)));
        assert_eq!(range("4..3"), None);
        assert_eq!(range("other.Class.FIELD"), None);
    }
}
