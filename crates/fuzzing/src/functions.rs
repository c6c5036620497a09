//! Random functions: what the engines make of them verifies and does the same.

use arbitrary::{Result, Unstructured};
use planish_filetest::generate::{Options, module};
use planish_filetest::property::{Effort, How, optimized_does_the_same};
use planish_ir::{Form, verify_module};

/// Makes a function from the data, optimizes it with one of the engines and runs it beside its source.
pub fn optimize(u: &mut Unstructured<'_>) -> Result<()> {
    let (kind, options) = *u.choose(&Options::KINDS)?;
    let how = u.choose(&[How::LINEAR, How::EGRAPH])?.clone();
    let world = u.arbitrary()?;
    let module = module(u, options)?;
    let broken = verify_module(&module, Form::Cfg);
    assert!(broken.is_empty(), "the generator made a broken function: {}", broken.join("\n"));
    if let Err(why) = optimized_does_the_same(&module, &how, world, Effort { tries: 4, fuel: 500 }) {
        panic!("{kind}, {:?}: {why}", how.engine);
    }
    Ok(())
}
