//! The code of calls: of functions of the program, of those about memory, of what a host answers.

use cranelift_codegen::ir::{InstBuilder, MemFlagsData, types};
use planish_ir::{Inst, Value};
use planish_ops::world::{Meaning as Function, World};

use crate::code::{Asked, place};
use crate::function::{Writer, held};
use crate::refused::Refused;
use crate::unit::kept_type;

impl Writer<'_, '_, '_> {
    /// A call of a function of the program, or of one about memory.
    pub(crate) fn calls(&mut self, inst: Inst) -> Result<(), Refused> {
        let data = *self.f.inst(inst);
        let world = &self.unit.module.descriptors;
        let name = data.descr.map_or("?", |descr| world.name(descr));
        if data.descr.is_some_and(|descr| world.unconditional(descr).is_some()) {
            return self.refuse(format!("the call of `{name}` is made only sometimes"));
        }
        let Some(&callee) = self.unit.names.get(name) else {
            if let Some(what) = data.descr.and_then(|descr| world.cells(descr)) {
                return self.cells(what, inst);
            }
            let meaning = data.descr.and_then(|descr| world.meaning(descr));
            return match meaning.map(|(meaning, _)| meaning) {
                Some(Function::RawMalloc) => self.allocate(inst),
                Some(Function::RawFree) => self.free(inst),
                Some(Function::MemoryCheck) => Ok(()),
                _ if (self.unit.options.answered)(name) => self.ask(inst, name),
                _ => self.refuse(format!("`{name}`, which it calls, is not in the program")),
            };
        };
        let module = self.unit.module;
        let function = &module.functions[callee];
        let (params, types) = (function.params(), function.result_types());
        let args = self.f.args(inst);
        let results: Vec<Value> = self.f.results(inst).collect();
        let fits = params.iter().map(|&param| function.ty(param)).eq(args.iter().map(|&arg| self.f.ty(arg)))
            && results.len() <= types.len()
            && results.iter().zip(types).all(|(&result, &ty)| self.f.ty(result) == ty);
        if !fits {
            return self.refuse(format!("`{name}` is called with other types than its own"));
        }
        let mut passed = vec![self.context];
        for &arg in args {
            passed.push(self.register(arg)?);
        }
        let callee = self.callee(self.unit.compiled[&callee]);
        let call = self.emit.code.ins().call(callee, &passed);
        let returned = self.emit.code.inst_results(call).to_vec();
        self.after_call(returned[0], data.exit)?;
        if let Some(&first) = results.first() {
            self.set(first, held(returned[1], self.f.ty(first)));
        }
        self.take(&results, 1)
    }

    /// A call that leaves the program, which a host answers.
    fn ask(&mut self, inst: Inst, name: &str) -> Result<(), Refused> {
        let args = self.f.args(inst);
        let results: Vec<Value> = self.f.results(inst).collect();
        let types = |values: &[Value]| values.iter().map(|&value| self.f.ty(value)).collect();
        let asked = Asked { name: name.to_owned(), args: types(args), results: types(&results) };
        let number = self.unit.asked.len() as i64;
        self.unit.asked.push(asked);
        self.unit.room = self.unit.room.max(results.len());
        let passed = self.registers(args)?;
        self.keep(&passed, 0)?;
        let callee = self.callee(self.unit.helpers.ask);
        let number = self.emit.code.ins().iconst(types::I64, number);
        let call = self.emit.code.ins().call(callee, &[self.context, number]);
        let ended = self.emit.code.inst_results(call)[0];
        self.end_with_if(ended);
        self.take(&results, 0)
    }

    /// Lets values be what stands in memory for them, a word each, those from a position on.
    fn take(&mut self, results: &[Value], from: usize) -> Result<(), Refused> {
        if results.len() <= from {
            return Ok(());
        }
        let words = self.load(place::WORDS);
        for (&result, position) in results.iter().zip(0..).skip(from) {
            let ty = self.f.ty(result);
            let Some(machine) = kept_type(ty) else {
                return self.refuse(format!("it has a value of type {ty}"));
            };
            let register = self.emit.code.ins().load(machine, MemFlagsData::trusted(), words, 8 * position);
            self.set(result, held(register, ty));
        }
        Ok(())
    }
}
