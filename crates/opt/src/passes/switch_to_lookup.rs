//! Switches to lookup tables (LLVM SimplifyCFG's `SwitchToLookupTable`; Bernstein, "Producing Good Code for the Case
//! Statement", 1985): a choice that only decides which constants come next is a look-up of these.
//!
//! ```text
//! switch x [1: out(31), 2: out(28), 3: out(31)], out(30)
//! becomes
//! days = lookup(x) @table      # [30, 31, 28, 31, 30]
//! jump out(days)
//! ```
//!
//! Every way goes to one block, at once or through blocks that do nothing else, or returns; what it hands over, or the function
//! gives, is a constant or what all others hand over, too. Each parameter that differs has a table, in which holes hold what the default hands over. It is
//! the last item as well: a number that has no sign and is behind all cases reads it, and so does one below the least case,
//! from which that was taken. So nothing is compared. A default that cannot be reached leaves no trace.
//!
//! Nothing is taken from the number where few items stand for those below the least case. What it costs to look up is held
//! against what a choice costs; holes are limited as LLVM limits them. O(cases and items).

use planish_base::{SideTable, fault};
use planish_ir::{Block, BlockCall, Const, Function, Location, Terminator, Value};
use planish_ops::{Int, Items, Op};
use planish_pass::{Example, FunctionPass, PassCx, PassInfo, PassOption};

use super::switch_formation::{Counts, all_tests};

const CHOICE: PassOption = PassOption::new("choice", 10, "cost of a choice among several ways");
const SMALL: PassOption =
    PassOption::new("small", 128, "items of a table that has any number of holes, at most");
const LARGE: PassOption = PassOption::new("large", 4096, "items of any table, at most");

/// A choice of fewer ways stays one.
const FEWEST: usize = 2;

/// Makes tables of choices.
pub const PASS: FunctionPass = FunctionPass {
    info: PassInfo {
        source: "LLVM SwitchToLookupTable; Bernstein, Producing Good Code for the Case Statement, 1985",
        options: &[&CHOICE, &SMALL, &LARGE],
        handlers: false,
        example: Example {
            file: "switch_to_lookup.ssa",
            text: include_str!("examples/switch_to_lookup.ssa"),
        },
        test: "crates/opt/src/passes/switch_to_lookup.rs",
        ..PassInfo::new(
            "switch-to-lookup",
            "Switches to lookup tables: a choice that only decides which constants come next is a look-up.",
        )
    },
    run,
};

fn run(f: &mut Function, cx: &mut PassCx<'_>) {
    if (cx.target.price)(Op::Lookup).is_none() || !cx.record.has_fuel() {
        return;
    }
    let mut any = false;
    for block in f.blocks().to_vec() {
        let Terminator::Switch { on, cases, default } = f.terminator(block) else { continue };
        let Some(choice) = Choice::of(f, block, *on, cases, *default) else { continue };
        let Some((least, tables)) = choice.tables(f, cx) else { continue };
        let tables: Option<Vec<_>> = tables.into_iter().map(|items| cx.world.make_table(items)).collect();
        let Some(tables) = tables else { return };
        if !cx.may_change(f, block) {
            break;
        }
        let ty = f.ty(choice.on);
        let mut index = choice.on;
        if least != 0 {
            let least = f.make_int(ty, least.wrapping_neg());
            let taken = f.make_inst(Op::Add, &[index, least], &[], None, None, Location::default());
            f.append_inst(block, taken);
            index = f.result(taken);
        }
        let mut args = choice.args;
        for (&place, table) in choice.differ.iter().zip(tables) {
            let to = f.ty(args[place]);
            let item = f.make_inst(Op::Lookup, &[index], &[to], Some(table), None, Location::default());
            f.append_inst(block, item);
            args[place] = f.result(item);
        }
        let terminator = match choice.to {
            Some(to) => Terminator::Jump(f.make_call(to, &args)),
            None => Terminator::Return(f.make_list(&args)),
        };
        f.set_terminator(block, terminator);
        any = true;
    }
    if any {
        cx.changed(planish_pass::Change::Flow);
        cx.forget_unreachable(f);
    }
}

/// Where the tests are that become one choice and that a table: nothing else should be made of them before. Empty where there
/// will be no tables.
pub(super) fn tests_for_tables(f: &mut Function, cx: &PassCx<'_>) -> SideTable<Block, bool> {
    let mut found = SideTable::new();
    if !cx.target.switches || (cx.target.price)(Op::Lookup).is_none() || f.has_handlers() {
        return found;
    }
    let branches = |f: &Function, block| matches!(f.terminator(block), Terminator::Branch { .. });
    if !f.blocks().iter().any(|&block| branches(f, block)) {
        return found;
    }
    let counts = Counts::new(f);
    // What stands behind other tests does not begin anew.
    let mut behind: SideTable<Block, bool> = SideTable::new();
    for block in f.blocks().to_vec() {
        let passed = behind[block] || !branches(f, block);
        let Some(tests) = (if passed { None } else { all_tests(f, &counts, block) }) else { continue };
        tests.behind.iter().for_each(|&block| behind[block] = true);
        if tests.cases.len() < FEWEST {
            continue;
        }
        let choice = Choice::of(f, block, tests.on, &tests.cases, tests.default);
        if choice.is_some_and(|choice| choice.tables(f, cx).is_some()) {
            found[block] = true;
            tests.behind.into_iter().for_each(|block| found[block] = true);
        }
    }
    found
}

/// A choice of what is handed over to a block, or of what the function gives.
struct Choice {
    on: Value,
    /// The block; no block is behind the function.
    to: Option<Block>,
    /// The cases, each with what it hands over.
    cases: Vec<(Int, Vec<Value>)>,
    /// What the default hands over, if it can be reached.
    default: Option<Vec<Value>>,
    /// What the first way hands over.
    args: Vec<Value>,
    /// The parameters to which not all hand over the same: constants.
    differ: Vec<usize>,
}

impl Choice {
    fn of(
        f: &Function,
        block: Block,
        on: Value,
        cases: &[(Int, BlockCall)],
        default: BlockCall,
    ) -> Option<Choice> {
        if cases.len() < FEWEST {
            return None;
        }
        let mut calls: Vec<BlockCall> =
            cases.iter().map(|&(_, call)| way(f, block, call)).collect::<Option<_>>()?;
        let nowhere = f.block_insts(default.block).is_empty()
            && matches!(f.terminator(default.block), Terminator::Unreachable);
        if !nowhere {
            calls.push(way(f, block, default)?);
        }
        let to = Some(calls[0].block).filter(|&to| calls.iter().all(|call| call.block == to));
        let given = |&call: &BlockCall| match to {
            Some(_) => Some(f.list(call.args).to_vec()),
            None => f.returned(call),
        };
        let mut given: Vec<Vec<Value>> = calls.iter().map(given).collect::<Option<_>>()?;
        let args = given[0].clone();
        let differs = |&place: &usize| given.iter().any(|given| given[place] != args[place]);
        let differ: Vec<usize> = (0..args.len()).filter(differs).collect();
        let default = if nowhere { None } else { given.pop() };
        let cases = cases.iter().map(|&(key, _)| key).zip(given).collect();
        let choice = Choice { on, to, cases, default, args, differ };
        (!choice.differ.is_empty()).then_some(choice)
    }

    /// The least case, which is taken from the number if it is not zero, and a table for each parameter; `None` if they are too
    /// large or cost too much, or something is no constant.
    fn tables(&self, f: &Function, cx: &PassCx<'_>) -> Option<(i64, Vec<Items>)> {
        let unsigned = |(key, _): &(Int, Vec<Value>)| key.unsigned();
        let signed = |(key, _): &(Int, Vec<Value>)| key.signed();
        let most = self.cases.iter().map(unsigned).max()?;
        let (least, greatest) = (self.cases.iter().map(signed).min()?, self.cases.iter().map(signed).max()?);
        let fits = |behind: u64| {
            let items = behind.saturating_add(2);
            let dense = (self.cases.len() as u64).saturating_mul(5) / 2;
            items <= cx.option(&LARGE) && (items <= dense || items <= cx.option(&SMALL))
        };
        let span = greatest.wrapping_sub(least) as u64;
        let (least, span) = if fits(most) {
            (0, most)
        } else if fits(span) {
            (least, span)
        } else {
            return None;
        };
        let taken = if least == 0 { 0 } else { cx.target.cost(Op::Add) };
        let looked_up = cx.target.cost(Op::Lookup).saturating_mul(self.differ.len() as u32);
        if u64::from(looked_up.saturating_add(taken)) > cx.option(&CHOICE) {
            return None;
        }
        let table = |&place: &usize| {
            let word = |args: &Vec<Value>| encoding(f, args[place]);
            let elsewhere = word(self.default.as_ref().unwrap_or(&self.args))?;
            // The last item is that of every number behind the cases.
            let mut words = vec![elsewhere; span as usize + 1 + usize::from(self.default.is_some())];
            for (key, args) in &self.cases {
                let at = key.signed().wrapping_sub(least) as u64 & (u64::MAX >> (64 - key.width()));
                words[at as usize] = word(args)?;
            }
            if fault!("switch-to-lookup: the default is left out") {
                words.truncate(span as usize + 1);
            }
            Items::new(f.ty(self.args[place]), words.into())
        };
        Some((least, self.differ.iter().map(table).collect::<Option<_>>()?))
    }
}

/// Where a way goes in the end: through a block that does nothing but to go on.
fn way(f: &Function, from: Block, call: BlockCall) -> Option<BlockCall> {
    let passes = f.block_insts(call.block).is_empty()
        && f.block_params(call.block).is_empty()
        && !f.is_entrance(call.block)
        && call.block != from;
    match f.terminator(call.block) {
        Terminator::Jump(on) if passes => Some(*on).filter(|on| on.block != from),
        _ => Some(call).filter(|call| call.block != from),
    }
}

/// The bits of a constant number.
fn encoding(f: &Function, value: Value) -> Option<u64> {
    match f.constant(value)? {
        Const::Int(int) => Some(int.unsigned()),
        Const::Real(number) => Some(number.0.to_bits()),
        Const::Null | Const::Symbol(..) | Const::Hole => None,
    }
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::passes::testing::{after, changed, changed_with};
    use planish_ops::Op;
    use planish_pass::Target;

    fn choice(cases: &str, default: &str) -> String {
        format!(
            "func f(v0: i8, v1: i32) -> i32 {{\ne:\n    switch v0 [{cases}], {default}\na:\n    jump out(7, v1)\n\
             u:\n    unreachable\nb:\n    v4 = add(v1, 1)\n    jump out(v4, v1)\nout(v2: i32, v3: i32):\n    v5 = add(v2, v3)\n    \
             return v5\n}}\n"
        )
    }

    #[test]
    fn constants_are_looked_up_and_the_default_is_the_last_item() {
        let (count, text) = after(&PASS, &choice("1: out(31, v1), 2: out(28, v1), 4: out(30, v1)", "a"));
        assert_eq!(count, 1);
        assert!(text.contains("i32 = [7, 31, 28, 7, 30, 7]"), "{text}");
        assert!(text.contains("v2: i32 = lookup(v0) @table.0\n    jump out(v2, v1)"), "{text}");
    }

    #[test]
    fn what_is_below_the_least_case_is_behind_the_last_one() {
        let (_, text) = after(&PASS, &choice("-1: out(1, v1), 0: out(2, v1), 1: a", "out(3, v1)"));
        assert!(text.contains("add(v0, 1)") && text.contains("i32 = [1, 2, 7, 3]"), "{text}");
    }

    #[test]
    fn a_default_that_cannot_be_reached_has_no_item() {
        let (_, text) = after(&PASS, &choice("0: out(5, v1), 1: out(6, v1), 2: out(9, v1)", "u"));
        assert!(text.contains("i32 = [5, 6, 9]\n"), "{text}");
    }

    #[test]
    fn each_parameter_that_differs_has_a_table() {
        let (_, text) = after(&PASS, &choice("0: out(5, 1), 1: out(6, 2), 2: out(9, 3)", "out(0, 0)"));
        assert!(text.contains("[5, 6, 9, 0]") && text.contains("[1, 2, 3, 0]"), "{text}");
    }

    #[test]
    fn what_computes_stays_and_so_does_what_is_far_apart() {
        for (cases, default) in [
            ("0: out(5, v1), 1: out(6, v1), 2: b", "out(9, v1)"),
            ("0: out(5, v1), 1: out(v1, v1), 2: out(7, v1)", "out(9, v1)"),
            ("0: out(5, v1)", "out(9, v1)"),
            ("0: out(5, v1), 1: out(6, v1), 2: out(7, v1)", "b"),
        ] {
            let (count, text) = after(&PASS, &choice(cases, default));
            assert_eq!(count, 0, "{text}");
        }
        let far = choice("0: out(5, v1), 40: out(6, v1), -90: out(7, v1)", "out(9, v1)");
        assert_eq!(changed_with(&PASS, &[("small", 100)], &far, Target::MACHINE).0, 0);
    }

    #[test]
    fn what_a_function_returns_is_looked_up() {
        let source = "func f(v0: i8, v1: i32) -> i32, i32 {\ne:\n    switch v0 [0: a(5), 1: b, 2: a(7)], c\n\
                      a(v2: i32):\n    return v2, v1\nb:\n    return 6, v1\nc:\n    return -1, v1\n}\n";
        let (count, text) = after(&PASS, source);
        assert!(count == 1 && text.contains("i32 = [5, 6, 7, -1]"), "{text}");
        assert!(text.contains("lookup(v0) @table.0\n    return v2, v1"), "{text}");
        let (count, text) = after(&PASS, &source.replace("6, v1", "6, 0"));
        assert_eq!(count, 0, "{text}");
    }

    #[test]
    fn a_target_that_has_no_tables_or_cheap_choices_keeps_them() {
        let source = choice("0: out(5, v1), 1: out(6, v1), 2: out(7, v1)", "out(9, v1)");
        let price = |op| (op != Op::Lookup).then_some(1);
        assert_eq!(changed(&PASS, &source, Target { price: &price, ..Target::MACHINE }).0, 0);
        assert_eq!(changed_with(&PASS, &[("choice", 3)], &source, Target::MACHINE).0, 0);
        assert_eq!(changed_with(&PASS, &[("choice", 4)], &source, Target::MACHINE).0, 1);
    }
}
