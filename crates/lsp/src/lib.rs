//! A language server for files of rewrite rules, for any editor that speaks the Language Server Protocol.
//!
//! ```text
//!  messages -> server -> document (text, rules, findings) -> diagnostics, cursor -> hover, completion, definition
//!                 |
//!                 +--> verdicts (one proof at a time, in the background) -> lens, diagnostics, hover
//! ```
//!
//! - [`place`]: bytes of a text and the positions that a client speaks of.
//! - [`document`]: an open file: its rules, and what is wrong with them, as `planish rules check` has it.
//! - [`cursor`]: what stands at a place, and what may stand there.
//! - [`verdicts`]: what the prover says of the rules of open files. Whatever changes ends the proof of what it was.
//! - [`hover`], [`completion`], [`definition`], [`lens`], [`diagnostics`]: answers.
//! - [`server`]: the loop over messages.
//!
//! The crate opens no files; a page for definitions of operations is handed to it by its caller.

pub mod completion;
pub mod cursor;
pub mod definition;
pub mod diagnostics;
pub mod document;
pub mod hover;
pub mod lens;
pub mod place;
pub mod server;
pub mod verdicts;

pub use lsp_server::Connection;
pub use lsp_types::Uri;
pub use server::{Setup, serve};
