//! Random functions: what the engines make of them verifies and does the same.

use arbitrary::{Result, Unstructured};
use planish_filetest::generate::{Options, module};
use planish_filetest::property::{Effort, How, optimized_does_the_same};
use planish_ir::{Form, Module, verify_module};

use crate::cells;

/// Makes a function from the data, optimizes it with one of the engines and runs it beside its source.
pub fn optimize(u: &mut Unstructured<'_>) -> Result<()> {
    let (kind, options) = *u.choose(&Options::KINDS)?;
    does_the_same(u, kind, |u| module(u, options))
}

/// The same for functions over memory of cells.
pub fn optimize_cells(u: &mut Unstructured<'_>) -> Result<()> {
    does_the_same(u, "cells", cells::module)
}

fn does_the_same(
    u: &mut Unstructured<'_>,
    kind: &str,
    make: impl FnOnce(&mut Unstructured<'_>) -> Result<Module>,
) -> Result<()> {
    let how = u.choose(&[How::LINEAR, How::EGRAPH])?.clone();
    let world = u.arbitrary()?;
    let module = make(u)?;
    let broken = verify_module(&module, Form::Cfg);
    assert!(broken.is_empty(), "the generator made a broken function: {}", broken.join("\n"));
    if let Err(why) = optimized_does_the_same(&module, &how, world, Effort { tries: 4, fuel: 500 }) {
        panic!("{kind}, {:?}: {why}", how.engine);
    }
    Ok(())
}
