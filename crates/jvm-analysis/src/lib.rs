//! What can be known of a whole JVM program. Nothing here changes a class.
//!
//! What there is:
//!
//! - [`reach`]: tree shaking by rapid type analysis, from the [`roots`]; [`reflection`]: what is found by name at run time.
//! - [`lookups`]: where code looks for what the analysis does not know.
//! - [`dispatch`]: class hierarchy analysis: where calls may lead.
//!
//! What values are:
//!
//! - [`infer`]: interprocedural sparse conditional constant propagation; [`precise`]: receiver type refinement.
//! - [`pure`]: purity analysis and compile-time evaluation; [`jdk_methods`], [`string_methods`], [`boxes`]: models of JDK methods.
//! - [`constructors`]: summaries of constructors; [`fields`]: descriptors of fields for memory passes; [`enum_ordinals`]:
//!   the constants of enums; [`literal`]: constants of bytecode. [`known`]: all that names of a class ask for.
//! - [`assumed_values`]: ProGuard's `-assumevalues`.
//!
//! What is to be done, as data that transforms fill in or follow:
//!
//! - [`variant`], [`wanted`], [`copied`]: copies of methods that calls want, within the bounds of [`precision`].
//! - [`folded`], [`final_marks`]: methods that go for others; what becomes final. [`sought`]: names that must stay.
//! - [`passes`], [`record`]: the passes over whole programs, and their one count of rewrites.

pub mod assumed_values;
pub mod boxes;
pub mod constructors;
pub mod copied;
pub mod dispatch;
pub mod enum_ordinals;
pub mod fields;
pub mod final_marks;
pub mod folded;
pub mod infer;
pub mod jdk_methods;
pub mod known;
pub mod literal;
pub mod lookups;
pub mod passes;
pub mod precise;
pub mod precision;
pub mod pure;
pub mod reach;
pub mod record;
pub mod reflection;
pub mod roots;
pub mod sought;
pub mod string_methods;
pub mod variant;
pub mod wanted;
