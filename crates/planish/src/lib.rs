//! Embed an optimizing middle end whose every rewrite rule is proved.
//!
//! # A tour: embed SSA
//!
//! A function is built block by block, optimized, printed and run:
//!
//! ```
//! use planish::{Builder, End, Op, Planish, Type, int};
//!
//! # fn main() -> Result<(), planish::Error> {
//! // x to the n-th power, by squaring; n is positive.
//! let mut b = Builder::new("power", &[Type::I64]);
//! let [entry, head, odd, even, done] = ["entry", "head", "odd", "even", "done"].map(|name| b.block(name));
//! let (x, n) = (b.param(entry, Type::I64), b.param(entry, Type::I64));
//! let [base, left, product] = [(); 3].map(|()| b.param(head, Type::I64));
//! let next = b.param(even, Type::I64);
//! let (one, two) = (b.int(Type::I64, 1), b.int(Type::I64, 2));
//!
//! b.at(entry);
//! b.jump(head, &[x, n, one]);
//! b.at(head);
//! let bit = b.op(Op::Urem, &[left, two]);
//! let (then, other) = (b.call(odd, &[]), b.call(even, &[product]));
//! b.terminate(planish::Terminator::Branch { condition: bit, then, other });
//! b.at(odd);
//! let more = b.op(Op::Mul, &[product, base]);
//! b.jump(even, &[more]);
//! b.at(even);
//! let (square, half) = (b.op(Op::Mul, &[base, base]), b.op(Op::Udiv, &[left, two]));
//! let (then, other) = (b.call(head, &[square, half, next]), b.call(done, &[]));
//! b.terminate(planish::Terminator::Branch { condition: half, then, other });
//! b.at(done);
//! b.ret(&[next]);
//!
//! let mut module = planish::module([b.finish()])?;
//! let record = Planish::new().optimize(&mut module)?;
//! assert!(record.total() > 0);
//! let text = planish::print(&module);
//! assert!(!text.contains("udiv"), "a division by two is a shift:\n{text}");
//! assert_eq!(planish::run(&module, "power", &[int(3), int(5)])?, End::Return(vec![int(243)]));
//! # Ok(())
//! # }
//! ```
//!
//! The same is the example `embed_ssa`, which starts from the builder and from text.
//!
//! # What is where
//!
//! | to | use |
//! |---|---|
//! | build a function | [`Builder`], with the operations [`Op`] and types [`Type`]; then [`module()`] |
//! | read and print `.ssa` text | [`read`], [`print()`] |
//! | optimize | [`Planish::optimize`] for a module, [`Planish::optimize_function`] for one function |
//! | know why each rewrite was made, or stop at the n-th | [`Planish::optimize_with`], [`Optimized::remarks`] |
//! | run in the interpreter | [`run`], [`run_with_host`], [`run_within`] |
//! | make machine code | `compile`, with the feature `native` |
//! | read and prove rules | [`read_rules`], [`prove_rules`], [`Planish::with_rules`] |
//! | have a pass of one's own | [`Pass`], [`FunctionPass`]; [`Planish::then`], or [`Pipeline::push`] at any place |
//! | have operations of one's own | [`Operation`] |
//! | say what operations cost | [`Target`], [`Planish::for_target`] |
//!
//! The crates behind these are [`ir`], [`ops`], [`opt`], [`interp`], [`rules`], [`prove`] and, with its feature, `native`.
//! Traces of JITs have a library of their own, `planish-trace`.
//!
//! # A world of one's own
//!
//! A descriptor is a number on an instruction. What it stands for says a [`World`]: a module has one, made of what
//! its text declares, and whoever has fields and callees in tables of their own answers from those instead. Two
//! questions have no default; any other that is not answered is answered carefully.
//!
//! ```
//! use planish::{Builder, CallEffect, Descr, Id, Location, Mutability, Op, Planish, Type, World};
//!
//! /// Fields are numbered from 0; every other number is a function that only computes.
//! struct Layout {
//!     fields: Vec<(&'static str, Location)>,
//!     pure: CallEffect,
//! }
//!
//! impl World for Layout {
//!     fn name(&self, descr: Descr) -> &str {
//!         self.fields.get(descr.index()).map_or("function", |(name, _)| *name)
//!     }
//!     fn location(&self, descr: Descr) -> Option<Location> {
//!         self.fields.get(descr.index()).map(|(_, location)| *location)
//!     }
//!     fn call_effect(&self, _: Descr) -> &CallEffect {
//!         &self.pure
//!     }
//! }
//!
//! let count = Descr::from_index(0);
//! let mut b = Builder::new("set", &[Type::I64]);
//! let entry = b.block("entry");
//! let (object, x) = (b.param(entry, Type::Ref), b.param(entry, Type::I64));
//! b.at(entry);
//! b.inst(Op::SetField, &[object, x], &[], Some(count), None);
//! let load = b.inst(Op::GetField, &[object], &[Type::I64], Some(count), None);
//! let loaded = b.function().result(load);
//! b.ret(&[loaded]);
//! let mut f = b.finish();
//!
//! let location = Location {
//!     ty: Type::I64,
//!     stored_bits: Some(64),
//!     signed: true,
//!     mutability: Mutability::Mutable,
//!     alias_class: 0,
//!     raw: false,
//! };
//! let world = Layout { fields: vec![("count", location)], pure: CallEffect::pure() };
//! Planish::new().optimize_function(&mut f, &world);
//! let left: Vec<Op> = f.live_insts().map(|(_, inst)| f.inst(inst).op).collect();
//! assert_eq!(left, [Op::SetField], "what was stored is known");
//! ```
//!
//! Everything is deterministic; there are no globals, and a [`Planish`] may move to another thread.

mod error;
mod operation;
mod optimize;
mod rules_from_text;
mod run;

pub use planish_base as base;
pub use planish_base::Id;
pub use planish_interp as interp;
pub use planish_ir as ir;
#[cfg(feature = "native")]
pub use planish_native as native;
pub use planish_ops as ops;
pub use planish_opt as opt;
pub use planish_prove as prove;
pub use planish_rules as rules;

pub use planish_interp::{End, Host, Limits, Run, Val};
pub use planish_ir::{Block, Builder, Const, Form, Function, Inst, Module, Terminator, Value};
pub use planish_ops::world::{CallEffect, Descr, Location, Mutability, World};
pub use planish_ops::{Items, Op, Type};
pub use planish_opt::{
    Became, Change, FunctionPass, Machine, Options, Pass, PassCx, PassInfo, Pipeline, PipelineError, Record,
    Target, machine_price,
};
pub use planish_rules::RuleSet;

pub use error::Error;
pub use operation::Operation;
pub use optimize::{Optimized, Planish};
pub use rules_from_text::{fired, prove_rules, read_rules};
#[cfg(feature = "native")]
pub use run::compile;
pub use run::{int, module, print, read, run, run_with_host, run_within};
