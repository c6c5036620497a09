//! A text that is a straight line without a function's header: inputs are operations, results what nothing uses.

use planish_ops::Type;

use super::Reader;
use crate::function::{self, Block, Value};
use crate::text::ValueNames;
use crate::text::syntax::{self, OperandKind};

impl<'t> Reader<'t, '_> {
    pub(super) fn straight(
        mut self,
        operations: &[syntax::Operation<'t>],
        end: Option<&syntax::Terminator<'t>>,
    ) -> (function::Function, ValueNames) {
        let entry = self.builder.block("");
        self.builder.at(entry);
        let mut inputs = self.inputs(operations, entry).into_iter();
        for operation in operations {
            if operation.op.text != "getarg" {
                self.operation(operation);
            } else if let (Some(Some(input)), [(name, _)]) = (inputs.next(), &*operation.results) {
                self.define(*name, input);
            }
        }
        match end {
            Some(syntax::Terminator::Return(results, _)) => {
                let results: Vec<Value> = results.iter().filter_map(|r| self.operand(r, None)).collect();
                self.finish_straight(&results);
            }
            _ => {
                let results = self.unused(entry);
                self.finish_straight(&results);
            }
        }
        (self.builder.finish(), self.names)
    }

    fn finish_straight(&mut self, results: &[Value]) {
        let types: Vec<Type> = results.iter().map(|&r| self.builder.function().ty(r)).collect();
        self.builder.set_result_types(&types);
        self.builder.ret(results);
    }

    /// Parameters for all `getarg(N)`; a number that is left out is an unused i64. The one of each `getarg` in order, which has
    /// its name from there on.
    fn inputs(&mut self, operations: &[syntax::Operation<'t>], entry: Block) -> Vec<Option<Value>> {
        let mut inputs: Vec<Option<Type>> = Vec::new();
        let mut named = Vec::new();
        for operation in operations.iter().filter(|o| o.op.text == "getarg") {
            let (&[(name, ty)], [syntax::Operand { kind: OperandKind::Integer(number), .. }]) =
                (&operation.results[..], &operation.args[..])
            else {
                self.error(operation.op.span, "an input is written `v0 = getarg(0)`");
                named.push(None);
                continue;
            };
            let Ok(number @ 0..1_000_000) = number.parse::<usize>() else {
                self.error(operation.args[0].span, "inputs are numbered from 0 to 999999");
                named.push(None);
                continue;
            };
            if inputs.len() <= number {
                inputs.resize(number + 1, None);
            }
            let ty = ty.unwrap_or(Type::I64);
            if inputs[number].is_some_and(|known| known != ty) {
                self.error(name.span, format!("input {number} has another type above"));
            }
            inputs[number] = Some(ty);
            named.push(Some(number));
        }
        let params: Vec<Value> =
            inputs.iter().map(|ty| self.builder.param(entry, ty.unwrap_or(Type::I64))).collect();
        named.into_iter().map(|number| number.map(|number: usize| params[number])).collect()
    }

    /// Results that nothing uses, in order.
    fn unused(&self, entry: Block) -> Vec<Value> {
        let f = self.builder.function();
        let mut used = planish_base::SideTable::<Value, bool>::new();
        for &inst in f.block_insts(entry) {
            let exit = f.inst(inst).exit.map_or(&[][..], |exit| f.exit_args(exit));
            for &value in f.args(inst).iter().chain(exit) {
                used[value] = true;
            }
        }
        f.block_insts(entry).iter().flat_map(|&inst| f.results(inst)).filter(|&value| !used[value]).collect()
    }
}
