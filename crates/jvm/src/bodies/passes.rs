//! The passes over method bodies: those that need what only a class file has, its constants, types and call sites.
//!
//! Everything else that is done to a body is a pass over functions of the optimizer. The order in which both run is in
//! `bodies/steps.rs`.

use planish_pass::{Change, Level, PassInfo};

const fn body(
    name: &'static str,
    sentence: &'static str,
    source: &'static str,
    test: &'static str,
) -> PassInfo {
    PassInfo { level: Level::Body, source, test, changes: Change::Flow, ..PassInfo::new(name, sentence) }
}

/// What the whole program says of the values of a body.
pub const IPSCCP: PassInfo = body(
    "ipsccp",
    "Interprocedural sparse conditional constant propagation: values that the whole program says are constants, checks \
     that cannot fail, handlers for what cannot arise.",
    "Wegman and Zadeck 1991; Callahan, Cooper, Kennedy and Torczon 1986",
    "crates/jar/tests/whole.rs",
);

/// Calls replaced by bodies, variants and precise calls, in bytecode.
pub const CALL_REPLACEMENT: PassInfo = body(
    "bytecode-inline",
    "Inlining, specialization and devirtualization: bodies, variants and precise calls in the place of calls.",
    "Muchnick 1997, 15.2; Dean, Grove and Chambers, ECOOP 1995",
    "crates/jar/tests/programs.rs",
);

/// Texts appended one after the other.
pub const STRING_BUILDERS: PassInfo = body(
    "string-builder-folding",
    "Library call folding of string builders: constants that are appended one after the other are one text.",
    "R8 StringBuilderAppendOptimizer",
    "crates/jar/tests/concatenations.rs",
);

/// Recipes of concatenations.
pub const CONCATENATIONS: PassInfo = body(
    "concat-folding",
    "Library call folding of string concatenation: constants go into the recipe, and one call site takes another in.",
    "JEP 280",
    "crates/jar/tests/concatenations.rs",
);

/// Calls of the library on constants.
pub const LIBRARY_CALLS: PassInfo = body(
    "library-call-folding",
    "Library call folding: calls of methods of the JDK on constants are what they give, and those that an operation \
     computes are that.",
    "LLVM SimplifyLibCalls",
    "crates/jar/tests/jdk_methods.rs",
);

/// Texts that nobody uses.
pub const DEAD_TEXTS: PassInfo = body(
    "dead-text-elimination",
    "Dead code elimination of calls that only make a text.",
    "Muchnick 1997, 18.10",
    "crates/jar/tests/concatenations.rs",
);

/// Switches over enums.
pub const ENUM_SWITCHES: PassInfo = body(
    "enum-switch",
    "Switches over enums are on the ordinal, without the table that compilers make.",
    "R8 EnumValueOptimizer",
    "crates/jar/tests/enum_switches.rs",
);

/// Stores that nobody reads.
pub const DEAD_STORES: PassInfo = body(
    "dead-field-stores",
    "Dead store elimination over the whole program: stores to fields that nobody reads.",
    "Muchnick 1997, 18.10",
    "crates/jar/tests/leftovers.rs",
);

/// Stores of what a static field holds when its class begins to be initialized.
pub const FIRST_STORES: PassInfo = body(
    "default-store-elimination",
    "Redundant store elimination in class initializers: stores of zero and null to static fields that hold it anyhow.",
    "R8 ClassInitializerDefaultsOptimization",
    "crates/jar/tests/first_stores.rs",
);

/// Lambdas called where they are made.
pub const LAMBDAS: PassInfo = body(
    "lambda-devirtualization",
    "Devirtualization of lambdas: a call of a lambda that is made in the body calls what the lambda calls.",
    "Dean, Grove and Chambers, ECOOP 1995",
    "crates/jar/tests/call_sites.rs",
);

/// Calls of `getClass` that check for null.
pub const NULL_CHECKS: PassInfo = body(
    "null-check-canonicalization",
    "Canonicalization of null checks: a call of `getClass` whose result nobody uses is a check.",
    "javac before 9 writes checks so",
    "crates/jar/tests/decided.rs",
);

/// Checks that cannot fail.
pub const CHECKS: PassInfo = body(
    "redundant-check-elimination",
    "Redundant check elimination: null checks, casts and type tests that something before decided.",
    "Bodík, Gupta and Sarkar 2000 for bounds; here for types",
    "crates/jar/tests/decided.rs",
);

/// Arrays that are only filled.
pub const DEAD_ARRAYS: PassInfo = body(
    "dead-array-elimination",
    "Dead array elimination: arrays that are only filled, and the stores that fill them.",
    "Muchnick 1997, 18.10",
    "crates/jar/tests/arrays.rs",
);

/// Objects that only their constructor gets.
pub const DEAD_OBJECTS: PassInfo = body(
    "dead-object-elimination",
    "Dead object elimination: objects that only their constructor gets, and builders of texts that nobody needs.",
    "Muchnick 1997, 18.10",
    "crates/jar/tests/leftovers.rs",
);

/// Equal ends of code.
pub const CROSS_JUMPING: PassInfo = body(
    "cross-jumping",
    "Cross jumping, also called tail merging: equal ends of code become one.",
    "Muchnick 1997, 18.8",
    "crates/jvm/tests/tails.rs",
);

/// Initializers that do nothing.
pub const EMPTY_INITIALIZERS: PassInfo = body(
    "empty-initializer-elimination",
    "Dead code elimination of class initializers: one that only returns goes, unless it is part of a computed \
     `serialVersionUID`.",
    "Muchnick 1997, 18.10; Java Object Serialization Specification, 4.6",
    "crates/jar/tests/leftovers.rs",
);

/// Every pass over bodies, in the order in which they run.
pub static PASSES: &[&PassInfo] = &[
    &CALL_REPLACEMENT,
    &NULL_CHECKS,
    &IPSCCP,
    &STRING_BUILDERS,
    &CONCATENATIONS,
    &LIBRARY_CALLS,
    &DEAD_TEXTS,
    &ENUM_SWITCHES,
    &DEAD_STORES,
    &LAMBDAS,
    &CHECKS,
    &FIRST_STORES,
    &DEAD_ARRAYS,
    &DEAD_OBJECTS,
    &CROSS_JUMPING,
    &EMPTY_INITIALIZERS,
];
