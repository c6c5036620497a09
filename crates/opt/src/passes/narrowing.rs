//! Narrowing: what is cut to a narrow word is computed in a narrow one (LLVM's InstCombine on truncations).
//!
//! ```text
//! a: i32 = zext(x)                          p = mul(x, 7)
//! p = mul(a, 7)             becomes         s = add(p, y)
//! b: i32 = zext(y)
//! s = add(p, b)
//! r: i8 = trunc(s)                          # r is s
//! ```
//!
//! From every truncation the operations are followed that are for it alone: sums, products and bits, whose low bits depend on
//! the low bits of their operands only, and shifts to the right of what is known to have nothing above. They are made anew in
//! the narrow width, or in that of the widest word that was extended for them; the truncation stays behind then. It is done
//! where fewer operations are left: extensions and the truncation go, but what comes from elsewhere is cut first.
//!
//! What is for one truncation alone is for no other, so all of it is looked at once: O(size).

use hashbrown::HashMap;
use planish_base::{SideTable, Worklist};
use planish_domain::demanded::low;
use planish_ir::{Block, Const, Function, Inst, Location, Stands, Value};
use planish_ops::{Effect, Exits, Int, Op, Type};
use rustc_hash::FxBuildHasher;

use super::global_code_motion::floats;
use super::strength_reduction::uses;
use planish_pass::{Became, Change, Example, FunctionPass, PassCx, PassInfo, Target};

/// Computes in narrow words.
pub const PASS: FunctionPass = FunctionPass {
    info: PassInfo {
        changes: Change::Operations,
        source: "LLVM InstCombine, evaluation in a different type",
        handlers: false,
        example: Example { file: "narrowing.ssa", text: include_str!("examples/narrowing.ssa") },
        test: "crates/opt/src/passes/narrowing.rs",
        ..PassInfo::new(
            "narrowing",
            "Narrowing: what is computed in a wide word and cut to a narrow one is computed in that, without extensions.",
        )
    },
    run,
};

/// At most so many operations are for one truncation.
const MOST: usize = 64;

fn run(f: &mut Function, cx: &mut PassCx<'_>) {
    let is_trunc = |f: &Function, inst: Inst| f.inst(inst).op == Op::Trunc;
    let roots: Vec<(Block, Inst)> = f.live_insts().filter(|&(_, inst)| is_trunc(f, inst)).collect();
    if roots.is_empty() {
        return;
    }
    let (uses, dead) = uses_of_the_living(f);
    let mut made = Made::default();
    let mut stands = Stands::default();
    for (_, root) in roots.into_iter().filter(|&(_, root)| !dead[root]) {
        let Some(tree) = Tree::of(f, &uses, root) else { continue };
        let Some(width) = tree.width(f, &uses, cx.target) else { continue };
        if cx.rewrite(f, root, Became::Changed) {
            let narrow = made.tree(f, &tree, width);
            stands.put(narrow, f.result(root));
        }
    }
    if !made.instead.is_empty() {
        made.place(f, &dead);
        stands.write(f);
    }
}

/// How often each value is used, not counting operations that nothing uses, and these: demanded bits leave masks behind.
fn uses_of_the_living(f: &Function) -> (SideTable<Value, u32>, SideTable<Inst, bool>) {
    let (mut uses, mut is_dead) = (uses(f), SideTable::new());
    let dead = |uses: &SideTable<Value, u32>, inst: Inst| {
        let row = f.row(inst);
        row.effect == Effect::Pure
            && f.inst(inst).exit.is_none()
            && (row.exits == Exits::Never || floats(f, inst))
            && f.results(inst).all(|result| uses[result] == 0)
    };
    let mut work: Worklist<Inst> =
        f.live_insts().map(|(_, inst)| inst).filter(|&inst| dead(&uses, inst)).collect();
    while let Some(inst) = work.pop() {
        is_dead[inst] = true;
        for &arg in f.args(inst) {
            uses[arg] -= 1;
            work.extend(f.def_inst(arg).filter(|&inst| uses[arg] == 0 && dead(&uses, inst)));
        }
    }
    (uses, is_dead)
}

/// The operations that are for a truncation alone.
struct Tree {
    root: Inst,
    /// Users before operands.
    inner: Vec<Inst>,
    /// What they take from elsewhere, and how often.
    leaves: Vec<Value>,
}

impl Tree {
    /// Finds what is for a truncation alone; `None` if that is nothing, or much.
    fn of(f: &Function, uses: &SideTable<Value, u32>, root: Inst) -> Option<Tree> {
        let mut tree = Tree { root, inner: Vec::new(), leaves: Vec::new() };
        let mut seen: HashMap<Value, u32, FxBuildHasher> = HashMap::default();
        let mut work = Worklist::from(vec![f.args(root)[0]]);
        while let Some(value) = work.pop() {
            let seen = seen.entry(value).or_default();
            *seen += 1;
            tree.leaves.push(value);
            let alone = *seen == uses[value];
            let Some(inst) = f.def_inst(value).filter(|&inst| alone && is_low(f, inst)) else { continue };
            tree.inner.push(inst);
            work.extend(words(f, inst));
            if tree.inner.len() > MOST {
                return None;
            }
        }
        let inner =
            |f: &Function, value: Value| f.def_inst(value).is_some_and(|inst| tree.inner.contains(&inst));
        tree.leaves.retain(|&value| f.int_constant(value).is_none() && !inner(f, value));
        (!tree.inner.is_empty()).then_some(tree)
    }

    /// The width in which fewer operations are left, if there is one.
    fn width(&self, f: &Function, uses: &SideTable<Value, u32>, target: Target<'_>) -> Option<u32> {
        let cut = f.ty(f.result(self.root)).int_width()?;
        let full = f.ty(f.args(self.root)[0]).int_width()?;
        let widest =
            self.leaves.iter().filter_map(|&leaf| extended(f, leaf)).map(|(_, _, width)| width).max();
        let widths = [Some(cut), widest.filter(|&width| width > cut && width < full)];
        let gain = |&width: &u32| self.gain(f, uses, width, width == cut);
        let may_be = |width: &u32| self.may_write(f, *width, target);
        let best = widths.into_iter().flatten().filter(may_be).max_by_key(gain)?;
        (gain(&best) > 0 && self.inner.iter().all(|&inst| fits(f, inst, best))).then_some(best)
    }

    /// Whether the operations can be written in a width.
    fn may_write(&self, f: &Function, width: u32, target: Target<'_>) -> bool {
        let Some(writes) = target.writes else { return true };
        let narrow = Type::Int(width as u8);
        self.inner.iter().all(|&inst| {
            let (op, args) = (f.inst(inst).op, f.args(inst));
            // A condition stays, and so does an amount.
            let is_cut = |position: usize| match op {
                Op::Select => position > 0,
                Op::Lshift | Op::Urshift | Op::Rshift => position == 0,
                _ => true,
            };
            let operand = |(position, &arg): (usize, &Value)| match is_cut(position) {
                true => (narrow, None),
                false => (f.ty(arg), f.constant(arg)),
            };
            let operands: Vec<(Type, Option<Const>)> = args.iter().enumerate().map(operand).collect();
            writes(op, &operands, narrow)
        })
    }

    /// How many operations go, less those that come.
    fn gain(&self, f: &Function, uses: &SideTable<Value, u32>, width: u32, root_goes: bool) -> i64 {
        let mut gain = i64::from(root_goes);
        for (position, &leaf) in self.leaves.iter().enumerate() {
            match extended(f, leaf) {
                Some((_, _, of)) if of <= width => {
                    let times = self.leaves.iter().filter(|&&other| other == leaf).count() as u32;
                    let first = self.leaves[..position].iter().all(|&other| other != leaf);
                    gain += i64::from(first && times == uses[leaf]) - i64::from(of < width);
                }
                _ => gain -= 1,
            }
        }
        gain
    }
}

/// Whether the low bits of a result depend on the low bits of its words only, or that may be known by then.
fn is_low(f: &Function, inst: Inst) -> bool {
    let amount = || f.int_constant(f.args(inst)[1]).is_some();
    match f.inst(inst).op {
        Op::Add | Op::Sub | Op::Mul | Op::And | Op::Or | Op::Xor | Op::Neg | Op::Not | Op::Select => {
            f.ty(f.result(inst)).int_width().is_some()
        }
        Op::Lshift | Op::Urshift | Op::Rshift => amount(),
        _ => false,
    }
}

/// The operands of an operation that are cut with its result.
fn words(f: &Function, inst: Inst) -> impl Iterator<Item = Value> + '_ {
    let args = f.args(inst);
    match f.inst(inst).op {
        Op::Select => &args[1..],
        Op::Lshift | Op::Urshift | Op::Rshift => &args[..1],
        _ => args,
    }
    .iter()
    .copied()
}

/// The operation, the operand and the width of what was extended.
fn extended(f: &Function, value: Value) -> Option<(Op, Value, u32)> {
    let inst = f.def_inst(value)?;
    let op = f.inst(inst).op;
    let x = matches!(op, Op::Zext | Op::Sext).then(|| f.args(inst)[0])?;
    Some((op, x, f.ty(x).int_width()?))
}

/// Whether an operation gives the same low bits in a narrow word: a shift by less than its width, and one to the right of what
/// has nothing above.
fn fits(f: &Function, inst: Inst, width: u32) -> bool {
    let (op, args) = (f.inst(inst).op, f.args(inst));
    if !matches!(op, Op::Lshift | Op::Urshift | Op::Rshift) {
        return true;
    }
    let full = f.ty(args[0]).int_width().expect("a word");
    let by = f.int_constant(args[1]).expect("a number").unsigned() % u64::from(full);
    by < u64::from(width) && (op == Op::Lshift || narrow_shift(f, op, args[0], width).is_some())
}

/// The shift to the right in a narrow word that is one in a wide word, if what is shifted has nothing above.
fn narrow_shift(f: &Function, op: Op, value: Value, width: u32) -> Option<Op> {
    if let Some((Op::Sext, _, of)) = extended(f, value)
        && of <= width
        && op == Op::Rshift
    {
        return Some(Op::Rshift);
    }
    is_below(f, value, width, BITWISE).then_some(Op::Urshift)
}

/// So many bitwise operations deep it is asked what has nothing above.
const BITWISE: u32 = 3;

/// Whether a word has nothing above a width, as its making says.
fn is_below(f: &Function, value: Value, width: u32, deepest: u32) -> bool {
    if let Some(number) = f.int_constant(value) {
        return number.unsigned() & !low(width) == 0;
    }
    let (Some(inst), Some(deepest)) = (f.def_inst(value), deepest.checked_sub(1)) else { return false };
    let args = f.args(inst);
    let below = |&arg: &Value| is_below(f, arg, width, deepest);
    match f.inst(inst).op {
        Op::Zext => f.ty(args[0]).int_width().is_some_and(|of| of <= width),
        Op::And => args.iter().any(below),
        Op::Or | Op::Xor => args.iter().all(below),
        Op::Select => args[1..].iter().all(below),
        Op::Urshift => below(&args[0]),
        _ => false,
    }
}

/// Operations that are made.
#[derive(Default)]
struct Made {
    /// What stands in the place of an operation.
    instead: HashMap<Inst, Vec<Inst>, FxBuildHasher>,
}

impl Made {
    /// Makes a tree in a width. The value that is the truncation.
    fn tree(&mut self, f: &mut Function, tree: &Tree, width: u32) -> Value {
        let ty = Type::Int(width as u8);
        let mut narrow: HashMap<Value, Value, FxBuildHasher> = HashMap::default();
        for &inst in tree.inner.iter().rev() {
            let (op, args) = (f.inst(inst).op, f.args(inst).to_vec());
            let mut here = Vec::new();
            let cut: Vec<Value> = match op {
                Op::Select => {
                    let [x, y] = [1, 2].map(|at| operand(f, &mut here, &narrow, args[at], ty));
                    vec![args[0], x, y]
                }
                Op::Lshift | Op::Urshift | Op::Rshift => {
                    let by = f.int_constant(args[1]).expect("a number").unsigned();
                    let by = by % u64::from(f.ty(args[0]).int_width().expect("a word"));
                    let x = operand(f, &mut here, &narrow, args[0], ty);
                    vec![x, f.make_constant(Int::new(width, by))]
                }
                _ => args.iter().map(|&arg| operand(f, &mut here, &narrow, arg, ty)).collect(),
            };
            let op = match op {
                Op::Urshift | Op::Rshift => narrow_shift(f, op, args[0], width).expect("it fits"),
                _ => op,
            };
            let made = f.make_inst(op, &cut, &[ty], None, None, Location::default());
            narrow.insert(f.result(inst), f.result(made));
            here.push(made);
            self.instead.insert(inst, here);
        }
        let mut value = narrow[&f.args(tree.root)[0]];
        let cut = f.ty(f.result(tree.root));
        let mut here = Vec::new();
        if cut != ty {
            value = append(f, &mut here, Op::Trunc, value, cut);
        }
        self.instead.insert(tree.root, here);
        value
    }

    /// Puts everything in its place, and takes out what nothing uses, which may use what is not there any more.
    fn place(mut self, f: &mut Function, dead: &SideTable<Inst, bool>) {
        for number in 0..f.blocks().len() {
            let block = f.blocks()[number];
            if !f.block_insts(block).iter().any(|inst| dead[*inst] || self.instead.contains_key(inst)) {
                continue;
            }
            let insts = f.replace_insts(block, Vec::new());
            let living = insts.into_iter().filter(|&inst| !dead[inst]);
            let placed = living.flat_map(|inst| self.instead.remove(&inst).unwrap_or_else(|| vec![inst]));
            let placed = placed.collect();
            f.replace_insts(block, placed);
        }
    }
}

/// The low bits of an operand, in front of the operation that takes it.
fn operand(
    f: &mut Function,
    here: &mut Vec<Inst>,
    narrow: &HashMap<Value, Value, FxBuildHasher>,
    value: Value,
    ty: Type,
) -> Value {
    let width = ty.int_width().expect("a word");
    if let Some(&made) = narrow.get(&value) {
        return made;
    }
    if let Some(number) = f.int_constant(value) {
        return f.make_constant(Int::new(width, number.unsigned()));
    }
    match extended(f, value) {
        Some((_, x, of)) if of == width => x,
        Some((op, x, of)) if of < width => append(f, here, op, x, ty),
        _ => append(f, here, Op::Trunc, value, ty),
    }
}

fn append(f: &mut Function, here: &mut Vec<Inst>, op: Op, x: Value, ty: Type) -> Value {
    let inst = f.make_inst(op, &[x], &[ty], None, None, Location::default());
    here.push(inst);
    f.result(inst)
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::passes::testing::after;

    fn bytes(body: &str) -> (u64, String) {
        after(
            &PASS,
            &format!(
                "func f(v0: i8, v1: i8, v2: i32) -> i8 {{\ne:\n    v3: i32 = zext(v0)\n    v4: i32 = sext(v1)\n{body}    \
                 v9: i8 = trunc(v8)\n    return v9\n}}\n"
            ),
        )
    }

    #[test]
    fn sums_and_products_of_bytes_are_made_of_bytes() {
        let (count, text) = bytes("    v5 = mul(v3, 7)\n    v6 = add(v5, v4)\n    v8 = xor(v6, 300)\n");
        assert!(count == 1 && text.contains("mul(v0, 7)") && text.contains(", 44)"), "{text}");
        assert!(!text.contains("trunc"), "{text}");
    }

    #[test]
    fn a_shift_to_the_right_of_what_has_nothing_above_is_one_of_bytes() {
        let (count, text) = bytes(
            "    v5 = rshift(v3, 2)\n    v6 = add(v5, v4)\n    v7 = and(v6, 255)\n    v8 = rshift(v7, 3)\n",
        );
        assert!(count == 1 && text.matches("urshift(").count() == 2, "{text}");
        let (count, text) = bytes("    v5 = rshift(v4, 2)\n    v8 = xor(v5, v3)\n");
        assert!(count == 1 && text.contains(" rshift(v1, 2)"), "{text}");
        let source = |other: &str| {
            format!(
                "    v5: i32 = zext({other})\n    v6 = xor(v3, v5)\n    v7 = rshift(v6, 1)\n    v8 = add(v7, v5)\n"
            )
        };
        let (count, text) = bytes(&source("v1"));
        assert!(count == 1 && text.contains("xor(v0, v1)") && text.contains("urshift("), "{text}");
        assert_eq!(
            bytes(&source("v1").replace("v5: i32 = zext(v1)", "v5 = and(v2, 511)")).0,
            0,
            "a bit comes down"
        );
        assert_eq!(bytes("    v5 = add(v3, v4)\n    v8 = rshift(v5, 2)\n").0, 0, "a carry comes down");
        assert_eq!(bytes("    v5 = urshift(v4, 2)\n    v8 = xor(v5, v3)\n").0, 0, "a sign comes down");
    }

    #[test]
    fn what_others_use_stays_wide() {
        let (count, _) = bytes("    v5 = add(v3, v2)\n    v8 = mul(v5, v2)\n");
        assert_eq!(count, 0, "two would be cut to save one");
        let source = "func f(v0: i8, v1: i8) -> i8, i32 {\ne:\n    v3: i32 = zext(v0)\n    v4: i32 = zext(v1)\n    \
                      v5 = add(v3, v4)\n    v9: i8 = trunc(v5)\n    return v9, v5\n}\n";
        assert_eq!(after(&PASS, source).0, 0);
    }

    #[test]
    fn the_width_is_that_of_the_widest_word_that_was_extended() {
        let (count, text) = after(
            &PASS,
            "func f(v0: i16, v1: i16) -> i8 {\ne:\n    v2: i32 = sext(v0)\n    v3: i32 = sext(v1)\n    v4 = xor(v2, v3)\n    \
             v5: i8 = trunc(v4)\n    return v5\n}\n",
        );
        assert!(count == 1 && text.contains("xor(v0, v1)") && text.matches("trunc").count() == 1, "{text}");
    }
}
