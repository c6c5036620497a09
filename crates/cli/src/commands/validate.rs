//! `planish validate`: is the second program a refinement of the first?

use planish_driver::{Checked, validate};

use crate::args::Validate;
use crate::failure::Failure;
use crate::io;

/// Compares two programs and prints the verdict.
pub fn run(args: &Validate) -> Result<(), Failure> {
    let before = super::open_path(&args.before, args.from, &args.reading)?;
    let after = super::open_path(&args.after, args.from, &args.reading)?;
    let (Some(old), Some(new)) = (before.module(), after.module()) else {
        return Err(Failure::Usage(
            "logs are validated trace by trace: planish opt --validate run".to_owned(),
        ));
    };
    let checked = validate::modules(old, new, args.inputs, before.form());
    let undecided =
        matches!(checked, Checked::Tested { agreed: 0, .. }) && args.inputs > 0 && !old.functions.is_empty();
    io::write(None, format!("{}\n", verdict(&checked)).as_bytes())?;
    if undecided {
        return Err(Failure::Rejected("no input decided anything: that is no answer".to_owned()));
    }
    match checked {
        Checked::Tested { .. } => Ok(()),
        Checked::Different(_) => Err(Failure::Rejected(String::new())),
    }
}

/// The verdict in words.
pub fn verdict(checked: &Checked) -> String {
    match checked {
        Checked::Tested { agreed, undecided: 0 } => format!("tested on {agreed} inputs"),
        Checked::Tested { agreed, undecided } => {
            format!("tested on {agreed} inputs; {undecided} more did not end in time")
        }
        Checked::Different(text) => format!("different\n{text}"),
    }
}
