//! `planish convert`: the same program in another dialect.

use super::{file_names, opening};
use crate::args::Convert;
use crate::claims::Claims;
use crate::failure::Failure;
use crate::io;

/// Writes the program in another dialect.
pub fn run(args: &Convert) -> Result<(), Failure> {
    let mut claims = Claims::default();
    claims.read(&args.input.path);
    if let Some(path) = &args.dot {
        claims.write("--dot", Some(path))?;
    }
    claims.write("-o", args.output.output.as_deref())?;
    file_names::hold_text(args.output.output.as_deref(), args.to)?;
    let session = opening::open(&args.input)?;
    let writing = opening::writing(&args.output, args.to)?;
    let bytes = session.write(args.to, writing).map_err(Failure::Rejected)?;
    if let Some(path) = &args.dot {
        let drawing = session.draw(writing).map_err(Failure::Rejected)?;
        io::write(Some(path), drawing.as_bytes())?;
    }
    io::write(args.output.output.as_deref(), &bytes)
}
