//! Vectorization: neighbouring iterations of a loop over arrays become one iteration over vectors.
//!
//! The pass is the superword algorithm (Larsen and Amarasinghe, "Exploiting Superword Level Parallelism with
//! Multimedia Instruction Sets", 2000) in the form that PyPy's optimizer gives it for traces:
//!
//! 1. guards that depend on nothing but arithmetic are checked first (`hoist`), and leave to the beginning of
//!    the iteration;
//! 2. the body is repeated (`repeat`) until the smallest item that it accesses fills a register;
//! 3. accesses to neighbouring items are pairs, and so are operations on what pairs load and operations that
//!    compute what pairs store; pairs that overlap join to packs (`packs`) of the size of a register;
//! 4. the operations are scheduled (`schedule`) by their dependences (`graph`); a pack becomes (`emit`) one
//!    operation on vectors, arithmetic that only counted is done where something needs it;
//! 5. guards over one index (`guards`) imply each other: the strongest takes the place of the first.
//!
//! The traces of this dialect are the last form before machine code, and only they have vectors; so the pass
//! works on [text](crate::text) and not on the IR, where everything before it was done. What it takes for
//! granted is what PyPy's takes for granted: arrays under different names do not overlap, an index does not wrap
//! around, and lanes are as wide as the items in memory.

mod emit;
mod graph;
mod guards;
mod hoist;
mod index;
mod instr;
mod lanes;
mod packs;
mod repeat;
mod schedule;
mod shape;
mod stages;

pub use shape::Item;
pub use stages::{Stage, UnknownStage, run};

use planish_base::{Arena, SideTable, Span};
use shape::Shape;

use crate::opcode::Kind;
use crate::text::{Arg, Name, OpData, Text, Texts, Trace, Var, VarData};
use instr::{Instr, Renaming, renamed};

/// Why a loop stays as it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    /// What stands against vectors.
    pub reason: String,
    /// Where, if it is one operation.
    pub place: Option<Span>,
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "not vectorizeable: {}", self.reason)
    }
}

impl std::error::Error for Refused {}

/// A refusal.
fn refused<T>(reason: impl Into<String>) -> Result<T, Refused> {
    Err(Refused { reason: reason.into(), place: None })
}

/// A refusal for the sake of an operation.
fn refused_at<T>(op: &OpData, reason: impl Into<String>) -> Result<T, Refused> {
    Err(Refused { reason: reason.into(), place: Some(op.span) })
}

/// A loop: one label, operations, and the jump back to it.
struct Loop {
    vars: Arena<Var, VarData>,
    shapes: SideTable<Var, Option<Shape>>,
    label: Vec<Arg>,
    /// What is made once, before the loop.
    prefix: Vec<Instr>,
    /// Whether the loop begins behind the prefix, and what its label has besides the inputs.
    carried: Option<Vec<Arg>>,
    /// Vectors that stand for scalars at the label behind the prefix.
    seeds: Renaming,
    ops: Vec<Instr>,
    jump: Instr,
    /// The number of the next name.
    next: u32,
}

impl Loop {
    /// The loop that a trace is.
    fn of(trace: &Trace, texts: &Texts, item: &dyn Fn(Text) -> Option<Item>) -> Result<Loop, Refused> {
        let list = |list| trace.lists.get(list).to_vec();
        let mut ops = Vec::with_capacity(trace.ops.len());
        let mut label = list(trace.inputs);
        for op in &trace.ops {
            let Some(opcode) = op.opcode else {
                return refused_at(op, format!("what `{}` does is not known", trace.op_name(op, texts)));
            };
            if matches!(opcode.name(), "debug_merge_point" | "jit_debug") {
                continue;
            }
            if opcode.name() == "label" {
                if !ops.is_empty() {
                    return refused_at(op, "a label stands inside of the loop");
                }
                label = list(op.args);
                continue;
            }
            let (args, fail) = (list(op.args), op.fail.map(list));
            let OpData { result, descr, span, .. } = *op;
            ops.push(Instr { opcode, args, result, descr, fail, early: false, span });
        }
        let Some(jump) = ops.pop().filter(|op| op.name() == "jump") else {
            return refused("there is no jump at the end");
        };
        if jump.args.len() != label.len() {
            return refused("the jump does not go to the label");
        }
        let mut next = 0;
        for var in trace.vars.values() {
            if let Name::Numbered(_, number) = var.name {
                next = next.max(number + 1);
            }
        }
        let mut loop_ = Loop {
            vars: trace.vars.clone(),
            shapes: SideTable::new(),
            label,
            prefix: Vec::new(),
            carried: None,
            seeds: Renaming::default(),
            ops,
            jump,
            next,
        };
        loop_.measure(item);
        Ok(loop_)
    }

    /// Says of every result how wide it is.
    fn measure(&mut self, item: &dyn Fn(Text) -> Option<Item>) {
        for op in &self.ops {
            if let Some(result) = op.result {
                let kind = self.vars[result].kind;
                self.shapes[result] = Some(Shape::of(op, kind, &self.shapes, item));
            }
        }
    }

    /// A fresh scalar of the kind of another value.
    fn fresh_like(&mut self, var: Var) -> Var {
        let kind = self.vars[var].kind;
        let shape = self.shapes[var];
        let fresh = self.fresh(kind);
        self.shapes[fresh] = shape;
        fresh
    }

    /// A fresh scalar.
    fn fresh(&mut self, kind: Kind) -> Var {
        let name = Name::Numbered(kind.letter() as u8, self.next);
        self.next += 1;
        self.vars.push(VarData { name, kind })
    }

    /// A fresh vector of a shape.
    fn fresh_vector(&mut self, shape: Shape, texts: &mut Texts) -> Var {
        let name = Name::Other(texts.intern(format!("v{}{shape}", self.next)));
        self.next += 1;
        let var = self.vars.push(VarData { name, kind: Kind::Vector });
        self.shapes[var] = Some(shape);
        var
    }

    /// The loop as a trace. The prefix stands between the inputs and the label.
    fn trace(self, source: &Trace) -> Trace {
        let mut trace =
            Trace { comments: source.comments.clone(), closing: source.closing.clone(), ..Trace::default() };
        trace.inputs = trace.lists.push(&self.label);
        let mut ops = self.prefix;
        if let Some(carried) = self.carried {
            let args = self.label.iter().map(|&arg| renamed(arg, &self.seeds)).chain(carried).collect();
            ops.push(Instr::new("label", args, None, self.jump.span));
        }
        ops.extend(self.ops);
        ops.push(self.jump);
        for op in ops {
            let Instr { opcode, args, result, descr, fail, span, .. } = op;
            let args = trace.lists.push(&args);
            let fail = fail.map(|fail| trace.lists.push(&fail));
            trace.ops.push(OpData {
                opcode: Some(opcode),
                name: None,
                result,
                args,
                descr,
                fail,
                resume: None,
                offset: None,
                span,
            });
        }
        trace.vars = self.vars;
        trace
    }
}
