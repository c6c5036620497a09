//! What a pass is, for every dialect: the part of the pass manager that passes see.
//!
//! A pass is a row of data and a function. The row, a [`PassInfo`], says its standard name, where it comes from, which
//! functions it takes and what it changes; the manager ([`planish_opt::manager`]) holds the pass to it. The function gets a
//! [`PassCx`]:
//!
//! - [`PassCx::get`]: analyses, computed once and kept until a pass changes what they look at ([`analysis`]).
//! - [`PassCx::rewrite`]: leave to make one rewrite. It burns fuel and is recorded ([`record`]); what was not asked for must
//!   not happen.
//! - [`PassCx::world`] and [`PassCx::target`]: what descriptors mean, and what an operation costs where the program is
//!   written.
//!
//! ```
//! use planish_ir::{Function, text};
//! use planish_ops::Op;
//! use planish_pass::{Became, Change, FunctionPass, Pass, PassCx, PassInfo, Record};
//!
//! /// Addition of a value to itself becomes a shift.
//! const DOUBLE: FunctionPass = FunctionPass {
//!     info: PassInfo { changes: Change::Operations, ..PassInfo::new("double", "Strength reduction: x + x is x << 1.") },
//!     run: |f, cx| {
//!         for (_, inst) in f.live_insts().collect::<Vec<_>>() {
//!             let [x, y] = *f.args(inst) else { continue };
//!             if f.inst(inst).op == Op::Add && x == y && cx.rewrite(f, inst, Became::Op(Op::Lshift)) {
//!                 let one = f.make_int(f.ty(x), 1);
//!                 f.rewrite_inst(inst, Op::Lshift, &[x, one]);
//!             }
//!         }
//!     },
//! };
//! ```
//!
//! [`planish_opt::manager`]: https://docs.rs/planish-opt

pub mod aggregates;
pub mod analysis;
pub mod chaos;
pub mod loop_info;
pub mod record;

mod context;
mod denied;
mod info;
mod leave;
mod pass;
mod target;

pub use analysis::{Analyses, Analysis};
pub use chaos::Chaos;
pub use context::PassCx;
pub use denied::Denied;
pub use info::{Change, Example, Level, PassInfo, PassOption};
pub use leave::Leave;
pub use loop_info::LoopInfo;
pub use pass::{FunctionPass, ModuleCx, ModulePass, Pass, Simplify, apply};
pub use record::{Became, Column, Entry, Kind, Part, Record, Refusal, Site, Tried};
pub use target::{IMPOSSIBLE, Machine, Price, Target, Writes, machine_price};
