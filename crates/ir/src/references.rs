//! References to functions: the symbols that name functions of a module, and the signatures of calls through them.
//!
//! The address of a function is a constant like that of any symbol: `&f`, of the type `ref`. What is called through a
//! reference is known only when it runs, so the call has a signature of its own: its descriptor, which all calls of these
//! operands and results name.

use hashbrown::HashMap;
use planish_ops::Type;
use rustc_hash::FxBuildHasher;

use crate::constant::{Const, Symbol};
use crate::function::{Function, Inst, Value};
use crate::liveness::for_each_use;
use crate::module::{FuncId, Module};

/// The functions of a module by the symbols that refer to them.
pub struct References {
    functions: HashMap<Symbol, FuncId, FxBuildHasher>,
}

impl References {
    /// Looks up the name of each function. O(functions).
    pub fn new(module: &Module) -> Self {
        let named =
            |(id, function): (FuncId, &Function)| Some((module.symbols.lookup_str(&function.name)?, id));
        References { functions: module.functions.iter().filter_map(named).collect() }
    }

    /// Whether nothing refers to a function.
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }

    /// The function to which a value refers, if that is known where it stands.
    pub fn of(&self, f: &Function, value: Value) -> Option<FuncId> {
        match f.constant(value)? {
            Const::Symbol(symbol, Type::Ref) => self.functions.get(&symbol).copied(),
            _ => None,
        }
    }

    /// The functions to which a function refers as values, in order, with repetitions. O(size of the function).
    pub fn within(&self, f: &Function) -> Vec<FuncId> {
        let mut found = Vec::new();
        if !self.is_empty() {
            for &block in f.blocks() {
                for_each_use(f, block, |_, value| found.extend(self.of(f, value)));
            }
        }
        found
    }
}

/// The name of the signature of calls with operands and results of some types, as in `i64_ref_to_i64`.
pub fn signature(operands: impl Iterator<Item = Type>, results: impl Iterator<Item = Type>) -> String {
    let operands = operands.map(|ty| ty.to_string());
    let words = operands.chain(std::iter::once("to".to_owned())).chain(results.map(|ty| ty.to_string()));
    words.collect::<Vec<_>>().join("_")
}

/// Whether a call through a reference may enter a function: the operands are those of the function, and the results are
/// the first of the function's.
pub fn fits(caller: &Function, call: Inst, callee: &Function) -> bool {
    let given = caller.args(call)[1..].iter().map(|&arg| caller.ty(arg));
    let mut results = callee.result_types().iter();
    given.eq(callee.params().iter().map(|&param| callee.ty(param)))
        && caller.results(call).all(|result| results.next() == Some(&caller.ty(result)))
}
