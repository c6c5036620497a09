//! Who is shown each function as it is when it is optimized.

use std::fmt;
use std::sync::Arc;

use planish_ir::Function;

/// What is done with a name and a function.
type Sees = dyn Fn(&str, &Function) + Send + Sync;

/// Is told the name and the optimized form of each function. Functions of a program of classes are shown in every round, from
/// several threads.
#[derive(Clone)]
pub struct Witness(Arc<Sees>);

impl Witness {
    /// One that hands functions on.
    pub fn new(sees: impl Fn(&str, &Function) + Send + Sync + 'static) -> Witness {
        Witness(Arc::new(sees))
    }

    /// Shows a function.
    pub fn see(&self, name: &str, function: &Function) {
        (self.0)(name, function);
    }
}

impl fmt::Debug for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Witness")
    }
}
