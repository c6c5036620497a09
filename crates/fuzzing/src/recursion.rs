//! Random functions that call themselves once, in front of what they return or of one operation on that: a loop, with an
//! accumulator where the operation allows.

use arbitrary::{Result, Unstructured};
use planish_ir::{Module, text};

/// Operations on a result and another value.
const GATHERS: [&str; 8] = ["add", "mul", "xor", "and", "or", "sub", "umax", "min"];

/// Makes a program: `main` calls the function with a small number of rounds.
pub fn module(u: &mut Unstructured<'_>) -> Result<Module> {
    let values = ["n", "x", "y", "3: i64", "-5: i64"];
    let mut operation = |values: &[&str]| -> Result<String> {
        let (op, x) = (u.choose(&GATHERS)?, u.choose(values)?);
        Ok(format!("{op}({x}, {})", u.choose(&values[..2])?))
    };
    let (base, next) = (operation(&["n", "x", "3: i64"])?, operation(&["x", "n", "7: i64"])?);
    let (op, other) = (*u.choose(&GATHERS)?, *u.choose(&values)?);
    let combined = match u.int_in_range(0..=3)? {
        0 => "r".to_owned(),
        1 => format!("{op}({other}, r)"),
        _ => format!("{op}(r, {other})"),
    };
    let (behind, result) = match combined.as_str() {
        "r" => (String::new(), "r"),
        combined => (format!("    t = {combined}\n"), "t"),
    };
    let source = format!(
        "callee @f\nfunc main(a: i64, b: i64) -> i64 {{\ne:\n    n = and(a, 7)\n    r: i64 = call(n, b) @f\n    \
         return r\n}}\nfunc f(n: i64, x: i64) -> i64 {{\ne:\n    branch n, more, base\nbase:\n    v = {base}\n    \
         return v\nmore:\n    m = sub(n, 1)\n    y = {next}\n    r: i64 = call(m, y) @f\n{behind}    return {result}\n}}\n"
    );
    let (module, diagnostics) = text::read(&source);
    assert!(!diagnostics.has_errors(), "{source}");
    Ok(module)
}
