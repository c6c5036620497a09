//! PyPy's traces: the dialects `trace` and `pypylog`.
//!
//! A trace is a straight line of operations that PyPy's tracing JIT recorded, in the text that its logs
//! and its optimizer's tests use. A PYPYLOG file holds many of them in nested sections.
//!
//! - [`opcode`]: the operations by name, with arguments and what they become.
//! - [`text`]: a trace as its text says it.
//! - [`read`], [`mod@write`]: text to that and back.
//! - [`descr`]: what stands behind `descr=`.
//! - [`facts`]: what functions read and write, by their names.
//! - [`lift`]: a trace as a function of the IR.
//! - [`header`]: the declarations of stand-alone traces; [`declare`] tells the module of them.
//! - [`check`]: descriptors held against those declarations; [`tokens`]: jumps held against their labels.
//! - [`legal`]: which operations of the table a trace can say.
//! - [`lower`]: a function as a trace; `emit` writes one instruction, `expand` what traces lack, `label_lists` says what
//!   labels list, [`kept_names`] calls what is made as it was what it was called.
//! - [`pypylog`]: the sections of a log, also compressed.
//! - [`relog`]: optimizing every trace of a log, bridges with what their `parent` knew, with what recordings and PyPy's
//!   `second` look show of constants; [`stats`]: counting, beside
//!   what PyPy left; [`lacks`]: why there may be more; [`source_lines`]: which lines of the program operations come from, and
//!   [`executed`]: how often traces ran.
//! - [`vector`]: loops over arrays become loops over vectors.

mod besides;
pub mod check;
pub mod declare;
pub mod descr;
mod emit;
pub mod executed;
mod expand;
pub mod facts;
pub mod header;
pub mod kept_names;
mod label_lists;
pub mod lacks;
pub mod legal;
pub mod lift;
pub mod lower;
pub mod opcode;
pub mod parent;
pub mod pieces;
pub mod pypylog;
pub mod read;
pub mod recorded;
pub mod relog;
mod resume;
mod second;
pub mod source_lines;
mod spared;
pub mod stats;
pub mod text;
pub mod tokens;
mod unchanging;
pub mod vector;
pub mod write;
