//! Which attributes of class files stay: `-keepattributes`.
//!
//! As in ProGuard, attributes that the JVM does not need go where names may change, which `-dontobfuscate` forbids,
//! unless the option names them. Without rules nobody said that they may. What this program asks for is kept for it:
//! annotations of a type whose class is a constant in code that runs, `getAnnotation(Path.class)`, and what the JDK itself
//! looks for of such a type.

use std::collections::BTreeSet;

use planish_classfile::Kind;

use crate::pattern::NamePattern;
use crate::{Configuration, first_match};

/// What the JVM needs, and records, of which serialization asks what they are made of.
const NEEDED: [Kind; 11] = [
    Kind::Code,
    Kind::StackMapTable,
    Kind::ConstantValue,
    Kind::BootstrapMethods,
    Kind::NestHost,
    Kind::NestMembers,
    Kind::PermittedSubclasses,
    Kind::Record,
    Kind::Module,
    Kind::ModulePackages,
    Kind::ModuleMainClass,
];

/// The packages of annotations that the JDK itself looks for.
const OF_JDK: [&[u8]; 4] = [b"java/lang/annotation/", b"java/beans/", b"javax/management/", b"jdk/jfr/"];

/// Which attributes stay.
#[derive(Clone, Debug)]
pub struct KeptAttributes {
    /// Nothing where all of them do.
    patterns: Option<Vec<(bool, NamePattern)>>,
    /// Whether names of parameters do.
    parameter_names: bool,
}

impl KeptAttributes {
    /// All of them.
    pub fn all() -> Self {
        KeptAttributes { patterns: None, parameter_names: true }
    }

    /// Those that rules keep.
    pub fn of(rules: &Configuration) -> Self {
        match rules.has("dontobfuscate") {
            true => KeptAttributes::all(),
            false => KeptAttributes {
                patterns: Some(rules.attributes.clone()),
                parameter_names: rules.has("keepparameternames"),
            },
        }
    }

    /// Whether all of them stay.
    pub fn is_all(&self) -> bool {
        self.patterns.is_none()
    }

    /// Whether those of this name stay.
    pub fn keeps(&self, name: &[u8]) -> bool {
        let Some(patterns) = &self.patterns else { return true };
        let kind = Kind::of_name(name);
        let is_name = matches!(
            kind,
            Some(Kind::MethodParameters | Kind::LocalVariableTable | Kind::LocalVariableTypeTable)
        );
        kind.is_some_and(|kind| NEEDED.contains(&kind))
            || is_name && self.parameter_names
            || first_match(patterns, name, &mut Vec::new())
    }
}

/// Whether an annotation of this type, as in `a/B`, stays where annotations go: the program asks for it, or the JDK does.
pub fn is_asked_for(annotation: &[u8], asked: &BTreeSet<Box<[u8]>>) -> bool {
    asked.contains(annotation) || OF_JDK.iter().any(|package| annotation.starts_with(package))
}
