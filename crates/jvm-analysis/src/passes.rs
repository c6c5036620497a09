//! The passes over whole programs of classes: what goes of a program, and what becomes of its classes and members.

use planish_pass::{Change, Level, PassInfo};

const fn program(
    name: &'static str,
    sentence: &'static str,
    source: &'static str,
    test: &'static str,
) -> PassInfo {
    PassInfo { level: Level::Program, source, test, changes: Change::Flow, ..PassInfo::new(name, sentence) }
}

/// Calls that rules call free of effects.
pub const ASSUMED_CALLS: PassInfo = program(
    "assumed-call-removal",
    "Removal of calls that rules say have no effects (`-assumenosideeffects`), where nothing uses their results.",
    "ProGuard -assumenosideeffects",
    "crates/jar/tests/assumed.rs",
);

/// Checks for null whose message rules give up.
pub const NULL_CHECKS: PassInfo = program(
    "null-check-conversion",
    "Conversion of calls that check for null (`-convertchecknotnull`) to checks that throw without a message.",
    "R8 -convertchecknotnull",
    "crates/jar/tests/assumed.rs",
);

/// What nothing reaches.
pub const TREE_SHAKING: PassInfo = program(
    "tree-shaking",
    "Tree shaking, also called shrinking: classes and members that nothing reaches go, and bodies that cannot run.",
    "Bacon and Sweeney, OOPSLA 1996; Tip, Sweeney, Laffra, Eisma and Streeter, TOPLAS 2002",
    "crates/jar/tests/programs.rs",
);

/// Interfaces that nothing asks for.
pub const UNUSED_INTERFACES: PassInfo = program(
    "unused-interface-removal",
    "Removal of interfaces that classes implement and of which no code speaks.",
    "R8 UnusedInterfaceRemoval",
    "crates/jar/tests/fewer_classes.rs",
);

/// Methods that do the same.
pub const IDENTICAL_CODE: PassInfo = program(
    "identical-code-folding",
    "Identical code folding: of methods that do the same one stays, and calls lead there.",
    "Tallam, Coutant, Taylor, Li and Demetriou, GCC Summit 2010",
    "crates/jar/tests/identical.rs",
);

/// Classes and fields that become final.
pub const FINAL_MARKING: PassInfo = program(
    "final-marking",
    "Marking as final: classes that nothing extends, static fields that only their initializer sets.",
    "ProGuard class/marking/final",
    "crates/jar/tests/finals.rs",
);

/// Enums that become numbers.
pub const ENUM_UNBOXING: PassInfo = program(
    "enum-unboxing",
    "Enum unboxing: an enum of whose constants nobody needs more than which one it is becomes an `int`.",
    "R8 EnumUnboxer; ProGuard class/unboxing/enum",
    "crates/jar/tests/unboxing.rs",
);

/// Classes that become a part of the one below.
pub const VERTICAL_MERGING: PassInfo = program(
    "vertical-class-merging",
    "Vertical class merging: a class without objects of its own becomes a part of the one class that extends it.",
    "R8 VerticalClassMerger; ProGuard class/merging/vertical",
    "crates/jar/tests/merging.rs",
);

/// Classes that become a part of one beside.
pub const HORIZONTAL_MERGING: PassInfo = program(
    "horizontal-class-merging",
    "Horizontal class merging: classes of nothing but static members become one.",
    "R8 HorizontalClassMerger; ProGuard class/merging/horizontal",
    "crates/jar/tests/merging.rs",
);

/// Copies of methods for what calls give them.
pub const SPECIALIZATION: PassInfo = program(
    "function-specialization",
    "Function specialization (procedure cloning): copies of methods for constants and classes of arguments, and without \
     parameters and receivers that are not used (staticizing).",
    "Cooper, Hall and Kennedy 1993; LLVM FunctionSpecialization",
    "crates/jar/tests/specializations.rs",
);

/// Attributes that no rule keeps.
pub const ATTRIBUTES: PassInfo = program(
    "attribute-removal",
    "Removal of attributes of class files that no rule keeps.",
    "ProGuard -keepattributes",
    "crates/jar/tests/attributes.rs",
);

/// New names.
pub const RENAMING: PassInfo = program(
    "renaming",
    "Renaming, also called obfuscation: classes, fields and methods get short names where nothing finds them by their own.",
    "Collberg, Thomborson and Low, University of Auckland 1997; ProGuard, obfuscation",
    "crates/jar/tests/renaming.rs",
);

/// Every pass over whole programs, in the order in which a round runs them.
pub static PASSES: &[&PassInfo] = &[
    &ASSUMED_CALLS,
    &NULL_CHECKS,
    &TREE_SHAKING,
    &UNUSED_INTERFACES,
    &IDENTICAL_CODE,
    &FINAL_MARKING,
    &SPECIALIZATION,
    &ENUM_UNBOXING,
    &VERTICAL_MERGING,
    &HORIZONTAL_MERGING,
    &ATTRIBUTES,
    &RENAMING,
];
