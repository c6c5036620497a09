//! Assumed values: `-assumevalues` of ProGuard and R8.
//!
//! `-assumevalues` of ProGuard's language, and `-assumenosideeffects` with a value: whoever writes it says that a field holds,
//! or a method returns, one number or one of a range, as in `int SDK_INT return 21..2147483647;`. The calls stay, for what
//! else they do; branches on the values are decided. Only numbers are understood, `true` and `false` among them.

use planish_classfile::descriptor::{MethodType, Type};
use planish_classfile::{ClassFile, MemberRef};
use planish_domain::IntFact;
use planish_jvm_model::hierarchy::ClassId;
use planish_jvm_model::program::{Class, Program};
use planish_keep::{AssumeRule, Configuration, MemberPattern};

use crate::infer::fact::Fact;
use crate::reach::cause::Root;
use crate::roots::{matches_class, matching};

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
    pub fn fact(&self, program: &Program<'_>, member: &MemberRef<'_>, is_field: bool) -> Option<Fact> {
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

/// The patterns of rules that name a member, where an instruction names it: a class that inherits or overrides one has it
/// as well.
pub fn patterns_for<'r>(
    program: &Program<'_>,
    rules: &[&'r AssumeRule],
    member: &MemberRef<'_>,
    is_field: bool,
) -> Vec<&'r MemberPattern> {
    let hierarchy = program.hierarchy;
    let mut patterns = Vec::new();
    if member.class.first() == Some(&b'[') {
        return patterns;
    }
    for above in hierarchy.lookup(member.class).map_or_else(Vec::new, |id| hierarchy.supertypes(id)) {
        match program.class(above) {
            Some(class) => of_class(program, rules, class, member, is_field, &mut patterns),
            None => of_library(program, rules, above, member, is_field, &mut patterns),
        }
    }
    patterns
}

/// The patterns that name the member which a class of the program declares.
fn of_class<'r>(
    program: &Program<'_>,
    rules: &[&'r AssumeRule],
    class: Class,
    member: &MemberRef<'_>,
    is_field: bool,
    patterns: &mut Vec<&'r MemberPattern>,
) {
    let text = [member.name, if is_field { b":" } else { b"" }, member.descriptor].concat();
    let Some(selector) = program.selector(&text) else { return };
    let declared = match is_field {
        true => program.declared_field(class, selector).map(Root::Field),
        false => program.declared_method(class, selector).map(Root::Method),
    };
    let Some(declared) = declared else { return };
    for rule in rules.iter().filter(|rule| matches_class(program, &rule.classes, class, &mut Vec::new())) {
        let names = |pattern: &&MemberPattern| {
            matching(program, class, std::slice::from_ref(*pattern), &[]).contains(&declared)
        };
        patterns.extend(rule.classes.members.iter().filter(names));
    }
}

/// The patterns of rules without annotations that name the member which a class outside declares.
fn of_library<'r>(
    program: &Program<'_>,
    rules: &[&'r AssumeRule],
    class: ClassId,
    member: &MemberRef<'_>,
    is_field: bool,
    patterns: &mut Vec<&'r MemberPattern>,
) {
    let name = program.hierarchy.name(class);
    let names_class = |rule: &&&AssumeRule| {
        rule.classes.annotation.is_none()
            && rule.classes.extends.is_none()
            && rule.classes.matches_name(name, &mut Vec::new())
    };
    let rules: Vec<&'r AssumeRule> = rules.iter().filter(names_class).copied().collect();
    let Some(bytes) = program.library.file(name).filter(|_| !rules.is_empty()) else { return };
    let Ok(file) = ClassFile::read(&bytes) else { return };
    let (name, descriptor) = (member.name, member.descriptor);
    let is_it = |field: &&planish_classfile::Member<'_>| {
        file.pool.utf8(field.name) == Ok(name) && file.pool.utf8(field.descriptor) == Ok(descriptor)
    };
    let found = if is_field { file.fields.iter().find(is_it) } else { file.method(name, descriptor) };
    let Some(found) = found else { return };
    for rule in rules.into_iter().filter(|rule| rule.classes.flags.matches(file.flags)) {
        let names = |pattern: &&MemberPattern| {
            pattern.annotation.is_none()
                && match is_field {
                    true => pattern.matches_field(found.flags, name, descriptor, &mut Vec::new()),
                    false => pattern.matches_method(found.flags, name, descriptor, &mut Vec::new()),
                }
        };
        patterns.extend(rule.classes.members.iter().filter(names));
    }
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
