//! Embed SSA: build a function, optimize it, print it, run it; the same from text, where calls are inlined.
//!
//! ```sh
//! cargo run -p planish --example embed_ssa
//! ```

use planish::{Builder, End, Error, Function, Op, Planish, Terminator, Type, int};

fn main() -> Result<(), Error> {
    print!("{}", embed()?);
    Ok(())
}

/// x to the n-th power, by squaring; n is positive.
fn power() -> Function {
    let mut b = Builder::new("power", &[Type::I64]);
    let [entry, head, odd, even, done] = ["entry", "head", "odd", "even", "done"].map(|name| b.block(name));
    let (x, n) = (b.param(entry, Type::I64), b.param(entry, Type::I64));
    let [base, left, product] = [(); 3].map(|()| b.param(head, Type::I64));
    let next = b.param(even, Type::I64);
    let (one, two) = (b.int(Type::I64, 1), b.int(Type::I64, 2));

    b.at(entry);
    b.jump(head, &[x, n, one]);
    b.at(head);
    let bit = b.op(Op::Urem, &[left, two]);
    let (then, other) = (b.call(odd, &[]), b.call(even, &[product]));
    b.terminate(Terminator::Branch { condition: bit, then, other });
    b.at(odd);
    let more = b.op(Op::Mul, &[product, base]);
    b.jump(even, &[more]);
    b.at(even);
    let (square, half) = (b.op(Op::Mul, &[base, base]), b.op(Op::Udiv, &[left, two]));
    let (then, other) = (b.call(head, &[square, half, next]), b.call(done, &[]));
    b.terminate(Terminator::Branch { condition: half, then, other });
    b.at(done);
    b.ret(&[next]);
    b.finish()
}

/// Two functions that call each other: nothing of that is left where they are small.
const CALLS: &str = "\
func twice(v0: i64) -> i64 {
entry:
    v1 = add(v0, v0)
    return v1
}

func main(v0: i64) -> i64 {
entry:
    v1 = call(v0) @twice
    v2 = call(v1) @twice
    v3 = sub(v2, v2)
    v4 = add(v3, v2)
    return v4
}
";

/// What the example prints.
pub fn embed() -> Result<String, Error> {
    let mut planish = Planish::new();
    let mut built = planish::module([power()])?;
    let record = planish.optimize(&mut built)?;
    let mut out = format!("{}# {} rewrites\n", planish::print(&built), record.total());
    out.push_str(&format!(
        "# power(3, 5) is {}\n\n",
        result(planish::run(&built, "power", &[int(3), int(5)])?)
    ));

    let mut read = planish::read("calls.ssa", CALLS)?;
    planish.optimize(&mut read)?;
    out.push_str(&planish::print(&read));
    out.push_str(&format!("# main(10) is {}\n", result(planish::run(&read, "main", &[int(10)])?)));
    Ok(out)
}

/// The only result of a run that returned.
fn result(end: End) -> String {
    match end {
        End::Return(results) => results[0].to_string(),
        other => format!("not there: {other:?}"),
    }
}
