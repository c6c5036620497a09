//! What comparisons of integers whose outcome is known say of other comparisons (the predicate implication of LLVM's
//! `isImpliedCondition`).
//!
//! Of the same two operands it is a matter of which of less, equal and greater are left; with constants, of the numbers that are
//! left, by the domain's backward and forward functions.

use planish_base::fault;
use planish_domain::{IntFact, assume, transfer};
use planish_ir::{Function, Inst, Value};
use planish_ops::{Int, Op, Type};

/// Comparisons of integers whose outcome is known.
pub(super) struct Orders {
    known: Vec<Order>,
}

/// A comparison that holds, or does not.
#[derive(Clone, Copy)]
struct Order {
    op: Op,
    operands: [Value; 2],
    holds: bool,
}

impl Order {
    /// The comparison that an operation is, if it is one of integers.
    fn of(f: &Function, inst: Inst, holds: bool) -> Option<Order> {
        let (op, &[x, y]) = (f.inst(inst).op, f.args(inst)) else { return None };
        relation(op).map(|_| Order { op, operands: [x, y], holds })
    }

    /// The same with the operands exchanged.
    fn turned(self) -> Option<Order> {
        let [x, y] = self.operands;
        Some(Order { op: self.op.swapped()?, operands: [y, x], holds: self.holds })
    }

    /// The same with a given operand first, if it has that and a constant behind it.
    fn with_constant(self, f: &Function, x: Value) -> Option<(Order, Int)> {
        [Some(self), self.turned()].into_iter().flatten().find_map(|order| {
            let number = f.int_constant(order.operands[1]).filter(|_| order.operands[0] == x)?;
            Some((order, number))
        })
    }
}

impl Orders {
    /// Those among some values of which it is known whether they are zero.
    pub fn of(f: &Function, truths: impl IntoIterator<Item = (Value, bool)>) -> Orders {
        let known = truths.into_iter().filter_map(|(value, holds)| Order::of(f, f.def_inst(value)?, holds));
        Orders { known: known.collect() }
    }

    /// The result of a comparison, if these decide it; `is` gives what its operands are where the orders are known.
    pub fn decide(&self, f: &Function, inst: Inst, is: impl Fn(Value) -> Option<Value>) -> Option<Int> {
        if self.known.is_empty() {
            return None;
        }
        let asked = Order::of(f, inst, true)?;
        let asked = Order { operands: [is(asked.operands[0])?, is(asked.operands[1])?], ..asked };
        let holds = self.by_relation(asked).or_else(|| self.by_range(f, asked))?;
        Some(Int::new(f.ty(f.result(inst)).int_width()?, u64::from(holds)))
    }

    /// What is left of less, equal and greater decides.
    fn by_relation(&self, asked: Order) -> Option<bool> {
        let (wanted, signed) = relation(asked.op)?;
        let mut left = [LESS | EQUAL | GREATER; 2];
        for &order in &self.known {
            let same = |order: &Order| order.operands == asked.operands;
            let Some(order) = Some(order).filter(same).or_else(|| order.turned().filter(same)) else {
                continue;
            };
            let Some((set, of)) = relation(order.op) else { continue };
            let set = if order.holds { set } else { !set & (LESS | EQUAL | GREATER) };
            for (number, left) in [false, true].into_iter().zip(&mut left) {
                // Not the same in one order is not the same in the other; who is less may be greater there.
                let here = match of {
                    Some(of) if of != number && set & EQUAL == 0 => LESS | GREATER,
                    Some(of) if of != number && set == EQUAL => EQUAL,
                    Some(of) if of != number => LESS | EQUAL | GREATER,
                    _ => set,
                };
                *left &= here;
            }
        }
        let decides = |left: u8| match (left & !wanted, left & wanted) {
            (0, 0) => None,
            (0, _) => Some(!fault!("orders: what follows does not hold")),
            (_, 0) => Some(false),
            _ => None,
        };
        match signed {
            Some(signed) => decides(left[usize::from(signed)]),
            None => left.into_iter().find_map(decides),
        }
    }

    /// The numbers that are left decide.
    fn by_range(&self, f: &Function, asked: Order) -> Option<bool> {
        let [x, y] = asked.operands;
        let x = if f.int_constant(x).is_some() { y } else { x };
        let (asked, number) = asked.with_constant(f, x)?;
        let mut known = IntFact::top(number.width());
        for order in &self.known {
            if let Some((order, bound)) = order.with_constant(f, x) {
                let mut facts = [known, IntFact::constant(bound)];
                assume(order.op, order.holds, &mut facts).ok()?;
                known = facts[0];
            }
        }
        let truth = transfer(asked.op, &[known, IntFact::constant(number)], Type::I1).0;
        truth.as_constant().map(Int::is_true)
    }
}

const LESS: u8 = 1;
const EQUAL: u8 = 2;
const GREATER: u8 = 4;

/// For which of less, equal and greater a comparison holds, and whether it reads signs if that matters.
fn relation(op: Op) -> Option<(u8, Option<bool>)> {
    Some(match op {
        Op::Eq => (EQUAL, None),
        Op::Ne => (LESS | GREATER, None),
        Op::Lt => (LESS, Some(true)),
        Op::Le => (LESS | EQUAL, Some(true)),
        Op::Gt => (GREATER, Some(true)),
        Op::Ge => (GREATER | EQUAL, Some(true)),
        Op::Ult => (LESS, Some(false)),
        Op::Ule => (LESS | EQUAL, Some(false)),
        Op::Ugt => (GREATER, Some(false)),
        Op::Uge => (GREATER | EQUAL, Some(false)),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use planish_ir::text;
    use planish_ops::{Datum, Fold, Machine, fold};

    use super::*;

    const COMPARISONS: [Op; 10] =
        [Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge, Op::Ult, Op::Ule, Op::Ugt, Op::Uge];

    fn holds(op: Op, x: Int, y: Int) -> bool {
        match fold(op, &[Datum::<Machine>::Word(x), Datum::Word(y)], &[Type::I1]) {
            Some(Fold::Int(truth)) => truth.is_true(),
            other => panic!("{op} gives {other:?}"),
        }
    }

    /// Of words of three bits, whatever the known comparison and the one that is asked for are: what is decided is so for all
    /// words that are left, and what is so for all is decided.
    #[test]
    fn what_follows_of_two_operands_is_decided() {
        let words = || (0..8).map(|word| Int::new(3, word));
        for (known, asked, turned) in COMPARISONS.iter().flat_map(|&known| {
            COMPARISONS.iter().flat_map(move |&asked| [false, true].map(|turned| (known, asked, turned)))
        }) {
            let operands = if turned { "v1, v0" } else { "v0, v1" };
            let source = format!(
                "func f(v0: i3, v1: i3) -> i1 {{\ne:\n    v2: i1 = {known}(v0, v1)\n    v3: i1 = {asked}({operands})\n    \
                 v4 = xor(v2, v3)\n    return v4\n}}\n"
            );
            for truth in [false, true] {
                let left: Vec<bool> = words()
                    .flat_map(|x| words().map(move |y| (x, y)))
                    .filter(|&(x, y)| holds(known, x, y) == truth)
                    .map(|(x, y)| if turned { holds(asked, y, x) } else { holds(asked, x, y) })
                    .collect();
                let best = left.iter().all(|&one| one == left[0]).then(|| left[0]);
                assert_eq!(decided(&source, truth), best, "{truth}: {source}");
            }
        }
    }

    #[test]
    fn what_follows_of_constants_holds() {
        let words = || (0..8).map(|word| Int::new(3, word));
        let (mut found, mut possible) = (0, 0);
        for (known, asked) in COMPARISONS.iter().flat_map(|&known| COMPARISONS.map(|asked| (known, asked))) {
            for (bound, number) in words().flat_map(|bound| words().map(move |number| (bound, number))) {
                let source = format!(
                    "func f(v0: i3) -> i1 {{\ne:\n    v2: i1 = {known}(v0, {})\n    v3: i1 = {asked}(v0, {})\n    \
                     v4 = xor(v2, v3)\n    return v4\n}}\n",
                    bound.signed(),
                    number.signed()
                );
                for truth in [false, true] {
                    let mut left = words().filter(|&x| holds(known, x, bound) == truth);
                    let Some(first) = left.next().map(|x| holds(asked, x, number)) else { continue };
                    let best = left.all(|x| holds(asked, x, number) == first).then_some(first);
                    possible += u32::from(best.is_some());
                    if let Some(answer) = decided(&source, truth) {
                        found += 1;
                        assert_eq!(Some(answer), best, "{truth}: {source}");
                    }
                }
            }
        }
        assert!(found > possible * 9 / 10, "{found} of {possible}");
    }

    fn decided(source: &str, truth: bool) -> Option<bool> {
        let (module, diagnostics) = text::read(source);
        assert!(!diagnostics.has_errors(), "{source}");
        let f = module.functions.values().next().expect("a function");
        let [known, asked] = [0, 1].map(|at| f.block_insts(f.entry())[at]);
        Orders::of(f, [(f.result(known), truth)]).decide(f, asked, Some).map(Int::is_true)
    }
}
