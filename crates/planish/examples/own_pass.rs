//! Operations, rules, passes and costs of one's own, in one pipeline.
//!
//! A machine with an instruction for `a * b + c`, which has no select to speak of, and a sensor that is read by an
//! instruction too. The middle end knows none of that; it is told here.
//!
//! ```sh
//! cargo run -p planish --example own_pass
//! ```

use std::collections::VecDeque;

use planish::base::SideTable;
use planish::ir::liveness::for_each_use;
use planish::prove::rule::Verdict;
use planish::{
    Became, CallEffect, Change, End, Error, Function, Host, Op, Operation, Pass, PassCx, PassInfo, Planish,
    Target, Type, Val, Value, int, machine_price,
};

fn main() -> Result<(), Error> {
    print!("{}", demonstrate()?);
    Ok(())
}

/// The first rule is proved. The second is about floats, of which the built-in solver knows nothing: whoever wrote it
/// vouches for it, and says so.
const RULES: &str = "\
sub_or_and: int_sub(int_or(a, b), int_and(a, b)) => int_xor(a, b)

sub_of_neg: float_sub(x, float_neg(y))
    SORRY_Z3: x - (-y) is x + y by the definition of subtraction
    => float_add(x, y)
";

/// `a * b + c` becomes `mac(a, b, c)` where the product has no other use, and where the target says that a product and a
/// sum are dearer than one `mac`.
struct FuseProducts {
    mac: Operation,
    costs: u32,
}

const FUSE: PassInfo = PassInfo {
    changes: Change::Operations,
    ..PassInfo::new("fuse-products", "Instruction selection: a * b + c is one operation.")
};

impl Pass for FuseProducts {
    fn info(&self) -> &PassInfo {
        &FUSE
    }

    fn run(&self, f: &mut Function, cx: &mut PassCx<'_>) {
        if cx.target.cost(Op::Mul) + cx.target.cost(Op::Add) <= self.costs {
            return;
        }
        let uses = uses(f);
        let product = |f: &Function, value| {
            let maker = f.def_inst(value)?;
            (f.inst(maker).op == Op::Mul && uses[value] == 1).then_some(maker)
        };
        for (_, inst) in f.live_insts().collect::<Vec<_>>() {
            let &[x, y] = f.args(inst) else { continue };
            if f.inst(inst).op != Op::Add || f.ty(x) != Type::I64 {
                continue;
            }
            let found = product(f, x).map(|maker| (maker, y));
            let Some((maker, added)) = found.or_else(|| Some((product(f, y)?, x))) else { continue };
            let &[a, b] = f.args(maker) else { unreachable!("a product has two operands") };
            // Asked first: what was not recorded did not happen. The product goes in a later step, as nothing uses it.
            if cx.rewrite(f, inst, Became::Op(Op::Call)) {
                self.mac.replace(f, inst, &[a, b, added]);
            }
        }
    }
}

/// How often each value is used.
fn uses(f: &Function) -> SideTable<Value, u32> {
    let mut uses = SideTable::new();
    for &block in f.blocks() {
        for_each_use(f, block, |_, value| uses[value] += 1);
    }
    uses
}

/// Computes what the table does not: the sensor shows one number after the other.
struct Machine(VecDeque<i64>);

impl Host for Machine {
    fn call(&mut self, callee: &str, args: &[Val], _: &[Type]) -> Option<Vec<Val>> {
        let result = match (callee, args) {
            ("mac", &[Val::Int(a), Val::Int(b), Val::Int(c)]) => {
                a.signed().wrapping_mul(b.signed()).wrapping_add(c.signed())
            }
            ("sense", []) => self.0.pop_front()?,
            _ => return None,
        };
        Some(vec![int(result)])
    }
}

/// What the sensor shows first if that is above a threshold, else what it shows then. Reading it is declared as an effect, so
/// that two reads are two reads, in their order.
const PROGRAM: &str = "\
callee @sense reads () writes ()

func peak(v0: i64, v1: i64, v2: i64, v3: i64) -> i64 {
entry:
    v4 = or(v0, v1)
    v5 = and(v0, v1)
    v6 = sub(v4, v5)
    v7 = mul(v6, v2)
    v8 = add(v7, v3)
    v9: i64 = call() @sense
    v10: i64 = call() @sense
    v11 = lt(v8, v9)
    branch v11, above, end(v10)
above:
    jump end(v9)
end(v12: i64):
    return v12
}

func sum(v0: f64, v1: f64) -> f64 {
entry:
    v2 = float_neg(v1)
    v3 = float_sub(v0, v2)
    return v3
}
";

/// What the example prints.
pub fn demonstrate() -> Result<String, Error> {
    let rules = planish::read_rules("own.rules", RULES)?;
    let mut out = String::new();
    for proof in planish::prove_rules(&rules)? {
        out.push_str(&match proof.verdict {
            Verdict::Sorry(reason) => format!("# {} is not proved: {reason}\n", proof.rule),
            verdict => format!("# {}: {verdict:?}\n", proof.rule),
        });
    }

    let mut module = planish::read("peak.ssa", PROGRAM)?;
    let original = module.clone();
    let mac = Operation::declare(&mut module, "mac", &[Type::I64; 3], &[Type::I64], CallEffect::pure())?;
    let price = |op| if op == Op::Select { Some(10) } else { machine_price(op) };
    let mut planish = Planish::with_passes("intbounds:rewrite:pure:dead:if-conversion")?
        .then(FuseProducts { mac, costs: 2 })?
        .then_passes("dead:simplify-cfg")?
        .with_rules(&rules)
        .for_target(Target { price: &price, ..Target::MACHINE });
    let record = planish.optimize(&mut module)?;

    out.push_str(&format!("{}\n", planish::print(&module)));
    for rule in rules.rules.values() {
        let fired = planish::fired(&record, &rules, &rule.name).expect("a rule of the set");
        out.push_str(&format!("# {} fired {fired} times\n", rule.name));
    }
    let args = [int(12), int(10), int(7), int(1)];
    for program in [&original, &module] {
        let end = planish::run_with_host(program, "peak", &args, &mut Machine([50, 40].into()))?;
        out.push_str(&format!("# peak(12, 10, 7, 1) is {}\n", shown(end)));
    }
    Ok(out)
}

/// The only result of a run that returned.
fn shown(end: End) -> String {
    match end {
        End::Return(results) => results[0].to_string(),
        other => format!("not there: {other:?}"),
    }
}
