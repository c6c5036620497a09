//! Target tokens, as in PyPy: loops that bridges and other traces may enter.
//!
//! A trace that ends where a loop began can go on in the loop's body if its values are what the body assumes, and if
//! it does again what the body uses from before: in PyPy the virtual state of a label and its short preamble. Both
//! are kept here apart from the function of the loop, and made anew in the function of the trace that comes to it,
//! where the end of that trace is then like the end of the body (`enter`): the same comparison, the same guards, the same
//! operations done again (`again`).

use hashbrown::HashMap;
use planish_domain::IntFact;
use planish_ir::{Const, Value};
use planish_ops::world::Descr;
use planish_ops::{Op, Type};
use rustc_hash::FxBuildHasher;

use super::peeling::Peeling;
use super::state::{Shape, State};
use crate::engine::Cx;
use crate::engine::refs::Known;
use crate::memory::virtuals::Field;

/// What a trace has to do with loops of other traces that begin where it began or where it ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Meets {
    /// Nothing.
    #[default]
    Nobody,
    /// Others may enter its loop.
    Followers,
    /// It may enter the loops of those before it, instead of returning.
    Loops,
}

/// Where a trace goes that may enter loops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entered {
    /// The body of a loop, by its number among those that may be entered.
    Loop(usize),
    /// The beginning of the first, which assumes nothing: what a loop assumes is contradicted.
    Start,
    /// No loop assumes what holds of it: it would need a version of its own.
    None,
}

/// A value of a target: what is known of a reference, apart from any function.
#[derive(Clone, Copy)]
pub(super) struct Reference {
    pub(super) nonnull: bool,
    pub(super) class: Option<Const>,
}

impl Reference {
    pub(super) fn of(cx: &Cx<'_>, known: Known) -> Reference {
        Reference { nonnull: known.nonnull, class: known.class.and_then(|class| cx.f.constant(class)) }
    }

    pub(super) fn here(self, cx: &mut Cx<'_>) -> Known {
        Known { nonnull: self.nonnull, class: self.class.map(|class| cx.f.make_constant(class)) }
    }
}

/// The shape of one value.
pub(super) enum Wanted {
    Constant(Const),
    Leaf { ty: Type, reference: Reference, fact: Option<IntFact>, shortest: i64 },
    Object { op: Op, descr: Option<Descr>, args: Vec<Const>, fields: Vec<(Field, usize)> },
}

/// Where an operand comes from.
#[derive(Clone, Copy)]
pub(super) enum Source {
    Node(usize),
    Step(usize),
    Constant(Const),
}

/// An operation to do again, and what must hold of its result.
pub(super) struct Step {
    pub(super) op: Op,
    pub(super) descr: Option<Descr>,
    pub(super) args: Vec<Source>,
    pub(super) types: Vec<Type>,
    pub(super) constant: Option<Const>,
    pub(super) reference: Reference,
    pub(super) fact: Option<IntFact>,
    pub(super) shortest: i64,
}

/// A loop that may be entered.
pub(crate) struct Target {
    pub(super) nodes: Vec<Wanted>,
    pub(super) roots: Vec<usize>,
    pub(super) leaves: Vec<usize>,
    /// What the body uses from before, operands first.
    pub(super) steps: Vec<Step>,
    /// The steps whose results the body has as parameters, behind those for the leaves.
    pub(super) kept: Vec<usize>,
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
