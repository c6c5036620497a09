//! What is said of a program besides what becomes of it.

use planish_driver::Settings;
use planish_jar::inputs::Classpath;
use planish_jar::programs::around::Surroundings;
use planish_jar::programs::outcome::ShrinkOutcome;
use planish_jar::programs::roots::Roots;
use planish_jar::rounds::optimize_program;

use crate::small::{add_rules, read_in};

/// What is known of files that become something by rules.
pub fn outcome_of(files: &[(&str, Vec<u8>)], rules: &str, mut roots: Roots) -> ShrinkOutcome {
    let (mut archive, hierarchy) = read_in(files);
    add_rules(rules, &mut roots);
    let classpath = Classpath::default();
    let around = Surroundings::quiet(&hierarchy, &classpath, &roots);
    optimize_program(&mut archive, around, &Settings::default()).unwrap().0
}
