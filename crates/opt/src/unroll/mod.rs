//! Unrolling of traces (Ardö, Bolz and Fijałkowski, "Loop-Aware Optimizations in PyPy's Tracing JIT", DLS 2012; PyPy's
//! `unroll.py`): a loop is optimized with what its first iteration found out.
//!
//! The loop is peeled ([`first`]). The first iteration is walked with nothing known of its inputs. What holds at
//! its end is exported: the shapes of the values that come around ([`state`]), so that an object that
//! was not made need not be made in the loop either, and results that the loop may use if it computes
//! them again at its end ([`crate::engine::imports`]). The body is walked under these assumptions, and at its end they
//! are shown to hold for the next iteration: its values must have the same shapes, and what was used is
//! computed again, for which the optimizer often finds that it knows the result. Where an assumption
//! does not hold, a guard may be added that leaves at a place which the trace provides for that
//! (`guard_future_condition`); where that cannot be, the loop goes through its first iteration again.
//!
//! From "Loop-aware optimizations in PyPy's tracing JIT" (Ardö, Bolz, Fijałkowski, DLS 2012). There the
//! operations that make a loop's assumptions hold are kept for other traces that come to it, as its *short
//! preamble* ([`short`]).
//!
//! Everything here is a part of the [memory](crate::memory) stage, which alone knows what objects that are not made
//! consist of.

pub(crate) mod again;
mod enter;
mod export;
pub(crate) mod first;
mod merge;
pub(crate) mod peeling;
pub(crate) mod short;
pub(crate) mod state;
pub(crate) mod target;

pub(crate) use first::peel;
pub(crate) use merge::merge;
pub use short::Short;
pub use target::{Entered, Meets};
