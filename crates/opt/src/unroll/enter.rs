//! The end of a trace that goes back to where loops began: what a [target](super::target) is about is made in the function of
//! that trace, and its end is like the end of the body.

use planish_ir::{Block, Location, Terminator, Value};
use planish_ops::{Op, Type};

use super::again::Mismatch;
use super::first::Peeled;
use super::peeling::Peeling;
use super::state::{Leaf, Node, Shape};
use super::target::{Entered, Source, Target, Wanted};
use crate::engine::Cx;
use crate::memory::state::Memory;

impl Memory {
    /// The end of a trace that goes back to where loops began: it enters the first one that it fits.
    pub(crate) fn enter_a_loop(&mut self, cx: &mut Cx<'_>, block: Block) {
        let &Terminator::Return(list) = cx.f.terminator(block) else { return };
        let args: Vec<Value> = cx.f.list(list).to_vec();
        let args: Vec<Value> = args.into_iter().map(|arg| cx.resolve(arg)).collect();
        self.force_strings(cx, &args);
        self.flush_at_end(cx);
        let args: Vec<Value> = args.into_iter().map(|arg| cx.resolve(arg)).collect();
        let targets = std::mem::take(&mut self.targets);
        self.entered = Some(Entered::None);
        for (number, target) in targets.iter().enumerate() {
            if target.roots.len() != args.len() {
                continue;
            }
            let mut peeling = self.stand_at(cx, target, block);
            match self.next_iteration(cx, &mut peeling, &args, false) {
                Ok(mut values) => {
                    for &step in &target.kept {
                        let param = cx.engine.imports.all[step].param;
                        let value = peeling.next[param].expect("every step was done again");
                        values.push(cx.resolve(value));
                    }
                    self.go(cx, block, &values);
                    self.entered = Some(Entered::Loop(number));
                    break;
                }
                Err(Mismatch::Shape) => {}
                Err(Mismatch::Holds) => {
                    self.entered = Some(Entered::Start);
                    break;
                }
            }
        }
        cx.engine.imports.clear();
        if !matches!(self.entered, Some(Entered::Loop(_))) {
            for &arg in &args {
                self.force(cx, arg);
            }
            self.flush_all(cx);
            let args: Vec<Value> = args.iter().map(|&arg| cx.resolve(arg)).collect();
            self.go(cx, block, &args);
        }
        self.targets = targets;
    }

    /// Lets a trace end with other values.
    fn go(&mut self, cx: &mut Cx<'_>, block: Block, values: &[Value]) {
        let types: Vec<Type> = values.iter().map(|&value| cx.f.ty(value)).collect();
        let list = cx.f.make_list(values);
        cx.f.set_result_types(&types);
        cx.f.set_terminator(block, Terminator::Return(list));
    }

    /// Makes what a target is about in the function at hand. What stands for its parameters is results of
    /// instructions that stand nowhere.
    fn stand_at(&mut self, cx: &mut Cx<'_>, target: &Target, block: Block) -> Peeling {
        let stand_in = |cx: &mut Cx<'_>, ty: Type| {
            let inst = cx.f.make_inst(Op::Call, &[], &[ty], None, None, Location::default());
            cx.f.result(inst)
        };
        let mut peeling = Peeling::new(Peeled { start: block, body: block });
        for wanted in &target.nodes {
            let (value, shape) = match wanted {
                Wanted::Constant(constant) => (cx.f.make_constant(*constant), Shape::Constant),
                &Wanted::Leaf { ty, reference, fact, shortest } => {
                    let leaf = Leaf { known: reference.here(cx), fact, shortest };
                    (stand_in(cx, ty), Shape::Leaf(leaf))
                }
                Wanted::Object { op, descr, args, fields } => {
                    let args: Vec<Value> = args.iter().map(|&arg| cx.f.make_constant(arg)).collect();
                    let inst = cx.f.make_inst(*op, &args, &[], *descr, None, Location::default());
                    self.keep_back(cx, inst);
                    (cx.f.result(inst), Shape::Object(fields.clone()))
                }
            };
            peeling.inside.push(Some(value));
            peeling.state.nodes.push(Node { value, shape });
        }
        peeling.state.roots.clone_from(&target.roots);
        peeling.state.leaves.clone_from(&target.leaves);
        cx.engine.imports.clear();
        for step in &target.steps {
            let args: Vec<Value> = (step.args.iter())
                .map(|&arg| match arg {
                    Source::Node(id) => peeling.inside[id].expect("every node has a value"),
                    Source::Step(number) => cx.engine.imports.all[number].param,
                    Source::Constant(constant) => cx.f.make_constant(constant),
                })
                .collect();
            let inst = cx.f.make_inst(step.op, &args, &step.types, step.descr, None, Location::default());
            let param = stand_in(cx, step.types[0]);
            let constant = step.constant.map(|constant| cx.f.make_constant(constant));
            let id = cx.engine.imports.add(inst, param, param, constant, Vec::new());
            let known = step.reference.here(cx);
            let import = &mut cx.engine.imports.all[id];
            (import.known, import.fact, import.shortest) = (known, step.fact, step.shortest);
            cx.engine.imports.note_use(id);
        }
        peeling
    }
}
