//! The trace optimizer for authors of JITs: record a trace through an API, optimize it, walk the result.
//!
//! Nothing here is text. A JIT describes its own fields, arrays, classes and functions in [`Words`]; while its
//! interpreter runs hot code, a [`Recorder`] takes down the operations. It makes the trace shorter while it grows,
//! or an [`Optimizer`] does that afterwards and can unroll it; the tables of both are kept from trace to trace.
//! [`Trace::steps`] walks what is left, each guard with the values that the interpreter needs to go on where the
//! trace leaves, and with a [`Recipe`] for objects that only guards need: they are made where one fails.
//!
//! ```
//! use planish_trace::{Op, Recorder, Refused, Step, Type, Words};
//!
//! # fn main() -> Result<(), Refused> {
//! // total += (x + 0) * 2, until x reaches the limit
//! let mut r = Recorder::optimizing(Words::new(), Recorder::STREAMING)?;
//! let inputs = r.begin("loop", &[Type::I64; 3])?.to_vec();
//! let &[total, x, limit] = r.begin_loop(&inputs)? else { unreachable!("three values") };
//! let (zero, one, two) = (r.int(0), r.int(1), r.int(2));
//! let sum = r.op(Op::Add, &[x, zero])?;
//! let double = r.op(Op::Mul, &[sum, two])?;
//! let total = r.op(Op::Add, &[total, double])?;
//! let next = r.op(Op::Add, &[x, one])?;
//! let again = r.op(Op::Lt, &[next, limit])?;
//! r.guard(Op::GuardTrue, &[again], 0, &[total, next])?;
//! r.guard(Op::GuardTrue, &[again], 1, &[total, next])?;
//! assert_eq!(r.len(), 5, "the trace so far is optimized");
//! let trace = r.close_loop(&[total, next, limit])?;
//!
//! let left: Vec<Op> = trace.steps().filter_map(|step| match step {
//!     Step::Operation(operation) => Some(operation.op),
//!     _ => None,
//! }).collect();
//! assert_eq!(left, [Op::Lshift, Op::Add, Op::Add, Op::Lt, Op::GuardTrue]);
//! # Ok(())
//! # }
//! ```
//!
//! A bridge may go on in the loop of another trace: an [`Entry`] is what both agree on. The loop begins with
//! [`Recorder::begin_entered_loop`] and keeps its parameters as the entry lists them; the bridge ends with
//! [`Recorder::enter`].
//!
//! A bridge that goes on where a guard of another trace fails begins with all that holds there, if it is begun with
//! [`Recorder::begin_bridge`]; with [`Recorder::begin_bridge_unmade`] objects that only the guard needs stay unmade in it.
//!
//! The operations are those of the table ([`Op`], listed in `docs/ops.md`), proved rules included.
//! Everything is `Send`; there are no globals; what a recorder is told wrongly it refuses and says why. The same as
//! a C library: `planish-c`.

mod begin_bridge;
mod beginning;
mod optimize;
mod record;
mod refused;
mod trace;
mod words;

pub use optimize::{Done, Optimizer};
pub use planish_ir::{Const, Recipe, RecipeStep, Slot, Value};
pub use planish_ops::world::{CallEffect, Mutability};
pub use planish_ops::{Int, Op, Real, Type};
pub use record::Recorder;
pub use refused::{InvalidLoop, Refused};
pub use trace::{Cursor, Leave, Operand, Operation, Step, Trace};
pub use words::{Array, Callee, Class, Entry, Field, Words};
