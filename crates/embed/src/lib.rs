//! The trace optimizer for authors of JITs: record a trace through an API, optimize it, walk the result.
//!
//! Nothing here is text. A JIT describes its own fields, arrays, classes and functions once in [`Words`];
//! while its interpreter runs hot code, a [`Recorder`] takes down the operations; an [`Optimizer`], whose
//! tables are kept from trace to trace, makes the trace shorter; [`Trace::steps`] walks what is left,
//! each guard with the values that the interpreter needs to go on where the trace leaves, and with a [`Recipe`] for
//! objects that only guards need: they are made where one fails.
//!
//! ```
//! use planish_trace::{Op, Optimizer, Recorder, Step, Type, Words};
//!
//! // total += (x + 0) * 2, until x reaches the limit
//! let words = Words::new();
//! let (mut r, inputs) = Recorder::new("loop", &[Type::I64; 3]);
//! let state = r.begin_loop(&inputs);
//! let [total, x, limit] = state[..] else { unreachable!() };
//! let (zero, one, two) = (r.int(0), r.int(1), r.int(2));
//! let sum = r.op(Op::Add, &[x, zero]);
//! let double = r.op(Op::Mul, &[sum, two]);
//! let total = r.op(Op::Add, &[total, double]);
//! let next = r.op(Op::Add, &[x, one]);
//! let again = r.op(Op::Lt, &[next, limit]);
//! r.guard(Op::GuardTrue, &[again], 0, &[total, next]);
//! r.guard(Op::GuardTrue, &[again], 1, &[total, next]);
//! let mut trace = r.close_loop(&[total, next, limit]);
//!
//! let done = Optimizer::new().optimize(&mut trace, &words).expect("the loop can run");
//! assert!(done.rewrites > 0);
//! let left: Vec<Op> = trace.steps().filter_map(|step| match step {
//!     Step::Operation(operation) => Some(operation.op),
//!     _ => None,
//! }).collect();
//! assert_eq!(left, [Op::Lshift, Op::Add, Op::Add, Op::Lt, Op::GuardTrue]);
//! ```
//!
//! The operations are those of the table ([`Op`], listed in `docs/ops.md`), proved rules included.
//! Everything is `Send`; there are no globals; wrong use panics where it is a mistake of the JIT's author
//! (documented at each function), and never because of a trace's content.

mod optimize;
mod record;
mod trace;
mod words;

pub use optimize::{Done, InvalidLoop, Optimizer};
pub use planish_ir::{Const, Recipe, RecipeStep, Slot, Value};
pub use planish_ops::world::{CallEffect, Mutability};
pub use planish_ops::{Int, Op, Real, Type};
pub use record::Recorder;
pub use trace::{Leave, Operand, Operation, Step, Trace};
pub use words::{Array, Callee, Class, Field, Words};
