//! Where control goes: exits with what is made there, edges, terminators.

use hashbrown::HashMap;
use planish_ops::{Int, Op, Type};
use rustc_hash::FxBuildHasher;

use super::Reader;
use super::literal::integer;
use crate::function::{self, Block, ExitTarget, Handler, Value};
use crate::recipe::{Recipe, Slot};
use crate::text::syntax::{self, OperandKind};

impl<'t> Reader<'t, '_> {
    pub(super) fn exit(&mut self, source: &syntax::Exit<'t>) -> Option<function::Exit> {
        let args: Vec<Value> = source.args.iter().filter_map(|a| self.operand(a, None)).collect();
        let target = match &source.target {
            syntax::ExitTarget::Leave(number) => ExitTarget::Leave(*number),
            syntax::ExitTarget::Unwind => ExitTarget::Unwind,
            syntax::ExitTarget::To(handlers) => {
                let mut list = Vec::new();
                for (class, block) in handlers {
                    let class = match class {
                        None => None,
                        Some(name) => match self.handled(*name) {
                            Some(descr) => Some(descr),
                            None => continue,
                        },
                    };
                    if let Some(block) = self.block(*block) {
                        list.push(Handler { class, block });
                    }
                }
                ExitTarget::To(list.into())
            }
        };
        let exit = self.builder.exit(target, &args);
        if let Some(recipe) = source.recipe.as_ref().and_then(|recipe| self.recipe(recipe)) {
            self.builder.set_recipe(exit, recipe);
        }
        Some(exit)
    }

    /// A recipe whose words are known; what they mean together is the verifier's to judge.
    fn recipe(&mut self, source: &syntax::Recipe<'t>) -> Option<Recipe> {
        let mut recipe = Recipe::default();
        recipe.state = self.slots(&source.state)?;
        for (number, step) in source.steps.iter().enumerate() {
            let operands = self.slots(&step.operands)?;
            let Some(op) = Op::from_name(step.op.text) else {
                self.error(step.op.span, format!("unknown operation `{}`", step.op.text));
                return None;
            };
            let own = Slot::Made(number as u32).to_string();
            if let Some(result) = step.result.filter(|result| result.text != own) {
                self.error(result.span, format!("this step of the exit makes `{own}`"));
            }
            let descr = match step.descr {
                None => None,
                Some(name) => self.named(op, name),
            };
            recipe.push(op, descr, &operands);
        }
        Some(recipe)
    }

    fn slots(&mut self, names: &[syntax::Name<'t>]) -> Option<Vec<Slot>> {
        let mut slots = Vec::with_capacity(names.len());
        for name in names {
            let slot: Option<Slot> = name.text.parse().ok();
            if slot.is_none() {
                let message = format!("`{}` is no argument of the exit and no step of it", name.text);
                self.error(name.span, message);
            }
            slots.push(slot?);
        }
        Some(slots)
    }

    fn block(&mut self, name: syntax::Name<'t>) -> Option<Block> {
        let block = self.blocks.get(name.text).copied();
        if block.is_none() {
            self.error(name.span, format!("block `{}` is not defined", name.text));
        }
        block
    }

    fn call(&mut self, source: &syntax::Call<'t>) -> Option<function::BlockCall> {
        let block = self.block(source.block)?;
        let f = self.builder.function();
        let types: Vec<Type> = f.block_params(block).iter().map(|&p| f.ty(p)).collect();
        if types.len() != source.args.len() {
            let message = format!(
                "block `{}` has {} parameters, found {}",
                source.block.text,
                types.len(),
                source.args.len()
            );
            self.error(source.block.span, message);
            return None;
        }
        let args = self.typed(&source.args, &types)?;
        Some(self.builder.call(block, &args))
    }

    /// Operands that must have these types.
    fn typed(&mut self, operands: &[syntax::Operand<'t>], types: &[Type]) -> Option<Vec<Value>> {
        let mut values = Vec::with_capacity(operands.len());
        for (operand, &ty) in operands.iter().zip(types) {
            let value = self.operand(operand, Some(ty))?;
            let actual = self.builder.function().ty(value);
            if actual != ty {
                self.error(operand.span, format!("expected {ty}, found a value of type {actual}"));
                return None;
            }
            values.push(value);
        }
        Some(values)
    }

    pub(super) fn terminator(&mut self, source: &syntax::Terminator<'t>) {
        if let Some(terminator) = self.read_terminator(source) {
            self.builder.terminate(terminator);
        }
    }

    fn read_terminator(&mut self, source: &syntax::Terminator<'t>) -> Option<function::Terminator> {
        use syntax::Terminator as T;
        Some(match source {
            T::Jump(call) => function::Terminator::Jump(self.call(call)?),
            T::Branch(condition, then, other) => {
                let value = self.integer(condition, Type::I1);
                let (then, other) = (self.call(then), self.call(other));
                function::Terminator::Branch { condition: value?, then: then?, other: other? }
            }
            T::Switch(on, cases, default) => {
                let on_value = self.integer(on, Type::I64)?;
                let width =
                    self.builder.function().ty(on_value).int_width().expect("checked to be an integer");
                let mut list: Vec<(Int, function::BlockCall)> = Vec::new();
                let mut seen = HashMap::<Int, (), FxBuildHasher>::default();
                for (key, call) in cases {
                    let int = match key.kind {
                        OperandKind::Integer(text) => integer(text, width),
                        _ => None,
                    };
                    let Some(int) = int else {
                        self.error(key.span, format!("a case is an integer of {width} bits"));
                        continue;
                    };
                    if seen.insert(int, ()).is_some() {
                        self.error(key.span, "this case stands twice");
                    }
                    list.push((int, self.call(call)?));
                }
                function::Terminator::Switch {
                    on: on_value,
                    cases: list.into(),
                    default: self.call(default)?,
                }
            }
            T::Return(results, span) => {
                let types = self.result_types.clone();
                if types.len() != results.len() {
                    let message =
                        format!("the function has {} results, found {}", types.len(), results.len());
                    self.error(*span, message);
                    return None;
                }
                let results = self.typed(results, &types)?;
                let call = self.builder.call(self.builder.here(), &results);
                function::Terminator::Return(call.args)
            }
            T::Throw(value, exit) => {
                let value = self.typed(std::slice::from_ref(value), &[Type::Ref])?;
                let exit = exit.as_ref().and_then(|exit| self.exit(exit));
                function::Terminator::Throw(value[0], exit)
            }
            T::Unreachable => function::Terminator::Unreachable,
        })
    }
}
