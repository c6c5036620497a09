//! `planish passes`: the registry of passes.

use planish_driver::passes;

use crate::args::{Passes, PassesCommand};
use crate::failure::Failure;
use crate::io;

/// Lists the passes, or shows one.
pub fn run(args: &Passes) -> Result<(), Failure> {
    let text = match &args.command {
        None | Some(PassesCommand::List) => passes::list(),
        Some(PassesCommand::Show { name }) => match passes::find(name) {
            Some(info) => passes::page(info),
            None => {
                let near = passes::nearest(name).map(|near| format!("; did you mean `{near}`?"));
                let near = near.unwrap_or_else(|| "; `planish passes` lists them".to_owned());
                return Err(Failure::Rejected(format!("error: there is no pass `{name}`{near}")));
            }
        },
    };
    io::write(None, text.as_bytes())
}
