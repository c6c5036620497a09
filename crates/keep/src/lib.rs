//! Keep rules: ProGuard's configuration language.
//!
//! Users of shrinkers have these files, and library jars bring them along, so they are read as they are.
//! [`read`] takes a text apart into a [`Configuration`]; [`pattern`] matches names, [`show`] writes them. Which options there are and
//! what becomes of each is in [`options`]. One that could have kept something and is not known is an error; any other
//! unknown option is noted and ignored. Rules for well-known libraries come along ([`libraries`]). What is kept because of a rule
//! is decided elsewhere.
//!
//! The language is that of ProGuard's manual, *Usage* and *Class specifications*.

pub mod attributes;
pub mod filter;
pub mod known;
mod lex;
pub mod libraries;
pub mod options;
pub mod pattern;
pub mod read;
pub mod show;

use planish_classfile::Flags;
use planish_classfile::descriptor::{MethodType, Type};

use crate::pattern::{NamePattern, TypePattern};

/// What configuration files say.
#[derive(Clone, Default, Debug)]
pub struct Configuration {
    /// What is kept.
    pub keep: Vec<KeepRule>,
    /// Calls that may go, and values that may be assumed.
    pub assume: Vec<AssumeRule>,
    /// Attributes that are kept: patterns, negated ones with `false`. The first that matches decides.
    pub attributes: Vec<(bool, NamePattern)>,
    /// Classes about which there are no warnings.
    pub dont_warn: Vec<(bool, NamePattern)>,
    /// Classes about whose reflection there are no notes.
    pub dont_note: Vec<(bool, NamePattern)>,
    /// Options without argument that were given, in order: `dontshrink`, `ignorewarnings`, ...
    pub flags: Vec<String>,
    /// Options with one argument that were given, in order: `printusage` and its file, ...
    pub settings: Vec<(String, String)>,
    /// Options that say where classes come from and go to, in order: `injars`, `outjars`, `libraryjars`,
    /// with their paths; filters in parentheses are part of the path's text.
    pub jars: Vec<(String, String)>,
    /// Classes for which a reason is asked.
    pub why: Vec<ClassPattern>,
    /// What must not be left.
    pub discard: Vec<DiscardRule>,
}

impl Configuration {
    /// Whether an option without argument was given.
    pub fn has(&self, flag: &str) -> bool {
        self.flags.iter().any(|given| given == flag)
    }
}

/// What a keep rule keeps of the classes that it matches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keeps {
    /// The classes and the members that are named.
    Classes,
    /// The named members of classes that are kept for another reason.
    Members,
    /// The classes that have all named members, and those.
    ClassesWithMembers,
}

/// Where a rule stands: file, line and column, as messages begin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place(pub Box<str>);

/// A keep rule.
#[derive(Clone, Debug)]
pub struct KeepRule {
    /// What it keeps.
    pub keeps: Keeps,
    /// It keeps only names of what is kept for another reason.
    pub allow_shrinking: bool,
    /// What it keeps may still be optimized.
    pub allow_optimization: bool,
    /// What it keeps may still be renamed.
    pub allow_obfuscation: bool,
    /// Classes in descriptors of kept members are kept, too.
    pub include_descriptor_classes: bool,
    /// The code of kept methods stays as it is.
    pub include_code: bool,
    /// The rule holds only for each match of this (`-if`).
    pub condition: Option<ClassPattern>,
    /// What it matches.
    pub classes: ClassPattern,
    /// Where it stands.
    pub place: Place,
}

/// An assumption about members, or what is not to be done with classes.
#[derive(Clone, Debug)]
pub struct AssumeRule {
    /// The option: `assumenosideeffects`, `assumevalues`, `convertchecknotnull` or `nevermerge`.
    pub option: String,
    /// The members.
    pub classes: ClassPattern,
    /// Where it stands.
    pub place: Place,
}

/// Classes, or members of theirs, that must not be left.
#[derive(Clone, Debug)]
pub struct DiscardRule {
    /// The classes; all of each if there are no members.
    pub classes: ClassPattern,
    /// Where it stands.
    pub place: Place,
}

/// Flags that are demanded and flags that are forbidden.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct FlagPattern {
    /// All of these.
    pub set: Flags,
    /// None of these.
    pub unset: Flags,
    /// One of these visibilities, if any is named.
    pub visible: Flags,
}

impl FlagPattern {
    /// Whether flags match.
    pub fn matches(&self, flags: Flags) -> bool {
        flags.has(self.set) && !flags.any(self.unset) && (self.visible == Flags(0) || flags.any(self.visible))
    }
}

/// A pattern for classes.
#[derive(Clone, Debug)]
pub struct ClassPattern {
    /// An annotation that they have.
    pub annotation: Option<NamePattern>,
    /// Their flags, `interface`, `enum` and `@interface` included.
    pub flags: FlagPattern,
    /// Their names: patterns, negated ones with `false`. The first that matches decides.
    pub names: Vec<(bool, NamePattern)>,
    /// A class or interface above them, perhaps with an annotation.
    pub extends: Option<(Option<NamePattern>, NamePattern)>,
    /// Their members.
    pub members: Vec<MemberPattern>,
}

impl ClassPattern {
    /// Whether a name is among the patterns.
    pub fn matches_name(&self, name: &[u8], captures: &mut Vec<Vec<u8>>) -> bool {
        first_match(&self.names, name, captures)
    }
}

/// What the first pattern that matches says; no, if none does, unless the last one is negated.
pub fn first_match(patterns: &[(bool, NamePattern)], name: &[u8], captures: &mut Vec<Vec<u8>>) -> bool {
    for (positive, pattern) in patterns {
        if pattern.matches(name, captures) {
            return *positive;
        }
    }
    patterns.last().is_some_and(|(positive, _)| !positive)
}

/// A pattern for members.
#[derive(Clone, Debug)]
pub struct MemberPattern {
    /// An annotation that they have.
    pub annotation: Option<NamePattern>,
    /// Their flags.
    pub flags: FlagPattern,
    /// What they are.
    pub kind: MemberShape,
    /// The value or range that is assumed of them, as written.
    pub value: Option<String>,
}

/// What a member is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MemberShape {
    /// `*`
    Any,
    /// `<fields>`
    Fields,
    /// `<methods>`
    Methods,
    /// A field.
    Field(TypePattern, NamePattern),
    /// A method; `None` for `...`. Constructors are named `<init>` and give `void`.
    Method(TypePattern, NamePattern, Option<Vec<TypePattern>>),
}

impl MemberPattern {
    /// Whether a field matches. What wildcards match is appended to `captures`, where references look.
    pub fn matches_field(
        &self,
        flags: Flags,
        name: &[u8],
        descriptor: &[u8],
        captures: &mut Vec<Vec<u8>>,
    ) -> bool {
        let before = captures.len();
        let matches = self.flags.matches(flags)
            && match &self.kind {
                MemberShape::Any | MemberShape::Fields => true,
                MemberShape::Field(ty, pattern) => {
                    ty.matches(descriptor, captures) && pattern.matches(name, captures)
                }
                MemberShape::Methods | MemberShape::Method(..) => false,
            };
        if !matches {
            captures.truncate(before);
        }
        matches
    }

    /// Whether a method matches, in the same way.
    pub fn matches_method(
        &self,
        flags: Flags,
        name: &[u8],
        descriptor: &[u8],
        captures: &mut Vec<Vec<u8>>,
    ) -> bool {
        let before = captures.len();
        let matches = self.flags.matches(flags)
            && match &self.kind {
                MemberShape::Any | MemberShape::Methods => true,
                MemberShape::Method(result, pattern, parameters) => {
                    matches_type(result, parameters.as_deref(), descriptor, captures, |captures| {
                        pattern.matches(name, captures)
                    })
                }
                MemberShape::Fields | MemberShape::Field(..) => false,
            };
        if !matches {
            captures.truncate(before);
        }
        matches
    }
}

/// Whether the type of a method matches, and what stands between its result and its parameters.
fn matches_type(
    result: &TypePattern,
    parameters: Option<&[TypePattern]>,
    descriptor: &[u8],
    captures: &mut Vec<Vec<u8>>,
    name: impl Fn(&mut Vec<Vec<u8>>) -> bool,
) -> bool {
    let Some(ty) = MethodType::parse(descriptor) else { return false };
    let text = |ty: Type<'_>| {
        let mut text = Vec::new();
        ty.write(&mut text);
        text
    };
    let given = ty.result().map_or(b"V".to_vec(), text);
    if !result.matches(&given, captures) || !name(captures) {
        return false;
    }
    let Some(wanted) = parameters else { return true };
    let found: Vec<Vec<u8>> = ty.parameters().map(text).collect();
    found.len() == wanted.len()
        && wanted.iter().zip(&found).all(|(wanted, found)| wanted.matches(found, captures))
}
