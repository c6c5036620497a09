//! Target tokens, as in PyPy: loops that bridges and other traces may enter.
//!
//! A trace that ends where a loop began can go on in the loop's body if its values are what the body assumes, and if
//! it does again what the body uses from before: in PyPy the virtual state of a label and its short preamble. Both
//! are kept here apart from the function of the loop, and made anew in the function of the trace that comes to it,
//! where the end of that trace is then like the end of the body: the same comparison, the same guards, the same
//! operations done again (see `again`).

use hashbrown::HashMap;
use planish_domain::IntFact;
use planish_ir::{Block, Const, Location, Terminator, Value};
use planish_ops::world::Descr;
use planish_ops::{Op, Type};
use rustc_hash::FxBuildHasher;

use super::again::Mismatch;
use super::state::{Leaf, Node, Shape, State};
use super::{Entered, Peeled, Peeling};
use crate::engine::Cx;
use crate::engine::refs::Known;
use crate::memory::Memory;
use crate::memory::virtuals::Field;

/// A value of a target: what is known of a reference, apart from any function.
#[derive(Clone, Copy)]
struct Reference {
    nonnull: bool,
    class: Option<Const>,
}

impl Reference {
    fn of(cx: &Cx<'_>, known: Known) -> Reference {
        Reference { nonnull: known.nonnull, class: known.class.and_then(|class| cx.f.constant(class)) }
    }

    fn here(self, cx: &mut Cx<'_>) -> Known {
        Known { nonnull: self.nonnull, class: self.class.map(|class| cx.f.make_constant(class)) }
    }
}

/// The shape of one value.
enum Wanted {
    Constant(Const),
    Leaf { ty: Type, reference: Reference, fact: Option<IntFact>, shortest: i64 },
    Object { op: Op, descr: Option<Descr>, args: Vec<Const>, fields: Vec<(Field, usize)> },
}

/// Where an operand comes from.
#[derive(Clone, Copy)]
enum Source {
    Node(usize),
    Step(usize),
    Constant(Const),
}

/// An operation to do again, and what must hold of its result.
struct Step {
    op: Op,
    descr: Option<Descr>,
    args: Vec<Source>,
    types: Vec<Type>,
    constant: Option<Const>,
    reference: Reference,
    fact: Option<IntFact>,
    shortest: i64,
}

/// A loop that may be entered.
pub(crate) struct Target {
    nodes: Vec<Wanted>,
    roots: Vec<usize>,
    leaves: Vec<usize>,
    /// What the body uses from before, operands first.
    steps: Vec<Step>,
    /// The steps whose results the body has as parameters, behind those for the leaves.
    kept: Vec<usize>,
}

impl Target {
    /// What a body assumes that has just been walked. Nothing where it holds a value that is no constant and comes
    /// from nowhere.
    pub fn of(cx: &Cx<'_>, peeling: &Peeling, kept: &[usize]) -> Option<Target> {
        let mut sources: HashMap<Value, Source, FxBuildHasher> = HashMap::default();
        let mut nodes = Vec::new();
        for (id, node) in peeling.state.nodes.iter().enumerate() {
            sources.insert(peeling.inside[id]?, Source::Node(id));
            nodes.push(match &node.shape {
                Shape::Constant => Wanted::Constant(cx.f.constant(node.value)?),
                Shape::Leaf(leaf) => Wanted::Leaf {
                    ty: cx.f.ty(node.value),
                    reference: Reference::of(cx, leaf.known),
                    fact: leaf.fact,
                    shortest: leaf.shortest,
                },
                Shape::Object(fields) => {
                    let inst = cx.f.def_inst(node.value)?;
                    let args: Option<Vec<Const>> =
                        cx.f.args(inst).iter().map(|&a| cx.f.constant(a)).collect();
                    let data = cx.f.inst(inst);
                    Wanted::Object { op: data.op, descr: data.descr, args: args?, fields: fields.clone() }
                }
            });
        }
        let imports = &cx.engine.imports;
        let mut steps = Vec::new();
        for (number, &id) in imports.used.iter().enumerate() {
            let import = &imports.all[id];
            let args: Option<Vec<Source>> = (cx.f.args(import.inst).iter())
                .map(|arg| sources.get(arg).copied().or_else(|| cx.f.constant(*arg).map(Source::Constant)))
                .collect();
            let data = cx.f.inst(import.inst);
            steps.push(Step {
                op: data.op,
                descr: data.descr,
                args: args?,
                types: cx.f.results(import.inst).map(|result| cx.f.ty(result)).collect(),
                constant: import.constant.and_then(|constant| cx.f.constant(constant)),
                reference: Reference::of(cx, import.known),
                fact: import.fact,
                shortest: import.shortest,
            });
            sources.insert(import.param, Source::Step(number));
        }
        let kept: Option<Vec<usize>> =
            kept.iter().map(|id| imports.used.iter().position(|used| used == id)).collect();
        let State { roots, leaves, .. } = &peeling.state;
        Some(Target { nodes, roots: roots.clone(), leaves: leaves.clone(), steps, kept: kept? })
    }
}

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
