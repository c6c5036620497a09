//! How a run of a program ended, for people.

use planish_interp::{End, Val};
use planish_ops::Real;

use crate::failure::Failure;
use crate::io;

/// Prints the results of a run, or says how else it ended.
pub fn finish(end: &End, show: &dyn Fn(Val) -> String, endless: &str) -> Result<(), Failure> {
    match end {
        End::Return(results) => {
            let text: String = results.iter().map(|&result| format!("{}\n", plain(show, result))).collect();
            io::write(None, text.as_bytes())
        }
        End::Leave(exit, values) => Err(ended(show, &format!("left through exit {exit}"), values)),
        End::Throw(thrown, values) => Err(ended(show, &format!("threw {}", show(Val::Ref(*thrown))), values)),
        End::Trap(fault) => Err(ended(show, &format!("trapped: {}", fault.name()), &[])),
        End::Undefined(what) => Err(ended(show, &format!("is undefined: {what}"), &[])),
        End::OutOfFuel => Err(ended(show, endless, &[])),
    }
}

/// The failure that says how a run ended, with these values.
pub fn ended(show: &dyn Fn(Val) -> String, what: &str, values: &[Val]) -> Failure {
    let shown: Vec<String> = values.iter().map(|&value| show(value)).collect();
    let values = if shown.is_empty() { String::new() } else { format!(" with {}", shown.join(", ")) };
    Failure::Rejected(format!("the program {what}{values}"))
}

/// A result without its type.
fn plain(show: &dyn Fn(Val) -> String, value: Val) -> String {
    match value {
        Val::Int(int) => int.to_string(),
        Val::Real(Real::F32(value)) => format!("{value:?}"),
        Val::Real(Real::F64(value)) => format!("{value:?}"),
        _ => show(value),
    }
}
