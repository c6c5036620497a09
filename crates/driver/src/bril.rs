//! Running Bril: its output, for the interpreter.
//!
//! In the IR, `print` is a call of a name that says what is done ([`planish_bril::memory`]); here is who answers it.
//! Memory is the interpreter's own: it asks what a callee does with cells.

use planish_bril::memory::Action;
use planish_interp::{Host, Run, Val};
use planish_ops::{Real, Type};

/// The text that was printed.
#[derive(Default)]
pub struct Output {
    printed: String,
}

impl Output {
    /// What was printed: a line for each `print`.
    pub fn printed(&self) -> &str {
        &self.printed
    }
}

/// Whether a function is one that [`Output`] answers for.
pub fn prints(callee: &str) -> bool {
    matches!(Action::decode(callee), Some((Action::Print, _)))
}

/// What the reference interpreter says of a run that ended: memory that is not freed is an error.
pub fn leak(run: &Run) -> Option<String> {
    leaked(run.open_rows)
}

/// The same of so many allocations that are not freed.
pub fn leaked(open: usize) -> Option<String> {
    (open > 0).then(|| format!("{open} allocations are never freed"))
}

impl Host for Output {
    fn call(&mut self, callee: &str, args: &[Val], _: &[Type]) -> Option<Vec<Val>> {
        let (Action::Print, _) = Action::decode(callee)? else { return None };
        let shown: Vec<String> = args.iter().map(|&value| show(value)).collect();
        self.printed.push_str(&shown.join(" "));
        self.printed.push('\n');
        Some(Vec::new())
    }
}

/// A value as `print` shows it.
fn show(value: Val) -> String {
    match value {
        Val::Int(int) if int.width() == 1 => int.is_true().to_string(),
        Val::Int(int) if int.width() == 32 => {
            u32::try_from(int.unsigned()).ok().and_then(char::from_u32).map_or_else(String::new, String::from)
        }
        Val::Int(int) => int.signed().to_string(),
        Val::Real(Real::F64(value)) if value.is_finite() => format!("{value:.17}"),
        Val::Real(Real::F64(value)) if value.is_nan() => "NaN".to_owned(),
        Val::Real(Real::F64(value)) => if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_is_what_the_reference_interpreter_prints() {
        let mut output = Output::default();
        let values = [Val::int(Type::I64, -3), Val::int(Type::I1, 1), Val::Real(Real::F64(1.5))];
        output.call("bril.print", &values, &[]);
        output.call("bril.print", &[Val::int(Type::I32, 233), Val::Real(Real::F64(f64::INFINITY))], &[]);
        assert_eq!(output.printed(), "-3 true 1.50000000000000000\né Infinity\n");
        assert_eq!(output.call("other", &[], &[Type::I64]), None);
        assert_eq!(output.call("bril.load.int", &[], &[Type::I64]), None);
    }
}
