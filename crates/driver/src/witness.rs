//! Who is shown each function as it is when it is optimized.

use std::fmt;
use std::sync::Arc;

use planish_domain::IntFact;
use planish_ir::{Function, Value};

/// What is known of a value where it is defined, if it is an integer of which something is.
pub type FactOf<'a> = &'a dyn Fn(Value) -> Option<IntFact>;

/// What is done with a name, a function, and what was known of its values when they were last looked at.
type Sees = dyn Fn(&str, &Function, FactOf<'_>) + Send + Sync;

/// Is told the name and the optimized form of each function, and what is known of its values. Functions of a program of classes are shown in every round, from
/// several threads.
#[derive(Clone)]
pub struct Witness(Arc<Sees>);

impl Witness {
    /// One that hands functions on.
    pub fn new(sees: impl Fn(&str, &Function, FactOf<'_>) + Send + Sync + 'static) -> Witness {
        Witness(Arc::new(sees))
    }

    /// Shows a function.
    pub fn see(&self, name: &str, function: &Function, fact_of: FactOf<'_>) {
        (self.0)(name, function, fact_of);
    }
}

impl fmt::Debug for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Witness")
    }
}
