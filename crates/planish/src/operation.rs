//! Operations of one's own: opaque to the optimizer, but with types and an effect.

use planish_ir::module::Descriptor;
use planish_ir::{Builder, Function, Inst, Module, Value};
use planish_ops::world::{CallEffect, Descr, World};
use planish_ops::{Op, Type};

use crate::Error;
use crate::run::types;

/// An operation that the table does not have. It is a call that names a descriptor, of which the optimizer knows what the
/// [`CallEffect`] says and no more: one that is [pure](CallEffect::pure) goes when nothing uses its results, and memory is
/// behind it what it was; one of [unknown](CallEffect::unknown) effect stays where it is, and memory may be anything behind
/// it. Who runs the function says what it computes ([`Host`](crate::Host)).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    name: String,
    descr: Descr,
    params: Vec<Type>,
    results: Vec<Type>,
}

impl Operation {
    /// Declares an operation in a module; declaring it again with the same effect gives the same one. O(1).
    ///
    /// # Errors
    ///
    /// [`Error::Taken`] when the name stands for something else: a location, or a callee of another effect.
    pub fn declare(
        module: &mut Module,
        name: &str,
        params: &[Type],
        results: &[Type],
        effect: CallEffect,
    ) -> Result<Operation, Error> {
        let declared = Descriptor::Callee(effect);
        if let Some(known) = module.descriptors.lookup(name)
            && *module.descriptors.get(known) != declared
        {
            return Err(Error::Taken(name.to_owned()));
        }
        let descr = module.descriptors.intern(name, || declared);
        Ok(Operation { name: name.to_owned(), descr, params: params.to_vec(), results: results.to_vec() })
    }

    /// An operation of a world of one's own, which says its name and effect. O(length of the types).
    pub fn of(world: &dyn World, descr: Descr, params: &[Type], results: &[Type]) -> Operation {
        let name = world.name(descr).to_owned();
        Operation { name, descr, params: params.to_vec(), results: results.to_vec() }
    }

    /// What instructions of this operation name.
    pub fn descr(&self) -> Descr {
        self.descr
    }

    /// Appends the operation to the builder's block: the instruction, whose results are consecutive values.
    ///
    /// # Panics
    ///
    /// When the operands are not of the types that were declared, or the builder has no block.
    pub fn append(&self, builder: &mut Builder, args: &[Value]) -> Inst {
        self.check(builder.function(), args);
        builder.inst(Op::Call, args, &self.results, Some(self.descr), None)
    }

    /// Whether an instruction is this operation. O(1).
    pub fn is(&self, f: &Function, inst: Inst) -> bool {
        let data = f.inst(inst);
        data.op == Op::Call && data.descr == Some(self.descr)
    }

    /// Makes an existing instruction this operation: what a pass does that finds a pattern for it. The results keep their
    /// values, so that nothing that uses them changes.
    ///
    /// # Panics
    ///
    /// When the operands or results are not of the types that were declared.
    pub fn replace(&self, f: &mut Function, inst: Inst, args: &[Value]) {
        self.check(f, args);
        let results: Vec<Type> = f.results(inst).map(|result| f.ty(result)).collect();
        assert!(
            results == self.results,
            "`{}` gives ({}), not ({})",
            self.name,
            types(&self.results),
            types(&results)
        );
        f.rewrite_inst(inst, Op::Call, args);
        f.set_descr(inst, Some(self.descr));
        f.set_exit(inst, None);
    }

    fn check(&self, f: &Function, args: &[Value]) {
        let given: Vec<Type> = args.iter().map(|&arg| f.ty(arg)).collect();
        assert!(
            given == self.params,
            "`{}` takes ({}), not ({})",
            self.name,
            types(&self.params),
            types(&given)
        );
    }
}
